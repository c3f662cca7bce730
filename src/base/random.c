// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

StickRandom stick_random_seed(uint64_t seed)
{
    StickRandom random;
    for (int k = 0; k < 4; k++)
        random.state[k] = splitmix(&seed);
    return random;
}

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t stick_random_bits(StickRandom *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double stick_random_uniform(StickRandom *random, double low, double high)
{
    double unit = (double)(stick_random_bits(random) >> 11) * 0x1p-53;
    return low + (high - low) * unit;
}

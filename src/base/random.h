// SPDX-License-Identifier: Apache-2.0
// Random numbers of our own, the same on every machine for the same seed (xoshiro256** seeded by splitmix64).
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

typedef struct StickRandom {
    uint64_t state[4];
} StickRandom;

StickRandom stick_random_seed(uint64_t seed);
uint64_t stick_random_bits(StickRandom *random);
double stick_random_uniform(StickRandom *random, double low, double high);

#endif

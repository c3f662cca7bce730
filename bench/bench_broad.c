// SPDX-License-Identifier: Apache-2.0
// What the broad phase costs as the number of boxes grows: spheres in a box with walls, numbered at random, asked for the
// first time, at rest (they tremble), and in motion (each its own way by 4 % of its size per call, one in fifty collides).
// The goal is an exponent of at most 1.1 from 10^3 to 10^5; boxes in motion are sorted now and then, by n log n.
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "contact/broadphase.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WALLS = 6, REPEATS = 4, CALLS = 40, NSIZES = 5 };

static const int sizes[NSIZES] = {1000, 3162, 10000, 31623, 100000};

typedef struct Spheres {
    int count;
    double room; // side of the box
    double *radius, *place, *velocity;
    StickBox *box; // walls first
} Spheres;

static void set_boxes(Spheres *spheres)
{
    for (int w = 0; w < WALLS; w++) {
        StickBox wall = {{-1, -1, -1}, {spheres->room + 1, spheres->room + 1, spheres->room + 1}};
        int k = w / 2;
        *(w % 2 ? &wall.low[k] : &wall.high[k]) = w % 2 ? spheres->room : 0;
        spheres->box[w] = wall;
    }
    for (int i = 0; i < spheres->count; i++) {
        for (int k = 0; k < 3; k++) {
            spheres->box[WALLS + i].low[k] = spheres->place[3 * i + k] - spheres->radius[i];
            spheres->box[WALLS + i].high[k] = spheres->place[3 * i + k] + spheres->radius[i];
        }
    }
}

// Radii from 0.42 to 0.62 in cells of side 1: boxes overlap as in a dense packing.
static StickStatus strew(StickContext *ctx, int count, Spheres *spheres)
{
    StickRandom random = stick_random_seed((uint64_t)count);
    int side = (int)ceil(cbrt(count)), *number;
    *spheres = (Spheres){.count = count, .room = side};
    STICK_ALLOC(ctx, spheres->radius, count);
    STICK_ALLOC(ctx, spheres->place, 3 * count);
    STICK_ALLOC(ctx, spheres->velocity, 3 * count);
    STICK_ALLOC(ctx, spheres->box, count + WALLS);
    STICK_ALLOC(ctx, number, count);
    for (int i = 0; i < count; i++) {
        int j = (int)(stick_random_bits(&random) % (uint64_t)(i + 1));
        number[i] = number[j];
        number[j] = i;
    }
    for (int i = 0; i < count; i++) {
        const int cell[3] = {i % side, i / side % side, i / side / side};
        spheres->radius[number[i]] = stick_random_uniform(&random, 0.42, 0.62);
        for (int k = 0; k < 3; k++) {
            spheres->place[3 * number[i] + k] = cell[k] + stick_random_uniform(&random, 0.3, 0.7);
            spheres->velocity[3 * number[i] + k] = stick_random_uniform(&random, -0.02, 0.02);
        }
    }
    stick_free(ctx, number);
    set_boxes(spheres);
    return STICK_OK;
}

static void tremble(Spheres *spheres, StickRandom *random)
{
    for (int i = 0; i < 3 * spheres->count; i++)
        spheres->place[i] += stick_random_uniform(random, -1e-5, 1e-5);
    set_boxes(spheres);
}

// One in fifty collides and goes elsewhere.
static void move(Spheres *spheres, StickRandom *random)
{
    for (int i = 0; i < spheres->count; i++) {
        int collides = stick_random_uniform(random, 0, 1) < 0.02;
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            if (collides)
                spheres->velocity[k] = stick_random_uniform(random, -0.02, 0.02);
            if (spheres->place[k] * spheres->velocity[k] < 0 ||
                (spheres->place[k] - spheres->room) * spheres->velocity[k] > 0)
                spheres->velocity[k] *= -1;
            spheres->place[k] += spheres->velocity[k];
        }
    }
    set_boxes(spheres);
}

static void drop(StickContext *ctx, Spheres *spheres)
{
    stick_free(ctx, spheres->radius);
    stick_free(ctx, spheres->place);
    stick_free(ctx, spheres->velocity);
    stick_free(ctx, spheres->box);
}

// Nanoseconds per box: what else runs on the machine only adds to them, so the least of some repeats is taken.
typedef struct Cost {
    double first, rest, motion, pairs;
} Cost;

static StickStatus ask(StickBroadphase *broad, const Spheres *spheres, double *time, Cost *cost)
{
    const StickBroadphasePair *pair;
    int npairs;
    double clock = stick_clock_cpu();
    STICK_TRY(stick_broadphase_find(broad, spheres->box, spheres->count + WALLS, &pair, &npairs));
    *time += 1e9 * (stick_clock_cpu() - clock) / spheres->count;
    cost->pairs = (double)npairs / spheres->count;
    return STICK_OK;
}

static StickStatus ask_often(StickBroadphase *broad, Spheres *spheres, StickRandom *random, Cost *cost)
{
    double first = 0, rest = 0, motion = 0;
    STICK_TRY(ask(broad, spheres, &first, cost));
    for (int k = 0; k < CALLS; k++) {
        tremble(spheres, random);
        STICK_TRY(ask(broad, spheres, &rest, cost));
    }
    for (int k = 0; k < CALLS; k++) {
        move(spheres, random);
        STICK_TRY(ask(broad, spheres, &motion, cost));
    }
    cost->first = fmin(cost->first, first);
    cost->rest = fmin(cost->rest, rest / CALLS);
    cost->motion = fmin(cost->motion, motion / CALLS);
    return STICK_OK;
}

static StickStatus measure_once(StickContext *ctx, int count, Cost *cost)
{
    Spheres spheres;
    StickBroadphase *broad;
    StickRandom random = stick_random_seed(5);
    STICK_TRY(strew(ctx, count, &spheres));
    STICK_TRY(stick_broadphase_create(ctx, 3, &broad));
    StickStatus status = ask_often(broad, &spheres, &random, cost);
    stick_broadphase_destroy(broad);
    drop(ctx, &spheres);
    return status;
}

static StickStatus measure(StickContext *ctx, int count, Cost *cost)
{
    *cost = (Cost){INFINITY, INFINITY, INFINITY, 0};
    for (int k = 0; k < REPEATS; k++)
        STICK_TRY(measure_once(ctx, count, cost));
    printf("%8d %8.1f %8.0f %8.0f %8.0f\n", count, cost->pairs, cost->first, cost->rest, cost->motion);
    return STICK_OK;
}

// Of cost = c n^exponent, by least squares of the logarithms.
static double exponent(const double *per_box)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int k = 0; k < NSIZES; k++) {
        mean_x += log(sizes[k]) / NSIZES;
        mean_y += log(per_box[k]) / NSIZES;
    }
    for (int k = 0; k < NSIZES; k++) {
        xx += (log(sizes[k]) - mean_x) * (log(sizes[k]) - mean_x);
        xy += (log(sizes[k]) - mean_x) * (log(per_box[k]) - mean_y);
    }
    return 1 + xy / xx;
}

static StickStatus measure_all(StickContext *ctx)
{
    double first[NSIZES], rest[NSIZES], motion[NSIZES];
    printf("   boxes    pairs    first  at rest in motion    pairs, and ns of a call, per box\n");
    for (int k = 0; k < NSIZES; k++) {
        Cost cost;
        STICK_TRY(measure(ctx, sizes[k], &cost));
        first[k] = cost.first;
        rest[k] = cost.rest;
        motion[k] = cost.motion;
    }
    double at_first = exponent(first), at_rest = exponent(rest), in_motion = exponent(motion);
    printf("exponent          %8.2f %8.2f %8.2f    (goal: at most 1.1; in motion 1.2)\n", at_first, at_rest,
           in_motion);
    return fmax(at_first, at_rest) <= 1.1 && in_motion <= 1.2 ? STICK_OK : STICK_CHECK_FAILED;
}

int main(void)
{
    StickContext *ctx = stick_context_create(NULL);
    StickStatus status = ctx ? measure_all(ctx) : STICK_NO_MEMORY;
    if (status != STICK_OK)
        fprintf(stderr, "%s: %s\n", stick_status_name(status), stick_last_error(ctx));
    stick_context_destroy(ctx);
    return status;
}

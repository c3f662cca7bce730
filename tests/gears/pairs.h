// SPDX-License-Identifier: Apache-2.0
// Pairs of gears that tests share.
#ifndef TESTS_GEARS_PAIRS_H
#define TESTS_GEARS_PAIRS_H

#include "base/involute.h"
#include "base/pi.h"
#include "gears/pair.h"

// Two equal external gears of the rack of ISO 53 A, without shift, at the distance of their pitch circles.
static inline StickGearPairSpec standard_pair(int z1, int z2, double module)
{
    StickGearPairSpec pair = {.name = "pair",
                              .mark = {"gears.yaml", 7, 3},
                              .module = module,
                              .pressure_angle = 20 * STICK_PI / 180,
                              .centre_distance = 0.5 * module * (z1 + z2),
                              .face_width = 1};
    for (int g = 0; g < 2; g++)
        pair.gear[g] = (StickGearSpec){.teeth = g == 0 ? z1 : z2,
                                       .addendum = 1,
                                       .dedendum = 1.25,
                                       .tip_radius = 0.38,
                                       .rim = 0.1 * module};
    return pair;
}

// 20/20 teeth, pitch 10 per inch, stub teeth of a deep rack  [VBH88]
static inline StickGearPairSpec stub_pair(void)
{
    StickGearPairSpec pair = standard_pair(20, 20, 0.1);
    for (int g = 0; g < 2; g++) {
        pair.gear[g].addendum = 0.75;
        pair.gear[g].dedendum = 1.4;
        pair.gear[g].tip_radius = 0.375;
        pair.gear[g].rim = 0.5;
    }
    return pair;
}

// A pinion inside of a ring, which is the output.
static inline StickGearPairSpec ring_pair(int z1, int z2, double module)
{
    StickGearPairSpec pair = standard_pair(z1, z2, module);
    pair.centre_distance = 0.5 * module * (z2 - z1);
    pair.gear[1].internal = true;
    pair.gear[1].rim = 0.5 * module * z2 + 4 * module;
    return pair;
}

#endif

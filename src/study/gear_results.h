// SPDX-License-Identifier: Apache-2.0
// Numbers of mesh cycles of gears, from the files that a run has left in cycle/.
#ifndef STUDY_GEAR_RESULTS_H
#define STUDY_GEAR_RESULTS_H

#include "base/json.h"
#include "study/results.h"

enum { STICK_GEAR_HARMONICS = 10 };

typedef enum StickGearNumber {
    STICK_GEAR_ERROR_MEAN,
    STICK_GEAR_ERROR_PEAK_TO_PEAK,
    STICK_GEAR_HARMONIC, // the first of them
    STICK_GEAR_CONTACT_RATIO = STICK_GEAR_HARMONIC + STICK_GEAR_HARMONICS,
    STICK_GEAR_LOADED_RATIO,         // mean number of pairs in contact
    STICK_GEAR_TWO_PAIRS,            // positions with two pairs at least
    STICK_GEAR_LARGEST_SHARE_CHANGE, // of the load of a pair from one position to the next
    STICK_GEAR_INPUT_MEAN,
    STICK_GEAR_INPUT_PEAK_TO_PEAK,
    STICK_GEAR_EFFICIENCY,
    STICK_GEAR_PRESSURE,
    STICK_GEAR_HERTZ,
    STICK_GEAR_PRESSURE_BY_HERTZ, // at the position nearest to the pitch point
    STICK_GEAR_STRIPS,            // mean number of a pair of teeth
    STICK_GEAR_ROOT_1,
    STICK_GEAR_ROOT_2,
    STICK_GEAR_STIFFNESS_MEAN,
    STICK_GEAR_STIFFNESS_SINGLE,   // at the position nearest to the pitch point with one pair
    STICK_GEAR_STIFFNESS_STANDARD, // c'_th of ISO 6336-1
    STICK_GEAR_NUMBERS
} StickGearNumber;

// NULL past the last.
const char *stick_gear_number_name(int k);

// Whether there are numbers, and these: cycle/<pair>-numbers.csv. NaN where there is none, as harmonics of positions that
// are no whole cycles.
bool stick_gear_is_there(const char *folder, const StickGearPairSpec *spec);
StickStatus stick_gear_numbers(StickContext *ctx, const char *folder, const StickGearPairSpec *spec,
                               double value[STICK_GEAR_NUMBERS]);

// The pair that a name such as "pair.efficiency" begins with, or NULL.
const StickGearPairSpec *stick_gears_of(const StickModel *model, const char *name);

// What a check asks for: before the run whether there is such a number, after it its value.
StickStatus stick_gear_validate(StickContext *ctx, const StickGearPairSpec *spec,
                                const StickCheckSpec *check);
StickStatus stick_gear_measure(StickContext *ctx, const char *folder, const StickGearPairSpec *spec,
                               const StickCheckSpec *check, double *value);

// "gears" of a summary.
void stick_gear_summarise(StickContext *ctx, const char *folder, const StickModel *model, StickJson *json);

#endif

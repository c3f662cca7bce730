// SPDX-License-Identifier: Apache-2.0
// Numbers of motions in time, from the files that a run has left in motion/: of signals, and of the contacts of the
// steps that they belong to.
#ifndef STUDY_MOTION_RESULTS_H
#define STUDY_MOTION_RESULTS_H

#include "base/json.h"
#include "study/results.h"

// A signal whose motion is told.
typedef struct StickTold {
    const char *name;
    int step;                    // index
    const StickSignalSpec *spec; // NULL: the mode of a disturbance
} StickTold;

// Modes of disturbances, then spectra, then sounds; false past the last.
bool stick_told_at(const StickModel *model, int k, StickTold *told);

enum { STICK_MOTION_NUMBERS = 10, STICK_CONTACT_NUMBERS = 7, STICK_SOUND_NUMBERS = 7 };
typedef enum StickMotionNumber {
    STICK_NUMBER_MOTION,
    STICK_NUMBER_FROM,
    STICK_NUMBER_TO,
    STICK_NUMBER_FREQUENCY,
    STICK_NUMBER_DOMINANT,
    STICK_NUMBER_PERIOD,
    STICK_NUMBER_RETURN,
    STICK_NUMBER_AMPLITUDE,
    STICK_NUMBER_MEAN,
    STICK_NUMBER_RMS,
} StickMotionNumber;

// Names of numbers; NULL past the last.
const char *stick_motion_number_name(int k);
const char *stick_contact_number_name(int k);
const char *stick_sound_number_name(int k);

// Whether there are such files, and their numbers: motion/<name>/numbers.csv, motion/<step>/contacts.csv and
// motion/<name>/sound.csv.
bool stick_motion_exists(const char *folder, const char *name, const char *file);
StickStatus stick_motion_numbers(StickContext *ctx, const char *folder, const char *name,
                                 double value[STICK_MOTION_NUMBERS]);
StickStatus stick_contact_numbers(StickContext *ctx, const char *folder, const char *step,
                                  double value[STICK_CONTACT_NUMBERS]);
StickStatus stick_sound_numbers(StickContext *ctx, const char *folder, const char *name,
                                double value[STICK_SOUND_NUMBERS]);

// What checks ask for. Whether a name such as "lip.period" belongs to a signal or to a step whose motion is told; of a
// step with a disturbance only numbers that are known here. Then before the run whether there is such a number, after it
// its value.
bool stick_motion_owns(const StickModel *model, const char *name);
StickStatus stick_motion_validate(StickContext *ctx, const StickModel *model, const StickCheckSpec *check);
StickStatus stick_motion_measure(StickContext *ctx, const char *folder, const StickModel *model,
                                 const StickCheckSpec *check, double *value);

// "signals", "portraits" and "statistics" of a summary.
void stick_motion_summarise(StickContext *ctx, const char *folder, const StickModel *model, StickJson *json);

#endif

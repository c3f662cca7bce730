// SPDX-License-Identifier: Apache-2.0
// What the motions of dynamic steps were, told when a run has ended: spectra, limit cycles, times of contacts, sounds.
//
//     motion/<signal>/spectrum.csv, peaks.csv, numbers.csv, sound.csv      motion/<step>/contacts.csv      <file>.wav
#ifndef STUDY_MOTION_H
#define STUDY_MOTION_H

#include "output/recorder.h"

// Notes say of each signal what it is. A sound that cannot be made is a warning.
StickStatus stick_motion_write(StickContext *ctx, const StickSystem *system, const StickRecorder *recorder,
                               const char *folder);

// plots/<signal>-spectrum.svg, plots/<portrait>-x.svg and so on, from the files.
StickStatus stick_motion_plot(StickContext *ctx, const StickModel *model, const char *folder, bool *made);

#endif

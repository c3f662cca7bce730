// SPDX-License-Identifier: Apache-2.0
// A recorded time history: samples of acceleration, velocity or displacement in a table, and the resulting motion.
//
// Between samples accelerations and velocities are linear and are integrated exactly, so that displacements of recorded
// accelerations are piecewise cubic. Recorded displacements are a natural cubic spline, whose velocities do not jump,
// or piecewise linear. Before the first sample the motion is zero; displacements are relative to the first sample.
// After the last sample the recorded quantity is zero, or constant if it is a displacement; a residual velocity
// continues.
#ifndef MODEL_TIME_HISTORY_H
#define MODEL_TIME_HISTORY_H

#include "base/arena.h"

#include <stdbool.h>

typedef enum StickTimeHistoryKind {
    STICK_TIME_HISTORY_ACCELERATION,
    STICK_TIME_HISTORY_VELOCITY,
    STICK_TIME_HISTORY_DISPLACEMENT,
} StickTimeHistoryKind;

// Baseline correction, subtracted from the samples first.
typedef enum StickBaseline {
    STICK_BASELINE_NONE,
    STICK_BASELINE_MEAN, // their mean over time
    // the straight line nearest to them by least squares over time; of accelerations this is the line that leaves
    // neither velocity nor displacement at the end
    STICK_BASELINE_LINEAR,
} StickBaseline;

typedef struct StickTimeHistory {
    StickTimeHistoryKind kind;
    int count;
    double *t;        // ascending
    double *sample;   // of the recorded quantity, scaled and without its baseline
    double *velocity; // at the samples; accelerations only
    double *displacement;
    double *bend; // second derivatives of displacements that are a spline; NULL: linear
} StickTimeHistory;

// Values of a record at one time.
typedef struct StickTimeHistoryState {
    double displacement, velocity, acceleration;
} StickTimeHistoryState;

typedef struct StickTimeHistoryOptions {
    StickTimeHistoryKind kind;
    StickBaseline baseline;
    double scale;
    double factor;      // factor in addition to the scale: the length of its direction; 0: 1
    double start;       // time of the model at which time 0 of the record is
    bool uneven;        // steps of time may differ; otherwise one that is longer than others is a gap
    bool straight;      // displacements are linear between samples
    const char *time;   // column; NULL: the first
    const char *column; // NULL: the second
} StickTimeHistoryOptions;

// Reads a table with fields separated by commas, semicolons, tabs or blanks. Lines that start with # are skipped; a
// first line that is not numeric names the columns (otherwise they are 1, 2 ...). Times that do not ascend, gaps and
// fields that are not numbers are errors, reported with their line. The arena owns everything. Warns of a velocity jump
// at the start, of a residual velocity at the end, and of accelerations in g that are not scaled.
typedef struct StickTimeHistorySource {
    const char *file; // for messages
    const char *bytes;
    size_t count;
    StickMark mark; // where the model names it
} StickTimeHistorySource;
StickStatus stick_time_history_read(StickArena *arena, const StickTimeHistorySource *source,
                                    const StickTimeHistoryOptions *options, StickTimeHistory **record);

// A record of samples that are there already (count of each).
StickStatus stick_time_history_create(StickArena *arena, const double *t, const double *sample, int count,
                                      const StickTimeHistoryOptions *options, StickTimeHistory **record);

StickTimeHistoryState stick_time_history_at(const StickTimeHistory *record, double t);

#endif

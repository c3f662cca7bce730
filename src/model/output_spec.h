// SPDX-License-Identifier: Apache-2.0
// Output in addition to fields: histories, signals, phase portraits, profiles, marked times.
#ifndef MODEL_OUTPUT_SPEC_H
#define MODEL_OUTPUT_SPEC_H

#include "model/expression.h"
#include "model/target.h"

// A quantity recorded over time: one column of a table, or one per node with each.
typedef struct StickHistorySpec {
    char *name;
    StickMark mark;
    StickTarget of;
    StickTarget to;         // distance: between of and this
    int joint;              // of results of joints, index; then of names nothing; -1: none
    int gears;              // the same of pairs of gears
    char *what;             // name of a StickResult
    int component;          // as in model/result.h; -1: none given
    bool each;              // a column for each node
    StickExpression *exact; // sees t; NULL: none
    int only_step;          // number of the step, from 1, in which alone it is recorded; 0: in all
    bool has_at;            // only the node of a group that is nearest ...
    double at[3];           // ... to this place, at rest
    bool portrait;          // columns of all displacements and velocities instead
} StickHistorySpec;

// Whether it has a single column, apart from time and the exact solution.
static inline bool stick_history_is_single(const StickHistorySpec *history)
{
    return !history->each && !history->portrait;
}

// Weights of the values of a signal before its spectrum is taken.
typedef enum StickWindow { STICK_WINDOW_HANN, STICK_WINDOW_NONE } StickWindow;

typedef enum StickWavFormat { STICK_WAV_PCM16, STICK_WAV_FLOAT } StickWavFormat;

typedef struct StickSoundSpec {
    char *file; // name in the result folder; NULL: no sound file
    int rate;   // samples per second
    StickWavFormat format;
    double seconds;  // minimum duration, reached by repeating the saturated part; 0: as it is
    double slow;     // times slower
    double level;    // of full scale that the largest sample has, ...
    double gain;     // ... or full scale per unit of the signal; 0: by level
    double per_unit; // seconds per unit of time
} StickSoundSpec;

// A quantity at every time step of one dynamic step, for its spectrum, limit cycle and sound.
typedef struct StickSignalSpec {
    StickHistorySpec value; // comes first: read as a history
    int step;               // index of the step
    char *step_name;        // NULL: the last dynamic one
    StickMark step_mark;
    double from, to; // window of time; infinite: it is found
    StickWindow window;
    StickSoundSpec sound;
} StickSignalSpec;

// Velocity over displacement of a group, in every time step of one dynamic step.
typedef struct StickPortraitSpec {
    StickHistorySpec value; // comes first
    int step;
    char *step_name;
    StickMark step_mark;
} StickPortraitSpec;

// Contact stresses along a surface, at some times.
typedef struct StickProfileSpec {
    char *name;
    StickMark mark;
    StickTarget of;
    int ntimes;
    double *times; // ascending
} StickProfileSpec;

// A time that is marked in plots over time.
typedef struct StickMomentSpec {
    StickMark mark;
    double t;
    char *text;
} StickMomentSpec;
enum { STICK_MOST_MOMENTS = 16 };

typedef struct StickOutputSpec {
    int fields_every; // steps between field files, where a step has no own number; 0: none
    int nhistories;
    StickHistorySpec *history; // those of the list, followed by the quantities of signals and portraits
    int nspectra;
    StickSignalSpec *spectrum;
    int nsounds;
    StickSignalSpec *sound;
    int nportraits;
    StickPortraitSpec *portrait;
    int nprofiles;
    StickProfileSpec *profile;
    int nmoments;
    StickMomentSpec *moment; // at most STICK_MOST_MOMENTS
} StickOutputSpec;

#endif

// SPDX-License-Identifier: Apache-2.0
// Results by name, as checks and summaries ask for them:
// series from the tables of a folder, and single numbers.
#ifndef STUDY_RESULTS_H
#define STUDY_RESULTS_H

#include "output/table.h"
#include "stepping/simulation.h"

// One column of a table over time.
typedef struct StickSeries {
    StickColumns columns; // the table it stands in
    const double *t;
    const double *values;
    size_t count;
    const double *area; // of a profile: what its integral is weighted by; NULL: over time
} StickSeries;

// "contact_force" (a history), "contact_force.exact", "nodal_forces.12" (node 12 of a history of each node),
// "energy.total" (a column of a table of the program), "stress.pressure" (a column of a profile).
StickStatus stick_series_load(StickContext *ctx, const char *folder, const char *name, StickMark mark,
                              StickSeries *series);
void stick_series_destroy(StickContext *ctx, StickSeries *series);

// Reduces a series within a window of time to one number: max, min, mean, final, first, rms, std, integral,
// largest (absolute value). Mean, rms and std weigh every row alike; integral uses the trapezium rule, or of a
// profile is over the surface at the one time of the window. Rows that are not a number (a gap without antagonist, the
// reserve of a node that is apart) are passed over, but by final, first and integral; without any number there is none.
// An unknown word or an empty window is an error at the mark.
StickStatus stick_series_reduce(StickContext *ctx, const StickSeries *series, const char *how, double from,
                                double to, StickMark mark, double *value);

// Whether the model's output has a series of that name,
// before there is any table; if not, an error at the mark.
StickStatus stick_series_exists(StickContext *ctx, const StickSystem *system, const char *name,
                                StickMark mark);

// Numbers of a run: "energy.closure", "momentum.error", "certificate.error", ...; the name and value of
// number k, false past the last.
bool stick_number_at(const StickSimulation *run, int k, const char **name, double *value);
StickStatus stick_number(StickContext *ctx, const StickSimulation *run, const char *name, StickMark mark,
                         double *value);

// The largest error of all contact solves, of the whole and of a contact in its own scale: the run is certified to it.
double stick_run_worst_error(const StickSimulation *run);

// Whether every contact solve of the run and of the steps before it was certified.
bool stick_run_certified(const StickSimulation *run);

#endif

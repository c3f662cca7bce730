// SPDX-License-Identifier: Apache-2.0
// Histories that the model asks for: one table each, a column for a group or one for each of its nodes.
#ifndef OUTPUT_HISTORY_H
#define OUTPUT_HISTORY_H

#include "contact/translation.h"
#include "output/nodal.h"

typedef struct StickHistory {
    const StickHistorySpec *spec;
    const StickResult *what;
    const StickGroup *group; // NULL: an obstacle
    StickGroup one;          // that has the nearest node alone, ...
    int nearest;             // ... which is this one
    int ncolumns;            // time included
    char **column;           // names with units
    double *row;             // ncolumns
    StickTranslation *moves; // the obstacle, where its displacement is asked for; NULL elsewhere
    double *values;          // nodes of the body
    double *mass;            // weights of a mean, nodes of the body; NULL: all alike
} StickHistory;

// Result, component and group are known to be there: the reader and the system refuse others. Of what has no
// such result (an obstacle, the second body of a contact) it is an error at its place.
StickStatus stick_history_create(StickContext *ctx, const StickSystem *system, const StickHistorySpec *spec,
                                 StickHistory *history);
void stick_history_destroy(StickContext *ctx, StickHistory *history);

bool stick_history_needs_gaps(const StickHistory *history);

// Whether the step of the run is one that it is recorded in.
bool stick_history_is_due(const StickHistory *history, const StickSimulation *run);

// Fills row with the present time and values.
StickStatus stick_history_fill(StickHistory *history, const StickSimulation *run,
                               const StickContactSet *gaps);

#endif

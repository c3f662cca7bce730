// SPDX-License-Identifier: Apache-2.0
// The table of a mechanism along its trajectory, cycle/mechanism.csv: a row per position, with motions of frames that are
// free, what holds those that are not, and what contacts do.
#ifndef OUTPUT_MECHANISM_TABLE_H
#define OUTPUT_MECHANISM_TABLE_H

#include "output/named_row.h"
#include "stepping/simulation.h"

#define STICK_MECHANISM "mechanism"

typedef struct StickMechanismTable {
    const StickModel *model;
    StickNamedRow row;
} StickMechanismTable;

StickStatus stick_mechanism_table_create(StickContext *ctx, const StickModel *model,
                                         StickMechanismTable *table);
void stick_mechanism_table_destroy(StickContext *ctx, StickMechanismTable *table);

// Fills the row with the present position of a step along a trajectory.
void stick_mechanism_table_fill(StickMechanismTable *table, const StickSimulation *run);

#endif

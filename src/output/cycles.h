// SPDX-License-Identifier: Apache-2.0
// Tables of steps along trajectories, written as a run goes: cycle/<pair>.csv of every pair of gears, cycle/mechanism.csv
// of frames and contacts of the model file.
#ifndef OUTPUT_CYCLES_H
#define OUTPUT_CYCLES_H

#include "base/text.h"
#include "stepping/simulation.h"

#include <stdint.h>

typedef struct StickCycles StickCycles;

// No file is touched yet. A model without steps along trajectories has no tables.
StickStatus stick_cycles_create(StickContext *ctx, const StickSystem *system, StickCycles **cycles);
void stick_cycles_destroy(StickCycles *cycles);

// Whether a model will have a table of that name with that column.
bool stick_cycles_has_column(StickContext *ctx, const StickModel *model, const char *table,
                             const char *column);

int stick_cycles_count(const StickCycles *cycles);

// Starts the tables anew, or goes on behind positions that stick_cycles_positions gave (NULL: anew).
StickStatus stick_cycles_open(StickCycles *cycles, const char *folder, const int64_t *position);
StickStatus stick_cycles_positions(StickCycles *cycles, int64_t *position);
// Adds the tables to the files that a checkpoint relies on.
void stick_cycles_list(const StickCycles *cycles, const char *folder, StickText *manifest);
StickStatus stick_cycles_close(StickCycles *cycles);

// A row of the present position in every table; the state before the first one has none.
StickStatus stick_cycles_record(StickCycles *cycles, const StickSimulation *run);

#endif

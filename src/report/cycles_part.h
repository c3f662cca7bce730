// SPDX-License-Identifier: Apache-2.0
// Steps along trajectories on a page: the tables of cycle/, and the parameters of a run, by which maps of a study know
// its cases.
#ifndef REPORT_CYCLES_PART_H
#define REPORT_CYCLES_PART_H

#include "report/tables.h"

// Writes the list "cycles" (web/src/report.ts) into the JSON: a table for each pair of gears, then that of the mechanism.
// Without a model (NULL), or where a table is missing or damaged, there is none.
StickStatus stick_cycles_part_add(StickContext *ctx, const char *folder, const StickModel *model,
                                  const StickTablesRoom *room, StickBlobs *blocks, StickJson *json,
                                  StickTablesLoss *loss);

// Writes the object "parameters": those of the model that are numbers.
void stick_cycles_part_parameters(const StickModel *model, StickJson *json);

#endif

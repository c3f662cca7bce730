// SPDX-License-Identifier: Apache-2.0
// Tables over time of a run (history/*.csv) as blocks of a page, with fewer rows where they are long.
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "model/model.h"
#include "output/table.h"
#include "report/pack.h"

// What was left out, for people.
typedef struct StickTablesLoss {
    int tables;        // that have fewer rows
    size_t rows, kept; // of all of them
} StickTablesLoss;

// Writes the list "tables" (web/src/report.ts) into the JSON: histories in the order of the model, or by name without
// one (NULL), then energy, momentum and contact. Each has at most so many numbers (0: all). A table that is missing,
// empty or damaged is left out, the last with a warning.
StickStatus stick_tables_add(StickContext *ctx, const char *folder, const StickModel *model, size_t numbers,
                             StickPack *blocks, StickJson *json, StickTablesLoss *loss);

// Chooses at most so many rows (at least 4): the first and the last, and of each of equal stretches those where any
// column is least or largest; with more columns than that allows, where the whole table is. keep has a flag per row;
// returns how many are kept.
size_t stick_tables_thin(const StickColumns *columns, size_t most, bool *keep);

#endif

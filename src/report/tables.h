// SPDX-License-Identifier: Apache-2.0
// Tables over time of a run (history/*.csv) as blocks of a page, with fewer rows where they are long.
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "model/model.h"
#include "output/table.h"
#include "report/blobs.h"

// What was left out, for people.
typedef struct StickTablesLoss {
    int tables;        // that have fewer rows
    size_t rows, kept; // of all of them
    int blunted;       // of these, that have lost the least or largest value of a column
    int unreadable;    // that are left out
} StickTablesLoss;

// Numbers that a table may have (0: all), and what it may have beyond these for the extremes of its columns.
typedef struct StickTablesRoom {
    size_t numbers, extremes;
} StickTablesRoom;

// Chooses at most so many rows; as stick_tables_thin, which see.
typedef size_t (*StickTablesChoose)(const StickColumns *columns, size_t most, bool *keep, bool *blunt);

// A table of any place.
typedef struct StickTablesFile {
    const char *path;
    const char *name, *kind;  // on the page
    StickTablesChoose choose; // NULL: stick_tables_thin
    bool numbered;            // where rows are left out, the page is told the numbers of those that are there
} StickTablesFile;

// Writes the list "tables" (web/src/report.ts) into the JSON: histories in the order of the model, or by name without
// one (NULL), then energy, momentum, contact and events. A table that is missing, empty or damaged is left out, the last
// with a warning. Tables of stability steps are no histories.
StickStatus stick_tables_add(StickContext *ctx, const char *folder, const StickModel *model,
                             const StickTablesRoom *room, StickBlobs *blocks, StickJson *json,
                             StickTablesLoss *loss);

// Writes one table, or null where it is missing, empty or damaged; adds to the loss.
StickStatus stick_tables_add_file(StickContext *ctx, const StickTablesFile *file, const StickTablesRoom *room,
                                  StickBlobs *blocks, StickJson *json, StickTablesLoss *loss);

// Chooses at most so many rows (at least 4): the first and the last, and of each of equal stretches those where any
// column is least or largest; with more columns than that allows, where the whole table is, and those where any column
// is least or largest of all. Where not even these have room, *blunt is set. keep has a flag per row; returns how many
// are kept.
size_t stick_tables_thin(const StickColumns *columns, size_t most, bool *keep, bool *blunt);

#endif

// SPDX-License-Identifier: Apache-2.0
// The stability steps of a run (stability/<step>/) as a page has them: tables, words, shapes of modes.
#ifndef REPORT_STABILITY_PART_H
#define REPORT_STABILITY_PART_H

#include "report/tables.h"

// How much there is room for; 0: all.
typedef struct StickStabilityRoom {
    StickTablesRoom table;
    size_t text;   // bytes of verdicts of a step
    size_t shapes; // bytes of base64 of all shapes
} StickStabilityRoom;

// What was left out, for people.
typedef struct StickStabilityLoss {
    StickTablesLoss tables;
    int shapes, all_shapes; // on the page, and there
    int unreadable_shapes;
    bool cut;              // verdicts
    bool unreadable_words; // likewise
} StickStabilityLoss;

// Writes the list "stability" (web/src/report.ts) into the JSON, steps in the order of the model, then others by name;
// without a model (NULL) there are no shapes. What is missing or damaged is left out, the last with a warning.
StickStatus stick_stability_part_add(StickContext *ctx, const char *folder, const StickModel *model,
                                     const StickStabilityRoom *room, StickBlobs *blocks, StickJson *json,
                                     StickStabilityLoss *loss);

// Chooses at most so many rows of a spectrum: of each status its first modes and those that grow, or at least the one
// that grows most, as many as have room.
// For the arguments see stick_tables_thin.
size_t stick_spectrum_thin(const StickColumns *columns, size_t most, bool *keep, bool *blunt);

#endif

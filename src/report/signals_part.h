// SPDX-License-Identifier: Apache-2.0
// What was made of the signals of a run: spectra, phase portraits, statistics of contact nodes, sounds.
#ifndef REPORT_SIGNALS_PART_H
#define REPORT_SIGNALS_PART_H

#include "model/yaml.h"
#include "report/tables.h"

// How much there is room for; 0: all.
typedef struct StickSignalsRoom {
    StickTablesRoom table;
    size_t samples; // of all sounds
} StickSignalsRoom;

// What was left out, for people.
typedef struct StickSignalsLoss {
    StickTablesLoss tables;
    int cut_sounds;        // that are shorter than their files, or not there at all
    double seconds, heard; // of these, in the files and on the page
    int unreadable_sounds;
} StickSignalsLoss;

// Writes the object "signals" (web/src/report.ts) into the JSON: what the summary (NULL: none) names, in its order. What is
// missing or damaged is null, the last with a warning.
StickStatus stick_signals_part_add(StickContext *ctx, const char *folder, const StickYaml *summary,
                                   const StickSignalsRoom *room, StickBlobs *blocks, StickJson *json,
                                   StickSignalsLoss *loss);

#endif

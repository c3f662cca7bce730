// SPDX-License-Identifier: Apache-2.0
// Tables of a dynamic step that starts with a disturbance: the amplitude of the mode that is followed, and what is
// predicted for it.
#ifndef OUTPUT_GROWTH_TABLE_H
#define OUTPUT_GROWTH_TABLE_H

#include "output/ledger_tables.h"
#include "stability/spectrum.h"

typedef struct StickGrowthRow {
    double t;
    double _Complex a;  // of the mode
    double largest;     // displacement of the whole disturbance
    double speed_ratio; // largest change of a sliding speed over the least sliding speed of the state
    int changed;        // contacts that are not what they were
} StickGrowthRow;

// history/<step>-growth.csv
void stick_growth_book_init(StickBook *book, const StickSystem *system);
void stick_growth_book_fill(StickBook *book, const StickGrowthRow *row);

// stability/<step>/mode.csv, one row; rounding: of the displacements.
void stick_growth_mode_init(StickBook *book, const StickSystem *system);
void stick_growth_mode_fill(StickBook *book, double t, const StickMode *mode, double rounding);

#endif

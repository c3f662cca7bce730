// SPDX-License-Identifier: Apache-2.0
// Tables of a stability step: a row per status of the path, and the eigenvalues of each.
#ifndef OUTPUT_STABILITY_TABLE_H
#define OUTPUT_STABILITY_TABLE_H

#include "output/ledger_tables.h"
#include "stability/conditions.h"
#include "stepping/path_record.h"

// Columns that others look for, by their names in the table.
#define STICK_STABILITY_END "end"
#define STICK_STABILITY_STICKING "sticking"
#define STICK_STABILITY_SLIPPING "slipping"
#define STICK_STABILITY_APART "apart"

#define STICK_SWEEP_VALUE "value" // of the parameter that is varied

// history/<step>.csv; of a step that varies a parameter a row per value, and the value first
void stick_stability_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step);
void stick_stability_book_fill(StickBook *book, const StickPathStatusRecord *status,
                               const StickStability *stability);

// stability/<step>/spectrum.csv: mode k of status number `number`.
void stick_spectrum_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step);
void stick_spectrum_book_fill(StickBook *book, double t, int number, const StickMode *mode);

// stability/<step>/sweep.csv: a mode at a value, with the MAC that led its branch there.
void stick_sweep_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step);
void stick_sweep_book_fill(StickBook *book, double value, int branch, const StickMode *mode, double mac);

typedef enum StickSweepEventKind {
    STICK_SWEEP_FIRST,       // a mode grows at the first value already
    STICK_SWEEP_COALESCENCE, // two modes become a pair, or a pair becomes two modes
    STICK_SWEEP_GROWTH,      // growth of a damped mode passes zero
    STICK_SWEEP_DIVERGENCE,  // Lambda of a mode passes zero
    STICK_SWEEP_CHANGE,      // the status of contacts changes
    STICK_SWEEP_JUMP,        // ... and with it a mode grows, or grows no more
    STICK_SWEEP_UNFOLLOWED, // a mode grows that cannot be followed from or to the other side: it passes the bounds of
                            // what is looked at, or its shape does not tell
} StickSweepEventKind;

// What happens at a value.
typedef struct StickSweepEvent {
    double value;
    double uncertainty; // of the value
    double frequency;
    int branch, partner; // from 1; 0: none
    StickSweepEventKind kind;
    int change;                    // 1 begins, -1 ends
    int growth_change;             // 1: growth begins with it, -1: it ends, 0: neither
    int sticking, slipping, apart; // contacts behind it
} StickSweepEvent;

// stability/<step>/coalescence.csv
void stick_coalescence_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step);
void stick_coalescence_book_fill(StickBook *book, const StickSweepEvent *event);

// Growth of the mode that grows most, or decays least; 0 where nothing grows and nothing damps. mode: NULL if there is
// none.
double stick_stability_growth(const StickStability *stability, const StickMode **mode);

#endif

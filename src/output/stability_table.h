// SPDX-License-Identifier: Apache-2.0
// Tables of a stability step: a row per status of the path, and the eigenvalues of each.
#ifndef OUTPUT_STABILITY_TABLE_H
#define OUTPUT_STABILITY_TABLE_H

#include "drive/path_record.h"
#include "output/books.h"
#include "stability/conditions.h"

// Columns that others look for, by their names in the table.
#define STICK_STABILITY_END "end"
#define STICK_STABILITY_STICKING "sticking"
#define STICK_STABILITY_SLIPPING "slipping"
#define STICK_STABILITY_APART "apart"

// history/<step>.csv
void stick_stability_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step);
void stick_stability_book_fill(StickBook *book, const StickPathStatusRecord *status,
                               const StickStability *stability);

// stability/<step>/spectrum.csv: mode k of status number `number`.
void stick_spectrum_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step);
void stick_spectrum_book_fill(StickBook *book, double t, int number, const StickMode *mode);

// Growth of the mode that grows most, or decays least; 0 where nothing grows and nothing damps. mode: NULL if there is
// none.
double stick_stability_growth(const StickStability *stability, const StickMode **mode);

#endif

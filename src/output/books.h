// SPDX-License-Identifier: Apache-2.0
// Tables that every run writes: the energy ledger, momentum, and the contact solves with their certificates.
#ifndef OUTPUT_BOOKS_H
#define OUTPUT_BOOKS_H

#include "output/units.h"

#include "drive/run.h"

enum { STICK_BOOKS = 3, STICK_BOOK_COLUMNS = 20 };

typedef struct StickBook {
    const char *name; // of the table: "energy", "momentum", "contact"
    int ncolumns;
    char column[STICK_BOOK_COLUMNS][STICK_LABEL_TEXT];
    double row[STICK_BOOK_COLUMNS];
} StickBook;

const char *stick_book_name(int k);

// Names and units of the columns of book k.
void stick_book_init(StickBook *book, int k, const StickSystem *system);

// Fills the row with the present values.
void stick_book_fill(StickBook *book, int k, const StickRun *run);

#endif

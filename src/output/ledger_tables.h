// SPDX-License-Identifier: Apache-2.0
// Tables that every run writes: the energy ledger, momentum, and the contact solves with their certificates.
#ifndef OUTPUT_LEDGER_TABLES_H
#define OUTPUT_LEDGER_TABLES_H

#include "output/units.h"

#include "stepping/simulation.h"

enum {
    STICK_BOOKS = 3,
    STICK_EVENTS = STICK_BOOKS,
    STICK_COLLAPSE,
    STICK_BOOK_NAMES,
    STICK_BOOK_COLUMNS = 24
};

typedef struct StickBook {
    const char *name; // of the table: "energy", "momentum", "contact"
    int ncolumns;
    char column[STICK_BOOK_COLUMNS][STICK_LABEL_TEXT];
    double row[STICK_BOOK_COLUMNS];
} StickBook;

// Also of STICK_EVENTS and STICK_COLLAPSE, which only some models have.
const char *stick_book_name(int k);

// Puts a column at the end, with its unit in the model.
void stick_book_add(StickBook *book, const StickSystem *system, const char *name, StickQuantity quantity);

// Names and units of the columns of book k.
void stick_book_init(StickBook *book, int k, const StickSystem *system);

// Fills the row with the present values.
void stick_book_fill(StickBook *book, int k, const StickSimulation *run);

// The table of events of steps that follow them: whether the model has such steps, its columns, and the row of event k
// of the present state, false past the last.
bool stick_events_wanted(const StickModel *model);
void stick_events_init(StickBook *book, const StickSystem *system);
bool stick_events_fill(StickBook *book, int k, const StickSimulation *run);

#endif

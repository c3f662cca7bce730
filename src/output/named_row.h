// SPDX-License-Identifier: Apache-2.0
// A row of a table whose columns are described once: what each is called, in which unit, and where its number stands in
// what a row is made of.
#ifndef OUTPUT_NAMED_ROW_H
#define OUTPUT_NAMED_ROW_H

#include "output/units.h"

#include <stddef.h>

typedef struct StickNamedColumn {
    const char *name;
    StickQuantity quantity;
    size_t offset; // of a double
} StickNamedColumn;

// All zero at first, but for the units.
typedef struct StickNamedRow {
    const StickUnits *units;
    int count;
    char **name; // with units
    double *value;
    size_t name_capacity, value_capacity;
} StickNamedRow;

void stick_named_row_destroy(StickContext *ctx, StickNamedRow *row);

// Adds columns; what owns them stands before their names ("": nobody).
StickStatus stick_named_row_add(StickContext *ctx, StickNamedRow *row, const char *owner,
                                const StickNamedColumn *column, int count);

// Takes the numbers of columns out of a struct, and tells where those of the next ones go.
double *stick_named_row_take(const StickNamedColumn *column, int count, const void *of, double *value);

// Number of a column by its name without unit; -1: there is none.
int stick_named_row_find(const StickNamedRow *row, const char *name);

#endif

// SPDX-License-Identifier: Apache-2.0
// Histories as CSV: a header line "t [s],contact_force.x [N],...", then one line of numbers per row.
//
// Every row reaches the file at once and whole, so that results can be read while the run goes on; a row that
// did not fit on the disk is taken back. Numbers read back to the same bits (a NaN only as a NaN).
#ifndef OUTPUT_TABLE_H
#define OUTPUT_TABLE_H

#include "base/text.h"

#include <stdint.h>

// ---- writing

typedef struct StickTable StickTable;

// Starts a new file; what was there is lost.
StickStatus stick_table_create(StickContext *ctx, const char *path, const char *const *columns, int ncolumns,
                               StickTable **table);

// Goes on behind a position that stick_table_position gave, dropping what follows it. It is an error if the
// file is shorter than that or its header is another one; the file is then left as it is.
StickStatus stick_table_resume(StickContext *ctx, const char *path, const char *const *columns, int ncolumns,
                               int64_t position, StickTable **table);

// Appends one row of ncolumns values. After an error the table is as before the call.
StickStatus stick_table_row(StickTable *table, const double *values);

// Brings what was written safely to the disk and tells the size of the file.
StickStatus stick_table_position(StickTable *table, int64_t *position);

// Adds the table as it is now, by its name in a result folder, to the files that a checkpoint relies on.
void stick_table_list(const StickTable *table, const char *folder, StickText *manifest);

// Closes and frees, also when it fails. NULL is fine.
StickStatus stick_table_close(StickTable *table);

// ---- reading

typedef struct StickColumns {
    int ncolumns;
    char **name; // with units, as in the header
    size_t nrows;
    double **column; // ncolumns x nrows
} StickColumns;

// Reads a whole table. A last line without its end, which a run may be writing now, is left out with a
// warning.
StickStatus stick_table_read(StickContext *ctx, const char *path, StickColumns *columns);
void stick_columns_destroy(StickContext *ctx, StickColumns *columns);

// Index of a column by its full name, or else by its name without the unit; -1 if there is none.
int stick_columns_find(const StickColumns *columns, const char *name);

// Length of a column's name without its unit: 1 for "t [s]".
size_t stick_column_name_length(const char *name);

#endif

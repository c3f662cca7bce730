// SPDX-License-Identifier: Apache-2.0
#include "output/named_row.h"

#include "base/memory.h"
#include "output/table.h"

#include <stdio.h>
#include <string.h>

void stick_named_row_destroy(StickContext *ctx, StickNamedRow *row)
{
    for (int k = 0; k < row->count; k++)
        stick_free(ctx, row->name[k]);
    stick_free(ctx, row->name);
    stick_free(ctx, row->value);
    *row = (StickNamedRow){0};
}

static StickStatus add_one(StickContext *ctx, StickNamedRow *row, const char *owner,
                           const StickNamedColumn *column)
{
    char name[STICK_LABEL_TEXT / 2], label[STICK_LABEL_TEXT];
    snprintf(name, sizeof name, "%.90s%s", owner, column->name);
    for (char *c = name; *c; c++) // a comma would start the next column
        *c = *c == ',' ? ';' : *c;
    stick_label(row->units, name, column->quantity, label);
    STICK_RESERVE(ctx, row->name, row->name_capacity, (size_t)row->count + 1);
    STICK_RESERVE(ctx, row->value, row->value_capacity, (size_t)row->count + 1);
    char *copy = stick_copy_text(ctx, label);
    if (!copy)
        return STICK_NO_MEMORY;
    row->value[row->count] = 0;
    row->name[row->count++] = copy;
    return STICK_OK;
}

StickStatus stick_named_row_add(StickContext *ctx, StickNamedRow *row, const char *owner,
                                const StickNamedColumn *column, int count)
{
    for (int k = 0; k < count; k++)
        STICK_TRY(add_one(ctx, row, owner, &column[k]));
    return STICK_OK;
}

double *stick_named_row_take(const StickNamedColumn *column, int count, const void *of, double *value)
{
    for (int k = 0; k < count; k++)
        memcpy(value++, (const char *)of + column[k].offset, sizeof *value);
    return value;
}

int stick_named_row_find(const StickNamedRow *row, const char *name)
{
    for (int k = 0; k < row->count; k++) {
        size_t length = stick_column_name_length(row->name[k]);
        if (strlen(name) == length && strncmp(name, row->name[k], length) == 0)
            return k;
    }
    return -1;
}

// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table of results: an error or columns.
#include "fuzz.h"

#include "output/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StickContext *ctx = stick_context_create(NULL);
    StickColumns columns;
    if (stick_table_read(ctx, input_file(data, size), &columns) == STICK_OK)
        stick_columns_destroy(ctx, &columns);
    stick_context_destroy(ctx);
    return 0;
}

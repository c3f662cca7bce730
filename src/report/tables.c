// SPDX-License-Identifier: Apache-2.0
#include "report/tables.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "output/ledger_tables.h"
#include "report/listing.h"

#include <string.h>

// ---- fewer rows

typedef struct Thinning {
    const StickColumns *columns;
    bool whole;  // extremes of the whole table instead of those of each column
    bool pinned; // with those of each column over all rows, which are kept anyway where it is not whole
    bool *keep;  // nrows
} Thinning;

typedef struct Extremes {
    double least, most;
    size_t row_of_least, row_of_most;
    bool any; // a number that is one
} Extremes;

static void see_column(const double *column, size_t first, size_t end, Extremes *seen)
{
    for (size_t row = first; row < end; row++) {
        double value = column[row];
        if (value != value) // NaN
            continue;
        if (!seen->any || value < seen->least)
            seen->least = value, seen->row_of_least = row;
        if (!seen->any || value > seen->most)
            seen->most = value, seen->row_of_most = row;
        seen->any = true;
    }
}

static void keep_extremes(const Thinning *thinning, const Extremes *seen, size_t first)
{
    thinning->keep[seen->any ? seen->row_of_least : first] = true;
    thinning->keep[seen->any ? seen->row_of_most : first] = true;
}

static void keep_stretch(const Thinning *thinning, size_t first, size_t end, bool whole)
{
    const StickColumns *columns = thinning->columns;
    Extremes seen = {0};
    for (int k = 1; k < columns->ncolumns; k++) {
        see_column(columns->column[k], first, end, &seen);
        if (whole)
            continue;
        keep_extremes(thinning, &seen, first);
        seen = (Extremes){0};
    }
    if (whole)
        keep_extremes(thinning, &seen, first);
}

// Keeps what stands out in each of so many stretches; returns how many rows these are.
static size_t keep_rows(const Thinning *thinning, size_t stretches)
{
    size_t nrows = thinning->columns->nrows, kept = 0;
    memset(thinning->keep, 0, nrows * sizeof *thinning->keep);
    thinning->keep[0] = thinning->keep[nrows - 1] = true;
    for (size_t k = 0; k < stretches; k++)
        keep_stretch(thinning, k * nrows / stretches, (k + 1) * nrows / stretches, thinning->whole);
    if (thinning->pinned)
        keep_stretch(thinning, 0, nrows, false);
    for (size_t row = 0; row < nrows; row++)
        kept += thinning->keep[row];
    return kept;
}

size_t stick_tables_thin(const StickColumns *columns, size_t most, bool *keep, bool *blunt)
{
    enum { FEWEST_STRETCHES = 4 };
    Thinning thinning = {.columns = columns, .keep = keep};
    size_t extremes = 2 * (size_t)(columns->ncolumns > 1 ? columns->ncolumns - 1 : 1);
    *blunt = false;
    if (most >= columns->nrows) {
        for (size_t row = 0; row < columns->nrows; row++)
            keep[row] = true;
        return columns->nrows;
    }
    thinning.whole = (most - 2) / extremes < FEWEST_STRETCHES;
    thinning.pinned = thinning.whole;
    *blunt = thinning.pinned && keep_rows(&thinning, 0) > most;
    thinning.pinned = thinning.pinned && !*blunt;
    // extremes of several columns often share a row: the most stretches that fit are found by halving
    size_t fits = thinning.pinned ? 0 : (most - 2) / (thinning.whole ? 2 : extremes), too_many = most;
    while (too_many - fits > 1 + fits / 16) {
        size_t middle = fits + (too_many - fits) / 2;
        *(keep_rows(&thinning, middle) <= most ? &fits : &too_many) = middle;
    }
    return keep_rows(&thinning, fits);
}

// ---- one table

typedef struct Writer {
    StickContext *ctx;
    StickContext *quiet; // what the reader of tables says is heard as a warning only
    const char *folder;
    const StickTablesRoom *room;
    StickBlobs *blocks;
    StickJson *json;
    StickTablesLoss *loss;
} Writer;

typedef struct Table {
    const StickTablesFile *file;
    bool exact; // its last column is a reference curve
    StickColumns columns;
    bool *keep; // rows
    size_t kept;
    double *values; // ncolumns x kept
    int block;      // -1: it is not on the page
    int numbers;    // block of the numbers of its rows, or -1
} Table;

// "force.3 [N]": name and unit apart
static StickStatus add_column(const Writer *writer, const char *label)
{
    char *name = stick_copy_text(writer->ctx, label);
    if (!name)
        return STICK_NO_MEMORY;
    size_t whole = strlen(name), length = stick_column_name_length(name);
    bool has_unit = length + 3 <= whole && name[whole - 1] == ']';
    if (has_unit)
        name[length] = name[whole - 1] = '\0';
    stick_json_object(writer->json);
    stick_json_key(writer->json, "name");
    stick_json_text(writer->json, name);
    stick_json_key(writer->json, "unit");
    stick_json_text(writer->json, has_unit ? name + length + 2 : "");
    stick_json_end_object(writer->json);
    stick_free(writer->ctx, name);
    return STICK_OK;
}

static StickStatus add_json(const Writer *writer, const Table *table)
{
    StickJson *json = writer->json;
    stick_json_object(json);
    stick_json_key(json, "name");
    stick_json_text(json, table->file->name);
    stick_json_key(json, "kind");
    stick_json_text(json, table->file->kind);
    stick_json_key(json, "columns");
    stick_json_list(json);
    for (int k = 0; k < table->columns.ncolumns; k++)
        STICK_TRY(add_column(writer, table->columns.name[k]));
    stick_json_end_list(json);
    stick_json_key(json, "rows");
    stick_json_integer(json, (long long)table->columns.nrows);
    stick_json_key(json, "kept");
    stick_json_integer(json, (long long)table->kept);
    stick_json_key(json, "data");
    stick_blobs_json(json, writer->blocks, table->block);
    if (table->numbers >= 0) {
        stick_json_key(json, "numbers");
        stick_blobs_json(json, writer->blocks, table->numbers);
    }
    stick_json_key(json, "exact");
    stick_json_integer(json, table->exact ? table->columns.ncolumns - 1 : -1);
    stick_json_end_object(json);
    return STICK_OK;
}

// Rows that there is room for. A narrow table has some more for the extremes of its columns.
static size_t most_rows(const Writer *writer, const StickColumns *columns)
{
    enum { LEAST = 4 };
    size_t ncolumns = (size_t)columns->ncolumns;
    if (writer->room->numbers == 0)
        return columns->nrows;
    size_t rows = writer->room->numbers / ncolumns, more = writer->room->extremes / ncolumns;
    if (rows < 2 * ncolumns && more >= 2 * ncolumns)
        rows = 2 * ncolumns;
    return rows < LEAST ? LEAST : rows;
}

static StickStatus choose_rows(const Writer *writer, Table *table)
{
    const StickColumns *columns = &table->columns;
    StickTablesChoose choose = table->file->choose ? table->file->choose : stick_tables_thin;
    bool blunt;
    STICK_ALLOC(writer->ctx, table->keep, columns->nrows);
    table->kept = choose(columns, most_rows(writer, columns), table->keep, &blunt);
    if (table->kept < columns->nrows) {
        writer->loss->tables++;
        writer->loss->rows += columns->nrows;
        writer->loss->kept += table->kept;
        writer->loss->blunted += blunt;
    }
    return STICK_OK;
}

// Which rows these are, from 0.
static StickStatus pack_numbers(const Writer *writer, Table *table)
{
    uint32_t *numbers;
    size_t count = 0;
    if (!table->file->numbered || table->kept == table->columns.nrows)
        return STICK_OK;
    STICK_ALLOC(writer->ctx, numbers, table->kept);
    for (size_t row = 0; row < table->columns.nrows; row++)
        if (table->keep[row])
            numbers[count++] = (uint32_t)row;
    StickStatus status = stick_blobs_add(writer->blocks, STICK_BLOB_UINT32, numbers, count, &table->numbers);
    stick_free(writer->ctx, numbers);
    return status;
}

static StickStatus pack(const Writer *writer, Table *table)
{
    const StickColumns *columns = &table->columns;
    STICK_TRY(choose_rows(writer, table));
    size_t count = table->kept * (size_t)columns->ncolumns;
    STICK_ALLOC(writer->ctx, table->values, count);
    double *value = table->values;
    for (int k = 0; k < columns->ncolumns; k++)
        for (size_t row = 0; row < columns->nrows; row++)
            if (table->keep[row])
                *value++ = columns->column[k][row];
    STICK_TRY(stick_blobs_add(writer->blocks, STICK_BLOB_FLOAT64, table->values, count, &table->block));
    return pack_numbers(writer, table);
}

static StickStatus pack_and_add(const Writer *writer, Table *table)
{
    // the column of a reference curve is the last one and known by its name
    const StickColumns *columns = &table->columns;
    int exact = strcmp(table->file->kind, "history") == 0 ? stick_columns_find(columns, "exact") : -1;
    table->exact = columns->ncolumns > 2 && exact == columns->ncolumns - 1;
    StickStatus status = pack(writer, table);
    if (status == STICK_OK)
        status = add_json(writer, table);
    stick_free(writer->ctx, table->keep);
    stick_free(writer->ctx, table->values);
    return status;
}

// Its block stays -1 where it is not on the page.
static StickStatus add_file(const Writer *writer, Table *table)
{
    if (!stick_file_exists(table->file->path))
        return STICK_OK;
    StickStatus status = stick_table_read(writer->quiet, table->file->path, &table->columns);
    if (status == STICK_NO_MEMORY)
        return status;
    if (status != STICK_OK) {
        writer->loss->unreadable++;
        stick_diagnostic_filter_warn(writer->quiet, writer->ctx, "a table is left out");
        return STICK_OK;
    }
    if (table->columns.nrows > 0)
        status = pack_and_add(writer, table);
    stick_columns_destroy(writer->quiet, &table->columns);
    return status;
}

static StickStatus add_table(const Writer *writer, const char *name, const char *kind)
{
    StickText path;
    stick_text_init(&path, writer->ctx);
    stick_text_add(&path, "%s/history/%s.csv", writer->folder, name);
    StickStatus status = stick_text_status(&path);
    StickTablesFile file = {.path = path.bytes, .name = name, .kind = kind};
    Table table = {.file = &file, .block = -1, .numbers = -1};
    if (status == STICK_OK)
        status = add_file(writer, &table);
    stick_text_destroy(&path);
    return status;
}

StickStatus stick_tables_add_file(StickContext *ctx, const StickTablesFile *file, const StickTablesRoom *room,
                                  StickBlobs *blocks, StickJson *json, StickTablesLoss *loss)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    Writer writer = {ctx, quiet, NULL, room, blocks, json, loss};
    Table table = {.file = file, .block = -1, .numbers = -1};
    StickStatus status = add_file(&writer, &table);
    if (status == STICK_OK && table.block < 0)
        stick_json_text(json, NULL);
    stick_context_destroy(quiet);
    return status;
}

// ---- all tables

static bool is_book(const char *name)
{
    for (int k = 0; k < STICK_BOOK_NAMES; k++)
        if (strcmp(name, stick_book_name(k)) == 0)
            return true;
    return false;
}

// Whether it is the table of a stability step, or of a step that follows a disturbance: these are shown with the rest of it.
static StickStatus look_for_step(const Writer *writer, const char *name, bool *found)
{
    static const char ending[] = "-growth";
    size_t length = strlen(name), behind = sizeof ending - 1;
    bool grows = length > behind && strcmp(name + length - behind, ending) == 0;
    StickText path;
    stick_text_init(&path, writer->ctx);
    stick_text_add(&path, "%s/stability/%.*s", writer->folder, (int)(grows ? length - behind : length), name);
    StickStatus status = stick_text_status(&path);
    *found = status == STICK_OK && stick_folder_exists(path.bytes);
    stick_text_destroy(&path);
    return status;
}

static StickStatus add_unknown(const Writer *writer, const char *name)
{
    bool of_step;
    STICK_TRY(look_for_step(writer, name, &of_step));
    return of_step || is_book(name) ? STICK_OK : add_table(writer, name, "history");
}

static StickStatus add_listed(const Writer *writer)
{
    StickListing listing;
    char *folder = stick_path_join(writer->ctx, writer->folder, "history");
    StickStatus status = folder ? stick_listing_read(writer->ctx, folder, ".csv", &listing) : STICK_NO_MEMORY;
    stick_free(writer->ctx, folder);
    STICK_TRY(status);
    for (int k = 0; k < listing.count && status == STICK_OK; k++)
        status = add_unknown(writer, listing.name[k]);
    stick_listing_destroy(writer->ctx, &listing);
    return status;
}

static StickStatus add_all(const Writer *writer, const StickModel *model)
{
    stick_json_list(writer->json);
    // portraits are shown as such, and not over time
    for (int k = 0; model && k < model->output.nhistories; k++)
        if (!model->output.history[k].portrait)
            STICK_TRY(add_table(writer, model->output.history[k].name, "history"));
    if (!model)
        STICK_TRY(add_listed(writer));
    for (int k = 0; k < STICK_BOOK_NAMES; k++)
        STICK_TRY(add_table(writer, stick_book_name(k), stick_book_name(k)));
    stick_json_end_list(writer->json);
    return STICK_OK;
}

StickStatus stick_tables_add(StickContext *ctx, const char *folder, const StickModel *model,
                             const StickTablesRoom *room, StickBlobs *blocks, StickJson *json,
                             StickTablesLoss *loss)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    *loss = (StickTablesLoss){0};
    Writer writer = {ctx, quiet, folder, room, blocks, json, loss};
    StickStatus status = add_all(&writer, model);
    stick_context_destroy(quiet);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "problems/numerics_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DENSE = 0, BLOCKS = 1, SPARSE = 2 };
enum { TRIPLET = 1, BY_COLUMNS = 2, BY_ROWS = 3, HALF_TRIPLET = 4 };

static StickStatus add(StickTextReader *reader, StickTriplets *T, int row, int col, double value)
{
    return value == 0 ? STICK_OK : stick_triplets_add(reader->ctx, T, row, col, value);
}

// The values of rows x cols entries by columns, the first one at (row, col).
static StickStatus read_values(StickTextReader *reader, int row, int rows, int col, int cols,
                               StickTriplets *T)
{
    for (int j = col; j < col + cols; j++) {
        for (int i = row; i < row + rows; i++) {
            double value;
            STICK_TRY(stick_reader_number(reader, "an entry of a matrix", &value));
            STICK_TRY(add(reader, T, i, j, value));
        }
    }
    return STICK_OK;
}

// A dense matrix repeats its sizes after those that every storage has.
static StickStatus read_sizes_again(StickTextReader *reader, const StickTriplets *T)
{
    StickTextReader begin = *reader;
    int rows, cols;
    bool read = stick_reader_int(reader, "the rows again", &rows) == STICK_OK &&
                stick_reader_int(reader, "the columns again", &cols) == STICK_OK;
    if (read && rows == T->rows && cols == T->cols)
        return STICK_OK;
    char word[STICK_READER_WORD];
    *reader = begin;
    STICK_TRY(stick_reader_word(reader, "the sizes of a dense matrix once more", word));
    return stick_reader_fail(
        reader,
        "a dense matrix has its sizes twice, '0 %d %d' and then '%d %d': the second pair is missing here",
        T->rows, T->cols, T->rows, T->cols);
}

static StickStatus read_dense(StickTextReader *reader, StickTriplets *T)
{
    int rows = T->rows, cols = T->cols;
    STICK_TRY(read_sizes_again(reader, T));
    if (!stick_reader_can_hold(reader, (double)rows * (double)cols))
        return stick_reader_fail(reader, "the rest of the file cannot hold %d by %d values", rows, cols);
    return read_values(reader, 0, rows, 0, cols, T);
}

// ---- by blocks

// Where the blocks are: block k of block row i, start[i] <= k < start[i + 1], is in block column col[k].
typedef struct Index {
    int rows, cols, count; // block rows, block columns, blocks
    int *row_end;          // rows: sizes summed up
    int *col_end;          // cols
    int *start;            // rows + 1
    int *col;              // count
} Index;

static void destroy_index(StickContext *ctx, Index *index)
{
    stick_free(ctx, index->row_end);
    stick_free(ctx, index->col_end);
    stick_free(ctx, index->start);
    stick_free(ctx, index->col);
}

// Sizes of block rows or columns, summed up: they ascend to the size of the matrix.
static StickStatus read_ends(StickTextReader *reader, int count, int size, int *end)
{
    for (int k = 0, before = 0; k < count; before = end[k++]) {
        STICK_TRY(stick_reader_int(reader, "a summed block size", &end[k]));
        if (end[k] <= before || end[k] > size)
            return stick_reader_fail(reader, "the summed block size %d does not follow %d within %d", end[k],
                                     before, size);
    }
    if ((count > 0 ? end[count - 1] : 0) != size)
        return stick_reader_fail(reader, "the block sizes do not sum up to %d", size);
    return STICK_OK;
}

// Rows after the last listed one are empty.
static StickStatus read_starts(StickTextReader *reader, int filled, Index *index)
{
    for (int k = 0, before = 0; k < filled; before = index->start[k++]) {
        int *start = &index->start[k];
        STICK_TRY(stick_reader_int(reader, "the start of a block row", start));
        if (*start < before || *start > index->count || (k == 0 && *start != 0))
            return stick_reader_fail(reader, "block row %d cannot start at %d of %d blocks", k, *start,
                                     index->count);
    }
    for (int k = filled; k <= index->rows; k++)
        index->start[k] = index->start[filled - 1];
    if (index->start[index->rows] != index->count)
        return stick_reader_fail(reader, "the block rows hold %d blocks of %d", index->start[index->rows],
                                 index->count);
    return STICK_OK;
}

static StickStatus read_block_columns(StickTextReader *reader, Index *index)
{
    for (int k = 0; k < index->count; k++) {
        STICK_TRY(stick_reader_int(reader, "a block column", &index->col[k]));
        if (index->col[k] < 0 || index->col[k] >= index->cols)
            return stick_reader_fail(reader, "block column %d is not in 0 ... %d", index->col[k],
                                     index->cols - 1);
    }
    return STICK_OK;
}

static StickStatus read_index(StickTextReader *reader, const StickTriplets *T, Index *index)
{
    int filled, blocks;
    STICK_TRY(stick_reader_count(reader, "the number of block rows", &index->rows));
    STICK_TRY(stick_reader_count(reader, "the number of block columns", &index->cols));
    STICK_ALLOC(reader->ctx, index->row_end, index->rows);
    STICK_ALLOC(reader->ctx, index->col_end, index->cols);
    STICK_ALLOC(reader->ctx, index->start, (size_t)index->rows + 1);
    STICK_ALLOC(reader->ctx, index->col, index->count);
    STICK_TRY(read_ends(reader, index->rows, T->rows, index->row_end));
    STICK_TRY(read_ends(reader, index->cols, T->cols, index->col_end));
    STICK_TRY(stick_reader_int(reader, "the number of row starts", &filled));
    if (filled < 1 || filled > index->rows + 1)
        return stick_reader_fail(reader, "%d row starts do not fit %d block rows", filled, index->rows);
    STICK_TRY(stick_reader_int(reader, "the number of blocks", &blocks));
    if (blocks != index->count)
        return stick_reader_fail(reader, "there are %d blocks here and %d before", blocks, index->count);
    STICK_TRY(read_starts(reader, filled, index));
    return read_block_columns(reader, index);
}

static StickStatus read_block(StickTextReader *reader, const Index *index, int i, int k, StickTriplets *T)
{
    int number, j = index->col[k];
    int row = i > 0 ? index->row_end[i - 1] : 0, col = j > 0 ? index->col_end[j - 1] : 0;
    STICK_TRY(stick_reader_int(reader, "the number of a block", &number));
    if (number != k)
        return stick_reader_fail(reader, "found block %d where block %d was expected", number, k);
    return read_values(reader, row, index->row_end[i] - row, col, index->col_end[j] - col, T);
}

static StickStatus read_blocks(StickTextReader *reader, StickTriplets *T)
{
    Index index = {0};
    STICK_TRY(stick_reader_count(reader, "the number of blocks", &index.count));
    if (index.count == 0)
        return STICK_OK;
    StickStatus status = read_index(reader, T, &index);
    for (int i = 0; i < index.rows && status == STICK_OK; i++)
        for (int k = index.start[i]; k < index.start[i + 1] && status == STICK_OK; k++)
            status = read_block(reader, &index, i, k, T);
    destroy_index(reader->ctx, &index);
    return status;
}

// ---- as CSparse prints it: indices too are printed as numbers with six digits

enum { MOST_PRINTED = 999999 };

static StickStatus read_place(StickTextReader *reader, const char *what, int size, int *place)
{
    double value;
    STICK_TRY(stick_reader_number(reader, what, &value));
    if (!(value >= 0 && value < size && value == floor(value)))
        return stick_reader_fail(reader, "%g is not %s in 0 ... %d", value, what, size - 1);
    *place = (int)value;
    return STICK_OK;
}

// Behind the banner: "triplet: M-by-N, nzmax: X nnz: Y", with "csr:" or nothing in front of the others.
static StickStatus read_header(StickTextReader *reader, int origin, const StickTriplets *T, int *entries)
{
    static const char *const begin[] = {"", "triplet:", "", "csr:", "triplet:"};
    char line[256];
    double rows, cols, nnz;
    stick_reader_line(reader, sizeof line, line); // the end of the line of origin
    stick_reader_line(reader, sizeof line, line);
    if (strncmp(line, "CSparse", 7) != 0)
        return stick_reader_fail(reader, "a sparse matrix should begin with the banner of CSparse");
    stick_reader_line(reader, sizeof line, line);
    size_t length = strlen(begin[origin]);
    if (strncmp(line, begin[origin], length) != 0 ||
        sscanf(line + length, "%lf-by-%lf, nzmax: %*f nnz: %lf", &rows, &cols, &nnz) != 3)
        return stick_reader_fail(reader, "'%.60s' is not the header '%s M-by-N, nzmax: X nnz: Y'", line,
                                 begin[origin]);
    if (rows != T->rows || cols != T->cols)
        return stick_reader_fail(reader, "a sparse matrix is %g by %g here and %d by %d before", rows, cols,
                                 T->rows, T->cols);
    if (!(nnz <= MOST_PRINTED && nnz == floor(nnz) && stick_reader_can_hold(reader, 3 * nnz)))
        return stick_reader_fail(reader, "%g entries are more than the rest of the file can hold", nnz);
    *entries = (int)nnz;
    return STICK_OK;
}

static StickStatus read_entry(StickTextReader *reader, double *value)
{
    STICK_TRY(stick_reader_expect(reader, ":"));
    return stick_reader_number(reader, "an entry of a matrix", value);
}

static StickStatus read_triplets(StickTextReader *reader, int entries, bool half, StickTriplets *T)
{
    for (int k = 0; k < entries; k++) {
        int row, col;
        double value;
        STICK_TRY(read_place(reader, "a row", T->rows, &row));
        STICK_TRY(read_place(reader, "a column", T->cols, &col));
        STICK_TRY(read_entry(reader, &value));
        STICK_TRY(add(reader, T, row, col, value));
        if (half && row != col)
            STICK_TRY(add(reader, T, col, row, value));
    }
    return STICK_OK;
}

// "col j : locations a to b", or "row"
static StickStatus read_line_header(StickTextReader *reader, const char *line, int size, int expected)
{
    int number;
    double unused;
    STICK_TRY(stick_reader_expect(reader, line));
    STICK_TRY(read_place(reader, line, size, &number));
    if (number != expected)
        return stick_reader_fail(reader, "found %s %d where %s %d was expected", line, number, line,
                                 expected);
    STICK_TRY(stick_reader_expect(reader, ":"));
    STICK_TRY(stick_reader_expect(reader, "locations"));
    STICK_TRY(stick_reader_number(reader, "the first location", &unused));
    STICK_TRY(stick_reader_expect(reader, "to"));
    return stick_reader_number(reader, "the last location", &unused);
}

static bool at_word(const StickTextReader *reader, const char *word)
{
    StickTextReader ahead = *reader;
    return stick_reader_expect(&ahead, word) == STICK_OK;
}

// In large matrices the printed locations have lost digits: the end of a column follows from the entries.
static StickStatus read_compressed(StickTextReader *reader, int entries, bool by_rows, StickTriplets *T)
{
    const char *line = by_rows ? "row" : "col", *across = by_rows ? "a column" : "a row";
    int lines = by_rows ? T->rows : T->cols, size = by_rows ? T->cols : T->rows, count = 0;
    for (int j = 0; j < lines; j++) {
        STICK_TRY(read_line_header(reader, line, lines, j));
        for (; count < entries && !at_word(reader, line); count++) {
            int i;
            double value;
            STICK_TRY(read_place(reader, across, size, &i));
            STICK_TRY(read_entry(reader, &value));
            STICK_TRY(add(reader, T, by_rows ? j : i, by_rows ? i : j, value));
        }
    }
    if (count != entries)
        return stick_reader_fail(reader, "there are %d entries of %d", count, entries);
    return STICK_OK;
}

static StickStatus read_sparse(StickTextReader *reader, StickTriplets *T)
{
    int origin, entries;
    STICK_TRY(stick_reader_int(reader, "the form of a sparse matrix", &origin));
    if (origin < TRIPLET || origin > HALF_TRIPLET)
        return stick_reader_fail(reader, "%d is not a form of a sparse matrix: use 1, 2, 3 or 4", origin);
    if (origin == HALF_TRIPLET && T->rows != T->cols)
        return stick_reader_fail(reader, "half of a matrix of %d by %d", T->rows, T->cols);
    STICK_TRY(read_header(reader, origin, T, &entries));
    if (origin == BY_COLUMNS || origin == BY_ROWS)
        return read_compressed(reader, entries, origin == BY_ROWS, T);
    return read_triplets(reader, entries, origin == HALF_TRIPLET, T);
}

// ---- any

static StickStatus read_any(StickTextReader *reader, const char *name, StickTriplets *T)
{
    int storage;
    char what[STICK_READER_WORD];
    snprintf(what, sizeof what, "the storage of %.20s", name);
    STICK_TRY(stick_reader_int(reader, what, &storage));
    if (storage < DENSE || storage > SPARSE)
        return stick_reader_fail(reader, "%d is not %s: 0 (dense), 1 (blocks) or 2 (sparse)", storage, what);
    snprintf(what, sizeof what, "the rows of %.20s", name);
    STICK_TRY(stick_reader_count(reader, what, &T->rows));
    snprintf(what, sizeof what, "the columns of %.20s", name);
    STICK_TRY(stick_reader_count(reader, what, &T->cols));
    if (storage == DENSE)
        return read_dense(reader, T);
    return storage == BLOCKS ? read_blocks(reader, T) : read_sparse(reader, T);
}

StickStatus stick_numerics_matrix_read(StickTextReader *reader, const char *name, StickSparse *A)
{
    StickTriplets T = {0};
    StickStatus status = read_any(reader, name, &T);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(reader->ctx, &T, A);
    stick_triplets_destroy(reader->ctx, &T);
    return status;
}

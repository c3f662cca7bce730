// SPDX-License-Identifier: Apache-2.0
#include "problems/dat.h"

#include "base/text.h"
#include "problems/blocks.h"
#include "problems/mlcp_text.h"
#include "problems/numerics_matrix.h"

#include <stdio.h>

// Beyond this a dense matrix takes gigabytes.
enum { MOST_LCP = 20000 };

static StickStatus check_size(StickTextReader *reader, const char *name, const StickSparse *A, int rows,
                              int cols)
{
    if (A->rows == rows && A->cols == cols)
        return STICK_OK;
    return stick_reader_fail(reader, "%s is %d by %d instead of %d by %d", name, A->rows, A->cols, rows,
                             cols);
}

static StickStatus read_vector(StickTextReader *reader, const char *name, int count, double **values)
{
    if (!stick_reader_can_hold(reader, count))
        return stick_reader_fail(reader, "the file ends within %s[%d]", name, count);
    STICK_ALLOC(reader->ctx, *values, count);
    return stick_reader_numbers(reader, name, count, *values);
}

static StickStatus read_mu(StickTextReader *reader, int count, double **mu)
{
    STICK_TRY(read_vector(reader, "mu", count, mu));
    for (int c = 0; c < count; c++)
        if ((*mu)[c] < 0)
            return stick_reader_fail(reader, "mu[%d] = %g is negative", c, (*mu)[c]);
    return STICK_OK;
}

// ---- lcp

static StickStatus make_dense(StickTextReader *reader, const StickSparse *A, double **M)
{
    STICK_ALLOC(reader->ctx, *M, (size_t)A->rows * (size_t)A->cols);
    for (int j = 0; j < A->cols; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            (*M)[(size_t)j * (size_t)A->rows + (size_t)A->row[k]] = A->value[k];
    return STICK_OK;
}

static StickStatus read_lcp(StickTextReader *reader, StickProblemFile *file)
{
    StickLcpData *lcp = &file->lcp;
    StickSparse M;
    STICK_TRY(stick_reader_count(reader, "the order n", &lcp->n));
    STICK_TRY(stick_numerics_matrix_read(reader, "M", &M));
    StickStatus status = check_size(reader, "M", &M, lcp->n, lcp->n);
    if (status == STICK_OK && lcp->n > MOST_LCP)
        status = stick_reader_fail(reader, "an LCP of order %d is more than %d", lcp->n, MOST_LCP);
    if (status == STICK_OK)
        status = read_vector(reader, "q", lcp->n, &lcp->q);
    if (status == STICK_OK)
        status = make_dense(reader, &M, &lcp->M);
    stick_sparse_destroy(reader->ctx, &M);
    return status;
}

// ---- friction

static StickStatus read_sizes(StickTextReader *reader, int *dim, int *ncontacts)
{
    STICK_TRY(stick_reader_int(reader, "the dimension", dim));
    if (*dim == 5)
        return stick_reader_fail(reader, "dimension 5 is rolling friction, which is not supported");
    if (*dim != 2 && *dim != 3)
        return stick_reader_fail(reader, "the dimension is %d instead of 2 or 3", *dim);
    STICK_TRY(stick_reader_count(reader, "the number of contacts", ncontacts));
    if (!stick_reader_can_hold(reader, (double)*dim * *ncontacts))
        return stick_reader_fail(reader, "%d contacts are more than the file can hold", *ncontacts);
    return STICK_OK;
}

static StickStatus read_friction(StickTextReader *reader, StickProblemFile *file)
{
    StickFrictionData *data = &file->friction;
    StickSparse W;
    STICK_TRY(read_sizes(reader, &data->dim, &data->ncontacts));
    int n = data->dim * data->ncontacts;
    STICK_TRY(stick_numerics_matrix_read(reader, "W", &W));
    StickStatus status = check_size(reader, "W", &W, n, n);
    if (status == STICK_OK)
        status = stick_blocks_from_sparse(reader->ctx, &W, data->dim, &data->W);
    stick_sparse_destroy(reader->ctx, &W);
    STICK_TRY(status);
    STICK_TRY(read_vector(reader, "u_free", n, &data->u_free));
    return read_mu(reader, data->ncontacts, &data->mu);
}

// ---- global

static StickStatus read_global(StickTextReader *reader, StickProblemFile *file)
{
    StickGlobalData *data = &file->global;
    STICK_TRY(read_sizes(reader, &data->dim, &data->ncontacts));
    int m = data->dim * data->ncontacts;
    STICK_TRY(stick_numerics_matrix_read(reader, "M", &data->M));
    int n = data->M.rows;
    STICK_TRY(check_size(reader, "M", &data->M, n, n));
    STICK_TRY(stick_numerics_matrix_read(reader, "H", &data->H));
    STICK_TRY(check_size(reader, "H", &data->H, n, m));
    STICK_TRY(read_vector(reader, "f", n, &data->f));
    STICK_TRY(read_vector(reader, "w", m, &data->w));
    return read_mu(reader, data->ncontacts, &data->mu);
}

// ---- which one

typedef struct Layout {
    StickProblemKind kind;
    StickStatus (*read)(StickTextReader *reader, StickProblemFile *file);
} Layout;

static const Layout layouts[] = {
    {STICK_PROBLEM_LCP, read_lcp},
    {STICK_PROBLEM_FRICTION, read_friction},
    {STICK_PROBLEM_GLOBAL, read_global},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static void clear(StickProblemFile *file)
{
    stick_lcp_data_destroy(file->ctx, &file->lcp);
    stick_friction_data_destroy(file->ctx, &file->friction);
    stick_global_data_destroy(file->ctx, &file->global);
}

// How a layout fits.
typedef struct Trial {
    StickTextReader reader;
    StickStatus status;
    size_t numbers_left;
    const char *longer; // the longer layout that begins in the same way, if the remaining numbers show it
} Trial;

// Writers of friction problems may end with a switch, 0 or 1.
static bool ends_with_switch(const Trial *trial)
{
    StickTextReader ahead = trial->reader;
    char word[STICK_READER_WORD];
    return trial->numbers_left == 1 && stick_reader_word(&ahead, "a switch", word) == STICK_OK &&
           (stick_text_equal(word, "0") || stick_text_equal(word, "1"));
}

// The unsupported layout that extends one of ours by 2 n or nc numbers.
static const char *longer_layout(StickProblemKind kind, size_t left, const StickProblemFile *file)
{
    if (kind == STICK_PROBLEM_LCP && left == 2 * (size_t)file->lcp.n)
        return "a relay or box problem";
    if (kind == STICK_PROBLEM_FRICTION && file->friction.dim == 3 && left == (size_t)file->friction.ncontacts)
        return "rolling friction in the plane";
    return NULL;
}

static Trial try_layout(const StickTextReader *reader, const Layout *layout, StickProblemFile *file)
{
    Trial trial = {.reader = *reader};
    trial.status = layout->read(&trial.reader, file);
    if (trial.status != STICK_OK)
        return trial;
    trial.numbers_left = stick_reader_numbers_left(&trial.reader);
    if (layout->kind != STICK_PROBLEM_LCP && ends_with_switch(&trial))
        trial.numbers_left = 0;
    if (trial.numbers_left > 0)
        trial.longer = longer_layout(layout->kind, trial.numbers_left, file);
    return trial;
}

// isStorageType1 isStorageType2 n m: two switches where ours have a size
static bool begins_as_mlcp(const StickTextReader *reader)
{
    StickTextReader ahead = *reader;
    int first, second, n, m;
    return stick_reader_int(&ahead, "", &first) == STICK_OK &&
           stick_reader_int(&ahead, "", &second) == STICK_OK &&
           stick_reader_int(&ahead, "", &n) == STICK_OK && stick_reader_int(&ahead, "", &m) == STICK_OK &&
           (first == 0 || first == 1) && (second == 0 || second == 1) && first + second > 0 && n >= 0 &&
           m >= 0;
}

static StickStatus fail_none(const StickTextReader *reader, const Trial trial[LAYOUTS])
{
    char text[LAYOUTS][STICK_READER_ERROR + 64];
    StickMark mark = {reader->file, 0, 0};
    if (begins_as_mlcp(reader))
        return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark,
                             "it is a mixed complementarity problem (MLCP), which is not supported");
    for (int k = 0; k < LAYOUTS; k++) {
        StickMark place = stick_reader_mark(&trial[k].reader);
        snprintf(text[k], sizeof text[k], "%d:%d: %s", place.line, place.column, trial[k].reader.error);
    }
    return stick_fail_at(
        reader->ctx, STICK_BAD_INPUT, mark,
        "the file contains no known type of problem: as lcp, %s; as friction, %s; as global, %s", text[0],
        text[1], text[2]);
}

// Numbers after the only problem that fits the beginning of the file: another layout (an error), or data to ignore.
static StickStatus judge_left(const StickTextReader *reader, const Trial *trial, StickProblemKind kind)
{
    StickMark mark = {reader->file, 0, 0};
    if (trial->longer)
        return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark,
                             "%zu numbers after a problem of type %s: it is %s, which is not supported",
                             trial->numbers_left, stick_problem_kind_name(kind), trial->longer);
    stick_warn_at(reader->ctx, mark, "%zu numbers after a problem of type %s are ignored",
                  trial->numbers_left, stick_problem_kind_name(kind));
    return STICK_OK;
}

static StickStatus fail_many(const StickTextReader *reader, const bool fits[LAYOUTS])
{
    StickMark mark = {reader->file, 0, 0};
    return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark,
                         "the file matches more than one format:%s%s%s; specify one", fits[0] ? " lcp" : "",
                         fits[1] ? " friction" : "", fits[2] ? " global" : "");
}

// The only layout that fits to the end of the numbers, or else the only one that the file begins with.
static StickStatus choose(const StickTextReader *reader, StickProblemFile *file, int *chosen)
{
    Trial trial[LAYOUTS];
    bool begins[LAYOUTS], whole[LAYOUTS];
    int nbegin = 0, nwhole = 0, last_begin = 0, last_whole = 0;
    for (int k = 0; k < LAYOUTS; k++) {
        trial[k] = try_layout(reader, &layouts[k], file);
        clear(file);
        if (trial[k].status == STICK_NO_MEMORY)
            return STICK_NO_MEMORY;
        begins[k] = trial[k].status == STICK_OK;
        whole[k] = begins[k] && trial[k].numbers_left == 0;
        nbegin += begins[k];
        nwhole += whole[k];
        last_begin = begins[k] ? k : last_begin;
        last_whole = whole[k] ? k : last_whole;
    }
    if (nbegin == 0)
        return fail_none(reader, trial);
    if (nwhole > 1 || (nwhole == 0 && nbegin > 1))
        return fail_many(reader, nwhole > 1 ? whole : begins);
    if (nwhole == 0)
        STICK_TRY(judge_left(reader, &trial[last_begin], layouts[last_begin].kind));
    *chosen = nwhole == 1 ? last_whole : last_begin;
    return STICK_OK;
}

StickStatus stick_dat_read(const char *path, const char *bytes, size_t count, StickProblemKind as,
                           StickProblemFile *file)
{
    StickTextReader reader = {.ctx = file->ctx, .file = path, .bytes = bytes, .count = count};
    int chosen = (int)as - 1;
    if (as == STICK_PROBLEM_MATES || (as == STICK_PROBLEM_AUTO && stick_mlcp_text_begins(&reader))) {
        StickStatus status = stick_mlcp_text_read(&reader, file);
        file->kind = STICK_PROBLEM_MATES;
        return status == STICK_BAD_INPUT ? stick_reader_say(&reader) : status;
    }
    if (as == STICK_PROBLEM_AUTO)
        STICK_TRY(choose(&reader, file, &chosen));
    StickStatus status = layouts[chosen].read(&reader, file);
    if (status == STICK_BAD_INPUT)
        return stick_reader_say(&reader);
    file->kind = layouts[chosen].kind;
    return status;
}

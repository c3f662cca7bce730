// SPDX-License-Identifier: Apache-2.0
#include "problems/fclib.h"

#include "base/memory.h"
#include "problems/blocks.h"
#include "problems/fclib_bodies.h"
#include "problems/hdf5_source.h"
#include "problems/mixed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>

enum { MOST_GUESSES = 10000, MOST_LCP = 20000 };

static StickStatus read_dimension(const StickHdf5Source *source, const char *name, int *dim)
{
    STICK_TRY(stick_hdf5_int(source, name, dim));
    STICK_CHECK(source->ctx, *dim == 2 || *dim == 3, STICK_BAD_INPUT, "'%s': %s = %d is neither 2 nor 3",
                source->path, name, *dim);
    return STICK_OK;
}

// The number of contacts is that of the coefficients of friction.
static StickStatus read_mu(const StickHdf5Source *source, const char *name, int dim, int *ncontacts,
                           double **mu)
{
    double *read;
    size_t count;
    STICK_TRY(stick_hdf5_numbers(source, name, &read, &count));
    *mu = read;
    STICK_CHECK(source->ctx, count <= (size_t)(INT_MAX / dim), STICK_BAD_INPUT, "'%s': %s has %zu values",
                source->path, name, count);
    *ncontacts = (int)count;
    for (size_t c = 0; c < count; c++)
        STICK_CHECK(source->ctx, read[c] >= 0, STICK_BAD_INPUT, "'%s': %s[%zu] = %g is negative",
                    source->path, name, c, read[c]);
    return STICK_OK;
}

// The number of bilateral rows is that of their right-hand sides.
static StickStatus read_rows(const StickHdf5Source *source, const char *name, int *rows, double **values)
{
    size_t count;
    STICK_TRY(stick_hdf5_numbers(source, name, values, &count));
    STICK_CHECK(source->ctx, count <= INT_MAX, STICK_BAD_INPUT, "'%s': %s has %zu values", source->path, name,
                count);
    *rows = (int)count;
    return STICK_OK;
}

// ---- local

static bool has_bilateral_rows(const StickHdf5Source *source)
{
    return stick_hdf5_exists(source, "/fclib_local/V") || stick_hdf5_exists(source, "/fclib_local/R");
}

static StickStatus read_mixed(const StickHdf5Source *source, int n, StickProblemFile *file)
{
    StickMixedData *mixed = &file->mixed;
    int p;
    STICK_CHECK(source->ctx,
                stick_hdf5_exists(source, "/fclib_local/V") && stick_hdf5_exists(source, "/fclib_local/R"),
                STICK_BAD_INPUT, "'%s': only one of /fclib_local/V and /fclib_local/R is present",
                source->path);
    STICK_TRY(read_rows(source, "/fclib_local/vectors/s", &p, &mixed->s));
    STICK_TRY(stick_hdf5_vector(source, "/fclib_local/vectors/q", n, &mixed->q));
    STICK_TRY(stick_hdf5_matrix(source, "/fclib_local/W", n, n, &mixed->W));
    STICK_TRY(stick_hdf5_matrix(source, "/fclib_local/V", n, p, &mixed->V));
    STICK_TRY(stick_hdf5_matrix(source, "/fclib_local/R", p, p, &mixed->R));
    return stick_mixed_eliminate(source->ctx, mixed, &file->friction);
}

static StickStatus read_local(const StickHdf5Source *source, StickProblemFile *file)
{
    StickFrictionData *data = &file->friction;
    StickSparse W;
    STICK_TRY(read_dimension(source, "/fclib_local/spacedim", &data->dim));
    STICK_TRY(read_mu(source, "/fclib_local/vectors/mu", data->dim, &data->ncontacts, &data->mu));
    int n = data->dim * data->ncontacts;
    if (has_bilateral_rows(source))
        return read_mixed(source, n, file);
    STICK_TRY(stick_hdf5_vector(source, "/fclib_local/vectors/q", n, &data->u_free));
    STICK_TRY(stick_hdf5_matrix(source, "/fclib_local/W", n, n, &W));
    StickStatus status = stick_blocks_from_sparse(source->ctx, &W, data->dim, &data->W);
    stick_sparse_destroy(source->ctx, &W);
    STICK_TRY(status);
    return stick_fclib_read_bodies(source, data);
}

// ---- global

static StickStatus read_global(const StickHdf5Source *source, StickProblemFile *file)
{
    StickGlobalData *data = &file->global;
    int n, p;
    STICK_TRY(read_dimension(source, "/fclib_global/spacedim", &data->dim));
    STICK_TRY(read_mu(source, "/fclib_global/vectors/mu", data->dim, &data->ncontacts, &data->mu));
    int m = data->dim * data->ncontacts;
    STICK_TRY(stick_hdf5_vector(source, "/fclib_global/vectors/w", m, &data->w));
    STICK_TRY(read_rows(source, "/fclib_global/vectors/f", &n, &data->f));
    STICK_TRY(stick_hdf5_matrix(source, "/fclib_global/M", n, n, &data->M));
    STICK_TRY(stick_hdf5_matrix(source, "/fclib_global/H", n, m, &data->H));
    if (!stick_hdf5_exists(source, "/fclib_global/G"))
        return STICK_OK;
    STICK_TRY(read_rows(source, "/fclib_global/vectors/b", &p, &data->b));
    STICK_CHECK(source->ctx, p <= INT_MAX - n, STICK_BAD_INPUT, "'%s': %d bilateral rows", source->path, p);
    return stick_hdf5_matrix(source, "/fclib_global/G", n, p, &data->G);
}

// ---- lcp

static StickStatus read_lcp(const StickHdf5Source *source, StickProblemFile *file)
{
    StickLcpData *lcp = &file->lcp;
    StickSparse M;
    STICK_TRY(read_rows(source, "/lcp/vectors/q", &lcp->n, &lcp->q));
    STICK_CHECK(source->ctx, lcp->n <= MOST_LCP, STICK_BAD_INPUT, "'%s': an LCP of order %d is more than %d",
                source->path, lcp->n, MOST_LCP);
    STICK_TRY(stick_hdf5_matrix(source, "/lcp/M", lcp->n, lcp->n, &M));
    lcp->M = stick_alloc(source->ctx, (size_t)lcp->n * (size_t)lcp->n, sizeof *lcp->M);
    for (int j = 0; lcp->M && j < lcp->n; j++)
        for (int k = M.start[j]; k < M.start[j + 1]; k++)
            lcp->M[(size_t)j * (size_t)lcp->n + (size_t)M.row[k]] = M.value[k];
    stick_sparse_destroy(source->ctx, &M);
    return lcp->M ? STICK_OK : STICK_NO_MEMORY;
}

// ---- guesses and solution

static StickStatus read_optional(const StickHdf5Source *source, const char *group, const char *name, int size,
                                 double **values)
{
    char path[STICK_HDF5_NAME];
    stick_hdf5_member(group, name, path);
    return stick_hdf5_exists(source, path) ? stick_hdf5_vector(source, path, size, values) : STICK_OK;
}

static StickStatus read_solution(const StickHdf5Source *source, const StickProblemFile *file,
                                 const char *group, StickSolutionData *solution)
{
    bool lcp = file->kind == STICK_PROBLEM_LCP;
    int m = stick_problem_entries(file), n = stick_problem_unknowns(file), p = stick_problem_bilateral(file);
    if (n > 0)
        STICK_TRY(read_optional(source, group, "v", n, &solution->v));
    STICK_TRY(read_optional(source, group, lcp ? "w" : "u", m, &solution->u));
    STICK_TRY(read_optional(source, group, lcp ? "z" : "r", m, &solution->r));
    return p > 0 ? read_optional(source, group, "l", p, &solution->l) : STICK_OK;
}

static StickStatus count_guesses(const StickHdf5Source *source, int *count)
{
    char group[STICK_HDF5_NAME];
    static const char name[] = "/guesses/number_of_guesses";
    *count = 0;
    if (!stick_hdf5_exists(source, name))
        return STICK_OK;
    STICK_TRY(stick_hdf5_int(source, name, count));
    STICK_CHECK(source->ctx, *count >= 0 && *count <= MOST_GUESSES, STICK_BAD_INPUT,
                "'%s': %s = %d is not in 0 ... %d", source->path, name, *count, MOST_GUESSES);
    for (int k = 1; k <= *count; k++) {
        snprintf(group, sizeof group, "/guesses/%d", k);
        STICK_CHECK(source->ctx, stick_hdf5_exists(source, group), STICK_BAD_INPUT,
                    "'%s': %s is missing, although there are %d guesses", source->path, group, *count);
    }
    return STICK_OK;
}

static StickStatus read_guesses(const StickHdf5Source *source, StickProblemFile *file)
{
    int count;
    STICK_TRY(count_guesses(source, &count));
    if (count == 0)
        return STICK_OK;
    STICK_ALLOC(source->ctx, file->guess, count);
    for (file->nguesses = 0; file->nguesses < count;) {
        char group[STICK_HDF5_NAME];
        int k = file->nguesses++;
        snprintf(group, sizeof group, "/guesses/%d", k + 1);
        STICK_TRY(read_solution(source, file, group, &file->guess[k]));
    }
    return STICK_OK;
}

// ---- which one

static const struct Layout {
    StickProblemKind kind;
    const char *group;
    StickStatus (*read)(const StickHdf5Source *source, StickProblemFile *file);
} layouts[] = {
    {STICK_PROBLEM_FRICTION, "/fclib_local", read_local},
    {STICK_PROBLEM_GLOBAL, "/fclib_global", read_global},
    {STICK_PROBLEM_LCP, "/lcp", read_lcp},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static StickStatus refuse_unsupported(const StickHdf5Source *source)
{
    static const char *const rolling[] = {"/fclib_global_rolling", "/fclib_local_rolling"};
    for (size_t k = 0; k < sizeof rolling / sizeof *rolling; k++)
        STICK_CHECK(source->ctx, !stick_hdf5_exists(source, rolling[k]), STICK_BAD_INPUT,
                    "'%s' holds rolling friction (%s), which is not supported", source->path, rolling[k]);
    return STICK_OK;
}

// The requested layout, or the first one present.
static StickStatus find_layout(const StickHdf5Source *source, StickProblemKind as, int *chosen)
{
    int first = -1;
    STICK_TRY(refuse_unsupported(source));
    for (int k = 0; k < LAYOUTS; k++) {
        if (!stick_hdf5_exists(source, layouts[k].group))
            continue;
        first = first < 0 ? k : first;
        if (as == layouts[k].kind) {
            *chosen = k;
            return STICK_OK;
        }
    }
    STICK_CHECK(source->ctx, first >= 0, STICK_BAD_INPUT,
                "'%s' holds neither /fclib_local nor /fclib_global: it is not an FCLIB file", source->path);
    STICK_CHECK(source->ctx, as == STICK_PROBLEM_AUTO, STICK_BAD_INPUT,
                "'%s' holds a %s problem instead of a %s one", source->path,
                stick_problem_kind_name(layouts[first].kind), stick_problem_kind_name(as));
    *chosen = first;
    return STICK_OK;
}

static StickStatus read_source(const StickHdf5Source *source, StickProblemKind as, StickProblemFile *file)
{
    int chosen;
    char name[STICK_HDF5_NAME];
    STICK_TRY(find_layout(source, as, &chosen));
    file->kind = layouts[chosen].kind;
    STICK_TRY(layouts[chosen].read(source, file));
    stick_hdf5_member(layouts[chosen].group, "info/title", name);
    STICK_TRY(stick_hdf5_text(source, name, &file->title));
    STICK_TRY(read_guesses(source, file));
    return read_solution(source, file, "/solution", &file->solution);
}

StickStatus stick_fclib_read(const char *path, const char *bytes, size_t count, StickProblemKind as,
                             StickProblemFile *file)
{
    STICK_CHECK(file->ctx, H5open() >= 0, STICK_NO_MEMORY, "HDF5 cannot start: too little memory");
    StickHdf5Quiet before = stick_hdf5_quiet();
    StickHdf5Source source = {file->ctx, path, count, stick_hdf5_open(file, bytes, count)};
    StickStatus status;
    if (source.file >= 0) {
        status = read_source(&source, as, file);
        H5Fclose(source.file);
    } else {
        status = errno == ENOMEM
                     ? stick_fail(file->ctx, STICK_NO_MEMORY, "HDF5 has too little memory to read '%s'", path)
                     : stick_fail(file->ctx, STICK_BAD_INPUT, "'%s' is not a complete HDF5 file", path);
    }
    stick_hdf5_speak(before);
    return status;
}

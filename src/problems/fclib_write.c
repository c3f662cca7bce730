// SPDX-License-Identifier: Apache-2.0
#include "problems/fclib.h"

#include "base/file.h"
#include "problems/fclib_bodies.h"
#include "problems/hdf5_dataset.h"
#include "problems/hdf5_memory.h"
#include "solve/section.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 96 };

typedef struct Sink {
    StickContext *ctx;
    const char *path;
    hid_t file;
    hid_t links; // makes groups on the way to a dataset
    hid_t plain; // no times of day: same problem, same bytes
} Sink;

static StickStatus put(const Sink *sink, const char *group, const char *name, bool integers,
                       const void *values, size_t count)
{
    char path[NAME];
    hsize_t size = count;
    snprintf(path, sizeof path, "%s/%s", group, name);
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t stored = integers ? H5T_STD_I32LE : H5T_IEEE_F64LE;
    hid_t native = integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    hid_t set = H5Dcreate2(sink->file, path, stored, space, sink->links, sink->plain, H5P_DEFAULT);
    bool good = set >= 0 && (count == 0 || H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    STICK_CHECK(sink->ctx, good, STICK_NO_MEMORY, "HDF5 cannot add %s to '%s'", path, sink->path);
    return STICK_OK;
}

static StickStatus put_int(const Sink *sink, const char *group, const char *name, int value)
{
    return put(sink, group, name, true, &value, 1);
}

static StickStatus put_numbers(const Sink *sink, const char *group, const char *name, const double *values,
                               int count)
{
    return put(sink, group, name, false, values, (size_t)count);
}

// A string of fixed length, with its end.
static StickStatus put_text(const Sink *sink, const char *group, const char *name, const char *text)
{
    char path[NAME];
    snprintf(path, sizeof path, "%s/%s", group, name);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), set = -1;
    if (H5Tset_size(type, strlen(text) + 1) >= 0)
        set = H5Dcreate2(sink->file, path, type, space, sink->links, sink->plain, H5P_DEFAULT);
    bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    STICK_CHECK(sink->ctx, good, STICK_NO_MEMORY, "HDF5 cannot add %s to '%s'", path, sink->path);
    return STICK_OK;
}

// ---- matrices

// As FCLIB keeps it: nz = -1 by columns, -2 by rows.
typedef struct Stored {
    int m, n, nz, count;
    int *p, *i;
    double *x;
} Stored;

static StickStatus put_matrix(const Sink *sink, const char *group, const Stored *stored)
{
    int lines = stored->nz == -1 ? stored->n : stored->m;
    STICK_TRY(put_int(sink, group, "m", stored->m));
    STICK_TRY(put_int(sink, group, "n", stored->n));
    STICK_TRY(put_int(sink, group, "nzmax", stored->count));
    STICK_TRY(put_int(sink, group, "nz", stored->nz));
    STICK_TRY(put(sink, group, "p", true, stored->p, (size_t)lines + 1));
    STICK_TRY(put(sink, group, "i", true, stored->i, (size_t)stored->count));
    return put_numbers(sink, group, "x", stored->x, stored->count);
}

static StickStatus put_sparse(const Sink *sink, const char *group, const StickSparse *A)
{
    Stored stored = {A->rows, A->cols, -1, A->start[A->cols], A->start, A->row, A->value};
    return put_matrix(sink, group, &stored);
}

static void destroy_rows(StickContext *ctx, Stored *rows)
{
    stick_free(ctx, rows->p);
    stick_free(ctx, rows->i);
    stick_free(ctx, rows->x);
}

static StickStatus reserve_rows(StickContext *ctx, int n, double count, Stored *rows)
{
    STICK_CHECK(ctx, count <= INT_MAX, STICK_BAD_INPUT, "%g entries are too many for an FCLIB file", count);
    rows->m = rows->n = n;
    rows->nz = -2;
    rows->count = (int)count;
    STICK_ALLOC(ctx, rows->p, (size_t)n + 1);
    STICK_ALLOC(ctx, rows->i, rows->count);
    STICK_ALLOC(ctx, rows->x, rows->count);
    return STICK_OK;
}

static StickStatus rows_of_blocks(StickContext *ctx, const StickBlocks *W, Stored *rows)
{
    int d = W->d;
    STICK_TRY(reserve_rows(ctx, W->n * d, (double)W->start[W->n] * d * d, rows));
    for (int row = 0, at = 0; row < rows->n; rows->p[++row] = at)
        for (int k = W->start[row / d]; k < W->start[row / d + 1]; k++)
            for (int j = 0; j < d; j++, at++) {
                rows->i[at] = W->col[k] * d + j;
                rows->x[at] = W->value[(size_t)k * (size_t)(d * d) + (size_t)(row % d * d + j)];
            }
    return STICK_OK;
}

static StickStatus rows_of_dense(StickContext *ctx, const StickLcpData *lcp, Stored *rows)
{
    int n = lcp->n;
    double count = 0;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        count += lcp->M[k] != 0;
    STICK_TRY(reserve_rows(ctx, n, count, rows));
    for (int row = 0, at = 0; row < n; rows->p[++row] = at)
        for (int j = 0; j < n; j++) {
            double value = lcp->M[(size_t)j * (size_t)n + (size_t)row];
            if (value == 0)
                continue;
            rows->i[at] = j;
            rows->x[at++] = value;
        }
    return STICK_OK;
}

// ---- problems

static StickStatus put_blocks(const Sink *sink, const char *group, const StickBlocks *W)
{
    Stored rows = {0};
    StickStatus status = rows_of_blocks(sink->ctx, W, &rows);
    if (status == STICK_OK)
        status = put_matrix(sink, group, &rows);
    destroy_rows(sink->ctx, &rows);
    return status;
}

static StickStatus put_body_lists(const Sink *sink, const StickFrictionData *data,
                                  const StickBodyLists *lists)
{
    const StickBodies *bodies = &data->bodies;
    int v = bodies->ndofs, n = bodies->njoints;
    size_t sides = 2 * (size_t)data->ncontacts;
    STICK_TRY(put_int(sink, "/bodies", "ndofs", v));
    STICK_TRY(put_numbers(sink, "/bodies", "S", bodies->S, bodies->nbodies * v * v));
    STICK_TRY(put_numbers(sink, "/bodies", "H", bodies->H, lists->nrows * data->dim));
    STICK_TRY(put(sink, "/bodies", "body", true, lists->body, sides));
    STICK_TRY(put(sink, "/bodies", "entry", true, lists->entry, sides));
    if (n == 0)
        return STICK_OK;
    STICK_TRY(put(sink, "/bodies", "joint_body", true, lists->joint_body, 2 * (size_t)n));
    STICK_TRY(put_numbers(sink, "/bodies", "joint_G", lists->joint_G, 12 * n));
    return put_numbers(sink, "/bodies", "joint_compliance", lists->joint_compliance, n);
}

static StickStatus put_bodies(const Sink *sink, const StickFrictionData *data)
{
    StickBodyLists lists;
    if (data->bodies.ndofs == 0)
        return STICK_OK;
    STICK_TRY(stick_body_lists_create(sink->ctx, &data->bodies, data->ncontacts, &lists));
    StickStatus status = put_body_lists(sink, data, &lists);
    stick_body_lists_destroy(sink->ctx, &lists);
    return status;
}

static StickStatus put_local(const Sink *sink, const StickProblemFile *file)
{
    const StickFrictionData *data = &file->friction;
    const StickMixedData *mixed = &file->mixed;
    int n = data->dim * data->ncontacts, p = mixed->R.rows;
    STICK_TRY(put_int(sink, "/fclib_local", "spacedim", data->dim));
    STICK_TRY(put_numbers(sink, "/fclib_local/vectors", "q", p > 0 ? mixed->q : data->u_free, n));
    STICK_TRY(put_numbers(sink, "/fclib_local/vectors", "mu", data->mu, data->ncontacts));
    if (p == 0) {
        STICK_TRY(put_bodies(sink, data));
        return put_blocks(sink, "/fclib_local/W", &data->W);
    }
    STICK_TRY(put_sparse(sink, "/fclib_local/W", &mixed->W));
    STICK_TRY(put_sparse(sink, "/fclib_local/V", &mixed->V));
    STICK_TRY(put_sparse(sink, "/fclib_local/R", &mixed->R));
    return put_numbers(sink, "/fclib_local/vectors", "s", mixed->s, p);
}

static StickStatus put_global(const Sink *sink, const StickProblemFile *file)
{
    const StickGlobalData *data = &file->global;
    STICK_TRY(put_int(sink, "/fclib_global", "spacedim", data->dim));
    STICK_TRY(put_sparse(sink, "/fclib_global/M", &data->M));
    STICK_TRY(put_sparse(sink, "/fclib_global/H", &data->H));
    STICK_TRY(put_numbers(sink, "/fclib_global/vectors", "f", data->f, data->M.rows));
    STICK_TRY(put_numbers(sink, "/fclib_global/vectors", "w", data->w, data->H.cols));
    STICK_TRY(put_numbers(sink, "/fclib_global/vectors", "mu", data->mu, data->ncontacts));
    if (data->G.cols == 0)
        return STICK_OK;
    STICK_TRY(put_sparse(sink, "/fclib_global/G", &data->G));
    return put_numbers(sink, "/fclib_global/vectors", "b", data->b, data->G.cols);
}

static StickStatus put_lcp(const Sink *sink, const StickProblemFile *file)
{
    Stored rows = {0};
    StickStatus status = rows_of_dense(sink->ctx, &file->lcp, &rows);
    if (status == STICK_OK)
        status = put_matrix(sink, "/lcp/M", &rows);
    destroy_rows(sink->ctx, &rows);
    STICK_TRY(status);
    return put_numbers(sink, "/lcp/vectors", "q", file->lcp.q, file->lcp.n);
}

// ---- guesses and solution

static StickStatus put_solution(const Sink *sink, const StickProblemFile *file, const char *group,
                                const StickSolutionData *solution)
{
    bool lcp = file->kind == STICK_PROBLEM_LCP;
    int m = stick_problem_entries(file);
    if (solution->v)
        STICK_TRY(put_numbers(sink, group, "v", solution->v, stick_problem_unknowns(file)));
    if (solution->u)
        STICK_TRY(put_numbers(sink, group, lcp ? "w" : "u", solution->u, m));
    if (solution->r)
        STICK_TRY(put_numbers(sink, group, lcp ? "z" : "r", solution->r, m));
    if (solution->l)
        STICK_TRY(put_numbers(sink, group, "l", solution->l, stick_problem_bilateral(file)));
    return STICK_OK;
}

static StickStatus put_guesses(const Sink *sink, const StickProblemFile *file)
{
    if (file->nguesses == 0)
        return STICK_OK;
    STICK_TRY(put_int(sink, "/guesses", "number_of_guesses", file->nguesses));
    for (int k = 0; k < file->nguesses; k++) {
        char group[NAME];
        snprintf(group, sizeof group, "/guesses/%d", k + 1);
        STICK_TRY(put_solution(sink, file, group, &file->guess[k]));
    }
    return STICK_OK;
}

// ---- copies

// The link of a root group by its place among the names; false past the last.
static bool root_name(hid_t file, hsize_t place, char name[NAME])
{
    ssize_t length =
        H5Lget_name_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, place, name, NAME, H5P_DEFAULT);
    return length > 0 && length < NAME;
}

static StickStatus copy_links(const Sink *sink, hid_t from)
{
    H5G_info_t about;
    char name[NAME];
    STICK_CHECK(sink->ctx, H5Gget_info(from, &about) >= 0, STICK_INTERNAL, "HDF5 cannot list its own file");
    for (hsize_t k = 0; k < about.nlinks; k++) {
        if (!root_name(from, k, name) || strcmp(name, "solution") == 0)
            continue;
        errno = 0;
        STICK_HDF5_CHECK(sink->ctx, H5Ocopy(from, name, sink->file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0,
                         STICK_BAD_INPUT, "/%s cannot be copied to '%s'", name, sink->path);
    }
    return STICK_OK;
}

static StickStatus copy_image(const Sink *sink, const StickProblemFile *file)
{
    hid_t from = stick_hdf5_open(file, file->image, file->image_bytes);
    STICK_CHECK(sink->ctx, from >= 0, STICK_NO_MEMORY, "HDF5 cannot open its own file again");
    StickStatus status = copy_links(sink, from);
    H5Fclose(from);
    return status;
}

static const struct Layout {
    const char *group;
    StickStatus (*put)(const Sink *sink, const StickProblemFile *file);
} layouts[] = {
    [STICK_PROBLEM_LCP] = {"/lcp", put_lcp},
    [STICK_PROBLEM_FRICTION] = {"/fclib_local", put_local},
    [STICK_PROBLEM_GLOBAL] = {"/fclib_global", put_global},
};

static StickStatus put_file(const Sink *sink, const StickProblemFile *file)
{
    if (file->image) {
        STICK_TRY(copy_image(sink, file));
        return put_solution(sink, file, "/solution", &file->solution);
    }
    const struct Layout *layout = &layouts[file->kind];
    STICK_TRY(layout->put(sink, file));
    if (file->title)
        STICK_TRY(put_text(sink, layout->group, "info/title", file->title));
    STICK_TRY(put_guesses(sink, file));
    return put_solution(sink, file, "/solution", &file->solution);
}

// ---- the file

static StickStatus save(const Sink *sink)
{
    ssize_t size = -1;
    char *bytes;
    if (H5Fflush(sink->file, H5F_SCOPE_GLOBAL) >= 0)
        size = H5Fget_file_image(sink->file, NULL, 0);
    STICK_CHECK(sink->ctx, size > 0, STICK_INTERNAL, "HDF5 cannot finish '%s'", sink->path);
    STICK_ALLOC(sink->ctx, bytes, size);
    StickStatus status = H5Fget_file_image(sink->file, bytes, (size_t)size) == size
                             ? stick_file_write(sink->ctx, sink->path, bytes, (size_t)size)
                             : stick_fail(sink->ctx, STICK_INTERNAL, "HDF5 cannot give '%s'", sink->path);
    stick_free(sink->ctx, bytes);
    return status;
}

static StickStatus write_file(Sink *sink, const StickProblemFile *file)
{
    STICK_CHECK(sink->ctx,
                sink->file >= 0 && H5Pset_create_intermediate_group(sink->links, 1) >= 0 &&
                    H5Pset_obj_track_times(sink->plain, 0) >= 0,
                STICK_NO_MEMORY, "HDF5 cannot start '%s'", sink->path);
    STICK_TRY(put_file(sink, file));
    return save(sink);
}

StickStatus stick_fclib_save(StickContext *ctx, const char *path, const StickProblemFile *file)
{
    STICK_CHECK(ctx, file->kind != STICK_PROBLEM_MATES, STICK_USAGE,
                "'%s' cannot be written: HDF5 files hold no pairs of bodies; --json prints their answer",
                path);
    STICK_CHECK(ctx, H5open() >= 0, STICK_NO_MEMORY, "HDF5 cannot start: too little memory");
    StickHdf5Quiet before = stick_hdf5_quiet();
    Sink sink = {.ctx = ctx, .path = path};
    sink.file = stick_hdf5_open(&sink, NULL, 0);
    sink.links = H5Pcreate(H5P_LINK_CREATE);
    sink.plain = H5Pcreate(H5P_DATASET_CREATE);
    StickStatus status = write_file(&sink, file);
    H5Pclose(sink.plain);
    H5Pclose(sink.links);
    if (sink.file >= 0)
        H5Fclose(sink.file);
    stick_hdf5_speak(before);
    return status;
}

StickStatus stick_fclib_refuse_sections(StickContext *ctx, const char *path,
                                        const StickFrictionProblem *problem)
{
    for (int c = 0; problem->section && c < problem->ncontacts; c++)
        STICK_CHECK(
            ctx, !problem->section[c], STICK_USAGE,
            "'%s' cannot be written: FCLIB has no anisotropic friction, but the section of contact %d is %s",
            path, c, stick_section_name(problem->section[c]));
    return STICK_OK;
}

StickStatus stick_fclib_write(StickContext *ctx, const char *path, const StickFrictionProblem *problem,
                              const double *r, const double *u)
{
    STICK_CHECK(ctx, problem->W && (problem->dim == 2 || problem->dim == 3), STICK_USAGE,
                "only a friction problem of dimension 2 or 3 with its matrix can be written to '%s'", path);
    STICK_TRY(stick_fclib_refuse_sections(ctx, path, problem));
    // Nothing is changed through this view.
    StickProblemFile view = {
        .ctx = ctx,
        .kind = STICK_PROBLEM_FRICTION,
        .friction = {.dim = problem->dim,
                     .ncontacts = problem->ncontacts,
                     .W = *problem->W,
                     .u_free = (double *)problem->u_free,
                     .mu = (double *)problem->mu},
    };
    if (problem->bodies)
        view.friction.bodies = *problem->bodies;
    if (r && u)
        view.solution = (StickSolutionData){.r = (double *)r, .u = (double *)u};
    return stick_fclib_save(ctx, path, &view);
}

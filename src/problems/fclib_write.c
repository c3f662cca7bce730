// SPDX-License-Identifier: Apache-2.0
#include "problems/fclib.h"

#include "base/file.h"
#include "problems/hdf5_memory.h"

#include <limits.h>

typedef struct Sink {
    StickContext *ctx;
    const char *path;
    hid_t file;
    hid_t links; // makes groups on the way to a dataset
    hid_t plain; // no times of day: same problem, same bytes
} Sink;

static StickStatus put(const Sink *sink, const char *name, bool integers, const void *values, size_t count)
{
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t stored = integers ? H5T_STD_I32LE : H5T_IEEE_F64LE;
    hid_t native = integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    hid_t set = H5Dcreate2(sink->file, name, stored, space, sink->links, sink->plain, H5P_DEFAULT);
    bool good = set >= 0 && (count == 0 || H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    STICK_CHECK(sink->ctx, good, STICK_NO_MEMORY, "HDF5 cannot add %s to '%s'", name, sink->path);
    return STICK_OK;
}

static StickStatus put_int(const Sink *sink, const char *name, int value)
{
    return put(sink, name, true, &value, 1);
}

// Compressed rows of W.
typedef struct Rows {
    int n, count;
    int *p; // n + 1
    int *i; // count
    double *x;
} Rows;

static void destroy_rows(StickContext *ctx, Rows *rows)
{
    stick_free(ctx, rows->p);
    stick_free(ctx, rows->i);
    stick_free(ctx, rows->x);
}

static StickStatus make_rows(StickContext *ctx, const StickBlocks *W, Rows *rows)
{
    int d = W->d;
    double count = (double)W->start[W->n] * d * d;
    STICK_CHECK(ctx, count <= INT_MAX, STICK_BAD_INPUT, "%g entries are too many for an FCLIB file", count);
    rows->n = W->n * d;
    rows->count = (int)count;
    STICK_ALLOC(ctx, rows->p, (size_t)rows->n + 1);
    STICK_ALLOC(ctx, rows->i, rows->count);
    STICK_ALLOC(ctx, rows->x, rows->count);
    for (int row = 0, at = 0; row < rows->n; rows->p[++row] = at)
        for (int k = W->start[row / d]; k < W->start[row / d + 1]; k++)
            for (int j = 0; j < d; j++, at++) {
                rows->i[at] = W->col[k] * d + j;
                rows->x[at] = W->value[(size_t)k * (size_t)(d * d) + (size_t)(row % d * d + j)];
            }
    return STICK_OK;
}

static StickStatus put_rows(const Sink *sink, const Rows *rows)
{
    STICK_TRY(put_int(sink, "/fclib_local/W/m", rows->n));
    STICK_TRY(put_int(sink, "/fclib_local/W/n", rows->n));
    STICK_TRY(put_int(sink, "/fclib_local/W/nzmax", rows->count));
    STICK_TRY(put_int(sink, "/fclib_local/W/nz", -2));
    STICK_TRY(put(sink, "/fclib_local/W/p", true, rows->p, (size_t)rows->n + 1));
    STICK_TRY(put(sink, "/fclib_local/W/i", true, rows->i, (size_t)rows->count));
    return put(sink, "/fclib_local/W/x", false, rows->x, (size_t)rows->count);
}

static StickStatus put_problem(const Sink *sink, const StickFrictionProblem *problem, const double *r,
                               const double *u)
{
    Rows rows = {0};
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    StickStatus status = make_rows(sink->ctx, problem->W, &rows);
    if (status == STICK_OK)
        status = put_rows(sink, &rows);
    destroy_rows(sink->ctx, &rows);
    STICK_TRY(status);
    STICK_TRY(put_int(sink, "/fclib_local/spacedim", problem->dim));
    STICK_TRY(put(sink, "/fclib_local/vectors/q", false, problem->u_free, n));
    STICK_TRY(put(sink, "/fclib_local/vectors/mu", false, problem->mu, (size_t)problem->ncontacts));
    if (!r || !u)
        return STICK_OK;
    STICK_TRY(put(sink, "/solution/u", false, u, n));
    return put(sink, "/solution/r", false, r, n);
}

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

static StickStatus write_file(Sink *sink, const StickFrictionProblem *problem, const double *r,
                              const double *u)
{
    STICK_CHECK(sink->ctx,
                sink->file >= 0 && H5Pset_create_intermediate_group(sink->links, 1) >= 0 &&
                    H5Pset_obj_track_times(sink->plain, 0) >= 0,
                STICK_NO_MEMORY, "HDF5 cannot start '%s'", sink->path);
    STICK_TRY(put_problem(sink, problem, r, u));
    return save(sink);
}

StickStatus stick_fclib_write(StickContext *ctx, const char *path, const StickFrictionProblem *problem,
                              const double *r, const double *u)
{
    STICK_CHECK(ctx, problem->W && (problem->dim == 2 || problem->dim == 3), STICK_USAGE,
                "only a friction problem of dimension 2 or 3 with its matrix can be written to '%s'", path);
    StickHdf5Quiet before = stick_hdf5_quiet();
    Sink sink = {.ctx = ctx, .path = path};
    sink.file = stick_hdf5_open(&sink, NULL, 0);
    sink.links = H5Pcreate(H5P_LINK_CREATE);
    sink.plain = H5Pcreate(H5P_DATASET_CREATE);
    StickStatus status = write_file(&sink, problem, r, u);
    H5Pclose(sink.plain);
    H5Pclose(sink.links);
    if (sink.file >= 0)
        H5Fclose(sink.file);
    stick_hdf5_speak(before);
    return status;
}

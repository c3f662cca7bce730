// SPDX-License-Identifier: Apache-2.0
#include "problems/hdf5_source.h"

#include "base/memory.h"
#include "problems/hdf5_dataset.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- lists

// Every group on the way must be there too, or HDF5 calls it an error.
bool stick_hdf5_exists(const StickHdf5Source *source, const char *name)
{
    char part[STICK_HDF5_NAME];
    for (const char *end = strchr(name + 1, '/');; end = strchr(end + 1, '/')) {
        size_t length = end ? (size_t)(end - name) : strlen(name);
        if (length >= sizeof part)
            return false;
        memcpy(part, name, length);
        part[length] = '\0';
        errno = 0;
        if (H5Lexists(source->file, part, H5P_DEFAULT) <= 0) {
            // out of memory differs from absent: optional data would be lost silently
            if (errno == ENOMEM)
                stick_fail(source->ctx, STICK_NO_MEMORY, "HDF5 has too little memory");
            return false;
        }
        if (!end)
            return true;
    }
}

// The most values that the file can hold: a deflated chunk of zeros shrinks to 1/1032, all else has its size.
static double most_values(const StickHdf5Source *source, const StickHdf5Dataset *dataset)
{
    hid_t created = H5Dget_create_plist(dataset->set);
    bool chunked = created >= 0 && H5Pget_layout(created) == H5D_CHUNKED;
    if (created >= 0)
        H5Pclose(created);
    double most = (double)source->bytes * (chunked ? 1032 : 1) / (double)H5Tget_size(dataset->type);
    return most < INT_MAX ? most : INT_MAX;
}

static StickStatus check_dataset(const StickHdf5Source *source, const char *name, H5T_class_t class,
                                 const StickHdf5Dataset *dataset)
{
    STICK_CHECK(source->ctx, H5Tget_class(dataset->type) == class, STICK_BAD_INPUT, "'%s': %s is not of %s",
                source->path, name, class == H5T_INTEGER ? "integers" : "floating-point numbers");
    STICK_CHECK(source->ctx, (double)dataset->count <= most_values(source, dataset), STICK_BAD_INPUT,
                "'%s': %s claims %zu values, more than the file can hold", source->path, name,
                dataset->count);
    return STICK_OK;
}

static StickStatus open_dataset(const StickHdf5Source *source, const char *name, H5T_class_t class,
                                StickHdf5Dataset *dataset)
{
    errno = 0;
    STICK_HDF5_CHECK(source->ctx, stick_hdf5_exists(source, name), STICK_BAD_INPUT, "'%s': %s is missing",
                     source->path, name);
    STICK_HDF5_CHECK(source->ctx, stick_hdf5_dataset_open(source->file, name, dataset), STICK_BAD_INPUT,
                     "'%s': %s is no list", source->path, name);
    StickStatus status = check_dataset(source, name, class, dataset);
    if (status != STICK_OK)
        stick_hdf5_dataset_close(dataset);
    return status;
}

// Reads the open dataset into new memory of count items, and closes it.
static StickStatus take_dataset(const StickHdf5Source *source, const char *name, StickHdf5Dataset *dataset,
                                size_t size, hid_t native, void **values)
{
    void *read = stick_alloc(source->ctx, dataset->count, size);
    StickStatus status = read ? STICK_OK : STICK_NO_MEMORY;
    errno = 0;
    if (read && dataset->count > 0 && H5Dread(dataset->set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0)
        status = errno == ENOMEM ? stick_fail(source->ctx, STICK_NO_MEMORY,
                                              "HDF5 has too little memory to read '%s'", source->path)
                                 : stick_fail(source->ctx, STICK_BAD_INPUT, "'%s': %s cannot be read",
                                              source->path, name);
    stick_hdf5_dataset_close(dataset);
    if (status == STICK_OK)
        *values = read;
    else if (read)
        stick_free(source->ctx, read);
    return status;
}

StickStatus stick_hdf5_ints(const StickHdf5Source *source, const char *name, int **values, size_t *count)
{
    StickHdf5Dataset dataset;
    void *read;
    STICK_TRY(open_dataset(source, name, H5T_INTEGER, &dataset));
    *count = dataset.count;
    STICK_TRY(take_dataset(source, name, &dataset, sizeof **values, H5T_NATIVE_INT, &read));
    *values = read;
    return STICK_OK;
}

static StickStatus check_finite(const StickHdf5Source *source, const char *name, const double *values,
                                size_t count)
{
    for (size_t k = 0; k < count; k++)
        STICK_CHECK(source->ctx, isfinite(values[k]), STICK_BAD_INPUT, "'%s': %s[%zu] = %g is not finite",
                    source->path, name, k, values[k]);
    return STICK_OK;
}

StickStatus stick_hdf5_numbers(const StickHdf5Source *source, const char *name, double **values,
                               size_t *count)
{
    StickHdf5Dataset dataset;
    void *read;
    STICK_TRY(open_dataset(source, name, H5T_FLOAT, &dataset));
    *count = dataset.count;
    STICK_TRY(take_dataset(source, name, &dataset, sizeof **values, H5T_NATIVE_DOUBLE, &read));
    StickStatus status = check_finite(source, name, read, *count);
    if (status == STICK_OK)
        *values = read;
    else
        stick_free(source->ctx, read);
    return status;
}

StickStatus stick_hdf5_vector(const StickHdf5Source *source, const char *name, int size, double **values)
{
    double *read;
    size_t count;
    STICK_TRY(stick_hdf5_numbers(source, name, &read, &count));
    if (count != (size_t)size) {
        stick_free(source->ctx, read);
        return stick_fail(source->ctx, STICK_BAD_INPUT, "'%s': %s has %zu values instead of %d", source->path,
                          name, count, size);
    }
    *values = read;
    return STICK_OK;
}

StickStatus stick_hdf5_int(const StickHdf5Source *source, const char *name, int *value)
{
    int *read;
    size_t count;
    STICK_TRY(stick_hdf5_ints(source, name, &read, &count));
    if (count > 0)
        *value = read[0];
    stick_free(source->ctx, read);
    STICK_CHECK(source->ctx, count == 1, STICK_BAD_INPUT, "'%s': %s has %zu values instead of 1",
                source->path, name, count);
    return STICK_OK;
}

// ---- texts

enum { MOST_TEXT = 1 << 16 };

static StickStatus take_text(const StickHdf5Source *source, hid_t set, hid_t type, char **text)
{
    size_t size = H5Tget_size(type);
    bool fits = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size > 0 &&
                size <= MOST_TEXT && size <= source->bytes;
    hid_t space = H5Dget_space(set);
    fits = fits && space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0)
        H5Sclose(space);
    if (!fits)
        return STICK_OK;
    char *read;
    STICK_ALLOC(source->ctx, read, size + 1);
    errno = 0;
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        stick_free(source->ctx, read);
        STICK_CHECK(source->ctx, errno != ENOMEM, STICK_NO_MEMORY, "HDF5 has too little memory");
        return STICK_OK;
    }
    *text = read;
    return STICK_OK;
}

StickStatus stick_hdf5_text(const StickHdf5Source *source, const char *name, char **text)
{
    StickStatus status = STICK_OK;
    hid_t set = stick_hdf5_exists(source, name) ? H5Dopen2(source->file, name, H5P_DEFAULT) : -1;
    hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    *text = NULL;
    if (type >= 0) {
        status = take_text(source, set, type, text);
        H5Tclose(type);
    }
    if (set >= 0)
        H5Dclose(set);
    return status;
}

// ---- matrices

// As it stands in the file: nz >= 0 entries at (i, p), -1 by columns, -2 by rows; p are starts in the latter.
typedef struct Stored {
    int m, n, nz;
    int *p, *i;
    double *x;
    size_t np, ni, nx;
} Stored;

static void destroy_stored(StickContext *ctx, Stored *stored)
{
    stick_free(ctx, stored->p);
    stick_free(ctx, stored->i);
    stick_free(ctx, stored->x);
}

const char *stick_hdf5_member(const char *group, const char *name, char text[STICK_HDF5_NAME])
{
    snprintf(text, STICK_HDF5_NAME, "%s/%s", group, name);
    return text;
}

static StickStatus read_stored(const StickHdf5Source *source, const char *group, Stored *stored)
{
    char name[STICK_HDF5_NAME];
    STICK_TRY(stick_hdf5_int(source, stick_hdf5_member(group, "m", name), &stored->m));
    STICK_TRY(stick_hdf5_int(source, stick_hdf5_member(group, "n", name), &stored->n));
    STICK_TRY(stick_hdf5_int(source, stick_hdf5_member(group, "nz", name), &stored->nz));
    STICK_TRY(stick_hdf5_ints(source, stick_hdf5_member(group, "p", name), &stored->p, &stored->np));
    STICK_TRY(stick_hdf5_ints(source, stick_hdf5_member(group, "i", name), &stored->i, &stored->ni));
    return stick_hdf5_numbers(source, stick_hdf5_member(group, "x", name), &stored->x, &stored->nx);
}

static StickStatus add_entry(const StickHdf5Source *source, const char *group, int row, int col, double value,
                             StickTriplets *T)
{
    STICK_CHECK(source->ctx, row >= 0 && row < T->rows && col >= 0 && col < T->cols, STICK_BAD_INPUT,
                "'%s': %s has an entry at (%d, %d) outside of its %d by %d", source->path, group, row, col,
                T->rows, T->cols);
    return value == 0 ? STICK_OK : stick_triplets_add(source->ctx, T, row, col, value);
}

static StickStatus unpack_triplets(const StickHdf5Source *source, const char *group, const Stored *stored,
                                   StickTriplets *T)
{
    size_t count = (size_t)stored->nz;
    STICK_CHECK(source->ctx, stored->np >= count && stored->ni >= count && stored->nx >= count,
                STICK_BAD_INPUT, "'%s': %s has nz = %d entries, but %zu, %zu and %zu values", source->path,
                group, stored->nz, stored->np, stored->ni, stored->nx);
    for (size_t k = 0; k < count; k++)
        STICK_TRY(add_entry(source, group, stored->i[k], stored->p[k], stored->x[k], T));
    return STICK_OK;
}

static StickStatus unpack_compressed(const StickHdf5Source *source, const char *group, const Stored *stored,
                                     StickTriplets *T)
{
    bool by_rows = stored->nz == -2;
    int lines = by_rows ? stored->m : stored->n;
    STICK_CHECK(source->ctx, stored->np == (size_t)lines + 1 && stored->p[0] == 0, STICK_BAD_INPUT,
                "'%s': %s/p are not the %d starts of its lines", source->path, group, lines + 1);
    for (int j = 0; j < lines; j++) {
        int from = stored->p[j], to = stored->p[j + 1];
        STICK_CHECK(source->ctx, from <= to && (size_t)to <= stored->ni && (size_t)to <= stored->nx,
                    STICK_BAD_INPUT, "'%s': %s/p[%d] = %d does not follow %d within %zu entries",
                    source->path, group, j + 1, to, from, stored->ni);
        for (int k = from; k < to; k++)
            STICK_TRY(add_entry(source, group, by_rows ? j : stored->i[k], by_rows ? stored->i[k] : j,
                                stored->x[k], T));
    }
    return STICK_OK;
}

// Sizes are bounded before anything of that size is taken: vectors of their length must be in the file.
static StickStatus unpack(const StickHdf5Source *source, const char *group, const Stored *stored,
                          StickTriplets *T)
{
    STICK_CHECK(source->ctx, stored->m >= 0 && stored->n >= 0, STICK_BAD_INPUT, "'%s': %s is %d by %d",
                source->path, group, stored->m, stored->n);
    STICK_CHECK(source->ctx, stored->nz >= -2, STICK_BAD_INPUT,
                "'%s': %s/nz = %d is neither a number of entries nor -1 or -2", source->path, group,
                stored->nz);
    T->rows = stored->m;
    T->cols = stored->n;
    if (stored->nz >= 0)
        return unpack_triplets(source, group, stored, T);
    return unpack_compressed(source, group, stored, T);
}

StickStatus stick_hdf5_matrix(const StickHdf5Source *source, const char *group, int rows, int cols,
                              StickSparse *A)
{
    Stored stored = {0};
    StickTriplets T = {0};
    StickStatus status = read_stored(source, group, &stored);
    if (status == STICK_OK && (stored.m != rows || stored.n != cols))
        status = stick_fail(source->ctx, STICK_BAD_INPUT, "'%s': %s is %d by %d instead of %d by %d",
                            source->path, group, stored.m, stored.n, rows, cols);
    if (status == STICK_OK)
        status = unpack(source, group, &stored, &T);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(source->ctx, &T, A);
    stick_triplets_destroy(source->ctx, &T);
    destroy_stored(source->ctx, &stored);
    return status;
}

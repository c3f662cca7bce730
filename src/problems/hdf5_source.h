// SPDX-License-Identifier: Apache-2.0
// Lists and matrices of an HDF5 file that nobody vouches for: sizes, kinds and indices are checked before
// anything is taken for them, and errors name the file and the list.
#ifndef PROBLEMS_HDF5_SOURCE_H
#define PROBLEMS_HDF5_SOURCE_H

#include "problems/hdf5_memory.h"

#include <stickslip/sparse.h>

enum { STICK_HDF5_NAME = 96 };

typedef struct StickHdf5Source {
    StickContext *ctx;
    const char *path;
    size_t bytes; // of the whole file
    hid_t file;
} StickHdf5Source;

bool stick_hdf5_exists(const StickHdf5Source *source, const char *name);

// "group/name", truncated to the buffer size
const char *stick_hdf5_member(const char *group, const char *name, char text[STICK_HDF5_NAME]);

// New memory for finite numbers: as many as there are, or exactly size.
StickStatus stick_hdf5_numbers(const StickHdf5Source *source, const char *name, double **values,
                               size_t *count);
StickStatus stick_hdf5_vector(const StickHdf5Source *source, const char *name, int size, double **values);
StickStatus stick_hdf5_ints(const StickHdf5Source *source, const char *name, int **values, size_t *count);
StickStatus stick_hdf5_int(const StickHdf5Source *source, const char *name, int *value);

// Reads a string of fixed length into new memory; NULL if it does not exist.
StickStatus stick_hdf5_text(const StickHdf5Source *source, const char *name, char **text);

// A matrix as FCLIB keeps it: m, n, nz, p, i, x with nz >= 0 entries at (i, p), or nz = -1 by columns, -2 by
// rows. Zeros are dropped and repeated entries summed.
StickStatus stick_hdf5_matrix(const StickHdf5Source *source, const char *group, int rows, int cols,
                              StickSparse *A);

#endif

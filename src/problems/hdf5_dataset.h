// SPDX-License-Identifier: Apache-2.0
// An open dataset of an HDF5 file with its form.
#ifndef PROBLEMS_HDF5_DATASET_H
#define PROBLEMS_HDF5_DATASET_H

#include "base/check.h"

#include <errno.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct StickHdf5Dataset {
    hid_t set, type, space;
    size_t count; // of its values
} StickHdf5Dataset;

// Returns false, with nothing open, if the dataset does not exist or has no dataspace.
bool stick_hdf5_dataset_open(hid_t file, const char *name, StickHdf5Dataset *dataset);
void stick_hdf5_dataset_close(StickHdf5Dataset *dataset);

// HDF5 does not distinguish a lack of memory from other failures; errno of the failed allocation does, if it was 0 before.
#define STICK_HDF5_CHECK(ctx, good, status, ...)                                                        \
    do {                                                                                                \
        bool stick_done = (good);                                                                       \
        STICK_CHECK(ctx, stick_done || errno != ENOMEM, STICK_NO_MEMORY, "HDF5 has too little memory"); \
        STICK_CHECK(ctx, stick_done, status, __VA_ARGS__);                                              \
    } while (0)

#endif

// SPDX-License-Identifier: Apache-2.0
// HDF5 files in memory, and HDF5 that does not print.
#ifndef PROBLEMS_HDF5_MEMORY_H
#define PROBLEMS_HDF5_MEMORY_H

#include <hdf5.h>

// Suppresses the error messages of HDF5; the previous setting is restored afterwards.
typedef struct StickHdf5Quiet {
    H5E_auto2_t print;
    void *data;
} StickHdf5Quiet;

StickHdf5Quiet stick_hdf5_quiet(void);
void stick_hdf5_speak(StickHdf5Quiet before);

// A broken file may leave HDF5 unable to close itself, and it complains of that at the end of the program. For
// programs, not for the library: before anything else of HDF5, where all files are closed by hand.
void stick_hdf5_no_closing(void);

// Opens a file in memory for reading, or a new one if bytes is NULL; returns a negative value on failure. The address
// of its owner makes its name unique.
hid_t stick_hdf5_open(const void *owner, const void *bytes, size_t count);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "problems/hdf5_memory.h"

#include <errno.h>
#include <stdio.h>

enum { GROWTH = 1 << 20, NAME = 64 };

StickHdf5Quiet stick_hdf5_quiet(void)
{
    StickHdf5Quiet before = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

void stick_hdf5_speak(StickHdf5Quiet before)
{
    H5Eset_auto2(H5E_DEFAULT, before.print, before.data);
}

void stick_hdf5_no_closing(void)
{
    H5dont_atexit();
}

hid_t stick_hdf5_open(const void *owner, const void *bytes, size_t count)
{
    char name[NAME];
    errno = 0;
    hid_t memory = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    // HDF5 takes two files of one name for the same one.
    snprintf(name, sizeof name, "problem-%p", owner);
    // Closing the file also closes objects that a damaged file left open.
    if (H5Pset_fapl_core(memory, GROWTH, 0) >= 0 && H5Pset_fclose_degree(memory, H5F_CLOSE_STRONG) >= 0) {
        if (!bytes)
            file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, memory);
        else if (H5Pset_file_image(memory, (void *)bytes, count) >= 0)
            file = H5Fopen(name, H5F_ACC_RDONLY, memory);
    }
    H5Pclose(memory);
    return file;
}

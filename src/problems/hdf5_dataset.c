// SPDX-License-Identifier: Apache-2.0
#include "problems/hdf5_dataset.h"

void stick_hdf5_dataset_close(StickHdf5Dataset *dataset)
{
    if (dataset->space >= 0)
        H5Sclose(dataset->space);
    if (dataset->type >= 0)
        H5Tclose(dataset->type);
    if (dataset->set >= 0)
        H5Dclose(dataset->set);
}

bool stick_hdf5_dataset_open(hid_t file, const char *name, StickHdf5Dataset *dataset)
{
    *dataset = (StickHdf5Dataset){-1, -1, -1, 0};
    dataset->set = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset->set < 0)
        return false;
    dataset->type = H5Dget_type(dataset->set);
    dataset->space = H5Dget_space(dataset->set);
    hssize_t count = dataset->space >= 0 ? H5Sget_simple_extent_npoints(dataset->space) : -1;
    dataset->count = count >= 0 ? (size_t)count : 0;
    if (dataset->type >= 0 && count >= 0)
        return true;
    stick_hdf5_dataset_close(dataset);
    return false;
}

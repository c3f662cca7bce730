// SPDX-License-Identifier: Apache-2.0
// FCLIB files made by hand, to be spoilt afterwards.
#ifndef TESTS_PROBLEMS_HDF5_FILES_H
#define TESTS_PROBLEMS_HDF5_FILES_H

#include "check.h"

#include <hdf5.h>

static inline void put(hid_t file, const char *name, hid_t type, const void *values, size_t count)
{
    hsize_t size = count;
    hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    assert_true(count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

#define put_ints(file, name, ...) \
    put(file, name, H5T_NATIVE_INT, (const int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))
#define put_numbers(file, name, ...)                                  \
    put(file, name, H5T_NATIVE_DOUBLE, (const double[]){__VA_ARGS__}, \
        sizeof((double[]){__VA_ARGS__}) / sizeof(double))

static inline hid_t create_file(const char *path)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

// One contact in the plane, W = [2 0; 0 3] by columns, one bilateral row, a guess and a solution.
static inline void put_local(hid_t file)
{
    put_ints(file, "/fclib_local/spacedim", 2);
    put_numbers(file, "/fclib_local/vectors/q", -1, 0.5);
    put_numbers(file, "/fclib_local/vectors/mu", 0.5);
    put_numbers(file, "/fclib_local/vectors/s", 2);
    put_ints(file, "/fclib_local/W/m", 2);
    put_ints(file, "/fclib_local/W/n", 2);
    put_ints(file, "/fclib_local/W/nz", -1);
    put_ints(file, "/fclib_local/W/p", 0, 1, 2);
    put_ints(file, "/fclib_local/W/i", 0, 1);
    put_numbers(file, "/fclib_local/W/x", 2, 3);
    put_ints(file, "/fclib_local/V/m", 2);
    put_ints(file, "/fclib_local/V/n", 1);
    put_ints(file, "/fclib_local/V/nz", 1);
    put_ints(file, "/fclib_local/V/p", 0);
    put_ints(file, "/fclib_local/V/i", 1);
    put_numbers(file, "/fclib_local/V/x", 1);
    put_ints(file, "/fclib_local/R/m", 1);
    put_ints(file, "/fclib_local/R/n", 1);
    put_ints(file, "/fclib_local/R/nz", -2);
    put_ints(file, "/fclib_local/R/p", 0, 1);
    put_ints(file, "/fclib_local/R/i", 0);
    put_numbers(file, "/fclib_local/R/x", 4);
    put_ints(file, "/guesses/number_of_guesses", 1);
    put_numbers(file, "/guesses/1/r", 1, 0.25);
    put_numbers(file, "/solution/r", 0.5, 0.25);
    put_numbers(file, "/solution/l", 0.75);
}

// Two masses, one contact in the plane on the first, the second held: M = diag(2, 4, 8), H = [1 0; 0 1; 0 0].
static inline void put_global(hid_t file)
{
    put_ints(file, "/fclib_global/spacedim", 2);
    put_numbers(file, "/fclib_global/vectors/mu", 0.5);
    put_numbers(file, "/fclib_global/vectors/w", 1, 2);
    put_numbers(file, "/fclib_global/vectors/f", 3, 4, 5);
    put_numbers(file, "/fclib_global/vectors/b", -6);
    put_ints(file, "/fclib_global/M/m", 3);
    put_ints(file, "/fclib_global/M/n", 3);
    put_ints(file, "/fclib_global/M/nz", 3);
    put_ints(file, "/fclib_global/M/p", 0, 1, 2);
    put_ints(file, "/fclib_global/M/i", 0, 1, 2);
    put_numbers(file, "/fclib_global/M/x", 2, 4, 8);
    put_ints(file, "/fclib_global/H/m", 3);
    put_ints(file, "/fclib_global/H/n", 2);
    put_ints(file, "/fclib_global/H/nz", -1);
    put_ints(file, "/fclib_global/H/p", 0, 1, 2);
    put_ints(file, "/fclib_global/H/i", 0, 1);
    put_numbers(file, "/fclib_global/H/x", 1, 1);
    put_ints(file, "/fclib_global/G/m", 3);
    put_ints(file, "/fclib_global/G/n", 1);
    put_ints(file, "/fclib_global/G/nz", 1);
    put_ints(file, "/fclib_global/G/p", 0);
    put_ints(file, "/fclib_global/G/i", 2);
    put_numbers(file, "/fclib_global/G/x", 1);
    put_numbers(file, "/solution/v", 1, 2, 6);
}

#endif

// SPDX-License-Identifier: Apache-2.0
// An FCLIB file whose lists hold anything: an error, or a problem that can be written again. The bytes of the input
// are changes of a good file made through HDF5, whose own reader is not the one that is tried here.
#include "fuzz.h"

#include "problems/fclib.h"
#include "problems/hdf5_memory.h"

#include <string.h>

static const struct List {
    const char *name;
    bool integers;
    int count;
    double value[4];
} lists[] = {
    {"/fclib_local/spacedim", true, 1, {2}},      {"/fclib_local/vectors/q", false, 2, {-1, 0.5}},
    {"/fclib_local/vectors/mu", false, 1, {0.5}}, {"/fclib_local/vectors/s", false, 1, {2}},
    {"/fclib_local/W/m", true, 1, {2}},           {"/fclib_local/W/n", true, 1, {2}},
    {"/fclib_local/W/nz", true, 1, {-1}},         {"/fclib_local/W/p", true, 3, {0, 1, 2}},
    {"/fclib_local/W/i", true, 2, {0, 1}},        {"/fclib_local/W/x", false, 2, {2, 3}},
    {"/fclib_local/V/m", true, 1, {2}},           {"/fclib_local/V/n", true, 1, {1}},
    {"/fclib_local/V/nz", true, 1, {1}},          {"/fclib_local/V/p", true, 1, {0}},
    {"/fclib_local/V/i", true, 1, {1}},           {"/fclib_local/V/x", false, 1, {1}},
    {"/fclib_local/R/m", true, 1, {1}},           {"/fclib_local/R/n", true, 1, {1}},
    {"/fclib_local/R/nz", true, 1, {-2}},         {"/fclib_local/R/p", true, 2, {0, 1}},
    {"/fclib_local/R/i", true, 1, {0}},           {"/fclib_local/R/x", false, 1, {4}},
    {"/guesses/number_of_guesses", true, 1, {1}}, {"/guesses/1/r", false, 2, {1, 0.25}},
    {"/solution/r", false, 2, {0.5, 0.25}},
};
enum { LISTS = sizeof lists / sizeof *lists, MOST = 8, CHANGE = 12 };

static void put(hid_t file, const char *name, hid_t type, const void *values, size_t count)
{
    hsize_t size = count;
    hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && count > 0)
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_list(hid_t file, const struct List *list)
{
    int ints[4];
    for (int k = 0; k < 4; k++)
        ints[k] = (int)list->value[k];
    put(file, list->name, list->integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE,
        list->integers ? (const void *)ints : list->value, (size_t)list->count);
}

// Which list, what it becomes (nothing, integers, numbers), how many of them, and their bytes, again and again.
static void change(hid_t file, const uint8_t *data)
{
    const struct List *list = &lists[data[0] % LISTS];
    int ints[MOST];
    double numbers[MOST];
    size_t count = data[2] % (MOST + 1);
    for (int k = 0; k < MOST; k++) {
        memcpy(&ints[k], data + 4 + 4 * (k % 2), sizeof *ints);
        memcpy(&numbers[k], data + 4, sizeof *numbers);
    }
    if (H5Lexists(file, list->name, H5P_DEFAULT) > 0)
        H5Ldelete(file, list->name, H5P_DEFAULT);
    if (data[1] % 3 == 1)
        put(file, list->name, H5T_NATIVE_INT, ints, count);
    else if (data[1] % 3 == 2)
        put(file, list->name, H5T_NATIVE_DOUBLE, numbers, count);
}

static void read_and_save(const char *bytes, size_t count)
{
    StickContext *ctx = stick_context_create(NULL);
    StickProblemFile *file;
    const char *path = input_file((const uint8_t *)bytes, count);
    if (stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file) == STICK_OK) {
        if (stick_fclib_save(ctx, path, file) != STICK_OK)
            abort();
        stick_problem_destroy(file);
    }
    stick_context_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StickHdf5Quiet before = stick_hdf5_quiet();
    hid_t file = stick_hdf5_open(data, NULL, 0);
    for (int k = 0; k < LISTS; k++)
        put_list(file, &lists[k]);
    for (size_t k = 0; k + CHANGE <= size; k += CHANGE)
        change(file, data + k);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t count = H5Fget_file_image(file, NULL, 0);
    char *bytes = count > 0 ? malloc((size_t)count) : NULL;
    if (bytes && H5Fget_file_image(file, bytes, (size_t)count) == count)
        read_and_save(bytes, (size_t)count);
    free(bytes);
    H5Fclose(file);
    stick_hdf5_speak(before);
    return 0;
}

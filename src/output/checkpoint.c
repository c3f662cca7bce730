// SPDX-License-Identifier: Apache-2.0
#include "output/checkpoint.h"

#include "base/file.h"
#include "problems/hdf5_dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// HDF5 looks for its own beginning at byte 0, 512, 1024, ...: other programs read the file with our block in
// front.
enum { SEAL = 512, GROWTH = 1 << 20 };

static const char seal_start[] = "stickslip checkpoint\nversion ";
static const char hash_name[] = "fnv1a64";

static void make_seal(const void *image, size_t size, char seal[SEAL])
{
    unsigned long long hash = stick_hash(STICK_HASH_START, image, size);
    memset(seal, 0, SEAL);
    snprintf(seal, SEAL, "%s%d\nsize %zu\nfnv1a64 %016llx\n", seal_start, STICK_CHECKPOINT_VERSION, size,
             hash);
}

// ---- HDF5 in memory

// HDF5 prints its errors unless told not to; what it did before is restored afterwards.
typedef struct Quiet {
    H5E_auto2_t print;
    void *data;
} Quiet;

static Quiet make_quiet(void)
{
    Quiet before = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

static void end_quiet(Quiet before)
{
    H5Eset_auto2(H5E_DEFAULT, before.print, before.data);
}

// HDF5 takes two files of one name for the same one: the address of their owner tells them apart.
enum { FILE_NAME = 64 };
static void name_file(const void *owner, char name[FILE_NAME])
{
    snprintf(name, FILE_NAME, "memory-%p", owner);
}

// ---- writing

struct StickCheckpointWriter {
    StickContext *ctx;
    char *path;
    Quiet before;
    hid_t file;
    hid_t links; // makes groups on the way to a dataset
    hid_t plain; // no times of day: same state, same bytes
};

static StickStatus open_new(StickCheckpointWriter *writer)
{
    char name[FILE_NAME];
    name_file(writer, name);
    hid_t memory = H5Pcreate(H5P_FILE_ACCESS);
    writer->links = H5Pcreate(H5P_LINK_CREATE);
    writer->plain = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Pset_fapl_core(memory, GROWTH, 0) >= 0 && H5Pset_create_intermediate_group(writer->links, 1) >= 0 &&
        H5Pset_obj_track_times(writer->plain, 0) >= 0)
        writer->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, memory);
    H5Pclose(memory);
    STICK_CHECK(writer->ctx, writer->file >= 0, STICK_NO_MEMORY, "HDF5 cannot start the checkpoint '%s'",
                writer->path);
    return STICK_OK;
}

StickStatus stick_checkpoint_create(StickContext *ctx, const char *path, StickCheckpointWriter **writer)
{
    StickCheckpointWriter *made;
    STICK_CHECK(ctx, H5open() >= 0, STICK_NO_MEMORY, "HDF5 cannot start: too little memory");
    STICK_ALLOC(ctx, made, 1);
    *made = (StickCheckpointWriter){.ctx = ctx, .before = make_quiet(), .file = -1, .links = -1, .plain = -1};
    made->path = stick_copy_text(ctx, path);
    StickStatus status = made->path ? open_new(made) : STICK_NO_MEMORY;
    if (status != STICK_OK) {
        stick_checkpoint_abandon(made);
        return status;
    }
    *writer = made;
    return STICK_OK;
}

void stick_checkpoint_abandon(StickCheckpointWriter *writer)
{
    if (!writer)
        return;
    if (writer->file >= 0)
        H5Fclose(writer->file);
    if (writer->links >= 0)
        H5Pclose(writer->links);
    if (writer->plain >= 0)
        H5Pclose(writer->plain);
    end_quiet(writer->before);
    stick_free(writer->ctx, writer->path);
    stick_free(writer->ctx, writer);
}

static bool put_hash(hid_t set, uint64_t hash)
{
    hid_t one = H5Screate(H5S_SCALAR);
    hid_t mark = H5Acreate2(set, hash_name, H5T_STD_U64LE, one, H5P_DEFAULT, H5P_DEFAULT);
    bool good = mark >= 0 && H5Awrite(mark, H5T_NATIVE_UINT64, &hash) >= 0;
    if (mark >= 0)
        H5Aclose(mark);
    H5Sclose(one);
    return good;
}

// What a dataset is made of: its values, their form in the file and in memory.
typedef struct Values {
    const void *values;
    hid_t stored;
    hid_t native;
    hid_t space;
    uint64_t hash;
} Values;

// Whether a dataset of this name can be made: it is not empty, and neither it nor a part of its path is a dataset.
static bool is_free(hid_t file, const char *name)
{
    char path[256];
    size_t length = strlen(name);
    bool is_taken = length == 0 || length >= sizeof path;
    for (size_t k = 1; k <= length && !is_taken; k++) {
        if (name[k] != '/' && name[k] != '\0')
            continue;
        memcpy(path, name, k);
        path[k] = '\0';
        hid_t there = H5Lexists(file, path, H5P_DEFAULT) > 0 ? H5Oopen(file, path, H5P_DEFAULT) : -1;
        if (there < 0)
            return true;
        is_taken = H5Iget_type(there) == H5I_DATASET;
        H5Oclose(there);
    }
    return !is_taken;
}

static StickStatus put(StickCheckpointWriter *writer, const char *name, Values put)
{
    errno = 0;
    hid_t set =
        H5Dcreate2(writer->file, name, put.stored, put.space, writer->links, writer->plain, H5P_DEFAULT);
    bool good = set >= 0 && H5Dwrite(set, put.native, H5S_ALL, H5S_ALL, H5P_DEFAULT, put.values) >= 0 &&
                put_hash(set, put.hash);
    bool is_taken = set < 0 && !is_free(writer->file, name);
    if (set >= 0)
        H5Dclose(set);
    STICK_CHECK(writer->ctx, !is_taken, STICK_BAD_INPUT,
                "cannot put '%s' into the checkpoint '%s': the name is empty or used already", name,
                writer->path);
    // nothing else can fail before the file is written; a lack of memory may have been earlier, inside HDF5
    STICK_CHECK(writer->ctx, good, STICK_NO_MEMORY, "HDF5 has too little memory for the checkpoint '%s'",
                writer->path);
    return STICK_OK;
}

static StickStatus put_list(StickCheckpointWriter *writer, const char *name, Values list, size_t count)
{
    hsize_t size = count;
    list.space = H5Screate_simple(1, &size, NULL);
    list.hash = stick_hash(STICK_HASH_START, list.values, count * H5Tget_size(list.native));
    StickStatus status = put(writer, name, list);
    H5Sclose(list.space);
    return status;
}

StickStatus stick_checkpoint_put_doubles(StickCheckpointWriter *writer, const char *name,
                                         const double *values, size_t count)
{
    Values list = {.values = values, .stored = H5T_IEEE_F64LE, .native = H5T_NATIVE_DOUBLE};
    return put_list(writer, name, list, count);
}

StickStatus stick_checkpoint_put_integers(StickCheckpointWriter *writer, const char *name,
                                          const int64_t *values, size_t count)
{
    Values list = {.values = values, .stored = H5T_STD_I64LE, .native = H5T_NATIVE_INT64};
    return put_list(writer, name, list, count);
}

StickStatus stick_checkpoint_put_text(StickCheckpointWriter *writer, const char *name, const char *text)
{
    size_t length = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1);
    hid_t one = H5Screate(H5S_SCALAR);
    H5Tset_size(type, length + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    Values words = {text, type, type, one, stick_hash(STICK_HASH_START, text, length)};
    StickStatus status = put(writer, name, words);
    H5Sclose(one);
    H5Tclose(type);
    return status;
}

static StickStatus write_image(StickCheckpointWriter *writer)
{
    StickContext *ctx = writer->ctx;
    ssize_t size = -1;
    errno = 0;
    if (H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0)
        size = H5Fget_file_image(writer->file, NULL, 0);
    STICK_HDF5_CHECK(ctx, size > 0, STICK_INTERNAL, "HDF5 cannot finish the checkpoint '%s'", writer->path);
    char *bytes = stick_alloc(ctx, SEAL + (size_t)size, 1);
    if (!bytes)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    if (H5Fget_file_image(writer->file, bytes + SEAL, (size_t)size) != size)
        status = stick_fail(ctx, STICK_INTERNAL, "HDF5 cannot finish the checkpoint '%s'", writer->path);
    make_seal(bytes + SEAL, (size_t)size, bytes);
    if (status == STICK_OK)
        status = stick_file_write(ctx, writer->path, bytes, SEAL + (size_t)size);
    stick_free(ctx, bytes);
    return status;
}

StickStatus stick_checkpoint_commit(StickCheckpointWriter *writer)
{
    StickStatus status = write_image(writer);
    stick_checkpoint_abandon(writer);
    return status;
}

// ---- reading

struct StickCheckpoint {
    StickContext *ctx;
    char *path;
    Quiet before;
    hid_t file;
};

static StickStatus check_seal(StickContext *ctx, const char *path, const char *bytes, size_t count)
{
    size_t start = strlen(seal_start);
    STICK_CHECK(ctx, count >= start && memcmp(bytes, seal_start, start) == 0, STICK_IO,
                "'%s' is no checkpoint, or its beginning is damaged", path);
    long version = strtol(bytes + start, NULL, 10);
    STICK_CHECK(ctx, version == STICK_CHECKPOINT_VERSION, STICK_BAD_INPUT,
                "the checkpoint '%s' has version %ld; this program reads version %d", path, version,
                STICK_CHECKPOINT_VERSION);
    STICK_CHECK(ctx, count > SEAL, STICK_IO, "the checkpoint '%s' is cut off after %zu bytes", path, count);
    char seal[SEAL];
    make_seal(bytes + SEAL, count - SEAL, seal);
    STICK_CHECK(ctx, memcmp(seal, bytes, SEAL) == 0, STICK_IO,
                "the checkpoint '%s' is damaged: its %zu bytes do not match their hash", path, count);
    return STICK_OK;
}

static StickStatus open_image(StickCheckpoint *checkpoint, char *image, size_t size)
{
    char name[FILE_NAME];
    name_file(checkpoint, name);
    errno = 0;
    hid_t memory = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_core(memory, GROWTH, 0) >= 0 && H5Pset_file_image(memory, image, size) >= 0)
        checkpoint->file = H5Fopen(name, H5F_ACC_RDONLY, memory);
    H5Pclose(memory);
    STICK_HDF5_CHECK(checkpoint->ctx, checkpoint->file >= 0, STICK_IO, "HDF5 cannot read the checkpoint '%s'",
                     checkpoint->path);
    return STICK_OK;
}

static StickStatus open_file(StickCheckpoint *checkpoint)
{
    char *bytes;
    size_t count;
    STICK_TRY(stick_file_read(checkpoint->ctx, checkpoint->path, &bytes, &count));
    StickStatus status = check_seal(checkpoint->ctx, checkpoint->path, bytes, count);
    if (status == STICK_OK)
        status = open_image(checkpoint, bytes + SEAL, count - SEAL);
    stick_free(checkpoint->ctx, bytes);
    return status;
}

StickStatus stick_checkpoint_open(StickContext *ctx, const char *path, StickCheckpoint **checkpoint)
{
    StickCheckpoint *made;
    STICK_CHECK(ctx, H5open() >= 0, STICK_NO_MEMORY, "HDF5 cannot start: too little memory");
    STICK_ALLOC(ctx, made, 1);
    *made = (StickCheckpoint){.ctx = ctx, .before = make_quiet(), .file = -1};
    made->path = stick_copy_text(ctx, path);
    StickStatus status = made->path ? open_file(made) : STICK_NO_MEMORY;
    if (status != STICK_OK) {
        stick_checkpoint_close(made);
        return status;
    }
    *checkpoint = made;
    return STICK_OK;
}

void stick_checkpoint_close(StickCheckpoint *checkpoint)
{
    if (!checkpoint)
        return;
    if (checkpoint->file >= 0)
        H5Fclose(checkpoint->file);
    end_quiet(checkpoint->before);
    stick_free(checkpoint->ctx, checkpoint->path);
    stick_free(checkpoint->ctx, checkpoint);
}

// ---- datasets

static StickStatus open_dataset(const StickCheckpoint *checkpoint, const char *name,
                                StickHdf5Dataset *dataset)
{
    errno = 0;
    STICK_HDF5_CHECK(checkpoint->ctx, stick_hdf5_dataset_open(checkpoint->file, name, dataset),
                     STICK_BAD_INPUT, "the checkpoint '%s' holds no '%s'", checkpoint->path, name);
    return STICK_OK;
}

bool stick_checkpoint_has(const StickCheckpoint *checkpoint, const char *name)
{
    StickHdf5Dataset dataset;
    errno = 0;
    bool found = stick_hdf5_dataset_open(checkpoint->file, name, &dataset);
    if (found)
        stick_hdf5_dataset_close(&dataset);
    else if (errno == ENOMEM) // not the same as absent
        stick_fail(checkpoint->ctx, STICK_NO_MEMORY, "HDF5 has too little memory");
    return found;
}

StickStatus stick_checkpoint_count(const StickCheckpoint *checkpoint, const char *name, size_t *count)
{
    StickHdf5Dataset dataset;
    STICK_TRY(open_dataset(checkpoint, name, &dataset));
    *count = dataset.count;
    stick_hdf5_dataset_close(&dataset);
    return STICK_OK;
}

static bool get_hash(hid_t set, uint64_t *hash)
{
    hid_t mark = H5Aopen(set, hash_name, H5P_DEFAULT);
    if (mark < 0)
        return false;
    bool good = H5Aread(mark, H5T_NATIVE_UINT64, hash) >= 0;
    H5Aclose(mark);
    return good;
}

// Reads size bytes into values and checks their hash, which for a text goes up to its end.
static StickStatus read_values(const StickCheckpoint *checkpoint, const char *name, hid_t set, hid_t native,
                               void *values, size_t size)
{
    uint64_t hash = 0;
    errno = 0;
    bool good = get_hash(set, &hash) && H5Dread(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (good && H5Tget_class(native) == H5T_STRING)
        size = strlen(values);
    STICK_CHECK(checkpoint->ctx, good || errno != ENOMEM, STICK_NO_MEMORY, "HDF5 has too little memory");
    STICK_CHECK(checkpoint->ctx, good && stick_hash(STICK_HASH_START, values, size) == hash, STICK_IO,
                "the checkpoint '%s' is damaged: '%s' does not match its hash", checkpoint->path, name);
    return STICK_OK;
}

static StickStatus check_list(const StickCheckpoint *checkpoint, const char *name,
                              const StickHdf5Dataset *dataset, hid_t stored, size_t count)
{
    STICK_CHECK(checkpoint->ctx, H5Tequal(dataset->type, stored) > 0, STICK_BAD_INPUT,
                "the checkpoint '%s': '%s' is no list of %s", checkpoint->path, name,
                H5Tequal(stored, H5T_IEEE_F64LE) > 0 ? "doubles" : "integers");
    STICK_CHECK(checkpoint->ctx, dataset->count == count, STICK_BAD_INPUT,
                "the checkpoint '%s': '%s' has %zu values, not %zu", checkpoint->path, name, dataset->count,
                count);
    return STICK_OK;
}

// Values of 8 bytes each, read aside first: on an error the caller's stay as they are.
static StickStatus get_list(const StickCheckpoint *checkpoint, const char *name, Values list, void *values,
                            size_t count)
{
    StickHdf5Dataset dataset;
    void *read = NULL;
    STICK_TRY(open_dataset(checkpoint, name, &dataset));
    StickStatus status = check_list(checkpoint, name, &dataset, list.stored, count);
    if (status == STICK_OK && !(read = stick_alloc(checkpoint->ctx, count, 8)))
        status = STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = read_values(checkpoint, name, dataset.set, list.native, read, count * 8);
    if (status == STICK_OK && count > 0)
        memcpy(values, read, count * 8);
    stick_free(checkpoint->ctx, read);
    stick_hdf5_dataset_close(&dataset);
    return status;
}

StickStatus stick_checkpoint_get_doubles(const StickCheckpoint *checkpoint, const char *name, double *values,
                                         size_t count)
{
    Values list = {.stored = H5T_IEEE_F64LE, .native = H5T_NATIVE_DOUBLE};
    return get_list(checkpoint, name, list, values, count);
}

StickStatus stick_checkpoint_get_integers(const StickCheckpoint *checkpoint, const char *name,
                                          int64_t *values, size_t count)
{
    Values list = {.stored = H5T_STD_I64LE, .native = H5T_NATIVE_INT64};
    return get_list(checkpoint, name, list, values, count);
}

StickStatus stick_checkpoint_get_text(const StickCheckpoint *checkpoint, const char *name, char **text)
{
    StickHdf5Dataset dataset;
    char *read = NULL;
    StickStatus status = STICK_OK;
    STICK_TRY(open_dataset(checkpoint, name, &dataset));
    size_t size = H5Tget_size(dataset.type);
    if (H5Tget_class(dataset.type) != H5T_STRING || H5Tis_variable_str(dataset.type) != 0 ||
        dataset.count != 1)
        status = stick_fail(checkpoint->ctx, STICK_BAD_INPUT, "the checkpoint '%s': '%s' is no text",
                            checkpoint->path, name);
    else if (!(read = stick_alloc(checkpoint->ctx, size + 1, 1)))
        status = STICK_NO_MEMORY;
    if (status == STICK_OK)
        status = read_values(checkpoint, name, dataset.set, dataset.type, read, size);
    stick_hdf5_dataset_close(&dataset);
    if (status == STICK_OK)
        *text = read;
    else
        stick_free(checkpoint->ctx, read);
    return status;
}

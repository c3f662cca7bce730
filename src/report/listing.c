// SPDX-License-Identifier: Apache-2.0
#include "report/listing.h"

#include "base/memory.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static StickStatus add_name(StickContext *ctx, const char *name, size_t length, StickListing *listing)
{
    STICK_RESERVE(ctx, listing->name, listing->room, listing->count + 1);
    char *copy;
    STICK_ALLOC(ctx, copy, length + 1);
    memcpy(copy, name, length);
    listing->name[listing->count++] = copy;
    return STICK_OK;
}

static StickStatus add_names(StickContext *ctx, DIR *folder, const char *ending, StickListing *listing)
{
    size_t behind = strlen(ending);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        bool wanted = entry->d_name[0] != '.' && length > behind &&
                      strcmp(entry->d_name + length - behind, ending) == 0;
        if (wanted)
            STICK_TRY(add_name(ctx, entry->d_name, length - behind, listing));
    }
    return STICK_OK;
}

StickStatus stick_listing_read(StickContext *ctx, const char *folder, const char *ending,
                               StickListing *listing)
{
    *listing = (StickListing){0};
    DIR *open_folder = opendir(folder);
    if (!open_folder)
        return STICK_OK;
    StickStatus status = add_names(ctx, open_folder, ending, listing);
    closedir(open_folder);
    if (status != STICK_OK)
        stick_listing_destroy(ctx, listing);
    else if (listing->count > 1)
        qsort(listing->name, (size_t)listing->count, sizeof *listing->name, by_name);
    return status;
}

void stick_listing_destroy(StickContext *ctx, StickListing *listing)
{
    for (int k = 0; k < listing->count; k++)
        stick_free(ctx, listing->name[k]);
    stick_free(ctx, listing->name);
    *listing = (StickListing){0};
}

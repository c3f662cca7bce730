// SPDX-License-Identifier: Apache-2.0
// Names of what is in a folder, in an order that does not depend on the file system.
#ifndef REPORT_LISTING_H
#define REPORT_LISTING_H

#include <stickslip/context.h>

typedef struct StickListing {
    char **name;
    int count;
    size_t room;
} StickListing;

// Names that end so (the ending is taken off), sorted; hidden ones are left out. A folder that can't be opened has none.
StickStatus stick_listing_read(StickContext *ctx, const char *folder, const char *ending,
                               StickListing *listing);
void stick_listing_destroy(StickContext *ctx, StickListing *listing);

#endif

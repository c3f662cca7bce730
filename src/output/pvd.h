// SPDX-License-Identifier: Apache-2.0
// The time series of a run for ParaView (.pvd): which file holds which time.
#ifndef OUTPUT_PVD_H
#define OUTPUT_PVD_H

#include "base/text.h"

typedef struct StickPvdEntry {
    double time;
    char *file; // as seen from the folder of the .pvd file
} StickPvdEntry;

typedef struct StickPvd {
    StickContext *ctx;
    size_t count;
    size_t capacity;
    StickPvdEntry *entry;
} StickPvd;

void stick_pvd_init(StickPvd *pvd, StickContext *ctx);
void stick_pvd_destroy(StickPvd *pvd);

StickStatus stick_pvd_add(StickPvd *pvd, double time, const char *file);

// Drops the entries after the time of a checkpoint: times are kept to the bit, so that this is exact.
void stick_pvd_truncate(StickPvd *pvd, double time);

// Writes the whole file anew: cheap, and there is always the old series or the new one.
StickStatus stick_pvd_write(const StickPvd *pvd, const char *path);

// Adds the series as it is now to the files that a checkpoint relies on; name: of its file in the result folder.
StickStatus stick_pvd_list(const StickPvd *pvd, const char *name, StickText *manifest);

// Reads what stick_pvd_write wrote, into an initialised and empty series.
StickStatus stick_pvd_read(StickPvd *pvd, const char *path);

#endif

// SPDX-License-Identifier: Apache-2.0
// Field files of a run, one after the other, and the lists of them by which ParaView opens them as a motion.
//
//     folder/fields.pvd    fields/frame-000000.vtu ...
//     folder/bodies.pvd    fields/bodies-000000.vtu ...       where bodies are rigid: what moves, ...
//     folder/contacts.pvd  fields/contacts-000000.vtu ...     ... and where it touches
#ifndef OUTPUT_FIELD_SERIES_H
#define OUTPUT_FIELD_SERIES_H

#include "output/pvd.h"
#include "stepping/simulation.h"

// All of the same times; the last two where bodies are rigid.
enum { STICK_SERIES_FIELDS, STICK_SERIES_BODIES, STICK_SERIES_CONTACTS, STICK_SERIES };

typedef struct StickFieldSeries {
    StickContext *ctx;
    const char *folder; // of the results, with its folder fields/; not owned
    StickPvd list[STICK_SERIES];
    StickText files; // that were written, as a checkpoint lists them
} StickFieldSeries;

void stick_field_series_init(StickFieldSeries *series, StickContext *ctx, const char *folder);
void stick_field_series_destroy(StickFieldSeries *series);

// Files of the present state, with the gaps of its contacts, and the lists with them.
StickStatus stick_field_series_add(StickFieldSeries *series, const StickSimulation *run,
                                   const StickContactSet *gaps);

size_t stick_field_series_count(const StickFieldSeries *series);

// Whether the last files are those of time t.
bool stick_field_series_has(const StickFieldSeries *series, double t);

// Adds the lists as they are now to the files that a checkpoint relies on; the files themselves stand in `files`.
StickStatus stick_field_series_list(const StickFieldSeries *series, StickText *manifest);

// STICK_IO if one of the lists in the folder is damaged or cut off, also after the files that a checkpoint knows.
StickStatus stick_field_series_check(StickContext *ctx, const char *folder);

// Goes on behind so many files, one at least, which a checkpoint has listed so.
StickStatus stick_field_series_resume(StickFieldSeries *series, const StickSimulation *run, size_t count,
                                      const char *files);

#endif

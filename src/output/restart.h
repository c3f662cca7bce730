// SPDX-License-Identifier: Apache-2.0
// The state of a run in a checkpoint, exact to the bit: a
// run that is resumed goes on as if it had never stopped.
#ifndef OUTPUT_RESTART_H
#define OUTPUT_RESTART_H

#include "output/checkpoint.h"
#include "stepping/path_record.h"

StickStatus stick_restart_put(StickCheckpointWriter *writer, const StickSimulation *run);
StickStatus stick_restart_get(const StickCheckpoint *checkpoint, StickSimulation *run);

// What was kept of a path so far, for the stability step of that number; slots: of the memory of contacts.
StickStatus stick_restart_put_path(StickCheckpointWriter *writer, int stage, const StickPathRecord *record);
StickStatus stick_restart_get_path(const StickCheckpoint *checkpoint, int stage, int slots,
                                   StickPathRecord *record);

#endif

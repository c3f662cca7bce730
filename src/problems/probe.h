// SPDX-License-Identifier: Apache-2.0
// HDF5 itself may crash or loop on a damaged file. For programs: whether a problem file can be read at all is tried
// in a separate process.
#ifndef PROBLEMS_PROBE_H
#define PROBLEMS_PROBE_H

#include "problems/problem_file.h"

// STICK_OK if a read comes to an end, be it with an error; nothing is done for files that are not HDF5.
StickStatus stick_problem_probe(StickContext *ctx, const char *path, StickProblemKind as);

// Reads after a probe.
StickStatus stick_problem_read_apart(StickContext *ctx, const char *path, StickProblemKind as,
                                     StickProblemFile **file);

#endif

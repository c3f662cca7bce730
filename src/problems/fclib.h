// SPDX-License-Identifier: Apache-2.0
// FCLIB's HDF5 files of one discrete friction problem: /fclib_local (W, q, mu) or /fclib_global
// (M, H, f, w, mu), with /guesses and /solution beside it.
#ifndef PROBLEMS_FCLIB_H
#define PROBLEMS_FCLIB_H

#include "problems/problem_file.h"

// Fills an empty file from the bytes of an HDF5 file. Bilateral constraints and rolling friction are refused.
StickStatus stick_fclib_read(const char *path, const char *bytes, size_t count, StickProblemKind as,
                             StickProblemFile *file);

// Writes a local problem, W by compressed rows, with its solution if r and u are given.
StickStatus stick_fclib_write(StickContext *ctx, const char *path, const StickFrictionProblem *problem,
                              const double *r, const double *u);

#endif

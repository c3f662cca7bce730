// SPDX-License-Identifier: Apache-2.0
// FCLIB's HDF5 files of one discrete friction problem: /fclib_local (W, q, mu; V, R, s of bilateral rows) or
// /fclib_global (M, H, f, w, mu; G, b), and /guesses and /solution.
//
// FCLIB has no format for complementarity problems. They are stored in the same way: /lcp (M, q), and z and w in
// /solution.
#ifndef PROBLEMS_FCLIB_H
#define PROBLEMS_FCLIB_H

#include "problems/problem_file.h"

// Fills an empty file from the bytes of an HDF5 file. Bilateral rows of a local problem are eliminated; rolling
// friction is refused.
StickStatus stick_fclib_read(const char *path, const char *bytes, size_t count, StickProblemKind as,
                             StickProblemFile *file);

// FCLIB keeps a mu per contact: a problem with sections is refused by the name of what it has.
StickStatus stick_fclib_refuse_sections(StickContext *ctx, const char *path,
                                        const StickFrictionProblem *problem);

// Writes a local problem, W by compressed rows, with its solution if r and u are given.
StickStatus stick_fclib_write(StickContext *ctx, const char *path, const StickFrictionProblem *problem,
                              const double *r, const double *u);

// Writes a problem of any kind with its guesses and its solution, if present. Data read from an HDF5 file are copied
// unchanged, except the solution. Equal problems give equal bytes.
StickStatus stick_fclib_save(StickContext *ctx, const char *path, const StickProblemFile *file);

#endif

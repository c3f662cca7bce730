// SPDX-License-Identifier: Apache-2.0
// Text files of discrete problems: w = M z + q, u = W r + u_free, or M v = H r + f with u = H' v + w.
//
//   lcp       n, M, q[n]
//   friction  dim, nc, W, u_free[dim nc], mu[nc]
//   global    dim, nc, M, H, f[n], w[dim nc], mu[nc]
//   mates     begins with this word: mates_text.h
//
// Words after the numbers are comments; a switch 0 or 1 may follow mu. If a type is requested, additional numbers are
// ignored; with STICK_PROBLEM_AUTO they distinguish layouts that begin in the same way.
#ifndef PROBLEMS_DAT_H
#define PROBLEMS_DAT_H

#include "problems/problem_file.h"

// Fills an empty file; the bytes are followed by a '\0'. After a failure the file owns the parts that were read.
StickStatus stick_dat_read(const char *path, const char *bytes, size_t count, StickProblemKind as,
                           StickProblemFile *file);

#endif

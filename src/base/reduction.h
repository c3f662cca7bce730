// SPDX-License-Identifier: Apache-2.0
// Sums over a range on the threads of a context, with the same bits for every number of them: parts are cut at places
// that only depend on the length of the range, and added up in their order. A short range is one part.
#ifndef BASE_REDUCTION_H
#define BASE_REDUCTION_H

#include "base/check.h"

enum { STICK_TOTALS = 4 }; // at most, at once

// Adds the contributions of a range of items to each of the sums.
typedef void StickAddRange(const void *data, int from, int to, double *sum);

// sum (nsums) = the contributions of all items.
void stick_reduction(StickContext *ctx, int count, StickAddRange *function, const void *data, double *sum,
                     int nsums);

#endif

// SPDX-License-Identifier: Apache-2.0
// BLAS on one thread: the bits of a sparse solve change with its number of threads. And with its kernels.
#ifndef LINALG_THREADS_H
#define LINALG_THREADS_H

#include <stickslip/context.h>

#include <stdbool.h>

void stick_blas_single_thread(void);

// The same, with the buffers that OpenBLAS needs on this number of threads of ours: STICK_NO_MEMORY where there is no
// room for them, for OpenBLAS itself would look for it endlessly.
StickStatus stick_blas_prepare(StickContext *ctx, int threads);

// The processor whose kernels BLAS has chosen; whether they are those of an old one because it does not know this one.
const char *stick_blas_kernels(void);
bool stick_blas_is_lost(void);

// CHOLMOD forks four threads for each of its supernodes, however many cores there are: that costs as much again as the
// factors, and more where others work. In between it works on the thread that calls; release takes what hold gave.
int stick_openmp_hold(void);
void stick_openmp_release(int levels);

#endif

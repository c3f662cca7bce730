// SPDX-License-Identifier: Apache-2.0
// BLAS on one thread: the bits of a sparse solve change with its number of threads. And with its kernels.
#ifndef LINALG_THREADS_H
#define LINALG_THREADS_H

#include <stickslip/context.h>

#include <stdbool.h>

void stick_blas_single_thread(void);

// The same, with the buffers that OpenBLAS needs on this number of our threads: STICK_NO_MEMORY if there is no room
// for them, because OpenBLAS itself would search for it endlessly.
StickStatus stick_blas_prepare(StickContext *ctx, int threads);

// Name of the processor whose kernels BLAS uses; whether these are kernels of an old processor because BLAS does not
// know this one.
const char *stick_blas_kernels(void);
bool stick_blas_is_lost(void);

// CHOLMOD forks four threads for each of its supernodes, whatever the number of cores: that doubles the cost of the
// factors, more if other programs run. Between hold and release it works on the calling thread.
int stick_openmp_hold(void);
void stick_openmp_release(int levels);

#endif

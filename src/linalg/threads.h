// SPDX-License-Identifier: Apache-2.0
// BLAS on one thread: the bits of a sparse solve change with its number of threads.
#ifndef LINALG_THREADS_H
#define LINALG_THREADS_H

void stick_blas_single_thread(void);

#endif

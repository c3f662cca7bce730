// SPDX-License-Identifier: Apache-2.0
// BLAS on one thread: the bits of a sparse solve change with its number of threads.
#ifndef LINALG_THREADS_H
#define LINALG_THREADS_H

void stick_blas_single_thread(void);

// CHOLMOD forks four threads for each of its supernodes, however many cores there are: that costs as much again as the
// factors, and more where others work. In between it works on the thread that calls; release takes what hold gave.
int stick_openmp_hold(void);
void stick_openmp_release(int levels);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "linalg/threads.h"

#include <cblas.h>

void stick_blas_single_thread(void)
{
    openblas_set_num_threads(1);
}

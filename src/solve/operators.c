// SPDX-License-Identifier: Apache-2.0
#include "solve/operators.h"

#include "solve/problem.h"

// Seen as a problem, so that there is one product by blocks.
static StickFrictionProblem view(const StickBlocks *W)
{
    return (StickFrictionProblem){.dim = W->d, .ncontacts = W->n, .W = W};
}

static void apply(const void *data, const double *r, double *Wr)
{
    StickFrictionProblem problem = view(data);
    stick_friction_apply(&problem, r, Wr);
}

static void diagonal(const void *data, int contact, double *block)
{
    StickFrictionProblem problem = view(data);
    stick_friction_diagonal(&problem, contact, block);
}

StickOperator stick_operator_from_blocks(const StickBlocks *W)
{
    return (StickOperator){apply, diagonal, W};
}

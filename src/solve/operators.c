// SPDX-License-Identifier: Apache-2.0
#include "solve/operators.h"

#include "solve/problem.h"

// The blocks as a friction problem, to use the same product.
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

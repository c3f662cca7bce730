// SPDX-License-Identifier: Apache-2.0
// All basic solutions of a small LCP: every subset B of the pairs, z_B = -M_BB^-1 q_B and z = 0 elsewhere, is
// one if M_BB is nonsingular, z >= 0 and w >= 0.
#include "base/check.h"
#include "solve/lcp_work.h"

#include <math.h>
#include <stdio.h>

static const double negative = 1e-10; // below minus this, in scaled variables relative to the largest
static const double same = 1e-8;      // two solutions that differ by less are one

enum { MOST = STICK_LCP_MOST_ENUMERATED };

// Reals on the stack: the problem is small, and nothing is to be freed.
typedef struct Room {
    double T[MOST * MOST], D[MOST], phi[MOST], step[MOST], image[MOST], x[MOST], y[MOST];
    lapack_int swaps[MOST];
    int basis[MOST];
} Room;

static StickLcpWork work_in(Room *room, const StickLcp *lcp)
{
    StickLcpWork work = {.room = MOST,
                         .T = room->T,
                         .D = room->D,
                         .phi = room->phi,
                         .step = room->step,
                         .image = room->image,
                         .x = room->x,
                         .y = room->y,
                         .swaps = room->swaps,
                         .basis = room->basis};
    stick_lcp_work_begin(&work, lcp, NULL);
    return work;
}

static int read_bits(unsigned bits, int n, int *basis)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (bits >> i & 1)
            basis[count++] = i;
    return count;
}

// x and y nonnegative but for round-off
static bool is_solution(const StickLcpWork *work)
{
    double largest = 1;
    for (int i = 0; i < work->n; i++)
        largest = fmax(largest, fabs(work->x[i]));
    for (int i = 0; i < work->n; i++)
        if (!(work->x[i] >= -negative * largest && work->y[i] >= -negative * largest))
            return false;
    return true;
}

// Compares in scaled variables, where entries of different units are alike.
static bool is_known(const StickLcpWork *work, const StickLcpSolutions *solutions)
{
    size_t n = (size_t)work->n;
    for (int k = 0; k < solutions->count; k++) {
        const double *z = solutions->z + (size_t)k * n;
        double apart = 0, largest = 1;
        for (size_t i = 0; i < n; i++) {
            apart = fmax(apart, fabs(work->g * z[i] / work->D[i] - work->x[i]));
            largest = fmax(largest, fabs(work->x[i]));
        }
        if (apart <= same * largest)
            return true;
    }
    return false;
}

static void add(const StickLcpWork *work, StickLcpSolutions *solutions, StickSolveInfo *info)
{
    double *z = solutions->z + (size_t)solutions->count * (size_t)work->n;
    for (int i = 0; i < work->n; i++)
        z[i] = fmax(work->x[i], 0) * work->D[i] / work->g;
    solutions->count++;
    info->residual = fmax(info->residual, stick_lcp_residual(work->lcp, z));
}

static StickSolveEnd visit_bases(StickLcpWork *work, StickLcpSolutions *solutions, StickSolveInfo *info)
{
    for (unsigned bits = 0; bits < 1u << work->n; bits++) {
        int count = read_bits(bits, work->n, work->basis);
        info->iterations++;
        if (!stick_lcp_work_refine(work, work->basis, count, work->x))
            continue;
        stick_lcp_work_image(work, work->x, work->y);
        if (!is_solution(work) || is_known(work, solutions))
            continue;
        if (solutions->count == solutions->capacity) {
            snprintf(info->detail, sizeof info->detail, "more than %d solutions", solutions->capacity);
            return STICK_SOLVE_LIMIT;
        }
        add(work, solutions, info);
    }
    return STICK_SOLVE_CONVERGED;
}

StickStatus stick_lcp_enumerate(StickContext *ctx, const StickLcp *lcp, StickLcpSolutions *solutions,
                                StickSolveInfo *info)
{
    Room room;
    STICK_TRY(stick_lcp_check(ctx, lcp));
    STICK_CHECK(ctx, lcp->n <= MOST, STICK_BAD_INPUT, "an LCP of order %d, but at most %d can be enumerated",
                lcp->n, MOST);
    STICK_CHECK(ctx, solutions->capacity >= 0, STICK_BAD_INPUT, "room for %d solutions of an LCP",
                solutions->capacity);
    StickLcpWork work = work_in(&room, lcp);
    *info = (StickSolveInfo){0};
    solutions->count = 0;
    info->end = visit_bases(&work, solutions, info);
    return STICK_OK;
}

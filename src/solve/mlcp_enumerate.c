// SPDX-License-Identifier: Apache-2.0
// All solutions of few pairs: every set of connected pairs whose system is regular, with p >= 0 and d >= 0.
#include "base/memory.h"
#include "solve/mlcp_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = STICK_MLCP_MOST_ENUMERATED };
static const double negative = 1e-10; // below minus this, relative to the largest value
static const double same = 1e-8;      // two solutions that differ by less are one

static bool is_solution(const StickMlcpWork *work)
{
    StickMlcpSizes sizes = stick_mlcp_sizes(work);
    for (int i = 0; i < work->m; i++)
        if (!(work->p[i] >= -negative * sizes.force &&
              work->d[i] >= -negative * (sizes.gap + fabs(work->eps[i]))))
            return false;
    return true;
}

static bool is_known(const StickMlcpWork *work, const StickMlcpSolutions *found)
{
    double bound = same * stick_mlcp_sizes(work).gap;
    for (int k = 0; k < found->count; k++) {
        const double *p = found->p + (size_t)k * (size_t)work->m,
                     *theta = found->theta + (size_t)k * (size_t)work->l;
        double apart = 0;
        for (int i = 0; i < work->m; i++)
            apart = fmax(apart, fabs(p[i] / work->S[i] - work->p[i]));
        for (int i = 0; i < work->l; i++)
            apart = fmax(apart, fabs(theta[i] / work->T[i] - work->theta[i]));
        if (apart <= bound)
            return true;
    }
    return false;
}

static void keep(const StickMlcpWork *work, StickMlcpSolutions *found)
{
    double *p = found->p + (size_t)found->count * (size_t)work->m;
    double *theta = found->theta + (size_t)found->count * (size_t)work->l;
    for (int i = 0; i < work->m; i++)
        p[i] = work->S[i] * fmax(work->p[i], 0);
    for (int k = 0; k < work->l; k++)
        theta[k] = work->T[k] * work->theta[k];
    found->count++;
}

// Connects the pairs of the bits; false if their system is singular.
static StickStatus connect_bits(StickMlcpWork *work, unsigned bits, bool *done)
{
    for (int i = 0; i < work->m; i++)
        work->flag[i] = bits >> i & 1;
    STICK_TRY(stick_mlcp_connect_set(work, work->flag, done));
    return *done ? stick_mlcp_evaluate(work, done) : STICK_OK;
}

static StickStatus visit_sets(StickMlcpWork *work, StickMlcpSolutions *found, StickMlcpInfo *info)
{
    info->solve.end = STICK_SOLVE_CONVERGED;
    for (unsigned bits = 0; bits < 1u << work->m; bits++) {
        bool done;
        info->solve.iterations++;
        if (__builtin_popcount(bits) < work->rank)
            continue;
        STICK_TRY(connect_bits(work, bits, &done));
        if (!done || !is_solution(work) || is_known(work, found))
            continue;
        if (found->count == found->capacity) {
            info->solve.end = STICK_SOLVE_LIMIT;
            snprintf(info->solve.detail, sizeof info->solve.detail, "more than %d solutions",
                     found->capacity);
            return STICK_OK;
        }
        keep(work, found);
    }
    info->solutions = found->count;
    return STICK_OK;
}

static StickStatus enumerate(StickMlcpWork *work, const StickMlcpSolution *solution,
                             StickMlcpSolutions *found, StickMlcpInfo *info)
{
    STICK_CHECK(work->ctx, work->m <= MOST, STICK_BAD_INPUT,
                "%d pairs, but at most %d can be enumerated: take connect-disconnect or lemke", work->m,
                MOST);
    found->count = 0;
    info->solve.end = stick_mlcp_choose(work, NULL, info);
    if (info->solve.end != STICK_SOLVE_CONVERGED) {
        stick_mlcp_is_unstable(work, solution, info);
        return STICK_OK;
    }
    STICK_TRY(visit_sets(work, found, info));
    if (found->count == 0 && !stick_mlcp_is_unstable(work, solution, info)) {
        info->solve.end = STICK_SOLVE_RAY;
        snprintf(info->solve.detail, sizeof info->solve.detail, "none of %d sets of pairs is a solution",
                 info->solve.iterations);
    }
    return STICK_OK;
}

StickStatus stick_mlcp_enumerate(StickContext *ctx, const StickMixedLcp *mates, StickMlcpSolutions *solutions,
                                 StickMlcpInfo *info)
{
    StickMlcpOptions options = stick_mlcp_options_default();
    StickMlcpWork work = {.ctx = ctx, .options = &options};
    StickMlcpInfo made = {0};
    STICK_TRY(stick_mlcp_check(ctx, mates));
    STICK_CHECK(ctx, solutions->capacity >= 0, STICK_BAD_INPUT, "room for %d solutions of the pairs",
                solutions->capacity);
    StickStatus status = stick_mlcp_begin(&work, mates);
    if (status == STICK_OK)
        status = enumerate(&work, &(StickMlcpSolution){0}, solutions, &made);
    stick_mlcp_free(&work);
    STICK_TRY(status);
    *info = made;
    return STICK_OK;
}

// Returns the first solution and counts the others.
static void give_first(StickMlcpWork *work, const StickMlcpSolutions *found,
                       const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    for (int i = 0; i < work->m; i++)
        work->p[i] = found->p[i] / work->S[i];
    for (int k = 0; k < work->l; k++)
        work->theta[k] = found->theta[k] / work->T[k];
    info->solve.end = stick_mlcp_give(work, solution, info);
    if (found->count > 1)
        snprintf(info->solve.detail, sizeof info->solve.detail, "the first of %d solutions", found->count);
}

StickStatus stick_mlcp_by_enumeration(StickMlcpWork *work, const bool *start,
                                      const StickMlcpSolution *solution, StickMlcpInfo *info)
{
    enum { ROOM = 64 };
    (void)start; // all sets are tried
    STICK_RESERVE(work->ctx, work->M, work->M_room, ROOM * (size_t)work->m);
    STICK_RESERVE(work->ctx, work->q, work->q_room, ROOM * (size_t)work->l);
    StickMlcpSolutions found = {.capacity = ROOM, .p = work->M, .theta = work->q};
    STICK_TRY(enumerate(work, solution, &found, info));
    info->solutions = found.count;
    if (found.count > 0)
        give_first(work, &found, solution, info);
    return STICK_OK;
}

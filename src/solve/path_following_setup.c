// SPDX-License-Identifier: Apache-2.0
// A path is made and starts: its memory, the scaled W, the checks of a state.
#include "base/memory.h"
#include "solve/lcp_work.h"
#include "solve/path_following_work.h"
#include "solve/problem.h"
#include "solve/section.h"

#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 8192 };

static const double at_limit = 1e-11; // share of the largest force below which a force is zero
static const double outside =
    1e-8; // share of the largest: admissible violation of the contact laws at the start

// ---- creation

void stick_path_following_destroy(StickPathFollowing *path)
{
    if (!path)
        return;
    double *reals[] = {path->mu,     path->W,     path->scale,  path->inverse,  path->x,     path->rhs,
                       path->row,    path->r,     path->u,      path->c,        path->b,     path->u_free,
                       path->held,   path->slip,  path->dr,     path->du,       path->T,     path->t,
                       path->z,      path->w,     path->lapack, path->response, path->image, path->solutions,
                       path->part_r, path->part_u};
    void *others[] = {path->member,      path->place, path->swaps,     path->status,    path->last_status,
                      path->next_status, path->side,  path->last_side, path->next_side, path->pair};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        stick_free(path->ctx, reals[k]);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        stick_free(path->ctx, others[k]);
    stick_blocks_destroy(path->ctx, &path->blocks);
    stick_lemke_destroy(path->lemke);
    stick_free(path->ctx, path);
}

static StickStatus take_system(StickContext *ctx, StickPathFollowing *path, size_t size)
{
    STICK_ALLOC(ctx, path->W, size * size);
    STICK_ALLOC(ctx, path->inverse, size * size);
    STICK_ALLOC(ctx, path->member, size);
    STICK_ALLOC(ctx, path->place, size);
    STICK_ALLOC(ctx, path->x, size);
    STICK_ALLOC(ctx, path->rhs, size);
    STICK_ALLOC(ctx, path->row, size);
    STICK_ALLOC(ctx, path->response, size);
    STICK_ALLOC(ctx, path->image, size);
    STICK_ALLOC(ctx, path->lapack, 64 * size);
    STICK_ALLOC(ctx, path->swaps, size);
    return STICK_OK;
}

static StickStatus take_state(StickContext *ctx, StickPathFollowing *path, size_t n, size_t rows)
{
    double **of_rows[] = {&path->r,  &path->u,  &path->c,      &path->b,     &path->u_free,
                          &path->dr, &path->du, &path->part_r, &path->part_u};
    unsigned char **statuses[] = {&path->status, &path->last_status, &path->next_status};
    signed char **sides[] = {&path->side, &path->last_side, &path->next_side};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        STICK_ALLOC(ctx, *of_rows[k], rows);
    for (size_t k = 0; k < 3; k++) {
        STICK_ALLOC(ctx, *statuses[k], n);
        STICK_ALLOC(ctx, *sides[k], n);
    }
    STICK_ALLOC(ctx, path->mu, n);
    STICK_ALLOC(ctx, path->scale, n);
    STICK_ALLOC(ctx, path->held, n);
    STICK_ALLOC(ctx, path->slip, rows);
    return STICK_OK;
}

static StickStatus take_rate_problem(StickContext *ctx, StickPathFollowing *path, size_t pairs)
{
    STICK_ALLOC(ctx, path->pair, pairs);
    STICK_ALLOC(ctx, path->T, pairs * pairs);
    STICK_ALLOC(ctx, path->t, pairs);
    STICK_ALLOC(ctx, path->z, pairs + STICK_LCP_MOST_ENUMERATED);
    STICK_ALLOC(ctx, path->w, pairs);
    STICK_ALLOC(ctx, path->solutions, (size_t)STICK_LCP_MOST_ENUMERATED * STICK_PATH_FOLLOWING_MOST_BRANCHES);
    STICK_TRY(stick_lemke_create(ctx, &path->lemke));
    return stick_lemke_reserve(path->lemke, (int)pairs);
}

static StickStatus copy_blocks(StickContext *ctx, const StickBlocks *W, StickBlocks *copy)
{
    size_t n = (size_t)W->n, blocks = (size_t)W->start[n], entries = blocks * (size_t)W->d * (size_t)W->d;
    copy->d = W->d;
    copy->n = W->n;
    STICK_ALLOC(ctx, copy->start, n + 1);
    STICK_ALLOC(ctx, copy->col, blocks);
    STICK_ALLOC(ctx, copy->value, entries);
    memcpy(copy->start, W->start, (n + 1) * sizeof *W->start);
    memcpy(copy->col, W->col, blocks * sizeof *W->col);
    memcpy(copy->value, W->value, entries * sizeof *W->value);
    return STICK_OK;
}

// Column v of W by its action: the same for blocks and operators, and done once.
static void fill_W(StickPathFollowing *path)
{
    for (int v = 0; v < path->size; v++) {
        int c = v / path->per;
        size_t at = stick_path_following_entry(path, c) + (size_t)(v % path->per);
        path->r[at] = 1;
        stick_friction_apply(&path->problem, path->r, path->u);
        path->r[at] = 0;
        for (int i = 0; i < path->size; i++) {
            size_t row = stick_path_following_entry(path, i / path->per) + (size_t)(i % path->per);
            path->W[(size_t)i + (size_t)path->size * (size_t)v] =
                path->u[row] / (path->scale[i / path->per] * path->scale[c]);
        }
    }
}

static StickStatus check_problem(StickContext *ctx, const StickFrictionProblem *problem)
{
    int per = problem->dim == 2 ? 2 : 1;
    STICK_CHECK(ctx, problem->ncontacts <= MOST_UNKNOWNS / per, STICK_BAD_INPUT,
                "%d contacts are too many for an exact path, at most %d", problem->ncontacts,
                MOST_UNKNOWNS / per);
    STICK_CHECK(
        ctx, !stick_section_any(problem), STICK_BAD_INPUT,
        "exact paths take the friction of a coefficient mu only, but a contact has a section of its own");
    for (int c = 0; c < problem->ncontacts && problem->dim > 1; c++) {
        STICK_CHECK(ctx, problem->mu && isfinite(problem->mu[c]) && problem->mu[c] >= 0, STICK_BAD_INPUT,
                    "mu of contact %d of a path is %g", c, problem->mu ? problem->mu[c] : NAN);
        STICK_CHECK(ctx, problem->dim == 2 || problem->mu[c] == 0, STICK_BAD_INPUT,
                    "mu of contact %d is %g: exact paths in space are without friction", c, problem->mu[c]);
    }
    return STICK_OK;
}

static StickStatus fill(StickContext *ctx, const StickFrictionProblem *problem, StickPathFollowing *path)
{
    size_t n = (size_t)problem->ncontacts, rows = n * (size_t)problem->dim;
    path->dim = problem->dim;
    path->n = problem->ncontacts;
    path->per = path->dim == 2 ? 2 : 1;
    path->size = path->per * path->n;
    STICK_TRY(take_state(ctx, path, n, rows));
    path->problem = (StickFrictionProblem){.dim = path->dim,
                                           .ncontacts = path->n,
                                           .W = problem->W,
                                           .apply_W = problem->apply_W,
                                           .u_free = path->u_free,
                                           .mu = problem->mu};
    STICK_TRY(stick_friction_check(ctx, &path->problem));
    if (problem->W && n > 0) {
        STICK_TRY(copy_blocks(ctx, problem->W, &path->blocks));
        path->problem.W = &path->blocks;
    }
    STICK_TRY(take_system(ctx, path, (size_t)path->size));
    STICK_TRY(take_rate_problem(ctx, path, (size_t)(path->per == 2 ? 3 : 1) * n));
    for (int c = 0; c < path->n; c++) {
        path->mu[c] = path->dim > 1 ? problem->mu[c] : 0;
        path->scale[c] = stick_power_of_two(sqrt(stick_friction_weight(&path->problem, c)));
    }
    path->problem.mu = path->mu;
    fill_W(path);
    return stick_path_following_start(path, NULL, NULL, NULL);
}

StickStatus stick_path_following_create(StickContext *ctx, const StickFrictionProblem *problem,
                                        StickPathFollowing **path)
{
    StickPathFollowing *created;
    STICK_TRY(check_problem(ctx, problem));
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    StickStatus status = fill(ctx, problem, created);
    if (status == STICK_OK)
        *path = created;
    else
        stick_path_following_destroy(created);
    return status;
}

// ---- a start

static double largest_of(const StickPathFollowing *path, const double *r, const double *gap)
{
    double largest = 0;
    for (int c = 0; c < path->n; c++) {
        for (int k = 0; r && k < path->dim; k++)
            largest =
                fmax(largest, fabs(r[stick_path_following_entry(path, c) + (size_t)k]) * path->scale[c]);
        if (gap && gap[c] < 0)
            largest = fmax(largest, -gap[c] / path->scale[c]);
    }
    return largest;
}

static StickStatus check_contact(const StickPathFollowing *path, int c, const double *r, double gap,
                                 double within)
{
    double T = path->dim == 2 ? fabs(r[1]) : path->dim == 3 ? hypot(r[1], r[2]) : 0;
    STICK_CHECK(path->ctx, isfinite(gap) && isfinite(r[0]) && isfinite(T), STICK_BAD_INPUT,
                "contact %d of a path starts with r_N = %g, |r_T| = %g, gap = %g", c, r[0], T, gap);
    STICK_CHECK(path->ctx, gap >= -within * path->scale[c], STICK_BAD_INPUT,
                "contact %d of a path starts with gap = %g, below zero", c, gap);
    STICK_CHECK(path->ctx,
                r[0] * path->scale[c] >= -within &&
                    (T - path->mu[c] * r[0]) * path->scale[c] <= within * (1 + path->mu[c]),
                STICK_BAD_INPUT,
                "contact %d of a path starts outside of its cone: r_N = %g, |r_T| = %g, mu = %g", c, r[0], T,
                path->mu[c]);
    STICK_CHECK(path->ctx, !(gap > within * path->scale[c]) || r[0] * path->scale[c] <= within,
                STICK_BAD_INPUT, "contact %d of a path starts open, gap = %g, with r_N = %g", c, gap, r[0]);
    return STICK_OK;
}

static StickStatus check_start(const StickPathFollowing *path, const double *r, const double *gap,
                               const double *slip)
{
    static const double none[3] = {0};
    double within = outside * largest_of(path, r, gap);
    size_t tangents = (size_t)(path->dim - 1);
    for (int c = 0; c < path->n; c++) {
        STICK_TRY(check_contact(path, c, r ? r + stick_path_following_entry(path, c) : none, gap ? gap[c] : 0,
                                within));
        for (size_t k = 0; slip && k < tangents; k++)
            STICK_CHECK(path->ctx, isfinite(slip[tangents * (size_t)c + k]), STICK_BAD_INPUT,
                        "contact %d of a path starts with slip %g", c, slip[tangents * (size_t)c + k]);
    }
    return STICK_OK;
}

// Pressed contacts are taken for stuck: on the cone they slip by the rate problem. c = u - W r.
static void take_start(StickPathFollowing *path, const double *r, const double *gap, const double *slip)
{
    size_t rows = stick_path_following_entry(path, path->n),
           tangents = (size_t)(path->dim - 1) * (size_t)path->n;
    double within = at_limit * largest_of(path, r, NULL);
    memset(path->r, 0, rows * sizeof *path->r);
    memset(path->held, 0, (size_t)path->n * sizeof *path->held);
    for (int c = 0; c < path->n; c++) {
        size_t N = stick_path_following_entry(path, c);
        bool is_pressed = r && r[N] * path->scale[c] > within;
        path->next_side[c] = is_pressed && path->dim == 2 && r[N + 1] < 0 ? -1 : 1;
        path->next_status[c] = !is_pressed                            ? STICK_PATH_FOLLOWING_OPEN
                               : stick_path_following_mu(path, c) > 0 ? STICK_PATH_FOLLOWING_STUCK
                                                                      : STICK_PATH_FOLLOWING_SLIPPING;
        for (size_t k = 0; is_pressed && k < (size_t)path->per; k++)
            path->r[N + k] = k == 0 || path->mu[c] > 0 ? r[N + k] : 0;
    }
    stick_friction_apply(&path->problem, path->r, path->c);
    for (int c = 0; c < path->n; c++) {
        size_t N = stick_path_following_entry(path, c);
        for (size_t k = 0; k < (size_t)path->dim; k++) {
            path->u[N + k] =
                k == 0 && gap && path->next_status[c] == STICK_PATH_FOLLOWING_OPEN ? fmax(gap[c], 0) : 0;
            path->c[N + k] = path->u[N + k] - path->c[N + k];
        }
    }
    if (slip)
        memcpy(path->slip, slip, tangents * sizeof *slip);
    else
        memset(path->slip, 0, tangents * sizeof *path->slip);
}

static bool start(StickPathFollowing *path, const double *r, const double *gap, const double *slip)
{
    take_start(path, r, gap, slip);
    path->s = 0;
    path->order = 0;
    path->is_current = false;
    memset(path->status, STICK_PATH_FOLLOWING_OPEN, (size_t)path->n);
    for (int v = 0; v < path->size; v++)
        path->place[v] = -1;
    return stick_path_following_exchange(path);
}

StickStatus stick_path_following_start(StickPathFollowing *path, const double *r, const double *gap,
                                       const double *slip)
{
    STICK_TRY(check_start(path, r, gap, slip));
    if (start(path, r, gap, slip))
        return STICK_OK;
    int order = path->order;
    start(path, NULL, NULL, NULL);
    return stick_fail(path->ctx, STICK_NOT_SOLVED,
                      "the contacts that a path starts with do not determine their %d forces: W is singular",
                      order);
}

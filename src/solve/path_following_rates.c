// SPDX-License-Identifier: Apache-2.0
// The rate problem: how contacts at a limit continue. Pairs of rates, one or three of a contact, form a
// complementarity problem w = T z + t with z = 0 for the present status; T holds the responses of the active system.
//
// The first problem contains only the contacts whose rates fail, which is usually sufficient; then all contacts at a
// limit. A contact at gap = 0 and r = 0 obeys Coulomb's law in (r', u'), which takes three pairs [RBV02 (12)].
#include "base/check.h"
#include "solve/path_following_work.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PROVED = 15, PIVOTS_PER_PAIR = 50 };

static const double negligible = 1e-11; // of rates, relative to the largest
static const double round_off = 1e-13;  // of a rate, relative to the largest that it is made of
static const double broken = 1e-8;      // residual, relative, that is not accepted

// ---- limits

static double scaled_r(const StickPathFollowing *path, int c, int k, const double *r)
{
    return r[stick_path_following_entry(path, c) + (size_t)k] * path->scale[c];
}

static double scaled_u(const StickPathFollowing *path, int c, int k, const double *u)
{
    return u[stick_path_following_entry(path, c) + (size_t)k] / path->scale[c];
}

double stick_path_following_phi(const StickPathFollowing *path, int c, int side, const double *r)
{
    return stick_path_following_mu(path, c) * scaled_r(path, c, 0, r) - side * scaled_r(path, c, 1, r);
}

// The round-off of a gap that was opened widely is its own.
bool stick_path_following_is_touching(const StickPathFollowing *path, int c)
{
    size_t N = stick_path_following_entry(path, c);
    if (path->status[c] != STICK_PATH_FOLLOWING_OPEN)
        return scaled_r(path, c, 0, path->r) <= path->zero.r;
    double own = 4e-15 * (fabs(path->c[N]) + fabs(path->b[N]) * path->s);
    return path->u[N] <= path->zero.u * path->scale[c] + own;
}

// The side of the cone that a stuck contact has come to, or 0.
static int limit_side(const StickPathFollowing *path, int c)
{
    double within = path->zero.r * fmin(1, path->mu[c]);
    return stick_path_following_phi(path, c, 1, path->r) <= within    ? 1
           : stick_path_following_phi(path, c, -1, path->r) <= within ? -1
                                                                      : 0;
}

static double below(double value, double zero)
{
    return value < -zero ? value : 0;
}

// How far the rates of a contact at a limit fail: negative if they do.
static double failing_stuck(const StickPathFollowing *path, int c)
{
    double plus = below(stick_path_following_phi(path, c, 1, path->dr), path->zero.dr);
    double minus = below(stick_path_following_phi(path, c, -1, path->dr), path->zero.dr);
    if (stick_path_following_is_touching(path, c))
        return fmin(plus, minus);
    int side = limit_side(path, c);
    return side > 0 ? plus : side < 0 ? minus : 0;
}

static double failing_slip(const StickPathFollowing *path, int c)
{
    double least =
        stick_path_following_is_touching(path, c) ? below(scaled_r(path, c, 0, path->dr), path->zero.dr) : 0;
    if (stick_path_following_mu(path, c) > 0)
        least = fmin(least, below(-path->side[c] * scaled_u(path, c, 1, path->du), path->zero.du));
    return least;
}

static double failing(const StickPathFollowing *path, int c)
{
    switch (path->status[c]) {
    case STICK_PATH_FOLLOWING_STUCK:
        return failing_stuck(path, c);
    case STICK_PATH_FOLLOWING_SLIPPING:
        return failing_slip(path, c);
    default:
        return stick_path_following_is_touching(path, c)
                   ? below(scaled_u(path, c, 0, path->du), path->zero.du)
                   : 0;
    }
}

static int worst_contact(const StickPathFollowing *path)
{
    int worst = -1;
    double least = 0;
    for (int c = 0; c < path->n; c++)
        if (failing(path, c) < least) {
            least = failing(path, c);
            worst = c;
        }
    return worst;
}

// ---- rates

// Sizes of loads and forces, and the thresholds below which rates count as zero. Returns the larger size.
static double measure_rates(StickPathFollowing *path)
{
    double load = 0, force = 0;
    for (int c = 0; c < path->n; c++)
        for (int k = 0; k < path->dim; k++) {
            load = fmax(load, fabs(scaled_u(path, c, k, path->b)));
            force = fmax(force, fabs(scaled_r(path, c, k, path->dr)));
        }
    path->zero.dr = negligible * force + round_off * load;
    path->zero.du = negligible * load + round_off * force;
    return fmax(load, force);
}

static void clear_closed(StickPathFollowing *path)
{
    for (int c = 0; c < path->n; c++) {
        double *du = path->du + stick_path_following_entry(path, c);
        if (path->status[c] != STICK_PATH_FOLLOWING_OPEN)
            du[0] = 0;
        if (path->status[c] == STICK_PATH_FOLLOWING_STUCK)
            du[1] = 0;
    }
}

StickPathFollowingEnd stick_path_following_rates(StickPathFollowing *path)
{
    double residual = stick_path_following_solve(path, path->b, NULL, path->dr, path->du);
    double size = measure_rates(path);
    if (!(residual <= 1e-10 * size) && path->updates > 0) {
        if (!stick_path_following_refactor(path))
            return STICK_PATH_FOLLOWING_SINGULAR;
        residual = stick_path_following_solve(path, path->b, NULL, path->dr, path->du);
        size = measure_rates(path);
    }
    if (!(residual <= broken * size) || !isfinite(size))
        return STICK_PATH_FOLLOWING_ROUND_OFF;
    clear_closed(path);
    return STICK_PATH_FOLLOWING_DONE;
}

// ---- the complementarity problem

static void add_pair(StickPathFollowing *path, int c, StickPairKind kind)
{
    path->pair[path->npairs++] = (StickPathFollowingPair){c, kind};
}

// The side of a contact that closes is that of its present motion: only u_N' can fail then.
static void add_touching(StickPathFollowing *path, int c)
{
    add_pair(path, c, STICK_PAIR_CLOSE);
    if (stick_path_following_mu(path, c) == 0)
        return;
    path->side[c] = scaled_u(path, c, 1, path->du) > 0 ? -1 : 1;
    add_pair(path, c, STICK_PAIR_RESTICK);
    add_pair(path, c, STICK_PAIR_OTHER);
}

static void gather_pairs(StickPathFollowing *path, bool all)
{
    path->npairs = 0;
    for (int c = 0; c < path->n; c++) {
        if (!all && failing(path, c) == 0)
            continue;
        if (path->status[c] == STICK_PATH_FOLLOWING_OPEN && stick_path_following_is_touching(path, c))
            add_touching(path, c);
        if (path->status[c] == STICK_PATH_FOLLOWING_SLIPPING && stick_path_following_mu(path, c) > 0)
            add_pair(path, c, STICK_PAIR_RESTICK);
        if (path->status[c] == STICK_PATH_FOLLOWING_STUCK && limit_side(path, c) != 0)
            add_pair(path, c, STICK_PAIR_SLIP);
    }
}

// Value of a pair's row from scaled r and u.
static double row_value(const StickPathFollowing *path, StickPathFollowingPair pair, const double *r,
                        const double *u)
{
    int v = path->per * pair.contact, side = path->side[pair.contact];
    double mu = stick_path_following_mu(path, pair.contact);
    switch (pair.kind) {
    case STICK_PAIR_CLOSE:
        return u[v];
    case STICK_PAIR_RESTICK:
        return -side * u[v + 1];
    case STICK_PAIR_SLIP:
        return mu * r[v] - side * r[v + 1];
    case STICK_PAIR_OTHER:
        return mu * r[v] + side * r[v + 1];
    }
    return 0;
}

// Scaled r of the contact itself for a unit of an unknown outside of the active system.
static void add_unit(StickPathFollowing *path, StickPathFollowingPair pair, double *r)
{
    int v = path->per * pair.contact, side = path->side[pair.contact];
    if (pair.kind == STICK_PAIR_CLOSE) {
        r[v] += 1;
        if (path->per == 2)
            r[v + 1] += side * path->mu[pair.contact];
    } else
        r[v + 1] -= side;
}

// Scaled r and u that answer to a unit of a pair's column.
static void respond(StickPathFollowing *path, StickPathFollowingPair pair)
{
    int v = path->per * pair.contact + (pair.kind != STICK_PAIR_CLOSE);
    double *r = path->response;
    if (pair.kind == STICK_PAIR_SLIP) {
        memset(path->rhs, 0, (size_t)path->order * sizeof *path->rhs);
        path->rhs[path->place[v]] = 1;
    } else {
        stick_path_following_column(path, v, path->rhs);
        for (int k = 0; k < path->order; k++)
            path->rhs[k] = -path->rhs[k];
    }
    stick_path_following_apply_inverse(path, path->rhs, path->x);
    stick_path_following_scatter(path, path->x, r);
    if (pair.kind != STICK_PAIR_SLIP)
        add_unit(path, pair, r);
    cblas_dgemv(CblasColMajor, CblasNoTrans, path->size, path->size, 1, path->W, path->size, r, 1, 0,
                path->image, 1);
}

// The column of the other side: -side u_T' = lambda - lambda_other, so that only the previous row depends on it.
static void fill_other(StickPathFollowing *path, int column)
{
    double *T = path->T + (size_t)path->npairs * (size_t)column;
    memset(T, 0, (size_t)path->npairs * sizeof *T);
    T[column - 1] = 1;
}

static void fill_T(StickPathFollowing *path)
{
    for (int j = 0; j < path->npairs; j++) {
        if (path->pair[j].kind == STICK_PAIR_OTHER) {
            fill_other(path, j);
            continue;
        }
        respond(path, path->pair[j]);
        for (int i = 0; i < path->npairs; i++)
            path->T[(size_t)i + (size_t)path->npairs * (size_t)j] =
                row_value(path, path->pair[i], path->response, path->image);
    }
}

static void fill_t(StickPathFollowing *path)
{
    for (int c = 0; c < path->n; c++)
        for (int k = 0; k < path->per; k++) {
            path->response[path->per * c + k] = scaled_r(path, c, k, path->dr);
            path->image[path->per * c + k] = scaled_u(path, c, k, path->du);
        }
    for (int i = 0; i < path->npairs; i++) {
        double value = row_value(path, path->pair[i], path->response, path->image);
        bool is_force = path->pair[i].kind == STICK_PAIR_SLIP || path->pair[i].kind == STICK_PAIR_OTHER;
        path->t[i] = fabs(value) > (is_force ? path->zero.dr : path->zero.du) ? value : 0;
    }
}

// The side of a contact on its cone becomes that side.
static bool turn_to_limits(StickPathFollowing *path)
{
    memcpy(path->next_status, path->status, (size_t)path->n);
    memcpy(path->next_side, path->side, (size_t)path->n);
    for (int c = 0; c < path->n; c++)
        if (path->status[c] == STICK_PATH_FOLLOWING_STUCK && limit_side(path, c) != 0)
            path->next_side[c] = (signed char)limit_side(path, c);
    return stick_path_following_exchange(path);
}

static StickPathFollowingEnd build_problem(StickPathFollowing *path, bool all)
{
    if (!turn_to_limits(path))
        return STICK_PATH_FOLLOWING_SINGULAR;
    gather_pairs(path, all);
    fill_T(path);
    fill_t(path);
    path->info.rate_problems++;
    path->info.large_problems += all;
    return STICK_PATH_FOLLOWING_DONE;
}

// ---- its solution

// A scalar problem has one solution, several, or none; it needs no method.
static bool solve_scalar(StickPathFollowing *path)
{
    path->z[0] = path->t[0] < 0 ? -path->t[0] / path->T[0] : 0;
    path->info.proved = !(path->T[0] > 0);
    return path->t[0] >= 0 || path->T[0] > 0;
}

static int count_positive(int n, const double *z)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += z[i] > 0;
    return count;
}

// Of all solutions the one with the fewest changes of the present status.
static bool enumerate_pairs(StickPathFollowing *path, const StickLcp *lcp)
{
    StickSolveInfo info;
    StickLcpSolutions found = {.capacity = STICK_PATH_FOLLOWING_MOST_BRANCHES, .z = path->solutions};
    int fewest = lcp->n + 1;
    if (stick_lcp_enumerate(path->ctx, lcp, &found, &info) != STICK_OK)
        return false;
    for (int k = 0; k < found.count; k++) {
        const double *z = found.z + (size_t)k * (size_t)lcp->n;
        int count = count_positive(lcp->n, z);
        if (count < fewest)
            memcpy(path->z, z, (size_t)lcp->n * sizeof *z);
        fewest = count < fewest ? count : fewest;
    }
    path->info.proved = found.count == 0;
    return found.count > 0;
}

// From the basis in which every pair has changed, if the present one leads to a ray.
static bool solve_from_afar(StickPathFollowing *path, const StickLcp *lcp, int most_pivots)
{
    StickSolveInfo info;
    for (int i = 0; i < lcp->n; i++)
        path->z[i] = 1;
    return stick_lemke_solve_near(path->lemke, lcp, most_pivots, path->z, &info) == STICK_OK &&
           info.end == STICK_SOLVE_CONVERGED;
}

// Lemke's covering vector starts from z = 0, the present status. A ray of it proves little where friction is
// high.
static bool solve_pairs(StickPathFollowing *path)
{
    StickLcp lcp = {path->npairs, path->T, path->t};
    StickSolveInfo info;
    int most_pivots = PIVOTS_PER_PAIR * lcp.n + 50;
    path->info.detail[0] = '\0';
    if (lcp.n == 1)
        return solve_scalar(path);
    if (stick_lemke_solve(path->lemke, &lcp, most_pivots, path->z, &info) != STICK_OK)
        return false;
    if (info.end == STICK_SOLVE_CONVERGED)
        return true;
    path->info.proved = strstr(info.detail, "infeasible") != NULL;
    snprintf(path->info.detail, sizeof path->info.detail, "%s", info.detail);
    return lcp.n <= MOST_PROVED ? enumerate_pairs(path, &lcp) : solve_from_afar(path, &lcp, most_pivots);
}

static bool is_chosen(const StickPathFollowing *path, int i)
{
    return path->z[i] > path->w[i];
}

static void choose_touching(StickPathFollowing *path, int i)
{
    int c = path->pair[i].contact;
    if (!is_chosen(path, i))
        return;
    path->next_status[c] = STICK_PATH_FOLLOWING_SLIPPING;
    if (stick_path_following_mu(path, c) == 0)
        return;
    if (is_chosen(path, i + 2))
        path->next_side[c] = (signed char)-path->side[c];
    else if (is_chosen(path, i + 1))
        path->next_status[c] = STICK_PATH_FOLLOWING_STUCK;
}

// Takes the status that the pairs of a solution z imply.
static bool adopt(StickPathFollowing *path)
{
    int n = path->npairs;
    memcpy(path->next_status, path->status, (size_t)path->n);
    memcpy(path->next_side, path->side, (size_t)path->n);
    memcpy(path->w, path->t, (size_t)n * sizeof *path->w);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, path->T, n, path->z, 1, 1, path->w, 1);
    for (int i = 0; i < n; i++) {
        int c = path->pair[i].contact;
        if (path->pair[i].kind == STICK_PAIR_CLOSE)
            choose_touching(path, i);
        else if (path->status[c] == STICK_PATH_FOLLOWING_SLIPPING && is_chosen(path, i))
            path->next_status[c] = STICK_PATH_FOLLOWING_STUCK;
        else if (path->status[c] == STICK_PATH_FOLLOWING_STUCK && is_chosen(path, i))
            path->next_status[c] = STICK_PATH_FOLLOWING_SLIPPING;
    }
    return stick_path_following_exchange(path);
}

// A closed contact at r = 0 is treated as an open one.
static StickPathFollowingEnd open_tips(StickPathFollowing *path, bool all)
{
    bool any = false;
    memcpy(path->next_status, path->status, (size_t)path->n);
    memcpy(path->next_side, path->side, (size_t)path->n);
    for (int c = 0; c < path->n; c++)
        if (path->status[c] != STICK_PATH_FOLLOWING_OPEN && stick_path_following_is_touching(path, c) &&
            (all || failing(path, c) < 0)) {
            path->next_status[c] = STICK_PATH_FOLLOWING_OPEN;
            path->u[stick_path_following_entry(path, c)] = 0;
            any = true;
        }
    if (!any)
        return STICK_PATH_FOLLOWING_DONE;
    return stick_path_following_exchange(path) ? stick_path_following_rates(path)
                                               : STICK_PATH_FOLLOWING_SINGULAR;
}

// One attempt: the failing contacts alone, or all at a limit. *solved: whether rates were found.
static StickPathFollowingEnd attempt(StickPathFollowing *path, bool all, bool *solved)
{
    StickPathFollowingEnd end = open_tips(path, all);
    *solved = true;
    if (end != STICK_PATH_FOLLOWING_DONE || worst_contact(path) < 0)
        return end;
    end = build_problem(path, all);
    if (end != STICK_PATH_FOLLOWING_DONE)
        return end;
    *solved = solve_pairs(path);
    if (*solved && !adopt(path))
        return STICK_PATH_FOLLOWING_SINGULAR;
    return stick_path_following_rates(path);
}

StickPathFollowingEnd stick_path_following_settle(StickPathFollowing *path)
{
    bool solved = true;
    StickPathFollowingEnd end = stick_path_following_rates(path);
    for (int k = 0; k < 3 && end == STICK_PATH_FOLLOWING_DONE; k++) {
        int worst = worst_contact(path);
        if (worst < 0)
            return STICK_PATH_FOLLOWING_DONE;
        path->info.contact = worst;
        if (!solved && k > 1)
            return STICK_PATH_FOLLOWING_JUMP;
        end = attempt(path, k > 0, &solved);
    }
    if (end != STICK_PATH_FOLLOWING_DONE || worst_contact(path) < 0)
        return end;
    return solved ? STICK_PATH_FOLLOWING_ROUND_OFF : STICK_PATH_FOLLOWING_JUMP;
}

// ---- several branches

static void write_branch(StickPathFollowing *path, int k, StickPathFollowingBranches *branches)
{
    size_t rows = stick_path_following_entry(path, path->n);
    memcpy(branches->dr + rows * (size_t)k, path->dr, rows * sizeof *path->dr);
    for (int c = 0; c < path->n; c++)
        branches->status[(size_t)path->n * (size_t)k + (size_t)c] = stick_path_following_contact(path, c);
}

// Goes to the status of every solution and back to that of the problem.
static StickStatus visit(StickPathFollowing *path, const StickLcpSolutions *found,
                         StickPathFollowingBranches *branches)
{
    size_t n = (size_t)path->n;
    memcpy(path->last_status, path->status, n);
    memcpy(path->last_side, path->side, n);
    for (int k = 0; k < found->count; k++) {
        memcpy(path->z, found->z + (size_t)k * (size_t)path->npairs, (size_t)path->npairs * sizeof *path->z);
        bool is_regular = adopt(path) && stick_path_following_rates(path) == STICK_PATH_FOLLOWING_DONE;
        if (is_regular)
            write_branch(path, branches->count++, branches);
        memcpy(path->next_status, path->last_status, n);
        memcpy(path->next_side, path->last_side, n);
        STICK_CHECK(path->ctx, stick_path_following_exchange(path), STICK_NOT_SOLVED,
                    "the active system of a path is singular");
    }
    return STICK_OK;
}

StickStatus stick_path_following_branches(StickPathFollowing *path, const double *b,
                                          StickPathFollowingBranches *branches)
{
    StickSolveInfo info;
    STICK_CHECK(path->ctx,
                branches->capacity >= 1 && branches->capacity <= STICK_PATH_FOLLOWING_MOST_BRANCHES,
                STICK_BAD_INPUT, "room for %d branches of a path, not 1 to %d", branches->capacity,
                STICK_PATH_FOLLOWING_MOST_BRANCHES);
    STICK_TRY(stick_path_following_load(path, b));
    bool is_regular = stick_path_following_rates(path) == STICK_PATH_FOLLOWING_DONE &&
                      open_tips(path, true) == STICK_PATH_FOLLOWING_DONE &&
                      build_problem(path, true) == STICK_PATH_FOLLOWING_DONE;
    STICK_CHECK(path->ctx, is_regular, STICK_NOT_SOLVED, "the active system of a path is singular");
    STICK_CHECK(path->ctx, path->npairs <= STICK_LCP_MOST_ENUMERATED, STICK_BAD_INPUT,
                "%d pairs of rates at a limit, but at most %d can be enumerated", path->npairs,
                STICK_LCP_MOST_ENUMERATED);
    branches->count = 0;
    StickLcpSolutions found = {.capacity = branches->capacity, .z = path->solutions};
    STICK_TRY(stick_lcp_enumerate(path->ctx, &(StickLcp){path->npairs, path->T, path->t}, &found, &info));
    branches->more = info.end == STICK_SOLVE_LIMIT;
    return visit(path, &found, branches);
}

// SPDX-License-Identifier: Apache-2.0
// Exact paths against closed forms, the published statuses of the polyurethane block, an incremental solver
// and the verifier, which certifies every linear part as one increment.
#include "check.h"

#include "base/random.h"
#include "solve/block.h"
#include "solve/operators.h"
#include "solve/path_following.h"

#include <stickslip/certificate.h>

enum { MOST = 64 };

// A small problem in the plane by its dense W.
typedef struct Small {
    int start[MOST + 1], col[MOST * MOST];
    double value[4 * MOST * MOST], mu[MOST];
    StickBlocks W;
    StickFrictionProblem problem;
} Small;

static Small small;
static Block block;

static double *entry_of(Small *made, int i, int j)
{
    int n = made->W.n, d = made->W.d;
    return made->value + ((i / d) * n + j / d) * d * d + i % d * d + j % d;
}

static void make_small(Small *made, int dim, int n, double mu)
{
    memset(made, 0, sizeof *made);
    for (int c = 0; c < n; c++) {
        made->start[c + 1] = (c + 1) * n;
        made->mu[c] = mu;
        for (int k = 0; k < n; k++)
            made->col[c * n + k] = k;
    }
    made->W = (StickBlocks){dim, n, made->start, made->col, made->value};
    made->problem = (StickFrictionProblem){.dim = dim, .ncontacts = n, .W = &made->W, .mu = made->mu};
}

// ---- an observer that keeps events and certifies parts

typedef struct Seen {
    StickContext *ctx;
    const StickFrictionProblem *problem;
    const double *b;
    StickPathFollowing *path;
    StickPathFollowingEvent event[1024];
    int count[1024][3];
    int nevents, nparts;
} Seen;

static Seen seen;

static void see_event(void *user, const StickPathFollowingEvent *event)
{
    Seen *all = user;
    assert_true(all->nevents < 1024);
    stick_path_following_count(all->path, all->count[all->nevents]);
    all->event[all->nevents++] = *event;
}

// From s0 to s1 the state is the solution of one increment: u = u(s0) + W (r - r(s0)) + b (s1 - s0).
static void certify_increment(Seen *all, double s0, double s1)
{
    double r0[2 * MOST], r[2 * MOST], gap0[MOST], u_free[2 * MOST];
    int n = all->problem->ncontacts, dim = all->problem->dim;
    StickCertificate certificate;
    stick_path_following_at(all->path, s0, r0, gap0, NULL);
    stick_path_following_at(all->path, s1, r, NULL, NULL);
    stick_friction_apply(all->problem, r0, u_free);
    for (int i = 0; i < dim * n; i++)
        u_free[i] = (i % dim == 0 ? gap0[i / dim] : 0) - u_free[i] + all->b[i] * (s1 - s0);
    StickFrictionProblem increment = *all->problem;
    increment.u_free = u_free;
    assert_ok(all->ctx, stick_certify(all->ctx, &increment, r, 0, 1e-10, &certificate));
    if (!certificate.certified)
        print_error("part %g .. %g: error %.2e, scale-free %.2e\n", s0, s1, certificate.error,
                    certificate.error_scale_free);
    assert_true(certificate.certified);
}

static void see_part(void *user, const StickPathFollowing *path, double s0, double s1)
{
    Seen *all = user;
    (void)path;
    assert_true(s1 > s0);
    certify_increment(all, s0, s1);
    certify_increment(all, s0, s0 + 0.3 * (s1 - s0));
    all->nparts++;
}

static StickPathFollowingInfo follow(StickContext *ctx, StickPathFollowing *path,
                                     const StickFrictionProblem *problem, const double *b, double ds)
{
    StickPathFollowingInfo info;
    StickPathFollowingObserver observer = {see_event, see_part, &seen};
    seen = (Seen){.ctx = ctx, .problem = problem, .b = b, .path = path};
    assert_ok(ctx, stick_path_following_follow(path, b, ds, &observer, &info));
    assert_int_equal(info.events, seen.nevents);
    assert_int_equal(info.parts, seen.nparts);
    return info;
}

static void follow_to_end(StickContext *ctx, StickPathFollowing *path, const StickFrictionProblem *problem,
                          const double *b, double ds)
{
    StickPathFollowingInfo info = follow(ctx, path, problem, b, ds);
    if (info.end != STICK_PATH_FOLLOWING_DONE)
        print_error("%s\n", info.detail);
    assert_int_equal(info.end, STICK_PATH_FOLLOWING_DONE);
    assert_near(info.s, ds, 0);
    assert_below(info.residual, 1e-10);
}

static void assert_event(int k, double s, int contact, StickPathFollowingStatus from,
                         StickPathFollowingStatus to, int direction)
{
    assert_true(k < seen.nevents);
    assert_near(seen.event[k].s, s, 1e-11 * (1 + s));
    assert_int_equal(seen.event[k].contact, contact);
    assert_int_equal(seen.event[k].from.status, from);
    assert_int_equal(seen.event[k].to.status, to);
    assert_int_equal(seen.event[k].to.direction, direction);
}

// ---- the polyurethane block [RBV02 table 3]

typedef struct Row {
    int stick, slip, open;
    double begins; // -U_T in mm
    double within;
} Row;

// Printed statuses and where they begin; those that the table leaves out have no printed place.
static const Row rows[] = {
    {20, 1, 0, 0.86080, 1e-5}, {20, 0, 1, 0.8704, 1e-4},  {19, 1, 1, 1.03589, 1e-5},
    {18, 1, 2, 1.19514, 1e-5}, {17, 2, 2, 1.31878, 1e-5}, {17, 1, 3, 1.386, 1e-3},
    {16, 2, 3, 1.43867, 1e-5}, {14, 4, 3, 1.62158, 1e-5}, {12, 6, 3, 1.72412, 1e-5},
    {10, 8, 3, 1.77286, 1e-5}, {7, 11, 3, 1.80966, 1e-5}, {4, 14, 3, 1.96282, 1e-5},
    {3, 15, 3, 2.12123, 1e-5}, {2, 16, 3, 2.41312, 1e-5}, {2, 15, 4, 2.72277, 1e-5},
    {1, 16, 4, 3.34685, 1e-5}, {0, 17, 4, 6.16902, 1e-5},
};

static void assert_forces(const StickPathFollowing *path, double normal, double tangential)
{
    double r[2 * MOST_BLOCK_CONTACTS], N = 0, T = 0;
    stick_path_following_state(path, r, NULL, NULL);
    for (int c = 0; c < block.problem.ncontacts; c++) {
        N += r[2 * c];
        T += r[2 * c + 1];
    }
    assert_near(N, normal, 6e-6);
    assert_near(T, tangential, 6e-6);
}

static StickPathFollowing *pressed_block(StickContext *ctx, int cells, double mu)
{
    StickPathFollowing *path;
    assert_int_equal(block_build(cells, mu, &block), 0);
    assert_ok(ctx, stick_path_following_create(ctx, &block.problem, &path));
    block_load(&block, 0.5, 0);
    follow_to_end(ctx, path, &block.problem, block.u_free, 1);
    return path;
}

static void the_block_of_polyurethane(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path = pressed_block(ctx, 20, 1.1);
    int count[3], k = 0;
    stick_path_following_count(path, count);
    assert_int_equal(count[STICK_PATH_FOLLOWING_STUCK], 21);
    assert_forces(path, 5.70835, 0);
    block_load(&block, 0, 1);
    follow_to_end(ctx, path, &block.problem, block.u_free, 6.5);
    assert_forces(path, 8.30168, -9.13184);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        while (k < seen.nevents && !(seen.count[k][STICK_PATH_FOLLOWING_STUCK] == row->stick &&
                                     seen.count[k][STICK_PATH_FOLLOWING_SLIPPING] == row->slip &&
                                     seen.count[k][STICK_PATH_FOLLOWING_OPEN] == row->open))
            k++;
        if (k == seen.nevents)
            fail_msg("no status %d/%d/%d", row->stick, row->slip, row->open);
        assert_near(seen.event[k].s, row->begins, row->within);
    }
    // the corner slips against the later direction, all others with it
    assert_event(0, seen.event[0].s, 0, STICK_PATH_FOLLOWING_STUCK, STICK_PATH_FOLLOWING_SLIPPING, -1);
    for (k = 1; k < seen.nevents; k++)
        assert_true(seen.event[k].to.status == STICK_PATH_FOLLOWING_OPEN || seen.event[k].to.direction == 1);
    stick_path_following_destroy(path);
}

// Increments of the general solver cross events and are late by part of one; the state tends to that of the
// path.
static void increments_tend_to_the_path(void **state)
{
    enum { STEPS = 125 };
    StickContext *ctx = *state;
    StickPathFollowing *path = pressed_block(ctx, 20, 1.1);
    StickSolver *solver;
    StickSolverOptions options = stick_solver_options_default();
    double r[42], u[42], slid[21] = {0}, exact[42], slip[21], b[42], apart = 0, slip_apart = 0;
    assert_ok(ctx, stick_solver_create(ctx, "auto", &options, &solver));
    stick_path_following_state(path, r, NULL, NULL);
    for (int k = 1; k <= STEPS; k++) {
        StickSolveInfo info;
        block_load(&block, 0.5, 2.5 * k / STEPS);
        for (int c = 0; c < 21; c++)
            block.u_free[2 * c + 1] -= slid[c];
        assert_ok(ctx, stick_solver_solve(solver, &block.problem, r, u, &info));
        assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
        for (int c = 0; c < 21; c++)
            slid[c] += u[2 * c + 1];
    }
    block_load(&block, 0, 1);
    memcpy(b, block.u_free, sizeof b);
    follow_to_end(ctx, path, &block.problem, b, 2.5);
    stick_path_following_state(path, exact, NULL, slip);
    for (int i = 0; i < 42; i++)
        apart = fmax(apart, fabs(r[i] - exact[i]));
    for (int c = 0; c < 21; c++)
        slip_apart = fmax(slip_apart, fabs(slid[c] - slip[c]));
    assert_below(apart, 1e-3);
    assert_below(slip_apart, 2e-3);
    stick_solver_destroy(solver);
    stick_path_following_destroy(path);
}

// A path that is stopped at arbitrary points and restarted from its reported state continues as if uninterrupted.
static void a_path_goes_on_from_its_state(void **state)
{
    StickContext *ctx = *state;
    double whole[42], r[42], gap[21], slip[21], whole_slip[21];
    StickPathFollowing *path = pressed_block(ctx, 20, 1.1);
    block_load(&block, 0, 1);
    follow_to_end(ctx, path, &block.problem, block.u_free, 3.1);
    stick_path_following_state(path, whole, NULL, whole_slip);
    stick_path_following_destroy(path);
    path = pressed_block(ctx, 20, 1.1);
    block_load(&block, 0, 1);
    const double pieces[] = {0.5, 0.365, 0.6, 0.3, 0.1, 1.235};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        follow_to_end(ctx, path, &block.problem, block.u_free, pieces[k]);
        stick_path_following_state(path, r, gap, slip);
        assert_ok(ctx, stick_path_following_start(path, r, gap, slip));
    }
    for (int i = 0; i < 42; i++)
        assert_near(r[i], whole[i], 1e-10);
    for (int c = 0; c < 21; c++)
        assert_near(slip[c], whole_slip[c], 1e-10);
    stick_path_following_destroy(path);
}

// ---- one elastic node [Klarbring]: K = [[2, 1], [1, 2]]

static void make_node(double mu)
{
    make_small(&small, 2, 1, mu);
    double W[4] = {2.0 / 3, -1.0 / 3, -1.0 / 3, 2.0 / 3};
    memcpy(small.value, W, sizeof W);
}

// The free displacement under a force (f_T, f_N).
static void node_load(double f_T, double f_N, double b[2])
{
    b[0] = (2 * f_N - f_T) / 3;
    b[1] = (2 * f_T - f_N) / 3;
}

static int count_branches(StickContext *ctx, const double b[2], double dr[2 * 8],
                          StickPathFollowingContact status[8])
{
    StickPathFollowing *path;
    StickPathFollowingBranches branches = {.capacity = 8, .dr = dr, .status = status};
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    assert_ok(ctx, stick_path_following_branches(path, b, &branches));
    assert_false(branches.more);
    stick_path_following_destroy(path);
    return branches.count;
}

static void three_ways_from_one_load(void **state)
{
    double b[2], dr[16];
    StickPathFollowingContact status[8];
    make_node(2.5);
    // the reference's force (-0.927184, -0.374607) to all digits
    node_load(-cos(acos(-1) * 22 / 180), -sin(acos(-1) * 22 / 180), b);
    assert_int_equal(count_branches(*state, b, dr, status), 3);
    int found[3] = {0};
    for (int k = 0; k < 3; k++) {
        found[status[k].status]++;
        double N[] = {0, 0.374607, 0.355941}, T[] = {0, 0.927184, 0.889853};
        assert_near(dr[2 * k], N[status[k].status], 6e-7);
        assert_near(dr[2 * k + 1], T[status[k].status], 6e-7);
        if (status[k].status == STICK_PATH_FOLLOWING_SLIPPING)
            assert_int_equal(status[k].direction, -1);
    }
    assert_true(found[0] == 1 && found[1] == 1 && found[2] == 1);
}

static void one_way_below_the_bound(void **state)
{
    double b[2], dr[16];
    StickPathFollowingContact status[8];
    make_node(1.9);
    for (int k = 0; k < 100; k++) {
        node_load(cos(0.0628 * k + 0.01), sin(0.0628 * k + 0.01), b);
        assert_int_equal(count_branches(*state, b, dr, status), 1);
    }
}

// Pulled against the coupling at mu = 1.9 it slips at s = mu and lifts at s = 2; above the bound 2 there is
// no way on.
static void a_path_that_ends_by_a_jump(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path;
    double b[2], r[2] = {1, 0};
    for (int k = 0; k < 2; k++) {
        make_node(k ? 2.5 : 1.9);
        assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
        assert_ok(ctx, stick_path_following_start(path, r, NULL, NULL));
        node_load(-1, 0, b);
        StickPathFollowingInfo info = follow(ctx, path, &small.problem, b, 3);
        if (k == 0) {
            assert_int_equal(info.end, STICK_PATH_FOLLOWING_DONE);
            assert_int_equal(seen.nevents, 2);
            assert_event(0, 1.9, 0, STICK_PATH_FOLLOWING_STUCK, STICK_PATH_FOLLOWING_SLIPPING, -1);
            assert_event(1, 2, 0, STICK_PATH_FOLLOWING_SLIPPING, STICK_PATH_FOLLOWING_OPEN, 0);
        } else {
            double at[2];
            assert_int_equal(info.end, STICK_PATH_FOLLOWING_JUMP);
            assert_near(info.s, 2.5, 1e-12);
            assert_int_equal(info.contact, 0);
            assert_true(info.proved);
            assert_non_null(strstr(info.detail, "jump"));
            stick_path_following_state(path, at, NULL, NULL);
            assert_near(at[0], 1, 1e-12);
            assert_near(at[1], 2.5, 1e-12);
            // the other way it slides for ever
            node_load(1, 0, b);
            follow_to_end(ctx, path, &small.problem, b, 9);
            assert_event(0, 5, 0, STICK_PATH_FOLLOWING_STUCK, STICK_PATH_FOLLOWING_SLIPPING, 1);
        }
        stick_path_following_destroy(path);
    }
}

// ---- Jenkins elements in parallel, in series with a common spring [Iwan]

enum { ELEMENTS = 5 };
static const double stiffness[ELEMENTS] = {4, 3, 2.5, 1.5, 1}, limit[ELEMENTS] = {1, 1.5, 2, 2.5, 3};
static const double common = 6;

static void make_jenkins(double pressure)
{
    make_small(&small, 2, ELEMENTS, 0);
    for (int i = 0; i < ELEMENTS; i++) {
        small.mu[i] = limit[i] / pressure;
        *entry_of(&small, 2 * i, 2 * i) = 1;
        for (int j = 0; j < ELEMENTS; j++)
            *entry_of(&small, 2 * i + 1, 2 * j + 1) = (i == j) / stiffness[i] + 1 / common;
    }
}

// Sum of the elements at the stretch v; the whole stretch is v + force / common.
static double force_at(double v)
{
    double sum = 0;
    for (int i = 0; i < ELEMENTS; i++)
        sum += fmin(stiffness[i] * v, limit[i]);
    return sum;
}

static double onset(int i)
{
    double v = limit[i] / stiffness[i];
    return v + force_at(v) / common;
}

static double total_friction(const StickPathFollowing *path)
{
    double r[2 * ELEMENTS], sum = 0;
    stick_path_following_state(path, r, NULL, NULL);
    for (int i = 0; i < ELEMENTS; i++)
        sum -= r[2 * i + 1];
    return sum;
}

static void pull(StickContext *ctx, StickPathFollowing *path, double speed, double ds)
{
    double b[2 * ELEMENTS] = {0};
    for (int i = 0; i < ELEMENTS; i++)
        b[2 * i + 1] = speed;
    follow_to_end(ctx, path, &small.problem, b, ds);
}

// After a reversal all stick and slip again at twice the stretch, by Masing's rule, in the order of the first
// loading.
static void hysteresis_of_jenkins_elements(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path;
    double pressure = 2, most = 5, press[2 * ELEMENTS] = {0}, force = 0;
    for (int i = 0; i < ELEMENTS; i++)
        press[2 * i] = -pressure;
    make_jenkins(pressure);
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    follow_to_end(ctx, path, &small.problem, press, 1);
    pull(ctx, path, 1, most);
    assert_int_equal(seen.nevents, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
        assert_event(i, onset(i), i, STICK_PATH_FOLLOWING_STUCK, STICK_PATH_FOLLOWING_SLIPPING, 1);
        force += limit[i];
    }
    assert_near(total_friction(path), force, 1e-12);
    for (int half = 0; half < 20; half++) {
        int way = half % 2 ? 1 : -1;
        pull(ctx, path, 2 * way, most);
        assert_int_equal(seen.nevents, 2 * ELEMENTS);
        for (int i = 0; i < ELEMENTS; i++) {
            assert_event(i, 0, i, STICK_PATH_FOLLOWING_SLIPPING, STICK_PATH_FOLLOWING_STUCK, 0);
            assert_event(ELEMENTS + i, onset(i), i, STICK_PATH_FOLLOWING_STUCK, STICK_PATH_FOLLOWING_SLIPPING,
                         way);
        }
        assert_near(total_friction(path), way * force, 1e-11);
    }
    stick_path_following_destroy(path);
}

// A small inner loop closes at its starting point: the elements that slipped in it slip again at its tip.
static void a_small_loop_closes(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path;
    double press[2 * ELEMENTS] = {0};
    for (int i = 0; i < ELEMENTS; i++)
        press[2 * i] = -1;
    make_jenkins(1);
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    follow_to_end(ctx, path, &small.problem, press, 1);
    double tip = 0.5 * (onset(3) + onset(4));
    pull(ctx, path, 1, tip);
    double force = total_friction(path);
    pull(ctx, path, -1, 2.5);
    assert_true(total_friction(path) < 0.9 * force);
    pull(ctx, path, 1, 2.5);
    assert_near(total_friction(path), force, 1e-12);
    pull(ctx, path, 1, 9);
    assert_near(seen.event[seen.nevents - 1].s, onset(4) - tip, 1e-12);
    stick_path_following_destroy(path);
}

// ---- without friction

// W = [[2, 1], [1, 2]], gaps 1 and 2, pushed at unit speed: they close at 1 and 3, and open as they closed.
static void closing_and_opening(void **state)
{
    StickContext *ctx = *state;
    for (int dim = 1; dim <= 3; dim++) {
        StickPathFollowing *path;
        double b[6] = {0}, gap[2] = {1, 2}, r[6], slip[4];
        make_small(&small, dim, 2, 0);
        for (int i = 0; i < 2 * dim; i++)
            *entry_of(&small, i, i) = 2;
        *entry_of(&small, 0, dim) = *entry_of(&small, dim, 0) = 1;
        if (dim > 1)
            *entry_of(&small, 1, 0) = *entry_of(&small, 0, 1) = 0.5;
        assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
        assert_ok(ctx, stick_path_following_start(path, NULL, gap, NULL));
        b[0] = b[dim] = -1;
        follow_to_end(ctx, path, &small.problem, b, 6);
        assert_int_equal(seen.nevents, 2);
        assert_event(0, 1, 0, STICK_PATH_FOLLOWING_OPEN, STICK_PATH_FOLLOWING_SLIPPING, 0);
        assert_event(1, 3, 1, STICK_PATH_FOLLOWING_OPEN, STICK_PATH_FOLLOWING_SLIPPING, 0);
        stick_path_following_state(path, r, gap, slip);
        assert_near(r[0], 2, 1e-14);
        assert_near(r[dim], 1, 1e-14);
        if (dim > 1)
            assert_near(slip[0], 0.5 * 2, 1e-14);
        b[0] = b[dim] = 1;
        follow_to_end(ctx, path, &small.problem, b, 6);
        assert_event(0, 3, 1, STICK_PATH_FOLLOWING_SLIPPING, STICK_PATH_FOLLOWING_OPEN, 0);
        assert_event(1, 5, 0, STICK_PATH_FOLLOWING_SLIPPING, STICK_PATH_FOLLOWING_OPEN, 0);
        stick_path_following_state(path, r, gap, NULL);
        assert_near(r[0], 0, 0);
        assert_near(gap[0], 1, 1e-14);
        assert_near(gap[1], 2, 1e-14);
        stick_path_following_destroy(path);
    }
}

// ---- many at once

static void equal_elements_slip_at_once(void **state)
{
    enum { N = 12 };
    StickContext *ctx = *state;
    StickPathFollowing *path;
    double b[2 * N] = {0};
    make_small(&small, 2, N, 0.5);
    for (int i = 0; i < 2 * N; i++)
        for (int j = i % 2; j < 2 * N; j += 2)
            *entry_of(&small, i, j) = (i == j) + 0.1;
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    for (int c = 0; c < N; c++)
        b[2 * c] = -2.2;
    follow_to_end(ctx, path, &small.problem, b, 1);
    for (int c = 0; c < N; c++) {
        b[2 * c] = 0;
        b[2 * c + 1] = 1;
    }
    follow_to_end(ctx, path, &small.problem, b, 2);
    assert_int_equal(seen.nevents, N);
    assert_int_equal(seen.nparts, 2);
    for (int c = 0; c < N; c++)
        assert_event(c, 1.1, c, STICK_PATH_FOLLOWING_STUCK, STICK_PATH_FOLLOWING_SLIPPING, 1);
    for (int c = 0; c < N; c++)
        b[2 * c] = 1;
    follow_to_end(ctx, path, &small.problem, b, 4);
    assert_int_equal(seen.nevents, N);
    for (int c = 0; c < N; c++)
        assert_event(c, 2.2, c, STICK_PATH_FOLLOWING_SLIPPING, STICK_PATH_FOLLOWING_OPEN, 0);
    stick_path_following_destroy(path);
}

// Stretched about its middle the pressed block slips from both ends at once, in opposite directions.
static void both_halves_do_the_same(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path = pressed_block(ctx, 20, 0.6);
    double b[42] = {0}, r[42];
    for (int c = 0; c < 21; c++)
        b[2 * c + 1] = 0.1 * (c - 10);
    follow_to_end(ctx, path, &block.problem, b, 3);
    stick_path_following_state(path, r, NULL, NULL);
    assert_true(seen.nevents >= 16 && seen.nevents % 2 == 0);
    for (int c = 0; c < 21; c++) {
        StickPathFollowingContact one = stick_path_following_contact(path, c),
                                  other = stick_path_following_contact(path, 20 - c);
        assert_int_equal(one.status, other.status);
        assert_int_equal(one.direction, -other.direction);
        assert_near(r[2 * c], r[2 * (20 - c)], 1e-11);
        assert_near(r[2 * c + 1], -r[2 * (20 - c) + 1], 1e-11);
    }
    for (int k = 0; k < seen.nevents; k++) {
        int partner = 0;
        for (int l = 0; l < seen.nevents; l++)
            partner += seen.event[l].contact == 20 - seen.event[k].contact &&
                       fabs(seen.event[l].s - seen.event[k].s) < 1e-10;
        assert_true(partner >= 1);
    }
    stick_path_following_destroy(path);
}

// ---- random problems

// W = E + a G G' with whole numbers in G where many things shall happen at once.
static void make_random(StickRandom *random, int n, double mu, int whole)
{
    static double G[4 * MOST * MOST];
    make_small(&small, 2, n, mu);
    for (int i = 0; i < 4 * n * n; i++)
        G[i] = whole ? round(stick_random_uniform(random, -2, 2)) : stick_random_uniform(random, -1, 1);
    for (int i = 0; i < 2 * n; i++)
        for (int j = 0; j < 2 * n; j++) {
            double sum = 0;
            for (int k = 0; k < 2 * n; k++)
                sum += G[i * 2 * n + k] * G[j * 2 * n + k];
            *entry_of(&small, i, j) = (i == j) + 0.3 * sum / n;
        }
    for (int c = 0; c < n && !whole; c++)
        small.mu[c] = stick_random_uniform(random, 0, 1) < 0.1 ? 0 : stick_random_uniform(random, 0, mu);
}

static void random_load(StickRandom *random, int n, int leg, int whole, double *b)
{
    for (int c = 0; c < n; c++) {
        b[2 * c] = (leg % 4 == 3 ? 1 : -1) + (whole ? 0 : stick_random_uniform(random, -0.5, 0.5));
        b[2 * c + 1] = whole ? (leg % 2 ? 2 : -2) : stick_random_uniform(random, -2, 2);
    }
}

// Every part of every path is certified by see_part; an end before the end must be a proved jump.
static void random_paths_are_certified(void **state)
{
    StickContext *ctx = *state;
    int events = 0, jumps = 0;
    for (int run = 0; run < 60; run++) {
        StickRandom random = stick_random_seed((uint64_t)run);
        StickPathFollowing *path;
        double b[2 * MOST], gap[MOST];
        int whole = run % 3 == 0, n = 1 + (run * 7) % (run % 10 == 0 ? 40 : 12);
        make_random(&random, n, run % 2 ? 0.5 : 2, whole);
        assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
        for (int c = 0; c < n; c++)
            gap[c] = c % 2 ? 0 : whole ? 1 : stick_random_uniform(&random, 0, 1);
        assert_ok(ctx, stick_path_following_start(path, NULL, gap, NULL));
        for (int leg = 0; leg < 8; leg++) {
            random_load(&random, n, leg, whole, b);
            StickPathFollowingInfo info = follow(ctx, path, &small.problem, b, leg == 7 ? 20 : 1);
            events += info.events;
            if (info.end == STICK_PATH_FOLLOWING_DONE)
                continue;
            assert_int_equal(info.end, STICK_PATH_FOLLOWING_JUMP);
            assert_true(info.proved);
            jumps++;
            break;
        }
        stick_path_following_destroy(path);
    }
    assert_true(events > 2000);
    assert_true(jumps < 20);
}

// W by its action and by blocks, and the same path twice: the same bits.
static void same_bits_by_blocks_and_by_action(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path = pressed_block(ctx, 20, 1.1);
    double r[3][42], slip[3][21];
    StickOperator action = stick_operator_from_blocks(&block.W);
    StickFrictionProblem problem = block.problem;
    problem.W = NULL;
    problem.apply_W = &action;
    for (int k = 0; k < 3; k++) {
        if (k > 0)
            assert_ok(ctx, stick_path_following_create(ctx, k == 1 ? &block.problem : &problem, &path));
        if (k > 0) {
            block_load(&block, 0.5, 0);
            follow_to_end(ctx, path, &problem, block.u_free, 1);
        }
        block_load(&block, 0, 1);
        follow_to_end(ctx, path, &problem, block.u_free, 4);
        stick_path_following_state(path, r[k], NULL, slip[k]);
        stick_path_following_destroy(path);
    }
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(r[0], r[k], sizeof r[0]);
        assert_memory_equal(slip[0], slip[k], sizeof slip[0]);
    }
}

static void units_do_not_matter(void **state)
{
    StickContext *ctx = *state;
    double s[3][256];
    int count[3];
    for (int k = 0; k < 3; k++) {
        double unit = k == 0 ? 1 : k == 1 ? 1e-12 : 1e12;
        StickPathFollowing *path;
        assert_int_equal(block_build(20, 1.1, &block), 0);
        for (int e = 0; e < 4 * 21 * 21; e++)
            block.value[e] *= unit;
        assert_ok(ctx, stick_path_following_create(ctx, &block.problem, &path));
        block_load(&block, 0.5, 0);
        follow_to_end(ctx, path, &block.problem, block.u_free, 1);
        block_load(&block, 0, 1);
        follow_to_end(ctx, path, &block.problem, block.u_free, 6.5);
        count[k] = seen.nevents;
        for (int e = 0; e < seen.nevents; e++)
            s[k][e] = seen.event[e].s;
        stick_path_following_destroy(path);
    }
    assert_true(count[0] == count[1] && count[0] == count[2]);
    for (int e = 0; e < count[0]; e++) {
        assert_near(s[1][e], s[0][e], 1e-11);
        assert_near(s[2][e], s[0][e], 1e-11);
    }
}

// ---- data and memory

static void nothing_moves_without_load(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path;
    double b[2] = {0};
    make_node(1);
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    follow_to_end(ctx, path, &small.problem, b, 1);
    assert_int_equal(seen.nevents, 0);
    follow_to_end(ctx, path, &small.problem, b, 0);
    stick_path_following_destroy(path);
    make_small(&small, 2, 0, 1);
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    follow_to_end(ctx, path, &small.problem, b, 1);
    stick_path_following_destroy(path);
}

static void assert_refused(StickContext *ctx, StickStatus status, StickStatus expected, const char *word)
{
    assert_int_equal(status, expected);
    if (!strstr(stick_last_error(ctx), word))
        fail_msg("\"%s\" does not say \"%s\"", stick_last_error(ctx), word);
}

static void bad_data_are_named(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path = NULL;
    StickPathFollowingInfo info;
    make_small(&small, 3, 1, 0.3);
    for (int i = 0; i < 3; i++)
        *entry_of(&small, i, i) = 1;
    assert_refused(ctx, stick_path_following_create(ctx, &small.problem, &path), STICK_BAD_INPUT,
                   "without friction");
    make_node(NAN);
    assert_refused(ctx, stick_path_following_create(ctx, &small.problem, &path), STICK_BAD_INPUT,
                   "mu of contact 0");
    StickSection section = {.kind = STICK_SECTION_INTERVAL, .mu = {0.2, 0.3}};
    const StickSection *sections[] = {&section};
    make_node(0.5);
    small.problem.section = sections;
    assert_refused(ctx, stick_path_following_create(ctx, &small.problem, &path), STICK_BAD_INPUT, "section");
    make_node(0.5);
    small.value[1] = INFINITY;
    assert_refused(ctx, stick_path_following_create(ctx, &small.problem, &path), STICK_BAD_INPUT, "W");
    assert_null(path);
    make_node(0.5);
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    double outside[2] = {1, 0.6}, inside[2] = {1, 0.2}, below = -1, open = 1, b[2] = {NAN, 0};
    assert_refused(ctx, stick_path_following_start(path, outside, NULL, NULL), STICK_BAD_INPUT,
                   "outside of its cone");
    assert_refused(ctx, stick_path_following_start(path, inside, &below, NULL), STICK_BAD_INPUT,
                   "below zero");
    assert_refused(ctx, stick_path_following_start(path, inside, &open, NULL), STICK_BAD_INPUT,
                   "starts open");
    assert_refused(ctx, stick_path_following_follow(path, b, 1, NULL, &info), STICK_BAD_INPUT, "load");
    b[0] = 0;
    assert_refused(ctx, stick_path_following_follow(path, b, -1, NULL, &info), STICK_BAD_INPUT, "length");
    stick_path_following_destroy(path);
}

// Two contacts at one place: W is singular when both stick.
static void forces_that_are_not_determined(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path;
    double r[4] = {1, 0, 1, 0}, b[4] = {-1, 0, -1, 0};
    make_small(&small, 2, 2, 0.5);
    for (int i = 0; i < 4; i++)
        for (int j = i % 2; j < 4; j += 2)
            *entry_of(&small, i, j) = 1;
    assert_ok(ctx, stick_path_following_create(ctx, &small.problem, &path));
    assert_refused(ctx, stick_path_following_start(path, r, NULL, NULL), STICK_NOT_SOLVED, "singular");
    StickPathFollowingInfo info;
    assert_ok(ctx, stick_path_following_follow(path, b, 1, NULL, &info));
    // from nothing one of the two carries all of it, the other is open at gap = 0
    double at[4];
    assert_int_equal(info.end, STICK_PATH_FOLLOWING_DONE);
    stick_path_following_state(path, at, NULL, NULL);
    assert_near(at[0] + at[2], 1, 1e-12);
    assert_near(at[0] * at[2], 0, 0);
    stick_path_following_destroy(path);
}

static void no_memory_is_taken_on_the_way(void **state)
{
    StickContext *ctx = *state;
    StickPathFollowing *path;
    StickPathFollowingInfo info;
    assert_int_equal(block_build(20, 1.1, &block), 0);
    assert_ok(ctx, stick_path_following_create(ctx, &block.problem, &path));
    size_t calls = stick_memory_calls(ctx);
    block_load(&block, 0.5, 0);
    assert_ok(ctx, stick_path_following_follow(path, block.u_free, 1, NULL, &info));
    block_load(&block, 0, 1);
    assert_ok(ctx, stick_path_following_follow(path, block.u_free, 6.5, NULL, &info));
    block_load(&block, 0, -1);
    assert_ok(ctx, stick_path_following_follow(path, block.u_free, 13, NULL, &info));
    assert_int_equal(info.end, STICK_PATH_FOLLOWING_DONE);
    assert_int_equal(stick_memory_calls(ctx), calls);
    stick_path_following_destroy(path);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    StickPathFollowing *path;
    (void)data;
    StickStatus status = stick_path_following_create(ctx, &small.problem, &path);
    if (status == STICK_OK)
        stick_path_following_destroy(path);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    make_node(0.5);
    assert_survives_failing_memory(make_and_drop, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_block_of_polyurethane),
        test_with_context(increments_tend_to_the_path),
        test_with_context(a_path_goes_on_from_its_state),
        test_with_context(three_ways_from_one_load),
        test_with_context(one_way_below_the_bound),
        test_with_context(a_path_that_ends_by_a_jump),
        test_with_context(hysteresis_of_jenkins_elements),
        test_with_context(a_small_loop_closes),
        test_with_context(closing_and_opening),
        test_with_context(equal_elements_slip_at_once),
        test_with_context(both_halves_do_the_same),
        test_with_context(random_paths_are_certified),
        test_with_context(same_bits_by_blocks_and_by_action),
        test_with_context(units_do_not_matter),
        test_with_context(nothing_moves_without_load),
        test_with_context(bad_data_are_named),
        test_with_context(forces_that_are_not_determined),
        test_with_context(no_memory_is_taken_on_the_way),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "stepping/sticking.h"

#include "base/clock.h"
#include "base/memory.h"
#include "stepping/contact_problem.h"
#include "stepping/flank_contact.h"
#include "stepping/simulation.h"

#include <math.h>
#include <string.h>

static StickStatus fill(StickSimulation *run, const char *name, StickSticking *sticking)
{
    StickSolverOptions options = stick_solver_options_default();
    options.tolerance = run->spec->tolerance;
    options.aim = 1e-4 * run->spec->tolerance;
    if (run->spec->threads > 0)
        options.threads = run->spec->threads;
    if (run->spec->iterations > 0)
        options.iterations = run->spec->iterations;
    STICK_ALLOC(run->ctx, sticking->earlier, run->system->nbodies);
    STICK_ALLOC(run->ctx, sticking->later, run->system->nbodies);
    return stick_floating_frame_friction_create(run->ctx, name, &options, &sticking->solver);
}

StickStatus stick_sticking_create(StickSimulation *run, const char *name, StickSticking **sticking)
{
    StickSticking *created;
    STICK_ALLOC(run->ctx, created, 1);
    created->ctx = run->ctx;
    StickStatus status = fill(run, name, created);
    if (status != STICK_OK) {
        stick_sticking_destroy(created);
        return status;
    }
    *sticking = created;
    return STICK_OK;
}

void stick_sticking_destroy(StickSticking *sticking)
{
    if (!sticking)
        return;
    StickContext *ctx = sticking->ctx;
    double *vector[] = {sticking->C, sticking->w, sticking->u_free, sticking->r, sticking->u, sticking->mu};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        stick_free(ctx, vector[k]);
    stick_blocks_destroy(ctx, &sticking->W);
    stick_free(ctx, sticking->earlier);
    stick_free(ctx, sticking->later);
    stick_floating_frame_friction_destroy(sticking->solver);
    stick_free(ctx, sticking);
}

static StickStatus reserve(StickSticking *sticking, size_t m, size_t motions)
{
    StickContext *ctx = sticking->ctx;
    STICK_RESERVE(ctx, sticking->W.start, sticking->start_capacity, m + 1);
    STICK_RESERVE(ctx, sticking->W.col, sticking->col_capacity, m * m);
    STICK_RESERVE(ctx, sticking->W.value, sticking->value_capacity, 4 * m * m);
    STICK_RESERVE(ctx, sticking->C, sticking->C_capacity, 2 * m * motions);
    STICK_RESERVE(ctx, sticking->w, sticking->w_capacity, 2 * m);
    STICK_RESERVE(ctx, sticking->u_free, sticking->u_free_capacity, 2 * m);
    STICK_RESERVE(ctx, sticking->r, sticking->r_capacity, 2 * m);
    STICK_RESERVE(ctx, sticking->u, sticking->u_capacity, 2 * m);
    STICK_RESERVE(ctx, sticking->mu, sticking->mu_capacity, m);
    return STICK_OK;
}

// ---- the problem

// Frames where they were, and where they would be now with the free motions that they had; those of the trajectory stand
// again afterwards.
static StickStatus find_frames(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    StickSticking *sticking = trajectory->sticking;
    StickFrames *frames = &trajectory->frames;
    const StickTrajectoryHistory *past = trajectory->past;
    size_t bytes = (size_t)run->system->nbodies * sizeof(StickFrame);
    double step = run->spec->step, t = past->known ? past->t : run->state.next.t - step;
    STICK_TRY(stick_frames_place(frames, t, step));
    stick_frames_move(frames, past->theta);
    memcpy(sticking->earlier, frames->frame, bytes);
    STICK_TRY(stick_trajectory_place(run));
    memcpy(sticking->later, frames->frame, bytes);
    if (run->spec->trajectory.actual)
        return STICK_OK;
    stick_frames_move(frames, past->theta);
    memcpy(sticking->later, frames->frame, bytes);
    return stick_trajectory_place(run);
}

// From where the particle of the mate was, seen from the strip, to where it is, at the place where deformed surfaces
// touch; along the mean of the tangents of both sides: along different ones what both move together would count as sliding.
static double way_of(const StickTrajectory *trajectory, const StickFacetPair *pair)
{
    static const double axis[2][2] = {{1, 0}, {0, 1}};
    const StickFrame *later = trajectory->sticking->later, *earlier = trajectory->sticking->earlier;
    int strip = pair->side[0].body, mate = pair->side[1].body;
    double particle[2], place[2], seen[2], from[2], touch[2];
    stick_frame_in(&trajectory->frames.frame[strip], pair->x, particle);
    stick_frame_out(&later[strip], particle, touch);
    for (int k = 0; k < 2; k++)
        touch[k] += stick_flank_contact_mean(trajectory, pair, 0, trajectory->past->u, axis[k]);
    stick_frame_in(&later[mate], touch, particle);
    stick_frame_out(&earlier[mate], particle, place);
    stick_frame_in(&earlier[strip], place, seen);
    stick_frame_out(&later[strip], seen, from);
    double tangent[2][2], way[2];
    for (int side = 0; side < 2; side++) {
        stick_flank_contact_direction(pair, side, STICK_MATING_TANGENT, tangent[side]);
        way[side] = tangent[side][0] * (touch[0] - from[0]) + tangent[side][1] * (touch[1] - from[1]);
    }
    return 0.5 * (way[0] + way[1]);
}

// Columns of C, and w: what is between strip and mate before anything deforms or frames move.
static void find_start(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    StickSticking *sticking = trajectory->sticking;
    const StickFrames *frames = &trajectory->frames;
    const StickTrajectoryHistory *past = trajectory->past;
    int m = trajectory->set.npairs;
    for (int i = 0; i < m; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        sticking->mu[i] = pair->mu;
        sticking->w[2 * i] = pair->gap;
        double way = way_of(trajectory, pair) -
                     stick_flank_contact_parting(trajectory, pair, past->u, STICK_MATING_TANGENT);
        for (int j = 0; j < frames->nmotions; j++) {
            double *c = &sticking->C[2 * ((size_t)j * (size_t)m + (size_t)i)];
            c[0] = stick_flank_contact_couple(trajectory, pair, frames->body[j], frames->motion[j],
                                              STICK_MATING_NORMAL);
            c[1] = stick_flank_contact_couple(trajectory, pair, frames->body[j], frames->motion[j],
                                              STICK_MATING_TANGENT);
            way -= run->spec->trajectory.actual ? 0 : c[1] * past->theta[j];
        }
        sticking->w[2 * i + 1] = way;
    }
}

StickStatus stick_sticking_pose(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    StickSticking *sticking = trajectory->sticking;
    size_t m = (size_t)trajectory->set.npairs;
    STICK_TRY(reserve(sticking, m, (size_t)trajectory->frames.nmotions));
    STICK_TRY(stick_flank_contact_fill_both(trajectory, sticking->W.value));
    sticking->W.d = 2;
    sticking->W.n = (int)m;
    for (size_t i = 0; i <= m; i++)
        sticking->W.start[i] = (int)(i * m);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++) {
            const StickFacetPair *pair = &trajectory->set.pair[k];
            const double *block = &sticking->W.value[4 * (i * m + k)];
            sticking->W.col[i * m + k] = (int)k;
            trajectory->A[k * m + i] = block[0] - pair->mu * pair->sense * block[1];
        }
    STICK_TRY(find_frames(run));
    find_start(run);
    return STICK_OK;
}

static StickFloatingFrame problem_of(const StickTrajectory *trajectory)
{
    const StickSticking *sticking = trajectory->sticking;
    return (StickFloatingFrame){
        .contact = {.dim = 2,
                    .ncontacts = trajectory->set.npairs,
                    .W = &sticking->W,
                    .u_free = sticking->w,
                    .mu = sticking->mu},
        .l = trajectory->frames.nmotions,
        .C = sticking->C,
        .lambda = trajectory->lambda,
    };
}

// ---- its solution

// All pairs slide as the ideal motion does, or nothing touches.
static void guess(StickTrajectory *trajectory, bool is_guessed)
{
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        double *r = &trajectory->sticking->r[2 * i];
        r[0] = is_guessed ? trajectory->p[i] : 0;
        r[1] = -pair->mu * pair->sense * r[0];
    }
    for (int j = 0; j < trajectory->frames.nmotions && !is_guessed; j++)
        trajectory->theta[j] = trajectory->past->theta[j] - trajectory->moved[j];
}

// Friction as a part of what it could be.
static void take(StickTrajectory *trajectory)
{
    trajectory->info.connected = 0;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        StickFacetPair *pair = &trajectory->set.pair[i];
        const double *r = &trajectory->sticking->r[2 * i], *u = &trajectory->sticking->u[2 * i];
        StickContactStatus status = stick_simulation_status_of(2, r, pair->mu);
        bool presses = status != STICK_APART;
        trajectory->p[i] = presses ? r[0] : 0;
        trajectory->d[i] = presses ? 0 : u[0];
        trajectory->connected[i] = presses;
        trajectory->info.connected += presses;
        pair->sticks = status == STICK_STICKING;
        if (presses && pair->mu > 0)
            pair->sense = pair->sticks ? -r[1] / (pair->mu * r[0]) : copysign(1, -r[1]);
    }
}

// By the verifier of friction problems, at the theta that was found; and forces must balance the loads.
static StickStatus certify(StickSimulation *run, const StickFloatingFrame *problem)
{
    StickTrajectory *trajectory = run->trajectory;
    StickSticking *sticking = trajectory->sticking;
    StickFrictionProblem contact = problem->contact;
    size_t n = 2 * (size_t)contact.ncontacts;
    for (size_t i = 0; i < n; i++) {
        sticking->u_free[i] = sticking->w[i];
        for (int j = 0; j < problem->l; j++)
            sticking->u_free[i] += sticking->C[(size_t)j * n + i] * trajectory->theta[j];
    }
    contact.u_free = sticking->u_free;
    STICK_TRY(stick_certify(run->ctx, &contact, sticking->r, 0, run->spec->tolerance, &run->certificate));
    double balance = stick_floating_frame_friction_imbalance(problem, sticking->r);
    run->certificate.error = fmax(run->certificate.error, balance);
    run->certificate.certified = run->certificate.certified && balance <= run->spec->tolerance;
    return STICK_OK;
}

StickStatus stick_sticking_solve(StickSimulation *run, bool is_guessed)
{
    StickTrajectory *trajectory = run->trajectory;
    StickFloatingFrame problem = problem_of(trajectory);
    StickFloatingFrameSolution solution = {.r = trajectory->sticking->r,
                                           .theta = trajectory->theta,
                                           .u = trajectory->sticking->u,
                                           .motion = trajectory->unstable};
    double clock = stick_clock_cpu();
    guess(trajectory, is_guessed);
    STICK_TRY(stick_floating_frame_friction_solve(trajectory->sticking->solver, &problem, &solution,
                                                  &trajectory->info.solve));
    stick_contact_problem_clock(&clock, &run->phases.solve);
    if (trajectory->info.solve.end != STICK_SOLVE_CONVERGED)
        return STICK_OK;
    STICK_TRY(certify(run, &problem));
    take(trajectory);
    stick_contact_problem_clock(&clock, &run->phases.verify);
    return STICK_OK;
}

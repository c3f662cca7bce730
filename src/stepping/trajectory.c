// SPDX-License-Identifier: Apache-2.0
#include "stepping/trajectory.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "bodies/products.h"
#include "stepping/active_set_polish.h"
#include "stepping/contact_problem.h"
#include "stepping/flank_contact.h"
#include "stepping/search_distance.h"
#include "stepping/simulation.h"
#include "stepping/sticking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the time between two positions: velocities are differences over this.
static const double short_time = 1e-4;

// With pairs at actual places: searches for them until frames stay, between which these move by no more than this part
// of the largest body, or turn by this angle. Also how often pairs that are farther apart are looked for.
enum { MOST_SEARCHES = 40 };
static const double most_way = 0.25;

// ---- what it needs

// Supports hold bodies in their frames.
static StickStatus refuse_supports(const StickSimulation *run)
{
    const StickModel *model = run->system->model;
    for (int k = 0; k < model->nsupports; k++)
        for (int j = 0; j < 2; j++) {
            const StickSupportSpec *support = &model->support[k];
            double value = 0;
            if (support->displacement[j] && stick_expression_is_constant(support->displacement[j]))
                STICK_TRY(stick_expression_value(support->displacement[j], &(StickVariables){0}, &value));
            else if (support->displacement[j] || support->velocity[j])
                value = 1;
            if (value != 0)
                return stick_fail_at(
                    run->ctx, STICK_BAD_INPUT, support->mark,
                    "along a trajectory supports hold a body in its frame: give 'displacement' 0, and "
                    "the motion to 'frames'");
        }
    return STICK_OK;
}

// Methods of pairs that slide as the ideal motion does, or solvers of friction problems, with pairs that may stick.
static StickStatus create_solver(StickSimulation *run, StickTrajectory *trajectory)
{
    StickMlcpOptions options = stick_mlcp_options_default();
    bool slides = !run->spec->solver;
    for (int k = 0; run->spec->solver && stick_mlcp_method_name(k); k++)
        if (strcmp(stick_mlcp_method_name(k), run->spec->solver) == 0)
            options.method = (StickMlcpMethod)k, slides = true;
    if (run->spec->iterations > 0 && slides)
        options.iterations = run->spec->iterations;
    run->solver_name = slides ? stick_mlcp_method_name((int)options.method) : run->spec->solver;
    STICK_TRY(stick_mlcp_create(run->ctx, &options, &trajectory->solver));
    return slides ? STICK_OK : stick_sticking_create(run, run->spec->solver, &trajectory->sticking);
}

static StickStatus create_compliance(StickSimulation *run, StickTrajectory *trajectory, int b, bool *marked)
{
    bool any = false;
    memset(marked, 0, (size_t)run->system->body[b].mesh.nnodes * sizeof *marked);
    for (int k = 0; k < stick_facets_surfaces(trajectory->strips); k++) {
        const StickSurfaceCurve *surface = stick_facets_surface(trajectory->strips, k);
        for (int j = 0; surface->body == b && j < surface->curve->nnodes; j++)
            marked[surface->curve->node[j]] = any = true;
    }
    return any ? stick_surface_compliance_create(run->ctx, run->system, run->matrix, b, marked,
                                                 &trajectory->compliance[b])
               : STICK_OK;
}

static StickStatus create_compliances(StickSimulation *run, StickTrajectory *trajectory)
{
    StickStatus status = STICK_OK;
    int most = 1;
    STICK_ALLOC(run->ctx, trajectory->compliance, run->system->nbodies);
    for (int b = 0; b < run->system->nbodies; b++)
        most = run->system->body[b].mesh.nnodes > most ? run->system->body[b].mesh.nnodes : most;
    bool *marked;
    STICK_ALLOC(run->ctx, marked, most);
    for (int b = 0; b < run->system->nbodies && status == STICK_OK; b++)
        status = create_compliance(run, trajectory, b, marked);
    stick_free(run->ctx, marked);
    STICK_TRY(status);
    STICK_ALLOC(run->ctx, trajectory->response, 2 * (size_t)most);
    return STICK_OK;
}

static StickStatus fill(StickSimulation *run, StickTrajectory *trajectory)
{
    StickContext *ctx = run->ctx;
    STICK_TRY(refuse_supports(run));
    STICK_TRY(stick_frames_create(ctx, run->system, run->spec, &trajectory->frames));
    int motions = trajectory->frames.nmotions;
    STICK_TRY(stick_facets_create(ctx, run->system, &trajectory->frames, &trajectory->strips));
    STICK_TRY(create_compliances(run, trajectory));
    STICK_TRY(create_solver(run, trajectory));
    STICK_ALLOC(ctx, trajectory->lambda, motions);
    STICK_ALLOC(ctx, trajectory->theta, motions);
    STICK_ALLOC(ctx, trajectory->unstable, motions);
    STICK_ALLOC(ctx, trajectory->motion, motions);
    STICK_ALLOC(ctx, trajectory->moved, motions);
    STICK_TRY(stick_trajectory_history_create(ctx, motions, run->system->ndofs, &trajectory->now));
    STICK_TRY(stick_trajectory_history_create(ctx, motions, run->system->ndofs, &trajectory->before));
    STICK_ALLOC(ctx, trajectory->reaction, run->system->nbodies);
    STICK_ALLOC(ctx, trajectory->u, run->system->ndofs);
    for (int k = 0; k < motions; k++)
        trajectory->motion[k] = trajectory->frames.name[k];
    return STICK_OK;
}

StickStatus stick_trajectory_create(StickSimulation *run, StickTrajectory **trajectory)
{
    StickTrajectory *created;
    STICK_ALLOC(run->ctx, created, 1);
    created->ctx = run->ctx;
    StickStatus status = fill(run, created);
    if (status != STICK_OK) {
        stick_trajectory_destroy(created);
        return status;
    }
    *trajectory = created;
    return STICK_OK;
}

void stick_trajectory_destroy(StickTrajectory *trajectory)
{
    if (!trajectory)
        return;
    StickContext *ctx = trajectory->ctx;
    double *vector[] = {trajectory->A, trajectory->B,        trajectory->C,        trajectory->eps,
                        trajectory->p, trajectory->d,        trajectory->lambda,   trajectory->theta,
                        trajectory->u, trajectory->response, trajectory->unstable, trajectory->moved};
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        stick_free(ctx, vector[k]);
    int bodies = trajectory->frames.system ? trajectory->frames.system->nbodies : 0;
    for (int b = 0; trajectory->compliance && b < bodies; b++)
        stick_surface_compliance_destroy(trajectory->compliance[b]);
    stick_free(ctx, trajectory->compliance);
    stick_free(ctx, trajectory->connected);
    stick_free(ctx, trajectory->start);
    stick_free(ctx, trajectory->motion);
    stick_free(ctx, trajectory->reaction);
    stick_trajectory_history_destroy(ctx, &trajectory->now);
    stick_trajectory_history_destroy(ctx, &trajectory->before);
    stick_mlcp_destroy(trajectory->solver);
    stick_sticking_destroy(trajectory->sticking);
    stick_facets_destroy(trajectory->strips);
    stick_facet_set_destroy(ctx, &trajectory->set);
    stick_frames_destroy(ctx, &trajectory->frames);
    stick_free(ctx, trajectory);
}

double stick_trajectory_time(const StickStepSpec *spec, long k)
{
    const StickTrajectorySpec *way = &spec->trajectory;
    int pieces = way->by_tooth ? way->positions : way->positions - 1;
    return pieces > 0 ? way->from + (way->to - way->from) * (double)k / pieces : way->from;
}

// ---- the problem of a position

static StickStatus reserve(StickTrajectory *trajectory)
{
    StickContext *ctx = trajectory->ctx;
    size_t m = (size_t)trajectory->set.npairs, l = (size_t)trajectory->frames.nmotions;
    STICK_RESERVE(ctx, trajectory->A, trajectory->A_capacity, m * m);
    STICK_RESERVE(ctx, trajectory->B, trajectory->B_capacity, l * m);
    STICK_RESERVE(ctx, trajectory->C, trajectory->C_capacity, m * l);
    STICK_RESERVE(ctx, trajectory->eps, trajectory->eps_capacity, m);
    STICK_RESERVE(ctx, trajectory->p, trajectory->p_capacity, m);
    STICK_RESERVE(ctx, trajectory->d, trajectory->d_capacity, m);
    STICK_RESERVE(ctx, trajectory->connected, trajectory->connected_capacity, m);
    STICK_RESERVE(ctx, trajectory->start, trajectory->start_capacity, m);
    return STICK_OK;
}

// Strips all of whose nodes pressed at the position before: known from the state, so that a resumed run starts likewise.
static bool guess(const StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickMotion *now = &run->state.now;
    bool any = false;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetSide *side = &trajectory->set.pair[i].side[0];
        bool pressed = true;
        for (int k = side->first; k < side->first + side->count; k++) {
            int dof = run->system->body[side->body].first + 2 * trajectory->set.node[k];
            pressed = pressed && (now->contact_N[dof] != 0 || now->contact_N[dof + 1] != 0);
        }
        trajectory->start[i] = pressed;
        any = any || pressed;
    }
    return any;
}

StickStatus stick_trajectory_place(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    STICK_TRY(stick_frames_place(&trajectory->frames, run->state.next.t, short_time * run->spec->step));
    stick_frames_move(&trajectory->frames, trajectory->moved);
    return STICK_OK;
}

static StickStatus pose(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    double t = run->state.next.t, clock = stick_clock_cpu();
    STICK_TRY(stick_step_matrix_set(run->matrix, 0, 0, 1));
    stick_contact_problem_clock(&clock, &run->phases.matrix);
    STICK_TRY(stick_trajectory_place(run));
    STICK_TRY(stick_facets_find_beyond(trajectory->strips, &trajectory->frames, t, trajectory->beyond,
                                       &trajectory->set));
    STICK_TRY(reserve(trajectory));
    stick_contact_problem_clock(&clock, &run->phases.detect);
    for (int i = 0; i < trajectory->set.npairs; i++)
        trajectory->eps[i] = trajectory->set.pair[i].gap;
    STICK_TRY(trajectory->sticking ? stick_sticking_pose(run) : stick_flank_contact_fill(trajectory));
    stick_flank_contact_motions(trajectory);
    stick_contact_problem_clock(&clock, &run->phases.condense);
    return STICK_OK;
}

static StickMixedLcp problem_of(const StickTrajectory *trajectory)
{
    return (StickMixedLcp){.m = trajectory->set.npairs,
                           .l = trajectory->frames.nmotions,
                           .A = trajectory->A,
                           .B = trajectory->B,
                           .C = trajectory->C,
                           .eps = trajectory->eps,
                           .lambda = trajectory->lambda,
                           .motion = trajectory->motion};
}

// ---- its solution

static int count_sticking(const StickFacetSet *set)
{
    int count = 0;
    for (int i = 0; i < set->npairs; i++)
        count += set->pair[i].sticks;
    return count;
}

// All pairs slide as the ideal motion does.
static StickStatus certify_sliding(StickSimulation *run, const StickMixedLcp *mates)
{
    const StickTrajectory *trajectory = run->trajectory;
    StickMlcpCertificate found;
    STICK_TRY(
        stick_certify_mates(run->ctx, mates, trajectory->p, trajectory->theta, run->spec->tolerance, &found));
    run->certificate = (StickCertificate){.certified = found.certified,
                                          .error = found.error,
                                          .error_scale_free = found.error,
                                          .tolerance = found.tolerance};
    return STICK_OK;
}

// Pairs that slide; where these may stick, they are a guess.
static StickStatus solve_pairs(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    StickMixedLcp mates = problem_of(trajectory);
    StickMlcpSolution solution = {.p = trajectory->p,
                                  .d = trajectory->d,
                                  .theta = trajectory->theta,
                                  .motion = trajectory->unstable,
                                  .connected = trajectory->connected};
    double clock = stick_clock_cpu();
    STICK_TRY(stick_mlcp_solve(trajectory->solver, &mates, guess(run) ? trajectory->start : NULL, &solution,
                               &trajectory->info));
    stick_contact_problem_clock(&clock, &run->phases.solve);
    bool is_solved = trajectory->info.solve.end == STICK_SOLVE_CONVERGED;
    if (is_solved)
        STICK_TRY(stick_active_set_polish_mates(run->ctx, &mates, &solution));
    if (trajectory->sticking)
        return stick_sticking_solve(run, is_solved);
    if (is_solved)
        STICK_TRY(certify_sliding(run, &mates));
    stick_contact_problem_clock(&clock, &run->phases.verify);
    return STICK_OK;
}

static StickStatus solve(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickCertificate *found = &run->certificate;
    STICK_TRY(solve_pairs(run));
    run->info = trajectory->info.solve;
    if (run->info.end != STICK_SOLVE_CONVERGED)
        return stick_trajectory_refuse(run);
    run->record.worst_error = fmax(run->record.worst_error, found->error);
    run->record.worst_scale_free = fmax(run->record.worst_scale_free, found->error_scale_free);
    run->record.solves += trajectory->set.npairs > 0;
    run->record.iterations += run->info.iterations;
    run->record.most_contacts = fmax(run->record.most_contacts, trajectory->set.npairs);
    run->record.most_active = fmax(run->record.most_active, trajectory->info.connected);
    run->record.most_sticking = fmax(run->record.most_sticking, count_sticking(&trajectory->set));
    return found->certified
               ? STICK_OK
               : stick_simulation_refuse_at(run, run->spec->mark,
                                            "step '%s', t = %g: the contact problem is not certified: error "
                                            "%.2e, tolerance %.2e; try 'solver: %s'",
                                            run->spec->name, run->state.next.t, found->error,
                                            found->tolerance, stick_trajectory_other_solver(run));
}

// ---- displacements and forces

// Forces of all pairs at nodes, in space: along normals, and friction.
static void press(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickFacetSet *set = &trajectory->set;
    memset(run->p_N, 0, (size_t)run->state.n * sizeof *run->p_N);
    memset(run->p_T, 0, (size_t)run->state.n * sizeof *run->p_T);
    for (int i = 0; i < set->npairs; i++) {
        const StickFacetPair *pair = &set->pair[i];
        double g[2];
        for (int side = 0; side < 2; side++) {
            const StickFacetSide *own = &pair->side[side];
            stick_facet_force(pair, side, g);
            for (int k = own->first; k < own->first + own->count; k++) {
                int dof = run->system->body[own->body].first + 2 * set->node[k];
                double part = stick_flank_contact_sign(side) * set->weight[k] * trajectory->p[i];
                for (int axis = 0; axis < 2; axis++) {
                    run->p_N[dof + axis] += part * own->normal[axis];
                    run->p_T[dof + axis] += part * (g[axis] - own->normal[axis]);
                }
            }
        }
    }
}

// u = A^-1 f in the frames, and the forces of the supports, in space.
static StickStatus deform(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    const StickSystem *system = run->system;
    StickMotion *next = &run->state.next;
    size_t bytes = (size_t)run->state.n * sizeof(double);
    for (int b = 0; b < system->nbodies; b++)
        for (int i = system->body[b].first; i < system->body[b].first + system->body[b].ndofs; i += 2) {
            double force[2] = {run->p_N[i] + run->p_T[i], run->p_N[i + 1] + run->p_T[i + 1]};
            stick_frame_unturn(&trajectory->frames.frame[b], force, &run->rhs[i]);
        }
    memcpy(run->dq_free, run->rhs, bytes);
    memset(trajectory->u, 0, bytes);
    STICK_TRY(stick_step_matrix_correct(run->matrix, run->rhs, trajectory->u));
    memcpy(run->work, trajectory->u, bytes);
    stick_system_stiffness(system, run->work, next->Kq);
    for (int b = 0; b < system->nbodies; b++)
        for (int i = system->body[b].first; i < system->body[b].first + system->body[b].ndofs; i += 2) {
            double held[2];
            for (int k = 0; k < 2; k++)
                held[k] = run->prescribed[i + k] ? next->Kq[i + k] - run->dq_free[i + k] : 0;
            stick_frame_turn(&trajectory->frames.frame[b], held, &next->reaction[i]);
        }
    memcpy(next->contact_N, run->p_N, bytes);
    memcpy(next->contact_T, run->p_T, bytes);
    return STICK_OK;
}

// Separations by the displacements must be those of the condensed problem.
static StickStatus check_separations(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    const StickFacetSet *set = &trajectory->set;
    double off = 0, size = stick_simulation_largest(trajectory->u, run->state.n);
    for (int i = 0; i < set->npairs; i++) {
        const StickFacetPair *pair = &set->pair[i];
        double d = trajectory->eps[i];
        for (int j = 0; j < trajectory->frames.nmotions; j++)
            d += trajectory->C[j * set->npairs + i] * trajectory->theta[j];
        d += stick_flank_contact_parting(trajectory, pair, trajectory->u, STICK_MATING_NORMAL);
        off = fmax(off, fabs(d - trajectory->d[i]));
        size = fmax(size, fabs(trajectory->eps[i]));
    }
    run->record.worst_consistency = fmax(run->record.worst_consistency, size > 0 ? off / size : 0);
    return off <= run->spec->tolerance * size
               ? STICK_OK
               : stick_simulation_refuse_at(
                     run, run->spec->mark,
                     "step '%s', t = %g: separations by displacements differ from those of the contact "
                     "problem by %.2e of the largest, more than the tolerance %.0e: hold bodies better in "
                     "their frames by 'supports', or give the step's 'solver' a larger 'tolerance'",
                     run->spec->name, run->state.next.t, off / size, run->spec->tolerance);
}

// What holds each frame where it is.
static void hold_frames(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    for (int b = 0; b < run->system->nbodies; b++)
        for (int k = 0; k < STICK_FRAME_MOTIONS; k++) {
            double sum = 0;
            for (int i = 0; i < trajectory->set.npairs; i++)
                sum += trajectory->p[i] * stick_flank_contact_couple(trajectory, &trajectory->set.pair[i], b,
                                                                     (StickFrameMotion)k, STICK_MATING_FORCE);
            trajectory->reaction[b][k] = -sum;
        }
}

// q: from where a node stands in the system to where it is placed, turned and deformed.
static void place(StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    StickMotion *next = &run->state.next;
    for (int b = 0; b < run->system->nbodies; b++) {
        const StickBody *body = &run->system->body[b];
        StickFrame frame = trajectory->frames.frame[b];
        double free[STICK_FRAME_MOTIONS] = {0};
        for (int k = 0; k < STICK_FRAME_MOTIONS; k++)
            if (frame.motion[k] >= 0)
                free[k] = trajectory->theta[frame.motion[k]] - trajectory->moved[frame.motion[k]];
        double angle = frame.angle - frame.home_angle + free[STICK_FRAME_ROTATION];
        frame.axes[0] = cos(angle), frame.axes[1] = sin(angle);
        for (int i = 0; i < body->mesh.nnodes; i++) {
            const double *x = &body->mesh.x[2 * i], *u = &trajectory->u[body->first + 2 * i];
            double from[2] = {x[0] - frame.home[0] + u[0], x[1] - frame.home[1] + u[1]}, to[2];
            stick_frame_turn(&frame, from, to);
            for (int k = 0; k < 2; k++)
                next->q[body->first + 2 * i + k] = frame.at[k] + free[k] + to[k] - x[k];
        }
    }
    memset(next->v, 0, (size_t)run->state.n * sizeof *next->v);
}

// ---- positions

// How far theta of the last solve moves bodies.
static double way_of(const StickSimulation *run)
{
    const StickTrajectory *trajectory = run->trajectory;
    double way = 0, size = stick_simulation_size(run);
    for (int j = 0; j < trajectory->frames.nmotions; j++) {
        bool turns = trajectory->frames.motion[j] == STICK_FRAME_ROTATION;
        way = fmax(way, fabs(trajectory->theta[j]) * (turns ? size : 1));
    }
    return way;
}

// Pairs and their forces. Bodies that leave their trajectories have other pairs: these are looked for again with frames
// where the solution puts them [VBH88, conclusions].
static StickStatus find_pairs(StickSimulation *run)
{
    StickTrajectory *trajectory = run->trajectory;
    int motions = trajectory->frames.nmotions;
    bool again = run->spec->trajectory.actual && motions > 0;
    double settled = run->spec->tolerance * stick_simulation_size(run), way = 0;
    for (int j = 0; j < motions; j++)
        trajectory->moved[j] = again && trajectory->past->known ? trajectory->past->theta[j] : 0;
    for (int k = 0; k < MOST_SEARCHES; k++) {
        STICK_TRY(pose(run));
        STICK_TRY(solve(run));
        way = way_of(run);
        if (!again || way <= settled)
            return STICK_OK;
        double part = fmin(1, most_way * stick_simulation_size(run) / way);
        for (int j = 0; j < motions; j++)
            trajectory->moved[j] += part * trajectory->theta[j];
        run->record.passes++;
    }
    return stick_simulation_refuse_at(
        run, run->spec->mark,
        "step '%s', t = %g: frames do not settle: after %d searches for pairs they still "
        "move by %.2e; give frames an ideal motion that is nearer, or take 'pairs: ideal'",
        run->spec->name, run->state.next.t, MOST_SEARCHES, way);
}

// Pairs, their forces and displacements at the time of the next state.
static StickStatus find_equilibrium(StickSimulation *run, const StickTrajectoryHistory *past)
{
    StickTrajectory *trajectory = run->trajectory;
    bool wider = true;
    trajectory->past = past;
    trajectory->beyond = 0;
    for (int k = 0; wider && k < MOST_SEARCHES; k++) {
        STICK_TRY(find_pairs(run));
        double clock = stick_clock_cpu();
        press(run);
        STICK_TRY(deform(run));
        STICK_TRY(check_separations(run));
        STICK_TRY(stick_search_distance_widen(run, &wider));
        stick_contact_problem_clock(&clock, &run->phases.apply);
    }
    if (wider)
        return stick_simulation_refuse_at(
            run, run->spec->mark,
            "step '%s', t = %g: after %d searches surfaces still overlap that were "
            "farther apart than 'max-distance': give contacts a larger one",
            run->spec->name, run->state.next.t, MOST_SEARCHES);
    hold_frames(run);
    for (int j = 0; j < trajectory->frames.nmotions; j++)
        trajectory->theta[j] += trajectory->moved[j];
    return STICK_OK;
}

StickStatus stick_trajectory_recall(StickSimulation *run)
{
    run->state.next.t = run->state.now.t;
    return find_equilibrium(run, &run->trajectory->before);
}

static void remember(StickTrajectory *trajectory, double t)
{
    StickTrajectoryHistory present = {.t = t, .theta = trajectory->theta, .u = trajectory->u};
    stick_trajectory_history_push(&trajectory->now, &trajectory->before, &present,
                                  trajectory->frames.nmotions, trajectory->frames.system->ndofs);
}

void stick_trajectory_take_over(StickSimulation *run, const StickSimulation *before)
{
    const StickTrajectoryHistory *ended = &before->trajectory->now;
    if (ended->known)
        stick_trajectory_history_push(&run->trajectory->now, &run->trajectory->before, ended,
                                      run->trajectory->frames.nmotions, run->system->ndofs);
}

StickStatus stick_trajectory_step(StickSimulation *run)
{
    run->state.next.t = stick_trajectory_time(run->spec, (long)run->advance.piece);
    STICK_TRY(find_equilibrium(run, &run->trajectory->now));
    place(run);
    remember(run->trajectory, run->state.next.t);
    run->advance.piece++;
    StickMotion motion = run->state.now;
    run->state.now = run->state.next;
    run->state.next = motion;
    run->state.step++;
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "stepping/force_control.h"

#include "base/memory.h"
#include "bodies/products.h"
#include "stepping/contact_problem.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MOST_HELD = 32, MOST_SOLVES = 200 };

static const double little_resistance = 1e-4; // of what contact resists with: below it a spring helps ...
static const double spring = 1e-2;            // ... that is this much as stiff as contact
static const double no_resistance = 1e-9;     // of the stiffness of the nodes: round-off
static const double force_met = 1e-2;         // how well the forces are held, of the tolerance of contact

typedef struct Held {
    const StickLoadSpec *spec;
    const StickGroup *group;
    int axis;
    double *y;    // ndofs: displacements for a unit motion of the group
    double grasp; // stiffness of all its nodes taken one by one: what k is judged by
} Held;

struct StickForceControl {
    StickContext *ctx;
    int count;
    Held held[MOST_HELD];
    int generation; // of the matrix that y belongs to
    double k[MOST_HELD * MOST_HELD], g[MOST_HELD];
    double s[MOST_HELD]; // motion in this increment so far
    double free_motion;  // what it would be if nothing touched
    // of the present contacts
    double *C; // count columns of dim x ncontacts
    size_t C_capacity;
    double *value; // of W with what is held
    size_t value_capacity;
    StickBlocks W;
    double *u_free;
    size_t u_free_capacity;
};

// ---- what is held

static StickStatus refuse_twice(StickContext *ctx, const StickSystem *system, const StickLoadSpec *spec,
                                int node, int axis)
{
    const StickBody *body = &system->body[spec->on.body];
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, spec->mark,
        "component %d of node %lld of body '%s' cannot be held: it is prescribed or held already", axis + 1,
        stick_mesh_node_tag(&body->mesh, node), body->name);
}

// One more support, in its order.
static StickStatus add_support(StickContext *ctx, StickSupports *supports, StickSupport added, bool *twice)
{
    STICK_RESERVE(ctx, supports->support, supports->capacity, supports->count + 1);
    int k = supports->count;
    while (k > 0 && supports->support[k - 1].dof > added.dof)
        k--;
    *twice = k > 0 && supports->support[k - 1].dof == added.dof;
    if (*twice)
        return STICK_OK;
    memmove(&supports->support[k + 1], &supports->support[k],
            (size_t)(supports->count - k) * sizeof *supports->support);
    supports->support[k] = added;
    supports->count++;
    return STICK_OK;
}

static StickStatus hold_group(StickForceControl *hold, const StickSystem *system, const StickLoadSpec *spec,
                              int axis, StickSupports *supports)
{
    const StickBody *body = &system->body[spec->on.body];
    int dim = system->dim;
    bool twice;
    if (hold->count == MOST_HELD)
        return stick_fail_at(hold->ctx, STICK_BAD_INPUT, spec->mark, "more than %d forces are held",
                             MOST_HELD);
    Held *held = &hold->held[hold->count];
    *held = (Held){.spec = spec, .axis = axis};
    STICK_TRY(stick_system_group(system, &spec->on, &held->group));
    STICK_ALLOC(hold->ctx, held->y, system->ndofs);
    hold->count++;
    for (int i = 0; i < held->group->nnodes; i++) {
        int node = held->group->node[i];
        StickSupport support = {.dof = body->first + node * dim + axis};
        memcpy(support.place, &body->mesh.x[node * dim], (size_t)dim * sizeof *support.place);
        STICK_TRY(add_support(hold->ctx, supports, support, &twice));
        if (twice)
            return refuse_twice(hold->ctx, system, spec, node, axis);
    }
    return STICK_OK;
}

static StickStatus fill(StickForceControl *hold, const StickSystem *system, StickSupports *supports)
{
    const StickModel *model = system->model;
    for (int k = 0; k < model->nloads; k++)
        for (int axis = 0; axis < system->dim && model->load[k].kind == STICK_LOAD_HOLD; axis++)
            if (model->load[k].value[axis])
                STICK_TRY(hold_group(hold, system, &model->load[k], axis, supports));
    return STICK_OK;
}

StickStatus stick_force_control_create(StickContext *ctx, const StickSystem *system, StickSupports *supports,
                                       StickForceControl **hold)
{
    StickForceControl *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    StickStatus status = fill(created, system, supports);
    if (status != STICK_OK || created->count == 0) {
        stick_force_control_destroy(created);
        return status;
    }
    *hold = created;
    return STICK_OK;
}

void stick_force_control_destroy(StickForceControl *hold)
{
    if (!hold)
        return;
    for (int j = 0; j < hold->count; j++)
        stick_free(hold->ctx, hold->held[j].y);
    stick_free(hold->ctx, hold->C);
    stick_free(hold->ctx, hold->value);
    stick_free(hold->ctx, hold->u_free);
    stick_free(hold->ctx, hold);
}

// ---- the body

static double product(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

// y and k belong to the factors of K.
static StickStatus find_motions(StickForceControl *hold, StickSimulation *run)
{
    int n = run->state.n, dim = run->system->dim;
    size_t bytes = (size_t)n * sizeof(double);
    if (hold->generation == stick_step_matrix_generation(run->matrix))
        return STICK_OK;
    for (int j = 0; j < hold->count; j++) {
        Held *held = &hold->held[j];
        const StickBody *body = &run->system->body[held->spec->on.body];
        memset(held->y, 0, bytes);
        memset(run->rhs, 0, bytes);
        held->grasp = 0;
        for (int i = 0; i < held->group->nnodes; i++) {
            int local = held->group->node[i] * dim + held->axis;
            held->y[body->first + local] = 1;
            held->grasp += run->stiffness[body->first + local];
        }
        STICK_TRY(stick_step_matrix_solve(run->matrix, run->rhs, held->y));
    }
    for (int j = 0; j < hold->count; j++) {
        memcpy(run->work, hold->held[j].y, bytes);
        stick_system_stiffness(run->system, run->work, run->rhs);
        for (int i = 0; i < hold->count; i++)
            hold->k[i * hold->count + j] = product(hold->held[i].y, run->rhs, n);
    }
    hold->generation = stick_step_matrix_generation(run->matrix);
    return STICK_OK;
}

StickStatus stick_force_control_begin(StickForceControl *hold, StickSimulation *run)
{
    const StickMotion *next = &run->state.next;
    StickVariables seen = {.t = next->t};
    STICK_TRY(find_motions(hold, run));
    for (int i = 0; i < run->state.n; i++)
        run->work[i] = run->state.now.q[i] + run->dq_free[i];
    stick_system_stiffness(run->system, run->work, run->rhs);
    for (int i = 0; i < run->state.n; i++)
        run->rhs[i] = next->F[i] - run->rhs[i];
    for (int j = 0; j < hold->count; j++) {
        const Held *held = &hold->held[j];
        double force;
        STICK_TRY(stick_expression_value(held->spec->value[held->axis], &seen, &force));
        hold->g[j] = force + product(held->y, run->rhs, run->state.n);
        hold->s[j] = 0;
    }
    return STICK_OK;
}

// ---- the contact problem

// What contact resists with: one contact alone.
static double contact_stiffness(const StickBlocks *W)
{
    double soft = 0;
    for (int c = 0; c < W->n; c++)
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            for (int i = 0; i < W->d && W->col[k] == c; i++)
                soft = fmax(soft, W->value[k * W->d * W->d + i * W->d + i]);
    return soft > 0 ? 1 / soft : 0;
}

// The spring that k needs beside it: none where the body itself resists.
static StickStatus find_spring(const StickForceControl *hold, StickSimulation *run, double stiff, double *eps)
{
    double k[MOST_HELD * MOST_HELD], eigenvalue[MOST_HELD], grasp = 0;
    memcpy(k, hold->k, sizeof k);
    int failed = LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', hold->count, k, hold->count, eigenvalue);
    STICK_CHECK(run->ctx, failed == 0, STICK_INTERNAL, "the stiffness of %d held groups is not finite",
                hold->count);
    for (int j = 0; j < hold->count; j++)
        grasp = fmax(grasp, hold->held[j].grasp);
    *eps = 0;
    if (eigenvalue[0] > fmax(little_resistance * stiff, no_resistance * grasp))
        return STICK_OK;
    *eps = spring * stiff;
    if (stiff > 0)
        return STICK_OK;
    return stick_simulation_refuse(
        run, "t = %g: nothing resists a force that is held, and nothing is there to touch",
        run->state.next.t);
}

// inverse = (k + eps)^-1
static StickStatus invert(const StickForceControl *hold, StickSimulation *run, double eps, double *inverse)
{
    int m = hold->count;
    memcpy(inverse, hold->k, (size_t)(m * m) * sizeof *inverse);
    for (int j = 0; j < m; j++)
        inverse[j * m + j] += eps;
    int failed = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', m, inverse, m);
    if (failed == 0)
        failed = LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'U', m, inverse, m);
    STICK_CHECK(run->ctx, failed == 0, STICK_NOT_SOLVED, "the stiffness of %d held groups is singular", m);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            inverse[i * m + j] = inverse[j * m + i];
    return STICK_OK;
}

// W + C (k + eps)^-1 C'
static StickStatus add_motions(StickForceControl *hold, const StickBlocks *W, const double *inverse)
{
    int m = hold->count, d = W->d;
    size_t rows = (size_t)(W->n * d), blocks = (size_t)W->start[W->n];
    STICK_RESERVE(hold->ctx, hold->value, hold->value_capacity, blocks * (size_t)(d * d));
    memcpy(hold->value, W->value, blocks * (size_t)(d * d) * sizeof *hold->value);
    for (int c = 0; c < W->n; c++)
        for (int e = W->start[c]; e < W->start[c + 1]; e++)
            for (int ij = 0; ij < d * d; ij++)
                for (int a = 0; a < m; a++)
                    for (int b = 0; b < m; b++)
                        hold->value[e * d * d + ij] +=
                            inverse[a * m + b] * hold->C[(size_t)a * rows + (size_t)(c * d + ij / d)] *
                            hold->C[(size_t)b * rows + (size_t)(W->col[e] * d + ij % d)];
    hold->W = *W;
    hold->W.value = hold->value;
    return STICK_OK;
}

// ds = (k + eps)^-1 (g - k s + C' r)
static void motion_of(const StickForceControl *hold, const double *inverse, const double *r, size_t rows,
                      double *ds)
{
    int m = hold->count;
    double lack[MOST_HELD];
    for (int j = 0; j < m; j++) {
        lack[j] = hold->g[j] - product(&hold->k[j * m], hold->s, m);
        if (r)
            lack[j] += product(&hold->C[(size_t)j * rows], r, (int)rows);
    }
    for (int j = 0; j < m; j++)
        ds[j] = product(&inverse[j * m], lack, m);
}

// u_free += C ds
static void shift(const StickForceControl *hold, const double *ds, size_t rows, double *u_free)
{
    for (int j = 0; j < hold->count; j++)
        for (size_t i = 0; i < rows; i++)
            u_free[i] += hold->C[(size_t)j * rows + i] * ds[j];
}

// The groups move on by ds: so do dq_free and u_free.
static void move(StickForceControl *hold, StickSimulation *run, const double *ds, size_t rows)
{
    shift(hold, ds, rows, run->u_free);
    for (int j = 0; j < hold->count; j++) {
        hold->s[j] += ds[j];
        for (int i = 0; i < run->state.n; i++)
            run->dq_free[i] += ds[j] * hold->held[j].y[i];
    }
}

static StickStatus prepare(StickForceControl *hold, StickSimulation *run)
{
    size_t rows = (size_t)(run->contacts.ncontacts * run->system->dim);
    STICK_RESERVE(hold->ctx, hold->C, hold->C_capacity, rows * (size_t)hold->count);
    STICK_RESERVE(hold->ctx, hold->u_free, hold->u_free_capacity, rows);
    for (int j = 0; j < hold->count; j++)
        stick_contact_velocity(&run->contacts, hold->held[j].y, &hold->C[(size_t)j * rows]);
    return STICK_OK;
}

// Does something to the problem with the groups free to move: meanwhile W and u_free of the run are those of it.
static StickStatus with_motions(StickForceControl *hold, StickSimulation *run,
                                StickStatus (*action)(StickSimulation *))
{
    const StickBlocks *W = run->W;
    double *u_free = run->u_free;
    run->W = &hold->W;
    run->u_free = hold->u_free;
    StickStatus status = action(run);
    run->W = W;
    run->u_free = u_free;
    return status;
}

// The problem with the groups free to move against the spring: r, u and the motion.
static StickStatus solve_held(StickForceControl *hold, StickSimulation *run, const double *inverse,
                              size_t rows, double *ds)
{
    memcpy(hold->u_free, run->u_free, rows * sizeof *run->u_free);
    motion_of(hold, inverse, NULL, rows, ds);
    hold->free_motion = stick_simulation_largest(ds, hold->count);
    shift(hold, ds, rows, hold->u_free);
    STICK_TRY(with_motions(hold, run, stick_contact_problem_solve));
    motion_of(hold, inverse, run->r, rows, ds);
    return STICK_OK;
}

// What the spring carries, relative to the forces that are there.
static double spring_force(const StickForceControl *hold, const double *r, size_t rows, double eps,
                           const double *ds)
{
    double carried = 0, scale = 0;
    for (int j = 0; j < hold->count; j++) {
        carried = fmax(carried, fabs(eps * ds[j]));
        scale = fmax(scale, fmax(fabs(hold->g[j]), fabs(product(&hold->C[(size_t)j * rows], r, (int)rows))));
    }
    return scale > 0 ? carried / scale : 0;
}

StickStatus stick_force_control_solve(StickForceControl *hold, StickSimulation *run)
{
    size_t rows = (size_t)(run->contacts.ncontacts * run->system->dim);
    double inverse[MOST_HELD * MOST_HELD], ds[MOST_HELD], eps;
    STICK_TRY(prepare(hold, run));
    STICK_TRY(find_spring(hold, run, contact_stiffness(run->W), &eps));
    STICK_TRY(invert(hold, run, eps, inverse));
    STICK_TRY(add_motions(hold, run->W, inverse));
    for (int k = 0; k < MOST_SOLVES; k++) {
        STICK_TRY(solve_held(hold, run, inverse, rows, ds));
        move(hold, run, ds, rows);
        if (spring_force(hold, run->r, rows, eps, ds) <= fmax(1e-13, force_met * run->spec->tolerance))
            return with_motions(hold, run, stick_contact_problem_certify);
    }
    return stick_simulation_refuse(run, "t = %g: no motion of the groups that are held balances their forces",
                                   run->state.next.t);
}

double stick_force_control_free_motion(const StickForceControl *hold)
{
    return hold->free_motion;
}

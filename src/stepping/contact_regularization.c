// SPDX-License-Identifier: Apache-2.0
#include "stepping/contact_regularization.h"

#include "base/memory.h"
#include "stepping/contact_problem.h"

#include <math.h>
#include <string.h>

StickStatus stick_contact_regularization_create(const StickSimulation *run, StickContactRegularization *shore)
{
    STICK_ALLOC(run->ctx, shore->spring, run->state.memory.count);
    shore->turning.most = STICK_MOST_TURNING_ROWS;
    return STICK_OK;
}

void stick_contact_regularization_destroy(StickContext *ctx, StickContactRegularization *shore)
{
    stick_free(ctx, shore->spring);
    stick_free(ctx, shore->shift);
    stick_free(ctx, shore->room);
    stick_contact_geometric_stiffness_destroy(ctx, &shore->turning);
    *shore = (StickContactRegularization){0};
}

// ---- springs

static int find_entry(const StickSparse *K, int row, int col)
{
    for (int e = K->start[col]; e < K->start[col + 1]; e++)
        if (K->row[e] == row)
            return e;
    return -1;
}

// Entries of rho H_N H_N' in the pattern of the body; with value NULL: whether all of them are there.
static bool add_spring(const StickContactSet *set, const StickContact *contact, const StickBody *body,
                       double rho, double *value)
{
    for (int i = contact->first; i < contact->first + contact->count; i++) {
        for (int j = contact->first; j < contact->first + contact->count; j++) {
            double product = set->H[i * set->dim] * set->H[j * set->dim];
            if (product == 0)
                continue;
            int e = find_entry(&body->K, set->dof[i] - body->first, set->dof[j] - body->first);
            if (e < 0)
                return false;
            if (value)
                value[e] += rho * product;
        }
    }
    return true;
}

void stick_contact_regularization_put(StickSimulation *run, StickContactRegularization *shore,
                                      const StickContactSet *set, const double *r, double **tangent)
{
    const StickContactMemory *memory = &run->state.memory;
    memset(shore->spring, 0, (size_t)memory->count * sizeof *shore->spring);
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        int slot = stick_memory_slot(memory, contact), b = contact->body[0];
        const StickBody *body = &run->system->body[b];
        if (contact->body[1] >= 0 || !tangent[b] || !(r[slot * set->dim] > 0) ||
            !add_spring(set, contact, body, shore->rho, NULL))
            continue;
        add_spring(set, contact, body, shore->rho, tangent[b]);
        shore->spring[slot] = 1;
    }
}

// ---- the contact problem

static bool has_spring(const StickSimulation *run, const StickContactRegularization *shore, int c)
{
    if (shore->turning.on && shore->turning.spring[c] > 0)
        return true;
    return shore->spring[stick_memory_slot(&run->state.memory, &run->contacts.contact[c])] > 0;
}

// Solvers want what pushes a contact to move it that way.
bool stick_contact_regularization_is_stable(const StickSimulation *run)
{
    const StickBlocks *W = run->W;
    size_t d = (size_t)W->d;
    for (int c = 0; c < W->n; c++)
        for (int k = W->start[c]; k < W->start[c + 1]; k++)
            for (size_t i = 0; i < d && W->col[k] == c; i++)
                if (!(W->value[((size_t)k * d + i) * d + i] >= 0))
                    return false;
    return true;
}

StickStatus stick_contact_regularization_refuse_unstable(StickSimulation *run)
{
    if (stick_contact_regularization_is_stable(run))
        return STICK_OK;
    return stick_simulation_refuse(run, "t = %g: the bodies are not stable, nor does contact hold them",
                                   run->state.next.t);
}

StickStatus stick_contact_regularization_blocks(StickSimulation *run, StickContactRegularization *shore,
                                                const double *r, const double *q)
{
    STICK_TRY(stick_contact_geometric_stiffness_begin(run, &shore->turning, r, shore->rho, q));
    return stick_delassus_blocks(run->delassus, shore->turning.on ? &shore->turning.rows : &run->contacts,
                                 &run->W);
}

StickStatus stick_contact_regularization_shift(StickSimulation *run, StickContactRegularization *shore,
                                               const double *x)
{
    const StickContactSet *set = &run->contacts;
    int n = set->ncontacts * set->dim;
    STICK_RESERVE(run->ctx, shore->shift, shore->shift_capacity, n);
    STICK_RESERVE(run->ctx, shore->room, shore->room_capacity, n);
    stick_contact_velocity(set, x, shore->room);
    memset(shore->shift, 0, (size_t)n * sizeof *shore->shift);
    for (int c = 0, i = 0; c < set->ncontacts; c++, i += set->dim)
        if (has_spring(run, shore, c))
            shore->shift[i] = shore->rho * (shore->room[i] + set->contact[c].u_drive[0] + run->bias[c]);
    if (shore->turning.on) {
        STICK_TRY(stick_contact_geometric_stiffness_condense(run, &shore->turning, x, shore->shift));
        return stick_contact_regularization_refuse_unstable(run);
    }
    STICK_TRY(stick_contact_regularization_refuse_unstable(run));
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_apply(&problem, shore->shift, shore->room);
    for (int i = 0; i < n; i++)
        run->u_free[i] -= shore->room[i];
    return STICK_OK;
}

// Of the motions of the problem: less than this is a contact that stayed closed.
static const double closed = 1e-12;

// next.v by R, which stands in r of the run.
static StickStatus move(StickSimulation *run, StickContactRegularization *shore, int n)
{
    if (shore->turning.on)
        return stick_contact_geometric_stiffness_apply(run, &shore->turning, shore->shift);
    for (int i = 0; i < n; i++)
        run->r[i] -= shore->shift[i];
    return stick_contact_problem_apply(run);
}

StickStatus stick_contact_regularization_apply(StickSimulation *run, StickContactRegularization *shore)
{
    int dim = run->system->dim, n = run->contacts.ncontacts * dim;
    double motion = fmax(stick_simulation_largest(run->u, n), stick_simulation_largest(run->u_free, n));
    shore->settled = true;
    memcpy(shore->room, run->r, (size_t)n * sizeof *run->r);
    STICK_TRY(move(run, shore, n));
    memcpy(run->r, shore->room, (size_t)n * sizeof *run->r);
    for (int c = 0, i = 0; c < run->contacts.ncontacts; c++, i += dim) {
        if (!has_spring(run, shore, c))
            continue;
        shore->settled = shore->settled && (run->r[i] > 0 || run->u[i] <= closed * motion);
        run->r[i] -= shore->rho * run->u[i]; // as well as the solver closes it, none
    }
    stick_contact_problem_press(run);
    return STICK_OK;
}

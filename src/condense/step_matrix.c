// SPDX-License-Identifier: Apache-2.0
#include "condense/step_matrix.h"

#include "base/memory.h"
#include "base/pool.h"
#include "bodies/loose.h"
#include "condense/body_matrix.h"
#include "condense/rigid_inverse.h"

#include <math.h>

struct StickStepMatrix {
    StickContext *ctx;
    const StickSystem *system;
    const StickSupports *supports;
    StickBodyMatrix *body;
    int *places;               // ndofs of the system: free of all bodies
    double *inverses, *masses; // of all rigid bodies: rigid and block
    double *packed;            // right-hand side of one body
    double *half;              // ndofs: of a solve in halves, for bodies without split factors
    int *asked;                // ndofs: requested places
    double m, a, b;
    int ntangents; // bodies with a tangent of their own
    int generation;
    long turns;
};

// Supports are sorted by their degrees of freedom: those of a body begin where those of the one before it end.
static void number_free(const StickBody *body, const StickSupports *supports, int *next,
                        StickBodyMatrix *matrix)
{
    for (; *next < supports->count && supports->support[*next].dof < body->first + body->ndofs; (*next)++)
        matrix->free[supports->support[*next].dof - body->first] = -1;
    for (int i = 0; i < body->ndofs; i++)
        if (matrix->free[i] >= 0)
            matrix->free[i] = matrix->order++;
}

// ---- rigid bodies

enum { MASS = STICK_RIGID_DOFS * STICK_RIGID_DOFS }; // room for M of a rigid body

static void invert_rigid(const StickBody *body, double m, StickBodyMatrix *own)
{
    stick_rigid_inverse(body->ndofs, own->block, m, own->free, own->order, own->rigid);
}

// Position of the number-th rigid body: data of neighbours are contiguous.
static void place_rigid(StickStepMatrix *matrix, const StickBody *body, int number, StickBodyMatrix *own)
{
    const double zero[STICK_RIGID_DOFS] = {0};
    own->rigid = matrix->inverses + (size_t)number * (size_t)(body->ndofs * body->ndofs);
    own->block = matrix->masses + (size_t)number * MASS;
    stick_rigid_mass(body->rigid, zero, own->block);
}

// Arguments of an operation with the matrix on all rigid bodies.
typedef struct OnBodies {
    StickStepMatrix *matrix;
    const double *q, *rhs;
    bool add;
    double *v;
} OnBodies;

static void turn_range(void *data, int from, int to)
{
    const OnBodies *on = data;
    for (int b = from; b < to; b++) {
        const StickBody *body = &on->matrix->system->body[b];
        if (!body->rigid)
            continue;
        stick_rigid_mass(body->rigid, on->q + body->first, on->matrix->body[b].block);
        invert_rigid(body, on->matrix->m, &on->matrix->body[b]);
    }
}

void stick_step_matrix_turn(StickStepMatrix *matrix, const double *q)
{
    if (matrix->system->dim < 3 || matrix->system->nrigid == 0)
        return;
    OnBodies on = {.matrix = matrix, .q = q};
    stick_threads_range(matrix->ctx, matrix->system->nbodies, turn_range, &on);
    matrix->turns++;
}

const double *stick_step_matrix_rigid(const StickStepMatrix *matrix, int body)
{
    return matrix->body[body].rigid;
}

long stick_step_matrix_turns(const StickStepMatrix *matrix)
{
    return matrix->turns;
}

static StickStatus fill(StickStepMatrix *matrix)
{
    StickContext *ctx = matrix->ctx;
    const StickSystem *system = matrix->system;
    size_t nrigid = (size_t)system->nrigid, ndofs = (size_t)stick_rigid_ndofs(system->dim);
    int largest = 0, next = 0, number = 0;
    STICK_ALLOC(ctx, matrix->body, system->nbodies);
    STICK_ALLOC(ctx, matrix->places, system->ndofs);
    STICK_ALLOC(ctx, matrix->inverses, nrigid * ndofs * ndofs);
    STICK_ALLOC(ctx, matrix->masses, nrigid * MASS);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        StickBodyMatrix *own = &matrix->body[b];
        own->free = matrix->places + body->first;
        number_free(body, matrix->supports, &next, own);
        if (body->rigid)
            place_rigid(matrix, body, number++, own);
        else
            STICK_TRY(stick_body_matrix_create(ctx, body, own));
        largest = own->order > largest ? own->order : largest;
    }
    STICK_ALLOC(ctx, matrix->packed, largest);
    return STICK_OK;
}

StickStatus stick_step_matrix_create(StickContext *ctx, const StickSystem *system,
                                     const StickSupports *supports, StickStepMatrix **matrix)
{
    StickStepMatrix *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    created->supports = supports;
    StickStatus status = fill(created);
    if (status != STICK_OK) {
        stick_step_matrix_destroy(created);
        return status;
    }
    *matrix = created;
    return STICK_OK;
}

void stick_step_matrix_destroy(StickStepMatrix *matrix)
{
    if (!matrix)
        return;
    StickContext *ctx = matrix->ctx;
    for (int b = 0; matrix->body && b < matrix->system->nbodies; b++)
        stick_body_matrix_destroy(ctx, &matrix->body[b]);
    stick_free(ctx, matrix->body);
    stick_free(ctx, matrix->places);
    stick_free(ctx, matrix->inverses);
    stick_free(ctx, matrix->masses);
    stick_free(ctx, matrix->packed);
    stick_free(ctx, matrix->half);
    stick_free(ctx, matrix->asked);
    stick_free(ctx, matrix);
}

// How far the solution of A x = A x0 may be from x0: farther off, A is singular but for round-off.
static const double much_lost = 1e-3;

static StickStatus refuse_singular(const StickStepMatrix *matrix, int b, const char *why, const char *free)
{
    return stick_fail(
        matrix->ctx, STICK_BAD_INPUT,
        "body '%s' %s: without inertia its place is not determined, and contact alone does not "
        "hold it%s%s; give it a support in each direction in which it could move or turn as a whole, "
        "or take a dynamic step",
        matrix->system->body[b].name, why, *free ? "; " : "", free);
}

// Solves A x0 = b with a known x0: the error shows the accuracy of the factors.
static StickStatus try_factor(StickStepMatrix *matrix, int b)
{
    const StickBodyMatrix *own = &matrix->body[b];
    double *x = matrix->packed, lost = 0;
    for (int j = 0; j < own->order; j++) {
        x[j] = 0;
        for (int e = own->A.start[j]; e < own->A.start[j + 1]; e++)
            x[j] += own->A.value[e] * (1 + own->A.row[e] % 7);
    }
    STICK_TRY(stick_factor_solve(own->factor, x, 1, x));
    for (int j = 0; j < own->order; j++)
        lost = fmax(lost, isfinite(x[j]) ? fabs(x[j] - (1 + j % 7)) : INFINITY);
    return lost <= much_lost ? STICK_OK : refuse_singular(matrix, b, "has a singular stiffness", "");
}

// Supports hold the same degrees of freedom as long as the matrix is there.
static StickStatus check_held(StickStepMatrix *matrix, int b)
{
    StickLoose loose;
    if (matrix->body[b].held)
        return STICK_OK;
    STICK_TRY(stick_loose_find(matrix->ctx, &matrix->system->body[b], matrix->supports, &loose));
    if (loose.motions > 0)
        return refuse_singular(matrix, b, "is not held by its supports", loose.text);
    matrix->body[b].held = true;
    return STICK_OK;
}

static StickStatus factor_body(StickStepMatrix *matrix, int b)
{
    StickBodyMatrix *own = &matrix->body[b];
    if (matrix->m == 0)
        STICK_TRY(check_held(matrix, b));
    if (own->tangent)
        return stick_body_matrix_factor_tangent(matrix->ctx, own);
    own->indefinite = false;
    if (matrix->m != 0)
        return stick_factor_refactor(own->factor, &own->A);
    bool definite;
    STICK_TRY(stick_factor_try(own->factor, &own->A, &definite));
    return definite ? try_factor(matrix, b) : refuse_singular(matrix, b, "has a singular stiffness", "");
}

static const double *stiffness_of(const StickStepMatrix *matrix, int b)
{
    return matrix->body[b].tangent ? matrix->body[b].tangent : matrix->system->body[b].K.value;
}

static StickStatus set_body(StickStepMatrix *matrix, int k, double a, double b)
{
    const StickBody *body = &matrix->system->body[k];
    StickBodyMatrix *own = &matrix->body[k];
    own->generation++;
    if (body->rigid) {
        if (matrix->m == 0)
            return refuse_singular(matrix, k, "is rigid", "");
        invert_rigid(body, matrix->m, own);
        return STICK_OK;
    }
    if (body->modes)
        return stick_body_matrix_factor_modes(body, matrix->m, a, b, own)
                   ? STICK_OK
                   : refuse_singular(matrix, k, "moves by modes", "");
    const double *K = stiffness_of(matrix, k);
    for (int e = 0; e < own->A.start[own->order]; e++) {
        int from = own->from[e];
        own->A.value[e] = matrix->m * body->M.value[from] + a * body->C.value[from] + b * K[from];
    }
    STICK_TRY(factor_body(matrix, k));
    own->changed = false;
    return STICK_OK;
}

StickStatus stick_step_matrix_set(StickStepMatrix *matrix, double m, double a, double b)
{
    bool same = matrix->generation > 0 && matrix->m == m && matrix->a == a && matrix->b == b, changed = !same;
    for (int k = 0; k < matrix->system->nbodies && matrix->ntangents > 0; k++)
        changed |= matrix->body[k].changed;
    if (!changed)
        return STICK_OK;
    matrix->m = m;
    // If a body's matrix is singular, those before it are already refactored: no coefficients are valid.
    matrix->a = matrix->b = NAN;
    for (int k = 0; k < matrix->system->nbodies; k++)
        if (!same || matrix->body[k].changed)
            STICK_TRY(set_body(matrix, k, a, b));
    matrix->a = a;
    matrix->b = b;
    matrix->generation++;
    return STICK_OK;
}

void stick_step_matrix_tangent(StickStepMatrix *matrix, int body, const double *value)
{
    StickBodyMatrix *own = &matrix->body[body];
    matrix->ntangents += (value != NULL) - (own->tangent != NULL);
    own->tangent = value;
    own->changed = true;
    if (!value) // the factors are those of the tangent still
        matrix->b = NAN;
}

int stick_step_matrix_indefinite(const StickStepMatrix *matrix)
{
    int count = 0;
    for (int b = 0; b < matrix->system->nbodies; b++)
        count += matrix->body[b].indefinite;
    return count;
}

int stick_step_matrix_body_generation(const StickStepMatrix *matrix, int body)
{
    return matrix->body[body].generation;
}

int stick_step_matrix_generation(const StickStepMatrix *matrix)
{
    return matrix->generation;
}

// rhs_f -= A_fc v_c: moves the prescribed velocities to the right-hand side.
static void move_prescribed(const StickStepMatrix *matrix, const double *v, double *rhs)
{
    int b = 0;
    for (int s = 0; s < matrix->supports->count; s++) {
        int dof = matrix->supports->support[s].dof;
        while (dof >= matrix->system->body[b].first + matrix->system->body[b].ndofs)
            b++;
        const StickBody *body = &matrix->system->body[b];
        int j = dof - body->first;
        if (v[dof] == 0)
            continue;
        if (body->rigid) {
            for (int i = 0; i < body->ndofs; i++)
                rhs[body->first + i] -= matrix->m * matrix->body[b].block[i * body->ndofs + j] * v[dof];
            continue;
        }
        const double *K = stiffness_of(matrix, b);
        for (int e = body->M.start[j]; e < body->M.start[j + 1]; e++) {
            double A = matrix->m * body->M.value[e] + matrix->a * body->C.value[e] + matrix->b * K[e];
            rhs[body->first + body->M.row[e]] -= A * v[dof];
        }
    }
}

// A body that no impulse acts on keeps its velocity, and its solve is saved.
static bool is_zero(const double *p, int count)
{
    for (int i = 0; i < count; i++)
        if (p[i] != 0)
            return false;
    return true;
}

// packed: room for a right-hand side
static StickStatus solve_body(const OnBodies *on, int b, double *packed)
{
    const StickBody *body = &on->matrix->system->body[b];
    StickBodyMatrix *own = &on->matrix->body[b];
    if (on->add && is_zero(on->rhs + body->first, body->ndofs))
        return STICK_OK;
    stick_body_matrix_pack(body, own, on->rhs, packed);
    STICK_TRY(stick_body_matrix_solve(on->matrix->ctx, own, packed, 1, packed));
    for (int i = 0; i < body->ndofs; i++)
        if (own->free[i] >= 0)
            on->v[body->first + i] = packed[own->free[i]] + (on->add ? on->v[body->first + i] : 0);
    return STICK_OK;
}

static void solve_range(void *data, int from, int to)
{
    const OnBodies *on = data;
    for (int b = from; b < to; b++) {
        double packed[STICK_RIGID_DOFS];
        if (on->matrix->system->body[b].rigid)
            (void)solve_body(on, b, packed); // small products do not fail
    }
}

static StickStatus solve_bodies(OnBodies *on)
{
    const StickSystem *system = on->matrix->system;
    stick_threads_range(on->matrix->ctx, system->nbodies, solve_range, on);
    for (int b = 0; b < system->nbodies && system->nrigid < system->nbodies; b++)
        if (!system->body[b].rigid)
            STICK_TRY(solve_body(on, b, on->matrix->packed));
    return STICK_OK;
}

StickStatus stick_step_matrix_solve(StickStepMatrix *matrix, double *rhs, double *v)
{
    OnBodies on = {.matrix = matrix, .rhs = rhs, .v = v};
    move_prescribed(matrix, v, rhs);
    return solve_bodies(&on);
}

StickStatus stick_step_matrix_correct(StickStepMatrix *matrix, double *p, double *v)
{
    OnBodies on = {.matrix = matrix, .rhs = p, .add = true, .v = v};
    return solve_bodies(&on);
}

// ---- in halves

// v of one body at these degrees of freedom.
static StickStatus begin_body(StickStepMatrix *matrix, int b, const int *dof, int ndofs, const double *rhs,
                              double *v)
{
    const StickBody *body = &matrix->system->body[b];
    StickBodyMatrix *own = &matrix->body[b];
    double *x = matrix->half;
    int count = 0;
    if (!stick_body_matrix_has_halves(own)) {
        STICK_TRY(solve_body(&(OnBodies){.matrix = matrix, .rhs = rhs, .v = x}, b, matrix->packed));
        for (int k = 0; k < ndofs; k++)
            if (own->free[dof[k] - body->first] >= 0)
                v[dof[k]] = x[dof[k]];
        return STICK_OK;
    }
    stick_body_matrix_pack(body, own, rhs, matrix->packed);
    STICK_TRY(stick_factor_begin(own->factor, matrix->packed));
    for (int k = 0; k < ndofs; k++)
        if (own->free[dof[k] - body->first] >= 0)
            matrix->asked[count++] = own->free[dof[k] - body->first];
    STICK_TRY(stick_factor_peek(own->factor, matrix->asked, count, matrix->packed));
    for (int k = 0, i = 0; k < ndofs; k++)
        if (own->free[dof[k] - body->first] >= 0)
            v[dof[k]] = matrix->packed[i++];
    return STICK_OK;
}

StickStatus stick_step_matrix_begin(StickStepMatrix *matrix, const int *dof, int ndofs, double *rhs,
                                    double *v)
{
    const StickSystem *system = matrix->system;
    if (!matrix->half)
        STICK_ALLOC(matrix->ctx, matrix->half, system->ndofs);
    if (!matrix->asked)
        STICK_ALLOC(matrix->ctx, matrix->asked, system->ndofs);
    move_prescribed(matrix, v, rhs);
    for (int b = 0, k = 0; b < system->nbodies; b++) {
        int from = k, to = system->body[b].first + system->body[b].ndofs;
        while (k < ndofs && dof[k] < to)
            k++;
        STICK_TRY(begin_body(matrix, b, dof + from, k - from, rhs, v));
    }
    return STICK_OK;
}

static StickStatus end_body(StickStepMatrix *matrix, int b, const double *p, double *v)
{
    const StickBody *body = &matrix->system->body[b];
    StickBodyMatrix *own = &matrix->body[b];
    bool halves = stick_body_matrix_has_halves(own);
    double *x = matrix->packed;
    stick_body_matrix_pack(body, own, p, x);
    STICK_TRY(halves ? stick_factor_end(own->factor, x, x)
                     : stick_body_matrix_solve(matrix->ctx, own, x, 1, x));
    for (int i = 0; i < body->ndofs; i++)
        if (own->free[i] >= 0)
            v[body->first + i] = x[own->free[i]] + (halves ? 0 : matrix->half[body->first + i]);
    return STICK_OK;
}

StickStatus stick_step_matrix_end(StickStepMatrix *matrix, const double *p, double *v)
{
    for (int b = 0; b < matrix->system->nbodies; b++)
        STICK_TRY(end_body(matrix, b, p, v));
    return STICK_OK;
}

int stick_step_matrix_free(const StickStepMatrix *matrix, int body, int local)
{
    return matrix->body[body].free[local];
}

StickStatus stick_step_matrix_solve_body(StickStepMatrix *matrix, int body, const double *B, int k, double *X)
{
    return stick_body_matrix_solve(matrix->ctx, &matrix->body[body], B, k, X);
}

StickStatus stick_step_matrix_compliance(StickStepMatrix *matrix, int body, const int *place, int k,
                                         double *S, bool *found)
{
    StickBodyMatrix *own = &matrix->body[body];
    *found = false;
    if (!own->tangent || own->indefinite)
        return STICK_OK;
    return stick_factor_compliance(own->factor, place, k, S, found);
}

int stick_step_matrix_order(const StickStepMatrix *matrix, int body)
{
    return matrix->body[body].order;
}

double stick_step_matrix_bytes(const StickStepMatrix *matrix)
{
    double bytes = 0;
    for (int b = 0; b < matrix->system->nbodies; b++)
        bytes += matrix->body[b].factor ? stick_factor_bytes(matrix->body[b].factor) : 0;
    return bytes;
}

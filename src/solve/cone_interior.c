// SPDX-License-Identifier: Apache-2.0
#include "solve/cone_interior.h"

#include "base/memory.h"
#include "solve/cone.h"
#include "solve/problem.h"

#include <string.h>

StickStatus stick_cone_interior_create(StickContext *ctx, StickConeInterior **created)
{
    StickConeInterior *interior;
    STICK_ALLOC(ctx, interior, 1);
    interior->ctx = ctx;
    StickStatus status = stick_block_lu_create(ctx, &interior->lu);
    if (status != STICK_OK) {
        stick_free(ctx, interior);
        return status;
    }
    *created = interior;
    return STICK_OK;
}

void stick_cone_interior_destroy(StickConeInterior *interior)
{
    if (!interior)
        return;
    stick_block_lu_destroy(interior->lu);
    stick_free(interior->ctx, interior->reals);
    stick_free(interior->ctx, interior->blocks);
    stick_free(interior->ctx, interior->scaling);
    stick_free(interior->ctx, interior->active);
    stick_free(interior->ctx, interior);
}

void stick_cone_interior_use(StickConeInterior *interior, StickBodySystem *bodies)
{
    interior->bodies = bodies;
}

StickStatus stick_cone_interior_reserve(StickConeInterior *interior, const StickFrictionProblem *problem)
{
    StickContext *ctx = interior->ctx;
    const StickBlocks *W = problem->W;
    size_t count = (size_t)problem->ncontacts, n = (size_t)problem->dim * count;
    size_t d = (size_t)problem->dim, velocities = 0, numbers = (size_t)W->start[W->n] * d * d;
    if (interior->bodies) {
        velocities = (size_t)(interior->bodies->ndofs * interior->bodies->nbodies);
        numbers = d * n;
        STICK_RESERVE(ctx, interior->active, interior->active_room, count);
        memset(interior->active, 1, count);
    } else {
        STICK_TRY(stick_block_lu_analyse(interior->lu, W->n, W->start, W->col, W->d));
    }
    STICK_RESERVE(ctx, interior->reals, interior->real_room, 9 * n + count + 2 * velocities);
    STICK_RESERVE(ctx, interior->blocks, interior->block_room, 2 * numbers);
    STICK_RESERVE(ctx, interior->scaling, interior->scaling_room, count);
    double **vectors[] = {&interior->D,   &interior->q, &interior->x,    &interior->y,   &interior->lambda,
                          &interior->rhs, &interior->r, &interior->work, &interior->zero};
    for (size_t k = 0; k < 9; k++)
        *vectors[k] = interior->reals + k * n;
    interior->norm = interior->reals + 9 * n;
    interior->v = interior->norm + count;
    interior->p = interior->v + velocities;
    interior->What = interior->inverse = interior->blocks;
    interior->matrix = interior->spread = interior->What + numbers;
    memset(interior->zero, 0, n * sizeof *interior->zero);
    return STICK_OK;
}

static double friction_of(const StickFrictionProblem *problem, int c)
{
    return problem->dim == 1 ? 0 : problem->mu[c];
}

// r_N = x_0 / (mu s), r_T = x_T / s; without friction r_N = x_0 / s, r_T = 0
static void load_scale(StickConeInterior *interior, int c)
{
    double s = sqrt(stick_friction_weight(interior->problem, c)), mu = friction_of(interior->problem, c);
    double *D = interior->D + (size_t)interior->dim * (size_t)c;
    D[0] = 1 / (mu > 0 ? mu * s : s);
    for (int k = 1; k < interior->dim; k++)
        D[k] = mu > 0 ? 1 / s : 0;
}

static void load_matrix(StickConeInterior *interior)
{
    const StickBlocks *W = interior->problem->W;
    int d = W->d;
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++) {
            const double *Di = interior->D + (size_t)d * (size_t)i,
                         *Dj = interior->D + (size_t)d * (size_t)W->col[k];
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++) {
                    size_t at = ((size_t)k * (size_t)d + (size_t)a) * (size_t)d + (size_t)b;
                    interior->What[at] = Di[a] * W->value[at] * Dj[b];
                }
        }
}

void stick_cone_interior_load(StickConeInterior *interior, const StickFrictionProblem *problem)
{
    double sum = 0;
    interior->problem = problem;
    interior->dim = problem->dim;
    interior->ncontacts = problem->ncontacts;
    interior->n = problem->dim * problem->ncontacts;
    for (int c = 0; c < problem->ncontacts; c++)
        load_scale(interior, c);
    if (!interior->bodies)
        load_matrix(interior);
    for (int i = 0; i < interior->n; i++) {
        interior->q[i] = interior->D[i] * problem->u_free[i];
        sum += interior->q[i] * interior->q[i];
    }
    interior->scale = sqrt(sum / interior->n);
    interior->best = INFINITY;
    interior->iterations = 0;
    interior->flops = 0;
}

// ---- points

void stick_cone_interior_centre(StickConeInterior *interior, double size)
{
    for (int i = 0; i < interior->n; i++)
        interior->x[i] = interior->y[i] = i % interior->dim == 0 ? size : 0;
}

// x = p(z) and y = p(-z) with p(l) = (l + sqrt(l^2 + 4 size^2))/2 of the eigenvalues l = z_0 -+ |z_T|
static void split(int d, const double *z, double size, double *x, double *y)
{
    double t = sqrt(stick_lorentz_dot(d, z, z)), p[2][2];
    for (int k = 0; k < 2; k++) {
        double l = k == 0 ? z[0] - t : z[0] + t, root = hypot(l, 2 * size), large = (fabs(l) + root) / 2;
        p[k][l < 0] = large;
        p[k][l >= 0] = size * size / large;
    }
    for (int k = 1; k < d; k++) {
        x[k] = t > 0 ? (p[1][0] - p[0][0]) / 2 * (z[k] / t) : 0;
        y[k] = t > 0 ? (p[1][1] - p[0][1]) / 2 * (z[k] / t) : 0;
    }
    x[0] = (p[0][0] + p[1][0]) / 2;
    y[0] = (p[0][1] + p[1][1]) / 2;
}

void stick_cone_interior_near(StickConeInterior *interior, const double *r, double *u, double size)
{
    int d = interior->dim;
    stick_residual_velocity(interior->problem, r, u);
    for (int c = 0; c < interior->ncontacts; c++) {
        size_t at = (size_t)d * (size_t)c;
        const double *D = interior->D + at;
        double z[3] = {0}, tangent[3] = {0};
        for (int k = 1; k < d; k++)
            tangent[k] = D[k] * u[at + (size_t)k];
        for (int k = 0; k < d; k++)
            z[k] = (D[k] > 0 ? r[at + (size_t)k] / D[k] : 0) - D[k] * u[at + (size_t)k];
        z[0] -= sqrt(stick_lorentz_dot(d, tangent, tangent));
        split(d, z, size, interior->x + at, interior->y + at);
    }
}

// What x
static void multiply(StickConeInterior *interior, const double *x, double *product)
{
    const StickBlocks *W = interior->problem->W;
    StickBodySystem *bodies = interior->bodies;
    int d = interior->dim;
    if (bodies) {
        for (int i = 0; i < interior->n; i++)
            interior->work[i] = interior->D[i] * x[i];
        stick_body_system_impulse(bodies, interior->work, interior->p);
        stick_body_system_response(bodies, interior->p, interior->v);
        stick_body_system_velocity(bodies, interior->zero, interior->v, product);
        for (int i = 0; i < interior->n; i++)
            product[i] *= interior->D[i];
        return;
    }
    for (int c = 0; c < interior->ncontacts; c++) {
        double sum[3] = {0};
        for (int k = W->start[c]; k < W->start[c + 1]; k++) {
            const double *block = interior->What + (size_t)k * (size_t)(d * d),
                         *other = x + (size_t)d * (size_t)W->col[k];
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++)
                    sum[a] += block[a * d + b] * other[b];
        }
        memcpy(product + (size_t)d * (size_t)c, sum, (size_t)d * sizeof *sum);
    }
}

void stick_cone_interior_defect(StickConeInterior *interior, double smooth, double *F)
{
    int d = interior->dim;
    multiply(interior, interior->x, F);
    for (int c = 0; c < interior->ncontacts; c++) {
        size_t at = (size_t)d * (size_t)c;
        const double *y = interior->y + at;
        double tangent = sqrt(stick_lorentz_dot(d, y, y));
        interior->norm[c] = friction_of(interior->problem, c) > 0 ? hypot(tangent, smooth) : 0;
        for (int k = 0; k < d; k++)
            F[at + (size_t)k] = y[k] - F[at + (size_t)k] - interior->q[at + (size_t)k];
        F[at] -= interior->norm[c];
    }
}

// ---- the linear system

// T z = z - e (y_T.z_T)/norm
static void apply_T(const StickConeInterior *interior, int c, double *z)
{
    if (interior->norm[c] > 0)
        z[0] -= stick_lorentz_dot(interior->dim, interior->y + (size_t)interior->dim * (size_t)c, z) /
                interior->norm[c];
}

// T V^2 of contact c, by rows
static void scaling_block(const StickConeInterior *interior, int c, double *block)
{
    int d = interior->dim;
    const StickLorentzScaling *V = &interior->scaling[c];
    for (int j = 0; j < d; j++) {
        double column[3];
        for (int i = 0; i < d; i++)
            column[i] = V->eta * V->eta * (2 * V->w[i] * V->w[j] + (i != j ? 0 : i == 0 ? -1 : 1));
        apply_T(interior, c, column);
        for (int i = 0; i < d; i++)
            block[i * d + j] = column[i];
    }
}

// (T V^2)^-1 = V^-2 T^-1 with V^-2 = J V^2 J / eta^4, J = diag(1, -1, -1), and T^-1 z = z + e (y_T.z_T)/norm
static void invert_scaling(StickConeInterior *interior, int c)
{
    int d = interior->dim;
    const StickLorentzScaling *V = &interior->scaling[c];
    const double *y = interior->y + (size_t)d * (size_t)c, *D = interior->D + (size_t)d * (size_t)c;
    double *inverse = interior->inverse + (size_t)(d * d) * (size_t)c;
    double *spread = interior->spread + (size_t)(d * d) * (size_t)c;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            inverse[i * d + j] = (2 * V->w[i] * V->w[j] * ((i == 0) == (j == 0) ? 1 : -1) + (i != j   ? 0
                                                                                             : i == 0 ? -1
                                                                                                      : 1)) /
                                 (V->eta * V->eta);
    for (int i = 0; i < d; i++)
        for (int j = 1; j < d && interior->norm[c] > 0; j++)
            inverse[i * d + j] += inverse[i * d] * y[j] / interior->norm[c];
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            spread[i * d + j] = D[i] * inverse[i * d + j] * D[j];
}

bool stick_cone_interior_factor(StickConeInterior *interior)
{
    const StickBlocks *W = interior->problem->W;
    int d = interior->dim;
    if (!interior->bodies)
        memcpy(interior->matrix, interior->What,
               (size_t)W->start[W->n] * (size_t)(d * d) * sizeof *interior->matrix);
    for (int c = 0; c < interior->ncontacts; c++) {
        size_t at = (size_t)d * (size_t)c;
        interior->scaling[c] = stick_lorentz_scaling(d, interior->x + at, interior->y + at);
        stick_lorentz_scale(d, &interior->scaling[c], interior->x + at, interior->lambda + at);
        if (interior->bodies) {
            invert_scaling(interior, c);
            continue;
        }
        double block[9], *diagonal = interior->matrix + (size_t)stick_blocks_diagonal(W, c) * (size_t)(d * d);
        scaling_block(interior, c, block);
        for (int e = 0; e < d * d; e++)
            diagonal[e] += block[e];
    }
    interior->iterations++;
    if (interior->bodies) {
        interior->flops += stick_body_system_flops(interior->bodies);
        return stick_body_system_factor(interior->bodies, interior->active, interior->spread, 0);
    }
    StickBlockLuReport report = stick_block_lu_factor(interior->lu, interior->matrix, NULL, 0);
    interior->flops += report.flops;
    return report.pivot > 0;
}

// out = B in by contacts
static void multiply_blocks(const StickConeInterior *interior, const double *B, const double *in, double *out)
{
    int d = interior->dim;
    for (int i = 0; i < interior->n; i++) {
        out[i] = 0;
        for (int k = 0; k < d; k++)
            out[i] += B[(size_t)i * (size_t)d + (size_t)k] * in[i / d * d + k];
    }
}

// dx (+)= (What + B)^-1 f, B = T V^2: (M + H D B^-1 D H') v = H D B^-1 f, dx = B^-1 (f - D H' v)
static void solve_bodies(StickConeInterior *interior, const double *f, bool add, double *dx)
{
    StickBodySystem *bodies = interior->bodies;
    multiply_blocks(interior, interior->inverse, f, interior->work);
    for (int i = 0; i < interior->n; i++)
        interior->work[i] *= interior->D[i];
    stick_body_system_impulse(bodies, interior->work, interior->p);
    stick_body_system_solve(bodies, interior->p, interior->v);
    stick_body_system_velocity(bodies, interior->zero, interior->v, interior->work);
    for (int i = 0; i < interior->n; i++)
        interior->work[i] = f[i] - interior->D[i] * interior->work[i];
    multiply_blocks(interior, interior->inverse, interior->work, interior->r);
    for (int i = 0; i < interior->n; i++)
        dx[i] = (add ? dx[i] : 0) + interior->r[i];
}

void stick_cone_interior_solve(StickConeInterior *interior, const double *c, double *f, double *dx,
                               double *dy)
{
    int d = interior->dim;
    for (int k = 0; k < interior->ncontacts; k++) {
        size_t at = (size_t)d * (size_t)k;
        double scaled[3];
        stick_lorentz_divide(d, interior->lambda + at, c + at, dy + at);
        stick_lorentz_scale(d, &interior->scaling[k], dy + at, scaled);
        apply_T(interior, k, scaled);
        for (int i = 0; i < d; i++)
            f[at + (size_t)i] += scaled[i];
    }
    if (interior->bodies) {
        solve_bodies(interior, f, false, dx);
        // one step of iterative refinement
        multiply(interior, dx, interior->r);
        for (int k = 0; k < interior->ncontacts; k++) {
            double block[9];
            scaling_block(interior, k, block);
            for (int i = 0; i < d; i++) {
                double sum = interior->r[d * k + i];
                for (int j = 0; j < d; j++)
                    sum += block[i * d + j] * dx[d * k + j];
                f[d * k + i] -= sum;
            }
        }
        solve_bodies(interior, f, true, dx);
    } else {
        stick_block_lu_solve(interior->lu, f, dx);
        stick_block_lu_refine(interior->lu, interior->matrix, f, dx);
    }
    for (int k = 0; k < interior->ncontacts; k++) {
        size_t at = (size_t)d * (size_t)k;
        double rest[3];
        stick_lorentz_scale(d, &interior->scaling[k], dx + at, rest);
        for (int i = 0; i < d; i++)
            rest[i] = dy[at + (size_t)i] - rest[i];
        stick_lorentz_scale(d, &interior->scaling[k], rest, dy + at);
    }
}

double stick_cone_interior_step(const StickConeInterior *interior, const double *dx, const double *dy)
{
    double least = INFINITY;
    for (int i = 0; i < interior->n; i += interior->dim) {
        least = fmin(least, stick_lorentz_step(interior->dim, interior->x + i, dx + i));
        least = fmin(least, stick_lorentz_step(interior->dim, interior->y + i, dy + i));
    }
    return least;
}

StickResidual stick_cone_interior_weigh(StickConeInterior *interior, double *best_r, double *u)
{
    int d = interior->dim;
    for (int i = 0; i < interior->n; i += d) {
        double z[3] = {0}, p[3];
        for (int k = 0; k < d; k++)
            z[k] = interior->x[i + k] - interior->y[i + k];
        stick_cone_project(d, 1, z, p);
        for (int k = 0; k < d; k++)
            interior->r[i + k] = interior->D[i + k] * p[k];
    }
    stick_residual_velocity(interior->problem, interior->r, u);
    StickResidual residual = stick_residual(interior->problem, interior->r, u);
    double error = fmax(residual.shared, residual.scale_free);
    if (error < interior->best) {
        interior->best = error;
        memcpy(best_r, interior->r, (size_t)interior->n * sizeof *best_r);
    }
    return residual;
}

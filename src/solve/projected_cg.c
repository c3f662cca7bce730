// SPDX-License-Identifier: Apache-2.0
#include "solve/projected_cg.h"

#include "base/memory.h"
#include "solve/cone.h"
#include "solve/problem.h"

#include <stdbool.h>
#include <string.h>

static const double SHRINK = 0.97, GROW = 2, MOST_L = 1e30;
static const double RIDGE = 1e-12;     // of a block that is singular on the face
static const double ON_CIRCLE = 1e-13; // relative distance to |x_T| = g that counts as none

void stick_projected_cg_create(StickContext *ctx, StickProjectedCg *cg)
{
    *cg = (StickProjectedCg){.ctx = ctx};
}

void stick_projected_cg_destroy(StickProjectedCg *cg)
{
    stick_free(cg->ctx, cg->room);
}

StickStatus stick_projected_cg_reserve(StickProjectedCg *cg, int dim, int ncontacts)
{
    size_t nc = (size_t)ncontacts, n = (size_t)dim * nc;
    STICK_RESERVE(cg->ctx, cg->room, cg->capacity, (size_t)dim * n + 2 * nc + 9 * n);
    return STICK_OK;
}

static void lay_out(StickProjectedCg *cg, int dim, int ncontacts)
{
    int n = dim * ncontacts;
    double **parts[] = {&cg->G,  &cg->face,  &cg->old_face, &cg->z, &cg->d,
                        &cg->Ad, &cg->trial, &cg->Atrial,   &cg->Ax};
    cg->block = cg->room;
    cg->C = cg->block + dim * n;
    cg->bend = cg->C + ncontacts;
    double *next = cg->bend + ncontacts;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++, next += n)
        *parts[k] = next;
}

void stick_projected_cg_start(StickProjectedCg *cg, const StickScaled *scaled)
{
    int dim = scaled->dim, size = dim * dim;
    lay_out(cg, dim, scaled->ncontacts);
    cg->L = 1;
    for (int c = 0; c < scaled->ncontacts; c++) {
        stick_friction_diagonal(scaled->problem, c, cg->block + size * c);
        for (int e = 0; e < size; e++)
            cg->block[size * c + e] /= scaled->s[c] * scaled->s[c];
    }
}

// ---- the quadratic

// Ax = What x + C x_T
static void apply(const StickProjectedCg *cg, StickScaled *scaled, const double *x, double *Ax)
{
    stick_scaled_apply(scaled, x, Ax);
    for (int c = 0; c < scaled->ncontacts; c++)
        for (int i = scaled->dim * c + 1; i < scaled->dim * (c + 1); i++)
            Ax[i] += cg->C[c] * x[i];
}

// The change of the quadratic from x to trial, dx'(G + 1/2 A dx): without the cancellation of two large values.
static double climb(const StickProjectedCg *cg, int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (cg->trial[i] - x[i]) * (cg->G[i] + (cg->Atrial[i] - cg->Ax[i]) / 2);
    return sum;
}

static void project(int dim, double g, const double *y, double *p)
{
    double tangent = stick_cone_tangent(dim, y), along = tangent > g ? g / tangent : 1;
    p[0] = fmax(y[0], 0);
    for (int k = 1; k < dim; k++)
        p[k] = along * y[k];
}

static double residual(const StickProjectedCg *cg, const StickScaled *scaled, const double *g,
                       const double *x)
{
    int dim = scaled->dim;
    double sum = 0;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double y[3], p[3];
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            y[k] = x[i] - cg->G[i];
        project(dim, g[c], y, p);
        for (int k = 0; k < dim; k++)
            sum += (x[dim * c + k] - p[k]) * (x[dim * c + k] - p[k]);
    }
    return sqrt(sum);
}

// ---- faces

// Directions in which a point of the set may move, seen from its gradient.
typedef struct Face {
    bool normal;  // x_N may change
    bool tangent; // x_T may
    bool circle;  // ... but only along the circle, whose outward normal is e
    double e[2];
    // A step t along the circle bends inwards by t^2 / 2g against the radial gradient: that is more curvature,
    // the multiplier l of a sliding contact, y_T = -l x_T.
    double bend;
} Face;

static Face face_of(int dim, double g, const double *x, const double *G)
{
    Face face = {.normal = x[0] > 0 || G[0]<0, .tangent = dim> 1 && g > 0};
    double tangent = stick_cone_tangent(dim, x), radial = 0;
    for (int k = 1; k < dim; k++)
        radial += x[k] * G[k];
    if (face.tangent && tangent >= g * (1 - ON_CIRCLE) && radial <= 0) {
        face.circle = true;
        face.tangent = dim == 3;
        face.bend = dim == 3 ? -radial / (tangent * tangent) : 0;
        for (int k = 1; k < dim; k++)
            face.e[k - 1] = x[k] / tangent;
    }
    return face;
}

static void restrict_to(int dim, const Face *face, const double *a, double *b)
{
    b[0] = face->normal ? a[0] : 0;
    double radial = 0;
    for (int k = 1; k < dim && face->circle; k++)
        radial += face->e[k - 1] * a[k];
    for (int k = 1; k < dim; k++)
        b[k] = face->tangent ? a[k] - (face->circle ? radial * face->e[k - 1] : 0) : 0;
}

// B z = a by Gauss's elimination, B (dim x dim) positive definite in exact arithmetic
static void solve_small(int dim, double *B, double *z)
{
    for (int k = 0; k < dim; k++) {
        double pivot = fmax(B[k * dim + k], RIDGE);
        for (int i = k + 1; i < dim; i++) {
            double factor = B[i * dim + k] / pivot;
            for (int j = k; j < dim; j++)
                B[i * dim + j] -= factor * B[k * dim + j];
            z[i] -= factor * z[k];
        }
    }
    for (int k = dim - 1; k >= 0; k--) {
        for (int j = k + 1; j < dim; j++)
            z[k] -= B[k * dim + j] * z[j];
        z[k] /= fmax(B[k * dim + k], RIDGE);
    }
}

// z = Z (Z'(W_cc + C) Z)^-1 Z'a with Z a basis of the face: R (W_cc + C) R + I - R, R the projector on it.
static void precondition(int dim, const Face *face, const double *block, double C, const double *a, double *z)
{
    double B[9], R[9], RB[9];
    for (int j = 0; j < dim; j++) {
        double unit[3] = {0}, column[3];
        unit[j] = 1;
        restrict_to(dim, face, unit, column);
        for (int i = 0; i < dim; i++)
            R[i * dim + j] = column[i];
    }
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            RB[i * dim + j] = 0;
            for (int k = 0; k < dim; k++)
                RB[i * dim + j] += R[i * dim + k] * (block[k * dim + j] + (k == j && k > 0 ? C : 0));
        }
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            B[i * dim + j] = (i == j) - R[i * dim + j];
            for (int k = 0; k < dim; k++)
                B[i * dim + j] += RB[i * dim + k] * R[k * dim + j];
        }
    memcpy(z, a, (size_t)dim * sizeof *z);
    solve_small(dim, B, z);
}

// ---- steps

// The gradient along the face and the new direction d = -z + beta d, restarted where it does not descend.
static void turn(StickProjectedCg *cg, const StickScaled *scaled, const double *g, const double *x,
                 double *last)
{
    int dim = scaled->dim, n = scaled->n;
    double change = 0, now = 0;
    for (int c = 0; c < scaled->ncontacts; c++) {
        int at = dim * c;
        double kept[3];
        Face face = face_of(dim, g[c], x + at, cg->G + at);
        restrict_to(dim, &face, cg->G + at, cg->face + at);
        precondition(dim, &face, cg->block + dim * at, cg->C[c] + face.bend, cg->face + at, cg->z + at);
        cg->bend[c] = face.bend;
        restrict_to(dim, &face, cg->d + at, kept);
        memcpy(cg->d + at, kept, (size_t)dim * sizeof *kept);
        for (int i = at; i < at + dim; i++) {
            now += cg->z[i] * cg->face[i];
            change += cg->z[i] * (cg->face[i] - cg->old_face[i]);
            cg->old_face[i] = cg->face[i];
        }
    }
    double beta = *last > 0 ? fmax(change / *last, 0) : 0, slope = 0;
    for (int i = 0; i < n; i++)
        slope += (beta * cg->d[i] - cg->z[i]) * cg->G[i];
    for (int i = 0; i < n; i++)
        cg->d[i] = (slope < 0 ? beta * cg->d[i] : 0) - cg->z[i];
    *last = now;
}

// d'A d with the bend of the circles
static double curvature_along(const StickProjectedCg *cg, const StickScaled *scaled)
{
    double sum = stick_scaled_dot(scaled->n, cg->d, cg->Ad);
    for (int c = 0; c < scaled->ncontacts; c++)
        for (int i = scaled->dim * c + 1; i < scaled->dim * (c + 1); i++)
            sum += cg->bend[c] * cg->d[i] * cg->d[i];
    return sum;
}

// trial = P(x + length d); true if the projection changed nothing.
static bool move(const StickProjectedCg *cg, const StickScaled *scaled, const double *g, double length,
                 const double *x)
{
    int dim = scaled->dim;
    bool inside = true;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double y[3];
        for (int k = 0, i = dim * c; k < dim; k++, i++)
            y[k] = x[i] + length * cg->d[i];
        project(dim, g[c], y, cg->trial + dim * c);
        for (int k = 0; k < dim; k++)
            inside = inside && y[k] == cg->trial[dim * c + k];
    }
    return inside;
}

// trial = P(x - D^-1 G / L) with D = diag(a_NN, t, t), t the mean of the tangential diagonal: scalars on the
// normal and on the tangent, so that the projection is that of the metric D. L grows until it descends.
static void descend(StickProjectedCg *cg, StickScaled *scaled, const double *g, const double *x)
{
    int dim = scaled->dim;
    for (;; cg->L *= GROW) {
        double curvature = 0, length = 0;
        for (int c = 0; c < scaled->ncontacts; c++) {
            const double *block = cg->block + dim * dim * c;
            double D[2] = {fmax(block[0], RIDGE), 0}, y[3];
            for (int k = 1; k < dim; k++)
                D[1] += (block[k * (dim + 1)] + cg->C[c]) / (dim - 1);
            D[1] = fmax(D[1], RIDGE);
            for (int k = 0, i = dim * c; k < dim; k++, i++)
                y[k] = x[i] - cg->G[i] / (cg->L * D[k > 0]);
            project(dim, g[c], y, cg->trial + dim * c);
            for (int k = 0, i = dim * c; k < dim; k++, i++)
                length += D[k > 0] * (cg->trial[i] - x[i]) * (cg->trial[i] - x[i]);
        }
        apply(cg, scaled, cg->trial, cg->Atrial);
        for (int i = 0; i < scaled->n; i++)
            curvature += (cg->trial[i] - x[i]) * (cg->Atrial[i] - cg->Ax[i]);
        if (!(curvature > cg->L * length * (1 + 1e-12)) || cg->L > MOST_L)
            return;
    }
}

// The minimum along d if it is in the set or, projected, descends; a projected gradient step otherwise.
static void step(StickProjectedCg *cg, StickScaled *scaled, const double *g, double *x, double *last)
{
    int n = scaled->n;
    size_t bytes = (size_t)n * sizeof *x;
    turn(cg, scaled, g, x, last);
    apply(cg, scaled, cg->d, cg->Ad);
    double curvature = curvature_along(cg, scaled), slope = stick_scaled_dot(n, cg->d, cg->G);
    bool inside = false;
    if (curvature > 0) {
        double length = -slope / curvature;
        inside = move(cg, scaled, g, length, x);
        for (int i = 0; i < n && inside; i++)
            cg->Atrial[i] = cg->Ax[i] + length * cg->Ad[i];
        if (!inside)
            apply(cg, scaled, cg->trial, cg->Atrial);
    }
    if (!inside && !(curvature > 0 && climb(cg, n, x) < 0)) {
        descend(cg, scaled, g, x);
        cg->L *= SHRINK;
        *last = 0;
    }
    memcpy(x, cg->trial, bytes);
    memcpy(cg->Ax, cg->Atrial, bytes);
    for (int i = 0; i < n; i++)
        cg->G[i] = cg->Ax[i] + scaled->q[i];
}

static void enter(StickProjectedCg *cg, StickScaled *scaled, const double *g, const double *speed, double *x)
{
    int dim = scaled->dim;
    for (int c = 0; c < scaled->ncontacts; c++) {
        double p[3];
        cg->C[c] = g[c] > 0 ? speed[c] / g[c] : 0;
        project(dim, g[c], x + dim * c, p);
        memcpy(x + dim * c, p, (size_t)dim * sizeof *p);
    }
    apply(cg, scaled, x, cg->Ax);
    for (int i = 0; i < scaled->n; i++) {
        cg->G[i] = cg->Ax[i] + scaled->q[i];
        cg->d[i] = cg->old_face[i] = 0;
    }
}

int stick_projected_cg_solve(StickProjectedCg *cg, StickScaled *scaled, const double *g, const double *speed,
                             double tolerance, int most, double *x, double *Wx)
{
    int iterations = 0;
    double last = 0;
    enter(cg, scaled, g, speed, x);
    while (iterations < most && (iterations == 0 || residual(cg, scaled, g, x) > tolerance) &&
           !stick_is_stopped(scaled->ctx)) {
        step(cg, scaled, g, x, &last);
        iterations++;
    }
    stick_scaled_apply(scaled, x, Wx);
    return iterations;
}

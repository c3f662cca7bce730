// SPDX-License-Identifier: Apache-2.0
#include "solve/section_local.h"

#include <string.h>

// ---- the interval

static void update_interval(const StickLocal2 *local, const StickSection *section, const double *u, double *r)
{
    const double *A = local->A;
    double b_N = u[0] - (A[0] * r[0] + A[1] * r[1]), b_T = u[1] - (A[2] * r[0] + A[3] * r[1]);
    r[0] = r[1] = 0;
    if (b_N >= 0)
        return;
    double g = b_T - local->lever * b_N;
    double T = -g * local->inverse_S, N = -(b_N + A[1] * T) * local->inverse_N;
    double slope = g < 0 ? section->mu[1] : -section->mu[0], pivot = A[0] + slope * A[1];
    if ((T < -section->mu[0] * N || T > section->mu[1] * N) && pivot > 0) {
        N = -b_N / pivot;
        T = slope * N;
    }
    r[0] = N;
    r[1] = T;
}

// ---- with the normal eliminated

typedef struct Eliminated {
    const StickLocal3 *local;
    double b_N, g[2];
} Eliminated;

static double normal_of(const Eliminated *e, double T1, double T2)
{
    const double *A = e->local->A;
    return -(e->b_N + A[1] * T1 + A[2] * T2) * e->local->inverse_N;
}

static void velocity_of(const Eliminated *e, const double *r, double u_T[2])
{
    const double *S = e->local->S;
    u_T[0] = S[0] * r[1] + S[1] * r[2] + e->g[0];
    u_T[1] = S[2] * r[1] + S[3] * r[2] + e->g[1];
}

static void stick(const Eliminated *e, double *r)
{
    const double *S = e->local->S;
    r[1] = -(S[3] * e->g[0] - S[1] * e->g[1]) * e->local->inverse_det;
    r[2] = -(S[0] * e->g[1] - S[2] * e->g[0]) * e->local->inverse_det;
    r[0] = normal_of(e, r[1], r[2]);
}

// ---- the ellipse

// r_T = B x, S_x = B' S B, g_x = B' g, a_Nx = B' a_NT, and the disk of 1
static void slip_on_ellipse(const Eliminated *e, const double B[4], double *l, double *r)
{
    const double *S = e->local->S, *A = e->local->A, *g = e->g;
    double SB[4] = {S[0] * B[0] + S[1] * B[2], S[0] * B[1] + S[1] * B[3], S[2] * B[0] + S[3] * B[2],
                    S[2] * B[1] + S[3] * B[3]};
    double g_x[2] = {B[0] * g[0] + B[2] * g[1], B[1] * g[0] + B[3] * g[1]}, x[3];
    StickLocal3 round = {
        .A = {A[0], B[0] * A[1] + B[2] * A[2], B[1] * A[1] + B[3] * A[2]},
        .mu = 1,
        .inverse_N = e->local->inverse_N,
        .S = {B[0] * SB[0] + B[2] * SB[2], B[0] * SB[1] + B[2] * SB[3], B[1] * SB[0] + B[3] * SB[2],
              B[1] * SB[1] + B[3] * SB[3]},
    };
    stick_local_slip(&round, e->b_N, g_x, l, x);
    r[0] = x[0];
    r[1] = B[0] * x[1] + B[1] * x[2];
    r[2] = B[2] * x[1] + B[3] * x[2];
}

static void solve_ellipse(const Eliminated *e, const StickSection *section, double *l, double *r)
{
    double B[4], det = section->mu[0] * section->mu[1];
    stick_section_map(section, B);
    stick(e, r);
    double x1 = (B[3] * r[1] - B[1] * r[2]) / det, x2 = (B[0] * r[2] - B[2] * r[1]) / det;
    if (!(r[0] >= 0 && x1 * x1 + x2 * x2 <= r[0] * r[0]))
        slip_on_ellipse(e, B, l, r);
}

// ---- the polygon

static const double *vertex_of(const StickSection *section, int k)
{
    int n = section->nvertices;
    return section->vertex + 2 * ((k + n) % n);
}

static double length(const double a[2])
{
    return hypot(a[0], a[1]);
}

// How far -u_T is outside of the angle of normals at vertex k.
static double outside_of_normals(const StickSection *section, int k, const double u_T[2])
{
    const double *v = vertex_of(section, k);
    double most = 0;
    for (int step = -1; step <= 1; step += 2) {
        const double *w = vertex_of(section, k + step);
        double side[2] = {w[0] - v[0], w[1] - v[1]};
        most = fmax(most, -(u_T[0] * side[0] + u_T[1] * side[1]) / length(side));
    }
    return most;
}

// Slip with r_T = r_N v_k; how far it is from a solution, relative to g.
static double try_vertex(const Eliminated *e, const StickSection *section, int k, double *r)
{
    const double *A = e->local->A, *v = vertex_of(section, k);
    double pivot = A[0] + A[1] * v[0] + A[2] * v[1], u_T[2];
    if (!(pivot > 0))
        return INFINITY;
    r[0] = -e->b_N / pivot;
    r[1] = r[0] * v[0], r[2] = r[0] * v[1];
    velocity_of(e, r, u_T);
    return outside_of_normals(section, k, u_T) / length(e->g);
}

// Slip with r_T between r_N v_k and r_N v_k+1, u_T normal to this side:
// side.(S r_T + g) = 0 and (d + h a_NT / a_NN).r_T = -h b_N / a_NN, with the outward d, h = d.v_k.
static double try_side(const Eliminated *e, const StickSection *section, int k, double *r)
{
    const double *A = e->local->A, *S = e->local->S, *v = vertex_of(section, k),
                 *w = vertex_of(section, k + 1);
    double side[2] = {w[0] - v[0], w[1] - v[1]}, size = length(side), u_T[2];
    double d[2] = {side[1] / size, -side[0] / size}, h = (d[0] * v[0] + d[1] * v[1]) * e->local->inverse_N;
    double a[2] = {side[0] * S[0] + side[1] * S[2], side[0] * S[1] + side[1] * S[3]};
    double b[2] = {d[0] + h * A[1], d[1] + h * A[2]}, det = a[0] * b[1] - a[1] * b[0];
    double f = -(side[0] * e->g[0] + side[1] * e->g[1]), q = -h * e->b_N;
    r[1] = (f * b[1] - a[1] * q) / det;
    r[2] = (a[0] * q - f * b[0]) / det;
    r[0] = normal_of(e, r[1], r[2]);
    if (!(r[0] > 0))
        return INFINITY;
    double part = ((r[1] - r[0] * v[0]) * side[0] + (r[2] - r[0] * v[1]) * side[1]) / (size * size) / r[0];
    velocity_of(e, r, u_T);
    double pulls = (u_T[0] * d[0] + u_T[1] * d[1]) / length(e->g);
    return fmax(fmax(-part, part - 1), fmax(pulls, 0));
}

static bool is_in_polygon(const StickSection *section, const double *r)
{
    if (!(r[0] >= 0))
        return false;
    for (int k = 0; k < section->nvertices; k++) {
        const double *v = vertex_of(section, k), *w = vertex_of(section, k + 1);
        double side[2] = {w[0] - v[0], w[1] - v[1]}, from[2] = {r[1] - r[0] * v[0], r[2] - r[0] * v[1]};
        if (side[0] * from[1] - side[1] * from[0] < 0)
            return false;
    }
    return true;
}

// Stick, or of all vertices and sides the first that fits, or the nearest to it: round-off may hide the one that does.
static void solve_polygon(const Eliminated *e, const StickSection *section, double *r)
{
    double least = INFINITY, trial[3];
    stick(e, r);
    if (is_in_polygon(section, r))
        return;
    for (int k = 0; k < 2 * section->nvertices && least > 0; k++) {
        double off = (k % 2 ? try_side : try_vertex)(e, section, k / 2, trial);
        if (off < least)
            memcpy(r, trial, sizeof trial);
        least = fmin(least, off);
    }
}

// ---- one contact

static void update3(StickLocal3 *local, const StickSection *section, const double *u, double *r)
{
    const double *A = local->A;
    double b[3];
    for (int i = 0; i < 3; i++)
        b[i] = u[i] - (A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2]);
    r[0] = r[1] = r[2] = 0;
    if (b[0] >= 0)
        return;
    double press = b[0] * local->inverse_N;
    Eliminated eliminated = {local, b[0], {b[1] - A[3] * press, b[2] - A[6] * press}};
    if (section->kind == STICK_SECTION_ELLIPSE)
        solve_ellipse(&eliminated, section, &local->l, r);
    else
        solve_polygon(&eliminated, section, r);
}

void stick_section_update(void *local, const StickSection *section, const double *u, double *r)
{
    if (section->kind == STICK_SECTION_INTERVAL)
        update_interval(local, section, u, r);
    else
        update3(local, section, u, r);
}

// As in stick_local_solve: the shift of A times the last r is included in b.
void stick_section_solve(const StickSection *section, const double *A, const double *b, double *r)
{
    StickLocal2 plane;
    StickLocal3 space;
    int dim = stick_section_dim(section);
    double u[3], x[3] = {0};
    if (dim == 2)
        stick_local_prepare2(A, 0, &plane);
    else
        stick_local_prepare3(A, 0, &space);
    const double *shifted = dim == 2 ? plane.A : space.A;
    for (int k = 0; k < dim; k++)
        u[k] = b[k] - (shifted[k * (dim + 1)] - A[k * (dim + 1)]) * r[k];
    stick_section_update(dim == 2 ? (void *)&plane : (void *)&space, section, u, x);
    memcpy(r, x, (size_t)dim * sizeof *x);
}

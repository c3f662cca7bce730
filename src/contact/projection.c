// SPDX-License-Identifier: Apache-2.0
#include "contact/projection.h"

#include "base/vec.h"

// A foot beyond the piece by less than this part of it is on it: rounding must not open seams between pieces.
static const double SEAM = 1e-9;

enum { NEWTON_STEPS = 30 };

static const double *corner_place(const StickSurface *surface, const StickPiece *piece, int k)
{
    return surface->place + 3 * piece->corner[k % piece->ncorners];
}

void stick_piece_point(const StickSurface *surface, int index, const double weight[4], double point[3])
{
    const StickPiece *piece = &surface->piece[index];
    point[0] = point[1] = point[2] = 0;
    for (int k = 0; k < piece->ncorners; k++)
        stick_vec_axpy(point, weight[k], corner_place(surface, piece, k), point);
}

static void quad_values(double xi, double eta, double N[4])
{
    N[0] = 0.25 * (1 - xi) * (1 - eta);
    N[1] = 0.25 * (1 + xi) * (1 - eta);
    N[2] = 0.25 * (1 + xi) * (1 + eta);
    N[3] = 0.25 * (1 - xi) * (1 + eta);
}

// Derivatives of the place by xi and eta, from the differences of opposite sides.
static void quad_tangents(const double *x[4], double xi, double eta, double a[3], double b[3])
{
    for (int k = 0; k < 3; k++) {
        a[k] = 0.25 * ((1 - eta) * (x[1][k] - x[0][k]) + (1 + eta) * (x[2][k] - x[3][k]));
        b[k] = 0.25 * ((1 - xi) * (x[3][k] - x[0][k]) + (1 + xi) * (x[2][k] - x[1][k]));
    }
}

// xi and eta from the weights of the corners
static void quad_place(const double N[4], double *xi, double *eta)
{
    *xi = N[1] + N[2] - N[0] - N[3];
    *eta = N[2] + N[3] - N[0] - N[1];
}

void stick_piece_normal(const StickSurface *surface, int index, const double weight[4], double normal[3])
{
    const StickPiece *piece = &surface->piece[index];
    for (int k = 0; k < 3; k++)
        normal[k] = piece->normal[k];
    if (piece->ncorners < 4)
        return;
    const double *x[4];
    double xi, eta, a[3], b[3], n[3];
    for (int k = 0; k < 4; k++)
        x[k] = corner_place(surface, piece, k);
    quad_place(weight, &xi, &eta);
    quad_tangents(x, xi, eta, a, b);
    stick_vec_cross(a, b, n);
    if (stick_vec_normalise(n) > 0)
        for (int k = 0; k < 3; k++)
            normal[k] = n[k];
}

// Perpendicular foot by Gauss-Newton: one step on a parallelogram, few on a warped quad.
static bool quad_foot(const double *x[4], const double place[3], double N[4])
{
    double xi = 0, eta = 0;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double a[3], b[3], from[3] = {place[0], place[1], place[2]};
        quad_values(xi, eta, N);
        for (int k = 0; k < 4; k++)
            stick_vec_axpy(from, -N[k], x[k], from);
        quad_tangents(x, xi, eta, a, b);
        double aa = stick_vec_dot(a, a), ab = stick_vec_dot(a, b), bb = stick_vec_dot(b, b);
        double fa = stick_vec_dot(from, a), fb = stick_vec_dot(from, b), det = aa * bb - ab * ab;
        if (!(det > 1e-12 * aa * bb))
            return false;
        double dxi = (bb * fa - ab * fb) / det, deta = (aa * fb - ab * fa) / det;
        xi += dxi, eta += deta;
        if (fabs(xi) > 10 || fabs(eta) > 10)
            return false;
        if (fabs(dxi) + fabs(deta) < 1e-14) {
            quad_values(xi, eta, N);
            return true;
        }
    }
    // Steps at the level of rounding are as good as none.
    return true;
}

static bool triangle_foot(const double *x[4], const double place[3], double N[4])
{
    double a[3], b[3], from[3];
    stick_vec_sub(x[1], x[0], a);
    stick_vec_sub(x[2], x[0], b);
    stick_vec_sub(place, x[0], from);
    double aa = stick_vec_dot(a, a), ab = stick_vec_dot(a, b), bb = stick_vec_dot(b, b);
    double fa = stick_vec_dot(from, a), fb = stick_vec_dot(from, b), det = aa * bb - ab * ab;
    if (!(det > 0))
        return false;
    N[1] = (bb * fa - ab * fb) / det;
    N[2] = (aa * fb - ab * fa) / det;
    N[0] = 1 - N[1] - N[2];
    N[3] = 0;
    return true;
}

bool stick_polygon_weights(int ncorners, const double corner[4][2], const double point[2], double weight[4])
{
    double flat[4][3] = {{0}}, place[3] = {point[0], point[1], 0};
    const double *x[4];
    for (int k = 0; k < ncorners; k++) {
        flat[k][0] = corner[k][0], flat[k][1] = corner[k][1];
        x[k] = flat[k];
    }
    return ncorners == 4 ? quad_foot(x, place, weight) : triangle_foot(x, place, weight);
}

static double least_weight(int ncorners, const double N[4])
{
    // The least of the shape functions of a triangle; of a quad the same for its two directions.
    if (ncorners == 4) {
        double xi, eta;
        quad_place(N, &xi, &eta);
        return 0.5 * (1 - fmax(fabs(xi), fabs(eta)));
    }
    double least = N[0];
    for (int k = 1; k < ncorners; k++)
        least = fmin(least, N[k]);
    return least;
}

// Parameter of the foot on the line from a to b.
static double line_foot(const double a[3], const double b[3], const double place[3])
{
    double along[3], from[3];
    stick_vec_sub(b, a, along);
    stick_vec_sub(place, a, from);
    double length2 = stick_vec_dot(along, along);
    return length2 > 0 ? stick_vec_dot(from, along) / length2 : 0;
}

static double distance_between(const double a[3], const double b[3])
{
    double d[3];
    stick_vec_sub(a, b, d);
    return stick_vec_norm(d);
}

// Nearest point of one side; taken if it is nearer than what was found so far.
static void try_side(const StickSurface *surface, int index, int side, const double place[3],
                     StickProjection *found)
{
    const StickPiece *piece = &surface->piece[index];
    int next = (side + 1) % piece->ncorners;
    double weight[4] = {0}, point[3];
    double s = line_foot(corner_place(surface, piece, side), corner_place(surface, piece, next), place);
    double clamped = fmin(fmax(s, 0), 1);
    weight[side] = 1 - clamped;
    weight[next] += clamped;
    stick_piece_point(surface, index, weight, point);
    double distance = distance_between(place, point);
    if (!(distance < found->distance))
        return;
    found->distance = distance;
    found->corner = s <= 0 ? side : s >= 1 ? next : -1;
    found->side = found->corner < 0 ? side : -1;
    for (int k = 0; k < 4; k++)
        found->weight[k] = weight[k];
}

static bool find_foot(const StickSurface *surface, const StickPiece *piece, const double place[3],
                      double N[4])
{
    const double *x[4];
    for (int k = 0; k < piece->ncorners; k++)
        x[k] = corner_place(surface, piece, k);
    if (piece->ncorners == 4)
        return quad_foot(x, place, N);
    if (piece->ncorners == 3)
        return triangle_foot(x, place, N);
    N[1] = piece->ncorners == 2 ? line_foot(x[0], x[1], place) : 0;
    N[0] = 1 - N[1];
    return true;
}

static void take_boundary(const StickSurface *surface, int index, bool has_foot, const double place[3],
                          StickProjection *found)
{
    const StickPiece *piece = &surface->piece[index];
    double nearest[3], foot[3];
    found->distance = INFINITY;
    for (int side = 0; side < (piece->ncorners == 2 ? 1 : piece->ncorners); side++)
        try_side(surface, index, side, place, found);
    stick_piece_point(surface, index, found->weight, nearest);
    stick_piece_point(surface, index, found->foot, foot);
    found->overhang = has_foot ? distance_between(nearest, foot) : INFINITY;
}

void stick_piece_project(const StickSurface *surface, int index, const double place[3],
                         StickProjection *found)
{
    const StickPiece *piece = &surface->piece[index];
    double point[3];
    *found = (StickProjection){.corner = -1, .side = -1};
    bool has_foot = find_foot(surface, piece, place, found->foot);
    found->inside = has_foot && least_weight(piece->ncorners, found->foot) >= -SEAM;
    if (!found->inside) {
        take_boundary(surface, index, has_foot, place, found);
        return;
    }
    for (int k = 0; k < 4; k++)
        found->weight[k] = found->foot[k];
    stick_piece_point(surface, index, found->weight, point);
    found->distance = distance_between(place, point);
}

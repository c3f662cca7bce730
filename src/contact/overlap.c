// SPDX-License-Identifier: Apache-2.0
#include "contact/overlap.h"

#include "base/vec.h"
#include "contact/gauss.h"
#include "contact/polygon.h"
#include "contact/projection.h"
#include "fem/continuum.h"
#include "fem/interpolation.h"

#include <string.h>

// Pieces face each other if the cosine of the angle between their normals is below this.
static const double FACING = -0.2;

// Parts shorter than this share of a piece are rounding.
static const double SLIVER = 1e-13;

// A point of the quadrature, seen by both sides.
typedef struct Point {
    double da;
    double F[4];                               // hats of the slave piece
    double E_slave[STICK_MOST_ELEMENT_NODES];  // of the slave facet
    double E_master[STICK_MOST_ELEMENT_NODES]; // of the master facet
    double normal[3];                          // out of the antagonist
    double gap;
} Point;

static void add_point(const StickSurface *slave, int piece, int nmaster, const Point *point,
                      StickOverlap *sum)
{
    int nslave = slave->facet[slave->piece[piece].facet].nnodes;
    for (int j = 0; j < slave->piece[piece].ncorners; j++) {
        double weight = point->F[j] * point->da;
        sum->area[j] += weight;
        sum->gap[j] += weight * point->gap;
        for (int i = 0; i < nslave; i++)
            sum->slave[j][i] += weight * point->E_slave[i];
        for (int k = 0; k < nmaster; k++)
            sum->master[j][k] += weight * point->E_master[k];
        for (int k = 0; k < 3; k++)
            sum->normal[j][k] += weight * point->normal[k];
    }
}

static const StickSurfaceFacet *facet_of(const StickSurface *surface, int piece)
{
    return &surface->facet[surface->piece[piece].facet];
}

static void facet_point(const StickSurface *surface, const StickSurfaceFacet *facet, const double *N,
                        double place[3])
{
    place[0] = place[1] = place[2] = 0;
    for (int k = 0; k < facet->nnodes; k++)
        stick_vec_axpy(place, N[k], surface->place + 3 * facet->node[k], place);
}

// ---- the measure of integrals: reference area where strains are small, present (Cauchy's) area where they are finite

static void reference_place(const StickSurface *surface, int node, double place[3])
{
    const double *x = surface->body->mesh.x + surface->node[node] * surface->dim;
    for (int k = 0; k < 3; k++)
        place[k] = k < surface->dim ? x[k] : 0;
}

// Length of a line facet per length of its reference element, times its depth (thickness, or 2 pi r).
static double line_measure(const StickSurface *surface, const StickSurfaceFacet *facet, const double *N,
                           double dN[][3])
{
    double place[3] = {0}, tangent[3] = {0}, x[3];
    for (int k = 0; k < facet->nnodes; k++) {
        if (surface->body->finite)
            memcpy(x, surface->place + 3 * facet->node[k], sizeof x);
        else
            reference_place(surface, facet->node[k], x);
        stick_vec_axpy(place, N[k], x, place);
        stick_vec_axpy(tangent, dN[k][0], x, tangent);
    }
    return stick_vec_norm(tangent) * stick_continuum_depth(&surface->body->continuum, place[0]);
}

// Area of a face per area of its reference element.
static double face_jacobian(const StickSurface *surface, const StickSurfaceFacet *facet, const double at[3],
                            bool present)
{
    double dN[STICK_MOST_ELEMENT_NODES][3], a[3] = {0}, b[3] = {0}, normal[3], x[3];
    stick_shape_derivatives(facet->shape, at, dN);
    for (int k = 0; k < facet->nnodes; k++) {
        if (present)
            memcpy(x, surface->place + 3 * facet->node[k], sizeof x);
        else
            reference_place(surface, facet->node[k], x);
        stick_vec_axpy(a, dN[k][0], x, a);
        stick_vec_axpy(b, dN[k][1], x, b);
    }
    stick_vec_cross(a, b, normal);
    return stick_vec_norm(normal);
}

// Reference area by present area at a point of a face, by the weights of its corners; 1 where strains are finite.
static double face_shrinkage(const StickSurface *surface, const StickSurfaceFacet *facet, const double N[4])
{
    if (surface->body->finite)
        return 1;
    const double at[3] = {facet->nnodes == 4 ? N[1] + N[2] - N[0] - N[3] : N[1],
                          facet->nnodes == 4 ? N[2] + N[3] - N[0] - N[1] : N[2], 0};
    double now = face_jacobian(surface, facet, at, true);
    return now > 0 ? face_jacobian(surface, facet, at, false) / now : 1;
}

// ---- lines

// A line facet along an axis of projection: s(xi) = c[0] + c[1] xi + c[2] xi^2.
typedef struct Line {
    const StickSurface *surface;
    const StickSurfaceFacet *facet;
    double from, to; // part of [-1, 1] that the piece covers
    double c[3];
} Line;

static Line make_line(const StickSurface *surface, int index, const double origin[3], const double axis[3])
{
    const StickPiece *piece = &surface->piece[index];
    Line line = {surface, facet_of(surface, index), piece->from, piece->to, {0}};
    double s[3] = {0}, from[3];
    for (int k = 0; k < line.facet->nnodes; k++) {
        stick_vec_sub(surface->place + 3 * line.facet->node[k], origin, from);
        s[k] = stick_vec_dot(from, axis);
    }
    double middle = line.facet->nnodes == 3 ? s[2] : 0.5 * (s[0] + s[1]);
    line.c[0] = middle;
    line.c[1] = 0.5 * (s[1] - s[0]);
    line.c[2] = line.facet->nnodes == 3 ? 0.5 * (s[0] + s[1]) - middle : 0;
    return line;
}

static double line_value(const Line *line, double xi)
{
    return line->c[0] + xi * (line->c[1] + xi * line->c[2]);
}

// The root of s(xi) = s that goes over into that of the straight line, kept on the piece.
static double line_parameter(const Line *line, double s)
{
    double c0 = line->c[0] - s, c1 = line->c[1], c2 = line->c[2];
    double root = sqrt(fmax(c1 * c1 - 4 * c2 * c0, 0));
    double xi = -2 * c0 / (c1 + copysign(root, c1));
    return fmin(fmax(xi, line->from), line->to);
}

// Place and tangent d place / d xi on a line facet; N: its shape functions.
static void line_point(const Line *line, double xi, double N[STICK_MOST_ELEMENT_NODES], double place[3],
                       double tangent[3])
{
    const double at[3] = {xi, 0, 0};
    double dN[STICK_MOST_ELEMENT_NODES][3];
    stick_shape_values(line->facet->shape, at, N);
    stick_shape_derivatives(line->facet->shape, at, dN);
    facet_point(line->surface, line->facet, N, place);
    tangent[0] = tangent[1] = tangent[2] = 0;
    for (int k = 0; k < line->facet->nnodes; k++)
        stick_vec_axpy(tangent, dN[k][0], line->surface->place + 3 * line->facet->node[k], tangent);
}

// Outward normal of a line with the body on the left.
static void line_normal(const double tangent[3], double normal[3])
{
    normal[0] = tangent[1], normal[1] = -tangent[0], normal[2] = 0;
    stick_vec_normalise(normal);
}

// The slave's side of a point: da for a share dxi of the reference line, hats and shape functions.
static void slave_line_point(const Line *line, double xi, double dxi, Point *point, double place[3])
{
    double tangent[3], dN[STICK_MOST_ELEMENT_NODES][3], z = (xi - line->from) / (line->to - line->from);
    const double at[3] = {xi, 0, 0};
    line_point(line, xi, point->E_slave, place, tangent);
    stick_shape_derivatives(line->facet->shape, at, dN);
    point->da = dxi * line_measure(line->surface, line->facet, point->E_slave, dN);
    point->F[0] = 1 - z;
    point->F[1] = z;
}

static bool in_range(double gap, double behind, double reach)
{
    return gap >= -behind && gap <= reach;
}

// Gap from the middle of the overlap to the point opposite.
static double middle_gap(const Line *s, const Line *m, double at)
{
    double N[STICK_MOST_ELEMENT_NODES], x[3], y[3], tangent[3], normal[3], from[3];
    line_point(s, line_parameter(s, at), N, x, tangent);
    line_point(m, line_parameter(m, at), N, y, tangent);
    line_normal(tangent, normal);
    stick_vec_sub(x, y, from);
    return stick_vec_dot(from, normal);
}

static void add_segment(int slave_piece, const Line *s, const Line *m, double low, double high,
                        StickOverlap *sum)
{
    double a = line_parameter(s, low), b = line_parameter(s, high);
    for (int g = 0; g < STICK_LINE_POINTS; g++) {
        Point point = {0};
        double x[3], y[3], tangent[3];
        double xi = 0.5 * (a + b) + 0.5 * (b - a) * stick_line_place[g];
        slave_line_point(s, xi, 0.5 * fabs(b - a) * stick_line_weight[g], &point, x);
        line_point(m, line_parameter(m, line_value(s, xi)), point.E_master, y, tangent);
        line_normal(tangent, point.normal);
        add_point(s->surface, slave_piece, m->facet->nnodes, &point, sum);
    }
}

// 2D: both pieces laid on the chord of the slave piece; they overlap in an interval [low, high] of it.
static bool overlap_lines(const StickSurface *slave, int slave_piece, const StickSurface *master,
                          int master_piece, double reach, StickOverlap *overlap)
{
    const double *a = slave->place + 3 * slave->piece[slave_piece].corner[0];
    const double *b = slave->place + 3 * slave->piece[slave_piece].corner[1];
    double axis[3];
    stick_vec_sub(b, a, axis);
    double length = stick_vec_normalise(axis);
    Line s = make_line(slave, slave_piece, a, axis), m = make_line(master, master_piece, a, axis);
    double m0 = line_value(&m, m.from), m1 = line_value(&m, m.to);
    double low = fmax(0, fmin(m0, m1)), high = fmin(length, fmax(m0, m1));
    if (!(high - low > SLIVER * length))
        return false;
    if (!in_range(middle_gap(&s, &m, 0.5 * (low + high)), master->piece[master_piece].size, reach))
        return false;
    *overlap = (StickOverlap){0};
    add_segment(slave_piece, &s, &m, low, high, overlap);
    return true;
}

// The plane of a slave facet: origin, two axes and the outward normal.
typedef struct Plane {
    double origin[3], axis[2][3], normal[3];
} Plane;

static Plane facet_plane(const StickSurface *surface, int index)
{
    const StickPiece *piece = &surface->piece[index];
    Plane plane = {.origin = {0}};
    for (int k = 0; k < piece->ncorners; k++)
        stick_vec_axpy(plane.origin, 1.0 / piece->ncorners, surface->place + 3 * piece->corner[k],
                       plane.origin);
    for (int k = 0; k < 3; k++)
        plane.normal[k] = piece->normal[k];
    stick_vec_sub(surface->place + 3 * piece->corner[1], surface->place + 3 * piece->corner[0],
                  plane.axis[0]);
    stick_vec_axpy(plane.axis[0], -stick_vec_dot(plane.axis[0], plane.normal), plane.normal, plane.axis[0]);
    stick_vec_normalise(plane.axis[0]);
    stick_vec_cross(plane.normal, plane.axis[0], plane.axis[1]);
    return plane;
}

// A piece laid into a plane, in the order of its corners.
static StickPolygon lay(const Plane *plane, const StickSurface *surface, int index)
{
    const StickPiece *piece = &surface->piece[index];
    StickPolygon polygon = {.count = piece->ncorners};
    for (int k = 0; k < piece->ncorners; k++) {
        double from[3];
        stick_vec_sub(surface->place + 3 * piece->corner[k], plane->origin, from);
        polygon.x[k][0] = stick_vec_dot(from, plane->axis[0]);
        polygon.x[k][1] = stick_vec_dot(from, plane->axis[1]);
    }
    return polygon;
}

// Both pieces in the plane of the slave.
typedef struct Faces {
    const StickSurface *slave, *master;
    int slave_piece, master_piece;
    StickPolygon s, m;
} Faces;

static bool face_point(const Faces *faces, const double at[2], Point *point)
{
    double N[4] = {0};
    if (!stick_polygon_weights(faces->s.count, faces->s.x, at, N))
        return false;
    for (int k = 0; k < 4; k++)
        point->F[k] = point->E_slave[k] = N[k];
    if (!stick_polygon_weights(faces->m.count, faces->m.x, at, N))
        return false;
    for (int k = 0; k < 4; k++)
        point->E_master[k] = N[k];
    for (int k = 0; k < 3; k++)
        point->normal[k] = faces->master->piece[faces->master_piece].normal[k];
    return true;
}

static double face_gap(const Faces *faces, const Point *point)
{
    double x[3], y[3], from[3];
    stick_piece_point(faces->slave, faces->slave_piece, point->E_slave, x);
    stick_piece_point(faces->master, faces->master_piece, point->E_master, y);
    stick_vec_sub(x, y, from);
    return stick_vec_dot(from, point->normal);
}

static bool faces_in_range(const Faces *faces, const StickPolygon *common, double reach)
{
    double middle[2];
    Point point = {0};
    stick_polygon_middle(common, middle);
    return face_point(faces, middle, &point) &&
           in_range(face_gap(faces, &point), faces->master->piece[faces->master_piece].size, reach);
}

static void add_triangle(const Faces *faces, const double *a, const double *b, const double *c,
                         StickOverlap *sum)
{
    double area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    for (int g = 0; g < STICK_TRIANGLE_POINTS; g++) {
        const double *L = stick_triangle_place[g];
        double at[2] = {L[0] * a[0] + L[1] * b[0] + L[2] * c[0], L[0] * a[1] + L[1] * b[1] + L[2] * c[1]};
        Point point = {.da = area * stick_triangle_weight[g]};
        if (!face_point(faces, at, &point))
            continue;
        point.da *= face_shrinkage(faces->slave, facet_of(faces->slave, faces->slave_piece), point.E_slave);
        add_point(faces->slave, faces->slave_piece, faces->m.count, &point, sum);
    }
}

// 3D: the master piece laid into the slave's plane and clipped by the slave piece.
static bool overlap_faces(const StickSurface *slave, int slave_piece, const StickSurface *master,
                          int master_piece, double reach, StickOverlap *overlap)
{
    Plane plane = facet_plane(slave, slave_piece);
    Faces faces = {
        .slave = slave, .master = master, .slave_piece = slave_piece, .master_piece = master_piece};
    faces.s = lay(&plane, slave, slave_piece);
    faces.m = lay(&plane, master, master_piece);
    StickPolygon common = stick_polygon_clip(&faces.m, &faces.s);
    if (!(fabs(stick_polygon_area(&common)) > SLIVER * stick_polygon_area(&faces.s)))
        return false;
    if (!faces_in_range(&faces, &common, reach))
        return false;
    *overlap = (StickOverlap){0};
    for (int k = 1; k + 1 < common.count; k++)
        add_triangle(&faces, common.x[0], common.x[k], common.x[k + 1], overlap);
    return true;
}

bool stick_overlap_pieces(const StickSurface *slave, int slave_piece, const StickSurface *master,
                          int master_piece, double reach, StickOverlap *overlap)
{
    if (stick_vec_dot(slave->piece[slave_piece].normal, master->piece[master_piece].normal) > FACING)
        return false;
    if (slave->dim == 2)
        return overlap_lines(slave, slave_piece, master, master_piece, reach, overlap);
    return overlap_faces(slave, slave_piece, master, master_piece, reach, overlap);
}

static void line_before_obstacle(const StickSurface *slave, int piece, const StickObstacle *obstacle,
                                 StickOverlap *sum)
{
    const double none[3] = {0};
    Line line = make_line(slave, piece, none, none);
    double width = line.to - line.from;
    for (int g = 0; g < STICK_LINE_POINTS; g++) {
        Point point = {0};
        double place[3], xi = line.from + 0.5 * width * (1 + stick_line_place[g]);
        slave_line_point(&line, xi, 0.5 * width * stick_line_weight[g], &point, place);
        point.gap = stick_obstacle_distance(obstacle, place, point.normal);
        if (isfinite(point.gap))
            add_point(slave, piece, 0, &point, sum);
    }
}

// A quad is covered by the product of two lines, a triangle by its own points.
static int face_points(int ncorners)
{
    return ncorners == 4 ? STICK_LINE_POINTS * STICK_LINE_POINTS : STICK_TRIANGLE_POINTS;
}

static double face_quadrature(int ncorners, int g, double at[3])
{
    int i = g / STICK_LINE_POINTS, j = g % STICK_LINE_POINTS;
    at[0] = ncorners == 4 ? stick_line_place[i] : stick_triangle_place[g][1];
    at[1] = ncorners == 4 ? stick_line_place[j] : stick_triangle_place[g][2];
    at[2] = 0;
    return ncorners == 4 ? stick_line_weight[i] * stick_line_weight[j] : 0.5 * stick_triangle_weight[g];
}

static void face_before_obstacle(const StickSurface *slave, int piece, const StickObstacle *obstacle,
                                 StickOverlap *sum)
{
    const StickSurfaceFacet *facet = facet_of(slave, piece);
    for (int g = 0; g < face_points(facet->nnodes); g++) {
        Point point = {0};
        double at[3], place[3];
        double weight = face_quadrature(facet->nnodes, g, at);
        stick_shape_values(facet->shape, at, point.E_slave);
        for (int k = 0; k < facet->nnodes; k++)
            point.F[k] = point.E_slave[k];
        facet_point(slave, facet, point.E_slave, place);
        point.da = weight * face_jacobian(slave, facet, at, slave->body->finite);
        point.gap = stick_obstacle_distance(obstacle, place, point.normal);
        if (isfinite(point.gap))
            add_point(slave, piece, 0, &point, sum);
    }
}

void stick_overlap_obstacle(const StickSurface *slave, int slave_piece, const StickObstacle *obstacle,
                            StickOverlap *overlap)
{
    *overlap = (StickOverlap){0};
    if (slave->dim == 2)
        line_before_obstacle(slave, slave_piece, obstacle, overlap);
    else
        face_before_obstacle(slave, slave_piece, obstacle, overlap);
}

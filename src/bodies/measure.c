// SPDX-License-Identifier: Apache-2.0
#include "bodies/measure.h"

#include "base/quaternion.h"

static const double pi = 3.14159265358979323846;

// ---- round ones and boxes

static StickMeasure about_origin(double volume, double Jx, double Jy, double Jz)
{
    return (StickMeasure){.volume = volume, .inertia = {Jx, 0, 0, 0, Jy, 0, 0, 0, Jz}};
}

StickMeasure stick_measure_ball(int dim, double r)
{
    if (dim == 2)
        return about_origin(pi * r * r, 0, 0, pi * r * r * (r * r / 2));
    double V = 4 * pi / 3 * r * r * r, J = V * (2 * r * r / 5);
    return about_origin(V, J, J, J);
}

StickMeasure stick_measure_box(int dim, const double size[3])
{
    double xx = size[0] * size[0] / 12, yy = size[1] * size[1] / 12, zz = size[2] * size[2] / 12;
    double V = size[0] * size[1] * (dim == 3 ? size[2] : 1);
    return dim == 2 ? about_origin(V, 0, 0, V * (xx + yy))
                    : about_origin(V, V * (yy + zz), V * (xx + zz), V * (xx + yy));
}

// Two half balls, whose mass centres are 4 r/(3 pi) (plane) or 3 r/8 (space) beyond the ends of the straight
// part.
StickMeasure stick_measure_capsule(int dim, double r, double L)
{
    if (dim == 2) {
        double straight = 2 * r * L, ends = pi * r * r;
        return about_origin(straight + ends, 0, 0,
                            straight * (L * L + 4 * r * r) / 12 +
                                ends * (r * r / 2 + L * L / 4 + 4 * r * L / (3 * pi)));
    }
    double straight = pi * r * r * L, ends = 4 * pi / 3 * r * r * r;
    double along = straight * (r * r / 2) + ends * (2 * r * r / 5);
    double across = straight * (r * r / 4 + L * L / 12) + ends * (2 * r * r / 5 + L * L / 4 + 3 * L * r / 8);
    return about_origin(straight + ends, across, across, along);
}

StickMeasure stick_measure_cylinder(double r, double L)
{
    double V = pi * r * r * L, across = V * (r * r / 4 + L * L / 12);
    return about_origin(V, across, across, V * (r * r / 2));
}

// ---- polygons and polyhedra: sums over simplices with one corner in the mean of the vertices

typedef struct Moments {
    double volume;
    double first[3];
    double second[9]; // integral of x x'
} Moments;

// Of the simplex of the origin and count corners: with s their sum and n = count,
// integral of x = V s/(n + 1),  of x x' = V (s s' + sum of corner corner')/((n + 1) (n + 2))
static void add_simplex(Moments *m, double volume, double corner[][3], int count)
{
    double s[3] = {0, 0, 0}, n = count;
    for (int c = 0; c < count; c++)
        stick_vec_axpy(s, 1, corner[c], s);
    m->volume += volume;
    for (int i = 0; i < 3; i++) {
        m->first[i] += volume * s[i] / (n + 1);
        for (int j = 0; j < 3; j++) {
            double sum = s[i] * s[j];
            for (int c = 0; c < count; c++)
                sum += corner[c][i] * corner[c][j];
            m->second[3 * i + j] += volume * sum / ((n + 1) * (n + 2));
        }
    }
}

static void add_polygon(Moments *m, const StickConvex *shape, const double origin[3])
{
    for (int k = 0; k < shape->nvertices; k++) {
        double corner[2][3], cross[3];
        stick_vec_sub(&shape->vertex[3 * k], origin, corner[0]);
        stick_vec_sub(&shape->vertex[3 * ((k + 1) % shape->nvertices)], origin, corner[1]);
        stick_vec_cross(corner[0], corner[1], cross);
        add_simplex(m, cross[2] / 2, corner, 2);
    }
}

static void add_face(Moments *m, const StickConvex *shape, int face, const double origin[3])
{
    const int *vertex = &shape->face_vertex[shape->face_start[face]];
    int count = shape->face_start[face + 1] - shape->face_start[face];
    for (int k = 1; k + 1 < count; k++) {
        double corner[3][3], cross[3];
        stick_vec_sub(&shape->vertex[3 * vertex[0]], origin, corner[0]);
        stick_vec_sub(&shape->vertex[3 * vertex[k]], origin, corner[1]);
        stick_vec_sub(&shape->vertex[3 * vertex[k + 1]], origin, corner[2]);
        stick_vec_cross(corner[0], corner[1], cross);
        add_simplex(m, stick_vec_dot(cross, corner[2]) / 6, corner, 3);
    }
}

// trace(S) I - S, in the plane its last entry only.
static void inertia_of(const double S[9], int dim, double J[9])
{
    double trace = S[0] + S[4] + S[8];
    for (int k = 0; k < 9; k++)
        J[k] = dim == 2 && k < 8 ? 0 : (k % 4 == 0 ? trace : 0) - S[k];
}

// Parallel axis theorem for a volume V whose centre is at d from the mass centre: + V (d.d I - d d')
static void add_parallel(double J[9], double volume, const double d[3], int dim)
{
    double S[9], more[9];
    for (int k = 0; k < 9; k++)
        S[k] = volume * d[k / 3] * d[k % 3];
    inertia_of(S, dim, more);
    for (int k = 0; k < 9; k++)
        J[k] += more[k];
}

StickMeasure stick_measure_polytope(const StickConvex *shape)
{
    Moments m = {0};
    StickMeasure measure;
    double origin[3] = {0, 0, 0}, c[3];
    int dim = shape->nfaces > 0 ? 3 : 2;
    for (int v = 0; v < shape->nvertices; v++)
        stick_vec_axpy(origin, 1.0 / shape->nvertices, &shape->vertex[3 * v], origin);
    if (dim == 2)
        add_polygon(&m, shape, origin);
    for (int f = 0; f < shape->nfaces; f++)
        add_face(&m, shape, f, origin);
    measure.volume = m.volume;
    for (int k = 0; k < 3; k++)
        c[k] = m.first[k] / m.volume;
    stick_vec_axpy(origin, 1, c, measure.centre);
    inertia_of(m.second, dim, measure.inertia);
    add_parallel(measure.inertia, -m.volume, c, dim);
    return measure;
}

// ---- moved and together

void stick_measure_move(StickMeasure *measure, const double turn[4], const double position[3])
{
    double centre[3];
    stick_quaternion_rotate(turn, measure->centre, centre);
    stick_vec_axpy(position, 1, centre, measure->centre);
    // in the plane there is only the one about z, which stays
    if (measure->inertia[0] > 0)
        stick_quaternion_tensor(turn, measure->inertia, measure->inertia);
}

StickMeasure stick_measure_sum(int dim, const StickMeasure *measure, int count)
{
    StickMeasure sum = {0};
    double offset[3] = {0, 0, 0}, d[3];
    for (int k = 0; k < count; k++)
        sum.volume += measure[k].volume;
    // from the first one on, so that one alone keeps its bits
    for (int k = 0; k < count; k++) {
        stick_vec_sub(measure[k].centre, measure[0].centre, d);
        stick_vec_axpy(offset, measure[k].volume / sum.volume, d, offset);
    }
    stick_vec_axpy(measure[0].centre, 1, offset, sum.centre);
    for (int k = 0; k < count; k++) {
        stick_vec_sub(measure[k].centre, sum.centre, d);
        for (int j = 0; j < 9; j++)
            sum.inertia[j] += measure[k].inertia[j];
        add_parallel(sum.inertia, measure[k].volume, d, dim);
    }
    return sum;
}

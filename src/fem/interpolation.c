// SPDX-License-Identifier: Apache-2.0
#include "fem/interpolation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- nodes

static const double node_place[STICK_NSHAPES][STICK_MOST_ELEMENT_NODES][3] = {
    [STICK_POINT1] = {{0, 0, 0}},
    [STICK_BAR2] = {{-1, 0, 0}, {1, 0, 0}},
    [STICK_BAR3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}},
    [STICK_TRI3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    [STICK_TRI6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}},
    [STICK_QUAD4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
    [STICK_QUAD5] = {{-1, -1, 0}, {0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
    [STICK_QUAD8] =
        {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}},
    [STICK_TET4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [STICK_HEX8] =
        {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
};

void stick_shape_node_place(StickShape shape, int node, double place[3])
{
    memcpy(place, node_place[shape][node], 3 * sizeof *place);
}

// ---- families of shape functions, each with its derivatives

// Products of (1 + s x) / 2: bar2, quad4, hex8.
static void product_values(StickShape shape, int dim, const double x[3], double *N)
{
    for (int i = 0; i < 1 << dim; i++) {
        N[i] = 1;
        for (int k = 0; k < dim; k++)
            N[i] *= 0.5 * (1 + node_place[shape][i][k] * x[k]);
    }
}

static void product_derivatives(StickShape shape, int dim, const double x[3], double (*dN)[3])
{
    for (int i = 0; i < 1 << dim; i++) {
        const double *s = node_place[shape][i];
        for (int k = 0; k < dim; k++) {
            dN[i][k] = 0.5 * s[k];
            for (int l = 0; l < dim; l++)
                if (l != k)
                    dN[i][k] *= 0.5 * (1 + s[l] * x[l]);
        }
    }
}

// Barycentric coordinates: tri3, tet4.
static void simplex_values(int dim, const double x[3], double *N)
{
    N[0] = 1;
    for (int k = 0; k < dim; k++) {
        N[0] -= x[k];
        N[k + 1] = x[k];
    }
}

static void simplex_derivatives(int dim, double (*dN)[3])
{
    for (int k = 0; k < dim; k++) {
        dN[0][k] = -1;
        dN[k + 1][k] = 1;
    }
}

// With barycentric coordinates L: L (2 L - 1) at corners, 4 L L at mid-sides.
static void tri6_values(const double x[3], double *N)
{
    double L[3];
    simplex_values(2, x, L);
    for (int i = 0; i < 3; i++) {
        N[i] = L[i] * (2 * L[i] - 1);
        N[3 + i] = 4 * L[i] * L[(i + 1) % 3];
    }
}

static void tri6_derivatives(const double x[3], double (*dN)[3])
{
    double L[3], dL[3][3] = {{0}};
    simplex_values(2, x, L);
    simplex_derivatives(2, dL);
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        for (int k = 0; k < 2; k++) {
            dN[i][k] = (4 * L[i] - 1) * dL[i][k];
            dN[3 + i][k] = 4 * (dL[i][k] * L[next] + L[i] * dL[next][k]);
        }
    }
}

static void bar3_values(double x, double *N)
{
    N[0] = 0.5 * x * (x - 1);
    N[1] = 0.5 * x * (x + 1);
    N[2] = 1 - x * x;
}

static void bar3_derivatives(double x, double (*dN)[3])
{
    dN[0][0] = x - 0.5;
    dN[1][0] = x + 0.5;
    dN[2][0] = -2 * x;
}

// Bilinear in each half, x < 0 and x > 0: its first side is two linear ones.
static void quad5_values(double x, double y, double *N)
{
    double low = 0.5 * (1 - y), high = 0.5 * (1 + y);
    N[0] = x < 0 ? -x * low : 0;
    N[1] = (1 - fabs(x)) * low;
    N[2] = x < 0 ? 0 : x * low;
    N[3] = 0.5 * (1 + x) * high;
    N[4] = 0.5 * (1 - x) * high;
}

static void quad5_derivatives(double x, double y, double (*dN)[3])
{
    double low = 0.5 * (1 - y), high = 0.5 * (1 + y);
    double along[5] = {x < 0 ? -low : 0, x < 0 ? low : -low, x < 0 ? 0 : low, 0.5 * high, -0.5 * high};
    double up[5] = {x < 0 ? 0.5 * x : 0, 0.5 * (fabs(x) - 1), x < 0 ? 0 : -0.5 * x, 0.25 * (1 + x),
                    0.25 * (1 - x)};
    for (int i = 0; i < 5; i++) {
        dN[i][0] = along[i];
        dN[i][1] = up[i];
    }
}

// Serendipity: corners (1 + s x)(1 + t y)(s x + t y - 1) / 4, mid-sides (1 - x^2)(1 + t y) / 2.
static void quad8_values(double x, double y, double *N)
{
    for (int i = 0; i < 8; i++) {
        double s = node_place[STICK_QUAD8][i][0], t = node_place[STICK_QUAD8][i][1];
        if (i < 4)
            N[i] = 0.25 * (1 + s * x) * (1 + t * y) * (s * x + t * y - 1);
        else if (s == 0)
            N[i] = 0.5 * (1 - x * x) * (1 + t * y);
        else
            N[i] = 0.5 * (1 + s * x) * (1 - y * y);
    }
}

static void quad8_derivatives(double x, double y, double (*dN)[3])
{
    for (int i = 0; i < 8; i++) {
        double s = node_place[STICK_QUAD8][i][0], t = node_place[STICK_QUAD8][i][1];
        if (i < 4) {
            dN[i][0] = 0.25 * s * (1 + t * y) * (2 * s * x + t * y);
            dN[i][1] = 0.25 * t * (1 + s * x) * (2 * t * y + s * x);
        } else if (s == 0) {
            dN[i][0] = -x * (1 + t * y);
            dN[i][1] = 0.5 * t * (1 - x * x);
        } else {
            dN[i][0] = 0.5 * s * (1 - y * y);
            dN[i][1] = -y * (1 + s * x);
        }
    }
}

void stick_shape_values(StickShape shape, const double place[3], double N[STICK_MOST_ELEMENT_NODES])
{
    switch (shape) {
    case STICK_POINT1:
        N[0] = 1;
        return;
    case STICK_BAR2:
        product_values(shape, 1, place, N);
        return;
    case STICK_BAR3:
        bar3_values(place[0], N);
        return;
    case STICK_TRI3:
        simplex_values(2, place, N);
        return;
    case STICK_TRI6:
        tri6_values(place, N);
        return;
    case STICK_QUAD4:
        product_values(shape, 2, place, N);
        return;
    case STICK_QUAD5:
        quad5_values(place[0], place[1], N);
        return;
    case STICK_QUAD8:
        quad8_values(place[0], place[1], N);
        return;
    case STICK_TET4:
        simplex_values(3, place, N);
        return;
    case STICK_HEX8:
        product_values(shape, 3, place, N);
        return;
    case STICK_NSHAPES:
        break;
    }
    assert(!"a shape of the list");
}

void stick_shape_derivatives(StickShape shape, const double place[3], double dN[STICK_MOST_ELEMENT_NODES][3])
{
    memset(dN, 0, STICK_MOST_ELEMENT_NODES * sizeof *dN);
    switch (shape) {
    case STICK_POINT1:
        return;
    case STICK_BAR2:
        product_derivatives(shape, 1, place, dN);
        return;
    case STICK_BAR3:
        bar3_derivatives(place[0], dN);
        return;
    case STICK_TRI3:
        simplex_derivatives(2, dN);
        return;
    case STICK_TRI6:
        tri6_derivatives(place, dN);
        return;
    case STICK_QUAD4:
        product_derivatives(shape, 2, place, dN);
        return;
    case STICK_QUAD5:
        quad5_derivatives(place[0], place[1], dN);
        return;
    case STICK_QUAD8:
        quad8_derivatives(place[0], place[1], dN);
        return;
    case STICK_TET4:
        simplex_derivatives(3, dN);
        return;
    case STICK_HEX8:
        product_derivatives(shape, 3, place, dN);
        return;
    case STICK_NSHAPES:
        break;
    }
    assert(!"a shape of the list");
}

// ---- quadratures

// Gauss's points on [-1, 1]: two, three and four of them, exact to degree 3, 5 and 7.
#define G2 0.577350269189625764509
#define G3 0.774596669241483377035
#define W3 (5.0 / 9)
#define V3 (8.0 / 9)
#define G4 0.861136311594052575223
#define H4 0.339981043584856264802
#define W4 0.347854845137453857373
#define V4 0.652145154862546142626

// clang-format off
// A row of points along x, and their weights times w.
#define ROW3(y, z) {-G3, y, z}, {0, y, z}, {G3, y, z}
#define ROW4(y) {-G4, y, 0}, {-H4, y, 0}, {H4, y, 0}, {G4, y, 0}
#define ROW3_WEIGHTS(w) (w) * W3, (w) * V3, (w) * W3
#define ROW4_WEIGHTS(w) (w) * W4, (w) * V4, (w) * V4, (w) * W4
#define LAYER3(z) ROW3(-G3, z), ROW3(0, z), ROW3(G3, z)
#define LAYER3_WEIGHTS(w) ROW3_WEIGHTS((w) * W3), ROW3_WEIGHTS((w) * V3), ROW3_WEIGHTS((w) * W3)
#define HALF_ROW3(c, y) {(c) - 0.5 * G3, y, 0}, {c, y, 0}, {(c) + 0.5 * G3, y, 0}
#define HALF3(c) HALF_ROW3(c, -G3), HALF_ROW3(c, 0), HALF_ROW3(c, G3)
// clang-format on

static const StickQuadrature point = {1, {{0, 0, 0}}, {1}};
static const StickQuadrature line1 = {1, {{0, 0, 0}}, {2}};
static const StickQuadrature line2 = {2, {{-G2, 0, 0}, {G2, 0, 0}}, {1, 1}};
static const StickQuadrature line3 = {3, {ROW3(0, 0)}, {ROW3_WEIGHTS(1)}};

// Two points each way come in the order of the corners: the extrapolation relies on it.
static const StickQuadrature square2 = {
    4, {{-G2, -G2, 0}, {G2, -G2, 0}, {G2, G2, 0}, {-G2, G2, 0}}, {1, 1, 1, 1}};
static const StickQuadrature square3 = {9, {LAYER3(0)}, {LAYER3_WEIGHTS(1)}};
static const StickQuadrature square4 = {
    16,
    {ROW4(-G4), ROW4(-H4), ROW4(H4), ROW4(G4)},
    {ROW4_WEIGHTS(W4), ROW4_WEIGHTS(V4), ROW4_WEIGHTS(V4), ROW4_WEIGHTS(W4)},
};

// Both halves of a quad5, each with its points in the order of its corners: -1 ... 0, then 0 ... 1.
static const StickQuadrature halves2 = {
    8,
    {{-0.5 - 0.5 * G2, -G2, 0},
     {-0.5 + 0.5 * G2, -G2, 0},
     {-0.5 + 0.5 * G2, G2, 0},
     {-0.5 - 0.5 * G2, G2, 0},
     {0.5 - 0.5 * G2, -G2, 0},
     {0.5 + 0.5 * G2, -G2, 0},
     {0.5 + 0.5 * G2, G2, 0},
     {0.5 - 0.5 * G2, G2, 0}},
    {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
};
static const StickQuadrature halves3 = {
    18,
    {HALF3(-0.5), HALF3(0.5)},
    {LAYER3_WEIGHTS(0.5), LAYER3_WEIGHTS(0.5)},
};

static const StickQuadrature cube2 = {
    8,
    {{-G2, -G2, -G2},
     {G2, -G2, -G2},
     {G2, G2, -G2},
     {-G2, G2, -G2},
     {-G2, -G2, G2},
     {G2, -G2, G2},
     {G2, G2, G2},
     {-G2, G2, G2}},
    {1, 1, 1, 1, 1, 1, 1, 1},
};
static const StickQuadrature cube3 = {
    27,
    {LAYER3(-G3), LAYER3(0), LAYER3(G3)},
    {LAYER3_WEIGHTS(W3), LAYER3_WEIGHTS(V3), LAYER3_WEIGHTS(W3)},
};

// Triangles, exact to degree 1, 2 and 5 (Radon's seven points); the three points are in the order of the
// corners.
#define A7 0.101286507323456338800
#define B7 0.470142064105115089770
#define WA7 0.062969590272413576297
#define WB7 0.066197076394253090368

static const StickQuadrature triangle1 = {1, {{1.0 / 3, 1.0 / 3, 0}}, {0.5}};
static const StickQuadrature triangle3 = {
    3,
    {{1.0 / 6, 1.0 / 6, 0}, {2.0 / 3, 1.0 / 6, 0}, {1.0 / 6, 2.0 / 3, 0}},
    {1.0 / 6, 1.0 / 6, 1.0 / 6},
};
static const StickQuadrature triangle7 = {
    7,
    {{1.0 / 3, 1.0 / 3, 0},
     {A7, A7, 0},
     {1 - 2 * A7, A7, 0},
     {A7, 1 - 2 * A7, 0},
     {B7, B7, 0},
     {1 - 2 * B7, B7, 0},
     {B7, 1 - 2 * B7, 0}},
    {9.0 / 80, WA7, WA7, WA7, WB7, WB7, WB7},
};

// Tetrahedra, exact to degree 1 and 2.
#define T4 0.138196601125010515179

static const StickQuadrature tetrahedron1 = {1, {{0.25, 0.25, 0.25}}, {1.0 / 6}};
static const StickQuadrature tetrahedron4 = {
    4,
    {{T4, T4, T4}, {1 - 3 * T4, T4, T4}, {T4, 1 - 3 * T4, T4}, {T4, T4, 1 - 3 * T4}},
    {1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24},
};

const StickQuadrature *stick_stiffness_quadrature(StickShape shape)
{
    static const StickQuadrature *const table[STICK_NSHAPES] = {
        [STICK_POINT1] = &point,   [STICK_BAR2] = &line1,        [STICK_BAR3] = &line2,
        [STICK_TRI3] = &triangle1, [STICK_TRI6] = &triangle3,    [STICK_QUAD4] = &square2,
        [STICK_QUAD8] = &square3,  [STICK_TET4] = &tetrahedron1, [STICK_HEX8] = &cube2,
        [STICK_QUAD5] = &halves2,
    };
    return table[shape];
}

// Exact on every element with straight sides, of a ring too (a radius in the integrand).
const StickQuadrature *stick_mass_quadrature(StickShape shape)
{
    static const StickQuadrature *const table[STICK_NSHAPES] = {
        [STICK_POINT1] = &point,   [STICK_BAR2] = &line2,        [STICK_BAR3] = &line3,
        [STICK_TRI3] = &triangle7, [STICK_TRI6] = &triangle7,    [STICK_QUAD4] = &square3,
        [STICK_QUAD8] = &square4,  [STICK_TET4] = &tetrahedron4, [STICK_HEX8] = &cube3,
        [STICK_QUAD5] = &halves3,
    };
    return table[shape];
}

const StickQuadrature *stick_stress_quadrature(StickShape shape)
{
    return shape == STICK_QUAD8 ? &square2 : stick_stiffness_quadrature(shape);
}

// Each half of a quad5 gives the values at its own corners, and the node between them takes the mean.
static void halves_extrapolation(int node, double *weight)
{
    const double *place = node_place[STICK_QUAD5][node];
    for (int half = 0; half < 2; half++) {
        double share = 0.5 * (1 + (half == 0 ? -1 : 1) * place[0]);
        double within[3] = {(2 * place[0] + (half == 0 ? 1 : -1)) / G2, place[1] / G2, 0};
        double *part = weight + 4 * half;
        product_values(STICK_QUAD4, 2, within, part);
        for (int p = 0; p < 4; p++)
            part[p] *= share;
    }
}

// The shape whose corners are the stress points, and the node in its coordinates.
void stick_stress_extrapolation(StickShape shape, int node, double weight[STICK_MOST_ELEMENT_NODES])
{
    double place[3];
    int count = stick_stress_quadrature(shape)->count;
    stick_shape_node_place(shape, node, place);
    if (count == 1) {
        weight[0] = 1;
        return;
    }
    if (shape == STICK_QUAD5) {
        halves_extrapolation(node, weight);
        return;
    }
    for (int k = 0; k < 3; k++)
        place[k] = shape == STICK_TRI6 ? 2 * place[k] - 1.0 / 3 : place[k] / G2;
    static const StickShape corners[] = {
        [2] = STICK_BAR2, [3] = STICK_TRI3, [4] = STICK_QUAD4, [8] = STICK_HEX8};
    stick_shape_values(corners[count], place, weight);
}

void stick_shape_tabulate(StickShape shape, const StickQuadrature *quadrature, StickShapeTable *table)
{
    table->shape = shape;
    table->count = quadrature->count;
    for (int p = 0; p < quadrature->count; p++) {
        table->weight[p] = quadrature->weight[p];
        stick_shape_values(shape, quadrature->place[p], table->N[p]);
        stick_shape_derivatives(shape, quadrature->place[p], table->dN[p]);
    }
}

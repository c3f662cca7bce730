// SPDX-License-Identifier: Apache-2.0
// One element: interpolation at its points, stiffness and mass.
//
// For node a at a point: g_a = grad N_a; hoop_a = N_a / r in a ring, 0 elsewhere; h_a = g_a, in a ring plus
// hoop_a in the radial direction, so that div u = sum_a h_a . u_a. With moduli (lame, shear) the stiffness is
//     K_ab = int lame h_a h_b' + shear (g_b g_a' + g_a.g_b 1) + 2 shear hoop_a hoop_b e_r e_r'  dV
// and with mean dilatation, m_a = int h_a dV / V [Hughes80: the B-bar method],
//     K_ab = bulk V m_a m_b' + the integral above with lame = -2/3 shear.
// dV holds the thickness (2D), the section (1D) or 2 pi r (ring).
#ifndef FEM_ELEMENT_H
#define FEM_ELEMENT_H

#include "fem/continuum.h"
#include "fem/interpolation.h"

enum { STICK_MOST_ELEMENT_DOFS = STICK_MOST_ELEMENT_NODES * 3 };

typedef struct StickElement {
    const StickContinuum *continuum;
    int number;
    StickShape shape;
    int dim; // of space and of the element
    int nnodes;
    const int *node;                       // nnodes, of the mesh
    double x[STICK_MOST_ELEMENT_NODES][3]; // places of the nodes, zeros beyond dim
} StickElement;

typedef struct StickElementPoint {
    double dV;
    double g[STICK_MOST_ELEMENT_NODES][3];
    double h[STICK_MOST_ELEMENT_NODES][3];
    double hoop[STICK_MOST_ELEMENT_NODES];
} StickElementPoint;

typedef struct StickElementPoints {
    int count;
    StickElementPoint point[STICK_MOST_QUADRATURE];
} StickElementPoints;

// An element that stick_continuum_check_element has accepted.
StickElement stick_element_at(const StickContinuum *continuum, int number);

// Quadrature of the stiffness: of rings the finer one, as radii enter the integrand.
const StickQuadrature *stick_element_quadrature(const StickContinuum *continuum, StickShape shape);

// The points of a quadrature, tabulated for the element's shape; an inverted or degenerate element is
// STICK_BAD_MESH.
StickStatus stick_element_points(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                                 StickElementPoints *points);

// V and m_a over the points of the stiffness.
double stick_element_mean(const StickElement *element, const StickElementPoints *points,
                          double mean[STICK_MOST_ELEMENT_NODES][3]);

// Both triangles are set and equal to the bit. Degree of freedom of node a in direction i: a * dim + i.
void stick_element_stiffness(const StickElement *element, const StickElementPoints *points,
                             const StickModuli *moduli,
                             double K[STICK_MOST_ELEMENT_DOFS][STICK_MOST_ELEMENT_DOFS]);

// M_ab of one direction, with the table of the mass quadrature: consistent, or lumped by row sums (linear
// shapes) or by scaling the diagonal to the mass of the element (quadratic shapes, where row sums may be
// negative) [HRZ76].
StickStatus stick_element_mass(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                               double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES]);

#endif

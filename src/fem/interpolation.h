// SPDX-License-Identifier: Apache-2.0
// Interpolation and quadrature on reference elements, for elements and for their sides.
#ifndef FEM_INTERPOLATION_H
#define FEM_INTERPOLATION_H

#include "mesh/shape.h"

enum { STICK_MOST_QUADRATURE = 27 };

typedef struct StickQuadrature {
    int count;
    double place[STICK_MOST_QUADRATURE][3];
    double weight[STICK_MOST_QUADRATURE];
} StickQuadrature;

// Values N[i] and derivatives dN[i][k] at a place of the reference element, for the nodes of the shape;
// derivatives in directions beyond its dimension are zero. Lines and quads, hexes: [-1, 1]^d; triangles,
// tets: corner at 0, sides 1.
void stick_shape_values(StickShape shape, const double place[3], double N[STICK_MOST_ELEMENT_NODES]);
void stick_shape_derivatives(StickShape shape, const double place[3], double dN[STICK_MOST_ELEMENT_NODES][3]);

// Quadrature that integrates stiffness exactly on undistorted elements, and one for the mass (and for loads
// on sides).
const StickQuadrature *stick_stiffness_quadrature(StickShape shape);
const StickQuadrature *stick_mass_quadrature(StickShape shape);

// Points where strains are most accurate, at most STICK_MOST_ELEMENT_NODES, and the weights with which values at them
// give the value at a node: exact for constants on every shape, for linear fields on all but bar2, tri3 and
// tet4.
const StickQuadrature *stick_stress_quadrature(StickShape shape);
void stick_stress_extrapolation(StickShape shape, int node, double weight[STICK_MOST_ELEMENT_NODES]);

// Values and derivatives at the points of a quadrature, tabulated for the many elements of one shape.
typedef struct StickShapeTable {
    StickShape shape;
    int count;
    double weight[STICK_MOST_QUADRATURE];
    double N[STICK_MOST_QUADRATURE][STICK_MOST_ELEMENT_NODES];
    double dN[STICK_MOST_QUADRATURE][STICK_MOST_ELEMENT_NODES][3];
} StickShapeTable;

void stick_shape_tabulate(StickShape shape, const StickQuadrature *quadrature, StickShapeTable *table);

// Places of the nodes in the reference element.
void stick_shape_node_place(StickShape shape, int node, double place[3]);

#endif

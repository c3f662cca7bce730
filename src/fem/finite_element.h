// SPDX-License-Identifier: Apache-2.0
// One element under finite deformation: its forces and their tangent.
//
// F is linear in the displacements (in a ring, too, where the hoop stretch is 1 + u_r / R), so that with gradients in
// the current configuration, g_a = F^-T G_a and hoop_a = N_a / r, and h_a as in fem/element.h,
//     force_a = int (tau + p J 1) g_a dV                         (ring: + its hoop stress times hoop_a e_r)
//     K_ab    = int g_a A g_b dV,   A_ikjl = c_ikjl + [i = j] tau_kl    (ring: hoop_a is a third part of g_a of u_r)
// where tau is the whole stress and c the whole tangent of Lie's rate,
//     pointwise:        c = c~ + J (p + J U'') 1 1' - 2 p J 1_s,   p = U'(J)
//     mean dilatation:  c = c~ + J p 1 1'         - 2 p J 1_s,     p = U'(theta) + lambda, theta = v / V
// plus U'' / V m_a m_b' for mean dilatation, m_a = int J h_a dV.
#ifndef FEM_FINITE_ELEMENT_H
#define FEM_FINITE_ELEMENT_H

#include "fem/element.h"
#include "fem/material.h"

typedef struct StickFiniteElement {
    const StickMaterial *material;
    int dim, nnodes, npoints;
    bool ring, mean;
    bool tangent;            // is it wanted?
    bool no_loss;            // as in fem/material.h
    int nhistory;            // of a point
    const double *reference; // stick_finite_point_size of each point
    double u[3][STICK_MOST_ELEMENT_NODES];
    double lambda, h;
    const double *past; // npoints x nhistory
    double *next;
    // out
    double force[3][STICK_MOST_ELEMENT_NODES];
    double K[3][3][STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES]; // [i][j][b][a]: stick_finite_entry
    double energy, loss;
    double volume;                        // V
    double theta, change;                 // v / V, and this less 1
    double worst;                         // largest |theta - 1|, of the element or of its points
    double J[STICK_MOST_QUADRATURE];      // of the points
    double tau[STICK_MOST_QUADRATURE][6]; // whole Kirchhoff stress of the points
} StickFiniteElement;

// Numbers stored per point of the reference configuration: dV, G of all nodes in each direction, and for a ring N / R
// of all nodes.
static inline int stick_finite_point_size(int dim, int nnodes, bool ring)
{
    return 1 + nnodes * dim + (ring ? nnodes : 0);
}

// False: a point is inverted, or its law has no state; outputs have no meaning then.
bool stick_finite_element(StickFiniteElement *element);

// The tangent of direction i of node a by direction j of node b: kept once for both triangles.
static inline double stick_finite_entry(const StickFiniteElement *element, int a, int i, int b, int j)
{
    if (i != j)
        return i < j ? element->K[i][j][b][a] : element->K[j][i][a][b];
    return a <= b ? element->K[i][i][b][a] : element->K[i][i][a][b];
}

// V, theta and J of the points alone; false: a point is inverted.
bool stick_finite_dilatation(StickFiniteElement *element);

#endif

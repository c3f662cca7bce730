// SPDX-License-Identifier: Apache-2.0
// The maps of one contact in the complementarity problems of friction (solve/friction_lcp.h): w = L u + N z, r = R z,
// i.e. the rows of w that depend on u, r as a function of z, and the part of w that depends on z alone.
#ifndef SOLVE_FRICTION_MAPS_H
#define SOLVE_FRICTION_MAPS_H

#include "solve/friction_lcp.h"

typedef struct StickFrictionMaps {
    StickLcpForm form;
    int dim;
    int m;             // facets: 0 (dim 1), 2 (dim 2), or more
    double *direction; // m x (dim - 1): d_k with the eliminated ones first, or v_k
    double *L;         // (m + 2) x dim by rows: without sections the same for all contacts but for its length
    double *R;         // dim x (m + 2) by rows
    double *N;         // (m + 2) x (m + 2) by columns
    int N_size;
} StickFrictionMaps;

// Unknowns of a contact with friction.
int stick_friction_maps_size(StickLcpForm form, int m);

// Facet normals (half a step turned) or vertices of the m-gon.
void stick_friction_maps_directions(StickFrictionMaps *maps);

// Half the angle of a facet seen from the axis: d_j.r_T <= mu cos(pi / m) r_N; 1 in 2D.
double stick_friction_maps_distance(const StickFrictionMaps *maps);

void stick_friction_maps_fill_L(StickFrictionMaps *maps);

// size: unknowns of the contact, 1 without friction.
void stick_friction_maps_fill_R(StickFrictionMaps *maps, double mu, int size);
void stick_friction_maps_fill_N(StickFrictionMaps *maps, double mu);

static inline double *stick_friction_maps_N(const StickFrictionMaps *maps, int i, int j)
{
    return maps->N + j * maps->N_size + i;
}

#endif

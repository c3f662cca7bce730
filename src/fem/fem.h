// SPDX-License-Identifier: Apache-2.0
// Finite elements of a linear viscoelastic body: M, C, K, loads and stresses.
//
// Degree of freedom of node i in direction k: i * dim + k. All matrices of a body share one pattern.
#ifndef FEM_FEM_H
#define FEM_FEM_H

#include "mesh/mesh.h"
#include "model/model.h"

#include <stickslip/sparse.h>

// Input for the matrices of a body.
typedef struct StickContinuum {
    const char *name; // of the body, for messages; NULL: none
    StickMark mark;   // where the body stands; line 0: nowhere
    const StickMesh *mesh;
    const StickMaterial *material;
    StickPlane plane;
    double thickness; // 2D: out of plane; 1D: section; unused in 3D and for rings
    bool mean_dilatation;
    bool lumped_mass;
} StickContinuum;

// K, C (Kelvin-Voigt and Rayleigh) and M of a body, each symmetric to the bit, stored in full, with the same
// pattern. The radial displacement on the axis of a ring is left free: the caller holds it at zero.
StickStatus stick_fem_matrices(StickContext *ctx, const StickContinuum *continuum, StickSparse *M,
                               StickSparse *C, StickSparse *K);

// Share of the mass of some elements that belongs to each node (of the whole mesh): row sums of their mass
// matrices. Sets all nnodes of mass.
StickStatus stick_fem_masses(StickContext *ctx, const StickContinuum *continuum, const int *element,
                             int nelements, double *mass);

// Stress at the nodes (nnodes x 6: xx, yy, zz, xy, yz, zx; of a ring: rr, axial, hoop, r-axial), averaged
// over elements, from displacements q and velocities v (Kelvin-Voigt part; NULL: none). Rayleigh damping has
// no stress.
StickStatus stick_fem_stress(StickContext *ctx, const StickContinuum *continuum, const double *q,
                             const double *v, double *stress);

// Adds to f the consistent nodal forces of a traction on facets: traction(user, place, normal, value) gives
// force per area at a place of the reference configuration with the outward normal there.
typedef StickStatus (*StickTraction)(void *user, const double place[3], const double normal[3],
                                     double traction[3]);
StickStatus stick_fem_facet_load(StickContext *ctx, const StickContinuum *continuum, const StickFacet *facet,
                                 int nfacets, StickTraction traction, void *user, double *f);

// A pressure on facets in their position at displacements q: it stays normal to them and acts on their present area.
// pressure(user, place, value) is evaluated at places of the reference configuration. 2D and 3D.
typedef StickStatus (*StickPressure)(void *user, const double place[3], double *pressure);
typedef struct StickModeTracker {
    const StickFacet *facet;
    int nfacets;
    StickPressure pressure;
    void *user;
    const double *q; // ndofs
} StickModeTracker;

// Adds its nodal forces to f.
StickStatus stick_fem_follower_load(StickContext *ctx, const StickContinuum *continuum,
                                    const StickModeTracker *follower, double *f);

// Subtracts the symmetric part of df/dq from tangent, values on the pattern of K. The rest comes from the rim of the
// facets, where it is free, and from pressures that vary over them.
StickStatus stick_fem_follower_tangent(StickContext *ctx, const StickContinuum *continuum,
                                       const StickModeTracker *follower, const StickSparse *pattern,
                                       double *tangent);

// Share of the area of the facets that belongs to each node (of the whole mesh), by integrating hat
// functions. Sets all nnodes of area.
StickStatus stick_fem_facet_areas(StickContext *ctx, const StickContinuum *continuum, const StickFacet *facet,
                                  int nfacets, double *area);

double stick_von_mises(const double stress[6]);

#endif

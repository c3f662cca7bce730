// SPDX-License-Identifier: Apache-2.0
// A surface that may touch: the nodes and facets of a group, cut into linear pieces, with present places and
// normals.
//
// A quadratic edge is two pieces, each with its own part of the edge; every other facet is one piece. Pieces
// know their neighbours, so that a nearest point on a side or corner is told apart from one on the rim of the
// surface.
#ifndef CONTACT_SURFACE_H
#define CONTACT_SURFACE_H

#include "bodies/system.h"
#include "contact/bvh.h"

typedef struct StickSurfaceFacet {
    StickShape shape;
    int nnodes;
    int node[STICK_MOST_FACET_NODES]; // of the surface
} StickSurfaceFacet;

typedef struct StickPiece {
    int facet;
    double from, to; // part of a line facet: its range of the reference line [-1, 1]
    int ncorners;
    int corner[4];    // nodes of the surface, body on the left (2D) or anticlockwise from outside (3D)
    int neighbour[4]; // piece beyond corner k (2D) or across the side from corner k to the next (3D); -1: rim
    double size;      // largest distance of corners in the reference; 1D: length of the element
    double normal[3]; // outward, at present
    double made[3];   // ... as the body is made (of a rigid body in its frame)
    int layer;        // of contacts with it, see StickContact; set by stick_reentrant_edge_layers
} StickPiece;

typedef struct StickSurface {
    StickContext *ctx;
    const StickBody *body;
    int dim;
    int nnodes;
    const int *node; // of the body, ascending
    double *area;    // nnodes: share of the reference area; 0 where the group has no facets
    double *place;   // nnodes x 3, at present
    double *normal;  // nnodes x 3: mean of the pieces around, weighted by their angles
    bool *rim;       // nnodes
    int nfacets;
    StickSurfaceFacet *facet;
    int npieces;
    StickPiece *piece;
    double largest; // size of a piece
    bool quadratic; // has quadratic facets
    StickPose pose; // of a rigid body, at present
} StickSurface;

StickStatus stick_surface_create(StickContext *ctx, const StickBody *body, int dim, const StickGroup *group,
                                 StickSurface *surface);
void stick_surface_destroy(StickSurface *surface);

// Present places and normals at displacements q of the system.
void stick_surface_update(StickSurface *surface, const double *q);

// The rotation of the surface as a whole since its body was made: the nearest one to the moments of places and normals. For
// deformable bodies.
void stick_surface_rotation(const StickSurface *surface, double R[3][3]);

// First degree of freedom of a node of the surface, in the system; of a deformable body.
int stick_surface_dof(const StickSurface *surface, int node);

StickBox stick_surface_piece_box(const StickSurface *surface, int piece, double margin);

// A tree over the pieces, and its refit to present places.
StickStatus stick_surface_tree(StickContext *ctx, const StickSurface *surface, StickBvh *tree);
void stick_surface_refit(const StickSurface *surface, StickBvh *tree);

// Whether two pieces, of any surfaces, have a node in common.
bool stick_surface_shares_node(const StickSurface *a, int piece_a, const StickSurface *b, int piece_b);

#endif

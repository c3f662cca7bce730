// SPDX-License-Identifier: Apache-2.0
// What stands still in an animation: the visible part of all bodies, taken from one field file.
#ifndef REPORT_SCENE_H
#define REPORT_SCENE_H

#include "output/vtu_read.h"
#include "report/skin.h"

// Where a body stands among the visible nodes, triangles and edges.
typedef struct StickSceneBody {
    int first_point; // of the field file
    int first_node, nodes;
    int first_triangle, triangles;
    int first_edge, edges;
} StickSceneBody;

typedef struct StickScene {
    int dim;
    int npoints; // of the field file
    StickSkin skin;
    float *x;        // visible nodes x dim, at rest; from the origin of their body where it has one
    unsigned *label; // of each visible node, its number in the mesh of its body, from 0
    int nbodies;
    StickSceneBody *body;
} StickScene;

// Refuses files whose cells are not elements of ours, or not those of so many bodies one after the other.
// name is for messages. origin: three numbers of each body; NULL: all zero.
StickStatus stick_scene_create(StickContext *ctx, const StickVtuFile *file, const char *name, int nbodies,
                               const double *origin, StickScene *scene);
void stick_scene_destroy(StickContext *ctx, StickScene *scene);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "contact/patch.h"

// A face steeper than this is seen as an edge, and such an edge as a vertex.
#define STEEP 0.05

void stick_patch_frame(const double n[3], double t1[3], double t2[3])
{
    int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[least]))
        least = 2;
    double unit[3] = {0, 0, 0};
    unit[least] = 1;
    stick_vec_cross(n, unit, t1);
    stick_vec_normalise(t1);
    stick_vec_cross(n, t1, t2);
}

static void put_vertex(const StickCore *core, int vertex, StickContactPatch *patch)
{
    patch->label[patch->count] = vertex;
    stick_core_vertex(core, vertex, patch->x[patch->count++]);
}

static void clear(const StickCore *core, StickContactPatch *patch)
{
    patch->count = 0;
    patch->cosine = 0;
    patch->radius = core->radius;
    patch->core = core;
}

void stick_patch_face(const StickCore *core, const double direction[3], StickContactPatch *patch)
{
    double height, cosine;
    int vertex = stick_core_support(core, direction, &height);
    int face = stick_core_face_at(core, vertex, direction, &cosine);
    clear(core, patch);
    if (face < 0 || cosine < STEEP)
        return;
    const int *corner = core->face_vertex + core->face_start[face];
    int count = core->face_start[face + 1] - core->face_start[face];
    int taken = count < STICK_MOST_PATCH ? count : STICK_MOST_PATCH;
    for (int k = 0; k < taken; k++)
        put_vertex(core, corner[(long)k * count / taken], patch);
    stick_core_plane(core, face, patch->plane);
    patch->cosine = cosine;
}

void stick_patch_edge(const StickCore *core, const double direction[3], bool whole, StickContactPatch *patch)
{
    double height, cosine;
    int vertex = stick_core_support(core, direction, &height);
    int edge = stick_core_edge_at(core, vertex, direction, &cosine);
    clear(core, patch);
    if (edge >= 0 && cosine <= (whole ? 1 - STEEP * STEEP : STICK_LEVEL)) {
        put_vertex(core, core->edge[4 * (ptrdiff_t)edge], patch);
        put_vertex(core, core->edge[4 * (ptrdiff_t)edge + 1], patch);
    } else {
        put_vertex(core, vertex, patch);
    }
}

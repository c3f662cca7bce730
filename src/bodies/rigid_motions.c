// SPDX-License-Identifier: Apache-2.0
#include "bodies/rigid_motions.h"

#include <math.h>
#include <string.h>

int stick_rigid_motions_count(const StickBody *body)
{
    int dim = body->mesh.dim;
    if (dim == 2 && body->continuum.plane == STICK_AXISYMMETRIC)
        return 1; // along the axis
    return dim == 1 ? 1 : dim == 2 ? 3 : 6;
}

void stick_rigid_motions_at(const StickBody *body, double size, int local, double motion[STICK_RIGID_MOTIONS])
{
    const StickMesh *mesh = &body->mesh;
    int dim = mesh->dim, k = local % dim;
    double x[3] = {0};
    for (int j = 0; j < dim; j++)
        x[j] = (mesh->x[local - k + j] - mesh->x[j]) / size;
    for (int j = 0; j < STICK_RIGID_MOTIONS; j++)
        motion[j] = 0;
    if (stick_rigid_motions_count(body) == 1) {
        motion[0] = k == dim - 1;
        return;
    }
    motion[k] = 1;
    if (dim == 2) {
        motion[2] = k == 0 ? -x[1] : x[0];
        return;
    }
    motion[3 + (k + 1) % 3] = x[(k + 2) % 3];
    motion[3 + (k + 2) % 3] = -x[(k + 1) % 3];
}

double stick_rigid_motions_size(const StickBody *body)
{
    const StickMesh *mesh = &body->mesh;
    double size = 0;
    for (int i = 0; i < mesh->nnodes * mesh->dim; i++)
        size = fmax(size, fabs(mesh->x[i] - mesh->x[i % mesh->dim]));
    return size > 0 ? size : 1;
}

void stick_rigid_motions_held(const StickBody *body, const StickSupports *supports,
                              double G[STICK_RIGID_MOTIONS][STICK_RIGID_MOTIONS])
{
    double size = stick_rigid_motions_size(body), motion[STICK_RIGID_MOTIONS];
    int count = stick_rigid_motions_count(body);
    memset(G, 0, STICK_RIGID_MOTIONS * sizeof *G);
    for (int s = 0; s < supports->count; s++) {
        int local = supports->support[s].dof - body->first;
        if (local < 0 || local >= body->ndofs)
            continue;
        stick_rigid_motions_at(body, size, local, motion);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                G[i][j] += motion[i] * motion[j];
    }
}

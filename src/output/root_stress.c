// SPDX-License-Identifier: Apache-2.0
#include "output/root_stress.h"

#include "base/memory.h"
#include "fem/fem.h"

#include <math.h>
#include <string.h>

static bool touches(const StickMesh *mesh, int element, const bool *marked)
{
    for (int k = mesh->start[element]; k < mesh->start[element + 1]; k++)
        if (marked[mesh->node[k]])
            return true;
    return false;
}

// Stresses of nodes are means over all elements around them: what touches a fillet is enough.
static StickStatus take_elements(StickContext *ctx, const StickMesh *mesh, const bool *marked,
                                 StickMesh *part)
{
    int elements = 0, nodes = 0;
    for (int e = 0; e < mesh->nelements; e++)
        if (touches(mesh, e, marked))
            elements++, nodes += mesh->start[e + 1] - mesh->start[e];
    *part = (StickMesh){.dim = mesh->dim, .nnodes = mesh->nnodes, .x = mesh->x};
    STICK_ALLOC(ctx, part->shape, elements);
    STICK_ALLOC(ctx, part->start, elements + 1);
    STICK_ALLOC(ctx, part->node, nodes);
    for (int e = 0; e < mesh->nelements; e++) {
        int count = mesh->start[e + 1] - mesh->start[e], first = part->start[part->nelements];
        if (!touches(mesh, e, marked))
            continue;
        memcpy(&part->node[first], &mesh->node[mesh->start[e]], (size_t)count * sizeof *part->node);
        part->shape[part->nelements++] = mesh->shape[e];
        part->start[part->nelements] = first + count;
    }
    return STICK_OK;
}

static StickStatus take_part(StickContext *ctx, const StickBody *body, StickRootStress *root)
{
    bool *marked;
    STICK_ALLOC(ctx, root->stress, 6 * (size_t)body->mesh.nnodes);
    STICK_ALLOC(ctx, marked, body->mesh.nnodes);
    for (int k = 0; k < root->fillets->nnodes; k++)
        marked[root->fillets->node[k]] = true;
    StickStatus status = take_elements(ctx, &body->mesh, marked, &root->part);
    stick_free(ctx, marked);
    return status;
}

StickStatus stick_root_stress_create(StickContext *ctx, const StickBody *body, StickRootStress *root)
{
    *root =
        (StickRootStress){.fillets = stick_mesh_group(&body->mesh, "fillets"), .continuum = body->continuum};
    if (!root->fillets)
        return STICK_OK;
    StickStatus status = take_part(ctx, body, root);
    if (status != STICK_OK)
        stick_root_stress_destroy(ctx, root);
    return status;
}

void stick_root_stress_destroy(StickContext *ctx, StickRootStress *root)
{
    stick_free(ctx, root->part.shape);
    stick_free(ctx, root->part.start);
    stick_free(ctx, root->part.node);
    stick_free(ctx, root->stress);
    *root = (StickRootStress){0};
}

StickStatus stick_root_stress_largest(StickContext *ctx, StickRootStress *root, const double *u,
                                      double *tension)
{
    *tension = NAN;
    if (!root->fillets)
        return STICK_OK;
    root->continuum.mesh = &root->part;
    STICK_TRY(stick_fem_stress(ctx, &root->continuum, u, NULL, root->stress));
    for (int k = 0; k < root->fillets->nnodes; k++) {
        const double *stress = &root->stress[6 * root->fillets->node[k]];
        double half = 0.5 * (stress[0] - stress[1]);
        *tension = fmax(*tension, 0.5 * (stress[0] + stress[1]) + hypot(half, stress[3]));
    }
    return STICK_OK;
}

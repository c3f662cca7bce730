// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh.h"

#include "base/memory.h"
#include "mesh/follow.h"

#include <string.h>

static void destroy_group(StickContext *ctx, StickGroup *group)
{
    stick_free(ctx, group->name);
    stick_free(ctx, group->node);
    stick_free(ctx, group->element);
    stick_free(ctx, group->facet);
}

void stick_mesh_destroy(StickContext *ctx, StickMesh *mesh)
{
    for (int g = 0; g < mesh->ngroups; g++)
        destroy_group(ctx, &mesh->group[g]);
    stick_free(ctx, mesh->group);
    for (int c = 0; c < mesh->nflanks; c++)
        stick_mode_tracking_destroy(ctx, &mesh->flank[c]);
    stick_free(ctx, mesh->flank);
    stick_free(ctx, mesh->x);
    stick_free(ctx, mesh->shape);
    stick_free(ctx, mesh->start);
    stick_free(ctx, mesh->node);
    stick_free(ctx, mesh->node_tag);
    stick_free(ctx, mesh->element_tag);
    *mesh = (StickMesh){0};
}

const StickGroup *stick_mesh_group(const StickMesh *mesh, const char *name)
{
    for (int g = 0; g < mesh->ngroups; g++)
        if (strcmp(mesh->group[g].name, name) == 0)
            return &mesh->group[g];
    return NULL;
}

StickShape stick_mesh_facet_shape(const StickMesh *mesh, StickFacet facet)
{
    return stick_shape_info(mesh->shape[facet.element])->side_shape;
}

int stick_mesh_facet_nodes(const StickMesh *mesh, StickFacet facet, int nodes[STICK_MOST_FACET_NODES])
{
    const StickShapeInfo *info = stick_shape_info(mesh->shape[facet.element]);
    const int *node = &mesh->node[mesh->start[facet.element]];
    int count = stick_shape_info(info->side_shape)->nodes;
    for (int k = 0; k < count; k++)
        nodes[k] = node[info->side[facet.side][k]];
    return count;
}

long long stick_mesh_node_tag(const StickMesh *mesh, int node)
{
    return mesh->node_tag ? mesh->node_tag[node] : node + 1LL;
}

long long stick_mesh_element_tag(const StickMesh *mesh, int element)
{
    return mesh->element_tag ? mesh->element_tag[element] : element + 1LL;
}

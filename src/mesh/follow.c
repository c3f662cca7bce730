// SPDX-License-Identifier: Apache-2.0
#include "mesh/follow.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

// Of the size of a group: how far its nodes may be off its curve.
static const double off_curve = 1e-4;

void stick_mode_tracking_destroy(StickContext *ctx, StickMeshFlank *flank)
{
    stick_free(ctx, flank->group);
    stick_free(ctx, flank->flank.point);
    stick_free(ctx, flank->flank.s);
    stick_free(ctx, flank->node);
    stick_free(ctx, flank->s);
    *flank = (StickMeshFlank){0};
}

// ---- nodes one after the other

// Which node comes next with the body on the left; -1: none.
typedef struct Links {
    int *next, *before; // nnodes of the mesh
} Links;

static bool join(Links *links, int a, int b)
{
    if (links->next[a] >= 0 || links->before[b] >= 0)
        return false;
    links->next[a] = b;
    links->before[b] = a;
    return true;
}

// Sides of three nodes have the middle one last.
static bool link_sides(const StickMesh *mesh, const StickGroup *group, Links *links)
{
    bool simple = true;
    for (int f = 0; f < group->nfacets && simple; f++) {
        int node[STICK_MOST_FACET_NODES];
        int count = stick_mesh_facet_nodes(mesh, group->facet[f], node);
        if (count == 3)
            simple = join(links, node[0], node[2]) && join(links, node[2], node[1]);
        else
            simple = count == 2 && join(links, node[0], node[1]);
    }
    return simple;
}

// From the node that none comes before, or of a ring from its first one, which then comes last again.
static int walk(const StickGroup *group, const Links *links, int *node)
{
    int start = group->nfacets > 0 ? group->node[0] : -1, count = 0;
    for (int k = 0; k < group->nnodes; k++)
        if (links->before[group->node[k]] < 0 && links->next[group->node[k]] >= 0)
            start = group->node[k];
    for (int at = start; at >= 0 && count <= group->nnodes; at = links->next[at]) {
        node[count++] = at;
        if (count > 1 && at == start)
            break;
    }
    return count;
}

static StickStatus chain(StickContext *ctx, const StickMesh *mesh, const StickGroup *group, StickMark where,
                         Links *links, StickMeshFlank *flank)
{
    STICK_ALLOC(ctx, links->next, mesh->nnodes);
    STICK_ALLOC(ctx, links->before, mesh->nnodes);
    for (int i = 0; i < mesh->nnodes; i++)
        links->next[i] = links->before[i] = -1;
    STICK_ALLOC(ctx, flank->node, group->nnodes + 1);
    bool simple = mesh->dim == 2 && group->nfacets > 0 && link_sides(mesh, group, links);
    flank->nnodes = simple ? walk(group, links, flank->node) : 0;
    bool ring = flank->nnodes > 1 && flank->node[0] == flank->node[flank->nnodes - 1];
    if (simple && flank->nnodes == group->nnodes + ring)
        return STICK_OK;
    return stick_fail_at(
        ctx, STICK_BAD_MESH, where,
        "group '%s' must be a single chain of sides in the plane to be a surface on a trajectory",
        group->name);
}

static StickStatus follow(StickContext *ctx, const StickMesh *mesh, const StickGroup *group, StickMark where,
                          StickMeshFlank *flank)
{
    Links links = {NULL, NULL};
    flank->group = stick_copy_text(ctx, group->name);
    StickStatus status = flank->group ? chain(ctx, mesh, group, where, &links, flank) : STICK_NO_MEMORY;
    stick_free(ctx, links.next);
    stick_free(ctx, links.before);
    return status;
}

// ---- straight sides

static StickStatus measure(StickContext *ctx, const StickMesh *mesh, StickMeshFlank *flank)
{
    StickFlank *curve = &flank->flank;
    int n = flank->nnodes;
    STICK_ALLOC(ctx, flank->s, n);
    STICK_ALLOC(ctx, curve->s, n);
    STICK_ALLOC(ctx, curve->point, 2 * (size_t)n);
    curve->kind = STICK_FLANK_CHAIN;
    curve->npoints = n;
    curve->outward = 1;
    for (int k = 0; k < n; k++) {
        const double *x = &mesh->x[2 * flank->node[k]],
                     *before = &mesh->x[2 * flank->node[k > 0 ? k - 1 : 0]];
        memcpy(&curve->point[2 * k], x, 2 * sizeof *x);
        flank->s[k] = (k > 0 ? flank->s[k - 1] : 0) + hypot(x[0] - before[0], x[1] - before[1]);
    }
    memcpy(curve->s, flank->s, (size_t)n * sizeof *curve->s);
    curve->to = flank->s[n - 1];
    return STICK_OK;
}

StickStatus stick_mode_tracking_sides(StickContext *ctx, const StickMesh *mesh, const StickGroup *group,
                                      StickMark where, StickMeshFlank *flank)
{
    StickMeshFlank made = {0};
    StickStatus status = follow(ctx, mesh, group, where, &made);
    if (status == STICK_OK)
        status = measure(ctx, mesh, &made);
    if (status == STICK_OK)
        *flank = made;
    else
        stick_mode_tracking_destroy(ctx, &made);
    return status;
}

// ---- formulas

static double size_of(const StickMesh *mesh, const StickMeshFlank *flank)
{
    const double *first = &mesh->x[2 * flank->node[0]];
    double size = 0;
    for (int k = 1; k < flank->nnodes; k++) {
        const double *x = &mesh->x[2 * flank->node[k]];
        size = fmax(size, hypot(x[0] - first[0], x[1] - first[1]));
    }
    return size;
}

static StickStatus project(StickContext *ctx, const StickMesh *mesh, const StickFlankSpec *spec,
                           StickMeshFlank *flank)
{
    double size = size_of(mesh, flank);
    STICK_ALLOC(ctx, flank->s, flank->nnodes + 1); // a ring gets one more
    for (int k = 0; k < flank->nnodes; k++) {
        const double *x = &mesh->x[2 * flank->node[k]];
        double off;
        STICK_TRY(stick_flank_nearest(&flank->flank, x, &flank->s[k], &off));
        if (off > off_curve * size)
            return stick_fail_at(ctx, STICK_BAD_MESH, spec->mark,
                                 "node %lld of group '%s', at (%g, %g), is at the distance %.3g from the "
                                 "curve of the flank, but nodes must lie on it: check the formulas, which "
                                 "must refer to the mesh before the body is placed",
                                 stick_mesh_node_tag(mesh, flank->node[k]), spec->group, x[0], x[1], off);
    }
    return STICK_OK;
}

static void reverse(StickMeshFlank *flank)
{
    for (int a = 0, b = flank->nnodes - 1; a < b; a++, b--) {
        int node = flank->node[a];
        double s = flank->s[a];
        flank->node[a] = flank->node[b], flank->s[a] = flank->s[b];
        flank->node[b] = node, flank->s[b] = s;
    }
}

// More steps up than down, whatever a ring does at its seam.
static bool ascends(const StickMeshFlank *flank)
{
    int up = 0;
    for (int k = 1; k < flank->nnodes; k++)
        up += flank->s[k] > flank->s[k - 1] ? 1 : -1;
    return up > 0;
}

// Closes a ring: it starts at its smallest parameter; the last node is followed by the first one, and vice versa.
static StickStatus close_ring(StickContext *ctx, StickMeshFlank *flank)
{
    double period = flank->flank.to - flank->flank.from;
    int n = flank->nnodes - 1, least = 0, *node;
    double *s;
    for (int k = 0; k < n; k++) {
        if (flank->flank.to - flank->s[k] < 1e-9 * period)
            flank->s[k] = flank->flank.from;
        if (flank->s[k] < flank->s[least])
            least = k;
    }
    STICK_ALLOC(ctx, node, n + 2);
    s = stick_alloc(ctx, (size_t)n + 2, sizeof *s);
    if (!s) {
        stick_free(ctx, node);
        return STICK_NO_MEMORY;
    }
    for (int k = 0; k < n + 2; k++) {
        int at = (least + k - 1 + n) % n;
        node[k] = flank->node[at];
        s[k] = flank->s[at] + (k == 0 ? -period : k == n + 1 ? period : 0);
    }
    stick_free(ctx, flank->node);
    stick_free(ctx, flank->s);
    flank->node = node;
    flank->s = s;
    flank->nnodes = n + 2;
    return STICK_OK;
}

static StickStatus order(StickContext *ctx, const StickMesh *mesh, const StickFlankSpec *spec,
                         StickMeshFlank *flank)
{
    flank->flank.outward = ascends(flank) ? 1 : -1;
    if (flank->flank.outward < 0)
        reverse(flank);
    if (flank->nnodes > 1 && flank->node[0] == flank->node[flank->nnodes - 1])
        STICK_TRY(close_ring(ctx, flank));
    for (int k = 1; k < flank->nnodes; k++)
        if (!(flank->s[k] > flank->s[k - 1]))
            return stick_fail_at(
                ctx, STICK_BAD_MESH, spec->mark,
                "nodes of group '%s' do not follow the curve of the flank in their order, at node "
                "%lld: the curve must not meet itself between 'from' and 'to'",
                spec->group, stick_mesh_node_tag(mesh, flank->node[k]));
    return STICK_OK;
}

static StickStatus follow_formula(StickContext *ctx, const StickMesh *mesh, const StickFlankSpec *spec,
                                  StickMeshFlank *flank)
{
    const StickGroup *group = stick_mesh_group(mesh, spec->group);
    if (!group) {
        const char *names[64];
        size_t count = 0;
        for (int k = 0; k < mesh->ngroups && count < 64; k++)
            names[count++] = mesh->group[k].name;
        StickSuggestion suggestion = stick_suggestion(spec->group, names, count);
        return stick_fail_at(ctx, STICK_BAD_MESH, spec->mark, "the mesh has no group '%s'%s", spec->group,
                             suggestion.text);
    }
    STICK_TRY(follow(ctx, mesh, group, spec->mark, flank));
    flank->flank = (StickFlank){.kind = STICK_FLANK_FORMULA,
                                .from = spec->from,
                                .to = spec->to,
                                .formula = {spec->x, spec->y},
                                .outward = 1};
    STICK_TRY(project(ctx, mesh, spec, flank));
    return order(ctx, mesh, spec, flank);
}

StickStatus stick_mode_tracking_formula(StickContext *ctx, const StickMesh *mesh, const StickFlankSpec *spec,
                                        StickMeshFlank *flank)
{
    StickMeshFlank made = {0};
    StickStatus status = follow_formula(ctx, mesh, spec, &made);
    if (status == STICK_OK)
        *flank = made;
    else
        stick_mode_tracking_destroy(ctx, &made);
    return status;
}

StickStatus stick_mode_tracking_all(StickContext *ctx, const StickBodySpec *body, StickMesh *mesh)
{
    if (body->nflanks == 0)
        return STICK_OK;
    StickMeshFlank *all;
    STICK_ALLOC(ctx, all, mesh->nflanks + body->nflanks);
    for (int k = 0; k < mesh->nflanks; k++)
        all[k] = mesh->flank[k];
    stick_free(ctx, mesh->flank);
    mesh->flank = all;
    for (int k = 0; k < body->nflanks; k++) {
        STICK_TRY(stick_mode_tracking_formula(ctx, mesh, &body->flank[k], &mesh->flank[mesh->nflanks]));
        mesh->nflanks++;
    }
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "contact/edge_crossings.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/contact.h"
#include "contact/node_facet.h"

#include <math.h>
#include <string.h>

// An edge is sharp where its pieces turn by more than this (rad), or by more than pieces of this curvature do that are
// shorter than those of the other surface.
static const double SHARP = 0.7;

// Lines that are nearer to parallel than this do not cross.
static const double PARALLEL = 1e-3;

static void destroy_set(StickContext *ctx, StickEdgeSet *set)
{
    stick_free(ctx, set->edge);
    stick_free(ctx, set->of_piece);
    stick_free(ctx, set->crossing);
}

void stick_edge_crossings_destroy(StickEdgeCrossings *crossings)
{
    destroy_set(crossings->ctx, &crossings->slave);
    destroy_set(crossings->ctx, &crossings->master);
    *crossings = (StickEdgeCrossings){0};
}

// Sharp and convex in units of pieces of the other surface; the rim of a surface is an edge of its body.
static bool is_sharp(const StickSurface *surface, const StickEdge *edge, double size)
{
    if (edge->piece[1] < 0)
        return true;
    const StickPiece *a = &surface->piece[edge->piece[0]], *b = &surface->piece[edge->piece[1]];
    double cross[3], from[3];
    stick_vec_cross(a->normal, b->normal, cross);
    double turn = atan2(stick_vec_norm(cross), stick_vec_dot(a->normal, b->normal));
    if (!(turn > SHARP * fmin(1, fmin(a->size, b->size) / size)))
        return false;
    // convex: corners of the second piece are behind the first
    double lowest = 0;
    for (int k = 0; k < b->ncorners; k++) {
        stick_vec_sub(surface->place + 3 * b->corner[k], surface->place + 3 * edge->node[0], from);
        double height = stick_vec_dot(from, a->normal);
        lowest = fabs(height) > fabs(lowest) ? height : lowest;
    }
    return lowest < 0;
}

static StickStatus create_set(StickContext *ctx, const StickSurface *surface, double other, StickEdgeSet *set)
{
    STICK_ALLOC(ctx, set->edge, 4 * surface->npieces);
    STICK_ALLOC(ctx, set->of_piece, 4 * surface->npieces);
    for (int p = 0; p < surface->npieces; p++) {
        const StickPiece *piece = &surface->piece[p];
        for (int k = 0; k < piece->ncorners; k++) {
            int next = piece->neighbour[k], a = piece->corner[k],
                b = piece->corner[(k + 1) % piece->ncorners];
            int found = -1;
            for (int j = 0; next >= 0 && next < p && j < surface->piece[next].ncorners; j++) {
                const StickEdge *edge = &set->edge[set->of_piece[4 * next + j]];
                if ((edge->node[0] == a && edge->node[1] == b) || (edge->node[0] == b && edge->node[1] == a))
                    found = set->of_piece[4 * next + j];
            }
            if (found < 0) {
                found = set->nedges++;
                set->edge[found] = (StickEdge){.node = {a, b}, .piece = {p, next}};
            }
            set->of_piece[4 * p + k] = found;
        }
    }
    for (int e = 0; e < set->nedges; e++)
        set->edge[e].sharp = is_sharp(surface, &set->edge[e], other);
    STICK_ALLOC(ctx, set->crossing, (size_t)STICK_LAYERS * (size_t)set->nedges);
    return STICK_OK;
}

StickStatus stick_edge_crossings_create(StickContext *ctx, const StickSurface *slave,
                                        const StickSurface *master, StickEdgeCrossings *crossings)
{
    *crossings = (StickEdgeCrossings){.ctx = ctx};
    STICK_TRY(create_set(ctx, slave, master ? master->largest : slave->largest, &crossings->slave));
    return master ? create_set(ctx, master, slave->largest, &crossings->master) : STICK_OK;
}

// Mean normal of the pieces of an edge.
static void seam_normal(const StickSurface *surface, const StickEdge *edge, double normal[3])
{
    for (int k = 0; k < 3; k++)
        normal[k] = surface->piece[edge->piece[0]].normal[k];
    if (edge->piece[1] >= 0)
        stick_vec_axpy(normal, 1, surface->piece[edge->piece[1]].normal, normal);
    stick_vec_normalise(normal);
}

static bool shares_node(const StickSheet *sheet, const StickEdge *edge, const StickBlade *blade)
{
    const StickSurface *sharp = sheet->blade.surface;
    if (blade->node[0] < 0 || sharp->body != sheet->surface->body)
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (sharp->node[blade->node[i]] == sheet->surface->node[edge->node[j]])
                return true;
    return false;
}

// Where the blade passes over the edge, seen along the normal n of the seam: a + s d + height n = y + t f.
static bool cross(const StickSheet *sheet, const StickEdge *edge, const StickBlade *blade,
                  StickCrossing *found)
{
    const StickSurface *surface = sheet->surface;
    const double *a = surface->place + 3 * edge->node[0], *y = blade->end[0];
    double n[3], d[3], f[3], from[3], c[3];
    seam_normal(surface, edge, n);
    if (stick_vec_dot(blade->normal, n) > 0)
        return false;
    stick_vec_sub(surface->place + 3 * edge->node[1], a, d);
    stick_vec_sub(blade->end[1], y, f);
    stick_vec_sub(y, a, from);
    stick_vec_cross(d, f, c);
    double det = stick_vec_dot(n, c);
    if (!(fabs(det) > PARALLEL * stick_vec_norm(d) * stick_vec_norm(f)))
        return false;
    stick_vec_cross(from, f, c);
    double s = stick_vec_dot(n, c) / det;
    stick_vec_cross(from, d, c);
    double t = stick_vec_dot(n, c) / det;
    if (!(s > STICK_AT_NODE && s < 1 - STICK_AT_NODE && t > 0 && t < 1))
        return false;
    double height = stick_vec_dot(n, from) + t * stick_vec_dot(n, f) - s * stick_vec_dot(n, d);
    *found = (StickCrossing){.blade = blade->number, .s = s, .t = t, .height = height};
    // what is round touches across its axis
    if (blade->radius > 0) {
        stick_vec_normalise(f);
        double upright[3];
        stick_vec_axpy(n, -stick_vec_dot(n, f), f, upright);
        height *= stick_vec_normalise(upright);
        memcpy(n, upright, sizeof n);
    }
    found->gap = height - blade->radius;
    found->size = surface->piece[edge->piece[0]].size;
    memcpy(found->normal, n, sizeof n);
    memcpy(found->outward, blade->normal, sizeof found->outward);
    memcpy(found->node, blade->node, sizeof found->node);
    return found->gap <= sheet->reach && found->height > -found->size && !shares_node(sheet, edge, blade);
}

// Of one edge the deepest crossings are kept.
static void keep(StickCrossing *crossing, const StickCrossing *found)
{
    int at = -1;
    for (int k = 0; k < STICK_LAYERS; k++) {
        if (crossing[k].blade == found->blade)
            return;
        if (crossing[k].blade < 0) {
            at = k;
            break;
        }
        if (crossing[k].gap > found->gap && (at < 0 || crossing[k].gap > crossing[at].gap))
            at = k;
    }
    if (at >= 0)
        crossing[at] = *found;
}

// Whether an end of a blade is over the surface: it is met by itself then.
static StickStatus is_covered(const StickSheet *sheet, const double end[3], bool *covered)
{
    StickSurfacePoint touch[STICK_LAYERS];
    int count;
    STICK_TRY(
        stick_surface_touch(sheet->surface, sheet->tree, end, sheet->reach, sheet->hits, touch, &count));
    *covered = count > 0;
    for (int k = 0; count > 0 && k < sheet->surface->piece[touch[0].piece].ncorners; k++)
        *covered &= touch[0].weight[k] > -1e-9;
    return STICK_OK;
}

static StickStatus lay_across(const StickSheet *sheet, const StickBlade *blade)
{
    StickBox box = stick_box_around(blade->end[0], 1, 0);
    stick_box_include(&box, blade->end[1]);
    double margin = fmax(sheet->reach + blade->radius, sheet->surface->largest);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= margin;
        box.high[k] += margin;
    }
    STICK_TRY(stick_bvh_query(sheet->tree, &box, sheet->hits));
    for (size_t h = 0; h < sheet->hits->count; h++) {
        int p = sheet->hits->item[h];
        for (int k = 0; k < sheet->surface->piece[p].ncorners; k++) {
            int e = sheet->edges->of_piece[4 * p + k];
            StickCrossing found;
            double along[3], place[3];
            bool met;
            if (!cross(sheet, &sheet->edges->edge[e], blade, &found))
                continue;
            stick_vec_sub(blade->end[1], blade->end[0], along);
            stick_vec_axpy(blade->end[0], found.t, along, place);
            STICK_TRY(stick_interior_meets(sheet->interior, place, found.height, blade->radius, found.size,
                                           sheet->blade.hits, &met));
            if (met)
                keep(&sheet->edges->crossing[STICK_LAYERS * e], &found);
        }
    }
    return STICK_OK;
}

// The axis of what is round, as far as the surface goes.
static bool round_blade(const StickSheet *sheet, StickBlade *blade)
{
    const StickObstacle *obstacle = sheet->blade.obstacle;
    const StickConvex *shape = sheet->blade.round;
    *blade = (StickBlade){.node = {-1, -1}};
    if (shape && shape->kind == STICK_SHAPE_CAPSULE) {
        blade->radius = shape->radius;
        for (int end = 0; end < 2; end++) {
            double x[3];
            stick_vec_axpy(shape->centre, end ? shape->half_length : -shape->half_length, shape->axis, x);
            stick_pose_place(&sheet->blade.surface->pose, x, blade->end[end]);
        }
        return true;
    }
    if (!obstacle || obstacle->spec->kind != STICK_OBSTACLE_CYLINDER || obstacle->spec->inside)
        return false;
    const StickBox *box = &sheet->tree->node[0].box;
    double middle[3], diagonal[3], from[3], *axis = (double[3]){0};
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (box->low[k] + box->high[k]);
        diagonal[k] = box->high[k] - box->low[k];
        axis[k] = obstacle->spec->normal[k];
        from[k] = middle[k] - obstacle->spec->point[k] - obstacle->shift[k];
    }
    double along = stick_vec_dot(from, axis), length = stick_vec_norm(diagonal);
    blade->radius = obstacle->spec->radius;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++)
            blade->end[end][k] =
                obstacle->spec->point[k] + obstacle->shift[k] + (along + (end ? length : -length)) * axis[k];
    return true;
}

StickStatus stick_edge_crossings_find(const StickSheet *sheet)
{
    const StickSurface *sharp = sheet->blade.surface;
    for (int e = 0; e < STICK_LAYERS * sheet->edges->nedges; e++)
        sheet->edges->crossing[e].blade = -1;
    StickBlade blade;
    if (round_blade(sheet, &blade))
        return lay_across(sheet, &blade);
    for (int e = 0; sharp && !sheet->blade.round && e < sheet->blade_edges->nedges; e++) {
        const StickEdge *edge = &sheet->blade_edges->edge[e];
        if (!edge->sharp)
            continue;
        blade = (StickBlade){.number = e, .node = {edge->node[0], edge->node[1]}};
        for (int end = 0; end < 2; end++)
            memcpy(blade.end[end], sharp->place + 3 * edge->node[end], sizeof blade.end[end]);
        seam_normal(sharp, edge, blade.normal);
        // Edges of deformable bodies have nodes for themselves, unless these are beyond the other surface.
        bool covered[2] = {false, false};
        for (int end = 0; end < 2 && !sharp->body->rigid; end++)
            STICK_TRY(is_covered(sheet, blade.end[end], &covered[end]));
        if (!covered[0] || !covered[1])
            STICK_TRY(lay_across(sheet, &blade));
    }
    // in the order of blades, so that layers stay
    for (int e = 0; e < sheet->edges->nedges; e++) {
        StickCrossing *crossing = &sheet->edges->crossing[STICK_LAYERS * e], first = crossing[0];
        if (crossing[1].blade >= 0 && crossing[1].blade < first.blade) {
            crossing[0] = crossing[1];
            crossing[1] = first;
        }
    }
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
// The features of a pair that hit each other on their paths.
#include "base/vec.h"
#include "contact/polyline.h"
#include "contact/surface_sweep_work.h"

#include <math.h>
#include <string.h>

// A hit nearer to a corner than this part of a facet is at the corner.
static const double at_corner = 1e-6;

// Normals that are opposite up to this (cosine) belong to faces that meet.
static const double flat = 0.9;

// Of the span: at the same time.
static const double same_time = 1e-9;

// ---- facets and boxes

static StickMovingFacet facet_of(const StickSweptSurface *swept, int piece, const int corner[3], int ncorners)
{
    const StickPiece *of = &swept->of->piece[piece];
    StickMovingFacet facet = {.ncorners = ncorners};
    memcpy(facet.normal, of->normal, sizeof facet.normal);
    for (int k = 0; k < ncorners; k++)
        facet.corner[k] = swept->point[of->corner[corner[k]]];
    return facet;
}

// A quadrilateral is two triangles.
static int triangles_of(const StickPiece *piece)
{
    return piece->ncorners == 4 ? 2 : 1;
}

static int corners_of(const StickPiece *piece, int triangle, int corner[3])
{
    static const int of[2][3] = {{0, 1, 2}, {0, 2, 3}};
    memcpy(corner, of[triangle], sizeof of[0]);
    return piece->ncorners == 4 ? 3 : piece->ncorners;
}

static void include_path(StickBox *box, const StickMovingPoint *point)
{
    double end[3];
    stick_moving_place(point, 1, end);
    stick_box_include(box, point->x);
    stick_box_include(box, end);
}

static StickBox path_box(const StickMovingPoint *point, double margin)
{
    StickBox box = stick_box_around(point->x, 1, 0);
    include_path(&box, point);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= margin;
        box.high[k] += margin;
    }
    return box;
}

static void fit_tree(const StickSweptSurface *swept, StickBvh *tree)
{
    for (int p = 0; p < swept->of->npieces; p++) {
        const StickPiece *piece = &swept->of->piece[p];
        StickBox box = path_box(&swept->point[piece->corner[0]], 0);
        for (int k = 1; k < piece->ncorners; k++)
            include_path(&box, &swept->point[piece->corner[k]]);
        tree->box[p] = box;
    }
    stick_bvh_refit(tree);
}

// Whether the path of a point meets a box.
static bool path_meets(const StickMovingPoint *point, const StickBox *box, double margin)
{
    double from = 0, to = 1;
    for (int k = 0; k < 3; k++) {
        double low = box->low[k] - margin - point->x[k], high = box->high[k] + margin - point->x[k];
        if (point->d[k] == 0) {
            if (low > 0 || high < 0)
                return false;
            continue;
        }
        double a = low / point->d[k], b = high / point->d[k];
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return from <= to;
}

static double margin_of(const StickSurfaceSweep *sweep)
{
    return 1e-6 * (sweep->pair->slave->largest + sweep->motion);
}

static void set_side(const StickSweptSurface *swept, int piece, const int corner[3], int ncorners,
                     const double weight[3], StickSweptSide *side)
{
    side->count = ncorners;
    for (int k = 0; k < ncorners; k++) {
        side->node[k] = swept->of->piece[piece].corner[corner[k]];
        side->weight[k] = weight[k];
    }
}

static bool has_node(const StickSweptSurface *a, int node, const StickSweptSurface *b, int piece)
{
    const StickPiece *of = &b->of->piece[piece];
    for (int k = 0; k < of->ncorners && a->of->body == b->of->body; k++)
        if (a->of->node[node] == b->of->node[of->corner[k]])
            return true;
    return false;
}

static void turn_round(const double x[3], double y[3])
{
    for (int k = 0; k < 3; k++)
        y[k] = -x[k];
}

// ---- nodes of the slave

typedef struct NodeHit {
    StickFeatureHit best;
    StickSweptSide master;
    bool found, is_held;
} NodeHit;

// Takes the earliest hit that nothing holds back.
static bool take_hit(const StickSurfaceSweep *sweep, int node, const StickFeatureHit *hit, NodeHit *at)
{
    if (!stick_swept_counts(sweep, hit) || (at->found && hit->time >= at->best.time))
        return false;
    if (stick_swept_is_held(sweep, &node, 1, hit, hit->normal)) {
        at->is_held = true;
        return false;
    }
    at->best = *hit;
    at->found = true;
    return true;
}

static StickMovingPoint fixed_point(const double x[3], const double shift[3])
{
    StickMovingPoint point = {{0}, {0}};
    stick_vec_axpy(x, 1, shift, point.x);
    return point;
}

static void node_meets_polyline(const StickSurfaceSweep *sweep, int node, NodeHit *at)
{
    const StickObstacle *obstacle = sweep->pair->obstacle;
    const StickMovingPoint *path = &sweep->slave.point[node];
    StickFeatureHit hit[STICK_CROSSINGS];
    double margin = margin_of(sweep);
    for (int s = 0; s + 1 < obstacle->spec->npoints; s++) {
        const double *p = obstacle->spec->points + 2 * s;
        const double from[3] = {p[0], p[1], 0}, to[3] = {p[2], p[3], 0};
        // the solid is on the right of the way of travel
        StickMovingFacet facet = {
            .ncorners = 2, .corner = {fixed_point(to, obstacle->shift), fixed_point(from, obstacle->shift)}};
        StickBox box = stick_box_around(facet.corner[0].x, 1, 0);
        stick_box_include(&box, facet.corner[1].x);
        int count = path_meets(path, &box, margin) ? stick_point_meets_facet(path, &facet, hit) : 0;
        for (int k = 0; k < count; k++)
            take_hit(sweep, node, &hit[k], at);
    }
}

static void node_meets_obstacle(const StickSurfaceSweep *sweep, int node, NodeHit *at)
{
    const StickObstacle *obstacle = sweep->pair->obstacle;
    const StickObstacleSpec *spec = obstacle->spec;
    const StickMovingPoint *path = &sweep->slave.point[node],
                           centre = fixed_point(spec->point, obstacle->shift);
    StickFeatureHit hit[STICK_CROSSINGS];
    StickMovingFacet plane = {.ncorners = 1, .corner = {centre}};
    switch (spec->kind) {
    case STICK_OBSTACLE_POLYLINE:
        node_meets_polyline(sweep, node, at);
        return;
    case STICK_OBSTACLE_PLANE:
        memcpy(plane.normal, spec->normal, sizeof plane.normal);
        if (stick_point_meets_facet(path, &plane, hit) > 0)
            take_hit(sweep, node, &hit[0], at);
        return;
    case STICK_OBSTACLE_CIRCLE:
    case STICK_OBSTACLE_CYLINDER:
        break;
    }
    const double *axis = spec->kind == STICK_OBSTACLE_CYLINDER ? spec->normal : NULL;
    if (stick_point_meets_round(path, &centre, axis, spec->radius, spec->inside, &hit[0]))
        take_hit(sweep, node, &hit[0], at);
}

static StickStatus node_meets_surface(StickSurfaceSweep *sweep, int node, NodeHit *at)
{
    const StickMovingPoint *path = &sweep->slave.point[node];
    StickBvh *tree = sweep->pair->master_tree;
    double margin = margin_of(sweep);
    StickBox box = path_box(path, margin);
    STICK_TRY(stick_bvh_query(tree, &box, &sweep->found));
    for (size_t f = 0; f < sweep->found.count; f++) {
        int p = sweep->found.item[f], corner[3];
        const StickPiece *piece = &sweep->master.of->piece[p];
        if (!path_meets(path, &tree->box[p], margin) || has_node(&sweep->slave, node, &sweep->master, p))
            continue;
        for (int t = 0; t < triangles_of(piece); t++) {
            int ncorners = corners_of(piece, t, corner);
            StickMovingFacet facet = facet_of(&sweep->master, p, corner, ncorners);
            StickFeatureHit hit[STICK_CROSSINGS];
            int count = stick_point_meets_facet(path, &facet, hit);
            for (int k = 0; k < count; k++)
                if (take_hit(sweep, node, &hit[k], at))
                    set_side(&sweep->master, p, corner, ncorners, hit[k].weight, &at->master);
        }
    }
    return STICK_OK;
}

static StickStatus sweep_nodes(StickSurfaceSweep *sweep)
{
    const StickSurface *slave = sweep->pair->slave;
    for (int i = 0; i < slave->nnodes; i++) {
        NodeHit at = {.found = false};
        if (sweep->pair->obstacle)
            node_meets_obstacle(sweep, i, &at);
        else
            STICK_TRY(node_meets_surface(sweep, i, &at));
        if (at.is_held)
            sweep->node_time[i] = 0;
        if (!at.found)
            continue;
        sweep->node_time[i] = fmin(sweep->node_time[i], at.best.time);
        StickSweptHit hit = {
            .time = at.best.time, .feature = slave->node[i], .slave = {1, {i}, {1}}, .master = at.master};
        memcpy(hit.normal, at.best.normal, sizeof hit.normal);
        STICK_TRY(stick_swept_put(sweep, &hit));
    }
    return STICK_OK;
}

// ---- facets of the slave

// All corners of a side hit something before: then its inside does.
static bool corners_hit_before(const StickSurfaceSweep *sweep, const StickSweptSide *side, double time)
{
    for (int k = 0; k < side->count; k++)
        if (sweep->node_time[side->node[k]] > time + same_time)
            return false;
    return true;
}

// The corner of a side that a hit is at, or -1.
static int corner_at(const StickSweptSide *side)
{
    for (int k = 0; k < side->count; k++)
        if (side->weight[k] > 1 - at_corner)
            return side->node[k];
    return -1;
}

// The hit of a node, before those of tips, or NULL.
static StickSweptHit *hit_of_node(const StickSurfaceSweep *sweep, int node)
{
    for (size_t k = 0; k < sweep->nhits; k++)
        if (sweep->hit[k].slave.count == 1 && sweep->hit[k].slave.node[0] == node)
            return &sweep->hit[k];
    return NULL;
}

// A tip that meets a node meets it head on: the side of the tip that the node may be found to hit would lead it past. What is
// flat is met by the node.
static bool replaces_node(const StickSurfaceSweep *sweep, const StickSweptHit *tip)
{
    int node = corner_at(&tip->slave);
    StickSweptHit *own = node >= 0 ? hit_of_node(sweep, node) : NULL;
    if (own && stick_vec_dot(own->normal, tip->normal) > flat)
        return false;
    if (own)
        own->time = INFINITY;
    return true;
}

// A corner of the counterface on its path against the facets of the slave.
typedef struct Tip {
    int number;
    StickMovingPoint path;
    const StickPolylineCone *cone; // of a polyline; NULL: a node of the master
} Tip;

static StickStatus sweep_tip(StickSurfaceSweep *sweep, const Tip *tip)
{
    const StickSweptPair *pair = sweep->pair;
    StickBvh *tree = &pair->second->tree;
    double margin = margin_of(sweep);
    StickBox box = path_box(&tip->path, margin);
    StickSweptHit best = {.time = INFINITY};
    STICK_TRY(stick_bvh_query(tree, &box, &sweep->found));
    for (size_t f = 0; f < sweep->found.count; f++) {
        int p = sweep->found.item[f], corner[3];
        const StickPiece *piece = &pair->slave->piece[p];
        if (!path_meets(&tip->path, &tree->box[p], margin) ||
            (!tip->cone && has_node(&sweep->master, tip->number, &sweep->slave, p)))
            continue;
        for (int t = 0; t < triangles_of(piece); t++) {
            int ncorners = corners_of(piece, t, corner);
            StickMovingFacet facet = facet_of(&sweep->slave, p, corner, ncorners);
            StickFeatureHit hit[STICK_CROSSINGS];
            int count = stick_point_meets_facet(&tip->path, &facet, hit);
            for (int k = 0; k < count; k++) {
                StickSweptHit one = {.time = hit[k].time,
                                     .feature = pair->slave->body->mesh.nnodes + tip->number};
                set_side(&sweep->slave, p, corner, ncorners, hit[k].weight, &one.slave);
                turn_round(hit[k].normal, one.normal);
                if (one.time >= best.time || !stick_swept_counts(sweep, &hit[k]) ||
                    (tip->cone && !stick_polyline_cone_holds(tip->cone, one.normal)) ||
                    corners_hit_before(sweep, &one.slave, one.time) ||
                    stick_swept_is_held(sweep, one.slave.node, one.slave.count, &hit[k], one.normal))
                    continue;
                if (!tip->cone)
                    one.master = (StickSweptSide){1, {tip->number}, {1}};
                best = one;
            }
        }
    }
    return best.time <= 1 && replaces_node(sweep, &best) ? stick_swept_put(sweep, &best) : STICK_OK;
}

static StickStatus sweep_tips(StickSurfaceSweep *sweep)
{
    const StickSweptPair *pair = sweep->pair;
    if (pair->obstacle) {
        const StickObstacleSpec *spec = pair->obstacle->spec;
        for (int i = 0; i < spec->npoints; i++) {
            StickPolylineCone cone;
            const double at[3] = {spec->points[2 * i], spec->points[2 * i + 1], 0};
            Tip tip = {.number = i, .path = fixed_point(at, pair->obstacle->shift), .cone = &cone};
            if (stick_polyline_cone(spec, i, &cone))
                STICK_TRY(sweep_tip(sweep, &tip));
        }
        return STICK_OK;
    }
    for (int i = 0; i < pair->master->nnodes; i++) {
        Tip tip = {.number = i, .path = sweep->master.point[i]};
        STICK_TRY(sweep_tip(sweep, &tip));
    }
    return STICK_OK;
}

// ---- what is round

// The core of a round counterface: its middle, the axis of a capsule, or a part of the axis of a cylinder around a place.
static StickMovingCore round_core(const StickSurfaceSweep *sweep, const StickMovingPoint *around)
{
    const StickSweptPair *pair = sweep->pair;
    if (pair->obstacle) {
        const StickObstacleSpec *spec = pair->obstacle->spec;
        StickMovingPoint centre = fixed_point(spec->point, pair->obstacle->shift);
        StickMovingCore core = {.ncore = 1, .end = {centre}, .radius = spec->radius};
        if (spec->kind != STICK_OBSTACLE_CYLINDER)
            return core;
        double from[3], half = 2 * sweep->motion + 4 * pair->slave->largest + spec->radius;
        stick_vec_sub(around->x, centre.x, from);
        double along = stick_vec_dot(from, spec->normal);
        core.ncore = 2;
        for (int k = 0; k < 2; k++)
            stick_vec_axpy(centre.x, along + (k ? half : -half), spec->normal, core.end[k].x);
        return core;
    }
    return sweep->core;
}

// Features of a round counterface are pieces of the slave, or, where an axis lies across them, their edges.
static int round_feature(const StickSurfaceSweep *sweep, int piece, int edge, const StickSweptSide *side)
{
    const StickSweptPair *pair = sweep->pair;
    const StickSurface *slave = pair->slave;
    for (int k = 0; k < side->count; k++)
        if (side->weight[k] > 1 - at_corner)
            return slave->node[side->node[k]];
    const StickTwoPass *second = pair->second;
    return slave->body->mesh.nnodes + (edge < 0 ? piece : second->npoints + second->nnodes + edge);
}

static StickStatus meet_core(StickSurfaceSweep *sweep, const StickMovingFacet *facet, int piece, int edge,
                             StickSweptSide *side)
{
    StickMovingCore core = round_core(sweep, &facet->corner[0]);
    StickFeatureHit hit;
    if (!stick_facet_meets_core(facet, &core, &hit) || !stick_swept_counts(sweep, &hit))
        return STICK_OK;
    memcpy(side->weight, hit.weight, sizeof side->weight);
    if (stick_swept_is_held(sweep, side->node, side->count, &hit, hit.normal) ||
        corners_hit_before(sweep, side, hit.time))
        return STICK_OK;
    StickSweptHit one = {
        .time = hit.time, .feature = round_feature(sweep, piece, edge, side), .slave = *side};
    memcpy(one.normal, hit.normal, sizeof one.normal);
    return stick_swept_put(sweep, &one);
}

static StickStatus sweep_round_facets(StickSurfaceSweep *sweep)
{
    const StickSurface *slave = sweep->pair->slave;
    for (int p = 0; p < slave->npieces; p++) {
        const StickPiece *piece = &slave->piece[p];
        for (int t = 0; t < triangles_of(piece); t++) {
            int corner[3], ncorners = corners_of(piece, t, corner);
            StickMovingFacet facet = facet_of(&sweep->slave, p, corner, ncorners);
            StickSweptSide side;
            set_side(&sweep->slave, p, corner, ncorners, (double[3]){0}, &side);
            STICK_TRY(meet_core(sweep, &facet, p, -1, &side));
        }
    }
    return STICK_OK;
}

static StickStatus sweep_round_edges(StickSurfaceSweep *sweep)
{
    const StickEdgeSet *set = &sweep->pair->second->crossings.slave;
    for (int e = 0; e < set->nedges; e++) {
        const int *node = set->edge[e].node;
        StickMovingFacet facet = {.ncorners = 2,
                                  .corner = {sweep->slave.point[node[0]], sweep->slave.point[node[1]]}};
        StickSweptSide side = {2, {node[0], node[1]}, {0}};
        STICK_TRY(meet_core(sweep, &facet, -1, e, &side));
    }
    return STICK_OK;
}

// The nodes of the slave meet a round body, not its skin.
static StickStatus sweep_round_nodes(StickSurfaceSweep *sweep)
{
    const StickSurface *slave = sweep->pair->slave;
    for (int i = 0; i < slave->nnodes; i++) {
        StickMovingFacet facet = {.ncorners = 1, .corner = {sweep->slave.point[i]}};
        StickMovingCore core = round_core(sweep, &facet.corner[0]);
        StickFeatureHit hit;
        NodeHit at = {.found = false};
        if (!stick_facet_meets_core(&facet, &core, &hit))
            continue;
        take_hit(sweep, i, &hit, &at);
        if (at.is_held)
            sweep->node_time[i] = 0;
        if (!at.found)
            continue;
        sweep->node_time[i] = hit.time;
        StickSweptHit one = {.time = hit.time, .feature = slave->node[i], .slave = {1, {i}, {1}}};
        memcpy(one.normal, hit.normal, sizeof one.normal);
        STICK_TRY(stick_swept_put(sweep, &one));
    }
    return STICK_OK;
}

// The core of a rigid ball or capsule on its path.
static void place_core(StickSurfaceSweep *sweep, const StickConvex *shape)
{
    const StickBody *body = sweep->pair->master->body;
    const double *q = sweep->span->q + body->first;
    double s[STICK_RIGID_DOFS], q1[STICK_RIGID_DOFS], end[3], x[3];
    StickMovingCore *core = &sweep->core;
    int dim = sweep->pair->slave->dim;
    for (int k = 0; k < body->ndofs; k++)
        s[k] = sweep->span->h * sweep->span->v[body->first + k];
    stick_rigid_move(dim, q, s, q1);
    StickPose before = stick_rigid_pose(body->rigid, q), after = stick_rigid_pose(body->rigid, q1);
    core->ncore = shape->kind == STICK_SHAPE_CAPSULE ? 2 : 1;
    core->radius = shape->radius;
    for (int k = 0; k < core->ncore; k++) {
        double along = core->ncore == 1 ? 0 : k ? shape->half_length : -shape->half_length;
        stick_vec_axpy(shape->centre, along, shape->axis, x);
        stick_pose_place(&before, x, core->end[k].x);
        stick_pose_place(&after, x, end);
        stick_vec_sub(end, core->end[k].x, core->end[k].d);
        stick_vec_sub(core->end[k].d, sweep->common, core->end[k].d);
    }
}

// ---- edges

static StickMovingEdge moving_edge(const StickSweptSurface *swept, const StickEdge *edge)
{
    StickMovingEdge moves = {.end = {swept->point[edge->node[0]], swept->point[edge->node[1]]}};
    for (int k = 0; k < 2 && edge->piece[k] >= 0; k++) {
        int corner[3], ncorners = corners_of(&swept->of->piece[edge->piece[k]], 0, corner);
        moves.facet[moves.nfacets++] = facet_of(swept, edge->piece[k], corner, ncorners);
    }
    return moves;
}

static bool share_node(const StickSurfaceSweep *sweep, const StickEdge *a, const StickEdge *b)
{
    for (int i = 0; i < 2 && sweep->slave.of->body == sweep->master.of->body; i++)
        for (int j = 0; j < 2; j++)
            if (sweep->slave.of->node[a->node[i]] == sweep->master.of->node[b->node[j]])
                return true;
    return false;
}

// An edge of the master against those of the slave; where it meets them before `first`, the time at which nodes and facets
// of the pair meet.
static StickStatus sweep_edge(StickSurfaceSweep *sweep, int number, double first)
{
    const StickSweptPair *pair = sweep->pair;
    const StickEdgeSet *edges = &pair->second->crossings.slave;
    const StickEdge *blade = &pair->second->crossings.master.edge[number];
    StickMovingEdge other = moving_edge(&sweep->master, blade);
    StickBox box = path_box(&other.end[0], margin_of(sweep));
    include_path(&box, &other.end[1]);
    STICK_TRY(stick_bvh_query(&pair->second->tree, &box, &sweep->found));
    for (size_t f = 0; f < sweep->found.count; f++) {
        int p = sweep->found.item[f];
        for (int k = 0; k < pair->slave->piece[p].ncorners; k++) {
            int e = edges->of_piece[4 * p + k];
            const StickEdge *edge = &edges->edge[e];
            StickFeatureHit hit;
            if (edge->piece[0] != p || (!edge->sharp && !blade->sharp) || share_node(sweep, edge, blade))
                continue;
            StickMovingEdge own = moving_edge(&sweep->slave, edge);
            if (!stick_edges_meet(&own, &other, &hit) || !stick_swept_counts(sweep, &hit) ||
                hit.time >= first - same_time || stick_swept_is_held(sweep, edge->node, 2, &hit, hit.normal))
                continue;
            StickSweptHit one = {
                .time = hit.time,
                .feature = pair->slave->body->mesh.nnodes + pair->second->npoints + pair->second->nnodes + e,
                .slave = {2, {edge->node[0], edge->node[1]}, {hit.weight[0], hit.weight[1]}},
                .master = {2, {blade->node[0], blade->node[1]}, {hit.other[0], hit.other[1]}}};
            memcpy(one.normal, hit.normal, sizeof one.normal);
            STICK_TRY(stick_swept_put(sweep, &one));
        }
    }
    return STICK_OK;
}

static StickStatus sweep_edges(StickSurfaceSweep *sweep)
{
    double first = INFINITY;
    for (size_t k = 0; k < sweep->nhits; k++)
        first = fmin(first, sweep->hit[k].time);
    for (int e = 0; e < sweep->pair->second->crossings.master.nedges; e++)
        STICK_TRY(sweep_edge(sweep, e, first));
    return STICK_OK;
}

// ---- all

static bool is_round_obstacle(const StickObstacle *obstacle)
{
    StickObstacleKind kind = obstacle->spec->kind;
    return (kind == STICK_OBSTACLE_CIRCLE || kind == STICK_OBSTACLE_CYLINDER) && !obstacle->spec->inside;
}

// Boxes of both sides that are apart on all their paths.
static bool are_apart(const StickSurfaceSweep *sweep, const StickConvex *shape)
{
    const StickSurface *slave = sweep->pair->slave, *master = sweep->pair->master;
    if (sweep->pair->obstacle || slave->nnodes == 0 || master->nnodes == 0)
        return false;
    double margin = margin_of(sweep) + (shape ? shape->radius : 0);
    StickBox a = path_box(&sweep->slave.point[0], margin), b = path_box(&sweep->master.point[0], margin);
    for (int i = 1; i < slave->nnodes; i++)
        include_path(&a, &sweep->slave.point[i]);
    for (int i = 1; i < master->nnodes; i++)
        include_path(&b, &sweep->master.point[i]);
    for (int k = 0; k < 3; k++)
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k])
            return true;
    return false;
}

StickStatus stick_swept_features(StickSurfaceSweep *sweep)
{
    const StickSweptPair *pair = sweep->pair;
    const StickTwoPass *second = pair->second;
    const StickConvex *shape = pair->obstacle ? NULL : stick_round_shape(pair->master);
    bool is_round = shape || (pair->obstacle && is_round_obstacle(pair->obstacle));
    if (are_apart(sweep, shape))
        return STICK_OK;
    if (!pair->obstacle)
        fit_tree(&sweep->master, pair->master_tree);
    if (second->points || second->edges)
        fit_tree(&sweep->slave, &pair->second->tree);
    if (shape) {
        place_core(sweep, shape);
        STICK_TRY(sweep_round_nodes(sweep));
    } else {
        STICK_TRY(sweep_nodes(sweep));
    }
    if (is_round && second->points)
        return sweep_round_facets(sweep);
    if (is_round)
        return second->edges ? sweep_round_edges(sweep) : STICK_OK;
    if (second->points && !pair->mutual)
        STICK_TRY(sweep_tips(sweep));
    bool is_second = pair->mutual && pair->spec->slave.body > pair->spec->master.body;
    return second->edges && !pair->obstacle && !is_second ? sweep_edges(sweep) : STICK_OK;
}

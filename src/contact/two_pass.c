// SPDX-License-Identifier: Apache-2.0
#include "contact/two_pass.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/node_facet.h"
#include "contact/polyline.h"
#include "contact/reentrant_edge.h"
#include "contact/two_pass_work.h"

#include <math.h>
#include <string.h>

// ---- creation

void stick_two_pass_destroy(StickTwoPass *pass)
{
    StickContext *ctx = pass->ctx;
    stick_bvh_destroy(&pass->tree);
    stick_free(ctx, pass->sharpness);
    stick_free(ctx, pass->bend);
    stick_free(ctx, pass->spacing);
    stick_free(ctx, pass->start);
    stick_free(ctx, pass->piece);
    stick_edge_crossings_destroy(&pass->crossings);
    stick_free(ctx, pass->hits.item);
    stick_free(ctx, pass->tip);
    stick_free(ctx, pass->near_node);
    stick_free(ctx, pass->has_node);
    stick_free(ctx, pass->opposite);
    *pass = (StickTwoPass){0};
}

// The pieces around each corner of a surface.
static StickStatus list_pieces(StickContext *ctx, const StickSurface *surface, StickTwoPass *pass)
{
    STICK_ALLOC(ctx, pass->sharpness, surface->nnodes);
    STICK_ALLOC(ctx, pass->bend, surface->nnodes);
    STICK_ALLOC(ctx, pass->spacing, surface->nnodes);
    STICK_ALLOC(ctx, pass->start, surface->nnodes + 2);
    STICK_ALLOC(ctx, pass->piece, 4 * surface->npieces);
    int *start = pass->start + 1;
    for (int p = 0; p < surface->npieces; p++)
        for (int k = 0; k < surface->piece[p].ncorners; k++)
            start[surface->piece[p].corner[k] + 1]++;
    for (int i = 0; i < surface->nnodes; i++)
        start[i + 1] += start[i];
    // every start moves to the next one's place, and is found one place lower
    for (int p = 0; p < surface->npieces; p++)
        for (int k = 0; k < surface->piece[p].ncorners; k++)
            pass->piece[start[surface->piece[p].corner[k]]++] = p;
    return STICK_OK;
}

// Corners of a surface: how sharp they are as the body is made. What deformation bends is a curve.
static void measure_corners(StickTwoPass *pass, const StickSurface *slave, const StickSurface *master)
{
    double size = slave->largest;
    for (int i = 0; i < master->nnodes; i++) {
        pass->sharpness[i] = master->rim[i] ? INFINITY : 0;
        pass->spacing[i] = 0;
        for (int k = pass->start[i]; k < pass->start[i + 1]; k++) {
            const StickPiece *piece = &master->piece[pass->piece[k]];
            double cross[3];
            stick_vec_cross(master->normal + 3 * i, piece->normal, cross);
            pass->spacing[i] = fmax(pass->spacing[i], piece->size);
            pass->sharpness[i] =
                fmax(pass->sharpness[i], stick_vec_norm(cross) / fmin(1, piece->size / size));
        }
    }
    for (int i = 0; i < master->nnodes; i++) {
        double next = 0, along[3];
        bool convex = master->rim[i];
        for (int k = pass->start[i]; k < pass->start[i + 1]; k++) {
            const StickPiece *piece = &master->piece[pass->piece[k]];
            for (int c = 0; c < piece->ncorners; c++) {
                if (piece->corner[c] == i)
                    continue;
                next = fmax(next, pass->sharpness[piece->corner[c]]);
                stick_vec_sub(master->place + 3 * piece->corner[c], master->place + 3 * i, along);
                convex |= stick_vec_dot(along, master->normal + 3 * i) < 0;
            }
        }
        double own = pass->sharpness[i];
        bool outline = next > 0.5 * own && next < 2 * own;
        pass->bend[i] = !convex ? 0 : outline ? 0.5 * own : own;
    }
}

static bool is_round_obstacle(const StickObstacle *obstacle)
{
    StickObstacleKind kind = obstacle->spec->kind;
    return (kind == STICK_OBSTACLE_CIRCLE || kind == STICK_OBSTACLE_CYLINDER) && !obstacle->spec->inside;
}

static StickStatus create(StickContext *ctx, const StickSurface *slave, const StickObstacle *obstacle,
                          const StickSurface *master, StickTwoPass *pass)
{
    bool polyline = obstacle && obstacle->spec->kind == STICK_OBSTACLE_POLYLINE;
    bool round = obstacle ? is_round_obstacle(obstacle) : stick_round_shape(master) != NULL;
    bool axis = obstacle && obstacle->spec->kind == STICK_OBSTACLE_CYLINDER;
    pass->points = (polyline || round || master) && !axis;
    pass->edges = slave->dim == 3 && (master || axis) && !(obstacle && !round);
    if (!pass->points && !pass->edges)
        return STICK_OK;
    if (pass->points)
        pass->npoints = polyline ? obstacle->spec->npoints : round ? slave->npieces : master->nnodes;
    STICK_TRY(stick_surface_tree(ctx, slave, &pass->tree));
    if (round) {
        pass->nnodes = slave->nnodes;
        STICK_ALLOC(ctx, pass->near_node, slave->nnodes);
        STICK_ALLOC(ctx, pass->has_node, slave->nnodes);
        for (int p = 0; p < slave->npieces; p++)
            for (int k = 0; k < slave->piece[p].ncorners; k++)
                pass->near_node[slave->piece[p].corner[k]] = p;
    }
    if (master && !round) {
        STICK_TRY(list_pieces(ctx, master, pass));
        measure_corners(pass, slave, master);
    }
    return pass->edges
               ? stick_edge_crossings_create(ctx, slave, master && !round ? master : NULL, &pass->crossings)
               : STICK_OK;
}

StickStatus stick_two_pass_create(StickContext *ctx, const StickSurface *slave, const StickObstacle *obstacle,
                                  const StickSurface *master, StickTwoPass *pass)
{
    StickTwoPass made = {.ctx = ctx};
    // ends of bars and groups of nodes alone have nothing in between
    StickStatus status =
        slave->dim > 1 && slave->npieces > 0 ? create(ctx, slave, obstacle, master, &made) : STICK_OK;
    if (status != STICK_OK)
        stick_two_pass_destroy(&made);
    else
        *pass = made;
    return status;
}

int stick_two_pass_features(const StickTwoPass *pass)
{
    return pass->npoints + pass->nnodes + pass->crossings.slave.nedges + pass->crossings.master.nedges;
}

// ---- sharp tips

static bool has_node(const StickSearch *search, int piece, int node)
{
    const StickSurface *slave = search->slave, *master = search->master;
    for (int k = 0; master && slave->body == master->body && k < slave->piece[piece].ncorners; k++)
        if (slave->node[slave->piece[piece].corner[k]] == master->node[node])
            return true;
    return false;
}

// A tip beside a node of the slave by more than this part of a piece is met by the node.
static const double BESIDE = 0.05;

// A corner at a node of the slave touches it with the mean normal there: the direction between both is noise.
static bool take_node(const StickSurface *slave, const StickSurfacePoint *touch, const double place[3],
                      StickOpposite *found)
{
    const StickPiece *piece = &slave->piece[touch->piece];
    int corner = 0;
    double across[3];
    for (int k = 1; k < piece->ncorners; k++)
        corner = touch->weight[k] > touch->weight[corner] ? k : corner;
    stick_two_pass_take(slave, touch->piece, touch->weight, place, slave->normal + 3 * piece->corner[corner],
                        found);
    stick_vec_sub(place, found->point, across);
    stick_vec_axpy(across, -found->height, found->normal, across);
    return stick_vec_norm(across) <= BESIDE * piece->size;
}

// Beyond the side of a piece by up to this part of it, a tip in a dent still sees the piece, which goes on straight.
static const double BEYOND = 0.25;

static bool is_beyond(const StickSurface *slave, const StickSurfacePoint *touch)
{
    bool beyond = false;
    for (int j = 0; j < slave->piece[touch->piece].ncorners; j++)
        beyond |= touch->weight[j] < -1e-9;
    return beyond;
}

// Foot of a place on a piece, or on its plane beyond it.
static void touch_straight(const StickSurface *slave, int index, const StickProjection *found,
                           const double place[3], StickSurfacePoint *touch)
{
    double point[3], from[3];
    *touch = (StickSurfacePoint){.piece = index, .straight = true, .layer = slave->piece[index].layer};
    memcpy(touch->weight, found->foot, sizeof touch->weight);
    stick_piece_point(slave, index, found->foot, point);
    stick_piece_normal(slave, index, found->foot, touch->normal);
    stick_vec_sub(place, point, from);
    touch->gap = stick_vec_dot(from, touch->normal);
}

static bool is_one_curve(const StickSurface *slave, int a, int b)
{
    return slave->piece[a].facet == slave->piece[b].facet;
}

// A dent of the slave is free where both of its sides are: a tip in it touches both, at any angle, and each goes on
// straight beyond the seam. One alone, or the mean of both at the seam, would hold the tip in one direction only, and the
// seam would slide under it from pass to pass. Returns whether the second side is there.
static bool find_dent(const StickSurface *slave, const double place[3], StickSurfacePoint *first,
                      StickSurfacePoint *second)
{
    const StickPiece *piece = &slave->piece[first->piece];
    StickProjection own, other;
    StickSurfacePoint touch;
    bool any = false;
    stick_piece_project(slave, first->piece, place, &own);
    for (int k = 0; k < piece->ncorners; k++) {
        int next = piece->neighbour[k];
        if (next < 0 || is_one_curve(slave, first->piece, next) ||
            !stick_reentrant_edge_dent(slave, first->piece, next))
            continue;
        stick_piece_project(slave, next, place, &other);
        if (!other.inside && !(other.overhang <= BEYOND * slave->piece[next].size))
            continue;
        touch_straight(slave, next, &other, place, &touch);
        if (!any || touch.gap < second->gap)
            *second = touch;
        any = true;
    }
    if (any && !own.inside && own.overhang <= BEYOND * piece->size)
        touch_straight(slave, first->piece, &own, place, first);
    return any;
}

// The points of the slave that a tip may touch: the nearest one, or both sides of a dent, in the order of their layers.
static StickStatus look_opposite(StickTwoPass *pass, const StickTwoPassTask *task, const StickTip *tip,
                                 StickSurfacePoint touch[STICK_LAYERS], int *count, bool *dent)
{
    const StickSearch *search = task->search;
    const StickSurface *slave = search->slave;
    *dent = false;
    STICK_TRY(stick_surface_touch(slave, &pass->tree, tip->place, search->reach, &pass->hits, touch, count));
    if (*count == 0)
        return stick_two_pass_look_for_lost(pass, task, tip);
    // a second side that the tip is not before goes on straight, however far away it is and what comes in between
    if (*count == 2) {
        int near = touch[1].distance < touch[0].distance, far = 1 - near;
        *dent = !is_beyond(slave, &touch[far]) && !is_one_curve(slave, touch[0].piece, touch[1].piece);
        if (*dent)
            return STICK_OK;
        touch[0] = touch[near];
        touch[0].layer = slave->piece[touch[0].piece].layer;
        *count = 1;
    }
    *dent = find_dent(slave, tip->place, &touch[0], &touch[1]);
    if (*dent) {
        *count = 2;
        stick_surface_point_keep_apart(touch);
    } else if (is_beyond(slave, &touch[0])) {
        *count = 0; // beyond the rim
    }
    return STICK_OK;
}

static StickStatus meet_corner(StickTwoPass *pass, const StickTwoPassTask *task, const StickTip *tip,
                               StickContactSet *set)
{
    const StickSearch *search = task->search;
    const StickSurface *slave = search->slave;
    StickSurfacePoint touch[STICK_LAYERS];
    StickOpposite found[STICK_LAYERS];
    int count, layer[STICK_LAYERS], kept = 0;
    bool dent;
    STICK_TRY(look_opposite(pass, task, tip, touch, &count, &dent));
    for (int k = 0; k < count; k++) {
        StickOpposite *one = &found[kept];
        if (touch[k].gap > search->reach || has_node(search, touch[k].piece, tip->number))
            continue;
        stick_two_pass_take(slave, touch[k].piece, touch[k].weight, tip->place, touch[k].normal, one);
        if (!dent && stick_two_pass_at_node(&one->side) && !take_node(slave, &touch[k], tip->place, one))
            continue;
        // a corner that lies flat at a node is met by the node, which in a dent would hold it on one side only
        one->dent = dent;
        if (!dent && tip->normal && stick_two_pass_at_node(&one->side) && !stick_two_pass_is_rigid(task) &&
            stick_two_pass_flushness(pass, search, tip, one) == 1)
            continue;
        // Back sides of the counterface do not touch. Sides that lie flat on it may bulge into it between their nodes.
        if (!(stick_vec_dot(tip->outward, one->normal) < 0))
            continue;
        layer[kept++] = touch[k].layer;
    }
    for (int k = 0; k < kept; k++) {
        double raise = dent ? 0 : stick_two_pass_raise(slave, tip->place, found, kept, k);
        STICK_TRY(stick_two_pass_add_tip(pass, task, tip, tip->number, layer[k], &found[k], raise, set));
    }
    return STICK_OK;
}

// Whether a place is near enough to the slave to be looked at.
static bool is_near(const StickTwoPass *pass, const StickSearch *search, const double place[3], double radius)
{
    const StickBox *box = &pass->tree.node[0].box;
    double margin = fmax(search->reach + radius, search->slave->largest);
    for (int k = 0; k < 3; k++)
        if (place[k] < box->low[k] - margin || place[k] > box->high[k] + margin)
            return false;
    return true;
}

static StickStatus meet_polyline(StickTwoPass *pass, const StickTwoPassTask *task, StickContactSet *set)
{
    const StickObstacle *obstacle = task->search->obstacle;
    for (int i = 0; i < obstacle->spec->npoints; i++) {
        StickTip tip = {.number = i};
        StickPolylineCone cone;
        for (int k = 0; k < 2; k++)
            tip.place[k] = obstacle->spec->points[2 * i + k] + obstacle->shift[k];
        if (!is_near(pass, task->search, tip.place, 0) || !stick_polyline_cone(obstacle->spec, i, &cone))
            continue;
        stick_vec_axpy(cone.before, 1, cone.after, tip.outward);
        stick_vec_normalise(tip.outward);
        STICK_TRY(meet_corner(pass, task, &tip, set));
    }
    return STICK_OK;
}

static StickStatus meet_surface(StickTwoPass *pass, const StickTwoPassTask *task, StickContactSet *set)
{
    const StickSearch *search = task->search;
    const StickSurface *master = search->master;
    if (!search->slave->body->rigid)
        stick_surface_rotation(search->slave, pass->turn[0]);
    if (!master->body->rigid)
        stick_surface_rotation(master, pass->turn[1]);
    for (int i = 0; i < master->nnodes; i++) {
        StickTip tip = {.number = i, .normal = master->normal + 3 * i};
        memcpy(tip.place, master->place + 3 * i, sizeof tip.place);
        memcpy(tip.outward, tip.normal, sizeof tip.outward);
        bool wanted =
            pass->sharpness[i] > STICK_TIP_SHARP || pass->bend[i] > STICK_TIP_BLUNT ||
            (search->slave->body->rigid && search->slave->largest > STICK_TIP_COARSE * pass->spacing[i]);
        if (wanted && is_near(pass, search, tip.place, 0))
            STICK_TRY(meet_corner(pass, task, &tip, set));
    }
    return STICK_OK;
}

// ---- all features

// A node whose nearest point of the counterface is a tip that has a contact of its own is held by that: the direction
// from the tip to a node beside it would keep the tip from sliding over the node.
static void drop_nodes(const StickTwoPass *pass, const StickTwoPassTask *task, int last, StickContactSet *set)
{
    int kept = task->first;
    for (int c = task->first; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        bool replaced = false;
        for (size_t i = 0; c < last && i < pass->ntips && !replaced; i++) {
            const StickContact *tip = &set->contact[pass->tip[i]];
            double on[3], at[3], between[3];
            // places on the counterface
            stick_vec_axpy(contact->place, -contact->gap, contact->frame[0], on);
            stick_vec_axpy(tip->place, -tip->gap, tip->frame[0], at);
            stick_vec_sub(on, at, between);
            replaced = stick_vec_norm(between) <= 1e-9 * task->search->slave->largest;
        }
        if (replaced)
            continue;
        if (kept < c)
            set->contact[kept] = *contact;
        kept++;
    }
    set->ncontacts = kept;
}

StickStatus stick_two_pass_detect(StickTwoPass *pass, const StickTwoPassTask *task, StickContactSet *set)
{
    StickTwoPassTask own = *task;
    StickSearch search = *task->search;
    StickHits hits = {0};
    StickStatus status = STICK_OK;
    int last = set->ncontacts;
    if (!pass->points && !pass->edges)
        return STICK_OK;
    // what is farther off than a piece does not pass between nodes yet
    search.reach = isfinite(search.reach) ? search.reach : search.slave->largest;
    own.search = &search;
    stick_surface_refit(search.slave, &pass->tree);
    pass->ntips = 0;
    if (pass->points && search.obstacle && search.obstacle->spec->kind == STICK_OBSTACLE_POLYLINE)
        status = meet_polyline(pass, &own, set);
    else if (pass->points && (search.obstacle || stick_round_shape(search.master)))
        status = stick_two_pass_meet_round(pass, &own, &hits, set);
    else if (pass->points && !task->mutual)
        status = meet_surface(pass, &own, set);
    if (status == STICK_OK && pass->near_node && task->integrated)
        status = stick_two_pass_meet_nodes(pass, &own, last, set);
    if (status == STICK_OK && pass->edges)
        status = stick_two_pass_meet_edges(pass, &own, &hits, set);
    stick_free(pass->ctx, hits.item);
    if (status == STICK_OK && !task->integrated && pass->ntips > 0)
        drop_nodes(pass, &own, last, set);
    return status;
}

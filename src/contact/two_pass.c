// SPDX-License-Identifier: Apache-2.0
#include "contact/two_pass.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/node_facet.h"
#include "contact/polyline.h"
#include "contact/two_pass_work.h"

#include <math.h>
#include <string.h>

// ---- creation

void stick_two_pass_destroy(StickTwoPass *pass)
{
    StickContext *ctx = pass->ctx;
    stick_bvh_destroy(&pass->tree);
    stick_free(ctx, pass->sharpness);
    stick_free(ctx, pass->spacing);
    stick_free(ctx, pass->start);
    stick_free(ctx, pass->piece);
    stick_edge_crossings_destroy(&pass->crossings);
    stick_free(ctx, pass->hits.item);
    stick_free(ctx, pass->tip);
    stick_free(ctx, pass->near_node);
    stick_free(ctx, pass->opposite);
    *pass = (StickTwoPass){0};
}

// The pieces around each corner of a surface.
static StickStatus list_pieces(StickContext *ctx, const StickSurface *surface, StickTwoPass *pass)
{
    STICK_ALLOC(ctx, pass->sharpness, surface->nnodes);
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
static bool take_node(const StickSurface *slave, const StickTouch *touch, const double place[3],
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

static StickStatus meet_corner(StickTwoPass *pass, const StickTwoPassTask *task, const StickTip *tip,
                               const StickPolylineCone *cone, StickContactSet *set)
{
    const StickSearch *search = task->search;
    const StickSurface *slave = search->slave;
    StickTouch touch[STICK_LAYERS];
    int count;
    STICK_TRY(stick_surface_touch(slave, &pass->tree, tip->place, search->reach, &pass->hits, touch, &count));
    if (count == 0)
        STICK_TRY(stick_two_pass_look_for_lost(pass, task, tip));
    StickOpposite found[STICK_LAYERS];
    int layer[STICK_LAYERS], kept = 0;
    for (int k = 0; k < count; k++) {
        const StickPiece *piece = &slave->piece[touch[k].piece];
        StickOpposite *one = &found[kept];
        bool beyond = false;
        for (int j = 0; j < piece->ncorners; j++)
            beyond |= touch[k].weight[j] < -1e-9;
        if (beyond || touch[k].gap > search->reach || has_node(search, touch[k].piece, tip->number))
            continue;
        stick_two_pass_take(slave, touch[k].piece, touch[k].weight, tip->place, touch[k].normal, one);
        if (stick_two_pass_at_node(&one->side) && !take_node(slave, &touch[k], tip->place, one))
            continue;
        // a corner that lies flat at a node is met by the node
        if (tip->normal && stick_two_pass_at_node(&one->side) &&
            stick_two_pass_is_flush(pass, search, tip, one->normal))
            continue;
        const double out[3] = {-one->normal[0], -one->normal[1], -one->normal[2]};
        // back sides of the counterface do not touch
        if ((tip->normal && !(stick_vec_dot(tip->normal, one->normal) < 0)) ||
            (cone && !stick_polyline_cone_holds(cone, out)))
            continue;
        layer[kept++] = touch[k].layer;
    }
    for (int k = 0; k < kept; k++)
        STICK_TRY(stick_two_pass_add_tip(pass, task, tip, tip->number, layer[k], &found[k],
                                         stick_two_pass_raise(slave, tip->place, found, kept, k), set));
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
        if (is_near(pass, task->search, tip.place, 0) && stick_polyline_cone(obstacle->spec, i, &cone))
            STICK_TRY(meet_corner(pass, task, &tip, &cone, set));
    }
    return STICK_OK;
}

static StickStatus meet_surface(StickTwoPass *pass, const StickTwoPassTask *task, StickContactSet *set)
{
    const StickSearch *search = task->search;
    const StickSurface *master = search->master;
    for (int i = 0; i < master->nnodes; i++) {
        StickTip tip = {.number = i, .normal = master->normal + 3 * i};
        memcpy(tip.place, master->place + 3 * i, sizeof tip.place);
        bool wanted =
            pass->sharpness[i] > STICK_TIP_SHARP ||
            (search->slave->body->rigid && search->slave->largest > STICK_TIP_COARSE * pass->spacing[i]);
        if (wanted && is_near(pass, search, tip.place, 0))
            STICK_TRY(meet_corner(pass, task, &tip, NULL, set));
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

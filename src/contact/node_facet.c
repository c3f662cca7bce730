// SPDX-License-Identifier: Apache-2.0
//
// The gap is the signed distance to the chain of master pieces:
//
//        |  a  | cone |          a: foot inside of a piece, normal of the piece
//        |     |    /            cone: nearest to a corner or side that two pieces share, normal towards the slave
//   _____|_____|__/__b__         b: beyond the rim the piece goes on straight by a small overhang, then nothing is found
//   master      \/  |    |
//
// so that it is continuous while a slave node slides from piece to piece. In a nook, where pieces look at each
// other at a sharp angle, a node touches two of them, and each goes on straight behind the other.
//
// Detection has no memory: a node behind the surface is in contact with the nearest piece, even if it came in
// through a side of the body that the surface does not include.
#include "contact/node_facet.h"

#include "base/vec.h"
#include "contact/counterface.h"
#include "contact/deep_penetration.h"
#include "contact/reentrant_edge.h"

#include <string.h>

// How far a rim piece goes on beyond the rim, in its own sizes: corners of bodies that meet face to face stay
// in contact while they deform.
static const double OVERHANG = 0.05;

// Nearer than this part of a piece to its corner, the direction from the corner is noise.
static const double TOUCHING = 1e-8;

static bool on_rim(const StickSurface *master, const StickPiece *piece, const StickProjection *found)
{
    if (found->side >= 0 && master->dim == 3)
        return piece->neighbour[found->side] < 0;
    return master->rim[piece->corner[found->corner]];
}

// Whether the foot is beyond a side of the piece.
static bool is_beyond(const StickSurface *master, const StickPiece *piece, int side, const double foot[3])
{
    const double *a = master->place + 3 * piece->corner[side],
                 *b = master->place + 3 * piece->corner[(side + 1) % piece->ncorners];
    double along[3], inward[3], from[3];
    stick_vec_sub(b, a, along);
    stick_vec_cross(piece->normal, along, inward);
    stick_vec_sub(foot, a, from);
    return stick_vec_dot(from, inward) < 0;
}

// Where two pieces meet at the rim, at a corner of both, their side goes on straight beyond the rim as pieces do: the nearest
// point is on it where the foot is beyond it. The corner alone, at which one of the pieces would go on, would have a normal
// of one of them, though nodes next to it, within the rim, have a mean one.
static bool goes_on_along_side(const StickSurface *master, int index, const double place[3],
                               StickProjection *found)
{
    const StickPiece *piece = &master->piece[index];
    double foot[3], point[3], along[3], from[3];
    if (master->dim < 3 || found->corner < 0 || !(found->overhang < INFINITY))
        return false;
    stick_piece_point(master, index, found->foot, foot);
    for (int k = 0; k < 2; k++) {
        int side = (found->corner + (k ? piece->ncorners - 1 : 0)) % piece->ncorners,
            next = (side + 1) % piece->ncorners;
        if (piece->neighbour[side] < 0 || !is_beyond(master, piece, side, foot))
            continue;
        const double *a = master->place + 3 * piece->corner[side];
        stick_vec_sub(master->place + 3 * piece->corner[next], a, along);
        stick_vec_sub(place, a, from);
        double s = stick_vec_dot(from, along) / stick_vec_dot(along, along);
        found->corner = -1;
        found->side = side;
        memset(found->weight, 0, sizeof found->weight);
        found->weight[side] = 1 - s;
        found->weight[next] = s;
        stick_piece_point(master, index, found->weight, point);
        stick_vec_sub(place, point, from);
        found->distance = stick_vec_norm(from);
        return true;
    }
    return false;
}

// Foot on the piece, or on its extension: the plane of the piece.
static void touch_piece(const StickSurface *master, int index, const double foot[4], const double place[3],
                        StickSurfacePoint *touch)
{
    double point[3], from[3];
    stick_piece_point(master, index, foot, point);
    stick_piece_normal(master, index, foot, touch->normal);
    stick_vec_sub(place, point, from);
    touch->gap = stick_vec_dot(from, touch->normal);
    for (int k = 0; k < 4; k++)
        touch->weight[k] = foot[k];
}

// Mean normal where pieces meet: it tells inside from outside.
static void seam_normal(const StickSurface *master, const StickPiece *piece, const StickProjection *found,
                        double normal[3])
{
    if (found->side >= 0) {
        const StickPiece *next = &master->piece[piece->neighbour[found->side]];
        stick_vec_axpy(piece->normal, 1, next->normal, normal);
        stick_vec_normalise(normal);
        return;
    }
    for (int k = 0; k < 3; k++)
        normal[k] = master->normal[3 * piece->corner[found->corner] + k];
}

static void touch_seam(const StickSurface *master, int index, const StickProjection *found,
                       const double place[3], StickSurfacePoint *touch)
{
    const StickPiece *piece = &master->piece[index];
    double point[3], from[3];
    stick_piece_point(master, index, found->weight, point);
    stick_vec_sub(place, point, from);
    seam_normal(master, piece, found, touch->normal);
    double height = stick_vec_dot(from, touch->normal);
    double side = height >= 0 ? 1 : -1;
    touch->gap = height;
    if (found->distance > TOUCHING * piece->size) {
        touch->gap = side * found->distance;
        for (int k = 0; k < 3; k++)
            touch->normal[k] = side * from[k] / found->distance;
    }
    for (int k = 0; k < 4; k++)
        touch->weight[k] = found->weight[k];
}

// The point of one piece that is nearest to the place; no piece (-1) if it cannot be touched from there.
static StickSurfacePoint touch_one(const StickSurface *master, int index, const double place[3])
{
    const StickPiece *piece = &master->piece[index];
    StickSurfacePoint touch = {.piece = index, .straight = true, .layer = piece->layer};
    StickProjection found;
    stick_piece_project(master, index, place, &found);
    touch.distance = found.distance;
    if (!(found.distance < INFINITY))
        return (StickSurfacePoint){.piece = -1, .distance = INFINITY};
    bool rim = !found.inside && on_rim(master, piece, &found),
         near = found.overhang <= OVERHANG * piece->size;
    if (rim && near && goes_on_along_side(master, index, place, &found))
        rim = false;
    if (found.inside || (rim && near))
        touch_piece(master, index, found.foot, place, &touch);
    else if (rim)
        touch.piece = -1;
    else if (found.overhang < INFINITY && stick_reentrant_edge_at(master, index, &found))
        touch_piece(master, index, found.foot, place, &touch);
    else {
        touch.straight = false;
        touch_seam(master, index, &found, place, &touch);
    }
    return touch;
}

// Of equally near pieces the lowest number that can be touched wins.
static bool is_better(const StickSurfacePoint *other, const StickSurfacePoint *nearest)
{
    if (other->distance != nearest->distance)
        return other->distance < nearest->distance;
    return nearest->piece < 0 && other->piece >= 0;
}

static bool is_deep(const StickSurface *master, const StickSurfacePoint *touch)
{
    return touch->piece >= 0 && touch->gap < -master->piece[touch->piece].size;
}

static StickSurfacePoint nearest_of(const StickSurface *master, const double place[3], const StickHits *hits)
{
    StickSurfacePoint nearest = {.piece = -1, .distance = INFINITY};
    for (size_t i = 0; i < hits->count; i++) {
        StickSurfacePoint other = touch_one(master, hits->item[i], place);
        if (is_better(&other, &nearest))
            nearest = other;
    }
    return nearest;
}

StickSurfacePoint stick_surface_nearest(const StickSurface *master, const double place[3])
{
    StickSurfacePoint nearest = {.piece = -1, .distance = INFINITY};
    for (int p = 0; p < master->npieces; p++) {
        StickSurfacePoint other = touch_one(master, p, place);
        if (is_better(&other, &nearest))
            nearest = other;
    }
    return nearest;
}

// The nearest other piece that looks at the first one, touched straight.
static StickSurfacePoint second_of(const StickSurface *master, const double place[3], double reach,
                                   const StickSurfacePoint *first, const StickHits *hits)
{
    StickSurfacePoint second = {.piece = -1, .distance = INFINITY};
    for (size_t i = 0; i < hits->count; i++) {
        if (!stick_reentrant_edge_between(master, first->piece, hits->item[i]))
            continue;
        StickSurfacePoint other = touch_one(master, hits->item[i], place);
        bool usable = other.piece >= 0 && other.straight && other.gap <= reach && !is_deep(master, &other);
        if (usable && other.distance < second.distance)
            second = other;
    }
    return second;
}

void stick_surface_point_keep_apart(StickSurfacePoint touch[STICK_LAYERS])
{
    bool in_order = touch[0].piece < touch[1].piece;
    StickSurfacePoint *lower = &touch[in_order ? 0 : 1], *higher = &touch[in_order ? 1 : 0];
    if (higher->layer == lower->layer)
        higher->layer = (lower->layer + 1) % STICK_LAYERS;
    if (touch[0].layer > touch[1].layer) {
        StickSurfacePoint first = touch[0];
        touch[0] = touch[1];
        touch[1] = first;
    }
}

StickStatus stick_surface_touch(const StickSurface *master, const StickBvh *tree, const double place[3],
                                double reach, StickHits *hits, StickSurfacePoint touch[STICK_LAYERS],
                                int *count)
{
    // Wide enough for nodes in front (reach), behind (a piece) and beyond the rim (less than a piece).
    StickBox box = stick_box_around(place, 1, fmax(reach, master->largest));
    STICK_TRY(stick_bvh_query(tree, &box, hits));
    touch[0] = nearest_of(master, place, hits);
    *count = touch[0].piece >= 0 && !is_deep(master, &touch[0]);
    if (*count == 0)
        return STICK_OK;
    touch[1] = second_of(master, place, reach, &touch[0], hits);
    if (touch[1].piece >= 0) {
        stick_surface_point_keep_apart(touch);
        *count = 2;
    }
    return STICK_OK;
}

static StickContact node_contact(const StickSearch *search, int i, double gap, const double normal[3])
{
    const StickSurface *slave = search->slave;
    StickContact contact = {.pair = search->pair,
                            .feature = slave->node[i],
                            .node = slave->node[i],
                            .gap = gap,
                            .area = slave->area[i]};
    for (int k = 0; k < 3; k++)
        contact.place[k] = slave->place[3 * i + k];
    stick_contact_frame(slave->dim, normal, contact.frame);
    return contact;
}

// ---- rigid skins

// Columns of a node of a deformable body.
static int node_columns(const StickSurface *surface, int node, double weight, const StickContact *contact,
                        int *dof, double *H)
{
    int dim = surface->dim;
    for (int a = 0; a < dim; a++) {
        dof[a] = stick_surface_dof(surface, node) + a;
        for (int k = 0; k < dim; k++)
            H[a * dim + k] = weight * contact->frame[k][a];
    }
    return dim;
}

enum { MOST_COLUMNS = STICK_RIGID_DOFS + 4 * 3 };

// A contact with a rigid body on at least one side: both sides move at one common point, the place of the slave node.
static StickStatus add_rigid(StickContext *ctx, const StickSearch *search, int i,
                             const StickSurfacePoint *touch, const StickContact *contact,
                             StickContactSet *set)
{
    const StickSurface *slave = search->slave, *master = search->master;
    int dof[2 * MOST_COLUMNS], count, dim = slave->dim;
    double H[2 * MOST_COLUMNS * 3];
    count = slave->body->rigid
                ? stick_contact_rigid_columns(dim, slave->body->first, slave->pose.centre, contact, 1, dof, H)
                : node_columns(slave, i, 1, contact, dof, H);
    if (master && master->body->rigid)
        count += stick_contact_rigid_columns(dim, master->body->first, master->pose.centre, contact, -1,
                                             dof + count, H + count * dim);
    const StickPiece *piece = master ? &master->piece[touch->piece] : NULL;
    for (int k = 0; piece && !master->body->rigid && k < piece->ncorners; k++)
        if (touch->weight[k] != 0)
            count += node_columns(master, piece->corner[k], -touch->weight[k], contact, dof + count,
                                  H + count * dim);
    return stick_contact_set_append(ctx, set, contact, count, dof, H);
}

static bool has_rigid(const StickSearch *search)
{
    return search->slave->body->rigid || (search->master && search->master->body->rigid);
}

// ---- contacts of nodes

static StickStatus against_obstacle(StickContext *ctx, const StickSearch *search, int i, StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    StickObstacleTouch touch[STICK_LAYERS];
    double one = 1;
    int dof = has_rigid(search) ? 0 : stick_surface_dof(slave, i);
    int count = stick_obstacle_touch(search->obstacle, slave->place + 3 * i, search->reach, touch);
    for (int k = 0; k < count; k++) {
        StickContact contact = node_contact(search, i, touch[k].gap, touch[k].normal);
        contact.layer = touch[k].layer;
        stick_contact_drive(&contact, search->obstacle->velocity);
        if (has_rigid(search)) {
            STICK_TRY(add_rigid(ctx, search, i, NULL, &contact, set));
            continue;
        }
        STICK_TRY(stick_contact_set_add(ctx, set, &contact, &(StickStencil){1, &dof, &one}));
    }
    return STICK_OK;
}

static bool belongs_to(const StickSearch *search, int i, int index)
{
    const StickSurface *slave = search->slave, *master = search->master;
    const StickPiece *piece = &master->piece[index];
    for (int k = 0; k < piece->ncorners && slave->body == master->body; k++)
        if (master->node[piece->corner[k]] == slave->node[i])
            return true;
    return false;
}

static StickStatus add_touch(StickContext *ctx, const StickSearch *search, int i,
                             const StickSurfacePoint *touch, StickContactSet *set)
{
    const StickSurface *slave = search->slave, *master = search->master;
    const StickPiece *piece = &master->piece[touch->piece];
    int dof[5], count = 1;
    double weight[5] = {1};
    if (touch->gap > search->reach || belongs_to(search, i, touch->piece))
        return STICK_OK;
    StickContact contact = node_contact(search, i, touch->gap, touch->normal);
    contact.layer = touch->layer;
    if (has_rigid(search))
        return add_rigid(ctx, search, i, touch, &contact, set);
    dof[0] = stick_surface_dof(slave, i);
    for (int k = 0; k < piece->ncorners; k++) {
        if (touch->weight[k] == 0)
            continue;
        dof[count] = stick_surface_dof(master, piece->corner[k]);
        weight[count++] = -touch->weight[k];
    }
    return stick_contact_set_add(ctx, set, &contact, &(StickStencil){count, dof, weight});
}

static StickStatus against_surface(StickContext *ctx, const StickSearch *search, int i, StickHits *hits,
                                   StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    const double *place = slave->place + 3 * i;
    const StickConvex *shape = stick_round_shape(search->master);
    StickSurfacePoint touch[STICK_LAYERS];
    int count;
    if (shape) {
        // Its inside is known: nothing is lost in it.
        touch[0] = (StickSurfacePoint){.piece = 0, .straight = true};
        touch[0].gap = stick_round_distance(search->master, shape, place, touch[0].normal);
        return add_touch(ctx, search, i, &touch[0], set);
    }
    STICK_TRY(stick_surface_touch(search->master, search->tree, place, search->reach, hits, touch, &count));
    for (int k = 0; k < count; k++)
        STICK_TRY(add_touch(ctx, search, i, &touch[k], set));
    return count == 0 ? stick_deep_penetration_look(search, slave->node[i], place, hits) : STICK_OK;
}

StickStatus stick_node_facet_detect(StickContext *ctx, const StickSearch *search, StickHits *hits,
                                    StickContactSet *set)
{
    for (int i = 0; i < search->slave->nnodes; i++) {
        if (search->obstacle)
            STICK_TRY(against_obstacle(ctx, search, i, set));
        else
            STICK_TRY(against_surface(ctx, search, i, hits, set));
    }
    return STICK_OK;
}

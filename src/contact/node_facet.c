// SPDX-License-Identifier: Apache-2.0
//
// The gap is the signed distance to the chain of master pieces:
//
//        |  a  | cone |          a: foot inside of a piece, normal of the piece
//        |     |    /            cone: nearest to a corner or side that two pieces share, normal towards the slave
//   _____|_____|__/__b__         b: beyond the rim the piece goes on straight by a small overhang, then nothing is found
//   master      \/  |    |
//
// so that it is continuous while a slave node slides from piece to piece.
#include "contact/node_facet.h"

#include "base/vec.h"
#include "contact/projection.h"

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

// Foot on the piece, or on its extension: the plane of the piece.
static void touch_piece(const StickSurface *master, int index, const double foot[4], const double place[3],
                        StickTouch *touch)
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
                       const double place[3], StickTouch *touch)
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
static StickTouch touch_one(const StickSurface *master, int index, const double place[3])
{
    const StickPiece *piece = &master->piece[index];
    StickTouch touch = {.piece = index};
    StickProjection found;
    stick_piece_project(master, index, place, &found);
    touch.distance = found.distance;
    if (!(found.distance < INFINITY))
        return (StickTouch){.piece = -1, .distance = INFINITY};
    if (found.inside)
        touch_piece(master, index, found.foot, place, &touch);
    else if (!on_rim(master, piece, &found))
        touch_seam(master, index, &found, place, &touch);
    else if (found.overhang <= OVERHANG * piece->size)
        touch_piece(master, index, found.foot, place, &touch);
    else
        touch.piece = -1;
    if (touch.gap < -piece->size)
        touch.piece = -1;
    return touch;
}

// Of equally near pieces the lowest number that can be touched wins.
static bool is_better(const StickTouch *other, const StickTouch *nearest)
{
    if (other->distance != nearest->distance)
        return other->distance < nearest->distance;
    return nearest->piece < 0 && other->piece >= 0;
}

StickStatus stick_surface_touch(const StickSurface *master, const StickBvh *tree, const double place[3],
                                double reach, StickHits *hits, StickTouch *touch)
{
    // Wide enough for nodes in front (reach), behind (a piece) and beyond the rim (less than a piece).
    StickBox box = stick_box_around(place, 1, fmax(reach, master->largest));
    STICK_TRY(stick_bvh_query(tree, &box, hits));
    // The nearest piece decides: where it cannot be touched, nothing behind it can.
    StickTouch nearest = {.piece = -1, .distance = INFINITY};
    for (size_t i = 0; i < hits->count; i++) {
        StickTouch other = touch_one(master, hits->item[i], place);
        if (is_better(&other, &nearest))
            nearest = other;
    }
    *touch = nearest;
    return STICK_OK;
}

static StickContact node_contact(const StickSearch *search, int i, double gap, const double normal[3])
{
    const StickSurface *slave = search->slave;
    StickContact contact = {
        .pair = search->pair, .feature = slave->node[i], .gap = gap, .area = slave->area[i]};
    for (int k = 0; k < 3; k++)
        contact.place[k] = slave->place[3 * i + k];
    stick_contact_frame(slave->dim, normal, contact.frame);
    return contact;
}

static StickStatus against_obstacle(StickContext *ctx, const StickSearch *search, int i, StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    double normal[3], one = 1;
    double gap = stick_obstacle_distance(search->obstacle, slave->place + 3 * i, normal);
    if (gap > search->reach)
        return STICK_OK;
    int dof = stick_surface_dof(slave, i);
    StickContact contact = node_contact(search, i, gap, normal);
    stick_contact_drive(&contact, search->obstacle->velocity);
    return stick_contact_set_add(ctx, set, &contact, &(StickStencil){1, &dof, &one});
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

static StickStatus against_surface(StickContext *ctx, const StickSearch *search, int i, StickHits *hits,
                                   StickContactSet *set)
{
    const StickSurface *slave = search->slave, *master = search->master;
    StickTouch touch;
    STICK_TRY(stick_surface_touch(master, search->tree, slave->place + 3 * i, search->reach, hits, &touch));
    if (touch.piece < 0 || touch.gap > search->reach || belongs_to(search, i, touch.piece))
        return STICK_OK;
    const StickPiece *piece = &master->piece[touch.piece];
    int dof[5] = {stick_surface_dof(slave, i)}, count = 1;
    double weight[5] = {1};
    for (int k = 0; k < piece->ncorners; k++) {
        if (touch.weight[k] == 0)
            continue;
        dof[count] = stick_surface_dof(master, piece->corner[k]);
        weight[count++] = -touch.weight[k];
    }
    StickContact contact = node_contact(search, i, touch.gap, touch.normal);
    return stick_contact_set_add(ctx, set, &contact, &(StickStencil){count, dof, weight});
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

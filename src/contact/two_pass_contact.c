// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"
#include "contact/deep_penetration.h"
#include "contact/projection.h"
#include "contact/two_pass_work.h"
#include "fem/interpolation.h"

#include <math.h>
#include <string.h>

// What is integrated sees pieces of the counterface whose normals are opposite up to this (cosine).
static const double FLUSH = -0.995;

// ---- one contact

static int side_columns(const StickPassSide *side, double sign, const StickContact *contact, int *dof,
                        double *H)
{
    const StickSurface *surface = side->surface;
    int dim = surface->dim, count = 0;
    if (surface->body->rigid)
        return stick_contact_rigid_columns(dim, surface->body->first, surface->pose.centre, contact, sign,
                                           dof, H);
    for (int i = 0; i < side->count; i++) {
        if (side->weight[i] == 0)
            continue;
        for (int a = 0; a < dim; a++, count++) {
            dof[count] = stick_surface_dof(surface, side->node[i]) + a;
            for (int k = 0; k < dim; k++)
                H[count * dim + k] = sign * side->weight[i] * contact->frame[k][a];
        }
    }
    return count;
}

StickStatus stick_two_pass_add(StickTwoPass *pass, const StickSearch *search, StickContact *contact,
                               const StickPassSide *slave, const StickPassSide *other, StickContactSet *set)
{
    enum { MOST = 2 * (STICK_RIGID_DOFS + 4 * 3) };
    int dof[MOST], count, heaviest = 0;
    double H[3 * MOST];
    contact->pair = search->pair;
    contact->feature += slave->surface->body->mesh.nnodes;
    for (int i = 0; i < slave->count; i++) {
        contact->area += fmax(0, slave->weight[i]) * slave->surface->area[slave->node[i]];
        heaviest = slave->weight[i] > slave->weight[heaviest] ? i : heaviest;
    }
    contact->node = slave->surface->node[slave->node[heaviest]];
    if (search->obstacle)
        stick_contact_drive(contact, search->obstacle->velocity);
    // A point of the counterface comes first, then the piece of the slave that it is on: as a node and its piece do.
    count = search->obstacle ? 0 : side_columns(other, -1, contact, dof, H);
    count += side_columns(slave, 1, contact, dof + count, H + count * set->dim);
    return stick_contact_set_append(pass->ctx, set, contact, count, dof, H);
}

void stick_two_pass_place(const StickPassSide *side, double place[3])
{
    place[0] = place[1] = place[2] = 0;
    for (int i = 0; i < side->count; i++)
        stick_vec_axpy(place, side->weight[i], side->surface->place + 3 * side->node[i], place);
}

// What nodes see in part counts in part: the gap is a mean of that of the feature and that of the nearest node.
StickStatus stick_two_pass_blend(const StickCounterface *counterface, double breadth, double reach,
                                 const StickPassSide *slave, double *gap)
{
    double least = INFINITY;
    if (breadth == 0)
        return STICK_OK;
    for (int i = 0; i < slave->count; i++) {
        double own, *place = slave->surface->place + 3 * slave->node[i];
        STICK_TRY(stick_counterface_distance(counterface, place, fmax(reach, slave->surface->largest), &own));
        least = fmin(least, own);
    }
    if (breadth == 1 || !isfinite(least)) {
        *gap = INFINITY;
        return STICK_OK;
    }
    *gap += breadth * fmax(0, least - *gap);
    return STICK_OK;
}

// ---- tips

// The nearest point of a quadratic edge, from that of its straight pieces: by its own shape functions.
static void refine_quadratic(const StickSurface *slave, int index, const double place[3], StickPassSide *side,
                             double point[3], double normal[3])
{
    enum { STEPS = 5 };
    const StickPiece *piece = &slave->piece[index];
    const StickSurfaceFacet *facet = &slave->facet[piece->facet];
    double xi[3] = {piece->from + side->weight[1] * (piece->to - piece->from), 0, 0};
    double end = fmax(1, fabs(xi[0])); // beyond its ends only as far as it is given
    double N[STICK_MOST_ELEMENT_NODES], dN[STICK_MOST_ELEMENT_NODES][3], tangent[3], from[3];
    for (int step = 0; step <= STEPS; step++) {
        stick_shape_values(facet->shape, xi, N);
        stick_shape_derivatives(facet->shape, xi, dN);
        memset(point, 0, 3 * sizeof *point);
        memset(tangent, 0, sizeof tangent);
        for (int k = 0; k < facet->nnodes; k++) {
            stick_vec_axpy(point, N[k], slave->place + 3 * facet->node[k], point);
            stick_vec_axpy(tangent, dN[k][0], slave->place + 3 * facet->node[k], tangent);
        }
        stick_vec_sub(place, point, from);
        if (step < STEPS)
            xi[0] =
                fmax(-end, fmin(end, xi[0] + stick_vec_dot(from, tangent) / stick_vec_dot(tangent, tangent)));
    }
    normal[0] = tangent[1], normal[1] = -tangent[0], normal[2] = 0;
    stick_vec_normalise(normal);
    side->count = facet->nnodes;
    for (int k = 0; k < facet->nnodes; k++) {
        side->node[k] = facet->node[k];
        side->weight[k] = N[k];
    }
}

void stick_two_pass_take(const StickSurface *slave, int index, const double weight[4], const double place[3],
                         const double normal[3], StickOpposite *found)
{
    const StickPiece *piece = &slave->piece[index];
    double from[3];
    *found = (StickOpposite){.side = {.surface = slave, .count = piece->ncorners},
                             .size = piece->size,
                             .piece = index,
                             .feature = index};
    for (int k = 0; k < piece->ncorners; k++) {
        found->side.node[k] = piece->corner[k];
        found->side.weight[k] = weight[k];
    }
    memcpy(found->normal, normal, sizeof found->normal);
    stick_piece_point(slave, index, weight, found->point);
    if (slave->facet[piece->facet].shape == STICK_BAR3)
        refine_quadratic(slave, index, place, &found->side, found->point, found->normal);
    stick_vec_sub(place, found->point, from);
    found->height = stick_vec_dot(from, found->normal);
}

bool stick_two_pass_at_node(const StickPassSide *side)
{
    double largest = 0;
    for (int k = 0; k < side->count; k++)
        largest = fmax(largest, side->weight[k]);
    return largest > 1 - STICK_AT_NODE;
}

StickCounterface stick_two_pass_counterface(StickTwoPass *pass, const StickSearch *search)
{
    return (StickCounterface){.obstacle = search->obstacle,
                              .round = search->obstacle ? NULL : stick_round_shape(search->master),
                              .surface = search->master,
                              .tree = search->tree,
                              .hits = &pass->hits};
}

// Pieces of the counterface that lie flat on the slave are integrated over.
bool stick_two_pass_is_flush(const StickTwoPass *pass, const StickSearch *search, const StickTip *tip,
                             const double normal[3])
{
    for (int k = pass->start[tip->number]; k < pass->start[tip->number + 1]; k++)
        if (stick_vec_dot(search->master->piece[pass->piece[k]].normal, normal) < FLUSH)
            return true;
    return false;
}

// The distance of nodes by which the counterface is judged: in space sizes are those of diagonals.
double stick_two_pass_distance(const StickTwoPassTask *task, double size)
{
    return (task->search->slave->dim == 3 ? 0.7 : 1) * size;
}

// The least radius, in this distance, that is left to nodes or to quadrature alone: an obstacle or a round body does not
// fall between nodes by more than 0.02 of it. Corners of bodies are left to them up to a slope of 0.2, so that bodies that
// lie flat on each other have the contacts of nodes.
static const double SEEN_ROUND = 6, SEEN_CORNER = 1.2;

double stick_two_pass_radius(const StickTwoPassTask *task, double size)
{
    const StickSearch *search = task->search;
    bool round = search->obstacle
                     ? search->obstacle->spec->kind != STICK_OBSTACLE_POLYLINE || !task->integrated
                     : stick_round_shape(search->master) != NULL;
    return (round ? SEEN_ROUND : SEEN_CORNER) * stick_two_pass_distance(task, size);
}

// A node that touches when a feature between nodes is this part of a side deep supports it; at LATE it does not.
static const double SOON = 0.005, LATE = 0.015;

StickStatus stick_two_pass_support(const StickTwoPassTask *task, const StickCounterface *counterface,
                                   const StickPassSide *slave, double height, double size, double *support)
{
    const StickSearch *search = task->search;
    double least = INFINITY;
    for (int i = 0; i < slave->count; i++) {
        double gap, *place = slave->surface->place + 3 * slave->node[i];
        STICK_TRY(stick_counterface_distance(counterface, place, fmax(search->reach, slave->surface->largest),
                                             &gap));
        least = fmin(least, gap);
    }
    *support = fmax(0, fmin(1, (LATE - (least - height) / size) / (LATE - SOON)));
    return STICK_OK;
}

// Slopes (sines) of the flattest piece around a corner against the slave: up to FLAT the corner is flush, from TILTED on it is
// not.
static const double FLAT = 0.012, TILTED = 0.04;

// The normal that a piece would have if its body had turned as a whole only.
static void stiff_normal(const StickSurface *surface, const StickPiece *piece, const double R[3][3],
                         double normal[3])
{
    for (int k = 0; k < 3; k++)
        normal[k] = surface->body->rigid ? piece->normal[k] : stick_vec_dot(R[k], piece->made);
}

double stick_two_pass_flushness(const StickTwoPass *pass, const StickSearch *search, const StickTip *tip,
                                const StickOpposite *found)
{
    const StickSurface *slave = search->slave, *master = search->master;
    double flattest = 1, opposite[3], normal[3], cross[3];
    stiff_normal(slave, &slave->piece[found->piece], pass->turn[0], opposite);
    for (int k = pass->start[tip->number]; k < pass->start[tip->number + 1]; k++) {
        stiff_normal(master, &master->piece[pass->piece[k]], pass->turn[1], normal);
        stick_vec_cross(normal, opposite, cross);
        if (stick_vec_dot(normal, opposite) < 0)
            flattest = fmin(flattest, stick_vec_norm(cross));
    }
    return fmax(0, fmin(1, (TILTED - flattest) / (TILTED - FLAT)));
}

// A tip that were a feature only where the slave lies steep enough before it would come and go: without it the slave gets
// steeper, with it flatter, and no state might be in balance. Deformable bodies that lie flat on each other have the
// contacts of nodes all the same, and what is integrated sees flat sides by itself.
bool stick_two_pass_is_rigid(const StickTwoPassTask *task)
{
    const StickSearch *search = task->search;
    return search->obstacle ? search->obstacle->spec->kind == STICK_OBSTACLE_POLYLINE
                            : search->master->body->rigid != NULL;
}

static StickStatus breadth_of(StickTwoPass *pass, const StickTwoPassTask *task, const StickTip *tip,
                              const StickOpposite *found, double *breadth)
{
    const StickSearch *search = task->search;
    StickCounterface counterface = stick_two_pass_counterface(pass, search);
    double lowest[3], size = found->size, distance = stick_two_pass_distance(task, size), round, support = 0;
    bool corner = search->master && !counterface.round;
    *breadth = 0;
    // corners of a coarse rigid body see nothing of what is finer
    if (corner && search->slave->body->rigid && size > STICK_TIP_COARSE * pass->spacing[tip->number])
        return STICK_OK;
    double out[3] = {-found->normal[0], -found->normal[1], -found->normal[2]};
    stick_vec_axpy(tip->place, tip->radius, out, lowest);
    if (tip->radius == 0 && stick_two_pass_is_rigid(task))
        memcpy(out, tip->outward, sizeof out);
    *breadth = 1;
    bool blunt = corner && (!(pass->sharpness[tip->number] > STICK_TIP_SHARP) ||
                            (task->integrated && stick_two_pass_is_flush(pass, search, tip, found->normal)));
    if (!blunt)
        STICK_TRY(stick_counterface_breadth(&counterface, search->slave->dim, lowest, out, distance,
                                            stick_two_pass_radius(task, size), breadth));
    if (*breadth == 0 || tip->radius > 0 || (corner && !(pass->bend[tip->number] > STICK_TIP_BLUNT)))
        return STICK_OK;
    // A blunt corner, or one that is nearly flush, by what supports it. A node that it is on does not: it would slide off.
    if (!task->integrated && (found->dent || !stick_two_pass_at_node(&found->side)))
        STICK_TRY(stick_two_pass_support(task, &counterface, &found->side, found->height, size, &support));
    if (corner && !stick_two_pass_is_rigid(task)) {
        round = stick_two_pass_flushness(pass, search, tip, found);
    } else {
        double radius = SEEN_ROUND * distance;
        STICK_TRY(stick_counterface_breadth(&counterface, search->slave->dim, lowest, out, distance, radius,
                                            &round));
    }
    *breadth *= fmax(round, support);
    return STICK_OK;
}

// Distance of a place from what two pieces have in common, a node or an edge; infinite: nothing.
static double seam_distance(const StickSurface *slave, int one, int other, const double place[3])
{
    const StickPiece *a = &slave->piece[one], *b = &slave->piece[other];
    int common[4], count = 0;
    for (int i = 0; i < a->ncorners; i++)
        for (int j = 0; j < b->ncorners; j++)
            if (a->corner[i] == b->corner[j])
                common[count++] = a->corner[i];
    if (count == 0)
        return INFINITY;
    const double *x = slave->place + 3 * common[0], *y = slave->place + 3 * common[count - 1];
    double along[3], from[3];
    stick_vec_sub(y, x, along);
    stick_vec_sub(place, x, from);
    double square = stick_vec_dot(along, along);
    double s = square > 0 ? fmin(1, fmax(0, stick_vec_dot(from, along) / square)) : 0;
    stick_vec_axpy(from, -s, along, from);
    return stick_vec_norm(from);
}

// A tip in a dent has points of several pieces opposite to it, with a seam in between that is farther off. Only what one
// is nearer than the other counts: where both are as near, the seam is what touches, as it is from node to node.
double stick_two_pass_raise(const StickSurface *slave, const double place[3], const StickOpposite *found,
                            int count, int own)
{
    double raise = 0;
    for (int k = 0; k < count; k++) {
        if (k == own)
            continue;
        double seam = seam_distance(slave, found[own].piece, found[k].piece, place);
        if (isfinite(seam))
            raise = fmax(raise, seam - fmax(found[own].height, found[k].height));
    }
    return raise;
}

// The contact of a tip with the point of the slave that is opposite to it, unless nodes see it.
StickStatus stick_two_pass_add_tip(StickTwoPass *pass, const StickTwoPassTask *task, const StickTip *tip,
                                   int feature, int layer, const StickOpposite *found, double raise,
                                   StickContactSet *set)
{
    const StickSearch *search = task->search;
    StickCounterface counterface = stick_two_pass_counterface(pass, search);
    double breadth, gap = found->height - tip->radius + raise;
    bool met;
    if (gap > search->reach)
        return STICK_OK;
    STICK_TRY(stick_interior_meets(task->slave_interior, tip->place, found->height, tip->radius, found->size,
                                   &pass->hits, &met));
    if (!met)
        return STICK_OK;
    STICK_TRY(breadth_of(pass, task, tip, found, &breadth));
    StickPassSide side = found->side;
    STICK_TRY(stick_two_pass_blend(&counterface, breadth, search->reach, &side, &gap));
    if (gap > search->reach)
        return STICK_OK;
    StickContact contact = {.feature = feature, .layer = layer, .gap = gap};
    const double out[3] = {-found->normal[0], -found->normal[1], -found->normal[2]};
    stick_contact_frame(search->slave->dim, out, contact.frame);
    // What is rigid and what is not move at one common point.
    if (search->slave->body->rigid)
        memcpy(contact.place, tip->place, sizeof contact.place);
    else
        stick_two_pass_place(&side, contact.place);
    StickPassSide other = {.surface = search->master, .count = 1, .node = {tip->number}, .weight = {1}};
    STICK_TRY(stick_two_pass_add(pass, search, &contact, &side, &other, set));
    if (breadth > 0 || tip->radius > 0)
        return STICK_OK;
    STICK_RESERVE(pass->ctx, pass->tip, pass->tip_capacity, pass->ntips + 1);
    pass->tip[pass->ntips++] = set->ncontacts - 1;
    return STICK_OK;
}

// Obstacles that are too deep inside of the slave to be told how they came there. Corners of surfaces are watched by
// stick_pairs_buried.
StickStatus stick_two_pass_look_for_lost(StickTwoPass *pass, const StickTwoPassTask *task,
                                         const StickTip *tip)
{
    const StickSearch *search = task->search;
    StickSearch turned = {.pair = search->pair,
                          .master = search->slave,
                          .tree = &pass->tree,
                          .interior = task->slave_interior,
                          .lost = search->lost};
    int before = search->lost->count;
    if (!search->obstacle)
        return STICK_OK;
    STICK_TRY(stick_deep_penetration_look(&turned, search->slave->node[0], tip->place, &pass->hits));
    search->lost->counterface |= search->lost->count > before;
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/vec.h"
#include "contact/projection.h"
#include "contact/two_pass_work.h"
#include "fem/interpolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int round_tips(const StickSearch *search, StickTip tip[2])
{
    const StickObstacle *obstacle = search->obstacle;
    const StickConvex *shape = obstacle ? NULL : stick_round_shape(search->master);
    tip[0] = tip[1] = (StickTip){.radius = obstacle ? obstacle->spec->radius : shape->radius};
    if (obstacle) {
        for (int k = 0; k < search->slave->dim; k++)
            tip[0].place[k] = obstacle->spec->point[k] + obstacle->shift[k];
        return 1;
    }
    int count = shape->kind == STICK_SHAPE_CAPSULE ? 2 : 1;
    for (int end = 0; end < count; end++) {
        double x[3], way = count == 1 ? 0 : end ? shape->half_length : -shape->half_length;
        stick_vec_axpy(shape->centre, way, shape->axis, x);
        stick_pose_place(&search->master->pose, x, tip[end].place);
        tip[end].number = end;
    }
    return count;
}

// ---- quadratic edges

// A point this near to a node of its edge, in the coordinate of the edge, is the node: both have the same gap there.
static const double ON_NODE = 1e-9;

// The point of a quadratic edge nearest to the middle within one of its halves: where the distance is least, which an end of
// the half is not. The halves of the edge and not their chords decide, so that no point is lost or found twice in between.
static bool nearest_on_half(const StickSurface *slave, int index, const StickTip *tip, double *where,
                            StickOpposite *found)
{
    enum { STEPS = 30 };
    const StickPiece *piece = &slave->piece[index];
    const StickSurfaceFacet *facet = &slave->facet[piece->facet];
    double low = fmin(piece->from, piece->to), high = fmax(piece->from, piece->to);
    double N[STICK_MOST_ELEMENT_NODES], dN[STICK_MOST_ELEMENT_NODES][3];
    double tangent[3], bend[3], from[3], slope = 0;
    StickProjection chord;
    stick_piece_project(slave, index, tip->place, &chord);
    double xi[3] = {piece->from + chord.weight[1] * (piece->to - piece->from), 0, 0};
    *found = (StickOpposite){.side = {.surface = slave, .count = facet->nnodes},
                             .size = piece->size,
                             .piece = index,
                             .feature = index};
    // the second derivative of the place, which is the same all along
    memset(bend, 0, sizeof bend);
    for (int k = 0; k < facet->nnodes; k++) {
        double ends[2][3] = {{-1, 0, 0}, {1, 0, 0}}, d[2];
        for (int e = 0; e < 2; e++) {
            stick_shape_derivatives(facet->shape, ends[e], dN);
            d[e] = dN[k][0];
        }
        stick_vec_axpy(bend, 0.5 * (d[1] - d[0]), slave->place + 3 * facet->node[k], bend);
    }
    for (int step = 0; step <= STEPS; step++) {
        stick_shape_values(facet->shape, xi, N);
        stick_shape_derivatives(facet->shape, xi, dN);
        memset(found->point, 0, sizeof found->point);
        memset(tangent, 0, sizeof tangent);
        for (int k = 0; k < facet->nnodes; k++) {
            stick_vec_axpy(found->point, N[k], slave->place + 3 * facet->node[k], found->point);
            stick_vec_axpy(tangent, dN[k][0], slave->place + 3 * facet->node[k], tangent);
        }
        stick_vec_sub(tip->place, found->point, from);
        slope = stick_vec_dot(from, tangent);
        double square = stick_vec_dot(tangent, tangent), curved = square - stick_vec_dot(from, bend);
        double next = fmax(low, fmin(high, xi[0] + slope / (curved > 0.1 * square ? curved : square)));
        if (step == STEPS || fabs(next - xi[0]) < 1e-15)
            break;
        xi[0] = next;
    }
    if ((xi[0] <= low && slope < 0) || (xi[0] >= high && slope > 0))
        return false;
    for (int k = 0; k < facet->nnodes; k++) {
        found->side.node[k] = facet->node[k];
        found->side.weight[k] = N[k];
    }
    found->normal[0] = tangent[1], found->normal[1] = -tangent[0], found->normal[2] = 0;
    stick_vec_normalise(found->normal);
    found->height = stick_vec_dot(from, found->normal);
    *where = xi[0];
    return true;
}

// Of a quadratic edge: one point, known by the first half, or one in each half where the edge is bent around the middle.
static bool nearest_on_curve(const StickSurface *slave, int index, const StickTip *tip, StickOpposite *found)
{
    const StickPiece *piece = &slave->piece[index];
    double own, there;
    int other = -1;
    StickOpposite mate;
    for (int k = 0; k < piece->ncorners; k++)
        if (piece->neighbour[k] >= 0 && slave->piece[piece->neighbour[k]].facet == piece->facet)
            other = piece->neighbour[k];
    if (!nearest_on_half(slave, index, tip, &own, found) || !(found->height > -found->size))
        return false;
    if (fabs(own) < ON_NODE || 1 - fabs(own) < ON_NODE)
        return false;
    if (other >= 0 && other < index && !nearest_on_half(slave, other, tip, &there, &mate))
        found->feature = other;
    return true;
}

// ---- opposite points

// The point of a piece that is nearest to the middle, unless it is at a node, or a neighbour is nearer.
static bool find_opposite(const StickSurface *slave, int index, const StickTip *tip, StickOpposite *found)
{
    const StickPiece *piece = &slave->piece[index];
    StickProjection here, there;
    double normal[3];
    if (slave->facet[piece->facet].shape == STICK_BAR3)
        return nearest_on_curve(slave, index, tip, found);
    stick_piece_project(slave, index, tip->place, &here);
    if (here.inside) {
        stick_piece_normal(slave, index, here.weight, normal);
        stick_two_pass_take(slave, index, here.weight, tip->place, normal, found);
        return found->height > -found->size && !stick_two_pass_at_node(&found->side);
    }
    if (slave->dim < 3 || here.side < 0)
        return false;
    // on an edge: the nearest point of both pieces, or of the rim
    int next = piece->neighbour[here.side];
    if (next >= 0) {
        stick_piece_project(slave, next, tip->place, &there);
        if (next < index || there.inside || there.distance < here.distance * (1 - 1e-9))
            return false;
    }
    stick_two_pass_take(slave, index, here.weight, tip->place, piece->normal, found);
    stick_vec_sub(tip->place, found->point, normal);
    double above = stick_vec_dot(normal, piece->normal);
    if (!(above > 0) || !(stick_vec_normalise(normal) > 0) || stick_two_pass_at_node(&found->side))
        return false;
    memcpy(found->normal, normal, sizeof normal);
    found->height = here.distance;
    return true;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

StickStatus stick_two_pass_meet_round(StickTwoPass *pass, const StickTwoPassTask *task, StickHits *hits,
                                      StickContactSet *set)
{
    const StickSearch *search = task->search;
    StickTip tip[2];
    int count = round_tips(search, tip);
    double axis[3];
    stick_vec_sub(tip[1].place, tip[0].place, axis);
    StickBox box =
        stick_box_around(tip[0].place, 1, fmax(search->reach + tip[0].radius, search->slave->largest));
    if (count == 2) {
        StickBox other =
            stick_box_around(tip[1].place, 1, fmax(search->reach + tip[0].radius, search->slave->largest));
        stick_box_include(&box, other.low);
        stick_box_include(&box, other.high);
    }
    STICK_TRY(stick_bvh_query(&pass->tree, &box, hits));
    if (hits->count > 0)
        qsort(hits->item, hits->count, sizeof *hits->item, ascending);
    // by ends of the pieces in ascending order; which ones a piece is kept for
    STICK_RESERVE(pass->ctx, pass->opposite, pass->opposite_capacity, 2 * hits->count + 1);
    int kept[2] = {0};
    for (int k = 0; k < count; k++) {
        StickOpposite *opposite = pass->opposite + (k == 0 ? 0 : kept[0]);
        for (size_t h = 0; h < hits->count; h++) {
            StickOpposite *one = &opposite[kept[k]];
            double from[3];
            if (!find_opposite(search->slave, hits->item[h], &tip[k], one))
                continue;
            // between the ends of a capsule its axis is nearer
            stick_vec_sub(one->point, tip[k].place, from);
            double beyond = (k == 0 ? -1 : 1) * stick_vec_dot(from, axis);
            kept[k] += count == 1 || beyond >= -1e-3 * stick_vec_norm(axis) * stick_vec_norm(from);
        }
    }
    if (kept[0] == 0 && search->obstacle)
        STICK_TRY(stick_two_pass_look_for_lost(pass, task, &tip[0]));
    for (int at[2] = {0, 0}; at[0] < kept[0] || at[1] < kept[1];) {
        const StickOpposite *first = pass->opposite, *second = pass->opposite + kept[0];
        int k =
            at[0] < kept[0] && (at[1] == kept[1] || first[at[0]].feature <= second[at[1]].feature) ? 0 : 1;
        const StickOpposite *all = k == 0 ? first : second;
        double raise = stick_two_pass_raise(search->slave, tip[k].place, all, kept[k], at[k]);
        STICK_TRY(
            stick_two_pass_add_tip(pass, task, &tip[k], all[at[k]].feature, k, &all[at[k]], raise, set));
        at[k]++;
    }
    return STICK_OK;
}

// Whether what is round is too small for quadrature at a node of the slave.
static bool is_small(const StickTwoPass *pass, const StickTwoPassTask *task, int i)
{
    const StickSearch *search = task->search;
    double radius =
        search->obstacle ? search->obstacle->spec->radius : stick_round_shape(search->master)->radius;
    return radius < stick_two_pass_radius(task, search->slave->piece[pass->near_node[i]].size);
}

// Before what is small and round an integrated surface has the contacts of its nodes instead of mean gaps.
StickStatus stick_two_pass_meet_nodes(StickTwoPass *pass, const StickTwoPassTask *task, int last,
                                      StickContactSet *set)
{
    const StickSearch *search = task->search;
    const StickSurface *slave = search->slave;
    StickCounterface counterface = stick_two_pass_counterface(pass, search);
    int kept = task->first;
    for (int c = task->first, i = 0; c < set->ncontacts; c++) {
        while (c < last && slave->node[i] < set->contact[c].node)
            i++;
        if (c < last && is_small(pass, task, i))
            continue;
        if (kept < c)
            set->contact[kept] = set->contact[c];
        kept++;
    }
    set->ncontacts = kept;
    for (int i = 0; i < slave->nnodes; i++) {
        StickContact contact = {.feature = pass->npoints + i};
        double normal[3], *place = slave->place + 3 * i;
        contact.gap = search->obstacle
                          ? stick_obstacle_distance(search->obstacle, place, normal)
                          : stick_round_distance(search->master, counterface.round, place, normal);
        pass->has_node[i] = is_small(pass, task, i);
        if (contact.gap > search->reach || !pass->has_node[i])
            continue;
        stick_contact_frame(slave->dim, normal, contact.frame);
        memcpy(contact.place, place, sizeof contact.place);
        StickPassSide own = {.surface = slave, .count = 1, .node = {i}, .weight = {1}},
                      other = {.surface = search->master};
        STICK_TRY(stick_two_pass_add(pass, search, &contact, &own, &other, set));
    }
    return STICK_OK;
}

// ---- edges

static StickStatus add_crossings(StickTwoPass *pass, const StickTwoPassTask *task, const StickSheet *sheet,
                                 bool turned, int base, StickContactSet *set)
{
    const StickSearch *search = task->search;
    for (int e = 0; e < sheet->edges->nedges; e++) {
        const StickEdge *edge = &sheet->edges->edge[e];
        for (int layer = 0; layer < STICK_LAYERS; layer++) {
            const StickCrossing *found = &sheet->edges->crossing[STICK_LAYERS * e + layer];
            if (found->blade < 0)
                continue;
            StickPassSide on = {.surface = sheet->surface,
                                .count = 2,
                                .node = {edge->node[0], edge->node[1]},
                                .weight = {1 - found->s, found->s}};
            StickPassSide across = {.surface = sheet->blade.surface,
                                    .count = found->node[0] < 0 ? 0 : 2,
                                    .node = {found->node[0], found->node[1]},
                                    .weight = {1 - found->t, found->t}};
            StickContact contact = {.feature = base + e, .layer = layer, .gap = found->gap};
            double out[3], lowest[3], breadth, sign = turned ? 1 : -1;
            for (int k = 0; k < 3; k++) {
                contact.place[k] = (1 - found->s) * sheet->surface->place[3 * edge->node[0] + k] +
                                   found->s * sheet->surface->place[3 * edge->node[1] + k];
                lowest[k] = contact.place[k] + found->gap * found->normal[k];
                out[k] = -found->normal[k];
            }
            if (!turned && found->node[0] >= 0 && stick_two_pass_is_rigid(task))
                memcpy(out, found->outward, sizeof out);
            STICK_TRY(stick_counterface_breadth(&sheet->blade, 3, lowest, out,
                                                stick_two_pass_distance(task, found->size),
                                                stick_two_pass_radius(task, found->size), &breadth));
            STICK_TRY(stick_two_pass_blend(&sheet->blade, breadth, search->reach, &on, &contact.gap));
            if (contact.gap > search->reach)
                continue;
            stick_two_pass_place(&on, contact.place);
            if (sheet->surface->body->rigid && found->node[0] >= 0)
                stick_two_pass_place(&across, contact.place);
            for (int k = 0; k < 3; k++)
                out[k] = sign * found->normal[k];
            stick_contact_frame(3, out, contact.frame);
            STICK_TRY(stick_two_pass_add(pass, search, &contact, turned ? &across : &on,
                                         turned ? &on : &across, set));
        }
    }
    return STICK_OK;
}

StickStatus stick_two_pass_meet_edges(StickTwoPass *pass, const StickTwoPassTask *task, StickHits *hits,
                                      StickContactSet *set)
{
    const StickSearch *search = task->search;
    StickCounterface counterface = stick_two_pass_counterface(pass, search);
    StickSheet sheet = {.surface = search->slave,
                        .tree = &pass->tree,
                        .edges = &pass->crossings.slave,
                        .interior = task->slave_interior,
                        .blade = counterface,
                        .blade_edges = &pass->crossings.master,
                        .reach = search->reach,
                        .hits = hits};
    STICK_TRY(stick_edge_crossings_find(&sheet));
    STICK_TRY(add_crossings(pass, task, &sheet, false, pass->npoints + pass->nnodes, set));
    if (search->obstacle || counterface.round || task->mutual)
        return STICK_OK;
    StickSheet other = {.surface = search->master,
                        .tree = search->tree,
                        .edges = &pass->crossings.master,
                        .interior = search->interior,
                        .blade = {.surface = search->slave, .tree = &pass->tree, .hits = &pass->hits},
                        .blade_edges = &pass->crossings.slave,
                        .reach = search->reach,
                        .hits = hits};
    STICK_TRY(stick_edge_crossings_find(&other));
    return add_crossings(pass, task, &other, true,
                         pass->npoints + pass->nnodes + pass->crossings.slave.nedges, set);
}

// SPDX-License-Identifier: Apache-2.0
#include "contact/integrated.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/deep_penetration.h"
#include "contact/node_facet.h"
#include "contact/overlap.h"
#include "contact/projection.h"

#include <math.h>
#include <string.h>

// A contact that covers less than this part of the area of its node is left out.
static const double LEAST_AREA = 1e-10;

// Slopes of smooth outlines are below this; other corners of the master are features of the second pass.
static const double SMOOTH = 0.35;

// The least slope at which the pieces around each node rise from its tangent plane: negative in a dent, 0 on a flat
// surface, infinite on a rim.
static void measure_rise(const StickSurface *surface, double *rise, double *size)
{
    for (int i = 0; i < surface->nnodes; i++) {
        rise[i] = INFINITY;
        if (size)
            size[i] = 0;
    }
    for (int p = 0; p < surface->npieces; p++) {
        const StickPiece *piece = &surface->piece[p];
        double middle[3], along[3], weight[4] = {0};
        for (int k = 0; k < piece->ncorners; k++)
            weight[k] = 1.0 / piece->ncorners;
        stick_piece_point(surface, p, weight, middle);
        for (int k = 0; k < piece->ncorners; k++) {
            int i = piece->corner[k];
            if (size)
                size[i] = fmax(size[i], piece->size);
            stick_vec_sub(middle, surface->place + 3 * i, along);
            double length = stick_vec_normalise(along);
            if (length > 0 && !surface->rim[i])
                rise[i] = fmin(rise[i], -stick_vec_dot(along, surface->normal + 3 * i));
        }
    }
}

static StickStatus create(StickContext *ctx, const StickSurface *slave, const StickSurface *master,
                          StickIntegral *integral)
{
    STICK_ALLOC(ctx, integral->sum, slave->nnodes);
    STICK_ALLOC(ctx, integral->start, slave->nnodes + 1);
    STICK_ALLOC(ctx, integral->rise, slave->nnodes);
    STICK_ALLOC(ctx, integral->size, slave->nnodes);
    measure_rise(slave, integral->rise, integral->size);
    if (!master)
        return STICK_OK;
    STICK_ALLOC(ctx, integral->counter_rise, master->nnodes);
    measure_rise(master, integral->counter_rise, NULL);
    for (int i = 0; i < master->nnodes; i++)
        if (!(integral->counter_rise[i] > 0 && integral->counter_rise[i] < SMOOTH))
            integral->counter_rise[i] = 0;
    return STICK_OK;
}

StickStatus stick_integral_create(StickContext *ctx, const StickSurface *slave, const StickSurface *master,
                                  StickIntegral *integral)
{
    StickIntegral made = {.ctx = ctx};
    StickStatus status = create(ctx, slave, master, &made);
    if (status != STICK_OK)
        stick_integral_destroy(&made);
    else
        *integral = made;
    return status;
}

void stick_integral_destroy(StickIntegral *integral)
{
    StickContext *ctx = integral->ctx;
    stick_free(ctx, integral->sum);
    stick_free(ctx, integral->start);
    stick_free(ctx, integral->share);
    stick_free(ctx, integral->sorted);
    stick_free(ctx, integral->dof);
    stick_free(ctx, integral->weight);
    stick_free(ctx, integral->rise);
    stick_free(ctx, integral->size);
    stick_free(ctx, integral->counter_rise);
    *integral = (StickIntegral){0};
}

// Adds sign * value of a node to the contact of slave node j, and its place to the offset, seen from node j.
static void add_share(StickIntegral *integral, const StickSurface *slave, int j, const StickSurface *surface,
                      int node, double value)
{
    double from[3], *offset = integral->sum[j].offset;
    stick_vec_sub(surface->place + 3 * node, slave->place + 3 * j, from);
    stick_vec_axpy(offset, value, from, offset);
    integral->share[integral->nshares++] = (StickShare){j, stick_surface_dof(surface, node), value};
}

static StickStatus add_overlap(StickIntegral *integral, const StickSurface *slave, int slave_piece,
                               const StickSurface *master, int master_piece, const StickOverlap *overlap)
{
    const StickPiece *piece = &slave->piece[slave_piece];
    const StickSurfaceFacet *facet = &slave->facet[piece->facet];
    const StickSurfaceFacet *other = master ? &master->facet[master->piece[master_piece].facet] : NULL;
    STICK_RESERVE(integral->ctx, integral->share, integral->share_capacity, integral->nshares + 32);
    for (int c = 0; c < piece->ncorners; c++) {
        int j = piece->corner[c];
        StickIntegralSum *sum = &integral->sum[j];
        sum->area += overlap->area[c];
        sum->gap += overlap->gap[c];
        stick_vec_axpy(sum->normal, 1, overlap->normal[c], sum->normal);
        for (int i = 0; i < facet->nnodes; i++)
            add_share(integral, slave, j, slave, facet->node[i], overlap->slave[c][i]);
        for (int k = 0; other && k < other->nnodes; k++)
            add_share(integral, slave, j, master, other->node[k], -overlap->master[c][k]);
    }
    return STICK_OK;
}

static StickStatus integrate_piece(StickIntegral *integral, const StickSearch *search, int piece,
                                   StickHits *hits)
{
    const StickSurface *slave = search->slave, *master = search->master;
    StickOverlap overlap;
    if (search->obstacle) {
        stick_overlap_obstacle(slave, piece, search->obstacle, &overlap);
        return add_overlap(integral, slave, piece, NULL, 0, &overlap);
    }
    // Means over a piece are within reach while its parts may be farther by the size of the piece.
    double reach = search->reach + slave->piece[piece].size;
    StickBox box = stick_surface_piece_box(slave, piece, fmax(reach, master->largest));
    STICK_TRY(stick_bvh_query(search->tree, &box, hits));
    for (size_t i = 0; i < hits->count; i++) {
        int other = hits->item[i];
        if (stick_surface_shares_node(slave, piece, master, other))
            continue;
        if (stick_overlap_pieces(slave, piece, master, other, reach, &overlap))
            STICK_TRY(add_overlap(integral, slave, piece, master, other, &overlap));
    }
    return STICK_OK;
}

// Brings the shares of each slave node together, in the order in which they came.
static StickStatus sort_shares(StickIntegral *integral, int nnodes)
{
    int *start = integral->start;
    STICK_RESERVE(integral->ctx, integral->sorted, integral->sorted_capacity, integral->nshares);
    for (int j = 0; j <= nnodes; j++)
        start[j] = 0;
    for (size_t s = 0; s < integral->nshares; s++)
        start[integral->share[s].j + 1]++;
    for (int j = 0; j < nnodes; j++)
        start[j + 1] += start[j];
    for (size_t s = 0; s < integral->nshares; s++)
        integral->sorted[start[integral->share[s].j]++] = integral->share[s];
    // Every start has moved to the next one's place.
    for (int j = nnodes; j > 0; j--)
        start[j] = start[j - 1];
    start[0] = 0;
    return STICK_OK;
}

// Stencil of slave node j: shares of the same node added up, over the integral of F_j.
static StickStatus gather_stencil(StickIntegral *integral, int j, StickStencil *stencil)
{
    int first = integral->start[j], last = integral->start[j + 1], count = 0;
    STICK_RESERVE(integral->ctx, integral->dof, integral->dof_capacity, last - first);
    STICK_RESERVE(integral->ctx, integral->weight, integral->weight_capacity, last - first);
    for (int s = first; s < last; s++) {
        const StickShare *share = &integral->sorted[s];
        int i = 0;
        while (i < count && integral->dof[i] != share->dof)
            i++;
        if (i == count) {
            integral->dof[count] = share->dof;
            integral->weight[count++] = 0;
        }
        integral->weight[i] += share->value / integral->sum[j].area;
    }
    *stencil = (StickStencil){count, integral->dof, integral->weight};
    return STICK_OK;
}

static StickStatus add_contact(StickIntegral *integral, const StickSearch *search, int j,
                               StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    const StickIntegralSum *sum = &integral->sum[j];
    double normal[3] = {sum->normal[0], sum->normal[1], sum->normal[2]};
    if (!(sum->area > LEAST_AREA * slave->area[j]) || !(stick_vec_normalise(normal) > 0))
        return STICK_OK;
    double gap = (search->obstacle ? sum->gap : stick_vec_dot(sum->offset, normal)) / sum->area;
    if (gap > search->reach)
        return STICK_OK;
    int node = slave->node[j];
    StickContact contact = {
        .pair = search->pair, .feature = node, .node = node, .gap = gap, .area = sum->area};
    StickStencil stencil;
    for (int k = 0; k < 3; k++)
        contact.place[k] = slave->place[3 * j + k];
    stick_contact_frame(slave->dim, normal, contact.frame);
    if (search->obstacle)
        stick_contact_drive(&contact, search->obstacle->velocity);
    STICK_TRY(gather_stencil(integral, j, &stencil));
    return stick_contact_set_add(integral->ctx, set, &contact, &stencil);
}

static StickStatus look_at_middles(const StickSearch *search, StickHits *hits)
{
    const StickSurface *slave = search->slave;
    for (int p = 0; p < slave->npieces; p++) {
        const StickPiece *piece = &slave->piece[p];
        double middle[3], weight[4] = {0};
        for (int k = 0; k < piece->ncorners; k++)
            weight[k] = 1.0 / piece->ncorners;
        stick_piece_point(slave, p, weight, middle);
        STICK_TRY(stick_deep_penetration_look(search, slave->node[piece->corner[0]], middle, hits));
    }
    return STICK_OK;
}

// Where no node is lost, sides that are wider than the master may still be.
static StickStatus look_for_lost(const StickSearch *search, StickHits *hits)
{
    const StickSurface *slave = search->slave;
    int before = search->lost->count;
    for (int j = 0; j < slave->nnodes; j++)
        STICK_TRY(stick_deep_penetration_look(search, slave->node[j], slave->place + 3 * j, hits));
    return search->lost->count == before ? look_at_middles(search, hits) : STICK_OK;
}

StickStatus stick_integrated_detect(StickIntegral *integral, const StickSearch *search, StickHits *hits,
                                    StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    integral->nshares = 0;
    for (int j = 0; j < slave->nnodes; j++)
        integral->sum[j] = (StickIntegralSum){0};
    for (int piece = 0; piece < slave->npieces; piece++)
        STICK_TRY(integrate_piece(integral, search, piece, hits));
    STICK_TRY(sort_shares(integral, slave->nnodes));
    for (int j = 0; j < slave->nnodes; j++)
        STICK_TRY(add_contact(integral, search, j, set));
    return look_for_lost(search, hits);
}

// ---- tips

// Slopes of the sides around a node against the counterface up to FLUSH of the slope by which the node is a tip count as
// flush, from STEEP of it on the node touches alone. Tips that are sharper than SHARP are judged as if they had that slope.
static const double FLUSH = 0.2, STEEP = 0.5, SHARP = 0.05;

// Outlines with smaller slopes are those of smooth surfaces on fine meshes, whose mean gaps close before a node is deeper than
// a hundredth of its side.
static const double SMOOTH_RISE = 0.02;

// The hat function of a node that rises with a slope s over a side of length l has the mean height s l / 3.
static const double MEAN_HEIGHT = 1.0 / 3;

// The share of the mean gap in the gap of a tip; gap: of the node; mean: along the same normal.
static double share_of_mean(double rise, double size, double gap, double mean)
{
    if (!(rise > SMOOTH_RISE))
        return 1;
    double slope = (mean - gap) / (MEAN_HEIGHT * size) / fmin(rise, SHARP);
    return fmax(0, fmin(1, (STEEP - slope) / (STEEP - FLUSH)));
}

// A point of the counterface that a node touches, with its nodes and weights.
typedef struct Opposite {
    double gap, normal[3], rise;
    int layer, count, dof[4];
    double weight[4];
} Opposite;

static StickStatus add_tip(StickIntegral *integral, const StickSearch *search, int j, int feature,
                           const Opposite *opposite, StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    const StickIntegralSum *sum = &integral->sum[j];
    double theta = 0, mean = 0;
    // sides that look away, as those of a narrow wedge do, have no mean gap
    if (sum->area > LEAST_AREA * slave->area[j]) {
        mean = (search->obstacle ? sum->gap : stick_vec_dot(sum->offset, opposite->normal)) / sum->area;
        theta = share_of_mean(integral->rise[j] + opposite->rise, integral->size[j], opposite->gap, mean);
    }
    double gap = (1 - theta) * opposite->gap + theta * mean;
    if (theta == 1 || gap > search->reach)
        return STICK_OK;
    StickContact contact = {.pair = search->pair,
                            .feature = feature,
                            .layer = opposite->layer,
                            .node = slave->node[j],
                            .gap = gap,
                            .area = slave->area[j]};
    for (int k = 0; k < 3; k++)
        contact.place[k] = slave->place[3 * j + k];
    stick_contact_frame(slave->dim, opposite->normal, contact.frame);
    if (search->obstacle)
        stick_contact_drive(&contact, search->obstacle->velocity);
    int dof[5] = {stick_surface_dof(slave, j)};
    double weight[5] = {1};
    for (int k = 0; k < opposite->count; k++) {
        dof[k + 1] = opposite->dof[k];
        weight[k + 1] = -opposite->weight[k];
    }
    return stick_contact_set_add(integral->ctx, set, &contact,
                                 &(StickStencil){opposite->count + 1, dof, weight});
}

// A round obstacle rises from its tangent over a side as a circle does.
static double obstacle_rise(const StickObstacle *obstacle, double size)
{
    StickObstacleKind kind = obstacle->spec->kind;
    bool round = kind != STICK_OBSTACLE_PLANE && kind != STICK_OBSTACLE_POLYLINE && !obstacle->spec->inside;
    return round ? fmin(SMOOTH, 0.5 * size / obstacle->spec->radius) : 0;
}

static StickStatus find_opposite(const StickIntegral *integral, const StickSearch *search, int j,
                                 StickHits *hits, Opposite opposite[STICK_LAYERS], int *count)
{
    const StickSurface *slave = search->slave, *master = search->master;
    const double *place = slave->place + 3 * j;
    double reach = isfinite(search->reach) ? search->reach : slave->largest;
    if (search->obstacle) {
        StickObstacleTouch touch[STICK_LAYERS];
        *count = stick_obstacle_touch(search->obstacle, place, reach, touch);
        for (int k = 0; k < *count; k++) {
            opposite[k] = (Opposite){.gap = touch[k].gap,
                                     .layer = touch[k].layer,
                                     .rise = obstacle_rise(search->obstacle, integral->size[j])};
            memcpy(opposite[k].normal, touch[k].normal, sizeof opposite[k].normal);
        }
        return STICK_OK;
    }
    StickSurfacePoint touch[STICK_LAYERS];
    int found;
    *count = 0;
    STICK_TRY(stick_surface_touch(master, search->tree, place, reach, hits, touch, &found));
    for (int k = 0; k < found; k++) {
        const StickPiece *piece = &master->piece[touch[k].piece];
        Opposite *one = &opposite[*count];
        bool own = false;
        *one = (Opposite){.gap = touch[k].gap, .layer = touch[k].layer};
        memcpy(one->normal, touch[k].normal, sizeof one->normal);
        for (int c = 0; c < piece->ncorners; c++) {
            int node = piece->corner[c];
            own |= slave->body == master->body && master->node[node] == slave->node[j];
            one->rise =
                fmax(one->rise, integral->counter_rise[node] * fmin(1, integral->size[j] / piece->size));
            if (touch[k].weight[c] == 0)
                continue;
            one->dof[one->count] = stick_surface_dof(master, node);
            one->weight[one->count++] = touch[k].weight[c];
        }
        *count += !own;
    }
    return STICK_OK;
}

StickStatus stick_integrated_tips(StickIntegral *integral, const StickSearch *search, int first,
                                  const bool *has_own, StickHits *hits, StickContactSet *set)
{
    const StickSurface *slave = search->slave;
    for (int j = 0; j < slave->nnodes; j++) {
        Opposite opposite[STICK_LAYERS];
        int count;
        if (!(slave->area[j] > 0) || !(integral->rise[j] > -SHARP) || (has_own && has_own[j]))
            continue;
        STICK_TRY(find_opposite(integral, search, j, hits, opposite, &count));
        for (int k = 0; k < count; k++)
            if (stick_vec_dot(opposite[k].normal, slave->normal + 3 * j) < 0)
                STICK_TRY(add_tip(integral, search, j, first + j, &opposite[k], set));
    }
    return STICK_OK;
}

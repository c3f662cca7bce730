// SPDX-License-Identifier: Apache-2.0
#include "contact/integrated.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/lost.h"
#include "contact/overlap.h"
#include "contact/projection.h"

// A contact that covers less than this part of the area of its node is left out.
static const double LEAST_AREA = 1e-10;

static StickStatus create(StickContext *ctx, const StickSurface *slave, StickIntegral *integral)
{
    STICK_ALLOC(ctx, integral->sum, slave->nnodes);
    STICK_ALLOC(ctx, integral->start, slave->nnodes + 1);
    return STICK_OK;
}

StickStatus stick_integral_create(StickContext *ctx, const StickSurface *slave, StickIntegral *integral)
{
    StickIntegral made = {.ctx = ctx};
    StickStatus status = create(ctx, slave, &made);
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
        STICK_TRY(stick_lost_look(search, slave->node[piece->corner[0]], middle, hits));
    }
    return STICK_OK;
}

// Where no node is lost, sides that are wider than the master may still be.
static StickStatus look_for_lost(const StickSearch *search, StickHits *hits)
{
    const StickSurface *slave = search->slave;
    int before = search->lost->count;
    for (int j = 0; j < slave->nnodes; j++)
        STICK_TRY(stick_lost_look(search, slave->node[j], slave->place + 3 * j, hits));
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

// SPDX-License-Identifier: Apache-2.0
#include "contact/surface.h"

#include "base/memory.h"
#include "base/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// One side of a piece by its nodes, for finding the piece beyond it.
typedef struct Side {
    int low, high; // high = -1 in 2D
    int piece, side;
} Side;

void stick_surface_destroy(StickSurface *surface)
{
    StickContext *ctx = surface->ctx;
    stick_free(ctx, surface->area);
    stick_free(ctx, surface->place);
    stick_free(ctx, surface->normal);
    stick_free(ctx, surface->rim);
    stick_free(ctx, surface->facet);
    stick_free(ctx, surface->piece);
    *surface = (StickSurface){0};
}

static int surface_node(const StickSurface *surface, int body_node)
{
    int low = 0, high = surface->nnodes - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (surface->node[middle] < body_node)
            low = middle + 1;
        else
            high = middle;
    }
    assert(surface->node[low] == body_node);
    return low;
}

static void add_piece(StickSurface *surface, int facet, int ncorners, const int *corner, double from,
                      double to)
{
    StickPiece *piece = &surface->piece[surface->npieces++];
    *piece = (StickPiece){.facet = facet, .from = from, .to = to, .ncorners = ncorners};
    for (int k = 0; k < ncorners; k++)
        piece->corner[k] = corner[k];
    for (int k = 0; k < 4; k++)
        piece->neighbour[k] = -1;
}

static void cut_facet(StickSurface *surface, int index)
{
    const StickSurfaceFacet *facet = &surface->facet[index];
    if (facet->shape != STICK_BAR3) {
        add_piece(surface, index, facet->nnodes, facet->node, -1, 1);
        return;
    }
    // The ends come first, then the middle.
    const int halves[2][2] = {{facet->node[0], facet->node[2]}, {facet->node[2], facet->node[1]}};
    add_piece(surface, index, 2, halves[0], -1, 0);
    add_piece(surface, index, 2, halves[1], 0, 1);
    surface->quadratic = true;
}

static double node_distance(const StickSurface *surface, int a, int b)
{
    const double *x = surface->body->mesh.x;
    double sum = 0;
    for (int k = 0; k < surface->dim; k++) {
        double d = x[surface->node[a] * surface->dim + k] - x[surface->node[b] * surface->dim + k];
        sum += d * d;
    }
    return sqrt(sum);
}

static void measure_piece(StickSurface *surface, StickPiece *piece)
{
    for (int a = 0; a < piece->ncorners; a++)
        for (int b = 0; b < a; b++)
            piece->size = fmax(piece->size, node_distance(surface, piece->corner[a], piece->corner[b]));
}

// The end of a bar: it looks away from the rest of its element.
static void measure_point(StickSurface *surface, StickPiece *piece, StickFacet facet)
{
    const StickMesh *mesh = &surface->body->mesh;
    double x = mesh->x[surface->node[piece->corner[0]]];
    for (int i = mesh->start[facet.element]; i < mesh->start[facet.element + 1]; i++) {
        double away = x - mesh->x[mesh->node[i]];
        if (fabs(away) > piece->size) {
            piece->size = fabs(away);
            piece->normal[0] = away > 0 ? 1 : -1;
        }
    }
}

static void take_facets(StickSurface *surface, const StickGroup *group)
{
    const StickMesh *mesh = &surface->body->mesh;
    surface->nfacets = group->nfacets;
    for (int f = 0; f < group->nfacets; f++) {
        int nodes[STICK_MOST_FACET_NODES];
        StickSurfaceFacet *facet = &surface->facet[f];
        facet->shape = stick_mesh_facet_shape(mesh, group->facet[f]);
        facet->nnodes = stick_mesh_facet_nodes(mesh, group->facet[f], nodes);
        for (int k = 0; k < facet->nnodes; k++)
            facet->node[k] = surface_node(surface, nodes[k]);
        cut_facet(surface, f);
    }
    for (int p = 0; p < surface->npieces; p++) {
        StickPiece *piece = &surface->piece[p];
        if (surface->dim == 1)
            measure_point(surface, piece, group->facet[piece->facet]);
        else
            measure_piece(surface, piece);
        surface->largest = fmax(surface->largest, piece->size);
    }
}

static int compare_sides(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    if (x->piece != y->piece)
        return x->piece < y->piece ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static int list_sides(const StickSurface *surface, Side *sides)
{
    int count = 0;
    for (int p = 0; p < surface->npieces; p++) {
        const StickPiece *piece = &surface->piece[p];
        for (int k = 0; k < piece->ncorners; k++) {
            int a = piece->corner[k];
            int b = surface->dim == 3 ? piece->corner[(k + 1) % piece->ncorners] : -1;
            bool turned = b >= 0 && b < a;
            sides[count++] = (Side){turned ? b : a, turned ? a : b, p, k};
        }
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    return count;
}

// Two pieces with the same side are neighbours; a side that only one piece has is on the rim.
static void join_sides(StickSurface *surface, const Side *sides, int count)
{
    for (int i = 0; i < count;) {
        const Side *a = &sides[i], *b = &sides[i + 1];
        if (i + 1 < count && a->low == b->low && a->high == b->high) {
            surface->piece[a->piece].neighbour[a->side] = b->piece;
            surface->piece[b->piece].neighbour[b->side] = a->piece;
            i += 2;
            continue;
        }
        surface->rim[a->low] = true;
        if (a->high >= 0)
            surface->rim[a->high] = true;
        i++;
    }
}

static StickStatus find_neighbours(StickContext *ctx, StickSurface *surface)
{
    Side *sides;
    STICK_ALLOC(ctx, sides, 4 * surface->npieces + 1);
    join_sides(surface, sides, list_sides(surface, sides));
    stick_free(ctx, sides);
    return STICK_OK;
}

static StickStatus share_areas(StickContext *ctx, StickSurface *surface, const StickGroup *group)
{
    double *area;
    if (group->nfacets == 0) {
        // The section of a bar is known without facets.
        for (int i = 0; i < surface->nnodes && surface->dim == 1; i++)
            surface->area[i] = surface->body->continuum.thickness;
        return STICK_OK;
    }
    STICK_ALLOC(ctx, area, surface->body->mesh.nnodes);
    StickStatus status =
        stick_fem_facet_areas(ctx, &surface->body->continuum, group->facet, group->nfacets, area);
    for (int i = 0; i < surface->nnodes && status == STICK_OK; i++)
        surface->area[i] = area[surface->node[i]];
    stick_free(ctx, area);
    return status;
}

static const double *corner_place(const StickSurface *surface, const StickPiece *piece, int k)
{
    return surface->place + 3 * piece->corner[k % piece->ncorners];
}

static void turn_piece(StickSurface *surface, StickPiece *piece)
{
    double a[3], b[3];
    if (surface->dim == 2) {
        stick_vec_sub(corner_place(surface, piece, 1), corner_place(surface, piece, 0), a);
        piece->normal[0] = a[1], piece->normal[1] = -a[0], piece->normal[2] = 0;
    } else if (surface->dim == 3) {
        // Triangle: from its first corner; quad: its diagonals.
        int from = piece->ncorners == 4 ? 1 : 0;
        stick_vec_sub(corner_place(surface, piece, piece->ncorners == 4 ? 2 : 1),
                      corner_place(surface, piece, 0), a);
        stick_vec_sub(corner_place(surface, piece, piece->ncorners == 4 ? 3 : 2),
                      corner_place(surface, piece, from), b);
        stick_vec_cross(a, b, piece->normal);
    }
    stick_vec_normalise(piece->normal);
}

static void take_made_normals(StickSurface *surface)
{
    const double *x = surface->body->mesh.x;
    for (int i = 0; i < surface->nnodes; i++)
        for (int k = 0; k < 3; k++)
            surface->place[3 * i + k] = k < surface->dim ? x[surface->node[i] * surface->dim + k] : 0;
    for (int p = 0; p < surface->npieces; p++) {
        turn_piece(surface, &surface->piece[p]);
        memcpy(surface->piece[p].made, surface->piece[p].normal, sizeof surface->piece[p].made);
    }
}

static StickStatus create(StickContext *ctx, const StickGroup *group, StickSurface *surface)
{
    STICK_ALLOC(ctx, surface->area, group->nnodes);
    STICK_ALLOC(ctx, surface->place, 3 * group->nnodes);
    STICK_ALLOC(ctx, surface->normal, 3 * group->nnodes);
    STICK_ALLOC(ctx, surface->rim, group->nnodes);
    STICK_ALLOC(ctx, surface->facet, group->nfacets);
    STICK_ALLOC(ctx, surface->piece, 2 * group->nfacets);
    STICK_TRY(share_areas(ctx, surface, group));
    take_facets(surface, group);
    take_made_normals(surface);
    return surface->dim > 1 ? find_neighbours(ctx, surface) : STICK_OK;
}

StickStatus stick_surface_create(StickContext *ctx, const StickBody *body, int dim, const StickGroup *group,
                                 StickSurface *surface)
{
    StickSurface made = {.ctx = ctx, .body = body, .dim = dim, .nnodes = group->nnodes, .node = group->node};
    StickStatus status = create(ctx, group, &made);
    if (status != STICK_OK)
        stick_surface_destroy(&made);
    else
        *surface = made;
    return status;
}

static double corner_angle(const StickSurface *surface, const StickPiece *piece, int k)
{
    if (surface->dim < 3)
        return 1;
    double a[3], b[3], c[3];
    stick_vec_sub(corner_place(surface, piece, k + 1), corner_place(surface, piece, k), a);
    stick_vec_sub(corner_place(surface, piece, k + piece->ncorners - 1), corner_place(surface, piece, k), b);
    stick_vec_cross(a, b, c);
    return atan2(stick_vec_norm(c), stick_vec_dot(a, b));
}

// Nodes of a rigid body: its pose is found once for all.
static void place_rigid(StickSurface *surface, const double *q)
{
    const StickBody *body = surface->body;
    const double *skin = body->rigid->solid->skin.x;
    surface->pose = stick_rigid_pose(body->rigid, q + body->first);
    for (int i = 0; i < surface->nnodes; i++) {
        double x[3] = {0};
        for (int k = 0; k < surface->dim; k++)
            x[k] = skin[surface->node[i] * surface->dim + k];
        stick_pose_place(&surface->pose, x, surface->place + 3 * i);
    }
}

void stick_surface_update(StickSurface *surface, const double *q)
{
    bool rigid = surface->body && surface->body->rigid;
    if (rigid)
        place_rigid(surface, q);
    for (int i = 0; i < surface->nnodes; i++) {
        double *normal = surface->normal + 3 * i;
        if (!rigid)
            stick_body_place(surface->body, surface->dim, surface->node[i], q, surface->place + 3 * i);
        normal[0] = normal[1] = normal[2] = 0;
    }
    for (int p = 0; p < surface->npieces; p++) {
        StickPiece *piece = &surface->piece[p];
        turn_piece(surface, piece);
        for (int k = 0; k < piece->ncorners; k++) {
            double *normal = surface->normal + 3 * piece->corner[k];
            stick_vec_axpy(normal, corner_angle(surface, piece, k), piece->normal, normal);
        }
    }
    for (int i = 0; i < surface->nnodes; i++)
        stick_vec_normalise(surface->normal + 3 * i);
}

int stick_surface_dof(const StickSurface *surface, int node)
{
    return surface->body->first + surface->node[node] * surface->dim;
}

StickBox stick_surface_piece_box(const StickSurface *surface, int index, double margin)
{
    const StickPiece *piece = &surface->piece[index];
    StickBox box = stick_box_around(corner_place(surface, piece, 0), 1, 0);
    for (int k = 1; k < piece->ncorners; k++)
        stick_box_include(&box, corner_place(surface, piece, k));
    for (int k = 0; k < 3; k++) {
        box.low[k] -= margin;
        box.high[k] += margin;
    }
    return box;
}

StickStatus stick_surface_tree(StickContext *ctx, const StickSurface *surface, StickBvh *tree)
{
    StickBox *box;
    STICK_ALLOC(ctx, box, surface->npieces);
    for (int p = 0; p < surface->npieces; p++)
        box[p] = stick_surface_piece_box(surface, p, 0);
    StickStatus status = stick_bvh_create(ctx, box, surface->npieces, tree);
    stick_free(ctx, box);
    return status;
}

void stick_surface_refit(const StickSurface *surface, StickBvh *tree)
{
    for (int p = 0; p < surface->npieces; p++)
        tree->box[p] = stick_surface_piece_box(surface, p, 0);
    stick_bvh_refit(tree);
}

bool stick_surface_shares_node(const StickSurface *a, int piece_a, const StickSurface *b, int piece_b)
{
    if (a->body != b->body)
        return false;
    for (int i = 0; i < a->piece[piece_a].ncorners; i++)
        for (int j = 0; j < b->piece[piece_b].ncorners; j++)
            if (a->node[a->piece[piece_a].corner[i]] == b->node[b->piece[piece_b].corner[j]])
                return true;
    return false;
}

// ---- rotation

// One step to the polar factor: R <- (R + R^-T) / 2. false: R has no inverse.
static bool average_with_inverse(double R[3][3], double *change)
{
    double C[3][3], determinant = 0;
    for (int i = 0; i < 3; i++)
        stick_vec_cross(R[(i + 1) % 3], R[(i + 2) % 3], C[i]); // cofactors: R^-T = C / det
    determinant = stick_vec_dot(R[0], C[0]);
    if (!(determinant > 0))
        return false;
    *change = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double next = 0.5 * (R[i][k] + C[i][k] / determinant);
            *change = fmax(*change, fabs(next - R[i][k]));
            R[i][k] = next;
        }
    return true;
}

void stick_surface_rotation(const StickSurface *surface, double R[3][3])
{
    enum { STEPS = 60 };
    const double *x = surface->body->mesh.x;
    int dim = surface->dim;
    double made[3] = {0}, now[3] = {0}, share = 1.0 / surface->nnodes, scale = 0, change = 1;
    for (int i = 0; i < surface->nnodes; i++)
        for (int k = 0; k < 3; k++) {
            made[k] += k < dim ? share * x[surface->node[i] * dim + k] : 0;
            now[k] += share * surface->place[3 * i + k];
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            R[i][k] = 0;
    for (int i = 0; i < surface->nnodes; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < dim; b++)
                R[a][b] += (surface->place[3 * i + a] - now[a]) * (x[surface->node[i] * dim + b] - made[b]);
    for (int i = 0; i < 3; i++)
        scale += stick_vec_dot(R[i], R[i]);
    scale = sqrt(scale);
    if (dim == 2)
        R[2][2] = scale;
    // a flat surface has no moments across: the normals of its pieces give them
    for (int p = 0; p < surface->npieces; p++) {
        const StickPiece *piece = &surface->piece[p];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                R[a][b] += scale / surface->npieces * piece->normal[a] * piece->made[b];
    }
    bool regular = scale > 0;
    for (int i = 0; i < 3 && regular; i++)
        for (int k = 0; k < 3; k++)
            R[i][k] /= scale;
    for (int step = 0; step < STEPS && regular && change > 1e-12; step++)
        regular = average_with_inverse(R, &change);
    for (int i = 0; i < 3 && !regular; i++)
        for (int k = 0; k < 3; k++)
            R[i][k] = i == k;
}

// SPDX-License-Identifier: Apache-2.0
// Integrals over sides of elements: tractions, pressures that follow them, and areas.
#include "fem/element.h"

#include "base/memory.h"
#include "base/vec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The present side.
typedef struct Side {
    const StickContinuum *continuum;
    StickFacet facet;
    StickShape shape;
    int nnodes;
    int node[STICK_MOST_FACET_NODES];
    double x[STICK_MOST_FACET_NODES][3]; // zeros beyond dim
} Side;

typedef struct SidePoint {
    double N[STICK_MOST_ELEMENT_NODES];
    double place[3];
    double normal[3]; // outward, length 1
    double dA;        // holds the thickness (2D), the section (1D) or 2 pi r (ring)
} SidePoint;

static StickStatus check_facet(StickContext *ctx, const StickContinuum *continuum, StickFacet facet)
{
    const StickMesh *mesh = continuum->mesh;
    STICK_CHECK(ctx, facet.element >= 0 && facet.element < mesh->nelements, STICK_BAD_MESH,
                "a side names element %d of %d", facet.element, mesh->nelements);
    STICK_TRY(stick_continuum_check_element(ctx, continuum, facet.element));
    const StickShapeInfo *info = stick_shape_info(mesh->shape[facet.element]);
    STICK_CHECK(ctx, facet.side >= 0 && facet.side < info->nsides, STICK_BAD_MESH,
                "side %d of element %lld (%s), but it has sides 0 to %d", facet.side,
                stick_mesh_element_tag(mesh, facet.element), info->name, info->nsides - 1);
    return STICK_OK;
}

static StickStatus check_facets(StickContext *ctx, const StickContinuum *continuum, const StickFacet *facet,
                                int nfacets)
{
    STICK_TRY(stick_continuum_check(ctx, continuum));
    for (int k = 0; k < nfacets; k++)
        STICK_TRY(check_facet(ctx, continuum, facet[k]));
    return STICK_OK;
}

static Side side_at(const StickContinuum *continuum, StickFacet facet)
{
    const StickMesh *mesh = continuum->mesh;
    Side side = {.continuum = continuum, .facet = facet, .shape = stick_mesh_facet_shape(mesh, facet)};
    side.nnodes = stick_mesh_facet_nodes(mesh, facet, side.node);
    for (int a = 0; a < side.nnodes; a++)
        for (int k = 0; k < mesh->dim; k++)
            side.x[a][k] = mesh->x[side.node[a] * mesh->dim + k];
    return side;
}

// ---- points

// The end of a bar looks away from the middle of the bar.
static void end_normal(const Side *side, double normal[3])
{
    StickElement bar = stick_element_at(side->continuum, side->facet.element);
    double middle = 0.5 * (bar.x[0][0] + bar.x[1][0]);
    normal[0] = side->x[0][0] > middle ? 1 : -1;
    normal[1] = normal[2] = 0;
}

// Normal times the ratio of true to reference area: the body is on the left of a line, and a face turns
// anticlockwise.
static void area_vector(const Side *side, const double dN[][3], double vector[3])
{
    double J[2][3] = {{0}};
    for (int a = 0; a < side->nnodes; a++)
        for (int k = 0; k < 2; k++)
            stick_vec_axpy(J[k], dN[a][k], side->x[a], J[k]);
    switch (side->continuum->mesh->dim) {
    case 1:
        end_normal(side, vector);
        return;
    case 2:
        vector[0] = J[0][1], vector[1] = -J[0][0], vector[2] = 0;
        return;
    default:
        stick_vec_cross(J[0], J[1], vector);
    }
}

static StickStatus side_point(StickContext *ctx, const Side *side, const double place[3], double weight,
                              SidePoint *point)
{
    double dN[STICK_MOST_ELEMENT_NODES][3];
    stick_shape_values(side->shape, place, point->N);
    stick_shape_derivatives(side->shape, place, dN);
    memset(point->place, 0, sizeof point->place);
    for (int a = 0; a < side->nnodes; a++)
        stick_vec_axpy(point->place, point->N[a], side->x[a], point->place);
    area_vector(side, (const double(*)[3])dN, point->normal);
    double ratio = stick_vec_normalise(point->normal);
    STICK_CHECK(ctx, ratio > 0 && isfinite(ratio), STICK_BAD_MESH, "side %d of element %lld has no area",
                side->facet.side, stick_mesh_element_tag(side->continuum->mesh, side->facet.element));
    point->dA = weight * ratio * stick_continuum_depth(side->continuum, point->place[0]);
    return STICK_OK;
}

// ---- integrals

// Nodal forces of one side.
static StickStatus integrate_traction(StickContext *ctx, const Side *side, StickTraction traction, void *user,
                                      double force[STICK_MOST_FACET_NODES][3])
{
    const StickQuadrature *quadrature = stick_mass_quadrature(side->shape);
    for (int p = 0; p < quadrature->count; p++) {
        SidePoint point;
        double value[3] = {0};
        STICK_TRY(side_point(ctx, side, quadrature->place[p], quadrature->weight[p], &point));
        STICK_TRY(traction(user, point.place, point.normal, value));
        for (int a = 0; a < side->nnodes; a++)
            stick_vec_axpy(force[a], point.dA * point.N[a], value, force[a]);
    }
    return STICK_OK;
}

static StickStatus integrate_area(StickContext *ctx, const Side *side, double share[STICK_MOST_FACET_NODES])
{
    const StickQuadrature *quadrature = stick_mass_quadrature(side->shape);
    for (int p = 0; p < quadrature->count; p++) {
        SidePoint point;
        STICK_TRY(side_point(ctx, side, quadrature->place[p], quadrature->weight[p], &point));
        for (int a = 0; a < side->nnodes; a++)
            share[a] += point.dA * point.N[a];
    }
    return STICK_OK;
}

typedef struct SideForce {
    double of[STICK_MOST_FACET_NODES][3];
} SideForce;

static void add_force(const StickMesh *mesh, StickFacet facet, const SideForce *force, double *f)
{
    int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(mesh, facet, node);
    for (int a = 0; a < count; a++)
        for (int k = 0; k < mesh->dim; k++)
            f[node[a] * mesh->dim + k] += force->of[a][k];
}

StickStatus stick_fem_facet_load(StickContext *ctx, const StickContinuum *continuum, const StickFacet *facet,
                                 int nfacets, StickTraction traction, void *user, double *f)
{
    // All forces first, so that a traction that fails leaves f as it was.
    SideForce *force;
    StickStatus status = STICK_OK;
    STICK_TRY(check_facets(ctx, continuum, facet, nfacets));
    STICK_ALLOC(ctx, force, nfacets);
    for (int k = 0; k < nfacets && status == STICK_OK; k++) {
        Side side = side_at(continuum, facet[k]);
        status = integrate_traction(ctx, &side, traction, user, force[k].of);
    }
    for (int k = 0; k < nfacets && status == STICK_OK; k++)
        add_force(continuum->mesh, facet[k], &force[k], f);
    stick_free(ctx, force);
    return status;
}

// ---- pressures that follow

// A side in its displaced position, at one point of its quadrature.
typedef struct MovedPoint {
    double N[STICK_MOST_ELEMENT_NODES], dN[STICK_MOST_ELEMENT_NODES][3];
    double g[2][3];   // tangents
    double vector[3]; // see area_vector
    double push;      // minus pressure times weight and depth ...
    double swell;     // ... and its growth with the radius, of a ring
} MovedPoint;

static Side moved_side(const StickContinuum *continuum, StickFacet facet, const double *q)
{
    int dim = continuum->mesh->dim;
    Side side = side_at(continuum, facet);
    for (int a = 0; a < side.nnodes; a++)
        for (int k = 0; k < dim; k++)
            side.x[a][k] += q[side.node[a] * dim + k];
    return side;
}

static StickStatus moved_point(const Side *side, const StickModeTracker *follower, int p, MovedPoint *point)
{
    const StickQuadrature *quadrature = stick_mass_quadrature(side->shape);
    const StickMesh *mesh = side->continuum->mesh;
    double first[3] = {0}, radius = 0, pressure;
    memset(point, 0, sizeof *point);
    stick_shape_values(side->shape, quadrature->place[p], point->N);
    stick_shape_derivatives(side->shape, quadrature->place[p], point->dN);
    for (int a = 0; a < side->nnodes; a++) {
        for (int k = 0; k < mesh->dim; k++)
            first[k] += point->N[a] * mesh->x[side->node[a] * mesh->dim + k];
        for (int k = 0; k < 2; k++)
            stick_vec_axpy(point->g[k], point->dN[a][k], side->x[a], point->g[k]);
        radius += point->N[a] * side->x[a][0];
    }
    area_vector(side, (const double(*)[3])point->dN, point->vector);
    STICK_TRY(follower->pressure(follower->user, first, &pressure));
    double weight = -pressure * quadrature->weight[p];
    point->push = weight * stick_continuum_depth(side->continuum, radius);
    point->swell =
        stick_continuum_is_ring(side->continuum) ? weight * stick_continuum_depth(side->continuum, 1) : 0;
    return STICK_OK;
}

// d vector / d x_b: of the plane it turns with the tangent, in space it is g1 x g2.
static void turn_of_vector(const Side *side, const MovedPoint *point, int b, double turn[3][3])
{
    double arm[3];
    memset(turn, 0, 9 * sizeof(double));
    if (side->continuum->mesh->dim == 2) {
        turn[0][1] = point->dN[b][0];
        turn[1][0] = -point->dN[b][0];
        return;
    }
    // e_k x (dN_1 g2 - dN_2 g1) for every axis k
    for (int k = 0; k < 3; k++)
        arm[k] = point->dN[b][0] * point->g[1][k] - point->dN[b][1] * point->g[0][k];
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, column[3];
        stick_vec_cross(axis, arm, column);
        for (int i = 0; i < 3; i++)
            turn[i][k] = column[i];
    }
}

enum { MOST_SIDE_DOFS = 3 * STICK_MOST_FACET_NODES };

// D += df/dx of one point, dim x nnodes each way
static void add_derivative(const Side *side, const MovedPoint *point,
                           double D[MOST_SIDE_DOFS][MOST_SIDE_DOFS])
{
    int dim = side->continuum->mesh->dim;
    for (int b = 0; b < side->nnodes; b++) {
        double turn[3][3];
        turn_of_vector(side, point, b, turn);
        for (int i = 0; i < dim; i++) {
            turn[i][0] = point->push * turn[i][0] + point->swell * point->N[b] * point->vector[i];
            for (int k = 1; k < dim; k++)
                turn[i][k] *= point->push;
        }
        for (int a = 0; a < side->nnodes; a++)
            for (int i = 0; i < dim; i++)
                for (int k = 0; k < dim; k++)
                    D[a * dim + i][b * dim + k] += point->N[a] * turn[i][k];
    }
}

static void take_symmetric_part(const Side *side, double D[MOST_SIDE_DOFS][MOST_SIDE_DOFS],
                                const StickSparse *pattern, double *tangent)
{
    int dim = side->continuum->mesh->dim, n = side->nnodes * dim;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int at = stick_sparse_find(pattern, side->node[i / dim] * dim + i % dim,
                                       side->node[j / dim] * dim + j % dim);
            assert(at >= 0);
            tangent[at] -= 0.5 * (D[i][j] + D[j][i]);
        }
    }
}

static StickStatus check_follower(StickContext *ctx, const StickContinuum *continuum,
                                  const StickModeTracker *follower)
{
    STICK_CHECK(ctx, continuum->mesh->dim > 1, STICK_BAD_INPUT,
                "a pressure that follows the ends of a bar of dimension %d: they do not turn",
                continuum->mesh->dim);
    return check_facets(ctx, continuum, follower->facet, follower->nfacets);
}

StickStatus stick_fem_follower_load(StickContext *ctx, const StickContinuum *continuum,
                                    const StickModeTracker *follower, double *f)
{
    SideForce *force;
    StickStatus status = STICK_OK;
    STICK_TRY(check_follower(ctx, continuum, follower));
    STICK_ALLOC(ctx, force, follower->nfacets);
    for (int k = 0; k < follower->nfacets && status == STICK_OK; k++) {
        Side side = moved_side(continuum, follower->facet[k], follower->q);
        for (int p = 0; p < stick_mass_quadrature(side.shape)->count && status == STICK_OK; p++) {
            MovedPoint point;
            status = moved_point(&side, follower, p, &point);
            for (int a = 0; a < side.nnodes && status == STICK_OK; a++)
                stick_vec_axpy(force[k].of[a], point.push * point.N[a], point.vector, force[k].of[a]);
        }
    }
    for (int k = 0; k < follower->nfacets && status == STICK_OK; k++)
        add_force(continuum->mesh, follower->facet[k], &force[k], f);
    stick_free(ctx, force);
    return status;
}

StickStatus stick_fem_follower_tangent(StickContext *ctx, const StickContinuum *continuum,
                                       const StickModeTracker *follower, const StickSparse *pattern,
                                       double *tangent)
{
    STICK_TRY(check_follower(ctx, continuum, follower));
    for (int k = 0; k < follower->nfacets; k++) {
        Side side = moved_side(continuum, follower->facet[k], follower->q);
        double D[MOST_SIDE_DOFS][MOST_SIDE_DOFS] = {{0}};
        for (int p = 0; p < stick_mass_quadrature(side.shape)->count; p++) {
            MovedPoint point;
            STICK_TRY(moved_point(&side, follower, p, &point));
            add_derivative(&side, &point, D);
        }
        take_symmetric_part(&side, D, pattern, tangent);
    }
    return STICK_OK;
}

// ---- areas

StickStatus stick_fem_facet_areas(StickContext *ctx, const StickContinuum *continuum, const StickFacet *facet,
                                  int nfacets, double *area)
{
    int nnodes = continuum->mesh->nnodes;
    double *sum;
    StickStatus status = STICK_OK;
    STICK_TRY(check_facets(ctx, continuum, facet, nfacets));
    STICK_ALLOC(ctx, sum, nnodes);
    for (int k = 0; k < nfacets && status == STICK_OK; k++) {
        double share[STICK_MOST_FACET_NODES] = {0};
        Side side = side_at(continuum, facet[k]);
        status = integrate_area(ctx, &side, share);
        for (int a = 0; a < side.nnodes; a++)
            sum[side.node[a]] += share[a];
    }
    if (status == STICK_OK)
        memcpy(area, sum, (size_t)nnodes * sizeof *area);
    stick_free(ctx, sum);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
// Stresses and other results of a body under finite deformation. Values at the integration points of an element are
// extrapolated to its nodes by a linear least-squares fit, and averaged there over elements.
#include "base/memory.h"
#include "fem/finite_body.h"

enum {
    TERMS = 4, // 1, and the coordinates of the reference element
    VALUES = 7 // at a point: stress, plastic strain
};

typedef struct Recovery {
    StickFinite *finite;
    const double *q, *history;
    StickFiniteFields fields;
    double weight[STICK_MOST_ELEMENT_NODES]
                 [STICK_MOST_QUADRATURE]; // of the points at each node, of the shape at hand
    double *sum;                          // nnodes x VALUES
    int *count;                           // nnodes
    double *cell;                         // nelements x 2: pressure, theta
} Recovery;

// ---- from points to nodes

static void terms(int dim, const double place[3], double phi[TERMS])
{
    phi[0] = 1;
    for (int k = 0; k < 3; k++)
        phi[1 + k] = k < dim ? place[k] : 0;
}

// x = A^-1 b of a positive definite matrix, which is lost.
static void eliminate(int n, double A[TERMS][TERMS], double x[TERMS])
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            double c = A[i][k] / A[k][k];
            for (int j = k; j < n; j++)
                A[i][j] -= c * A[k][j];
            x[i] -= c * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

// Least squares over the points: weight_p = phi(node)' [sum_p phi phi']^-1 phi_p.
static void weigh(const StickQuadrature *points, int dim, const double place[3], double *weight)
{
    int n = points->count > dim ? dim + 1 : 1; // too few points: their mean
    double A[TERMS][TERMS] = {{0}}, phi[TERMS], x[TERMS];
    for (int p = 0; p < points->count; p++) {
        terms(dim, points->place[p], phi);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[i][j] += phi[i] * phi[j];
    }
    terms(dim, place, x);
    eliminate(n, A, x);
    for (int p = 0; p < points->count; p++) {
        terms(dim, points->place[p], phi);
        weight[p] = 0;
        for (int i = 0; i < n; i++)
            weight[p] += x[i] * phi[i];
    }
}

static void take_shape(Recovery *recovery, StickShape shape)
{
    const StickShapeInfo *info = stick_shape_info(shape);
    const StickQuadrature *points = stick_element_quadrature(recovery->finite->continuum, shape);
    for (int a = 0; a < info->nodes; a++) {
        double place[3];
        stick_shape_node_place(shape, a, place);
        weigh(points, info->dim, place, recovery->weight[a]);
    }
}

// ---- one element

static StickStatus evaluate(const Recovery *recovery, int e, StickFiniteElement *element)
{
    const StickContinuum *continuum = recovery->finite->continuum;
    double room[STICK_MOST_QUADRATURE * STICK_MOST_MATERIAL_HISTORY];
    stick_finite_take(recovery->finite, e, recovery->q, element);
    stick_finite_take_history(recovery->finite, e, recovery->history, room, element);
    element->h = 0;
    element->tangent = false;
    element->no_loss = true;
    if (stick_finite_element(element))
        return STICK_OK;
    return STICK_CONTINUUM_FAIL(recovery->finite->ctx, continuum, STICK_BAD_INPUT,
                                "element %lld is inverted, or its material has no state: it has no stress",
                                stick_mesh_element_tag(continuum->mesh, e));
}

static void values_at(const StickFiniteElement *element, int p, double value[VALUES])
{
    for (int i = 0; i < 6; i++)
        value[i] = element->tau[p][i] / element->J[p];
    value[6] = stick_material_plastic_strain(element->material, element->past + p * element->nhistory);
}

static void spread(Recovery *recovery, int e, const StickFiniteElement *element)
{
    const StickMesh *mesh = recovery->finite->continuum->mesh;
    const int *node = mesh->node + mesh->start[e];
    for (int p = 0; p < element->npoints; p++) {
        double value[VALUES];
        values_at(element, p, value);
        for (int a = 0; a < element->nnodes; a++)
            for (int i = 0; i < VALUES; i++)
                recovery->sum[VALUES * node[a] + i] += recovery->weight[a][p] * value[i];
    }
    for (int a = 0; a < element->nnodes; a++)
        recovery->count[node[a]]++;
}

// Mean over the current volume; dV is the first stored value of each point.
static double mean_pressure(const StickFiniteElement *element)
{
    int stride = stick_finite_point_size(element->dim, element->nnodes, element->ring);
    double sum = 0;
    for (int p = 0; p < element->npoints; p++) {
        const double *tau = element->tau[p];
        sum -= element->reference[p * stride] * (tau[0] + tau[1] + tau[2]) / 3;
    }
    return sum / (element->volume * element->theta);
}

// ---- all elements

static StickStatus sum_up(Recovery *recovery)
{
    const StickMesh *mesh = recovery->finite->continuum->mesh;
    for (int e = 0; e < mesh->nelements; e++) {
        StickFiniteElement element;
        if (e == 0 || mesh->shape[e] != mesh->shape[e - 1])
            take_shape(recovery, mesh->shape[e]);
        STICK_TRY(evaluate(recovery, e, &element));
        spread(recovery, e, &element);
        recovery->cell[2 * e] = mean_pressure(&element);
        recovery->cell[2 * e + 1] = element.theta;
    }
    return STICK_OK;
}

static void average(const Recovery *recovery)
{
    const StickFiniteFields *fields = &recovery->fields;
    for (int node = 0; node < recovery->finite->continuum->mesh->nnodes; node++) {
        const double *sum = recovery->sum + VALUES * (size_t)node;
        int count = recovery->count[node] > 0 ? recovery->count[node] : 1;
        for (int i = 0; i < 6 && fields->stress; i++)
            fields->stress[6 * node + i] = sum[i] / count;
        // extrapolated from a steep field it may fall below zero
        if (fields->plastic)
            fields->plastic[node] = sum[6] > 0 ? sum[6] / count : 0;
    }
    for (int e = 0; e < recovery->finite->continuum->mesh->nelements; e++) {
        if (fields->pressure)
            fields->pressure[e] = recovery->cell[2 * e];
        if (fields->volume)
            fields->volume[e] = recovery->cell[2 * e + 1];
    }
}

StickStatus stick_finite_fields(StickFinite *finite, const double *q, const double *history,
                                const StickFiniteFields *fields)
{
    const StickMesh *mesh = finite->continuum->mesh;
    size_t nnodes = (size_t)mesh->nnodes;
    Recovery recovery = {.finite = finite, .q = q, .history = history, .fields = *fields};
    recovery.sum = stick_alloc(finite->ctx, VALUES * nnodes, sizeof *recovery.sum);
    recovery.count = stick_alloc(finite->ctx, nnodes, sizeof *recovery.count);
    recovery.cell = stick_alloc(finite->ctx, 2 * (size_t)mesh->nelements, sizeof *recovery.cell);
    bool room = recovery.sum && recovery.count && recovery.cell;
    StickStatus status = room ? sum_up(&recovery) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        average(&recovery);
    stick_free(finite->ctx, recovery.sum);
    stick_free(finite->ctx, recovery.count);
    stick_free(finite->ctx, recovery.cell);
    return status;
}

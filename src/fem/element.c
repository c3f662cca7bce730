// SPDX-License-Identifier: Apache-2.0
#include "fem/element.h"

#include "base/check.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

StickElement stick_element_at(const StickContinuum *continuum, int number)
{
    const StickMesh *mesh = continuum->mesh;
    StickElement element = {
        .continuum = continuum,
        .number = number,
        .shape = mesh->shape[number],
        .dim = mesh->dim,
        .nnodes = mesh->start[number + 1] - mesh->start[number],
        .node = mesh->node + mesh->start[number],
    };
    for (int a = 0; a < element.nnodes; a++)
        for (int k = 0; k < mesh->dim; k++)
            element.x[a][k] = mesh->x[element.node[a] * mesh->dim + k];
    return element;
}

// ---- points

// J[k] = dx / dxi_k, with unit vectors in the directions that the element does not have.
static void tangents(const StickElement *element, const double dN[][3], double J[3][3])
{
    double sum[9] = {0};
    for (int a = 0; a < element->nnodes; a++) {
        const double *d = dN[a], *x = element->x[a];
        sum[0] += d[0] * x[0], sum[1] += d[0] * x[1], sum[2] += d[0] * x[2];
        sum[3] += d[1] * x[0], sum[4] += d[1] * x[1], sum[5] += d[1] * x[2];
        sum[6] += d[2] * x[0], sum[7] += d[2] * x[1], sum[8] += d[2] * x[2];
    }
    memcpy(J, sum, sizeof sum);
    for (int k = element->dim; k < 3; k++)
        J[k][k] = 1;
}

static double radius(const StickElement *element, const double *N)
{
    double r = 0;
    for (int a = 0; a < element->nnodes; a++)
        r += N[a] * element->x[a][0];
    return r;
}

static StickStatus fail_geometry(StickContext *ctx, const StickElement *element, double determinant,
                                 double depth)
{
    const char *name = stick_shape_info(element->shape)->name;
    long long tag = stick_mesh_element_tag(element->continuum->mesh, element->number);
    if (!(determinant > 0))
        return STICK_CONTINUUM_FAIL(ctx, element->continuum, STICK_BAD_MESH,
                                    "element %lld (%s) is inverted or degenerate: its Jacobian is %g", tag,
                                    name, determinant);
    return STICK_CONTINUUM_FAIL(ctx, element->continuum, STICK_BAD_MESH,
                                "element %lld (%s) reaches the axis from the wrong side (2 pi r is %g)", tag,
                                name, depth);
}

// Jacobian and volume at a point of the table; normal / determinant are the gradients of the reference
// coordinates.
static StickStatus measure(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                           int p, double normal[3][3], double *determinant, double *dV)
{
    double J[3][3];
    tangents(element, table->dN[p], J);
    for (int k = 0; k < 3; k++)
        stick_vec_cross(J[(k + 1) % 3], J[(k + 2) % 3], normal[k]);
    *determinant = stick_vec_dot(J[0], normal[0]);
    double depth = stick_continuum_depth(element->continuum, radius(element, table->N[p]));
    if (!(*determinant > 0 && depth > 0))
        return fail_geometry(ctx, element, *determinant, depth);
    *dV = table->weight[p] * *determinant * depth;
    return STICK_OK;
}

static StickStatus point_at(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                            int p, StickElementPoint *point)
{
    double normal[3][3], determinant;
    STICK_TRY(measure(ctx, element, table, p, normal, &determinant, &point->dV));
    bool ring = stick_continuum_is_ring(element->continuum);
    double r = ring ? radius(element, table->N[p]) : 1;
    for (int a = 0; a < element->nnodes; a++) {
        for (int k = 0; k < 3; k++) {
            double g = 0;
            for (int l = 0; l < element->dim; l++)
                g += table->dN[p][a][l] * normal[l][k];
            point->g[a][k] = point->h[a][k] = g / determinant;
        }
        point->hoop[a] = ring ? table->N[p][a] / r : 0;
        point->h[a][0] += point->hoop[a];
    }
    return STICK_OK;
}

const StickQuadrature *stick_element_quadrature(const StickContinuum *continuum, StickShape shape)
{
    return stick_continuum_is_ring(continuum) ? stick_mass_quadrature(shape)
                                              : stick_stiffness_quadrature(shape);
}

StickStatus stick_element_points(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                                 StickElementPoints *points)
{
    assert(table->shape == element->shape);
    points->count = table->count;
    for (int p = 0; p < table->count; p++)
        STICK_TRY(point_at(ctx, element, table, p, &points->point[p]));
    return STICK_OK;
}

double stick_element_mean(const StickElement *element, const StickElementPoints *points,
                          double mean[STICK_MOST_ELEMENT_NODES][3])
{
    double V = 0;
    memset(mean, 0, STICK_MOST_ELEMENT_NODES * sizeof *mean);
    for (int p = 0; p < points->count; p++) {
        const StickElementPoint *point = &points->point[p];
        V += point->dV;
        for (int a = 0; a < element->nnodes; a++)
            stick_vec_axpy(mean[a], point->dV, point->h[a], mean[a]);
    }
    for (int a = 0; a < element->nnodes; a++)
        for (int k = 0; k < 3; k++)
            mean[a][k] /= V;
    return V;
}

// ---- stiffness

// Adds c u_a u_b' for every pair of nodes b >= a. Callers in a loop give dim as a constant: it unrolls.
static inline void add_products(int dim, int nnodes, double c, const double u[][3],
                                double K[][STICK_MOST_ELEMENT_DOFS])
{
    for (int a = 0; a < nnodes; a++) {
        for (int i = 0; i < dim; i++) {
            double cu = c * u[a][i], *row = K[a * dim + i];
            for (int b = a; b < nnodes; b++)
                for (int j = 0; j < dim; j++)
                    row[b * dim + j] += cu * u[b][j];
        }
    }
}

// Adds c (g_b g_a' + g_a.g_b 1) for every pair of nodes b >= a.
static inline void add_shear(int dim, int nnodes, double c, const double g[][3],
                             double K[][STICK_MOST_ELEMENT_DOFS])
{
    for (int a = 0; a < nnodes; a++) {
        for (int b = a; b < nnodes; b++) {
            double gg = 0;
            for (int k = 0; k < dim; k++)
                gg += g[a][k] * g[b][k];
            for (int i = 0; i < dim; i++) {
                double *row = K[a * dim + i] + b * dim, cg = c * g[b][i];
                for (int j = 0; j < dim; j++)
                    row[j] += cg * g[a][j];
                row[i] += c * gg;
            }
        }
    }
}

static inline void add_point(int dim, int nnodes, const StickElementPoint *point, double lame, double shear,
                             double K[][STICK_MOST_ELEMENT_DOFS])
{
    add_products(dim, nnodes, lame * point->dV, point->h, K);
    if (shear != 0)
        add_shear(dim, nnodes, shear * point->dV, point->g, K);
}

static void add_hoop(int nnodes, const StickElementPoint *point, double shear,
                     double K[][STICK_MOST_ELEMENT_DOFS])
{
    double c = 2 * shear * point->dV;
    for (int a = 0; a < nnodes; a++)
        for (int b = a; b < nnodes; b++)
            K[2 * a][2 * b] += c * point->hoop[a] * point->hoop[b];
}

static void mirror(int n, double K[][STICK_MOST_ELEMENT_DOFS])
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            K[j][i] = K[i][j];
}

void stick_element_stiffness(const StickElement *element, const StickElementPoints *points,
                             const StickModuli *moduli,
                             double K[STICK_MOST_ELEMENT_DOFS][STICK_MOST_ELEMENT_DOFS])
{
    int dim = element->dim, n = element->nnodes;
    bool by_mean = element->continuum->mean_dilatation, ring = stick_continuum_is_ring(element->continuum);
    double lame = by_mean ? -2 * moduli->shear / 3 : moduli->lame;
    memset(K, 0, (size_t)(n * dim) * sizeof *K);
    for (int p = 0; p < points->count; p++) {
        const StickElementPoint *point = &points->point[p];
        if (dim == 1)
            add_point(1, n, point, lame, moduli->shear, K);
        else if (dim == 2)
            add_point(2, n, point, lame, moduli->shear, K);
        else
            add_point(3, n, point, lame, moduli->shear, K);
        if (ring)
            add_hoop(n, point, moduli->shear, K);
    }
    if (by_mean) {
        double mean[STICK_MOST_ELEMENT_NODES][3];
        double V = stick_element_mean(element, points, mean);
        add_products(dim, n, moduli->bulk * V, (const double(*)[3])mean, K);
    }
    mirror(n * dim, K);
}

// ---- mass

static void lump_by_rows(int n, double M[][STICK_MOST_ELEMENT_NODES])
{
    for (int a = 0; a < n; a++) {
        double sum = 0;
        for (int b = 0; b < n; b++) {
            sum += M[a][b];
            M[a][b] = 0;
        }
        M[a][a] = sum;
    }
}

static void lump_by_scaling(int n, double M[][STICK_MOST_ELEMENT_NODES])
{
    double total = 0, diagonal = 0;
    for (int a = 0; a < n; a++) {
        diagonal += M[a][a];
        for (int b = 0; b < n; b++)
            total += M[a][b];
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            M[a][b] = a == b && diagonal > 0 ? M[a][a] * (total / diagonal) : 0;
}

static void lump(const StickElement *element, double M[][STICK_MOST_ELEMENT_NODES])
{
    if (element->nnodes == stick_shape_info(element->shape)->corners)
        lump_by_rows(element->nnodes, M);
    else
        lump_by_scaling(element->nnodes, M);
}

StickStatus stick_element_mass(StickContext *ctx, const StickElement *element, const StickShapeTable *table,
                               double M[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES])
{
    double sum[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES] = {{0}};
    double density = element->continuum->material->density, normal[3][3], determinant, dV;
    int n = element->nnodes;
    assert(table->shape == element->shape);
    for (int p = 0; p < table->count; p++) {
        const double *N = table->N[p];
        STICK_TRY(measure(ctx, element, table, p, normal, &determinant, &dV));
        for (int a = 0; a < n; a++) {
            double share = density * dV * N[a];
            for (int b = a; b < n; b++)
                sum[a][b] += share * N[b];
        }
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            M[a][b] = a <= b ? sum[a][b] : sum[b][a];
    if (element->continuum->lumped_mass)
        lump(element, M);
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
// Stress at nodes: computed where strains are most accurate, extrapolated within each element, averaged over
// elements.
#include "fem/element.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// Data shared by all elements, and tables for the present shape.
typedef struct Recovery {
    const StickContinuum *continuum;
    double D[6][6], D_v[6][6];
    StickShapeTable stiffness; // points of the mean dilatation
    StickShapeTable stress;
    double extrapolation[STICK_MOST_ELEMENT_NODES][STICK_MOST_ELEMENT_NODES]; // of each node
} Recovery;

static void take_shape(Recovery *recovery, StickShape shape)
{
    const StickQuadrature *quadrature = stick_element_quadrature(recovery->continuum, shape);
    stick_shape_tabulate(shape, quadrature, &recovery->stiffness);
    stick_shape_tabulate(shape, stick_stress_quadrature(shape), &recovery->stress);
    for (int a = 0; a < stick_shape_info(shape)->nodes; a++)
        stick_stress_extrapolation(shape, a, recovery->extrapolation[a]);
}

// ---- one element

// Displacements or velocities of the nodes of an element, zeros beyond dim.
static void gather(const StickElement *element, const double *q, double u[][3])
{
    for (int a = 0; a < element->nnodes; a++)
        for (int k = 0; k < 3; k++)
            u[a][k] = k < element->dim ? q[element->node[a] * element->dim + k] : 0;
}

// Sum of m_a . u_a: the dilatation, if m_a is h_a or its mean.
static double dilatation(const StickElement *element, const double m[][3], const double u[][3])
{
    double sum = 0;
    for (int a = 0; a < element->nnodes; a++)
        for (int k = 0; k < element->dim; k++)
            sum += m[a][k] * u[a][k];
    return sum;
}

static void strain_at(const StickElement *element, const StickElementPoint *point, const double u[][3],
                      double strain[6])
{
    double du[3][3] = {{0}}, hoop = 0; // du[k][l] = d u_k / d x_l
    for (int a = 0; a < element->nnodes; a++) {
        hoop += point->hoop[a] * u[a][0];
        for (int k = 0; k < element->dim; k++)
            for (int l = 0; l < element->dim; l++)
                du[k][l] += u[a][k] * point->g[a][l];
    }
    strain[0] = du[0][0];
    strain[1] = du[1][1];
    strain[2] = du[2][2] + hoop;
    strain[3] = du[0][1] + du[1][0];
    strain[4] = du[1][2] + du[2][1];
    strain[5] = du[2][0] + du[0][2];
}

// Adds D strain(u) at every stress point; mean is NULL without mean dilatation.
static void add_stress(const StickElement *element, const StickElementPoints *points, const double mean[][3],
                       const double D[6][6], const double *q, double stress[][6])
{
    double u[STICK_MOST_ELEMENT_NODES][3], strain[6];
    gather(element, q, u);
    const double(*nodal)[3] = (const double(*)[3])u;
    double whole = mean ? dilatation(element, mean, nodal) : 0;
    for (int p = 0; p < points->count; p++) {
        strain_at(element, &points->point[p], nodal, strain);
        double change = mean ? whole - dilatation(element, points->point[p].h, nodal) : 0;
        for (int i = 0; i < 3; i++)
            strain[i] += change / 3;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                stress[p][i] += D[i][j] * strain[j];
    }
}

static StickStatus element_stress(StickContext *ctx, const Recovery *recovery, const StickElement *element,
                                  const double *q, const double *v,
                                  double stress[STICK_MOST_ELEMENT_NODES][6])
{
    StickElementPoints points;
    double sum[STICK_MOST_ELEMENT_NODES][3];
    const double(*mean)[3] = NULL;
    if (element->continuum->mean_dilatation) {
        STICK_TRY(stick_element_points(ctx, element, &recovery->stiffness, &points));
        stick_element_mean(element, &points, sum);
        mean = (const double(*)[3])sum;
    }
    STICK_TRY(stick_element_points(ctx, element, &recovery->stress, &points));
    memset(stress, 0, STICK_MOST_ELEMENT_NODES * sizeof *stress);
    add_stress(element, &points, mean, recovery->D, q, stress);
    if (v)
        add_stress(element, &points, mean, recovery->D_v, v, stress);
    return STICK_OK;
}

// ---- all elements

// Adds the values at the stress points of an element, extrapolated, to its nodes.
static void spread(const Recovery *recovery, const StickElement *element, const double stress[][6],
                   double *sum, int *count)
{
    for (int a = 0; a < element->nnodes; a++) {
        const double *weight = recovery->extrapolation[a];
        for (int p = 0; p < recovery->stress.count; p++)
            for (int i = 0; i < 6; i++)
                sum[6 * element->node[a] + i] += weight[p] * stress[p][i];
        count[element->node[a]]++;
    }
}

static StickStatus sum_stress(StickContext *ctx, const StickContinuum *continuum, const double *q,
                              const double *v, double *sum, int *count)
{
    const StickMesh *mesh = continuum->mesh;
    Recovery recovery = {.continuum = continuum};
    StickModuli elastic = stick_moduli_elastic(continuum), viscous = stick_moduli_viscous(continuum);
    stick_moduli_matrix(continuum, &elastic, recovery.D);
    stick_moduli_matrix(continuum, &viscous, recovery.D_v);
    for (int e = 0; e < mesh->nelements; e++) {
        double stress[STICK_MOST_ELEMENT_NODES][6];
        StickElement element = stick_element_at(continuum, e);
        if (e == 0 || mesh->shape[e] != mesh->shape[e - 1])
            take_shape(&recovery, element.shape);
        STICK_TRY(element_stress(ctx, &recovery, &element, q, v, stress));
        spread(&recovery, &element, (const double(*)[6])stress, sum, count);
    }
    return STICK_OK;
}

StickStatus stick_fem_stress(StickContext *ctx, const StickContinuum *continuum, const double *q,
                             const double *v, double *stress)
{
    int nnodes = continuum->mesh->nnodes;
    STICK_TRY(stick_continuum_check(ctx, continuum));
    STICK_TRY(stick_continuum_check_elements(ctx, continuum));
    double *sum = stick_alloc(ctx, 6 * (size_t)nnodes, sizeof *sum);
    int *count = stick_alloc(ctx, (size_t)nnodes, sizeof *count);
    StickStatus status = sum && count ? sum_stress(ctx, continuum, q, v, sum, count) : STICK_NO_MEMORY;
    for (int k = 0; k < 6 * nnodes && status == STICK_OK; k++)
        stress[k] = count[k / 6] > 0 ? sum[k] / count[k / 6] : 0;
    stick_free(ctx, sum);
    stick_free(ctx, count);
    return status;
}

double stick_von_mises(const double stress[6])
{
    double a = stress[0] - stress[1], b = stress[1] - stress[2], c = stress[2] - stress[0];
    double shear = stress[3] * stress[3] + stress[4] * stress[4] + stress[5] * stress[5];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

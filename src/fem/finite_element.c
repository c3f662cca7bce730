// SPDX-License-Identifier: Apache-2.0
#include "fem/finite_element.h"

#include "fem/tensor.h"

#include <math.h>
#include <string.h>

// A point in the current configuration.
typedef struct Place {
    double dV, J, change; // change = J - 1
    double F[3][3];
    double g[STICK_MOST_ELEMENT_NODES][3];
    double hoop[STICK_MOST_ELEMENT_NODES];
} Place;

// ---- kinematics

// D = F - 1
STICK_KERNEL void displacements(int dim, bool ring, int n, const StickFiniteElement *element, const double *G,
                                double D[3][3])
{
    const double *hoop = G + n * dim;
    memset(D, 0, 9 * sizeof(double));
    for (int a = 0; a < n; a++) {
        for (int i = 0; i < dim; i++)
            for (int k = 0; k < dim; k++)
                D[i][k] += element->u[a][i] * G[a * dim + k];
        if (ring)
            D[2][2] += element->u[a][0] * hoop[a];
    }
}

// J times the inverse of F (in the plane: of its part there).
STICK_KERNEL void adjugate_of(int dim, const double F[3][3], double adjugate[3][3])
{
    if (dim == 2) {
        adjugate[0][0] = F[1][1] * F[2][2], adjugate[0][1] = -F[0][1] * F[2][2];
        adjugate[1][0] = -F[1][0] * F[2][2], adjugate[1][1] = F[0][0] * F[2][2];
        return;
    }
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            adjugate[i][j] = F[j1][i1] * F[j2][i2] - F[j1][i2] * F[j2][i1];
        }
    }
}

STICK_KERNEL bool place_point(int dim, bool ring, int n, const StickFiniteElement *element, int p,
                              Place *place)
{
    const double *reference = element->reference + p * stick_finite_point_size(dim, n, ring);
    const double *G = reference + 1, *hoop = G + n * dim;
    double adjugate[3][3];
    place->dV = reference[0];
    displacements(dim, ring, n, element, G, place->F);
    place->change = stick_tensor_determinant_less_one(dim, (const double(*)[3])place->F);
    place->J = 1 + place->change;
    for (int k = 0; k < 3; k++)
        place->F[k][k] += 1;
    adjugate_of(dim, (const double(*)[3])place->F, adjugate);
    if (!(place->J > 0 && isfinite(place->J) && (!ring || place->F[2][2] > 0)))
        return false;
    // g = F^-T G
    double scale = 1 / place->J, across = 1 / place->F[2][2];
    for (int a = 0; a < n; a++) {
        for (int k = 0; k < dim; k++) {
            double sum = 0;
            for (int l = 0; l < dim; l++)
                sum += adjugate[l][k] * G[a * dim + l];
            place->g[a][k] = scale * sum;
        }
        place->hoop[a] = ring ? across * hoop[a] : 0;
    }
    return true;
}

STICK_KERNEL bool place_points(int dim, bool ring, int n, StickFiniteElement *element, Place *place)
{
    double V = 0, grown = 0;
    for (int p = 0; p < element->npoints; p++) {
        if (!place_point(dim, ring, n, element, p, &place[p]))
            return false;
        element->J[p] = place[p].J;
        V += place[p].dV;
        grown += place[p].dV * place[p].change;
    }
    element->volume = V;
    element->change = grown / V;
    element->theta = 1 + element->change;
    return true;
}

// ---- stress and tangent of a point

// Adds p J 1 to the stress; to the tangent J (p + extra) 1 1' - 2 p J 1_s.
STICK_KERNEL void add_pressure(int dim, double p, double J, double extra, StickMaterialPoint *point)
{
    double both = J * (p + extra), own = p * J;
    for (int i = 0; i < 3; i++)
        point->tau[i] += own;
    for (int i = 0; i < 3 && !point->no_tangent; i++) {
        for (int j = 0; j < 3; j++)
            point->c[i][j] += both;
        point->c[i][i] -= 2 * own;
        if (dim == 3 || i == 0)
            point->c[3 + i][3 + i] -= own;
    }
}

STICK_KERNEL bool respond(int dim, StickFiniteElement *element, int p, const Place *place, double pressure,
                          StickMaterialPoint *point)
{
    double bulk = element->material->bulk, J = place->J;
    memcpy(point->F, place->F, sizeof point->F);
    point->h = element->h;
    point->flat = dim == 2;
    point->no_tangent = !element->tangent;
    point->no_loss = element->no_loss;
    point->past = element->past + p * element->nhistory;
    point->next = element->next + p * element->nhistory;
    if (!stick_material_isochoric(element->material, point))
        return false;
    double energy = point->energy;
    if (element->mean) {
        add_pressure(dim, pressure, J, 0, point);
    } else {
        add_pressure(dim, stick_volume_pressure_by(bulk, place->change), J, J * stick_volume_modulus(bulk, J),
                     point);
        energy += stick_volume_energy_by(bulk, place->change);
        element->worst = fmax(element->worst, fabs(place->change));
    }
    element->energy += place->dV * energy;
    element->loss += place->dV * point->loss;
    memcpy(element->tau[p], point->tau, sizeof point->tau);
    return true;
}

// ---- forces

STICK_KERNEL void add_force(int dim, bool ring, int n, const Place *place, const double tau[6], double *force)
{
    double s[6];
    for (int k = 0; k < 6; k++)
        s[k] = place->dV * tau[k];
    for (int a = 0; a < n; a++) {
        const double *g = place->g[a];
        double *f = force + a * dim;
        if (dim == 2) {
            f[0] += s[0] * g[0] + s[3] * g[1];
            f[1] += s[3] * g[0] + s[1] * g[1];
        } else {
            f[0] += s[0] * g[0] + s[3] * g[1] + s[5] * g[2];
            f[1] += s[3] * g[0] + s[1] * g[1] + s[4] * g[2];
            f[2] += s[5] * g[0] + s[4] * g[1] + s[2] * g[2];
        }
        if (ring)
            f[0] += s[2] * place->hoop[a];
    }
}

// ---- tangent

// tau g
STICK_KERNEL void pull(int dim, const double tau[6], const double g[3], double t[3])
{
    if (dim == 2) {
        t[0] = tau[0] * g[0] + tau[3] * g[1];
        t[1] = tau[3] * g[0] + tau[1] * g[1];
        return;
    }
    t[0] = tau[0] * g[0] + tau[3] * g[1] + tau[5] * g[2];
    t[1] = tau[3] * g[0] + tau[1] * g[1] + tau[4] * g[2];
    t[2] = tau[5] * g[0] + tau[4] * g[1] + tau[2] * g[2];
}

// One row of B' x for a node, by the nonzeros of B; x has the six components.
STICK_KERNEL void contract(int dim, bool ring, const double g[3], double hoop, const double x[6],
                           double out[3])
{
    if (dim == 2) {
        out[0] = g[0] * x[0] + g[1] * x[3];
        out[1] = g[1] * x[1] + g[0] * x[3];
        if (ring)
            out[0] += hoop * x[2];
        return;
    }
    out[0] = g[0] * x[0] + g[1] * x[3] + g[2] * x[5];
    out[1] = g[1] * x[1] + g[0] * x[3] + g[2] * x[4];
    out[2] = g[2] * x[2] + g[1] * x[4] + g[0] * x[5];
}

// S_j = c B_b e_j for the directions of a node.
STICK_KERNEL void stresses(int dim, bool ring, const double g[3], double hoop, const double c[6][6],
                           double S[3][6])
{
    for (int i = 0; i < 6; i++) {
        double row[3];
        if ((dim == 2 && i > 3) || (dim == 2 && !ring && i == 2))
            continue;
        contract(dim, ring, g, hoop, c[i], row); // c is symmetric
        for (int j = 0; j < dim; j++)
            S[j][i] = row[j];
    }
}

// Adds blocks (a, b) of nodes a <= b.
STICK_KERNEL void add_tangent(int dim, bool ring, int n, const Place *place, const StickMaterialPoint *point,
                              double K[][STICK_MOST_ELEMENT_DOFS])
{
    for (int b = 0; b < n; b++) {
        double g_b[3], t[3], S[3][6], hoop_b = place->dV * place->hoop[b];
        for (int k = 0; k < dim; k++)
            g_b[k] = place->dV * place->g[b][k];
        stresses(dim, ring, g_b, hoop_b, (const double(*)[6])point->c, S);
        pull(dim, point->tau, g_b, t);
        for (int a = 0; a <= b; a++) {
            const double *g = place->g[a];
            double bend = 0;
            for (int k = 0; k < dim; k++)
                bend += g[k] * t[k];
            for (int j = 0; j < dim; j++) {
                double column[3], *to = K[b * dim + j] + a * dim; // the lower triangle, by rows
                contract(dim, ring, g, place->hoop[a], S[j], column);
                column[j] += bend;
                for (int i = 0; i < dim; i++)
                    to[i] += column[i];
            }
            if (ring)
                K[b * dim][a * dim] += point->tau[2] * place->hoop[a] * hoop_b;
        }
    }
}

// Adds U'' / V m_a m_b'.
STICK_KERNEL void add_mean(int dim, bool ring, int n, StickFiniteElement *element, const Place *place)
{
    double m[STICK_MOST_ELEMENT_DOFS] = {0};
    double scale = stick_volume_modulus(element->material->bulk, element->theta) / element->volume;
    for (int p = 0; p < element->npoints; p++) {
        double dv = place[p].dV * place[p].J;
        for (int a = 0; a < n; a++) {
            for (int k = 0; k < dim; k++)
                m[a * dim + k] += dv * place[p].g[a][k];
            if (ring)
                m[a * dim] += dv * place[p].hoop[a];
        }
    }
    for (int i = 0; i < n * dim; i++) {
        double c = scale * m[i];
        for (int j = 0; j <= i; j++)
            element->K[i][j] += c * m[j];
    }
}

STICK_KERNEL void mirror(int n, double K[][STICK_MOST_ELEMENT_DOFS])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            K[j][i] = K[i][j];
}

// ---- the element

STICK_KERNEL bool evaluate(int dim, bool ring, int n, StickFiniteElement *element)
{
    Place place[STICK_MOST_QUADRATURE];
    double bulk = element->material->bulk, pressure = 0;
    memset(element->force, 0, (size_t)(n * dim) * sizeof(double));
    element->energy = element->loss = element->worst = 0;
    if (!place_points(dim, ring, n, element, place))
        return false;
    if (element->mean) {
        pressure = stick_volume_pressure_by(bulk, element->change) + element->lambda;
        element->energy = element->volume * stick_volume_energy_by(bulk, element->change);
        element->worst = fabs(element->change);
    }
    if (element->tangent)
        for (int i = 0; i < n * dim; i++)
            memset(element->K[i], 0, (size_t)(n * dim) * sizeof(double));
    for (int p = 0; p < element->npoints; p++) {
        StickMaterialPoint point;
        if (!respond(dim, element, p, &place[p], pressure, &point))
            return false;
        add_force(dim, ring, n, &place[p], point.tau, element->force);
        if (element->tangent)
            add_tangent(dim, ring, n, &place[p], &point, element->K);
    }
    if (element->tangent && element->mean)
        add_mean(dim, ring, n, element, place);
    if (element->tangent)
        mirror(n * dim, element->K);
    return true;
}

bool stick_finite_element(StickFiniteElement *element)
{
    int n = element->nnodes;
    if (element->dim == 3)
        return n == 8 ? evaluate(3, false, 8, element) : evaluate(3, false, n, element);
    if (element->ring)
        return n == 4 ? evaluate(2, true, 4, element) : evaluate(2, true, n, element);
    return n == 4 ? evaluate(2, false, 4, element) : evaluate(2, false, n, element);
}

bool stick_finite_dilatation(StickFiniteElement *element)
{
    Place place[STICK_MOST_QUADRATURE];
    return place_points(element->dim, element->ring, element->nnodes, element, place);
}

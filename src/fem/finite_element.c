// SPDX-License-Identifier: Apache-2.0
#include "fem/finite_element.h"

#include <math.h>
#include <string.h>

// Functions below are inlined into one kernel per kind of element, with dim, ring and nnodes as constants: their loops
// unroll.

// A point in the current configuration.
typedef struct Place {
    double dV, J;
    double F[3][3];
    double g[STICK_MOST_ELEMENT_NODES][3];
    double hoop[STICK_MOST_ELEMENT_NODES];
} Place;

// Components of stress that take part.
enum { PLANE = 3, RING = 4, SPACE = 6 };
static const int plane_components[PLANE] = {0, 1, 3};
static const int ring_components[RING] = {0, 1, 3, 2};
static const int space_components[SPACE] = {0, 1, 2, 3, 4, 5};

// ---- kinematics

static inline void deformation(int dim, bool ring, int n, const StickFiniteElement *element, const double *G,
                               double F[3][3])
{
    const double *hoop = G + n * dim;
    memset(F, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++)
        F[k][k] = 1;
    for (int a = 0; a < n; a++) {
        for (int i = 0; i < dim; i++)
            for (int k = 0; k < dim; k++)
                F[i][k] += element->u[a][i] * G[a * dim + k];
        if (ring)
            F[2][2] += element->u[a][0] * hoop[a];
    }
}

// J, and J times the inverse of F (of its part in the plane, divided by the stretch across it).
static inline double cofactors(int dim, const double F[3][3], double adjugate[3][3])
{
    if (dim == 2) {
        double area = F[0][0] * F[1][1] - F[0][1] * F[1][0];
        adjugate[0][0] = F[1][1] * F[2][2], adjugate[0][1] = -F[0][1] * F[2][2];
        adjugate[1][0] = -F[1][0] * F[2][2], adjugate[1][1] = F[0][0] * F[2][2];
        return area * F[2][2];
    }
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            adjugate[i][j] = F[j1][i1] * F[j2][i2] - F[j1][i2] * F[j2][i1];
        }
    }
    return F[0][0] * adjugate[0][0] + F[0][1] * adjugate[1][0] + F[0][2] * adjugate[2][0];
}

static inline bool place_point(int dim, bool ring, int n, const StickFiniteElement *element, int p,
                               Place *place)
{
    const double *reference = element->reference + p * stick_finite_point_size(dim, n, ring);
    const double *G = reference + 1, *hoop = G + n * dim;
    double adjugate[3][3];
    place->dV = reference[0];
    deformation(dim, ring, n, element, G, place->F);
    place->J = cofactors(dim, (const double(*)[3])place->F, adjugate);
    if (!(place->J > 0 && isfinite(place->J) && (!ring || place->F[2][2] > 0)))
        return false;
    // g = F^-T G
    double scale = 1 / place->J;
    for (int a = 0; a < n; a++) {
        for (int k = 0; k < dim; k++) {
            double sum = 0;
            for (int l = 0; l < dim; l++)
                sum += adjugate[l][k] * G[a * dim + l];
            place->g[a][k] = scale * sum;
        }
        place->hoop[a] = ring ? hoop[a] / place->F[2][2] : 0;
    }
    return true;
}

static inline bool place_points(int dim, bool ring, int n, StickFiniteElement *element, Place *place)
{
    double V = 0, v = 0;
    for (int p = 0; p < element->npoints; p++) {
        if (!place_point(dim, ring, n, element, p, &place[p]))
            return false;
        element->J[p] = place[p].J;
        V += place[p].dV;
        v += place[p].dV * place[p].J;
    }
    element->volume = V;
    element->theta = v / V;
    return true;
}

// ---- stress and tangent of a point

// Adds p J 1 to the stress; to the tangent J (p + extra) 1 1' - 2 p J 1_s.
static inline void add_pressure(double p, double J, double extra, StickMaterialPoint *point)
{
    double both = J * (p + extra), own = p * J;
    for (int i = 0; i < 3; i++) {
        point->tau[i] += own;
        for (int j = 0; j < 3; j++)
            point->c[i][j] += both;
        point->c[i][i] -= 2 * own;
        point->c[3 + i][3 + i] -= own;
    }
}

static inline bool respond(StickFiniteElement *element, int p, const Place *place, double pressure,
                           StickMaterialPoint *point)
{
    double bulk = element->material->bulk, J = place->J;
    memcpy(point->F, place->F, sizeof point->F);
    point->h = element->h;
    point->past = element->past + p * element->nhistory;
    point->next = element->next + p * element->nhistory;
    if (!stick_material_isochoric(element->material, point))
        return false;
    double energy = point->energy;
    if (element->mean) {
        add_pressure(pressure, J, 0, point);
    } else {
        add_pressure(stick_volume_pressure(bulk, J), J, J * stick_volume_modulus(bulk, J), point);
        energy += stick_volume_energy(bulk, J);
        element->worst = fmax(element->worst, fabs(J - 1));
    }
    element->energy += place->dV * energy;
    element->loss += place->dV * point->loss;
    memcpy(element->tau[p], point->tau, sizeof point->tau);
    return true;
}

// ---- forces

static inline void add_force(int dim, bool ring, int n, const Place *place, const double tau[6],
                             double *force)
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

// B: strains by the motion of a node, rows as the components are listed.
static inline void strains(int dim, bool ring, const double g[3], double hoop, double B[SPACE][3])
{
    if (dim == 2) {
        B[0][0] = g[0], B[0][1] = 0;
        B[1][0] = 0, B[1][1] = g[1];
        B[2][0] = g[1], B[2][1] = g[0];
        if (ring)
            B[3][0] = hoop, B[3][1] = 0;
        return;
    }
    B[0][0] = g[0], B[0][1] = 0, B[0][2] = 0;
    B[1][0] = 0, B[1][1] = g[1], B[1][2] = 0;
    B[2][0] = 0, B[2][1] = 0, B[2][2] = g[2];
    B[3][0] = g[1], B[3][1] = g[0], B[3][2] = 0;
    B[4][0] = 0, B[4][1] = g[2], B[4][2] = g[1];
    B[5][0] = g[2], B[5][1] = 0, B[5][2] = g[0];
}

// tau g
static inline void pull(int dim, const double tau[6], const double g[3], double t[3])
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

// Rows of B_a' S for a node, by the nonzeros of B_a; S = c B_b.
static inline void contract(int dim, bool ring, const double g[3], double hoop, const double S[SPACE][3],
                            double block[3][3])
{
    for (int j = 0; j < dim; j++) {
        if (dim == 2) {
            block[0][j] = g[0] * S[0][j] + g[1] * S[2][j];
            block[1][j] = g[1] * S[1][j] + g[0] * S[2][j];
            if (ring)
                block[0][j] += hoop * S[3][j];
        } else {
            block[0][j] = g[0] * S[0][j] + g[1] * S[3][j] + g[2] * S[5][j];
            block[1][j] = g[1] * S[1][j] + g[0] * S[3][j] + g[2] * S[4][j];
            block[2][j] = g[2] * S[2][j] + g[1] * S[4][j] + g[0] * S[5][j];
        }
    }
}

// Adds blocks (a, b) of nodes a <= b.
static inline void add_tangent(int dim, bool ring, int n, const Place *place, const StickMaterialPoint *point,
                               double K[][STICK_MOST_ELEMENT_DOFS])
{
    const int count = dim == 3 ? SPACE : ring ? RING : PLANE;
    const int *component = dim == 3 ? space_components : ring ? ring_components : plane_components;
    double c[SPACE][SPACE], B[SPACE][3], S[SPACE][3], block[3][3], tau[6];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            c[i][j] = place->dV * point->c[component[i]][component[j]];
    for (int k = 0; k < 6; k++)
        tau[k] = place->dV * point->tau[k];
    for (int b = 0; b < n; b++) {
        double t[3];
        strains(dim, ring, place->g[b], place->hoop[b], B);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < dim; j++) {
                double sum = 0;
                for (int k = 0; k < count; k++)
                    sum += c[i][k] * B[k][j];
                S[i][j] = sum;
            }
        }
        pull(dim, tau, place->g[b], t);
        for (int a = 0; a <= b; a++) {
            double bend = 0;
            contract(dim, ring, place->g[a], place->hoop[a], (const double(*)[3])S, block);
            for (int k = 0; k < dim; k++)
                bend += place->g[a][k] * t[k];
            for (int i = 0; i < dim; i++) {
                double *row = K[a * dim + i] + b * dim;
                for (int j = 0; j < dim; j++)
                    row[j] += block[i][j];
                row[i] += bend;
            }
            if (ring)
                K[a * dim][b * dim] += tau[2] * place->hoop[a] * place->hoop[b];
        }
    }
}

// Adds U'' / V m_a m_b'.
static inline void add_mean(int dim, bool ring, int n, StickFiniteElement *element, const Place *place)
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
        for (int j = i; j < n * dim; j++)
            element->K[i][j] += c * m[j];
    }
}

static inline void mirror(int n, double K[][STICK_MOST_ELEMENT_DOFS])
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            K[j][i] = K[i][j];
}

// ---- the element

static inline bool evaluate(int dim, bool ring, int n, StickFiniteElement *element)
{
    Place place[STICK_MOST_QUADRATURE];
    double bulk = element->material->bulk, pressure = 0;
    memset(element->force, 0, (size_t)(n * dim) * sizeof(double));
    element->energy = element->loss = element->worst = 0;
    if (!place_points(dim, ring, n, element, place))
        return false;
    if (element->mean) {
        pressure = stick_volume_pressure(bulk, element->theta) + element->lambda;
        element->energy = element->volume * stick_volume_energy(bulk, element->theta);
        element->worst = fabs(element->theta - 1);
    }
    if (element->tangent)
        for (int i = 0; i < n * dim; i++)
            memset(element->K[i], 0, (size_t)(n * dim) * sizeof(double));
    for (int p = 0; p < element->npoints; p++) {
        StickMaterialPoint point;
        if (!respond(element, p, &place[p], pressure, &point))
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

// SPDX-License-Identifier: Apache-2.0
#include "fem/finite_element.h"

#include "fem/tensor.h"

#include <math.h>
#include <string.h>

// A point in the current configuration. Directions come first and nodes last, so that loops over nodes are vectors.
typedef struct Place {
    double dV, J, change; // change = J - 1
    double F[3][3];
    double g[3][STICK_MOST_ELEMENT_NODES]; // of a ring g[2] = hoop
} Place;

// Parts of the gradient of the displacement in direction i: in a ring, u_r / r is the third one of u_r.
STICK_KERNEL int parts(int dim, bool ring, int i)
{
    return dim + (ring && i == 0);
}

// ---- kinematics

// D = F - 1
STICK_KERNEL void displacements(int dim, bool ring, int n, const StickFiniteElement *element, const double *G,
                                double D[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int a = 0; a < n && i < dim && k < dim; a++)
                sum += element->u[i][a] * G[k * n + a];
            D[i][k] = sum;
        }
    }
    for (int a = 0; a < n && ring; a++)
        D[2][2] += element->u[0][a] * G[2 * n + a];
}

STICK_KERNEL bool place_point(int dim, bool ring, int n, const StickFiniteElement *element, int p,
                              Place *place)
{
    const double *reference = element->reference + p * stick_finite_point_size(dim, n, ring);
    const double *G = reference + 1;
    double inverse[3][3];
    place->dV = reference[0];
    displacements(dim, ring, n, element, G, place->F);
    place->change = stick_tensor_determinant_less_one(dim, (const double(*)[3])place->F);
    place->J = 1 + place->change;
    for (int k = 0; k < 3; k++)
        place->F[k][k] += 1;
    if (!(place->J > 0 && isfinite(place->J) && (!ring || place->F[2][2] > 0)))
        return false;
    // g = F^-T G
    stick_tensor_inverse(dim, (const double(*)[3])place->F, place->J, inverse);
    for (int k = 0; k < dim; k++) {
        for (int a = 0; a < n; a++) {
            place->g[k][a] = inverse[0][k] * G[a];
            for (int l = 1; l < dim; l++)
                place->g[k][a] += inverse[l][k] * G[l * n + a];
        }
    }
    for (int a = 0; a < n && ring; a++)
        place->g[2][a] = inverse[2][2] * G[2 * n + a];
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

// ---- forces and tangent

// Row and column of a tensor as one of the six.
static const int six_of[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

STICK_KERNEL void add_force(int dim, bool ring, int n, const Place *place, const double tau[6],
                            double force[][STICK_MOST_ELEMENT_NODES])
{
    for (int i = 0; i < dim; i++) {
        for (int k = 0; k < parts(dim, ring, i); k++) {
            double s = place->dV * tau[ring && k == 2 ? 2 : six_of[i][k]];
            for (int a = 0; a < n; a++)
                force[i][a] += s * place->g[k][a];
        }
    }
}

// A_ikjl = c_ikjl + [i = j] tau_kl
STICK_KERNEL double moduli(bool ring, const StickMaterialPoint *point, int i, int k, int j, int l)
{
    int row = ring && k == 2 ? 2 : six_of[i][k], column = ring && l == 2 ? 2 : six_of[j][l];
    return i == j ? point->c[row][column] + point->tau[six_of[k][l]] : point->c[row][column];
}

// Number of nodes b coupled to node a: for one direction those up to b (in whole pairs if processed in pairs), for
// two all.
STICK_KERNEL int seen(int n, int i, int j, int b)
{
    if (i != j)
        return n;
    return n % 2 ? b + 1 : b / 2 * 2 + 2;
}

STICK_KERNEL void clear(int dim, int n, StickFiniteElement *element)
{
    element->energy = element->loss = element->worst = 0;
    for (int i = 0; i < dim; i++) {
        for (int a = 0; a < n; a++)
            element->force[i][a] = 0;
        for (int j = i; j < dim && element->tangent; j++)
            for (int b = 0; b < n; b++)
                for (int a = 0; a < n; a++)
                    element->K[i][j][b][a] = 0;
    }
}

// K_ij: g_a,k A_ikjl g_b,l dV
STICK_KERNEL void add_directions(int dim, bool ring, int n, int i, int j, const Place *place,
                                 const StickMaterialPoint *point, StickFiniteElement *element)
{
    double T[3][STICK_MOST_ELEMENT_NODES]; // A_ikjl g_b,l dV
    for (int k = 0; k < parts(dim, ring, i); k++) {
        double A[3];
        for (int l = 0; l < parts(dim, ring, j); l++)
            A[l] = place->dV * moduli(ring, point, i, k, j, l);
        for (int b = 0; b < n; b++) {
            T[k][b] = A[0] * place->g[0][b];
            for (int l = 1; l < parts(dim, ring, j); l++)
                T[k][b] += A[l] * place->g[l][b];
        }
    }
    for (int b = 0; b < n; b++) {
        for (int a = 0; a < seen(n, i, j, b); a++) {
            double sum = T[0][b] * place->g[0][a];
            for (int k = 1; k < parts(dim, ring, i); k++)
                sum += T[k][b] * place->g[k][a];
            element->K[i][j][b][a] += sum;
        }
    }
}

STICK_KERNEL void add_tangent(int dim, bool ring, int n, const Place *place, const StickMaterialPoint *point,
                              StickFiniteElement *element)
{
    add_directions(dim, ring, n, 0, 0, place, point, element);
    add_directions(dim, ring, n, 0, 1, place, point, element);
    add_directions(dim, ring, n, 1, 1, place, point, element);
    if (dim == 2)
        return;
    add_directions(dim, ring, n, 0, 2, place, point, element);
    add_directions(dim, ring, n, 1, 2, place, point, element);
    add_directions(dim, ring, n, 2, 2, place, point, element);
}

// Adds U'' / V m_a m_b'.
STICK_KERNEL void add_mean(int dim, bool ring, int n, const Place *place, StickFiniteElement *element)
{
    double m[3][STICK_MOST_ELEMENT_NODES];
    double scale = stick_volume_modulus(element->material->bulk, element->theta) / element->volume;
    for (int i = 0; i < dim; i++) {
        for (int a = 0; a < n; a++) {
            m[i][a] = 0;
            for (int p = 0; p < element->npoints; p++) {
                double hoop = ring && i == 0 ? place[p].g[2][a] : 0;
                m[i][a] += place[p].dV * place[p].J * (place[p].g[i][a] + hoop);
            }
        }
    }
    for (int i = 0; i < dim; i++)
        for (int j = i; j < dim; j++)
            for (int b = 0; b < n; b++)
                for (int a = 0; a < seen(n, i, j, b); a++)
                    element->K[i][j][b][a] += scale * m[j][b] * m[i][a];
}

// ---- the element

STICK_KERNEL bool evaluate(int dim, bool ring, int n, StickFiniteElement *element)
{
    Place place[STICK_MOST_QUADRATURE];
    double bulk = element->material->bulk, pressure = 0;
    clear(dim, n, element);
    if (!place_points(dim, ring, n, element, place))
        return false;
    if (element->mean) {
        pressure = stick_volume_pressure_by(bulk, element->change) + element->lambda;
        element->energy = element->volume * stick_volume_energy_by(bulk, element->change);
        element->worst = fabs(element->change);
    }
    for (int p = 0; p < element->npoints; p++) {
        StickMaterialPoint point;
        if (!respond(dim, element, p, &place[p], pressure, &point))
            return false;
        add_force(dim, ring, n, &place[p], point.tau, element->force);
        if (element->tangent)
            add_tangent(dim, ring, n, &place[p], &point, element);
    }
    if (element->tangent && element->mean)
        add_mean(dim, ring, n, place, element);
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

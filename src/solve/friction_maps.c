// SPDX-License-Identifier: Apache-2.0
#include "solve/friction_maps.h"

#include <math.h>
#include <string.h>

int stick_friction_maps_size(StickLcpForm form, int m)
{
    return m == 0 ? 1 : form == STICK_LCP_FACETS ? m + 1 : m + 2;
}

// Facet normals (half a step turned) or vertices of the m-gon; in 2D -1 and 1 are both.
void stick_friction_maps_directions(StickFrictionMaps *maps)
{
    int m = maps->m, quarter = m / 4;
    double half = maps->form == STICK_LCP_FACETS ? 0.5 : 0;
    if (m == 2) {
        maps->direction[0] = -1;
        maps->direction[1] = 1;
        return;
    }
    for (int k = 0; k < m; k++) {
        // The second place is for the facet orthogonal to the first; those between move up by one.
        int place = k == 0 || k > quarter ? k : k == quarter ? 1 : k + 1;
        double angle = 2 * acos(-1) * (k + half) / m;
        maps->direction[2 * place] = cos(angle);
        maps->direction[2 * place + 1] = sin(angle);
    }
    if (maps->form == STICK_LCP_FACETS && m > 2) {
        maps->direction[2] = -maps->direction[1];
        maps->direction[3] = maps->direction[0];
    }
}

static double dot_directions(const StickFrictionMaps *maps, int j, int k)
{
    int d = maps->dim - 1;
    double sum = 0;
    for (int a = 0; a < d; a++)
        sum += maps->direction[j * d + a] * maps->direction[k * d + a];
    return sum;
}

// Half the angle of a facet seen from the axis: d_j.r_T <= mu cos(pi / m) r_N; 1 in 2D.
double stick_friction_maps_distance(const StickFrictionMaps *maps)
{
    return maps->m == 2 ? 1 : cos(acos(-1) / maps->m);
}

// Rows of w that see u: u_N; -d_k.u_T for the eliminated facets, or v_k.u_T for all vertices.
void stick_friction_maps_fill_L(StickFrictionMaps *maps)
{
    int dim = maps->dim, d = dim - 1, size = stick_friction_maps_size(maps->form, maps->m);
    int rows = maps->form == STICK_LCP_FACETS ? d : maps->m;
    double sign = maps->form == STICK_LCP_FACETS ? -1 : 1;
    memset(maps->L, 0, (size_t)(size * dim) * sizeof *maps->L);
    maps->L[0] = 1;
    for (int k = 0; k < rows; k++)
        for (int a = 0; a < d; a++)
            maps->L[(k + 1) * dim + 1 + a] = sign * maps->direction[k * d + a];
}

// r = R z: r_N = z_0; r_T = sum (mu c r_N - Phi_k) d_k over the eliminated facets, or sum beta_k v_k.
void stick_friction_maps_fill_R(StickFrictionMaps *maps, double mu, int size)
{
    int dim = maps->dim, d = dim - 1;
    memset(maps->R, 0, (size_t)(size * dim) * sizeof *maps->R);
    maps->R[0] = 1;
    if (size == 1)
        return;
    double *R_T = maps->R + size, c = stick_friction_maps_distance(maps);
    for (int a = 0; a < d; a++) {
        if (maps->form == STICK_LCP_VERTICES) {
            for (int k = 0; k < maps->m; k++)
                R_T[a * size + 1 + k] = maps->direction[k * d + a];
            continue;
        }
        for (int k = 0; k < d; k++) {
            R_T[a * size] += mu * c * maps->direction[k * d + a];
            R_T[a * size + 1 + k] = -maps->direction[k * d + a];
        }
    }
}

// lambda_k = -d_k.(u_T + sum lambda_j d_j), Phi_j = mu c r_N - d_j.r_T
static void add_facet_rows(StickFrictionMaps *maps, double mu)
{
    int d = maps->dim - 1;
    double c = stick_friction_maps_distance(maps);
    for (int j = d; j < maps->m; j++) {
        double along = 1;
        for (int k = 0; k < d; k++) {
            double cosine = dot_directions(maps, j, k);
            along -= cosine;
            *stick_friction_maps_N(maps, 1 + k, 1 + j) = -cosine;
            *stick_friction_maps_N(maps, 1 + j, 1 + k) = cosine;
        }
        *stick_friction_maps_N(maps, 1 + j, 0) = mu * c * along;
    }
}

// gamma + v_k.u_T, mu r_N - sum beta_k
static void add_vertex_rows(StickFrictionMaps *maps, double mu)
{
    int gamma = maps->m + 1;
    *stick_friction_maps_N(maps, gamma, 0) = mu;
    for (int k = 1; k <= maps->m; k++) {
        *stick_friction_maps_N(maps, k, gamma) = 1;
        *stick_friction_maps_N(maps, gamma, k) = -1;
    }
}

void stick_friction_maps_fill_N(StickFrictionMaps *maps, double mu)
{
    maps->N_size = stick_friction_maps_size(maps->form, maps->m);
    size_t size = (size_t)maps->N_size;
    memset(maps->N, 0, size * size * sizeof *maps->N);
    if (maps->m > 0 && maps->form == STICK_LCP_FACETS)
        add_facet_rows(maps, mu);
    else if (maps->m > 0)
        add_vertex_rows(maps, mu);
}

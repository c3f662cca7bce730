// SPDX-License-Identifier: Apache-2.0
#include "condense/loose.h"

#include <math.h>

enum { MOST_MODES = 6 };

static const double no_pivot = 1e-10; // of the largest: what is left of a row that depends on the others

static int modes_of(const StickSystem *system, int b)
{
    if (system->dim == 2 && system->body[b].continuum.plane == STICK_AXISYMMETRIC)
        return 1; // along the axis
    return system->dim == 1 ? 1 : system->dim == 2 ? 3 : 6;
}

// Displacements of degree of freedom k of a node in all rigid displacements; x are lengths over the size of the body.
static void rigid_modes(int dim, int modes, const double x[3], int k, double mode[MOST_MODES])
{
    for (int j = 0; j < MOST_MODES; j++)
        mode[j] = 0;
    if (modes == 1) {
        mode[0] = k == dim - 1;
        return;
    }
    mode[k] = 1;
    if (dim == 2) {
        mode[2] = k == 0 ? -x[1] : x[0];
        return;
    }
    mode[3 + (k + 1) % 3] = x[(k + 2) % 3];
    mode[3 + (k + 2) % 3] = -x[(k + 1) % 3];
}

static double size_of(const StickMesh *mesh)
{
    double size = 0;
    for (int i = 0; i < mesh->nnodes * mesh->dim; i++)
        size = fmax(size, fabs(mesh->x[i] - mesh->x[i % mesh->dim]));
    return size > 0 ? size : 1;
}

// Rank of a positive semidefinite matrix, by elimination with the largest diagonal entry first.
static int rank_of(double G[MOST_MODES][MOST_MODES], int n)
{
    double largest = 0;
    bool used[MOST_MODES] = {false};
    for (int rank = 0; rank < n; rank++) {
        int pivot = -1;
        for (int k = 0; k < n; k++)
            if (!used[k] && (pivot < 0 || G[k][k] > G[pivot][pivot]))
                pivot = k;
        largest = fmax(largest, G[pivot][pivot]);
        if (!(G[pivot][pivot] > no_pivot * largest))
            return rank;
        used[pivot] = true;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && !used[i]; j++)
                if (!used[j])
                    G[i][j] -= G[i][pivot] * G[pivot][j] / G[pivot][pivot];
    }
    return n;
}

bool stick_loose(const StickSystem *system, const StickSupports *supports, int b)
{
    const StickBody *body = &system->body[b];
    const StickMesh *mesh = &body->mesh;
    int dim = system->dim, modes = modes_of(system, b);
    double size = size_of(mesh), G[MOST_MODES][MOST_MODES] = {{0}}, mode[MOST_MODES];
    for (int s = 0; s < supports->count; s++) {
        int local = supports->support[s].dof - body->first;
        if (local < 0 || local >= body->ndofs)
            continue;
        double x[3] = {0};
        for (int k = 0; k < dim; k++)
            x[k] = (mesh->x[local / dim * dim + k] - mesh->x[k]) / size;
        rigid_modes(dim, modes, x, local % dim, mode);
        for (int i = 0; i < modes; i++)
            for (int j = 0; j < modes; j++)
                G[i][j] += mode[i] * mode[j];
    }
    return rank_of(G, modes) < modes;
}

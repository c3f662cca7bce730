// SPDX-License-Identifier: Apache-2.0
// Small meshes for tests: a grid of cells cut into elements of one shape, mapped and distorted at will.
#ifndef TESTS_FEM_GRID_H
#define TESTS_FEM_GRID_H

#include "check.h"

#include "fem/fem.h"

typedef struct Grid {
    StickMesh mesh;
    bool *outer; // of each node: is it on the boundary of the grid?
    int nfacets;
    StickFacet *facet; // sides on the boundary
} Grid;

// A cell of a lattice with `step` intervals each way, and its elements by places in it.
typedef struct Cell {
    int step;
    int nelements;
    int place[6][8][3];
} Cell;

static const Cell grid_cells[STICK_NSHAPES] = {
    [STICK_BAR2] = {1, 1, {{{0}, {1}}}},
    [STICK_BAR3] = {2, 1, {{{0}, {2}, {1}}}},
    [STICK_TRI3] = {1, 2, {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}}},
    [STICK_TRI6] = {2,
                    2,
                    {{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {2, 1}, {1, 1}},
                     {{0, 0}, {2, 2}, {0, 2}, {1, 1}, {1, 2}, {0, 1}}}},
    [STICK_QUAD4] = {1, 1, {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}},
    [STICK_QUAD5] = {2,
                     2,
                     {{{2, 1}, {1, 1}, {0, 1}, {0, 0}, {2, 0}}, {{0, 1}, {1, 1}, {2, 1}, {2, 2}, {0, 2}}}},
    [STICK_QUAD8] = {2, 1, {{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}}}},
    [STICK_TET4] = {1,
                    6,
                    {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}},
                     {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {1, 1, 1}},
                     {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}},
                     {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 1, 1}},
                     {{0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {1, 1, 1}},
                     {{0, 0, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 1}}}},
    [STICK_HEX8] =
        {1, 1, {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}}},
};

static inline void *grid_take(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    assert_non_null(block);
    return block;
}

static inline void grid_destroy(Grid *grid)
{
    free(grid->mesh.x);
    free(grid->mesh.shape);
    free(grid->mesh.start);
    free(grid->mesh.node);
    free(grid->outer);
    free(grid->facet);
    *grid = (Grid){0};
}

// Number of a lattice point, given one when it is first met.
static inline int grid_node(Grid *grid, const int cells[3], const Cell *cell, const int at[3], int *number)
{
    int dim = grid->mesh.dim, place = 0;
    for (int k = dim - 1; k >= 0; k--)
        place = place * (cells[k] * cell->step + 1) + at[k];
    if (number[place] == 0) {
        int node = grid->mesh.nnodes++;
        number[place] = node + 1;
        for (int k = 0; k < dim; k++) {
            grid->mesh.x[node * dim + k] = (double)at[k] / (cells[k] * cell->step);
            grid->outer[node] = grid->outer[node] || at[k] == 0 || at[k] == cells[k] * cell->step;
        }
    }
    return number[place] - 1;
}

static inline bool grid_same_side(const StickMesh *mesh, StickFacet a, StickFacet b)
{
    int of_a[STICK_MOST_FACET_NODES], of_b[STICK_MOST_FACET_NODES], common = 0;
    int na = stick_mesh_facet_nodes(mesh, a, of_a), nb = stick_mesh_facet_nodes(mesh, b, of_b);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            common += of_a[i] == of_b[j];
    return common == na;
}

// Sides with all nodes on the boundary that no other element has.
static inline void grid_find_facets(Grid *grid)
{
    const StickMesh *mesh = &grid->mesh;
    int sides = stick_shape_info(mesh->shape[0])->nsides, candidates = 0;
    StickFacet *list = grid_take((size_t)(mesh->nelements * sides), sizeof *list);
    for (int e = 0; e < mesh->nelements; e++) {
        for (int s = 0; s < sides; s++) {
            StickFacet facet = {e, s};
            int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(mesh, facet, node);
            bool outer = true;
            for (int k = 0; k < count; k++)
                outer = outer && grid->outer[node[k]];
            if (outer)
                list[candidates++] = facet;
        }
    }
    grid->facet = grid_take((size_t)candidates, sizeof *grid->facet);
    for (int i = 0; i < candidates; i++) {
        int same = 0;
        for (int j = 0; j < candidates; j++)
            same += grid_same_side(mesh, list[i], list[j]);
        if (same == 1)
            grid->facet[grid->nfacets++] = list[i];
    }
    free(list);
}

// The unit interval, square or cube by nx x ny x nz cells.
static inline Grid grid_make(StickShape shape, int nx, int ny, int nz)
{
    const Cell *cell = &grid_cells[shape];
    const StickShapeInfo *info = stick_shape_info(shape);
    int dim = info->dim, n[3] = {nx, dim > 1 ? ny : 1, dim > 2 ? nz : 1};
    size_t points = 1, ncells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    for (int k = 0; k < dim; k++)
        points *= (size_t)(n[k] * cell->step + 1);
    size_t nelements = ncells * (size_t)cell->nelements;
    Grid grid = {.mesh = {.dim = dim, .nelements = (int)nelements}};
    StickMesh *mesh = &grid.mesh;
    mesh->x = grid_take(points * (size_t)dim, sizeof *mesh->x);
    mesh->shape = grid_take(nelements, sizeof *mesh->shape);
    mesh->start = grid_take(nelements + 1, sizeof *mesh->start);
    mesh->node = grid_take(nelements * (size_t)info->nodes, sizeof *mesh->node);
    grid.outer = grid_take(points, sizeof *grid.outer);
    int *number = grid_take(points, sizeof *number);
    for (int c = 0; c < (int)ncells; c++) {
        int corner[3] = {c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
        for (int k = 0; k < cell->nelements; k++) {
            int e = c * cell->nelements + k;
            mesh->shape[e] = shape;
            mesh->start[e + 1] = (e + 1) * info->nodes;
            for (int a = 0; a < info->nodes; a++) {
                int at[3];
                for (int l = 0; l < 3; l++)
                    at[l] = corner[l] * cell->step + cell->place[k][a][l];
                mesh->node[e * info->nodes + a] = grid_node(&grid, n, cell, at, number);
            }
        }
    }
    free(number);
    return grid;
}

// Moves every node by up to `most` in every direction, the same way every time.
static inline void grid_distort(Grid *grid, double most)
{
    uint32_t state = 12345;
    for (int k = 0; k < grid->mesh.nnodes * grid->mesh.dim; k++) {
        state = state * 1664525u + 1013904223u;
        grid->mesh.x[k] += most * (state / 2147483648.0 - 1);
    }
}

// x := A x + b of every node
static inline void grid_map(Grid *grid, const double A[3][3], const double b[3])
{
    int dim = grid->mesh.dim;
    for (int node = 0; node < grid->mesh.nnodes; node++) {
        double *x = grid->mesh.x + node * dim, y[3] = {0};
        for (int i = 0; i < dim; i++) {
            y[i] = b[i];
            for (int j = 0; j < dim; j++)
                y[i] += A[i][j] * x[j];
        }
        memcpy(x, y, (size_t)dim * sizeof *x);
    }
}

#endif

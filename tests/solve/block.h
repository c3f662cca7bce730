// SPDX-License-Identifier: Apache-2.0
// The polyurethane block of [RBV02 section 4.3] on its plate: 80 x 40 mm, plane stress, every cell of a grid cut
// into four triangles of constant strain by its centre, the top edge held. Contacts are the nodes of the bottom
// edge, from left to right; W is their compliance, so that r are forces (N per mm) and u displacements (mm).
#ifndef TESTS_SOLVE_BLOCK_H
#define TESTS_SOLVE_BLOCK_H

#include <stickslip/friction.h>

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCK_CONTACTS = 41 };

typedef struct Block {
    int start[MOST_BLOCK_CONTACTS + 1];
    int col[MOST_BLOCK_CONTACTS * MOST_BLOCK_CONTACTS];
    double value[4 * MOST_BLOCK_CONTACTS * MOST_BLOCK_CONTACTS];
    double u_free[2 * MOST_BLOCK_CONTACTS], mu[MOST_BLOCK_CONTACTS];
    StickBlocks W;
    StickFrictionProblem problem;
} Block;

// Adds a triangle with corners at x; degree of freedom k of corner a is 2 node[a] + k, those from n on are held.
static inline void block_triangle(int n, const int node[3], double x[3][2], double *K)
{
    const double E = 5, nu = 0.48;
    double twice = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
    double D[3][3] = {{1, nu, 0}, {nu, 1, 0}, {0, 0, (1 - nu) / 2}}, B[3][6] = {{0}};
    for (int a = 0; a < 3; a++) {
        const double *next = x[(a + 1) % 3], *last = x[(a + 2) % 3];
        B[0][2 * a] = B[2][2 * a + 1] = (next[1] - last[1]) / twice;
        B[1][2 * a + 1] = B[2][2 * a] = (last[0] - next[0]) / twice;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            int row = 2 * node[i / 2] + i % 2, col = 2 * node[j / 2] + j % 2;
            for (int k = 0; k < 9 && row < n && col < n; k++)
                K[row + (size_t)n * (size_t)col] +=
                    E / (1 - nu * nu) * twice / 2 * B[k / 3][i] * D[k / 3][k % 3] * B[k % 3][j];
        }
}

// Nodes of the grid row by row from the bottom; the held top row comes last, after the centres.
static inline int block_node(int cells, int i, int j)
{
    int rows = cells / 2;
    return j < rows ? j * (cells + 1) + i : rows * (cells + 1) + rows * cells + i;
}

static inline void block_stiffness(int cells, int n, double *K)
{
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double h = 80.0 / cells;
    for (int j = 0; j < cells / 2; j++)
        for (int i = 0; i < cells; i++)
            for (int side = 0; side < 4; side++) {
                const int *a = around[side], *b = around[(side + 1) % 4];
                int centre = cells / 2 * (cells + 1) + j * cells + i;
                int node[3] = {block_node(cells, i + a[0], j + a[1]), block_node(cells, i + b[0], j + b[1]),
                               centre};
                double x[3][2] = {{h * (i + a[0]), h * (j + a[1])},
                                  {h * (i + b[0]), h * (j + b[1])},
                                  {h * (i + 0.5), h * (j + 0.5)}};
                block_triangle(n, node, x, K);
            }
}

// W from unit forces on the nodes of the bottom: the normal is y, the tangent x.
static inline int block_compliance(int cells, Block *block)
{
    int nc = cells + 1, n = 2 * (cells / 2 * nc + cells / 2 * cells);
    double *K = calloc((size_t)n * (size_t)n, sizeof *K), *S = calloc((size_t)n * 2 * (size_t)nc, sizeof *S);
    if (!K || !S)
        abort();
    block_stiffness(cells, n, K);
    for (int k = 0; k < 2 * nc; k++)
        S[(size_t)n * (size_t)k + (size_t)k] = 1;
    int failed = LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 2 * nc, K, n, S, n);
    for (int i = 0; i < 2 * nc; i++)
        for (int j = 0; j < 2 * nc; j++)
            block->value[((i / 2) * nc + j / 2) * 4 + i % 2 * 2 + j % 2] =
                S[(i ^ 1) + (size_t)n * (size_t)(j ^ 1)];
    free(K);
    free(S);
    return failed;
}

// cells: 20 for the 21 contacts of the paper. 0 if all went well.
static inline int block_build(int cells, double mu, Block *block)
{
    int nc = cells + 1;
    memset(block, 0, sizeof *block);
    for (int i = 0; i < nc; i++) {
        block->start[i + 1] = (i + 1) * nc;
        block->mu[i] = mu;
        for (int j = 0; j < nc; j++)
            block->col[i * nc + j] = j;
    }
    block->W = (StickBlocks){2, nc, block->start, block->col, block->value};
    block->problem = (StickFrictionProblem){
        .dim = 2, .ncontacts = nc, .W = &block->W, .u_free = block->u_free, .mu = block->mu};
    return block_compliance(cells, block);
}

// The top pressed down by press and moved by slide against the plate at once.
static inline void block_load(Block *block, double press, double slide)
{
    for (int c = 0; c < block->problem.ncontacts; c++) {
        block->u_free[2 * c] = -press;
        block->u_free[2 * c + 1] = slide;
    }
}

#endif

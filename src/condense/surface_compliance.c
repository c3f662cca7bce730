// SPDX-License-Identifier: Apache-2.0
#include "condense/surface_compliance.h"

#include "base/memory.h"

#include <string.h>

enum { BLOCK_NODES = 16, BLOCK = 2 * BLOCK_NODES };

struct StickSurfaceCompliance {
    StickContext *ctx;
    StickStepMatrix *matrix;
    int body;
    int count;       // marked nodes
    int *node;       // ascending
    int *place;      // of every node of the mesh; -1: not marked
    double **block;  // BLOCK columns of 2 count numbers; NULL: not solved for yet
    double *rhs, *x; // order of the matrix x BLOCK
    long solves;
};

static StickStatus fill(const StickSystem *system, const bool *marked, StickSurfaceCompliance *compliance)
{
    StickContext *ctx = compliance->ctx;
    int nodes = system->body[compliance->body].mesh.nnodes;
    STICK_ALLOC(ctx, compliance->place, nodes);
    for (int i = 0; i < nodes; i++)
        compliance->place[i] = marked[i] ? compliance->count++ : -1;
    STICK_ALLOC(ctx, compliance->node, compliance->count);
    for (int i = 0; i < nodes; i++)
        if (marked[i])
            compliance->node[compliance->place[i]] = i;
    STICK_ALLOC(ctx, compliance->block, compliance->count / BLOCK_NODES + 1);
    return STICK_OK;
}

StickStatus stick_surface_compliance_create(StickContext *ctx, const StickSystem *system,
                                            StickStepMatrix *matrix, int body, const bool *marked,
                                            StickSurfaceCompliance **compliance)
{
    StickSurfaceCompliance *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->matrix = matrix;
    created->body = body;
    StickStatus status = fill(system, marked, created);
    if (status != STICK_OK) {
        stick_surface_compliance_destroy(created);
        return status;
    }
    *compliance = created;
    return STICK_OK;
}

void stick_surface_compliance_destroy(StickSurfaceCompliance *compliance)
{
    if (!compliance)
        return;
    StickContext *ctx = compliance->ctx;
    for (int b = 0; compliance->block && b <= compliance->count / BLOCK_NODES; b++)
        stick_free(ctx, compliance->block[b]);
    stick_free(ctx, compliance->block);
    stick_free(ctx, compliance->node);
    stick_free(ctx, compliance->place);
    stick_free(ctx, compliance->rhs);
    stick_free(ctx, compliance->x);
    stick_free(ctx, compliance);
}

int stick_surface_compliance_count(const StickSurfaceCompliance *compliance)
{
    return compliance->count;
}

int stick_surface_compliance_place(const StickSurfaceCompliance *compliance, int node)
{
    return compliance->place[node];
}

long stick_surface_compliance_solves(const StickSurfaceCompliance *compliance)
{
    return compliance->solves;
}

// Where a degree of freedom of a marked node stands in the matrix; -1: it is prescribed.
static int row_of(const StickSurfaceCompliance *compliance, int place, int axis)
{
    return stick_step_matrix_free(compliance->matrix, compliance->body, 2 * compliance->node[place] + axis);
}

static StickStatus solve_block(StickSurfaceCompliance *compliance, int b)
{
    size_t order = (size_t)stick_step_matrix_order(compliance->matrix, compliance->body);
    size_t rows = 2 * (size_t)compliance->count;
    int first = b * BLOCK_NODES, left = compliance->count - first;
    int columns = 2 * (left < BLOCK_NODES ? left : BLOCK_NODES);
    double *S;
    if (!compliance->rhs)
        STICK_ALLOC(compliance->ctx, compliance->rhs, order * BLOCK);
    if (!compliance->x)
        STICK_ALLOC(compliance->ctx, compliance->x, order * BLOCK);
    memset(compliance->rhs, 0, order * BLOCK * sizeof *compliance->rhs);
    for (int c = 0; c < columns; c++) {
        int row = row_of(compliance, first + c / 2, c % 2);
        if (row >= 0)
            compliance->rhs[(size_t)c * order + (size_t)row] = 1;
    }
    STICK_TRY(stick_step_matrix_solve_body(compliance->matrix, compliance->body, compliance->rhs, columns,
                                           compliance->x));
    STICK_ALLOC(compliance->ctx, S, rows * BLOCK);
    for (int c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++) {
            int row = row_of(compliance, (int)(r / 2), (int)(r % 2));
            S[(size_t)c * rows + r] = row >= 0 ? compliance->x[(size_t)c * order + (size_t)row] : 0;
        }
    compliance->block[b] = S;
    compliance->solves += columns;
    return STICK_OK;
}

StickStatus stick_surface_compliance_column(StickSurfaceCompliance *compliance, int node, int axis,
                                            const double **column)
{
    int place = compliance->place[node], b = place / BLOCK_NODES;
    if (!compliance->block[b])
        STICK_TRY(solve_block(compliance, b));
    *column =
        compliance->block[b] + (size_t)(2 * (place % BLOCK_NODES) + axis) * 2 * (size_t)compliance->count;
    return STICK_OK;
}

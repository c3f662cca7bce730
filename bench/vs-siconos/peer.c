// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

#include "base/clock.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <stdlib.h>
#include <string.h>

// Sweeps like W by blocks, factorisations by compressed columns: each solver gets what suits it.
typedef enum Storage { BY_BLOCKS, BY_COLUMNS, DENSE } Storage;

typedef struct Solver {
    const char *name;
    int id;
    Storage storage;
    int local; // solver of a contact in a Gauss-Seidel sweep; 0: the default
    int most_iterations;
    int set[2][2]; // further parameters: index and value; index 0: none
} Solver;

enum { MANY = 100000000 };

// By default a sweep is judged by how much r changes, which may go on far beyond the tolerance: judged by the measure
// itself, as we do, it ends sooner.
#define FULL                                                                                        \
    {                                                                                               \
        SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL \
    }
#define FREEZE                                        \
    {                                                 \
        SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT, 10 \
    }
#define NSGS SICONOS_FRICTION_3D_NSGS, BY_BLOCKS
#define BALANCED                                                     \
    {                                                                \
        SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,                \
            SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING \
    }

static const Solver in_space[] = {
    {"NSGS", NSGS, 0, MANY, {{0}}},
    {"NSGS-full", NSGS, 0, MANY, {FULL}},
    {"NSGS-NSN_GP", NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, MANY, {{0}}},
    {"NSGS-NSN_GP-full", NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, MANY, {FULL}},
    {"NSGS-Quartic", NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, MANY, {{0}}},
    {"NSGS-Quartic-full", NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, MANY, {FULL}},
    {"NSGS-PLI-full", NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, MANY, {FULL}},
    {"PROX", SICONOS_FRICTION_3D_PROX, BY_COLUMNS, 0, 10000, {{0}}},
    {"ADMM-resbal", SICONOS_FRICTION_3D_ADMM, BY_COLUMNS, 0, MANY, {BALANCED}},
    {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, BY_COLUMNS, 0, 1000, {{0}}},
    {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, BY_COLUMNS, 0, 1000, {{0}}},
    {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, BY_COLUMNS, 0, 1000, {{0}}},
    {"EG", SICONOS_FRICTION_3D_EG, BY_BLOCKS, 0, MANY, {{0}}},
    {"VI_EG", SICONOS_FRICTION_3D_VI_EG, BY_BLOCKS, 0, MANY, {{0}}},
    {NULL, 0, BY_BLOCKS, 0, 0, {{0}}},
};

static const Solver in_plane[] = {
    {"NSGS2D", SICONOS_FRICTION_2D_NSGS, BY_BLOCKS, 0, MANY, {{0}}},
    {"NSGS2D-freeze10", SICONOS_FRICTION_2D_NSGS, BY_BLOCKS, 0, MANY, {FREEZE}},
    {"CPG2D", SICONOS_FRICTION_2D_CPG, DENSE, 0, MANY, {{0}}},
    {"LEMKE2D", SICONOS_FRICTION_2D_LEMKE, DENSE, 0, MANY, {{0}}},
    {NULL, 0, BY_BLOCKS, 0, 0, {{0}}},
};

static const Solver *solvers(int dim)
{
    return dim == 3 ? in_space : in_plane;
}

const char *peer_solver(int dim, int index)
{
    return solvers(dim)[index].name;
}

struct Peer {
    int dim;
    FrictionContactProblem *problem[3]; // by storage
};

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

// ---- the matrix in three storages

static unsigned *cumulated_sizes(const StickBlocks *W)
{
    unsigned *size = take((size_t)W->n, sizeof *size);
    for (int i = 0; i < W->n; i++)
        size[i] = (unsigned)((i + 1) * W->d);
    return size;
}

static NumericsMatrix *by_blocks(const StickBlocks *W)
{
    size_t count = (size_t)W->start[W->n], d = (size_t)W->d;
    SparseBlockStructuredMatrix *M = SBM_new();
    M->nbblocks = (unsigned)count;
    M->blocknumber0 = M->blocknumber1 = (unsigned)W->n;
    M->blocksize0 = cumulated_sizes(W);
    M->blocksize1 = cumulated_sizes(W);
    M->filled1 = (size_t)W->n + 1;
    M->filled2 = count;
    M->index1_data = take((size_t)W->n + 1, sizeof *M->index1_data);
    M->index2_data = take(count, sizeof *M->index2_data);
    M->block = take(count, sizeof *M->block);
    for (int i = 0; i <= W->n; i++)
        M->index1_data[i] = (size_t)W->start[i];
    for (size_t k = 0; k < count; k++) {
        M->index2_data[k] = (size_t)W->col[k];
        M->block[k] = take(d * d, sizeof **M->block);
        for (size_t e = 0; e < d * d; e++) // ours are by rows, theirs by columns
            M->block[k][e % d * d + e / d] = W->value[k * d * d + e];
    }
    return NM_new_SBM(W->n * W->d, W->n * W->d, M);
}

static NumericsMatrix *by_columns(const StickBlocks *W)
{
    int n = W->n * W->d, d = W->d;
    NumericsMatrix *M = NM_create(NM_SPARSE, n, n);
    NM_triplet_alloc(M, (CS_INT)W->start[W->n] * d * d);
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            for (int e = 0; e < d * d; e++) {
                double value = W->value[(size_t)k * (size_t)(d * d) + (size_t)e];
                if (value != 0)
                    NM_entry(M, i * d + e / d, W->col[k] * d + e % d, value);
            }
    NM_csc(M);
    return M;
}

static NumericsMatrix *dense(const StickBlocks *W)
{
    int n = W->n * W->d, d = W->d;
    NumericsMatrix *M = NM_create(NM_DENSE, n, n);
    for (int i = 0; i < W->n; i++)
        for (int k = W->start[i]; k < W->start[i + 1]; k++)
            for (int e = 0; e < d * d; e++)
                M->matrix0[(size_t)(W->col[k] * d + e % d) * (size_t)n + (size_t)(i * d + e / d)] =
                    W->value[(size_t)k * (size_t)(d * d) + (size_t)e];
    return M;
}

static FrictionContactProblem *make(const StickFrictionProblem *problem, NumericsMatrix *M)
{
    size_t nc = (size_t)problem->ncontacts, n = nc * (size_t)problem->dim;
    double *q = take(n, sizeof *q), *mu = take(nc, sizeof *mu);
    memcpy(q, problem->u_free, n * sizeof *q);
    memcpy(mu, problem->mu, nc * sizeof *mu);
    return frictionContactProblem_new_with_data(problem->dim, problem->ncontacts, M, q, mu);
}

static bool needs(int dim, Storage storage)
{
    for (const Solver *solver = solvers(dim); solver->name; solver++)
        if (solver->storage == storage)
            return true;
    return false;
}

Peer *peer_create(const StickFrictionProblem *problem)
{
    Peer *peer = take(1, sizeof *peer);
    peer->dim = problem->dim;
    numerics_set_verbose(0);
    if (needs(problem->dim, BY_BLOCKS))
        peer->problem[BY_BLOCKS] = make(problem, by_blocks(problem->W));
    if (needs(problem->dim, BY_COLUMNS))
        peer->problem[BY_COLUMNS] = make(problem, by_columns(problem->W));
    if (needs(problem->dim, DENSE))
        peer->problem[DENSE] = make(problem, dense(problem->W));
    return peer;
}

void peer_destroy(Peer *peer)
{
    for (int k = 0; k < 3; k++)
        if (peer->problem[k])
            frictionContactProblem_free(peer->problem[k]);
    free(peer);
}

static SolverOptions *make_options(const Solver *solver, double tolerance)
{
    SolverOptions *options = solver_options_create(solver->id);
    if (solver->local != 0)
        solver_options_update_internal(options, 0, solver->local);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = solver->most_iterations;
    for (int k = 0; k < 2; k++)
        if (solver->set[k][0] != 0)
            options->iparam[solver->set[k][0]] = solver->set[k][1];
    return options;
}

double peer_solve(const Peer *peer, int index, double tolerance, int repeats, double *r, double *u)
{
    const Solver *solver = &solvers(peer->dim)[index];
    FrictionContactProblem *problem[MOST_REPEATS];
    SolverOptions *options[MOST_REPEATS];
    for (int k = 0; k < repeats; k++) {
        problem[k] = frictionContact_copy(peer->problem[solver->storage]);
        options[k] = make_options(solver, tolerance);
    }
    size_t n = (size_t)problem[0]->dimension * (size_t)problem[0]->numberOfContacts;
    double start = stick_clock_cpu();
    for (int k = 0; k < repeats; k++) {
        memset(r, 0, n * sizeof *r);
        memset(u, 0, n * sizeof *u);
        if (peer->dim == 3)
            fc3d_driver(problem[k], r, u, options[k]);
        else
            fc2d_driver(problem[k], r, u, options[k]);
    }
    double seconds = (stick_clock_cpu() - start) / repeats;
    for (int k = 0; k < repeats; k++) {
        solver_options_delete(options[k]);
        free(options[k]);
        frictionContactProblem_free(problem[k]);
    }
    return seconds;
}

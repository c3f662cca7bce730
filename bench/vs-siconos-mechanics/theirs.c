// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "peer.h"
#include "scene.h"

#include <stickslip/certificate.h>

struct Theirs {
    StickContext *ctx;
    Peer *peer;
    double friction, tolerance;
    // the problem of the last step as our verifier wants it
    StickBlocks W;
    double *mu;
    size_t start_capacity, col_capacity, value_capacity, mu_capacity;
};

static StickStatus create_peer(const Scene *scene, const Ours *ours, int solver, Theirs *theirs)
{
    int n = scene_bodies(scene);
    double *centre, velocity[6];
    STICK_ALLOC(theirs->ctx, centre, 3 * (size_t)n);
    for (int i = 0; i < n; i++)
        ours_body(ours, i, centre + 3 * i, velocity);
    PeerScene given = {.nbodies = n,
                       .centre = centre,
                       .radius = scene->radius,
                       .brick = {scene->brick[0], scene->brick[1], scene->brick[2]},
                       .friction = scene->friction,
                       .gravity = scene->gravity,
                       .side = scene->side,
                       .step = scene->step,
                       .tolerance = scene->tolerance};
    ours_mass(ours, &given.mass, given.inertia);
    theirs->peer = peer_create(&given, solver);
    stick_free(theirs->ctx, centre);
    return STICK_OK;
}

StickStatus theirs_create(StickContext *ctx, const Scene *scene, const Ours *ours, int solver,
                          Theirs **theirs)
{
    Theirs *made;
    STICK_ALLOC(ctx, made, 1);
    *made = (Theirs){.ctx = ctx, .friction = scene->friction, .tolerance = scene->tolerance, .W = {.d = 3}};
    StickStatus status = create_peer(scene, ours, solver, made);
    if (status == STICK_OK)
        *theirs = made;
    else
        stick_free(ctx, made);
    return status;
}

void theirs_destroy(Theirs *theirs)
{
    if (!theirs)
        return;
    peer_destroy(theirs->peer);
    stick_blocks_destroy(theirs->ctx, &theirs->W);
    stick_free(theirs->ctx, theirs->mu);
    stick_free(theirs->ctx, theirs);
}

StickStatus theirs_step(Theirs *theirs)
{
    return peer_step(theirs->peer) ? STICK_OK
                                   : stick_fail(theirs->ctx, STICK_NOT_SOLVED, "Siconos threw an exception");
}

// Blocks are by columns there, by rows here.
static StickStatus copy_problem(Theirs *theirs, const PeerProblem *problem)
{
    StickContext *ctx = theirs->ctx;
    StickBlocks *W = &theirs->W;
    size_t n = (size_t)problem->ncontacts, count = problem->start[n];
    STICK_RESERVE(ctx, W->start, theirs->start_capacity, n + 1);
    STICK_RESERVE(ctx, W->col, theirs->col_capacity, count);
    STICK_RESERVE(ctx, W->value, theirs->value_capacity, 9 * count);
    STICK_RESERVE(ctx, theirs->mu, theirs->mu_capacity, n);
    W->n = (int)n;
    for (size_t i = 0; i <= n; i++)
        W->start[i] = (int)problem->start[i];
    for (size_t k = 0; k < count; k++) {
        W->col[k] = (int)problem->col[k];
        for (size_t e = 0; e < 9; e++)
            W->value[9 * k + e] = problem->block[k][e % 3 * 3 + e / 3];
    }
    for (size_t i = 0; i < n; i++)
        theirs->mu[i] = theirs->friction;
    return STICK_OK;
}

StickStatus theirs_progress(Theirs *theirs, Progress *progress)
{
    PeerProblem problem = peer_problem(theirs->peer);
    *progress = (Progress){0};
    if (problem.ncontacts == 0)
        return STICK_OK;
    STICK_TRY(copy_problem(theirs, &problem));
    StickFrictionProblem copy = {.dim = 3,
                                 .ncontacts = problem.ncontacts,
                                 .W = &theirs->W,
                                 .u_free = problem.u_free,
                                 .mu = theirs->mu};
    StickCertificate found;
    STICK_TRY(stick_certify(theirs->ctx, &copy, problem.r, 0, theirs->tolerance, &found));
    *progress = (Progress){problem.ncontacts, problem.sweeps, found.error, found.error_scale_free};
    return STICK_OK;
}

void theirs_body(const Theirs *theirs, int body, double centre[3], double velocity[6])
{
    peer_body(theirs->peer, body, centre, velocity);
}

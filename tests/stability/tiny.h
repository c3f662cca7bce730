// SPDX-License-Identifier: Apache-2.0
// A few degrees of freedom by hand: node i of the plane has 2i (tangential) and 2i + 1 (normal, upwards).
#ifndef TESTS_STABILITY_TINY_H
#define TESTS_STABILITY_TINY_H

#include "check.h"
#include "contact/contact_set.h"
#include "stability/conditions.h"

#include <complex.h>

enum { TINY = 8 };

typedef struct Tiny {
    StickContext *ctx;
    int n;
    StickSparse M, C, K;
    bool prescribed[TINY];
    StickContactSet set;
    StickContactMotion motion[TINY / 2];
    StickSliding sliding;
} Tiny;

static inline StickStatus tiny_matrix(StickContext *ctx, int n, const double *entries, StickSparse *A)
{
    StickTriplets T = {.rows = n, .cols = n};
    StickStatus status = STICK_OK;
    for (int i = 0; i < n * n && status == STICK_OK; i++)
        if (entries[i] != 0)
            status = stick_triplets_add(ctx, &T, i / n, i % n, entries[i]);
    if (status == STICK_OK)
        status = stick_sparse_from_triplets(ctx, &T, A);
    stick_triplets_destroy(ctx, &T);
    return status;
}

// A contact of a node with the floor, which slips into the direction +1 or -1 of t1 = x.
static inline StickStatus tiny_contact(Tiny *tiny, int node, double mu, double slip)
{
    const double up[3] = {0, 1, 0};
    StickContact contact = {.feature = node, .node = node};
    int dof = 2 * node;
    double weight = 1;
    stick_contact_frame(2, up, contact.frame);
    tiny->motion[tiny->set.ncontacts] = (StickContactMotion){
        .status = STICK_SLIPPING, .slip = {slip}, .speed = 1, .mu = mu, .r = {1, -slip * mu}};
    return stick_contact_set_add(tiny->ctx, &tiny->set, &contact, &(StickStencil){1, &dof, &weight});
}

// M: the unit matrix where it is NULL.
static inline StickStatus tiny_open(Tiny *tiny, StickContext *ctx, int n, const double *K, const double *M)
{
    double unit[TINY * TINY] = {0};
    for (int i = 0; i < n; i++)
        unit[i * n + i] = 1;
    *tiny = (Tiny){.ctx = ctx, .n = n, .set = {.dim = 2}};
    tiny->sliding = (StickSliding){.K = &tiny->K,
                                   .M = &tiny->M,
                                   .prescribed = tiny->prescribed,
                                   .contacts = &tiny->set,
                                   .motion = tiny->motion,
                                   .has_forces = true,
                                   .steady = true};
    STICK_TRY(tiny_matrix(ctx, n, K, &tiny->K));
    return tiny_matrix(ctx, n, M ? M : unit, &tiny->M);
}

static inline void tiny_close(Tiny *tiny)
{
    stick_sparse_destroy(tiny->ctx, &tiny->K);
    stick_sparse_destroy(tiny->ctx, &tiny->M);
    stick_sparse_destroy(tiny->ctx, &tiny->C);
    stick_contact_set_destroy(tiny->ctx, &tiny->set);
}

static inline StickStability tiny_judge(const Tiny *tiny)
{
    StickStability s;
    StickStabilityOptions options = stick_stability_default();
    assert_ok(tiny->ctx, stick_stability_create(tiny->ctx, &tiny->sliding, &options, &s));
    return s;
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Blocks on a plate for tests of stability: a model as a text, its matrices, its contacts with statuses that are
// prescribed by their place along the plate.
#ifndef TESTS_STABILITY_BLOCK_H
#define TESTS_STABILITY_BLOCK_H

#include "check.h"

#include "base/vec.h"
#include "bodies/supports.h"
#include "stability/conditions.h"
#include "stability/global_matrices.h"

#include <complex.h>

enum { MOST_CONTACTS = 400 };

typedef struct Block {
    StickContext *ctx;
    StickModel *model;
    StickSystem *system;
    bool *prescribed;
    StickGlobalMatrices whole;
    StickContactSet contacts;
    StickContactMotion motion[MOST_CONTACTS];
    StickSliding sliding;
} Block;

// The polyurethane block [RBV02 sections 1.4, 4.3], N, mm, t; the plate is dragged towards -x.
#define POLYURETHANE                                                                             \
    "stickslip: 1\n"                                                                             \
    "materials: {polyurethane: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"                    \
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [20, 10], pattern: crossed}},\n" \
    "                 material: polyurethane, plane: stress}}\n"                                 \
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"                             \
    "supports: [{on: block.top, displacement: [0, 0]}]\n"                                        \
    "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"                              \
    "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n"

static inline StickStatus block_supports(Block *block)
{
    StickSupports supports = {0};
    STICK_ALLOC(block->ctx, block->prescribed, block->system->ndofs);
    StickStatus status = stick_supports_create(block->ctx, block->system, &supports);
    for (int k = 0; k < supports.count && status == STICK_OK; k++)
        block->prescribed[supports.support[k].dof] = true;
    stick_supports_destroy(block->ctx, &supports);
    return status;
}

// Contacts of the undeformed bodies.
static inline StickStatus block_contacts(Block *block)
{
    StickPairs *pairs;
    double *q;
    STICK_TRY(stick_pairs_create(block->ctx, block->system, &pairs));
    q = stick_alloc(block->ctx, (size_t)block->system->ndofs, sizeof *q);
    StickDetection where = {.h = 1, .q = q, .reach = 1e-6};
    StickStatus status = q ? stick_pairs_detect(pairs, &where, &block->contacts) : STICK_NO_MEMORY;
    stick_free(block->ctx, q);
    stick_pairs_destroy(pairs);
    return status;
}

static inline StickStatus block_try(Block *block, StickContext *ctx, StickMass mass, const char *text)
{
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    *block = (Block){.ctx = ctx};
    STICK_TRY(stick_model_read_text(ctx, &source, &block->model));
    STICK_TRY(stick_system_create(ctx, block->model, &block->system));
    STICK_TRY(block_supports(block));
    STICK_TRY(block_contacts(block));
    STICK_TRY(stick_global_matrices_create(ctx, block->system, mass, &block->whole));
    block->sliding = (StickSliding){
        .system = block->system,
        .M = block->whole.unit_mass ? NULL : &block->whole.M,
        .C = block->whole.damped ? &block->whole.C : NULL,
        .K = &block->whole.K,
        .prescribed = block->prescribed,
        .contacts = &block->contacts,
        .motion = block->motion,
    };
    return STICK_OK;
}

static inline void block_close(Block *block)
{
    stick_contact_set_destroy(block->ctx, &block->contacts);
    stick_global_matrices_destroy(block->ctx, &block->whole);
    stick_free(block->ctx, block->prescribed);
    stick_system_destroy(block->system);
    stick_model_destroy(block->model);
}

static inline void block_open(Block *block, StickContext *ctx, StickMass mass, const char *text)
{
    assert_ok(ctx, block_try(block, ctx, mass, text));
    assert_in_range(block->contacts.ncontacts, 1, MOST_CONTACTS);
}

// Rank of a contact along a direction: how many distinct places are before it.
static inline int block_rank(const Block *block, int c, const double direction[3])
{
    const StickContact *contact = block->contacts.contact;
    double here = stick_vec_dot(contact[c].place, direction), seen[MOST_CONTACTS];
    int rank = 0;
    for (int i = 0; i < block->contacts.ncontacts; i++) {
        double there = stick_vec_dot(contact[i].place, direction);
        bool before = there < here - 1e-6;
        for (int k = 0; k < rank && before; k++)
            before = fabs(seen[k] - there) > 1e-6;
        if (before)
            seen[rank++] = there;
    }
    return rank;
}

// Along `direction` first `open` places, then `slip` that slip into it, the rest sticks.
static inline void block_status(Block *block, const double direction[3], double mu, int slip, int open)
{
    for (int c = 0; c < block->contacts.ncontacts; c++) {
        int rank = block_rank(block, c, direction);
        const StickContact *contact = &block->contacts.contact[c];
        StickContactMotion *motion = &block->motion[c];
        *motion = (StickContactMotion){.status = STICK_STICKING, .mu = mu, .speed = INFINITY};
        if (rank < open)
            motion->status = STICK_APART;
        else if (rank < open + slip)
            motion->status = STICK_SLIPPING;
        motion->slip[0] = stick_vec_dot(contact->frame[1], direction);
        motion->slip[1] = block->contacts.dim > 2 ? stick_vec_dot(contact->frame[2], direction) : 0;
    }
}

static const double ALONG_X[3] = {1, 0, 0};

#endif

// SPDX-License-Identifier: Apache-2.0
#include "stability/matrices.h"

#include "base/memory.h"
#include "base/vec.h"
#include "linalg/sparse_product.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ACTIVE = -1, // of no closed slave
    WIDEST = 64, // entries of a row of relative sliding: one slave node, and sides of eight nodes at most
};

// Weights of a contact's nodes, and components of its frame.
static const double EXACT = 1e-9;

// A linear function of the active degrees of freedom.
typedef struct Row {
    int count;
    int col[WIDEST];
    double value[WIDEST];
} Row;

typedef struct Builder {
    StickContext *ctx;
    const StickSliding *sliding;
    int dim, ndofs, n;
    int *slave_of; // ndofs: the closed contact whose slave node has it, or ACTIVE
    int *column;   // ndofs: of Z; of a slave node that slips: its first tangent at its first one; -1: none
    double (*tangent)[2][3]; // ncontacts: directions in which a slave that slips is free ...
    int *ntangents;          // ... and how many
    StickTriplets Z, Y, slip, rub;
    StickReduced *made;
} Builder;

static bool is_closed(const Builder *b, int c)
{
    return b->sliding->motion[c].status != STICK_APART;
}

static bool slips(const Builder *b, int c)
{
    return stick_sliding_slips(b->sliding, c);
}

static const StickContact *contact_at(const Builder *b, int c)
{
    return &b->sliding->contacts->contact[c];
}

static int slave_dof(const Builder *b, int c)
{
    return b->sliding->contacts->dof[contact_at(b, c)->first];
}

// Weight of the node whose degrees of freedom begin at an entry: H = weight * frame, and n has length 1.
static double weight_at(const Builder *b, int c, int entry)
{
    const StickContactSet *set = b->sliding->contacts;
    double weight = 0;
    for (int a = 0; a < b->dim; a++)
        weight += set->H[(entry + a) * b->dim] * contact_at(b, c)->frame[0][a];
    return weight;
}

// ---- slave nodes of contacts

__attribute__((format(printf, 3, 4))) static StickStatus refuse(const Builder *b, int c, const char *format,
                                                                ...)
{
    char name[STICK_SLIDING_NAME], why[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    stick_sliding_name(b->sliding, c, name);
    return stick_fail(b->ctx, STICK_BAD_INPUT, "%s %s: its stability is not known here", name, why);
}

static StickStatus check_nodal(const Builder *b, int c)
{
    const StickContact *contact = contact_at(b, c);
    double others = 0;
    for (int e = b->dim; e < contact->count; e += b->dim)
        others += weight_at(b, c, contact->first + e);
    bool nodal = contact->count >= b->dim && fabs(weight_at(b, c, contact->first) - 1) <= EXACT &&
                 (contact->count == b->dim || fabs(others + 1) <= EXACT);
    if (contact->feature != contact->node)
        return refuse(b, c, "is one of a small object between nodes");
    if (!nodal || contact->count * 2 > WIDEST)
        return refuse(b, c, "is one of integrated surfaces");
    return STICK_OK;
}

static StickStatus mark_slaves(Builder *b)
{
    for (int d = 0; d < b->ndofs; d++)
        b->slave_of[d] = ACTIVE;
    for (int c = 0; c < b->sliding->contacts->ncontacts; c++) {
        if (!is_closed(b, c))
            continue;
        STICK_TRY(check_nodal(b, c));
        int first = slave_dof(b, c);
        if (b->slave_of[first] != ACTIVE)
            return refuse(b, c, "has the same node as contact %d", b->slave_of[first] + 1);
        for (int a = 0; a < b->dim; a++)
            b->slave_of[first + a] = c;
    }
    return STICK_OK;
}

static StickStatus check_masters(const Builder *b)
{
    const StickContactSet *set = b->sliding->contacts;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        for (int e = b->dim; e < contact->count && is_closed(b, c); e++) {
            int other = b->slave_of[set->dof[contact->first + e]];
            if (other != ACTIVE)
                return refuse(b, c, "touches a node that is the slave of contact %d", other + 1);
        }
    }
    return STICK_OK;
}

// ---- free directions of a supported slave

static bool has_moving_master(const Builder *b, int c)
{
    const StickContact *contact = contact_at(b, c);
    for (int e = b->dim; e < contact->count; e++)
        if (!b->sliding->prescribed[b->sliding->contacts->dof[contact->first + e]])
            return true;
    return false;
}

// Takes a direction that is held out of the tangents.
static void hold(Builder *b, int c, const double axis[3])
{
    double left[2][3];
    int count = 0;
    for (int k = 0; k < b->ntangents[c]; k++) {
        double rest[3];
        stick_vec_axpy(b->tangent[c][k], -stick_vec_dot(b->tangent[c][k], axis), axis, rest);
        for (int i = 0; i < count; i++)
            stick_vec_axpy(rest, -stick_vec_dot(rest, left[i]), left[i], rest);
        if (stick_vec_normalise(rest) > 1e-6)
            memcpy(left[count++], rest, sizeof rest);
    }
    memcpy(b->tangent[c], left, sizeof left);
    b->ntangents[c] = count;
}

static StickStatus find_tangents(Builder *b, int c)
{
    const StickContact *contact = contact_at(b, c);
    int first = slave_dof(b, c);
    b->ntangents[c] = slips(b, c) ? b->dim - 1 : 0;
    memcpy(b->tangent[c], contact->frame[1], sizeof b->tangent[c]);
    for (int a = 0; a < b->dim; a++) {
        if (!b->sliding->prescribed[first + a])
            continue;
        if (has_moving_master(b, c))
            return refuse(b, c, "has a node that a support holds, on a surface that moves");
        if (slips(b, c) && fabs(contact->frame[0][a]) > EXACT)
            return refuse(b, c, "slips while a support holds it along its normal");
        const double axis[3] = {a == 0, a == 1, a == 2};
        hold(b, c, axis);
    }
    return STICK_OK;
}

// Active degrees of freedom in the order of the system; tangents of a slave stand where its node does.
static StickStatus number(Builder *b)
{
    for (int d = 0; d < b->ndofs; d++) {
        int c = b->slave_of[d];
        b->column[d] = -1;
        if (c == ACTIVE) {
            if (!b->sliding->prescribed[d])
                b->column[d] = b->n++;
        } else if (d == slave_dof(b, c)) {
            STICK_TRY(find_tangents(b, c));
            b->column[d] = b->n;
            b->n += b->ntangents[c];
        }
    }
    return STICK_OK;
}

// ---- Z and Y

static void extend(Row *row, int col, double value)
{
    row->col[row->count] = col;
    row->value[row->count++] = value;
}

// How the antagonist's point moves along a direction, times a factor.
static void add_master(const Builder *b, int c, const double direction[3], double factor, Row *row)
{
    const StickContactSet *set = b->sliding->contacts;
    const StickContact *contact = contact_at(b, c);
    for (int e = contact->first + b->dim; e < contact->first + contact->count; e += b->dim) {
        double weight = -weight_at(b, c, e);
        for (int a = 0; a < b->dim; a++)
            if (b->column[set->dof[e + a]] >= 0 && direction[a] != 0)
                extend(row, b->column[set->dof[e + a]], factor * weight * direction[a]);
    }
}

// Sliding of the slave over its antagonist along a tangential direction.
static Row relative(const Builder *b, int c, const double direction[3])
{
    Row row = {0};
    for (int k = 0; k < b->ntangents[c]; k++)
        extend(&row, b->column[slave_dof(b, c)] + k, stick_vec_dot(direction, b->tangent[c][k]));
    add_master(b, c, direction, -1, &row);
    return row;
}

static void in_space(const Builder *b, int c, double along, double across, double direction[3])
{
    const StickContact *contact = contact_at(b, c);
    for (int a = 0; a < 3; a++)
        direction[a] = along * contact->frame[1][a] + (b->dim > 2 ? across * contact->frame[2][a] : 0);
}

static StickStatus put(Builder *b, StickTriplets *T, int row, const Row *values, double factor)
{
    for (int k = 0; k < values->count; k++)
        STICK_TRY(stick_triplets_add(b->ctx, T, row, values->col[k], factor * values->value[k]));
    return STICK_OK;
}

// The same rows in Z and Y: along n those of the antagonist, along its tangents its own.
static StickStatus add_follower(Builder *b, int c)
{
    const StickContact *contact = contact_at(b, c);
    int first = slave_dof(b, c);
    for (int a = 0; a < b->dim; a++) {
        const double axis[3] = {a == 0, a == 1, a == 2};
        Row row = {0};
        if (slips(b, c))
            add_master(b, c, contact->frame[0], contact->frame[0][a], &row);
        else
            add_master(b, c, axis, 1, &row);
        for (int k = 0; k < b->ntangents[c]; k++)
            extend(&row, b->column[first] + k, b->tangent[c][k][a]);
        STICK_TRY(put(b, &b->Z, first + a, &row, 1));
        STICK_TRY(put(b, &b->Y, first + a, &row, 1));
    }
    return STICK_OK;
}

static StickStatus add_outer(Builder *b, const Row *row, double factor)
{
    for (int k = 0; k < row->count; k++)
        STICK_TRY(put(b, &b->rub, row->col[k], row, factor * row->value[k]));
    return STICK_OK;
}

// d r_T = -r_N (slope s s' + mu/speed t t') d u_T: along the sliding and, in space, across it.
static StickStatus add_rubbing(Builder *b, int c, const Row *along)
{
    const StickContactMotion *motion = &b->sliding->motion[c];
    double direction[3], across = b->dim > 2 ? motion->mu / motion->speed : 0;
    if (motion->slope != 0)
        STICK_TRY(add_outer(b, along, motion->r[0] * motion->slope));
    if (!(across > 0))
        return STICK_OK;
    if (!isfinite(across))
        return refuse(b, c, "is on the cone at rest, where friction in space has no direction");
    if (!b->sliding->has_forces)
        return refuse(b, c, "turns its friction as it slides, by a normal force that is not given");
    in_space(b, c, -motion->slip[1], motion->slip[0], direction);
    Row row = relative(b, c, direction);
    return add_outer(b, &row, motion->r[0] * across);
}

// Y += m n (slip . u_T), m = d(mu r_N)/d r_N: the virtual motion on which d r_N and d r_T = -m d r_N slip together do
// no work.
static StickStatus add_friction(Builder *b, int c)
{
    const StickContactMotion *motion = &b->sliding->motion[c];
    double direction[3];
    int index = b->made->rubbing++;
    in_space(b, c, motion->slip[0], motion->slip[1], direction);
    Row along = relative(b, c, direction);
    b->made->contact[index] = c;
    STICK_TRY(put(b, &b->slip, index, &along, 1));
    for (int a = 0; a < b->dim; a++)
        STICK_TRY(put(b, &b->Y, slave_dof(b, c) + a, &along,
                      (motion->mu + motion->press) * contact_at(b, c)->frame[0][a]));
    return add_rubbing(b, c, &along);
}

static StickStatus fill(Builder *b)
{
    for (int d = 0; d < b->ndofs; d++) {
        if (b->slave_of[d] == ACTIVE && b->column[d] >= 0) {
            STICK_TRY(stick_triplets_add(b->ctx, &b->Z, d, b->column[d], 1));
            STICK_TRY(stick_triplets_add(b->ctx, &b->Y, d, b->column[d], 1));
        }
    }
    for (int c = 0; c < b->sliding->contacts->ncontacts; c++) {
        b->made->open += !is_closed(b, c);
        b->made->slipping += slips(b, c);
        b->made->stuck += is_closed(b, c) && !slips(b, c);
        if (is_closed(b, c))
            STICK_TRY(add_follower(b, c));
        if (stick_sliding_rubs(b->sliding, c))
            STICK_TRY(add_friction(b, c));
    }
    return STICK_OK;
}

// ---- the matrices

static StickStatus reduce_damping(Builder *b)
{
    StickReduced *made = b->made;
    StickSparse rub, C;
    if (!made->damped)
        return STICK_OK;
    STICK_TRY(stick_sparse_from_triplets(b->ctx, &b->rub, &rub));
    if (!b->sliding->C) {
        made->C = rub;
        return STICK_OK;
    }
    StickStatus status = stick_sparse_project(b->ctx, &made->Y, b->sliding->C, &made->Z, &C);
    if (status == STICK_OK) {
        status = stick_sparse_sum(b->ctx, 1, &C, 1, &rub, &made->C);
        stick_sparse_destroy(b->ctx, &C);
    }
    stick_sparse_destroy(b->ctx, &rub);
    return status;
}

static StickStatus reduce(Builder *b)
{
    StickReduced *made = b->made;
    made->n = b->n;
    b->Z.rows = b->Y.rows = b->ndofs;
    b->Z.cols = b->Y.cols = b->slip.cols = b->rub.rows = b->rub.cols = b->n;
    STICK_TRY(fill(b));
    b->slip.rows = made->rubbing;
    made->damped = b->sliding->C || b->rub.count > 0;
    STICK_TRY(stick_sparse_from_triplets(b->ctx, &b->Z, &made->Z));
    STICK_TRY(stick_sparse_from_triplets(b->ctx, &b->Y, &made->Y));
    STICK_TRY(stick_sparse_from_triplets(b->ctx, &b->slip, &made->slip));
    STICK_TRY(stick_sparse_project(b->ctx, &made->Y, b->sliding->K, &made->Z, &made->K));
    if (b->sliding->M)
        STICK_TRY(stick_sparse_project(b->ctx, &made->Y, b->sliding->M, &made->Z, &made->M));
    else
        STICK_TRY(stick_sparse_identity(b->ctx, b->n, &made->M));
    return reduce_damping(b);
}

static StickStatus run(Builder *b)
{
    int ncontacts = b->sliding->contacts->ncontacts;
    STICK_ALLOC(b->ctx, b->slave_of, b->ndofs);
    STICK_ALLOC(b->ctx, b->column, b->ndofs);
    STICK_ALLOC(b->ctx, b->tangent, ncontacts);
    STICK_ALLOC(b->ctx, b->ntangents, ncontacts);
    STICK_ALLOC(b->ctx, b->made->contact, ncontacts);
    STICK_TRY(mark_slaves(b));
    STICK_TRY(check_masters(b));
    STICK_TRY(number(b));
    return reduce(b);
}

StickStatus stick_reduced_create(StickContext *ctx, const StickSliding *sliding, StickReduced *reduced)
{
    StickReduced made = {0};
    Builder b = {.ctx = ctx, .sliding = sliding, .dim = sliding->contacts->dim, .made = &made};
    b.ndofs = sliding->K->rows;
    StickStatus status = run(&b);
    stick_free(ctx, b.slave_of);
    stick_free(ctx, b.column);
    stick_free(ctx, b.tangent);
    stick_free(ctx, b.ntangents);
    stick_triplets_destroy(ctx, &b.Z);
    stick_triplets_destroy(ctx, &b.Y);
    stick_triplets_destroy(ctx, &b.slip);
    stick_triplets_destroy(ctx, &b.rub);
    if (status == STICK_OK)
        *reduced = made;
    else
        stick_reduced_destroy(ctx, &made);
    return status;
}

void stick_reduced_destroy(StickContext *ctx, StickReduced *reduced)
{
    stick_sparse_destroy(ctx, &reduced->Z);
    stick_sparse_destroy(ctx, &reduced->Y);
    stick_sparse_destroy(ctx, &reduced->M);
    stick_sparse_destroy(ctx, &reduced->C);
    stick_sparse_destroy(ctx, &reduced->K);
    stick_sparse_destroy(ctx, &reduced->slip);
    stick_free(ctx, reduced->contact);
    *reduced = (StickReduced){0};
}

void stick_reduced_expand(const StickReduced *reduced, const double *active, double *a)
{
    memset(a, 0, (size_t)reduced->Z.rows * sizeof *a);
    stick_sparse_multiply(&reduced->Z, 1, active, a);
}

void stick_reduced_expand_complex(const StickReduced *reduced, const double complex *active,
                                  double complex *a)
{
    const StickSparse *Z = &reduced->Z;
    for (int i = 0; i < Z->rows; i++)
        a[i] = 0;
    for (int j = 0; j < Z->cols; j++)
        for (int e = Z->start[j]; e < Z->start[j + 1]; e++)
            a[Z->row[e]] += Z->value[e] * active[j];
}

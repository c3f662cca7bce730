// SPDX-License-Identifier: Apache-2.0
#include "condense/delassus.h"

#include "base/memory.h"
#include "base/pool.h"
#include "condense/contact_compliance.h"
#include "condense/rigid_rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct StickDelassus {
    StickContext *ctx;
    const StickSystem *system;
    StickStepMatrix *matrix;
    StickJointElimination *links; // NULL: no joints
    int generation;
    long turns; // of the rigid bodies, as W has them
    StickContactCompliance compliance;
    StickBlocks W;
    size_t start_capacity, col_capacity, value_capacity;
    StickContactEntry *entry; // of one body, contact by contact
    size_t entry_capacity;
    int *first; // nbodies + 2: where the contacts of a body begin in list
    int *list;  // contacts, body by body
    size_t list_capacity;
    int (*pressed)[2]; // ncontacts: the bodies or groups that it presses on; the second one -1: one
    size_t pressed_capacity;
    int *cursor; // ncontacts: the upper block of a row that comes next
    size_t cursor_capacity;
    StickRigidRows rigid;
    StickBodies bodies;
    bool has_bodies; // bodies is the factored form of W
    StickJointRow *joint;
    size_t joint_capacity;
    double *Z; // L^-1 G A^-1 H of the contacts of one group: rows x dim each
    size_t Z_capacity;
    // Of the contacts that W belongs to, one after the other: pair and count, degrees of freedom, columns of H.
    bool has_W;
    int known_contacts;
    int *known, *known_dof; // 2 x contacts, entries
    double *known_H;        // entries x dim
    size_t known_capacity, known_dof_capacity, known_H_capacity;
};

static StickStatus fill(StickDelassus *D, const StickPairs *pairs)
{
    STICK_ALLOC(D->ctx, D->first, D->system->nbodies + 2);
    return stick_contact_compliance_create(D->ctx, D->system, D->matrix, pairs, &D->compliance);
}

StickStatus stick_delassus_create(StickContext *ctx, const StickSystem *system, StickStepMatrix *matrix,
                                  const StickPairs *pairs, StickDelassus **delassus)
{
    StickDelassus *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    created->matrix = matrix;
    created->rigid = (StickRigidRows){.ctx = ctx, .system = system, .matrix = matrix};
    StickStatus status = fill(created, pairs);
    if (status != STICK_OK) {
        stick_delassus_destroy(created);
        return status;
    }
    *delassus = created;
    return STICK_OK;
}

void stick_delassus_destroy(StickDelassus *D)
{
    if (!D)
        return;
    StickContext *ctx = D->ctx;
    stick_contact_compliance_destroy(&D->compliance);
    stick_free(ctx, D->W.start);
    stick_free(ctx, D->W.col);
    stick_free(ctx, D->W.value);
    stick_free(ctx, D->entry);
    stick_free(ctx, D->first);
    stick_free(ctx, D->list);
    stick_free(ctx, D->pressed);
    stick_free(ctx, D->cursor);
    stick_rigid_rows_destroy(&D->rigid);
    stick_free(ctx, D->Z);
    stick_free(ctx, D->known);
    stick_free(ctx, D->known_dof);
    stick_free(ctx, D->known_H);
    stick_free(ctx, D->joint);
    stick_free(ctx, D);
}

// ---- blocks

void stick_delassus_link(StickDelassus *D, StickJointElimination *links)
{
    D->links = links;
}

// A body by itself, or all that joints hold together with it.
static int group_of(const StickDelassus *D, int body)
{
    return D->links && body >= 0 ? D->links->group[body] : body;
}

// W of the contacts of a set, row by row.
typedef struct Rows {
    StickDelassus *D;
    const StickContactSet *set;
} Rows;

static void find_pressed(void *data, int from, int to)
{
    const Rows *rows = data;
    for (int c = from; c < to; c++) {
        const int *body = rows->set->contact[c].body;
        int *pressed = rows->D->pressed[c];
        pressed[0] = group_of(rows->D, body[0]);
        pressed[1] = group_of(rows->D, body[1]);
        if (pressed[1] == pressed[0])
            pressed[1] = -1;
    }
}

// Contacts of each body or group, ascending.
static StickStatus list_contacts(StickDelassus *D, const StickContactSet *set)
{
    int nbodies = D->system->nbodies;
    STICK_RESERVE(D->ctx, D->list, D->list_capacity, 2 * (size_t)set->ncontacts);
    STICK_RESERVE(D->ctx, D->pressed, D->pressed_capacity, set->ncontacts);
    stick_threads_range(D->ctx, set->ncontacts, find_pressed, &(Rows){D, set});
    memset(D->first, 0, (size_t)(nbodies + 2) * sizeof *D->first);
    for (int c = 0; c < set->ncontacts; c++)
        for (int k = 0; k < 2 && D->pressed[c][k] >= 0; k++)
            D->first[D->pressed[c][k] + 2]++;
    for (int b = 0; b < nbodies; b++)
        D->first[b + 2] += D->first[b + 1];
    for (int c = 0; c < set->ncontacts; c++)
        for (int k = 0; k < 2 && D->pressed[c][k] >= 0; k++)
            D->list[D->first[D->pressed[c][k] + 1]++] = c;
    return STICK_OK;
}

// Entries of H at free degrees of freedom of body b, contact by contact.
static int collect_entries(const StickDelassus *D, const StickContactSet *set, int b,
                           StickContactEntry *entry)
{
    const StickContactCompliance *compliance = &D->compliance;
    int group = group_of(D, b), count = 0;
    for (int k = D->first[group]; k < D->first[group + 1]; k++) {
        int c = D->list[k];
        const StickContact *contact = &set->contact[c];
        for (int e = contact->first; e < contact->first + contact->count; e++) {
            int dof = set->dof[e];
            if (compliance->owner[dof] == b && compliance->index[dof] >= 0)
                entry[count++] =
                    (StickContactEntry){c, compliance->index[dof], &set->H[(size_t)e * (size_t)set->dim]};
        }
    }
    return count;
}

// Columns of row c: all contacts of its bodies, two ascending lists made one.
static int merge_row(const StickDelassus *D, int c, int *col)
{
    const int *body = D->pressed[c];
    int a = D->first[body[0]], a_end = D->first[body[0] + 1], count = 0;
    int b = body[1] >= 0 ? D->first[body[1]] : 0, b_end = body[1] >= 0 ? D->first[body[1] + 1] : 0;
    while (a < a_end || b < b_end) {
        int left = a < a_end ? D->list[a] : INT_MAX, right = b < b_end ? D->list[b] : INT_MAX;
        col[count++] = left < right ? left : right;
        a += left <= right;
        b += right <= left;
    }
    return count;
}

// Contacts with both bodies in common are in both lists.
static int count_row(const StickDelassus *D, int c)
{
    const int *body = D->pressed[c];
    int a = D->first[body[0]], a_end = D->first[body[0] + 1], count = a_end - a;
    if (body[1] < 0)
        return count;
    int b = D->first[body[1]], b_end = D->first[body[1] + 1];
    count += b_end - b;
    while (a < a_end && b < b_end) {
        int left = D->list[a], right = D->list[b];
        count -= left == right;
        a += left <= right;
        b += right <= left;
    }
    return count;
}

static void count_rows(void *data, int from, int to)
{
    const Rows *rows = data;
    for (int c = from; c < to; c++)
        rows->D->W.start[c + 1] = count_row(rows->D, c);
}

static void fill_rows(void *data, int from, int to)
{
    const Rows *rows = data;
    const StickBlocks *W = &rows->D->W;
    size_t square = (size_t)(W->d * W->d);
    for (int c = from; c < to; c++)
        merge_row(rows->D, c, W->col + W->start[c]);
    if (rows->D->system->nrigid > 0) // these set every block
        return;
    memset(W->value + (size_t)W->start[from] * square, 0,
           (size_t)(W->start[to] - W->start[from]) * square * sizeof *W->value);
}

// Two contacts have a block if they press on a common body or group.
static StickStatus pattern(StickDelassus *D, const StickContactSet *set)
{
    StickBlocks *W = &D->W;
    Rows rows = {D, set};
    size_t blocks = 0;
    W->d = set->dim;
    W->n = set->ncontacts;
    STICK_RESERVE(D->ctx, W->start, D->start_capacity, W->n + 1);
    stick_threads_range(D->ctx, W->n, count_rows, &rows);
    W->start[0] = 0;
    for (int c = 0; c < W->n; c++) {
        blocks += (size_t)W->start[c + 1];
        STICK_CHECK(D->ctx, blocks <= INT_MAX, STICK_NO_MEMORY,
                    "%d contacts have more than %d blocks in common: take fewer bodies", W->n, INT_MAX);
        W->start[c + 1] = (int)blocks;
    }
    STICK_RESERVE(D->ctx, W->col, D->col_capacity, blocks);
    STICK_RESERVE(D->ctx, W->value, D->value_capacity, blocks * (size_t)(set->dim * set->dim));
    stick_threads_range(D->ctx, W->n, fill_rows, &rows);
    return STICK_OK;
}

// ---- joints

// In a direction that joints block, W of a contact is only round-off: it is set to at least this share of its value
// without joints, so that W stays definite.
static const double immovable = 1e-12;

static StickStatus copy_joints(StickDelassus *D)
{
    const StickJointElimination *links = D->links;
    int count = 0;
    if (!links)
        return STICK_OK;
    STICK_RESERVE(D->ctx, D->joint, D->joint_capacity, links->count);
    for (int i = 0; i < links->count; i++) {
        const StickRow *row = &links->row[i];
        if (links->dropped[i] || links->D[i] < 0)
            continue;
        D->joint[count] = (StickJointRow){.body = {row->body[0], row->body[1]}, .compliance = links->D[i]};
        memcpy(D->joint[count++].G, row->G, sizeof row->G);
    }
    D->bodies.njoints = count;
    D->bodies.joint = D->joint;
    return STICK_OK;
}

// W_dc -= Z_d' Z_c for the contacts of a group: what its joints take away.
static StickStatus add_links(StickDelassus *D, const StickContactSet *set, int group)
{
    const StickBlocks *W = &D->W;
    int rows = D->links->last[group] - D->links->first[group], dim = set->dim;
    int first = D->first[group], count = D->first[group + 1] - first;
    size_t each = (size_t)(rows * dim);
    STICK_RESERVE(D->ctx, D->Z, D->Z_capacity, each * (size_t)count);
    for (int d = 0; d < count; d++) {
        double *Z_d = D->Z + each * (size_t)d;
        stick_joint_elimination_contact(D->links, group, set, D->list[first + d], Z_d);
        for (int c = 0, at = W->start[D->list[first + d]]; c <= d; c++) {
            const double *Z_c = D->Z + each * (size_t)c;
            while (W->col[at] < D->list[first + c])
                at++;
            double *block = W->value + (size_t)at * (size_t)(dim * dim), least[3] = {0};
            for (int k = 0; k < dim; k++)
                least[k] = immovable * block[k * dim + k];
            for (int i = 0; i < rows; i++)
                for (int l = 0; l < dim; l++)
                    for (int k = 0; k < dim; k++)
                        block[l * dim + k] -= Z_d[i * dim + l] * Z_c[i * dim + k];
            for (int k = 0; k < dim && c == d; k++)
                block[k * dim + k] = fmax(block[k * dim + k], least[k]);
        }
    }
    return STICK_OK;
}

// ---- all of W

// The upper blocks are the transposed lower ones, and the diagonal blocks are made symmetric to the bit. Rows come in
// their order, so that the upper blocks of each row fill up from left to right.
static StickStatus mirror(StickDelassus *D)
{
    StickBlocks *W = &D->W;
    int d = W->d;
    STICK_RESERVE(D->ctx, D->cursor, D->cursor_capacity, W->n);
    for (int c = 0; c < W->n; c++) {
        for (int k = W->start[c]; W->col[k] <= c; k++) {
            bool diagonal = W->col[k] == c;
            double *lower = W->value + (size_t)k * (size_t)(d * d);
            double *upper = diagonal ? lower : W->value + (size_t)D->cursor[W->col[k]]++ * (size_t)(d * d);
            for (int i = 0; i < d; i++)
                for (int j = 0; j < (diagonal ? i : d); j++)
                    upper[j * d + i] = lower[i * d + j];
            if (diagonal) {
                D->cursor[c] = k + 1;
                break;
            }
        }
    }
    return STICK_OK;
}

// ---- the same contacts again

// On a plane neither contacts nor frames change from one increment to the next.
static bool is_known(const StickDelassus *D, const StickContactSet *set)
{
    size_t dim = (size_t)set->dim, entry = 0;
    if (!D->has_W || D->known_contacts != set->ncontacts)
        return false;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        size_t first = (size_t)contact->first, count = (size_t)contact->count;
        if (D->known[2 * c] != contact->pair || D->known[2 * c + 1] != contact->count ||
            memcmp(D->known_dof + entry, set->dof + first, count * sizeof *set->dof) != 0 ||
            memcmp(D->known_H + entry * dim, set->H + first * dim, count * dim * sizeof *set->H) != 0)
            return false;
        entry += count;
    }
    return true;
}

// With room for as many entries of one body.
static StickStatus keep_known(StickDelassus *D, const StickContactSet *set)
{
    size_t dim = (size_t)set->dim, entry = 0, entries = 0;
    for (int c = 0; c < set->ncontacts; c++)
        entries += (size_t)set->contact[c].count;
    STICK_RESERVE(D->ctx, D->entry, D->entry_capacity, entries);
    STICK_RESERVE(D->ctx, D->known, D->known_capacity, 2 * (size_t)set->ncontacts);
    STICK_RESERVE(D->ctx, D->known_dof, D->known_dof_capacity, entries);
    STICK_RESERVE(D->ctx, D->known_H, D->known_H_capacity, entries * dim);
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        size_t first = (size_t)contact->first, count = (size_t)contact->count;
        D->known[2 * c] = contact->pair;
        D->known[2 * c + 1] = contact->count;
        memcpy(D->known_dof + entry, set->dof + first, count * sizeof *set->dof);
        memcpy(D->known_H + entry * dim, set->H + first * dim, count * dim * sizeof *set->H);
        entry += count;
    }
    D->known_contacts = set->ncontacts;
    return STICK_OK;
}

StickStatus stick_delassus_blocks(StickDelassus *D, const StickContactSet *set, const StickBlocks **W)
{
    if (D->generation != stick_step_matrix_generation(D->matrix)) {
        stick_contact_compliance_renew(&D->compliance);
        D->generation = stick_step_matrix_generation(D->matrix);
        D->has_W = false;
    }
    D->has_W = D->has_W && D->turns == stick_step_matrix_turns(D->matrix);
    D->turns = stick_step_matrix_turns(D->matrix);
    if (!D->links && is_known(D, set)) {
        *W = &D->W;
        return STICK_OK;
    }
    bool all_rigid = stick_system_is_rigid(D->system);
    D->has_W = D->has_bodies = false;
    if (!all_rigid)
        STICK_TRY(keep_known(D, set));
    STICK_TRY(list_contacts(D, set));
    STICK_TRY(pattern(D, set));
    if (D->system->nrigid > 0)
        STICK_TRY(stick_rigid_rows_set(&D->rigid, set, &D->W));
    for (int b = 0; b < D->system->nbodies; b++) {
        int group = group_of(D, b);
        if (D->system->body[b].rigid || D->compliance.body[b].count == 0 ||
            D->first[group] == D->first[group + 1])
            continue;
        int nentries = collect_entries(D, set, b, D->entry);
        STICK_TRY(stick_contact_compliance_add(&D->compliance, b, D->entry, nentries, &D->W));
    }
    for (int b = 0; D->links && b < D->system->nbodies; b++)
        if (D->links->last[b] > D->links->first[b] && D->first[b] < D->first[b + 1])
            STICK_TRY(add_links(D, set, b));
    if (!all_rigid || D->links) // else both halves are there
        STICK_TRY(mirror(D));
    D->has_bodies = all_rigid;
    if (D->has_bodies) {
        STICK_TRY(stick_rigid_rows_bodies(&D->rigid, set, &D->bodies));
        STICK_TRY(copy_joints(D));
    }
    D->has_W = !all_rigid; // frames of bodies that turn are never those of the step before
    *W = &D->W;
    return STICK_OK;
}

const StickBodies *stick_delassus_bodies(const StickDelassus *D, const StickBlocks *W)
{
    return D->has_bodies && W == &D->W ? &D->bodies : NULL;
}

long stick_delassus_solves(const StickDelassus *D)
{
    return D->compliance.solves;
}

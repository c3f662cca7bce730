// SPDX-License-Identifier: Apache-2.0
#include "contact/contact_set.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

void stick_contact_set_destroy(StickContext *ctx, StickContactSet *set)
{
    stick_free(ctx, set->contact);
    stick_free(ctx, set->dof);
    stick_free(ctx, set->H);
    *set = (StickContactSet){0};
}

void stick_contact_frame(int dim, const double normal[3], double frame[3][3])
{
    double *n = frame[0], *t1 = frame[1], *t2 = frame[2];
    for (int k = 0; k < 3; k++)
        n[k] = normal[k];
    if (dim < 3) {
        t1[0] = n[1], t1[1] = -n[0], t1[2] = 0;
    } else {
        const double axis[3] = {fabs(n[0]) < 0.9, fabs(n[0]) >= 0.9, 0};
        stick_vec_axpy(axis, -stick_vec_dot(axis, n), n, t1);
        stick_vec_normalise(t1);
    }
    stick_vec_cross(n, t1, t2);
}

void stick_contact_drive(StickContact *contact, const double velocity[3])
{
    for (int k = 0; k < 3; k++)
        contact->u_drive[k] = -stick_vec_dot(contact->frame[k], velocity);
}

StickStatus stick_contact_set_reserve(StickContext *ctx, StickContactSet *set, size_t ncontacts,
                                      size_t nentries)
{
    STICK_RESERVE(ctx, set->contact, set->contact_capacity, ncontacts);
    STICK_RESERVE(ctx, set->dof, set->dof_capacity, nentries);
    STICK_RESERVE(ctx, set->H, set->H_capacity, nentries * (size_t)set->dim);
    return STICK_OK;
}

int stick_contact_set_entries(const StickContactSet *set)
{
    if (set->ncontacts == 0)
        return 0;
    const StickContact *last = &set->contact[set->ncontacts - 1];
    return last->first + last->count;
}

StickStatus stick_contact_set_add(StickContext *ctx, StickContactSet *set, const StickContact *contact,
                                  const StickStencil *stencil)
{
    int dim = set->dim;
    int entry = stick_contact_set_entries(set);
    STICK_TRY(stick_contact_set_reserve(ctx, set, (size_t)set->ncontacts + 1,
                                        (size_t)(entry + stencil->count * dim)));
    StickContact *added = &set->contact[set->ncontacts];
    *added = *contact;
    added->first = entry;
    added->count = stencil->count * dim;
    for (int i = 0; i < stencil->count; i++) {
        for (int a = 0; a < dim; a++, entry++) {
            set->dof[entry] = stencil->dof[i] + a;
            for (int k = 0; k < dim; k++)
                set->H[entry * dim + k] = stencil->weight[i] * contact->frame[k][a];
        }
    }
    set->ncontacts++;
    return STICK_OK;
}

StickStatus stick_contact_set_append(StickContext *ctx, StickContactSet *set, const StickContact *contact,
                                     int count, const int *dof, const double *H)
{
    int entry = stick_contact_set_entries(set);
    STICK_TRY(stick_contact_set_reserve(ctx, set, (size_t)set->ncontacts + 1, (size_t)(entry + count)));
    StickContact *added = &set->contact[set->ncontacts++];
    *added = *contact;
    added->first = entry;
    added->count = count;
    memcpy(set->dof + entry, dof, (size_t)count * sizeof *dof);
    memcpy(set->H + (size_t)entry * (size_t)set->dim, H, (size_t)(count * set->dim) * sizeof *H);
    return STICK_OK;
}

int stick_contact_rigid_columns(int dim, int first, const double centre[3], const StickContact *contact,
                                double sign, int *dof, double *H)
{
    int ndofs = stick_rigid_ndofs(dim);
    double arm[3], moment[3][3];
    stick_vec_sub(contact->place, centre, arm);
    for (int k = 0; k < dim; k++)
        stick_vec_cross(arm, contact->frame[k], moment[k]);
    for (int i = 0; i < ndofs; i++) {
        dof[i] = first + i;
        for (int k = 0; k < dim; k++)
            H[i * dim + k] = sign * (i < dim ? contact->frame[k][i] : moment[k][dim == 2 ? 2 : i - dim]);
    }
    return ndofs;
}

// ---- frames of half a step later

// A normal that turns by more than this (cosine) belongs to another side of a corner.
static const double little_turned = 0.9;

// Both sets list pairs and features in the same order, so that the search goes on from where it was.
static const StickContact *find(const StickContactSet *set, const StickContact *contact, int *from)
{
    for (int i = *from; i < set->ncontacts; i++) {
        const StickContact *other = &set->contact[i];
        if (other->pair == contact->pair && other->feature == contact->feature &&
            other->layer == contact->layer) {
            *from = i + 1;
            return other;
        }
    }
    return NULL;
}

// Where new columns may stand. Contacts whose layers were exchanged are in another order than their columns.
static int end_of_columns(const StickContactSet *set)
{
    int end = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        int own = set->contact[c].first + set->contact[c].count;
        end = own > end ? own : end;
    }
    return end;
}

// Frame and columns of a contact are those that it has in another set. The new columns begin at *entry.
static void take_frame(StickContactSet *set, StickContact *contact, const StickContactSet *other,
                       const StickContact *there, int *entry)
{
    int dim = set->dim;
    memcpy(set->dof + *entry, other->dof + there->first, (size_t)there->count * sizeof *set->dof);
    memcpy(set->H + *entry * dim, other->H + there->first * dim,
           (size_t)(there->count * dim) * sizeof *set->H);
    memcpy(contact->frame, there->frame, sizeof contact->frame);
    memcpy(contact->u_drive, there->u_drive, sizeof contact->u_drive);
    contact->first = *entry;
    contact->count = there->count;
    *entry += there->count;
}

static StickStatus reserve_frames(StickContext *ctx, StickContactSet *set, const StickContactSet *other)
{
    size_t most = (size_t)(end_of_columns(set) + end_of_columns(other));
    STICK_RESERVE(ctx, set->dof, set->dof_capacity, most);
    STICK_RESERVE(ctx, set->H, set->H_capacity, most * (size_t)set->dim);
    return STICK_OK;
}

StickStatus stick_contact_set_turn(StickContext *ctx, StickContactSet *set, const StickContactSet *middle)
{
    int entry = end_of_columns(set), from = 0;
    STICK_TRY(reserve_frames(ctx, set, middle));
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        const StickContact *later = find(middle, contact, &from);
        if (later && stick_vec_dot(later->frame[0], contact->frame[0]) >= little_turned)
            take_frame(set, contact, middle, later, &entry);
    }
    return STICK_OK;
}

// ---- edges of the counterface

static bool has_crossed_edge(const StickContactSet *set, const StickContact *contact,
                             const StickContactSet *before, const StickContact *old)
{
    return (old->count != contact->count || memcmp(set->dof + contact->first, before->dof + old->first,
                                                   (size_t)old->count * sizeof *set->dof) != 0) &&
           stick_vec_dot(old->frame[0], contact->frame[0]) >= little_turned;
}

static bool has_moved(const StickContact *contact, const StickContact *old, double far)
{
    double way[3];
    stick_vec_sub(contact->place, old->place, way);
    return stick_vec_dot(way, way) > far * far;
}

StickStatus stick_contact_set_keep_facets(StickContext *ctx, StickContactSet *set,
                                          const StickContactSet *before, double near)
{
    int entry = end_of_columns(set), from = 0;
    STICK_TRY(reserve_frames(ctx, set, before));
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        const StickContact *old = find(before, contact, &from);
        if (old && has_crossed_edge(set, contact, before, old) && !has_moved(contact, old, near))
            take_frame(set, contact, before, old, &entry);
    }
    return STICK_OK;
}

// ---- layers

static int compare_features(const StickContact *a, const StickContact *b)
{
    int pairs = (a->pair > b->pair) - (a->pair < b->pair);
    return pairs ? pairs : (a->feature > b->feature) - (a->feature < b->feature);
}

// Contacts of one feature, which stand side by side.
typedef struct Group {
    StickContact *contact;
    int count;
} Group;

static Group group_at(const StickContactSet *set, int c)
{
    Group group = {&set->contact[c], 1};
    while (c + group.count < set->ncontacts &&
           compare_features(&group.contact[group.count], group.contact) == 0)
        group.count++;
    return group;
}

// How well the two normals agree that do so best, of contacts with the same layer or with opposite ones.
static double likeness(const Group *a, const Group *b, bool opposite)
{
    double best = -1;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if ((a->contact[i].layer != b->contact[j].layer) == opposite)
                best = fmax(best, stick_vec_dot(a->contact[i].frame[0], b->contact[j].frame[0]));
    return best;
}

static void exchange_layers(Group *group)
{
    for (int i = 0; i < group->count; i++) {
        group->contact[i].layer = STICK_LAYERS - 1 - group->contact[i].layer;
        group->contact[i].exchanged = !group->contact[i].exchanged;
    }
}

// Contacts of a feature stand in the order of their layers.
static void exchange_contacts(Group *group)
{
    exchange_layers(group);
    if (group->count < STICK_LAYERS)
        return;
    StickContact first = group->contact[0];
    group->contact[0] = group->contact[1];
    group->contact[1] = first;
}

// The contacts of a feature in another set, of which none before *from are looked at; count 0: there are none.
static Group group_of(const StickContactSet *set, const StickContact *contact, int *from)
{
    while (*from < set->ncontacts && compare_features(&set->contact[*from], contact) < 0)
        ++*from;
    bool found = *from < set->ncontacts && compare_features(&set->contact[*from], contact) == 0;
    return found ? group_at(set, *from) : (Group){0};
}

void stick_contact_set_keep_layers(StickContactSet *set, const StickContactSet *before)
{
    int from = 0;
    for (int c = 0; c < set->ncontacts;) {
        Group now = group_at(set, c), then = group_of(before, now.contact, &from);
        c += now.count;
        if (then.count > 0 && now.count + then.count > 2 &&
            likeness(&now, &then, true) > likeness(&now, &then, false))
            exchange_contacts(&now);
    }
}

void stick_contact_set_return_layers(StickContactSet *set, const StickContactSet *kept)
{
    int from = 0;
    for (int c = 0; c < set->ncontacts;) {
        Group own = group_at(set, c), found = group_of(kept, own.contact, &from);
        c += own.count;
        if (found.count > 0 && found.contact->exchanged)
            exchange_layers(&own);
    }
}

typedef struct Velocity {
    const StickContactSet *set;
    const double *v;
    double *u;
} Velocity;

static void velocity_of_range(void *data, int from, int to)
{
    const Velocity *asked = data;
    const StickContactSet *set = asked->set;
    int dim = set->dim;
    for (int c = from; c < to; c++) {
        const StickContact *contact = &set->contact[c];
        double *uc = asked->u + c * dim;
        for (int k = 0; k < dim; k++)
            uc[k] = 0;
        for (int e = contact->first; e < contact->first + contact->count; e++)
            for (int k = 0; k < dim; k++)
                uc[k] += set->H[e * dim + k] * asked->v[set->dof[e]];
    }
}

void stick_contact_velocity(const StickContactSet *set, const double *v, double *u)
{
    Velocity asked = {set, v, u};
    stick_threads_range(set->ctx, set->ncontacts, velocity_of_range, &asked);
}

void stick_contact_scatter(const StickContactSet *set, const double *r, StickContactPart part, double *p)
{
    int dim = set->dim;
    int from = part == STICK_TANGENTIAL ? 1 : 0;
    int to = part == STICK_NORMAL ? 1 : dim;
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        for (int e = contact->first; e < contact->first + contact->count; e++)
            for (int k = from; k < to; k++)
                p[set->dof[e]] += set->H[e * dim + k] * r[c * dim + k];
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "stepping/persistence.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/contact_set.h"
#include "contact/rigid_pairs.h"
#include "solve/problem.h"
#include "stepping/contact_problem.h"
#include "stepping/sweep.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Of the velocity that its impulse makes, a contact that parts slower than this is closed.
static const double parting = 1e-2;

// Of the same, the speed with which a gap closes at most: the contact stays loaded.
static const double gentle = 0.25;

// A load that closes less than this part of a gap in a step is rounding, and no limit: the contact would carry load across its
// gap in one step, and lose it to the correction of the gap in the next one, for ever.
static const double least_part = 1e-3;

// Of the gap at which shapes touch: what the gaps of one face may differ by.
static const double uneven = 100;

// Of the time in which a body meets the first one, gaps that close in this are closed together.
static const double late = 4;

// Of the smaller body: how far the points of a contact may be from each other along the surface while it is not found, and
// how near another contact is the same one.
static const double slipped = 1e-5, near = 1e-3;

StickStatus stick_persistence_create(StickContext *ctx, const StickSystem *system, StickPersistence *all)
{
    STICK_ALLOC(ctx, all->ahead, system->nbodies);
    STICK_ALLOC(ctx, all->search, system->nbodies);
    STICK_ALLOC(ctx, all->near, system->model->ncontacts);
    return STICK_OK;
}

void stick_persistence_destroy(StickContext *ctx, StickPersistence *all)
{
    stick_free(ctx, all->ahead);
    stick_free(ctx, all->search);
    stick_free(ctx, all->near);
    stick_free(ctx, all->found);
    stick_free(ctx, all->active);
    stick_free(ctx, all->u);
    stick_free(ctx, all->dof);
    stick_free(ctx, all->H);
    *all = (StickPersistence){0};
}

// ---- how far

// What loads, springs and supports change the velocity of a body's points by.
static double load_speed(const StickSimulation *run, const StickBody *body)
{
    const double *v_free = run->v_L + body->first, *v_I = run->v_I + body->first;
    int dim = run->system->dim;
    double most = 0, turn = 0;
    for (int i = 0; i < body->ndofs; i += dim) {
        double speed = 0;
        for (int k = 0; k < dim && i + k < body->ndofs; k++)
            speed += (v_free[i + k] - v_I[i + k]) * (v_free[i + k] - v_I[i + k]);
        if (body->rigid && i > 0)
            turn = sqrt(speed);
        else
            most = fmax(most, sqrt(speed));
    }
    return most + (body->rigid ? turn * body->rigid->solid->bound : 0);
}

// Bound of the speed of the points of a rigid body.
static double speed_of(const StickBody *body, const double *v)
{
    double speed = 0, turn = 0;
    int dim = body->rigid->dim;
    for (int i = 0; i < body->ndofs; i++)
        *(i < dim ? &speed : &turn) += v[body->first + i] * v[body->first + i];
    return sqrt(speed) + sqrt(turn) * body->rigid->solid->bound;
}

static void extend_to(double *ahead, int b, double distance)
{
    if (b >= 0)
        ahead[b] = fmax(ahead[b], distance);
}

void stick_persistence_look_ahead(StickSimulation *run)
{
    const StickSystem *system = run->system;
    const StickContactMemory *memory = &run->state.memory;
    double *ahead = run->persistence.ahead, h = run->h;
    for (int b = 0; b < system->nbodies; b++)
        ahead[b] = 0;
    for (int k = 0; k < memory->nkeyed; k++) {
        const StickKeyedMemory *kept = &memory->keyed[k];
        StickContact contact = {.body = {kept->key.a, kept->key.b >= 0 ? kept->key.b : -1}};
        double distance =
            fmax(h * kept->closing, kept->held > 0 ? stick_step_laws_stretch(run, &contact) : 0);
        extend_to(ahead, contact.body[0], distance);
        extend_to(ahead, contact.body[1], distance);
    }
    for (int pair = 0; pair < system->model->ncontacts; pair++) {
        int slots = STICK_LAYERS * memory->features[pair];
        double most = 0;
        for (int s = 0; s < slots; s++)
            most = fmax(most, h * memory->closing[memory->first[pair] + s]);
        extend_to(ahead, system->model->contact[pair].slave.body, most);
        extend_to(ahead, system->model->contact[pair].master.body, most);
    }
    for (int b = 0; b < system->nbodies; b++)
        run->persistence.search[b] = ahead[b] += h * load_speed(run, &system->body[b]);
    for (int k = 0; k < memory->nkeyed; k++) {
        const StickKeyedMemory *kept = &memory->keyed[k];
        if (!(kept->hit > 0))
            continue;
        const int body[2] = {kept->key.a, kept->key.b >= 0 ? kept->key.b : -1};
        for (int side = 0; side < 2; side++)
            extend_to(run->persistence.search, body[side],
                      body[side] >= 0 ? h * speed_of(&system->body[body[side]], run->v_I) : 0);
    }
}

// ---- contacts that were there and are not found

// Cosine of two normals.
static const double same_normal = 1 - 1e-6;

static bool persists(const StickKeyedMemory *kept)
{
    return kept->closing > 0 || kept->held > 0;
}

static StickPose pose_of(const StickSimulation *run, int b)
{
    const StickBody *body = &run->system->body[b];
    return stick_rigid_pose(body->rigid, run->q_M + body->first);
}

// A contact of a memory, without its place.
static StickContact remembered(const StickSimulation *run, const StickKeyedMemory *kept)
{
    int b = kept->key.b, obstacle = b < 0 ? -1 - b : -1;
    return (StickContact){.pair = -1,
                          .rule = stick_model_rule(run->system->model, kept->key.a, b < 0 ? -1 : b, obstacle),
                          .body = {kept->key.a, b < 0 ? -1 : b},
                          .obstacle = obstacle,
                          .shapes = kept->key.shapes,
                          .name = kept->key.feature};
}

// Adds the contact of a memory to the set where its points are in the middle of this step; false: they have moved apart.
static StickStatus go_on(StickSimulation *run, int place, bool *added)
{
    const StickKeyedMemory *kept = &run->state.memory.keyed[place];
    StickContactSet *set = &run->contacts;
    int a = kept->key.a, b = kept->key.b, dim = run->system->dim, dof[2 * STICK_RIGID_DOFS];
    StickContact contact = remembered(run, kept);
    contact.waits = contact.lost = true;
    contact.known = place + 1;
    StickPose pose_a = pose_of(run, a), pose_b = pose_of(run, b);
    double at_a[3], at_b[3], between[3], n[3] = {0}, H[2 * STICK_RIGID_DOFS * 3];
    stick_pose_place(&pose_a, kept->at_a, at_a);
    stick_pose_place(&pose_b, kept->at_b, at_b);
    for (int k = 0; k < 3; k++)
        stick_vec_axpy(n, kept->normal[k], pose_b.axis[k], n);
    stick_vec_sub(at_a, at_b, between);
    contact.gap = stick_vec_dot(between, n);
    stick_vec_axpy(between, -contact.gap, n, between);
    *added =
        contact.rule >= 0 && stick_vec_norm(between) <= slipped * stick_rigid_smaller(run->system, &contact);
    if (!*added)
        return STICK_OK;
    for (int k = 0; k < 3; k++)
        contact.place[k] = 0.5 * (at_a[k] + at_b[k]);
    contact.waits = contact.gap > stick_rigid_touching(run->system, &contact);
    stick_contact_frame(dim, n, contact.frame);
    int first_a = run->system->body[a].first, first_b = run->system->body[b].first;
    int half = stick_contact_rigid_columns(dim, first_a, pose_a.centre, &contact, 1, dof, H);
    int count = half + stick_contact_rigid_columns(dim, first_b, pose_b.centre, &contact, -1, dof + half,
                                                   H + half * dim);
    return stick_contact_set_append(run->ctx, set, &contact, count, dof, H);
}

static bool same_shapes(const StickContact *x, const StickContact *y)
{
    return x->pair < 0 && y->pair < 0 && x->body[0] == y->body[0] && x->body[1] == y->body[1] &&
           x->obstacle == y->obstacle && x->shapes == y->shapes;
}

// Whether bodies are still opposite to each other as they hit: the search finds them with this normal, though rotation may have
// left a gap between them. Contacts of their shapes are around c.
static bool is_opposite(const StickSimulation *run, const StickKeyedMemory *kept, const StickContact *self,
                        int c, int count)
{
    const StickContact *contact = run->contacts.contact;
    for (int side = -1; side <= 1; side += 2)
        for (int d = side < 0 ? c - 1 : c; d >= 0 && d < count && same_shapes(&contact[d], self); d += side)
            if (stick_vec_dot(contact[d].frame[0], kept->normal) > same_normal)
                return true;
    return false;
}

// A hit leaves the velocity that leads to where the bodies touch. If they are no longer opposite to each other, because the body
// has gone past the edge of what it hit, the impulse is completed with the lever arms of the hit: u_N >= 0.
static StickStatus complete(StickSimulation *run, int place, int c, int count)
{
    const StickKeyedMemory *kept = &run->state.memory.keyed[place];
    StickContactSet *set = &run->contacts;
    StickContact contact = remembered(run, kept);
    int a = contact.body[0], b = contact.body[1], dim = run->system->dim, dof[2 * STICK_RIGID_DOFS];
    double H[2 * STICK_RIGID_DOFS * 3], centre_b[3];
    if (contact.rule < 0 || is_opposite(run, kept, &contact, c, count))
        return STICK_OK;
    contact.swept = true;
    contact.round = -1;
    contact.inelastic = true; // as in the hit: what rebounds does so at once
    contact.known = place + 1;
    StickPose pose = pose_of(run, a);
    stick_vec_axpy(pose.centre, 1, kept->at_a, contact.place);
    stick_contact_frame(dim, kept->normal, contact.frame);
    stick_pairs_drive(run->pairs, &contact);
    int entries =
        stick_contact_rigid_columns(dim, run->system->body[a].first, pose.centre, &contact, 1, dof, H);
    if (b >= 0) {
        stick_vec_sub(contact.place, kept->at_b, centre_b);
        entries += stick_contact_rigid_columns(dim, run->system->body[b].first, centre_b, &contact, -1,
                                               dof + entries, H + entries * dim);
    }
    return stick_contact_set_append(run->ctx, set, &contact, entries, dof, H);
}

// Another contact of the same shapes at the place of a memory, which was not there in the last step, inherits it. Those of
// its shapes are around c, where it would be.
static void inherit(StickSimulation *run, int place, int c, int count)
{
    const StickKeyedMemory *kept = &run->state.memory.keyed[place];
    StickPose pose = pose_of(run, kept->key.a);
    StickContact self = remembered(run, kept);
    double at[3], between[3], least = near * stick_rigid_smaller(run->system, &self);
    StickContact *heir = NULL, *contact = run->contacts.contact;
    stick_pose_place(&pose, kept->at_a, at);
    for (int side = -1; side <= 1; side += 2) {
        for (int d = side < 0 ? c - 1 : c; d >= 0 && d < count && same_shapes(&contact[d], &self);
             d += side) {
            stick_vec_sub(contact[d].place, at, between);
            double distance = stick_vec_norm(between);
            if (distance < least && contact[d].known == 0 &&
                !stick_memory_keyed(&run->state.memory, &contact[d])) {
                least = distance;
                heir = &contact[d];
            }
        }
    }
    if (heir)
        heir->known = place + 1;
}

// Whether a contact that is new is at the place of one that carried load: a name that has changed, not another contact.
static bool is_twin(const StickSimulation *run, int c)
{
    const StickContactSet *set = &run->contacts;
    const StickContact *contact = &set->contact[c];
    if (contact->pair >= 0 || contact->known > 0)
        return false;
    for (int side = -1; side <= 1; side += 2) {
        for (int d = c + side; d >= 0 && d < set->ncontacts; d += side) {
            const StickContact *other = &set->contact[d];
            double between[3];
            if (!same_shapes(other, contact))
                break;
            stick_vec_sub(contact->place, other->place, between);
            if (other->known > 0 && persists(&run->state.memory.keyed[other->known - 1]) &&
                stick_vec_norm(between) <= 2 * slipped * stick_rigid_smaller(run->system, contact))
                return true;
        }
    }
    return false;
}

// Contacts of rigid bodies begin at `first`, and those behind `old` were appended: both parts ascend by key.
static void merge(StickSimulation *run, int first, int old)
{
    StickContactSet *set = &run->contacts;
    StickContact *copy = run->persistence.found;
    int n = set->ncontacts;
    memcpy(copy + first, set->contact + first, (size_t)(n - first) * sizeof *copy);
    for (int to = first, i = first, j = old; to < n; to++) {
        bool take_old = j == n;
        if (i < old && j < n) {
            StickContactKey x = stick_contact_key(&copy[i]), y = stick_contact_key(&copy[j]);
            take_old = stick_contact_key_compare(&x, &y) < 0;
        }
        set->contact[to] = copy[take_old ? i++ : j++];
    }
}

// Columns of H in the order of the contacts, one after the other.
static StickStatus order_columns(StickSimulation *run)
{
    StickPersistence *all = &run->persistence;
    StickContactSet *set = &run->contacts;
    size_t entries = 0, dim = (size_t)set->dim;
    for (int c = 0; c < set->ncontacts; c++)
        entries += (size_t)set->contact[c].count;
    STICK_RESERVE(run->ctx, all->dof, all->dof_capacity, entries);
    STICK_RESERVE(run->ctx, all->H, all->H_capacity, entries * dim);
    size_t at = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        StickContact *contact = &set->contact[c];
        size_t first = (size_t)contact->first, count = (size_t)contact->count;
        memcpy(all->dof + at, set->dof + first, count * sizeof *set->dof);
        memcpy(all->H + at * dim, set->H + first * dim, count * dim * sizeof *set->H);
        contact->first = (int)at;
        at += count;
    }
    memcpy(set->dof, all->dof, entries * sizeof *set->dof);
    memcpy(set->H, all->H, entries * dim * sizeof *set->H);
    return STICK_OK;
}

static StickStatus go_on_all(StickSimulation *run)
{
    const StickContactMemory *memory = &run->state.memory;
    StickContactSet *set = &run->contacts;
    int first = 0, old = set->ncontacts;
    while (first < old && set->contact[first].pair >= 0)
        first++;
    for (int k = 0, c = first; k < memory->nkeyed; k++) {
        const StickKeyedMemory *kept = &memory->keyed[k];
        int order = 1;
        for (; c < old; c++) {
            StickContactKey key = stick_contact_key(&set->contact[c]);
            order = stick_contact_key_compare(&key, &kept->key);
            if (order >= 0)
                break;
        }
        bool added = c < old && order == 0;
        if (kept->hit > 0)
            STICK_TRY(complete(run, k, c, old));
        if (added && set->contact[c].known == 0)
            set->contact[c].known = k + 1;
        if (added || !persists(kept))
            continue;
        if (kept->key.b >= 0)
            STICK_TRY(go_on(run, k, &added));
        if (!added)
            inherit(run, k, c, old);
    }
    if (set->ncontacts == old)
        return STICK_OK;
    STICK_RESERVE(run->ctx, run->persistence.found, run->persistence.found_capacity, set->ncontacts);
    merge(run, first, old);
    return order_columns(run);
}

// ---- which

// Whether surfaces stop each other where they touch. A rebound needs the velocity with which they meet.
static bool lands(const StickSimulation *run, int pair, double delta)
{
    return pair >= 0 && delta == 1 && !run->system->model->contact[pair].law.restitution;
}

static bool some_land(const StickSimulation *run, double delta)
{
    bool some = false;
    for (int pair = 0; pair < run->system->model->ncontacts; pair++)
        some |= lands(run, pair, delta);
    return some;
}

// A gap that drifts under load stays in the problem, and is closed.
static bool is_active(const StickSimulation *run, StickContact *contact, double close)
{
    const StickContactMemory *memory = &run->state.memory;
    const double *ahead = run->persistence.ahead;
    bool by_shapes = contact->pair < 0;
    double margin = by_shapes ? stick_rigid_touching(run->system, contact) : close;
    if (!by_shapes)
        contact->waits = contact->gap > close;
    if (contact->gap <= margin) {
        if (contact->gap > 0 && lands(run, contact->pair, run->spec->dissipation ? 0 : 1))
            contact->closing = contact->gap / run->h;
        return true;
    }
    const StickKeyedMemory *known = contact->known > 0 ? &memory->keyed[contact->known - 1] : NULL;
    double closing = known        ? known->closing
                     : !by_shapes ? memory->closing[stick_memory_slot(memory, contact)]
                                  : 0;
    double reach = ahead[contact->body[0]] + (contact->body[1] >= 0 ? ahead[contact->body[1]] : 0);
    bool held = known && known->held > 0 && contact->gap <= stick_step_laws_stretch(run, contact);
    bool loaded = closing > 0 && contact->gap <= reach + margin,
         rounding = closing * run->h <= least_part * contact->gap;
    if (loaded)
        contact->closing = rounding ? contact->gap / run->h : fmin(contact->gap / run->h, gentle * closing);
    return !contact->waits || held || loaded;
}

// Faces with several contacts close by what all of them allow: a gap at one corner that is closed alone would take its load
// away from it, though it is no more than the noise of a solver.
static void close_together(StickSimulation *run)
{
    StickPersistence *all = &run->persistence;
    for (int from = 0, to; from < all->nfound; from = to) {
        const StickContact *first = &all->found[from];
        double least = INFINITY;
        for (to = from;
             to < all->nfound && all->found[to].pair == first->pair &&
             all->found[to].body[0] == first->body[0] && all->found[to].body[1] == first->body[1] &&
             all->found[to].obstacle == first->obstacle;
             to++)
            least = all->active[to] ? fmin(least, all->found[to].gap) : least;
        for (int c = from; c < to && first->pair < 0; c++) {
            StickContact *contact = &all->found[c];
            if (contact->gap <= uneven * stick_rigid_touching(run->system, contact))
                contact->closing = fmin(contact->closing, fmax(0, least) / run->h);
        }
    }
}

static void fill_set(StickSimulation *run)
{
    StickPersistence *all = &run->persistence;
    run->contacts.ncontacts = 0;
    for (int c = 0; c < all->nfound; c++)
        if (all->active[c])
            run->contacts.contact[run->contacts.ncontacts++] = all->found[c];
}

StickStatus stick_persistence_select(StickSimulation *run, double close)
{
    StickPersistence *all = &run->persistence;
    StickContactSet *set = &run->contacts;
    STICK_TRY(go_on_all(run));
    STICK_RESERVE(run->ctx, all->found, all->found_capacity, set->ncontacts);
    STICK_RESERVE(run->ctx, all->active, all->active_capacity, set->ncontacts);
    all->nfound = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        // what joints decide alone has nothing to say
        if ((run->joint_step && stick_joint_elimination_block(run->joint_step->links, set, c)) ||
            is_twin(run, c))
            continue;
        all->found[all->nfound] = set->contact[c];
        all->active[all->nfound] = is_active(run, &all->found[all->nfound], close);
        all->nfound++;
    }
    close_together(run);
    fill_set(run);
    return STICK_OK;
}

// ---- gaps that loads close

// The speed with which the loads of each body move it towards the other.
static double load_approach(const StickSimulation *run, const StickContact *contact)
{
    const StickContactSet *set = &run->contacts;
    const StickBody *body = &run->system->body[contact->body[0]];
    double part[2] = {0};
    for (int e = contact->first; e < contact->first + contact->count; e++) {
        int i = set->dof[e];
        bool is_first = i >= body->first && i < body->first + body->ndofs;
        part[!is_first] += set->H[e * set->dim] * (run->v_L[i] - run->v_I[i]);
    }
    return fmax(0, -part[0]) + fmax(0, -part[1]);
}

StickStatus stick_persistence_extend(StickSimulation *run, double delta, bool *again)
{
    StickPersistence *all = &run->persistence;
    int dim = run->system->dim, waiting = all->nfound - run->contacts.ncontacts;
    *again = false;
    all->is_landing = some_land(run, delta);
    if (waiting == 0)
        return STICK_OK;
    StickContactSet whole = run->contacts;
    whole.contact = all->found;
    whole.ncontacts = all->nfound;
    STICK_RESERVE(run->ctx, all->u, all->u_capacity, 2 * (size_t)(all->nfound * dim));
    double *u_I = all->u + all->nfound * dim, h = run->h;
    stick_contact_velocity(&whole, run->v_F, all->u);
    stick_contact_velocity(&whole, run->v_I, u_I);
    // when each body is stopped first, as part of the step: `ahead` is not needed any more
    double *soonest = all->ahead;
    StickMotionSweep path = stick_sweep_path(run, run->v_F, 0);
    STICK_TRY(stick_pairs_near(run->pairs, &path, all->near));
    for (int b = 0; b < run->system->nbodies; b++)
        soonest[b] = INFINITY;
    for (int c = 0; c < all->nfound; c++) {
        StickContact *contact = &all->found[c];
        double approach = fmax(0, -(u_I[c * dim] + contact->u_drive[0]));
        double u_N = all->u[c * dim] + contact->u_drive[0], *when = &all->u[c * dim];
        bool is_landing = lands(run, contact->pair, delta);
        if (!all->active[c])
            contact->closing = is_landing ? contact->gap / h : fmax(contact->gap / h, 2 * approach);
        *when = INFINITY;
        if (all->active[c] || !(u_N < -contact->closing))
            continue;
        // what moves far may pass by: a sweep tells
        if (is_landing && contact->gap <= all->near[contact->pair]) {
            all->active[c] = true;
            *again = true;
            continue;
        }
        if (contact->pair >= 0 || contact->gap > h * load_approach(run, contact))
            continue;
        *when = contact->gap / (-u_N * h);
        for (int side = 0; side < 2; side++)
            if (contact->body[side] >= 0)
                soonest[contact->body[side]] = fmin(soonest[contact->body[side]], *when);
    }
    // what a body would meet long after is looked at with its new velocity
    for (int c = 0; c < all->nfound; c++) {
        const int *body = all->found[c].body;
        double when = all->u[c * dim];
        if (!isfinite(when) ||
            when > late * fmax(soonest[body[0]], body[1] >= 0 ? soonest[body[1]] : 0) + DBL_EPSILON)
            continue;
        all->active[c] = true;
        *again = true;
    }
    if (*again)
        fill_set(run);
    return STICK_OK;
}

// ---- the end of the step

double stick_persistence_closing(const StickSimulation *run, int contact)
{
    int dim = run->system->dim;
    double W[9];
    StickFrictionProblem problem = stick_simulation_problem(run);
    stick_friction_diagonal(&problem, contact, W);
    const StickContact *own = &run->contacts.contact[contact];
    if (own->swept)
        return 0; // an impact, not a load: the next detection or sweep finds it where it is
    double closing = W[0] * run->r[contact * dim];
    // of redundant contacts one may carry what its neighbour could
    if (own->pair < 0 && own->gap <= uneven * stick_rigid_touching(run->system, own))
        closing = fmax(closing, load_approach(run, own));
    return run->u[contact * dim] <= parting * closing ? fmax(0, closing) : 0;
}

bool stick_persistence_hits(const StickSimulation *run, int c)
{
    const StickContact *contact = &run->contacts.contact[c];
    return contact->swept && contact->completes && run->r[c * run->system->dim] > 0 && run->bias[c] > 0;
}

StickStatus stick_persistence_keep_hits(StickSimulation *run)
{
    StickContactMemory *memory = &run->state.memory;
    int hits = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        hits += stick_persistence_hits(run, c);
    STICK_RESERVE(run->ctx, memory->keyed, memory->keyed_capacity, memory->nkeyed + hits);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        StickContactKey key = stick_contact_key(&run->contacts.contact[c]);
        if (!stick_persistence_hits(run, c))
            continue;
        // behind those of equal keys
        int at = stick_memory_place(memory, &key);
        while (at < memory->nkeyed && stick_contact_key_compare(&memory->keyed[at].key, &key) == 0)
            at++;
        memmove(memory->keyed + at + 1, memory->keyed + at,
                (size_t)(memory->nkeyed - at) * sizeof *memory->keyed);
        memory->keyed[at] = (StickKeyedMemory){.key = key,
                                               .hit = 1,
                                               .speed = run->speed[c],
                                               .state = run->laws.has_state ? run->laws.state[c] : 0};
        memory->nkeyed++;
        stick_persistence_mark(run, c, &memory->keyed[at]);
    }
    return STICK_OK;
}

static void seen_from(const StickPose *pose, const double x[3], double y[3])
{
    for (int k = 0; k < 3; k++)
        y[k] = stick_vec_dot(pose->axis[k], x);
}

void stick_persistence_mark(const StickSimulation *run, int c, StickKeyedMemory *kept)
{
    const StickContact *contact = &run->contacts.contact[c];
    const StickKeyedMemory *known = stick_contact_problem_known(run, c);
    if (kept->hit > 0) {
        memcpy(kept->at_a, contact->arm[0], sizeof kept->at_a);
        memcpy(kept->at_b, contact->arm[1], sizeof kept->at_b);
        memcpy(kept->normal, contact->frame[0], sizeof kept->normal);
        return;
    }
    if (contact->lost) {
        memcpy(kept->at_a, known->at_a, sizeof kept->at_a);
        memcpy(kept->at_b, known->at_b, sizeof kept->at_b);
        memcpy(kept->normal, known->normal, sizeof kept->normal);
        return;
    }
    const double *n = contact->frame[0];
    StickPose pose = pose_of(run, contact->body[0]);
    double x[3];
    stick_vec_axpy(contact->place, 0.5 * contact->gap, n, x);
    stick_vec_sub(x, pose.centre, x);
    seen_from(&pose, x, kept->at_a);
    stick_vec_axpy(contact->place, -0.5 * contact->gap, n, kept->at_b);
    memcpy(kept->normal, n, sizeof kept->normal);
    if (contact->body[1] < 0)
        return;
    pose = pose_of(run, contact->body[1]);
    stick_vec_sub(kept->at_b, pose.centre, x);
    seen_from(&pose, x, kept->at_b);
    seen_from(&pose, n, kept->normal);
}

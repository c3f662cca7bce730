// SPDX-License-Identifier: Apache-2.0
#include "contact/rigid_pairs.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/vec.h"
#include "contact/aabb.h"
#include "contact/broadphase.h"
#include "contact/collision_filter.h"
#include "contact/concave_obstacle.h"
#include "contact/contact_set.h"
#include "contact/narrowphase.h"
#include "contact/obstacle.h"
#include "contact/seam.h"

#include <limits.h>
#include <string.h>

// Shapes whose gap is less than this part of the smaller body touch: round-off must not open a contact.
static const double touching = 1e-9;

// What touches: a body and another one, or an obstacle.
typedef struct Meeting {
    int a, b; // numbers among the rigid bodies; b = -1: an obstacle
    int obstacle;
    int rule;
    uint32_t shapes;
} Meeting;

// A point where they do.
typedef struct Touch {
    Meeting meeting;
    double normal[3];
    bool waits; // apart, but loads may close it
    StickManifoldPoint point;
} Touch;

// Touches of the bodies of one piece, in the order of their keys.
typedef struct Piece {
    Touch *touch;
    size_t capacity;
    size_t count;       // if there is no room for so many, they are looked for again
    int nentries;       // of H
    int contact, entry; // where theirs begin in the set
} Piece;

struct StickRigidPairs {
    StickContext *ctx;
    const StickSystem *system;
    int count;                // rigid bodies ...
    int *body;                // ... which they are, ascending,
    int *first;               // count: their first degrees of freedom,
    const StickSolid **solid; // count: and what they are: a look into each body would be one into far memory
    bool *held;               // nbodies: no degree of freedom is free
    bool *tumbles;            // nbodies: its rotation is free, in space
    StickPose *pose;
    StickBox *box;       // count
    const double *ahead; // nbodies of the system, or NULL: see StickDetection
    StickBroadphase *broad;
    int nobstacles;
    StickObstacle *obstacle; // all of the model
    bool one_rule;           // for all
    StickCollisionFilter parted;
    Piece *piece; // stick_piece_count(count)
};

int stick_contact_key_compare(const StickContactKey *x, const StickContactKey *y)
{
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    if (x->shapes != y->shapes)
        return x->shapes < y->shapes ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

void stick_rigid_pairs_destroy(StickRigidPairs *pairs)
{
    if (!pairs)
        return;
    StickContext *ctx = pairs->ctx;
    stick_broadphase_destroy(pairs->broad);
    stick_free(ctx, pairs->body);
    stick_free(ctx, pairs->first);
    stick_free(ctx, (void *)pairs->solid);
    stick_free(ctx, pairs->held);
    stick_free(ctx, pairs->tumbles);
    stick_free(ctx, pairs->pose);
    stick_free(ctx, pairs->box);
    stick_free(ctx, pairs->obstacle);
    stick_collision_filter_destroy(ctx, &pairs->parted);
    for (int k = 0; pairs->piece && k < stick_piece_count(pairs->count); k++)
        stick_free(ctx, pairs->piece[k].touch);
    stick_free(ctx, pairs->piece);
    stick_free(ctx, pairs);
}

static StickStatus make_obstacles(StickRigidPairs *pairs, double panel)
{
    const StickModel *model = pairs->system->model;
    STICK_ALLOC(pairs->ctx, pairs->obstacle, model->nobstacles);
    for (int o = 0; o < model->nobstacles; o++) {
        STICK_TRY(stick_obstacle_init(pairs->ctx, &model->obstacle[o], pairs->system->dim, panel,
                                      &pairs->obstacle[o]));
        pairs->nobstacles = o + 1;
    }
    return STICK_OK;
}

static bool is_for_all(const StickModel *model)
{
    return model->nrules == 1 && model->rule[0].side[0].kind == STICK_SIDE_ALL &&
           model->rule[0].side[1].kind == STICK_SIDE_ALL;
}

static StickStatus fill(StickRigidPairs *pairs, double panel)
{
    StickContext *ctx = pairs->ctx;
    const StickSystem *system = pairs->system;
    STICK_ALLOC(ctx, pairs->body, system->nrigid);
    STICK_ALLOC(ctx, pairs->first, system->nrigid);
    STICK_ALLOC(ctx, pairs->solid, system->nrigid);
    STICK_ALLOC(ctx, pairs->held, system->nbodies);
    STICK_ALLOC(ctx, pairs->tumbles, system->nbodies);
    STICK_ALLOC(ctx, pairs->pose, system->nrigid);
    STICK_ALLOC(ctx, pairs->box, system->nrigid);
    for (int b = 0; b < system->nbodies; b++) {
        if (!system->body[b].rigid)
            continue;
        pairs->first[pairs->count] = system->body[b].first;
        pairs->solid[pairs->count] = system->body[b].rigid->solid;
        pairs->body[pairs->count++] = b;
    }
    STICK_ALLOC(ctx, pairs->piece, stick_piece_count(pairs->count));
    pairs->one_rule = is_for_all(system->model);
    STICK_TRY(stick_collision_filter_create(ctx, system->model, &pairs->parted));
    STICK_TRY(make_obstacles(pairs, panel));
    return stick_broadphase_create(ctx, system->dim, &pairs->broad);
}

StickStatus stick_rigid_pairs_create(StickContext *ctx, const StickSystem *system, double panel,
                                     StickRigidPairs **pairs)
{
    StickRigidPairs *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    made->system = system;
    StickStatus status = fill(made, panel);
    if (status != STICK_OK)
        stick_rigid_pairs_destroy(made);
    else
        *pairs = made;
    return status;
}

void stick_rigid_pairs_hold(StickRigidPairs *pairs, const bool *prescribed)
{
    for (int k = 0; k < pairs->count; k++) {
        const StickBody *body = &pairs->system->body[pairs->body[k]];
        bool held = true;
        for (int i = 0; i < body->ndofs; i++)
            held = held && prescribed[body->first + i];
        pairs->held[pairs->body[k]] = held;
        const bool *turn = prescribed + body->first + 3;
        pairs->tumbles[pairs->body[k]] = pairs->system->dim == 3 && !turn[0] && !turn[1] && !turn[2];
    }
}

StickStatus stick_rigid_pairs_obstacle_speed(StickRigidPairs *pairs, double t, double h, double *speed)
{
    double largest = 0;
    for (int o = 0; o < pairs->nobstacles; o++) {
        double displacement[3], velocity[3];
        STICK_TRY(stick_translation_at(&pairs->obstacle[o].translation, t, h, displacement, velocity));
        largest = fmax(largest, stick_vec_norm(velocity));
    }
    *speed = largest;
    return STICK_OK;
}

// ---- touches

static int entries_of(const StickRigidPairs *pairs, const Meeting *meeting)
{
    return (meeting->b >= 0 ? 2 : 1) * stick_rigid_ndofs(pairs->system->dim);
}

// Points in the order of their features; those with larger gaps than `close` wait.
static void add_manifold(const StickRigidPairs *pairs, const Meeting *meeting, const StickManifold *manifold,
                         double close, Piece *piece)
{
    int order[STICK_MANIFOLD];
    for (int k = 0; k < manifold->count; k++) {
        int at = k;
        for (; at > 0 && manifold->point[order[at - 1]].feature > manifold->point[k].feature; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (int k = 0; k < manifold->count; k++, piece->count++) {
        piece->nentries += entries_of(pairs, meeting);
        if (piece->count >= piece->capacity)
            continue;
        Touch *touch = &piece->touch[piece->count];
        touch->meeting = *meeting;
        touch->point = manifold->point[order[k]];
        touch->waits = touch->point.gap > close;
        memcpy(touch->normal, manifold->normal, sizeof touch->normal);
    }
}

// Farther from the obstacle than the ball around the body: nothing of it touches. Chains look for themselves.
static bool is_far(const StickObstacle *obstacle, const StickPose *pose, double bound)
{
    double normal[3];
    return obstacle->spec->kind != STICK_OBSTACLE_POLYLINE &&
           stick_obstacle_distance(obstacle, pose->centre, normal) > bound;
}

// How far loads can bring both towards each other.
static double ahead_of(const StickRigidPairs *pairs, int a, int b)
{
    if (!pairs->ahead)
        return 0;
    return pairs->ahead[pairs->body[a]] + (b >= 0 ? pairs->ahead[pairs->body[b]] : 0);
}

// Of the smaller body: gaps that a rotation closes while a part of the body touches.
static const double lever = 0.1;

// A full manifold may have lost points that touch: it is made again with a shorter reach.
enum { REACHES = 3 };
static void list_reaches(double close, double ahead, double bound, double reach[REACHES])
{
    reach[0] = close + ahead;
    reach[1] = close + fmin(ahead, lever * bound);
    reach[2] = close;
}

static bool is_crowded(const StickManifold *manifold, double close)
{
    return manifold->count == STICK_MANIFOLD && stick_manifold_gap(manifold) <= close;
}

// Where each point has a normal of its own.
static void meet_hollow(const StickRigidPairs *pairs, const Meeting *meeting, const StickPlacedShape *shape,
                        double close, Piece *piece)
{
    StickConcaveTouch touch[STICK_HOLLOW_POINTS];
    const StickObstacle *obstacle = &pairs->obstacle[meeting->obstacle];
    double ahead = ahead_of(pairs, meeting->a, -1);
    int count = stick_concave_obstacle_touch(shape, obstacle, close + ahead, touch);
    if (count == STICK_HOLLOW_POINTS)
        count = stick_concave_obstacle_touch(shape, obstacle, close, touch);
    for (int k = 0; k < count; k++) {
        StickManifold manifold = {.count = 1, .point = {touch[k].point}};
        memcpy(manifold.normal, touch[k].normal, sizeof manifold.normal);
        add_manifold(pairs, meeting, &manifold, close, piece);
    }
}

static void meet_obstacle(const StickRigidPairs *pairs, const Meeting *meeting, const StickPlacedShape *shape,
                          double close, Piece *piece)
{
    const StickObstacle *obstacle = &pairs->obstacle[meeting->obstacle];
    int dim = pairs->system->dim;
    double reach[REACHES];
    StickManifold manifold;
    if (stick_is_hollow(obstacle->spec)) {
        meet_hollow(pairs, meeting, shape, close, piece);
        return;
    }
    list_reaches(close, ahead_of(pairs, meeting->a, -1), shape->shape->bound, reach);
    for (int k = 0; k < REACHES && (k == 0 || is_crowded(&manifold, close)); k++)
        stick_narrowphase_obstacle(dim, shape, obstacle, reach[k], &manifold);
    add_manifold(pairs, meeting, &manifold, close, piece);
}

static void meet_obstacles(const StickRigidPairs *pairs, int a, double reach, Piece *piece)
{
    const StickSystem *system = pairs->system;
    const StickSolid *solid = pairs->solid[a];
    double most = reach + touching * solid->bound, ahead = ahead_of(pairs, a, -1);
    // ascending keys: b = -1 - obstacle
    for (int o = pairs->nobstacles - 1; o >= 0; o--) {
        const StickObstacle *obstacle = &pairs->obstacle[o];
        if (pairs->held[pairs->body[a]] ||
            stick_collision_filter_has(&pairs->parted, pairs->body[a], -1 - o) ||
            is_far(obstacle, &pairs->pose[a], solid->bound + most + ahead))
            continue;
        int rule = pairs->one_rule ? 0 : stick_model_rule(system->model, pairs->body[a], -1, o);
        for (int s = 0; s < solid->nshapes && rule >= 0; s++) {
            StickPlacedShape shape = stick_shape_place(&solid->shape[s], &pairs->pose[a]);
            Meeting meeting = {.a = a, .b = -1, .obstacle = o, .rule = rule, .shapes = (uint32_t)s};
            meet_obstacle(pairs, &meeting, &shape, most, piece);
        }
    }
}

static void meet_bodies(const StickRigidPairs *pairs, const Meeting *meeting, double reach, Piece *piece)
{
    const StickSystem *system = pairs->system;
    const StickSolid *a = pairs->solid[meeting->a];
    const StickSolid *b = pairs->solid[meeting->b];
    double least = fmin(a->bound, b->bound), most = reach + touching * least;
    double reach_of[REACHES];
    list_reaches(most, ahead_of(pairs, meeting->a, meeting->b), least, reach_of);
    for (int i = 0; i < a->nshapes; i++) {
        StickPlacedShape first = stick_shape_place(&a->shape[i], &pairs->pose[meeting->a]);
        for (int j = 0; j < b->nshapes; j++) {
            StickManifold manifold;
            Meeting part = *meeting;
            part.shapes = (uint32_t)(i * b->nshapes + j);
            StickPlacedShape second = stick_shape_place(&b->shape[j], &pairs->pose[meeting->b]);
            for (int k = 0; k < REACHES && (k == 0 || is_crowded(&manifold, most)); k++)
                stick_narrowphase(system->dim, &first, &second, reach_of[k], &manifold);
            stick_seam_filter(a, i, &first, b, j, &second, &manifold);
            add_manifold(pairs, &part, &manifold, most, piece);
        }
    }
}

static void meet_pair(const StickRigidPairs *pairs, const StickBroadphasePair *pair, double reach,
                      Piece *piece)
{
    int a = pairs->body[pair->a], b = pairs->body[pair->b];
    if ((pairs->held[a] && pairs->held[b]) || stick_collision_filter_has(&pairs->parted, a, b))
        return;
    Meeting meeting = {.a = pair->a, .b = pair->b, .obstacle = -1};
    meeting.rule = pairs->one_rule ? 0 : stick_model_rule(pairs->system->model, a, b, -1);
    if (meeting.rule >= 0)
        meet_bodies(pairs, &meeting, reach, piece);
}

// One detection.
typedef struct Detecting {
    StickRigidPairs *pairs;
    const StickDetection *where;
    const StickBroadphasePair *near;
    int npairs;
    StickContactSet *set;
} Detecting;

static void place_range(void *data, int from, int to)
{
    const Detecting *at = data;
    StickRigidPairs *pairs = at->pairs;
    for (int k = from; k < to; k++) {
        const StickBody *body = &pairs->system->body[pairs->body[k]];
        pairs->pose[k] = stick_rigid_pose(body->rigid, at->where->q + body->first);
        pairs->box[k] = stick_aabb(body->rigid->solid, &pairs->pose[k],
                                   0.5 * at->where->reach + touching * body->rigid->solid->bound +
                                       ahead_of(pairs, k, -1));
    }
}

// The first pair of body k, or of one behind it.
static int first_pair(const Detecting *at, int k)
{
    int low = 0, high = at->npairs;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (at->near[middle].a < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void meet_range(void *data, int from, int to)
{
    const Detecting *at = data;
    Piece *piece = &at->pairs->piece[from / STICK_PIECE];
    int next = first_pair(at, from);
    piece->count = 0;
    piece->nentries = 0;
    for (int k = from; k < to; k++) {
        meet_obstacles(at->pairs, k, at->where->reach, piece);
        for (; next < at->npairs && at->near[next].a == k; next++)
            meet_pair(at->pairs, &at->near[next], at->where->reach, piece);
    }
}

// Where there was not enough room for the touches of a piece it is made, and they are looked for again.
static StickStatus find_touches(Detecting *at)
{
    StickRigidPairs *pairs = at->pairs;
    stick_threads_range(pairs->ctx, pairs->count, meet_range, at);
    for (int k = 0; k < stick_piece_count(pairs->count); k++) {
        Piece *piece = &pairs->piece[k];
        int from = k * STICK_PIECE, rest = pairs->count - from;
        if (piece->count <= piece->capacity)
            continue;
        STICK_RESERVE(pairs->ctx, piece->touch, piece->capacity, piece->count);
        meet_range(at, from, from + (rest < STICK_PIECE ? rest : STICK_PIECE));
    }
    return STICK_OK;
}

// ---- contacts

static void make_contact(const StickRigidPairs *pairs, const Touch *touch, int entry, StickContactSet *set,
                         StickContact *contact)
{
    const StickSystem *system = pairs->system;
    const Meeting *meeting = &touch->meeting;
    int a = pairs->body[meeting->a], b = meeting->b >= 0 ? pairs->body[meeting->b] : -1, dim = system->dim;
    *contact = (StickContact){.pair = -1,
                              .rule = meeting->rule,
                              .body = {a, b},
                              .obstacle = meeting->obstacle,
                              .shapes = meeting->shapes,
                              .name = touch->point.feature,
                              .first = entry,
                              .count = entries_of(pairs, meeting),
                              .waits = touch->waits,
                              .gap = touch->point.gap};
    memcpy(contact->place, touch->point.place, sizeof contact->place);
    stick_contact_frame(dim, touch->normal, contact->frame);
    if (b < 0)
        stick_contact_drive(contact, pairs->obstacle[meeting->obstacle].velocity);
    int half = stick_contact_rigid_columns(dim, pairs->first[meeting->a], pairs->pose[meeting->a].centre,
                                           contact, 1, set->dof + entry, set->H + entry * dim);
    if (b >= 0)
        stick_contact_rigid_columns(dim, pairs->first[meeting->b], pairs->pose[meeting->b].centre, contact,
                                    -1, set->dof + entry + half, set->H + (entry + half) * dim);
}

static void make_range(void *data, int from, int to)
{
    const Detecting *at = data;
    const Piece *piece = &at->pairs->piece[from / STICK_PIECE];
    int entry = piece->entry;
    (void)to;
    for (size_t k = 0; k < piece->count; k++) {
        StickContact *contact = &at->set->contact[(size_t)piece->contact + k];
        make_contact(at->pairs, &piece->touch[k], entry, at->set, contact);
        entry += contact->count;
    }
}

// Contacts of all pieces, one after the other.
static StickStatus make_contacts(Detecting *at)
{
    StickRigidPairs *pairs = at->pairs;
    size_t contacts = (size_t)at->set->ncontacts, entries = (size_t)stick_contact_set_entries(at->set);
    for (int k = 0; k < stick_piece_count(pairs->count); k++) {
        pairs->piece[k].contact = (int)contacts;
        pairs->piece[k].entry = (int)entries;
        contacts += pairs->piece[k].count;
        entries += (size_t)pairs->piece[k].nentries;
        STICK_CHECK(pairs->ctx, entries <= INT_MAX, STICK_BAD_INPUT,
                    "more than %zu contacts of rigid bodies: take fewer bodies", contacts);
    }
    STICK_TRY(stick_contact_set_reserve(pairs->ctx, at->set, contacts, entries));
    stick_threads_range(pairs->ctx, pairs->count, make_range, at);
    at->set->ncontacts = (int)contacts;
    return STICK_OK;
}

StickStatus stick_rigid_pairs_detect(StickRigidPairs *pairs, const StickDetection *where,
                                     StickContactSet *set)
{
    Detecting at = {.pairs = pairs, .where = where, .set = set};
    pairs->ahead = where->ahead;
    for (int o = 0; o < pairs->nobstacles; o++)
        STICK_TRY(stick_obstacle_move(&pairs->obstacle[o], where->t, where->h));
    stick_threads_range(pairs->ctx, pairs->count, place_range, &at);
    STICK_TRY(stick_broadphase_find(pairs->broad, pairs->box, pairs->count, &at.near, &at.npairs));
    STICK_TRY(find_touches(&at));
    return make_contacts(&at);
}

// ---- distances

static double distance_of_bodies(const StickSystem *system, int a, int b, const double *q)
{
    const StickBody *first = &system->body[a], *second = &system->body[b];
    StickPose from = stick_rigid_pose(first->rigid, q + first->first),
              to = stick_rigid_pose(second->rigid, q + second->first);
    double centres[3], least = INFINITY;
    stick_vec_sub(from.centre, to.centre, centres);
    for (int i = 0; i < first->rigid->solid->nshapes; i++) {
        StickPlacedShape one = stick_shape_place(&first->rigid->solid->shape[i], &from);
        for (int j = 0; j < second->rigid->solid->nshapes; j++) {
            StickPlacedShape other = stick_shape_place(&second->rigid->solid->shape[j], &to);
            double reach = 1.01 * stick_vec_norm(centres) + first->rigid->solid->bound;
            least = fmin(least, stick_shape_distance(system->dim, &one, &other, reach));
        }
    }
    return least;
}

StickStatus stick_rigid_pairs_distance(StickRigidPairs *pairs, const StickDetection *where, int a, int b,
                                       int obstacle, double *distance)
{
    const StickSystem *system = pairs->system;
    if (b >= 0) {
        *distance = distance_of_bodies(system, a, b, where->q);
        return STICK_OK;
    }
    const StickBody *body = &system->body[a];
    StickPose pose = stick_rigid_pose(body->rigid, where->q + body->first);
    double normal[3], least = INFINITY;
    STICK_TRY(stick_obstacle_move(&pairs->obstacle[obstacle], where->t, where->h));
    double reach = fabs(stick_obstacle_distance(&pairs->obstacle[obstacle], pose.centre, normal)) +
                   body->rigid->solid->bound;
    for (int s = 0; s < body->rigid->solid->nshapes; s++) {
        StickPlacedShape shape = stick_shape_place(&body->rigid->solid->shape[s], &pose);
        least = fmin(least,
                     stick_shape_distance_obstacle(system->dim, &shape, &pairs->obstacle[obstacle], reach));
    }
    *distance = least;
    return STICK_OK;
}

StickRigidView stick_rigid_pairs_view(const StickRigidPairs *pairs)
{
    return (StickRigidView){.system = pairs->system,
                            .count = pairs->count,
                            .body = pairs->body,
                            .first = pairs->first,
                            .solid = pairs->solid,
                            .held = pairs->held,
                            .tumbles = pairs->tumbles,
                            .pose = pairs->pose,
                            .nobstacles = pairs->nobstacles,
                            .obstacle = pairs->obstacle,
                            .parted = &pairs->parted};
}

// ---- tolerance

double stick_rigid_smaller(const StickSystem *system, const StickContact *contact)
{
    double bound = system->body[contact->body[0]].rigid->solid->bound;
    return contact->body[1] >= 0 ? fmin(bound, system->body[contact->body[1]].rigid->solid->bound) : bound;
}

double stick_rigid_touching(const StickSystem *system, const StickContact *contact)
{
    return touching * stick_rigid_smaller(system, contact);
}

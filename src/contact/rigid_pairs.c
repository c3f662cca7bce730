// SPDX-License-Identifier: Apache-2.0
#include "contact/rigid_pairs.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/vec.h"
#include "contact/broad.h"
#include "contact/catch.h"
#include "contact/contact_set.h"
#include "contact/hollow.h"
#include "contact/obstacle.h"
#include "contact/parted.h"
#include "contact/shape_touch.h"
#include "contact/solid_box.h"

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
    StickTouchPoint point;
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
    StickPose *pose;
    StickBox *box;    // count
    double (*way)[3]; // count: of fast ones until the next detection
    bool *fast;       // count
    double thin;      // of the thinnest body or round obstacle, half
    double h;         // of the detection, where it looks ahead; otherwise 0
    StickBroad *broad;
    int nobstacles;
    StickObstacle *obstacle; // all of the model
    bool one_rule;           // for all
    StickParted parted;
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
    stick_broad_destroy(pairs->broad);
    stick_free(ctx, pairs->body);
    stick_free(ctx, pairs->first);
    stick_free(ctx, (void *)pairs->solid);
    stick_free(ctx, pairs->held);
    stick_free(ctx, pairs->pose);
    stick_free(ctx, pairs->box);
    stick_free(ctx, pairs->way);
    stick_free(ctx, pairs->fast);
    stick_free(ctx, pairs->obstacle);
    stick_parted_destroy(ctx, &pairs->parted);
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

static double thinnest(const StickRigidPairs *pairs)
{
    double least = INFINITY;
    for (int k = 0; k < pairs->count; k++)
        least = fmin(least, pairs->solid[k]->thin);
    for (int o = 0; o < pairs->nobstacles; o++)
        if (stick_shape_is_round(pairs->obstacle[o].spec))
            least = fmin(least, pairs->obstacle[o].spec->radius);
    return least;
}

static StickStatus fill(StickRigidPairs *pairs, double panel)
{
    StickContext *ctx = pairs->ctx;
    const StickSystem *system = pairs->system;
    STICK_ALLOC(ctx, pairs->body, system->nrigid);
    STICK_ALLOC(ctx, pairs->first, system->nrigid);
    STICK_ALLOC(ctx, pairs->solid, system->nrigid);
    STICK_ALLOC(ctx, pairs->held, system->nbodies);
    STICK_ALLOC(ctx, pairs->pose, system->nrigid);
    STICK_ALLOC(ctx, pairs->box, system->nrigid);
    STICK_ALLOC(ctx, pairs->way, system->nrigid);
    STICK_ALLOC(ctx, pairs->fast, system->nrigid);
    for (int b = 0; b < system->nbodies; b++) {
        if (!system->body[b].rigid)
            continue;
        pairs->first[pairs->count] = system->body[b].first;
        pairs->solid[pairs->count] = system->body[b].rigid->solid;
        pairs->body[pairs->count++] = b;
    }
    STICK_ALLOC(ctx, pairs->piece, stick_piece_count(pairs->count));
    pairs->one_rule = is_for_all(system->model);
    STICK_TRY(stick_parted_create(ctx, system->model, &pairs->parted));
    STICK_TRY(make_obstacles(pairs, panel));
    pairs->thin = thinnest(pairs);
    return stick_broad_create(ctx, system->dim, &pairs->broad);
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

// Two that go less far than half of what both are thick cannot pass each other unseen.
static void watch_body(StickRigidPairs *pairs, const StickDetection *where, int k)
{
    const StickBody *body = &pairs->system->body[pairs->body[k]];
    double *way = pairs->way[k];
    pairs->fast[k] = false;
    if (!where->v)
        return;
    memset(way, 0, sizeof pairs->way[k]);
    for (int i = 0; i < pairs->system->dim; i++)
        way[i] = where->h * where->v[body->first + i];
    pairs->fast[k] = stick_vec_norm(way) > 0.5 * (body->rigid->solid->thin + pairs->thin);
    StickBox *box = &pairs->box[k];
    for (int i = 0; i < 3 && pairs->fast[k]; i++) {
        box->low[i] += fmin(way[i], 0);
        box->high[i] += fmax(way[i], 0);
    }
}

// ---- touches

static int entries_of(const StickRigidPairs *pairs, const Meeting *meeting)
{
    return (meeting->b >= 0 ? 2 : 1) * stick_rigid_ndofs(pairs->system->dim);
}

// Points that touch, in the order of their features.
static void add_manifold(const StickRigidPairs *pairs, const Meeting *meeting, const StickManifold *manifold,
                         Piece *piece)
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

// Where each point has a normal of its own.
static void meet_hollow(const StickRigidPairs *pairs, const Meeting *meeting, const StickPlacedShape *shape,
                        double reach, Piece *piece)
{
    StickHollowTouch touch[STICK_HOLLOW_POINTS];
    int count = stick_hollow_touch(shape, &pairs->obstacle[meeting->obstacle], reach, touch);
    for (int k = 0; k < count; k++) {
        StickManifold manifold = {.count = 1, .point = {touch[k].point}};
        memcpy(manifold.normal, touch[k].normal, sizeof manifold.normal);
        add_manifold(pairs, meeting, &manifold, piece);
    }
}

// Of what is caught, of the depth at which it would come out on the other side.
static const double deep = 0.75;

// How far both go until the next detection where that matters; 0: not so far that they could pass each other unseen.
static double way_ahead(const StickRigidPairs *pairs, int a, const StickObstacle *obstacle)
{
    if (!stick_shape_is_round(obstacle->spec))
        return 0;
    double thin = pairs->solid[a]->thin + obstacle->spec->radius;
    double way = pairs->h * stick_vec_norm(obstacle->velocity);
    if (!pairs->fast[a] && !(way > 0.5 * thin))
        return 0;
    return way + stick_vec_norm(pairs->way[a]);
}

// A fast body and a round obstacle; leaves the manifold empty unless they would pass each other.
static void catch_obstacle(const StickRigidPairs *pairs, const Meeting *meeting,
                           const StickPlacedShape *shape, StickManifold *manifold)
{
    const StickObstacle *obstacle = &pairs->obstacle[meeting->obstacle];
    const StickSolid *solid = pairs->solid[meeting->a];
    const double *way = pairs->way[meeting->a];
    StickConvex convex;
    StickCatch pair = {
        .dim = pairs->system->dim, .a = *shape, .deep = deep * (solid->thin + obstacle->spec->radius)};
    pair.b = stick_shape_round(obstacle, shape, way_ahead(pairs, meeting->a, obstacle), &convex);
    memcpy(pair.way_a, way, sizeof pair.way_a);
    for (int k = 0; k < 3; k++)
        pair.way_b[k] = pairs->h * obstacle->velocity[k];
    if (!stick_catch(&pair, manifold))
        manifold->count = 0;
}

static void meet_obstacle(const StickRigidPairs *pairs, const Meeting *meeting, const StickPlacedShape *shape,
                          double reach, Piece *piece)
{
    const StickObstacle *obstacle = &pairs->obstacle[meeting->obstacle];
    StickManifold manifold;
    if (stick_is_hollow(obstacle->spec)) {
        meet_hollow(pairs, meeting, shape, reach, piece);
        return;
    }
    stick_shape_touch_obstacle(pairs->system->dim, shape, obstacle, reach, &manifold);
    if (manifold.count == 0 && way_ahead(pairs, meeting->a, obstacle) > 0)
        catch_obstacle(pairs, meeting, shape, &manifold);
    add_manifold(pairs, meeting, &manifold, piece);
}

static void meet_obstacles(const StickRigidPairs *pairs, int a, double reach, Piece *piece)
{
    const StickSystem *system = pairs->system;
    const StickSolid *solid = pairs->solid[a];
    double most = reach + touching * solid->bound;
    // ascending keys: b = -1 - obstacle
    for (int o = pairs->nobstacles - 1; o >= 0; o--) {
        const StickObstacle *obstacle = &pairs->obstacle[o];
        if (pairs->held[pairs->body[a]] || stick_parted_has(&pairs->parted, pairs->body[a], -1 - o) ||
            is_far(obstacle, &pairs->pose[a], solid->bound + most + way_ahead(pairs, a, obstacle)))
            continue;
        int rule = pairs->one_rule ? 0 : stick_model_rule(system->model, pairs->body[a], -1, o);
        for (int s = 0; s < solid->nshapes && rule >= 0; s++) {
            StickPlacedShape shape = stick_shape_place(&solid->shape[s], &pairs->pose[a]);
            Meeting meeting = {.a = a, .b = -1, .obstacle = o, .rule = rule, .shapes = (uint32_t)s};
            meet_obstacle(pairs, &meeting, &shape, most, piece);
        }
    }
}

// Pairs of shapes that are apart look ahead, whatever else of their bodies touches: what would be too deep to be parted the
// right way at the next detection is caught.
static void meet_bodies(const StickRigidPairs *pairs, const Meeting *meeting, double reach, Piece *piece)
{
    const StickSystem *system = pairs->system;
    const StickSolid *a = pairs->solid[meeting->a];
    const StickSolid *b = pairs->solid[meeting->b];
    bool fast = pairs->fast[meeting->a] || pairs->fast[meeting->b];
    double most = reach + touching * fmin(a->bound, b->bound);
    StickCatch pair = {.dim = system->dim, .deep = deep * (a->thin + b->thin)};
    memcpy(pair.way_a, pairs->way[meeting->a], sizeof pair.way_a);
    memcpy(pair.way_b, pairs->way[meeting->b], sizeof pair.way_b);
    for (int i = 0; i < a->nshapes; i++) {
        pair.a = stick_shape_place(&a->shape[i], &pairs->pose[meeting->a]);
        for (int j = 0; j < b->nshapes; j++) {
            StickManifold manifold;
            Meeting part = *meeting;
            part.shapes = (uint32_t)(i * b->nshapes + j);
            pair.b = stick_shape_place(&b->shape[j], &pairs->pose[meeting->b]);
            stick_shape_touch(system->dim, &pair.a, &pair.b, most, &manifold);
            if (manifold.count > 0 || (fast && stick_catch(&pair, &manifold)))
                add_manifold(pairs, &part, &manifold, piece);
        }
    }
}

static void meet_pair(const StickRigidPairs *pairs, const StickBroadPair *pair, double reach, Piece *piece)
{
    int a = pairs->body[pair->a], b = pairs->body[pair->b];
    if ((pairs->held[a] && pairs->held[b]) || stick_parted_has(&pairs->parted, a, b))
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
    const StickBroadPair *near;
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
        pairs->box[k] = stick_solid_box(body->rigid->solid, &pairs->pose[k],
                                        0.5 * at->where->reach + touching * body->rigid->solid->bound);
        watch_body(pairs, at->where, k);
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
    pairs->h = where->v ? where->h : 0;
    for (int o = 0; o < pairs->nobstacles; o++)
        STICK_TRY(stick_obstacle_move(&pairs->obstacle[o], where->t, where->h));
    stick_threads_range(pairs->ctx, pairs->count, place_range, &at);
    STICK_TRY(stick_broad_find(pairs->broad, pairs->box, pairs->count, &at.near, &at.npairs));
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

// ---- tolerance

double stick_rigid_touching(const StickSystem *system, const StickContact *contact)
{
    double bound = system->body[contact->body[0]].rigid->solid->bound;
    if (contact->body[1] >= 0)
        bound = fmin(bound, system->body[contact->body[1]].rigid->solid->bound);
    return touching * bound;
}

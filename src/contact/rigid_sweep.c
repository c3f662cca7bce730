// SPDX-License-Identifier: Apache-2.0
#include "contact/rigid_sweep.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/vec.h"
#include "contact/aabb.h"
#include "contact/broadphase.h"
#include "contact/ccd.h"
#include "contact/concave_obstacle.h"
#include "contact/contact_set.h"
#include "contact/narrowphase.h"

#include <limits.h>
#include <string.h>

// Of the thickness of both: bodies that move less in a step cannot pass each other between two detections.
static const double slow = 0.2;
// Of the thickness: penetrations that a sweep finds, at first and of a pair that has contacts of a sweep already.
static const double faint = 1e-9, faint_again = 1e-3;
// After this many sweeps of a span, in which what turns was not stopped by the points that touch, their centres are.
enum { MOST_BY_POINTS = 12 };
// Rotation in a span (rad) within which a contact stands for its shapes.
static const double far_turn = 0.3;
// Of the span: hits at the same time.
static const double same_time = 1e-9;

typedef struct Hit {
    int a, b; // numbers among the rigid bodies; b = -1: an obstacle
    int obstacle, rule;
    uint32_t shapes;
    StickCcdHit at;
} Hit;

// Hits of the bodies of one piece, in the order of their keys.
typedef struct Piece {
    Hit *hit;
    size_t capacity;
    size_t count; // if there is no room for this many, the piece is swept again
} Piece;

struct StickRigidSweep {
    StickContext *ctx;
    const StickRigidPairs *pairs;
    double thin;             // half thickness of the thinnest body or round obstacle; with polylines 0
    double (*v)[3], (*w)[3]; // count: velocities of the bodies
    StickTumble *tumble;     // count: of those whose axis of rotation changes on the way; rigid NULL: not
    double *angle;           // count: bound of the angle by which a body turns
    double *way;             // count: longest path of a point of the body in the span
    bool *fast;              // count
    bool *fast_obstacle;
    StickBox *box; // count: around the paths
    double *first; // count: earliest hit of each body
    StickBroadphase *broad;
    Piece *piece; // stick_piece_count(count)
    StickContactSet caught;
};

void stick_rigid_sweep_destroy(StickRigidSweep *sweep)
{
    if (!sweep)
        return;
    StickContext *ctx = sweep->ctx;
    int count = stick_rigid_pairs_view(sweep->pairs).count;
    for (int k = 0; sweep->piece && k < stick_piece_count(count); k++)
        stick_free(ctx, sweep->piece[k].hit);
    stick_broadphase_destroy(sweep->broad);
    stick_contact_set_destroy(ctx, &sweep->caught);
    void *all[] = {sweep->tumble,        sweep->angle, sweep->v,     sweep->w,     sweep->way, sweep->fast,
                   sweep->fast_obstacle, sweep->box,   sweep->first, sweep->piece, sweep};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        stick_free(ctx, all[k]);
}

static double thinnest(const StickRigidView *view)
{
    double least = INFINITY;
    for (int k = 0; k < view->count; k++)
        least = fmin(least, view->solid[k]->thin);
    for (int o = 0; o < view->nobstacles; o++) {
        const StickObstacleSpec *spec = view->obstacle[o].spec;
        if (spec->kind == STICK_OBSTACLE_POLYLINE)
            least = 0;
        else if (stick_shape_is_round(spec))
            least = fmin(least, spec->radius);
    }
    return least;
}

static StickStatus fill(StickRigidSweep *sweep)
{
    StickContext *ctx = sweep->ctx;
    StickRigidView view = stick_rigid_pairs_view(sweep->pairs);
    STICK_ALLOC(ctx, sweep->v, view.count);
    STICK_ALLOC(ctx, sweep->w, view.count);
    STICK_ALLOC(ctx, sweep->way, view.count);
    STICK_ALLOC(ctx, sweep->tumble, view.count);
    STICK_ALLOC(ctx, sweep->angle, view.count);
    STICK_ALLOC(ctx, sweep->fast, view.count);
    STICK_ALLOC(ctx, sweep->fast_obstacle, view.nobstacles);
    STICK_ALLOC(ctx, sweep->box, view.count);
    STICK_ALLOC(ctx, sweep->first, view.count);
    STICK_ALLOC(ctx, sweep->piece, stick_piece_count(view.count));
    sweep->thin = thinnest(&view);
    sweep->caught.dim = view.system->dim;
    return stick_broadphase_create(ctx, view.system->dim, &sweep->broad);
}

StickStatus stick_rigid_sweep_create(StickContext *ctx, const StickRigidPairs *pairs, StickRigidSweep **sweep)
{
    StickRigidSweep *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    made->pairs = pairs;
    StickStatus status = fill(made);
    if (status != STICK_OK)
        stick_rigid_sweep_destroy(made);
    else
        *sweep = made;
    return status;
}

// ---- who is fast

typedef struct Sweeping {
    StickRigidSweep *sweep;
    StickRigidView view;
    const StickMotionSweep *span;
    const StickContactSet *set;
    const StickBroadphasePair *near;
    int npairs;
} Sweeping;

static void measure_range(void *data, int from, int to)
{
    const Sweeping *at = data;
    StickRigidSweep *sweep = at->sweep;
    int dim = at->view.system->dim;
    for (int k = from; k < to; k++) {
        const double *v = at->span->v + at->view.first[k];
        const StickSolid *solid = at->view.solid[k];
        for (int i = 0; i < 3; i++) {
            sweep->v[k][i] = i < dim ? v[i] : 0;
            sweep->w[k][i] = dim == 3 ? v[3 + i] : i == 2 ? v[2] : 0;
        }
        const StickBody *body = &at->view.system->body[at->view.body[k]];
        bool tumbles = at->view.tumbles[at->view.body[k]] &&
                       stick_ccd_tumble(body->rigid, at->span->q + body->first, sweep->w[k], at->span->h,
                                        &sweep->tumble[k]);
        if (!tumbles)
            sweep->tumble[k].rigid = NULL;
        double speed = tumbles ? sweep->tumble[k].most : stick_vec_norm(sweep->w[k]);
        sweep->angle[k] = stick_solid_is_ball(solid) ? 0 : at->span->h * speed;
        sweep->way[k] = at->span->h * stick_vec_norm(sweep->v[k]) + sweep->angle[k] * solid->bound;
        sweep->fast[k] = sweep->way[k] > slow * (solid->thin + sweep->thin);
    }
}

static StickStatus find_fast(const Sweeping *at, bool *any)
{
    StickRigidSweep *sweep = at->sweep;
    *any = false;
    stick_threads_range(sweep->ctx, at->view.count, measure_range, (void *)at);
    for (int k = 0; k < at->view.count; k++) {
        *any = *any || sweep->fast[k];
        STICK_CHECK(sweep->ctx, isfinite(sweep->way[k]), STICK_NOT_SOLVED,
                    "the velocity of body '%s' is not finite, or too large to compute its path",
                    at->view.system->body[at->view.body[k]].name);
    }
    for (int o = 0; o < at->view.nobstacles; o++) {
        double way = at->span->h * stick_vec_norm(at->view.obstacle[o].velocity);
        sweep->fast_obstacle[o] = way > slow * sweep->thin;
        *any = *any || sweep->fast_obstacle[o];
    }
    return STICK_OK;
}

static void box_range(void *data, int from, int to)
{
    const Sweeping *at = data;
    StickRigidSweep *sweep = at->sweep;
    double h = at->span->h;
    for (int k = from; k < to; k++) {
        const StickSolid *solid = at->view.solid[k];
        double angle = fmin(2, sweep->angle[k]);
        StickBox box = stick_aabb(solid, &at->view.pose[k], angle * solid->bound + faint * solid->bound);
        for (int i = 0; i < 3; i++) {
            box.low[i] += fmin(0, h * sweep->v[k][i]);
            box.high[i] += fmax(0, h * sweep->v[k][i]);
        }
        sweep->box[k] = box;
    }
}

// ---- hits

// Whether a pair of shapes has contacts from the detection; `again`: it has contacts of a sweep.
static bool touches(const Sweeping *at, const Hit *hit, bool *again)
{
    const StickContactSet *set = at->set;
    StickContactKey key = {at->view.body[hit->a], hit->b >= 0 ? at->view.body[hit->b] : -1 - hit->obstacle,
                           hit->shapes, 0};
    int low = 0, high = set->ncontacts;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const StickContact *contact = &set->contact[middle];
        StickContactKey other = stick_contact_key(contact);
        if (contact->pair >= 0 || stick_contact_key_compare(&other, &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *again = false;
    for (int c = low; c < set->ncontacts; c++) {
        StickContactKey other = stick_contact_key(&set->contact[c]);
        if (other.a != key.a || other.b != key.b || other.shapes != key.shapes)
            break;
        if (!set->contact[c].swept)
            return true;
        *again = true;
    }
    return false;
}

// What touches at one place and turns far may hit at another.
static bool turns_far(const Sweeping *at, int a, int b)
{
    return at->sweep->angle[a] + (b >= 0 ? at->sweep->angle[b] : 0) > far_turn;
}

// What touches at one place and rotates may penetrate there, or at another, by more than a part of its thickness.
static bool turns_in(const Sweeping *at, int a, int b, double thin)
{
    const double *angle = at->sweep->angle;
    const StickSolid *const *solid = at->view.solid;
    return angle[a] * solid[a]->bound + (b >= 0 ? angle[b] * solid[b]->bound : 0) > slow * thin;
}

static StickMovingShape moving(const Sweeping *at, int k, int shape)
{
    StickMovingShape moves = {.at = stick_shape_place(&at->view.solid[k]->shape[shape], &at->view.pose[k])};
    memcpy(moves.v, at->sweep->v[k], sizeof moves.v);
    memcpy(moves.w, at->sweep->w[k], sizeof moves.w);
    moves.tumble = at->sweep->tumble[k].rigid ? &at->sweep->tumble[k] : NULL;
    return moves;
}

static void put(Piece *piece, const Hit *hit)
{
    if (piece->count < piece->capacity)
        piece->hit[piece->count] = *hit;
    piece->count++;
}

static void sweep_bodies(const Sweeping *at, const StickBroadphasePair *near, Piece *piece)
{
    const StickRigidSweep *sweep = at->sweep;
    const StickRigidView *view = &at->view;
    int a = view->body[near->a], b = view->body[near->b];
    if (!(sweep->fast[near->a] || sweep->fast[near->b]) || (view->held[a] && view->held[b]) ||
        stick_collision_filter_has(view->parted, a, b))
        return;
    Hit hit = {.a = near->a, .b = near->b, .obstacle = -1};
    hit.rule = stick_model_rule(view->system->model, a, b, -1);
    const StickSolid *one = view->solid[near->a], *other = view->solid[near->b];
    for (int i = 0; i < one->nshapes && hit.rule >= 0; i++) {
        StickCcdPair pair = {.dim = view->system->dim,
                             .a = moving(at, near->a, i),
                             .span = at->span->h,
                             .thin = one->thin + other->thin,
                             .by_centre = at->span->round >= MOST_BY_POINTS};
        for (int j = 0; j < other->nshapes; j++) {
            StickMovingShape second = moving(at, near->b, j);
            bool again;
            pair.b = &second;
            hit.shapes = (uint32_t)(i * other->nshapes + j);
            bool in_touch = touches(at, &hit, &again);
            StickCcdPair in = pair;
            in.thin = fmin(one->thin, other->thin);
            if (in_touch && !turns_in(at, near->a, near->b, in.thin))
                continue;
            pair.depth = (again ? faint_again : faint) * pair.thin;
            if (((!in_touch || turns_far(at, near->a, near->b)) && stick_ccd(&pair, &hit.at)) ||
                (in_touch && !turns_far(at, near->a, near->b) && stick_ccd_sinks(&in, &hit.at)))
                put(piece, &hit);
        }
    }
}

static bool leaves(const StickCcdPair *pair, bool at_end, StickCcdHit *hit)
{
    StickCcdPair little = *pair;
    little.depth = faint_again * pair->thin;
    return stick_ccd_leaves(&little, at_end, hit);
}

static void sweep_obstacles(const Sweeping *at, int a, Piece *piece)
{
    const StickRigidSweep *sweep = at->sweep;
    const StickRigidView *view = &at->view;
    const StickSolid *solid = view->solid[a];
    // ascending keys: b = -1 - obstacle
    for (int o = view->nobstacles - 1; o >= 0; o--) {
        const StickObstacle *obstacle = &view->obstacle[o];
        double normal[3], way = sweep->way[a] + at->span->h * stick_vec_norm(obstacle->velocity);
        if (!(sweep->fast[a] || sweep->fast_obstacle[o]) || view->held[view->body[a]] ||
            stick_collision_filter_has(view->parted, view->body[a], -1 - o) ||
            (obstacle->spec->kind != STICK_OBSTACLE_POLYLINE &&
             stick_obstacle_distance(obstacle, view->pose[a].centre, normal) > solid->bound + way))
            continue;
        Hit hit = {.a = a, .b = -1, .obstacle = o};
        bool is_hollow = stick_is_hollow(obstacle->spec);
        hit.rule = stick_model_rule(view->system->model, view->body[a], -1, o);
        bool is_inside = is_hollow && obstacle->spec->kind != STICK_OBSTACLE_POLYLINE;
        bool is_round = stick_shape_is_round(obstacle->spec);
        for (int s = 0; s < solid->nshapes && hit.rule >= 0; s++) {
            bool again;
            hit.shapes = (uint32_t)s;
            // what is concave may be touched at one place and be hit at another
            bool in_touch = touches(at, &hit, &again);
            StickCcdPair pair = {.dim = view->system->dim,
                                 .a = moving(at, a, s),
                                 .obstacle = obstacle,
                                 .span = at->span->h,
                                 .thin = solid->thin + (is_round ? obstacle->spec->radius : 0),
                                 .by_centre = !is_hollow && at->span->round >= MOST_BY_POINTS};
            bool turns = in_touch && turns_in(at, a, -1, pair.thin);
            if (in_touch && !is_hollow && !turns)
                continue;
            pair.depth = (again ? faint_again : faint) * pair.thin;
            bool at_end = is_inside && at->span->round >= MOST_BY_POINTS;
            if ((!at_end && (!in_touch || is_hollow || turns_far(at, a, -1)) && stick_ccd(&pair, &hit.at)) ||
                (is_inside && leaves(&pair, at_end, &hit.at)) ||
                (turns && !at_end && !turns_far(at, a, -1) && stick_ccd_sinks(&pair, &hit.at)))
                put(piece, &hit);
        }
    }
}

static void sweep_range(void *data, int from, int to)
{
    const Sweeping *at = data;
    Piece *piece = &at->sweep->piece[from / STICK_PIECE];
    int low = 0, high = at->npairs;
    while (low < high) { // the first pair of the piece
        int middle = low + (high - low) / 2;
        if (at->near[middle].a < from)
            low = middle + 1;
        else
            high = middle;
    }
    piece->count = 0;
    for (int k = from; k < to; k++) {
        sweep_obstacles(at, k, piece);
        for (; low < at->npairs && at->near[low].a == k; low++)
            sweep_bodies(at, &at->near[low], piece);
    }
}

static StickStatus find_hits(Sweeping *at)
{
    StickRigidSweep *sweep = at->sweep;
    int count = at->view.count;
    stick_threads_range(sweep->ctx, count, box_range, at);
    STICK_TRY(stick_broadphase_find(sweep->broad, sweep->box, count, &at->near, &at->npairs));
    stick_threads_range(sweep->ctx, count, sweep_range, at);
    for (int k = 0; k < stick_piece_count(count); k++) {
        Piece *piece = &sweep->piece[k];
        int from = k * STICK_PIECE, rest = count - from;
        if (piece->count <= piece->capacity)
            continue;
        STICK_RESERVE(sweep->ctx, piece->hit, piece->capacity, piece->count);
        sweep_range(at, from, from + (rest < STICK_PIECE ? rest : STICK_PIECE));
    }
    return STICK_OK;
}

// ---- contacts

static void raise_first(const Sweeping *at, int k, double time)
{
    if (!at->view.held[at->view.body[k]])
        at->sweep->first[k] = fmin(at->sweep->first[k], time);
}

// What a body hits first changes its velocity, and with it whatever it may hit later.
static void find_first(const Sweeping *at)
{
    for (int k = 0; k < at->view.count; k++)
        at->sweep->first[k] = INFINITY;
    for (int p = 0; p < stick_piece_count(at->view.count); p++) {
        const Piece *piece = &at->sweep->piece[p];
        for (size_t k = 0; k < piece->count; k++) {
            raise_first(at, piece->hit[k].a, piece->hit[k].at.time);
            if (piece->hit[k].b >= 0)
                raise_first(at, piece->hit[k].b, piece->hit[k].at.time);
        }
    }
}

// The time up to which hits of a body count.
static double last_hit(const Sweeping *at, int k)
{
    const bool *all = at->span->all;
    return all && all[at->view.body[k]] ? INFINITY : at->sweep->first[k];
}

static bool is_first(const Sweeping *at, const Hit *hit)
{
    double time = hit->at.time - same_time * at->span->h;
    return time <= last_hit(at, hit->a) && (hit->b < 0 || time <= last_hit(at, hit->b));
}

static void order_touches(const StickCcdHit *hit, int order[STICK_CCD_POINTS])
{
    for (int k = 0; k < hit->count; k++) {
        int at = k;
        for (; at > 0 && hit->touch[order[at - 1]].point.feature > hit->touch[k].point.feature; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

static StickStatus catch_hit(const Sweeping *at, const Hit *hit)
{
    StickContactSet *caught = &at->sweep->caught;
    const StickRigidView *view = &at->view;
    int dim = view->system->dim, order[STICK_CCD_POINTS], dof[2 * STICK_RIGID_DOFS];
    double H[2 * STICK_RIGID_DOFS * 3];
    order_touches(&hit->at, order);
    for (int k = 0; k < hit->at.count; k++) {
        const StickManifoldPoint *point = &hit->at.touch[order[k]].point;
        StickContact contact = {.pair = -1,
                                .rule = hit->rule,
                                .body = {view->body[hit->a], hit->b >= 0 ? view->body[hit->b] : -1},
                                .obstacle = hit->obstacle,
                                .shapes = hit->shapes,
                                .name = point->feature,
                                .swept = true,
                                .round = at->span->round,
                                .completes = !hit->at.by_centre};
        memcpy(contact.place, point->place, sizeof contact.place);
        stick_vec_sub(contact.place, hit->at.centre_a, contact.arm[0]);
        stick_vec_sub(contact.place, hit->at.centre_b, contact.arm[1]);
        stick_contact_frame(dim, hit->at.touch[order[k]].normal, contact.frame);
        if (hit->b < 0)
            stick_contact_drive(&contact, view->obstacle[hit->obstacle].velocity);
        int entries =
            stick_contact_rigid_columns(dim, view->first[hit->a], hit->at.centre_a, &contact, 1, dof, H);
        if (hit->b >= 0)
            entries += stick_contact_rigid_columns(dim, view->first[hit->b], hit->at.centre_b, &contact, -1,
                                                   dof + entries, H + entries * dim);
        double u_N = contact.u_drive[0];
        for (int e = 0; e < entries; e++)
            u_N += H[e * dim] * at->span->v[dof[e]];
        contact.gap = fmax(0, point->gap - hit->at.time * u_N);
        STICK_TRY(stick_contact_set_append(at->sweep->ctx, caught, &contact, entries, dof, H));
    }
    return STICK_OK;
}

static StickStatus catch_hits(const Sweeping *at)
{
    at->sweep->caught.ctx = at->sweep->ctx;
    at->sweep->caught.ncontacts = 0;
    for (int p = 0; p < stick_piece_count(at->view.count); p++) {
        const Piece *piece = &at->sweep->piece[p];
        for (size_t k = 0; k < piece->count; k++)
            if (is_first(at, &piece->hit[k]))
                STICK_TRY(catch_hit(at, &piece->hit[k]));
    }
    return STICK_OK;
}

static int compare(const StickContact *x, const StickContact *y)
{
    if (x->pair >= 0)
        return -1;
    StickContactKey one = stick_contact_key(x), other = stick_contact_key(y);
    return stick_contact_key_compare(&one, &other);
}

// Puts the caught contacts at their places by key, with their columns in the same order; after those of equal keys, which
// may have been hit elsewhere. From the end on, so that nothing is overwritten before it has moved.
static StickStatus merge(StickContext *ctx, const StickContactSet *caught, StickContactSet *set)
{
    int dim = set->dim, old = set->ncontacts, added = caught->ncontacts;
    size_t entries = 0;
    for (int c = 0; c < old; c++) {
        size_t end = (size_t)(set->contact[c].first + set->contact[c].count);
        entries = end > entries ? end : entries;
    }
    entries += (size_t)stick_contact_set_entries(caught);
    STICK_CHECK(ctx, entries <= INT_MAX, STICK_BAD_INPUT, "more than %d contacts of rigid bodies", old);
    STICK_TRY(stick_contact_set_reserve(ctx, set, (size_t)(old + added), entries));
    int i = old - 1, j = added - 1, to = old + added, entry = (int)entries;
    while (i >= 0 || j >= 0) {
        int order = i < 0 ? -1 : j < 0 ? 1 : compare(&set->contact[i], &caught->contact[j]);
        bool is_old = i >= 0 && (j < 0 || order > 0);
        const StickContactSet *from = is_old ? set : caught;
        StickContact contact = from->contact[is_old ? i : j];
        entry -= contact.count;
        memmove(set->dof + entry, from->dof + contact.first, (size_t)contact.count * sizeof *set->dof);
        memmove(set->H + entry * dim, from->H + contact.first * dim,
                (size_t)(contact.count * dim) * sizeof *set->H);
        contact.first = entry;
        set->contact[--to] = contact;
        i -= is_old;
        j -= !is_old;
    }
    set->ncontacts = old + added;
    return STICK_OK;
}

StickStatus stick_rigid_sweep_add(StickRigidSweep *sweep, const StickMotionSweep *span, StickContactSet *set,
                                  int *changed)
{
    Sweeping at = {.sweep = sweep, .view = stick_rigid_pairs_view(sweep->pairs), .span = span, .set = set};
    bool any;
    *changed = 0;
    STICK_TRY(find_fast(&at, &any));
    if (!any)
        return STICK_OK;
    STICK_TRY(find_hits(&at));
    find_first(&at);
    STICK_TRY(catch_hits(&at));
    *changed = sweep->caught.ncontacts;
    return sweep->caught.ncontacts > 0 ? merge(sweep->ctx, &sweep->caught, set) : STICK_OK;
}

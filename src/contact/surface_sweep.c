// SPDX-License-Identifier: Apache-2.0
#include "contact/surface_sweep.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/contact_set.h"
#include "contact/surface_sweep_work.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the scale: pairs that move less in a span do not pass each other between two detections; nor corners and edges, whose
// gaps are linearised.
static const double slow = 0.25, slow_linear = 0.05;

// Of the scale: what is nearer has a gap that motions up to the scale, or longer ones, do not turn.
static const double near = 0.05, very_near = 1e-4;

// Of the scale: penetrations that count.
static const double faint = 1e-9;

// A contact of the detection holds back what moves against its normal (cosine), if it is not much beyond the turn of that
// normal, in parts of the scale; one of a sweep does so for its own normal only.
static const double holds = 0.9, holds_little = 0.5, holds_swept = 0.999;

// After many rounds, as where a facet rolls over what is round, contacts of a sweep hold back what is left, too.
enum { MANY_ROUNDS = 5 };
static const double holds_late = 0.05;

// Gaps of contacts of a sweep with one normal: the same place, in parts of the scale.
static const double same_place = 1e-3;

// Of the span: at the same time.
static const double same_time = 1e-9;

void stick_surface_sweep_destroy(StickSurfaceSweep *sweep)
{
    if (!sweep)
        return;
    StickContext *ctx = sweep->ctx;
    stick_contact_set_destroy(ctx, &sweep->caught);
    stick_contact_set_destroy(ctx, &sweep->merged);
    void *all[] = {sweep->slave.point, sweep->master.point, sweep->first_at, sweep->next_at, sweep->node_time,
                   sweep->hit,         sweep->found.item,   sweep->drop,     sweep};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        stick_free(ctx, all[k]);
}

StickStatus stick_surface_sweep_create(StickContext *ctx, int dim, StickSurfaceSweep **sweep)
{
    STICK_ALLOC(ctx, *sweep, 1);
    (*sweep)->ctx = ctx;
    (*sweep)->caught.dim = (*sweep)->merged.dim = dim;
    return STICK_OK;
}

// ---- the scale of a pair

// From the middle of a segment inwards to the other side of the solid.
static double thickness_at(const StickObstacleSpec *spec, int segment)
{
    const double *p = spec->points + 2 * segment;
    double along[2] = {p[2] - p[0], p[3] - p[1]}, length = hypot(along[0], along[1]), least = INFINITY;
    double into[2] = {along[1] / length, -along[0] / length};
    double middle[2] = {0.5 * (p[0] + p[2]), 0.5 * (p[1] + p[3])};
    for (int s = 0; s + 1 < spec->npoints; s++) {
        const double *q = spec->points + 2 * s;
        double side[2] = {q[2] - q[0], q[3] - q[1]}, from[2] = {q[0] - middle[0], q[1] - middle[1]};
        double det = into[0] * side[1] - into[1] * side[0];
        double way = (from[0] * side[1] - from[1] * side[0]) / det,
               place = (from[0] * into[1] - from[1] * into[0]) / det;
        if (s != segment && way > 0 && place >= 0 && place <= 1)
            least = fmin(least, way);
    }
    return least;
}

// Beyond this many segments a polyline counts as thin everywhere: what moves is swept.
enum { MOST_SEGMENTS = 3000 };

static double scale_of_obstacle(const StickObstacleSpec *spec)
{
    double least = INFINITY;
    switch (spec->kind) {
    case STICK_OBSTACLE_PLANE:
        break;
    case STICK_OBSTACLE_POLYLINE:
        if (spec->npoints > MOST_SEGMENTS)
            return 0;
        for (int s = 0; s + 1 < spec->npoints; s++) {
            const double *p = spec->points + 2 * s;
            least = fmin(least, fmin(hypot(p[2] - p[0], p[3] - p[1]), thickness_at(spec, s)));
        }
        break;
    case STICK_OBSTACLE_CIRCLE:
    case STICK_OBSTACLE_CYLINDER:
        return 2 * spec->radius;
    }
    return least;
}

double stick_surface_sweep_scale(const StickSurface *slave, const StickObstacle *obstacle,
                                 const StickSurface *master)
{
    double own = stick_body_thickness(slave->body);
    return fmin(own, obstacle ? scale_of_obstacle(obstacle->spec) : stick_body_thickness(master->body));
}

// ---- where features are, and where they go

static void move_rigid(const StickSurface *surface, const StickMotionSweep *span, StickSweptSurface *swept)
{
    const StickBody *body = surface->body;
    const double *q = span->q + body->first, *v = span->v + body->first;
    double s[STICK_RIGID_DOFS], q1[STICK_RIGID_DOFS], x[3] = {0}, end[3];
    int dim = surface->dim;
    for (int k = 0; k < body->ndofs; k++)
        s[k] = span->h * v[k];
    stick_rigid_move(dim, q, s, q1);
    StickPose before = stick_rigid_pose(body->rigid, q), after = stick_rigid_pose(body->rigid, q1);
    memcpy(swept->centre, before.centre, sizeof swept->centre);
    for (int i = 0; i < surface->nnodes; i++) {
        StickMovingPoint *point = &swept->point[i];
        memcpy(x, body->rigid->solid->skin.x + (size_t)surface->node[i] * (size_t)dim,
               (size_t)dim * sizeof *x);
        stick_pose_place(&before, x, point->x);
        stick_pose_place(&after, x, end);
        stick_vec_sub(end, point->x, point->d);
    }
}

static void move_deformable(const StickSurface *surface, const StickMotionSweep *span,
                            StickSweptSurface *swept)
{
    const StickBody *body = surface->body;
    int dim = surface->dim;
    for (int i = 0; i < surface->nnodes; i++) {
        StickMovingPoint *point = &swept->point[i];
        *point = (StickMovingPoint){{0}, {0}};
        for (int k = 0; k < dim; k++) {
            int node = surface->node[i] * dim + k;
            point->x[k] = body->mesh.x[node] + span->q[body->first + node];
            point->d[k] = span->h * span->v[body->first + node];
        }
    }
}

static StickStatus place_surface(StickSurfaceSweep *sweep, const StickSurface *surface,
                                 StickSweptSurface *swept)
{
    STICK_RESERVE(sweep->ctx, swept->point, swept->capacity, surface->nnodes);
    swept->of = surface;
    if (surface->body->rigid)
        move_rigid(surface, sweep->span, swept);
    else
        move_deformable(surface, sweep->span, swept);
    return STICK_OK;
}

static double largest_motion(const StickSweptSurface *swept)
{
    double most = 0;
    for (int i = 0; i < swept->of->nnodes; i++)
        most = fmax(most, stick_vec_norm(swept->point[i].d));
    return most;
}

// Paths are seen from the counterface, so that what moves along with it is near what it was near to.
static void see_from_counterface(StickSurfaceSweep *sweep)
{
    const StickSweptPair *pair = sweep->pair;
    double *common = sweep->common;
    memset(common, 0, sizeof sweep->common);
    if (pair->obstacle)
        stick_vec_axpy(common, sweep->span->h, pair->obstacle->velocity, common);
    else
        for (int i = 0; i < pair->master->nnodes; i++)
            stick_vec_axpy(common, 1.0 / pair->master->nnodes, sweep->master.point[i].d, common);
    for (int i = 0; i < pair->slave->nnodes; i++)
        stick_vec_sub(sweep->slave.point[i].d, common, sweep->slave.point[i].d);
    for (int i = 0; !pair->obstacle && i < pair->master->nnodes; i++)
        stick_vec_sub(sweep->master.point[i].d, common, sweep->master.point[i].d);
}

void stick_surface_sweep_clear(StickSurfaceSweep *sweep)
{
    sweep->caught.ncontacts = 0;
    sweep->ndrop = 0;
}

StickStatus stick_surface_sweep_begin(StickSurfaceSweep *sweep, const StickSweptPair *pair,
                                      const StickMotionSweep *span, bool *is_fast)
{
    sweep->pair = pair;
    sweep->span = span;
    STICK_TRY(place_surface(sweep, pair->slave, &sweep->slave));
    if (!pair->obstacle)
        STICK_TRY(place_surface(sweep, pair->master, &sweep->master));
    see_from_counterface(sweep);
    sweep->motion = largest_motion(&sweep->slave);
    if (!pair->obstacle)
        sweep->motion += largest_motion(&sweep->master);
    *is_fast = sweep->motion > (span->linear ? slow_linear : slow) * pair->scale;
    STICK_CHECK(sweep->ctx, isfinite(sweep->motion), STICK_NOT_SOLVED,
                "the velocity of body '%s' is not finite, or too large to compute its path",
                pair->slave->body->name);
    return STICK_OK;
}

double stick_surface_sweep_near(const StickSurfaceSweep *sweep)
{
    double scale = sweep->pair->scale;
    return scale * (sweep->motion <= scale ? near : very_near);
}

// ---- what the contacts of the set hold back

static int node_of_surface(const StickSurface *surface, int node)
{
    int low = 0, high = surface->nnodes;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (surface->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < surface->nnodes && surface->node[low] == node ? low : -1;
}

static StickStatus list_contacts(StickSurfaceSweep *sweep, const StickContactSet *set)
{
    const StickSurface *slave = sweep->pair->slave;
    STICK_RESERVE(sweep->ctx, sweep->first_at, sweep->first_at_capacity, slave->nnodes);
    STICK_RESERVE(sweep->ctx, sweep->node_time, sweep->node_time_capacity, slave->nnodes);
    STICK_RESERVE(sweep->ctx, sweep->next_at, sweep->next_at_capacity, set->ncontacts);
    for (int i = 0; i < slave->nnodes; i++) {
        sweep->first_at[i] = -1;
        sweep->node_time[i] = INFINITY;
    }
    for (int c = 0; c < set->ncontacts; c++) {
        int node =
            set->contact[c].pair == sweep->pair->pair ? node_of_surface(slave, set->contact[c].node) : -1;
        if (node < 0)
            continue;
        sweep->next_at[c] = sweep->first_at[node];
        sweep->first_at[node] = c;
    }
    return STICK_OK;
}

static bool contact_holds(const StickSurfaceSweep *sweep, const StickContact *contact,
                          const StickFeatureHit *hit, const double normal[3])
{
    double cosine = stick_vec_dot(contact->frame[0], normal), scale = sweep->pair->scale;
    double depth = (1 - hit->time) * hit->closing;
    if (!contact->swept)
        return cosine > holds && depth <= holds_little * scale;
    if (sweep->span->round >= MANY_ROUNDS && cosine > holds && depth <= holds_late * scale)
        return true;
    return cosine > holds_swept && contact->gap <= hit->time * hit->closing + same_place * scale;
}

static bool node_is_held(const StickSurfaceSweep *sweep, int node, const double normal[3])
{
    for (int c = sweep->first_at[node]; c >= 0; c = sweep->next_at[c])
        if (stick_vec_dot(sweep->set->contact[c].frame[0], normal) > holds)
            return true;
    return false;
}

bool stick_swept_is_held(const StickSurfaceSweep *sweep, const int *node, int count,
                         const StickFeatureHit *hit, const double normal[3])
{
    // a facet between nodes that all are held goes no farther than they bend it
    int held = 0;
    for (int k = 0; k < count && count > 1; k++)
        held += node_is_held(sweep, node[k], normal);
    if (count > 1 && held == count)
        return true;
    for (int k = 0; k < count; k++)
        for (int c = sweep->first_at[node[k]]; c >= 0; c = sweep->next_at[c])
            if (contact_holds(sweep, &sweep->set->contact[c], hit, normal))
                return true;
    return false;
}

bool stick_swept_counts(const StickSurfaceSweep *sweep, const StickFeatureHit *hit)
{
    return (1 - hit->time) * hit->closing > faint * sweep->pair->scale;
}

StickStatus stick_swept_put(StickSurfaceSweep *sweep, const StickSweptHit *hit)
{
    STICK_RESERVE(sweep->ctx, sweep->hit, sweep->hit_capacity, sweep->nhits + 1);
    sweep->hit[sweep->nhits++] = *hit;
    return STICK_OK;
}

// ---- contacts

static int side_columns(const StickSurfaceSweep *sweep, const StickSweptSurface *swept,
                        const StickSweptSide *side, double sign, double time, const StickContact *contact,
                        int *dof, double *H)
{
    const StickSurface *surface = swept->of;
    int dim = surface->dim, count = 0, first = surface->body->first;
    if (surface->body->rigid) {
        double centre[3] = {swept->centre[0], swept->centre[1], swept->centre[2]};
        for (int k = 0; k < dim; k++)
            centre[k] += time * sweep->span->h * sweep->span->v[first + k];
        return stick_contact_rigid_columns(dim, first, centre, contact, sign, dof, H);
    }
    for (int i = 0; i < side->count; i++) {
        for (int a = 0; a < dim && side->weight[i] != 0; a++, count++) {
            dof[count] = stick_surface_dof(surface, side->node[i]) + a;
            for (int k = 0; k < dim; k++)
                H[count * dim + k] = sign * side->weight[i] * contact->frame[k][a];
        }
    }
    return count;
}

static void place_of(const StickSurfaceSweep *sweep, const StickSweptSurface *swept,
                     const StickSweptSide *side, double time, double place[3])
{
    for (int k = 0; k < 3; k++)
        place[k] = time * sweep->common[k];
    for (int i = 0; i < side->count; i++) {
        double own[3];
        stick_moving_place(&swept->point[side->node[i]], time, own);
        stick_vec_axpy(place, side->weight[i], own, place);
    }
}

// The layer that no contact of the feature has yet, or that of the one of a sweep that holds back least, which is replaced
// (its index in the set; -1: none); false: both belong to the detection.
static bool find_layer(const StickSurfaceSweep *sweep, int feature, int *layer, int *replaced)
{
    int used[STICK_LAYERS], least = -1;
    for (int k = 0; k < STICK_LAYERS; k++)
        used[k] = -1;
    for (int c = 0; c < sweep->set->ncontacts; c++) {
        const StickContact *contact = &sweep->set->contact[c];
        if (contact->pair == sweep->pair->pair && contact->feature == feature && !sweep->drop[c])
            used[contact->layer] = c;
    }
    for (int k = 0; k < STICK_LAYERS; k++) {
        *layer = k;
        *replaced = -1;
        if (used[k] < 0)
            return true;
    }
    for (int k = 0; k < STICK_LAYERS; k++) {
        const StickContact *own = &sweep->set->contact[used[k]];
        if (own->swept && (least < 0 || own->gap > sweep->set->contact[used[least]].gap))
            least = k;
    }
    *layer = least;
    *replaced = least >= 0 ? used[least] : -1;
    return least >= 0;
}

static StickStatus catch_hit(StickSurfaceSweep *sweep, const StickSweptHit *hit)
{
    enum { MOST = 2 * (STICK_RIGID_DOFS + 4 * 3) };
    const StickSweptPair *pair = sweep->pair;
    const StickSurface *slave = pair->slave;
    int dof[MOST], heaviest = 0, replaced, dim = slave->dim;
    double H[3 * MOST];
    StickContact contact = {.pair = pair->pair,
                            .rule = -1,
                            .body = {pair->spec->slave.body, pair->spec->master.body},
                            .obstacle = pair->obstacle ? pair->spec->master.obstacle : -1,
                            .feature = hit->feature,
                            .swept = true,
                            .round = sweep->span->round};
    if (!find_layer(sweep, hit->feature, &contact.layer, &replaced))
        return STICK_OK;
    if (replaced >= 0)
        sweep->drop[replaced] = true;
    for (int i = 0; i < hit->slave.count; i++) {
        contact.area += hit->slave.weight[i] * slave->area[hit->slave.node[i]];
        heaviest = hit->slave.weight[i] > hit->slave.weight[heaviest] ? i : heaviest;
    }
    contact.node = slave->node[hit->slave.node[heaviest]];
    place_of(sweep, &sweep->slave, &hit->slave, hit->time, contact.place);
    stick_contact_frame(dim, hit->normal, contact.frame);
    if (pair->obstacle)
        stick_contact_drive(&contact, pair->obstacle->velocity);
    int count = side_columns(sweep, &sweep->slave, &hit->slave, 1, hit->time, &contact, dof, H);
    if (!pair->obstacle)
        count += side_columns(sweep, &sweep->master, &hit->master, -1, hit->time, &contact, dof + count,
                              H + count * dim);
    double u = contact.u_drive[0];
    for (int e = 0; e < count; e++)
        u += H[e * dim] * sweep->span->v[dof[e]];
    contact.gap = fmax(0, -hit->time * sweep->span->h * u) + sweep->span->ahead * contact.u_drive[0];
    return stick_contact_set_append(sweep->ctx, &sweep->caught, &contact, count, dof, H);
}

static int by_feature(const void *a, const void *b)
{
    const StickSweptHit *x = a, *y = b;
    if (x->feature != y->feature)
        return x->feature < y->feature ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

// What hits first changes what may be hit later: hits up to a time, the more of them the more rounds there were.
static double last_time(const StickSurfaceSweep *sweep)
{
    double first = INFINITY;
    for (size_t k = 0; k < sweep->nhits; k++)
        first = fmin(first, sweep->hit[k].time);
    double window = ldexp(sweep->pair->scale, sweep->span->round + 1) / sweep->motion;
    return first + fmax(same_time, window);
}

StickStatus stick_surface_sweep_find(StickSurfaceSweep *sweep, const StickContactSet *set)
{
    sweep->set = set;
    sweep->nhits = 0;
    sweep->caught.ctx = sweep->ctx;
    STICK_TRY(list_contacts(sweep, set));
    if (sweep->ndrop < (size_t)set->ncontacts) {
        STICK_RESERVE(sweep->ctx, sweep->drop, sweep->drop_capacity, set->ncontacts);
        memset(sweep->drop + sweep->ndrop, 0, (size_t)set->ncontacts - sweep->ndrop);
        sweep->ndrop = (size_t)set->ncontacts;
    }
    STICK_TRY(stick_swept_features(sweep));
    if (sweep->nhits == 0)
        return STICK_OK;
    qsort(sweep->hit, sweep->nhits, sizeof *sweep->hit, by_feature);
    double last = last_time(sweep);
    for (size_t k = 0; k < sweep->nhits; k++)
        if (sweep->hit[k].time <= last && (k == 0 || sweep->hit[k].feature != sweep->hit[k - 1].feature))
            STICK_TRY(catch_hit(sweep, &sweep->hit[k]));
    return STICK_OK;
}

// Contacts of pairs stand in the order of pairs, features and layers, before those of shapes.
static int compare(const StickContact *x, const StickContact *y)
{
    if (x->pair < 0)
        return 1;
    int order = (x->pair > y->pair) - (x->pair < y->pair);
    order = order ? order : (x->feature > y->feature) - (x->feature < y->feature);
    return order ? order : (x->layer > y->layer) - (x->layer < y->layer);
}

static StickStatus take(StickSurfaceSweep *sweep, const StickContactSet *from, int c)
{
    const StickContact *contact = &from->contact[c];
    return stick_contact_set_append(sweep->ctx, &sweep->merged, contact, contact->count,
                                    from->dof + contact->first, from->H + contact->first * from->dim);
}

static bool is_dropped(const StickSurfaceSweep *sweep, int c)
{
    return (size_t)c < sweep->ndrop && sweep->drop[c];
}

StickStatus stick_surface_sweep_insert(StickSurfaceSweep *sweep, const StickContactSet *hits,
                                       StickContactSet *set)
{
    StickContactSet *merged = &sweep->merged;
    merged->ncontacts = 0;
    merged->ctx = set->ctx;
    for (int i = 0, j = 0; i < set->ncontacts || j < hits->ncontacts;) {
        bool is_old =
            i < set->ncontacts && (j == hits->ncontacts || compare(&set->contact[i], &hits->contact[j]) <= 0);
        if (is_old && is_dropped(sweep, i))
            i++;
        else
            STICK_TRY(is_old ? take(sweep, set, i++) : take(sweep, hits, j++));
    }
    StickContactSet swapped = *set;
    *set = *merged;
    *merged = swapped;
    sweep->ndrop = 0;
    return STICK_OK;
}

StickStatus stick_surface_sweep_merge(StickSurfaceSweep *sweep, StickContactSet *set, int *changed)
{
    *changed = sweep->caught.ncontacts;
    return *changed > 0 ? stick_surface_sweep_insert(sweep, &sweep->caught, set) : STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "contact/ccd.h"

#include "base/vec.h"
#include "bodies/free_rotation.h"
#include "contact/concave_obstacle.h"
#include "contact/manifold_2d.h"
#include "contact/manifold_3d.h"
#include "contact/narrowphase.h"

#include <string.h>

enum { MOST_STEPS = 400, SAMPLES = 8, HALVINGS = 40 };

// Relative to the thickness: shapes that are nearer than this touch, ...
static const double near = 1e-4;
// ... a penetration below this part of it, or of what the approach would give, is a graze, ...
static const double shallow = 0.1;
// ... and steps of rotating shapes that stay near each other are no longer than this.
static const double longest_step = 0.25;

// A pair as conservative advancement sees it: part of the obstacle (a segment of a polyline) or all of it.
typedef struct Ccd {
    const StickCcdPair *pair;
    int segment;     // of the polyline; -1: none
    double v_rel[3]; // of a relative to b
    double turn;     // sum of the speeds by rotation
    double travel;   // longest distance in the span
    double slack;
} Ccd;

double stick_ccd_turning_speed(const StickMovingShape *moving)
{
    const StickConvex *shape = moving->at.shape;
    double speed = moving->tumble ? moving->tumble->most : stick_vec_norm(moving->w),
           arm = stick_vec_norm(shape->centre);
    return speed * (arm + (shape->kind == STICK_SHAPE_BALL ? 0 : shape->bound));
}

// A rotation by less than this (rad) is about its first axis.
static const double little = 1e-2;

bool stick_ccd_tumble(const StickRigid *rigid, const double *q, const double w[3], double time,
                      StickTumble *tumble)
{
    double J[9], across[3];
    if (rigid->dim < 3 || time * stick_vec_norm(w) < little || stick_free_rotation_is_isotropic(rigid))
        return false;
    *tumble = (StickTumble){.rigid = rigid};
    stick_rigid_inertia(rigid, q, J);
    for (int k = 0; k < 3; k++) {
        tumble->phi[k] = q[3 + k];
        tumble->L[k] = stick_vec_dot(J + 3 * k, w);
    }
    stick_vec_cross(tumble->L, w, across);
    if (stick_vec_norm(across) <= 1e-12 * stick_vec_norm(tumble->L) * stick_vec_norm(w))
        return false;
    // |w|^2 <= 2 T / J_least, 1 / J_least <= trace of the inverse
    double energy = stick_vec_dot(tumble->L, w), inverse = 0;
    for (int k = 0; k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2}, x[3];
        stick_rigid_solve3(rigid->J0, unit, x);
        inverse += x[k];
    }
    tumble->most = sqrt(energy * inverse);
    return true;
}

// ---- configurations on the way

// a + sin |t w| (n x a) + (1 - cos) (n x (n x a)) for each axis a  [Rodrigues]
static void rotate_axes(const double w[3], double t, double axis[3][3])
{
    double n[3] = {w[0], w[1], w[2]}, angle = t * stick_vec_normalise(n);
    if (angle == 0)
        return;
    for (int k = 0; k < 3; k++) {
        double once[3], twice[3];
        stick_vec_cross(n, axis[k], once);
        stick_vec_cross(n, once, twice);
        stick_vec_axpy(axis[k], sin(angle), once, axis[k]);
        stick_vec_axpy(axis[k], 1 - cos(angle), twice, axis[k]);
    }
}

static StickPlacedShape place_at(const StickMovingShape *moving, double t)
{
    StickPlacedShape at = moving->at;
    stick_vec_axpy(at.centre, t, moving->v, at.centre);
    if (moving->tumble) {
        double q[STICK_RIGID_DOFS] = {0};
        stick_free_rotation(moving->tumble->rigid, moving->tumble->phi, moving->tumble->L, t, q + 3);
        StickPose pose = stick_rigid_pose(moving->tumble->rigid, q);
        memcpy(at.axis, pose.axis, sizeof at.axis);
    } else {
        rotate_axes(moving->w, t, at.axis);
    }
    return at;
}

static StickObstacle obstacle_at(const StickObstacle *obstacle, double t)
{
    StickObstacle at = *obstacle;
    stick_vec_axpy(at.shift, t, obstacle->velocity, at.shift);
    return at;
}

// A segment of a polyline as a shape without thickness.
static StickPlacedShape segment_at(const StickObstacle *obstacle, int k, StickConvex *convex)
{
    const double *p = obstacle->spec->points + 2 * (size_t)k;
    double along[3] = {p[2] - p[0], p[3] - p[1], 0}, length = stick_vec_normalise(along);
    *convex = (StickConvex){.kind = STICK_SHAPE_CAPSULE, .bound = 0.5 * length, .half_length = 0.5 * length};
    memcpy(convex->axis, along, sizeof along);
    StickPlacedShape at = {.shape = convex, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 2; i++)
        at.centre[i] = 0.5 * (p[i] + p[2 + i]) + obstacle->shift[i];
    return at;
}

static void set_hit(const StickManifold *manifold, StickCcdHit *hit)
{
    hit->count = manifold->count;
    for (int k = 0; k < manifold->count; k++) {
        memcpy(hit->touch[k].normal, manifold->normal, sizeof manifold->normal);
        hit->touch[k].point = manifold->point[k];
    }
}

static void touch_hollow(const StickPlacedShape *a, const StickObstacle *obstacle, double reach,
                         StickCcdHit *hit)
{
    StickConcaveTouch touch[STICK_HOLLOW_POINTS];
    hit->count = stick_concave_obstacle_touch(a, obstacle, reach, touch);
    for (int k = 0; k < hit->count; k++) {
        memcpy(hit->touch[k].normal, touch[k].normal, sizeof touch[k].normal);
        hit->touch[k].point = touch[k].point;
    }
}

// Points within reach at time t; returns the deepest of them, -1 without any.
static int touch_at(const Ccd *ccd, double t, double reach, bool of_segment, StickCcdHit *hit)
{
    const StickCcdPair *pair = ccd->pair;
    StickPlacedShape a = place_at(&pair->a, t);
    StickManifold manifold;
    hit->time = t;
    hit->by_centre = false;
    memcpy(hit->centre_a, a.centre, sizeof a.centre);
    memset(hit->centre_b, 0, sizeof hit->centre_b);
    if (pair->b) {
        StickPlacedShape b = place_at(pair->b, t);
        memcpy(hit->centre_b, b.centre, sizeof b.centre);
        stick_narrowphase(pair->dim, &a, &b, reach, &manifold);
        set_hit(&manifold, hit);
    } else {
        StickObstacle obstacle = obstacle_at(pair->obstacle, t);
        if (of_segment) {
            StickConvex convex;
            StickPlacedShape b = segment_at(&obstacle, ccd->segment, &convex);
            stick_narrowphase(pair->dim, &a, &b, reach, &manifold);
            set_hit(&manifold, hit);
        } else if (stick_is_hollow(obstacle.spec)) {
            touch_hollow(&a, &obstacle, reach, hit);
        } else {
            stick_narrowphase_obstacle(pair->dim, &a, &obstacle, reach, &manifold);
            set_hit(&manifold, hit);
        }
    }
    int deepest = -1;
    for (int k = 0; k < hit->count; k++)
        if (deepest < 0 || hit->touch[k].point.gap < hit->touch[deepest].point.gap)
            deepest = k;
    return deepest;
}

static void angular_velocity(const StickMovingShape *moving, double t, double w[3])
{
    static const bool none[3] = {false, false, false};
    const StickTumble *tumble = moving->tumble;
    memcpy(w, moving->w, sizeof moving->w);
    if (!tumble)
        return;
    double q[STICK_RIGID_DOFS] = {0};
    stick_free_rotation(tumble->rigid, tumble->phi, tumble->L, t, q + 3);
    stick_rigid_spin(tumble->rigid, q, tumble->L, none, w);
}

// Speed with which a point closes, -n.(v_rel + w_a x r_a - w_b x r_b), with the angular velocities w.
static double closing_with(const Ccd *ccd, const StickCcdHit *hit, int k, const double w_a[3],
                           const double w_b[3])
{
    const double *place = hit->touch[k].point.place;
    double arm[3], turn[3], u[3] = {ccd->v_rel[0], ccd->v_rel[1], ccd->v_rel[2]};
    stick_vec_sub(place, hit->centre_a, arm);
    stick_vec_cross(w_a, arm, turn);
    stick_vec_axpy(u, 1, turn, u);
    if (ccd->pair->b) {
        stick_vec_sub(place, hit->centre_b, arm);
        stick_vec_cross(w_b, arm, turn);
        stick_vec_axpy(u, -1, turn, u);
    }
    return -stick_vec_dot(hit->touch[k].normal, u);
}

static double closing_at(const Ccd *ccd, const StickCcdHit *hit, int k)
{
    const StickCcdPair *pair = ccd->pair;
    double w_a[3], w_b[3] = {0};
    angular_velocity(&pair->a, hit->time, w_a);
    if (pair->b)
        angular_velocity(pair->b, hit->time, w_b);
    return closing_with(ccd, hit, k, w_a, w_b);
}

// Whether the pair penetrates, shortly after it has touched, as its approach lets expect, along the same normal or deeply.
static bool penetrates(const Ccd *ccd, double t, const double normal[3], double closing)
{
    const StickCcdPair *pair = ccd->pair;
    double deep = shallow * pair->thin, window = fmin(pair->span - t, 2 * pair->thin / closing);
    for (int k = 1; k <= SAMPLES; k++) {
        StickCcdHit there;
        double later = window * k / SAMPLES;
        int deepest = touch_at(ccd, t + later, 0, ccd->segment >= 0, &there);
        if (deepest < 0)
            continue;
        double depth = -there.touch[deepest].point.gap;
        if (depth >= deep || (stick_vec_dot(there.touch[deepest].normal, normal) > 0.5 &&
                              depth > pair->depth && depth >= shallow * closing * later))
            return true;
    }
    return false;
}

// Largest closing speed of the points, and which has it.
static double closing_of(const Ccd *ccd, const StickCcdHit *hit, int *fastest)
{
    double closing = 0;
    *fastest = 0;
    for (int k = 0; k < hit->count; k++) {
        double speed = closing_at(ccd, hit, k);
        if (speed > closing) {
            closing = speed;
            *fastest = k;
        }
    }
    return closing;
}

// The points that touch at time t: false if there are none, if they only graze, or if others penetrate later.
static bool hits_at(const Ccd *ccd, double t, StickCcdHit *hit)
{
    int fastest;
    if (touch_at(ccd, t, ccd->slack, false, hit) < 0)
        return false;
    double closing = closing_of(ccd, hit, &fastest);
    return closing * ccd->pair->span > ccd->slack * near &&
           closing * (ccd->pair->span - t) > ccd->pair->depth &&
           penetrates(ccd, t, hit->touch[fastest].normal, closing);
}

// A pair that turns too fast to be followed, or to be stopped by what it touches: the centre of the shape that turns faster stays on its side of the plane that
// separates both at time t, and comes no nearer to it than half.
static bool stops_at(const Ccd *ccd, double t, double gap, StickCcdHit *hit)
{
    const StickCcdPair *pair = ccd->pair;
    int deepest = touch_at(ccd, t, fmax(0, gap) + ccd->slack, false, hit);
    if (deepest < 0)
        return false;
    bool is_first = !pair->b || stick_ccd_turning_speed(&pair->a) >= stick_ccd_turning_speed(pair->b);
    const double *centre = is_first ? hit->centre_a : hit->centre_b;
    hit->by_centre = true;
    double from[3], sign = is_first ? 1 : -1;
    hit->touch[0] = hit->touch[deepest];
    hit->count = 1;
    StickManifoldPoint *point = &hit->touch[0].point;
    // the surface of the other shape is half of the gap behind the point
    stick_vec_sub(centre, point->place, from);
    double distance = sign * stick_vec_dot(from, hit->touch[0].normal) + 0.5 * point->gap;
    memcpy(point->place, centre, sizeof point->place);
    point->gap = 0.5 * distance;
    return distance > 0 && (pair->span - t) * closing_at(ccd, hit, 0) > point->gap;
}

// A polyline is solid on one side only.
static bool comes_from_outside(const Ccd *ccd, const StickCcdHit *hit)
{
    const double *p = ccd->pair->obstacle->spec->points + 2 * (size_t)ccd->segment;
    double outwards[3] = {p[1] - p[3], p[2] - p[0], 0};
    return stick_vec_dot(hit->touch[0].normal, outwards) >= 0;
}

// Between a time at which they are apart and one at which they overlap: when they touch.
static double touching_time(const Ccd *ccd, bool of_segment, double apart, double overlap)
{
    StickCcdHit there;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (apart + overlap);
        int deepest = touch_at(ccd, middle, ccd->slack, of_segment, &there);
        *(deepest >= 0 && there.touch[deepest].point.gap <= 0 ? &overlap : &apart) = middle;
    }
    return overlap;
}

// Shapes that turn may stay near each other for long: steps grow beyond the gap, and a time at which they overlap leads back
// to when they touched. Normals of shapes from inside of a circle, sphere or cylinder are no separating planes: there the
// whole speed counts.
static bool advance(const Ccd *ccd, StickCcdHit *hit)
{
    const StickCcdPair *pair = ccd->pair;
    bool of_segment = ccd->segment >= 0, is_turning = ccd->turn > 0;
    bool has_plane = pair->b || of_segment || !stick_is_hollow(pair->obstacle->spec);
    double speed = stick_vec_norm(ccd->v_rel) + ccd->turn, t = 0, stride = ccd->slack, gap = 0;
    double apart = -1; // the last time at which they were
    for (int step = 0; step < MOST_STEPS && t < pair->span; step++) {
        double reach = (pair->span - t) * speed + ccd->slack;
        int deepest = touch_at(ccd, t, has_plane ? reach : INFINITY, of_segment, hit);
        if (deepest < 0)
            return false;
        gap = hit->touch[deepest].point.gap;
        double rate = has_plane ? ccd->turn - stick_vec_dot(hit->touch[deepest].normal, ccd->v_rel) : speed;
        if (!(rate > 0) || gap > (pair->span - t) * rate)
            return false;
        if (gap > ccd->slack) {
            bool is_near = has_plane && is_turning && gap < longest_step * pair->thin;
            stride = is_near ? fmin(2 * stride, longest_step * pair->thin) : ccd->slack;
            apart = t;
            t += fmax(gap, is_near ? stride : 0) / rate;
            continue;
        }
        double touch = gap < -ccd->slack && apart >= 0 ? touching_time(ccd, of_segment, apart, t) : t;
        if (of_segment && !comes_from_outside(ccd, hit))
            touch = t;
        else if (hits_at(ccd, touch, hit) || (touch < t && hits_at(ccd, t, hit)))
            return !pair->by_centre || stops_at(ccd, hit->time, ccd->slack, hit);
        if (has_plane && !is_turning)
            return false;
        stride = fmin(2 * stride, longest_step * pair->thin);
        t += stride / rate;
    }
    return t < pair->span && stops_at(ccd, t, gap, hit);
}

static Ccd ccd_of(const StickCcdPair *pair)
{
    const double *v_b = pair->b ? pair->b->v : pair->obstacle->velocity;
    Ccd ccd = {.pair = pair, .segment = -1, .slack = near * pair->thin};
    stick_vec_sub(pair->a.v, v_b, ccd.v_rel);
    ccd.turn = stick_ccd_turning_speed(&pair->a);
    if (pair->b)
        ccd.turn += stick_ccd_turning_speed(pair->b);
    return ccd;
}

bool stick_ccd_leaves(const StickCcdPair *pair, bool at_end, StickCcdHit *hit)
{
    Ccd ccd = ccd_of(pair);
    StickCcdHit end;
    int deepest = touch_at(&ccd, pair->span, 0, false, &end);
    if (deepest < 0 || !(end.touch[deepest].point.gap < -pair->depth))
        return false;
    static const double none[3] = {0};
    // otherwise it is rotating back, and a contact at the end would not hold it
    bool is_closing = closing_with(&ccd, &end, deepest, pair->a.w, none) > 0;
    if ((at_end && is_closing) || !hits_at(&ccd, touching_time(&ccd, false, 0, pair->span), hit))
        *hit = end;
    return true;
}

bool stick_ccd_sinks(const StickCcdPair *pair, StickCcdHit *hit)
{
    Ccd ccd = ccd_of(pair);
    double deepest = shallow * pair->thin, normal[3] = {0}, t = 0;
    // planes and insides have no other side
    bool is_open = pair->obstacle && !stick_shape_is_round(pair->obstacle->spec), found = false;
    StickCcdHit there;
    int at = touch_at(&ccd, 0, 0, false, &there);
    deepest += at >= 0 ? fmax(0, -there.touch[at].point.gap) : 0;
    double rate = ccd.turn + stick_vec_norm(ccd.v_rel), most = deepest + longest_step * pair->thin;
    double stride = fmax(longest_step * pair->thin / rate, pair->span / MOST_STEPS);
    while (t < pair->span) {
        t = fmin(t + stride, pair->span);
        at = touch_at(&ccd, t, 0, false, &there);
        double depth = at >= 0 ? -there.touch[at].point.gap : 0;
        if (!(depth > deepest))
            continue;
        if (found && !is_open && stick_vec_dot(there.touch[at].normal, normal) < 0.9)
            break;
        *hit = there;
        memcpy(normal, there.touch[at].normal, sizeof normal);
        deepest = depth;
        found = true;
        if (!is_open && depth > most)
            break;
    }
    return found;
}

bool stick_ccd(const StickCcdPair *pair, StickCcdHit *hit)
{
    Ccd ccd = ccd_of(pair);
    if (pair->b || pair->obstacle->spec->kind != STICK_OBSTACLE_POLYLINE)
        return advance(&ccd, hit);
    StickCcdHit found;
    bool hits = false;
    for (ccd.segment = 0; ccd.segment + 1 < pair->obstacle->spec->npoints; ccd.segment++) {
        if (!advance(&ccd, &found) || (hits && found.time >= hit->time))
            continue;
        *hit = found;
        hits = true;
    }
    return hits;
}

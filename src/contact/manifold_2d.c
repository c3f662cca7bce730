// SPDX-License-Identifier: Apache-2.0
// Every shape is a core (point, segment or convex polygon) and what is nearer to it than a radius, so that all pairs
// are one: cores that are apart by s touch as soon as s is the sum of their radii.
//
//          other                     The face with the largest separation s is the reference: n its outer normal,
//        \        /                  e0, e1 its ends. Its counterpart on the other side is the edge at the lowest
//      i1 \______/ i0   ^ n          vertex that lies flattest. Where one is above the other are the points:
//     _____|______|_____|__          vertices of either.
//     e0       ref       e1
//
// Cores that overlap are always such a pair of faces, and s < 0 the shortest way out. Of cores that are apart, s is
// the distance unless the nearest points are two vertices; those are then ends of these two edges, because the
// separation along n, as n turns, has just one maximum where it is positive.
#include "contact/manifold_2d.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

// All relative to the size of the shapes. Edges below LEAST_EDGE have no direction of their own, separations that
// differ by less than TIE are the same, and so are places on an edge that are closer than SAME.
static const double LEAST_EDGE = 1e-12, TIE = 1e-12, SAME = 1e-9;
// Of the shorter edge: two vertices that are closer than this meet, and the point is named after the one of a.
static const double FLUSH = 1e-6;

typedef struct Core {
    int n;
    const double *x; // 3 each, in the frame of the body
    double ends[6];
    double radius, bound, middle[2];
    double centre[2], c, s; // the frame: where it is, cosine and sine of its turn
} Core;

// x in the frame of the other is turn x + shift in that of the reference.
typedef struct View {
    double shift[2], c, s;
} View;

typedef struct Face {
    int edge;
    double n[2], length;
    double separation;
    int lowest; // vertex of the other
} Face;

// A piece of the other's boundary, or what the reference sees of it: along the face from e0, and above it.
typedef struct Piece {
    double along[2], above[2];
    int vertex[2];
} Piece;

// Both cores, which of them is a, and which gives its name where vertices of both meet: a, but a disk always.
typedef struct Touch {
    const Core *ref, *other;
    bool other_is_a, named_after_other;
    double reach;
    StickManifold *manifold;
} Touch;

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

static void set_core(const StickPlacedShape *placed, Core *core)
{
    const StickConvex *shape = placed->shape;
    assert(shape->kind != STICK_SHAPE_CYLINDER);
    *core = (Core){.n = 2,
                   .radius = shape->radius,
                   .bound = shape->bound,
                   .middle = {shape->centre[0], shape->centre[1]},
                   .centre = {placed->centre[0], placed->centre[1]},
                   .c = placed->axis[0][0],
                   .s = placed->axis[0][1]};
    core->x = core->ends;
    if (shape->kind == STICK_SHAPE_POLYTOPE) {
        core->n = shape->nvertices;
        core->x = shape->vertex;
        core->radius = 0;
        return;
    }
    double half = shape->kind == STICK_SHAPE_BALL ? 0 : shape->half_length;
    if (!(2 * half > LEAST_EDGE * shape->bound))
        core->n = 1;
    for (int k = 0; k < 2; k++) {
        core->ends[k] = shape->centre[k] - half * shape->axis[k];
        core->ends[3 + k] = shape->centre[k] + half * shape->axis[k];
    }
}

static const double *vertex(const Core *core, int k)
{
    return core->x + 3 * (size_t)k;
}

static int following(const Core *core, int k)
{
    return k + 1 < core->n ? k + 1 : 0;
}

static int preceding(const Core *core, int k)
{
    return k > 0 ? k - 1 : core->n - 1;
}

static void turn(double c, double s, const double x[2], double y[2])
{
    double first = c * x[0] - s * x[1];
    y[1] = s * x[0] + c * x[1];
    y[0] = first;
}

static View view_of(const Core *other, const Core *ref)
{
    View view = {.c = other->c * ref->c + other->s * ref->s, .s = other->s * ref->c - other->c * ref->s};
    double way[2] = {other->centre[0] - ref->centre[0], other->centre[1] - ref->centre[1]};
    turn(ref->c, -ref->s, way, view.shift);
    return view;
}

static void seen(const View *view, const double x[2], double y[2])
{
    turn(view->c, view->s, x, y);
    y[0] += view->shift[0];
    y[1] += view->shift[1];
}

// Outer normal and length of an edge; false if it is too short to have one.
static bool edge_normal(const Core *core, int k, double n[2], double *length)
{
    const double *p = vertex(core, k), *q = vertex(core, following(core, k));
    double e[2] = {q[0] - p[0], q[1] - p[1]};
    *length = sqrt(dot(e, e));
    if (!(*length > LEAST_EDGE * core->bound))
        return false;
    n[0] = e[1] / *length;
    n[1] = -e[0] / *length;
    return true;
}

// The lowest of all vertices along n, from `start` on; stops at the first that is not above `enough`.
static double lowest(const Core *core, const double n[2], double enough, int start, int *where)
{
    double least = INFINITY;
    for (int m = 0, j = start; m < core->n && least > enough; m++, j = following(core, j)) {
        double height = dot(n, vertex(core, j));
        if (height < least) {
            least = height;
            *where = j;
        }
    }
    return least;
}

// The face of the reference from which the other is separated the most, if by more than it was (edge < 0: none);
// false as soon as it is above the limit.
static bool best_face(const Core *ref, const Core *other, const View *view, double limit, Face *best)
{
    if (ref->n == 1)
        return true;
    // From the vertex on that looks to the other: the best face comes early, and the rest is soon dismissed.
    double back[2];
    seen(view, other->middle, back);
    back[0] = ref->middle[0] - back[0];
    back[1] = ref->middle[1] - back[1];
    int k = 0, at = 0;
    lowest(ref, back, -INFINITY, 0, &k);
    k = preceding(ref, k);
    for (int m = 0; m < ref->n; m++, k = following(ref, k)) {
        double n[2], mine[2], length;
        if (!edge_normal(ref, k, n, &length))
            continue;
        const double *p = vertex(ref, k);
        double from[2] = {view->shift[0] - p[0], view->shift[1] - p[1]};
        double offset = dot(n, from);
        turn(view->c, -view->s, n, mine);
        // What was dismissed early has not been looked at as a whole, whatever the rounding of the sum says.
        double enough = best->separation - offset, least = lowest(other, mine, enough, at, &at);
        double separation = offset + least;
        if (!(least > enough))
            continue;
        if (separation > best->separation)
            *best = (Face){
                .edge = k, .n = {n[0], n[1]}, .length = length, .separation = separation, .lowest = at};
        if (separation > limit)
            return false;
    }
    return true;
}

// The next vertex that is not at the same place, on one side.
static int apart(const Core *core, int k, int (*step)(const Core *, int), double way[2], double *length)
{
    int next = k;
    way[0] = way[1] = *length = 0;
    for (int m = 1; m < core->n && !(*length > LEAST_EDGE * core->bound); m++) {
        next = step(core, next);
        way[0] = vertex(core, next)[0] - vertex(core, k)[0];
        way[1] = vertex(core, next)[1] - vertex(core, k)[1];
        *length = sqrt(dot(way, way));
    }
    return next;
}

// Goes on from vertex k as long as the next ones are no higher.
static int level_end(const Core *core, int k, int stop, int (*step)(const Core *, int), const double n[2],
                     double most)
{
    for (int next = step(core, k); next != stop && dot(n, vertex(core, next)) <= most;
         next = step(core, next))
        k = next;
    return k;
}

// The two ends of the edge at vertex k, the lowest along n, that lies flattest: first and last anticlockwise.
static void flattest(const Core *core, int k, const double n[2], int end[2])
{
    end[0] = end[1] = k;
    if (core->n == 1)
        return;
    double ahead[2], behind[2], length_ahead, length_behind;
    int next = apart(core, k, following, ahead, &length_ahead);
    int last = apart(core, k, preceding, behind, &length_behind);
    if (dot(n, ahead) * length_behind <= dot(n, behind) * length_ahead)
        end[1] = next;
    else
        end[0] = last;
    if (core->n > 2) {
        double most = dot(n, vertex(core, k)) + TIE * core->bound;
        end[1] = level_end(core, end[1], end[0], following, n, most);
        end[0] = level_end(core, end[0], end[1], preceding, n, most);
    }
}

static Piece incident(const Core *ref, const Core *other, const View *view, const Face *face)
{
    double mine[2], along[2] = {-face->n[1], face->n[0]};
    turn(view->c, -view->s, face->n, mine);
    Piece piece;
    flattest(other, face->lowest, mine, piece.vertex);
    for (int k = 0; k < 2; k++) {
        double x[2];
        seen(view, vertex(other, piece.vertex[k]), x);
        x[0] -= vertex(ref, face->edge)[0];
        x[1] -= vertex(ref, face->edge)[1];
        piece.along[k] = dot(along, x);
        piece.above[k] = dot(face->n, x);
    }
    if (piece.along[0] <= piece.along[1])
        return piece;
    return (Piece){{piece.along[1], piece.along[0]},
                   {piece.above[1], piece.above[0]},
                   {piece.vertex[1], piece.vertex[0]}};
}

static uint32_t feature_of(const Touch *touch, bool of_other, int k)
{
    return 2 * (uint32_t)k + (of_other == touch->other_is_a ? 0 : 1);
}

// n in the frame of the reference, outwards; the manifold's points to a.
static void set_normal(const Touch *touch, const double n[2])
{
    double *normal = touch->manifold->normal;
    turn(touch->ref->c, touch->ref->s, n, normal);
    normal[2] = 0;
    for (int k = 0; k < 2 && !touch->other_is_a; k++)
        normal[k] = 0 - normal[k];
}

// A point of the other's core in the frame of the reference, `above` it along n.
static void add_point(const Touch *touch, const double n[2], const double x[2], double above,
                      uint32_t feature)
{
    StickManifold *manifold = touch->manifold;
    double gap = above - touch->ref->radius - touch->other->radius;
    if (gap > touch->reach)
        return;
    StickManifoldPoint *point = &manifold->point[manifold->count++];
    double back = touch->other->radius + 0.5 * gap;
    double middle[2] = {x[0] - back * n[0], x[1] - back * n[1]};
    turn(touch->ref->c, touch->ref->s, middle, point->place);
    point->place[0] += touch->ref->centre[0];
    point->place[1] += touch->ref->centre[1];
    point->place[2] = 0;
    point->gap = gap;
    point->feature = feature;
}

// The part of the piece that is above the face, with the features of its ends; false if there is none.
static bool clip(const Touch *touch, const Face *face, Piece *piece, uint32_t feature[2])
{
    const double end[2] = {0, face->length};
    int corner[2] = {face->edge, following(touch->ref, face->edge)};
    double run = piece->along[1] - piece->along[0], rise = piece->above[1] - piece->above[0];
    if (piece->along[0] > end[1] || piece->along[1] < end[0])
        return false;
    double flush = FLUSH * fmin(run, face->length);
    Piece whole = *piece;
    for (int k = 0; k < 2; k++) {
        double beyond = k == 0 ? end[0] - whole.along[0] : whole.along[1] - end[1];
        bool of_other = fabs(beyond) <= flush ? touch->named_after_other : beyond < 0;
        feature[k] = feature_of(touch, of_other, of_other ? whole.vertex[k] : corner[k]);
        if (beyond > 0) {
            piece->along[k] = end[k];
            piece->above[k] = whole.above[0] + rise * ((end[k] - whole.along[0]) / run);
        }
    }
    return true;
}

static void place_on(const Touch *touch, const Face *face, const Piece *piece, int k, double x[2])
{
    const double *origin = vertex(touch->ref, face->edge);
    x[0] = origin[0] + piece->along[k] * -face->n[1] + piece->above[k] * face->n[0];
    x[1] = origin[1] + piece->along[k] * face->n[0] + piece->above[k] * face->n[1];
}

static void add_faces(const Touch *touch, const Face *face, const Piece *piece, const uint32_t feature[2])
{
    int first = feature[1] < feature[0], low = piece->above[1] < piece->above[0];
    double x[2];
    set_normal(touch, face->n);
    // Points at the same place are one.
    if (piece->along[1] - piece->along[0] <= SAME * (touch->ref->bound + touch->other->bound)) {
        bool named_after_a = (feature[first] & 1) <= (feature[!first] & 1);
        place_on(touch, face, piece, low, x);
        add_point(touch, face->n, x, piece->above[low], feature[named_after_a ? first : !first]);
        return;
    }
    for (int m = 0; m < 2; m++) {
        int k = m == 0 ? first : !first;
        place_on(touch, face, piece, k, x);
        add_point(touch, face->n, x, piece->above[k], feature[k]);
    }
}

// Whether no point of the core near vertex k is farther along d, in its own frame, than this vertex.
static bool is_farthest(const Core *core, int k, const double d[2])
{
    double way[2], length;
    apart(core, k, following, way, &length);
    if (dot(d, way) > 0)
        return false;
    apart(core, k, preceding, way, &length);
    return dot(d, way) <= 0;
}

// The nearest two vertices of the face and the piece.
static void nearest_vertices(const Touch *touch, const View *view, const Face *face, const Piece *piece,
                             int pair[2])
{
    int corner[2] = {face->edge, following(touch->ref, face->edge)};
    double least = INFINITY, x[2];
    for (int m = 0; m < 4; m++) {
        seen(view, vertex(touch->other, piece->vertex[m / 2]), x);
        const double *p = vertex(touch->ref, corner[m % 2]);
        double distance = length_of(x[0] - p[0], x[1] - p[1]);
        if (distance < least) {
            least = distance;
            pair[0] = corner[m % 2];
            pair[1] = piece->vertex[m / 2];
        }
    }
}

// A vertex of the reference and one of the other; false if they are not the nearest points of both.
static bool add_vertices(const Touch *touch, const View *view, const int pair[2], uint32_t feature)
{
    double x[2], back[2];
    const double *p = vertex(touch->ref, pair[0]);
    seen(view, vertex(touch->other, pair[1]), x);
    double d[2] = {x[0] - p[0], x[1] - p[1]}, distance = length_of(d[0], d[1]);
    if (distance <= TIE * (touch->ref->bound + touch->other->bound))
        return false;
    for (int k = 0; k < 2; k++)
        d[k] /= distance;
    turn(view->c, -view->s, (double[2]){-d[0], -d[1]}, back);
    if (!is_farthest(touch->ref, pair[0], d) || !is_farthest(touch->other, pair[1], back))
        return false;
    set_normal(touch, d);
    add_point(touch, d, x, distance, feature);
    return true;
}

static void touch_faces(const Touch *touch, const View *view, const Face *face)
{
    Piece whole = incident(touch->ref, touch->other, view, face), piece = whole;
    double tie = TIE * (touch->ref->bound + touch->other->bound);
    uint32_t feature[2];
    bool faces = clip(touch, face, &piece, feature);
    if (faces && fmin(piece.above[0], piece.above[1]) <= face->separation + tie) {
        add_faces(touch, face, &piece, feature);
        return;
    }
    int pair[2] = {face->edge, face->lowest};
    nearest_vertices(touch, view, face, &whole, pair);
    feature[0] = feature_of(touch, touch->named_after_other, pair[touch->named_after_other]);
    if (add_vertices(touch, view, pair, feature[0]))
        return;
    // Both vertices are at one place, or the face and the next one are nearly one.
    double x[2];
    seen(view, vertex(touch->other, face->lowest), x);
    set_normal(touch, face->n);
    add_point(touch, face->n, x, face->separation, feature[0]);
}

static void touch_points(const Touch *touch)
{
    View view = view_of(touch->other, touch->ref);
    double x[2], n[2];
    seen(&view, touch->other->x, x);
    double d[2] = {x[0] - touch->ref->x[0], x[1] - touch->ref->x[1]};
    double distance = length_of(d[0], d[1]);
    // Any normal will do for one and the same centre: here y.
    bool same = distance <= TIE * (touch->ref->bound + touch->other->bound);
    n[0] = same ? touch->ref->s : d[0] / distance;
    n[1] = same ? touch->ref->c : d[1] / distance;
    set_normal(touch, n);
    add_point(touch, n, x, same ? 0 : distance, 0);
}

static bool are_far(const StickPlacedShape *a, const StickPlacedShape *b, double reach)
{
    double most = a->shape->bound + b->shape->bound + reach, d[2];
    for (int k = 0; k < 2; k++)
        d[k] = a->centre[k] + a->shape->centre[0] * a->axis[0][k] + a->shape->centre[1] * a->axis[1][k] -
               b->centre[k] - b->shape->centre[0] * b->axis[0][k] - b->shape->centre[1] * b->axis[1][k];
    // Also what is not a number is far.
    return !(dot(d, d) <= most * most);
}

void stick_manifold_2d(const StickPlacedShape *a, const StickPlacedShape *b, double reach,
                       StickManifold *manifold)
{
    manifold->count = 0;
    if (are_far(a, b, reach))
        return;
    Core core_a, core_b;
    set_core(a, &core_a);
    set_core(b, &core_b);
    bool named_after_a = core_a.n == 1 || core_b.n > 1;
    Touch touch = {&core_b, &core_a, true, named_after_a, reach, manifold};
    if (core_a.n == 1 && core_b.n == 1) {
        touch_points(&touch);
        return;
    }
    View a_from_b = view_of(&core_a, &core_b), b_from_a = view_of(&core_b, &core_a);
    double limit = reach + core_a.radius + core_b.radius;
    Face of_a = {.edge = -1, .separation = -INFINITY}, of_b = of_a;
    if (!best_face(&core_a, &core_b, &b_from_a, limit, &of_a))
        return;
    // A tie is for a.
    of_b.separation = of_a.separation + TIE * (core_a.bound + core_b.bound);
    if (!best_face(&core_b, &core_a, &a_from_b, limit, &of_b))
        return;
    if (of_b.edge >= 0) {
        touch_faces(&touch, &a_from_b, &of_b);
    } else {
        assert(of_a.edge >= 0);
        touch = (Touch){&core_a, &core_b, false, !named_after_a, reach, manifold};
        touch_faces(&touch, &b_from_a, &of_a);
    }
}

void stick_manifold_2d_line(const StickPlacedShape *a, const double point[2], const double normal[2],
                            double reach, StickManifold *manifold)
{
    Core core;
    set_core(a, &core);
    manifold->count = 0;
    manifold->normal[0] = normal[0];
    manifold->normal[1] = normal[1];
    manifold->normal[2] = 0;
    double n[2], from[2] = {core.centre[0] - point[0], core.centre[1] - point[1]};
    turn(core.c, -core.s, normal, n);
    int at = 0, end[2];
    lowest(&core, n, -INFINITY, 0, &at);
    flattest(&core, at, n, end);
    int count = end[0] == end[1] ? 1 : 2, first = end[1] < end[0];
    for (int m = 0; m < count; m++) {
        int k = end[m == 0 ? first : !first];
        double gap = dot(normal, from) + dot(n, vertex(&core, k)) - core.radius;
        if (!(gap <= reach))
            continue;
        StickManifoldPoint *touching = &manifold->point[manifold->count++];
        double x[2];
        turn(core.c, core.s, vertex(&core, k), x);
        for (int c = 0; c < 2; c++)
            touching->place[c] = core.centre[c] + x[c] - (core.radius + 0.5 * gap) * normal[c];
        touching->place[2] = 0;
        touching->gap = gap;
        touching->feature = 2 * (uint32_t)k;
    }
}

// SPDX-License-Identifier: Apache-2.0
// A cylinder against a point, a segment or a polyhedron: all directions that can part them most.
//
//                  vertex            edge                 face
//     end          z                 (a vertex)           (a vertex, or the face against a rim)
//     side         away from axis    across both          (a rim, or an edge)
//     rim          away from rim     search on its arc    normal
//
// Each is tried with the exact s(n), which never exceeds the distance; the best one reaches it.
#include "contact/cylinder.h"

typedef struct Search {
    const StickCylinder *a;
    const StickCore *b;
    double tie;
    StickAxis *best;
    int *end;
    const StickNormalArc *arc; // of the edge at hand
    bool from_b;               // the best axis starts at a point of b
} Search;

// Is s(n) the best so far? `bound` is what it would be if only the feature at hand were there; where another one reaches
// farther, that one is to be tried instead.
static bool better(const Search *search, const double n[3], double bound, int *vertex, double *s)
{
    double high, down[3] = {-n[0], -n[1], -n[2]};
    if (bound <= search->best->s + search->tie)
        return false;
    *vertex = stick_core_support(search->b, n, &high);
    *s = -stick_cylinder_height(search->a, down) - high;
    return *s > search->best->s + search->tie && (bound <= *s + 2 * search->tie || isinf(bound));
}

// at_b is given, at_a is s farther.
static void set_from_b(Search *search, const double n[3], double s, const double at_b[3], int vertex)
{
    StickAxis *best = search->best;
    memcpy(best->normal, n, sizeof best->normal);
    memcpy(best->at_b, at_b, sizeof best->at_b);
    stick_vec_axpy(at_b, s, n, best->at_a);
    best->s = s;
    best->feature = stick_feature(STICK_FEATURE_B, 0, vertex);
    *search->end = 0;
    search->from_b = true;
}

static void set_from_a(Search *search, const double n[3], double s, int part)
{
    StickAxis *best = search->best;
    double down[3] = {-n[0], -n[1], -n[2]};
    memcpy(best->normal, n, sizeof best->normal);
    stick_cylinder_support(search->a, down, best->at_a);
    stick_vec_axpy(best->at_a, -s, n, best->at_b);
    best->s = s;
    best->feature = stick_feature(STICK_FEATURE_CROSSING, STICK_RIM_FARTHEST, part);
    *search->end = 0;
    search->from_b = false;
}

static void try_faces(Search *search)
{
    for (int f = 0; f < search->b->nfaces; f++) {
        double plane[4];
        stick_core_plane(search->b, f, plane);
        double down[3] = {-plane[0], -plane[1], -plane[2]};
        double s = -stick_cylinder_height(search->a, down) - plane[3];
        if (s > search->best->s + search->tie)
            set_from_a(search, plane, s, f);
    }
}

static void try_ends(Search *search)
{
    for (int sign = -1; sign < 2; sign += 2) {
        double n[3], x[3], s;
        int vertex;
        for (int k = 0; k < 3; k++)
            n[k] = sign * search->a->z[k];
        if (!better(search, n, INFINITY, &vertex, &s))
            continue;
        stick_core_vertex(search->b, vertex, x);
        set_from_b(search, n, s, x, vertex);
        *search->end = 1;
    }
}

// Away from the axis, and away from the rim.
static void try_vertex(Search *search, int vertex)
{
    const StickCylinder *a = search->a;
    double x[3], between[3], n[3], rim[3], s;
    int farthest;
    stick_core_vertex(search->b, vertex, x);
    stick_vec_sub(a->centre, x, between);
    double along = stick_vec_dot(between, a->z);
    stick_vec_axpy(between, -along, a->z, n);
    double distance = stick_vec_normalise(n);
    if (distance <= search->tie)
        memcpy(n, a->x, sizeof n);
    if (better(search, n, (distance > search->tie ? distance : 0) - a->radius, &farthest, &s))
        set_from_b(search, n, s, x, vertex);
    if (fabs(along) <= a->half || distance <= a->radius)
        return;
    double toward[3] = {-n[0], -n[1], -n[2]};
    stick_cylinder_rim(a, along < 0, toward, rim);
    stick_vec_sub(rim, x, n);
    distance = stick_vec_normalise(n);
    if (better(search, n, distance, &farthest, &s))
        set_from_b(search, n, s, x, vertex);
}

// At right angles to the axis and to an edge.
static void try_side(Search *search, const StickNormalArc *arc)
{
    const StickCylinder *a = search->a;
    double n[3], between[3], s, p, q, start[3], whole[3];
    int vertex;
    stick_vec_cross(arc->unit, a->z, n);
    if (stick_vec_normalise(n) < 1e-9)
        return;
    stick_vec_sub(a->centre, arc->x, between);
    for (int sign = 0; sign < 2; sign++) {
        if (better(search, n, stick_vec_dot(n, between) - a->radius, &vertex, &s)) {
            stick_vec_axpy(a->centre, -a->half, a->z, start);
            for (int k = 0; k < 3; k++)
                whole[k] = 2 * a->half * a->z[k];
            stick_segments_nearest(start, whole, arc->x, arc->along, &p, &q);
            stick_vec_axpy(arc->x, q, arc->along, start);
            set_from_b(search, n, s, start, vertex);
            search->best->feature = stick_feature(STICK_FEATURE_CROSSING, STICK_RIM_FARTHEST, arc->edge);
        }
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
    }
}

static void offer_rim(void *user, const double n[3])
{
    Search *search = user;
    double s;
    int vertex;
    if (better(search, n, INFINITY, &vertex, &s))
        set_from_a(search, n, s, search->arc->edge);
}

static void try_rim(Search *search, const StickNormalArc *arc)
{
    double inner[3], w[3];
    StickRimArc rim = {.cylinder = search->a, .side = -1};
    // no n of the arc parts them more than this edge from one point of the cylinder
    stick_cylinder_support(
        search->a, (double[]){-search->best->normal[0], -search->best->normal[1], -search->best->normal[2]},
        inner);
    stick_vec_sub(inner, arc->x, w);
    if (!arc->open && stick_arc_bound(arc, w) <= search->best->s + search->tie)
        return;
    memcpy(rim.anchor, arc->x, sizeof rim.anchor);
    if (arc->open) {
        stick_patch_frame(arc->unit, rim.u, rim.w);
        rim.length = 2 * M_PI;
    } else {
        double c = stick_vec_dot(arc->from, arc->to);
        memcpy(rim.u, arc->from, sizeof rim.u);
        stick_vec_axpy(arc->to, -c, arc->from, rim.w);
        double s = stick_vec_normalise(rim.w);
        rim.length = atan2(s, c);
    }
    search->arc = arc;
    stick_cylinder_rim_arc(&rim, offer_rim, search);
}

// Apart, with a point of b just s away from one of a: no direction parts them more.
static bool proved(const Search *search)
{
    return search->best->s > search->tie && search->from_b &&
           stick_cylinder_holds(search->a, search->best->at_a, search->tie);
}

bool stick_cylinder_core_axis(const StickCylinder *a, const StickCore *b, double limit,
                              const StickTolerance *tolerance, StickAxis *axis, int *end)
{
    Search search = {a, b, tolerance->tie, axis, end, NULL, false};
    axis->s = -INFINITY;
    *end = 0;
    try_faces(&search);
    try_ends(&search);
    for (int v = 0; v < b->nvertices && axis->s <= limit; v++)
        try_vertex(&search, v);
    for (int i = 0; i < b->nedges && axis->s <= limit && !proved(&search); i++) {
        StickNormalArc arc;
        stick_arc_make(b, i, 1, &arc);
        try_side(&search, &arc);
        if (!proved(&search))
            try_rim(&search, &arc);
    }
    return axis->s <= limit;
}

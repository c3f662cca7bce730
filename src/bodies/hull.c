// SPDX-License-Identifier: Apache-2.0
// From triangles to faces: the largest remaining triangle collects all triangles around it that lie in its plane; the
// rim of such a patch is a face. Vertices that then belong to fewer than three faces lie inside a face or an edge,
// and are dropped.
#include "bodies/hull.h"

#include "base/memory.h"
#include "base/vec.h"
#include "bodies/polytope.h"

#include <stdlib.h>
#include <string.h>

// What counts as in a plane or on a line, relative to the size.
static const double near = 1e-9;

typedef struct Ranked {
    double area;
    int triangle;
} Ranked;

typedef struct Merger {
    StickContext *ctx;
    const StickCloud *cloud;
    const StickTriangleHull *hull;
    int *patch;     // per triangle; -1: none yet
    Ranked *ranked; // triangles, the largest first
    int *stack;     // triangles of a patch
    int *after;     // per point: the next one on the rim of the patch
    int *nfaces_at; // per point
    int nfaces;
    int *start; // of faces in corner[]
    int *count; // of their corners
    int *corner;
    int *number; // per point: its vertex, or -1
} Merger;

static void clean(Merger *m)
{
    void *all[] = {m->patch, m->ranked, m->stack,  m->after, m->nfaces_at,
                   m->start, m->count,  m->corner, m->number};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        stick_free(m->ctx, all[k]);
}

static StickStatus take_room(Merger *m)
{
    int ntriangles = m->hull->count, npoints = m->cloud->count;
    STICK_ALLOC(m->ctx, m->patch, ntriangles);
    STICK_ALLOC(m->ctx, m->ranked, ntriangles);
    STICK_ALLOC(m->ctx, m->stack, ntriangles);
    STICK_ALLOC(m->ctx, m->after, npoints);
    STICK_ALLOC(m->ctx, m->nfaces_at, npoints);
    STICK_ALLOC(m->ctx, m->start, ntriangles);
    STICK_ALLOC(m->ctx, m->count, ntriangles);
    STICK_ALLOC(m->ctx, m->corner, 3 * (size_t)ntriangles);
    STICK_ALLOC(m->ctx, m->number, npoints);
    return STICK_OK;
}

static const double *place(const Merger *m, int point)
{
    return &m->cloud->x[3 * (size_t)point];
}

// Twice the area as a vector.
static void area_vector(const Merger *m, int triangle, double area[3])
{
    const int *v = m->hull->triangle[triangle].vertex;
    double a[3], b[3];
    stick_vec_sub(place(m, v[1]), place(m, v[0]), a);
    stick_vec_sub(place(m, v[2]), place(m, v[0]), b);
    stick_vec_cross(a, b, area);
}

static int compare_ranked(const void *left, const void *right)
{
    const Ranked *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area ? 1 : -1) : a->triangle - b->triangle;
}

static void rank(Merger *m)
{
    for (int t = 0; t < m->hull->count; t++) {
        double area[3];
        area_vector(m, t, area);
        m->ranked[t] = (Ranked){stick_vec_norm(area), t};
        m->patch[t] = -1;
    }
    qsort(m->ranked, (size_t)m->hull->count, sizeof *m->ranked, compare_ranked);
}

// ---- patches

static bool in_plane(const Merger *m, int triangle, const double origin[3], const double normal[3])
{
    for (int k = 0; k < 3; k++) {
        double d[3];
        stick_vec_sub(place(m, m->hull->triangle[triangle].vertex[k]), origin, d);
        if (fabs(stick_vec_dot(d, normal)) > near * m->hull->size)
            return false;
    }
    return true;
}

// Number of triangles in the patch, which stack[] then holds.
static int grow_patch(Merger *m, int first, int patch)
{
    const double *origin = place(m, m->hull->triangle[first].vertex[0]);
    double normal[3];
    int count = 0;
    area_vector(m, first, normal);
    stick_vec_normalise(normal);
    m->patch[first] = patch;
    m->stack[count++] = first;
    for (int at = 0; at < count; at++)
        for (int k = 0; k < 3; k++) {
            int beyond = m->hull->triangle[m->stack[at]].beyond[k];
            if (m->patch[beyond] >= 0 || !in_plane(m, beyond, origin, normal))
                continue;
            m->patch[beyond] = patch;
            m->stack[count++] = beyond;
        }
    return count;
}

// The rim of the patch in stack[], anticlockwise, into corner[]. 0: it is no single loop.
static int walk_rim(Merger *m, int patch, int ntriangles, int *corner)
{
    int nsides = 0, first = -1, count = 0;
    for (int t = 0; t < ntriangles; t++) {
        const StickHullTriangle *triangle = &m->hull->triangle[m->stack[t]];
        for (int k = 0; k < 3; k++) {
            if (m->patch[triangle->beyond[k]] == patch)
                continue;
            first = triangle->vertex[k];
            m->after[first] = triangle->vertex[(k + 1) % 3];
            nsides++;
        }
    }
    if (first < 0)
        return 0;
    for (int at = first; count == 0 || (at != first && count < nsides); at = m->after[at])
        corner[count++] = at;
    return count == nsides && m->after[corner[count - 1]] == first ? count : 0;
}

static void add_face(Merger *m, int start, int count)
{
    m->start[m->nfaces] = start;
    m->count[m->nfaces++] = count;
    for (int k = 0; k < count; k++)
        m->nfaces_at[m->corner[start + k]]++;
}

// A patch that is not simply a polygon stays as it is, in triangles.
static int add_triangles(Merger *m, int start, int ntriangles)
{
    for (int t = 0; t < ntriangles; t++, start += 3) {
        memcpy(&m->corner[start], m->hull->triangle[m->stack[t]].vertex, 3 * sizeof *m->corner);
        add_face(m, start, 3);
    }
    return start;
}

// merge = false: every triangle is a face.
static void make_faces(Merger *m, bool merge)
{
    int used = 0;
    m->nfaces = 0;
    memset(m->nfaces_at, 0, (size_t)m->cloud->count * sizeof *m->nfaces_at);
    rank(m);
    for (int r = 0; r < m->hull->count; r++) {
        int first = m->ranked[r].triangle, ntriangles = 1;
        if (m->patch[first] >= 0)
            continue;
        m->stack[0] = first;
        if (merge)
            ntriangles = grow_patch(m, first, r);
        int count = merge ? walk_rim(m, r, ntriangles, &m->corner[used]) : 0;
        if (count > 0)
            add_face(m, used, count);
        used = count > 0 ? used + count : add_triangles(m, used, ntriangles);
    }
}

// ---- vertices that are not needed

// Leaves out the corners of a face that fewer than three faces have, and the face if it is then no polygon.
static bool thin_face(Merger *m, int face)
{
    int *corner = &m->corner[m->start[face]], kept = 0, before = m->count[face];
    for (int k = 0; k < before; k++)
        if (m->nfaces_at[corner[k]] >= 3)
            corner[kept++] = corner[k];
    for (int k = 0; kept < 3 && k < kept; k++)
        m->nfaces_at[corner[k]]--;
    m->count[face] = kept < 3 ? 0 : kept;
    return m->count[face] != before;
}

static void thin(Merger *m)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int f = 0; f < m->nfaces; f++)
            if (m->count[f] > 0 && thin_face(m, f))
                changed = true;
    }
}

// ---- the polyhedron

typedef struct Loop {
    const int *corner;
    int count;
} Loop;

static int compare_loops(const void *left, const void *right)
{
    const Loop *a = left, *b = right;
    for (int k = 0; k < a->count && k < b->count; k++)
        if (a->corner[k] != b->corner[k])
            return a->corner[k] - b->corner[k];
    return a->count - b->count;
}

static void reverse(int *item, int count)
{
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        int kept = item[i];
        item[i] = item[j];
        item[j] = kept;
    }
}

// Turns a loop so that it starts at its smallest corner.
static void start_at_smallest(int *corner, int count)
{
    int smallest = 0;
    for (int k = 1; k < count; k++)
        smallest = corner[k] < corner[smallest] ? k : smallest;
    reverse(corner, smallest);
    reverse(corner + smallest, count - smallest);
    reverse(corner, count);
}

// Numbers the points that faces have; returns how many.
static int number_vertices(Merger *m)
{
    int count = 0;
    memset(m->number, 0, (size_t)m->cloud->count * sizeof *m->number);
    for (int f = 0; f < m->nfaces; f++)
        for (int k = 0; k < m->count[f]; k++)
            m->number[m->corner[m->start[f] + k]] = 1;
    for (int i = 0; i < m->cloud->count; i++)
        m->number[i] = m->number[i] ? count++ : -1;
    return count;
}

static void copy_polytope(const Merger *m, const Loop *loop, StickConvex *shape)
{
    for (int i = 0; i < m->cloud->count; i++)
        if (m->number[i] >= 0)
            memcpy(&shape->vertex[3 * (size_t)m->number[i]], place(m, i), 3 * sizeof *shape->vertex);
    for (int f = 0; f < shape->nfaces; f++) {
        int *to = &shape->face_vertex[shape->face_start[f]];
        for (int k = 0; k < loop[f].count; k++)
            to[k] = m->number[loop[f].corner[k]];
        shape->face_start[f + 1] = shape->face_start[f] + loop[f].count;
    }
}

static StickStatus make_polytope(Merger *m, Loop *loop, StickConvex *shape, bool *closed)
{
    int nloops = 0, ncorners = 0;
    for (int f = 0; f < m->nfaces; f++) {
        if (m->count[f] == 0)
            continue;
        start_at_smallest(&m->corner[m->start[f]], m->count[f]);
        loop[nloops++] = (Loop){&m->corner[m->start[f]], m->count[f]};
        ncorners += m->count[f];
    }
    *closed = nloops >= 4;
    if (!*closed)
        return STICK_OK;
    qsort(loop, (size_t)nloops, sizeof *loop, compare_loops);
    StickConvex made;
    STICK_TRY(stick_polytope_create(m->ctx, number_vertices(m), nloops, ncorners, &made));
    copy_polytope(m, loop, &made);
    StickStatus status = stick_polytope_complete(m->ctx, &made, closed);
    if (status == STICK_OK && *closed)
        *shape = made;
    else
        stick_polytope_destroy(m->ctx, &made);
    return status;
}

static StickStatus build(Merger *m, bool merge, StickConvex *shape, bool *closed)
{
    Loop *loop;
    make_faces(m, merge);
    if (merge)
        thin(m);
    STICK_ALLOC(m->ctx, loop, m->nfaces);
    StickStatus status = make_polytope(m, loop, shape, closed);
    stick_free(m->ctx, loop);
    return status;
}

// Should faces not fit together, the exact triangles do.
static StickStatus merge_faces(Merger *m, StickConvex *shape)
{
    bool closed;
    STICK_TRY(take_room(m));
    STICK_TRY(build(m, true, shape, &closed));
    if (!closed)
        STICK_TRY(build(m, false, shape, &closed));
    STICK_CHECK(m->ctx, closed, STICK_INTERNAL, "%s: the hull of its points is not closed", m->cloud->who);
    return STICK_OK;
}

StickStatus stick_hull_create(StickContext *ctx, const StickCloud *cloud, StickConvex *shape)
{
    StickTriangleHull hull;
    STICK_TRY(stick_quickhull_create(ctx, cloud, &hull));
    Merger merger = {.ctx = ctx, .cloud = cloud, .hull = &hull};
    StickStatus status = merge_faces(&merger, shape);
    clean(&merger);
    stick_quickhull_destroy(ctx, &hull);
    return status;
}

double stick_hull_depth(const StickConvex *shape, const double place[3])
{
    double depth = HUGE_VAL;
    for (int f = 0; f < shape->nfaces; f++)
        depth = fmin(depth, shape->face[4 * f + 3] - stick_vec_dot(&shape->face[4 * f], place));
    return depth;
}

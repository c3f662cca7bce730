// SPDX-License-Identifier: Apache-2.0
//
//         _-----_       A core of k x l cells, and rings of P = 2 (k + l) cells around it. The boundary is
//       /  \___/  \     cut at equal angles, and the corners of the core are where it wants them.
//      |   |   |   |
//      |   |___|   |    Places along the boundary are counted anticlockwise from the lower left corner of
//       \ /     \ /     the core; phi is their angle from the lowest point of the disk.
//         -_____-
#include "mesh/disk.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

// How far the sides of the core bulge: 0 straight, 1 on a circle.
static const double bulge = 0.4;

typedef struct Disk {
    int k, l, rings;
    int P; // cells along the boundary
    double centre[2];
    double R;     // of the disk
    double core;  // distance of the core's corners from the centre
    double alpha; // half the angle that the lower side of the core spans
} Disk;

// Cells of core and rings get about the same size, within what keeps both well-shaped:
// 2 core (sin alpha + cos alpha) / (k + l) = (R - core) / rings
static double core_radius(const Disk *disk)
{
    double side = 2 * (sin(disk->alpha) + cos(disk->alpha)) * disk->rings / (disk->k + disk->l);
    return disk->R * fmin(0.6, fmax(0.5, 1 / (1 + side)));
}

static Disk make_disk(const StickMeshSpec *spec)
{
    Disk disk = {.k = spec->cells[0], .l = spec->cells[1], .rings = spec->cells[2], .R = spec->radius};
    disk.P = 2 * (disk.k + disk.l);
    disk.centre[0] = spec->origin[0];
    disk.centre[1] = spec->origin[1];
    disk.alpha = STICK_PI * disk.k / disk.P;
    disk.core = core_radius(&disk);
    return disk;
}

// Node (i, j) of the core: a rectangle with half sides a, b whose sides are moved towards the circle through
// its corners, and the inside with them.
static void core_place(const Disk *disk, int i, int j, double x[2])
{
    double u = (2.0 * i - disk->k) / disk->k, v = (2.0 * j - disk->l) / disk->l;
    double a = disk->core * sin(disk->alpha), b = disk->core * cos(disk->alpha);
    double phi = disk->alpha * u, psi = (STICK_PI / 2 - disk->alpha) * v;
    double along_u = bulge * (disk->core * sin(phi) - a * u), out_v = bulge * (disk->core * cos(phi) - b);
    double along_v = bulge * (disk->core * sin(psi) - b * v), out_u = bulge * (disk->core * cos(psi) - a);
    x[0] = a * u + along_u + u * out_u;
    x[1] = b * v + along_v + v * out_v;
}

// Place p of the boundary; phi in (-pi, pi], so that the disk mirrors itself to the last bits.
static void circle_place(const Disk *disk, int p, double x[2])
{
    int m = 2 * p - disk->k;
    double phi = STICK_PI * (m > disk->P ? m - 2 * disk->P : m) / disk->P;
    x[0] = disk->R * sin(phi);
    x[1] = -disk->R * cos(phi);
}

// The node (i, j) of the core at place p of its boundary.
static void core_boundary(const Disk *disk, int p, int *i, int *j)
{
    int k = disk->k, l = disk->l;
    *i = p <= k ? p : p <= k + l ? k : p <= 2 * k + l ? 2 * k + l - p : 0;
    *j = p <= k ? 0 : p <= k + l ? p - k : p <= 2 * k + l ? l : disk->P - p;
}

// Number of the node at place p of ring q; ring 0 is the boundary of the core.
static int ring_node(const Disk *disk, int q, int p)
{
    p %= disk->P;
    if (q > 0)
        return (disk->k + 1) * (disk->l + 1) + (q - 1) * disk->P + p;
    int i, j;
    core_boundary(disk, p, &i, &j);
    return i + j * (disk->k + 1);
}

static void add_nodes(const Disk *disk, StickPlaneMesh *plane)
{
    const double *centre = disk->centre;
    double from[2], to[2];
    for (int j = 0; j <= disk->l; j++)
        for (int i = 0; i <= disk->k; i++) {
            core_place(disk, i, j, from);
            stick_plane_add_node(plane, centre[0] + from[0], centre[1] + from[1]);
        }
    for (int q = 1; q <= disk->rings; q++)
        for (int p = 0; p < disk->P; p++) {
            int i, j;
            double s = (double)q / disk->rings;
            core_boundary(disk, p, &i, &j);
            core_place(disk, i, j, from);
            circle_place(disk, p, to);
            stick_plane_add_node(plane, centre[0] + (1 - s) * from[0] + s * to[0],
                                 centre[1] + (1 - s) * from[1] + s * to[1]);
        }
}

static void add_cells(const Disk *disk, StickPlaneMesh *plane)
{
    for (int j = 0; j < disk->l; j++)
        for (int i = 0; i < disk->k; i++) {
            int first = i + j * (disk->k + 1), above = first + disk->k + 1;
            stick_plane_add_cell(plane, first, first + 1, above + 1, above);
        }
    for (int q = 0; q < disk->rings; q++)
        for (int p = 0; p < disk->P; p++)
            stick_plane_add_cell(plane, ring_node(disk, q + 1, p), ring_node(disk, q + 1, p + 1),
                                 ring_node(disk, q, p + 1), ring_node(disk, q, p));
}

// ---- parts

// Whether a node lies on the far side of a cut, or on it, where it is put onto it.
static bool is_beyond(const Disk *disk, double *x, int k)
{
    double from = (k == 0 ? -1 : 1) * (x[k] - disk->centre[k]);
    if (fabs(from) > 1e-9 * disk->R)
        return from > 0;
    x[k] = disk->centre[k];
    return false;
}

// Numbers of the nodes that are left, or -1; below the centre is what all parts keep.
static void keep_nodes(const Disk *disk, bool quarter, StickPlaneMesh *plane, int *number)
{
    int kept = 0;
    for (int i = 0; i < plane->nnodes; i++) {
        double *x = &plane->x[2 * (size_t)i];
        bool above = is_beyond(disk, x, 1), left = quarter && is_beyond(disk, x, 0);
        number[i] = above || left ? -1 : kept++;
        if (number[i] >= 0) {
            plane->x[2 * (size_t)number[i]] = x[0];
            plane->x[2 * (size_t)number[i] + 1] = x[1];
        }
    }
    plane->nnodes = kept;
}

static bool renumber(const int *number, int count, int *node)
{
    bool all = true;
    for (int k = 0; k < count; k++)
        all = all && number[node[k]] >= 0;
    for (int k = 0; k < count && all; k++)
        node[k] = number[node[k]];
    return all;
}

static void keep_cells(StickPlaneMesh *plane, const int *number)
{
    int kept = 0;
    for (int c = 0; c < plane->ncells; c++) {
        int *cell = &plane->cell[4 * (size_t)c];
        if (renumber(number, 4, cell))
            memmove(&plane->cell[4 * (size_t)kept++], cell, 4 * sizeof *cell);
    }
    plane->ncells = kept;
    kept = 0;
    for (int e = 0; e < plane->nedges; e++)
        if (renumber(number, 2, plane->edge[e].node))
            plane->edge[kept++] = plane->edge[e];
    plane->nedges = kept;
}

// Sides of cells along a cut.
static void add_cut(const Disk *disk, int k, const char *group, StickPlaneMesh *plane)
{
    for (int c = 0; c < plane->ncells; c++)
        for (int s = 0; s < 4; s++) {
            const int *cell = &plane->cell[4 * (size_t)c];
            int a = cell[s], b = cell[(s + 1) % 4];
            if (plane->x[2 * (size_t)a + (size_t)k] == disk->centre[k] &&
                plane->x[2 * (size_t)b + (size_t)k] == disk->centre[k])
                stick_plane_add_edge(plane, a, b, group, false);
        }
}

static StickStatus cut(const Disk *disk, bool quarter, StickPlaneMesh *plane)
{
    int *number;
    STICK_ALLOC(plane->ctx, number, plane->nnodes);
    keep_nodes(disk, quarter, plane, number);
    keep_cells(plane, number);
    stick_free(plane->ctx, number);
    add_cut(disk, 1, "top", plane);
    if (quarter)
        add_cut(disk, 0, "left", plane);
    return STICK_OK;
}

// ---- all of it

static void onto_circle(const StickMeshSpec *spec, double x[2])
{
    double dx = x[0] - spec->origin[0], dy = x[1] - spec->origin[1];
    double scale = spec->radius / sqrt(dx * dx + dy * dy);
    x[0] = spec->origin[0] + scale * dx;
    x[1] = spec->origin[1] + scale * dy;
}

StickStatus stick_disk_cells(StickContext *ctx, const StickMeshSpec *spec, StickPlaneMesh *plane)
{
    Disk disk = make_disk(spec);
    int nnodes = (disk.k + 1) * (disk.l + 1) + disk.P * disk.rings;
    int nedges = disk.P + disk.k + disk.l + 4 * disk.rings; // of the circle, and of cuts
    STICK_TRY(stick_plane_create(ctx, nnodes, disk.k * disk.l + disk.P * disk.rings, nedges, plane));
    plane->onto_curve = onto_circle;
    add_nodes(&disk, plane);
    add_cells(&disk, plane);
    for (int p = 0; p < disk.P; p++)
        stick_plane_add_edge(plane, ring_node(&disk, disk.rings, p), ring_node(&disk, disk.rings, p + 1),
                             "outer", true);
    if (spec->part == STICK_DISK_WHOLE)
        return STICK_OK;
    StickStatus status = cut(&disk, spec->part == STICK_DISK_QUARTER, plane);
    if (status != STICK_OK)
        stick_plane_destroy(plane);
    return status;
}

static StickStatus add_lower(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    const StickMesh *mesh = &builder->mesh;
    double top = spec->origin[1] + 1e-9 * spec->radius;
    int outer, lower;
    STICK_TRY(stick_builder_group(builder, "outer", &outer));
    STICK_TRY(stick_builder_group(builder, "lower", &lower));
    for (int k = 0; k < mesh->group[outer].nfacets; k++) {
        StickFacet facet = mesh->group[outer].facet[k];
        int node[STICK_MOST_FACET_NODES];
        stick_mesh_facet_nodes(mesh, facet, node);
        if (mesh->x[2 * (size_t)node[0] + 1] <= top && mesh->x[2 * (size_t)node[1] + 1] <= top)
            STICK_TRY(stick_builder_group_facet(builder, lower, facet));
    }
    return STICK_OK;
}

// The node at a place, if there is one, as a group.
static StickStatus add_place(const StickMeshSpec *spec, const char *name, const double place[2],
                             StickMeshBuilder *builder)
{
    for (int i = 0; i < builder->mesh.nnodes; i++) {
        const double *x = &builder->mesh.x[2 * (size_t)i];
        int group;
        if (hypot(x[0] - place[0], x[1] - place[1]) > 1e-9 * spec->radius)
            continue;
        STICK_TRY(stick_builder_group(builder, name, &group));
        return stick_builder_group_node(builder, group, i);
    }
    return STICK_OK;
}

StickStatus stick_disk_groups(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    const double *c = spec->origin, R = spec->radius;
    STICK_TRY(add_lower(spec, builder));
    STICK_TRY(add_place(spec, "centre", c, builder));
    STICK_TRY(add_place(spec, "lowest", (double[]){c[0], c[1] - R}, builder));
    return add_place(spec, "rightmost", (double[]){c[0] + R, c[1]}, builder);
}

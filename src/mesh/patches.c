// SPDX-License-Identifier: Apache-2.0
#include "mesh/patches.h"

#include "base/check.h"
#include "base/memory.h"
#include "mesh/patch.h"
#include "mesh/plane.h"
#include "mesh/weld.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Angles whose sine is below this count as zero.
static const double flat = 1e-10;

// Nodes of all patches one after the other, before and after they are joined.
typedef struct Grid {
    StickContext *ctx;
    const StickMeshSpec *spec;
    int dim, npatches;
    StickPatch *patch;
    bool *mirrored;  // npatches: eta runs clockwise from xi
    int *first;      // npatches + 1: nodes
    int *first_cell; // npatches + 1
    double *x;       // three numbers each
    bool *outer;     // on a side of its patch
    int *number;     // in the mesh
    int nnumbers;
} Grid;

static void destroy_grid(Grid *grid)
{
    stick_free(grid->ctx, grid->patch);
    stick_free(grid->ctx, grid->mirrored);
    stick_free(grid->ctx, grid->first);
    stick_free(grid->ctx, grid->first_cell);
    stick_free(grid->ctx, grid->x);
    stick_free(grid->ctx, grid->outer);
    stick_free(grid->ctx, grid->number);
}

static int node_at(const Grid *grid, int p, int i, int j, int k)
{
    const int *n = grid->spec->patch[p].cells;
    int row = i * (n[1] + 1) + j;
    return grid->first[p] + (grid->dim == 2 ? row : row * (n[2] + 1) + k);
}

// "patch 2 ('lip')"
typedef struct Label {
    char text[128];
} Label;

static Label label_of(const Grid *grid, int p)
{
    const char *name = grid->spec->patch[p].name;
    Label label;
    if (name)
        snprintf(label.text, sizeof label.text, "patch %d ('%.100s')", p + 1, name);
    else
        snprintf(label.text, sizeof label.text, "patch %d", p + 1);
    return label;
}

static Label place_label(int dim, const double *x)
{
    Label label;
    if (dim == 2)
        snprintf(label.text, sizeof label.text, "(%.6g, %.6g)", x[0], x[1]);
    else
        snprintf(label.text, sizeof label.text, "(%.6g, %.6g, %.6g)", x[0], x[1], x[2]);
    return label;
}

// ---- nodes

static StickStatus make_grid(StickContext *ctx, const StickMeshSpec *spec, Grid *grid)
{
    double nodes = 0;
    int most = spec->npatches + 1;
    *grid = (Grid){.ctx = ctx, .spec = spec, .dim = spec->patch[0].dim, .npatches = spec->npatches};
    STICK_ALLOC(ctx, grid->patch, most);
    STICK_ALLOC(ctx, grid->mirrored, most);
    STICK_ALLOC(ctx, grid->first, most);
    STICK_ALLOC(ctx, grid->first_cell, most);
    for (int p = 0; p < spec->npatches; p++) {
        const int *n = spec->patch[p].cells;
        int depth = grid->dim == 3 ? n[2] : 0;
        nodes += (n[0] + 1.0) * (n[1] + 1.0) * (depth + 1.0);
        STICK_CHECK(ctx, nodes < INT_MAX / 4, STICK_NO_MEMORY,
                    "patches of more than %.3g nodes are too large", nodes);
        grid->first[p + 1] = (int)nodes;
        grid->first_cell[p + 1] = grid->first_cell[p] + n[0] * n[1] * (grid->dim == 3 ? depth : 1);
    }
    STICK_ALLOC(ctx, grid->x, 3 * (size_t)nodes);
    STICK_ALLOC(ctx, grid->outer, (size_t)nodes);
    STICK_ALLOC(ctx, grid->number, (size_t)nodes);
    return STICK_OK;
}

static StickStatus place_nodes(Grid *grid, int p)
{
    const int *n = grid->spec->patch[p].cells;
    int depth = grid->dim == 3 ? n[2] : 0;
    STICK_TRY(stick_patch_init(grid->ctx, &grid->spec->patch[p], &grid->patch[p]));
    for (int i = 0; i <= n[0]; i++)
        for (int j = 0; j <= n[1]; j++)
            for (int k = 0; k <= depth; k++) {
                int node = node_at(grid, p, i, j, k);
                STICK_TRY(
                    stick_patch_place(&grid->patch[p], (double[]){i, j, k}, &grid->x[3 * (size_t)node]));
                grid->outer[node] =
                    i == 0 || i == n[0] || j == 0 || j == n[1] || (grid->dim == 3 && (k == 0 || k == depth));
            }
    return STICK_OK;
}

// ---- cells

// Corners of a cell in the order of its element, before mirroring.
static int cell_corners(const Grid *grid, int p, const int at[3], int corner[8])
{
    for (int c = 0; c < 4; c++) {
        int right = c == 1 || c == 2, up = c >= 2;
        corner[c] = node_at(grid, p, at[0] + right, at[1] + up, at[2]);
        if (grid->dim == 3)
            corner[c + 4] = node_at(grid, p, at[0] + right, at[1] + up, at[2] + 1);
    }
    return grid->dim == 2 ? 4 : 8;
}

static void mirror_cell(int corner[8], int count)
{
    for (int c = 0; c < (count == 4 ? 1 : 4); c++) {
        int a = count == 4 ? 1 : c, b = count == 4 ? 3 : c + 4, kept = corner[a];
        corner[a] = corner[b];
        corner[b] = kept;
    }
}

static int oriented_corners(const Grid *grid, int p, const int at[3], int corner[8])
{
    int count = cell_corners(grid, p, at, corner);
    if (grid->mirrored[p])
        mirror_cell(corner, count);
    return count;
}

// Cell number c of a patch, as its places along the directions.
static void cell_place(const Grid *grid, int p, int c, int at[3])
{
    const int *n = grid->spec->patch[p].cells;
    int depth = grid->dim == 3 ? n[2] : 1;
    at[0] = c / (n[1] * depth);
    at[1] = c / depth % n[1];
    at[2] = c % depth;
}

static int count_cells(const Grid *grid, int p)
{
    return grid->first_cell[p + 1] - grid->first_cell[p];
}

// The worst angle of a cell, and the corner where it is.
static double worst_angle(const Grid *grid, int p, int c, int *node)
{
    int at[3], corner[8], where = 0;
    double x[STICK_MOST_ELEMENT_NODES][3];
    cell_place(grid, p, c, at);
    int count = oriented_corners(grid, p, at, corner);
    for (int k = 0; k < count; k++)
        memcpy(x[k], &grid->x[3 * (size_t)corner[k]], sizeof x[k]);
    double worst = stick_mesh_worst_angle(x, count == 4 ? STICK_QUAD4 : STICK_HEX8, &where);
    *node = corner[where];
    return worst;
}

// Places along the directions, counted from 1: "cell (3, 1)".
static Label cell_label(const Grid *grid, int p, int c)
{
    int at[3];
    Label label;
    cell_place(grid, p, c, at);
    if (grid->dim == 2)
        snprintf(label.text, sizeof label.text, "cell (%d, %d)", at[0] + 1, at[1] + 1);
    else
        snprintf(label.text, sizeof label.text, "cell (%d, %d, %d)", at[0] + 1, at[1] + 1, at[2] + 1);
    return label;
}

static StickStatus refuse_cell(const Grid *grid, int p, int c, int node, int bad)
{
    return stick_fail_at(
        grid->ctx, STICK_BAD_MESH, grid->spec->patch[p].mark,
        "%s of %s is inverted or flat at %s, as %d of its %d cells are: its lines of cells must not "
        "cross, and corners go one way round",
        cell_label(grid, p, c).text, label_of(grid, p).text,
        place_label(grid->dim, &grid->x[3 * (size_t)node]).text, bad, count_cells(grid, p));
}

static int count_good(const Grid *grid, int p)
{
    int good = 0, node;
    for (int c = 0; c < count_cells(grid, p); c++)
        good += worst_angle(grid, p, c, &node) > flat;
    return good;
}

// A patch is turned as most of its cells are; the others are wrong.
static StickStatus orient(Grid *grid, int p)
{
    int count = count_cells(grid, p), good = count_good(grid, p), c = 0, node;
    if (good == count)
        return STICK_OK;
    grid->mirrored[p] = true;
    int mirrored = count_good(grid, p);
    if (mirrored == count)
        return STICK_OK;
    grid->mirrored[p] = mirrored > good;
    while (worst_angle(grid, p, c, &node) > flat)
        c++;
    return refuse_cell(grid, p, c, node, count - (mirrored > good ? mirrored : good));
}

// ---- joining

static double size_of(const Grid *grid)
{
    double low[3], high[3], size = 0;
    for (int i = 0; i < grid->first[grid->npatches]; i++)
        for (int k = 0; k < 3; k++) {
            double x = grid->x[3 * (size_t)i + (size_t)k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    for (int k = 0; k < 3; k++)
        size = hypot(size, high[k] - low[k]);
    return size;
}

// Shortest edge of all cells, which never joins itself away.
static double shortest_edge(const Grid *grid)
{
    double shortest = HUGE_VAL;
    for (int p = 0; p < grid->npatches; p++)
        for (int c = 0; c < count_cells(grid, p); c++) {
            int at[3], corner[8], count;
            cell_place(grid, p, c, at);
            count = cell_corners(grid, p, at, corner);
            for (int k = 0; k < count; k++)
                for (int l = 0; l < k; l++) {
                    // corners differ by one step along one direction: along the ring of four, or from ring to ring
                    if (k / 4 == l / 4 ? (k - l) % 2 == 0 : k - l != 4)
                        continue;
                    double apart[3];
                    for (int d = 0; d < 3; d++)
                        apart[d] = grid->x[3 * (size_t)corner[k] + (size_t)d] -
                                   grid->x[3 * (size_t)corner[l] + (size_t)d];
                    shortest = fmin(shortest, hypot(hypot(apart[0], apart[1]), apart[2]));
                }
        }
    return shortest;
}

static int patch_of_node(const Grid *grid, int node)
{
    int p = 0;
    while (node >= grid->first[p + 1])
        p++;
    return p;
}

// Patches that hang together have the same label.
static void unite(const Grid *grid, int p, int q, int *label)
{
    int from = label[p] > label[q] ? label[p] : label[q], to = label[p] > label[q] ? label[q] : label[p];
    for (int k = 0; k < grid->npatches && from != to; k++)
        label[k] = label[k] == from ? to : label[k];
}

// A body may be in pieces, but seldom should.
static StickStatus warn_of_pieces(const Grid *grid, const int *twin)
{
    int *label, q = 0;
    STICK_ALLOC(grid->ctx, label, grid->npatches);
    for (int k = 0; k < grid->npatches; k++)
        label[k] = k;
    for (int p = 0; p < grid->npatches; p++)
        for (int i = grid->first[p]; i < grid->first[p + 1]; i++)
            if (twin[i] < grid->first[p])
                unite(grid, p, patch_of_node(grid, twin[i]), label);
    while (q < grid->npatches && label[q] == 0)
        q++;
    if (q < grid->npatches)
        stick_warn_at(grid->ctx, grid->spec->patch[q].mark,
                      "%s is not connected to patch 1: the body is in pieces; give the corners of sides that "
                      "should meet the same coordinates",
                      label_of(grid, q).text);
    stick_free(grid->ctx, label);
    return STICK_OK;
}

static StickStatus join(Grid *grid)
{
    int count = grid->first[grid->npatches], *twin;
    double distance =
        grid->spec->merge > 0 ? grid->spec->merge : fmin(1e-6 * size_of(grid), 0.01 * shortest_edge(grid));
    STICK_ALLOC(grid->ctx, twin, count);
    StickStatus status = stick_weld(grid->ctx, count, grid->x, grid->outer, distance, twin);
    for (int i = 0; i < count && status == STICK_OK; i++)
        grid->number[i] = twin[i] < i ? grid->number[twin[i]] : grid->nnumbers++;
    if (status == STICK_OK)
        status = warn_of_pieces(grid, twin);
    stick_free(grid->ctx, twin);
    return status;
}

static int patch_of_element(const Grid *grid, const StickMesh *mesh, int element)
{
    int per_cell = mesh->nelements / grid->first_cell[grid->npatches], p = 0;
    while (element / per_cell >= grid->first_cell[p + 1])
        p++;
    return p;
}

// Sides that meet only in part leave an invisible slit in the mesh, which is an error.
static StickStatus check_seams(const Grid *grid, StickMeshBuilder *builder)
{
    StickSeam seam;
    STICK_TRY(stick_weld_seam(builder, &seam));
    if (seam.node < 0)
        return STICK_OK;
    const StickMesh *mesh = &builder->mesh;
    size_t dim = (size_t)grid->dim;
    int p = patch_of_element(grid, mesh, seam.element), q = patch_of_element(grid, mesh, seam.edge_element);
    Label at = place_label(grid->dim, &mesh->x[dim * (size_t)seam.node]);
    Label from = place_label(grid->dim, &mesh->x[dim * (size_t)seam.edge[0]]);
    Label to = place_label(grid->dim, &mesh->x[dim * (size_t)seam.edge[1]]);
    StickMark mark = grid->spec->patch[p > q ? p : q].mark;
    if (seam.beside >= 0)
        return stick_fail_at(grid->ctx, STICK_BAD_MESH, mark,
                             "the node at %s of %s is close to the one at %s of %s, but does not coincide "
                             "with it: give both the same coordinates, or increase 'merge'",
                             at.text, label_of(grid, p).text,
                             seam.beside == seam.edge[0] ? from.text : to.text, label_of(grid, q).text);
    return stick_fail_at(
        grid->ctx, STICK_BAD_MESH, mark,
        "%s and %s meet in part: the node at %s of the one lies on the edge from %s to %s of the "
        "other, which has none there: give sides that meet the same 'cells' and 'grade'",
        label_of(grid, p).text, label_of(grid, q).text, at.text, from.text, to.text);
}

// ---- groups

static const char *side_group(const Grid *grid, int p, StickPatchSide side)
{
    const char *given = grid->spec->patch[p].side[side].group;
    return given || grid->npatches > 1 ? given : stick_patch_side_name(side);
}

static StickStatus add_element_groups(const Grid *grid, StickMeshBuilder *builder)
{
    int per_cell = builder->mesh.nelements / grid->first_cell[grid->npatches], group;
    for (int p = 0; p < grid->npatches; p++) {
        if (!grid->spec->patch[p].name)
            continue;
        STICK_TRY(stick_builder_group(builder, grid->spec->patch[p].name, &group));
        for (int e = per_cell * grid->first_cell[p]; e < per_cell * grid->first_cell[p + 1]; e++)
            STICK_TRY(stick_builder_group_element(builder, group, e));
    }
    return STICK_OK;
}

static StickStatus add_points(const Grid *grid, StickMeshBuilder *builder)
{
    static const char *const names[4] = {"bottom-left", "bottom-right", "top-right", "top-left"};
    for (int k = 0; k < 4 * grid->npatches && grid->dim == 2; k++) {
        int p = k / 4, c = k % 4, group;
        const int *n = grid->spec->patch[p].cells;
        const char *name = grid->spec->patch[p].point[c];
        if (!name && grid->npatches > 1)
            continue;
        int node = node_at(grid, p, c == 1 || c == 2 ? n[0] : 0, c >= 2 ? n[1] : 0, 0);
        STICK_TRY(stick_builder_group(builder, name ? name : names[c], &group));
        STICK_TRY(stick_builder_group_node(builder, group, grid->number[node]));
    }
    return STICK_OK;
}

// ---- in the plane

static StickStatus add_plane_edge(const Grid *grid, int p, int direction, int end, int k,
                                  StickPlaneMesh *plane)
{
    const int *n = grid->spec->patch[p].cells;
    double middle[3] = {k, k, 0}, x[3];
    int from[2], to[2];
    middle[direction] = from[direction] = to[direction] = end ? n[direction] : 0;
    middle[1 - direction] += 0.5;
    from[1 - direction] = k;
    to[1 - direction] = k + 1;
    STICK_TRY(stick_patch_place(&grid->patch[p], middle, x));
    stick_plane_add_edge(plane, grid->number[node_at(grid, p, from[0], from[1], 0)],
                         grid->number[node_at(grid, p, to[0], to[1], 0)],
                         side_group(grid, p, stick_patch_side(2, direction, end)), false);
    stick_plane_place_edge(plane, x);
    return STICK_OK;
}

static StickStatus add_plane_patch(const Grid *grid, int p, StickPlaneMesh *plane)
{
    const int *n = grid->spec->patch[p].cells;
    for (int c = 0; c < count_cells(grid, p); c++) {
        int at[3], corner[8];
        cell_place(grid, p, c, at);
        oriented_corners(grid, p, at, corner);
        stick_plane_add_cell(plane, grid->number[corner[0]], grid->number[corner[1]], grid->number[corner[2]],
                             grid->number[corner[3]]);
    }
    for (int side = 0; side < 4; side++)
        for (int k = 0; k < n[1 - side / 2]; k++)
            STICK_TRY(add_plane_edge(grid, p, side / 2, side % 2, k, plane));
    return STICK_OK;
}

static StickStatus fill_plane(const Grid *grid, StickPlaneMesh *plane)
{
    for (int i = 0; i < grid->first[grid->npatches]; i++)
        if (grid->number[i] == plane->nnodes)
            stick_plane_add_node(plane, grid->x[3 * (size_t)i], grid->x[3 * (size_t)i + 1]);
    for (int p = 0; p < grid->npatches; p++)
        STICK_TRY(add_plane_patch(grid, p, plane));
    return STICK_OK;
}

static StickStatus build_plane(const Grid *grid, bool quadratic, StickMeshBuilder *builder)
{
    StickPlaneMesh plane;
    int nedges = 0;
    for (int p = 0; p < grid->npatches; p++)
        nedges += 2 * (grid->spec->patch[p].cells[0] + grid->spec->patch[p].cells[1]);
    STICK_TRY(
        stick_plane_create(grid->ctx, grid->nnumbers, grid->first_cell[grid->npatches], nedges, &plane));
    StickStatus status = fill_plane(grid, &plane);
    if (status == STICK_OK)
        status = stick_plane_build(&plane, grid->spec, quadratic, builder);
    stick_plane_destroy(&plane);
    return status;
}

// ---- in space

// The group of a side of a patch, on which lie all cells that touch it with the facet of their own.
static StickStatus add_space_side(const Grid *grid, int p, int direction, int end, StickMeshBuilder *builder)
{
    const char *name = side_group(grid, p, stick_patch_side(3, direction, end));
    const int *n = grid->spec->patch[p].cells;
    int group;
    if (!name)
        return STICK_OK;
    STICK_TRY(stick_builder_group(builder, name, &group));
    for (int c = 0; c < count_cells(grid, p); c++) {
        // sides of a hex where xi, eta, zeta begin and end; a mirrored one has bottom and top exchanged
        static const int sides[3][2] = {{5, 3}, {2, 4}, {0, 1}};
        int at[3];
        cell_place(grid, p, c, at);
        if (at[direction] != (end ? n[direction] - 1 : 0))
            continue;
        int side = sides[direction][direction == 2 && grid->mirrored[p] ? 1 - end : end];
        STICK_TRY(stick_builder_group_facet(builder, group, (StickFacet){grid->first_cell[p] + c, side}));
    }
    return STICK_OK;
}

static StickStatus build_space(const Grid *grid, StickMeshBuilder *builder)
{
    for (int i = 0; i < grid->first[grid->npatches]; i++)
        if (grid->number[i] == builder->mesh.nnodes)
            STICK_TRY(stick_builder_add_node(builder, &grid->x[3 * (size_t)i], 0));
    for (int p = 0; p < grid->npatches; p++)
        for (int c = 0; c < count_cells(grid, p); c++) {
            int at[3], corner[8];
            cell_place(grid, p, c, at);
            oriented_corners(grid, p, at, corner);
            for (int k = 0; k < 8; k++)
                corner[k] = grid->number[corner[k]];
            STICK_TRY(stick_builder_add_element(builder, STICK_HEX8, corner, 0));
        }
    for (int k = 0; k < 6 * grid->npatches; k++)
        STICK_TRY(add_space_side(grid, k / 6, k % 6 / 2, k % 2, builder));
    return STICK_OK;
}

// ---- all of it

static StickStatus build(Grid *grid, bool quadratic, StickMeshBuilder *builder)
{
    for (int p = 0; p < grid->npatches; p++) {
        STICK_TRY(place_nodes(grid, p));
        STICK_TRY(orient(grid, p));
    }
    STICK_TRY(join(grid));
    STICK_TRY(grid->dim == 2 ? build_plane(grid, quadratic, builder) : build_space(grid, builder));
    STICK_TRY(check_seams(grid, builder));
    STICK_TRY(add_element_groups(grid, builder));
    return add_points(grid, builder);
}

StickStatus stick_patches_build(const StickMeshSpec *spec, bool quadratic, StickMeshBuilder *builder)
{
    Grid grid;
    StickStatus status = make_grid(builder->ctx, spec, &grid);
    if (status == STICK_OK)
        status = build(&grid, quadratic, builder);
    destroy_grid(&grid);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "mesh/generate.h"

#include "base/check.h"
#include "mesh/box.h"
#include "mesh/disk.h"
#include "mesh/patches.h"
#include "mesh/refined.h"

#include <math.h>

// ---- checks of the specification

enum { MOST_CELLS = 20000000 };

static const char *kind_name(StickMeshKind kind)
{
    static const char *const name[] = {"bar",           "rectangle",       "box", "disk",
                                       "rounded plate", "mesh of patches", "file"};
    return name[kind];
}

static StickStatus check_sizes(StickContext *ctx, const StickMeshSpec *spec, int nsizes, int ncells)
{
    double cells = 1;
    for (int k = 0; k < nsizes; k++)
        if (!(spec->size[k] > 0) || !isfinite(spec->size[k]))
            return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                                 "a size of the %s is %g: it must be above 0", kind_name(spec->kind),
                                 spec->size[k]);
    for (int k = 0; k < ncells; k++) {
        if (spec->cells[k] < 1)
            return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "the %s has %d cells: it needs at least 1",
                                 kind_name(spec->kind), spec->cells[k]);
        cells *= spec->cells[k] + 1.0;
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(spec->origin[k]))
            return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "the origin of the %s is not finite",
                                 kind_name(spec->kind));
    if (cells > MOST_CELLS)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "the %s has %.3g cells: more than %d are too many", kind_name(spec->kind), cells,
                             MOST_CELLS);
    return STICK_OK;
}

// A disk has any radius; a round side needs at least half the width to be an arc.
static StickStatus check_radius(StickContext *ctx, const StickMeshSpec *spec, double least)
{
    if (spec->radius > 0 && spec->radius >= least && isfinite(spec->radius))
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark, "the radius of the %s is %g: it must be %s %g",
                         kind_name(spec->kind), spec->radius,
                         least > 0 ? "at least half the width," : "above", least);
}

static StickStatus check_element(StickContext *ctx, const StickMeshSpec *spec, StickElementKind element)
{
    bool plane = stick_mesh_spec_dim(spec) == 2;
    if (element == STICK_ELEMENT_QUADRATIC && !plane)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "a %s cannot have quadratic elements: only plane meshes can",
                             kind_name(spec->kind));
    if (element == STICK_ELEMENT_MEAN_DILATATION &&
        (spec->kind == STICK_MESH_BAR || spec->pattern != STICK_PATTERN_QUADS))
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, spec->mark,
            "mean dilatation requires quadrilateral or hexahedral cells, not a bar or triangles");
    if (spec->kind == STICK_MESH_PATCHES && !plane && spec->pattern != STICK_PATTERN_QUADS)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "patches in space are divided into hexes: remove 'pattern'");
    if (spec->kind == STICK_MESH_BOX && spec->pattern == STICK_PATTERN_CROSSED)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "a box has no crossed pattern: quads or triangles");
    return STICK_OK;
}

// ---- bar

static StickStatus build_bar(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    int n = spec->cells[0], start, end;
    for (int i = 0; i <= n; i++) {
        double x = spec->origin[0] + spec->size[0] * i / n;
        STICK_TRY(stick_builder_add_node(builder, &x, 0));
    }
    for (int e = 0; e < n; e++)
        STICK_TRY(stick_builder_add_element(builder, STICK_BAR2, (int[]){e, e + 1}, 0));
    STICK_TRY(stick_builder_group(builder, "start", &start));
    STICK_TRY(stick_builder_group(builder, "end", &end));
    STICK_TRY(stick_builder_group_facet(builder, start, (StickFacet){0, 0}));
    return stick_builder_group_facet(builder, end, (StickFacet){n - 1, 1});
}

// ---- rectangle and rounded plate: rows of cells

// Height of the round side over its crown: y = R - sqrt(R^2 - x^2), without loss of digits.
static double arc_height(const StickMeshSpec *spec, double x)
{
    double R = spec->radius, dx = x - spec->origin[0];
    double root = sqrt(fmax(0, R * R - dx * dx));
    return dx * dx / (R + root);
}

static void onto_arc(const StickMeshSpec *spec, double x[2])
{
    x[1] = spec->origin[1] + arc_height(spec, x[0]);
}

static void row_place(const StickMeshSpec *spec, int i, int j, double x[2])
{
    const double *size = spec->size, *origin = spec->origin;
    bool round = spec->kind == STICK_MESH_ROUNDED_PLATE;
    double s = (double)j / spec->cells[1];
    // counted from the middle, so that a plate mirrors itself to the last bits
    x[0] = origin[0] + (round ? size[0] * (2 * i - spec->cells[0]) / (2.0 * spec->cells[0])
                              : size[0] * i / spec->cells[0]);
    double low = round ? arc_height(spec, x[0]) : 0;
    x[1] = origin[1] + (1 - s) * low + s * size[1];
}

static void add_row_edges(const StickMeshSpec *spec, StickPlaneMesh *plane)
{
    int nx = spec->cells[0], ny = spec->cells[1], row = nx + 1, top = ny * row;
    bool round = spec->kind == STICK_MESH_ROUNDED_PLATE;
    for (int i = 0; i < nx; i++)
        stick_plane_add_edge(plane, i, i + 1, round ? "round" : "bottom", round);
    for (int j = 0; j < ny; j++)
        stick_plane_add_edge(plane, nx + j * row, nx + (j + 1) * row, "right", false);
    for (int i = 0; i < nx; i++)
        stick_plane_add_edge(plane, top + i + 1, top + i, "top", false);
    for (int j = 0; j < ny; j++)
        stick_plane_add_edge(plane, (j + 1) * row, j * row, "left", false);
}

static StickStatus row_cells(StickContext *ctx, const StickMeshSpec *spec, StickPlaneMesh *plane)
{
    int nx = spec->cells[0], ny = spec->cells[1], row = nx + 1;
    STICK_TRY(stick_plane_create(ctx, row * (ny + 1), nx * ny, 2 * (nx + ny), plane));
    plane->onto_curve = onto_arc;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            double x[2];
            row_place(spec, i, j, x);
            stick_plane_add_node(plane, x[0], x[1]);
        }
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            int first = i + j * row;
            stick_plane_add_cell(plane, first, first + 1, first + row + 1, first + row);
        }
    add_row_edges(spec, plane);
    return STICK_OK;
}

static StickStatus add_corners(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    static const char *const name[4] = {"bottom-left", "bottom-right", "top-right", "top-left"};
    int nx = spec->cells[0], top = stick_refined_top(spec);
    int node[4] = {0, stick_refined_bottom(spec), top + nx, top};
    for (int k = 0; k < 4; k++) {
        int group;
        STICK_TRY(stick_builder_group(builder, name[k], &group));
        STICK_TRY(stick_builder_group_node(builder, group, node[k]));
    }
    return STICK_OK;
}

// ---- all shapes

static StickStatus build_plane(const StickMeshSpec *spec, bool quadratic, StickMeshBuilder *builder)
{
    StickPlaneMesh plane;
    bool refined = spec->kind == STICK_MESH_RECTANGLE && spec->refine > 0;
    STICK_TRY(spec->kind == STICK_MESH_DISK ? stick_disk_cells(builder->ctx, spec, &plane)
              : refined                     ? stick_refined_cells(builder->ctx, spec, &plane)
                                            : row_cells(builder->ctx, spec, &plane));
    StickStatus status = stick_plane_build(&plane, spec, quadratic, builder);
    stick_plane_destroy(&plane);
    STICK_TRY(status);
    if (spec->kind == STICK_MESH_DISK)
        return stick_disk_groups(spec, builder);
    return spec->kind == STICK_MESH_RECTANGLE ? add_corners(spec, builder) : STICK_OK;
}

static StickStatus check_plate(StickContext *ctx, const StickMeshSpec *spec)
{
    STICK_TRY(check_radius(ctx, spec, spec->size[0] / 2));
    double sagitta = arc_height(spec, spec->origin[0] + spec->size[0] / 2);
    if (sagitta < spec->size[1])
        return STICK_OK;
    return stick_fail_at(
        ctx, STICK_BAD_INPUT, spec->mark,
        "the length of the rounded plate is %g: it must be above the height %g of its round side",
        spec->size[1], sagitta);
}

// A disk is cut along lines of its cells.
static StickStatus check_disk(StickContext *ctx, const StickMeshSpec *spec)
{
    STICK_TRY(check_radius(ctx, spec, 0));
    for (int k = spec->part == STICK_DISK_QUARTER ? 0 : 1; k < 2 && spec->part != STICK_DISK_WHOLE; k++)
        if (spec->cells[k] % 2 != 0)
            return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                                 "the core of the disk has %d cells along %c, but the number must be even "
                                 "for a half or quarter disk",
                                 spec->cells[k], "xy"[k]);
    return STICK_OK;
}

static StickStatus check_refined(StickContext *ctx, const StickMeshSpec *spec)
{
    if (spec->refine > 0 && spec->pattern != STICK_PATTERN_CROSSED)
        return stick_fail_at(
            ctx, STICK_BAD_INPUT, spec->mark,
            "only the crossed pattern has cells that join larger and smaller ones: 'refine' requires it");
    if (spec->refine < 0 || spec->refine > 10 || ldexp(spec->cells[0], spec->refine + 2) > MOST_CELLS)
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "the rectangle has %d cells at the bottom, halved %d times: these are too many",
                             spec->cells[0], spec->refine);
    return STICK_OK;
}

static StickStatus check_spec(StickContext *ctx, const StickMeshSpec *spec, StickElementKind element)
{
    static const int nsizes[] = {1, 2, 3, 0, 2, 0}, ncells[] = {1, 2, 3, 3, 2, 0};
    STICK_TRY(check_sizes(ctx, spec, nsizes[spec->kind], ncells[spec->kind]));
    if (spec->kind == STICK_MESH_DISK)
        STICK_TRY(check_disk(ctx, spec));
    if (spec->kind == STICK_MESH_ROUNDED_PLATE)
        STICK_TRY(check_plate(ctx, spec));
    if (spec->kind == STICK_MESH_RECTANGLE)
        STICK_TRY(check_refined(ctx, spec));
    return check_element(ctx, spec, element);
}

StickStatus stick_mesh_generate(StickContext *ctx, const StickMeshSpec *spec, StickElementKind element,
                                StickMesh *mesh)
{
    bool quadratic = element == STICK_ELEMENT_QUADRATIC;
    STICK_CHECK(ctx, spec->kind < STICK_MESH_GEAR, STICK_USAGE,
                "a mesh from a file, or of a gear, is not generated");
    STICK_TRY(check_spec(ctx, spec, element));
    StickMeshBuilder builder;
    stick_builder_init(&builder, ctx, stick_mesh_spec_dim(spec));
    StickStatus status = spec->kind == STICK_MESH_BAR       ? build_bar(spec, &builder)
                         : spec->kind == STICK_MESH_BOX     ? stick_box_build(spec, &builder)
                         : spec->kind == STICK_MESH_PATCHES ? stick_patches_build(spec, quadratic, &builder)
                                                            : build_plane(spec, quadratic, &builder);
    if (status == STICK_OK)
        status = stick_builder_finish(&builder, mesh);
    stick_builder_destroy(&builder);
    return status;
}

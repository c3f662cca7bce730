// SPDX-License-Identifier: Apache-2.0
#include "mesh/refined.h"

#include <math.h>

// Lines of nodes from the bottom: two of the smallest cells, then one for each time that they double, then those of the
// rows that are not refined.
static int line_count(const StickMeshSpec *spec)
{
    return spec->refine + spec->cells[1] + 1;
}

static int cells_on(const StickMeshSpec *spec, int line)
{
    int halvings = line == 0 ? spec->refine : spec->refine + 1 - line;
    return halvings > 0 ? spec->cells[0] << halvings : spec->cells[0];
}

static double height_of(const StickMeshSpec *spec, int line)
{
    double row = spec->size[1] / spec->cells[1];
    int halvings = spec->refine + 1 - line;
    if (line == 0)
        return 0;
    return halvings > 0 ? ldexp(row, -halvings) : spec->size[1] * (1 - halvings) / spec->cells[1];
}

int stick_refined_bottom(const StickMeshSpec *spec)
{
    return cells_on(spec, 0);
}

int stick_refined_top(const StickMeshSpec *spec)
{
    int nodes = 0;
    for (int line = 0; line < line_count(spec) - 1; line++)
        nodes += cells_on(spec, line) + 1;
    return nodes;
}

static int cell_count(const StickMeshSpec *spec)
{
    int cells = 0;
    for (int line = 1; line < line_count(spec); line++)
        cells += cells_on(spec, line);
    return cells;
}

static void add_line(const StickMeshSpec *spec, int line, StickPlaneMesh *plane)
{
    int n = cells_on(spec, line);
    for (int i = 0; i <= n; i++)
        stick_plane_add_node(plane, spec->origin[0] + spec->size[0] * i / n,
                             spec->origin[1] + height_of(spec, line));
}

// The row below a line; low and high: first nodes of its lines.
static void add_row(const StickMeshSpec *spec, int line, int low, int high, StickPlaneMesh *plane)
{
    int n = cells_on(spec, line), step = cells_on(spec, line - 1) / n;
    for (int i = 0; i < n; i++) {
        int first = low + step * i;
        stick_plane_add_cell(plane, first, first + step, high + i + 1, high + i);
        if (step == 2)
            stick_plane_split_cell(plane, first + 1);
    }
}

static void add_sides(const StickMeshSpec *spec, StickPlaneMesh *plane)
{
    int nx = spec->cells[0], bottom = cells_on(spec, 0), top = stick_refined_top(spec), low = 0;
    for (int i = 0; i < bottom; i++)
        stick_plane_add_edge(plane, i, i + 1, "bottom", false);
    for (int i = 0; i < nx; i++)
        stick_plane_add_edge(plane, top + i + 1, top + i, "top", false);
    for (int line = 1; line < line_count(spec); line++) {
        int high = low + cells_on(spec, line - 1) + 1;
        stick_plane_add_edge(plane, high - 1, high + cells_on(spec, line), "right", false);
        stick_plane_add_edge(plane, high, low, "left", false);
        low = high;
    }
}

StickStatus stick_refined_cells(StickContext *ctx, const StickMeshSpec *spec, StickPlaneMesh *plane)
{
    int lines = line_count(spec), nodes = stick_refined_top(spec) + spec->cells[0] + 1, low = 0;
    int edges = cells_on(spec, 0) + spec->cells[0] + 2 * (lines - 1);
    STICK_TRY(stick_plane_create(ctx, nodes, cell_count(spec), edges, plane));
    for (int line = 0; line < lines; line++)
        add_line(spec, line, plane);
    for (int line = 1; line < lines; line++) {
        int high = low + cells_on(spec, line - 1) + 1;
        add_row(spec, line, low, high, plane);
        low = high;
    }
    add_sides(spec, plane);
    return STICK_OK;
}

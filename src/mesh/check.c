// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Angles (3D: solid angles) whose sine is below this count as zero.
static const double flat = 1e-10;
// Nodes nearer than this part of the size of the mesh are at the same place.
static const double near = 1e-9;
// Products of three lengths must be numbers.
static const double far = 1e100, tiny = 1e-100;

enum { MOST_SAID = 10 };

typedef struct Checker {
    StickContext *ctx;
    const StickMesh *mesh;
    StickMark where;
    int problems;
} Checker;

// Counts a problem of one kind; true if it should be reported in full.
static bool found(Checker *check, int *count)
{
    check->problems++;
    return ++*count <= MOST_SAID;
}

static void say_rest(const Checker *check, int count, const char *what)
{
    if (count > MOST_SAID)
        stick_fail_at(check->ctx, STICK_BAD_MESH, check->where, "and %d more %s", count - MOST_SAID, what);
}

typedef struct Place {
    char text[96];
} Place;

static Place place_of(const StickMesh *mesh, int node)
{
    const double *x = &mesh->x[(size_t)node * (size_t)mesh->dim];
    Place place;
    if (mesh->dim == 1)
        snprintf(place.text, sizeof place.text, "(%.6g)", x[0]);
    else if (mesh->dim == 2)
        snprintf(place.text, sizeof place.text, "(%.6g, %.6g)", x[0], x[1]);
    else
        snprintf(place.text, sizeof place.text, "(%.6g, %.6g, %.6g)", x[0], x[1], x[2]);
    return place;
}

static void get_place(const StickMesh *mesh, int node, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = k < mesh->dim ? mesh->x[(size_t)node * (size_t)mesh->dim + (size_t)k] : 0;
}

// ---- coordinates

static void check_finite(Checker *check)
{
    const StickMesh *mesh = check->mesh;
    int count = 0;
    for (int i = 0; i < mesh->nnodes; i++) {
        double x[3];
        get_place(mesh, i, x);
        if (fabs(x[0]) <= far && fabs(x[1]) <= far && fabs(x[2]) <= far)
            continue;
        if (found(check, &count))
            stick_fail_at(check->ctx, STICK_BAD_MESH, check->where,
                          "node %lld is at %s: its coordinates are not finite", stick_mesh_node_tag(mesh, i),
                          place_of(mesh, i).text);
    }
    say_rest(check, count, "nodes without finite coordinates");
}

// ---- elements

static bool has_repeated_node(const int *node, int count, int *repeated)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (node[i] == node[j]) {
                *repeated = node[i];
                return true;
            }
    return false;
}

// Edges that leave each corner, such that they are right-handed in an element that is not inverted.
static const int quad_edges[4][2] = {{1, 3}, {2, 0}, {3, 1}, {0, 2}};
static const int tri_edges[3][2] = {{1, 2}, {2, 0}, {0, 1}};
static const int tet_edges[4][3] = {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}};
static const int hex_edges[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                    {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};

static const int *edges_of(StickShape shape, int corner)
{
    switch (shape) {
    case STICK_TRI3:
    case STICK_TRI6:
        return tri_edges[corner];
    case STICK_QUAD4:
    case STICK_QUAD8:
        return quad_edges[corner];
    case STICK_TET4:
        return tet_edges[corner];
    default:
        return hex_edges[corner];
    }
}

// Sine of the angle of two vectors of the plane, or of the solid angle of three; 0 if one of them is zero.
static double scaled_volume(double edge[3][3], int dim)
{
    double scale = 1, cross[3];
    for (int k = 0; k < dim; k++)
        scale *= stick_vec_norm(edge[k]);
    if (!(scale > 0))
        return 0;
    if (dim == 1)
        return edge[0][0] / scale;
    stick_vec_cross(edge[0], edge[1], cross);
    return (dim == 2 ? cross[2] : stick_vec_dot(cross, edge[2])) / scale;
}

static double linear_corner(const double x[][3], StickShape shape, int corner)
{
    int dim = stick_shape_info(shape)->dim;
    double edge[3][3] = {{0}};
    if (shape == STICK_BAR2) {
        stick_vec_sub(x[1], x[0], edge[0]);
        return scaled_volume(edge, dim);
    }
    const int *to = edges_of(shape, corner);
    for (int k = 0; k < dim; k++)
        stick_vec_sub(x[to[k]], x[corner], edge[k]);
    return scaled_volume(edge, dim);
}

// Along a quadratic edge from a over the middle m to b: tangent at a is -3 a + 4 m - b.
static void start_tangent(const double a[3], const double m[3], const double b[3], double t[3])
{
    for (int k = 0; k < 3; k++)
        t[k] = -3 * a[k] + 4 * m[k] - b[k];
}

static double quadratic_corner(const double x[][3], int corners, int corner)
{
    int next = (corner + 1) % corners, last = (corner + corners - 1) % corners;
    double t[3][3] = {{0}};
    start_tangent(x[corner], x[corners + corner], x[next], t[0]);
    start_tangent(x[corner], x[corners + last], x[last], t[1]);
    return scaled_volume(t, 2);
}

// In the middle of the side from corner c to c + 1: along the side, and the derivative into the element.
static double quadratic_middle(const double x[][3], int corners, int c)
{
    int d = (c + 1) % corners, e = (c + 2) % corners, f = (c + 3) % corners;
    const double *m = x[corners + c], *right = x[corners + d], *across = x[corners + e];
    const double *left = x[corners + (corners == 3 ? e : f)];
    double t[3][3] = {{0}};
    stick_vec_sub(x[d], x[c], t[0]);
    for (int k = 0; k < 2; k++)
        t[1][k] = corners == 3 ? 2 * (right[k] + left[k] - m[k]) - x[e][k] - (x[c][k] + x[d][k]) / 2
                               : right[k] + left[k] + (across[k] - m[k]) / 2 -
                                     (x[c][k] + x[d][k] + x[e][k] + x[f][k]) / 2;
    return scaled_volume(t, 2);
}

// Each half of a quad5 is a bilinear cell; they meet on the line from its middle node to the middle of the opposite side.
static double worst_of_halves(const double x[][3], int *where)
{
    static const int corner[2][4] = {{0, 1, -1, 4}, {1, 2, 3, -1}};
    double worst = HUGE_VAL, middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (x[3][k] + x[4][k]);
    for (int half = 0; half < 2; half++) {
        double cell[4][3];
        for (int i = 0; i < 4; i++)
            memcpy(cell[i], corner[half][i] < 0 ? middle : x[corner[half][i]], sizeof cell[i]);
        for (int i = 0; i < 4; i++) {
            double value = linear_corner((const double(*)[3])cell, STICK_QUAD4, i);
            if (value < worst) {
                worst = value;
                *where = corner[half][i] < 0 ? 1 : corner[half][i];
            }
        }
    }
    return worst;
}

double stick_mesh_worst_angle(const double x[][3], StickShape shape, int *where)
{
    if (shape == STICK_QUAD5)
        return worst_of_halves(x, where);
    const StickShapeInfo *info = stick_shape_info(shape);
    double worst = HUGE_VAL;
    for (int i = 0; i < info->nodes; i++) {
        double value = info->nodes == info->corners ? linear_corner(x, shape, i)
                       : i < info->corners          ? quadratic_corner(x, info->corners, i)
                                                    : quadratic_middle(x, info->corners, i - info->corners);
        if (value < worst) {
            worst = value;
            *where = i;
        }
    }
    return worst;
}

static void check_element(Checker *check, int e, int *count)
{
    const StickMesh *mesh = check->mesh;
    const StickShapeInfo *info = stick_shape_info(mesh->shape[e]);
    const int *node = &mesh->node[mesh->start[e]];
    long long tag = stick_mesh_element_tag(mesh, e);
    double x[STICK_MOST_ELEMENT_NODES][3];
    int at = 0;
    if (has_repeated_node(node, info->nodes, &at)) {
        if (found(check, count))
            stick_fail_at(check->ctx, STICK_BAD_MESH, check->where, "element %lld (%s) uses node %lld twice",
                          tag, info->name, stick_mesh_node_tag(mesh, at));
        return;
    }
    for (int i = 0; i < info->nodes; i++)
        get_place(mesh, node[i], x[i]);
    double worst = stick_mesh_worst_angle(x, mesh->shape[e], &at);
    if (worst <= flat && found(check, count))
        stick_fail_at(check->ctx, STICK_BAD_MESH, check->where,
                      "element %lld (%s) is %s at its node %lld, %s", tag, info->name,
                      worst < -flat ? "inverted" : "degenerate", stick_mesh_node_tag(mesh, node[at]),
                      place_of(mesh, node[at]).text);
}

static void check_elements(Checker *check)
{
    int count = 0;
    for (int e = 0; e < check->mesh->nelements; e++)
        check_element(check, e, &count);
    say_rest(check, count, "inverted or degenerate elements");
}

// ---- neighbours

// Which way round a side runs, seen from its smallest corner: neighbours see their common side in opposite
// ways.
static bool runs_up(const StickMesh *mesh, const StickSide *side)
{
    int node[STICK_MOST_FACET_NODES], smallest = 0;
    stick_mesh_facet_nodes(mesh, side->facet, node);
    int count = stick_shape_info(stick_mesh_facet_shape(mesh, side->facet))->corners;
    if (count == 1)
        return side->facet.side == 0;
    while (node[smallest] != side->corner[0])
        smallest++;
    return count == 2 ? smallest == 0 : node[(smallest + 1) % count] < node[(smallest + count - 1) % count];
}

// Among sides with the same corners, finds the first two elements on the same side; false if no such pair exists.
static bool find_overlap(const StickMesh *mesh, const StickSide *side, int alike, int pair[2])
{
    for (int j = 1; j < alike && j < 3; j++)
        for (int i = 0; i < j; i++)
            if (runs_up(mesh, &side[i]) == runs_up(mesh, &side[j])) {
                pair[0] = side[i].facet.element;
                pair[1] = side[j].facet.element;
                return true;
            }
    return false;
}

static void check_neighbours(Checker *check, const StickSides *sides)
{
    const StickMesh *mesh = check->mesh;
    int count = 0, pair[2];
    for (int k = 0, alike; k < sides->count; k += alike) {
        int corner = sides->side[k].corner[0];
        alike = stick_sides_alike(sides, k);
        if (find_overlap(mesh, &sides->side[k], alike, pair) && found(check, &count))
            stick_fail_at(check->ctx, STICK_BAD_MESH, check->where,
                          "elements %lld and %lld overlap: they lie on the same side of their common side at "
                          "node %lld, %s",
                          stick_mesh_element_tag(mesh, pair[0]), stick_mesh_element_tag(mesh, pair[1]),
                          stick_mesh_node_tag(mesh, corner), place_of(mesh, corner).text);
    }
    say_rest(check, count, "overlaps");
}

// ---- nodes

static void check_dangling(Checker *check, bool *used)
{
    const StickMesh *mesh = check->mesh;
    int count = 0;
    for (int k = 0; k < mesh->start[mesh->nelements]; k++)
        used[mesh->node[k]] = true;
    for (int i = 0; i < mesh->nnodes; i++)
        if (!used[i] && found(check, &count))
            stick_fail_at(check->ctx, STICK_BAD_MESH, check->where, "node %lld, %s, belongs to no element",
                          stick_mesh_node_tag(mesh, i), place_of(mesh, i).text);
    say_rest(check, count, "nodes that belong to no element");
}

// A cube of space, and a node in it.
typedef struct Cell {
    int cell[3];
    int node;
} Cell;

static int compare_places(const int *a, const int *b)
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_cells(const void *left, const void *right)
{
    const Cell *a = left, *b = right;
    int order = compare_places(a->cell, b->cell);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

// Cells are a few tolerances wide: few nodes that are apart fit into one, and few need a look at the next
// one.
typedef struct CellGrid {
    const StickMesh *mesh;
    double low[3];
    double tolerance, width;
    int count;
    Cell *cell; // ascending
} CellGrid;

static void measure(CellGrid *grid)
{
    double high[3], span[3];
    for (int i = 0; i < grid->count; i++) {
        double x[3];
        get_place(grid->mesh, i, x);
        for (int k = 0; k < 3; k++) {
            grid->low[k] = i == 0 || x[k] < grid->low[k] ? x[k] : grid->low[k];
            high[k] = i == 0 || x[k] > high[k] ? x[k] : high[k];
        }
    }
    stick_vec_sub(high, grid->low, span);
    double size = stick_vec_norm(span);
    grid->tolerance = near * size;
    grid->width = size > tiny ? 8 * grid->tolerance : 1;
}

static void cell_at(const CellGrid *grid, const double x[3], double shift, int cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = (int)floor((x[k] + shift - grid->low[k]) / grid->width);
}

static int first_in_cell(const CellGrid *grid, const int cell[3])
{
    int low = 0, high = grid->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_places(grid->cell[middle].cell, cell) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// A coincident node with a smaller number in the given cell; -1 if not found.
static int twin_in_cell(const CellGrid *grid, int node, const double x[3], const int cell[3])
{
    for (int k = first_in_cell(grid, cell); k < grid->count; k++) {
        double y[3], apart[3];
        if (compare_places(grid->cell[k].cell, cell) != 0 || grid->cell[k].node >= node)
            return -1;
        get_place(grid->mesh, grid->cell[k].node, y);
        stick_vec_sub(x, y, apart);
        if (stick_vec_norm(apart) <= grid->tolerance)
            return grid->cell[k].node;
    }
    return -1;
}

static int find_twin(const CellGrid *grid, int node)
{
    double x[3];
    int low[3], high[3], cell[3];
    get_place(grid->mesh, node, x);
    cell_at(grid, x, -grid->tolerance, low);
    cell_at(grid, x, grid->tolerance, high);
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
                int twin = twin_in_cell(grid, node, x, cell);
                if (twin >= 0)
                    return twin;
            }
    return -1;
}

static StickStatus check_twins(Checker *check)
{
    const StickMesh *mesh = check->mesh;
    CellGrid grid = {.mesh = mesh, .count = mesh->nnodes};
    int count = 0;
    STICK_ALLOC(check->ctx, grid.cell, grid.count);
    measure(&grid);
    for (int i = 0; i < grid.count; i++) {
        double x[3];
        get_place(mesh, i, x);
        grid.cell[i].node = i;
        cell_at(&grid, x, 0, grid.cell[i].cell);
    }
    qsort(grid.cell, (size_t)grid.count, sizeof *grid.cell, compare_cells);
    for (int i = 0; i < grid.count; i++) {
        int twin = find_twin(&grid, i);
        if (twin >= 0 && found(check, &count))
            stick_fail_at(check->ctx, STICK_BAD_MESH, check->where, "nodes %lld and %lld coincide at %s",
                          stick_mesh_node_tag(mesh, twin), stick_mesh_node_tag(mesh, i),
                          place_of(mesh, i).text);
    }
    say_rest(check, count, "nodes that coincide with another");
    stick_free(check->ctx, grid.cell);
    return STICK_OK;
}

// ---- groups

static void check_groups(Checker *check)
{
    int count = 0;
    for (int g = 0; g < check->mesh->ngroups; g++)
        if (check->mesh->group[g].nnodes == 0 && found(check, &count))
            stick_fail_at(check->ctx, STICK_BAD_MESH, check->where, "group '%s' is empty",
                          check->mesh->group[g].name);
    say_rest(check, count, "empty groups");
}

// ---- all of it

static StickStatus check_nodes(Checker *check)
{
    bool *used;
    STICK_ALLOC(check->ctx, used, check->mesh->nnodes);
    check_dangling(check, used);
    stick_free(check->ctx, used);
    return check_twins(check);
}

StickStatus stick_mesh_check(StickContext *ctx, const StickMesh *mesh, StickMark where)
{
    Checker check = {ctx, mesh, where, 0};
    if (mesh->nelements == 0)
        return stick_fail_at(ctx, STICK_BAD_MESH, where, "the mesh has no elements");
    check_finite(&check);
    if (check.problems > 0)
        return STICK_BAD_MESH;
    check_elements(&check);
    // who overlaps whom makes sense only if every element is the right way round
    if (check.problems == 0) {
        StickSides sides;
        STICK_TRY(stick_sides_create(ctx, mesh, &sides));
        check_neighbours(&check, &sides);
        stick_sides_destroy(ctx, &sides);
    }
    STICK_TRY(check_nodes(&check));
    check_groups(&check);
    return check.problems > 0 ? STICK_BAD_MESH : STICK_OK;
}

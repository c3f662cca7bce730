// SPDX-License-Identifier: Apache-2.0
#include "mesh/box.h"

#include "base/check.h"

static int node_at(const int cells[3], int i, int j, int k)
{
    return i + (cells[0] + 1) * (j + (cells[1] + 1) * k);
}

static StickStatus add_nodes(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    const int *n = spec->cells;
    for (int k = 0; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++) {
                int at[3] = {i, j, k};
                double x[3];
                for (int d = 0; d < 3; d++)
                    x[d] = spec->origin[d] + spec->size[d] * at[d] / n[d];
                STICK_TRY(stick_builder_add_node(builder, x, 0));
            }
    return STICK_OK;
}

// The six shortest ways along edges from corner 0 of a hex to corner 6 are the tets, turned to be
// right-handed. Neighbours are divided in the same way, so that their sides match.
static const int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                               {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

static StickStatus add_cell(StickMeshBuilder *builder, const int corner[8], StickMeshPattern pattern)
{
    if (pattern == STICK_PATTERN_QUADS)
        return stick_builder_add_element(builder, STICK_HEX8, corner, 0);
    for (int t = 0; t < 6; t++) {
        int node[4];
        for (int k = 0; k < 4; k++)
            node[k] = corner[tets[t][k]];
        STICK_TRY(stick_builder_add_element(builder, STICK_TET4, node, 0));
    }
    return STICK_OK;
}

static StickStatus add_cells(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    const int *n = spec->cells;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                int corner[8];
                for (int c = 0; c < 4; c++) {
                    int right = c == 1 || c == 2, back = c >= 2;
                    corner[c] = node_at(n, i + right, j + back, k);
                    corner[c + 4] = node_at(n, i + right, j + back, k + 1);
                }
                STICK_TRY(add_cell(builder, corner, spec->pattern));
            }
    return STICK_OK;
}

// The side of the box, 0 ... 5 for x-min, x-max, y-min, ..., on which all nodes lie; -1 if none.
static int side_of_box(const int cells[3], const int *node, int count)
{
    for (int side = 0; side < 6; side++) {
        int d = side / 2, wanted = side % 2 ? cells[d] : 0, on = 0;
        for (int k = 0; k < count; k++) {
            int at[3] = {node[k] % (cells[0] + 1), node[k] / (cells[0] + 1) % (cells[1] + 1),
                         node[k] / ((cells[0] + 1) * (cells[1] + 1))};
            on += at[d] == wanted;
        }
        if (on == count)
            return side;
    }
    return -1;
}

static const char *const names[2][6] = {{"x-min", "x-max", "y-min", "y-max", "z-min", "z-max"},
                                        {"left", "right", "front", "back", "bottom", "top"}};

static StickStatus add_groups(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    const StickSides *sides;
    int group[2][6];
    STICK_TRY(stick_builder_sides(builder, &sides));
    for (int k = 0; k < 12; k++)
        STICK_TRY(stick_builder_group(builder, names[k / 6][k % 6], &group[k / 6][k % 6]));
    for (int k = 0, alike; k < sides->count; k += alike) {
        int node[STICK_MOST_FACET_NODES];
        alike = stick_sides_alike(sides, k);
        if (alike > 1)
            continue;
        int count = stick_mesh_facet_nodes(&builder->mesh, sides->side[k].facet, node);
        int side = side_of_box(spec->cells, node, count);
        for (int name = 0; name < 2; name++)
            STICK_TRY(stick_builder_group_facet(builder, group[name][side], sides->side[k].facet));
    }
    return STICK_OK;
}

StickStatus stick_box_build(const StickMeshSpec *spec, StickMeshBuilder *builder)
{
    STICK_TRY(add_nodes(spec, builder));
    STICK_TRY(add_cells(spec, builder));
    return add_groups(spec, builder);
}

// SPDX-License-Identifier: Apache-2.0
#include "mesh/shape.h"

#include <assert.h>

// Side k is face S(k+1) of Abaqus and CalculiX, so that their surfaces need no table of their own.
// clang-format off
static const StickShapeInfo table[STICK_NSHAPES] = {
    // name, dim, nodes, corners, vtk, gmsh, sides
    [STICK_POINT1] = {"point1", 0, 1, 1, 1, 15, 0, STICK_POINT1, {{0}}},
    [STICK_BAR2] = {"bar2", 1, 2, 2, 3, 1, 2, STICK_POINT1, {{0}, {1}}},
    [STICK_BAR3] = {"bar3", 1, 3, 2, 21, 8, 2, STICK_POINT1, {{0}, {1}}},
    [STICK_TRI3] = {"tri3", 2, 3, 3, 5, 2, 3, STICK_BAR2, {{0, 1}, {1, 2}, {2, 0}}},
    [STICK_TRI6] = {"tri6", 2, 6, 3, 22, 9, 3, STICK_BAR3, {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}},
    [STICK_QUAD4] = {"quad4", 2, 4, 4, 9, 3, 4, STICK_BAR2, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    [STICK_QUAD5] = {"quad5", 2, 5, 5, 7, 0, 5, STICK_BAR2, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
    [STICK_QUAD8] = {"quad8", 2, 8, 4, 23, 16, 4, STICK_BAR3, {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}},
    [STICK_TET4] = {"tet4", 3, 4, 4, 10, 4, 4, STICK_TRI3, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}},
    [STICK_HEX8] = {"hex8", 3, 8, 8, 12, 5, 6, STICK_QUAD4,
                    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
};
// clang-format on

const StickShapeInfo *stick_shape_info(StickShape shape)
{
    assert((int)shape >= 0 && shape < STICK_NSHAPES);
    return &table[shape];
}

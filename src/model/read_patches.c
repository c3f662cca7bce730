// SPDX-License-Identifier: Apache-2.0
// Patches of a mesh: grids of cells that expressions, or corners and arcs, put into place.
#include "model/tables.h"

// ---- sides

static const StickField side_fields[] = {
    {.key = "group",
     .type = STICK_FIELD_NAME,
     .text = "group that the side belongs to; sides of several patches may share one",
     .at = STICK_AT(StickPatchSideSpec, group)},
    {.key = "arc",
     .type = STICK_FIELD_NUMBERS,
     .text = "makes the side between two corners a circular arc through this point; default: a straight line",
     .unit = "length",
     .components = 2,
     .at = STICK_AT(StickPatchSideSpec, arc)},
    {.key = NULL},
};

static StickStatus finish_side(StickReader *reader, const StickYaml *node, void *item)
{
    (void)reader;
    ((StickPatchSideSpec *)item)->curved = stick_yaml_find(node, "arc") != NULL;
    return STICK_OK;
}

static const StickSchema side_table = {
    .title = "a side of a patch",
    .text = "A single word is the name of the group.",
    .shorthand = "group",
    .fields = side_fields,
    .finish = finish_side,
};

#define SIDE(name, number, where)                                                  \
    {                                                                              \
        .key = name, .type = STICK_FIELD_MAP, .text = where, .table = &side_table, \
        .at = STICK_AT(StickPatchSpec, side[number])                               \
    }

static const StickField sides_fields[] = {
    SIDE("left", STICK_SIDE_LEFT, "where `xi` is 0"),
    SIDE("right", STICK_SIDE_RIGHT, "where `xi` is 1"),
    SIDE("bottom", STICK_SIDE_BOTTOM, "in the plane where `eta` is 0, in space where `zeta` is 0"),
    SIDE("top", STICK_SIDE_TOP, "in the plane where `eta` is 1, in space where `zeta` is 1"),
    SIDE("front", STICK_SIDE_FRONT, "in space where `eta` is 0"),
    SIDE("back", STICK_SIDE_BACK, "in space where `eta` is 1"),
    {.key = NULL},
};

static const StickSchema sides_table = {
    .title = "sides of a patch",
    .text = "If the mesh has one patch only, sides without a group form groups with their own names.",
    .fields = sides_fields,
};

// ---- points

#define POINT(name, number)                                                                             \
    {                                                                                                   \
        .key = name, .type = STICK_FIELD_NAME, .text = "group of the node at this corner of the patch", \
        .at = STICK_AT(StickPatchSpec, point[number])                                                   \
    }

static const StickField points_fields[] = {
    POINT("bottom-left", 0), POINT("bottom-right", 1), POINT("top-right", 2), POINT("top-left", 3),
    {.key = NULL},
};

static const StickSchema points_table = {
    .title = "corners of a plane patch",
    .text = "If the mesh has one patch only, corners without a group form groups with their own names.",
    .fields = points_fields,
};

// ---- a patch

static StickStatus read_corners(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickPatchSpec *patch = item;
    StickField point = *field;
    int count = 0;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 4 && node->count != 8) {
        STICK_COMPLAIN(reader, node->mark, "'corners' has %d points, but needs 4 in the plane or 8 in space",
                       node->count);
        return STICK_OK;
    }
    point.type = STICK_FIELD_NUMBERS;
    point.components = node->count == 4 ? 2 : 3;
    for (const StickYaml *child = node->first; child; child = child->next)
        STICK_TRY(stick_read_vector(reader, &point, child, patch->corner[count++]));
    return STICK_OK;
}

static const StickField patch_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "group of the elements of this patch; patches may share one",
     .at = STICK_AT(StickPatchSpec, name)},
    {.key = "cells",
     .type = STICK_FIELD_INTEGERS,
     .text = "number of cells along `xi` and `eta`, in space also along `zeta`",
     .required = true,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 1000000},
     .at = STICK_AT(StickPatchSpec, cells)},
    {.key = "map",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "coordinates as functions of `xi`, `eta` (and `zeta` in space), which range from 0 to 1",
     .unit = "length",
     .alternative = true,
     .sees = STICK_SEES_PATCH,
     .at = STICK_AT(StickPatchSpec, map)},
    {.key = "corners",
     .type = STICK_FIELD_OWN,
     .text = "corner points, in order around the patch from `bottom-left`; in space four at the bottom, then "
             "those above them",
     .unit = "length",
     .alternative = true,
     .takes = "a list of 4 points [x, y] or 8 points [x, y, z]",
     .json = "array",
     .read = read_corners},
    {.key = "grade",
     .type = STICK_FIELD_NUMBERS,
     .text = "length of the last cell divided by that of the first, for each direction",
     .standard = "1 for each",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickPatchSpec, grade)},
    {.key = "sides",
     .type = STICK_FIELD_MAP,
     .text = "groups and curves of its sides",
     .table = &sides_table},
    {.key = "points", .type = STICK_FIELD_MAP, .text = "groups of its corner nodes", .table = &points_table},
    {.key = NULL},
};

// A list of the patch has a member per direction.
static void check_count(StickReader *reader, const StickYaml *node, const char *key, int wanted, int dim)
{
    const StickYaml *list = stick_yaml_find(node, key);
    if (list && list->count != wanted)
        STICK_COMPLAIN(reader, list->mark, "'%s' has %d members, but a patch of %d directions needs %d", key,
                       list->count, dim, wanted);
}

static void check_plane_sides(StickReader *reader, const StickYaml *sides)
{
    static const char *const in_space[] = {"front", "back"};
    for (int k = 0; k < 2; k++) {
        const StickYaml *given = stick_yaml_find(sides, in_space[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark,
                           "a patch in the plane has no side '%s': there are left, right, bottom, top",
                           in_space[k]);
    }
}

// Arcs join corners of the plane.
static void check_arcs(StickReader *reader, const StickYaml *node, const StickYaml *sides, int dim)
{
    bool by_corners = stick_yaml_find(node, "corners") != NULL;
    for (const StickYaml *side = sides->first; side; side = side->next) {
        const StickYaml *arc = side->kind == STICK_YAML_MAP ? stick_yaml_find(side, "arc") : NULL;
        if (arc && !(by_corners && dim == 2))
            STICK_COMPLAIN(reader, arc->key_mark, "'arc' is for plane patches by 'corners'%s",
                           by_corners ? "" : ": a 'map' bends its sides itself");
    }
}

static StickStatus finish_patch(StickReader *reader, const StickYaml *node, void *item)
{
    StickPatchSpec *patch = item;
    const StickYaml *cells = stick_yaml_find(node, "cells"), *sides = stick_yaml_find(node, "sides");
    const StickYaml *points = stick_yaml_find(node, "points");
    patch->dim = cells->count;
    if (patch->dim < 2) {
        STICK_COMPLAIN(reader, cells->mark,
                       "'cells' has 1 member, but a patch has 2 directions, or 3 in space");
        return STICK_OK;
    }
    check_count(reader, node, "map", patch->dim, patch->dim);
    check_count(reader, node, "corners", patch->dim == 2 ? 4 : 8, patch->dim);
    check_count(reader, node, "grade", patch->dim, patch->dim);
    if (sides && patch->dim == 2)
        check_plane_sides(reader, sides);
    if (sides)
        check_arcs(reader, node, sides, patch->dim);
    if (points && patch->dim == 3)
        STICK_COMPLAIN(reader, points->key_mark, "'points' is for patches in the plane: remove it");
    for (int k = 0; k < 3; k++)
        patch->grade[k] = patch->grade[k] > 0 ? patch->grade[k] : 1;
    return STICK_OK;
}

const StickSchema stick_patch_table = {
    .title = "a patch",
    .text = "A grid of cells, along `xi` from left to right and along `eta` from bottom to top, mapped into "
            "space. Patches are connected where nodes of their sides coincide; sides that meet only in part "
            "are an error. With `n` by `m` cells, node `i` along `xi` and `j` along `eta` has the number `i "
            "(m + 1) + j`, counted from 0; patches are numbered one after the other, without nodes that "
            "belong to an earlier patch.",
    .size = sizeof(StickPatchSpec),
    .mark_at = STICK_AT(StickPatchSpec, mark),
    .fields = patch_fields,
    .finish = finish_patch,
};

// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "model/tables.h"

#include <unistd.h>

enum { MOST_CELLS = 50000000 };

#define CELLS_RANGE                                \
    {                                              \
        STICK_AT_LEAST | STICK_AT_MOST, 1, 1000000 \
    }

#define ORIGIN(dimension, meaning)                                                         \
    {                                                                                      \
        .key = "origin", .type = STICK_FIELD_NUMBERS, .text = meaning, .unit = "length",   \
        .components = dimension, .standard = "zero", .at = STICK_AT(StickMeshSpec, origin) \
    }

static const StickField bar_fields[] = {
    {.key = "length",
     .type = STICK_FIELD_NUMBER,
     .text = "length of the bar",
     .unit = "length",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, size)},
    {.key = "elements",
     .type = STICK_FIELD_INTEGER,
     .text = "number of equal elements",
     .required = true,
     .range = CELLS_RANGE,
     .at = STICK_AT(StickMeshSpec, cells)},
    ORIGIN(1, "coordinate of the end `start`"),
    {.key = NULL},
};

static const StickChoice plane_patterns[] = {
    {"quads", STICK_PATTERN_QUADS, "a quadrilateral per cell"},
    {"triangles", STICK_PATTERN_TRIANGLES, "two triangles per cell"},
    {"crossed", STICK_PATTERN_CROSSED, "four triangles per cell, meeting in its centre"},
    {NULL, 0, NULL},
};

static const StickField rectangle_fields[] = {
    {.key = "size",
     .type = STICK_FIELD_NUMBERS,
     .text = "sides along x and y",
     .unit = "length",
     .required = true,
     .components = 2,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, size)},
    {.key = "cells",
     .type = STICK_FIELD_INTEGERS,
     .text = "cells along x and y",
     .required = true,
     .components = 2,
     .range = CELLS_RANGE,
     .at = STICK_AT(StickMeshSpec, cells)},
    {.key = "pattern",
     .type = STICK_FIELD_CHOICE,
     .text = "how a cell is divided into elements",
     .standard = "quads",
     .choices = plane_patterns,
     .at = STICK_AT(StickMeshSpec, pattern)},
    {.key = "refine",
     .type = STICK_FIELD_INTEGER,
     .text = "number of times that the lowest row of cells is halved towards the bottom; only for crossed",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 10},
     .at = STICK_AT(StickMeshSpec, refine)},
    ORIGIN(2, "position of the lower left corner"),
    {.key = NULL},
};

static const StickChoice box_patterns[] = {
    {"hexes", STICK_PATTERN_QUADS, "a hexahedron per cell"},
    {"tets", STICK_PATTERN_TRIANGLES, "tetrahedra in every cell"},
    {NULL, 0, NULL},
};

static const StickField box_fields[] = {
    {.key = "size",
     .type = STICK_FIELD_NUMBERS,
     .text = "sides along x, y and z",
     .unit = "length",
     .required = true,
     .components = 3,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, size)},
    {.key = "cells",
     .type = STICK_FIELD_INTEGERS,
     .text = "cells along x, y and z",
     .required = true,
     .components = 3,
     .range = CELLS_RANGE,
     .at = STICK_AT(StickMeshSpec, cells)},
    {.key = "pattern",
     .type = STICK_FIELD_CHOICE,
     .text = "how a cell is divided into elements",
     .standard = "hexes",
     .choices = box_patterns,
     .at = STICK_AT(StickMeshSpec, pattern)},
    ORIGIN(3, "position of the lower left corner"),
    {.key = NULL},
};

static const StickChoice disk_parts[] = {
    {"whole", STICK_DISK_WHOLE, "all of it"},
    {"half", STICK_DISK_HALF, "the lower half, with the cut `top`"},
    {"quarter", STICK_DISK_QUARTER, "the lower right quarter, with the cuts `top` and `left`"},
    {NULL, 0, NULL},
};

static const StickField disk_fields[] = {
    {.key = "radius",
     .type = STICK_FIELD_NUMBER,
     .text = "radius of the disk",
     .unit = "length",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, radius)},
    {.key = "core",
     .type = STICK_FIELD_INTEGERS,
     .text = "cells of the inner square along x and y",
     .required = true,
     .components = 2,
     .range = CELLS_RANGE,
     .at = STICK_AT(StickMeshSpec, cells)},
    {.key = "rings",
     .type = STICK_FIELD_INTEGER,
     .text = "rings of cells around the inner square",
     .required = true,
     .range = CELLS_RANGE,
     .at = STICK_AT(StickMeshSpec, cells[2])},
    {.key = "part",
     .type = STICK_FIELD_CHOICE,
     .text = "part of the disk that is meshed; `core` always refers to the whole disk",
     .standard = "whole",
     .choices = disk_parts,
     .at = STICK_AT(StickMeshSpec, part)},
    {.key = "centre",
     .type = STICK_FIELD_NUMBERS,
     .text = "position of the centre",
     .unit = "length",
     .components = 2,
     .standard = "zero",
     .at = STICK_AT(StickMeshSpec, origin)},
    {.key = NULL},
};

static const StickField plate_fields[] = {
    {.key = "size",
     .type = STICK_FIELD_NUMBERS,
     .text = "width and length",
     .unit = "length",
     .required = true,
     .components = 2,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, size)},
    {.key = "radius",
     .type = STICK_FIELD_NUMBER,
     .text = "radius of the round side",
     .unit = "length",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, radius)},
    {.key = "cells",
     .type = STICK_FIELD_INTEGERS,
     .text = "cells along width and length",
     .required = true,
     .components = 2,
     .range = CELLS_RANGE,
     .at = STICK_AT(StickMeshSpec, cells)},
    {.key = "crown",
     .type = STICK_FIELD_NUMBERS,
     .text = "position of the middle of the round side",
     .unit = "length",
     .components = 2,
     .standard = "zero",
     .at = STICK_AT(StickMeshSpec, origin)},
    {.key = NULL},
};

// A plate wider than its circle has no round side.
static StickStatus finish_plate(StickReader *reader, const StickYaml *node, void *item)
{
    const StickMeshSpec *spec = item;
    if (2 * spec->radius < spec->size[0])
        STICK_COMPLAIN(reader, stick_yaml_find(node, "radius")->mark,
                       "'radius' is %g, but must be at least half of the width %g", spec->radius,
                       spec->size[0]);
    return STICK_OK;
}

static const StickSchema bar_table = {.title = "a bar",
                                      .fields = bar_fields,
                                      .text = "A straight bar on the x axis, with groups `start` and `end`."};
static const StickSchema rectangle_table = {.title = "a rectangle",
                                            .fields = rectangle_fields,
                                            .text =
                                                "A rectangle, with groups `left`, `right`, `bottom`, `top`."};
static const StickSchema box_table = {
    .title = "a box",
    .fields = box_fields,
    .text = "A box in space, with groups `left`, `right`, `front`, `back`, `bottom`, `top`."};
static const StickSchema disk_table = {
    .title = "a disk",
    .fields = disk_fields,
    .text = "A disk of quadrilaterals: a square inside, rings around it, with groups `outer` and `lower`, "
            "and nodes `centre`, `lowest`, `rightmost` if they exist."};
static const StickSchema plate_table = {
    .title = "a rounded plate",
    .fields = plate_fields,
    .finish = finish_plate,
    .text = "A plate whose lower side is an arc of a circle, with groups `round`, `left`, `right`, `top`."};

static char *keep_joined(StickReader *reader, const char *folder, const char *path)
{
    char *joined = stick_path_join(reader->ctx, folder, path);
    char *kept = joined ? stick_keep_text(reader, joined) : NULL;
    stick_free(reader->ctx, joined);
    return kept;
}

// Paths are relative to the model file; the resolved model names the file for every folder.
StickStatus stick_read_path(StickReader *reader, const StickField *field, StickYaml *node, char **path)
{
    char *given = NULL, here[4096];
    STICK_TRY(stick_read_text(reader, field, node, &given));
    if (!given)
        return STICK_OK;
    *path = keep_joined(reader, reader->source->folder, given);
    if (!*path)
        return STICK_NO_MEMORY;
    if (reader->repeat.number > 0)
        return STICK_OK;
    node->text = keep_joined(reader, getcwd(here, sizeof here) ? here : "", *path);
    node->quoted = true;
    return node->text ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus read_mesh_file(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    return stick_read_path(reader, field, node, &((StickMeshSpec *)item)->file);
}

static const StickField mesh_fields[] = {
    {.key = "bar",
     .type = STICK_FIELD_MAP,
     .text = "a bar in one dimension",
     .alternative = true,
     .value = STICK_MESH_BAR,
     .table = &bar_table},
    {.key = "rectangle",
     .type = STICK_FIELD_MAP,
     .text = "a rectangle",
     .alternative = true,
     .value = STICK_MESH_RECTANGLE,
     .table = &rectangle_table},
    {.key = "box",
     .type = STICK_FIELD_MAP,
     .text = "a box",
     .alternative = true,
     .value = STICK_MESH_BOX,
     .table = &box_table},
    {.key = "disk",
     .type = STICK_FIELD_MAP,
     .text = "a disk",
     .alternative = true,
     .value = STICK_MESH_DISK,
     .table = &disk_table},
    {.key = "rounded-plate",
     .type = STICK_FIELD_MAP,
     .text = "a plate with a round side",
     .alternative = true,
     .value = STICK_MESH_ROUNDED_PLATE,
     .table = &plate_table},
    {.key = "patches",
     .type = STICK_FIELD_LIST,
     .text = "mapped grids of cells, connected where their sides meet",
     .alternative = true,
     .value = STICK_MESH_PATCHES,
     .table = &stick_patch_table,
     .at = STICK_AT(StickMeshSpec, patch),
     .count_at = STICK_AT(StickMeshSpec, npatches)},
    {.key = "file",
     .type = STICK_FIELD_OWN,
     .text =
         "a Gmsh (`.msh`) or Abaqus (`.inp`) mesh file; relative paths start at the folder of the model file",
     .alternative = true,
     .value = STICK_MESH_FILE,
     .takes = "path of a file",
     .json = "string",
     .read = read_mesh_file},
    {.key = "pattern",
     .type = STICK_FIELD_CHOICE,
     .text = "how the cells of plane patches are divided into elements; default: quads",
     .choices = plane_patterns,
     .at = STICK_AT(StickMeshSpec, pattern)},
    {.key = "merge",
     .type = STICK_FIELD_NUMBER,
     .text = "nodes of patches closer than this are merged; default: 1e-6 of the mesh size, at most 1 % of "
             "the shortest cell edge",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickMeshSpec, merge)},
    {.key = NULL},
};

int stick_mesh_spec_dim(const StickMeshSpec *spec)
{
    switch (spec->kind) {
    case STICK_MESH_BAR:
        return 1;
    case STICK_MESH_RECTANGLE:
    case STICK_MESH_DISK:
    case STICK_MESH_GEAR:
    case STICK_MESH_ROUNDED_PLATE:
        return 2;
    case STICK_MESH_BOX:
        return 3;
    case STICK_MESH_PATCHES:
        return spec->npatches > 0 ? spec->patch[0].dim : 0;
    case STICK_MESH_FILE:
        return 0;
    }
    return 0;
}

static double count_cells(const int count[3])
{
    double cells = 1;
    for (int k = 0; k < 3; k++)
        cells *= count[k] > 0 ? count[k] : 1;
    return cells;
}

static void check_size(StickReader *reader, const StickMeshSpec *spec)
{
    double cells = spec->kind == STICK_MESH_PATCHES ? 0 : count_cells(spec->cells);
    for (int p = 0; p < spec->npatches; p++)
        cells += count_cells(spec->patch[p].cells);
    if (cells > MOST_CELLS)
        STICK_COMPLAIN(reader, spec->mark, "a mesh of %g cells is too large: the limit is %d", cells,
                       MOST_CELLS);
}

// Keys next to the list of patches, because the list has no mapping of its own.
static void check_beside(StickReader *reader, const StickYaml *node, const StickMeshSpec *spec)
{
    static const char *const keys[] = {"pattern", "merge"};
    for (int k = 0; k < 2 && spec->kind != STICK_MESH_PATCHES; k++) {
        const StickYaml *given = stick_yaml_find(node, keys[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark, "'%s' is for patches only%s", keys[k],
                           k == 0 ? ": for another shape give it in the mapping of that shape" : "");
    }
}

static void check_patches(StickReader *reader, const StickMeshSpec *spec)
{
    for (int p = 1; p < spec->npatches; p++)
        if (spec->patch[p].dim != spec->patch[0].dim)
            STICK_COMPLAIN(reader, spec->patch[p].mark,
                           "this patch has %d directions, but the first patch has %d: give all patches the "
                           "same number of 'cells'",
                           spec->patch[p].dim, spec->patch[0].dim);
    if (spec->kind == STICK_MESH_PATCHES && spec->npatches == 0)
        STICK_COMPLAIN(reader, spec->mark, "'patches' is empty: give at least one");
}

// All meshes must have the dimension of the first one whose dimension is known.
static StickStatus finish_mesh(StickReader *reader, const StickYaml *node, void *item)
{
    const StickMeshSpec *spec = item;
    int dim = stick_mesh_spec_dim(spec);
    check_beside(reader, node, spec);
    check_patches(reader, spec);
    check_size(reader, spec);
    if (dim && reader->model->dim && dim != reader->model->dim)
        STICK_COMPLAIN(reader, spec->mark, "this mesh has dimension %d, but another body has dimension %d",
                       dim, reader->model->dim);
    else if (dim)
        reader->model->dim = dim;
    return STICK_OK;
}

const StickSchema stick_mesh_table = {
    .title = "a mesh",
    .text = "Exactly one of the shapes below, or a file.",
    .mark_at = STICK_AT(StickMeshSpec, mark),
    .kind_at = STICK_AT(StickMeshSpec, kind),
    .fields = mesh_fields,
    .finish = finish_mesh,
};

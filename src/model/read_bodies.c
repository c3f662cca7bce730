// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "model/tables.h"

#include <string.h>
#include <unistd.h>

enum { MOST_CELLS = 50000000 };
static const double LOCKING_POISSON = 0.49; // from which on linear elements are told to lock

// ---- meshes

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
    ORIGIN(1, "place of the end `start`"),
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
     .text = "how a cell is cut into elements",
     .standard = "quads",
     .choices = plane_patterns,
     .at = STICK_AT(StickMeshSpec, pattern)},
    {.key = "refine",
     .type = STICK_FIELD_INTEGER,
     .text = "how often the lowest row of cells is halved towards the bottom; only for crossed",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 10},
     .at = STICK_AT(StickMeshSpec, refine)},
    ORIGIN(2, "place of the lowest corner"),
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
     .text = "how a cell is cut into elements",
     .standard = "hexes",
     .choices = box_patterns,
     .at = STICK_AT(StickMeshSpec, pattern)},
    ORIGIN(3, "place of the lowest corner"),
    {.key = NULL},
};

static const StickChoice disk_parts[] = {
    {"whole", STICK_DISK_WHOLE, "all of it"},
    {"half", STICK_DISK_HALF, "what lies below the centre, with the cut `top`"},
    {"quarter", STICK_DISK_QUARTER,
     "what lies below and right of the centre, with the cuts `top` and `left`"},
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
     .text = "what of the disk there is; `core` counts the cells of the whole",
     .standard = "whole",
     .choices = disk_parts,
     .at = STICK_AT(StickMeshSpec, part)},
    {.key = "centre",
     .type = STICK_FIELD_NUMBERS,
     .text = "place of the centre",
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
     .text = "place of the middle of the round side",
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
static const StickSchema disk_table = {.title = "a disk",
                                       .fields = disk_fields,
                                       .text = "A disk of quadrilaterals: a square inside, rings around it, "
                                               "with groups `outer` and `lower`, and nodes "
                                               "`centre`, `lowest`, `rightmost` where there are such."};
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
     .text = "grids of cells, each mapped to its place, that grow together where their sides meet",
     .alternative = true,
     .value = STICK_MESH_PATCHES,
     .table = &stick_patch_table,
     .at = STICK_AT(StickMeshSpec, patch),
     .count_at = STICK_AT(StickMeshSpec, npatches)},
    {.key = "file",
     .type = STICK_FIELD_OWN,
     .text = "a mesh of Gmsh (`.msh`) or Abaqus (`.inp`), beside the model file",
     .alternative = true,
     .value = STICK_MESH_FILE,
     .takes = "path of a file",
     .json = "string",
     .read = read_mesh_file},
    {.key = "pattern",
     .type = STICK_FIELD_CHOICE,
     .text = "how the cells of plane patches are cut into elements; quads unless given",
     .choices = plane_patterns,
     .at = STICK_AT(StickMeshSpec, pattern)},
    {.key = "merge",
     .type = STICK_FIELD_NUMBER,
     .text = "nodes of patches nearer than this are one; 1e-6 of the size of the mesh unless given",
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

// Keys that stand beside the list of patches, which has no mapping of its own.
static void check_beside(StickReader *reader, const StickYaml *node, const StickMeshSpec *spec)
{
    static const char *const keys[] = {"pattern", "merge"};
    for (int k = 0; k < 2 && spec->kind != STICK_MESH_PATCHES; k++) {
        const StickYaml *given = stick_yaml_find(node, keys[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark, "'%s' stands here for patches only%s", keys[k],
                           k == 0 ? ": of another shape it goes into the mapping of that shape" : "");
    }
}

static void check_patches(StickReader *reader, const StickMeshSpec *spec)
{
    for (int p = 1; p < spec->npatches; p++)
        if (spec->patch[p].dim != spec->patch[0].dim)
            STICK_COMPLAIN(
                reader, spec->patch[p].mark,
                "this patch has %d directions, but the first patch has %d: give all of them as many "
                "'cells'",
                spec->patch[p].dim, spec->patch[0].dim);
    if (spec->kind == STICK_MESH_PATCHES && spec->npatches == 0)
        STICK_COMPLAIN(reader, spec->mark, "'patches' is empty: give at least one");
}

// The first mesh whose dimension is known decides for all.
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

static const StickSchema mesh_table = {
    .title = "a mesh",
    .text = "Exactly one of the shapes below, or a file.",
    .mark_at = STICK_AT(StickMeshSpec, mark),
    .kind_at = STICK_AT(StickMeshSpec, kind),
    .fields = mesh_fields,
    .finish = finish_mesh,
};

// ---- bodies

StickStatus stick_read_material(StickReader *reader, const StickField *field, const StickYaml *node,
                                int *index)
{
    const StickModel *model = reader->model;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_SCALAR))
        return STICK_OK;
    for (int k = 0; k < model->nmaterials; k++) {
        if (strcmp(model->material[k].name, node->text) == 0) {
            *index = k;
            return STICK_OK;
        }
    }
    const char *names[64];
    size_t count = 0;
    for (int k = 0; k < model->nmaterials && count < 64; k++)
        names[count++] = model->material[k].name;
    stick_complain_word(reader, node->mark, "material", node->text, names, count);
    return STICK_OK;
}

static StickStatus read_body_material(StickReader *reader, const StickField *field, StickYaml *node,
                                      void *item)
{
    return stick_read_material(reader, field, node, &((StickBodySpec *)item)->material);
}

static StickStatus read_rotation(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    if (!body->rigid)
        return stick_read_number(reader, field, node, &body->rotation);
    return body->rigid->dim ? stick_read_turn(reader, field, node, body->rigid->dim, body->turn) : STICK_OK;
}

// Of a rigid body numbers, of a deformable one functions of the place.
static StickStatus read_velocity(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    StickField vector = *field;
    vector.of_space = true;
    vector.type = body->rigid ? STICK_FIELD_NUMBERS : STICK_FIELD_EXPRESSIONS;
    return stick_read_vector(reader, &vector, node,
                             body->rigid ? (void *)body->start_velocity : (void *)body->velocity);
}

// One number about the axis out of the plane, or three in space.
static StickStatus read_angular_velocity(StickReader *reader, const StickField *field, StickYaml *node,
                                         void *item)
{
    StickBodySpec *body = item;
    if (node->kind == STICK_YAML_SCALAR)
        return stick_read_number(reader, field, node, &body->angular_velocity[2]);
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 3) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d components, but needs one number or 3", field->key,
                       node->count);
        return STICK_OK;
    }
    body->spatial_rotation = true;
    int k = 0;
    for (const StickYaml *component = node->first; component; component = component->next)
        STICK_TRY(stick_read_number(reader, field, component, &body->angular_velocity[k++]));
    return STICK_OK;
}

static const StickChoice elements[] = {
    {"linear", STICK_ELEMENT_LINEAR, "corners only"},
    {"quadratic", STICK_ELEMENT_QUADRATIC, "with nodes in the middle of the sides"},
    {"mean-dilatation", STICK_ELEMENT_MEAN_DILATATION,
     "corners only, one pressure per element: for nearly incompressible materials"},
    {NULL, 0, NULL},
};

static const StickChoice planes[] = {
    {"strain", STICK_PLANE_STRAIN, "no strain out of the plane"},
    {"stress", STICK_PLANE_STRESS, "no stress out of the plane"},
    {"axisymmetric", STICK_AXISYMMETRIC,
     "x is the radius and y the axis; loads and masses are those of the whole ring"},
    {NULL, 0, NULL},
};

static const StickChoice masses[] = {
    {"consistent", false, "mass matrix of the same base functions"},
    {"lumped", true, "diagonal mass matrix"},
    {NULL, 0, NULL},
};

// ---- modes

static const StickField modes_fields[] = {
    {.key = "below",
     .type = STICK_FIELD_NUMBER,
     .text = "all modes up to this frequency",
     .unit = "1/time",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickModesSpec, below)},
    {.key = "count",
     .type = STICK_FIELD_INTEGER,
     .text = "so many of the lowest; motions of the body as a whole are counted",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 100000},
     .at = STICK_AT(StickModesSpec, count)},
    {.key = "damping",
     .type = STICK_FIELD_NUMBER,
     .text = "part of critical damping that every mode of vibration has, beside that of the material",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickModesSpec, damping)},
    {.key = NULL},
};

static StickStatus finish_modes(StickReader *reader, const StickYaml *node, void *item)
{
    StickModesSpec *modes = item;
    modes->given = true;
    if (!stick_yaml_find(node, "below") && !stick_yaml_find(node, "count"))
        STICK_COMPLAIN(reader, node->mark, "'modes' needs the key 'below' (a frequency) or 'count'");
    return STICK_OK;
}

static const StickSchema modes_table = {
    .title = "a basis of modes",
    .text = "A deformable body that moves by its lowest modes of vibration, with its supports at rest, and "
            "by the "
            "motions as a whole that these leave free. With `below` and `count` the fewer of both are taken.",
    .mark_at = STICK_AT(StickModesSpec, mark),
    .fields = modes_fields,
    .finish = finish_modes,
};

// ---- volumes

enum { AUGMENTATIONS = 100 };

static const StickField volume_fields[] = {
    {.key = "tolerance",
     .type = STICK_FIELD_NUMBER,
     .text = "largest change of the volume of an element, as a part of it",
     .standard = "1e-4",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickVolumeSpec, tolerance)},
    {.key = "augmentations",
     .type = STICK_FIELD_INTEGER,
     .text = "at most, in a step or increment",
     .standard = "100",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 1000},
     .at = STICK_AT(StickVolumeSpec, augmentations)},
    {.key = NULL},
};

static StickStatus finish_volume(StickReader *reader, const StickYaml *node, void *item)
{
    StickVolumeSpec *volume = item;
    (void)reader;
    volume->given = true;
    if (!stick_yaml_find(node, "tolerance"))
        volume->tolerance = 1e-4;
    if (!stick_yaml_find(node, "augmentations"))
        volume->augmentations = AUGMENTATIONS;
    return STICK_OK;
}

static const StickSchema volume_table = {
    .title = "a bound of volumes",
    .text = "Elements of a body with `element: mean-dilatation` and a law of finite strains keep their "
            "volumes, whatever "
            "the bulk modulus: their pressures become multipliers, which are augmented in every step until "
            "the tolerance "
            "holds.",
    .mark_at = STICK_AT(StickVolumeSpec, mark),
    .fields = volume_fields,
    .finish = finish_volume,
};

static const StickField body_fields[] = {
    STICK_REPEAT_FIELD,
    {.key = "mesh",
     .type = STICK_FIELD_MAP,
     .text = "shape and elements of a deformable body",
     .alternative = true,
     .table = &mesh_table,
     .at = STICK_AT(StickBodySpec, mesh)},
    {.key = "rigid",
     .type = STICK_FIELD_MAP,
     .text = "shape of a rigid body",
     .alternative = true,
     .table = &stick_rigid_table,
     .read = stick_read_rigid},
    {.key = "material",
     .type = STICK_FIELD_OWN,
     .text = "what it is made of; a rigid body with a mass needs none",
     .takes = "name of a material",
     .json = "string",
     .read = read_body_material},
    {.key = "element",
     .type = STICK_FIELD_CHOICE,
     .text = "kind of elements; linear unless the mesh says otherwise",
     .choices = elements,
     .at = STICK_AT(StickBodySpec, element)},
    {.key = "plane",
     .type = STICK_FIELD_CHOICE,
     .text = "hypothesis in two dimensions",
     .standard = "strain",
     .choices = planes,
     .at = STICK_AT(StickBodySpec, plane)},
    {.key = "thickness",
     .type = STICK_FIELD_NUMBER,
     .text = "out of the plane; of a bar the area of its section",
     .unit = "length (bar: length^2)",
     .standard = "1",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickBodySpec, thickness)},
    {.key = "mass",
     .type = STICK_FIELD_SWITCH,
     .text = "mass matrix",
     .standard = "consistent",
     .choices = masses,
     .at = STICK_AT(StickBodySpec, lumped_mass)},
    {.key = "position",
     .type = STICK_FIELD_NUMBERS,
     .text = "shift of the mesh; place of the origin of a rigid body's shapes",
     .unit = "length",
     .standard = "zero",
     .of_space = true,
     .at = STICK_AT(StickBodySpec, position)},
    {.key = "rotation",
     .type = STICK_FIELD_OWN,
     .text = "turn about its own origin, before the shift (of a mesh: two dimensions only)",
     .unit = "radian",
     .takes =
         "an angle; of a rigid body in space a list of 3 numbers (axis times angle) or {axis: [x, y, z], "
         "angle: a}",
     .read = read_rotation},
    {.key = "displacement",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "initial displacements",
     .unit = "length",
     .standard = "zero",
     .of_space = true,
     .sees = STICK_SEES_PLACE,
     .at = STICK_AT(StickBodySpec, displacement)},
    {.key = "velocity",
     .type = STICK_FIELD_OWN,
     .text = "initial velocities; of a rigid body that of its mass centre",
     .unit = "length/time",
     .sees = STICK_SEES_PLACE,
     .takes = "a list of numbers of x, y, z (rigid: numbers), one per dimension",
     .json = "array",
     .read = read_velocity},
    {.key = "angular-velocity",
     .type = STICK_FIELD_OWN,
     .text = "initial rotation about the mass centre, added to the velocities",
     .unit = "radian/time",
     .standard = "0",
     .takes = "a number; in space a list of 3 numbers",
     .read = read_angular_velocity},
    {.key = "modes",
     .type = STICK_FIELD_MAP,
     .text = "moves by few shapes instead of all its nodes; of deformable bodies",
     .table = &modes_table,
     .at = STICK_AT(StickBodySpec, modes)},
    {.key = "volume",
     .type = STICK_FIELD_MAP,
     .text =
         "elements keep their volumes to a tolerance; of nearly incompressible bodies under finite strains",
     .table = &volume_table,
     .at = STICK_AT(StickBodySpec, volume)},
    {.key = NULL},
};

static void refuse_deformable_keys(StickReader *reader, const StickYaml *node, const StickBodySpec *body)
{
    static const char *const keys[] = {"element", "plane", "mass", "displacement", "modes", "volume"};
    for (int k = 0; k < 6; k++) {
        const StickYaml *given = stick_yaml_find(node, keys[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark, "'%s' is for deformable bodies, but '%s' is rigid%s",
                           keys[k], body->name, k == 2 ? ": its mass goes into 'rigid'" : "");
    }
}

// Said once for all bodies, at the material.
static void need_young(StickReader *reader, const StickBodySpec *body)
{
    const StickModel *model = reader->model;
    const StickMaterial *material = &model->material[body->material];
    if (material->law != STICK_MATERIAL_ELASTIC) // what it lacks was told already
        return;
    const StickYaml *materials = stick_yaml_find(model->tree, "materials");
    const StickYaml *given = materials ? stick_yaml_find(materials, material->name) : NULL;
    if (given && stick_yaml_find(given, "young")) // a bad value was told already
        return;
    for (int b = 0; b < model->nbodies; b++)
        if (!model->body[b].rigid && model->body[b].material == body->material)
            return;
    STICK_COMPLAIN(reader, material->mark, "material '%s' needs the key 'young': body '%s' is deformable",
                   material->name, body->name);
}

static void check_material(StickReader *reader, const StickYaml *node, StickBodySpec *body)
{
    bool given = stick_yaml_find(node, "material") != NULL;
    if (!given)
        body->material = -1;
    if (!given && !(body->rigid && body->rigid->mass > 0))
        STICK_COMPLAIN(reader, node->mark, "a body needs the key 'material'%s",
                       body->rigid ? ", or a mass in 'rigid'" : "");
    else if (given && !body->rigid && !(reader->model->material[body->material].young > 0))
        need_young(reader, body);
}

// Laws of finite strains need a body in the plane or in space whose volume is its own.
static void check_finite(StickReader *reader, const StickYaml *node, const StickBodySpec *body)
{
    if (body->rigid || body->material < 0 ||
        reader->model->material[body->material].law == STICK_MATERIAL_ELASTIC)
        return;
    const char *material = reader->model->material[body->material].name;
    if (body->mesh.kind == STICK_MESH_BAR)
        STICK_COMPLAIN(
            reader, body->mesh.mark,
            "a bar takes an elastic material, but '%s' is one of finite strains: take a rectangle or a "
            "box",
            material);
    else if (body->plane == STICK_PLANE_STRESS)
        STICK_COMPLAIN(
            reader, stick_yaml_find(node, "plane")->mark,
            "plane stress takes an elastic material, but '%s' is one of finite strains: take strain or "
            "axisymmetric, or a body in space",
            material);
    else if (body->modes.given)
        STICK_COMPLAIN(
            reader, stick_yaml_find(node, "modes")->key_mark,
            "'modes' are those of small strains, but '%s' is a material of finite ones: leave them out",
            material);
}

// Pressures that are augmented are those of elements.
static void check_volume(StickReader *reader, const StickYaml *node, const StickBodySpec *body)
{
    if (!body->volume.given || body->rigid || body->material < 0)
        return;
    const StickMaterial *material = &reader->model->material[body->material];
    StickMark mark = stick_yaml_find(node, "volume")->key_mark;
    if (material->law == STICK_MATERIAL_ELASTIC)
        STICK_COMPLAIN(
            reader, mark,
            "'volume' is for materials of finite strains, but '%s' is linear elastic: leave it out, or give "
            "the material a law",
            material->name);
    else if (body->element != STICK_ELEMENT_MEAN_DILATATION)
        STICK_COMPLAIN(reader, mark,
                       "'volume' needs 'element: mean-dilatation': other elements have no pressure of their "
                       "own");
}

// Linear elements that keep their volume can hardly bend. What a file holds is not known here.
static void warn_of_locking(StickReader *reader, const StickBodySpec *body)
{
    if (body->rigid || body->material < 0 || body->mesh.kind == STICK_MESH_FILE ||
        body->mesh.kind == STICK_MESH_BAR || body->plane == STICK_PLANE_STRESS ||
        body->element == STICK_ELEMENT_QUADRATIC || body->element == STICK_ELEMENT_MEAN_DILATATION)
        return;
    const StickMaterial *material = &reader->model->material[body->material];
    if (material->poisson >= LOCKING_POISSON && stick_error_count(reader->ctx) == reader->errors)
        stick_warn_at(reader->ctx, body->mark,
                      "body '%s' is much too stiff: its material '%s' hardly changes its volume (Poisson's "
                      "ratio %.6g), with which linear elements lock; give it 'element: mean-dilatation'",
                      body->name, material->name, material->poisson);
}

static StickStatus finish_body(StickReader *reader, const StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    check_material(reader, node, body);
    check_finite(reader, node, body);
    check_volume(reader, node, body);
    warn_of_locking(reader, body);
    if (!body->rigid)
        return STICK_OK;
    refuse_deformable_keys(reader, node, body);
    reader->model->nrigid++;
    if (body->rigid->dim == 3 && stick_yaml_find(node, "thickness"))
        STICK_COMPLAIN(reader, stick_yaml_find(node, "thickness")->key_mark,
                       "'thickness' is for the plane, but '%s' is in space", body->name);
    return STICK_OK;
}

const StickSchema stick_body_table = {
    .title = "a body",
    .text = "A deformable body, by its mesh, or a rigid one, by its shape.",
    .size = sizeof(StickBodySpec),
    .mark_at = STICK_AT(StickBodySpec, mark),
    .name_at = STICK_AT(StickBodySpec, name),
    .repeat_at = STICK_AT(StickBodySpec, repeat),
    .fields = body_fields,
    .finish = finish_body,
};

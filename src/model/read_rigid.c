// SPDX-License-Identifier: Apache-2.0
// Rigid bodies: their shapes, mass and inertia, and turns in the plane and in space.
#include "base/vec.h"
#include "model/tables.h"

#include <string.h>

// A shape stands in front, so that the tables of shapes serve for a whole body and for a part of a compound.
typedef struct Rigid {
    StickPartSpec shape;
    StickRigidSpec spec;
} Rigid;

// ---- turns

static const StickField angle_field = {.key = "angle", .type = STICK_FIELD_NUMBER};
static const StickField turn_field = {.key = "rotation", .type = STICK_FIELD_NUMBERS, .components = 3};
static const StickField axis_field = {.key = "axis", .type = STICK_FIELD_NUMBERS, .components = 3};

// {axis: [1, 0, 0], angle: 0.3}
static StickStatus read_axis_and_angle(StickReader *reader, const StickYaml *node, double turn[3])
{
    static const char *const keys[] = {"axis", "angle"};
    for (const StickYaml *member = node->first; member; member = member->next)
        if (strcmp(member->key, "axis") != 0 && strcmp(member->key, "angle") != 0)
            stick_complain_word(reader, member->key_mark, "key", member->key, keys, 2);
    const StickYaml *axis = stick_yaml_find(node, "axis"), *angle = stick_yaml_find(node, "angle");
    if (!axis || !angle) {
        STICK_COMPLAIN(reader, node->mark, "a rotation by axis and angle needs the key '%s'",
                       axis ? "angle" : "axis");
        return STICK_OK;
    }
    size_t errors = stick_error_count(reader->ctx);
    double along[3] = {0}, by = 0;
    STICK_TRY(stick_read_vector(reader, &axis_field, axis, along));
    STICK_TRY(stick_read_number(reader, &angle_field, angle, &by));
    if (stick_error_count(reader->ctx) != errors)
        return STICK_OK;
    double length = stick_vec_normalise(along);
    if (!(length > 0) || isinf(length))
        STICK_COMPLAIN(reader, axis->mark, "'axis' has the length %g: it must be a direction", length);
    for (int k = 0; k < 3; k++)
        turn[k] = by * along[k];
    return STICK_OK;
}

StickStatus stick_read_turn(StickReader *reader, const StickField *field, const StickYaml *node, int dim,
                            double turn[3])
{
    if (dim == 2 && node->kind == STICK_YAML_SCALAR)
        return stick_read_number(reader, field, node, &turn[2]);
    if (dim == 3 && node->kind == STICK_YAML_LIST)
        return stick_read_vector(reader, &turn_field, node, turn);
    if (dim == 3 && node->kind == STICK_YAML_MAP)
        return read_axis_and_angle(reader, node, turn);
    STICK_COMPLAIN(reader, node->mark, "'%s' is %s, but must be %s", field->key, stick_yaml_kind_name(node),
                   dim == 2 ? "an angle in the plane"
                            : "a list of 3 numbers or {axis: ..., angle: ...} in space");
    return STICK_OK;
}

// ---- shapes

static StickStatus read_box(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickPartSpec *part = item;
    StickField sides = *field;
    sides.type = STICK_FIELD_NUMBERS;
    sides.components = node->kind == STICK_YAML_LIST && node->count == 2 ? 2 : 3;
    part->dim = sides.components;
    return stick_read_vector(reader, &sides, node, part->size);
}

// Points of the plane or of space, three numbers each.
static StickStatus read_points(StickReader *reader, const StickField *field, const StickYaml *node, int least,
                               StickPartSpec *part)
{
    StickField point = {
        .key = field->key, .type = STICK_FIELD_NUMBERS, .components = part->dim, .unit = "length"};
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count < least) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d points, but needs at least %d", field->key,
                       node->count, least);
        return STICK_OK;
    }
    STICK_TAKE(&reader->model->arena, part->points, 3 * (size_t)node->count);
    for (const StickYaml *child = node->first; child && !stick_gave_up(reader); child = child->next)
        STICK_TRY(stick_read_vector(reader, &point, child, part->points + 3 * part->npoints++));
    return STICK_OK;
}

static StickStatus read_polygon(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    ((StickPartSpec *)item)->dim = 2;
    return read_points(reader, field, node, 3, item);
}

static StickStatus read_hull(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickPartSpec *part = item;
    part->dim = 3;
    if (node->kind != STICK_YAML_MAP)
        return read_points(reader, field, node, 4, part);
    static const char *const keys[] = {"file"};
    for (const StickYaml *member = node->first; member; member = member->next)
        if (strcmp(member->key, "file") != 0)
            stick_complain_word(reader, member->key_mark, "key", member->key, keys, 1);
    StickYaml *file = stick_yaml_find(node, "file");
    if (!file) {
        STICK_COMPLAIN(reader, node->mark, "'hull' needs a list of points or the key 'file'");
        return STICK_OK;
    }
    return stick_read_path(reader, field, file, &part->file);
}

#define RADIUS                                                                                             \
    {                                                                                                      \
        .key = "radius", .type = STICK_FIELD_NUMBER, .text = "radius", .unit = "length", .required = true, \
        .range = STICK_POSITIVE, .at = STICK_AT(StickPartSpec, radius)                                     \
    }
#define LENGTH(meaning)                                                                                   \
    {                                                                                                     \
        .key = "length", .type = STICK_FIELD_NUMBER, .text = meaning, .unit = "length", .required = true, \
        .range = STICK_POSITIVE, .at = STICK_AT(StickPartSpec, length)                                    \
    }

static const StickField capsule_fields[] = {
    RADIUS, LENGTH("between the centres of its round ends"), {.key = NULL}};
static const StickField cylinder_fields[] = {RADIUS, LENGTH("between its flat ends"), {.key = NULL}};

static const StickSchema stadium_table = {.title = "a stadium",
                                          .fields = capsule_fields,
                                          .text = "A rectangle with half a disk at both ends, along y."};
static const StickSchema capsule_table = {.title = "a capsule",
                                          .fields = capsule_fields,
                                          .text = "A cylinder with half a sphere at both ends, along z."};
static const StickSchema cylinder_table = {
    .title = "a cylinder", .fields = cylinder_fields, .text = "A cylinder with flat ends, along z."};

#define SHAPE_RADIUS(name, meaning, kind)                                                                \
    {                                                                                                    \
        .key = name, .type = STICK_FIELD_NUMBER, .text = meaning, .unit = "length", .alternative = true, \
        .value = kind, .range = STICK_POSITIVE, .at = STICK_AT(StickPartSpec, radius)                    \
    }
#define SHAPE_TABLE(name, meaning, kind, fields_of)                                                   \
    {                                                                                                 \
        .key = name, .type = STICK_FIELD_MAP, .text = meaning, .unit = "length", .alternative = true, \
        .value = kind, .table = fields_of                                                             \
    }
#define SHAPE_OWN(name, meaning, kind, what, reading)                                                 \
    {                                                                                                 \
        .key = name, .type = STICK_FIELD_OWN, .text = meaning, .unit = "length", .alternative = true, \
        .value = kind, .takes = what, .read = reading                                                 \
    }

#define SHAPES                                                                                             \
    {.key = "box",                                                                                         \
     .type = STICK_FIELD_OWN,                                                                              \
     .text = "sides of a rectangle or a box about the origin",                                             \
     .unit = "length",                                                                                     \
     .alternative = true,                                                                                  \
     .value = STICK_PART_BOX,                                                                              \
     .takes = "a list of 2 numbers in the plane, 3 in space, all",                                         \
     .range = STICK_POSITIVE,                                                                              \
     .json = "array",                                                                                      \
     .read = read_box},                                                                                    \
        SHAPE_RADIUS("disk", "radius of a disk", STICK_PART_DISK),                                         \
        SHAPE_OWN("polygon", "corners of a convex polygon", STICK_PART_POLYGON, "a list of points [x, y]", \
                  read_polygon),                                                                           \
        SHAPE_TABLE("stadium", "a stadium in the plane", STICK_PART_STADIUM, &stadium_table),              \
        SHAPE_RADIUS("sphere", "radius of a sphere", STICK_PART_SPHERE),                                   \
        SHAPE_TABLE("capsule", "a capsule in space", STICK_PART_CAPSULE, &capsule_table),                  \
        SHAPE_TABLE("cylinder", "a cylinder in space", STICK_PART_CYLINDER, &cylinder_table),              \
        SHAPE_OWN("hull", "the smallest convex body around points, or around the nodes of a mesh file",    \
                  STICK_PART_HULL, "a list of points [x, y, z] or {file: path}", read_hull)

static StickStatus finish_shape(StickReader *reader, const StickYaml *node, void *item)
{
    (void)reader, (void)node;
    StickPartSpec *part = item;
    if (part->kind == STICK_PART_DISK || part->kind == STICK_PART_STADIUM)
        part->dim = 2;
    else if (part->kind == STICK_PART_SPHERE || part->kind == STICK_PART_CAPSULE ||
             part->kind == STICK_PART_CYLINDER)
        part->dim = 3;
    return STICK_OK;
}

// ---- parts of a compound

static StickStatus skip(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)reader, (void)field, (void)node, (void)item;
    return STICK_OK;
}

// A turn is read when the dimension of the shape is known.
static StickStatus finish_part(StickReader *reader, const StickYaml *node, void *item)
{
    StickPartSpec *part = item;
    const StickYaml *rotation = stick_yaml_find(node, "rotation");
    STICK_TRY(finish_shape(reader, node, item));
    return rotation ? stick_read_turn(reader, &turn_field, rotation, part->dim, part->rotation) : STICK_OK;
}

static const StickField part_fields[] = {
    SHAPES,
    {.key = "position",
     .type = STICK_FIELD_NUMBERS,
     .text = "position of its origin in the body",
     .unit = "length",
     .standard = "zero",
     .of_space = true,
     .at = STICK_AT(StickPartSpec, position)},
    {.key = "rotation",
     .type = STICK_FIELD_OWN,
     .text = "rotation about its origin, applied before the translation",
     .unit = "radian",
     .takes = "an angle; in space a list of 3 numbers (axis times angle) or {axis: [x, y, z], angle: a}",
     .read = skip},
    {.key = NULL},
};

static const StickSchema part_table = {
    .title = "a part",
    .text = "A part of a compound: exactly one of the shapes and its position in the body. Where parts "
            "overlap, mass counts twice.",
    .size = sizeof(StickPartSpec),
    .mark_at = STICK_AT(StickPartSpec, mark),
    .kind_at = STICK_AT(StickPartSpec, kind),
    .fields = part_fields,
    .finish = finish_part,
};

// ---- bodies

static StickStatus read_inertia(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    Rigid *rigid = item;
    if (node->kind == STICK_YAML_SCALAR)
        return stick_read_number(reader, field, node, &rigid->spec.inertia[2]);
    StickField list = *field;
    list.type = STICK_FIELD_NUMBERS;
    list.components = 3;
    return stick_read_vector(reader, &list, node, rigid->spec.inertia);
}

static const StickField rigid_fields[] = {
    SHAPES,
    {.key = "compound",
     .type = STICK_FIELD_LIST,
     .text = "several shapes that form one body",
     .alternative = true,
     .value = STICK_PART_COMPOUND,
     .table = &part_table,
     .at = STICK_AT(Rigid, spec.part),
     .count_at = STICK_AT(Rigid, spec.nparts)},
    {.key = "mass",
     .type = STICK_FIELD_NUMBER,
     .text = "mass, instead of the density of the material",
     .unit = "mass",
     .range = STICK_POSITIVE,
     .at = STICK_AT(Rigid, spec.mass)},
    {.key = "inertia",
     .type = STICK_FIELD_OWN,
     .text = "moment of inertia about the mass centre, requires `mass`; default: that of the shape",
     .unit = "mass length^2",
     .takes = "a number; in space a list of 3 numbers, about x, y and z of its shapes,",
     .range = STICK_POSITIVE,
     .read = read_inertia},
    {.key = NULL},
};

static void check_inertia(StickReader *reader, const StickYaml *node, const StickRigidSpec *spec)
{
    const StickYaml *inertia = stick_yaml_find(node, "inertia");
    const double *J = spec->inertia;
    if (!inertia)
        return;
    if (!(spec->mass > 0))
        STICK_COMPLAIN(reader, inertia->key_mark, "'inertia' also requires 'mass'");
    else if ((spec->dim == 3) != (inertia->kind == STICK_YAML_LIST))
        STICK_COMPLAIN(reader, inertia->mark, "'inertia' must be %s",
                       spec->dim == 3 ? "a list of 3 numbers in space" : "one number in the plane");
    // no distribution of mass has more about one axis than about both others together
    else if (spec->dim == 3 && (J[0] + J[1] < J[2] || J[1] + J[2] < J[0] || J[2] + J[0] < J[1]))
        STICK_COMPLAIN(reader, inertia->mark,
                       "'inertia' is [%g, %g, %g], but none may be larger than the sum of both others", J[0],
                       J[1], J[2]);
}

static StickStatus finish_rigid(StickReader *reader, const StickYaml *node, void *item)
{
    Rigid *rigid = item;
    StickRigidSpec *spec = &rigid->spec;
    if (rigid->shape.kind != STICK_PART_COMPOUND) {
        STICK_TRY(finish_shape(reader, node, &rigid->shape));
        STICK_TAKE(&reader->model->arena, spec->part, 1);
        *spec->part = rigid->shape;
        spec->part->mark = node->mark;
        spec->nparts = 1;
    } else if (spec->nparts == 0) {
        STICK_COMPLAIN(reader, node->mark, "'compound' has no parts");
        return STICK_OK;
    }
    spec->dim = spec->part[0].dim;
    for (int k = 1; k < spec->nparts; k++)
        if (spec->part[k].dim != spec->dim)
            STICK_COMPLAIN(reader, spec->part[k].mark,
                           "this part has dimension %d, but the first one has dimension %d",
                           spec->part[k].dim, spec->dim);
    if (reader->model->dim && spec->dim != reader->model->dim)
        STICK_COMPLAIN(reader, spec->mark, "this shape has dimension %d, but another body has dimension %d",
                       spec->dim, reader->model->dim);
    else
        reader->model->dim = spec->dim;
    check_inertia(reader, node, spec);
    return STICK_OK;
}

const StickSchema stick_rigid_table = {
    .title = "a rigid body",
    .text = "Exactly one of the shapes below, or several as a compound. Its mass is given, or follows from "
            "the density of the material (in the plane times the thickness).",
    .mark_at = STICK_AT(Rigid, spec.mark),
    .kind_at = STICK_AT(StickPartSpec, kind),
    .fields = rigid_fields,
    .finish = finish_rigid,
};

static bool is_same_part(const StickPartSpec *a, const StickPartSpec *b)
{
    return a->kind == b->kind && a->dim == b->dim && a->radius == b->radius && a->length == b->length &&
           a->npoints == b->npoints && stick_text_equal(a->file, b->file) &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 &&
           (a->npoints == 0 || memcmp(a->points, b->points, 3 * (size_t)a->npoints * sizeof *a->points) == 0);
}

static bool is_same(const StickRigidSpec *a, const StickRigidSpec *b)
{
    bool same = a->dim == b->dim && a->nparts == b->nparts && a->mass == b->mass &&
                memcmp(a->inertia, b->inertia, sizeof a->inertia) == 0;
    for (int k = 0; k < a->nparts && same; k++)
        same = is_same_part(&a->part[k], &b->part[k]);
    return same;
}

// Items of a repeat share equal shapes: that of the first item if it does not depend on the indices, else that of the
// previous item if equal.
StickStatus stick_read_rigid(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    bool again = reader->repeat.number > 0;
    if (again && !reader->rigid_varies) {
        body->rigid = reader->rigid;
        return STICK_OK;
    }
    Rigid read = {.spec = {.nparts = 0}};
    size_t varied = reader->varied;
    StickArenaMark mark = stick_arena_mark(&reader->model->arena);
    STICK_TRY(stick_read_map(reader, field->table, node, &read));
    reader->rigid_varies = reader->varied != varied;
    if (again && is_same(&read.spec, reader->rigid)) {
        stick_arena_release(&reader->model->arena, mark);
        body->rigid = reader->rigid;
        return STICK_OK;
    }
    StickRigidSpec *spec;
    STICK_TAKE(&reader->model->arena, spec, 1);
    *spec = read.spec;
    reader->rigid = body->rigid = spec;
    return STICK_OK;
}

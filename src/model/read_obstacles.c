// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"
#include "model/tables.h"

static const StickChoice sides[] = {
    {"outside", false, "the bodies are outside"},
    {"inside", true, "the bodies are inside"},
    {NULL, 0, NULL},
};

#define POINT(name, dimension, meaning)                                                                \
    {                                                                                                  \
        .key = name, .type = STICK_FIELD_NUMBERS, .text = meaning, .unit = "length", .required = true, \
        .components = dimension, .of_space = true, .at = STICK_AT(StickObstacleSpec, point)            \
    }
#define DIRECTION(name, dimension, meaning)                                                  \
    {                                                                                        \
        .key = name, .type = STICK_FIELD_NUMBERS, .text = meaning, .required = true,         \
        .components = dimension, .of_space = true, .at = STICK_AT(StickObstacleSpec, normal) \
    }
#define RADIUS                                                                                             \
    {                                                                                                      \
        .key = "radius", .type = STICK_FIELD_NUMBER, .text = "radius", .unit = "length", .required = true, \
        .range = STICK_POSITIVE, .at = STICK_AT(StickObstacleSpec, radius)                                 \
    }
#define SIDE                                                                                              \
    {                                                                                                     \
        .key = "side", .type = STICK_FIELD_SWITCH, .text = "where the bodies are", .standard = "outside", \
        .choices = sides, .at = STICK_AT(StickObstacleSpec, inside)                                       \
    }

static const StickField plane_fields[] = {
    POINT("point", 0, "a point of the plane"),
    DIRECTION("normal", 0, "normal that points out of the solid; of any length"),
    {.key = NULL},
};

static const StickField circle_fields[] = {POINT("centre", 2, "centre"), RADIUS, SIDE, {.key = NULL}};
static const StickField sphere_fields[] = {POINT("centre", 3, "centre"), RADIUS, SIDE, {.key = NULL}};
static const StickField cylinder_fields[] = {POINT("point", 3, "a point of the axis"),
                                             DIRECTION("axis", 3, "direction of the axis; of any length"),
                                             RADIUS,
                                             SIDE,
                                             {.key = NULL}};

static StickStatus finish_direction(StickReader *reader, const StickYaml *node, void *item)
{
    StickObstacleSpec *obstacle = item;
    const StickYaml *normal = stick_yaml_find(node, "normal"),
                    *direction = normal ? normal : stick_yaml_find(node, "axis");
    double length = stick_vec_normalise(obstacle->normal);
    if (!(length > 0) || isinf(length))
        STICK_COMPLAIN(reader, direction->mark, "'%s' has the length %g: it must be a direction",
                       direction->key, length);
    return STICK_OK;
}

// ---- polylines

static const StickField point_field = {
    .key = "points", .type = STICK_FIELD_NUMBER, .text = "coordinate of a point", .unit = "length"};

static StickStatus read_point(StickReader *reader, const StickYaml *node, double point[2])
{
    if (!stick_need_kind(reader, "points", node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 2) {
        STICK_COMPLAIN(reader, node->mark, "a point of 'points' has %d components, but must have 2",
                       node->count);
        return STICK_OK;
    }
    STICK_TRY(stick_read_number(reader, &point_field, node->first, &point[0]));
    return stick_read_number(reader, &point_field, node->first->next, &point[1]);
}

// Two neighbours at one place have no direction between them.
static void check_points(StickReader *reader, const StickObstacleSpec *obstacle, const StickYaml *node)
{
    const double *p = obstacle->points;
    const StickYaml *point = node->first->next;
    for (int k = 1; k < obstacle->npoints; k++, point = point->next)
        if (p[2 * k] == p[2 * k - 2] && p[2 * k + 1] == p[2 * k - 1])
            STICK_COMPLAIN(reader, point->mark,
                           "this point of 'points' coincides with the previous one: remove it");
}

static StickStatus read_points(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickObstacleSpec *obstacle = item;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count < 2) {
        STICK_COMPLAIN(reader, node->mark, "'points' needs at least 2 points");
        return STICK_OK;
    }
    STICK_TAKE(&reader->model->arena, obstacle->points, 2 * node->count);
    size_t errors = stick_error_count(reader->ctx);
    for (const StickYaml *point = node->first; point && !stick_gave_up(reader); point = point->next)
        STICK_TRY(read_point(reader, point, obstacle->points + 2 * obstacle->npoints++));
    if (stick_error_count(reader->ctx) == errors)
        check_points(reader, obstacle, node);
    StickModel *model = reader->model;
    STICK_RESERVE(reader->ctx, model->vector, model->vector_capacity, model->nvectors + 1);
    model->vector[model->nvectors++] = (StickVectorSpec){node->mark, field->key, 2};
    return STICK_OK;
}

static const StickField polyline_fields[] = {
    {.key = "points",
     .type = STICK_FIELD_OWN,
     .text = "corners; the solid is on the right of the direction of travel",
     .unit = "length",
     .required = true,
     .takes = "a list of points [x, y]",
     .json = "array",
     .read = read_points},
    {.key = NULL},
};

// ---- obstacles

static StickStatus read_material(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    return stick_read_material(reader, field, node, &((StickObstacleSpec *)item)->material);
}

static const StickSchema plane_table = {
    .title = "a plane",
    .fields = plane_fields,
    .finish = finish_direction,
    .text = "A half space; a half plane in two dimensions, a half line in one."};
static const StickSchema polyline_table = {
    .title = "a polyline", .fields = polyline_fields, .text = "A chain of segments in two dimensions."};
static const StickSchema circle_table = {
    .title = "a circle", .fields = circle_fields, .text = "A circle in two dimensions."};
static const StickSchema sphere_table = {
    .title = "a sphere", .fields = sphere_fields, .text = "A sphere in space."};
static const StickSchema cylinder_table = {.title = "a cylinder",
                                           .fields = cylinder_fields,
                                           .finish = finish_direction,
                                           .text = "An infinitely long cylinder in space."};

static const StickField obstacle_fields[] = {
    {.key = "plane",
     .type = STICK_FIELD_MAP,
     .text = "a plane, a line or a wall",
     .alternative = true,
     .value = STICK_OBSTACLE_PLANE,
     .table = &plane_table},
    {.key = "polyline",
     .type = STICK_FIELD_MAP,
     .text = "a chain of segments of finite length (use a plane for an infinite floor)",
     .alternative = true,
     .value = STICK_OBSTACLE_POLYLINE,
     .table = &polyline_table},
    {.key = "circle",
     .type = STICK_FIELD_MAP,
     .text = "a circle",
     .alternative = true,
     .value = STICK_OBSTACLE_CIRCLE,
     .table = &circle_table},
    {.key = "sphere",
     .type = STICK_FIELD_MAP,
     .text = "a sphere",
     .alternative = true,
     .value = STICK_OBSTACLE_CIRCLE,
     .table = &sphere_table},
    {.key = "cylinder",
     .type = STICK_FIELD_MAP,
     .text = "a cylinder",
     .alternative = true,
     .value = STICK_OBSTACLE_CYLINDER,
     .table = &cylinder_table},
    {.key = "displacement",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "prescribed displacement",
     .unit = "length",
     .standard = "zero",
     .sees = STICK_SEES_TIME,
     .of_space = true,
     .at = STICK_AT(StickObstacleSpec, displacement)},
    {.key = "velocity",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "prescribed velocity, instead of a displacement; a constant velocity describes a belt: bodies "
             "in contact with it receive an impact at the start unless they have the same velocity",
     .unit = "length/time",
     .standard = "zero",
     .sees = STICK_SEES_TIME,
     .of_space = true,
     .at = STICK_AT(StickObstacleSpec, velocity)},
    {.key = "record",
     .type = STICK_FIELD_OWN,
     .text = "prescribed motion by recorded time histories, instead; several are added",
     .table = &stick_time_history_table,
     .takes = "a mapping or a list of mappings",
     .read = stick_read_records},
    {.key = "material",
     .type = STICK_FIELD_OWN,
     .text = "name of a material, for contact rules of rigid bodies by material",
     .takes = "name of a material",
     .json = "string",
     .read = read_material},
    {.key = NULL},
};

static StickStatus finish_obstacle(StickReader *reader, const StickYaml *node, void *item)
{
    StickObstacleSpec *obstacle = item;
    const StickYaml *record = stick_yaml_find(node, "record");
    stick_check_prescribed(reader, node, obstacle->displacement, obstacle->velocity);
    if (record && (stick_yaml_find(node, "displacement") || stick_yaml_find(node, "velocity")))
        STICK_COMPLAIN(reader, record->key_mark,
                       "an obstacle moves by 'displacement', 'velocity' or 'record': give one of them");
    if (!stick_yaml_find(node, "material"))
        obstacle->material = -1;
    return STICK_OK;
}

const StickSchema stick_obstacle_table = {
    .title = "an obstacle",
    .text = "A rigid obstacle, at rest or moving as prescribed: exactly one of the shapes below.",
    .size = sizeof(StickObstacleSpec),
    .mark_at = STICK_AT(StickObstacleSpec, mark),
    .name_at = STICK_AT(StickObstacleSpec, name),
    .kind_at = STICK_AT(StickObstacleSpec, kind),
    .fields = obstacle_fields,
    .finish = finish_obstacle,
};

// SPDX-License-Identifier: Apache-2.0
// Joints between rigid bodies, or of a rigid body with an obstacle or with space.
#include "base/vec.h"
#include "model/tables.h"

#include <stdio.h>
#include <string.h>

// ---- connected bodies

static StickStatus read_joined(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    STICK_TRY(stick_read_single(reader, node, target));
    if (target->body >= 0 && !reader->model->body[target->body].rigid)
        STICK_COMPLAIN(reader, node->mark, "'%s' is deformable: joints are between rigid bodies", node->text);
    else if (target->group)
        STICK_COMPLAIN(reader, node->mark,
                       "'%s' names a group, but a joint connects whole bodies: name the body", node->text);
    return STICK_OK;
}

static StickStatus read_between(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickJointSpec *joint = item;
    joint->body = joint->other_body = joint->other_obstacle = -1;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 1 && node->count != 2) {
        STICK_COMPLAIN(reader, node->mark,
                       "'between' has %d members, but a joint has two, or one if it is fixed to space",
                       node->count);
        return STICK_OK;
    }
    StickTarget first, second = {.body = -1, .obstacle = -1};
    size_t errors = stick_error_count(reader->ctx);
    STICK_TRY(read_joined(reader, node->first, &first));
    if (node->count == 2)
        STICK_TRY(read_joined(reader, node->first->next, &second));
    if (stick_error_count(reader->ctx) != errors)
        return STICK_OK;
    if (first.obstacle >= 0)
        STICK_COMPLAIN(reader, node->first->mark, "'%s' is an obstacle: the first of a joint must be a body",
                       node->first->text);
    else if (first.body == second.body)
        STICK_COMPLAIN(reader, node->mark, "a joint cannot connect body '%s' to itself",
                       reader->model->body[first.body].name);
    joint->body = first.body;
    joint->other_body = second.body;
    joint->other_obstacle = second.obstacle;
    return STICK_OK;
}

// ---- kinds

#define BETWEEN                                                                                             \
    {                                                                                                       \
        .key = "between", .type = STICK_FIELD_OWN, .required = true, .json = "array", .read = read_between, \
        .takes = "[body, body or obstacle], or [body] alone, fixed to space",                               \
        .text = "the rigid bodies it connects"                                                              \
    }
#define POINT(name, needed, meaning, member)                                                             \
    {                                                                                                    \
        .key = name, .type = STICK_FIELD_NUMBERS, .text = meaning, .unit = "length", .required = needed, \
        .of_space = true, .at = STICK_AT(StickJointSpec, member)                                         \
    }
#define AXIS(needed, meaning)                                                                              \
    {                                                                                                      \
        .key = "axis", .type = STICK_FIELD_NUMBERS, .text = meaning, .required = needed, .of_space = true, \
        .at = STICK_AT(StickJointSpec, axis)                                                               \
    }
#define MOTION(name, meaning, of_unit, member)                                                              \
    {                                                                                                       \
        .key = name, .type = STICK_FIELD_EXPRESSION, .text = meaning, .unit = of_unit, .alternative = true, \
        .sees = STICK_SEES_TIME, .at = STICK_AT(StickJointSpec, member)                                     \
    }

static const StickField pin_fields[] = {BETWEEN,
                                        POINT("at", true, "initial position of the pin", point),
                                        AXIS(false, "direction of the pin axis, in three dimensions"),
                                        {.key = NULL}};
static const StickField slider_fields[] = {
    BETWEEN,
    POINT("at", false, "a point of the guide at the start; default: the mass centre of the first body",
          point),
    AXIS(true, "direction of the guide, fixed in the second body"),
    {.key = NULL}};
static const StickField fixed_fields[] = {BETWEEN, {.key = NULL}};
static const StickField ball_fields[] = {
    BETWEEN, POINT("at", true, "initial position of the ball", point), {.key = NULL}};

#define ENDS                                                                       \
    POINT("from", true, "initial position of the point on the first body", point), \
        POINT("to", true, "initial position of the point on the second body", other_point)
#define NATURAL_LENGTH(meaning)                                                         \
    {                                                                                   \
        .key = "length", .type = STICK_FIELD_NUMBER, .text = meaning, .unit = "length", \
        .range = STICK_POSITIVE, .at = STICK_AT(StickJointSpec, length)                 \
    }

static const StickField distance_fields[] = {
    BETWEEN, ENDS, NATURAL_LENGTH("prescribed distance; default: the initial distance"), {.key = NULL}};
static const StickField spring_fields[] = {BETWEEN,
                                           ENDS,
                                           NATURAL_LENGTH("unloaded length; default: the initial length"),
                                           {.key = "stiffness",
                                            .type = STICK_FIELD_NUMBER,
                                            .text = "force per elongation",
                                            .unit = "force/length",
                                            .standard = "0",
                                            .range = STICK_NOT_NEGATIVE,
                                            .at = STICK_AT(StickJointSpec, stiffness)},
                                           {.key = "damping",
                                            .type = STICK_FIELD_NUMBER,
                                            .text = "force per elongation rate",
                                            .unit = "force time/length",
                                            .standard = "0",
                                            .range = STICK_NOT_NEGATIVE,
                                            .at = STICK_AT(StickJointSpec, damping)},
                                           {.key = NULL}};
static const StickField gear_fields[] = {
    BETWEEN,
    {.key = "ratio",
     .type = STICK_FIELD_NUMBER,
     .text = "angular velocity of the second body divided by that of the first; negative for external gears",
     .required = true,
     .at = STICK_AT(StickJointSpec, ratio)},
    AXIS(false, "direction of the axes, in three dimensions"),
    {.key = NULL}};
static const StickField motor_fields[] = {
    BETWEEN,
    MOTION("angle", "rotation of the first body relative to the second, since the start", "radian", motion),
    MOTION("angular-velocity", "its velocity", "radian/time", motion_speed),
    MOTION("displacement",
           "displacement of the first body relative to the second along the axis, since the start", "length",
           motion),
    MOTION("velocity", "its velocity", "length/time", motion_speed),
    AXIS(false, "axis of the rotation (three dimensions) or of the displacement"),
    {.key = NULL}};

static StickStatus finish_axis(StickReader *reader, const StickYaml *node, void *item)
{
    StickJointSpec *joint = item;
    const StickYaml *axis = stick_yaml_find(node, "axis");
    joint->has_axis = axis != NULL;
    joint->has_point = stick_yaml_find(node, "at") != NULL;
    double length = stick_vec_normalise(joint->axis);
    if (axis && (!(length > 0) || isinf(length)))
        STICK_COMPLAIN(reader, axis->mark, "'axis' has the length %g: it must be a direction", length);
    return STICK_OK;
}

static void need_axis(StickReader *reader, const StickYaml *node, bool needed)
{
    const StickYaml *axis = stick_yaml_find(node, "axis");
    if (needed && !axis)
        STICK_COMPLAIN(reader, node->mark, "'%s' needs the key 'axis'%s", node->key,
                       reader->model->dim == 3 ? " in space" : "");
    else if (!needed && axis)
        STICK_COMPLAIN(
            reader, axis->key_mark,
            "'axis' is for three dimensions: remove it, because in two dimensions '%s' rotates in the plane",
            node->key);
}

static StickStatus finish_turning(StickReader *reader, const StickYaml *node, void *item)
{
    StickJointSpec *joint = item;
    need_axis(reader, node, reader->model->dim == 3);
    const StickYaml *ratio = stick_yaml_find(node, "ratio");
    if (ratio && joint->ratio == 0)
        STICK_COMPLAIN(reader, ratio->mark, "'ratio' is 0, but must be nonzero");
    if (ratio && joint->other_body < 0)
        STICK_COMPLAIN(reader, stick_yaml_find(node, "between")->mark, "a gear is between two bodies");
    return finish_axis(reader, node, item);
}

static StickStatus finish_motor(StickReader *reader, const StickYaml *node, void *item)
{
    StickJointSpec *joint = item;
    joint->slides = stick_yaml_find(node, "displacement") || stick_yaml_find(node, "velocity");
    need_axis(reader, node, joint->slides || reader->model->dim == 3);
    return finish_axis(reader, node, item);
}

static StickStatus finish_ends(StickReader *reader, const StickYaml *node, void *item)
{
    StickJointSpec *joint = item;
    if (!stick_yaml_find(node, "length"))
        joint->length = -1;
    if (strcmp(node->key, "spring") == 0 && !stick_yaml_find(node, "stiffness") &&
        !stick_yaml_find(node, "damping"))
        STICK_COMPLAIN(reader, node->mark, "a spring needs 'stiffness' or 'damping'");
    double apart[3];
    stick_vec_sub(joint->point, joint->other_point, apart);
    if (stick_vec_norm(apart) == 0)
        STICK_COMPLAIN(reader, node->mark,
                       "'from' and 'to' coincide, so that '%s' has no direction: give different points",
                       node->key);
    return STICK_OK;
}

#define TABLE(name, reading, meaning, last)                               \
    {                                                                     \
        .title = name, .fields = reading, .text = meaning, .finish = last \
    }

static const StickSchema pin_table =
    TABLE("a pin", pin_fields,
          "The bodies rotate about a common point; in three dimensions about a common axis.", finish_turning);
static const StickSchema slider_table =
    TABLE("a slider", slider_fields,
          "The first body slides along an axis of the second without relative rotation.", finish_axis);
static const StickSchema fixed_table =
    TABLE("a fixed joint", fixed_fields, "The bodies are rigidly connected.", NULL);
static const StickSchema ball_table =
    TABLE("a ball joint", ball_fields, "The bodies rotate freely about a common point.", NULL);
static const StickSchema distance_table = TABLE(
    "a distance", distance_fields, "The distance of two points is constant: a massless rod.", finish_ends);
static const StickSchema gear_table =
    TABLE("a gear", gear_fields,
          "The angular velocities of the bodies have a fixed ratio; pins or sliders must support the bodies.",
          finish_turning);
static const StickSchema motor_table =
    TABLE("a motor", motor_fields,
          "Prescribed relative rotation or displacement of the first body with respect to the second: "
          "exactly one of these. A pin or slider must connect the bodies.",
          finish_motor);
static const StickSchema spring_table =
    TABLE("a spring", spring_fields, "A spring and a damper between two points.", finish_ends);

// ---- joints

#define KIND(name, meaning, kind, fields_of)                                                       \
    {                                                                                              \
        .key = name, .type = STICK_FIELD_MAP, .text = meaning, .alternative = true, .value = kind, \
        .table = fields_of                                                                         \
    }

static const StickField joint_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "name in messages and results; default: joint1, joint2 ...",
     .at = STICK_AT(StickJointSpec, name)},
    STICK_REPEAT_FIELD,
    {.key = "collide",
     .type = STICK_FIELD_BOOL,
     .text = "whether the connected bodies may also be in contact; default: true for springs, false for "
             "other joints",
     .at = STICK_AT(StickJointSpec, collides)},
    KIND("pin", "a common point; in space a common axis", STICK_JOINT_PIN, &pin_table),
    KIND("slider", "a guide", STICK_JOINT_SLIDER, &slider_table),
    KIND("fixed", "a rigid connection", STICK_JOINT_FIXED, &fixed_table),
    KIND("ball", "a common point", STICK_JOINT_BALL, &ball_table),
    KIND("distance", "two points at a constant distance", STICK_JOINT_DISTANCE, &distance_table),
    KIND("gear", "a ratio of angular velocities", STICK_JOINT_GEAR, &gear_table),
    KIND("motor", "a prescribed relative rotation or displacement", STICK_JOINT_MOTOR, &motor_table),
    KIND("spring", "a spring and a damper", STICK_JOINT_SPRING, &spring_table),
    {.key = NULL},
};

static void check_name(StickReader *reader, const StickJointSpec *joint, const char *name)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->njoints; k += stick_repeat_count(&model->joint[k].repeat)) {
        const char *other = model->joint[k].name ? model->joint[k].name : "";
        size_t length = strcspn(other, "[");
        if (length == strlen(name) && strncmp(other, name, length) == 0)
            STICK_COMPLAIN(reader, joint->mark, "two joints have the name '%s'", name);
    }
}

static StickStatus finish_joint(StickReader *reader, const StickYaml *node, void *item)
{
    StickJointSpec *joint = item;
    const StickModel *model = reader->model;
    char own[32];
    if (!stick_yaml_find(node, "collide"))
        joint->collides = joint->kind == STICK_JOINT_SPRING;
    const char *name = joint->name;
    if (!name) {
        snprintf(own, sizeof own, "joint%d", model->njoints + 1 - reader->repeat.number);
        name = own;
    }
    if (reader->repeat.number == 0)
        check_name(reader, joint, name);
    joint->name = stick_repeat_name(reader, name, &reader->repeat);
    return joint->name ? STICK_OK : STICK_NO_MEMORY;
}

const StickSchema stick_joint_table = {
    .title = "a joint",
    .text = "A joint between rigid bodies: exactly one of the types below. Positions and directions are "
            "those of the initial configuration.",
    .size = sizeof(StickJointSpec),
    .mark_at = STICK_AT(StickJointSpec, mark),
    .kind_at = STICK_AT(StickJointSpec, kind),
    .repeat_at = STICK_AT(StickJointSpec, repeat),
    .fields = joint_fields,
    .finish = finish_joint,
};

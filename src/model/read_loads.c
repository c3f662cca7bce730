// SPDX-License-Identifier: Apache-2.0
// Supports and loads of bodies and their groups.
#include "model/tables.h"

static StickStatus read_on_support(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)field;
    return stick_read_acted(reader, node, &((StickSupportSpec *)item)->on);
}

static StickStatus read_on_load(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)field;
    return stick_read_acted(reader, node, &((StickLoadSpec *)item)->on);
}

static bool is_rigid(const StickReader *reader, const StickTarget *target)
{
    return target->body >= 0 && reader->model->body[target->body].rigid;
}

// ---- supports

void stick_check_prescribed(StickReader *reader, const StickYaml *node,
                            StickExpression *const displacement[3], StickExpression *const velocity[3])
{
    for (int k = 0; k < 3; k++) {
        if (!displacement[k] || !velocity[k])
            continue;
        STICK_COMPLAIN(reader, stick_yaml_find(node, "velocity")->mark,
                       "component %d has both a displacement and a velocity: give only one of them", k + 1);
        return;
    }
}

// One function of time in the plane, three in space.
static StickStatus read_spin(StickReader *reader, const StickField *field, const StickYaml *node, int dim,
                             StickExpression *value[3])
{
    if ((dim == 3) != (node->kind == STICK_YAML_LIST)) {
        STICK_COMPLAIN(reader, node->mark, "'%s' must be %s", field->key,
                       dim == 3 ? "a list of 3 in space" : "one number in the plane");
        return STICK_OK;
    }
    StickField vector = *field;
    vector.type = STICK_FIELD_EXPRESSIONS;
    vector.components = 3;
    return dim == 3 ? stick_read_vector(reader, &vector, node, value)
                    : stick_read_expression(reader, field, node, &value[2]);
}

static StickStatus read_support_spin(StickReader *reader, const StickField *field, StickYaml *node,
                                     void *item)
{
    return read_spin(reader, field, node, reader->model->dim, ((StickSupportSpec *)item)->angular_velocity);
}

// Rotations are for rigid bodies; angles in the plane only.
static void check_turn(StickReader *reader, const StickYaml *node, const StickSupportSpec *support)
{
    const StickYaml *rotation = stick_yaml_find(node, "rotation"),
                    *spin = stick_yaml_find(node, "angular-velocity");
    const StickYaml *given = rotation ? rotation : spin;
    if (given && !is_rigid(reader, &support->on))
        STICK_COMPLAIN(reader, given->key_mark, "'%s' is for rigid bodies", given->key);
    else if (rotation && reader->model->dim == 3)
        STICK_COMPLAIN(reader, rotation->key_mark,
                       "'rotation' is for two dimensions: give 'angular-velocity' in three dimensions");
    else if (rotation && spin)
        STICK_COMPLAIN(reader, spin->key_mark,
                       "a support has both 'rotation' and 'angular-velocity': give only one of them");
}

static StickStatus finish_support(StickReader *reader, const StickYaml *node, void *item)
{
    StickSupportSpec *support = item;
    stick_check_prescribed(reader, node, support->displacement, support->velocity);
    check_turn(reader, node, support);
    bool holds = support->rotation != NULL;
    for (int k = 0; k < 3; k++)
        holds = holds || support->displacement[k] || support->velocity[k] || support->angular_velocity[k];
    if (!holds)
        STICK_COMPLAIN(reader, node->mark,
                       "this support prescribes nothing: give 'displacement' or 'velocity'%s",
                       is_rigid(reader, &support->on) ? ", 'rotation' or 'angular-velocity'" : "");
    return STICK_OK;
}

static const StickField support_fields[] = {
    {.key = "on",
     .type = STICK_FIELD_OWN,
     .text = "where",
     .required = true,
     .takes = "body.group, or one or several rigid bodies",
     .json = "string",
     .read = read_on_support},
    {.key = "displacement",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "prescribed displacements",
     .unit = "length",
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .of_space = true,
     .may_be_free = true,
     .at = STICK_AT(StickSupportSpec, displacement)},
    {.key = "velocity",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "prescribed velocities",
     .unit = "length/time",
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .of_space = true,
     .may_be_free = true,
     .at = STICK_AT(StickSupportSpec, velocity)},
    {.key = "rotation",
     .type = STICK_FIELD_EXPRESSION,
     .text = "prescribed angle of a rigid body in the plane, since the start",
     .unit = "radian",
     .sees = STICK_SEES_TIME,
     .at = STICK_AT(StickSupportSpec, rotation)},
    {.key = "angular-velocity",
     .type = STICK_FIELD_OWN,
     .text = "prescribed angular velocity of a rigid body",
     .unit = "radian/time",
     .sees = STICK_SEES_TIME,
     .may_be_free = true,
     .takes = "a number of t; in space a list of 3, each may be free",
     .read = read_support_spin},
    {.key = NULL},
};

const StickSchema stick_support_table = {
    .title = "a support",
    .text = "Prescribed motion of a group of nodes, or of the mass centre of rigid bodies, component by "
            "component; `free` or `~` leaves one free.",
    .size = sizeof(StickSupportSpec),
    .mark_at = STICK_AT(StickSupportSpec, mark),
    .fields = support_fields,
    .finish = finish_support,
};

// ---- loads

static StickStatus read_torque(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    return read_spin(reader, field, node, reader->model->dim, ((StickLoadSpec *)item)->value);
}

static const StickField load_fields[] = {
    {.key = "on",
     .type = STICK_FIELD_OWN,
     .text = "where",
     .required = true,
     .takes = "body.group, or one or several rigid bodies",
     .json = "string",
     .read = read_on_load},
    {.key = "pressure",
     .type = STICK_FIELD_EXPRESSION,
     .text = "pressure on the surface, positive in compression",
     .unit = "stress",
     .alternative = true,
     .value = STICK_LOAD_PRESSURE,
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .at = STICK_AT(StickLoadSpec, value)},
    {.key = "traction",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "force per area",
     .unit = "stress",
     .alternative = true,
     .value = STICK_LOAD_TRACTION,
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .of_space = true,
     .at = STICK_AT(StickLoadSpec, value)},
    {.key = "force",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "force on each node of the group; on a rigid body x, y and z are where its point is now",
     .unit = "force",
     .alternative = true,
     .value = STICK_LOAD_FORCE,
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .of_space = true,
     .at = STICK_AT(StickLoadSpec, value)},
    {.key = "torque",
     .type = STICK_FIELD_OWN,
     .text = "torque on a rigid body",
     .unit = "force length",
     .alternative = true,
     .value = STICK_LOAD_TORQUE,
     .sees = STICK_SEES_TIME,
     .takes = "a number of t; in space a list of 3",
     .read = read_torque},
    {.key = "hold",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "force control: total force on the group, whose nodes have equal displacements along each "
             "controlled axis; `free` or `~`: not controlled; quasistatic steps only",
     .unit = "force",
     .alternative = true,
     .value = STICK_LOAD_HOLD,
     .sees = STICK_SEES_TIME,
     .of_space = true,
     .may_be_free = true,
     .at = STICK_AT(StickLoadSpec, value)},
    {.key = "at",
     .type = STICK_FIELD_NUMBERS,
     .text =
         "point of action of a force on a rigid body, in the frame of its shapes; default: the mass centre",
     .unit = "length",
     .of_space = true,
     .at = STICK_AT(StickLoadSpec, point)},
    {.key = "follows",
     .type = STICK_FIELD_BOOL,
     .text = "force or torque turns with the rigid body; pressure stays normal to the surface of a body of "
             "finite "
             "strains, on the area that it has then",
     .standard = "false",
     .at = STICK_AT(StickLoadSpec, follows)},
    {.key = NULL},
};

static void check_rigid_load(StickReader *reader, const StickYaml *node, const StickLoadSpec *load)
{
    const StickYaml *at = stick_yaml_find(node, "at");
    if (load->kind != STICK_LOAD_FORCE && load->kind != STICK_LOAD_TORQUE)
        STICK_COMPLAIN(reader, node->mark, "loads on rigid bodies are 'force' or 'torque' only");
    else if (at && load->kind == STICK_LOAD_TORQUE)
        STICK_COMPLAIN(reader, at->key_mark,
                       "'at' requires 'force': the effect of a torque does not depend on its position");
}

// Of small strains a surface neither turns nor grows.
static void check_follower(StickReader *reader, const StickYaml *follows, const StickLoadSpec *load)
{
    const StickModel *model = reader->model;
    const StickBodySpec *body = load->on.body >= 0 ? &model->body[load->on.body] : NULL;
    if (load->kind != STICK_LOAD_PRESSURE)
        STICK_COMPLAIN(reader, follows->key_mark,
                       "'follows' is for pressure, and for forces on rigid bodies: give 'pressure'");
    else if (load->follows && body && stick_material_of(model, body) &&
             stick_material_of(model, body)->law == STICK_MATERIAL_ELASTIC)
        STICK_COMPLAIN(reader, follows->key_mark,
                       "'follows' is for bodies with finite strains, but '%s' is linear elastic: remove it, "
                       "or give its material a finite-strain law",
                       body->name);
}

static void check_deformable_load(StickReader *reader, const StickYaml *node, const StickLoadSpec *load)
{
    const StickYaml *at = stick_yaml_find(node, "at"), *follows = stick_yaml_find(node, "follows");
    if (load->kind == STICK_LOAD_TORQUE)
        STICK_COMPLAIN(reader, node->mark, "'torque' is for rigid bodies");
    else if (at)
        STICK_COMPLAIN(reader, at->key_mark, "'%s' is for rigid bodies", at->key);
    else if (follows)
        check_follower(reader, follows, load);
}

static StickStatus finish_load(StickReader *reader, const StickYaml *node, void *item)
{
    StickLoadSpec *load = item;
    load->has_point = stick_yaml_find(node, "at") != NULL;
    if (is_rigid(reader, &load->on))
        check_rigid_load(reader, node, load);
    else
        check_deformable_load(reader, node, load);
    if (load->kind == STICK_LOAD_HOLD && !load->value[0] && !load->value[1] && !load->value[2])
        STICK_COMPLAIN(reader, node->mark, "'hold' controls no axis: give a force along at least one axis");
    return STICK_OK;
}

const StickSchema stick_load_table = {
    .title = "a load",
    .text = "A load on a group: exactly one of pressure, traction, force, torque and hold.",
    .size = sizeof(StickLoadSpec),
    .mark_at = STICK_AT(StickLoadSpec, mark),
    .kind_at = STICK_AT(StickLoadSpec, kind),
    .fields = load_fields,
    .finish = finish_load,
};

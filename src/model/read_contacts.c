// SPDX-License-Identifier: Apache-2.0
// What acts on named parts of bodies: targets, supports, loads and contacts.
#include "model/tables.h"

#include <string.h>

// ---- targets

static int find_body(const StickModel *model, const char *name, size_t length)
{
    for (int k = 0; k < model->nbodies; k++)
        if (strlen(model->body[k].name) == length && strncmp(model->body[k].name, name, length) == 0)
            return k;
    return -1;
}

static int find_obstacle(const StickModel *model, const char *name)
{
    for (int k = 0; k < model->nobstacles; k++)
        if (strcmp(model->obstacle[k].name, name) == 0)
            return k;
    return -1;
}

static void complain_target(StickReader *reader, const StickYaml *node, size_t length)
{
    const StickModel *model = reader->model;
    const char *names[128];
    size_t count = 0;
    for (int k = 0; k < model->nbodies && count < 64; k++)
        names[count++] = model->body[k].name;
    bool grouped = node->text[length] == '.';
    for (int k = 0; k < model->nobstacles && !grouped && count < 128; k++)
        names[count++] = model->obstacle[k].name;
    char word[101];
    size_t shown = length < sizeof word - 1 ? length : sizeof word - 1;
    memcpy(word, node->text, shown);
    word[shown] = '\0';
    stick_complain_word(reader, node->mark, grouped ? "body" : "body or obstacle", word, names, count);
}

StickStatus stick_read_target(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    if (!stick_need_kind(reader, node->key ? node->key : "between", node, STICK_YAML_SCALAR))
        return STICK_OK;
    size_t length = strcspn(node->text, ".");
    StickTarget read = {
        .mark = node->mark, .obstacle = -1, .body = find_body(reader->model, node->text, length)};
    if (node->text[length] == '\0' && read.body < 0)
        read.obstacle = find_obstacle(reader->model, node->text);
    if (read.body < 0 && read.obstacle < 0) {
        complain_target(reader, node, length);
        return STICK_OK;
    }
    if (node->text[length] == '.') {
        const char *group = node->text + length + 1;
        if (group[0] == '\0')
            STICK_COMPLAIN(reader, node->mark, "'%s' names no group behind the point", node->text);
        read.group = stick_keep_text(reader, group);
        if (!read.group)
            return STICK_NO_MEMORY;
    }
    *target = read;
    return STICK_OK;
}

StickStatus stick_read_group(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    size_t errors = stick_error_count(reader->ctx);
    STICK_TRY(stick_read_target(reader, node, target));
    if (stick_error_count(reader->ctx) == errors && !target->group)
        STICK_COMPLAIN(reader, node->mark, "'%s' must be a group of a body, as body.group", node->text);
    return STICK_OK;
}

static StickStatus read_on_support(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)field;
    return stick_read_group(reader, node, &((StickSupportSpec *)item)->on);
}

static StickStatus read_on_load(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)field;
    return stick_read_group(reader, node, &((StickLoadSpec *)item)->on);
}

// ---- supports

void stick_check_prescribed(StickReader *reader, const StickYaml *node,
                            StickExpression *const displacement[3], StickExpression *const velocity[3])
{
    for (int k = 0; k < 3; k++) {
        if (!displacement[k] || !velocity[k])
            continue;
        STICK_COMPLAIN(reader, stick_yaml_find(node, "velocity")->mark,
                       "component %d has a displacement and a velocity: give one of them", k + 1);
        return;
    }
}

static StickStatus finish_support(StickReader *reader, const StickYaml *node, void *item)
{
    StickSupportSpec *support = item;
    stick_check_prescribed(reader, node, support->displacement, support->velocity);
    bool holds = false;
    for (int k = 0; k < 3; k++)
        holds = holds || support->displacement[k] || support->velocity[k];
    if (!holds)
        STICK_COMPLAIN(reader, node->mark,
                       "a support that prescribes nothing: give 'displacement' or 'velocity'");
    return STICK_OK;
}

static const StickField support_fields[] = {
    {.key = "on",
     .type = STICK_FIELD_OWN,
     .text = "where",
     .required = true,
     .takes = "body.group",
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
    {.key = NULL},
};

const StickSchema stick_support_table = {
    .title = "a support",
    .text = "Prescribed motion of a group of nodes, component by component; `free` or `~` leaves one free.",
    .size = sizeof(StickSupportSpec),
    .mark_at = STICK_AT(StickSupportSpec, mark),
    .fields = support_fields,
    .finish = finish_support,
};

// ---- loads

static const StickField load_fields[] = {
    {.key = "on",
     .type = STICK_FIELD_OWN,
     .text = "where",
     .required = true,
     .takes = "body.group",
     .json = "string",
     .read = read_on_load},
    {.key = "pressure",
     .type = STICK_FIELD_EXPRESSION,
     .text = "against the surface",
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
     .text = "force on each node of the group",
     .unit = "force",
     .alternative = true,
     .value = STICK_LOAD_FORCE,
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .of_space = true,
     .at = STICK_AT(StickLoadSpec, value)},
    {.key = "hold",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "total force on the group, whose nodes move as one along each axis that is held: `free` or `~` "
             "holds no force; quasistatic steps only",
     .unit = "force",
     .alternative = true,
     .value = STICK_LOAD_HOLD,
     .sees = STICK_SEES_TIME,
     .of_space = true,
     .may_be_free = true,
     .at = STICK_AT(StickLoadSpec, value)},
    {.key = NULL},
};

static StickStatus finish_load(StickReader *reader, const StickYaml *node, void *item)
{
    const StickLoadSpec *load = item;
    if (load->kind == STICK_LOAD_HOLD && !load->value[0] && !load->value[1] && !load->value[2])
        STICK_COMPLAIN(reader, node->mark, "a load that holds nothing: give a force along one axis at least");
    return STICK_OK;
}

const StickSchema stick_load_table = {
    .title = "a load",
    .text = "A load on a group: exactly one of pressure, traction, force and hold.",
    .size = sizeof(StickLoadSpec),
    .mark_at = STICK_AT(StickLoadSpec, mark),
    .kind_at = STICK_AT(StickLoadSpec, kind),
    .fields = load_fields,
    .finish = finish_load,
};

// ---- contacts

static bool same_target(const StickTarget *a, const StickTarget *b)
{
    return a->body == b->body && a->obstacle == b->obstacle && stick_text_equal(a->group, b->group);
}

static StickStatus read_between(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickContactSpec *contact = item;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 2) {
        STICK_COMPLAIN(reader, node->mark, "'between' has %d members, but a contact is between two",
                       node->count);
        return STICK_OK;
    }
    size_t errors = stick_error_count(reader->ctx);
    STICK_TRY(stick_read_group(reader, node->first, &contact->slave));
    STICK_TRY(stick_read_target(reader, node->first->next, &contact->master));
    if (stick_error_count(reader->ctx) != errors)
        return STICK_OK;
    if (contact->master.body >= 0 && !contact->master.group)
        STICK_COMPLAIN(reader, contact->master.mark, "'%s' is a body: name one of its groups, as body.group",
                       node->first->next->text);
    else if (same_target(&contact->slave, &contact->master))
        STICK_COMPLAIN(reader, contact->master.mark, "'%s' cannot touch itself", node->first->next->text);
    return STICK_OK;
}

static const StickChoice methods[] = {
    {"nodes", STICK_CONTACT_NODES, "unknowns at the nodes of the first surface"},
    {"integrated", STICK_CONTACT_INTEGRATED, "gap integrated over the first surface"},
    {NULL, 0, NULL},
};

static const StickField contact_fields[] = {
    {.key = "between",
     .type = STICK_FIELD_OWN,
     .text = "the surface that carries the unknowns, and its antagonist",
     .required = true,
     .takes = "[body.group, body.group or obstacle]",
     .json = "array",
     .read = read_between},
    {.key = "friction",
     .type = STICK_FIELD_EXPRESSION,
     .text = "Coulomb's coefficient; v is the sliding speed, 0 where it sticks, p the pressure",
     .standard = "0",
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE | STICK_SEES_SLIDING,
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickContactSpec, law.friction)},
    {.key = "method",
     .type = STICK_FIELD_CHOICE,
     .text = "nodes, or integrated for quadratic elements, unless given",
     .choices = methods,
     .at = STICK_AT(StickContactSpec, method)},
    {.key = "reach",
     .type = STICK_FIELD_NUMBER,
     .text = "what is farther apart than this, and than what can move in a step, is left out",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickContactSpec, reach)},
    {.key = NULL},
};

const StickSchema stick_contact_table = {
    .title = "a contact",
    .text = "Two surfaces that may touch.",
    .size = sizeof(StickContactSpec),
    .mark_at = STICK_AT(StickContactSpec, mark),
    .fields = contact_fields,
};

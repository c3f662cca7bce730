// SPDX-License-Identifier: Apache-2.0
// Names of bodies, groups and obstacles: "block", "block.bottom", "block[0,1]", "block[*,1].bottom", "floor".
#include "model/tables.h"

#include <math.h>
#include <string.h>

enum { LONGEST_INDEX = 200 };

// The parts of a reference, all inside of its text.
typedef struct Reference {
    const char *name;
    size_t length;
    const char *indices; // after [, or NULL
    size_t indices_length;
    const char *group; // or NULL
} Reference;

// Bodies of a repeat stand side by side: from one name to the next.
static int find_body(const StickModel *model, const Reference *reference)
{
    for (int b = 0; b < model->nbodies; b += stick_repeat_count(&model->body[b].repeat)) {
        const char *name = model->body[b].name;
        size_t length = model->body[b].repeat.nindices ? strcspn(name, "[") : strlen(name);
        if (length == reference->length && strncmp(name, reference->name, length) == 0)
            return b;
    }
    return -1;
}

static int find_obstacle(const StickModel *model, const Reference *reference)
{
    for (int k = 0; k < model->nobstacles; k++)
        if (strlen(model->obstacle[k].name) == reference->length &&
            strncmp(model->obstacle[k].name, reference->name, reference->length) == 0)
            return k;
    return -1;
}

static char *keep_part(StickReader *reader, const char *text, size_t length)
{
    char *copy = stick_arena_take(&reader->model->arena, length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

// The name of a body: up to its indices or group. One of a pair of gears has a point in it, as pair.1.
static size_t name_length(const StickModel *model, const char *text)
{
    size_t length = strcspn(text, ".[");
    if (text[length] == '.' && stick_model_gears(model, text, length))
        length += 1 + strcspn(text + length + 1, ".[");
    return length;
}

// Other kinds of items that are allowed in this place.
typedef enum Also { ALSO_NOTHING, ALSO_MATERIALS, ALSO_JOINTS } Also;

static StickStatus complain_target(StickReader *reader, const StickYaml *node, const Reference *reference,
                                   Also also)
{
    const StickModel *model = reader->model;
    const char *names[192];
    size_t count = 0;
    for (int b = 0; b < model->nbodies && count < 64; b += stick_repeat_count(&model->body[b].repeat)) {
        const char *name = model->body[b].name;
        size_t length = model->body[b].repeat.nindices ? strcspn(name, "[") : strlen(name);
        names[count] = keep_part(reader, name, length);
        if (!names[count++])
            return STICK_NO_MEMORY;
    }
    bool body = reference->group || reference->indices;
    for (int k = 0; k < model->nobstacles && !body && count < 128; k++)
        names[count++] = model->obstacle[k].name;
    for (int k = 0; k < model->nmaterials && also == ALSO_MATERIALS && !body && count < 192; k++)
        names[count++] = model->material[k].name;
    for (int k = 0; k < model->njoints && also == ALSO_JOINTS && !body && count < 192; k++)
        if (model->joint[k].name)
            names[count++] = model->joint[k].name;
    char *word = keep_part(reader, reference->name, reference->length < 100 ? reference->length : 100);
    if (!word)
        return STICK_NO_MEMORY;
    static const char *const kinds[] = {"body or obstacle", "body, obstacle or material",
                                        "body, obstacle or joint"};
    stick_complain_word(reader, node->mark, body ? "body" : kinds[also], word, names, count);
    return STICK_OK;
}

static bool split(StickReader *reader, const StickYaml *node, Reference *reference)
{
    const char *text = node->text, *rest;
    *reference = (Reference){.name = text, .length = name_length(reader->model, text)};
    rest = text + reference->length;
    if (*rest == '[') {
        reference->indices = rest + 1;
        reference->indices_length = strcspn(rest + 1, "]");
        rest += 1 + reference->indices_length;
        if (*rest != ']') {
            STICK_COMPLAIN(reader, node->mark, "'%.100s' has a [ without ]", text);
            return false;
        }
        rest++;
    }
    if (*rest != '.' && *rest != '\0') {
        STICK_COMPLAIN(reader, node->mark, "'%.100s' has '%.40s' after the indices", text, rest);
        return false;
    }
    reference->group = *rest == '.' ? rest + 1 : NULL;
    if (reference->group && reference->group[0] == '\0') {
        STICK_COMPLAIN(reader, node->mark, "'%.100s' names no group after the point", text);
        return false;
    }
    return true;
}

// ---- indices

// One index: * or an expression, of the indices where the reference itself is in a repeated item.
static StickStatus read_index(StickReader *reader, const StickYaml *node, const char *text, int k,
                              StickTarget *target)
{
    const StickRepeat *repeat = &reader->model->body[target->body].repeat;
    text += strspn(text, " ");
    target->any[k] = text[0] == '*' && text[1 + strspn(text + 1, " ")] == '\0';
    if (target->any[k])
        return STICK_OK;
    double value;
    if (!stick_parse_number(text, &value)) {
        StickExpression *expression;
        StickStatus status = stick_expression_compile(reader->model->expressions, text, reader->indices,
                                                      node->mark, &expression);
        if (status == STICK_OK)
            status = stick_expression_value(expression, &reader->seen, &value);
        if (status != STICK_OK)
            return stick_go_on(status);
    }
    int low = repeat->low[k], high = low + repeat->size[k] - 1;
    if (value != floor(value) || value < low || value > high) {
        STICK_COMPLAIN(reader, node->mark,
                       "in '%.100s' index %d is %g, but must be a whole number from %d to %d", node->text,
                       k + 1, value, low, high);
        return STICK_OK;
    }
    target->index[k] = (int)value;
    return STICK_OK;
}

static StickStatus read_indices(StickReader *reader, const StickYaml *node, const Reference *reference,
                                StickTarget *target)
{
    const StickRepeat *repeat = &reader->model->body[target->body].repeat;
    const char *at = reference->indices, *end = at + reference->indices_length;
    int count = 0;
    for (; at <= end; count++) {
        size_t length = strcspn(at, ",]");
        char text[LONGEST_INDEX];
        if (length >= sizeof text) {
            STICK_COMPLAIN(reader, node->mark, "'%.100s' has an index that is too long", node->text);
            return STICK_OK;
        }
        memcpy(text, at, length);
        text[length] = '\0';
        if (count < repeat->nindices)
            STICK_TRY(read_index(reader, node, text, count, target));
        at += length + 1;
    }
    if (count != repeat->nindices)
        STICK_COMPLAIN(reader, node->mark, "'%.100s' has %d indices, but '%.*s' has %d", node->text, count,
                       (int)reference->length, reference->name, repeat->nindices);
    return STICK_OK;
}

// The body itself where all indices are given, and the first of them where some are not.
static void settle(const StickModel *model, StickTarget *target)
{
    const StickRepeat *repeat = &model->body[target->body].repeat;
    int number = 0;
    bool several = false;
    for (int k = 0; k < repeat->nindices; k++) {
        several = several || (target->any[k] && repeat->size[k] > 1);
        number = number * repeat->size[k] + (target->any[k] ? 0 : target->index[k] - repeat->low[k]);
    }
    target->nbodies = several ? stick_repeat_count(repeat) : 1;
    if (!several)
        target->body += number;
}

static StickStatus choose_bodies(StickReader *reader, const StickYaml *node, const Reference *reference,
                                 StickTarget *target)
{
    size_t errors = stick_error_count(reader->ctx);
    if (reference->indices)
        STICK_TRY(read_indices(reader, node, reference, target));
    else
        target->any[0] = target->any[1] = target->any[2] = true;
    if (stick_error_count(reader->ctx) == errors)
        settle(reader->model, target);
    else
        target->body = -1;
    return STICK_OK;
}

// ---- targets

static StickStatus read_target(StickReader *reader, const StickYaml *node, Also also, StickTarget *target)
{
    Reference reference;
    StickTarget read = {.mark = node->mark, .obstacle = -1, .body = -1, .nbodies = 1};
    *target = read;
    if (!stick_need_kind(reader, node->key ? node->key : "between", node, STICK_YAML_SCALAR) ||
        !split(reader, node, &reference))
        return STICK_OK;
    read.body = find_body(reader->model, &reference);
    if (read.body < 0 && !reference.group && !reference.indices)
        read.obstacle = find_obstacle(reader->model, &reference);
    if (read.body < 0 && stick_model_gears(reader->model, reference.name, reference.length)) {
        STICK_COMPLAIN(reader, node->mark, "'%s' is a pair of gears: name one gear, as %s.1 or %s.2",
                       node->text, node->text, node->text);
        return STICK_OK;
    }
    if (read.body < 0 && read.obstacle < 0)
        return complain_target(reader, node, &reference, also);
    if (read.body >= 0)
        STICK_TRY(choose_bodies(reader, node, &reference, &read));
    if (reference.group) {
        read.group = stick_keep_text(reader, reference.group);
        if (!read.group)
            return STICK_NO_MEMORY;
    }
    *target = read;
    return STICK_OK;
}

StickStatus stick_read_target(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    return read_target(reader, node, ALSO_NOTHING, target);
}

static bool names_target(const StickModel *model, const char *name)
{
    Reference reference = {.name = name, .length = strlen(name)};
    return find_body(model, &reference) >= 0 || find_obstacle(model, &reference) >= 0;
}

StickStatus stick_read_side(StickReader *reader, const StickYaml *node, StickSideSpec *side)
{
    const StickModel *model = reader->model;
    side->mark = node->mark;
    side->target = (StickTarget){.mark = node->mark, .body = -1, .obstacle = -1, .nbodies = 1};
    if (!stick_need_kind(reader, "between", node, STICK_YAML_SCALAR))
        return STICK_OK;
    side->kind = STICK_SIDE_ALL;
    if (strcmp(node->text, "all") == 0)
        return STICK_OK;
    side->kind = STICK_SIDE_MATERIAL;
    for (side->material = 0; side->material < model->nmaterials; side->material++) {
        if (strcmp(model->material[side->material].name, node->text) != 0)
            continue;
        if (names_target(model, node->text))
            STICK_COMPLAIN(reader, node->mark,
                           "'%s' is a material and a body or obstacle: rename one of them", node->text);
        return STICK_OK;
    }
    side->kind = STICK_SIDE_TARGET;
    return read_target(reader, node, ALSO_MATERIALS, &side->target);
}

static StickStatus read_single(StickReader *reader, const StickYaml *node, Also also, StickTarget *target)
{
    STICK_TRY(read_target(reader, node, also, target));
    if (target->nbodies > 1) {
        STICK_COMPLAIN(reader, node->mark, "'%s' stands for several bodies: name one of them, as %s",
                       node->text, reader->model->body[target->body].name);
        target->body = -1;
    }
    return STICK_OK;
}

StickStatus stick_read_single(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    return read_single(reader, node, ALSO_NOTHING, target);
}

StickStatus stick_read_watched(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    return read_single(reader, node, reader->model->njoints > 0 ? ALSO_JOINTS : ALSO_NOTHING, target);
}

StickStatus stick_read_acted(StickReader *reader, const StickYaml *node, StickTarget *target)
{
    const StickModel *model = reader->model;
    STICK_TRY(stick_read_target(reader, node, target));
    bool rigid = target->body >= 0 && model->body[target->body].rigid;
    if (target->obstacle >= 0 || (target->body >= 0 && !rigid && !target->group))
        STICK_COMPLAIN(reader, node->mark, "'%s' must be a group of a body, as body.group", node->text);
    else if (rigid && target->group)
        STICK_COMPLAIN(reader, node->mark, "'%s' names a group, but body '%s' is rigid: name the body",
                       node->text, model->body[target->body].name);
    else if (!rigid && target->nbodies > 1)
        STICK_COMPLAIN(reader, node->mark, "'%s' stands for several bodies: name one of them, as %s.%s",
                       node->text, model->body[target->body].name, target->group);
    return STICK_OK;
}

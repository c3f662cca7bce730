// SPDX-License-Identifier: Apache-2.0
// Values of single keys: numbers, expressions, words, names and vectors, in the range that their field gives.
#include "model/schema.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_CHOICES = 64 };

char *stick_keep_text(StickReader *reader, const char *text)
{
    size_t length = strlen(text);
    char *copy = stick_arena_take(&reader->model->arena, length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

bool stick_is_name(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (!isalnum(*c) && *c < 0x80 && !strchr("_+-", *c))
            return false;
    return text[0] != '\0' && strlen(text) <= 100;
}

static bool in_range(const StickRange *range, double value)
{
    return !((range->bounds & STICK_ABOVE && !(value > range->low)) ||
             (range->bounds & STICK_AT_LEAST && !(value >= range->low)) ||
             (range->bounds & STICK_BELOW && !(value < range->high)) ||
             (range->bounds & STICK_AT_MOST && !(value <= range->high)));
}

static void complain_value(StickReader *reader, const StickField *field, StickMark mark, const char *value)
{
    StickText takes;
    stick_text_init(&takes, reader->ctx);
    stick_field_takes(field, &takes);
    STICK_COMPLAIN(reader, mark, "'%s' is %.100s, but must be %s", field->key, value,
                   takes.bytes ? takes.bytes : "another");
    stick_text_destroy(&takes);
}

static void check_range(StickReader *reader, const StickField *field, StickMark mark, double value)
{
    if (in_range(&field->range, value))
        return;
    StickText range;
    stick_text_init(&range, reader->ctx);
    stick_range_text(&field->range, &range);
    bool angle = field->unit && strcmp(field->unit, "radian") == 0;
    STICK_COMPLAIN(reader, mark, "'%s' is %g, but must be %s%s", field->key, value,
                   range.bytes ? range.bytes : "another",
                   angle ? ": angles are in radians, 20 degrees are deg(20)" : "");
    stick_text_destroy(&range);
}

// ---- single values

// Words that other YAML readers accept as numbers, such as infinity; here they are errors.
static bool is_not_finite_word(const char *text)
{
    static const char *const words[] = {"nan",  ".nan",  ".NaN",  ".NAN", "NaN", "inf",
                                        ".inf", "-.inf", "+.inf", "-inf", "Inf", ".Inf"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], text) == 0)
            return true;
    return false;
}

// Copies of a repeated item reuse the expressions that were compiled for the first one.
static StickStatus compile(StickReader *reader, const StickYaml *node, unsigned sees,
                           StickExpression **expression)
{
    if (reader->repeat.number > 0 && reader->asked < reader->ncompiled) {
        const StickCompiled *known = &reader->compiled[reader->asked++];
        if (known->node == node && known->text == node->text) {
            *expression = known->expression;
            return STICK_OK;
        }
    }
    STICK_TRY(stick_expression_compile(reader->model->expressions, node->text, sees, node->mark, expression));
    if (reader->indices && reader->repeat.number == 0) {
        STICK_RESERVE(reader->ctx, reader->compiled, reader->compiled_capacity, reader->ncompiled + 1);
        reader->compiled[reader->ncompiled++] = (StickCompiled){node, node->text, *expression};
    }
    return STICK_OK;
}

static bool need_finite(StickReader *reader, const StickField *field, const StickYaml *node)
{
    if (!stick_need_value(reader, field->key, node))
        return false;
    if (is_not_finite_word(node->text))
        STICK_COMPLAIN(reader, node->mark, "'%s' is %s, not a finite number", field->key, node->text);
    return !is_not_finite_word(node->text);
}

StickStatus stick_read_expression(StickReader *reader, const StickField *field, const StickYaml *node,
                                  StickExpression **value)
{
    if (!need_finite(reader, field, node))
        return STICK_OK;
    StickExpression *expression = NULL;
    StickStatus status = compile(reader, node, field->sees, &expression);
    if (status != STICK_OK)
        return stick_go_on(status);
    if (stick_expression_is_constant(expression)) {
        double constant;
        STICK_TRY(stick_expression_value(expression, NULL, &constant));
        check_range(reader, field, node->mark, constant);
    }
    *value = expression;
    return STICK_OK;
}

StickStatus stick_read_number(StickReader *reader, const StickField *field, const StickYaml *node,
                              double *value)
{
    if (!need_finite(reader, field, node))
        return STICK_OK;
    double number;
    if (!stick_parse_number(node->text, &number)) {
        StickExpression *expression = NULL;
        StickStatus status = compile(reader, node, reader->indices, &expression);
        if (status == STICK_OK)
            status = stick_expression_value(expression, &reader->seen, &number);
        if (status != STICK_OK)
            return stick_go_on(status);
        reader->varied += !stick_expression_is_constant(expression);
    }
    check_range(reader, field, node->mark, number);
    *value = number;
    return STICK_OK;
}

StickStatus stick_read_integer(StickReader *reader, const StickField *field, const StickYaml *node,
                               int *value)
{
    double number = NAN;
    STICK_TRY(stick_read_number(reader, field, node, &number));
    if (isnan(number))
        return STICK_OK;
    if (number != floor(number) || fabs(number) > INT_MAX) {
        complain_value(reader, field, node->mark, node->text);
        return STICK_OK;
    }
    *value = (int)number;
    return STICK_OK;
}

static StickStatus read_bool(StickReader *reader, const StickField *field, const StickYaml *node, bool *value)
{
    if (!stick_need_value(reader, field->key, node))
        return STICK_OK;
    if (strcmp(node->text, "true") == 0)
        *value = true;
    else if (strcmp(node->text, "false") == 0)
        *value = false;
    else
        complain_value(reader, field, node->mark, node->text);
    return STICK_OK;
}

static const StickChoice *find_choice(const StickField *field, const char *word)
{
    for (const StickChoice *choice = field->choices; choice->name; choice++)
        if (strcmp(choice->name, word) == 0)
            return choice;
    return NULL;
}

static void complain_choice(StickReader *reader, const StickField *field, StickMark mark, const char *word)
{
    const char *names[MOST_CHOICES];
    size_t count = 0;
    for (const StickChoice *choice = field->choices; choice->name && count < MOST_CHOICES; choice++)
        names[count++] = choice->name;
    stick_complain_word(reader, mark, field->key, word, names, count);
}

// A word that is not a choice may be the name of a parameter whose value is one.
static StickStatus read_choice(StickReader *reader, const StickField *field, const StickYaml *node,
                               int *value)
{
    if (!stick_need_value(reader, field->key, node))
        return STICK_OK;
    const StickChoice *choice = find_choice(field, node->text);
    const char *word = node->text, *text = NULL;
    if (!choice) {
        STICK_TRY(stick_expressions_text(reader->model->expressions, node->text, &text));
        word = text ? text : word;
        choice = find_choice(field, word);
    }
    if (choice)
        *value = choice->value;
    else
        complain_choice(reader, field, node->mark, word);
    return STICK_OK;
}

static StickStatus read_switch(StickReader *reader, const StickField *field, const StickYaml *node,
                               bool *value)
{
    int chosen = *value;
    STICK_TRY(read_choice(reader, field, node, &chosen));
    *value = chosen != 0;
    return STICK_OK;
}

StickStatus stick_read_text(StickReader *reader, const StickField *field, const StickYaml *node, char **value)
{
    if (!stick_need_value(reader, field->key, node))
        return STICK_OK;
    const char *text = NULL;
    if (field->may_be_named)
        STICK_TRY(stick_expressions_text(reader->model->expressions, node->text, &text));
    char *kept = stick_keep_text(reader, text ? text : node->text);
    if (!kept)
        return STICK_NO_MEMORY;
    *value = kept;
    return STICK_OK;
}

void stick_need_name(StickReader *reader, StickMark mark, const char *name)
{
    if (!stick_is_name(name))
        STICK_COMPLAIN(reader, mark, "the name '%.100s' must be made of letters, digits, _, + and -", name);
}

static StickStatus read_name(StickReader *reader, const StickField *field, const StickYaml *node,
                             char **value)
{
    if (stick_need_value(reader, field->key, node))
        stick_need_name(reader, node->mark, node->text);
    else
        return STICK_OK;
    return stick_read_text(reader, field, node, value);
}

// ---- vectors

static bool is_free(const StickField *field, const StickYaml *node)
{
    return field->may_be_free &&
           (stick_yaml_is_null(node) || (node->kind == STICK_YAML_SCALAR && strcmp(node->text, "free") == 0));
}

static StickStatus read_component(StickReader *reader, const StickField *field, const StickYaml *node, int k,
                                  void *vector)
{
    if (field->type == STICK_FIELD_NUMBERS)
        return stick_read_number(reader, field, node, (double *)vector + k);
    if (field->type == STICK_FIELD_INTEGERS)
        return stick_read_integer(reader, field, node, (int *)vector + k);
    if (is_free(field, node))
        return STICK_OK;
    return stick_read_expression(reader, field, node, (StickExpression **)vector + k);
}

// Remembers how many components there are until the dimension of space is known.
StickStatus stick_note_vector(StickReader *reader, const char *key, StickMark mark, int components)
{
    StickModel *model = reader->model;
    if (reader->repeat.number > 0)
        return STICK_OK;
    STICK_RESERVE(reader->ctx, model->vector, model->vector_capacity, model->nvectors + 1);
    model->vector[model->nvectors++] = (StickVectorSpec){mark, key, components};
    return STICK_OK;
}

StickStatus stick_read_vector(StickReader *reader, const StickField *field, const StickYaml *node,
                              void *vector)
{
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    int least = field->components ? field->components : 1, most = field->components ? field->components : 3;
    if (node->count < least || node->count > most) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d components, but needs %s", field->key, node->count,
                       least < most ? "1, 2 or 3"
                       : least == 1 ? "1"
                       : least == 2 ? "2"
                                    : "3");
        return STICK_OK;
    }
    int k = 0;
    for (const StickYaml *component = node->first; component; component = component->next)
        STICK_TRY(read_component(reader, field, component, k++, vector));
    return field->of_space ? stick_note_vector(reader, field->key, node->mark, node->count) : STICK_OK;
}

// ---- by type

StickStatus stick_read_value(StickReader *reader, const StickField *field, const StickYaml *node, void *value)
{
    switch (field->type) {
    case STICK_FIELD_NUMBER:
        return stick_read_number(reader, field, node, value);
    case STICK_FIELD_INTEGER:
        return stick_read_integer(reader, field, node, value);
    case STICK_FIELD_BOOL:
        return read_bool(reader, field, node, value);
    case STICK_FIELD_CHOICE:
        return read_choice(reader, field, node, value);
    case STICK_FIELD_SWITCH:
        return read_switch(reader, field, node, value);
    case STICK_FIELD_TEXT:
        return stick_read_text(reader, field, node, value);
    case STICK_FIELD_NAME:
        return read_name(reader, field, node, value);
    case STICK_FIELD_EXPRESSION:
        return stick_read_expression(reader, field, node, value);
    case STICK_FIELD_NUMBERS:
    case STICK_FIELD_INTEGERS:
    case STICK_FIELD_EXPRESSIONS:
        return stick_read_vector(reader, field, node, value);
    default:
        return STICK_INTERNAL;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Statements on the results of a run: checks, which must hold, and outcomes, which are counted.
#include "model/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const reductions[] = {"max", "min", "mean",     "final",  "first",
                                         "rms", "std", "integral", "largest"};
enum { NREDUCTIONS = sizeof reductions / sizeof *reductions };

static const char *reduction_name(int index)
{
    return index < NREDUCTIONS ? reductions[index] : NULL;
}

static char *keep_part(StickReader *reader, const char *text, size_t length)
{
    char *copy = stick_arena_take(&reader->model->arena, length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

static bool is_series(const char *text, size_t length)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-[]";
    return length > 0 && strspn(text, allowed) >= length;
}

// "reduce(series)" or the name of a number.
static StickStatus read_that(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickCheckSpec *check = item;
    STICK_TRY(stick_read_text(reader, field, node, &check->that));
    if (!check->that)
        return STICK_OK;
    const char *text = check->that, *open = strchr(text, '(');
    const char *series = open ? open + 1 : text;
    size_t length = strcspn(series, ")");
    bool closed = open ? strcmp(series + length, ")") == 0 : series[length] == '\0';
    if (!closed || !is_series(series, length)) {
        STICK_COMPLAIN(reader, node->mark,
                       "'that' is '%.100s', but must be a name or reduce(name), as max(contact_force)", text);
        return STICK_OK;
    }
    if (open) {
        check->reduce = keep_part(reader, text, (size_t)(open - text));
        if (!check->reduce)
            return STICK_NO_MEMORY;
        stick_need_word(reader, node->mark, "reduction", check->reduce, reduction_name);
    }
    check->series = keep_part(reader, series, length);
    return check->series ? STICK_OK : STICK_NO_MEMORY;
}

// Skips a check whose condition is false for these parameters.
static StickStatus read_when(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)item;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_SCALAR))
        return STICK_OK;
    StickValue value;
    StickStatus status =
        stick_expressions_evaluate(reader->model->expressions, node->text, node->mark, &value);
    if (status != STICK_OK)
        return stick_go_on(status);
    if (value.kind != STICK_VALUE_BOOL)
        STICK_COMPLAIN(reader, node->mark, "'when' is '%.100s', but must be true or false", node->text);
    else
        reader->drop = !value.truth;
    return STICK_OK;
}

// Two keys give the tolerance of "is"; within-percent is kept as a negative number until "is" is known.
static StickStatus read_percent(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    double percent = NAN;
    STICK_TRY(stick_read_number(reader, field, node, &percent));
    if (!isnan(percent))
        ((StickCheckSpec *)item)->within = -percent;
    return STICK_OK;
}

static const StickField at_fields[] = {
    {.key = "status",
     .type = STICK_FIELD_INTEGERS,
     .text = "numbers of contacts that stick, slip and are open; the first state of the path with these "
             "numbers is used",
     .required = true,
     .components = 3,
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickCheckSpec, status)},
    {.key = NULL},
};

static const StickSchema at_table = {
    .title = "a status",
    .text = "The state on the path of a stability step at which the number is evaluated.",
    .fields = at_fields,
};

static const StickField check_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_TEXT,
     .text = "the statement in words, such as `wall falls`; printed in front of the statement",
     .at = STICK_AT(StickCheckSpec, name)},
    {.key = "that",
     .type = STICK_FIELD_OWN,
     .required = true,
     .read = read_that,
     .json = "string",
     .takes = "reduce(name) or the name of a number of the summary",
     .text = "reduce is one of max, min, mean, final, first, rms, std, integral, largest"},
    {.key = "is",
     .type = STICK_FIELD_NUMBER,
     .text = "required value, within a tolerance",
     .alternative = true,
     .value = STICK_CHECK_IS,
     .at = STICK_AT(StickCheckSpec, value)},
    {.key = "at-most",
     .type = STICK_FIELD_NUMBER,
     .text = "upper bound",
     .alternative = true,
     .value = STICK_CHECK_AT_MOST,
     .at = STICK_AT(StickCheckSpec, value)},
    {.key = "at-least",
     .type = STICK_FIELD_NUMBER,
     .text = "lower bound",
     .alternative = true,
     .value = STICK_CHECK_AT_LEAST,
     .at = STICK_AT(StickCheckSpec, value)},
    {.key = "within",
     .type = STICK_FIELD_NUMBER,
     .text = "absolute tolerance of `is`",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickCheckSpec, within)},
    {.key = "within-percent",
     .type = STICK_FIELD_OWN,
     .text = "relative tolerance of `is`, in percent",
     .range = STICK_NOT_NEGATIVE,
     .takes = "a number",
     .read = read_percent},
    {.key = "from",
     .type = STICK_FIELD_NUMBER,
     .text = "start of the time window; default: no bound",
     .unit = "time",
     .at = STICK_AT(StickCheckSpec, from)},
    {.key = "to",
     .type = STICK_FIELD_NUMBER,
     .text = "end of the time window; default: no bound",
     .unit = "time",
     .at = STICK_AT(StickCheckSpec, to)},
    {.key = "at",
     .type = STICK_FIELD_MAP,
     .text = "for a stability step: the contact state at which the number is evaluated",
     .table = &at_table},
    {.key = "when",
     .type = STICK_FIELD_OWN,
     .text = "condition on parameters; if it is false, the statement is skipped",
     .takes = "an expression that is true or false",
     .read = read_when},
    {.key = NULL},
};

static void finish_tolerance(StickReader *reader, const StickYaml *node, StickCheckSpec *check)
{
    const StickYaml *within = stick_yaml_find(node, "within"),
                    *percent = stick_yaml_find(node, "within-percent");
    const StickYaml *given = within ? within : percent;
    if (check->kind != STICK_CHECK_IS && given)
        STICK_COMPLAIN(reader, given->key_mark, "'%s' requires 'is'", given->key);
    else if (check->kind == STICK_CHECK_IS && (within != NULL) == (percent != NULL))
        STICK_COMPLAIN(reader, node->mark, "'is' needs exactly one of 'within' and 'within-percent'");
    else if (percent)
        check->within = -check->within / 100 * fabs(check->value);
}

// "table.stiffness at 17/2/2"
static StickStatus say_status(StickReader *reader, StickCheckSpec *check)
{
    const int *status = check->status;
    char text[512];
    snprintf(text, sizeof text, "%.400s at %d/%d/%d", check->that, status[0], status[1], status[2]);
    check->that = stick_keep_text(reader, text);
    return check->that ? STICK_OK : STICK_NO_MEMORY;
}

// "final(height) at most -h/2": as the file has it, so that all cases of a study have the same name.
static StickStatus name_statement(StickReader *reader, const StickYaml *node, StickCheckSpec *check)
{
    static const char *const keys[] = {"is", "at-most", "at-least"};
    static const char *const words[] = {"is", "at most", "at least"};
    const StickYaml *bound = stick_yaml_find(node, keys[check->kind]);
    const StickYaml *from = stick_yaml_find(node, "from"), *to = stick_yaml_find(node, "to");
    StickText text;
    stick_text_init(&text, reader->ctx);
    stick_text_add(&text, "%s %s %s", check->that, words[check->kind],
                   bound && bound->text ? bound->text : "?");
    if (from && from->text)
        stick_text_add(&text, " from %s", from->text);
    if (to && to->text)
        stick_text_add(&text, " to %s", to->text);
    check->name = stick_text_status(&text) == STICK_OK ? stick_keep_text(reader, text.bytes) : NULL;
    stick_text_destroy(&text);
    return check->name ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus finish_check(StickReader *reader, const StickYaml *node, void *item)
{
    StickCheckSpec *check = item;
    finish_tolerance(reader, node, check);
    const StickYaml *from = stick_yaml_find(node, "from"), *to = stick_yaml_find(node, "to");
    const StickYaml *at = stick_yaml_find(node, "at");
    check->windowed = from || to;
    check->at_status = at != NULL;
    if (at && (check->reduce || check->windowed))
        STICK_COMPLAIN(
            reader, at->key_mark,
            "'at' applies only to a column of a stability step, without reduction and time window");
    if (!from)
        check->from = -HUGE_VAL;
    if (!to)
        check->to = HUGE_VAL;
    if (check->from > check->to)
        STICK_COMPLAIN(reader, from->mark, "'from' is %g, but must be at most 'to', %g", check->from,
                       check->to);
    if (check->windowed && !check->reduce)
        STICK_COMPLAIN(reader, from ? from->mark : to->mark,
                       "'%s' is a number of the summary: a time window does not apply", check->that);
    if (!check->that)
        return STICK_OK;
    if (at)
        STICK_TRY(say_status(reader, check));
    return check->name ? STICK_OK : name_statement(reader, node, check);
}

const StickSchema stick_check_table = {
    .title = "a check",
    .text = "A statement that must hold at the end of a run.",
    .size = sizeof(StickCheckSpec),
    .mark_at = STICK_AT(StickCheckSpec, mark),
    .kind_at = STICK_AT(StickCheckSpec, kind),
    .fields = check_fields,
    .finish = finish_check,
};

const StickSchema stick_outcome_table = {
    .title = "an outcome",
    .text = "A statement that is evaluated at the end of a run and counted over the cases of a study. Unlike "
            "a check, it does not change the exit code if it is false.",
    .size = sizeof(StickCheckSpec),
    .mark_at = STICK_AT(StickCheckSpec, mark),
    .kind_at = STICK_AT(StickCheckSpec, kind),
    .fields = check_fields,
    .finish = finish_check,
};

// SPDX-License-Identifier: Apache-2.0
// Parameters, evaluated in order, and the cases that override them.
#include "model/tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 10000, LONGEST_CASE = 100, MOST_PARAMETERS = 1000 };

// ---- values

// Letters, digits, _ and -, starting with a letter: what may be a text without quotes.
static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return isalpha((unsigned char)text[0]);
}

// Whether every part of a word between its hyphens has a value.
static bool is_difference_of_names(const StickExpressions *expressions, const char *word)
{
    while (*word) {
        char part[64];
        size_t length = strcspn(word, "-");
        double number;
        if (length == 0 || length >= sizeof part)
            return false;
        memcpy(part, word, length);
        part[length] = '\0';
        if (!stick_expressions_knows(expressions, part) && !stick_parse_number(part, &number))
            return false;
        word += length + (word[length] == '-');
    }
    return true;
}

// A value as written in the file; word: a word is a text, even if it is the name of a parameter.
typedef struct Given {
    const char *text;
    StickMark mark;
    bool word;
} Given;

static StickStatus evaluate(StickReader *reader, const Given *given, StickValue *value)
{
    StickExpressions *expressions = reader->model->expressions;
    double number;
    if (stick_parse_number(given->text, &number)) {
        *value = (StickValue){.kind = STICK_VALUE_NUMBER, .number = number};
        return STICK_OK;
    }
    if (is_word(given->text) && (given->word || !is_difference_of_names(expressions, given->text))) {
        *value = (StickValue){.kind = STICK_VALUE_TEXT, .text = given->text};
        return STICK_OK;
    }
    return stick_expressions_evaluate(expressions, given->text, given->mark, value);
}

// ---- parameters

static bool is_identifier(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return isalpha((unsigned char)text[0]) && strlen(text) < 64;
}

static const char *override_of(const StickReader *reader, const char *name)
{
    const char *value = NULL;
    for (int k = 0; k < reader->source->noverrides; k++)
        if (strcmp(reader->source->overrides[k].name, name) == 0)
            value = reader->source->overrides[k].value;
    return value;
}

// The tree keeps the value, in a form that reads back to it: numbers to the same bits, texts in quotes.
static StickStatus write_back(StickReader *reader, StickYaml *node, const StickValue *value)
{
    char number[STICK_NUMBER_TEXT];
    node->quoted = value->kind == STICK_VALUE_TEXT;
    if (value->kind == STICK_VALUE_NUMBER) {
        stick_number_text(value->number, number);
        node->text = stick_keep_text(reader, number);
    } else if (is_word(value->text)) {
        node->text = stick_keep_text(reader, value->text);
    } else {
        StickText literal;
        stick_text_init(&literal, reader->ctx);
        stick_text_add(&literal, "'");
        for (const char *c = value->text; *c; c++)
            stick_text_add(&literal, strchr("'\\\n\r", *c) ? "\\%03d" : "%c", *c);
        stick_text_add(&literal, "'");
        node->text = literal.failed ? NULL : stick_keep_text(reader, literal.bytes);
        stick_text_destroy(&literal);
    }
    return node->text ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus set_parameter(StickReader *reader, StickYaml *node, const StickValue *value)
{
    StickExpressions *expressions = reader->model->expressions;
    if (value->kind == STICK_VALUE_BOOL) {
        STICK_COMPLAIN(reader, node->mark, "parameter '%s' is true or false, but must be a number or a text",
                       node->key);
        return STICK_OK;
    }
    StickStatus status = value->kind == STICK_VALUE_NUMBER
                             ? stick_expressions_set_number(expressions, node->key, value->number)
                             : stick_expressions_set_text(expressions, node->key, value->text);
    STICK_TRY(stick_go_on(status));
    return write_back(reader, node, value);
}

// The value of the file is read even where it is overridden: its errors count, and a text stays a text.
static StickStatus read_parameter(StickReader *reader, StickYaml *node)
{
    if (!stick_need_kind(reader, node->key, node, STICK_YAML_SCALAR))
        return STICK_OK;
    if (stick_yaml_is_null(node)) {
        STICK_COMPLAIN(reader, node->mark, "parameter '%s' needs a value", node->key);
        return STICK_OK;
    }
    StickValue value;
    Given given = {node->text, node->mark, node->quoted};
    StickStatus status = evaluate(reader, &given, &value);
    const char *override = override_of(reader, node->key);
    node->given = override ? NULL : node->text;
    node->given_quoted = node->quoted;
    if (status == STICK_OK && override) {
        bool was_text = value.kind == STICK_VALUE_TEXT;
        given = (Given){override, {"-D", 0, 0}, was_text};
        status = evaluate(reader, &given, &value);
    }
    return status == STICK_OK ? set_parameter(reader, node, &value) : stick_go_on(status);
}

static bool check_parameter_name(StickReader *reader, const StickYaml *node)
{
    if (!is_identifier(node->key))
        STICK_COMPLAIN(
            reader, node->key_mark,
            "the name '%.100s' of a parameter must be made of letters, digits and _, starting with a letter",
            node->key);
    else if (stick_expressions_reserves(node->key))
        STICK_COMPLAIN(reader, node->key_mark,
                       "a parameter cannot be named '%s', which has a meaning in expressions: rename it",
                       node->key);
    else
        return true;
    return false;
}

// Names of all parameters, for the nearest one.
static StickStatus complain_parameter(StickReader *reader, StickMark mark, const char *name,
                                      const StickYaml *map)
{
    const char *names[256];
    size_t count = 0;
    for (const StickYaml *node = map ? map->first : NULL; node && count < 256; node = node->next)
        names[count++] = node->key;
    stick_complain_word(reader, mark, "parameter", name, names, count);
    return STICK_OK;
}

// Also called without a node: then every override is one too many.
StickStatus stick_read_parameters(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)item;
    if (node && !stick_need_kind(reader, field->key, node, STICK_YAML_MAP))
        return STICK_OK;
    if (node && node->count > MOST_PARAMETERS) {
        STICK_COMPLAIN(reader, node->mark, "%d parameters are too many: the limit is %d", node->count,
                       MOST_PARAMETERS);
        return STICK_OK;
    }
    for (int k = 0; k < reader->source->noverrides; k++) {
        const char *name = reader->source->overrides[k].name;
        if (!node || !stick_yaml_find(node, name))
            STICK_TRY(complain_parameter(reader, (StickMark){"-D", 0, 0}, name, node));
    }
    StickExpressions *expressions = reader->model->expressions;
    for (StickYaml *parameter = node ? node->first : NULL; parameter; parameter = parameter->next) {
        if (!check_parameter_name(reader, parameter))
            continue;
        STICK_TRY(read_parameter(reader, parameter));
        // the error is reported: define the name anyway, so that its uses cause no further errors
        if (!stick_expressions_knows(expressions, parameter->key))
            STICK_TRY(stick_expressions_set_number(expressions, parameter->key, 1));
    }
    return STICK_OK;
}

static bool varies_later(const StickModel *model)
{
    bool varies = model->ncases > 0;
    for (int k = 0; k < model->nsteps; k++)
        varies |= model->step[k].stability.vary.parameter || model->step[k].vary.parameter;
    return varies;
}

// A value that depends on one that varies is not final.
void stick_keep_expressions(StickModel *model)
{
    StickYaml *parameters = stick_yaml_find(model->tree, "parameters");
    if (!parameters || !varies_later(model))
        return;
    for (StickYaml *node = parameters->first; node; node = node->next) {
        if (!node->given)
            continue;
        node->text = node->given;
        node->quoted = node->given_quoted;
    }
}

// ---- cases

// Parameters of cases must exist, their values must be single ones.
StickStatus stick_check_parameter(StickReader *reader, const StickYaml *node)
{
    const StickYaml *parameters = stick_yaml_find(reader->model->tree, "parameters");
    if (!parameters || !stick_yaml_find(parameters, node->key))
        return complain_parameter(reader, node->key_mark, node->key, parameters);
    return STICK_OK;
}

// An overridden parameter does not vary: remove its list, also from the resolved file.
static void drop_overridden(const StickReader *reader, StickYaml *vary)
{
    StickYaml **link = &vary->first;
    while (*link) {
        bool given = override_of(reader, (*link)->key) != NULL;
        vary->count -= given;
        if (given)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
}

// Values joined by -; characters that are not allowed in folder names are replaced.
static void add_to_name(char name[LONGEST_CASE + 1], const char *value)
{
    size_t length = strlen(name);
    if (length > 0 && length < LONGEST_CASE)
        name[length++] = '-';
    for (const char *c = value; *c && length < LONGEST_CASE; c++) {
        bool good = isalnum((unsigned char)*c) || strchr("_+-", *c) || (*c == '.' && length > 0);
        name[length++] = good ? *c : '_';
    }
    name[length] = '\0';
}

static StickStatus fill_case(StickReader *reader, int nparameters, StickCaseSpec *spec)
{
    spec->nparameters = nparameters;
    STICK_TAKE(&reader->model->arena, spec->parameter, nparameters + 1);
    STICK_TAKE(&reader->model->arena, spec->value, nparameters + 1);
    return STICK_OK;
}

static StickStatus set_case_value(StickReader *reader, StickCaseSpec *spec, int k, const char *name,
                                  const char *value)
{
    spec->parameter[k] = stick_keep_text(reader, name);
    spec->value[k] = stick_keep_text(reader, value);
    return spec->parameter[k] && spec->value[k] ? STICK_OK : STICK_NO_MEMORY;
}

static const StickYaml *nth(const StickYaml *list, int n)
{
    const StickYaml *node = list->first;
    while (n-- > 0)
        node = node->next;
    return node;
}

// The case of a number written in the mixed radix of the lists: the first one varies slowest.
static StickStatus make_case(StickReader *reader, const StickYaml *vary, int number, int total,
                             StickCaseSpec *spec)
{
    char name[LONGEST_CASE + 1] = "";
    STICK_TRY(fill_case(reader, vary->count, spec));
    int k = 0;
    for (const StickYaml *list = vary->first; list; list = list->next) {
        total /= list->count;
        const StickYaml *value = nth(list, number / total);
        number %= total;
        add_to_name(name, value->text);
        STICK_TRY(set_case_value(reader, spec, k++, list->key, value->text));
    }
    spec->name = stick_keep_text(reader, name);
    return spec->name ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus check_vary(StickReader *reader, const StickYaml *vary, int *total)
{
    double product = 1;
    for (const StickYaml *list = vary->first; list; list = list->next) {
        STICK_TRY(stick_check_parameter(reader, list));
        if (!stick_need_kind(reader, list->key, list, STICK_YAML_LIST))
            continue;
        product *= list->count;
        if (list->count == 0)
            STICK_COMPLAIN(reader, list->mark, "'%s' has no values", list->key);
        for (const StickYaml *value = list->first; value && !stick_gave_up(reader); value = value->next)
            stick_need_value(reader, list->key, value);
    }
    if (product > MOST_CASES)
        STICK_COMPLAIN(reader, vary->mark, "%g cases are too many: the limit is %d", product, MOST_CASES);
    else
        *total = (int)product;
    return STICK_OK;
}

static StickStatus read_vary(StickReader *reader, StickYaml *vary)
{
    StickModel *model = reader->model;
    size_t errors = stick_error_count(reader->ctx);
    int total = 0;
    if (!stick_need_kind(reader, "vary", vary, STICK_YAML_MAP))
        return STICK_OK;
    STICK_TRY(check_vary(reader, vary, &total));
    if (stick_error_count(reader->ctx) != errors || vary->count == 0)
        return STICK_OK;
    drop_overridden(reader, vary);
    if (vary->count == 0) {
        model->one_case = true;
        return STICK_OK;
    }
    total = 1;
    for (const StickYaml *list = vary->first; list; list = list->next)
        total *= list->count;
    STICK_TAKE(&model->arena, model->cases, total);
    for (; model->ncases < total; model->ncases++)
        STICK_TRY(make_case(reader, vary, model->ncases, total, &model->cases[model->ncases]));
    return STICK_OK;
}

static StickStatus read_case(StickReader *reader, const StickYaml *node, StickCaseSpec *spec)
{
    if (!stick_is_name(node->key))
        STICK_COMPLAIN(reader, node->key_mark,
                       "the name '%.100s' of a case must be made of letters, digits, _, + and -", node->key);
    spec->name = stick_keep_text(reader, node->key);
    if (!spec->name)
        return STICK_NO_MEMORY;
    if (!stick_need_kind(reader, node->key, node, STICK_YAML_MAP))
        return STICK_OK;
    STICK_TRY(fill_case(reader, node->count, spec));
    int k = 0;
    for (const StickYaml *value = node->first; value; value = value->next) {
        STICK_TRY(stick_check_parameter(reader, value));
        reader->model->one_case |= override_of(reader, value->key) != NULL;
        bool good = stick_need_value(reader, value->key, value);
        STICK_TRY(set_case_value(reader, spec, k++, value->key, good ? value->text : ""));
    }
    return STICK_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Each case has a folder of its name.
static StickStatus check_case_names(StickReader *reader, const StickYaml *node)
{
    const StickModel *model = reader->model;
    const char **names;
    STICK_ALLOC(reader->ctx, names, model->ncases);
    for (int k = 0; k < model->ncases; k++)
        names[k] = model->cases[k].name ? model->cases[k].name : "";
    qsort(names, (size_t)model->ncases, sizeof *names, by_name);
    for (int k = 1; k < model->ncases; k++) {
        if (strcmp(names[k], names[k - 1]) == 0) {
            STICK_COMPLAIN(reader, node->mark, "two cases have the name '%s'", names[k]);
            break;
        }
    }
    stick_free(reader->ctx, names);
    return STICK_OK;
}

StickStatus stick_read_cases(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)item;
    StickModel *model = reader->model;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_MAP))
        return STICK_OK;
    StickYaml *vary = stick_yaml_find(node, "vary");
    if (node->count > MOST_CASES) {
        STICK_COMPLAIN(reader, node->mark, "%d cases are too many: the limit is %d", node->count, MOST_CASES);
        return STICK_OK;
    }
    if (vary && node->count > 1)
        STICK_COMPLAIN(reader, node->mark, "'cases' has both 'vary' and named cases: give only one of them");
    if (vary) {
        STICK_TRY(read_vary(reader, vary));
    } else {
        STICK_TAKE(&model->arena, model->cases, node->count + 1);
        for (const StickYaml *one = node->first; one && !stick_gave_up(reader); one = one->next)
            STICK_TRY(read_case(reader, one, &model->cases[model->ncases++]));
    }
    STICK_TRY(check_case_names(reader, node));
    // an override set the parameter of the cases: there is one run, with its value
    if (model->one_case)
        model->ncases = 0;
    return STICK_OK;
}

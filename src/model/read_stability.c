// SPDX-License-Identifier: Apache-2.0
// Stability steps: which states of which path are judged, and how.
#include "model/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static StickStatus read_of(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickStabilitySpec *stability = &((StickStepSpec *)item)->stability;
    stability->of_mark = node->mark;
    return stick_read_text(reader, field, node, &stability->of_name);
}

StickStatus stick_read_times(StickReader *reader, const StickField *field, const StickYaml *list,
                             double **times, int *ntimes)
{
    int count = 0;
    for (const StickYaml *node = list->first; node; node = node->next)
        count++;
    *times = stick_arena_take(&reader->model->arena, (size_t)count + 1, sizeof(double));
    if (!*times)
        return STICK_NO_MEMORY;
    for (const StickYaml *node = list->first; node; node = node->next) {
        double *time = *times + *ntimes;
        *time = NAN;
        STICK_TRY(stick_read_number(reader, field, node, time));
        *ntimes += !isnan(*time);
    }
    if (count == 0)
        STICK_COMPLAIN(reader, list->mark, "'at' has no times");
    return STICK_OK;
}

// every-status, end, or times.
static StickStatus read_at(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickStabilitySpec *stability = &((StickStepSpec *)item)->stability;
    static const char *const words[] = {"every-status", "end"};
    if (node->kind == STICK_YAML_LIST) {
        stability->at = STICK_JUDGE_TIMES;
        return stick_read_times(reader, field, node, &stability->times, &stability->ntimes);
    }
    if (!stick_need_value(reader, field->key, node))
        return STICK_OK;
    if (strcmp(node->text, words[0]) == 0)
        stability->at = STICK_JUDGE_STATUSES;
    else if (strcmp(node->text, words[1]) == 0)
        stability->at = STICK_JUDGE_END;
    else
        stick_complain_word(reader, node->mark, "selection of states", node->text, words, 2);
    return STICK_OK;
}

// ---- varied parameter

enum { MOST_VALUES = 1000 };

static StickStatus take_values(StickReader *reader, StickVarySpec *vary, int count)
{
    STICK_TAKE(&reader->model->arena, vary->value, count + 1);
    return STICK_OK;
}

static StickStatus read_value_list(StickReader *reader, const StickField *field, const StickYaml *list,
                                   StickVarySpec *vary)
{
    if (list->count > MOST_VALUES)
        return STICK_OK;
    STICK_TRY(take_values(reader, vary, list->count));
    for (const StickYaml *node = list->first; node; node = node->next) {
        double *value = &vary->value[vary->count];
        *value = NAN;
        STICK_TRY(stick_read_number(reader, field, node, value));
        vary->count += !isnan(*value);
    }
    return STICK_OK;
}

typedef struct Values {
    double from, to, by;
} Values;

// 3 times 0.1 is 0.3.
static double round_off(double value)
{
    char text[64];
    double rounded = value;
    snprintf(text, sizeof text, "%.14g", value);
    stick_parse_number(text, &rounded);
    return rounded;
}

// The last value is `to`, also where the last step to it is shorter.
static StickStatus fill_values(StickReader *reader, const StickYaml *node, const Values *range,
                               StickVarySpec *vary)
{
    double length = fabs(range->to - range->from), steps = ceil(length / range->by * (1 - 1e-12));
    if (!(range->by > 0) || !isfinite(steps)) {
        STICK_COMPLAIN(reader, node->mark, "'by' must be > 0");
        return STICK_OK;
    }
    if (steps >= MOST_VALUES)
        return STICK_OK;
    STICK_TRY(take_values(reader, vary, (int)steps + 1));
    for (; vary->count < (int)steps; vary->count++)
        vary->value[vary->count] =
            round_off(range->from + vary->count * copysign(range->by, range->to - range->from));
    vary->value[vary->count++] = range->to;
    return STICK_OK;
}

static StickStatus read_value_range(StickReader *reader, const StickField *field, const StickYaml *map,
                                    StickVarySpec *vary)
{
    static const char *const keys[] = {"from", "to", "by"};
    double value[3] = {NAN, NAN, NAN};
    for (const StickYaml *node = map->first; node; node = node->next)
        if (strcmp(node->key, keys[0]) != 0 && strcmp(node->key, keys[1]) != 0 &&
            strcmp(node->key, keys[2]) != 0)
            stick_complain_word(reader, node->key_mark, "key", node->key, keys, 3);
    for (int k = 0; k < 3; k++) {
        const StickYaml *node = stick_yaml_find(map, keys[k]);
        if (!node)
            STICK_COMPLAIN(reader, map->mark, "'%s' needs '%s'", map->key, keys[k]);
        else
            STICK_TRY(stick_read_number(reader, field, node, &value[k]));
    }
    if (isnan(value[0]) || isnan(value[1]) || isnan(value[2]))
        return STICK_OK;
    return fill_values(reader, map, &(Values){value[0], value[1], value[2]}, vary);
}

// Values must be ordered, because neighbours are compared.
static void check_values(StickReader *reader, const StickYaml *node, const StickVarySpec *vary)
{
    if (vary->count < 2)
        STICK_COMPLAIN(reader, node->mark, "'%s' needs 2 to %d values", node->key, MOST_VALUES);
    for (int k = 2; k < vary->count; k++)
        if (!((vary->value[k] - vary->value[k - 1]) * (vary->value[1] - vary->value[0]) > 0)) {
            STICK_COMPLAIN(reader, node->mark, "the values of '%s' must ascend or descend", node->key);
            return;
        }
    if (vary->count == 2 && vary->value[0] == vary->value[1])
        STICK_COMPLAIN(reader, node->mark, "the values of '%s' must ascend or descend", node->key);
}

StickStatus stick_read_vary(StickReader *reader, const StickField *field, StickYaml *node,
                            StickVarySpec *vary)
{
    size_t errors = stick_error_count(reader->ctx);
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_MAP))
        return STICK_OK;
    if (node->count != 1) {
        STICK_COMPLAIN(reader, node->mark, "'vary' accepts one parameter, not %d", node->count);
        return STICK_OK;
    }
    const StickYaml *values = node->first;
    STICK_TRY(stick_check_parameter(reader, values));
    if (values->kind == STICK_YAML_MAP)
        STICK_TRY(read_value_range(reader, field, values, vary));
    else if (stick_need_kind(reader, values->key, values, STICK_YAML_LIST))
        STICK_TRY(read_value_list(reader, field, values, vary));
    if (stick_error_count(reader->ctx) == errors)
        check_values(reader, values, vary);
    vary->parameter = stick_keep_text(reader, values->key);
    return vary->parameter ? STICK_OK : STICK_NO_MEMORY;
}

static StickStatus read_vary(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    return stick_read_vary(reader, field, node, &((StickStepSpec *)item)->stability.vary);
}

static const StickChoice locations[] = {
    {"coalescence", false, "values at which two modes coalesce, growth begins or the status changes"},
    {"none", true, "nothing; only the interval of values is reported"},
    {NULL, 0, NULL},
};

// [lowest, highest]
static StickStatus read_between(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickStabilitySpec *stability = &((StickStepSpec *)item)->stability;
    double end[2] = {NAN, NAN};
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 2) {
        STICK_COMPLAIN(reader, node->mark, "'between' has %d members, but a window has two frequencies",
                       node->count);
        return STICK_OK;
    }
    STICK_TRY(stick_read_number(reader, field, node->first, &end[0]));
    STICK_TRY(stick_read_number(reader, field, node->first->next, &end[1]));
    if (isnan(end[0]) || isnan(end[1]))
        return STICK_OK;
    if (!(end[0] >= 0 && end[1] > end[0]))
        STICK_COMPLAIN(reader, node->mark, "modes between %g and %g: frequencies ascend from 0", end[0],
                       end[1]);
    stability->lowest = end[0];
    stability->highest = end[1];
    return STICK_OK;
}

static const StickChoice masses[] = {
    {"model", STICK_MASS_MODEL, "the mass matrices of the bodies"},
    {"consistent", STICK_MASS_CONSISTENT, "consistent mass matrix, also for bodies with a lumped one"},
    {"lumped", STICK_MASS_LUMPED,
     "diagonal mass matrix: row sums, for quadratic elements the scaled diagonal"},
    {"unit", STICK_MASS_UNIT, "the unit matrix, for results that depend on the stiffness alone"},
    {NULL, 0, NULL},
};

static const StickChoice slopes[] = {
    {"law", false, "slope of the friction law with respect to sliding speed and pressure"},
    {"none", true, "constant friction"},
    {NULL, 0, NULL},
};

static const StickField damping_fields[] = {
    {.key = "alpha",
     .type = STICK_FIELD_NUMBER,
     .text = "factor of the mass",
     .unit = "1/time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickStepSpec, stability.alpha)},
    {.key = "beta",
     .type = STICK_FIELD_NUMBER,
     .text = "factor of the stiffness",
     .unit = "time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickStepSpec, stability.beta)},
    {.key = NULL},
};

static const StickSchema damping_table = {
    .title = "damping",
    .text = "Damping alpha M + beta K of the disturbances, added to that of the materials.",
    .fields = damping_fields,
};

static const StickField stability_fields[] = {
    {.key = "of",
     .type = STICK_FIELD_OWN,
     .text = "step whose path is analysed; default: the last quasistatic or steady-sliding step before it. "
             "If that step varies a parameter, every state is analysed, and modes are tracked from state to "
             "state as with 'vary'",
     .takes = "name of an earlier quasistatic or steady-sliding step",
     .json = "string",
     .read = read_of},
    {.key = "at",
     .type = STICK_FIELD_OWN,
     .text = "states that are analysed: one for each contact status, the last one, or those at given times; "
             "default: every-status",
     .takes = "every-status, end or a list of times",
     .read = read_at},
    {.key = "modes",
     .type = STICK_FIELD_INTEGER,
     .text = "number of modes in the spectrum, in addition to the growing ones; 0: all computed modes. With "
             "more than 1500 degrees of freedom, only this number of lowest modes is computed",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1e6},
     .at = STICK_AT(StickStepSpec, stability.modes)},
    {.key = "highest",
     .type = STICK_FIELD_NUMBER,
     .text = "largest frequency of the computed modes; 0: all modes, with dense matrices, or the number "
             "given by 'modes'",
     .unit = "1/time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickStepSpec, stability.highest)},
    {.key = "between",
     .type = STICK_FIELD_OWN,
     .text = "frequency range of the computed modes, instead of 'highest'",
     .unit = "1/time",
     .takes = "[number, number]",
     .json = "array",
     .read = read_between},
    {.key = "mass",
     .type = STICK_FIELD_CHOICE,
     .text = "mass matrix of the disturbances",
     .standard = "model",
     .choices = masses,
     .at = STICK_AT(StickStepSpec, stability.mass)},
    {.key = "damping",
     .type = STICK_FIELD_MAP,
     .text = "damping of the disturbances",
     .table = &damping_table},
    {.key = "friction-slope",
     .type = STICK_FIELD_SWITCH,
     .text = "how friction changes with the speed and the pressure of the disturbance",
     .standard = "law",
     .choices = slopes,
     .at = STICK_AT(StickStepSpec, stability.no_slope)},
    {.key = "shapes",
     .type = STICK_FIELD_INTEGER,
     .text = "maximum number of statuses (with vary: of values) for which the shapes of the 12 strongest "
             "unstable modes are written, and of those for which the shape of a negative eigenvalue of K_S* "
             "is written",
     .standard = "100",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 10000},
     .at = STICK_AT(StickStepSpec, stability.shapes)},
    {.key = "vary",
     .type = STICK_FIELD_OWN,
     .text = "a parameter; for each of its values all steps up to the end of the path are run again, and "
             "modes are tracked from value to value",
     .takes = "{parameter: {from: a, to: b, by: c}} or {parameter: [values]}",
     .json = "object",
     .read = read_vary},
    {.key = "locate",
     .type = STICK_FIELD_SWITCH,
     .text = "with vary: what is located by bisection between two values",
     .standard = "coalescence",
     .choices = locations,
     .at = STICK_AT(StickStepSpec, stability.no_locate)},
    {.key = NULL},
};

const StickSchema stick_stability_table = {
    .title = "stability",
    .text = "Whether small disturbances of the states of a quasistatic path grow: divergence and flutter.",
    .fields = stability_fields,
};

// ---- references to other steps

static bool has_path(const StickStepSpec *step)
{
    return step->kind == STICK_STEP_QUASISTATIC || step->kind == STICK_STEP_SLIDING;
}

static int last_path(const StickModel *model)
{
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (has_path(&model->step[k]))
            return k;
    return -1;
}

static void find_named(StickReader *reader, StickStabilitySpec *stability)
{
    enum { MOST_NAMES = 64 };
    const StickModel *model = reader->model;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < model->nsteps; k++) {
        if (!has_path(&model->step[k]) || !model->step[k].name)
            continue;
        if (strcmp(model->step[k].name, stability->of_name) == 0)
            stability->of = k;
        if (count < MOST_NAMES)
            names[count++] = model->step[k].name;
    }
    if (stability->of < 0)
        stick_complain_word(reader, stability->of_mark, "quasistatic step before this one",
                            stability->of_name, names, count);
}

static void check_times(StickReader *reader, const StickYaml *node, const StickStabilitySpec *stability)
{
    const StickStepSpec *of = &reader->model->step[stability->of];
    double begin = of->end - of->step * of->increments, room = 1e-9 * of->end;
    for (int k = 0; k < stability->ntimes; k++)
        if (stability->times[k] < begin - room || stability->times[k] > of->end + room)
            STICK_COMPLAIN(reader, stick_yaml_find(stick_yaml_find(node, "stability"), "at")->mark,
                           "t = %g is not on the path of step '%s', which goes from %g to %g",
                           stability->times[k], of->name, begin, of->end);
}

static void check_window(StickReader *reader, const StickYaml *node)
{
    const StickYaml *stability = stick_yaml_find(node, "stability"),
                    *between = stick_yaml_find(stability, "between");
    if (between && stick_yaml_find(stability, "highest"))
        STICK_COMPLAIN(reader, between->key_mark,
                       "'between' and 'highest' both define the frequency range: give only one of them");
}

static void check_forces(StickReader *reader, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->nloads; k++)
        if (model->load[k].kind == STICK_LOAD_HOLD)
            STICK_COMPLAIN(reader, model->load[k].mark,
                           "force control ('hold') cannot be combined with a stability step (line %d): the "
                           "motion of the group in a disturbance is not defined",
                           step->mark.line);
}

// With 'vary', only the end of the path is compared from value to value.
static void check_varied(StickReader *reader, const StickYaml *node, StickStabilitySpec *stability)
{
    const StickYaml *at = stick_yaml_find(stick_yaml_find(node, "stability"), "at");
    if (at && stability->at != STICK_JUDGE_END)
        STICK_COMPLAIN(reader, at->mark,
                       "with 'vary' only the end of the path is analysed: 'at' must be 'end'");
    stability->at = STICK_JUDGE_END;
}

// All states of a family of steady sliding are judged as values of its parameter.
static void take_family(StickReader *reader, const StickYaml *node, StickStabilitySpec *stability)
{
    const StickStepSpec *of = &reader->model->step[stability->of];
    const StickYaml *own = stick_yaml_find(stick_yaml_find(node, "stability"), "vary");
    if (!of->vary.parameter || stability->at != STICK_JUDGE_STATUSES)
        return;
    if (own) {
        STICK_COMPLAIN(reader, own->key_mark, "step '%s' already varies '%s': remove 'vary' here or there",
                       of->name, of->vary.parameter);
        return;
    }
    stability->family = true;
    stability->vary = of->vary;
}

void stick_finish_stability(StickReader *reader, const StickYaml *node, StickStepSpec *step)
{
    StickStabilitySpec *stability = &step->stability;
    const StickYaml *solver = stick_yaml_find(node, "solver");
    stability->of = -1;
    if (solver)
        STICK_COMPLAIN(reader, solver->key_mark,
                       "a stability step solves no contact problems: remove 'solver'");
    if (stability->of_name)
        find_named(reader, stability);
    else if ((stability->of = last_path(reader->model)) < 0)
        STICK_COMPLAIN(reader, node->mark,
                       "a stability step needs a quasistatic step before it, or one of steady sliding");
    if (stability->of >= 0)
        check_times(reader, node, stability);
    if (stability->mass == STICK_MASS_UNIT && stability->alpha > 0)
        STICK_COMPLAIN(reader, node->mark, "damping by 'alpha' needs a mass, but 'mass' is 'unit'");
    if (stability->of >= 0)
        take_family(reader, node, stability);
    if (stability->vary.parameter && !stability->family)
        check_varied(reader, node, stability);
    check_window(reader, node);
    check_forces(reader, step);
}

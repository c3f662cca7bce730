// SPDX-License-Identifier: Apache-2.0
// Stability steps: which states of which path are judged, and how.
#include "model/tables.h"

#include <math.h>
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
        stick_complain_word(reader, node->mark, "choice of states", node->text, words, 2);
    return STICK_OK;
}

static const StickChoice masses[] = {
    {"model", STICK_MASS_MODEL, "as every body has it"},
    {"consistent", STICK_MASS_CONSISTENT, "of the same base functions, also where a body is lumped"},
    {"lumped", STICK_MASS_LUMPED, "row sums"},
    {"unit", STICK_MASS_UNIT, "the unit matrix: what depends on the stiffness alone"},
    {NULL, 0, NULL},
};

static const StickChoice slopes[] = {
    {"law", false, "by the law of friction, at the speed of sliding"},
    {"none", true, "friction stays as it is"},
    {NULL, 0, NULL},
};

static const StickField damping_fields[] = {
    {.key = "alpha",
     .type = STICK_FIELD_NUMBER,
     .text = "of the mass",
     .unit = "1/time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickStepSpec, stability.alpha)},
    {.key = "beta",
     .type = STICK_FIELD_NUMBER,
     .text = "of the stiffness",
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
     .text = "whose path; the last quasistatic step before it unless given",
     .takes = "name of a quasistatic step before it",
     .json = "string",
     .read = read_of},
    {.key = "at",
     .type = STICK_FIELD_OWN,
     .text = "which of its states: each status of the contacts, the last one, or those at some times; "
             "every-status unless given",
     .takes = "every-status, end or a list of times",
     .read = read_at},
    {.key = "modes",
     .type = STICK_FIELD_INTEGER,
     .text = "how many are listed in the spectrum, beside those that grow; 0: all that are found",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1e6},
     .at = STICK_AT(StickStepSpec, stability.modes)},
    {.key = "highest",
     .type = STICK_FIELD_NUMBER,
     .text = "frequency up to which modes are looked for; 0: all of them, which takes dense matrices",
     .unit = "1/time",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickStepSpec, stability.highest)},
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
     .text = "how friction changes with the speed of the disturbance",
     .standard = "law",
     .choices = slopes,
     .at = STICK_AT(StickStepSpec, stability.no_slope)},
    {.key = "shapes",
     .type = STICK_FIELD_INTEGER,
     .text = "of how many statuses the shape of the first fluttering mode is written, at most",
     .standard = "10",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 10000},
     .at = STICK_AT(StickStepSpec, stability.shapes)},
    {.key = NULL},
};

const StickSchema stick_stability_table = {
    .title = "stability",
    .text = "Whether small disturbances of the states of a quasistatic path grow: divergence and flutter.",
    .fields = stability_fields,
};

// ---- what it speaks of

static int last_quasistatic(const StickModel *model)
{
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (model->step[k].kind == STICK_STEP_QUASISTATIC)
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
        if (model->step[k].kind != STICK_STEP_QUASISTATIC || !model->step[k].name)
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

static void check_forces(StickReader *reader, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->nloads; k++)
        if (model->load[k].kind == STICK_LOAD_HOLD)
            STICK_COMPLAIN(reader, model->load[k].mark,
                           "a load that is held ('hold') cannot go with a stability step (line %d): how its "
                           "group moves in a disturbance is not known",
                           step->mark.line);
}

void stick_finish_stability(StickReader *reader, const StickYaml *node, StickStepSpec *step)
{
    StickStabilitySpec *stability = &step->stability;
    const StickYaml *solver = stick_yaml_find(node, "solver");
    stability->of = -1;
    if (solver)
        STICK_COMPLAIN(reader, solver->key_mark, "a stability step has no contact problems to solve");
    if (stability->of_name)
        find_named(reader, stability);
    else if ((stability->of = last_quasistatic(reader->model)) < 0)
        STICK_COMPLAIN(reader, node->mark, "a stability step needs a quasistatic step before it");
    if (stability->of >= 0)
        check_times(reader, node, stability);
    if (stability->mass == STICK_MASS_UNIT && stability->alpha > 0)
        STICK_COMPLAIN(reader, node->mark, "damping by 'alpha' needs a mass, but 'mass' is 'unit'");
    check_forces(reader, step);
}

// SPDX-License-Identifier: Apache-2.0
// Disturbances of a judged state, from which a dynamic step starts.
#include "model/tables.h"

#include <math.h>
#include <string.h>

static StickStatus read_of(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickPerturbSpec *perturb = &((StickStepSpec *)item)->perturb;
    perturb->of_mark = node->mark;
    return stick_read_text(reader, field, node, &perturb->of_name);
}

// growing, or a number.
static StickStatus read_mode(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickPerturbSpec *perturb = &((StickStepSpec *)item)->perturb;
    double number = NAN;
    if (!stick_need_value(reader, field->key, node) || strcmp(node->text, "growing") == 0)
        return STICK_OK;
    STICK_TRY(stick_read_number(reader, field, node, &number));
    if (isnan(number))
        return STICK_OK;
    if (number >= 1 && number <= 1e6 && number == floor(number))
        perturb->mode = (int)number;
    else
        STICK_COMPLAIN(reader, node->mark, "'mode' is %g, but must be 'growing' or a whole number from 1 on",
                       number);
    return STICK_OK;
}

static const StickField perturb_fields[] = {
    {.key = "of",
     .type = STICK_FIELD_OWN,
     .text = "stability step that analysed the state in which this step starts; default: the last one",
     .takes = "name of an earlier stability step",
     .json = "string",
     .read = read_of},
    {.key = "mode",
     .type = STICK_FIELD_OWN,
     .text = "mode to follow: `growing`, the mode with the largest growth rate (or the smallest decay rate "
             "if none grows), or a mode number; default: growing",
     .takes = "growing or the number of a mode",
     .read = read_mode},
    {.key = "amplitude",
     .type = STICK_FIELD_NUMBER,
     .text = "starts along that mode with this largest displacement",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickStepSpec, perturb.amplitude)},
    {.key = "random",
     .type = STICK_FIELD_NUMBER,
     .text = "starts with random displacements that change no contact status; this is the largest of them",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickStepSpec, perturb.random)},
    {.key = "seed",
     .type = STICK_FIELD_INTEGER,
     .text = "seed of the random displacements",
     .standard = "1",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1e9},
     .at = STICK_AT(StickStepSpec, perturb.seed)},
    {.key = "rounding",
     .type = STICK_FIELD_BOOL,
     .text = "adds no disturbance: only rounding errors grow",
     .standard = "false",
     .at = STICK_AT(StickStepSpec, perturb.rounding)},
    {.key = NULL},
};

// ---- the judged state

static int find_named(StickReader *reader, const StickPerturbSpec *perturb)
{
    enum { MOST_NAMES = 64 };
    const StickModel *model = reader->model;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < model->nsteps; k++) {
        if (model->step[k].kind != STICK_STEP_STABILITY || !model->step[k].name)
            continue;
        if (strcmp(model->step[k].name, perturb->of_name) == 0)
            return k;
        if (count < MOST_NAMES)
            names[count++] = model->step[k].name;
    }
    stick_complain_word(reader, perturb->of_mark, "stability step before this one", perturb->of_name, names,
                        count);
    return -1;
}

static int find_last(StickReader *reader, StickMark mark)
{
    const StickModel *model = reader->model;
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (model->step[k].kind == STICK_STEP_STABILITY)
            return k;
    STICK_COMPLAIN(
        reader, mark,
        "'perturb' requires an earlier stability step, which analyses the initial state of this step");
    return -1;
}

// The state that was judged must be the one that the dynamics starts from.
static void check_state(StickReader *reader, StickMark mark, const StickStepSpec *judged)
{
    const StickModel *model = reader->model;
    int before = model->nsteps - 1;
    while (before >= 0 && model->step[before].kind == STICK_STEP_STABILITY)
        before--;
    if (judged->stability.of < 0)
        return; // reported already
    if (judged->stability.family && judged->stability.of == before)
        return; // 'from' selects it
    if (judged->stability.vary.parameter)
        STICK_COMPLAIN(reader, mark,
                       "step '%s' varies '%s', which may not include the initial state of the motion: add "
                       "another stability step that analyses this state",
                       judged->name, judged->stability.vary.parameter);
    else if (judged->stability.of != before)
        STICK_COMPLAIN(reader, mark,
                       "step '%s' analyses the path of '%s', but motion starts from the end of '%s'",
                       judged->name, model->step[judged->stability.of].name, model->step[before].name);
    else if (judged->stability.at == STICK_JUDGE_TIMES)
        STICK_COMPLAIN(reader, mark,
                       "step '%s' analyses states at given times, but motion starts from the last state: set "
                       "its 'at' to 'end' or 'every-status'",
                       judged->name);
}

// The stability analysis must use the matrices of the dynamic step.
static void check_matrices(StickReader *reader, StickMark mark, const StickStepSpec *judged)
{
    const StickModel *model = reader->model;
    const StickStabilitySpec *stability = &judged->stability;
    bool other = stability->mass == STICK_MASS_UNIT, law = false;
    for (int k = 0; k < model->nbodies; k++)
        other |= (stability->mass == STICK_MASS_LUMPED && !model->body[k].lumped_mass) ||
                 (stability->mass == STICK_MASS_CONSISTENT && model->body[k].lumped_mass);
    for (int k = 0; k < model->ncontacts; k++)
        law |=
            model->contact[k].law.friction && !stick_expression_is_constant(model->contact[k].law.friction);
    if (other)
        STICK_COMPLAIN(reader, mark,
                       "step '%s' uses a mass matrix other than that of the bodies, but the motion uses that "
                       "of the bodies: use the same one",
                       judged->name);
    if (stability->alpha > 0 || stability->beta > 0)
        STICK_COMPLAIN(reader, mark,
                       "step '%s' uses damping that the bodies do not have: give it to their materials",
                       judged->name);
    if (stability->no_slope && law)
        STICK_COMPLAIN(reader, mark, "step '%s' uses friction that does not depend on the speed",
                       judged->name);
}

static StickStatus finish_perturb(StickReader *reader, const StickYaml *node, void *item)
{
    StickPerturbSpec *perturb = &((StickStepSpec *)item)->perturb;
    int starts = (perturb->amplitude > 0) + (perturb->random > 0) + perturb->rounding;
    perturb->given = true;
    perturb->mark = node->mark;
    if (starts != 1)
        STICK_COMPLAIN(reader, node->mark,
                       "'perturb' must have one of 'amplitude', 'random', 'rounding: true', "
                       "but has %s",
                       starts == 0 ? "none" : "more");
    perturb->of = perturb->of_name ? find_named(reader, perturb) : find_last(reader, node->mark);
    if (perturb->of < 0)
        return STICK_OK;
    const StickStepSpec *judged = &reader->model->step[perturb->of];
    check_state(reader, node->mark, judged);
    check_matrices(reader, node->mark, judged);
    return STICK_OK;
}

const StickSchema stick_perturb_table = {
    .title = "a disturbance",
    .text = "A small disturbance of a state that a stability step analysed, and the mode whose growth is "
            "measured.",
    .fields = perturb_fields,
    .finish = finish_perturb,
};

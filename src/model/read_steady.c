// SPDX-License-Identifier: Apache-2.0
// Steps of steady sliding, and the states of theirs that motion starts from.
#include "model/tables.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const StickChoice methods[] = {
    {"newton", STICK_STEADY_NEWTON,
     "friction is proportional to the unknown normal forces; each linear problem is nonsymmetric"},
    {"fixed-point", STICK_STEADY_FIXED_POINT,
     "friction is taken from the previous iterate (fixed-point iteration): slower, and convergent for small "
     "friction only"},
    {NULL, 0, NULL},
};

static StickStatus read_vary(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    return stick_read_vary(reader, field, node, &((StickStepSpec *)item)->vary);
}

static const StickField steady_fields[] = {
    {.key = "vary",
     .type = STICK_FIELD_OWN,
     .text = "a parameter that friction depends on: one state is computed for each of its values, starting "
             "from the previous state; default: one state with the friction of the contacts",
     .takes = "{parameter: {from: a, to: b, by: c}} or {parameter: [values]}",
     .json = "object",
     .read = read_vary},
    {.key = "method",
     .type = STICK_FIELD_CHOICE,
     .text = "how friction forces are computed",
     .standard = "newton",
     .choices = methods,
     .at = STICK_AT(StickStepSpec, method)},
    {.key = "end",
     .type = STICK_FIELD_NUMBER,
     .text =
         "end time; must be later than that of the previous step. The states are at equally spaced times, "
         "with the loads and supports of these times; default: as long as all previous steps together, or 1",
     .unit = "time",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickStepSpec, end)},
    {.key = NULL},
};

const StickSchema stick_steady_table = {
    .title = "steady sliding",
    .text = "Equilibrium states in which every contact is open or slides in the direction imposed by "
            "obstacles and supports, computed directly.",
    .fields = steady_fields,
};

// ---- parameters that a family may vary

enum { MOST_DEPENDENT = 64 };

// Parameters that change with the one that is varied, itself first.
typedef struct Dependent {
    const char *name[MOST_DEPENDENT];
    int count;
} Dependent;

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Whether a text has one of the names as a word.
static bool speaks_of(const char *text, const Dependent *dependent)
{
    for (const char *c = text; *c; c++) {
        size_t length = 0;
        while (is_letter(c[length]))
            length++;
        for (int k = 0; k < dependent->count && length > 0; k++)
            if (strlen(dependent->name[k]) == length && strncmp(c, dependent->name[k], length) == 0)
                return true;
        c += length > 0 ? length - 1 : 0;
    }
    return false;
}

// The first value below a node that speaks of them, or NULL.
static const StickYaml *find_use(const StickYaml *node, const Dependent *dependent)
{
    if (node->kind == STICK_YAML_SCALAR)
        return node->text && speaks_of(node->text, dependent) ? node : NULL;
    for (const StickYaml *child = node->first; child; child = child->next) {
        const StickYaml *found = find_use(child, dependent);
        if (found)
            return found;
    }
    return NULL;
}

// Parameters stand in order: each sees those before it.
static Dependent dependent_on(const StickModel *model, const char *parameter)
{
    const StickYaml *all = stick_yaml_find(model->tree, "parameters");
    Dependent dependent = {.name = {parameter}, .count = 1};
    for (const StickYaml *node = all ? all->first : NULL; node && dependent.count < MOST_DEPENDENT;
         node = node->next)
        if (node->given && speaks_of(node->given, &dependent))
            dependent.name[dependent.count++] = node->key;
    return dependent;
}

// States of a family are those of one system: nothing but friction may change.
static void check_uses(StickReader *reader, const StickYaml *vary, const StickStepSpec *step)
{
    static const char *const sections[] = {"materials", "bodies",  "obstacles", "supports",
                                           "loads",     "gravity", "joints"};
    Dependent dependent = dependent_on(reader->model, step->vary.parameter);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        const StickYaml *section = stick_yaml_find(reader->model->tree, sections[k]);
        const StickYaml *use = section ? find_use(section, &dependent) : NULL;
        if (use)
            STICK_COMPLAIN(
                reader, use->mark,
                "'%s' depends on the parameter '%s', but 'vary' of step '%s' changes friction only: move "
                "'vary' to a stability step, which reads the model again for each value",
                sections[k], step->vary.parameter, step->name ? step->name : "steady-sliding");
    }
    const StickYaml *contacts = stick_yaml_find(reader->model->tree, "contacts");
    if (contacts && !find_use(contacts, &dependent))
        STICK_COMPLAIN(reader, vary->mark,
                       "no contact depends on the parameter '%s', so all states would be equal: set "
                       "'friction' of a contact to %s",
                       step->vary.parameter, step->vary.parameter);
}

// As long as keys are read an end may be missing; increments are states.
void stick_finish_steady(StickReader *reader, const StickYaml *node, StickStepSpec *step)
{
    const StickYaml *friction = stick_yaml_find(node, "friction");
    if (step->kind != STICK_STEP_SLIDING)
        return;
    step->increments = step->vary.parameter ? step->vary.count : 1;
    step->increments += step->increments == 0; // reported already
    if (step->vary.parameter && friction)
        STICK_COMPLAIN(reader, friction->key_mark,
                       "'friction' of this step overrides the contacts, so '%s' has no effect: remove "
                       "'friction' or 'vary'",
                       step->vary.parameter);
    if (step->vary.parameter)
        check_uses(reader, stick_yaml_find(stick_yaml_find(node, "steady-sliding"), "vary"), step);
    if (step->solver)
        stick_warn_at(
            reader->ctx, step->solver_mark,
            "the solver '%s' has no effect: steady sliding is a linear complementarity problem, solved "
            "by Lemke's method; only the tolerance counts",
            step->solver);
}

// ---- the state that motion starts from

// {step: name, parameter: value}
StickStatus stick_read_from(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickFromSpec *from = &((StickStepSpec *)item)->from;
    from->mark = node->mark;
    from->value = NAN;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_MAP))
        return STICK_OK;
    from->given = true;
    for (StickYaml *member = node->first; member; member = member->next) {
        if (strcmp(member->key, "step") == 0) {
            from->step_mark = member->mark;
            STICK_TRY(stick_read_text(reader, field, member, &from->step_name));
            continue;
        }
        if (from->parameter) {
            STICK_COMPLAIN(reader, member->key_mark,
                           "'from' accepts a step and the value of one parameter only");
            return STICK_OK;
        }
        from->parameter = stick_keep_text(reader, member->key);
        if (!from->parameter)
            return STICK_NO_MEMORY;
        STICK_TRY(stick_read_number(reader, field, member, &from->value));
    }
    if (!from->step_name)
        STICK_COMPLAIN(reader, node->mark, "'from' needs 'step', the name of a steady-sliding step");
    return STICK_OK;
}

static int find_step(StickReader *reader, const StickFromSpec *from)
{
    enum { MOST_NAMES = 64 };
    const StickModel *model = reader->model;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (int k = 0; k < model->nsteps; k++) {
        if (model->step[k].kind != STICK_STEP_SLIDING || !model->step[k].name)
            continue;
        if (strcmp(model->step[k].name, from->step_name) == 0)
            return k;
        if (count < MOST_NAMES)
            names[count++] = model->step[k].name;
    }
    stick_complain_word(reader, from->step_mark, "steady-sliding step before this one", from->step_name,
                        names, count);
    return -1;
}

static void check_value(StickReader *reader, const StickFromSpec *from, const StickStepSpec *slide)
{
    const StickVarySpec *vary = &slide->vary;
    if (!vary->parameter && from->parameter)
        STICK_COMPLAIN(reader, from->mark, "step '%s' varies no parameter: remove '%s' from 'from'",
                       slide->name, from->parameter);
    if (!vary->parameter || vary->count < 2)
        return;
    double first = vary->value[0], last = vary->value[vary->count - 1];
    if (!from->parameter)
        STICK_COMPLAIN(reader, from->mark,
                       "'from' needs the value of '%s', which step '%s' varies from %g to %g",
                       vary->parameter, slide->name, first, last);
    else if (strcmp(from->parameter, vary->parameter) != 0)
        STICK_COMPLAIN(reader, from->mark, "step '%s' varies '%s', not '%s'", slide->name, vary->parameter,
                       from->parameter);
    else if (from->value < fmin(first, last) || from->value > fmax(first, last))
        STICK_COMPLAIN(reader, from->mark,
                       "%s = %g is not among the states of step '%s', which go from %g to %g",
                       from->parameter, from->value, slide->name, first, last);
}

static const StickStepSpec *last_moving(const StickModel *model)
{
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (model->step[k].kind != STICK_STEP_STABILITY)
            return &model->step[k];
    return NULL;
}

// A disturbance of a family of states requires the selection of one state.
static void check_perturb(StickReader *reader, const StickStepSpec *step)
{
    if (!step->perturb.given || step->perturb.of < 0 || step->from.given)
        return;
    const StickStepSpec *judged = &reader->model->step[step->perturb.of];
    if (judged->stability.family)
        STICK_COMPLAIN(reader, step->perturb.mark,
                       "step '%s' analyses all states of step '%s': select the initial state of the motion, "
                       "as in 'from: {step: %s, %s: %g}'",
                       judged->name, reader->model->step[judged->stability.of].name,
                       reader->model->step[judged->stability.of].name, judged->stability.vary.parameter,
                       judged->stability.vary.value[judged->stability.vary.count - 1]);
}

void stick_finish_from(StickReader *reader, const StickYaml *node, StickStepSpec *step)
{
    StickFromSpec *from = &step->from;
    const StickYaml *friction = stick_yaml_find(node, "friction");
    check_perturb(reader, step);
    if (!from->given || !from->step_name)
        return;
    from->step = find_step(reader, from);
    if (from->step < 0)
        return;
    const StickStepSpec *slide = &reader->model->step[from->step], *before = last_moving(reader->model);
    if (slide != before)
        STICK_COMPLAIN(reader, from->step_mark,
                       "motion can only start from a state of the preceding step, which is '%s', not '%s'",
                       before->name, slide->name);
    if (friction && from->parameter)
        STICK_COMPLAIN(reader, friction->key_mark,
                       "'friction' contradicts 'from', because contacts keep the friction of the selected "
                       "state: remove one of them");
    if (!isnan(from->value) || !from->parameter)
        check_value(reader, from, slide);
}

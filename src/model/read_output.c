// SPDX-License-Identifier: Apache-2.0
// Output: histories, profiles, marks and fields.
#include "model/result.h"
#include "model/tables.h"

#include <string.h>

// ---- histories

static const char *const components[] = {"x", "y", "z", "normal", "tangential"};
enum { NCOMPONENTS = sizeof components / sizeof *components };

static int find_word(const char *const *words, int count, const char *word, size_t length)
{
    for (int k = 0; k < count; k++)
        if (strlen(words[k]) == length && strncmp(words[k], word, length) == 0)
            return k;
    return -1;
}

// "velocity.x": a quantity and, after the point, its component.
StickStatus stick_read_what(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickHistorySpec *history = item;
    char *text = NULL;
    STICK_TRY(stick_read_text(reader, field, node, &text));
    if (!text)
        return STICK_OK;
    size_t length = strcspn(text, ".");
    const char *component = text[length] == '.' ? text + length + 1 : NULL;
    history->component = component ? find_word(components, NCOMPONENTS, component, strlen(component)) : -1;
    text[length] = '\0';
    if (stick_result(text)) // of the same length, with its low lines
        memcpy(text, stick_result(text)->name, length);
    history->what = text;
    stick_need_word(reader, node->mark, "quantity", text, field->names);
    if (component && history->component < 0)
        stick_complain_word(reader, node->mark, "component", component, components, NCOMPONENTS);
    return STICK_OK;
}

// Bodies and obstacles go before joints of the same name.
static int find_joint(const StickModel *model, const char *name)
{
    size_t length = strcspn(name, "[.");
    for (int b = 0; b < model->nbodies; b += stick_repeat_count(&model->body[b].repeat))
        if (strcspn(model->body[b].name, "[") == length && strncmp(model->body[b].name, name, length) == 0)
            return -1;
    for (int o = 0; o < model->nobstacles; o++)
        if (strcmp(model->obstacle[o].name, name) == 0)
            return -1;
    for (int k = 0; k < model->njoints; k++)
        if (stick_text_equal(model->joint[k].name, name))
            return k;
    return -1;
}

// One place, two bodies, or a joint.
StickStatus stick_read_followed(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickHistorySpec *history = item;
    history->of = history->to = (StickTarget){.mark = node->mark, .body = -1, .obstacle = -1, .nbodies = 1};
    history->joint = node->kind == STICK_YAML_SCALAR ? find_joint(reader->model, node->text) : -1;
    history->gears = node->kind == STICK_YAML_SCALAR ? stick_find_gears(reader->model, node->text) : -1;
    if (history->joint >= 0 || history->gears >= 0)
        return STICK_OK;
    if (node->kind != STICK_YAML_LIST)
        return stick_read_watched(reader, node, &history->of);
    if (node->count != 2) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d members, but must be one location or two bodies",
                       field->key, node->count);
        return STICK_OK;
    }
    STICK_TRY(stick_read_single(reader, node->first, &history->of));
    return stick_read_single(reader, node->first->next, &history->to);
}

static const StickField history_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "name of the table, unique",
     .required = true,
     .at = STICK_AT(StickHistorySpec, name)},
    {.key = "of",
     .type = STICK_FIELD_OWN,
     .text = "where",
     .required = true,
     .takes = "body.group, body, obstacle, joint or pair of gears; for distance two rigid bodies or "
              "obstacles, as [a, b]",
     .read = stick_read_followed},
    {.key = "what",
     .type = STICK_FIELD_OWN,
     .required = true,
     .text = "vectors by their component .x, .y or .z, contact_force also by .normal or .tangential; "
             "contact_pressure, gap and status alone; displacement also of obstacles; position, angle, "
             "angular_velocity, kinetic_energy and "
             "distance are of rigid bodies; force, moment, tension and power of joints; shift, rotation, "
             "frame_force, frame_moment, contact_load, peak_pressure, strips and sticking of bodies on "
             "trajectories; "
             "transmission_error, input_torque and roll of pairs of gears",
     .takes = "quantity or quantity.component",
     .names = stick_result_name,
     .json = "string",
     .read = stick_read_what},
    STICK_NEAREST_FIELD,
    {.key = "each",
     .type = STICK_FIELD_BOOL,
     .text = "one column per node",
     .standard = "false",
     .at = STICK_AT(StickHistorySpec, each)},
    {.key = "exact",
     .type = STICK_FIELD_EXPRESSION,
     .text = "exact solution, written next to the computed value",
     .sees = STICK_SEES_TIME,
     .at = STICK_AT(StickHistorySpec, exact)},
    {.key = NULL},
};

static bool is_rigid(const StickReader *reader, const StickTarget *target)
{
    return target->body >= 0 && reader->model->body[target->body].rigid && !target->group;
}

// A history of rigid bodies or joints has one column, or one per axis. The axes are unknown if the positions of the
// bodies are wrong; then only that error is reported.
static bool has_wrong_component(StickReader *reader, StickMark mark, const StickHistorySpec *history,
                                bool single)
{
    int dim = reader->model->dim;
    bool wrong = single ? history->component >= 0 : history->component < 0 || history->component >= dim;
    if (wrong && (single || dim > 0))
        STICK_COMPLAIN(reader, mark, "'%s' accepts %s here", history->what,
                       single     ? "no component"
                       : dim == 2 ? ".x or .y"
                                  : ".x, .y or .z");
    return wrong;
}

// Rigid bodies define the dimension of space; in the plane there is one angular velocity.
static void check_component(StickReader *reader, StickMark mark, const StickHistorySpec *history,
                            const StickResult *result)
{
    bool turns = result->kind == STICK_RESULT_ANGULAR_VELOCITY && reader->model->dim == 2;
    if (result->of_rigid)
        has_wrong_component(reader, mark, history, !result->by_component || turns);
}

static void check_joint(StickReader *reader, const StickYaml *node, const StickHistorySpec *history,
                        const StickResult *result)
{
    StickMark mark = stick_yaml_find(node, "what")->mark;
    const StickYaml *of = stick_yaml_find(node, "of");
    bool turns = result->kind == STICK_RESULT_MOMENT && reader->model->dim == 2;
    if (!result->of_joint) {
        STICK_COMPLAIN(reader, mark,
                       "'%s' is a joint, which has force, moment, tension and power: use one of these",
                       of->text);
        return;
    }
    if (history->joint < 0) {
        STICK_COMPLAIN(reader, of->mark, "'%s' is a quantity of joints: name a joint", result->name);
        return;
    }
    StickJointKind kind = reader->model->joint[history->joint].kind;
    if (has_wrong_component(reader, mark, history, !result->by_component || turns))
        return;
    if (result->kind == STICK_RESULT_TENSION && kind != STICK_JOINT_SPRING && kind != STICK_JOINT_DISTANCE)
        STICK_COMPLAIN(reader, mark, "'tension' is for distance joints and springs only: use 'force'");
    else if (history->each)
        STICK_COMPLAIN(reader, stick_yaml_find(node, "each")->key_mark, "'each' is for nodes");
}

static void check_rigid(StickReader *reader, const StickYaml *node, const StickHistorySpec *history,
                        const StickResult *result)
{
    StickMark mark = stick_yaml_find(node, "what")->mark;
    const StickYaml *of = stick_yaml_find(node, "of"), *each = stick_yaml_find(node, "each");
    bool two = of->kind == STICK_YAML_LIST;
    if (two != result->of_two)
        STICK_COMPLAIN(reader, of->mark, "'%s' is of %s", history->what,
                       two ? "one place, not of two" : "two bodies: [body, body or obstacle]");
    else if (result->of_rigid && !is_rigid(reader, &history->of))
        STICK_COMPLAIN(reader, of->mark, "'%s' is of a rigid body, as a whole", history->what);
    else if (two && history->to.obstacle < 0 && !is_rigid(reader, &history->to))
        STICK_COMPLAIN(reader, of->mark, "'%s' is between a rigid body and another, or an obstacle",
                       history->what);
    else if (two && history->of.body == history->to.body)
        STICK_COMPLAIN(reader, of->mark,
                       "the distance of a body to itself is undefined: name two different bodies");
    else if (result->kind == STICK_RESULT_CONTACT_PRESSURE && is_rigid(reader, &history->of) &&
             !history->each)
        STICK_COMPLAIN(reader, mark,
                       "contacts of rigid bodies are points, without pressure: use 'contact_force.normal'");
    else if (each && history->each && result->of_rigid)
        STICK_COMPLAIN(reader, each->key_mark,
                       "'each' is for nodes, but '%s' is a quantity of the whole body", history->what);
    else
        check_component(reader, mark, history, result);
}

void stick_finish_nearest(StickReader *reader, const StickYaml *node, StickHistorySpec *history)
{
    const StickYaml *at = stick_yaml_find(node, "at");
    history->has_at = at != NULL;
    if (at && (history->of.body < 0 || reader->model->body[history->of.body].rigid))
        STICK_COMPLAIN(reader, at->key_mark, "'at' selects a node of a deformable body: remove it here");
    else if (at && history->each)
        STICK_COMPLAIN(reader, at->key_mark,
                       "'at' selects one node and 'each' all nodes: give only one of them");
}

// Of bodies on trajectories and of gears.
static void check_trajectory(StickReader *reader, const StickYaml *node, const StickHistorySpec *history,
                             const StickResult *result)
{
    const StickYaml *of = stick_yaml_find(node, "of"), *each = stick_yaml_find(node, "each");
    StickMark mark = stick_yaml_find(node, "what")->mark;
    bool along = false;
    for (int k = 0; k < reader->model->nsteps; k++)
        along = along || reader->model->step[k].kind == STICK_STEP_TRAJECTORY;
    if (result->of_gears != (history->gears >= 0))
        STICK_COMPLAIN(reader, of->mark,
                       result->of_gears
                           ? "'%s' is a quantity of a pair of gears: name the pair"
                           : "'%s' is not a quantity of a pair of gears: name one gear, as pair.2",
                       result->name);
    else if (!along)
        STICK_COMPLAIN(reader, mark, "'%s' is computed in trajectory steps only, but the model has none",
                       result->name);
    else if (result->of_frame &&
             (history->of.body < 0 || history->of.nbodies > 1 || (history->of.group && !result->of_surface)))
        STICK_COMPLAIN(reader, of->mark, "'%s' is of a body%s", result->name,
                       result->of_surface ? " or one of its surfaces" : " as a whole");
    else if (result->by_component ? history->component < 0 || history->component > 1
                                  : history->component >= 0)
        STICK_COMPLAIN(reader, mark, "'%s' accepts %s here", result->name,
                       result->by_component ? ".x or .y" : "no component");
    else if (each && history->each)
        STICK_COMPLAIN(reader, each->key_mark, "'each' is for nodes");
}

// Numbers without direction have no components, and those along the normal are of contacts only.
StickStatus stick_finish_history(StickReader *reader, const StickYaml *node, void *item)
{
    const StickHistorySpec *history = item;
    const StickResult *result = stick_result(history->what);
    StickMark mark = stick_yaml_find(node, "what")->mark;
    stick_finish_nearest(reader, node, item);
    if (result->of_frame || result->of_gears || history->gears >= 0) {
        check_trajectory(reader, node, history, result);
        return STICK_OK;
    }
    if (result->of_joint || history->joint >= 0) {
        check_joint(reader, node, history, result);
        return STICK_OK;
    }
    check_rigid(reader, node, history, result);
    if (result->of_rigid)
        return STICK_OK;
    if (!result->by_component && history->component >= 0)
        STICK_COMPLAIN(reader, mark, "'%s' has no components", history->what);
    else if (!result->by_frame && history->component >= STICK_NORMAL_COMPONENT)
        STICK_COMPLAIN(reader, mark, "'%s' has the components x, y and z only", history->what);
    return STICK_OK;
}

static const StickSchema history_table = {
    .title = "a history",
    .text = "A quantity that is recorded over time.",
    .size = sizeof(StickHistorySpec),
    .mark_at = STICK_AT(StickHistorySpec, mark),
    .fields = history_fields,
    .finish = stick_finish_history,
};

// ---- profiles

static StickStatus read_surface(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)field;
    return stick_read_acted(reader, node, &((StickProfileSpec *)item)->of);
}

static StickStatus read_profile_times(StickReader *reader, const StickField *field, StickYaml *node,
                                      void *item)
{
    StickProfileSpec *profile = item;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    STICK_TRY(stick_read_times(reader, field, node, &profile->times, &profile->ntimes));
    for (int k = 0; k + 1 < profile->ntimes; k++)
        if (!(profile->times[k] < profile->times[k + 1]))
            STICK_COMPLAIN(reader, node->mark, "times must ascend, but %g follows %g", profile->times[k + 1],
                           profile->times[k]);
    return STICK_OK;
}

static const StickField profile_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "name of the table and of its picture, unique",
     .required = true,
     .at = STICK_AT(StickProfileSpec, name)},
    {.key = "of",
     .type = STICK_FIELD_OWN,
     .text = "sides of the first body of a contact, in the plane",
     .required = true,
     .takes = "body.group",
     .json = "string",
     .read = read_surface},
    {.key = "at",
     .type = STICK_FIELD_OWN,
     .text = "times; between two states of a quasistatic path forces are interpolated linearly",
     .unit = "time",
     .required = true,
     .range = STICK_NOT_NEGATIVE,
     .takes = "a list of times",
     .json = "array",
     .read = read_profile_times},
    {.key = NULL},
};

static const StickSchema profile_table = {
    .title = "a profile",
    .text = "Contact stresses and statuses along a surface at given times.",
    .size = sizeof(StickProfileSpec),
    .mark_at = STICK_AT(StickProfileSpec, mark),
    .fields = profile_fields,
};

// ---- marks

static const StickField moment_fields[] = {
    {.key = "t",
     .type = STICK_FIELD_NUMBER,
     .text = "when",
     .unit = "time",
     .required = true,
     .at = STICK_AT(StickMomentSpec, t)},
    {.key = "text",
     .type = STICK_FIELD_TEXT,
     .text = "label of the line",
     .required = true,
     .at = STICK_AT(StickMomentSpec, text)},
    {.key = NULL},
};

static StickStatus finish_moment(StickReader *reader, const StickYaml *node, void *item)
{
    (void)item;
    if (reader->model->output.nmoments == STICK_MOST_MOMENTS)
        STICK_COMPLAIN(reader, node->mark, "there are more than %d marks", STICK_MOST_MOMENTS);
    return STICK_OK;
}

static const StickSchema moment_table = {
    .title = "a mark",
    .text = "A time that is marked by a dashed line in plots over time.",
    .size = sizeof(StickMomentSpec),
    .mark_at = STICK_AT(StickMomentSpec, mark),
    .fields = moment_fields,
    .finish = finish_moment,
};

// ---- output

static const StickField fields_fields[] = {
    {.key = "every",
     .type = STICK_FIELD_INTEGER,
     .text = "time steps or increments between field files; each state of steady sliding has one; 0: none",
     .standard = "10",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1e9},
     .at = STICK_AT(StickOutputSpec, fields_every)},
    {.key = NULL},
};

static const StickSchema fields_table = {
    .title = "the output of fields",
    .text = "Fields for ParaView.",
    .fields = fields_fields,
};

static const StickField output_fields[] = {
    {.key = "fields", .type = STICK_FIELD_MAP, .text = "field files for ParaView", .table = &fields_table},
    {.key = "history",
     .type = STICK_FIELD_LIST,
     .text = "quantities over time",
     .table = &history_table,
     .at = STICK_AT(StickOutputSpec, history),
     .count_at = STICK_AT(StickOutputSpec, nhistories)},
    {.key = "profiles",
     .type = STICK_FIELD_LIST,
     .text = "contact stresses along a surface",
     .table = &profile_table,
     .at = STICK_AT(StickOutputSpec, profile),
     .count_at = STICK_AT(StickOutputSpec, nprofiles)},
    {.key = "spectrum",
     .type = STICK_FIELD_LIST,
     .text = "signals of dynamic steps: spectra, limit cycles",
     .table = &stick_signal_table,
     .at = STICK_AT(StickOutputSpec, spectrum),
     .count_at = STICK_AT(StickOutputSpec, nspectra)},
    {.key = "phase",
     .type = STICK_FIELD_LIST,
     .text = "phase portraits: velocity over displacement",
     .table = &stick_portrait_table,
     .at = STICK_AT(StickOutputSpec, portrait),
     .count_at = STICK_AT(StickOutputSpec, nportraits)},
    {.key = "sound",
     .type = STICK_FIELD_OWN,
     .text = "signals of dynamic steps as WAV files",
     .table = &stick_sound_table,
     .takes = "a mapping or a list of mappings",
     .read = stick_read_sounds},
    {.key = "marks",
     .type = STICK_FIELD_LIST,
     .text = "times that are marked in plots over time",
     .table = &moment_table,
     .at = STICK_AT(StickOutputSpec, moment),
     .count_at = STICK_AT(StickOutputSpec, nmoments)},
    {.key = NULL},
};

const StickSchema stick_output_table = {
    .title = "the output",
    .text = "Output of a run in addition to its summary.",
    .fields = output_fields,
};

// SPDX-License-Identifier: Apache-2.0
// Steps along trajectories, and the contacts that they know.
#include "model/tables.h"

#include "base/memory.h"

#include <stickslip/mlcp.h>

#include <math.h>
#include <string.h>

// ---- contacts

static void check_law(StickReader *reader, const StickYaml *node, const StickLawSpec *law)
{
    static const char *const others[] = {"restitution", "dissipation", "cohesion",
                                         "state",       "method",      "reach"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const StickYaml *given = stick_yaml_find(node, others[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark, "'%s' does not apply to trajectory steps: remove it",
                           others[k]);
    }
    const StickYaml *friction = stick_yaml_find(node, "friction");
    if (friction && law->section != STICK_LAW_DISK)
        STICK_COMPLAIN(
            reader, friction->mark,
            "in trajectory steps 'friction' must be a single number; anisotropic friction is not supported");
    else if (friction && law->friction && stick_expression_mentions(law->friction, STICK_SEES_SLIDING))
        STICK_COMPLAIN(reader, friction->mark,
                       "in trajectory steps 'friction' may depend on t, x and y, but not on v and p");
}

static bool is_same_surface(const StickTarget *a, const StickTarget *b)
{
    return a->body >= 0 && a->body == b->body && a->group && b->group && strcmp(a->group, b->group) == 0;
}

// Whether a surface is a flank that the name of a pair means, of its gear g.
static bool is_drive_flank(const StickGearPairSpec *pair, int g, const StickTarget *target)
{
    bool left = g == 0 || !(pair->gear[0].internal || pair->gear[1].internal);
    const char *side = target->group ? strrchr(target->group, '-') : NULL;
    return target->body == pair->body[g] && side && strncmp(target->group, "tooth-", 6) == 0 &&
           strcmp(side, left ? "-left" : "-right") == 0;
}

// Whether the surfaces of `other` are among those of `contact`.
static bool has_surfaces(const StickModel *model, const StickContactSpec *contact,
                         const StickContactSpec *other)
{
    const StickTarget *a = &other->slave, *b = &other->master;
    if (contact->gears >= 0 && other->gears >= 0)
        return contact->gears == other->gears;
    if (other->gears >= 0)
        return false;
    if (contact->gears < 0)
        return (is_same_surface(&contact->slave, a) && is_same_surface(&contact->master, b)) ||
               (is_same_surface(&contact->slave, b) && is_same_surface(&contact->master, a));
    const StickGearPairSpec *pair = &model->gears[contact->gears];
    return (is_drive_flank(pair, 0, a) && is_drive_flank(pair, 1, b)) ||
           (is_drive_flank(pair, 0, b) && is_drive_flank(pair, 1, a));
}

// Two contacts of the same surfaces would share their forces by chance.
static void check_new_mating(StickReader *reader, const StickYaml *node, const StickContactSpec *contact)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->nmatings; k++)
        if (has_surfaces(model, &model->mating[k], contact) ||
            has_surfaces(model, contact, &model->mating[k])) {
            STICK_COMPLAIN(reader, stick_yaml_find(node, "between")->mark,
                           "contact %d is between the same surfaces: remove one of them", k + 1);
            return;
        }
}

// The flanks of a gear are not a single surface.
static void check_flanks(StickReader *reader, const StickTarget *target)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < 2 * model->ngears; k++)
        if (model->gears[k / 2].body[k % 2] == target->body && target->group &&
            strcmp(target->group, "flanks") == 0)
            STICK_COMPLAIN(reader, target->mark,
                           "contact of gear flanks is defined by 'between: %s', for all driving flanks; a "
                           "single flank is named as %s.%d.tooth-0-left",
                           model->gears[k / 2].name, model->gears[k / 2].name, k % 2 + 1);
}

StickStatus stick_add_mating(StickReader *reader, const StickYaml *node, const StickContactSpec *contact)
{
    StickModel *model = reader->model;
    check_law(reader, node, &contact->law);
    check_new_mating(reader, node, contact);
    if (contact->gears < 0) {
        check_flanks(reader, &contact->slave);
        check_flanks(reader, &contact->master);
    }
    if (contact->gears < 0 && (reader->is_rule || contact->slave.body < 0 || contact->master.body < 0 ||
                               !contact->slave.group || !contact->master.group))
        STICK_COMPLAIN(
            reader, stick_yaml_find(node, "between")->mark,
            "'max-distance' is for two surfaces of bodies on trajectories, as [cam.outer, roller.outer]");
    if (!(contact->max_distance > 0))
        STICK_COMPLAIN(reader, node->mark,
                       "a contact of gears needs the key 'max-distance': the largest distance of flanks that "
                       "may come into contact by deformation");
    STICK_RESERVE(reader->ctx, model->mating, model->mating_capacity, (size_t)model->nmatings + 1);
    model->mating[model->nmatings++] = *contact;
    reader->drop = true;
    return STICK_OK;
}

// ---- steps

bool stick_is_mates_method(const char *name)
{
    for (int k = 0; stick_mlcp_method_name(k); k++)
        if (strcmp(stick_mlcp_method_name(k), name) == 0)
            return k != STICK_MLCP_ENUMERATE;
    return false;
}

// Gear of the model by the name of its body, or -1.
static int find_gear(const StickModel *model, const char *name)
{
    for (int k = 0; k < 2 * model->ngears; k++) {
        int body = model->gears[k / 2].body[k % 2];
        if (strcmp(model->body[body].name, name) == 0)
            return body;
    }
    return -1;
}

static bool is_input(const StickModel *model, int body)
{
    for (int k = 0; k < model->ngears; k++)
        if (model->gears[k].body[0] == body)
            return true;
    return false;
}

static StickStatus read_torques(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickTrajectorySpec *trajectory = &((StickStepSpec *)item)->trajectory;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_MAP))
        return STICK_OK;
    STICK_TAKE(&reader->model->arena, trajectory->torque, node->count > 0 ? node->count : 1);
    for (const StickYaml *member = node->first; member; member = member->next) {
        StickTorqueSpec *torque = &trajectory->torque[trajectory->ntorques];
        torque->body = find_gear(reader->model, member->key);
        STICK_TRY(stick_read_expression(reader, field, member, &torque->value));
        if (torque->body < 0)
            STICK_COMPLAIN(reader, member->key_mark,
                           "there is no gear '%s': 'torque' takes the output of a pair, as {pair.2: 100}",
                           member->key);
        else if (is_input(reader->model, torque->body))
            STICK_COMPLAIN(reader, member->key_mark,
                           "'%s' is the input of its pair: its rotation is prescribed and its torque is a "
                           "result; give 'torque' for the output gear",
                           member->key);
        else if (torque->value)
            trajectory->ntorques++;
    }
    return STICK_OK;
}

static const StickChoice cycles[] = {
    {"tooth", true, "one tooth period: `t` goes from 0 to 1, and the pitch point is at 1/2"},
    {NULL, 0, NULL},
};

static const StickChoice places[] = {
    {"ideal", false, "at the ideal positions; accurate as long as the free displacements are small"},
    {"actual", true, "at the actual positions, including the free displacements; iterated to convergence"},
    {NULL, 0, NULL},
};

static const StickField trajectory_fields[] = {
    {.key = "cycle",
     .type = STICK_FIELD_SWITCH,
     .text = "for gears: the period over which positions are distributed, including its start and excluding "
             "its end",
     .choices = cycles,
     .at = STICK_AT(StickStepSpec, trajectory.by_tooth)},
    {.key = "from",
     .type = STICK_FIELD_NUMBER,
     .text = "`t` of the first position; default: the end of the previous step",
     .unit = "time",
     .at = STICK_AT(StickStepSpec, trajectory.from)},
    {.key = "to",
     .type = STICK_FIELD_NUMBER,
     .text = "`t` of the last position",
     .unit = "time",
     .at = STICK_AT(StickStepSpec, trajectory.to)},
    {.key = "positions",
     .type = STICK_FIELD_INTEGER,
     .text = "number of positions; tables number them from 0",
     .required = true,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 1e6},
     .at = STICK_AT(StickStepSpec, trajectory.positions)},
    {.key = "pairs",
     .type = STICK_FIELD_SWITCH,
     .text = "frame positions at which facets and their opposing points are searched",
     .choices = places,
     .standard = "ideal",
     .at = STICK_AT(StickStepSpec, trajectory.actual)},
    {.key = "torque",
     .type = STICK_FIELD_OWN,
     .text = "for gears: load torque on the output, against its motion",
     .unit = "force length",
     .takes = "{gear: a number of t}, as {pair.2: 100}",
     .sees = STICK_SEES_TIME,
     .json = "object",
     .read = read_torques},
    {.key = NULL},
};

static StickStatus finish_keys(StickReader *reader, const StickYaml *node, void *item)
{
    StickTrajectorySpec *trajectory = &((StickStepSpec *)item)->trajectory;
    const StickYaml *cycle = stick_yaml_find(node, "cycle"), *from = stick_yaml_find(node, "from");
    const StickYaml *to = stick_yaml_find(node, "to");
    trajectory->mark = node->mark;
    if (cycle && (from || to))
        STICK_COMPLAIN(reader, (from ? from : to)->key_mark, "give 'cycle', or 'from' and 'to'");
    else if (cycle && reader->model->ngears != 1)
        STICK_COMPLAIN(reader, cycle->mark,
                       "'cycle: tooth' is for one pair of gears, but there are %d: give 'from' "
                       "and 'to'",
                       reader->model->ngears);
    else if (!cycle && !to)
        STICK_COMPLAIN(reader, node->mark, "a trajectory needs the key 'to'%s",
                       reader->model->ngears ? ", or 'cycle: tooth'" : "");
    return STICK_OK;
}

const StickSchema stick_trajectory_table = {
    .title = "trajectory",
    .text = "Equilibria at positions of an ideal motion: bodies are attached to `frames` that follow it, and "
            "have contacts with a `max-distance`, in which sliding and its direction follow from the ideal "
            "motion. Each position is an independent problem. With a friction solver, such as `solver: "
            "auto`, facets may stick, and each position starts from the previous one.",
    .fields = trajectory_fields,
    .finish = finish_keys,
};

// Whether there are contacts that trajectory steps do not support; errors of the supported ones were reported before.
static bool has_other_contacts(const StickModel *model)
{
    for (int k = 0; k < model->ncontacts; k++)
        if (!(model->contact[k].max_distance > 0) && model->contact[k].gears < 0)
            return true;
    return model->nrules > 0;
}

// Reports features of the model that trajectory steps do not support.
static void check_model(StickReader *reader, const StickYaml *node)
{
    const StickModel *model = reader->model;
    const char *what = has_other_contacts(model) ? "contacts without 'max-distance'"
                       : model->nrigid           ? "rigid bodies"
                       : model->nloads           ? "'loads': forces act on 'frames'"
                       : model->gravity[0]       ? "'gravity'"
                       : model->njoints          ? "'joints'"
                                                 : NULL;
    for (int k = 0; k < model->nbodies && !what; k++) {
        const StickMaterial *material = stick_material_of(model, &model->body[k]);
        if (material && material->law != STICK_MATERIAL_ELASTIC)
            what = "materials of finite strains";
    }
    for (int k = 0; k < model->nsteps && !what; k++)
        if (model->step[k].kind != STICK_STEP_TRAJECTORY)
            what = "other types of steps";
    if (what)
        STICK_COMPLAIN(reader, node->mark,
                       "a trajectory step does not support %s: use a separate model for them", what);
    if (model->nmatings == 0 && stick_error_count(reader->ctx) == reader->errors)
        STICK_COMPLAIN(reader, node->mark,
                       "this trajectory has no contacts: give 'contacts', as {between: [cam.outer, "
                       "roller.outer], max-distance: 0.1}");
}

// Without a torque nothing presses the flanks of a pair. 0 may be meant.
static void warn_of_torques(StickReader *reader, const StickTrajectorySpec *trajectory)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->nmatings; k++) {
        int gears = model->mating[k].gears, given = 0;
        for (int j = 0; gears >= 0 && j < trajectory->ntorques; j++)
            given += trajectory->torque[j].body == model->gears[gears].body[1];
        if (gears >= 0 && !given)
            stick_warn_at(reader->ctx, trajectory->mark,
                          "no 'torque' acts on the output of gears '%s', so their flanks carry no load: give "
                          "it, as {%s.2: 100}",
                          model->gears[gears].name, model->gears[gears].name);
    }
}

void stick_finish_trajectory(StickReader *reader, const StickYaml *node, StickStepSpec *step)
{
    StickTrajectorySpec *trajectory = &step->trajectory;
    const StickYaml *keys = stick_yaml_find(node, "trajectory");
    double before = 0;
    for (int k = 0; k < reader->model->nsteps; k++)
        before = fmax(before, reader->model->step[k].end);
    check_model(reader, node);
    if (stick_error_count(reader->ctx) == reader->errors)
        warn_of_torques(reader, trajectory);
    if (trajectory->by_tooth)
        trajectory->from = before, trajectory->to = before + 1;
    else if (!stick_yaml_find(keys, "from"))
        trajectory->from = before;
    if (trajectory->from < before || trajectory->to < trajectory->from)
        STICK_COMPLAIN(
            reader, keys->mark,
            "'from' is %g and 'to' is %g, but 'from' must be at least %g, and 'to' greater than 'from'",
            trajectory->from, trajectory->to, before);
    int pieces = trajectory->by_tooth ? trajectory->positions : trajectory->positions - 1;
    step->increments = trajectory->positions;
    step->end = trajectory->to;
    step->step =
        pieces > 0 && trajectory->to > trajectory->from ? (trajectory->to - trajectory->from) / pieces : 1;
}

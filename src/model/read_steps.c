// SPDX-License-Identifier: Apache-2.0
#include "model/tables.h"

#include <stickslip/friction.h>
#include <stickslip/mlcp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- dynamics

// in the order of StickSchemeKind
static const StickChoice schemes[] = {
    {"theta", STICK_SCHEME_THETA, "contact condition on the velocity at the middle of the step"},
    {"theta-euler", STICK_SCHEME_THETA_EULER, "contact impulses taken implicitly"},
    {"modified-theta", STICK_SCHEME_MODIFIED_THETA,
     "contact condition on the velocity at the end of the step"},
    {"newmark", STICK_SCHEME_NEWMARK, "Newmark's scheme with contact conditions on displacements"},
    {"moreau", STICK_SCHEME_MOREAU,
     "contact detection at the midpoint of the step, contact condition on the velocity at its end: rigid and "
     "deformable bodies"},
    {NULL, 0, NULL},
};

static const StickChoice overlaps[] = {
    {"refuse", STICK_OVERLAP_REFUSE,
     "the run stops with an error that gives their names and the penetration"},
    {"separate", STICK_OVERLAP_SEPARATE, "they are moved apart before the first step"},
    {"accept", STICK_OVERLAP_ACCEPT, "the overlap remains and cannot increase"},
    {NULL, 0, NULL},
};

static const StickField dynamics_fields[] = {
    {.key = "scheme",
     .type = STICK_FIELD_CHOICE,
     .text = "time stepping scheme; rigid bodies require moreau, which is then the default",
     .standard = "theta",
     .choices = schemes,
     .at = STICK_AT(StickStepSpec, scheme)},
    {.key = "theta",
     .type = STICK_FIELD_NUMBER,
     .text = "parameter of the theta schemes, and of deformable bodies with moreau",
     .standard = "0.5",
     .range = {STICK_ABOVE | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickStepSpec, theta)},
    {.key = "beta",
     .type = STICK_FIELD_NUMBER,
     .text = "parameter of Newmark's scheme",
     .standard = "0.25",
     .range = {STICK_ABOVE | STICK_AT_MOST, 0, 0.5},
     .at = STICK_AT(StickStepSpec, beta)},
    {.key = "gamma",
     .type = STICK_FIELD_NUMBER,
     .text = "parameter of Newmark's scheme",
     .standard = "0.5",
     .range = {STICK_ABOVE | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickStepSpec, gamma)},
    {.key = "dissipation",
     .type = STICK_FIELD_EXPRESSION,
     .text = "dissipation index of collisions, for moreau: 0 conserves the energy, 1 dissipates most; "
             "default: that of the contacts, or 1",
     .sees = STICK_SEES_TIME | STICK_SEES_APPROACH,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickStepSpec, dissipation)},
    {.key = "overlap",
     .type = STICK_FIELD_CHOICE,
     .text = "treatment of rigid bodies that overlap at the start, for contacts without 'overclosure', which "
             "replaces it",
     .standard = "refuse",
     .choices = overlaps,
     .at = STICK_AT(StickStepSpec, overlap)},
    {.key = "step",
     .type = STICK_FIELD_NUMBER,
     .text = "length of a time step",
     .unit = "time",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickStepSpec, step)},
    {.key = "end",
     .type = STICK_FIELD_NUMBER,
     .text = "end time; must be later than that of the previous step. If the duration is not a whole number "
             "of time steps, the run continues to the first time step after the end",
     .unit = "time",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickStepSpec, end)},
    {.key = "perturb",
     .type = STICK_FIELD_MAP,
     .text = "starts with a small disturbance of an analysed state and measures its growth",
     .table = &stick_perturb_table},
    {.key = "from",
     .type = STICK_FIELD_OWN,
     .text = "starts from a state of steady sliding, with the friction of that state; default: the end of "
             "the previous step",
     .takes = "{step: name, parameter: value}",
     .json = "object",
     .read = stick_read_from},
    {.key = NULL},
};

// Keys of another scheme, and a theta that blows up. A scheme that is a parameter may be another one in other
// cases.
static void warn_of_scheme(const StickReader *reader, const StickYaml *node, const StickStepSpec *step)
{
    static const struct {
        const char *key;
        bool theta, newmark, moreau; // schemes that it is for
    } keys[] = {{"theta", true, false, true},
                {"beta", false, true, false},
                {"gamma", false, true, false},
                {"dissipation", false, false, true},
                {"overlap", false, false, true}};
    enum { NKEYS = sizeof keys / sizeof *keys };
    const StickYaml *scheme = stick_yaml_find(node, "scheme"), *theta = stick_yaml_find(node, "theta");
    const char *name = schemes[step->scheme].name;
    bool by_name = !scheme || strcmp(scheme->text, name) == 0;
    for (int k = 0; k < NKEYS && by_name; k++) {
        const StickYaml *given = stick_yaml_find(node, keys[k].key);
        bool used = step->scheme == STICK_SCHEME_NEWMARK  ? keys[k].newmark
                    : step->scheme == STICK_SCHEME_MOREAU ? keys[k].moreau
                                                          : keys[k].theta;
        if (given && !used)
            stick_warn_at(reader->ctx, given->key_mark, "'%s' has no effect with the scheme '%s'",
                          keys[k].key, name);
    }
    if (theta && step->scheme != STICK_SCHEME_NEWMARK && step->theta < 0.5)
        stick_warn_at(reader->ctx, theta->mark, "'theta' is %g: below 0.5 the scheme is unstable",
                      step->theta);
}

static StickStatus finish_dynamics(StickReader *reader, const StickYaml *node, void *item)
{
    StickStepSpec *step = item;
    const StickYaml *overlap = stick_yaml_find(node, "overlap");
    if (overlap)
        stick_note_once_at(reader->ctx, overlap->key_mark,
                           "'overlap' of steps was replaced by 'overclosure' of contacts: 'accept' is now "
                           "'keep', 'separate' is 'adjust'");
    StickMark mark = stick_yaml_find(node, "step")->mark;
    if (!stick_yaml_find(node, "scheme") && reader->model->nrigid > 0)
        step->scheme = STICK_SCHEME_MOREAU;
    if (step->step > step->end)
        STICK_COMPLAIN(reader, mark, "'step' is %g, but must be at most the end %g", step->step, step->end);
    else if (step->end / step->step > 1e9)
        STICK_COMPLAIN(reader, mark, "'step' is %g, which gives %.3g steps, too many: increase it",
                       step->step, step->end / step->step);
    warn_of_scheme(reader, node, step);
    return STICK_OK;
}

static const StickSchema dynamics_table = {
    .title = "dynamics",
    .text = "Dynamic motion that starts from the final state of the previous step.",
    .fields = dynamics_fields,
    .finish = finish_dynamics,
};

// ---- quasistatics

static const StickChoice follows[] = {
    {"increments", STICK_FOLLOW_INCREMENTS, "one contact problem per increment"},
    {"events", STICK_FOLLOW_EVENTS, "every change of contact status is located exactly"},
    {NULL, 0, NULL},
};

static const StickField quasistatic_fields[] = {
    {.key = "end",
     .type = STICK_FIELD_NUMBER,
     .text = "end time; must be later than that of the previous step",
     .unit = "time",
     .required = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickStepSpec, end)},
    {.key = "increments",
     .type = STICK_FIELD_INTEGER,
     .text = "number of increments of equal length; an increment that cannot be solved is halved",
     .standard = "10",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 1e6},
     .at = STICK_AT(StickStepSpec, increments)},
    {.key = "follow",
     .type = STICK_FIELD_CHOICE,
     .text = "how the path is computed; `events` requires flat obstacles and loads that vary linearly within "
             "an increment, and stores a state at each change of contact status",
     .standard = "increments",
     .choices = follows,
     .at = STICK_AT(StickStepSpec, follow)},
    {.key = NULL},
};

static const StickSchema quasistatic_table = {
    .title = "quasistatic",
    .text =
        "Equilibrium under slowly varying loads, without inertia and damping, with path-dependent friction.",
    .fields = quasistatic_fields,
};

// ---- the solver

static StickStatus read_solver_name(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickStepSpec *step = item;
    STICK_TRY(stick_read_text(reader, field, node, &step->solver));
    if (!step->solver)
        return STICK_OK;
    step->solver_mark = node->mark;
    stick_need_word(reader, node->mark, "solver", step->solver, field->names);
    return STICK_OK;
}

// Methods of friction problems, then those of steps along trajectories that have other names.
static const char *any_solver_name(int index)
{
    int friction = 0;
    while (stick_solver_name(friction))
        friction++;
    if (index < friction)
        return stick_solver_name(index);
    for (int k = 0, left = index - friction; stick_mlcp_method_name(k); k++) {
        bool known = false;
        for (int j = 0; j < friction; j++)
            known = known || strcmp(stick_solver_name(j), stick_mlcp_method_name(k)) == 0;
        if (!known && left-- == 0)
            return stick_mlcp_method_name(k);
    }
    return NULL;
}

static const StickField solver_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_OWN,
     .text = "name of the solver; default: auto, for trajectory steps connect-disconnect (all facets slide; "
             "with auto, newton and similar solvers they may stick)",
     .may_be_named = true,
     .takes = "name of a solver",
     .names = any_solver_name,
     .json = "string",
     .read = read_solver_name},
    {.key = "tolerance",
     .type = STICK_FIELD_NUMBER,
     .text = "tolerance of the certificate",
     .standard = "1e-8",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1e-16, 1},
     .at = STICK_AT(StickStepSpec, tolerance)},
    {.key = "accept",
     .type = STICK_FIELD_NUMBER,
     .text = "largest accepted error: a step whose error is above the tolerance but within this value is "
             "counted and reported, and the run is certified to the largest error; 0: 100 times the "
             "tolerance, at most 1e-3",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickStepSpec, accept)},
    {.key = "iterations",
     .type = STICK_FIELD_INTEGER,
     .text = "maximum number of iterations or pivots; 0: the solver's own limit",
     .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1e9},
     .at = STICK_AT(StickStepSpec, iterations)},
    {.key = "facets",
     .type = STICK_FIELD_INTEGER,
     .text = "number of facets of the polyhedral friction cone in space, for solvers that need one: a "
             "multiple of 4; the polygon is inscribed, so that friction is up to 1 - cos(pi/facets) smaller, "
             "1.9 % with 16",
     .standard = "16",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 4, 256},
     .at = STICK_AT(StickStepSpec, facets)},
    {.key = NULL},
};

static StickStatus finish_solver(StickReader *reader, const StickYaml *node, void *item)
{
    const StickStepSpec *step = item;
    if (step->facets % 4 != 0)
        STICK_COMPLAIN(reader, stick_yaml_find(node, "facets")->mark,
                       "'facets' is %d, but must be a multiple of 4", step->facets);
    return STICK_OK;
}

static const StickSchema solver_table = {
    .title = "a solver",
    .text = "How the contact problem of each time step is solved.",
    .shorthand = "name",
    .fields = solver_fields,
    .finish = finish_solver,
};

// ---- steps

static StickStatus read_friction(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickStepSpec *step = item;
    double value = NAN;
    STICK_TRY(stick_read_number(reader, field, node, &value));
    if (isnan(value))
        return STICK_OK;
    if (!(value >= 0 && isfinite(value)))
        STICK_COMPLAIN(reader, node->mark, "'friction' is %g, but must not be negative", value);
    step->has_friction = true;
    step->friction = value;
    return STICK_OK;
}

static StickStatus read_fields(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickStepSpec *step = item;
    int value = -1;
    STICK_TRY(stick_read_integer(reader, field, node, &value));
    step->has_fields = value >= 0;
    step->fields_every = value;
    return STICK_OK;
}

static const StickField step_fields[] = {
    {.key = "name",
     .type = STICK_FIELD_NAME,
     .text = "name in messages and results; default: step1, step2 ... or stability",
     .at = STICK_AT(StickStepSpec, name)},
    {.key = "dynamics",
     .type = STICK_FIELD_MAP,
     .text = "motion in time",
     .alternative = true,
     .value = STICK_STEP_DYNAMICS,
     .table = &dynamics_table},
    {.key = "quasistatic",
     .type = STICK_FIELD_MAP,
     .text = "equilibrium under slow loads",
     .alternative = true,
     .value = STICK_STEP_QUASISTATIC,
     .table = &quasistatic_table},
    {.key = "steady-sliding",
     .type = STICK_FIELD_MAP,
     .text = "steady-state sliding equilibria",
     .alternative = true,
     .value = STICK_STEP_SLIDING,
     .table = &stick_steady_table},
    {.key = "stability",
     .type = STICK_FIELD_MAP,
     .text = "stability analysis: whether small disturbances of a path grow",
     .alternative = true,
     .value = STICK_STEP_STABILITY,
     .table = &stick_stability_table},
    {.key = "trajectory",
     .type = STICK_FIELD_MAP,
     .text = "equilibria at positions of an ideal motion",
     .alternative = true,
     .value = STICK_STEP_TRAJECTORY,
     .table = &stick_trajectory_table},
    {.key = "friction",
     .type = STICK_FIELD_OWN,
     .text = "friction coefficient of all contacts in this step, instead of their own; 0 for example to "
             "press bodies together without friction before sliding",
     .takes = "number",
     .json = "number",
     .read = read_friction},
    {.key = "fields",
     .type = STICK_FIELD_OWN,
     .text = "time steps or increments between field files in this step, instead of 'every' of the output's "
             "'fields'; 0: none",
     .takes = "a whole number",
     .json = "integer",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1e9},
     .read = read_fields},
    {.key = "solver",
     .type = STICK_FIELD_MAP,
     .text = "solver of the contact problems",
     .table = &solver_table},
    {.key = NULL},
};

// End time of the steps so far: quasistatic steps end exactly at 'end', dynamic steps at the first whole time step at
// or after it.
static double end_of_steps(const StickModel *model)
{
    double t = 0;
    for (int k = 0; k < model->nsteps; k++) {
        const StickStepSpec *step = &model->step[k];
        if (step->kind == STICK_STEP_QUASISTATIC || step->kind == STICK_STEP_SLIDING)
            t = fmax(t, step->end);
        else if (step->kind == STICK_STEP_DYNAMICS && step->end > t && step->step > 0)
            t += step->step * ceil((step->end - t) / step->step * (1 - 1e-12));
    }
    return t;
}

static void check_end(StickReader *reader, const StickYaml *node, StickStepSpec *step)
{
    static const char *const keys[] = {
        [STICK_STEP_DYNAMICS] = "dynamics",
        [STICK_STEP_QUASISTATIC] = "quasistatic",
        [STICK_STEP_SLIDING] = "steady-sliding",
    };
    const StickYaml *end = stick_yaml_find(stick_yaml_find(node, keys[step->kind]), "end");
    double before = end_of_steps(reader->model);
    if (!end) // of steady sliding time is but a number
        step->end = before > 0 ? 2 * before : 1;
    if (step->end <= before * (1 + 1e-12))
        STICK_COMPLAIN(reader, end->mark,
                       "'end' is %g, but must be later than the end of the previous step, %g", step->end,
                       before);
    if (step->kind != STICK_STEP_DYNAMICS)
        step->step = (step->end - before) / step->increments;
}

// The last step that moved anything, or NULL.
static const StickStepSpec *last_moving(const StickModel *model)
{
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (model->step[k].kind != STICK_STEP_STABILITY)
            return &model->step[k];
    return NULL;
}

// Rigid bodies move by one scheme.
static void check_rigid(StickReader *reader, const StickYaml *node, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    if (model->nrigid == 0)
        return;
    const StickYaml *dynamics = stick_yaml_find(node, "dynamics");
    if (!dynamics)
        STICK_COMPLAIN(reader, node->mark,
                       "rigid bodies move in dynamic steps only, but this one is quasistatic");
    else if (step->scheme != STICK_SCHEME_MOREAU)
        STICK_COMPLAIN(reader, stick_yaml_find(dynamics, "scheme")->mark,
                       "the scheme '%s' is for deformable bodies: rigid ones need 'moreau'",
                       schemes[step->scheme].name);
}

// A quasistatic step cannot follow a dynamic step, because it has no inertia. Dynamic steps do not support force
// control.
static void check_kind(StickReader *reader, const StickYaml *node, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    bool quasistatic = step->kind != STICK_STEP_DYNAMICS;
    const StickStepSpec *before = last_moving(model);
    if (quasistatic && before && before->kind == STICK_STEP_DYNAMICS)
        STICK_COMPLAIN(reader, node->mark,
                       "a %s step cannot follow the dynamic step '%s': the bodies are in motion there",
                       step->kind == STICK_STEP_SLIDING ? "steady-sliding" : "quasistatic", before->name);
    for (int k = 0; k < model->nloads && !quasistatic; k++)
        if (model->load[k].kind == STICK_LOAD_HOLD)
            STICK_COMPLAIN(
                reader, model->load[k].mark,
                "force control ('hold') is for quasistatic steps only, but there is a dynamic step");
    check_rigid(reader, node, step);
    for (int k = 0; k < model->nbodies && quasistatic && model->nsteps == 0; k++) {
        const StickBodySpec *body = &model->body[k];
        const double *spin = body->angular_velocity;
        if (body->velocity[0] || body->velocity[1] || body->velocity[2] || spin[0] != 0 || spin[1] != 0 ||
            spin[2] != 0)
            stick_warn_at(reader->ctx, body->mark,
                          "the initial velocity of body '%s' has no effect: the first step is quasistatic",
                          body->name);
    }
}

static bool has_step(const StickModel *model, const char *name)
{
    for (int k = 0; k < model->nsteps; k++)
        if (stick_text_equal(model->step[k].name, name)) // one that has errors may have no name
            return true;
    return false;
}

// Keys for trajectory steps must not be ignored silently in other steps.
static void check_trajectory_keys(StickReader *reader, const StickStepSpec *step)
{
    const StickModel *model = reader->model;
    if (step->kind == STICK_STEP_TRAJECTORY)
        return;
    if (model->nmatings > 0)
        STICK_COMPLAIN(reader, model->mating[0].mark,
                       "this contact has a 'max-distance', which only trajectory steps support, but there is "
                       "another type of step: remove the key, or make the step a 'trajectory'");
    else if (model->nframes > 0)
        STICK_COMPLAIN(reader, model->frame[0].mark,
                       "frames are for trajectory steps, but there is another type of step: move the body by "
                       "supports, or make the step a 'trajectory'");
}

// Each kind of problem has its own methods.
static void check_solver(StickReader *reader, const StickStepSpec *step)
{
    bool friction = false, trajectory = step->kind == STICK_STEP_TRAJECTORY;
    for (int k = 0; step->solver && stick_solver_name(k); k++)
        friction = friction || strcmp(stick_solver_name(k), step->solver) == 0;
    if (!step->solver || friction || (trajectory && stick_is_mates_method(step->solver)))
        return;
    if (trajectory)
        STICK_COMPLAIN(reader, step->solver_mark,
                       "'%s' is not for trajectories: use %s, %s or %s, or 'auto' if facets may stick",
                       step->solver, stick_mlcp_method_name(STICK_MLCP_CONNECT),
                       stick_mlcp_method_name(STICK_MLCP_CONRY_SEIREG),
                       stick_mlcp_method_name(STICK_MLCP_LEMKE));
    else if (stick_is_mates_method(step->solver))
        STICK_COMPLAIN(reader, step->solver_mark,
                       "'%s' is for trajectory steps: use another solver, or remove 'solver'", step->solver);
}

static StickStatus finish_step(StickReader *reader, const StickYaml *node, void *item)
{
    StickStepSpec *step = item;
    check_solver(reader, step);
    check_trajectory_keys(reader, step);
    if (step->kind == STICK_STEP_STABILITY) {
        stick_finish_stability(reader, node, step);
    } else if (step->kind == STICK_STEP_TRAJECTORY) {
        stick_finish_trajectory(reader, node, step);
    } else {
        stick_finish_steady(reader, node, step);
        stick_finish_from(reader, node, step);
        check_end(reader, node, step);
        check_kind(reader, node, step);
    }
    if (step->name)
        return STICK_OK;
    char name[32];
    if (step->kind == STICK_STEP_STABILITY && !has_step(reader->model, "stability"))
        snprintf(name, sizeof name, "stability");
    else
        snprintf(name, sizeof name, "step%d", reader->model->nsteps + 1);
    step->name = stick_keep_text(reader, name);
    return step->name ? STICK_OK : STICK_NO_MEMORY;
}

const StickSchema stick_step_table = {
    .title = "a step",
    .text = "One analysis step. Steps run one after the other; each starts from the final state of the "
            "previous one.",
    .size = sizeof(StickStepSpec),
    .mark_at = STICK_AT(StickStepSpec, mark),
    .kind_at = STICK_AT(StickStepSpec, kind),
    .fields = step_fields,
    .finish = finish_step,
};

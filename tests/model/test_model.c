// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "model/two_bars.h"

#include <unistd.h>

static double value_of(StickContext *ctx, StickExpression *expression, StickVariables at)
{
    double value = NAN;
    assert_non_null(expression);
    assert_ok(ctx, stick_expression_value(expression, &at, &value));
    return value;
}

static const StickVariables origin = {.t = 0};

static void two_bars_are_read(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, two_bars, &model));
    assert_string_equal(model->title, "Impact of two elastic bars");
    assert_string_equal(model->file, "m.yaml");
    assert_string_equal(model->units.length, "m");
    assert_string_equal(model->units.force, "N");
    assert_int_equal(model->dim, 1);
    assert_int_equal(model->nmaterials, 1);
    assert_string_equal(model->material[0].name, "steel");
    assert_true(model->material[0].young == 0.20684e12 && model->material[0].density == 7895.7);
    assert_int_equal(model->nbodies, 2);
    const StickBodySpec *right = &model->body[1];
    assert_string_equal(right->name, "right");
    assert_int_equal(right->mesh.kind, STICK_MESH_BAR);
    assert_true(right->mesh.size[0] == 0.254 && right->mesh.origin[0] == 0.254 && right->mesh.cells[0] == 20);
    assert_true(right->thickness == 1);
    assert_int_equal(right->element, STICK_ELEMENT_DEFAULT);
    assert_true(value_of(ctx, right->velocity[0], origin) == -5.13588);
    assert_null(right->velocity[1]);
    assert_null(right->displacement[0]);
    assert_int_equal(right->mark.line, 8);
    assert_int_equal(right->mark.column, 3);
    stick_model_destroy(model);
}

static void two_bars_touch_and_move(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, two_bars, &model));
    const StickContactSpec *contact = &model->contact[0];
    assert_int_equal(model->ncontacts, 1);
    assert_int_equal(contact->slave.body, 0);
    assert_string_equal(contact->slave.group, "end");
    assert_int_equal(contact->master.body, 1);
    assert_int_equal(contact->master.obstacle, -1);
    assert_string_equal(contact->master.group, "start");
    assert_true(stick_expression_is_constant(contact->law.friction));
    assert_true(contact->reach == 0);
    const StickStepSpec *step = &model->step[0];
    assert_string_equal(step->name, "impact");
    assert_int_equal(step->scheme, STICK_SCHEME_MODIFIED_THETA);
    assert_true(step->theta == 0.55 && step->beta == 0.25 && step->gamma == 0.5);
    assert_true(step->step == 0.2226e-5 && step->end == 0.2e-3);
    assert_string_equal(step->solver, "lemke");
    assert_true(step->tolerance == 1e-8 && step->iterations == 0 && step->facets == 16);
    assert_int_equal(step->solver_mark.line, 12);
    stick_model_destroy(model);
}

static void two_bars_are_checked_and_written(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, two_bars, &model));
    // the second check is for the theta scheme only
    assert_int_equal(model->nchecks, 1);
    const StickCheckSpec *check = &model->check[0];
    assert_string_equal(check->that, "max(contact_force)");
    assert_string_equal(check->reduce, "max");
    assert_string_equal(check->series, "contact_force");
    assert_int_equal(check->kind, STICK_CHECK_IS);
    assert_near(check->value, 2.075523e8, 0);
    assert_near(check->within, 0.04 * 2.075523e8, 1e-6);
    assert_false(check->windowed);
    assert_int_equal(model->output.fields_every, 5);
    assert_int_equal(model->output.nhistories, 2);
    const StickHistorySpec *history = &model->output.history[1];
    assert_string_equal(history->name, "contact_force");
    assert_string_equal(history->what, "contact_force");
    assert_int_equal(history->component, 0);
    assert_int_equal(history->of.body, 0);
    assert_false(history->each);
    assert_null(model->output.history[0].exact);
    assert_near(value_of(ctx, history->exact, (StickVariables){.t = 5e-5}), 2.075523e8, 0);
    assert_near(value_of(ctx, history->exact, (StickVariables){.t = 2e-4}), 0, 0);
    stick_model_destroy(model);
}

static void cases_override_parameters(void **state)
{
    StickContext *ctx = *state;
    StickModel *model, *one;
    assert_ok(ctx, read_model(ctx, two_bars, &model));
    static const StickSchemeKind schemes[] = {STICK_SCHEME_THETA, STICK_SCHEME_THETA_EULER,
                                              STICK_SCHEME_MODIFIED_THETA, STICK_SCHEME_NEWMARK};
    static const char *const names[] = {"theta", "theta-euler", "modified-theta", "newmark"};
    assert_int_equal(model->ncases, 4);
    for (int k = 0; k < 4; k++) {
        const StickCaseSpec *spec = &model->cases[k];
        assert_string_equal(spec->name, names[k]);
        assert_int_equal(spec->nparameters, 1);
        assert_ok(ctx, read_model_with(ctx, two_bars, spec->parameter[0], spec->value[0], &one));
        assert_int_equal(one->step[0].scheme, schemes[k]);
        assert_int_equal(one->nchecks, k == 0 ? 2 : 1);
        stick_model_destroy(one);
    }
    stick_model_destroy(model);
}

// A model that uses what two bars don't.
static const char plates[] =
    "stickslip: 1\n"
    "units: {length: mm, force: N, time: s, mass: t}\n"
    "parameters:\n"
    "  a: 2\n"
    "  b: 3*a\n"
    "  word: 'a'\n"
    "  scheme: \"b > 5 and 'newmark' or 'theta'\"\n"
    "materials:\n"
    "  pu: {young: 5, poisson: 0.48, density: 1.2e-9, viscosity: {shear: 1, bulk: 2}, rayleigh: {mass: 3, "
    "stiffness: 4}}\n"
    "bodies:\n"
    "  block: {mesh: {rectangle: {size: [80, 40], cells: [20, 10], pattern: crossed, origin: [1, 2]}}, "
    "plane: stress,\n"
    "    thickness: 2, material: pu, element: mean-dilatation, mass: lumped, position: [3, b], rotation: "
    "deg(90),\n"
    "    displacement: [0.1*x, y*y], velocity: [-b*x, 0]}\n"
    "  disk: {mesh: {disk: {radius: 5, core: [4, 5], rings: 6, centre: [7, 8]}}, material: pu, "
    "angular-velocity: -3}\n"
    "  plate: {mesh: {rounded-plate: {size: [0.04, 0.08], radius: 0.101, cells: [8, 16], crown: [0, 1]}}, "
    "material: pu}\n"
    "  far: {mesh: {file: sub/far.msh}, material: pu, element: quadratic}\n"
    "obstacles:\n"
    "  ground: {plane: {point: [0, 0], normal: [0, 4]}, displacement: [\"-max(t - 1, 0)\", 0]}\n"
    "  hole: {circle: {centre: [1, 2], radius: 3, side: inside}, velocity: [t, 0]}\n"
    "  chain: {polyline: {points: [[0, 0], [1, a], [2, 0]]}}\n"
    "supports:\n"
    "  - {on: block.top, displacement: [free, \"-0.5*min(t, 1)\"]}\n"
    "  - {on: block.left, velocity: [x + t, ~]}\n"
    "loads:\n"
    "  - {on: block.right, pressure: 5*t}\n"
    "  - {on: disk.outer, traction: [1, 2]}\n"
    "  - {on: far.tip, force: [0, x]}\n"
    "gravity: [0, -9.81*t]\n"
    "contacts:\n"
    "  - {between: [block.bottom, ground], friction: 0.3 - 0.1*exp(-v) + 0*p, method: integrated, reach: "
    "0.5}\n"
    "  - {between: [disk.outer, hole], method: nodes}\n"
    "  - {between: [plate.round, chain]}\n"
    "steps:\n"
    "  - dynamics: {scheme: scheme, step: 1e-3, end: 1}\n"
    "    solver: {name: gauss-seidel, tolerance: 1e-6, iterations: 500, facets: 32}\n"
    "  - {dynamics: {step: 1, end: 2}}\n"
    "cases: {slow: {a: 1}, fast: {a: 10, b: a*2}}\n"
    "checks:\n"
    "  - {that: mean(force), at-least: a, from: 1}\n"
    "  - {that: rms(force), is: -10, within: 0.5, from: 1, to: b}\n"
    "output:\n"
    "  history:\n"
    "    - {name: force, of: ground, what: contact_force.normal}\n"
    "    - {name: gaps, of: block.bottom, what: gap, each: true}\n"
    "    - {name: all, of: block, what: displacement}\n";

static void bodies_in_the_plane_are_read(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, plates, &model));
    const StickMaterial *pu = &model->material[0];
    assert_true(pu->viscosity_shear == 1 && pu->viscosity_bulk == 2 && pu->rayleigh_mass == 3 &&
                pu->rayleigh_stiffness == 4);
    assert_int_equal(model->dim, 2);
    const StickBodySpec *block = &model->body[0];
    assert_int_equal(block->mesh.pattern, STICK_PATTERN_CROSSED);
    assert_true(block->mesh.origin[1] == 2 && block->mesh.cells[1] == 10 && block->mesh.size[0] == 80);
    assert_int_equal(block->plane, STICK_PLANE_STRESS);
    assert_int_equal(block->element, STICK_ELEMENT_MEAN_DILATATION);
    assert_true(block->lumped_mass && block->thickness == 2 && block->position[1] == 6);
    assert_near(block->rotation, M_PI / 2, 1e-15);
    assert_near(value_of(ctx, block->displacement[1], (StickVariables){.y = 3}), 9, 0);
    assert_near(value_of(ctx, block->velocity[0], (StickVariables){.x = 2}), -12, 0);
    const StickBodySpec *disk = &model->body[1];
    assert_int_equal(disk->mesh.kind, STICK_MESH_DISK);
    assert_true(disk->mesh.cells[0] == 4 && disk->mesh.cells[1] == 5 && disk->mesh.cells[2] == 6);
    assert_true(disk->mesh.radius == 5 && disk->mesh.origin[1] == 8 && disk->angular_velocity[2] == -3);
    assert_int_equal(disk->plane, STICK_PLANE_STRAIN);
    assert_int_equal(model->body[2].mesh.kind, STICK_MESH_ROUNDED_PLATE);
    assert_true(model->body[2].mesh.radius == 0.101 && model->body[2].mesh.origin[1] == 1);
    assert_string_equal(model->body[3].mesh.file, "folder/sub/far.msh");
    assert_int_equal(stick_mesh_spec_dim(&model->body[3].mesh), 0);
    assert_string_equal(model->units.mass, "t");
    stick_model_destroy(model);
}

static void surroundings_in_the_plane_are_read(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, plates, &model));
    const StickObstacleSpec *ground = &model->obstacle[0], *hole = &model->obstacle[1],
                            *chain = &model->obstacle[2];
    assert_int_equal(ground->kind, STICK_OBSTACLE_PLANE);
    assert_true(ground->normal[1] == 1 && ground->normal[0] == 0);
    assert_near(value_of(ctx, ground->displacement[0], (StickVariables){.t = 3}), -2, 0);
    assert_true(hole->kind == STICK_OBSTACLE_CIRCLE && hole->inside && hole->radius == 3 &&
                hole->point[1] == 2);
    assert_non_null(hole->velocity[0]);
    assert_true(chain->kind == STICK_OBSTACLE_POLYLINE && chain->npoints == 3 && chain->points[3] == 2);
    const StickSupportSpec *top = &model->support[0], *left = &model->support[1];
    assert_null(top->displacement[0]);
    assert_near(value_of(ctx, top->displacement[1], (StickVariables){.t = 2}), -0.5, 0);
    assert_near(value_of(ctx, left->velocity[0], (StickVariables){.t = 2, .x = 3}), 5, 0);
    assert_null(left->velocity[1]);
    assert_int_equal(model->nloads, 3);
    assert_int_equal(model->load[0].kind, STICK_LOAD_PRESSURE);
    assert_int_equal(model->load[1].kind, STICK_LOAD_TRACTION);
    assert_int_equal(model->load[2].kind, STICK_LOAD_FORCE);
    assert_int_equal(model->load[2].on.body, 3);
    assert_near(value_of(ctx, model->load[2].value[1], (StickVariables){.x = 4}), 4, 0);
    assert_near(value_of(ctx, model->gravity[1], (StickVariables){.t = 2}), -19.62, 1e-14);
    assert_null(model->gravity[2]);
    const StickContactSpec *contact = model->contact;
    assert_int_equal(contact[0].master.obstacle, 0);
    assert_int_equal(contact[0].master.body, -1);
    assert_null(contact[0].master.group);
    assert_int_equal(contact[0].method, STICK_CONTACT_INTEGRATED);
    assert_true(contact[0].reach == 0.5);
    assert_near(value_of(ctx, contact[0].law.friction, origin), 0.2, 1e-15);
    assert_int_equal(contact[1].method, STICK_CONTACT_NODES);
    assert_int_equal(contact[2].method, STICK_CONTACT_DEFAULT);
    assert_near(value_of(ctx, contact[2].law.friction, origin), 0, 0);
    stick_model_destroy(model);
}

static void steps_and_results_in_the_plane_are_read(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, plates, &model));
    const StickStepSpec *step = model->step;
    assert_string_equal(step[0].name, "step1");
    assert_string_equal(step[1].name, "step2");
    assert_int_equal(step[0].scheme, STICK_SCHEME_NEWMARK);
    assert_int_equal(step[1].scheme, STICK_SCHEME_THETA);
    assert_true(step[1].theta == 0.5);
    assert_string_equal(step[0].solver, "gauss-seidel");
    assert_true(step[0].tolerance == 1e-6 && step[0].iterations == 500 && step[0].facets == 32);
    assert_null(step[1].solver); // chosen by the driver
    assert_int_equal(step[1].facets, 16);
    assert_int_equal(step[1].solver_mark.line, 0);
    assert_int_equal(model->ncases, 2);
    assert_string_equal(model->cases[1].name, "fast");
    assert_int_equal(model->cases[1].nparameters, 2);
    assert_string_equal(model->cases[1].parameter[1], "b");
    assert_string_equal(model->cases[1].value[1], "a*2");
    const StickCheckSpec *check = model->check;
    assert_true(check[0].kind == STICK_CHECK_AT_LEAST && check[0].value == 2);
    assert_true(check[0].windowed && check[0].from == 1 && check[0].to > 1e300);
    assert_true(check[1].within == 0.5 && check[1].value == -10 && check[1].to == 6);
    assert_int_equal(model->output.fields_every, 10);
    const StickHistorySpec *history = model->output.history;
    assert_int_equal(history[0].component, 3);
    assert_int_equal(history[0].of.obstacle, 0);
    assert_true(history[1].each && history[1].component == -1);
    assert_int_equal(history[2].of.body, 0);
    assert_null(history[2].of.group);
    stick_model_destroy(model);
}

static const char spatial[] =
    "stickslip: 1\n"
    "materials: {stone: {young: 1, density: 1}}\n"
    "bodies: {block: {mesh: {box: {size: [1, 2, 3], cells: [4, 5, 6], pattern: tets}}, material: stone,\n"
    "  angular-velocity: [1, 2, 3], velocity: [0, 0, 1]}}\n"
    "obstacles:\n"
    "  ball: {sphere: {centre: [0, 0, 1], radius: 2}}\n"
    "  tube: {cylinder: {point: [1, 2, 3], axis: [0, 3, 4], radius: 1, side: inside}}\n"
    "cases: {vary: {}}\n"
    "steps: [{name: fall, dynamics: {step: 1, end: 2}}]\n";

static void space_is_read(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx, spatial, &model));
    assert_int_equal(model->dim, 3);
    assert_int_equal(model->body[0].mesh.pattern, STICK_PATTERN_TRIANGLES);
    assert_true(model->body[0].angular_velocity[0] == 1 && model->body[0].angular_velocity[2] == 3);
    assert_int_equal(model->obstacle[0].kind, STICK_OBSTACLE_CIRCLE);
    assert_true(model->obstacle[0].point[2] == 1);
    assert_near(model->obstacle[1].normal[1], 0.6, 1e-15);
    assert_near(model->obstacle[1].normal[2], 0.8, 1e-15);
    assert_true(model->obstacle[1].inside);
    assert_int_equal(model->ncases, 0);
    assert_string_equal(model->title, "untitled");
    assert_int_equal(model->output.fields_every, 10);
    stick_model_destroy(model);
}

// The product of all lists, the first one varying slowest, with names that are good for folders.
static void cases_are_all_combinations(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    char text[2048];
    snprintf(text, sizeof text, "%s\nparameters: {mu: 0, s: word}\n", spatial);
    memcpy(strstr(text, "cases: {vary: {}}"), "#", 1);
    strcat(text, "cases: {vary: {mu: [0, 0.3, '1/3'], s: [one, .two]}}\n");
    assert_ok(ctx, read_model(ctx, text, &model));
    static const char *const names[] = {"0-one", "0-.two", "0.3-one", "0.3-.two", "1_3-one", "1_3-.two"};
    assert_int_equal(model->ncases, 6);
    for (int k = 0; k < 6; k++)
        assert_string_equal(model->cases[k].name, names[k]);
    assert_string_equal(model->cases[4].value[0], "1/3");
    stick_model_destroy(model);
}

// A parameter that is given on the command line does not vary any more; the others do, also in the resolved file.
static void overrides_end_variation(void **state)
{
    StickContext *ctx = *state;
    StickModel *model, *again;
    StickText resolved;
    char text[2048];
    stick_text_init(&resolved, ctx);
    snprintf(text, sizeof text, "%s\nparameters: {mu: 0, s: word}\n", spatial);
    memcpy(strstr(text, "cases: {vary: {}}"), "#", 1);
    strcat(text, "cases: {vary: {mu: [0, 0.3], s: [one, two, three]}}\n");
    assert_ok(ctx, read_model_with(ctx, text, "mu", "0.7", &model));
    assert_int_equal(model->ncases, 3);
    assert_string_equal(model->cases[2].name, "three");
    assert_int_equal(model->cases[2].nparameters, 1);
    assert_ok(ctx, stick_model_resolved(model, &resolved));
    assert_ok(ctx, read_model(ctx, resolved.bytes, &again));
    assert_int_equal(again->ncases, 3);
    stick_model_destroy(again);
    stick_model_destroy(model);
    stick_text_destroy(&resolved);
    assert_ok(ctx, read_model_with(ctx, two_bars, "scheme", "theta", &model));
    assert_int_equal(model->ncases, 0);
    stick_model_destroy(model);
}

static void overrides_come_first(void **state)
{
    StickContext *ctx = *state;
    StickModel *model = NULL;
    assert_ok(ctx, read_model_with(ctx, two_bars, "v0", "2*pi", &model));
    assert_near(value_of(ctx, model->body[0].velocity[0], origin), 2 * M_PI, 1e-15);
    stick_model_destroy(model);
    model = NULL;
    assert_int_equal(read_model_with(ctx, two_bars, "vo", "1", &model), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "unknown parameter 'vo'; did you mean 'v0'?"));
    assert_int_equal(read_model_with(ctx, two_bars, "v0", "1 +", &model), STICK_BAD_INPUT);
    assert_int_equal(read_model_with(ctx, spatial, "v0", "1", &model), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "unknown parameter 'v0'"));
    assert_int_equal(read_model_with(ctx, two_bars, "scheme", "newmarc", &model), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "unknown scheme 'newmarc'; did you mean 'newmark'?"));
    assert_null(model);
}

// Numbers by bits, expressions by their values.
static void resolved_model_reads_back(void **state)
{
    StickContext *ctx = *state;
    StickModel *model, *again;
    StickText text, twice;
    stick_text_init(&text, ctx);
    stick_text_init(&twice, ctx);
    assert_ok(ctx, read_model_with(ctx, two_bars, "v0", "1/3", &model));
    assert_ok(ctx, stick_model_resolved(model, &text));
    assert_ok(ctx, read_model(ctx, text.bytes, &again));
    assert_true(value_of(ctx, again->body[1].velocity[0], origin) == -1.0 / 3);
    assert_int_equal(again->step[0].scheme, STICK_SCHEME_MODIFIED_THETA);
    assert_int_equal(again->ncases, 4);
    assert_near(again->check[0].within, model->check[0].within, 0);
    assert_ok(ctx, stick_model_resolved(again, &twice));
    assert_string_equal(text.bytes, twice.bytes);
    stick_model_destroy(again);
    stick_model_destroy(model);
    stick_text_clear(&text);
    // one case of several is a model without cases
    assert_ok(ctx, read_model_with(ctx, two_bars, "scheme", "theta", &model));
    assert_ok(ctx, stick_model_resolved(model, &text));
    assert_ok(ctx, read_model(ctx, text.bytes, &again));
    assert_int_equal(again->ncases, 0);
    assert_int_equal(again->step[0].scheme, STICK_SCHEME_THETA);
    stick_model_destroy(again);
    stick_model_destroy(model);
    stick_text_destroy(&text);
    stick_text_destroy(&twice);
}

// If cases vary a parameter, dependent values are computed again for each case, also after a resume.
static void resolved_model_keeps_what_depends_on_a_case(void **state)
{
    StickContext *ctx = *state;
    StickModel *model, *again;
    StickText text;
    char bytes[2048];
    stick_text_init(&text, ctx);
    snprintf(bytes, sizeof bytes, "%s\nparameters: {mu: 1/4, nu: 3, twice: 2*mu + nu}\n", spatial);
    memcpy(strstr(bytes, "cases: {vary: {}}"), "#", 1);
    strcat(bytes, "cases: {vary: {mu: [0, 0.5]}}\n");
    assert_ok(ctx, read_model_with(ctx, bytes, "nu", "4", &model));
    assert_ok(ctx, stick_model_resolved(model, &text));
    assert_ok(ctx, read_model_with(ctx, text.bytes, "mu", "0.5", &again));
    StickValue twice;
    assert_ok(ctx, stick_expressions_evaluate(again->expressions, "twice", (StickMark){0}, &twice));
    assert_true(twice.kind == STICK_VALUE_NUMBER && twice.number == 5);
    stick_model_destroy(again);
    stick_model_destroy(model);
    stick_text_destroy(&text);
}

static void resolved_texts_stay_texts(void **state)
{
    StickContext *ctx = *state;
    StickModel *model, *again;
    StickText text;
    stick_text_init(&text, ctx);
    assert_ok(ctx, read_model(ctx, plates, &model));
    assert_ok(ctx, stick_model_resolved(model, &text));
    assert_ok(ctx, read_model(ctx, text.bytes, &again));
    const char *word;
    assert_ok(ctx, stick_expressions_text(again->expressions, "word", &word));
    assert_string_equal(word, "a");
    assert_int_equal(again->step[0].scheme, STICK_SCHEME_NEWMARK);
    assert_null(again->support[0].displacement[0]);
    assert_null(again->support[1].velocity[1]);
    assert_near(value_of(ctx, again->contact[0].law.friction, origin), 0.2, 1e-15);
    // the same file, whatever folder the resolved model is in
    const char *file = again->body[3].mesh.file;
    assert_int_equal(file[0], '/');
    assert_non_null(strstr(file, "/folder/sub/far.msh"));
    assert_null(strstr(file, "folder/folder"));
    stick_model_destroy(again);
    stick_model_destroy(model);
    stick_text_destroy(&text);
}

static void files_are_found_beside_the_model(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    StickText text;
    char folder[] = "/tmp/stickslip-model-XXXXXX", path[64], mesh[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/a.msh", folder);
    FILE *file = fopen(path, "w");
    fputs("stickslip: 1\nmaterials: {s: {young: 1, density: 1}}\n"
          "bodies: {b: {mesh: {file: a.msh}, material: s}}\nsteps: [{dynamics: {step: 1, end: 1}}]\n",
          file);
    fclose(file);
    fclose(fopen(mesh, "w"));
    assert_ok(ctx, stick_model_read(ctx, path, NULL, 0, &model));
    assert_string_equal(model->body[0].mesh.file, mesh);
    assert_string_equal(model->file, path);
    assert_int_equal(model->dim, 0);
    stick_text_init(&text, ctx);
    assert_ok(ctx, stick_model_resolved(model, &text));
    assert_non_null(strstr(text.bytes, mesh));
    stick_text_destroy(&text);
    stick_model_destroy(model);
    assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
    assert_int_equal(stick_model_read(ctx, path, NULL, 0, &model), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "longer than 64 MB"));
    remove(mesh), remove(path), rmdir(folder);
    assert_int_equal(stick_model_read(ctx, path, NULL, 0, &model), STICK_IO);
    assert_int_equal(stick_model_read(ctx, "/", NULL, 0, &model), STICK_IO);
    // an endless file
    assert_int_equal(stick_model_read(ctx, "/dev/zero", NULL, 0, &model), STICK_IO);
}

// With mesh files the caller knows the dimension, and asks.
static void dimension_is_checked_on_demand(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    assert_ok(ctx, read_model(ctx,
                              "stickslip: 1\nmaterials: {s: {young: 1, density: 1}}\n"
                              "bodies: {b: {mesh: {file: a.msh}, material: s, velocity: [1, 2]}}\n"
                              "obstacles: {w: {plane: {point: [0, 0], normal: [1, 0]}}}\n"
                              "steps: [{dynamics: {step: 1, end: 1}}]\n",
                              &model));
    assert_ok(ctx, stick_model_check_dim(model, 2));
    assert_int_equal(stick_model_check_dim(model, 3), STICK_BAD_INPUT);
    assert_int_equal(stick_error_count(ctx), 3);
    assert_non_null(strstr(stick_diagnostic(ctx, 0)->text,
                           "'velocity' has 2 components, but the bodies have dimension 3"));
    assert_int_equal(stick_diagnostic(ctx, 0)->line, 3);
    stick_model_destroy(model);
}

static StickStatus read_and_resolve(StickContext *ctx, void *data)
{
    (void)data;
    StickModel *model;
    StickText text;
    StickOverride override = {"scheme", "theta"};
    STICK_TRY(stick_model_read_text(ctx,
                                    &(StickModelSource){.name = "m.yaml",
                                                        .folder = "folder",
                                                        .bytes = two_bars,
                                                        .count = sizeof two_bars - 1,
                                                        .overrides = &override,
                                                        .noverrides = 1},
                                    &model));
    stick_text_init(&text, ctx);
    StickStatus status = stick_model_resolved(model, &text);
    stick_text_destroy(&text);
    stick_model_destroy(model);
    return status;
}

static StickStatus read_all_of_the_plane(StickContext *ctx, void *data)
{
    (void)data;
    StickModel *model;
    STICK_TRY(read_model(ctx, plates, &model));
    stick_model_destroy(model);
    return STICK_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_and_resolve, NULL);
    assert_survives_failing_memory(read_all_of_the_plane, NULL);
}

static void nothing_is_left_behind(void **state)
{
    StickContext *ctx = *state;
    StickModel *model;
    size_t before = stick_memory_now(ctx);
    assert_ok(ctx, read_model(ctx, plates, &model));
    stick_model_destroy(model);
    assert_int_equal(stick_memory_now(ctx), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(two_bars_are_read),
        test_with_context(two_bars_touch_and_move),
        test_with_context(two_bars_are_checked_and_written),
        test_with_context(cases_override_parameters),
        test_with_context(bodies_in_the_plane_are_read),
        test_with_context(surroundings_in_the_plane_are_read),
        test_with_context(steps_and_results_in_the_plane_are_read),
        test_with_context(space_is_read),
        test_with_context(cases_are_all_combinations),
        test_with_context(overrides_end_variation),
        test_with_context(overrides_come_first),
        test_with_context(resolved_model_reads_back),
        test_with_context(resolved_model_keeps_what_depends_on_a_case),
        test_with_context(resolved_texts_stay_texts),
        test_with_context(files_are_found_beside_the_model),
        test_with_context(dimension_is_checked_on_demand),
        cmocka_unit_test(memory_may_fail_anywhere),
        test_with_context(nothing_is_left_behind),
    };
    return cmocka_run_group_tests_name("model.model", tests, NULL, NULL);
}

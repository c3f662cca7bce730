// SPDX-License-Identifier: Apache-2.0
// Steady sliding found directly: closed forms, long drags, families over friction, and what has none.
#include "drive/scene.h"

#include "drive/path_record.h"
#include "drive/steady.h"

// Runs the present step to its end and starts the next one.
static StickStatus go_on(Scene *scene, int stage)
{
    StickRun *run;
    while (!stick_run_is_done(scene->run))
        STICK_TRY(stick_run_step(scene->run));
    STICK_TRY(stick_run_create(scene->ctx, scene->system, &scene->model->step[stage], &run));
    StickStatus status = stick_run_start(run, scene->run);
    if (status != STICK_OK) {
        stick_run_destroy(run);
        return status;
    }
    stick_run_destroy(scene->run);
    scene->run = run;
    return STICK_OK;
}

static void finish(const Scene *scene)
{
    while (!stick_run_is_done(scene->run))
        scene_step(scene);
}

static double friction_sum(const Scene *scene)
{
    double sum = 0;
    for (int c = 0; c < scene->run->contacts.ncontacts; c++)
        sum += scene->run->r[c * scene->system->dim + 1];
    return sum;
}

// ---- one contact

// A square of one element: its left corner rubs on the plate, which is dragged by `way` per time.
static void open_square(Scene *scene, StickContext *ctx, double way, const char *slide)
{
    scene_open(scene, ctx,
               "parameters: {mu: 0.9}\n"
               "materials: {auxetic: {young: 3, poisson: -0.5, density: 4}}\n"
               "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: "
               "auxetic}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [%g, 0]}}\n"
               "supports:\n"
               "  - {on: square.top, displacement: [0, \"-0.01*min(t, 1)\"]}\n"
               "  - {on: square.bottom-right, displacement: [free, 0]}\n"
               "contacts: [{between: [square.bottom-left, plate], friction: mu}]\n"
               "steps:\n"
               "  - {name: press, quasistatic: {end: 1, increments: 1}, friction: 0}\n"
               "  - {name: slide, steady-sliding: {%s}}\n",
               way, slide);
    assert_ok(ctx, go_on(scene, 1));
}

static double stiffness(const Scene *scene, int i, int j)
{
    const StickSparse *K = &scene->system->body[0].K;
    for (int e = K->start[j]; e < K->start[j + 1]; e++)
        if (K->row[e] == i)
            return K->value[e];
    return 0;
}

// Force of the supports on dof i alone, where nothing else has moved.
static double held(const Scene *scene, int i)
{
    double sum = 0;
    for (int k = 0; k < scene->run->supports.count; k++) {
        int j = scene->run->supports.support[k].dof;
        sum += stiffness(scene, i, j) * scene->run->state.now.q[j];
    }
    return sum;
}

// r_N = (b - c x0) / (1 + mu s c y), with c the row of the normal force: solved by hand from two equations of equilibrium
static double square_force(const Scene *scene, double friction)
{
    int x = scene_dof(scene, 0, "bottom-left", 0), y = x + 1, other = scene_dof(scene, 0, "bottom-right", 0);
    double a = stiffness(scene, x, x), b = stiffness(scene, x, other), d = stiffness(scene, other, other);
    double det = a * d - b * b, f = -held(scene, x), g = -held(scene, other);
    double p = stiffness(scene, y, x), q = stiffness(scene, y, other);
    double rest = held(scene, y) + p * (d * f - b * g) / det + q * (a * g - b * f) / det;
    return rest / (1 - friction * (p * d - q * b) / det);
}

// Friction pushes the corner the way the plate goes.
static void one_contact_is_as_by_hand(void **state)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        Scene scene;
        open_square(&scene, *state, 3 * sign, "");
        finish(&scene);
        double exact = square_force(&scene, 0.9 * sign);
        assert_near(scene_force(&scene), exact, 1e-14 * exact);
        assert_near(friction_sum(&scene), 0.9 * sign * exact, 1e-14 * exact);
        assert_near(scene.run->u[1], -3 * sign, 1e-14);
        assert_true(stick_steady_is(scene.run));
        assert_near(scene.run->state.now.t, 2, 0);
        scene_close(&scene);
    }
}

// The friction at which the force would become infinite; NAN: not in this direction.
static double largest_friction(const Scene *scene, double sign)
{
    double none = square_force(scene, 0), some = square_force(scene, 1e-3 * sign);
    double rate = (1 - none / some) / 1e-3;
    return rate > 0 ? 1 / rate : NAN;
}

// The last state with a solution stays, and the reason says where.
static void a_family_ends_where_there_is_no_solution(void **state)
{
    Scene scene;
    int ended = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        open_square(&scene, *state, sign, "vary: {mu: {from: 0, to: 40, by: 0.5}}");
        double largest = largest_friction(&scene, sign), last = 0;
        StickStatus status = STICK_OK;
        while (!stick_run_is_done(scene.run) && (status = stick_run_step(scene.run)) == STICK_OK) {
            last = scene.model->step[1].vary.value[(int)scene.run->advance.piece - 1];
            assert_near(scene_force(&scene), square_force(&scene, last * sign), 1e-10 * scene_force(&scene));
        }
        if (!isnan(largest) && largest < 40) {
            ended++;
            assert_int_equal(status, STICK_NOT_SOLVED);
            assert_true(last < largest && largest < last + 0.5);
            assert_non_null(strstr(stick_last_error(*state), "step 'slide' with mu = "));
            double reached = scene.run->state.memory.mu[0];
            assert_true(reached < largest && reached > last);
        }
        scene_close(&scene);
    }
    assert_int_equal(ended, 1);
}

// ---- a block

static const char block[] =
    "parameters: {mu: 0.7}\n"
    "materials: {soft: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4], pattern: crossed}}, plane: stress, "
    "material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-20*max(t - 1, 0)\", 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"
    "  - {name: next, %s}\n";

static void open_block(Scene *scene, StickContext *ctx, const char *next)
{
    char text[2000];
    snprintf(text, sizeof text, block, next);
    scene_open(scene, ctx, "%s", text);
    assert_ok(ctx, go_on(scene, 1));
    finish(scene);
}

static void assert_same_state(const Scene *a, const Scene *b, double tolerance)
{
    const StickState *x = &a->run->state, *y = &b->run->state;
    double size = stick_run_largest(x->now.q, x->n), force = scene_force(a);
    for (int i = 0; i < x->n; i++)
        assert_near(x->now.q[i], y->now.q[i], tolerance * size);
    for (int k = 0; k < x->memory.count * 2; k++)
        assert_near(x->memory.r[k], y->memory.r[k], tolerance * force);
}

static void it_is_where_a_long_drag_ends(void **state)
{
    Scene direct, drag;
    open_block(&direct, *state, "steady-sliding: {}");
    open_block(&drag, *state, "quasistatic: {end: 2, increments: 40}");
    assert_same_state(&direct, &drag, 1e-10);
    assert_below(direct.run->record.worst_error, 1e-12);
    assert_below(direct.run->ledger.worst_closure, 1e-12);
    assert_below(direct.run->ledger.worst_equilibrium, 1e-12);
    scene_close(&direct);
    scene_close(&drag);
}

// By the friction of the iterate before, and by a family that has come from elsewhere.
static void ways_to_a_state_do_not_matter(void **state)
{
    Scene direct, fixed, family;
    open_block(&direct, *state, "steady-sliding: {}");
    open_block(&fixed, *state, "steady-sliding: {method: fixed-point}");
    open_block(&family, *state, "steady-sliding: {vary: {mu: [0, 0.2, 0.7]}}");
    assert_same_state(&direct, &fixed, 1e-11);
    assert_same_state(&direct, &family, 1e-12);
    assert_true(fixed.run->record.passes > 5 * direct.run->record.passes);
    scene_close(&fixed);
    open_block(&fixed, *state, "steady-sliding: {vary: {mu: {from: 1.2, to: 0.7, by: 0.25}}}");
    assert_same_state(&direct, &fixed, 1e-12);
    // any member can be had from any other
    assert_ok(*state, stick_steady_seek(fixed.run, 1.1, stick_steady_time(fixed.run, 1.1)));
    assert_near(fixed.run->state.now.t, 1 + 1.4 / 3, 1e-12);
    scene_close(&direct);
    scene_close(&family);
    open_block(&family, *state, "steady-sliding: {vary: {mu: [0.9, 1.1]}}");
    assert_same_state(&fixed, &family, 1e-12);
    scene_close(&fixed);
    scene_close(&family);
}

// Every state of a family is a status of its own, slides steadily and obeys Coulomb.
// Not that of the state before, which had none of this friction.
static void a_law_sees_the_pressure_of_the_state(void **state)
{
    const char *next[] = {"steady-sliding: {}", "steady-sliding: {method: fixed-point}"};
    for (int method = 0; method < 2; method++) {
        Scene scene;
        char text[2000];
        snprintf(text, sizeof text, block, next[method]);
        const char *law = strstr(text, "mu}");
        scene_open(&scene, *state, "%.*s\"mu/(1 + 9*p)\"%s", (int)(law - text), text, law + 2);
        assert_ok(*state, go_on(&scene, 1));
        finish(&scene);
        for (int c = 0; c < scene.run->contacts.ncontacts; c++) {
            double r_N = scene.run->r[2 * c], p = r_N / scene.run->contacts.contact[c].area;
            assert_near(fabs(scene.run->r[2 * c + 1]), 0.7 / (1 + 9 * p) * r_N, 1e-9 * scene_force(&scene));
        }
        scene_close(&scene);
    }
}

static void a_family_is_a_path_of_steady_states(void **state)
{
    Scene scene;
    StickPathRecord *record;
    char text[2000];
    snprintf(text, sizeof text, block,
             "steady-sliding: {vary: {mu: {from: 0, to: 0.6, by: 0.2}}}}\n  - {stability: {}");
    scene_open(&scene, *state, "%s", text);
    assert_ok(*state, go_on(&scene, 1));
    assert_ok(*state, stick_path_record_create(*state, scene.system, &scene.model->step[2], &record));
    assert_ok(*state, stick_path_record_see(record, scene.run));
    while (!stick_run_is_done(scene.run)) {
        scene_step(&scene);
        assert_ok(*state, stick_path_record_see(record, scene.run));
    }
    assert_int_equal(record->count, 4);
    for (int k = 0; k < 4; k++) {
        assert_near(record->status[k].end, 1 + (k + 1) / 4.0, 1e-14);
        assert_true(record->status[k].steady > 0);
        const StickPathTouch *touch = stick_path_record_touches(record, k);
        for (int j = 0; j < (int)record->status[k].count; j++) {
            assert_near(touch[j].mu, 0.2 * k, 1e-15);
            assert_int_equal((int)touch[j].status, STICK_SLIPPING);
            assert_near(touch[j].r[1], -touch[j].mu * touch[j].r[0], 1e-15);
            assert_near(touch[j].u[1], 20, 1e-12);
        }
    }
    for (int i = 0; i < scene.system->ndofs; i++) // nothing moves while it slides
        assert_true(record->end_v[i] == 0);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

// ---- in space, and bodies that are moved

static const char column[] = "materials: {m: {young: 5, poisson: 0.3, density: 1}}\n"
                             "bodies: {b: {mesh: {box: {size: [1, 1, 2], cells: [2, 2, 3]}}, material: m}}\n"
                             "obstacles: {plate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}%s}}\n"
                             "supports: [{on: b.top, %s}]\n"
                             "contacts: [{between: [b.bottom, plate], friction: 0.3}]\n"
                             "steps:\n"
                             "  - {name: press, quasistatic: {end: 1, increments: 1}, friction: 0}\n"
                             "  - {name: slide, steady-sliding: {end: 3}}\n";

static void open_column(Scene *scene, StickContext *ctx, const char *obstacle, const char *support)
{
    char text[2000];
    snprintf(text, sizeof text, column, obstacle, support);
    scene_open(scene, ctx, "%s", text);
    assert_ok(ctx, go_on(scene, 1));
}

// A plate that is drawn under a column, and a column that is drawn over a plate.
static void bodies_slide_as_obstacles_do(void **state)
{
    Scene plate, body;
    open_column(&plate, *state, ", velocity: [3, 4, 0]", "displacement: [0, 0, \"-0.01*min(t, 1)\"]");
    open_column(&body, *state, "",
                "displacement: [\"-3*max(t - 1, 0)\", \"-4*max(t - 1, 0)\", \"-0.01*min(t, 1)\"]");
    finish(&plate);
    finish(&body);
    assert_int_equal(plate.run->contacts.ncontacts, 9);
    for (int c = 0; c < 9; c++) {
        const double *r = &plate.run->r[3 * c], *same = &body.run->r[3 * c];
        const double(*frame)[3] = plate.run->contacts.contact[c].frame;
        for (int k = 0; k < 3; k++)
            assert_near(r[k], same[k], 1e-12);
        // friction of the column points as the plate goes
        double along[2] = {r[1] * frame[1][0] + r[2] * frame[2][0], r[1] * frame[1][1] + r[2] * frame[2][1]};
        assert_near(along[0], 0.3 * 0.6 * r[0], 1e-14);
        assert_near(along[1], 0.3 * 0.8 * r[0], 1e-14);
    }
    assert_near(scene_mean(&body, 0, 1, body.run->state.now.v), -4, 1e-12);
    scene_close(&plate);
    scene_close(&body);
}

// ---- what has no direction, or is not known here

static void what_is_not_driven_is_named(void **state)
{
    Scene scene;
    open_column(&scene, *state, "", "displacement: [0, 0, \"-0.01*min(t, 1)\"]");
    assert_int_equal(stick_run_step(scene.run), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "nothing drives the contact at node "));
    scene_close(&scene);
}

static StickStatus slide_once(StickContext *ctx, void *text)
{
    Scene scene;
    STICK_TRY(scene_try(&scene, ctx, text));
    StickStatus status = go_on(&scene, 1);
    while (status == STICK_OK && !stick_run_is_done(scene.run))
        status = stick_run_step(scene.run);
    scene_close(&scene);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    char text[2000] = "stickslip: 1\n";
    size_t start = strlen(text);
    snprintf(text + start, sizeof text - start, block, "steady-sliding: {vary: {mu: [0.2, 0.4]}}");
    char *cells = strstr(text, "[8, 4], pattern: crossed");
    memcpy(cells, "[2, 1]                  ", 24);
    assert_survives_failing_memory(slide_once, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(one_contact_is_as_by_hand),
        test_with_context(a_family_ends_where_there_is_no_solution),
        test_with_context(it_is_where_a_long_drag_ends),
        test_with_context(ways_to_a_state_do_not_matter),
        test_with_context(a_law_sees_the_pressure_of_the_state),
        test_with_context(a_family_is_a_path_of_steady_states),
        test_with_context(bodies_slide_as_obstacles_do),
        test_with_context(what_is_not_driven_is_named),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}

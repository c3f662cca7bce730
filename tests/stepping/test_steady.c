// SPDX-License-Identifier: Apache-2.0
// Steady sliding found directly: closed forms, long drags, families over friction, and what has none.
#include "stepping/scene.h"

#include "stepping/path_record.h"
#include "stepping/steady.h"

// Runs the present step to its end and starts the next one.
static StickStatus go_on(Scene *scene, int stage)
{
    StickSimulation *run;
    while (!stick_simulation_is_done(scene->run))
        STICK_TRY(stick_simulation_step(scene->run));
    STICK_TRY(stick_simulation_create(scene->ctx, scene->system, &scene->model->step[stage], &run));
    StickStatus status = stick_simulation_start(run, scene->run);
    if (status != STICK_OK) {
        stick_simulation_destroy(run);
        return status;
    }
    stick_simulation_destroy(scene->run);
    scene->run = run;
    return STICK_OK;
}

static void finish(const Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
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
        while (!stick_simulation_is_done(scene.run) &&
               (status = stick_simulation_step(scene.run)) == STICK_OK) {
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
    double size = stick_simulation_largest(x->now.q, x->n), force = scene_force(a);
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
    while (!stick_simulation_is_done(scene.run)) {
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

// ---- bodies that turn

// A pad on a plate that turns about z; each contact has the direction of its own place.
static const char turntable[] =
    "parameters: {omega: 10, mu: 0.4}\n"
    "materials: {iron: {young: 110e9, poisson: 0.27, density: 7100}, lining: {young: 5e9, poisson: 0.25, "
    "density: 2500}}\n"
    "bodies:\n"
    "  plate: {mesh: {box: {size: [0.12, 0.12, 0.01], cells: [6, 6, 1], origin: [-0.06, -0.06, -0.01]}}, "
    "material: iron}\n"
    "  pad: {mesh: {box: {size: [0.04, 0.02, 0.01], cells: [4, 2, 1], origin: [%s, %s, 0]}}, material: "
    "lining}\n"
    "supports:\n"
    "  - {on: plate.bottom, %s}\n"
    "  - {on: pad.top, %s}\n"
    "contacts: [{between: [pad.bottom, plate.top], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1e-9, increments: 1}, friction: 0}\n" // the plate turns in it
    "  - {name: slide, %s}\n"
    "  - {name: judge, stability: {of: slide, at: end}}\n";

static const char turns[] = "velocity: [\"-omega*y\", \"omega*x\", 0]";
static const char rests[] = "displacement: [0, 0, -1e-6]";

static void open_turntable(Scene *scene, StickContext *ctx, const char *plate, const char *slide)
{
    char text[2000];
    snprintf(text, sizeof text, turntable, "-0.02", "0.03", plate, rests, slide);
    scene_open(scene, ctx, "%s", text);
    assert_ok(ctx, go_on(scene, 1));
}

// Friction on the pad is mu r_N along omega x r of the plate, minus the velocity of the pad itself.
static void assert_turned(const Scene *scene, double omega, double pad_x, double tolerance)
{
    int pressing = 0;
    for (int c = 0; c < scene->run->contacts.ncontacts; c++) {
        const StickContact *contact = &scene->run->contacts.contact[c];
        const double *r = &scene->run->r[3 * c], *x = contact->place;
        double v[2] = {-omega * x[1] - pad_x, omega * x[0]}, speed = hypot(v[0], v[1]);
        for (int k = 0; k < 2; k++) {
            double force = r[1] * contact->frame[1][k] + r[2] * contact->frame[2][k];
            assert_near(force, 0.4 * r[0] * v[k] / speed, tolerance * scene_force(scene));
        }
        pressing += r[0] > 0;
    }
    assert_true(pressing >= 10);
}

static void friction_opposes_the_velocity_at_each_contact(void **state)
{
    const char *slide[] = {"steady-sliding: {end: 2}", "steady-sliding: {end: 2, method: fixed-point}",
                           "steady-sliding: {end: 1.5, vary: {mu: [0, 0.2, 0.4]}}",
                           "steady-sliding: {end: 1000}"};
    Scene first, other;
    open_turntable(&first, *state, turns, slide[0]);
    finish(&first);
    assert_turned(&first, 10, 0, 1e-5); // places of nodes have moved by 1e-6
    assert_below(first.run->ledger.worst_closure, 1e-12);
    for (int k = 1; k < 4; k++) {
        open_turntable(&other, *state, turns, slide[k]);
        finish(&other);
        for (int i = 0; i < first.run->contacts.ncontacts * 3; i++)
            assert_near(first.run->r[i], other.run->r[i], 1e-10 * scene_force(&first));
        // the plate turns many times, and stays where it is
        assert_below(stick_simulation_largest(other.run->state.now.q, other.system->ndofs), 2e-6);
        scene_close(&other);
    }
    int at = scene_dof(&first, 0, "bottom", 0), dim = first.system->dim;
    const double *x = &first.system->body[0].mesh.x[at / dim * dim];
    assert_near(first.run->state.now.v[at], -10 * x[1], 1e-13);
    assert_near(first.run->state.now.v[at + 1], 10 * x[0], 1e-13);
    scene_close(&first);
}

// mu r_N |omega x r| of the present state.
static double friction_power(const Scene *scene)
{
    double power = 0;
    for (int c = 0; c < scene->run->contacts.ncontacts; c++) {
        const double *x = scene->run->contacts.contact[c].place;
        power += scene->run->mu[c] * scene->run->r[3 * c] * 10 * hypot(x[0], x[1]);
    }
    return power;
}

// The ledger takes the mean of the powers of both states over the time between them, which the supports give.
static void the_ledger_has_the_work_of_friction(void **state)
{
    Scene scene;
    open_turntable(&scene, *state, turns, "steady-sliding: {end: 4, vary: {mu: [0.2, 0.4]}}");
    scene_step(&scene);
    double before = scene.run->ledger.friction, given = scene.run->ledger.supports,
           power = friction_power(&scene);
    finish(&scene);
    power = (power + friction_power(&scene)) / 2;
    assert_near(scene.run->ledger.friction - before, 2 * power, 1e-5 * power);
    assert_near(scene.run->ledger.supports - given, 2 * power, 1e-5 * power);
    scene_close(&scene);
}

// As where a drag by small angles ends, which turns nodes along straight lines.
static void a_turning_plate_is_where_a_short_drag_ends(void **state)
{
    Scene direct, drag;
    open_turntable(&direct, *state, turns, "steady-sliding: {}");
    open_turntable(&drag, *state, "velocity: [\"-1e-4*y\", \"1e-4*x\", 0]",
                   "quasistatic: {end: 3, increments: 10}");
    finish(&direct);
    finish(&drag);
    for (int i = 0; i < direct.run->contacts.ncontacts * 3; i++)
        assert_near(direct.run->r[i], drag.run->r[i], 2e-3 * scene_force(&direct));
    scene_close(&direct);
    scene_close(&drag);
}

// Both move: the plate turns and the pad goes along x. And a turn that is given by displacements.
static void both_bodies_of_a_pair_may_move(void **state)
{
    Scene scene;
    char text[2000];
    snprintf(text, sizeof text, turntable, "-0.02", "0.03", turns,
             "velocity: [0.2, 0, free]}\n  - {on: pad.top, displacement: [free, free, -1e-6]",
             "steady-sliding: {}");
    scene_open(&scene, *state, "%s", text);
    assert_ok(*state, go_on(&scene, 1));
    finish(&scene);
    assert_turned(&scene, 10, 0.2, 1e-5);
    scene_close(&scene);
    open_turntable(&scene, *state,
                   "displacement: [\"-1e-3*y*max(t - 1e-9, 0)\", \"1e-3*x*max(t - 1e-9, 0)\", 0]",
                   "steady-sliding: {end: 1e-3}");
    finish(&scene);
    assert_turned(&scene, 1e-3, 0, 1e-4);
    scene_close(&scene);
}

// A node of the pad on the axis has no direction: its friction is zero, and its neighbours keep theirs.
static void a_contact_on_the_axis_has_no_friction(void **state)
{
    Scene scene;
    char text[2000];
    int on_axis = 0;
    snprintf(text, sizeof text, turntable, "-0.02", "-0.01", turns, rests, "steady-sliding: {}");
    scene_open(&scene, *state, "%s", text);
    assert_ok(*state, go_on(&scene, 1));
    finish(&scene);
    for (int c = 0; c < scene.run->contacts.ncontacts; c++) {
        const double *r = &scene.run->r[3 * c], *x = scene.run->contacts.contact[c].place;
        bool axis = hypot(x[0], x[1]) < 1e-6;
        assert_near(hypot(r[1], r[2]), axis ? 0 : 0.4 * r[0], 1e-10 * scene_force(&scene));
        on_axis += axis;
    }
    assert_int_equal(on_axis, 1);
    scene_close(&scene);
}

static void velocities_that_deform_a_body_are_refused(void **state)
{
    const char *plate[] = {
        "velocity: [\"-omega*y + 0.1*x\", \"omega*x\", 0]", "velocity: [\"omega*y\", \"omega*x\", 0]",
        "velocity: [\"-omega*y\", \"omega*x\", \"10*x*y\"]", "displacement: [\"0.1*t*x\", 0, 0]"};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        open_turntable(&scene, *state, plate[k], "steady-sliding: {}");
        assert_int_equal(stick_simulation_step(scene.run), STICK_BAD_INPUT);
        const char *error = stick_last_error(*state);
        assert_non_null(strstr(error, "component "));
        assert_non_null(strstr(error, "supports of body 'plate' do not move it as a rigid body"));
        scene_close(&scene);
    }
}

// What a stability step judges: each contact with its own direction and speed.
static void a_stability_step_has_the_direction_of_each_contact(void **state)
{
    Scene scene;
    StickPathRecord *record;
    open_turntable(&scene, *state, turns, "steady-sliding: {}");
    assert_ok(*state, stick_path_record_create(*state, scene.system, &scene.model->step[2], &record));
    assert_ok(*state, stick_path_record_see(record, scene.run));
    finish(&scene);
    assert_ok(*state, stick_path_record_see(record, scene.run));
    assert_int_equal(record->count, 1);
    const StickPathTouch *touch = stick_path_record_touches(record, 0);
    int seen = 0;
    for (int c = 0; c < scene.run->contacts.ncontacts && seen < (int)record->status[0].count; c++) {
        const StickContact *contact = &scene.run->contacts.contact[c];
        if (touch[seen].slot != stick_memory_slot(&scene.run->state.memory, contact))
            continue;
        const double *u = touch[seen].u, *x = contact->place;
        double v[2] = {10 * x[1], -10 * x[0]}; // of the pad over the plate
        for (int k = 0; k < 2; k++)
            assert_near(u[1] * contact->frame[1][k] + u[2] * contact->frame[2][k], v[k], 1e-4);
        seen++;
    }
    assert_int_equal(seen, (int)record->status[0].count);
    assert_true(seen >= 10);
    stick_path_record_destroy(record);
    scene_close(&scene);
}

// In the plane: the lower half of a ring turns about its centre. Its contacts slide at omega R, of finite bodies at the place
// that they have come to; the mean velocity of the supports would be along y.
static void a_ring_turns_in_the_plane(void **state)
{
    const char *law[] = {"young: 3, poisson: 0.3", "law: neo-hookean, shear: 1, bulk: 3"};
    for (int finite = 0; finite < 2; finite++)
        for (int sign = -1; sign <= 1; sign += 2) {
            Scene scene;
            int pressing = 0;
            scene_open(
                &scene, *state,
                "materials: {m: {%s, density: 1}}\n"
                "bodies:\n"
                "  ring:\n"
                "    material: m\n"
                "    mesh: {patches: [{cells: [40, 4], corners: [[-1, 0], [1, 0], [0.5, 0], [-0.5, 0]], "
                "sides: {bottom: {arc: [0, -1], group: outer}, top: {arc: [0, -0.5], group: hub}}}]}\n"
                "obstacles: {floor: {plane: {point: [0, -1], normal: [0, 1]}, displacement: [0, "
                "\"1e-2*min(t, 1)\"]}}\n"
                "supports: [{on: ring.hub, velocity: [\"%d*y\", \"%d*x\"]}]\n"
                "contacts: [{between: [ring.outer, floor], friction: 0.3}]\n"
                "steps:\n"
                "  - {name: press, quasistatic: {end: 1e-9}, friction: 0}\n"
                "  - {name: slide, steady-sliding: {end: 7}}\n",
                law[finite], -5 * sign, 5 * sign);
            assert_ok(*state, go_on(&scene, 1));
            finish(&scene);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++) {
                const StickContact *contact = &scene.run->contacts.contact[c];
                const double *r = &scene.run->r[2 * c];
                double slip = -5 * sign * contact->place[1] * contact->frame[1][0];
                // where strains are small places are those before the displacement
                assert_near(scene.run->u[2 * c + 1], slip, finite ? 1e-12 : 5 * 0.011);
                assert_near(r[1], -0.3 * r[0] * copysign(1, slip), 1e-12);
                pressing += r[0] > 0;
            }
            assert_true(pressing >= 3);
            assert_below(stick_simulation_largest(scene.run->state.now.q, scene.system->ndofs), 0.02);
            // forces of finite bodies are balanced to 1e-8
            assert_below(scene.run->ledger.worst_closure, finite ? 1e-7 : 1e-11);
            scene_close(&scene);
        }
}

// Axisymmetric bodies move along their axis alone.
static void a_ring_does_not_grow(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {m: {young: 3, poisson: 0.3, density: 1}}\n"
        "bodies: {ring: {plane: axisymmetric, material: m, mesh: {rectangle: {size: [1, 1], cells: [2, 2], "
        "origin: [1, 0]}}}}\n"
        "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [1, 0]}}\n"
        "supports: [{on: ring.top, velocity: [1, 0]}]\n"
        "contacts: [{between: [ring.bottom, floor], friction: 0.3}]\n"
        "steps: [{name: slide, steady-sliding: {}}]\n");
    assert_int_equal(stick_simulation_step(scene.run), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "translation along the axis of the ring"));
    scene_close(&scene);
}

// ---- what has no direction, or is not known here

// Nodes of the pad lie on edges of the block's surface, in the valley that it presses along the way it slides: the normal of one
// facet leads them to the other one. They stay on one side, nearly at the edge, and all forces are those of Coulomb's law.
static void nodes_in_a_valley_stay_on_one_side(void **state)
{
    static const struct {
        int block[2], pad[2];
        double width, nu;
    } meshes[] = {{{6, 6}, {3, 2}, 1.2, 0.3}, {{5, 4}, {3, 2}, 2, 0}, {{5, 6}, {4, 4}, 1.5, 0.45}};
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {m: {young: 1000, poisson: %g, density: 1}}\n"
                   "bodies:\n"
                   "  block: {mesh: {box: {size: [6, 6, 1], cells: [%d, %d, 1], origin: [-3, -3, -1]}}, "
                   "material: m}\n"
                   "  pad: {mesh: {box: {size: [2, %g, 1], cells: [%d, %d, 1], origin: [-1, %g, 0]}}, "
                   "material: m}\n"
                   "supports: [{on: block.bottom, velocity: [\"t > 1 and 1 or 0\", 0, 0]},\n"
                   "  {on: pad.top, displacement: [0, 0, \"-0.02*min(t, 1)\"]}]\n"
                   "contacts: [{between: [pad.bottom, block.top], friction: 0.3, method: nodes}]\n"
                   "steps:\n"
                   "  - {name: press, quasistatic: {end: 1, increments: 1}, friction: 0}\n"
                   "  - {name: slide, steady-sliding: {}}\n",
                   meshes[k].nu, meshes[k].block[0], meshes[k].block[1], meshes[k].width, meshes[k].pad[0],
                   meshes[k].pad[1], -meshes[k].width / 2);
        assert_ok(*state, go_on(&scene, 1));
        finish(&scene);
        const StickSimulation *run = scene.run;
        double normal = 0, force[3] = {0};
        for (int c = 0; c < run->contacts.ncontacts; c++) {
            const StickContact *contact = &run->contacts.contact[c];
            const double *r = &run->r[3 * c];
            normal += r[0];
            assert_near(hypot(r[1], r[2]), 0.3 * r[0], 1e-9 * (1 + r[0]));
            for (int i = 0; i < 3; i++)
                for (int axis = 0; axis < 3; axis++)
                    force[axis] += r[i] * contact->frame[i][axis];
        }
        // the block drags the pad along, and hardly aside of that: facets of both sides are inclined alike
        assert_near(force[0] / normal, 0.3, 0.01);
        assert_near(force[1] / normal, 0, 0.01);
        scene_close(&scene);
    }
}

static void what_is_not_driven_is_named(void **state)
{
    Scene scene;
    open_column(&scene, *state, "", "displacement: [0, 0, \"-0.01*min(t, 1)\"]");
    assert_int_equal(stick_simulation_step(scene.run), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "nothing drives the contact at node "));
    scene_close(&scene);
}

static StickStatus slide_once(StickContext *ctx, void *text)
{
    Scene scene;
    STICK_TRY(scene_try(&scene, ctx, text));
    StickStatus status = go_on(&scene, 1);
    while (status == STICK_OK && !stick_simulation_is_done(scene.run))
        status = stick_simulation_step(scene.run);
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
        test_with_context(friction_opposes_the_velocity_at_each_contact),
        test_with_context(the_ledger_has_the_work_of_friction),
        test_with_context(a_turning_plate_is_where_a_short_drag_ends),
        test_with_context(both_bodies_of_a_pair_may_move),
        test_with_context(a_contact_on_the_axis_has_no_friction),
        test_with_context(velocities_that_deform_a_body_are_refused),
        test_with_context(a_stability_step_has_the_direction_of_each_contact),
        test_with_context(a_ring_turns_in_the_plane),
        test_with_context(a_ring_does_not_grow),
        test_with_context(nodes_in_a_valley_stay_on_one_side),
        test_with_context(what_is_not_driven_is_named),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}

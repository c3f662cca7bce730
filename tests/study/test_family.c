// SPDX-License-Identifier: Apache-2.0
// A family of steady sliding states from the model to its map: a rubber lip on glass, against an independent computation.
#include "output/scratch.h"

#include "fem/fem.h"
#include "fem/finite.h"
#include "output/stability_table.h"
#include "output/table.h"
#include "stepping/newton_contact.h"
#include "stepping/scene.h"
#include "study/stability_sweep.h"

// A ring segment, clamped at one end, of which the outer face is pressed on glass by 0.7 mm; then the glass moves.
static const char ring[] =
    "units: {length: mm, force: N, time: s}\n"
    "parameters: {mu: 0.4, n: %d}\n"
    "materials: {rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 1200, density: 1.2e-9}}\n"
    "bodies:\n"
    "  seal:\n"
    "    mesh:\n"
    "      patches:\n"
    "        - cells: [n, n/10]\n"
    "          map:\n"
    "            - (5 - 1.5*eta)*cos(deg(270 + 14*(2*xi - 1) + 56*(2*xi - 1)^3))\n"
    "            - (5 - 1.5*eta)*sin(deg(270 + 14*(2*xi - 1) + 56*(2*xi - 1)^3))\n"
    "    element: mean-dilatation\n"
    "    plane: strain\n"
    "    material: rubber\n"
    "obstacles: {glass: {plane: {point: [0, -5], normal: [0, 1]}, displacement: [\"80*max(t - 1, 0)\", "
    "\"0.7*min(t, 1)\"]}}\n"
    "supports: [{on: seal.left, displacement: [0, 0]}]\n"
    "contacts: [{between: [seal.bottom, glass], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 20}, friction: 0}\n"
    "  - {name: slide, %s}\n"
    "  - {name: map, stability: {%s}}\n";

typedef struct Lip {
    Scratch *scratch;
    Scene scene;
    StickPathRecord *path;
} Lip;

static void next_step(Lip *lip, int stage)
{
    StickSimulation *run;
    assert_ok(lip->scratch->ctx, stick_simulation_create(lip->scratch->ctx, lip->scene.system,
                                                         &lip->scene.model->step[stage], &run));
    assert_ok(lip->scratch->ctx, stick_simulation_start(run, lip->scene.run));
    stick_simulation_destroy(lip->scene.run);
    lip->scene.run = run;
}

static Lip press_lip(Scratch *scratch, int n, const char *slide, const char *map)
{
    Lip lip = {.scratch = scratch};
    scene_open(&lip.scene, scratch->ctx, ring, n, slide, map);
    assert_ok(scratch->ctx,
              stick_path_record_create(scratch->ctx, lip.scene.system, &lip.scene.model->step[2], &lip.path));
    while (!stick_simulation_is_done(lip.scene.run))
        scene_step(&lip.scene);
    next_step(&lip, 1);
    assert_ok(scratch->ctx, stick_path_record_see(lip.path, lip.scene.run));
    return lip;
}

static void slide_on(Lip *lip)
{
    scene_step(&lip->scene);
    assert_ok(lip->scratch->ctx, stick_path_record_see(lip->path, lip->scene.run));
}

static void close_lip(Lip *lip)
{
    stick_path_record_destroy(lip->path);
    scene_close(&lip->scene);
}

// Normal force, and displacement of the tip.
static void assert_lip(const Lip *lip, double force, double x, double y)
{
    const double *q = lip->scene.run->state.now.q + scene_dof(&lip->scene, 0, "bottom-right", 0);
    assert_near(scene_force(&lip->scene), force, 1e-6 * force);
    assert_near(q[0], x, 1e-6 * fabs(x));
    assert_near(q[1], y, 1e-6 * fabs(y));
}

// What an iteration leaves out of balance is the square of what it found, but for round-off.
static void assert_quadratic(const Lip *lip)
{
    const StickNewtonContact *josephy = lip->scene.run->newton_contact;
    assert_in_range(josephy->count, 2, 6);
    for (int k = 1; k < josephy->count; k++) {
        double before = josephy->row[k - 1].residual;
        assert_below(josephy->row[k].residual, fmax(1e-9, 100 * before * before));
    }
}

static StickColumns map_of(Lip *lip, const char *table)
{
    StickColumns columns;
    assert_ok(lip->scratch->ctx,
              stick_table_read(lip->scratch->ctx, scratch_path(lip->scratch, table), &columns));
    return columns;
}

static void draw_map(Lip *lip)
{
    StickStudyOptions options = {0};
    StickStabilityTask task = {.system = lip->scene.system,
                               .step = &lip->scene.model->step[2],
                               .path = lip->path,
                               .folder = lip->scratch->folder,
                               .name = "",
                               .options = &options};
    assert_ok(lip->scratch->ctx,
              stick_folder_create(lip->scratch->ctx, scratch_path(lip->scratch, "history")));
    assert_ok(lip->scratch->ctx, stick_stability_sweep(lip->scratch->ctx, &task));
}

static double at(const StickColumns *columns, const char *name, size_t row)
{
    int k = stick_columns_find(columns, name);
    assert_true(k >= 0 && row < columns->nrows);
    return columns->column[k][row];
}

// Frequency and growth of a mode by its number.
static void assert_mode(const StickColumns *modes, double mu, int number, double frequency, double growth)
{
    for (size_t row = 0; row < modes->nrows; row++) {
        if (at(modes, "value", row) != mu || at(modes, "mode", row) != number)
            continue;
        assert_near(at(modes, "frequency", row), frequency, fmax(1e-5 * frequency, 0.005)); // as printed
        assert_near(at(modes, "growth", row), growth, 1e-4 * growth);
        return;
    }
    fail_msg("no mode %d at %g", number, mu);
}

static void a_lip_squeals_where_two_modes_meet(void **state)
{
    static const double r_n[] = {.0025540707, .0172824322, .0057736689};
    Lip lip = press_lip(*state, 40, "steady-sliding: {vary: {mu: {from: 0, to: 0.6, by: 0.2}}}",
                        "of: slide, highest: 4000");
    slide_on(&lip);
    assert_lip(&lip, .03345813, -.3970294, 1.8442482);
    slide_on(&lip);
    slide_on(&lip);
    assert_lip(&lip, .02561017, -.4075409, 1.8742668);
    assert_quadratic(&lip);
    int found = 0;
    for (int c = 0; c < lip.scene.run->contacts.ncontacts; c++) {
        const double *r = &lip.scene.run->r[2 * c];
        if (!(r[0] > 0))
            continue;
        assert_near(r[0], r_n[found++], 1e-6 * r[0]);
        assert_near(r[1], 0.4 * r[0], 1e-12 * r[0]);
    }
    assert_int_equal(found, 3);
    slide_on(&lip);
    assert_lip(&lip, .02292693, -.4112678, 1.8846318);
    assert_below(lip.scene.run->record.newton_residual, 1e-8);
    draw_map(&lip);
    StickColumns modes = map_of(&lip, "stability/map/sweep.csv"),
                 events = map_of(&lip, "stability/map/coalescence.csv");
    assert_mode(&modes, 0, 1, 271.12, 0);
    assert_mode(&modes, 0, 2, 1089.08, 0);
    assert_mode(&modes, 0, 3, 1338.64, 0);
    assert_mode(&modes, 0.4, 1, 276.65, 0);
    assert_mode(&modes, 0.4, 2, 1294.933, 272.792);
    assert_mode(&modes, 0.6, 1, 278.85, 0);
    assert_mode(&modes, 0.6, 2, 1333.451, 486.953);
    assert_int_equal(events.nrows, 1);
    assert_true(at(&events, "kind", 0) == STICK_SWEEP_COALESCENCE);
    assert_near(at(&events, "value", 0), 0.337260, 1e-5 * 0.337);
    assert_near(at(&events, "frequency", 0), 1282.62, 1e-5 * 1282);
    stick_columns_destroy(lip.scratch->ctx, &modes);
    stick_columns_destroy(lip.scratch->ctx, &events);
    close_lip(&lip);
}

static void a_finer_lip_does_so_at_more_friction(void **state)
{
    if (!getenv("STICKSLIP_TEST_FINE"))
        skip();
    Lip lip = press_lip(*state, 80, "steady-sliding: {vary: {mu: [0, 0.4]}}", "of: slide, highest: 5800");
    slide_on(&lip);
    assert_lip(&lip, .03263384, -.3850235, 1.8307362);
    slide_on(&lip);
    assert_lip(&lip, .02511451, -.3933871, 1.8588626);
    draw_map(&lip);
    StickColumns modes = map_of(&lip, "stability/map/sweep.csv"),
                 events = map_of(&lip, "stability/map/coalescence.csv");
    static const double still[] = {269.62, 1060.65, 1325.21, 3031.10, 3531.45, 4271.79, 5043.33, 5614.01},
                        slides[] = {274.37, 1271.13, 1271.13, 3038.26, 3518.35, 4128.89, 5159.79, 5606.49};
    for (int k = 0; k < 8; k++) {
        assert_mode(&modes, 0, k + 1, still[k], 0);
        if (k != 1 && k != 2)
            assert_mode(&modes, 0.4, k + 1, slides[k], 0);
    }
    assert_mode(&modes, 0.4, 2, 1271.132, 247.540);
    assert_int_equal(events.nrows, 1);
    assert_near(at(&events, "value", 0), 0.354338, 1e-5 * 0.354);
    assert_near(at(&events, "frequency", 0), 1262.44, 1e-5 * 1262);
    stick_columns_destroy(lip.scratch->ctx, &modes);
    stick_columns_destroy(lip.scratch->ctx, &events);
    close_lip(&lip);
}

// ---- the same states by other ways

static void assert_same_lip(const Lip *a, const Lip *b, double tolerance)
{
    const StickState *x = &a->scene.run->state, *y = &b->scene.run->state;
    double size = stick_simulation_largest(x->now.q, x->n), force = scene_force(&a->scene);
    for (int i = 0; i < x->n; i++)
        assert_near(x->now.q[i], y->now.q[i], tolerance * size);
    for (int k = 0; k < x->memory.count * 2; k++)
        assert_near(x->memory.r[k], y->memory.r[k], tolerance * force);
}

static double mean_von_mises(const Lip *lip)
{
    const StickBody *body = &lip->scene.system->body[0];
    const StickMotion *now = &lip->scene.run->state.now;
    int nodes = body->mesh.nnodes;
    double *stress = calloc(6 * (size_t)nodes, sizeof *stress), sum = 0;
    assert_non_null(stress);
    assert_ok(lip->scratch->ctx,
              stick_finite_fields(body->finite, now->q + body->first, now->history + body->first_history,
                                  &(StickFiniteFields){.stress = stress}));
    for (int i = 0; i < nodes; i++)
        sum += stick_von_mises(&stress[6 * i]);
    free(stress);
    return sum / nodes;
}

// At once, by the fixed point, and by dragging on until nothing changes.
static void ways_to_a_lip_that_slides_do_not_matter(void **state)
{
    Lip newton = press_lip(*state, 20, "steady-sliding: {}", "at: end");
    Lip fixed = press_lip(*state, 20, "steady-sliding: {method: fixed-point}", "at: end");
    Lip drag = press_lip(*state, 20, "quasistatic: {end: 1.02, increments: 20}", "at: end");
    slide_on(&newton);
    slide_on(&fixed);
    while (!stick_simulation_is_done(drag.scene.run))
        scene_step(&drag.scene);
    assert_same_lip(&newton, &fixed, 1e-9);
    assert_same_lip(&newton, &drag, 1e-6);
    close_lip(&newton);
    close_lip(&fixed);
    close_lip(&drag);
}

// [RBV02 table 2]: states for ten frictions take fewer linear systems than one drag that follows its path to the last of them
// in 100 increments; a drag in a single large one takes fewer still, as it does not follow any path.
static void ten_lips_cost_less_than_a_path(void **state)
{
    Lip direct =
        press_lip(*state, 20, "steady-sliding: {vary: {mu: {from: 0.04, to: 0.4, by: 0.04}}}", "at: end");
    Lip drag = press_lip(*state, 20, "quasistatic: {end: 1.02, increments: 100}", "at: end");
    int systems[2] = {0, 0}, states = 0;
    for (; !stick_simulation_is_done(direct.scene.run); states++) {
        slide_on(&direct);
        systems[0] += direct.scene.run->newton_contact->count;
    }
    while (!stick_simulation_is_done(drag.scene.run)) {
        scene_step(&drag.scene);
        systems[1] += drag.scene.run->newton_contact->count;
    }
    print_message("%d states by %d linear systems, a drag by %d\n", states, systems[0], systems[1]);
    assert_int_equal(states, 10);
    assert_same_lip(&direct, &drag, 1e-4);
    assert_near(mean_von_mises(&direct), mean_von_mises(&drag), 1e-4 * mean_von_mises(&drag));
    assert_true(systems[0] < systems[1]);
    close_lip(&direct);
    close_lip(&drag);
}

// ---- small strains

// Young's modulus 5 and Poisson's ratio 0.48, or what is the same of them at rest.
static const char block[] =
    "parameters: {mu: 0.4, E: 5, nu: 0.48, shear: E/(2*(1 + nu)), n: %d}\n"
    "units: {length: mm, force: N, time: s}\n"
    "materials: {soft: {%s, density: 1.2e-9}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [2*n, n]}}, plane: strain, element: "
    "mean-dilatation, "
    "material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [-10, 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-8e-6*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 1}, friction: 0}\n"
    "  - {name: slide, steady-sliding: {vary: {mu: [0.2, 0.4]}}}\n"
    "  - {name: map, stability: {highest: 3000, locate: none}}\n";

static Lip slide_block(Scratch *scratch, const char *material)
{
    Lip lip = {.scratch = scratch};
    int n = getenv("STICKSLIP_TEST_FINE") ? 20 : 8;
    scene_open(&lip.scene, scratch->ctx, block, n, material);
    assert_ok(scratch->ctx,
              stick_path_record_create(scratch->ctx, lip.scene.system, &lip.scene.model->step[2], &lip.path));
    scene_step(&lip.scene);
    next_step(&lip, 1);
    assert_ok(scratch->ctx, stick_path_record_see(lip.path, lip.scene.run));
    slide_on(&lip);
    slide_on(&lip);
    return lip;
}

// Under small loads bodies of finite strains are linear ones: states, and modes about them.
static void small_strains_are_the_limit(void **state)
{
    Lip linear = slide_block(*state, "young: E, poisson: nu");
    Lip finite =
        slide_block(*state, "law: mooney-rivlin, a1: 0.3*shear, a2: 0.2*shear, bulk: E/(3*(1 - 2*nu))");
    assert_non_null(finite.scene.system->body[0].finite);
    assert_null(linear.scene.system->body[0].finite);
    assert_same_lip(&linear, &finite, 1e-6);
    draw_map(&linear);
    StickColumns exact = map_of(&linear, "stability/map/sweep.csv");
    draw_map(&finite);
    StickColumns modes = map_of(&finite, "stability/map/sweep.csv");
    assert_true(exact.nrows > 10 && exact.nrows == modes.nrows);
    bool flutters = false;
    for (size_t row = 0; row < exact.nrows; row++) {
        double size = at(&exact, "frequency", row);
        assert_near(at(&modes, "frequency", row), size, 1e-6 * size);
        assert_near(at(&modes, "growth", row), at(&exact, "growth", row), 1e-6 * size);
        flutters |= at(&exact, "growth", row) > 1;
    }
    assert_true(flutters);
    stick_columns_destroy(linear.scratch->ctx, &exact);
    stick_columns_destroy(linear.scratch->ctx, &modes);
    close_lip(&linear);
    close_lip(&finite);
}

#define test_with_scratch(function) cmocka_unit_test_setup_teardown(function, make_scratch, drop_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(a_lip_squeals_where_two_modes_meet),
        test_with_scratch(a_finer_lip_does_so_at_more_friction),
        test_with_scratch(ways_to_a_lip_that_slides_do_not_matter),
        test_with_scratch(ten_lips_cost_less_than_a_path),
        test_with_scratch(small_strains_are_the_limit),
    };
    return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// The system of all bodies: numbering, masses, initial motion, products with its matrices, and refusals.
#include "bodies/products.h"
#include "stepping/scene.h"

static const char *const two_plates = "materials:\n"
                                      "  soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}\n"
                                      "  damped: {law: elastic, young: 2e6, poisson: 0.2, density: 2000, "
                                      "rayleigh: {mass: 3, stiffness: 1e-3}}\n"
                                      "bodies:\n"
                                      "  one: {mesh: {rectangle: {size: [2, 1], cells: [3, 2]}}, material: "
                                      "soft, thickness: 0.1, velocity: [1, \"x\"],\n"
                                      "        displacement: [0, \"0.01*y\"]}\n"
                                      "  two: {mesh: {rectangle: {size: [1, 1], cells: [2, 2], origin: [5, "
                                      "5]}}, material: damped, velocity: [4, 0],\n"
                                      "        angular-velocity: 3}\n"
                                      "steps: [{dynamics: {step: 1, end: 1}}]\n";

static void bodies_are_numbered_one_after_the_other(void **state)
{
    Scene scene;
    scene_open(&scene, *state, "%s", two_plates);
    const StickSystem *system = scene.system;
    assert_int_equal(system->dim, 2);
    assert_int_equal(system->body[0].first, 0);
    assert_int_equal(system->body[0].ndofs, 2 * 12);
    assert_int_equal(system->body[1].first, 2 * 12);
    assert_int_equal(system->ndofs, 2 * (12 + 9));
    assert_near(system->total_mass[0], 1000 * 2 * 1 * 0.1, 1e-10);
    assert_near(system->total_mass[1], 2000, 1e-9);
    scene_close(&scene);
}

// v = velocity + omega x (x - mass centre): a turn has no momentum, and its energy is J omega^2 / 2.
static void initial_motion_is_the_given_one(void **state)
{
    Scene scene;
    scene_open(&scene, *state, "%s", two_plates);
    const StickMotion *now = &scene.run->state.now;
    const StickMesh *first = &scene.system->body[0].mesh;
    for (int i = 0; i < first->nnodes; i++) {
        assert_near(now->v[2 * i], 1, 0);
        assert_near(now->v[2 * i + 1], first->x[2 * i], 0);
        assert_near(now->q[2 * i + 1], 0.01 * first->x[2 * i + 1], 1e-17);
    }
    assert_near(scene_mean(&scene, 1, 0, now->v), 4, 1e-13);
    assert_near(scene_mean(&scene, 1, 1, now->v), 0, 1e-13);
    double energy = 0;
    for (int i = scene.system->body[1].first; i < scene.system->ndofs; i++)
        energy += 0.5 * now->v[i] * now->Mv[i];
    assert_near(energy, 0.5 * 2000 * 16 + 0.5 * 2000.0 / 6 * 9, 1e-9);
    scene_close(&scene);
}

static void products_are_those_of_the_matrices(void **state)
{
    Scene scene;
    scene_open(&scene, *state, "%s", two_plates);
    double q[64], v[64], Mv[64], Cv[64], Kq[64], Kx[64];
    for (int i = 0; i < scene.system->ndofs; i++) {
        q[i] = sin(3.0 * i);
        v[i] = cos(2.0 * i);
    }
    stick_system_products(scene.system, q, v, Mv, Cv, Kq);
    stick_system_stiffness(scene.system, q, Kx);
    for (int b = 0; b < 2; b++) {
        const StickBody *body = &scene.system->body[b];
        double y[3][64] = {{0}};
        stick_sparse_multiply(&body->M, 1, v + body->first, y[0]);
        stick_sparse_multiply(&body->C, 1, v + body->first, y[1]);
        stick_sparse_multiply(&body->K, 1, q + body->first, y[2]);
        for (int i = 0; i < body->ndofs; i++) {
            assert_near(Mv[body->first + i], y[0][i], 1e-10);
            assert_near(Cv[body->first + i], y[1][i], 1e-9);
            assert_near(Kq[body->first + i], y[2][i], 1e-8);
            assert_near(Kx[body->first + i], y[2][i], 1e-8);
        }
    }
    scene_close(&scene);
}

// A stiff body far from its reference place, with long steps: the way that it went costs no energy, and in
// flight it keeps its velocity, both to the bit.
static void translation_costs_no_energy(void **state)
{
    const char *schemes[] = {"scheme: theta, theta: 0.55", "scheme: theta-euler, theta: 0.5",
                             "scheme: modified-theta, theta: 0.7", "scheme: newmark"};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {stiff: {law: elastic, young: 2e11, poisson: 0.3, density: 8000}}\n"
                   "bodies: {plate: {mesh: {rectangle: {size: [0.7, 0.3], cells: [3, 3]}}, material: stiff,\n"
                   "                 displacement: [1234.5678, -987.654], velocity: [100, 30]}}\n"
                   "steps: [{dynamics: {%s, step: 0.0123, end: 10}}]\n",
                   schemes[k]);
        scene_steps(&scene, 100);
        assert_true(scene.run->ledger.elastic == 0);
        for (int i = 0; i < scene.run->state.n; i++)
            assert_true(scene.run->state.now.v[i] == (i % 2 == 0 ? 100 : 30));
        scene_close(&scene);
    }
}

static void unknown_group_is_refused_where_it_stands(void **state)
{
    const char *uses[] = {
        "supports: [{on: plate.lft, displacement: [0, 0]}]\n",
        "loads: [{on: plate.lft, pressure: 1}]\n",
        ("obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
         "contacts: [{between: [plate.lft, floor], friction: 0}]\n"),
    };
    for (int k = 0; k < 3; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                 "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
                 "steps: [{dynamics: {step: 1, end: 1}}]\n%s",
                 uses[k]);
        assert_int_equal(scene_try(&scene, *state, text), STICK_BAD_MESH);
        assert_non_null(strstr(stick_last_error(*state), "did you mean 'left'?"));
        assert_true(stick_diagnostic(*state, stick_diagnostic_count(*state) - 1)->line >= 5);
    }
}

// Every missing group is reported, and every component that does not exist.
static void all_unknown_names_are_said_at_once(void **state)
{
    static const char *const text =
        "stickslip: 1\n"
        "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
        "bodies: {plate: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft},\n"
        "         other: {mesh: {rectangle: {size: [1, 1], cells: [2, 2], origin: [2, 0]}}, material: "
        "soft}}\n"
        "supports: [{on: plate.lft, displacement: [0, 0]}]\n"
        "loads: [{on: plate.rigth, pressure: 1}]\n"
        "contacts:\n"
        "  - {between: [plate.rihgt, other.lefft], friction: 0}\n"
        "steps: [{dynamics: {step: 1, end: 1}}]\n"
        "output: {history: [{name: a, of: plate.bore, what: gap},\n"
        "                   {name: b, of: plate.top, what: velocity.z}]}\n";
    static const struct {
        int line, column;
        const char *says;
    } expected[] = {
        {5, 17, "no group 'lft'"},
        {6, 14, "no group 'rigth'"},
        {8, 16, "no group 'rihgt'"},
        {8, 29, "body 'other' has no group 'lefft'"},
        {10, 34, "no group 'bore'; it has bottom, right, top, left"},
        {11, 20, "history 'b': 'velocity' takes .x or .y here"},
    };
    StickContext *ctx = *state;
    Scene scene;
    size_t count = sizeof expected / sizeof *expected;
    assert_int_not_equal(scene_try(&scene, ctx, text), STICK_OK);
    assert_int_equal(stick_diagnostic_count(ctx), count);
    for (size_t k = 0; k < count; k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        assert_int_equal(said->line, expected[k].line);
        assert_int_equal(said->column, expected[k].column);
        assert_non_null(strstr(said->text, expected[k].says));
    }
}

// Bodies with unsuitable elements are refused at their place in the file, with their name.
static void unsuitable_bodies_are_refused_where_they_stand(void **state)
{
    static const struct {
        const char *keys, *says;
    } bad[] = {
        {"plane: stress, element: mean-dilatation", "body 'two': mean dilatation makes no sense"},
        {"plane: axisymmetric, position: [-3, 0]", "at radius -3, but a ring has no negative radius"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
                 "bodies:\n"
                 "  one: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}\n"
                 "  two: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft, %s}\n"
                 "steps: [{dynamics: {step: 1, end: 1}}]\n",
                 bad[k].keys);
        assert_int_not_equal(scene_try(&scene, *state, text), STICK_OK);
        const StickDiagnostic *said = stick_diagnostic(*state, stick_diagnostic_count(*state) - 1);
        assert_int_equal(said->line, 5);
        assert_int_equal(said->column, 3);
        assert_non_null(strstr(said->text, bad[k].says));
        assert_non_null(strstr(said->text, "body 'two': "));
    }
}

static StickStatus build(StickContext *ctx, void *data)
{
    StickModel *model;
    StickSystem *system;
    StickModelSource source = {.name = "m", .folder = ".", .bytes = data, .count = strlen(data)};
    STICK_TRY(stick_model_read_text(ctx, &source, &model));
    StickStatus status = stick_system_create(ctx, model, &system);
    if (status == STICK_OK)
        stick_system_destroy(system);
    stick_model_destroy(model);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, "stickslip: 1\n%s", two_plates);
    assert_survives_failing_memory(build, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bodies_are_numbered_one_after_the_other),
        test_with_context(initial_motion_is_the_given_one),
        test_with_context(products_are_those_of_the_matrices),
        test_with_context(translation_costs_no_energy),
        test_with_context(unknown_group_is_refused_where_it_stands),
        test_with_context(all_unknown_names_are_said_at_once),
        test_with_context(unsuitable_bodies_are_refused_where_they_stand),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("system", tests, NULL, NULL);
}

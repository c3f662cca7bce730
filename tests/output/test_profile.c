// SPDX-License-Identifier: Apache-2.0
// Stresses along a surface: their sums are the forces, a time between two events is on the straight line, and what
// cannot be followed is refused by name.
#include "check.h"

#include "output/profile.h"

#include <math.h>

// RBV02 section 1.4 on a coarse mesh; thickness 2.
#define BLOCK                                                                                           \
    "stickslip: 1\n"                                                                                    \
    "materials: {pu: {law: elastic, young: 5, poisson: 0.48, density: 1.2e-9}}\n"                       \
    "bodies:\n"                                                                                         \
    "  block: {mesh: {rectangle: {size: [80, 40], cells: [10, 5], pattern: crossed}}, plane: stress,\n" \
    "          material: pu, thickness: 2%s}\n"                                                         \
    "obstacles:\n"                                                                                      \
    "  plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-max(t - 1, 0)\", 0]}\n"        \
    "  wall: {plane: {point: [100, 0], normal: [-1, 0]}}\n"                                             \
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"                              \
    "contacts:\n"                                                                                       \
    "  - {between: [block.bottom, plate], friction: 1}\n"                                               \
    "  - {between: [block.right, wall], friction: 0.7}\n"                                               \
    "steps:\n"                                                                                          \
    "  - {name: press, quasistatic: {end: 1, increments: 1}}\n"                                         \
    "  - {name: drag, quasistatic: {end: 3, increments: 4, follow: events}}\n"                          \
    "output: {profiles: [{name: stress, of: %s, at: [%s]}]}\n"

typedef struct Scene {
    StickModel *model;
    StickSystem *system;
    StickSimulation *run, *before;
    StickProfile profile;
} Scene;

static StickStatus make_scene(StickContext *ctx, const char *element, const char *of, const char *at,
                              Scene *scene)
{
    char text[4096];
    snprintf(text, sizeof text, BLOCK, element, of, at);
    StickModelSource source = {.name = "block.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    *scene = (Scene){0};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &scene->model));
    assert_ok(ctx, stick_system_create(ctx, scene->model, &scene->system));
    return stick_profile_create(ctx, scene->system, &scene->model->output.profile[0], &scene->profile);
}

static void start_step(StickContext *ctx, Scene *scene, int step)
{
    stick_simulation_destroy(scene->before);
    scene->before = scene->run;
    assert_ok(ctx, stick_simulation_create(ctx, scene->system, &scene->model->step[step], &scene->run));
    assert_ok(ctx, stick_simulation_start(scene->run, scene->before));
}

static void drop_scene(StickContext *ctx, Scene *scene)
{
    stick_profile_destroy(ctx, &scene->profile);
    stick_simulation_destroy(scene->run);
    stick_simulation_destroy(scene->before);
    stick_system_destroy(scene->system);
    stick_model_destroy(scene->model);
}

enum { AREA = 5, PRESSURE = 6, SHEAR = 7, FRICTION = 8, RESERVE = 9, STATUS = 10 };

// Forces of the rows that are due: by areas, and by the trapezium rule along the line.
typedef struct Sums {
    double force[2], trapezium[2], least_reserve, slip_reserve;
    int nodes[3]; // apart, sticking, slipping
} Sums;

static Sums sum_rows(const StickProfile *profile)
{
    Sums sums = {.least_reserve = HUGE_VAL};
    double last[STICK_PROFILE_COLUMNS] = {0}, row[STICK_PROFILE_COLUMNS];
    for (int k = 0; k < profile->count; k++) {
        stick_profile_row(profile, k, row);
        for (int j = 0; j < 2; j++) {
            sums.force[j] += row[AREA] * row[PRESSURE + j];
            sums.trapezium[j] += k ? (row[2] - last[2]) * (row[PRESSURE + j] + last[PRESSURE + j]) / 2 : 0;
        }
        sums.least_reserve = fmin(sums.least_reserve, row[RESERVE]);
        if (row[STATUS] == STICK_SLIPPING)
            sums.slip_reserve = fmax(sums.slip_reserve, fabs(row[RESERVE]));
        sums.nodes[(int)row[STATUS]]++;
        memcpy(last, row, sizeof row);
    }
    return sums;
}

static double total(const StickSimulation *run, int component)
{
    double sum = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        sum += run->r[2 * c + component];
    return sum;
}

// From event to event: at every time the profile carries the force on the straight line between two states.
static void test_sums_are_forces(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    int seen = 0;
    assert_ok(ctx, make_scene(ctx, "", "block.bottom", "0.5, 1, 1.7, 2.03, 2.031, 2.4, 3", &scene));
    StickProfile *profile = &scene.profile;
    assert_int_equal(profile->count, 11);
    for (int step = 0; step < 2; step++) {
        start_step(ctx, &scene, step);
        if (step == 0)
            stick_profile_see(profile, scene.run);
        while (!stick_simulation_is_done(scene.run)) {
            double t = scene.run->state.now.t, before[2] = {0, 0};
            for (int j = 0; t > 0 && j < 2; j++)
                before[j] = total(scene.run->contacts.ncontacts ? scene.run : scene.before, j);
            assert_ok(ctx, stick_simulation_step(scene.run));
            stick_profile_see(profile, scene.run);
            for (; stick_profile_is_due(profile); stick_profile_next(profile), seen++) {
                double part = (profile->spec->times[profile->written] - t) / (scene.run->state.now.t - t);
                Sums sums = sum_rows(profile);
                for (int j = 0; j < 2; j++) {
                    double force = (1 - part) * before[j] + part * total(scene.run, j);
                    assert_near(sums.force[j], force, 1e-10);
                    assert_near(2 * sums.trapezium[j], force, 1e-10); // thickness
                }
                // no more than friction can do, and all of it where it slips
                assert_true(sums.least_reserve > -1e-9);
                assert_true(sums.slip_reserve < 1e-9);
            }
        }
    }
    assert_int_equal(seen, 7);
    drop_scene(ctx, &scene);
}

// Statuses between two events are those on the way, not those that the next event brings.
static void test_statuses_on_the_way(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    assert_ok(ctx, make_scene(ctx, "", "block.bottom", "1.2, 2.9", &scene));
    StickProfile *profile = &scene.profile;
    int slipping[2] = {-1, -1}, sticking = -1;
    for (int step = 0; step < 2; step++) {
        start_step(ctx, &scene, step);
        while (!stick_simulation_is_done(scene.run)) {
            assert_ok(ctx, stick_simulation_step(scene.run));
            stick_profile_see(profile, scene.run);
            for (; stick_profile_is_due(profile); stick_profile_next(profile)) {
                Sums sums = sum_rows(profile);
                slipping[profile->written] = sums.nodes[STICK_SLIPPING];
                sticking = sums.nodes[STICK_STICKING];
            }
        }
    }
    assert_int_equal(slipping[0], 0); // nothing has happened yet, whatever the end of this increment brings
    assert_true(slipping[1] > 0 && sticking > 0);
    drop_scene(ctx, &scene);
}

// Nodes stand along the line: middles of quadratic sides between their ends, the body on the left.
static void test_order(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    assert_ok(ctx, make_scene(ctx, ", element: quadratic", "block.bottom", "1", &scene));
    assert_int_equal(scene.profile.count, 21);
    for (int k = 0; k < 21; k++) {
        assert_near(scene.profile.node[k].place[0], 4 * k, 1e-12);
        assert_near(scene.profile.node[k].s, 4 * k, 1e-12);
    }
    drop_scene(ctx, &scene);
    assert_ok(ctx, make_scene(ctx, "", "block.right", "1", &scene));
    assert_near(scene.profile.node[0].place[1], 0, 0);
    assert_near(scene.profile.node[5].place[1], 40, 1e-12);
    drop_scene(ctx, &scene);
}

// A block pressed without friction: the same pressure E * 0.01 everywhere, at corners that other surfaces share, and
// whatever the elements; friction of nodes that touch nothing.
#define PRESSED                                                                                     \
    "stickslip: 1\n"                                                                                \
    "materials: {m: {young: 1000, density: 1}}\n"                                                   \
    "bodies:\n"                                                                                     \
    "  block: {mesh: {rectangle: {size: [1, 1], cells: [4, 4]}}, plane: stress, material: m, %s}\n" \
    "obstacles:\n"                                                                                  \
    "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"                                           \
    "  far: {plane: {point: [-9, 0], normal: [1, 0]}}\n"                                            \
    "  wide: {plane: {point: [9, 0], normal: [-1, 0]}}\n"                                           \
    "  high: {plane: {point: [0, 9], normal: [0, -1]}}\n"                                           \
    "supports: [{on: block.top, displacement: [0, \"-0.01*t\"]}]\n"                                 \
    "contacts:\n"                                                                                   \
    "  - {between: [block.bottom, floor], friction: 0}\n"                                           \
    "  - {between: [block.left, far], friction: 0.25}\n"                                            \
    "  - {between: [block.right, wide], friction: \"0.5 + v\"}\n"                                   \
    "  - {between: [block.top, high]}\n"                                                            \
    "steps: [{name: press, quasistatic: {end: 1, increments: 2}}]\n"                                \
    "output: {profiles: [{name: p, of: block.%s, at: [1]}]}\n"

static StickProfile *press(StickContext *ctx, const char *element, const char *of, Scene *scene)
{
    char text[4096];
    snprintf(text, sizeof text, PRESSED, element, of);
    StickModelSource source = {.name = "block.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    *scene = (Scene){0};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &scene->model));
    assert_ok(ctx, stick_system_create(ctx, scene->model, &scene->system));
    assert_ok(ctx,
              stick_profile_create(ctx, scene->system, &scene->model->output.profile[0], &scene->profile));
    start_step(ctx, scene, 0);
    while (!stick_simulation_is_done(scene->run)) {
        assert_ok(ctx, stick_simulation_step(scene->run));
        stick_profile_see(&scene->profile, scene->run);
    }
    return &scene->profile;
}

static void test_uniform_pressure(void **state)
{
    StickContext *ctx = *state;
    static const char *const element[] = {"element: linear", "element: quadratic"};
    static const char *const of[] = {"bottom", "boundary"};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        StickProfile *profile = press(ctx, element[k % 2], of[k / 2], &scene);
        double force = 0, row[STICK_PROFILE_COLUMNS];
        for (int i = 0; i < profile->count; i++) {
            stick_profile_row(profile, i, row);
            assert_near(row[PRESSURE], profile->node[i].place[1] == 0 ? 10 : 0, 1e-9);
            force += row[AREA] * row[PRESSURE];
        }
        assert_near(force, 10, 1e-9);
        drop_scene(ctx, &scene);
    }
}

static void test_friction_of_no_candidates(void **state)
{
    StickContext *ctx = *state;
    static const char *const of[] = {"bottom", "left", "right"};
    static const double friction[] = {0, 0.25, NAN};
    for (int k = 0; k < 3; k++) {
        Scene scene;
        StickProfile *profile = press(ctx, "element: linear", of[k], &scene);
        double row[STICK_PROFILE_COLUMNS];
        stick_profile_row(profile, 2, row);
        assert_true(k == 2 ? isnan(row[FRICTION]) : row[FRICTION] == friction[k]);
        assert_true(isnan(row[RESERVE]));
        assert_near(row[AREA], 0.25, 1e-12);
        drop_scene(ctx, &scene);
    }
}

static void test_refused(void **state)
{
    StickContext *ctx = *state;
    static const struct {
        const char *of, *at, *text;
    } bad[] = {
        {"block.bottom", "1, 3.1", "the time 3.1 is behind the end 3 of the last step"},
        {"block.bottom-left", "1", "'bottom-left' has nodes, but no sides"},
        {"block.left", "1",
         "profile 'stress': stresses are known on the first surface of a contact, and 'left' is in no"},
        {"block.boundary", "1", "and 15 of the 30 sides of 'boundary' are in no contact"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        Scene scene;
        assert_int_equal(make_scene(ctx, "", bad[k].of, bad[k].at, &scene), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(ctx), bad[k].text));
        drop_scene(ctx, &scene);
    }
}

static StickStatus create(StickContext *ctx, void *user)
{
    Scene *scene = user;
    StickProfile profile;
    STICK_TRY(stick_profile_create(ctx, scene->system, &scene->model->output.profile[0], &profile));
    stick_profile_destroy(ctx, &profile);
    return STICK_OK;
}

static void test_memory(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    assert_ok(ctx, make_scene(ctx, "", "block.bottom", "1", &scene));
    assert_survives_failing_memory(create, &scene);
    drop_scene(ctx, &scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_sums_are_forces),
        test_with_context(test_statuses_on_the_way),
        test_with_context(test_order),
        test_with_context(test_refused),
        test_with_context(test_memory),
        test_with_context(test_uniform_pressure),
        test_with_context(test_friction_of_no_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

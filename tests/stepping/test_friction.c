// SPDX-License-Identifier: Apache-2.0
// Coulomb friction through the whole step: blocks on inclined planes, in the plane and in space, and laws of
// friction.
#include "stepping/scene.h"

static const double G = 9.81;

// ---- in the plane

static void open_incline(Scene *scene, StickContext *ctx, double degrees, const char *friction, double v0,
                         const char *scheme)
{
    double alpha = degrees * acos(-1) / 180;
    scene_open(scene, ctx,
               "materials: {stiff: {law: elastic, young: 1e8, poisson: 0.3, density: 1000}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [0.6, 0.1], cells: [6, 1]}}, material: stiff,\n"
               "                 velocity: [%.17g, 0]}}\n"
               "obstacles: {slope: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "gravity: [%.17g, %.17g]\n"
               "contacts: [{between: [block.bottom, slope], friction: \"%s\"}]\n"
               "steps: [{dynamics: {%s, step: 1e-3, end: 1}}]\n",
               v0, G * sin(alpha), -G * cos(alpha), friction, scheme);
}

static const char *const schemes[] = {"scheme: theta-euler, theta: 1", "scheme: theta-euler, theta: 0.6",
                                      "scheme: modified-theta, theta: 0.7", "scheme: theta, theta: 0.7"};

static void block_sticks_below_the_angle_of_friction(void **state)
{
    for (int k = 0; k < 4; k++) {
        Scene scene;
        open_incline(&scene, *state, 20, "0.4", 0, schemes[k]);
        scene_steps(&scene, 300);
        double before = scene_mean(&scene, 0, 0, scene.run->state.now.q);
        scene_steps(&scene, 200);
        assert_near(scene_mean(&scene, 0, 0, scene.run->state.now.q), before, 1e-9);
        assert_near(before, 0, 1e-5);
        for (int c = 0; c < scene.run->contacts.ncontacts; c++)
            assert_int_not_equal(stick_simulation_status(scene.run, c), STICK_SLIPPING);
        assert_below(scene.run->record.worst_exact, 1e-8);
        scene_close(&scene);
    }
}

// All contacts slide: the mass centre has exactly the acceleration of the rigid block, up to its own bouncing
// vy.
static void block_slides_above_the_angle_of_friction(void **state)
{
    double alpha = acos(-1) / 6;
    for (int k = 0; k < 4; k++) {
        Scene scene;
        open_incline(&scene, *state, 30, "0.3", 0.1, schemes[k]);
        for (int i = 0; i < 500; i++) {
            scene_step(&scene);
            const StickMotion *now = &scene.run->state.now;
            double vx = scene_mean(&scene, 0, 0, now->v), vy = scene_mean(&scene, 0, 1, now->v);
            double normal = G * cos(alpha) * now->t + vy;
            assert_near(vx, 0.1 + G * sin(alpha) * now->t - 0.3 * normal, 1e-9);
        }
        double vx = scene_mean(&scene, 0, 0, scene.run->state.now.v);
        assert_near(vx, 0.1 + 2.356287 * 0.5, 2e-4);
        scene_close(&scene);
    }
}

// The same block on a slope that is turned itself, under vertical gravity: the same motion along the slope.
static void turned_slope_is_the_same(void **state)
{
    double alpha = acos(-1) / 6, c = cos(alpha), s = sin(alpha);
    Scene flat, turned;
    open_incline(&flat, *state, 30, "0.3", 0.1, schemes[2]);
    scene_open(&turned, *state,
               "materials: {stiff: {law: elastic, young: 1e8, poisson: 0.3, density: 1000}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [0.6, 0.1], cells: [6, 1]}}, rotation: %.17g, "
               "material: stiff,\n"
               "                 velocity: [%.17g, %.17g]}}\n"
               "obstacles: {slope: {plane: {point: [0, 0], normal: [%.17g, %.17g]}}}\n"
               "gravity: [0, %.17g]\n"
               "contacts: [{between: [block.bottom, slope], friction: 0.3}]\n"
               "steps: [{dynamics: {%s, step: 1e-3, end: 1}}]\n",
               -alpha, 0.1 * c, -0.1 * s, s, c, -G, schemes[2]);
    for (int i = 0; i < 100; i++) {
        scene_step(&flat);
        scene_step(&turned);
        const double *v = turned.run->state.now.v;
        for (int n = 0; n < flat.run->state.n; n += 2) {
            assert_near(c * v[n] - s * v[n + 1], flat.run->state.now.v[n], 1e-9);
            assert_near(s * v[n] + c * v[n + 1], flat.run->state.now.v[n + 1], 1e-9);
        }
        assert_near(scene_force(&turned), scene_force(&flat), 1e-4);
    }
    scene_close(&flat);
    scene_close(&turned);
}

// ---- laws

// dv/dt = -g (0.2 + 0.1 v)
static void friction_may_depend_on_speed(void **state)
{
    Scene scene;
    open_incline(&scene, *state, 0, "0.2 + 0.1*v", 3, schemes[0]);
    scene_steps(&scene, 500);
    double exact = (3 + 2) * exp(-0.1 * G * 0.5) - 2;
    assert_near(scene_mean(&scene, 0, 0, scene.run->state.now.v), exact, 2e-3);
    scene_close(&scene);
}

// v = v0 - g (0.2 t + 0.3 t^2)
static void friction_may_depend_on_time(void **state)
{
    Scene scene;
    open_incline(&scene, *state, 0, "0.2 + 0.6*t", 3, schemes[0]);
    scene_steps(&scene, 500);
    assert_near(scene_mean(&scene, 0, 0, scene.run->state.now.v), 3 - G * (0.2 * 0.5 + 0.3 * 0.25), 3e-3);
    scene_close(&scene);
}

// The law sees the pressure of the last step and the reference place of the node.
static void friction_may_depend_on_pressure_and_place(void **state)
{
    Scene scene;
    open_incline(&scene, *state, 0, "0.1 + 1e-5*p + 0.2*x", 3, schemes[0]);
    scene_steps(&scene, 20);
    for (int i = 0; i < 20; i++) {
        StickSimulation *run = scene.run;
        double pressure[64] = {0}, weight = 0, area = 0;
        for (int c = 0; c < run->contacts.ncontacts; c++) {
            const StickContact *contact = &run->contacts.contact[c];
            pressure[contact->feature] = run->r[2 * c] * stick_simulation_force(run) / contact->area;
            weight += pressure[contact->feature] * contact->area;
            area += contact->area;
        }
        assert_near(area, 0.6, 1e-12);
        assert_near(weight, 0.06 * 1000 * G, 0.2 * 60 * G);
        scene_step(&scene);
        for (int c = 0; c < run->contacts.ncontacts; c++) {
            int node = run->contacts.contact[c].feature;
            double x = scene.system->body[0].mesh.x[2 * node];
            assert_near(run->mu[c], 0.1 + 1e-5 * pressure[node] + 0.2 * x, 1e-12);
            assert_near(run->r[2 * c + 1], -run->mu[c] * run->r[2 * c], 1e-9 * 60 * G * 1e-3);
        }
    }
    scene_close(&scene);
}

static void negative_friction_stops_the_run(void **state)
{
    Scene scene;
    open_incline(&scene, *state, 0, "0.0105 - t", 3, schemes[0]);
    scene_steps(&scene, 10);
    double t = scene.run->state.now.t;
    assert_int_equal(stick_simulation_step(scene.run), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "friction must not be negative"));
    assert_true(scene.run->state.now.t == t && scene.run->state.step == 10);
    scene_close(&scene);
}

// ---- in space

static void open_box(Scene *scene, StickContext *ctx, double direction, double v0, double slope,
                     const char *solver)
{
    scene_open(scene, ctx,
               "materials: {stiff: {law: elastic, young: 1e8, poisson: 0.3, density: 1000}}\n"
               "bodies: {box: {mesh: {box: {size: [0.4, 0.4, 0.05], cells: [3, 2, 1]}}, material: stiff,\n"
               "               velocity: [%.17g, %.17g, 0]}}\n"
               "obstacles: {slope: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
               "gravity: [%.17g, %.17g, -10]\n"
               "contacts: [{between: [box.bottom, slope], friction: 0.4}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: 1e-3, end: 1}, solver: {name: %s, "
               "facets: 8}}]\n",
               v0 * cos(direction), v0 * sin(direction), 10 * slope * cos(direction),
               10 * slope * sin(direction), solver);
}

static void box_slides_down_the_slope(void **state)
{
    const double directions[] = {0, 0.3, 1.2, 2.5, -2.9};
    for (int k = 0; k < 5; k++) {
        Scene scene;
        open_box(&scene, *state, directions[k], 0.5, 0.6, "gauss-seidel");
        scene_steps(&scene, 200);
        double vx = scene_mean(&scene, 0, 0, scene.run->state.now.v);
        double vy = scene_mean(&scene, 0, 1, scene.run->state.now.v), speed = 0.5 + 10 * (0.6 - 0.4) * 0.2;
        assert_near(vx, speed * cos(directions[k]), 1e-3 * speed);
        assert_near(vy, speed * sin(directions[k]), 1e-3 * speed);
        assert_below(scene.run->record.worst_exact, 1e-8);
        assert_int_equal(scene.run->certificate.facets, 0);
        scene_close(&scene);
    }
}

static void box_sticks_on_a_gentle_slope(void **state)
{
    const char *solvers[] = {"gauss-seidel", "lemke"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        open_box(&scene, *state, 0.7, 0, 0.3, solvers[k]);
        scene_steps(&scene, 100);
        double x = scene_mean(&scene, 0, 0, scene.run->state.now.q),
               y = scene_mean(&scene, 0, 1, scene.run->state.now.q);
        scene_steps(&scene, 100);
        assert_near(scene_mean(&scene, 0, 0, scene.run->state.now.q), x, 1e-9);
        assert_near(scene_mean(&scene, 0, 1, scene.run->state.now.q), y, 1e-9);
        scene_close(&scene);
    }
}

// Along a vertex of the polygon the faceted cone has the force of the exact one; between two of them it is
// too weak, by up to cos(pi / 8), and the certificate says so beside its own.
static void faceted_cone_tells_its_error(void **state)
{
    Scene scene;
    open_box(&scene, *state, 0, 0.5, 0.6, "lemke");
    scene_steps(&scene, 100);
    assert_int_equal(scene.run->certificate.facets, 8);
    assert_near(scene_mean(&scene, 0, 0, scene.run->state.now.v), 0.5 + 10 * 0.2 * 0.1, 1e-3);
    scene_close(&scene);

    open_box(&scene, *state, acos(-1) / 8, 0.5, 0.6, "lemke");
    scene_steps(&scene, 100);
    double vx = scene_mean(&scene, 0, 0, scene.run->state.now.v),
           vy = scene_mean(&scene, 0, 1, scene.run->state.now.v);
    double exact = 0.5 + 10 * (0.6 - 0.4) * 0.1, weak = 0.5 + 10 * (0.6 - 0.4 * cos(acos(-1) / 8)) * 0.1;
    print_message("between two vertices: speed %.4f, exact cone %.4f, weakest %.4f, error of the cone %.1e\n",
                  hypot(vx, vy), exact, weak, scene.run->record.worst_exact);
    assert_in_range((int)(1e6 * hypot(vx, vy)), (int)(1e6 * exact) - 100, (int)(1e6 * weak) + 100);
    assert_below(scene.run->record.worst_scale_free, 1e-8);
    assert_true(scene.run->record.worst_exact > 1e-4);
    scene_close(&scene);
}

// ---- static friction of what has come to rest on its cone

// A block is pressed on a floor that moves by an expression of t from t = 1 on; what slides has less friction.
static void open_dragged(Scene *scene, StickContext *ctx, const char *floor, const char *step)
{
    scene_open(scene, ctx,
               "materials: {m: {young: 5, poisson: 0.4, density: 1.2e-9}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4]}}, plane: stress, "
               "material: m}}\n"
               "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"%s\", 0]}}\n"
               "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"
               "contacts: [{between: [block.bottom, floor], friction: \"v > 0 and 0.3 or 0.5\"}]\n"
               "steps: [{%s}]\n",
               floor, step);
}

static double friction_force(const Scene *scene)
{
    double total = 0;
    for (int c = 0; c < scene->run->contacts.ncontacts; c++)
        total += scene->run->r[2 * c + 1] * scene->run->contacts.contact[c].frame[1][0];
    return fabs(total) * stick_simulation_force(scene->run);
}

static void go_to(const Scene *scene, double t)
{
    while (scene->run->state.now.t < t - 1e-9)
        scene_step(scene);
}

static int sliding_ones(const Scene *scene)
{
    int count = 0;
    for (int slot = 0; slot < scene->run->state.memory.count; slot++)
        count += scene->run->state.memory.speed[slot] > 0;
    return count;
}

static const char stops[] = "t < 1 and 0 or t < 7 and t - 1 or t < 9 and 6 or t - 3";

// After a pause all of it sticks, with the friction of what rests: it sets off by the same force whatever the solver.
static void what_has_stopped_sticks(void **state)
{
    static const char *const steps[] = {
        "quasistatic: {end: 13, increments: 52}",
        "quasistatic: {end: 13, increments: 52}, solver: auto",
        "quasistatic: {end: 13, increments: 52}, solver: lemke",
        "quasistatic: {end: 13, increments: 52}, solver: newton",
        "quasistatic: {end: 13, increments: 52}, solver: aitken",
        "quasistatic: {end: 13, increments: 52}, solver: anderson",
        "dynamics: {end: 13, step: 0.25, theta: 1}",
        "dynamics: {end: 13, step: 0.25, theta: 1}, solver: lemke",
        "dynamics: {end: 13, step: 0.25, theta: 1}, solver: aitken",
    };
    double first[2] = {0};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        Scene scene;
        double peak = 0;
        int kind = steps[k][0] == 'd';
        open_dragged(&scene, *state, stops, steps[k]);
        go_to(&scene, 6.5);
        assert_int_equal(sliding_ones(&scene), 9);
        go_to(&scene, 9);
        assert_int_equal(sliding_ones(&scene), 0);
        while (scene.run->state.now.t < 10) {
            scene_step(&scene);
            peak = fmax(peak, friction_force(&scene));
        }
        first[kind] = first[kind] > 0 ? first[kind] : peak;
        assert_near(peak, first[kind], 1e-6 * peak);
        scene_close(&scene);
    }
    assert_near(first[0], 2.43874, 1e-5);
}

// Sliding that is slow but steady goes on, with the friction of what slides.
static void what_creeps_slides(void **state)
{
    static const char creeps[] = "t < 1 and 0 or t < 7 and t - 1 or 6 + 1e-6*(t - 7)";
    static const char *const steps[] = {
        "quasistatic: {end: 13, increments: 52}",
        "quasistatic: {end: 13, increments: 52}, solver: lemke",
        "dynamics: {end: 13, step: 0.25, theta: 1}",
    };
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        Scene scene;
        open_dragged(&scene, *state, creeps, steps[k]);
        go_to(&scene, 12);
        assert_int_equal(sliding_ones(&scene), 9);
        for (int slot = 0; slot < 9; slot++)
            assert_near(scene.run->mu[slot], 0.3, 0);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(block_sticks_below_the_angle_of_friction),
        test_with_context(block_slides_above_the_angle_of_friction),
        test_with_context(turned_slope_is_the_same),
        test_with_context(friction_may_depend_on_speed),
        test_with_context(friction_may_depend_on_time),
        test_with_context(friction_may_depend_on_pressure_and_place),
        test_with_context(negative_friction_stops_the_run),
        test_with_context(box_slides_down_the_slope),
        test_with_context(box_sticks_on_a_gentle_slope),
        test_with_context(faceted_cone_tells_its_error),
        test_with_context(what_has_stopped_sticks),
        test_with_context(what_creeps_slides),
    };
    return cmocka_run_group_tests_name("friction", tests, NULL, NULL);
}

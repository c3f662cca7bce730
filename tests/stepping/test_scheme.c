// SPDX-License-Identifier: Apache-2.0
// Impact of elastic bars [VPJR98 section 6.1]: what each scheme must show, whatever the mesh and the mass
// matrix.
#include "stepping/scene.h"

static const double V0 = 5.13588, LENGTH = 0.254, YOUNG = 2.0684e11, DENSITY = 7895.7, H = 2.226e-6;
#define GAP 2.54e-4
static const double END = 2e-4;

typedef struct Bar {
    const char *scheme;
    double theta;
    int elements;
    const char *mass;
    double gap;
} Bar;

// One bar flies against a wall. Its end starts at 0, so that the gap is not the difference of large numbers.
static void open_bar(Scene *scene, StickContext *ctx, Bar bar)
{
    char theta[32];
    snprintf(theta, sizeof theta, "theta: %g,", bar.theta);
    scene_open(scene, ctx,
               "materials: {steel: {law: elastic, young: %g, poisson: 0, density: %g}}\n"
               "bodies:\n"
               "  bar: {mesh: {bar: {length: %g, elements: %d, origin: [%.17g]}}, mass: %s, material: steel, "
               "velocity: [%.17g]}\n"
               "obstacles: {wall: {plane: {point: [%.17g], normal: [-1]}}}\n"
               "contacts: [{between: [bar.end, wall], friction: 0}]\n"
               "steps: [{dynamics: {scheme: %s, %s step: %g, end: %g}}]\n",
               YOUNG, DENSITY, LENGTH, bar.elements, -LENGTH, bar.mass, V0, bar.gap, bar.scheme,
               bar.theta > 0 ? theta : "", H, END);
}

static void open_two_bars(Scene *scene, StickContext *ctx, const char *scheme, const char *theta)
{
    scene_open(scene, ctx,
               "materials: {steel: {law: elastic, young: %g, poisson: 0, density: %g}}\n"
               "bodies:\n"
               "  left: {mesh: {bar: {length: %g, elements: 20, origin: [%.17g]}}, material: steel, "
               "velocity: [%.17g]}\n"
               "  right: {mesh: {bar: {length: %g, elements: 20, origin: [%.17g]}}, material: steel,\n"
               "          velocity: [%.17g]}\n"
               "contacts: [{between: [left.end, right.start], friction: 0}]\n"
               "steps: [{dynamics: {scheme: %s, %s step: %g, end: %g}}]\n",
               YOUNG, DENSITY, LENGTH, -LENGTH, V0, LENGTH, 2 * GAP, -V0, scheme, theta, H, END);
}

static bool is_active(const Scene *scene)
{
    return scene->run->contacts.ncontacts > 0 && scene->run->r[0] > 0;
}

static double end_velocity(const Scene *scene)
{
    return scene->run->state.now.v[scene_dof(scene, 0, "end", 0)];
}

// Steps until the bar has touched for the first time.
static void step_to_contact(const Scene *scene)
{
    do
        scene_step(scene);
    while (!is_active(scene) && scene->run->state.step < scene->run->nsteps);
    assert_true(is_active(scene));
}

// ---- sharp statements, for several meshes and both mass matrices

static const Bar meshes[] = {
    {NULL, 0, 20, "consistent", GAP},
    {NULL, 0, 20, "lumped", GAP},
    {NULL, 0, 7, "consistent", 0.4 * GAP},
    {NULL, 0, 33, "lumped", 1.1 * GAP},
};

static Bar with_scheme(Bar bar, const char *scheme, double theta)
{
    bar.scheme = scheme;
    bar.theta = theta;
    return bar;
}

// v_{k+1} = -((1 - theta) / theta) v_k as long as contact lasts
static void theta_method_reflects_the_contact_velocity(void **state)
{
    const double thetas[] = {0.5, 0.55, 0.7};
    for (size_t k = 0; k < 3; k++) {
        for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
            double theta = thetas[k];
            Scene scene;
            open_bar(&scene, *state, with_scheme(meshes[m], "theta", theta));
            step_to_contact(&scene);
            int compared = 0;
            for (double before = end_velocity(&scene); compared < 20;
                 compared++, before = end_velocity(&scene)) {
                scene_step(&scene);
                if (!is_active(&scene))
                    break;
                assert_near(end_velocity(&scene), -(1 - theta) / theta * before, 1e-9 * V0);
            }
            // on the coarsest mesh the contact opens and closes again
            assert_true(compared >= (meshes[m].elements < 10 ? 1 : 20));
            scene_close(&scene);
        }
    }
}

static void compatible_schemes_hold_the_contact_still(void **state)
{
    const char *schemes[] = {"theta-euler", "modified-theta"};
    for (size_t k = 0; k < 2; k++) {
        for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
            Scene scene;
            open_bar(&scene, *state, with_scheme(meshes[m], schemes[k], 0.55));
            step_to_contact(&scene);
            int compared = 0;
            for (; compared < 20; compared++) {
                scene_step(&scene);
                if (!is_active(&scene))
                    break;
                assert_near(end_velocity(&scene), 0, 1e-9 * V0);
            }
            // on the coarsest mesh the contact opens and closes again
            assert_true(compared >= (meshes[m].elements < 10 ? 1 : 20));
            scene_close(&scene);
        }
    }
}

static void midpoint_from_contact_conserves_energy(void **state)
{
    Scene scene;
    Bar bar = {"theta", 0.5, 20, "consistent", 0};
    open_bar(&scene, *state, bar);
    double start = scene_energy(&scene);
    int active = 0;
    while (scene.run->state.step < scene.run->nsteps) {
        scene_step(&scene);
        assert_near(scene_energy(&scene) / start, 1, 1e-12);
        if (!is_active(&scene))
            continue;
        active++;
        assert_near(fabs(end_velocity(&scene)), V0, 1e-9 * V0);
    }
    assert_true(active >= 44);
    scene_close(&scene);
}

// ---- the table: one bar on a wall, 20 elements, consistent mass

typedef struct Measures {
    double rms, largest;    // of the velocity of the end during contact, in v0
    double mean, deviation; // of the force, in rho c v0
    double impulse;         // over the exact one
    double after, spread;   // velocity of the end after release, in v0
    double energy;          // at the end over the one at the start
    double last;            // time of the last active step
} Measures;

typedef struct Sum {
    int count;
    double first, second;
} Sum;

static void add(Sum *sum, double x)
{
    sum->count++;
    sum->first += x;
    sum->second += x * x;
}

static double mean(Sum sum)
{
    return sum.first / sum.count;
}

static double deviation(Sum sum)
{
    return sqrt(fmax(0, sum.second / sum.count - mean(sum) * mean(sum)));
}

// During contact: from 3 steps after touch to 3 steps before release; after it: from 6 steps after release.
static Measures measure(const Scene *scene)
{
    double c = sqrt(YOUNG / DENSITY), unit = DENSITY * c * V0, start = scene_energy(scene);
    double touch = GAP / V0, release = touch + 2 * LENGTH / c;
    Measures m = {0};
    Sum velocity = {0}, force = {0}, after = {0};
    while (scene->run->state.step < scene->run->nsteps) {
        scene_step(scene);
        double t = scene->run->state.now.t, v = end_velocity(scene) / V0, f = scene_force(scene) / unit;
        m.impulse += f * unit * H / (2 * DENSITY * LENGTH * V0);
        m.last = f > 0 ? t : m.last;
        if (t > touch + 3 * H && t < release - 3 * H) {
            m.largest = fmax(m.largest, fabs(v));
            add(&velocity, v);
            add(&force, f);
        } else if (t > release + 6 * H) {
            add(&after, v);
        }
    }
    m.rms = sqrt(velocity.second / velocity.count);
    m.mean = mean(force);
    m.deviation = deviation(force);
    m.after = mean(after);
    m.spread = deviation(after);
    m.energy = scene_energy(scene) / start;
    return m;
}

typedef struct Row {
    const char *scheme;
    double theta;
    Measures is, within;
    double last_within; // of the exact release, in steps; 0: no statement
} Row;

// Reference: an independent code of another kind, to the digits it was printed with.
static const Row table[] = {
    {"newmark",
     0,
     {1.32, 4.5, 0.99, 1.01, 1.023, -1.05, 1.51, 1.83, 0},
     {.005, .05, .005, .005, .0005, .005, .005, .005, 0},
     0},
    {"theta",
     0.5,
     {0.565, 0.565, 0.999, 0.364, 0.986, -0.99, 0.20, 0.982, 0},
     {.0005, .0005, .0005, .0005, .0005, .005, .005, .0005, 0},
     2},
    {"theta",
     0.55,
     {0.065, 0.232, 0.994, 0.050, 0.961, -1.000, 0.008, 0.879, 0},
     {.0005, .0005, .0005, .0005, .0005, .0005, .0005, .0005, 0},
     2},
    {"theta-euler",
     0.55,
     {0, 0, 0.971, 0.077, 0.911, -0.955, 0.07, 0.720, 0},
     {1e-9, 1e-9, .0005, .0005, .0005, .0005, .005, .0005, 0},
     0},
    {"modified-theta",
     0.55,
     {0, 0, 0.996, 0.015, 0.960, -1.000, 0.008, 0.876, 0},
     {1e-9, 1e-9, .0005, .0005, .0005, .0005, .0005, .0005, 0},
     2},
    {"modified-theta",
     0.5,
     {0, 0, 0.999, 0.005, 0.980, -0.98, 0.15, 0.966, 0},
     {1e-9, 1e-9, .0005, .0005, .0005, .005, .005, .0005, 0},
     2},
};

static void check_row(StickContext *ctx, const Row *row)
{
    Scene scene;
    Bar bar = {row->scheme, row->theta, 20, "consistent", GAP};
    open_bar(&scene, ctx, bar);
    Measures m = measure(&scene);
    print_message(
        "%-14s %.2f: v %.4f, %.4f  force %.4f +-%.4f  impulse %.4f  after %.4f +-%.4f  energy %.4f\n",
        row->scheme, row->theta, m.rms, m.largest, m.mean, m.deviation, m.impulse, m.after, m.spread,
        m.energy);
    assert_near(m.rms, row->is.rms, row->within.rms);
    assert_near(m.largest, row->is.largest, row->within.largest);
    assert_near(m.mean, row->is.mean, row->within.mean);
    assert_near(m.deviation, row->is.deviation, row->within.deviation);
    assert_near(m.impulse, row->is.impulse, row->within.impulse);
    assert_near(m.after, row->is.after, row->within.after);
    assert_near(m.spread, row->is.spread, row->within.spread);
    assert_near(m.energy, row->is.energy, row->within.energy);
    if (row->last_within > 0)
        assert_near(m.last, 1.487086e-4, row->last_within * H);
    scene_close(&scene);
}

static void bar_on_a_wall_shows_the_table(void **state)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        check_row(*state, &table[k]);
}

static void two_bars_are_one_bar_on_a_wall(void **state)
{
    const char *schemes[] = {"theta", "theta-euler", "modified-theta", "newmark"};
    for (size_t k = 0; k < 4; k++) {
        Scene one, two;
        bool damped = k < 3; // Newmark's chatter lets rounding errors grow
        Bar bar = {schemes[k], damped ? 0.55 : 0, 20, "consistent", GAP};
        open_bar(&one, *state, bar);
        open_two_bars(&two, *state, schemes[k], damped ? "theta: 0.55," : "");
        double within = damped ? 1e-12 : 1e-6;
        double unit = DENSITY * sqrt(YOUNG / DENSITY) * V0;
        while (one.run->state.step < one.run->nsteps) {
            scene_step(&one);
            scene_step(&two);
            double left = end_velocity(&two), right = two.run->state.now.v[scene_dof(&two, 1, "start", 0)];
            assert_near(left, end_velocity(&one), within * V0);
            assert_near(right, -left, within * V0);
            assert_near(scene_force(&two), scene_force(&one), 5 * within * unit);
        }
        scene_close(&one);
        scene_close(&two);
    }
}

// An oscillator with the eigenvalue lambda, stepped by hand as the schemes say, against its factor.
static double complex factor_by_steps(const StickScheme *scheme, double h, double complex lambda)
{
    double complex x = h * lambda * h * lambda, q = 1, hv = h * lambda, q1 = 0, ratio = 0;
    for (int k = 0; k < 3000; k++) { // the other root dies out, or goes round: the mean tells
        double complex hv1 = hv;
        for (int pass = 0; pass < 60; pass++) { // the implicit equations, by repetition
            q1 = q + scheme->kappa * hv1 + (1 - scheme->kappa) * hv;
            hv1 = hv + x * (scheme->theta * q1 + (1 - scheme->theta) * q);
        }
        ratio = q1 / q;
        q = 1;
        hv = hv1 / q1;
    }
    return ratio;
}

static void modes_have_the_factor_of_the_scheme(void **state)
{
    (void)state;
    const double h = 0.05;
    const double complex lambda = 1.5 + 3 * I; // grows: of both roots the larger one
    for (int kind = STICK_SCHEME_THETA; kind <= STICK_SCHEME_MODIFIED_THETA; kind++) {
        StickStepSpec spec = {.scheme = (StickSchemeKind)kind, .theta = 0.55};
        StickScheme scheme = stick_scheme(&spec);
        double complex z = stick_scheme_factor(&scheme, h, lambda);
        assert_near(cabs(z - factor_by_steps(&scheme, h, lambda)), 0, 1e-12);
        if (kind != STICK_SCHEME_THETA_EULER)
            assert_near(cabs(z - (1 + 0.45 * h * lambda) / (1 - 0.55 * h * lambda)), 0, 1e-15);
    }
    // Newmark's mean acceleration is the theta-method with 1/2
    StickStepSpec newmark = {.scheme = STICK_SCHEME_NEWMARK, .beta = 0.25, .gamma = 0.5};
    StickScheme scheme = stick_scheme(&newmark);
    assert_near(cabs(stick_scheme_factor(&scheme, h, lambda) - (1 + h * lambda / 2) / (1 - h * lambda / 2)),
                0, 1e-14);
}

// To first order in h, what is lost of an undamped oscillation.
static void damping_is_that_of_the_factor(void **state)
{
    (void)state;
    const double w = 7, h = 1e-5;
    static const StickStepSpec specs[] = {
        {.scheme = STICK_SCHEME_THETA, .theta = 0.5},
        {.scheme = STICK_SCHEME_THETA, .theta = 0.6},
        {.scheme = STICK_SCHEME_THETA_EULER, .theta = 0.55},
        {.scheme = STICK_SCHEME_MODIFIED_THETA, .theta = 0.7},
        {.scheme = STICK_SCHEME_NEWMARK, .beta = 0.3, .gamma = 0.6},
    };
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        StickScheme scheme = stick_scheme(&specs[k]);
        double lost = -log(cabs(stick_scheme_factor(&scheme, h, I * w))) / h;
        assert_near(stick_scheme_damping(&scheme, h, w), lost, 1e-3 * h * w * w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(theta_method_reflects_the_contact_velocity),
        test_with_context(compatible_schemes_hold_the_contact_still),
        test_with_context(midpoint_from_contact_conserves_energy),
        test_with_context(bar_on_a_wall_shows_the_table),
        test_with_context(two_bars_are_one_bar_on_a_wall),
        cmocka_unit_test(modes_have_the_factor_of_the_scheme),
        cmocka_unit_test(damping_is_that_of_the_factor),
    };
    return cmocka_run_group_tests_name("scheme", tests, NULL, NULL);
}

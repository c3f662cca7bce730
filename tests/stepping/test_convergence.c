// SPDX-License-Identifier: Apache-2.0
// Order of convergence in the time step and in the size of the elements, on a standing wave between free
// ends: u = a cos(pi x / L) cos(omega t).
#include "stepping/scene.h"

static const double YOUNG = 1e6, DENSITY = 1000, AMPLITUDE = 1e-3;

// Frequency of this wave on n equal linear elements with consistent mass, which it solves exactly:
// omega^2 = 6 E / (rho d^2) (1 - cos k d) / (2 + cos k d)
static double discrete_frequency(int n)
{
    double d = 1.0 / n, kd = acos(-1) * d;
    return sqrt(6 * YOUNG / (DENSITY * d * d) * (1 - cos(kd)) / (2 + cos(kd)));
}

static double exact_frequency(void)
{
    return acos(-1) * sqrt(YOUNG / DENSITY);
}

// Root mean square of the errors at the nodes, over the amplitude, after steps that end at t, for the
// standing wave of frequency omega.
static double error_at(const Scene *scene, double omega, double t)
{
    const StickMesh *mesh = &scene->system->body[0].mesh;
    double sum = 0;
    for (int i = 0; i < mesh->nnodes; i++) {
        double exact = cos(acos(-1) * mesh->x[i * mesh->dim]) * cos(omega * t);
        sum += pow(scene->run->state.now.q[i * mesh->dim] / AMPLITUDE - exact, 2);
    }
    return sqrt(sum / mesh->nnodes);
}

static double bar_error(StickContext *ctx, const char *scheme, int elements, double omega, int steps)
{
    Scene scene;
    double t = 1 / omega, h = t / steps;
    scene_open(&scene, ctx,
               "materials: {soft: {law: elastic, young: %g, poisson: 0, density: %g}}\n"
               "bodies: {bar: {mesh: {bar: {length: 1, elements: %d}}, material: soft,\n"
               "               displacement: [\"%g*cos(pi*x)\"]}}\n"
               "steps: [{dynamics: {%s, step: %.17g, end: %.17g}}]\n",
               YOUNG, DENSITY, elements, AMPLITUDE, scheme, h, t);
    scene_steps(&scene, steps);
    double error = error_at(&scene, omega, t);
    scene_close(&scene);
    return error;
}

static void check_order_in_time(StickContext *ctx, const char *scheme, double expected)
{
    double omega = discrete_frequency(16);
    double coarse = bar_error(ctx, scheme, 16, omega, 80), fine = bar_error(ctx, scheme, 16, omega, 160);
    double order = log2(coarse / fine);
    print_message("%-36s order %.3f in h (error %.2e)\n", scheme, order, fine);
    assert_near(order, expected, 0.15);
}

static void order_in_the_time_step(void **state)
{
    check_order_in_time(*state, "scheme: theta, theta: 0.5", 2);
    check_order_in_time(*state, "scheme: modified-theta, theta: 0.5", 2);
    check_order_in_time(*state, "scheme: newmark", 2);
    check_order_in_time(*state, "scheme: theta, theta: 0.55", 1);
    check_order_in_time(*state, "scheme: modified-theta, theta: 0.55", 1);
    check_order_in_time(*state, "scheme: theta-euler, theta: 0.5", 1);
    check_order_in_time(*state, "scheme: theta-euler, theta: 0.55", 1);
    check_order_in_time(*state, "scheme: newmark, beta: 0.3025, gamma: 0.6", 1);
}

static void order_in_the_size_of_bars(void **state)
{
    double omega = exact_frequency();
    double coarse = bar_error(*state, "scheme: theta, theta: 0.5", 8, omega, 2000);
    double fine = bar_error(*state, "scheme: theta, theta: 0.5", 16, omega, 2000);
    print_message("linear bars: order %.3f (error %.2e)\n", log2(coarse / fine), fine);
    assert_near(log2(coarse / fine), 2, 0.15);
}

static double strip_error(StickContext *ctx, const char *element, const char *pattern, int cells)
{
    Scene scene;
    double omega = exact_frequency(), t = 1 / omega;
    int steps = 800;
    scene_open(&scene, ctx,
               "materials: {soft: {law: elastic, young: %g, poisson: 0, density: %g}}\n"
               "bodies: {strip: {mesh: {rectangle: {size: [1, 0.25], cells: [%d, %d], pattern: %s}}, plane: "
               "stress,\n"
               "                 element: %s, material: soft, displacement: [\"%g*cos(pi*x)\", 0]}}\n"
               "steps: [{dynamics: {scheme: theta, theta: 0.5, step: %.17g, end: %.17g}}]\n",
               YOUNG, DENSITY, cells, cells / 4, pattern, element, AMPLITUDE, t / steps, t);
    scene_steps(&scene, steps);
    double error = error_at(&scene, omega, t);
    scene_close(&scene);
    return error;
}

static void order_in_the_size_of_plane_elements(void **state)
{
    const char *elements[] = {"linear", "quadratic"}, *patterns[] = {"quads", "triangles"};
    for (int k = 0; k < 4; k++) {
        const char *element = elements[k / 2], *pattern = patterns[k % 2];
        double coarse = strip_error(*state, element, pattern, 12),
               fine = strip_error(*state, element, pattern, 24);
        double order = log2(coarse / fine);
        print_message("%s %s: order %.3f (error %.2e)\n", element, pattern, order, fine);
        assert_true(order > (k < 2 ? 2 : 3) - 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(order_in_the_time_step),
        test_with_context(order_in_the_size_of_bars),
        test_with_context(order_in_the_size_of_plane_elements),
    };
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}

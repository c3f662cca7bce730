// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/section.h"
#include "solve/sections.h"

static StickSection random_section(StickRandom *random, int k, double most_mu, double *vertex)
{
    return k % 3 == 0   ? random_ellipse(random, most_mu)
           : k % 3 == 1 ? random_polygon(random, most_mu, vertex)
                        : random_interval(random, most_mu);
}

// sup {d.t, t in D_1}
static double support(const StickSection *section, const double *d)
{
    double u[3] = {0, -d[0], stick_section_dim(section) == 3 ? -d[1] : 0};
    return stick_section_lift(section, u);
}

// What makes p the nearest point: p is in C, y - p in its polar cone, and both are orthogonal.
static void assert_nearest(const StickSection *section, const double *y, const double *p, double tolerance)
{
    int dim = stick_section_dim(section);
    double away[3], size = 0, product = 0;
    for (int k = 0; k < dim; k++) {
        away[k] = y[k] - p[k];
        size = hypot(size, y[k]);
        product += away[k] * p[k];
    }
    assert_true(p[0] >= 0);
    assert_below(stick_section_gauge(section, p + 1), p[0] * (1 + tolerance) + 1e-300);
    assert_below(away[0] + support(section, away + 1), tolerance * size + 1e-300);
    assert_near(product, 0, tolerance * size * size);
}

static void projection_is_nearest(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    double vertex[2 * MOST_VERTICES], p[3];
    for (int k = 0; k < 6000; k++) {
        StickSection section = random_section(&random, k, k % 2 ? 0.8 : 4, vertex);
        double scale = pow(10, stick_random_uniform(&random, -12, 12)), y[3];
        for (int i = 0; i < 3; i++)
            y[i] = scale * stick_random_uniform(&random, -1, 1);
        stick_section_project(&section, y, p);
        assert_nearest(&section, y, p, 1e-13);
    }
}

// Thin cones and flat ones, points far away, at the boundary, on the axis and at the apex.
static void extreme_projections_are_nearest(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(2);
    double p[3];
    for (int k = 0; k < 3000; k++) {
        StickSection section = {
            .kind = STICK_SECTION_ELLIPSE,
            .mu = {pow(10, stick_random_uniform(&random, -4, 2)),
                   pow(10, stick_random_uniform(&random, -4, 2))},
            .angle = k % 2 ? 0.3 : 0,
        };
        double t[2], d[2], off = k % 3 ? pow(10, stick_random_uniform(&random, -16, 3)) : 0;
        boundary_point(&random, &section, t, d);
        double normal = hypot(d[0], d[1]), y[3] = {1, t[0] + off * d[0] / normal, t[1] + off * d[1] / normal};
        if (k % 5 == 0)
            y[0] = k % 10 ? 0 : -off;
        stick_section_project(&section, y, p);
        // a thin ellipse that is turned is known to the round-off of its long axis
        double thin = fmax(section.mu[0] / section.mu[1], section.mu[1] / section.mu[0]);
        assert_nearest(&section, y, p, 1e-12 + (k % 2 ? 1e-15 * thin : 0));
    }
    StickSection section = {.kind = STICK_SECTION_ELLIPSE, .mu = {0.5, 0.2}};
    const double points[][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 6}};
    for (int k = 0; k < 6; k++) {
        stick_section_project(&section, points[k], p);
        assert_nearest(&section, points[k], p, 1e-14);
    }
}

static void nearest_in_the_tangent_plane(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    double vertex[2 * MOST_VERTICES];
    for (int k = 0; k < 3000; k++) {
        StickSection section = random_section(&random, k, 1, vertex);
        int d = stick_section_dim(&section) - 1;
        double y[2], t[2] = {0}, away[2] = {0}, power = 0,
                     size = k % 7 ? stick_random_uniform(&random, 0, 2) : 0;
        for (int i = 0; i < 2; i++)
            y[i] = stick_random_uniform(&random, -2, 2);
        stick_section_nearest(&section, size, y, t);
        for (int i = 0; i < d; i++) {
            away[i] = y[i] - t[i];
            power += away[i] * t[i];
        }
        assert_below(stick_section_gauge(&section, t), size * (1 + 1e-13) + 1e-300);
        assert_near(power, size * support(&section, away), 1e-13);
    }
}

static void support_and_gauge_belong_together(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(4);
    double vertex[2 * MOST_VERTICES], t[2], d[2];
    for (int k = 0; k < 3000; k++) {
        StickSection section = random_section(&random, k, 1, vertex);
        boundary_point(&random, &section, t, d);
        assert_near(stick_section_gauge(&section, t), 1, 1e-14);
        assert_near(support(&section, d), t[0] * d[0] + t[1] * d[1], 1e-14 * hypot(d[0], d[1]));
    }
}

// Of the nearest point, against differences, and exactly as it is of first order in both.
static void derivatives_of_the_nearest_point(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(7);
    double vertex[2 * MOST_VERTICES], d_size[2], d_y[4];
    int wrong = 0;
    for (int k = 0; k < 3000; k++) {
        StickSection section = random_section(&random, k, 1, vertex);
        int d = stick_section_dim(&section) - 1;
        double size = stick_random_uniform(&random, 0.1, 2), h = 1e-6, off = 0;
        double y[2], t[2], moved[2], dy[2], ds = stick_random_uniform(&random, -1, 1), to[2];
        for (int i = 0; i < 2; i++) {
            y[i] = stick_random_uniform(&random, -3, 3);
            dy[i] = stick_random_uniform(&random, -1, 1);
            moved[i] = y[i] + h * dy[i];
        }
        if (stick_section_gauge(&section, y) < 1.01 * size)
            continue;
        stick_section_linearise(&section, size, y, d_size, d_y);
        stick_section_nearest(&section, size, y, t);
        stick_section_nearest(&section, size + h * ds, moved, to);
        for (int i = 0; i < d; i++) {
            double sum = d_size[i] * size, change = d_size[i] * ds;
            for (int j = 0; j < d; j++) {
                sum += d_y[i * d + j] * y[j];
                change += d_y[i * d + j] * dy[j];
            }
            assert_near(sum, t[i], 1e-12);
            off = fmax(off, fabs((to[i] - t[i]) / h - change));
        }
        // differences across a kink of a polygon tell nothing
        wrong += off > 1e-3;
    }
    assert_below(wrong, 3);
}

// r_T in r_N D_1 with -u_T in its normal cone, and r_N >= 0, u_N >= 0, r_N u_N = 0: the first formulation.
static double first_formulation(const StickSection *section, const double *r, const double *u)
{
    int dim = stick_section_dim(section);
    double y[2] = {0}, t[2] = {0}, normal = fmin(r[0], u[0]), sum = normal * normal;
    for (int k = 1; k < dim; k++)
        y[k - 1] = r[k] - u[k];
    stick_section_nearest(section, fmax(r[0], 0), y, t);
    for (int k = 1; k < dim; k++)
        sum += (r[k] - t[k - 1]) * (r[k] - t[k - 1]);
    return sqrt(sum);
}

// P_C(r - rho (u + phi_1(u_T) n)) = r: the second one.
static double second_formulation(const StickSection *section, double rho, const double *r, const double *u)
{
    double p[3], sum = 0;
    stick_section_step(section, rho, r, u, p);
    for (int k = 0; k < stick_section_dim(section); k++)
        sum += (r[k] - p[k]) * (r[k] - p[k]);
    return sqrt(sum);
}

static void both_formulations_are_one_law(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(5);
    double vertex[2 * MOST_VERTICES], r[3], u[3];
    for (int k = 0; k < 3000; k++) {
        StickSection section = random_section(&random, k, 0.9, vertex);
        int dim = stick_section_dim(&section);
        double rho = pow(10, stick_random_uniform(&random, -2, 2));
        manufacture_section_contact(&random, &section, dim, r, u);
        assert_below(first_formulation(&section, r, u), 1e-14);
        assert_below(second_formulation(&section, rho, r, u), 1e-13 * (1 + rho));
        // with something wrong neither holds, but for friction of an open contact
        int wrong = k % (2 * dim);
        *(wrong < dim ? &r[wrong] : &u[wrong - dim]) += 0.01;
        bool holds = first_formulation(&section, r, u) < 1e-6;
        assert_true(holds == (second_formulation(&section, rho, r, u) < 1e-6 * fmin(rho, 1)));
    }
}

static void what_is_no_section_is_refused(void **state)
{
    StickContext *ctx = *state;
    double star[] = {1, 0, 0.1, 0.1, 0, 1, -1, -1}, clockwise[] = {1, 0, 0, -1, -1, 1};
    double away[] = {2, 0, 3, 0, 2.5, 1}, twice[20];
    for (int k = 0; k < 10; k++) {
        twice[2 * k] = cos(4 * acos(-1) * k / 10 + 1e-3 * k);
        twice[2 * k + 1] = sin(4 * acos(-1) * k / 10 + 1e-3 * k);
    }
    const struct {
        StickSection section;
        int dim;
        const char *says;
    } cases[] = {
        {{STICK_SECTION_ELLIPSE, {0.5, 0}, 0, 0, NULL}, 3, "mu[1]"},
        {{STICK_SECTION_ELLIPSE, {NAN, 1}, 0, 0, NULL}, 3, "mu[0]"},
        {{STICK_SECTION_ELLIPSE, {0.5, 1}, INFINITY, 0, NULL}, 3, "angle"},
        {{STICK_SECTION_ELLIPSE, {0.5, 1}, 0, 0, NULL}, 2, "elliptical, in dimension 2"},
        {{STICK_SECTION_INTERVAL, {0.5, 1}, 0, 0, NULL}, 3, "one-sided, in dimension 3"},
        {{STICK_SECTION_INTERVAL, {-0.5, 1}, 0, 0, NULL}, 2, "mu[0]"},
        {{STICK_SECTION_POLYGON, {0}, 0, 2, star}, 3, "2 vertices"},
        {{STICK_SECTION_POLYGON, {0}, 0, 4, star}, 3, "not convex at its vertex 1"},
        {{STICK_SECTION_POLYGON, {0}, 0, 3, clockwise}, 3, "counter-clockwise"},
        {{STICK_SECTION_POLYGON, {0}, 0, 3, away}, 3, "0 is not inside"},
        {{STICK_SECTION_POLYGON, {0}, 0, 10, twice}, 3, "more than once"},
        {{(StickSectionKind)7, {0.5, 0.5}, 0, 0, NULL}, 3, "no known kind"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(stick_section_check(ctx, &cases[k].section, cases[k].dim, 4), STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(ctx), cases[k].says));
        assert_non_null(strstr(stick_last_error(ctx), "contact 4"));
    }
    StickRandom random = stick_random_seed(6);
    double vertex[2 * MOST_VERTICES];
    for (int k = 0; k < 60; k++) {
        StickSection section = random_section(&random, k, 1, vertex);
        assert_ok(ctx, stick_section_check(ctx, &section, stick_section_dim(&section), 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_is_nearest),
        cmocka_unit_test(extreme_projections_are_nearest),
        cmocka_unit_test(nearest_in_the_tangent_plane),
        cmocka_unit_test(support_and_gauge_belong_together),
        cmocka_unit_test(derivatives_of_the_nearest_point),
        cmocka_unit_test(both_formulations_are_one_law),
        test_with_context(what_is_no_section_is_refused),
    };
    return cmocka_run_group_tests_name("solve.section", tests, NULL, NULL);
}

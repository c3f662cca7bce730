// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/section_local.h"
#include "solve/sections.h"

// |r - P(r - u - phi_1(u_T) n)| in units of the contact, over the size of b
static double error_of(const StickSection *section, const double *A, const double *b, const double *r)
{
    int dim = stick_section_dim(section);
    double u[3], trace = 0, p[3], r_s[3], u_s[3], sum = 0, size = 0;
    for (int i = 0; i < dim; i++)
        trace += A[i * (dim + 1)] / dim;
    for (int i = 0; i < dim; i++) {
        u[i] = b[i];
        for (int j = 0; j < dim; j++)
            u[i] += A[i * dim + j] * r[j];
        r_s[i] = r[i] * sqrt(trace);
        u_s[i] = u[i] / sqrt(trace);
        size = hypot(size, hypot(b[i] / sqrt(trace), r_s[i]));
    }
    stick_section_step(section, 1, r_s, u_s, p);
    for (int i = 0; i < dim; i++)
        sum = hypot(sum, r_s[i] - p[i]);
    return sum / size;
}

// L L' plus a skew part, of any scale.
static void random_block(StickRandom *random, int dim, double skew, double *A)
{
    double L[9], scale = pow(10, stick_random_uniform(random, -6, 6));
    for (int k = 0; k < dim * dim; k++)
        L[k] = stick_random_uniform(random, -1, 1) + (k % (dim + 1) == 0);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            double sum = (i == j ? 0.05 : 0) + (i < j ? skew : i > j ? -skew : 0);
            for (int k = 0; k < dim; k++)
                sum += L[i * dim + k] * L[j * dim + k];
            A[i * dim + j] = scale * sum;
        }
}

static void any_contact_is_solved(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(1);
    double vertex[2 * MOST_VERTICES], A[9], b[3];
    for (int k = 0; k < 12000; k++) {
        double most_mu = k % 2 ? 0.9 : 4;
        StickSection section = k % 3 == 0   ? random_ellipse(&random, most_mu)
                               : k % 3 == 1 ? random_polygon(&random, most_mu, vertex)
                                            : random_interval(&random, most_mu);
        int dim = stick_section_dim(&section);
        random_block(&random, dim, k % 5 == 0 ? 0.3 : 0, A);
        double r[3] = {0};
        for (int i = 0; i < dim; i++)
            b[i] = stick_random_uniform(&random, -1, 1);
        stick_section_solve(&section, A, b, r);
        assert_below(error_of(&section, A, b, r), 1e-11);
    }
}

// With A = 1 and an ellipse along the tangents: friction against B B' u_T / |B' u_T|, not against u_T.
static void friction_is_not_against_the_sliding(void **state)
{
    (void)state;
    const double A[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int k = 0; k < 24; k++) {
        double angle = 2 * acos(-1) * k / 24, u[2] = {0.7 * cos(angle), 0.7 * sin(angle)};
        for (int turned = 0; turned < 2; turned++) {
            StickSection section = {.kind = STICK_SECTION_ELLIPSE, .mu = {0.6, 0.2}, .angle = turned * 0.4};
            double c = cos(section.angle), s = sin(section.angle);
            double x = c * u[0] + s * u[1], y = c * u[1] - s * u[0], power = hypot(0.6 * x, 0.2 * y);
            double f_x = -2 * 0.36 * x / power, f_y = -2 * 0.04 * y / power;
            double T1 = c * f_x - s * f_y, T2 = s * f_x + c * f_y, b[3] = {-2, u[0] - T1, u[1] - T2},
                   r[3] = {0};
            stick_section_solve(&section, A, b, r);
            assert_near(r[0], 2, 1e-14);
            assert_near(r[1], T1, 1e-13);
            assert_near(r[2], T2, 1e-13);
        }
    }
}

// A square with its sides along the tangents: what slides along a side sticks to no point of it, what slides
// obliquely is held at a corner.
static void square_by_hand(void **state)
{
    (void)state;
    const double A[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, vertex[] = {0.3, -0.3, 0.3, 0.3, -0.3, 0.3, -0.3, -0.3};
    StickSection square = {.kind = STICK_SECTION_POLYGON, .nvertices = 4, .vertex = vertex};
    const double cases[][5] = {
        // b_T, r_T at r_N = 1
        {0.2, -0.1, -0.2, 0.1}, {0.9, 0, -0.3, 0},    {0.9, 0.2, -0.3, -0.2},
        {0.9, 0.5, -0.3, -0.3}, {-0.4, 2, 0.3, -0.3},
    };
    for (int k = 0; k < 5; k++) {
        double b[] = {-1, cases[k][0], cases[k][1]}, r[3] = {0};
        stick_section_solve(&square, A, b, r);
        assert_near(r[0], 1, 1e-15);
        assert_near(r[1], cases[k][2], 1e-15);
        assert_near(r[2], cases[k][3], 1e-15);
    }
}

static void friction_differs_by_direction(void **state)
{
    (void)state;
    const double A[] = {1, 0, 0, 1};
    StickSection section = {.kind = STICK_SECTION_INTERVAL, .mu = {0.2, 0.6}};
    const double cases[][2] = {{0.1, -0.1}, {-0.5, 0.5}, {1, -0.2}, {-1, 0.6}};
    for (int k = 0; k < 4; k++) {
        double b[] = {-1, cases[k][0]}, r[2] = {0};
        stick_section_solve(&section, A, b, r);
        assert_near(r[0], 1, 1e-15);
        assert_near(r[1], cases[k][1], 1e-15);
    }
}

// -u_T.t <= -u_T.r_T for all t in r_N D_1 [JM91 (4.6)], by sampling.
static void dissipation_is_maximal(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(2);
    double vertex[2 * MOST_VERTICES], A[9], b[3], t[2], d[2];
    for (int k = 0; k < 600; k++) {
        StickSection section = k % 2 ? random_ellipse(&random, 0.8) : random_polygon(&random, 0.8, vertex);
        random_block(&random, 3, 0, A);
        double r[3] = {0}, u[3];
        for (int i = 0; i < 3; i++)
            b[i] = stick_random_uniform(&random, -1, i == 0 ? 0 : 1);
        stick_section_solve(&section, A, b, r);
        for (int i = 0; i < 3; i++)
            u[i] = b[i] + A[3 * i] * r[0] + A[3 * i + 1] * r[1] + A[3 * i + 2] * r[2];
        for (int sample = 0; sample < 40; sample++) {
            boundary_point(&random, &section, t, d);
            double size = r[0] * stick_random_uniform(&random, 0, 1),
                   more = -size * (u[1] * t[0] + u[2] * t[1]);
            assert_below(more, -(u[1] * r[1] + u[2] * r[2]) + 1e-12 * r[0]);
        }
    }
}

static void round_ellipse_is_the_disk(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(3);
    double A[9], b[3];
    for (int k = 0; k < 1000; k++) {
        double mu = stick_random_uniform(&random, 0.05, 2);
        StickSection section = {.kind = STICK_SECTION_ELLIPSE, .mu = {mu, mu}, .angle = 0.1 * k};
        random_block(&random, 3, 0, A);
        double r[3] = {0}, round[3] = {0};
        for (int i = 0; i < 3; i++)
            b[i] = stick_random_uniform(&random, -1, 1);
        stick_section_solve(&section, A, b, r);
        stick_local_solve(3, A, b, mu, round);
        for (int i = 0; i < 3; i++)
            assert_near(r[i], round[i], 1e-12 * round[0]);
    }
}

// What W does not see is solved as a proximal step from the last r, which must be a fixed point.
static void singular_blocks_keep_their_fixed_points(void **state)
{
    (void)state;
    const double A[] = {1, 0, 0, 0, 1, 0, 0, 0, 0}, b[] = {-1, 0.05, 0};
    StickSection section = {.kind = STICK_SECTION_ELLIPSE, .mu = {0.5, 0.2}, .angle = 0.2};
    double r[] = {1, -0.05, 0.1};
    stick_section_solve(&section, A, b, r);
    assert_near(r[0], 1, 1e-9);
    assert_near(r[1], -0.05, 1e-9);
    assert_near(r[2], 0.1, 1e-9);
}

// Almost no load: r is finite, as small as the load, and in the cone.
static void the_smallest_loads_slip(void **state)
{
    (void)state;
    const double plane[] = {0.0019, 0, 0, 0.0067}, space[] = {0.0019, 0, 0, 0, 0.0067, 0, 0, 0, 0.0067};
    const double vertex[] = {0.3, -0.3, 0.3, 0.3, -0.3, 0.3, -0.3, -0.3};
    const StickSection section[] = {
        {.kind = STICK_SECTION_INTERVAL, .mu = {0.2, 0.6}},
        {.kind = STICK_SECTION_ELLIPSE, .mu = {0.6, 0.2}, .angle = 0.4},
        {.kind = STICK_SECTION_POLYGON, .nvertices = 4, .vertex = vertex},
    };
    for (double b_N = 1e-100; b_N > 0; b_N /= 10)
        for (int k = 0; k < 6; k++) {
            double b[] = {-b_N, k < 3 ? 1e-31 : -3, k < 3 ? -4e-10 : 2}, r[3] = {0}, r_N = b_N / 0.0019;
            stick_section_solve(&section[k % 3], k % 3 ? space : plane, b, r);
            assert_near(r[0], r_N, 1e-12 * r_N + 1e-318);
            if (k % 3 == 0)
                assert_near(r[1], (k < 3 ? -0.2 : 0.6) * r_N, 1e-12 * r_N + 1e-318);
            if (k % 3 == 2) {
                // against -3, 2: a corner; against almost only the second: a point of a side, or its end
                assert_near(r[2], (k < 3 ? 0.3 : -0.3) * r_N, 1e-12 * r_N + 1e-318);
                assert_below(fabs(r[1]), 0.3 * r_N * (1 + 1e-12) + 1e-318);
            }
            if (k % 3 == 1) {
                double c = cos(0.4), s = sin(0.4), x = c * b[1] + s * b[2], y = c * b[2] - s * b[1];
                double power = hypot(0.6 * x, 0.2 * y), f_x = -r_N * (0.36 * x / power),
                       f_y = -r_N * (0.04 * y / power);
                assert_near(r[1], c * f_x - s * f_y, 1e-12 * r_N + 1e-318);
                assert_near(r[2], s * f_x + c * f_y, 1e-12 * r_N + 1e-318);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_contact_is_solved),
        cmocka_unit_test(friction_is_not_against_the_sliding),
        cmocka_unit_test(square_by_hand),
        cmocka_unit_test(friction_differs_by_direction),
        cmocka_unit_test(dissipation_is_maximal),
        cmocka_unit_test(round_ellipse_is_the_disk),
        cmocka_unit_test(singular_blocks_keep_their_fixed_points),
        cmocka_unit_test(the_smallest_loads_slip),
    };
    return cmocka_run_group_tests_name("solve.section_local", tests, NULL, NULL);
}

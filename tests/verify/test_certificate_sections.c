// SPDX-License-Identifier: Apache-2.0
// The verifier on friction with sections: its own projections against those of the solvers, and wrong answers.
#include "check.h"

#include "solve/residual.h"
#include "solve/sections.h"

#include <stickslip/certificate.h>

static Manufactured made;

static StickCertificate certify(StickContext *ctx, const double *r, int facets)
{
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, &made.problem, r, facets, 1e-8, &certificate));
    return certificate;
}

static void known_solutions_are_certified(void **state)
{
    StickRandom random = stick_random_seed(1);
    for (int k = 0; k < 60; k++) {
        manufacture_sections(&made, &random, 2 + k % 2, 20, k % 4 ? 0.8 : 3, 1);
        StickCertificate certificate = certify(*state, made.r, 0);
        assert_true(certificate.certified);
        assert_below(certificate.error, 3e-15);
        assert_below(certificate.error_scale_free, 3e-15);
        assert_true(certificate.exact_error == certificate.error);
        assert_below(certificate.cone, 1e-15);
        assert_true(certificate.dissipation < 0);
    }
}

// Any r at all: two projections that share nothing agree.
static void both_measures_agree_on_anything(void **state)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS], u[MOST_ROWS];
    for (int k = 0; k < 200; k++) {
        int n = 10 * (2 + k % 2);
        manufacture_sections(&made, &random, 2 + k % 2, 10, k % 4 ? 0.8 : 5, 1);
        for (int i = 0; i < n; i++)
            r[i] = stick_random_uniform(&random, -1, 1) * pow(10, stick_random_uniform(&random, -3, 1));
        stick_residual_velocity(&made.problem, r, u);
        StickResidual residual = stick_residual(&made.problem, r, u);
        StickCertificate certificate = certify(*state, r, 0);
        assert_near(certificate.error, residual.shared, 1e-13);
        assert_near(certificate.error_scale_free, residual.scale_free, 1e-13);
        assert_near(certificate.velocity_error, residual.velocity, 1e-12 * residual.velocity);
    }
}

// Just next to a vertex of a polygon, where the foot on a side and the edge agree up to the last digits.
static void corners_are_sharp(void **state)
{
    int start[] = {0, 1}, col[] = {0};
    double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0, vertex[] = {0.4, -0.4, 0.4, 0.4, -0.4, 0.4, -0.4, -0.4},
           u[3];
    StickSection square = {.kind = STICK_SECTION_POLYGON, .nvertices = 4, .vertex = vertex};
    const StickSection *list[] = {&square};
    StickBlocks blocks = {3, 1, start, col, W};
    for (int k = 0; k < 200; k++) {
        double off = pow(10, -14 + 0.05 * k), r[] = {1, 0.4, 0.4 - off}, u_free[] = {-1, -0.9, -0.4 + off};
        made.problem = (StickFrictionProblem){
            .dim = 3, .ncontacts = 1, .W = &blocks, .u_free = u_free, .mu = &mu, .section = list};
        StickCertificate certificate = certify(*state, r, 0);
        stick_residual_velocity(&made.problem, r, u);
        assert_below(certificate.error, 1e-15);
        assert_below(stick_residual(&made.problem, r, u).shared, 1e-15);
        assert_true(certificate.certified);
    }
}

// Stuck with r on a side of the section: round-off puts r in or out of the cone.
static void stuck_at_the_limit(void **state)
{
    StickRandom random = stick_random_seed(6);
    for (int k = 0; k < 300; k++) {
        double t[2], d[2];
        manufacture_sections(&made, &random, 2 + k % 2, 12, 0.8, k % 4 < 2);
        int dim = made.problem.dim;
        for (int c = 0; c < 12; c++) {
            if (!section_list[c])
                continue;
            boundary_point(&random, section_list[c], t, d);
            made.r[dim * c] = stick_random_uniform(&random, 0.1, 2);
            for (int i = 0; i < dim; i++)
                made.u[dim * c + i] = 0;
            for (int i = 1; i < dim; i++)
                made.r[dim * c + i] = made.r[dim * c] * t[i - 1];
        }
        manufacture_u_free(&made);
        assert_below(certify(*state, made.r, 0).error, 1e-14);
    }
}

static void perturbed_answers_fail(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS];
    for (int k = 0; k < 200; k++) {
        int dim = 2 + k % 2;
        manufacture_sections(&made, &random, dim, 20, 0.8, 1);
        memcpy(r, made.r, sizeof r);
        r[k % (dim * 20)] += k % 2 ? 1e-5 : -1e-5;
        StickCertificate certificate = certify(*state, r, 0);
        assert_false(certificate.certified);
        assert_true(certificate.error > 1e-8 && certificate.error < 1e-4);
    }
}

// One contact with W = 1 that slides at 45 degrees to the axes: friction directly opposite to it is right for the
// disk, but not for the ellipse.
static void friction_against_the_sliding_fails(void **state)
{
    int start[] = {0, 1}, col[] = {0};
    double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0, c = sqrt(0.5);
    StickSection ellipse = {.kind = STICK_SECTION_ELLIPSE, .mu = {0.6, 0.2}};
    const StickSection *list[] = {&ellipse};
    double power = hypot(0.6 * c, 0.2 * c), length = 0.6 * 0.2 / power;
    double good[] = {1, -0.36 * c / power, -0.04 * c / power}, bad[] = {1, -length * c, -length * c};
    double u_free[] = {-1, 0, 0};
    StickBlocks blocks = {3, 1, start, col, W};
    made.problem = (StickFrictionProblem){
        .dim = 3, .ncontacts = 1, .W = &blocks, .u_free = u_free, .mu = &mu, .section = list};
    for (int k = 0; k < 2; k++) {
        const double *r = k ? bad : good;
        for (int i = 1; i < 3; i++)
            u_free[i] = c - r[i];
        StickCertificate certificate = certify(*state, r, 0);
        assert_int_equal(certificate.certified, k == 0);
        assert_below(certificate.cone, 1e-15);
    }
    double outside[] = {1, -0.6, -0.1};
    assert_near(certify(*state, outside, 0).cone * sqrt(1.37), hypot(0.6, 0.1) * (1 - 1 / hypot(1, 0.5)),
                1e-14);
}

// With 1024 facets the m-gon in the ellipse is nearly the ellipse; a polygon does not change.
static void facets_are_those_of_the_section(void **state)
{
    StickRandom random = stick_random_seed(4);
    for (int k = 0; k < 10; k++) {
        manufacture_sections(&made, &random, 3, 10, 0.8, 1);
        StickCertificate certificate = certify(*state, made.r, 1024);
        assert_below(certificate.error, 3e-3);
        assert_below(certificate.exact_error, 3e-15);
        manufacture_sections(&made, &random, 3, 10, 0.8, 0);
        certificate = certify(*state, made.r, 8);
        assert_true(certificate.certified);
        assert_below(certificate.error, 3e-15);
    }
}

static void wrong_sections_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickRandom random = stick_random_seed(5);
    StickCertificate certificate;
    manufacture_sections(&made, &random, 3, 4, 0.8, 1);
    section_room[2].mu[0] = NAN;
    assert_int_equal(stick_certify(ctx, &made.problem, made.r, 0, 1e-8, &certificate), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "section of contact 2"));
    manufacture_sections(&made, &random, 3, 4, 0.8, 1);
    section_room[1].kind = STICK_SECTION_INTERVAL;
    assert_int_equal(stick_certify(ctx, &made.problem, made.r, 0, 1e-8, &certificate), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "section of contact 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(known_solutions_are_certified),
        test_with_context(both_measures_agree_on_anything),
        test_with_context(corners_are_sharp),
        test_with_context(stuck_at_the_limit),
        test_with_context(perturbed_answers_fail),
        test_with_context(friction_against_the_sliding_fails),
        test_with_context(facets_are_those_of_the_section),
        test_with_context(wrong_sections_are_refused),
    };
    return cmocka_run_group_tests_name("verify.certificate_sections", tests, NULL, NULL);
}

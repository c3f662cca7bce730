// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "solve/manufactured.h"

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
    for (int k = 0; k < 30; k++) {
        manufacture(&made, &random, 1 + k % 3, 20, 1.2, 0.5);
        StickCertificate certificate = certify(*state, made.r, 0);
        assert_true(certificate.certified);
        assert_below(certificate.error, 2e-15);
        assert_below(certificate.error_scale_free, 2e-15);
        assert_true(certificate.exact_error == certificate.error);
        assert_true(certificate.exact_error_scale_free == certificate.error_scale_free);
        assert_below(certificate.cone, 1e-15);
        assert_below(certificate.penetration, 1e-14);
        assert_below(certificate.complementarity, 1e-15);
        assert_true(k % 3 == 0 ? certificate.dissipation == 0 : certificate.dissipation < 0);
        assert_int_equal(certificate.facets, 0);
    }
}

// ---- wrong answers

// A sliding contact (found by its velocity); -1: none.
static int sliding_contact(void)
{
    for (int c = 0; c < made.problem.ncontacts; c++)
        if (made.r[3 * c] > 0.1 && hypot(made.u[3 * c + 1], made.u[3 * c + 2]) > 0.1)
            return c;
    return -1;
}

static void perturbed_answers_fail(void **state)
{
    StickRandom random = stick_random_seed(2);
    double r[MOST_ROWS];
    for (int k = 0; k < 200; k++) {
        int dim = 1 + k % 3, which = k % (dim * 20);
        manufacture(&made, &random, dim, 20, 0.8, 0.5);
        memcpy(r, made.r, sizeof r);
        r[which] += k % 2 ? 1e-5 : -1e-5;
        StickCertificate certificate = certify(*state, r, 0);
        assert_false(certificate.certified);
        assert_true(certificate.error > 1e-7 && certificate.error < 1e-4);
    }
}

static void force_outside_of_the_cone_fails(void **state)
{
    StickRandom random = stick_random_seed(3);
    double r[MOST_ROWS];
    manufacture(&made, &random, 3, 20, 0.8, 0.5);
    int c = sliding_contact();
    assert_true(c >= 0);
    memcpy(r, made.r, sizeof r);
    r[3 * c + 1] *= 1.5;
    r[3 * c + 2] *= 1.5;
    // u_free that belongs to it: everything holds but the cone
    memcpy(made.r, r, sizeof r);
    manufacture_u_free(&made);
    StickCertificate certificate = certify(*state, r, 0);
    assert_false(certificate.certified);
    assert_true(certificate.cone > 1e-3);
    assert_below(certificate.penetration, 1e-14);
}

static void friction_in_a_wrong_direction_fails(void **state)
{
    StickRandom random = stick_random_seed(4);
    manufacture(&made, &random, 3, 20, 0.8, 0.5);
    int c = sliding_contact();
    assert_true(c >= 0);
    for (double angle = 0.01; angle < 6.28; angle += 0.5) {
        double r[MOST_ROWS];
        memcpy(r, made.r, sizeof r);
        r[3 * c + 1] = cos(angle) * made.r[3 * c + 1] - sin(angle) * made.r[3 * c + 2];
        r[3 * c + 2] = sin(angle) * made.r[3 * c + 1] + cos(angle) * made.r[3 * c + 2];
        Manufactured kept = made;
        memcpy(made.r, r, sizeof r);
        manufacture_u_free(&made);
        StickCertificate certificate = certify(*state, r, 0);
        assert_false(certificate.certified);
        assert_below(certificate.cone, 1e-15);
        assert_below(certificate.complementarity, 1e-14);
        memcpy(made.r, kept.r, sizeof r);
    }
}

static void penetration_and_pulling_fail(void **state)
{
    double W[1] = {2}, u_free[1] = {-1};
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks blocks = {1, 1, start, col, W};
    StickCertificate certificate;
    made.problem = (StickFrictionProblem){.dim = 1, .ncontacts = 1, .W = &blocks, .u_free = u_free};
    certificate = certify(*state, (double[]){0.5}, 0);
    assert_true(certificate.certified);
    certificate = certify(*state, (double[]){0}, 0);
    assert_false(certificate.certified);
    assert_near(certificate.penetration, 1, 1e-15);
    certificate = certify(*state, (double[]){1}, 0);
    assert_false(certificate.certified);
    assert_near(certificate.complementarity, 1, 1e-15);
    u_free[0] = 1;
    certificate = certify(*state, (double[]){-0.5}, 0);
    assert_false(certificate.certified);
    assert_near(certificate.cone, 1, 1e-15);
}

// A heavy body (1e5) on a light one (1), both pulled down by 1 per step: an error that is small compared with the
// load moves the light body. Each contact is judged in its own scale.
static void light_body_under_load_is_judged_in_its_own_scale(void **state)
{
    const double M = 1e5;
    double W[4] = {1, -1, -1, 1 + 1 / M}, u_free[2] = {-1, 0};
    int start[3] = {0, 2, 4}, col[4] = {0, 1, 0, 1};
    StickBlocks blocks = {1, 2, start, col, W};
    made.problem = (StickFrictionProblem){.dim = 1, .ncontacts = 2, .W = &blocks, .u_free = u_free};
    StickCertificate certificate = certify(*state, (double[]){1 + M, M}, 0);
    assert_true(certificate.certified);
    assert_below(certificate.contact_error, 1e-10);
    certificate = certify(*state, (double[]){1 + M, M * (1 + 1e-10)}, 0);
    assert_below(certificate.error, 1e-9);
    assert_below(certificate.error_scale_free, 1e-9);
    assert_near(certificate.contact_error, 1e-5, 1e-8);
    assert_false(certificate.certified);
    assert_true(certificate.round_off > 1e-12 && certificate.round_off < 1e-8);
}

// W small against 1: the shared measure calls a force that grows without bound good, the scale-free one does
// not.
static void diverging_force_fails(void **state)
{
    StickRandom random = stick_random_seed(5);
    double r[MOST_ROWS];
    manufacture(&made, &random, 3, 10, 0.8, 0.5);
    for (int k = 0; k < 900; k++)
        made.value[k] *= 1e-12;
    for (int i = 0; i < 30; i++)
        r[i] = made.r[i] * 1e100;
    StickCertificate certificate = certify(*state, r, 0);
    assert_true(certificate.error < 1e-8);
    assert_true(certificate.error_scale_free > 1e-3);
    assert_false(certificate.certified);
}

// W does not see the difference of two forces: both measures tend to zero while the bodies still penetrate.
static void force_that_diverges_unseen_fails(void **state)
{
    double W[4] = {1, -1, -1, 1}, u_free[2] = {-1, -1};
    int start[3] = {0, 2, 4}, col[4] = {0, 1, 0, 1};
    StickBlocks blocks = {1, 2, start, col, W};
    made.problem = (StickFrictionProblem){.dim = 1, .ncontacts = 2, .W = &blocks, .u_free = u_free};
    for (double size = 1; size < 1e200; size *= 1e20) {
        StickCertificate certificate = certify(*state, (double[]){size, size}, 0);
        assert_true(size == 1 || certificate.error_scale_free < 1e-8);
        assert_true(certificate.velocity_error > 0.5);
        assert_false(certificate.certified);
    }
}

static void what_is_not_finite_fails(void **state)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e308};
    StickRandom random = stick_random_seed(6);
    double r[MOST_ROWS];
    for (int k = 0; k < 4; k++) {
        manufacture(&made, &random, 3, 4, 0.8, 0.5);
        memcpy(r, made.r, sizeof r);
        r[6] = wrong[k];
        StickCertificate certificate = certify(*state, r, 0);
        assert_false(certificate.certified);
        assert_false(certificate.error <= 1e-8 && certificate.error_scale_free <= 1e-8);
    }
}

// ---- facets

// Projection on the faceted cone through the certificate: W = 0, u_free = 0 and r = y give |y - P(y)| / |y|.
static double distance_to_cone(StickContext *ctx, const double *y, double mu, int facets)
{
    double W[9] = {0}, u_free[3] = {0};
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks blocks = {3, 1, start, col, W};
    made.problem =
        (StickFrictionProblem){.dim = 3, .ncontacts = 1, .W = &blocks, .u_free = u_free, .mu = &mu};
    return certify(ctx, y, facets).error * sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}

// Four facets: the section is the square with corners on the tangents, |r_T1| + |r_T2| <= mu r_N.
static void polygon_has_a_vertex_on_the_first_tangent(void **state)
{
    assert_near(distance_to_cone(*state, (double[]){1, 0.5, 0}, 0.5, 4), 0, 1e-15);
    assert_near(distance_to_cone(*state, (double[]){1, 0, -0.5}, 0.5, 4), 0, 1e-15);
    assert_near(distance_to_cone(*state, (double[]){1, 0.25, 0.25}, 0.5, 4), 0, 1e-15);
    // beyond the middle of a side: the plane 0.5 y_N = y_1 + y_2
    assert_near(distance_to_cone(*state, (double[]){1, 0.35, 0.35}, 0.5, 4), 0.2 / 1.5, 1e-15);
    // beyond a vertex: the edge along (1, 0.5, 0)
    assert_near(distance_to_cone(*state, (double[]){1, 1, 0}, 0.5, 4), 0.5 / sqrt(1.25), 1e-15);
    // below the apex
    assert_near(distance_to_cone(*state, (double[]){-1, 0.5, 0.5}, 0.5, 4), sqrt(1.5), 1e-15);
}

// The nearest point is characterised: no point of the cone is nearer, here the edges' combinations at random.
static void projection_is_nearest(void **state)
{
    StickRandom random = stick_random_seed(7);
    for (int k = 0; k < 200; k++) {
        int facets = 3 + k % 14;
        double mu = stick_random_uniform(&random, 0.1, 2), y[3];
        for (int i = 0; i < 3; i++)
            y[i] = stick_random_uniform(&random, -1, 1);
        double nearest = distance_to_cone(*state, y, mu, facets);
        assert_true(nearest >= distance_to_cone(*state, y, mu, 0) - 1e-14);
        for (int trial = 0; trial < 50; trial++) {
            double p[3] = {0};
            for (int edges = 0; edges < 2; edges++) {
                double angle = 2 * acos(-1) * floor(stick_random_uniform(&random, 0, facets)) / facets;
                double size = stick_random_uniform(&random, 0, 1);
                p[0] += size;
                p[1] += size * mu * cos(angle);
                p[2] += size * mu * sin(angle);
            }
            assert_true(sqrt((p[0] - y[0]) * (p[0] - y[0]) + (p[1] - y[1]) * (p[1] - y[1]) +
                             (p[2] - y[2]) * (p[2] - y[2])) >= nearest - 1e-14);
        }
    }
}

// One contact that slides by hand: r_T is the vertex farthest along -u_T.
static void faceted_sliding_by_hand_is_certified(void **state)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = 0.5, u_free[3];
    int start[2] = {0, 1}, col[1] = {0};
    StickBlocks blocks = {3, 1, start, col, W};
    made.problem =
        (StickFrictionProblem){.dim = 3, .ncontacts = 1, .W = &blocks, .u_free = u_free, .mu = &mu};
    double pi = acos(-1), r[3] = {2, cos(pi / 4), sin(pi / 4)};
    // sliding within half a side's angle of the vertex at 45 degrees of the octagon: the same r_T holds
    for (double off = -22; off <= 22; off += 4) {
        double angle = pi / 4 + off * pi / 180;
        u_free[0] = -2;
        u_free[1] = -3 * cos(angle) - r[1];
        u_free[2] = -3 * sin(angle) - r[2];
        StickCertificate certificate = certify(*state, r, 8);
        assert_true(certificate.certified);
        assert_below(certificate.error, 1e-15);
        assert_int_equal(certificate.facets, 8);
        assert_near(certificate.exact_error > 1e-3, fabs(off) > 1, 0);
    }
    // farther off it is another vertex
    u_free[1] = -3 * cos(pi / 4 + 0.45) - r[1];
    u_free[2] = -3 * sin(pi / 4 + 0.45) - r[2];
    assert_false(certify(*state, r, 8).certified);
}

static void many_facets_are_the_round_cone(void **state)
{
    StickRandom random = stick_random_seed(8);
    double last = 1;
    manufacture(&made, &random, 3, 10, 0.8, 0.5);
    for (int facets = 8; facets <= 2048; facets *= 16) {
        double error = certify(*state, made.r, facets).error;
        assert_true(error < last / 4);
        last = error;
    }
    assert_below(last, 1e-2);
}

// ---- manners

static void nothing_is_certified(void **state)
{
    made.problem = (StickFrictionProblem){.dim = 3};
    StickCertificate certificate = certify(*state, NULL, 0);
    assert_true(certificate.certified);
    assert_true(certificate.error == 0);
}

static void wrong_calls_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickCertificate certificate = {.facets = -7};
    StickRandom random = stick_random_seed(9);
    manufacture(&made, &random, 3, 2, 0.8, 0.5);
    assert_int_equal(stick_certify(ctx, &made.problem, made.r, 2, 1e-8, &certificate), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "2 facets"));
    assert_int_equal(stick_certify(ctx, &made.problem, made.r, 0, 0, &certificate), STICK_BAD_INPUT);
    made.problem.dim = 0;
    assert_int_equal(stick_certify(ctx, &made.problem, made.r, 0, 1e-8, &certificate), STICK_BAD_INPUT);
    made.problem.dim = 2;
    assert_int_equal(stick_certify(ctx, &made.problem, made.r, 0, 1e-8, &certificate), STICK_BAD_INPUT);
    assert_int_equal(certificate.facets, -7);
}

// With a very large mu the natural map of a contact that is pressed in at r = 0 is about 1 / mu.
static void large_friction_does_not_hide_penetration(void **state)
{
    StickContext *ctx = *state;
    int start[] = {0, 1}, col[] = {0};
    double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, u_free[] = {-1, 1, 0}, mu[] = {1e10}, r[3] = {0};
    StickBlocks blocks = {3, 1, start, col, W};
    StickFrictionProblem problem = {.dim = 3, .ncontacts = 1, .W = &blocks, .u_free = u_free, .mu = mu};
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, &problem, r, 0, 1e-8, &certificate));
    assert_below(certificate.error, 1e-8);
    assert_true(certificate.penetration > 0.5);
    assert_false(certificate.certified);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(large_friction_does_not_hide_penetration),
        test_with_context(known_solutions_are_certified),
        test_with_context(perturbed_answers_fail),
        test_with_context(force_outside_of_the_cone_fails),
        test_with_context(friction_in_a_wrong_direction_fails),
        test_with_context(penetration_and_pulling_fail),
        test_with_context(light_body_under_load_is_judged_in_its_own_scale),
        test_with_context(diverging_force_fails),
        test_with_context(force_that_diverges_unseen_fails),
        test_with_context(what_is_not_finite_fails),
        test_with_context(polygon_has_a_vertex_on_the_first_tangent),
        test_with_context(projection_is_nearest),
        test_with_context(faceted_sliding_by_hand_is_certified),
        test_with_context(many_facets_are_the_round_cone),
        test_with_context(nothing_is_certified),
        test_with_context(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("verify.certificate", tests, NULL, NULL);
}

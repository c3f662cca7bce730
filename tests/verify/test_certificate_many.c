// SPDX-License-Identifier: Apache-2.0
// Many contacts are judged piece by piece, on threads: whatever is wrong is seen wherever it stands.
#include "check.h"

#include "base/pool.h"
#include "solve/lattice.h"
#include "solve/operators.h"

#include <stickslip/certificate.h>

static StickCertificate certify(StickContext *ctx, const StickFrictionProblem *problem, const double *r)
{
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, problem, r, 0, 1e-8, &certificate));
    return certificate;
}

static void expect_same(const StickCertificate *a, const StickCertificate *b, double within)
{
    assert_int_equal(a->certified, b->certified);
    assert_near(a->error, b->error, within);
    assert_near(a->error_scale_free, b->error_scale_free, within);
    assert_near(a->velocity_error, b->velocity_error, within);
    assert_near(a->cone, b->cone, within);
    assert_near(a->penetration, b->penetration, within);
    assert_near(a->complementarity, b->complementarity, within);
    assert_near(a->dissipation, b->dissipation, within * fabs(b->dissipation));
}

// One contact pulls, or is no number: the first and last of a piece and of all. The largest violation is its own.
static void expect_wrong_ones_to_be_seen(StickContext *ctx, const Lattice *lattice)
{
    int n = lattice->problem.ncontacts;
    const int places[] = {0, STICK_PIECE - 1, STICK_PIECE, n / 2, n - 1};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        double *r_N = &lattice->r[lattice->problem.dim * places[k]], before = *r_N;
        *r_N = -100;
        StickCertificate certificate = certify(ctx, &lattice->problem, lattice->r);
        assert_false(certificate.certified);
        assert_true(certificate.cone > 0.9);
        *r_N = NAN;
        certificate = certify(ctx, &lattice->problem, lattice->r);
        assert_false(certificate.certified);
        assert_true(isinf(certificate.error) && isinf(certificate.cone));
        *r_N = before;
    }
}

// Lengths around those at which pieces are cut, and where parts have several of them.
static void all_contacts_are_seen_on_any_number_of_threads(void **state)
{
    const int counts[] = {STICK_PIECE + 1, 2 * STICK_PIECE, 64 * STICK_PIECE + 1, 20000};
    StickRandom random = stick_random_seed(4);
    for (int k = 0; k < 8; k++) {
        Lattice lattice;
        StickCertificate first = {0};
        lattice_create(&lattice, &random, 2 + k % 2, counts[k / 2], 0.1);
        for (int threads = 1; threads <= 3; threads++) {
            assert_ok(*state, stick_threads_set(*state, threads));
            StickCertificate certificate = certify(*state, &lattice.problem, lattice.r);
            assert_true(certificate.certified);
            assert_below(certificate.error, 1e-14);
            first = threads == 1 ? certificate : first;
            expect_same(&certificate, &first, 0); // the same bits
            expect_wrong_ones_to_be_seen(*state, &lattice);
        }
        lattice_destroy(&lattice);
    }
}

static void by_blocks_or_by_action(void **state)
{
    StickRandom random = stick_random_seed(5);
    for (int dim = 1; dim <= 3; dim++) {
        Lattice lattice;
        lattice_create(&lattice, &random, dim, 1000, 0.1);
        StickOperator action = stick_operator_from_blocks(&lattice.W);
        StickFrictionProblem other = lattice.problem;
        other.W = NULL;
        other.apply_W = &action;
        lattice.r[700 * dim] += 0.3;
        StickCertificate blocks = certify(*state, &lattice.problem, lattice.r),
                         acts = certify(*state, &other, lattice.r);
        assert_true(blocks.error > 1e-4);
        expect_same(&acts, &blocks, 1e-12);
        lattice_destroy(&lattice);
    }
}

static StickStatus certify_once(StickContext *ctx, void *data)
{
    const Lattice *lattice = data;
    StickCertificate certificate;
    return stick_certify(ctx, &lattice->problem, lattice->r, 0, 1e-8, &certificate);
}

// The verifier takes memory to find islands of many contacts, and more where W is given by its action. Both may fail.
static void memory_may_fail(void **state)
{
    StickRandom random = stick_random_seed(6);
    Lattice lattice;
    lattice_create(&lattice, &random, 3, 2000, 0.1);
    size_t calls = stick_memory_calls(*state);
    assert_ok(*state, certify_once(*state, &lattice));
    size_t by_blocks = stick_memory_calls(*state) - calls;
    assert_survives_failing_memory(certify_once, &lattice);
    calls = stick_memory_calls(*state);
    StickOperator action = stick_operator_from_blocks(&lattice.W);
    lattice.problem.W = NULL;
    lattice.problem.apply_W = &action;
    assert_ok(*state, certify_once(*state, &lattice));
    assert_true(stick_memory_calls(*state) - calls > by_blocks);
    assert_survives_failing_memory(certify_once, &lattice);
    lattice_destroy(&lattice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_contacts_are_seen_on_any_number_of_threads),
        test_with_context(by_blocks_or_by_action),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("verify.certificate_many", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Relaxation of rubber at a point: closed forms of jump and steady shear, limits of short and long steps, balance of
// energy, tangents.
#include "fem/states.h"

static StickProny terms[] = {{.share = 0.3, .time = 2}, {.share = 0.4, .time = 0.05}};
static const StickMaterial neo_hookean = {
    .law = STICK_MATERIAL_NEO_HOOKEAN, .a1 = 0.6, .shear = 1.2, .nprony = 2, .prony = terms};
static const StickMaterial mooney = {
    .law = STICK_MATERIAL_MOONEY_RIVLIN, .a1 = 0.7, .a2 = 0.4, .shear = 2.2, .nprony = 2, .prony = terms};
static const StickMaterial *const laws[] = {&neo_hookean, &mooney};
enum { LAWS = 2, MOST = STICK_MOST_MATERIAL_HISTORY };

// The same without relaxation.
static StickMaterial at_once(const StickMaterial *material)
{
    StickMaterial elastic = *material;
    elastic.nprony = 0;
    return elastic;
}

static void history_fits(void **state)
{
    (void)state;
    assert_int_equal(stick_material_history(&neo_hookean), 18);
    assert_int_equal(stick_material_history(&mooney), 30);
    StickMaterial most = mooney;
    most.nprony = STICK_MOST_PRONY;
    assert_int_equal(stick_material_history(&most), STICK_MOST_MATERIAL_HISTORY);
}

// After a jump of any size: tau(t) = tau(0) (0.3 + sum share exp(-t/time)), for every length of step.
static void jump(void **state)
{
    (void)state;
    const double F[3][3] = {{1.7, 0.4, 0}, {0.1, 0.8, -0.3}, {0, 0.2, 1.1}};
    const double step[] = {1e-6, 0.01, 0.2, 3, 100};
    for (int law = 0; law < LAWS; law++) {
        double past[MOST], next[MOST], t = 0;
        stick_material_rest(laws[law], past);
        StickMaterial elastic = at_once(laws[law]);
        StickMaterialPoint first = state_at(&elastic, F, 0, NULL, NULL),
                           point = state_at(laws[law], F, 0, past, next);
        assert_near(point.energy, first.energy, 1e-14);
        assert_true(point.loss == 0);
        for (int k = 0; k < 5; k++) {
            memcpy(past, next, sizeof past);
            t += step[k];
            point = state_at(laws[law], F, step[k], past, next);
            for (int i = 0; i < 6; i++)
                assert_near(point.tau[i], first.tau[i] * (0.3 + 0.3 * exp(-t / 2) + 0.4 * exp(-t / 0.05)),
                            1e-14);
        }
    }
}

// One long step of holding loses all that the terms had stored.
static void holding_loses_what_was_stored(void **state)
{
    (void)state;
    const double F[3][3] = {{1.7, 0.4, 0}, {0.1, 0.8, -0.3}, {0, 0.2, 1.1}};
    for (int law = 0; law < LAWS; law++) {
        double past[MOST], next[MOST];
        stick_material_rest(laws[law], past);
        double before = state_at(laws[law], F, 0, past, next).energy;
        memcpy(past, next, sizeof past);
        StickMaterialPoint point = state_at(laws[law], F, 1000, past, next);
        assert_near(point.energy, 0.3 * before, 1e-13);
        assert_near(point.loss, 0.7 * before, 2e-3 * before);
    }
}

// A step much shorter than all relaxation times is elastic, a much longer one is relaxed.
static void limits_of_the_step(void **state)
{
    (void)state;
    const double F[3][3] = {{1.2, 0.4, 0}, {0.1, 0.9, -0.3}, {0, 0.2, 1.1}};
    for (int law = 0; law < LAWS; law++) {
        double rest[MOST], next[MOST];
        stick_material_rest(laws[law], rest);
        StickMaterial elastic = at_once(laws[law]);
        StickMaterialPoint all = state_at(&elastic, F, 0, NULL, NULL),
                           none = state_at(laws[law], F, 0, rest, next),
                           brief = state_at(laws[law], F, 1e-9, rest, next),
                           slow = state_at(laws[law], F, 1e9, rest, next);
        for (int i = 0; i < 6; i++) {
            assert_near(none.tau[i], all.tau[i], 1e-14);
            assert_near(brief.tau[i], all.tau[i], 1e-7);
            assert_near(slow.tau[i], 0.3 * all.tau[i], 1e-7);
        }
        assert_below(slow.loss, 1e-6);
    }
}

// Small and slow strains: energy and loss keep their accuracy, even if a step is many relaxation times long. A shear
// k grows in h: the final stress of a term is shear share k T/h, and its loss is that times k.
static void small_and_slow_strains(void **state)
{
    (void)state;
    double k = 1e-5;
    const double F[3][3] = {{1, k, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int law = 0; law < LAWS; law++) {
        double rest[MOST], next[MOST];
        stick_material_rest(laws[law], rest);
        double shear = laws[law]->shear, at_once = 0.5 * shear * k * k;
        assert_near(state_at(laws[law], F, 0, rest, next).energy, at_once, 1e-7 * at_once);
        for (double h = 1e5; h < 1e20; h *= 1e3) {
            StickMaterialPoint point = state_at(laws[law], F, h, rest, next);
            double lost = shear * k * k * (0.3 * 2 + 0.4 * 0.05) / h;
            assert_near(point.energy, 0.3 * at_once, 1e-4 * at_once);
            assert_near(point.loss, lost, 1e-3 * lost);
        }
    }
}

// Simple shear at a constant rate k: tau_xy = shear [0.3 k t + sum share k time (1 - exp(-t/time))], for every step.
static void shear_at_constant_rate(void **state)
{
    (void)state;
    const double step[] = {0.5, 0.001, 0.02, 2};
    for (int law = 0; law < LAWS; law++) {
        double past[MOST], next[MOST], t = 0, rate = 0.7;
        stick_material_rest(laws[law], past);
        for (int k = 0; k < 4; k++) {
            t += step[k];
            const double F[3][3] = {{1, rate * t, 0}, {0, 1, 0}, {0, 0, 1}};
            StickMaterialPoint point = state_at(laws[law], F, step[k], past, next);
            double exact = 0.3 * t + 0.3 * 2 * -expm1(-t / 2) + 0.4 * 0.05 * -expm1(-t / 0.05);
            assert_near(point.tau[3], laws[law]->shear * rate * exact, 1e-13);
            memcpy(past, next, sizeof past);
        }
    }
}

static void small_strains_are_those_at_once(void **state)
{
    (void)state;
    const double F[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int law = 0; law < LAWS; law++) {
        double rest[MOST], next[MOST];
        stick_material_rest(laws[law], rest);
        StickMaterialPoint point = state_at(laws[law], F, 0, rest, next);
        assert_near(point.c[3][3], laws[law]->shear, 1e-14);
        assert_near(point.c[0][0], 4.0 / 3 * laws[law]->shear, 1e-14);
        point = state_at(laws[law], F, 0.5, rest, next);
        for (int k = 0; k < 6; k++)
            assert_near(point.tau[k], 0, 1e-15);
        assert_near(point.energy, 0, 1e-15);
        assert_near(point.loss, 0, 1e-15);
        for (int k = 0; k < stick_material_history(laws[law]); k++)
            assert_near(next[k], rest[k], 1e-15);
    }
}

// The work of an oscillating shear, by the trapezoidal rule, equals the stored and the dissipated energy.
static double imbalance(const StickMaterial *material, int steps)
{
    double past[MOST], next[MOST], work = 0, loss = 0, energy = 0, tau = 0, old = 0, end = 7;
    stick_material_rest(material, past);
    for (int k = 1; k <= steps; k++) {
        double shear = 0.8 * sin(2 * end * k / steps);
        const double F[3][3] = {{1, shear, 0}, {0, 1, 0}, {0, 0, 1}};
        StickMaterialPoint point = state_at(material, F, end / steps, past, next);
        assert_true(point.loss >= 0);
        work += 0.5 * (point.tau[3] + tau) * (shear - old);
        loss += point.loss;
        energy = point.energy, tau = point.tau[3], old = shear;
        memcpy(past, next, sizeof past);
    }
    assert_true(loss > 0.1 * work);
    return fabs(work - energy - loss) / work;
}

static void work_is_stored_or_lost(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        double coarse = imbalance(laws[law], 200), fine = imbalance(laws[law], 400);
        assert_below(fine, 1e-3);
        assert_near(coarse / fine, 4, 0.3); // of second order
    }
}

// However a point is shaken, and by whatever steps.
static void nothing_is_won(void **state)
{
    (void)state;
    unsigned seed = 77;
    for (int law = 0; law < LAWS; law++) {
        double past[MOST], next[MOST];
        stick_material_rest(laws[law], past);
        for (int k = 0; k < 300; k++) {
            double F[3][3];
            random_deformation(&seed, 0.4, F);
            StickMaterialPoint point =
                state_at(laws[law], (const double(*)[3])F, pow(10, 3 * state_random(&seed)), past, next);
            assert_true(point.loss >= 0 && point.energy >= 0);
            memcpy(past, next, sizeof past);
        }
    }
}

static void tangent_is_that_of_the_stress(void **state)
{
    (void)state;
    unsigned seed = 41;
    for (int law = 0; law < LAWS; law++) {
        for (int trial = 0; trial < 20; trial++) {
            double rest[MOST], past[MOST], next[MOST], F[3][3], h = pow(10, state_random(&seed));
            stick_material_rest(laws[law], rest);
            random_deformation(&seed, 0.4, F);
            state_at(laws[law], (const double(*)[3])F, h, rest, past);
            random_deformation(&seed, 0.4, F);
            assert_below(tangent_error(laws[law], (const double(*)[3])F, h, past), 1e-9);
            StickMaterialPoint point = state_at(laws[law], (const double(*)[3])F, h, past, next);
            assert_below(asymmetry((const double(*)[6])point.c), 1e-14);
        }
    }
}

static void stress_turns_with_the_body(void **state)
{
    (void)state;
    unsigned seed = 3;
    double F[3][3], Q[3][3], QF[3][3], turned[6];
    for (int law = 0; law < LAWS; law++) {
        double rest[MOST], past[MOST], next[MOST];
        stick_material_rest(laws[law], rest);
        random_deformation(&seed, 0.4, F);
        state_at(laws[law], (const double(*)[3])F, 0.3, rest, past);
        random_deformation(&seed, 0.4, F);
        state_rotation(1.1, Q);
        stick_tensor_product((const double(*)[3])Q, (const double(*)[3])F, QF);
        StickMaterialPoint a = state_at(laws[law], (const double(*)[3])F, 0.4, past, next);
        StickMaterialPoint b = state_at(laws[law], (const double(*)[3])QF, 0.4, past, next);
        stick_six_push(3, (const double(*)[3])Q, a.tau, 1, turned);
        for (int k = 0; k < 6; k++)
            assert_near(b.tau[k], turned[k], 1e-13);
        assert_near(a.loss, b.loss, 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(history_fits),
        cmocka_unit_test(jump),
        cmocka_unit_test(holding_loses_what_was_stored),
        cmocka_unit_test(limits_of_the_step),
        cmocka_unit_test(small_and_slow_strains),
        cmocka_unit_test(shear_at_constant_rate),
        cmocka_unit_test(small_strains_are_those_at_once),
        cmocka_unit_test(work_is_stored_or_lost),
        cmocka_unit_test(nothing_is_won),
        cmocka_unit_test(tangent_is_that_of_the_stress),
        cmocka_unit_test(stress_turns_with_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

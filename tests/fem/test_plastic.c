// SPDX-License-Identifier: Apache-2.0
// Plastic flow at a point: against a return in one dimension, volume, potential, tangents.
#include "fem/plastic.h"
#include "fem/states.h"

static double rows[] = {0, 0.4, 0.1, 0.6, 0.5, 0.7, 2, 0.7};

static const StickMaterial linear = {
    .law = STICK_MATERIAL_J2, .shear = 40, .bulk = 90, .hardening = {.yield = 0.4, .modulus = 0.1}};
static const StickMaterial voce = {
    .law = STICK_MATERIAL_J2,
    .shear = 40,
    .bulk = 90,
    .hardening = {.yield = 0.4, .modulus = 0.05, .saturation = 0.7, .rate = 17}};
static const StickMaterial table = {
    .law = STICK_MATERIAL_J2, .shear = 40, .bulk = 90, .hardening = {.nrows = 4, .row = rows, .yield = 0.4}};
static const StickMaterial soft = {
    .law = STICK_MATERIAL_J2, .shear = 1, .bulk = 90, .hardening = {.yield = 0.4, .modulus = 0.1}};
static const StickMaterial *const laws[] = {&linear, &voce, &table, &soft};
enum { LAWS = 4 };

static void hardening_is_the_slope_of_its_work(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        const StickHardening *hardening = &laws[law]->hardening;
        assert_near(stick_hardening_at(hardening, 0).stress, 0.4, 0);
        assert_near(stick_hardening_at(hardening, 0).work, 0, 0);
        for (double a = 0.013; a < 3; a += 0.1) {
            double s = 1e-6;
            StickYield at = stick_hardening_at(hardening, a), ahead = stick_hardening_at(hardening, a + s),
                       behind = stick_hardening_at(hardening, a - s);
            assert_near((ahead.work - behind.work) / (2 * s), at.stress, 1e-9);
            assert_near((ahead.stress - behind.stress) / (2 * s), at.slope, 1e-8);
        }
    }
    assert_near(stick_hardening_at(&table.hardening, 0.3).stress, 0.65, 1e-15);
    assert_near(stick_hardening_at(&table.hardening, 7).stress, 0.7, 0);
    assert_near(stick_hardening_at(&voce.hardening, 1e3).stress, 0.7 + 50, 1e-12);
}

// One dimension: stress 3 shear (e - ep) within the yield stress, found by halving.
static double return_1d(const StickMaterial *material, double e, double *ep, double *a)
{
    double trial = 3 * material->shear * (e - *ep), low = 0, high = fabs(trial) / (3 * material->shear);
    if (fabs(trial) <= stick_hardening_at(&material->hardening, *a).stress)
        return trial;
    for (int k = 0; k < 200; k++) {
        double flow = 0.5 * (low + high);
        bool less = fabs(trial) - 3 * material->shear * flow >
                    stick_hardening_at(&material->hardening, *a + flow).stress;
        *(less ? &low : &high) = flow;
    }
    *a += low;
    *ep += copysign(low, trial);
    return 3 * material->shear * (e - *ep);
}

// There and back through large strains; volume changes as it likes.
static void uniaxial_cycles(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        double past[7], next[7], ep = 0, a = 0;
        stick_material_rest(laws[law], past);
        for (int step = 1; step <= 120; step++) {
            double e = 1.5 * sin(0.08 * step), volume = 1 + 0.3 * cos(step);
            const double F[3][3] = {
                {volume * exp(e), 0, 0}, {0, volume * exp(-e / 2), 0}, {0, 0, volume * exp(-e / 2)}};
            StickMaterialPoint point = state_at(laws[law], F, 0, past, next);
            double stress = return_1d(laws[law], e, &ep, &a);
            assert_near(point.tau[0] - point.tau[1], stress, 1e-11 * laws[law]->shear);
            assert_near(stick_material_plastic_strain(laws[law], next), a, 1e-12);
            assert_true(point.loss >= 0);
            memcpy(past, next, sizeof past);
        }
        assert_true(a > 5);
    }
}

// A table that rises steeply between two flat pieces: the stress stands on the steep one over a range of strains.
static void steep_pieces_of_tables(void **state)
{
    (void)state;
    double row[] = {0, 1, 0.1, 1, 0.101, 2, 0.2, 2};
    StickMaterial steep = {
        .law = STICK_MATERIAL_J2, .shear = 1, .hardening = {.nrows = 4, .row = row, .yield = 1}};
    for (int k = 0; k <= 150; k++) {
        double rest[7], next[7], e = (1 + 0.01 * k) / 3, ep = 0, a = 0;
        const double F[3][3] = {{exp(e), 0, 0}, {0, exp(-e / 2), 0}, {0, 0, exp(-e / 2)}};
        stick_material_rest(&steep, rest);
        StickMaterialPoint point = state_at(&steep, F, 0, rest, next);
        assert_near(point.tau[0] - point.tau[1], return_1d(&steep, e, &ep, &a), 1e-11);
        assert_near(next[6], a, 1e-12);
    }
}

static void plastic_volume_stays(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        double past[7], next[7];
        unsigned seed = 9;
        stick_material_rest(laws[law], past);
        for (int step = 0; step < 300; step++) {
            double F[3][3];
            random_deformation(&seed, 0.5, F);
            if (stick_tensor_determinant(3, (const double(*)[3])F) < 0.1)
                continue;
            StickMaterialPoint point = state_at(laws[law], (const double(*)[3])F, 0, past, next);
            assert_near(stick_six_determinant(next), 1, 1e-9);
            double q = sqrt(1.5 * stick_six_inner(point.tau, point.tau));
            assert_below(q, stick_hardening_at(&laws[law]->hardening, next[6]).stress * (1 + 1e-13));
            memcpy(past, next, sizeof past);
        }
        assert_true(past[6] > 10);
    }
}

// A history somewhere.
static void flow_before(const StickMaterial *material, unsigned *seed, double *past)
{
    double rest[7], F[3][3];
    stick_material_rest(material, rest);
    random_deformation(seed, 0.3, F);
    state_at(material, (const double(*)[3])F, 0, rest, past);
}

static void stress_turns_with_the_body(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int law = 0; law < LAWS; law++) {
        double past[7], next[7], other[7], F[3][3], Q[3][3], QF[3][3], turned[6];
        flow_before(laws[law], &seed, past);
        random_deformation(&seed, 0.3, F);
        state_rotation(2.1, Q);
        stick_tensor_product((const double(*)[3])Q, (const double(*)[3])F, QF);
        StickMaterialPoint a = state_at(laws[law], (const double(*)[3])F, 0, past, next);
        StickMaterialPoint b = state_at(laws[law], (const double(*)[3])QF, 0, past, other);
        stick_six_push(3, (const double(*)[3])Q, a.tau, 1, turned);
        for (int k = 0; k < 6; k++) {
            assert_near(b.tau[k], turned[k], 1e-12);
            assert_near(next[k], other[k], 1e-12);
        }
    }
}

static void tangent_is_that_of_the_stress(void **state)
{
    (void)state;
    unsigned seed = 21;
    for (int law = 0; law < LAWS; law++) {
        for (int trial = 0; trial < 20; trial++) {
            double past[7], next[7], F[3][3];
            flow_before(laws[law], &seed, past);
            // flow, and what stays elastic around the state that was reached from rest
            random_deformation(&seed, trial % 4 ? 0.3 : 1e-3, F);
            if (trial % 4 == 0)
                stick_material_rest(laws[law], past);
            assert_below(tangent_error(laws[law], (const double(*)[3])F, 0, past), 1e-7);
            StickMaterialPoint point = state_at(laws[law], (const double(*)[3])F, 0, past, next);
            assert_below(asymmetry((const double(*)[6])point.c), 1e-13);
            assert_true(trial % 4 == 0 ? next[6] == past[6] : next[6] > past[6]);
        }
    }
}

// Uniaxial states have two equal stretches, rest has three.
static void tangent_where_stretches_are_equal(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        double past[7], next[7];
        stick_material_rest(laws[law], past);
        for (double s = 0.5; s < 2; s += 0.4) {
            const double F[3][3] = {{s, 0, 0}, {0, 1.1, 0}, {0, 0, 1.1}},
                         near[3][3] = {{1.1 * s, 0, 0}, {0, 1.1, 1e-9}, {0, 0, 1.1}};
            assert_below(tangent_error(laws[law], F, 0, past), 1e-7);
            assert_below(tangent_error(laws[law], near, 0, past), 1e-7);
        }
        const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        StickMaterialPoint point = state_at(laws[law], one, 0, past, next);
        double G = laws[law]->shear;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                assert_near(point.c[i][j], i < 3 && j < 3 ? 2 * G * ((i == j) - 1.0 / 3) : G * (i == j),
                            1e-13 * G);
        assert_memory_equal(past, next, sizeof past);
    }
}

// Within a step tau is the slope of energy and loss together.
static void step_has_a_potential(void **state)
{
    (void)state;
    unsigned seed = 33;
    for (int law = 0; law < LAWS; law++) {
        for (int trial = 0; trial < 10; trial++) {
            double past[7], next[7], F[3][3], l[3][3], sum[2], s = 1e-6, power = 0;
            flow_before(laws[law], &seed, past);
            random_deformation(&seed, 0.3, F);
            random_deformation(&seed, 1, l);
            StickMaterialPoint point = state_at(laws[law], (const double(*)[3])F, 0, past, next);
            for (int side = 0; side < 2; side++) {
                double moved[3][3];
                state_moved((const double(*)[3])F, (const double(*)[3])l, side ? s : -s, moved);
                StickMaterialPoint near = state_at(laws[law], (const double(*)[3])moved, 0, past, next);
                sum[side] = near.energy + near.loss;
            }
            for (int k = 0; k < 6; k++)
                power += point.tau[k] * (k < 3 ? l[k][k]
                                               : l[stick_six_row[k]][stick_six_col[k]] +
                                                     l[stick_six_col[k]][stick_six_row[k]]);
            assert_near((sum[1] - sum[0]) / (2 * s), power, 1e-7);
        }
    }
}

static void no_state_of_what_is_not_finite(void **state)
{
    (void)state;
    double past[7], next[7];
    stick_material_rest(&linear, past);
    StickMaterialPoint point = {.F = {{1, INFINITY, 0}, {0, 1, 0}, {0, 0, 1}}, .past = past, .next = next};
    assert_false(stick_material_isochoric(&linear, &point));
    past[0] = NAN;
    point.F[0][1] = 0;
    assert_false(stick_material_isochoric(&linear, &point));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hardening_is_the_slope_of_its_work),
        cmocka_unit_test(uniaxial_cycles),
        cmocka_unit_test(steep_pieces_of_tables),
        cmocka_unit_test(plastic_volume_stays),
        cmocka_unit_test(stress_turns_with_the_body),
        cmocka_unit_test(tangent_is_that_of_the_stress),
        cmocka_unit_test(tangent_where_stretches_are_equal),
        cmocka_unit_test(step_has_a_potential),
        cmocka_unit_test(no_state_of_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

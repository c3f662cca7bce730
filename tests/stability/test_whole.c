// SPDX-License-Identifier: Apache-2.0
#include "stability/block.h"

static void kinds_of_mass(void **state)
{
    static Block model, lumped, unit;
    const char *text =
        "stickslip: 1\n"
        "materials: {rubber: {young: 5, poisson: 0.3, density: 2}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [3, 2], cells: [3, 2]}}, material: rubber,\n"
        "                 mass: lumped, thickness: 0.5}}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n";
    double sum[2] = {0};
    block_open(&model, *state, STICK_MASS_MODEL, text);
    block_open(&lumped, *state, STICK_MASS_LUMPED, text);
    block_open(&unit, *state, STICK_MASS_UNIT, text);
    assert_int_equal(model.whole.M.start[model.whole.M.cols], model.whole.M.cols);
    assert_int_equal(lumped.whole.M.start[lumped.whole.M.cols], lumped.whole.M.cols);
    assert_null(unit.sliding.M);
    for (int i = 0; i < model.whole.M.cols; i++) {
        assert_near(lumped.whole.M.value[i], model.whole.M.value[i], 1e-15);
        sum[0] += model.whole.M.value[i];
    }
    block_close(&model);
    block_open(&model, *state, STICK_MASS_CONSISTENT, text);
    assert_true(model.whole.M.start[model.whole.M.cols] > model.whole.M.cols);
    for (int k = 0; k < model.whole.M.start[model.whole.M.cols]; k++)
        sum[1] += model.whole.M.value[k];
    assert_near(sum[0], 2 * 6, 1e-13);
    assert_near(sum[1], 2 * 6, 1e-13);
    block_close(&model);
    block_close(&lumped);
    block_close(&unit);
}

// Row sums of quadratic elements would be negative at corners; their lumped mass is positive, and all of it.
static void quadratic_elements_have_positive_masses(void **state)
{
    static Block lumped;
    double sum = 0;
    block_open(&lumped, *state, STICK_MASS_LUMPED,
               "stickslip: 1\n"
               "materials: {rubber: {young: 5, poisson: 0.3, density: 2}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [3, 2], cells: [3, 2]}}, material: rubber,\n"
               "                 element: quadratic, thickness: 0.5}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "contacts: [{between: [block.bottom, plate], friction: 0.9, method: nodes}]\n"
               "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n");
    const StickSparse *M = &lumped.whole.M;
    assert_int_equal(M->start[M->cols], M->cols);
    for (int i = 0; i < M->cols; i++) {
        assert_true(M->value[i] > 0);
        sum += M->value[i];
    }
    assert_near(sum, 2 * 6, 1e-13);
    block_close(&lumped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(kinds_of_mass),
        test_with_context(quadratic_elements_have_positive_masses),
    };
    return cmocka_run_group_tests_name("whole", tests, NULL, NULL);
}

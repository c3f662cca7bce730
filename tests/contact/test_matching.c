// SPDX-License-Identifier: Apache-2.0
// Which pairs of deformable bodies are integrated by default: those whose meshes do not match.
#include "stepping/scene.h"

static bool is_integrated(StickContext *ctx, const char *upper, const char *lower, const char *contact,
                          const char *more)
{
    Scene scene;
    const char *held = strstr(upper, "box") ? "[0, 0, 0]" : "[0, 0]";
    scene_open(&scene, ctx,
               "materials: {m: {young: 1, poisson: 0.3, density: 1}, soft: {law: neo-hookean, shear: 1, "
               "bulk: 2, density: 1}}\n"
               "bodies:\n"
               "  upper: {mesh: %s}\n"
               "  lower: {mesh: %s}\n"
               "supports: [{on: upper.top, displacement: %s}, {on: lower.bottom, displacement: %s}]\n"
               "contacts: [{between: [upper.bottom, lower.top]%s}]\n"
               "steps: [{name: press, quasistatic: {end: 1}}%s]\n",
               upper, lower, held, held, contact, more);
    bool integrated = stick_pairs_integrated(scene.run->pairs) >= 0;
    scene_close(&scene);
    return integrated;
}

#define PLATE(cells, origin) "{rectangle: {size: [1, 1], cells: " cells ", origin: " origin "}}, material: m"
#define BOX(cells, origin) "{box: {size: [1, 1, 1], cells: " cells ", origin: " origin "}}, material: m"

static void meshes_that_match_touch_by_nodes(void **state)
{
    assert_false(is_integrated(*state, PLATE("[4, 2]", "[0, 0]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    // apart, overlapping, and with one that is longer
    assert_false(is_integrated(*state, PLATE("[4, 2]", "[0, 0.1]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    assert_false(is_integrated(*state, PLATE("[4, 2]", "[0, 3]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    assert_false(is_integrated(*state, PLATE("[4, 2]", "[0, -1e-3]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    assert_false(is_integrated(*state, PLATE("[4, 2]", "[0.25, 0]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    assert_false(
        is_integrated(*state, BOX("[3, 2, 1]", "[0, 0, 0]"), BOX("[3, 2, 2]", "[0, 0, -1]"), "", ""));
}

static void meshes_that_do_not_match_are_integrated(void **state)
{
    assert_true(is_integrated(*state, PLATE("[4, 2]", "[0, 0]"), PLATE("[5, 3]", "[0, -1]"), "", ""));
    assert_true(is_integrated(*state, PLATE("[4, 2]", "[0, 0.1]"), PLATE("[5, 3]", "[0, -1]"), "", ""));
    assert_true(is_integrated(*state, PLATE("[4, 2]", "[0.1, 0]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    // every node of one has an opposite node, but not the other way round
    assert_true(is_integrated(*state, PLATE("[4, 2]", "[0, 0]"), PLATE("[8, 3]", "[0, -1]"), "", ""));
    assert_true(is_integrated(*state, PLATE("[8, 2]", "[0, 0]"), PLATE("[4, 3]", "[0, -1]"), "", ""));
    assert_true(is_integrated(*state, BOX("[3, 2, 1]", "[0, 0, 0]"), BOX("[3, 3, 2]", "[0, 0, -1]"), "", ""));
}

static int times_noted(StickContext *ctx, const char *why)
{
    int count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const char *text = stick_diagnostic(ctx, k)->text;
        count += strstr(text, "do not match, and contact is by nodes") && strstr(text, why);
    }
    return count;
}

static void what_is_named_or_judged_is_as_it_was(void **state)
{
    const char *upper = PLATE("[4, 2]", "[0, 0]"), *lower = PLATE("[5, 3]", "[0, -1]");
    assert_false(is_integrated(*state, upper, lower, ", method: nodes", ""));
    assert_int_equal(times_noted(*state, ""), 0);
    assert_false(is_integrated(*state, upper, lower, "", ", {name: judge, stability: {}}"));
    assert_false(is_integrated(*state, upper, lower, "", ", {name: judge, stability: {}}"));
    assert_int_equal(times_noted(*state, "stability step"), 1);
    assert_true(is_integrated(*state, upper, PLATE("[4, 3]", "[0, -1]"), ", method: integrated", ""));
    assert_false(
        is_integrated(*state, "{rectangle: {size: [1, 1], cells: [4, 2]}}, material: soft", lower, "", ""));
    assert_int_equal(times_noted(*state, "strains are finite"), 1);
    assert_false(
        is_integrated(*state, upper, PLATE("[4, 3]", "[0, -1]"), "", ", {name: judge, stability: {}}"));
    assert_int_equal(times_noted(*state, ""), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(meshes_that_match_touch_by_nodes),
        test_with_context(meshes_that_do_not_match_are_integrated),
        test_with_context(what_is_named_or_judged_is_as_it_was),
    };
    return cmocka_run_group_tests_name("matching", tests, NULL, NULL);
}

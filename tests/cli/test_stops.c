// SPDX-License-Identifier: Apache-2.0
// Runs of bodies under finite deformation that cannot go on: by load, by inverted elements, without what holds them. The code
// and the reason tell why, the last good state is there, and a resumed run says the same.
#include "cli/program.h"

#define RUBBER "materials: {rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 120, density: 1.2e-9}}\n"

#define ARCH                                                                                              \
    "stickslip: 1\n" RUBBER                                                                               \
    "bodies: {arch: {mesh: {patches: [{cells: [16, 2], map: [\"10*(xi - 1)\", \"1.5*(1 - (1 - xi)^2) + "  \
    "0.6*eta\"], sides: {left: foot, right: middle, top: back}, points: {top-right: crown}}]}, element: " \
    "mean-dilatation, plane: strain, material: rubber}}\n"                                                \
    "supports: [{on: arch.foot, displacement: [0, 0]}, {on: arch.middle, displacement: [0, free]}]\n"     \
    "loads: [{on: arch.back, pressure: \"4e-4*min(t, 1)\"}]\n"                                            \
    "output: {history: [{name: crown, of: arch.crown, what: displacement.y}]}\n"

#define BLOCK                                                                                        \
    "stickslip: 1\n" RUBBER                                                                          \
    "bodies: {block: {mesh: {rectangle: {size: [10, 5], cells: [6, 3]}}, element: mean-dilatation, " \
    "plane: strain, material: rubber}}\n"                                                            \
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"                                \
    "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"

static double last_of(Scratch *scratch, const char *name)
{
    char *text = read_text(scratch->folder, name);
    assert_non_null(text);
    size_t end = strlen(text) - 1;
    while (end > 0 && text[end - 1] != ',')
        end--;
    double value = strtod(text + end, NULL);
    free(text);
    return value;
}

static void assert_says_of_summary(Scratch *scratch, const char *words)
{
    char *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(summary, words);
    free(summary);
}

// What is saved is the state before the limit, at every attempt.
static void a_load_beyond_its_limit(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", ARCH "steps: [{quasistatic: {end: 1, increments: 10}}]\n");
    for (int k = 0; k < 2; k++) {
        expect(scratch->folder, k == 0 ? "run model.yaml -o out" : "resume out", 6,
               "a limit point of the load");
        assert_near(last_of(scratch, "out/history/crown.csv"), -0.576, 0.01);
        assert_says_of_summary(scratch, "\"state\": \"failed\"");
        assert_says_of_summary(scratch, "Prescribe a displacement instead of the load");
    }
    assert_true(stick_file_exists(scratch_path(scratch, "out/fields/frame-000001.vtu")));
}

// As the message says: the step ends before, and a dynamic one goes on.
static void a_dynamic_step_goes_on(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               ARCH
               "steps: [{name: press, quasistatic: {end: 0.746, increments: 10}}, {name: snap, dynamics: "
               "{scheme: theta, theta: 1, step: 1e-3, end: 1.2}}]\n");
    expect(scratch->folder, "run model.yaml -o out", 0, "");
    assert_near(last_of(scratch, "out/history/crown.csv"), -2.57587, 1e-4);
}

static void elements_that_would_be_inverted(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               BLOCK "supports: [{on: block.top, displacement: [0, \"-6*t\"]}]\n"
                     "steps: [{quasistatic: {end: 1, increments: 6}}]\n");
    expect(scratch->folder, "run model.yaml -o out", 6, "not even an increment of");
    assert_says_of_summary(scratch, "end this step before");
}

static void bodies_that_contact_alone_holds(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               BLOCK "loads: [{on: block.top, traction: [0, \"-0.1*cos(4*t)\"]}]\n"
                     "steps: [{quasistatic: {end: 1, increments: 6}}]\n");
    expect(scratch->folder, "run model.yaml -o out", 4,
           "body 'block' is not held by its supports: without inertia its place is not determined");
    // with inertia it is pressed, and then flies off
    write_text(scratch->folder, "model.yaml",
               BLOCK "loads: [{on: block.top, traction: [0, \"-0.1*cos(400*t)\"]}]\n"
                     "steps: [{dynamics: {scheme: theta, theta: 0.7, step: 5e-5, end: 0.01}}]\n"
                     "output: {history: [{name: force, of: block.bottom, what: contact_force.normal}]}\n");
    expect(scratch->folder, "run model.yaml -o flies", 0, "");
    assert_near(last_of(scratch, "flies/history/force.csv"), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(a_load_beyond_its_limit),
        test_with_scratch(a_dynamic_step_goes_on),
        test_with_scratch(elements_that_would_be_inverted),
        test_with_scratch(bodies_that_contact_alone_holds),
    };
    return cmocka_run_group_tests_name("stops", tests, NULL, NULL);
}

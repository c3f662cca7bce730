// SPDX-License-Identifier: Apache-2.0
// Contact patch test through the whole chain: two blocks, one on the other, under a uniform pressure. With
// implicit steps that are long against every period the motion dies within a few of them, and what is left is
// the static solution: uniform stress, whatever the two meshes, if contact is integrated over the surfaces.
#include "stepping/scene.h"

static const double PRESSURE = 1000, POISSON = 0.3;

typedef struct Patch {
    const char *element, *pattern, *method;
    int lower, upper; // cells across
} Patch;

static void open_plane_patch(Scene *scene, StickContext *ctx, Patch patch)
{
    scene_open(
        scene, ctx,
        "materials: {soft: {law: elastic, young: 1e6, poisson: %g, density: 1000}}\n"
        "bodies:\n"
        "  lower: {mesh: {rectangle: {size: [1, 0.5], cells: [%d, 2], pattern: %s}}, element: %s, material: "
        "soft}\n"
        "  upper: {mesh: {rectangle: {size: [1, 0.5], cells: [%d, 2], pattern: %s, origin: [0, 0.5]}},\n"
        "          element: %s, material: soft}\n"
        "supports:\n"
        "  - {on: lower.bottom, displacement: [free, 0]}\n"
        "  - {on: lower.left, displacement: [0, free]}\n"
        "  - {on: lower.right, displacement: [0, free]}\n"
        "  - {on: upper.left, displacement: [0, free]}\n"
        "  - {on: upper.right, displacement: [0, free]}\n"
        "loads: [{on: upper.top, pressure: %g}]\n"
        "contacts: [{between: [upper.bottom, lower.top], friction: 0, method: %s}]\n"
        "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: 0.5, end: 100}, solver: lemke}]\n",
        POISSON, patch.lower, patch.pattern, patch.element, patch.upper, patch.pattern, patch.element,
        PRESSURE, patch.method);
}

static void open_space_patch(Scene *scene, StickContext *ctx, int lower, int upper, const char *pattern)
{
    scene_open(
        scene, ctx,
        "materials: {soft: {law: elastic, young: 1e6, poisson: %g, density: 1000}}\n"
        "bodies:\n"
        "  lower: {mesh: {box: {size: [1, 1, 0.5], cells: [%d, %d, 1], pattern: %s}}, material: soft}\n"
        "  upper: {mesh: {box: {size: [1, 1, 0.5], cells: [%d, %d, 1], pattern: %s, origin: [0, 0, 0.5]}},\n"
        "          material: soft}\n"
        "supports:\n"
        "  - {on: lower.bottom, displacement: [free, free, 0]}\n"
        "  - {on: lower.left, displacement: [0, free, free]}\n"
        "  - {on: lower.right, displacement: [0, free, free]}\n"
        "  - {on: lower.front, displacement: [free, 0, free]}\n"
        "  - {on: lower.back, displacement: [free, 0, free]}\n"
        "  - {on: upper.left, displacement: [0, free, free]}\n"
        "  - {on: upper.right, displacement: [0, free, free]}\n"
        "  - {on: upper.front, displacement: [free, 0, free]}\n"
        "  - {on: upper.back, displacement: [free, 0, free]}\n"
        "loads: [{on: upper.top, pressure: %g}]\n"
        "contacts: [{between: [upper.bottom, lower.top], friction: 0, method: integrated}]\n"
        "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: 0.5, end: 100}, solver: lemke}]\n",
        POISSON, lower, lower == upper ? lower : lower + 1, pattern, upper, upper, pattern, PRESSURE);
}

// Largest difference of a stress at a node from the uniform one, over the pressure.
static double stress_error(const Scene *scene)
{
    int axis = scene->system->dim - 1;
    double side = -PRESSURE * POISSON / (1 - POISSON), worst = 0;
    for (int b = 0; b < 2; b++) {
        const StickBody *body = &scene->system->body[b];
        double *stress;
        stress = stick_alloc(scene->ctx, (size_t)body->mesh.nnodes * 6, sizeof *stress);
        assert_non_null(stress);
        assert_ok(scene->ctx, stick_fem_stress(scene->ctx, &body->continuum,
                                               scene->run->state.now.q + body->first, NULL, stress));
        for (int i = 0; i < body->mesh.nnodes; i++)
            for (int k = 0; k < 6; k++)
                worst = fmax(worst, fabs(stress[6 * i + k] - (k == axis ? -PRESSURE : k < 3 ? side : 0)));
        stick_free(scene->ctx, stress);
    }
    return worst / PRESSURE;
}

static double patch_error(Scene *scene)
{
    scene_steps(scene, 10);
    assert_near(scene_force(scene), PRESSURE, 1e-7 * PRESSURE);
    assert_below(scene->run->ledger.worst_momentum, 1e-12);
    assert_below(scene->run->ledger.worst_closure, 1e-12);
    double error = stress_error(scene);
    scene_close(scene);
    return error;
}

static void integrated_contact_passes_in_the_plane(void **state)
{
    const char *elements[] = {"linear", "quadratic"}, *patterns[] = {"quads", "triangles", "crossed"};
    const int cells[][2] = {{3, 3}, {3, 4}, {4, 3}, {2, 5}};
    for (int e = 0; e < 2; e++) {
        for (int p = 0; p < 3; p++) {
            for (int c = 0; c < 4; c++) {
                Scene scene;
                Patch patch = {elements[e], patterns[p], "integrated", cells[c][0], cells[c][1]};
                open_plane_patch(&scene, *state, patch);
                double error = patch_error(&scene);
                print_message("%s %s %d on %d: %.1e\n", patch.element, patch.pattern, patch.upper,
                              patch.lower, error);
                assert_below(error, 1e-10);
            }
        }
    }
}

static void integrated_contact_passes_in_space(void **state)
{
    const char *patterns[] = {"hexes", "tets"};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        int lower = 2, upper = k < 2 ? 2 : 3;
        open_space_patch(&scene, *state, lower, upper, patterns[k % 2]);
        double error = patch_error(&scene);
        print_message("%s %d on %d: %.1e\n", patterns[k % 2], upper, lower, error);
        assert_below(error, 1e-10);
    }
}

// Nodes against facets pass on matching meshes only.
static void contact_of_nodes_fails_on_other_meshes(void **state)
{
    Scene scene;
    Patch same = {"linear", "quads", "nodes", 3, 3}, other = {"linear", "quads", "nodes", 3, 4};
    open_plane_patch(&scene, *state, same);
    assert_below(patch_error(&scene), 1e-10);
    open_plane_patch(&scene, *state, other);
    double error = patch_error(&scene);
    print_message("nodes on other facets: %.1e\n", error);
    assert_true(error > 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(integrated_contact_passes_in_the_plane),
        test_with_context(integrated_contact_passes_in_space),
        test_with_context(contact_of_nodes_fails_on_other_meshes),
    };
    return cmocka_run_group_tests_name("patch", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Compounds: what slides over a seam between two shapes of one body is not stopped by it; a nook between them does stop it.
#include "stepping/mechanism.h"

// A floor of one box or of tiles with flush tops, held still, and a box of one or of two shapes that starts on a seam and slides down a slope: (2 - mu 10) t.
static void slide(StickContext *ctx, int dim, bool is_tiled, bool is_split, double tilt)
{
    char floor[512], box[256];
    const char *depth = dim == 3 ? ", 1" : "", *none = dim == 3 ? ", 0" : "";
    int used = snprintf(floor, sizeof floor, is_tiled ? "compound: [" : "box: [8%s, 0.2]", depth);
    for (int k = 0; k < 4 && is_tiled; k++)
        used += snprintf(floor + used, sizeof floor - (size_t)used,
                         "%s{box: [2%s, 0.2], position: [%d%s, 0]}", k ? ", " : "", depth, 2 * k - 3, none);
    if (is_tiled)
        snprintf(floor + used, sizeof floor - (size_t)used, "]");
    if (is_split)
        snprintf(
            box, sizeof box,
            "compound: [{box: [0.3%s, 0.2], position: [-0.15%s, 0]}, {box: [0.3%s, 0.2], position: [0.15%s, "
            "0]}]",
            dim == 3 ? ", 0.4" : "", none, dim == 3 ? ", 0.4" : "", none);
    else
        snprintf(box, sizeof box, "box: [0.6%s, 0.2]", dim == 3 ? ", 0.4" : "");
    Scene scene;
    double c = cos(tilt), w = sin(tilt); // along is (c, w), up is (-w, c)
    char turn[128];
    snprintf(turn, sizeof turn, dim == 3 ? "{axis: [0, -1, 0], angle: %.17g}" : "%.17g", tilt);
    scene_open(&scene, ctx,
               "bodies:\n"
               "  floor: {rigid: {%s, mass: 10}, position: [%.17g%s, %.17g], rotation: %s}\n"
               "  box: {rigid: {%s, mass: 2}, position: [%.17g%s, %.17g], velocity: [%.17g%s, %.17g], "
               "rotation: %s}\n"
               "supports: [{on: floor, displacement: [0%s, 0], %s}]\n"
               "gravity: [%.17g%s, %.17g]\n"
               "contacts: [{between: all, friction: 0.1}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
               floor, 0.1 * w, none, -0.1 * c, turn, box, -2 * c - 0.1 * w, none, -2 * w + 0.1 * c, 0.0, none,
               0.0, turn, none, dim == 3 ? "angular-velocity: [0, 0, 0]" : "rotation: 0", 10 * w + 2 * c,
               none, -10 * c + 2 * w);
    scene_run(&scene);
    const double *q = q_of(&scene, 1), *v = v_of(&scene, 1);
    assert_near(v[0] * c + v[dim - 1] * w, 1, 1e-8);
    assert_near(q[0] * c + q[dim - 1] * w, 0.5, 1e-8);
    assert_near(q[dim - 1] * c - q[0] * w, 0, 1e-9);
    for (int k = dim; k < stick_rigid_ndofs(dim); k++)
        assert_near(q[k], 0, 1e-8);
    scene_close(&scene);
}

static void bodies_slide_over_seams(void **state)
{
    for (int k = 0; k < 8; k++)
        for (int turn = 0; turn < 20; turn++)
            slide(*state, 2 + k / 4, k & 1, k & 2, 0.3 * turn);
}

// An angle of two boxes, of which one stands on the other or both meet at their corner: a box slides into the nook and stays.
static void nooks_stop_what_slides_into_them(void **state)
{
    const char *stands[] = {"{box: [0.2, 1], position: [1.1, 0.5]}",
                            "{box: [0.2, 1.2], position: [1.1, 0.4]}"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "bodies:\n"
                   "  angle: {rigid: {compound: [{box: [%s, 0.2], position: [%s, -0.1]}, %s], mass: 10}}\n"
                   "  box: {rigid: {box: [0.4, 0.3], mass: 2}, position: [0.5, 0.15], velocity: [2, 0]}\n"
                   "supports: [{on: angle, displacement: [0, 0], rotation: 0}]\n"
                   "gravity: [0, -10]\n"
                   "contacts: [{between: all, friction: 0.1}]\n"
                   "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 5}}]\n",
                   k == 0 ? "2.4" : "2", k == 0 ? "0.2" : "0", stands[k]);
        scene_run(&scene);
        // the penetration of the impact is corrected
        assert_near(q_of(&scene, 1)[0], 0.3, 0.002);
        assert_near(q_of(&scene, 1)[1], 0, 1e-8);
        assert_near(v_of(&scene, 1)[0], 0, 1e-8);
        assert_near(q_of(&scene, 1)[2], 0, 1e-8);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bodies_slide_over_seams),
        test_with_context(nooks_stop_what_slides_into_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

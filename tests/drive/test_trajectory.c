// SPDX-License-Identifier: Apache-2.0
// Bodies on trajectories: Hertz's contact of two round bodies, a cam and its follower, loads that nothing holds.
#include "drive/scene.h"

#include "base/pi.h"
#include "drive/trajectory.h"

static inline double pressed(const Scene *scene)
{
    const StickTrajectory *trajectory = scene->run->trajectory;
    double sum = 0;
    for (int i = 0; i < trajectory->set.npairs; i++)
        sum += trajectory->p[i];
    return sum;
}

// ---- Hertz

// Sectors of disks of radius 10, fine where they touch, held inside; the force presses the upper one onto the lower one.
// `turn` turns the whole scene about the origin.
static const char disks[] =
    "parameters: {turn: %s, R: 10, mu: %s}\n"
    "materials: {steel: {young: 200e3, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  upper:\n"
    "    mesh: {patches: [{cells: [60, 24],\n"
    "      map: [\"(10 - 7*(0.03*eta + 0.97*eta^3))*sin(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\",\n"
    "      \"-(10 - 7*(0.03*eta + 0.97*eta^3))*cos(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\"]}]}\n"
    "    material: steel\n"
    "    flanks: {bottom: {x: R*sin(s), y: -R*cos(s), from: -0.5, to: 0.5}}\n"
    "  lower:\n"
    "    mesh: {patches: [{cells: [60, 24],\n"
    "      map: [\"(10 - 7*(0.03*eta + 0.97*eta^3))*sin(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\",\n"
    "      \"-(10 - 7*(0.03*eta + 0.97*eta^3))*cos(0.5*(0.1*(2*xi - 1) + 0.9*(2*xi - 1)^3))\"]}]}\n"
    "    material: steel\n"
    "    rotation: pi\n"
    "    position: [0, -10]\n"
    "    flanks: {bottom: {x: R*sin(s), y: -R*cos(s), from: -0.5, to: 0.5}}\n"
    "frames:\n"
    "  upper: {at: [-R*sin(turn), R*cos(turn)], angle: turn + t, free: [%s], force: [690*sin(turn), "
    "-690*cos(turn)]}\n"
    "  lower: {at: [R*sin(turn), -R*cos(turn)], angle: turn + pi %s t}\n"
    "supports: [{on: upper.top, displacement: [0, 0]}, {on: lower.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [lower.bottom, upper.bottom], max-distance: 0.02, friction: mu}]\n"
    "steps: [{name: roll, trajectory: {to: 0.02, positions: 3}%s}]\n";

// Half width a and peak pressure p0 of two cylinders of radius R in plane strain under a force per thickness.
static void hertz_presses_round_bodies(void **state)
{
    Scene scene;
    double E = 200e3 / (2 * (1 - 0.09)), F = 690, a = sqrt(4 * F * 5 / (STICK_PI * E)), p0 = 2 * F / (STICK_PI * a);
    scene_open(&scene, *state, disks, "0", "0", "y", "-", "");
    scene_step(&scene);
    const StickTrajectory *trajectory = scene.run->trajectory;
    double width = 0, moment = 0;
    StickTouch touch = stick_trajectory_touch(scene.run, 1, "bottom");
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickStripPair *pair = &trajectory->set.pair[i];
        width += trajectory->p[i] > 0 ? pair->length : 0;
        moment += trajectory->p[i] * pair->x[0];
        assert_near(pair->gap, 20 - 20 * cos(asin(pair->x[0] / 10)), 0.2 * fabs(pair->gap) + 1e-12);
    }
    if (getenv("SHOW")) for (int i = 0; i < trajectory->set.npairs; i++) if (trajectory->p[i] > 0) printf("%g %g %g\n", trajectory->set.pair[i].x[0], trajectory->p[i]/trajectory->set.pair[i].length, p0*sqrt(fmax(0,1-pow(trajectory->set.pair[i].x[0]/a,2))));
    assert_near(trajectory->reaction[0][STICK_FRAME_Y], -F, 1e-9 * F);
    assert_near(trajectory->reaction[1][STICK_FRAME_Y], F, 1e-9 * F);
    assert_near(touch.load, F, 1e-3 * F);
    assert_near(touch.pressure, p0, 0.03 * p0);
    assert_near(width, 2 * a, 0.08 * a);
    assert_near(moment, 0, 1e-9 * F);
    assert_below(scene.run->record.worst_consistency, 1e-10);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {test_with_context(hertz_presses_round_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

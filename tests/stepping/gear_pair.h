// SPDX-License-Identifier: Apache-2.0
// The pair of gears of [VBH88] through its mesh cycle: what the tests of its numbers share. Steel, a face width of 1 in,
// bores of 0.5 in and the radius of the rack are not in the paper.
#ifndef STEPPING_GEAR_PAIR_H
#define STEPPING_GEAR_PAIR_H

#include "stepping/scene.h"

#include "stepping/trajectory.h"

enum { POSITIONS = 50, PITCH = 25 };

static const double base_radius = 0.9396926207859083819; // cos 20 degrees
static const double reach = 0.3420201433256687; // from the pitch point to where the line touches base circles
static const double base_pitch = 0.29521314304781;

// What differs from case to case.
typedef struct GearCase {
    double young, mu, torque;
    int nodes, strip;   // 0: as they are unless given
    int teeth, fine;    // of the mesh
    const char *flanks; // NULL: exact
    const char *solver; // NULL: the default
    double addendum;    // 0: 0.75, with dedendum 1.4
    double from, to;    // t of the first and last position, where they are not a cycle
    int positions;      // 0: a cycle
} GearCase;

static inline void gear_open(Scene *scene, StickContext *ctx, const GearCase *of)
{
    char mesh[128] = "", strip[32] = "", way[96] = "cycle: tooth, positions: 50";
    int at = snprintf(mesh, sizeof mesh, "teeth: %d, fine-teeth: %d", of->teeth, of->fine);
    if (of->nodes)
        snprintf(mesh + at, sizeof mesh - (size_t)at, ", flank-nodes: %d", of->nodes);
    if (of->strip)
        snprintf(strip, sizeof strip, ", strip: %d", of->strip);
    if (of->positions)
        snprintf(way, sizeof way, "from: %.17g, to: %.17g, positions: %d", of->from, of->to, of->positions);
    scene_open(
        scene, ctx,
        "materials: {steel: {young: %.17g, poisson: 0.3, density: 7.3e-4}}\n"
        "gears:\n"
        "  pair: {teeth: [20, 20], diametral-pitch: 10, pressure-angle: deg(20), addendum: %.17g, dedendum: "
        "%.17g,\n"
        "         rack-radius: 0.375, centre-distance: 2, face-width: 1, material: steel, bore: 0.5,\n"
        "         flanks: %s, mesh: {%s}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: pair, friction: %.17g, max-distance: 0.01%s}]\n"
        "steps: [{trajectory: {%s, torque: {pair.2: %.17g}}%s%s}]\n",
        of->young, of->addendum > 0 ? of->addendum : 0.75, of->addendum > 0 ? 1.25 : 1.4,
        of->flanks ? of->flanks : "exact", mesh, of->mu, strip, way, of->torque,
        of->solver ? ", solver: " : "", of->solver ? of->solver : "");
}

// Place of teeth 0 on the line of action, 0 at the pitch point.
static inline double place_of(int j)
{
    return (j - PITCH) * base_pitch / POSITIONS;
}

typedef struct Cycle {
    double error[POSITIONS]; // micro-inch at the pitch circle
    double load[POSITIONS], input[POSITIONS];
    double share[POSITIONS][3]; // of teeth -1, 0, 1 of the input
    bool both[POSITIONS];
    int doubles;
    double mean, least, most, skew; // of the error; largest difference of positions that mirror each other
} Cycle;

static inline void take_position(const Scene *scene, int j, Cycle *cycle)
{
    static const char *const tooth[] = {"tooth-19-left", "tooth-0-left", "tooth-1-left"};
    cycle->error[j] = 1e6 * stick_trajectory_error(scene->run, 0);
    cycle->load[j] = stick_trajectory_touch(scene->run, 1, NULL).load;
    cycle->input[j] = stick_trajectory_input(scene->run, 0);
    int teeth = 0;
    for (int k = 0; k < 3; k++) {
        cycle->share[j][k] = stick_trajectory_touch(scene->run, 0, tooth[k]).load;
        teeth += cycle->share[j][k] > 0;
    }
    assert_in_range(teeth, 1, 2);
    cycle->both[j] = teeth == 2;
}

static inline void sum_up(Cycle *cycle)
{
    cycle->doubles = 0;
    cycle->mean = cycle->skew = 0;
    cycle->least = cycle->most = cycle->error[0];
    for (int j = 0; j < POSITIONS; j++) {
        cycle->mean += cycle->error[j] / POSITIONS;
        cycle->least = fmin(cycle->least, cycle->error[j]);
        cycle->most = fmax(cycle->most, cycle->error[j]);
        cycle->doubles += cycle->both[j];
        if (j > 0)
            cycle->skew = fmax(cycle->skew, fabs(cycle->error[j] - cycle->error[POSITIONS - j]));
    }
}

// look: called at each position; NULL: nobody looks.
static inline void roll(StickContext *ctx, const GearCase *of,
                        void (*look)(const Scene *scene, int j, void *user), void *user, Cycle *cycle)
{
    Scene scene;
    gear_open(&scene, ctx, of);
    for (int j = 0; j < POSITIONS; j++) {
        scene_step(&scene);
        take_position(&scene, j, cycle);
        if (look)
            look(&scene, j, user);
    }
    scene_close(&scene);
    sum_up(cycle);
}

#endif

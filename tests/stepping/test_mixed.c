// SPDX-License-Identifier: Apache-2.0
// Rigid and deformable bodies in one step of Moreau's scheme: action and reaction, collisions, Hertz.
#include "brief.h"
#include "stepping/scene.h"

#include "base/pi.h"
#include "base/vec.h"

// ---- action and reaction

// A block of rubber and one of stone meet in the air.
#define COLLISION                                                                                          \
    "materials: {slate: {density: 2500}, latex: {law: elastic, young: 1e6, poisson: 0.3, density: "        \
    "1000}}\n"                                                                                             \
    "bodies:\n"                                                                                            \
    "  stone: {rigid: {box: [0.4, 0.2]}, material: slate, position: [0.05, 0.302], velocity: [0.6, -1], "  \
    "angular-velocity: 0.5}\n"                                                                             \
    "  rubber: {mesh: {rectangle: {size: [1, 0.2], cells: [20, 4], origin: [-0.5, 0]}}, material: latex, " \
    "velocity: [-0.2, 1]%s}\n"                                                                             \
    "contacts: [{between: %s, friction: 0.4%s}]\n"                                                         \
    "steps: [{dynamics: {scheme: moreau, theta: %g, step: 2e-4, end: 1, dissipation: %g}}]\n"

// Moment of the impulses of contact on all bodies about the origin, at the places where H is taken; size: of its parts.
static void contact_moment(const Scene *scene, double sum[3], double *size)
{
    const StickSimulation *run = scene->run;
    int dim = scene->system->dim;
    memset(sum, 0, 3 * sizeof *sum);
    for (int b = 0; b < scene->system->nbodies; b++) {
        const StickBody *body = &scene->system->body[b];
        const double *N = run->p_N + body->first, *T = run->p_T + body->first;
        for (int i = 0; i < (body->rigid ? 1 : body->mesh.nnodes); i++) {
            double x[3] = {0}, p[3] = {0}, moment[3];
            for (int k = 0; k < dim; k++)
                p[k] = N[dim * i + k] + T[dim * i + k];
            for (int k = 0; k < dim && body->rigid; k++)
                x[k] = body->rigid->centre[k] + run->q_H[body->first + k];
            if (!body->rigid)
                stick_body_place(body, dim, i, run->q_H, x);
            stick_vec_cross(x, p, moment);
            for (int k = 0; k < 3; k++) {
                sum[k] += moment[k];
                *size += fabs(x[k]) * (fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
            }
        }
        for (int k = dim == 2 ? 2 : 0; k < 3 && body->rigid; k++)
            sum[k] += N[dim == 2 ? 2 : 3 + k] + T[dim == 2 ? 2 : 3 + k];
    }
}

typedef struct Case {
    const char *pair, *law, *modes;
    double theta, delta;
} Case;

static const Case cases[] = {
    {"[rubber.top, stone]", "", "", 0.5, 1},
    {"[stone, rubber.top]", "", "", 0.5, 1},
    {"[rubber.top, stone]", "", "", 0.7, 1},
    {"[rubber.top, stone]", "", "", 0.5, 0},
    {"[stone, rubber.top]", "", "", 0.5, 0.3},
    {"[rubber.top, stone]", ", restitution: 0.6", "", 0.5, 1},
    {"[stone, rubber.top]", ", restitution: 1", "", 0.55, 1},
    {"[rubber.top, stone]", "", ", modes: {count: 12}", 0.5, 0.5},
    {"[stone, rubber.top]", "", ", modes: {count: 12}", 0.5, 1},
};
enum { NCASES = sizeof cases / sizeof *cases };

static void open_collision(Scene *scene, StickContext *ctx, const Case *one)
{
    scene_open(scene, ctx, COLLISION, one->modes, one->pair, one->law, one->theta, one->delta);
}

// The gap where H is taken: gaps of contacts are those of q_M.
static double gap_there(const StickSimulation *run, int c)
{
    const StickContactSet *set = &run->contacts;
    const StickContact *contact = &set->contact[c];
    double gap = contact->gap;
    for (int e = contact->first; e < contact->first + contact->count; e++)
        gap -= set->H[e * set->dim] * (run->q_M[set->dof[e]] - run->q_H[set->dof[e]]);
    return gap;
}

// What one body takes, the other gives: momentum is kept, and impulses have no moment. A node of the stone presses on the
// surface of the rubber where it is nearest, which is as far as the gap.
static void action_is_reaction(void **state)
{
    for (int k = 0; k < NCASES; k += test_size(1, 3)) {
        Scene scene;
        open_collision(&scene, *state, &cases[k]);
        const StickLedger *ledger = &scene.run->ledger;
        double p[3], scale = ledger->momentum_scale, touched = 0;
        memcpy(p, ledger->momentum, sizeof p);
        for (int i = 0; i < test_size(300, 100); i++) {
            double size = 0, arm = 0, moment[3];
            scene_step(&scene);
            contact_moment(&scene, moment, &size);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                arm += fabs(gap_there(scene.run, c) * scene.run->r[2 * c + 1]);
            assert_below(fabs(moment[2]), 1e-12 * size + (cases[k].pair[1] == 's' ? 1.0001 * arm : 0));
            touched += size;
        }
        assert_true(touched > 0);
        for (int c = 0; c < 2; c++) {
            assert_near(ledger->momentum[c], p[c], 1e-12 * scale);
            assert_near(ledger->contact_impulse[c], 0, 1e-12 * scale);
        }
        assert_below(ledger->worst_momentum, 1e-12);
        assert_below(ledger->worst_angular, 1e-12);
        scene_close(&scene);
    }
}

// The same in space, by the nodes of the deformable body.
static void action_is_reaction_in_space(void **state)
{
    static const char *const shapes[] = {"box: [0.4, 0.3, 0.2]", "sphere: 0.1"};
    for (int k = 0; k < 4; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {slate: {density: 2500}, latex: {law: elastic, young: 1e6, poisson: 0.3, density: "
            "1000}}\n"
            "bodies:\n"
            "  stone: {rigid: {%s}, material: slate, position: [0.1, 0.05, 0.302], velocity: [0.6, 0.3, -1], "
            "angular-velocity: [0.5, -1, 2]}\n"
            "  rubber: {mesh: {box: {size: [1, 0.6, 0.2], cells: [10, 6, 2], origin: [-0.5, -0.3, 0]}}, "
            "material: latex, velocity: [-0.2, 0, 1]%s}\n"
            "contacts: [{between: [rubber.top, stone], friction: 0.4}]\n"
            "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1, dissipation: 0.5}}]\n",
            shapes[k % 2], k < 2 ? "" : ", modes: {count: 20}");
        const StickLedger *ledger = &scene.run->ledger;
        double p[3], scale = ledger->momentum_scale, touched = 0;
        memcpy(p, ledger->momentum, sizeof p);
        for (int i = 0; i < 120; i++) {
            double size = 0, moment[3];
            scene_step(&scene);
            contact_moment(&scene, moment, &size);
            for (int c = 0; c < 3; c++)
                assert_below(fabs(moment[c]), 1e-12 * size);
            touched += size;
        }
        assert_true(touched > 0);
        for (int c = 0; c < 3; c++)
            assert_near(ledger->momentum[c], p[c], 1e-12 * scale);
        assert_below(ledger->worst_angular, 1e-12);
        assert_below(ledger->worst_closure, 1e-10);
        assert_below(ledger->worst_jump, 1e-10);
        scene_close(&scene);
    }
}

// [JM91 (6.4)] from u_L to u_F, and the books of all from u_I to u_F: structural and frictional dissipation apart.
static void energy_is_only_lost(void **state)
{
    for (int k = 0; k < NCASES; k += test_size(1, 3)) {
        Scene scene;
        open_collision(&scene, *state, &cases[k]);
        const StickLedger *ledger = &scene.run->ledger;
        double structural = 0, frictional = 0, little = 1e-10 * ledger->initial;
        for (int i = 0; i < test_size(300, 100); i++) {
            scene_step(&scene);
            assert_true(ledger->frictional >= frictional - little);
            // restitution sees the velocity of each contact before the step, not what others do to it
            assert_true(ledger->structural >= structural - little || cases[k].law[0]);
            structural = ledger->structural;
            frictional = ledger->frictional;
        }
        assert_below(ledger->worst_closure, 1e-10);
        assert_below(ledger->worst_jump, 1e-10);
        assert_true(frictional > little || cases[k].law[0]);
        if (cases[k].delta == 0)
            assert_near(structural, 0, little);
        else if (!cases[k].law[0])
            assert_true(structural > 1e-4 * ledger->initial);
        scene_close(&scene);
    }
}

// ---- elastic on elastic

// Two bars of the material of JM91 section 9 meet at 50 m/s: rho c v / 2 while a wave runs through and back, 2 L / c.
static void elastic_bars_meet_with_the_stress_of_the_wave(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {block: {law: elastic, young: 1300e6, poisson: 0, density: 7800}}\n"
               "bodies:\n"
               "  lower: {mesh: {bar: {length: 0.04, elements: 80}}, material: block}\n"
               "  upper: {mesh: {bar: {length: 0.04, elements: 80, origin: [0.0401]}}, material: block, "
               "velocity: [-50]}\n"
               "contacts: [{between: [upper.start, lower.end], friction: 0}]\n"
               "steps: [{dynamics: {scheme: moreau, theta: 0.55, step: 5e-7, end: 1}}]\n");
    double stress = 0.5 * 7800 * sqrt(1300e6 / 7800) * 50, sum = 0;
    int count = 0;
    assert_near(stress, 79.6e6, 0.05e6);
    while (scene.run->state.now.t < 1.9e-4) { // meet at 2e-6
        scene_step(&scene);
        if (scene.run->state.now.t > 1e-5) {
            sum += scene_force(&scene);
            count++;
        }
    }
    assert_near(sum / count, stress, 0.01 * stress);
    assert_below(scene.run->ledger.worst_closure, 1e-12);
    assert_below(scene.run->ledger.worst_jump, 1e-10);
    scene_close(&scene);
}

// What touches has no mass: structural dissipation goes with the step, down to what nodes lose as they meet; friction stays.
static void structural_dissipation_vanishes_with_the_step(void **state)
{
    double structural[3], frictional[3], impact = 0;
    for (int k = 0; k < 3; k++) {
        Scene scene;
        double h = 4e-6 / (1 << k);
        scene_open(
            &scene, *state,
            "materials: {block: {law: elastic, young: 1300e6, poisson: 0.2, density: 7800}}\n"
            "bodies:\n"
            "  large: {mesh: {rectangle: {size: [0.12, 0.04], cells: [12, 4]}}, material: block}\n"
            "  small: {mesh: {rectangle: {size: [0.04, 0.04], cells: [4, 4], origin: [0.07, 0.0405]}}, "
            "material: block, velocity: [-75, -50]}\n"
            "supports: [{on: large.bottom, displacement: [0, 0]}]\n"
            "contacts: [{between: [small.bottom, large.top], friction: 0.1}]\n"
            "steps: [{dynamics: {scheme: moreau, step: %g, end: 1}}]\n",
            h);
        scene_steps(&scene, (int)lrint(0.6e-3 / h));
        structural[k] = scene.run->ledger.structural;
        frictional[k] = scene.run->ledger.frictional;
        impact = scene.run->ledger.impact;
        assert_near(frictional[k], scene.run->ledger.friction, 0.02 * frictional[k]);
        assert_below(scene.run->ledger.worst_jump, 1e-10);
        scene_close(&scene);
    }
    double order = log2((structural[0] - impact) / (structural[1] - impact));
    assert_near(order, 1, 0.2);
    assert_near(log2((structural[1] - impact) / (structural[2] - impact)), 1, 0.2);
    assert_near(frictional[1], frictional[2], 0.02 * frictional[2]);
}

// ---- elastic on rigid

#define DISK                                                                                               \
    "materials: {stone: {density: 2500}, soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000, "   \
    "rayleigh: {mass: 10, stiffness: 1e-3}}}\n"                                                            \
    "bodies:\n"                                                                                            \
    "  disk: {mesh: {disk: {radius: 0.1, core: [6, 6], rings: 6, centre: [0, 0.1005]}}, material: soft}\n" \
    "%s"                                                                                                   \
    "gravity: [0, -50]\n"                                                                                  \
    "contacts: [{between: [disk.lower, %s], friction: 0.3}]\n"                                             \
    "steps: [{dynamics: {scheme: moreau, theta: 0.55, step: 5e-4, end: 1}}]\n"

// A rigid box that is held is an obstacle.
static void elastic_ball_falls_on_a_rigid_box_as_on_a_plane(void **state)
{
    Scene box, plane;
    scene_open(&box, *state, DISK,
               "  base: {rigid: {box: [0.4, 0.1]}, material: stone, position: [0, -0.05]}\n"
               "supports: [{on: base, displacement: [0, 0], rotation: 0}]\n",
               "base");
    scene_open(&plane, *state, DISK, "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n",
               "floor");
    double most = 0, peak = 0;
    for (int i = 0; i < 200; i++) {
        scene_step(&box);
        scene_step(&plane);
        for (int j = 0; j < plane.run->state.n; j++)
            most = fmax(most, fabs(box.run->state.now.v[j] - plane.run->state.now.v[j]));
        assert_near(scene_force(&box), scene_force(&plane), 1e-7 * fmax(1, scene_force(&plane)));
        peak = fmax(peak, scene_force(&plane));
    }
    double weight = 50 * 1000 * STICK_PI * 0.01;
    assert_true(peak > weight);
    assert_below(most, 1e-8);
    // the box takes all of it to its support
    assert_near(box.run->state.now.reaction[box.system->body[1].first + 1],
                50 * 2500 * 0.04 + scene_force(&box), 1e-8 * weight);
    scene_close(&box);
    scene_close(&plane);
}

// A disk that is held, too: contact sees it round.
static void elastic_block_falls_on_a_rigid_disk_as_on_a_circle(void **state)
{
    static const char *const model =
        "materials: {slate: {density: 2500}, soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
        "bodies:\n"
        "  block: {mesh: {rectangle: {size: [0.4, 0.1], cells: [16, 4], origin: [-0.15, 0.001]}}, material: "
        "soft}\n"
        "%s"
        "gravity: [0, -50]\n"
        "contacts: [{between: [block.bottom, %s], friction: 0.3}]\n"
        "steps: [{dynamics: {scheme: moreau, theta: 0.55, step: 5e-4, end: 1}}]\n";
    Scene disk, circle;
    scene_open(&disk, *state, model,
               "  base: {rigid: {disk: 0.5}, material: slate, position: [0, -0.5]}\n"
               "supports: [{on: base, displacement: [0, 0], rotation: 0}]\n",
               "base");
    scene_open(&circle, *state, model, "obstacles: {hill: {circle: {centre: [0, -0.5], radius: 0.5}}}\n",
               "hill");
    double most = 0;
    for (int i = 0; i < 100; i++) {
        scene_step(&disk);
        scene_step(&circle);
        for (int j = 0; j < circle.run->state.n; j++)
            most = fmax(most, fabs(disk.run->state.now.v[j] - circle.run->state.now.v[j]));
    }
    assert_true(circle.run->ledger.contact_impulse[1] > 0 && circle.run->ledger.friction > 0);
    assert_below(most, 1e-8);
    scene_close(&disk);
    scene_close(&circle);
}

// Of surfaces, restitution is known to one scheme.
static void restitution_of_surfaces_needs_moreau(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    StickStatus status =
        scene_try(&scene, ctx,
                  "stickslip: 1\n"
                  "materials: {soft: {law: elastic, young: 1e6, poisson: 0, density: 1000}}\n"
                  "bodies: {bar: {mesh: {bar: {length: 1, elements: 4}}, material: soft}}\n"
                  "obstacles: {wall: {plane: {point: [-0.1], normal: [1]}}}\n"
                  "contacts: [{between: [bar.start, wall], friction: 0, restitution: 0.5}]\n"
                  "steps: [{dynamics: {scheme: theta, step: 1e-3, end: 1}}]\n");
    assert_int_equal(status, STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "the scheme 'moreau'"));
}

// ---- rigid on elastic: Hertz

// What the contacts that press tell: largest distance from the axis, largest pressure, force upwards on the body below.
typedef struct Pressed {
    double width, pressure, force;
} Pressed;

static Pressed pressed(const Scene *scene)
{
    const StickContactSet *set = &scene->run->contacts;
    int dim = set->dim;
    Pressed found = {0};
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        double force = scene->run->r[dim * c] * stick_simulation_force(scene->run);
        if (force <= 0)
            continue;
        found.width = fmax(found.width, hypot(contact->place[0], dim == 3 ? contact->place[1] : 0));
        found.pressure = fmax(found.pressure, force / contact->area);
        found.force += force * contact->frame[0][dim - 1];
    }
    return found;
}

// A rigid cylinder of radius 1 lies on a block: half width sqrt(4 P R (1 - nu^2) / (pi E)), pressure 2 P / (pi b).
static void rigid_cylinder_presses_as_hertz_says(void **state)
{
    const double E = 1e7, nu = 0.3, R = 1, load = 6e4;
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {rubber: {law: elastic, young: 1e7, poisson: 0.3, density: 1000, rayleigh: {stiffness: "
        "0.01}}}\n"
        "bodies:\n"
        "  block: {mesh: {rectangle: {size: [1.6, 0.8], cells: [64, 32], origin: [-0.8, -0.8]}}, material:\n"
        "          rubber}\n"
        "  punch: {rigid: {disk: 1, mass: %g}, position: [0, 1]}\n"
        "supports: [{on: block.bottom, displacement: [0, 0]}, {on: punch, displacement: [0, free], rotation: "
        "0}]\n"
        "gravity: [0, \"-10*min(1, t)\"]\n"
        "contacts: [{between: [block.top, punch], friction: 0}]\n"
        "steps: [{dynamics: {scheme: moreau, theta: 1, step: 1e-2, end: 4}}]\n",
        load / 10);
    scene_steps(&scene, 200);
    double b = sqrt(4 * load * R * (1 - nu * nu) / (STICK_PI * E)), peak = 2 * load / (STICK_PI * b);
    Pressed found = pressed(&scene);
    assert_near(fabs(found.force), load, 1e-3 * load);
    assert_near(found.width, b, 0.025); // an element
    assert_near(found.pressure, peak, 0.08 * peak);
    scene_close(&scene);
}

// Normal force of a sphere that presses on the block of the test below, as an obstacle in a quasistatic step.
static double pressed_by_obstacle(void *ctx, double depth)
{
    Scene scene;
    scene_open(
        &scene, ctx,
        "materials: {rubber: {law: elastic, young: 1e7, poisson: 0.3, density: 1000}}\n"
        "bodies: {block: {mesh: {box: {size: [1.6, 1.6, 0.8], cells: [20, 20, 10], origin: [-0.8, -0.8, "
        "-0.8]}},\n"
        "         material: rubber}}\n"
        "obstacles: {ball: {sphere: {centre: [0, 0, 1], radius: 1}, displacement: [0, 0, \"-%g*t\"]}}\n"
        "supports: [{on: block.bottom, displacement: [0, 0, 0]}]\n"
        "contacts: [{between: [block.top, ball], friction: 0}]\n"
        "steps: [{quasistatic: {increments: 4, end: 1}}]\n",
        depth);
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    double force = scene_force(&scene);
    scene_close(&scene);
    return force;
}

// A rigid sphere of radius 1 is led into a block by d: force 4/3 E/(1 - nu^2) sqrt(R d^3), half width sqrt(R d).
static void rigid_sphere_presses_as_hertz_says(void **state)
{
    const double E = 1e7, nu = 0.3, R = 1, depth = 0.04;
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {rubber: {law: elastic, young: 1e7, poisson: 0.3, density: 1000, rayleigh: {stiffness: "
        "0.01}}}\n"
        "bodies:\n"
        "  block: {mesh: {box: {size: [1.6, 1.6, 0.8], cells: [20, 20, 10], origin: [-0.8, -0.8, -0.8]}},\n"
        "          material: rubber}\n"
        "  ball: {rigid: {sphere: 1, mass: 1000}, position: [0, 0, 1]}\n"
        "supports:\n"
        "  - {on: block.bottom, displacement: [0, 0, 0]}\n"
        "  - {on: ball, velocity: [0, 0, \"t < 1 and -%g or 0\"], angular-velocity: [0, 0, 0]}\n"
        "contacts: [{between: [block.top, ball], friction: 0}]\n"
        "steps: [{dynamics: {scheme: moreau, theta: 1, step: 5e-2, end: 4}}]\n",
        depth);
    scene_steps(&scene, 40);
    double force = 4.0 / 3 * E / (1 - nu * nu) * sqrt(R * pow(depth, 3)), width = sqrt(R * depth);
    Pressed found = pressed(&scene);
    // the same mesh under an obstacle that is pressed in without inertia
    double reference = pressed_by_obstacle(*state, depth);
    print_message("rigid sphere: %.4g, without inertia %.4g, half-space %.4g\n", fabs(found.force), reference,
                  force);
    assert_near(fabs(found.force), reference, 0.1 * reference);
    // the block is not a half-space, and the mesh is coarse
    assert_near(reference, force, 0.3 * force);
    assert_near(found.width, width, 0.08); // an element
    assert_below(scene.run->ledger.worst_momentum, 1e-12);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(action_is_reaction),
        test_with_context(action_is_reaction_in_space),
        test_with_context(energy_is_only_lost),
        test_with_context(elastic_bars_meet_with_the_stress_of_the_wave),
        test_with_context(structural_dissipation_vanishes_with_the_step),
        test_with_context(elastic_ball_falls_on_a_rigid_box_as_on_a_plane),
        test_with_context(elastic_block_falls_on_a_rigid_disk_as_on_a_circle),
        test_with_context(restitution_of_surfaces_needs_moreau),
        test_with_context(rigid_cylinder_presses_as_hertz_says),
        test_with_context(rigid_sphere_presses_as_hertz_says),
    };
    return cmocka_run_group_tests_name("stepping.mixed", tests, NULL, NULL);
}

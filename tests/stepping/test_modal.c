// SPDX-License-Identifier: Apache-2.0
// Bodies that move by modes: the answers of their elements with all of them, and the laws of mechanics with few.
#include "stepping/scene.h"

#include "base/pi.h"
#include "base/vec.h"
#include "bodies/modes.h"

static const char *const schemes[] = {
    "scheme: theta, theta: 0.5",
    "scheme: theta, theta: 0.55",
    "scheme: theta-euler, theta: 0.55",
    "scheme: modified-theta, theta: 0.55",
    "scheme: newmark",
    "scheme: moreau",
    "scheme: moreau, theta: 0.7",
};
enum { NSCHEMES = sizeof schemes / sizeof *schemes };

// A block falls obliquely on a base that is held at its foot.
#define BLOCKS                                                                                            \
    "materials:\n"                                                                                        \
    "  soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000, viscosity: {shear: 40, bulk: 20},\n" \
    "         rayleigh: {mass: 5, stiffness: 1e-5}}\n"                                                    \
    "  hard: {law: elastic, young: 4e6, poisson: 0.2, density: 2000}\n"                                   \
    "bodies:\n"                                                                                           \
    "  base: {mesh: {rectangle: {size: [0.6, 0.2], cells: [4, 2]}}, material: soft%s}\n"                  \
    "  block: {mesh: {rectangle: {size: [0.25, 0.2], cells: [3, 2], origin: [0.15, 0.203]}}, material:\n" \
    "          hard, velocity: [0.5, -1], angular-velocity: 2%s}\n"                                       \
    "supports: [{on: base.bottom, displacement: [0, 0]}]\n"                                               \
    "loads: [{on: block.right, pressure: \"4e3*sin(50*t + x)\"}]\n"                                       \
    "gravity: [0, -9.81]\n"                                                                               \
    "contacts: [{between: [block.bottom, base.top], method: nodes, friction: 0.3}]\n"                     \
    "steps: [{dynamics: {%s, step: 2e-4, end: 1}, solver: {tolerance: 1e-12}}]\n"

// 20 and 24 are all degrees of freedom that are free.
static void all_modes_are_all_there_is(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene full, modal;
        scene_open(&full, *state, BLOCKS, "", "", schemes[k]);
        scene_open(&modal, *state, BLOCKS, ", modes: {count: 20}", ", modes: {count: 24}", schemes[k]);
        // each step leaves what its tolerance allows; theta = 1/2 and Newmark damp nothing, so that it grows from impact
        // to impact
        bool damps = k != 0 && k != 4;
        int steps = damps ? 150 : 50;
        double most = 0, speed = 0, little = 1e-12 * (damps ? steps : 2 * steps);
        for (int i = 0; i < steps; i++) {
            scene_step(&full);
            scene_step(&modal);
            for (int j = 0; j < full.run->state.n; j++) {
                most = fmax(most, fabs(full.run->state.now.v[j] - modal.run->state.now.v[j]));
                speed = fmax(speed, fabs(full.run->state.now.v[j]));
            }
        }
        assert_below(most, little * speed);
        assert_true(full.run->ledger.contact_impulse[1] != 0 || full.run->ledger.friction > 0);
        assert_near(modal.run->ledger.friction, full.run->ledger.friction, little * full.run->ledger.scale);
        for (int c = 0; c < 2; c++)
            assert_near(modal.run->ledger.support_impulse[c], full.run->ledger.support_impulse[c],
                        little * full.run->ledger.momentum_scale);
        scene_close(&full);
        scene_close(&modal);
    }
}

static void books_close_with_few_modes(void **state)
{
    for (int k = 0; k < NSCHEMES; k++) {
        Scene scene;
        scene_open(&scene, *state, BLOCKS, ", modes: {count: 7}", ", modes: {count: 8, damping: 0.03}",
                   schemes[k]);
        scene_steps(&scene, 300);
        const StickLedger *ledger = &scene.run->ledger;
        assert_true(ledger->friction > 0 && ledger->viscous > 0);
        assert_below(ledger->worst_closure, 1e-12);
        assert_below(ledger->worst_momentum, 1e-12);
        assert_below(ledger->worst_equilibrium, 1e-10);
        assert_below(ledger->worst_jump, 1e-10);
        scene_close(&scene);
    }
}

// A bar hits a wall: the more modes, the nearer is the motion of the bar.
static void motion_converges_with_the_number_of_modes(void **state)
{
    static const char *const bar =
        "materials: {steel: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
        "bodies: {bar: {mesh: {bar: {length: 1, elements: 64}}, material: steel, velocity: [-1]%s}}\n"
        "obstacles: {wall: {plane: {point: [-0.1], normal: [1]}}}\n"
        "contacts: [{between: [bar.start, wall], friction: 0}]\n"
        "steps: [{dynamics: {scheme: modified-theta, theta: 0.55, step: 0.01, end: 3}}]\n";
    static const char *const modes[] = {"", ", modes: {count: 4}", ", modes: {count: 8}",
                                        ", modes: {count: 16}", ", modes: {count: 32}"};
    enum { STEPS = 280 };
    double middle[5][STEPS], impulse[5], error[5];
    for (int k = 0; k < 5; k++) {
        Scene scene;
        scene_open(&scene, *state, bar, modes[k]);
        error[k] = 0;
        for (int i = 0; i < STEPS; i++) {
            scene_step(&scene);
            middle[k][i] = scene_mean(&scene, 0, 0, scene.run->state.now.q);
            error[k] = fmax(error[k], fabs(middle[k][i] - middle[0][i]));
        }
        impulse[k] = scene.run->ledger.contact_impulse[0];
        scene_close(&scene);
    }
    for (int k = 2; k < 5; k++) {
        assert_below(error[k], 0.6 * error[k - 1]);
        assert_below(fabs(impulse[k] - impulse[0]), fabs(impulse[k - 1] - impulse[0]));
    }
    assert_below(error[4], 1e-2);
    assert_near(impulse[4], 2, 0.1);
}

#define CANTILEVER                                                                                         \
    "materials: {steel: {law: elastic, young: 2e11, poisson: 0.3, density: 8000}}\n"                       \
    "bodies: {beam: {mesh: {rectangle: {size: [1, 0.1], cells: [20, 3]}}, element: quadratic, material:\n" \
    "  steel, displacement: [0, \"0.001*x*x\"], modes: {count: %d, damping: %g}}}\n"                       \
    "supports: [{on: beam.left, displacement: [0, 0]}]\n"                                                  \
    "steps: [{dynamics: {%s, step: %g, end: 1}}]\n"

// The middle rule turns an oscillator by 2 atan(h omega / 2) in every step.
static void cantilever_swings_at_its_frequency(void **state)
{
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state, CANTILEVER, 1, 0., k == 0 ? "scheme: theta, theta: 0.5" : "scheme: moreau",
                   1e-4);
        double omega = sqrt(scene.system->body[0].modes->value[0]), angle = 2 * atan(0.5e-4 * omega);
        int dof = scene_dof(&scene, 0, "right", 1);
        double start = scene.run->state.now.q[dof];
        assert_true(start > 5e-4);
        for (int i = 1; i <= 1000; i++) {
            scene_step(&scene);
            assert_near(scene.run->state.now.q[dof] / start, cos(i * angle), 1e-10);
            assert_near(scene.run->state.now.v[dof] / (start * omega), -sin(i * angle), 1e-10);
        }
        assert_near(scene_energy(&scene), scene.run->ledger.initial, 1e-12 * scene.run->ledger.initial);
        scene_close(&scene);
    }
}

// q'' + 2 ratio omega q' + omega^2 q = 0, by the middle rule
static void damping_ratio_is_that_of_the_mode(void **state)
{
    Scene scene;
    double h = 1e-4, ratio = 0.05;
    scene_open(&scene, *state, CANTILEVER, 1, ratio, "scheme: theta, theta: 0.5", h);
    double omega = sqrt(scene.system->body[0].modes->value[0]), q = 1, v = 0;
    int dof = scene_dof(&scene, 0, "right", 1);
    double start = scene.run->state.now.q[dof];
    for (int i = 1; i <= 500; i++) {
        double A = 1 + h * ratio * omega + 0.25 * h * h * omega * omega;
        double dv = -h * (2 * ratio * omega * v + omega * omega * (q + 0.5 * h * v)) / A;
        q += h * (v + 0.5 * dv);
        v += dv;
        scene_step(&scene);
        assert_near(scene.run->state.now.q[dof] / start, q, 1e-10);
    }
    assert_near(scene_energy(&scene) + scene.run->ledger.viscous, scene.run->ledger.initial,
                1e-12 * scene.run->ledger.initial);
    scene_close(&scene);
}

// Moment of momentum about the origin, in the reference place.
static void angular_momentum(const StickBody *body, const double *Mv, double sum[3])
{
    int dim = body->mesh.dim;
    sum[0] = sum[1] = sum[2] = 0;
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double x[3] = {0}, p[3] = {0}, moment[3];
        memcpy(x, &body->mesh.x[i * dim], (size_t)dim * sizeof *x);
        memcpy(p, &Mv[i * dim], (size_t)dim * sizeof *p);
        stick_vec_cross(x, p, moment);
        for (int k = 0; k < 3; k++)
            sum[k] += moment[k];
    }
}

// Motions as a whole belong to the shapes of a body that nothing holds.
static void free_bodies_keep_their_momentum(void **state)
{
    static const char *const meshes[] = {"rectangle: {size: [0.4, 0.2], cells: [8, 4]}",
                                         "box: {size: [0.4, 0.2, 0.3], cells: [4, 2, 3]}"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {law: elastic, young: 1e8, poisson: 0.3, density: 1000}}\n"
                   "bodies: {block: {mesh: {%s}, material: soft, velocity: %s, modes: {count: 14}}}\n"
                   "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1e-5, end: 1}}]\n",
                   meshes[k],
                   k == 0 ? "[\"1 + 20*x*y\", \"2*x - 30*x*x\"]"
                          : "[\"1 + 20*x*y\", \"2*x - 30*x*x\", \"5*z*x - y\"]");
        const StickLedger *ledger = &scene.run->ledger;
        double start[3], p[3], now[3], size = 0.5 * ledger->momentum_scale;
        memcpy(p, ledger->momentum, sizeof p);
        angular_momentum(&scene.system->body[0], scene.run->state.now.Mv, start);
        scene_steps(&scene, 400);
        assert_true(ledger->elastic > 0.01 * ledger->initial || ledger->kinetic < 0.999 * ledger->initial);
        angular_momentum(&scene.system->body[0], scene.run->state.now.Mv, now);
        for (int c = 0; c < 3; c++) {
            assert_near(ledger->momentum[c], p[c], 1e-12 * size);
            assert_near(now[c], start[c], 1e-12 * size);
        }
        assert_near(scene_energy(&scene), ledger->initial, 1e-12 * ledger->initial);
        scene_close(&scene);
    }
}

// A rigid block comes to rest on a pad that moves by modes, either way round: the weight goes through to the support.
static void rigid_block_rests_on_modes(void **state)
{
    static const char *const pairs[] = {"[pad.top, block]", "[block, pad.top]"};
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(
            &scene, *state,
            "materials: {stone: {density: 2500}, rubber: {law: elastic, young: 1e6, poisson: 0.3, density: "
            "1000, rayleigh: {stiffness: 0.02}}}\n"
            "bodies:\n"
            "  block: {rigid: {box: [0.4, 0.2]}, material: stone, position: [0, 0.301]}\n"
            "  pad: {mesh: {rectangle: {size: [1, 0.2], cells: [10, 2], origin: [-0.5, 0]}}, material: "
            "rubber,\n"
            "        modes: {count: 15}}\n"
            "supports: [{on: pad.bottom, displacement: [0, 0]}]\n"
            "gravity: [0, -9.81]\n"
            "contacts: [{between: %s, friction: 0.5}]\n"
            "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n",
            pairs[k]);
        scene_steps(&scene, 1000);
        const StickLedger *ledger = &scene.run->ledger;
        double weight = 9.81 * 2500 * 0.08, all = weight + 9.81 * 1000 * 0.2, reaction = 0;
        assert_near((scene.run->p_N[1] + scene.run->p_T[1]) / 1e-3, weight, 1e-3 * weight);
        const StickBody *pad = &scene.system->body[1];
        for (int i = pad->first + 1; i < pad->first + pad->ndofs; i += 2)
            reaction += scene.run->state.now.reaction[i];
        assert_near(reaction, all, 1e-3 * all);
        assert_below(ledger->kinetic, 1e-6 * ledger->scale);
        assert_below(ledger->worst_closure, 1e-12);
        assert_below(ledger->worst_momentum, 1e-12);
        scene_close(&scene);
    }
}

static void lost_energy_of_the_start_is_told(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    scene_open(
        &scene, ctx,
        "materials: {soft: {law: elastic, young: 1e8, poisson: 0.3, density: 1000}}\n"
        "bodies: {bar: {mesh: {bar: {length: 1, elements: 30}}, material: soft, velocity: [\"sin(40*x)\"], "
        "modes: {count: 4}}}\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1e-5, end: 1}}]\n");
    assert_below(scene.run->ledger.initial, 0.2 * 0.25 * 1000);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_modes_are_all_there_is),
        test_with_context(books_close_with_few_modes),
        test_with_context(motion_converges_with_the_number_of_modes),
        test_with_context(cantilever_swings_at_its_frequency),
        test_with_context(damping_ratio_is_that_of_the_mode),
        test_with_context(free_bodies_keep_their_momentum),
        test_with_context(rigid_block_rests_on_modes),
        test_with_context(lost_energy_of_the_start_is_told),
    };
    return cmocka_run_group_tests_name("stepping.modal", tests, NULL, NULL);
}

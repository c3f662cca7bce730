// SPDX-License-Identifier: Apache-2.0
// Two bodies of rubber pressed on each other: by symmetry each is as if pressed on a rigid plane between them.
#include "stepping/newton_contact.h"
#include "stepping/scene.h"

typedef struct Press {
    const char *upper, *lower; // meshes; lower NULL: a rigid plane
    const char *sides[2];      // the surface of both, and where they are held
    const char *lower_side;    // its surface, where it has another name
    const char *material;      // of the lower one
    bool both;                 // each is the slave of the other, and then ...
    bool on_nodes;  // ... nodes are on nodes, each in the kink between two pieces of the other one: which
                    // of these it is on hangs on rounding, and so does the way of the iterations
    double way, mu; // by which both move together
    int increments;
} Press;

// The lower one is the upper one turned around, or a mesh of its own.
static void open_press(Scene *scene, StickContext *ctx, const Press *p)
{
    static char lower[1500], pair[500];
    const char *surface = p->sides[0];
    snprintf(pair, sizeof pair, ", {between: [lower.%s, upper.%s], friction: %g}", surface, surface, p->mu);
    snprintf(lower, sizeof lower,
             ", lower: {mesh: {%s}, rotation: pi, element: mean-dilatation, plane: strain, material: %s}}\n"
             "supports: [{on: upper.%s, displacement: [0, \"-%g*t\"]}, {on: lower.%s, displacement: [0, "
             "\"%g*t\"]}]\n"
             "contacts: [{between: [upper.%s, lower.%s], friction: %g}%s]\n",
             p->lower ? p->lower : "", p->material, p->sides[1], p->way / 2, p->sides[1], p->way / 2, surface,
             p->lower_side ? p->lower_side : surface, p->mu, p->both ? pair : "");
    if (!p->lower)
        snprintf(lower, sizeof lower,
                 "}\nobstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                 "supports: [{on: upper.%s, displacement: [0, \"-%g*t\"]}]\n"
                 "contacts: [{between: [upper.%s, ground], friction: %g}]\n",
                 p->sides[1], p->way / 2, surface, p->mu);
    scene_open(scene, ctx,
               "materials: {rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 120, density: 1.2e-9}, "
               "stiff: {young: 1e5, poisson: 0.3, density: 1}}\n"
               "bodies: {upper: {mesh: {%s}, element: mean-dilatation, plane: strain, material: rubber}%s"
               "steps: [{quasistatic: {end: 1, increments: %d}}]\n",
               p->upper, lower, p->increments);
}

// The force between them, which presses the upper one up. Normals at corners may be those of either side.
static double force_between(const Scene *scene)
{
    const StickBody *upper = &scene->system->body[0];
    const StickMotion *now = &scene->run->state.now;
    double sum = 0;
    for (int i = upper->first + 1; i < upper->first + upper->ndofs; i += 2)
        sum += now->contact_N[i] + now->contact_T[i];
    return sum;
}

// Of iterations that met the gaps, none had left much less out of balance than the one that was taken.
static void assert_best(const StickNewtonContact *josephy)
{
    double taken = josephy->row[josephy->count - 1].residual;
    for (int k = 0; k < josephy->count && taken > 1e-11; k++)
        if (josephy->row[k].part == 1 && josephy->row[k].gap <= 1e-8)
            assert_true(0.3 * taken <= josephy->row[k].residual);
}

// The force between them at the end.
static double press(StickContext *ctx, const Press *p, int most)
{
    double left =
        p->on_nodes
            ? 1e-8
            : 1e-9; // the first: what iterations that stand still may leave (stepping/newton_contact.c)
    Scene scene;
    open_press(&scene, ctx, p);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        assert_best(scene.run->newton_contact);
    }
    double force = force_between(&scene);
    assert_true(scene.run->record.jumps == 0);
    assert_true(scene.run->record.newton_most <= most);
    assert_true(!p->on_nodes || scene.run->record.newton <= 10 * p->increments);
    assert_below(scene.run->ledger.worst_equilibrium, left);
    assert_below(scene.run->ledger.worst_closure, left);
    scene_close(&scene);
    return force;
}

#define BLOCK(cells, x) "rectangle: {size: [20, 10], cells: " cells ", origin: [" x ", 0]}"
#define DISK(y) "disk: {radius: 10, core: [8, 8], rings: 4, part: half, centre: [0, " y "]}"

static const Press blocks = {
    .upper = BLOCK("[8, 4]", "-10"), .sides = {"bottom", "top"}, .material = "rubber", .increments = 10};
static const Press disks = {
    .upper = DISK("10"), .sides = {"lower", "top"}, .material = "rubber", .increments = 10};

static void blocks_on_each_other(void **state)
{
    static const double ways[] = {4, 8};
    for (int k = 0; k < 2; k++) {
        Press p = blocks;
        p.way = ways[k];
        double half = press(*state, &p, 5);
        p.lower = BLOCK("[8, 4]", "10");
        assert_near(press(*state, &p, 20), half, 1e-9 * half);
    }
}

static void each_may_be_the_slave_of_the_other(void **state)
{
    Press p = blocks;
    p.way = 4;
    double half = press(*state, &p, 5);
    p.both = true;
    p.lower = BLOCK("[8, 4]", "10");
    assert_near(press(*state, &p, 5), half, 1e-9 * half);
    p.lower = BLOCK("[13, 5]", "10");
    assert_near(press(*state, &p, 6), half, 0.02 * half); // finer below
}

// Between two bodies that are alike nothing slides: friction is none.
static void half_disks_on_each_other(void **state)
{
    static const double frictions[] = {0, 0.3};
    Press p = disks;
    p.way = 4;
    double half = press(*state, &p, 5);
    p.lower = DISK("-10");
    for (int k = 0; k < 2; k++) {
        p.mu = frictions[k];
        p.both = p.on_nodes = false;
        assert_near(press(*state, &p, 12), half, 0.01 * half);
        p.both = p.on_nodes = true;
        assert_near(press(*state, &p, STICK_MOST_NEWTON), half, 2e-4 * half);
    }
}

// To 40 % of their radius.
static void half_disks_pressed_hard(void **state)
{
    Press p = disks;
    p.way = 8;
    double half = press(*state, &p, 8);
    p.lower = DISK("-10");
    p.both = p.on_nodes = true;
    assert_near(press(*state, &p, STICK_MOST_NEWTON), half, 1e-9 * half);
}

// Small strains below, whose surface is nearly rigid.
static void rubber_on_steel(void **state)
{
    Press p = disks;
    p.way = 4;
    double rigid = press(*state, &p, 5);
    p.lower = BLOCK("[8, 4]", "10");
    p.material = "stiff";
    p.lower_side = "bottom";
    p.way = 2;
    assert_near(press(*state, &p, 30), rigid, 1e-3 * rigid);
}

// Nodes that go from piece to piece of a block below: increments that are lost by frames that turn go on without. Its end
// is at -20 + shift.
static double press_half_disk(StickContext *ctx, int cells, double shift)
{
    Scene scene;
    scene_open(
        &scene, ctx,
        "materials: {rubber: {law: mooney-rivlin, a1: 0.293, a2: 0.177, bulk: 120, density: 1.2e-9}}\n"
        "bodies: {upper: {mesh: {" DISK(
            "10") "}, element: mean-dilatation, plane: strain, material: "
                  "rubber}, lower: {mesh: {rectangle: {size: [40, 10], cells: [%d, 6], origin: [-20 + %g, "
                  "-10]}}, "
                  "element: mean-dilatation, plane: strain, material: rubber}}\n"
                  "supports: [{on: upper.top, displacement: [0, \"-3*t\"]}, {on: lower.bottom, displacement: "
                  "[0, 0]}]\n"
                  "contacts: [{between: [upper.lower, lower.top], friction: 0}]\n"
                  "steps: [{quasistatic: {end: 1, increments: 10}}]\n",
        cells, shift);
    while (!stick_simulation_is_done(scene.run))
        scene_step(&scene);
    double force = scene_force(&scene);
    assert_true(scene.run->record.jumps == 0);
    assert_below(scene.run->ledger.worst_equilibrium, 1e-8);
    scene_close(&scene);
    return force;
}

static void half_disk_on_a_block(void **state)
{
    static const int cells[] = {12, 20, 33};
    for (int k = 0; k < 3; k++)
        assert_near(press_half_disk(*state, cells[k], 0.1), 13.6, 0.1); // one force on all meshes
}

// Its lowest node is above the middle of a piece. Of pieces on its left and on its right that make a nook with this one
// rounding tells which is seen, and whether the node slides off the middle: the symmetric state has 1.7 % less force.
static void half_disk_above_the_middle_of_a_piece(void **state)
{
    assert_near(press_half_disk(*state, 33, 0), 13.5, 0.15);
}

// From where it is near, each iteration leaves the square of what the last one left: frames turn in the tangent.
static void iterations_converge_quadratically(void **state)
{
    Scene scene;
    Press p = disks;
    int judged = 0;
    p.way = 4;
    p.lower = DISK("-10");
    open_press(&scene, *state, &p);
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        const StickNewtonContact *josephy = scene.run->newton_contact;
        for (int k = 0; k + 1 < josephy->count; k++) {
            double now = josephy->row[k].residual, next = josephy->row[k + 1].residual;
            if (now > 1e-3 || josephy->row[k].active != josephy->row[k + 1].active)
                continue;
            assert_true(next <= fmax(1e3 * now * now, 1e-10));
            judged++;
        }
    }
    assert_true(judged > 10);
    scene_close(&scene);
}

#define RUBBER                                                                                      \
    "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 20, density: 1}}\n"                     \
    "bodies: {upper: {mesh: {rectangle: {size: [4, 1], cells: [8, 2]}}, element: mean-dilatation, " \
    "plane: strain, material: rubber}, lower: {mesh: {rectangle: {size: [2, 1], cells: [3, 1], "    \
    "origin: [-0.1, -1]}}, element: mean-dilatation, plane: strain, material: rubber}}\n"           \
    "supports: [{on: upper.top, displacement: [0, \"-0.1*t\"]}, {on: lower.bottom, displacement: [0, 0]}]\n"

static void open_overhang(Scene *scene, StickContext *ctx, const char *method)
{
    scene_open(scene, ctx,
               RUBBER "contacts: [{between: [upper.bottom, lower.top], method: %s, friction: 0}]\n"
                      "steps: [{quasistatic: {end: 1, increments: 4}}]\n",
               method);
}

static bool is_of(const Scene *scene, int body, int dof)
{
    const StickBody *own = &scene->system->body[body];
    return dof >= own->first && dof < own->first + own->ndofs;
}

// A contact of six entries is a node on a piece of the master: itself and two corners.
static void nodes_on_pieces_turn(void **state)
{
    Scene scene;
    int turned = 0;
    open_overhang(&scene, *state, "nodes");
    while (!stick_simulation_is_done(scene.run)) {
        const StickContactSet *set = &scene.run->contacts;
        scene_step(&scene);
        for (int c = 0; c < set->ncontacts; c++) {
            const StickContact *contact = &set->contact[c];
            const int *dof = set->dof + contact->first;
            assert_true(contact->count == 4 || contact->count == 6);
            assert_int_equal(dof[0], scene.system->body[0].first + 2 * contact->feature);
            assert_true(is_of(&scene, 1, dof[2]) && is_of(&scene, 1, dof[contact->count - 1]));
        }
        turned += scene.run->newton_contact->regularization.turning.nturned;
    }
    assert_true(turned > 0);
    scene_close(&scene);
}

// Sides that are integrated have more entries, also where they hang over the end of the other body.
static void integrated_sides_do_not_turn(void **state)
{
    Scene scene;
    open_overhang(&scene, *state, "integrated");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        assert_true(scene.run->contacts.ncontacts > 0);
        for (int c = 0; c < scene.run->contacts.ncontacts; c++)
            assert_true(scene.run->contacts.contact[c].count >= 8);
        assert_true(scene.run->newton_contact->regularization.turning.used);
        assert_int_equal(scene.run->newton_contact->regularization.turning.nturned, 0);
    }
    scene_close(&scene);
}

// With more contacts than a dense system is made for the same forces are found, and it is told once what was left out.
static void too_many_rows_are_told(void **state)
{
    static const char words[] = "left out of the tangent between deformable bodies";
    double force[2];
    for (int few = 0; few < 2; few++) {
        Scene scene;
        open_overhang(&scene, *state, "nodes");
        StickContactGeometricStiffness *turning = &scene.run->newton_contact->regularization.turning;
        assert_int_equal(turning->most, 1500);
        if (few)
            turning->most = 8;
        while (!stick_simulation_is_done(scene.run)) {
            scene_step(&scene);
            assert_true(turning->on == !few);
        }
        force[few] = force_between(&scene);
        assert_int_equal(times_warned(*state, words), few);
        scene_close(&scene);
    }
    assert_near(force[1], force[0], 1e-6 * force[0]); // gaps are met to 1e-8 of the displacements
}

static void failing_memory(void **state)
{
    (void)state;
    static char text[] = "stickslip: 1\n"
                         "materials: {rubber: {law: neo-hookean, shear: 1, bulk: 20, density: 1}}\n"
                         "bodies: {upper: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, element: "
                         "mean-dilatation, plane: strain, "
                         "material: rubber}, lower: {mesh: {rectangle: {size: [3, 1], cells: [2, 1], origin: "
                         "[-0.4, -1]}}, element: "
                         "mean-dilatation, plane: strain, material: rubber}}\n"
                         "supports: [{on: upper.top, displacement: [0, \"-0.1*t\"]}, {on: lower.bottom, "
                         "displacement: [0, 0]}]\n"
                         "contacts: [{between: [upper.bottom, lower.top], friction: 0}]\n"
                         "steps: [{quasistatic: {end: 1, increments: 3}}]\n";
    assert_survives_failing_memory(scene_three_steps, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(blocks_on_each_other),
        test_with_context(each_may_be_the_slave_of_the_other),
        test_with_context(half_disks_on_each_other),
        test_with_context(half_disks_pressed_hard),
        test_with_context(rubber_on_steel),
        test_with_context(half_disk_on_a_block),
        test_with_context(half_disk_above_the_middle_of_a_piece),
        test_with_context(iterations_converge_quadratically),
        test_with_context(nodes_on_pieces_turn),
        test_with_context(integrated_sides_do_not_turn),
        test_with_context(too_many_rows_are_told),
        cmocka_unit_test(failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Pressures of integrated surfaces: on the reference area where strains are small, on the present one where they are finite,
// whatever the increments.
#include "stepping/scene.h"

typedef struct Block {
    const char *name, *mesh, *plane, *sides; // sides: supports of planes of symmetry
    const char *floor, *down;
    int dim;
} Block;

// A block of height 1 and width 1 (a cylinder of radius 1, a cube), pressed by 0.2 on a floor without friction.
static const Block block[] = {
    {"plane stress", "{rectangle: {size: [1, 1], cells: [3, 2]}}", "plane: stress, element: quadratic, ",
     "  - {on: b.left, displacement: [0, free]}\n", "{point: [0, 0], normal: [0, 1]}", "[free, -0.2*t]", 2},
    {"plane strain", "{rectangle: {size: [1, 1], cells: [3, 2]}}", "plane: strain, ",
     "  - {on: b.left, displacement: [0, free]}\n", "{point: [0, 0], normal: [0, 1]}", "[free, -0.2*t]", 2},
    {"ring", "{rectangle: {size: [1, 1], cells: [3, 2]}}", "plane: axisymmetric, element: quadratic, ", "",
     "{point: [0, 0], normal: [0, 1]}", "[free, -0.2*t]", 2},
    {"cube", "{box: {size: [1, 1, 1], cells: [2, 2, 2]}}", "",
     "  - {on: b.left, displacement: [0, free, free]}\n  - {on: b.front, displacement: [free, 0, free]}\n",
     "{point: [0, 0, 0], normal: [0, 0, 1]}", "[free, free, -0.2*t]", 3},
};

static void open_block(Scene *scene, StickContext *ctx, const Block *b, bool finite, int increments)
{
    bool quadratic = strstr(b->plane, "quadratic") != NULL;
    char plane[80];
    snprintf(plane, sizeof plane, "%s", b->plane);
    if (finite && quadratic) // finite strains have linear elements
        *strstr(plane, "element") = '\0';
    scene_open(scene, ctx,
               "materials: {m: {%s, density: 1}}\n"
               "bodies: {b: {mesh: %s, %smaterial: m}}\n"
               "obstacles: {floor: {plane: %s}}\n"
               "supports:\n"
               "%s"
               "  - {on: b.top, displacement: %s}\n"
               "contacts: [{between: [b.bottom, floor], method: integrated, friction: \"0*p\"}]\n"
               "steps: [{name: press, quasistatic: {end: 1, increments: %d}}]\n",
               finite ? "law: neo-hookean, shear: 1, bulk: 2" : "young: 3, poisson: 0.3", b->mesh, plane,
               b->floor, b->sides, b->down, increments);
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
}

static double pressure_of(const Scene *scene, int c)
{
    const StickContact *contact = &scene->run->contacts.contact[c];
    double p = scene->run->r[c * scene->system->dim] / contact->area;
    assert_near(scene->run->state.memory.pressure[stick_memory_slot(&scene->run->state.memory, contact)], p,
                1e-14);
    return p;
}

// E 0.2 in plane stress, in a ring and in a cube, E / (1 - nu^2) 0.2 in plane strain.
static void it_is_the_stress_below_where_strains_are_small(void **state)
{
    for (size_t k = 0; k < sizeof block / sizeof *block; k++)
        for (int increments = 1; increments <= 4; increments *= 2) {
            Scene scene;
            double exact = strcmp(block[k].name, "plane strain") == 0 ? 0.6 / (1 - 0.09) : 0.6;
            open_block(&scene, *state, &block[k], false, increments);
            assert_true(scene.run->contacts.ncontacts >= 4);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                assert_near(pressure_of(&scene, c), exact, 1e-8); // tolerance of the solver
            scene_close(&scene);
        }
}

// The present area of the floor: of a strip its width, of a ring pi r^2, of a cube the square of its width.
static void it_is_cauchys_stress_where_strains_are_finite(void **state)
{
    for (size_t k = 0; k < sizeof block / sizeof *block; k++) {
        if (strcmp(block[k].name, "plane stress") == 0) // finite strains have no plane stress
            continue;
        for (int increments = 1; increments <= 4; increments *= 2) {
            Scene scene;
            open_block(&scene, *state, &block[k], true, increments);
            double width = 1 + scene.run->state.now.q[scene_dof(&scene, 0, "right", 0)], force = 0;
            bool ring = strcmp(block[k].name, "ring") == 0;
            double area = ring ? acos(-1) * width * width : block[k].dim == 3 ? width * width : width;
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                force += scene.run->r[c * block[k].dim];
            assert_true(width > 1.02);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                assert_near(pressure_of(&scene, c), force / area, 1e-6 * force / area);
            scene_close(&scene);
        }
    }
}

// Two blocks whose meshes do not match: the pressure goes through as it is, on the area of the first one at rest.
static void it_goes_through_surfaces_that_do_not_match(void **state)
{
    const char *plane[] = {"plane: stress, ", "plane: axisymmetric, ", ""};
    for (int k = 0; k < 3; k++)
        for (int increments = 1; increments <= 3; increments += 2) {
            Scene scene;
            int dim = k < 2 ? 2 : 3;
            const char *sides = dim == 2 ? "  - {on: low.left, displacement: [0, free]}\n"
                                           "  - {on: high.left, displacement: [0, free]}\n"
                                         : "  - {on: low.left, displacement: [0, free, free]}\n"
                                           "  - {on: high.left, displacement: [0, free, free]}\n"
                                           "  - {on: low.front, displacement: [free, 0, free]}\n"
                                           "  - {on: high.front, displacement: [free, 0, free]}\n";
            scene_open(&scene, *state,
                       "materials: {m: {young: 3, poisson: 0.3, density: 1}}\n"
                       "bodies:\n"
                       "  low: {mesh: {%s, cells: [%s], origin: [%s]}}, %smaterial: m}\n"
                       "  high: {mesh: {%s, cells: [%s], origin: [%s]}}, %smaterial: m}\n"
                       "supports:\n"
                       "%s"
                       "  - {on: low.bottom, displacement: [%sfree, 0]}\n"
                       "  - {on: high.top, displacement: [%sfree, -0.2*t]}\n"
                       "contacts: [{between: [high.bottom, low.top], method: integrated}]\n"
                       "steps: [{name: press, quasistatic: {end: 1, increments: %d}}]\n",
                       dim == 2 ? "rectangle: {size: [1, 1]" : "box: {size: [1, 1, 1]",
                       dim == 2 ? "3, 2" : "3, 2, 1", dim == 2 ? "0, -1" : "0, 0, -1", plane[k],
                       dim == 2 ? "rectangle: {size: [1, 1]" : "box: {size: [1, 1, 1]",
                       dim == 2 ? "4, 2" : "2, 2, 1", dim == 2 ? "0, 0" : "0, 0, 0", plane[k], sides,
                       dim == 2 ? "" : "free, ", dim == 2 ? "" : "free, ", increments);
            while (!stick_simulation_is_done(scene.run))
                scene_step(&scene);
            assert_true(scene.run->contacts.ncontacts >= 5);
            for (int c = 0; c < scene.run->contacts.ncontacts; c++)
                assert_near(scene.run->r[c * dim] / scene.run->contacts.contact[c].area, 0.3, 1e-6);
            scene_close(&scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(it_is_the_stress_below_where_strains_are_small),
        test_with_context(it_is_cauchys_stress_where_strains_are_finite),
        test_with_context(it_goes_through_surfaces_that_do_not_match),
    };
    return cmocka_run_group_tests_name("contact pressure", tests, NULL, NULL);
}

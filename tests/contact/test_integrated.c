// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

// Moves the nodes of a body in the plane, keeping its boundary straight: cells become unequal and skew.
static void distort(Scene *scene, int b, double amount)
{
    StickBody *body = &scene->body[b];
    for (int i = 0; i < body->mesh.nnodes; i++) {
        double *x = body->mesh.x + i * body->mesh.dim;
        x[0] += amount * sin(M_PI * x[0]) * (1 + 0.5 * (body->mesh.dim > 2 ? x[1] : 0));
    }
}

static void two_rectangles(Scene *scene, StickContext *ctx, int nslave, int nmaster,
                           const StickElementKind kind[2], StickContactMethod method)
{
    StickMeshSpec slave = rectangle(0, 1, 1, 1, nslave, 1), master = rectangle(0, 0, 1, 1, nmaster, 1);
    scene_init(scene, ctx, 2);
    assert_ok(ctx, scene_body(scene, "slave", &slave, kind[0]));
    assert_ok(ctx, scene_body(scene, "master", &master, kind[1]));
    scene_against_body(scene, 0, "bottom", 1, "top", method);
}

static const StickElementKind linear[2] = {STICK_ELEMENT_LINEAR, STICK_ELEMENT_LINEAR};
static const StickElementKind quadratic[2] = {STICK_ELEMENT_QUADRATIC, STICK_ELEMENT_QUADRATIC};
static const StickElementKind mixed[2] = {STICK_ELEMENT_LINEAR, STICK_ELEMENT_QUADRATIC};

// A uniform pressure on the base functions gives the consistent forces of that pressure on both sides,
// whatever the meshes: the patch test of contact.
static void assert_patch(Scene *scene, int ncontacts)
{
    assert_ok(scene->ctx, scene_start(scene));
    assert_ok(scene->ctx, scene_detect(scene, 0, 1));
    assert_int_equal(scene->set.ncontacts, ncontacts);
    assert_below(scene_patch_error(scene, "bottom", "top"), 1e-14);
}

static void the_patch_test_holds_in_the_plane(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 4, 7, linear, STICK_CONTACT_INTEGRATED);
    assert_patch(&scene, 5);
    scene_destroy(&scene);
    // Sides whose cells are all different.
    two_rectangles(&scene, *state, 5, 3, linear, STICK_CONTACT_INTEGRATED);
    distort(&scene, 0, 0.1);
    distort(&scene, 1, -0.07);
    assert_patch(&scene, 6);
    scene_destroy(&scene);
}

static void the_patch_test_holds_with_quadratic_elements(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 3, 4, quadratic, STICK_CONTACT_DEFAULT);
    assert_patch(&scene, 7);
    scene_destroy(&scene);
    two_rectangles(&scene, *state, 3, 4, mixed, STICK_CONTACT_DEFAULT);
    assert_patch(&scene, 4);
    scene_destroy(&scene);
}

static void the_patch_test_holds_for_rings(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 3, 4, quadratic, STICK_CONTACT_DEFAULT);
    scene.body[0].continuum.plane = scene.body[1].continuum.plane = STICK_AXISYMMETRIC;
    assert_patch(&scene, 7);
    scene_destroy(&scene);
}

static void two_boxes(Scene *scene, StickContext *ctx, StickMeshPattern slave_pattern,
                      StickMeshPattern master_pattern)
{
    const double above[3] = {0, 0, 1}, below[3] = {0, 0, 0}, size[3] = {1, 1, 1};
    StickMeshSpec slave = box(above, size, 3, 4, 1), master = box(below, size, 4, 3, 1);
    slave.pattern = slave_pattern;
    master.pattern = master_pattern;
    scene_init(scene, ctx, 3);
    assert_ok(ctx, scene_body(scene, "slave", &slave, STICK_ELEMENT_LINEAR));
    assert_ok(ctx, scene_body(scene, "master", &master, STICK_ELEMENT_LINEAR));
    scene_against_body(scene, 0, "bottom", 1, "top", STICK_CONTACT_INTEGRATED);
}

static void the_patch_test_holds_in_space(void **state)
{
    Scene scene;
    two_boxes(&scene, *state, STICK_PATTERN_QUADS, STICK_PATTERN_QUADS);
    assert_patch(&scene, 20);
    scene_destroy(&scene);
    two_boxes(&scene, *state, STICK_PATTERN_TRIANGLES, STICK_PATTERN_TRIANGLES);
    assert_patch(&scene, 20);
    scene_destroy(&scene);
    two_boxes(&scene, *state, STICK_PATTERN_TRIANGLES, STICK_PATTERN_QUADS);
    assert_patch(&scene, 20);
    scene_destroy(&scene);
}

// Triangles pass the test on distorted meshes, too. Skew quads are not integrated exactly, because their
// shape functions are no polynomials of the place: the error is small.
static void the_patch_test_on_skew_faces(void **state)
{
    Scene scene;
    two_boxes(&scene, *state, STICK_PATTERN_TRIANGLES, STICK_PATTERN_TRIANGLES);
    distort(&scene, 0, 0.1);
    distort(&scene, 1, -0.07);
    assert_patch(&scene, 20);
    scene_destroy(&scene);
    two_boxes(&scene, *state, STICK_PATTERN_QUADS, STICK_PATTERN_QUADS);
    distort(&scene, 0, 0.1);
    distort(&scene, 1, -0.07);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_below(scene_patch_error(&scene, "bottom", "top"), 1e-9);
    scene_destroy(&scene);
}

static double total_area(const Scene *scene)
{
    double sum = 0;
    for (int c = 0; c < scene->set.ncontacts; c++)
        sum += scene->set.contact[c].area;
    return sum;
}

// Surfaces that overlap in part: the contacts cover what they have in common, and no more.
static void contacts_cover_the_common_part(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 4, 7, linear, STICK_CONTACT_INTEGRATED);
    assert_ok(scene.ctx, scene_start(&scene));
    for (int i = 0; i < 20; i++) {
        double overlap = 1 - 0.043 * i;
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        assert_near(total_area(&scene), 0.5 * overlap, 1e-14);
        // Nodes further than a side beyond the end of the master carry nothing.
        assert_int_equal(scene.set.ncontacts, 5 - (int)(0.043 * i / 0.25));
        scene_shift(&scene, 0, 0.043, 0, 0);
    }
    scene_shift(&scene, 0, 5, 0, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_int_equal(scene.set.ncontacts, 0);
    scene_destroy(&scene);
}

static void gaps_are_means_and_slide_on(void **state)
{
    Scene scene;
    for (int kind = 0; kind < 2; kind++) {
        two_rectangles(&scene, *state, 4, 7, kind ? quadratic : linear, STICK_CONTACT_INTEGRATED);
        assert_ok(scene.ctx, scene_start(&scene));
        scene_shift(&scene, 0, -0.3, 0.02, 0);
        for (int i = 0; i < 60; i++) {
            assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
            for (int c = 0; c < scene.set.ncontacts; c++) {
                assert_near(scene.set.contact[c].gap, 0.02, 1e-12);
                assert_near(scene.set.contact[c].frame[0][1], 1, 1e-14);
            }
            scene_shift(&scene, 0, 0.0101, 0, 0);
        }
        scene_destroy(&scene);
    }
}

// Forces cancel, and moments while touching; common motions of both bodies give no relative velocity.
static void assert_balanced(Scene *scene)
{
    double r[300], force[3], moment[3];
    int dim = scene->system.dim;
    for (int k = 0; k < dim * scene->set.ncontacts; k++)
        r[k] = sin(1.0 + k);
    memset(scene->work, 0, (size_t)scene->system.ndofs * sizeof *scene->work);
    stick_contact_scatter(&scene->set, r, STICK_WHOLE, scene->work);
    scene_resultant(scene, scene->work, force, moment);
    assert_below(stick_vec_norm(force), 1e-13);
    assert_below(stick_vec_norm(moment), 1e-13);
    scene_rigid_velocity(scene, (double[]){1, -2, 3}, (double[]){dim == 3 ? 2 : 0, dim == 3 ? -1 : 0, 1});
    assert_below(scene_largest_velocity(scene, dim), 1e-13);
}

static void contacts_neither_push_nor_turn_the_whole(void **state)
{
    Scene scene;
    two_rectangles(&scene, *state, 3, 4, quadratic, STICK_CONTACT_INTEGRATED);
    assert_ok(scene.ctx, scene_start(&scene));
    scene_shift(&scene, 0, 0.21, 0, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_balanced(&scene);
    scene_destroy(&scene);
    two_boxes(&scene, *state, STICK_PATTERN_QUADS, STICK_PATTERN_TRIANGLES);
    assert_ok(scene.ctx, scene_start(&scene));
    scene_shift(&scene, 0, 0.21, -0.17, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_balanced(&scene);
    scene_destroy(&scene);
}

// d gap / dt = u_N on flat surfaces, for rigid motions of the slave and for any motion normal to them.
static void u_normal_is_the_rate_of_the_gap(void **state)
{
    Scene scene;
    for (int dim = 2; dim <= 3; dim++) {
        if (dim == 2)
            two_rectangles(&scene, *state, 4, 7, quadratic, STICK_CONTACT_INTEGRATED);
        else
            two_boxes(&scene, *state, STICK_PATTERN_QUADS, STICK_PATTERN_QUADS);
        assert_ok(scene.ctx, scene_start(&scene));
        scene_shift(&scene, 0, 0.11, dim == 2 ? 0.02 : 0.07, dim == 3 ? 0.02 : 0);
        scene_random_velocity(&scene, 4);
        for (int d = 0; d < scene.system.ndofs; d++)
            if (d % dim != dim - 1)
                scene.v[d] = d < scene.body[1].first ? 0.3 : -0.2;
        assert_below(scene_gap_rate_error(&scene, 0), 1e-8);
        scene_destroy(&scene);
    }
}

// Against a plane the mean gap, and consistent forces of a pressure on the slave.
static void against_a_plane(void **state)
{
    Scene scene;
    for (int dim = 2; dim <= 3; dim++) {
        if (dim == 2)
            two_rectangles(&scene, *state, 4, 7, quadratic, STICK_CONTACT_INTEGRATED);
        else
            two_boxes(&scene, *state, STICK_PATTERN_TRIANGLES, STICK_PATTERN_QUADS);
        scene.obstacle[0] = (StickObstacleSpec){.normal = {0, dim == 2, dim == 3}};
        scene.model.ncontacts = 0;
        scene_against_obstacle(&scene, 0, "bottom", STICK_CONTACT_INTEGRATED);
        assert_ok(scene.ctx, scene_start(&scene));
        scene_random_velocity(&scene, 8);
        assert_below(scene_gap_rate_error(&scene, 0), 1e-8);
        assert_near(scene.set.contact[0].gap, 1, 1e-14);
        double r[90] = {0};
        memset(scene.work, 0, (size_t)scene.system.ndofs * sizeof *scene.work);
        assert_ok(scene.ctx, scene_pressure(&scene, 0, "bottom", scene.work));
        for (int c = 0; c < scene.set.ncontacts; c++)
            r[c * dim] = -scene.set.contact[c].area;
        stick_contact_scatter(&scene.set, r, STICK_WHOLE, scene.work);
        for (int d = 0; d < scene.system.ndofs; d++)
            assert_near(scene.work[d], 0, 1e-14);
        scene_destroy(&scene);
    }
}

// A chain that ends below the middle of the slave: only what is above it is covered.
static void against_a_chain_that_ends(void **state)
{
    Scene scene;
    double points[] = {-1, 0, 1, 0};
    StickMeshSpec mesh = rectangle(0, 0.01, 2, 1, 4, 1);
    scene_init(&scene, *state, 2);
    scene.obstacle[0] = (StickObstacleSpec){.kind = STICK_OBSTACLE_POLYLINE, .npoints = 2, .points = points};
    assert_ok(scene.ctx, scene_body(&scene, "body", &mesh, STICK_ELEMENT_LINEAR));
    scene_against_obstacle(&scene, 0, "bottom", STICK_CONTACT_INTEGRATED);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    // Nodes at 0, 0.5, 1 and a small part of the one at 1.5, and the end of the chain; thickness 0.5.
    assert_int_equal(scene.set.ncontacts, 5);
    const double area[] = {0.125, 0.25};
    for (int c = 0; c < 5; c++)
        assert_near(scene.set.contact[c].gap, 0.01, 1e-15);
    assert_true(scene.set.contact[4].feature >= scene.system.body[0].mesh.nnodes);
    assert_near(scene.set.contact[4].place[0], 1, 1e-15);
    for (int c = 0; c < 2; c++)
        assert_near(scene.set.contact[c].area, area[c], 1e-15);
    assert_true(scene.set.contact[2].area > 0.125 && scene.set.contact[2].area < 0.2);
    assert_true(scene.set.contact[3].area < 0.02);
    scene_destroy(&scene);
}

// A disk in a slightly larger ring: gaps are the mean distance to second order, frames point to the middle.
static void a_disk_in_a_circle(void **state)
{
    Scene scene;
    StickMeshSpec disk = {.kind = STICK_MESH_DISK, .radius = 1, .cells = {6, 6, 4}};
    scene_init(&scene, *state, 2);
    scene.obstacle[0] = (StickObstacleSpec){.kind = STICK_OBSTACLE_CIRCLE, .radius = 1.1, .inside = true};
    assert_ok(scene.ctx, scene_body(&scene, "disk", &disk, STICK_ELEMENT_QUADRATIC));
    scene_against_obstacle(&scene, 0, "outer", STICK_CONTACT_DEFAULT);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_true(scene.set.ncontacts > 20);
    for (int c = 0; c < scene.set.ncontacts; c++) {
        const StickContact *contact = &scene.set.contact[c];
        assert_near(contact->gap, 0.1, 1e-4);
        assert_near(stick_vec_dot(contact->frame[0], contact->place), -1, 1e-6);
    }
    assert_near(total_area(&scene), 0.5 * 2 * M_PI, 1e-4);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_patch_test_holds_in_the_plane),
        test_with_context(the_patch_test_holds_with_quadratic_elements),
        test_with_context(the_patch_test_holds_for_rings),
        test_with_context(the_patch_test_holds_in_space),
        test_with_context(the_patch_test_on_skew_faces),
        test_with_context(contacts_cover_the_common_part),
        test_with_context(gaps_are_means_and_slide_on),
        test_with_context(contacts_neither_push_nor_turn_the_whole),
        test_with_context(u_normal_is_the_rate_of_the_gap),
        test_with_context(against_a_plane),
        test_with_context(against_a_chain_that_ends),
        test_with_context(a_disk_in_a_circle),
    };
    return cmocka_run_group_tests_name("contact.integrated", tests, NULL, NULL);
}

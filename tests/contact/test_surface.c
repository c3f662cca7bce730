// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

#include "contact/surface.h"

static void make(Scene *scene, StickContext *ctx, int dim, const StickMeshSpec *mesh,
                 StickElementKind element, const char *group, StickSurface *surface)
{
    scene_init(scene, ctx, dim);
    assert_ok(ctx, scene_body(scene, "body", mesh, element));
    scene->q = stick_alloc(ctx, (size_t)scene->system.ndofs, sizeof *scene->q);
    const StickGroup *found = stick_mesh_group(&scene->body[0].mesh, group);
    assert_non_null(found);
    assert_ok(ctx, stick_surface_create(ctx, &scene->body[0], dim, found, surface));
    stick_surface_update(surface, scene->q);
}

static double total_area(const StickSurface *surface)
{
    double sum = 0;
    for (int i = 0; i < surface->nnodes; i++)
        sum += surface->area[i];
    return sum;
}

static int rim_nodes(const StickSurface *surface)
{
    int count = 0;
    for (int i = 0; i < surface->nnodes; i++)
        count += surface->rim[i];
    return count;
}

static void assert_normals(const StickSurface *surface, double x, double y, double z)
{
    for (int p = 0; p < surface->npieces; p++) {
        assert_near(surface->piece[p].normal[0], x, 1e-15);
        assert_near(surface->piece[p].normal[1], y, 1e-15);
        assert_near(surface->piece[p].normal[2], z, 1e-15);
    }
}

static void the_ends_of_a_bar_look_outward(void **state)
{
    Scene scene;
    StickSurface surface;
    StickMeshSpec bar = {.kind = STICK_MESH_BAR, .size = {2}, .cells = {4}, .origin = {1}};
    make(&scene, *state, 1, &bar, STICK_ELEMENT_DEFAULT, "start", &surface);
    assert_int_equal(surface.npieces, 1);
    assert_normals(&surface, -1, 0, 0);
    assert_near(surface.place[0], 1, 0);
    assert_near(surface.piece[0].size, 0.5, 1e-15);
    assert_near(surface.area[0], 0.5, 1e-15);
    stick_surface_destroy(&surface);
    scene_destroy(&scene);
}

static void a_side_of_a_rectangle(void **state)
{
    Scene scene;
    StickSurface surface;
    StickMeshSpec mesh = rectangle(0, 0, 2, 1, 4, 2);
    make(&scene, *state, 2, &mesh, STICK_ELEMENT_LINEAR, "bottom", &surface);
    assert_int_equal(surface.nnodes, 5);
    assert_int_equal(surface.npieces, 4);
    assert_normals(&surface, 0, -1, 0);
    // Length 2 times thickness 0.5; the two ends of the chain are its rim.
    assert_near(total_area(&surface), 1, 1e-15);
    assert_int_equal(rim_nodes(&surface), 2);
    assert_false(surface.quadratic);
    stick_surface_destroy(&surface);
    scene_destroy(&scene);
}

static void a_quadratic_side_has_two_pieces_per_edge(void **state)
{
    Scene scene;
    StickSurface surface;
    StickMeshSpec mesh = rectangle(0, 0, 2, 1, 4, 2);
    make(&scene, *state, 2, &mesh, STICK_ELEMENT_QUADRATIC, "top", &surface);
    assert_int_equal(surface.nnodes, 9);
    assert_int_equal(surface.npieces, 8);
    assert_normals(&surface, 0, 1, 0);
    assert_near(total_area(&surface), 1, 1e-15);
    assert_int_equal(rim_nodes(&surface), 2);
    assert_near(surface.largest, 0.25, 1e-15);
    assert_true(surface.quadratic);
    stick_surface_destroy(&surface);
    scene_destroy(&scene);
}

static void assert_side_of_a_box(StickContext *ctx, StickMeshPattern pattern, int npieces)
{
    Scene scene;
    StickSurface surface;
    const double origin[3] = {0, 0, 0}, size[3] = {3, 2, 1};
    StickMeshSpec mesh = box(origin, size, 3, 2, 1);
    mesh.pattern = pattern;
    make(&scene, ctx, 3, &mesh, STICK_ELEMENT_LINEAR, "top", &surface);
    assert_int_equal(surface.nnodes, 12);
    assert_int_equal(surface.npieces, npieces);
    assert_normals(&surface, 0, 0, 1);
    assert_near(total_area(&surface), 6, 1e-14);
    // All but the two inner nodes are on the rim.
    assert_int_equal(rim_nodes(&surface), 10);
    for (int i = 0; i < surface.nnodes; i++)
        assert_near(surface.normal[3 * i + 2], 1, 1e-15);
    stick_surface_destroy(&surface);
    scene_destroy(&scene);
}

static void a_side_of_a_box(void **state)
{
    assert_side_of_a_box(*state, STICK_PATTERN_QUADS, 6);
    assert_side_of_a_box(*state, STICK_PATTERN_TRIANGLES, 12);
}

// A closed surface has no rim, and its normals turn with the body.
static void normals_turn_with_the_body(void **state)
{
    Scene scene;
    StickSurface surface;
    StickMeshSpec mesh = rectangle(-1, -1, 2, 2, 3, 3);
    make(&scene, *state, 2, &mesh, STICK_ELEMENT_LINEAR, "boundary", &surface);
    assert_int_equal(rim_nodes(&surface), 0);
    double c = cos(0.7), s = sin(0.7);
    for (int i = 0; i < scene.body[0].mesh.nnodes; i++) {
        const double *x = scene.body[0].mesh.x + 2 * i;
        scene.q[2 * i] = c * x[0] - s * x[1] - x[0];
        scene.q[2 * i + 1] = s * x[0] + c * x[1] - x[1];
    }
    double before[48];
    assert_int_equal(surface.npieces, 12);
    for (int p = 0; p < surface.npieces; p++)
        memcpy(before + 2 * p, surface.piece[p].normal, 2 * sizeof *before);
    stick_surface_update(&surface, scene.q);
    for (int p = 0; p < surface.npieces; p++) {
        const double *n = before + 2 * p, *turned = surface.piece[p].normal;
        assert_near(turned[0], c * n[0] - s * n[1], 1e-14);
        assert_near(turned[1], s * n[0] + c * n[1], 1e-14);
        // Outward: away from the middle.
        const double *place = surface.place + 3 * surface.piece[p].corner[0];
        assert_true(stick_vec_dot(turned, place) > 0.9);
    }
    stick_surface_destroy(&surface);
    scene_destroy(&scene);
}

static StickStatus make_and_drop(StickContext *ctx, void *data)
{
    const Scene *scene = data;
    const StickGroup *group = stick_mesh_group(&scene->body[0].mesh, "boundary");
    StickSurface surface;
    StickBvh tree;
    STICK_TRY(stick_surface_create(ctx, &scene->body[0], 3, group, &surface));
    stick_surface_update(&surface, scene->q);
    StickStatus status = stick_surface_tree(ctx, &surface, &tree);
    if (status == STICK_OK)
        stick_bvh_destroy(&tree);
    stick_surface_destroy(&surface);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    Scene scene;
    const double origin[3] = {0, 0, 0}, size[3] = {1, 1, 1};
    StickMeshSpec mesh = box(origin, size, 2, 2, 2);
    scene_init(&scene, *state, 3);
    assert_ok(scene.ctx, scene_body(&scene, "body", &mesh, STICK_ELEMENT_LINEAR));
    scene.q = stick_alloc(scene.ctx, (size_t)scene.system.ndofs, sizeof *scene.q);
    assert_survives_failing_memory(make_and_drop, &scene);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_ends_of_a_bar_look_outward),
        test_with_context(a_side_of_a_rectangle),
        test_with_context(a_quadratic_side_has_two_pieces_per_edge),
        test_with_context(a_side_of_a_box),
        test_with_context(normals_turn_with_the_body),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("contact.surface", tests, NULL, NULL);
}

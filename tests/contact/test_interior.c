// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

#include "contact/interior.h"

typedef struct Probe {
    Scene scene;
    StickInterior interior;
    StickHits hits;
} Probe;

static void probe_open(Probe *probe, StickContext *ctx, int dim, const StickMeshSpec *mesh,
                       StickElementKind element)
{
    *probe = (Probe){.hits = {0}};
    scene_init(&probe->scene, ctx, dim);
    assert_ok(ctx, scene_body(&probe->scene, "body", mesh, element));
    probe->scene.q = stick_alloc(ctx, (size_t)probe->scene.system.ndofs, sizeof *probe->scene.q);
    assert_ok(ctx, stick_interior_create(ctx, &probe->scene.body[0], dim, &probe->interior));
    stick_interior_move(&probe->interior, probe->scene.q);
}

static void probe_close(Probe *probe)
{
    stick_free(probe->scene.ctx, probe->hits.item);
    stick_interior_destroy(&probe->interior);
    scene_destroy(&probe->scene);
}

static bool holds(Probe *probe, double x, double y, double z)
{
    bool inside;
    assert_ok(probe->scene.ctx,
              stick_interior_holds(&probe->interior, (double[]){x, y, z}, &probe->hits, &inside));
    return inside;
}

static bool buries(Probe *probe, double x, double y, double z, double margin)
{
    bool buried;
    assert_ok(probe->scene.ctx,
              stick_interior_buries(&probe->interior, (double[]){x, y, z}, margin, &probe->hits, &buried));
    return buried;
}

static void a_bar_is_an_interval(void **state)
{
    Probe probe;
    StickMeshSpec bar = {.kind = STICK_MESH_BAR, .size = {2}, .cells = {4}, .origin = {1}};
    probe_open(&probe, *state, 1, &bar, STICK_ELEMENT_DEFAULT);
    assert_true(holds(&probe, 1.5, 0, 0));
    assert_true(holds(&probe, 2.999, 0, 0));
    assert_false(holds(&probe, 0.999, 0, 0));
    assert_false(holds(&probe, 3.001, 0, 0));
    probe_close(&probe);
}

// Rays along rows of nodes and through every side at its corners: no place is told wrongly.
static void assert_grid(Probe *probe, int dim, const double size[3], int cells)
{
    for (int i = -2; i <= 2 * cells + 2; i++) {
        for (int j = -2; j <= 2 * cells + 2; j++) {
            for (int k = dim == 3 ? -2 : 0; k <= (dim == 3 ? 2 * cells + 2 : 0); k++) {
                const int at[3] = {i, j, k};
                double x[3] = {0};
                bool inside = true, skin = false;
                for (int d = 0; d < dim; d++) {
                    x[d] = at[d] * size[d] / (2 * cells);
                    inside = inside && at[d] > 0 && at[d] < 2 * cells;
                    skin = skin || at[d] == 0 || at[d] == 2 * cells;
                }
                if (!skin && holds(probe, x[0], x[1], x[2]) != inside)
                    fail_msg("%d %d %d is told wrongly", i, j, k);
            }
        }
    }
}

static void places_in_line_with_nodes(void **state)
{
    const double origin[3] = {0}, size[3] = {1, 0.7, 1.3};
    for (int pattern = STICK_PATTERN_QUADS; pattern <= STICK_PATTERN_TRIANGLES; pattern++) {
        Probe probe;
        StickMeshSpec plane = rectangle(0, 0, size[0], size[1], 4, 4), space = box(origin, size, 3, 3, 3);
        plane.pattern = space.pattern = (StickMeshPattern)pattern;
        probe_open(&probe, *state, 2, &plane, STICK_ELEMENT_LINEAR);
        assert_grid(&probe, 2, size, 4);
        probe_close(&probe);
        probe_open(&probe, *state, 3, &space, STICK_ELEMENT_LINEAR);
        assert_grid(&probe, 3, size, 3);
        probe_close(&probe);
    }
}

// A sheared and stretched box at random places, told by the inverse map.
static void a_deformed_box(void **state)
{
    const double origin[3] = {-1, -1, -1}, size[3] = {2, 2, 2};
    StickRandom random = stick_random_seed(3);
    Probe probe;
    StickMeshSpec mesh = box(origin, size, 3, 4, 2);
    probe_open(&probe, *state, 3, &mesh, STICK_ELEMENT_LINEAR);
    const double *x = probe.scene.body[0].mesh.x;
    for (int i = 0; i < probe.scene.body[0].mesh.nnodes; i++) {
        probe.scene.q[3 * i] = 0.5 * x[3 * i + 1] + 0.3 * x[3 * i + 2];
        probe.scene.q[3 * i + 1] = 0.4 * x[3 * i + 2];
        probe.scene.q[3 * i + 2] = 0.2 * x[3 * i + 2];
    }
    stick_interior_move(&probe.interior, probe.scene.q);
    int held = 0;
    for (int trial = 0; trial < 5000; trial++) {
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = stick_random_uniform(&random, -2, 2);
        double z = p[2] / 1.2, y = p[1] - 0.4 * z, u = p[0] - 0.5 * y - 0.3 * z;
        bool inside = fabs(u) < 1 && fabs(y) < 1 && fabs(z) < 1;
        assert_int_equal(holds(&probe, p[0], p[1], p[2]), inside);
        held += inside;
    }
    assert_true(held > 300);
    probe_close(&probe);
}

static void a_disk_with_quadratic_sides(void **state)
{
    Probe probe;
    StickMeshSpec mesh = {.kind = STICK_MESH_DISK, .radius = 2, .cells = {4, 4, 4}, .origin = {1, 0}};
    probe_open(&probe, *state, 2, &mesh, STICK_ELEMENT_QUADRATIC);
    for (int i = 0; i < 360; i++) {
        double angle = i * 0.017453292519943295;
        assert_true(holds(&probe, 1 + 1.97 * cos(angle), 1.97 * sin(angle), 0));
        assert_false(holds(&probe, 1 + 2.01 * cos(angle), 2.01 * sin(angle), 0));
    }
    probe_close(&probe);
}

static void what_is_near_the_skin_is_not_buried(void **state)
{
    Probe probe;
    StickMeshSpec mesh = rectangle(0, 0, 1, 1, 2, 2);
    probe_open(&probe, *state, 2, &mesh, STICK_ELEMENT_LINEAR);
    assert_true(buries(&probe, 0.11, 0.5, 0, 0.1));
    assert_false(buries(&probe, 0.09, 0.5, 0, 0.1));
    assert_false(buries(&probe, 0.5, 0.91, 0, 0.1));
    assert_false(buries(&probe, 0, 0.5, 0, 0.1));
    assert_false(buries(&probe, 1.5, 0.5, 0, 0.1));
    probe_close(&probe);
}

static bool meets(Probe *probe, const double place[3], double height, double size)
{
    bool met;
    assert_ok(probe->scene.ctx,
              stick_interior_meets(&probe->interior, place, height, 1e-3, size, &probe->hits, &met));
    return met;
}

// A thin wire that is just inside of the lower face has come through that one, not through the upper one or a side.
static void deep_places_meet_what_is_nearest(void **state)
{
    Probe probe;
    StickMeshSpec plate = rectangle(0, 0, 3, 1, 3, 1);
    probe_open(&probe, *state, 2, &plate, STICK_ELEMENT_LINEAR);
    assert_true(meets(&probe, (double[3]){1.3, 0.1, 0}, -0.1, 1));
    assert_false(meets(&probe, (double[3]){1.3, 0.1, 0}, -0.9, 1));
    assert_false(meets(&probe, (double[3]){1.3, 0.1, 0}, -1.3, 2));
    assert_true(meets(&probe, (double[3]){1.3, 0.45, 0}, -0.55, 1)); // both faces may be what it came through
    assert_true(meets(&probe, (double[3]){0.1, 0.1, 0}, -0.1, 1));
    assert_false(meets(&probe, (double[3]){1.3, -0.1, 0}, -1.1, 1)); // outside
    probe_close(&probe);
    StickMeshSpec box = {.kind = STICK_MESH_BOX, .size = {3, 3, 1}, .cells = {3, 3, 1}};
    probe_open(&probe, *state, 3, &box, STICK_ELEMENT_DEFAULT);
    assert_true(meets(&probe, (double[3]){1.3, 1.2, 0.1}, -0.1, 1));
    assert_false(meets(&probe, (double[3]){1.3, 1.2, 0.1}, -0.9, 1));
    assert_true(meets(&probe, (double[3]){1.3, 1.2, 0.55}, -0.55, 1));
    // below an edge of a right angle, whose mean normal is inclined by 45 degrees
    assert_true(meets(&probe, (double[3]){0.2, 1.2, 0.2}, -0.2 * sqrt(2), 1));
    probe_close(&probe);
}

static StickStatus create(StickContext *ctx, void *data)
{
    StickInterior interior;
    STICK_TRY(stick_interior_create(ctx, data, 2, &interior));
    stick_interior_destroy(&interior);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    Probe probe;
    StickMeshSpec mesh = rectangle(0, 0, 1, 1, 3, 3);
    probe_open(&probe, *state, 2, &mesh, STICK_ELEMENT_QUADRATIC);
    assert_survives_failing_memory(create, &probe.scene.body[0]);
    probe_close(&probe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_bar_is_an_interval),
        test_with_context(places_in_line_with_nodes),
        test_with_context(a_deformed_box),
        test_with_context(a_disk_with_quadratic_sides),
        test_with_context(what_is_near_the_skin_is_not_buried),
        test_with_context(deep_places_meet_what_is_nearest),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("contact.interior", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"
#include "bodies/solid.h"
#include "check.h"
#include "mesh/sides.h"

static const double pi = 3.14159265358979323846;

static StickSolid solid_of(StickContext *ctx, int dim, StickShapeSpec shape, int round)
{
    StickSolidSpec spec = {.name = "stone", .dim = dim, .nshapes = 1, .shape = &shape, .round = round};
    StickSolid solid;
    assert_ok(ctx, stick_solid_create(ctx, &spec, &solid));
    return solid;
}

// Volume by the outer facets, which must look outwards.
static double enclosed(const StickMesh *mesh)
{
    const StickGroup *outer = stick_mesh_group(mesh, "outer");
    double volume = 0;
    assert_non_null(outer);
    for (int f = 0; f < outer->nfacets; f++) {
        double x[4][3] = {{0}}, cross[3];
        int node[STICK_MOST_FACET_NODES], count = stick_mesh_facet_nodes(mesh, outer->facet[f], node);
        for (int k = 0; k < count; k++)
            memcpy(x[k], &mesh->x[node[k] * mesh->dim], (size_t)mesh->dim * sizeof(double));
        for (int k = 1; k + 1 < count && mesh->dim == 3; k++) {
            stick_vec_cross(x[k], x[k + 1], cross);
            volume += stick_vec_dot(x[0], cross) / 6;
        }
        volume += mesh->dim == 2 ? (x[0][0] * x[1][1] - x[0][1] * x[1][0]) / 2 : 0;
    }
    return volume;
}

// A mesh that any computation could use, around the right volume.
static void assert_skin(StickContext *ctx, const StickSolid *solid, double volume)
{
    const StickGroup *outer = stick_mesh_group(&solid->skin, "outer"),
                     *boundary = stick_mesh_group(&solid->skin, "boundary");
    assert_ok(ctx, stick_mesh_check(ctx, &solid->skin, (StickMark){"skin", 0, 0}));
    assert_near(enclosed(&solid->skin), volume, 1e-13 * volume);
    assert_non_null(stick_mesh_group(&solid->skin, "all"));
    assert_int_equal(outer->nfacets, boundary->nfacets);
    assert_int_equal(outer->nnodes, boundary->nnodes);
}

static void test_plane_skins(void **state)
{
    const double corner[] = {0, 0, 2, 0, 3, 1, 1, 3, 0, 2};
    StickShapeSpec spec = {.kind = STICK_SPEC_BOX, .size = {2, 3}, .turn = {0.8, 0, 0, 0.6}};
    StickSolid box = solid_of(*state, 2, spec, 0);
    assert_int_equal(box.skin.nelements, 1);
    assert_int_equal(box.skin.shape[0], STICK_QUAD4);
    assert_skin(*state, &box, 6);
    stick_solid_destroy(*state, &box);
    for (int count = 3; count <= 5; count++) {
        spec = (StickShapeSpec){.kind = STICK_SPEC_POLYGON, .npoints = count, .points = corner};
        StickSolid polygon = solid_of(*state, 2, spec, 0);
        assert_int_equal(polygon.skin.nelements, count == 5 ? 5 : 1);
        assert_skin(*state, &polygon, polygon.volume);
        stick_solid_destroy(*state, &polygon);
    }
}

static void test_round_plane_skins(void **state)
{
    const int n = 24;
    // of the polygon with n corners inside of a circle of radius 2
    double inscribed = n * 2 * sin(2 * pi / n);
    StickShapeSpec spec = {.kind = STICK_SPEC_BALL, .radius = 2};
    StickSolid disk = solid_of(*state, 2, spec, n);
    assert_int_equal(stick_mesh_group(&disk.skin, "outer")->nnodes, n);
    assert_skin(*state, &disk, inscribed);
    stick_solid_destroy(*state, &disk);
    spec = (StickShapeSpec){.kind = STICK_SPEC_CAPSULE, .radius = 2, .length = 5, .turn = {0.8, 0, 0, 0.6}};
    StickSolid stadium = solid_of(*state, 2, spec, n);
    assert_int_equal(stick_mesh_group(&stadium.skin, "outer")->nnodes, n + 2);
    assert_skin(*state, &stadium, inscribed + 20);
    stick_solid_destroy(*state, &stadium);
    spec = (StickShapeSpec){.kind = STICK_SPEC_BALL, .radius = 1};
    StickSolid plain = solid_of(*state, 2, spec, 0);
    assert_int_equal(stick_mesh_group(&plain.skin, "outer")->nnodes, 32);
    stick_solid_destroy(*state, &plain);
}

static void test_polyhedra(void **state)
{
    const double points[] = {0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 2, 2, 2};
    StickShapeSpec spec = {.kind = STICK_SPEC_BOX, .size = {1, 2, 3}, .turn = {1, 2, 3, 4}};
    StickSolid box = solid_of(*state, 3, spec, 0);
    assert_int_equal(box.skin.nelements, 1);
    assert_int_equal(box.skin.shape[0], STICK_HEX8);
    assert_skin(*state, &box, 6);
    stick_solid_destroy(*state, &box);
    spec = (StickShapeSpec){.kind = STICK_SPEC_HULL, .npoints = 5, .points = points};
    StickSolid hull = solid_of(*state, 3, spec, 0);
    assert_skin(*state, &hull, hull.volume);
    stick_solid_destroy(*state, &hull);
}

// Nodes are on the round surface; finer skins come near its volume as the square of their size.
static void test_round_skins_in_space(void **state)
{
    const StickShapeSpec spec[] = {
        {.kind = STICK_SPEC_BALL, .radius = 2},
        {.kind = STICK_SPEC_CAPSULE, .radius = 2, .length = 5, .turn = {1, 2, 3, 4}},
        {.kind = STICK_SPEC_CYLINDER, .radius = 2, .length = 5, .turn = {1, -2, 3, 4}}};
    for (int s = 0; s < 3; s++) {
        double missing[2];
        for (int fine = 0; fine < 2; fine++) {
            StickSolid solid = solid_of(*state, 3, spec[s], fine ? 32 : 16);
            const StickGroup *outer = stick_mesh_group(&solid.skin, "outer");
            assert_skin(*state, &solid, enclosed(&solid.skin));
            missing[fine] = 1 - enclosed(&solid.skin) / solid.volume;
            for (int i = 0; i < outer->nnodes; i++) {
                const double *x = &solid.skin.x[3 * outer->node[i]], *axis = solid.shape[0].axis;
                double along = stick_vec_dot(x, axis), d[3];
                if (s == 2 && fabs(fabs(along) - 2.5) > 1e-14)
                    fail_msg("a node of the cylinder is not on an end");
                if (s == 2)
                    continue;
                stick_vec_axpy(x, -fmax(-2.5, fmin(2.5, along)), axis, d);
                assert_near(stick_vec_norm(s == 0 ? x : d), 2, 1e-14);
            }
            stick_solid_destroy(*state, &solid);
        }
        assert_true(missing[0] > 0 && missing[0] < 0.08);
        assert_near(missing[0] / missing[1], 4, 0.1);
    }
}

static void test_compound_has_all_parts(void **state)
{
    StickShapeSpec shape[] = {{.kind = STICK_SPEC_BOX, .size = {2, 1, 1}},
                              {.kind = STICK_SPEC_BOX, .size = {1, 1, 1}, .position = {0.5, 1, 0}}};
    StickSolidSpec spec = {.name = "stone", .dim = 3, .nshapes = 2, .shape = shape};
    StickSolid solid;
    assert_ok(*state, stick_solid_create(*state, &spec, &solid));
    assert_int_equal(solid.skin.nelements, 2);
    assert_int_equal(solid.skin.nnodes, 16);
    assert_int_equal(stick_mesh_group(&solid.skin, "outer")->nfacets, 12);
    assert_near(enclosed(&solid.skin), 3, 1e-14);
    stick_solid_destroy(*state, &solid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_plane_skins),
        test_with_context(test_round_plane_skins),
        test_with_context(test_polyhedra),
        test_with_context(test_round_skins_in_space),
        test_with_context(test_compound_has_all_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Groups of sides that follow curves: the order of their nodes, rings, and nodes that are off the curve.
#include "check.h"

#include "mesh/build.h"
#include "mesh/follow.h"

static const StickMark here = {.file = "test"};

static StickBodySpec disk(StickDiskPart part)
{
    return (StickBodySpec){.name = "disk",
                           .mesh = {.kind = STICK_MESH_DISK, .radius = 2, .cells = {4, 4, 2}, .part = part}};
}

static StickFlankSpec circle(StickContext *ctx, StickExpressions *sandbox, const char *group, const char *x,
                             const char *y)
{
    StickFlankSpec spec = {.group = (char *)group, .mark = here, .from = 0, .to = 6.283185307179586};
    assert_ok(ctx, stick_expression_compile(sandbox, x, STICK_SEES_CURVE, here, &spec.x));
    assert_ok(ctx, stick_expression_compile(sandbox, y, STICK_SEES_CURVE, here, &spec.y));
    return spec;
}

// Both ways around; nodes come again beyond the seam, so that hat functions cover all of the ring.
static void rings_are_closed(void **state)
{
    static const char *const y[] = {"2*sin(s)", "-2*sin(s)"};
    StickExpressions *sandbox;
    assert_ok(*state, stick_expressions_create(*state, &sandbox));
    for (int k = 0; k < 2; k++) {
        StickBodySpec body = disk(STICK_DISK_WHOLE);
        StickFlankSpec spec = circle(*state, sandbox, "outer", "2*cos(s)", y[k]);
        body.flank = &spec;
        body.nflanks = 1;
        StickMesh mesh;
        assert_ok(*state, stick_mesh_build(*state, &body, &mesh));
        const StickMeshFlank *flank = &mesh.flank[0];
        assert_int_equal(flank->nnodes, 16 + 2);
        assert_int_equal(flank->flank.outward, k ? -1 : 1);
        for (int i = 1; i < flank->nnodes; i++)
            assert_near(flank->s[i] - flank->s[i - 1], 6.283185307179586 / 16, 0.1);
        assert_int_equal(flank->node[1], flank->node[17]);
        assert_int_equal(flank->node[0], flank->node[16]);
        StickFlankPoint at;
        assert_ok(*state, stick_flank_at(&flank->flank, 1, &at));
        assert_near(at.normal[0], at.x[0] / 2, 1e-10);
        assert_near(at.curvature, 0.5, 1e-8);
        stick_mesh_destroy(*state, &mesh);
    }
    stick_expressions_destroy(sandbox);
}

static void sides_without_a_curve_are_straight(void **state)
{
    StickBodySpec body = disk(STICK_DISK_HALF);
    StickMesh mesh;
    StickMeshFlank flank;
    assert_ok(*state, stick_mesh_build(*state, &body, &mesh));
    assert_ok(*state,
              stick_mode_tracking_sides(*state, &mesh, stick_mesh_group(&mesh, "lower"), here, &flank));
    assert_int_equal(flank.flank.kind, STICK_FLANK_CHAIN);
    // from left to right below the centre, with the body on the left
    assert_near(mesh.x[2 * flank.node[0]], -2, 1e-12);
    assert_near(mesh.x[2 * flank.node[flank.nnodes - 1]], 2, 1e-12);
    assert_near(flank.flank.to, 3.14159265 * 2, 0.1);
    StickFlankPoint at;
    assert_ok(*state, stick_flank_at(&flank.flank, 0.5 * flank.flank.to + 0.01, &at));
    assert_near(at.normal[1], -1, 0.05);
    stick_mode_tracking_destroy(*state, &flank);
    assert_int_equal(
        stick_mode_tracking_sides(*state, &mesh, stick_mesh_group(&mesh, "lowest"), here, &flank),
        STICK_BAD_MESH);
    stick_mesh_destroy(*state, &mesh);
}

static void nodes_off_the_curve_are_named(void **state)
{
    StickExpressions *sandbox;
    StickMesh mesh;
    assert_ok(*state, stick_expressions_create(*state, &sandbox));
    StickBodySpec body = disk(STICK_DISK_WHOLE);
    StickFlankSpec spec = circle(*state, sandbox, "outer", "2.1*cos(s)", "2*sin(s)");
    body.flank = &spec;
    body.nflanks = 1;
    assert_int_equal(stick_mesh_build(*state, &body, &mesh), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(*state),
                           "from the curve of the flank, but nodes must lie on it: check the "
                           "formulas, which must refer to the mesh before the body is placed"));
    spec.group = "outre";
    assert_int_equal(stick_mesh_build(*state, &body, &mesh), STICK_BAD_MESH);
    assert_non_null(strstr(stick_last_error(*state), "did you mean 'outer'"));
    stick_expressions_destroy(sandbox);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rings_are_closed),
        test_with_context(sides_without_a_curve_are_straight),
        test_with_context(nodes_off_the_curve_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

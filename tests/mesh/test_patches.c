// SPDX-License-Identifier: Apache-2.0
#include "base/pi.h"
#include "mesh/generate.h"
#include "meshes.h"

static const StickMark here = {"model.yaml", 3, 7};

static StickMeshSpec spec_of(StickPatchSpec *patch, int npatches)
{
    for (int p = 0; p < npatches; p++)
        patch[p].mark = (StickMark){"model.yaml", 10 + p, 5};
    return (StickMeshSpec){.kind = STICK_MESH_PATCHES, .mark = here, .patch = patch, .npatches = npatches};
}

static StickMesh generate(StickContext *ctx, StickMeshSpec spec, StickElementKind element)
{
    StickMesh mesh;
    assert_ok(ctx, stick_mesh_generate(ctx, &spec, element, &mesh));
    assert_ok(ctx, stick_mesh_check(ctx, &mesh, here));
    return mesh;
}

static void assert_refused(StickContext *ctx, StickMeshSpec spec, StickStatus status, int line,
                           const char *text)
{
    StickMesh mesh = {0};
    assert_int_equal(stick_mesh_generate(ctx, &spec, STICK_ELEMENT_DEFAULT, &mesh), status);
    assert_said(ctx, text);
    assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, line);
    assert_null(mesh.x);
}

static StickPatchSpec patch_of(int n, int m, const double corner[4][2])
{
    StickPatchSpec patch = {.dim = 2, .cells = {n, m}};
    for (int k = 0; k < 8; k++)
        patch.corner[k / 2][k % 2] = corner[k / 2][k % 2];
    return patch;
}

static void curve(StickPatchSpec *patch, StickPatchSide side, double x, double y)
{
    patch->side[side].curved = true;
    patch->side[side].arc[0] = x;
    patch->side[side].arc[1] = y;
}

static const double unit[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const double next_to_it[4][2] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};

// ---- expressions

// The ring segment of which numbers are known: phi = 270 + 14 xi + 56 xi^3 degrees, r = 5 - 1.5 eta.
static StickPatchSpec ring_lip(StickExpressions *sandbox, int n)
{
    static const char *const text[2] = {
        "(5 - 1.5*eta)*cos(deg(270 + 14*(2*xi - 1) + 56*(2*xi - 1)^3))",
        "(5 - 1.5*eta)*sin(deg(270 + 14*(2*xi - 1) + 56*(2*xi - 1)^3))",
    };
    StickPatchSpec patch = {.dim = 2, .cells = {n, n / 10}};
    for (int k = 0; k < 2; k++)
        assert_int_equal(stick_expression_compile(sandbox, text[k], STICK_SEES_PATCH, here, &patch.map[k]),
                         STICK_OK);
    patch.side[STICK_SIDE_LEFT].group = "foot";
    patch.side[STICK_SIDE_BOTTOM].group = "lip";
    patch.point[1] = "tip";
    return patch;
}

static void a_map_has_the_places_numbers_and_area_of_the_ring_lip(void **state)
{
    StickExpressions *sandbox;
    assert_ok(*state, stick_expressions_create(*state, &sandbox));
    StickPatchSpec patch = ring_lip(sandbox, 40);
    StickMesh mesh = generate(*state, spec_of(&patch, 1), STICK_ELEMENT_MEAN_DILATATION);
    assert_int_equal(mesh.nnodes, 41 * 5);
    assert_int_equal(mesh.nelements, 160);
    assert_near(place_of(&mesh, 50)[0], -1.20960948, 5e-9);
    assert_near(place_of(&mesh, 50)[1], -4.85147863, 5e-9);
    assert_near(mesh_volume(&mesh), 15.550325143502, 1e-12);
    // element (i, j) = (10, 2)
    const int *node = &mesh.node[mesh.start[10 * 4 + 2]];
    assert_int_equal(node[0], 52);
    assert_int_equal(node[1], 57);
    assert_int_equal(node[2], 58);
    assert_int_equal(node[3], 53);
    assert_group(&mesh, "foot", 5, 0, 4);
    assert_group(&mesh, "lip", 41, 0, 40);
    assert_group(&mesh, "right", 5, 0, 4);
    assert_int_equal(need_group(&mesh, "tip")->node[0], 40 * 5);
    assert_int_equal(need_group(&mesh, "top-left")->node[0], 4);
    stick_mesh_destroy(*state, &mesh);
    stick_expressions_destroy(sandbox);
}

// ---- corners and arcs

// Half rings, one by arcs anticlockwise and one mirrored: together they are a ring with a hole.
static void make_ring(StickPatchSpec patch[2], int n, int m)
{
    static const double lower[4][2] = {{-2, 0}, {2, 0}, {1, 0}, {-1, 0}};
    patch[0] = patch_of(n, m, lower);
    curve(&patch[0], STICK_SIDE_BOTTOM, 0, -2);
    curve(&patch[0], STICK_SIDE_TOP, 0, -1);
    patch[1] = patch[0];
    curve(&patch[1], STICK_SIDE_BOTTOM, sqrt(2), sqrt(2));
    curve(&patch[1], STICK_SIDE_TOP, 0, 1);
    patch[0].side[STICK_SIDE_BOTTOM].group = patch[1].side[STICK_SIDE_BOTTOM].group = "outside";
    patch[1].name = "upper";
}

static void arcs_make_a_ring_of_two_halves(void **state)
{
    StickPatchSpec patch[2];
    make_ring(patch, 16, 3);
    StickMesh mesh = generate(*state, spec_of(patch, 2), STICK_ELEMENT_DEFAULT);
    double wedge = STICK_PI / 16, area = 16 * (4 - 1) * sin(wedge);
    assert_int_equal(mesh.nnodes, 32 * 4);
    assert_int_equal(mesh.nelements, 2 * 48);
    assert_near(mesh_volume(&mesh), area, 1e-12);
    assert_group(&mesh, "outside", 32, 0, 32);
    assert_group(&mesh, "upper", 17 * 4, 48, 0);
    assert_group(&mesh, "boundary", 64, 0, 64);
    const StickGroup *outside = need_group(&mesh, "outside");
    for (int i = 0; i < outside->nnodes; i++)
        assert_near(hypot(place_of(&mesh, outside->node[i])[0], place_of(&mesh, outside->node[i])[1]), 2,
                    1e-14);
    stick_mesh_destroy(*state, &mesh);
}

static void every_pattern_fills_the_same_ring(void **state)
{
    static const StickMeshPattern pattern[] = {STICK_PATTERN_QUADS, STICK_PATTERN_TRIANGLES,
                                               STICK_PATTERN_CROSSED};
    static const int per_cell[] = {1, 2, 4};
    for (int k = 0; k < 3; k++) {
        StickPatchSpec patch[2];
        make_ring(patch, 16, 3);
        StickMeshSpec spec = spec_of(patch, 2);
        spec.pattern = pattern[k];
        StickMesh mesh = generate(*state, spec, STICK_ELEMENT_DEFAULT);
        assert_int_equal(mesh.nelements, 96 * per_cell[k]);
        assert_near(mesh_volume(&mesh), 48 * sin(STICK_PI / 16), 1e-12);
        assert_int_equal(need_group(&mesh, "upper")->nelements, 48 * per_cell[k]);
        stick_mesh_destroy(*state, &mesh);
    }
}

// Quadratic sides lie on the arc: the error of the area falls with the fourth power of the cells.
static void middles_of_quadratic_sides_lie_on_the_arc(void **state)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        StickPatchSpec patch[2];
        make_ring(patch, 8 << k, 2);
        StickMesh mesh = generate(*state, spec_of(patch, 2), STICK_ELEMENT_QUADRATIC);
        error[k] = fabs(mesh_volume(&mesh) - 3 * STICK_PI);
        stick_mesh_destroy(*state, &mesh);
    }
    assert_below(error[0], 2e-3);
    assert_near(log2(error[0] / error[1]), 4, 0.1);
}

static void grading_makes_the_last_cell_so_many_times_longer(void **state)
{
    StickPatchSpec patch = patch_of(5, 1, unit);
    patch.grade[0] = 8;
    StickMesh mesh = generate(*state, spec_of(&patch, 1), STICK_ELEMENT_DEFAULT);
    double first = place_of(&mesh, 2)[0], last = 1 - place_of(&mesh, 8)[0];
    assert_near(last / first, 8, 1e-12);
    assert_near((place_of(&mesh, 4)[0] - first) / first, pow(8, 0.25), 1e-12);
    assert_near(mesh_volume(&mesh), 1, 1e-14);
    stick_mesh_destroy(*state, &mesh);
}

static void neighbours_share_the_nodes_where_they_meet(void **state)
{
    StickPatchSpec patch[2] = {patch_of(2, 3, unit), patch_of(4, 3, next_to_it)};
    // written with few digits, as by hand
    patch[1].corner[0][0] = patch[1].corner[3][0] = 1.0000004;
    StickMesh mesh = generate(*state, spec_of(patch, 2), STICK_ELEMENT_DEFAULT);
    assert_int_equal(mesh.nnodes, 3 * 4 + 4 * 4);
    assert_near(mesh_volume(&mesh), 2, 1e-14);
    // nodes of the second patch follow without those that the first one has
    assert_near(place_of(&mesh, 12)[0], 1.25, 1e-6);
    assert_null(stick_mesh_group(&mesh, "left"));
    stick_mesh_destroy(*state, &mesh);
}

// ---- space

static void patches_of_hexes_grow_together_in_space(void **state)
{
    StickPatchSpec patch[2] = {{.dim = 3, .cells = {2, 3, 4}}, {.dim = 3, .cells = {1, 3, 4}}};
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < 8; c++) {
            double x = c % 4 == 1 || c % 4 == 2, y = c % 4 >= 2, z = c >= 4;
            // the second one is mirrored
            double place[3] = {p == 0 ? 2 * x : -x, 3 * y, 4 * z};
            memcpy(patch[p].corner[c], place, sizeof place);
        }
    patch[1].side[STICK_SIDE_BOTTOM].group = patch[0].side[STICK_SIDE_BOTTOM].group = "floor";
    patch[1].side[STICK_SIDE_RIGHT].group = "wall";
    patch[0].side[STICK_SIDE_FRONT].group = "front";
    StickMesh mesh = generate(*state, spec_of(patch, 2), STICK_ELEMENT_MEAN_DILATATION);
    assert_int_equal(mesh.nnodes, 4 * 4 * 5);
    assert_int_equal(mesh.nelements, 36);
    assert_near(mesh_volume(&mesh), 36, 1e-12);
    assert_group(&mesh, "floor", 16, 0, 9);
    assert_group(&mesh, "wall", 20, 0, 12);
    assert_group(&mesh, "front", 15, 0, 8);
    static const char *const name[3] = {"floor", "wall", "front"};
    static const int axis[3] = {2, 0, 1};
    static const double value[3] = {0, -1, 0};
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < need_group(&mesh, name[g])->nnodes; i++)
            assert_near(place_of(&mesh, need_group(&mesh, name[g])->node[i])[axis[g]], value[g], 1e-14);
    // node (i, j, k) = (1, 2, 3) of the first patch
    assert_near(place_of(&mesh, (1 * 4 + 2) * 5 + 3)[2], 3, 1e-14);
    stick_mesh_destroy(*state, &mesh);
}

// ---- long cells, smooth corners

static StickPatchSpec brick(int n, int m, int l, double a, double b, double c, double z)
{
    StickPatchSpec patch = {.dim = 3, .cells = {n, m, l}};
    for (int k = 0; k < 8; k++) {
        double place[3] = {k % 4 == 1 || k % 4 == 2 ? a : 0, k % 4 >= 2 ? b : 0, z + (k >= 4 ? c : 0)};
        memcpy(patch.corner[k], place, sizeof place);
    }
    return patch;
}

// Cells up to 1e7 times longer than wide, alone and in two layers; in space flat ones and needles.
static void long_cells_are_no_seams(void **state)
{
    static const double width[] = {2e-2, 1e-3, 1e-5, 1e-7};
    for (int k = 0; k < 4; k++) {
        double w = width[k];
        const double lower[4][2] = {{0, 0}, {2, 0}, {2, 2 * w}, {0, 2 * w}},
                     upper[4][2] = {{0, 2 * w}, {2, 2 * w}, {2, 4 * w}, {0, 4 * w}};
        StickPatchSpec patch[2] = {patch_of(2, 2, lower), patch_of(2, 2, upper)};
        for (int n = 1; n <= 2; n++)
            for (int pattern = 0; pattern < 3; pattern++) {
                StickMeshSpec spec = spec_of(patch, n);
                spec.pattern = (StickMeshPattern)pattern;
                StickMesh mesh = generate(*state, spec, STICK_ELEMENT_DEFAULT);
                assert_near(mesh_volume(&mesh) / (4 * n * w), 1, 1e-12);
                stick_mesh_destroy(*state, &mesh);
            }
        StickPatchSpec solid[3][2] = {
            {brick(2, 2, 2, 2, 2 * w, 2 * w, 0), brick(2, 2, 1, 2, 2 * w, w, 2 * w)},
            {brick(2, 2, 2, 2, 2, 2 * w, 0), brick(2, 2, 1, 2, 2, w, 2 * w)},
            {brick(3, 3, 1, w, w, 2, 0), brick(3, 3, 1, w, w, 2, 2)}};
        for (int n = 0; n < 6; n++) {
            StickMesh mesh = generate(*state, spec_of(solid[n / 2], 1 + n % 2), STICK_ELEMENT_DEFAULT);
            assert_true(mesh.nelements >= 8);
            stick_mesh_destroy(*state, &mesh);
        }
        assert_int_equal(stick_diagnostic_count(*state), 0);
    }
}

// A peg whose section is a square that a map makes round: its sides meet smoothly, and the cells there are flat.
static void a_smooth_corner_is_no_seam(void **state)
{
    static const char *const text[3] = {"(2*xi - 1)*sqrt(1 - (2*eta - 1)^2/2)",
                                        "(2*eta - 1)*sqrt(1 - (2*xi - 1)^2/2)", "zeta"};
    static const int cells[] = {1, 4, 64, 100};
    StickExpressions *sandbox;
    assert_ok(*state, stick_expressions_create(*state, &sandbox));
    for (int k = 0; k < 4; k++) {
        StickPatchSpec patch = {.dim = 3, .cells = {cells[k], cells[k], 1}};
        for (int d = 0; d < 3; d++)
            assert_ok(*state,
                      stick_expression_compile(sandbox, text[d], STICK_SEES_PATCH, here, &patch.map[d]));
        StickMesh mesh = generate(*state, spec_of(&patch, 1), STICK_ELEMENT_DEFAULT);
        // a polygon of 4 n sides whose corners lie on the circle
        double n = 4 * cells[k];
        assert_int_equal(mesh.nnodes, 2 * (cells[k] + 1) * (cells[k] + 1));
        assert_near(mesh_volume(&mesh), STICK_PI, k == 0 ? 1.2 : 30 / (n * n));
        stick_mesh_destroy(*state, &mesh);
    }
    stick_expressions_destroy(sandbox);
}

// Slits between long cells are still found: by cells that do not match, by ends that miss each other, by a gap.
static void seams_of_long_cells_are_refused(void **state)
{
    static const double lower[4][2] = {{0, 0}, {2, 0}, {2, 2e-3}, {0, 2e-3}};
    static const double shift[3][2] = {{0, 0}, {5e-3, 0}, {0, 1e-5}};
    static const char *const text[3] = {
        "meet in part", "but does not coincide with it: give both the same coordinates, or increase 'merge'",
        "but does not coincide with it: give both the same coordinates, or increase 'merge'"};
    for (int k = 0; k < 3; k++) {
        double upper[4][2] = {{0, 2e-3}, {2, 2e-3}, {2, 4e-3}, {0, 4e-3}};
        for (int c = 0; c < 4; c++)
            for (int d = 0; d < 2; d++)
                upper[c][d] += shift[k][d];
        StickPatchSpec patch[2] = {patch_of(2, 2, lower), patch_of(k == 0 ? 3 : 2, 2, upper)};
        assert_refused(*state, spec_of(patch, 2), STICK_BAD_MESH, 11, text[k]);
    }
}

// ---- errors

static void sides_that_meet_in_part_are_refused(void **state)
{
    StickPatchSpec patch[2] = {patch_of(2, 3, unit), patch_of(2, 4, next_to_it)};
    assert_refused(*state, spec_of(patch, 2), STICK_BAD_MESH, 11, "meet in part");
    assert_said(*state, "the node at (1, 0.25)");
    // the same with curved sides, whose nodes lie close to the edges of the other patch
    make_ring(patch, 16, 3);
    static const double outer_half[4][2] = {{-3, 0}, {3, 0}, {2, 0}, {-2, 0}};
    patch[1] = patch_of(24, 3, outer_half);
    curve(&patch[1], STICK_SIDE_BOTTOM, 0, -3);
    curve(&patch[1], STICK_SIDE_TOP, 0, -2);
    assert_refused(*state, spec_of(patch, 2), STICK_BAD_MESH, 11, "meet in part");
    patch[1].cells[0] = 16;
    StickMesh mesh = generate(*state, spec_of(patch, 2), STICK_ELEMENT_DEFAULT);
    assert_int_equal(mesh.nnodes, 17 * 7);
    stick_mesh_destroy(*state, &mesh);
}

static void nodes_that_miss_each_other_are_refused_or_merged(void **state)
{
    StickPatchSpec patch[2] = {patch_of(2, 2, unit), patch_of(2, 2, next_to_it)};
    patch[1].corner[0][0] = patch[1].corner[3][0] = 1.001;
    StickMeshSpec spec = spec_of(patch, 2);
    assert_refused(*state, spec, STICK_BAD_MESH, 11,
                   "but does not coincide with it: give both the same coordinates, or increase 'merge'");
    spec.merge = 0.01;
    StickMesh mesh = generate(*state, spec, STICK_ELEMENT_DEFAULT);
    assert_int_equal(mesh.nnodes, 15);
    stick_mesh_destroy(*state, &mesh);
}

static void a_cell_that_is_turned_over_is_named(void **state)
{
    StickExpressions *sandbox;
    assert_ok(*state, stick_expressions_create(*state, &sandbox));
    StickPatchSpec patch[2] = {patch_of(1, 1, unit), {.dim = 2, .cells = {4, 1}, .name = "fold"}};
    // goes back between 3/4 and 1
    assert_ok(*state, stick_expression_compile(sandbox, "2 + min(xi, 1.5 - xi)", STICK_SEES_PATCH, here,
                                               &patch[1].map[0]));
    assert_ok(*state, stick_expression_compile(sandbox, "eta", STICK_SEES_PATCH, here, &patch[1].map[1]));
    assert_refused(*state, spec_of(patch, 2), STICK_BAD_MESH, 11, "cell (4, 1) of patch 2 ('fold')");
    stick_expressions_destroy(sandbox);
    static const double crossed[4][2] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    patch[0] = patch_of(2, 2, crossed);
    assert_refused(*state, spec_of(patch, 1), STICK_BAD_MESH, 10, "is inverted or flat at");
}

static void an_arc_needs_a_point_beside_its_line(void **state)
{
    StickPatchSpec patch = patch_of(2, 2, unit);
    curve(&patch, STICK_SIDE_TOP, 0.5, 1);
    assert_refused(*state, spec_of(&patch, 1), STICK_BAD_INPUT, 10, "side 'top'");
}

static void a_body_in_pieces_is_told(void **state)
{
    static const double far_away[4][2] = {{3, 0}, {4, 0}, {4, 1}, {3, 1}};
    StickPatchSpec patch[3] = {patch_of(2, 2, unit), patch_of(2, 2, next_to_it), patch_of(2, 2, far_away)};
    StickMesh mesh = generate(*state, spec_of(patch, 2), STICK_ELEMENT_DEFAULT);
    assert_int_equal(stick_diagnostic_count(*state), 0);
    stick_mesh_destroy(*state, &mesh);
    mesh = generate(*state, spec_of(patch, 3), STICK_ELEMENT_DEFAULT);
    assert_int_equal(stick_diagnostic_count(*state), 1);
    const StickDiagnostic *said = stick_diagnostic(*state, 0);
    assert_non_null(strstr(said->text, "patch 3 is not connected to patch 1"));
    assert_int_equal(said->line, 12);
    stick_mesh_destroy(*state, &mesh);
}

static StickStatus ring(StickContext *ctx, void *data)
{
    StickPatchSpec patch[2];
    StickMesh mesh;
    (void)data;
    make_ring(patch, 4, 1);
    StickMeshSpec spec = spec_of(patch, 2);
    STICK_TRY(stick_mesh_generate(ctx, &spec, STICK_ELEMENT_QUADRATIC, &mesh));
    stick_mesh_destroy(ctx, &mesh);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(ring, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_map_has_the_places_numbers_and_area_of_the_ring_lip),
        test_with_context(arcs_make_a_ring_of_two_halves),
        test_with_context(every_pattern_fills_the_same_ring),
        test_with_context(middles_of_quadratic_sides_lie_on_the_arc),
        test_with_context(grading_makes_the_last_cell_so_many_times_longer),
        test_with_context(neighbours_share_the_nodes_where_they_meet),
        test_with_context(patches_of_hexes_grow_together_in_space),
        test_with_context(long_cells_are_no_seams),
        test_with_context(a_smooth_corner_is_no_seam),
        test_with_context(seams_of_long_cells_are_refused),
        test_with_context(sides_that_meet_in_part_are_refused),
        test_with_context(nodes_that_miss_each_other_are_refused_or_merged),
        test_with_context(a_cell_that_is_turned_over_is_named),
        test_with_context(an_arc_needs_a_point_beside_its_line),
        test_with_context(a_body_in_pieces_is_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mesh.patches", tests, NULL, NULL);
}

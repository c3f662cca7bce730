// SPDX-License-Identifier: Apache-2.0
#include "mesh/generate.h"
#include "meshes.h"

static const double pi = 3.14159265358979323846;

static const StickMark here = {"model.yaml", 3, 7};

static StickMesh generate(StickContext *ctx, StickMeshSpec spec, StickElementKind element)
{
    StickMesh mesh;
    spec.mark = here;
    assert_ok(ctx, stick_mesh_generate(ctx, &spec, element, &mesh));
    assert_ok(ctx, stick_mesh_check(ctx, &mesh, here));
    return mesh;
}

static void assert_refused(StickContext *ctx, StickMeshSpec spec, StickElementKind element, const char *text)
{
    StickMesh mesh = {0};
    spec.mark = here;
    assert_int_equal(stick_mesh_generate(ctx, &spec, element, &mesh), STICK_BAD_INPUT);
    assert_said(ctx, text);
    assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, here.line);
    assert_null(mesh.x);
}

// All nodes of a group have coordinate k at the value.
static void assert_on(const StickMesh *mesh, const char *name, int k, double value)
{
    const StickGroup *group = need_group(mesh, name);
    for (int i = 0; i < group->nnodes; i++)
        assert_near(place_of(mesh, group->node[i])[k], value, 1e-14);
}

// ---- bar

static void bar_has_equal_elements_and_two_ends(void **state)
{
    StickMeshSpec spec = {.kind = STICK_MESH_BAR, .size = {0.254}, .cells = {20}, .origin = {0.254}};
    StickMesh mesh = generate(*state, spec, STICK_ELEMENT_DEFAULT);
    assert_int_equal(mesh.dim, 1);
    assert_int_equal(mesh.nnodes, 21);
    assert_int_equal(mesh.nelements, 20);
    assert_near(mesh_volume(&mesh), 0.254, 1e-15);
    assert_group(&mesh, "start", 1, 0, 1);
    assert_group(&mesh, "end", 1, 0, 1);
    assert_group(&mesh, "boundary", 2, 0, 2);
    assert_group(&mesh, "all", 21, 20, 0);
    assert_on(&mesh, "start", 0, 0.254);
    assert_on(&mesh, "end", 0, 0.508);
    stick_mesh_destroy(*state, &mesh);
}

// ---- rectangle

static const StickMeshSpec rectangle = {
    .kind = STICK_MESH_RECTANGLE, .size = {80, 40}, .cells = {20, 10}, .origin = {-3, 5}};

static StickMesh generate_rectangle(StickContext *ctx, StickMeshPattern pattern, StickElementKind element)
{
    StickMeshSpec spec = rectangle;
    spec.pattern = pattern;
    return generate(ctx, spec, element);
}

// Smaller cells towards the bottom: every length along it is the same, areas and groups are whole, no node hangs.
static void rectangle_refines_towards_the_bottom(void **state)
{
    static const struct {
        int cells[2], refine, along, nnodes, nelements;
    } cases[] = {
        // lines of nodes, then centres
        {{8, 4}, 2, 33, (2 * 33 + 17 + 4 * 9) + (32 + 16 + 8 + 3 * 8), 4 * 32 + 5 * 16 + 5 * 8 + 3 * 4 * 8},
        {{16, 8},
         2,
         65,
         (2 * 65 + 33 + 8 * 17) + (64 + 32 + 16 + 7 * 16),
         4 * 64 + 5 * 32 + 5 * 16 + 7 * 4 * 16},
        {{2, 1}, 3, 17, (2 * 17 + 9 + 5 + 3) + (16 + 8 + 4 + 2), 4 * 16 + 5 * 8 + 5 * 4 + 5 * 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int quadratic = 0; quadratic < 2; quadratic++) {
            StickMeshSpec spec = rectangle;
            spec.pattern = STICK_PATTERN_CROSSED;
            spec.refine = cases[k].refine;
            spec.cells[0] = cases[k].cells[0], spec.cells[1] = cases[k].cells[1];
            // generate() checks the mesh: an edge with a hanging node would overlap its neighbours
            StickMesh mesh =
                generate(*state, spec, quadratic ? STICK_ELEMENT_QUADRATIC : STICK_ELEMENT_DEFAULT);
            int sides = cases[k].nnodes + cases[k].nelements - 1; // Euler: nodes - sides + elements = 1
            assert_int_equal(mesh.nnodes, cases[k].nnodes + (quadratic ? sides : 0));
            assert_int_equal(mesh.nelements, cases[k].nelements);
            assert_near(mesh_volume(&mesh), 3200, 1e-10);
            assert_on(&mesh, "bottom", 1, 5);
            assert_on(&mesh, "top", 1, 45);
            assert_on(&mesh, "left", 0, -3);
            assert_on(&mesh, "right", 0, 77);
            const StickGroup *bottom = need_group(&mesh, "bottom");
            assert_int_equal(bottom->nfacets, cases[k].along - 1);
            assert_int_equal(need_group(&mesh, "right")->nfacets, cases[k].cells[1] + cases[k].refine);
            for (int i = 0; !quadratic && i < bottom->nnodes; i++)
                assert_near(place_of(&mesh, bottom->node[i])[0], -3 + 80.0 * i / (cases[k].along - 1), 1e-12);
            assert_near(place_of(&mesh, need_group(&mesh, "top-right")->node[0])[1], 45, 1e-12);
            assert_near(place_of(&mesh, need_group(&mesh, "bottom-right")->node[0])[0], 77, 1e-12);
            stick_mesh_destroy(*state, &mesh);
        }
    StickMeshSpec quads = rectangle;
    quads.refine = 1;
    assert_refused(*state, quads, STICK_ELEMENT_DEFAULT, "only the crossed pattern");
}

static void rectangle_has_the_counts_of_its_pattern(void **state)
{
    static const struct {
        StickMeshPattern pattern;
        StickElementKind element;
        StickShape shape;
        int nnodes, nelements;
    } cases[] = {
        {STICK_PATTERN_QUADS, STICK_ELEMENT_LINEAR, STICK_QUAD4, 231, 200},
        {STICK_PATTERN_QUADS, STICK_ELEMENT_MEAN_DILATATION, STICK_QUAD4, 231, 200},
        {STICK_PATTERN_QUADS, STICK_ELEMENT_QUADRATIC, STICK_QUAD8, 231 + 20 * 11 + 21 * 10, 200},
        {STICK_PATTERN_TRIANGLES, STICK_ELEMENT_DEFAULT, STICK_TRI3, 231, 400},
        {STICK_PATTERN_TRIANGLES, STICK_ELEMENT_QUADRATIC, STICK_TRI6, 41 * 21, 400},
        {STICK_PATTERN_CROSSED, STICK_ELEMENT_DEFAULT, STICK_TRI3, 431, 800},
        {STICK_PATTERN_CROSSED, STICK_ELEMENT_QUADRATIC, STICK_TRI6, 431 + 430 + 800, 800},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickMesh mesh = generate_rectangle(*state, cases[k].pattern, cases[k].element);
        assert_int_equal(mesh.nnodes, cases[k].nnodes);
        assert_int_equal(mesh.nelements, cases[k].nelements);
        assert_int_equal(mesh.shape[0], cases[k].shape);
        assert_near(mesh_volume(&mesh), 3200, 1e-10);
        bool quadratic = cases[k].element == STICK_ELEMENT_QUADRATIC;
        assert_group(&mesh, "bottom", quadratic ? 41 : 21, 0, 20);
        assert_group(&mesh, "left", quadratic ? 21 : 11, 0, 10);
        assert_group(&mesh, "boundary", quadratic ? 120 : 60, 0, 60);
        assert_group(&mesh, "all", mesh.nnodes, mesh.nelements, 0);
        stick_mesh_destroy(*state, &mesh);
    }
}

static void rectangle_sides_are_where_their_names_say(void **state)
{
    StickMesh mesh = generate_rectangle(*state, STICK_PATTERN_CROSSED, STICK_ELEMENT_QUADRATIC);
    assert_on(&mesh, "bottom", 1, 5);
    assert_on(&mesh, "right", 0, 77);
    assert_on(&mesh, "top", 1, 45);
    assert_on(&mesh, "left", 0, -3);
    static const char *const corners[] = {"bottom-left", "bottom-right", "top-right", "top-left"};
    static const double places[4][2] = {{-3, 5}, {77, 5}, {77, 45}, {-3, 45}};
    for (int k = 0; k < 4; k++) {
        assert_group(&mesh, corners[k], 1, 0, 0);
        assert_on(&mesh, corners[k], 0, places[k][0]);
        assert_on(&mesh, corners[k], 1, places[k][1]);
    }
    stick_mesh_destroy(*state, &mesh);
}

static void nodes_are_numbered_row_by_row(void **state)
{
    StickMesh mesh = generate_rectangle(*state, STICK_PATTERN_QUADS, STICK_ELEMENT_DEFAULT);
    for (int i = 0; i < mesh.nnodes; i++) {
        assert_near(place_of(&mesh, i)[0], -3 + 4 * (i % 21), 1e-12);
        assert_near(place_of(&mesh, i)[1], 5 + 4 * (i / 21), 1e-12);
    }
    stick_mesh_destroy(*state, &mesh);
}

// ---- box

static void box_is_filled_by_hexes_and_by_tets(void **state)
{
    StickMeshSpec spec = {
        .kind = STICK_MESH_BOX, .size = {2, 3, 5}, .cells = {2, 3, 4}, .origin = {1, -1, 0.5}};
    for (int tets = 0; tets < 2; tets++) {
        int per_cell = tets ? 6 : 1, per_side = tets ? 2 : 1;
        spec.pattern = tets ? STICK_PATTERN_TRIANGLES : STICK_PATTERN_QUADS;
        StickMesh mesh = generate(*state, spec, STICK_ELEMENT_LINEAR);
        assert_int_equal(mesh.nnodes, 60);
        assert_int_equal(mesh.nelements, 24 * per_cell);
        assert_near(mesh_volume(&mesh), 30, 1e-12);
        // a mesh whose neighbours did not match would have more free sides than the box
        assert_group(&mesh, "boundary", 60 - 1 * 2 * 3, 0, 52 * per_side);
        assert_group(&mesh, "x-min", 20, 0, 12 * per_side);
        assert_group(&mesh, "bottom", 12, 0, 6 * per_side);
        assert_on(&mesh, "x-min", 0, 1);
        assert_on(&mesh, "left", 0, 1);
        assert_on(&mesh, "right", 0, 3);
        assert_on(&mesh, "y-min", 1, -1);
        assert_on(&mesh, "front", 1, -1);
        assert_on(&mesh, "back", 1, 2);
        assert_on(&mesh, "z-min", 2, 0.5);
        assert_on(&mesh, "bottom", 2, 0.5);
        assert_on(&mesh, "top", 2, 5.5);
        stick_mesh_destroy(*state, &mesh);
    }
}

// ---- disk

static StickMeshSpec disk_of(int k, int l, int rings)
{
    return (StickMeshSpec){.kind = STICK_MESH_DISK, .radius = 2, .cells = {k, l, rings}, .origin = {3, -1}};
}

static double smallest_scaled_jacobian(const StickMesh *mesh)
{
    double smallest = 1;
    for (int e = 0; e < mesh->nelements; e++)
        for (int c = 0; c < 4; c++) {
            const int *node = &mesh->node[mesh->start[e]];
            const double *x = place_of(mesh, node[c]), *y = place_of(mesh, node[(c + 1) % 4]),
                         *z = place_of(mesh, node[(c + 3) % 4]);
            double a[2] = {y[0] - x[0], y[1] - x[1]}, b[2] = {z[0] - x[0], z[1] - x[1]};
            smallest = fmin(smallest, cross2(a, b) / hypot(a[0], a[1]) / hypot(b[0], b[1]));
        }
    return smallest;
}

// Distance from a place to the nearest node.
static double nearest(const StickMesh *mesh, double x, double y)
{
    double distance = HUGE_VAL;
    for (int i = 0; i < mesh->nnodes; i++)
        distance = fmin(distance, hypot(place_of(mesh, i)[0] - x, place_of(mesh, i)[1] - y));
    return distance;
}

static void disks_of_the_papers_have_their_counts(void **state)
{
    static const int cases[][5] = {{12, 24, 4, 613, 72}, {12, 12, 9, 601, 48}};
    for (int k = 0; k < 2; k++) {
        const int *c = cases[k];
        StickMesh mesh = generate(*state, disk_of(c[0], c[1], c[2]), STICK_ELEMENT_DEFAULT);
        assert_int_equal(mesh.nnodes, c[3]);
        assert_int_equal(mesh.nelements, 576);
        assert_group(&mesh, "outer", c[4], 0, c[4]);
        assert_group(&mesh, "boundary", c[4], 0, c[4]);
        assert_group(&mesh, "lower", c[4] / 2 + 1, 0, c[4] / 2);
        assert_group(&mesh, "centre", 1, 0, 0);
        stick_mesh_destroy(*state, &mesh);
    }
}

static void disks_are_well_shaped(void **state)
{
    static const int cases[][3] = {{12, 24, 4}, {12, 12, 9}, {24, 12, 4}, {2, 2, 1},
                                   {1, 1, 1},   {3, 5, 2},   {4, 12, 6},  {40, 40, 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickMesh mesh =
            generate(*state, disk_of(cases[k][0], cases[k][1], cases[k][2]), STICK_ELEMENT_DEFAULT);
        assert_true(smallest_scaled_jacobian(&mesh) > 0.7);
        stick_mesh_destroy(*state, &mesh);
    }
}

static void disk_boundary_is_on_the_circle_at_equal_angles(void **state)
{
    StickMesh mesh = generate(*state, disk_of(12, 24, 4), STICK_ELEMENT_DEFAULT);
    const StickGroup *outer = need_group(&mesh, "outer"), *lower = need_group(&mesh, "lower");
    for (int k = 0; k < outer->nnodes; k++) {
        const double *x = place_of(&mesh, outer->node[k]);
        double steps = atan2(x[1] + 1, x[0] - 3) / (2 * pi / 72);
        assert_near(hypot(x[0] - 3, x[1] + 1), 2, 1e-14);
        assert_near(steps, round(steps), 1e-11);
    }
    for (int k = 0; k < lower->nnodes; k++)
        assert_below(place_of(&mesh, lower->node[k])[1], -1 + 1e-12);
    // 72 sides of a polygon
    assert_near(mesh_volume(&mesh), 36 * 4 * sin(2 * pi / 72), 1e-12);
    stick_mesh_destroy(*state, &mesh);
}

static void disk_mirrors_itself_and_stands_on_a_node(void **state)
{
    static const StickElementKind kinds[] = {STICK_ELEMENT_LINEAR, STICK_ELEMENT_QUADRATIC};
    for (int k = 0; k < 2; k++) {
        StickMesh mesh = generate(*state, disk_of(12, 24, 4), kinds[k]);
        for (int i = 0; i < mesh.nnodes; i++)
            assert_below(nearest(&mesh, 6 - place_of(&mesh, i)[0], place_of(&mesh, i)[1]), 1e-14);
        assert_true(nearest(&mesh, 3, -3) == 0);
        stick_mesh_destroy(*state, &mesh);
    }
}

// 108 cells per quarter: 36 of the core and 72 in six rings.
static void parts_of_a_disk_end_at_their_cuts(void **state)
{
    StickMeshSpec spec = disk_of(12, 12, 6);
    StickMesh whole = generate(*state, spec, STICK_ELEMENT_DEFAULT);
    spec.part = STICK_DISK_HALF;
    StickMesh half = generate(*state, spec, STICK_ELEMENT_DEFAULT);
    spec.part = STICK_DISK_QUARTER;
    StickMesh quarter = generate(*state, spec, STICK_ELEMENT_DEFAULT);
    assert_near(mesh_volume(&half), mesh_volume(&whole) / 2, 1e-10 * mesh_volume(&whole));
    assert_near(mesh_volume(&quarter), mesh_volume(&whole) / 4, 1e-10 * mesh_volume(&whole));
    assert_int_equal(quarter.nelements, 108);
    assert_group(&half, "top", 25, 0, 24);
    assert_group(&quarter, "top", 13, 0, 12);
    assert_group(&quarter, "left", 13, 0, 12);
    assert_group(&quarter, "outer", 13, 0, 12);
    assert_group(&quarter, "boundary", 36, 0, 36);
    assert_group(&quarter, "centre", 1, 0, 0);
    assert_on(&quarter, "lowest", 1, spec.origin[1] - spec.radius);
    assert_on(&quarter, "rightmost", 0, spec.origin[0] + spec.radius);
    assert_on(&quarter, "top", 1, spec.origin[1]);
    assert_on(&quarter, "left", 0, spec.origin[0]);
    for (int i = 0; i < quarter.nnodes; i++)
        assert_true(place_of(&quarter, i)[0] >= spec.origin[0] && place_of(&quarter, i)[1] <= spec.origin[1]);
    stick_mesh_destroy(*state, &whole);
    stick_mesh_destroy(*state, &half);
    stick_mesh_destroy(*state, &quarter);
    spec.cells[0] = 11;
    assert_refused(
        *state, spec, STICK_ELEMENT_DEFAULT,
        "the core of the disk has 11 cells along x, but the number must be even for a half or quarter disk");
    spec.part = STICK_DISK_HALF;
    StickMesh odd = generate(*state, spec, STICK_ELEMENT_QUADRATIC);
    stick_mesh_destroy(*state, &odd);
}

static void quadratic_disk_has_its_mid_side_nodes_on_the_circle(void **state)
{
    StickMesh mesh = generate(*state, disk_of(4, 4, 2), STICK_ELEMENT_QUADRATIC);
    const StickGroup *outer = need_group(&mesh, "outer");
    assert_int_equal(outer->nnodes, 32);
    for (int k = 0; k < outer->nnodes; k++)
        assert_near(hypot(place_of(&mesh, outer->node[k])[0] - 3, place_of(&mesh, outer->node[k])[1] + 1), 2,
                    1e-14);
    assert_near(mesh_volume(&mesh), 4 * pi, 2e-3);
    stick_mesh_destroy(*state, &mesh);
}

// ---- rounded plate

static const StickMeshSpec plate = {.kind = STICK_MESH_ROUNDED_PLATE,
                                    .size = {0.04, 0.08},
                                    .cells = {8, 10},
                                    .radius = 0.101,
                                    .origin = {0.1, 0.2}};

static void rounded_plate_of_the_paper(void **state)
{
    StickMesh mesh = generate(*state, plate, STICK_ELEMENT_DEFAULT);
    const StickGroup *round = need_group(&mesh, "round");
    assert_int_equal(mesh.nnodes, 99);
    assert_int_equal(mesh.nelements, 80);
    assert_group(&mesh, "round", 9, 0, 8);
    assert_group(&mesh, "top", 9, 0, 8);
    assert_group(&mesh, "left", 11, 0, 10);
    assert_group(&mesh, "right", 11, 0, 10);
    for (int k = 0; k < 9; k++) {
        const double *x = place_of(&mesh, round->node[k]);
        assert_near(x[0], 0.1 - 0.02 + 0.005 * k, 1e-15);
        assert_near(hypot(x[0] - 0.1, x[1] - 0.2 - 0.101), 0.101, 1e-15);
    }
    // the sagitta of this radius is 2 mm
    assert_near(place_of(&mesh, round->node[0])[1], 0.202, 1e-15);
    assert_near(place_of(&mesh, round->node[4])[1], 0.2, 1e-15);
    assert_on(&mesh, "top", 1, 0.28);
    // columns have equal steps
    assert_near(place_of(&mesh, 9)[1] - place_of(&mesh, 0)[1], 0.0078, 1e-15);
    stick_mesh_destroy(*state, &mesh);
}

static void quadratic_rounded_plate_follows_the_arc(void **state)
{
    StickMesh mesh = generate(*state, plate, STICK_ELEMENT_QUADRATIC);
    const StickGroup *round = need_group(&mesh, "round");
    assert_int_equal(round->nnodes, 17);
    for (int k = 0; k < round->nnodes; k++) {
        const double *x = place_of(&mesh, round->node[k]);
        assert_near(hypot(x[0] - 0.1, x[1] - 0.2 - 0.101), 0.101, 1e-15);
    }
    double half = asin(0.02 / 0.101), segment = 0.101 * 0.101 * (half - sin(half) * cos(half));
    assert_near(mesh_volume(&mesh), 0.04 * 0.078 + segment, 1e-9);
    stick_mesh_destroy(*state, &mesh);
}

// ---- errors

static void sizes_that_make_no_mesh_are_refused(void **state)
{
    StickMeshSpec spec = rectangle;
    spec.size[1] = 0;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "a size of the rectangle is 0");
    spec = rectangle;
    spec.cells[0] = 0;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "the rectangle has 0 cells");
    spec.cells[0] = 2000000000;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "are too many");
    spec = plate;
    spec.radius = 0.019;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "the radius of the rounded plate is 0.019");
    spec.radius = 0.02;
    spec.size[1] = 0.02;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "the length of the rounded plate is 0.02");
    spec = disk_of(2, 2, 1);
    spec.radius = NAN;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "the radius of the disk is nan");
    spec = disk_of(2, 2, 0);
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "the disk has 0 cells");
    spec.cells[2] = 1;
    spec.origin[1] = INFINITY;
    assert_refused(*state, spec, STICK_ELEMENT_DEFAULT, "the origin of the disk is not finite");
}

static void elements_that_do_not_exist_are_refused(void **state)
{
    StickMeshSpec bar = {.kind = STICK_MESH_BAR, .size = {1}, .cells = {2}};
    StickMeshSpec box = {.kind = STICK_MESH_BOX, .size = {1, 1, 1}, .cells = {1, 1, 1}};
    assert_refused(*state, bar, STICK_ELEMENT_QUADRATIC,
                   "a bar cannot have quadratic elements: only plane meshes can");
    assert_refused(*state, box, STICK_ELEMENT_QUADRATIC,
                   "a box cannot have quadratic elements: only plane meshes can");
    assert_refused(*state, bar, STICK_ELEMENT_MEAN_DILATATION, "mean dilatation");
    box.pattern = STICK_PATTERN_CROSSED;
    assert_refused(*state, box, STICK_ELEMENT_LINEAR, "no crossed pattern");
    StickMeshSpec crossed = rectangle;
    crossed.pattern = STICK_PATTERN_CROSSED;
    assert_refused(*state, crossed, STICK_ELEMENT_MEAN_DILATATION, "mean dilatation");
}

static StickStatus generate_and_destroy(StickContext *ctx, void *data)
{
    StickMesh mesh;
    STICK_TRY(stick_mesh_generate(ctx, data, STICK_ELEMENT_DEFAULT, &mesh));
    StickStatus status = stick_mesh_check(ctx, &mesh, here);
    stick_mesh_destroy(ctx, &mesh);
    StickMeshSpec *spec = data;
    if (status != STICK_OK || spec->kind == STICK_MESH_BOX)
        return status;
    STICK_TRY(stick_mesh_generate(ctx, data, STICK_ELEMENT_QUADRATIC, &mesh));
    stick_mesh_destroy(ctx, &mesh);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickMeshSpec box = {
        .kind = STICK_MESH_BOX, .size = {1, 1, 1}, .cells = {2, 1, 1}, .pattern = STICK_PATTERN_TRIANGLES};
    StickMeshSpec disk = disk_of(2, 2, 1);
    disk.part = STICK_DISK_QUARTER;
    assert_survives_failing_memory(generate_and_destroy, &box);
    assert_survives_failing_memory(generate_and_destroy, &disk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(bar_has_equal_elements_and_two_ends),
        test_with_context(rectangle_refines_towards_the_bottom),
        test_with_context(rectangle_has_the_counts_of_its_pattern),
        test_with_context(rectangle_sides_are_where_their_names_say),
        test_with_context(nodes_are_numbered_row_by_row),
        test_with_context(box_is_filled_by_hexes_and_by_tets),
        test_with_context(disks_of_the_papers_have_their_counts),
        test_with_context(disks_are_well_shaped),
        test_with_context(disk_boundary_is_on_the_circle_at_equal_angles),
        test_with_context(disk_mirrors_itself_and_stands_on_a_node),
        test_with_context(parts_of_a_disk_end_at_their_cuts),
        test_with_context(quadratic_disk_has_its_mid_side_nodes_on_the_circle),
        test_with_context(rounded_plate_of_the_paper),
        test_with_context(quadratic_rounded_plate_follows_the_arc),
        test_with_context(sizes_that_make_no_mesh_are_refused),
        test_with_context(elements_that_do_not_exist_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mesh.generate", tests, NULL, NULL);
}

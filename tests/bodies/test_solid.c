// SPDX-License-Identifier: Apache-2.0
#include "base/quaternion.h"
#include "bodies/solid.h"
#include "check.h"
#include "mesh/builder.h"

static const double pi = 3.14159265358979323846;

static StickSolid solid_of(StickContext *ctx, int dim, int nshapes, const StickShapeSpec *shape)
{
    StickSolidSpec spec = {.name = "stone", .dim = dim, .nshapes = nshapes, .shape = shape};
    StickSolid solid;
    assert_ok(ctx, stick_solid_create(ctx, &spec, &solid));
    return solid;
}

static void assert_vector(const double *a, const double *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++)
        assert_near(a[k], b[k], tolerance);
}

static void assert_diagonal(const double inertia[9], double x, double y, double z, double tolerance)
{
    assert_vector(inertia, (double[]){x, 0, 0, 0, y, 0, 0, 0, z}, 9, tolerance);
}

// ---- closed forms

static void test_disk(void **state)
{
    StickShapeSpec spec = {.kind = STICK_SPEC_BALL, .radius = 2, .position = {5, 6}};
    StickSolid disk = solid_of(*state, 2, 1, &spec);
    assert_near(disk.volume, 4 * pi, 1e-14);
    assert_diagonal(disk.inertia, 0, 0, 8 * pi, 1e-14);
    // one alone is exactly about its mass centre
    assert_vector(disk.shift, (double[]){5, 6, 0}, 3, 0);
    assert_vector(disk.shape[0].centre, (double[]){0, 0, 0}, 3, 0);
    assert_near(disk.bound, 2, 0);
    assert_near(disk.thin, 2, 0);
    assert_near(disk.shape[0].bound, 2, 0);
    stick_solid_destroy(*state, &disk);
}

static void test_rectangle_has_the_numbers_given(void **state)
{
    StickShapeSpec spec = {.kind = STICK_SPEC_BOX, .size = {0.45, 0.4}, .position = {0.225, 0.2}};
    StickSolid block = solid_of(*state, 2, 1, &spec);
    const double corner[] = {-0.225, -0.2, 0, 0.225, -0.2, 0, 0.225, 0.2, 0, -0.225, 0.2, 0};
    assert_int_equal(block.shape[0].nvertices, 4);
    assert_vector(block.shape[0].vertex, corner, 12, 0);
    assert_vector(block.shift, spec.position, 3, 0);
    assert_near(block.volume, 0.18, 1e-16);
    assert_diagonal(block.inertia, 0, 0, 0.18 * (0.45 * 0.45 + 0.4 * 0.4) / 12, 1e-17);
    assert_near(block.bound, hypot(0.225, 0.2), 1e-16);
    assert_near(block.thin, 0.2, 1e-15);
    stick_solid_destroy(*state, &block);
}

static void test_sphere_and_box_in_space(void **state)
{
    StickShapeSpec spec[] = {{.kind = STICK_SPEC_BALL, .radius = 3},
                             {.kind = STICK_SPEC_BOX, .size = {1, 2, 3}}};
    StickSolid sphere = solid_of(*state, 3, 1, &spec[0]), box = solid_of(*state, 3, 1, &spec[1]);
    assert_near(sphere.volume, 36 * pi, 1e-13);
    double J = 36 * pi * 2 * 9 / 5;
    assert_diagonal(sphere.inertia, J, J, J, 1e-12);
    assert_near(box.volume, 6, 0);
    assert_near(box.thin, 0.5, 1e-15);
    assert_diagonal(box.inertia, 6.5, 5, 2.5, 1e-15);
    assert_int_equal(box.shape[0].nfaces, 6);
    assert_int_equal(box.shape[0].nedges, 12);
    for (int f = 0; f < 6; f++) {
        const double *face = &box.shape[0].face[4 * f];
        assert_near(face[3], fabs(face[0]) * 0.5 + fabs(face[1]) + fabs(face[2]) * 1.5, 0);
    }
    stick_solid_destroy(*state, &sphere);
    stick_solid_destroy(*state, &box);
}

// Slices across z, by Simpson's rule on each of three parts; radius(z) of a capsule.
static void slice_capsule(double r, double L, double *volume, double *across, double *along)
{
    enum { N = 2000 };
    const double cut[4] = {-L / 2 - r, -L / 2, L / 2, L / 2 + r};
    *volume = *across = *along = 0;
    for (int part = 0; part < 3; part++)
        for (int k = 0; k <= N; k++) {
            double dz = (cut[part + 1] - cut[part]) / N, z = cut[part] + k * dz;
            double weight = (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) * dz / 3;
            double beyond = fmax(0, fabs(z) - L / 2), square = fmax(0, r * r - beyond * beyond);
            *volume += weight * pi * square;
            *along += weight * pi * square * square / 2;
            *across += weight * (pi * square * square / 4 + pi * square * z * z);
        }
}

static void test_capsule_and_cylinder(void **state)
{
    StickShapeSpec spec[] = {{.kind = STICK_SPEC_CAPSULE, .radius = 0.7, .length = 2},
                             {.kind = STICK_SPEC_CYLINDER, .radius = 0.7, .length = 2}};
    StickSolid capsule = solid_of(*state, 3, 1, &spec[0]), cylinder = solid_of(*state, 3, 1, &spec[1]);
    double volume, across, along;
    slice_capsule(0.7, 2, &volume, &across, &along);
    assert_near(capsule.volume, volume, 1e-10);
    assert_diagonal(capsule.inertia, across, across, along, 1e-10);
    assert_near(capsule.bound, 1.7, 1e-15);
    assert_near(capsule.thin, 0.7, 0);
    assert_near(cylinder.volume, 0.98 * pi, 1e-14);
    across = 0.98 * pi * (3 * 0.49 + 4) / 12;
    assert_diagonal(cylinder.inertia, across, across, 0.98 * pi * 0.49 / 2, 1e-14);
    assert_near(cylinder.bound, hypot(1, 0.7), 1e-15);
    assert_near(cylinder.thin, 0.7, 1e-15);
    assert_vector(cylinder.shape[0].axis, (double[]){0, 0, 1}, 3, 0);
    stick_solid_destroy(*state, &capsule);
    stick_solid_destroy(*state, &cylinder);
}

// Slices along x at y = r sin(s).
static void test_stadium(void **state)
{
    enum { N = 400 };
    double r = 0.5, L = 3, area = 0, J = 0;
    for (int k = 0; k <= N; k++) {
        double s = pi * (k - N / 2) / N, weight = (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) * pi / N / 3;
        double y = r * sin(s), width = L + 2 * r * cos(s);
        area += weight * r * cos(s) * width;
        J += weight * r * cos(s) * (width * width * width / 12 + width * y * y);
    }
    StickShapeSpec spec = {.kind = STICK_SPEC_CAPSULE, .radius = r, .length = L, .turn = {0.6, 0, 0, 0.8}};
    StickSolid stadium = solid_of(*state, 2, 1, &spec);
    assert_near(stadium.volume, area, 1e-9);
    assert_diagonal(stadium.inertia, 0, 0, J, 1e-9);
    assert_vector(stadium.shape[0].axis, (double[]){0.36 - 0.64, 0.96, 0}, 3, 1e-15);
    stick_solid_destroy(*state, &stadium);
}

// Corners at the origin and at a, b, c on the axes: V = abc/6, and about the mass centre
// J_xx = 3 V (b^2 + c^2)/80, J_xy = V a b/80
static void test_tetrahedron(void **state)
{
    const double points[] = {0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
    StickShapeSpec spec = {.kind = STICK_SPEC_HULL, .npoints = 4, .points = points};
    StickSolid tet = solid_of(*state, 3, 1, &spec);
    const double J[9] = {3 * 25 / 20.0, 6 / 20.0, 8 / 20.0,  6 / 20.0,     3 * 20 / 20.0,
                         12 / 20.0,     8 / 20.0, 12 / 20.0, 3 * 13 / 20.0};
    assert_near(tet.volume, 4, 1e-15);
    assert_vector(tet.shift, (double[]){0.5, 0.75, 1}, 3, 1e-15);
    assert_vector(tet.inertia, J, 9, 1e-14);
    stick_solid_destroy(*state, &tet);
}

static void test_triangle(void **state)
{
    // area bh/2, inertia about the mass centre b h (b^2 + h^2)/36 with the right angle at a corner
    const double points[] = {10, 10, 13, 10, 10, 14};
    StickShapeSpec spec = {.kind = STICK_SPEC_POLYGON, .npoints = 3, .points = points};
    StickSolid triangle = solid_of(*state, 2, 1, &spec);
    assert_near(triangle.volume, 6, 1e-14);
    assert_vector(triangle.shift, (double[]){11, 10 + 4 / 3.0, 0}, 3, 1e-14);
    assert_diagonal(triangle.inertia, 0, 0, 12 * 25 / 36.0, 1e-13);
    stick_solid_destroy(*state, &triangle);
}

// An L of 2 x 1 below and 1 x 1 above its left half: area 3, centre (5/6, 5/6), parallel axes.
static void test_compound(void **state)
{
    StickShapeSpec spec[] = {{.kind = STICK_SPEC_BOX, .size = {2, 1}, .position = {1, 0.5}},
                             {.kind = STICK_SPEC_BOX, .size = {1, 1}, .position = {0.5, 1.5}}};
    StickSolid angle = solid_of(*state, 2, 2, spec);
    double J = 2 * 5 / 12.0 + 2 / 12.0; // of both about their own centres
    J += 2 * (1 / 36.0 + 4 / 36.0) + (4 / 36.0 + 16 / 36.0);
    assert_near(angle.volume, 3, 1e-15);
    assert_vector(angle.shift, (double[]){5 / 6.0, 5 / 6.0, 0}, 3, 1e-15);
    assert_diagonal(angle.inertia, 0, 0, J, 1e-15);
    assert_vector(angle.shape[0].centre, (double[]){1 / 6.0, -1 / 3.0, 0}, 3, 1e-15);
    // the corner (2, 0) is the farthest
    assert_near(angle.bound, hypot(7 / 6.0, 5 / 6.0), 1e-15);
    stick_solid_destroy(*state, &angle);
}

// A box cut in two boxes, or into a hull and a box, is the same body.
static void test_parts_make_the_whole(void **state)
{
    const double points[] = {-1, -1, -1, 0, -1, -1, -1, 1, -1, 0, 1, -1,
                             -1, -1, 1,  0, -1, 1,  -1, 1, 1,  0, 1, 1};
    StickShapeSpec spec[] = {{.kind = STICK_SPEC_HULL, .npoints = 8, .points = points},
                             {.kind = STICK_SPEC_BOX, .size = {1, 2, 2}, .position = {0.5, 0, 0}},
                             {.kind = STICK_SPEC_BOX, .size = {2, 2, 2}}};
    StickSolid parts = solid_of(*state, 3, 2, spec), whole = solid_of(*state, 3, 1, &spec[2]);
    assert_near(parts.volume, whole.volume, 1e-14);
    assert_vector(parts.shift, whole.shift, 3, 1e-15);
    assert_vector(parts.inertia, whole.inertia, 9, 1e-14);
    assert_near(parts.bound, whole.bound, 1e-15);
    stick_solid_destroy(*state, &parts);
    stick_solid_destroy(*state, &whole);
}

// ---- turned and shifted

// A copy elsewhere has the rotated inertia, and its bounds enclose its shapes.
static void test_turned_copies(void **state)
{
    const double points[] = {0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 2, 2, 2};
    StickShapeSpec spec[] = {{.kind = STICK_SPEC_HULL, .npoints = 5, .points = points},
                             {.kind = STICK_SPEC_CYLINDER, .radius = 1, .length = 3, .position = {4, 0, 1}},
                             {.kind = STICK_SPEC_CAPSULE, .radius = 1, .length = 3, .position = {-4, 2, 1}},
                             {.kind = STICK_SPEC_BOX, .size = {1, 2, 3}, .position = {0, -5, 0}}};
    StickSolid plain = solid_of(*state, 3, 4, spec);
    double turn[4], J[9], shift[3];
    const double to[3] = {10, 20, 30};
    stick_quaternion_about((double[]){1, -2, 0.5}, 2.1, turn);
    stick_quaternion_tensor(turn, plain.inertia, J);
    stick_quaternion_rotate(turn, plain.shift, shift);
    stick_vec_axpy(to, 1, shift, shift);
    for (int s = 0; s < 4; s++) {
        double place[3];
        stick_quaternion_rotate(turn, spec[s].position, place);
        stick_vec_axpy(to, 1, place, spec[s].position);
        // any length will do
        for (int k = 0; k < 4; k++)
            spec[s].turn[k] = 3 * turn[k];
    }
    StickSolid turned = solid_of(*state, 3, 4, spec);
    assert_near(turned.volume, plain.volume, 1e-12);
    assert_vector(turned.inertia, J, 9, 1e-11);
    assert_vector(turned.shift, shift, 3, 1e-13);
    assert_near(turned.bound, plain.bound, 1e-13);
    for (int s = 0; s < 4; s++) {
        const StickConvex *a = &plain.shape[s], *b = &turned.shape[s];
        double centre[3];
        stick_quaternion_rotate(turn, a->centre, centre);
        assert_vector(b->centre, centre, 3, 1e-13);
        assert_near(b->bound, a->bound, 1e-13);
        for (int f = 0; f < b->nfaces; f++)
            for (int k = b->face_start[f]; k < b->face_start[f + 1]; k++)
                assert_near(stick_vec_dot(&b->face[4 * f], &b->vertex[3 * b->face_vertex[k]]),
                            b->face[4 * f + 3], 1e-13);
    }
    stick_solid_destroy(*state, &plain);
    stick_solid_destroy(*state, &turned);
}

// The nodes of a skin are on the shape: within the bound, and one reaches it.
static void test_bound_is_tight(void **state)
{
    StickShapeSpec spec[] = {
        {.kind = STICK_SPEC_CYLINDER, .radius = 1, .length = 3, .position = {4, 0, 0}, .turn = {1, 0, 1, 0}},
        {.kind = STICK_SPEC_CAPSULE, .radius = 1, .length = 3, .position = {-4, 0, 0}, .turn = {1, 0, 1, 0}}};
    for (int count = 1; count <= 2; count++) {
        StickSolid solid = solid_of(*state, 3, count, spec);
        double farthest = 0;
        for (int i = 0; i < solid.skin.nnodes; i++)
            farthest = fmax(farthest, stick_vec_norm(&solid.skin.x[3 * i]));
        assert_below(farthest, solid.bound * (1 + 1e-14));
        assert_below(solid.bound, farthest * 1.02);
        stick_solid_destroy(*state, &solid);
    }
}

// ---- of meshes

static StickMesh mesh_of_box(StickContext *ctx, int n, bool dented)
{
    StickMeshBuilder builder;
    StickMesh mesh;
    stick_builder_init(&builder, ctx, 3);
    for (int k = 0; k <= n; k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double x[3] = {i / (double)n, j / (double)n, k / (double)n};
                assert_ok(ctx, stick_builder_add_node(&builder, x, 0));
            }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int node[8], m = n + 1;
                for (int c = 0; c < 8; c++)
                    node[c] = i + (c % 4 == 1 || c % 4 == 2) + m * (j + (c % 4 >= 2)) + m * m * (k + c / 4);
                if (!dented || i > 0 || j > 0 || k > 0)
                    assert_ok(ctx, stick_builder_add_element(&builder, STICK_HEX8, node, 0));
            }
    assert_ok(ctx, stick_builder_finish(&builder, &mesh));
    return mesh;
}

static void test_hull_of_a_mesh(void **state)
{
    StickMesh mesh = mesh_of_box(*state, 4, false);
    StickShapeSpec spec = {.kind = STICK_SPEC_MESH, .mesh = &mesh};
    StickSolid box = solid_of(*state, 3, 1, &spec);
    assert_int_equal(box.shape[0].nvertices, 8);
    assert_int_equal(box.shape[0].nfaces, 6);
    assert_near(box.volume, 1, 1e-15);
    assert_diagonal(box.inertia, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1e-15);
    stick_solid_destroy(*state, &box);
    stick_mesh_destroy(*state, &mesh);
}

// The skin of one solid is a mesh, and so is its surface alone: triangles in space.
static void test_hull_of_a_surface(void **state)
{
    StickShapeSpec spec = {.kind = STICK_SPEC_CAPSULE, .radius = 1, .length = 1};
    StickSolid capsule = solid_of(*state, 3, 1, &spec);
    const StickGroup *outer = stick_mesh_group(&capsule.skin, "outer");
    StickMeshBuilder builder;
    StickMesh surface;
    stick_builder_init(&builder, *state, 3);
    for (int i = 0; i < capsule.skin.nnodes; i++)
        assert_ok(*state, stick_builder_add_node(&builder, &capsule.skin.x[3 * i], 0));
    for (int k = 0; k < outer->nfacets; k++) {
        int node[STICK_MOST_FACET_NODES];
        assert_int_equal(stick_mesh_facet_nodes(&capsule.skin, outer->facet[k], node), 3);
        assert_ok(*state, stick_builder_add_element(&builder, STICK_TRI3, node, 0));
    }
    assert_ok(*state, stick_builder_finish(&builder, &surface));
    StickShapeSpec by_surface = {.kind = STICK_SPEC_MESH, .mesh = &surface};
    StickShapeSpec by_cells = {.kind = STICK_SPEC_MESH, .mesh = &capsule.skin};
    StickSolid a = solid_of(*state, 3, 1, &by_surface), b = solid_of(*state, 3, 1, &by_cells);
    assert_near(a.volume, b.volume, 1e-14);
    assert_int_equal(a.shape[0].nvertices, outer->nnodes);
    // inscribed, with 16 corners around
    assert_below(a.volume, capsule.volume);
    assert_below(0.9 * capsule.volume, a.volume);
    stick_solid_destroy(*state, &a);
    stick_solid_destroy(*state, &b);
    stick_solid_destroy(*state, &capsule);
    stick_mesh_destroy(*state, &surface);
}

// One quadrilateral of eight nodes, whose upper side bulges by this length.
static StickMesh bulging_mesh(StickContext *ctx, double bulge)
{
    const double x[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1 + bulge}, {-1, 0}};
    const int node[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    StickMeshBuilder builder;
    StickMesh mesh;
    stick_builder_init(&builder, ctx, 2);
    for (int i = 0; i < 8; i++)
        assert_ok(ctx, stick_builder_add_node(&builder, x[i], 0));
    assert_ok(ctx, stick_builder_add_element(&builder, STICK_QUAD8, node, 0));
    assert_ok(ctx, stick_builder_finish(&builder, &mesh));
    return mesh;
}

static void test_hull_of_a_plane_mesh(void **state)
{
    StickMesh mesh = bulging_mesh(*state, 0.5);
    StickShapeSpec spec = {.kind = STICK_SPEC_MESH, .mesh = &mesh};
    StickSolid house = solid_of(*state, 2, 1, &spec);
    assert_int_equal(house.shape[0].nvertices, 5);
    assert_near(house.volume, 4.5, 1e-15);
    stick_solid_destroy(*state, &house);
    stick_mesh_destroy(*state, &mesh);
}

// ---- refusals

static void assert_refused(StickContext *ctx, int dim, StickShapeSpec shape, StickStatus status,
                           const char *text)
{
    StickSolidSpec spec = {
        .name = "stone", .mark = {"wall.yaml", 3, 9}, .dim = dim, .nshapes = 1, .shape = &shape};
    StickSolid solid = {.dim = 77};
    assert_int_equal(stick_solid_create(ctx, &spec, &solid), status);
    assert_string_equal(stick_last_error(ctx), text);
    assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, 3);
    // untouched
    assert_int_equal(solid.dim, 77);
}

static void test_bad_sizes_are_refused(void **state)
{
    StickContext *ctx = *state;
    assert_refused(ctx, 2, (StickShapeSpec){.kind = STICK_SPEC_BALL, .radius = -1}, STICK_BAD_INPUT,
                   "body 'stone': its radius must be a positive number, not -1");
    assert_refused(ctx, 3, (StickShapeSpec){.kind = STICK_SPEC_BOX, .size = {1, 2, 0}}, STICK_BAD_INPUT,
                   "body 'stone': its size in z must be a positive number, not 0");
    assert_refused(ctx, 3, (StickShapeSpec){.kind = STICK_SPEC_CAPSULE, .radius = 1, .length = INFINITY},
                   STICK_BAD_INPUT, "body 'stone': its length must be a positive number, not inf");
    assert_refused(ctx, 2, (StickShapeSpec){.kind = STICK_SPEC_CYLINDER, .radius = 1, .length = 1},
                   STICK_BAD_INPUT, "body 'stone': a cylinder is a shape of 3D, not of 2D");
    assert_refused(ctx, 3, (StickShapeSpec){.kind = STICK_SPEC_POLYGON}, STICK_BAD_INPUT,
                   "body 'stone': a polygon is a shape of 2D, not of 3D");
    assert_refused(ctx, 3, (StickShapeSpec){.kind = STICK_SPEC_HULL}, STICK_BAD_INPUT,
                   "body 'stone': a hull in space needs 4 points or more, not 0");
    assert_refused(ctx, 3, (StickShapeSpec){.kind = STICK_SPEC_BALL, .radius = 1e-120}, STICK_BAD_INPUT,
                   "body 'stone' has a volume of 0: its sizes are out of range");
    assert_refused(ctx, 2, (StickShapeSpec){.kind = STICK_SPEC_BALL, .radius = 1, .turn = {0, 1, 0, 0}},
                   STICK_BAD_INPUT, "body 'stone': its rotation must be about z, not 1");
    assert_refused(ctx, 2, (StickShapeSpec){.kind = STICK_SPEC_BALL, .radius = 1, .position = {0, 0, 2}},
                   STICK_BAD_INPUT, "body 'stone': its position must be in the plane, not 2");
}

static void test_part_is_named(void **state)
{
    StickShapeSpec shape[] = {{.kind = STICK_SPEC_BALL, .radius = 1},
                              {.kind = STICK_SPEC_BALL, .radius = 0, .mark = {"wall.yaml", 8, 2}}};
    StickSolidSpec spec = {.name = "stone", .dim = 2, .nshapes = 2, .shape = shape};
    StickSolid solid;
    assert_int_equal(stick_solid_create(*state, &spec, &solid), STICK_BAD_INPUT);
    assert_string_equal(stick_last_error(*state),
                        "part 2 of body 'stone': its radius must be a positive number, not 0");
    assert_int_equal(stick_diagnostic(*state, stick_diagnostic_count(*state) - 1)->line, 8);
    spec.nshapes = 0;
    assert_int_equal(stick_solid_create(*state, &spec, &solid), STICK_BAD_INPUT);
    assert_string_equal(stick_last_error(*state), "body 'stone' has no shapes");
}

static void test_dented_mesh_is_refused(void **state)
{
    StickMesh mesh = mesh_of_box(*state, 3, true);
    assert_refused(
        *state, 3, (StickShapeSpec){.kind = STICK_SPEC_MESH, .mesh = &mesh}, STICK_BAD_MESH,
        "body 'stone' is not convex: its mesh has a volume of 0.962963, its hull 0.993827; node 22, "
        "(0.333333, 0.333333, 0.333333), lies 0.333333 inside of the hull; a compound of convex parts can "
        "have this shape");
    assert_refused(
        *state, 2, (StickShapeSpec){.kind = STICK_SPEC_MESH, .mesh = &mesh}, STICK_BAD_MESH,
        "body 'stone': its mesh has 26 elements, 0 cells and 0 facets of a body in 2D: all must be cells, "
        "or all facets");
    stick_mesh_destroy(*state, &mesh);
    mesh = bulging_mesh(*state, -0.5);
    assert_refused(
        *state, 2, (StickShapeSpec){.kind = STICK_SPEC_MESH, .mesh = &mesh}, STICK_BAD_MESH,
        "body 'stone' is not convex: its mesh has an area of 3.5, its hull 4; node 7, (0, 0.5, 0), lies 0.5 "
        "inside of the hull; a compound of convex parts can have this shape");
    stick_mesh_destroy(*state, &mesh);
}

// ---- memory

static StickStatus make_all_kinds(StickContext *ctx, void *data)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, corners[] = {0, 0, 1, 0, 0, 1};
    StickShapeSpec shape[] = {{.kind = STICK_SPEC_BALL, .radius = 1},
                              {.kind = STICK_SPEC_BOX, .size = {1, 1, 1}},
                              {.kind = STICK_SPEC_CYLINDER, .radius = 1, .length = 1},
                              {.kind = STICK_SPEC_HULL, .npoints = 5, .points = points},
                              {.kind = STICK_SPEC_MESH, .mesh = data}};
    StickSolidSpec spec = {.name = "stone", .dim = 3, .nshapes = 5, .shape = shape, .round = 6};
    StickSolid solid;
    STICK_TRY(stick_solid_create(ctx, &spec, &solid));
    stick_solid_destroy(ctx, &solid);
    StickShapeSpec plane[] = {{.kind = STICK_SPEC_POLYGON, .npoints = 3, .points = corners},
                              {.kind = STICK_SPEC_HULL, .npoints = 3, .points = corners},
                              {.kind = STICK_SPEC_BOX, .size = {1, 1}}};
    spec.shape = plane;
    spec.nshapes = 3;
    spec.dim = 2;
    STICK_TRY(stick_solid_create(ctx, &spec, &solid));
    stick_solid_destroy(ctx, &solid);
    return STICK_OK;
}

static void test_every_allocation_fails_once(void **state)
{
    StickMesh mesh = mesh_of_box(*state, 1, false);
    assert_survives_failing_memory(make_all_kinds, &mesh);
    stick_mesh_destroy(*state, &mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_disk),
        test_with_context(test_rectangle_has_the_numbers_given),
        test_with_context(test_sphere_and_box_in_space),
        test_with_context(test_capsule_and_cylinder),
        test_with_context(test_stadium),
        test_with_context(test_tetrahedron),
        test_with_context(test_triangle),
        test_with_context(test_compound),
        test_with_context(test_parts_make_the_whole),
        test_with_context(test_turned_copies),
        test_with_context(test_bound_is_tight),
        test_with_context(test_hull_of_a_mesh),
        test_with_context(test_hull_of_a_surface),
        test_with_context(test_hull_of_a_plane_mesh),
        test_with_context(test_bad_sizes_are_refused),
        test_with_context(test_part_is_named),
        test_with_context(test_dented_mesh_is_refused),
        test_with_context(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

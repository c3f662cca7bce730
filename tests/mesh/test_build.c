// SPDX-License-Identifier: Apache-2.0
#include "mesh/build.h"
#include "meshes.h"

static StickBodySpec body_of(StickMeshSpec mesh)
{
    StickMark mark = {"model.yaml", 5, 3};
    mesh.mark = mark;
    return (StickBodySpec){.name = "block", .mark = mark, .mesh = mesh};
}

static const StickMeshSpec rectangle = {
    .kind = STICK_MESH_RECTANGLE, .size = {2, 1}, .cells = {2, 1}, .origin = {1, 1}};

static const char *const square =
    "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=CPS4\n1, 1, 2, 3, 4\n";

static void turned_then_moved(void **state)
{
    StickBodySpec body = body_of(rectangle);
    StickMesh mesh;
    body.rotation = acos(-1) / 2;
    body.position[0] = 10, body.position[1] = 20;
    assert_ok(*state, stick_mesh_build(*state, &body, &mesh));
    const StickGroup *corner = need_group(&mesh, "bottom-right");
    // (3, 1) about (1, 1) by a right angle: (1, 3)
    assert_near(place_of(&mesh, corner->node[0])[0], 11, 1e-14);
    assert_near(place_of(&mesh, corner->node[0])[1], 23, 1e-14);
    assert_near(mesh_volume(&mesh), 2, 1e-13);
    stick_mesh_destroy(*state, &mesh);
}

static void assert_refused(StickContext *ctx, StickBodySpec body, StickStatus status, const char *text)
{
    StickMesh mesh = {0};
    stick_diagnostics_clear(ctx);
    assert_int_equal(stick_mesh_build(ctx, &body, &mesh), status);
    assert_said(ctx, text);
    assert_null(mesh.x);
}

static void what_does_not_fit_the_dimension_is_refused(void **state)
{
    StickBodySpec body = body_of((StickMeshSpec){.kind = STICK_MESH_BAR, .size = {1}, .cells = {1}});
    body.rotation = 1;
    assert_refused(*state, body, STICK_BAD_INPUT, "rotation of 1");
    body = body_of(rectangle);
    body.position[2] = 3;
    assert_refused(*state, body, STICK_BAD_INPUT, "position z = 3");
}

static void files_are_read_by_their_ending(void **state)
{
    StickBodySpec body = body_of((StickMeshSpec){.kind = STICK_MESH_FILE});
    StickMesh mesh;
    body.mesh.file = (char *)write_text("square.INP", square);
    assert_ok(*state, stick_mesh_build(*state, &body, &mesh));
    assert_int_equal(mesh.nelements, 1);
    assert_group(&mesh, "boundary", 4, 0, 4);
    stick_mesh_destroy(*state, &mesh);
    body.mesh.file = (char *)write_text("square.stl", square);
    assert_refused(*state, body, STICK_BAD_INPUT, "neither .msh nor .inp");
    assert_int_equal(stick_diagnostic(*state, 0)->line, 5);
    body.mesh.file = (char *)write_text("square.msh", square);
    assert_refused(*state, body, STICK_BAD_MESH, "$MeshFormat");
    body.mesh.file = (char *)test_path("none.msh");
    assert_refused(*state, body, STICK_IO, "there is no mesh file");
}

static void elements_of_a_file_must_be_what_is_asked_for(void **state)
{
    StickBodySpec body = body_of((StickMeshSpec){.kind = STICK_MESH_FILE});
    StickMesh mesh;
    body.mesh.file = (char *)write_text("square.inp", square);
    body.element = STICK_ELEMENT_QUADRATIC;
    assert_refused(*state, body, STICK_BAD_INPUT,
                   "requires quadratic elements, but element 1 of its mesh is a quad4");
    body.element = STICK_ELEMENT_MEAN_DILATATION;
    assert_ok(*state, stick_mesh_build(*state, &body, &mesh));
    stick_mesh_destroy(*state, &mesh);
    body.mesh.file = (char *)write_text(
        "triangle.inp", "*NODE\n1, 0, 0\n2, 1, 0\n3, 1, 1\n*ELEMENT, TYPE=CPE3\n7, 1, 2, 3\n");
    assert_refused(*state, body, STICK_BAD_INPUT, "elements, but element 7 of its mesh is a tri3");
}

static void bad_meshes_of_files_name_the_file(void **state)
{
    StickBodySpec body = body_of((StickMeshSpec){.kind = STICK_MESH_FILE});
    body.mesh.file = (char *)write_text(
        "inverted.inp", "*NODE\n10, 0, 0\n20, 1, 0\n30, 1, 1\n*ELEMENT, TYPE=CPE3\n7, 10, 30, 20\n");
    assert_refused(*state, body, STICK_BAD_MESH, "element 7 (tri3) is inverted at its node 20, (1, 0)");
    assert_string_equal(stick_diagnostic(*state, 0)->file, body.mesh.file);
}

static StickStatus build_and_destroy(StickContext *ctx, void *data)
{
    StickMesh mesh;
    STICK_TRY(stick_mesh_build(ctx, data, &mesh));
    stick_mesh_destroy(ctx, &mesh);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickBodySpec body = body_of(rectangle);
    assert_survives_failing_memory(build_and_destroy, &body);
    body = body_of((StickMeshSpec){.kind = STICK_MESH_FILE});
    body.mesh.file = (char *)write_text("square.inp", square);
    assert_survives_failing_memory(build_and_destroy, &body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(turned_then_moved),
        test_with_context(what_does_not_fit_the_dimension_is_refused),
        test_with_context(files_are_read_by_their_ending),
        test_with_context(elements_of_a_file_must_be_what_is_asked_for),
        test_with_context(bad_meshes_of_files_name_the_file),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mesh.build", tests, NULL, remove_test_folder);
}

// SPDX-License-Identifier: Apache-2.0
#include "mesh/inp.h"
#include "meshes.h"

#include <dirent.h>
#include <zlib.h>

static StickMesh read_text(StickContext *ctx, const char *text)
{
    StickMesh mesh;
    const char *path = write_text("deck.inp", text);
    assert_ok(ctx, stick_inp_read(ctx, path, &mesh));
    assert_ok(ctx, stick_mesh_check(ctx, &mesh, (StickMark){path, 0, 0}));
    return mesh;
}

// Two squares: 11 12 13 / 21 22 23.
#define NODES "*Node, nset=Nall\n11, 0., 0.\n12, 1., 0.\n13, 2., 0.\n21, 0., 1.\n22, 1., 1.\n23, 2., 1.\n"
#define SQUARES "*ELEMENT,TYPE=CPE4R,ELSET=Eall\n1, 11, 12, 22, 21\n2, 12, 13, 23, 22\n"

static void nodes_elements_and_sets(void **state)
{
    StickMesh mesh = read_text(*state, "*HEADING\n a deck\n** a comment\n" NODES SQUARES
                                       "*nset, NSET = Foot\n11, 12,\n13\n"
                                       "*NSET,NSET=Even,GENERATE\n12,22,10\n"
                                       "*NSET,NSET=both\nFOOT, even, 21\n"
                                       "*ELSET, ELSET=Right\n2\n"
                                       "*MATERIAL,NAME=X\n*ELASTIC\n1., .3\n"
                                       "*SURFACE, NAME=Side\n1, S4\nright, s2\n"
                                       "*SURFACE, NAME=Points, TYPE=NODE\nFoot\n21,\n"
                                       "*SURFACE, NAME=Skin, TYPE=ELEMENT\nEall,\n");
    assert_int_equal(mesh.dim, 2);
    assert_int_equal(mesh.nnodes, 6);
    assert_int_equal(mesh.nelements, 2);
    assert_near(mesh_volume(&mesh), 2, 1e-14);
    assert_group(&mesh, "Nall", 6, 0, 0);
    assert_group(&mesh, "Eall", 6, 2, 0);
    assert_group(&mesh, "Foot", 3, 0, 0);
    assert_group(&mesh, "Even", 2, 0, 0);
    assert_group(&mesh, "both", 5, 0, 0);
    assert_group(&mesh, "Right", 4, 1, 0);
    assert_group(&mesh, "Side", 4, 0, 2);
    assert_group(&mesh, "Points", 4, 0, 0);
    assert_group(&mesh, "Skin", 6, 0, 6);
    assert_null(stick_mesh_group(&mesh, "FOOT"));
    const StickGroup *side = need_group(&mesh, "Side");
    assert_int_equal(side->facet[0].side, 3);
    assert_int_equal(side->facet[1].side, 1);
    assert_int_equal(stick_mesh_node_tag(&mesh, 3), 21);
    stick_mesh_destroy(*state, &mesh);
}

// Mesh generators write the boundary as trusses and triangles: they name sides.
static void smaller_elements_name_sides(void **state)
{
    StickMesh plane = read_text(*state, NODES SQUARES "*ELEMENT,TYPE=T3D2,ELSET=Foot\n3, 12, 11\n4, 12, 13\n"
                                                      "*ELSET,ELSET=Some\n1, 4\n");
    assert_int_equal(plane.nelements, 2);
    assert_group(&plane, "Foot", 3, 0, 2);
    assert_group(&plane, "Some", 5, 1, 1);
    stick_mesh_destroy(*state, &plane);
    StickMesh solid = read_text(*state, "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"
                                        "*ELEMENT,TYPE=T3D2,ELSET=Line\n1, 1, 2\n"
                                        "*ELEMENT,TYPE=CPS3,ELSET=Skin\n2, 1, 2, 3\n"
                                        "*ELEMENT,TYPE=C3D4,ELSET=Body\n3, 1, 2, 3, 4\n");
    assert_int_equal(solid.dim, 3);
    assert_group(&solid, "Line", 2, 0, 0);
    assert_group(&solid, "Skin", 3, 0, 1);
    assert_group(&solid, "Body", 4, 1, 0);
    stick_mesh_destroy(*state, &solid);
}

static void volumes_and_their_sides(void **state)
{
    StickMesh mesh =
        read_text(*state, "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,2.D0\n6,1,0,2\n7,1,1,2\n8,0,1,2\n"
                          "*ELEMENT, TYPE=C3D8I,\n ELSET=E\n1, 1, 2, 3, 4, 5,\n6, 7, 8\n"
                          "*SURFACE, NAME=S1\n1,S1\n*SURFACE, NAME=S2\nE,S2\n*SURFACE, NAME=S4\n1,S4\n"
                          "*NSET, NSET=of, ELSET=E\n");
    static const struct {
        const char *name;
        int coordinate;
        double value;
    } sides[] = {{"S1", 2, 0}, {"S2", 2, 2}, {"S4", 0, 1}};
    assert_int_equal(mesh.dim, 3);
    assert_near(mesh_volume(&mesh), 2, 1e-14);
    assert_group(&mesh, "of", 8, 0, 0);
    for (int s = 0; s < 3; s++) {
        const StickGroup *side = need_group(&mesh, sides[s].name);
        assert_int_equal(side->nnodes, 4);
        for (int k = 0; k < 4; k++)
            assert_near(place_of(&mesh, side->node[k])[sides[s].coordinate], sides[s].value, 0);
    }
    stick_mesh_destroy(*state, &mesh);
}

static void quadratic_and_mixed_elements(void **state)
{
    StickMesh mesh = read_text(
        *state, "*NODE\n1,0,0\n2,2,0\n3,2,2\n4,0,2\n5,1,0\n6,2,1\n7,1,2\n8,0,1\n9,3,0\n10,2.5,1\n11,2.5,0\n"
                "*ELEMENT,TYPE=CAX8R\n1,1,2,3,4,5,6,7,8\n*ELEMENT,TYPE=CPS6\n2,2,9,3,11,10,6\n");
    assert_int_equal(mesh.shape[0], STICK_QUAD8);
    assert_int_equal(mesh.shape[1], STICK_TRI6);
    assert_near(mesh_volume(&mesh), 5, 1e-14);
    assert_group(&mesh, "boundary", 10, 0, 5);
    stick_mesh_destroy(*state, &mesh);
}

static void nodes_of_no_element_are_left_out(void **state)
{
    StickMesh mesh = read_text(*state, NODES "99, 5., 5.\n" SQUARES);
    assert_int_equal(mesh.nnodes, 6);
    assert_said(*state, "1 nodes that belong to no element are left out");
    stick_mesh_destroy(*state, &mesh);
    const char *path = write_text("deck.inp", NODES "99, 5., 5.\n" SQUARES "*NSET,NSET=pilot\n99\n");
    assert_ok(*state, stick_inp_read(*state, path, &mesh));
    assert_int_equal(stick_mesh_check(*state, &mesh, (StickMark){path, 0, 0}), STICK_BAD_MESH);
    assert_said(*state, "node 99, (5, 5), belongs to no element");
    stick_mesh_destroy(*state, &mesh);
}

static void included_files(void **state)
{
    assert_ok(*state, stick_folder_create(*state, test_path("sub")));
    write_text("sub/nodes.txt", NODES "*INCLUDE, INPUT=more.txt\n");
    write_text("sub/more.txt", "*ELEMENT,TYPE=CPS4\n1, 11, 12, 22, 21");
    StickMesh mesh =
        read_text(*state, "*INCLUDE, INPUT=sub/nodes.txt\n5, 5, 5\n*ELEMENT,TYPE=CPS4\n2, 12, 13, 23, 22\n");
    assert_int_equal(mesh.nelements, 2);
    stick_mesh_destroy(*state, &mesh);
}

// ---- replaced or ignored parts

static int count_said(StickContext *ctx, const char *text, int line)
{
    int count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        count += strstr(said->text, text) && said->line == line && strstr(said->file, "deck.inp");
    }
    return count;
}

static void replaced_element_types_are_listed_once(void **state)
{
    static const char text[] = NODES "*ELEMENT,TYPE=CPE4I\n1, 11, 12, 22, 21\n"
                                     "*ELEMENT,TYPE=CPE4RH\n2, 12, 13, 23, 22\n";
    for (int k = 0; k < 2; k++) {
        StickMesh mesh = read_text(*state, text);
        assert_int_equal(mesh.planes, STICK_MESH_PLANE_STRAIN);
        stick_mesh_destroy(*state, &mesh);
    }
    assert_int_equal(count_said(*state, "1 element of type CPE4I (incompatible modes) read as CPE4", 8), 1);
    assert_int_equal(count_said(*state, "1 element of type CPE4RH (a pressure of its own) read as CPE4", 10),
                     1);
    assert_int_equal(stick_diagnostic_count(*state), 2);
    stick_diagnostics_clear(*state);
    // types that differ in nothing are not listed; those of two cards are counted together
    StickMesh mesh = read_text(*state, NODES "*ELEMENT,TYPE=CPS4R\n1, 11, 12, 22, 21\n"
                                             "*ELEMENT, type=cps4r\n2, 12, 13, 23, 22\n");
    stick_mesh_destroy(*state, &mesh);
    assert_int_equal(count_said(*state, "2 elements of type CPS4R (reduced integration) read as CPS4", 8), 1);
    assert_int_equal(stick_diagnostic_count(*state), 1);
    stick_diagnostics_clear(*state);
    mesh = read_text(*state,
                     "*HEADING\n x\n" NODES "*ELEMENT,TYPE=CPS4\n1, 11, 12, 22, 21\n2, 12, 13, 23, 22\n");
    stick_mesh_destroy(*state, &mesh);
    assert_int_equal(stick_diagnostic_count(*state), 0);
}

static void ignored_cards_are_listed_once_with_lines_and_counts(void **state)
{
    static const char text[] =
        NODES "*ELEMENT,TYPE=CPS4\n1, 11, 12, 22, 21\n2, 12, 13, 23, 22\n"
              "*Material, name=X\n*ELASTIC\n1., .3\n*solid   section, elset=E\n1.\n"
              "*BOUNDARY\n11,1\n*INCLUDE, INPUT=more.inp\n*TIE, NAME=T\nA, B\n"
              "*STEP\n*BOUNDARY\n11,2\n*SURFACE, TYPE=CUTTING SURFACE, NAME=C\n1\n*END STEP\n";
    write_text("more.inp", "*EQUATION\n2\n*DENSITY\n1\n");
    for (int k = 0; k < 2; k++) {
        StickMesh mesh = read_text(*state, text);
        stick_mesh_destroy(*state, &mesh);
    }
    assert_int_equal(
        count_said(*state,
                   "ignored cards: *MATERIAL (line 11), *ELASTIC (line 12), *SOLID SECTION (line 14), 2 "
                   "*BOUNDARY (first in line 16), *DENSITY (line 3 of ",
                   11),
        1);
    assert_said(*state, "*STEP (line 21), *SURFACE, TYPE=CUTTING SURFACE (line 24)");
    assert_said(*state, "cards that connect parts: *EQUATION (line 1), *TIE (line 19 of ");
    assert_int_equal(stick_diagnostic_count(*state), 2);
}

// ---- errors

static void assert_refused(StickContext *ctx, const char *text, int line, const char *refusal)
{
    StickMesh mesh = {0};
    stick_diagnostics_clear(ctx);
    assert_int_equal(stick_inp_read(ctx, write_text("deck.inp", text), &mesh), STICK_BAD_MESH);
    assert_said(ctx, refusal);
    assert_int_equal(stick_diagnostic(ctx, stick_diagnostic_count(ctx) - 1)->line, line);
    assert_null(mesh.x);
}

static void malformed_decks_are_refused_at_their_line(void **state)
{
    static const struct {
        const char *text;
        int line;
        const char *refusal;
    } cases[] = {
        {"", 0, "no elements"},
        {"hello\n", 0, "no elements"},
        {NODES, 0, "no elements"},
        {"*NODE\n1, 0, 0\n1, 1, 0\n2, 1, 1\n*ELEMENT,TYPE=CPS3\n1,1,2,1\n", 0, "node 1 is given twice"},
        {NODES SQUARES "2, 11, 12, 22, 21\n", 0, "element 2 is given twice"},
        {NODES "*ELEMENT,TYPE=CPS4\n1, 11, 12, 22, 31\n", 0, "element 1 uses node 31"},
        {NODES "*ELEMENT,TYPE=CPS4\n1, 11, 12\n*NSET,NSET=A\n11\n", 10,
         "element 1 has 2 nodes: a quad4 has 4"},
        {NODES "*ELEMENT,TYPE=CPS4\n1, 11, 12, 22, 21, 23\n", 9, "more in the line than the 4 nodes"},
        {"*NODE\n1, 0, nan\n", 2, "'nan' is not a coordinate"},
        {"*NODE\n1, 0, 1e999\n", 2, "'1e999' is not a coordinate"},
        {"*NODE\nx, 0, 0\n", 2, "'x' is not the number of a node"},
        {"*NODE\n-5, 0, 0\n", 2, "'-5' is not the number of a node"},
        {"*NODE, SYSTEM=C\n1, 0, 0\n", 1, "SYSTEM=C"},
        {"*ELEMENT\n1, 2\n", 1, "*ELEMENT needs TYPE="},
        {NODES SQUARES "*NSET\n11\n", 11, "*NSET needs NSET="},
        {NODES SQUARES "*NSET,NSET=A\n11, nowhere\n", 12, "there is no node set 'nowhere'"},
        {NODES SQUARES "*NSET,NSET=A\n11, 77\n", 11, "'A' has node 77"},
        {NODES SQUARES "*ELSET,ELSET=A\n0\n", 11, "'A' has element 0"},
        {NODES SQUARES "*NSET,NSET=A,GENERATE\n20, 10\n", 12, "from 20 down to 10"},
        {NODES SQUARES "*NSET,NSET=A,GENERATE\n10, 20, 0\n", 12, "'0' is not the step"},
        {NODES SQUARES "*NSET,NSET=A\n9223372036854775807\n", 12, "there is no node set"},
        {NODES SQUARES "*SURFACE,NAME=A\n1, S9\n", 12, "'S9' is not a side"},
        {NODES SQUARES "*SURFACE,NAME=A\n1, S5\n", 0, "side S5 of element 1, but a quad4 has 4 sides"},
        {NODES SQUARES "*SURFACE\n1, S5\n", 11, "*SURFACE needs NAME="},
        {NODES SQUARES "*ELGEN\n1, 5\n", 11, "*ELGEN is not supported"},
        {NODES SQUARES "*INSTANCE, NAME=A\n1, 5\n", 12, "instance that is moved"},
        {NODES SQUARES "*ELEMENT,TYPE=C3D4\n3, 11, 12, 13, 21\n", 0,
         "element 1 (quad4) is not a side of any volume element: trusses and shells are not supported"},
        {NODES SQUARES "*ELEMENT,TYPE=T3D2\n3, 11, 22\n", 0,
         "element 3 (bar2) is not a side of any plane element: trusses and shells are not supported"},
        {NODES "*ELEMENT,TYPE=T3D2\n3, 11, 22\n", 0, "only line elements"},
        {NODES "*ELEMENT,TYPE=S4\n1, 11, 12, 22, "
               "21\n*ELEMENT,TYPE=B31\n2,11,12\n*ELEMENT,TYPE=S4\n5,11,12,13,22\n",
         8, "unsupported element types: S4 (line 8), B31 (line 10); supported"},
        {NODES "*ELEMENT,TYPE=C3D20R\n1, 11, 12, 22, 21\n", 8, "C3D20R"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(*state, cases[k].text, cases[k].line, cases[k].refusal);
}

static void files_that_include_themselves_are_refused(void **state)
{
    assert_refused(*state, "*INCLUDE, INPUT=deck.inp\n", 1, "too deeply");
    StickMesh mesh;
    const char *path = write_text("deck.inp", "*INCLUDE, INPUT=nothing.inp\n");
    assert_int_equal(stick_inp_read(*state, path, &mesh), STICK_IO);
}

static void sets_that_double_themselves_end(void **state)
{
    char text[8192] = NODES SQUARES "*NSET,NSET=A\n11,13,21\n";
    for (int k = 0; k < 60; k++)
        strcat(text, "*NSET,NSET=A\nA,A\n");
    StickMesh mesh = {0};
    assert_int_equal(stick_inp_read(*state, write_text("deck.inp", text), &mesh), STICK_BAD_MESH);
    assert_said(*state, "grow beyond");
}

// Cut anywhere, a deck is read or refused.
static void truncated_decks_do_no_harm(void **state)
{
    static const char text[] =
        NODES SQUARES "*NSET,NSET=A\n11,12\n*SURFACE, NAME=S\nEall, S1\n*INCLUDE, INPUT=x\n";
    for (size_t length = 0; length < sizeof text; length++) {
        StickMesh mesh;
        if (stick_inp_read(*state, write_bytes("deck.inp", text, length), &mesh) == STICK_OK)
            stick_mesh_destroy(*state, &mesh);
        stick_diagnostics_clear(*state);
    }
}

static StickStatus read_and_destroy(StickContext *ctx, void *data)
{
    StickMesh mesh;
    STICK_TRY(stick_inp_read(ctx, data, &mesh));
    stick_mesh_destroy(ctx, &mesh);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_text("more.inp", "*NSET,NSET=A\n11,21\n*TIE\n*DENSITY\n1\n");
    const char *path =
        write_text("deck.inp", NODES SQUARES "*INCLUDE,INPUT=more.inp\n*NSET,NSET=B\nA\n"
                                             "*SURFACE,NAME=S\nEall,\n*SURFACE,NAME=T\n1,S1\n");
    assert_survives_failing_memory(read_and_destroy, (void *)path);
}

// ---- decks of CalculiX

static const char decks[] = "/usr/share/doc/calculix-ccx-test/examples/test";

static const char *unpack(const char *name)
{
    static char bytes[1 << 24];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", decks, name);
    gzFile packed = gzopen(path, "rb");
    assert_non_null(packed);
    int count = gzread(packed, bytes, sizeof bytes);
    gzclose(packed);
    assert_true(count >= 0);
    return write_bytes("ccx.inp", bytes, (size_t)count);
}

typedef struct Tally {
    int read, good, bad, unsupported, other;
} Tally;

static void try_deck(const char *name, Tally *tally)
{
    StickContext *ctx = stick_context_create(NULL);
    StickMesh mesh;
    const char *path = unpack(name);
    StickStatus status = stick_inp_read(ctx, path, &mesh);
    if (status == STICK_OK) {
        tally->read++;
        status = stick_mesh_check(ctx, &mesh, (StickMark){path, 0, 0});
        tally->good += status == STICK_OK;
        tally->bad += status == STICK_BAD_MESH;
        stick_mesh_destroy(ctx, &mesh);
    } else {
        bool known = was_said(ctx, "unsupported element type");
        assert_int_equal(status, STICK_BAD_MESH);
        tally->unsupported += known;
        tally->other += !known;
        if (!known)
            print_message("%s: %s\n", name, stick_last_error(ctx));
    }
    assert_true(stick_memory_now(ctx) < 1 << 20);
    stick_context_destroy(ctx);
}

static void decks_of_calculix_are_read_or_refused_by_name(void **state)
{
    (void)state;
    DIR *folder = opendir(decks);
    if (!folder) {
        print_message("skipped: calculix-ccx-test is not installed\n");
        skip();
    }
    Tally tally = {0};
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strstr(entry->d_name, ".inp"))
            try_deck(entry->d_name, &tally);
    closedir(folder);
    print_message(
        "%d decks read, %d of them good and %d bad meshes; %d with unsupported elements; %d refused\n",
        tally.read, tally.good, tally.bad, tally.unsupported, tally.other);
    assert_true(tally.good > 0);
    assert_true(tally.unsupported > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(nodes_elements_and_sets),
        test_with_context(smaller_elements_name_sides),
        test_with_context(volumes_and_their_sides),
        test_with_context(quadratic_and_mixed_elements),
        test_with_context(nodes_of_no_element_are_left_out),
        test_with_context(included_files),
        test_with_context(replaced_element_types_are_listed_once),
        test_with_context(ignored_cards_are_listed_once_with_lines_and_counts),
        test_with_context(malformed_decks_are_refused_at_their_line),
        test_with_context(files_that_include_themselves_are_refused),
        test_with_context(sets_that_double_themselves_end),
        test_with_context(truncated_decks_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(decks_of_calculix_are_read_or_refused_by_name),
    };
    return cmocka_run_group_tests_name("mesh.inp", tests, NULL, remove_test_folder);
}

// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh.h"
#include "meshes.h"

// Two squares, 1 2 3 / 4 5 6, each in a surface of its own; the lower side is a group, so is node 6; node 9
// is the centre of an arc.
#define FORMAT22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NAMES \
    "$PhysicalNames\n4\n0 7 \"tip\"\n1 3 \"foot side\"\n2 1 \"left\"\n2 2 \"whole\"\n$EndPhysicalNames\n"
#define NODES22 "$Nodes\n7\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n9 5 5 0\n$EndNodes\n"
#define ELEMENTS22                                                                                     \
    "$Elements\n7\n1 15 2 7 6 6\n2 1 2 3 1 1 2\n3 1 2 3 1 2 3\n4 3 2 1 1 1 2 5 4\n5 3 2 2 1 1 2 5 4\n" \
    "6 3 4 2 2 1 1 2 3 6 5\n7 1 2 9 4 3 6\n$EndElements\n"
#define ENTITIES41                                                                                 \
    "$Entities\n2 2 2 0\n6 2 1 0 1 7\n9 5 5 0 0\n1 0 0 0 2 0 0 1 -3 0\n4 2 0 0 2 1 0 1 9 2 3 -6\n" \
    "1 0 0 0 1 1 0 2 1 2 0\n2 1 0 0 2 1 0 1 2 0\n$EndEntities\n"
#define NODES41                                                                                           \
    "$Nodes\n3 7 1 9\n0 6 0 1\n6\n2 1 0\n2 1 1 5\n1\n2\n3\n4\n5\n0 0 0 .1 .2\n1 0 0 .1 .2\n2 0 0 .1 .2\n" \
    "0 1 0 .1 .2\n1 1 0 .1 .2\n0 9 0 1\n9\n5 5 0\n$EndNodes\n"
#define ELEMENTS41                                                                                       \
    "$Elements\n5 6 1 7\n0 6 15 1\n1 6\n1 1 1 2\n2 1 2\n3 2 3\n2 1 3 1\n4 1 2 5 4\n2 2 3 1\n6 2 3 6 5\n" \
    "1 4 1 1\n7 3 6\n$EndElements\n"

static const char text22[] = FORMAT22 NAMES NODES22 ELEMENTS22;
static const char text41[] = FORMAT41 NAMES ENTITIES41 NODES41 ELEMENTS41;

static StickMesh read_path(StickContext *ctx, const char *path)
{
    StickMesh mesh;
    assert_ok(ctx, stick_gmsh_read(ctx, path, &mesh));
    assert_ok(ctx, stick_mesh_check(ctx, &mesh, (StickMark){path, 0, 0}));
    return mesh;
}

// ---- binary files, written here byte by byte from the same numbers

typedef struct Bytes {
    unsigned char byte[8192];
    size_t count;
} Bytes;

static void put_text(Bytes *bytes, const char *text)
{
    memcpy(bytes->byte + bytes->count, text, strlen(text));
    bytes->count += strlen(text);
}

// Little end first, as on all machines that this is tested on.
static void put_integer(Bytes *bytes, long long value, int size)
{
    for (int k = 0; k < size; k++)
        bytes->byte[bytes->count++] = (unsigned char)((unsigned long long)value >> (8 * k));
}

static void put_number(Bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(bytes, (long long)bits, 8);
}

// Follows a recipe: i a 4-byte integer, l an 8-byte one, d a double, for each number of a text.
static void put_numbers(Bytes *bytes, const char *recipe, const char *numbers)
{
    char *end = (char *)numbers;
    for (const char *kind = recipe; *kind; kind++) {
        double value = strtod(end, &end);
        if (*kind == 'd')
            put_number(bytes, value);
        else
            put_integer(bytes, (long long)value, *kind == 'i' ? 4 : 8);
    }
    assert_true(strspn(end, " ") == strlen(end));
}

static void put_format(Bytes *bytes, const char *line)
{
    put_text(bytes, "$MeshFormat\n");
    put_text(bytes, line);
    put_integer(bytes, 1, 4);
    put_text(bytes, "\n$EndMeshFormat\n" NAMES);
}

static Bytes binary22(void)
{
    Bytes bytes = {.count = 0};
    put_format(&bytes, "2.2 1 8\n");
    put_text(&bytes, "$Nodes\n7\n");
    static const char *const nodes[] = {"1 0 0 0", "2 1 0 0", "3 2 0 0", "4 0 1 0",
                                        "5 1 1 0", "6 2 1 0", "9 5 5 0"};
    for (int k = 0; k < 7; k++)
        put_numbers(&bytes, "iddd", nodes[k]);
    put_text(&bytes, "\n$EndNodes\n$Elements\n7\n");
    put_numbers(&bytes, "iiiiiii", "15 1 2  1 7 6 6");
    put_numbers(&bytes, "iiiiiiiiiiiii", "1 2 2  2 3 1 1 2  3 3 1 2 3");
    put_numbers(&bytes, "iiiiiiiiiiiiiiiii", "3 2 2  4 1 1 1 2 5 4  5 2 1 1 2 5 4");
    put_numbers(&bytes, "iiiiiiiiiiii", "3 1 4  6 2 2 1 1 2 3 6 5");
    put_numbers(&bytes, "iiiiiiii", "1 1 2  7 9 4 3 6");
    put_text(&bytes, "\n$EndElements\n");
    return bytes;
}

static Bytes binary41(void)
{
    Bytes bytes = {.count = 0};
    put_format(&bytes, "4.1 1 8\n");
    put_text(&bytes, "$Entities\n");
    put_numbers(&bytes,
                "lllliddd"
                "li"
                "idddl",
                "2 2 2 0  6 2 1 0 1 7  9 5 5 0 0");
    put_numbers(&bytes, "iddddddlil", "1 0 0 0 2 0 0 1 -3 0");
    put_numbers(&bytes, "iddddddlilii", "4 2 0 0 2 1 0 1 9 2 3 -6");
    put_numbers(&bytes, "iddddddliil", "1 0 0 0 1 1 0 2 1 2 0");
    put_numbers(&bytes, "iddddddlil", "2 1 0 0 2 1 0 1 2 0");
    put_text(&bytes, "\n$EndEntities\n$Nodes\n");
    put_numbers(&bytes, "lllliiillddd", "3 7 1 9  0 6 0 1  6  2 1 0");
    put_numbers(&bytes, "iiillllll", "2 1 1 5  1 2 3 4 5");
    for (int k = 0; k < 5; k++)
        put_numbers(
            &bytes, "ddddd",
            ((const char *[]){"0 0 0 .1 .2", "1 0 0 .1 .2", "2 0 0 .1 .2", "0 1 0 .1 .2", "1 1 0 .1 .2"})[k]);
    put_numbers(&bytes, "iiillddd", "0 9 0 1  9  5 5 0");
    put_text(&bytes, "\n$EndNodes\n$Elements\n");
    put_numbers(&bytes, "lllliiilll", "5 6 1 7  0 6 15 1  1 6");
    put_numbers(&bytes, "iiilllllll", "1 1 1 2  2 1 2  3 2 3");
    put_numbers(&bytes, "iiillllll", "2 1 3 1  4 1 2 5 4");
    put_numbers(&bytes, "iiillllll", "2 2 3 1  6 2 3 6 5");
    put_numbers(&bytes, "iiillll", "1 4 1 1  7 3 6");
    put_text(&bytes, "\n$EndElements\n");
    return bytes;
}

// ---- reading

static void assert_two_squares(const StickMesh *mesh)
{
    assert_int_equal(mesh->dim, 2);
    assert_int_equal(mesh->nnodes, 6);
    assert_int_equal(mesh->nelements, 2);
    assert_near(mesh_volume(mesh), 2, 1e-14);
    assert_int_equal(mesh->ngroups, 7);
    assert_group(mesh, "tip", 1, 0, 0);
    assert_group(mesh, "foot side", 3, 0, 2);
    assert_group(mesh, "left", 4, 1, 0);
    assert_group(mesh, "whole", 6, 2, 0);
    assert_group(mesh, "physical-9", 2, 0, 1);
    assert_group(mesh, "boundary", 6, 0, 6);
    assert_group(mesh, "all", 6, 2, 0);
    const StickGroup *foot = need_group(mesh, "foot side"), *tip = need_group(mesh, "tip");
    for (int k = 0; k < 2; k++) {
        int node[STICK_MOST_FACET_NODES];
        stick_mesh_facet_nodes(mesh, foot->facet[k], node);
        // the body is on the left of its sides
        assert_true(place_of(mesh, node[0])[0] < place_of(mesh, node[1])[0]);
        assert_near(place_of(mesh, node[0])[1], 0, 0);
    }
    assert_int_equal(stick_mesh_node_tag(mesh, tip->node[0]), 6);
}

static void text_and_binary_of_both_versions_give_one_mesh(void **state)
{
    Bytes b22 = binary22(), b41 = binary41();
    const char *path[4];
    path[0] = write_text("text22.msh", text22);
    path[1] = write_bytes("binary22.msh", b22.byte, b22.count);
    path[2] = write_text("text41.msh", text41);
    path[3] = write_bytes("binary41.msh", b41.byte, b41.count);
    for (int k = 0; k < 4; k++) {
        StickMesh mesh = read_path(*state, path[k]);
        assert_two_squares(&mesh);
        assert_said(*state, "1 nodes that belong to no element are left out");
        stick_mesh_destroy(*state, &mesh);
        stick_diagnostics_clear(*state);
    }
}

static void ignored_sections_are_listed(void **state)
{
    StickMesh mesh =
        read_path(*state, write_text("a.msh", FORMAT22 "$Comments\n$Nodes 3\nfree text\n$EndComments\n" NAMES
                                                       "$Periodic\n0\n$EndPeriodic\n" NODES22 ELEMENTS22
                                                       "$NodeData\n1\n\"x\"\n$EndNodeData\n"));
    assert_two_squares(&mesh);
    assert_said(*state, "ignored sections: $Periodic (line ");
    assert_said(*state, "), $NodeData (line ");
    stick_mesh_destroy(*state, &mesh);
}

static void windows_lines_are_lines(void **state)
{
    char text[4096];
    size_t length = 0;
    for (const char *c = text22; *c; c++) {
        if (*c == '\n')
            text[length++] = '\r';
        text[length++] = *c;
    }
    StickMesh mesh = read_path(*state, write_bytes("a.msh", text, length));
    assert_two_squares(&mesh);
    stick_mesh_destroy(*state, &mesh);
}

// Pieces of a partition know their groups; the lines between pieces are no groups of the file.
static void partitioned_files_are_read(void **state)
{
    StickMesh mesh = read_path(
        *state,
        write_text("a.msh", FORMAT41
                   "$PhysicalNames\n2\n1 5 \"foot\"\n2 1 \"body\"\n$EndPhysicalNames\n"
                   "$Entities\n0 1 1 0\n1 0 0 0 2 0 0 1 5 0\n1 0 0 0 2 1 0 1 1 0\n$EndEntities\n"
                   "$PartitionedEntities\n2\n1\n8 1\n0 2 2 0\n2 1 1 1 1 0 0 0 2 0 0 1 5 0\n3 2 1 2 1 2 0 0 0 "
                   "2 1 0 1 1 0\n"
                   "2 2 1 1 1 0 0 0 1 1 0 1 1 0\n3 2 1 1 2 1 0 0 2 1 0 1 1 0\n$EndPartitionedEntities\n"
                   "$Nodes\n1 6 1 6\n2 2 0 6\n1 2 3 4 5 6\n0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0\n$EndNodes\n"
                   "$Elements\n4 5 1 5\n1 2 1 2\n1 1 2\n2 2 3\n1 3 1 1\n3 2 5\n2 2 3 1\n4 1 2 5 4\n2 3 3 "
                   "1\n5 2 3 6 5\n$EndElements\n"));
    assert_int_equal(mesh.ngroups, 4);
    assert_group(&mesh, "foot", 3, 0, 2);
    assert_group(&mesh, "body", 6, 2, 0);
    stick_mesh_destroy(*state, &mesh);
}

static void tags_without_names_do_not_mix_dimensions(void **state)
{
    StickMesh mesh = read_path(
        *state,
        write_text("a.msh", FORMAT22 NODES22
                   "$Elements\n3\n1 1 2 1 1 1 2\n2 3 2 1 1 1 2 5 4\n3 3 2 2 1 2 3 6 5\n$EndElements\n"));
    assert_group(&mesh, "physical-curve-1", 2, 0, 1);
    assert_group(&mesh, "physical-surface-1", 4, 1, 0);
    assert_group(&mesh, "physical-2", 4, 1, 0);
    assert_null(stick_mesh_group(&mesh, "physical-1"));
    stick_mesh_destroy(*state, &mesh);
}

static void bars_and_volumes_have_their_dimension(void **state)
{
    StickMesh mesh = read_path(
        *state, write_text("a.msh", FORMAT22
                           "$Nodes\n3\n5 0 0 0\n6 1 0 0\n7 3 0 0\n$EndNodes\n"
                           "$Elements\n3\n1 15 2 4 1 7\n2 1 2 0 1 5 6\n3 1 2 0 1 6 7\n$EndElements\n"));
    assert_int_equal(mesh.dim, 1);
    assert_near(mesh_volume(&mesh), 3, 0);
    assert_group(&mesh, "physical-4", 1, 0, 1);
    stick_mesh_destroy(*state, &mesh);
    mesh = read_path(
        *state,
        write_text("a.msh", FORMAT22
                   "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
                   "$Elements\n3\n1 2 2 5 1 1 3 2\n2 4 2 1 1 1 2 3 4\n3 1 2 6 1 1 4\n$EndElements\n"));
    assert_int_equal(mesh.dim, 3);
    assert_near(mesh_volume(&mesh), 1 / 6.0, 1e-16);
    assert_group(&mesh, "physical-5", 3, 0, 1);
    assert_group(&mesh, "physical-6", 2, 0, 0);
    stick_mesh_destroy(*state, &mesh);
}

// ---- errors

static const struct {
    const char *text;
    int line;
    const char *refusal;
} malformed[] = {
    {"", 1, "the file ends where $MeshFormat should be"},
    {"solid cube\n", 1, "does not start with $MeshFormat"},
    {"$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", 2, "version 4.0"},
    {"$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", 2, "4 bytes"},
    {"$MeshFormat\n2.2 0 8\n$Nodes\n", 3, "'$Nodes' where $EndMeshFormat should be"},
    {FORMAT22, 3, "0 nodes and 0 elements"},
    {FORMAT22 "Nodes\n", 4, "'Nodes' where a section should start"},
    {FORMAT22 "$Comments\n", 4, "$Comments has no end"},
    {FORMAT22 "$PhysicalNames\n1\n1 1 foot\n$EndPhysicalNames\n", 6, "between quotes"},
    {FORMAT22 "$PhysicalNames\n1\n9 1 \"foot\"\n$EndPhysicalNames\n", 6, "dimension 9"},
    {FORMAT22 "$Nodes\n-1\n$EndNodes\n", 5, "-1 nodes cannot be"},
    {FORMAT22 "$Nodes\n1000000000\n1 0 0 0\n$EndNodes\n", 5, "1000000000 nodes cannot be"},
    {FORMAT22 "$Nodes\n99999999999999999999\n1 0 0 0\n$EndNodes\n", 5, "should be an integer"},
    {FORMAT22 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", 6, "'nan' is not a coordinate"},
    {FORMAT22 "$Nodes\n1\n0 0 0 0\n$EndNodes\n", 6, "the tag 0"},
    {FORMAT22 "$Nodes\n2\n1 0 0 0\n$EndNodes\n", 7, "'$EndNodes' is not the tag of a node"},
    {FORMAT22 NODES22 "$Elements\n1\n1 3 2 1 1 1 2 5\n$EndElements\n", 17,
     "'$EndElements' is not a node of an element"},
    {FORMAT22 NODES22 "$Elements\n1\n1 10 2 1 1 1 2 5 4 1 2 3 4 5\n$EndElements\n", 16,
     "unsupported element type 10 (9-node quadrangle)"},
    {FORMAT22 NODES22 "$Elements\n1\n1 17 0 1 1 1 2 5 4 1 2 3 4 5\n$EndElements\n", 16, "20-node hexahedron"},
    {FORMAT22 NODES22 "$Elements\n1\n1 6 0 1 1 1 2 5 4\n$EndElements\n", 16, "6-node prism"},
    {FORMAT22 NODES22 "$Elements\n1\n1 999 0 1\n$EndElements\n", 16, "unsupported element type 999"},
    {FORMAT22 NODES22 "$Elements\n1\n1 3 -2 1 2 5 4\n$EndElements\n", 16, "-2 tags"},
    {FORMAT22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n2 1 1 0\n3 0 1 0\n$EndNodes\n" ELEMENTS22, 0,
     "node 2 is given twice"},
    {FORMAT22 NODES22 "$Elements\n1\n8 3 2 1 1 1 2 5 44\n$EndElements\n", 0, "element 8 uses node 44"},
    {FORMAT22 NAMES NODES22 "$Elements\n2\n1 3 2 1 1 1 2 5 4\n2 1 2 3 1 2 3\n$EndElements\n", 0,
     "element 2 (bar2 at node 2) of the group 'foot side' is not a side of any plane element"},
    {FORMAT22 NODES22 "$Elements\n1\n1 15 2 7 1 1\n$EndElements\n", 0, "no elements but points"},
    {FORMAT22 NODES22 "$Elements\n1\n1 8 2 7 1 1 3 2\n$EndElements\n", 0, "quadratic bar"},
    {FORMAT22 NODES22 "$Elements\n1\n1 1 2 7 1 1 4\n$EndElements\n", 0, "node 4 has y = 1: a mesh of lines"},
    {FORMAT22
     "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 1 1 0.5\n$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n",
     0, "node 3 has z = 0.5: a mesh of faces must lie in the plane z = 0"},
    {FORMAT41 "$Entities\n-1 0 0 0\n$EndEntities\n", 5, "-1 entities"},
    {FORMAT41 "$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n", 8,
     "the file declares 2 nodes, but contains 1"},
    {FORMAT41 "$Nodes\n1 1 1 1\n7 1 0 1\n1\n0 0 0\n$EndNodes\n", 6, "dimension 7"},
    {FORMAT41 "$Elements\n1 2 1 2\n2 1 3 1\n1 1 2 3 4\n$EndElements\n", 7,
     "the file declares 2 elements, but contains 1"},
    {FORMAT41 "$Elements\n1 2 1 2\n2 1 3 2000\n1 1 2 3 4\n$EndElements\n", 6, "2000 elements cannot be"},
};

static void malformed_files_are_refused_at_their_line(void **state)
{
    for (size_t k = 0; k < sizeof malformed / sizeof *malformed; k++) {
        StickMesh mesh = {0};
        stick_diagnostics_clear(*state);
        const char *path = write_text("bad.msh", malformed[k].text);
        assert_int_equal(stick_gmsh_read(*state, path, &mesh), STICK_BAD_MESH);
        assert_said(*state, malformed[k].refusal);
        const StickDiagnostic *last = stick_diagnostic(*state, stick_diagnostic_count(*state) - 1);
        if (last->line != malformed[k].line)
            fail_msg("'%s' at line %d, not %d", last->text, last->line, malformed[k].line);
        assert_string_equal(last->file, path);
        assert_null(mesh.x);
    }
}

static void bad_meshes_are_left_to_the_check(void **state)
{
    static const struct {
        const char *text, *refusal;
    } cases[] = {
        {FORMAT22 NODES22 "$Elements\n1\n8 3 2 1 1 1 4 5 2\n$EndElements\n", "element 8 (quad4) is inverted"},
        {FORMAT22 NAMES NODES22 "$Elements\n1\n8 3 2 1 1 1 2 5 4\n$EndElements\n", "group 'tip' is empty"},
        {FORMAT22 NODES22 "$Elements\n2\n8 3 2 1 1 1 2 5 4\n9 3 2 1 1 1 2 5 4\n$EndElements\n",
         "elements 8 and 9 overlap: they lie on the same side of their common side at node"},
        {FORMAT22 NODES22 "$Elements\n2\n8 3 2 1 1 1 2 5 4\n9 15 2 4 1 9\n$EndElements\n",
         "node 9, (5, 5), belongs to no element"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickMesh mesh;
        const char *path = write_text("bad.msh", cases[k].text);
        assert_ok(*state, stick_gmsh_read(*state, path, &mesh));
        assert_int_equal(stick_mesh_check(*state, &mesh, (StickMark){path, 0, 0}), STICK_BAD_MESH);
        assert_said(*state, cases[k].refusal);
        stick_mesh_destroy(*state, &mesh);
    }
}

static void the_other_byte_order_is_refused(void **state)
{
    StickMesh mesh;
    static const char bytes[] = "$MeshFormat\n4.1 1 8\n\0\0\0\1\n$EndMeshFormat\n";
    const char *path = write_bytes("a.msh", bytes, sizeof bytes - 1);
    assert_int_equal(stick_gmsh_read(*state, path, &mesh), STICK_BAD_MESH);
    assert_said(*state, "other byte order");
}

// A truncated file is an error; for a binary file the message gives the byte.
static void truncated_files_are_refused(void **state)
{
    Bytes b22 = binary22(), b41 = binary41();
    const void *whole[] = {text22, text41, b22.byte, b41.byte};
    size_t size[] = {sizeof text22 - 1, sizeof text41 - 1, b22.count, b41.count};
    for (int k = 0; k < 4; k++)
        for (size_t length = 0; length + 2 < size[k]; length += k < 2 ? 1 : 3) {
            StickMesh mesh;
            stick_diagnostics_clear(*state);
            assert_int_equal(stick_gmsh_read(*state, write_bytes("cut.msh", whole[k], length), &mesh),
                             STICK_BAD_MESH);
            if (k >= 2 && length > 100)
                assert_said(*state, "(at byte ");
        }
}

// Any byte may be wrong: no crash, no endless loop.
static void damaged_files_do_no_harm(void **state)
{
    Bytes whole[] = {binary22(), binary41()};
    for (int k = 0; k < 2; k++)
        for (size_t at = 0; at < whole[k].count; at++) {
            static const unsigned char damage[] = {0x00, 0xff, 0x80};
            Bytes damaged = whole[k];
            damaged.byte[at] = damage[at % 3];
            StickMesh mesh;
            stick_diagnostics_clear(*state);
            if (stick_gmsh_read(*state, write_bytes("damaged.msh", damaged.byte, damaged.count), &mesh) !=
                STICK_OK)
                continue;
            stick_mesh_check(*state, &mesh, (StickMark){"damaged.msh", 0, 0});
            stick_mesh_destroy(*state, &mesh);
        }
}

static StickStatus read_and_destroy(StickContext *ctx, void *data)
{
    StickMesh mesh;
    STICK_TRY(stick_gmsh_read(ctx, data, &mesh));
    stick_mesh_destroy(ctx, &mesh);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_and_destroy, (void *)write_text("text22.msh", text22));
    assert_survives_failing_memory(read_and_destroy, (void *)write_text("text41.msh", text41));
}

// ---- files of Gmsh itself

static const char plate[] =
    "Point(1)={0,0,0,.5};Point(2)={2,0,0,.5};Point(3)={2,1,0,.5};Point(4)={0,1,0,.5};\n"
    "Point(5)={1,1,0,.5};\nLine(1)={1,2};Line(2)={2,3};Circle(3)={3,5,4};Line(4)={4,1};\n"
    "Curve Loop(1)={1,2,3,4};Plane Surface(1)={1};\n"
    "Physical Surface(\"body\")={1};Physical Surface(\"again\")={1};\n"
    "Physical Curve(\"foot\")={-1};Physical Curve(21)={3};Physical Point(\"tip\")={3};\n";

static const char block[] =
    "SetFactory(\"OpenCASCADE\");Box(1)={0,0,0,1,2,3};\nMesh.MeshSizeMax=0.9;\n"
    "Physical Volume(\"block\")={1};Physical Surface(\"x-min\")={1};Physical Surface(\"x-max\")={2};\n"
    "Physical Curve(\"edge\")={1};\n";

static bool run_gmsh(const char *geo, const char *options, const char *msh)
{
    char command[2048];
    snprintf(command, sizeof command, "gmsh %s -v 0 -o '%s' '%s' >/dev/null 2>&1", options, test_path(msh),
             test_path(geo));
    return system(command) == 0;
}

// All four forms give the mesh of the first; returns it.
static StickMesh read_four_forms(StickContext *ctx, const char *geo, const char *options)
{
    static const char *const forms[] = {"-format msh22", "-format msh22 -bin", "-format msh41",
                                        "-format msh41 -bin"};
    StickMesh first = {0};
    for (int k = 0; k < 4; k++) {
        char all[512];
        snprintf(all, sizeof all, "%s %s", options, forms[k]);
        assert_true(run_gmsh(geo, all, "made.msh"));
        StickMesh mesh = read_path(ctx, test_path("made.msh"));
        if (k == 0) {
            first = mesh;
            continue;
        }
        assert_same_mesh(&first, &mesh);
        stick_mesh_destroy(ctx, &mesh);
    }
    return first;
}

static void need_gmsh(void)
{
    if (system("command -v gmsh >/dev/null 2>&1") == 0)
        return;
    print_message("skipped: gmsh is not installed\n");
    skip();
}

static void plane_meshes_of_gmsh(void **state)
{
    need_gmsh();
    static const char quads[] =
        "-2 -order 2 -setnumber Mesh.RecombineAll 1 -setnumber Mesh.SecondOrderIncomplete 1";
    static const char *const options[] = {"-2 -setnumber Mesh.SaveParametric 1", "-2 -order 2", quads};
    write_text("plate.geo", plate);
    for (int k = 0; k < 3; k++) {
        StickMesh mesh = read_four_forms(*state, "plate.geo", options[k]);
        bool quadratic = k > 0;
        assert_near(mesh_volume(&mesh), 2 + acos(-1) / 2, quadratic ? 1e-2 : 0.3);
        assert_group(&mesh, "foot", quadratic ? 9 : 5, 0, 4);
        assert_group(&mesh, "tip", 1, 0, 0);
        assert_group(&mesh, "body", mesh.nnodes, mesh.nelements, 0);
        assert_group(&mesh, "again", mesh.nnodes, mesh.nelements, 0);
        assert_true(need_group(&mesh, "physical-21")->nfacets > 2);
        stick_mesh_destroy(*state, &mesh);
    }
}

static void partitioned_meshes_of_gmsh(void **state)
{
    need_gmsh();
    write_text("plate.geo", plate);
    assert_true(run_gmsh("plate.geo", "-2 -part 3 -format msh41 -bin", "parts.msh"));
    assert_true(run_gmsh("plate.geo", "-2 -format msh41", "whole.msh"));
    StickMesh parts = read_path(*state, test_path("parts.msh")),
              whole = read_path(*state, test_path("whole.msh"));
    assert_int_equal(parts.nnodes, whole.nnodes);
    assert_int_equal(parts.nelements, whole.nelements);
    const StickGroup *foot = need_group(&whole, "foot");
    assert_group(&parts, "foot", foot->nnodes, 0, foot->nfacets);
    assert_group(&parts, "body", whole.nnodes, whole.nelements, 0);
    stick_mesh_destroy(*state, &parts);
    stick_mesh_destroy(*state, &whole);
}

static void volume_meshes_of_gmsh(void **state)
{
    need_gmsh();
    write_text("block.geo", block);
    StickMesh mesh = read_four_forms(*state, "block.geo", "-3");
    assert_int_equal(mesh.dim, 3);
    assert_near(mesh_volume(&mesh), 6, 1e-12);
    const StickGroup *x_max = need_group(&mesh, "x-max");
    assert_true(x_max->nfacets > 0);
    for (int k = 0; k < x_max->nnodes; k++)
        assert_near(place_of(&mesh, x_max->node[k])[0], 1, 1e-12);
    assert_true(need_group(&mesh, "edge")->nnodes > 1);
    stick_mesh_destroy(*state, &mesh);
}

static void unsupported_elements_of_gmsh_are_named(void **state)
{
    need_gmsh();
    StickMesh mesh;
    write_text("block.geo", block);
    assert_true(run_gmsh("block.geo", "-3 -order 2 -format msh41", "order2.msh"));
    assert_int_equal(stick_gmsh_read(*state, test_path("order2.msh"), &mesh), STICK_BAD_MESH);
    assert_said(*state, "unsupported element type 11 (10-node tetrahedron)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(text_and_binary_of_both_versions_give_one_mesh),
        test_with_context(ignored_sections_are_listed),
        test_with_context(windows_lines_are_lines),
        test_with_context(partitioned_files_are_read),
        test_with_context(tags_without_names_do_not_mix_dimensions),
        test_with_context(bars_and_volumes_have_their_dimension),
        test_with_context(malformed_files_are_refused_at_their_line),
        test_with_context(bad_meshes_are_left_to_the_check),
        test_with_context(the_other_byte_order_is_refused),
        test_with_context(truncated_files_are_refused),
        test_with_context(damaged_files_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
        test_with_context(plane_meshes_of_gmsh),
        test_with_context(partitioned_meshes_of_gmsh),
        test_with_context(volume_meshes_of_gmsh),
        test_with_context(unsupported_elements_of_gmsh_are_named),
    };
    return cmocka_run_group_tests_name("mesh.gmsh", tests, NULL, remove_test_folder);
}

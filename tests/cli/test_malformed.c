// SPDX-License-Identifier: Apache-2.0
// Bad input gets a message with its place, the right exit code, and leaves nothing behind.
#include "cli/models.h"

enum { SLOWEST = 5 };

// `run` and `check` both refuse model.yaml with the code and the words, quickly, and no result folder is left.
static void assert_refused(Scratch *scratch, const char *name, int code, const char *words)
{
    static const char *const lines[] = {"run model.yaml -o out", "check model.yaml"};
    for (int k = 0; k < 2; k++) {
        Outcome outcome = run_line(scratch->folder, lines[k]);
        if (outcome.code != code || !strstr(outcome.err, words))
            fail_msg("%s: '%s' ends with %d, not %d, or lacks '%s':\n%s", name, lines[k], outcome.code, code,
                     words, outcome.err);
        assert_below(outcome.seconds, SLOWEST);
        assert_false(exists(scratch->folder, "out"));
        forget(&outcome);
    }
}

// ---- the model file

typedef struct Edit {
    const char *name;
    const char *words, *instead; // in the model
    int code;
    const char *said; // begins with its place, model.yaml:line:column
} Edit;

static const Edit edits[] = {
    {"missing key", "young: E, ", "", 4, "model.yaml:5:"},
    {"unknown key", "young: E", "yuong: E", 4, "did you mean 'young'?"},
    {"unknown section", "supports:", "suports:", 4, "model.yaml:9:1: error: unknown key 'suports'"},
    {"repeated key", "poisson: 0.3", "poisson: 0.3, poisson: 0.2", 4, "model.yaml:5:"},
    {"repeated section", "contacts:", "materials: {}\ncontacts:", 4, "model.yaml:11:1:"},
    {"list for a number", "density: 7800", "density: [7800, 1]", 4,
     "model.yaml:5:58: error: 'density' needs one value"},
    {"word for a number", "density: 7800", "density: heavy", 4, "heavy"},
    {"number for a map", "  steel: {law: elastic, young: E, poisson: 0.3, density: 7800}", "  steel: 7", 4,
     "model.yaml:5:10:"},
    {"negative density", "density: 7800", "density: -7800", 4, "density"},
    {"no density", "density: 7800", "density: 0", 4, "density"},
    {"NaN density", "density: 7800", "density: 0/0", 4, "model.yaml:5:58: error: in '0/0'"},
    {"YAML's NaN", "density: 7800", "density: .nan", 4, "density"},
    {"infinite Young's modulus", "E: 1e9", "E: 1/0", 4, "model.yaml:3:"},
    {"Poisson's ratio of one half", "poisson: 0.3", "poisson: 0.5", 4, "poisson"},
    {"unknown law", "law: elastic", "law: elastik", 4, "did you mean 'elastic'?"},
    {"unknown material", "material: steel}", "material: steal}", 4, "did you mean 'steel'?"},
    {"unknown group", "low.bottom", "low.botom", 5,
     "model.yaml:10:10: error: body 'low' has no group 'botom'; did you mean 'bottom'?"},
    {"unknown body", "on: low.bottom", "on: lwo.bottom", 4, "did you mean 'low'?"},
    {"unknown contact group", "low.top", "low.tpo", 5, "did you mean 'top'?"},
    {"contact of one surface", "low.top", "high.bottom", 4, "model.yaml:12:"},
    {"contact of three", "[high.bottom, low.top]", "[high.bottom, low.top, low.bottom]", 4, "model.yaml:12:"},
    {"negative friction", "mu: 0.2", "mu: -0.2", 4, "model.yaml:12:"},
    {"friction by an unknown name", "friction: mu", "friction: nu", 4, "nu"},
    {"too few components", "velocity: [5, -10]", "velocity: [5]", 4, "model.yaml:8:"},
    {"too many components", "velocity: [5, -10]", "velocity: [5, -10, 1]", 4, "model.yaml:8:"},
    {"support prescribed twice", "contacts:", "  - {on: low.bottom, displacement: [0.1, 0]}\ncontacts:", 4,
     "model.yaml:11:"},
    {"support without a motion", ", displacement: [0, 0]", "", 4, "model.yaml:10:"},
    {"no cells", "cells: [5, 1]", "cells: [0, 1]", 4, "cells"},
    {"half a cell", "cells: [5, 1]", "cells: [2.5, 1]", 4, "cells"},
    {"too many cells", "cells: [5, 1]", "cells: [100000000, 100000000]", 4, "cells"},
    {"negative size", "size: [0.1, 0.02]", "size: [-0.1, 0.02]", 4, "size"},
    {"unknown shape", "mesh: {rectangle", "mesh: {rectangel", 4, "did you mean 'rectangle'?"},
    {"two meshes", "mesh: {rectangle", "mesh: {file: a.msh, rectangle", 4, "model.yaml:7:"},
    {"unknown plane", "plane: strain", "plane: strian", 4, "did you mean 'strain'?"},
    {"bodies in two spaces", "mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}, plane: strain",
     "mesh: {bar: {length: 1, elements: 3}}", 4, "model.yaml:"},
    {"no bodies",
     "  low: {mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}, plane: strain, material: steel}\n  "
     "high: {mesh: {rectangle: {size: [0.04, 0.02], cells: [2, 1], origin: [0.03, 0.0201]}}, plane: strain, "
     "material: steel, velocity: [5, -10]}\n",
     "  {}\n", 4, "bodies"},
    {"no steps", "  - {name: hit, dynamics: {scheme: scheme, theta: 0.55, step: h, end: steps*h}}\n",
     "  []\n", 4, "steps"},
    {"unknown scheme", "scheme: theta-euler", "scheme: theta-eulre", 4, "did you mean 'theta-euler'?"},
    {"theta above 1", "theta: 0.55", "theta: 1.55", 4, "theta"},
    {"no time step", "step: h", "step: 0", 4, "step"},
    {"time runs back", "end: steps*h", "end: -1", 4, "end"},
    {"unknown solver", "end: steps*h}", "end: steps*h}, solver: lemkee", 4, "did you mean 'lemke'?"},
    {"unknown number", "that: momentum.error", "that: momentum.eror", 4, "did you mean 'momentum.error'?"},
    {"unknown series", "that: momentum.error", "that: max(forse)", 4,
     "model.yaml:16:5: error: there is no series 'forse'; did you mean 'force'?"},
    {"unknown column", "that: momentum.error", "that: max(energy.heat)", 4,
     "there is no series 'energy.heat'"},
    {"no exact curve", "that: momentum.error", "that: max(force.exact)", 4,
     "there is no series 'force.exact'"},
    {"unknown reduction", "that: momentum.error", "that: maxx(force)", 4, "did you mean 'max'?"},
    {"check without a bound", ", at-most: 1e-10", "", 4, "model.yaml:16:"},
    {"check with two bounds", "at-most: 1e-10", "at-most: 1e-10, at-least: 0", 4, "model.yaml:16:"},
    {"unknown result", "what: contact_force.normal", "what: contact_farce.normal", 4,
     "did you mean 'contact_force'?"},
    {"unknown component", "what: contact_force.normal", "what: contact_force.normel", 4,
     "did you mean 'normal'?"},
    {"component out of the plane", "what: contact_force.normal", "what: velocity.z", 4, "model.yaml:20:"},
    {"no component", "what: contact_force.normal", "what: velocity", 4, "model.yaml:20:"},
    {"force by the frame of the second body", "of: high.bottom, what", "of: low.top, what", 4,
     "model.yaml:20:7: error: history 'force': 'contact_force.normal' is known for the first body"},
    {"history of a book's name", "name: force", "name: energy", 4, "model.yaml:20:"},
    {"two histories of one name", "    - {name: force",
     "    - {name: force, of: low.top, what: velocity.x}\n    - {name: force", 4,
     "two histories have the name 'force'"},
    {"history's name is a path", "name: force", "name: ../force", 4, "model.yaml:20:"},
    {"broken expression", "end: steps*h", "end: steps*", 4, "model.yaml:14:"},
    {"undefined name", "steps: 60", "steps: sixty", 4, "model.yaml:14:"},
    {"endless loop", "steps: 60", "steps: \"(function() while true do end end)()\"", 4, "model.yaml:3:"},
    {"endless recursion", "steps: 60",
     "steps: \"(function(f) return f(f) + 1 end)(function(f) return f(f) + 1 end)\"", 4, "model.yaml:3:"},
    {"much memory", "steps: 60", "steps: \"#('x'):rep(1e12)\"", 4, "model.yaml:3:"},
    {"leaving the sandbox", "steps: 60", "steps: \"os.exit(0)\"", 4, "model.yaml:3:"},
    {"case of an unknown parameter", "checks:", "cases: {vary: {hh: [1, 2]}}\nchecks:", 4, "model.yaml:15:"},
    {"case with a bad value", "checks:", "cases: {vary: {E: [1e9, -1]}}\nchecks:", 4, "this is case '-1'"},
    {"unclosed bracket", "displacement: [0, 0]}", "displacement: [0, 0}", 4, "model.yaml:10:"},
    {"tab", "supports:\n  -", "supports:\n\t-", 4, "model.yaml:10:"},
    {"alias of itself", "parameters: {h: 1e-5", "parameters: &p {own: *p, h: 1e-5", 4, "model.yaml:3:"},
    {"another version", "stickslip: 1", "stickslip: 99", 4, "model.yaml:1:"},
    {"no version", "stickslip: 1\n", "", 4, "stickslip"},
    {"missing mesh file", "mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}", "mesh: {file: none.msh}",
     7, "none.msh"},
    {"mesh file is a folder", "mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}",
     "mesh: {file: folder.msh}", 7, "folder.msh"},
    {"mesh file of another kind", "mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}",
     "mesh: {file: model.yaml}", 4, "neither .msh nor .inp"},
};

static void test_edits(void **state)
{
    Scratch *scratch = *state;
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "folder.msh")));
    for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
        const Edit *edit = &edits[k];
        write_model(scratch->folder, "model.yaml", edit->words, edit->instead);
        assert_refused(scratch, edit->name, edit->code, edit->said);
    }
}

// The model whose lower body comes from a file.
static void write_mesh_model(Scratch *scratch, const char *file)
{
    char mesh[128];
    snprintf(mesh, sizeof mesh, "mesh: {file: %s}", file);
    write_model(scratch->folder, "model.yaml", "mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}", mesh);
}

static void test_all_errors_at_once(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               "stickslip: 1\nmaterials: {a: {law: elastic, young: -1, density: 0}}\n"
               "bodies: {b: {mesh: {bar: {length: 1, elements: 1}}, material: c}}\nstepps: []\n");
    Outcome outcome = run_line(scratch->folder, "check model.yaml");
    assert_code(outcome, 4);
    assert_says(outcome.err, "model.yaml:2:38: error: 'young' is -1");
    assert_says(outcome.err, "'density' is 0");
    assert_says(outcome.err, "unknown material 'c'");
    assert_says(outcome.err, "unknown key 'stepps'");
    forget(&outcome);
}

// All histories and checks are looked at, too, once the bodies stand.
static void test_all_errors_of_the_output_at_once(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "model.yaml", "    - {name: force",
                "    - {name: a, of: high.left, what: velocity.z}\n    - {name: b, of: high.lft, what: gap}\n"
                "    - {name: force");
    expect(scratch->folder, "check model.yaml", 5, "model.yaml:20:7: error: history 'a'");
    expect(scratch->folder, "check model.yaml", 5, "model.yaml:21:21: error: body 'high' has no group 'lft'");
}

static void test_what_is_no_model_at_all(void **state)
{
    Scratch *scratch = *state;
    static const unsigned char garbage[] = {0x89, 'P',  'N',  'G', 0,   1,    2,
                                            0xff, 0xfe, '\n', ':', '-', 0xc3, 0x28};
    write_text(scratch->folder, "model.yaml", "");
    assert_refused(scratch, "empty", 4, "model.yaml");
    write_text(scratch->folder, "model.yaml", "# nothing\n");
    assert_refused(scratch, "comment only", 4, "model.yaml");
    write_text(scratch->folder, "model.yaml", "- a\n- b\n");
    assert_refused(scratch, "list", 4, "model.yaml:1:1:");
    write_bytes(scratch->folder, "model.yaml", garbage, sizeof garbage);
    assert_refused(scratch, "binary", 4, "model.yaml");
    write_bytes(scratch->folder, "model.yaml", "stickslip: 1\0title: a", 21);
    assert_refused(scratch, "zero byte", 4, "model.yaml");
    write_bytes(scratch->folder, "model.yaml", "stickslip: 1\ntitle: \xc3\x28\n", 23);
    assert_refused(scratch, "no UTF-8", 4, "model.yaml");
    assert_int_equal(remove(scratch_path(scratch, "model.yaml")), 0);
    assert_refused(scratch, "missing", 7, "model.yaml");
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "model.yaml")));
    assert_refused(scratch, "folder", 7, "folder");
}

// libyaml alone would take hours for it.
static void test_deep_nesting(void **state)
{
    Scratch *scratch = *state;
    enum { DEEP = 100000 };
    char *text = malloc(DEEP + 32);
    assert_non_null(text);
    memcpy(text, "parameters: ", 12);
    memset(text + 12, '[', DEEP);
    write_bytes(scratch->folder, "model.yaml", text, 12 + DEEP);
    assert_refused(scratch, "deep list", 4, "model.yaml:1:");
    for (int k = 0; k + 3 < DEEP; k += 3)
        memcpy(text + 12 + k, "{a:", 3);
    write_bytes(scratch->folder, "model.yaml", text, 12 + DEEP - 4);
    assert_refused(scratch, "deep mapping", 4, "model.yaml:1:");
    free(text);
}

// ---- mesh files

static const char gmsh2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n3\n1 1 \"bottom\"\n1 2 \"top\"\n2 3 \"block\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 0.05 0 0\n3 0.1 0 0\n4 0 0.02 0\n5 0.05 0.02 0\n6 0.1 0.02 0\n$EndNodes\n"
    "$Elements\n6\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 2 2 5 4\n4 1 2 2 2 6 5\n"
    "5 3 2 3 3 1 2 5 4\n6 3 2 3 3 2 3 6 5\n$EndElements\n";

static const char deck[] = "*NODE\n1, 0, 0\n2, 0.05, 0\n3, 0.1, 0\n4, 0, 0.02\n5, 0.05, 0.02\n6, 0.1, 0.02\n"
                           "*ELEMENT, TYPE=CPE4, ELSET=block\n1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n"
                           "*NSET, NSET=bottom\n1, 2, 3\n*SURFACE, NAME=top\n1, S3\n2, S3\n";

static const Edit gmsh_edits[] = {
    {"inverted element", "3 1 2 5 4", "3 1 4 5 2", 5, "element 5"},
    {"collapsed element", "3 1 2 5 4", "3 1 2 5 1", 5, "element "},
    {"repeated node", "2 0.05 0 0", "1 0.05 0 0", 5, "node 1"},
    {"unknown node of an element", "3 1 2 5 4", "3 1 2 5 77", 5, "77"},
    {"element that is there twice", "6\n1 1 2 1", "7\n7 3 2 3 3 1 2 5 4\n1 1 2 1", 5,
     "elements 7 and 5 overlap: they lie on the same side of their common side at node"},
    {"coordinate that is no number", "2 0.05 0 0", "2 0.o5 0 0", 5, "block.msh:13: error: '0.o5'"},
    {"coordinate that is not finite", "2 0.05 0 0", "2 nan 0 0", 5, "block.msh:13: error"},
    {"fewer nodes than said", "$Nodes\n6\n", "$Nodes\n60\n", 5, "block.msh:"},
    {"more nodes than fit", "$Nodes\n6\n", "$Nodes\n99999999999999\n", 5, "block.msh:"},
    {"negative count", "$Elements\n6\n", "$Elements\n-6\n", 5, "block.msh:"},
    {"unknown element type", "5 3 2 3 3", "5 93 2 3 3", 5, "93"},
    {"cut off", "6 3 2 3 3 2 3 6 5\n$EndElements\n", "6 3 2 3", 5, "block.msh:"},
    {"no elements",
     "$Elements\n6\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 2 2 5 4\n4 1 2 2 2 6 5\n"
     "5 3 2 3 3 1 2 5 4\n6 3 2 3 3 2 3 6 5\n$EndElements\n",
     "", 5, "block.msh"},
    {"unknown version", "2.2 0 8", "7.1 0 8", 5, "block.msh:2:"},
    {"not flat", "5 0.05 0.02 0", "5 0.05 0.02 0.01", 5, "block.msh"},
};

static const Edit deck_edits[] = {
    {"unsupported element", "CPE4", "S4R", 5, "block.inp:8: error: unsupported element types: S4R (line 8)"},
    {"inverted element", "1, 1, 2, 5, 4", "1, 1, 4, 5, 2", 5, "element 1"},
    {"unknown node", "2, 2, 3, 6, 5", "2, 2, 3, 6, 55", 5, "55"},
    {"repeated node", "2, 0.05, 0", "1, 0.05, 0", 5, "node 1"},
    {"unknown element of a surface", "2, S3", "22, S3", 5, "22"},
    {"unknown side", "2, S3", "2, S9", 5, "block.inp:"},
    {"no number", "3, 0.1, 0", "3, abc, 0", 5, "block.inp:4:"},
    {"no elements", "*ELEMENT, TYPE=CPE4, ELSET=block\n1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n", "", 5, "block.inp"},
};

static void write_edited(Scratch *scratch, const char *file, const char *text, const Edit *edit)
{
    const char *found = strstr(text, edit->words);
    assert_non_null(found);
    size_t size = strlen(text) + strlen(edit->instead) + 1;
    char *edited = calloc(size, 1);
    assert_non_null(edited);
    snprintf(edited, size, "%.*s%s%s", (int)(found - text), text, edit->instead, found + strlen(edit->words));
    write_text(scratch->folder, file, edited);
    free(edited);
}

static void refuse_meshes(Scratch *scratch, const char *file, const char *text, const Edit *edit,
                          size_t count)
{
    write_mesh_model(scratch, file);
    write_text(scratch->folder, file, text);
    Outcome good = run_line(scratch->folder, "run model.yaml -o good --force --quiet");
    assert_code(good, 0);
    forget(&good);
    for (size_t k = 0; k < count; k++) {
        write_edited(scratch, file, text, &edit[k]);
        assert_refused(scratch, edit[k].name, edit[k].code, edit[k].said);
    }
}

static void test_gmsh_files(void **state)
{
    refuse_meshes(*state, "block.msh", gmsh2, gmsh_edits, sizeof gmsh_edits / sizeof *gmsh_edits);
}

static void test_decks(void **state)
{
    refuse_meshes(*state, "block.inp", deck, deck_edits, sizeof deck_edits / sizeof *deck_edits);
}

// Points of the geometry are often in the file: they are left out, and it is said once.
static void test_nodes_without_elements_are_told(void **state)
{
    Scratch *scratch = *state;
    const Edit edit = {"", "$Nodes\n6\n", "$Nodes\n7\n9 3 3 0\n", 0, ""};
    write_mesh_model(scratch, "block.msh");
    write_edited(scratch, "block.msh", gmsh2, &edit);
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out --quiet");
    assert_code(outcome, 0);
    const char *note = strstr(outcome.err, "block.msh: 1 nodes");
    assert_non_null(note);
    assert_null(strstr(note + 1, "block.msh: 1 nodes"));
    forget(&outcome);
}

// The same mesh in Gmsh's binary form 2.2, whole and cut off anywhere.
static size_t binary_mesh(unsigned char *bytes)
{
    static const double place[6][2] = {{0, 0}, {0.05, 0}, {0.1, 0}, {0, 0.02}, {0.05, 0.02}, {0.1, 0.02}};
    static const int quad[2][4] = {{1, 2, 5, 4}, {2, 3, 6, 5}};
    static const int line[4][3] = {{1, 1, 2}, {1, 2, 3}, {2, 5, 4}, {2, 6, 5}};
    char *at = (char *)bytes;
    const int one = 1;
    at += sprintf(at, "$MeshFormat\n2.2 1 8\n");
    memcpy(at, &one, 4), at += 4;
    at += sprintf(at, "\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"bottom\"\n1 2 \"top\"\n2 3 \"block\"\n"
                      "$EndPhysicalNames\n$Nodes\n6\n");
    for (int k = 0; k < 6; k++) {
        int tag = k + 1;
        double x[3] = {place[k][0], place[k][1], 0};
        memcpy(at, &tag, 4), at += 4;
        memcpy(at, x, 24), at += 24;
    }
    at += sprintf(at, "\n$EndNodes\n$Elements\n6\n");
    int lines[3] = {1, 4, 2}, quads[3] = {3, 2, 2};
    memcpy(at, lines, 12), at += 12;
    for (int k = 0; k < 4; k++) {
        int row[5] = {k + 1, line[k][0], line[k][0], line[k][1], line[k][2]};
        memcpy(at, row, 20), at += 20;
    }
    memcpy(at, quads, 12), at += 12;
    for (int k = 0; k < 2; k++) {
        int row[7] = {k + 5, 3, 3, quad[k][0], quad[k][1], quad[k][2], quad[k][3]};
        memcpy(at, row, 28), at += 28;
    }
    at += sprintf(at, "\n$EndElements\n");
    return (size_t)(at - (char *)bytes);
}

static void test_truncated_binary_mesh(void **state)
{
    Scratch *scratch = *state;
    unsigned char bytes[2048];
    size_t count = binary_mesh(bytes);
    write_mesh_model(scratch, "block.msh");
    write_bytes(scratch->folder, "block.msh", bytes, count);
    Outcome good = run_line(scratch->folder, "run model.yaml -o good --quiet");
    assert_code(good, 0);
    forget(&good);
    for (size_t kept = 20; kept < count - 15; kept += 37) {
        write_bytes(scratch->folder, "block.msh", bytes, kept);
        assert_refused(scratch, "truncated binary mesh", 5, "block.msh");
    }
}

// A tetrahedron and its neighbour: vectors of two components do not fit.
static void test_vectors_of_another_dimension(void **state)
{
    Scratch *scratch = *state;
    write_text(
        scratch->folder, "block.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n");
    write_text(scratch->folder, "model.yaml",
               "stickslip: 1\nmaterials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
               "bodies: {b: {mesh: {file: block.msh}, material: a, velocity: [1, 2]}}\n"
               "steps: [{name: s, dynamics: {scheme: theta-euler, step: 1, end: 1}}]\n");
    assert_refused(scratch, "velocity of two components", 4,
                   "model.yaml:3:62: error: 'velocity' has 2 components");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_edits),
        test_with_scratch(test_all_errors_at_once),
        test_with_scratch(test_all_errors_of_the_output_at_once),
        test_with_scratch(test_what_is_no_model_at_all),
        test_with_scratch(test_deep_nesting),
        test_with_scratch(test_gmsh_files),
        test_with_scratch(test_decks),
        test_with_scratch(test_nodes_without_elements_are_told),
        test_with_scratch(test_truncated_binary_mesh),
        test_with_scratch(test_vectors_of_another_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"
#include "model/read_model.h"

// A body whose mesh has the given members.
static StickStatus read_mesh(StickContext *ctx, const char *mesh, StickModel **model)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "parameters: {n: 40, R: 5}\n"
             "materials: {soft: {young: 1, density: 1}}\n"
             "bodies: {lip: {material: soft, mesh: {\n"
             "%s\n"
             "}}}\n"
             "steps: [{dynamics: {step: 0.1, end: 1}}]\n",
             mesh);
    return read_model(ctx, text, model);
}

// The one error of a mesh, on line 5 (its shape: line 4) at the column.
static void assert_refused(StickContext *ctx, const char *mesh, int column, const char *text)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(ctx);
    assert_int_equal(read_mesh(ctx, mesh, &model), STICK_BAD_INPUT);
    assert_null(model);
    assert_int_equal(stick_diagnostic_count(ctx), 1);
    const StickDiagnostic *said = stick_diagnostic(ctx, 0);
    if (!strstr(said->text, text) || said->column != column)
        print_error("%s: %d:%d: %s\n", mesh, said->line, said->column, said->text);
    assert_non_null(strstr(said->text, text));
    assert_int_equal(said->column, column);
}

static void all_keys_are_read(void **state)
{
    StickModel *model;
    assert_ok(
        *state,
        read_mesh(*state,
                  "pattern: triangles, merge: 1e-3, patches: [\n"
                  "{cells: [n, n/10], map: [xi + R, 'R*eta'], sides: {left: foot, top: {group: roof}}},\n"
                  "{cells: [2, 3], corners: [[0, 0], [1, 0], [1, R], [0, R]], grade: [2, 1/3], name: web,\n"
                  " sides: {bottom: {group: sole, arc: [0.5, -1]}, top: {arc: [0.5, 6]}},\n"
                  " points: {top-right: tip}}]",
                  &model));
    const StickMeshSpec *mesh = &model->body[0].mesh;
    assert_int_equal(mesh->kind, STICK_MESH_PATCHES);
    assert_int_equal(mesh->pattern, STICK_PATTERN_TRIANGLES);
    assert_true(mesh->merge == 1e-3);
    assert_int_equal(mesh->npatches, 2);
    assert_int_equal(model->dim, 2);
    const StickPatchSpec *map = &mesh->patch[0], *web = &mesh->patch[1];
    double value;
    assert_int_equal(map->cells[0], 40);
    assert_int_equal(map->cells[1], 4);
    assert_ok(*state, stick_expression_value(map->map[0], &(StickVariables){.xi = 0.25}, &value));
    assert_true(value == 5.25);
    assert_string_equal(map->side[STICK_SIDE_LEFT].group, "foot");
    assert_string_equal(map->side[STICK_SIDE_TOP].group, "roof");
    assert_null(map->side[STICK_SIDE_RIGHT].group);
    assert_false(map->side[STICK_SIDE_TOP].curved);
    assert_true(map->grade[0] == 1 && map->grade[1] == 1);
    assert_null(web->map[0]);
    assert_string_equal(web->name, "web");
    assert_true(web->corner[2][0] == 1 && web->corner[2][1] == 5);
    assert_true(web->grade[0] == 2 && web->grade[1] == 1 / 3.0);
    assert_true(web->side[STICK_SIDE_BOTTOM].curved && web->side[STICK_SIDE_BOTTOM].arc[1] == -1);
    assert_true(web->side[STICK_SIDE_TOP].curved && !web->side[STICK_SIDE_TOP].group);
    assert_string_equal(web->point[2], "tip");
    stick_model_destroy(model);
}

static void fractions_are_seen_by_maps_alone(void **state)
{
    assert_refused(*state, "patches: [{cells: [1, xi], map: [xi, eta]}]", 23, "unknown name 'xi'");
    assert_refused(*state, "patches: [{cells: [1, 1], map: [xi, eta + t]}]", 37,
                   "'t' is not available in this expression");
}

static void what_is_wrong_is_said_where_it_is(void **state)
{
    static const struct {
        const char *mesh;
        int column;
        const char *text;
    } cases[] = {
        {"patches: []", 32, "'patches' is empty"},
        {"patches: [{map: [xi, eta]}]", 11, "a patch needs the key 'cells'"},
        {"patches: [{cells: [1, 1]}]", 11, "exactly one of 'map', 'corners', but has none"},
        {"patches: [{cells: [3], map: [xi]}]", 19, "'cells' has 1 member"},
        {"patches: [{cells: [3, 0], map: [xi, eta]}]", 23, "'cells' is 0, but must be >= 1"},
        {"patches: [{cells: [3, 1], map: [xi]}]", 32,
         "'map' has 1 members, but a patch of 2 directions needs 2"},
        {"patches: [{cells: [3, 1], corners: [[0, 0], [1, 0], [1, 1]]}]", 36, "'corners' has 3 points"},
        {"patches: [{cells: [3, 1], corners: [[0, 0], [1, 0], [1, 1], [0]]}]", 61,
         "'corners' has 1 components"},
        {"patches: [{cells: [3, 1], map: [xi, eta], grade: [1, -2]}]", 54, "'grade' is -2, but must be > 0"},
        {"patches: [{cells: [3, 1], map: [xi, eta], sides: {under: a}}]", 51, "unknown key 'under'"},
        {"patches: [{cells: [3, 1], map: [xi, eta], sides: {front: a}}]", 51, "has no side 'front'"},
        {"patches: [{cells: [3, 1], map: [xi, eta], sides: {top: {arc: [0, 1]}}}]", 57,
         "a 'map' bends its sides"},
        {"patches: [{cells: [1, 1], map: [xi, eta]}, {cells: [1, 1, 1], map: [xi, eta, zeta]}]", 44,
         "this patch has 3 directions, but the first patch has"},
        {"rectangle: {size: [1, 1], cells: [1, 1]}, pattern: quads", 43, "'pattern' is for patches only"},
        {"bar: {length: 1, elements: 2}, merge: 1", 32, "'merge' is for patches only"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(*state, cases[k].mesh, cases[k].column, cases[k].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(all_keys_are_read),
        test_with_context(fractions_are_seen_by_maps_alone),
        test_with_context(what_is_wrong_is_said_where_it_is),
    };
    return cmocka_run_group_tests_name("model.read_patches", tests, NULL, NULL);
}

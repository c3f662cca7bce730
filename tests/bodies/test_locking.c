// SPDX-License-Identifier: Apache-2.0
// Elements that lock are reported once per body, with the factor by which they are too stiff; others are not.
#include "stepping/scene.h"

static const char *said_with(StickContext *ctx, const char *text, int *count)
{
    const char *found = NULL;
    *count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++)
        if (strstr(stick_diagnostic(ctx, k)->text, text)) {
            found = stick_diagnostic(ctx, k)->text;
            ++*count;
        }
    return found;
}

// A cantilever of thickness 1 and length 60, bent by a force at its tip, nu = 0: E w^3 / (3 E I) + shear.
static double stiffness_factor(StickContext *ctx, int cells, int layers, bool space)
{
    Scene scene;
    double tip = 0;
    int n = 0, d = space ? 3 : 2, y = d - 1;
    scene_open(&scene, ctx,
               "materials: {m: {young: 1000, poisson: 0, density: 1}}\n"
               "bodies: {strip: {mesh: {%s: {size: [60, %s 1], cells: [%d, %s %d]}}, material: m}}\n"
               "supports: [{on: strip.left, displacement: [0, %s 0]}]\n"
               "loads: [{on: strip.right, traction: [0, %s 0.001]}]\n"
               "steps: [{quasistatic: {end: 1, increments: 1}}]\n",
               space ? "box" : "rectangle", space ? "1," : "", cells, space ? "1," : "", layers,
               space ? "0," : "", space ? "0," : "");
    scene_step(&scene);
    const StickMesh *mesh = &scene.system->body[0].mesh;
    for (int i = 0; i < mesh->nnodes; i++)
        if (mesh->x[d * i] > 60 - 1e-9) {
            tip += scene.run->state.now.q[d * i + y];
            n++;
        }
    scene_close(&scene);
    double bending = 0.001 * pow(60, 3) / (3 * 1000 / 12.0), shear = 0.001 * 60 * 1.2 / 500;
    return (bending + shear) / (tip / n);
}

// The factor of the message is that of the answer: 1 + (a/t)^2/2 with nu = 0, for any number of layers.
static void one_layer_is_too_stiff_by_the_factor_that_is_reported(void **state)
{
    static const int cells[] = {60, 30, 15};
    for (int k = 0; k < 6; k++) {
        bool space = k >= 3;
        double a = 60.0 / cells[k % 3], exact = 1 + a * a / 2, reported;
        int count;
        stick_diagnostics_clear(*state);
        double factor = stiffness_factor(*state, cells[k % 3], 1, space);
        assert_near(factor / exact, 1, 0.02);
        const char *text = said_with(*state, "they lock in bending", &count);
        assert_int_equal(count, 1);
        assert_non_null(
            strstr(text, space ? "one layer of hex8 elements through its thickness of 1" : "of quad4"));
        const char *number = strstr(text, "factor of about ");
        assert_non_null(number);
        reported = strtod(number + strlen("factor of about "), NULL);
        assert_near(reported / exact, 1, 0.05);
    }
    // the advice: two layers of elements of a third of the thickness
    stick_diagnostics_clear(*state);
    assert_near(stiffness_factor(*state, 180, 2, false), 1 + 1 / 18.0, 0.01);
    assert_int_equal(stick_diagnostic_count(*state), 0);
}

typedef struct Case {
    const char *body, *supports, *says; // says: NULL for nothing
} Case;

static void assert_cases(StickContext *ctx, const Case *cases, size_t n, const char *about)
{
    for (size_t k = 0; k < n; k++) {
        Scene scene;
        int count;
        stick_diagnostics_clear(ctx);
        scene_open(
            &scene, ctx,
            "materials: {m: {young: 1000, poisson: 0.3, density: 1}, rubber: {young: 1, poisson: 0.495, "
            "density: 1}}\nbodies: {b: {%s}}\n%s\nsteps: [{dynamics: {step: 0.1, end: 1}}]\n",
            cases[k].body, cases[k].supports);
        const char *text = said_with(ctx, about, &count);
        assert_int_equal(count, cases[k].says ? 1 : 0);
        if (cases[k].says)
            assert_non_null(strstr(text, cases[k].says));
        scene_close(&scene);
    }
}

static void thin_parts_of_one_layer_are_reported(void **state)
{
    static const Case cases[] = {
        // plates and bars, of bricks and of tetrahedra
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 1]}}", "", "hex8"},
        {"material: m, mesh: {box: {size: [1, 10, 10], cells: [1, 5, 5]}}", "", "thickness of 1"},
        {"material: m, mesh: {box: {size: [10, 1, 1], cells: [10, 1, 1]}}", "", "hex8"},
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 1], pattern: tets}}", "", "tet4"},
        {"material: m, mesh: {rectangle: {size: [10, 1], cells: [10, 1], pattern: triangles}}", "", "tri3"},
        // two layers, short parts, a plate that lies on a support, quadratic elements
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 2]}}", "", NULL},
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 2], pattern: tets}}", "", NULL},
        {"material: m, mesh: {box: {size: [2, 2, 1], cells: [2, 2, 1]}}", "", NULL},
        {"material: m, mesh: {box: {size: [9, 9, 9], cells: [3, 3, 3], pattern: tets}}", "", NULL},
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 1]}}",
         "supports: [{on: b.bottom, displacement: [free, free, 0]}]", NULL},
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 1], pattern: tets}}",
         "supports: [{on: b.bottom, displacement: [free, free, 0]}]", NULL},
        {"material: m, mesh: {box: {size: [10, 10, 1], cells: [10, 10, 1]}}",
         "supports: [{on: b.left, displacement: [0, 0, 0]}]", "hex8"},
        {"material: m, element: quadratic, mesh: {rectangle: {size: [10, 1], cells: [10, 1]}}", "", NULL},
        {"material: m, mesh: {rectangle: {size: [10, 1], cells: [10, 1]}}", "", "'element: quadratic'"},
        // a thin flange on a block: only the flange
        {"material: m, mesh: {patches: [{cells: [3, 3], corners: [[0, 0], [3, 0], [3, 3], [0, 3]]}, "
         "{cells: [10, 1], corners: [[3, 0], [13, 0], [13, 1], [3, 1]]}]}",
         "", "10 of them within (3 to 13, 0 to 1)"},
    };
    assert_cases(*state, cases, sizeof cases / sizeof *cases, "they lock in bending");
}

static void incompressible_material_in_plain_elements_is_reported(void **state)
{
    static const Case cases[] = {
        {"material: rubber, mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}", "",
         "'element: mean-dilatation', or 'element: quadratic'"},
        {"material: rubber, mesh: {rectangle: {size: [1, 1], cells: [3, 3], pattern: triangles}}", "",
         "on quadrilaterals"},
        {"material: rubber, plane: axisymmetric, mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}", "",
         "lock"},
        {"material: rubber, plane: stress, mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}", "", NULL},
        {"material: rubber, element: mean-dilatation, mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}", "",
         NULL},
        {"material: rubber, element: quadratic, mesh: {rectangle: {size: [1, 1], cells: [3, 3]}}", "", NULL},
        {"material: rubber, mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}", "",
         "'element: mean-dilatation'"},
        {"material: rubber, mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2], pattern: tets}}", "",
         "on hexahedra"},
        {"material: rubber, element: mean-dilatation, mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}", "",
         NULL},
        {"material: m, mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}", "", NULL},
    };
    assert_cases(*state, cases, sizeof cases / sizeof *cases, "linear elements lock");
}

// Bodies of one repeat are one; rigid bodies bend as little as bars do.
static void repeated_bodies_are_reported_once(void **state)
{
    static const Case cases[] = {
        {"material: m, mesh: {rectangle: {size: [10, 1], cells: [10, 1]}}, position: [0, 3*i], repeat: {i: "
         "[0, 4]}",
         "", "body 'b[0]'"},
        {"material: m, mesh: {bar: {length: 10, elements: 10}}", "", NULL},
    };
    assert_cases(*state, cases, sizeof cases / sizeof *cases, "they lock in bending");
}

static StickStatus create(StickContext *ctx, void *data)
{
    Scene scene;
    STICK_TRY(scene_try(&scene, ctx, data));
    scene_close(&scene);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(
        create, (void *)"stickslip: 1\nmaterials: {m: {young: 1000, poisson: 0.3, density: 1}}\n"
                        "bodies: {b: {material: m, mesh: {rectangle: {size: [6, 1], cells: [6, 1], pattern: "
                        "triangles}}}}\n"
                        "steps: [{dynamics: {step: 0.1, end: 1}}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(one_layer_is_too_stiff_by_the_factor_that_is_reported),
        test_with_context(thin_parts_of_one_layer_are_reported),
        test_with_context(incompressible_material_in_plain_elements_is_reported),
        test_with_context(repeated_bodies_are_reported_once),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("bodies.locking", tests, NULL, NULL);
}

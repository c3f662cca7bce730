// SPDX-License-Identifier: Apache-2.0
// Pictures of mesh cycles and of mechanisms show what moves in the last step, with its units.
#include "study/cycle_plot.h"

#include "output/scratch.h"

#include <string.h>

static const char gears[] =
    "stickslip: 1\n"
    "title: A pair\n"
    "units: {length: in, force: lbf, time: s, mass: slinch}\n"
    "materials: {steel: {young: 30e6, poisson: 0.3, density: 7.3e-4}}\n"
    "gears:\n"
    "  pair: {teeth: [20, 20], diametral-pitch: 10, pressure-angle: deg(20), face-width: 1, material: "
    "steel,\n"
    "         bore: 0.5}\n"
    "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
    "contacts: [{between: pair, max-distance: 0.01}]\n"
    "steps: [{name: roll, trajectory: {cycle: tooth, positions: 3, torque: {pair.2: 1000}}}]\n";

// Writes cycle/<name>.csv and has its picture made; *svg: its text, "" if there is none. False without gnuplot.
static bool picture(Scratch *scratch, const char *name, const char *table, char *svg, size_t size)
{
    StickModelSource source = {
        .name = "model.yaml", .folder = ".", .bytes = gears, .count = sizeof gears - 1};
    StickModel *model;
    char path[256];
    bool made = true;
    assert_ok(scratch->ctx, stick_model_read_text(scratch->ctx, &source, &model));
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "cycle")));
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "plots")));
    snprintf(path, sizeof path, "cycle/%s.csv", name);
    assert_ok(scratch->ctx,
              stick_file_write(scratch->ctx, scratch_path(scratch, path), table, strlen(table)));
    assert_ok(scratch->ctx, stick_cycle_plot(scratch->ctx, model, scratch->folder, &made));
    stick_model_destroy(model);
    snprintf(path, sizeof path, "plots/%s-cycle.svg", name);
    FILE *file = fopen(scratch_path(scratch, path), "r");
    svg[file ? fread(svg, 1, size - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    return made;
}

static void a_mesh_cycle_is_drawn_over_the_roll_angle(void **state)
{
    static char svg[200000];
    if (!picture(*state, "pair",
                 "t [s],step,roll_angle [rad],transmission_error [in],transmission_angle [rad],"
                 "input_torque [lbf in],load [lbf],load.-1 [lbf],load.0 [lbf],load.1 [lbf]\n"
                 "0,1,0,1,1,1000,9,9,9,9\n1,1,1,1,1,1000,9,9,9,9\n"
                 "2,2,-0.1,1e-4,1e-4,1000,1064,0,500,564\n3,2,0,2e-4,2e-4,1050,1064,0,1064,0\n"
                 "4,2,0.1,1e-4,1e-4,1000,1064,0,564,500\n",
                 svg, sizeof svg))
        skip();
    assert_non_null(strstr(svg, "A pair: pair"));
    assert_non_null(strstr(svg, "transmission error [in]"));
    assert_non_null(strstr(svg, "input torque [lbf in]"));
    assert_non_null(strstr(svg, "roll_angle [rad]"));
    assert_non_null(strstr(svg, "load.0 [lbf]"));
    assert_non_null(strstr(svg, "load.1 [lbf]"));
    // a pair of teeth that does not touch in the last step
    assert_null(strstr(svg, "load.-1"));
}

static void a_mechanism_is_drawn_over_time(void **state)
{
    static char svg[200000];
    if (!picture(*state, "mechanism",
                 "t [s],cam.x [in],cam.moment [lbf in],arm.moment [lbf in],contact.1.load [lbf],"
                 "contact.1.pressure [lbf/in^2]\n0,0,1,2,3,0\n1,0,2,3,4,0\n",
                 svg, sizeof svg))
        skip();
    assert_non_null(strstr(svg, "load [lbf]"));
    assert_non_null(strstr(svg, "cam.moment [lbf in]"));
    assert_non_null(strstr(svg, "arm.moment [lbf in]"));
    assert_non_null(strstr(svg, "t [s]"));
    assert_null(strstr(svg, "pressure"));
    assert_null(strstr(svg, "cam.x"));
}

static void a_single_position_is_no_curve(void **state)
{
    static char svg[1000];
    assert_true(picture(*state, "mechanism", "t [s],a.load [lbf]\n0,1\n", svg, sizeof svg));
    assert_string_equal(svg, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(a_mesh_cycle_is_drawn_over_the_roll_angle),
        test_with_scratch(a_mechanism_is_drawn_over_time),
        test_with_scratch(a_single_position_is_no_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

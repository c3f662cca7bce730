// SPDX-License-Identifier: Apache-2.0
// Whether structures of rigid bodies stand, against closed forms.
#include "output/scratch.h"

#include "output/collapse.h"
#include "output/table.h"
#include <stickslip/study.h>

#include <math.h>

// The table of a run of the model; the exit status of the run is given back.
static StickStatus run(Scratch *scratch, const char *model, StickColumns *table)
{
    char path[512], folder[512];
    snprintf(path, sizeof path, "%s/model.yaml", scratch->folder);
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, model, strlen(model)));
    setenv("PATH", "/nowhere", 1); // no gnuplot
    StickStudyOptions options = {.model = path, .folder = folder, .force = true};
    StickStatus status = stick_study_run(scratch->ctx, &options);
    *table = (StickColumns){0};
    if (stick_file_exists(scratch_path(scratch, "out/history/collapse.csv")))
        assert_ok(scratch->ctx,
                  stick_table_read(scratch->ctx, scratch_path(scratch, "out/history/collapse.csv"), table));
    return status;
}

static double last(const StickColumns *table, const char *name)
{
    int k = stick_columns_find(table, name);
    assert_true(k >= 0 && table->nrows > 0);
    return table->column[k][table->nrows - 1];
}

static bool says(Scratch *scratch, const char *words)
{
    char *text;
    size_t count;
    assert_ok(scratch->ctx,
              stick_file_read(scratch->ctx, scratch_path(scratch, "out/summary.json"), &text, &count));
    bool found = strstr(text, words) != NULL;
    stick_free(scratch->ctx, text);
    return found;
}

#define STEP "contacts: [{between: all, friction: mu, dissipation: 1}]\n"

// The foundation carries the structure along: nothing falls, however far it goes, and rising or sinking with it is no drop.
static void a_structure_moves_with_its_foundation(void **state)
{
    static const char *const grounds[] = {
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"1 - cos(t)\", "
        "\"cos(t) - 1\"]}}\n",
        "obstacles: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, displacement: [\"1 - cos(t)\", "
        "0, \"cos(t) - 1\"]}}\n",
    };
    static const char *const bodies[] = {
        "bodies: {b: {rigid: {box: [0.4, 0.2]}, material: a, repeat: {i: [0, 3]}, position: [0, \"0.1 + "
        "0.2*i\"]}}\n"
        "gravity: [0, -9.81]\n",
        "bodies: {b: {rigid: {box: [0.4, 0.3, 0.2]}, material: a, repeat: {i: [0, 3]}, position: [0, 0, "
        "\"0.1 + "
        "0.2*i\"]}}\ngravity: [0, 0, -9.81]\n",
    };
    for (int k = 0; k < 2; k++) {
        char model[2000];
        StickColumns table;
        snprintf(model, sizeof model,
                 "stickslip: 1\nparameters: {mu: 1}\nmaterials: {a: {density: 1000}}\n%s%s" STEP
                 "steps: [{name: s, dynamics: {scheme: moreau, step: 5e-3, end: 3}}]\n",
                 bodies[k], grounds[k]);
        assert_ok(((Scratch *)*state)->ctx, run(*state, model, &table));
        assert_near(last(&table, "bodies"), 4, 0);
        assert_near(last(&table, "fallen"), 0, 0);
        assert_true(last(&table, "displacement") < 0.02); // the ground has moved by 2.8
        assert_true(last(&table, "tilt") < 1e-3);
        assert_true(says(*state, "No collapse by t = 3 s"));
        stick_columns_destroy(((Scratch *)*state)->ctx, &table);
    }
}

// A block slides down a slope of angle alpha without friction: its drop g sin(alpha)^2 t^2 / 2 passes half its thickness.
static void a_body_falls_when_it_drops_by_half_its_thickness(void **state)
{
    const double alpha = 0.5, g = 9.81, thickness = 0.2;
    const char *slopes[] = {
        "bodies: {b: {rigid: {box: [0.4, 0.2]}, material: a, position: [0, 0.1]}}\n"
        "obstacles: {slope: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "gravity: [\"9.81*sin(0.5)\", \"-9.81*cos(0.5)\"]\n",
        "bodies: {b: {rigid: {box: [0.4, 0.5, 0.2]}, material: a, position: [0, 0, 0.1]}}\n"
        "obstacles: {slope: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        "gravity: [0, \"9.81*sin(0.5)\", \"-9.81*cos(0.5)\"]\n",
        // the same, but given across its own axes
        "bodies: {b: {rigid: {polygon: [['0.3*0.5^0.5', '0.1*0.5^0.5'], ['0.1*0.5^0.5', '0.3*0.5^0.5'], "
        "['-0.3*0.5^0.5', '-0.1*0.5^0.5'], ['-0.1*0.5^0.5', '-0.3*0.5^0.5']]}, material: a, position: [0, "
        "0.1], "
        "rotation: '-atan(1)'}}\n"
        "obstacles: {slope: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "gravity: [\"9.81*sin(0.5)\", \"-9.81*cos(0.5)\"]\n",
        "bodies: {b: {rigid: {compound: [{box: [0.2, 0.5, 0.2], position: [-0.1, 0, 0]}, "
        "{box: [0.2, 0.5, 0.2], position: [0.1, 0, 0]}]}, material: a, position: [0, 0, 0.1]}}\n"
        "obstacles: {slope: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
        "gravity: [0, \"9.81*sin(0.5)\", \"-9.81*cos(0.5)\"]\n",
    };
    double expected = sqrt(thickness / (g * sin(alpha) * sin(alpha)));
    for (int k = 0; k < 4; k++) {
        char model[2000];
        StickColumns table;
        snprintf(model, sizeof model,
                 "stickslip: 1\nparameters: {mu: 0}\nmaterials: {a: {density: 1000}}\n%s" STEP
                 "steps: [{name: s, dynamics: {scheme: moreau, step: 1e-3, end: 0.5}}]\n",
                 slopes[k]);
        assert_ok(((Scratch *)*state)->ctx, run(*state, model, &table));
        const double *fallen = table.column[stick_columns_find(&table, "fallen")];
        size_t first = 0;
        while (first < table.nrows && fallen[first] == 0)
            first++;
        assert_near(table.column[0][first], expected, 2e-3);
        assert_true(says(*state, "Collapse: 1 of 1 bodies fell"));
        stick_columns_destroy(((Scratch *)*state)->ctx, &table);
    }
}

// A body on an edge tips over; a turn about the vertical is no tilt.
static void a_body_that_tips_has_fallen(void **state)
{
    Scratch *scratch = *state;
    StickColumns table;
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nparameters: {mu: 1}\nmaterials: {a: {density: 1000}}\n"
                  "bodies:\n  base: {rigid: {box: [1, 0.4]}, material: a, position: [0, 0.2]}\n"
                  "  cube: {rigid: {box: [0.2, 0.2]}, material: a, position: [0.52, 0.5]}\n"
                  "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\ngravity: [0, -9.81]\n" STEP
                  "steps: [{name: s, dynamics: {scheme: moreau, step: 2e-3, end: 1.5}}]\n",
                  &table));
    assert_near(last(&table, "bodies"), 2, 0);
    assert_near(last(&table, "fallen"), 1, 0);
    assert_true(says(scratch, "Collapse: 1 of 2 bodies fell"));
    stick_columns_destroy(scratch->ctx, &table);
    // the table under it turns by 1.5 rad about the vertical
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nparameters: {mu: 0}\nmaterials: {a: {density: 1000}}\n"
                  "bodies: {cube: {rigid: {box: [0.2, 0.2, 0.2]}, material: a, position: [0, 0, 0.1], "
                  "angular-velocity: [0, 0, 1.5]}}\n"
                  "obstacles: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                  "gravity: [0, 0, -9.81]\n" STEP
                  "steps: [{name: s, dynamics: {scheme: moreau, step: 5e-3, end: 1}}]\n",
                  &table));
    assert_near(last(&table, "bodies"), 1, 0);
    assert_near(last(&table, "fallen"), 0, 0);
    assert_true(last(&table, "tilt") < 1e-6);
    stick_columns_destroy(scratch->ctx, &table);
}

// A foundation may be a body with prescribed motion. What is dropped or thrown belongs to no structure.
static void foundations_and_bodies_in_flight(void **state)
{
    Scratch *scratch = *state;
    StickColumns table;
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nparameters: {mu: 1}\nmaterials: {a: {density: 1000}}\n"
                  "bodies:\n  shaker: {rigid: {box: [2, 0.2]}, material: a, position: [0, -0.1]}\n"
                  "  cube: {rigid: {box: [0.2, 0.2]}, material: a, position: [0, 0.1]}\n"
                  "  dropped: {rigid: {box: [0.2, 0.2]}, material: a, position: [0.6, 0.4]}\n"
                  "supports: [{on: shaker, displacement: [\"0.4*(1 - cos(2*t))\", 0], rotation: 0}]\n"
                  "gravity: [0, -9.81]\n" STEP
                  "steps: [{name: s, dynamics: {scheme: moreau, step: 2e-3, end: 1.5}}]\n",
                  &table));
    assert_near(last(&table, "bodies"), 1, 0);
    assert_near(last(&table, "fallen"), 0, 0);
    assert_true(last(&table, "displacement") < 0.01); // the shaker has moved by 0.8
    stick_columns_destroy(scratch->ctx, &table);
    // alone in flight: the contact is what counts
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nparameters: {mu: 0.5}\nmaterials: {a: {density: 1000}}\n"
                  "bodies: {cube: {rigid: {box: [0.2, 0.2]}, material: a, position: [0, 0.5]}}\n"
                  "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\ngravity: [0, -9.81]\n" STEP
                  "steps: [{name: s, dynamics: {scheme: moreau, step: 1e-3, end: 0.5}}]\n",
                  &table));
    assert_near(last(&table, "bodies"), 0, 0);
    // 40 kg stop from sqrt(2 g 0.4)
    assert_true(says(scratch, "Largest contact impulse 112"));
    stick_columns_destroy(scratch->ctx, &table);
}

// Balls roll, and mechanisms are meant to move.
static void other_models_have_no_table(void **state)
{
    Scratch *scratch = *state;
    StickColumns table;
    assert_ok(scratch->ctx, run(scratch,
                                "stickslip: 1\nparameters: {mu: 1}\nmaterials: {a: {density: 1000}}\n"
                                "bodies: {b: {rigid: {disk: 0.1}, material: a, position: [0, 0.1]}}\n"
                                "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                                "gravity: [0, -9.81]\n" STEP
                                "steps: [{name: s, dynamics: {scheme: moreau, step: 1e-2, end: 0.1}}]\n",
                                &table));
    assert_int_equal(table.ncolumns, 0);
    assert_ok(scratch->ctx,
              run(scratch,
                  "stickslip: 1\nparameters: {mu: 1}\nmaterials: {a: {density: 1000}}\n"
                  "bodies: {b: {rigid: {box: [0.2, 0.2]}, material: a, position: [0, 0.1]}}\n"
                  "joints: [{pin: {between: [b], at: [0, 0.2]}}]\n"
                  "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\ngravity: [0, -9.81]\n" STEP
                  "steps: [{name: s, dynamics: {scheme: moreau, step: 1e-2, end: 0.1}}]\n",
                  &table));
    assert_int_equal(table.ncolumns, 0);
}

// The table of a run that was stopped and resumed has the same bytes.
static void resumed_runs_have_the_same_table(void **state)
{
    Scratch *scratch = *state;
    static const char model[] =
        "stickslip: 1\nparameters: {mu: 0.3}\nmaterials: {a: {density: 1000}}\n"
        "bodies: {b: {rigid: {box: [0.4, 0.2]}, material: a, repeat: {i: [0, 2]}, position: [0, \"0.1 + "
        "0.2*i\"]}}\n"
        "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"0.3*(1 - cos(6*t))\", "
        "0]}}\n"
        "gravity: [0, -9.81]\n" STEP "steps: [{name: s, dynamics: {scheme: moreau, step: 5e-3, end: 1}}]\n";
    StickColumns table;
    char *whole, *resumed;
    size_t count, again;
    assert_ok(scratch->ctx, run(scratch, model, &table));
    stick_columns_destroy(scratch->ctx, &table);
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, scratch_path(scratch, "out/history/collapse.csv"),
                                            &whole, &count));
    // stopped after the first step
    char path[512], folder[512];
    volatile sig_atomic_t stop = 1;
    snprintf(path, sizeof path, "%s/model.yaml", scratch->folder);
    snprintf(folder, sizeof folder, "%s/cut", scratch->folder);
    StickStudyOptions options = {.model = path, .folder = folder, .force = true, .stop = &stop};
    assert_int_equal(stick_study_run(scratch->ctx, &options), STICK_INTERRUPTED);
    stop = 0;
    assert_ok(scratch->ctx, stick_study_resume(scratch->ctx, &options));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, scratch_path(scratch, "cut/history/collapse.csv"),
                                            &resumed, &again));
    assert_int_equal(count, again);
    assert_memory_equal(whole, resumed, count);
    stick_free(scratch->ctx, whole);
    stick_free(scratch->ctx, resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(a_structure_moves_with_its_foundation),
        test_with_scratch(a_body_falls_when_it_drops_by_half_its_thickness),
        test_with_scratch(a_body_that_tips_has_fallen),
        test_with_scratch(foundations_and_bodies_in_flight),
        test_with_scratch(other_models_have_no_table),
        test_with_scratch(resumed_runs_have_the_same_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

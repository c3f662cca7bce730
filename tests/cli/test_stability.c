// SPDX-License-Identifier: Apache-2.0
// Stability steps through the program: states that are out of the ordinary are explained by name, and nothing of a path
// is lost.
#include "cli/program.h"

#include "output/table.h"
#include "output/vtu_read.h"

#define BLOCK                                                                                      \
    "stickslip: 1\n"                                                                               \
    "materials: {soft: {young: 3, poisson: 0.3, density: 4}}\n"                                    \
    "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [4, 4]}}, plane: stress, material: " \
    "soft%s}}\n"

#define DRAG                                                    \
    "steps:\n"                                                  \
    "  - {name: drag, quasistatic: {end: 3, increments: %d}}\n" \
    "  - {name: judge, stability: {modes: 5}}\n"

__attribute__((format(printf, 2, 3))) static void write_format(Scratch *scratch, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_text(scratch->folder, "model.yaml", text);
}

// Runs the model anew, expects the code, and gives what the verdicts say.
static char *run_model(Scratch *scratch, int code)
{
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "out")));
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, code);
    forget(&outcome);
    return read_text(scratch->folder, "out/stability/judge/verdicts.txt");
}

// What a line of the verdicts begins with says what it is about.
static void assert_last_verdict(const char *verdicts, const char *words)
{
    const char *last = verdicts;
    assert_non_null(verdicts);
    for (const char *c = verdicts; *c && c[1]; c++)
        if (*c == '\n')
            last = c + 1;
    assert_says(last, words);
}

static void nothing_touches(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, BLOCK "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n" DRAG,
                 "", 3);
    char *verdicts = run_model(scratch, 0);
    assert_says(verdicts, "There are no contacts: these are the bodies' own vibrations");
    free(verdicts);
    write_format(scratch,
                 BLOCK "obstacles: {plate: {plane: {point: [0, -1], normal: [0, 1]}}}\n"
                       "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
                       "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n" DRAG,
                 "", 3);
    verdicts = run_model(scratch, 0);
    assert_says(verdicts, "Contacts: 0 stuck, 0 slipping, 5 open. All contacts are open");
    free(verdicts);
}

#define PLATE                                                                                               \
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-0.1*max(min(t, 2) - 1, " \
    "0)\", "                                                                                                \
    "0]}}\n"                                                                                                \
    "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"

static void integrated_surfaces_are_refused_at_once(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, BLOCK PLATE "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n" DRAG,
                 ", element: quadratic", 3);
    static const char *const lines[] = {"check model.yaml", "run model.yaml -o out"};
    for (int k = 0; k < 2; k++)
        expect(scratch->folder, lines[k], 4,
               "model.yaml:6:12: error: the surfaces of this contact are integrated: step 'judge' (line 9)");
    assert_false(exists(scratch->folder, "out"));
}

// The plate stops at t = 2: contacts stay on their cone. By increments they must not be taken for sliding ones.
static void rest_on_the_cone_is_named(void **state)
{
    Scratch *scratch = *state;
    static const char *const follow[] = {"12", "3, follow: events"};
    for (int k = 0; k < 2; k++) {
        write_format(scratch,
                     BLOCK PLATE "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n"
                                 "steps:\n"
                                 "  - {name: drag, quasistatic: {end: 3, increments: %s}}\n"
                                 "  - {name: judge, stability: {modes: 5}}\n",
                     "", follow[k]);
        char *verdicts = run_model(scratch, 0);
        assert_says(verdicts, "to 2: flutter. Contacts: 0 stuck, 4 slipping, 1 open.");
        assert_last_verdict(verdicts,
                            "t = 2 to 3: undecided. Contacts: 4 stuck, 0 slipping, 1 open. Condition (105) "
                            "does not hold: contacts on Coulomb's cone at rest: 4, first contact 2 (node 2 "
                            "of body 'block'), contact 3 (node 3 of body 'block')");
        free(verdicts);
    }
}

// Pushed along the plate without a load upon it: some lift off, and others have no gap and no force.
static void contacts_that_graze_are_named(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch,
                 BLOCK "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                       "supports: [{on: block.top, displacement: [0, 0]}]\n"
                       "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n" DRAG,
                 "", 1);
    char *verdicts = run_model(scratch, 0);
    assert_says(verdicts, "undecided. Contacts: 0 stuck, 0 slipping, 5 open. All contacts are open");
    assert_says(verdicts, "contacts that graze: 5, first contact 1 (node 1 of body 'block'), contact 2");
    free(verdicts);
}

// Two sides of an element that slip on two walls: M* = m [[1, mu/2], [mu/2, 1]].
static void a_singular_mass_is_named(void **state)
{
    Scratch *scratch = *state;
    static const struct {
        const char *mu, *said;
    } cases[] = {
        {"1.9", "No mode grows.\n"},
        {"2", "M* is singular: motions without mass: 1."},
        {"2.1", "M_S* is not semi-definite (smallest eigenvalue -0.02222): Proposition 4 says nothing"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_format(scratch,
                     "stickslip: 1\n"
                     "materials: {soft: {young: 3, poisson: 0, density: 4}}\n"
                     "bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, "
                     "material: soft}}\n"
                     "obstacles:\n"
                     "  ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-0.1*max(t - 1, "
                     "0)\", \"0.001*min(t, 1)\"]}\n"
                     "  wall: {plane: {point: [0, 0], normal: [1, 0]}, displacement: [\"0.001*min(t, 1)\", "
                     "\"-0.1*max(t - 1, 0)\"]}\n"
                     "supports: [{on: square.bottom-right, displacement: [0, 0]}, {on: square.top-right, "
                     "displacement: [0, 0]}]\n"
                     "contacts:\n"
                     "  - {between: [square.bottom-left, ground], friction: %s}\n"
                     "  - {between: [square.top-left, wall], friction: %s}\n" DRAG,
                     cases[k].mu, cases[k].mu, 12);
        char *verdicts = run_model(scratch, 0);
        assert_says(verdicts, "no growth. Contacts: 2 stuck, 0 slipping, 0 open. Nothing is free to move");
        assert_last_verdict(verdicts, cases[k].said);
        free(verdicts);
    }
}

// Friction on a cone of facets does not oppose the sliding.
static void facets_are_warned_of(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml",
               "stickslip: 1\n"
               "materials: {soft: {young: 3, poisson: 0.3, density: 4}}\n"
               "bodies: {cube: {mesh: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}, material: soft}}\n"
               "obstacles: {plate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, displacement: "
               "[-0.1*t, -0.03*t, 0]}}\n"
               "supports: [{on: cube.top, displacement: [0, 0, \"-0.01*min(t, 1)\"]}]\n"
               "contacts: [{between: [cube.bottom, plate], friction: 0.3}]\n"
               "steps:\n"
               "  - {name: drag, quasistatic: {end: 3, increments: 3}, solver: {name: lemke, facets: 8}}\n"
               "  - {name: judge, stability: {at: end}}\n");
    expect(scratch->folder, "run model.yaml -o out", 0,
           "warning: step 'judge', status 1: friction of contact");
}

// A node in a corner between a plate and a wall that stands so far from it.
#define CORNER                                                                                   \
    "obstacles:\n"                                                                               \
    "  plate: {plane: {point: [0, 0], normal: [0, 1]}}\n"                                        \
    "  wall: {plane: {point: [%g, 0], normal: [-1, 0]}}\n"                                       \
    "supports: [{on: block.top, displacement: [\"0.02*max(t - 1, 0)\", \"-0.01*min(t, 1)\"]}]\n" \
    "contacts:\n"                                                                                \
    "  - {between: [block.bottom, plate], friction: 0.2}\n"                                      \
    "  - {between: [block.bottom-right, wall], friction: 0}\n"

// Its statuses are not known, all others are.
static void one_bad_status_leaves_the_others(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, BLOCK CORNER DRAG, "", 1.005, 12);
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "out")));
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, 4);
    assert_says(outcome.err, "(node 5 of body 'block') has the same node as contact");
    assert_says(outcome.err, "step 'judge' could not judge status");
    forget(&outcome);
    char *verdicts = read_text(scratch->folder, "out/stability/judge/verdicts.txt");
    assert_says(verdicts, "status 1, t = 0 to");
    assert_says(verdicts, ": not judged. contact");
    free(verdicts);
    assert_true(count_lines(scratch->folder, "out/history/judge.csv") > 1);
    assert_int_equal(count_lines(scratch->folder, "out/history/energy.csv"), 1 + 1 + 12);
    assert_json(scratch, "out/summary.json");
}

// Where nothing can be judged it is not tried for ever, and what is said of the others is true.
static void many_bad_statuses_end_the_step(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch,
                 BLOCK CORNER "steps:\n"
                              "  - {name: drag, quasistatic: {end: 3, increments: 12}}\n"
                              "  - {name: judge, stability: {at: [1.1, 1.4, 1.6, 1.9, 2.1, 2.4, 2.6]}}\n",
                 "", 1.0);
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, 4);
    assert_says(outcome.err,
                "judge status 4 of 7, from t = 1.75 to 2; the next ones are tried, and the path is");
    assert_says(outcome.err,
                "judge status 5 of 7, from t = 2 to 2.25; after so many of them it ends here, and");
    assert_null(strstr(outcome.err, "judge status 6"));
    forget(&outcome);
}

// ---- families of steady sliding

static const char slider[] =
    "stickslip: 1\n"
    "parameters: {mu: 0.2}\n"
    "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [1, 0]}}\n"
    "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
    "contacts: [{between: [block.bottom, plate], friction: mu}]\n"
    "steps:\n"
    "  - {name: press, quasistatic: {end: 1, increments: 4}, friction: 0}\n"
    "  - {name: slide, steady-sliding: {vary: {mu: [0, 0.1, 0.2]}}}\n"
    "%s"
    "output: {fields: {every: 100}}\n";

// However seldom fields are written: each state of a family can be looked at, behind that at the start.
static void every_state_of_a_family_has_its_field(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, slider, "");
    expect(scratch->folder, "run model.yaml -o out", 0, "");
    assert_true(exists(scratch->folder, "out/fields/frame-000003.vtu"));
    assert_false(exists(scratch->folder, "out/fields/frame-000004.vtu"));
}

// Progress names the step of the model; a map of values has no time.
static void progress_names_the_step(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, slider, "  - {name: map, stability: {of: slide}}\n");
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, 0);
    assert_says(outcome.err, "press: step 4 of 4, t = 1\n");
    assert_says(outcome.err, "slide: step 3 of 3, t = 2\n");
    assert_says(outcome.err, "map: 3 of 3\n");
    forget(&outcome);
}

// ---- paths that end early

// A strut that leans on a rough plane is jammed; when its top is lifted the path ends by a jump (tests/drive).
static const char strut[] =
    "stickslip: 1\n"
    "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies: {strut: {mesh: {rectangle: {size: [0.1, 1], cells: [2, 20]}}, material: soft, rotation: pi/6}}\n"
    "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]},\n"
    "                     displacement: [\"-0.002*min(max(t - 1, 0), 1)\", 0]}}\n"
    "supports: [{on: strut.top, displacement: [0, \"-0.001*min(t, 1) + 0.01*max(t - 2, 0)\"]}]\n"
    "contacts: [{between: [strut.bottom-left, ground], friction: 4}]\n"
    "steps:\n"
    "  - {name: lift, quasistatic: {end: 3, increments: 6, follow: events}}\n"
    "  - {name: judge, stability: {of: lift, at: %s}}\n"
    "  - {name: on, quasistatic: {end: 4}}\n"
    "  - {name: later, stability: {of: on}}\n"
    "output: {fields: {every: 100}}\n";

static void a_path_that_jumps_is_judged_up_to_there(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, strut, "every-status");
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out");
    assert_code(outcome, 6);
    assert_says(outcome.err, "t = 2.19527596: the quasistatic path ends by a jump at node 1 of body 'strut'");
    assert_says(outcome.err, "step 'judge' judges the path of step 'lift' as far as it came");
    forget(&outcome);
    char *verdicts = read_text(scratch->folder, "out/stability/judge/verdicts.txt"),
         *table = read_text(scratch->folder, "out/history/judge.csv"),
         *summary = read_text(scratch->folder, "out/summary.json");
    assert_says(verdicts, "to 2.19527596: no growth. Contacts: 1 stuck");
    assert_int_equal(count_lines(scratch->folder, "out/history/judge.csv"), 2);
    assert_says(summary, "\"state\": \"failed\"");
    assert_near(json_number(summary, "judge.statuses"), 1, 0);
    assert_false(exists(scratch->folder, "out/history/later.csv"));
    // the state at the jump can be looked at
    assert_true(exists(scratch->folder, "out/fields/frame-000001.vtu"));
    // going on ends there again, with the same
    expect(scratch->folder, "resume out", 6, "ends by a jump");
    char *again = read_text(scratch->folder, "out/history/judge.csv");
    assert_string_equal(again, table);
    assert_false(exists(scratch->folder, "out/fields/frame-000002.vtu"));
    free(again);
    free(summary);
    free(table);
    free(verdicts);
}

// By increments: one that cannot be solved, however small, here because its solver is not let.
static void write_hindered(Scratch *scratch, int iterations, const char *output)
{
    write_format(scratch,
                 BLOCK
                 "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: "
                 "[\"-0.1*max(t - 1, 0)\", 0]}}\n"
                 "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
                 "contacts: [{between: [block.bottom, plate], friction: \"1.2*min(max(t - 1, 0), 1)\"}]\n"
                 "steps:\n"
                 "  - {name: drag, quasistatic: {end: 3, increments: 12}, solver: {name: gauss-seidel, "
                 "iterations: %d}}\n"
                 "  - {name: judge, stability: {}}\n%s",
                 "", iterations, output);
}

// The frame of the last state, whatever was tried behind it: what the last rows of the histories say of the nodes.
static void assert_frame_is_last_row(Scratch *scratch, const char *frame, const char *field, int component)
{
    char history[64];
    StickColumns columns;
    StickVtuFile *file;
    double *values, sum = 0;
    snprintf(history, sizeof history, "out/history/%s.csv", field);
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, scratch_path(scratch, history), &columns));
    assert_ok(scratch->ctx, stick_vtu_open(scratch->ctx, scratch_path(scratch, frame), &file));
    assert_ok(scratch->ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, field, &values));
    int components = stick_vtu_components(file, STICK_VTU_POINT_DATA, field);
    size_t last = columns.nrows - 1;
    assert_near(stick_vtu_time(file), columns.column[0][last], 0);
    for (int k = 1; k < columns.ncolumns; k++) {
        int node = atoi(strrchr(columns.name[k], '.') + 1) - 1; // "status.12"
        assert_near(values[node * components + component], columns.column[k][last], 0);
        sum += fabs(columns.column[k][last]);
    }
    assert_true(sum > 0);
    stick_free(scratch->ctx, values);
    stick_vtu_close(file);
    stick_columns_destroy(scratch->ctx, &columns);
}

#define EACH(group)                                                                                         \
    "output: {fields: {every: 100000}, history: [{name: status, of: " group ", what: status, each: true}, " \
    "{name: contact_force, of: " group ", what: contact_force.x, each: true}]}\n"

static void fail_and_resume(Scratch *scratch, const char *words)
{
    const char *frame = "out/fields/frame-000001.vtu";
    char *first = NULL;
    for (int k = 0; k < 3; k++) {
        expect(scratch->folder, k == 0 ? "run model.yaml -o out" : "resume out", 6, words);
        assert_frame_is_last_row(scratch, frame, "status", 0);
        assert_frame_is_last_row(scratch, frame, "contact_force", 0);
        char *now = read_text(scratch->folder, frame);
        if (first)
            assert_string_equal(now, first);
        free(first);
        first = now;
    }
    free(first);
}

static void the_last_frame_is_the_last_good_state(void **state)
{
    Scratch *scratch = *state;
    // friction that changes with time: that of the state, not of the next increment
    write_hindered(scratch, 24, EACH("block.bottom"));
    fail_and_resume(scratch, "the path may end here by a jump");
    assert_ok(scratch->ctx, stick_folder_remove(scratch->ctx, scratch_path(scratch, "out")));
    char *outputs = strstr(strut, "output:");
    write_format(scratch, "%.*s" EACH("strut.bottom"), (int)(outputs - strut), strut);
    char *text = read_text(scratch->folder, "model.yaml");
    write_format(scratch, text, "end");
    free(text);
    fail_and_resume(scratch, "ends by a jump");
}

static void times_behind_a_jump_are_named(void **state)
{
    Scratch *scratch = *state;
    write_format(scratch, strut, "[1, 2.5]");
    expect(scratch->folder, "run model.yaml -o out", 6,
           "step 'judge' does not judge t = 2.5, where the path of step 'lift' never came");
    assert_int_equal(count_lines(scratch->folder, "out/history/judge.csv"), 2);
}

static void increments_that_fail_leave_a_judged_path(void **state)
{
    Scratch *scratch = *state;
    write_hindered(scratch, 24, "");
    expect(scratch->folder, "run model.yaml -o out", 6, "the path may end here by a jump");
    assert_true(count_lines(scratch->folder, "out/history/judge.csv") > 3);
    char *verdicts = read_text(scratch->folder, "out/stability/judge/verdicts.txt");
    assert_says(verdicts, "status 1, t = 0 to 1: no growth");
    assert_says(verdicts, "status 2, t = 1 to 1.25: flutter");
    free(verdicts);
    // a path that does not even begin
    write_hindered(scratch, 5, "");
    expect(scratch->folder, "run model.yaml -o none", 6,
           "step 'judge' has no state to judge: the path of step 'drag' ends at t = 0");
    assert_int_equal(count_lines(scratch->folder, "none/history/judge.csv"), 1);
}

// ---- shapes

// Those of K_S* stand where its eigenvalue is negative, and are as many as are asked for.
static void negative_stiffness_has_a_shape(void **state)
{
    Scratch *scratch = *state;
    for (int shapes = 0; shapes < 2; shapes++) {
        write_format(scratch,
                     BLOCK "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: "
                           "[\"-0.1*max(t - 1, 0)\", 0]}}\n"
                           "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
                           "contacts: [{between: [block.bottom, plate], friction: 1.2}]\n"
                           "steps:\n"
                           "  - {name: drag, quasistatic: {end: 3, increments: 12}}\n"
                           "  - {name: judge, stability: {shapes: %d}}\n",
                     "", shapes);
        char *verdicts = run_model(scratch, 0);
        assert_says(verdicts, "K_S* has the eigenvalue -0.02078");
        assert_int_equal(exists(scratch->folder, "out/stability/judge/status-003-stiffness.vtu"), shapes);
        assert_false(exists(scratch->folder, "out/stability/judge/status-002-stiffness.vtu"));
        free(verdicts);
    }
}

// ---- in space

static void read_columns(Scratch *scratch, const char *name, StickColumns *columns)
{
    assert_ok(scratch->ctx, stick_table_read(scratch->ctx, scratch_path(scratch, name), columns));
    assert_true(columns->nrows > 0);
}

static double value_at(const StickColumns *columns, const char *name, size_t row);

// Every mode that grows has a shape, one of a complex pair for both; others have none. Along a path by statuses, in a
// sweep by values.
static int count_shapes(Scratch *scratch, const char *step, const char *table, const char *states,
                        const char *key, const char *first)
{
    StickColumns modes, rows;
    char name[256];
    int count = 0;
    snprintf(name, sizeof name, "out/stability/%s/%s.csv", step, table);
    read_columns(scratch, name, &modes);
    snprintf(name, sizeof name, "out/history/%s.csv", states);
    read_columns(scratch, name, &rows);
    for (size_t k = 0; k < rows.nrows; k++)
        for (size_t j = 0; j < modes.nrows; j++) {
            double place = strcmp(key, "status") == 0 ? (double)k + 1 : value_at(&rows, first, k);
            if (value_at(&modes, key, j) != place)
                continue;
            bool grows = value_at(&modes, "kind", j) >= 2, second = false;
            for (size_t i = 0; i < j; i++)
                second |= value_at(&modes, key, i) == place && value_at(&modes, "Lambda.imaginary", j) != 0 &&
                          value_at(&modes, "Lambda.real", i) == value_at(&modes, "Lambda.real", j) &&
                          value_at(&modes, "Lambda.imaginary", i) == -value_at(&modes, "Lambda.imaginary", j);
            // the 12 strongest, and the first that flutters
            double stronger = 0, flutters = 0;
            for (size_t i = 0; i < modes.nrows; i++) {
                if (value_at(&modes, key, i) != place || i == j)
                    continue;
                bool counts = value_at(&modes, "kind", i) >= 2;
                double more = value_at(&modes, "growth", i) - value_at(&modes, "growth", j);
                double part = value_at(&modes, "Lambda.imaginary", i) != 0 ? 0.5 : 1; // of a pair
                stronger += counts && more > 0 ? part : 0;
                flutters += counts && i < j && value_at(&modes, "kind", i) == 2;
            }
            grows = grows && (stronger < 12 || (flutters == 0 && value_at(&modes, "kind", j) == 2));
            snprintf(name, sizeof name, "out/stability/%s/status-%03zu-mode-%.0f/phase-12.vtu", step, k + 1,
                     value_at(&modes, "mode", j));
            assert_int_equal(exists(scratch->folder, name), grows && !second);
            count += grows && !second;
        }
    stick_columns_destroy(scratch->ctx, &modes);
    stick_columns_destroy(scratch->ctx, &rows);
    return count;
}

static void all_unstable_modes_have_shapes(void **state)
{
    Scratch *scratch = *state;
    Outcome outcome =
        run_line(scratch->folder, "run " STICKSLIP_EXAMPLES "/mode-coupling.yaml -D mu=0.9 -o out");
    assert_code(outcome, 0);
    assert_says(outcome.out,
                "Unstable: growth rate 0.2292 1/s at 0.25345 Hz (damping ratio -0.288), mu = 1.2");
    forget(&outcome);
    assert_int_equal(count_shapes(scratch, "sliding", "spectrum", "sliding", "status", "t"), 1);
    assert_int_equal(count_shapes(scratch, "coupling", "sweep", "coupling", "value", "value"),
                     6); // 0.7 ... 1.2
    // several in a state, none beyond the number that is given
    for (int shapes = 0; shapes < 2; shapes++) {
        write_format(scratch,
                     BLOCK "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: "
                           "[\"-0.1*max(t - 1, 0)\", 0]}}\n"
                           "supports: [{on: block.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
                           "contacts: [{between: [block.bottom, plate], friction: 1.2}]\n"
                           "steps:\n"
                           "  - {name: drag, quasistatic: {end: 3, increments: 12}}\n"
                           "  - {name: judge, stability: {at: end, shapes: %d}}\n",
                     "", shapes);
        free(run_model(scratch, 0));
        if (shapes)
            assert_true(count_shapes(scratch, "judge", "spectrum", "judge", "status", "t") > 1);
        else
            assert_false(exists(scratch->folder, "out/stability/judge/status-001-mode-1.pvd"));
    }
}

static double value_at(const StickColumns *columns, const char *name, size_t row)
{
    int k = stick_columns_find(columns, name);
    assert_true(k >= 0 && row < columns->nrows);
    return columns->column[k][row];
}

#define SLICE                                                                                                \
    "stickslip: 1\n"                                                                                         \
    "materials: {soft: {young: 5, poisson: 0.4, density: 1.2}}\n"                                            \
    "bodies: {block: {mesh: {%s}, material: soft%s}}\n"                                                      \
    "obstacles: {plate: {plane: {point: [%s], normal: [%s]}, displacement: [\"-0.2*max(t - 1, 0)\", %s]}}\n" \
    "supports:\n"                                                                                            \
    "  - {on: block.%s, displacement: [0, \"-0.02*min(t, 1)\"%s]}\n"                                         \
    "%s"                                                                                                     \
    "contacts: [{between: [block.%s, plate], friction: 1.1}]\n"                                              \
    "steps:\n"                                                                                               \
    "  - {name: drag, quasistatic: {end: 3, increments: 16}, solver: {tolerance: 1e-11}}\n"                  \
    "  - {name: judge, stability: {at: end}}\n"                                                              \
    "output: {history: [{name: force, of: block.%s, what: contact_force.x}]}\n"

// Every mode of the plane problem is one of the slice, which has others, too: those in which its two faces differ.
static void assert_contains(const StickColumns *plane, const StickColumns *space)
{
    for (size_t k = 0; k < plane->nrows; k++) {
        double nearest = INFINITY, real = value_at(plane, "Lambda.real", k),
               imaginary = value_at(plane, "Lambda.imaginary", k);
        for (size_t j = 0; j < space->nrows; j++)
            nearest = fmin(nearest, hypot(value_at(space, "Lambda.real", j) - real,
                                          value_at(space, "Lambda.imaginary", j) - imaginary));
        assert_below(nearest, 1e-8 * hypot(real, imaginary));
    }
}

static void run_into(Scratch *scratch, const char *line)
{
    Outcome outcome = run_line(scratch->folder, line);
    assert_code(outcome, 0);
    forget(&outcome);
}

// One layer of hexahedra between two smooth walls is a plane strain problem.
static void a_slice_in_space_is_plane_strain(void **state)
{
    Scratch *scratch = *state;
    StickColumns plane[3], space[3];
    static const char *const names[] = {"history/judge.csv", "stability/judge/spectrum.csv",
                                        "history/force.csv"};
    write_format(scratch, SLICE, "rectangle: {size: [2, 1], cells: [4, 2]}",
                 ", plane: strain, thickness: 0.5", "0, 0", "0, 1", "0", "top", "", "", "bottom", "bottom");
    run_into(scratch, "run model.yaml -o plane");
    write_format(scratch, SLICE, "box: {size: [2, 1, 0.5], cells: [4, 2, 1]}", "", "0, 0, 0", "0, 1, 0",
                 "0, 0", "y-max", ", 0", "  - {on: block.all, displacement: [free, free, 0]}\n", "y-min",
                 "y-min");
    run_into(scratch, "run model.yaml -o space");
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "plane/%s", names[k]);
        read_columns(scratch, name, &plane[k]);
        snprintf(name, sizeof name, "space/%s", names[k]);
        read_columns(scratch, name, &space[k]);
    }
    // each contact is there twice
    assert_true(value_at(&space[0], "slipping", 0) == 2 * value_at(&plane[0], "slipping", 0));
    assert_true(value_at(&space[0], "apart", 0) == 2 * value_at(&plane[0], "apart", 0));
    assert_true(value_at(&plane[0], "fluttering", 0) > 0 && value_at(&plane[0], "slipping", 0) > 1);
    // a vector of both faces has length sqrt 2
    assert_near(value_at(&space[0], "stiffness", 0) * 2 / value_at(&plane[0], "stiffness", 0), 1, 1e-8);
    assert_contains(&plane[1], &space[1]);
    size_t last = plane[2].nrows - 1;
    assert_near(value_at(&space[2], "force", last) / value_at(&plane[2], "force", last), 1, 1e-8);
    for (int k = 0; k < 3; k++) {
        stick_columns_destroy(scratch->ctx, &plane[k]);
        stick_columns_destroy(scratch->ctx, &space[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(nothing_touches),
        test_with_scratch(integrated_surfaces_are_refused_at_once),
        test_with_scratch(rest_on_the_cone_is_named),
        test_with_scratch(contacts_that_graze_are_named),
        test_with_scratch(a_singular_mass_is_named),
        test_with_scratch(facets_are_warned_of),
        test_with_scratch(one_bad_status_leaves_the_others),
        test_with_scratch(many_bad_statuses_end_the_step),
        test_with_scratch(every_state_of_a_family_has_its_field),
        test_with_scratch(progress_names_the_step),
        test_with_scratch(a_path_that_jumps_is_judged_up_to_there),
        test_with_scratch(times_behind_a_jump_are_named),
        test_with_scratch(the_last_frame_is_the_last_good_state),
        test_with_scratch(increments_that_fail_leave_a_judged_path),
        test_with_scratch(negative_stiffness_has_a_shape),
        test_with_scratch(all_unstable_modes_have_shapes),
        test_with_scratch(a_slice_in_space_is_plane_strain),
    };
    return cmocka_run_group_tests_name("stability", tests, NULL, NULL);
}

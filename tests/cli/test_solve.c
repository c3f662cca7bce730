// SPDX-License-Identifier: Apache-2.0
// stickslip solve, and the problems that a run writes for it.
#include "cli/models.h"
#include "problems/problem_file.h"

// One contact in the plane that slips, one in space that sticks, a complementarity problem, one without solution.
static const char slipping[] = "2 1 0 2 2 2 2 2 0 0 3 -1 0.5 0.1\n";
static const char sticking[] = "3 1 0 3 3 3 3 2 0 0 0 2 0 0 0 2 -1 0.1 0.1 0.5\n";
static const char lcp[] = "2\n0\n2 2\n2 2\n2 1 0 3\n-1 -2\n";
static const char mates[] = "mates 2 1 A 9 2 2 1 B 1 0.1 C 1 1 eps 0 7 lambda 2\n";
static const char unstable[] = "mates 1 2 A 0.1 B 1 0.5 C 1 0.5 eps 0 lambda 1 1 motions lift turn\n";
static const char unsolvable[] = "1\n0\n1 1\n1 1\n-1\n-1\n";

static void write_files(Scratch *scratch)
{
    write_text(scratch->folder, "slipping.dat", slipping);
    write_text(scratch->folder, "sticking.dat", sticking);
    write_text(scratch->folder, "lcp.dat", lcp);
    write_text(scratch->folder, "mates.dat", mates);
    write_text(scratch->folder, "unstable.dat", unstable);
    write_text(scratch->folder, "unsolvable.dat", unsolvable);
    write_text(scratch->folder, "broken.dat", "3 1 0 3\n");
}

static void a_line_for_each_file(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    Outcome outcome = run_line(scratch->folder, "solve slipping.dat sticking.dat lcp.dat");
    assert_code(outcome, 0);
    assert_says(outcome.out, "certified");
    assert_says(outcome.out, "1 in 2D");
    assert_says(outcome.out, "1 in 3D");
    assert_says(outcome.out, "order 2");
    assert_null(strstr(outcome.out, " NO "));
    forget(&outcome);
}

// Bad input is 4, not certified is 6; several reasons: the smallest. The other files are solved all the same.
static void exit_codes(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    Outcome outcome = run_line(scratch->folder, "solve unsolvable.dat slipping.dat");
    assert_code(outcome, 6);
    assert_says(outcome.out, " NO ");
    assert_says(outcome.out, "1 in 2D");
    forget(&outcome);
    outcome = run_line(scratch->folder, "solve unsolvable.dat broken.dat slipping.dat");
    assert_code(outcome, 4);
    assert_says(outcome.err, "broken.dat");
    assert_says(outcome.out, "1 in 2D");
    forget(&outcome);
    expect(scratch->folder, "solve missing.dat", 7, "missing.dat");
    expect(scratch->folder, "solve", 2, "takes files");
    expect(scratch->folder, "solve slipping.dat --as frictoin", 2, "--as takes");
    expect(scratch->folder, "solve slipping.dat --tol 0", 2, "takes a number above 0");
    expect(scratch->folder, "solve slipping.dat --solver lemk", 2, "did you mean 'lemke'");
    expect(scratch->folder, "solve slipping.dat --set facets", 2, "--set takes name=value");
    expect(scratch->folder, "solve slipping.dat --set facet=8", 2, "did you mean 'facets'");
    expect(scratch->folder, "solve slipping.dat --guess 1", 2, "has 0 guesses");
    expect(scratch->folder, "solve slipping.dat lcp.dat -o a.hdf5", 2, "of one file");
    expect(scratch->folder, "solve slipping.dat --as lcp", 4, "slipping.dat");
}

static void machines_get_json(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    Outcome outcome = run_line(scratch->folder, "solve slipping.dat broken.dat lcp.dat --json --tol=1e-9");
    assert_code(outcome, 4);
    write_text(scratch->folder, "out.json", outcome.out);
    assert_json(scratch, "out.json");
    assert_near(json_number(outcome.out, "contacts"), 1, 0);
    assert_near(json_number(outcome.out, "tolerance"), 1e-9, 0);
    assert_below(json_number(outcome.out, "error"), 1e-9);
    assert_below(json_number(outcome.out, "error_scale_free"), 1e-9);
    assert_says(outcome.out, "\"certified\": true");
    assert_says(outcome.out, "the file contains no known type of problem: as lcp,");
    assert_int_equal(strlen(outcome.err), 0);
    forget(&outcome);
}

static void all_solvers_are_compared(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    Outcome outcome = run_line(scratch->folder, "solve slipping.dat lcp.dat mates.dat --solver all"),
            names = run_line(scratch->folder, "solvers");
    assert_code(outcome, 0);
    for (char *word = strtok(names.out, "\n"); word; word = strtok(NULL, "\n")) {
        char name[64];
        // a file does not hold the masses that this one needs
        if (word[0] == ' ' && sscanf(word, "  %63s", name) == 1 && strcmp(name, "body-newton") != 0)
            assert_says(outcome.out, name);
    }
    forget(&outcome);
    forget(&names);
}

// Pairs of bodies: the way a method went is told, and the motion that nothing stops.
static void pairs_of_bodies_are_solved(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    Outcome outcome = run_line(scratch->folder, "solve mates.dat --json");
    assert_code(outcome, 0);
    assert_says(outcome.out, "came again after 2 pivots; finished by Lemke's method");
    assert_near(json_number(outcome.out, "pairs"), 2, 0);
    assert_says(outcome.out, "\"certified\": true");
    assert_says(outcome.out, "-27");
    forget(&outcome);
    outcome = run_line(scratch->folder, "solve mates.dat --solver conry-seireg");
    assert_code(outcome, 6);
    assert_says(outcome.out, "deadlock: a sum of artificial variables of 1 is left");
    forget(&outcome);
    outcome = run_line(scratch->folder, "solve mates.dat --solver conry-seireg --set order=last");
    assert_code(outcome, 0);
    forget(&outcome);
    outcome = run_line(scratch->folder, "solve unstable.dat");
    assert_code(outcome, 6);
    assert_says(outcome.out, "or add pairs that stop it: +0.447 lift -0.894 turn");
    forget(&outcome);
    expect(scratch->folder, "solve mates.dat -o a.hdf5", 2, "hold no pairs of bodies");
    expect(scratch->folder, "solve mates.dat --solver keller", 4, "for pairs of bodies");
    expect(scratch->folder, "solve slipping.dat --as mates", 4, "where 'mates' was expected");
    expect(scratch->folder, "bench . --as mates", 2, "takes no pairs of bodies");
}

// Wrong values of options are told once, before any file is read.
static void options_are_checked_first(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    static const char *const lines[] = {
        "solve missing.dat broken.dat --tol 2", "solve missing.dat broken.dat --set foo=1",
        "solve missing.dat --solver all --set facets=6", "solve missing.dat --as lcp --set facets=8"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        Outcome outcome = run_line(scratch->folder, lines[k]);
        assert_code(outcome, 2);
        assert_int_equal(strlen(outcome.out), 0);
        assert_ptr_equal(strchr(outcome.err, '\n'), strrchr(outcome.err, '\n'));
        forget(&outcome);
    }
    // facets are an option of friction: files of friction may follow
    expect(scratch->folder, "solve slipping.dat --set facets=8", 0, "");
}

// A cone with facets is not the problem of the file: that is said, and an exact answer is better.
static void faceted_answers_are_told(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *file;
    write_text(scratch->folder, "slide.dat", "3 1 0 3 3 3 3 2 0 0 0 2 0 0 0 2 -1 0.3 0.4 0.5\n");
    Outcome outcome =
        run_line(scratch->folder, "solve slide.dat --solver lemke --set facets=8 -o faceted.hdf5");
    assert_code(outcome, 0);
    assert_says(outcome.out, "8 facets; error of the exact cone: ");
    assert_says(outcome.err, "'faceted.hdf5' holds the answer of 'lemke' for a cone with 8 facets");
    forget(&outcome);
    outcome = run_line(scratch->folder, "solve slide.dat --solver all -o exact.hdf5");
    assert_code(outcome, 0);
    assert_null(strstr(outcome.err, "exact.hdf5"));
    forget(&outcome);
    // r_T = -mu r_N u_T / |u_T|
    assert_ok(scratch->ctx, stick_problem_read(scratch->ctx, scratch_path(scratch, "exact.hdf5"),
                                               STICK_PROBLEM_AUTO, &file));
    assert_near(file->solution.r[0], 0.5, 1e-7);
    assert_near(file->solution.r[1], -0.15, 1e-7);
    assert_near(file->solution.r[2], -0.2, 1e-7);
    stick_problem_destroy(file);
}

static void refusals_are_listed(void **state)
{
    Scratch *scratch = *state;
    write_files(scratch);
    Outcome outcome = run_line(scratch->folder, "solve unsolvable.dat --solver all --json");
    assert_code(outcome, 6);
    write_text(scratch->folder, "out.json", outcome.out);
    assert_json(scratch, "out.json");
    const char *refused = strstr(outcome.out, "\"refused\"");
    assert_non_null(refused);
    assert_says(outcome.out, "\"solver\": \"projected\"");
    assert_true(json_number(refused, "status") == 4);
    forget(&outcome);
}

// The answer can be read back, serves as a problem again, and nothing is overwritten.
static void answers_are_kept(void **state)
{
    Scratch *scratch = *state;
    StickProblemFile *file;
    write_files(scratch);
    expect(scratch->folder, "solve slipping.dat -o out.hdf5", 0, "");
    assert_ok(scratch->ctx,
              stick_problem_read(scratch->ctx, scratch_path(scratch, "out.hdf5"), STICK_PROBLEM_AUTO, &file));
    assert_near(file->solution.r[0], 0.5, 1e-8);
    assert_near(file->solution.r[1], -0.05, 1e-8);
    assert_near(file->solution.u[1], 0.35, 1e-8);
    stick_problem_destroy(file);
    expect(scratch->folder, "solve slipping.dat -o out.hdf5", 2, "--force");
    expect(scratch->folder, "solve out.hdf5 -o out.hdf5 --force", 0, "");
    expect(scratch->folder, "solve lcp.dat -o lcp.hdf5", 0, "");
    assert_ok(scratch->ctx,
              stick_problem_read(scratch->ctx, scratch_path(scratch, "lcp.hdf5"), STICK_PROBLEM_AUTO, &file));
    assert_near(file->solution.r[0], 0.5, 1e-9);
    assert_near(file->solution.u[1], 0, 1e-9);
    stick_problem_destroy(file);
}

// ---- problems of a run

static StickProblemFile *read_dump(Scratch *scratch, const char *name)
{
    StickProblemFile *file;
    assert_ok(scratch->ctx,
              stick_problem_read(scratch->ctx, scratch_path(scratch, name), STICK_PROBLEM_AUTO, &file));
    return file;
}

// What a run solved is solved again from its file, to the same velocities.
static void steps_are_replayed(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "m.yaml", blocks_model);
    expect(scratch->folder, "run m.yaml -o out --quiet --dump-problems=10-12,20", 0, "");
    assert_false(exists(scratch->folder, "out/problems/step-000009.hdf5"));
    assert_true(exists(scratch->folder, "out/problems/step-000010.hdf5"));
    assert_true(exists(scratch->folder, "out/problems/step-000020.hdf5"));
    expect(scratch->folder, "solve out/problems/step-000011.hdf5 -o again.hdf5", 0, "");
    expect(scratch->folder, "solve out/problems/step-000011.hdf5 -o cold.hdf5 --cold --solver gauss-seidel",
           0, "");
    StickProblemFile *dumped = read_dump(scratch, "out/problems/step-000011.hdf5"),
                     *again = read_dump(scratch, "again.hdf5"), *cold = read_dump(scratch, "cold.hdf5");
    int n = stick_problem_entries(dumped);
    assert_true(n > 0);
    assert_int_equal(dumped->nguesses, 1);
    assert_non_null(strstr(dumped->title, "step 11"));
    for (int i = 0; i < n; i++) {
        assert_near(again->solution.u[i], dumped->solution.u[i], 1e-7);
        assert_near(cold->solution.u[i], dumped->solution.u[i], 1e-6);
    }
    // the guess of a step is the solution of the step before
    StickProblemFile *before = read_dump(scratch, "out/problems/step-000010.hdf5");
    if (stick_problem_entries(before) == n)
        assert_memory_equal(dumped->guess[0].r, before->solution.r, (size_t)n * sizeof(double));
    stick_problem_destroy(before);
    stick_problem_destroy(dumped);
    stick_problem_destroy(again);
    stick_problem_destroy(cold);
    // a folder with problems is still a result folder
    expect(scratch->folder, "run m.yaml -o out --quiet --force --dump-problems", 0, "");
    assert_true(exists(scratch->folder, "out/problems/step-000005.hdf5"));
    expect(scratch->folder, "run m.yaml -o other --quiet --dump-problems=x", 2, "no list of steps");
}

// A step that cannot be solved leaves its problem, and the run says how to go on with it.
static void failed_step_is_kept(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "m.yaml", "end: steps*h}}",
                "end: steps*h}, solver: {name: gauss-seidel, iterations: 1}}");
    Outcome outcome = run_line(scratch->folder, "run m.yaml -o out --quiet");
    assert_code(outcome, 6);
    const char *command = strstr(outcome.err, "'stickslip solve out/problems/step-");
    assert_non_null(command);
    char line[256];
    sscanf(command, "'stickslip %200[^']", line);
    forget(&outcome);
    Outcome replayed = run_line(scratch->folder, line);
    assert_code(replayed, 0);
    assert_says(replayed.out, "yes");
    forget(&replayed);
}

// The command that repeats a solve of a run that failed must fail, too.
static void a_failure_of_the_solver_is_replayed(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "m.yaml", "end: steps*h}}",
                "end: steps*h}, solver: {name: gauss-seidel, iterations: 1}}");
    Outcome outcome = run_line(scratch->folder, "run m.yaml -o out --quiet");
    assert_code(outcome, 6);
    const char *command = strstr(outcome.err, "'--solver gauss-seidel"),
               *path = strstr(outcome.err, "out/problems/step-");
    assert_true(command && path);
    char file[256], options[256], line[600];
    assert_int_equal(sscanf(path, "%200s", file), 1);
    assert_int_equal(sscanf(command, "'%200[^']", options), 1);
    forget(&outcome);
    snprintf(line, sizeof line, "solve %s %s", file, options);
    expect(scratch->folder, line, 6, "");
}

// What is no failure of a contact solve leaves no problem that would be solved, but a state from which it is repeated.
static void a_failure_of_another_kind_is_resumed(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "m.yaml",
               "stickslip: 1\n"
               "materials: {p: {law: neo-hookean, shear: 3e6, bulk: 6e6, density: 1000}}\n"
               "bodies: {b: {mesh: {rectangle: {size: [0.02, 0.01], cells: [4, 2]}}, plane: strain, "
               "thickness: 0.01, material: p}}\n"
               "obstacles: {g: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: b.top, displacement: [0, \"-0.012*t\"]}]\n" // more than its height
               "contacts: [{between: [b.bottom, g], friction: 0.2}]\n"
               "steps: [{quasistatic: {end: 1, increments: 5}}]\n");
    Outcome outcome = run_line(scratch->folder, "run m.yaml -o out --quiet");
    assert_code(outcome, 6);
    assert_null(strstr(outcome.err, "stickslip solve"));
    assert_false(exists(scratch->folder, "out/problems"));
    const char *command = strstr(outcome.err, "'stickslip resume out'"),
               *error = strstr(outcome.err, "error: t = ");
    assert_true(command && error);
    char said[512];
    assert_int_equal(sscanf(error, "%500[^\n]", said), 1);
    Outcome again = run_line(scratch->folder, "resume out --quiet");
    assert_code(again, 6);
    assert_says(again.err, said);
    forget(&outcome);
    forget(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(a_failure_of_the_solver_is_replayed),
        test_with_scratch(a_failure_of_another_kind_is_resumed),
        test_with_scratch(a_line_for_each_file),
        test_with_scratch(exit_codes),
        test_with_scratch(machines_get_json),
        test_with_scratch(all_solvers_are_compared),
        test_with_scratch(pairs_of_bodies_are_solved),
        test_with_scratch(answers_are_kept),
        test_with_scratch(steps_are_replayed),
        test_with_scratch(failed_step_is_kept),
        test_with_scratch(options_are_checked_first),
        test_with_scratch(faceted_answers_are_told),
        test_with_scratch(refusals_are_listed),
    };
    return cmocka_run_group_tests_name("cli.solve", tests, NULL, NULL);
}

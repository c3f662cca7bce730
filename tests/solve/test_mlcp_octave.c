// SPDX-License-Identifier: Apache-2.0
// The same pairs by codes that share nothing with ours: without friction as a quadratic program (Octave's
// qp), with friction as a mixed-integer program (GLPK, as Octave has it). Skipped where there is no Octave.
#include "output/scratch.h"
#include "solve/mlcp_cases.h"

enum { QUADRATIC = 45, INTEGER = 24 };

static void need_octave(void)
{
    if (system("command -v octave-cli >/dev/null 2>&1") == 0)
        return;
    print_message("skipped: octave is not installed\n");
    skip();
}

static void write_matrix(FILE *script, const char *name, int rows, int cols, const double *x)
{
    fprintf(script, "%s = reshape([", name);
    for (int k = 0; k < rows * cols; k++)
        fprintf(script, " %.17g", x[k]);
    fprintf(script, "], %d, %d);\n", rows, cols);
}

static void write_problem(FILE *script, const MatesBox *box)
{
    int m = box->mates.m, l = box->mates.l;
    fprintf(script, "m = %d; l = %d;\n", m, l);
    write_matrix(script, "A", m, m, box->A);
    write_matrix(script, "B", l, m, box->B);
    write_matrix(script, "C", m, l, box->C);
    write_matrix(script, "e", m, 1, box->eps);
    write_matrix(script, "f", l, 1, box->lambda);
}

// Runs the script and opens its output.
static FILE *run_octave(Scratch *scratch)
{
    char line[1200];
    snprintf(line, sizeof line, "cd %s && octave-cli -q --norc script.m >answers 2>errors", scratch->folder);
    if (system(line) != 0) {
        snprintf(line, sizeof line, "cat %s/errors >&2", scratch->folder);
        (void)!system(line);
        fail_msg("octave failed");
    }
    FILE *answers = fopen(scratch_path(scratch, "answers"), "r");
    assert_non_null(answers);
    return answers;
}

static double read_number(FILE *answers)
{
    double value;
    assert_int_equal(fscanf(answers, "%lf", &value), 1);
    return value;
}

static void assert_forces(FILE *answers, const MatesBox *box, double tolerance)
{
    double size = 1;
    for (int i = 0; i < box->mates.m; i++)
        size = fmax(size, box->p[i]);
    for (int i = 0; i < box->mates.m; i++)
        assert_near(box->p[i], read_number(answers), tolerance * size);
}

static void make_quadratic(StickRandom *random, int n, MatesBox *box)
{
    make_random(random, 4 + n % 10 * 4, 1 + n % 3, 0, false, box);
}

// min p'A p / 2 + eps'p with B p = lambda, p >= 0
static void frictionless_pairs_are_quadratic_programs(void **state)
{
    Scratch *scratch = *state;
    MatesBox box;
    need_octave();
    StickRandom random = stick_random_seed(21);
    FILE *script = fopen(scratch_path(scratch, "script.m"), "w");
    assert_non_null(script);
    for (int n = 0; n < QUADRATIC; n++) {
        make_quadratic(&random, n, &box);
        write_problem(script, &box);
        fprintf(script, "[p, ~, info] = qp(zeros(m, 1), (A + A') / 2, e, B, f, zeros(m, 1), []);\n"
                        "printf('%%d', info.info); printf(' %%.17g', p); printf('\\n');\n");
    }
    fclose(script);
    FILE *answers = run_octave(scratch);
    random = stick_random_seed(21);
    for (int n = 0; n < QUADRATIC; n++) {
        make_quadratic(&random, n, &box);
        assert_int_equal(solve_by(scratch->ctx, STICK_MLCP_CONNECT, &box), STICK_SOLVE_CONVERGED);
        assert_near(read_number(answers), 0, 0);
        assert_forces(answers, &box, 1e-9);
    }
    fclose(answers);
}

static void make_integer(StickRandom *random, int n, MatesBox *box)
{
    make_random(random, 3 + n % 8, 1 + n % 2, 0.15, false, box);
    for (int i = 0; i < box->mates.m * box->mates.l; i++)
        box->B[i] += n % 4 == 3 ? 3 : 0; // some of these have no solution
}

// p <= 100 s, d <= 100 (1 - s), s = 0 or 1: whatever is feasible is a solution
static const char integer_program[] =
    "I = eye(m); Z = zeros(m); O = zeros(l, m);\n"
    "G = [B O zeros(l) O; A -I C Z; I Z zeros(m, l) -100*I; Z I zeros(m, l) 100*I];\n"
    "b = [f; -e; zeros(m, 1); 100 * ones(m, 1)];\n"
    "low = [zeros(2*m, 1); -1e3 * ones(l, 1); zeros(m, 1)];\n"
    "high = [100 * ones(2*m, 1); 1e3 * ones(l, 1); ones(m, 1)];\n"
    "kind = [repmat('S', 1, l + m) repmat('U', 1, 2*m)];\n"
    "parts = [repmat('C', 1, 2*m + l) repmat('I', 1, m)];\n"
    "[x, ~, bad, extra] = glpk([ones(m, 1); zeros(2*m + l, 1)], G, b, low, high, kind, parts, 1);\n"
    "solved = bad == 0 && extra.status == 5;\n"
    "if !solved, x = zeros(3*m + l, 1); end\n"
    "printf('%d', solved); printf(' %.17g', x(1:m)); printf('\\n');\n";

static void pairs_with_friction_are_integer_programs(void **state)
{
    Scratch *scratch = *state;
    MatesBox box;
    double p[MOST_PAIRS * 8], theta[MOST_MOTIONS * 8];
    int solved = 0;
    need_octave();
    StickRandom random = stick_random_seed(22);
    FILE *script = fopen(scratch_path(scratch, "script.m"), "w");
    assert_non_null(script);
    for (int n = 0; n < INTEGER; n++) {
        make_integer(&random, n, &box);
        write_problem(script, &box);
        fputs(integer_program, script);
    }
    fclose(script);
    FILE *answers = run_octave(scratch);
    random = stick_random_seed(22);
    for (int n = 0; n < INTEGER; n++) {
        StickMlcpSolutions all = {8, p, theta, 0};
        StickMlcpInfo info;
        make_integer(&random, n, &box);
        assert_ok(scratch->ctx, stick_mlcp_enumerate(scratch->ctx, &box.mates, &all, &info));
        StickSolveEnd end = solve_by(scratch->ctx, STICK_MLCP_CONNECT, &box);
        bool has_one = read_number(answers) == 1;
        assert_int_equal(has_one, all.count > 0);
        assert_int_equal(has_one, end == STICK_SOLVE_CONVERGED);
        solved += has_one;
        for (int i = 0; i < box.mates.m; i++) {
            double force = read_number(answers);
            assert_true(all.count != 1 || fabs(force - box.p[i]) <= 1e-6);
        }
    }
    fclose(answers);
    print_message("%d of %d have a solution\n", solved, INTEGER);
    assert_true(solved > INTEGER / 2 && solved < INTEGER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(frictionless_pairs_are_quadratic_programs, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(pairs_with_friction_are_integer_programs, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests_name("solve.mlcp_octave", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

#include <sys/stat.h>

static void write_problems(Scratch *scratch)
{
    assert_int_equal(mkdir(scratch_path(scratch, "problems"), 0777), 0);
    write_text(scratch->folder, "problems/a.dat", "2 1 0 2 2 2 2 2 0 0 3 -1 0.5 0.1\n");
    write_text(scratch->folder, "problems/b.dat", "2 1 0 2 2 2 2 2 0 0 3 -1 0.5 0.7\n");
    write_text(scratch->folder, "problems/broken.dat", "2 1 0 2\n");
    write_text(scratch->folder, "problems/notes.txt", "not a problem\n");
}

static void folder_is_compared(void **state)
{
    Scratch *scratch = *state;
    write_problems(scratch);
    Outcome outcome =
        run_with(scratch->folder, have_program("gnuplot"),
                 "bench problems --solvers lemke,gauss-seidel --tol 1e-6,1e-3 -o out --repeats 2");
    assert_code(outcome, 0);
    assert_says(outcome.out, "2 of 2");
    assert_says(outcome.out, "gauss-seidel");
    assert_says(outcome.err, "'problems/broken.dat' is left out");
    forget(&outcome);
    char *csv = read_text(scratch->folder, "out/friction.csv");
    assert_says(csv, "problem,size,dimension,solver,tolerance,reached,end");
    assert_says(csv, "a.dat,1,2,lemke,0.001,1,converged");
    assert_says(csv, "b.dat,1,2,gauss-seidel,1e-06,1,converged");
    assert_null(strstr(csv, "broken"));
    free(csv);
    if (have_program("gnuplot")) {
        assert_well_formed_xml(scratch_path(scratch, "out/friction-profile-1e-06.svg"));
        assert_true(exists(scratch->folder, "out/a.dat.svg"));
    }
    expect(scratch->folder, "bench problems -o out", 2, "--force");
}

static void complementarity_problems_too(void **state)
{
    Scratch *scratch = *state;
    assert_int_equal(mkdir(scratch_path(scratch, "lcps"), 0777), 0);
    write_text(scratch->folder, "lcps/a.dat", "2\n0\n2 2\n2 2\n2 1 0 3\n-1 -2\n");
    Outcome outcome = run_line(scratch->folder, "bench lcps --tol 1e-8 --repeats 1");
    assert_code(outcome, 0);
    assert_says(outcome.out, "newton-fischer");
    forget(&outcome);
}

// Both kinds in one folder: each has its table, and what cannot be read is told once.
static void both_kinds_are_compared(void **state)
{
    Scratch *scratch = *state;
    write_problems(scratch);
    write_text(scratch->folder, "problems/c.dat", "2\n0\n2 2\n2 2\n2 1 0 3\n-1 -2\n");
    Outcome outcome =
        run_line(scratch->folder, "bench problems --solvers lemke --tol 1e-6 --repeats 1 -o out");
    assert_code(outcome, 0);
    assert_says(outcome.out, "friction problem");
    assert_says(outcome.out, "complementarity problem");
    const char *told = strstr(outcome.err, "broken.dat' is left out");
    assert_non_null(told);
    assert_null(strstr(told + 1, "broken.dat' is left out"));
    forget(&outcome);
    char *csv = read_text(scratch->folder, "out/lcp.csv");
    assert_says(csv, "c.dat,2,1,lemke,1e-06,1,converged");
    assert_null(strstr(csv, "a.dat"));
    free(csv);
    assert_true(exists(scratch->folder, "out/friction.csv"));
    // solvers or options of one kind leave the other out, with a word
    expect(scratch->folder, "bench problems --solvers gauss-seidel --tol 1e-6 --repeats 1", 0,
           "1 complementarity problem is left out");
    expect(scratch->folder, "bench problems --solvers keller --tol 1e-6 --repeats 1", 0,
           "2 friction problems are left out");
    expect(scratch->folder, "bench problems --solvers lemke --set facets=8 --tol 1e-6 --repeats 1", 0,
           "1 complementarity problem is left out");
}

static void mistakes_are_told(void **state)
{
    Scratch *scratch = *state;
    write_problems(scratch);
    expect(scratch->folder, "bench", 2, "takes one folder");
    expect(scratch->folder, "bench nowhere", 2, "is no folder");
    expect(scratch->folder, "bench problems --tol 1e-4,x", 2, "not 'x'");
    expect(scratch->folder, "bench problems --solvers lemke,gaus-seidel", 2, "did you mean 'gauss-seidel'");
    expect(scratch->folder, "bench problems --limit 0", 2, "a number above 0");
    expect(scratch->folder, "bench problems --set foo=1", 2, "'foo'");
    expect(scratch->folder, "bench problems --tol 1e-20", 2, "tolerance");
    expect(scratch->folder, "bench . --solvers lemke", 2, "holds no .dat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(folder_is_compared),
        test_with_scratch(complementarity_problems_too),
        test_with_scratch(both_kinds_are_compared),
        test_with_scratch(mistakes_are_told),
    };
    return cmocka_run_group_tests_name("cli.bench", tests, NULL, NULL);
}

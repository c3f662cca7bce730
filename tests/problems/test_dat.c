// SPDX-License-Identifier: Apache-2.0
#include "problems/texts.h"

static void lcp_is_read_by_columns(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state, SMALL_LCP, STICK_PROBLEM_AUTO, &file));
    assert_int_equal(file->kind, STICK_PROBLEM_LCP);
    StickLcp lcp = stick_problem_lcp(file);
    static const double M[] = {2, 1, 0, 3}, q[] = {-1, -2};
    assert_int_equal(lcp.n, 2);
    assert_memory_equal(lcp.M, M, sizeof M);
    assert_memory_equal(lcp.q, q, sizeof q);
    stick_problem_destroy(file);
}

// Whatever the storage, W and the vectors are the same: sorted blocks by rows, the diagonal always there.
static void every_storage_gives_the_same_blocks(void **state)
{
    static const char *const texts[] = {
        TWO_CONTACTS TWO_DENSE TWO_VECTORS,    TWO_CONTACTS TWO_BLOCKS TWO_VECTORS,
        TWO_CONTACTS TWO_TRIPLETS TWO_VECTORS, TWO_CONTACTS TWO_COLUMNS TWO_VECTORS,
        TWO_CONTACTS TWO_ROWS TWO_VECTORS,
    };
    static const int start[] = {0, 1, 3}, col[] = {0, 0, 1};
    static const double value[] = {4, 1, 2, 5, 0, 7, 0, 0, 3, 0, 0, 6};
    static const double u_free[] = {-1, 0.5, -2, 0.25}, mu[] = {0.3, 0.7};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        StickProblemFile *file;
        assert_ok(*state, read_text(*state, texts[k], STICK_PROBLEM_AUTO, &file));
        assert_int_equal(file->kind, STICK_PROBLEM_FRICTION);
        StickFrictionProblem problem = stick_problem_friction(file);
        assert_int_equal(problem.dim, 2);
        assert_int_equal(problem.ncontacts, 2);
        assert_int_equal(problem.W->n, 2);
        assert_memory_equal(problem.W->start, start, sizeof start);
        assert_memory_equal(problem.W->col, col, sizeof col);
        assert_memory_equal(problem.W->value, value, sizeof value);
        assert_memory_equal(problem.u_free, u_free, sizeof u_free);
        assert_memory_equal(problem.mu, mu, sizeof mu);
        stick_problem_destroy(file);
    }
}

static void half_of_a_symmetric_matrix_is_mirrored(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state,
                                "2 1\n2\n2 2\n4\nCSparse\ntriplet: 2-by-2, nzmax: 3 nnz: 3\n 0 0 : 2\n 1 0 "
                                ": -1\n 1 1 : 3\n1 2 0.5",
                                STICK_PROBLEM_FRICTION, &file));
    static const double value[] = {2, -1, -1, 3};
    assert_memory_equal(file->friction.W.value, value, sizeof value);
    stick_problem_destroy(file);
}

static void no_contacts_and_empty_rows_are_read(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state, "3 0\n0\n0 0\n0 0\n", STICK_PROBLEM_FRICTION, &file));
    assert_int_equal(file->friction.ncontacts, 0);
    stick_problem_destroy(file);
    // The second block row is empty and not listed.
    assert_ok(*state,
              read_text(*state, "2 2\n1\n4 4\n1\n2 2\n2 4\n2 4\n2\n1\n0 1\n0\n0\n1 0 0 1\n1 2 3 4\n0 0",
                        STICK_PROBLEM_FRICTION, &file));
    assert_int_equal(file->friction.W.start[2], 2);
    assert_int_equal(file->friction.W.col[1], 1);
    stick_problem_destroy(file);
}

static void global_is_read(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state, ONE_GLOBAL, STICK_PROBLEM_AUTO, &file));
    assert_int_equal(file->kind, STICK_PROBLEM_GLOBAL);
    static const double f[] = {3, 0, 4, 8}, w[] = {0.5, 0, 0, 0}, mu[] = {0.1, 0.2};
    assert_int_equal(file->global.M.start[4], 6);
    assert_int_equal(file->global.H.cols, 4);
    assert_memory_equal(file->global.f, f, sizeof f);
    assert_memory_equal(file->global.w, w, sizeof w);
    assert_memory_equal(file->global.mu, mu, sizeof mu);
    stick_problem_destroy(file);
}

typedef struct Wrong {
    StickProblemKind as;
    const char *text;
    const char *says;
} Wrong;

static const Wrong wrongs[] = {
    {STICK_PROBLEM_LCP, "", "the file ends where the order n"},
    {STICK_PROBLEM_LCP, "-1", "-1 cannot be the order n"},
    {STICK_PROBLEM_LCP, "2000000000 0 2000000000", "2000000000 cannot be the order n"},
    {STICK_PROBLEM_LCP, "99999999999999999999", "too large for the order n"},
    {STICK_PROBLEM_LCP, "two", "'two' is not the order n"},
    {STICK_PROBLEM_LCP, "1 3 1 1 1 1 1 1", "3 is not the storage of M"},
    {STICK_PROBLEM_LCP, "1 0 2 2 2 2 1 2 3 4 1", "M is 2 by 2 instead of 1 by 1"},
    {STICK_PROBLEM_LCP, "1 0 1 1 1 2 1 2 3 4 1",
     "a dense matrix has its sizes twice, '0 1 1' and then '1 1': the second pair is missing here"},
    {STICK_PROBLEM_LCP, "1 0 1 1 1 1 nan 1", "'nan' is not an entry of a matrix"},
    {STICK_PROBLEM_LCP, "1 0 1 1 1 1 1 inf", "'inf' is not q[0]"},
    {STICK_PROBLEM_LCP, "1 0 1 1 1 1 1 1e999", "'1e999' is not q[0]"},
    {STICK_PROBLEM_LCP, "2 0 2 2 2 2 1 1 1 1 1", "the file ends within q[2]"},
    {STICK_PROBLEM_LCP, "3 0 3 3 3 3 1 1 1 1", "cannot hold 3 by 3 values"},
    {STICK_PROBLEM_FRICTION, "2 1 0 2 2 2.5 1 1 2.5 -1 0 0.3", "'0 2 2' and then '2 2'"},
    {STICK_PROBLEM_LCP, "1 0 1 1      ", "ends where the sizes of a dense matrix once more should be"},
    {STICK_PROBLEM_AUTO, "2 2 0 4 4 2 0 1 0 0 2 0 1 1 0 2 0 0 1 0 2 -1 0.5 -1 -0.2 0.3 0.3",
     "as friction, 1:11: a dense matrix has its sizes twice, '0 4 4' and then '4 4'"},
    {STICK_PROBLEM_FRICTION, "4 1 0 1 1 1 1", "the dimension is 4"},
    {STICK_PROBLEM_FRICTION, "5 1 0 5 5 5 5", "rolling friction"},
    {STICK_PROBLEM_FRICTION, "2 1 0 2 2 2 2 1 0 0 1 1 1 -0.5", "mu[0] = -0.5 is negative"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 3 2 2 1 0 1 0 0 1 0 0 1 1 1 1", "summed block size 3"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 1 2 2 1 0 1 0 0 1 0 0 1 1 1 1", "do not sum up to 2"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 2 2 3 1 0 1 0 0 1 0 0 1 1 1 1", "3 row starts"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 2 2 2 2 0 1 0 0 1 0 0 1 1 1 1", "2 blocks here and 1 before"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 2 2 2 1 0 2 0 0 1 0 0 1 1 1 1",
     "block row 1 cannot start at 2"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 2 2 2 1 0 0 0 0 1 0 0 1 1 1 1", "hold 0 blocks of 1"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 2 2 2 1 0 1 1 0 1 0 0 1 1 1 1", "block column 1 is not in"},
    {STICK_PROBLEM_FRICTION, "2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 7 1 0 0 1 1 1 1",
     "found block 7 where block 0 was expected"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 7\nCSparse\n 1 1 1",
     "7 is not a form of a sparse matrix: use 1, 2, 3 or 4"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 1\nbanner\n 1 1 1", "the banner of CSparse"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 1\nCSparse\n2-by-2, nzmax: 1 nnz: 1\n", "is not the header"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 2\nCSparse\n3-by-2, nzmax: 1 nnz: 1\n", "3 by 2 here"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: 1e5\n", "100000 entries are more"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: nan\n", "nan entries"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 2 0 : 1\n",
     "2 is not a row in 0 ... 1"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 0.5 0 : 1\n",
     "0.5 is not a row"},
    {STICK_PROBLEM_FRICTION, "2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 1 nnz: 1\n col 1 : locations 0 to 0",
     "found col 1 where col 0 was expected"},
    {STICK_PROBLEM_FRICTION,
     "2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 3 nnz: 3\n col 0 : locations 0 to 0\n 0 : 1\n col 1 : locations 1 "
     "to 1\n 1 : 1\n",
     "the file ends where a row"},
    {STICK_PROBLEM_GLOBAL, "2 0 0 1 1 1 1 1 0 2 0 2 0 5", "H is 2 by 0 instead of 1 by 0"},
    {STICK_PROBLEM_AUTO, "1 0 2 2 0 1 2 4", "mixed complementarity"},
    {STICK_PROBLEM_AUTO, "2 0 2 2 2 2 1 0 0 1 1 1 -1 -1 inf inf", "relay or box"},
    {STICK_PROBLEM_AUTO, "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 1 1 0.5 0.1", "rolling friction in the plane"},
    {STICK_PROBLEM_AUTO, "hello world", "the file contains no known type of problem: as lcp, 1:1: 'hello'"},
};

static void wrong_texts_are_told(void **state)
{
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        StickProblemFile *file = NULL;
        StickStatus status = read_text(*state, wrongs[k].text, wrongs[k].as, &file);
        if (status != STICK_BAD_INPUT || !strstr(stick_last_error(*state), wrongs[k].says))
            fail_msg("'%s' gives %s: '%s' instead of '%s'", wrongs[k].text, stick_status_name(status),
                     stick_last_error(*state), wrongs[k].says);
        assert_null(file);
    }
}

static void the_place_is_told(void **state)
{
    StickProblemFile *file;
    assert_int_equal(read_text(*state, "1\n0 1 1\n1 1\n  2 x", STICK_PROBLEM_LCP, &file), STICK_BAD_INPUT);
    const StickDiagnostic *said = stick_diagnostic(*state, stick_diagnostic_count(*state) - 1);
    assert_string_equal(said->file, "text.dat");
    assert_int_equal(said->line, 4);
    assert_int_equal(said->column, 5);
}

// A switch 0 or 1 may follow mu; other additional numbers that fit no other layout are ignored with a warning.
static void numbers_behind_are_left_alone(void **state)
{
    static const char *const texts[] = {
        TWO_CONTACTS TWO_DENSE TWO_VECTORS "1\n",
        "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 1 1 0.5 0",
        TWO_CONTACTS TWO_DENSE TWO_VECTORS "8 9 7\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        StickProblemFile *file;
        assert_ok(*state, read_text(*state, texts[k], STICK_PROBLEM_AUTO, &file));
        assert_int_equal(file->kind, STICK_PROBLEM_FRICTION);
        assert_int_equal(stick_diagnostic_count(*state), k == 2);
        stick_problem_destroy(file);
    }
}

// Read as friction, the second matrix gives the vectors; as global all is used: only the latter fits whole.
static void the_layout_that_uses_all_is_taken(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state, "2 1 0 2 2 2 2 1 0 0 1 0 2 2 2 2 1 0 0 1 3 4 5 6 0.5",
                                STICK_PROBLEM_AUTO, &file));
    assert_int_equal(file->kind, STICK_PROBLEM_GLOBAL);
    assert_near(file->global.w[1], 6, 0);
    stick_problem_destroy(file);
}

// Trying layouts reports nothing: only the final result is reported.
static void trials_are_silent(void **state)
{
    StickProblemFile *file;
    assert_ok(*state, read_text(*state, ONE_GLOBAL, STICK_PROBLEM_AUTO, &file));
    assert_int_equal(stick_diagnostic_count(*state), 0);
    stick_problem_destroy(file);
}

// Every text cut short anywhere is an error or a problem, never a crash.
static void cut_texts_are_survived(void **state)
{
    static const char *const texts[] = {TWO_CONTACTS TWO_BLOCKS TWO_VECTORS,
                                        TWO_CONTACTS TWO_COLUMNS TWO_VECTORS, ONE_GLOBAL, SMALL_LCP};
    char cut[1024];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        for (size_t length = 0; length < strlen(texts[k]); length++) {
            StickProblemFile *file;
            memcpy(cut, texts[k], length);
            cut[length] = '\0';
            StickStatus status = read_text(*state, cut, STICK_PROBLEM_AUTO, &file);
            if (status == STICK_OK)
                stick_problem_destroy(file);
            else
                assert_int_equal(status, STICK_BAD_INPUT);
        }
    }
}

static StickStatus read_again(StickContext *ctx, void *data)
{
    StickProblemFile *file;
    STICK_TRY(read_text(ctx, data, STICK_PROBLEM_AUTO, &file));
    stick_problem_destroy(file);
    return STICK_OK;
}

static void memory_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_again, SMALL_LCP);
    assert_survives_failing_memory(read_again, TWO_CONTACTS TWO_BLOCKS TWO_VECTORS);
    assert_survives_failing_memory(read_again, ONE_GLOBAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(lcp_is_read_by_columns),
        test_with_context(every_storage_gives_the_same_blocks),
        test_with_context(half_of_a_symmetric_matrix_is_mirrored),
        test_with_context(no_contacts_and_empty_rows_are_read),
        test_with_context(global_is_read),
        test_with_context(wrong_texts_are_told),
        test_with_context(the_place_is_told),
        test_with_context(numbers_behind_are_left_alone),
        test_with_context(the_layout_that_uses_all_is_taken),
        test_with_context(trials_are_silent),
        test_with_context(cut_texts_are_survived),
        test_with_context(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.dat", tests, NULL, NULL);
}

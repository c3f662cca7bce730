// SPDX-License-Identifier: Apache-2.0
// FCLIB's own library reads what we write, bit by bit, and we read what it writes.
#include "output/scratch.h"
#include "problems/fclib.h"
#include "problems/texts.h"

#include <fclib.h>
#include <hdf5.h>

// Compares one of our sparse matrices with one of theirs by columns.
static void assert_columns(const struct fclib_matrix *theirs, const StickSparse *ours)
{
    assert_int_equal(theirs->m, ours->rows);
    assert_int_equal(theirs->n, ours->cols);
    assert_int_equal(theirs->nz, -1);
    assert_memory_equal(theirs->p, ours->start, (size_t)(ours->cols + 1) * sizeof(int));
    assert_memory_equal(theirs->i, ours->row, (size_t)ours->start[ours->cols] * sizeof(int));
    assert_memory_equal(theirs->x, ours->value, (size_t)ours->start[ours->cols] * sizeof(double));
}

static void assert_numbers(const double *theirs, const double *ours, size_t count)
{
    assert_non_null(theirs);
    assert_memory_equal(theirs, ours, count * sizeof *ours);
}

static double r[] = {0.1, 0.02, 0.3, -1. / 3}, u[] = {0, 1, 2, 3}, other[] = {4, 3, 2, 1};

static void library_reads_our_local_problem(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickProblemFile *file;
    StickSolutionData guess[2] = {{.u = u, .r = other}, {.u = other, .r = u}};
    const char *path = scratch_path(scratch, "local.hdf5");
    char title[] = "two contacts";
    assert_ok(ctx, read_text(ctx, TWO_CONTACTS TWO_BLOCKS TWO_VECTORS, STICK_PROBLEM_FRICTION, &file));
    StickProblemFile view = *file;
    view.solution = (StickSolutionData){.u = u, .r = r};
    view.guess = guess;
    view.nguesses = 2;
    view.title = title;
    assert_ok(ctx, stick_fclib_save(ctx, path, &view));

    struct fclib_local *theirs = fclib_read_local(path);
    assert_non_null(theirs);
    assert_int_equal(theirs->spacedim, 2);
    assert_null(theirs->V);
    assert_string_equal(theirs->info->title, title);
    assert_numbers(theirs->q, file->friction.u_free, 4);
    assert_numbers(theirs->mu, file->friction.mu, 2);
    assert_int_equal(theirs->W->nz, -2);
    static const int p[] = {0, 2, 4, 8, 12}, i[] = {0, 1, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3};
    static const double x[] = {4, 1, 2, 5, 0, 7, 3, 0, 0, 0, 0, 6};
    assert_memory_equal(theirs->W->p, p, sizeof p);
    assert_memory_equal(theirs->W->i, i, sizeof i);
    assert_memory_equal(theirs->W->x, x, sizeof x);
    fclib_delete_local(theirs);

    struct fclib_solution *solution = fclib_read_solution(path);
    assert_non_null(solution);
    assert_numbers(solution->r, r, 4);
    assert_numbers(solution->u, u, 4);
    fclib_delete_solutions(solution, 1);
    int count = 0;
    struct fclib_solution *guesses = fclib_read_guesses(path, &count);
    assert_int_equal(count, 2);
    assert_numbers(guesses[0].r, other, 4);
    assert_numbers(guesses[1].r, u, 4);
    fclib_delete_solutions(guesses, 2);
    stick_problem_destroy(file);
}

// The last mass of ONE_GLOBAL is held: G = (0, 0, 0, 1)'.
static int G_start[] = {0, 1}, G_row[] = {3};
static double G_value[] = {1}, b[] = {-0.25}, l[] = {7}, v[] = {1, 2, 3, 4};

static void library_reads_our_global_problem(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickProblemFile *file, *back;
    const char *path = scratch_path(scratch, "global.hdf5");
    assert_ok(ctx, read_text(ctx, ONE_GLOBAL, STICK_PROBLEM_GLOBAL, &file));
    StickProblemFile view = *file;
    view.global.G = (StickSparse){4, 1, G_start, G_row, G_value};
    view.global.b = b;
    view.solution = (StickSolutionData){.v = v, .u = u, .r = r, .l = l};
    assert_ok(ctx, stick_fclib_save(ctx, path, &view));

    struct fclib_global *theirs = fclib_read_global(path);
    assert_non_null(theirs);
    assert_columns(theirs->M, &file->global.M);
    assert_columns(theirs->H, &file->global.H);
    assert_columns(theirs->G, &view.global.G);
    assert_numbers(theirs->f, file->global.f, 4);
    assert_numbers(theirs->w, file->global.w, 4);
    assert_numbers(theirs->b, b, 1);
    assert_numbers(theirs->mu, file->global.mu, 2);
    fclib_delete_global(theirs);
    struct fclib_solution *solution = fclib_read_solution(path);
    assert_numbers(solution->v, v, 4);
    assert_numbers(solution->l, l, 1);
    fclib_delete_solutions(solution, 1);

    assert_ok(ctx, stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &back));
    assert_int_equal(back->kind, STICK_PROBLEM_GLOBAL);
    assert_memory_equal(back->global.M.value, file->global.M.value,
                        (size_t)file->global.M.start[4] * sizeof(double));
    assert_memory_equal(back->solution.v, v, sizeof v);
    assert_memory_equal(back->solution.l, l, sizeof l);
    stick_problem_destroy(back);
    stick_problem_destroy(file);
}

// A file of theirs with bilateral rows, info and a guess; a copy of ours keeps all of it.
static void we_read_and_copy_what_the_library_writes(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickProblemFile *file;
    char path[512], copy[512], title[] = "a title", description[] = "one contact, one joint",
                               math[] = "unique";
    snprintf(path, sizeof path, "%s", scratch_path(scratch, "theirs.hdf5"));
    snprintf(copy, sizeof copy, "%s", scratch_path(scratch, "copy.hdf5"));
    int Wp[] = {0, 1, 2}, Wi[] = {0, 1}, Vp[] = {0}, Vi[] = {1}, Rp[] = {0, 1}, Ri[] = {0};
    double Wx[] = {2, 3}, Vx[] = {1}, Rx[] = {4}, q[] = {-1, 0.5}, s[] = {2}, mu[] = {0.5};
    struct fclib_matrix_info about = {"a comment", 1.5, 6, 2};
    struct fclib_matrix W = {2, 2, 2, Wp, Wi, Wx, -1, &about}, V = {1, 2, 1, Vp, Vi, Vx, 1, NULL},
                        R = {1, 1, 1, Rp, Ri, Rx, -2, NULL};
    struct fclib_info info = {title, description, math};
    struct fclib_local problem = {&W, &V, &R, mu, q, s, 2, &info};
    double gr[] = {1, 0.25}, gu[] = {0, 0}, gl[] = {3};
    struct fclib_solution guess = {NULL, gu, gr, gl};
    assert_int_equal(fclib_write_local(&problem, path), 1);
    assert_int_equal(fclib_write_guesses(1, &guess, path), 1);
    assert_int_equal(fclib_create_int_attributes_in_info(path, "numberOfInvolvedDS", 3), 1);

    assert_ok(ctx, stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file));
    assert_string_equal(file->title, title);
    assert_int_equal(stick_problem_bilateral(file), 1);
    assert_near(file->guess[0].r[1], 0.25, 0);
    assert_near(file->guess[0].l[0], 3, 0);
    // W - V R^-1 V' = diag(2, 3 - 1/4), q - V R^-1 s = (-1, 0.5 - 0.5)
    assert_near(file->friction.W.value[0], 2, 0);
    assert_near(file->friction.W.value[3], 2.75, 1e-15);
    assert_near(file->friction.u_free[1], 0, 1e-15);
    file->solution = (StickSolutionData){.u = gu, .r = gr, .l = gl};
    assert_ok(ctx, stick_fclib_save(ctx, copy, file));
    file->solution = (StickSolutionData){0};
    stick_problem_destroy(file);

    struct fclib_local *theirs = fclib_read_local(copy);
    assert_non_null(theirs);
    assert_string_equal(theirs->info->description, description);
    assert_string_equal(theirs->info->math_info, math);
    assert_int_equal(theirs->V->nz, 1);
    assert_int_equal(theirs->R->nz, -2);
    assert_numbers(theirs->W->x, Wx, 2);
    assert_numbers(theirs->s, s, 1);
    fclib_delete_local(theirs);
    struct fclib_solution *solution = fclib_read_solution(copy);
    assert_numbers(solution->r, gr, 2);
    fclib_delete_solutions(solution, 1);
}

// Whatever else stands in a file stays, too.
static void attributes_are_kept(void **state)
{
    Scratch *scratch = *state;
    int value = 0;
    we_read_and_copy_what_the_library_writes(state);
    hid_t file = H5Fopen(scratch_path(scratch, "copy.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t attribute =
        H5Aopen_by_name(file, "/fclib_local/info", "numberOfInvolvedDS", H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT, &value) >= 0);
    assert_int_equal(value, 3);
    H5Aclose(attribute);
    H5Fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(library_reads_our_local_problem),
        test_with_scratch(library_reads_our_global_problem),
        test_with_scratch(we_read_and_copy_what_the_library_writes),
        test_with_scratch(attributes_are_kept),
    };
    return cmocka_run_group_tests_name("problems.fclib_library", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Problem files keep the bodies of a problem, so that methods that need them repeat a solve of a run.
#include "output/scratch.h"
#include "problems/fclib.h"
#include "problems/hdf5_files.h"
#include "solve/rigid_scene.h"

static RigidScene scene;

static void make_scene(int njoints)
{
    StickRandom random = stick_random_seed(5);
    rigid_scene_make(&scene, &random, 3, 5, 12, 0.4, 0.3, 3);
    rigid_scene_join(&scene, &random, njoints);
}

static void assert_same_bodies(const StickBodies *read, const StickBodies *written)
{
    int v = written->ndofs, nrows = 0;
    assert_int_equal(read->ndofs, v);
    assert_int_equal(read->nbodies, written->nbodies);
    assert_int_equal(read->njoints, written->njoints);
    assert_memory_equal(read->S, written->S, (size_t)(written->nbodies * v * v) * sizeof(double));
    for (int k = 0; k < 2 * scene.problem.ncontacts; k++) {
        const StickBodySides *side = &written->sides[k / 2];
        assert_int_equal(read->sides[k / 2].body[k % 2], side->body[k % 2]);
        if (side->body[k % 2] < 0)
            continue;
        assert_int_equal(read->sides[k / 2].entry[k % 2], side->entry[k % 2]);
        nrows = side->entry[k % 2] + v > nrows ? side->entry[k % 2] + v : nrows;
    }
    assert_memory_equal(read->H, written->H, (size_t)(nrows * 3) * sizeof(double));
    for (int k = 0; k < written->njoints; k++)
        assert_memory_equal(&read->joint[k], &written->joint[k], sizeof *read->joint);
}

static StickSolveInfo solve(StickContext *ctx, const StickFrictionProblem *problem, double *r)
{
    double u[3 * MOST_TOUCHES];
    StickSolver *solver;
    StickSolveInfo info;
    StickSolverOptions options = stick_solver_options_default();
    memset(r, 0, 3 * MOST_TOUCHES * sizeof *r);
    assert_ok(ctx, stick_solver_create(ctx, "body-newton", &options, &solver));
    assert_ok(ctx, stick_solver_solve(solver, problem, r, u, &info));
    stick_solver_destroy(solver);
    return info;
}

static void bodies_read_back_and_repeat_a_solve(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    for (int njoints = 0; njoints < 4; njoints += 3) {
        StickProblemFile *file;
        double r[2][3 * MOST_TOUCHES];
        make_scene(njoints);
        const char *path = scratch_path(scratch, njoints ? "joints.hdf5" : "bodies.hdf5");
        assert_ok(ctx, stick_fclib_write(ctx, path, &scene.problem, NULL, NULL));
        assert_ok(ctx, stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file));
        StickFrictionProblem problem = stick_problem_friction(file);
        assert_non_null(problem.bodies);
        assert_same_bodies(problem.bodies, &scene.bodies);
        StickSolveInfo first = solve(ctx, &scene.problem, r[0]), again = solve(ctx, &problem, r[1]);
        assert_int_equal(first.end, STICK_SOLVE_CONVERGED);
        assert_int_equal(first.iterations, again.iterations);
        assert_memory_equal(r[0], r[1], 3 * (size_t)scene.problem.ncontacts * sizeof(double));
        stick_problem_destroy(file);
    }
}

// ---- wrong files

typedef struct Wrong {
    const char *name;
    bool integers;
    int count;
    double value[2];
    const char *says;
} Wrong;

static const Wrong wrongs[] = {
    {"ndofs", true, 1, {4}, "ndofs = 4 is neither 3 nor 6"},
    {"S", false, 2, {1, 2}, "S has 2 values, not 36 for each body"},
    {"H", false, 2, {1, 2}, "H has 2 values, not 3 in each row"},
    {"body", true, 2, {0, 1}, "body has 2 values instead of 24"},
    {"entry", true, 0, {0}, "entry has 0 values instead of 24"},
    {"joint_body", true, 2, {0, 7}, "joint_body has 2 values instead of 6"},
    {"joint_G", false, 1, {1}, "joint_G has 1 values instead of 36"},
    {"joint_compliance", false, 2, {1, 1}, "joint_body has 6 values instead of 4"},
    {"entry", true, -1, {0}, "entry is missing"},
    {"body", true, -2, {99}, "body[0] = 99 is not in -1 ... 4"},
    {"entry", true, -2, {-1}, "without an entry"},
    {"joint_compliance", false, -3, {-1}, "joint_compliance[0] = -1 is negative"},
};

// The list in place of the one that is there: count >= 0: other values; -1: none; less: the first value of it.
static void spoil(const char *path, const Wrong *wrong)
{
    char name[64];
    snprintf(name, sizeof name, "/bodies/%s", wrong->name);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t type = wrong->integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    int ints[24] = {0};
    double numbers[24] = {0};
    void *values = wrong->integers ? (void *)ints : (void *)numbers;
    hsize_t count = wrong->count >= 0 ? (hsize_t)wrong->count : 0;
    if (wrong->count < -1) {
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
        count = (hsize_t)H5Sget_simple_extent_npoints(space);
        assert_true(count <= 24 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        H5Sclose(space);
        H5Dclose(set);
    }
    for (int k = 0; k < (wrong->count < 0 ? 1 : wrong->count); k++) {
        ints[k] = (int)wrong->value[k];
        numbers[k] = wrong->value[k];
    }
    H5Ldelete(file, name, H5P_DEFAULT);
    if (wrong->count != -1) {
        hid_t space = H5Screate_simple(1, &count, NULL);
        hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(set >= 0);
        if (count > 0)
            assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        H5Dclose(set);
        H5Sclose(space);
    }
    H5Fclose(file);
}

static void wrong_bodies_are_refused(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    make_scene(3);
    const char *path = scratch_path(scratch, "wrong.hdf5");
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        StickProblemFile *file;
        assert_ok(ctx, stick_fclib_write(ctx, path, &scene.problem, NULL, NULL));
        spoil(path, &wrongs[k]);
        assert_int_equal(stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file), STICK_BAD_INPUT);
        assert_error_says(ctx, wrongs[k].says);
    }
}

static StickStatus write_and_read(StickContext *ctx, void *data)
{
    Scratch *scratch = data;
    StickProblemFile *file;
    const char *path = scratch_path(scratch, "memory.hdf5");
    STICK_TRY(stick_fclib_write(ctx, path, &scene.problem, NULL, NULL));
    STICK_TRY(stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file));
    stick_problem_destroy(file);
    return STICK_OK;
}

static void memory_may_fail(void **state)
{
    make_scene(2);
    assert_survives_failing_memory(write_and_read, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(bodies_read_back_and_repeat_a_solve),
        test_with_scratch(wrong_bodies_are_refused),
        test_with_scratch(memory_may_fail),
    };
    return cmocka_run_group_tests_name("problems.fclib_bodies", tests, NULL, NULL);
}

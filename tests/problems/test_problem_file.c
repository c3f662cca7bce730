// SPDX-License-Identifier: Apache-2.0
// Problems that other codes wrote, from the folder that STICKSLIP_DATA names.
#include "problems/problem_file.h"

#include "check.h"
#include "problems/condense_global.h"
#include "solve/problem.h"

typedef struct Known {
    const char *name;
    StickProblemKind kind;
    int dim;
    int size; // contacts, or the order of an LCP
} Known;

static const Known known[] = {
    {"friction/Box_Stacks-i0122-82-5.hdf5", STICK_PROBLEM_GLOBAL, 3, 82},
    {"friction/BoxesStack1-i100000-32.hdf5.dat", STICK_PROBLEM_FRICTION, 3, 52},
    {"friction/Capsules-i100-889.dat", STICK_PROBLEM_FRICTION, 3, 276},
    {"friction/Capsules-i122-1617.dat", STICK_PROBLEM_FRICTION, 3, 296},
    {"friction/Capsules-i125-1213.hdf5", STICK_PROBLEM_FRICTION, 3, 286},
    {"friction/Confeti-ex13-Fc3D-SBM.dat", STICK_PROBLEM_FRICTION, 3, 107},
    {"friction/FC2D_SliderCrankLagrangian00000.dat", STICK_PROBLEM_FRICTION, 2, 2},
    {"friction/FC3D_Example1_SBM.dat", STICK_PROBLEM_FRICTION, 3, 3},
    {"friction/FrictionContact3D_1c.dat", STICK_PROBLEM_FRICTION, 3, 1},
    {"friction/FrictionContactProblem00071.dat", STICK_PROBLEM_FRICTION, 2, 89},
    {"friction/FrictionContactProblem00237.dat", STICK_PROBLEM_FRICTION, 2, 376},
    {"friction/FrictionContactProblem00374.dat", STICK_PROBLEM_FRICTION, 2, 28},
    {"friction/GFC3D_TwoRods1.dat", STICK_PROBLEM_GLOBAL, 3, 3},
    {"friction/KaplasTower-i1061-4.hdf5.dat", STICK_PROBLEM_FRICTION, 3, 570},
    {"friction/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", STICK_PROBLEM_FRICTION, 3, 60},
    {"friction/NESpheres_10_1.dat", STICK_PROBLEM_FRICTION, 3, 9},
    {"friction/OneObject-i100000-316.hdf5.dat", STICK_PROBLEM_FRICTION, 3, 25},
    {"friction/OneObject-i1028-138.hdf5.dat", STICK_PROBLEM_FRICTION, 3, 23},
    {"friction/RockPile_tob1.dat", STICK_PROBLEM_FRICTION, 3, 463},
    {"friction/Rover1040.dat", STICK_PROBLEM_FRICTION, 3, 5},
    {"friction/Rover3865.dat", STICK_PROBLEM_FRICTION, 3, 5},
    {"friction/fc2d_granularflowonwall_00667_00000.dat", STICK_PROBLEM_FRICTION, 2, 667},
    {"friction/fc2d_granularflowonwall_02020_00213.dat", STICK_PROBLEM_FRICTION, 2, 2020},
    {"lcp/lcp_CPS_2.dat", STICK_PROBLEM_LCP, 1, 3},
    {"lcp/lcp_CPS_3.dat", STICK_PROBLEM_LCP, 1, 4},
    {"lcp/lcp_CPS_4.dat", STICK_PROBLEM_LCP, 1, 4},
    {"lcp/lcp_exp_murty.dat", STICK_PROBLEM_LCP, 1, 6},
    {"lcp/lcp_mmc.dat", STICK_PROBLEM_LCP, 1, 26},
    {"lcp/lcp_ortiz.dat", STICK_PROBLEM_LCP, 1, 4},
    {"lcp/lcp_tobenna.dat", STICK_PROBLEM_LCP, 1, 40},
    {"lcp/lcp_trivial_block.dat", STICK_PROBLEM_LCP, 1, 9},
};

// Largest |W - W'| entry over largest |W| entry.
static double asymmetry(const StickBlocks *W)
{
    int d = W->d;
    double largest = 0, difference = 0;
    for (int i = 0; i < W->n; i++) {
        for (int k = W->start[i]; k < W->start[i + 1]; k++) {
            int j = W->col[k], mirrored = W->start[j];
            while (mirrored < W->start[j + 1] && W->col[mirrored] != i)
                mirrored++;
            for (int e = 0; e < d * d; e++) {
                double value = W->value[(size_t)k * (size_t)(d * d) + (size_t)e], other = 0;
                if (mirrored < W->start[j + 1])
                    other = W->value[(size_t)mirrored * (size_t)(d * d) + (size_t)(e % d * d + e / d)];
                largest = fmax(largest, fabs(value));
                difference = fmax(difference, fabs(value - other));
            }
        }
    }
    return difference / largest;
}

static void assert_friction(StickContext *ctx, const Known *expected, const StickFrictionData *data)
{
    StickFrictionProblem problem = {.dim = data->dim,
                                    .ncontacts = data->ncontacts,
                                    .W = &data->W,
                                    .u_free = data->u_free,
                                    .mu = data->mu};
    assert_int_equal(data->dim, expected->dim);
    assert_int_equal(data->ncontacts, expected->size);
    assert_ok(ctx, stick_friction_check(ctx, &problem));
    // The worst of these exporters, RockPile, is known for 2.5e-3; a block out of its place gives about 1.
    assert_below(asymmetry(&data->W), 2.5e-3);
}

static void assert_global(StickContext *ctx, const Known *expected, const StickGlobalData *global)
{
    StickFrictionData local;
    assert_ok(ctx, stick_condense_global(ctx, global, &local));
    assert_friction(ctx, expected, &local);
    stick_friction_data_destroy(ctx, &local);
}

static void every_known_file_is_read(void **state)
{
    const char *folder = getenv("STICKSLIP_DATA");
    if (!folder) {
        print_message("STICKSLIP_DATA is not set: no files to read\n");
        skip();
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char path[1024];
        StickProblemFile *file;
        snprintf(path, sizeof path, "%s/%s", folder, known[k].name);
        assert_ok(*state, stick_problem_read(*state, path, STICK_PROBLEM_AUTO, &file));
        assert_int_equal(file->kind, known[k].kind);
        if (file->kind == STICK_PROBLEM_LCP)
            assert_int_equal(file->lcp.n, known[k].size);
        else if (file->kind == STICK_PROBLEM_FRICTION)
            assert_friction(*state, &known[k], &file->friction);
        else
            assert_global(*state, &known[k], &file->global);
        stick_problem_destroy(file);
    }
}

static void kinds_have_names(void **state)
{
    StickProblemKind kind;
    assert_ok(*state, stick_problem_kind_parse(*state, "global", &kind));
    assert_int_equal(kind, STICK_PROBLEM_GLOBAL);
    assert_string_equal(stick_problem_kind_name(kind), "global");
    assert_int_equal(stick_problem_kind_parse(*state, "frictoin", &kind), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "did you mean 'friction'"));
}

static void missing_file_is_told(void **state)
{
    StickProblemFile *file;
    assert_int_equal(stick_problem_read(*state, "no/such/file.dat", STICK_PROBLEM_AUTO, &file), STICK_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(every_known_file_is_read),
        test_with_context(kinds_have_names),
        test_with_context(missing_file_is_told),
    };
    return cmocka_run_group_tests_name("problems.problem_file", tests, NULL, NULL);
}

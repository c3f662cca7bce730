// SPDX-License-Identifier: Apache-2.0
// Compliance of marked nodes is that of the whole body, from a dense solve; columns are solved for once.
#include "condense/surface_compliance.h"
#include "stepping/scene.h"

// 30 nodes; bottom: held, one node of the top along x alone.
static const char plate[] = "materials: {soft: {young: 200, poisson: 0.3, density: 1}}\n"
                            "bodies:\n"
                            "  other: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: soft}\n"
                            "  plate: {mesh: {rectangle: {size: [2, 1], cells: [5, 4]}}, material: soft}\n"
                            "supports: [{on: other.bottom, displacement: [0, 0]},\n"
                            "           {on: plate.bottom, displacement: [0, 0]},\n"
                            "           {on: plate.top-left, displacement: [0, free]}]\n"
                            "steps: [{quasistatic: {end: 1, increments: 1}}]\n";

enum { PLATE = 1, NODES = 30, DOFS = 2 * NODES };

typedef struct Marked {
    Scene scene;
    StickStepMatrix *matrix;
    bool mark[NODES];
    int count;
} Marked;

// All nodes but every seventh: more than go into one block.
static void open_marked(Marked *marked, StickContext *ctx)
{
    *marked = (Marked){0};
    scene_open(&marked->scene, ctx, plate);
    assert_int_equal(marked->scene.system->body[PLATE].mesh.nnodes, NODES);
    assert_ok(ctx, stick_step_matrix_create(ctx, marked->scene.system, &marked->scene.run->supports,
                                            &marked->matrix));
    assert_ok(ctx, stick_step_matrix_set(marked->matrix, 0, 0, 1));
    for (int i = 0; i < NODES; i++)
        marked->count += marked->mark[i] = i % 7 != 3;
}

static void close_marked(Marked *marked)
{
    stick_step_matrix_destroy(marked->matrix);
    scene_close(&marked->scene);
}

static bool is_held(const Marked *marked, int dof)
{
    return stick_step_matrix_free(marked->matrix, PLATE, dof) < 0;
}

// K of the body, with rows and columns of prescribed degrees of freedom those of the identity.
static void dense(const Marked *marked, double K[DOFS][DOFS])
{
    const StickSparse *sparse = &marked->scene.system->body[PLATE].K;
    memset(K, 0, DOFS * sizeof *K);
    for (int j = 0; j < DOFS; j++) {
        for (int e = sparse->start[j]; e < sparse->start[j + 1]; e++)
            if (!is_held(marked, j) && !is_held(marked, sparse->row[e]))
                K[sparse->row[e]][j] = sparse->value[e];
        if (is_held(marked, j))
            K[j][j] = 1;
    }
}

// Gauss and Jordan; K is positive definite.
static void solve(double K[DOFS][DOFS], double x[DOFS])
{
    for (int i = 0; i < DOFS; i++)
        for (int r = 0; r < DOFS; r++) {
            double f = r == i ? 0 : K[r][i] / K[i][i];
            for (int c = i; c < DOFS && f != 0; c++)
                K[r][c] -= f * K[i][c];
            x[r] -= f * x[i];
        }
    for (int i = 0; i < DOFS; i++)
        x[i] /= K[i][i];
}

static void columns_are_those_of_a_dense_solve(void **state)
{
    static double K[DOFS][DOFS];
    Marked marked;
    StickSurfaceCompliance *compliance;
    open_marked(&marked, *state);
    assert_ok(*state, stick_surface_compliance_create(*state, marked.scene.system, marked.matrix, PLATE,
                                                      marked.mark, &compliance));
    for (int node = 0; node < NODES; node++)
        for (int axis = 0; axis < 2 && marked.mark[node]; axis++) {
            const double *column;
            double u[DOFS] = {0};
            u[2 * node + axis] = is_held(&marked, 2 * node + axis) ? 0 : 1;
            dense(&marked, K);
            solve(K, u);
            assert_ok(*state, stick_surface_compliance_column(compliance, node, axis, &column));
            for (int i = 0; i < NODES; i++) {
                int place = stick_surface_compliance_place(compliance, i);
                assert_int_equal(place >= 0, marked.mark[i]);
                for (int c = 0; c < 2 && place >= 0; c++)
                    assert_near(column[2 * place + c], u[2 * i + c], 1e-14);
            }
        }
    stick_surface_compliance_destroy(compliance);
    close_marked(&marked);
}

// Blocks are cut at fixed places: it does not matter who asks first.
static void columns_are_solved_for_once(void **state)
{
    Marked marked;
    StickSurfaceCompliance *compliance, *backwards;
    const double *first, *again, *last;
    open_marked(&marked, *state);
    assert_ok(*state, stick_surface_compliance_create(*state, marked.scene.system, marked.matrix, PLATE,
                                                      marked.mark, &compliance));
    assert_ok(*state, stick_surface_compliance_create(*state, marked.scene.system, marked.matrix, PLATE,
                                                      marked.mark, &backwards));
    assert_int_equal(stick_surface_compliance_count(compliance), marked.count);
    assert_int_equal(stick_surface_compliance_solves(compliance), 0);
    assert_ok(*state, stick_surface_compliance_column(compliance, NODES - 1, 1, &last));
    long some = stick_surface_compliance_solves(compliance);
    assert_true(some > 0 && some < 2 * marked.count);
    assert_ok(*state, stick_surface_compliance_column(compliance, NODES - 1, 1, &again));
    assert_ptr_equal(last, again);
    assert_int_equal(stick_surface_compliance_solves(compliance), some);
    assert_ok(*state, stick_surface_compliance_column(compliance, 0, 0, &first));
    assert_int_equal(stick_surface_compliance_solves(compliance), 2 * marked.count);
    assert_ok(*state, stick_surface_compliance_column(backwards, 0, 0, &again));
    assert_ok(*state, stick_surface_compliance_column(backwards, NODES - 1, 1, &again));
    assert_memory_equal(last, again, 2 * (size_t)marked.count * sizeof *last);
    stick_surface_compliance_destroy(compliance);
    stick_surface_compliance_destroy(backwards);
    close_marked(&marked);
}

static StickStatus ask(StickContext *ctx, void *data)
{
    Marked *marked = data;
    StickSurfaceCompliance *compliance;
    const double *column;
    STICK_TRY(stick_surface_compliance_create(ctx, marked->scene.system, marked->matrix, PLATE, marked->mark,
                                              &compliance));
    StickStatus status = stick_surface_compliance_column(compliance, 0, 0, &column);
    if (status == STICK_OK)
        status = stick_surface_compliance_column(compliance, NODES - 1, 1, &column);
    stick_surface_compliance_destroy(compliance);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    Marked marked;
    open_marked(&marked, *state);
    assert_survives_failing_memory(ask, &marked);
    close_marked(&marked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(columns_are_those_of_a_dense_solve),
        test_with_context(columns_are_solved_for_once),
        test_with_context(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Forces and tangents of bodies under finite deformation: every law on every kind of element.
#include "finite_cases.h"

#include "base/pool.h"

typedef void EachBody(StickContext *ctx, FiniteBody *it, const Case *c);

static void for_every_body(StickContext *ctx, int cells, EachBody *function)
{
    for (int m = 0; m < NMATERIALS; m++) {
        for (int k = 0; k < NCASES; k++) {
            FiniteBody it;
            finite_init(ctx, &it, case_grid(&cases[k], cells), &cases[k], &materials[m]);
            function(ctx, &it, &cases[k]);
            finite_drop(ctx, &it);
        }
    }
}

// ---- at rest

static void check_rest(StickContext *ctx, FiniteBody *it, const Case *c)
{
    (void)c;
    StickFiniteTask task = evaluate(ctx, it, it->body.q, 0);
    double stiff = largest(it->body.K.value, it->nvalues);
    assert_int_equal(task.bad_element, -1);
    assert_below(largest(it->force, it->ndofs), 1e-13 * stiff);
    assert_near(task.energy, 0, 1e-14);
    assert_near(task.worst_volume, 0, 1e-14);
    for (int k = 0; k < it->nvalues; k++)
        assert_near(it->tangent[k], it->body.K.value[k], 1e-12 * stiff);
}

static void test_at_rest_the_tangent_is_the_linear_stiffness(void **state)
{
    for_every_body(*state, 2, check_rest);
}

// ---- derivatives

// F_int(q + e d) - F_int(q - e d) over 2 e
static void difference(StickContext *ctx, FiniteBody *it, const double *d, double e, double *change,
                       double *work)
{
    double *q = grid_take((size_t)it->ndofs, sizeof *q);
    double energy[2];
    memset(change, 0, (size_t)it->ndofs * sizeof *change);
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        for (int i = 0; i < it->ndofs; i++)
            q[i] = it->body.q[i] + sign * e * d[i];
        StickFiniteTask task = evaluate(ctx, it, q, 0.1);
        assert_int_equal(task.bad_element, -1);
        energy[side] = task.energy + task.multiplier_energy + task.loss;
        for (int i = 0; i < it->ndofs; i++)
            change[i] += sign * it->force[i] / (2 * e);
    }
    *work = (energy[0] - energy[1]) / (2 * e);
    free(q);
}

static void random_state(StickContext *ctx, FiniteBody *it, uint32_t *seed)
{
    double *before = grid_take((size_t)it->ndofs, sizeof *before);
    stick_finite_rest(it->finite, it->past);
    random_motion(it, 0.15, seed, before);
    evaluate(ctx, it, before, 1);
    accept(it);
    random_motion(it, 0.15, seed, it->body.q);
    if (it->body.continuum.mean_dilatation)
        assert_ok(ctx, stick_finite_augment(it->finite, before, 0, it->past));
    free(before);
}

static void check_tangent(StickContext *ctx, FiniteBody *it, const Case *c)
{
    uint32_t seed = 7;
    double *d = grid_take((size_t)it->ndofs, sizeof *d), *change = grid_take((size_t)it->ndofs, sizeof *d),
           work;
    const StickMaterial *law = it->body.continuum.material;
    (void)c;
    for (int trial = 0; trial < 3; trial++) {
        random_state(ctx, it, &seed);
        for (int i = 0; i < it->ndofs; i++)
            d[i] = random_number(&seed);
        difference(ctx, it, d, 1e-6, change, &work);
        evaluate(ctx, it, it->body.q, 0.1);
        double scale = largest(change, it->ndofs), power = 0;
        for (int i = 0; i < it->ndofs; i++)
            power += it->force[i] * d[i];
        // with the loss it is the potential of a plastic step, too
        if (law->nprony == 0)
            assert_near(power, work, 1e-7 * (fabs(power) + 1));
        StickSparse T = it->body.K;
        T.value = it->tangent;
        stick_sparse_multiply(&T, -1, d, change);
        assert_below(largest(change, it->ndofs), 1e-6 * scale);
    }
    free(d);
    free(change);
}

static void test_tangents_are_derivatives_of_forces_and_these_of_energies(void **state)
{
    for_every_body(*state, 2, check_tangent);
}

// Forces and history do not depend on which other results are requested.
static void check_less(StickContext *ctx, FiniteBody *it, const Case *c)
{
    uint32_t seed = 21;
    size_t bytes = (size_t)it->ndofs * sizeof(double), kept = (size_t)it->nhistory * sizeof(double);
    double *force = grid_take((size_t)it->ndofs, sizeof *force),
           *next = grid_take((size_t)it->nhistory + 1, sizeof *next);
    (void)c;
    random_state(ctx, it, &seed);
    StickFiniteTask all = evaluate(ctx, it, it->body.q, 0.1), less = all;
    less.force = force, less.next = next, less.tangent = NULL, less.no_loss = true;
    assert_ok(ctx, stick_finite_evaluate(it->finite, &less));
    assert_memory_equal(force, it->force, bytes);
    if (kept > 0)
        assert_memory_equal(next, it->next, kept);
    assert_true(less.energy == all.energy);
    assert_true(it->body.continuum.material->nprony > 0 ? all.loss > 0 && less.loss == 0
                                                        : less.loss == all.loss);
    free(force);
    free(next);
}

static void test_forces_are_the_same_without_tangent_and_loss(void **state)
{
    for_every_body(*state, 2, check_less);
}

static void check_symmetry(StickContext *ctx, FiniteBody *it, const Case *c)
{
    uint32_t seed = 21;
    (void)c;
    random_state(ctx, it, &seed);
    evaluate(ctx, it, it->body.q, 0.1);
    StickSparse T = it->body.K;
    T.value = it->tangent;
    for (int j = 0; j < T.cols; j++)
        for (int k = T.start[j]; k < T.start[j + 1]; k++)
            assert_true(T.value[k] == T.value[stick_sparse_find(&T, j, T.row[k])]);
}

static void test_tangents_are_symmetric_to_the_bit(void **state)
{
    for_every_body(*state, 2, check_symmetry);
}

// ---- motions as a whole

// A rotation; in the plane about z.
static void rotation(int dim, double Q[3][3])
{
    double c = cos(0.8), s = sin(0.8), d = cos(1.1), e = sin(1.1);
    double of_plane[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    double of_space[3][3] = {{c, -s, 0}, {s * d, c * d, -e}, {s * e, c * e, d}};
    memcpy(Q, dim == 2 ? of_plane : of_space, sizeof of_plane);
}

static void turn(const FiniteBody *it, const double Q[3][3], const double *q, double *turned)
{
    const StickMesh *mesh = &it->body.grid.mesh;
    int dim = mesh->dim;
    for (int node = 0; node < mesh->nnodes; node++) {
        for (int i = 0; i < dim; i++) {
            double place = 0.3;
            for (int k = 0; k < dim; k++)
                place += Q[i][k] * (mesh->x[node * dim + k] + q[node * dim + k]);
            turned[node * dim + i] = place - mesh->x[node * dim + i];
        }
    }
}

static void check_turning(StickContext *ctx, FiniteBody *it, const Case *c)
{
    uint32_t seed = 3;
    int dim = it->body.grid.mesh.dim;
    double Q[3][3], *turned = grid_take((size_t)it->ndofs, sizeof *turned);
    double *force = grid_take((size_t)it->ndofs, sizeof *force);
    rotation(dim, Q);
    if (c->plane != STICK_AXISYMMETRIC) {
        turn(it, (const double(*)[3])Q, it->body.q, turned);
        evaluate(ctx, it, turned, 0.1);
        assert_below(largest(it->force, it->ndofs), 1e-13 * largest(it->body.K.value, it->nvalues));
        random_motion(it, 0.2, &seed, it->body.q);
        StickFiniteTask straight = evaluate(ctx, it, it->body.q, 0.1);
        memcpy(force, it->force, (size_t)it->ndofs * sizeof *force);
        turn(it, (const double(*)[3])Q, it->body.q, turned);
        StickFiniteTask aslant = evaluate(ctx, it, turned, 0.1);
        assert_near(aslant.energy, straight.energy, 1e-12 * (1 + straight.energy));
        for (int k = 0; k < it->ndofs; k++) {
            double along = 0;
            for (int j = 0; j < dim; j++)
                along += Q[k % dim][j] * force[k - k % dim + j];
            assert_near(it->force[k], along, 1e-12 * (1 + largest(force, it->ndofs)));
        }
    }
    free(turned);
    free(force);
}

static void test_turning_the_body_turns_its_forces(void **state)
{
    for_every_body(*state, 2, check_turning);
}

// ---- patch

// A homogeneous deformation leaves the nodes inside in equilibrium (of a ring: equal stretches across the axis).
static void check_patch(StickContext *ctx, FiniteBody *it, const Case *c)
{
    static const double A[3][3] = {{0.3, 0.4, 0.1}, {-0.2, -0.1, 0.2}, {0.1, 0.3, 0.2}};
    const StickMesh *mesh = &it->body.grid.mesh;
    int dim = mesh->dim;
    for (int node = 0; node < mesh->nnodes; node++)
        for (int i = 0; i < dim; i++)
            for (int k = 0; k < dim; k++)
                it->body.q[node * dim + i] +=
                    (c->plane != STICK_AXISYMMETRIC || i == k ? A[i][k] : 0) * mesh->x[node * dim + k];
    evaluate(ctx, it, it->body.q, 0.1);
    double scale = largest(it->force, it->ndofs);
    assert_true(scale > 0.01);
    for (int k = 0; k < it->ndofs; k++)
        if (!it->body.grid.outer[k / dim])
            assert_near(it->force[k], 0, 1e-13 * scale);
}

static void test_homogeneous_states_are_in_equilibrium(void **state)
{
    for_every_body(*state, 4, check_patch);
}

// ---- threads

static void test_bits_are_those_of_one_thread(void **state)
{
    StickContext *ctx = *state;
    const Case some[] = {cases[0], cases[5], cases[8]};
    for (int k = 0; k < 3; k++) {
        FiniteBody it;
        uint32_t seed = 5;
        finite_init(ctx, &it, case_grid(&some[k], some[k].shape == STICK_HEX8 ? 24 : 48), &some[k],
                    &materials[1]);
        double *force = grid_take((size_t)it.ndofs, sizeof *force);
        double *tangent = grid_take((size_t)it.nvalues, sizeof *tangent);
        random_motion(&it, 0.2, &seed, it.body.q);
        assert_ok(ctx, stick_threads_set(ctx, 1));
        StickFiniteTask one = evaluate(ctx, &it, it.body.q, 0.1);
        memcpy(force, it.force, (size_t)it.ndofs * sizeof *force);
        memcpy(tangent, it.tangent, (size_t)it.nvalues * sizeof *tangent);
        for (int threads = 2; threads <= 4; threads++) {
            assert_ok(ctx, stick_threads_set(ctx, threads));
            StickFiniteTask many = evaluate(ctx, &it, it.body.q, 0.1);
            assert_true(one.energy == many.energy && one.worst_volume == many.worst_volume);
            assert_memory_equal(force, it.force, (size_t)it.ndofs * sizeof *force);
            assert_memory_equal(tangent, it.tangent, (size_t)it.nvalues * sizeof *tangent);
        }
        free(force);
        free(tangent);
        finite_drop(ctx, &it);
    }
}

// ---- many elements at a node

enum { FAN = 150 };

// Triangles around one node.
static Grid fan(void)
{
    Grid grid = grid_make(STICK_TRI3, FAN / 2, 1, 1);
    StickMesh *mesh = &grid.mesh;
    mesh->nnodes = FAN + 1;
    for (int k = 0; k < FAN; k++) {
        double angle = 2 * 3.14159265358979323846 * k / FAN;
        mesh->x[2 * k] = cos(angle);
        mesh->x[2 * k + 1] = sin(angle);
        mesh->node[3 * k] = FAN;
        mesh->node[3 * k + 1] = k;
        mesh->node[3 * k + 2] = (k + 1) % FAN;
    }
    mesh->x[2 * FAN] = mesh->x[2 * FAN + 1] = 0;
    return grid;
}

static void test_more_elements_at_a_node_than_colours_of_a_round(void **state)
{
    const Case plain = {STICK_TRI3, STICK_PLANE_STRAIN, false, false};
    FiniteBody it;
    finite_init(*state, &it, fan(), &plain, &materials[0]);
    check_rest(*state, &it, &plain);
    check_tangent(*state, &it, &plain);
    finite_drop(*state, &it);
}

// ---- inverted elements

static void check_inverted(StickContext *ctx, FiniteBody *it, const Case *c)
{
    const StickMesh *mesh = &it->body.grid.mesh;
    (void)c;
    // the last element is turned inside out by its first node, far away
    int last = mesh->nelements - 1, node = mesh->node[mesh->start[last + 1] - 1];
    for (int i = 0; i < mesh->dim; i++)
        it->body.q[node * mesh->dim + i] = -5;
    StickFiniteTask task = evaluate(ctx, it, it->body.q, 0);
    assert_true(task.bad_element >= 0 && task.bad_element <= last);
}

static void test_inverted_elements_are_named(void **state)
{
    for_every_body(*state, 2, check_inverted);
}

// ---- augmentations

// One element, stretched in the plane and free across it only by its volume: p follows from lambda alone.
static void test_augmentation_takes_over_the_pressure(void **state)
{
    StickContext *ctx = *state;
    FiniteBody it;
    finite_init(ctx, &it, grid_make(STICK_QUAD4, 1, 1, 1), &cases[0], &materials[0]);
    const StickMesh *mesh = &it.body.grid.mesh;
    for (int node = 0; node < mesh->nnodes; node++)
        it.body.q[2 * node] = 0.1 * mesh->x[2 * node];
    double U1 = stick_volume_pressure(BULK, 1.1);
    evaluate(ctx, &it, it.body.q, 0);
    double right = 0;
    assert_near(it.past[0], 0, 0);
    assert_ok(ctx, stick_finite_augment(it.finite, it.body.q, 0, it.past));
    assert_near(it.past[0], U1, 1e-12 * U1);
    StickFiniteTask task = evaluate(ctx, &it, it.body.q, 0);
    assert_near(task.multiplier_energy, 0.1 * U1, 1e-12 * U1);
    assert_near(it.next[0], U1, 1e-12 * U1);
    for (int node = 0; node < mesh->nnodes; node++)
        right += mesh->x[2 * node] == 1 ? it.force[2 * node] : 0;
    // sigma_xx of F = diag(1.1, 1, 1) with p = 2 U', on a side of area 1
    double s = pow(1.1, -2.0 / 3), tau = SHEAR * s * (1.21 - (1.21 + 2) / 3) + 2 * U1 * 1.1;
    assert_near(right, tau / 1.1, 1e-12 * right);
    finite_drop(ctx, &it);
}

// ---- refusals and memory

static void test_what_is_refused(void **state)
{
    StickContext *ctx = *state;
    StickFinite *finite = NULL;
    Body bar, plane, joined;
    body_init(&bar, grid_make(STICK_BAR2, 2, 1, 1), &materials[0]);
    bar.continuum.name = "rod";
    assert_int_equal(stick_finite_create(ctx, &bar.continuum, &bar.K, &finite), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "'rod'"));
    assert_non_null(strstr(stick_last_error(ctx), "neo-hookean"));
    body_init(&plane, grid_make(STICK_QUAD4, 2, 2, 1), &materials[0]);
    plane.continuum.plane = STICK_PLANE_STRESS;
    assert_int_equal(stick_finite_create(ctx, &plane.continuum, &plane.K, &finite), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "plane stress"));
    plane.continuum.plane = STICK_PLANE_STRAIN;
    StickTriplets diagonal = {.rows = 18, .cols = 18};
    StickSparse poor;
    for (int i = 0; i < 18; i++)
        assert_ok(ctx, stick_triplets_add(ctx, &diagonal, i, i, 1));
    assert_ok(ctx, stick_sparse_from_triplets(ctx, &diagonal, &poor));
    assert_int_equal(stick_finite_create(ctx, &plane.continuum, &poor, &finite), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "has no entry"));
    stick_triplets_destroy(ctx, &diagonal);
    stick_sparse_destroy(ctx, &poor);
    body_init(&joined, grid_make(STICK_QUAD5, 2, 2, 1), &materials[0]);
    assert_int_equal(stick_finite_create(ctx, &joined.continuum, &joined.K, &finite), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(ctx), "quad5"));
    assert_null(finite);
    body_drop(ctx, &joined);
    body_drop(ctx, &bar);
    body_drop(ctx, &plane);
}

static StickStatus create_once(StickContext *ctx, void *data)
{
    Body *body = data;
    StickFinite *finite = NULL;
    double history[9 * 4 * STICK_MOST_MATERIAL_HISTORY], stress[9 * 6] = {0};
    StickFiniteFields fields = {.stress = stress};
    STICK_TRY(stick_finite_create(ctx, &body->continuum, &body->K, &finite));
    stick_finite_rest(finite, history);
    StickStatus status = stick_finite_fields(finite, body->q, history, &fields);
    stick_finite_destroy(finite);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    StickContext *ctx = *state;
    Body body;
    body_init(&body, grid_make(STICK_QUAD4, 2, 2, 1), &materials[3]);
    body_assemble(ctx, &body);
    assert_survives_failing_memory(create_once, &body);
    body_drop(ctx, &body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_at_rest_the_tangent_is_the_linear_stiffness),
        test_with_context(test_tangents_are_derivatives_of_forces_and_these_of_energies),
        test_with_context(test_forces_are_the_same_without_tangent_and_loss),
        test_with_context(test_tangents_are_symmetric_to_the_bit),
        test_with_context(test_turning_the_body_turns_its_forces),
        test_with_context(test_homogeneous_states_are_in_equilibrium),
        test_with_context(test_bits_are_those_of_one_thread),
        test_with_context(test_more_elements_at_a_node_than_colours_of_a_round),
        test_with_context(test_inverted_elements_are_named),
        test_with_context(test_augmentation_takes_over_the_pressure),
        test_with_context(test_what_is_refused),
        test_with_context(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

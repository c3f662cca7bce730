// SPDX-License-Identifier: Apache-2.0
// The matrix of a step: solves with prescribed velocities, and what happens when a body's matrix is singular.
#include "stepping/scene.h"

static void open_plates(Scene *scene, StickContext *ctx)
{
    scene_open(
        scene, ctx,
        "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000, viscosity: {shear: 50}}}\n"
        "bodies:\n"
        "  held: {mesh: {rectangle: {size: [1, 1], cells: [3, 2]}}, material: soft}\n"
        "  free: {mesh: {rectangle: {size: [1, 1], cells: [2, 3], origin: [2, 0]}}, material: soft}\n"
        "supports: [{on: held.left, velocity: [1, free]}, {on: held.top, displacement: [free, \"t\"]}]\n"
        "steps: [{dynamics: {step: 1e-3, end: 1}}]\n");
}

// y = A v over all bodies
static void multiply(const StickSystem *system, double a, double b, const double *v, double *y)
{
    for (int k = 0; k < system->nbodies; k++) {
        const StickBody *body = &system->body[k];
        for (int j = 0; j < body->ndofs; j++) {
            double sum = 0;
            for (int e = body->M.start[j]; e < body->M.start[j + 1]; e++)
                sum += (body->M.value[e] + a * body->C.value[e] + b * body->K.value[e]) *
                       v[body->first + body->M.row[e]];
            y[body->first + j] = sum;
        }
    }
}

static void solution_fulfils_the_free_rows(void **state)
{
    Scene scene;
    open_plates(&scene, *state);
    int n = scene.system->ndofs;
    double rhs[128], given[128], v[128], Av[128], a = 2e-3, b = 5e-6;
    assert_true(n <= 128);
    for (int i = 0; i < n; i++) {
        given[i] = rhs[i] = sin(1.0 + i);
        v[i] = scene.run->prescribed[i] ? cos(i) : 0;
    }
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, a, b));
    assert_ok(*state, stick_step_matrix_solve(scene.run->matrix, rhs, v));
    multiply(scene.system, a, b, v, Av);
    for (int i = 0; i < n; i++) {
        if (scene.run->prescribed[i])
            assert_true(v[i] == cos(i));
        else
            assert_near(Av[i], given[i], 1e-10);
    }
    scene_close(&scene);
}

// A correction by an impulse on one body leaves the supports and the other body as they were.
static void correction_moves_only_what_is_hit(void **state)
{
    Scene scene;
    open_plates(&scene, *state);
    int n = scene.system->ndofs, second = scene.system->body[1].first;
    double p[128] = {0}, v[128], Av[128], a = 2e-3, b = 5e-6;
    for (int i = 0; i < n; i++) {
        p[i] = i < second ? sin(1.0 + i) : 0;
        v[i] = 7;
    }
    double given[128];
    memcpy(given, p, sizeof given);
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, a, b));
    assert_ok(*state, stick_step_matrix_correct(scene.run->matrix, p, v));
    for (int i = 0; i < n; i++)
        v[i] -= 7;
    multiply(scene.system, a, b, v, Av);
    for (int i = 0; i < n; i++) {
        if (scene.run->prescribed[i] || i >= second)
            assert_true(v[i] == 0);
        else
            assert_near(Av[i], given[i], 1e-9);
    }
    scene_close(&scene);
}

// In halves it comes to where it comes at once.
static void assert_halves(const Scene *scene)
{
    StickStepMatrix *matrix = scene->run->matrix;
    int n = scene->system->ndofs, dof[512], ndofs = 0;
    double *rhs = calloc((size_t)n, sizeof *rhs), *p = calloc((size_t)n, sizeof *p),
           *whole = calloc((size_t)n, sizeof *whole), *v = calloc((size_t)n, sizeof *v), size = 0;
    for (int i = 0; i < n; i++) {
        rhs[i] = sin(1.0 + i);
        whole[i] = v[i] = scene->run->prescribed[i] ? cos(i) : 0;
        if (i % 13 == 0)
            dof[ndofs++] = i;
    }
    assert_ok(scene->ctx, stick_step_matrix_solve(matrix, rhs, whole));
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(whole[i]));
        rhs[i] = sin(1.0 + i);
    }
    assert_ok(scene->ctx, stick_step_matrix_begin(matrix, dof, ndofs, rhs, v));
    for (int k = 0; k < ndofs; k++)
        assert_near(v[dof[k]], whole[dof[k]], 1e-12 * size);
    for (int i = 0; i < n; i += 13)
        p[i] = cos(i);
    assert_ok(scene->ctx, stick_step_matrix_end(matrix, p, v));
    assert_ok(scene->ctx, stick_step_matrix_correct(matrix, p, whole));
    for (int i = 0; i < n; i++)
        assert_near(v[i], whole[i], 1e-12 * size);
    free(rhs);
    free(p);
    free(whole);
    free(v);
}

// Bodies with small factors, with large ones and by modes; then the large one has a tangent that is not definite.
static void halves_make_a_whole(void **state)
{
    Scene scene;
    scene_open(
        &scene, *state,
        "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
        "bodies:\n"
        "  small: {mesh: {rectangle: {size: [1, 1], cells: [3, 2]}}, material: soft}\n"
        "  large: {mesh: {rectangle: {size: [1, 1], cells: [50, 50], origin: [2, 0]}}, material: soft}\n"
        "  modal: {mesh: {rectangle: {size: [1, 1], cells: [3, 2], origin: [4, 0]}}, material: soft,\n"
        "          modes: {count: 6}}\n"
        "supports: [{on: small.left, velocity: [1, free]}, {on: large.left, displacement: [0, \"t\"]}]\n"
        "steps: [{dynamics: {step: 1e-3, end: 1}}]\n");
    const StickSparse *K = &scene.system->body[1].K;
    int entries = K->start[K->cols];
    double *tangent = calloc((size_t)entries, sizeof *tangent);
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, 2e-3, 5e-6));
    assert_halves(&scene);
    for (int e = 0; e < entries; e++)
        tangent[e] = -3 * K->value[e];
    stick_step_matrix_tangent(scene.run->matrix, 1, tangent);
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, 2e-3, 5e-6));
    assert_int_equal(stick_step_matrix_indefinite(scene.run->matrix), 1);
    assert_halves(&scene);
    free(tangent);
    scene_close(&scene);
}

// An incomplete set of factors is never used: after a failure the old coefficients are factored again. For the second
// bar M = [2 1; 1 2] and K = [1 -1; -1 1], so that M - 2 K begins with a zero.
static void failed_factor_is_forgotten(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {one: {law: elastic, young: 4, poisson: 0, density: 6},\n"
               "            two: {law: elastic, young: 1, poisson: 0, density: 6}}\n"
               "bodies:\n"
               "  first: {mesh: {bar: {length: 1, elements: 1}}, material: one}\n"
               "  second: {mesh: {bar: {length: 1, elements: 1, origin: [2]}}, material: two}\n"
               "steps: [{dynamics: {step: 1, end: 1}}]\n");
    StickStepMatrix *matrix = scene.run->matrix;
    assert_ok(*state, stick_step_matrix_set(matrix, 1, 0, 1));
    int generation = stick_step_matrix_generation(matrix);
    const StickBody *second = &scene.system->body[1];
    double singular = -second->M.value[0] / second->K.value[0];
    assert_near(singular, -2, 1e-12);
    assert_int_equal(stick_step_matrix_set(matrix, 1, 0, singular), STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "not positive definite"));
    assert_ok(*state, stick_step_matrix_set(matrix, 1, 0, 1));
    assert_int_equal(stick_step_matrix_generation(matrix), generation + 1);
    double rhs[] = {1, 0, 1, 0}, v[4] = {0};
    assert_ok(*state, stick_step_matrix_solve(matrix, rhs, v));
    assert_near(v[0], 2.0 / 9, 1e-14); // [6 -3; -3 6] v = (1, 0)
    assert_near(v[2], 1.0 / 3, 1e-14); // [3 0; 0 3] v = (1, 0)
    scene_close(&scene);
}

// A tangent stands for K of its body alone, be it positive definite or not; without one K is there again.
static void tangents_stand_for_stiffnesses(void **state)
{
    Scene scene;
    open_plates(&scene, *state);
    StickStepMatrix *matrix = scene.run->matrix;
    const StickBody *body = &scene.system->body[0];
    int n = scene.system->ndofs, entries = body->K.start[body->ndofs];
    double *tangent = calloc((size_t)entries, sizeof *tangent), a = 2e-3, b = 5e-6;
    static const double factors[] = {2, -3, 1};
    for (int k = 0; k < 3; k++) {
        double rhs[128], given[128], v[128], Av[128], Cv[128];
        int others = stick_step_matrix_body_generation(matrix, 1);
        for (int e = 0; e < entries; e++)
            tangent[e] = factors[k] * body->K.value[e];
        stick_step_matrix_tangent(matrix, 0, k < 2 ? tangent : NULL);
        assert_ok(*state, stick_step_matrix_set(matrix, 1, a, b));
        assert_int_equal(stick_step_matrix_indefinite(matrix), k == 1);
        if (k == 1)
            assert_int_equal(stick_step_matrix_body_generation(matrix, 1), others);
        for (int i = 0; i < n; i++) {
            given[i] = rhs[i] = sin(1.0 + i);
            v[i] = scene.run->prescribed[i] ? cos(i) : 0;
        }
        assert_ok(*state, stick_step_matrix_solve(matrix, rhs, v));
        multiply(scene.system, a, factors[k] * b, v, Av);
        multiply(scene.system, a, b, v, Cv);
        for (int i = 0; i < n; i++)
            if (!scene.run->prescribed[i])
                assert_near(i < body->ndofs ? Av[i] : Cv[i], given[i], 1e-9);
    }
    free(tangent);
    scene_close(&scene);
}

static void free_places_are_numbered_through(void **state)
{
    Scene scene;
    open_plates(&scene, *state);
    for (int b = 0; b < 2; b++) {
        const StickBody *body = &scene.system->body[b];
        int next = 0;
        for (int i = 0; i < body->ndofs; i++) {
            int place = stick_step_matrix_free(scene.run->matrix, b, i);
            assert_int_equal(place, scene.run->prescribed[body->first + i] ? -1 : next++);
        }
        assert_int_equal(stick_step_matrix_order(scene.run->matrix, b), next);
    }
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(solution_fulfils_the_free_rows),
        test_with_context(correction_moves_only_what_is_hit),
        test_with_context(halves_make_a_whole),
        test_with_context(failed_factor_is_forgotten),
        test_with_context(tangents_stand_for_stiffnesses),
        test_with_context(free_places_are_numbered_through),
    };
    return cmocka_run_group_tests_name("step_matrix", tests, NULL, NULL);
}

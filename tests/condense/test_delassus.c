// SPDX-License-Identifier: Apache-2.0
// Condensation: W is H' A^-1 H, its columns are solved for once per factor, and it is symmetric to the bit.
#include "stepping/scene.h"

#include <lapacke.h>

// Two blocks on each other on a floor, with a support through the middle of the contacts.
static void open_blocks(Scene *scene, StickContext *ctx)
{
    scene_open(
        scene, ctx,
        "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000, rayleigh: {mass: 3}}}\n"
        "bodies:\n"
        "  lower: {mesh: {rectangle: {size: [1, 0.4], cells: [4, 2]}}, material: soft, velocity: [0.3, 0]}\n"
        "  upper: {mesh: {rectangle: {size: [0.7, 0.4], cells: [3, 2], origin: [0.1, 0.4]}}, material: "
        "soft,\n"
        "          velocity: [1, 0]}\n"
        "  alone: {mesh: {rectangle: {size: [1, 0.4], cells: [2, 2], origin: [3, 0]}}, material: soft}\n"
        "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "supports: [{on: lower.left, displacement: [0, free]}]\n"
        "gravity: [0, -10]\n"
        "contacts:\n"
        "  - {between: [upper.bottom, lower.top], friction: 0.2}\n"
        "  - {between: [lower.bottom, floor], friction: 0.1}\n"
        "  - {between: [alone.bottom, floor], friction: 0.1}\n"
        "steps: [{dynamics: {scheme: theta, theta: 0.6, step: 1e-3, end: 1}}]\n");
}

// A = M + h theta C + h^2 theta^2 K over the whole system, with rows and columns of supports replaced by the
// identity.
static double *dense_matrix(const Scene *scene, int n)
{
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), a = 1e-3 * 0.6, b = a * a;
    assert_non_null(A);
    for (int k = 0; k < scene->system->nbodies; k++) {
        const StickBody *body = &scene->system->body[k];
        for (int j = 0; j < body->ndofs; j++) {
            for (int e = body->M.start[j]; e < body->M.start[j + 1]; e++) {
                int row = body->first + body->M.row[e], col = body->first + j;
                if (!scene->run->prescribed[row] && !scene->run->prescribed[col])
                    A[col * n + row] = body->M.value[e] + a * body->C.value[e] + b * body->K.value[e];
            }
        }
    }
    for (int i = 0; i < n; i++)
        if (scene->run->prescribed[i])
            A[i * n + i] = 1;
    return A;
}

// H by columns, with zeros at supports.
static double *dense_H(const Scene *scene, int n, int m)
{
    const StickContactSet *set = &scene->run->contacts;
    double *H = calloc((size_t)n * (size_t)m, sizeof *H);
    assert_non_null(H);
    for (int c = 0; c < set->ncontacts; c++) {
        const StickContact *contact = &set->contact[c];
        for (int e = contact->first; e < contact->first + contact->count; e++)
            for (int k = 0; k < set->dim && !scene->run->prescribed[set->dof[e]]; k++)
                H[(c * set->dim + k) * n + set->dof[e]] += set->H[e * set->dim + k];
    }
    return H;
}

static double block_entry(const StickBlocks *W, int i, int j)
{
    int d = W->d;
    for (int k = W->start[i / d]; k < W->start[i / d + 1]; k++)
        if (W->col[k] == j / d)
            return W->value[k * d * d + (i % d) * d + j % d];
    return 0;
}

static void blocks_are_the_dense_product(void **state)
{
    Scene scene;
    open_blocks(&scene, *state);
    scene_steps(&scene, 3);
    const StickBlocks *W = scene.run->W;
    int n = scene.system->ndofs, m = scene.run->contacts.ncontacts * 2;
    assert_true(m >= 20);
    double *A = dense_matrix(&scene, n), *H = dense_H(&scene, n, m), *X = dense_H(&scene, n, m), scale = 0;
    assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, m, A, n, X, n), 0);
    for (int i = 0; i < m; i++)
        scale = fmax(scale, block_entry(W, i, i));
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            double dense = 0;
            for (int k = 0; k < n; k++)
                dense += H[i * n + k] * X[j * n + k];
            assert_near(block_entry(W, i, j), dense, 1e-12 * scale);
        }
    }
    free(A);
    free(H);
    free(X);
    scene_close(&scene);
}

static void blocks_are_symmetric_to_the_bit(void **state)
{
    Scene scene;
    open_blocks(&scene, *state);
    for (int step = 0; step < 20; step++) {
        scene_step(&scene);
        int m = scene.run->contacts.ncontacts * 2;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < i; j++)
                assert_true(block_entry(scene.run->W, i, j) == block_entry(scene.run->W, j, i));
    }
    scene_close(&scene);
}

// Contacts of bodies that do not touch each other have no common block.
static void bodies_apart_are_not_coupled(void **state)
{
    Scene scene;
    open_blocks(&scene, *state);
    scene_step(&scene);
    const StickContactSet *set = &scene.run->contacts;
    int coupled = 0;
    for (int c = 0; c < set->ncontacts; c++) {
        for (int k = scene.run->W->start[c]; k < scene.run->W->start[c + 1]; k++) {
            int d = scene.run->W->col[k];
            assert_true((set->contact[c].pair == 2) == (set->contact[d].pair == 2));
            coupled += set->contact[c].pair != set->contact[d].pair;
        }
    }
    assert_true(coupled > 0);
    scene_close(&scene);
}

// A disk rolls through many frames and contacts: no column of the compliance is solved for twice.
static void turning_frames_need_no_new_solves(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {law: elastic, young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {disk: {mesh: {disk: {radius: 0.2, core: [4, 4], rings: 1, centre: [0, 0.2]}}, "
               "material: soft,\n"
               "                velocity: [2, -1]}}\n"
               "obstacles: {bowl: {circle: {centre: [0, 1], radius: 1, side: inside}}}\n"
               "contacts: [{between: [disk.outer, bowl], friction: 0.5}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 0.6, step: 2e-3, end: 1}}]\n");
    long most = 2L * scene_group(&scene, 0, "outer")->nnodes;
    int contacts = 0, turned = 0;
    long after_first = 0;
    for (int i = 0; i < 60; i++) {
        scene_step(&scene);
        contacts += scene.run->contacts.ncontacts;
        turned +=
            scene.run->contacts.ncontacts > 0 && fabs(scene.run->contacts.contact[0].frame[0][0]) > 0.01;
        if (after_first == 0)
            after_first = stick_delassus_solves(scene.run->delassus);
    }
    assert_true(contacts > 20 && turned > 10);
    assert_true(after_first > 0);
    assert_true(stick_delassus_solves(scene.run->delassus) <= most);
    scene_close(&scene);
}

// Another time step is another matrix: its columns are solved for again, once.
static void new_factor_makes_new_columns(void **state)
{
    Scene scene;
    open_blocks(&scene, *state);
    scene_step(&scene);
    const StickBlocks *W;
    long solves = stick_delassus_solves(scene.run->delassus);
    int generation = stick_step_matrix_generation(scene.run->matrix);
    assert_ok(*state, stick_delassus_blocks(scene.run->delassus, &scene.run->contacts, &W));
    assert_int_equal(stick_delassus_solves(scene.run->delassus), solves);
    double before = W->value[0];
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, 6e-4, 3.6e-7));
    assert_int_equal(stick_step_matrix_generation(scene.run->matrix), generation);
    assert_ok(*state, stick_step_matrix_set(scene.run->matrix, 1, 6e-3, 3.6e-5));
    assert_int_equal(stick_step_matrix_generation(scene.run->matrix), generation + 1);
    assert_ok(*state, stick_delassus_blocks(scene.run->delassus, &scene.run->contacts, &W));
    assert_int_equal(stick_delassus_solves(scene.run->delassus), 2 * solves);
    assert_true(W->value[0] < before);
    scene_close(&scene);
}

// Contacts that are as they were have the W that they had; one column of H that differs is seen.
static void the_same_contacts_have_the_same_blocks(void **state)
{
    Scene scene;
    const StickBlocks *W;
    open_blocks(&scene, *state);
    scene_step(&scene);
    StickContactSet *set = &scene.run->contacts;
    size_t last = (size_t)scene.run->W->start[set->ncontacts] * 4;
    double *before = malloc(last * sizeof *before);
    assert_non_null(before);
    memcpy(before, scene.run->W->value, last * sizeof *before);
    assert_ok(*state, stick_delassus_blocks(scene.run->delassus, set, &W));
    assert_memory_equal(W->value, before, last * sizeof *before);
    const StickContact *turned = &set->contact[set->ncontacts - 1];
    for (int e = 2 * turned->first; e < 2 * (turned->first + turned->count); e++)
        set->H[e] = -set->H[e];
    assert_ok(*state, stick_delassus_blocks(scene.run->delassus, set, &W));
    // its own block stays, those that it shares with others turn
    assert_memory_equal(W->value + last - 4, before + last - 4, 4 * sizeof *before);
    assert_true(W->value[last - 8] == -before[last - 8] && before[last - 8] != 0);
    for (int e = 2 * turned->first; e < 2 * (turned->first + turned->count); e++)
        set->H[e] = -set->H[e];
    assert_ok(*state, stick_delassus_blocks(scene.run->delassus, set, &W));
    assert_memory_equal(W->value, before, last * sizeof *before);
    free(before);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(blocks_are_the_dense_product),
        test_with_context(blocks_are_symmetric_to_the_bit),
        test_with_context(bodies_apart_are_not_coupled),
        test_with_context(turning_frames_need_no_new_solves),
        test_with_context(new_factor_makes_new_columns),
        test_with_context(the_same_contacts_have_the_same_blocks),
    };
    return cmocka_run_group_tests_name("delassus", tests, NULL, NULL);
}

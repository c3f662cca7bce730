// SPDX-License-Identifier: Apache-2.0
// Many rigid bodies: a step has the same bits on any number of threads, contacts recall who they were, and W is
// symmetric and what its definition says.
#include "brief.h"
#include "stepping/scene.h"

#include "base/pool.h"
#include "contact/rigid_pairs.h"

#include <string.h>

// Disks and hexagons, in turns, fall into the hollows of the layer below.
static const char heap[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 1}}\n"
    "bodies:\n"
    "  disk: {rigid: {disk: 1}, material: stone, repeat: {i: [0, 99], j: [0, 2]},\n"
    "         position: [\"1 + 2*i + 1e-3*sin(7*i + 3*j)\", \"1 + 3.115*j + 1e-3*sin(5*i + j)\"]}\n"
    "  block: {rigid: {polygon: [[0, -1], [0.8, -0.5], [0.8, 0.5], [0, 1], [-0.8, 0.5], [-0.8, -0.5]]},\n"
    "          material: stone, repeat: {i: [0, 98], j: [0, 2]},\n"
    "          position: [\"2 + 2*i\", \"2.56 + 3.115*j + 1e-3*sin(4*i)\"]}\n"
    "  shelf: {rigid: {box: [40, 1]}, material: stone, position: [100, 10.297]}\n"
    "supports: [{on: shelf, velocity: [free, -0.01]}]\n"
    "obstacles:\n"
    "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
    "  left: {plane: {point: [0, 0], normal: [1, 0]}}\n"
    "  right: {plane: {point: [200, 0], normal: [-1, 0]}}\n"
    "gravity: [0, -1]\n"
    "contacts: [{between: [all, all], friction: 0.3}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 2e-2, end: 10, overlap: accept}}]\n";

// Balls between boxes, in columns.
static const char columns[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 1}}\n"
    "bodies:\n"
    "  ball: {rigid: {sphere: 1}, material: stone, repeat: {i: [0, 15], j: [0, 15], k: [0, 1]},\n"
    "         position: [\"1 + 2*i + 1e-3*sin(7*i + 3*j)\", \"1 + 2*j\", \"1 + 3*k + 1e-4*sin(5*i + j)\"]}\n"
    "  slab: {rigid: {box: [3, 1.9, 1]}, material: stone, repeat: {i: [0, 7], j: [0, 15], k: [0, 1]},\n"
    "         position: [\"2 + 4*i\", \"1 + 2*j\", \"2.5 + 3*k\"], angular-velocity: [0, 0, 0.01]}\n"
    "obstacles:\n"
    "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "  west: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}\n"
    "gravity: [0, 0, -1]\n"
    "contacts: [{between: [all, all], friction: 0.3}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 2e-2, end: 10, overlap: accept}}]\n";

static int steps(void)
{
    return test_size(6, 2);
}

static void open_on_threads(Scene *scene, StickContext *ctx, const char *text, int nthreads)
{
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    *scene = (Scene){.ctx = ctx};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &scene->model));
    assert_ok(ctx, stick_system_create(ctx, scene->model, &scene->system));
    scene->model->step[0].threads = nthreads;
    assert_ok(ctx, stick_simulation_create(ctx, scene->system, &scene->model->step[0], &scene->run));
    assert_ok(ctx, stick_simulation_start(scene->run, NULL));
}

static void check_same(const StickSimulation *alone, const StickSimulation *together)
{
    size_t n = (size_t)alone->state.n * sizeof(double);
    int contacts = alone->contacts.ncontacts, dim = alone->system->dim;
    assert_int_equal(together->contacts.ncontacts, contacts);
    assert_true(contacts > STICK_PIECE);
    assert_memory_equal(together->state.now.q, alone->state.now.q, n);
    assert_memory_equal(together->state.now.v, alone->state.now.v, n);
    assert_memory_equal(together->r, alone->r, (size_t)(contacts * dim) * sizeof *alone->r);
    assert_memory_equal(&together->ledger, &alone->ledger, sizeof alone->ledger);
    assert_memory_equal(&together->certificate.error, &alone->certificate.error, sizeof(double));
}

static void compare_threads(StickContext *ctx, const char *text)
{
    Scene alone, together;
    open_on_threads(&alone, ctx, text, 1);
    for (int k = 0; k < steps(); k++)
        scene_step(&alone);
    for (int nthreads = test_size(2, 5); nthreads <= 5; nthreads += 3) {
        open_on_threads(&together, ctx, text, nthreads);
        for (int k = 0; k < steps(); k++)
            scene_step(&together);
        check_same(alone.run, together.run);
        scene_close(&together);
    }
    scene_close(&alone);
}

static void any_number_of_threads_gives_the_same_bits_in_the_plane(void **state)
{
    if (test_is_brief())
        skip(); // bodies in space take the same steps
    compare_threads(*state, heap);
}

static void any_number_of_threads_gives_the_same_bits_in_space(void **state)
{
    compare_threads(*state, columns);
}

// ---- W

// A^-1 H of one column of a contact
static void respond(StickSimulation *run, int c, int k, double *p, double *v)
{
    const StickContactSet *set = &run->contacts;
    const StickContact *contact = &set->contact[c];
    memset(p, 0, (size_t)run->state.n * sizeof *p);
    memset(v, 0, (size_t)run->state.n * sizeof *v);
    for (int e = contact->first; e < contact->first + contact->count; e++)
        p[set->dof[e]] += set->H[e * set->dim + k];
    assert_ok(run->ctx, stick_step_matrix_correct(run->matrix, p, v));
}

// Every seventh row of W (with sanitizers every seventieth) against H' A^-1 H of all contacts, and both halves of W against each other.
static void check_W(StickContext *ctx, const char *text)
{
    Scene scene;
    open_on_threads(&scene, ctx, text, 2);
    for (int k = 0; k < steps(); k++)
        scene_step(&scene);
    StickSimulation *run = scene.run;
    const StickBlocks *W = run->W;
    int dim = W->d, n = W->n;
    double *u = test_malloc((size_t)(n * dim) * sizeof *u);
    for (int c = 0; c < n; c += test_size(7, 70)) {
        for (int k = 0; k < dim; k++) {
            respond(run, c, k, run->work, run->rhs);
            stick_contact_velocity(&run->contacts, run->rhs, u);
            for (int at = W->start[c]; at < W->start[c + 1]; at++) {
                const double *block = W->value + at * dim * dim;
                for (int l = 0; l < dim; l++) {
                    assert_near(block[k * dim + l], u[W->col[at] * dim + l], 1e-13);
                    u[W->col[at] * dim + l] = 0;
                }
            }
            assert_true(stick_simulation_largest(u, n * dim) == 0); // nothing else moves
        }
    }
    for (int c = 0; c < n; c++)
        for (int at = W->start[c]; at < W->start[c + 1]; at++)
            for (int other = W->start[W->col[at]]; other < W->start[W->col[at] + 1]; other++)
                for (int i = 0; i < dim * dim && W->col[other] == c; i++)
                    assert_true(W->value[at * dim * dim + i] ==
                                W->value[other * dim * dim + i % dim * dim + i / dim]);
    test_free(u);
    scene_close(&scene);
}

static void W_is_what_contacts_do_to_each_other(void **state)
{
    check_W(*state, heap);
    if (!test_is_brief())
        check_W(*state, columns);
}

// ---- memory

// The next step starts from the impulses of this one, contact by contact.
static void contacts_recall_their_impulses(void **state)
{
    Scene scene;
    open_on_threads(&scene, *state, heap, 2);
    for (int k = 0; k < steps(); k++)
        scene_step(&scene);
    StickSimulation *run = scene.run;
    StickContactMemory *memory = &run->state.memory;
    int known = 0, nkeyed = memory->nkeyed;
    StickKeyedMemory *before = test_malloc((size_t)nkeyed * sizeof *before);
    memcpy(before, memory->keyed, (size_t)nkeyed * sizeof *before);
    scene_step(&scene);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        StickContactKey key = stick_contact_key(&run->contacts.contact[c]);
        double r[2] = {0};
        for (int k = 0; k < nkeyed; k++)
            if (stick_contact_key_compare(&before[k].key, &key) == 0) {
                memcpy(r, before[k].r, sizeof r);
                known++;
            }
        assert_memory_equal(&run->guess[2 * c], r, sizeof r);
    }
    assert_true(known > 100);
    test_free(before);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(any_number_of_threads_gives_the_same_bits_in_the_plane),
        test_with_context(any_number_of_threads_gives_the_same_bits_in_space),
        test_with_context(W_is_what_contacts_do_to_each_other),
        test_with_context(contacts_recall_their_impulses),
    };
    return cmocka_run_group_tests_name("stepping.many", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Contacts of rigid bodies: which are found, who they are from step to step, and that H is how gaps change.
#include "contact/rigid_pairs.h"

#include "base/memory.h"
#include "check.h"

#include <string.h>

static const char blocks[] =
    "stickslip: 1\n"
    "materials: {stone: {density: 2500}, ice: {density: 900}}\n"
    "bodies:\n"
    "  block: {rigid: {box: [1, 1]}, material: stone, repeat: {i: [0, 2]}, position: [\"0.1*i\", \"0.5 + "
    "i\"]}\n"
    "  disk: {rigid: {disk: 0.5}, material: ice, position: [1.25, 0.5]}\n"
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "contacts: [{between: all, friction: 0.3}, {between: [ice, floor], friction: 0.1}]\n"
    "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n";

typedef struct Found {
    StickModel *model;
    StickSystem *system;
    StickPairs *pairs;
    StickContactSet set;
    double *q;
} Found;

static void open_blocks(StickContext *ctx, Found *found)
{
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = blocks, .count = strlen(blocks)};
    *found = (Found){0};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &found->model));
    assert_ok(ctx, stick_system_create(ctx, found->model, &found->system));
    assert_ok(ctx, stick_pairs_create(ctx, found->system, &found->pairs));
    found->q = stick_alloc(ctx, (size_t)found->system->ndofs, sizeof *found->q);
    assert_non_null(found->q);
}

static void close_blocks(StickContext *ctx, Found *found)
{
    stick_free(ctx, found->q);
    stick_contact_set_destroy(ctx, &found->set);
    stick_pairs_destroy(found->pairs);
    stick_system_destroy(found->system);
    stick_model_destroy(found->model);
}

static void detect(StickContext *ctx, Found *found, double reach)
{
    StickDetection where = {.h = 1e-3, .q = found->q, .reach = reach};
    assert_ok(ctx, stick_pairs_detect(found->pairs, &where, &found->set));
}

static void contacts_are_sorted_and_have_their_rules(void **state)
{
    Found found;
    open_blocks(*state, &found);
    detect(*state, &found, 0);
    // two of the lowest block on the floor, two each on top of it, one of the disk; the disk does not touch the blocks
    assert_int_equal(found.set.ncontacts, 7);
    for (int c = 1; c < found.set.ncontacts; c++) {
        StickContactKey before = stick_contact_key(&found.set.contact[c - 1]),
                        key = stick_contact_key(&found.set.contact[c]);
        assert_true(stick_contact_key_compare(&before, &key) < 0);
    }
    for (int c = 0; c < found.set.ncontacts; c++) {
        const StickContact *contact = &found.set.contact[c];
        assert_int_equal(contact->rule, contact->body[0] == 3);
        assert_near(contact->gap, 0, 1e-15);
    }
    detect(*state, &found, 0.3);
    assert_int_equal(found.set.ncontacts, 8);
    close_blocks(*state, &found);
}

// Sliding and tilting by little changes no name.
static void names_stay_while_the_same_corners_touch(void **state)
{
    Found found;
    StickContactKey key[16];
    open_blocks(*state, &found);
    detect(*state, &found, 0.01);
    int count = found.set.ncontacts;
    for (int c = 0; c < count; c++)
        key[c] = stick_contact_key(&found.set.contact[c]);
    for (int step = 1; step < 20; step++) {
        found.q[3] = 0.002 * step;
        found.q[5] = 1e-4 * step;
        found.q[6] = -0.003 * step;
        detect(*state, &found, 0.01);
        assert_int_equal(found.set.ncontacts, count);
        for (int c = 0; c < count; c++) {
            StickContactKey now = stick_contact_key(&found.set.contact[c]);
            assert_int_equal(stick_contact_key_compare(&now, &key[c]), 0);
        }
    }
    close_blocks(*state, &found);
}

static void normal_velocities_are_how_gaps_change(void **state)
{
    Found found;
    double gap[16], u[32], v[12], h = 1e-7;
    open_blocks(*state, &found);
    for (int i = 0; i < found.system->ndofs; i++)
        v[i] = 0.1 * ((7 * i) % 5) - 0.15;
    detect(*state, &found, 0.01);
    int count = found.set.ncontacts;
    stick_contact_velocity(&found.set, v, u);
    for (int c = 0; c < count; c++)
        gap[c] = found.set.contact[c].gap;
    for (int i = 0; i < found.system->ndofs; i++)
        found.q[i] = h * v[i];
    detect(*state, &found, 0.01);
    assert_int_equal(found.set.ncontacts, count);
    for (int c = 0; c < count; c++)
        assert_near(u[2 * c], (found.set.contact[c].gap - gap[c]) / h, 1e-6);
    close_blocks(*state, &found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(contacts_are_sorted_and_have_their_rules),
        test_with_context(names_stay_while_the_same_corners_touch),
        test_with_context(normal_velocities_are_how_gaps_change),
    };
    return cmocka_run_group_tests_name("rigid_pairs", tests, NULL, NULL);
}

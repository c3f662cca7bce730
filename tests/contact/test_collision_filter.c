// SPDX-License-Identifier: Apache-2.0
// Pairs that joints keep from touching.
#include "contact/collision_filter.h"

#include "check.h"

#include <string.h>

static const char chain[] = "stickslip: 1\n"
                            "bodies:\n"
                            "  bar: {rigid: {box: [1, 1], mass: 1}, repeat: {i: [0, 3]}, position: [i, 0]}\n"
                            "obstacles:\n"
                            "  wall: {plane: {point: [-9, 0], normal: [1, 0]}}\n"
                            "  floor: {plane: {point: [0, -9], normal: [0, 1]}}\n"
                            "contacts: [{between: all}]\n"
                            "joints:\n"
                            "  - {pin: {between: ['bar[3]', 'bar[1]'], at: [0, 0]}}\n"
                            "  - {pin: {between: ['bar[2]', floor], at: [0, 0]}}\n"
                            "  - {pin: {between: ['bar[0]', 'bar[1]'], at: [0, 0]}}\n"
                            "  - {pin: {between: ['bar[0]', 'bar[2]'], at: [0, 0]}, collide: true}\n"
                            "  - {pin: {between: ['bar[0]'], at: [0, 0]}}\n"
                            "steps: [{dynamics: {scheme: moreau, step: 1e-3, end: 1}}]\n";

static StickModel *read_chain(StickContext *ctx)
{
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = chain, .count = strlen(chain)};
    StickModel *model = NULL;
    assert_ok(ctx, stick_model_read_text(ctx, &source, &model));
    return model;
}

static void only_what_joints_hold_is_parted(void **state)
{
    StickContext *ctx = *state;
    StickModel *model = read_chain(ctx);
    StickCollisionFilter parted;
    assert_ok(ctx, stick_collision_filter_create(ctx, model, &parted));
    assert_int_equal(parted.count, 3);
    assert_true(stick_collision_filter_has(&parted, 0, 1));
    assert_true(stick_collision_filter_has(&parted, 1, 3));
    assert_true(stick_collision_filter_has(&parted, 2, -1 - 1)); // the floor
    assert_false(stick_collision_filter_has(&parted, 2, -1 - 0));
    assert_false(stick_collision_filter_has(&parted, 0, 2));  // they may collide
    assert_false(stick_collision_filter_has(&parted, 0, -1)); // held in space, not by the wall
    stick_collision_filter_destroy(ctx, &parted);
    stick_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(only_what_joints_hold_is_parted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

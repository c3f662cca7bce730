// SPDX-License-Identifier: Apache-2.0
// Every shape of the model file becomes the solid that it names: volume, place and direction.
#include "model/rigid_models.h"

#include "bodies/make_rigid.h"

static const double pi = 3.14159265358979323846;

typedef struct Made {
    StickModel *model;
    StickSolid solid;
} Made;

static void make(StickContext *ctx, const char *shape, Made *made)
{
    char text[1000];
    snprintf(text, sizeof text, STONES "bodies: {a: {rigid: %s, material: stone}}\n" QUAKE, shape);
    assert_ok(ctx, read_rigid(ctx, text, &made->model));
    assert_ok(ctx, stick_make_solid(ctx, &made->model->body[0], 16, &made->solid));
}

static void forget(StickContext *ctx, Made *made)
{
    stick_solid_destroy(ctx, &made->solid);
    stick_model_destroy(made->model);
}

static void shapes_have_their_volume(void **state)
{
    static const struct {
        const char *shape;
        double volume;
        double inertia; // in the plane, and in space about z
    } of[] = {
        {"{box: [2, 3]}", 6, 6 * 13. / 12},
        {"{disk: 2}", 4 * pi, 8 * pi},
        {"{polygon: [[0, 0], [0, 2], [1, 2], [1, 0]]}", 2, 2 * 5. / 12},
        // a rectangle 1 x 2 and a disk of radius 1/2, cut in halves
        {"{stadium: {radius: 0.5, length: 2}}", 2 + pi / 4, 0},
        {"{sphere: 2}", 32 * pi / 3, 128 * pi / 3 * 0.4},
        {"{box: [1, 2, 3]}", 6, 6 * 5. / 12},
        {"{capsule: {radius: 0.5, length: 2}}", pi / 2 + pi / 6, pi / 2 * 0.125 + pi / 6 * 0.1},
        {"{cylinder: {radius: 0.5, length: 2}}", pi / 2, pi / 2 * 0.125},
        {"{hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}", 1. / 6, 0},
        {"{compound: [{disk: 1}, {box: [2, 2], position: [3, 0]}]}", pi + 4, 0},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        Made made;
        make(*state, of[k].shape, &made);
        assert_near(made.solid.volume, of[k].volume, 1e-12 * of[k].volume);
        if (of[k].inertia > 0)
            assert_near(made.solid.inertia[8], of[k].inertia, 1e-12 * of[k].inertia);
        forget(*state, &made);
    }
}

// Stadia stand along y, capsules and cylinders along z.
static void long_shapes_stand_upright(void **state)
{
    static const struct {
        const char *shape;
        int axis;
    } of[] = {
        {"{stadium: {radius: 0.5, length: 2}}", 1},
        {"{compound: [{stadium: {radius: 0.5, length: 2}, rotation: deg(90)}]}", 0},
        {"{capsule: {radius: 0.5, length: 2}}", 2},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        Made made;
        make(*state, of[k].shape, &made);
        const StickConvex *shape = &made.solid.shape[0];
        assert_int_equal(shape->kind, STICK_SHAPE_CAPSULE);
        assert_near(shape->half_length, 1, 1e-15);
        for (int i = 0; i < 3; i++)
            assert_near(fabs(shape->axis[i]), i == of[k].axis, 1e-15);
        forget(*state, &made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(shapes_have_their_volume),
        test_with_context(long_shapes_stand_upright),
    };
    return cmocka_run_group_tests_name("bodies.make_rigid", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Stacks whose masses differ by up to 1e8 against closed forms: at rest, sliding together just above the angle of friction, where a light
// body between heavy ones is in neutral equilibrium, sliding of the top alone, and pushed from the side. Beyond 1e6 a run may end
// instead of being right.
#include "stepping/scene.h"

#include <string.h>

typedef enum Order { HEAVY_ON_LIGHT, LIGHT_ON_HEAVY, GROWING, ALTERNATING, SHRINKING, NORDERS } Order;

static double mass(Order order, int i, int n, double ratio)
{
    switch (order) {
    case HEAVY_ON_LIGHT:
        return i == n - 1 ? ratio : 1;
    case LIGHT_ON_HEAVY:
        return i == 0 ? ratio : 1;
    case GROWING:
        return pow(ratio, (double)i / (n - 1));
    case ALTERNATING:
        return i % 2 ? ratio : 1;
    default:
        return pow(ratio, 1 - (double)i / (n - 1));
    }
}

typedef struct Stack {
    int dim, n;
    Order order;
    double ratio, tangent;
    double top;  // friction of the uppermost contact, 0.3 of all others
    double push; // horizontal force on the lowest body, by the weight of all
} Stack;

static double weight(const Stack *stack)
{
    double sum = 0;
    for (int i = 0; i < stack->n; i++)
        sum += 9.81 * mass(stack->order, i, stack->n, stack->ratio);
    return sum;
}

// Flat boxes of width 1 and height 0.1 on a plane, which don't tip over; gravity is inclined by the tangent.
static void open_stack(Scene *scene, StickContext *ctx, const Stack *stack)
{
    char bodies[4096] = "", load[200] = "";
    bool is_plane = stack->dim == 2;
    for (int i = 0; i < stack->n; i++) {
        size_t used = strlen(bodies);
        snprintf(bodies + used, sizeof bodies - used,
                 "  b%d: {rigid: {box: %s, mass: %.17g}, position: [0, %s%.17g]}\n", i,
                 is_plane ? "[1, 0.1]" : "[1, 1, 0.1]", mass(stack->order, i, stack->n, stack->ratio),
                 is_plane ? "" : "0, ", 0.05 + 0.1 * i);
    }
    if (stack->push != 0)
        snprintf(load, sizeof load, "loads: [{on: b0, force: [%.17g, 0%s]}]\n", stack->push * weight(stack),
                 is_plane ? "" : ", 0");
    scene_open(scene, ctx,
               "bodies:\n%sobstacles: {f: {plane: {point: %s, normal: %s}}}\n"
               "gravity: [%.17g, %s-9.81]\n%s"
               "contacts: [{between: [b%d, b%d], friction: %g}, {between: all, friction: 0.3}]\n"
               "steps: [{dynamics: {scheme: moreau, step: 5e-3, end: 10}}]\n",
               bodies, is_plane ? "[0, 0]" : "[0, 0, 0]", is_plane ? "[0, 1]" : "[0, 0, 1]",
               9.81 * stack->tangent, is_plane ? "" : "0, ", load, stack->n - 2, stack->n - 1, stack->top);
}

enum { STEPS = 60 };

// Steps, and whether the run came to its end: beyond 1e6 it may stop as not solved.
static bool run_steps(const Scene *scene, const Stack *stack)
{
    for (int k = 0; k < STEPS; k++) {
        StickStatus status = stick_simulation_step(scene->run);
        if (status == STICK_NOT_SOLVED && stack->ratio > 1e6)
            return false;
        assert_ok(scene->ctx, status);
    }
    return true;
}

// Velocity of a body along the slope.
static double speed(const Scene *scene, int i)
{
    return scene->run->state.now.v[scene->system->body[i].first];
}

static double largest_motion(const Scene *scene)
{
    double largest = 0;
    for (int i = 0; i < scene->run->state.n; i++)
        largest = fmax(largest, fabs(scene->run->state.now.q[i]));
    return largest;
}

// Every body against its acceleration; the lag of one body, and how well all of them keep their places across the slope.
static void check_motion(StickContext *ctx, const Stack *stack, double below, double top, double bound)
{
    Scene scene;
    open_stack(&scene, ctx, stack);
    if (run_steps(&scene, stack)) {
        double t = STEPS * 5e-3, error = 0, tilt = 0;
        for (int i = 0; i < stack->n; i++) {
            double wanted = (i == stack->n - 1 ? top : below) * t;
            error = fmax(error, fabs(speed(&scene, i) - wanted) / fmax(fabs(wanted), 0.1 * 9.81 * t));
            tilt = fmax(tilt, fabs(scene.run->state.now.q[scene.system->body[i].first + stack->dim - 1]));
        }
        if (!(error <= bound))
            print_error("dim %d, n %d, order %d, ratio %g: error %.2e\n", stack->dim, stack->n, stack->order,
                        stack->ratio, error);
        assert_below(error, bound);
        assert_below(tilt, 1e-7 * 0.1);
    }
    scene_close(&scene);
}

static const int counts[] = {2, 5, 10};
static const double ratios[] = {1, 1e2, 1e4, 1e6, 1e7, 1e8};

typedef void (*Check)(StickContext *ctx, Stack *stack);

static void for_all(StickContext *ctx, Check check)
{
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 3; k++)
            for (int order = 0; order < NORDERS; order++)
                for (int ratio = order == 0 ? 0 : 1; ratio < 6; ratio++) {
                    Stack stack = {.dim = dim,
                                   .n = counts[k],
                                   .order = (Order)order,
                                   .ratio = ratios[ratio],
                                   .top = 0.3};
                    check(ctx, &stack);
                }
}

// What a light body loses where all contacts are on their cones, by the acceleration of 0.1 g: in space an error of the direction of
// friction, the cube root of round-off, takes a part of it in the step in which sliding begins.
static double neutral(const Stack *stack)
{
    return stack->ratio > 1e6 ? 1e-2 : stack->dim == 2 ? 1e-5 : stack->ratio < 1e5 ? 1e-5 : 5e-3;
}

static void check_rest(StickContext *ctx, Stack *stack)
{
    Scene scene;
    stack->tangent = 0.299;
    open_stack(&scene, ctx, stack);
    if (run_steps(&scene, stack))
        assert_below(largest_motion(&scene), 1e-6 * 0.1);
    scene_close(&scene);
}

static void check_together(StickContext *ctx, Stack *stack)
{
    stack->tangent = 0.35;
    double a = 9.81 * (0.35 - 0.3);
    check_motion(ctx, stack, a, a, neutral(stack));
}

// Friction 0.1 below the uppermost body, which slides alone.
static void check_top(StickContext *ctx, Stack *stack)
{
    stack->tangent = 0.2;
    stack->top = 0.1;
    check_motion(ctx, stack, 0, 9.81 * (0.2 - 0.1), 1e-6);
}

// A force that would move twice as much as the friction of the ground holds, at most 0.2 g for all: no body slides on another.
static void check_pushed(StickContext *ctx, Stack *stack)
{
    stack->push = 0.5;
    check_motion(ctx, stack, 9.81 * 0.2, 9.81 * 0.2, stack->ratio > 1e6 ? 1e-4 : 1e-6);
}

static void stacks_rest_on_a_slope(void **state)
{
    for_all(*state, check_rest);
}

static void stacks_slide_together(void **state)
{
    for_all(*state, check_together);
}

static void the_top_slides_alone(void **state)
{
    for_all(*state, check_top);
}

static void pushed_stacks_stay_together(void **state)
{
    for_all(*state, check_pushed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(stacks_rest_on_a_slope),
        test_with_context(stacks_slide_together),
        test_with_context(the_top_slides_alone),
        test_with_context(pushed_stacks_stay_together),
    };
    return cmocka_run_group_tests_name("stepping.mass_ratios", tests, NULL, NULL);
}

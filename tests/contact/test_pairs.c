// SPDX-License-Identifier: Apache-2.0
#include "contact/scene.h"

static StickExpression *compile(StickContext *ctx, StickExpressions *sandbox, const char *text, unsigned sees)
{
    StickExpression *expression;
    assert_ok(ctx, stick_expression_compile(sandbox, text, sees, (StickMark){0}, &expression));
    return expression;
}

// A block over a plane at y = 0, and a second block on top of it.
static void two_blocks(Scene *scene, StickContext *ctx, StickElementKind element)
{
    StickMeshSpec lower = rectangle(0, 0.1, 1, 1, 2, 2), upper = rectangle(0.1, 1.2, 0.5, 0.5, 2, 1);
    scene_init(scene, ctx, 2);
    scene->obstacle[0] = (StickObstacleSpec){.name = "floor", .normal = {0, 1}};
    assert_ok(ctx, scene_body(scene, "lower", &lower, element));
    assert_ok(ctx, scene_body(scene, "upper", &upper, element));
    scene_against_obstacle(scene, 0, "bottom", STICK_CONTACT_DEFAULT);
    scene_against_body(scene, 1, "bottom", 0, "top", STICK_CONTACT_DEFAULT);
}

static StickStatus detect_within(Scene *scene, double reach)
{
    StickDetection where = {.q = scene->q, .h = 1, .reach = reach};
    return stick_pairs_detect(scene->pairs, &where, &scene->set);
}

static void contacts_come_pair_by_pair_in_the_order_of_nodes(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, STICK_ELEMENT_LINEAR);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_int_equal(scene.set.ncontacts, 6);
    for (int c = 0; c < 6; c++) {
        assert_int_equal(scene.set.contact[c].pair, c / 3);
        assert_int_equal(scene.set.contact[c].feature, c % 3);
        assert_near(scene.set.contact[c].gap, 0.1, 1e-14);
    }
    scene_destroy(&scene);
}

static void candidates_are_within_the_reach(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, STICK_ELEMENT_LINEAR);
    scene.contact[1].reach = 0.05;
    assert_ok(scene.ctx, scene_start(&scene));
    // A reach of its own that is less than what the step needs misses nothing.
    assert_ok(scene.ctx, detect_within(&scene, 0.2));
    assert_int_equal(scene.set.ncontacts, 6);
    assert_ok(scene.ctx, detect_within(&scene, 0.09));
    assert_int_equal(scene.set.ncontacts, 0);
    // The upper block comes down: its own reach is larger than that of the step.
    scene_shift(&scene, 1, 0, -0.06, 0);
    assert_ok(scene.ctx, detect_within(&scene, 0.001));
    assert_int_equal(scene.set.ncontacts, 3);
    assert_int_equal(scene.set.contact[0].pair, 1);
    // Penetration is always within reach.
    scene_shift(&scene, 0, 0, -0.2, 0);
    assert_ok(scene.ctx, detect_within(&scene, 0));
    assert_int_equal(scene.set.ncontacts, 3);
    assert_near(scene.set.contact[0].gap, -0.1, 1e-14);
    scene_destroy(&scene);
}

static void the_dofs_are_those_of_all_surfaces(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, STICK_ELEMENT_LINEAR);
    assert_ok(scene.ctx, scene_start(&scene));
    // Rows of three nodes: bottom 0-2 and top 6-8 of the lower block, bottom 9-11 of the system.
    const int expected[] = {0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
    assert_int_equal(stick_pairs_ndofs(scene.pairs), 18);
    assert_memory_equal(stick_pairs_dofs(scene.pairs), expected, sizeof expected);
    scene_destroy(&scene);
}

// Nodes by default; integrated where sides are quadratic, unless asked otherwise.
static void quadratic_sides_are_integrated_by_default(void **state)
{
    Scene scene;
    for (int method = STICK_CONTACT_DEFAULT; method <= STICK_CONTACT_NODES; method++) {
        two_blocks(&scene, *state, STICK_ELEMENT_QUADRATIC);
        scene.contact[0].method = (StickContactMethod)method;
        assert_ok(scene.ctx, scene_start(&scene));
        assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
        // An end node alone has 2 entries; its base function sees the three nodes of the edge.
        assert_int_equal(scene.set.contact[0].count, method == STICK_CONTACT_NODES ? 2 : 6);
        scene_destroy(&scene);
    }
}

static void the_motion_of_an_obstacle_drives(void **state)
{
    Scene scene;
    StickExpressions *sandbox;
    double speed;
    two_blocks(&scene, *state, STICK_ELEMENT_LINEAR);
    assert_ok(scene.ctx, stick_expressions_create(scene.ctx, &sandbox));
    scene.obstacle[0].displacement[0] = compile(scene.ctx, sandbox, "-3*t", STICK_SEES_TIME);
    scene.obstacle[0].velocity[1] = compile(scene.ctx, sandbox, "0.2*t", STICK_SEES_TIME);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0.5, 0.25));
    // It has risen by 0.1 t^2, rises at 0.2 (t + h/2) and pulls to the left: n = y, t1 = x.
    assert_near(scene.set.contact[0].gap, 0.1 - 0.1 * 0.25, 1e-15);
    assert_near(scene.set.contact[0].u_drive[0], -0.2 * 0.625, 1e-15);
    assert_near(scene.set.contact[0].u_drive[1], 3, 1e-15);
    // Between bodies nothing is prescribed.
    assert_near(scene.set.contact[5].u_drive[0], 0, 0);
    assert_ok(scene.ctx, stick_pairs_obstacle_speed(scene.pairs, 0.5, 0.25, &speed));
    assert_near(speed, hypot(3, 0.125), 1e-14);
    scene_random_velocity(&scene, 6);
    assert_below(scene_gap_rate_error(&scene, 0.5), 1e-6);
    stick_expressions_destroy(sandbox);
    scene_destroy(&scene);
}

// Every kind of obstacle, moving, against deforming bodies: d gap / dt = u_N.
static void u_normal_is_the_rate_of_the_gap_for_all_obstacles(void **state)
{
    double points[] = {-1, 0, 0.35, 0.04, 0.75, -0.02, 2, 0};
    const StickObstacleSpec specs[] = {
        {.point = {0, 0}, .normal = {-0.6, 0.8}},
        {.kind = STICK_OBSTACLE_POLYLINE, .npoints = 4, .points = points},
        {.kind = STICK_OBSTACLE_CIRCLE, .point = {0.4, -2}, .radius = 2},
        {.kind = STICK_OBSTACLE_CIRCLE, .point = {0.4, 1}, .radius = 2, .inside = true},
        {.point = {0, 0, 0}, .normal = {0.36, 0.48, 0.8}},
        {.kind = STICK_OBSTACLE_CIRCLE, .point = {0.4, 0.4, -2}, .radius = 2},
        {.kind = STICK_OBSTACLE_CYLINDER, .point = {0, 0, -1.5}, .normal = {0.6, 0.8, 0}, .radius = 1.2},
        {.kind = STICK_OBSTACLE_CYLINDER, .normal = {0.6, 0.8, 0}, .radius = 3, .inside = true},
    };
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        Scene scene;
        StickExpressions *sandbox;
        int dim = s < 4 ? 2 : 3;
        const double origin[3] = {0, 0, 0.1}, size[3] = {1, 1, 1};
        StickMeshSpec mesh = dim == 2 ? rectangle(0, 0.1, 1, 1, 4, 2) : box(origin, size, 3, 3, 1);
        scene_init(&scene, *state, dim);
        assert_ok(scene.ctx, stick_expressions_create(scene.ctx, &sandbox));
        scene.obstacle[0] = specs[s];
        scene.obstacle[0].velocity[0] = compile(scene.ctx, sandbox, "0.7", STICK_SEES_TIME);
        scene.obstacle[0].displacement[1] = compile(scene.ctx, sandbox, "0.1*sin(t)", STICK_SEES_TIME);
        assert_ok(scene.ctx, scene_body(&scene, "body", &mesh, STICK_ELEMENT_LINEAR));
        scene_against_obstacle(&scene, 0, "bottom", STICK_CONTACT_NODES);
        assert_ok(scene.ctx, scene_start(&scene));
        scene_random_velocity(&scene, s);
        // u_drive is a mean over the step of 1e-6: half of that off the rate at its start.
        assert_below(scene_gap_rate_error(&scene, 0.02), 1e-6);
        stick_expressions_destroy(sandbox);
        scene_destroy(&scene);
    }
}

static void friction_follows_its_law(void **state)
{
    Scene scene;
    StickExpressions *sandbox;
    const double speed[6] = {0, 1, 2, 3, 4, 5}, pressure[6] = {5, 4, 3, 2, 1, 0};
    double mu[6];
    two_blocks(&scene, *state, STICK_ELEMENT_LINEAR);
    assert_ok(scene.ctx, stick_expressions_create(scene.ctx, &sandbox));
    scene.contact[1].law.friction = compile(scene.ctx, sandbox, "0.1*t + x + 0.01*y + 0.001*v + 0.0001*p",
                                            STICK_SEES_TIME | STICK_SEES_PLACE | STICK_SEES_SLIDING);
    assert_ok(scene.ctx, scene_start(&scene));
    // The law sees reference places, whatever the displacement.
    scene_shift(&scene, 1, 0.05, 0.02, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    StickSight sight = {.t = 2, .speed = speed, .pressure = pressure};
    assert_ok(scene.ctx, stick_laws_friction(&scene.system, &scene.set, &sight, mu));
    for (int c = 0; c < 3; c++)
        assert_true(mu[c] == 0);
    for (int c = 3; c < 6; c++)
        assert_near(mu[c], 0.2 + 0.1 + 0.25 * (c - 3) + 0.012 + 0.001 * c + 0.0001 * (5 - c), 1e-14);
    scene.contact[0].law.friction = compile(scene.ctx, sandbox, "-0.5", STICK_SEES_NOTHING);
    assert_int_equal(stick_laws_friction(&scene.system, &scene.set, &sight, mu), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(scene.ctx), "friction must not be negative: it is -0.5"));
    stick_expressions_destroy(sandbox);
    scene_destroy(&scene);
}

static void assert_refused(Scene *scene, StickStatus expected, const char *text)
{
    StickPairs *pairs = NULL;
    assert_int_equal(stick_pairs_create(scene->ctx, &scene->system, &pairs), expected);
    assert_null(pairs);
    if (!strstr(stick_last_error(scene->ctx), text))
        fail_msg("'%s' is not in '%s'", text, stick_last_error(scene->ctx));
}

static void pairs_that_cannot_be_are_refused_by_name(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, STICK_ELEMENT_LINEAR);
    scene.contact[1].slave.group = "botom";
    assert_refused(&scene, STICK_BAD_MESH, "body 'upper' has no group 'botom'; did you mean 'bottom'?");
    scene.contact[1].slave.group = "bottom";
    scene.contact[1].master = scene.contact[1].slave;
    assert_refused(&scene, STICK_BAD_INPUT,
                   "group 'bottom' of body 'upper' cannot be in contact with itself");
    scene.contact[1].master = (StickTarget){.body = 0, .obstacle = -1, .group = "top-left"};
    assert_refused(&scene, STICK_BAD_MESH, "group 'top-left' of body 'lower' has nodes only");
    scene.contact[0].method = STICK_CONTACT_INTEGRATED;
    scene.contact[0].slave.group = "bottom-left";
    assert_refused(&scene, STICK_BAD_MESH, "needed for integrated contact");
    scene.contact[0].slave = scene.contact[0].master;
    assert_refused(&scene, STICK_BAD_INPUT, "the first of 'between' must be a group of a body");
    scene_destroy(&scene);
}

static void a_steady_run_allocates_nothing(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, STICK_ELEMENT_QUADRATIC);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    size_t calls = stick_memory_calls(scene.ctx);
    for (int i = 0; i < 10; i++) {
        scene_shift(&scene, 1, 0.001, 0, 0);
        assert_ok(scene.ctx, scene_detect(&scene, i, 1));
    }
    assert_int_equal(stick_memory_calls(scene.ctx), calls);
    scene_destroy(&scene);
}

// The same configuration gives the same bits, whatever was detected before.
static void detection_has_no_memory(void **state)
{
    Scene scene;
    two_blocks(&scene, *state, STICK_ELEMENT_QUADRATIC);
    assert_ok(scene.ctx, scene_start(&scene));
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    double before[1000];
    StickContact *last = &scene.set.contact[scene.set.ncontacts - 1];
    size_t bytes = (size_t)(last->first + last->count) * 2 * sizeof(double);
    assert_true(bytes > 100 && bytes <= sizeof before);
    memcpy(before, scene.set.H, bytes);
    scene_shift(&scene, 1, 0.25, -0.05, 0);
    assert_ok(scene.ctx, scene_detect(&scene, 1, 1));
    memset(scene.q, 0, (size_t)scene.system.ndofs * sizeof *scene.q);
    assert_ok(scene.ctx, scene_detect(&scene, 0, 1));
    assert_memory_equal(before, scene.set.H, bytes);
    scene_destroy(&scene);
}

static StickStatus create_and_detect(StickContext *ctx, void *data)
{
    const Scene *scene = data;
    StickSystem system = scene->system;
    StickPairs *pairs;
    StickContactSet set = {0};
    StickDetection where = {.q = scene->q, .h = 1, .all = true};
    system.ctx = ctx;
    STICK_TRY(stick_pairs_create(ctx, &system, &pairs));
    StickStatus status = stick_pairs_detect(pairs, &where, &set);
    if (status != STICK_OK)
        assert_int_equal(set.ncontacts, 0);
    stick_contact_set_destroy(ctx, &set);
    stick_pairs_destroy(pairs);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    Scene scene;
    for (int kind = STICK_ELEMENT_LINEAR; kind <= STICK_ELEMENT_QUADRATIC; kind++) {
        two_blocks(&scene, *state, (StickElementKind)kind);
        assert_ok(scene.ctx, scene_start(&scene));
        assert_survives_failing_memory(create_and_detect, &scene);
        scene_destroy(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(contacts_come_pair_by_pair_in_the_order_of_nodes),
        test_with_context(candidates_are_within_the_reach),
        test_with_context(the_dofs_are_those_of_all_surfaces),
        test_with_context(quadratic_sides_are_integrated_by_default),
        test_with_context(the_motion_of_an_obstacle_drives),
        test_with_context(u_normal_is_the_rate_of_the_gap_for_all_obstacles),
        test_with_context(friction_follows_its_law),
        test_with_context(pairs_that_cannot_be_are_refused_by_name),
        test_with_context(a_steady_run_allocates_nothing),
        test_with_context(detection_has_no_memory),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("contact.pairs", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Values at nodes and groups: closed forms before two bodies touch, action and reaction while they do.
#include "check.h"

#include "output/history.h"
#include "output/recorder.h"

#define TWO_BLOCKS                                                                                     \
    "stickslip: 1\n"                                                                                   \
    "materials: {steel: {law: elastic, young: 1e9, poisson: 0.3, density: 7800}}\n"                    \
    "bodies:\n"                                                                                        \
    "  low: {mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}, plane: strain, material: steel}\n" \
    "  high: {mesh: {rectangle: {size: [0.04, 0.02], cells: [2, 1], origin: [0.03, 0.0201]}},\n"       \
    "         plane: strain, material: steel, velocity: [5, -10]}\n"                                   \
    "obstacles: {floor: {plane: {point: [0, -0.00005], normal: [0, 1]}}}\n"                            \
    "contacts:\n"                                                                                      \
    "  - {between: [high.bottom, low.top], friction: 0.2}\n"                                           \
    "  - {between: [low.bottom, floor], friction: 0.1}\n"                                              \
    "steps: [{name: hit, dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-6, end: 1e-3}}]\n"      \
    "output: {history: [\n"

typedef struct Scene {
    StickModel *model;
    StickSystem *system;
    StickSimulation *run;
    StickContactSet gaps;
} Scene;

static StickStatus make_system(StickContext *ctx, const char *text, Scene *scene)
{
    StickModelSource source = {.name = "blocks.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    *scene = (Scene){.gaps.dim = 2};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &scene->model));
    return stick_system_create(ctx, scene->model, &scene->system);
}

static void make_scene(StickContext *ctx, const char *text, Scene *scene)
{
    assert_ok(ctx, make_system(ctx, text, scene));
    assert_ok(ctx, stick_simulation_create(ctx, scene->system, &scene->model->step[0], &scene->run));
    assert_ok(ctx, stick_simulation_start(scene->run, NULL));
}

static void drop_scene(StickContext *ctx, Scene *scene)
{
    stick_contact_set_destroy(ctx, &scene->gaps);
    stick_simulation_destroy(scene->run);
    stick_system_destroy(scene->system);
    stick_model_destroy(scene->model);
}

// Steps until the first contact force, and on into the impact.
static void go_on_until_contact(StickContext *ctx, Scene *scene, int more)
{
    for (int k = 0; scene->run->record.most_active == 0 && k < 500; k++)
        assert_ok(ctx, stick_simulation_step(scene->run));
    assert_true(scene->run->record.most_active > 0);
    for (int k = 0; k < more; k++)
        assert_ok(ctx, stick_simulation_step(scene->run));
}

// Value k of the row that history number j fills now.
static double value_of(StickContext *ctx, Scene *scene, int j, int k)
{
    StickHistory history;
    StickDetection where = {
        .t = scene->run->state.now.t, .h = 1e-6, .q = scene->run->state.now.q, .all = true};
    assert_ok(ctx, stick_pairs_detect(scene->run->pairs, &where, &scene->gaps));
    assert_ok(ctx, stick_history_create(ctx, scene->system, &scene->model->output.history[j], &history));
    assert_ok(ctx, stick_history_fill(&history, scene->run, &scene->gaps));
    assert_true(k < history.ncolumns);
    double value = history.row[k];
    stick_history_destroy(ctx, &history);
    return value;
}

static void test_free_flight(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(ctx,
               TWO_BLOCKS
               "  {name: x, of: high, what: displacement.x}, {name: v, of: high.left, what: velocity.y},\n"
               "  {name: gap, of: high.bottom, what: gap, exact: \"1e-4 - 10*t\"},\n"
               "  {name: floor_gap, of: floor, what: gap}, {name: force, of: high.bottom, what: "
               "contact_force.normal},\n"
               "  {name: state, of: high.bottom, what: status}, {name: left, of: high.left, what: gap}]}\n",
               &scene);
    for (int k = 0; k < 4; k++)
        assert_ok(ctx, stick_simulation_step(scene.run));
    assert_near(value_of(ctx, &scene, 0, 0), 4e-6, 1e-20);
    assert_near(value_of(ctx, &scene, 0, 1), 5 * 4e-6, 1e-15);
    assert_near(value_of(ctx, &scene, 1, 1), -10, 1e-9);
    assert_near(value_of(ctx, &scene, 2, 1), 1e-4 - 10 * 4e-6, 1e-14);
    assert_near(value_of(ctx, &scene, 2, 2), 1e-4 - 10 * 4e-6, 1e-18);
    assert_near(value_of(ctx, &scene, 3, 1), 5e-5, 1e-14);
    assert_near(value_of(ctx, &scene, 4, 1), 0, 0);
    assert_near(value_of(ctx, &scene, 5, 1), STICK_APART, 0);
    // of the left side only the corner is in the contact: its gap, not that of the others
    assert_near(value_of(ctx, &scene, 6, 1), 1e-4 - 10 * 4e-6, 1e-14);
    drop_scene(ctx, &scene);
}

// high.bottom has the nodes at x = 0.03, 0.05, 0.07.
static void test_nearest_node(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(
        ctx,
        TWO_BLOCKS
        "  {name: each, of: high.bottom, what: velocity.y, each: true},\n"
        "  {name: near, of: high.bottom, at: [0.058, 0.1], what: velocity.y},\n"
        "  {name: first, of: high.bottom, at: [0.04, 0], what: velocity.y}],\n"
        "  phase: [{name: round, of: high.bottom, at: [1, 0]}, {name: all, of: high.bottom, each: true}]}\n",
        &scene);
    go_on_until_contact(ctx, &scene, 30);
    double left = value_of(ctx, &scene, 0, 1), middle = value_of(ctx, &scene, 0, 2),
           right = value_of(ctx, &scene, 0, 3);
    assert_true(left != middle && middle != right);
    assert_near(value_of(ctx, &scene, 1, 1), middle, 0);
    assert_near(value_of(ctx, &scene, 2, 1), left, 0); // as near as the second one
    assert_near(value_of(ctx, &scene, 3, 4), right, 0);
    // columns of each node: u.x, v.x, u.y, v.y
    assert_near(value_of(ctx, &scene, 4, 4), left, 0);
    assert_near(value_of(ctx, &scene, 4, 8), middle, 0);
    assert_near(value_of(ctx, &scene, 4, 12), right, 0);
    drop_scene(ctx, &scene);
}

static void test_action_and_reaction(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(ctx,
               TWO_BLOCKS
               "  {name: n, of: high.bottom, what: contact_force.normal},\n"
               "  {name: t, of: high.bottom, what: contact_force.tangential},\n"
               "  {name: hx, of: high, what: contact_force.x}, {name: hy, of: high, what: contact_force.y},\n"
               "  {name: lx, of: low.top, what: contact_force.x}, {name: ly, of: low.top, what: "
               "contact_force.y},\n"
               "  {name: each, of: high.bottom, what: contact_force.normal, each: true},\n"
               "  {name: state, of: high.bottom, what: status}]}\n",
               &scene);
    go_on_until_contact(ctx, &scene, 3);
    double n = value_of(ctx, &scene, 0, 1), t = value_of(ctx, &scene, 1, 1);
    assert_true(n > 0);
    double hx = value_of(ctx, &scene, 2, 1), hy = value_of(ctx, &scene, 3, 1);
    assert_near(fabs(t), 0.2 * n, 1e-9 * n); // it slides all over
    // the contact is flat but for small strains: its frame is that of the plane
    assert_near(hy, n, 1e-4 * n);
    assert_near(hx, -0.2 * n, 1e-4 * n); // against the motion
    assert_near(value_of(ctx, &scene, 4, 1), -hx, 1e-12 * n);
    assert_near(value_of(ctx, &scene, 5, 1), -hy, 1e-12 * n);
    double sum = 0;
    for (int k = 1; k <= 3; k++)
        sum += value_of(ctx, &scene, 6, k);
    assert_near(sum, n, 1e-12 * n);
    assert_near(value_of(ctx, &scene, 7, 1), STICK_SLIPPING, 0);
    drop_scene(ctx, &scene);
}

// The floor takes what the body gets from it, with the other sign; normal forces press.
static void test_obstacle(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(ctx,
               TWO_BLOCKS "  {name: fy, of: floor, what: contact_force.y}, {name: fn, of: floor, what: "
                          "contact_force.normal},\n"
                          "  {name: by, of: low.bottom, what: contact_force.y}]}\n",
               &scene);
    go_on_until_contact(ctx, &scene, 0);
    for (int k = 0; value_of(ctx, &scene, 1, 1) == 0 && k < 200; k++)
        assert_ok(ctx, stick_simulation_step(scene.run));
    double force = value_of(ctx, &scene, 1, 1);
    assert_true(force > 0);
    assert_near(value_of(ctx, &scene, 0, 1), -force, 1e-12 * force);
    assert_near(value_of(ctx, &scene, 2, 1), force, 1e-12 * force);
    drop_scene(ctx, &scene);
}

// An obstacle tells where it has gone: by its displacement, and by its velocity.
static void test_moving_obstacle(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(ctx,
               "stickslip: 1\nmaterials: {a: {density: 1}}\n"
               "bodies: {b: {rigid: {disk: 1}, material: a, position: [0, 9]}}\n"
               "obstacles:\n"
               "  base: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [0, \"t^2\"]}\n"
               "  belt: {plane: {point: [0, -1], normal: [0, 1]}, velocity: [\"3*t^2\", 0]}\n"
               "contacts: [{between: all}]\n"
               "steps: [{name: go, dynamics: {scheme: moreau, step: 0.1, end: 1}}]\n"
               "output: {history: [{name: a, of: base, what: displacement.y},\n"
               "  {name: b, of: belt, what: displacement.x}]}\n",
               &scene);
    for (int k = 0; k < 5; k++)
        assert_ok(ctx, stick_simulation_step(scene.run));
    assert_near(value_of(ctx, &scene, 0, 1), 0.25, 1e-14);
    assert_near(value_of(ctx, &scene, 1, 1), 0.125, 1e-14);
    drop_scene(ctx, &scene);
}

// A pressure is a force by the area of its node: the ends of a side have half as much of it as its middle.
static void test_contact_pressure(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    make_scene(ctx,
               TWO_BLOCKS "  {name: p, of: high.bottom, what: contact_pressure, each: true},\n"
                          "  {name: n, of: high.bottom, what: contact_force.normal, each: true},\n"
                          "  {name: most, of: high.bottom, what: contact_pressure},\n"
                          "  {name: floor, of: floor, what: contact_pressure}]}\n",
               &scene);
    go_on_until_contact(ctx, &scene, 3);
    double most = 0;
    int ends = 0, middles = 0;
    for (int k = 1; k <= 3; k++) {
        double p = value_of(ctx, &scene, 0, k), n = value_of(ctx, &scene, 1, k);
        ends += fabs(p * 0.01 - n) <= 1e-9 * n;
        middles += fabs(p * 0.02 - n) <= 1e-9 * n;
        most = fmax(most, p);
    }
    assert_true(most > 0 && ends == 2 && middles == 1);
    assert_near(value_of(ctx, &scene, 2, 1), most, 0);
    drop_scene(ctx, &scene);
}

// Where nodes have different masses the velocity of a body is that of its mass centre; of a side it is the
// mean.
static void test_mean_by_mass(void **state)
{
    StickContext *ctx = *state;
    Scene scene;
    const char *text =
        "stickslip: 1\nmaterials: {m: {law: elastic, young: 1, poisson: 0, density: 2}}\n"
        "bodies: {disk: {mesh: {disk: {radius: 1, core: [4, 4], rings: 4}}, plane: axisymmetric, material: "
        "m,\n"
        "                position: [3, 0], displacement: [x*x, 0], velocity: [\"x\", \"2*x\"]}}\n"
        "steps: [{name: s, dynamics: {scheme: theta-euler, theta: 0.55, step: 0.1, end: 1}}]\n"
        "output: {history: [{name: vx, of: disk, what: velocity.x}, {name: vy, of: disk.all, what: "
        "velocity.y},\n"
        "                   {name: out, of: disk.outer, what: velocity.x}]}\n";
    make_scene(ctx, text, &scene);
    const StickBody *body = &scene.system->body[0];
    const StickGroup *outer = stick_mesh_group(&body->mesh, "outer");
    double momentum = 0, mean = 0;
    for (int i = 0; i < body->mesh.nnodes; i++)
        momentum += scene.run->state.now.Mv[2 * i];
    for (int k = 0; k < outer->nnodes; k++)
        mean += body->mesh.x[2 * outer->node[k]] / outer->nnodes;
    assert_near(value_of(ctx, &scene, 0, 1), momentum / scene.system->total_mass[0], 1e-12);
    assert_near(value_of(ctx, &scene, 1, 1), 2 * momentum / scene.system->total_mass[0], 1e-12);
    assert_near(value_of(ctx, &scene, 2, 1), mean, 1e-12);
    drop_scene(ctx, &scene);
}

static StickStatus refused(StickContext *ctx, const char *history)
{
    char text[4096];
    Scene scene;
    StickRecorder *recorder = NULL;
    snprintf(text, sizeof text, TWO_BLOCKS "  %s]}\n", history);
    StickStatus status = make_system(ctx, text, &scene);
    if (status == STICK_OK)
        status = stick_recorder_create(ctx, scene.system, "", &recorder);
    stick_recorder_destroy(recorder);
    drop_scene(ctx, &scene);
    return status;
}

// What would be zeros for ever is refused.
static void test_histories_that_cannot_be(void **state)
{
    StickContext *ctx = *state;
    assert_int_equal(refused(ctx, "{name: a, of: high.bottom, what: velocity.z}"), STICK_BAD_INPUT);
    assert_int_equal(refused(ctx, "{name: a, of: high.bottom, what: velocity}"), STICK_BAD_INPUT);
    assert_int_equal(refused(ctx, "{name: a, of: high.botom, what: velocity.x}"), STICK_BAD_MESH);
    assert_int_equal(refused(ctx, "{name: a, of: floor, what: velocity.x}"), STICK_BAD_INPUT);
    assert_int_equal(refused(ctx, "{name: a, of: floor, what: reaction.x}"), STICK_BAD_INPUT);
    assert_int_equal(refused(ctx, "{name: energy, of: high, what: velocity.x}"), STICK_BAD_INPUT);
    assert_int_equal(refused(ctx, "{name: a, of: low.top, what: velocity.x}"), STICK_OK);
}

// The second body of every contact has no gap, state or force by the frame.
static void test_second_body(void **state)
{
    StickContext *ctx = *state;
    static const char *const what[] = {"gap", "status", "contact_pressure", "contact_force.normal",
                                       "contact_force.tangential"};
    for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
        char text[2048];
        Scene scene;
        StickHistory history;
        snprintf(
            text, sizeof text,
            "stickslip: 1\nmaterials: {m: {law: elastic, young: 1, poisson: 0, density: 1}}\n"
            "bodies: {a: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: strain, material: m},\n"
            "         b: {mesh: {rectangle: {size: [1, 1], cells: [1, 1], origin: [0, 2]}}, plane: strain, "
            "material: m}}\n"
            "contacts: [{between: [b.bottom, a.top], friction: 0}]\n"
            "steps: [{name: s, dynamics: {scheme: theta-euler, theta: 0.55, step: 0.1, end: 1}}]\n"
            "output: {history: [{name: h, of: a.top, what: %s}]}\n",
            what[k]);
        make_scene(ctx, text, &scene);
        assert_int_equal(stick_history_create(ctx, scene.system, &scene.model->output.history[0], &history),
                         STICK_BAD_INPUT);
        assert_non_null(strstr(stick_last_error(ctx), "'a' is in no contact the first"));
        drop_scene(ctx, &scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(test_free_flight),
        test_with_context(test_nearest_node),
        test_with_context(test_action_and_reaction),
        test_with_context(test_moving_obstacle),
        test_with_context(test_obstacle),
        test_with_context(test_histories_that_cannot_be),
        test_with_context(test_second_body),
        test_with_context(test_contact_pressure),
        test_with_context(test_mean_by_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

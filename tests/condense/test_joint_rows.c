// SPDX-License-Identifier: Apache-2.0
// Rows of joints: each is the derivative of its gap; a common motion of both ends neither opens a joint nor meets
// resistance, so that joints between bodies add no momentum.
#include "base/random.h"
#include "stepping/mechanism.h"

typedef struct Kind {
    int dim;
    const char *joint;
    int rows;
    bool is_free; // no common motion is resisted; a gear has its axes from outside
} Kind;

static const Kind kinds[] = {
    {2, "pin: {between: [a, b], at: [0.4, 0.7]}", 2, true},
    {2, "slider: {between: [a, b], axis: [0.6, 0.8]}", 2, true},
    {2, "fixed: {between: [a, b]}", 3, true},
    {2, "distance: {between: [a, b], from: [0.1, 0.2], to: [1.2, 0.9]}", 1, true},
    {2, "gear: {between: [a, b], ratio: -0.7}", 1, false},
    {2, "motor: {between: [a, b], angle: '2*t'}", 1, true},
    {2, "motor: {between: [a, b], displacement: '2*t', axis: [0.6, 0.8]}", 1, true},
    {2, "spring: {between: [a, b], from: [0.1, 0.2], to: [1.2, 0.9], stiffness: 3}", 1, true},
    {3, "pin: {between: [a, b], at: [0.4, 0.7, 0.1], axis: [0, 0.6, 0.8]}", 5, true},
    {3, "slider: {between: [a, b], axis: [0, 0.6, 0.8]}", 5, true},
    {3, "fixed: {between: [a, b]}", 6, true},
    {3, "ball: {between: [a, b], at: [0.4, 0.7, 0.1]}", 3, true},
    {3, "distance: {between: [a, b], from: [0.1, 0.2, 0], to: [1.2, 0.9, 0.3]}", 1, true},
    {3, "gear: {between: [a, b], ratio: -0.7, axis: [0, 0, 1]}", 1, false},
    {3, "motor: {between: [a, b], angle: '2*t', axis: [0, 0.6, 0.8]}", 1, true},
    {3, "motor: {between: [a, b], displacement: '2*t', axis: [0, 0.6, 0.8]}", 1, true},
    {3, "spring: {between: [a, b], from: [0.1, 0.2, 0], to: [1.2, 0.9, 0.3], stiffness: 3}", 1, true},
};

enum { NKINDS = sizeof kinds / sizeof *kinds, DOFS = 2 * STICK_RIGID_DOFS };

static StickJointRows *open_kind(Scene *scene, StickContext *ctx, const Kind *kind)
{
    bool plane = kind->dim == 2;
    scene_open(scene, ctx,
               STONE "bodies:\n"
                     "  a: {rigid: {box: %s}, material: stone, position: %s, rotation: %s}\n"
                     "  b: {rigid: {box: %s}, material: stone, position: %s}\n"
                     "joints: [{%s}]\n"
                     "steps: [{dynamics: {scheme: moreau, step: 0.01, end: 1}}]\n",
               plane ? "[1, 0.5]" : "[1, 0.5, 0.3]", plane ? "[0, 0]" : "[0, 0, 0]",
               plane ? "0.3" : "{axis: [1, 0, 0], angle: 0.3}", plane ? "[0.4, 0.5]" : "[0.4, 0.5, 0.6]",
               plane ? "[1, 1]" : "[1, 1, 0.2]", kind->joint);
    StickJointRows *joints = scene->run->joint_step->links->joints;
    assert_int_equal(stick_joint_rows_count(joints), kind->rows);
    return joints;
}

static double power(const Scene *scene, const StickRow *row, const double *v)
{
    double sum = 0;
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < scene->system->body[row->body[e]].ndofs && row->body[e] >= 0; k++)
            sum += row->G[e][k] * v[scene->system->body[row->body[e]].first + k];
    return sum;
}

static void move(const Scene *scene, const double *q, const double *v, double time, double *moved)
{
    for (int b = 0; b < 2; b++) {
        const StickBody *body = &scene->system->body[b];
        double s[STICK_RIGID_DOFS];
        for (int k = 0; k < body->ndofs; k++)
            s[k] = time * v[body->first + k];
        stick_rigid_move(scene->system->dim, q + body->first, s, moved + body->first);
    }
}

// Velocities of both bodies, of order 1.
static void any_motion(StickRandom *random, double v[DOFS])
{
    for (int k = 0; k < DOFS; k++)
        v[k] = stick_random_uniform(random, -1, 1);
}

// As if both were one body.
static void common_motion(const Scene *scene, StickRandom *random, const double *q, double v[DOFS])
{
    int dim = scene->system->dim;
    double w[3] = {0}, turn[3] = {0}, origin[3] = {0};
    for (int k = 0; k < 3; k++) {
        w[k] = k < dim ? stick_random_uniform(random, -1, 1) : 0;
        turn[k] = dim == 3 || k == 2 ? stick_random_uniform(random, -1, 1) : 0;
    }
    for (int b = 0; b < 2; b++) {
        const StickBody *body = &scene->system->body[b];
        StickPose pose = stick_rigid_pose(body->rigid, q + body->first);
        double arm[3], shift[3];
        stick_vec_sub(pose.centre, origin, arm);
        stick_vec_cross(turn, arm, shift);
        for (int k = 0; k < dim; k++)
            v[body->first + k] = w[k] + shift[k];
        for (int k = 0; k < body->ndofs - dim; k++)
            v[body->first + dim + k] = turn[dim == 2 ? 2 : k];
    }
}

// But of gears, which have none.
static void rows_are_derivatives_of_gaps(void **state)
{
    StickRandom random = stick_random_seed(3);
    for (int k = 0; k < NKINDS; k++) {
        Scene scene;
        StickJointRows *joints = open_kind(&scene, *state, &kinds[k]);
        const StickRow *row;
        double start[DOFS] = {0}, q[DOFS] = {0}, v[DOFS], ahead[6], behind[6], epsilon = 1e-5;
        for (int trial = 0; trial < 4; trial++) {
            any_motion(&random, v);
            move(&scene, start, v, epsilon, q);
            assert_ok(*state, stick_joint_rows_gaps(joints, q, 0, ahead));
            move(&scene, start, v, -epsilon, q);
            assert_ok(*state, stick_joint_rows_gaps(joints, q, 0, behind));
            assert_ok(*state, stick_joint_rows_rows(joints, start, 0, &row));
            for (int i = 0; i < kinds[k].rows && row[i].kind != STICK_ROW_MEAN; i++)
                assert_near((ahead[i] - behind[i]) / (2 * epsilon), power(&scene, &row[i], v), 1e-8);
        }
        scene_close(&scene);
    }
}

static void common_motions_are_free(void **state)
{
    StickRandom random = stick_random_seed(5);
    for (int k = 0; k < NKINDS; k++) {
        Scene scene;
        StickJointRows *joints = open_kind(&scene, *state, &kinds[k]);
        const StickRow *row;
        double start[DOFS] = {0}, q[DOFS] = {0}, v[DOFS] = {0};
        // anywhere, also where the joint is far from closed: momentum and angular momentum stay
        for (int trial = 0; trial < 4 && kinds[k].is_free; trial++) {
            any_motion(&random, v);
            move(&scene, start, v, 0.5, q);
            common_motion(&scene, &random, q, v);
            assert_ok(*state, stick_joint_rows_rows(joints, q, 0, &row));
            for (int i = 0; i < kinds[k].rows; i++)
                assert_near(power(&scene, &row[i], v), 0, 1e-13);
        }
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(rows_are_derivatives_of_gaps),
        test_with_context(common_motions_are_free),
    };
    return cmocka_run_group_tests_name("condense.joint_rows", tests, NULL, NULL);
}

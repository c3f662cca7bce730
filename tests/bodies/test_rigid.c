// SPDX-License-Identifier: Apache-2.0
// Where a rigid body is, how its particles move, and its momentum: checked against finite differences.
#include "bodies/rigid.h"

#include "base/quaternion.h"
#include "check.h"

static StickRigid body_of(int dim)
{
    StickRigid rigid = {.dim = dim, .mass = 3, .J0 = {2, 0.1, 0, 0.1, 3, 0.2, 0, 0.2, 4}};
    double axis[3] = {0.3, -0.5, 0.7};
    for (int k = 0; k < dim; k++)
        rigid.centre[k] = 1 + k;
    stick_quaternion_exp(axis, rigid.turn);
    rigid.angle = 0.4;
    return rigid;
}

static const double q0[STICK_RIGID_DOFS] = {0.1, -0.2, 0.7, 0.4, 1.1, -0.6};
static const double v0[STICK_RIGID_DOFS] = {0.5, 0.3, -0.8, 0.9, -0.4, 1.3};
static const double x0[3] = {0.2, 0.5, 0};

static void velocities_are_how_places_change(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        StickRigid rigid = body_of(dim);
        double place[2][3], at[3], velocity[3], h = 1e-6;
        for (int side = 0; side < 2; side++) {
            double s[STICK_RIGID_DOFS], q[STICK_RIGID_DOFS];
            for (int k = 0; k < stick_rigid_ndofs(dim); k++)
                s[k] = (side ? h : -h) * v0[k];
            stick_rigid_move(dim, q0, s, q);
            StickPose pose = stick_rigid_pose(&rigid, q);
            stick_pose_place(&pose, x0, place[side]);
        }
        StickPose pose = stick_rigid_pose(&rigid, q0);
        stick_pose_place(&pose, x0, at);
        stick_rigid_velocity(&rigid, v0, pose.centre, at, velocity);
        for (int k = 0; k < 3; k++)
            assert_near(velocity[k], (place[1][k] - place[0][k]) / (2 * h), 1e-8);
    }
}

static void moves_compose_as_rotations_do(void **state)
{
    (void)state;
    StickRigid rigid = body_of(3);
    const double half[STICK_RIGID_DOFS] = {0.1, 0, 0, 0.3, -0.4, 0.5},
                 whole[STICK_RIGID_DOFS] = {0.2, 0, 0, 0.6, -0.8, 1};
    double twice[STICK_RIGID_DOFS], once[STICK_RIGID_DOFS];
    stick_rigid_move(3, q0, half, twice);
    stick_rigid_move(3, twice, half, twice);
    stick_rigid_move(3, q0, whole, once);
    StickPose a = stick_rigid_pose(&rigid, twice), b = stick_rigid_pose(&rigid, once);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            assert_near(a.axis[k][i], b.axis[k][i], 1e-14);
    // many turns: the vector stays short, the pose right
    double q[STICK_RIGID_DOFS] = {0}, s[STICK_RIGID_DOFS] = {0, 0, 0, 0, 0, 0.1};
    for (int k = 0; k < 1000; k++)
        stick_rigid_move(3, q, s, q);
    assert_true(fabs(q[5]) <= acos(-1) + 1e-12);
    assert_near(cos(q[5]), cos(100.), 1e-12);
}

static void momentum_is_mass_times_velocity(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        StickRigid rigid = body_of(dim);
        int n = stick_rigid_ndofs(dim);
        double p[STICK_RIGID_DOFS], M[36];
        stick_rigid_momentum(&rigid, q0, v0, p);
        stick_rigid_mass(&rigid, q0, M);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += M[i * n + j] * v0[j];
            assert_near(p[i], sum, 1e-14);
        }
    }
}

// Of each choice of components that are held.
static void spins_have_the_momentum_that_is_asked_for_where_they_are_free(void **state)
{
    (void)state;
    StickRigid rigid = body_of(3);
    double p[STICK_RIGID_DOFS];
    stick_rigid_momentum(&rigid, q0, v0, p);
    for (int choice = 0; choice < 8; choice++) {
        const bool held[3] = {choice & 1, choice & 2, choice & 4};
        double w[3], L[3];
        for (int k = 0; k < 3; k++) {
            w[k] = held[k] ? v0[3 + k] : NAN;
            L[k] = held[k] ? NAN : p[3 + k];
        }
        stick_rigid_spin(&rigid, q0, L, held, w);
        for (int k = 0; k < 3; k++)
            assert_near(w[k], v0[3 + k], 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_how_places_change),
        cmocka_unit_test(moves_compose_as_rotations_do),
        cmocka_unit_test(momentum_is_mass_times_velocity),
        cmocka_unit_test(spins_have_the_momentum_that_is_asked_for_where_they_are_free),
    };
    return cmocka_run_group_tests_name("rigid", tests, NULL, NULL);
}

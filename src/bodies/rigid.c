// SPDX-License-Identifier: Apache-2.0
#include "bodies/rigid.h"

#include "base/quaternion.h"

#include <math.h>
#include <string.h>

StickPose stick_rigid_pose(const StickRigid *rigid, const double *q)
{
    StickPose pose = {.centre = {rigid->centre[0], rigid->centre[1], rigid->centre[2]}};
    for (int k = 0; k < rigid->dim; k++)
        pose.centre[k] += q[k];
    if (rigid->dim == 2) {
        double angle = rigid->angle + q[2], c = cos(angle), s = sin(angle);
        pose.axis[0][0] = c, pose.axis[0][1] = s;
        pose.axis[1][0] = -s, pose.axis[1][1] = c;
        pose.axis[2][2] = 1;
        return pose;
    }
    double turn[4];
    stick_quaternion_exp(q + 3, turn);
    stick_quaternion_product(turn, rigid->turn, turn);
    stick_quaternion_axes(turn, pose.axis);
    return pose;
}

void stick_pose_place(const StickPose *pose, const double x[3], double place[3])
{
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = pose->centre[i] + x[0] * pose->axis[0][i] + x[1] * pose->axis[1][i] + x[2] * pose->axis[2][i];
    memcpy(place, at, sizeof at);
}

void stick_rigid_velocity(const StickRigid *rigid, const double *v, const double centre[3],
                          const double place[3], double velocity[3])
{
    double omega[3] = {0}, arm[3];
    stick_vec_sub(place, centre, arm);
    if (rigid->dim == 2)
        omega[2] = v[2];
    else
        memcpy(omega, v + 3, sizeof omega);
    stick_vec_cross(omega, arm, velocity);
    for (int k = 0; k < rigid->dim; k++)
        velocity[k] += v[k];
}

void stick_rigid_inertia(const StickRigid *rigid, const double *q, double J[9])
{
    if (rigid->dim == 2) {
        memcpy(J, rigid->J0, 9 * sizeof *J);
        return;
    }
    double turn[4];
    stick_quaternion_exp(q + 3, turn);
    stick_quaternion_product(turn, rigid->turn, turn);
    stick_quaternion_tensor(turn, rigid->J0, J);
    // symmetric to the bit
    J[3] = J[1], J[6] = J[2], J[7] = J[5];
}

void stick_rigid_momentum(const StickRigid *rigid, const double *q, const double *v, double *Mv)
{
    for (int k = 0; k < rigid->dim; k++)
        Mv[k] = rigid->mass * v[k];
    if (rigid->dim == 2) {
        Mv[2] = rigid->J0[8] * v[2];
        return;
    }
    double J[9];
    stick_rigid_inertia(rigid, q, J);
    for (int k = 0; k < 3; k++)
        Mv[3 + k] = stick_vec_dot(J + 3 * k, v + 3);
}

// By Cholesky's factors.
void stick_rigid_solve3(const double S[9], const double b[3], double x[3])
{
    double l00 = sqrt(S[0]), l10 = S[3] / l00, l20 = S[6] / l00;
    double l11 = sqrt(S[4] - l10 * l10), l21 = (S[7] - l20 * l10) / l11;
    double l22 = sqrt(S[8] - l20 * l20 - l21 * l21);
    double y0 = b[0] / l00, y1 = (b[1] - l10 * y0) / l11, y2 = (b[2] - l20 * y0 - l21 * y1) / l22;
    x[2] = y2 / l22;
    x[1] = (y1 - l21 * x[2]) / l11;
    x[0] = (y0 - l10 * x[1] - l20 * x[2]) / l00;
}

void stick_rigid_spin(const StickRigid *rigid, const double *q, const double L[3], const bool held[3],
                      double w[3])
{
    double J[9], b[3], free[3];
    stick_rigid_inertia(rigid, q, J);
    for (int i = 0; i < 3; i++) {
        b[i] = held[i] ? 0 : L[i];
        for (int k = 0; k < 3; k++)
            b[i] -= held[k] && !held[i] ? J[3 * i + k] * w[k] : 0;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (i != k && (held[i] || held[k]))
                J[3 * i + k] = 0;
    stick_rigid_solve3(J, b, free);
    for (int k = 0; k < 3; k++)
        w[k] = held[k] ? w[k] : free[k];
}

void stick_rigid_mass(const StickRigid *rigid, const double *q, double M[36])
{
    int n = stick_rigid_ndofs(rigid->dim);
    memset(M, 0, 36 * sizeof *M);
    for (int k = 0; k < rigid->dim; k++)
        M[k * n + k] = rigid->mass;
    if (rigid->dim == 2) {
        M[8] = rigid->J0[8];
        return;
    }
    double J[9];
    stick_rigid_inertia(rigid, q, J);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[(3 + i) * 6 + 3 + j] = J[3 * i + j];
}

void stick_rigid_move(int dim, const double *q, const double *s, double *q1)
{
    for (int k = 0; k < 3; k++)
        q1[k] = q[k] + s[k];
    if (dim == 2)
        return;
    double turn[4], by[4];
    stick_quaternion_exp(q + 3, turn);
    stick_quaternion_exp(s + 3, by);
    stick_quaternion_product(by, turn, turn);
    stick_quaternion_normalise(turn);
    stick_quaternion_log(turn, q1 + 3);
}

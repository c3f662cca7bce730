// SPDX-License-Identifier: Apache-2.0
#include "solve/body_joints.h"

#include "base/memory.h"

#include <lapacke.h>
#include <string.h>

void stick_body_joints_destroy(StickBodyJoints *joints)
{
    if (!joints->ctx)
        return;
    stick_free(joints->ctx, joints->row);
    stick_free(joints->ctx, joints->C);
    stick_free(joints->ctx, joints->Z);
    stick_free(joints->ctx, joints->pivot);
    *joints = (StickBodyJoints){0};
}

// Each row costs a solve for every factorisation: with more rows in one problem the factored form of W is not
// efficient.
enum { MOST_ROWS = 300 };

static bool is_movable(const StickBodies *bodies, int body)
{
    int v = bodies->ndofs;
    for (int k = 0; k < v; k++)
        if (bodies->S[((size_t)body * (size_t)v + (size_t)k) * (size_t)v + (size_t)k] != 0)
            return true;
    return false;
}

int stick_body_joints_number(const StickBodies *bodies, int *number, int count)
{
    // chains of joints: until nothing is added
    for (int before = -1; before < count;) {
        before = count;
        for (int i = 0; i < bodies->njoints; i++) {
            const int *body = bodies->joint[i].body;
            for (int s = 0; s < 2; s++)
                if (body[s] >= 0 && body[1 - s] >= 0 && number[body[s]] < 0 && number[body[1 - s]] >= 0 &&
                    is_movable(bodies, body[1 - s]))
                    number[body[s]] = count++;
        }
    }
    return count;
}

// ---- rows

// G v
static double row_velocity(const StickBodyJoints *joints, const StickJointRow *row, const double *v)
{
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < joints->ndofs && row->body[s] >= 0; k++)
            sum += row->G[s][k] * v[row->body[s] * joints->ndofs + k];
    return sum;
}

double stick_body_joints_flops(const StickBodyJoints *joints, double velocities, double solve)
{
    double n = joints->count, v = joints->ndofs;
    // Z, C and its factors; then a step of Newton's method with Z
    return n * (solve + velocities) + 4 * v * n * n + 2 * n * n * n / 3 + 2 * n * velocities;
}

// p += G' lambda
static void add_row(const StickBodyJoints *joints, const StickJointRow *row, double lambda, double *p)
{
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < joints->ndofs && row->body[s] >= 0; k++)
            p[row->body[s] * joints->ndofs + k] += row->G[s][k] * lambda;
}

// S G' of one row at its bodies
static void row_response(const StickBodyJoints *joints, const StickJointRow *row, const double *S,
                         double response[2][6])
{
    int v = joints->ndofs;
    memset(response, 0, 12 * sizeof(double));
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < v && row->body[s] >= 0; i++)
            for (int k = 0; k < v; k++)
                response[s][i] += S[(row->body[s] * v + i) * v + k] * row->G[s][k];
}

static bool factor(const StickBodyJoints *joints, double *C, int *pivot)
{
    return LAPACKE_dgetrf(LAPACK_ROW_MAJOR, joints->count, joints->count, C, joints->count, pivot) == 0;
}

static void solve_small(const StickBodyJoints *joints, const double *C, const int *pivot, double *y)
{
    LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', joints->count, 1, C, joints->count, pivot, y, 1);
}

// C_free = c + G S G'
static bool factor_free(StickBodyJoints *joints, const double *S)
{
    int n = joints->count, v = joints->ndofs;
    for (int j = 0; j < n; j++) {
        double response[2][6];
        row_response(joints, &joints->row[j], S, response);
        for (int i = 0; i < n; i++) {
            double sum = i == j ? joints->row[i].compliance : 0;
            for (int s = 0; s < 2; s++)
                for (int t = 0; t < 2; t++)
                    for (int k = 0; k < v && joints->row[i].body[s] >= 0 &&
                                    joints->row[i].body[s] == joints->row[j].body[t];
                         k++)
                        sum += joints->row[i].G[s][k] * response[t][k];
            joints->C_free[i * n + j] = sum;
        }
    }
    return factor(joints, joints->C_free, joints->pivot + n);
}

StickStatus stick_body_joints_load(StickContext *ctx, StickBodyJoints *joints, const StickBodies *bodies,
                                   const int *number, int nbodies, const double *S, bool *well)
{
    int v = bodies->ndofs;
    joints->ctx = ctx;
    joints->ndofs = v;
    joints->count = 0;
    STICK_RESERVE(ctx, joints->row, joints->row_room, bodies->njoints);
    for (int i = 0; i < bodies->njoints; i++) {
        StickJointRow row = bodies->joint[i];
        for (int s = 0; s < 2; s++) {
            row.body[s] = row.body[s] < 0 ? -1 : number[row.body[s]];
            for (int k = 0; k < v && row.body[s] >= 0; k++) // prescribed velocities take no part
                row.G[s][k] *= S[(row.body[s] * v + k) * v + k] != 0;
        }
        if (row.body[0] >= 0 || row.body[1] >= 0)
            joints->row[joints->count++] = row;
    }
    size_t n = (size_t)joints->count;
    *well = n <= MOST_ROWS;
    if (n == 0 || n > MOST_ROWS)
        return STICK_OK;
    STICK_RESERVE(ctx, joints->C, joints->real_room, 2 * n * n + n);
    STICK_RESERVE(ctx, joints->Z, joints->Z_room, n * (size_t)(v * nbodies));
    STICK_RESERVE(ctx, joints->pivot, joints->pivot_room, 2 * n);
    joints->C_free = joints->C + n * n;
    joints->y = joints->C_free + n * n;
    *well = factor_free(joints, S);
    return STICK_OK;
}

// ---- products and solves

void stick_body_joints_momentum(const StickBodyJoints *joints, const double *w, double *p)
{
    for (int i = 0; i < joints->count; i++) {
        const StickJointRow *row = &joints->row[i];
        if (row->compliance > 0)
            add_row(joints, row, row_velocity(joints, row, w) / row->compliance, p);
    }
}

void stick_body_joints_response(StickBodyJoints *joints, const double *S, double *w)
{
    if (joints->count == 0)
        return;
    for (int i = 0; i < joints->count; i++)
        joints->y[i] = row_velocity(joints, &joints->row[i], w);
    solve_small(joints, joints->C_free, joints->pivot + joints->count, joints->y);
    for (int i = 0; i < joints->count; i++) {
        const StickJointRow *row = &joints->row[i];
        double response[2][6];
        row_response(joints, row, S, response);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < joints->ndofs && row->body[s] >= 0; k++)
                w[row->body[s] * joints->ndofs + k] -= response[s][k] * joints->y[i];
    }
}

bool stick_body_joints_factor(StickBodyJoints *joints, int nbodies, StickBodySolve *solve, void *data,
                              double *p)
{
    int n = joints->count, rows = joints->ndofs * nbodies;
    for (int j = 0; j < n; j++) {
        memset(p, 0, (size_t)rows * sizeof *p);
        add_row(joints, &joints->row[j], 1, p);
        double *z = joints->Z + (size_t)j * (size_t)rows;
        solve(data, p, z);
        for (int i = 0; i < n; i++)
            joints->C[i * n + j] =
                (i == j ? joints->row[i].compliance : 0) + row_velocity(joints, &joints->row[i], z);
    }
    return n == 0 || factor(joints, joints->C, joints->pivot);
}

void stick_body_joints_correct(StickBodyJoints *joints, int nbodies, double *dv)
{
    int n = joints->count, rows = joints->ndofs * nbodies;
    if (n == 0)
        return;
    for (int i = 0; i < n; i++)
        joints->y[i] = row_velocity(joints, &joints->row[i], dv);
    solve_small(joints, joints->C, joints->pivot, joints->y);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < rows; i++)
            dv[i] -= joints->Z[(size_t)j * (size_t)rows + (size_t)i] * joints->y[j];
}

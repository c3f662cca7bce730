// SPDX-License-Identifier: Apache-2.0
// Friction problems of rigid bodies at random, with W in both forms: bodies of any inertia, contacts at random places
// and in random frames between two bodies or a body and the ground, free velocities of the bodies.
#ifndef TESTS_SOLVE_RIGID_SCENE_H
#define TESTS_SOLVE_RIGID_SCENE_H

#include "base/random.h"

#include <stickslip/friction.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_BODIES = 16, MOST_TOUCHES = 96, MOST_JOINTS = 8 };

typedef struct RigidScene {
    double S[MOST_BODIES * 36], H[MOST_TOUCHES * 36], v[MOST_BODIES * 6];
    StickBodySides sides[MOST_TOUCHES];
    int start[MOST_TOUCHES + 1], col[MOST_TOUCHES * MOST_TOUCHES];
    double value[9 * MOST_TOUCHES * MOST_TOUCHES], u_free[3 * MOST_TOUCHES], mu[MOST_TOUCHES];
    StickJointRow joint[MOST_JOINTS];
    StickBlocks W;
    StickBodies bodies;
    StickFrictionProblem problem;
} RigidScene;

// Inverse of a random inertia of about the size of a mass of 1; dofs in held have no velocity of their own.
static inline void rigid_scene_inverse(StickRandom *random, int dim, unsigned held, double mass, double *S)
{
    int v = dim == 2 ? 3 : 6;
    memset(S, 0, (size_t)(v * v) * sizeof *S);
    for (int k = 0; k < v; k++)
        S[k * (v + 1)] = (k < dim ? 1 : stick_random_uniform(random, 2, 9)) / mass;
    if (dim == 3) // the axes of inertia are turned about the third one
        S[3 * 6 + 4] = S[4 * 6 + 3] = stick_random_uniform(random, -0.9, 0.9) / mass;
    for (int i = 0; i < v; i++)
        for (int k = 0; k < v && held >> i & 1; k++)
            S[i * v + k] = S[k * v + i] = 0;
}

// H of one side: n, t1, t2 and their moments about the centre, times sign.
static inline void rigid_scene_lever(int dim, const double *a, double frame[3][3], double sign, double *H)
{
    for (int k = 0; k < dim; k++) {
        const double *n = frame[k];
        for (int i = 0; i < dim; i++)
            H[i * dim + k] = sign * n[i];
        if (dim == 2) {
            H[2 * dim + k] = sign * (a[0] * n[1] - a[1] * n[0]);
        } else {
            for (int i = 0; i < 3; i++)
                H[(3 + i) * dim + k] =
                    sign * (a[(i + 1) % 3] * n[(i + 2) % 3] - a[(i + 2) % 3] * n[(i + 1) % 3]);
        }
    }
}

static inline void rigid_scene_frame(StickRandom *random, int dim, double frame[3][3])
{
    double a = stick_random_uniform(random, -3, 3), b = stick_random_uniform(random, -1, 1);
    memset(frame, 0, 9 * sizeof(double));
    if (dim == 2) {
        frame[0][0] = frame[1][1] = cos(a);
        frame[0][1] = sin(a);
        frame[1][0] = -sin(a);
        return;
    }
    const double n[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)}, t[3] = {-sin(a), cos(a), 0};
    for (int i = 0; i < 3; i++) {
        frame[0][i] = n[i];
        frame[1][i] = t[i];
        frame[2][i] = n[(i + 1) % 3] * t[(i + 2) % 3] - n[(i + 2) % 3] * t[(i + 1) % 3];
    }
}

static inline const double *rigid_scene_H(const RigidScene *scene, int c, int side)
{
    return scene->H + (size_t)scene->sides[c].entry[side] * (size_t)scene->problem.dim;
}

// W_cd and u_free by their definitions.
static inline void rigid_scene_condense(RigidScene *scene)
{
    int d = scene->problem.dim, v = scene->bodies.ndofs, n = scene->problem.ncontacts, count = 0;
    memset(scene->u_free, 0, sizeof scene->u_free);
    for (int c = 0; c < n; c++) {
        for (int s = 0; s < 2; s++) {
            int b = scene->sides[c].body[s];
            for (int k = 0; k < d * v && b >= 0; k++)
                scene->u_free[d * c + k % d] += rigid_scene_H(scene, c, s)[k] * scene->v[v * b + k / d];
        }
        for (int e = 0; e < n; e++) {
            double *block = scene->value + (size_t)(d * d) * (size_t)count;
            bool shared = c == e;
            memset(block, 0, (size_t)(d * d) * sizeof *block);
            for (int s = 0; s < 4; s++) {
                int b = scene->sides[c].body[s / 2];
                if (b < 0 || b != scene->sides[e].body[s % 2])
                    continue;
                shared = true;
                const double *A = rigid_scene_H(scene, c, s / 2), *B = rigid_scene_H(scene, e, s % 2);
                for (int i = 0; i < v; i++)
                    for (int j = 0; j < v; j++)
                        for (int k = 0; k < d * d; k++)
                            block[k] += A[i * d + k / d] * scene->S[v * v * b + i * v + j] * B[j * d + k % d];
            }
            if (shared)
                scene->col[count++] = e;
        }
        scene->start[c + 1] = count;
    }
}

// dim 2 or 3; held: share of bodies with velocities that are prescribed; masses from 1 / ratio to ratio.
static inline void rigid_scene_make(RigidScene *scene, StickRandom *random, int dim, int nbodies,
                                    int ncontacts, double mu, double held, double ratio)
{
    int v = dim == 2 ? 3 : 6;
    scene->bodies =
        (StickBodies){.nbodies = nbodies, .ndofs = v, .S = scene->S, .H = scene->H, .sides = scene->sides};
    scene->W = (StickBlocks){dim, ncontacts, scene->start, scene->col, scene->value};
    scene->problem = (StickFrictionProblem){.dim = dim,
                                            .ncontacts = ncontacts,
                                            .W = &scene->W,
                                            .u_free = scene->u_free,
                                            .mu = scene->mu,
                                            .bodies = &scene->bodies};
    for (int b = 0; b < nbodies; b++) {
        bool is_held = stick_random_uniform(random, 0, 1) < held;
        unsigned which = is_held ? (unsigned)(stick_random_bits(random) % 7) : 0;
        double mass = pow(ratio, stick_random_uniform(random, -1, 1));
        rigid_scene_inverse(random, dim, which, mass, scene->S + (size_t)(b * v * v));
        for (int k = 0; k < v; k++)
            scene->v[v * b + k] = which >> k & 1 ? 0 : stick_random_uniform(random, -1, 1);
    }
    for (int c = 0; c < ncontacts; c++) {
        int one = c < nbodies ? c : (int)(stick_random_bits(random) % (unsigned)nbodies);
        int other = (int)(stick_random_bits(random) % (unsigned)(nbodies + 1)) - 1;
        double frame[3][3], a[3];
        other = other == one ? -1 : other;
        rigid_scene_frame(random, dim, frame);
        for (int s = 0; s < 2; s++) {
            for (int k = 0; k < 3; k++)
                a[k] = stick_random_uniform(random, -1, 1);
            scene->sides[c].body[s] = s == 0 ? one : other;
            scene->sides[c].entry[s] = (2 * c + s) * v;
            rigid_scene_lever(dim, a, frame, s == 0 ? 1 : -1, scene->H + (size_t)((2 * c + s) * v * dim));
        }
        scene->mu[c] = mu * stick_random_uniform(random, 0, 1);
    }
    rigid_scene_condense(scene);
}

// Adds rows of joints and springs in turns. W and the free velocities follow row by row from
//
//     S <- S - S g' (c + g S g')^-1 g S,   v <- v - S g' (c + g S g')^-1 g v
static inline void rigid_scene_join(RigidScene *scene, StickRandom *random, int njoints)
{
    static double S[6 * MOST_BODIES][6 * MOST_BODIES];
    int v = scene->bodies.ndofs, nbodies = scene->bodies.nbodies, rows = v * nbodies, d = scene->problem.dim;
    memset(S, 0, sizeof S);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < v; k++)
            S[i][i / v * v + k] = scene->S[i * v + k];
    for (int j = 0; j < njoints; j++) {
        StickJointRow *row = &scene->joint[j];
        double g[6 * MOST_BODIES] = {0}, Sg[6 * MOST_BODIES] = {0}, Z, gv = 0;
        *row =
            (StickJointRow){.body = {j % nbodies, (j + 1) % nbodies == j % nbodies ? -1 : (j + 1) % nbodies},
                            .compliance = j % 2 ? stick_random_uniform(random, 0.1, 10) : 0};
        Z = row->compliance;
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < v && row->body[s] >= 0; k++)
                g[row->body[s] * v + k] = row->G[s][k] = stick_random_uniform(random, -1, 1);
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < rows; k++)
                Sg[i] += S[i][k] * g[k];
            Z += g[i] * Sg[i];
            gv += g[i] * scene->v[i];
        }
        for (int i = 0; i < rows; i++) {
            scene->v[i] -= Sg[i] * gv / Z;
            for (int k = 0; k < rows; k++)
                S[i][k] -= Sg[i] * Sg[k] / Z;
        }
    }
    scene->bodies.njoints = njoints;
    scene->bodies.joint = scene->joint;
    rigid_scene_condense(scene); // u_free
    int n = scene->problem.ncontacts;
    memset(scene->value, 0, sizeof scene->value);
    for (int c = 0; c < n; c++) {
        scene->start[c + 1] = (c + 1) * n;
        for (int e = 0; e < n; e++) {
            double *block = scene->value + (size_t)(d * d) * (size_t)(c * n + e);
            scene->col[c * n + e] = e;
            for (int s = 0; s < 4; s++) {
                int a = scene->sides[c].body[s / 2], b = scene->sides[e].body[s % 2];
                for (int i = 0; i < v * v && a >= 0 && b >= 0; i++)
                    for (int k = 0; k < d * d; k++)
                        block[k] += rigid_scene_H(scene, c, s / 2)[i / v * d + k / d] *
                                    S[a * v + i / v][b * v + i % v] *
                                    rigid_scene_H(scene, e, s % 2)[i % v * d + k % d];
            }
        }
    }
}

#endif

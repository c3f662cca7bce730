// SPDX-License-Identifier: Apache-2.0
// A wall of rigid bricks in running bond, hit at its feet: hyperstatic friction problems of any size, with bricks whose
// masses differ by any ratio. Each brick stands on two of the row below, with contacts in the corners of the face that
// they share; the lowest row stands on the ground.
#ifndef TESTS_SOLVE_MASONRY_H
#define TESTS_SOLVE_MASONRY_H

#include "base/random.h"
#include "check.h"

#include <stickslip/friction.h>

#include <stdbool.h>

enum { GROUND = -1 };

// Length, depth and height of a brick.
static const double brick_size[3] = {2, 1, 1};

typedef struct Brick {
    double centre[3];
    double mass, inertia[3]; // about the axes
    double v[6];             // free velocity: of the centre, of rotation
} Brick;

typedef struct Joint {
    int upper, lower; // bricks, or GROUND below
    double point[3];
} Joint;

typedef struct Masonry {
    int nbricks, njoints;
    Brick *brick;
    Joint *joint;
    StickBlocks W;
    double *u_free, *mu;
    double *S, *H; // W = H' S H by bricks
    StickBodySides *sides;
    StickBodies bodies;
    StickFrictionProblem problem; // without the bricks; bodies may be added
} Masonry;

static inline void masonry_free(Masonry *wall)
{
    free(wall->brick), free(wall->joint), free(wall->u_free), free(wall->mu);
    free(wall->W.start), free(wall->W.col), free(wall->W.value);
    free(wall->S), free(wall->H), free(wall->sides);
    *wall = (Masonry){0};
}

// Velocity of a point of a brick, in the frame of the contact (up, along, across), per unit of its motion: 3 x 6.
static inline void masonry_lever(const Brick *brick, const double *point, double H[3][6])
{
    static const int axis[3] = {2, 0, 1}; // normal up, tangents along x and y
    double a[3];
    for (int k = 0; k < 3; k++)
        a[k] = point[k] - brick->centre[k];
    const double cross[3][3] = {{0, a[2], -a[1]}, {-a[2], 0, a[0]}, {a[1], -a[0], 0}}; // omega x a
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            H[i][k] = axis[i] == k;
            H[i][3 + k] = cross[axis[i]][k];
        }
}

// Adds sign * H_i M^-1 H_j' of one brick.
static inline void masonry_add(const Brick *brick, const double *from, const double *to, double sign,
                               double *block)
{
    double A[3][6], B[3][6];
    masonry_lever(brick, from, A);
    masonry_lever(brick, to, B);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 6; k++)
                block[3 * i + j] += sign * A[i][k] * B[j][k] / (k < 3 ? brick->mass : brick->inertia[k - 3]);
}

static inline void masonry_block(const Masonry *wall, int i, int j, double *block)
{
    const Joint *a = &wall->joint[i], *b = &wall->joint[j];
    memset(block, 0, 9 * sizeof *block);
    const int sides[2][2] = {{a->upper, a->lower}, {b->upper, b->lower}};
    for (int s = 0; s < 4; s++) {
        int one = sides[0][s / 2], other = sides[1][s % 2];
        if (one == other && one != GROUND)
            masonry_add(&wall->brick[one], a->point, b->point, s / 2 == s % 2 ? 1 : -1, block);
    }
}

static inline bool masonry_share(const Joint *a, const Joint *b)
{
    return a->upper == b->upper || a->upper == b->lower || a->lower == b->upper ||
           (a->lower == b->lower && a->lower != GROUND);
}

static inline void masonry_condense(Masonry *wall)
{
    int n = wall->njoints, count = 0;
    wall->W = (StickBlocks){.d = 3, .n = n, .start = calloc((size_t)n + 1, sizeof(int))};
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (!masonry_share(&wall->joint[i], &wall->joint[j]))
                    continue;
                if (pass == 1) {
                    wall->W.col[count] = j;
                    masonry_block(wall, i, j, wall->W.value + 9 * (size_t)count);
                }
                count++;
            }
            wall->W.start[i + 1] = count;
        }
        if (pass == 0) {
            wall->W.col = malloc((size_t)count * sizeof(int));
            wall->W.value = malloc(9 * (size_t)count * sizeof(double));
        }
    }
    for (int i = 0; i < n; i++) {
        const int side[2] = {wall->joint[i].upper, wall->joint[i].lower};
        for (int s = 0; s < 2 && side[s] != GROUND; s++) {
            double H[3][6];
            masonry_lever(&wall->brick[side[s]], wall->joint[i].point, H);
            for (int k = 0; k < 18; k++)
                wall->u_free[3 * i + k / 6] +=
                    (s == 0 ? 1 : -1) * H[k / 6][k % 6] * wall->brick[side[s]].v[k % 6];
        }
        if (wall->joint[i].lower == GROUND)
            wall->u_free[3 * i + 1] -= 0.05; // the ground jerks along the wall
    }
}

// The factored form of W.
static inline void masonry_bodies(Masonry *wall)
{
    wall->S = calloc((size_t)wall->nbricks * 36, sizeof *wall->S);
    wall->H = calloc((size_t)wall->njoints * 36, sizeof *wall->H);
    wall->sides = calloc((size_t)wall->njoints, sizeof *wall->sides);
    for (int b = 0; b < wall->nbricks; b++)
        for (int k = 0; k < 6; k++)
            wall->S[36 * b + 7 * k] = 1 / (k < 3 ? wall->brick[b].mass : wall->brick[b].inertia[k - 3]);
    for (int c = 0; c < wall->njoints; c++) {
        const int side[2] = {wall->joint[c].upper, wall->joint[c].lower};
        for (int s = 0; s < 2; s++) {
            double H[3][6];
            wall->sides[c].body[s] = side[s];
            wall->sides[c].entry[s] = 12 * c + 6 * s;
            if (side[s] == GROUND)
                continue;
            masonry_lever(&wall->brick[side[s]], wall->joint[c].point, H);
            for (int k = 0; k < 18; k++)
                wall->H[36 * c + 18 * s + k] = (s == 0 ? 1 : -1) * H[k % 3][k / 3];
        }
    }
    wall->bodies =
        (StickBodies){.nbodies = wall->nbricks, .ndofs = 6, .S = wall->S, .H = wall->H, .sides = wall->sides};
}

// Corners of the face shared by an upper brick and the brick or floor below it, from x0 to x1.
static inline void masonry_joints(Masonry *wall, int upper, int lower, double x0, double x1)
{
    const Brick *brick = &wall->brick[upper];
    for (int k = 0; k < 4; k++) {
        double y = brick->centre[1] + (k / 2 - 0.5) * brick_size[1];
        wall->joint[wall->njoints++] =
            (Joint){upper, lower, {k % 2 ? x1 : x0, y, brick->centre[2] - 0.5 * brick_size[2]}};
    }
}

static inline void masonry_brick(Masonry *wall, StickRandom *random, int row, int place, double ratio)
{
    double mass = stick_random_uniform(random, 0, 1) < 0.5 ? 1 : ratio;
    Brick *brick = &wall->brick[wall->nbricks++];
    *brick = (Brick){.centre = {brick_size[0] * (place + 0.5 * (row % 2)), 0, brick_size[2] * (row + 0.5)},
                     .mass = mass};
    for (int k = 0; k < 3; k++) {
        double b = brick_size[(k + 1) % 3], c = brick_size[(k + 2) % 3];
        brick->inertia[k] = mass * (b * b + c * c) / 12;
    }
    brick->v[2] = -0.0981; // weight over a step of 10 ms
    for (int k = 0; k < 6; k++)
        brick->v[k] += stick_random_uniform(random, -0.01, 0.01);
}

// rows x bricks; masses are 1 or ratio as chance has it.
static inline void masonry_build(Masonry *wall, StickRandom *random, int rows, int bricks, double ratio,
                                 double mu)
{
    *wall = (Masonry){.brick = calloc((size_t)(rows * bricks), sizeof(Brick)),
                      .joint = calloc((size_t)(8 * rows * bricks), sizeof(Joint))};
    for (int k = 0; k < rows * bricks; k++) {
        int row = k / bricks, place = k % bricks;
        masonry_brick(wall, random, row, place, ratio);
        double x = wall->brick[k].centre[0], half = 0.5 * brick_size[0];
        if (row == 0) {
            masonry_joints(wall, k, GROUND, x - half, x + half);
            continue;
        }
        for (int other = 0; other < bricks; other++) {
            int below = (row - 1) * bricks + other;
            double x0 = fmax(x, wall->brick[below].centre[0]) - half;
            double x1 = fmin(x, wall->brick[below].centre[0]) + half;
            if (x1 > x0 + 1e-9)
                masonry_joints(wall, k, below, x0, x1);
        }
    }
    wall->u_free = calloc(3 * (size_t)wall->njoints, sizeof(double));
    wall->mu = malloc((size_t)wall->njoints * sizeof(double));
    for (int c = 0; c < wall->njoints; c++)
        wall->mu[c] = mu;
    masonry_condense(wall);
    masonry_bodies(wall);
    wall->problem = (StickFrictionProblem){
        .dim = 3, .ncontacts = wall->njoints, .W = &wall->W, .u_free = wall->u_free, .mu = wall->mu};
}

#endif

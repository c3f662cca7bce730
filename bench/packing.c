// SPDX-License-Identifier: Apache-2.0
#include "packing.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdbool.h>

static const double FRICTION = 0.5, STEP = 4e-3, GRAVITY = 9.81, KEPT = 0.9;

enum { GROUND = -1, MOST_OF_A_BODY = 64 };

typedef struct Body {
    double centre[3], inverse_mass, inverse_inertia[3];
    int contact[MOST_OF_A_BODY], ncontacts;
} Body;

// G: per side and row of the contact, velocity and rotation of the body to local velocity, with its sign.
typedef struct Touch {
    int body[2];
    double G[2][3][6];
} Touch;

typedef struct Build {
    StickContext *ctx;
    int dim;
    StickRandom random;
    Body *body;
    int nbodies;
    Touch *touch;
    int ntouches;
    size_t body_room, touch_room;
} Build;

// ---- bodies and contacts

static StickStatus add_body(Build *build, const double *centre, const double *size, int *number)
{
    STICK_RESERVE(build->ctx, build->body, build->body_room, (size_t)build->nbodies + 1);
    *number = build->nbodies;
    Body *body = &build->body[build->nbodies++];
    double mass = size[0] * size[1] * size[2];
    *body = (Body){.centre = {centre[0], centre[1], centre[2]}, .inverse_mass = 1 / mass};
    for (int k = 0; k < 3; k++) {
        double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
        body->inverse_inertia[k] = 12 / (mass * (a * a + b * b));
    }
    return STICK_OK;
}

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// The tangents: in the plane to the right of the normal, in space any two.
static void make_frame(const double *normal, double (*frame)[3])
{
    double axis[3] = {0}, size = 0;
    axis[fabs(normal[2]) < 0.6 ? 2 : 0] = 1;
    for (int i = 0; i < 3; i++)
        frame[0][i] = normal[i];
    cross(normal, axis, frame[1]);
    for (int i = 0; i < 3; i++)
        size += frame[1][i] * frame[1][i];
    for (int i = 0; i < 3; i++)
        frame[1][i] /= sqrt(size);
    cross(normal, frame[1], frame[2]);
}

// The normal is a unit vector from the lower body to the upper one.
static StickStatus add_touch(Build *build, int upper, int lower, const double *point, const double *normal)
{
    STICK_RESERVE(build->ctx, build->touch, build->touch_room, (size_t)build->ntouches + 1);
    Touch *touch = &build->touch[build->ntouches];
    double frame[3][3];
    make_frame(normal, frame);
    *touch = (Touch){.body = {upper, lower}};
    for (int side = 0; side < 2; side++) {
        if (touch->body[side] == GROUND)
            continue;
        Body *body = &build->body[touch->body[side]];
        double sign = side ? -1 : 1, arm[3], turn[3];
        for (int i = 0; i < 3; i++)
            arm[i] = point[i] - body->centre[i];
        for (int k = 0; k < build->dim; k++) {
            cross(arm, frame[k], turn);
            for (int i = 0; i < 3; i++) {
                touch->G[side][k][i] = sign * frame[k][i];
                touch->G[side][k][3 + i] = build->dim == 3 || i == 2 ? sign * turn[i] : 0;
            }
        }
        body->contact[body->ncontacts++] = build->ntouches;
    }
    build->ntouches++;
    return STICK_OK;
}

// ---- kinds

static StickStatus touch_disks(Build *build, double radius, int upper, int lower)
{
    const double *at = build->body[upper].centre, *from = lower == GROUND ? NULL : build->body[lower].centre;
    double angle = from ? atan2(at[1] - from[1], at[0] - from[0]) : M_PI / 2;
    angle += from ? stick_random_uniform(&build->random, -0.1, 0.1) : 0;
    double normal[3] = {cos(angle), sin(angle), 0};
    double point[3] = {at[0] - radius * normal[0], at[1] - radius * normal[1], 0};
    return add_touch(build, upper, lower, point, normal);
}

// At the ends of the face that both share, in space at its four corners.
static StickStatus touch_bricks(Build *build, const double *size, int upper, int lower)
{
    const double *at = build->body[upper].centre, half = size[0] / 2, depth = size[2] / 2;
    double x = lower == GROUND ? at[0] : build->body[lower].centre[0];
    double ends[2] = {fmax(at[0], x) - half, fmin(at[0], x) + half};
    for (int k = 0; k < (build->dim == 3 ? 4 : 2); k++) {
        double point[3] = {ends[k % 2], at[1] - size[1] / 2, build->dim == 2 ? 0 : k < 2 ? -depth : depth};
        STICK_TRY(add_touch(build, upper, lower, point, (double[]){0, 1, 0}));
    }
    return STICK_OK;
}

// Body i of row j, on two of the row below; disks also touch the one at their left, and lack a contact here and there.
static StickStatus add_at(Build *build, bool disks, int width, int i, int j)
{
    double radius = stick_random_uniform(&build->random, 0.45, 0.5), edge = sqrt(6) * radius;
    double brick[3] = {1, 0.5, 0.5}, disk[3] = {edge, edge, 1}, rise = disks ? sqrt(0.75) : brick[1];
    int self, side = j % 2 ? 1 : -1, next = i + side;
    STICK_TRY(add_body(build, (double[]){i + j % 2 * 0.5, rise * (j + 0.5), 0}, disks ? disk : brick, &self));
    int others[3] = {disks && i > 0 ? self - 1 : self, j > 0 ? self - width : GROUND,
                     j > 0 && next >= 0 && next < width ? self - width + side : self};
    for (int k = 0; k < 3; k++) {
        bool lacks = disks && stick_random_uniform(&build->random, 0, 1) > KEPT;
        if (others[k] == self || (lacks && others[k] != GROUND))
            continue;
        STICK_TRY(disks ? touch_disks(build, radius, self, others[k])
                        : touch_bricks(build, brick, self, others[k]));
    }
    return STICK_OK;
}

static StickStatus fill(Build *build, PackingKind kind, int ncontacts)
{
    double each = kind == PACKING_DISKS ? 3 * KEPT : kind == PACKING_BRICKS ? 4 : 8;
    int width = (int)ceil(sqrt(ncontacts / each));
    for (int j = 0; j < width; j++)
        for (int i = 0; i < width; i++)
            STICK_TRY(add_at(build, kind == PACKING_DISKS, width, i, j));
    return STICK_OK;
}

// ---- W = H' M^-1 H

static void add_coupling(const Build *build, const Touch *a, int side_a, const Touch *b, int side_b,
                         double *block)
{
    const Body *body = &build->body[a->body[side_a]];
    for (int i = 0; i < build->dim; i++)
        for (int j = 0; j < build->dim; j++)
            for (int k = 0; k < 6; k++)
                block[build->dim * i + j] += a->G[side_a][i][k] * b->G[side_b][j][k] *
                                             (k < 3 ? body->inverse_mass : body->inverse_inertia[k - 3]);
}

// Neighbours of contact c in ascending order, from the lists of its two bodies.
static int merge_row(const Build *build, int c, int *col)
{
    static const Body none;
    const Touch *touch = &build->touch[c];
    const Body *a = &build->body[touch->body[0]],
               *b = touch->body[1] == GROUND ? &none : &build->body[touch->body[1]];
    int i = 0, j = 0, count = 0;
    while (i < a->ncontacts || j < b->ncontacts) {
        int from_a = i < a->ncontacts ? a->contact[i] : build->ntouches;
        int from_b = j < b->ncontacts ? b->contact[j] : build->ntouches;
        int next = from_a < from_b ? from_a : from_b;
        i += from_a == next;
        j += from_b == next;
        col[count++] = next;
    }
    return count;
}

static void fill_row(const Build *build, int c, Packing *packing)
{
    const Touch *touch = &build->touch[c];
    size_t dim = (size_t)build->dim;
    for (int e = packing->W.start[c]; e < packing->W.start[c + 1]; e++) {
        const Touch *other = &build->touch[packing->W.col[e]];
        for (int s = 0; s < 4; s++)
            if (touch->body[s / 2] != GROUND && touch->body[s / 2] == other->body[s % 2])
                add_coupling(build, touch, s / 2, other, s % 2, packing->W.value + dim * dim * (size_t)e);
    }
    for (size_t k = 0; k < dim; k++)
        for (int side = 0; side < 2; side++)
            packing->u_free[dim * (size_t)c + k] -= STEP * GRAVITY * touch->G[side][k][1];
    packing->mu[c] = FRICTION;
}

static StickStatus condense(const Build *build, Packing *packing)
{
    size_t n = (size_t)build->ntouches, dim = (size_t)build->dim;
    int row[2 * MOST_OF_A_BODY];
    packing->W.d = build->dim;
    packing->W.n = build->ntouches;
    STICK_ALLOC(packing->ctx, packing->W.start, n + 1);
    for (int c = 0; c < build->ntouches; c++)
        packing->W.start[c + 1] = packing->W.start[c] + merge_row(build, c, row);
    STICK_ALLOC(packing->ctx, packing->W.col, packing->W.start[n]);
    STICK_ALLOC(packing->ctx, packing->W.value, dim * dim * (size_t)packing->W.start[n]);
    STICK_ALLOC(packing->ctx, packing->u_free, dim * n);
    STICK_ALLOC(packing->ctx, packing->mu, n);
    for (int c = 0; c < build->ntouches; c++) {
        merge_row(build, c, packing->W.col + packing->W.start[c]);
        fill_row(build, c, packing);
    }
    return STICK_OK;
}

StickStatus packing_create(StickContext *ctx, PackingKind kind, int ncontacts, Packing *packing)
{
    Build build = {.ctx = ctx, .dim = kind == PACKING_BOXES ? 3 : 2, .random = stick_random_seed(21)};
    *packing = (Packing){.ctx = ctx};
    StickStatus status = fill(&build, kind, ncontacts);
    if (status == STICK_OK)
        status = condense(&build, packing);
    packing->problem = (StickFrictionProblem){.dim = build.dim,
                                              .ncontacts = build.ntouches,
                                              .W = &packing->W,
                                              .u_free = packing->u_free,
                                              .mu = packing->mu};
    stick_free(ctx, build.body);
    stick_free(ctx, build.touch);
    if (status != STICK_OK)
        packing_destroy(packing);
    return status;
}

void packing_destroy(Packing *packing)
{
    if (!packing->ctx)
        return;
    stick_blocks_destroy(packing->ctx, &packing->W);
    stick_free(packing->ctx, packing->u_free);
    stick_free(packing->ctx, packing->mu);
    *packing = (Packing){0};
}

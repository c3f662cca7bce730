// SPDX-License-Identifier: Apache-2.0
#include "pile.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdbool.h>

static const double KEPT = 0.55, FRICTION = 0.4, STEP = 1e-2, GRAVITY = 9.81;

typedef struct Sphere {
    double inverse_mass, inverse_inertia, radius;
    double v[3];
    int first, count; // of its contacts, in Build.of_sphere
} Sphere;

// u = v(second) - v(first) at the contact point, in the frame N, T1, T2; N points to the second, -1 is the
// floor.
typedef struct Touch {
    int first, second;
    double frame[3][3];
} Touch;

typedef struct Build {
    StickContext *ctx;
    int edge; // of the cube of sites
    int *sphere_at;
    Sphere *sphere;
    int nspheres;
    Touch *touch;
    int ntouches;
    int *of_sphere; // contacts by sphere, ascending
    size_t touch_room;
} Build;

// ---- geometry

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void make_frame(const double *towards, double (*frame)[3])
{
    double size = sqrt(dot(towards, towards));
    for (int i = 0; i < 3; i++)
        frame[0][i] = towards[i] / size;
    // any direction that is far from the normal
    double other[3] = {0};
    other[fabs(frame[0][0]) < 0.6 ? 0 : 1] = 1;
    cross(frame[0], other, frame[1]);
    size = sqrt(dot(frame[1], frame[1]));
    for (int i = 0; i < 3; i++)
        frame[1][i] /= size;
    cross(frame[0], frame[1], frame[2]);
}

static int *site(const Build *build, int x, int y, int z)
{
    int edge = build->edge;
    return x < 0 || y < 0 || z < 0 || x >= edge || y >= edge ? NULL
                                                             : &build->sphere_at[(z * edge + y) * edge + x];
}

// ---- spheres and contacts

static void add_sphere(Build *build, StickRandom *random)
{
    Sphere *sphere = &build->sphere[build->nspheres++];
    double radius = stick_random_uniform(random, 0.4, 0.5),
           mass = 4.0 / 3 * M_PI * 2500 * radius * radius * radius;
    *sphere = (Sphere){.radius = radius, .inverse_mass = 1 / mass};
    sphere->inverse_inertia = 1 / (0.4 * mass * radius * radius);
    for (int i = 0; i < 3; i++)
        sphere->v[i] = stick_random_uniform(random, -0.02, 0.02);
    sphere->v[2] -= STEP * GRAVITY;
}

static StickStatus add_touch(Build *build, int first, int second, const double *towards)
{
    STICK_RESERVE(build->ctx, build->touch, build->touch_room, (size_t)build->ntouches + 1);
    Touch *touch = &build->touch[build->ntouches++];
    touch->first = first;
    touch->second = second;
    make_frame(towards, touch->frame);
    build->sphere[second].count++;
    if (first >= 0)
        build->sphere[first].count++;
    return STICK_OK;
}

// Contacts with the neighbours that were there before: four below, two in the same layer.
static StickStatus touch_earlier(Build *build, StickRandom *random, int x, int y, int z)
{
    static const int steps[6][3] = {{-1, 0, -1}, {1, 0, -1},  {0, -1, -1},
                                    {0, 1, -1},  {-1, -1, 0}, {1, -1, 0}};
    int self = build->nspheres - 1;
    for (int k = 0; k < 6; k++) {
        const int *at = site(build, x + steps[k][0], y + steps[k][1], z + steps[k][2]);
        bool kept = stick_random_uniform(random, 0, 1) < KEPT;
        double towards[3];
        for (int i = 0; i < 3; i++)
            towards[i] = -steps[k][i] + stick_random_uniform(random, -0.15, 0.15);
        if (at && kept)
            STICK_TRY(add_touch(build, *at, self, towards));
    }
    return z > 0 ? STICK_OK : add_touch(build, -1, self, (double[]){0, 0, 1});
}

static StickStatus fill(Build *build)
{
    StickRandom random = stick_random_seed(20);
    int edge = build->edge;
    STICK_ALLOC(build->ctx, build->sphere_at, edge * edge * edge);
    STICK_ALLOC(build->ctx, build->sphere, edge * edge * edge);
    for (int z = 0; z < edge; z++)
        for (int y = 0; y < edge; y++)
            for (int x = (y + z) % 2; x < edge; x += 2) {
                *site(build, x, y, z) = build->nspheres;
                add_sphere(build, &random);
                STICK_TRY(touch_earlier(build, &random, x, y, z));
            }
    return STICK_OK;
}

static StickStatus list_by_sphere(Build *build)
{
    int count = 0;
    for (int s = 0; s < build->nspheres; s++) {
        build->sphere[s].first = count;
        count += build->sphere[s].count;
        build->sphere[s].count = 0;
    }
    STICK_ALLOC(build->ctx, build->of_sphere, count);
    for (int c = 0; c < build->ntouches; c++) {
        int ends[] = {build->touch[c].first, build->touch[c].second};
        for (int k = 0; k < 2; k++)
            if (ends[k] >= 0) {
                Sphere *sphere = &build->sphere[ends[k]];
                build->of_sphere[sphere->first + sphere->count++] = c;
            }
    }
    return STICK_OK;
}

// ---- W = H' M^-1 H

// Adds what sphere s couples in contacts a and b: the arms of a sphere are along its normals.
static void add_coupling(const Build *build, int s, const Touch *a, const Touch *b, double *block)
{
    const Sphere *sphere = &build->sphere[s];
    double side_a = a->second == s ? 1 : -1, side_b = b->second == s ? 1 : -1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double turn_a[3], turn_b[3];
            cross(a->frame[0], a->frame[i], turn_a);
            cross(b->frame[0], b->frame[j], turn_b);
            block[3 * i + j] +=
                side_a * side_b * sphere->inverse_mass * dot(a->frame[i], b->frame[j]) +
                sphere->inverse_inertia * sphere->radius * sphere->radius * dot(turn_a, turn_b);
        }
}

// Neighbours of contact c in ascending order, from the lists of its two spheres; counts only if col is NULL.
static int merge_row(const Build *build, int c, int *col)
{
    const Touch *touch = &build->touch[c];
    static const Sphere none;
    const Sphere *a = touch->first >= 0 ? &build->sphere[touch->first] : &none,
                 *b = &build->sphere[touch->second];
    int i = 0, j = 0, count = 0;
    while (i < a->count || j < b->count) {
        int from_a = i < a->count ? build->of_sphere[a->first + i] : build->ntouches;
        int from_b = j < b->count ? build->of_sphere[b->first + j] : build->ntouches;
        int next = from_a < from_b ? from_a : from_b;
        i += from_a == next;
        j += from_b == next;
        if (col)
            col[count] = next;
        count++;
    }
    return count;
}

static void fill_row(const Build *build, int c, Pile *pile)
{
    const Touch *touch = &build->touch[c];
    int ends[] = {touch->first, touch->second};
    for (int k = pile->W.start[c]; k < pile->W.start[c + 1]; k++) {
        const Touch *other = &build->touch[pile->W.col[k]];
        for (int e = 0; e < 2; e++)
            if (ends[e] >= 0 && (other->first == ends[e] || other->second == ends[e]))
                add_coupling(build, ends[e], touch, other, pile->W.value + 9 * (size_t)k);
    }
    for (int i = 0; i < 3; i++) {
        double first = touch->first >= 0 ? dot(build->sphere[touch->first].v, touch->frame[i]) : 0;
        pile->u_free[3 * c + i] = dot(build->sphere[touch->second].v, touch->frame[i]) - first;
    }
    pile->mu[c] = FRICTION;
}

static StickStatus condense(const Build *build, Pile *pile)
{
    int n = build->ntouches;
    STICK_ALLOC(pile->ctx, pile->W.start, n + 1);
    for (int c = 0; c < n; c++)
        pile->W.start[c + 1] = pile->W.start[c] + merge_row(build, c, NULL);
    size_t nblocks = (size_t)pile->W.start[n];
    STICK_ALLOC(pile->ctx, pile->W.col, nblocks);
    STICK_ALLOC(pile->ctx, pile->W.value, 9 * nblocks);
    STICK_ALLOC(pile->ctx, pile->u_free, 3 * n);
    STICK_ALLOC(pile->ctx, pile->mu, n);
    for (int c = 0; c < n; c++) {
        merge_row(build, c, pile->W.col + pile->W.start[c]);
        fill_row(build, c, pile);
    }
    return STICK_OK;
}

StickStatus pile_create(StickContext *ctx, int ncontacts, Pile *pile)
{
    // half of the cube's places are sites, with six earlier neighbours each
    int edge = (int)ceil(cbrt(ncontacts / (3 * KEPT)));
    Build build = {.ctx = ctx, .edge = edge < 2 ? 2 : edge};
    *pile = (Pile){.ctx = ctx};
    StickStatus status = fill(&build);
    if (status == STICK_OK)
        status = list_by_sphere(&build);
    pile->W.d = 3;
    pile->W.n = build.ntouches;
    if (status == STICK_OK)
        status = condense(&build, pile);
    pile->problem = (StickFrictionProblem){
        .dim = 3, .ncontacts = build.ntouches, .W = &pile->W, .u_free = pile->u_free, .mu = pile->mu};
    stick_free(ctx, build.sphere_at);
    stick_free(ctx, build.sphere);
    stick_free(ctx, build.touch);
    stick_free(ctx, build.of_sphere);
    if (status != STICK_OK)
        pile_destroy(pile);
    return status;
}

void pile_destroy(Pile *pile)
{
    if (!pile->ctx)
        return;
    stick_blocks_destroy(pile->ctx, &pile->W);
    stick_free(pile->ctx, pile->u_free);
    stick_free(pile->ctx, pile->mu);
    *pile = (Pile){0};
}

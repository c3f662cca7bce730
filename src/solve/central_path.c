// SPDX-License-Identifier: Apache-2.0
// The path of centres, in the letters of interior.h:
//
//     y - sqrt(|y_T|^2 + (smooth t)^2) e = What x + q + t b,   x o y = t size^2 e.
//
// b is chosen such that x = y = size e is on the path at t = 1; at t = 0 the path ends in a solution. Friction is not
// associated, so t need not decrease monotonically: the path may turn back several times, where a contact changes
// from stick to slip and drags its neighbours along. Steps that only decrease t stall there. So (x, y, t) is followed
// as a curve [AG90]: with A = What + T V^2, t decreases along it while det A > 0 and increases while det A < 0.
//
// Lengths are those of the scaled changes V dx, V^-1 dy over lambda, and of dt over t: a sliding contact
// may turn its direction far in them, which the second order of the predictor follows exactly.
#include "solve/central_path.h"

#include "base/memory.h"
#include "linalg/block_determinant.h"
#include "solve/method.h"

#include <stdio.h>
#include <string.h>

// Keeps the sign of the determinant from round-off where W is singular; What has diagonals of about 1.
static const double SHIFT = 1e-8;

// A change of the point.
typedef struct Direction {
    double *x, *y; // n
    double t;
} Direction;

// A point of the path and its derivatives.
typedef struct Base {
    Direction point;
    Direction correct, along, bend; // Newton's correction; first and second derivative by length
} Base;

struct StickCentralPath {
    StickContext *ctx;
    StickConeInterior *interior;
    StickBlockDeterminant *determinant;
    double *b, *F, *c;         // n
    Direction newton, tangent; // t fixed; by t
    Direction correct, step;
    Base base;
    double *room;
    size_t capacity;
    double size, smooth;
    double t;
    double length;   // of the next step
    double tangent2; // length of the tangent squared
};

StickStatus stick_central_path_create(StickConeInterior *interior, StickCentralPath **created)
{
    StickCentralPath *path;
    STICK_ALLOC(interior->ctx, path, 1);
    path->ctx = interior->ctx;
    path->interior = interior;
    StickStatus status = stick_block_determinant_create(path->ctx, &path->determinant);
    if (status != STICK_OK) {
        stick_free(path->ctx, path);
        return status;
    }
    *created = path;
    return STICK_OK;
}

void stick_central_path_destroy(StickCentralPath *path)
{
    if (!path)
        return;
    stick_block_determinant_destroy(path->determinant);
    stick_free(path->ctx, path->room);
    stick_free(path->ctx, path);
}

StickStatus stick_central_path_reserve(StickCentralPath *path, const StickFrictionProblem *problem)
{
    const StickBlocks *W = problem->W;
    size_t n = (size_t)problem->dim * (size_t)problem->ncontacts;
    Direction *directions[] = {&path->newton,     &path->tangent,      &path->correct,    &path->step,
                               &path->base.point, &path->base.correct, &path->base.along, &path->base.bend};
    STICK_TRY(stick_cone_interior_reserve(path->interior, problem));
    STICK_TRY(stick_block_determinant_analyse(path->determinant, W->n, W->start, W->col, W->d));
    STICK_RESERVE(path->ctx, path->room, path->capacity, 19 * n);
    for (size_t k = 0; k < 8; k++) {
        directions[k]->x = path->room + 2 * k * n;
        directions[k]->y = directions[k]->x + n;
    }
    path->b = path->room + 16 * n;
    path->F = path->b + n;
    path->c = path->F + n;
    return STICK_OK;
}

// ---- directions and their lengths

// a + scale b, into a
static void add(const StickCentralPath *path, Direction *a, double scale, const Direction *b)
{
    for (int i = 0; i < path->interior->n; i++) {
        a->x[i] += scale * b->x[i];
        a->y[i] += scale * b->y[i];
    }
    a->t += scale * b->t;
}

// a = scale b
static void put(const StickCentralPath *path, Direction *a, double scale, const Direction *b)
{
    for (int i = 0; i < path->interior->n; i++) {
        a->x[i] = scale * b->x[i];
        a->y[i] = scale * b->y[i];
    }
    a->t = scale * b->t;
}

// Product of the scaled changes of contact c.
static double local_dot(const StickCentralPath *path, int c, const Direction *a, const Direction *b)
{
    const StickConeInterior *interior = path->interior;
    const StickLorentzScaling *V = &interior->scaling[c];
    int d = interior->dim, at = d * c;
    double p[4][3], sum = 0;
    stick_lorentz_scale(d, V, a->x + at, p[0]);
    stick_lorentz_scale(d, V, b->x + at, p[1]);
    stick_lorentz_unscale(d, V, a->y + at, p[2]);
    stick_lorentz_unscale(d, V, b->y + at, p[3]);
    for (int k = 0; k < d; k++)
        sum += p[0][k] * p[1][k] + p[2][k] * p[3][k];
    return sum / (path->t * path->size * path->size);
}

static double dot(const StickCentralPath *path, const Direction *a, const Direction *b)
{
    double sum = (a->t / path->t) * (b->t / path->t);
    for (int c = 0; c < path->interior->ncontacts; c++)
        sum += local_dot(path, c, a, b);
    return sum;
}

// Largest change of any contact or of t.
static double extent(const StickCentralPath *path, const Direction *a)
{
    double most = (a->t / path->t) * (a->t / path->t);
    for (int c = 0; c < path->interior->ncontacts; c++) {
        double local = local_dot(path, c, a, a);
        most = local <= most ? most : local;
    }
    return sqrt(most);
}

// Takes the part along the tangent out of a.
static void make_normal(const StickCentralPath *path, Direction *a)
{
    add(path, a, -dot(path, a, &path->tangent) / path->tangent2, &path->tangent);
}

// ---- derivatives at the point

// Newton's correction at fixed t, and the derivative of the path by t; false if the system is singular.
static bool linearise(StickCentralPath *path)
{
    StickConeInterior *interior = path->interior;
    int d = interior->dim;
    double target = path->t * path->size * path->size, smooth = path->smooth * path->t;
    stick_cone_interior_defect(interior, smooth, path->F);
    if (!stick_cone_interior_factor(interior))
        return false;
    for (int i = 0; i < interior->n; i++)
        path->F[i] -= path->t * path->b[i];
    for (int k = 0; k < interior->ncontacts; k++) {
        double *c = path->c + d * k;
        stick_lorentz_product(d, interior->lambda + d * k, interior->lambda + d * k, c);
        for (int i = 0; i < d; i++)
            c[i] = (i == 0 ? target : 0) - c[i];
    }
    stick_cone_interior_solve(interior, path->c, path->F, path->newton.x, path->newton.y);
    for (int i = 0; i < interior->n; i++) {
        double norm = interior->norm[i / d];
        path->c[i] = i % d == 0 ? path->size * path->size : 0;
        path->F[i] = -path->b[i] - (i % d == 0 && norm > 0 ? smooth * path->smooth / norm : 0);
    }
    stick_cone_interior_solve(interior, path->c, path->F, path->tangent.x, path->tangent.y);
    path->newton.t = 0;
    path->tangent.t = 1;
    path->tangent2 = dot(path, &path->tangent, &path->tangent);
    return isfinite(path->tangent2);
}

// d^2/ds^2 of sqrt(|y_T|^2 + (smooth t)^2)
static double second_norm(const StickCentralPath *path, int c, const double *dy, double dt)
{
    const StickConeInterior *interior = path->interior;
    const double *y = interior->y + interior->dim * c;
    double norm = interior->norm[c], smooth = path->smooth * path->t, change = path->smooth * dt;
    if (norm == 0)
        return 0;
    double along = (stick_lorentz_dot(interior->dim, y, dy) + smooth * change) / norm;
    return (stick_lorentz_dot(interior->dim, dy, dy) + change * change - along * along) / norm;
}

// Second derivative of the path along v, normal to it.
static void differentiate_twice(StickCentralPath *path, const Direction *v, Direction *second)
{
    StickConeInterior *interior = path->interior;
    int d = interior->dim;
    for (int k = 0; k < interior->ncontacts; k++) {
        int at = d * k;
        double a[3], b[3];
        stick_lorentz_scale(d, &interior->scaling[k], v->x + at, a);
        stick_lorentz_unscale(d, &interior->scaling[k], v->y + at, b);
        stick_lorentz_product(d, a, b, path->c + at);
        for (int i = 0; i < d; i++) {
            path->c[at + i] *= -2;
            path->F[at + i] = 0;
        }
        path->F[at] = -second_norm(path, k, v->y + at, v->t);
    }
    stick_cone_interior_solve(interior, path->c, path->F, second->x, second->y);
    second->t = 0;
    make_normal(path, second);
}

// ---- steps

static Direction here(const StickCentralPath *path)
{
    return (Direction){path->interior->x, path->interior->y, path->t};
}

static void move(StickCentralPath *path, double scale, const Direction *step)
{
    Direction point = here(path);
    add(path, &point, scale, step);
    path->t = point.t;
}

// Keeps the point and its derivatives; t falls where the determinant is positive.
static void settle(StickCentralPath *path, int sign)
{
    Base *base = &path->base;
    Direction point = here(path);
    double unit = extent(path, &path->tangent);
    put(path, &base->point, 1, &point);
    put(path, &base->correct, 1, &path->correct);
    put(path, &base->along, (sign > 0 ? -1 : 1) / unit, &path->tangent);
    differentiate_twice(path, &base->along, &base->bend);
}

// A step from the base, as long as the step length and the cone allow; false if impossible.
static bool leap(StickCentralPath *path)
{
    const double shrink = 0.8, least = 1e-9, most_fall = 0.9, margin = 1 / 0.98;
    Base *base = &path->base;
    StickConeInterior *interior = path->interior;
    size_t bytes = (size_t)interior->n * sizeof(double);
    memcpy(interior->x, base->point.x, bytes);
    memcpy(interior->y, base->point.y, bytes);
    path->t = base->point.t;
    for (double s = path->length; s > least; s *= shrink) {
        put(path, &path->step, 1, &base->correct);
        add(path, &path->step, s, &base->along);
        add(path, &path->step, s * s / 2, &base->bend);
        if (path->step.t > -most_fall * path->t &&
            stick_cone_interior_step(interior, path->step.x, path->step.y) > margin) {
            path->length = fmin(path->length, 1.5 * s);
            move(path, 1, &path->step);
            return true;
        }
    }
    return false;
}

static void correct(StickCentralPath *path)
{
    const double margin = 0.9, most_fall = 0.98;
    double step =
        fmin(1, margin * stick_cone_interior_step(path->interior, path->correct.x, path->correct.y));
    if (step * path->correct.t < -most_fall * path->t)
        step = most_fall * path->t / -path->correct.t;
    move(path, step, &path->correct);
}

static void begin(StickCentralPath *path, double smooth)
{
    StickConeInterior *interior = path->interior;
    path->size = interior->scale;
    path->smooth = smooth * path->size;
    path->t = 1;
    path->length = 0.5;
    stick_cone_interior_centre(interior, path->size);
    stick_cone_interior_defect(interior, path->smooth, path->b);
}

// Longer steps where few corrections were needed.
static double next_length(double length, int corrections)
{
    const double longest = 30;
    double factor = corrections == 0 ? 2 : corrections == 1 ? 1.3 : corrections == 2 ? 1 : 0.7;
    return fmin(longest, factor * length);
}

// How near to the path a point must be: nearer where Newton's corrections do not shrink fast.
static double nearness(int corrections, double extent_now, double extent_before)
{
    return corrections == 0 ? 0.25 : extent_now < 0.5 * extent_before ? 0.4 : 0.05;
}

// Follows one path to its end, to the limit of iterations, or to where no step is short enough.
static void follow(StickCentralPath *path, const StickSolverOptions *options, int most, double *r, double *u,
                   StickPathRun *run)
{
    const double shortest = 1e-7, slow = 0.7, backward = 0.4;
    enum { MOST_CORRECTIONS = 5 };
    int corrections = 0, last_sign = 0;
    double before = INFINITY;
    while (path->interior->iterations < most && path->length > shortest &&
           !stick_is_stopped(path->interior->ctx)) {
        bool there = linearise(path);
        double now = INFINITY;
        if (there) {
            put(path, &path->correct, 1, &path->newton);
            make_normal(path, &path->correct);
            now = extent(path, &path->correct);
        }
        if (now < nearness(corrections, now, before)) {
            run->residual = stick_cone_interior_weigh(path->interior, r, u);
            if (stick_residual_within_whole(run->residual, options))
                return;
            int sign = stick_block_determinant_sign(path->determinant, path->interior->matrix, SHIFT);
            run->turns += sign * last_sign < 0;
            last_sign = sign;
            settle(path, sign);
            path->length = next_length(path->length, corrections);
        } else if (there && corrections < MOST_CORRECTIONS && (corrections == 0 || now < slow * before)) {
            correct(path);
            before = now;
            corrections++;
            continue;
        } else {
            path->length *= backward;
        }
        corrections = 0;
        before = INFINITY;
        if (last_sign == 0 || !leap(path))
            return;
    }
}

// A path that is lost is begun again with another smoothing.
StickPathRun stick_central_path_run(StickCentralPath *path, const StickFrictionProblem *problem,
                                    const StickSolverOptions *options, int most, double *r, double *u)
{
    static const double smoothings[] = {10, 30, 100, 3};
    StickConeInterior *interior = path->interior;
    stick_cone_interior_load(interior, problem);
    stick_residual_velocity(problem, r, u);
    StickPathRun run = {.residual = stick_residual(problem, r, u)};
    interior->best = fmax(run.residual.shared, run.residual.scale_free);
    for (size_t k = 0; k < sizeof smoothings / sizeof *smoothings; k++) {
        if (stick_residual_within_whole(run.residual, options) || interior->iterations >= most)
            break;
        begin(path, smoothings[k]);
        follow(path, options, most, r, u, &run);
    }
    run.iterations = interior->iterations;
    run.flops = interior->flops;
    return run;
}

// ---- the method

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickConeInterior *interior;
    StickCentralPath *path;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    stick_central_path_destroy(work->path);
    stick_cone_interior_destroy(work->interior);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    *work = (Work){.ctx = ctx, .options = options};
    STICK_TRY(stick_cone_interior_create(ctx, &work->interior));
    return stick_central_path_create(work->interior, &work->path);
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    return stick_central_path_reserve(((Work *)data)->path, problem);
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    StickPathRun run =
        stick_central_path_run(work->path, problem, work->options, work->options->iterations, r, u);
    info->iterations = run.iterations;
    info->end =
        stick_residual_within_whole(run.residual, work->options) ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT;
    snprintf(info->detail, sizeof info->detail, "the path of centres turned %d times", run.turns);
    return STICK_OK;
}

const StickMethod stick_method_continuation = {
    .name = "continuation",
    .text =
        "the interior point's path followed through its turning points; exact cone, slow and the most robust",
    .needs_blocks = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};

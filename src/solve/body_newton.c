// SPDX-License-Identifier: Apache-2.0
// Newton's method in the velocities of the bodies, for problems whose W is known in its factored form W = H' S H, S =
// M^-1. Every contact point gets a small compliance e. Then its impulse is a function of its velocity,
//
//     r = R(z),  z = centre - u / e,  u = u_free + H' w,
//     R(z) = z where it sticks, (z_N, s z_N + K z_T) where it slides, else 0
//
// (K = (mu z_N / |z_T|)(I - t t'), s = mu t, t = z_T / |z_T| for a disk), and the change w of the velocities of the
// bodies solves F(w) = M w - H R = 0. A step of Newton's method needs the factors of M + H D H', D = -dR/du, with 3
// or 6 rows per body instead of dim rows per contact: W may have any rank, and fill depends on which bodies touch
// alone.
//
// Along a step dw the zero of F . dw is searched: without friction F is the gradient of a convex function, and this
// is its minimum. Where it lies next to the start, bodies that lose contact limit the step of all others; then M is
// multiplied by 1 + shift, which restrains such soft motions and hardly changes stiff ones.
//
// Large problems begin with proximal points around their guess. Otherwise, or if these fail, the first step takes
// contact statuses from the guess. Without a guess, or if this fails, interior points (interior_point.h, with the
// same factors) provide one; if these stall, all contacts stick at first, and e is reduced level by level. Then, with
// centre = r, proximal points remove the error of the compliance. As in compliant.c the result is the limit of small
// equal compliance, except for large problems with a guess.
#include "solve/body_newton.h"

#include "base/memory.h"
#include "solve/body_system.h"
#include "solve/compliant.h"
#include "solve/cone.h"
#include "solve/interior_point.h"
#include "solve/method.h"
#include "solve/problem.h"
#include "solve/residual.h"
#include "solve/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Status { OPEN, STUCK, SLIDES } Status;

// Compliances in units of the mean of trace(W_cc) / dim: the last one, and the first one without a guess, starting
// with all contacts stuck, or all open where friction can wedge a contact.
static const double last_level = 1e-6, least_level = 1e-10, near_level = 1e-4, e_down = 0.3, e_fast = 0.1,
                    e_up = 100, e_back = 10, share_of_error = 1e-3, bonded_level = 1e-2, open_level = 10,
                    level_ratio = 0.1, closest_ratio = 0.7;

// A proximal point that leaves more than this share of the error is slow.
static const double slow_gain = 0.1, stalled_gain = 0.5, most_stretch = 100;

// Steps from a guess, of a level, and proximal points.
enum {
    WARM_STEPS = 25,
    LEVEL_STEPS = 30,
    MOST_CENTRES = 40,
    MOST_FAILURES = 2,
    MOST_IDLE = 3,
    FEW_STEPS = 6
};

// From this number of contacts on a guess is the first centre of proximal points.
enum { NEAR_CONTACTS = 2000 };

// Starting from a guess, |F| / |w| must fall by this factor within FREE_STEPS steps; otherwise the guess is rejected.
enum { FREE_STEPS = 5 };
static const double least_gain = 0.3;

// Interior points begin far inside of the cones, in units of the free velocity; iterations, and short steps in turn.
static const double interior_size = 300;
enum { INTERIOR_STEPS = 100, INTERIOR_SHORT = 20 };

// Errors of interior points up to this one are worth going on from.
static const double near_solution = 1e-4;

// |F| relative to |w|, in the metric of M, at which a level is left, the last one, and that of a proximal point.
static const double level_accuracy = 1e-2, last_accuracy = 1e-6, centre_accuracy = 1e-9, near_accuracy = 1e-5;

// The residual is measured when |F| is below this multiple of the tolerance.
static const double nearly = 100;

// Above this size of F a step does not end at a solution.
static const double small_size = 1e-2;

// Line search: the slope falls to this share; below the least part of a step the shift grows.
static const double slope_share = 0.1, least_part = 0.05;
enum { MOST_TRIES = 20, MOST_SHIFTS = 3 };
static const double first_shift = 100, shift_up = 100, shift_down = 0.1;

typedef struct Work {
    StickContext *ctx;
    const StickSolverOptions *options;
    StickBodySystem system;
    StickConeInterior *interior;
    StickInteriorPoint *point;
    const StickFrictionProblem *problem;
    double e, shift;
    double part;      // of the last step that was made ...
    bool is_plain;    // ... without a shift
    bool leaves_open; // forces that the motion does not determine are selected elsewhere
    bool stretches;   // centres move farther than to the last point
    bool has_rough;   // interior_r nearly is a solution
    bool bonded;      // contacts of the first step stick, whatever the values of r and u
    int steps;        // factorisations ...
    int level_steps;  // ... of the last level
    double mean;      // of the weights
    double *rho;      // ncontacts: 1 / weight
    // Each dim * ncontacts:
    double *r, *u, *du, *centre, *best, *answer, *linear, *interior_r, *zero;
    double *D;                       // dim x dim for each contact
    unsigned char *status;           // ncontacts
    double *w, *dw, *F, *p, *kept_w; // ndofs * nbodies
    size_t real_room, status_room;
    double *reals;
} Work;

static void destroy(void *data)
{
    Work *work = data;
    if (!work->ctx)
        return;
    stick_interior_point_destroy(work->point);
    stick_cone_interior_destroy(work->interior);
    stick_body_system_destroy(&work->system);
    stick_free(work->ctx, work->reals);
    stick_free(work->ctx, work->status);
}

static StickStatus create(StickContext *ctx, const StickSolverOptions *options, void *data)
{
    Work *work = data;
    work->ctx = ctx;
    work->options = options;
    STICK_TRY(stick_body_system_create(ctx, &work->system));
    STICK_TRY(stick_cone_interior_create(ctx, &work->interior));
    stick_cone_interior_use(work->interior, &work->system);
    STICK_TRY(stick_interior_point_create(work->interior, &work->point));
    stick_interior_point_patience(work->point, INTERIOR_SHORT);
    return STICK_OK;
}

static StickStatus reserve(void *data, const StickFrictionProblem *problem)
{
    Work *work = data;
    STICK_TRY(stick_body_system_load(&work->system, problem, work->options->threads > 1));
    size_t n = (size_t)problem->ncontacts, d = (size_t)problem->dim, rows = d * n;
    size_t bodies = (size_t)work->system.ndofs * (size_t)work->system.nbodies;
    STICK_RESERVE(work->ctx, work->reals, work->real_room, n + (9 + d) * rows + 5 * bodies);
    STICK_RESERVE(work->ctx, work->status, work->status_room, n);
    work->rho = work->reals;
    work->r = work->rho + n;
    work->u = work->r + rows;
    work->du = work->u + rows;
    work->centre = work->du + rows;
    work->best = work->centre + rows;
    work->answer = work->best + rows;
    work->linear = work->answer + rows;
    work->interior_r = work->linear + rows;
    work->zero = work->interior_r + rows;
    work->D = work->zero + rows;
    work->w = work->D + d * rows;
    work->dw = work->w + bodies;
    work->F = work->dw + bodies;
    work->p = work->F + bodies;
    work->kept_w = work->p + bodies;
    return stick_interior_point_reserve(work->point, problem);
}

double stick_body_newton_flops(const void *work)
{
    return stick_body_system_flops(&((const Work *)work)->system);
}

void stick_body_newton_leave_open(void *data, bool leaves_open)
{
    Work *work = data;
    work->leaves_open = leaves_open;
}

// ---- one contact

static Status status_of(const StickFrictionProblem *problem, int c, const double *z)
{
    int d = problem->dim;
    const StickSection *section = stick_section_of(problem, c);
    if (!(z[0] > 0))
        return OPEN;
    if (d == 1)
        return STUCK;
    if (section)
        return stick_section_gauge(section, z + 1) > z[0] ? SLIDES : STUCK;
    return problem->mu[c] == 0 || stick_cone_tangent(d, z) > problem->mu[c] * z[0] ? SLIDES : STUCK;
}

// r = R(z)
static void law(const StickFrictionProblem *problem, int c, const double *z, double *r)
{
    int d = problem->dim;
    const StickSection *section = stick_section_of(problem, c);
    Status status = status_of(problem, c, z);
    double part = status == OPEN ? 0 : 1;
    r[0] = part * z[0];
    if (status == SLIDES && section) {
        stick_section_nearest(section, z[0], z + 1, r + 1);
        return;
    }
    if (status == SLIDES)
        part = problem->mu[c] > 0 ? problem->mu[c] * z[0] / stick_cone_tangent(d, z) : 0;
    for (int k = 1; k < d; k++)
        r[k] = part * z[k];
}

// B x = b in place, m = 1 or 2
static void solve_small(int m, const double *B, double *b)
{
    if (m == 1) {
        b[0] /= B[0];
        return;
    }
    double det = B[0] * B[3] - B[1] * B[2], first = (B[3] * b[0] - B[1] * b[1]) / det;
    b[1] = (B[0] * b[1] - B[2] * b[0]) / det;
    b[0] = first;
}

// The linearised law at z = r - rho u, with u that includes the compliance: dr = g - D H' dw. With rho = 1/e, r + g =
// R(z).
static void linearise(const Work *work, int c, double rho, const double *z, const double *r, const double *u,
                      double *D, double *g)
{
    int d = work->problem->dim, m = d - 1;
    double e = work->e, s[2] = {0}, K[4] = {0}, B[4] = {0}, column[2];
    Status status = (Status)work->status[c];
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    for (int k = 0; k < d; k++)
        g[k] = status == OPEN ? -r[k] : -u[k] / e;
    for (int k = 0; k < d && status != OPEN; k++)
        D[k * (d + 1)] = 1 / e;
    if (status != SLIDES)
        return;
    // (I - K + rho e K) dr_T = s (r_N + dr_N) + K z_T - r_T - rho K (H' dw)_T
    stick_friction_linearise(work->problem, c, z, s, K);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            B[i * m + j] = (i == j) - (1 - rho * e) * K[i * m + j];
    for (int i = 0; i < m; i++) {
        g[1 + i] = s[i] * (r[0] + g[0]) - r[1 + i];
        for (int j = 0; j < m; j++)
            g[1 + i] += K[i * m + j] * z[1 + j];
    }
    solve_small(m, B, g + 1);
    for (int j = 0; j < d; j++) {
        for (int i = 0; i < m; i++)
            column[i] = j == 0 ? s[i] / e : rho * K[i * m + j - 1];
        solve_small(m, B, column);
        for (int i = 0; i < m; i++)
            D[(1 + i) * d + j] = column[i];
    }
}

// ---- F and its derivative

// F = M w - H x
static void set_F(Work *work, const double *x)
{
    StickBodySystem *system = &work->system;
    stick_body_system_impulse(system, x, work->p);
    stick_body_system_momentum(system, work->w, work->F);
    for (int i = 0; i < system->ndofs * system->nbodies; i++)
        work->F[i] -= work->p[i];
}

static void begin_range(void *data, int from, int to)
{
    Work *work = data;
    int d = work->problem->dim;
    for (int c = from; c < to; c++) {
        double z[3] = {0}, u[3], g[3], *r = work->r + d * c;
        for (int k = 0; k < d; k++) {
            u[k] = work->u[d * c + k] + work->e * (r[k] - work->centre[d * c + k]);
            z[k] = r[k] - work->rho[c] * u[k];
        }
        work->status[c] = (unsigned char)(work->bonded ? STUCK : status_of(work->problem, c, z));
        linearise(work, c, work->rho[c], z, r, u, work->D + d * d * c, g);
        for (int k = 0; k < d; k++)
            r[k] += g[k];
    }
}

// The first step of a level has the statuses of r and u.
static void begin(Work *work)
{
    stick_body_system_range(&work->system, begin_range, work);
    set_F(work, work->r);
}

static void evaluate_range(void *data, int from, int to)
{
    Work *work = data;
    int d = work->problem->dim;
    for (int c = from; c < to; c++) {
        double z[3] = {0}, g[3], *r = work->r + d * c, u[3];
        for (int k = 0; k < d; k++)
            z[k] = work->centre[d * c + k] - work->u[d * c + k] / work->e;
        work->status[c] = (unsigned char)status_of(work->problem, c, z);
        law(work->problem, c, z, r);
        for (int k = 0; k < d; k++)
            u[k] = work->u[d * c + k] + work->e * (r[k] - work->centre[d * c + k]);
        linearise(work, c, 1 / work->e, z, r, u, work->D + d * d * c, g);
    }
}

// r = R(w), statuses, D and F.
static void evaluate(Work *work)
{
    stick_body_system_range(&work->system, evaluate_range, work);
    set_F(work, work->r);
}

// u = W r + u_free goes to du: S H r = w - S F
static StickResidual residual_of(Work *work)
{
    StickBodySystem *system = &work->system;
    stick_body_system_response(system, work->F, work->p);
    stick_body_system_velocity(system, work->zero, work->p, work->du);
    for (int i = 0; i < work->problem->dim * work->problem->ncontacts; i++)
        work->du[i] = work->u[i] - work->du[i];
    return stick_body_system_residual(system, work->problem, work->r, work->du);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// ---- steps

typedef struct Search {
    const Work *work;
    double part;
} Search;

static double add_slope(const void *data, int from, int to)
{
    const Search *search = data;
    const Work *work = search->work;
    int d = work->problem->dim;
    double sum = 0;
    for (int i = d * from; i < d * to; i += d) {
        double z[3] = {0}, r[3];
        for (int k = 0; k < d; k++)
            z[k] = work->centre[i + k] - (work->u[i + k] + search->part * work->du[i + k]) / work->e;
        law(work->problem, i / d, z, r);
        for (int k = 0; k < d; k++)
            sum += r[k] * work->du[i + k];
    }
    return sum;
}

// F(w + part dw) . dw with (M w).dw and (M dw).dw
static double slope(const Work *work, double part, double Mw_dw, double Mdw_dw)
{
    Search search = {work, part};
    return Mw_dw + part * Mdw_dw - stick_body_system_sum(&work->system, add_slope, &search);
}

// The part of the step where F . dw is small, by regula falsi; 1 if it does not change its sign before, 0 if dw is
// not a descent direction.
static double search_part(Work *work)
{
    StickBodySystem *system = &work->system;
    int n = system->ndofs * system->nbodies;
    stick_body_system_velocity(system, work->zero, work->dw, work->du);
    stick_body_system_momentum(system, work->dw, work->p);
    double Mw_dw = dot(n, work->p, work->w), Mdw_dw = dot(n, work->p, work->dw);
    double low = 0, at_low = dot(n, work->F, work->dw), first = at_low, high = 0, at_high = 0, part = 1;
    if (!(first < 0))
        return 0;
    for (int k = 0; k < MOST_TRIES; k++) {
        double now = slope(work, part, Mw_dw, Mdw_dw);
        if (fabs(now) <= slope_share * fabs(first))
            return part;
        if (now < 0) {
            low = part;
            at_low = now;
        } else {
            high = part;
            at_high = now;
        }
        if (high == 0)
            return 1;
        double width = high - low;
        part = fmin(fmax(low - at_low * width / (at_high - at_low), low + 0.1 * width), high - 0.1 * width);
    }
    return part;
}

// u of the velocities w, by differences from here on
static void set_u(Work *work)
{
    stick_body_system_velocity(&work->system, work->problem->u_free, work->w, work->u);
}

// w and u move by a part of dw and du.
static void move(Work *work, double part)
{
    int n = work->system.ndofs * work->system.nbodies, rows = work->problem->dim * work->problem->ncontacts;
    for (int i = 0; i < n; i++)
        work->w[i] += part * work->dw[i];
    for (int i = 0; i < rows; i++)
        work->u[i] += part * work->du[i];
}

// w + part dw; false if no factors could be found.
static bool step(Work *work)
{
    StickBodySystem *system = &work->system;
    int n = system->ndofs * system->nbodies;
    double part = 0;
    work->is_plain = work->shift == 0;
    for (int k = 0; k < MOST_SHIFTS && !(part > least_part); k++) {
        if (k > 0) {
            work->shift = fmax(first_shift, work->shift * shift_up);
            work->is_plain = false;
        }
        work->steps++;
        if (!stick_body_system_factor(system, work->status, work->D, work->shift))
            return false;
        stick_body_system_solve(system, work->F, work->dw);
        for (int i = 0; i < n; i++)
            work->dw[i] = -work->dw[i];
        part = search_part(work);
    }
    if (part > least_part)
        work->shift = work->shift > 1 ? shift_down * work->shift : 0;
    work->part = part > 0 ? part : 1;
    move(work, work->part);
    return true;
}

// How a level ended: with the required accuracy, with a residual within the tolerance, or failed. CENTRE: no level
// was needed, w and r are the first centre.
typedef enum Ended { FAILED, ACCURATE, SOLVED, CENTRE } Ended;

static void linear_range(void *data, int from, int to)
{
    Work *work = data;
    int d = work->problem->dim;
    for (int i = d * from; i < d * to; i++) {
        double sum = work->r[i];
        for (int l = 0; l < d; l++)
            sum -= work->D[d * i + l] * work->du[i / d * d + l];
        work->linear[i] = sum;
    }
}

// After a full step: the impulses of the linearised law, r - D H' dw, balance M w exactly, whatever their statuses.
// Takes them if they solve the problem.
static bool take_linear(Work *work)
{
    const StickFrictionProblem *problem = work->problem;
    stick_body_system_range(&work->system, linear_range, work);
    if (!stick_residual_within(stick_body_system_residual(&work->system, problem, work->linear, work->u),
                               work->options))
        return false;
    memcpy(work->r, work->linear, (size_t)(problem->dim * problem->ncontacts) * sizeof *work->r);
    return true;
}

// One compliance; proximal: around a centre that is nearly a solution.
static Ended run_level(Work *work, double e, int most, double accuracy, bool proximal)
{
    StickBodySystem *system = &work->system;
    int n = system->ndofs * system->nbodies;
    double before = INFINITY, size_of[LEVEL_STEPS + 1];
    work->e = e;
    work->shift = 0;
    begin(work);
    for (int k = 0;; k++) {
        work->level_steps = k;
        if (k > 0) {
            evaluate(work);
            stick_body_system_response(system, work->F, work->p);
            double size = dot(n, work->p, work->F);
            stick_body_system_momentum(system, work->w, work->p);
            double scale = dot(n, work->p, work->w), near = nearly * work->options->tolerance;
            if (!isfinite(size))
                return FAILED;
            if (size <= near * near * scale && stick_residual_within(residual_of(work), work->options))
                return SOLVED;
            // round-off, which grows as e falls, may leave more than the accuracy
            bool stalls = size <= last_accuracy * last_accuracy * scale && size > 0.25 * before;
            before = size;
            if (size <= accuracy * accuracy * scale || stalls)
                return ACCURATE;
            size_of[k] = sqrt(size / scale);
            if (proximal && k == 1 && accuracy == near_accuracy && e <= 1.01 * last_level * work->mean &&
                size_of[k] > 1)
                return FAILED;
            if (most == WARM_STEPS && k > FREE_STEPS && !(size_of[k] <= least_gain * size_of[k - FREE_STEPS]))
                return FAILED;
        }
        if (k == most || work->steps >= work->options->iterations || stick_is_stopped(work->ctx))
            return FAILED;
        if (k > 0 && !step(work))
            return FAILED;
        if (k == 0) {
            work->steps++;
            if (!stick_body_system_factor(system, work->status, work->D, 0))
                return FAILED;
            stick_body_system_solve(system, work->F, work->dw);
            for (int i = 0; i < n; i++)
                work->dw[i] = -work->dw[i];
            stick_body_system_velocity(system, work->zero, work->dw, work->du);
            move(work, 1);
            work->part = 1;
            work->is_plain = true;
        }
        bool may_solve = k == 0 || size_of[k] <= small_size;
        if (proximal && may_solve && work->part == 1 && work->is_plain && take_linear(work))
            return SOLVED;
    }
}

// ---- the method

// r(eps) without a guess. If a level fails, the next one is nearer to the last that was solved.
static Ended start_cold(Work *work, double mean)
{
    bool wedges = stick_compliant_can_wedge(work->problem);
    size_t bodies = (size_t)(work->system.ndofs * work->system.nbodies),
           rows = (size_t)(work->problem->dim * work->problem->ncontacts);
    double solved = 0, next = wedges ? open_level : bonded_level, ratio = level_ratio;
    memset(work->w, 0, bodies * sizeof *work->w);
    memset(work->r, 0, rows * sizeof *work->r);
    memset(work->centre, 0, rows * sizeof *work->centre);
    set_u(work);
    work->bonded = !wedges;
    for (;;) {
        bool last = next <= last_level;
        Ended ended = run_level(work, next * mean, LEVEL_STEPS, last ? last_accuracy : level_accuracy, false);
        work->bonded = false;
        if (last && ended != FAILED)
            return ended;
        if (ended != FAILED) {
            solved = next;
            ratio = fmax(level_ratio, ratio * ratio);
            memcpy(work->kept_w, work->w, bodies * sizeof *work->w);
            memcpy(work->best, work->r, rows * sizeof *work->r);
        } else if (solved == 0 || ratio > closest_ratio || work->steps >= work->options->iterations ||
                   stick_is_stopped(work->ctx)) {
            return FAILED;
        } else {
            ratio = sqrt(ratio);
            memcpy(work->w, work->kept_w, bodies * sizeof *work->w);
            memcpy(work->r, work->best, rows * sizeof *work->r);
            set_u(work);
        }
        next = solved * ratio < 2 * last_level ? last_level : solved * ratio;
    }
}

static Ended start_warm(Work *work, double mean, const double *r)
{
    StickBodySystem *system = &work->system;
    int n = work->problem->dim * work->problem->ncontacts;
    double size = dot(n, r, r);
    if (!(size > 0) || stick_compliant_can_wedge(work->problem))
        return FAILED;
    memcpy(work->r, r, (size_t)n * sizeof *r);
    stick_body_system_impulse(system, r, work->p);
    stick_body_system_response(system, work->p, work->w);
    set_u(work);
    work->bonded = false;
    memset(work->centre, 0, (size_t)n * sizeof *work->centre);
    return run_level(work, last_level * mean, WARM_STEPS, last_accuracy, false);
}

// u = W r + u_free by the blocks of W, which define the problem.
static StickResidual measure(const Work *work, const double *r, double *u)
{
    return stick_body_system_measure(&work->system, work->problem, r, u);
}

// The next centre is r, or lies farther along the path from the last one, within the cones: where forces drift that
// the motion does not determine, each point makes the same short step.
static void move_centre(Work *work, double stretch)
{
    const StickFrictionProblem *problem = work->problem;
    int d = problem->dim;
    for (int c = 0; c < problem->ncontacts; c++) {
        double z[3] = {0}, *centre = work->centre + d * c;
        const double *r = work->r + d * c;
        for (int k = 0; k < d; k++)
            z[k] = r[k] + stretch * (r[k] - centre[k]);
        if (stretch > 0)
            law(problem, c, z, centre);
        else
            memcpy(centre, r, (size_t)d * sizeof *r);
    }
}

// Proximal points from the end of a start, with the compliance e; the best one of all starts is kept. e decreases
// from one to the next, which makes them superlinear: forces of contacts that finally open or slide slowly change by
// u / e only. If Newton fails, the last centre is tried again with a larger e, which keeps the next point nearer to
// it.
static bool refine(Work *work, Ended ended, double e, double mean, double *u, double *error)
{
    const StickFrictionProblem *problem = work->problem;
    size_t size = (size_t)(problem->dim * problem->ncontacts) * sizeof *u,
           bodies = (size_t)(work->system.ndofs * work->system.nbodies) * sizeof *u;
    int failures = ended == CENTRE ? 0 : MOST_FAILURES; // without a centre there is nothing to go back to
    bool found = false;             // once the tolerance is met points go on to the aim while they gain much
    bool is_near = ended == CENTRE; // forces of equal compliance are kept: e falls where a point gains little
    double accuracy = is_near ? near_accuracy : centre_accuracy, failed_e = 0, before = INFINITY, stretch = 0,
           least = INFINITY, aim = work->options->aim > 0 ? work->options->aim : INFINITY;
    int idle = 0; // points since the error was last halved
    for (int k = 0; k <= MOST_CENTRES; k++) {
        if (ended == FAILED && (found || failures++ == MOST_FAILURES || !(e < open_level)))
            return found;
        if (ended == FAILED) {
            memcpy(work->r, work->centre, size);
            memcpy(work->w, work->kept_w, bodies);
            set_u(work);
            stretch = 0;
            failed_e = e;
            e *= accuracy < near_accuracy ? e_back : e_up;
        }
        if (ended == ACCURATE || ended == SOLVED) {
            StickResidual residual = measure(work, work->r, u);
            double now = stick_residual_error(residual, work->options->measure);
            bool good = stick_residual_within(residual, work->options);
            if (good ? !found || now < *error : !found && now < *error) {
                memcpy(work->answer, work->r, size);
                *error = now;
            }
            found |= good;
            if (found && (now <= aim || now > slow_gain * before))
                return true;
            if (is_near)
                accuracy = fmax(centre_accuracy, fmin(near_accuracy, share_of_error * now));
            failures = 0;
            if (is_near || now > slow_gain * before)
                e = fmax(e * (work->level_steps <= FEW_STEPS && e_fast * e > 2 * failed_e ? e_fast : e_down),
                         least_level);
            if (now < stalled_gain * least) {
                least = now;
                idle = 0;
            } else if (++idle > MOST_IDLE) {
                return found;
            }
            stretch =
                work->stretches && now > stalled_gain * before ? fmin(2 * stretch + 1, most_stretch) : 0;
            before = now;
        }
        if (ended != FAILED) {
            move_centre(work, ended == CENTRE ? 0 : stretch);
            memcpy(work->kept_w, work->w, bodies);
        }
        ended = run_level(work, e * mean, WARM_STEPS, accuracy, true);
    }
    return found;
}

// Around r: a guess, or nearly a solution. Where the motion does not determine the forces, their change from r is
// minimised, instead of using those of equal compliance, which cost several times as many steps.
static bool refine_near(Work *work, const double *r, double e, double mean, double *u, double *error)
{
    StickBodySystem *system = &work->system;
    int n = work->problem->dim * work->problem->ncontacts;
    if (!(dot(n, r, r) > 0) || stick_compliant_can_wedge(work->problem))
        return false;
    memcpy(work->r, r, (size_t)n * sizeof *r);
    stick_body_system_impulse(system, r, work->p);
    stick_body_system_response(system, work->p, work->w);
    set_u(work);
    work->bonded = false;
    return refine(work, CENTRE, e, mean, u, error);
}

// Around the best point so far, with centres that move farther.
static bool refine_far(Work *work, double mean, double *u, double *error)
{
    size_t size = (size_t)(work->problem->dim * work->problem->ncontacts) * sizeof *u;
    if (!(*error <= near_solution) || stick_is_stopped(work->ctx))
        return false;
    work->stretches = true;
    memcpy(work->linear, work->answer, size);
    return refine_near(work, work->linear, last_level, mean, u, error);
}

// Interior points with the same factors are slower and more robust. For smaller problems, and without a guess, forces
// are then distributed from their result, which remains in interior_r where that fails. They may stop before each
// contact is within the tolerance in its own scale; proximal points then continue from the result. false: no result.
static bool run_interior(Work *work, double mean, const double *r, double *u, double *error, bool *good)
{
    int n = work->problem->dim * work->problem->ncontacts;
    size_t size = (size_t)n * sizeof *r;
    bool is_near = work->problem->ncontacts >= NEAR_CONTACTS && dot(n, r, r) > 0;
    if (stick_section_any(work->problem))
        return false;
    memcpy(work->interior_r, r, size);
    StickInteriorRun run = stick_interior_point_run(work->point, work->problem, work->options, interior_size,
                                                    INTERIOR_STEPS, work->interior_r, u);
    work->steps += run.iterations;
    bool is_solved = stick_residual_within(run.residual, work->options);
    if (!is_solved && !(run.residual.scale_free <= near_solution))
        return false;
    work->has_rough = true;
    if (!is_near)
        *good = refine(work, start_warm(work, mean, work->interior_r), last_level, mean, u, error);
    if (!*good && !is_solved && work->problem->ncontacts >= NEAR_CONTACTS)
        *good = refine_near(work, work->interior_r, near_level, mean, u, error);
    return is_solved;
}

static StickStatus solve(void *data, const StickFrictionProblem *problem, double *r, double *u,
                         StickSolveInfo *info)
{
    Work *work = data;
    size_t size = (size_t)(problem->dim * problem->ncontacts) * sizeof *r;
    double mean = 0, error = INFINITY;
    work->problem = problem;
    work->steps = 0;
    work->has_rough = work->stretches = false;
    for (int c = 0; c < problem->ncontacts; c++) {
        double weight = stick_friction_weight(problem, c);
        work->rho[c] = 1 / weight;
        mean += weight / problem->ncontacts;
    }
    work->mean = mean;
    memset(work->zero, 0, size);
    if (!isfinite(stick_body_newton_flops(work))) {
        info->end = STICK_SOLVE_LIMIT;
        snprintf(info->detail, sizeof info->detail, "its factors would be too large");
        return STICK_OK;
    }
    bool good = problem->ncontacts >= NEAR_CONTACTS || work->leaves_open
                    ? refine_near(work, r, last_level, mean, u, &error)
                    : refine(work, start_warm(work, mean, r), last_level, mean, u, &error),
         has_interior = false;
    if (!good)
        has_interior = run_interior(work, mean, r, u, &error, &good);
    if (!good && !has_interior && problem->ncontacts >= NEAR_CONTACTS)
        good = refine_far(work, mean, u, &error);
    // large problems that are solved but for a few digits, or by interior points, are not worth many more steps
    bool is_large = problem->ncontacts >= (has_interior ? STICK_BODY_THREADS : NEAR_CONTACTS);
    if (!good && !(is_large && (has_interior || error <= nearly * work->options->tolerance)))
        good = refine(work, start_cold(work, mean), last_level, mean, u, &error);
    // where forces of equal compliance are not found, others may be
    if (!good && !has_interior && problem->ncontacts < NEAR_CONTACTS)
        good = refine_near(work, work->has_rough ? work->interior_r : r, near_level, mean, u, &error);
    bool by_interior = has_interior && !good;
    if (by_interior && !stick_is_stopped(work->ctx)) {
        memcpy(work->answer, work->interior_r, size);
        good = stick_residual_within(measure(work, work->answer, u), work->options);
        error = 0;
    }
    info->iterations = work->steps;
    info->end = good ? STICK_SOLVE_CONVERGED : STICK_SOLVE_LIMIT;
    if (error < INFINITY)
        memcpy(r, work->answer, size);
    info->residual = measure(work, r, u).shared;
    snprintf(info->detail, sizeof info->detail,
             !good ? "no solution after %d factorisations"
             : by_interior
                 ? "%d factorisations; forces that the motion leaves open are those of interior points"
                 : "%d factorisations",
             work->steps);
    return STICK_OK;
}

const StickMethod stick_method_body_newton = {
    .name = "body-newton",
    .text =
        "Newton in the velocities of rigid bodies, whose forces it distributes as equal springs do; exact "
        "cone, sparse factors",
    .needs_blocks = true,
    .needs_bodies = true,
    .sections = true,
    .measures = true,
    .work_size = sizeof(Work),
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .solve = solve,
};

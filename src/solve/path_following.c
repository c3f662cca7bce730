// SPDX-License-Identifier: Apache-2.0
// Driver of the path: rates, the distance to the next limit of a contact, and the state there from the equations of
// the status.
#include "solve/path_following.h"

#include "base/check.h"
#include "solve/path_following_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double at_limit = 1e-11;  // of the largest scaled force or displacement
static const double round_off = 1e-13; // of the terms that cancel in them
static const double same_way =
    1e-12; // limits reached at path parameters that differ by less count as simultaneous
static const double renewed = 1e-12; // relative residual beyond which the inverse is recomputed
static const double broken = 1e-8;   // relative residual beyond which a state is rejected

// ---- the state

static void set_free(StickPathFollowing *path)
{
    for (size_t i = 0; i < stick_path_following_entry(path, path->n); i++)
        path->u_free[i] = path->c[i] + path->s * path->b[i];
}

// Size of the terms of the state equations: tolerances are relative to it.
static void measure(StickPathFollowing *path)
{
    double force = 0, motion = 0, cancels = 0;
    for (int c = 0; c < path->n; c++)
        for (int k = 0; k < path->per; k++) {
            size_t i = stick_path_following_entry(path, c) + (size_t)k;
            force = fmax(force, fabs(path->r[i]) * path->scale[c]);
            if (path->status[c] == STICK_PATH_FOLLOWING_OPEN)
                continue;
            motion = fmax(motion, fabs(path->u[i] - path->u_free[i]) / path->scale[c]);
            cancels = fmax(cancels, (fabs(path->c[i]) + fabs(path->b[i]) * path->s) / path->scale[c]);
        }
    path->zero.r = at_limit * force + round_off * cancels;
    path->zero.u = at_limit * motion + round_off * fmax(cancels, force);
}

// The largest free displacement.
static double size_of_state(const StickPathFollowing *path)
{
    double size = 0;
    for (size_t i = 0; i < stick_path_following_entry(path, path->n); i++)
        size =
            fmax(size, (fabs(path->c[i]) + fabs(path->b[i]) * path->s) / path->scale[i / (size_t)path->dim]);
    return size;
}

// r and u at s from the equations of the status, so that nothing adds up.
static StickPathFollowingEnd find_state(StickPathFollowing *path)
{
    set_free(path);
    double size = size_of_state(path),
           residual = stick_path_following_solve(path, path->u_free, path->held, path->r, path->u);
    if (!(residual <= renewed * size) && path->updates > 0) {
        if (!stick_path_following_refactor(path))
            return STICK_PATH_FOLLOWING_SINGULAR;
        residual = stick_path_following_solve(path, path->u_free, path->held, path->r, path->u);
    }
    for (int c = 0; c < path->n; c++) {
        size_t N = stick_path_following_entry(path, c);
        if (path->status[c] != STICK_PATH_FOLLOWING_OPEN)
            path->u[N] = 0;
        if (path->status[c] == STICK_PATH_FOLLOWING_STUCK)
            path->u[N + 1] = path->held[c];
    }
    if (size > 0)
        path->info.residual = fmax(path->info.residual, residual / size);
    measure(path);
    return residual <= broken * size ? STICK_PATH_FOLLOWING_DONE : STICK_PATH_FOLLOWING_ROUND_OFF;
}

// ---- the next limit

static double way_to_zero(double value, double rate, double zero)
{
    return rate < -zero ? fmax(value, 0) / -rate : INFINITY;
}

// Distance in s until contact c reaches a limit of its status.
static double way_of(const StickPathFollowing *path, int c)
{
    size_t N = stick_path_following_entry(path, c);
    double scale = path->scale[c];
    if (path->status[c] == STICK_PATH_FOLLOWING_OPEN)
        return way_to_zero(path->u[N] / scale, path->du[N] / scale, path->zero.du);
    if (path->status[c] == STICK_PATH_FOLLOWING_SLIPPING)
        return way_to_zero(path->r[N] * scale, path->dr[N] * scale, path->zero.dr);
    double way = INFINITY;
    for (int side = -1; side <= 1; side += 2)
        way = fmin(way, way_to_zero(stick_path_following_phi(path, c, side, path->r),
                                    stick_path_following_phi(path, c, side, path->dr), path->zero.dr));
    return way;
}

// Puts a contact that has reached its limit exactly onto it. Returns the change of its force or gap, scaled.
static double put_on_limit(StickPathFollowing *path, int c)
{
    size_t N = stick_path_following_entry(path, c);
    double *r = path->r + N, N_before = r[0], T_before = path->per == 2 ? r[1] : 0, gap = path->u[N];
    if (path->status[c] == STICK_PATH_FOLLOWING_OPEN) {
        path->u[N] = 0;
        return fabs(gap) / path->scale[c];
    }
    r[0] = path->status[c] == STICK_PATH_FOLLOWING_SLIPPING ? 0 : fmax(r[0], 0);
    if (path->per == 1)
        return fabs(N_before) * path->scale[c];
    r[1] = copysign(path->mu[c] * r[0], T_before);
    return fmax(fabs(r[0] - N_before), fabs(r[1] - T_before)) * path->scale[c];
}

// Several contacts that lift at once differ by round-off.
static bool has_emptied(const StickPathFollowing *path, int c, double way)
{
    return path->status[c] != STICK_PATH_FOLLOWING_OPEN && isfinite(way) &&
           stick_path_following_is_touching(path, c);
}

// Walks to the next limit or to the end of the piece.
static StickPathFollowingEnd walk(StickPathFollowing *path, double ds)
{
    double way = ds - path->s, *ways = path->w;
    for (int c = 0; c < path->n; c++) {
        ways[c] = way_of(path, c);
        way = fmin(way, ways[c]);
    }
    size_t bytes = stick_path_following_entry(path, path->n) * sizeof *path->r;
    memcpy(path->part_r, path->r, bytes);
    memcpy(path->part_u, path->u, bytes);
    path->part_start = path->s;
    path->s = way < ds - path->s ? path->s + way : ds;
    StickPathFollowingEnd end = find_state(path);
    double moved = 0, size = size_of_state(path);
    for (int c = 0; c < path->n; c++)
        if (ways[c] <= way * (1 + same_way) || has_emptied(path, c, ways[c]))
            moved = fmax(moved, put_on_limit(path, c));
    if (size > 0)
        path->info.residual = fmax(path->info.residual, moved / size);
    return moved > broken * size ? STICK_PATH_FOLLOWING_ROUND_OFF : end;
}

// ---- events

StickPathFollowingContact stick_path_following_contact(const StickPathFollowing *path, int c)
{
    int moves = path->status[c] == STICK_PATH_FOLLOWING_SLIPPING && stick_path_following_mu(path, c) > 0;
    return (StickPathFollowingContact){(StickPathFollowingStatus)path->status[c], -path->side[c] * moves};
}

static StickPathFollowingContact last_contact(const StickPathFollowing *path, int c)
{
    int moves = path->last_status[c] == STICK_PATH_FOLLOWING_SLIPPING && stick_path_following_mu(path, c) > 0;
    return (StickPathFollowingContact){(StickPathFollowingStatus)path->last_status[c],
                                       -path->last_side[c] * moves};
}

static void tell_events(StickPathFollowing *path, const StickPathFollowingObserver *observer)
{
    for (int c = 0; c < path->n; c++) {
        StickPathFollowingEvent event = {path->s, c, last_contact(path, c),
                                         stick_path_following_contact(path, c)};
        if (event.from.status == event.to.status && event.from.direction == event.to.direction)
            continue;
        path->info.events++;
        if (observer && observer->event)
            observer->event(observer->user, &event);
    }
}

// Fixes the position where a contact begins to stick; sets gap = 0 for closed contacts and zero forces for open ones.
static void take_status(StickPathFollowing *path)
{
    for (int c = 0; c < path->n; c++) {
        size_t N = stick_path_following_entry(path, c);
        if (path->status[c] == STICK_PATH_FOLLOWING_STUCK &&
            path->last_status[c] != STICK_PATH_FOLLOWING_STUCK)
            path->held[c] = path->u[N + 1];
        if (path->status[c] != STICK_PATH_FOLLOWING_OPEN)
            path->u[N] = 0;
        else
            memset(path->r + N, 0, (size_t)path->dim * sizeof *path->r);
    }
}

static StickPathFollowingEnd change_status(StickPathFollowing *path,
                                           const StickPathFollowingObserver *observer)
{
    size_t n = (size_t)path->n;
    memcpy(path->last_status, path->status, n);
    memcpy(path->last_side, path->side, n);
    StickPathFollowingEnd end = stick_path_following_settle(path);
    if (end == STICK_PATH_FOLLOWING_DONE) {
        take_status(path);
        tell_events(path, observer);
        return STICK_PATH_FOLLOWING_DONE;
    }
    memcpy(path->next_status, path->last_status, n);
    memcpy(path->next_side, path->last_side, n);
    stick_path_following_exchange(path);
    return end;
}

// ---- the piece

static StickPathFollowingEnd follow(StickPathFollowing *path, double ds,
                                    const StickPathFollowingObserver *observer)
{
    int idle = 0, patience = 4 * path->n + 16;
    set_free(path);
    measure(path);
    StickPathFollowingEnd end = STICK_PATH_FOLLOWING_DONE;
    while (end == STICK_PATH_FOLLOWING_DONE && path->s < ds) {
        end = change_status(path, observer);
        if (end != STICK_PATH_FOLLOWING_DONE)
            break;
        path->info.contact = -1;
        end = walk(path, ds);
        double s0 = path->part_start;
        idle = path->s - s0 > 1e-14 * ds ? 0 : idle + 1;
        if (idle > patience)
            return STICK_PATH_FOLLOWING_STALLED;
        path->info.parts += path->s > s0;
        if (end == STICK_PATH_FOLLOWING_DONE && observer && observer->part && path->s > s0)
            observer->part(observer->user, path, s0, path->s);
    }
    return end;
}

// Ends a piece: adds its load to c and its sliding to slip; s starts from zero again.
static void end_piece(StickPathFollowing *path)
{
    size_t tangents = (size_t)(path->dim - 1);
    for (int c = 0; c < path->n; c++) {
        size_t N = stick_path_following_entry(path, c);
        path->c[N] += path->s * path->b[N];
        for (size_t k = 0; k < tangents; k++) {
            double way = path->u[N + 1 + k];
            path->c[N + 1 + k] += path->s * path->b[N + 1 + k] - way;
            path->slip[tangents * (size_t)c + k] += way;
            path->u[N + 1 + k] = 0;
        }
        path->held[c] = 0;
    }
    path->s = 0;
}

static void tell_end(StickPathFollowing *path)
{
    StickPathFollowingInfo *info = &path->info;
    char why[sizeof info->detail];
    if (info->end == STICK_PATH_FOLLOWING_DONE) {
        info->proved = false;
        info->detail[0] = '\0';
        return;
    }
    memcpy(why, info->detail, sizeof why);
    if (info->contact >= 0)
        snprintf(info->detail, sizeof info->detail, "%s at s = %.9g, contact %d, %s%s%.60s",
                 stick_path_following_end_word(info->end), info->s, info->contact,
                 stick_path_following_status_word((StickPathFollowingStatus)path->status[info->contact]),
                 why[0] ? "; " : "", why);
    else
        snprintf(info->detail, sizeof info->detail, "%s at s = %.9g",
                 stick_path_following_end_word(info->end), info->s);
}

StickStatus stick_path_following_load(StickPathFollowing *path, const double *b)
{
    size_t rows = stick_path_following_entry(path, path->n);
    for (size_t i = 0; i < rows; i++)
        STICK_CHECK(path->ctx, isfinite(b[i]), STICK_BAD_INPUT, "load %g on contact %zu of a path", b[i],
                    i / (size_t)path->dim);
    memcpy(path->b, b, rows * sizeof *b);
    return STICK_OK;
}

StickStatus stick_path_following_follow(StickPathFollowing *path, const double *b, double ds,
                                        const StickPathFollowingObserver *observer,
                                        StickPathFollowingInfo *info)
{
    STICK_CHECK(path->ctx, isfinite(ds) && ds >= 0, STICK_BAD_INPUT, "a piece of a path of length %g", ds);
    STICK_TRY(stick_path_following_load(path, b));
    path->info = (StickPathFollowingInfo){.contact = -1};
    path->info.end = follow(path, ds, observer);
    path->info.s = path->s;
    tell_end(path);
    end_piece(path);
    *info = path->info;
    return STICK_OK;
}

// ---- what there is to see

// share: of the way from the start of the part to its end
static void write_state(const StickPathFollowing *path, double share, double *r, double *gap, double *slip)
{
    size_t dim = (size_t)path->dim;
    for (size_t c = 0; c < (size_t)path->n; c++)
        for (size_t k = 0; k < dim; k++) {
            size_t i = dim * c + k;
            double u = (1 - share) * path->part_u[i] + share * path->u[i];
            if (r)
                r[i] = (1 - share) * path->part_r[i] + share * path->r[i];
            if (gap && k == 0)
                gap[c] = u;
            if (slip && k > 0)
                slip[(dim - 1) * c + k - 1] = path->slip[(dim - 1) * c + k - 1] + u;
        }
}

void stick_path_following_state(const StickPathFollowing *path, double *r, double *gap, double *slip)
{
    write_state(path, 1, r, gap, slip);
}

void stick_path_following_at(const StickPathFollowing *path, double s, double *r, double *gap, double *slip)
{
    double way = path->s - path->part_start;
    write_state(path, way > 0 ? fmin(fmax((s - path->part_start) / way, 0), 1) : 1, r, gap, slip);
}

void stick_path_following_count(const StickPathFollowing *path, int count[3])
{
    count[0] = count[1] = count[2] = 0;
    for (int c = 0; c < path->n; c++)
        count[path->status[c]]++;
}

const char *stick_path_following_status_word(StickPathFollowingStatus status)
{
    static const char *const words[] = {"open", "stuck", "slipping"};
    return words[status];
}

const char *stick_path_following_end_word(StickPathFollowingEnd end)
{
    static const char *const words[] = {
        [STICK_PATH_FOLLOWING_DONE] = "done",
        [STICK_PATH_FOLLOWING_JUMP] = "the quasistatic path ends by a jump",
        [STICK_PATH_FOLLOWING_SINGULAR] = "the contact forces are not determined",
        [STICK_PATH_FOLLOWING_STALLED] = "changes of status without way",
        [STICK_PATH_FOLLOWING_ROUND_OFF] = "lost in round-off",
    };
    return words[end];
}

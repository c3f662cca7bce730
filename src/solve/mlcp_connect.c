// SPDX-License-Identifier: Apache-2.0
// Technique 2 [VBH88 Tables 1, 2]: stage I balances the loads with a pair for every free motion, whatever the signs
// of forces and separations; stage II connects pairs that overlap and disconnects those that pull, until none does. A
// pair that holds a motion alone is disconnected together with the connection of a substitute. A repeated set of
// connected pairs would repeat for ever: then Lemke's method finishes, and also if a pivot that the procedure needs
// is zero. (At the label Found:: the paper disconnects pair i a second time; it is disconnected.)
#include "base/memory.h"
#include "base/random.h"
#include "solve/mlcp_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- visited sets

static uint64_t hash_of_pair(int i)
{
    StickRandom random = stick_random_seed((uint64_t)i + 1);
    return stick_random_bits(&random);
}

// When the present set was visited before, or -1; then it is added.
static StickStatus look_up(StickMlcpWork *work, long *before)
{
    StickSeenSets *seen = &work->seen;
    size_t words = ((size_t)work->m + 63) / 64;
    uint64_t hash = 0;
    STICK_RESERVE(work->ctx, seen->hash, seen->hash_room, seen->count + 1);
    STICK_RESERVE(work->ctx, seen->bits, seen->bits_room, (seen->count + 1) * words);
    uint64_t *bits = seen->bits + seen->count * words;
    memset(bits, 0, words * sizeof *bits);
    for (int s = 0; s < work->k; s++) {
        int i = work->member[s];
        bits[i / 64] |= (uint64_t)1 << i % 64;
        hash ^= hash_of_pair(i);
    }
    *before = -1;
    for (size_t k = 0; k < seen->count && *before < 0; k++)
        if (seen->hash[k] == hash && memcmp(seen->bits + k * words, bits, words * sizeof *bits) == 0)
            *before = (long)k;
    if (*before < 0)
        seen->hash[seen->count++] = hash;
    return STICK_OK;
}

// ---- which pair

// The pair with a value below zero by more than round-off: the lowest, the first or the last one; -1: none.
static int negative(const StickMlcpWork *work, bool connected, const double *value)
{
    StickMlcpSizes sizes = stick_mlcp_sizes(work);
    int chosen = -1;
    for (int i = 0; i < work->m; i++) {
        double size = connected ? sizes.force : sizes.gap + fabs(work->eps[i]);
        if ((work->place[i] >= 0) != connected || !(value[i] < -stick_mlcp_zero * size))
            continue;
        if (work->options->order == STICK_MLCP_FIRST)
            return i;
        if (chosen < 0 || work->options->order == STICK_MLCP_LAST || value[i] < value[chosen])
            chosen = i;
    }
    return chosen;
}

// Row and column of the inverse that belong to pair i.
static void read_inverse(const StickMlcpWork *work, int i, double *row, double *column)
{
    int at = work->rank + work->place[i];
    for (int k = 0; k < work->inverse.n; k++) {
        row[k] = stick_bordered_at(&work->inverse, at, k);
        column[k] = stick_bordered_at(&work->inverse, k, at);
    }
}

static double product(int n, const double *a, const double *b, double *size)
{
    double sum = 0;
    *size = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
        *size += fabs(a[k] * b[k]);
    }
    return sum;
}

// A pair j for i: with both exchanged p_j = p_i / (N K_:j)_i, so this entry must be negative, and the pivot
// of the exchange is its product with (K_j: N)_i.
static int substitute(StickMlcpWork *work, int i)
{
    double *row = work->x, *column = work->rhs, best = 0, size_u, size_v;
    int chosen = -1, n = work->inverse.n;
    read_inverse(work, i, row, column);
    for (int j = 0; j < work->m; j++) {
        if (work->place[j] >= 0)
            continue;
        stick_mlcp_column(work, j, work->u);
        stick_mlcp_row(work, j, work->v);
        double force = product(n, row, work->u, &size_u), motion = product(n, column, work->v, &size_v);
        if (!(force < -stick_mlcp_zero * size_u) || fabs(motion) <= stick_mlcp_zero * size_v)
            continue;
        if (work->options->order == STICK_MLCP_FIRST)
            return j;
        if (work->options->order == STICK_MLCP_LAST || fabs(force * motion) > best)
            chosen = j;
        best = fmax(best, fabs(force * motion));
    }
    return chosen;
}

// j in, i out; where either alone has no pivot, both at once.
static StickStatus exchange(StickMlcpWork *work, int i, int j, bool *done)
{
    STICK_TRY(stick_mlcp_connect(work, j, done));
    if (*done && stick_mlcp_disconnect(work, i))
        return STICK_OK;
    for (int k = 0; k < work->m; k++)
        work->flag[k] = k == j || (k != i && work->place[k] >= 0);
    return stick_mlcp_connect_set(work, work->flag, done);
}

// ---- the procedure

typedef enum Course { GO_ON, SOLVED, STUCK } Course;

static StickStatus connect_one(StickMlcpWork *work, StickMlcpInfo *info, Course *course)
{
    bool done = true;
    int j = negative(work, false, work->d);
    if (j < 0)
        return STICK_OK;
    *course = GO_ON;
    STICK_TRY(stick_mlcp_connect(work, j, &done));
    if (done) {
        info->solve.iterations++;
        STICK_TRY(stick_mlcp_evaluate(work, &done));
    }
    if (!done)
        *course = STUCK;
    return STICK_OK;
}

static StickStatus disconnect_one(StickMlcpWork *work, StickMlcpInfo *info, Course *course)
{
    bool done = true;
    int i = negative(work, true, work->p);
    if (i < 0 || *course == STUCK)
        return STICK_OK;
    *course = GO_ON;
    info->solve.iterations++;
    if (!stick_mlcp_disconnect(work, i)) {
        int j = substitute(work, i);
        done = j >= 0;
        info->solve.iterations += done;
        if (done)
            STICK_TRY(exchange(work, i, j, &done));
    }
    if (done)
        STICK_TRY(stick_mlcp_evaluate(work, &done));
    if (!done)
        *course = STUCK;
    return STICK_OK;
}

// Stage II. STUCK: no pivot, no substitute, or a set that was there before.
static StickStatus stage_two(StickMlcpWork *work, StickMlcpInfo *info, Course *course)
{
    bool done;
    work->seen.count = 0;
    STICK_TRY(stick_mlcp_evaluate(work, &done));
    *course = done ? GO_ON : STUCK;
    while (*course == GO_ON && info->solve.iterations < work->options->iterations &&
           !stick_mlcp_is_to_end(work, info)) {
        long before;
        STICK_TRY(look_up(work, &before));
        if (before >= 0) {
            info->repeated = info->solve.iterations;
            *course = STUCK;
            break;
        }
        *course = SOLVED;
        STICK_TRY(connect_one(work, info, course));
        STICK_TRY(disconnect_one(work, info, course));
    }
    return STICK_OK;
}

static void mark_pairs(const StickMlcpWork *work, const bool *start)
{
    for (int j = 0; j < work->m; j++)
        work->flag[j] = start && start[j];
    for (int t = 0; t < work->rank; t++)
        work->flag[work->pair[t]] = true;
}

// The pairs of stage I with all those of the start, or else with those of them that leave K regular.
static StickStatus connect_start(StickMlcpWork *work, const bool *start, bool *done)
{
    bool taken;
    mark_pairs(work, start);
    STICK_TRY(stick_mlcp_connect_set(work, work->flag, done));
    if (*done || !start)
        return STICK_OK;
    mark_pairs(work, NULL);
    STICK_TRY(stick_mlcp_connect_set(work, work->flag, done));
    for (int j = 0; *done && j < work->m; j++)
        if (start[j] && work->place[j] < 0)
            STICK_TRY(stick_mlcp_connect(work, j, &taken));
    return STICK_OK;
}

static void say_why(const StickMlcpInfo *info, const char *by, char *text, size_t size)
{
    if (info->repeated > 0)
        snprintf(text, size, "a set of connected pairs came again after %d pivots%s", info->repeated, by);
    else
        snprintf(text, size, "no pivot or substitute after %d pivots%s", info->solve.iterations, by);
}

static StickStatus finish_by_lemke(StickMlcpWork *work, const StickMlcpSolution *solution,
                                   StickMlcpInfo *info)
{
    char why[sizeof info->solve.detail];
    info->by_lemke = true;
    say_why(info, "; finished by Lemke's method", why, sizeof why);
    STICK_TRY(stick_mlcp_by_lemke(work, NULL, solution, info));
    if (info->solve.end == STICK_SOLVE_CONVERGED)
        memcpy(info->solve.detail, why, sizeof why);
    return STICK_OK;
}

StickStatus stick_mlcp_connecting(StickMlcpWork *work, const bool *start, const StickMlcpSolution *solution,
                                  StickMlcpInfo *info)
{
    Course course = STUCK;
    bool done = false;
    info->solve.end = stick_mlcp_choose(work, start, info);
    if (info->solve.end != STICK_SOLVE_CONVERGED) {
        stick_mlcp_is_unstable(work, solution, info);
        return STICK_OK;
    }
    STICK_TRY(connect_start(work, start, &done));
    if (done)
        STICK_TRY(stage_two(work, info, &course));
    if (course == SOLVED)
        info->solve.end = stick_mlcp_give(work, solution, info);
    else if (stick_mlcp_is_unstable(work, solution, info))
        return STICK_OK;
    if (course == STUCK || (course == SOLVED && info->solve.end != STICK_SOLVE_CONVERGED))
        return finish_by_lemke(work, solution, info);
    if (course == GO_ON) {
        info->solve.end = STICK_SOLVE_LIMIT;
        snprintf(info->solve.detail, sizeof info->solve.detail, "ended after %d pivots of at most %d",
                 info->solve.iterations, work->options->iterations);
    }
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "race.h"

#include "base/clock.h"
#include "peer.h"

#include <stickslip/certificate.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOW_ROUNDS = 3, NEAR = 10 };
static const double short_solve = 1e-4; // s
static const double peer_slack = 1.01;  // its stopping test is not quite the measure

// What the child says: before a solve (seconds < 0) and after it.
typedef struct Word {
    int contender;
    double seconds, error;
} Word;

// ---- in the child

typedef struct Racer {
    const Race *race;
    Peer *peer;
    StickSolver *solver[MOST_CONTENDERS];
    double *r, *u;
    int pipe_end;
} Racer;

static void say(const Racer *racer, Word word)
{
    if (write(racer->pipe_end, &word, sizeof word) != (ssize_t)sizeof word)
        _exit(1);
}

static double solve_ours(Racer *racer, int k, int repeats)
{
    const Race *race = racer->race;
    size_t n = (size_t)race->problem->dim * (size_t)race->problem->ncontacts;
    StickStatus status = STICK_OK;
    StickSolveInfo info;
    double start = stick_clock_cpu();
    for (int i = 0; i < repeats && status == STICK_OK; i++) {
        memset(racer->r, 0, n * sizeof *racer->r);
        memset(racer->u, 0, n * sizeof *racer->u);
        status = stick_solver_solve(racer->solver[k], race->problem, racer->r, racer->u, &info);
    }
    double seconds = (stick_clock_cpu() - start) / repeats;
    if (status != STICK_OK)
        racer->r[0] = NAN;
    return seconds;
}

static double solve(Racer *racer, int k, int repeats)
{
    const Contender *contender = &racer->race->contender[k];
    return contender->ours ? solve_ours(racer, k, repeats)
                           : peer_solve(racer->peer, contender->index, racer->race->tolerance, repeats,
                                        racer->r, racer->u);
}

// Whether the contender goes on.
static bool solve_once(Racer *racer, int k)
{
    const Race *race = racer->race;
    const Contender *contender = &race->contender[k];
    StickCertificate found;
    say(racer, (Word){k, -1, 0});
    Word word = {.contender = k, .seconds = solve(racer, k, 1)};
    // shorter than what the clock tells apart: the mean of many
    if (word.seconds < short_solve)
        word.seconds = solve(racer, k, (int)fmin(MOST_REPEATS, 4 * short_solve / fmax(word.seconds, 1e-6)));
    if (stick_certify(race->ctx, race->problem, racer->r, 0, race->tolerance, &found) != STICK_OK)
        _exit(1);
    // a diverging r hides behind its own size
    word.error = found.velocity_error <= 1 ? found.error : INFINITY;
    say(racer, word);
    return word.error <= race->tolerance * (contender->ours ? 1 : peer_slack);
}

static void prepare(Racer *racer)
{
    const Race *race = racer->race;
    size_t n = (size_t)race->problem->dim * (size_t)race->problem->ncontacts;
    StickSolverOptions options = stick_solver_options_default();
    options.tolerance = race->tolerance;
    options.measure = STICK_MEASURE_SHARED;
    options.iterations = 100000000;
    racer->r = calloc(n + 1, sizeof *racer->r);
    racer->u = calloc(n + 1, sizeof *racer->u);
    racer->peer = peer_create(race->problem);
    for (int k = 0; k < race->count; k++)
        if (race->contender[k].ours && race->contender[k].fate == RUNNING &&
            (stick_solver_create(race->ctx, race->contender[k].name, &options, &racer->solver[k]) !=
                 STICK_OK ||
             stick_solver_reserve(racer->solver[k], race->problem) != STICK_OK))
            _exit(1);
}

// Turns of those that race, one of them to warm up, or one solve of each that is not qualified yet.
static void run_child(const Race *race, bool turns, int pipe_end)
{
    Racer racer = {.race = race, .pipe_end = pipe_end};
    bool out[MOST_CONTENDERS] = {false};
    int silent = open("/dev/null", O_WRONLY);
    dup2(silent, STDOUT_FILENO);
    dup2(silent, STDERR_FILENO);
    prepare(&racer);
    for (int round = 0; round <= (turns ? race->rounds : 0); round++)
        for (int k = 0; k < race->count; k++) {
            const Contender *contender = &race->contender[k];
            if (contender->fate != RUNNING || out[k] || !(turns ? contender->racing : !contender->qualified))
                continue;
            double start = stick_clock_wall();
            out[k] = !solve_once(&racer, k);
            bool slow = stick_clock_wall() - start > 1;
            out[k] = out[k] || (slow && round >= SLOW_ROUNDS);
        }
}

// ---- in the parent

// The next word; 0 if the child is silent for too long, below 0 if it has ended.
static int hear(int pipe_end, double limit, Word *word)
{
    struct pollfd wait = {.fd = pipe_end, .events = POLLIN};
    int ready;
    while ((ready = poll(&wait, 1, (int)(1e3 * limit))) < 0 && errno == EINTR)
        ;
    if (ready <= 0)
        return ready;
    return read(pipe_end, word, sizeof *word) == (ssize_t)sizeof *word ? 1 : -1;
}

static void note(Race *race, const Word *word, bool first)
{
    Contender *contender = &race->contender[word->contender];
    contender->error = word->error;
    if (!(word->error <= race->tolerance * (contender->ours ? 1 : peer_slack))) {
        contender->fate = MISSED;
        return;
    }
    // the first time counts only where it stays alone
    if (first)
        contender->rounds = 0;
    contender->seconds[contender->rounds++] = word->seconds;
}

// Listens to the end; the contender that was at work when it came too early, or -1.
static int listen_to(Race *race, int pipe_end, bool *stopped)
{
    int working = -1, heard;
    int solves[MOST_CONTENDERS] = {0};
    Word word;
    while ((heard = hear(pipe_end, race->limit + 1, &word)) > 0) {
        if (word.seconds < 0) {
            working = word.contender;
            continue;
        }
        race->contender[working].qualified = true;
        note(race, &word, solves[working]++ <= 1);
        working = -1;
    }
    *stopped = heard == 0;
    return working;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take_medians(Race *race)
{
    for (int k = 0; k < race->count; k++) {
        Contender *contender = &race->contender[k];
        int n = contender->rounds;
        if (contender->fate != RUNNING || n == 0)
            continue;
        qsort(contender->seconds, (size_t)n, sizeof *contender->seconds, compare_numbers);
        contender->median = 0.5 * (contender->seconds[(n - 1) / 2] + contender->seconds[n / 2]);
    }
}

// One process; returns whether all contenders that are left came to their end.
static bool run_once(Race *race, bool turns)
{
    int ends[2];
    bool stopped;
    if (pipe(ends) != 0)
        abort();
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_child(race, turns, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    int culprit = child > 0 ? listen_to(race, ends[0], &stopped) : -1;
    close(ends[0]);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (culprit < 0)
        return true;
    race->contender[culprit].fate = stopped ? STOPPED : CRASHED;
    return false;
}

// The fastest of each code, all within a factor of it, and the peer's default.
static void choose_racers(Race *race)
{
    double fastest[2] = {INFINITY, INFINITY};
    for (int k = 0; k < race->count; k++)
        if (race->contender[k].fate == RUNNING)
            fastest[race->contender[k].ours] =
                fmin(fastest[race->contender[k].ours], race->contender[k].seconds[0]);
    for (int k = 0; k < race->count; k++) {
        Contender *contender = &race->contender[k];
        // a first solve of microseconds tells little
        contender->racing = contender->seconds[0] <= fmax(NEAR * fastest[contender->ours], 1e-3) ||
                            (!contender->ours && contender->index == 0);
    }
}

void race_run(Race *race)
{
    for (int k = 0; k < race->count; k++) {
        race->contender[k].rounds = 0;
        race->contender[k].qualified = false;
    }
    while (!run_once(race, false))
        ;
    choose_racers(race);
    while (!run_once(race, true))
        ;
    take_medians(race);
}

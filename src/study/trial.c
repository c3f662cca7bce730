// SPDX-License-Identifier: Apache-2.0
#include "study/trial.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// What the child says after each solve.
typedef struct Word {
    StickStatus status;
    bool reached;
    StickSolveEnd end;
    int iterations;
    double seconds, error, error_scale_free;
} Word;

// ---- in the child

// Asked for the shared measure alone, an answer need not hold in the other.
static bool only_shared(const StickAttemptOptions *options)
{
    bool shared = false;
    for (int k = 0; k < options->nset; k++)
        if (stick_text_equal(options->set[k].name, "measure"))
            shared = stick_text_equal(options->set[k].value, "shared");
    return shared;
}

static Word solve_once(const StickTask *task, const StickTrialOptions *options)
{
    StickAttempt attempt;
    Word word = {.status = stick_task_attempt(task, options->solver, &options->attempt, &attempt)};
    if (word.status != STICK_OK)
        return word;
    word.status = stick_task_complete(task, &attempt);
    // a faceted cone is not the problem that the others solve
    if (attempt.info.facets > 0) {
        attempt.error = attempt.certificate.exact_error;
        attempt.error_scale_free = attempt.certificate.exact_error_scale_free;
        attempt.certified = attempt.certified && attempt.error <= attempt.tolerance &&
                            attempt.error_scale_free <= attempt.tolerance;
    }
    bool shared = !task->is_lcp && only_shared(&options->attempt) && attempt.error <= attempt.tolerance &&
                  attempt.certificate.velocity_error <= 1 && attempt.equilibrium <= attempt.tolerance;
    word.reached = attempt.certified || shared;
    word.end = attempt.info.end;
    word.iterations = attempt.info.iterations;
    word.seconds = attempt.seconds;
    word.error = attempt.error;
    word.error_scale_free = attempt.error_scale_free;
    stick_attempt_destroy(task->ctx, &attempt);
    return word;
}

static void solve_again_and_again(const StickTask *task, const StickTrialOptions *options, int pipe_end)
{
    double start = stick_clock_wall();
    stick_context_listen(task->ctx, (StickListener){0});
    // one more than asked for: the first wakes up memory and caches
    for (int k = 0; k <= options->repeats && (k == 0 || stick_clock_wall() - start < options->limit); k++) {
        Word word = solve_once(task, options);
        if (write(pipe_end, &word, sizeof word) != (ssize_t)sizeof word || word.status != STICK_OK ||
            !word.reached)
            break;
    }
}

// ---- in the parent

// The next word, within the limit; false if the child is silent (*stopped) or has ended.
static bool hear(int pipe_end, double limit, Word *word, bool *stopped)
{
    double end = stick_clock_wall() + limit;
    for (;;) {
        double left = end - stick_clock_wall();
        struct pollfd wait = {.fd = pipe_end, .events = POLLIN};
        int ready = poll(&wait, 1, left > 0 ? (int)fmin(ceil(1e3 * left), 1e9) : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        *stopped = ready == 0;
        return ready > 0 && read(pipe_end, word, sizeof *word) == (ssize_t)sizeof *word;
    }
}

static double median(double *values, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            double other = values[k];
            values[k] = values[k - 1];
            values[k - 1] = other;
        }
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static void listen_to(int pipe_end, const StickTrialOptions *options, StickTrial *trial)
{
    double seconds[STICK_MOST_REPEATS];
    Word word;
    for (int k = 0; k <= options->repeats && hear(pipe_end, options->limit, &word, &trial->stopped); k++) {
        trial->failed = word.status != STICK_OK;
        if (trial->failed)
            break;
        trial->repeats = k > 0 ? k : 1; // the second takes the place of the first
        seconds[trial->repeats - 1] = word.seconds;
        trial->reached = word.reached;
        trial->end = word.end;
        trial->iterations = word.iterations;
        trial->error = word.error;
        trial->error_scale_free = word.error_scale_free;
    }
    if (trial->repeats > 0) {
        trial->seconds = median(seconds, trial->repeats);
        trial->stopped = false; // it ended once within the limit
    } else {
        trial->failed = !trial->stopped;
        trial->error = trial->error_scale_free = INFINITY;
    }
}

static void end_child(pid_t child)
{
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

StickStatus stick_trial_run(const StickTask *task, const StickTrialOptions *options, StickTrial *trial)
{
    int ends[2];
    STICK_CHECK(task->ctx, options->repeats >= 1 && options->repeats <= STICK_MOST_REPEATS, STICK_USAGE,
                "%d repeats are not in 1 ... %d", options->repeats, STICK_MOST_REPEATS);
    STICK_CHECK(task->ctx, pipe(ends) == 0, STICK_IO, "no pipe to a solver: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        solve_again_and_again(task, options, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    StickTrial found = {0};
    if (child > 0) {
        listen_to(ends[0], options, &found);
        end_child(child);
    }
    close(ends[0]);
    STICK_CHECK(task->ctx, child > 0, STICK_IO, "no process for a solver: %s", strerror(errno));
    *trial = found;
    return STICK_OK;
}

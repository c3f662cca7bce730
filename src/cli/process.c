// SPDX-License-Identifier: Apache-2.0
#include "cli/process.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/check.h"

void stick_process_open_streams(void)
{
    int file;
    do
        file = open("/dev/null", O_RDWR);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file > STDERR_FILENO)
        close(file);
}

static bool at_work;

static void explain_exit(void)
{
    static const char text[] = "error: a library has ended the program, as for lack of memory\n";
    if (!at_work)
        return;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(STICK_NO_MEMORY);
}

// Says so and dies of the signal all the same. Others who look at such signals, as sanitizers do, come first.
static void explain_crash(int number)
{
    static const char text[] =
        "\nerror: stickslip or a library that it uses has crashed; files are valid, and 'stickslip resume' "
        "continues from the last checkpoint\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

void stick_process_begin(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char room[1 << 16]; // the stack may be what has overflowed
    const stack_t other = {.ss_sp = room, .ss_size = sizeof room};
    bool has_room = sigaltstack(&other, NULL) == 0;
    at_work = true;
    atexit(explain_exit);
    // files beyond the limit of their size (ulimit -f) then fail to be written, with a message, like a full disk
    signal(SIGXFSZ, SIG_IGN);
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++) {
        struct sigaction now;
        if (sigaction(crashes[k], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(crashes[k],
                      &(struct sigaction){.sa_handler = explain_crash, .sa_flags = has_room ? SA_ONSTACK : 0},
                      NULL);
    }
}

void stick_process_end(void)
{
    at_work = false;
}

// The only state outside of a context: a signal can reach nothing else.
static volatile sig_atomic_t stop_asked, saving;
static const bool *started;

// Two seconds are promised, of which a process of some gigabytes needs a part to give its memory back.
static const double PATIENCE = 1.7, LEAST_PATIENCE = 1, PER_GIGABYTE = 0.17;

static double resident_gigabytes(void)
{
    long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (!stream)
        return 0;
    if (fscanf(stream, "%*d %ld", &pages) != 1)
        pages = 0;
    fclose(stream);
    return 1e-9 * (double)pages * (double)sysconf(_SC_PAGESIZE);
}

// Again and again: a run that is saving when it first fires may go on computing afterwards.
static void start_timer(void)
{
    double seconds = fmax(LEAST_PATIENCE, PATIENCE - PER_GIGABYTE * resident_gigabytes());
    struct itimerval timer = {.it_interval = {.tv_usec = 200000}};
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void ask_to_stop(int number)
{
    // closing a terminal may send several signals: only a second Ctrl-C means at once
    if (stop_asked && number == SIGINT)
        _exit(STICK_INTERRUPTED);
    if (!stop_asked)
        start_timer();
    stop_asked = 1;
}

static void end_long_call(void)
{
    static const char on_the_way[] =
        "\nerror: interrupted inside of a long computation, which is given up: 'stickslip "
        "resume' continues from the last checkpoint\n";
    static const char before[] = "\nerror: interrupted before the run began\n";
    if (!stop_asked || saving)
        return;
    const char *text = started && *started ? on_the_way : before;
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
    _exit(STICK_INTERRUPTED);
}

// Libraries put handlers of their own in the place of others (METIS for SIGTERM while it orders): signals are blocked
// in all threads, so that no handler runs, and this thread takes them.
static void *take_signals(void *data)
{
    StickSignals *signals = data;
    for (;;) {
        int number = 0;
        sigwait(&signals->taken, &number);
        if (number != SIGALRM)
            ask_to_stop(number);
        else if (signals->left)
            return NULL;
        else
            end_long_call();
    }
}

static bool is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void stick_signals_catch(StickSignals *signals, StickContext *ctx, StickStudyOptions *options)
{
    *signals = (StickSignals){0};
    sigemptyset(&signals->taken);
    sigaddset(&signals->taken, SIGINT);
    sigaddset(&signals->taken, SIGTERM);
    sigaddset(&signals->taken, SIGALRM);
    if (!is_ignored(SIGHUP))
        sigaddset(&signals->taken, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals->taken, &signals->mask);
    started = options->started;
    options->stop = &stop_asked;
    options->saving = &saving;
    int error = pthread_create(&signals->thread, NULL, take_signals, signals);
    signals->caught = error == 0;
    if (signals->caught)
        return;
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
    stick_warn(ctx, "no thread to wait for signals: %s; Ctrl-C ends the run without saving its last state",
               strerror(error));
}

void stick_signals_leave(StickSignals *signals)
{
    if (signals->caught) {
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
        atomic_store(&signals->left, true);
        pthread_kill(signals->thread, SIGALRM);
        pthread_join(signals->thread, NULL);
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL); // a last signal may have started it again
        // what is still pending came after the end of the run, whose results are complete
        while (sigtimedwait(&signals->taken, NULL, &(struct timespec){0}) > 0)
            continue;
        signal(SIGALRM, SIG_IGN); // the timer's last one may be pending
        pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
        signal(SIGALRM, SIG_DFL);
    }
    started = NULL;
}

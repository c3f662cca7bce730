// SPDX-License-Identifier: Apache-2.0
#include "cli/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

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

// The only state outside of a context: a signal handler can reach nothing else.
static volatile sig_atomic_t stop_asked, saving;
static const bool *started;

// Again and again: a run that is saving when it first fires may go on computing afterwards.
static const struct itimerval patience = {.it_value = {.tv_sec = 1, .tv_usec = 700000},
                                          .it_interval = {.tv_usec = 200000}};

static void ask_to_stop(int number)
{
    // closing a terminal may send several signals: only a second Ctrl-C means at once
    if (stop_asked && number == SIGINT)
        _exit(STICK_INTERRUPTED);
    if (!stop_asked)
        setitimer(ITIMER_REAL, &patience, NULL);
    stop_asked = 1;
}

static void end_now(int number)
{
    static const char on_the_way[] =
        "\nerror: interrupted inside of a long computation, which is given up: 'stickslip "
        "resume' continues from the last checkpoint\n";
    static const char before[] = "\nerror: interrupted before the run began\n";
    (void)number;
    if (!stop_asked || saving)
        return;
    const char *text = started && *started ? on_the_way : before;
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
    _exit(STICK_INTERRUPTED);
}

StickSignals stick_signals_catch(StickStudyOptions *options)
{
    StickSignals before = {signal(SIGINT, ask_to_stop), signal(SIGTERM, ask_to_stop),
                           signal(SIGHUP, ask_to_stop), signal(SIGALRM, end_now)};
    if (before.hang_up == SIG_IGN)
        signal(SIGHUP, SIG_IGN);
    started = options->started;
    options->stop = &stop_asked;
    options->saving = &saving;
    return before;
}

void stick_signals_leave(StickSignals before)
{
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    signal(SIGINT, before.interrupt);
    signal(SIGTERM, before.terminate);
    signal(SIGHUP, before.hang_up);
    signal(SIGALRM, before.alarm);
    started = NULL;
}

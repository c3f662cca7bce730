// SPDX-License-Identifier: Apache-2.0
// Standard streams that are open, and an end within two seconds after a signal.
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stickslip/study.h>

// Descriptors 0 to 2 that are closed are opened on /dev/null: a result file must not take their place.
void stick_process_open_streams(void);

// Libraries may end the program (FFTW and others do where there is no memory): from the first of these calls to the second
// this gives a message and STICK_NO_MEMORY. So do crashes, which stay what they are.
void stick_process_begin(void);
void stick_process_end(void);

// The thread that takes the signals of a run, and the signals that were blocked before.
typedef struct StickSignals {
    sigset_t taken, mask;
    pthread_t thread;
    bool caught;
    atomic_bool left;
} StickSignals;

// Takes SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup) and lets the options know of them. If the run has
// not begun to save its state in less than two seconds, as inside of one long call of a library, the program ends with a
// message and STICK_INTERRUPTED: every file is valid at any time. A second SIGINT ends it at once. Threads that are
// started before stick_signals_leave have these signals blocked.
void stick_signals_catch(StickSignals *signals, StickContext *ctx, StickStudyOptions *options);
void stick_signals_leave(StickSignals *signals);

#endif

// SPDX-License-Identifier: Apache-2.0
// Standard streams that are open, and an end within two seconds after a signal.
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stickslip/study.h>

// Descriptors 0 to 2 that are closed are opened on /dev/null: a result file must not take their place.
void stick_process_open_streams(void);

// Libraries may end the program (FFTW and others do where there is no memory): from the first of these calls to the second
// this gives a message and STICK_NO_MEMORY. So do crashes, which stay what they are.
void stick_process_begin(void);
void stick_process_end(void);

// What signals did before a run.
typedef struct StickSignals {
    void (*interrupt)(int);
    void (*terminate)(int);
    void (*hang_up)(int);
    void (*alarm)(int);
} StickSignals;

// Catches SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup) and lets the options know of them. If the run has
// not begun to save its state in less than two seconds, as inside of one long call of a library, the program ends with a
// message and STICK_INTERRUPTED: every file is valid at any time. A second SIGINT ends it at once.
StickSignals stick_signals_catch(StickStudyOptions *options);
void stick_signals_leave(StickSignals before);

#endif

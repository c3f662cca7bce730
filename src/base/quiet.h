// SPDX-License-Identifier: Apache-2.0
// A context within another one, for a try that may fail: memory is taken from the outer one, but what is said
// stays inside until it is handed on.
#ifndef BASE_QUIET_H
#define BASE_QUIET_H

#include "base/memory.h"

// NULL after the outer context was told that there is no memory. Ends by stick_context_destroy, before the
// outer one.
StickContext *stick_quiet_create(StickContext *outer);

// Says the last error of the inner context as a warning of the outer one, with its place, and forgets
// everything that was said inside.
void stick_quiet_warn(StickContext *quiet, StickContext *outer, const char *what);

// What the listener of a context hears; all of it is kept. Errors are always heard.
typedef enum StickHush {
    STICK_HUSH_NOTHING,
    STICK_HUSH_AGAIN,   // not what was said before at the same place in the same words
    STICK_HUSH_WARNINGS // neither warnings nor notes
} StickHush;

// Hears all that is kept, hushed or not, in the order in which it is kept; NULL: nobody.
void stick_context_log(StickContext *ctx, StickListener log);

// A run starts with the diagnostic of this number: what is reported only once (stick_warn_once_at) is kept and logged
// again for it, although the listener has heard it before, as when the model was checked.
void stick_context_run_from(StickContext *ctx, size_t first_diagnostic);

// Returns what was before.
StickHush stick_context_hush(StickContext *ctx, StickHush hush);

#endif

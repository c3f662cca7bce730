// SPDX-License-Identifier: Apache-2.0
// A context within another one, for an attempt that may fail: memory comes from the outer one, but messages stay inside
// until they are passed on.
#ifndef BASE_DIAGNOSTIC_FILTER_H
#define BASE_DIAGNOSTIC_FILTER_H

#include "base/memory.h"

// On failure reports the error in the outer context and returns NULL. Free it with stick_context_destroy before the
// outer one.
StickContext *stick_diagnostic_filter_create(StickContext *outer);

// Reports the last error of the inner context as a warning of the outer one, with its place, and clears all messages of
// the inner context.
void stick_diagnostic_filter_warn(StickContext *quiet, StickContext *outer, const char *what);

// Messages that are passed to the listener of a context; all messages are kept. Errors are always passed.
typedef enum StickHush {
    STICK_HUSH_NOTHING,
    STICK_HUSH_AGAIN,   // not messages that repeat an earlier one at the same place
    STICK_HUSH_WARNINGS // neither warnings nor notes
} StickHush;

// Hears all that is kept, hushed or not, in the order in which it is kept; NULL: nobody.
void stick_context_log(StickContext *ctx, StickListener log);

// A run starts with the diagnostic of this number: what is reported only once (stick_warn_once_at) is kept and logged
// again for it, although the listener has heard it before, as when the model was checked.
void stick_context_run_from(StickContext *ctx, size_t first_diagnostic);

// Returns the previous setting.
StickHush stick_context_hush(StickContext *ctx, StickHush hush);

#endif

// SPDX-License-Identifier: Apache-2.0
// Error handling: report an error once, where its cause is known, and return the status to the caller.
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <stickslip/context.h>

#include <stdbool.h>

// Says an error and returns its status; the text names the offending thing and its value.
StickStatus stick_fail(StickContext *ctx, StickStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
StickStatus stick_fail_at(StickContext *ctx, StickStatus status, StickMark mark, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void stick_warn(StickContext *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
void stick_warn_at(StickContext *ctx, StickMark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void stick_note(StickContext *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Warns, unless the same message was reported before at the same place.
void stick_warn_once_at(StickContext *ctx, StickMark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void stick_note_once_at(StickContext *ctx, StickMark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Number of errors reported so far: a reader that continues after errors compares it before and after.
size_t stick_error_count(const StickContext *ctx);

// Number of errors of memory and of files (STICK_NO_MEMORY, STICK_IO), and the status of the last one if there was any since
// a count: who goes on without a part of the results must not end as if nothing was missing.
size_t stick_failure_count(const StickContext *ctx);
StickStatus stick_failure_since(const StickContext *ctx, size_t before);

// Whether a stop was requested. Long iterations query it in every iteration and return early.
bool stick_is_stopped(const StickContext *ctx);

#define STICK_TRY(call)                        \
    do {                                       \
        StickStatus stick_try_status = (call); \
        if (stick_try_status != STICK_OK)      \
            return stick_try_status;           \
    } while (0)

#define STICK_CHECK(ctx, condition, status, ...)  \
    do {                                          \
        if (!(condition)) {                       \
            stick_fail(ctx, status, __VA_ARGS__); \
            return (status);                      \
        }                                         \
    } while (0)

#endif

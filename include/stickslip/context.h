// SPDX-License-Identifier: Apache-2.0
// The context of a computation: allocator, log, and all diagnostics.
//
// There are no globals. A context is passed to every function that may allocate, fail or report; two contexts never
// share anything, so that two computations can run side by side in one process.
#ifndef STICKSLIP_CONTEXT_H
#define STICKSLIP_CONTEXT_H

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

// Whether a call could run. The values are the exit codes of the program.
typedef enum StickStatus {
    STICK_OK = 0,
    STICK_INTERNAL = 1,      // a bug of ours
    STICK_USAGE = 2,         // the call or the command line makes no sense
    STICK_CHECK_FAILED = 3,  // a check of the model does not hold
    STICK_BAD_INPUT = 4,     // the model file, or the data given, is wrong
    STICK_BAD_MESH = 5,      // the mesh is wrong
    STICK_NOT_SOLVED = 6,    // not converged, not certified, singular, or shown unsolvable
    STICK_IO = 7,            // reading or writing failed
    STICK_NO_MEMORY = 8,     // out of memory
    STICK_INTERRUPTED = 130, // stopped by the user; a checkpoint was written
} StickStatus;

typedef enum StickSeverity { STICK_NOTE, STICK_WARNING, STICK_ERROR } StickSeverity;

// A place in a text: lines and columns count from 1; line 0 means that no place is known.
typedef struct StickMark {
    const char *file;
    int line;
    int column;
} StickMark;

// A diagnostic: an error, a warning or a note, with its place if it has one.
typedef struct StickDiagnostic {
    StickSeverity severity;
    StickStatus status; // of an error; STICK_OK otherwise
    char *file;         // NULL: no file
    int line;
    int column;
    char *text;
} StickDiagnostic;

// Allocates, grows and frees: resize(user, NULL, n) allocates n bytes, resize(user, p, 0) frees, NULL means failure.
typedef struct StickAllocator {
    void *(*resize)(void *user, void *block, size_t size);
    void *user;
} StickAllocator;

// Called with every diagnostic when it is reported.
typedef struct StickListener {
    void (*hear)(void *user, const StickDiagnostic *diagnostic);
    void *user;
} StickListener;

typedef struct StickContext StickContext;

// Returns NULL when there is no memory for it. NULL as allocator: the C library's.
StickContext *stick_context_create(const StickAllocator *allocator);
void stick_context_destroy(StickContext *ctx);

void stick_context_listen(StickContext *ctx, StickListener listener);

// If this is set from outside, as by a signal, running solves end with STICK_INTERRUPTED. NULL: never.
void stick_context_stop_by(StickContext *ctx, const volatile sig_atomic_t *stop);

// All diagnostics so far, oldest first.
size_t stick_diagnostic_count(const StickContext *ctx);
const StickDiagnostic *stick_diagnostic(const StickContext *ctx, size_t index);
void stick_diagnostics_clear(StickContext *ctx);

// Text of the last error, or "" if there was none.
const char *stick_last_error(const StickContext *ctx);

// One word for a status, such as "bad input".
const char *stick_status_name(StickStatus status);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic_filter.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/text.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The size is stored in front of every block, so that the context can count the memory in use.
typedef union BlockHeader {
    size_t size;
    max_align_t align;
} BlockHeader;

struct StickContext {
    StickAllocator allocator;
    StickListener listener, log;
    const volatile sig_atomic_t *stop; // NULL: never
    StickContext *outer;               // of a quiet one: whose memory it takes; NULL: of none
    StickHush hush;
    StickInputs inputs;
    StickDiagnostic *diagnostics;
    size_t ndiagnostics;
    size_t capacity;
    size_t run_from; // diagnostics of the present run start here
    size_t errors;
    size_t failures; // errors of memory and of files
    StickStatus failure;
    size_t memory_now;
    size_t memory_peak;
    size_t memory_calls;
    // Threads of one computation take memory and speak side by side.
    pthread_mutex_t memory, speech;
    StickPool *pool; // NULL: one thread
};

// Requests large pages for a large block, which reduces TLB misses of sweeps with irregular access.
static void *on_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE_PAGE = 1 << 21, FEW = 4 };
    uintptr_t first = ((uintptr_t)block + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = ((uintptr_t)block + size) / LARGE_PAGE * LARGE_PAGE;
    if (block && size >= (size_t)FEW * LARGE_PAGE)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)size;
#endif
    return block;
}

static void *c_library_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return on_large_pages(realloc(block, size), size);
}

// Recursive mutexes: a listener may itself report messages.
static void init_mutexes(StickContext *ctx)
{
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&ctx->speech, &again);
    pthread_mutex_init(&ctx->memory, NULL);
    pthread_mutexattr_destroy(&again);
}

StickContext *stick_context_create(const StickAllocator *allocator)
{
    StickAllocator chosen = allocator ? *allocator : (StickAllocator){c_library_resize, NULL};
    StickContext *ctx = chosen.resize(chosen.user, NULL, sizeof *ctx);
    if (!ctx)
        return NULL;
    *ctx = (StickContext){.allocator = chosen};
    init_mutexes(ctx);
    return ctx;
}

void stick_context_destroy(StickContext *ctx)
{
    if (!ctx)
        return;
    stick_pool_destroy(ctx->pool);
    stick_inputs_forget(ctx);
    stick_diagnostics_clear(ctx);
    stick_free(ctx, ctx->diagnostics);
    StickAllocator allocator = ctx->allocator;
    pthread_mutex_destroy(&ctx->memory);
    pthread_mutex_destroy(&ctx->speech);
    allocator.resize(allocator.user, ctx, 0);
}

void stick_context_listen(StickContext *ctx, StickListener listener)
{
    ctx->listener = listener;
}

void stick_context_log(StickContext *ctx, StickListener log)
{
    ctx->log = log;
}

void stick_context_stop_by(StickContext *ctx, const volatile sig_atomic_t *stop)
{
    ctx->stop = stop;
}

bool stick_is_stopped(const StickContext *ctx)
{
    for (; ctx; ctx = ctx->outer)
        if (ctx->stop && *ctx->stop)
            return true;
    return false;
}

StickInputs *stick_context_inputs(StickContext *ctx)
{
    return &ctx->inputs;
}

void stick_context_run_from(StickContext *ctx, size_t first_diagnostic)
{
    ctx->run_from = first_diagnostic;
}

StickHush stick_context_hush(StickContext *ctx, StickHush hush)
{
    StickHush before = ctx->hush;
    ctx->hush = hush;
    return before;
}

// ---- memory

static void *resize(StickContext *ctx, void *block, size_t size)
{
    BlockHeader *header = block ? (BlockHeader *)block - 1 : NULL;
    size_t old_size = header ? header->size : 0;
    pthread_mutex_lock(&ctx->memory);
    header = ctx->allocator.resize(ctx->allocator.user, header, size + sizeof *header);
    if (header) {
        header->size = size;
        ctx->memory_now += size - old_size;
        ctx->memory_calls++;
        if (ctx->memory_now > ctx->memory_peak)
            ctx->memory_peak = ctx->memory_now;
    }
    pthread_mutex_unlock(&ctx->memory);
    return header ? header + 1 : NULL;
}

static int too_many(size_t count, size_t size)
{
    return size != 0 && count > (SIZE_MAX - sizeof(BlockHeader)) / size;
}

void *stick_try_alloc(StickContext *ctx, size_t count, size_t size)
{
    void *block = too_many(count, size) ? NULL : resize(ctx, NULL, count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

void *stick_alloc(StickContext *ctx, size_t count, size_t size)
{
    void *block = stick_try_alloc(ctx, count, size);
    if (!block)
        stick_fail(ctx, STICK_NO_MEMORY, "no memory for %zu items of %zu bytes", count, size);
    return block;
}

int stick_grow(StickContext *ctx, void **items, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity && *items)
        return 1;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < need)
        wanted = need;
    if (wanted < 8)
        wanted = 8;
    void *grown = too_many(wanted, size) ? NULL : resize(ctx, *items, wanted * size);
    if (!grown) {
        stick_fail(ctx, STICK_NO_MEMORY, "no memory for %zu items of %zu bytes", wanted, size);
        return 0;
    }
    memset((char *)grown + *capacity * size, 0, (wanted - *capacity) * size);
    *items = grown;
    *capacity = wanted;
    return 1;
}

void stick_free(StickContext *ctx, void *block)
{
    if (!block)
        return;
    BlockHeader *header = (BlockHeader *)block - 1;
    pthread_mutex_lock(&ctx->memory);
    ctx->memory_now -= header->size;
    ctx->allocator.resize(ctx->allocator.user, header, 0);
    pthread_mutex_unlock(&ctx->memory);
}

char *stick_copy_text(StickContext *ctx, const char *text)
{
    size_t length = strlen(text);
    char *copy = stick_alloc(ctx, length + 1, 1);
    return copy ? memcpy(copy, text, length + 1) : NULL;
}

// Memory of a quiet context is that of the outer one.
static void *resize_outer(void *outer, void *block, size_t size)
{
    if (size > 0)
        return resize(outer, block, size);
    stick_free(outer, block);
    return NULL;
}

// A failed attempt stays between a quiet context and who made it. A lack of memory, a request to stop and a bug do not
// depend on the attempt: they are reported outside, too.
static bool concerns_outer(const StickContext *ctx, const StickDiagnostic *said)
{
    return ctx->outer && said->severity == STICK_ERROR &&
           (said->status == STICK_NO_MEMORY || said->status == STICK_INTERRUPTED ||
            said->status == STICK_INTERNAL);
}

StickContext *stick_diagnostic_filter_create(StickContext *outer)
{
    StickContext *ctx = stick_context_create(&(StickAllocator){resize_outer, outer});
    if (ctx)
        ctx->outer = outer;
    else
        stick_fail(outer, STICK_NO_MEMORY, "no memory for a context");
    return ctx;
}

size_t stick_memory_now(const StickContext *ctx)
{
    return ctx->memory_now;
}

size_t stick_memory_peak(const StickContext *ctx)
{
    return ctx->memory_peak;
}

size_t stick_memory_calls(const StickContext *ctx)
{
    return ctx->memory_calls;
}

// ---- diagnostics

static char *try_copy(StickContext *ctx, const char *text)
{
    size_t length = strlen(text);
    char *copy = resize(ctx, NULL, length + 1);
    return copy ? memcpy(copy, text, length + 1) : NULL;
}

// Keeps a copy; if there is no memory for it, the listener still receives the message and the error still counts.
static void keep(StickContext *ctx, const StickDiagnostic *said)
{
    if (ctx->ndiagnostics == ctx->capacity) {
        size_t wanted = ctx->capacity ? 2 * ctx->capacity : 16;
        size_t item = sizeof *ctx->diagnostics;
        StickDiagnostic *grown = resize(ctx, ctx->diagnostics, wanted * item);
        if (!grown)
            return;
        ctx->diagnostics = grown;
        ctx->capacity = wanted;
    }
    StickDiagnostic copy = *said;
    copy.text = try_copy(ctx, said->text);
    copy.file = said->file ? try_copy(ctx, said->file) : NULL;
    if (!copy.text || (said->file && !copy.file)) {
        stick_free(ctx, copy.text);
        stick_free(ctx, copy.file);
        return;
    }
    ctx->diagnostics[ctx->ndiagnostics++] = copy;
}

// Among the diagnostics from the given one on.
static bool was_said(const StickContext *ctx, size_t from, const StickDiagnostic *said)
{
    for (size_t k = from; k < ctx->ndiagnostics; k++) {
        const StickDiagnostic *old = &ctx->diagnostics[k];
        if (old->severity == said->severity && old->line == said->line && old->column == said->column &&
            strcmp(old->text, said->text) == 0 && stick_text_equal(old->file, said->file))
            return true;
    }
    return false;
}

static bool is_heard(const StickContext *ctx, const StickDiagnostic *said)
{
    if (!ctx->listener.hear)
        return false;
    if (said->severity == STICK_ERROR || ctx->hush == STICK_HUSH_NOTHING)
        return true;
    return ctx->hush == STICK_HUSH_AGAIN && !was_said(ctx, 0, said);
}

static void say(StickContext *ctx, StickSeverity severity, StickStatus status, StickMark mark, bool once,
                const char *format, va_list arguments)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    StickDiagnostic said = {severity, status, (char *)mark.file, mark.line, mark.column, text};
    pthread_mutex_lock(&ctx->speech);
    if (severity == STICK_ERROR)
        ctx->errors++;
    if (severity == STICK_ERROR && (status == STICK_NO_MEMORY || status == STICK_IO)) {
        ctx->failures++;
        ctx->failure = status;
    }
    // every run keeps it once, as its log must be complete; the listener hears it once in all
    bool again = once && was_said(ctx, ctx->run_from, &said),
         heard = !(once && was_said(ctx, 0, &said)) && is_heard(ctx, &said);
    if (!again)
        keep(ctx, &said);
    if (!again && ctx->log.hear)
        ctx->log.hear(ctx->log.user, &said);
    if (heard)
        ctx->listener.hear(ctx->listener.user, &said);
    pthread_mutex_unlock(&ctx->speech);
    if (concerns_outer(ctx, &said))
        stick_fail_at(ctx->outer, status, mark, "%s", text);
}

static const StickMark nowhere = {NULL, 0, 0};

StickStatus stick_fail(StickContext *ctx, StickStatus status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_ERROR, status, nowhere, false, format, arguments);
    va_end(arguments);
    return status;
}

StickStatus stick_fail_at(StickContext *ctx, StickStatus status, StickMark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_ERROR, status, mark, false, format, arguments);
    va_end(arguments);
    return status;
}

void stick_warn(StickContext *ctx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_WARNING, STICK_OK, nowhere, false, format, arguments);
    va_end(arguments);
}

void stick_warn_at(StickContext *ctx, StickMark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_WARNING, STICK_OK, mark, false, format, arguments);
    va_end(arguments);
}

void stick_note(StickContext *ctx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_NOTE, STICK_OK, nowhere, false, format, arguments);
    va_end(arguments);
}

void stick_warn_once_at(StickContext *ctx, StickMark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_WARNING, STICK_OK, mark, true, format, arguments);
    va_end(arguments);
}

void stick_note_once_at(StickContext *ctx, StickMark mark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(ctx, STICK_NOTE, STICK_OK, mark, true, format, arguments);
    va_end(arguments);
}

size_t stick_failure_count(const StickContext *ctx)
{
    return ctx->failures;
}

StickStatus stick_failure_since(const StickContext *ctx, size_t before)
{
    return ctx->failures > before ? ctx->failure : STICK_OK;
}

size_t stick_error_count(const StickContext *ctx)
{
    return ctx->errors;
}

size_t stick_diagnostic_count(const StickContext *ctx)
{
    return ctx->ndiagnostics;
}

const StickDiagnostic *stick_diagnostic(const StickContext *ctx, size_t index)
{
    return &ctx->diagnostics[index];
}

void stick_diagnostics_clear(StickContext *ctx)
{
    for (size_t k = 0; k < ctx->ndiagnostics; k++) {
        stick_free(ctx, ctx->diagnostics[k].text);
        stick_free(ctx, ctx->diagnostics[k].file);
    }
    ctx->ndiagnostics = 0;
    ctx->run_from = 0;
}

const char *stick_last_error(const StickContext *ctx)
{
    for (size_t k = ctx->ndiagnostics; k-- > 0;)
        if (ctx->diagnostics[k].severity == STICK_ERROR)
            return ctx->diagnostics[k].text;
    return "";
}

const char *stick_status_name(StickStatus status)
{
    switch (status) {
    case STICK_OK:
        return "ok";
    case STICK_INTERNAL:
        return "internal error";
    case STICK_USAGE:
        return "usage";
    case STICK_CHECK_FAILED:
        return "check failed";
    case STICK_BAD_INPUT:
        return "bad input";
    case STICK_BAD_MESH:
        return "bad mesh";
    case STICK_NOT_SOLVED:
        return "not solved";
    case STICK_IO:
        return "input/output";
    case STICK_NO_MEMORY:
        return "no memory";
    case STICK_INTERRUPTED:
        return "interrupted";
    }
    return "unknown status";
}

// ---- threads

StickStatus stick_threads_set(StickContext *ctx, int nthreads)
{
    int present = ctx->pool ? stick_pool_threads(ctx->pool) : 1;
    if (nthreads == present)
        return STICK_OK;
    stick_pool_destroy(ctx->pool);
    ctx->pool = NULL;
    return nthreads > 1 ? stick_pool_create(ctx, nthreads, &ctx->pool) : STICK_OK;
}

// A function on pieces of a range.
typedef struct Pieces {
    StickRange *function;
    void *data;
    int count;
} Pieces;

static void call_piece(void *data, int part)
{
    const Pieces *pieces = data;
    int from = part * STICK_PIECE, rest = pieces->count - from;
    pieces->function(pieces->data, from, from + (rest < STICK_PIECE ? rest : STICK_PIECE));
}

void stick_threads_run(StickContext *ctx, const StickParts *parts)
{
    StickPool *pool = ctx && parts->nitems > STICK_PIECE ? ctx->pool : NULL;
    if (pool)
        stick_pool_run(pool, parts->function, parts->data, parts->nparts);
    for (int part = 0; part < parts->nparts && !pool; part++)
        parts->function(parts->data, part);
}

void stick_threads_range(StickContext *ctx, int count, StickRange *function, void *data)
{
    Pieces pieces = {function, data, count};
    StickParts parts = {call_piece, &pieces, stick_piece_count(count), count};
    stick_threads_run(ctx, &parts);
}

// SPDX-License-Identifier: Apache-2.0
// Loaded into the program before all libraries (LD_PRELOAD): makes its K-th allocation or its K-th call of a file fail, or
// sends a signal there.
//
//     STICKSLIP_FAULT=memory:K       the K-th malloc, calloc or realloc returns NULL
//     STICKSLIP_FAULT=own:K          the same, counting only those that the program itself makes, not its libraries
//     STICKSLIP_FAULT=drought:K      all of the program's own allocations fail from the K-th on
//     STICKSLIP_FAULT=io:K:ERRNO     the K-th call that opens for writing, writes, synchronises, renames or closes fails
//     STICKSLIP_FAULT=full:K:ERRNO   all such calls fail from the K-th on, as on a full disk
//     STICKSLIP_FAULT=read:K:ERRNO   the K-th call that opens for reading or reads fails
//     STICKSLIP_FAULT=stdout:1       the standard output is a full disk
//     STICKSLIP_FAULT=signal:K:N     signal N at the K-th call that writes
//     STICKSLIP_FAULT=moment:K:N     signal N at the K-th allocation
//     STICKSLIP_FAULT=handler:K:N    signal N at the K-th allocation after a library has installed a handler for it
//     STICKSLIP_FAULT_MARK=FILE      this file is created when the fault happens
//     STICKSLIP_FAULT_COUNT=FILE     at the end the numbers of calls (allocations, own ones, writes, reads) go into this file
//     STICKSLIP_FAULT_TRACE=1        prints the stack at the fault
//
// Where a library breaks down because an allocation of its own has failed, the program ends with exit code 8 and a message;
// a crash of the program itself, or one after an allocation of its own, stays a crash.
//
// Counting begins when the program looks after its standard streams, its first act: before that libraries are loaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

enum { NOTHING, MEMORY, OWN, DROUGHT, IO, FULL, READ, STDOUT, SIGNAL, MOMENT, HANDLER };

static int armed, kind, failed_own, has_handler;
static long wanted, handled_calls, memory_calls, own_calls, io_calls, read_calls;
static int reason = EIO; // errno or the number of a signal
static pid_t process;
static uintptr_t first_address, end_address; // of the program itself

static int find_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    first_address = UINTPTR_MAX;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_LOAD) {
            uintptr_t from = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr,
                      to = from + info->dlpi_phdr[k].p_memsz;
            first_address = from < first_address ? from : first_address;
            end_address = to > end_address ? to : end_address;
        }
    return 1; // the first one
}

static void look_at_crash(int number, siginfo_t *info, void *context)
{
    static const char text[] = "error: a library breaks down without memory\n";
    uintptr_t place = 0;
#ifdef __x86_64__
    place = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#endif
    (void)info;
    if (kind == MEMORY && memory_calls >= wanted && !failed_own &&
        (place < first_address || place >= end_address)) {
        ssize_t written = write(2, text, sizeof text - 1);
        (void)written;
        _exit(8);
    }
    signal(number, SIG_DFL);
    raise(number);
}

// Leaves a mark that the fault has happened. Not by open, which may be what fails.
static void mark(void)
{
    const char *path = getenv("STICKSLIP_FAULT_MARK");
    long file = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0666) : -1;
    if (file >= 0)
        syscall(SYS_close, file);
    if (getenv("STICKSLIP_FAULT_TRACE")) {
        void *places[64];
        int was_armed = armed;
        armed = 0;
        backtrace_symbols_fd(places, backtrace(places, 64), 2);
        armed = was_armed;
    }
}

static void arm(void)
{
    static const char *const names[] = {"",      "memory:", "own:",    "drought:", "io:",     "full:",
                                        "read:", "stdout:", "signal:", "moment:",  "handler:"};
    const char *text = getenv("STICKSLIP_FAULT");
    if (armed || (!text && !getenv("STICKSLIP_FAULT_COUNT")))
        return;
    dl_iterate_phdr(find_program, NULL);
    for (int k = MEMORY; text && k <= HANDLER; k++)
        if (strncmp(text, names[k], strlen(names[k])) == 0) {
            char *end;
            kind = k;
            wanted = strtol(text + strlen(names[k]), &end, 10);
            if (*end == ':')
                reason = (int)strtol(end + 1, NULL, 10);
        }
    process = getpid();
    static char room[1 << 16]; // a library may recurse without end
    sigaltstack(&(stack_t){.ss_sp = room, .ss_size = sizeof room}, NULL);
    struct sigaction look = {.sa_sigaction = look_at_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGSEGV, &look, NULL);
    sigaction(SIGABRT, &look, NULL);
    if (kind == STDOUT) {
        long file = syscall(SYS_openat, AT_FDCWD, "/dev/full", O_WRONLY, 0);
        dup2((int)file, STDOUT_FILENO);
        syscall(SYS_close, file);
        mark();
    }
    armed = 1;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("STICKSLIP_FAULT_COUNT");
    if (!armed || !path || getpid() != process)
        return;
    armed = 0;
    FILE *stream = fopen(path, "w");
    if (stream) {
        fprintf(stream, "%ld %ld %ld %ld\n", memory_calls, own_calls, io_calls, read_calls);
        fclose(stream);
    }
}

static int fails_memory(const void *caller)
{
    if (!armed)
        return 0;
    int own = (uintptr_t)caller >= first_address && (uintptr_t)caller < end_address;
    long all = __atomic_add_fetch(&memory_calls, 1, __ATOMIC_RELAXED);
    long mine = own ? __atomic_add_fetch(&own_calls, 1, __ATOMIC_RELAXED) : -1;
    long handled = has_handler ? __atomic_add_fetch(&handled_calls, 1, __ATOMIC_RELAXED) : -1;
    if ((kind == MOMENT && all == wanted) || (kind == HANDLER && handled == wanted)) {
        mark();
        kill(getpid(), reason);
    }
    if ((kind == MEMORY && all == wanted) || (kind == OWN && mine == wanted) ||
        (kind == DROUGHT && mine >= wanted)) {
        if (kind != DROUGHT || mine == wanted)
            mark();
        errno = ENOMEM;
        failed_own = own;
        return 1;
    }
    return 0;
}

static int fails_io(void)
{
    if (!armed)
        return 0;
    long count = __atomic_add_fetch(&io_calls, 1, __ATOMIC_RELAXED);
    if (count == wanted && (kind == IO || kind == FULL || kind == SIGNAL))
        mark();
    if (count == wanted && kind == SIGNAL)
        kill(getpid(), reason);
    if ((kind == IO && count == wanted) || (kind == FULL && count >= wanted)) {
        errno = reason;
        return 1;
    }
    return 0;
}

static int fails_reading(void)
{
    if (!armed || __atomic_add_fetch(&read_calls, 1, __ATOMIC_RELAXED) != wanted || kind != READ)
        return 0;
    mark();
    errno = reason;
    return 1;
}

// ---- memory

void *malloc(size_t size)
{
    return fails_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return size > 0 && fails_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// ---- handlers

// The one that METIS calls; the program itself calls others.
__sighandler_t __sysv_signal(int number, __sighandler_t handler)
{
    has_handler |= armed && kind == HANDLER && number == reason;
    return NEXT(__sysv_signal)(number, handler);
}

// ---- files

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    bool none = strcmp(path, "/dev/null") == 0;
    if (none)
        arm();
    else if ((flags & O_ACCMODE) != O_RDONLY ? fails_io() : fails_reading())
        return -1;
    return NEXT(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    return (strchr(mode, 'r') ? fails_reading() : fails_io()) ? NULL : NEXT(fopen)(path, mode);
}

// As the C library does after a failure: ferror tells of it.
static void set_error(FILE *stream)
{
#ifdef __GLIBC__
    stream->_flags |= 0x20; // _IO_ERR_SEEN
#else
    (void)stream;
#endif
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    if (stream != stdout && stream != stderr && fails_io()) {
        set_error(stream);
        return 0;
    }
    return NEXT(fwrite)(bytes, size, count, stream);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream)
{
    if (fails_reading()) {
        set_error(stream);
        return 0;
    }
    return NEXT(fread)(bytes, size, count, stream);
}

ssize_t read(int file, void *bytes, size_t count)
{
    return fails_reading() ? -1 : NEXT(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t from)
{
    return fails_reading() ? -1 : NEXT(pread)(file, bytes, count, from);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t from)
{
    return fails_io() ? -1 : NEXT(pwrite)(file, bytes, count, from);
}

int fflush(FILE *stream)
{
    return stream && stream != stdout && stream != stderr && fails_io() ? EOF : NEXT(fflush)(stream);
}

int fclose(FILE *stream)
{
    int failed = fails_io(), error = errno, result = NEXT(fclose)(stream);
    errno = failed ? error : errno;
    return failed ? EOF : result;
}

ssize_t write(int file, const void *bytes, size_t count)
{
    return file > 2 && fails_io() ? -1 : NEXT(write)(file, bytes, count);
}

int fsync(int file)
{
    return fails_io() ? -1 : NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
    return fails_io() ? -1 : NEXT(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    return fails_io() ? -1 : NEXT(mkdir)(path, mode);
}

int ftruncate(int file, off_t length)
{
    return fails_io() ? -1 : NEXT(ftruncate)(file, length);
}

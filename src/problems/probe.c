// SPDX-License-Identifier: Apache-2.0
#include "problems/probe.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 300 };

static bool is_hdf5(const char *path)
{
    char begin[4] = "";
    // a pipe would wait for its other end; who reads the file refuses it
    FILE *stream = stick_file_is_regular(path) ? fopen(path, "rb") : NULL;
    if (!stream)
        return false;
    size_t count = fread(begin, 1, sizeof begin, stream);
    fclose(stream);
    return count == sizeof begin && memcmp(begin, "\x89HDF", sizeof begin) == 0;
}

// Never comes back.
static void read_and_leave(StickContext *ctx, const char *path, StickProblemKind as)
{
    StickProblemFile *file;
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(1);
    stick_context_listen(ctx, (StickListener){0});
    alarm(MOST_SECONDS);
    StickStatus status = stick_problem_read(ctx, path, as, &file);
    if (status == STICK_OK)
        stick_problem_destroy(file);
    _exit(status == STICK_NO_MEMORY ? STICK_NO_MEMORY
                                    : 0); // other errors are reported when the file is read again
}

StickStatus stick_problem_probe(StickContext *ctx, const char *path, StickProblemKind as)
{
    int ended = 0;
    pid_t waited;
    if (!is_hdf5(path))
        return STICK_OK;
    pid_t child = fork();
    if (child == 0)
        read_and_leave(ctx, path, as);
    STICK_CHECK(ctx, child > 0, STICK_IO, "no process to try '%s': %s", path, strerror(errno));
    while ((waited = waitpid(child, &ended, 0)) < 0 && errno == EINTR)
        ;
    bool good = waited == child && WIFEXITED(ended);
    // the kernel ends processes in this way when memory runs out
    STICK_CHECK(ctx, good || !WIFSIGNALED(ended) || WTERMSIG(ended) != SIGKILL, STICK_NO_MEMORY,
                "the process that tries '%s' was killed, as for lack of memory", path);
    STICK_CHECK(ctx, !good || WEXITSTATUS(ended) == 0, STICK_NO_MEMORY, "no memory to read '%s'", path);
    STICK_CHECK(ctx, good, STICK_BAD_INPUT,
                "HDF5 breaks down when it reads '%s': the file is damaged, or there is too little memory",
                path);
    return STICK_OK;
}

StickStatus stick_problem_read_apart(StickContext *ctx, const char *path, StickProblemKind as,
                                     StickProblemFile **file)
{
    STICK_TRY(stick_problem_probe(ctx, path, as));
    return stick_problem_read(ctx, path, as, file);
}

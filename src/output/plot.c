// SPDX-License-Identifier: Apache-2.0
#include "output/plot.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- running gnuplot

// What gnuplot reads and writes: unnamed files for the script and its complaints, so that none is ever left
// behind.
typedef struct Streams {
    FILE *script;
    FILE *complaints;
    int picture;
} Streams;

// Runs gnuplot without a shell and without anybody's start-up files. Returns 0, or why it could not be
// started.
static int run_gnuplot(const Streams *streams, int *exit_code)
{
    // from its standard input it reads byte by byte, from a file that it opens itself by blocks
    enum { SCRIPT = 3 };
    static char program[] = "gnuplot", plain[] = "-d", script[] = "/dev/fd/3";
    char *arguments[] = {program, plain, script, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason == 0 && (reason = posix_spawnattr_init(&attributes)) != 0)
        posix_spawn_file_actions_destroy(&actions);
    if (reason != 0)
        return reason;
    // an interrupt that the program has blocked ends gnuplot all the same
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, streams->picture, 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(streams->complaints), 2);
    posix_spawn_file_actions_adddup2(&actions, fileno(streams->script), SCRIPT); // last: any of them may be 3
    reason = posix_spawnp(&child, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (reason != 0)
        return reason;
    int ended = 0;
    pid_t waited;
    while ((waited = waitpid(child, &ended, 0)) < 0 && errno == EINTR)
        ;
    if (waited < 0)
        return errno;
    *exit_code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    return 0;
}

// The line that says what is wrong is the last one.
static StickStatus fail_gnuplot(StickContext *ctx, const char *path, FILE *complaints, int exit_code)
{
    char line[256], said[256] = "";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " \t^")] != '\0')
            snprintf(said, sizeof said, "%s", line + strspn(line, " \t"));
    }
    return stick_fail(ctx, STICK_IO, "gnuplot could not draw '%s' (exit code %d): %s", path, exit_code, said);
}

static StickStatus draw(StickContext *ctx, const char *path, const StickText *script, const Streams *streams,
                        bool *made)
{
    int exit_code = 0;
    if (fwrite(script->bytes, 1, script->length, streams->script) != script->length ||
        fflush(streams->script) != 0)
        return stick_fail(ctx, STICK_IO, "cannot write the script of '%s': %s", path, strerror(errno));
    rewind(streams->script);
    int reason = run_gnuplot(streams, &exit_code);
    if (reason == ENOENT || (reason == 0 && exit_code == 127)) {
        stick_warn(ctx, "'%s' is not drawn: there is no gnuplot in the PATH", path);
        return STICK_OK;
    }
    STICK_CHECK(ctx, reason == 0, STICK_IO, "cannot start gnuplot for '%s': %s", path, strerror(reason));
    // an interrupt reaches all that the terminal has started
    STICK_CHECK(ctx, exit_code != 128 + SIGINT && exit_code != 128 + SIGTERM, STICK_INTERRUPTED,
                "interrupted while gnuplot drew '%s'", path);
    if (exit_code != 0)
        return fail_gnuplot(ctx, path, streams->complaints, exit_code);
    *made = true;
    return STICK_OK;
}

// The picture grows beside its place and is put there when it is whole.
static StickStatus draw_beside(StickContext *ctx, const char *path, const char *beside,
                               const StickText *script, bool *made)
{
    Streams streams = {tmpfile(), tmpfile(), -1};
    StickStatus status = STICK_OK;
    bool drawn = false;
    if (!streams.script || !streams.complaints)
        status = stick_fail(ctx, STICK_IO, "cannot write '%s': %s", path, strerror(errno));
    if (status == STICK_OK)
        status = stick_file_create(ctx, beside, &streams.picture);
    if (status == STICK_OK)
        status = draw(ctx, path, script, &streams, &drawn);
    if (drawn && (fsync(streams.picture) != 0 || rename(beside, path) != 0))
        status = stick_fail(ctx, STICK_IO, "cannot write '%s': %s", path, strerror(errno));
    if (!drawn || status != STICK_OK)
        unlink(beside);
    if (streams.script)
        fclose(streams.script);
    if (streams.complaints)
        fclose(streams.complaints);
    if (streams.picture >= 0)
        close(streams.picture);
    *made = drawn && status == STICK_OK;
    return status;
}

// ---- the plot

static StickStatus check_plot(StickContext *ctx, const char *path, const StickPlot *plot)
{
    STICK_CHECK(ctx, plot->npanels >= 1, STICK_BAD_INPUT, "the plot '%s' has %d panels", path, plot->npanels);
    STICK_CHECK(ctx, plot->width == 0 || plot->width >= 300, STICK_BAD_INPUT,
                "the plot '%s' is %d pixels wide; 300 is the least", path, plot->width);
    STICK_CHECK(ctx, plot->panel_height == 0 || plot->panel_height >= 50, STICK_BAD_INPUT,
                "the panels of the plot '%s' are %d pixels high; 50 is the least", path, plot->panel_height);
    for (int p = 0; p < plot->npanels; p++)
        STICK_CHECK(ctx, plot->panel[p].nseries >= 1, STICK_BAD_INPUT,
                    "panel %d of the plot '%s' has no series", p + 1, path);
    return STICK_OK;
}

StickStatus stick_plot_write(StickContext *ctx, const char *path, const StickPlot *plot, bool *made)
{
    STICK_TRY(check_plot(ctx, path, plot));
    StickText script, beside;
    stick_text_init(&script, ctx);
    stick_text_init(&beside, ctx);
    stick_plot_script(&script, plot);
    stick_text_add(&beside, "%s.new", path);
    StickStatus status = stick_text_status(&script);
    if (status == STICK_OK)
        status = stick_text_status(&beside);
    if (status == STICK_OK)
        status = draw_beside(ctx, path, beside.bytes, &script, made);
    stick_text_destroy(&script);
    stick_text_destroy(&beside);
    return status;
}

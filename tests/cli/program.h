// SPDX-License-Identifier: Apache-2.0
// The program as a user starts it: in a folder of its own, with what it says and how it ends.
#ifndef TESTS_CLI_PROGRAM_H
#define TESTS_CLI_PROGRAM_H

#include "output/scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_WORDS = 24, STARTED_DEADLINE = 60 };

// How a program ended: its exit code, or minus the signal that ended it.
typedef struct Outcome {
    int code;
    double seconds;
    char *out, *err;
} Outcome;

static inline double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void wait_seconds(double seconds)
{
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

static inline void redirect(const char *folder, const char *name, int descriptor)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(99);
    close(file);
}

// Starts the program inside of the folder. Without gnuplot in the PATH unless asked for: pictures take time.
static inline pid_t start_program(const char *folder, bool pictures, char *const *words)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    redirect(folder, "stdout.txt", STDOUT_FILENO);
    redirect(folder, "stderr.txt", STDERR_FILENO);
    if (!pictures)
        setenv("PATH", "/nowhere", 1);
    if (chdir(folder) != 0)
        _exit(99);
    execv(STICKSLIP_PROGRAM, words);
    _exit(99);
}

static inline int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Waits for the end, at most so long; then the program is killed and the test fails.
static inline int wait_for(pid_t child, double limit)
{
    int status = 0;
    double end = clock_now() + limit;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (clock_now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            fail_msg("the program was still running after %g s", limit);
        }
        wait_seconds(0.002);
    }
    return code_of(status);
}

static inline char *read_text(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream);
    rewind(stream);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    size_t got = fread(text, 1, (size_t)size, stream);
    text[got] = '\0';
    fclose(stream);
    return text;
}

static inline void write_bytes(const char *folder, const char *name, const void *bytes, size_t count)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
}

static inline void write_text(const char *folder, const char *name, const char *text)
{
    write_bytes(folder, name, text, strlen(text));
}

static inline void forget(Outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
    *outcome = (Outcome){0};
}

// "run model.yaml -o out": words are split at spaces.
static inline int split_words(char *line, char *words[MOST_WORDS + 1])
{
    int count = 1;
    words[0] = STICKSLIP_PROGRAM;
    for (char *word = strtok(line, " "); word && count < MOST_WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return count;
}

static inline pid_t start_line(const char *folder, const char *line)
{
    char copy[1024], *words[MOST_WORDS + 1];
    snprintf(copy, sizeof copy, "%s", line);
    split_words(copy, words);
    return start_program(folder, false, words);
}

static inline Outcome run_with(const char *folder, bool pictures, const char *line)
{
    char copy[1024], *words[MOST_WORDS + 1];
    snprintf(copy, sizeof copy, "%s", line);
    split_words(copy, words);
    double started = clock_now();
    pid_t child = start_program(folder, pictures, words);
    Outcome outcome = {.code = wait_for(child, STARTED_DEADLINE)};
    outcome.seconds = clock_now() - started;
    outcome.out = read_text(folder, "stdout.txt");
    outcome.err = read_text(folder, "stderr.txt");
    return outcome;
}

static inline Outcome run_line(const char *folder, const char *line)
{
    return run_with(folder, false, line);
}

static inline bool exists(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stick_file_exists(path);
}

// The exit code, with all that was said if it is another one.
#define assert_code(outcome, wanted)                                                              \
    do {                                                                                          \
        if ((outcome).code != (wanted))                                                           \
            fail_msg("exit code %d instead of %d\n%s%s", (outcome).code, (wanted), (outcome).out, \
                     (outcome).err);                                                              \
    } while (0)

#define assert_says(text, words)                                                   \
    do {                                                                           \
        if (!(text) || !strstr(text, words))                                       \
            fail_msg("'%s' is not in:\n%s", words, (text) ? (text) : "(nothing)"); \
    } while (0)

// Runs the line, expects the code and the words on stderr.
static inline void expect(const char *folder, const char *line, int code, const char *words)
{
    Outcome outcome = run_line(folder, line);
    assert_code(outcome, code);
    assert_says(outcome.err, words);
    forget(&outcome);
}

// A number behind a key of a JSON text, first of that name.
static inline double json_number(const char *text, const char *key)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *found = text ? strstr(text, quoted) : NULL;
    return found ? strtod(found + strlen(quoted), NULL) : NAN;
}

// ---- with Python, where it is there

static inline bool runs(const char *command)
{
    return system(command) == 0;
}

static inline bool has_python(const char *modules)
{
    char command[256];
    snprintf(command, sizeof command, "python3 -c 'import %s' 2>/dev/null", modules);
    return runs(command);
}

static inline void assert_json(Scratch *scratch, const char *name)
{
    char command[1024];
    if (!has_python("json"))
        return;
    snprintf(command, sizeof command, "python3 -m json.tool '%s' >/dev/null", scratch_path(scratch, name));
    if (!runs(command))
        fail_msg("%s is no JSON", name);
}

static inline int count_lines(const char *folder, const char *name)
{
    char *text = read_text(folder, name);
    int lines = 0;
    for (const char *c = text; c && *c; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Runs a model file into a result folder from a program of one's own: run_model MODEL FOLDER.
#include <stickslip/stickslip.h>

#include <stdio.h>

static void print(void *user, const StickDiagnostic *said)
{
    (void)user;
    fprintf(stderr, "%s:%d:%d: %s\n", said->file ? said->file : "stickslip", said->line, said->column,
            said->text);
}

static void report(void *user, const char *name, long step, long nsteps, double t, double end)
{
    (void)user, (void)t, (void)end;
    if (step == nsteps)
        printf("%s%sdone after %ld steps\n", name, name[0] ? ": " : "", nsteps);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: run_model MODEL FOLDER\n");
        return STICK_USAGE;
    }
    StickContext *ctx = stick_context_create(NULL);
    if (!ctx)
        return STICK_NO_MEMORY;
    stick_context_listen(ctx, (StickListener){print, NULL});
    StickStudyOptions options = {
        .model = argv[1], .folder = argv[2], .force = true, .progress = {report, NULL}};
    StickStatus status = stick_study_run(ctx, &options);
    stick_context_destroy(ctx);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
// The same friction problems by the solvers of Siconos Numerics and by ours, in one process and in turns: processor
// time of the solve calls alone, from r = 0, and one error measure, recomputed by our verifier, for both.
//
//   bench.vs-siconos [DIR] [--ours A,B] [--chosen NAME] [--tol T1,T2] [--limit SECONDS] [--repeats N]
//                    [--only WORD] [--csv FILE]
//
// DIR is by default friction/ in the folder that STICKSLIP_DATA names.
#include "base/file.h"
#include "base/text.h"
#include "linalg/threads.h"
#include "peer.h"
#include "problems/task.h"
#include "report.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TOLERANCES = 8, MOST_FILES = 1000 };

typedef struct Settings {
    const char *folder, *ours, *chosen, *only, *csv;
    double tolerance[MOST_TOLERANCES];
    int ntolerances;
    double limit;
    int rounds;
} Settings;

static int refuse(const char *why, const char *what)
{
    fprintf(stderr, "bench.vs-siconos: %s '%s'\n", why, what);
    return 2;
}

static void parse_tolerances(const char *text, Settings *settings)
{
    char *end;
    settings->ntolerances = 0;
    for (const char *at = text; *at && settings->ntolerances < MOST_TOLERANCES; at = *end ? end + 1 : end)
        settings->tolerance[settings->ntolerances++] = strtod(at, &end);
}

static int parse(int argc, char **argv, Settings *settings)
{
    for (int k = 1; k < argc; k++) {
        const char *word = argv[k], *value = k + 1 < argc ? argv[k + 1] : NULL;
        if (word[0] != '-') {
            settings->folder = word;
            continue;
        }
        if (!value)
            return refuse("no value behind", word);
        k++;
        if (strcmp(word, "--ours") == 0)
            settings->ours = value;
        else if (strcmp(word, "--chosen") == 0)
            settings->chosen = value;
        else if (strcmp(word, "--only") == 0)
            settings->only = value;
        else if (strcmp(word, "--csv") == 0)
            settings->csv = value;
        else if (strcmp(word, "--limit") == 0)
            settings->limit = atof(value);
        else if (strcmp(word, "--repeats") == 0)
            settings->rounds = atoi(value);
        else if (strcmp(word, "--tol") == 0)
            parse_tolerances(value, settings);
        else
            return refuse("unknown option", word);
    }
    bool good = settings->rounds > 0 && settings->rounds < MOST_ROUNDS && settings->limit > 0;
    return good ? 0 : refuse("--limit and --repeats take numbers above 0, not", "0");
}

// ---- contenders

static bool is_named(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static void add_contender(Race *race, const char *name, bool ours, int index)
{
    if (race->count == MOST_CONTENDERS)
        return;
    Contender *contender = &race->contender[race->count++];
    *contender = (Contender){.ours = ours, .index = index};
    snprintf(contender->name, sizeof contender->name, "%s", name);
}

static void add_contenders(const Settings *settings, Race *race)
{
    for (int k = 0; peer_solver(race->problem->dim, k); k++)
        add_contender(race, peer_solver(race->problem->dim, k), false, k);
    for (int k = 0; stick_solver_name(k); k++)
        if (!settings->ours || is_named(settings->ours, stick_solver_name(k)))
            add_contender(race, stick_solver_name(k), true, k);
}

// ---- problems

static void race_problem(const Settings *settings, StickContext *ctx, const StickTask *task, const char *name,
                         FILE *csv, Tally *tally)
{
    static Race race; // large
    race =
        (Race){.ctx = ctx, .problem = &task->friction, .limit = settings->limit, .rounds = settings->rounds};
    add_contenders(settings, &race);
    // who misses a tolerance is not asked for a smaller one
    for (int t = 0; t < settings->ntolerances; t++) {
        race.tolerance = settings->tolerance[t];
        race_run(&race);
        report_race(&race, name, settings->chosen, &tally[t]);
        if (csv)
            report_csv(csv, &race, name);
    }
}

static void race_file(const Settings *settings, StickContext *ctx, const char *name, FILE *csv, Tally *tally)
{
    StickProblemFile *file;
    StickTask task = {0};
    char *path = stick_path_join(ctx, settings->folder, name);
    StickStatus status = stick_problem_read(ctx, path, STICK_PROBLEM_AUTO, &file);
    stick_free(ctx, path);
    if (status != STICK_OK) {
        fprintf(stderr, "%s\n", stick_last_error(ctx));
        return;
    }
    if (file->kind != STICK_PROBLEM_LCP && stick_problem_size(file) > 0 &&
        stick_task_create(ctx, file, &task) == STICK_OK)
        race_problem(settings, ctx, &task, name, csv, tally);
    stick_task_destroy(&task);
    stick_problem_destroy(file);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int race_folder(const Settings *settings, StickContext *ctx, FILE *csv)
{
    struct dirent **entry;
    Tally tally[MOST_TOLERANCES] = {0};
    int count = scandir(settings->folder, &entry, NULL, by_name);
    if (count < 0)
        return refuse("cannot read folder", settings->folder);
    report_heading();
    for (int k = 0; k < count; k++) {
        const char *name = entry[k]->d_name;
        if (name[0] != '.' && (!settings->only || strstr(name, settings->only)))
            race_file(settings, ctx, name, csv, tally);
        free(entry[k]);
    }
    free(entry);
    for (int t = 0; t < settings->ntolerances; t++)
        report_tally(&tally[t]);
    return 0;
}

// Libraries read this when they are loaded: once more, with it set.
static void use_one_blas_thread(char **argv)
{
    if (getenv("OPENBLAS_NUM_THREADS"))
        return;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    Settings settings = {.tolerance = {1e-4, 1e-6, 1e-8}, .ntolerances = 3, .limit = 5, .rounds = 9};
    char data[4096];
    use_one_blas_thread(argv);
    if (parse(argc, argv, &settings) != 0)
        return 2;
    if (!settings.folder && !getenv("STICKSLIP_DATA")) {
        printf("no problems: give a folder, or name one by STICKSLIP_DATA\n");
        return 0;
    }
    if (!settings.folder) {
        snprintf(data, sizeof data, "%s/friction", getenv("STICKSLIP_DATA"));
        settings.folder = data;
    }
    StickContext *ctx = stick_context_create(NULL);
    FILE *csv = settings.csv ? fopen(settings.csv, "w") : NULL;
    if (!ctx || (settings.csv && !csv))
        return refuse("cannot write", settings.csv ? settings.csv : "");
    stick_blas_single_thread();
    if (csv)
        report_csv_heading(csv);
    int code = race_folder(&settings, ctx, csv);
    if (csv && fclose(csv) != 0)
        code = refuse("cannot write", settings.csv);
    stick_context_destroy(ctx);
    return code;
}

// SPDX-License-Identifier: Apache-2.0
// Results of a comparison as files: a table, performance profiles [DM02], error against time.
#include "study/bench.h"

#include "base/file.h"
#include "base/text.h"
#include "output/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

static const char *kind_name(const StickBench *bench)
{
    return bench->is_lcp ? "lcp" : "friction";
}

// ---- the table

static const char *outcome(const StickTrial *trial)
{
    return trial->failed ? "failed" : trial->stopped ? "stopped" : stick_solve_end_name(trial->end);
}

static void add_rows(const StickBench *bench, const StickBenchProblem *problem, StickText *text)
{
    for (int s = 0; s < bench->nsolvers; s++)
        for (int t = 0; t < bench->ntolerances; t++) {
            const StickTrial *trial = stick_bench_trial(bench, problem, s, t);
            stick_text_add(text, "%s,%d,%d,%s,", stick_path_name(problem->path), problem->size, problem->dim,
                           bench->solver[s]);
            stick_text_add_number(text, bench->tolerance[t]);
            stick_text_add(text, ",%d,%s,%d,%d,", trial->reached, outcome(trial), trial->iterations,
                           trial->repeats);
            stick_text_add_number(text, trial->seconds);
            stick_text_add(text, ",%.3e,%.3e\n", trial->error, trial->error_scale_free);
        }
}

static StickStatus write_table(const StickBench *bench, const char *folder)
{
    char path[PATH_TEXT];
    StickText text;
    stick_text_init(&text, bench->ctx);
    stick_text_add(&text, "problem,size,dimension,solver,tolerance,reached,end,iterations,repeats,seconds,"
                          "error,error_scale_free\n");
    for (int p = 0; p < bench->nproblems; p++)
        if (bench->problem[p].trial)
            add_rows(bench, &bench->problem[p], &text);
    snprintf(path, sizeof path, "%s/%s.csv", folder, kind_name(bench));
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_file_write(bench->ctx, path, text.bytes, text.length);
    stick_text_destroy(&text);
    return status;
}

// ---- performance profiles: the share of problems that a solver does within a factor of the best

// Ratios of one solver in ascending order; returns their number.
static int sorted_ratios(const StickBench *bench, int solver, int tolerance, double *ratio)
{
    int count = 0;
    for (int p = 0; p < bench->nproblems; p++) {
        const StickBenchProblem *problem = &bench->problem[p];
        if (!problem->trial || !stick_bench_trial(bench, problem, solver, tolerance)->reached)
            continue;
        double value = stick_bench_trial(bench, problem, solver, tolerance)->seconds /
                       stick_bench_best(bench, problem, tolerance);
        int place = count++;
        for (; place > 0 && ratio[place - 1] > value; place--)
            ratio[place] = ratio[place - 1];
        ratio[place] = value;
    }
    return count;
}

// A staircase from (1, 0), up at every ratio, and on to the right end of the picture.
static size_t staircase(const double *ratio, int count, int problems, double end, double *x, double *y)
{
    size_t n = 0;
    x[n] = 1;
    y[n++] = 0;
    for (int k = 0; k < count; k++) {
        x[n] = ratio[k];
        y[n++] = (double)k / problems;
        x[n] = ratio[k];
        y[n++] = (double)(k + 1) / problems;
    }
    x[n] = end;
    y[n++] = (double)count / problems;
    return n;
}

static double largest_ratio(const StickBench *bench, int tolerance, double *room)
{
    double most = 10;
    for (int s = 0; s < bench->nsolvers; s++) {
        int count = sorted_ratios(bench, s, tolerance, room);
        most = count > 0 ? fmax(most, room[count - 1]) : most;
    }
    return most;
}

// Room for the curves of all solvers.
typedef struct Room {
    double *values;
    StickPlotSeries *series;
} Room;

// A solver without points has no label either, but keeps its place: it has one colour in all pictures.
static StickPlotSeries curve(const StickBench *bench, int solver, size_t n, const double *x, const double *y)
{
    return (StickPlotSeries){n > 0 ? bench->solver[solver] : NULL, STICK_PLOT_LINE, n, x, y};
}

// false: no solver has a curve
static bool fill_profile(const StickBench *bench, int tolerance, const Room *room)
{
    size_t points = 2 * (size_t)bench->nproblems + 2, per_solver = 2 * points + (size_t)bench->nproblems;
    double end = 1.5 * largest_ratio(bench, tolerance, room->values);
    bool some = false;
    for (int s = 0; s < bench->nsolvers; s++) {
        double *x = room->values + (size_t)s * per_solver, *y = x + points, *ratio = y + points;
        int reached = sorted_ratios(bench, s, tolerance, ratio);
        StickBenchScore score = stick_bench_score(bench, s, tolerance);
        size_t n = reached > 0 ? staircase(ratio, reached, score.problems, end, x, y) : 0;
        room->series[s] = curve(bench, s, n, x, y);
        some = some || n > 0;
    }
    return some;
}

static StickStatus write_profile(const StickBench *bench, const char *folder, int tolerance, const Room *room,
                                 bool *made)
{
    char path[PATH_TEXT], title[128];
    if (!fill_profile(bench, tolerance, room))
        return STICK_OK;
    StickPlotPanel panel = {"share of problems solved", false, bench->nsolvers, room->series};
    snprintf(title, sizeof title, "Performance profile of %s solvers, tolerance %.0e", kind_name(bench),
             bench->tolerance[tolerance]);
    snprintf(path, sizeof path, "%s/%s-profile-%.0e.svg", folder, kind_name(bench),
             bench->tolerance[tolerance]);
    StickPlot plot = {
        .title = title, .x_label = "time over the best time", .log_x = true, .npanels = 1, .panel = &panel};
    return stick_plot_write(bench->ctx, path, &plot, made);
}

// ---- error against time

static StickStatus write_race(const StickBench *bench, const char *folder, const StickBenchProblem *problem,
                              const Room *room, bool *made)
{
    char path[PATH_TEXT], title[512];
    const char *name = stick_path_name(problem->path);
    bool some = false;
    for (int s = 0; s < bench->nsolvers; s++) {
        size_t points = (size_t)bench->ntolerances + 1, n = 0;
        double *x = room->values + (size_t)s * 2 * points, *y = x + points;
        for (int t = 0; t < bench->ntolerances; t++) {
            const StickTrial *trial = stick_bench_trial(bench, problem, s, t);
            if (!trial->reached)
                break;
            // every curve comes down from above, so that one point is seen, too
            if (t == 0) {
                x[n] = trial->seconds;
                y[n++] = 10 * bench->tolerance[0];
            }
            x[n] = trial->seconds;
            y[n++] = bench->tolerance[t];
        }
        room->series[s] = curve(bench, s, n, x, y);
        some = some || n > 0;
    }
    if (!some)
        return STICK_OK;
    StickPlotPanel panel = {"tolerance reached", true, bench->nsolvers, room->series};
    snprintf(title, sizeof title, "%.300s: time to reach a tolerance", name);
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    StickPlot plot = {
        .title = title, .x_label = "processor time [s]", .log_x = true, .npanels = 1, .panel = &panel};
    return stick_plot_write(bench->ctx, path, &plot, made);
}

static StickStatus write_pictures(const StickBench *bench, const char *folder, const Room *room)
{
    bool made = true;
    for (int t = 0; t < bench->ntolerances && made; t++)
        STICK_TRY(write_profile(bench, folder, t, room, &made));
    for (int p = 0; p < bench->nproblems && made && bench->ntolerances > 1; p++)
        if (bench->problem[p].trial)
            STICK_TRY(write_race(bench, folder, &bench->problem[p], room, &made));
    return STICK_OK;
}

StickStatus stick_bench_write(const StickBench *bench, const char *folder)
{
    size_t points = 5 * (size_t)bench->nproblems + 6 + 2 * (size_t)bench->ntolerances;
    Room room = {0};
    STICK_CHECK(bench->ctx, strlen(folder) < PATH_TEXT - 512, STICK_USAGE, "the name '%.80s...' is too long",
                folder);
    STICK_TRY(stick_folder_create(bench->ctx, folder));
    STICK_TRY(write_table(bench, folder));
    STICK_ALLOC(bench->ctx, room.values, points * (size_t)bench->nsolvers);
    room.series = stick_alloc(bench->ctx, (size_t)bench->nsolvers, sizeof *room.series);
    StickStatus status = room.series ? write_pictures(bench, folder, &room) : STICK_NO_MEMORY;
    stick_free(bench->ctx, room.values);
    stick_free(bench->ctx, room.series);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "study/growth_results.h"

#include "base/memory.h"
#include "base/pi.h"
#include "base/text.h"
#include "output/growth_table.h"
#include "output/plot.h"
#include "output/table.h"
#include "stepping/scheme.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096, FEWEST_ROWS = 10, FEWEST_PER_PERIOD = 20 };
static const double SLOW = 0.1;     // of the least sliding speed: changes up to this are small
static const double BURIED = 0.01;  // of the disturbance: a mode below this is not seen well
static const double ROUND = 1e5;    // times rounding: below, no disturbance is seen well
static const double CROOKED = 0.02; // relative: what amplitude and phase may deviate from one mode that grows
static const double FEWEST_PERIODS = 2;

// ---- names

static bool is_perturbed(const StickStepSpec *step)
{
    return step->kind == STICK_STEP_DYNAMICS && step->perturb.given;
}

const StickStepSpec *stick_growth_step_of(const StickModel *model, const char *name)
{
    size_t length = strcspn(name, ".");
    for (int k = 0; k < model->nsteps; k++) {
        const StickStepSpec *step = &model->step[k];
        if (is_perturbed(step) && strlen(step->name) == length && strncmp(step->name, name, length) == 0)
            return step;
    }
    return NULL;
}

static void name_table(const StickStepSpec *step, char name[256])
{
    snprintf(name, 256, "%.240s-growth", step->name);
}

bool stick_growth_has_column(const StickSystem *system, const char *table, const char *column)
{
    const StickModel *model = system->model;
    StickBook book;
    char name[256];
    stick_growth_book_init(&book, system);
    for (int k = 0; k < model->nsteps; k++) {
        name_table(&model->step[k], name);
        if (!is_perturbed(&model->step[k]) || strcmp(name, table) != 0)
            continue;
        for (int j = 0; j < book.ncolumns; j++) {
            size_t length = stick_column_name_length(book.column[j]);
            if (strlen(column) == length && strncmp(column, book.column[j], length) == 0)
                return true;
        }
    }
    return false;
}

static StickStatus refuse_table(StickContext *ctx, const StickStepSpec *step, const char *table)
{
    return stick_fail_at(ctx, STICK_BAD_INPUT, step->mark,
                         "step '%s' writes a table '%s', but there is another one of that name", step->name,
                         table);
}

StickStatus stick_growth_check_names(StickContext *ctx, const StickModel *model)
{
    char table[256];
    for (int k = 0; k < model->nsteps; k++) {
        const StickStepSpec *step = &model->step[k];
        if (!is_perturbed(step))
            continue;
        name_table(step, table);
        for (int j = 0; j < model->output.nhistories; j++)
            if (strcmp(model->output.history[j].name, table) == 0)
                return refuse_table(ctx, step, table);
        for (int j = 0; j < model->nsteps; j++)
            if (strcmp(model->step[j].name, table) == 0)
                return refuse_table(ctx, step, table);
    }
    return STICK_OK;
}

// ---- the tables

typedef struct Tables {
    StickColumns growth, mode;
    const double *t, *real, *imaginary, *amplitude, *largest, *speed_ratio, *changed;
    int rows;
    double predicted_growth, predicted_frequency, rounding;
} Tables;

static void drop(StickContext *ctx, Tables *tables)
{
    stick_columns_destroy(ctx, &tables->growth);
    stick_columns_destroy(ctx, &tables->mode);
}

static const double *column_of(const StickColumns *columns, const char *name)
{
    int k = stick_columns_find(columns, name);
    return k >= 0 ? columns->column[k] : NULL;
}

static StickStatus find_columns(StickContext *ctx, Tables *tables)
{
    const StickColumns *g = &tables->growth, *m = &tables->mode;
    const double *growth = column_of(m, "growth"), *frequency = column_of(m, "frequency"),
                 *rounding = column_of(m, "rounding");
    tables->t = column_of(g, "t");
    tables->real = column_of(g, "real");
    tables->imaginary = column_of(g, "imaginary");
    tables->amplitude = column_of(g, "amplitude");
    tables->largest = column_of(g, "largest");
    tables->speed_ratio = column_of(g, "speed_ratio");
    tables->changed = column_of(g, "changed");
    tables->rows = (int)g->nrows;
    bool good = growth && frequency && rounding && m->nrows > 0 && tables->t && tables->real &&
                tables->imaginary && tables->amplitude && tables->largest && tables->speed_ratio &&
                tables->changed;
    STICK_CHECK(ctx, good, STICK_IO, "the tables of a disturbance are not what they should be");
    tables->predicted_growth = growth[0];
    tables->predicted_frequency = frequency[0];
    tables->rounding = rounding[0];
    return STICK_OK;
}

static StickStatus load(StickContext *ctx, const char *folder, const StickStepSpec *step, Tables *tables)
{
    char path[PATH_TEXT];
    *tables = (Tables){0};
    snprintf(path, sizeof path, "%s/history/%s-growth.csv", folder, step->name);
    STICK_TRY(stick_table_read(ctx, path, &tables->growth));
    snprintf(path, sizeof path, "%s/stability/%s/mode.csv", folder, step->name);
    StickStatus status = stick_table_read(ctx, path, &tables->mode);
    if (status == STICK_OK)
        status = find_columns(ctx, tables);
    if (status != STICK_OK)
        drop(ctx, tables);
    return status;
}

// ---- straight lines

typedef struct Line {
    double t0, n, t, y, tt, ty;
} Line;

static void add(Line *line, double t, double y)
{
    t -= line->t0;
    line->n++;
    line->t += t;
    line->y += y;
    line->tt += t * t;
    line->ty += t * y;
}

static double slope(const Line *line)
{
    return (line->n * line->ty - line->t * line->y) / (line->n * line->tt - line->t * line->t);
}

static double distance(const Line *line, double t, double y)
{
    return y - line->y / line->n - slope(line) * (t - line->t0 - line->t / line->n);
}

// ---- the time in which the disturbance is small

// Rows begin to end - 1, and the lines through log |a| and the phase of a there.
typedef struct Window {
    int begin, end;
    bool measured;
    double growth, frequency;
} Window;

static int first_changed(const Tables *tables)
{
    for (int k = 0; k < tables->rows; k++)
        if (tables->changed[k] > 0)
            return k;
    return -1;
}

// Every contact does what it did, no speed is another one; the mode is seen above the others and above rounding.
static bool is_small(const Tables *tables, int k)
{
    return !(tables->changed[k] > 0) && !(tables->speed_ratio[k] > SLOW);
}

static bool is_seen(const Tables *tables, int k)
{
    return tables->amplitude[k] >= BURIED * tables->largest[k] &&
           tables->largest[k] >= ROUND * tables->rounding;
}

static bool is_long_enough(const Tables *tables, const Window *window)
{
    if (window->end - window->begin < FEWEST_ROWS)
        return false;
    double time = tables->t[window->end - 1] - tables->t[window->begin];
    return tables->predicted_frequency > 0 ? time * tables->predicted_frequency >= FEWEST_PERIODS
                                           : time * fabs(tables->predicted_growth) >= 1;
}

// The longest stretch of rows before the disturbance is first too large.
static Window find_stretch(const Tables *tables)
{
    Window window = {0};
    for (int k = 0, begin = 0; k < tables->rows && is_small(tables, k); k++) {
        if (!is_seen(tables, k))
            begin = k + 1;
        else if (k + 1 - begin > window.end - window.begin)
            window = (Window){.begin = begin, .end = k + 1};
    }
    return window;
}

// The change of phase from the row before.
static double turn(const Tables *tables, int k)
{
    return carg((tables->real[k] + I * tables->imaginary[k]) *
                (tables->real[k - 1] - I * tables->imaginary[k - 1]));
}

// Least squares; the largest distance of a row from its lines tells whether this is one mode that grows.
static double fit(const Tables *tables, Window *window)
{
    Line logarithm = {.t0 = tables->t[window->begin]}, turns = logarithm;
    double phase = 0, square = 0;
    for (int k = window->begin; k < window->end; k++) {
        phase += k > window->begin ? turn(tables, k) : 0;
        add(&logarithm, tables->t[k], log(tables->amplitude[k]));
        add(&turns, tables->t[k], phase);
    }
    window->growth = slope(&logarithm);
    window->frequency = fabs(slope(&turns)) / (2 * STICK_PI);
    phase = 0;
    for (int k = window->begin; k < window->end; k++) {
        phase += k > window->begin ? turn(tables, k) : 0;
        double size = distance(&logarithm, tables->t[k], log(tables->amplitude[k])),
               angle = distance(&turns, tables->t[k], phase);
        square = fmax(square, size * size + angle * angle);
    }
    return sqrt(square);
}

// A path that is not straight moves the mode as well, and less and less beside its growth: later rows are tried.
static Window find_window(const Tables *tables)
{
    Window window = find_stretch(tables);
    while (is_long_enough(tables, &window) && !window.measured) {
        window.measured = fit(tables, &window) <= CROOKED;
        if (!window.measured)
            window.begin += 1 + (window.end - window.begin) / 10;
    }
    return window;
}

// ---- numbers

static const char *const names[STICK_GROWTH_NUMBERS] = {
    "growth",
    "frequency",
    "predicted_growth",
    "predicted_frequency",
    "growth_error",
    "frequency_error",
    "linear_until",
    "measured_from",
    "measured_to",
    "algorithmic_damping",
    "scheme_growth",
    "scheme_frequency",
    "scheme_growth_error",
    "scheme_frequency_error",
};

const char *stick_growth_number_name(int k)
{
    return k >= 0 && k < STICK_GROWTH_NUMBERS ? names[k] : NULL;
}

static double relative(double measured, double predicted)
{
    return predicted != 0 ? (measured - predicted) / fabs(predicted) : NAN;
}

static double complex predicted(const Tables *tables)
{
    return tables->predicted_growth + I * 2 * STICK_PI * tables->predicted_frequency;
}

// Growth and frequency that the scheme itself gives to the mode.
static void predict_by_scheme(const Tables *tables, const StickStepSpec *step, double *growth,
                              double *frequency)
{
    StickScheme scheme = stick_scheme(step);
    double complex z = stick_scheme_factor(&scheme, step->step, predicted(tables));
    *growth = log(cabs(z)) / step->step;
    *frequency = fabs(carg(z)) / (2 * STICK_PI * step->step);
}

static double damping_by_scheme(const Tables *tables, const StickStepSpec *step)
{
    StickScheme scheme = stick_scheme(step);
    return stick_scheme_damping(&scheme, step->step, 2 * STICK_PI * tables->predicted_frequency);
}

StickStatus stick_growth_numbers(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                 double value[STICK_GROWTH_NUMBERS])
{
    Tables tables;
    STICK_TRY(load(ctx, folder, step, &tables));
    Window window = find_window(&tables);
    int changed = first_changed(&tables);
    double growth = window.measured ? window.growth : NAN,
           frequency = window.measured ? window.frequency : NAN;
    double scheme_growth, scheme_frequency;
    predict_by_scheme(&tables, step, &scheme_growth, &scheme_frequency);
    const double all[STICK_GROWTH_NUMBERS] = {
        growth,
        frequency,
        tables.predicted_growth,
        tables.predicted_frequency,
        relative(growth, tables.predicted_growth),
        relative(frequency, tables.predicted_frequency),
        changed >= 0 ? tables.t[changed] : NAN,
        window.measured ? tables.t[window.begin] : NAN,
        window.measured ? tables.t[window.end - 1] : NAN,
        damping_by_scheme(&tables, step),
        scheme_growth,
        scheme_frequency,
        relative(growth, scheme_growth),
        relative(frequency, scheme_frequency),
    };
    memcpy(value, all, sizeof all);
    drop(ctx, &tables);
    return STICK_OK;
}

static int number_of(const char *name)
{
    for (int k = 0; k < STICK_GROWTH_NUMBERS; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

static const char *asked_for(const StickStepSpec *step, const StickCheckSpec *check)
{
    size_t length = strlen(step->name);
    return check->series[length] == '.' ? check->series + length + 1 : "";
}

StickStatus stick_growth_validate(StickContext *ctx, const StickStepSpec *step, const StickCheckSpec *check)
{
    const char *name = asked_for(step, check);
    StickSuggestion suggestion = stick_suggestion(name, names, STICK_GROWTH_NUMBERS);
    if (number_of(name) >= 0 && !check->at_status)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, check->mark,
                         "the disturbance of step '%s' has no number '%s'%s", step->name, name,
                         suggestion.text);
}

StickStatus stick_growth_measure(StickContext *ctx, const char *folder, const StickStepSpec *step,
                                 const StickCheckSpec *check, double *value)
{
    double number[STICK_GROWTH_NUMBERS];
    STICK_TRY(stick_growth_numbers(ctx, folder, step, number));
    *value = number[number_of(asked_for(step, check))];
    return STICK_OK;
}

static const char *why_short(const Tables *tables)
{
    Window stretch = find_stretch(tables);
    int k = 0;
    if (is_long_enough(tables, &stretch))
        return "the mode does not grow by itself: the path that was judged is not straight, or other modes "
               "are too near";
    while (k < tables->rows && is_small(tables, k))
        k++;
    if (k < tables->rows && tables->changed[k] > 0)
        return "contacts change their status before; a smaller disturbance helps";
    if (k < tables->rows)
        return "sliding changes its speed by more than a tenth before; a smaller disturbance helps";
    return "the step ends before, or the mode is below a hundredth of what else moves, or below rounding";
}

// Schemes of means make lambda + lambda^3 h^2/12 of lambda: of the growth g of a fast oscillation w that is
// -(w h)^2/4, of its frequency -(w h)^2/12.
static void warn_of_coarse(StickContext *ctx, const Tables *tables, const StickStepSpec *step)
{
    int last = tables->rows - 1;
    double h = last > 0 ? (tables->t[last] - tables->t[0]) / last : 0;
    double per_period = h > 0 ? 1 / (h * tables->predicted_frequency) : INFINITY;
    if (!(tables->predicted_frequency > 0) || per_period >= FEWEST_PER_PERIOD)
        return;
    double wh = 2 * STICK_PI / per_period;
    stick_warn_at(
        ctx, step->perturb.mark,
        "step '%s' has %.3g time steps per period of the mode that it follows: schemes of second order "
        "have an error of about %.2g %% of its growth and %.2g %% of its frequency; a step of %.2g has "
        "%d per period",
        step->name, per_period, 100 * wh * wh / 4, 100 * wh * wh / 12,
        1 / (FEWEST_PER_PERIOD * tables->predicted_frequency), FEWEST_PER_PERIOD);
}

static void warn_of_damping(StickContext *ctx, const Tables *tables, const StickStepSpec *step)
{
    double damping = damping_by_scheme(tables, step), growth = tables->predicted_growth;
    if (!(growth > 0) || !(damping > growth))
        return;
    stick_warn_at(ctx, step->perturb.mark,
                  "the scheme of step '%s' takes %.3g from the growth of the mode that it follows, which is "
                  "%.3g: what flutters may decay here. Take theta 0.5, or a step below %.2g",
                  step->name, damping, growth, step->step * growth / damping);
}

StickStatus stick_growth_warn(StickContext *ctx, const char *folder, const StickStepSpec *step)
{
    Tables tables;
    STICK_TRY(load(ctx, folder, step, &tables));
    if (!find_window(&tables).measured)
        stick_warn_at(ctx, step->perturb.mark,
                      "growth and frequency of the disturbance of step '%s' are not measured: it takes %g "
                      "periods of small motion, %d time steps at least, and %s",
                      step->name, FEWEST_PERIODS, FEWEST_ROWS, why_short(&tables));
    else
        warn_of_coarse(ctx, &tables, step);
    warn_of_damping(ctx, &tables, step);
    drop(ctx, &tables);
    return STICK_OK;
}

// ---- the picture

// |a| as it is predicted from the begin of the window on, while statuses stay.
static void predict(const Tables *tables, double *line)
{
    Window window = find_window(tables);
    int from = window.measured ? window.begin : 0;
    int changed = first_changed(tables), to = changed < 0 ? tables->rows : changed + 1;
    for (int k = 0; k < tables->rows; k++) {
        double time = tables->t[k] - tables->t[from];
        line[k] = k >= from && k < to ? tables->amplitude[from] * exp(tables->predicted_growth * time) : NAN;
    }
}

static StickStatus draw(StickContext *ctx, const StickModel *model, const char *folder,
                        const StickStepSpec *step, const Tables *tables, const double *line, bool *made)
{
    const StickColumns *g = &tables->growth;
    size_t n = g->nrows;
    const double *t = tables->t;
    const StickPlotSeries amplitude[] = {{"mode", STICK_PLOT_LINE, n, t, tables->amplitude},
                                         {"all of the disturbance", STICK_PLOT_LINE, n, t, tables->largest},
                                         {"predicted", STICK_PLOT_REFERENCE, n, t, line}};
    const StickPlotSeries speed = {"change of sliding, relative", STICK_PLOT_LINE, n, t, tables->speed_ratio};
    const StickPlotSeries changed = {"contacts with another status", STICK_PLOT_LINE, n, t, tables->changed};
    const StickPlotPanel panel[] = {
        {g->name[stick_columns_find(g, "amplitude")], true, 3, amplitude},
        {"speed_ratio", true, 1, &speed},
        {"changed", false, 1, &changed},
    };
    char path[PATH_TEXT], title[512];
    snprintf(path, sizeof path, "%s/plots/%s-growth.svg", folder, step->name);
    snprintf(title, sizeof title, "%s: disturbance in %s", model->title ? model->title : model->file,
             step->name);
    StickPlot plot = {.title = title, .x_label = g->name[0], .npanels = 3, .panel = panel};
    return stick_plot_write(ctx, path, &plot, made);
}

StickStatus stick_growth_plot(StickContext *ctx, const StickModel *model, const char *folder,
                              const StickStepSpec *step, bool *made)
{
    Tables tables;
    STICK_TRY(load(ctx, folder, step, &tables));
    StickStatus status = STICK_OK;
    double *line = tables.rows > 1 ? stick_alloc(ctx, (size_t)tables.rows, sizeof *line) : NULL;
    if (line) {
        predict(&tables, line);
        status = draw(ctx, model, folder, step, &tables, line, made);
    } else if (tables.rows > 1) {
        status = STICK_NO_MEMORY;
    }
    stick_free(ctx, line);
    drop(ctx, &tables);
    return status;
}

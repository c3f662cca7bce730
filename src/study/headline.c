// SPDX-License-Identifier: Apache-2.0
#include "study/headline.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "base/pi.h"
#include "base/utf8.h"
#include "output/oscillation.h"
#include "output/stability_table.h"
#include "output/table.h"
#include "report/summary_tree.h"
#include "study/gear_results.h"
#include "study/motion_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_TEXT = 4096 };

// Bodies that move faster than this part of sqrt(g thickness) at the end may still fall.
static const double STILL_MOVING = 0.1;

typedef struct Source {
    StickContext *ctx; // quiet
    const char *folder;
    const StickSimulation *run;
    const StickModel *model;
} Source;

void stick_headline_print(StickHeadline *headline, const char *format, ...)
{
    size_t length = strlen(headline->text);
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(headline->text + length, sizeof headline->text - length, format, arguments);
    va_end(arguments);
    // a text that is cut ends with a whole character
    if (wanted > 0 && length + (size_t)wanted >= sizeof headline->text) {
        size_t most = sizeof headline->text - 4;
        size_t kept = stick_utf8_prefix(headline->text, strlen(headline->text), most);
        memcpy(headline->text + kept, "\xE2\x80\xA6", 4);
    }
}

// "12.3 N"
static void add_quantity(const Source *source, StickHeadline *headline, double value, StickQuantity quantity)
{
    char unit[STICK_UNIT_TEXT];
    stick_unit(&source->model->units, quantity, unit);
    stick_headline_print(headline, "%.4g%s%s", value, unit[0] ? " " : "", unit);
}

// ---- tables

static StickStatus load(const Source *source, const char *format, const char *name, StickColumns *columns)
{
    char file[512], path[PATH_TEXT];
    snprintf(file, sizeof file, format, name);
    snprintf(path, sizeof path, "%.3500s/%s", source->folder, file);
    *columns = (StickColumns){0};
    return stick_file_exists(path) ? stick_table_read(source->ctx, path, columns) : STICK_BAD_INPUT;
}

static double at(const StickColumns *columns, const char *name, int row)
{
    int k = stick_columns_find(columns, name);
    return k >= 0 && row >= 0 && row < (int)columns->nrows ? columns->column[k][row] : (double)NAN;
}

static int row_of_largest(const StickColumns *columns, const char *name)
{
    int found = -1, nrows = (int)columns->nrows;
    for (int row = 0; row < nrows; row++)
        if (!isnan(at(columns, name, row)) && !(at(columns, name, row) <= at(columns, name, found)))
            found = row;
    return found;
}

static int first_above(const StickColumns *columns, const char *name, double bound)
{
    int nrows = (int)columns->nrows;
    for (int row = 0; row < nrows; row++)
        if (at(columns, name, row) > bound)
            return row;
    return -1;
}

static int count_of(const StickColumns *columns, const char *name, double value)
{
    int count = 0, nrows = (int)columns->nrows;
    for (int row = 0; row < nrows; row++)
        count += at(columns, name, row) == value;
    return count;
}

// ---- stability: the mode that grows most in all stability steps, or that none does

typedef struct Worst {
    const StickStepSpec *step;
    int states, undecided, possible; // of all steps
    double growth, frequency;
    double where; // time, or value of the parameter
    int branch;   // 0: the step does not vary a parameter
    double onset, onset_frequency;
} Worst;

static bool has_mass(const StickStepSpec *step)
{
    return step->stability.mass != STICK_MASS_UNIT;
}

static StickStatus see_step(const Source *source, const StickStepSpec *step, Worst *worst)
{
    bool varies = step->stability.vary.parameter != NULL;
    StickColumns states, modes = {0}, events = {0};
    STICK_TRY(load(source, "history/%.400s.csv", step->name, &states));
    worst->states += (int)states.nrows;
    worst->undecided += count_of(&states, "verdict", STICK_VERDICT_UNDECIDED);
    worst->possible += count_of(&states, "verdict", STICK_VERDICT_DIVERGENCE_POSSIBLE);
    int row = row_of_largest(&states, "growth");
    double growth = at(&states, "growth", row);
    if (row >= 0 && (!worst->step || growth > worst->growth)) {
        int first = first_above(&states, "growth", 0);
        *worst = (Worst){step,
                         worst->states,
                         worst->undecided,
                         worst->possible,
                         growth,
                         at(&states, "growth_frequency", row),
                         at(&states, varies ? STICK_SWEEP_VALUE : "t", row),
                         0,
                         at(&states, varies ? STICK_SWEEP_VALUE : "t", first),
                         at(&states, "growth_frequency", first)};
        if (varies && load(source, "stability/%.400s/sweep.csv", step->name, &modes) == STICK_OK) {
            int mode = row_of_largest(&modes, "growth");
            if (at(&modes, "growth", mode) >= growth && growth > 0) {
                worst->growth = at(&modes, "growth", mode);
                worst->frequency = at(&modes, "frequency", mode);
                worst->where = at(&modes, STICK_SWEEP_VALUE, mode);
                worst->branch = (int)at(&modes, "branch", mode);
            }
        }
        if (varies && load(source, "stability/%.400s/coalescence.csv", step->name, &events) == STICK_OK) {
            int onset = first_above(&events, "growth_change", 0);
            worst->onset = onset >= 0 ? at(&events, STICK_SWEEP_VALUE, onset) : worst->onset;
            worst->onset_frequency = onset >= 0 ? at(&events, "frequency", onset) : worst->onset_frequency;
        }
    }
    stick_columns_destroy(source->ctx, &events);
    stick_columns_destroy(source->ctx, &modes);
    stick_columns_destroy(source->ctx, &states);
    return STICK_OK;
}

static void add_stable(const Worst *worst, const char *unit, StickHeadline *headline)
{
    const StickStabilitySpec *spec = &worst->step->stability;
    int known = worst->states - worst->undecided;
    if (known == 0) {
        stick_headline_print(headline, "Undecided: the stability of no state could be decided");
        return;
    }
    stick_headline_print(headline,
                         worst->possible > 0 ? "No mode grows in %d judged state%s"
                                             : "Stable: no mode grows in %d judged state%s",
                         known, known == 1 ? "" : "s");
    if (spec->highest > 0)
        stick_headline_print(headline, " (modes up to %.6g%s)", spec->highest, unit);
    if (worst->growth < 0)
        stick_headline_print(headline, "; the slowest decay is %.4g at %.6g%s", worst->growth,
                             worst->frequency, unit);
    if (worst->possible > 0)
        stick_headline_print(headline, "; divergence cannot be ruled out in %d", worst->possible);
    if (worst->undecided > 0)
        stick_headline_print(headline, "; %d undecided", worst->undecided);
}

static void add_unstable(const Source *source, const Worst *worst, const char *unit, StickHeadline *headline)
{
    const StickStepSpec *step = worst->step;
    const char *parameter = step->stability.vary.parameter, *time = source->model->units.time;
    char where[STICK_UNIT_TEXT + 8] = "";
    if (!parameter)
        snprintf(where, sizeof where, " %s", time ? time : "");
    stick_headline_print(headline, "Unstable: %s ",
                         worst->frequency > 0 ? "growth rate" : "divergence with growth rate");
    if (has_mass(step))
        add_quantity(source, headline, worst->growth, STICK_RATE);
    else
        stick_headline_print(headline, "%.4g", worst->growth);
    if (worst->frequency > 0)
        stick_headline_print(headline, " at %.5g%s (damping ratio %.3g)", worst->frequency, unit,
                             -worst->growth / (STICK_PI * worst->frequency));
    stick_headline_print(headline, ", %s = %.5g%s", parameter ? parameter : "t", worst->where, where);
    if (worst->branch > 0)
        stick_headline_print(headline, ", branch %d", worst->branch);
    if (isfinite(worst->onset) && worst->onset != worst->where) {
        stick_headline_print(headline, "; unstable from %s = %.5g%s", parameter ? parameter : "t",
                             worst->onset, where);
        if (worst->onset_frequency > 0)
            stick_headline_print(headline, " (%.5g%s)", worst->onset_frequency, unit);
    }
}

static StickStatus tell_stability(const Source *source, StickHeadline *headline)
{
    const StickModel *model = source->model;
    Worst worst = {0};
    // eigenvalues without mass are no rates: they count where there are no others
    for (int massless = 0; massless < 2 && !worst.step; massless++)
        for (int k = 0; k < model->nsteps; k++)
            if (model->step[k].kind == STICK_STEP_STABILITY && has_mass(&model->step[k]) == !massless) {
                StickStatus status = see_step(source, &model->step[k], &worst);
                if (status == STICK_NO_MEMORY)
                    return status;
            }
    if (!worst.step)
        return STICK_OK;
    char unit[STICK_FREQUENCY_TEXT] = "";
    if (has_mass(worst.step))
        stick_frequency_unit(&model->units, unit);
    headline->value = worst.growth;
    headline->alarm = worst.growth > 0;
    if (headline->alarm)
        add_unstable(source, &worst, unit, headline);
    else
        add_stable(&worst, unit, headline);
    return STICK_OK;
}

// ---- gears: the pair with the largest transmission error

static StickStatus tell_gears(const Source *source, StickHeadline *headline)
{
    const StickModel *model = source->model;
    double largest = -INFINITY, mean = NAN;
    const char *name = NULL;
    for (int k = 0; k < model->ngears; k++) {
        double value[STICK_GEAR_NUMBERS];
        if (!stick_gear_is_there(source->folder, &model->gears[k]))
            continue;
        STICK_TRY(stick_gear_numbers(source->ctx, source->folder, &model->gears[k], value));
        if (value[STICK_GEAR_ERROR_PEAK_TO_PEAK] > largest) {
            largest = value[STICK_GEAR_ERROR_PEAK_TO_PEAK];
            mean = value[STICK_GEAR_ERROR_MEAN];
            name = model->gears[k].name;
        }
    }
    if (!name)
        return STICK_OK;
    headline->value = largest;
    stick_headline_print(headline, "Transmission error ");
    add_quantity(source, headline, largest, STICK_LENGTH);
    stick_headline_print(headline, " peak to peak, mean ");
    add_quantity(source, headline, mean, STICK_LENGTH);
    if (model->ngears > 1)
        stick_headline_print(headline, " ('%s', the largest of %d pairs)", name, model->ngears);
    return STICK_OK;
}

// ---- structures of rigid bodies: collapse or not

static const char *body_name(const StickModel *model, double number)
{
    return number >= 0 && number < model->nbodies ? model->body[(int)number].name : "?";
}

// What is left of rounding, not motion: tilts (rad), and displacements by the size that they are compared with.
static const double NO_MOTION = 1e-9;

// The largest tilt and displacement of a row.
static void add_motions(const Source *source, const StickColumns *table, int row, StickHeadline *headline)
{
    const StickModel *model = source->model;
    bool tilts = at(table, "tilt", row) > NO_MOTION,
         moves = at(table, "displacement_relative", row) > NO_MOTION;
    if (!tilts && !moves) {
        stick_headline_print(headline, "nothing moved (tilts below %g rad, relative displacements below %g)",
                             NO_MOTION, NO_MOTION);
        return;
    }
    if (tilts)
        stick_headline_print(headline, "largest tilt %.3g\xC2\xB0 (%s), ",
                             at(table, "tilt", row) * 180 / STICK_PI,
                             body_name(model, at(table, "tilt_body", row)));
    else
        stick_headline_print(headline, "tilts below %g rad, ", NO_MOTION);
    if (!moves) {
        stick_headline_print(headline, "relative displacements below %g", NO_MOTION);
        return;
    }
    stick_headline_print(headline, "largest displacement ");
    add_quantity(source, headline, at(table, "displacement", row), STICK_LENGTH);
    stick_headline_print(headline, " (%s)", body_name(model, at(table, "displacement_body", row)));
}

static StickStatus tell_collapse(const Source *source, StickHeadline *headline)
{
    const StickModel *model = source->model;
    StickColumns table;
    STICK_TRY(load(source, "history/%s.csv", stick_book_name(STICK_COLLAPSE), &table));
    int last = (int)table.nrows - 1, first = first_above(&table, "fallen", 0);
    double bodies = at(&table, "bodies", last), fallen = at(&table, "fallen", last);
    const char *time = model->units.time ? model->units.time : "";
    if (bodies > 0) {
        double moved = at(&table, "displacement_relative", last);
        headline->value = fallen > 0 ? fallen : moved / (1 + moved); // below 1 where none has fallen
        headline->alarm = fallen > 0;
        if (fallen > 0) {
            stick_headline_print(
                headline, "Collapse: %.0f of %.0f bodies fell, the first (%s) at t = %.4g %s", fallen, bodies,
                body_name(model, at(&table, "fallen_body", first)), at(&table, "t", first), time);
        } else {
            stick_headline_print(headline, "No collapse by t = %.4g %s: ", at(&table, "t", last), time);
            add_motions(source, &table, last, headline);
        }
        if (at(&table, "speed_relative", last) > STILL_MOVING) {
            stick_headline_print(headline, "; still moving at ");
            add_quantity(source, headline, at(&table, "speed", last), STICK_VELOCITY);
        }
    }
    stick_columns_destroy(source->ctx, &table);
    return STICK_OK;
}

// ---- motions that are analysed: limit cycles

// Of the values of a signal, by the header of its spectrum.
static void add_signal_unit(const Source *source, const char *name, StickHeadline *headline)
{
    StickColumns table;
    if (load(source, "motion/%.400s/spectrum.csv", name, &table) != STICK_OK)
        return;
    const char *label = table.ncolumns > 1 ? strrchr(table.name[1], '[') : NULL;
    if (label)
        stick_headline_print(headline, " %.*s", (int)strcspn(label + 1, "]"), label + 1);
    stick_columns_destroy(source->ctx, &table);
}

static StickStatus tell_motion(const Source *source, StickHeadline *headline)
{
    double value[STICK_MOTION_NUMBERS];
    char unit[STICK_FREQUENCY_TEXT];
    StickTold told;
    stick_frequency_unit(&source->model->units, unit);
    for (int k = 0; stick_told_at(source->model, k, &told); k++) {
        if (!stick_motion_exists(source->folder, told.name, "numbers.csv"))
            continue;
        STICK_TRY(stick_motion_numbers(source->ctx, source->folder, told.name, value));
        headline->value = value[STICK_NUMBER_DOMINANT];
        stick_headline_print(headline, "%s: %s", told.name,
                             stick_motion_word((StickMotionKind)value[STICK_NUMBER_MOTION]));
        if (!isnan(value[STICK_NUMBER_FREQUENCY])) {
            stick_headline_print(headline, ", mainly %.5g%s with amplitude %.4g",
                                 value[STICK_NUMBER_FREQUENCY], unit, value[STICK_NUMBER_DOMINANT]);
            add_signal_unit(source, told.name, headline);
        }
        return STICK_OK;
    }
    return STICK_OK;
}

// ---- quasistatics: jumps of the path, and the force at its end

static const StickStepSpec *last_motion(const StickModel *model)
{
    for (int k = model->nsteps - 1; k >= 0; k--)
        if (model->step[k].kind != STICK_STEP_STABILITY)
            return &model->step[k];
    return NULL;
}

static bool has_contact(const StickModel *model)
{
    return model->ncontacts > 0 || model->nrules > 0 || model->nmatings > 0;
}

// The first history of the model, or the first that is a force: its value at the end, with its unit.
static StickStatus add_final_history(const Source *source, bool forces, StickHeadline *headline, bool *found)
{
    const StickModel *model = source->model;
    const char *force = model->units.force ? model->units.force : "";
    *found = false;
    for (int k = 0; k < model->output.nhistories && !*found; k++) {
        const StickHistorySpec *history = &model->output.history[k];
        StickColumns table;
        if (!stick_history_is_single(history))
            continue;
        StickStatus status = load(source, "history/%.400s.csv", history->name, &table);
        if (status == STICK_NO_MEMORY)
            return status;
        if (status != STICK_OK)
            continue;
        const char *unit = table.ncolumns > 1 ? strrchr(table.name[1], '[') : NULL;
        int length = unit ? (int)strcspn(++unit, "]") : 0;
        bool is_force =
            length > 0 && (int)strlen(force) == length && strncmp(unit, force, (size_t)length) == 0;
        *found = table.ncolumns > 1 && table.nrows > 0 && (is_force || !forces);
        if (*found) {
            headline->value = fabs(table.column[1][table.nrows - 1]);
            stick_headline_print(headline, "%s %.5g%s%.*s", history->name, table.column[1][table.nrows - 1],
                                 length > 0 ? " " : "", length, length > 0 ? unit : "");
        }
        stick_columns_destroy(source->ctx, &table);
        if (is_force)
            return STICK_OK;
    }
    return STICK_OK;
}

static StickStatus add_contact_force(const Source *source, StickHeadline *headline)
{
    StickColumns contact;
    STICK_TRY(load(source, "history/%s.csv", "contact", &contact));
    headline->value = at(&contact, "normal_force", (int)contact.nrows - 1);
    stick_headline_print(headline, "normal contact force ");
    add_quantity(source, headline, headline->value, STICK_FORCE);
    stick_columns_destroy(source->ctx, &contact);
    return STICK_OK;
}

static void add_end(const Source *source, StickHeadline *headline)
{
    const char *time = source->model->units.time ? source->model->units.time : "";
    stick_headline_print(headline, "At the end (t = %.5g %s): ", source->run->state.now.t, time);
}

static StickStatus tell_path(const Source *source, StickHeadline *headline)
{
    const StickStepSpec *step = last_motion(source->model);
    const StickStatistics *record = &source->run->record;
    const char *time = source->model->units.time ? source->model->units.time : "";
    if (!step || (step->kind != STICK_STEP_QUASISTATIC && step->kind != STICK_STEP_SLIDING))
        return STICK_OK;
    if (record->jumps > 0) {
        headline->alarm = true;
        stick_headline_print(headline, "Jump at t = %.5g %s", record->jump_time, time);
        if (record->jumps > 1)
            stick_headline_print(headline, " (the last of %.0f)", record->jumps);
        stick_headline_print(headline, "; ");
    }
    StickHeadline end = *headline;
    bool found;
    add_end(source, &end);
    STICK_TRY(add_final_history(source, true, &end, &found));
    if (!found && has_contact(source->model))
        STICK_TRY(add_contact_force(source, &end));
    if (found || has_contact(source->model))
        *headline = end;
    else if (record->jumps > 0)
        headline->text[strlen(headline->text) - 2] = '\0';
    return STICK_OK;
}

// ---- models without contact: the first history

static StickStatus tell_history(const Source *source, StickHeadline *headline)
{
    StickHeadline end = *headline;
    bool found;
    if (has_contact(source->model) || !last_motion(source->model))
        return STICK_OK;
    add_end(source, &end);
    STICK_TRY(add_final_history(source, false, &end, &found));
    if (found)
        *headline = end;
    return STICK_OK;
}

// ---- all else with contact: its largest force. Impacts of rigid bodies have impulses, no forces.

static StickStatus tell_contact(const Source *source, StickHeadline *headline)
{
    const StickStepSpec *step = last_motion(source->model);
    const char *time = source->model->units.time ? source->model->units.time : "";
    StickColumns table;
    if (!step || !has_contact(source->model))
        return STICK_OK;
    bool rigid = step->kind == STICK_STEP_DYNAMICS && source->run->system->nrigid > 0;
    STICK_TRY(load(source, "history/%s.csv", "contact", &table));
    int row = row_of_largest(&table, "normal_force");
    double largest = at(&table, "normal_force", row);
    if (largest > 0) {
        headline->value = rigid ? largest * step->step : largest;
        stick_headline_print(headline, rigid ? "Largest contact impulse " : "Peak contact force ");
        add_quantity(source, headline, headline->value, rigid ? STICK_IMPULSE : STICK_FORCE);
        stick_headline_print(headline, rigid ? " in the time step to t = %.5g %s" : " at t = %.5g %s",
                             at(&table, "t", row), time);
    } else {
        headline->value = 0;
        stick_headline_print(headline, "No contact by t = %.5g %s", source->run->state.now.t, time);
    }
    stick_columns_destroy(source->ctx, &table);
    return STICK_OK;
}

// ---- all of them

// The first one that has something to say is the headline.
static const struct Topic {
    const char *about;
    StickStatus (*tell)(const Source *source, StickHeadline *headline);
    const char *counted; // of the cases of a study in which it is alarming: "Unstable in 2 of 4 cases"
} topics[] = {
    {"stability", tell_stability, "Unstable"},
    {"gears", tell_gears, NULL},
    {"collapse", tell_collapse, "Collapse"},
    {"motion", tell_motion, NULL},
    {"path", tell_path, "A jump"},
    {"history", tell_history, NULL},
    {"contact", tell_contact, NULL},
};
enum { TOPICS = sizeof topics / sizeof *topics };

StickStatus stick_headline_find(StickContext *ctx, const char *folder, const StickSimulation *run, bool ended,
                                StickHeadline *headline)
{
    Source source = {stick_diagnostic_filter_create(ctx), folder, run, run->system->model};
    StickStatus status = source.ctx ? STICK_OK : STICK_NO_MEMORY;
    *headline = (StickHeadline){0};
    for (int k = 0; k < TOPICS && status == STICK_OK && !headline->about; k++) {
        if (!ended && topics[k].tell != tell_stability)
            continue;
        *headline = (StickHeadline){.value = NAN};
        StickStatus told = topics[k].tell(&source, headline);
        if (told == STICK_NO_MEMORY)
            status = told;
        else if (told == STICK_OK && headline->text[0])
            headline->about = topics[k].about;
    }
    stick_context_destroy(source.ctx);
    return status;
}

void stick_headline_add(StickJson *json, const StickHeadline *headline)
{
    if (!headline->about)
        return;
    stick_json_key(json, "headline");
    stick_json_object(json);
    stick_json_add_text(json, "about", headline->about);
    stick_json_add_text(json, "text", headline->text);
    stick_json_add_number(json, "value", headline->value);
    stick_json_add_bool(json, "alarm", headline->alarm);
    stick_json_end_object(json);
}

void stick_headline_read(const StickYaml *summary, StickHeadline *headline)
{
    const StickYaml *found = stick_summary_find(summary, "headline");
    const char *about = stick_summary_text(found, "about"), *text = stick_summary_text(found, "text");
    *headline = (StickHeadline){.value = NAN};
    for (int k = 0; about && text && k < TOPICS; k++) {
        if (strcmp(about, topics[k].about) != 0)
            continue;
        headline->about = topics[k].about;
        headline->value = stick_summary_number(found, "value");
        headline->alarm = stick_summary_true(found, "alarm");
        stick_headline_print(headline, "%s", text);
    }
}

// Of cases with different topics, the topic of the first.
void stick_headline_gather(const StickNamedHeadline *one, int count, StickHeadline *all)
{
    const StickNamedHeadline *most = NULL;
    int topic = 0, told = 0, alarms = 0;
    *all = (StickHeadline){.value = NAN};
    for (int k = 0; k < count; k++) {
        if (!one[k].headline.about || (most && one[k].headline.about != most->headline.about))
            continue;
        told++;
        alarms += one[k].headline.alarm;
        if (!most || one[k].headline.value > most->headline.value || isnan(most->headline.value))
            most = &one[k];
    }
    if (!most)
        return;
    while (topics[topic].about != most->headline.about)
        topic++;
    all->about = most->headline.about;
    all->value = most->headline.value;
    all->alarm = alarms > 0;
    if (topics[topic].counted)
        stick_headline_print(all, "%s in %d of %d case%s; ", topics[topic].counted, alarms, told,
                             told == 1 ? "" : "s");
    stick_headline_print(all, "%s '%s': %s",
                         told == 1               ? "case"
                         : topics[topic].counted ? "worst in"
                                                 : "largest in",
                         most->name, most->headline.text);
    if (all->text[0] >= 'a' && all->text[0] <= 'z')
        all->text[0] = (char)(all->text[0] - 'a' + 'A');
}

// SPDX-License-Identifier: Apache-2.0
#include "output/stability_table.h"

#include <complex.h>
#include <math.h>

typedef struct Column {
    const char *name;
    StickQuantity quantity;
} Column;

// Without mass there is no time: eigenvalues are stiffnesses.
static StickQuantity quantity_of(const Column *column, const StickStepSpec *step)
{
    if (step->stability.mass != STICK_MASS_UNIT)
        return column->quantity;
    if (column->quantity == STICK_RATE_SQUARE)
        return STICK_STIFFNESS;
    return column->quantity == STICK_RATE ? STICK_NO_UNIT : column->quantity;
}

static void add_columns(StickBook *book, const StickSystem *system, const StickStepSpec *step,
                        const Column *column, size_t count)
{
    for (size_t k = 0; k < count; k++)
        stick_book_add(book, system, column[k].name, quantity_of(&column[k], step));
}

// ---- statuses

void stick_stability_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step)
{
    static const Column columns[] = {
        {"t", STICK_TIME},
        {STICK_STABILITY_END, STICK_TIME},
        {STICK_STABILITY_STICKING, STICK_NO_UNIT},
        {STICK_STABILITY_SLIPPING, STICK_NO_UNIT},
        {STICK_STABILITY_APART, STICK_NO_UNIT},
        {"tangential_force", STICK_FORCE},
        {"tangential_force_end", STICK_FORCE},
        {"stiffness", STICK_STIFFNESS},
        {"stiffness_contradictions", STICK_NO_UNIT},
        {"compatible_stiffness", STICK_STIFFNESS},
        {"least_real", STICK_RATE_SQUARE},
        {"first_flutter_mode", STICK_NO_UNIT},
        {"first_flutter_frequency", STICK_RATE},
        {"first_flutter_growth", STICK_RATE},
        {"fluttering", STICK_NO_UNIT},
        {"diverging", STICK_NO_UNIT},
        {"growth", STICK_RATE},
        {"growth_frequency", STICK_RATE},
        {"irregular", STICK_NO_UNIT},
        {"verdict", STICK_NO_UNIT},
        {"proposition", STICK_NO_UNIT},
    };
    static const Column value = {STICK_SWEEP_VALUE, STICK_NO_UNIT};
    *book = (StickBook){.name = step->name};
    if (step->stability.vary.parameter)
        add_columns(book, system, step, &value, 1);
    add_columns(book, system, step, columns, sizeof columns / sizeof *columns);
}

double stick_stability_growth(const StickStability *stability, const StickMode **mode)
{
    const StickSpectrum *spectrum = &stability->spectrum;
    *mode = NULL;
    for (int k = 0; k < spectrum->count; k++)
        if (!*mode || spectrum->mode[k].growth > (*mode)->growth)
            *mode = &spectrum->mode[k];
    if (stability->strongest < 0 && spectrum->damping == STICK_DAMPING_NONE)
        *mode = NULL; // rounding
    return *mode ? (*mode)->growth : 0;
}

// The proposition of [RBV02] that says most: unstable for ever, divergence, flutter, no divergence.
static int proposition_of(const StickPathStatusRecord *status, const StickStability *s)
{
    if (s->verdict == STICK_VERDICT_UNDECIDED || s->verdict == STICK_VERDICT_DIVERGENCE_POSSIBLE)
        return 0;
    if (s->verdict == STICK_VERDICT_NO_GROWTH)
        return 4;
    if (status->steady > 0)
        return 3;
    return s->divergence >= 0 ? 1 : 2;
}

void stick_stability_book_fill(StickBook *book, const StickPathStatusRecord *status, const StickStability *s)
{
    const StickMode *first = s->flutter >= 0 ? &s->spectrum.mode[s->flutter] : NULL, *most;
    double growth = stick_stability_growth(s, &most);
    const double row[] = {
        status->begin,
        status->end,
        s->reduced.stuck,
        s->reduced.slipping,
        s->reduced.open,
        status->force_begin,
        status->force_end,
        s->smallest,
        s->smallest_violations,
        s->minimum.value,
        isfinite(s->smallest_real) ? s->smallest_real : NAN,
        first ? first->number : 0,
        first ? first->frequency : NAN,
        first ? first->growth : NAN,
        s->fluttering,
        s->divergence >= 0 ? s->diverging : 0,
        growth,
        most ? most->frequency : NAN,
        s->irregular.grazing + s->irregular.at_rest,
        s->verdict,
        proposition_of(status, s),
    };
    size_t count = sizeof row / sizeof *row, shift = (size_t)book->ncolumns - count;
    for (size_t k = 0; k < count; k++)
        book->row[shift + k] = row[k];
}

// ---- spectra and sweeps

enum { MODE_COLUMNS = 6 };

// What both say of a mode.
static const Column mode_columns[MODE_COLUMNS] = {
    {"mode", STICK_NO_UNIT}, {"Lambda.real", STICK_RATE_SQUARE}, {"Lambda.imaginary", STICK_RATE_SQUARE},
    {"growth", STICK_RATE},  {"frequency", STICK_RATE},          {"kind", STICK_NO_UNIT},
};

static void fill_row(StickBook *book, const double before[2], const StickMode *mode, double behind)
{
    const double row[2 + MODE_COLUMNS + 1] = {before[0],           before[1],           mode->number,
                                              creal(mode->Lambda), cimag(mode->Lambda), mode->growth,
                                              mode->frequency,     mode->kind,          behind};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        book->row[k] = row[k];
}

void stick_spectrum_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step)
{
    static const Column before[] = {{"t", STICK_TIME}, {"status", STICK_NO_UNIT}},
                        behind = {"residual", STICK_NO_UNIT};
    *book = (StickBook){.name = "spectrum"};
    add_columns(book, system, step, before, 2);
    add_columns(book, system, step, mode_columns, MODE_COLUMNS);
    add_columns(book, system, step, &behind, 1);
}

void stick_spectrum_book_fill(StickBook *book, double t, int number, const StickMode *mode)
{
    fill_row(book, (double[]){t, number}, mode, mode->residual);
}

void stick_sweep_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step)
{
    static const Column before[] = {{STICK_SWEEP_VALUE, STICK_NO_UNIT}, {"branch", STICK_NO_UNIT}},
                        behind = {"mac", STICK_NO_UNIT};
    *book = (StickBook){.name = "sweep"};
    add_columns(book, system, step, before, 2);
    add_columns(book, system, step, mode_columns, MODE_COLUMNS);
    add_columns(book, system, step, &behind, 1);
}

void stick_sweep_book_fill(StickBook *book, double value, int branch, const StickMode *mode, double mac)
{
    fill_row(book, (double[]){value, branch}, mode, mac);
}

void stick_coalescence_book_init(StickBook *book, const StickSystem *system, const StickStepSpec *step)
{
    static const Column columns[] = {
        {STICK_SWEEP_VALUE, STICK_NO_UNIT}, {"frequency", STICK_RATE},      {"branch", STICK_NO_UNIT},
        {"partner", STICK_NO_UNIT},         {"kind", STICK_NO_UNIT},        {"change", STICK_NO_UNIT},
        {"growth_change", STICK_NO_UNIT},   {"sticking", STICK_NO_UNIT},    {"slipping", STICK_NO_UNIT},
        {"apart", STICK_NO_UNIT},           {"uncertainty", STICK_NO_UNIT},
    };
    *book = (StickBook){.name = "coalescence"};
    add_columns(book, system, step, columns, sizeof columns / sizeof *columns);
}

void stick_coalescence_book_fill(StickBook *book, const StickSweepEvent *event)
{
    const double row[] = {event->value,    event->frequency, event->branch,        event->partner,
                          event->kind,     event->change,    event->growth_change, event->sticking,
                          event->slipping, event->apart,     event->uncertainty};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        book->row[k] = row[k];
}

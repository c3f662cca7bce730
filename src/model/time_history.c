// SPDX-License-Identifier: Apache-2.0
#include "model/time_history.h"

#include "base/check.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELD = 256, COLUMNS_TEXT = 512 };

// Errors of the table as a whole are reported at its place in the model file.
#define NEED(table, condition, ...)                                                                  \
    do {                                                                                             \
        if (!(condition))                                                                            \
            return stick_fail_at((table)->ctx, STICK_BAD_INPUT, (table)->source->mark, __VA_ARGS__); \
    } while (0)

// ---- baseline

// s - (c + d (t - t0))
static void take_off(StickTimeHistory *record, double c, double d)
{
    for (int k = 0; k < record->count; k++)
        record->sample[k] -= c + d * (record->t[k] - record->t[0]);
}

// Integrals of the samples, linear in between, and of the samples times the time since the start: exact by Simpson's rule.
static void moments(const StickTimeHistory *record, double *zeroth, double *first)
{
    const double *t = record->t, *s = record->sample;
    *zeroth = *first = 0;
    for (int k = 0; k + 1 < record->count; k++) {
        double h = t[k + 1] - t[k], a = t[k] - t[0], b = t[k + 1] - t[0];
        *zeroth += h / 2 * (s[k] + s[k + 1]);
        *first += h / 6 * (a * s[k] + (a + b) * (s[k] + s[k + 1]) + b * s[k + 1]);
    }
}

static void correct(StickTimeHistory *record, StickBaseline baseline)
{
    double T = record->t[record->count - 1] - record->t[0], zeroth, first, d;
    moments(record, &zeroth, &first);
    switch (baseline) {
    case STICK_BASELINE_NONE:
        return;
    case STICK_BASELINE_MEAN:
        take_off(record, zeroth / T, 0);
        return;
    case STICK_BASELINE_LINEAR:
        // c T + d T^2/2 = zeroth, c T^2/2 + d T^3/3 = first
        d = 12 / (T * T * T) * (first - zeroth * T / 2);
        take_off(record, zeroth / T - d * T / 2, d);
        return;
    }
}

// ---- motion

static void integrate(StickTimeHistory *record)
{
    const double *t = record->t, *s = record->sample;
    double *v = record->velocity, *x = record->displacement;
    for (int k = 0; k + 1 < record->count; k++) {
        double h = t[k + 1] - t[k];
        if (record->kind == STICK_TIME_HISTORY_ACCELERATION) {
            v[k + 1] = v[k] + h / 2 * (s[k] + s[k + 1]);
            x[k + 1] = x[k] + h * v[k] + h * h / 6 * (2 * s[k] + s[k + 1]);
        } else if (record->kind == STICK_TIME_HISTORY_VELOCITY) {
            x[k + 1] = x[k] + h / 2 * (s[k] + s[k + 1]);
        } else {
            x[k + 1] = s[k + 1] - s[0];
        }
    }
}

// Natural spline: h0 m0 + 2 (h0 + h1) m1 + h1 m2 = 6 (slope after - slope before), m = 0 at both ends.
static StickStatus bend(StickArena *arena, StickTimeHistory *record)
{
    int last = record->count - 1;
    const double *t = record->t, *s = record->sample;
    double *m, *upper;
    STICK_TAKE(arena, m, record->count);
    STICK_TAKE(arena, upper, record->count);
    for (int k = 1; k < last; k++) {
        double before = t[k] - t[k - 1], after = t[k + 1] - t[k];
        double pivot = 2 * (before + after) - before * upper[k - 1];
        double right = 6 * ((s[k + 1] - s[k]) / after - (s[k] - s[k - 1]) / before);
        upper[k] = after / pivot;
        m[k] = (right - before * m[k - 1]) / pivot;
    }
    for (int k = last - 1; k > 0; k--)
        m[k] -= upper[k] * m[k + 1];
    record->bend = m;
    return STICK_OK;
}

// The last sample at or before t; t must not be before the first one.
static int find_sample(const StickTimeHistory *record, double t)
{
    int low = 0, high = record->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (record->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static StickTimeHistoryState behind_the_end(const StickTimeHistory *record, double t)
{
    int last = record->count - 1;
    double v = record->kind == STICK_TIME_HISTORY_ACCELERATION ? record->velocity[last] : 0;
    return (StickTimeHistoryState){.displacement = record->displacement[last] + v * (t - record->t[last]),
                                   .velocity = v};
}

StickTimeHistoryState stick_time_history_at(const StickTimeHistory *record, double t)
{
    if (t < record->t[0])
        return (StickTimeHistoryState){.displacement = 0};
    if (t >= record->t[record->count - 1])
        return behind_the_end(record, t);
    int k = find_sample(record, t);
    const double *s = record->sample + k;
    double h = record->t[k + 1] - record->t[k], tau = t - record->t[k], slope = (s[1] - s[0]) / h;
    double x = record->displacement[k], now = s[0] + slope * tau;
    switch (record->kind) {
    case STICK_TIME_HISTORY_ACCELERATION: {
        double v = record->velocity[k];
        return (StickTimeHistoryState){.displacement = x + tau * (v + tau * (s[0] / 2 + slope * tau / 6)),
                                       .velocity = v + tau * (s[0] + slope * tau / 2),
                                       .acceleration = now};
    }
    case STICK_TIME_HISTORY_VELOCITY:
        return (StickTimeHistoryState){
            .displacement = x + tau * (s[0] + slope * tau / 2), .velocity = now, .acceleration = slope};
    case STICK_TIME_HISTORY_DISPLACEMENT:
        break;
    }
    if (!record->bend)
        return (StickTimeHistoryState){.displacement = x + slope * tau, .velocity = slope};
    const double *m = record->bend + k;
    double b = slope - h / 6 * (2 * m[0] + m[1]), c = (m[1] - m[0]) / h;
    return (StickTimeHistoryState){.displacement = x + tau * (b + tau * (m[0] / 2 + tau * c / 6)),
                                   .velocity = b + tau * (m[0] + tau * c / 2),
                                   .acceleration = m[0] + tau * c};
}

StickStatus stick_time_history_create(StickArena *arena, const double *t, const double *sample, int count,
                                      const StickTimeHistoryOptions *options, StickTimeHistory **record)
{
    STICK_CHECK(arena->ctx, count >= 2, STICK_BAD_INPUT, "a record has %d samples, but needs at least 2",
                count);
    StickTimeHistory *made;
    STICK_TAKE(arena, made, 1);
    made->kind = options->kind;
    made->count = count;
    STICK_TAKE(arena, made->t, count);
    STICK_TAKE(arena, made->sample, count);
    STICK_TAKE(arena, made->displacement, count);
    STICK_TAKE(arena, made->velocity, count);
    for (int k = 0; k < count; k++) {
        made->t[k] = t[k] + options->start;
        made->sample[k] = options->scale * sample[k];
    }
    correct(made, options->baseline);
    integrate(made);
    if (made->kind == STICK_TIME_HISTORY_DISPLACEMENT && !options->straight)
        STICK_TRY(bend(arena, made));
    *record = made;
    return STICK_OK;
}

// ---- tables

typedef struct Table {
    StickContext *ctx;
    const StickTimeHistorySource *source;
    const StickTimeHistoryOptions *options;
    const char *at; // rest of the text
    const char *end;
    int line;
    char separator; // ' ': any blanks
    int time_column, column, ncolumns;
    double *t, *sample;
    size_t count, t_capacity, sample_capacity;
} Table;

// One line without its line end; false after the last one. Skips empty lines and comments.
static bool next_line(Table *table, const char **line, size_t *length)
{
    while (table->at < table->end) {
        const char *start = table->at, *stop = memchr(start, '\n', (size_t)(table->end - start));
        size_t count = (size_t)((stop ? stop : table->end) - start);
        table->at = stop ? stop + 1 : table->end;
        table->line++;
        while (count > 0 && strchr(" \t\r", start[count - 1]))
            count--;
        while (count > 0 && strchr(" \t", start[0]))
            start++, count--;
        if (count == 0 || start[0] == '#')
            continue;
        *line = start;
        *length = count;
        return true;
    }
    return false;
}

// The separator must also occur in the next line, because units may contain others, as "a [m/s2; filtered]". If there
// are semicolons, commas are decimal commas, which are an error.
static char separator_of(const Table *table, const char *line, size_t length)
{
    static const char candidates[] = ";,\t";
    Table ahead = *table;
    const char *next = line;
    size_t next_length = length;
    (void)next_line(&ahead, &next, &next_length);
    for (const char *c = candidates; *c; c++)
        if (memchr(line, *c, length) && memchr(next, *c, next_length))
            return *c;
    for (const char *c = candidates; *c; c++)
        if (memchr(line, *c, length))
            return *c;
    return ' ';
}

// The next field of a line, without surrounding blanks and quotes; false after the last one.
static bool next_field(const Table *table, const char **at, const char *end, char field[MOST_FIELD])
{
    if (*at > end)
        return false;
    const char *start = *at, *stop = start;
    while (stop < end && *stop != table->separator && !(table->separator == ' ' && *stop == '\t'))
        stop++;
    *at = stop + 1;
    while (table->separator == ' ' && *at < end && (**at == ' ' || **at == '\t'))
        (*at)++;
    while (start < stop && strchr(" \t\"", *start))
        start++;
    while (stop > start && strchr(" \t\"", stop[-1]))
        stop--;
    size_t length = (size_t)(stop - start) < MOST_FIELD - 1 ? (size_t)(stop - start) : MOST_FIELD - 1;
    memcpy(field, start, length);
    field[length] = '\0';
    return true;
}

static StickMark mark_of(const Table *table)
{
    return (StickMark){table->source->file, table->line, 1};
}

// ---- columns

// Column by its number, from 1 on.
static int numbered(const Table *table, const char *name)
{
    double number;
    return stick_parse_number(name, &number) && number == floor(number) && number >= 1 &&
                   number <= table->ncolumns
               ? (int)number - 1
               : -1;
}

// Whether a column has this name, with or without a unit after it, as "a [m/s2]".
static bool is_called(const char *column, const char *name, bool exactly)
{
    size_t length = strlen(name);
    if (exactly || strncmp(column, name, length) != 0)
        return strcmp(column, name) == 0;
    const char *rest = column + length + strspn(column + length, " \t");
    return *rest == '[' || *rest == '(';
}

// How many columns are called so; *column is the last of them.
static int count_called(const Table *table, const char *const *names, const char *name, bool exactly,
                        int *column)
{
    int count = 0;
    for (int k = 0; k < table->ncolumns; k++)
        if (is_called(names[k], name, exactly)) {
            *column = k;
            count++;
        }
    return count;
}

// "; its columns are t, a", or how many there are where they have no names.
static void list_columns(const Table *table, const char *const *names, char text[COLUMNS_TEXT])
{
    size_t length = (size_t)snprintf(
        text, COLUMNS_TEXT, names ? "; its columns are" : "; it has %d without names", table->ncolumns);
    for (int k = 0; names && k < table->ncolumns && length + 64 < COLUMNS_TEXT; k++)
        length +=
            (size_t)snprintf(text + length, COLUMNS_TEXT - length, "%s '%.40s'", k ? "," : "", names[k]);
}

static StickStatus find_column(const Table *table, const char *const *names, const char *name, int standard,
                               int *column)
{
    char columns[COLUMNS_TEXT];
    *column = standard;
    int called = name && names ? count_called(table, names, name, true, column) : 0;
    if (called == 0 && name && names)
        called = count_called(table, names, name, false, column);
    NEED(table, called < 2, "'%s' has %d columns '%.100s': rename one, or give the number of the column",
         table->source->file, called, name);
    if (called == 1)
        return STICK_OK;
    if (name)
        *column = numbered(table, name);
    StickSuggestion near = {""}; // a number is near to no name
    double number;
    if (name && names && !stick_parse_number(name, &number))
        near = stick_suggestion(name, names, (size_t)table->ncolumns);
    list_columns(table, names, columns);
    NEED(table, *column >= 0, "'%s' has no column '%.100s'%s%s", table->source->file, name, columns,
         near.text);
    NEED(table, *column < table->ncolumns, "'%s' has %d column%s, but time and values need two",
         table->source->file, table->ncolumns, table->ncolumns == 1 ? "" : "s");
    return STICK_OK;
}

// Accelerations in g that are taken as they are.
static void warn_of_unit(const Table *table, const char *name)
{
    const char *unit = strpbrk(name, "[(");
    bool in_g = unit && (strcmp(unit, "[g]") == 0 || strcmp(unit, "(g)") == 0);
    double factor = table->options->factor != 0 ? table->options->factor : 1;
    bool as_is = fabs(table->options->scale * factor - 1) < 1e-6;
    if (in_g && as_is && table->options->kind == STICK_TIME_HISTORY_ACCELERATION)
        stick_warn_at(
            table->ctx, table->source->mark,
            "column '%.100s' of '%s' is in g, but 'scale' is 1: give 'scale: 9.81' where the model has "
            "metres and seconds, 9810 with millimetres",
            name, table->source->file);
}

// ---- fields that are not numbers

// "0,5": a name in a line of names; in a line of numbers it was meant as a number.
static bool has_decimal_comma(const char *field)
{
    return strchr(field, ',') && field[strspn(field, "+-0123456789.,eE")] == '\0';
}

// "5\t1", of a line as "0,5\t1,5" that was cut at its commas.
static bool is_cut_at_commas(const char *field)
{
    return strpbrk(field, " \t") && field[strspn(field, "+-0123456789.eE \t")] == '\0';
}

static StickStatus refuse_field(const Table *table, const char *field, bool is_time)
{
    bool commas = strchr(field, ',') || (!is_time && is_cut_at_commas(field));
    const char *why = commas    ? "replace decimal commas by points"
                      : is_time ? "it should be a time"
                                : "the record has a gap here";
    return stick_fail_at(table->ctx, STICK_BAD_INPUT, mark_of(table), "'%.100s' is not a number: %s", field,
                         why);
}

// ---- head

// Finds whether the first line names the columns, and which columns are requested.
static StickStatus read_head(Table *table, StickArena *arena, bool *named)
{
    const char *line, *stop;
    size_t length;
    NEED(table, next_line(table, &line, &length), "'%s' has no samples", table->source->file);
    table->separator = separator_of(table, line, length);
    stop = line + length;
    char field[MOST_FIELD];
    const char **names, *comma = NULL;
    STICK_TAKE(arena, names, length + 2);
    double number;
    *named = false;
    for (const char *at = line; next_field(table, &at, stop, field); table->ncolumns++) {
        if (table->separator == ' ' && table->ncolumns > 0 && strchr("[(", field[0]) && field[0]) {
            table->ncolumns--; // the unit of the column before
            continue;
        }
        char *kept = stick_arena_take(arena, strlen(field) + 1, 1);
        if (!kept)
            return STICK_NO_MEMORY;
        names[table->ncolumns] = strcpy(kept, field);
        if (has_decimal_comma(field))
            comma = comma ? comma : kept;
        else
            *named = *named || !stick_parse_number(field, &number);
    }
    if (comma && !*named)
        return refuse_field(table, comma, false);
    if (!*named)
        names = NULL;
    STICK_TRY(find_column(table, names, table->options->time, 0, &table->time_column));
    STICK_TRY(find_column(table, names, table->options->column, 1, &table->column));
    if (names)
        warn_of_unit(table, names[table->column]);
    return STICK_OK;
}

// ---- rows

static StickStatus take_row(Table *table, const char *line, size_t length)
{
    char field[MOST_FIELD];
    double value[2] = {NAN, NAN};
    int k = 0;
    for (const char *at = line; next_field(table, &at, line + length, field); k++)
        for (int which = 0; which < 2; which++)
            if (k == (which ? table->column : table->time_column) &&
                !stick_parse_number(field, &value[which]))
                return refuse_field(table, field, which == 0);
    if (isnan(value[0]) || isnan(value[1]))
        return stick_fail_at(table->ctx, STICK_BAD_INPUT, mark_of(table),
                             "this line has %d fields, but column %d is needed: the record has a gap here", k,
                             (table->column > table->time_column ? table->column : table->time_column) + 1);
    if (k != table->ncolumns)
        return stick_fail_at(table->ctx, STICK_BAD_INPUT, mark_of(table),
                             "this line has %d fields, but the first one has %d: one is missing or too many",
                             k, table->ncolumns);
    if (table->count > 0 && !(value[0] > table->t[table->count - 1]))
        return stick_fail_at(table->ctx, STICK_BAD_INPUT, mark_of(table),
                             "the time %g is not later than %g: times must ascend", value[0],
                             table->t[table->count - 1]);
    STICK_RESERVE(table->ctx, table->t, table->t_capacity, table->count + 1);
    STICK_RESERVE(table->ctx, table->sample, table->sample_capacity, table->count + 1);
    table->t[table->count] = value[0];
    table->sample[table->count++] = value[1];
    return STICK_OK;
}

// Spreadsheets put a mark of three bytes in front of UTF-8, and write UTF-16, which has zeros, where they are let.
static StickStatus find_text(Table *table)
{
    const StickTimeHistorySource *source = table->source;
    bool marked = source->count >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0;
    NEED(table, source->count == 0 || !memchr(source->bytes, '\0', source->count),
         "'%s' is not a plain-text table: save it as CSV in UTF-8", source->file);
    table->at = source->bytes + (marked ? 3 : 0);
    table->end = source->bytes + source->count;
    table->line = 0;
    return STICK_OK;
}

static StickStatus read_rows(Table *table, StickArena *arena)
{
    bool named;
    const char *line;
    size_t length;
    STICK_TRY(find_text(table));
    STICK_TRY(read_head(table, arena, &named));
    if (!named)
        STICK_TRY(find_text(table));
    while (next_line(table, &line, &length))
        STICK_TRY(take_row(table, line, length));
    NEED(table, table->count >= 2, "'%s' has %zu samples, but needs at least 2", table->source->file,
         table->count);
    return STICK_OK;
}

// A step of time that is half longer than the shortest one lacks a sample.
static StickStatus check_steps(const Table *table)
{
    double least = HUGE_VAL;
    for (size_t k = 1; k < table->count; k++)
        least = fmin(least, table->t[k] - table->t[k - 1]);
    for (size_t k = 1; k < table->count && !table->options->uneven; k++)
        if (table->t[k] - table->t[k - 1] > 1.5 * least)
            return stick_fail_at(table->ctx, STICK_BAD_INPUT, table->source->mark,
                                 "'%s' has a gap: no sample between the times %g and %g, where %g is a step; "
                                 "'spacing: any' accepts it",
                                 table->source->file, table->t[k - 1], table->t[k], least);
    return STICK_OK;
}

static double most_speed(const StickTimeHistory *record)
{
    double most = 0;
    for (int k = 0; k < record->count; k++)
        most = fmax(most, fabs(stick_time_history_at(record, record->t[k]).velocity));
    return most;
}

// A residual velocity after the last sample causes a drift that never ends.
static void warn_of_end(StickContext *ctx, const StickTimeHistorySource *source,
                        const StickTimeHistory *record)
{
    double left = stick_time_history_at(record, record->t[record->count - 1]).velocity;
    if (fabs(left) > 1e-2 * most_speed(record))
        stick_warn_at(ctx, source->mark,
                      "the accelerations of '%s' leave a residual velocity of %g, so the motion continues to "
                      "drift after the end: 'baseline: linear' removes it",
                      source->file, left);
}

static void warn_of_start(StickContext *ctx, const StickTimeHistorySource *source,
                          const StickTimeHistory *record)
{
    double start = stick_time_history_at(record, record->t[0]).velocity, most = most_speed(record);
    // a piecewise linear displacement always starts with a small jump of the velocity
    double much = record->kind == STICK_TIME_HISTORY_VELOCITY ? 1e-3 : 0.1;
    if (fabs(start) > much * most)
        stick_warn_at(ctx, source->mark,
                      "the motion of '%s' starts with a jump of the velocity, by %g, which causes an impact "
                      "on bodies in contact: start the record from rest",
                      source->file, start);
}

StickStatus stick_time_history_read(StickArena *arena, const StickTimeHistorySource *source,
                                    const StickTimeHistoryOptions *options, StickTimeHistory **record)
{
    Table table = {.ctx = arena->ctx, .source = source, .options = options};
    StickStatus status = read_rows(&table, arena);
    if (status == STICK_OK)
        status = check_steps(&table);
    if (status == STICK_OK)
        status = stick_time_history_create(arena, table.t, table.sample, (int)table.count, options, record);
    if (status == STICK_OK && options->kind == STICK_TIME_HISTORY_ACCELERATION)
        warn_of_end(arena->ctx, source, *record);
    else if (status == STICK_OK)
        warn_of_start(arena->ctx, source, *record);
    stick_free(arena->ctx, table.t);
    stick_free(arena->ctx, table.sample);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "output/growth_table.h"

#include <complex.h>

typedef struct Column {
    const char *name;
    StickQuantity quantity;
} Column;

static void init(StickBook *book, const StickSystem *system, const char *name, const Column *column,
                 size_t count)
{
    *book = (StickBook){.name = name};
    for (size_t k = 0; k < count; k++)
        stick_book_add(book, system, column[k].name, column[k].quantity);
}

void stick_growth_book_init(StickBook *book, const StickSystem *system)
{
    static const Column columns[] = {
        {"t", STICK_TIME},           {"real", STICK_LENGTH},    {"imaginary", STICK_LENGTH},
        {"amplitude", STICK_LENGTH}, {"largest", STICK_LENGTH}, {"speed_ratio", STICK_NO_UNIT},
        {"changed", STICK_NO_UNIT},
    };
    init(book, system, "growth", columns, sizeof columns / sizeof *columns);
}

void stick_growth_book_fill(StickBook *book, const StickGrowthRow *row)
{
    const double values[] = {row->t,       creal(row->a),    cimag(row->a), cabs(row->a),
                             row->largest, row->speed_ratio, row->changed};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        book->row[k] = values[k];
}

void stick_growth_mode_init(StickBook *book, const StickSystem *system)
{
    static const Column columns[] = {
        {"t", STICK_TIME},         {"mode", STICK_NO_UNIT},    {"growth", STICK_RATE},
        {"frequency", STICK_RATE}, {"rounding", STICK_LENGTH},
    };
    init(book, system, "mode", columns, sizeof columns / sizeof *columns);
}

void stick_growth_mode_fill(StickBook *book, double t, const StickMode *mode, double rounding)
{
    const double values[] = {t, mode->number, mode->growth, mode->frequency, rounding};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        book->row[k] = values[k];
}

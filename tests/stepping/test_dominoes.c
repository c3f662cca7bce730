// SPDX-License-Identifier: Apache-2.0
// Dominoes on hinged feet without friction: those that have fallen lean on each other, so that the angle of the foremost
// one tells all of them. Between impacts energy is kept, and at an impact all of them are hit at once, without bouncing:
// times by quadrature against the run.
#include "stepping/mechanism.h"

static const double g = 9.81, high = 0.048, thick = 0.0075, push = 8;

enum { STONES = 8, PANELS = 2000 };

// The row by the angle of the foremost stone: angles from it backward, and their derivatives. The corner of one touches
// the back of the next where  pitch cos(b) - high sin(a - b) = thick.
typedef struct Row {
    double pitch;
    int count;
    double angle[STONES + 1], rate[STONES + 1];
} Row;

static void lean(Row *row, double angle)
{
    row->angle[0] = angle;
    row->rate[0] = 1;
    for (int k = 0; k + 1 < row->count; k++) {
        double b = row->angle[k], apart = asin((row->pitch * cos(b) - thick) / high);
        row->angle[k + 1] = b + apart;
        row->rate[k + 1] = row->rate[k] * (1 - row->pitch * sin(b) / (high * cos(apart)));
    }
}

// Inertia of the row seen by the foremost stone, and its potential energy; by mass.
static double inertia(const Row *row)
{
    double sum = 0;
    for (int k = 0; k < row->count; k++)
        sum += row->rate[k] * row->rate[k];
    return sum * (high * high + thick * thick) / 3;
}

static double potential(const Row *row)
{
    double sum = 0;
    for (int k = 0; k < row->count; k++)
        sum += 0.5 * g * (high * cos(row->angle[k]) + thick * sin(row->angle[k]));
    return sum;
}

// The foremost stone starts with omega and falls onto the next one: the time that it takes, and the velocity then.
static double fall(Row *row, double *omega)
{
    double end = asin((row->pitch - thick) / high), time = 0;
    lean(row, 0);
    double energy = 0.5 * inertia(row) * *omega * *omega + potential(row);
    for (int k = 0; k < PANELS; k++) {
        lean(row, (k + 0.5) * end / PANELS);
        time += end / PANELS / sqrt(2 * (energy - potential(row)) / inertia(row));
    }
    lean(row, end);
    *omega = sqrt(2 * (energy - potential(row)) / inertia(row));
    return time;
}

// Of all velocities that keep the contacts the nearest by the inertias.
static void hit(Row *row, double *omega)
{
    double before[STONES + 1], sum = 0, squares = 0;
    for (int k = 0; k < row->count; k++)
        before[k] = *omega * row->rate[k];
    row->count++;
    lean(row, 0);
    for (int k = 0; k < row->count; k++) {
        sum += k > 0 ? row->rate[k] * before[k - 1] : 0;
        squares += row->rate[k] * row->rate[k];
    }
    *omega = sum / squares;
}

static void exact_times(double gap, double time[STONES])
{
    Row row = {.pitch = thick + gap, .count = 1};
    double omega = push, t = 0;
    for (int k = 0; k < STONES; k++) {
        time[k] = t += fall(&row, &omega);
        hit(&row, &omega);
    }
}

static void open_row(Scene *scene, StickContext *ctx, double gap, double h)
{
    scene_open(
        scene, ctx,
        "parameters: {high: %g, thick: %g, pitch: %.17g}\n" STONE "bodies:\n"
        "  first: {rigid: {box: [thick, high]}, material: stone, position: [0, 'high/2'], angular-velocity: "
        "-8, velocity: ['8*high/2', '8*thick/2']}\n"
        "  stone: {rigid: {box: [thick, high]}, material: stone, position: ['pitch*i', 'high/2'], repeat: "
        "{i: [1, %d]}}\n"
        "obstacles: {table: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
        "gravity: [0, -9.81]\n"
        "contacts: [{between: all, friction: 0}]\n"
        "joints:\n"
        "  - {pin: {between: [first, table], at: ['thick/2', 0]}, collide: true}\n"
        "  - {pin: {between: ['stone[i]', table], at: ['pitch*i + thick/2', 0]}, collide: true, repeat: {i: "
        "[1, %d]}}\n"
        "steps: [{dynamics: {scheme: moreau, step: %.17g, end: 1}}]\n",
        high, thick, thick + gap, STONES, STONES, h);
}

// Largest error of the times at which stones begin to move.
static double row_error(StickContext *ctx, double gap, double h)
{
    Scene scene;
    double exact[STONES], worst = 0;
    exact_times(gap, exact);
    open_row(&scene, ctx, gap, h);
    for (int k = 0; k < STONES; k++) {
        while (v_of(&scene, k + 1)[2] > -0.1)
            scene_step(&scene);
        worst = fmax(worst, fabs(scene.run->state.now.t - exact[k]));
    }
    check_books(&scene);
    scene_close(&scene);
    return worst;
}

static void waves_run_as_by_quadrature(void **state)
{
    const double gaps[3] = {0.01, 0.02, 0.03};
    for (int k = 0; k < 3; k++) {
        double coarse = row_error(*state, gaps[k], 4e-4), fine = row_error(*state, gaps[k], 1e-4);
        print_message("gap %g: times within %.1f h, %.1f h\n", gaps[k], coarse / 4e-4, fine / 1e-4);
        assert_below(coarse, 8 * 4e-4);
        assert_below(fine, 8 * 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(waves_run_as_by_quadrature),
    };
    return cmocka_run_group_tests_name("stepping.dominoes", tests, NULL, NULL);
}

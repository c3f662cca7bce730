// SPDX-License-Identifier: Apache-2.0
#include "linalg/root.h"

#include "base/check.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_CALLS = 200 };

// b is the best point so far, c lies on the other side of the zero, a is the previous b.
typedef struct Bracket {
    double a, b, c;
    double fa, fb, fc;
    double step, before; // the last two steps
} Bracket;

static void put_right(Bracket *k)
{
    if ((k->fb > 0) == (k->fc > 0)) {
        k->c = k->a;
        k->fc = k->fa;
        k->step = k->before = k->b - k->a;
    }
    if (fabs(k->fc) < fabs(k->fb)) {
        k->a = k->b;
        k->b = k->c;
        k->c = k->a;
        k->fa = k->fb;
        k->fb = k->fc;
        k->fc = k->fa;
    }
}

// Step p/q from b to where the secant, or the parabola x(f) through three places, has its zero.
static void interpolate(const Bracket *k, double half, double *p, double *q)
{
    double s = k->fb / k->fa;
    if (k->a == k->c) {
        *p = 2 * half * s;
        *q = 1 - s;
    } else {
        double t = k->fa / k->fc, r = k->fb / k->fc;
        *p = s * (2 * half * t * (t - r) - (k->b - k->a) * (r - 1));
        *q = (t - 1) * (r - 1) * (s - 1);
    }
    if (*p > 0)
        *q = -*q;
    *p = fabs(*p);
}

static void choose_step(Bracket *k, double half, double least)
{
    double p, q;
    bool usable = fabs(k->before) >= least && fabs(k->fa) > fabs(k->fb);
    if (usable)
        interpolate(k, half, &p, &q);
    if (usable && 2 * p < fmin(3 * half * q - fabs(least * q), fabs(k->before * q))) {
        k->before = k->step;
        k->step = p / q;
    } else {
        k->before = k->step = half;
    }
}

StickStatus stick_root_find(const StickRootFunction *function, const double a[2], const double f[2],
                            double tolerance, StickRoot *root)
{
    Bracket k = {.a = a[0], .b = a[1], .c = a[0], .fa = f[0], .fb = f[1], .fc = f[0]};
    StickRoot made = {0};
    k.step = k.before = k.b - k.a;
    for (;; made.calls++) {
        put_right(&k);
        double least = 2.2e-16 * fabs(k.b) + tolerance / 2, half = (k.c - k.b) / 2;
        if (k.fb == 0 || fabs(half) <= least || made.calls >= MOST_CALLS)
            break;
        choose_step(&k, half, least);
        k.a = k.b;
        k.fa = k.fb;
        k.b += fabs(k.step) > least ? k.step : copysign(least, half);
        STICK_TRY(function->value(function->user, k.b, &k.fb));
    }
    made.x = k.b;
    made.width = k.fb == 0 ? 0 : fabs(k.c - k.b);
    *root = made;
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
// On the circle z = center + radius e^(i t), f(z) = det P(z) / product of (z - known zeros) has |f| and a phase. Were f
// without zeros inside, log f would be analytic there and its phase would follow from |f| alone: with
//     log|f| = a_0 + 2 Re sum a_m e^(imt)   the phase is   2 Im sum a_m e^(imt) + constant.
// The rest of the measured phase is that of one factor (zeta - b)/(1 - conj(b) zeta) per zero inside, each of which
// makes one turn. The many zeros far away, whose phase turns det P fast, are all in the part that |f| predicts, so
// that a few samples are sufficient.
#include "linalg/winding.h"

#include "base/memory.h"
#include "base/pi.h"

#include <complex.h>
#include <math.h>

enum { FEWEST = 16 };
static const double RESOLVED =
    0.3;                         // share that a zero near the circle may have left in the highest frequencies
static const double TURN = 2;    // radians between neighbours, at most
static const double SLACK = 0.3; // radians, of a phase between two samples

typedef struct Circle {
    StickContext *ctx;
    StickPencil *pencil;
    double complex center;
    double radius;
    const double complex *known;
    int nknown, most;
    double *logarithm, *phase; // most: of f, at those points that were sampled
    double *more;              // most: phase that |f| does not predict
    double complex *a;         // most / 2 + 1
} Circle;

// log |f| and the phase of f at angle t
static StickStatus sample(const Circle *circle, double t, double *logarithm, double *phase)
{
    double complex z = circle->center + circle->radius * (cos(t) + I * sin(t));
    StickStatus status = stick_pencil_determinant(circle->pencil, z, logarithm, phase);
    if (status == STICK_NOT_SOLVED)
        return stick_fail(circle->ctx, status,
                          "an eigenvalue lies on the circle of radius %g around %g %+g i", circle->radius,
                          creal(circle->center), cimag(circle->center));
    STICK_TRY(status);
    for (int j = 0; j < circle->nknown; j++) {
        *logarithm -= log(cabs(z - circle->known[j]));
        *phase -= carg(z - circle->known[j]);
    }
    return STICK_OK;
}

// Points of a circle with n samples that are not among its n / 2. Known zeros form pairs if P and the center are
// real.
static StickStatus sample_all(Circle *circle, int n, bool first, int *samples)
{
    int step = circle->most / n;
    bool mirrored = cimag(circle->center) == 0;
    for (int k = 0; k < n; k++) {
        if (!first && k % 2 == 0)
            continue;
        if (mirrored && k > n / 2) {
            circle->logarithm[k * step] = circle->logarithm[(n - k) * step];
            circle->phase[k * step] = -circle->phase[(n - k) * step];
            continue;
        }
        STICK_TRY(
            sample(circle, 2 * STICK_PI * k / n, &circle->logarithm[k * step], &circle->phase[k * step]));
        ++*samples;
    }
    return STICK_OK;
}

static void transform(const Circle *circle, int n)
{
    int step = circle->most / n;
    for (int m = 0; m <= n / 2; m++) {
        double complex sum = 0;
        for (int k = 0; k < n; k++) {
            double t = 2 * STICK_PI * (double)((long long)m * k % n) / n;
            sum += circle->logarithm[k * step] * (cos(t) - I * sin(t));
        }
        circle->a[m] = sum / n;
    }
}

// Whether no zero is so near to the circle that n samples do not see it: 2 m |a_m| = sum of (ratio of radii)^m.
static bool is_resolved(const Circle *circle, int n)
{
    for (int m = n / 4 + 1; m < n / 2; m++)
        if (!(2 * m * cabs(circle->a[m]) <= RESOLVED))
            return false;
    return true;
}

static double predicted(const Circle *circle, int n, double t)
{
    double phase = 0;
    for (int m = 1; m < n / 2; m++)
        phase += 2 * cimag(circle->a[m] * (cos(m * t) + I * sin(m * t)));
    return phase;
}

// Turns of the rest of the phase; false if neighbours are too far apart to follow it.
static bool count_turns(const Circle *circle, int n, int *turns)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        circle->more[k] = circle->phase[k * (circle->most / n)] - predicted(circle, n, 2 * STICK_PI * k / n);
    for (int k = 0; k < n; k++) {
        double change = remainder(circle->more[(k + 1) % n] - circle->more[k], 2 * STICK_PI);
        if (!(fabs(change) <= TURN))
            return false;
        sum += change;
    }
    *turns = (int)lround(sum / (2 * STICK_PI));
    return true;
}

// With as many zeros inside as samples, the phase would make one turn between neighbouring samples, which cannot be
// seen. It shows at a point between two samples: the contribution of each zero is monotonic, so the phase there lies
// between the phases at both ends.
static StickStatus is_followed(const Circle *circle, int n, int *samples, bool *followed)
{
    static const double places[] = {0.381966,
                                    0.145898}; // of the distance; no common multiples of both are integers
    int k = n / 4;
    double whole = remainder(circle->more[k + 1] - circle->more[k], 2 * STICK_PI);
    *followed = true;
    for (int i = 0; i < 2 && *followed; i++) {
        double t = 2 * STICK_PI * (k + places[i]) / n, logarithm, phase;
        STICK_TRY(sample(circle, t, &logarithm, &phase));
        ++*samples;
        double part = remainder(phase - predicted(circle, n, t) - circle->more[k], 2 * STICK_PI);
        *followed = part >= fmin(0, whole) - SLACK && part <= fmax(0, whole) + SLACK;
    }
    return STICK_OK;
}

static StickStatus count(Circle *circle, int *turns, int *samples)
{
    for (int n = FEWEST; n <= circle->most; n *= 2) {
        STICK_TRY(sample_all(circle, n, n == FEWEST, samples));
        transform(circle, n);
        bool good = is_resolved(circle, n) && count_turns(circle, n, turns);
        if (good)
            STICK_TRY(is_followed(circle, n, samples, &good));
        if (good)
            return STICK_OK;
    }
    return stick_fail(
        circle->ctx, STICK_NOT_SOLVED,
        "an eigenvalue lies too near to the circle of radius %g around %g %+g i to count with %d "
        "samples",
        circle->radius, creal(circle->center), cimag(circle->center), circle->most);
}

StickStatus stick_winding_count(StickContext *ctx, StickPencil *pencil, double complex center, double radius,
                                const double complex *known, int nknown, int most, int *turns, int *samples)
{
    STICK_CHECK(ctx, most >= FEWEST && (most & (most - 1)) == 0, STICK_USAGE,
                "%d samples of a winding number are not a power of two of at least %d", most, FEWEST);
    Circle circle = {ctx, pencil, center, radius, known, nknown, most, NULL, NULL, NULL, NULL};
    circle.a = stick_alloc(ctx, (size_t)most / 2 + 1, sizeof *circle.a);
    circle.logarithm = stick_alloc(ctx, 3 * (size_t)most, sizeof *circle.logarithm);
    StickStatus status = circle.a && circle.logarithm ? STICK_OK : STICK_NO_MEMORY;
    int found = 0;
    *samples = 0;
    if (status == STICK_OK) {
        circle.phase = circle.logarithm + most;
        circle.more = circle.phase + most;
        status = count(&circle, &found, samples);
    }
    stick_free(ctx, circle.a);
    stick_free(ctx, circle.logarithm);
    if (status == STICK_OK)
        *turns = found;
    return status;
}

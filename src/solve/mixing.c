// SPDX-License-Identifier: Apache-2.0
#include "solve/mixing.h"

#include "base/memory.h"
#include "solve/scaled.h"

#include <math.h>

enum { WINDOW = STICK_MIXING_WINDOW };
static const double WORSE = 3; // growth of |f| over the least one at which the history is dropped
static const double LEAST_DAMPING = 0.1, RECOVER = 1.2;
static const double RIDGE = 1e-10; // of the Gram matrix, relative to its diagonal

void stick_mixing_create(StickContext *ctx, StickMixing *mixing)
{
    *mixing = (StickMixing){.ctx = ctx};
}

void stick_mixing_destroy(StickMixing *mixing)
{
    stick_free(mixing->ctx, mixing->room);
}

StickStatus stick_mixing_reserve(StickMixing *mixing, int n)
{
    STICK_RESERVE(mixing->ctx, mixing->room, mixing->capacity, (size_t)n * (2 + 2 * WINDOW));
    return STICK_OK;
}

void stick_mixing_start(StickMixing *mixing, int n, double damping, double floor)
{
    size_t size = (size_t)n;
    mixing->n = n;
    mixing->count = mixing->taken = 0;
    mixing->damping = mixing->first_damping = damping;
    mixing->floor = floor;
    mixing->least = INFINITY;
    mixing->f = mixing->room;
    mixing->p = mixing->f + size;
    mixing->df = mixing->p + size;
    mixing->dp = mixing->df + WINDOW * size;
}

// Differences to the last step, in a ring; f and p become the last ones.
static void remember(StickMixing *mixing, const double *F, const double *p)
{
    size_t n = (size_t)mixing->n, at = (size_t)((mixing->taken + WINDOW - 1) % WINDOW) * n;
    for (size_t i = 0; i < n; i++) {
        double f = F[i] - p[i];
        if (mixing->taken > 0) {
            mixing->df[at + i] = f - mixing->f[i];
            mixing->dp[at + i] = p[i] - mixing->p[i];
        }
        mixing->f[i] = f;
        mixing->p[i] = p[i];
    }
    if (mixing->taken > 0 && mixing->count < WINDOW)
        mixing->count++;
    mixing->taken++;
}

// Cholesky of the Gram matrix of df; false if it is not positive.
static bool weights(const StickMixing *mixing, double gamma[WINDOW])
{
    int m = mixing->count, n = mixing->n;
    double L[WINDOW][WINDOW];
    for (int i = 0; i < m; i++) {
        const double *row = mixing->df + (size_t)i * (size_t)n;
        gamma[i] = stick_scaled_dot(n, row, mixing->f);
        for (int j = 0; j <= i; j++) {
            double sum =
                stick_scaled_dot(n, row, mixing->df + (size_t)j * (size_t)n) * (i == j ? 1 + RIDGE : 1);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++)
            gamma[i] -= L[i][k] * gamma[k];
        gamma[i] /= L[i][i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++)
            gamma[i] -= L[k][i] * gamma[k];
        gamma[i] /= L[i][i];
    }
    return true;
}

// p + damping f - sum gamma_i (dp_i + damping df_i)
static void combine(const StickMixing *mixing, double *p)
{
    double gamma[WINDOW];
    size_t n = (size_t)mixing->n;
    int m = weights(mixing, gamma) ? mixing->count : 0;
    for (size_t i = 0; i < n; i++) {
        double next = p[i] + mixing->damping * mixing->f[i];
        for (int k = 0; k < m; k++)
            next -=
                gamma[k] * (mixing->dp[(size_t)k * n + i] + mixing->damping * mixing->df[(size_t)k * n + i]);
        p[i] = fmax(next, mixing->floor);
    }
}

double stick_mixing_step(StickMixing *mixing, const double *F, double noise, double *p)
{
    remember(mixing, F, p);
    double f = stick_scaled_norm(mixing->n, mixing->f);
    if (!(f <= WORSE * fmax(mixing->least, noise))) {
        // away from the fixed point: forget the past and step shorter
        mixing->count = mixing->taken = 0;
        mixing->damping = fmax(mixing->damping / 2, LEAST_DAMPING);
        mixing->least = f;
    } else {
        mixing->damping = fmin(mixing->damping * RECOVER, mixing->first_damping);
    }
    mixing->least = fmin(mixing->least, f);
    combine(mixing, p);
    return f;
}

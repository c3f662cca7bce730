// SPDX-License-Identifier: Apache-2.0
// The minimiser g of |f - dF g| from the products of its columns, for Anderson's acceleration.
#ifndef SOLVE_GRAM_H
#define SOLVE_GRAM_H

#include <math.h>
#include <stdbool.h>

enum { STICK_GRAM_MOST = 6 }; // columns

typedef struct StickGram {
    double product[STICK_GRAM_MOST][STICK_GRAM_MOST]; // dF_i.dF_j
    double moment[STICK_GRAM_MOST];                   // dF_i.f
} StickGram;

// With a share of its trace added to the diagonal; false if dF' dF is not positive even so.
static inline bool stick_gram_minimise(const StickGram *gram, int n, double *g)
{
    static const double share = 1e-12;
    double L[STICK_GRAM_MOST][STICK_GRAM_MOST], ridge = 0;
    for (int i = 0; i < n; i++)
        ridge += share * gram->product[i][i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = gram->product[i][j] + (i == j ? ridge : 0);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0))
                return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (int i = 0; i < n; i++) {
        g[i] = gram->moment[i];
        for (int k = 0; k < i; k++)
            g[i] -= L[i][k] * g[k];
        g[i] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            g[i] -= L[k][i] * g[k];
        g[i] /= L[i][i];
    }
    return true;
}

#endif

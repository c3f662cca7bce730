// SPDX-License-Identifier: Apache-2.0
// Lemke's method on a full tableau, as in textbooks: slow, short, and the reference for the fast one.
#ifndef TESTS_SOLVE_TABLEAU_H
#define TESTS_SOLVE_TABLEAU_H

#include <math.h>
#include <string.h>

enum { TABLEAU_MOST = 64 };

typedef struct Tableau {
    int n;
    double T[TABLEAU_MOST][2 * TABLEAU_MOST + 2]; // columns: w, z, z0, b; basic variables are units
    int basic[TABLEAU_MOST];
} Tableau;

static inline void tableau_pivot(Tableau *t, int row, int col)
{
    int columns = 2 * t->n + 2;
    double p = t->T[row][col];
    for (int j = 0; j < columns; j++)
        t->T[row][j] /= p;
    for (int i = 0; i < t->n; i++) {
        double a = t->T[i][col];
        for (int j = 0; i != row && j < columns; j++)
            t->T[i][j] -= a * t->T[row][j];
    }
    t->basic[row] = col;
}

// Whether row i blocks before row k: b first, then the columns of w, which are those of the basis inverse.
static inline int tableau_before(const Tableau *t, int i, int k, int col)
{
    int n = t->n;
    for (int j = -1; j < n; j++) {
        int at = j < 0 ? 2 * n + 1 : j;
        double x = t->T[i][at] / t->T[i][col], y = t->T[k][at] / t->T[k][col];
        if (fabs(x - y) > 1e-10 * fmax(1, fmax(fabs(x), fabs(y))))
            return x < y;
    }
    return i < k;
}

static inline int tableau_blocking(const Tableau *t, int col)
{
    int row = -1;
    for (int i = 0; i < t->n; i++)
        if (t->T[i][col] > 1e-9 && (row < 0 || tableau_before(t, i, row, col)))
            row = i;
    for (int i = 0; i < t->n && row >= 0; i++) {
        double first = t->T[row][2 * t->n + 1] / t->T[row][col], z0 = t->T[i][2 * t->n + 1] / t->T[i][col];
        if (t->basic[i] == 2 * t->n && t->T[i][col] > 1e-9 && z0 <= first + 1e-12 * fmax(1, fabs(first)))
            row = i;
    }
    return row;
}

// M by columns. Returns the number of pivots, or 0 on a ray or after `most` of them; z goes out.
static inline int tableau_lemke(int n, const double *M, const double *q, int most, double *z)
{
    static Tableau t;
    int row = 0, col = 2 * n;
    memset(&t, 0, sizeof t);
    t.n = n;
    for (int i = 0; i < n; i++) {
        t.T[i][i] = 1;
        for (int j = 0; j < n; j++)
            t.T[i][n + j] = -M[j * n + i];
        t.T[i][2 * n] = -1;
        t.T[i][2 * n + 1] = q[i];
        t.basic[i] = i;
        row = q[i] < q[row] ? i : row;
    }
    for (int pivots = 1; row >= 0 && pivots <= most; pivots++) {
        int leaving = t.basic[row];
        tableau_pivot(&t, row, col);
        if (leaving == 2 * n) {
            memset(z, 0, (size_t)n * sizeof *z);
            for (int i = 0; i < n; i++)
                if (t.basic[i] >= n)
                    z[t.basic[i] - n] = t.T[i][2 * n + 1];
            return pivots;
        }
        col = leaving < n ? leaving + n : leaving - n;
        row = tableau_blocking(&t, col);
    }
    return 0;
}

#endif

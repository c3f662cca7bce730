// SPDX-License-Identifier: Apache-2.0
// The ratio test of Lemke's method with the lexicographic rule for ties [CPS92 §4.9].
//
// Ties are broken by the rows of B^-1 B0, B0 the basis of the start: its column j is the unit vector of place j
// while the variable that was basic there is so again, and -T of that variable else. Nothing of it is kept: columns
// are computed one at a time while the tied places are many, then one row for each of them.
#include "solve/lcp_path.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

// W of a pile is singular: what round-off leaves of a zero pivot must not be taken for one.
static const double zero_pivot = 3e-9;   // of an entry, relative to the largest of its column or row, or to 1
static const double tie = 1e-12;         // of b after the step, relative to the largest b
static const double lexical_tie = 1e-10; // of two ratios beyond the first column

typedef struct Row {
    int place;
    const double *y; // K^-T (row of the place)
    double small;    // below this an entry is round-off
    double ratio;
} Row;

// The places in the order in which ties are broken: 0 ... n - 1, or one of them moved to the end.
static int lexical_place(const StickLcpPath *path, int k)
{
    if (path->last_column < 0)
        return k;
    return k == path->n - 1 ? path->last_column : k + (k >= path->last_column);
}

static int home_variable(const StickLcpPath *path, int place)
{
    return place + path->n * path->home[place];
}

// ---- by columns

// A unit column: 0 is less than the one ratio that is not.
static int drop_tied(StickLcpPath *path, int ntied, int place)
{
    int kept = 0;
    for (int k = 0; k < ntied; k++)
        if (path->tied[k] != place)
            path->tied[kept++] = path->tied[k];
    return kept;
}

static int compare_column(StickLcpPath *path, int ntied, int place)
{
    stick_lcp_path_column(path, home_variable(path, place));
    double least = DBL_MAX, largest = 0;
    double small = zero_pivot * fmax(1, stick_largest_magnitude(path->n, path->column));
    for (int k = 0; k < ntied; k++) {
        double entry = -path->column[path->tied[k]];
        path->ratio[k] = (fabs(entry) <= small ? 0 : entry) / -path->T[path->tied[k]];
        least = fmin(least, path->ratio[k]);
        largest = fmax(largest, fabs(path->ratio[k]));
    }
    int kept = 0;
    for (int k = 0; k < ntied; k++)
        if (path->ratio[k] <= least + lexical_tie * largest)
            path->tied[kept++] = path->tied[k];
    return kept;
}

// ---- by rows

// y = K^-T g, g the row of K of the tied variable: a unit vector for a z
static void compute_row(StickLcpPath *path, int place, double *y, Row *row)
{
    StickLcpBasis *basis = &path->basis;
    int order = stick_lcp_basis_order(basis);
    if (path->kind[place] == STICK_LCP_W) {
        stick_lcp_basis_row(basis, place, y);
    } else {
        memset(y, 0, (size_t)order * sizeof *y);
        y[basis->col_place[path->kind[place] == STICK_LCP_Z ? place : path->n]] = 1;
    }
    stick_lcp_basis_solve_transposed(basis, y);
    *row = (Row){place, y, zero_pivot * fmax(1, stick_largest_magnitude(order, y)), 0};
}

// -T of a nonbasic variable in the place of the row: y.c, less its own entry where a w is tied
static double row_entry(StickLcpPath *path, const Row *row, int variable)
{
    const StickLcpBasis *basis = &path->basis;
    if (variable < path->n)
        return -row->y[basis->row_place[variable]];
    double direct = path->kind[row->place] == STICK_LCP_W
                        ? stick_lcp_matrix_entry(&path->M, row->place, variable - path->n)
                        : 0;
    stick_lcp_basis_column(basis, variable, path->x);
    return cblas_ddot(stick_lcp_basis_order(basis), row->y, 1, path->x, 1) - direct;
}

static int compare_rows(StickLcpPath *path, Row *row, int nrows, int place)
{
    bool is_unit = path->kind[place] == path->home[place];
    double least = DBL_MAX, largest = 0;
    for (int k = 0; k < nrows; k++) {
        double entry = is_unit ? row[k].place == place : row_entry(path, &row[k], home_variable(path, place));
        row[k].ratio = (fabs(entry) <= row[k].small && !is_unit ? 0 : entry) / -path->T[row[k].place];
        least = fmin(least, row[k].ratio);
        largest = fmax(largest, fabs(row[k].ratio));
    }
    int kept = 0;
    for (int k = 0; k < nrows; k++)
        if (row[k].ratio <= least + lexical_tie * largest)
            row[kept++] = row[k];
    return kept;
}

static int break_by_rows(StickLcpPath *path, int nrows, int from)
{
    Row row[STICK_LCP_MOST_ROWS];
    size_t stride = (size_t)stick_lcp_basis_order(&path->basis);
    for (int k = 0; k < nrows; k++)
        compute_row(path, path->tied[k], path->inverse + (size_t)k * stride, &row[k]);
    for (int k = from; k < path->n && nrows > 1; k++)
        nrows = compare_rows(path, row, nrows, lexical_place(path, k));
    for (int k = 0; k < nrows; k++)
        path->tied[k] = row[k].place;
    return nrows;
}

// ---- the test

// Among the tied places the one whose row of B^-1 B0 over -T is lexicographically least.
static int lexical_least(StickLcpPath *path, int ntied)
{
    int computed = 0;
    for (int k = 0; k < path->n && ntied > 1; k++) {
        int place = lexical_place(path, k);
        if (path->kind[place] == path->home[place]) {
            ntied = drop_tied(path, ntied, place);
        } else if (ntied <= STICK_LCP_MOST_ROWS && computed >= ntied) {
            ntied = break_by_rows(path, ntied, k);
            break;
        } else {
            ntied = compare_column(path, ntied, place);
            computed++;
        }
    }
    int best = path->tied[0];
    for (int k = 1; k < ntied; k++)
        best = -path->T[path->tied[k]] > -path->T[best] ? path->tied[k] : best;
    return best;
}

int stick_lcp_path_blocking(StickLcpPath *path)
{
    int n = path->n, ntied = 0;
    const double *T = path->T, *b = path->b;
    double least_pivot = zero_pivot * fmax(1, stick_largest_magnitude(n, T)), step = DBL_MAX;
    for (int i = 0; i < n; i++)
        if (-T[i] > least_pivot && b[i] / -T[i] < step)
            step = b[i] / -T[i];
    if (step == DBL_MAX)
        return -1;
    double close = tie * stick_largest_magnitude(n, b);
    for (int i = 0; i < n; i++)
        if (-T[i] > least_pivot && b[i] + step * T[i] <= close)
            path->tied[ntied++] = i;
    for (int k = 0; k < ntied; k++)
        if (path->tied[k] == path->z0_place)
            return path->z0_place;
    return lexical_least(path, ntied);
}

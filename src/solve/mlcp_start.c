// SPDX-License-Identifier: Apache-2.0
// Stage I [VBH88 Table 1]: a pair for every free motion. Replacing z_i by p_j and then d_j by theta_c
// eliminates column j of B and row j of C at once; A does not matter for these pivots.
#include "solve/mlcp_work.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double zero = 1e-10; // of entries of the eliminated B and C, which are about one at the start
static const double good = 0.1;   // of a pivot against the best one, among which the nearest pair is taken
static const double fair = 1e-3;  // the same for pairs of the start

// A candidate pair, with its largest entries in the reduced matrix.
typedef struct Candidate {
    int pair, row, col; // places among the motions that are left, by equation and unknown
    double pivot;       // product of both
} Candidate;

static double *entry_B(StickMlcpWork *work, int i, int j)
{
    return &work->B[(size_t)j * (size_t)work->l + (size_t)i];
}

static double *entry_C(StickMlcpWork *work, int i, int j)
{
    return &work->C[(size_t)j * (size_t)work->m + (size_t)i];
}

static void copy_matrices(StickMlcpWork *work)
{
    for (int j = 0; j < work->m; j++) {
        work->place[j] = -1;
        for (int k = 0; k < work->l; k++) {
            *entry_B(work, k, j) = stick_mlcp_B(work, k, j);
            *entry_C(work, j, k) = stick_mlcp_C(work, j, k);
        }
    }
    for (int k = 0; k < work->l; k++) {
        work->row[k] = work->col[k] = k;
        work->u[k] = work->lambda[k];
    }
}

static Candidate candidate(StickMlcpWork *work, int j)
{
    Candidate found = {j, work->rank, work->rank, 0};
    for (int t = work->rank + 1; t < work->l; t++) {
        if (fabs(*entry_B(work, work->row[t], j)) > fabs(*entry_B(work, work->row[found.row], j)))
            found.row = t;
        if (fabs(*entry_C(work, j, work->col[t])) > fabs(*entry_C(work, j, work->col[found.col])))
            found.col = t;
    }
    double in_B = fabs(*entry_B(work, work->row[found.row], j));
    double in_C = fabs(*entry_C(work, j, work->col[found.col]));
    found.pivot = in_B > zero && in_C > zero ? in_B * in_C : 0;
    return found;
}

// Pairs of the start first, then pairs under compression, then the nearest.
static bool is_preferred(StickMlcpWork *work, const bool *start, Candidate a, Candidate b)
{
    if (start && start[a.pair] != start[b.pair])
        return start[a.pair];
    bool presses_a = work->u[work->row[a.row]] * *entry_B(work, work->row[a.row], a.pair) >= 0;
    bool presses_b = work->u[work->row[b.row]] * *entry_B(work, work->row[b.row], b.pair) >= 0;
    if (presses_a != presses_b)
        return presses_a;
    return work->eps[a.pair] < work->eps[b.pair];
}

static double best_pivot(StickMlcpWork *work)
{
    double best = 0;
    for (int j = 0; j < work->m; j++)
        if (work->place[j] < 0)
            best = fmax(best, candidate(work, j).pivot);
    return best;
}

static Candidate choose_pair(StickMlcpWork *work, const bool *start)
{
    StickMlcpOrder order = work->options->order;
    double best = best_pivot(work);
    Candidate chosen = {-1, 0, 0, 0};
    for (int j = 0; j < work->m && best > 0; j++) {
        Candidate found = candidate(work, j);
        bool given = start && start[j];
        double least = given ? fair : order == STICK_MLCP_LARGEST ? good : zero;
        if (work->place[j] >= 0 || found.pivot == 0 || found.pivot < least * best)
            continue;
        if (chosen.pair < 0 || (order == STICK_MLCP_LAST && (given || !start || !start[chosen.pair])) ||
            (order == STICK_MLCP_FIRST && given && !start[chosen.pair]) ||
            (order == STICK_MLCP_LARGEST && is_preferred(work, start, found, chosen)))
            chosen = found;
    }
    return chosen;
}

static void swap(int *list, int a, int b)
{
    int kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

// The next motion gets its pair; equations and unknowns that are left are cleared of it.
static void eliminate(StickMlcpWork *work, Candidate chosen)
{
    int t = work->rank, m = work->m, l = work->l;
    swap(work->row, t, chosen.row);
    swap(work->col, t, chosen.col);
    int i = work->row[t], c = work->col[t], j = chosen.pair;
    for (int s = t + 1; s < l; s++) {
        double by = *entry_B(work, work->row[s], j) / *entry_B(work, i, j);
        cblas_daxpy(m, -by, entry_B(work, i, 0), l, entry_B(work, work->row[s], 0), l);
        work->u[work->row[s]] -= by * work->u[i];
        by = *entry_C(work, j, work->col[s]) / *entry_C(work, j, c);
        cblas_daxpy(m, -by, entry_C(work, 0, c), 1, entry_C(work, 0, work->col[s]), 1);
    }
    work->pair[t] = j;
    work->place[j] = t;
    work->rank++;
}

// Largest entries of the reduced B, C and lambda when no further pair can be chosen.
static void measure_rest(StickMlcpWork *work, double *of_B, double *of_C, double *of_lambda)
{
    *of_B = *of_C = *of_lambda = 0;
    for (int t = work->rank; t < work->l; t++) {
        *of_lambda = fmax(*of_lambda, fabs(work->u[work->row[t]]));
        for (int j = 0; j < work->m; j++) {
            *of_B = fmax(*of_B, fabs(*entry_B(work, work->row[t], j)));
            *of_C = fmax(*of_C, fabs(*entry_C(work, j, work->col[t])));
        }
    }
}

StickSolveEnd stick_mlcp_choose(StickMlcpWork *work, const bool *start, StickMlcpInfo *info)
{
    double of_B, of_C, of_lambda;
    work->rank = work->k = 0;
    copy_matrices(work);
    while (work->rank < work->l) {
        Candidate chosen = choose_pair(work, start);
        if (chosen.pair < 0)
            break;
        eliminate(work, chosen);
    }
    if (work->rank == work->l)
        return STICK_SOLVE_CONVERGED;
    measure_rest(work, &of_B, &of_C, &of_lambda);
    info->neutral = work->l - work->rank;
    if (of_B <= zero && of_C <= zero && of_lambda <= zero * work->load)
        return STICK_SOLVE_CONVERGED;
    snprintf(
        info->solve.detail, sizeof info->solve.detail,
        "%d of %d free motions have no contact pair that constrains them; add pairs or fix these motions",
        info->neutral, work->l);
    return STICK_SOLVE_LIMIT;
}

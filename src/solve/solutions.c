// SPDX-License-Identifier: Apache-2.0
#include "solve/solutions.h"

#include "solve/section.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = STICK_SOLUTIONS_CONTACTS, ORDER = 2 * CONTACTS };

typedef enum Choice { OPEN, BACKWARD, FORWARD, STUCK } Choice;

static const double negative = 1e-10; // below minus this share of the largest is less than 0
static const double same = 1e-8;      // of the largest velocity: two motions that differ by less are one
static const double pivot = 1e-11;    // a smaller share of the diagonal: the row is dependent

// The problem without units: sqrt(w_c) r and u / sqrt(w_c), w_c the mean of the diagonal of W_cc.
typedef struct Small {
    int nc;
    double W[ORDER][ORDER], u_free[ORDER], root[CONTACTS];
    double limit[CONTACTS][2]; // -limit[0] r_N <= r_T <= limit[1] r_N
    double scale;              // of u
} Small;

static void limits(const StickFrictionProblem *problem, int c, double limit[2])
{
    const StickSection *section = stick_section_of(problem, c);
    limit[0] = section ? section->mu[0] : problem->mu[c];
    limit[1] = section ? section->mu[1] : problem->mu[c];
}

static const double *diagonal(const StickBlocks *W, int c)
{
    int k = W->start[c];
    while (W->col[k] != c)
        k++;
    return &W->value[4 * k];
}

static bool can_be_asked(const StickFrictionProblem *problem)
{
    int nc = problem->ncontacts;
    if (!problem->W || nc < 1)
        return false;
    bool is_round = !stick_section_of(problem, 0);
    return problem->dim == 2 ? nc <= CONTACTS : problem->dim == 3 && nc == 1 && is_round;
}

bool stick_solutions_may_differ(const StickFrictionProblem *problem)
{
    double limit[2], most = 0;
    if (!can_be_asked(problem))
        return false;
    for (int c = 0; c < problem->ncontacts; c++) {
        limits(problem, c, limit);
        most = fmax(most, fmax(limit[0], limit[1]));
    }
    const double *A = problem->W->value; // of the first block, where there is one contact
    double coupling = problem->dim == 2 ? fabs(A[1]) : hypot(A[1], A[2]);
    return most > 0 && (problem->ncontacts > 1 || most * coupling >= A[0]);
}

static void take_problem(const StickFrictionProblem *problem, Small *small)
{
    const StickBlocks *W = problem->W;
    *small = (Small){.nc = problem->ncontacts};
    for (int c = 0; c < small->nc; c++) {
        const double *A = diagonal(W, c);
        small->root[c] = A[0] + A[3] > 0 ? sqrt(0.5 * (A[0] + A[3])) : 1;
        limits(problem, c, small->limit[c]);
        for (int k = 0; k < 2; k++) {
            small->u_free[2 * c + k] = problem->u_free[2 * c + k] / small->root[c];
            small->scale = fmax(small->scale, fabs(small->u_free[2 * c + k]));
        }
    }
    for (int c = 0; c < small->nc; c++)
        for (int e = W->start[c]; e < W->start[c + 1]; e++)
            for (int k = 0; k < 4; k++)
                small->W[2 * c + k / 2][2 * W->col[e] + k % 2] =
                    W->value[4 * e + k] / (small->root[c] * small->root[W->col[e]]);
}

// ---- one choice for every contact

// Its unknowns: r = sum_j column_j x_j, with 0 = row_j.u, of each contact that touches r_N, of a stuck one r_T too.
typedef struct System {
    int n, row[ORDER];
    double column[ORDER][ORDER];
    double A[ORDER][ORDER + 1];
} System;

static void add_unknown(System *system, int c, int row, double r_N, double r_T)
{
    double *column = system->column[system->n];
    memset(column, 0, ORDER * sizeof *column);
    column[2 * c] = r_N;
    column[2 * c + 1] = r_T;
    system->row[system->n++] = 2 * c + row;
}

static void choose(const Small *small, const Choice *choice, System *system)
{
    system->n = 0;
    for (int c = 0; c < small->nc; c++) {
        const double *limit = small->limit[c];
        if (choice[c] == OPEN)
            continue;
        add_unknown(system, c, 0, 1, choice[c] == FORWARD ? -limit[0] : choice[c] == BACKWARD ? limit[1] : 0);
        if (choice[c] == STUCK)
            add_unknown(system, c, 1, 0, 1);
    }
    for (int i = 0; i < system->n; i++) {
        int row = system->row[i];
        system->A[i][system->n] = -small->u_free[row];
        for (int j = 0; j < system->n; j++) {
            system->A[i][j] = 0;
            for (int k = 0; k < 2 * small->nc; k++)
                system->A[i][j] += small->W[row][k] * system->column[j][k];
        }
    }
}

static void swap_rows(System *system, int i, int j)
{
    double row[ORDER + 1];
    memcpy(row, system->A[i], sizeof row);
    memcpy(system->A[i], system->A[j], sizeof row);
    memcpy(system->A[j], row, sizeof row);
}

// Gauss and Jordan, with the largest pivot of each column: x stands in the last column then.
static bool solve(System *system)
{
    int n = system->n;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(system->A[i][k]) > fabs(system->A[best][k]) ? i : best;
        if (!(fabs(system->A[best][k]) > pivot))
            return false;
        swap_rows(system, k, best);
        for (int i = 0; i < n; i++) {
            double factor = system->A[i][k] / system->A[k][k];
            for (int j = k; j <= n && i != k; j++)
                system->A[i][j] -= factor * system->A[k][j];
        }
    }
    for (int k = 0; k < n; k++)
        system->A[k][n] /= system->A[k][k];
    return true;
}

static void recover(const Small *small, const System *system, double *r, double *u)
{
    int order = 2 * small->nc;
    memset(r, 0, ORDER * sizeof *r);
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < order; k++)
            r[k] += system->column[j][k] * system->A[j][system->n];
    for (int i = 0; i < order; i++) {
        u[i] = small->u_free[i];
        for (int k = 0; k < order; k++)
            u[i] += small->W[i][k] * r[k];
    }
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// Inequalities of a combination: the signs of r and u.
static bool holds(const Small *small, const Choice *choice, const double *r, const double *u)
{
    double r_least = -negative * largest(r, 2 * small->nc),
           u_least = -negative * fmax(small->scale, largest(u, 2 * small->nc));
    for (int c = 0; c < small->nc; c++) {
        double N = r[2 * c], T = r[2 * c + 1], u_N = u[2 * c], u_T = u[2 * c + 1];
        bool good = choice[c] == OPEN       ? u_N >= u_least
                    : choice[c] == FORWARD  ? N >= r_least && u_T >= u_least
                    : choice[c] == BACKWARD ? N >= r_least && u_T <= -u_least
                                            : N >= r_least && T >= -small->limit[c][0] * N + r_least &&
                                                  T <= small->limit[c][1] * N - r_least;
        if (!good)
            return false;
    }
    return true;
}

// ---- all of them

// Compares u with units. For contacts of very different bodies the largest velocities decide.
static bool is_known(const StickSolutions *solutions, const StickFrictionProblem *problem, const double *u)
{
    int n = 2 * problem->ncontacts;
    for (int k = 0; k < solutions->count; k++) {
        const double *known = solutions->u[k];
        double apart = 0, size = fmax(largest(problem->u_free, n), fmax(largest(u, n), largest(known, n)));
        for (int i = 0; i < n; i++)
            apart = fmax(apart, fabs(u[i] - known[i]));
        if (apart <= same * size)
            return true;
    }
    return false;
}

static void add(StickSolutions *solutions, const StickFrictionProblem *problem, const Small *small,
                const double *r, const double *u)
{
    double own[ORDER];
    for (int i = 0; i < 2 * small->nc; i++)
        own[i] = u[i] * small->root[i / 2];
    if (solutions->count == STICK_SOLUTIONS_MOST || is_known(solutions, problem, own))
        return;
    for (int i = 0; i < 2 * small->nc; i++) {
        solutions->u[solutions->count][i] = own[i];
        solutions->r[solutions->count][i] = r[i] / small->root[i / 2];
    }
    solutions->count++;
}

void stick_solutions_find(const StickFrictionProblem *problem, StickSolutions *solutions)
{
    Small small;
    System system;
    Choice choice[CONTACTS];
    double r[ORDER], u[ORDER];
    if (problem->dim == 3) {
        stick_solutions_find_space(problem, solutions);
        return;
    }
    take_problem(problem, &small);
    solutions->count = 0;
    for (int code = 0; code < 1 << (2 * small.nc); code++) {
        for (int c = 0; c < small.nc; c++)
            choice[c] = (Choice)(code >> (2 * c) & 3);
        choose(&small, choice, &system);
        if (!solve(&system))
            continue;
        recover(&small, &system, r, u);
        if (holds(&small, choice, r, u))
            add(solutions, problem, &small, r, u);
    }
}

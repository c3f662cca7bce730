// SPDX-License-Identifier: Apache-2.0
// The inverse of the active system under changes of status: an unknown enters or leaves by bordering, O(order^2);
// after a number of these updates the inverse is recomputed.
#include "solve/path_following_work.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { MOST_UPDATES = 50 };
static const double weak = 1e-9;      // pivot that is not trusted, relative to its terms
static const double singular = 1e-13; // 1 / condition

// ---- entries

// Columns W (e_N + side mu e_T) of r_N and -side W e_T of phi; rows u_N and -side u_T.
static double entry(const StickPathFollowing *path, int i, int j)
{
    const double *W = path->W;
    size_t size = (size_t)path->size;
    if (path->per == 1)
        return W[(size_t)i + size * (size_t)j];
    int c = j / 2, side = path->side[c];
    const double *N = W + 2 * (size_t)c * size, *T = N + size;
    double value = j % 2 ? -side * T[i] : N[i] + side * path->mu[c] * T[i];
    return i % 2 ? -path->side[i / 2] * value : value;
}

void stick_path_following_column(const StickPathFollowing *path, int v, double *column)
{
    for (int k = 0; k < path->order; k++)
        column[k] = entry(path, path->member[k], v);
}

void stick_path_following_apply_inverse(StickPathFollowing *path, const double *rhs, double *x)
{
    if (path->order > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, path->order, path->order, 1, path->inverse, path->size, rhs,
                    1, 0, x, 1);
}

// ---- recomputing the inverse

static double largest_row_sum(int n, const double *A, int lead)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[(size_t)i + (size_t)lead * (size_t)j]);
        if (!(sum <= largest))
            largest = sum;
    }
    return largest;
}

bool stick_path_following_refactor(StickPathFollowing *path)
{
    int n = path->order, lead = path->size > 0 ? path->size : 1;
    path->info.refactorisations++;
    path->updates = 0;
    for (int k = 0; k < n; k++)
        stick_path_following_column(path, path->member[k], path->inverse + (size_t)lead * (size_t)k);
    double norm = largest_row_sum(n, path->inverse, lead);
    path->is_current =
        n == 0 || (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, path->inverse, lead, path->swaps) == 0 &&
                   LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, path->inverse, lead, path->swaps, path->lapack,
                                       64 * lead) == 0 &&
                   norm * largest_row_sum(n, path->inverse, lead) < 1 / singular);
    return path->is_current;
}

// ---- one unknown in or out

static void border_in(StickPathFollowing *path, int v)
{
    int n = path->order, lead = path->size;
    double *P = path->inverse, *Pa = path->x, *rowP = path->row, corner = entry(path, v, v),
           size = fabs(corner);
    stick_path_following_column(path, v, path->rhs);
    stick_path_following_apply_inverse(path, path->rhs, Pa);
    for (int k = 0; k < n; k++) {
        path->rhs[k] = entry(path, v, path->member[k]);
        corner -= path->rhs[k] * Pa[k];
        size += fabs(path->rhs[k] * Pa[k]);
    }
    path->is_current = fabs(corner) > weak * size;
    if (!path->is_current)
        return;
    if (n > 0) {
        cblas_dgemv(CblasColMajor, CblasTrans, n, n, 1, P, lead, path->rhs, 1, 0, rowP, 1);
        cblas_dger(CblasColMajor, n, n, 1 / corner, Pa, 1, rowP, 1, P, lead);
    }
    for (int k = 0; k < n; k++) {
        P[(size_t)k + (size_t)lead * (size_t)n] = -Pa[k] / corner;
        P[(size_t)n + (size_t)lead * (size_t)k] = -rowP[k] / corner;
    }
    P[(size_t)n + (size_t)lead * (size_t)n] = 1 / corner;
}

static void swap_places(StickPathFollowing *path, int p, int q)
{
    size_t lead = (size_t)path->size;
    int u = path->member[p], v = path->member[q];
    path->member[p] = v;
    path->member[q] = u;
    path->place[u] = q;
    path->place[v] = p;
    cblas_dswap(path->order, path->inverse + (size_t)p, (int)lead, path->inverse + (size_t)q, (int)lead);
    cblas_dswap(path->order, path->inverse + lead * (size_t)p, 1, path->inverse + lead * (size_t)q, 1);
}

// Row and column of the last member leave: P - P_:n P_n: / P_nn.
static void border_out(StickPathFollowing *path)
{
    int n = path->order - 1, lead = path->size;
    double *P = path->inverse, *column = P + (size_t)lead * (size_t)n, pivot = column[n], largest = 0;
    for (int k = 0; k <= n; k++)
        largest = fmax(largest, fmin(fabs(column[k]), fabs(P[(size_t)n + (size_t)lead * (size_t)k])));
    path->is_current = fabs(pivot) > weak * largest;
    if (path->is_current && n > 0)
        cblas_dger(CblasColMajor, n, n, -1 / pivot, column, 1, P + n, lead, P, lead);
}

static void enter(StickPathFollowing *path, int v)
{
    if (path->is_current)
        border_in(path, v);
    path->place[v] = path->order;
    path->member[path->order++] = v;
    path->updates++;
    path->info.pivots++;
}

static void leave(StickPathFollowing *path, int v)
{
    if (path->place[v] != path->order - 1)
        swap_places(path, path->place[v], path->order - 1);
    if (path->is_current)
        border_out(path);
    path->order--;
    path->place[v] = -1;
    path->updates++;
    path->info.pivots++;
}

// phi of the other side is 2 mu r_N - phi, its equation the same with the other sign.
static void turn_stuck(StickPathFollowing *path, int c)
{
    int N = path->place[2 * c], F = path->place[2 * c + 1], lead = path->size;
    double *P = path->inverse;
    path->side[c] = (signed char)-path->side[c];
    if (!path->is_current)
        return;
    cblas_dscal(path->order, -1, P + F, lead);
    cblas_daxpy(path->order, 2 * path->mu[c], P + N, lead, P + F, lead);
    cblas_dscal(path->order, -1, P + (size_t)lead * (size_t)F, 1);
}

// ---- a new status

static bool has_phi(const StickPathFollowing *path, int c)
{
    return path->status[c] == STICK_PATH_FOLLOWING_STUCK;
}

// Removes unknowns that are not part of the next status; reverses the side of contacts that remain closed.
static void take_out(StickPathFollowing *path, int c)
{
    int N = path->per * c, next = path->next_status[c];
    bool turned = path->next_side[c] != path->side[c];
    if (path->status[c] == STICK_PATH_FOLLOWING_OPEN) {
        path->side[c] = path->next_side[c];
        return;
    }
    if (has_phi(path, c) && turned && next != STICK_PATH_FOLLOWING_OPEN) {
        turn_stuck(path, c);
        turned = false;
    }
    if (has_phi(path, c) && next != STICK_PATH_FOLLOWING_STUCK)
        leave(path, N + 1);
    if (next == STICK_PATH_FOLLOWING_OPEN || turned) {
        leave(path, N);
        path->side[c] = path->next_side[c];
    }
}

static void take_in(StickPathFollowing *path, int c)
{
    int N = path->per * c;
    if (path->next_status[c] != STICK_PATH_FOLLOWING_OPEN && path->place[N] < 0)
        enter(path, N);
    if (path->next_status[c] == STICK_PATH_FOLLOWING_STUCK && path->place[N + 1] < 0)
        enter(path, N + 1);
    path->status[c] = path->next_status[c];
}

static int count_changes(const StickPathFollowing *path)
{
    int count = 0;
    for (int c = 0; c < path->n; c++)
        if (path->status[c] != path->next_status[c])
            count += path->status[c] + path->next_status[c] == STICK_PATH_FOLLOWING_STUCK ? 2 : 1;
    return count;
}

bool stick_path_following_exchange(StickPathFollowing *path)
{
    // bordering costs about as many operations per entry as a new inverse does per order
    bool is_large = 2 * count_changes(path) > path->order + 8;
    path->is_current = path->is_current && !is_large;
    for (int c = 0; c < path->n; c++)
        take_out(path, c);
    for (int c = 0; c < path->n; c++)
        take_in(path, c);
    return (path->is_current && path->updates <= MOST_UPDATES) || stick_path_following_refactor(path);
}

// ---- solutions

void stick_path_following_scatter(const StickPathFollowing *path, const double *x, double *r)
{
    for (int c = 0; c < path->n; c++) {
        int v = path->per * c, N = path->place[v];
        r[v] = N < 0 ? 0 : x[N];
        if (path->per == 1)
            continue;
        double phi = path->place[v + 1] < 0 ? 0 : x[path->place[v + 1]];
        r[v + 1] = N < 0 || path->mu[c] == 0 ? 0 : path->side[c] * (path->mu[c] * x[N] - phi);
    }
}

// r of the members' x in the user's units, and u with the free part.
static void displace(StickPathFollowing *path, const double *u_free, double *r, double *u)
{
    stick_path_following_scatter(path, path->x, path->response);
    memset(r, 0, stick_path_following_entry(path, path->n) * sizeof *r);
    for (int c = 0; c < path->n; c++)
        for (int k = 0; k < path->per; k++)
            r[stick_path_following_entry(path, c) + (size_t)k] =
                path->response[path->per * c + k] / path->scale[c];
    stick_friction_apply(&path->problem, r, u);
    for (size_t i = 0; i < stick_path_following_entry(path, path->n); i++)
        u[i] += u_free[i];
}

// Residual of the equations of the members, scaled; returns its largest value.
static double lack(const StickPathFollowing *path, const double *u, const double *held, double *rhs)
{
    double largest = 0;
    for (int k = 0; k < path->order; k++) {
        int v = path->member[k], c = v / path->per, tangential = v % path->per;
        double target = tangential && held ? held[c] : 0;
        double value =
            (target - u[stick_path_following_entry(path, c) + (size_t)tangential]) / path->scale[c];
        rhs[k] = tangential ? -path->side[c] * value : value;
        if (!(fabs(rhs[k]) <= largest))
            largest = fabs(rhs[k]);
    }
    return largest;
}

double stick_path_following_solve(StickPathFollowing *path, const double *u_free, const double *held,
                                  double *r, double *u)
{
    lack(path, u_free, held, path->rhs);
    stick_path_following_apply_inverse(path, path->rhs, path->x);
    displace(path, u_free, r, u);
    lack(path, u, held, path->rhs);
    stick_path_following_apply_inverse(path, path->rhs, path->row);
    for (int k = 0; k < path->order; k++)
        path->x[k] += path->row[k];
    displace(path, u_free, r, u);
    return lack(path, u, held, path->rhs);
}

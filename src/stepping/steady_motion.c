// SPDX-License-Identifier: Apache-2.0
#include "stepping/steady_problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

// A rigid motion v(x) = sum of z_k phi_k(x): translations along the axes of space, then rotations about a centre. Rings
// (axisymmetric bodies) only move along their axis.
enum { MOST_MOTIONS = 6 };

// Of the largest prescribed velocity of a body: velocities that differ by more from a rigid motion are not one.
static const double rigid_to = 1e-6;

// Eigenvalues of the normal equations below this part of the largest belong to motions that the supports do not determine.
static const double undetermined = 1e-12;

typedef struct Basis {
    int dim, count;
    bool ring;
    double centre[3], length;
} Basis;

static Basis basis_of(const StickSimulation *run, const StickBody *body, const StickSupport *support,
                      int count)
{
    int dim = run->system->dim;
    Basis basis = {.dim = dim,
                   .count = dim == 3   ? 6
                            : dim == 2 ? 3
                                       : 1,
                   .ring = dim == 2 && body->spec->plane == STICK_AXISYMMETRIC,
                   .length = 0};
    for (int j = 0; j < count; j++)
        for (int k = 0; k < dim; k++)
            basis.centre[k] += support[j].place[k] / count;
    for (int j = 0; j < count; j++)
        for (int k = 0; k < dim; k++)
            basis.length = fmax(basis.length, fabs(support[j].place[k] - basis.centre[k]));
    if (basis.ring)
        basis.count = 1;
    if (!(basis.length > 0))
        basis.length = 1;
    return basis;
}

// Component k of the motions phi at a place. A rotation moves by 1 at the distance length.
static void motions_at(const Basis *basis, const double x[3], int k, double phi[MOST_MOTIONS])
{
    int dim = basis->dim;
    double d[3] = {0};
    for (int j = 0; j < MOST_MOTIONS; j++)
        phi[j] = 0;
    if (basis->ring) {
        phi[0] = k == 1;
        return;
    }
    for (int j = 0; j < dim; j++)
        d[j] = (x[j] - basis->centre[j]) / basis->length;
    phi[k] = 1;
    if (dim == 2)
        phi[2] = k == 0 ? -d[1] : d[0];
    if (dim == 3) {
        phi[3 + (k + 1) % 3] = d[(k + 2) % 3]; // (omega x d)_k = omega_{k+1} d_{k+2} - omega_{k+2} d_{k+1}
        phi[3 + (k + 2) % 3] = -d[(k + 1) % 3];
    }
}

// Jacobi's method: A (count x count, symmetric) becomes diagonal, the columns of V its eigenvectors.
static void diagonalise(int count, double A[MOST_MOTIONS][MOST_MOTIONS], double V[MOST_MOTIONS][MOST_MOTIONS])
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            V[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < count; p++)
            for (int q = p + 1; q < count; q++) {
                if (fabs(A[p][q]) <= DBL_MIN)
                    continue;
                double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
                double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < count; k++) {
                    double kp = A[k][p], kq = A[k][q];
                    A[k][p] = c * kp - s * kq;
                    A[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < count; k++) {
                    double pk = A[p][k], qk = A[q][k], vp = V[k][p], vq = V[k][q];
                    A[p][k] = c * pk - s * qk;
                    A[q][k] = s * pk + c * qk;
                    V[k][p] = c * vp - s * vq;
                    V[k][q] = s * vp + c * vq;
                }
            }
}

// One prescribed velocity of a body.
typedef struct Row {
    double phi[MOST_MOTIONS];
    double speed, held; // held: the same where a velocity is given, 0 where a displacement is
    double size;        // of the prescribed motion
} Row;

static StickStatus row_of(const StickSimulation *run, const Basis *basis, const StickSupport *support,
                          bool moved, Row *row)
{
    const StickSystem *system = run->system;
    double t = run->state.next.t, h = run->spec->step, before = 0, now, x[3] = {0};
    int k = system->axis[support->dof], first = support->dof - k;
    STICK_TRY(stick_support_value(support, t, &now));
    if (support->displacement)
        STICK_TRY(stick_support_value(support, t - h, &before));
    for (int j = 0; j < system->dim; j++)
        x[j] = support->place[j] + (moved ? run->state.next.q[first + j] : 0);
    if (moved && support->displacement)
        x[k] = support->place[k] + now;
    motions_at(basis, x, k, row->phi);
    row->speed = support->displacement ? (now - before) / h : now;
    row->held = support->displacement ? 0 : now;
    // displacements at two times differ by their round-off
    row->size = fabs(row->speed) + (support->displacement ? DBL_EPSILON / rigid_to * fabs(now) / h : 0);
    return STICK_OK;
}

// The motion of least squares, the smallest of them where supports leave some undetermined: z for the velocities, y for
// those that are not displacements. worst: the support that is farthest from it, off by how much.
typedef struct Fit {
    double z[MOST_MOTIONS], y[MOST_MOTIONS];
    double off, size;
    int worst;
} Fit;

static StickStatus fit_motion(const StickSimulation *run, const Basis *basis, const StickSupport *support,
                              int count, bool moved, Fit *fit)
{
    double A[MOST_MOTIONS][MOST_MOTIONS] = {{0}}, V[MOST_MOTIONS][MOST_MOTIONS], largest = 0;
    int n = basis->count;
    Row row;
    *fit = (Fit){.off = 0};
    for (int j = 0; j < count; j++) {
        STICK_TRY(row_of(run, basis, &support[j], moved, &row));
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                A[a][b] += row.phi[a] * row.phi[b];
    }
    diagonalise(n, A, V);
    for (int a = 0; a < n; a++)
        largest = fmax(largest, A[a][a]);
    // the second pass corrects the rounding errors of the first
    for (int pass = 0; pass < 2; pass++) {
        double g[2][MOST_MOTIONS] = {{0}};
        for (int j = 0; j < count; j++) {
            STICK_TRY(row_of(run, basis, &support[j], moved, &row));
            double off[2] = {row.speed, row.held};
            for (int a = 0; a < n; a++) {
                off[0] -= row.phi[a] * fit->z[a];
                off[1] -= row.phi[a] * fit->y[a];
            }
            for (int a = 0; a < n; a++) {
                g[0][a] += row.phi[a] * off[0];
                g[1][a] += row.phi[a] * off[1];
            }
        }
        for (int e = 0; e < n; e++) {
            double along[2] = {0, 0};
            if (A[e][e] <= undetermined * largest)
                continue;
            for (int a = 0; a < n; a++) {
                along[0] += V[a][e] * g[0][a] / A[e][e];
                along[1] += V[a][e] * g[1][a] / A[e][e];
            }
            for (int a = 0; a < n; a++) {
                fit->z[a] += V[a][e] * along[0];
                fit->y[a] += V[a][e] * along[1];
            }
        }
    }
    for (int j = 0; j < count; j++) {
        STICK_TRY(row_of(run, basis, &support[j], moved, &row));
        double off = row.speed;
        for (int a = 0; a < n; a++)
            off -= row.phi[a] * fit->z[a];
        fit->size = fmax(fit->size, row.size);
        if (fabs(off) > fit->off) {
            fit->off = fabs(off);
            fit->worst = j;
        }
    }
    return STICK_OK;
}

static StickStatus refuse_motion(StickSimulation *run, const StickBody *body, const StickSupport *support,
                                 const Basis *basis, const Fit *fit)
{
    StickMark none = {0};
    char place[96] = "";
    run->trying = false;
    snprintf(place, sizeof place, run->system->dim == 3 ? "(%g, %g, %g)" : "(%g, %g)", support->place[0],
             support->place[1], support->place[2]);
    return stick_fail_at(
        run->ctx, STICK_BAD_INPUT, support->spec ? support->spec->mark : none,
        "step '%s', t = %g: the supports of body '%s' do not move it as a rigid body: component %c of the "
        "velocity "
        "at %s differs by %.3g from the nearest %s. In steady sliding each body keeps its shape; deform it "
        "by a quasistatic step before this one",
        run->spec->name, run->state.next.t, body->name, "xyz"[run->system->axis[support->dof]], place,
        fit -> off, basis -> ring ? "translation along the axis of the ring" : "rigid motion");
}

// Places of velocities are those of the reference configuration where strains are small, and the present ones where they
// are finite: there a motion about a fixed axis is rigid, and elastic forces do no work on it. The other ones are tried
// if that fails, for a finite rotation that is given by displacements, and for a velocity that is given by reference places.
static StickStatus find_motion(StickSimulation *run, int b, const StickSupport *support, int count)
{
    StickSteady *steady = run->steady;
    const StickBody *body = &run->system->body[b];
    Basis basis = basis_of(run, body, support, count);
    bool moved = body->finite;
    Fit fit = {.off = 0};
    if (count > 0)
        STICK_TRY(fit_motion(run, &basis, support, count, moved, &fit));
    if (fit.off > rigid_to * fit.size) {
        Fit other;
        STICK_TRY(fit_motion(run, &basis, support, count, !moved, &other));
        if (other.off > rigid_to * other.size)
            return refuse_motion(run, body, &support[fit.worst], &basis, &fit);
        fit = other;
        moved = !moved;
    }
    for (int i = body->first; i < body->first + body->ndofs; i++) {
        int k = run->system->axis[i], node = (i - body->first) / basis.dim;
        double x[3] = {0}, phi[MOST_MOTIONS];
        for (int j = 0; j < basis.dim; j++)
            x[j] = body->mesh.x[node * basis.dim + j] + (moved ? run->state.next.q[i - k + j] : 0);
        motions_at(&basis, x, k, phi);
        steady->velocity[i] = steady->carried[i] = 0;
        for (int a = 0; a < basis.count; a++) {
            steady->velocity[i] += phi[a] * fit.z[a];
            steady->carried[i] += phi[a] * fit.y[a];
        }
    }
    return STICK_OK;
}

StickStatus stick_steady_velocities(StickSimulation *run)
{
    const StickSystem *system = run->system;
    const StickSupports *all = &run->supports;
    for (int b = 0, first = 0; b < system->nbodies; b++) {
        int end = first, last = system->body[b].first + system->body[b].ndofs;
        while (end < all->count && all->support[end].dof < last)
            end++;
        STICK_TRY(find_motion(run, b, &all->support[first], end - first));
        first = end;
    }
    return STICK_OK;
}

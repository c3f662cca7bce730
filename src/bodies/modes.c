// SPDX-License-Identifier: Apache-2.0
#include "bodies/modes.h"

#include "base/memory.h"
#include "base/pi.h"
#include "bodies/rigid_motions.h"
#include "linalg/vibration.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double FREE = 1e-10; // of the largest eigenvalue of G: a motion that supports do not hold

// Data for making a basis.
typedef struct Maker {
    StickContext *ctx;
    const StickBody *body;
    const StickSupports *supports;
    int nfree;
    int *place;       // ndofs: among the degrees of freedom that are free, or -1
    StickSparse M, K; // free x free
    int nrigid;
    double *rigid; // nfree x nrigid, R' M R = I
} Maker;

// ---- supports

static StickStatus refuse_motion(const Maker *maker, const StickSupport *support)
{
    StickExpression *law = support->displacement ? support->displacement : support->velocity;
    double value = law ? 1 : 0;
    if (law && stick_expression_is_constant(law))
        STICK_TRY(stick_support_value(support, 0, &value));
    if (value == 0)
        return STICK_OK;
    return stick_fail_at(maker->ctx, STICK_BAD_INPUT, support->spec->mark,
                         "body '%s' moves by modes, and its supports must be at rest: give 0 here, or leave "
                         "'modes' out",
                         maker->body->name);
}

static StickStatus number_free(Maker *maker)
{
    const StickBody *body = maker->body;
    STICK_ALLOC(maker->ctx, maker->place, body->ndofs);
    for (int s = 0; s < maker->supports->count; s++) {
        int local = maker->supports->support[s].dof - body->first;
        if (local < 0 || local >= body->ndofs)
            continue;
        STICK_TRY(refuse_motion(maker, &maker->supports->support[s]));
        maker->place[local] = -1;
    }
    for (int i = 0; i < body->ndofs; i++)
        if (maker->place[i] >= 0)
            maker->place[i] = maker->nfree++;
    STICK_TRY(stick_sparse_extract(maker->ctx, &body->M, maker->place, maker->nfree, maker->place,
                                   maker->nfree, &maker->M));
    return stick_sparse_extract(maker->ctx, &body->K, maker->place, maker->nfree, maker->place, maker->nfree,
                                &maker->K);
}

// ---- motions as a rigid body

// Combinations of motions (columns of c) that vanish where supports hold.
static StickStatus free_motions(const Maker *maker, int *count,
                                double c[STICK_RIGID_MOTIONS][STICK_RIGID_MOTIONS])
{
    int n = stick_rigid_motions_count(maker->body);
    double value[STICK_RIGID_MOTIONS], work[64];
    stick_rigid_motions_held(maker->body, maker->supports, c);
    int info =
        LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, &c[0][0], STICK_RIGID_MOTIONS, value, work, 64);
    STICK_CHECK(maker->ctx, info == 0, STICK_NOT_SOLVED,
                "rigid motions of body '%s' could not be computed (LAPACK %d)", maker->body->name, info);
    *count = 0;
    while (*count < n && value[*count] <= FREE * value[n - 1])
        (*count)++;
    return STICK_OK;
}

// Column j made orthogonal to those before it, by M, twice; room: nfree.
static void orthonormalise(const Maker *maker, int j, double *room)
{
    int n = maker->nfree;
    double *x = maker->rigid + (size_t)j * (size_t)n;
    for (int pass = 0; pass < 2; pass++) {
        memset(room, 0, (size_t)n * sizeof *room);
        stick_sparse_multiply_transposed(&maker->M, 1, x, room);
        for (int k = 0; k < j; k++) {
            const double *y = maker->rigid + (size_t)k * (size_t)n;
            cblas_daxpy(n, -cblas_ddot(n, y, 1, room, 1), y, 1, x, 1);
        }
        cblas_dscal(n, 1 / sqrt(stick_sparse_form(&maker->M, x, x)), x, 1);
    }
}

static StickStatus find_rigid(Maker *maker)
{
    const StickBody *body = maker->body;
    double c[STICK_RIGID_MOTIONS][STICK_RIGID_MOTIONS], motion[STICK_RIGID_MOTIONS], *room;
    double size = stick_rigid_motions_size(body);
    size_t n = (size_t)maker->nfree;
    STICK_TRY(free_motions(maker, &maker->nrigid, c));
    maker->nrigid = maker->nrigid < maker->nfree ? maker->nrigid : maker->nfree;
    STICK_ALLOC(maker->ctx, maker->rigid, n * (size_t)maker->nrigid);
    for (int i = 0; i < body->ndofs; i++) {
        if (maker->place[i] < 0)
            continue;
        stick_rigid_motions_at(body, size, i, motion);
        for (int j = 0; j < maker->nrigid; j++)
            maker->rigid[(size_t)j * n + (size_t)maker->place[i]] =
                cblas_ddot(stick_rigid_motions_count(body), c[j], 1, motion, 1);
    }
    STICK_ALLOC(maker->ctx, room, n);
    for (int j = 0; j < maker->nrigid; j++)
        orthonormalise(maker, j, room);
    stick_free(maker->ctx, room);
    return STICK_OK;
}

// ---- modes

static StickStatus refuse_none(const Maker *maker, double lowest)
{
    const StickModesSpec *spec = &maker->body->spec->modes;
    return stick_fail_at(maker->ctx, STICK_BAD_INPUT, spec->mark,
                         "body '%s' has no mode below %g: the lowest is at %g; take 'below' higher",
                         maker->body->name, spec->below, sqrt(fmax(0, lowest)) / (2 * STICK_PI));
}

static StickStatus find_vibrations(const Maker *maker, StickVibration *vibration)
{
    const StickModesSpec *spec = &maker->body->spec->modes;
    double omega = 2 * STICK_PI * spec->below, lowest = 0;
    StickVibrationWish wish = {.below = spec->below > 0 ? omega * omega : INFINITY,
                               .count = spec->count > 0 ? spec->count - maker->nrigid : maker->nfree,
                               .nknown = maker->nrigid,
                               .known = maker->rigid};
    if (wish.count < 0)
        return stick_fail_at(maker->ctx, STICK_BAD_INPUT, spec->mark,
                             "body '%s' has %d modes, but %d rigid-body motions: request more modes",
                             maker->body->name, spec->count, maker->nrigid);
    if (spec->count > maker->nfree)
        return stick_fail_at(
            maker->ctx, STICK_BAD_INPUT, spec->mark,
            "body '%s' has %d modes, but only %d degrees of freedom: request fewer modes, or leave "
            "'modes' out",
            maker->body->name, spec->count, maker->nfree);
    StickStatus status = stick_vibration_find(maker->ctx, &maker->K, &maker->M, &wish, vibration, &lowest);
    if (status != STICK_OK)
        return stick_fail_at(
            maker->ctx, status, spec->mark,
            "modes of body '%s' could not be found: take fewer of them, or leave 'modes' out",
            maker->body->name);
    if (vibration->count + maker->nrigid > 0)
        return STICK_OK;
    stick_vibration_destroy(maker->ctx, vibration);
    return refuse_none(maker, lowest);
}

static void spread(const Maker *maker, const double *packed, double *column)
{
    for (int i = 0; i < maker->body->ndofs; i++)
        column[i] = maker->place[i] >= 0 ? packed[maker->place[i]] : 0;
}

// B = Phi' A Phi, symmetric to the bit; room: ndofs.
static void reduce(const StickModes *modes, const StickSparse *A, double *room, double *B)
{
    size_t n = (size_t)modes->ndofs, m = (size_t)modes->count;
    for (size_t j = 0; j < m; j++) {
        memset(room, 0, n * sizeof *room);
        stick_sparse_multiply_transposed(A, 1, modes->Phi + j * n, room);
        cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)m, 1, modes->Phi, (int)n, room, 1, 0, B + j * m,
                    1);
    }
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++)
            B[j * m + i] = B[i * m + j] = 0.5 * (B[j * m + i] + B[i * m + j]);
}

// K Phi of mode j, from K times it at held degrees of freedom; forces of supports balance the others.
static void spread_stiffness(const StickBody *body, int j, StickModes *modes)
{
    int n = modes->ndofs, dim = body->mesh.dim;
    double *KPhi = modes->KPhi + (size_t)j * (size_t)n, *MPhi = modes->MPhi + (size_t)j * (size_t)n;
    for (int i = 0; i < n; i++)
        KPhi[i] = modes->held[i] ? KPhi[i] : modes->value[j] * MPhi[i];
    for (int k = 0; k < dim; k++) {
        double sum = 0;
        int held = 0;
        for (int i = k; i < n; i += dim) {
            sum += KPhi[i];
            held += modes->held[i];
        }
        bool radius = dim == 2 && k == 0 && body->continuum.plane == STICK_AXISYMMETRIC;
        for (int i = k; i < n && !radius; i += dim)
            KPhi[i] -= modes->held[i] ? sum / held : 0;
    }
}

static void fill_stiffness(const StickBody *body, StickModes *modes)
{
    size_t n = (size_t)modes->ndofs, m = (size_t)modes->count;
    for (size_t j = 0; j < m; j++) {
        const double *Phi = modes->Phi + j * n;
        modes->value[j] = (int)j < modes->nrigid ? 0 : stick_sparse_form(&body->K, Phi, Phi);
        modes->K[j * m + j] = modes->value[j];
        stick_sparse_multiply_transposed(&body->K, 1, Phi, modes->KPhi + j * n);
        spread_stiffness(body, (int)j, modes);
    }
}

static StickStatus fill_damping(StickContext *ctx, double ratio, StickModes *modes)
{
    if (ratio == 0)
        return STICK_OK;
    STICK_ALLOC(ctx, modes->damped, modes->count);
    for (int j = modes->nrigid; j < modes->count; j++) {
        modes->damped[j] = 2 * ratio * sqrt(fmax(0, modes->value[j]));
        modes->C[(size_t)j * (size_t)(modes->count + 1)] += modes->damped[j];
    }
    return STICK_OK;
}

static StickStatus fill(const Maker *maker, const StickVibration *vibration, StickModes *modes)
{
    StickContext *ctx = maker->ctx;
    const StickBody *body = maker->body;
    size_t n = (size_t)body->ndofs, free = (size_t)maker->nfree;
    modes->ndofs = body->ndofs;
    modes->nrigid = maker->nrigid;
    modes->count = maker->nrigid + vibration->count;
    size_t m = (size_t)modes->count;
    STICK_ALLOC(ctx, modes->held, n);
    for (size_t i = 0; i < n; i++)
        modes->held[i] = maker->place[i] < 0;
    double **square[] = {&modes->M, &modes->C, &modes->K}, *room;
    STICK_ALLOC(ctx, modes->value, m);
    STICK_ALLOC(ctx, modes->Phi, n * m);
    STICK_ALLOC(ctx, modes->MPhi, n * m);
    STICK_ALLOC(ctx, modes->KPhi, n * m);
    for (int k = 0; k < 3; k++)
        STICK_ALLOC(ctx, *square[k], m * m);
    for (int j = 0; j < maker->nrigid; j++)
        spread(maker, maker->rigid + (size_t)j * free, modes->Phi + (size_t)j * n);
    for (int j = 0; j < vibration->count; j++)
        spread(maker, vibration->vector + (size_t)j * free, modes->Phi + (size_t)(maker->nrigid + j) * n);
    for (size_t j = 0; j < m; j++)
        stick_sparse_multiply_transposed(&body->M, 1, modes->Phi + j * n, modes->MPhi + j * n);
    STICK_ALLOC(ctx, room, n);
    reduce(modes, &body->M, room, modes->M);
    reduce(modes, &body->C, room, modes->C);
    stick_free(ctx, room);
    fill_stiffness(body, modes);
    return fill_damping(ctx, body->spec->modes.damping, modes);
}

static StickStatus make(Maker *maker, StickModes *modes)
{
    StickVibration vibration;
    STICK_TRY(number_free(maker));
    STICK_TRY(find_rigid(maker));
    STICK_TRY(find_vibrations(maker, &vibration));
    StickStatus status = fill(maker, &vibration, modes);
    stick_vibration_destroy(maker->ctx, &vibration);
    return status;
}

StickStatus stick_modes_create(StickContext *ctx, const StickBody *body, const StickSupports *supports,
                               StickModes **modes)
{
    Maker maker = {.ctx = ctx, .body = body, .supports = supports};
    StickModes *created;
    STICK_ALLOC(ctx, created, 1);
    StickStatus status = make(&maker, created);
    stick_free(ctx, maker.place);
    stick_free(ctx, maker.rigid);
    stick_sparse_destroy(ctx, &maker.M);
    stick_sparse_destroy(ctx, &maker.K);
    if (status != STICK_OK) {
        stick_modes_destroy(ctx, created);
        return status;
    }
    *modes = created;
    return STICK_OK;
}

void stick_modes_destroy(StickContext *ctx, StickModes *modes)
{
    if (!modes)
        return;
    double *array[] = {modes->value, modes->damped, modes->Phi, modes->MPhi,
                       modes->KPhi,  modes->M,      modes->C,   modes->K};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        stick_free(ctx, array[k]);
    stick_free(ctx, modes->held);
    stick_free(ctx, modes);
}

// ---- products

double stick_modes_project(const StickModes *modes, const StickSparse *M, double *x, double *room)
{
    int n = modes->ndofs;
    for (int i = 0; i < n; i++)
        x[i] = modes->held[i] ? 0 : x[i];
    double before = stick_sparse_form(M, x, x), kept = 0;
    memset(room, 0, (size_t)n * sizeof *room);
    for (int j = 0; j < modes->count; j++) {
        double z = cblas_ddot(n, modes->MPhi + (size_t)j * (size_t)n, 1, x, 1);
        cblas_daxpy(n, z, modes->Phi + (size_t)j * (size_t)n, 1, room, 1);
        kept += z * z;
    }
    memcpy(x, room, (size_t)n * sizeof *x);
    return before > 0 ? fmax(0, 1 - kept / before) : 0;
}

void stick_modes_felt(const StickModes *modes, const double *f, double *felt)
{
    int n = modes->ndofs;
    memset(felt, 0, (size_t)n * sizeof *felt);
    for (int j = 0; j < modes->count; j++) {
        double z = cblas_ddot(n, modes->Phi + (size_t)j * (size_t)n, 1, f, 1);
        cblas_daxpy(n, z, modes->MPhi + (size_t)j * (size_t)n, 1, felt, 1);
    }
}

void stick_modes_stiffness(const StickModes *modes, const double *q, double *Kq)
{
    int n = modes->ndofs;
    memset(Kq, 0, (size_t)n * sizeof *Kq);
    for (int j = modes->nrigid; j < modes->count; j++) {
        double z = cblas_ddot(n, modes->MPhi + (size_t)j * (size_t)n, 1, q, 1);
        cblas_daxpy(n, z, modes->KPhi + (size_t)j * (size_t)n, 1, Kq, 1);
    }
}

void stick_modes_damp(const StickModes *modes, const double *Mv, double *Cv)
{
    int n = modes->ndofs;
    for (int j = modes->nrigid; modes->damped && j < modes->count; j++) {
        double z = cblas_ddot(n, modes->Phi + (size_t)j * (size_t)n, 1, Mv, 1);
        cblas_daxpy(n, modes->damped[j] * z, modes->MPhi + (size_t)j * (size_t)n, 1, Cv, 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "bodies/products.h"

#include <string.h>

static bool is_damped(const StickBody *body)
{
    const StickMaterial *material = body->continuum.material;
    return material->viscosity_shear != 0 || material->viscosity_bulk != 0 || material->rayleigh_mass != 0 ||
           material->rayleigh_stiffness != 0;
}

// The matrices are symmetric with one pattern: row j is gathered from column j.
static void undamped(const StickBody *body, const double *q, const double *v, double *Mv, double *Kq)
{
    const StickSparse *M = &body->M;
    const double *m = M->value, *k = body->K.value;
    for (int j = 0; j < M->cols; j++) {
        double mv = 0, kq = 0;
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            int i = M->row[e];
            mv += m[e] * v[i];
            kq += k[e] * q[i];
        }
        Mv[j] = mv;
        Kq[j] = kq;
    }
}

static void damped(const StickBody *body, const double *q, const double *v, double *Mv, double *Cv, double *Kq)
{
    const StickSparse *M = &body->M;
    const double *m = M->value, *c = body->C.value, *k = body->K.value;
    for (int j = 0; j < M->cols; j++) {
        double mv = 0, cv = 0, kq = 0;
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            int i = M->row[e];
            mv += m[e] * v[i];
            cv += c[e] * v[i];
            kq += k[e] * q[i];
        }
        Mv[j] = mv;
        Cv[j] = cv;
        Kq[j] = kq;
    }
}

void stick_system_products(const StickSystem *system, const double *q, const double *v, double *Mv, double *Cv,
                           double *Kq)
{
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        int at = body->first;
        if (is_damped(body)) {
            damped(body, q + at, v + at, Mv + at, Cv + at, Kq + at);
        } else {
            undamped(body, q + at, v + at, Mv + at, Kq + at);
            memset(Cv + at, 0, (size_t)body->ndofs * sizeof *Cv);
        }
    }
}

void stick_system_stiffness(const StickSystem *system, const double *x, double *y)
{
    memset(y, 0, (size_t)system->ndofs * sizeof *y);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        stick_sparse_multiply_transposed(&body->K, 1, x + body->first, y + body->first);
    }
}

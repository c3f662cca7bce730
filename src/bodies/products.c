// SPDX-License-Identifier: Apache-2.0
#include "bodies/products.h"

#include "base/pool.h"
#include "bodies/modes.h"

#include <string.h>

static bool is_damped(const StickBody *body)
{
    const StickMaterial *material = body->continuum.material;
    return material->viscosity_shear != 0 || material->viscosity_bulk != 0 || material->rayleigh_mass != 0 ||
           material->rayleigh_stiffness != 0;
}

// x relative to the displacement of the body's first node. A translation costs no energy. But far from its reference
// place rounding errors of K times the displacement would act on a stiff body. (A ring also depends on its radius.)
static void without_translation(const StickBody *body, const double *x, double *relative)
{
    int dim = body->mesh.dim;
    for (int k = 0; k < dim; k++) {
        bool radius = dim == 2 && k == 0 && body->continuum.plane == STICK_AXISYMMETRIC;
        double shift = radius ? 0 : x[k];
        for (int i = k; i < body->ndofs; i += dim)
            relative[i] = x[i] - shift;
    }
}

// The matrices are symmetric with one pattern: row j is gathered from column j.
static void mass_and_stiffness(const StickBody *body, const double *q, const double *v, double *Mv,
                               double *Kq)
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

// Requested products.
typedef struct Products {
    const StickSystem *system;
    const double *q, *v;
    double *Mv, *Cv, *Kq;
} Products;

static void products_of_range(void *data, int from, int to)
{
    const Products *asked = data;
    const double *q = asked->q, *v = asked->v;
    double *Mv = asked->Mv, *Cv = asked->Cv, *Kq = asked->Kq;
    for (int b = from; b < to; b++) {
        const StickBody *body = &asked->system->body[b];
        int at = body->first;
        if (body->rigid) {
            stick_rigid_momentum(body->rigid, q + at, v + at, Mv + at);
            memset(Cv + at, 0, (size_t)body->ndofs * sizeof *Cv);
            memset(Kq + at, 0, (size_t)body->ndofs * sizeof *Kq);
            continue;
        }
        if (body->finite) {
            memset(Mv + at, 0, (size_t)body->ndofs * sizeof *Mv);
            stick_sparse_multiply_transposed(&body->M, 1, v + at, Mv + at);
        } else {
            // Cv is room for the relative displacements first
            without_translation(body, q + at, Cv + at);
            mass_and_stiffness(body, Cv + at, v + at, Mv + at, Kq + at);
        }
        memset(Cv + at, 0, (size_t)body->ndofs * sizeof *Cv);
        if (is_damped(body))
            stick_sparse_multiply_transposed(&body->C, 1, v + at, Cv + at);
        if (body->modes) {
            stick_modes_damp(body->modes, Mv + at, Cv + at);
            stick_modes_stiffness(body->modes, q + at, Kq + at);
        }
    }
}

void stick_system_products(const StickSystem *system, const double *q, const double *v, double *Mv,
                           double *Cv, double *Kq)
{
    Products asked = {system, q, v, Mv, Cv, Kq};
    stick_threads_range(system->ctx, system->nbodies, products_of_range, &asked);
}

void stick_system_stiffness(const StickSystem *system, double *x, double *y)
{
    memset(y, 0, (size_t)system->ndofs * sizeof *y);
    for (int b = 0; b < system->nbodies; b++) {
        const StickBody *body = &system->body[b];
        if (body->rigid)
            continue;
        if (body->modes) {
            stick_modes_stiffness(body->modes, x + body->first, y + body->first);
            continue;
        }
        without_translation(body, x + body->first, x + body->first);
        stick_sparse_multiply_transposed(&body->K, 1, x + body->first, y + body->first);
    }
}

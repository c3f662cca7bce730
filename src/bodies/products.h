// SPDX-License-Identifier: Apache-2.0
// Products of a system's matrices with its state, all bodies at once.
#ifndef BODIES_PRODUCTS_H
#define BODIES_PRODUCTS_H

#include "bodies/system.h"

// Mv = M v, Cv = C v, Kq = K q. Bodies without damping are skipped in Cv. Kq of bodies under finite deformation is
// not changed: their internal forces are not a product.
void stick_system_products(const StickSystem *system, const double *q, const double *v, double *Mv,
                           double *Cv, double *Kq);

// y = K x. x loses the translation of each body, which K does not feel.
void stick_system_stiffness(const StickSystem *system, double *x, double *y);

#endif

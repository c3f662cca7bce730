// SPDX-License-Identifier: Apache-2.0
// One contact alone, as in local.h, with another section than the disk. The normal eliminated,
//
//     r_T in r_N D_1,   -u_T in the normal cone of r_N D_1 at r_T,   u_T = S r_T + g             [JM91 (4.3)].
//
// An ellipse is the unit disk in the variables x with r_T = B x and B' u_T: the same law with mu = 1. Of a polygon all
// vertices and sides are tried.
#ifndef SOLVE_SECTION_LOCAL_H
#define SOLVE_SECTION_LOCAL_H

#include "solve/local.h"
#include "solve/section.h"

// b = u - A r from the present u and r of the contact; r goes out as the solution for this b. local is the StickLocal2
// or StickLocal3 of A, whatever its mu.
void stick_section_update(void *local, const StickSection *section, const double *u, double *r);

// One contact from its raw data: r comes in as the last iterate.
void stick_section_solve(const StickSection *section, const double *A, const double *b, double *r);

#endif

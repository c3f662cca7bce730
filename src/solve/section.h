// SPDX-License-Identifier: Apache-2.0
// Friction with another section D_1 than the disk: support function, projection and natural map of one contact.
// The cone is C = {r_N >= 0, r_T in r_N D_1}; what friction takes at r_N = 1 from a sliding u_T is
//
//     phi_1(u_T) = sup {u_T.t, t in -D_1}                                                          [JM91 (4.1)]
//
// and r = P_C(r - rho (u + phi_1(u_T) n)), rho > 0, is the whole contact law: with y = r - rho (...), r - y is in
// the normal cone of C at r, and its tangential part is that of the second formulation                  [JM91
// (4.7)].
#ifndef SOLVE_SECTION_H
#define SOLVE_SECTION_H

#include "solve/cone.h"
#include "solve/sums.h"

#include <stickslip/friction.h>

#include <stdbool.h>

// NULL: the disk of mu
static inline const StickSection *stick_section_of(const StickFrictionProblem *problem, int contact)
{
    return problem->section ? problem->section[contact] : NULL;
}

// Any contact of the problem has one.
bool stick_section_any(const StickFrictionProblem *problem);

// Refuses those of another dimension, without an interior around 0, or not convex.
StickStatus stick_section_check(StickContext *ctx, const StickSection *section, int dim, int contact);

// "elliptical", ...
const char *stick_section_name(const StickSection *section);

// The ellipse is the image of the unit disk: t = B x, B by rows.
void stick_section_map(const StickSection *section, double B[4]);

// phi_1 of the tangential part of u (dim)
double stick_section_lift(const StickSection *section, const double *u);

// The least s >= 0 with t in s D_1; t (dim - 1)
double stick_section_gauge(const StickSection *section, const double *t);

// p = the point of the cone C nearest to y
void stick_section_project(const StickSection *section, const double *y, double *p);

// t = the point of size * D_1 nearest to y, both tangential (dim - 1), size >= 0
void stick_section_nearest(const StickSection *section, double size, const double *y, double *t);

// Of t as a function of a size > 0 and of a y outside of size * D_1: t = d_size size + d_y y, with its derivatives
// d_size (dim - 1) and d_y (dim - 1 by dim - 1, by rows), which it has almost everywhere.
void stick_section_linearise(const StickSection *section, double size, const double *y, double *d_size,
                             double *d_y);

// Of any contact, with a section or with the disk of mu: the point p of its cone nearest to y (dim), and the
// derivatives of the point of z_N D_1 nearest to z_T, as above, for a z_T outside of it (dim).
void stick_friction_project(const StickFrictionProblem *problem, int contact, const double *y, double *p);
void stick_friction_linearise(const StickFrictionProblem *problem, int contact, const double *z,
                              double *d_size, double *d_y);

// P_C(r - rho (u + phi_1(u_T) n))
void stick_section_step(const StickSection *section, double rho, const double *r, const double *u, double *p);

// Adds a contact with r * s and u / s, and gives its squared defect, as stick_sums_add does for the disk.
double stick_section_sums_add(const StickSection *section, double s, const double *r, const double *u,
                              StickSums *sums);

// The dim of the problems that have such a section.
static inline int stick_section_dim(const StickSection *section)
{
    return section->kind == STICK_SECTION_INTERVAL ? 2 : 3;
}

#endif

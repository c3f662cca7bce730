// SPDX-License-Identifier: Apache-2.0
// One step for rigid and deformable bodies together [JM91 section 7]. With I and F its ends:
//
//     q_M = q_I + h/2 u_I                          H, lever arms, gaps, A and F are those at q_M, t + h/2 (surfaces: below)
//     A (u_L - u_I) = h F                          loose velocity; rigid: A = M, in space J(R_M) omega_L = L_I + h T
//     u_F = u_L + A^-1 H r                         contacts with gap(q_M) <= 0, their law between r and H' u_F
//     r <- 2/(1 + delta) r                         [JM91 section 7]: dissipation index by homogeneity
//     q_F = q_I + h/2 (u_I + u_F)
//
// Rotations in space are free (Euler's equations, bodies/free_rotation.h) from q_I to q_M with the spatial angular momentum L_I, and
// from q_M to q_F with L_F; loads, contact and joints change L in the middle: omega_I = J(R_M)^-1 L_I, L_F = J(R_M) omega_F. This
// is a symmetric splitting of second order; without moments L and the energy are those of the start to round-off, however
// fast the body turns. If a support prescribes a component of the angular velocity, R_M = exp(h/2 omega) R_I and
// R_F = exp(h/2 (omega_I + omega_F)) R_I instead.
// Deformable bodies go by theta: A = M + h theta C + h^2 theta^2 K, q_F = q_I + h (theta u_F + (1 - theta) u_I).
// Frames and H of deformable surfaces are those at q_H = (q_I + q_F) / 2, predicted with contact as in the step before: at q_M the
// geometric stiffness of contact feeds modes that the step does not resolve (docs/theory/schemes.md).
// Obstacles and supports stand at t + h/2 where they are prescribed to, and move with their mean velocity from there
// over h: then what sticks to them keeps its place on them.
#ifndef STEPPING_MOREAU_H
#define STEPPING_MOREAU_H

#include "stepping/simulation.h"

StickStatus stick_moreau_step(StickSimulation *run);

// The matrix of the step with bodies at q_M.
StickStatus stick_moreau_matrix(StickSimulation *run);

// q_F if the velocity after contact is v_F.
void stick_moreau_place(StickSimulation *run, const double *v_F, double *q);

#endif

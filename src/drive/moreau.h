// SPDX-License-Identifier: Apache-2.0
// One step for rigid and deformable bodies together [JM91 section 7]. With I and F its ends:
//
//     q_M = q_I + h/2 u_I                          H, lever arms, gaps, A and F are those at q_M, t + h/2
//     A (u_L - u_I) = h F                          loose velocity; rigid: A = M, in space J(R_M) omega_L = L_I + h T
//     u_F = u_L + A^-1 H r                         contacts with gap(q_M) <= 0, their law between r and H' u_F
//     r <- 2/(1 + delta) r                         [JM91 section 7]: dissipation index by homogeneity
//     q_F = q_I + h/2 (u_I + u_F)                  in space R_F = exp(h/2 (omega_I + omega_F)) R_I
//
// In space the spatial angular momentum L is what goes from step to step: q_M comes from omega = J(R_I)^-1 L_I, and all
// else of the step is with the inertia of its middle, omega_I = J(R_M)^-1 L_I and L_F = J(R_M) omega_F: free tops then
// have an error of order h^2, with omega of the ends it would be h.
// Deformable bodies go by theta: A = M + h theta C + h^2 theta^2 K, q_F = q_I + h (theta u_F + (1 - theta) u_I).
// Obstacles and supports stand at t + h/2 where they are prescribed to, and move with their mean velocity from there
// over h: then what sticks to them keeps its place on them.
#ifndef DRIVE_MOREAU_H
#define DRIVE_MOREAU_H

#include "drive/run.h"

StickStatus stick_moreau_step(StickRun *run);

// The matrix of the step with bodies at q_M.
StickStatus stick_moreau_matrix(StickRun *run);

// q_F if the velocity after contact is v_F.
void stick_moreau_place(StickRun *run, const double *v_F, double *q);

#endif

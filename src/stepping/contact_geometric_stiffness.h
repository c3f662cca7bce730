// SPDX-License-Identifier: Apache-2.0
// What contacts between two deformable bodies add to the tangent: frames that turn with the surface of the master, and
// springs that hold up bodies which are not stable by themselves.
//
//           s           a node s that presses on the piece 1-2 of length L with r_N: as the piece turns, r_N turns with it,
//        1--o-----2     and as s slides along, its share goes from 1 to 2. With H_N = n on (s, 1, 2), H_T along the piece and
//      --'         '--  H_0 = n on (2, -1), which turns the piece,
//
//     d(H_N r_N) = -r_N/L (H_T H_0' + H_0 H_T') dx - r_N gap/L^2 H_0 H_0' dx
//
// These terms couple the bodies. Their factors stay as they are: with rows G = (H, H_0), K_g = G C G' is taken into the
// condensed problem. Motions y = G' (x - x_k) from the iterate on follow from all forces, those of K_g among them:
//
//     y = y_free + W_G (R - shift - C y),      W_G = G' A^-1 G
//
// so that W = (I + W_G C)^-1 W_G of the contacts. Springs (stepping/contact_regularization.h) are rho on the diagonal of C. Terms of friction
// are left out: W stays symmetric.
#ifndef STEPPING_CONTACT_GEOMETRIC_STIFFNESS_H
#define STEPPING_CONTACT_GEOMETRIC_STIFFNESS_H

#include "stepping/simulation.h"

// Rows of a dense system that costs no more than the rest of an iteration.
enum { STICK_MOST_TURNING_ROWS = 1500 };

typedef struct StickContactGeometricStiffness {
    bool off;               // not asked for: contacts between bodies are as against obstacles
    bool on;                // contacts between bodies press
    bool used;              // it was on since this was cleared
    int most;               // rows that there may be: with more, all of this is left out ...
    bool told;              // ... and that was told
    StickContactSet rows;   // the contacts of the problem, then one for each piece that turns: its first row
    const StickBlocks *all; // W of the rows
    StickBlocks W;          // of the problem
    int n, m, nturned;      // rows of the contacts, all rows, pieces
    int *of;                // nturned: contact of a piece
    double *slope, *bend;   // nturned: r_N/L with the sign of the tangent, r_N gap/L^2
    double *spring;         // ncontacts: rho of those between bodies, or 0
    double *G, *D, *Y;      // m x m: W_G, I + W_G C; m x (1 + n): y without R, and by R
    double *y, *force;      // m: of the solution
    int *pivot;
    size_t of_capacity, slope_capacity, bend_capacity, spring_capacity, G_capacity, D_capacity, Y_capacity,
        y_capacity, force_capacity, pivot_capacity, start_capacity, col_capacity, value_capacity;
} StickContactGeometricStiffness;

void stick_contact_geometric_stiffness_destroy(StickContext *ctx, StickContactGeometricStiffness *turning);

// Which contacts of the run take part, as r (by slots of the memory) presses, with springs rho. q: where pieces are; NULL:
// none of them turns. The rows are those that W has to be asked for.
StickStatus stick_contact_geometric_stiffness_begin(StickSimulation *run,
                                                    StickContactGeometricStiffness *turning, const double *r,
                                                    double rho, const double *q);

// W and u_free of the run become those of the contacts alone. W of the run is that of the rows; x: the iterate; shift:
// dim per contact, what springs take off R.
StickStatus stick_contact_geometric_stiffness_condense(StickSimulation *run,
                                                       StickContactGeometricStiffness *turning,
                                                       const double *x, const double *shift);

// next.v += A^-1 G (R - shift - C y): R in r of the run.
StickStatus stick_contact_geometric_stiffness_apply(StickSimulation *run,
                                                    StickContactGeometricStiffness *turning,
                                                    const double *shift);

#endif

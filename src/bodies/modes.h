// SPDX-License-Identifier: Apache-2.0
// A deformable body that moves by few shapes [JM91 section 8]: q = Phi z, where the columns of Phi are its motions as a
// rigid body, as far as supports leave them free, and its lowest modes of vibration with the supports at rest.
//
// The interface remains displacements of nodes: q and v of the body lie in the span of Phi, and A^-1 becomes Phi
// (Phi' A Phi)^-1 Phi' (condense/step_matrix.h). The part of a force that no shape feels is a constraint force.
#ifndef BODIES_MODES_H
#define BODIES_MODES_H

#include "bodies/supports.h"

struct StickModes {
    int ndofs;         // of the body
    int count;         // shapes
    int nrigid;        // the first of them: motions as a rigid body
    bool *held;        // ndofs: by supports
    double *value;     // count: squares of angular frequencies
    double *damped;    // count: 2 ratio omega of each mode, added to the damping of the material; NULL: none
    double *Phi;       // ndofs x count, by columns: Phi' M Phi = I; zero where supports hold
    double *MPhi;      // ndofs x count: M Phi
    double *KPhi;      // ndofs x count: K Phi, which is M Phi times the value but for the forces of supports
    double *M, *C, *K; // count x count: Phi' M Phi, Phi' C Phi including `damped`, Phi' K Phi
};

// For a body with the key `modes`. Refused: supports that move the body, more modes than exist, and no modes at all.
StickStatus stick_modes_create(StickContext *ctx, const StickBody *body, const StickSupports *supports,
                               StickModes **modes);
void stick_modes_destroy(StickContext *ctx, StickModes *modes);

// x = Phi Phi' M x: projects a motion onto the shapes in the energy norm; held degrees of freedom become zero.
// Returns the lost part of x' M x.
double stick_modes_project(const StickModes *modes, const StickSparse *M, double *x, double *room);

// felt = M Phi Phi' f: the part of a force that moves the shapes.
void stick_modes_felt(const StickModes *modes, const double *f, double *felt);

// Kq of a q in the span of Phi. Rounding errors of K are excluded, so they do not move slow modes.
void stick_modes_stiffness(const StickModes *modes, const double *q, double *Kq);

// Cv += damping of the modes at Mv.
void stick_modes_damp(const StickModes *modes, const double *Mv, double *Cv);

#endif

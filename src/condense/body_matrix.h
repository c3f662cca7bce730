// SPDX-License-Identifier: Apache-2.0
// The step matrix of one body, A = m M + a C + b K on its free degrees of freedom, and its inverse: by factors of A
// or of a tangent, on modes, or as the small inverse of a rigid body.
#ifndef CONDENSE_BODY_MATRIX_H
#define CONDENSE_BODY_MATRIX_H

#include "bodies/system.h"
#include "linalg/factor.h"
#include "linalg/lu.h"

typedef struct StickBodyMatrix {
    int order;     // free degrees of freedom
    int nmodes;    // 0: none
    int *free;     // ndofs: place among the free ones, or -1
    double *rigid; // order x order: inverse of A, and ...
    double *block; // ... 36: M over all degrees of freedom; NULL: deformable
    StickSparse A; // free x free
    int *from;     // entries of A: where they stand in the pattern of the body's matrices
    StickFactor *factor;
    const double *tangent; // K to use; NULL: that of the body
    bool changed;          // the tangent changed since the last factorisation
    StickLu *lu;           // factors of a tangent that is not positive definite ...
    bool indefinite;       // ... which the present tangent is; computed when first needed
    bool has_lu;
    bool held; // by supports: it cannot move without deforming
    int generation;
    double *Phi;   // order x nmodes, by columns: modes at the free degrees of freedom
    double *modal; // nmodes x nmodes: Phi' A Phi, then its factor of Cholesky
    double *z;     // room: amplitudes of several right-hand sides, or a right-hand side
    size_t z_capacity;
} StickBodyMatrix;

// Pattern and analysis of a deformable body whose free degrees of freedom are numbered.
StickStatus stick_body_matrix_create(StickContext *ctx, const StickBody *body, StickBodyMatrix *own);
void stick_body_matrix_destroy(StickContext *ctx, StickBodyMatrix *own);

// Factors of a tangent that is stored in A: by Cholesky, or by LU if it is not positive definite, as beyond a
// stability limit. LU factors are computed with the first solve, as there may be none.
StickStatus stick_body_matrix_factor_tangent(StickContext *ctx, StickBodyMatrix *own);

// Factors on the modes; false if they are not positive definite.
bool stick_body_matrix_factor_modes(const StickBody *body, double m, double a, double b,
                                    StickBodyMatrix *own);

// Values of a vector of the system at the free degrees of freedom.
void stick_body_matrix_pack(const StickBody *body, const StickBodyMatrix *own, const double *v,
                            double *packed);

// A X = B for k right-hand sides by columns; X may be B.
StickStatus stick_body_matrix_solve(StickContext *ctx, StickBodyMatrix *own, const double *B, int k,
                                    double *X);

// Whether solves in halves (linalg/factor.h) are available.
bool stick_body_matrix_has_halves(const StickBodyMatrix *own);

#endif

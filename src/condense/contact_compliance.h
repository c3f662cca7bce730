// SPDX-License-Identifier: Apache-2.0
// Compliance S = E' A^-1 E of the degrees of freedom of deformable bodies that contacts may touch. Columns are solved
// when a contact first touches them, and are valid as long as the factors of A.
#ifndef CONDENSE_CONTACT_COMPLIANCE_H
#define CONDENSE_CONTACT_COMPLIANCE_H

#include "condense/step_matrix.h"
#include "contact/contact.h"

#include <stickslip/friction.h>

// Of one body; of a rigid body only the number is kept.
typedef struct StickBodyCompliance {
    int generation;  // of the factors that S belongs to
    int count;       // contact degrees of freedom that are free
    int *packed;     // count: their place among the free ones of the body
    int *column;     // count: their column in S, or -1 if it is not solved for yet
    int ntouched;    // those that contacts of this step touch ...
    int *touched;    // ... and count: which
    int *place;      // count: their place in that list
    double *compact; // ntouched x ntouched: S there
    size_t compact_capacity;
    bool has_compact; // it belongs to touched
    int ncolumns;     // solved for so far
    double *S;        // count x ncolumns
    size_t capacity;
} StickBodyCompliance;

typedef struct StickContactCompliance {
    StickContext *ctx;
    const StickSystem *system;
    StickStepMatrix *matrix;
    int *index; // ndofs of the system: place among its body's contact degrees of freedom, or -1
    int *owner; // ndofs of the system: the body
    StickBodyCompliance *body;
    long solves; // columns that were solved for
    double *Y;   // S H_d of one contact: touched x dim
    size_t Y_capacity;
    double *right; // right-hand sides of one solve
    size_t right_capacity;
    int *asked; // free degrees of freedom that are touched
    size_t asked_capacity;
} StickContactCompliance;

// One entry of H that counts: a free degree of freedom of a body.
typedef struct StickContactEntry {
    int contact;
    int index;       // among the contact degrees of freedom of the body
    const double *H; // dim values
} StickContactEntry;

StickStatus stick_contact_compliance_create(StickContext *ctx, const StickSystem *system,
                                            StickStepMatrix *matrix, const StickPairs *pairs,
                                            StickContactCompliance *compliance);
void stick_contact_compliance_destroy(StickContactCompliance *compliance);

// Drops the compliances of refactored bodies.
void stick_contact_compliance_renew(StickContactCompliance *compliance);

// Adds the contribution of body b to the blocks W_dc with c <= d, row by row: H_d' S H_c, by the entries of all its
// contacts, contact by contact.
StickStatus stick_contact_compliance_add(StickContactCompliance *compliance, int b,
                                         const StickContactEntry *entry, int nentries, StickBlocks *W);

#endif

// SPDX-License-Identifier: Apache-2.0
// Joints eliminated from a step: with rows G v = c of all joints, and D = 0 but for springs, where it is a compliance,
//
//     A (v - v_free) = H r + G' lambda,   G v + D lambda = c
//
// gives v by lambda = S^-1 (c - G A^-1 ...), S = G A^-1 G' + D, and contacts see W = H' (A^-1 - A^-1 G' S^-1 G A^-1) H.
// Rows that follow from those before them are found by their pivots in S and left out: their lambda is 0. Where masses
// differ by as much as such pivots, the rows are asked again as if all bodies had the mass 1.
// Bodies that joints hold together, directly or over others, are a group: contacts on one group see each other.
#ifndef CONDENSE_LINKS_H
#define CONDENSE_LINKS_H

#include "condense/joints.h"
#include "condense/step_matrix.h"
#include "contact/contact.h"

typedef struct StickLinks {
    StickContext *ctx;
    const StickSystem *system;
    StickStepMatrix *matrix;
    StickJoints *joints;
    int count; // rows
    const StickRow *row;
    double *c, *lambda, *D; // count
    double dependent;       // a pivot below this part of its diagonal: the row follows from those before it
    bool *dropped;          // count: follows from rows before it
    double *left;           // count: the pivot as part of the diagonal
    int *group;             // nbodies: the first body that it is held together with, itself if there is none
    int *first, *last;      // nbodies: rows of the group of that body
    int *low;               // count: first row that it is coupled to in S ...
    size_t *at;             // ... and where its entries, from low to its own, begin in L
    double *L;              // Cholesky's factor of S by rows
    double *L_shape;        // the same with masses of 1, where it was asked for, and ...
    int *shaped;            // ... nbodies: of a group the rows before this one
    double (*AG)[2][STICK_RIGID_DOFS]; // count: A^-1 G'
    double *work;                      // count
    double *z;                         // 3 count
} StickLinks;

// NULL without joints. panel: see stick_translation_init.
StickStatus stick_links_create(StickContext *ctx, const StickSystem *system, StickStepMatrix *matrix,
                               double panel, StickLinks **links);
void stick_links_destroy(StickLinks *links);

// What the pivot of a row that does not follow from others leaves at least, unless more is asked for.
#define STICK_LINKS_DEPENDENT 1e-9

// Rows at q and t with the matrix as it is, and the factor of S. D comes from outside; a row whose D is below 0 is not
// there. lambda becomes 0.
StickStatus stick_links_set(StickLinks *links, const double *q, double t);

// lambda += S^-1 (c - D lambda - G v), and v with it: all rows that are not left out hold.
void stick_links_hold(StickLinks *links, double *v);

// G v of a row
double stick_links_velocity(const StickLinks *links, int row, const double *v);

// Sum of the sizes of its terms
double stick_links_terms(const StickLinks *links, int row, const double *v);

// How many rows are left out because they follow from others.
int stick_links_followers(const StickLinks *links);

// p += G' lambda
void stick_links_scatter(const StickLinks *links, const double *lambda, double *p);

// z = L^-1 G A^-1 H of a contact, (last - first) x dim, over the rows of one group; group: its first body.
void stick_links_contact(StickLinks *links, int group, const StickContactSet *set, int contact, double *z);

// Whether joints leave a contact no way to open or close, as at a pin: then it has nothing to say.
bool stick_links_block(StickLinks *links, const StickContactSet *set, int contact);

#endif

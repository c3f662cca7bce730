// SPDX-License-Identifier: Apache-2.0
// Joints eliminated from a step: with rows G v = c of all joints, and D = 0 but for springs, where it is a compliance,
//
//     A (v - v_free) = H r + G' lambda,   G v + D lambda = c
//
// gives v by lambda = S^-1 (c - G A^-1 ...), S = G A^-1 G' + D, and contacts see W = H' (A^-1 - A^-1 G' S^-1 G A^-1) H.
// Redundant rows are found by their pivots in S and dropped: their lambda is 0. With mass ratios near the pivot
// threshold, the rank test is repeated with unit masses. Bodies connected by joints, directly or over others, form a
// group: contacts on one group are coupled.
#ifndef CONDENSE_JOINT_ELIMINATION_H
#define CONDENSE_JOINT_ELIMINATION_H

#include "condense/joint_rows.h"
#include "condense/step_matrix.h"
#include "contact/contact.h"

typedef struct StickJointElimination {
    StickContext *ctx;
    const StickSystem *system;
    StickStepMatrix *matrix;
    StickJointRows *joints;
    int count; // rows
    const StickRow *row;
    double *c, *lambda, *D; // count
    double dependent;       // pivot, relative to its diagonal, below which a row is redundant
    bool *dropped;          // count: redundant
    double *left;           // count: the pivot relative to the diagonal
    int *group;             // nbodies: the first body connected with it, itself if there is no other
    int *first, *last;      // nbodies: rows of the group of that body
    int *low;               // count: first row that it is coupled to in S ...
    size_t *at;             // ... and where its entries, from low to its own, begin in L
    double *L;              // Cholesky's factor of S by rows
    double *L_shape;        // the same with unit masses, where requested, and ...
    int *shaped;            // ... nbodies: rows of the group before this one
    double (*AG)[2][STICK_RIGID_DOFS]; // count: A^-1 G'
    double *work;                      // count
    double *z;                         // 3 count
} StickJointElimination;

// NULL without joints. panel: see stick_translation_init.
StickStatus stick_joint_elimination_create(StickContext *ctx, const StickSystem *system,
                                           StickStepMatrix *matrix, double panel,
                                           StickJointElimination **links);
void stick_joint_elimination_destroy(StickJointElimination *links);

// Default of the smallest relative pivot of a row that is not redundant.
#define STICK_LINKS_DEPENDENT 1e-9

// Rows at q and t with the present matrix, and the factor of S. The caller sets D; rows with D < 0 are absent. Sets
// lambda to 0.
StickStatus stick_joint_elimination_set(StickJointElimination *links, const double *q, double t);

// lambda += S^-1 (c - D lambda - G v), and updates v: all rows that are not dropped hold.
void stick_joint_elimination_hold(StickJointElimination *links, double *v);

// G v of a row
double stick_joint_elimination_velocity(const StickJointElimination *links, int row, const double *v);

// Sum of the sizes of its terms
double stick_joint_elimination_terms(const StickJointElimination *links, int row, const double *v);

// Number of rows that are dropped because they are redundant.
int stick_joint_elimination_followers(const StickJointElimination *links);

// p += G' lambda
void stick_joint_elimination_scatter(const StickJointElimination *links, const double *lambda, double *p);

// z = L^-1 G A^-1 H of a contact, (last - first) x dim, over the rows of one group; group: its first body.
void stick_joint_elimination_contact(StickJointElimination *links, int group, const StickContactSet *set,
                                     int contact, double *z);

// Whether joints block every relative motion of a contact, as at a pin: then the contact is not needed.
bool stick_joint_elimination_block(StickJointElimination *links, const StickContactSet *set, int contact);

#endif

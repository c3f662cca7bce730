// SPDX-License-Identifier: Apache-2.0
// Whether a structure of rigid bodies stands: how many of its bodies have fallen, and how far the others have moved
// (docs/reference/results.md, "Collapse").
#ifndef OUTPUT_COLLAPSE_H
#define OUTPUT_COLLAPSE_H

#include "contact/translation.h"
#include "output/checkpoint.h"
#include "output/ledger_tables.h"

// The bodies of the structure carry a contact force before they have moved by 1 % of their thickness. Displacements and
// speeds are relative to the foundation: the obstacle, or the body with prescribed motion, that most of them stand on.
typedef struct StickCollapse {
    StickContext *ctx;
    const StickSystem *system;
    StickBook book;
    bool wanted;
    double *member;               // nbodies: 1 if it belongs to the structure
    double *thickness;            // nbodies: least extent of a rigid body along its own axes
    bool founded;                 // the foundation is known
    int foundation;               // obstacle o: -1 - o; body b: b; NOT_FOUNDED: the structure stands on none
    double start[3];              // displacement of the foundation when the run began
    StickTranslation translation; // of an obstacle
} StickCollapse;

// Whether a model has a structure: rigid bodies that are not all balls, gravity, dynamic steps, and no mechanism.
bool stick_collapse_wanted(const StickSystem *system);

// Columns of its table.
void stick_collapse_book(StickBook *book, const StickSystem *system);

StickStatus stick_collapse_init(StickContext *ctx, const StickSystem *system, StickCollapse *collapse);
void stick_collapse_destroy(StickCollapse *collapse);

// Takes the present state of a run into account and fills the row of the book.
StickStatus stick_collapse_see(StickCollapse *collapse, const StickSimulation *run);

// As part of a checkpoint.
StickStatus stick_collapse_put(StickCheckpointWriter *writer, const StickCollapse *collapse);
StickStatus stick_collapse_get(const StickCheckpoint *checkpoint, StickCollapse *collapse);

#endif

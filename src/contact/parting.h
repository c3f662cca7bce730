// SPDX-License-Identifier: Apache-2.0
// Rigid bodies that overlap at the start of a model: refused by name, kept, or moved apart as little as their masses ask for.
#ifndef CONTACT_PARTING_H
#define CONTACT_PARTING_H

#include "contact/contact.h"

typedef struct StickParting {
    StickContext *ctx;
    const StickSystem *system;
    StickStartOverlap overlap; // what the step says of contacts that say nothing
    const bool *prescribed;    // ndofs
    StickPairs *pairs;
    StickDetection where;
    double *q;            // where.q, may be changed
    StickContactSet *set; // contacts at q
} StickParting;

// Refuses what must not overlap, and moves apart what may be moved. quiet: without the warning that says so.
StickStatus stick_part_bodies(const StickParting *parting, bool quiet);

#endif

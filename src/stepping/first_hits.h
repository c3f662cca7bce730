// SPDX-License-Identifier: Apache-2.0
// Contact before the first contact problem of a run: what bodies hit on the first half of their first step. Its impulses
// belong to what the first step reports: to its row of contacts, to the forces of bodies, to the record.
#ifndef STEPPING_FIRST_HITS_H
#define STEPPING_FIRST_HITS_H

#include "contact/contact_set.h"

#include <stickslip/certificate.h>

typedef struct StickSimulation StickSimulation; // stepping/simulation.h

typedef struct StickFirstHits {
    int count; // contacts; none in all steps but the first
    StickContact *contact;
    double *r;   // count * dim: impulses
    int *status; // count
    size_t capacity, r_capacity, status_capacity;
    double *p_N, *p_T; // ndofs: H r; NULL until there were hits
    int iterations;
    StickCertificate certificate;
} StickFirstHits;

// Keeps the contact problem that was just solved, and counts it.
StickStatus stick_first_hits_keep(StickSimulation *run);

// At the end of the first step: p_N and p_T of the run get the impulses of the hits, too.
void stick_first_hits_add(StickSimulation *run);

void stick_first_hits_destroy(StickContext *ctx, StickFirstHits *hits);

#endif

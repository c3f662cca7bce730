// SPDX-License-Identifier: Apache-2.0
// The state between two steps: all that the next step needs, and all that a checkpoint keeps.
#ifndef STEPPING_STATE_H
#define STEPPING_STATE_H

#include "contact/contact.h"

// Motion and forces at one time, over all degrees of freedom.
typedef struct StickMotion {
    double t;
    double *q, *v;
    // Follow from q, v and t; kept so that they are computed once.
    double *Mv, *Cv, *Kq, *F;
    // Newmark and quasistatics only: acceleration (zero), and the forces that belong to t.
    double *a, *Ma;
    double *contact_N, *contact_T; // of contact, normal and tangential part
    double *reaction;              // of the supports
    double
        *kick; // time steps: by how much contact changed the velocity in the step that led here, v - v_free
    double drive_N, drive_T; // power of the contact forces on moving obstacles
    // Bodies under finite deformation: Kq are their internal forces, and ...
    double *history; // ... what they keep, nhistory of the system;
    double stored;   // energy in them,
    double loss;     // and what they dissipated in the step that led here
} StickMotion;

// What a contact of rigid bodies remembers of the last step.
typedef struct StickKeyedMemory {
    StickContactKey key;
    double r[3];
    double speed;
    double state;   // of its law
    double held;    // with cohesion: 1 if it did not open, or 0
    double depth;   // penetration that is not corrected, at most 0: as first seen; after an impact it fades
    double settled; // 1: r is of a solve with StickSolveInfo.settled; or 0
    double kept;    // 1: bodies that overlapped at the start, it does not fade; or 0
    double closing; // W_NN r_N, the speed at which its load would close a gap; 0: open, or it carries nothing
    double hit;     // 1: of a sweep, bodies still approach until they touch; or 0
    double at_a[3],
        at_b[3];      // where it is on each body, in its axes from its mass centre; obstacles: in space
    double normal[3]; // from b to a, in the axes of b or in space. Hits: all three in the axes of space
} StickKeyedMemory;

// What a contact remembers from the last step in which it was a candidate, by pair and feature.
typedef struct StickContactMemory {
    int count;        // slots over all pairs
    int *first;       // slot of feature 0 of each pair ...
    int *features;    // ... and how many there are in each of its STICK_LAYERS layers
    double *r;        // count x dim: impulse, the next guess
    double *speed;    // count: sliding speed; 0 where it sticks
    double *pressure; // count
    double *known;    // count: 1 if it was a candidate in the last step, or 0
    double *depth;    // count: depth that is not recovered, at most 0
    double *kept;     // count, moreau: 1 for surfaces that overlapped at the start, or 0
    double *closing;  // count, moreau: as StickKeyedMemory.closing
    double *mu;       // count, quasistatics: friction of the last increment; 0: none yet ...
    double *turns;    // ... and how often it has gone to and fro (stepping/chatter.h)
    // Of rigid bodies: contacts of the last step, ascending by key.
    int nkeyed;
    StickKeyedMemory *keyed;
    size_t keyed_capacity;
    StickKeyedMemory *keyed_next; // filled at the end of a step, and exchanged with keyed
    size_t keyed_next_capacity;
} StickContactMemory;

typedef struct StickState {
    int n;
    long step;
    StickMotion now;
    StickMotion next; // filled during a step, exchanged with now at its end
    StickContactMemory memory;
} StickState;

StickStatus stick_state_create(StickContext *ctx, const StickSystem *system, const StickPairs *pairs,
                               StickState *state);
void stick_state_destroy(StickContext *ctx, StickState *state);

// Slot of a contact's memory.
static inline int stick_memory_slot(const StickContactMemory *memory, const StickContact *contact)
{
    return memory->first[contact->pair] + contact->layer * memory->features[contact->pair] + contact->feature;
}

// The first of what contacts of rigid bodies remember whose key is not less, or their number.
int stick_memory_place(const StickContactMemory *memory, const StickContactKey *key);

// What a contact of rigid bodies remembers, or NULL if it was not there in the last step.
const StickKeyedMemory *stick_memory_keyed(const StickContactMemory *memory, const StickContact *contact);

// Copies what contacts of rigid bodies remember.
StickStatus stick_memory_copy_keyed(StickContext *ctx, const StickContactMemory *from,
                                    StickContactMemory *to);

#endif

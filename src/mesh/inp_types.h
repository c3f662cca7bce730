// SPDX-License-Identifier: Apache-2.0
// Element types and cards of Abaqus and CalculiX: which are read, which are replaced, which are ignored.
#ifndef MESH_INP_TYPES_H
#define MESH_INP_TYPES_H

#include "mesh/mesh.h"

typedef struct StickInpType {
    StickShape shape;
    unsigned plane;        // which of StickMeshPlane the type states; 0: none
    const char *taken;     // the type that is taken
    const char *different; // meaning of the letters after it; NULL: no letters
    const char *advice;    // effect of this replacement
} StickInpType;

// false: the type is not supported.
bool stick_inp_type(const char *type, StickInpType *found);

typedef enum StickInpCardKind {
    STICK_INP_CARD_STRUCTURE, // *HEADING, *PART: no loss
    STICK_INP_CARD_COUPLING,  // *TIE, *EQUATION: parts that it connects stay apart
    STICK_INP_CARD_OTHER,     // materials, supports, loads, steps, output: they belong to the model file
} StickInpCardKind;

// Of a card that is not read; in capitals, without spaces.
StickInpCardKind stick_inp_card_kind(const char *word);

#endif

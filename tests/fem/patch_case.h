// SPDX-License-Identifier: Apache-2.0
// A kind of element on which a patch is tested.
#ifndef TESTS_FEM_PATCH_CASE_H
#define TESTS_FEM_PATCH_CASE_H

#include "mesh/shape.h"
#include "model/model.h"

typedef struct Case {
    StickShape shape;
    StickPlane plane;
    bool mean_dilatation;
    bool on_axis; // rings: the patch has nodes at radius 0
} Case;

#endif

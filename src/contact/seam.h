// SPDX-License-Identifier: Apache-2.0
// Seams of compounds. Faces between two shapes of one body are not part of its surface, but two shapes are compared without the
// others: where a body slides over a seam, the end of the next shape could stop it. Such contacts are removed.
//
//        ______________ other body          n at the corner of the right shape may be the normal of its hidden face:
//     ________|_________                    the direction out of that face leads into the left shape
//      left   | right   compound
#ifndef CONTACT_SEAM_H
#define CONTACT_SEAM_H

#include "contact/manifold.h"

#include <stdbool.h>

// Empties the manifold of shape i of a and shape j of b if its normal leads out of both bodies at none of its points.
void stick_seam_filter(const StickSolid *a, int i, const StickPlacedShape *at_a, const StickSolid *b, int j,
                       const StickPlacedShape *at_b, StickManifold *manifold);

#endif

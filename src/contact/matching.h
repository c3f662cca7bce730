// SPDX-License-Identifier: Apache-2.0
// Whether the meshes of two surfaces match: where they face each other, nodes lie opposite to nodes.
#ifndef CONTACT_MATCHING_H
#define CONTACT_MATCHING_H

#include "contact/surface.h"

// In the present places of both. Judged are the nodes that are nearest to the other surface, within the length of one of its
// facets, or of more where it is farther away. Surfaces that do not face each other anywhere do not match.
StickStatus stick_surfaces_match(StickContext *ctx, const StickSurface *a, const StickSurface *b,
                                 bool *match);

#endif

// SPDX-License-Identifier: Apache-2.0
// What is searched for contacts: the slave surface of a pair and its antagonist, at present places.
#ifndef CONTACT_SEARCH_H
#define CONTACT_SEARCH_H

#include "contact/contact_set.h"
#include "contact/interior.h"
#include "contact/obstacle.h"
#include "contact/surface.h"

typedef struct StickSearch {
    int pair;
    double reach;
    const StickSurface *slave;
    const StickObstacle *obstacle; // or, where it is NULL, ...
    const StickSurface *master;    // ... a surface with the tree of its pieces
    const StickBvh *tree;
    StickInterior *interior; // of the master's body; NULL: nothing can be lost in it
    StickLost *lost;         // what was left out so far, of all pairs
} StickSearch;

#endif

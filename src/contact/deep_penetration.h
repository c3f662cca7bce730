// SPDX-License-Identifier: Apache-2.0
// Slave points so deep inside the master body that the side of entry cannot be found.
#ifndef CONTACT_DEEP_PENETRATION_H
#define CONTACT_DEEP_PENETRATION_H

#include "contact/search.h"

// Counts the place of a feature if it is lost. hits is working memory.
StickStatus stick_deep_penetration_look(const StickSearch *search, int feature, const double place[3],
                                        StickHits *hits);

#endif

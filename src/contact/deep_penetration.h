// SPDX-License-Identifier: Apache-2.0
// Slave points that are deeper within the master body than contact can be told.
#ifndef CONTACT_DEEP_PENETRATION_H
#define CONTACT_DEEP_PENETRATION_H

#include "contact/search.h"

// Counts the place of a feature if it is lost. hits is working memory.
StickStatus stick_deep_penetration_look(const StickSearch *search, int feature, const double place[3],
                                        StickHits *hits);

#endif

// SPDX-License-Identifier: Apache-2.0
// Whether supports leave a body free to move as a whole, so that its stiffness is singular.
#ifndef CONDENSE_LOOSE_H
#define CONDENSE_LOOSE_H

#include "bodies/supports.h"

#include <stdbool.h>

// A body of one piece is loose if some rigid displacement, of the linear kind, is zero at all its supports.
bool stick_loose(const StickSystem *system, const StickSupports *supports, int body);

#endif

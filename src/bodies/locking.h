// SPDX-License-Identifier: Apache-2.0
// Warnings about elements that are too stiff for what a body is: locking, and elements of a file that state another plane.
#ifndef BODIES_LOCKING_H
#define BODIES_LOCKING_H

#include "bodies/system.h"

// Once per body; bodies of one `repeat` count as one.
StickStatus stick_locking_warn(const StickSystem *system);

#endif

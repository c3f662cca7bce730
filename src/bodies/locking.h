// SPDX-License-Identifier: Apache-2.0
// Warnings about elements that are too stiff: locking, and elements of a mesh file with another plane hypothesis.
#ifndef BODIES_LOCKING_H
#define BODIES_LOCKING_H

#include "bodies/system.h"

// Once per body; bodies of one `repeat` count as one.
StickStatus stick_locking_warn(const StickSystem *system);

#endif

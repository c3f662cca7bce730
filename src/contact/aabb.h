// SPDX-License-Identifier: Apache-2.0
// The box around a solid where it is, along the axes of space.
#ifndef CONTACT_AABB_H
#define CONTACT_AABB_H

#include "bodies/rigid.h"
#include "contact/bvh.h"

// Wider by the margin on all sides.
StickBox stick_aabb(const StickSolid *solid, const StickPose *pose, double margin);

#endif

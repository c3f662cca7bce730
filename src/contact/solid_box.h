// SPDX-License-Identifier: Apache-2.0
// The box around a solid where it is, along the axes of space.
#ifndef CONTACT_SOLID_BOX_H
#define CONTACT_SOLID_BOX_H

#include "bodies/rigid.h"
#include "contact/bvh.h"

// Wider by the margin on all sides.
StickBox stick_solid_box(const StickSolid *solid, const StickPose *pose, double margin);

#endif

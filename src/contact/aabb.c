// SPDX-License-Identifier: Apache-2.0
#include "contact/aabb.h"

#include "base/vec.h"

#include <math.h>

static void include_ball(StickBox *box, const double centre[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], centre[k] - radius);
        box->high[k] = fmax(box->high[k], centre[k] + radius);
    }
}

static void include_shape(StickBox *box, const StickPose *pose, const StickConvex *shape)
{
    double place[3];
    if (shape->kind == STICK_SHAPE_POLYTOPE) {
        for (int i = 0; i < shape->nvertices; i++) {
            stick_pose_place(pose, &shape->vertex[3 * i], place);
            include_ball(box, place, 0);
        }
    } else if (shape->kind == STICK_SHAPE_CAPSULE) {
        for (int end = -1; end <= 1; end += 2) {
            double x[3];
            stick_vec_axpy(shape->centre, end * shape->half_length, shape->axis, x);
            stick_pose_place(pose, x, place);
            include_ball(box, place, shape->radius);
        }
    } else {
        stick_pose_place(pose, shape->centre, place);
        include_ball(box, place, shape->bound);
    }
}

StickBox stick_aabb(const StickSolid *solid, const StickPose *pose, double margin)
{
    StickBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int s = 0; s < solid->nshapes; s++)
        include_shape(&box, pose, &solid->shape[s]);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= margin;
        box.high[k] += margin;
    }
    return box;
}

// SPDX-License-Identifier: Apache-2.0
// Rigid obstacles and how they move.
#ifndef MODEL_OBSTACLE_SPEC_H
#define MODEL_OBSTACLE_SPEC_H

#include "model/expression.h"

typedef enum StickObstacleKind {
    STICK_OBSTACLE_PLANE,    // point, normal (a line in 2D, a point on a line in 1D)
    STICK_OBSTACLE_POLYLINE, // 2D: points, the solid on the right of the direction of travel
    STICK_OBSTACLE_CIRCLE,   // 2D circle, 3D sphere: centre, radius
    STICK_OBSTACLE_CYLINDER, // 3D: point and axis, radius
} StickObstacleKind;

struct StickTimeHistory;

// A motion along a direction by a record (model/time_history.h).
typedef struct StickTimeHistorySpec {
    StickMark mark;
    struct StickTimeHistory *record;
    double along[3]; // as given: displacement = record times this
} StickTimeHistorySpec;

typedef struct StickObstacleSpec {
    char *name;
    StickMark mark;
    int material; // index, for rules of contact; -1: none
    StickObstacleKind kind;
    double point[3];  // plane: a point of it; circle, sphere: centre; cylinder: a point of the axis
    double normal[3]; // plane: out of the solid, length 1; cylinder: axis, length 1
    double radius;
    bool inside; // the bodies are inside of the circle, sphere or cylinder
    int npoints;
    double *points;                   // npoints x 2
    StickExpression *displacement[3]; // prescribed motion by displacement or by velocity, sees t; NULL: none
    StickExpression *velocity[3];
    int nrecords; // prescribed motion by records, instead: the sum of all
    StickTimeHistorySpec *record;
} StickObstacleSpec;

#endif

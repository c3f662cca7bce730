// SPDX-License-Identifier: Apache-2.0
// A cylinder with flat ends where it is: exact, with the points of its rims that stand for them.
//
//     end 0  |----------|  end 1    side: all n at right angles to z     rim: all n between
//            -half    half  --> z
#ifndef CONTACT_CYLINDER_H
#define CONTACT_CYLINDER_H

#include "contact/patch.h"

typedef struct StickCylinder {
    double centre[3];
    double x[3], y[3], z[3]; // fixed to the body
    double half, radius;
} StickCylinder;

// Names of points: those of a rim that are fixed to the body, and the one of each rim that is farthest along a direction.
enum { STICK_RIM = 8, STICK_RIM_FARTHEST = 16 };

void stick_cylinder_place(const StickPlacedShape *placed, const double from[3], StickCylinder *cylinder);

// The point farthest along a direction; on an end that is seen straight: its middle.
void stick_cylinder_support(const StickCylinder *cylinder, const double direction[3], double x[3]);

// How far it is.
double stick_cylinder_height(const StickCylinder *cylinder, const double direction[3]);

// The point of the rim of an end farthest along a direction; false: all are as far.
bool stick_cylinder_rim(const StickCylinder *cylinder, int end, const double direction[3], double x[3]);

// Is a point inside, or outside by no more than the slack?
bool stick_cylinder_holds(const StickCylinder *cylinder, const double x[3], double slack);

// The patch along a direction. `flat`: the other shape shows a flat face, so that steeper ends and sides count too;
// `toward`: not NULL if the end is the window, which then has finer corners and one on the side of this point.
void stick_cylinder_patch(const StickCylinder *cylinder, const double direction[3], bool flat,
                          const double *toward, StickContactPatch *patch);

// The direction along which a cylinder (as a) and a core or another cylinder (as b) are most apart: exact, as
// stick_separation_find and _corners in one. `end`: it is the axis of a (1) or b (2) because of an end of it.
bool stick_cylinder_core_axis(const StickCylinder *a, const StickCore *b, double limit,
                              const StickTolerance *tolerance, StickAxis *axis, int *end);
bool stick_cylinder_pair_axis(const StickCylinder *a, const StickCylinder *b, double limit,
                              const StickTolerance *tolerance, StickAxis *axis, int *end);

// A local maximum of s(n) on an arc n = cos(phi) u + sin(phi) w, phi from 0 to length, where a rim of the cylinder meets a
// line through `anchor` at right angles to u and w. Every one found goes to `offer`.
typedef struct StickRimArc {
    const StickCylinder *cylinder;
    double side; // -1: the cylinder is a, 1: b
    double u[3], w[3], length;
    double anchor[3];
} StickRimArc;

void stick_cylinder_rim_arc(const StickRimArc *arc, void (*offer)(void *search, const double n[3]),
                            void *search);

#endif

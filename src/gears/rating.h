// SPDX-License-Identifier: Apache-2.0
// Formulas for a pair of gears, for comparison with computed results: Hertzian pressure, stiffness of the standard.
#ifndef GEARS_RATING_H
#define GEARS_RATING_H

#include "model/model.h"

// Largest pressure of two flanks under a normal load over the whole face width, by the sum of their curvatures:
//     p = sqrt(load / face_width  curvature  E* / pi),   1 / E* = sum (1 - nu^2) / E   (plane stress: sum 1 / E)
// 0 without load; NaN where the flanks are not convex together.
double stick_gear_hertz(const StickModel *model, const StickGearPairSpec *spec, double load,
                        double curvature);

// Theoretical single stiffness c'_th of ISO 6336-1: normal load by face width and displacement along the line of action,
// of a pair of solid gears of the standard rack in the middle of single contact. For other materials than steel by the
// ratio of Young's moduli. NaN where the formula does not hold: shifts that do not sum up to -0.5 ... 2.
double stick_gear_standard_stiffness(const StickModel *model, const StickGearPairSpec *spec);

#endif

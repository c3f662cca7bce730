// SPDX-License-Identifier: Apache-2.0
#include "base/involute.h"

enum { MOST_STEPS = 60 };

// Newton's method for tau = tan a: f = tau - atan tau - inv is convex and increasing, so that from above it converges
// without a bracket.
double stick_involute_angle(double involute)
{
    if (!(involute > 0))
        return 0;
    // inv a >= tan^3 a / 3 (1 - 3/5 tan^2 a ...) for small a, and >= tan a - pi/2
    double tau =
        fmin(cbrt(3 * involute) * (1 + cbrt(9 * involute * involute)), involute + 1.5707963267948966);
    for (int k = 0; k < MOST_STEPS; k++) {
        double f = tau - atan(tau) - involute, next = tau - f * (1 + tau * tau) / (tau * tau);
        if (!(next < tau))
            break;
        tau = next;
    }
    return atan(tau);
}

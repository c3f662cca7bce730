// SPDX-License-Identifier: Apache-2.0
#include "gears/rating.h"

#include "base/pi.h"

#include <math.h>

static double compliance(const StickModel *model, const StickGearPairSpec *spec, int g)
{
    const StickMaterial *material = &model->material[spec->gear[g].material];
    bool stress = model->body[spec->body[g]].plane == STICK_PLANE_STRESS;
    return (stress ? 1 : 1 - material->poisson * material->poisson) / material->young;
}

double stick_gear_hertz(const StickModel *model, const StickGearPairSpec *spec, double load, double curvature)
{
    double both = compliance(model, spec, 0) + compliance(model, spec, 1);
    if (!(load > 0))
        return 0;
    return curvature > 0 ? sqrt(load / spec->face_width * curvature / (STICK_PI * both)) : (double)NAN;
}

double stick_gear_standard_stiffness(const StickModel *model, const StickGearPairSpec *spec)
{
    static const double steel = 206000, per_micrometre = 1000; // N/mm^2; N/(mm um) in N/mm^2
    int pinion = spec->gear[0].teeth <= spec->gear[1].teeth && !spec->gear[0].internal ? 0 : 1;
    const StickGearSpec *one = &spec->gear[pinion], *two = &spec->gear[1 - pinion];
    double a = 1.0 / one->teeth, b = two->internal ? 0 : 1.0 / two->teeth; // a ring counts as a rack
    double x = one->shift, y = two->internal ? 0 : two->shift;
    if (!(x + y >= -0.5 && x + y <= 2))
        return NAN;
    // q' in mm um/N  [ISO 6336-1, method B]
    double q = 0.04723 + 0.15551 * a + 0.25791 * b - 0.00635 * x - 0.11654 * x * a - 0.00193 * y -
               0.24188 * y * b + 0.00529 * x * x + 0.00182 * y * y;
    double first = model->material[one->material].young, second = model->material[two->material].young;
    return per_micrometre / q * 2 * first * second / (first + second) / steel;
}

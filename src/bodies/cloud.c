// SPDX-License-Identifier: Apache-2.0
#include "bodies/cloud.h"

#include "base/check.h"

#include <math.h>

// Beyond this, products of places would not be numbers.
static const double far = 1e60;

StickStatus stick_cloud_check(StickContext *ctx, const StickCloud *cloud, const char *shape, int least)
{
    if (cloud->count < least)
        return stick_fail_at(ctx, STICK_BAD_INPUT, cloud->mark, "%s: %s needs %d points or more, not %d",
                             cloud->who, shape, least, cloud->count);
    for (int i = 0; i < cloud->count; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(cloud->x[3 * (size_t)i + k]) <= far))
                return stick_fail_at(ctx, STICK_BAD_INPUT, cloud->mark, "%s: point %d has %c = %g",
                                     cloud->who, i + 1, "xyz"[k], cloud -> x[3 * (size_t)i + k]);
    return STICK_OK;
}

double stick_cloud_box(const StickCloud *cloud, double low[3], double high[3])
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = cloud->x[k];
        for (int i = 1; i < cloud->count; i++) {
            low[k] = fmin(low[k], cloud->x[3 * (size_t)i + k]);
            high[k] = fmax(high[k], cloud->x[3 * (size_t)i + k]);
        }
        size = fmax(size, high[k] - low[k]);
    }
    return size;
}

// SPDX-License-Identifier: Apache-2.0
#include <stickslip/certificate.h>

#include "base/memory.h"

#include <math.h>

// Sums of squares keep their range by a scale.
typedef struct Length {
    double scale;
    double sum;
} Length;

static void add(Length *length, double x)
{
    double size = fabs(x);
    if (size == 0)
        return;
    if (size > length->scale) {
        double ratio = length->scale / size;
        length->sum = length->sum * ratio * ratio + 1;
        length->scale = size;
    } else {
        double ratio = size / length->scale;
        length->sum += ratio * ratio;
    }
}

static double value(Length length)
{
    return length.scale * sqrt(length.sum);
}

// w_i = (M z + q)_i
static double image(const StickLcp *lcp, const double *z, int i)
{
    double w = lcp->q[i];
    for (int j = 0; j < lcp->n; j++)
        w += lcp->M[(size_t)j * (size_t)lcp->n + (size_t)i] * z[j];
    return w;
}

static double over(double error, double size)
{
    double ratio = error == 0 ? 0 : error / size;
    return isfinite(ratio) ? ratio : INFINITY;
}

StickStatus stick_certify_lcp(StickContext *ctx, const StickLcp *lcp, const double *z, double tolerance,
                              StickLcpCertificate *certificate)
{
    STICK_CHECK(ctx, lcp->n >= 0, STICK_BAD_INPUT, "a complementarity problem of order %d", lcp->n);
    STICK_CHECK(ctx, tolerance > 0, STICK_BAD_INPUT, "a tolerance of %g for a certificate", tolerance);
    StickLcpCertificate found = {.tolerance = tolerance};
    Length defect = {0}, q = {0}, zz = {0}, ww = {0};
    double products = 0;
    for (int i = 0; i < lcp->n; i++) {
        double w = image(lcp, z, i);
        add(&defect, fmin(z[i], w));
        add(&q, lcp->q[i]);
        add(&zz, z[i]);
        add(&ww, w);
        products += fabs(z[i] * w);
        found.negative_z = fmax(found.negative_z, -z[i]);
        found.negative_w = fmax(found.negative_w, -w);
        if (!isfinite(z[i]) || !isfinite(w))
            found.error = INFINITY;
    }
    if (isfinite(found.error)) {
        found.error = over(value(defect), value(q));
        found.complementarity = over(products, value(zz) * value(ww));
    } else {
        found.negative_z = found.negative_w = found.complementarity = INFINITY;
    }
    found.certified = found.error <= tolerance;
    *certificate = found;
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include <stickslip/certificate.h>

#include "base/memory.h"

#include <float.h>
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

static double entry(const StickLcp *lcp, int i, int j)
{
    return lcp->M[(size_t)j * (size_t)lcp->n + (size_t)i];
}

// w_i = (M z + q)_i
static double image(const StickLcp *lcp, const double *z, int i)
{
    double w = lcp->q[i];
    for (int j = 0; j < lcp->n; j++)
        w += entry(lcp, i, j) * z[j];
    return w;
}

static double largest(const StickLcp *lcp)
{
    double size = 0;
    for (int j = 0; j < lcp->n; j++)
        for (int i = 0; i < lcp->n; i++)
            size = fmax(size, fabs(entry(lcp, i, j)));
    return size > 0 ? size : 1;
}

// sqrt(d_i); a row or column of zeros has the size of M.
static double root_of_scale(const StickLcp *lcp, int i, double all)
{
    double row = 0, column = 0;
    for (int j = 0; j < lcp->n; j++) {
        row = fmax(row, fabs(entry(lcp, i, j)));
        column = fmax(column, fabs(entry(lcp, j, i)));
    }
    if (entry(lcp, i, i) > DBL_EPSILON * fmax(row, column))
        return sqrt(entry(lcp, i, i));
    return sqrt(sqrt(row > 0 ? row : all)) * sqrt(sqrt(column > 0 ? column : all));
}

static double over(double error, double size)
{
    double ratio = error == 0 ? 0 : error / size;
    return isfinite(ratio) ? ratio : INFINITY;
}

// Errors of a z that is finite, with its w.
static void measure(const StickLcp *lcp, const double *z, StickLcpCertificate *found)
{
    Length defect = {0}, q = {0}, scaled_defect = {0}, scaled_q = {0}, zz = {0}, ww = {0};
    double products = 0, all = largest(lcp);
    for (int i = 0; i < lcp->n; i++) {
        double w = image(lcp, z, i), root = root_of_scale(lcp, i, all);
        add(&defect, fmin(z[i], w));
        add(&q, lcp->q[i]);
        add(&scaled_defect, fmin(z[i] * root, w / root));
        add(&scaled_q, lcp->q[i] / root);
        add(&zz, z[i]);
        add(&ww, w);
        products += fabs(z[i] * w);
        found->negative_z = fmax(found->negative_z, -z[i]);
        found->negative_w = fmax(found->negative_w, -w);
    }
    found->error = over(value(defect), value(q));
    found->error_scale_free = over(value(scaled_defect), value(scaled_q));
    found->complementarity = over(products, value(zz) * value(ww));
}

static bool is_finite(const StickLcp *lcp, const double *z)
{
    for (int i = 0; i < lcp->n; i++)
        if (!isfinite(z[i]) || !isfinite(image(lcp, z, i)))
            return false;
    return true;
}

StickStatus stick_certify_lcp(StickContext *ctx, const StickLcp *lcp, const double *z, double tolerance,
                              StickLcpCertificate *certificate)
{
    STICK_CHECK(ctx, lcp->n >= 0, STICK_BAD_INPUT, "a complementarity problem of order %d", lcp->n);
    STICK_CHECK(ctx, tolerance > 0, STICK_BAD_INPUT, "a tolerance of %g for a certificate", tolerance);
    StickLcpCertificate found = {.tolerance = tolerance};
    if (is_finite(lcp, z))
        measure(lcp, z, &found);
    else
        found.error = found.error_scale_free = found.negative_z = found.negative_w = found.complementarity =
            INFINITY;
    found.certified = found.error <= tolerance && found.error_scale_free <= tolerance;
    *certificate = found;
    return STICK_OK;
}

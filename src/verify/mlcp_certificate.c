// SPDX-License-Identifier: Apache-2.0
#include <stickslip/certificate.h>

#include "base/check.h"

#include <math.h>

static double over(double error, double size)
{
    double ratio = error == 0 ? 0 : error / size;
    return isfinite(ratio) ? ratio : INFINITY;
}

// Not a number counts as infinite.
static double larger(double a, double b)
{
    return b <= a ? a : isfinite(b) ? b : INFINITY;
}

// (A p)_i and (C theta)_i
static double deformation(const StickMixedLcp *mates, const double *p, int i)
{
    double sum = 0;
    for (int j = 0; j < mates->m; j++)
        sum += mates->A[(size_t)j * (size_t)mates->m + (size_t)i] * p[j];
    return sum;
}

static double displacement(const StickMixedLcp *mates, const double *theta, int i)
{
    double sum = 0;
    for (int k = 0; k < mates->l; k++)
        sum += mates->C[(size_t)k * (size_t)mates->m + (size_t)i] * theta[k];
    return sum;
}

static double balance(const StickMixedLcp *mates, const double *p)
{
    double worst = 0;
    for (int k = 0; k < mates->l; k++) {
        double sum = mates->lambda[k], size = 0;
        for (int j = 0; j < mates->m; j++) {
            double part = mates->B[(size_t)j * (size_t)mates->l + (size_t)k] * p[j];
            sum -= part;
            size += fabs(part);
        }
        worst = larger(worst, over(fabs(sum), fmax(size, fabs(mates->lambda[k]))));
    }
    return worst;
}

// What separations are measured by; rigid bodies that touch at the start have only their motion.
static double size_of_gaps(const StickMixedLcp *mates, const double *p, const double *theta)
{
    double elastic = 0, rigid = 0;
    for (int i = 0; i < mates->m; i++) {
        elastic = larger(elastic, larger(fabs(mates->eps[i]), fabs(deformation(mates, p, i))));
        rigid = larger(rigid, fabs(displacement(mates, theta, i)));
    }
    return elastic > 0 ? elastic : rigid;
}

static void measure_pairs(const StickMixedLcp *mates, const double *p, const double *theta,
                          StickMlcpCertificate *found)
{
    double force = 0, gap = size_of_gaps(mates, p, theta);
    for (int i = 0; i < mates->m; i++)
        force = larger(force, fabs(p[i]));
    for (int i = 0; i < mates->m; i++) {
        double d = mates->eps[i] + deformation(mates, p, i) + displacement(mates, theta, i);
        double p_size = p[i] == 0 ? 0 : p[i] / force, d_size = d == 0 ? 0 : d / gap;
        found->negative_p = larger(found->negative_p, -p_size);
        found->negative_d = larger(found->negative_d, -d_size);
        found->complementarity =
            larger(found->complementarity, isfinite(d_size) ? fmin(p_size, d_size) : d_size);
    }
}

StickStatus stick_certify_mates(StickContext *ctx, const StickMixedLcp *mates, const double *p,
                                const double *theta, double tolerance, StickMlcpCertificate *certificate)
{
    STICK_CHECK(ctx, mates->m >= 0 && mates->l >= 0, STICK_BAD_INPUT,
                "%d pairs and %d motions for a certificate", mates->m, mates->l);
    STICK_CHECK(ctx, tolerance > 0, STICK_BAD_INPUT, "a tolerance of %g for a certificate", tolerance);
    StickMlcpCertificate found = {.tolerance = tolerance, .balance = balance(mates, p)};
    measure_pairs(mates, p, theta, &found);
    found.error =
        larger(larger(found.balance, found.complementarity), larger(found.negative_p, found.negative_d));
    found.certified = found.error <= tolerance;
    *certificate = found;
    return STICK_OK;
}

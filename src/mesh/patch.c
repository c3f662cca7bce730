// SPDX-License-Identifier: Apache-2.0
#include "mesh/patch.h"

#include "base/check.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

StickPatchSide stick_patch_side(int dim, int direction, int end)
{
    int first = direction == 0         ? STICK_SIDE_LEFT
                : direction == dim - 1 ? STICK_SIDE_BOTTOM
                                       : STICK_SIDE_FRONT;
    return (StickPatchSide)(first + end);
}

const char *stick_patch_side_name(StickPatchSide side)
{
    static const char *const names[] = {"left", "right", "front", "back", "bottom", "top"};
    return names[side];
}

// ---- grading

// Lengths of cells are a geometric sequence, q^(n - 1) = grade: at of n cells span (q^at - 1) / (q^n - 1).
static double fraction(double at, int n, double grade)
{
    if (n == 1 || grade <= 0 || grade == 1 || at == 0 || at == n)
        return at / n;
    double log_q = log(grade) / (n - 1);
    return expm1(at * log_q) / expm1(n * log_q);
}

// ---- arcs

// Angle of a point about the centre, counted from start, in [0, 2 pi).
static double angle_from(const StickArc *arc, const double x[2], double start)
{
    double angle = atan2(x[1] - arc->centre[1], x[0] - arc->centre[0]) - start;
    return angle < 0 ? angle + 2 * STICK_PI : angle;
}

// The circle through a, m and b, and its part from a over m to b; false if they lie on a line.
static bool make_arc(const double a[2], const double m[2], const double b[2], StickArc *arc)
{
    double u[2] = {b[0] - a[0], b[1] - a[1]}, w[2] = {m[0] - a[0], m[1] - a[1]};
    double uu = u[0] * u[0] + u[1] * u[1], ww = w[0] * w[0] + w[1] * w[1], cross = u[0] * w[1] - u[1] * w[0];
    if (!(fabs(cross) > 1e-9 * sqrt(uu * ww)))
        return false;
    double c[2] = {(uu * w[1] - ww * u[1]) / (2 * cross), (ww * u[0] - uu * w[0]) / (2 * cross)};
    *arc = (StickArc){.centre = {a[0] + c[0], a[1] + c[1]}, .radius = hypot(c[0], c[1])};
    arc->start = atan2(-c[1], -c[0]);
    double to_b = angle_from(arc, b, arc->start), to_m = angle_from(arc, m, arc->start);
    arc->sweep = to_m < to_b ? to_b : to_b - 2 * STICK_PI;
    return true;
}

// Corners at the ends of the sides of a plane patch, each in the direction of xi or eta.
static const int ends[STICK_NPATCH_SIDES][2] = {[STICK_SIDE_LEFT] = {0, 3},
                                                [STICK_SIDE_RIGHT] = {1, 2},
                                                [STICK_SIDE_BOTTOM] = {0, 1},
                                                [STICK_SIDE_TOP] = {3, 2}};

StickStatus stick_patch_init(StickContext *ctx, const StickPatchSpec *spec, StickPatch *patch)
{
    *patch = (StickPatch){.spec = spec};
    for (int s = 0; s < STICK_NPATCH_SIDES && spec->dim == 2 && !spec->map[0]; s++) {
        const double *a = spec->corner[ends[s][0]], *b = spec->corner[ends[s][1]], *m = spec->side[s].arc;
        if (!spec->side[s].curved || make_arc(a, m, b, &patch->arc[s]))
            continue;
        return stick_fail_at(ctx, STICK_BAD_INPUT, spec->mark,
                             "the arc of the side '%s' from (%g, %g) to (%g, %g) has its point (%g, %g) on "
                             "the line between them: give a point away from this line, or remove 'arc'",
                             stick_patch_side_name((StickPatchSide)s), a[0], a[1], b[0], b[1], m[0], m[1]);
    }
    return STICK_OK;
}

// ---- places

static void side_place(const StickPatch *patch, StickPatchSide side, double s, double x[2])
{
    const double *a = patch->spec->corner[ends[side][0]], *b = patch->spec->corner[ends[side][1]];
    const StickArc *arc = &patch->arc[side];
    bool inside = patch->spec->side[side].curved && s > 0 && s < 1;
    double angle = arc->start + s * arc->sweep;
    x[0] = inside ? arc->centre[0] + arc->radius * cos(angle) : (1 - s) * a[0] + s * b[0];
    x[1] = inside ? arc->centre[1] + arc->radius * sin(angle) : (1 - s) * a[1] + s * b[1];
}

// Transfinite interpolation between four curves: the sum of both linear interpolations minus the bilinear one.
static void plane_place(const StickPatch *patch, double xi, double eta, double x[3])
{
    const double(*corner)[3] = patch->spec->corner;
    double bottom[2], top[2], left[2], right[2];
    side_place(patch, STICK_SIDE_BOTTOM, xi, bottom);
    side_place(patch, STICK_SIDE_TOP, xi, top);
    side_place(patch, STICK_SIDE_LEFT, eta, left);
    side_place(patch, STICK_SIDE_RIGHT, eta, right);
    for (int k = 0; k < 2; k++)
        x[k] = (1 - eta) * bottom[k] + eta * top[k] + (1 - xi) * left[k] + xi * right[k] -
               (1 - eta) * ((1 - xi) * corner[0][k] + xi * corner[1][k]) -
               eta * ((1 - xi) * corner[3][k] + xi * corner[2][k]);
    x[2] = 0;
}

static void space_place(const StickPatchSpec *spec, const double xi[3], double x[3])
{
    memset(x, 0, 3 * sizeof *x);
    for (int c = 0; c < 8; c++) {
        double weight = (c % 4 == 1 || c % 4 == 2 ? xi[0] : 1 - xi[0]) * (c % 4 >= 2 ? xi[1] : 1 - xi[1]) *
                        (c >= 4 ? xi[2] : 1 - xi[2]);
        for (int k = 0; k < 3; k++)
            x[k] += weight * spec->corner[c][k];
    }
}

StickStatus stick_patch_place(const StickPatch *patch, const double at[3], double x[3])
{
    const StickPatchSpec *spec = patch->spec;
    double xi[3] = {0, 0, 0}, place[3] = {0, 0, 0};
    for (int k = 0; k < spec->dim; k++)
        xi[k] = fraction(at[k], spec->cells[k], spec->grade[k]);
    StickVariables seen = {.xi = xi[0], .eta = xi[1], .zeta = xi[2]};
    for (int k = 0; k < spec->dim && spec->map[0]; k++)
        STICK_TRY(stick_expression_value(spec->map[k], &seen, &place[k]));
    if (!spec->map[0] && spec->dim == 2)
        plane_place(patch, xi[0], xi[1], place);
    else if (!spec->map[0])
        space_place(spec, xi, place);
    memcpy(x, place, sizeof place);
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "contact/cylinder.h"

// A rim seen under a smaller angle has no farthest point.
#define STRAIGHT 1e-13
// An end counts as a face up to 45 degrees.
#define STANDING 0.7

void stick_cylinder_place(const StickPlacedShape *placed, const double from[3], StickCylinder *cylinder)
{
    const StickConvex *shape = placed->shape;
    StickCore frame = {.axis = placed->axis};
    double own_x[3], own_y[3];
    stick_patch_frame(shape->axis, own_x, own_y);
    stick_core_turn(&frame, own_x, cylinder->x);
    stick_core_turn(&frame, own_y, cylinder->y);
    stick_core_turn(&frame, shape->axis, cylinder->z);
    stick_core_turn(&frame, shape->centre, cylinder->centre);
    for (int k = 0; k < 3; k++)
        cylinder->centre[k] += placed->centre[k] - from[k];
    cylinder->half = shape->half_length;
    cylinder->radius = shape->radius;
}

// The unit vector of the part of a direction at right angles to z; returns the length of that part.
static double radial(const StickCylinder *cylinder, const double direction[3], double rho[3])
{
    double p = stick_vec_dot(direction, cylinder->x), q = stick_vec_dot(direction, cylinder->y);
    double length = sqrt(p * p + q * q);
    for (int k = 0; k < 3; k++)
        rho[k] = length > 0 ? (p * cylinder->x[k] + q * cylinder->y[k]) / length : 0;
    return length;
}

static void end_middle(const StickCylinder *cylinder, int end, double x[3])
{
    stick_vec_axpy(cylinder->centre, end ? cylinder->half : -cylinder->half, cylinder->z, x);
}

bool stick_cylinder_rim(const StickCylinder *cylinder, int end, const double direction[3], double x[3])
{
    double rho[3];
    end_middle(cylinder, end, x);
    if (radial(cylinder, direction, rho) < STRAIGHT)
        return false;
    stick_vec_axpy(x, cylinder->radius, rho, x);
    return true;
}

void stick_cylinder_support(const StickCylinder *cylinder, const double direction[3], double x[3])
{
    stick_cylinder_rim(cylinder, stick_vec_dot(direction, cylinder->z) > 0, direction, x);
}

double stick_cylinder_height(const StickCylinder *cylinder, const double direction[3])
{
    double rho[3];
    return stick_vec_dot(direction, cylinder->centre) +
           cylinder->half * fabs(stick_vec_dot(direction, cylinder->z)) +
           cylinder->radius * radial(cylinder, direction, rho);
}

bool stick_cylinder_holds(const StickCylinder *cylinder, const double x[3], double slack)
{
    double between[3], rho[3];
    stick_vec_sub(x, cylinder->centre, between);
    return fabs(stick_vec_dot(between, cylinder->z)) <= cylinder->half + slack &&
           radial(cylinder, between, rho) <= cylinder->radius + slack;
}

// ---- patches

static void put(const double x[3], int label, StickContactPatch *patch)
{
    memcpy(patch->x[patch->count], x, 3 * sizeof(double));
    patch->label[patch->count++] = label;
}

// Corners of an end, anticlockwise seen from outside: those fixed to the body and, unless NULL, `extra` in its place
// among them (instead of one that is nearly there).
static void put_end(const StickCylinder *c, int end, int count, const double *extra, StickContactPatch *patch)
{
    double middle[3], between[3], angle = 7;
    end_middle(c, end, middle);
    if (extra) {
        stick_vec_sub(extra, middle, between);
        angle = atan2(stick_vec_dot(between, c->y), stick_vec_dot(between, c->x));
        angle += angle < 0 ? 2 * M_PI : 0;
    }
    // end 0 is seen from the other side
    for (int i = 0; i < count; i++) {
        int k = end ? i : count - 1 - i;
        double at = 2 * M_PI * k / count, step = 2 * M_PI / count, x[3];
        for (int d = 0; d < 3; d++)
            x[d] = middle[d] + c->radius * (cos(at) * c->x[d] + sin(at) * c->y[d]);
        int label =
            k % (count / STICK_RIM) == 0 ? k / (count / STICK_RIM) + STICK_RIM * end : 32 + k + 32 * end;
        bool here = extra && angle >= at && angle < at + step;
        bool replaced = extra && (fabs(angle - at) < 1e-6 || fabs(angle - at - 2 * M_PI) < 1e-6);
        if (here && !end)
            put(extra, STICK_RIM_FARTHEST + end, patch);
        if (!replaced)
            put(x, label, patch);
        if (here && end)
            put(extra, STICK_RIM_FARTHEST + end, patch);
    }
}

static void show_end(const StickCylinder *c, int end, const double direction[3], const double *toward,
                     StickContactPatch *patch)
{
    double extra[3], aim[3];
    double sign = end ? 1 : -1;
    bool more = stick_cylinder_rim(c, end, direction, extra);
    if (toward && !more) {
        stick_vec_sub(toward, c->centre, aim);
        more = stick_cylinder_rim(c, end, aim, extra);
    }
    put_end(c, end, toward ? 4 * STICK_RIM : STICK_RIM, more ? extra : NULL, patch);
    for (int k = 0; k < 3; k++)
        patch->plane[k] = sign * c->z[k];
    patch->plane[3] = sign * stick_vec_dot(c->z, c->centre) + c->half;
    patch->cosine = sign * stick_vec_dot(direction, c->z);
}

void stick_cylinder_patch(const StickCylinder *cylinder, const double direction[3], bool flat,
                          const double *toward, StickContactPatch *patch)
{
    double along = stick_vec_dot(direction, cylinder->z), x[3];
    int end = along > 0;
    patch->count = 0;
    patch->cosine = patch->radius = 0;
    patch->core = NULL;
    if (fabs(along) >= (flat ? STANDING : STICK_FLAT)) {
        show_end(cylinder, end, direction, toward, patch);
        return;
    }
    for (int k = 0; k < 2; k++)
        if (flat || fabs(along) <= STICK_LEVEL || k == end) {
            stick_cylinder_rim(cylinder, k, direction, x);
            put(x, STICK_RIM_FARTHEST + k, patch);
        }
}

// ---- rims against lines

static void turn_by(const StickRimArc *arc, double phi, double n[3], double ahead[3])
{
    double c = cos(phi), s = sin(phi);
    for (int k = 0; k < 3; k++) {
        n[k] = c * arc->u[k] + s * arc->w[k];
        ahead[k] = c * arc->w[k] - s * arc->u[k];
    }
}

// ds/dphi = n'.(nearest point of a - nearest point of b); `end` is the end of the cylinder on this piece.
static double slope(const StickRimArc *arc, double phi, int end)
{
    double n[3], ahead[3], rim[3], between[3];
    turn_by(arc, phi, n, ahead);
    double direction[3] = {arc->side * n[0], arc->side * n[1], arc->side * n[2]};
    stick_cylinder_rim(arc->cylinder, end, direction, rim);
    stick_vec_sub(arc->anchor, rim, between);
    return arc->side * stick_vec_dot(ahead, between);
}

// The root of a slope that falls from low to high: regula falsi with halved weights, never leaving the bracket.
static double find_top(const StickRimArc *arc, double low, double high, double at_low, double at_high,
                       int end)
{
    for (int i = 0; i < 80 && high - low > 1e-15 * (1 + fabs(low)); i++) {
        double middle = i % 3 == 2 ? (low + high) / 2 : low + (high - low) * at_low / (at_low - at_high);
        if (!(middle > low && middle < high))
            middle = (low + high) / 2;
        double here = slope(arc, middle, end);
        if (here == 0)
            return middle;
        if (here > 0) {
            low = middle;
            at_low = here;
            at_high /= 2;
        } else {
            high = middle;
            at_high = here;
            at_low /= 2;
        }
    }
    return (low + high) / 2;
}

// A piece of the arc on which one end of the cylinder is nearest.
static void search_piece(const StickRimArc *arc, double low, double high,
                         void (*offer)(void *, const double *), void *search)
{
    double n[3], ahead[3];
    turn_by(arc, (low + high) / 2, n, ahead);
    int end = arc->side * stick_vec_dot(n, arc->cylinder->z) > 0, steps = 1 + (int)((high - low) / 0.1);
    double before = slope(arc, low, end);
    for (int k = 0; k < steps; k++) {
        double from = low + (high - low) * k / steps, to = low + (high - low) * (k + 1) / steps;
        double after = slope(arc, to, end);
        if (before > 0 && after < 0) {
            turn_by(arc, find_top(arc, from, to, before, after, end), n, ahead);
            stick_vec_normalise(n);
            offer(search, n);
        }
        before = after;
    }
}

void stick_cylinder_rim_arc(const StickRimArc *arc, void (*offer)(void *search, const double n[3]),
                            void *search)
{
    double p = stick_vec_dot(arc->u, arc->cylinder->z), q = stick_vec_dot(arc->w, arc->cylinder->z);
    // n.z = 0 at zero and at zero + pi: there the nearest end changes
    double zero = atan2(-p, q), low = 0;
    if (p * p + q * q < 1e-18)
        return;
    zero += zero < 0 ? M_PI : 0;
    for (int k = 0; k < 2; k++, zero += M_PI)
        if (zero > low && zero < arc->length) {
            search_piece(arc, low, zero, offer, search);
            low = zero;
        }
    search_piece(arc, low, arc->length, offer, search);
}

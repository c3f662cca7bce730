// SPDX-License-Identifier: Apache-2.0
#include "gears/gear_blocks.h"

#include "base/pi.h"

#include <math.h>

// Depth of the core below the root circle: in modules, and at most this fraction of the available depth.
static const double core_depth = 0.6, core_part = 0.45;
// Lines across the tooth lean towards the root, as normals of flanks do: by this part of the way to the core where
// fillets are so long, in modules, and by more where there is hardly a fillet.
static const double least_lean = 0.2, most_lean = 0.8, long_fillet = 0.5;
// The line to the core's corner begins in the middle of the fillet, but at least at this part of the way to the gap's.
static const double least_part = 0.15;

static void polar(double radius, double angle, double x[2])
{
    x[0] = radius * cos(angle);
    x[1] = radius * sin(angle);
}

static void measure_fillet(StickGearBlocks *blocks)
{
    double before[2], x[2];
    stick_tooth_fillet_at(&blocks->tooth, 0, before);
    for (int k = 1; k <= STICK_GEAR_FILLET_PIECES; k++) {
        stick_tooth_fillet_at(&blocks->tooth, (double)k / STICK_GEAR_FILLET_PIECES, x);
        blocks->along[k] = blocks->along[k - 1] + hypot(x[0] - before[0], x[1] - before[1]);
        before[0] = x[0];
        before[1] = x[1];
    }
    blocks->fillet_length = blocks->along[STICK_GEAR_FILLET_PIECES];
}

void stick_gear_blocks_make(const StickTooth *tooth, int flank_columns, StickGearBlocks *blocks)
{
    double inwards = tooth->internal ? 1 : -1;
    double depth = fmin(core_depth * tooth->module, core_part * fabs(tooth->rim - tooth->root));
    *blocks = (StickGearBlocks){
        .tooth = *tooth,
        .flank_columns = flank_columns,
        .columns = flank_columns + STICK_GEAR_ROOT_COLUMNS,
        .corner = flank_columns + STICK_GEAR_ROOT_COLUMNS - STICK_GEAR_CORE_COLUMNS,
        .core = tooth->root + inwards * depth,
    };
    measure_fillet(blocks);
    double arc = fmax(STICK_PI / tooth->teeth - tooth->root_angle, 0) * tooth->root;
    double missing = fmax(1 - blocks->fillet_length / (long_fillet * tooth->module), 0);
    double lean = least_lean + (most_lean - least_lean) * missing;
    blocks->root_length = blocks->fillet_length + arc;
    blocks->corner_length = fmax(0.5 * blocks->fillet_length, least_part * blocks->root_length);
    blocks->middle = tooth->form + lean * (blocks->core - tooth->form);
}

// The length of an involute from the base circle on is s^2 / (2 base).
double stick_gear_blocks_rolled(const StickGearBlocks *blocks, double u)
{
    const StickTooth *tooth = &blocks->tooth;
    double t = u / blocks->flank_columns;
    if (t <= 0)
        return tooth->s_tip;
    if (t >= 1)
        return tooth->s_form;
    return sqrt((1 - t) * tooth->s_tip * tooth->s_tip + t * tooth->s_form * tooth->s_form);
}

static void fillet_by_length(const StickGearBlocks *blocks, double length, double x[2])
{
    int low = 0, high = STICK_GEAR_FILLET_PIECES;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(blocks->along[middle] <= length ? &low : &high) = middle;
    }
    double piece = blocks->along[low + 1] - blocks->along[low];
    double within = piece > 0 ? (length - blocks->along[low]) / piece : 0;
    stick_tooth_fillet_at(&blocks->tooth, (low + within) / STICK_GEAR_FILLET_PIECES, x);
}

static double root_length_at(const StickGearBlocks *blocks, double u)
{
    double flank = blocks->flank_columns, corner = blocks->corner, at = blocks->corner_length;
    if (u <= corner)
        return at * (u - flank) / (corner - flank);
    return at + (blocks->root_length - at) * (u - corner) / STICK_GEAR_CORE_COLUMNS;
}

static void surface_at(const StickGearBlocks *blocks, double u, double x[2])
{
    const StickTooth *tooth = &blocks->tooth;
    if (u <= blocks->flank_columns) {
        stick_tooth_flank_at(tooth, stick_gear_blocks_rolled(blocks, u), x);
        return;
    }
    double length = root_length_at(blocks, u);
    if (u >= blocks->columns)
        polar(tooth->root, STICK_PI / tooth->teeth, x);
    else if (length < blocks->fillet_length)
        fillet_by_length(blocks, length, x);
    else
        polar(tooth->root, tooth->root_angle + (length - blocks->fillet_length) / tooth->root, x);
}

// The inner side of the strip: the middle of the tooth, then the core's circle.
static void inside_at(const StickGearBlocks *blocks, double u, double x[2])
{
    const StickTooth *tooth = &blocks->tooth;
    double flank = blocks->flank_columns, corner = blocks->corner;
    if (u >= corner) {
        polar(blocks->core, (u - corner) / STICK_GEAR_CORE_COLUMNS * STICK_PI / tooth->teeth, x);
        return;
    }
    x[0] = u < flank ? tooth->tip + (blocks->middle - tooth->tip) * u / flank
                     : blocks->middle + (blocks->core - blocks->middle) * (u - flank) / (corner - flank);
    x[1] = 0;
}

// Straight lines from the surface inwards; the one at the tip is an arc, which the others follow less and less.
static void strip_at(const StickGearBlocks *blocks, double u, double v, double x[2])
{
    const StickTooth *tooth = &blocks->tooth;
    double outer[2], inner[2], arc[2], corner[2];
    surface_at(blocks, u, outer);
    inside_at(blocks, u, inner);
    polar(tooth->tip, (1 - v) * tooth->tip_angle, arc);
    polar(tooth->tip, tooth->tip_angle, corner);
    double chord[2] = {(1 - v) * corner[0] + v * tooth->tip, (1 - v) * corner[1]};
    double share = fmax(1 - u / blocks->flank_columns, 0);
    for (int k = 0; k < 2; k++)
        x[k] = (1 - v) * outer[k] + v * inner[k] + share * (arc[k] - chord[k]);
}

void stick_gear_blocks_place(const StickGearBlocks *blocks, int k, StickGearBlock block, double u, double v,
                             double x[2])
{
    double at[2], turn = 2 * STICK_PI * k / blocks->tooth.teeth;
    if (block == STICK_GEAR_RINGS)
        polar(v, u * STICK_PI / blocks->tooth.teeth, at);
    else
        strip_at(blocks, u, v, at);
    if (block == STICK_GEAR_RIGHT)
        at[1] = -at[1];
    x[0] = cos(turn) * at[0] - sin(turn) * at[1];
    x[1] = sin(turn) * at[0] + cos(turn) * at[1];
}

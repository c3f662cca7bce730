// SPDX-License-Identifier: Apache-2.0
// The sector of one tooth of a gear in blocks, each a map of a rectangle of parameters.
//
//   tip ___                 A strip follows the surface from the tip's corner over flank and fillet to the middle of
//      |   \                the gap (u), and goes inwards (v) to the middle of the tooth and to the core's circle, round
//      | s  \               the corner c. Its mirror image is the other half of the tooth. Rings (polar coordinates)
//      | t   \___ gap       lie between core and bore. Of internal gears all is the other way round along the radius.
//      | r  _____|
//      c---------|  core
//      |_________|  bore
#ifndef GEARS_GEAR_BLOCKS_H
#define GEARS_GEAR_BLOCKS_H

#include "gears/tooth.h"

enum {
    STICK_GEAR_ROOT_COLUMNS = 4, // of the strip, from the flank's end to the middle of the gap
    STICK_GEAR_CORE_COLUMNS = 2, // those of them beyond the corner
    STICK_GEAR_ROWS = 2,         // of the strip
    STICK_GEAR_FILLET_PIECES = 256,
};

typedef enum StickGearBlock {
    STICK_GEAR_LEFT,
    STICK_GEAR_RIGHT,
    STICK_GEAR_RINGS,
    STICK_GEAR_BLOCKS
} StickGearBlock;

typedef struct StickGearBlocks {
    StickTooth tooth;
    int flank_columns;
    int columns;          // of the strip
    int corner;           // column at which it goes round the corner
    double core;          // radius
    double middle;        // radius in the middle of the tooth where the flank ends
    double root_length;   // from the flank's end to the middle of the gap
    double corner_length; // on that way up to the line to the core's corner
    double fillet_length;
    double along[STICK_GEAR_FILLET_PIECES + 1]; // length of the fillet up to equal steps of its parameter
} StickGearBlocks;

void stick_gear_blocks_make(const StickTooth *tooth, int flank_columns, StickGearBlocks *blocks);

// Rolled length at column u of the strip's surface, 0 <= u <= flank_columns: equal lengths of the curve.
double stick_gear_blocks_rolled(const StickGearBlocks *blocks, double u);

// A place of tooth k. Strips: 0 <= u <= columns, 0 <= v <= 1; rings: -1 <= u <= 1 over the pitch, v the radius.
void stick_gear_blocks_place(const StickGearBlocks *blocks, int k, StickGearBlock block, double u, double v,
                             double x[2]);

#endif

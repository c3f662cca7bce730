// SPDX-License-Identifier: Apache-2.0
// The table of a pair of gears along its mesh cycle, cycle/<pair>.csv: a row per position.
#ifndef OUTPUT_GEAR_TABLE_H
#define OUTPUT_GEAR_TABLE_H

#include "gears/pair.h"
#include "output/named_row.h"

// A strip of an output's flank that is pressed.
typedef struct StickGearTouch {
    int tooth;        // of the input, 0 ... teeth - 1
    double load;      // normal force
    double pressure;  // its mean over the strip
    double curvature; // sum of those of both flanks there
} StickGearTouch;

// All of one position that its row is made of.
typedef struct StickGearPosition {
    double t;
    double step;           // its number in the model, from 1
    double number;         // of the position in its step, from 0
    double s;              // on the line of action
    double theta;          // by how much the output has turned beyond its ideal motion
    double torque[2];      // on the input and on the output
    double root_stress[2]; // largest tension in the fillets of both
    int ntouches;
    const StickGearTouch *touch;
} StickGearPosition;

typedef struct StickGearTable {
    const StickModel *model;
    const StickGearPairSpec *spec;
    StickGearPair pair;
    int first, npairs; // pairs of teeth that have columns: from number `first` on
    StickNamedRow row;
    double *load, *moment; // npairs: work of a row: loads, and loads times curvatures
} StickGearTable;

StickStatus stick_gear_table_create(StickContext *ctx, const StickModel *model, const StickGearPairSpec *spec,
                                    StickGearTable *table);
void stick_gear_table_destroy(StickContext *ctx, StickGearTable *table);

// Fills the row.
void stick_gear_table_fill(StickGearTable *table, const StickGearPosition *position);

#endif

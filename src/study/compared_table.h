// SPDX-License-Identifier: Apache-2.0
// A series of a run, read from its table: what a comparison sees of it.
#ifndef STUDY_COMPARED_TABLE_H
#define STUDY_COMPARED_TABLE_H

#include "output/table.h"
#include "output/units.h"
#include "study/compare.h"

#define STICK_SERIES_ENERGY "energy.total"
#define STICK_SERIES_MOMENTUM "momentum"

enum { STICK_QUANTITY_TEXT = 128 };

typedef struct StickComparedTable {
    bool there; // the run has it, with rows
    StickColumns columns;
    int first;             // column of the first value
    const double **values; // the columns of the curve
    StickCurve curve;
    const double *exact; // NULL if there is none
    char unit[STICK_UNIT_TEXT], time_unit[STICK_UNIT_TEXT];
} StickComparedTable;

// A run that does not have the series gives a table that is not there.
StickStatus stick_compared_load(StickContext *ctx, const StickPastRun *run, const StickCompareSeries *series,
                                StickComparedTable *table);
void stick_compared_unload(StickContext *ctx, StickComparedTable *table);

// First and last, least and largest value, and distance from what is exact.
void stick_compared_values(const StickComparedTable *table, StickCompareCell *cell);

// Whether the run should have the series: its model lists it, or all runs have it.
bool stick_compared_listed(const StickPastRun *run, const StickCompareSeries *series);

// "velocity.x" and the like, as the model of the run says; "" of what all runs have.
void stick_compared_quantity(const StickPastRun *run, const StickCompareSeries *series,
                             char text[STICK_QUANTITY_TEXT]);

// Whether two tables have the same columns of values, as those of each node of the same nodes.
bool stick_compared_same_columns(const StickComparedTable *a, const StickComparedTable *b);

#endif

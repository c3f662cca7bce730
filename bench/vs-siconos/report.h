// SPDX-License-Identifier: Apache-2.0
// What people and machines read of the races.
#ifndef VS_SICONOS_REPORT_H
#define VS_SICONOS_REPORT_H

#include "race.h"

#include <stdio.h>

// Sums over the problems of one tolerance.
typedef struct Tally {
    double tolerance;
    int both, only_ours, only_peer, neither, faster;
    double best_logs, default_logs; // of the ratios peer / ours
    int defaults;
} Tally;

void report_heading(void);
// chosen: which of ours is compared; NULL: the fastest
void report_race(const Race *race, const char *problem, const char *chosen, Tally *tally);
void report_tally(const Tally *tally);

void report_csv_heading(FILE *csv);
void report_csv(FILE *csv, const Race *race, const char *problem);

#endif

// SPDX-License-Identifier: Apache-2.0
// One problem, one tolerance, all contenders. Each first solves once: who takes too long, crashes or misses the
// tolerance is out. Those that come near the fastest of their code then solve in turns in one process, again and
// again.
#ifndef VS_SICONOS_RACE_H
#define VS_SICONOS_RACE_H

#include <stickslip/friction.h>

#include <stdbool.h>

enum { MOST_CONTENDERS = 64, MOST_ROUNDS = 99 };

typedef enum Fate { RUNNING, MISSED, STOPPED, CRASHED } Fate;

typedef struct Contender {
    char name[40];
    bool ours;
    int index; // of the peer's solver
    Fate fate;
    bool qualified; // solved once ...
    bool racing;    // ... and takes part in the turns
    int rounds;
    double seconds[MOST_ROUNDS];
    double median; // once the race is over
    double error;  // shared measure by our verifier
} Contender;

typedef struct Race {
    StickContext *ctx;
    const StickFrictionProblem *problem;
    double tolerance;
    double limit; // seconds of clock time for one solve
    int rounds;   // of contenders that take less than a second
    int count;
    Contender contender[MOST_CONTENDERS];
} Race;

// Runs the race among those whose fate is RUNNING.
void race_run(Race *race);

#endif

// SPDX-License-Identifier: Apache-2.0
// The contact problem of a step as a file, so that 'stickslip solve' can replay it: problems/step-000012.hdf5,
// with the guess that the solver started from and the solution. In 1D it is a complementarity problem.
#ifndef STUDY_DUMP_H
#define STUDY_DUMP_H

#include "stepping/simulation.h"

typedef struct StickDump {
    StickContext *ctx;
    const StickSimulation *run;
    const char *folder; // of the results
    int stage;          // of the model's steps, counted from 1; 0: it has only one
} StickDump;

// "10,20-30,100-": a list of steps and ranges of them; an error otherwise. NULL and "" are fine.
StickStatus stick_dump_check(StickContext *ctx, const char *steps);
// Refuses, where there is a list, models whose problems the files cannot hold.
StickStatus stick_dump_check_model(const char *steps, const StickModel *model);
// Whether the list, which was checked, has the step; NULL: none, "": all.
bool stick_dump_wants(const char *steps, long step);

// Writes the problem of the last step; nothing if there was no contact.
StickStatus stick_dump_step(const StickDump *dump);

// Writes the problem of the step that failed, without a solution, and says how to replay it; nothing where its solution is
// not what failed (gaps at the end of an increment, an inverted element), for the file would be solved.
void stick_dump_failed(const StickDump *dump);

#endif

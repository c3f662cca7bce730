// SPDX-License-Identifier: Apache-2.0
// What a run that has come to its end should be looked at for: balances that do not close, energy that grew, contacts that
// were too deep.
#ifndef STUDY_RUN_WARNINGS_H
#define STUDY_RUN_WARNINGS_H

#include "stepping/simulation.h"

void stick_run_warnings_say(const StickSimulation *run);

#endif

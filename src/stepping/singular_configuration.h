// SPDX-License-Identifier: Apache-2.0
// Which rows of joints follow from others beside the place where bodies are. In a dead point of a linkage more of them do
// than beside it: there joints do not tell how it goes on.
#ifndef STEPPING_SINGULAR_CONFIGURATION_H
#define STEPPING_SINGULAR_CONFIGURATION_H

#include "stepping/joint_step.h"

// Bodies are moved a little as joints without motors let them, at random; follows: rows that follow there.
StickStatus stick_singular_configuration_look(StickSimulation *run, bool *follows);

#endif

// SPDX-License-Identifier: Apache-2.0
// Which rows of joints follow from others beside the place where bodies are. In a dead point of a linkage more of them do
// than beside it: there joints do not tell how it goes on.
#ifndef DRIVE_BESIDE_H
#define DRIVE_BESIDE_H

#include "drive/linked.h"

// Bodies are moved a little as joints without motors let them, at random; follows: rows that follow there.
StickStatus stick_beside_look(StickRun *run, bool *follows);

#endif

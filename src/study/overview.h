// SPDX-License-Identifier: Apache-2.0
// A result folder in a few lines for people: how it ended,
// what was certified, and how far it is from what is exact.
#ifndef STUDY_OVERVIEW_H
#define STUDY_OVERVIEW_H

#include "base/text.h"
#include "model/model.h"

StickStatus stick_overview(StickContext *ctx, const char *folder, StickText *text);

#endif

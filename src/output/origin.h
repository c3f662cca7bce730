// SPDX-License-Identifier: Apache-2.0
// The model file that a result folder was made from: its path, size and hash are the first line of the model.yaml that is
// kept there, a comment.
#ifndef OUTPUT_ORIGIN_H
#define OUTPUT_ORIGIN_H

#include "base/text.h"

// Appends that line for a model file, or the one that it begins with if it is the one that is kept in the folder.
StickStatus stick_origin_add(StickContext *ctx, const char *model, const char *folder, StickText *text);

// STICK_IO if the model file that a folder was made from is still there and was changed since. One that is gone, as where
// folders were moved, is no reason to stop.
StickStatus stick_origin_verify(StickContext *ctx, const char *folder);

// The text of a kept model without that line, for pages that go elsewhere.
const char *stick_origin_skip(const char *text);

#endif

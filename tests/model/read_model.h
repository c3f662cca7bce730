// SPDX-License-Identifier: Apache-2.0
// A model that is read from a text in memory.
#ifndef TESTS_MODEL_READ_MODEL_H
#define TESTS_MODEL_READ_MODEL_H

#include "check.h"

#include "model/model.h"

static inline StickStatus read_model(StickContext *ctx, const char *text, StickModel **model)
{
    StickModelSource source = {.name = "m.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    return stick_model_read_text(ctx, &source, model);
}

#endif

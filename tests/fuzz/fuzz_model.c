// SPDX-License-Identifier: Apache-2.0
// Any text as a model file: an error or a model, and the resolved model reads back.
#include "fuzz.h"

#include "base/text.h"
#include "model/model.h"

static void read_back(StickContext *ctx, const StickModel *model)
{
    StickText text;
    stick_text_init(&text, ctx);
    if (stick_model_resolved(model, &text) != STICK_OK)
        abort();
    StickModelSource source = {.name = "resolved", .folder = "/", .bytes = text.bytes, .count = text.length};
    StickModel *again;
    if (stick_model_read_text(ctx, &source, &again) != STICK_OK)
        abort();
    stick_model_destroy(again);
    stick_text_destroy(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    StickContext *ctx = stick_context_create(NULL);
    StickModelSource source = {.name = "fuzz", .folder = "/", .bytes = (const char *)data, .count = size};
    StickModel *model;
    if (stick_model_read_text(ctx, &source, &model) == STICK_OK) {
        read_back(ctx, model);
        stick_model_destroy(model);
    }
    stick_context_destroy(ctx);
    return 0;
}

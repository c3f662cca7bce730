// SPDX-License-Identifier: Apache-2.0
#include "output/evidence.h"

#include "base/file.h"
#include "base/inputs.h"
#include "output/field_series.h"
#include "output/manifest.h"

#include <stdio.h>
#include <string.h>

const char *const stick_manifest_name[STICK_MANIFESTS] = {"files/growing", "files/fields", "files/kept"};

// The hash of the model as it is understood.
static StickStatus hash_model(StickContext *ctx, const StickModel *model, StickText *inputs)
{
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = stick_model_resolved(model, &text);
    if (status == STICK_OK)
        stick_text_add(inputs, "%zu %016llx the model\n", text.length,
                       (unsigned long long)stick_hash(STICK_HASH_START, text.bytes, text.length));
    stick_text_destroy(&text);
    return status == STICK_OK ? stick_text_status(inputs) : status;
}

StickStatus stick_evidence_put_inputs(StickContext *ctx, StickCheckpointWriter *writer,
                                      const StickModel *model)
{
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = hash_model(ctx, model, &text);
    stick_inputs_list(ctx, &text);
    if (status == STICK_OK)
        status = stick_text_status(&text);
    if (status == STICK_OK)
        status = stick_checkpoint_put_text(writer, "inputs", text.bytes);
    stick_text_destroy(&text);
    return status;
}

static StickStatus check_model(StickContext *ctx, const char *inputs, const StickModel *model,
                               const char *folder)
{
    StickText now;
    stick_text_init(&now, ctx);
    StickStatus status = hash_model(ctx, model, &now);
    if (status == STICK_OK && strncmp(inputs, now.bytes, now.length) != 0)
        status = stick_fail(ctx, STICK_IO,
                            "cannot resume '%s': its model.yaml was changed after the checkpoint was taken; "
                            "'stickslip run' starts again",
                            folder);
    stick_text_destroy(&now);
    return status;
}

static StickStatus check_input(StickContext *ctx, const char *line, int length, const char *folder)
{
    char text[STICK_PATH_TEXT];
    unsigned long long wanted = 0;
    long long bytes = 0;
    int at = 0;
    uint64_t hash = 0;
    int64_t size = -1;
    snprintf(text, sizeof text, "%.*s", length, line);
    STICK_CHECK(ctx, sscanf(text, "%lld %16llx %n", &bytes, &wanted, &at) == 2 && at > 0, STICK_IO,
                "the checkpoint in '%s' lists a file in a way that makes no sense: '%s'", folder, text);
    STICK_TRY(stick_file_hash(ctx, text + at, -1, &hash, &size));
    STICK_CHECK(
        ctx, size == bytes && hash == wanted, STICK_IO,
        "cannot resume '%s': '%s', which its model reads, was changed after the checkpoint was taken; "
        "'stickslip run' starts again",
        folder, text + at);
    return STICK_OK;
}

// The first line is that of the model.
static StickStatus check_inputs(StickContext *ctx, const char *inputs, const char *folder)
{
    const char *line = strchr(inputs, '\n');
    for (const char *end; line && (end = strchr(line + 1, '\n')); line = end)
        STICK_TRY(check_input(ctx, line + 1, (int)(end - line - 1), folder));
    return STICK_OK;
}

static StickStatus open_checkpoint(StickContext *ctx, const char *folder, StickCheckpoint **checkpoint)
{
    char path[STICK_PATH_TEXT];
    STICK_TRY(stick_path_in(ctx, folder, "checkpoint/state.h5", path));
    return stick_checkpoint_open(ctx, path, checkpoint);
}

StickStatus stick_evidence_verify_inputs(StickContext *ctx, const char *folder)
{
    StickCheckpoint *checkpoint;
    char *inputs;
    STICK_TRY(open_checkpoint(ctx, folder, &checkpoint));
    StickStatus status = stick_checkpoint_get_text(checkpoint, "inputs", &inputs);
    stick_checkpoint_close(checkpoint);
    STICK_TRY(status);
    status = check_inputs(ctx, inputs, folder);
    stick_free(ctx, inputs);
    return status;
}

static StickStatus verify_by(StickContext *ctx, const StickCheckpoint *checkpoint, const StickModel *model,
                             const char *folder)
{
    char *text;
    STICK_TRY(stick_checkpoint_get_text(checkpoint, "inputs", &text));
    StickStatus status = check_model(ctx, text, model, folder);
    stick_free(ctx, text);
    for (int k = 0; k < STICK_MANIFESTS && status == STICK_OK; k++) {
        STICK_TRY(stick_checkpoint_get_text(checkpoint, stick_manifest_name[k], &text));
        status = stick_manifest_check(ctx, text, folder);
        stick_free(ctx, text);
    }
    return status == STICK_OK ? stick_field_series_check(ctx, folder) : status;
}

StickStatus stick_evidence_verify(StickContext *ctx, const StickModel *model, const char *folder)
{
    StickCheckpoint *checkpoint;
    STICK_TRY(open_checkpoint(ctx, folder, &checkpoint));
    StickStatus status = verify_by(ctx, checkpoint, model, folder);
    stick_checkpoint_close(checkpoint);
    return status;
}

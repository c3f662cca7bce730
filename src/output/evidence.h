// SPDX-License-Identifier: Apache-2.0
// What a checkpoint relies on: the model as it is understood, the files that it reads, the results that were written before.
#ifndef OUTPUT_EVIDENCE_H
#define OUTPUT_EVIDENCE_H

#include "model/model.h"
#include "output/checkpoint.h"

// Lists of files in a checkpoint (output/manifest.h): those that still grow, field files, others that stay as they are.
enum { STICK_MANIFEST_GROWING, STICK_MANIFEST_FIELDS, STICK_MANIFEST_KEPT, STICK_MANIFESTS };
extern const char *const stick_manifest_name[STICK_MANIFESTS];

// Sizes and hashes of the model and of the files that the context has read for it.
StickStatus stick_evidence_put_inputs(StickContext *ctx, StickCheckpointWriter *writer,
                                      const StickModel *model);

// STICK_IO if a file that the model reads is not what the checkpoint in the folder knows: said before the model is read, for
// it may not be understood any more.
StickStatus stick_evidence_verify_inputs(StickContext *ctx, const char *folder);

// STICK_IO if the model or a file of results is not what the checkpoint in the folder knows. No file is touched.
StickStatus stick_evidence_verify(StickContext *ctx, const StickModel *model, const char *folder);

#endif

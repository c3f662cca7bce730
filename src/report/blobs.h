// SPDX-License-Identifier: Apache-2.0
// Numbers in bulk as a page keeps them: shuffled, compressed by zlib, written as base64 (docs/reference/report.md).
#ifndef REPORT_BLOBS_H
#define REPORT_BLOBS_H

#include "base/json.h"

typedef enum StickBlobsType {
    STICK_BLOB_INT8,
    STICK_BLOB_UINT8,
    STICK_BLOB_INT16,
    STICK_BLOB_UINT32,
    STICK_BLOB_FLOAT32,
    STICK_BLOB_FLOAT64,
} StickBlobsType;

// Compressed numbers, and what the page must know of them.
typedef struct StickBlobsBlock {
    StickBlobsType type;
    size_t count;
    bool quantised; // value = offset + scale * number
    double scale, offset;
    size_t width; // numbers of a frame, stored as differences to the frame before; 0: as they are
    char *base64; // ends with '\0'
    size_t length;
} StickBlobsBlock;

// All blocks of a page, in the order of their numbers.
typedef struct StickBlobs {
    StickContext *ctx;
    StickBlobsBlock *block;
    int count;
    size_t room;
    size_t bytes; // of all base64 texts
} StickBlobs;

void stick_blobs_init(StickBlobs *blocks, StickContext *ctx);
void stick_blobs_destroy(StickBlobs *blocks);

// Forgets the blocks from this one on: for another try with fewer numbers.
void stick_blobs_cut(StickBlobs *blocks, int count);

// Packs numbers of this type as they are; *number is that of the new block.
StickStatus stick_blobs_add(StickBlobs *blocks, StickBlobsType type, const void *numbers, size_t count,
                            int *number);

// How values become integers: value = offset + scale * number, and NaN the least number of the type.
typedef struct StickBlobsScale {
    StickBlobsType type; // STICK_BLOB_INT8 or STICK_BLOB_INT16
    double scale, offset;
} StickBlobsScale;

// The scale for values from least to most. The error is at most half a scale; zero, where it is among them,
// stays zero.
StickBlobsScale stick_blobs_scale(StickBlobsType type, double least, double most);

// Puts the numbers of these values behind each other, from number[at] on.
void stick_blobs_apply(const StickBlobsScale *scale, const double *values, size_t count, void *numbers,
                       size_t at);

// Packs numbers that have a scale already, in frames of the given width (0: no frames).
StickStatus stick_blobs_add_frames(StickBlobs *blocks, const StickBlobsScale *scale, const void *numbers,
                                   size_t count, size_t width, int *number);

// Quantises doubles to int8 or int16 over their own range, frames of the given width (0: no frames). NaN
// becomes the least number. The error is at most half a scale.
StickStatus stick_blobs_quantise(StickBlobs *blocks, StickBlobsType type, const double *values, size_t count,
                                 size_t width, int *number);

// {"block": number, "type": …} for the JSON of the page.
void stick_blobs_json(StickJson *json, const StickBlobs *blocks, int number);

#endif

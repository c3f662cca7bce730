// SPDX-License-Identifier: Apache-2.0
// Numbers in bulk as a page keeps them: shuffled, compressed by zlib, written as base64 (docs/reference/report.md).
#ifndef REPORT_PACK_H
#define REPORT_PACK_H

#include "base/json.h"

typedef enum StickPackType {
    STICK_PACK_INT8,
    STICK_PACK_UINT8,
    STICK_PACK_INT16,
    STICK_PACK_UINT32,
    STICK_PACK_FLOAT32,
    STICK_PACK_FLOAT64,
} StickPackType;

// Compressed numbers, and what the page must know of them.
typedef struct StickPackBlock {
    StickPackType type;
    size_t count;
    bool quantised; // value = offset + scale * number
    double scale, offset;
    size_t width; // numbers of a frame, stored as differences to the frame before; 0: as they are
    char *base64; // ends with '\0'
    size_t length;
} StickPackBlock;

// All blocks of a page, in the order of their numbers.
typedef struct StickPack {
    StickContext *ctx;
    StickPackBlock *block;
    int count;
    size_t room;
    size_t bytes; // of all base64 texts
} StickPack;

void stick_pack_init(StickPack *blocks, StickContext *ctx);
void stick_pack_destroy(StickPack *blocks);

// Forgets the blocks from this one on: for another try with fewer numbers.
void stick_pack_cut(StickPack *blocks, int count);

// Packs numbers of this type as they are; *number is that of the new block.
StickStatus stick_pack_add(StickPack *blocks, StickPackType type, const void *numbers, size_t count,
                           int *number);

// How values become integers: value = offset + scale * number, and NaN the least number of the type.
typedef struct StickPackScale {
    StickPackType type; // STICK_PACK_INT8 or STICK_PACK_INT16
    double scale, offset;
} StickPackScale;

// The scale for values from least to most. The error is at most half a scale; zero, where it is among them,
// stays zero.
StickPackScale stick_pack_scale(StickPackType type, double least, double most);

// Puts the numbers of these values behind each other, from number[at] on.
void stick_pack_apply(const StickPackScale *scale, const double *values, size_t count, void *numbers,
                      size_t at);

// Packs numbers that have a scale already, in frames of the given width (0: no frames).
StickStatus stick_pack_add_frames(StickPack *blocks, const StickPackScale *scale, const void *numbers,
                                  size_t count, size_t width, int *number);

// Quantises doubles to int8 or int16 over their own range, frames of the given width (0: no frames). NaN
// becomes the least number. The error is at most half a scale.
StickStatus stick_pack_quantise(StickPack *blocks, StickPackType type, const double *values, size_t count,
                                size_t width, int *number);

// {"block": number, "type": …} for the JSON of the page.
void stick_pack_json(StickJson *json, const StickPack *blocks, int number);

#endif

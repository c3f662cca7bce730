// SPDX-License-Identifier: Apache-2.0
// One array of a VTK XML file, the way back from output/vtu_array.h: base64 and blocks of zlib to numbers.
#ifndef OUTPUT_VTU_UNPACK_H
#define OUTPUT_VTU_UNPACK_H

#include <stickslip/context.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum StickVtuNumber {
    STICK_VTU_FLOAT64,
    STICK_VTU_FLOAT32,
    STICK_VTU_INT64,
    STICK_VTU_INT32,
    STICK_VTU_UINT8,
} StickVtuNumber;

typedef struct StickVtuPacked {
    StickVtuNumber number;
    int components;
    const char *digits; // base64, of someone else
    size_t count;       // of digits
} StickVtuPacked;

// By VTK's word, as "Float64"; false if it is none of these.
bool stick_vtu_number(const char *word, size_t length, StickVtuNumber *number);
bool stick_vtu_is_whole(StickVtuNumber number);

// Bytes of exactly count numbers in new memory. Sizes that the digits cannot hold are refused before memory
// is taken; mark and name are for messages.
StickStatus stick_vtu_unpack(StickContext *ctx, const StickVtuPacked *packed, size_t count, StickMark mark,
                             const char *name, void **bytes);

// One of the unpacked numbers.
double stick_vtu_real(StickVtuNumber number, const void *bytes, size_t at);
int64_t stick_vtu_whole(StickVtuNumber number, const void *bytes, size_t at);

#endif

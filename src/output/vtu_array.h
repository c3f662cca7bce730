// SPDX-License-Identifier: Apache-2.0
// One array of a VTK XML file: bytes come in, blocks go out compressed by zlib and written as base64.
#ifndef OUTPUT_VTU_ARRAY_H
#define OUTPUT_VTU_ARRAY_H

#include "base/text.h"

enum { STICK_VTU_BLOCK = 65536 }; // bytes compressed at a time

typedef struct StickVtuArray StickVtuArray;

// Writes into the text. A failure is remembered until stick_vtu_array_status, like one of the text itself.
StickStatus stick_vtu_array_create(StickContext *ctx, StickText *text, StickVtuArray **array);
void stick_vtu_array_destroy(StickVtuArray *array);

// type is VTK's word ("Float64"), component_names may be NULL.
void stick_vtu_array_begin(StickVtuArray *array, const char *type, const char *name, int components,
                           const char *const *component_names);
void stick_vtu_array_add(StickVtuArray *array, const void *bytes, size_t count);
void stick_vtu_array_end(StickVtuArray *array);

StickStatus stick_vtu_array_status(const StickVtuArray *array);

// Numbers are stored as this machine has them: VTK's word for it.
const char *stick_vtu_byte_order(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// Blocks of a page read back as docs/reference/report.md says, by code of its own.
#ifndef TESTS_REPORT_UNPACK_H
#define TESTS_REPORT_UNPACK_H

#include "check.h"

#include "model/yaml.h"
#include "report/blobs.h"

#include <zlib.h>

// What a map has under a key; there must be one.
static inline const StickYaml *member(const StickYaml *map, const char *key)
{
    const StickYaml *found = stick_yaml_find(map, key);
    if (!found)
        fail_msg("there is no '%s'", key);
    return found;
}

static inline size_t digits_to_bytes(const char *digits, size_t count, unsigned char *bytes)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = 0;
    assert_int_equal(count % 4, 0);
    for (size_t k = 0; k < count; k += 4) {
        uint32_t group = 0;
        int padding = 0;
        for (size_t j = k; j < k + 4; j++) {
            const char *found = memchr(alphabet, digits[j], 64);
            assert_true(found || (digits[j] == '=' && k + 4 == count));
            padding += !found;
            group = group << 6 | (found ? (uint32_t)(found - alphabet) : 0);
        }
        for (int j = 0; j < 3 - padding; j++)
            bytes[size++] = (unsigned char)(group >> (16 - 8 * j));
    }
    return size;
}

// Numbers of a block, shuffle and differences undone; the caller frees them.
static inline void *unpack_numbers(const StickBlobsBlock *block)
{
    static const size_t sizes[] = {1, 1, 2, 4, 4, 8};
    size_t each = sizes[block->type], size = block->count * each;
    unsigned char *packed = malloc(block->length + 3), *shuffled = malloc(size + 1),
                  *numbers = malloc(size + 1);
    uLongf got = (uLongf)size + 1;
    assert_int_equal(strlen(block->base64), block->length);
    size_t length = digits_to_bytes(block->base64, block->length, packed);
    assert_int_equal(uncompress(shuffled, &got, packed, (uLong)length), Z_OK);
    assert_int_equal(got, size);
    for (size_t i = 0; i < block->count; i++)
        for (size_t k = 0; k < each; k++)
            numbers[i * each + k] = shuffled[k * block->count + i];
    for (size_t i = block->width; block->width > 0 && i < block->count; i++) {
        if (each == 1)
            numbers[i] = (unsigned char)(numbers[i] + numbers[i - block->width]);
        else
            ((uint16_t *)numbers)[i] =
                (uint16_t)(((uint16_t *)numbers)[i] + ((uint16_t *)numbers)[i - block->width]);
    }
    free(packed);
    free(shuffled);
    return numbers;
}

// Values of a quantised block; the caller frees them.
static inline double *unpack_values(const StickBlobsBlock *block)
{
    void *numbers = unpack_numbers(block);
    double *values = malloc((block->count + 1) * sizeof *values);
    assert_true(block->quantised);
    for (size_t i = 0; i < block->count; i++) {
        bool small = block->type == STICK_BLOB_INT8;
        int number = small ? ((int8_t *)numbers)[i] : ((int16_t *)numbers)[i];
        values[i] = number == (small ? INT8_MIN : INT16_MIN) ? NAN : block->offset + block->scale * number;
    }
    free(numbers);
    return values;
}

#endif

// SPDX-License-Identifier: Apache-2.0
// 64-bit FNV-1a hash, to detect changed bytes.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define STICK_HASH_START UINT64_C(0xcbf29ce484222325)

// Goes on from hash; starts with STICK_HASH_START.
static inline uint64_t stick_hash(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < count; k++)
        hash = (hash ^ byte[k]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif

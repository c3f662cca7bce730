// SPDX-License-Identifier: Apache-2.0
// Items that are there several times: their indices, and the names and numbers that depend on them.
#include "model/schema.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NINDICES = 3, LARGEST_INDEX = 1000000000 };

static const char *const index_names[NINDICES] = {"i", "j", "k"};
static const unsigned index_variables[NINDICES] = {STICK_SEES_I, STICK_SEES_J, STICK_SEES_K};

int stick_repeat_count(const StickRepeat *repeat)
{
    double count = 1;
    for (int k = 0; k < repeat->nindices; k++)
        count *= repeat->size[k];
    return count < INT32_MAX ? (int)count : INT32_MAX;
}

static void check_names(StickReader *reader, const StickYaml *map)
{
    for (const StickYaml *node = map->first; node; node = node->next) {
        bool known = false;
        for (int k = 0; k < NINDICES; k++)
            known = known || strcmp(node->key, index_names[k]) == 0;
        if (!known)
            stick_complain_word(reader, node->key_mark, "index", node->key, index_names, NINDICES);
        else if (stick_expressions_knows(reader->model->expressions, node->key))
            STICK_COMPLAIN(reader, node->key_mark, "the index '%s' is also a parameter: rename one of them",
                           node->key);
    }
}

// [first, last]
static StickStatus read_range(StickReader *reader, const StickYaml *node, int *low, int *size)
{
    const StickField bound = {.key = node->key,
                              .type = STICK_FIELD_INTEGER,
                              .range = {STICK_AT_LEAST | STICK_AT_MOST, -LARGEST_INDEX, LARGEST_INDEX}};
    if (!stick_need_kind(reader, node->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 2) {
        STICK_COMPLAIN(reader, node->mark, "the index '%s' has %d bounds, but needs two: [first, last]",
                       node->key, node->count);
        return STICK_OK;
    }
    int first = 0, last = 0;
    size_t errors = stick_error_count(reader->ctx);
    STICK_TRY(stick_read_integer(reader, &bound, node->first, &first));
    STICK_TRY(stick_read_integer(reader, &bound, node->first->next, &last));
    if (stick_error_count(reader->ctx) != errors)
        return STICK_OK;
    if (first > last)
        STICK_COMPLAIN(reader, node->mark,
                       "the index '%s' runs from %d to %d, an empty range: swap the bounds", node->key, first,
                       last);
    *low = first;
    *size = last - first + 1;
    return STICK_OK;
}

StickStatus stick_read_repeat(StickReader *reader, const StickYaml *item, StickRepeat *repeat,
                              unsigned *indices)
{
    const StickYaml *map = item->kind == STICK_YAML_MAP ? stick_yaml_find(item, "repeat") : NULL;
    if (!map || !stick_need_kind(reader, "repeat", map, STICK_YAML_MAP))
        return STICK_OK;
    size_t errors = stick_error_count(reader->ctx);
    StickRepeat read = {.nindices = 0};
    check_names(reader, map);
    for (int k = 0; k < NINDICES; k++) {
        const StickYaml *node = stick_yaml_find(map, index_names[k]);
        if (!node)
            continue;
        *indices |= index_variables[k];
        STICK_TRY(read_range(reader, node, &read.low[read.nindices], &read.size[read.nindices]));
        read.nindices++;
    }
    if (stick_error_count(reader->ctx) == errors && read.nindices == 0)
        STICK_COMPLAIN(reader, map->mark, "'repeat' needs an index, as {i: [0, 9]}");
    if (stick_error_count(reader->ctx) == errors)
        *repeat = read;
    return STICK_OK;
}

StickStatus stick_skip_repeat(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    (void)reader, (void)field, (void)node, (void)item;
    return STICK_OK;
}

void stick_repeat_begin(StickReader *reader, const StickRepeat *repeat, unsigned indices)
{
    reader->repeat = *repeat;
    reader->indices = indices;
    reader->ncompiled = 0;
    stick_repeat_place(reader, 0);
}

void stick_repeat_place(StickReader *reader, int number)
{
    StickRepeat *repeat = &reader->repeat;
    repeat->number = number;
    for (int k = repeat->nindices - 1, rest = number; k >= 0; rest /= repeat->size[k--])
        repeat->index[k] = repeat->low[k] + rest % repeat->size[k];
    double *const seen[NINDICES] = {&reader->seen.i, &reader->seen.j, &reader->seen.k};
    for (int k = 0, index = 0; k < NINDICES; k++)
        if (reader->indices & index_variables[k] && index < repeat->nindices)
            *seen[k] = repeat->index[index++];
    reader->asked = 0;
}

char *stick_repeat_name(StickReader *reader, const char *name, const StickRepeat *repeat)
{
    char indices[64];
    size_t length = 0;
    for (int k = 0; k < repeat->nindices; k++)
        length += (size_t)snprintf(indices + length, sizeof indices - length, "%c%d", k ? ',' : '[',
                                   repeat->index[k]);
    if (repeat->nindices)
        indices[length++] = ']';
    indices[length] = '\0';
    size_t own = strlen(name);
    char *kept = stick_arena_take(&reader->model->arena, own + length + 1, 1);
    if (!kept)
        return NULL;
    memcpy(kept, name, own);
    memcpy(kept + own, indices, length + 1);
    return kept;
}

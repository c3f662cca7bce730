// SPDX-License-Identifier: Apache-2.0
#include "mesh/inp_deck.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

void stick_inp_deck_destroy(StickInpDeck *deck)
{
    StickContext *ctx = deck->ctx;
    for (size_t k = 0; k < deck->nsets; k++) {
        stick_free(ctx, deck->set[k].name);
        stick_free(ctx, deck->set[k].range);
    }
    for (size_t k = 0; k < deck->nfiles; k++)
        stick_free(ctx, deck->file[k]);
    stick_free(ctx, deck->file);
    stick_free(ctx, deck->node_tag);
    stick_free(ctx, deck->x);
    stick_free(ctx, deck->element);
    stick_free(ctx, deck->element_node);
    stick_free(ctx, deck->set);
    *deck = (StickInpDeck){.ctx = ctx};
}

StickStatus stick_inp_add_node(StickInpDeck *deck, long long tag, const double x[3])
{
    STICK_RESERVE(deck->ctx, deck->node_tag, deck->node_tag_room, deck->nnodes + 1);
    STICK_RESERVE(deck->ctx, deck->x, deck->x_room, 3 * (deck->nnodes + 1));
    deck->node_tag[deck->nnodes] = tag;
    memcpy(&deck->x[3 * deck->nnodes++], x, 3 * sizeof *x);
    return STICK_OK;
}

StickStatus stick_inp_add_element(StickInpDeck *deck, long long tag, StickShape shape, const long long *node)
{
    size_t count = (size_t)stick_shape_info(shape)->nodes;
    STICK_RESERVE(deck->ctx, deck->element, deck->element_room, deck->nelements + 1);
    STICK_RESERVE(deck->ctx, deck->element_node, deck->element_node_room, deck->nelement_nodes + count);
    memcpy(&deck->element_node[deck->nelement_nodes], node, count * sizeof *node);
    deck->element[deck->nelements++] = (StickInpElement){tag, shape, deck->nelement_nodes};
    deck->nelement_nodes += count;
    return STICK_OK;
}

bool stick_inp_same_name(const char *a, const char *b)
{
    while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

int stick_inp_find_set(const StickInpDeck *deck, StickInpKind kind, const char *name)
{
    for (size_t k = 0; k < deck->nsets; k++)
        if (deck->set[k].kind == kind && stick_inp_same_name(deck->set[k].name, name))
            return (int)k;
    return -1;
}

StickStatus stick_inp_set(StickInpDeck *deck, StickInpKind kind, const char *name, StickMark mark, int *set)
{
    *set = stick_inp_find_set(deck, kind, name);
    if (*set >= 0)
        return STICK_OK;
    STICK_RESERVE(deck->ctx, deck->set, deck->set_room, deck->nsets + 1);
    char *copy = stick_copy_text(deck->ctx, name);
    if (!copy)
        return STICK_NO_MEMORY;
    *set = (int)deck->nsets;
    deck->set[deck->nsets++] = (StickInpSet){.kind = kind, .name = copy, .mark = mark};
    return STICK_OK;
}

// Tags that follow each other become one range.
StickStatus stick_inp_add_range(StickInpDeck *deck, int set, StickInpRange range)
{
    StickInpSet *into = &deck->set[set];
    StickInpRange *last = into->nranges > 0 ? &into->range[into->nranges - 1] : NULL;
    if (last && last->step == 1 && range.step == 1 && range.first == last->last + 1 &&
        last->side == range.side && last->listed == range.listed &&
        last->nodes_of_elements == range.nodes_of_elements) {
        last->last = range.last;
        return STICK_OK;
    }
    STICK_RESERVE(deck->ctx, into->range, into->room, into->nranges + 1);
    into->range[into->nranges++] = range;
    deck->nranges++;
    return STICK_OK;
}

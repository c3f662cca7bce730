// SPDX-License-Identifier: Apache-2.0
#include "mesh/unread.h"

#include <string.h>

// A message has at most 2048 characters.
enum { MOST_LISTED = 30 };

StickStatus stick_unread_add(StickContext *ctx, StickUnread *list, const char *word, StickMark mark,
                             int *index)
{
    size_t k = 0;
    while (k < list->count && strcmp(list->item[k].word, word) != 0)
        k++;
    if (k == list->count) {
        STICK_RESERVE(ctx, list->item, list->room, list->count + 1);
        char *copy = stick_copy_text(ctx, word);
        if (!copy)
            return STICK_NO_MEMORY;
        list->item[list->count++] = (struct StickUnreadItem){copy, mark, 0};
    }
    list->item[k].times++;
    if (index)
        *index = (int)k;
    return STICK_OK;
}

StickStatus stick_unread_text(const StickUnread *list, StickText *text)
{
    size_t listed = list->count < MOST_LISTED ? list->count : MOST_LISTED;
    for (size_t k = 0; k < listed; k++) {
        const struct StickUnreadItem *item = &list->item[k];
        stick_text_add(text, k > 0 ? ", " : "");
        if (item->times > 1)
            stick_text_add(text, "%lld ", item->times);
        stick_text_add(text, "%.40s", item->word);
        if (item->mark.line == 0) // a binary file
            continue;
        stick_text_add(text, " (%sline %d", item->times > 1 ? "first in " : "", item->mark.line);
        // of files that the file of the message includes
        if (!stick_text_equal(item->mark.file, list->item[0].mark.file))
            stick_text_add(text, " of %.100s", item->mark.file);
        stick_text_add(text, ")");
    }
    if (list->count > listed)
        stick_text_add(text, " and %zu more", list->count - listed);
    return stick_text_status(text);
}

void stick_unread_destroy(StickContext *ctx, StickUnread *list)
{
    for (size_t k = 0; k < list->count; k++)
        stick_free(ctx, list->item[k].word);
    stick_free(ctx, list->item);
    *list = (StickUnread){0};
}

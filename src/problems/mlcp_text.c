// SPDX-License-Identifier: Apache-2.0
#include "problems/mlcp_text.h"

#include "base/text.h"

#include <stdio.h>

static const char first_word[] = "mates";

bool stick_mlcp_text_begins(const StickTextReader *reader)
{
    StickTextReader ahead = *reader;
    char word[STICK_READER_WORD];
    return stick_reader_word(&ahead, "a problem", word) == STICK_OK && stick_text_equal(word, first_word);
}

// A matrix under its name, by rows in the text and by columns here.
static StickStatus read_matrix(StickTextReader *reader, const char *name, int rows, int cols, double **values)
{
    STICK_TRY(stick_reader_expect(reader, name));
    if (!stick_reader_can_hold(reader, (double)rows * cols))
        return stick_reader_fail(reader, "the file ends within %s, which is %d by %d", name, rows, cols);
    STICK_ALLOC(reader->ctx, *values, (size_t)rows * (size_t)cols);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            char what[STICK_READER_WORD];
            snprintf(what, sizeof what, "%s(%d,%d)", name, i + 1, j + 1);
            STICK_TRY(stick_reader_number(reader, what, &(*values)[(size_t)j * (size_t)rows + (size_t)i]));
        }
    return STICK_OK;
}

static StickStatus read_motions(StickTextReader *reader, StickMlcpData *mates)
{
    StickTextReader ahead = *reader;
    char word[STICK_READER_WORD];
    if (stick_reader_word(&ahead, "motions", word) != STICK_OK || !stick_text_equal(word, "motions"))
        return STICK_OK;
    *reader = ahead;
    STICK_ALLOC(reader->ctx, mates->motion, mates->l);
    for (int k = 0; k < mates->l; k++) {
        STICK_TRY(stick_reader_word(reader, "the name of a motion", word));
        mates->motion[k] = stick_copy_text(reader->ctx, word);
        if (!mates->motion[k])
            return STICK_NO_MEMORY;
    }
    return STICK_OK;
}

StickStatus stick_mlcp_text_read(StickTextReader *reader, StickProblemFile *file)
{
    StickMlcpData *mates = &file->mates;
    STICK_TRY(stick_reader_expect(reader, first_word));
    STICK_TRY(stick_reader_count(reader, "the number of pairs m", &mates->m));
    STICK_TRY(stick_reader_count(reader, "the number of motions l", &mates->l));
    STICK_TRY(read_matrix(reader, "A", mates->m, mates->m, &mates->A));
    STICK_TRY(read_matrix(reader, "B", mates->l, mates->m, &mates->B));
    STICK_TRY(read_matrix(reader, "C", mates->m, mates->l, &mates->C));
    STICK_TRY(read_matrix(reader, "eps", mates->m, 1, &mates->eps));
    STICK_TRY(read_matrix(reader, "lambda", mates->l, 1, &mates->lambda));
    return read_motions(reader, mates);
}

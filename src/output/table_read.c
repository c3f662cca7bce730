// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "base/text.h"
#include "output/table.h"

#include <math.h>
#include <string.h>

// ---- lines

typedef struct Reader {
    StickContext *ctx;
    const char *path;
    char *bytes; // whole lines only, each '\n' replaced by '\0'
    char *end;
    size_t nrows;
} Reader;

static StickStatus fail_here(const Reader *reader, const char *line, int number, const char *at,
                             const char *text)
{
    StickMark mark = {reader->path, number, (int)(at - line) + 1};
    return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark, "%s", text);
}

static char *next_line(const char *line)
{
    return (char *)line + strlen(line) + 1;
}

// Cuts the bytes into lines; what stands behind the last line end is not whole and left out.
static StickStatus cut_lines(Reader *reader, size_t count)
{
    int lines = 0;
    char *line = reader->bytes;
    reader->end = reader->bytes + count;
    for (char *c = reader->bytes; c < reader->end; c++) {
        if (*c == '\0')
            return fail_here(reader, line, lines + 1, c, "a table holds no zero bytes");
        if (*c != '\n')
            continue;
        *c = '\0';
        if (c > line && c[-1] == '\r')
            c[-1] = ' ';
        line = c + 1;
        lines++;
    }
    if (lines == 0)
        return fail_here(reader, line, 1, line, "a table starts with a line of column names");
    if (line < reader->end)
        stick_warn_at(reader->ctx, (StickMark){reader->path, lines + 1, 1},
                      "the last line has no end and is left out");
    reader->end = line;
    reader->nrows = (size_t)lines - 1;
    return STICK_OK;
}

// ---- header

// Reads one name, with or without quotes, and moves *from to the comma or the end behind it. false if it is
// not closed.
static bool take_name(const char **from, StickText *name)
{
    const char *c = *from;
    bool quoted = *c == '"';
    for (c += quoted; *c && (quoted || *c != ','); c++) {
        if (quoted && *c == '"' && *++c != '"') {
            quoted = false;
            break;
        }
        stick_text_add_bytes(name, c, 1);
    }
    c += strspn(c, " ");
    *from = c;
    return !quoted && (*c == ',' || *c == '\0');
}

static StickStatus add_column(const Reader *reader, const StickText *name, StickColumns *columns,
                              size_t *capacity)
{
    STICK_TRY(stick_text_status(name));
    STICK_RESERVE(reader->ctx, columns->name, *capacity, columns->ncolumns + 1);
    char *copy = stick_copy_text(reader->ctx, name->bytes);
    if (!copy)
        return STICK_NO_MEMORY;
    columns->name[columns->ncolumns++] = copy;
    size_t length = strlen(copy);
    while (length > 1 && copy[length - 1] == ' ')
        copy[--length] = '\0';
    return STICK_OK;
}

static StickStatus check_name(const Reader *reader, const char *at, const StickColumns *columns)
{
    int last = columns->ncolumns - 1;
    if (strspn(columns->name[last], " ") == strlen(columns->name[last]))
        return fail_here(reader, reader->bytes, 1, at, "a column has no name");
    for (int k = 0; k < last; k++)
        if (strcmp(columns->name[k], columns->name[last]) == 0)
            return fail_here(reader, reader->bytes, 1, at, "two columns have the same name");
    return STICK_OK;
}

static StickStatus read_header(const Reader *reader, StickColumns *columns)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF"; // some programs write one in front
    const char *c = reader->bytes;
    size_t capacity = 0;
    StickStatus status = STICK_OK;
    if (strncmp(c, byte_order_mark, 3) == 0)
        c += 3;
    for (bool more = true; more && status == STICK_OK; more = *c++ == ',') {
        const char *at = c;
        StickText name;
        stick_text_init(&name, reader->ctx);
        stick_text_add(&name, "%s", "");
        bool whole = take_name(&c, &name);
        status = whole ? add_column(reader, &name, columns, &capacity)
                       : fail_here(reader, reader->bytes, 1, at, "the quotes of a column name do not match");
        if (status == STICK_OK)
            status = check_name(reader, at, columns);
        stick_text_destroy(&name);
    }
    return status;
}

// ---- rows

// Counts fields before anything is allocated for them, so that a damaged file cannot ask for absurd amounts.
static StickStatus check_rows(const Reader *reader, int ncolumns)
{
    int number = 2;
    for (const char *line = next_line(reader->bytes); line < reader->end; line = next_line(line), number++) {
        int fields = 1;
        for (const char *c = line; *c; c++)
            fields += *c == ',';
        StickMark mark = {reader->path, number, 1};
        if (line[strspn(line, " \t")] == '\0')
            return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark, "the line is empty");
        if (fields != ncolumns)
            return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark, "%d values for %d columns", fields,
                                 ncolumns);
    }
    return STICK_OK;
}

// What stick_table_row writes: decimal numbers, nan and inf.
static bool parse_value(const char *field, double *value)
{
    if (stick_parse_number(field, value))
        return true;
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", (double)NAN}, {"inf", (double)INFINITY}, {"-inf", -(double)INFINITY}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(field, words[k].word) == 0) {
            *value = words[k].value;
            return true;
        }
    return false;
}

static StickStatus read_row(const Reader *reader, char *line, int number, const StickColumns *columns,
                            size_t row)
{
    char *next = line;
    for (int k = 0; k < columns->ncolumns; k++) {
        char *field = next + strspn(next, " \t");
        char *comma = field + strcspn(field, ",");
        next = comma + 1;
        *comma = '\0';
        for (char *end = comma; end > field && (end[-1] == ' ' || end[-1] == '\t');)
            *--end = '\0';
        if (!parse_value(field, &columns->column[k][row])) {
            StickMark mark = {reader->path, number, (int)(field - line) + 1};
            return stick_fail_at(reader->ctx, STICK_BAD_INPUT, mark, "column '%s': '%.60s' is no number",
                                 columns->name[k], field);
        }
    }
    return STICK_OK;
}

static StickStatus read_rows(const Reader *reader, StickColumns *columns)
{
    double *block;
    STICK_TRY(check_rows(reader, columns->ncolumns));
    STICK_ALLOC(reader->ctx, columns->column, columns->ncolumns);
    STICK_ALLOC(reader->ctx, block, reader->nrows * (size_t)columns->ncolumns);
    for (int k = 0; k < columns->ncolumns; k++)
        columns->column[k] = block + (size_t)k * reader->nrows;
    columns->nrows = reader->nrows;
    char *line = next_line(reader->bytes);
    for (size_t row = 0; row < reader->nrows; row++) {
        char *following = next_line(line);
        STICK_TRY(read_row(reader, line, (int)row + 2, columns, row));
        line = following;
    }
    return STICK_OK;
}

// ---- the table

static StickStatus read_table(Reader *reader, size_t count, StickColumns *columns)
{
    STICK_TRY(cut_lines(reader, count));
    STICK_TRY(read_header(reader, columns));
    return read_rows(reader, columns);
}

StickStatus stick_table_read(StickContext *ctx, const char *path, StickColumns *columns)
{
    Reader reader = {.ctx = ctx, .path = path};
    size_t count;
    STICK_TRY(stick_file_read(ctx, path, &reader.bytes, &count));
    StickColumns read = {0};
    StickStatus status = read_table(&reader, count, &read);
    stick_free(ctx, reader.bytes);
    if (status != STICK_OK) {
        stick_columns_destroy(ctx, &read);
        return status;
    }
    *columns = read;
    return STICK_OK;
}

void stick_columns_destroy(StickContext *ctx, StickColumns *columns)
{
    for (int k = 0; k < columns->ncolumns; k++)
        stick_free(ctx, columns->name[k]);
    stick_free(ctx, columns->name);
    if (columns->column)
        stick_free(ctx, columns->column[0]);
    stick_free(ctx, columns->column);
    *columns = (StickColumns){0};
}

size_t stick_column_name_length(const char *name)
{
    const char *unit = strstr(name, " [");
    return unit ? (size_t)(unit - name) : strlen(name);
}

int stick_columns_find(const StickColumns *columns, const char *name)
{
    for (int k = 0; k < columns->ncolumns; k++)
        if (strcmp(columns->name[k], name) == 0)
            return k;
    for (int k = 0; k < columns->ncolumns; k++) {
        size_t length = stick_column_name_length(columns->name[k]);
        if (strlen(name) == length && strncmp(columns->name[k], name, length) == 0)
            return k;
    }
    return -1;
}

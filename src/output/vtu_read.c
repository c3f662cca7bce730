// SPDX-License-Identifier: Apache-2.0
#include "output/vtu_read.h"

#include "base/file.h"
#include "base/text.h"
#include "output/vtu_array.h"
#include "output/vtu_unpack.h"
#include "output/xml.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef enum Section { POINT_DATA, CELL_DATA, FIELD_DATA, POINTS, CELLS, OUTSIDE } Section;

static const char *const section_names[] = {"PointData", "CellData", "FieldData", "Points", "Cells"};

typedef struct Array {
    Section section;
    char *name;
    StickVtuPacked packed;
} Array;

struct StickVtuFile {
    StickContext *ctx;
    char *name;
    char *bytes; // NULL if they are someone else's
    double time;
    int npoints, ncells;
    int count;
    size_t room;
    Array *array;
};

static StickStatus refuse(const StickVtuFile *file, const char *what)
{
    return stick_fail_at(file->ctx, STICK_BAD_INPUT, (StickMark){file->name, 0, 0}, "%s", what);
}

// ---- tags

typedef struct Words {
    const char *at;
    size_t length;
} Words;

typedef struct Scanner {
    const char *at, *end;
} Scanner;

typedef struct Tag {
    bool closing; // </name>
    Words name;
    Words attributes; // up to the end of the tag
} Tag;

static bool equal(Words words, const char *text)
{
    return words.length == strlen(text) && memcmp(words.at, text, words.length) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The next tag, and the text in front of it. Values hold no '>': writers escape it. false at the end of the
// file.
static bool next_tag(Scanner *scanner, Words *before, Tag *tag)
{
    size_t left = (size_t)(scanner->end - scanner->at);
    const char *open = left ? memchr(scanner->at, '<', left) : NULL;
    const char *close = open ? memchr(open, '>', (size_t)(scanner->end - open)) : NULL;
    if (!close)
        return false;
    *before = (Words){scanner->at, (size_t)(open - scanner->at)};
    const char *at = open + 1;
    *tag = (Tag){.closing = *at == '/'};
    at += tag->closing;
    tag->name.at = at;
    while (at < close && !is_blank(*at))
        at++;
    tag->name.length = (size_t)(at - tag->name.at);
    tag->attributes = (Words){at, (size_t)(close - at)};
    scanner->at = close + 1;
    return true;
}

// The value of an attribute: blank, name, equals sign and quotes.
static bool attribute(const Tag *tag, const char *name, Words *value)
{
    const char *at = tag->attributes.at, *end = at + tag->attributes.length;
    size_t length = strlen(name);
    while (at < end) {
        while (at < end && is_blank(*at))
            at++;
        const char *equals = at < end ? memchr(at, '=', (size_t)(end - at)) : NULL;
        if (!equals || end - equals < 2 || equals[1] != '"')
            return false;
        const char *first = equals + 2, *quote = memchr(first, '"', (size_t)(end - first));
        if (!quote)
            return false;
        if ((size_t)(equals - at) == length && memcmp(at, name, length) == 0) {
            *value = (Words){first, (size_t)(quote - first)};
            return true;
        }
        at = quote + 1;
    }
    return false;
}

static bool attribute_is(const Tag *tag, const char *name, const char *value)
{
    Words found;
    return attribute(tag, name, &found) && equal(found, value);
}

// A whole number from 0 to INT_MAX.
static bool whole_attribute(const Tag *tag, const char *name, int *number)
{
    Words text;
    if (!attribute(tag, name, &text) || text.length == 0 || text.length > 10)
        return false;
    int64_t value = 0;
    for (size_t k = 0; k < text.length; k++) {
        if (text.at[k] < '0' || text.at[k] > '9')
            return false;
        value = 10 * value + (text.at[k] - '0');
    }
    *number = (int)value;
    return value <= INT_MAX;
}

static char *copy_words(StickContext *ctx, Words words)
{
    char *copy = stick_alloc(ctx, words.length + 1, 1);
    if (copy)
        memcpy(copy, words.at, words.length);
    return copy;
}

// ---- looking through

static StickStatus read_head(const StickVtuFile *file, const Tag *tag)
{
    if (!attribute_is(tag, "type", "UnstructuredGrid"))
        return refuse(file, "this is no unstructured grid (.vtu)");
    if (!attribute_is(tag, "byte_order", stick_vtu_byte_order()))
        return refuse(file, "the grid was written by a machine with another order of bytes");
    if (!attribute_is(tag, "header_type", "UInt64") ||
        !attribute_is(tag, "compressor", "vtkZLibDataCompressor"))
        return refuse(file, "the grid is stored in another way than ours are");
    return STICK_OK;
}

static StickStatus read_piece(StickVtuFile *file, const Tag *tag)
{
    if (file->npoints >= 0)
        return refuse(file, "the grid has several pieces");
    if (!whole_attribute(tag, "NumberOfPoints", &file->npoints) ||
        !whole_attribute(tag, "NumberOfCells", &file->ncells))
        return refuse(file, "the piece does not say how many points and cells it has");
    return STICK_OK;
}

static StickStatus read_time(StickVtuFile *file, const Tag *tag, Words text)
{
    char digits[64] = "";
    if (!attribute_is(tag, "Name", "TimeValue"))
        return STICK_OK;
    if (text.length < sizeof digits)
        memcpy(digits, text.at, text.length);
    return stick_parse_number(digits, &file->time) ? STICK_OK : refuse(file, "its time is no number");
}

static StickStatus add_array(StickVtuFile *file, const Tag *tag, Section section, Words text)
{
    Words type, name;
    Array array = {.section = section, .packed = {.components = 1, .digits = text.at, .count = text.length}};
    if (!attribute(tag, "type", &type) || !attribute(tag, "Name", &name))
        return refuse(file, "an array has no type or no name");
    if (attribute(tag, "NumberOfComponents", &(Words){0}) &&
        (!whole_attribute(tag, "NumberOfComponents", &array.packed.components) ||
         array.packed.components < 1))
        return refuse(file, "an array has no number of components");
    if (!stick_vtu_number(type.at, type.length, &array.packed.number) ||
        !attribute_is(tag, "format", "binary"))
        return refuse(file, "an array has numbers of a kind that is not ours");
    STICK_RESERVE(file->ctx, file->array, file->room, file->count + 1);
    array.name = copy_words(file->ctx, name);
    if (!array.name)
        return STICK_NO_MEMORY;
    stick_xml_unescape(array.name);
    file->array[file->count++] = array;
    return STICK_OK;
}

// What stands between <DataArray ...> and </DataArray>.
static StickStatus read_array(StickVtuFile *file, Scanner *scanner, const Tag *tag, Section section)
{
    Words text;
    Tag end;
    if (!next_tag(scanner, &text, &end) || !end.closing || !equal(end.name, "DataArray"))
        return refuse(file, "the file is cut off or damaged in an array");
    if (section == FIELD_DATA)
        return read_time(file, tag, text);
    return section == OUTSIDE ? STICK_OK : add_array(file, tag, section, text);
}

static Section section_of(const Tag *tag, Section before)
{
    for (Section k = POINT_DATA; k < OUTSIDE; k++)
        if (equal(tag->name, section_names[k]))
            return tag->closing ? OUTSIDE : k;
    return before;
}

static StickStatus look_through(StickVtuFile *file, const char *bytes, size_t count)
{
    Scanner scanner = {bytes, bytes + count};
    Section section = OUTSIDE;
    Words before;
    Tag tag;
    bool headed = false;
    while (next_tag(&scanner, &before, &tag)) {
        if (equal(tag.name, "VTKFile") && tag.closing)
            return headed && file->npoints >= 0 ? STICK_OK : refuse(file, "the file has no grid");
        if (equal(tag.name, "VTKFile")) {
            STICK_TRY(read_head(file, &tag));
            headed = true;
        } else if (equal(tag.name, "Piece") && !tag.closing) {
            STICK_TRY(read_piece(file, &tag));
        } else if (equal(tag.name, "DataArray") && !tag.closing) {
            STICK_TRY(read_array(file, &scanner, &tag, section));
        } else {
            section = section_of(&tag, section);
        }
    }
    return refuse(file, headed ? "the file is cut off" : "this is no grid (.vtu)");
}

StickStatus stick_vtu_open_bytes(StickContext *ctx, const char *name, const char *bytes, size_t count,
                                 StickVtuFile **file)
{
    StickVtuFile *made;
    STICK_ALLOC(ctx, made, 1);
    *made = (StickVtuFile){.ctx = ctx, .time = NAN, .npoints = -1};
    made->name = stick_copy_text(ctx, name);
    StickStatus status = made->name ? look_through(made, bytes, count) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        *file = made;
    else
        stick_vtu_close(made);
    return status;
}

StickStatus stick_vtu_open(StickContext *ctx, const char *path, StickVtuFile **file)
{
    char *bytes;
    size_t count;
    STICK_TRY(stick_file_read(ctx, path, &bytes, &count));
    StickStatus status = stick_vtu_open_bytes(ctx, path, bytes, count, file);
    if (status == STICK_OK)
        (*file)->bytes = bytes;
    else
        stick_free(ctx, bytes);
    return status;
}

void stick_vtu_close(StickVtuFile *file)
{
    if (!file)
        return;
    StickContext *ctx = file->ctx;
    for (int k = 0; k < file->count; k++)
        stick_free(ctx, file->array[k].name);
    stick_free(ctx, file->array);
    stick_free(ctx, file->name);
    stick_free(ctx, file->bytes);
    stick_free(ctx, file);
}

double stick_vtu_time(const StickVtuFile *file)
{
    return file->time;
}

int stick_vtu_points(const StickVtuFile *file)
{
    return file->npoints;
}

int stick_vtu_cells(const StickVtuFile *file)
{
    return file->ncells;
}

// ---- arrays

static const Array *find_array(const StickVtuFile *file, Section section, const char *name)
{
    for (int k = 0; k < file->count; k++)
        if (file->array[k].section == section && strcmp(file->array[k].name, name) == 0)
            return &file->array[k];
    return NULL;
}

static StickStatus need_array(const StickVtuFile *file, Section section, const char *name,
                              const Array **array)
{
    *array = find_array(file, section, name);
    if (!*array)
        return stick_fail_at(file->ctx, STICK_BAD_INPUT, (StickMark){file->name, 0, 0},
                             "there is no array '%s'", name);
    return STICK_OK;
}

static Section section_from(StickVtuSection section)
{
    return section == STICK_VTU_POINT_DATA ? POINT_DATA : CELL_DATA;
}

// Bytes of count numbers, refused with the array's name if there are more or fewer.
static StickStatus unpack(const StickVtuFile *file, const Array *array, size_t count, void **bytes)
{
    StickMark mark = {file->name, 0, 0};
    return stick_vtu_unpack(file->ctx, &array->packed, count, mark, array->name, bytes);
}

int stick_vtu_components(const StickVtuFile *file, StickVtuSection section, const char *name)
{
    const Array *array = find_array(file, section_from(section), name);
    return array ? array->packed.components : 0;
}

static StickStatus read_values(const StickVtuFile *file, const Array *array, int tuples, double **values)
{
    size_t count = (size_t)tuples * (size_t)array->packed.components;
    void *bytes;
    STICK_TRY(unpack(file, array, count, &bytes));
    double *made = stick_alloc(file->ctx, count, sizeof *made);
    for (size_t k = 0; made && k < count; k++)
        made[k] = stick_vtu_real(array->packed.number, bytes, k);
    stick_free(file->ctx, bytes);
    if (!made)
        return STICK_NO_MEMORY;
    *values = made;
    return STICK_OK;
}

StickStatus stick_vtu_values(const StickVtuFile *file, StickVtuSection section, const char *name,
                             double **values)
{
    const Array *array;
    STICK_TRY(need_array(file, section_from(section), name, &array));
    int tuples = section == STICK_VTU_POINT_DATA ? file->npoints : file->ncells;
    return read_values(file, array, tuples, values);
}

// ---- points and cells

static StickStatus read_points(const StickVtuFile *file, StickVtuGrid *grid)
{
    const Array *array;
    STICK_TRY(need_array(file, POINTS, "Points", &array));
    if (array->packed.components != 3)
        return refuse(file, "its points do not have three coordinates");
    STICK_TRY(read_values(file, array, grid->npoints, &grid->x));
    for (size_t k = 0; k < 3 * (size_t)grid->npoints; k++)
        if (!isfinite(grid->x[k]))
            return refuse(file, "a coordinate is no number");
    return STICK_OK;
}

// Whole numbers from 0 to most in new memory, behind one zero.
static StickStatus read_indices(const StickVtuFile *file, const char *name, int count, int64_t most,
                                int **indices)
{
    const Array *array;
    void *bytes;
    STICK_TRY(need_array(file, CELLS, name, &array));
    if (array->packed.components != 1 || !stick_vtu_is_whole(array->packed.number))
        return refuse(file, "its cells are not made of whole numbers");
    STICK_TRY(unpack(file, array, (size_t)count, &bytes));
    int *made = stick_alloc(file->ctx, (size_t)count + 1, sizeof *made);
    bool good = true;
    for (int k = 0; made && k < count; k++) {
        int64_t number = stick_vtu_whole(array->packed.number, bytes, (size_t)k);
        good = good && number >= 0 && number <= most;
        made[k + 1] = good ? (int)number : 0;
    }
    stick_free(file->ctx, bytes);
    *indices = made;
    if (!made)
        return STICK_NO_MEMORY;
    return good ? STICK_OK : refuse(file, "its cells have numbers that cannot be");
}

static StickStatus read_starts(const StickVtuFile *file, StickVtuGrid *grid)
{
    STICK_TRY(read_indices(file, "offsets", grid->ncells, INT_MAX, &grid->start));
    for (int c = 0; c < grid->ncells; c++)
        if (grid->start[c + 1] < grid->start[c])
            return refuse(file, "the nodes of a cell end before they start");
    return STICK_OK;
}

static StickStatus read_types(const StickVtuFile *file, StickVtuGrid *grid)
{
    int *type = NULL;
    StickStatus status = read_indices(file, "types", grid->ncells, UCHAR_MAX, &type);
    grid->type = status == STICK_OK ? stick_alloc(file->ctx, (size_t)grid->ncells, 1) : NULL;
    for (int c = 0; grid->type && c < grid->ncells; c++)
        grid->type[c] = (unsigned char)type[c + 1];
    stick_free(file->ctx, type);
    return status == STICK_OK && !grid->type ? STICK_NO_MEMORY : status;
}

static StickStatus read_nodes(const StickVtuFile *file, StickVtuGrid *grid)
{
    int count = grid->start[grid->ncells];
    STICK_TRY(read_indices(file, "connectivity", count, (int64_t)grid->npoints - 1, &grid->node));
    memmove(grid->node, grid->node + 1, (size_t)count * sizeof *grid->node);
    return STICK_OK;
}

static StickStatus read_grid(const StickVtuFile *file, StickVtuGrid *grid)
{
    STICK_TRY(read_points(file, grid));
    STICK_TRY(read_starts(file, grid));
    STICK_TRY(read_types(file, grid));
    return read_nodes(file, grid);
}

StickStatus stick_vtu_grid(const StickVtuFile *file, StickVtuGrid *grid)
{
    StickVtuGrid made = {.npoints = file->npoints, .ncells = file->ncells};
    StickStatus status = read_grid(file, &made);
    if (status == STICK_OK)
        *grid = made;
    else
        stick_vtu_grid_destroy(file->ctx, &made);
    return status;
}

void stick_vtu_grid_destroy(StickContext *ctx, StickVtuGrid *grid)
{
    stick_free(ctx, grid->x);
    stick_free(ctx, grid->start);
    stick_free(ctx, grid->node);
    stick_free(ctx, grid->type);
    *grid = (StickVtuGrid){0};
}

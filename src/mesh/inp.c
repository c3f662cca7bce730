// SPDX-License-Identifier: Apache-2.0
#include "mesh/inp.h"

#include "base/file.h"
#include "base/inputs.h"
#include "base/text.h"
#include "mesh/inp_deck.h"
#include "mesh/inp_field.h"
#include "mesh/inp_types.h"
#include "mesh/unread.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_FIELD = 256,
    MOST_PARAMETERS = 16,
    MOST_DEPTH = 16,
    MOST_INCLUDES = 1000,
    MOST_RANGES = 10000000
};

typedef struct Card Card;

typedef struct Reader {
    StickContext *ctx;
    StickInpDeck deck;
    // where it is
    const char *file;
    int line;
    const char *bytes;
    size_t count, at;
    int depth, includes;
    // the card of the data lines
    const Card *card; // NULL: they are skipped
    int set;          // that they go into; -1: none
    bool generate;
    StickShape shape;
    long long entry[1 + STICK_MOST_ELEMENT_NODES]; // of an element whose lines have not ended
    int nentries;
    int replaced;                         // the entry of its type among these; -1: it is taken as it is
    StickUnread types, couplings, others; // replaced element types, ignored cards
    StickText unsupported;                // element types, with their first line
    StickMark first_unsupported;
} Reader;

static StickMark here(const Reader *reader)
{
    return (StickMark){reader->file, reader->line, 0};
}

#define FAIL(reader, ...) stick_fail_at((reader)->ctx, STICK_BAD_MESH, here(reader), __VA_ARGS__)

// ---- lines and fields

static bool is_comment(StickInpSpan line)
{
    return line.length >= 2 && line.text[0] == '*' && line.text[1] == '*';
}

// The next line that is neither empty nor a comment, without surrounding spaces; false at the end of the file.
static bool next_line(Reader *reader, StickInpSpan *line)
{
    while (reader->at < reader->count) {
        const char *start = reader->bytes + reader->at;
        const char *end = memchr(start, '\n', reader->count - reader->at);
        size_t length = end ? (size_t)(end - start) : reader->count - reader->at;
        reader->at += length + (end != NULL);
        reader->line++;
        *line = stick_inp_trim((StickInpSpan){start, length});
        if (line->length > 0 && !is_comment(*line))
            return true;
    }
    return false;
}

static bool is_keyword(StickInpSpan line)
{
    return line.text[0] == '*';
}

static StickStatus copy_field(const Reader *reader, StickInpSpan field, char text[LONGEST_FIELD])
{
    field = stick_inp_unquote(field);
    if (field.length >= LONGEST_FIELD)
        return FAIL(reader, "a field of %zu characters is too long", field.length);
    memcpy(text, field.text, field.length);
    text[field.length] = '\0';
    return STICK_OK;
}

static StickStatus take_integer(const Reader *reader, StickInpSpan *rest, const char *what, long long *value)
{
    char text[LONGEST_FIELD];
    STICK_TRY(copy_field(reader, stick_inp_cut(rest), text));
    if (!stick_inp_parse_integer(text, value) || *value <= 0)
        return FAIL(reader, "'%.40s' is not %s: it should be a positive integer", text, what);
    return STICK_OK;
}

// An empty field is 0.
static StickStatus take_number(const Reader *reader, StickInpSpan *rest, const char *what, double *value)
{
    char text[LONGEST_FIELD];
    STICK_TRY(copy_field(reader, stick_inp_cut(rest), text));
    *value = 0;
    if (text[0] != '\0' && !stick_inp_parse_number(text, value))
        return FAIL(reader, "'%.40s' is not %s: it should be a finite number", text, what);
    return STICK_OK;
}

// ---- keywords

typedef struct Keyword {
    char word[LONGEST_FIELD]; // in capitals, without spaces
    int nparameters;
    struct {
        char key[LONGEST_FIELD];
        char value[LONGEST_FIELD];
    } parameter[MOST_PARAMETERS];
} Keyword;

struct Card {
    const char *word;
    StickStatus (*begin)(Reader *reader, const Keyword *keyword);
    StickStatus (*line)(Reader *reader, StickInpSpan line);
};

static const char *find_parameter(const Keyword *keyword, const char *key)
{
    for (int k = 0; k < keyword->nparameters; k++)
        if (strcmp(keyword->parameter[k].key, key) == 0)
            return keyword->parameter[k].value;
    return NULL;
}

static StickStatus need_parameter(const Reader *reader, const Keyword *keyword, const char *key,
                                  const char **value)
{
    *value = find_parameter(keyword, key);
    if (!*value || !**value)
        return FAIL(reader, "%s needs %s=...", keyword->word, key);
    return STICK_OK;
}

static StickStatus parse_parameter(const Reader *reader, StickInpSpan field, Keyword *keyword)
{
    if (field.length == 0)
        return STICK_OK;
    if (keyword->nparameters == MOST_PARAMETERS)
        return FAIL(reader, "%s has more than %d parameters", keyword->word, MOST_PARAMETERS);
    const char *equals = memchr(field.text, '=', field.length);
    StickInpSpan key = {field.text, equals ? (size_t)(equals - field.text) : field.length},
                 value = {field.text, 0};
    if (equals)
        value = stick_inp_trim((StickInpSpan){equals + 1, field.length - key.length - 1});
    char *key_text = keyword->parameter[keyword->nparameters].key;
    STICK_TRY(copy_field(reader, stick_inp_trim(key), key_text));
    stick_inp_make_key(key_text);
    return copy_field(reader, value, keyword->parameter[keyword->nparameters++].value);
}

// A keyword line that ends with a comma goes on in the next line, unless that is a keyword.
static StickStatus join_lines(Reader *reader, StickInpSpan line, StickText *text)
{
    stick_text_add_bytes(text, line.text, line.length);
    while (line.text[line.length - 1] == ',') {
        size_t at = reader->at;
        int number = reader->line;
        if (!next_line(reader, &line))
            break;
        if (is_keyword(line)) {
            reader->at = at, reader->line = number;
            break;
        }
        stick_text_add_bytes(text, line.text, line.length);
    }
    return stick_text_status(text);
}

static StickStatus parse_parameters(const Reader *reader, StickInpSpan rest, Keyword *keyword)
{
    while (rest.length > 0)
        STICK_TRY(parse_parameter(reader, stick_inp_cut(&rest), keyword));
    return STICK_OK;
}

// ---- *NODE, *ELEMENT

// Makes the set that a keyword names, if it names one.
static StickStatus open_set(Reader *reader, StickInpKind kind, const char *name)
{
    reader->set = -1;
    return name ? stick_inp_set(&reader->deck, kind, name, here(reader), &reader->set) : STICK_OK;
}

static StickStatus add_range(Reader *reader, StickInpRange range)
{
    if (reader->deck.nranges > MOST_RANGES)
        return FAIL(reader, "the sets of the file grow beyond %d entries", MOST_RANGES);
    return stick_inp_add_range(&reader->deck, reader->set, range);
}

static StickStatus begin_node(Reader *reader, const Keyword *keyword)
{
    const char *system = find_parameter(keyword, "SYSTEM");
    if (system && !stick_inp_same_name(system, "R"))
        return FAIL(reader, "*NODE with SYSTEM=%.40s is not supported: only rectangular coordinates are",
                    system);
    return open_set(reader, STICK_INP_NODES, find_parameter(keyword, "NSET"));
}

static StickStatus node_line(Reader *reader, StickInpSpan line)
{
    long long tag;
    double x[3];
    STICK_TRY(take_integer(reader, &line, "the number of a node", &tag));
    for (int k = 0; k < 3; k++)
        STICK_TRY(take_number(reader, &line, "a coordinate", &x[k]));
    STICK_TRY(stick_inp_add_node(&reader->deck, tag, x));
    return reader->set < 0 ? STICK_OK
                           : add_range(reader, (StickInpRange){.first = tag, .last = tag, .step = 1});
}

static StickStatus note_unsupported(Reader *reader, const char *type)
{
    char entry[LONGEST_FIELD + 4];
    StickText *list = &reader->unsupported;
    snprintf(entry, sizeof entry, " %s ", type);
    reader->card = NULL;
    if (list->length > 0 && strstr(list->bytes, entry))
        return STICK_OK;
    if (list->length == 0)
        reader->first_unsupported = here(reader);
    if (list->length < 1000)
        stick_text_add(list, "%s%s(line %d)", list->length > 0 ? "," : "", entry, reader->line);
    return stick_text_status(list);
}

static StickStatus begin_element(Reader *reader, const Keyword *keyword)
{
    const char *given;
    char type[LONGEST_FIELD];
    STICK_TRY(need_parameter(reader, keyword, "TYPE", &given));
    strcpy(type, given);
    stick_inp_make_key(type);
    STICK_TRY(open_set(reader, STICK_INP_ELEMENTS, find_parameter(keyword, "ELSET")));
    reader->nentries = 0;
    reader->replaced = -1;
    StickInpType found;
    if (!stick_inp_type(type, &found))
        return note_unsupported(reader, type);
    reader->shape = found.shape;
    reader->deck.planes |= found.plane;
    if (!found.different)
        return STICK_OK;
    STICK_TRY(stick_unread_add(reader->ctx, &reader->types, type, here(reader), &reader->replaced));
    reader->types.item[reader->replaced].times--; // elements count, not cards
    return STICK_OK;
}

static StickStatus end_element(Reader *reader)
{
    long long tag = reader->entry[0];
    reader->nentries = 0;
    if (reader->replaced >= 0)
        reader->types.item[reader->replaced].times++;
    STICK_TRY(stick_inp_add_element(&reader->deck, tag, reader->shape, reader->entry + 1));
    return reader->set < 0 ? STICK_OK
                           : add_range(reader, (StickInpRange){.first = tag, .last = tag, .step = 1});
}

// The nodes of an element may take several lines.
static StickStatus element_line(Reader *reader, StickInpSpan line)
{
    int nodes = stick_shape_info(reader->shape)->nodes;
    bool ended = false;
    while (line.length > 0) {
        if (ended)
            return FAIL(reader, "there is more in the line than the %d nodes of a %s", nodes,
                        stick_shape_info(reader->shape)->name);
        STICK_TRY(take_integer(reader, &line, reader->nentries == 0 ? "the number of an element" : "a node",
                               &reader->entry[reader->nentries]));
        ended = ++reader->nentries == 1 + nodes;
        if (ended)
            STICK_TRY(end_element(reader));
    }
    return STICK_OK;
}

static StickStatus check_ended(const Reader *reader)
{
    if (reader->nentries == 0)
        return STICK_OK;
    return FAIL(reader, "element %lld has %d nodes: a %s has %d", reader->entry[0], reader->nentries - 1,
                stick_shape_info(reader->shape)->name, stick_shape_info(reader->shape)->nodes);
}

// ---- *NSET, *ELSET

static StickStatus copy_set(Reader *reader, int from, int side, bool nodes_of_elements)
{
    size_t count = reader->deck.set[from].nranges;
    for (size_t k = 0; k < count; k++) {
        StickInpRange range = reader->deck.set[from].range[k];
        range.side = side;
        range.nodes_of_elements |= nodes_of_elements;
        STICK_TRY(add_range(reader, range));
    }
    return STICK_OK;
}

static StickStatus begin_set(Reader *reader, const Keyword *keyword, StickInpKind kind)
{
    const char *name, *elements = NULL;
    STICK_TRY(need_parameter(reader, keyword, kind == STICK_INP_NODES ? "NSET" : "ELSET", &name));
    STICK_TRY(open_set(reader, kind, name));
    reader->generate = find_parameter(keyword, "GENERATE") != NULL;
    if (kind == STICK_INP_NODES)
        elements = find_parameter(keyword, "ELSET");
    if (!elements)
        return STICK_OK;
    int from = stick_inp_find_set(&reader->deck, STICK_INP_ELEMENTS, elements);
    return from < 0 ? FAIL(reader, "there is no element set '%s' yet", elements)
                    : copy_set(reader, from, 0, true);
}

static StickStatus begin_nset(Reader *reader, const Keyword *keyword)
{
    return begin_set(reader, keyword, STICK_INP_NODES);
}

static StickStatus begin_elset(Reader *reader, const Keyword *keyword)
{
    return begin_set(reader, keyword, STICK_INP_ELEMENTS);
}

// One field: a tag, or the name of a set of that kind.
static StickStatus add_field(Reader *reader, StickInpSpan field, StickInpKind kind, int side)
{
    char text[LONGEST_FIELD];
    long long tag;
    STICK_TRY(copy_field(reader, field, text));
    if (stick_inp_parse_integer(text, &tag))
        return add_range(reader,
                         (StickInpRange){.first = tag, .last = tag, .step = 1, .side = side, .listed = true});
    int from = stick_inp_find_set(&reader->deck, kind, text);
    if (from < 0)
        return FAIL(reader, "there is no %s set '%s' yet", kind == STICK_INP_NODES ? "node" : "element",
                    text);
    return copy_set(reader, from, side, false);
}

static StickStatus generate_line(Reader *reader, StickInpSpan line)
{
    StickInpRange range = {.step = 1};
    STICK_TRY(take_integer(reader, &line, "the first number", &range.first));
    STICK_TRY(take_integer(reader, &line, "the last number", &range.last));
    if (stick_inp_trim(line).length > 0)
        STICK_TRY(take_integer(reader, &line, "the step", &range.step));
    if (range.last < range.first)
        return FAIL(reader, "the numbers go from %lld down to %lld", range.first, range.last);
    return add_range(reader, range);
}

static StickStatus set_line(Reader *reader, StickInpSpan line)
{
    StickInpKind kind = reader->deck.set[reader->set].kind;
    if (reader->generate)
        return generate_line(reader, line);
    while (line.length > 0) {
        StickInpSpan field = stick_inp_cut(&line);
        if (field.length > 0)
            STICK_TRY(add_field(reader, field, kind, 0));
    }
    return STICK_OK;
}

// ---- *SURFACE

// Surfaces of other types do not consist of element sides.
static StickStatus begin_surface(Reader *reader, const Keyword *keyword)
{
    const char *name, *type = find_parameter(keyword, "TYPE");
    bool nodes = type && stick_inp_same_name(type, "NODE");
    if (type && !nodes && !stick_inp_same_name(type, "ELEMENT")) {
        char word[LONGEST_FIELD + 16];
        reader->card = NULL;
        snprintf(word, sizeof word, "*SURFACE, TYPE=%s", type);
        return stick_unread_add(reader->ctx, &reader->others, word, here(reader), NULL);
    }
    STICK_TRY(need_parameter(reader, keyword, "NAME", &name));
    return open_set(reader, nodes ? STICK_INP_NODE_SURFACE : STICK_INP_SURFACE, name);
}

static StickStatus parse_side(const Reader *reader, StickInpSpan field, int *side)
{
    char label[LONGEST_FIELD];
    STICK_TRY(copy_field(reader, field, label));
    stick_inp_make_key(label);
    *side = STICK_INP_FREE_SIDES;
    if (label[0] == '\0')
        return STICK_OK;
    if (label[0] != 'S' || label[1] < '1' || label[1] > '6' || label[2] != '\0')
        return FAIL(reader, "'%.40s' is not a side of an element: use S1 to S6", label);
    *side = label[1] - '1';
    return STICK_OK;
}

static StickStatus surface_line(Reader *reader, StickInpSpan line)
{
    StickInpSpan field = stick_inp_cut(&line);
    int side = 0;
    if (reader->deck.set[reader->set].kind == STICK_INP_NODE_SURFACE)
        return add_field(reader, field, STICK_INP_NODES, 0);
    STICK_TRY(parse_side(reader, stick_inp_cut(&line), &side));
    return add_field(reader, field, STICK_INP_ELEMENTS, side);
}

// ---- cards that cannot be skipped

static StickStatus refuse(Reader *reader, const Keyword *keyword)
{
    return FAIL(reader, "%s is not supported: the file must list its nodes and elements", keyword->word);
}

static StickStatus begin_instance(Reader *reader, const Keyword *keyword)
{
    (void)reader, (void)keyword;
    return STICK_OK;
}

static StickStatus instance_line(Reader *reader, StickInpSpan line)
{
    (void)line;
    return FAIL(reader, "an instance that is moved is not supported");
}

// ---- files

static StickStatus read_file(Reader *reader, const char *path);

static StickStatus begin_include(Reader *reader, const Keyword *keyword)
{
    const char *input;
    STICK_TRY(need_parameter(reader, keyword, "INPUT", &input));
    if (reader->depth >= MOST_DEPTH || reader->includes >= MOST_INCLUDES)
        return FAIL(reader, "*INCLUDE of '%s': files include each other too deeply or too often", input);
    char *folder = stick_path_folder(reader->ctx, reader->file);
    char *path = folder ? stick_path_join(reader->ctx, folder, input) : NULL;
    StickStatus status = path ? read_file(reader, path) : STICK_NO_MEMORY;
    stick_free(reader->ctx, path);
    stick_free(reader->ctx, folder);
    reader->card = NULL;
    return status;
}

static const Card cards[] = {
    {"*NODE", begin_node, node_line},
    {"*ELEMENT", begin_element, element_line},
    {"*NSET", begin_nset, set_line},
    {"*ELSET", begin_elset, set_line},
    {"*SURFACE", begin_surface, surface_line},
    {"*INCLUDE", begin_include, NULL},
    {"*INSTANCE", begin_instance, instance_line},
    {"*SYSTEM", refuse, NULL},
    {"*NGEN", refuse, NULL},
    {"*NFILL", refuse, NULL},
    {"*NCOPY", refuse, NULL},
    {"*NMAP", refuse, NULL},
    {"*ELGEN", refuse, NULL},
    {"*ELCOPY", refuse, NULL},
};
enum { NCARDS = sizeof cards / sizeof *cards };

static const Card *find_card(const char *word)
{
    for (int k = 0; k < NCARDS; k++)
        if (strcmp(cards[k].word, word) == 0)
            return &cards[k];
    return NULL;
}

// Listed as it is written, in capitals with single spaces.
static StickStatus ignore_card(Reader *reader, StickInpSpan word, const char *key)
{
    char text[LONGEST_FIELD];
    size_t length = 0;
    for (size_t k = 0; k < word.length && length < sizeof text - 1; k++) {
        char c = (char)toupper((unsigned char)word.text[k]);
        if (!isspace((unsigned char)c) || (length > 0 && text[length - 1] != ' '))
            text[length++] = isspace((unsigned char)c) ? ' ' : c;
    }
    text[length] = '\0';
    StickInpCardKind kind = stick_inp_card_kind(key);
    if (kind == STICK_INP_CARD_STRUCTURE)
        return STICK_OK;
    return stick_unread_add(reader->ctx,
                            kind == STICK_INP_CARD_COUPLING ? &reader->couplings : &reader->others, text,
                            here(reader), NULL);
}

static StickStatus begin_card(Reader *reader, StickInpSpan text)
{
    Keyword keyword = {0};
    StickInpSpan word = stick_inp_cut(&text);
    STICK_TRY(check_ended(reader));
    reader->card = NULL;
    if (word.length >= LONGEST_FIELD)
        return STICK_OK;
    STICK_TRY(copy_field(reader, word, keyword.word));
    stick_inp_make_key(keyword.word);
    const Card *card = find_card(keyword.word);
    if (!card)
        return ignore_card(reader, word, keyword.word);
    STICK_TRY(parse_parameters(reader, text, &keyword));
    reader->card = card;
    return card->begin(reader, &keyword);
}

static StickStatus read_keyword(Reader *reader, StickInpSpan line)
{
    StickText text;
    stick_text_init(&text, reader->ctx);
    StickStatus status = join_lines(reader, line, &text);
    if (status == STICK_OK)
        status = begin_card(reader, (StickInpSpan){text.bytes, text.length});
    stick_text_destroy(&text);
    return status;
}

static StickStatus read_lines(Reader *reader)
{
    StickInpSpan line;
    while (next_line(reader, &line)) {
        if (is_keyword(line))
            STICK_TRY(read_keyword(reader, line));
        else if (reader->card && reader->card->line)
            STICK_TRY(reader->card->line(reader, line));
    }
    return check_ended(reader);
}

// Marks point to the deck's copy of the name.
static StickStatus keep_name(Reader *reader, const char *path)
{
    StickInpDeck *deck = &reader->deck;
    STICK_RESERVE(reader->ctx, deck->file, deck->file_room, deck->nfiles + 1);
    char *copy = stick_copy_text(reader->ctx, path);
    if (!copy)
        return STICK_NO_MEMORY;
    deck->file[deck->nfiles++] = copy;
    reader->file = copy;
    return STICK_OK;
}

static StickStatus read_file(Reader *reader, const char *path)
{
    const char *file = reader->file, *bytes = reader->bytes;
    size_t count = reader->count, at = reader->at;
    int line = reader->line;
    char *own;
    STICK_TRY(stick_input_read(reader->ctx, path, &own, &reader->count));
    reader->bytes = own;
    reader->at = 0;
    reader->line = 0;
    reader->depth++;
    reader->includes++;
    StickStatus status = keep_name(reader, path);
    if (status == STICK_OK)
        status = read_lines(reader);
    stick_free(reader->ctx, own);
    reader->depth--;
    reader->file = file, reader->bytes = bytes, reader->count = count, reader->at = at, reader->line = line;
    return status;
}

static StickStatus check_supported(const Reader *reader, const char *path)
{
    StickMark mark = {path, 0, 0};
    if (reader->unsupported.length > 0)
        return stick_fail_at(
            reader->ctx, STICK_BAD_MESH, reader->first_unsupported,
            "unsupported element types:%s; supported are CPS, CPE, CAX with 3, 4, 6 or 8 nodes, C3D4 "
            "and C3D8, and smaller ones on their sides",
            reader->unsupported.bytes);
    if (reader->deck.nelements == 0)
        return stick_fail_at(reader->ctx, STICK_BAD_MESH, mark, "the file has no elements");
    return STICK_OK;
}

// Once for a file, however many bodies are made of it.
static StickStatus report_unread(const Reader *reader)
{
    StickContext *ctx = reader->ctx;
    for (size_t k = 0; k < reader->types.count; k++) {
        const struct StickUnreadItem *item = &reader->types.item[k];
        StickInpType taken;
        stick_inp_type(item->word, &taken);
        if (item->times > 0)
            stick_warn_once_at(ctx, item->mark, "%lld element%s of type %.20s (%s) read as %s; %s",
                               item->times, item->times > 1 ? "s" : "", item->word, taken.different,
                               taken.taken, taken.advice);
    }
    StickText text;
    stick_text_init(&text, ctx);
    StickStatus status = stick_unread_text(&reader->couplings, &text);
    if (status == STICK_OK && reader->couplings.count > 0)
        stick_warn_once_at(ctx, reader->couplings.item[0].mark,
                           "ignored cards that connect parts: %s; these parts remain unconnected",
                           text.bytes);
    stick_text_clear(&text);
    if (status == STICK_OK)
        status = stick_unread_text(&reader->others, &text);
    if (status == STICK_OK && reader->others.count > 0)
        stick_note_once_at(ctx, reader->others.item[0].mark,
                           "ignored cards: %s; of this file only nodes, elements, sets and surfaces are "
                           "read, everything else must be given in the model file",
                           text.bytes);
    stick_text_destroy(&text);
    return status;
}

StickStatus stick_inp_read(StickContext *ctx, const char *path, StickMesh *mesh)
{
    Reader reader = {.ctx = ctx, .deck = {.ctx = ctx}, .set = -1, .replaced = -1};
    stick_text_init(&reader.unsupported, ctx);
    StickStatus status = read_file(&reader, path);
    // elements that are not supported may be why the rest cannot be read
    if (status == STICK_OK || (status == STICK_BAD_MESH && reader.unsupported.length > 0))
        status = check_supported(&reader, path);
    if (status == STICK_OK)
        status = report_unread(&reader);
    if (status == STICK_OK)
        status = stick_inp_mesh(&reader.deck, mesh);
    stick_unread_destroy(ctx, &reader.types);
    stick_unread_destroy(ctx, &reader.couplings);
    stick_unread_destroy(ctx, &reader.others);
    stick_text_destroy(&reader.unsupported);
    stick_inp_deck_destroy(&reader.deck);
    return status;
}

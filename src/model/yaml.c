// SPDX-License-Identifier: Apache-2.0
#include "model/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct Parser {
    StickContext *ctx;
    StickArena *arena;
    const StickYamlSource *source;
    yaml_parser_t libyaml;
    int depth;
    StickYaml *open[STICK_YAML_DEPTH]; // lists and mappings that are not ended yet
    StickYaml *last[STICK_YAML_DEPTH]; // last member of each
    const char *key;                   // of the member to come, in a mapping
    StickMark key_mark;
    int documents;
    int nodes;
    StickYaml *root;
} Parser;

static StickMark mark_of(const Parser *parser, yaml_mark_t mark)
{
    return (StickMark){parser->source->name, (int)mark.line + 1, (int)mark.column + 1};
}

// ---- errors of libyaml

// Line and column of a byte, for errors of which libyaml gives only that.
static StickMark mark_of_offset(const Parser *parser, size_t offset)
{
    StickMark mark = {parser->source->name, 1, 1};
    for (size_t k = 0; k < offset && k < parser->source->count; k++) {
        unsigned char byte = (unsigned char)parser->source->bytes[k];
        if (byte == '\n')
            mark.line++, mark.column = 1;
        else if ((byte & 0xC0) != 0x80)
            mark.column++;
    }
    return mark;
}

static bool is_tab_at(const Parser *parser, yaml_mark_t mark)
{
    const char *bytes = parser->source->bytes, *end = bytes + parser->source->count;
    for (size_t line = 0; line < mark.line && bytes; line++) {
        bytes = memchr(bytes, '\n', (size_t)(end - bytes));
        bytes = bytes ? bytes + 1 : NULL;
    }
    return bytes && (size_t)(end - bytes) > mark.column && bytes[mark.column] == '\t';
}

static StickStatus fail_libyaml(const Parser *parser)
{
    const yaml_parser_t *libyaml = &parser->libyaml;
    const char *problem = libyaml->problem ? libyaml->problem : "not YAML";
    if (libyaml->error == YAML_MEMORY_ERROR)
        return stick_fail(parser->ctx, STICK_NO_MEMORY, "no memory to parse '%s'", parser->source->name);
    if (libyaml->error == YAML_READER_ERROR)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark_of_offset(parser, libyaml->problem_offset),
                             "not UTF-8 text: %s", problem);
    StickMark mark = mark_of(parser, libyaml->problem_mark);
    if (is_tab_at(parser, libyaml->problem_mark))
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "a tab: YAML is indented by spaces");
    // libyaml reports a missing ':' one line late; report an unclosed item at its beginning instead of the end of the
    // file
    if (libyaml->context && strcmp(problem, "could not find expected ':'") == 0)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark_of(parser, libyaml->context_mark),
                             "not YAML: there is no ':' after this key");
    if (libyaml->context && libyaml->context_mark.line < libyaml->problem_mark.line)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "not YAML: %s %s, which begins at line %d",
                             problem, libyaml->context, (int)libyaml->context_mark.line + 1);
    return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "not YAML: %s%s%s", problem,
                         libyaml->context ? " " : "", libyaml->context ? libyaml->context : "");
}

// ---- the tree

static StickStatus copy_text(Parser *parser, const char *text, size_t length, StickMark mark,
                             const char **copy)
{
    if (memchr(text, '\0', length))
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "a text with a zero byte");
    char *bytes;
    STICK_TAKE(parser->arena, bytes, length + 1);
    memcpy(bytes, text, length);
    *copy = bytes;
    return STICK_OK;
}

static StickStatus refuse_extras(const Parser *parser, const yaml_event_t *event, const yaml_char_t *anchor,
                                 const yaml_char_t *tag)
{
    StickMark mark = mark_of(parser, event->start_mark);
    if (anchor)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "anchors such as '&%s' are not allowed",
                             (const char *)anchor);
    if (tag)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "tags such as '%s' are not allowed",
                             (const char *)tag);
    return STICK_OK;
}

static bool wants_key(const Parser *parser)
{
    return parser->depth > 0 && parser->open[parser->depth - 1]->kind == STICK_YAML_MAP && !parser->key;
}

// Adds a node after the last member of the open node, or as the root.
static StickStatus add_node(Parser *parser, const yaml_event_t *event, StickYamlKind kind, StickYaml **added)
{
    StickMark mark = mark_of(parser, event->start_mark);
    if (wants_key(parser))
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark,
                             "a key must be a word, not a list or mapping");
    if (++parser->nodes > STICK_YAML_MOST_NODES)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark, "more than %d values",
                             STICK_YAML_MOST_NODES);
    StickYaml *node;
    STICK_TAKE(parser->arena, node, 1);
    *node = (StickYaml){.kind = kind, .mark = mark, .key = parser->key, .key_mark = parser->key_mark};
    parser->key = NULL;
    if (parser->depth == 0) {
        parser->root = node;
    } else {
        StickYaml *parent = parser->open[parser->depth - 1], **last = &parser->last[parser->depth - 1];
        *(*last ? &(*last)->next : &parent->first) = node;
        *last = node;
        parent->count++;
    }
    *added = node;
    return STICK_OK;
}

static StickStatus take_scalar(Parser *parser, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    StickMark mark = mark_of(parser, event->start_mark);
    bool tagged = !event->data.scalar.plain_implicit && !event->data.scalar.quoted_implicit;
    STICK_TRY(
        refuse_extras(parser, event, event->data.scalar.anchor, tagged ? event->data.scalar.tag : NULL));
    if (wants_key(parser)) {
        parser->key_mark = mark;
        return copy_text(parser, text, length, mark, &parser->key);
    }
    StickYaml *node;
    STICK_TRY(add_node(parser, event, STICK_YAML_SCALAR, &node));
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return copy_text(parser, text, length, mark, &node->text);
}

static StickStatus open_node(Parser *parser, const yaml_event_t *event, StickYamlKind kind)
{
    if (parser->depth == STICK_YAML_DEPTH)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark_of(parser, event->start_mark),
                             "nested deeper than %d levels", STICK_YAML_DEPTH);
    StickYaml *node;
    STICK_TRY(add_node(parser, event, kind, &node));
    parser->open[parser->depth] = node;
    parser->last[parser->depth] = NULL;
    parser->depth++;
    return STICK_OK;
}

// ---- repeated keys

static int by_key_and_place(const void *a, const void *b)
{
    const StickYaml *p = *(StickYaml *const *)a, *q = *(StickYaml *const *)b;
    int order = strcmp(p->key, q->key);
    if (order == 0)
        order = (p->key_mark.line > q->key_mark.line) - (p->key_mark.line < q->key_mark.line);
    if (order == 0)
        order = (p->key_mark.column > q->key_mark.column) - (p->key_mark.column < q->key_mark.column);
    return order;
}

static void unlink_node(StickYaml *map, const StickYaml *node)
{
    for (StickYaml **link = &map->first; *link; link = &(*link)->next) {
        if (*link == node) {
            *link = node->next;
            map->count--;
            return;
        }
    }
}

// Sorted by key, repeated ones are neighbours: no mapping is too long for that.
static StickStatus refuse_repeated_keys(Parser *parser, StickYaml *map)
{
    StickYaml **member;
    STICK_ALLOC(parser->ctx, member, map->count);
    size_t count = 0;
    for (StickYaml *node = map->first; node; node = node->next)
        member[count++] = node;
    qsort(member, count, sizeof *member, by_key_and_place);
    StickYaml *kept = count ? member[0] : NULL;
    int repeated = 0;
    for (size_t k = 1; k < count && repeated < 20; k++) {
        if (strcmp(member[k]->key, kept->key) != 0) {
            kept = member[k];
            continue;
        }
        stick_fail_at(parser->ctx, STICK_BAD_INPUT, member[k]->key_mark,
                      "the key '%.100s' is repeated; it is also at line %d", kept->key, kept->key_mark.line);
        unlink_node(map, member[k]);
        repeated++;
    }
    stick_free(parser->ctx, member);
    return STICK_OK;
}

static StickStatus close_node(Parser *parser)
{
    StickYaml *node = parser->open[--parser->depth];
    return node->kind == STICK_YAML_MAP ? refuse_repeated_keys(parser, node) : STICK_OK;
}

// ---- events

static StickStatus take_document(Parser *parser, const yaml_event_t *event)
{
    if (parser->documents++ > 0)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark_of(parser, event->start_mark),
                             "a second YAML document: a file must have only one");
    return STICK_OK;
}

static StickStatus take_event(Parser *parser, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return take_document(parser, event);
    case YAML_ALIAS_EVENT:
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, mark_of(parser, event->start_mark),
                             "aliases such as '*%s' are not allowed", (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        return take_scalar(parser, event);
    case YAML_SEQUENCE_START_EVENT:
        STICK_TRY(
            refuse_extras(parser, event, event->data.sequence_start.anchor, event->data.sequence_start.tag));
        return open_node(parser, event, STICK_YAML_LIST);
    case YAML_MAPPING_START_EVENT:
        STICK_TRY(
            refuse_extras(parser, event, event->data.mapping_start.anchor, event->data.mapping_start.tag));
        return open_node(parser, event, STICK_YAML_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_node(parser);
    default:
        return STICK_OK;
    }
}

// One event at a time: nothing here recurses, and too deep a text is refused before libyaml reads on.
static StickStatus take_events(Parser *parser)
{
    for (bool ended = false; !ended;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser->libyaml, &event))
            return fail_libyaml(parser);
        StickStatus status = take_event(parser, &event);
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        STICK_TRY(status);
    }
    return STICK_OK;
}

static StickStatus check_root(const Parser *parser)
{
    StickMark start = {parser->source->name, 1, 1};
    if (!parser->root)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, start, "the file is empty");
    if (parser->root->kind != STICK_YAML_MAP)
        return stick_fail_at(parser->ctx, STICK_BAD_INPUT, parser->root->mark,
                             "the file must be a mapping, but is %s", stick_yaml_kind_name(parser->root));
    return STICK_OK;
}

// The mark of UTF-8 that some editors put in front of a text; libyaml takes it for an indentation.
static StickYamlSource without_mark(const StickYamlSource *source)
{
    StickYamlSource text = *source;
    if (text.count >= 3 && memcmp(text.bytes, "\xEF\xBB\xBF", 3) == 0)
        text.bytes += 3, text.count -= 3;
    return text;
}

StickStatus stick_yaml_parse(StickArena *arena, const StickYamlSource *source, StickYaml **root)
{
    StickYamlSource text = without_mark(source);
    Parser parser = {.ctx = arena->ctx, .arena = arena, .source = &text};
    if (source->count > STICK_YAML_MOST_BYTES)
        return stick_fail(arena->ctx, STICK_BAD_INPUT, "'%s' is longer than %d MB", source->name,
                          STICK_YAML_MOST_BYTES >> 20);
    if (!yaml_parser_initialize(&parser.libyaml))
        return stick_fail(arena->ctx, STICK_NO_MEMORY, "no memory to parse '%s'", source->name);
    yaml_parser_set_input_string(&parser.libyaml, (const unsigned char *)text.bytes, text.count);
    yaml_parser_set_encoding(&parser.libyaml, YAML_UTF8_ENCODING);
    StickStatus status = take_events(&parser);
    yaml_parser_delete(&parser.libyaml);
    STICK_TRY(status);
    STICK_TRY(check_root(&parser));
    *root = parser.root;
    return STICK_OK;
}

// ---- looking at a tree

StickYaml *stick_yaml_find(const StickYaml *map, const char *key)
{
    if (map->kind != STICK_YAML_MAP)
        return NULL;
    for (StickYaml *node = map->first; node; node = node->next)
        if (strcmp(node->key, key) == 0)
            return node;
    return NULL;
}

bool stick_yaml_is_null(const StickYaml *node)
{
    return node->kind == STICK_YAML_SCALAR && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *stick_yaml_kind_name(const StickYaml *node)
{
    if (node->kind == STICK_YAML_SCALAR)
        return stick_yaml_is_null(node) ? "nothing" : "a text";
    return node->kind == STICK_YAML_LIST ? "a list" : "a mapping";
}

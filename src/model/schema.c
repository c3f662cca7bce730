// SPDX-License-Identifier: Apache-2.0
#include "model/schema.h"

#include <string.h>

enum { MOST_KEYS = 64, MOST_ERRORS = 100, MOST_ITEMS = 20000, MOST_REPEATED = 1000000 };

static void *member(void *item, size_t at)
{
    return (char *)item + at - 1;
}

// ---- complaints

// The nearest of the names, or all of them.
static void add_hint(StickText *out, const char *word, const char *const *names, size_t count)
{
    const char *nearest = stick_nearest_word(word, names, count);
    if (nearest) {
        stick_text_add(out, "; did you mean '%s'?", nearest);
        return;
    }
    for (size_t k = 0; k < count && k < 20; k++)
        stick_text_add(out, "%s%s", k ? ", " : "; known: ", names[k]);
}

void stick_complain_word(StickReader *reader, StickMark mark, const char *what, const char *word,
                         const char *const *names, size_t count)
{
    StickText text;
    stick_text_init(&text, reader->ctx);
    stick_text_add(&text, "unknown %s '%.100s'", what, word);
    add_hint(&text, word, names, count);
    STICK_COMPLAIN(reader, mark, "%s", text.bytes ? text.bytes : word);
    stick_text_destroy(&text);
}

bool stick_need_word(StickReader *reader, StickMark mark, const char *what, const char *word,
                     const char *(*names)(int index))
{
    const char *all[MOST_KEYS];
    size_t count = 0;
    for (const char *name; count < MOST_KEYS && (name = names((int)count)); count++) {
        if (strcmp(name, word) == 0)
            return true;
        all[count] = name;
    }
    stick_complain_word(reader, mark, what, word, all, count);
    return false;
}

// "young:210e9" is one word to YAML.
static bool lacks_blank(const char *word, const char *key)
{
    size_t length = strlen(key);
    return strncmp(word, key, length) == 0 && word[length] == ':';
}

static bool lacks_any_blank(const char *word, const char *const *keys, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (lacks_blank(word, keys[k]))
            return true;
    return false;
}

static void complain_key(StickReader *reader, const StickSchema *table, const StickYaml *node,
                         const char *const *keys, size_t count)
{
    StickText text;
    stick_text_init(&text, reader->ctx);
    stick_text_add(&text, "unknown key '%.100s' in %s", node->key, table->title);
    if (lacks_any_blank(node->key, keys, count))
        stick_text_add(&text, "; put a blank after its colon");
    else
        add_hint(&text, node->key, keys, count);
    STICK_COMPLAIN(reader, node->key_mark, "%s", text.bytes ? text.bytes : node->key);
    stick_text_destroy(&text);
}

bool stick_need_kind(StickReader *reader, const char *key, const StickYaml *node, StickYamlKind kind)
{
    static const char *const needs[] = {"one value", "a list", "a mapping"};
    if (node->kind == kind)
        return true;
    STICK_COMPLAIN(reader, node->mark, "'%s' needs %s, not %s", key, needs[kind], stick_yaml_kind_name(node));
    return false;
}

bool stick_need_value(StickReader *reader, const char *key, const StickYaml *node)
{
    if (!stick_need_kind(reader, key, node, STICK_YAML_SCALAR))
        return false;
    if (!stick_yaml_is_null(node))
        return true;
    STICK_COMPLAIN(reader, node->mark, "'%s' needs a value, not nothing", key);
    return false;
}

// ---- arrays of structs

bool stick_gave_up(const StickReader *reader)
{
    return stick_error_count(reader->ctx) - reader->errors > MOST_ERRORS;
}

static StickStatus name_item(StickReader *reader, const StickField *field, const StickYaml *node, void *item)
{
    const StickSchema *table = field->table;
    if (table->mark_at)
        memcpy(member(item, table->mark_at), node->key ? &node->key_mark : &node->mark, sizeof node->mark);
    if (table->repeat_at)
        memcpy(member(item, table->repeat_at), &reader->repeat, sizeof reader->repeat);
    if (field->type != STICK_FIELD_NAMED)
        return STICK_OK;
    char *name = stick_repeat_name(reader, node->key, &reader->repeat);
    *(char **)member(item, table->name_at) = name;
    return name ? STICK_OK : STICK_NO_MEMORY;
}

// One item; count becomes one more unless it is dropped.
static StickStatus read_item(StickReader *reader, const StickField *field, StickYaml *node, char *items,
                             int *count)
{
    const StickSchema *table = field->table;
    char *item = items + (size_t)*count * table->size;
    STICK_TRY(name_item(reader, field, node, item));
    reader->drop = false;
    STICK_TRY(stick_read_map(reader, table, node, item));
    if (reader->drop)
        memset(item, 0, table->size);
    *count += !reader->drop;
    reader->drop = false;
    return STICK_OK;
}

// All copies of one repeated item. After an error in one copy, only the names of the following copies are read, so that
// the error is reported once.
static StickStatus read_places(StickReader *reader, const StickField *field, StickYaml *node, char *items,
                               int *count)
{
    size_t errors = stick_error_count(reader->ctx);
    for (int number = 0; number < stick_repeat_count(&reader->repeat); number++) {
        stick_repeat_place(reader, number);
        if (stick_error_count(reader->ctx) == errors)
            STICK_TRY(read_item(reader, field, node, items, count));
        else
            STICK_TRY(name_item(reader, field, node, items + (size_t)(*count)++ * field->table->size));
    }
    return STICK_OK;
}

// How often each item is there, and how many that makes.
static StickStatus count_items(StickReader *reader, const StickField *field, const StickYaml *node,
                               StickRepeat *repeat, unsigned *indices, int *total)
{
    double sum = 0;
    int k = 0;
    for (const StickYaml *child = node->first; child; child = child->next, k++) {
        repeat[k] = (StickRepeat){.nindices = 0};
        if (field->table->repeat_at)
            STICK_TRY(stick_read_repeat(reader, child, &repeat[k], &indices[k]));
        sum += stick_repeat_count(&repeat[k]);
        if (sum > MOST_REPEATED) {
            STICK_COMPLAIN(reader, child->key ? child->key_mark : child->mark,
                           "'%s' has more than %d members with its repetitions", field->key, MOST_REPEATED);
            repeat[k] = (StickRepeat){.nindices = 0};
            sum = k + 1;
        }
    }
    *total = (int)sum;
    return STICK_OK;
}

StickStatus stick_read_items(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    const StickSchema *table = field->table;
    bool named = field->type == STICK_FIELD_NAMED;
    if (!stick_need_kind(reader, field->key, node, named ? STICK_YAML_MAP : STICK_YAML_LIST))
        return STICK_OK;
    if (node->count > MOST_ITEMS) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d members: the limit is %d", field->key, node->count,
                       MOST_ITEMS);
        return STICK_OK;
    }
    if (field->required && node->count == 0)
        STICK_COMPLAIN(reader, node->mark, "'%s' is empty", field->key);
    StickRepeat *repeat;
    unsigned *indices;
    int total = 0;
    STICK_TAKE(&reader->model->arena, repeat, node->count + 1);
    STICK_TAKE(&reader->model->arena, indices, node->count + 1);
    STICK_TRY(count_items(reader, field, node, repeat, indices, &total));
    char *items = stick_arena_take(&reader->model->arena, (size_t)total + 1, table->size);
    if (!items)
        return STICK_NO_MEMORY;
    *(void **)member(item, field->at) = items;
    int *count = member(item, field->count_at), k = 0;
    // lists inside of a repeated item are read at its place
    bool repeats = table->repeat_at != 0;
    for (StickYaml *child = node->first; child && !stick_gave_up(reader); child = child->next, k++) {
        if (named)
            stick_need_name(reader, child->key_mark, child->key);
        if (repeats)
            stick_repeat_begin(reader, &repeat[k], indices[k]);
        STICK_TRY(repeats ? read_places(reader, field, child, items, count)
                          : read_item(reader, field, child, items, count));
    }
    if (repeats)
        stick_repeat_begin(reader, &(StickRepeat){.nindices = 0}, 0);
    return STICK_OK;
}

// ---- mappings

static StickStatus read_field(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    // values that are checked but not stored still need memory
    double nowhere[3] = {0};
    void *value = field->at ? member(item, field->at) : nowhere;
    switch (field->type) {
    case STICK_FIELD_MAP:
        return field->read ? field->read(reader, field, node, item)
                           : stick_read_map(reader, field->table, node, field->at ? value : item);
    case STICK_FIELD_LIST:
    case STICK_FIELD_NAMED:
        return field->read ? field->read(reader, field, node, item)
                           : stick_read_items(reader, field, node, item);
    case STICK_FIELD_OWN:
        return field->read(reader, field, node, item);
    default:
        return stick_read_value(reader, field, node, value);
    }
}

static StickStatus set_defaults(StickReader *reader, const StickSchema *table, void *item);

// The default of a key, read as if it stood in the file.
static StickStatus set_default(StickReader *reader, const StickField *field, void *item)
{
    if (field->alternative || field->required)
        return STICK_OK;
    if (field->type == STICK_FIELD_MAP)
        return set_defaults(reader, field->table, field->at ? member(item, field->at) : item);
    bool vector = field->type == STICK_FIELD_NUMBERS || field->type == STICK_FIELD_EXPRESSIONS;
    if (!field->standard || vector)
        return STICK_OK;
    StickYaml standard = {.kind = STICK_YAML_SCALAR, .text = field->standard};
    return read_field(reader, field, &standard, item);
}

static StickStatus set_defaults(StickReader *reader, const StickSchema *table, void *item)
{
    for (const StickField *field = table->fields; field->key; field++)
        STICK_TRY(set_default(reader, field, item));
    return STICK_OK;
}

static bool is_key(const StickSchema *table, const char *key)
{
    for (const StickField *field = table->fields; field->key; field++)
        if (strcmp(field->key, key) == 0)
            return true;
    return false;
}

static void check_keys(StickReader *reader, const StickSchema *table, const StickYaml *map)
{
    const char *keys[MOST_KEYS];
    size_t count = 0;
    for (const StickField *field = table->fields; field->key && count < MOST_KEYS; field++)
        keys[count++] = field->key;
    for (const StickYaml *node = map->first; node && !stick_gave_up(reader); node = node->next)
        if (!is_key(table, node->key))
            complain_key(reader, table, node, keys, count);
}

// An unknown key was meant to be the one that is missing.
static bool has_unknown_key(const StickSchema *table, const StickYaml *map)
{
    for (const StickYaml *node = map->first; node; node = node->next)
        if (!is_key(table, node->key))
            return true;
    return false;
}

static bool is_misspelt(const StickSchema *table, const StickYaml *map, const char *key)
{
    for (const StickYaml *node = map->first; node; node = node->next)
        if (!is_key(table, node->key) &&
            (lacks_blank(node->key, key) || stick_nearest_word(node->key, &key, 1)))
            return true;
    return false;
}

static void list_alternatives(const StickSchema *table, StickText *out)
{
    const char *between = "";
    for (const StickField *field = table->fields; field->key; field++) {
        if (!field->alternative)
            continue;
        stick_text_add(out, "%s'%s'", between, field->key);
        between = ", ";
    }
}

static void check_alternatives(StickReader *reader, const StickSchema *table, const StickYaml *map, int given)
{
    if (given == 1 || (given == 0 && has_unknown_key(table, map)))
        return;
    StickText list;
    stick_text_init(&list, reader->ctx);
    list_alternatives(table, &list);
    if (list.length > 0)
        STICK_COMPLAIN(reader, map->mark, "%s needs %s %s, but has %s", table->title,
                       strchr(list.bytes, ',') ? "exactly one of" : "the key", list.bytes,
                       given == 0 ? "none" : "more");
    stick_text_destroy(&list);
}

static StickStatus read_fields(StickReader *reader, const StickSchema *table, StickYaml *map, void *item)
{
    int alternatives = 0;
    for (const StickField *field = table->fields; field->key; field++) {
        StickYaml *node = stick_yaml_find(map, field->key);
        if (node) {
            STICK_TRY(read_field(reader, field, node, item));
            alternatives += field->alternative;
            if (field->alternative && table->kind_at)
                memcpy(member(item, table->kind_at), &field->value, sizeof field->value);
        } else if (field->required && !is_misspelt(table, map, field->key)) {
            STICK_COMPLAIN(reader, map->mark, "%s needs the key '%s'", table->title, field->key);
        } else {
            STICK_TRY(set_default(reader, field, item));
        }
    }
    check_alternatives(reader, table, map, alternatives);
    return STICK_OK;
}

// A single word is short for a mapping with one key.
static StickYaml long_form(const StickSchema *table, const StickYaml *node, StickYaml *value)
{
    *value = *node;
    value->key = table->shorthand;
    value->key_mark = node->mark;
    value->next = NULL;
    return (StickYaml){.kind = STICK_YAML_MAP, .mark = node->mark, .count = 1, .first = value};
}

StickStatus stick_read_map(StickReader *reader, const StickSchema *table, StickYaml *node, void *item)
{
    StickYaml map, value;
    if (node->kind == STICK_YAML_SCALAR && table->shorthand && !stick_yaml_is_null(node)) {
        map = long_form(table, node, &value);
        node = &map;
    }
    if (node->kind != STICK_YAML_MAP) {
        STICK_COMPLAIN(reader, node->mark, "%s must be a mapping, but is %s", table->title,
                       stick_yaml_kind_name(node));
        return STICK_OK;
    }
    size_t errors = stick_error_count(reader->ctx);
    if (table->mark_at)
        memcpy(member(item, table->mark_at), node->key ? &node->key_mark : &node->mark, sizeof node->mark);
    check_keys(reader, table, node);
    STICK_TRY(read_fields(reader, table, node, item));
    if (table->finish && stick_error_count(reader->ctx) == errors)
        STICK_TRY(table->finish(reader, node, item));
    return STICK_OK;
}

// SPDX-License-Identifier: Apache-2.0
#include "report/summary_tree.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "base/utf8.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { DEEPEST = 16 }; // ours has four levels

static bool too_deep(const StickYaml *node, int level)
{
    if (level > DEEPEST)
        return true;
    for (const StickYaml *member = node->first; member; member = member->next)
        if (too_deep(member, level + 1))
            return true;
    return false;
}

// YAML takes what JSON is made of; bytes that are no text were made harmless before.
static StickStatus parse(StickSummaryTree *tree, const char *bytes, size_t count)
{
    StickText clean;
    StickYaml *root = NULL;
    stick_text_init(&clean, tree->quiet);
    stick_utf8_add_clean(&clean, bytes, count);
    StickStatus status = stick_text_status(&clean);
    if (status == STICK_OK)
        status = stick_yaml_parse(&tree->arena, &(StickYamlSource){"summary.json", clean.bytes, clean.length},
                                  &root);
    if (status == STICK_OK && too_deep(root, 1))
        status = stick_fail(tree->quiet, STICK_BAD_INPUT, "nested deeper than %d levels", DEEPEST);
    if (status == STICK_OK)
        tree->root = root;
    stick_text_destroy(&clean);
    return status;
}

static StickStatus read_file(StickSummaryTree *tree, const char *path)
{
    char *bytes;
    size_t count;
    STICK_TRY(stick_file_read(tree->quiet, path, &bytes, &count));
    StickStatus status = parse(tree, bytes, count);
    stick_free(tree->quiet, bytes);
    return status;
}

static StickStatus read_into(StickContext *ctx, const char *folder, StickSummaryTree *tree)
{
    char *path = stick_path_join(ctx, folder, "summary.json");
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = stick_file_exists(path) ? read_file(tree, path) : STICK_OK;
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        stick_diagnostic_filter_warn(tree->quiet, ctx, path);
        status = STICK_OK;
    }
    stick_free(ctx, path);
    return status;
}

StickStatus stick_summary_tree_read(StickContext *ctx, const char *folder, StickSummaryTree *tree)
{
    *tree = (StickSummaryTree){.quiet = stick_diagnostic_filter_create(ctx)};
    if (!tree->quiet)
        return STICK_NO_MEMORY;
    stick_arena_init(&tree->arena, tree->quiet);
    StickStatus status = read_into(ctx, folder, tree);
    if (status != STICK_OK)
        stick_summary_tree_destroy(tree);
    return status;
}

void stick_summary_tree_destroy(StickSummaryTree *tree)
{
    if (!tree->quiet)
        return;
    stick_arena_destroy(&tree->arena);
    stick_context_destroy(tree->quiet);
    *tree = (StickSummaryTree){0};
}

// ---- asking

const StickYaml *stick_summary_find(const StickYaml *map, const char *key)
{
    return map ? stick_yaml_find(map, key) : NULL;
}

const char *stick_summary_text(const StickYaml *map, const char *key)
{
    const StickYaml *node = stick_summary_find(map, key);
    return node && node->kind == STICK_YAML_SCALAR && !stick_yaml_is_null(node) ? node->text : NULL;
}

double stick_summary_number(const StickYaml *map, const char *key)
{
    const StickYaml *node = stick_summary_find(map, key);
    double number;
    bool good =
        node && node->kind == STICK_YAML_SCALAR && !node->quoted && stick_parse_number(node->text, &number);
    return good ? number : (double)NAN;
}

bool stick_summary_true(const StickYaml *map, const char *key)
{
    const StickYaml *node = stick_summary_find(map, key);
    return node && node->kind == STICK_YAML_SCALAR && !node->quoted && strcmp(node->text, "true") == 0;
}

// ---- as JSON

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

// What JSON takes for a number: 01, +1 and .5 are none.
static bool is_number(const char *text)
{
    const char *at = text + (*text == '-'), *whole = at;
    at = skip_digits(at);
    if (at == whole || (*whole == '0' && at > whole + 1))
        return false;
    if (*at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at);
        if (at == fraction)
            return false;
    }
    if (*at == 'e' || *at == 'E') {
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        const char *exponent = at;
        at = skip_digits(at);
        if (at == exponent)
            return false;
    }
    return *at == '\0';
}

static void add_scalar(StickJson *json, const StickYaml *node)
{
    bool word = strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0;
    if (stick_yaml_is_null(node))
        stick_json_text(json, NULL);
    else if (!node->quoted && (word || is_number(node->text)))
        stick_json_raw(json, node->text, strlen(node->text));
    else
        stick_json_text(json, node->text);
}

// At most so many members; too_deep has seen to it that this does not go deep.
static void add_node(StickJson *json, const StickYaml *node, int most)
{
    if (node->kind == STICK_YAML_SCALAR) {
        add_scalar(json, node);
        return;
    }
    bool map = node->kind == STICK_YAML_MAP;
    int left = most > 0 ? most : node->count;
    map ? stick_json_object(json) : stick_json_list(json);
    for (const StickYaml *member = node->first; member && left > 0; member = member->next, left--) {
        if (map)
            stick_json_key(json, member->key);
        add_node(json, member, 0);
    }
    map ? stick_json_end_object(json) : stick_json_end_list(json);
}

int stick_summary_json(StickJson *json, const StickYaml *root, int most_messages)
{
    int left_out = 0;
    if (!root) {
        stick_json_text(json, NULL);
        return 0;
    }
    stick_json_object(json);
    for (const StickYaml *member = root->first; member; member = member->next) {
        bool cut = most_messages > 0 && member->count > most_messages && strcmp(member->key, "messages") == 0;
        stick_json_key(json, member->key);
        add_node(json, member, cut ? most_messages : 0);
        if (cut)
            left_out = member->count - most_messages;
    }
    stick_json_end_object(json);
    return left_out;
}

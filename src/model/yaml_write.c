// SPDX-License-Identifier: Apache-2.0
#include "model/yaml.h"

#include <ctype.h>
#include <string.h>

// Words and numbers need no quotes; anything else gets them.
static bool is_plain(const char *text)
{
    if (!isalnum((unsigned char)text[0]) && !(strchr("-+.", text[0]) && isalnum((unsigned char)text[1])))
        return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.+-*/", *c))
            return false;
    return strcmp(text, "null") != 0;
}

static void write_quoted(const char *text, StickText *out)
{
    stick_text_add(out, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            stick_text_add(out, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            stick_text_add(out, "\\x%02x", *c);
        else
            stick_text_add_bytes(out, c, 1);
    }
    stick_text_add(out, "\"");
}

static void write_scalar(const StickYaml *node, StickText *out)
{
    if (stick_yaml_is_null(node))
        stick_text_add(out, "~");
    else if (!node->quoted && is_plain(node->text))
        stick_text_add(out, "%s", node->text);
    else
        write_quoted(node->text, out);
}

static void write_key(const char *key, StickText *out)
{
    if (is_plain(key))
        stick_text_add(out, "%s:", key);
    else {
        write_quoted(key, out);
        stick_text_add(out, ":");
    }
}

// Lists of numbers and words, and empty nodes, are written on one line.
static bool fits_a_line(const StickYaml *node)
{
    if (node->kind == STICK_YAML_MAP)
        return node->count == 0;
    for (const StickYaml *member = node->first; member; member = member->next)
        if (member->kind != STICK_YAML_SCALAR)
            return false;
    return true;
}

static void write_line(const StickYaml *node, StickText *out)
{
    if (node->kind == STICK_YAML_SCALAR) {
        write_scalar(node, out);
        return;
    }
    stick_text_add(out, node->kind == STICK_YAML_MAP ? "{" : "[");
    for (const StickYaml *member = node->first; member; member = member->next) {
        write_scalar(member, out);
        stick_text_add(out, member->next ? ", " : "");
    }
    stick_text_add(out, node->kind == STICK_YAML_MAP ? "}" : "]");
}

typedef struct Block {
    int indent;
    bool behind_dash;    // write the first member on the line of the dash of its list
    const char *without; // key of a member to leave out, or NULL
} Block;

// Members of a mapping or list, one per line; the depth of a tree is bounded, so is this recursion.
static void write_block(const StickYaml *node, Block block, StickText *out)
{
    for (const StickYaml *member = node->first; member; member = member->next) {
        if (block.without && stick_text_equal(member->key, block.without))
            continue;
        stick_text_add(out, "%*s", block.behind_dash ? 0 : block.indent, "");
        block.behind_dash = false;
        if (member->key)
            write_key(member->key, out);
        else
            stick_text_add(out, "-");
        if (fits_a_line(member)) {
            stick_text_add(out, " ");
            write_line(member, out);
            stick_text_add(out, "\n");
        } else {
            stick_text_add(out, member->key ? "\n" : " ");
            write_block(member, (Block){.indent = block.indent + 2, .behind_dash = !member->key}, out);
        }
    }
}

void stick_yaml_write(const StickYaml *root, const char *without, StickText *out)
{
    if (root->first)
        write_block(root, (Block){.without = without}, out);
    else
        stick_text_add(out, "{}\n");
}

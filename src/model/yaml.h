// SPDX-License-Identifier: Apache-2.0
// A YAML text as a tree; each node has its line and column.
//
// YAML features that a model file does not need are errors: anchors and aliases (so that nothing can refer to itself or
// grow by reference), tags, several documents, keys that are not words, nesting deeper than STICK_YAML_DEPTH.
#ifndef MODEL_YAML_H
#define MODEL_YAML_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

enum { STICK_YAML_DEPTH = 64, STICK_YAML_MOST_NODES = 1000000, STICK_YAML_MOST_BYTES = 64 << 20 };

typedef enum StickYamlKind { STICK_YAML_SCALAR, STICK_YAML_LIST, STICK_YAML_MAP } StickYamlKind;

typedef struct StickYaml StickYaml;
struct StickYaml {
    StickYamlKind kind;
    StickMark mark;
    bool quoted;      // scalar: in quotes or a block, so that ~ is a text
    const char *text; // scalar
    const char *key;  // of a member of a mapping; NULL in a list
    StickMark key_mark;
    const char
        *given; // for a parameter whose value is in text: the original text of the file; NULL: overridden
    bool given_quoted;
    int count; // members of a list or mapping
    StickYaml *first;
    StickYaml *next; // sibling
};

// A text and the name by which messages call it.
typedef struct StickYamlSource {
    const char *name; // stays in the marks: must outlive the tree
    const char *bytes;
    size_t count;
} StickYamlSource;

// Parses a text; the root is a mapping, the arena owns the tree. Repeated keys are reported as errors, but the tree
// (with the first of them) is returned, so that the caller can continue: it compares stick_error_count.
StickStatus stick_yaml_parse(StickArena *arena, const StickYamlSource *source, StickYaml **root);

// Member of a mapping, or NULL.
StickYaml *stick_yaml_find(const StickYaml *map, const char *key);

// Nothing, ~ or null, not in quotes.
bool stick_yaml_is_null(const StickYaml *node);

// "a list", "a mapping", "nothing" or "a text", for messages.
const char *stick_yaml_kind_name(const StickYaml *node);

// Writes the tree as YAML that reads back to the same tree; without names a member of the root to leave out,
// or is NULL.
void stick_yaml_write(const StickYaml *root, const char *without, StickText *out);

#endif

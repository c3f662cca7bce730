// SPDX-License-Identifier: Apache-2.0
// Tables that describe the mappings of the model file, key by key, and one reader that fills structs by them.
//
// The same tables write the JSON Schema, the reference of the manual and the help text: a key is described
// once.
#ifndef MODEL_SCHEMA_H
#define MODEL_SCHEMA_H

#include "model/model.h"
#include "model/yaml.h"

typedef enum StickFieldType {
    STICK_FIELD_NUMBER,      // double
    STICK_FIELD_INTEGER,     // int
    STICK_FIELD_BOOL,        // bool
    STICK_FIELD_CHOICE,      // enum
    STICK_FIELD_SWITCH,      // bool, named by two choices
    STICK_FIELD_TEXT,        // char *
    STICK_FIELD_NAME,        // char *, good for file names
    STICK_FIELD_EXPRESSION,  // StickExpression *
    STICK_FIELD_NUMBERS,     // double[3]
    STICK_FIELD_INTEGERS,    // int[3]
    STICK_FIELD_EXPRESSIONS, // StickExpression *[3]
    STICK_FIELD_MAP,         // a struct in place
    STICK_FIELD_LIST,        // array of structs, from a list
    STICK_FIELD_NAMED,       // array of structs, from a mapping of names
    STICK_FIELD_OWN,         // read by a function of its own
} StickFieldType;

// A place in a struct, counted from 1, so that 0 means nowhere.
#define STICK_AT(type, member) (offsetof(type, member) + 1)

typedef enum StickBounds {
    STICK_ANY = 0,
    STICK_ABOVE = 1,    // > low
    STICK_AT_LEAST = 2, // >= low
    STICK_BELOW = 4,    // < high
    STICK_AT_MOST = 8,  // <= high
} StickBounds;

typedef struct StickRange {
    unsigned bounds; // set of StickBounds
    double low, high;
} StickRange;

typedef struct StickChoice {
    const char *name; // NULL past the last
    int value;
    const char *text;
} StickChoice;

typedef struct StickReader StickReader;
typedef struct StickSchema StickSchema;
typedef struct StickField StickField;

struct StickField {
    const char *key; // NULL past the last
    StickFieldType type;
    const char *text; // one line for people
    const char *unit; // dimension, in the model's units
    size_t at;        // STICK_AT
    size_t count_at;  // of the int that counts a LIST or NAMED
    bool required;
    bool alternative;     // of all alternatives of a table exactly one must be given ...
    int value;            // ... and this becomes the table's kind
    const char *standard; // default as written in the file; NULL: zero, none or empty
    StickRange range;
    const StickChoice *choices;
    const StickSchema *table;
    unsigned sees;     // EXPRESSION, EXPRESSIONS: set of StickVariable
    int components;    // NUMBERS, INTEGERS, EXPRESSIONS: how many; 0: one to three
    bool of_space;     // as many components as space has dimensions
    bool may_be_free;  // EXPRESSIONS: a component may be the word free
    bool may_be_named; // TEXT: may be the name of a parameter
    const char *takes; // OWN: accepted values, as text ...
    const char *(*names)(
        int index);   // ... and the words that it knows, if they have a table; NULL past the last
    const char *json; // OWN: JSON Schema type
    // OWN; of a MAP or NAMED instead of the reader by its table
    StickStatus (*read)(StickReader *reader, const StickField *field, StickYaml *node, void *item);
};

struct StickSchema {
    const char *title; // "a material"
    const char *text;  // for the manual
    size_t size;
    size_t mark_at;        // StickMark
    size_t name_at;        // char *, for NAMED
    size_t kind_at;        // enum that alternatives set
    size_t repeat_at;      // StickRepeat: an item may be repeated, by its key repeat
    const char *shorthand; // key for which a single word is short
    const StickField *fields;
    // Checks relations between fields; called if the fields are valid.
    StickStatus (*finish)(StickReader *reader, const StickYaml *node, void *item);
};

// A text of a repeated item that was compiled for the first of the items.
typedef struct StickCompiled {
    const StickYaml *node;
    const char *text;
    StickExpression *expression;
} StickCompiled;

struct StickReader {
    StickContext *ctx;
    StickModel *model;
    const StickModelSource *source;
    bool drop;     // set by finish: leave this item out of its list
    size_t errors; // number of errors before reading began
    // Of a repeated item, which is read once for each of its places: which place, which variables its indices are, ...
    StickRepeat repeat;
    unsigned indices; // set of StickVariable
    StickVariables seen;
    size_t varied;               // ... and how many numbers so far depended on them
    const StickRigidSpec *rigid; // of the place before, ...
    bool rigid_varies;           // ... and whether it depended on them
    // of a contact that is a rule: its sides
    bool is_rule;
    StickSideSpec side[2];
    // expressions compiled for the first copy; the others use them in the same order
    StickCompiled *compiled;
    size_t ncompiled, compiled_capacity, asked;
};

// Says an error of the file and lets the reader go on.
#define STICK_COMPLAIN(reader, ...) ((void)stick_fail_at((reader)->ctx, STICK_BAD_INPUT, __VA_ARGS__))

// A reader goes on after errors of the file, but not without memory.
static inline StickStatus stick_go_on(StickStatus status)
{
    return status == STICK_BAD_INPUT ? STICK_OK : status;
}

// All of these functions report errors in the file and return STICK_OK; any other status ends the reading.
StickStatus stick_read_map(StickReader *reader, const StickSchema *table, StickYaml *node, void *item);
// LIST, NAMED
StickStatus stick_read_items(StickReader *reader, const StickField *field, StickYaml *node, void *item);
StickStatus stick_read_number(StickReader *reader, const StickField *field, const StickYaml *node,
                              double *value);
StickStatus stick_read_integer(StickReader *reader, const StickField *field, const StickYaml *node,
                               int *value);
StickStatus stick_read_expression(StickReader *reader, const StickField *field, const StickYaml *node,
                                  StickExpression **value);
// double[3] or StickExpression *[3], by the type of the field
StickStatus stick_read_vector(StickReader *reader, const StickField *field, const StickYaml *node,
                              void *vector);
StickStatus stick_read_text(StickReader *reader, const StickField *field, const StickYaml *node,
                            char **value);

// The value of any field that has no table, by its type.
StickStatus stick_read_value(StickReader *reader, const StickField *field, const StickYaml *node,
                             void *value);

// Records that a vector with this number of components must match the dimension of space.
StickStatus stick_note_vector(StickReader *reader, const char *key, StickMark mark, int components);

// The key repeat: {i: [0, 3], j: [1, 2]} of a mapping. One place where it is not given or not good.
StickStatus stick_read_repeat(StickReader *reader, const StickYaml *item, StickRepeat *repeat,
                              unsigned *indices);
// Of the field repeat itself: it was read before the item.
StickStatus stick_skip_repeat(StickReader *reader, const StickField *field, StickYaml *node, void *item);
#define STICK_REPEAT_FIELD                                                                                  \
    {                                                                                                       \
        .key = "repeat", .type = STICK_FIELD_OWN, .takes = "{i: [first, last], j: ..., k: ...}",            \
        .json = "object", .read = stick_skip_repeat,                                                        \
        .text = "creates one item for each value of the indices, as name[0,1]; numbers may be expressions " \
                "of the indices",                                                                           \
    }
// Makes the reader read a repeated item, and then its place of that number.
void stick_repeat_begin(StickReader *reader, const StickRepeat *repeat, unsigned indices);
void stick_repeat_place(StickReader *reader, int number);
int stick_repeat_count(const StickRepeat *repeat);
// "block[0,1]" in the arena, or NULL
char *stick_repeat_name(StickReader *reader, const char *name, const StickRepeat *repeat);

// Says that a field has the wrong type unless it has the right one.
bool stick_need_kind(StickReader *reader, const char *key, const StickYaml *node, StickYamlKind kind);

// Says so unless a field has one value.
bool stick_need_value(StickReader *reader, const char *key, const StickYaml *node);

// Reports that the word is not one of the names, with the closest name: "unknown material 'steal'; did you mean
// 'steel'?"
void stick_complain_word(StickReader *reader, StickMark mark, const char *what, const char *word,
                         const char *const *names, size_t count);

// The same for a table of names: whether the word is among them, with a complaint if it is not.
bool stick_need_word(StickReader *reader, StickMark mark, const char *what, const char *word,
                     const char *(*names)(int index));

// Says so unless a name is a good one.
void stick_need_name(StickReader *reader, StickMark mark, const char *name);

// Whether so much is wrong that reading on helps nobody.
bool stick_gave_up(const StickReader *reader);

// Whether a name is good for targets and for files: letters, digits, _ + -.
bool stick_is_name(const char *text);

char *stick_keep_text(StickReader *reader, const char *text);

// A range in words: "> -1 and < 0.5".
void stick_range_text(const StickRange *range, StickText *out);

// Describes the values of a field in words: "a number > 0", "quads, triangles".
void stick_field_takes(const StickField *field, StickText *out);

// The whole model file.
extern const StickSchema stick_model_table;
StickStatus stick_schema_json(StickText *out);
StickStatus stick_schema_markdown(StickText *out);

#endif

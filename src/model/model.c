// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "model/tables.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ERRORS = 100 };

// ---- the file as a whole

#define UNIT(name, meaning, label)                                                  \
    {                                                                               \
        .key = #name, .type = STICK_FIELD_TEXT, .text = meaning, .standard = label, \
        .at = STICK_AT(StickUnits, name)                                            \
    }

static const StickField units_fields[] = {
    UNIT(length, "label of lengths", "m"),
    UNIT(mass, "label of masses", "kg"),
    UNIT(time, "label of times", "s"),
    UNIT(force, "label of forces", "N"),
    {.key = NULL},
};

static const StickSchema units_table = {
    .title = "units",
    .text = "Labels of a consistent set of units. Nothing is converted.",
    .fields = units_fields,
};

#define SECTION(name, kind, meaning, count, array)                                 \
    .key = name, .type = kind, .text = meaning, .at = STICK_AT(StickModel, array), \
    .count_at = STICK_AT(StickModel, count)

// Sections are read in this order, whatever their order in the file: later ones refer to earlier ones.
static const StickField model_fields[] = {
    {.key = "stickslip",
     .type = STICK_FIELD_INTEGER,
     .text = "version of the file format",
     .required = true,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 1}},
    {.key = "title",
     .type = STICK_FIELD_TEXT,
     .text = "title for reports",
     .standard = "untitled",
     .at = STICK_AT(StickModel, title)},
    {.key = "units",
     .type = STICK_FIELD_MAP,
     .text = "labels of units",
     .table = &units_table,
     .at = STICK_AT(StickModel, units)},
    {.key = "parameters",
     .type = STICK_FIELD_OWN,
     .text = "named numbers and words, evaluated in order; -D name=value overrides one",
     .takes = "a mapping of names to numbers, expressions or words",
     .json = "object",
     .read = stick_read_parameters},
    {SECTION("materials", STICK_FIELD_NAMED, "materials of bodies", nmaterials, material),
     .table = &stick_material_table},
    {SECTION("bodies", STICK_FIELD_NAMED, "deformable and rigid bodies; may be omitted if there are gears",
             nbodies, body),
     .table = &stick_body_table},
    {SECTION("gears", STICK_FIELD_NAMED, "pairs of spur gears", ngears, gears), .table = &stick_gears_table,
     .read = stick_read_gears},
    {SECTION("frames", STICK_FIELD_NAMED, "ideal motions of bodies, for trajectory steps", nframes, frame),
     .table = &stick_frame_table},
    {SECTION("obstacles", STICK_FIELD_NAMED, "rigid obstacles", nobstacles, obstacle),
     .table = &stick_obstacle_table},
    {SECTION("supports", STICK_FIELD_LIST, "prescribed motion of groups", nsupports, support),
     .table = &stick_support_table},
    {SECTION("loads", STICK_FIELD_LIST, "loads on groups", nloads, load), .table = &stick_load_table},
    {.key = "gravity",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "acceleration of gravity",
     .unit = "length/time^2",
     .standard = "zero",
     .sees = STICK_SEES_TIME,
     .of_space = true,
     .at = STICK_AT(StickModel, gravity)},
    {SECTION("contacts", STICK_FIELD_LIST, "surfaces that may touch", ncontacts, contact),
     .table = &stick_contact_table},
    {SECTION("joints", STICK_FIELD_LIST, "joints between rigid bodies", njoints, joint),
     .table = &stick_joint_table},
    {SECTION("steps", STICK_FIELD_LIST, "analysis steps", nsteps, step), .required = true,
     .table = &stick_step_table},
    {.key = "cases",
     .type = STICK_FIELD_OWN,
     .text = "separate runs with different parameters",
     .json = "object",
     .takes = "vary: {parameter: [values]} for all combinations, or name: {parameter: value}",
     .read = stick_read_cases},
    {SECTION("checks", STICK_FIELD_LIST, "conditions that must hold at the end", nchecks, check),
     .table = &stick_check_table},
    {SECTION("outcomes", STICK_FIELD_LIST, "conditions that are evaluated and counted at the end", noutcomes,
             outcome),
     .table = &stick_outcome_table},
    {.key = "output",
     .type = STICK_FIELD_MAP,
     .text = "output files",
     .table = &stick_output_table,
     .at = STICK_AT(StickModel, output)},
    {.key = NULL},
};

const StickSchema stick_model_table = {
    .title = "a model",
    .text = "The keys of the file.",
    .size = sizeof(StickModel),
    .fields = model_fields,
};

// ---- checks across sections

static const char *name_of(const StickNamed *named, int k)
{
    return *(char *const *)((const char *)named->items + (size_t)k * named->size + named->name_at - 1);
}

void stick_check_unique(StickReader *reader, const char *what, const StickNamed *named)
{
    for (int k = 1; k < named->count; k++) {
        for (int j = 0; j < k; j++) {
            if (!stick_text_equal(name_of(named, k), name_of(named, j)) || !name_of(named, k))
                continue;
            const char *item = (const char *)named->items + (size_t)k * named->size;
            StickMark mark;
            memcpy(&mark, item + named->mark_at - 1, sizeof mark);
            STICK_COMPLAIN(reader, mark, "two %s have the name '%s'", what, name_of(named, k));
            break;
        }
    }
}

static bool has_name(const char *given, const char *name)
{
    size_t length = strcspn(given, "[");
    return length == strlen(name) && strncmp(given, name, length) == 0;
}

static void refuse_all(StickReader *reader, const char *what, const char *name, StickMark mark)
{
    if (name && has_name(name, "all"))
        STICK_COMPLAIN(reader, mark,
                       "a %s cannot be called 'all', which means all rigid bodies and obstacles: rename it",
                       what);
}

static void check_joint_names(StickReader *reader)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->njoints; k += stick_repeat_count(&model->joint[k].repeat)) {
        const StickJointSpec *joint = &model->joint[k];
        char name[200];
        snprintf(name, sizeof name, "%.*s", joint->name ? (int)strcspn(joint->name, "[") : 0,
                 joint->name ? joint->name : "");
        for (int j = 0; j < model->nbodies; j += stick_repeat_count(&model->body[j].repeat))
            if (has_name(model->body[j].name, name))
                STICK_COMPLAIN(reader, joint->mark, "a body is also named '%s': give the joint another name",
                               name);
        for (int j = 0; j < model->nobstacles; j++)
            if (strcmp(model->obstacle[j].name, name) == 0)
                STICK_COMPLAIN(reader, joint->mark,
                               "an obstacle is also named '%s': give the joint another name", name);
    }
}

static void check_gear_names(StickReader *reader)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->ngears; k++) {
        const StickGearPairSpec *pair = &model->gears[k];
        refuse_all(reader, "pair of gears", pair->name, pair->mark);
        for (int j = 0; j < model->nbodies; j += stick_repeat_count(&model->body[j].repeat))
            if (has_name(model->body[j].name, pair->name))
                STICK_COMPLAIN(reader, pair->mark, "a body is also named '%s': give the gears another name",
                               pair->name);
        for (int j = 0; j < model->nobstacles; j++)
            if (strcmp(model->obstacle[j].name, pair->name) == 0)
                STICK_COMPLAIN(reader, pair->mark,
                               "an obstacle is also named '%s': give the gears another name", pair->name);
    }
}

// A target that is one word must mean one thing.
static void check_body_names(StickReader *reader)
{
    const StickModel *model = reader->model;
    for (int k = 0; k < model->nbodies; k += stick_repeat_count(&model->body[k].repeat))
        refuse_all(reader, "body", model->body[k].name, model->body[k].mark);
    for (int k = 0; k < model->nobstacles; k++)
        refuse_all(reader, "obstacle", model->obstacle[k].name, model->obstacle[k].mark);
    for (int k = 0; k < model->nobstacles; k++) {
        const char *name = model->obstacle[k].name;
        for (int j = 0; j < model->nbodies; j += stick_repeat_count(&model->body[j].repeat)) {
            if (has_name(model->body[j].name, name))
                STICK_COMPLAIN(reader, model->obstacle[k].mark,
                               "a body is also named '%s': rename one of them", name);
        }
    }
}

static void check_names(StickReader *reader)
{
    const StickModel *model = reader->model;
    check_body_names(reader);
    check_gear_names(reader);
    check_joint_names(reader);
    stick_check_unique(reader, "steps",
                       &(StickNamed){model->step, sizeof *model->step, model->nsteps,
                                     STICK_AT(StickStepSpec, name), STICK_AT(StickStepSpec, mark)});
    stick_check_unique(reader, "histories",
                       &(StickNamed){model->output.history, sizeof *model->output.history,
                                     model->output.nhistories, STICK_AT(StickHistorySpec, name),
                                     STICK_AT(StickHistorySpec, mark)});
    stick_check_unique(reader, "profiles",
                       &(StickNamed){model->output.profile, sizeof *model->output.profile,
                                     model->output.nprofiles, STICK_AT(StickProfileSpec, name),
                                     STICK_AT(StickProfileSpec, mark)});
    stick_check_unique(reader, "outcomes",
                       &(StickNamed){model->outcome, sizeof *model->outcome, model->noutcomes,
                                     STICK_AT(StickCheckSpec, name), STICK_AT(StickCheckSpec, mark)});
}

static void check_rotation(const StickModel *model, const StickBodySpec *body, int dim)
{
    const double *spin = body->angular_velocity;
    bool spins = spin[0] != 0 || spin[1] != 0 || spin[2] != 0;
    if (!body->rigid && body->rotation != 0 && dim != 2)
        stick_fail_at(model->ctx, STICK_BAD_INPUT, body->mark,
                      "body '%s' has a 'rotation', which is for two dimensions only, but the model has %d",
                      body->name, dim);
    if (spins && (dim == 1 || (dim == 3) != body->spatial_rotation))
        stick_fail_at(model->ctx, STICK_BAD_INPUT, body->mark,
                      "'angular-velocity' of body '%s' must be %s in dimension %d", body->name,
                      dim == 1   ? "left out"
                      : dim == 2 ? "one number"
                                 : "a list of 3",
                      dim);
}

StickStatus stick_model_check_dim(const StickModel *model, int dim)
{
    size_t errors = stick_error_count(model->ctx);
    for (size_t k = 0; k < model->nvectors && stick_error_count(model->ctx) - errors < MOST_ERRORS; k++) {
        const StickVectorSpec *vector = &model->vector[k];
        if (vector->components != dim)
            stick_fail_at(model->ctx, STICK_BAD_INPUT, vector->mark,
                          "'%s' has %d component%s, but the bodies have dimension %d", vector->key,
                          vector->components, vector->components == 1 ? "" : "s", dim);
    }
    for (int k = 0; k < model->nbodies; k++)
        if (model->body[k].repeat.number == 0)
            check_rotation(model, &model->body[k], dim);
    return stick_error_count(model->ctx) == errors ? STICK_OK : STICK_BAD_INPUT;
}

// ---- reading

static void need_bodies(StickReader *reader)
{
    const StickYaml *tree = reader->model->tree, *bodies = stick_yaml_find(tree, "bodies");
    if (tree->kind != STICK_YAML_MAP || stick_yaml_find(tree, "gears"))
        return;
    if (!bodies)
        STICK_COMPLAIN(reader, tree->mark, "a model needs the key 'bodies' or 'gears'");
    else if (bodies->kind == STICK_YAML_MAP && bodies->count == 0)
        STICK_COMPLAIN(reader, bodies->mark, "'bodies' is empty");
}

static StickStatus read_tree(StickReader *reader)
{
    StickModel *model = reader->model;
    const StickModelSource *source = reader->source;
    model->file = stick_keep_text(reader, source->name);
    if (!model->file)
        return STICK_NO_MEMORY;
    STICK_TRY(stick_expressions_create(reader->ctx, &model->expressions));
    StickYamlSource yaml = {model->file, source->bytes, source->count};
    STICK_TRY(stick_yaml_parse(&model->arena, &yaml, &model->tree));
    if (!stick_yaml_find(model->tree, "parameters"))
        STICK_TRY(stick_read_parameters(reader, NULL, NULL, model));
    STICK_TRY(stick_read_map(reader, &stick_model_table, model->tree, model));
    need_bodies(reader);
    STICK_TRY(stick_settle_signals(reader));
    check_names(reader);
    stick_settle_laws(reader);
    STICK_TRY(stick_warn_of_motions(reader));
    stick_warn_of_no_contact(reader);
    stick_warn_of_units(reader);
    stick_keep_expressions(model);
    if (model->dim)
        STICK_TRY(stick_go_on(stick_model_check_dim(model, model->dim)));
    return stick_error_count(reader->ctx) == reader->errors ? STICK_OK : STICK_BAD_INPUT;
}

StickStatus stick_model_read_text(StickContext *ctx, const StickModelSource *source, StickModel **model)
{
    StickModel *read;
    STICK_ALLOC(ctx, read, 1);
    read->ctx = ctx;
    read->first_said = stick_diagnostic_count(ctx);
    stick_arena_init(&read->arena, ctx);
    StickReader reader = {.ctx = ctx, .model = read, .source = source, .errors = stick_error_count(ctx)};
    StickStatus status = read_tree(&reader);
    stick_free(ctx, reader.compiled);
    if (status != STICK_OK) {
        stick_model_destroy(read);
        return status;
    }
    read->end_said = stick_diagnostic_count(ctx);
    *model = read;
    return STICK_OK;
}

// Reads no more than is allowed, so that an endless stream ends.
static StickStatus read_stream(StickContext *ctx, FILE *stream, const char *path, StickText *text)
{
    char bytes[65536];
    size_t got;
    while ((got = fread(bytes, 1, sizeof bytes, stream)) > 0 && text->length <= STICK_YAML_MOST_BYTES)
        stick_text_add_bytes(text, bytes, got);
    if (ferror(stream))
        return stick_fail(ctx, STICK_IO, "cannot read '%s': %s", path, strerror(errno));
    return stick_text_status(text);
}

static StickStatus read_file(StickContext *ctx, const char *path, StickText *text)
{
    FILE *stream;
    STICK_TRY(stick_file_open(ctx, path, &stream));
    StickStatus status = read_stream(ctx, stream, path, text);
    fclose(stream);
    return status;
}

// Whether '\n' alone ends lines. YAML ends them at a lone '\r', U+0085, U+2028 and U+2029, too, and counts them in marks.
static bool has_plain_lines(const StickText *text)
{
    static const char *const breaks[] = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t k = 0; k < text->length; k++) {
        const char *at = text->bytes + k;
        size_t left = text->length - k;
        if (*at == '\r' && (left < 2 || at[1] != '\n'))
            return false;
        for (size_t b = 0; b < sizeof breaks / sizeof *breaks; b++)
            if (left >= strlen(breaks[b]) && memcmp(at, breaks[b], strlen(breaks[b])) == 0)
                return false;
    }
    return true;
}

// Lines of the text that the key `cases` of a model has, [first, end) from 1; none where it shares them with others.
static void lines_of_cases(const StickModel *model, int *first, int *end)
{
    const StickYaml *root = model->tree, *cases = stick_yaml_find(root, "cases");
    *first = *end = 0;
    if (!cases || cases->key_mark.column != 1)
        return;
    // a mapping in braces begins before its first key, and its last brace may be in the lines of any
    if (root->mark.line != root->first->key_mark.line || root->mark.column != root->first->key_mark.column)
        return;
    *first = cases->key_mark.line;
    *end = INT_MAX;
    for (const StickYaml *other = root->first; other; other = other->next)
        if (other->key_mark.line > *first && other->key_mark.line < *end)
            *end = other->key_mark.line;
}

// Empties lines of a text; what follows them keeps its place.
static void empty_lines(StickText *text, int first, int end)
{
    size_t kept = 0;
    int line = 1;
    for (size_t k = 0; k < text->length; k++) {
        bool emptied = line >= first && line < end;
        line += text->bytes[k] == '\n';
        if (!emptied || text->bytes[k] == '\n')
            text->bytes[kept++] = text->bytes[k];
    }
    text->length = kept;
}

// The text without its cases, for those that are read later.
static StickStatus keep_case_text(StickModel *model, StickText *text)
{
    int first, end;
    lines_of_cases(model, &first, &end);
    if (model->ncases == 0 || first == end || !has_plain_lines(text))
        return STICK_OK;
    empty_lines(text, first, end);
    STICK_TAKE(&model->arena, model->case_text, text->length + 1);
    memcpy(model->case_text, text->bytes, text->length);
    model->case_text_length = text->length;
    return STICK_OK;
}

StickStatus stick_model_read(StickContext *ctx, const char *path, const StickOverride *overrides,
                             int noverrides, StickModel **model)
{
    StickText text;
    stick_text_init(&text, ctx);
    char *folder = stick_path_folder(ctx, path);
    StickStatus status = folder ? read_file(ctx, path, &text) : STICK_NO_MEMORY;
    StickModelSource source = {.name = path,
                               .folder = folder,
                               .bytes = text.bytes ? text.bytes : "",
                               .count = text.length,
                               .overrides = overrides,
                               .noverrides = noverrides};
    StickModel *read = NULL;
    if (status == STICK_OK)
        status = stick_model_read_text(ctx, &source, &read);
    if (status == STICK_OK)
        status = keep_case_text(read, &text);
    if (status == STICK_OK)
        *model = read;
    else
        stick_model_destroy(read);
    stick_free(ctx, folder);
    stick_text_destroy(&text);
    return status;
}

StickStatus stick_model_read_case(StickContext *ctx, const StickModel *study, const char *path,
                                  const StickOverride *overrides, int noverrides, StickModel **model)
{
    if (!study->case_text)
        return stick_model_read(ctx, path, overrides, noverrides, model);
    char *folder = stick_path_folder(ctx, path);
    if (!folder)
        return STICK_NO_MEMORY;
    StickModelSource source = {.name = path,
                               .folder = folder,
                               .bytes = study->case_text,
                               .count = study->case_text_length,
                               .overrides = overrides,
                               .noverrides = noverrides};
    StickStatus status = stick_model_read_text(ctx, &source, model);
    stick_free(ctx, folder);
    if (status == STICK_OK)
        (*model)->one_case = true;
    return status;
}

void stick_frequency_unit(const StickUnits *units, char text[STICK_FREQUENCY_TEXT])
{
    bool seconds = strcmp(units->time, "s") == 0;
    snprintf(text, STICK_FREQUENCY_TEXT, seconds ? " Hz" : " 1/%.50s", units->time);
}

void stick_model_destroy(StickModel *model)
{
    if (!model)
        return;
    StickContext *ctx = model->ctx;
    stick_expressions_destroy(model->expressions);
    stick_free(ctx, model->vector);
    stick_free(ctx, model->rule);
    stick_free(ctx, model->mating);
    stick_arena_destroy(&model->arena);
    stick_free(ctx, model);
}

// ---- writing

StickStatus stick_model_resolved(const StickModel *model, StickText *out)
{
    stick_yaml_write(model->tree, model->one_case ? "cases" : NULL, out);
    return stick_text_status(out);
}

StickStatus stick_model_vary(StickContext *ctx, const StickModel *model, const char *parameter, double value,
                             StickModel **varied)
{
    StickText text;
    char number[STICK_NUMBER_TEXT], name[256];
    stick_number_text(value, number);
    snprintf(name, sizeof name, "model.yaml with %.60s = %s", parameter, number);
    stick_text_init(&text, ctx);
    StickStatus status = stick_model_resolved(model, &text);
    // warnings were reported when the model was first read
    StickHush before = stick_context_hush(ctx, STICK_HUSH_WARNINGS);
    if (status == STICK_OK)
        status = stick_model_read_text(ctx,
                                       &(StickModelSource){.name = name,
                                                           .folder = ".",
                                                           .bytes = text.bytes,
                                                           .count = text.length,
                                                           .overrides = &(StickOverride){parameter, number},
                                                           .noverrides = 1},
                                       varied);
    stick_context_hush(ctx, before);
    stick_text_destroy(&text);
    for (int k = 0; status == STICK_OK && k < (*varied)->nsteps; k++)
        (*varied)->step[k].threads = model->step[k].threads;
    return status;
}

// SPDX-License-Identifier: Apache-2.0
// Pairs of spur gears. Each becomes two bodies, `name.1` and `name.2`.
#include "base/involute.h"
#include "model/tables.h"

#include <stdio.h>
#include <string.h>

// ---- values that both gears have, or each its own

// Where a value of the second gear stands, for one of the first.
static void *of_gear(void *item, size_t at, int g)
{
    return (char *)item + at - 1 + (size_t)g * sizeof(StickGearSpec);
}

typedef StickStatus ReadOne(StickReader *reader, const StickField *field, const StickYaml *node, void *value);

static StickStatus read_two(StickReader *reader, const StickField *field, const StickYaml *node, void *item,
                            ReadOne *read)
{
    const StickYaml *each[2] = {node, node};
    if (node->kind == STICK_YAML_LIST) {
        if (node->count != 2) {
            STICK_COMPLAIN(reader, node->mark,
                           "'%s' has %d values, but requires one for both gears, or two: [input, output]",
                           field->key, node->count);
            return STICK_OK;
        }
        each[0] = node->first;
        each[1] = node->first->next;
    }
    size_t errors = stick_error_count(reader->ctx);
    // an error in a value that both gears share is reported once
    for (int g = 0; g < 2 && (stick_error_count(reader->ctx) == errors || each[0] != each[1]); g++)
        STICK_TRY(read(reader, field, each[g], of_gear(item, field->at, g)));
    return STICK_OK;
}

static StickStatus one_number(StickReader *reader, const StickField *field, const StickYaml *node,
                              void *value)
{
    return stick_read_number(reader, field, node, value);
}

static StickStatus one_integer(StickReader *reader, const StickField *field, const StickYaml *node,
                               void *value)
{
    return stick_read_integer(reader, field, node, value);
}

static StickStatus one_material(StickReader *reader, const StickField *field, const StickYaml *node,
                                void *value)
{
    return stick_read_material(reader, field, node, value);
}

static const char *const shapes[] = {"linear", "parabolic", NULL};

static const char *shape_name(int k)
{
    return k < 3 ? shapes[k] : NULL;
}

static StickStatus one_shape(StickReader *reader, const StickField *field, const StickYaml *node, void *value)
{
    if (stick_need_value(reader, field->key, node) &&
        stick_need_word(reader, node->mark, "shape", node->text, shape_name))
        *(double *)value = strcmp(node->text, shapes[0]) == 0 ? 1 : 2;
    return STICK_OK;
}

static StickStatus one_bool(StickReader *reader, const StickField *field, const StickYaml *node, void *value)
{
    if (!stick_need_value(reader, field->key, node))
        return STICK_OK;
    *(bool *)value = strcmp(node->text, "true") == 0;
    if (!*(bool *)value && strcmp(node->text, "false") != 0)
        STICK_COMPLAIN(reader, node->mark, "'%s' is %.100s, but must be true or false", field->key,
                       node->text);
    return STICK_OK;
}

#define READ_TWO(name, one)                                                                            \
    static StickStatus name(StickReader *reader, const StickField *field, StickYaml *node, void *item) \
    {                                                                                                  \
        return read_two(reader, field, node, item, one);                                               \
    }

READ_TWO(read_numbers, one_number)
READ_TWO(read_integers, one_integer)
READ_TWO(read_materials, one_material)
READ_TWO(read_shapes, one_shape)

// One word for both would make two rings: `true` means the output.
static StickStatus read_internal(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickGearPairSpec *pair = item;
    if (node->kind == STICK_YAML_SCALAR)
        return one_bool(reader, field, node, &pair->gear[1].internal);
    return read_two(reader, field, node, item, one_bool);
}

static StickStatus read_diametral_pitch(StickReader *reader, const StickField *field, StickYaml *node,
                                        void *item)
{
    double pitch = 0;
    STICK_TRY(stick_read_number(reader, field, node, &pitch));
    if (pitch > 0)
        ((StickGearPairSpec *)item)->module = 1 / pitch;
    return STICK_OK;
}

#define NUMBERS(name, member, meaning)                                                                   \
    .key = name, .type = STICK_FIELD_OWN, .text = meaning, .takes = "a number or [input, output], each", \
    .read = read_numbers, .at = STICK_AT(StickGearPairSpec, gear[0].member)
#define INTEGERS(name, member, meaning)                                        \
    .key = name, .type = STICK_FIELD_OWN, .text = meaning,                     \
    .takes = "a whole number or [input, output], each", .read = read_integers, \
    .at = STICK_AT(StickGearPairSpec, gear[0].member)

// ---- reliefs

#define RELIEF_FIELDS(end)                                                                       \
    {                                                                                            \
        {NUMBERS("amount", end.amount,                                                           \
                 "depth of the relief at the end of the active flank, along the normal"),        \
         .unit = "length", .required = true, .range = STICK_NOT_NEGATIVE},                       \
            {NUMBERS("length", end.length, "length of roll over which the relief grows from 0"), \
             .unit = "module", .required = true, .range = STICK_POSITIVE},                       \
            {.key = "shape",                                                                     \
             .type = STICK_FIELD_OWN,                                                            \
             .text = "shape of the relief curve",                                                \
             .takes = "a word or [input, output]",                                               \
             .names = shape_name,                                                                \
             .standard = "linear",                                                               \
             .read = read_shapes,                                                                \
             .at = STICK_AT(StickGearPairSpec, gear[0].end.power)},                              \
        {                                                                                        \
            .key = NULL                                                                          \
        }                                                                                        \
    }

static const StickField tip_fields[] = RELIEF_FIELDS(tip);
static const StickField root_fields[] = RELIEF_FIELDS(root);

static const StickSchema tip_table = {
    .title = "a tip relief",
    .text = "Material removed from the flanks towards the tip. With the length of roll s, the distance along "
            "the line of action.",
    .fields = tip_fields,
};
static const StickSchema root_table = {
    .title = "a root relief",
    .text = "Material removed from the flanks towards the root, starting at the end of the active flank.",
    .fields = root_fields,
};

// ---- meshes

enum { FLANK_NODES = 97 };

static StickStatus read_flank_nodes(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickGearPairSpec *pair = item;
    pair->gear[0].flank_cells = pair->gear[1].flank_cells = FLANK_NODES;
    STICK_TRY(read_two(reader, field, node, item, one_integer));
    for (int g = 0; g < 2; g++)
        pair->gear[g].flank_cells--;
    return STICK_OK;
}

static const StickField mesh_fields[] = {
    {.key = "flank-nodes",
     .type = STICK_FIELD_OWN,
     .text = "minimum number of nodes along a flank, from fillet to tip",
     .takes = "a whole number or [input, output], each",
     .standard = "97",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 3, 10001},
     .read = read_flank_nodes,
     .at = STICK_AT(StickGearPairSpec, gear[0].flank_cells)},
    {INTEGERS("teeth", mesh_teeth, "number of teeth of a sector; 0: the whole gear"), .standard = "0",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 10000}},
    {INTEGERS("fine-teeth", fine_teeth,
              "number of finely meshed teeth around tooth 0, the others are coarse; 0: all teeth are fine"),
     .standard = "0", .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 10000}},
    {NUMBERS("fillet", fillet, "length of edges in fillets; default: from the mesh of the flanks"),
     .unit = "length", .range = STICK_POSITIVE},
    {.key = NULL},
};

static const StickSchema mesh_table = {
    .title = "a mesh of gears",
    .text = "Quadrilaterals, fine along the flanks and coarse inside, with groups `bore` (of a ring `rim`), "
            "`flanks`, `fillets`, `tips`, `tooth-k-left` and `tooth-k-right`. Teeth are numbered from 0, "
            "anticlockwise; the middle of tooth 0 lies on the x axis of the gear.",
    .fields = mesh_fields,
};

// ---- a pair

static const StickChoice planes[] = {
    {"strain", STICK_PLANE_STRAIN, "plane strain"},
    {"stress", STICK_PLANE_STRESS, "plane stress"},
    {NULL, 0, NULL},
};

static const StickChoice flanks[] = {
    {"exact", STICK_FLANKS_EXACT, "gaps and normals from the exact curves"},
    {"straight", STICK_FLANKS_STRAIGHT,
     "gaps and normals from straight lines between nodes, to show the discretization error"},
    {NULL, 0, NULL},
};

static const StickField pair_fields[] = {
    {INTEGERS("teeth", teeth, "numbers of teeth"), .required = true,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 3, 10000}},
    {.key = "module",
     .type = STICK_FIELD_NUMBER,
     .text = "pitch diameter divided by the number of teeth",
     .unit = "length",
     .alternative = true,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickGearPairSpec, module)},
    {.key = "diametral-pitch",
     .type = STICK_FIELD_OWN,
     .text = "number of teeth divided by the pitch diameter",
     .takes = "a number",
     .unit = "1/length",
     .alternative = true,
     .range = STICK_POSITIVE,
     .read = read_diametral_pitch},
    {.key = "pressure-angle",
     .type = STICK_FIELD_NUMBER,
     .text = "pressure angle of the rack, such as deg(20)",
     .unit = "radian",
     .standard = "deg(20)",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0.05, 0.8},
     .at = STICK_AT(StickGearPairSpec, pressure_angle)},
    {.key = "internal",
     .type = STICK_FIELD_OWN,
     .text = "internal gear (ring); `true`: the output gear",
     .takes = "true, false or [input, output]",
     .standard = "false",
     .read = read_internal,
     .at = STICK_AT(StickGearPairSpec, gear[0].internal)},
    {NUMBERS("addendum", addendum, "from pitch circle to tip circle, without profile shift, in modules"),
     .unit = "module", .standard = "1", .range = STICK_POSITIVE},
    {NUMBERS("dedendum", dedendum, "from pitch circle to root circle, without profile shift, in modules"),
     .unit = "module", .standard = "1.25", .range = STICK_POSITIVE},
    {NUMBERS("shift", shift, "profile shift, positive outwards; for a ring towards larger radii"),
     .unit = "module", .standard = "0", .range = {STICK_AT_LEAST | STICK_AT_MOST, -5, 5}},
    {NUMBERS("rack-radius", tip_radius,
             "tip radius of the rack, which cuts the fillets; for a ring the fillet radius; default: 0.38, "
             "or the largest possible value"),
     .unit = "module", .range = STICK_NOT_NEGATIVE},
    {.key = "centre-distance",
     .type = STICK_FIELD_NUMBER,
     .text = "distance of the axes; default: no backlash",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickGearPairSpec, centre_distance)},
    {.key = "face-width",
     .type = STICK_FIELD_NUMBER,
     .text = "face width",
     .unit = "length",
     .standard = "1",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickGearPairSpec, face_width)},
    {.key = "material",
     .type = STICK_FIELD_OWN,
     .text = "name of an elastic material",
     .takes = "name of a material or [input, output]",
     .required = true,
     .read = read_materials,
     .at = STICK_AT(StickGearPairSpec, gear[0].material)},
    {.key = "plane",
     .type = STICK_FIELD_CHOICE,
     .text = "plane model in two dimensions",
     .standard = "strain",
     .choices = planes,
     .at = STICK_AT(StickGearPairSpec, plane)},
    {NUMBERS("bore", rim, "radius of the bore of external gears; default: half of the pitch radius"),
     .unit = "length", .range = STICK_POSITIVE},
    {.key = "rim",
     .type = STICK_FIELD_NUMBER,
     .text = "outer radius of a ring; default: 3 modules beyond its root circle",
     .unit = "length",
     .range = STICK_POSITIVE},
    {.key = "tip-relief",
     .type = STICK_FIELD_MAP,
     .text = "relief of the flanks at the tip",
     .table = &tip_table},
    {.key = "root-relief",
     .type = STICK_FIELD_MAP,
     .text = "relief of the flanks at the root",
     .table = &root_table},
    {NUMBERS("crowning", crowning,
             "crowning: depth removed at both ends of the active flank, parabolic about its middle"),
     .unit = "length", .standard = "0", .range = STICK_NOT_NEGATIVE},
    {.key = "mesh", .type = STICK_FIELD_MAP, .text = "how fine", .table = &mesh_table},
    {.key = "flanks",
     .type = STICK_FIELD_CHOICE,
     .text = "geometry of the flanks used by contact",
     .standard = "exact",
     .choices = flanks,
     .at = STICK_AT(StickGearPairSpec, flanks)},
    {.key = NULL},
};

// inv alpha_w = inv alpha + 2 tan alpha (x_1 + x_2) / (z_1 + z_2); a ring counts as minus its own
double stick_gears_tight_distance(const StickGearPairSpec *pair)
{
    double teeth = 0, shift = 0;
    for (int g = 0; g < 2; g++) {
        double sign = pair->gear[g].internal ? -1 : 1;
        teeth += sign * pair->gear[g].teeth;
        shift += sign * pair->gear[g].shift;
    }
    double alpha = pair->pressure_angle;
    double involute = stick_involute(alpha) + 2 * tan(alpha) * shift / teeth;
    if (!(involute > 0))
        return 0;
    // without shifts the reference distance itself, to the last bit
    double turned = shift == 0 ? 1 : cos(alpha) / cos(stick_involute_angle(involute));
    return 0.5 * pair->module * fabs(teeth) * turned;
}

// ---- relations between keys

static void check_rings(StickReader *reader, const StickYaml *node, const StickGearPairSpec *pair)
{
    const StickGearSpec *gear = pair->gear;
    bool ring = gear[0].internal || gear[1].internal;
    const StickYaml *internal = stick_yaml_find(node, "internal"), *rim = stick_yaml_find(node, "rim");
    if (gear[0].internal && gear[1].internal)
        STICK_COMPLAIN(reader, internal->mark, "both gears are rings, but only one can be");
    else if (ring && gear[gear[0].internal ? 0 : 1].teeth <= gear[gear[0].internal ? 1 : 0].teeth)
        STICK_COMPLAIN(reader, stick_yaml_find(node, "teeth")->mark,
                       "the ring has %d teeth and the gear inside it %d: increase the teeth of the ring, or "
                       "remove 'internal'",
                       gear[gear[0].internal ? 0 : 1].teeth, gear[gear[0].internal ? 1 : 0].teeth);
    if (!ring && rim)
        STICK_COMPLAIN(reader, rim->key_mark,
                       "'rim' is the outer radius of a ring, but both gears are external: give 'bore', or "
                       "'internal: true'");
}

// Radii of bore and outside of a ring: a ring has no bore.
static StickStatus settle_rims(StickReader *reader, const StickYaml *node, StickGearPairSpec *pair)
{
    static const StickField field = {.key = "rim", .range = STICK_POSITIVE};
    const StickYaml *bore = stick_yaml_find(node, "bore"), *rim = stick_yaml_find(node, "rim");
    for (int g = 0; g < 2; g++) {
        StickGearSpec *gear = &pair->gear[g];
        if (!gear->internal) {
            gear->rim = bore ? gear->rim : 0.25 * pair->module * gear->teeth;
            continue;
        }
        if (bore && bore->kind == STICK_YAML_LIST)
            STICK_COMPLAIN(reader, bore->mark,
                           "a ring has no bore: give one number for the other gear, and 'rim' for the ring");
        gear->rim = pair->module * (0.5 * gear->teeth + gear->dedendum + gear->shift + 3);
        if (rim)
            STICK_TRY(stick_read_number(reader, &field, rim, &gear->rim));
    }
    return STICK_OK;
}

static void check_materials(StickReader *reader, const StickYaml *node, const StickGearPairSpec *pair)
{
    for (int g = 0; g < 2; g++) {
        const StickMaterial *material = &reader->model->material[pair->gear[g].material];
        StickMark mark = stick_yaml_find(node, "material")->mark;
        if (g == 1 && pair->gear[0].material == pair->gear[1].material)
            return;
        if (material->law != STICK_MATERIAL_ELASTIC)
            STICK_COMPLAIN(reader, mark, "gears require an elastic material, but '%s' is for finite strains",
                           material->name);
        else if (!(material->young > 0))
            STICK_COMPLAIN(reader, mark, "material '%s' needs the key 'young': gears are deformable",
                           material->name);
    }
}

static void check_sectors(StickReader *reader, const StickYaml *node, const StickGearPairSpec *pair)
{
    for (int g = 0; g < 2; g++)
        if (pair->gear[g].mesh_teeth > pair->gear[g].teeth)
            STICK_COMPLAIN(reader, stick_yaml_find(stick_yaml_find(node, "mesh"), "teeth")->mark,
                           "the sector has %d teeth, more than gear '%s.%d', which has %d: reduce it, or use "
                           "0 for the whole gear",
                           pair->gear[g].mesh_teeth, pair->name, g + 1, pair->gear[g].teeth);
}

static void settle_distance(StickReader *reader, const StickYaml *node, StickGearPairSpec *pair)
{
    if (stick_yaml_find(node, "centre-distance"))
        return;
    pair->centre_distance = stick_gears_tight_distance(pair);
    if (!(pair->centre_distance > 0))
        STICK_COMPLAIN(reader, node->key_mark,
                       "gears '%s': these profile shifts allow no centre distance: use larger shifts, or "
                       "give 'centre-distance'",
                       pair->name);
}

static StickStatus finish_pair(StickReader *reader, const StickYaml *node, void *item)
{
    StickGearPairSpec *pair = item;
    size_t errors = stick_error_count(reader->ctx);
    for (int g = 0; g < 2 && !stick_yaml_find(node, "rack-radius"); g++)
        pair->gear[g].tip_radius = -1;
    check_rings(reader, node, pair);
    STICK_TRY(settle_rims(reader, node, pair));
    check_materials(reader, node, pair);
    check_sectors(reader, node, pair);
    if (stick_error_count(reader->ctx) == errors)
        settle_distance(reader, node, pair);
    return STICK_OK;
}

const StickSchema stick_gears_table = {
    .title = "a pair of gears",
    .text = "Two spur gears in mesh, which become the bodies `name.1` (input, centre at the origin) and "
            "`name.2` (output, centre on the x axis). If the gears differ in a key, give it a list of two "
            "values. [The guide to gears](../guide/gears.md) has the geometry.",
    .size = sizeof(StickGearPairSpec),
    .mark_at = STICK_AT(StickGearPairSpec, mark),
    .name_at = STICK_AT(StickGearPairSpec, name),
    .fields = pair_fields,
    .finish = finish_pair,
};

// ---- bodies

static StickStatus make_body(StickReader *reader, StickGearPairSpec *pair, int g, StickBodySpec *body)
{
    char name[128];
    snprintf(name, sizeof name, "%.100s.%d", pair->name, g + 1);
    const StickGearSpec *gear = &pair->gear[g];
    *body = (StickBodySpec){
        .name = stick_keep_text(reader, name),
        .mark = pair->mark,
        .mesh = {.kind = STICK_MESH_GEAR, .mark = pair->mark, .gears = pair, .gear = g},
        .material = gear->material,
        .plane = pair->plane,
        .thickness = pair->face_width,
        // a ring around the input has its centre on the other side
        .position = {g == 0           ? 0
                     : gear->internal ? -pair->centre_distance
                                      : pair->centre_distance},
    };
    return body->name ? STICK_OK : STICK_NO_MEMORY;
}

// Also for pairs with errors, so that references to them cause no further errors.
static StickStatus make_bodies(StickReader *reader)
{
    StickModel *model = reader->model;
    StickBodySpec *all;
    STICK_TAKE(&model->arena, all, model->nbodies + 2 * model->ngears + 1);
    if (model->nbodies > 0)
        memcpy(all, model->body, (size_t)model->nbodies * sizeof *all);
    for (int k = 0; k < model->ngears; k++) {
        for (int g = 0; g < 2; g++) {
            model->gears[k].body[g] = model->nbodies;
            STICK_TRY(make_body(reader, &model->gears[k], g, &all[model->nbodies++]));
        }
    }
    model->body = all;
    return STICK_OK;
}

StickStatus stick_read_gears(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickModel *model = item;
    STICK_TRY(stick_read_items(reader, field, node, item));
    if (model->ngears > 0 && model->dim && model->dim != 2)
        STICK_COMPLAIN(reader, node->key_mark, "gears are two-dimensional, but another body has dimension %d",
                       model->dim);
    else if (model->ngears > 0)
        model->dim = 2;
    return make_bodies(reader);
}

const StickGearPairSpec *stick_model_gears(const StickModel *model, const char *name, size_t length)
{
    for (int k = 0; k < model->ngears; k++)
        if (strlen(model->gears[k].name) == length && strncmp(model->gears[k].name, name, length) == 0)
            return &model->gears[k];
    return NULL;
}

int stick_find_gears(const StickModel *model, const char *name)
{
    const StickGearPairSpec *found = name ? stick_model_gears(model, name, strlen(name)) : NULL;
    return found ? (int)(found - model->gears) : -1;
}

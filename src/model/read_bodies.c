// SPDX-License-Identifier: Apache-2.0
#include "model/tables.h"

#include <string.h>

const StickMaterial *stick_material_of(const StickModel *model, const StickBodySpec *body)
{
    return body->material >= 0 && body->material < model->nmaterials ? &model->material[body->material]
                                                                     : NULL;
}

StickStatus stick_read_material(StickReader *reader, const StickField *field, const StickYaml *node,
                                int *index)
{
    const StickModel *model = reader->model;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_SCALAR))
        return STICK_OK;
    for (int k = 0; k < model->nmaterials; k++) {
        if (strcmp(model->material[k].name, node->text) == 0) {
            *index = k;
            return STICK_OK;
        }
    }
    const char *names[64];
    size_t count = 0;
    for (int k = 0; k < model->nmaterials && count < 64; k++)
        names[count++] = model->material[k].name;
    stick_complain_word(reader, node->mark, "material", node->text, names, count);
    return STICK_OK;
}

static StickStatus read_body_material(StickReader *reader, const StickField *field, StickYaml *node,
                                      void *item)
{
    return stick_read_material(reader, field, node, &((StickBodySpec *)item)->material);
}

static StickStatus read_rotation(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    if (!body->rigid)
        return stick_read_number(reader, field, node, &body->rotation);
    return body->rigid->dim ? stick_read_turn(reader, field, node, body->rigid->dim, body->turn) : STICK_OK;
}

// Of a rigid body numbers, of a deformable one functions of the place.
static StickStatus read_velocity(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    StickField vector = *field;
    vector.of_space = true;
    vector.type = body->rigid ? STICK_FIELD_NUMBERS : STICK_FIELD_EXPRESSIONS;
    return stick_read_vector(reader, &vector, node,
                             body->rigid ? (void *)body->start_velocity : (void *)body->velocity);
}

// One number about the axis out of the plane, or three in space.
static StickStatus read_angular_velocity(StickReader *reader, const StickField *field, StickYaml *node,
                                         void *item)
{
    StickBodySpec *body = item;
    if (node->kind == STICK_YAML_SCALAR)
        return stick_read_number(reader, field, node, &body->angular_velocity[2]);
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 3) {
        STICK_COMPLAIN(reader, node->mark, "'%s' has %d components, but needs one number or 3", field->key,
                       node->count);
        return STICK_OK;
    }
    body->spatial_rotation = true;
    int k = 0;
    for (const StickYaml *component = node->first; component; component = component->next)
        STICK_TRY(stick_read_number(reader, field, component, &body->angular_velocity[k++]));
    return STICK_OK;
}

static const StickChoice elements[] = {
    {"linear", STICK_ELEMENT_LINEAR, "corners only"},
    {"quadratic", STICK_ELEMENT_QUADRATIC, "with midside nodes"},
    {"mean-dilatation", STICK_ELEMENT_MEAN_DILATATION,
     "corner nodes only, one pressure per element: for nearly incompressible materials"},
    {NULL, 0, NULL},
};

static const StickChoice planes[] = {
    {"strain", STICK_PLANE_STRAIN, "plane strain"},
    {"stress", STICK_PLANE_STRESS, "plane stress"},
    {"axisymmetric", STICK_AXISYMMETRIC,
     "x is the radius and y the axis; loads and masses are for the whole ring"},
    {NULL, 0, NULL},
};

static const StickChoice masses[] = {
    {"consistent", false, "mass matrix from the shape functions of the elements"},
    {"lumped", true, "diagonal mass matrix"},
    {NULL, 0, NULL},
};

// ---- modes

static const StickField modes_fields[] = {
    {.key = "below",
     .type = STICK_FIELD_NUMBER,
     .text = "all modes up to this frequency",
     .unit = "1/time",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickModesSpec, below)},
    {.key = "count",
     .type = STICK_FIELD_INTEGER,
     .text = "number of lowest modes, including rigid-body modes",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 100000},
     .at = STICK_AT(StickModesSpec, count)},
    {.key = "damping",
     .type = STICK_FIELD_NUMBER,
     .text =
         "damping ratio of every vibration mode (1: critical), in addition to the damping of the material",
     .standard = "0",
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickModesSpec, damping)},
    {.key = NULL},
};

static StickStatus finish_modes(StickReader *reader, const StickYaml *node, void *item)
{
    StickModesSpec *modes = item;
    modes->given = true;
    if (!stick_yaml_find(node, "below") && !stick_yaml_find(node, "count"))
        STICK_COMPLAIN(reader, node->mark, "'modes' needs the key 'below' (a frequency) or 'count'");
    return STICK_OK;
}

static const StickSchema modes_table = {
    .title = "a modal basis",
    .text = "A deformable body reduced to its lowest vibration modes with fixed supports, plus the "
            "rigid-body modes that the supports allow. If `below` and `count` are both given, the smaller "
            "number of modes is used.",
    .mark_at = STICK_AT(StickModesSpec, mark),
    .fields = modes_fields,
    .finish = finish_modes,
};

// ---- volumes

enum { AUGMENTATIONS = 100 };

static const StickField volume_fields[] = {
    {.key = "tolerance",
     .type = STICK_FIELD_NUMBER,
     .text = "largest relative volume change of an element",
     .standard = "1e-4",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickVolumeSpec, tolerance)},
    {.key = "augmentations",
     .type = STICK_FIELD_INTEGER,
     .text = "maximum number of augmentations in a step or increment",
     .standard = "100",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 1000},
     .at = STICK_AT(StickVolumeSpec, augmentations)},
    {.key = NULL},
};

static StickStatus finish_volume(StickReader *reader, const StickYaml *node, void *item)
{
    StickVolumeSpec *volume = item;
    (void)reader;
    volume->given = true;
    if (!stick_yaml_find(node, "tolerance"))
        volume->tolerance = 1e-4;
    if (!stick_yaml_find(node, "augmentations"))
        volume->augmentations = AUGMENTATIONS;
    return STICK_OK;
}

static const StickSchema volume_table = {
    .title = "a bound on volume changes",
    .text = "Elements of a body with `element: mean-dilatation` and a law of finite strains keep their "
            "volumes, whatever "
            "the bulk modulus: their pressures become multipliers, which are augmented in every step until "
            "the tolerance "
            "holds.",
    .mark_at = STICK_AT(StickVolumeSpec, mark),
    .fields = volume_fields,
    .finish = finish_volume,
};

static const StickField body_fields[] = {
    STICK_REPEAT_FIELD,
    {.key = "mesh",
     .type = STICK_FIELD_MAP,
     .text = "mesh of a deformable body",
     .alternative = true,
     .table = &stick_mesh_table,
     .at = STICK_AT(StickBodySpec, mesh)},
    {.key = "rigid",
     .type = STICK_FIELD_MAP,
     .text = "shape of a rigid body",
     .alternative = true,
     .table = &stick_rigid_table,
     .read = stick_read_rigid},
    {.key = "material",
     .type = STICK_FIELD_OWN,
     .text = "name of its material; not required for a rigid body with a given mass",
     .takes = "name of a material",
     .json = "string",
     .read = read_body_material},
    {.key = "element",
     .type = STICK_FIELD_CHOICE,
     .text = "element type; linear by default, or as in the mesh file",
     .choices = elements,
     .at = STICK_AT(StickBodySpec, element)},
    {.key = "plane",
     .type = STICK_FIELD_CHOICE,
     .text = "plane model in two dimensions",
     .standard = "strain",
     .choices = planes,
     .at = STICK_AT(StickBodySpec, plane)},
    {.key = "thickness",
     .type = STICK_FIELD_NUMBER,
     .text = "thickness out of the plane; for a bar its cross-section area",
     .unit = "length (bar: length^2)",
     .standard = "1",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickBodySpec, thickness)},
    {.key = "mass",
     .type = STICK_FIELD_SWITCH,
     .text = "mass matrix",
     .standard = "consistent",
     .choices = masses,
     .at = STICK_AT(StickBodySpec, lumped_mass)},
    {.key = "position",
     .type = STICK_FIELD_NUMBERS,
     .text = "translation of the mesh; for a rigid body the position of the origin of its shapes",
     .unit = "length",
     .standard = "zero",
     .of_space = true,
     .at = STICK_AT(StickBodySpec, position)},
    {.key = "rotation",
     .type = STICK_FIELD_OWN,
     .text =
         "rotation about its own origin, applied before the translation (for a mesh: two dimensions only)",
     .unit = "radian",
     .takes =
         "an angle; of a rigid body in space a list of 3 numbers (axis times angle) or {axis: [x, y, z], "
         "angle: a}",
     .read = read_rotation},
    {.key = "displacement",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "initial displacements",
     .unit = "length",
     .standard = "zero",
     .of_space = true,
     .sees = STICK_SEES_PLACE,
     .at = STICK_AT(StickBodySpec, displacement)},
    {.key = "velocity",
     .type = STICK_FIELD_OWN,
     .text = "initial velocities; for a rigid body the velocity of its mass centre",
     .unit = "length/time",
     .sees = STICK_SEES_PLACE,
     .takes = "a list of numbers of x, y, z (rigid: numbers), one per dimension",
     .json = "array",
     .read = read_velocity},
    {.key = "angular-velocity",
     .type = STICK_FIELD_OWN,
     .text = "initial angular velocity about the mass centre, added to the velocities",
     .unit = "radian/time",
     .standard = "0",
     .takes = "a number; in space a list of 3 numbers",
     .read = read_angular_velocity},
    {.key = "modes",
     .type = STICK_FIELD_MAP,
     .text = "modal reduction of a deformable body",
     .table = &modes_table,
     .at = STICK_AT(StickBodySpec, modes)},
    {.key = "volume",
     .type = STICK_FIELD_MAP,
     .text = "tolerance on the element volumes of nearly incompressible bodies under finite strains",
     .table = &volume_table,
     .at = STICK_AT(StickBodySpec, volume)},
    {.key = "flanks",
     .type = STICK_FIELD_NAMED,
     .text = "exact curves of groups of sides in the plane, used by trajectory steps",
     .table = &stick_flank_table,
     .at = STICK_AT(StickBodySpec, flank),
     .count_at = STICK_AT(StickBodySpec, nflanks)},
    {.key = NULL},
};

static void refuse_deformable_keys(StickReader *reader, const StickYaml *node, const StickBodySpec *body)
{
    static const char *const keys[] = {"element", "plane",  "mass",  "displacement",
                                       "modes",   "volume", "flanks"};
    for (int k = 0; k < 7; k++) {
        const StickYaml *given = stick_yaml_find(node, keys[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark, "'%s' is for deformable bodies, but '%s' is rigid%s",
                           keys[k], body->name, k == 2 ? ": give its mass in 'rigid'" : "");
    }
}

// Reported once for all bodies, at the material.
static void need_young(StickReader *reader, const StickBodySpec *body)
{
    const StickModel *model = reader->model;
    const StickMaterial *material = &model->material[body->material];
    if (material->law != STICK_MATERIAL_ELASTIC) // missing keys were reported already
        return;
    const StickYaml *materials = stick_yaml_find(model->tree, "materials");
    const StickYaml *given = materials ? stick_yaml_find(materials, material->name) : NULL;
    if (given && stick_yaml_find(given, "young")) // a bad value was reported already
        return;
    const StickYaml *law = given ? stick_yaml_find(given, "law") : NULL;
    if (law && !(law->text && strcmp(law->text, "elastic") == 0)) // and so was an unknown law
        return;
    for (int b = 0; b < model->nbodies; b++)
        if (!model->body[b].rigid && model->body[b].material == body->material)
            return;
    STICK_COMPLAIN(reader, material->mark, "material '%s' needs the key 'young': body '%s' is deformable",
                   material->name, body->name);
}

static void check_material(StickReader *reader, const StickYaml *node, StickBodySpec *body)
{
    bool given = stick_yaml_find(node, "material") != NULL;
    if (!given)
        body->material = -1;
    if (!given && !(body->rigid && body->rigid->mass > 0))
        STICK_COMPLAIN(reader, node->mark, "a body needs the key 'material'%s",
                       body->rigid ? ", or a mass in 'rigid'" : "");
    else if (given && !body->rigid && !(reader->model->material[body->material].young > 0))
        need_young(reader, body);
}

// Laws of finite strains need a body in the plane or in space whose volume is its own.
static void check_finite(StickReader *reader, const StickYaml *node, const StickBodySpec *body)
{
    if (body->rigid || body->material < 0 ||
        reader->model->material[body->material].law == STICK_MATERIAL_ELASTIC)
        return;
    const char *material = reader->model->material[body->material].name;
    if (body->mesh.kind == STICK_MESH_BAR)
        STICK_COMPLAIN(
            reader, body->mesh.mark,
            "a bar requires an elastic material, but '%s' is for finite strains: use a rectangle or a box",
            material);
    else if (body->plane == STICK_PLANE_STRESS)
        STICK_COMPLAIN(reader, stick_yaml_find(node, "plane")->mark,
                       "plane stress requires an elastic material, but '%s' is for finite strains: use "
                       "strain, axisymmetric or a body in space",
                       material);
    else if (body->modes.given)
        STICK_COMPLAIN(
            reader, stick_yaml_find(node, "modes")->key_mark,
            "'modes' requires small strains, but '%s' is a material for finite strains: remove 'modes'",
            material);
}

// Pressures that are augmented are those of elements.
static void check_volume(StickReader *reader, const StickYaml *node, const StickBodySpec *body)
{
    if (!body->volume.given || body->rigid || body->material < 0)
        return;
    const StickMaterial *material = &reader->model->material[body->material];
    StickMark mark = stick_yaml_find(node, "volume")->key_mark;
    if (material->law == STICK_MATERIAL_ELASTIC)
        STICK_COMPLAIN(reader, mark,
                       "'volume' is for materials with finite strains, but '%s' is linear elastic: remove "
                       "it, or give the material a finite-strain law",
                       material->name);
    else if (body->element != STICK_ELEMENT_MEAN_DILATATION)
        STICK_COMPLAIN(reader, mark,
                       "'volume' needs 'element: mean-dilatation': other elements have no pressure of their "
                       "own");
}

static StickStatus finish_body(StickReader *reader, const StickYaml *node, void *item)
{
    StickBodySpec *body = item;
    check_material(reader, node, body);
    check_finite(reader, node, body);
    check_volume(reader, node, body);
    if (!body->rigid)
        return STICK_OK;
    refuse_deformable_keys(reader, node, body);
    reader->model->nrigid++;
    if (body->rigid->dim == 3 && stick_yaml_find(node, "thickness"))
        STICK_COMPLAIN(reader, stick_yaml_find(node, "thickness")->key_mark,
                       "'thickness' is for two dimensions, but '%s' has three: remove it", body->name);
    return STICK_OK;
}

const StickSchema stick_body_table = {
    .title = "a body",
    .text = "A deformable body, given by its mesh, or a rigid body, given by its shape.",
    .size = sizeof(StickBodySpec),
    .mark_at = STICK_AT(StickBodySpec, mark),
    .name_at = STICK_AT(StickBodySpec, name),
    .repeat_at = STICK_AT(StickBodySpec, repeat),
    .fields = body_fields,
    .finish = finish_body,
};

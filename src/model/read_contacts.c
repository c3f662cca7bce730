// SPDX-License-Identifier: Apache-2.0
// Where bodies may touch, and the law that holds there.
#include "base/vec.h"
#include "model/tables.h"

#include <string.h>

#define LAW_SEES (STICK_SEES_TIME | STICK_SEES_PLACE | STICK_SEES_SLIDING | STICK_SEES_STATE)

// ---- sections of the cone of friction

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

// Whether the polygon turns left at every corner and goes around 0 once.
static bool is_around_zero(const double *corner, int count)
{
    double angle = 0;
    for (int k = 0; k < count; k++) {
        const double *a = corner + 2 * k, *b = corner + 2 * ((k + 1) % count),
                     *c = corner + 2 * ((k + 2) % count);
        double ab[2] = {b[0] - a[0], b[1] - a[1]}, bc[2] = {c[0] - b[0], c[1] - b[1]};
        if (!(cross(ab, bc) > 0) || !(cross(a, b) > 0))
            return false;
        angle += atan2(cross(a, b), a[0] * b[0] + a[1] * b[1]);
    }
    return angle < 3 * M_PI;
}

static void reverse(double *corner, int count)
{
    for (int k = 0; k < count / 2; k++)
        for (int i = 0; i < 2; i++) {
            double kept = corner[2 * k + i];
            corner[2 * k + i] = corner[2 * (count - 1 - k) + i];
            corner[2 * (count - 1 - k) + i] = kept;
        }
}

static StickStatus read_corners(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickLawSpec *law = item;
    const StickField corner = {.key = field->key, .type = STICK_FIELD_NUMBERS, .components = 2};
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    STICK_TAKE(&reader->model->arena, law->corner, 2 * (size_t)node->count + 1);
    size_t errors = stick_error_count(reader->ctx);
    for (const StickYaml *child = node->first; child && !stick_gave_up(reader); child = child->next) {
        double place[3] = {0};
        STICK_TRY(stick_read_vector(reader, &corner, child, place));
        memcpy(law->corner + 2 * law->ncorners++, place, 2 * sizeof *place);
    }
    if (stick_error_count(reader->ctx) != errors)
        return STICK_OK;
    if (law->ncorners > 2 && cross(law->corner, law->corner + 2) < 0)
        reverse(law->corner, law->ncorners);
    if (law->ncorners < 3 || !is_around_zero(law->corner, law->ncorners))
        STICK_COMPLAIN(reader, node->mark,
                       "the corners of '%s' must form a convex polygon that contains [0, 0]", field->key);
    return STICK_OK;
}

static const StickField section_fields[] = {
    {.key = "ellipse",
     .type = STICK_FIELD_NUMBERS,
     .text = "friction coefficients along the first axis and across it",
     .alternative = true,
     .value = STICK_LAW_ELLIPSE,
     .components = 2,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickLawSpec, ellipse)},
    {.key = "polygon",
     .type = STICK_FIELD_OWN,
     .text = "corners of a convex polygon around 0: tangential forces for a unit normal force",
     .alternative = true,
     .value = STICK_LAW_POLYGON,
     .takes = "a list of points [along the first axis, across it]",
     .json = "array",
     .read = read_corners},
    {.key = "interval",
     .type = STICK_FIELD_NUMBERS,
     .text = "in the plane: friction coefficients for sliding along the axis and against it",
     .alternative = true,
     .value = STICK_LAW_INTERVAL,
     .components = 2,
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickLawSpec, interval)},
    {.key = "factor",
     .type = STICK_FIELD_EXPRESSION,
     .text = "scale factor of the section",
     .standard = "1",
     .sees = LAW_SEES,
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickLawSpec, friction)},
    {.key = "axis",
     .type = STICK_FIELD_NUMBERS,
     .text = "direction whose projection on the contact plane is the first axis",
     .required = true,
     .of_space = true,
     .at = STICK_AT(StickLawSpec, axis)},
    {.key = NULL},
};

static StickStatus finish_section(StickReader *reader, const StickYaml *node, void *item)
{
    StickLawSpec *law = item;
    const StickYaml *axis = stick_yaml_find(node, "axis");
    double length = stick_vec_normalise(law->axis);
    if (!(length > 0) || isinf(length))
        STICK_COMPLAIN(reader, axis->mark, "'axis' has the length %g: it must be a direction", length);
    if (axis->count != 3 && law->section != STICK_LAW_INTERVAL)
        STICK_COMPLAIN(reader, node->mark,
                       "'ellipse' and 'polygon' are for three dimensions: in the plane give 'interval', the "
                       "friction along the axis and against it");
    if (axis->count != 2 && law->section == STICK_LAW_INTERVAL)
        STICK_COMPLAIN(reader, node->mark,
                       "'interval' is for the plane: in three dimensions give 'ellipse' or 'polygon'");
    return STICK_OK;
}

static const StickSchema section_table = {
    .title = "a section of the friction cone",
    .text = "Friction that depends on the sliding direction: in space exactly one of ellipse and polygon, in "
            "the plane an interval. The sliding direction maximises dissipation.",
    .kind_at = STICK_AT(StickLawSpec, section),
    .fields = section_fields,
    .finish = finish_section,
};

// ---- contacts

static StickStatus read_friction(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickLawSpec *law = &((StickContactSpec *)item)->law;
    return node->kind == STICK_YAML_MAP ? stick_read_map(reader, &section_table, node, law)
                                        : stick_read_expression(reader, field, node, &law->friction);
}

static bool is_rigid(const StickModel *model, const StickTarget *target)
{
    return target->body >= 0 && model->body[target->body].rigid;
}

// A surface: a group of a body, or the whole skin of a rigid body.
static void check_surface(StickReader *reader, const StickYaml *node, const StickTarget *target)
{
    if (target->nbodies > 1)
        STICK_COMPLAIN(reader, target->mark, "'%s' stands for several bodies: name one of them, as %s",
                       node->text, reader->model->body[target->body].name);
    else if (target->obstacle >= 0)
        STICK_COMPLAIN(reader, target->mark, "'%s' must be a group of a body, as body.group", node->text);
    else if (!target->group && !is_rigid(reader->model, target))
        STICK_COMPLAIN(reader, target->mark, "'%s' is a body: name one of its groups, as body.group",
                       node->text);
}

static bool same_target(const StickTarget *a, const StickTarget *b)
{
    return a->body == b->body && a->obstacle == b->obstacle && stick_text_equal(a->group, b->group);
}

static void check_surfaces(StickReader *reader, const StickYaml *node, const StickContactSpec *contact)
{
    const StickTarget *slave = &contact->slave, *master = &contact->master;
    check_surface(reader, node->first, slave);
    if (master->obstacle < 0)
        check_surface(reader, node->first->next, master);
    if (same_target(slave, master))
        STICK_COMPLAIN(reader, master->mark, "'%s' cannot touch itself", node->first->next->text);
}

// A deformable body on one side, or a group, means surfaces; everything else is a rule for rigid bodies.
static bool means_surface(const StickReader *reader, const StickSideSpec *side)
{
    const StickTarget *target = &side->target;
    return side->kind == STICK_SIDE_TARGET &&
           (target->group || (target->body >= 0 && !is_rigid(reader->model, target)));
}

static bool is_single(const StickSideSpec *side)
{
    return side->kind == STICK_SIDE_TARGET && side->target.body >= 0 && side->target.nbodies == 1;
}

static void check_rule(StickReader *reader, const StickYaml *node)
{
    const StickSideSpec *side = reader->side;
    if (reader->model->nrigid == 0) {
        if (stick_error_count(reader->ctx) == reader->errors) // else they may only be wrong
            STICK_COMPLAIN(reader, node->mark,
                           "this contact is between rigid bodies, but the model has none: name two surfaces, "
                           "as [body.group, floor]");
    } else if (is_single(&side[0]) && is_single(&side[1]) && side[0].target.body == side[1].target.body)
        STICK_COMPLAIN(
            reader, node->mark,
            "'%s' is a single rigid body and cannot touch itself: name another body, or a material",
            reader->model->body[side[0].target.body].name);
    else if (side[0].target.obstacle >= 0 && side[1].target.obstacle >= 0)
        STICK_COMPLAIN(reader, node->mark, "'between' names two obstacles: one of the two must be a body");
}

static StickStatus read_pair(StickReader *reader, const StickYaml *node, StickContactSpec *contact)
{
    StickSideSpec *side = reader->side;
    size_t errors = stick_error_count(reader->ctx);
    STICK_TRY(stick_read_side(reader, node->first, &side[0]));
    STICK_TRY(stick_read_side(reader, node->first->next, &side[1]));
    if (stick_error_count(reader->ctx) != errors)
        return STICK_OK;
    reader->is_rule = !means_surface(reader, &side[0]) && !means_surface(reader, &side[1]);
    if (reader->is_rule) {
        check_rule(reader, node);
        return STICK_OK;
    }
    for (int k = 0; k < 2; k++)
        if (side[k].kind != STICK_SIDE_TARGET)
            STICK_COMPLAIN(
                reader, side[k].mark,
                "'%s' is for rigid bodies only: a surface requires a named surface, body or obstacle",
                k == 0 ? node->first->text : node->first->next->text);
    contact->slave = side[0].target;
    contact->master = side[1].target;
    if (stick_error_count(reader->ctx) == errors)
        check_surfaces(reader, node, contact);
    return STICK_OK;
}

static StickStatus read_between(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickContactSpec *contact = item;
    reader->is_rule = false;
    contact->gears = node->kind == STICK_YAML_SCALAR ? stick_find_gears(reader->model, node->text) : -1;
    if (contact->gears >= 0)
        return STICK_OK;
    if (node->kind == STICK_YAML_SCALAR && strcmp(node->text, "all") == 0) {
        reader->is_rule = true;
        for (int k = 0; k < 2; k++)
            STICK_TRY(stick_read_side(reader, node, &reader->side[k]));
        check_rule(reader, node);
        return STICK_OK;
    }
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    if (node->count != 2) {
        STICK_COMPLAIN(reader, node->mark, "'between' has %d members, but a contact is between two",
                       node->count);
        return STICK_OK;
    }
    return read_pair(reader, node, item);
}

static const StickChoice methods[] = {
    {"nodes", STICK_CONTACT_NODES, "contact unknowns at the nodes of the first surface"},
    {"integrated", STICK_CONTACT_INTEGRATED, "gap integrated over the first surface (mortar)"},
    {NULL, 0, NULL},
};

static const StickChoice overclosures[] = {
    {"keep", STICK_OVERCLOSURE_KEEP, "the initial overlap remains, without forces, and cannot grow"},
    {"resolve", STICK_OVERCLOSURE_RESOLVE,
     "the overlap is removed linearly in time over the first step, as in a shrink fit: bodies are pressed "
     "apart"},
    {"adjust", STICK_OVERCLOSURE_ADJUST,
     "the overlap is removed before the first step, without stress: nodes of the first surface are moved "
     "onto the second one, rigid bodies are moved apart"},
    {"refuse", STICK_OVERCLOSURE_REFUSE, "the run stops with an error that gives names and penetration"},
    {"accept", STICK_OVERCLOSURE_KEEP, "the same as keep"},
    {"separate", STICK_OVERCLOSURE_ADJUST, "the same as adjust"},
    {NULL, 0, NULL},
};

static const StickField state_fields[] = {
    {.key = "start",
     .type = STICK_FIELD_EXPRESSION,
     .text = "value when the contact closes; t is the start of that step",
     .required = true,
     .sees = STICK_SEES_TIME | STICK_SEES_PLACE,
     .at = STICK_AT(StickLawSpec, state_start)},
    {.key = "rate",
     .type = STICK_FIELD_EXPRESSION,
     .text = "rate of change while the contact is closed; default: 0",
     .sees = LAW_SEES,
     .at = STICK_AT(StickLawSpec, state_rate)},
    {.key = NULL},
};

static const StickSchema state_table = {
    .title = "a state variable",
    .text = "A state variable of a contact, from closing to opening: its sliding distance (`rate: v`), its "
            "duration (`rate: 1`), or whether it was closed at the start (`start: \"t == 0 and 1 or 0\"`).",
    .fields = state_fields,
};

static const StickField contact_fields[] = {
    {.key = "between",
     .type = STICK_FIELD_OWN,
     .text = "the slave surface, which carries the contact unknowns, and its counterface; for rigid bodies "
             "the bodies, obstacles or materials that may touch",
     .required = true,
     .takes = "[body.group, body.group or obstacle]; of rigid bodies all, or two of: body, obstacle, "
              "material, all; of gears the name of their pair",
     .read = read_between},
    {.key = "friction",
     .type = STICK_FIELD_OWN,
     .text = "Coulomb's friction coefficient; v is the sliding speed (0 at sticking contacts), p the "
             "pressure; or a section by directions",
     .standard = "0",
     .sees = LAW_SEES,
     .range = STICK_NOT_NEGATIVE,
     .table = &section_table,
     .takes = "a mapping or a number of t, x, y, z, v, p, state",
     .read = read_friction},
    {.key = "restitution",
     .type = STICK_FIELD_EXPRESSION,
     .text = "Newton's coefficient of restitution: ratio of the normal velocities after and before the "
             "impact; scheme moreau",
     .sees = LAW_SEES | STICK_SEES_APPROACH,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickContactSpec, law.restitution)},
    {.key = "dissipation",
     .type = STICK_FIELD_EXPRESSION,
     .text = "dissipation index of all simultaneous collisions, for the scheme moreau: 0 conserves the "
             "energy, 1 dissipates most; the same for all contacts",
     .sees = STICK_SEES_TIME | STICK_SEES_APPROACH,
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 0, 1},
     .at = STICK_AT(StickContactSpec, law.dissipation)},
    {.key = "cohesion",
     .type = STICK_FIELD_EXPRESSION,
     .text = "largest tensile normal force of a contact; rigid bodies only",
     .unit = "force",
     .sees = LAW_SEES,
     .range = STICK_NOT_NEGATIVE,
     .at = STICK_AT(StickContactSpec, law.cohesion)},
    {.key = "state",
     .type = STICK_FIELD_MAP,
     .text = "a variable of each contact, available to its law as `state`; rigid bodies only",
     .table = &state_table,
     .at = STICK_AT(StickContactSpec, law)},
    {.key = "method",
     .type = STICK_FIELD_CHOICE,
     .text = "default: integrated for quadratic elements and for two deformable bodies with non-matching "
             "meshes; nodes for all others and before a stability step",
     .choices = methods,
     .at = STICK_AT(StickContactSpec, method)},
    {.key = "overclosure",
     .type = STICK_FIELD_CHOICE,
     .text = "treatment of overlap at the start of the model; default: keep for named surfaces, refuse for "
             "rigid bodies",
     .choices = overclosures,
     .at = STICK_AT(StickContactSpec, overclosure)},
    {.key = "reach",
     .type = STICK_FIELD_NUMBER,
     .text = "for named surfaces: search distance; pairs farther apart than this and than the possible "
             "motion in one step are ignored",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickContactSpec, reach)},
    {.key = "max-distance",
     .type = STICK_FIELD_NUMBER,
     .text = "required for surfaces on trajectories: pairs farther apart than this before deformation are "
             "ignored, unless free displacements bring them within reach",
     .unit = "length",
     .range = STICK_POSITIVE,
     .at = STICK_AT(StickContactSpec, max_distance)},
    {.key = "strip",
     .type = STICK_FIELD_INTEGER,
     .text = "for surfaces on trajectories: number of element sides of the first surface in one facet of "
             "constant pressure; facet centres are at the points of smallest gap, and at nodes for facets of "
             "one side",
     .standard = "2",
     .range = {STICK_AT_LEAST | STICK_AT_MOST, 1, 100},
     .at = STICK_AT(StickContactSpec, strip)},
    {.key = NULL},
};

static bool same_side(const StickSideSpec *a, const StickSideSpec *b)
{
    if (a->kind != b->kind || a->kind == STICK_SIDE_ALL)
        return a->kind == b->kind;
    if (a->kind == STICK_SIDE_MATERIAL)
        return a->material == b->material;
    bool same = same_target(&a->target, &b->target) && a->target.nbodies == b->target.nbodies;
    for (int k = 0; k < 3 && same; k++)
        same = a->target.any[k] == b->target.any[k] &&
               (a->target.any[k] || a->target.index[k] == b->target.index[k]);
    return same;
}

static void check_new_rule(StickReader *reader, const StickYaml *node)
{
    const StickModel *model = reader->model;
    const StickSideSpec *side = reader->side;
    for (int k = 0; k < model->nrules; k++) {
        const StickSideSpec *old = model->rule[k].side;
        if ((same_side(&side[0], &old[0]) && same_side(&side[1], &old[1])) ||
            (same_side(&side[0], &old[1]) && same_side(&side[1], &old[0])))
            STICK_COMPLAIN(
                reader, stick_yaml_find(node, "between")->mark,
                "line %d defines a contact between the same surfaces: one of them has no effect; remove it",
                (int)model->rule[k].mark.line);
    }
}

static StickStatus add_rule(StickReader *reader, const StickYaml *node, const StickContactSpec *contact)
{
    StickModel *model = reader->model;
    const StickYaml *method = stick_yaml_find(node, "method"), *reach = stick_yaml_find(node, "reach");
    if (reach)
        STICK_COMPLAIN(
            reader, reach->key_mark,
            "'reach' is for named surfaces only: rigid bodies use the distance they can move in a step");
    if (method)
        STICK_COMPLAIN(reader, method->key_mark, "'method' is for named surfaces, not for rigid bodies");
    check_new_rule(reader, node);
    STICK_RESERVE(reader->ctx, model->rule, model->rule_capacity, (size_t)model->nrules + 1);
    model->rule[model->nrules++] = (StickRuleSpec){.mark = contact->mark,
                                                   .side = {reader->side[0], reader->side[1]},
                                                   .law = contact->law,
                                                   .overclosure = contact->overclosure};
    reader->drop = true;
    return STICK_OK;
}

static void check_state(StickReader *reader, const StickYaml *node, const StickLawSpec *law)
{
    const StickExpression *seeing[] = {law->friction, law->cohesion, law->restitution};
    for (size_t k = 0; k < sizeof seeing / sizeof *seeing && !law->state_start; k++)
        if (seeing[k] && stick_expression_mentions(seeing[k], STICK_SEES_STATE))
            STICK_COMPLAIN(reader, node->mark,
                           "the law of this contact uses 'state', which is not defined: define it, as "
                           "'state: {start: 0, rate: v}'");
}

static StickStatus finish_contact(StickReader *reader, const StickYaml *node, void *item)
{
    const StickContactSpec *contact = item;
    check_state(reader, node, &contact->law);
    const StickYaml *restitution = stick_yaml_find(node, "restitution");
    if (restitution && contact->law.dissipation)
        STICK_COMPLAIN(reader, restitution->key_mark,
                       "a contact has both 'restitution' and 'dissipation': give only one of them");
    if (contact->max_distance > 0 || contact->gears >= 0)
        return stick_add_mating(reader, node, contact);
    if (reader->is_rule)
        return add_rule(reader, node, contact);
    static const char *const keys[] = {"cohesion", "state"};
    for (int k = 0; k < 2; k++) {
        const StickYaml *given = stick_yaml_find(node, keys[k]);
        if (given)
            STICK_COMPLAIN(reader, given->key_mark,
                           "'%s' is for contacts of rigid bodies, not for named surfaces", keys[k]);
    }
    return STICK_OK;
}

const StickSchema stick_contact_table = {
    .title = "a contact",
    .text = "Two surfaces that may touch, or a rule for rigid bodies. If several rules match two bodies, the "
            "most specific one applies (a name before a material before `all`); among equally specific "
            "rules, the first one.",
    .size = sizeof(StickContactSpec),
    .mark_at = STICK_AT(StickContactSpec, mark),
    .fields = contact_fields,
    .finish = finish_contact,
};

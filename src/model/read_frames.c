// SPDX-License-Identifier: Apache-2.0
// Bodies on ideal motions: the frames that they are attached to, and the true shapes of their sides.
#include "model/tables.h"

#include <string.h>

// ---- flanks

static const StickField flank_fields[] = {
    {.key = "x",
     .type = STICK_FIELD_EXPRESSION,
     .text =
         "coordinates of the curve as functions of `s`, in the frame of the mesh before the body is placed",
     .unit = "length",
     .required = true,
     .sees = STICK_SEES_CURVE,
     .at = STICK_AT(StickFlankSpec, x)},
    {.key = "y",
     .type = STICK_FIELD_EXPRESSION,
     .text = "of the curve",
     .unit = "length",
     .required = true,
     .sees = STICK_SEES_CURVE,
     .at = STICK_AT(StickFlankSpec, y)},
    {.key = "from",
     .type = STICK_FIELD_NUMBER,
     .text = "start of the range of `s`",
     .required = true,
     .at = STICK_AT(StickFlankSpec, from)},
    {.key = "to",
     .type = STICK_FIELD_NUMBER,
     .text = "end of the range of `s`, greater than `from`; a closed curve ends at its starting point",
     .required = true,
     .at = STICK_AT(StickFlankSpec, to)},
    {.key = NULL},
};

static StickStatus finish_flank(StickReader *reader, const StickYaml *node, void *item)
{
    const StickFlankSpec *flank = item;
    if (!(flank->from < flank->to))
        STICK_COMPLAIN(reader, stick_yaml_find(node, "to")->mark,
                       "'to' is %g, but must be greater than 'from', %g", flank->to, flank->from);
    return STICK_OK;
}

const StickSchema stick_flank_table = {
    .title = "a flank",
    .text = "The true shape of a group of sides, a smooth curve `x(s)`, `y(s)` that its nodes lie on. "
            "Trajectory steps compute gaps and normals from it; groups without a curve are straight between "
            "their nodes. Tangents are computed by finite differences, so the formulas must be valid "
            "slightly beyond both ends.",
    .size = sizeof(StickFlankSpec),
    .mark_at = STICK_AT(StickFlankSpec, mark),
    .name_at = STICK_AT(StickFlankSpec, group),
    .fields = flank_fields,
    .finish = finish_flank,
};

// ---- frames

static const char *const motions[STICK_FRAME_MOTIONS] = {"x", "y", "rotation"};

static StickStatus read_free(StickReader *reader, const StickField *field, StickYaml *node, void *item)
{
    StickFrameSpec *frame = item;
    if (!stick_need_kind(reader, field->key, node, STICK_YAML_LIST))
        return STICK_OK;
    for (const StickYaml *word = node->first; word; word = word->next) {
        bool known = false;
        for (int k = 0; k < STICK_FRAME_MOTIONS && word->kind == STICK_YAML_SCALAR; k++) {
            bool same = strcmp(word->text, motions[k]) == 0;
            frame->free[k] = frame->free[k] || same;
            known = known || same;
        }
        if (!known)
            stick_complain_word(reader, word->mark, "motion",
                                word->kind == STICK_YAML_SCALAR ? word->text : "a list", motions,
                                STICK_FRAME_MOTIONS);
    }
    return STICK_OK;
}

static const StickField frame_fields[] = {
    {.key = "at",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "ideal position of the origin of the mesh; default: the position of the body",
     .unit = "length",
     .of_space = true,
     .sees = STICK_SEES_TIME,
     .at = STICK_AT(StickFrameSpec, at)},
    {.key = "angle",
     .type = STICK_FIELD_EXPRESSION,
     .text = "ideal angle of the mesh about its origin; default: the rotation of the body",
     .unit = "radian",
     .sees = STICK_SEES_TIME,
     .at = STICK_AT(StickFrameSpec, angle)},
    {.key = "free",
     .type = STICK_FIELD_OWN,
     .text =
         "free components: small deviations from the ideal motion, determined by equilibrium; default: none",
     .takes = "a list of x, y, rotation",
     .json = "array",
     .read = read_free},
    {.key = "force",
     .type = STICK_FIELD_EXPRESSIONS,
     .text = "force on the frame along its free components",
     .unit = "force",
     .standard = "zero",
     .of_space = true,
     .sees = STICK_SEES_TIME,
     .at = STICK_AT(StickFrameSpec, force)},
    {.key = "moment",
     .type = STICK_FIELD_EXPRESSION,
     .text = "moment on the frame about its origin, if its rotation is free",
     .unit = "force length",
     .standard = "0",
     .sees = STICK_SEES_TIME,
     .at = STICK_AT(StickFrameSpec, moment)},
    {.key = NULL},
};

static void check_loads(StickReader *reader, const StickYaml *node, const StickFrameSpec *frame)
{
    const StickYaml *force = stick_yaml_find(node, "force");
    for (int k = 0; k < 2 && force; k++) {
        double value = 0;
        bool none =
            !frame->force[k] ||
            (stick_expression_is_constant(frame->force[k]) &&
             stick_expression_value(frame->force[k], &(StickVariables){0}, &value) == STICK_OK && value == 0);
        if (!none && !frame->free[k])
            STICK_COMPLAIN(reader, force->mark,
                           "'force' acts along %s, which is not free: add this direction to 'free', or set "
                           "the force to 0",
                           motions[k]);
    }
    const StickYaml *moment = stick_yaml_find(node, "moment");
    if (moment && !frame->free[STICK_FRAME_ROTATION])
        STICK_COMPLAIN(reader, moment->mark,
                       "'moment' acts on a rotation that is not free: add 'rotation' to 'free'");
}

static StickStatus finish_frame(StickReader *reader, const StickYaml *node, void *item)
{
    StickFrameSpec *frame = item;
    const StickModel *model = reader->model;
    const char *names[64];
    size_t count = 0;
    frame->body = -1;
    for (int b = 0; b < model->nbodies; b++) {
        if (strcmp(model->body[b].name, frame->name) == 0)
            frame->body = b;
        if (count < 64)
            names[count++] = model->body[b].name;
    }
    if (frame->body < 0)
        stick_complain_word(reader, frame->mark, "body", frame->name, names, count);
    else if (model->body[frame->body].rigid)
        STICK_COMPLAIN(reader, frame->mark,
                       "body '%s' is rigid: frames carry deformable bodies; give it a mesh", frame->name);
    else if (model->body[frame->body].mesh.kind == STICK_MESH_GEAR)
        STICK_COMPLAIN(reader, frame->mark,
                       "'%s' is a gear, whose motion follows from its pair: remove this frame", frame->name);
    check_loads(reader, node, frame);
    return STICK_OK;
}

const StickSchema stick_frame_table = {
    .title = "a frame",
    .text = "The reference frame of a body in trajectory steps. It follows an ideal motion known from "
            "kinematics; supports attach the body to it. Bodies without a frame are at rest; the motion of "
            "gears follows from their pair.",
    .size = sizeof(StickFrameSpec),
    .mark_at = STICK_AT(StickFrameSpec, mark),
    .name_at = STICK_AT(StickFrameSpec, name),
    .fields = frame_fields,
    .finish = finish_frame,
};

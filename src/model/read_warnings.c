// SPDX-License-Identifier: Apache-2.0
// Warnings about valid models of rigid bodies that are probably not intended.
#include "model/tables.h"
#include "model/time_history.h"

#include <math.h>
#include <stdio.h>

// ---- motion that starts with a jump

// A prescribed component of motion.
typedef struct Motion {
    StickExpression *displacement, *velocity; // one of them or none
    StickVariables seen;                      // place
    double own;                               // velocity with which the thing starts anyway
} Motion;

static StickStatus speed_at(const Motion *motion, double t, double h, double *speed)
{
    StickVariables now = motion->seen, then = motion->seen;
    now.t = t;
    then.t = t + h;
    if (motion->velocity)
        return stick_expression_value(motion->velocity, &now, speed);
    double first, second;
    STICK_TRY(stick_expression_value(motion->displacement, &now, &first));
    STICK_TRY(stick_expression_value(motion->displacement, &then, &second));
    *speed = (second - first) / h;
    return STICK_OK;
}

// The jump of the velocity at the start, 0 if it is small compared with the velocities until the end.
static StickStatus first_jump(const Motion *motion, double end, double *jump)
{
    enum { SAMPLES = 200 };
    StickExpression *given = motion->velocity ? motion->velocity : motion->displacement;
    *jump = 0;
    if (!given || stick_expression_is_constant(given))
        return STICK_OK;
    double start, most = 0, h = 1e-6 * end;
    STICK_TRY(speed_at(motion, 0, h, &start));
    for (int i = 0; i < SAMPLES; i++) {
        double speed;
        STICK_TRY(speed_at(motion, end * i / SAMPLES, h, &speed));
        most = fmax(most, fabs(speed));
    }
    if (fabs(start - motion->own) > 1e-2 * most)
        *jump = start - motion->own;
    return STICK_OK;
}

// how: "velocity along x"
static StickStatus warn_of_motion(StickReader *reader, const Motion *motion, StickMark mark, const char *what,
                                  const char *how)
{
    double jump, end = reader->model->step[reader->model->nsteps - 1].end;
    STICK_TRY(first_jump(motion, end, &jump));
    if (jump != 0)
        stick_warn_at(reader->ctx, mark,
                      "%s starts with a jump of its %s, by %.3g, which causes an impact on bodies in "
                      "contact: start the motion from rest, as with 1 - cos(t)",
                      what, how, jump);
    return STICK_OK;
}

static const char *const shift[] = {"velocity along x", "velocity along y", "velocity along z"};
static const char *const turn[] = {"angular velocity about x", "angular velocity about y",
                                   "angular velocity about z"};

static StickStatus warn_of_obstacle(StickReader *reader, const StickObstacleSpec *obstacle)
{
    char what[200];
    snprintf(what, sizeof what, "obstacle '%.150s'", obstacle->name);
    for (int k = 0; k < 3; k++) {
        Motion motion = {.displacement = obstacle->displacement[k], .velocity = obstacle->velocity[k]};
        STICK_TRY(warn_of_motion(reader, &motion, obstacle->mark, what, shift[k]));
    }
    return STICK_OK;
}

// Other bodies may stand on a rigid body with prescribed motion; of several equal ones only the first is reported.
static StickStatus warn_of_support(StickReader *reader, const StickSupportSpec *support)
{
    const StickModel *model = reader->model;
    const StickBodySpec *body = support->on.body >= 0 ? &model->body[support->on.body] : NULL;
    if (!body || !body->rigid)
        return STICK_OK;
    char what[200];
    snprintf(what, sizeof what, "body '%.150s'", body->name);
    for (int k = 0; k < 3; k++) {
        const double *x = body->position;
        Motion motion = {.displacement = support->displacement[k],
                         .velocity = support->velocity[k],
                         .seen = {.x = x[0], .y = x[1], .z = x[2]},
                         .own = body->start_velocity[k]};
        STICK_TRY(warn_of_motion(reader, &motion, support->mark, what, shift[k]));
        Motion turning = {.displacement = k == 2 ? support->rotation : NULL,
                          .velocity = support->angular_velocity[k],
                          .own = body->angular_velocity[k]};
        STICK_TRY(warn_of_motion(reader, &turning, support->mark, what, turn[k]));
    }
    return STICK_OK;
}

// Records that do not move anything while the model runs.
static void warn_of_record(StickReader *reader, const StickObstacleSpec *obstacle,
                           const StickTimeHistorySpec *spec)
{
    const StickTimeHistory *record = spec->record;
    double end = reader->model->step[reader->model->nsteps - 1].end, most = 0;
    if (!record)
        return;
    for (int k = 0; k < record->count; k++)
        most = fmax(most, fabs(record->sample[k]));
    double first = record->t[0], last = record->t[record->count - 1];
    if (most == 0)
        stick_warn_at(reader->ctx, spec->mark,
                      "the record of obstacle '%s' has no motion: its samples, times 'scale', are 0",
                      obstacle->name);
    else if (first >= end || last <= 0)
        stick_warn_at(reader->ctx, spec->mark,
                      "the record of obstacle '%s' goes from t = %g to %g, but the model runs from 0 to %g: "
                      "'start' shifts its times",
                      obstacle->name, first, last, end);
}

StickStatus stick_warn_of_motions(StickReader *reader)
{
    const StickModel *model = reader->model;
    if (model->nrigid == 0 || model->nsteps == 0 || !(model->step[model->nsteps - 1].end > 0))
        return STICK_OK;
    for (int o = 0; o < model->nobstacles; o++) {
        const StickObstacleSpec *obstacle = &model->obstacle[o];
        STICK_TRY(stick_go_on(warn_of_obstacle(reader, obstacle)));
        for (int k = 0; k < obstacle->nrecords; k++)
            warn_of_record(reader, obstacle, &obstacle->record[k]);
    }
    for (int k = 0; k < model->nsupports; k++)
        STICK_TRY(stick_go_on(warn_of_support(reader, &model->support[k])));
    return STICK_OK;
}

// ---- bodies and obstacles without contact

static bool is_in_contact(const StickModel *model, int body)
{
    for (int k = 0; k < model->ncontacts; k++)
        if (model->contact[k].slave.body == body || model->contact[k].master.body == body)
            return true;
    return false;
}

static bool is_joined(const StickModel *model, int obstacle)
{
    for (int k = 0; k < model->njoints; k++)
        if (model->joint[k].other_obstacle == obstacle)
            return true;
    return false;
}

// Obstacles without any contact, and deformable bodies where only rigid ones have rules.
void stick_warn_of_no_contact(StickReader *reader)
{
    const StickModel *model = reader->model;
    if (model->nrigid == 0 || stick_error_count(reader->ctx) != reader->errors)
        return;
    for (int o = 0; o < model->nobstacles && model->nrules + model->ncontacts == 0; o++)
        if (!is_joined(model, o))
            stick_warn_at(reader->ctx, model->obstacle[o].mark,
                          "obstacle '%s' has no effect, because the model has no contacts: add a rule such "
                          "as '{between: all, friction: 0.3}' for all rigid bodies and obstacles",
                          model->obstacle[o].name);
    for (int b = 0; b < model->nbodies && model->nrules > 0; b++)
        if (!model->body[b].rigid && !is_in_contact(model, b))
            stick_warn_at(reader->ctx, model->body[b].mark,
                          "the deformable body '%s' has no contacts, because rules such as 'all' are for "
                          "rigid bodies: name its surface, as [%s.boundary, block]",
                          model->body[b].name, model->body[b].name);
}

// SPDX-License-Identifier: Apache-2.0
#include "bodies/frames.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- what there is

// As bodies are placed: x in the system is home + turn(home_angle) x.
static void find_home(const StickBodySpec *body, StickFrame *frame)
{
    const double *origin = body->mesh.origin;
    double c = cos(body->rotation), s = sin(body->rotation);
    frame->home_angle = body->rotation;
    frame->home[0] = body->position[0] + origin[0] - (c * origin[0] - s * origin[1]);
    frame->home[1] = body->position[1] + origin[1] - (s * origin[0] + c * origin[1]);
    if (body->rotation == 0)
        memcpy(frame->home, body->position, sizeof frame->home);
}

static void add_motion(StickFrames *frames, int b, StickFrameMotion motion)
{
    static const char *const names[STICK_FRAME_MOTIONS] = {"motion along x", "motion along y", "rotation"};
    int k = frames->nmotions++;
    frames->body[k] = b;
    frames->motion[k] = motion;
    snprintf(frames->name[k], STICK_MOTION_NAME, "%s of %.90s", names[motion], frames->system->body[b].name);
    frames->frame[b].motion[motion] = k;
}

static StickStatus refuse_space(StickContext *ctx, const StickSystem *system, const StickStepSpec *step)
{
    if (system->dim == 2)
        return STICK_OK;
    return stick_fail_at(ctx, STICK_BAD_INPUT, step->mark,
                         "step '%s' has a trajectory, which requires bodies in the plane, but these have "
                         "dimension %d",
                         step->name, system->dim);
}

static void find_frames(StickFrames *frames)
{
    const StickModel *model = frames->system->model;
    for (int b = 0; b < model->nbodies; b++) {
        StickFrame *frame = &frames->frame[b];
        frame->gears = -1;
        for (int k = 0; k < STICK_FRAME_MOTIONS; k++)
            frame->motion[k] = -1;
        find_home(&model->body[b], frame);
    }
    for (int k = 0; k < model->nframes; k++)
        frames->frame[model->frame[k].body].spec = &model->frame[k];
    for (int k = 0; k < 2 * model->ngears; k++) {
        StickFrame *frame = &frames->frame[model->gears[k / 2].body[k % 2]];
        frame->gears = k / 2;
        frame->gear = k % 2;
    }
    // outputs of pairs are free to turn
    for (int b = 0; b < model->nbodies; b++) {
        const StickFrame *frame = &frames->frame[b];
        for (int k = 0; k < STICK_FRAME_MOTIONS; k++)
            if ((frame->spec && frame->spec->free[k]) ||
                (frame->gears >= 0 && frame->gear == 1 && k == STICK_FRAME_ROTATION))
                add_motion(frames, b, (StickFrameMotion)k);
    }
}

static StickStatus fill(StickContext *ctx, StickFrames *frames)
{
    const StickModel *model = frames->system->model;
    STICK_TRY(refuse_space(ctx, frames->system, frames->step));
    STICK_ALLOC(ctx, frames->frame, model->nbodies);
    STICK_ALLOC(ctx, frames->pair, model->ngears);
    STICK_ALLOC(ctx, frames->body, STICK_FRAME_MOTIONS * model->nbodies);
    STICK_ALLOC(ctx, frames->motion, STICK_FRAME_MOTIONS * model->nbodies);
    STICK_ALLOC(ctx, frames->name, STICK_FRAME_MOTIONS * model->nbodies);
    for (int k = 0; k < model->ngears; k++)
        STICK_TRY(stick_gear_pair_make(ctx, &model->gears[k], &frames->pair[k]));
    find_frames(frames);
    return STICK_OK;
}

StickStatus stick_frames_create(StickContext *ctx, const StickSystem *system, const StickStepSpec *step,
                                StickFrames *frames)
{
    StickFrames created = {.system = system, .step = step};
    StickStatus status = fill(ctx, &created);
    if (status == STICK_OK)
        *frames = created;
    else
        stick_frames_destroy(ctx, &created);
    return status;
}

void stick_frames_destroy(StickContext *ctx, StickFrames *frames)
{
    stick_free(ctx, frames->frame);
    stick_free(ctx, frames->pair);
    stick_free(ctx, frames->body);
    stick_free(ctx, frames->motion);
    stick_free(ctx, frames->name);
    *frames = (StickFrames){0};
}

// ---- where they are

static StickStatus value_at(StickExpression *expression, double t, double otherwise, double *value)
{
    if (expression)
        return stick_expression_value(expression, &(StickVariables){.t = t}, value);
    *value = otherwise;
    return STICK_OK;
}

static StickStatus value_and_rate(StickExpression *expression, double t, double h, double otherwise,
                                  double *value, double *rate)
{
    double before, after;
    STICK_TRY(value_at(expression, t, otherwise, value));
    *rate = 0;
    if (!expression || stick_expression_is_constant(expression))
        return STICK_OK;
    STICK_TRY(value_at(expression, t - h, otherwise, &before));
    STICK_TRY(value_at(expression, t + h, otherwise, &after));
    *rate = (after - before) / (2 * h);
    return STICK_OK;
}

static StickStatus place_by_spec(StickFrame *frame, double t, double h)
{
    const StickFrameSpec *spec = frame->spec;
    for (int k = 0; k < 2; k++) {
        STICK_TRY(value_and_rate(spec->at[k], t, h, frame->home[k], &frame->at[k], &frame->velocity[k]));
        STICK_TRY(value_at(spec->force[k], t, 0, &frame->load[k]));
    }
    STICK_TRY(value_and_rate(spec->angle, t, h, frame->home_angle, &frame->angle, &frame->spin));
    return value_at(spec->moment, t, 0, &frame->load[STICK_FRAME_ROTATION]);
}

double stick_frames_roll(const StickFrames *frames, int gears, double t)
{
    return (t - 0.5) * frames->pair[gears].base_pitch;
}

// A torque acts against the ideal motion.
static StickStatus place_gear(const StickFrames *frames, int b, double t, StickFrame *frame)
{
    const StickTrajectorySpec *trajectory = &frames->step->trajectory;
    const StickGearPair *pair = &frames->pair[frame->gears];
    double angle[2], torque = 0;
    stick_gear_place(pair, stick_frames_roll(frames, frame->gears, t), angle);
    frame->at[0] = frame->gear == 1 ? pair->centre : 0;
    frame->at[1] = 0;
    frame->angle = angle[frame->gear];
    frame->spin = pair->turns[frame->gear] * pair->base_pitch;
    for (int k = 0; k < trajectory->ntorques; k++)
        if (trajectory->torque[k].body == b)
            STICK_TRY(value_at(trajectory->torque[k].value, t, 0, &torque));
    frame->load[STICK_FRAME_ROTATION] = frame->spin > 0 ? -torque : torque;
    return STICK_OK;
}

static void turn_axes(StickFrame *frame)
{
    double since = frame->angle - frame->home_angle;
    frame->axes[0] = cos(since), frame->axes[1] = sin(since);
    frame->turned[0] = cos(frame->angle), frame->turned[1] = sin(frame->angle);
}

void stick_frames_move(StickFrames *frames, const double *theta)
{
    for (int k = 0; k < frames->nmotions; k++) {
        StickFrame *frame = &frames->frame[frames->body[k]];
        if (frames->motion[k] == STICK_FRAME_ROTATION)
            frame->angle += theta[k];
        else
            frame->at[frames->motion[k]] += theta[k];
        frame->moved[frames->motion[k]] = theta[k];
        turn_axes(frame);
    }
}

StickStatus stick_frames_place(StickFrames *frames, double t, double h)
{
    for (int b = 0; b < frames->system->nbodies; b++) {
        StickFrame *frame = &frames->frame[b];
        memset(frame->moved, 0, sizeof frame->moved);
        if (frame->gears >= 0) {
            STICK_TRY(place_gear(frames, b, t, frame));
        } else if (frame->spec) {
            STICK_TRY(place_by_spec(frame, t, h));
        } else {
            memcpy(frame->at, frame->home, sizeof frame->at);
            frame->angle = frame->home_angle;
        }
        turn_axes(frame);
    }
    return STICK_OK;
}

// ---- between frames

void stick_frame_out(const StickFrame *frame, const double x[2], double place[2])
{
    const double *c = frame->turned, a = x[0], b = x[1];
    place[0] = frame->at[0] + (c[0] * a - c[1] * b);
    place[1] = frame->at[1] + (c[1] * a + c[0] * b);
}

void stick_frame_in(const StickFrame *frame, const double place[2], double x[2])
{
    const double *c = frame->turned, a = place[0] - frame->at[0], b = place[1] - frame->at[1];
    x[0] = c[0] * a + c[1] * b;
    x[1] = c[0] * b - c[1] * a;
}

void stick_frame_turn(const StickFrame *frame, const double vector[2], double turned[2])
{
    const double *c = frame->axes, a = vector[0], b = vector[1];
    turned[0] = c[0] * a - c[1] * b;
    turned[1] = c[1] * a + c[0] * b;
}

void stick_frame_unturn(const StickFrame *frame, const double vector[2], double turned[2])
{
    const double *c = frame->axes, a = vector[0], b = vector[1];
    turned[0] = c[0] * a + c[1] * b;
    turned[1] = c[0] * b - c[1] * a;
}

void stick_frame_unit(const StickFrame *frame, StickFrameMotion motion, const double place[2],
                      double velocity[2])
{
    bool turns = motion == STICK_FRAME_ROTATION;
    velocity[0] = turns ? frame->at[1] - place[1] : motion == STICK_FRAME_X;
    velocity[1] = turns ? place[0] - frame->at[0] : motion == STICK_FRAME_Y;
}

void stick_frame_velocity(const StickFrame *frame, const double place[2], double velocity[2])
{
    stick_frame_unit(frame, STICK_FRAME_ROTATION, place, velocity);
    for (int k = 0; k < 2; k++)
        velocity[k] = frame->velocity[k] + frame->spin * velocity[k];
}

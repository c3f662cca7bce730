// SPDX-License-Identifier: Apache-2.0
#include "report/rigid_frame.h"

#include "base/vec.h"
#include "bodies/rigid.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const struct {
    const char *name;
    int components;
} about[STICK_RIGID_VALUES] = {
    [STICK_RIGID_DISPLACEMENT] = {"displacement", 3},
    [STICK_RIGID_ROTATION] = {"rotation", 3},
    [STICK_RIGID_VELOCITY] = {"velocity", 3},
    [STICK_RIGID_ANGULAR_VELOCITY] = {"angular_velocity", 3},
    [STICK_RIGID_FORCE] = {"contact_force", 3},
    [STICK_TOUCH_FORCE] = {"force", 3},
    [STICK_TOUCH_TANGENTIAL] = {"tangential_force", 1},
    [STICK_TOUCH_STATUS] = {"status", 1},
    [STICK_TOUCH_FIRST] = {"first", 1},
    [STICK_TOUCH_SECOND] = {"second", 1},
};

typedef struct Reader {
    StickContext *ctx;
    const StickModel *model;
    StickVtuFile *file;
    StickMark mark;
    StickRigidFrame *frame;
} Reader;

static StickStatus refuse(const Reader *reader, const char *what)
{
    return stick_fail_at(reader->ctx, STICK_BAD_INPUT, reader->mark, "%s", what);
}

static StickStatus read_values(const Reader *reader, int first, int last)
{
    int points = stick_vtu_points(reader->file);
    for (int k = first; k <= last; k++) {
        if (stick_vtu_components(reader->file, STICK_VTU_POINT_DATA, about[k].name) != about[k].components)
            return stick_fail_at(reader->ctx, STICK_BAD_INPUT, reader->mark, "it has no field '%s'",
                                 about[k].name);
        STICK_TRY(
            stick_vtu_values(reader->file, STICK_VTU_POINT_DATA, about[k].name, &reader->frame->value[k]));
        for (int i = 0; i < points * about[k].components; i++)
            if (!isfinite(reader->frame->value[k][i]))
                return stick_fail_at(reader->ctx, STICK_BAD_INPUT, reader->mark,
                                     "its field '%s' has what is no number", about[k].name);
    }
    return STICK_OK;
}

static StickStatus read_points(const Reader *reader, double **x)
{
    StickVtuGrid grid;
    STICK_TRY(stick_vtu_grid(reader->file, &grid));
    *x = grid.x;
    grid.x = NULL;
    stick_vtu_grid_destroy(reader->ctx, &grid);
    return STICK_OK;
}

// ---- bodies

// In the order of the model.
static StickStatus check_bodies(const Reader *reader, const double *body)
{
    int i = 0;
    for (int b = 0; b < reader->model->nbodies; b++)
        if (reader->model->body[b].rigid && body[i++] != b)
            return refuse(reader, "its points are not the rigid bodies of the model");
    return STICK_OK;
}

// Whole turns show nothing, and would cost digits.
static void unwind(double rotation[3])
{
    double angle = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
    if (angle <= pi)
        return;
    double part = remainder(angle, 2 * pi) / angle;
    for (int k = 0; k < 3; k++)
        rotation[k] *= part;
}

static StickStatus read_bodies(const Reader *reader)
{
    int count = reader->model->nrigid;
    double *body;
    if (stick_vtu_points(reader->file) != count ||
        stick_vtu_components(reader->file, STICK_VTU_POINT_DATA, "body") != 1)
        return refuse(reader, "its points are not the rigid bodies of the model");
    STICK_TRY(stick_vtu_values(reader->file, STICK_VTU_POINT_DATA, "body", &body));
    StickStatus status = check_bodies(reader, body);
    stick_free(reader->ctx, body);
    STICK_TRY(status);
    STICK_TRY(read_values(reader, STICK_RIGID_DISPLACEMENT, STICK_RIGID_FORCE));
    for (int k = 0; k < count; k++)
        unwind(reader->frame->value[STICK_RIGID_ROTATION] + 3 * k);
    return read_points(reader, &reader->frame->centre);
}

// ---- contacts

static bool is_whole(double number, int least, int most)
{
    return number >= least && number <= most && number == floor(number);
}

static StickStatus read_contacts(const Reader *reader)
{
    StickRigidFrame *frame = reader->frame;
    const StickModel *model = reader->model;
    STICK_TRY(read_values(reader, STICK_TOUCH_FORCE, STICK_TOUCH_SECOND));
    frame->ncontacts = stick_vtu_points(reader->file);
    for (int c = 0; c < frame->ncontacts; c++)
        if (!is_whole(frame->value[STICK_TOUCH_FIRST][c], 0, model->nbodies - 1) ||
            !is_whole(frame->value[STICK_TOUCH_SECOND][c], -model->nobstacles, model->nbodies - 1) ||
            !is_whole(frame->value[STICK_TOUCH_STATUS][c], 0, 2))
            return refuse(reader, "a contact is not one of bodies of the model");
    return read_points(reader, &frame->place);
}

// ---- both

static StickStatus read_file(Reader *reader, const char *path, StickStatus (*read)(const Reader *))
{
    reader->mark = (StickMark){path, 0, 0};
    STICK_TRY(stick_vtu_open(reader->ctx, path, &reader->file));
    StickStatus status = read(reader);
    stick_vtu_close(reader->file);
    return status;
}

StickStatus stick_rigid_frame_read(StickContext *ctx, const char *bodies, const char *contacts,
                                   const StickModel *model, StickRigidFrame *frame)
{
    *frame = (StickRigidFrame){0};
    Reader reader = {.ctx = ctx, .model = model, .frame = frame};
    StickStatus status = read_file(&reader, bodies, read_bodies);
    if (status == STICK_OK)
        status = read_file(&reader, contacts, read_contacts);
    if (status != STICK_OK)
        stick_rigid_frame_destroy(ctx, frame);
    return status;
}

void stick_rigid_frame_destroy(StickContext *ctx, StickRigidFrame *frame)
{
    for (int k = 0; k < STICK_RIGID_VALUES; k++)
        stick_free(ctx, frame->value[k]);
    stick_free(ctx, frame->centre);
    stick_free(ctx, frame->place);
    *frame = (StickRigidFrame){0};
}

// ---- nodes

// Degrees of freedom of the plane or of space.
static void gather(const double *linear, const double *angular, int dim, double all[6])
{
    for (int k = 0; k < dim; k++)
        all[k] = linear[k];
    for (int k = 0; k < 3; k++)
        all[dim == 2 ? 2 : 3 + k] = angular[k]; // in the plane the last one stays
}

void stick_rigid_frame_widen(const StickRigidFrame *frame, int k, const StickRigidNodes *nodes, bool velocity,
                             double *least, double *most)
{
    StickRigid rigid = {.dim = nodes->dim, .turn = {1}};
    double q[6], v[6];
    gather(frame->value[STICK_RIGID_DISPLACEMENT] + 3 * k, frame->value[STICK_RIGID_ROTATION] + 3 * k,
           nodes->dim, q);
    gather(frame->value[STICK_RIGID_VELOCITY] + 3 * k, frame->value[STICK_RIGID_ANGULAR_VELOCITY] + 3 * k,
           nodes->dim, v);
    StickPose pose = stick_rigid_pose(&rigid, q);
    for (int i = 0; i < nodes->count; i++) {
        double x[3] = {0}, place[3], vector[3];
        for (int j = 0; j < nodes->dim; j++)
            x[j] = (double)nodes->x[(size_t)i * (size_t)nodes->dim + (size_t)j];
        stick_pose_place(&pose, x, place);
        if (velocity)
            stick_rigid_velocity(&rigid, v, pose.centre, place, vector);
        else
            stick_vec_sub(place, x, vector);
        double length = stick_vec_norm(vector);
        *least = fmin(*least, length); // of NaN and a number the number
        *most = fmax(*most, length);
    }
}

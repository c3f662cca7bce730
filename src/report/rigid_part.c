// SPDX-License-Identifier: Apache-2.0
#include "report/rigid_part.h"

#include "output/units.h"

#include <math.h>
#include <stdint.h>

typedef struct Work {
    StickContext *ctx;
    const StickAnimationFrames *reel;
    const StickRigidPlan *plan;
    StickBlobs *blocks;
    size_t contacts; // of all frames
} Work;

static const StickRigidFrame *frame_of(const Work *work, int k)
{
    return &work->reel->frame[work->plan->kept[k]].rigid;
}

// ---- numbers

// Fewer digits are fewer bytes: the mantissa keeps so many bits, whatever the size of the number.
static float rounded(double value, int bits)
{
    int power;
    double mantissa = frexp(value, &power);
    return (float)ldexp(round(ldexp(mantissa, bits)), power - bits);
}

static StickStatus pack_floats(const Work *work, const double *value, size_t count, int bits, int *number)
{
    float *numbers;
    STICK_ALLOC(work->ctx, numbers, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = bits > 0 ? rounded(value[i], bits) : (float)value[i];
    StickStatus status = stick_blobs_add(work->blocks, STICK_BLOB_FLOAT32, numbers, count, number);
    stick_free(work->ctx, numbers);
    return status;
}

// Places and motions: 16 bits over their range.
static StickStatus pack_even(const Work *work, const double *value, size_t count, size_t width, int *number,
                             double *resolution)
{
    *resolution = 0;
    if (work->plan->full)
        return pack_floats(work, value, count, 0, number);
    STICK_TRY(stick_blobs_quantise(work->blocks, STICK_BLOB_INT16, value, count, width, number));
    bool steps = false; // one value alone is exact
    for (size_t i = 1; i < count && !steps; i++)
        steps = value[i] != value[0];
    *resolution = steps ? 0.5 * work->blocks->block[*number].scale : 0;
    return STICK_OK;
}

// ---- bodies

static StickStatus pack_centres(const Work *work, StickRigidPart *part)
{
    int dim = work->reel->scene.dim, count = work->reel->model->nrigid;
    const StickRigidFrame *frame = frame_of(work, 0);
    double *centre;
    STICK_ALLOC(work->ctx, centre, (size_t)(count * dim));
    for (int b = 0; b < count; b++)
        for (int k = 0; k < dim; k++)
            centre[b * dim + k] =
                frame->centre[3 * b + k] - frame->value[STICK_RIGID_DISPLACEMENT][3 * b + k];
    StickStatus status =
        stick_blobs_add(work->blocks, STICK_BLOB_FLOAT64, centre, (size_t)(count * dim), &part->centres);
    stick_free(work->ctx, centre);
    return status;
}

// Of a rotation in the plane only the last component is there.
static int components_of(int what, int dim)
{
    bool turns = what == STICK_RIGID_ROTATION || what == STICK_RIGID_ANGULAR_VELOCITY;
    return turns && dim == 2 ? 1 : dim;
}

static StickStatus pack_motion(const Work *work, int what, StickRigidPart *part)
{
    int dim = work->reel->scene.dim, count = work->reel->model->nrigid;
    int components = components_of(what, dim), skip = components == 1 ? 2 : 0;
    size_t width = (size_t)(count * components), all = width * (size_t)work->plan->frames, at = 0;
    double *value;
    STICK_ALLOC(work->ctx, value, all);
    for (int f = 0; f < work->plan->frames; f++)
        for (int b = 0; b < count; b++)
            for (int k = 0; k < components; k++)
                value[at++] = frame_of(work, f)->value[what][3 * b + skip + k];
    StickStatus status = pack_even(work, value, all, width, &part->motion[what], &part->resolution[what]);
    stick_free(work->ctx, value);
    return status;
}

// ---- contacts

// Some components of each contact, of those that are stored.
static void gather(const Work *work, const double *(*of)(const StickRigidFrame *), int stored, int components,
                   double *out)
{
    for (int f = 0; f < work->plan->frames; f++) {
        const StickRigidFrame *frame = frame_of(work, f);
        for (int c = 0; c < frame->ncontacts; c++)
            for (int k = 0; k < components; k++)
                *out++ = of(frame)[c * stored + k];
    }
}

static const double *places(const StickRigidFrame *frame)
{
    return frame->place;
}

static const double *forces(const StickRigidFrame *frame)
{
    return frame->value[STICK_TOUCH_FORCE];
}

static const double *tangential(const StickRigidFrame *frame)
{
    return frame->value[STICK_TOUCH_TANGENTIAL];
}

static StickStatus pack_reals(const Work *work, double *room, StickRigidPart *part)
{
    int dim = work->reel->scene.dim, bits = work->plan->full ? 0 : work->plan->coarse ? 8 : 13;
    double resolution;
    gather(work, places, 3, dim, room);
    STICK_TRY(pack_even(work, room, work->contacts * (size_t)dim, 0, &part->places, &resolution));
    gather(work, forces, 3, dim, room);
    STICK_TRY(pack_floats(work, room, work->contacts * (size_t)dim, bits, &part->forces));
    gather(work, tangential, 1, 1, room);
    return pack_floats(work, room, work->contacts, bits, &part->tangential);
}

// Obstacles come behind the bodies.
static StickStatus pack_names(const Work *work, StickRigidValue what, int *number)
{
    unsigned *name;
    size_t at = 0;
    int nbodies = work->reel->model->nbodies;
    STICK_ALLOC(work->ctx, name, work->contacts);
    for (int f = 0; f < work->plan->frames; f++) {
        const StickRigidFrame *frame = frame_of(work, f);
        for (int c = 0; c < frame->ncontacts; c++) {
            int body = (int)frame->value[what][c];
            name[at++] = (unsigned)(body >= 0 ? body : nbodies - 1 - body);
        }
    }
    StickStatus status = stick_blobs_add(work->blocks, STICK_BLOB_UINT32, name, at, number);
    stick_free(work->ctx, name);
    return status;
}

static StickStatus pack_status(const Work *work, StickRigidPart *part)
{
    uint8_t *status;
    size_t at = 0;
    STICK_ALLOC(work->ctx, status, work->contacts);
    for (int f = 0; f < work->plan->frames; f++)
        for (int c = 0; c < frame_of(work, f)->ncontacts; c++)
            status[at++] = (uint8_t)frame_of(work, f)->value[STICK_TOUCH_STATUS][c];
    StickStatus packed = stick_blobs_add(work->blocks, STICK_BLOB_UINT8, status, at, &part->status);
    stick_free(work->ctx, status);
    return packed;
}

static StickStatus pack_counts(const Work *work, StickRigidPart *part)
{
    unsigned *count;
    STICK_ALLOC(work->ctx, count, work->plan->frames);
    for (int f = 0; f < work->plan->frames; f++)
        count[f] = (unsigned)frame_of(work, f)->ncontacts;
    StickStatus status =
        stick_blobs_add(work->blocks, STICK_BLOB_UINT32, count, (size_t)work->plan->frames, &part->counts);
    stick_free(work->ctx, count);
    return status;
}

static StickStatus pack_contacts(const Work *work, StickRigidPart *part)
{
    double *room;
    STICK_ALLOC(work->ctx, room, work->contacts * (size_t)work->reel->scene.dim);
    StickStatus status = pack_reals(work, room, part);
    stick_free(work->ctx, room);
    STICK_TRY(status);
    STICK_TRY(pack_counts(work, part));
    STICK_TRY(pack_status(work, part));
    STICK_TRY(pack_names(work, STICK_TOUCH_FIRST, &part->first));
    return pack_names(work, STICK_TOUCH_SECOND, &part->second);
}

StickStatus stick_rigid_part_pack(const StickAnimationFrames *reel, const StickRigidPlan *plan,
                                  StickBlobs *blocks, StickRigidPart *part)
{
    Work work = {.ctx = reel->ctx, .reel = reel, .plan = plan, .blocks = blocks};
    for (int f = 0; f < plan->frames; f++)
        work.contacts += (size_t)frame_of(&work, f)->ncontacts;
    STICK_TRY(pack_centres(&work, part));
    for (int k = 0; k < STICK_RIGID_FIELDS; k++)
        STICK_TRY(pack_motion(&work, k, part));
    return pack_contacts(&work, part);
}

// ---- JSON

static void block_json(StickJson *json, const StickBlobs *blocks, const char *key, int block)
{
    stick_json_key(json, key);
    stick_blobs_json(json, blocks, block);
}

static void rigid_json(const StickAnimationFrames *reel, const StickBlobs *blocks, const StickRigidPart *part,
                       StickJson *json)
{
    static const struct {
        const char *key, *resolution;
    } names[STICK_RIGID_FIELDS] = {
        [STICK_RIGID_DISPLACEMENT] = {"displacement", "displacementResolution"},
        [STICK_RIGID_ROTATION] = {"rotation", "rotationResolution"},
        [STICK_RIGID_VELOCITY] = {"velocity", "velocityResolution"},
        [STICK_RIGID_ANGULAR_VELOCITY] = {"angularVelocity", "angularVelocityResolution"},
    };
    char unit[STICK_UNIT_TEXT];
    stick_unit(&reel->model->units, STICK_RATE, unit);
    stick_json_object(json);
    block_json(json, blocks, "centres", part->centres);
    for (int k = 0; k < STICK_RIGID_FIELDS; k++) {
        block_json(json, blocks, names[k].key, part->motion[k]);
        stick_json_add_number(json, names[k].resolution, part->resolution[k]);
    }
    stick_json_key(json, "rateUnit");
    stick_json_text(json, unit);
    stick_json_end_object(json);
}

static void contacts_json(const StickAnimationFrames *reel, const StickBlobs *blocks,
                          const StickRigidPart *part, StickJson *json)
{
    char unit[STICK_UNIT_TEXT];
    stick_unit(&reel->model->units, STICK_FORCE, unit);
    stick_json_object(json);
    stick_json_key(json, "unit");
    stick_json_text(json, unit);
    block_json(json, blocks, "counts", part->counts);
    block_json(json, blocks, "places", part->places);
    block_json(json, blocks, "forces", part->forces);
    block_json(json, blocks, "tangential", part->tangential);
    block_json(json, blocks, "status", part->status);
    block_json(json, blocks, "first", part->first);
    block_json(json, blocks, "second", part->second);
    stick_json_end_object(json);
}

void stick_rigid_part_json(const StickAnimationFrames *reel, const StickBlobs *blocks,
                           const StickRigidPart *part, StickJson *json)
{
    bool there = reel->model->nrigid > 0;
    stick_json_key(json, "rigid");
    there ? rigid_json(reel, blocks, part, json) : stick_json_text(json, NULL);
    stick_json_key(json, "contacts");
    there ? contacts_json(reel, blocks, part, json) : stick_json_text(json, NULL);
}

// ---- joints

static void numbers_json(StickJson *json, const char *key, const double *number, int count)
{
    stick_json_key(json, key);
    stick_json_list(json);
    for (int k = 0; k < count; k++)
        stick_json_number(json, number[k]);
    stick_json_end_list(json);
}

static void joint_json(const StickModel *model, const StickJointSpec *joint, int dim, StickJson *json)
{
    static const char *const kinds[] = {
        [STICK_JOINT_PIN] = "pin",     [STICK_JOINT_SLIDER] = "slider",     [STICK_JOINT_FIXED] = "fixed",
        [STICK_JOINT_BALL] = "ball",   [STICK_JOINT_DISTANCE] = "distance", [STICK_JOINT_GEAR] = "gear",
        [STICK_JOINT_MOTOR] = "motor", [STICK_JOINT_SPRING] = "spring",
    };
    bool two_points = joint->kind == STICK_JOINT_DISTANCE || joint->kind == STICK_JOINT_SPRING;
    bool placed = two_points || joint->kind == STICK_JOINT_PIN || joint->kind == STICK_JOINT_BALL ||
                  (joint->kind == STICK_JOINT_SLIDER && joint->has_point);
    int obstacle = joint->other_obstacle >= 0 ? model->nbodies + joint->other_obstacle : -1;
    stick_json_object(json);
    stick_json_key(json, "name");
    stick_json_text(json, joint->name);
    stick_json_key(json, "kind");
    stick_json_text(json, kinds[joint->kind]);
    stick_json_add_integer(json, "first", joint->body);
    stick_json_add_integer(json, "second", joint->other_body >= 0 ? joint->other_body : obstacle);
    numbers_json(json, "point", joint->point, placed ? dim : 0);
    numbers_json(json, "other", joint->other_point, two_points ? dim : 0);
    numbers_json(json, "axis", joint->axis, joint->has_axis ? dim : 0);
    stick_json_end_object(json);
}

void stick_rigid_part_joints(const StickModel *model, int dim, StickJson *json)
{
    stick_json_key(json, "joints");
    stick_json_list(json);
    for (int k = 0; k < model->njoints; k++)
        joint_json(model, &model->joint[k], dim, json);
    stick_json_end_list(json);
}

// SPDX-License-Identifier: Apache-2.0
#include "condense/joint_rows.h"

#include "base/memory.h"
#include "base/quaternion.h"
#include "contact/translation.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 6 }; // of a joint

// Quantity measured by a row.
typedef enum Measure {
    COMMON, // direction k of space between both points
    GUIDE,  // direction k of the frame of b between both points
    TURN,   // direction k of space, of the turn of a against b
    ALIGN,  // direction k of the frame of b, between the axes of both
    TWIST,  // turn about the axis
    GEAR,
    STRETCH,
} Measure;

typedef struct Joint {
    const StickJointSpec *spec;
    int body[2];
    int nrows, first;
    Measure measure[MOST_ROWS];
    int direction[MOST_ROWS];
    double point[2][3];            // in the axes of the body from its mass centre; without one in space
    double frame[2][3][3];         // axis and two directions across it, in the same
    StickTranslation *translation; // of the obstacle
    double length;
    double extent; // size of the connected places ...
    double size;   // ... and of the bodies
} Joint;

struct StickJointRows {
    StickContext *ctx;
    const StickSystem *system;
    int count, nrows;
    Joint *joint;
    StickTranslation *translation; // count
    StickRow *row;
};

// Both ends of a joint as they are now.
typedef struct Ends {
    double centre[2][3], point[2][3], frame[2][3][3];
    double turn[2][4]; // since the start
    double angle[2];   // the same in the plane
    double apart[3];   // from the point of b to that of a
} Ends;

// ---- making

static void add_row(Joint *joint, Measure measure, int direction)
{
    joint->measure[joint->nrows] = measure;
    joint->direction[joint->nrows++] = direction;
}

static void list_rows(Joint *joint, int dim)
{
    StickJointKind kind = joint->spec->kind;
    bool is_common = kind == STICK_JOINT_PIN || kind == STICK_JOINT_BALL || kind == STICK_JOINT_FIXED;
    for (int k = 0; k < dim && is_common; k++)
        add_row(joint, COMMON, k);
    for (int k = 1; k < dim && kind == STICK_JOINT_SLIDER; k++)
        add_row(joint, GUIDE, k);
    for (int k = dim == 2 ? 2 : 0; k < 3 && (kind == STICK_JOINT_FIXED || kind == STICK_JOINT_SLIDER); k++)
        add_row(joint, TURN, k);
    for (int k = 1; k < 3 && dim == 3 && kind == STICK_JOINT_PIN; k++)
        add_row(joint, ALIGN, k);
    if (kind == STICK_JOINT_GEAR)
        add_row(joint, GEAR, 0);
    if (kind == STICK_JOINT_MOTOR)
        add_row(joint, joint->spec->slides ? GUIDE : TWIST, 0);
    bool acts = joint->spec->stiffness > 0 || joint->spec->damping > 0;
    if (kind == STICK_JOINT_DISTANCE || (kind == STICK_JOINT_SPRING && acts))
        add_row(joint, STRETCH, 0);
}

// The axis and two directions across it; in the plane the second is normal to the plane.
static void frame_of(const StickJointSpec *spec, int dim, double frame[3][3])
{
    const double normal[3] = {0, 0, 1}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    memcpy(frame[0], spec->has_axis ? spec->axis : dim == 3 ? normal : x, sizeof frame[0]);
    if (dim == 3)
        stick_vec_cross(fabs(frame[0][0]) < 0.6 ? x : y, frame[0], frame[1]);
    else
        stick_vec_cross(normal, frame[0], frame[1]);
    stick_vec_normalise(frame[1]);
    stick_vec_cross(frame[0], frame[1], frame[2]);
}

static void into_body(const StickPose *pose, const double place[3], double x[3])
{
    double arm[3];
    stick_vec_sub(place, pose->centre, arm);
    for (int k = 0; k < 3; k++)
        x[k] = stick_vec_dot(pose->axis[k], arm);
}

// Places and directions of the start in the axes of each end.
static void attach(const StickJointRows *joints, Joint *joint)
{
    const double rest[STICK_RIGID_DOFS] = {0};
    const StickJointSpec *spec = joint->spec;
    const StickRigid *a = joints->system->body[joint->body[0]].rigid;
    bool has_point = spec->kind == STICK_JOINT_PIN || spec->kind == STICK_JOINT_BALL || spec->has_point;
    bool has_ends = spec->kind == STICK_JOINT_DISTANCE || spec->kind == STICK_JOINT_SPRING;
    double frame[3][3];
    frame_of(spec, joints->system->dim, frame);
    for (int end = 0; end < 2; end++) {
        const double *place = has_ends && end == 1    ? spec->other_point
                              : has_ends || has_point ? spec->point
                                                      : a->centre;
        StickPose pose = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        if (joint->body[end] >= 0)
            pose = stick_rigid_pose(joints->system->body[joint->body[end]].rigid, rest);
        into_body(&pose, place, joint->point[end]);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                joint->frame[end][k][i] = stick_vec_dot(pose.axis[i], frame[k]);
    }
}

static StickStatus measure_length(const StickJointRows *joints, Joint *joint)
{
    const StickJointSpec *spec = joint->spec;
    double apart[3];
    stick_vec_sub(spec->point, spec->other_point, apart);
    double start = stick_vec_norm(apart);
    joint->length = spec->length > 0 ? spec->length : start;
    if (spec->kind != STICK_JOINT_DISTANCE || fabs(joint->length - start) <= 1e-9 * start)
        return STICK_OK;
    return stick_fail_at(joints->ctx, STICK_BAD_INPUT, spec->mark,
                         "joint '%s': it keeps the distance %g, but at the start its points are %g apart",
                         spec->name, joint->length, start);
}

// Radii of inertia and arms, and how far from the origin they are.
static void measure_bodies(const StickJointRows *joints, Joint *joint)
{
    for (int end = 0; end < 2; end++) {
        double arm = stick_vec_norm(joint->point[end]);
        joint->extent = fmax(joint->extent, arm);
        if (joint->body[end] < 0)
            continue;
        const StickRigid *rigid = joints->system->body[joint->body[end]].rigid;
        double J = fmax(fmax(rigid->J0[0], rigid->J0[4]), rigid->J0[8]);
        joint->size = fmax(joint->size, fmax(arm, sqrt(J / rigid->mass)));
        joint->extent = fmax(joint->extent, fmax(joint->size, stick_vec_norm(rigid->centre)));
    }
}

static StickStatus make_joint(StickJointRows *joints, int k, double panel)
{
    const StickModel *model = joints->system->model;
    Joint *joint = &joints->joint[k];
    joint->spec = &model->joint[k];
    joint->body[0] = joint->spec->body;
    joint->body[1] = joint->spec->other_body;
    if (joint->spec->other_obstacle >= 0) {
        joint->translation = &joints->translation[k];
        stick_translation_init(joints->ctx, joint->translation, &model->obstacle[joint->spec->other_obstacle],
                               joints->system->dim, panel);
    }
    list_rows(joint, joints->system->dim);
    attach(joints, joint);
    measure_bodies(joints, joint);
    return measure_length(joints, joint);
}

static StickStatus fill(StickJointRows *joints, double panel)
{
    const StickModel *model = joints->system->model;
    STICK_ALLOC(joints->ctx, joints->joint, model->njoints);
    STICK_ALLOC(joints->ctx, joints->translation, model->njoints);
    for (int k = 0; k < model->njoints; k++) {
        STICK_TRY(make_joint(joints, k, panel));
        joints->count = k + 1;
        joints->nrows += joints->joint[k].nrows;
    }
    STICK_ALLOC(joints->ctx, joints->row, joints->nrows);
    stick_joint_rows_order(joints, NULL);
    return STICK_OK;
}

StickStatus stick_joint_rows_create(StickContext *ctx, const StickSystem *system, double panel,
                                    StickJointRows **joints)
{
    StickJointRows *made;
    STICK_ALLOC(ctx, made, 1);
    made->ctx = ctx;
    made->system = system;
    StickStatus status = fill(made, panel);
    if (status != STICK_OK)
        stick_joint_rows_destroy(made);
    else
        *joints = made;
    return status;
}

void stick_joint_rows_destroy(StickJointRows *joints)
{
    if (!joints)
        return;
    StickContext *ctx = joints->ctx;
    stick_free(ctx, joints->joint);
    stick_free(ctx, joints->translation);
    stick_free(ctx, joints->row);
    stick_free(ctx, joints);
}

int stick_joint_rows_count(const StickJointRows *joints)
{
    return joints->nrows;
}

static StickRowKind kind_of(const StickJointRows *joints, const Joint *joint)
{
    const StickJointSpec *spec = joint->spec;
    if (spec->kind == STICK_JOINT_SPRING)
        return STICK_ROW_SPRING;
    if (spec->kind == STICK_JOINT_GEAR && joints->system->dim == 3)
        return STICK_ROW_MEAN;
    return spec->motion_speed ? STICK_ROW_SPEED : STICK_ROW_PLACE;
}

void stick_joint_rows_order(StickJointRows *joints, const int *order)
{
    int nrows = 0;
    for (int k = 0; k < joints->count; k++) {
        int which = order ? order[k] : k;
        Joint *joint = &joints->joint[which];
        joint->first = nrows;
        for (int i = 0; i < joint->nrows; i++) {
            joints->row[nrows++] = (StickRow){.kind = kind_of(joints, joint),
                                              .joint = which,
                                              .body = {joint->body[0], joint->body[1]},
                                              .is_timed = joint->translation || joint->spec->motion};
        }
    }
}

static void keep_larger(double *x, double *y)
{
    *x = *y = fmax(*x, *y);
}

StickStatus stick_joint_rows_share(StickJointRows *joints, const int *group)
{
    int *first; // joints by the first body of their group, plus 1
    STICK_ALLOC(joints->ctx, first, joints->system->nbodies);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < joints->count; k++) {
            Joint *joint = &joints->joint[k];
            int *known = &first[group[joint->body[0]]];
            *known = *known > 0 ? *known : k + 1;
            keep_larger(&joint->extent, &joints->joint[*known - 1].extent);
            keep_larger(&joint->size, &joints->joint[*known - 1].size);
        }
    stick_free(joints->ctx, first);
    return STICK_OK;
}

const StickJointSpec *stick_joint_rows_spec(const StickJointRows *joints, int row)
{
    return joints->joint[joints->row[row].joint].spec;
}

// ---- where the ends are

static void place_body(const StickRigid *rigid, const double *q, const Joint *joint, int end, Ends *ends)
{
    StickPose pose = stick_rigid_pose(rigid, q);
    memcpy(ends->centre[end], pose.centre, sizeof pose.centre);
    stick_pose_place(&pose, joint->point[end], ends->point[end]);
    memset(pose.centre, 0, sizeof pose.centre);
    for (int k = 0; k < 3; k++)
        stick_pose_place(&pose, joint->frame[end][k], ends->frame[end][k]);
    if (rigid->dim == 2)
        ends->angle[end] = q[2];
    else
        stick_quaternion_exp(q + 3, ends->turn[end]);
}

static StickStatus place_ends(const StickJointRows *joints, const Joint *joint, const double *q, double t,
                              Ends *ends)
{
    *ends = (Ends){.turn = {{1}, {1}}};
    for (int end = 0; end < 2; end++) {
        int b = joint->body[end];
        if (b >= 0) {
            place_body(joints->system->body[b].rigid, q + joints->system->body[b].first, joint, end, ends);
            continue;
        }
        double shift[3] = {0}, velocity[3];
        if (joint->translation)
            STICK_TRY(stick_translation_at(joint->translation, t, 0, shift, velocity));
        stick_vec_axpy(joint->point[end], 1, shift, ends->point[end]);
        memcpy(ends->frame[end], joint->frame[end], sizeof ends->frame[end]);
    }
    stick_vec_sub(ends->point[0], ends->point[1], ends->apart);
    return STICK_OK;
}

StickStatus stick_joint_rows_place(const StickJointRows *joints, int joint, const double *q, double t,
                                   double place[3])
{
    const Joint *it = &joints->joint[joint];
    Ends ends;
    STICK_TRY(place_ends(joints, it, q, t, &ends));
    bool is_common = it->nrows > 0 && it->measure[0] == COMMON;
    stick_vec_axpy(ends.point[0], is_common ? -0.5 : 0, ends.apart, place);
    return STICK_OK;
}

// ---- rows

// The row of a force along n at a place, on both ends.
static void push_at(int dim, const Ends *ends, const double n[3], const double place[3], StickRow *row)
{
    for (int end = 0; end < 2; end++) {
        double arm[3], moment[3], sign = end == 0 ? 1 : -1;
        stick_vec_sub(place, ends->centre[end], arm);
        stick_vec_cross(arm, n, moment);
        for (int k = 0; k < dim; k++)
            row->G[end][k] = sign * n[k];
        for (int k = dim == 2 ? 2 : 0; k < 3; k++)
            row->G[end][dim == 2 ? 2 : 3 + k] = sign * moment[k];
    }
}

static void turn_about(int dim, const double n[3], double first, StickRow *row)
{
    for (int end = 0; end < 2; end++) {
        double sign = end == 0 ? first : -1;
        memset(row->G[end], 0, sizeof row->G[end]);
        for (int k = dim == 2 ? 2 : 0; k < 3; k++)
            row->G[end][dim == 2 ? 2 : 3 + k] = sign * n[k];
    }
}

static void unit_along(const double apart[3], double n[3])
{
    memcpy(n, apart, 3 * sizeof *n);
    if (!(stick_vec_normalise(n) > 0))
        n[0] = 1, n[1] = n[2] = 0;
}

static void make_row(int dim, const Joint *joint, const Ends *ends, int i, StickRow *row)
{
    double n[3] = {0}, middle[3];
    const double normal[3] = {0, 0, 1};
    int direction = joint->direction[i];
    n[direction] = 1;
    stick_vec_axpy(ends->point[1], 0.5, ends->apart, middle);
    switch (joint->measure[i]) {
    case COMMON:
        push_at(dim, ends, n, middle, row);
        break;
    case GUIDE:
        push_at(dim, ends, ends->frame[1][direction], ends->point[0], row);
        break;
    case STRETCH:
        unit_along(ends->apart, n);
        push_at(dim, ends, n, ends->point[0], row);
        break;
    case TURN:
        turn_about(dim, n, 1, row);
        break;
    case ALIGN:
    case TWIST:
        turn_about(dim, dim == 2 ? normal : ends->frame[1][direction], 1, row);
        break;
    case GEAR:
        turn_about(dim, dim == 2 ? normal : joint->spec->axis, joint->spec->ratio, row);
    }
}

StickStatus stick_joint_rows_rows(StickJointRows *joints, const double *q, double t, const StickRow **row)
{
    for (int k = 0; k < joints->count; k++) {
        const Joint *joint = &joints->joint[k];
        Ends ends;
        STICK_TRY(place_ends(joints, joint, q, t, &ends));
        for (int i = 0; i < joint->nrows; i++)
            make_row(joints->system->dim, joint, &ends, i, &joints->row[joint->first + i]);
    }
    *row = joints->row;
    return STICK_OK;
}

// ---- gaps

// Rotation vector of a against b, since the start.
static void turn_between(const Ends *ends, double phi[3])
{
    double back[4], turn[4];
    stick_quaternion_inverse(ends->turn[1], back);
    stick_quaternion_product(ends->turn[0], back, turn);
    stick_quaternion_log(turn, phi);
}

// Angle of a against b about the axis of b, minus the prescribed angle: in space modulo full turns.
static double twist(int dim, const Ends *ends, double prescribed)
{
    if (dim == 2)
        return ends->angle[0] - ends->angle[1] - prescribed;
    double across = stick_vec_dot(ends->frame[0][1], ends->frame[1][2]);
    double angle = atan2(across, stick_vec_dot(ends->frame[0][1], ends->frame[1][1]));
    return remainder(angle - prescribed, 2 * acos(-1));
}

static double gap_of(int dim, const Joint *joint, const Ends *ends, int i, double prescribed)
{
    int direction = joint->direction[i];
    double phi[3], across[3];
    switch (joint->measure[i]) {
    case COMMON:
        return ends->apart[direction];
    case GUIDE:
        return stick_vec_dot(ends->frame[1][direction], ends->apart) - prescribed;
    case STRETCH:
        return stick_vec_norm(ends->apart) - joint->length;
    case TURN:
        if (dim == 2)
            return ends->angle[0] - ends->angle[1];
        turn_between(ends, phi);
        return phi[direction];
    case ALIGN:
        stick_vec_cross(ends->frame[1][0], ends->frame[0][0], across);
        return stick_vec_dot(ends->frame[1][direction], across);
    case TWIST:
        return twist(dim, ends, prescribed);
    case GEAR:
        return dim == 2 ? joint->spec->ratio * ends->angle[0] - ends->angle[1] : 0;
    }
    return 0;
}

StickStatus stick_joint_rows_gaps(StickJointRows *joints, const double *q, double t, double *gap)
{
    for (int k = 0; k < joints->count; k++) {
        const Joint *joint = &joints->joint[k];
        StickVariables seen = {.t = t};
        double prescribed = 0;
        Ends ends;
        STICK_TRY(place_ends(joints, joint, q, t, &ends));
        if (joint->spec->motion)
            STICK_TRY(stick_expression_value(joint->spec->motion, &seen, &prescribed));
        for (int i = 0; i < joint->nrows; i++)
            gap[joint->first + i] =
                joint->spec->motion_speed ? 0 : gap_of(joints->system->dim, joint, &ends, i, prescribed);
    }
    return STICK_OK;
}

bool stick_joint_rows_is_angle(const StickJointRows *joints, int row)
{
    const Joint *joint = &joints->joint[joints->row[row].joint];
    Measure measure = joint->measure[row - joint->first];
    return measure == TURN || measure == ALIGN || measure == TWIST || measure == GEAR;
}

double stick_joint_rows_size(const StickJointRows *joints, int row)
{
    return joints->joint[joints->row[row].joint].size;
}

double stick_joint_rows_scale(const StickJointRows *joints, const double *q, int row)
{
    const Joint *joint = &joints->joint[joints->row[row].joint];
    bool is_angle = stick_joint_rows_is_angle(joints, row);
    double moved = 0;
    for (int end = 0; end < 2; end++) {
        const double *own = joint->body[end] >= 0 ? q + joints->system->body[joint->body[end]].first : NULL;
        for (int k = 0; own && k < 3; k++)
            moved = fmax(moved, (k == 2 && joints->system->dim == 2) == is_angle ? fabs(own[k]) : 0);
    }
    if (joint->measure[row - joint->first] == GEAR)
        moved *= 1 + fabs(joint->spec->ratio);
    return is_angle ? 1 + moved : joint->extent + moved;
}

StickStatus stick_joint_rows_speed(const StickJointRows *joints, int row, double t, double *speed)
{
    StickVariables seen = {.t = t};
    return stick_expression_value(joints->joint[joints->row[row].joint].spec->motion_speed, &seen, speed);
}

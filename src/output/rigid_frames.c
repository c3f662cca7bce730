// SPDX-License-Identifier: Apache-2.0
#include "output/rigid_frames.h"

#include "base/arena.h"
#include "output/vtu.h"

#include <math.h>
#include <string.h>

enum { VERTEX = 1 }; // VTK's number of a cell of one point

// ---- points

typedef struct Points {
    StickContext *ctx;
    StickArena arena;
    const StickSimulation *run;
    int count;
    double *x; // count x 3
    const StickVtuField *field;
    const void **data; // of each field
    int nfields;
} Points;

static StickStatus take_points(Points *points)
{
    STICK_TAKE(&points->arena, points->x, 3 * (size_t)points->count);
    STICK_TAKE(&points->arena, points->data, points->nfields);
    for (int f = 0; f < points->nfields; f++) {
        const StickVtuField *field = &points->field[f];
        size_t numbers = (size_t)points->count * (size_t)field->components;
        double *reals;
        int *integers;
        if (field->kind == STICK_VTU_INTEGER) {
            STICK_TAKE(&points->arena, integers, numbers);
            points->data[f] = integers;
        } else {
            STICK_TAKE(&points->arena, reals, numbers);
            points->data[f] = reals;
        }
    }
    return STICK_OK;
}

// Room for the values of point i.
static double *reals(const Points *points, int field, int i)
{
    return (double *)points->data[field] + (size_t)i * (size_t)points->field[field].components;
}

static int *integer(const Points *points, int field, int i)
{
    return (int *)points->data[field] + i;
}

static StickStatus write(Points *points, const char *path)
{
    int *start, *node;
    unsigned char *type;
    STICK_TAKE(&points->arena, start, (size_t)points->count + 1);
    STICK_TAKE(&points->arena, node, points->count);
    STICK_TAKE(&points->arena, type, points->count);
    for (int i = 0; i < points->count; i++) {
        start[i + 1] = i + 1;
        node[i] = i;
        type[i] = VERTEX;
    }
    StickVtuPiece piece = {.dim = 3,
                           .npoints = points->count,
                           .x = points->x,
                           .ncells = points->count,
                           .start = start,
                           .node = node,
                           .type = type,
                           .point_data = points->data};
    StickVtu grid = {.time = points->run->state.now.t,
                     .npieces = 1,
                     .piece = &piece,
                     .npoint_fields = points->nfields,
                     .point_field = points->field};
    return stick_vtu_write(points->ctx, path, &grid);
}

static StickStatus fill_and_write(Points *points, void (*fill)(const Points *), const char *path)
{
    stick_arena_init(&points->arena, points->ctx);
    StickStatus status = take_points(points);
    if (status == STICK_OK) {
        fill(points);
        status = write(points, path);
    }
    stick_arena_destroy(&points->arena);
    return status;
}

// ---- bodies

enum { DISPLACEMENT, ROTATION, VELOCITY, ANGULAR_VELOCITY, TOTAL_FORCE, BODY, BODY_FIELDS };

static const StickVtuField body_fields[BODY_FIELDS] = {
    [DISPLACEMENT] = {"displacement", STICK_VTU_REAL, 3, 3, NULL},
    [ROTATION] = {"rotation", STICK_VTU_REAL, 3, 3, NULL},
    [VELOCITY] = {"velocity", STICK_VTU_REAL, 3, 3, NULL},
    [ANGULAR_VELOCITY] = {"angular_velocity", STICK_VTU_REAL, 3, 3, NULL},
    [TOTAL_FORCE] = {"contact_force", STICK_VTU_REAL, 3, 3, NULL},
    [BODY] = {"body", STICK_VTU_INTEGER, 1, 1, NULL},
};

static void fill_body(const Points *points, int b, int i)
{
    const StickSimulation *run = points->run;
    const StickBody *body = &run->system->body[b];
    int dim = run->system->dim, at = body->first;
    const double *q = run->state.now.q + at, *v = run->state.now.v + at;
    double force = stick_simulation_force(run);
    for (int k = 0; k < dim; k++) {
        points->x[3 * i + k] = body->rigid->centre[k] + q[k];
        reals(points, DISPLACEMENT, i)[k] = q[k];
        reals(points, VELOCITY, i)[k] = v[k];
        reals(points, TOTAL_FORCE, i)[k] = force * (run->p_N[at + k] + run->p_T[at + k]);
    }
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) {
        reals(points, ROTATION, i)[k] = q[dim == 2 ? 2 : 3 + k];
        reals(points, ANGULAR_VELOCITY, i)[k] = v[dim == 2 ? 2 : 3 + k];
    }
    *integer(points, BODY, i) = b;
}

static void fill_bodies(const Points *points)
{
    const StickSystem *system = points->run->system;
    for (int b = 0, i = 0; b < system->nbodies; b++)
        if (system->body[b].rigid)
            fill_body(points, b, i++);
}

StickStatus stick_rigid_frame_bodies(StickContext *ctx, const StickSimulation *run, const char *path)
{
    Points points = {
        .ctx = ctx, .run = run, .count = run->system->nrigid, .field = body_fields, .nfields = BODY_FIELDS};
    return fill_and_write(&points, fill_bodies, path);
}

// ---- contacts

enum { FORCE, NORMAL_FORCE, TANGENTIAL_FORCE, NORMAL, SLIP, GAP, STATUS, FIRST, SECOND, CONTACT_FIELDS };

static const StickVtuField contact_fields[CONTACT_FIELDS] = {
    [FORCE] = {"force", STICK_VTU_REAL, 3, 3, NULL},
    [NORMAL_FORCE] = {"normal_force", STICK_VTU_REAL, 1, 1, NULL},
    [TANGENTIAL_FORCE] = {"tangential_force", STICK_VTU_REAL, 1, 1, NULL},
    [NORMAL] = {"normal", STICK_VTU_REAL, 3, 3, NULL},
    [SLIP] = {"velocity", STICK_VTU_REAL, 3, 3, NULL},
    [GAP] = {"gap", STICK_VTU_REAL, 1, 1, NULL},
    [STATUS] = {"status", STICK_VTU_INTEGER, 1, 1, NULL},
    [FIRST] = {"first", STICK_VTU_INTEGER, 1, 1, NULL},
    [SECOND] = {"second", STICK_VTU_INTEGER, 1, 1, NULL},
};

static void fill_contact(const Points *points, int c)
{
    const StickSimulation *run = points->run;
    const StickContact *contact = &run->contacts.contact[c];
    int dim = run->system->dim;
    const double *r = &run->r[c * dim], *u = &run->u[c * dim];
    double force = stick_simulation_force(run);
    memcpy(points->x + 3 * (size_t)c, contact->place, (size_t)dim * sizeof *points->x);
    for (int k = 0; k < dim; k++)
        for (int j = 0; j < dim; j++) {
            reals(points, FORCE, c)[j] += force * r[k] * contact->frame[k][j];
            reals(points, SLIP, c)[j] += u[k] * contact->frame[k][j];
        }
    memcpy(reals(points, NORMAL, c), contact->frame[0], (size_t)dim * sizeof *r);
    *reals(points, NORMAL_FORCE, c) = force * r[0];
    *reals(points, TANGENTIAL_FORCE, c) = force * (dim == 3 ? hypot(r[1], r[2]) : dim == 2 ? fabs(r[1]) : 0);
    *reals(points, GAP, c) = contact->gap;
    *integer(points, STATUS, c) = (int)stick_simulation_status(run, c);
    *integer(points, FIRST, c) = contact->body[0];
    *integer(points, SECOND, c) = contact->body[1] >= 0 ? contact->body[1] : -1 - contact->obstacle;
}

static void fill_contacts(const Points *points)
{
    for (int c = 0; c < points->count; c++)
        fill_contact(points, c);
}

StickStatus stick_rigid_frame_contacts(StickContext *ctx, const StickSimulation *run, const char *path)
{
    Points points = {.ctx = ctx,
                     .run = run,
                     .count = run->contacts.ncontacts,
                     .field = contact_fields,
                     .nfields = CONTACT_FIELDS};
    return fill_and_write(&points, fill_contacts, path);
}

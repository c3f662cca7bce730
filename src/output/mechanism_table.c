// SPDX-License-Identifier: Apache-2.0
#include "output/mechanism_table.h"

#include "stepping/trajectory.h"

#include <math.h>
#include <stdio.h>

// How far a frame is from its ideal motion, and what holds it.
typedef struct FrameNumbers {
    double moved[STICK_FRAME_MOTIONS], held[STICK_FRAME_MOTIONS];
} FrameNumbers;

typedef struct ContactNumbers {
    double load, friction, pressure, strips;
} ContactNumbers;

static const StickNamedColumn of_time = {"t", STICK_TIME, 0};

static const StickNamedColumn of_frame[] = {
    {".x", STICK_LENGTH, offsetof(FrameNumbers, moved[STICK_FRAME_X])},
    {".y", STICK_LENGTH, offsetof(FrameNumbers, moved[STICK_FRAME_Y])},
    {".rotation [rad]", STICK_NO_UNIT, offsetof(FrameNumbers, moved[STICK_FRAME_ROTATION])},
    {".force.x", STICK_FORCE, offsetof(FrameNumbers, held[STICK_FRAME_X])},
    {".force.y", STICK_FORCE, offsetof(FrameNumbers, held[STICK_FRAME_Y])},
    {".moment", STICK_ENERGY, offsetof(FrameNumbers, held[STICK_FRAME_ROTATION])},
};

static const StickNamedColumn of_contact[] = {
    {".load", STICK_FORCE, offsetof(ContactNumbers, load)},
    {".friction", STICK_FORCE, offsetof(ContactNumbers, friction)},
    {".pressure", STICK_PRESSURE, offsetof(ContactNumbers, pressure)}, // the largest
    {".strips", STICK_NO_UNIT, offsetof(ContactNumbers, strips)},      // that press
};

enum {
    OF_FRAME = sizeof of_frame / sizeof *of_frame,
    OF_CONTACT = sizeof of_contact / sizeof *of_contact,
};

static StickStatus make(StickContext *ctx, StickMechanismTable *table)
{
    const StickModel *model = table->model;
    STICK_TRY(stick_named_row_add(ctx, &table->row, "", &of_time, 1));
    for (int k = 0; k < model->nframes; k++)
        STICK_TRY(stick_named_row_add(ctx, &table->row, model->body[model->frame[k].body].name, of_frame,
                                      OF_FRAME));
    for (int k = 0; k < model->nmatings; k++) {
        char owner[32];
        snprintf(owner, sizeof owner, "contact.%d", k + 1);
        STICK_TRY(stick_named_row_add(ctx, &table->row, owner, of_contact, OF_CONTACT));
    }
    return STICK_OK;
}

StickStatus stick_mechanism_table_create(StickContext *ctx, const StickModel *model,
                                         StickMechanismTable *table)
{
    *table = (StickMechanismTable){.model = model, .row.units = &model->units};
    StickStatus status = make(ctx, table);
    if (status != STICK_OK)
        stick_mechanism_table_destroy(ctx, table);
    return status;
}

void stick_mechanism_table_destroy(StickContext *ctx, StickMechanismTable *table)
{
    stick_named_row_destroy(ctx, &table->row);
    *table = (StickMechanismTable){0};
}

static FrameNumbers frame_numbers(const StickTrajectory *trajectory, int body)
{
    const StickFrame *frame = &trajectory->frames.frame[body];
    FrameNumbers numbers = {0};
    for (int k = 0; k < STICK_FRAME_MOTIONS; k++) {
        int motion = frame->motion[k];
        numbers.moved[k] = motion >= 0 ? trajectory->theta[motion] : 0;
        numbers.held[k] = trajectory->reaction[body][k];
    }
    return numbers;
}

static ContactNumbers contact_numbers(const StickTrajectory *trajectory, const StickSystem *system,
                                      int mating)
{
    ContactNumbers numbers = {0};
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickFacetPair *pair = &trajectory->set.pair[i];
        double p = trajectory->p[i], thickness = system->body[pair->side[0].body].continuum.thickness;
        if (pair->mating != mating || !(p > 0))
            continue;
        numbers.load += p;
        numbers.friction -= pair->mu * pair->sense * p;
        numbers.pressure = fmax(numbers.pressure, p / (pair->length * thickness));
        numbers.strips++;
    }
    return numbers;
}

void stick_mechanism_table_fill(StickMechanismTable *table, const StickSimulation *run)
{
    const StickModel *model = table->model;
    double *value = stick_named_row_take(&of_time, 1, &run->state.now.t, table->row.value);
    for (int k = 0; k < model->nframes; k++) {
        FrameNumbers numbers = frame_numbers(run->trajectory, model->frame[k].body);
        value = stick_named_row_take(of_frame, OF_FRAME, &numbers, value);
    }
    for (int k = 0; k < model->nmatings; k++) {
        ContactNumbers numbers = contact_numbers(run->trajectory, run->system, k);
        value = stick_named_row_take(of_contact, OF_CONTACT, &numbers, value);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "output/mechanism_table.h"

#include "base/memory.h"
#include "drive/trajectory.h"
#include "output/units.h"

#include <math.h>
#include <stdio.h>

// Of a frame: how far it is from its ideal motion, and what holds it; of a contact: its forces, pressure and strips.
enum { OF_FRAME = 2 * STICK_FRAME_MOTIONS, OF_CONTACT = 4 };

static StickStatus name_column(StickContext *ctx, StickMechanismTable *table, const char *owner,
                               const char *what, StickQuantity quantity)
{
    char name[STICK_LABEL_TEXT / 2], label[STICK_LABEL_TEXT];
    snprintf(name, sizeof name, "%.90s%s", owner, what);
    for (char *c = name; *c; c++) // a comma would start the next column
        *c = *c == ',' ? ';' : *c;
    stick_label(&table->model->units, name, quantity, label);
    char *copy = stick_copy_text(ctx, label);
    if (!copy)
        return STICK_NO_MEMORY;
    table->column[table->ncolumns++] = copy;
    return STICK_OK;
}

static StickStatus name_frame(StickContext *ctx, StickMechanismTable *table, const char *body)
{
    STICK_TRY(name_column(ctx, table, body, ".x", STICK_LENGTH));
    STICK_TRY(name_column(ctx, table, body, ".y", STICK_LENGTH));
    STICK_TRY(name_column(ctx, table, body, ".rotation [rad]", STICK_NO_UNIT));
    STICK_TRY(name_column(ctx, table, body, ".force.x", STICK_FORCE));
    STICK_TRY(name_column(ctx, table, body, ".force.y", STICK_FORCE));
    return name_column(ctx, table, body, ".moment", STICK_ENERGY);
}

static StickStatus name_contact(StickContext *ctx, StickMechanismTable *table, int k)
{
    char owner[32];
    snprintf(owner, sizeof owner, "contact.%d", k + 1);
    STICK_TRY(name_column(ctx, table, owner, ".load", STICK_FORCE));
    STICK_TRY(name_column(ctx, table, owner, ".friction", STICK_FORCE));
    STICK_TRY(name_column(ctx, table, owner, ".pressure", STICK_PRESSURE));
    return name_column(ctx, table, owner, ".strips", STICK_NO_UNIT);
}

static StickStatus make(StickContext *ctx, StickMechanismTable *table)
{
    const StickModel *model = table->model;
    int most = 1 + OF_FRAME * model->nframes + OF_CONTACT * model->nmatings;
    STICK_ALLOC(ctx, table->column, most);
    STICK_ALLOC(ctx, table->row, most);
    STICK_TRY(name_column(ctx, table, "t", "", STICK_TIME));
    for (int k = 0; k < model->nframes; k++)
        STICK_TRY(name_frame(ctx, table, model->body[model->frame[k].body].name));
    for (int k = 0; k < model->nmatings; k++)
        STICK_TRY(name_contact(ctx, table, k));
    return STICK_OK;
}

StickStatus stick_mechanism_table_create(StickContext *ctx, const StickModel *model,
                                         StickMechanismTable *table)
{
    *table = (StickMechanismTable){.model = model};
    StickStatus status = make(ctx, table);
    if (status != STICK_OK)
        stick_mechanism_table_destroy(ctx, table);
    return status;
}

void stick_mechanism_table_destroy(StickContext *ctx, StickMechanismTable *table)
{
    for (int k = 0; k < table->ncolumns; k++)
        stick_free(ctx, table->column[k]);
    stick_free(ctx, table->column);
    stick_free(ctx, table->row);
    *table = (StickMechanismTable){0};
}

static void fill_frame(const StickTrajectory *trajectory, int body, double *value)
{
    const StickFrame *frame = &trajectory->frames.frame[body];
    for (int k = 0; k < STICK_FRAME_MOTIONS; k++) {
        int motion = frame->motion[k];
        value[k] = motion >= 0 ? trajectory->theta[motion] : 0;
        value[STICK_FRAME_MOTIONS + k] = trajectory->reaction[body][k];
    }
}

static void fill_contact(const StickTrajectory *trajectory, const StickSystem *system, int mating,
                         double value[OF_CONTACT])
{
    for (int k = 0; k < OF_CONTACT; k++)
        value[k] = 0;
    for (int i = 0; i < trajectory->set.npairs; i++) {
        const StickStripPair *pair = &trajectory->set.pair[i];
        double p = trajectory->p[i], thickness = system->body[pair->side[0].body].continuum.thickness;
        if (pair->mating != mating || !(p > 0))
            continue;
        value[0] += p;
        value[1] -= pair->mu * pair->sense * p;
        value[2] = fmax(value[2], p / (pair->length * thickness));
        value[3]++;
    }
}

void stick_mechanism_table_fill(StickMechanismTable *table, const StickRun *run)
{
    const StickModel *model = table->model;
    double *value = table->row;
    *value++ = run->state.now.t;
    for (int k = 0; k < model->nframes; k++, value += OF_FRAME)
        fill_frame(run->trajectory, model->frame[k].body, value);
    for (int k = 0; k < model->nmatings; k++, value += OF_CONTACT)
        fill_contact(run->trajectory, run->system, k, value);
}

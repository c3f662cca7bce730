// SPDX-License-Identifier: Apache-2.0
#include "study/mechanism.h"

#include "base/file.h"
#include "study/results.h"

#include <stdio.h>

static const double FEW_STRIPS = 4; // of a contact that presses

// Strips that press, on the mean of the positions at which some do; 0: nowhere.
static StickStatus mean_strips(StickContext *ctx, const char *folder, int contact, StickMark mark,
                               double *mean)
{
    char name[64];
    StickSeries series;
    double sum = 0;
    int count = 0;
    snprintf(name, sizeof name, "mechanism.contact.%d.strips", contact + 1);
    STICK_TRY(stick_series_load(ctx, folder, name, mark, &series));
    for (size_t k = 0; k < series.count; k++)
        if (series.values[k] > 0)
            sum += series.values[k], count++;
    stick_series_destroy(ctx, &series);
    *mean = count > 0 ? sum / count : 0;
    return STICK_OK;
}

StickStatus stick_mechanism_tell(StickContext *ctx, const char *folder, const StickModel *model)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/cycle/mechanism.csv", folder);
    for (int k = 0; k < model->nmatings && stick_file_exists(path); k++) {
        double mean;
        STICK_TRY(mean_strips(ctx, folder, k, model->mating[k].mark, &mean));
        if (mean > 0 && mean < FEW_STRIPS)
            stick_note(
                ctx,
                "contact %d presses by %.2g strips on the mean: forces are right, but its pressures are "
                "means over wide strips; smaller sides of elements there, or 'strip: 1', make them "
                "narrower",
                k + 1, mean);
    }
    return STICK_OK;
}

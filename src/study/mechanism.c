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

// Strips of several sides have one of their middles where surfaces are nearest, those of one side at nodes.
static void tell_few(StickContext *ctx, int contact, int sides, double mean)
{
    const char *narrower = sides > 1 && mean >= 2 ? ", or 'strip: 1'," : "";
    stick_note(ctx,
               "contact %d presses by %.2g strip%s on the mean: %s, but its pressures are means over wide "
               "strips; smaller sides of elements there%s make them narrower",
               contact, mean, mean < 1.05 ? "" : "s",
               sides > 1 ? "its forces are right, and on true shapes ('flanks') its moments"
                         : "the sum of its forces is right, and where it acts to half a side of an element",
               narrower);
}

StickStatus stick_mechanism_tell(StickContext *ctx, const char *folder, const StickModel *model)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/cycle/mechanism.csv", folder);
    for (int k = 0; k < model->nmatings && stick_file_exists(path); k++) {
        double mean;
        STICK_TRY(mean_strips(ctx, folder, k, model->mating[k].mark, &mean));
        if (mean > 0 && mean < FEW_STRIPS)
            tell_few(ctx, k + 1, model->mating[k].strip, mean);
    }
    return STICK_OK;
}

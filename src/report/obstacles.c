// SPDX-License-Identifier: Apache-2.0
#include "report/obstacles.h"

#include "contact/translation.h"

#include <math.h>

// A step of time in which velocities are smooth: the shortest of the model, but no more than a million of
// them.
static double panel_of(const StickModel *model, double end)
{
    double panel = INFINITY;
    for (int k = 0; k < model->nsteps; k++)
        if (model->step[k].step > 0)
            panel = fmin(panel, model->step[k].step);
    return fmax(isfinite(panel) ? panel : 1e-3, 1e-6 * fabs(end));
}

static StickStatus follow(const StickModel *model, int obstacle, int dim, const double *time, int frames,
                          double *shift, bool *moves)
{
    StickTranslation translation;
    const StickObstacleSpec *spec = &model->obstacle[obstacle];
    stick_translation_init(model->ctx, &translation, spec, dim, panel_of(model, time[frames - 1]));
    for (int f = 0; f < frames; f++) {
        double place[3], velocity[3];
        STICK_TRY(stick_translation_at(&translation, time[f], 0, place, velocity));
        for (int k = 0; k < dim; k++) {
            shift[(size_t)f * (size_t)dim + (size_t)k] = place[k];
            *moves = *moves || place[k] != 0;
        }
    }
    return STICK_OK;
}

StickStatus stick_obstacles_motion(StickContext *ctx, const StickModel *model, int obstacle, int dim,
                                   const double *time, int frames, StickBlobs *blocks, int *number)
{
    double *shift;
    bool moves = false;
    size_t count = (size_t)frames * (size_t)dim;
    STICK_ALLOC(ctx, shift, count);
    *number = -1;
    StickStatus status = follow(model, obstacle, dim, time, frames, shift, &moves);
    if (status == STICK_OK && moves)
        status = stick_blobs_add(blocks, STICK_BLOB_FLOAT64, shift, count, number);
    stick_free(ctx, shift);
    return status;
}

static void numbers_json(StickJson *json, const char *key, const double *number, int count)
{
    stick_json_key(json, key);
    stick_json_list(json);
    for (int k = 0; k < count; k++)
        stick_json_number(json, number[k]);
    stick_json_end_list(json);
}

void stick_obstacles_json(StickJson *json, const StickObstacleSpec *obstacle, int dim,
                          const StickBlobs *blocks, int motion)
{
    static const char *const kinds[] = {
        [STICK_OBSTACLE_PLANE] = "plane",
        [STICK_OBSTACLE_POLYLINE] = "polyline",
        [STICK_OBSTACLE_CIRCLE] = "circle",
        [STICK_OBSTACLE_CYLINDER] = "cylinder",
    };
    stick_json_object(json);
    stick_json_key(json, "name");
    stick_json_text(json, obstacle->name);
    stick_json_key(json, "kind");
    stick_json_text(json, kinds[obstacle->kind]);
    numbers_json(json, "point", obstacle->point, dim);
    numbers_json(json, "normal", obstacle->normal, dim);
    stick_json_key(json, "radius");
    stick_json_number(json, obstacle->radius);
    stick_json_key(json, "inside");
    stick_json_bool(json, obstacle->inside);
    numbers_json(json, "points", obstacle->points, 2 * obstacle->npoints);
    if (motion >= 0) {
        stick_json_key(json, "motion");
        stick_blobs_json(json, blocks, motion);
    }
    stick_json_end_object(json);
}

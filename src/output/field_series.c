// SPDX-License-Identifier: Apache-2.0
#include "output/field_series.h"

#include "base/file.h"
#include "output/frames.h"
#include "output/manifest.h"
#include "output/rigid_frames.h"

#include <stdio.h>
#include <string.h>

static const char *const list_name[STICK_SERIES] = {"fields", "bodies", "contacts"};
static const char *const file_name[STICK_SERIES] = {"frame", "bodies", "contacts"};

void stick_field_series_init(StickFieldSeries *series, StickContext *ctx, const char *folder)
{
    *series = (StickFieldSeries){.ctx = ctx, .folder = folder};
    for (int k = 0; k < STICK_SERIES; k++)
        stick_pvd_init(&series->list[k], ctx);
    stick_text_init(&series->files, ctx);
}

void stick_field_series_destroy(StickFieldSeries *series)
{
    for (int k = 0; k < STICK_SERIES && series->ctx; k++)
        stick_pvd_destroy(&series->list[k]);
    if (series->ctx)
        stick_text_destroy(&series->files);
}

static int lists_of(const StickSimulation *run)
{
    return run->system->nrigid > 0 ? STICK_SERIES : 1;
}

static StickStatus list_path(const StickFieldSeries *series, int k, char path[STICK_PATH_TEXT])
{
    char name[64];
    snprintf(name, sizeof name, "%s.pvd", list_name[k]);
    return stick_path_in(series->ctx, series->folder, name, path);
}

static StickStatus write_frame(const StickFieldSeries *series, const StickSimulation *run,
                               const StickContactSet *gaps, int k, const char *path)
{
    if (k == STICK_SERIES_FIELDS)
        return stick_frame_write(series->ctx, run, gaps, path);
    return k == STICK_SERIES_BODIES ? stick_rigid_frame_bodies(series->ctx, run, path)
                                    : stick_rigid_frame_contacts(series->ctx, run, path);
}

// What the fields name is there with all that belongs to it.
StickStatus stick_field_series_add(StickFieldSeries *series, const StickSimulation *run,
                                   const StickContactSet *gaps)
{
    for (int k = lists_of(run) - 1; k >= 0; k--) {
        char name[64], path[STICK_PATH_TEXT];
        snprintf(name, sizeof name, "fields/%s-%06zu.vtu", file_name[k], series->list[k].count);
        STICK_TRY(stick_path_in(series->ctx, series->folder, name, path));
        STICK_TRY(write_frame(series, run, gaps, k, path));
        STICK_TRY(stick_manifest_add_whole(&series->files, series->folder, name));
        STICK_TRY(stick_pvd_add(&series->list[k], run->state.now.t, name));
        STICK_TRY(list_path(series, k, path));
        STICK_TRY(stick_pvd_write(&series->list[k], path));
    }
    return STICK_OK;
}

size_t stick_field_series_count(const StickFieldSeries *series)
{
    return series->list[STICK_SERIES_FIELDS].count;
}

bool stick_field_series_has(const StickFieldSeries *series, double t)
{
    const StickPvd *fields = &series->list[STICK_SERIES_FIELDS];
    return fields->count > 0 && fields->entry[fields->count - 1].time == t;
}

StickStatus stick_field_series_list(const StickFieldSeries *series, StickText *manifest)
{
    for (int k = 0; k < STICK_SERIES; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.pvd", list_name[k]);
        if (series->list[k].count > 0)
            STICK_TRY(stick_pvd_list(&series->list[k], name, manifest));
    }
    return STICK_OK;
}

StickStatus stick_field_series_check(StickContext *ctx, const char *folder)
{
    StickFieldSeries series;
    StickStatus status = STICK_OK;
    stick_field_series_init(&series, ctx, folder);
    for (int k = 0; k < STICK_SERIES && status == STICK_OK; k++) {
        char path[STICK_PATH_TEXT];
        status = list_path(&series, k, path);
        if (status != STICK_OK || !stick_file_exists(path))
            continue;
        status = stick_pvd_read(&series.list[k], path);
        if (status == STICK_IO)
            stick_note(ctx, "a resumed run would go on in this list; 'stickslip run' starts again");
    }
    stick_field_series_destroy(&series);
    return status;
}

static StickStatus resume_list(StickFieldSeries *series, int k, size_t count)
{
    char path[STICK_PATH_TEXT];
    StickPvd *list = &series->list[k];
    STICK_TRY(list_path(series, k, path));
    STICK_TRY(stick_pvd_read(list, path));
    STICK_CHECK(series->ctx, list->count >= count, STICK_IO,
                "'%s' has %zu files, but its checkpoint knows %zu", path, list->count, count);
    stick_pvd_truncate(list, list->entry[count - 1].time);
    return STICK_OK;
}

StickStatus stick_field_series_resume(StickFieldSeries *series, const StickSimulation *run, size_t count,
                                      const char *files)
{
    for (int k = 0; k < lists_of(run); k++)
        STICK_TRY(resume_list(series, k, count));
    stick_text_add_bytes(&series->files, files, strlen(files));
    return stick_text_status(&series->files);
}

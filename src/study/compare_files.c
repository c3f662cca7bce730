// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "study/compared_table.h"
#include "study/plots.h"

#include <string.h>

static StickStatus write_csv(const StickComparison *comparison, const char *folder)
{
    StickContext *ctx = comparison->ctx;
    StickText text;
    stick_text_init(&text, ctx);
    stick_compare_csv(comparison, &text);
    StickStatus status = stick_text_status(&text);
    char *path = status == STICK_OK ? stick_path_join(ctx, folder, "compare.csv") : NULL;
    if (status == STICK_OK)
        status = path ? stick_file_write(ctx, path, text.bytes, text.length) : STICK_NO_MEMORY;
    stick_free(ctx, path);
    stick_text_destroy(&text);
    return status;
}

// The title of the first model, and what is drawn.
static void add_title(const StickComparison *comparison, int s, StickText *text)
{
    const StickModel *model = NULL;
    for (int k = 0; k < comparison->runs.count && !model; k++)
        model = comparison->runs.run[k].model;
    if (model && model->title)
        stick_text_add(text, "%s: ", model->title);
    stick_text_add(text, "%s", comparison->series[s].name);
}

static StickStatus load_curves(const StickComparison *comparison, int s, StickComparedTable *table,
                               StickStackedCurve *curve)
{
    for (int k = 0; k < comparison->runs.count; k++) {
        const StickPastRun *run = &comparison->runs.run[k];
        STICK_TRY(stick_compared_load(comparison->ctx, run, &comparison->series[s], &table[k]));
        curve[k] = (StickStackedCurve){run->name, table[k].there ? &table[k].columns : NULL, table[k].first,
                                       table[k].exact ? table[k].first + table[k].curve.width : 0};
    }
    return STICK_OK;
}

static StickStatus draw(const StickComparison *comparison, int s, const char *folder,
                        const StickStackedCurve *curve, bool *made)
{
    StickText path, title;
    stick_text_init(&path, comparison->ctx);
    stick_text_init(&title, comparison->ctx);
    stick_text_add(&path, "%s/%s.svg", folder, comparison->series[s].name);
    add_title(comparison, s, &title);
    StickStatus status = stick_text_status(&path);
    if (status == STICK_OK)
        status = stick_text_status(&title);
    if (status == STICK_OK)
        status =
            stick_plots_stack(comparison->ctx, path.bytes, title.bytes, curve, comparison->runs.count, made);
    stick_text_destroy(&path);
    stick_text_destroy(&title);
    return status;
}

static StickStatus load_and_draw(const StickComparison *comparison, int s, const char *folder,
                                 StickComparedTable *table, bool *made)
{
    StickStackedCurve *curve;
    STICK_ALLOC(comparison->ctx, curve, comparison->runs.count);
    StickStatus status = load_curves(comparison, s, table, curve);
    if (status == STICK_OK)
        status = draw(comparison, s, folder, curve, made);
    stick_free(comparison->ctx, curve);
    return status;
}

static StickStatus write_picture(const StickComparison *comparison, int s, const char *folder, bool *made)
{
    StickContext *ctx = comparison->ctx;
    StickComparedTable *table;
    STICK_ALLOC(ctx, table, comparison->runs.count);
    StickStatus status = load_and_draw(comparison, s, folder, table, made);
    for (int k = 0; k < comparison->runs.count; k++)
        stick_compared_unload(ctx, &table[k]);
    stick_free(ctx, table);
    return status;
}

StickStatus stick_compare_write(const StickComparison *comparison, const char *folder)
{
    bool made = true;
    STICK_TRY(stick_folder_create(comparison->ctx, folder));
    STICK_TRY(write_csv(comparison, folder));
    if (comparison->runs.count > STICK_MOST_PANELS)
        stick_note(comparison->ctx, "pictures show the first %d of %d runs", STICK_MOST_PANELS,
                   comparison->runs.count);
    for (int s = 0; s < comparison->nseries && made; s++)
        if (comparison->series[s].single && strcmp(comparison->series[s].name, STICK_SERIES_MOMENTUM) != 0)
            STICK_TRY(write_picture(comparison, s, folder, &made));
    return STICK_OK;
}

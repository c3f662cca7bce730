// SPDX-License-Identifier: Apache-2.0
#include "report/run_part.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "base/utf8.h"
#include "output/origin.h"
#include "report/cycles_part.h"

#include <math.h>
#include <stdio.h>

static void list(StickText *things, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void list(StickText *things, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    stick_text_add(things, "%s%s", things->length > 0 ? "; " : "", text);
}

// What the parts before the animation are made of.
typedef struct Source {
    StickContext *ctx, *quiet;
    const StickPageRun *run;
    const StickYaml *summary; // NULL: there is none that can be read
    const StickPartLimits *limits;
    StickBlobs *blocks;
} Source;

// ---- texts

// Cut after a whole line if one ends near there.
static size_t cut_at(const char *bytes, size_t count, size_t most)
{
    enum { NEAR = 400 };
    size_t cut = stick_utf8_prefix(bytes, count, most);
    for (size_t k = cut; k > 0 && k + NEAR > cut; k--)
        if (bytes[k - 1] == '\n')
            return k;
    return cut;
}

static StickStatus add_bytes(StickRunPart *part, const char *name, const char *bytes, size_t count,
                             size_t most)
{
    StickText text;
    size_t kept = most > 0 && count > most ? cut_at(bytes, count, most) : count;
    stick_text_init(&text, part->text.ctx);
    stick_utf8_add_clean(&text, bytes, kept);
    if (kept < count) {
        stick_text_add(&text, "\n... cut here: these are %zu of %zu bytes of %s\n", kept, count, name);
        list(&part->left_out, "%s is cut", name);
    }
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        stick_json_text(&part->json, text.bytes);
    stick_text_destroy(&text);
    return status;
}

// A file of the run as a text, "" where it is missing; one that can't be read is said as a warning.
static StickStatus add_text_file(const Source *source, const char *name, StickRunPart *part)
{
    StickContext *ctx = source->ctx, *quiet = source->quiet;
    char *bytes = NULL, *path = stick_path_join(ctx, source->run->folder, name);
    size_t count = 0;
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = stick_file_exists(path) ? stick_file_read(quiet, path, &bytes, &count) : STICK_OK;
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        stick_diagnostic_filter_warn(quiet, ctx, name);
        list(&part->unreadable, "%s", name);
        status = STICK_OK;
    }
    if (status == STICK_OK) {
        const char *text = bytes ? stick_origin_skip(bytes) : "";
        status =
            add_bytes(part, name, text, bytes ? count - (size_t)(text - bytes) : 0, source->limits->text);
    }
    stick_free(quiet, bytes);
    stick_free(ctx, path);
    return status;
}

// ---- the parts before the animation

static void add_summary(const Source *source, StickRunPart *part)
{
    stick_verdict_judge(source->summary, &part->verdict);
    if (!stick_file_exists(source->run->folder))
        snprintf(part->verdict.detail, sizeof part->verdict.detail, "This case was not run.");
    stick_json_key(&part->json, "verdict");
    stick_verdict_json(&part->json, &part->verdict);
    stick_json_key(&part->json, "summary");
    int cut = stick_summary_json(&part->json, source->summary, source->limits->messages);
    if (cut > 0)
        list(&part->left_out, "%d messages", cut);
}

static void tell_tables(StickRunPart *part, const StickTablesLoss *loss)
{
    if (loss->tables > 0)
        list(&part->left_out, "%zu of %zu rows of %d table%s (%s)", loss->rows - loss->kept, loss->rows,
             loss->tables, loss->tables == 1 ? "" : "s",
             loss->blunted > 0 ? "not all extremes are kept" : "extremes are kept");
    if (loss->unreadable > 0)
        list(&part->unreadable, "%d table%s", loss->unreadable, loss->unreadable == 1 ? "" : "s");
}

static void tell_stability(StickRunPart *part, const StickStabilityLoss *loss)
{
    int dropped = loss->all_shapes - loss->shapes - loss->unreadable_shapes;
    if (loss->cut)
        list(&part->left_out, "verdicts of stability are cut");
    if (dropped > 0)
        list(&part->left_out, "%d of %d shapes of modes", dropped, loss->all_shapes);
    if (loss->unreadable_words)
        list(&part->unreadable, "verdicts of stability");
    if (loss->unreadable_shapes > 0)
        list(&part->unreadable, "%d of %d shapes of modes", loss->unreadable_shapes, loss->all_shapes);
}

static void tell_signals(StickRunPart *part, const StickSignalsLoss *loss)
{
    if (loss->cut_sounds > 0)
        list(&part->left_out, "%.3g of %.3g s of %d sound%s", loss->seconds - loss->heard, loss->seconds,
             loss->cut_sounds, loss->cut_sounds == 1 ? "" : "s");
    if (loss->unreadable_sounds > 0)
        list(&part->unreadable, "%d sound%s", loss->unreadable_sounds,
             loss->unreadable_sounds == 1 ? "" : "s");
}

static void add_loss(StickTablesLoss *sum, const StickTablesLoss *more)
{
    sum->tables += more->tables;
    sum->rows += more->rows;
    sum->kept += more->kept;
    sum->blunted += more->blunted;
    sum->unreadable += more->unreadable;
}

// Steps in the order in which they were computed; none without a model.
static void add_steps(const StickModel *model, StickRunPart *part)
{
    static const char *const kinds[] = {
        [STICK_STEP_DYNAMICS] = "dynamics",     [STICK_STEP_QUASISTATIC] = "quasistatic",
        [STICK_STEP_STABILITY] = "stability",   [STICK_STEP_SLIDING] = "steady-sliding",
        [STICK_STEP_TRAJECTORY] = "trajectory",
    };
    stick_json_key(&part->json, "steps");
    stick_json_list(&part->json);
    for (int k = 0; model && k < model->nsteps; k++) {
        const StickStepSpec *step = &model->step[k];
        bool judges = step->kind == STICK_STEP_STABILITY;
        const char *of = judges                ? step->stability.of_name
                         : step->perturb.given ? step->perturb.of_name
                                               : step->from.step_name;
        stick_json_object(&part->json);
        stick_json_add_text(&part->json, "name", step->name);
        stick_json_add_text(&part->json, "kind", kinds[step->kind]);
        stick_json_add_text(&part->json, "of", of ? of : "");
        stick_json_add_number(&part->json, "end", judges ? NAN : step->end);
        stick_json_end_object(&part->json);
    }
    stick_json_end_list(&part->json);
}

static StickStatus add_numbers(const Source *source, const StickModel *model, StickRunPart *part)
{
    StickContext *ctx = source->ctx;
    const char *folder = source->run->folder;
    const StickPartLimits *limits = source->limits;
    StickBlobs *blocks = source->blocks;
    StickTablesLoss loss, cycles;
    StickStabilityLoss stability;
    StickSignalsLoss signals;
    StickStabilityRoom room = {limits->table, limits->text, limits->shapes};
    StickSignalsRoom sound_room = {limits->table, limits->samples};
    add_steps(model, part);
    stick_json_key(&part->json, "tables");
    STICK_TRY(stick_tables_add(ctx, folder, model, &limits->table, blocks, &part->json, &loss));
    stick_json_key(&part->json, "stability");
    STICK_TRY(stick_stability_part_add(ctx, folder, model, &room, blocks, &part->json, &stability));
    stick_json_key(&part->json, "signals");
    STICK_TRY(
        stick_signals_part_add(ctx, folder, source->summary, &sound_room, blocks, &part->json, &signals));
    stick_json_key(&part->json, "cycles");
    STICK_TRY(stick_cycles_part_add(ctx, folder, model, &limits->table, blocks, &part->json, &cycles));
    stick_json_key(&part->json, "parameters");
    stick_cycles_part_parameters(model, &part->json);
    add_loss(&loss, &cycles);
    add_loss(&loss, &stability.tables);
    add_loss(&loss, &signals.tables);
    tell_tables(part, &loss);
    tell_stability(part, &stability);
    tell_signals(part, &signals);
    return STICK_OK;
}

static StickStatus add_tables(const Source *source, StickRunPart *part)
{
    StickModel *model;
    STICK_TRY(stick_page_model(source->ctx, source->quiet, source->run->folder, &model));
    StickStatus status = add_numbers(source, model, part);
    stick_model_destroy(model);
    return status;
}

static StickStatus add_all(const Source *source, StickRunPart *part)
{
    stick_json_object(&part->json);
    stick_json_key(&part->json, "name");
    stick_json_text(&part->json, source->run->name);
    add_summary(source, part);
    stick_json_key(&part->json, "model");
    STICK_TRY(add_text_file(source, "model.yaml", part));
    stick_json_key(&part->json, "log");
    STICK_TRY(add_text_file(source, "run.log", part));
    STICK_TRY(add_tables(source, part));
    return stick_text_status(&part->text);
}

static StickStatus begin(Source *source, StickRunPart *part)
{
    StickSummaryTree tree;
    STICK_TRY(stick_summary_tree_read(source->ctx, source->run->folder, &tree));
    source->summary = tree.root;
    StickStatus status = add_all(source, part);
    stick_summary_tree_destroy(&tree);
    return status;
}

StickStatus stick_run_part_begin(StickContext *ctx, const StickPageRun *run, const StickPartLimits *limits,
                                 StickBlobs *blocks, StickRunPart *part)
{
    stick_text_init(&part->text, ctx);
    stick_text_init(&part->left_out, ctx);
    stick_text_init(&part->unreadable, ctx);
    stick_json_init_html(&part->json, &part->text);
    Source source = {ctx, stick_diagnostic_filter_create(ctx), run, NULL, limits, blocks};
    if (!source.quiet)
        return STICK_NO_MEMORY;
    StickStatus status = begin(&source, part);
    stick_context_destroy(source.quiet);
    return status;
}

// ---- the animation

static void tell_loss(StickRunPart *part, const StickAnimationLoss *loss)
{
    int dropped = loss->all_frames - loss->unreadable - loss->frames;
    if (loss->none)
        list(&part->left_out, "the whole animation");
    else if (dropped > 0)
        list(&part->left_out, "%d of %d frames of the animation", dropped, loss->all_frames);
    if (!loss->none && loss->coarse)
        list(&part->left_out, "half of the digits of fields");
    if (loss->broken)
        list(&part->unreadable, "the animation");
    else if (loss->unreadable > 0)
        list(&part->unreadable, "%d of %d frames of the animation", loss->unreadable, loss->all_frames);
}

// Results that make no animation leave the rest of the page as it is.
static StickStatus add_animation(StickContext *ctx, const StickPageRun *run,
                                 const StickAnimationOptions *options, StickBlobs *blocks, StickRunPart *part)
{
    StickAnimationLoss loss = {0};
    StickJson before = part->json;
    size_t length = part->text.length;
    int count = blocks->count;
    StickStatus status = stick_animation_add(ctx, run->folder, options, blocks, &part->json, &loss);
    if (status == STICK_NO_MEMORY)
        return status;
    if (status == STICK_OK) {
        tell_loss(part, &loss);
        return STICK_OK;
    }
    stick_blobs_cut(blocks, count);
    part->text.length = length;
    part->json = before;
    stick_json_text(&part->json, NULL);
    list(&part->unreadable, "the animation");
    return STICK_OK;
}

// For the page both in one text.
static StickStatus add_left_out(StickRunPart *part)
{
    StickText both;
    STICK_TRY(stick_text_status(&part->left_out));
    STICK_TRY(stick_text_status(&part->unreadable));
    stick_text_init(&both, part->text.ctx);
    if (part->left_out.length > 0)
        stick_text_add(&both, "%s", part->left_out.bytes);
    if (part->unreadable.length > 0)
        stick_text_add(&both, "%s%s, which can't be read", both.length > 0 ? "; " : "",
                       part->unreadable.bytes);
    stick_json_key(&part->json, "leftOut");
    stick_json_text(&part->json, both.length > 0 ? both.bytes : "");
    StickStatus status = stick_text_status(&both);
    stick_text_destroy(&both);
    return status;
}

StickStatus stick_run_part_end(StickContext *ctx, const StickPageRun *run,
                               const StickAnimationOptions *options, StickBlobs *blocks, StickRunPart *part)
{
    stick_json_key(&part->json, "animation");
    if (stick_file_exists(run->folder))
        STICK_TRY(add_animation(ctx, run, options, blocks, part));
    else
        stick_json_text(&part->json, NULL);
    STICK_TRY(add_left_out(part));
    stick_json_end_object(&part->json);
    return stick_text_status(&part->text);
}

void stick_run_part_destroy(StickRunPart *part)
{
    if (part->text.ctx)
        stick_text_destroy(&part->text);
    if (part->left_out.ctx)
        stick_text_destroy(&part->left_out);
    if (part->unreadable.ctx)
        stick_text_destroy(&part->unreadable);
    *part = (StickRunPart){0};
}

// SPDX-License-Identifier: Apache-2.0
#include "report/stability_part.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "base/utf8.h"
#include "report/listing.h"
#include "report/mode_shapes.h"

#include <string.h>

// ---- spectra with fewer rows

// Kinds of modes from this one on grow (docs/reference/results.md).
enum { FLUTTERS = 2 };

typedef struct SpectrumColumns {
    const double *status, *mode, *growth, *kind;
    size_t nrows;
} SpectrumColumns;

static bool find_columns(const StickColumns *columns, SpectrumColumns *found)
{
    static const char *const names[] = {"status", "mode", "growth", "kind"};
    const double **place[] = {&found->status, &found->mode, &found->growth, &found->kind};
    found->nrows = columns->nrows;
    for (int k = 0; k < 4; k++) {
        int at = stick_columns_find(columns, names[k]);
        if (at < 0)
            return false;
        *place[k] = columns->column[at];
    }
    return true;
}

// How many of the modes that grow are kept of a status.
typedef enum Growing { GROWING_MOST, GROWING_STRONGEST, GROWING_ALL } Growing;

// Rows of a status, which stand together, end before this one.
static size_t end_of_status(const SpectrumColumns *columns, size_t begin)
{
    size_t end = begin + 1;
    while (end < columns->nrows && columns->status[end] == columns->status[begin])
        end++;
    return end;
}

static void keep_most(const SpectrumColumns *columns, size_t begin, size_t end, bool *keep)
{
    size_t best = begin;
    for (size_t row = begin; row < end; row++)
        if (columns->growth[row] > columns->growth[best])
            best = row;
    keep[best] = true;
}

// Those that have shapes: the first that flutters and the 12 strongest, which may be pairs of rows.
static void keep_strongest(const SpectrumColumns *columns, size_t begin, size_t end, bool *keep)
{
    enum { STRONGEST = 2 * 12 };
    double top[STRONGEST + 1]; // the largest first
    int count = 0;
    bool fluttered = false;
    for (size_t row = begin; row < end; row++) {
        if (columns->kind[row] < FLUTTERS)
            continue;
        if (columns->kind[row] == FLUTTERS && !fluttered)
            keep[row] = fluttered = true;
        int at = count;
        for (; at > 0 && top[at - 1] < columns->growth[row]; at--)
            top[at] = top[at - 1];
        top[at] = columns->growth[row];
        count += count < STRONGEST;
    }
    for (size_t row = begin; row < end; row++)
        if (columns->kind[row] >= FLUTTERS && columns->growth[row] >= top[count - 1])
            keep[row] = true;
}

// Keeps the first modes of each status, and those that grow or of these the strongest; returns how many these are.
static size_t keep_modes(const SpectrumColumns *columns, double first, Growing growing, bool *keep)
{
    size_t kept = 0;
    for (size_t row = 0; row < columns->nrows; row++)
        keep[row] = columns->mode[row] <= first || (growing == GROWING_ALL && columns->kind[row] >= FLUTTERS);
    for (size_t begin = 0, end; begin < columns->nrows; begin = end) {
        end = end_of_status(columns, begin);
        keep_most(columns, begin, end, keep);
        if (growing == GROWING_STRONGEST)
            keep_strongest(columns, begin, end, keep);
    }
    for (size_t row = 0; row < columns->nrows; row++)
        kept += keep[row];
    return kept;
}

size_t stick_spectrum_thin(const StickColumns *columns, size_t most, bool *keep, bool *blunt)
{
    enum { FIRST_TRY = 1 << 20 };
    SpectrumColumns spectrum;
    if (most >= columns->nrows || !find_columns(columns, &spectrum))
        return stick_tables_thin(columns, most, keep, blunt);
    *blunt = true; // of Lambda and the frequency
    for (int growing = GROWING_ALL; growing >= GROWING_MOST; growing--)
        for (int first = FIRST_TRY; first > 0; first -= (first + 7) / 8) {
            size_t kept = keep_modes(&spectrum, first, (Growing)growing, keep);
            if (kept <= most)
                return kept;
        }
    return stick_tables_thin(columns, most, keep, blunt);
}

// ---- one step

typedef struct Part {
    StickContext *ctx, *quiet;
    const char *folder;
    const StickModel *model;
    const StickStabilityRoom *room;
    StickBlobs *blocks;
    StickJson *json;
    StickStabilityLoss *loss;
    size_t used; // bytes of base64 of shapes
} Part;

static StickStatus make_path(const Part *part, StickText *path, const char *before, const char *step,
                             const char *behind)
{
    stick_text_init(path, part->ctx);
    stick_text_add(path, "%s/%s%s%s", part->folder, before, step, behind);
    return stick_text_status(path);
}

// The file is before<step>behind.
static StickStatus add_table(const Part *part, const char *step, const char *key, const char *before,
                             const char *behind)
{
    StickText path;
    StickStatus status = make_path(part, &path, before, step, behind);
    bool spectrum = strcmp(key, "spectrum") == 0;
    StickTablesFile file = {.path = path.bytes,
                            .name = step,
                            .kind = key,
                            .choose = spectrum ? stick_spectrum_thin : NULL,
                            .numbered = strcmp(key, "statuses") == 0};
    stick_json_key(part->json, key);
    if (status == STICK_OK)
        status = stick_tables_add_file(part->ctx, &file, &part->room->table, part->blocks, part->json,
                                       &part->loss->tables);
    stick_text_destroy(&path);
    return status;
}

static StickStatus add_words(const Part *part, const char *bytes, size_t count)
{
    StickText text;
    size_t most = part->room->text, kept = most > 0 && count > most ? most : count;
    kept = kept < count ? stick_utf8_prefix(bytes, count, kept) : count;
    part->loss->cut = part->loss->cut || kept < count;
    stick_text_init(&text, part->ctx);
    stick_text_add(&text, "%s", "");
    stick_utf8_add_clean(&text, bytes, kept);
    StickStatus status = stick_text_status(&text);
    if (status == STICK_OK)
        stick_json_add_text(part->json, "verdicts", text.bytes);
    stick_text_destroy(&text);
    return status;
}

static StickStatus add_verdicts(const Part *part, const char *step)
{
    StickText path;
    char *bytes = NULL;
    size_t count = 0;
    StickStatus status = make_path(part, &path, "stability/", step, "/verdicts.txt");
    if (status == STICK_OK && stick_file_exists(path.bytes))
        status = stick_file_read(part->quiet, path.bytes, &bytes, &count);
    if (status != STICK_OK && status != STICK_NO_MEMORY) {
        part->loss->unreadable_words = true;
        stick_diagnostic_filter_warn(part->quiet, part->ctx, "verdicts of a stability step");
        status = STICK_OK;
    }
    if (status == STICK_OK)
        status = add_words(part, bytes ? bytes : "", count);
    stick_free(part->quiet, bytes);
    stick_text_destroy(&path);
    return status;
}

// Steps share the room for shapes, the first ones first.
static StickStatus add_shapes(Part *part, const char *step)
{
    StickText path;
    StickStatus status = make_path(part, &path, "stability/", step, "");
    size_t room = part->room->shapes, before = part->blocks->bytes;
    StickModeShapesSource source = {
        .folder = path.bytes,
        .nbodies = part->model ? part->model->nbodies : 0,
        .budget = room == 0           ? 0
                  : room > part->used ? room - part->used
                                      : 1,
        .hear = part->ctx,
    };
    StickModeShapesLoss loss = {0};
    stick_json_key(part->json, "shapes");
    if (status == STICK_OK && part->model)
        status = stick_mode_shapes_add(part->ctx, &source, part->blocks, part->json, &loss);
    else
        stick_json_list(part->json), stick_json_end_list(part->json);
    stick_json_add_integer(part->json, "allShapes", loss.all);
    part->used += part->blocks->bytes - before;
    part->loss->shapes += loss.shown;
    part->loss->all_shapes += loss.all;
    part->loss->unreadable_shapes += loss.unreadable;
    stick_text_destroy(&path);
    return status;
}

static StickStatus add_step(Part *part, const char *step)
{
    stick_json_object(part->json);
    stick_json_add_text(part->json, "step", step);
    STICK_TRY(add_table(part, step, "statuses", "history/", ".csv"));
    STICK_TRY(add_table(part, step, "spectrum", "stability/", "/spectrum.csv"));
    STICK_TRY(add_table(part, step, "sweep", "stability/", "/sweep.csv"));
    STICK_TRY(add_table(part, step, "coalescence", "stability/", "/coalescence.csv"));
    STICK_TRY(add_table(part, step, "growth", "history/", "-growth.csv"));
    STICK_TRY(add_table(part, step, "predicted", "stability/", "/mode.csv"));
    STICK_TRY(add_verdicts(part, step));
    STICK_TRY(add_shapes(part, step));
    stick_json_end_object(part->json);
    return STICK_OK;
}

// ---- all steps

static bool is_listed(const StickListing *listing, const char *name)
{
    for (int k = 0; k < listing->count; k++)
        if (strcmp(listing->name[k], name) == 0)
            return true;
    return false;
}

static bool is_step(const StickModel *model, const char *name)
{
    for (int k = 0; model && k < model->nsteps; k++)
        if (strcmp(model->step[k].name, name) == 0)
            return true;
    return false;
}

static StickStatus add_steps(Part *part, const StickListing *listing)
{
    const StickModel *model = part->model;
    for (int k = 0; model && k < model->nsteps; k++)
        if (is_listed(listing, model->step[k].name))
            STICK_TRY(add_step(part, model->step[k].name));
    for (int k = 0; k < listing->count; k++)
        if (!is_step(model, listing->name[k]))
            STICK_TRY(add_step(part, listing->name[k]));
    return STICK_OK;
}

static StickStatus add(Part *part)
{
    StickListing listing;
    char *folder = stick_path_join(part->ctx, part->folder, "stability");
    StickStatus status = folder ? stick_listing_read(part->ctx, folder, "", &listing) : STICK_NO_MEMORY;
    stick_free(part->ctx, folder);
    STICK_TRY(status);
    stick_json_list(part->json);
    status = add_steps(part, &listing);
    stick_json_end_list(part->json);
    stick_listing_destroy(part->ctx, &listing);
    return status;
}

StickStatus stick_stability_part_add(StickContext *ctx, const char *folder, const StickModel *model,
                                     const StickStabilityRoom *room, StickBlobs *blocks, StickJson *json,
                                     StickStabilityLoss *loss)
{
    StickContext *quiet = stick_diagnostic_filter_create(ctx);
    if (!quiet)
        return STICK_NO_MEMORY;
    *loss = (StickStabilityLoss){0};
    Part part = {ctx, quiet, folder, model, room, blocks, json, loss, 0};
    StickStatus status = add(&part);
    stick_context_destroy(quiet);
    return status;
}

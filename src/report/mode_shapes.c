// SPDX-License-Identifier: Apache-2.0
#include "report/mode_shapes.h"

#include "base/diagnostic_filter.h"
#include "base/text.h"
#include "report/listing.h"
#include "report/scene.h"

#include <stdio.h>

// The real and the imaginary part of a mode are its phases 0 and 3/4 of an oscillation: Re(A exp(i phase)).
static const char *const parts[] = {"phase-00.vtu", "phase-12.vtu"};
enum { PARTS = 2 };

typedef struct Shaper {
    StickContext *ctx; // quiet
    const StickModeShapesSource *source;
    StickBlobs *blocks;
    StickJson *json;
    StickModeShapesLoss *loss;
    StickScene scene; // of the first shape that could be read; npoints = 0 before
    size_t used;      // bytes of base64
    bool full;        // no more have room
} Shaper;

typedef struct Shape {
    const char *name;
    int status, mode;
    double
        *value; // PARTS + 1 times the visible nodes times dim: both parts, and the displacement of the state
    int motion, displacement; // blocks
} Shape;

// ---- names

// "status-004-mode-11"
static bool parse_name(const char *name, Shape *shape)
{
    int end = 0;
    bool ours = sscanf(name, "status-%6d-mode-%9d%n", &shape->status, &shape->mode, &end) == 2;
    shape->name = name;
    return ours && name[end] == '\0' && shape->status > 0 && shape->mode > 0;
}

// ---- one file

// Values of a vector at the visible nodes.
static StickStatus read_vector(const Shaper *shaper, const StickVtuFile *file, const char *name,
                               double *value)
{
    const StickScene *scene = &shaper->scene;
    double *all;
    int stored = stick_vtu_components(file, STICK_VTU_POINT_DATA, name);
    STICK_CHECK(shaper->ctx, stored >= scene->dim, STICK_BAD_INPUT, "a shape has no field '%s'", name);
    STICK_TRY(stick_vtu_values(file, STICK_VTU_POINT_DATA, name, &all));
    for (int i = 0; i < scene->skin.nnodes; i++)
        for (int k = 0; k < scene->dim; k++)
            value[i * scene->dim + k] = all[(size_t)scene->skin.node[i] * (size_t)stored + (size_t)k];
    stick_free(shaper->ctx, all);
    return STICK_OK;
}

static size_t width_of(const Shaper *shaper)
{
    return (size_t)shaper->scene.skin.nnodes * (size_t)shaper->scene.dim;
}

static StickStatus use_file(Shaper *shaper, const StickVtuFile *file, const char *path, int part,
                            Shape *shape)
{
    if (shaper->scene.npoints == 0)
        STICK_TRY(stick_scene_create(shaper->ctx, file, path, shaper->source->nbodies, NULL, &shaper->scene));
    STICK_CHECK(shaper->ctx, stick_vtu_points(file) == shaper->scene.npoints, STICK_BAD_INPUT,
                "'%s' has %d points, but others have %d", path, stick_vtu_points(file),
                shaper->scene.npoints);
    size_t width = width_of(shaper);
    if (!shape->value)
        STICK_ALLOC(shaper->ctx, shape->value, (PARTS + 1) * width);
    STICK_TRY(read_vector(shaper, file, "mode", shape->value + (size_t)part * width));
    return part == 0 ? read_vector(shaper, file, "displacement", shape->value + PARTS * width) : STICK_OK;
}

static StickStatus read_part(Shaper *shaper, int part, Shape *shape)
{
    StickText path;
    StickVtuFile *file;
    stick_text_init(&path, shaper->ctx);
    stick_text_add(&path, "%s/%s/%s", shaper->source->folder, shape->name, parts[part]);
    StickStatus status = stick_text_status(&path);
    if (status == STICK_OK)
        status = stick_vtu_open(shaper->ctx, path.bytes, &file);
    if (status == STICK_OK) {
        status = use_file(shaper, file, path.bytes, part, shape);
        stick_vtu_close(file);
    }
    stick_text_destroy(&path);
    return status;
}

// ---- one shape

static void shape_json(const Shaper *shaper, const Shape *shape)
{
    StickJson *json = shaper->json;
    stick_json_object(json);
    stick_json_add_integer(json, "status", shape->status);
    stick_json_add_integer(json, "mode", shape->mode);
    stick_json_add_integer(json, "nodes", shaper->scene.skin.nnodes);
    stick_json_key(json, "motion");
    stick_blobs_json(json, shaper->blocks, shape->motion);
    stick_json_key(json, "displacement");
    stick_blobs_json(json, shaper->blocks, shape->displacement);
    stick_json_end_object(json);
}

// Packs it, and takes it back where it has no room.
static StickStatus pack_shape(Shaper *shaper, Shape *shape)
{
    StickBlobs *blocks = shaper->blocks;
    size_t width = width_of(shaper), before = blocks->bytes;
    int count = blocks->count;
    STICK_TRY(stick_blobs_quantise(blocks, STICK_BLOB_INT16, shape->value, PARTS * width, 0, &shape->motion));
    STICK_TRY(stick_blobs_quantise(blocks, STICK_BLOB_INT16, shape->value + PARTS * width, width, 0,
                                   &shape->displacement));
    size_t bytes = blocks->bytes - before;
    shaper->full = shaper->source->budget > 0 && shaper->used + bytes > shaper->source->budget;
    if (shaper->full) {
        stick_blobs_cut(blocks, count);
        return STICK_OK;
    }
    shaper->used += bytes;
    shaper->loss->shown++;
    shape_json(shaper, shape);
    return STICK_OK;
}

// One that cannot be read is left out.
static StickStatus add_shape(Shaper *shaper, Shape *shape)
{
    StickStatus status = STICK_OK;
    for (int part = 0; part < PARTS && status == STICK_OK; part++)
        status = read_part(shaper, part, shape);
    if (status == STICK_OK)
        status = pack_shape(shaper, shape);
    stick_free(shaper->ctx, shape->value);
    if (status == STICK_OK || status == STICK_NO_MEMORY)
        return status;
    shaper->loss->unreadable++;
    stick_diagnostic_filter_warn(shaper->ctx, shaper->source->hear, "the shape of a mode is left out");
    return STICK_OK;
}

static StickStatus add_shapes(Shaper *shaper, const StickListing *listing)
{
    for (int k = 0; k < listing->count; k++) {
        Shape shape = {0};
        if (!parse_name(listing->name[k], &shape))
            continue;
        shaper->loss->all++;
        if (!shaper->full)
            STICK_TRY(add_shape(shaper, &shape));
    }
    return STICK_OK;
}

StickStatus stick_mode_shapes_add(StickContext *ctx, const StickModeShapesSource *source, StickBlobs *blocks,
                                  StickJson *json, StickModeShapesLoss *loss)
{
    StickListing listing;
    Shaper shaper = {.ctx = stick_diagnostic_filter_create(ctx),
                     .source = source,
                     .blocks = blocks,
                     .json = json,
                     .loss = loss};
    if (!shaper.ctx)
        return STICK_NO_MEMORY;
    stick_json_list(json);
    StickStatus status = stick_listing_read(shaper.ctx, source->folder, ".pvd", &listing);
    if (status == STICK_OK) {
        status = add_shapes(&shaper, &listing);
        stick_listing_destroy(shaper.ctx, &listing);
    }
    stick_json_end_list(json);
    stick_scene_destroy(shaper.ctx, &shaper.scene);
    stick_context_destroy(shaper.ctx);
    return status;
}

// SPDX-License-Identifier: Apache-2.0
#include "report/reel.h"

#include "base/file.h"
#include "base/quiet.h"
#include "output/pvd.h"

#include <math.h>
#include <string.h>

static const size_t most_numbers = (size_t)1 << 26;

static const struct {
    const char *name;
    bool vector;
} fields[STICK_REEL_FIELDS] = {
    [STICK_REEL_DISPLACEMENT] = {"displacement", true},
    [STICK_REEL_VELOCITY] = {"velocity", true},
    [STICK_REEL_VON_MISES] = {"von_mises", false},
    [STICK_REEL_CONTACT_PRESSURE] = {"contact_pressure", false},
    [STICK_REEL_STATUS] = {"status", false},
    [STICK_REEL_GAP] = {"gap", false},
    [STICK_REEL_CONTACT_FORCE] = {"contact_force", true},
};

const char *stick_reel_name(StickReelField field)
{
    return fields[field].name;
}

int stick_reel_components(StickReelField field, int dim)
{
    return fields[field].vector ? dim : 1;
}

// ---- one frame

static void widen(StickReelSpan *span, double value)
{
    if (!isfinite(value))
        return;
    span->least = fmin(span->least, value); // of NaN and a number the number
    span->most = fmax(span->most, value);
}

// Range of what people see of a field: of a vector its length. all has so many numbers of each point.
static StickReelSpan span_of(const StickReel *reel, const double *all, int stored, int components)
{
    const StickSkin *skin = &reel->scene.skin;
    StickReelSpan span = {NAN, NAN};
    for (int i = 0; i < skin->nnodes; i++) {
        const double *value = all + (size_t)skin->node[i] * (size_t)stored;
        double length = components > 1 ? 0 : value[0];
        for (int k = 0; k < components && components > 1; k++)
            length = hypot(length, value[k]);
        widen(&span, length);
    }
    return span;
}

// What contact exerts on each body in all.
static void add_forces(const StickReel *reel, const double *all, int stored, double *total)
{
    const StickScene *scene = &reel->scene;
    for (int b = 0; b < scene->nbodies; b++) {
        const StickSceneBody *body = &scene->body[b];
        for (int i = body->first_node; i < body->first_node + body->nodes; i++)
            for (int k = 0; k < scene->dim; k++) {
                double force = all[(size_t)scene->skin.node[i] * (size_t)stored + (size_t)k];
                total[b * scene->dim + k] += isfinite(force) ? force : 0;
            }
    }
}

// Values of the visible nodes; NaN where the file does not have the field.
static StickStatus read_field(const StickReel *reel, const StickVtuFile *file, StickReelField field,
                              StickReelFrame *frame)
{
    const StickSkin *skin = &reel->scene.skin;
    const char *name = fields[field].name;
    float *value = frame->value + reel->first[field];
    int components = stick_reel_components(field, reel->scene.dim);
    int stored = stick_vtu_components(file, STICK_VTU_POINT_DATA, name);
    double *all = NULL;
    if (stored >= components)
        STICK_TRY(stick_vtu_values(file, STICK_VTU_POINT_DATA, name, &all));
    for (int i = 0; i < skin->nnodes; i++)
        for (int k = 0; k < components; k++) {
            size_t at = (size_t)skin->node[i] * (size_t)stored + (size_t)k;
            value[(size_t)i * (size_t)components + (size_t)k] = all ? (float)all[at] : NAN;
        }
    frame->span[field] = all ? span_of(reel, all, stored, components) : (StickReelSpan){NAN, NAN};
    if (all && field == STICK_REEL_CONTACT_FORCE)
        add_forces(reel, all, stored, frame->total);
    stick_free(reel->ctx, all);
    return STICK_OK;
}

static StickStatus fill_frame(const StickReel *reel, const StickVtuFile *file, const char *path,
                              StickReelFrame *frame)
{
    StickMark mark = {path, 0, 0};
    if (stick_vtu_points(file) != reel->scene.npoints)
        return stick_fail_at(reel->ctx, STICK_BAD_INPUT, mark, "it has %d points, but others have %d",
                             stick_vtu_points(file), reel->scene.npoints);
    const char *must = fields[STICK_REEL_DISPLACEMENT].name;
    if (stick_vtu_components(file, STICK_VTU_POINT_DATA, must) < reel->scene.dim)
        return stick_fail_at(reel->ctx, STICK_BAD_INPUT, mark, "it has no field '%s'", must);
    for (int f = 0; f < STICK_REEL_FIELDS; f++)
        STICK_TRY(read_field(reel, file, (StickReelField)f, frame));
    return STICK_OK;
}

static void drop_frame(StickContext *ctx, StickReelFrame *frame)
{
    stick_free(ctx, frame->value);
    stick_free(ctx, frame->total);
}

static StickStatus add_frame(StickReel *reel, const StickVtuFile *file, const char *path, double time)
{
    STICK_RESERVE(reel->ctx, reel->frame, reel->room, reel->count + 1);
    StickReelFrame frame = {
        .time = time,
        .value = stick_alloc(reel->ctx, reel->size, sizeof *frame.value),
        .total = stick_alloc(reel->ctx, (size_t)(reel->scene.nbodies * reel->scene.dim), sizeof *frame.total),
    };
    StickStatus status = frame.value && frame.total ? fill_frame(reel, file, path, &frame) : STICK_NO_MEMORY;
    if (status == STICK_OK)
        reel->frame[reel->count++] = frame;
    else
        drop_frame(reel->ctx, &frame);
    return status;
}

static void lay_out(StickReel *reel)
{
    for (int f = 0; f < STICK_REEL_FIELDS; f++) {
        int components = stick_reel_components((StickReelField)f, reel->scene.dim);
        reel->first[f] = reel->size;
        reel->width[f] = (size_t)reel->scene.skin.nnodes * (size_t)components;
        reel->size += reel->width[f];
    }
}

// The scene is that of the first frame that has one.
static StickStatus use_file(StickReel *reel, const StickVtuFile *file, const char *path, int nbodies,
                            double time)
{
    if (reel->scene.npoints == 0) {
        STICK_TRY(stick_scene_create(reel->ctx, file, path, nbodies, &reel->scene));
        lay_out(reel);
    }
    return add_frame(reel, file, path, time);
}

// The series of a run names files in its own folder, and its times do not go back.
static StickStatus check_entry(const StickReel *reel, const StickPvdEntry *entry)
{
    const char *file = entry->file;
    bool inside = file[0] != '/' && strcmp(file, "..") != 0 && strncmp(file, "../", 3) != 0;
    for (const char *at = strstr(file, "/.."); at; at = strstr(at + 1, "/.."))
        inside = inside && at[3] != '/' && at[3] != '\0';
    STICK_CHECK(reel->ctx, inside, STICK_BAD_INPUT, "fields.pvd names '%s', which is not in its folder",
                file);
    STICK_CHECK(reel->ctx, reel->count == 0 || entry->time >= reel->frame[reel->count - 1].time,
                STICK_BAD_INPUT, "fields.pvd goes back in time with '%s', from t = %g to %g", file,
                reel->frame[reel->count - 1].time, entry->time);
    return STICK_OK;
}

static StickStatus read_file(StickReel *reel, const StickReelSource *source, const StickPvdEntry *entry)
{
    char *path = stick_path_join(reel->ctx, source->folder, entry->file);
    if (!path)
        return STICK_NO_MEMORY;
    StickVtuFile *file;
    StickStatus status = stick_vtu_open(reel->ctx, path, &file);
    if (status == STICK_OK) {
        status = use_file(reel, file, path, source->nbodies, entry->time);
        stick_vtu_close(file);
    }
    stick_free(reel->ctx, path);
    return status;
}

// A frame that cannot be read is left out.
static StickStatus read_frame(StickReel *reel, const StickReelSource *source, const StickPvdEntry *entry)
{
    StickStatus status = check_entry(reel, entry);
    if (status == STICK_OK)
        status = read_file(reel, source, entry);
    if (status == STICK_OK || status == STICK_NO_MEMORY)
        return status;
    reel->unreadable++;
    stick_quiet_warn(reel->ctx, source->hear, "a frame is left out");
    return STICK_OK;
}

// ---- all frames

// Every how many of the frames that are left memory has room for.
static size_t stride_for(const StickReel *reel, size_t left)
{
    size_t fit = most_numbers / (reel->size ? reel->size : 1);
    return fit < 2 ? left + 1 : left / (fit - 1) + (left % (fit - 1) != 0);
}

static StickStatus read_frames(StickReel *reel, const StickReelSource *source, const StickPvd *series)
{
    size_t k = 0, stride = 1;
    reel->all = (int)series->count;
    while (k < series->count) {
        STICK_TRY(read_frame(reel, source, &series->entry[k]));
        if (reel->count == 1 && !source->full)
            stride = stride_for(reel, series->count - 1 - k);
        if (stride == 0 || k == series->count - 1)
            break;
        // the last one is always there
        k = k + stride < series->count ? k + stride : series->count - 1;
    }
    return STICK_OK;
}

static StickStatus read_series(StickReel *reel, const StickReelSource *source, const char *path)
{
    if (!stick_file_exists(path))
        return STICK_OK;
    StickPvd series;
    stick_pvd_init(&series, reel->ctx);
    StickStatus status = stick_pvd_read(&series, path);
    if (status == STICK_OK) {
        status = read_frames(reel, source, &series);
    } else if (status != STICK_NO_MEMORY) {
        reel->broken = true;
        stick_quiet_warn(reel->ctx, source->hear, "there is no animation");
        status = STICK_OK;
    }
    stick_pvd_destroy(&series);
    return status;
}

StickStatus stick_reel_create(StickContext *ctx, const StickReelSource *source, StickReel *reel)
{
    StickReel made = {.ctx = ctx};
    char *path = stick_path_join(ctx, source->folder, "fields.pvd");
    StickStatus status = path ? read_series(&made, source, path) : STICK_NO_MEMORY;
    stick_free(ctx, path);
    if (status == STICK_OK)
        *reel = made;
    else
        stick_reel_destroy(&made);
    return status;
}

void stick_reel_destroy(StickReel *reel)
{
    for (int k = 0; k < reel->count; k++)
        drop_frame(reel->ctx, &reel->frame[k]);
    stick_free(reel->ctx, reel->frame);
    stick_scene_destroy(reel->ctx, &reel->scene);
    *reel = (StickReel){.ctx = reel->ctx};
}

// ---- looking at it

const float *stick_reel_values(const StickReel *reel, StickReelField field, int frame)
{
    return reel->frame[frame].value + reel->first[field];
}

bool stick_reel_shows(const StickReel *reel, StickReelField field)
{
    for (int k = 0; k < reel->count; k++) {
        const float *value = stick_reel_values(reel, field, k);
        for (size_t i = 0; i < reel->width[field]; i++)
            if (isfinite(value[i]) && value[i] != 0)
                return true;
    }
    return false;
}

bool stick_reel_watches(const StickReel *reel, int node)
{
    for (int k = 0; k < reel->count; k++) {
        float status = stick_reel_values(reel, STICK_REEL_STATUS, k)[node];
        if (isfinite(stick_reel_values(reel, STICK_REEL_GAP, k)[node]) || (isfinite(status) && status != 0))
            return true;
    }
    return false;
}

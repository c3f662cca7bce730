// SPDX-License-Identifier: Apache-2.0
#include "report/animation_frames.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "output/pvd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t most_numbers = (size_t)1 << 26;

static const struct {
    const char *name;
    bool vector;
} fields[STICK_ANIMATION_FIELDS] = {
    [STICK_ANIMATION_DISPLACEMENT] = {"displacement", true},
    [STICK_ANIMATION_VELOCITY] = {"velocity", true},
    [STICK_ANIMATION_VON_MISES] = {"von_mises", false},
    [STICK_ANIMATION_CONTACT_PRESSURE] = {"contact_pressure", false},
    [STICK_ANIMATION_STATUS] = {"status", false},
    [STICK_ANIMATION_GAP] = {"gap", false},
    [STICK_ANIMATION_CONTACT_FORCE] = {"contact_force", true},
};

const char *stick_animation_frames_name(StickAnimationFramesField field)
{
    return fields[field].name;
}

int stick_animation_frames_components(StickAnimationFramesField field, int dim)
{
    return fields[field].vector ? dim : 1;
}

// ---- one frame

static void widen(StickAnimationFramesSpan *span, double value)
{
    if (!isfinite(value))
        return;
    span->least = fmin(span->least, value); // of NaN and a number the number
    span->most = fmax(span->most, value);
}

// Range of what people see of a field: of a vector its length. all has so many numbers of each point.
static StickAnimationFramesSpan span_of(const StickAnimationFrames *reel, const double *all, int stored,
                                        int components)
{
    StickAnimationFramesSpan span = {NAN, NAN};
    for (int i = 0; i < reel->nsoft; i++) {
        const double *value = all + (size_t)reel->scene.skin.node[reel->soft[i]] * (size_t)stored;
        double length = components > 1 ? 0 : value[0];
        for (int k = 0; k < components && components > 1; k++)
            length = hypot(length, value[k]);
        widen(&span, length);
    }
    return span;
}

// What contact exerts on each deformable body in all.
static void add_forces(const StickAnimationFrames *reel, const double *all, int stored, double *total)
{
    const StickScene *scene = &reel->scene;
    for (int b = 0; b < scene->nbodies; b++) {
        if (reel->model->body[b].rigid)
            continue;
        const StickSceneBody *body = &scene->body[b];
        for (int i = body->first_node; i < body->first_node + body->nodes; i++)
            for (int k = 0; k < scene->dim; k++) {
                double force = all[(size_t)scene->skin.node[i] * (size_t)stored + (size_t)k];
                total[b * scene->dim + k] += isfinite(force) ? force : 0;
            }
    }
}

// Values of the nodes; NaN where the file does not have the field.
static StickStatus read_field(const StickAnimationFrames *reel, const StickVtuFile *file,
                              StickAnimationFramesField field, StickAnimationFrame *frame)
{
    const char *name = fields[field].name;
    float *value = frame->value + reel->first[field];
    int components = stick_animation_frames_components(field, reel->scene.dim);
    int stored = stick_vtu_components(file, STICK_VTU_POINT_DATA, name);
    double *all = NULL;
    if (stored >= components)
        STICK_TRY(stick_vtu_values(file, STICK_VTU_POINT_DATA, name, &all));
    for (int i = 0; i < reel->nsoft; i++)
        for (int k = 0; k < components; k++) {
            size_t at = (size_t)reel->scene.skin.node[reel->soft[i]] * (size_t)stored + (size_t)k;
            value[(size_t)i * (size_t)components + (size_t)k] = all ? (float)all[at] : NAN;
        }
    frame->span[field] = all ? span_of(reel, all, stored, components) : (StickAnimationFramesSpan){NAN, NAN};
    if (all && field == STICK_ANIMATION_CONTACT_FORCE)
        add_forces(reel, all, stored, frame->total);
    stick_free(reel->ctx, all);
    return STICK_OK;
}

static StickStatus fill_frame(const StickAnimationFrames *reel, const StickVtuFile *file, const char *path,
                              StickAnimationFrame *frame)
{
    StickMark mark = {path, 0, 0};
    if (stick_vtu_points(file) != reel->scene.npoints)
        return stick_fail_at(reel->ctx, STICK_BAD_INPUT, mark, "it has %d points, but others have %d",
                             stick_vtu_points(file), reel->scene.npoints);
    const char *must = fields[STICK_ANIMATION_DISPLACEMENT].name;
    if (stick_vtu_components(file, STICK_VTU_POINT_DATA, must) < reel->scene.dim)
        return stick_fail_at(reel->ctx, STICK_BAD_INPUT, mark, "it has no field '%s'", must);
    for (int f = 0; f < STICK_ANIMATION_FIELDS; f++)
        STICK_TRY(read_field(reel, file, (StickAnimationFramesField)f, frame));
    return STICK_OK;
}

// What is known of rigid bodies as if it were known at their nodes.
static void add_rigid(const StickAnimationFrames *reel, StickAnimationFrame *frame)
{
    const StickScene *scene = &reel->scene;
    StickAnimationFramesSpan *moves = &frame->span[STICK_ANIMATION_DISPLACEMENT],
                             *runs = &frame->span[STICK_ANIMATION_VELOCITY];
    for (int b = 0, k = 0; b < scene->nbodies; b++) {
        const StickSceneBody *body = &scene->body[b];
        if (!reel->model->body[b].rigid)
            continue;
        StickRigidNodes nodes = {scene->dim, body->nodes,
                                 scene->x + (size_t)body->first_node * (size_t)scene->dim};
        stick_rigid_frame_widen(&frame->rigid, k, &nodes, false, &moves->least, &moves->most);
        stick_rigid_frame_widen(&frame->rigid, k, &nodes, true, &runs->least, &runs->most);
        for (int i = 0; i < scene->dim; i++)
            frame->total[b * scene->dim + i] = frame->rigid.value[STICK_RIGID_FORCE][3 * k + i];
        k++;
    }
}

static void drop_frame(StickContext *ctx, StickAnimationFrame *frame)
{
    stick_free(ctx, frame->value);
    stick_free(ctx, frame->total);
    stick_rigid_frame_destroy(ctx, &frame->rigid);
}

// Takes the rigid frame over where all goes well. file: NULL where it tells nothing.
static StickStatus add_frame(StickAnimationFrames *reel, const StickVtuFile *file, const char *path,
                             double time, StickRigidFrame *rigid)
{
    STICK_RESERVE(reel->ctx, reel->frame, reel->room, reel->count + 1);
    StickAnimationFrame frame = {
        .time = time,
        .value = stick_alloc(reel->ctx, reel->size, sizeof *frame.value),
        .total = stick_alloc(reel->ctx, (size_t)(reel->scene.nbodies * reel->scene.dim), sizeof *frame.total),
    };
    for (int f = 0; f < STICK_ANIMATION_FIELDS; f++)
        frame.span[f] = (StickAnimationFramesSpan){NAN, NAN};
    StickStatus status = frame.value && frame.total ? STICK_OK : STICK_NO_MEMORY;
    if (status == STICK_OK && file)
        status = fill_frame(reel, file, path, &frame);
    if (status != STICK_OK) {
        drop_frame(reel->ctx, &frame);
        return status;
    }
    frame.rigid = *rigid;
    *rigid = (StickRigidFrame){0};
    add_rigid(reel, &frame);
    reel->frame[reel->count++] = frame;
    return STICK_OK;
}

// ---- the scene

static StickStatus find_soft(StickAnimationFrames *reel)
{
    const StickScene *scene = &reel->scene;
    STICK_ALLOC(reel->ctx, reel->soft, scene->skin.nnodes);
    for (int b = 0; b < scene->nbodies; b++)
        for (int i = 0; i < scene->body[b].nodes && !reel->model->body[b].rigid; i++)
            reel->soft[reel->nsoft++] = scene->body[b].first_node + i;
    return STICK_OK;
}

static void lay_out(StickAnimationFrames *reel)
{
    for (int f = 0; f < STICK_ANIMATION_FIELDS; f++) {
        int components = stick_animation_frames_components((StickAnimationFramesField)f, reel->scene.dim);
        reel->first[f] = reel->size;
        reel->width[f] = (size_t)reel->nsoft * (size_t)components;
        reel->size += reel->width[f];
    }
}

// Mass centres at the start.
static void find_origins(const StickModel *model, const StickRigidFrame *rigid, double *origin)
{
    for (int b = 0, k = 0; b < model->nbodies; b++) {
        if (!model->body[b].rigid)
            continue;
        for (int i = 0; i < 3; i++)
            origin[3 * b + i] = rigid->centre[3 * k + i] - rigid->value[STICK_RIGID_DISPLACEMENT][3 * k + i];
        k++;
    }
}

// That of the first frame that has one.
static StickStatus make_scene(StickAnimationFrames *reel, const StickVtuFile *file, const char *path,
                              const StickRigidFrame *rigid)
{
    double *origin;
    STICK_ALLOC(reel->ctx, origin, 3 * (size_t)reel->model->nbodies);
    find_origins(reel->model, rigid, origin);
    StickStatus status =
        stick_scene_create(reel->ctx, file, path, reel->model->nbodies, origin, &reel->scene);
    stick_free(reel->ctx, origin);
    STICK_TRY(status);
    STICK_TRY(find_soft(reel));
    lay_out(reel);
    return STICK_OK;
}

static StickStatus use_file(StickAnimationFrames *reel, const StickVtuFile *file, const char *path,
                            double time, StickRigidFrame *rigid)
{
    if (reel->scene.npoints == 0)
        STICK_TRY(make_scene(reel, file, path, rigid));
    return add_frame(reel, reel->nsoft > 0 ? file : NULL, path, time, rigid);
}

// ---- files of a frame

enum { FIELDS, BODIES, CONTACTS, SERIES };

static const char *const series_name[SERIES] = {"fields", "bodies", "contacts"};

// The series of a run names files in its own folder, and its times do not go back.
static StickStatus check_entry(const StickAnimationFrames *reel, const char *series,
                               const StickPvdEntry *entry)
{
    const char *file = entry->file;
    bool inside = file[0] != '/' && strcmp(file, "..") != 0 && strncmp(file, "../", 3) != 0;
    for (const char *at = strstr(file, "/.."); at; at = strstr(at + 1, "/.."))
        inside = inside && at[3] != '/' && at[3] != '\0';
    STICK_CHECK(reel->ctx, inside, STICK_BAD_INPUT, "%s.pvd names '%s', which is not in its folder", series,
                file);
    STICK_CHECK(reel->ctx, reel->count == 0 || entry->time >= reel->frame[reel->count - 1].time,
                STICK_BAD_INPUT, "%s.pvd goes back in time with '%s', from t = %g to %g", series, file,
                reel->frame[reel->count - 1].time, entry->time);
    return STICK_OK;
}

// A frame of the fields; where all is rigid only the first one tells something.
static StickStatus read_fields(StickAnimationFrames *reel, const char *path, double time,
                               StickRigidFrame *rigid)
{
    if (reel->scene.npoints > 0 && reel->nsoft == 0)
        return add_frame(reel, NULL, path, time, rigid);
    StickVtuFile *file;
    STICK_TRY(stick_vtu_open(reel->ctx, path, &file));
    StickStatus status = use_file(reel, file, path, time, rigid);
    stick_vtu_close(file);
    return status;
}

static StickStatus read_paths(StickAnimationFrames *reel, char *const path[SERIES], double time)
{
    StickRigidFrame rigid = {0};
    if (reel->model->nrigid > 0)
        STICK_TRY(stick_rigid_frame_read(reel->ctx, path[BODIES], path[CONTACTS], reel->model, &rigid));
    StickStatus status = read_fields(reel, path[FIELDS], time, &rigid);
    stick_rigid_frame_destroy(reel->ctx, &rigid);
    return status;
}

// Frame k; all series have the same times.
static StickStatus read_file(StickAnimationFrames *reel, const StickAnimationFramesSource *source,
                             const StickPvd *series, size_t k)
{
    char *path[SERIES] = {0};
    double time = series[FIELDS].entry[k].time;
    StickStatus status = STICK_OK;
    for (int j = 0; j < (source->model->nrigid > 0 ? SERIES : 1) && status == STICK_OK; j++) {
        if (k >= series[j].count || series[j].entry[k].time != time)
            status =
                stick_fail(reel->ctx, STICK_BAD_INPUT, "%s.pvd has no file of t = %g", series_name[j], time);
        if (status == STICK_OK)
            status = check_entry(reel, series_name[j], &series[j].entry[k]);
        if (status == STICK_OK &&
            !(path[j] = stick_path_join(reel->ctx, source->folder, series[j].entry[k].file)))
            status = STICK_NO_MEMORY;
    }
    if (status == STICK_OK)
        status = read_paths(reel, path, time);
    for (int j = 0; j < SERIES; j++)
        stick_free(reel->ctx, path[j]);
    return status;
}

// A frame that cannot be read is left out.
static StickStatus read_frame(StickAnimationFrames *reel, const StickAnimationFramesSource *source,
                              const StickPvd *series, size_t k)
{
    StickStatus status = read_file(reel, source, series, k);
    if (status == STICK_OK || status == STICK_NO_MEMORY)
        return status;
    reel->unreadable++;
    stick_diagnostic_filter_warn(reel->ctx, source->hear, "a frame is left out");
    return STICK_OK;
}

// ---- all frames

// Every how many of the frames that are left memory has room for.
static size_t stride_for(const StickAnimationFrames *reel, size_t left)
{
    enum {
        RIGID = 64
    }; // about so many numbers of a rigid body and its contacts, each as large as two of a field
    size_t each = reel->size + 2 * RIGID * (size_t)reel->model->nrigid;
    size_t fit = most_numbers / (each ? each : 1);
    return fit < 2 ? left + 1 : left / (fit - 1) + (left % (fit - 1) != 0);
}

static StickStatus read_frames(StickAnimationFrames *reel, const StickAnimationFramesSource *source,
                               const StickPvd *series)
{
    size_t k = 0, stride = 1;
    size_t count = series[FIELDS].count;
    reel->all = (int)count;
    while (k < count) {
        STICK_TRY(read_frame(reel, source, series, k));
        if (reel->count == 1 && !source->full)
            stride = stride_for(reel, count - 1 - k);
        if (stride == 0 || k == count - 1)
            break;
        // the last one is always there
        k = k + stride < count ? k + stride : count - 1;
    }
    return STICK_OK;
}

static StickStatus read_list(StickAnimationFrames *reel, const StickAnimationFramesSource *source, int k,
                             StickPvd *series)
{
    char name[32];
    snprintf(name, sizeof name, "%s.pvd", series_name[k]);
    char *path = stick_path_join(reel->ctx, source->folder, name);
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = k > 0 || stick_file_exists(path) ? stick_pvd_read(series, path) : STICK_OK;
    stick_free(reel->ctx, path);
    return status;
}

static StickStatus read_series(StickAnimationFrames *reel, const StickAnimationFramesSource *source)
{
    StickPvd series[SERIES];
    StickStatus status = STICK_OK;
    for (int k = 0; k < SERIES; k++)
        stick_pvd_init(&series[k], reel->ctx);
    for (int k = 0; k < SERIES && status == STICK_OK; k++)
        if (k == 0 || (source->model->nrigid > 0 && series[FIELDS].count > 0))
            status = read_list(reel, source, k, &series[k]);
    if (status == STICK_OK) {
        status = read_frames(reel, source, series);
    } else if (status != STICK_NO_MEMORY) {
        reel->broken = true;
        stick_diagnostic_filter_warn(reel->ctx, source->hear, "there is no animation");
        status = STICK_OK;
    }
    for (int k = 0; k < SERIES; k++)
        stick_pvd_destroy(&series[k]);
    return status;
}

StickStatus stick_animation_frames_create(StickContext *ctx, const StickAnimationFramesSource *source,
                                          StickAnimationFrames *reel)
{
    StickAnimationFrames made = {.ctx = ctx, .model = source->model};
    StickStatus status = read_series(&made, source);
    if (status == STICK_OK)
        *reel = made;
    else
        stick_animation_frames_destroy(&made);
    return status;
}

void stick_animation_frames_destroy(StickAnimationFrames *reel)
{
    for (int k = 0; k < reel->count; k++)
        drop_frame(reel->ctx, &reel->frame[k]);
    stick_free(reel->ctx, reel->frame);
    stick_free(reel->ctx, reel->soft);
    stick_scene_destroy(reel->ctx, &reel->scene);
    *reel = (StickAnimationFrames){.ctx = reel->ctx};
}

// ---- looking at it

const float *stick_animation_frames_values(const StickAnimationFrames *reel, StickAnimationFramesField field,
                                           int frame)
{
    return reel->frame[frame].value + reel->first[field];
}

bool stick_animation_frames_shows(const StickAnimationFrames *reel, StickAnimationFramesField field)
{
    for (int k = 0; k < reel->count; k++) {
        const float *value = stick_animation_frames_values(reel, field, k);
        if (reel->model->nrigid > 0 && reel->frame[k].span[field].most > 0)
            return true;
        for (size_t i = 0; i < reel->width[field]; i++)
            if (isfinite(value[i]) && value[i] != 0)
                return true;
    }
    return false;
}

bool stick_animation_frames_watches(const StickAnimationFrames *reel, int node)
{
    for (int k = 0; k < reel->count; k++) {
        float status = stick_animation_frames_values(reel, STICK_ANIMATION_STATUS, k)[node];
        if (isfinite(stick_animation_frames_values(reel, STICK_ANIMATION_GAP, k)[node]) ||
            (isfinite(status) && status != 0))
            return true;
    }
    return false;
}

// SPDX-License-Identifier: Apache-2.0
#include "report/animation.h"

#include "base/diagnostic_filter.h"
#include "base/file.h"
#include "output/units.h"
#include "report/obstacles.h"
#include "report/rigid_part.h"

#include <math.h>
#include <string.h>

// How much is kept: every so many of the frames, and the last one.
typedef struct Plan {
    StickBlobsType
        type; // of all fields but the displacement and the status; STICK_BLOB_FLOAT32: of these, too
    int stride;
} Plan;

// A field as it was packed.
typedef struct Packed {
    StickAnimationFramesSpan span; // of what people see, over the frames
    double resolution;
    int data, least, most; // blocks
} Packed;

typedef struct Animator {
    StickContext *ctx; // quiet
    StickContext *hear;
    const char *folder;
    const StickAnimationOptions *options;
    StickBlobs *blocks;
    StickModel *model;
    StickAnimationFrames reel;
    size_t before; // bytes of the blocks before
    size_t words;  // bytes of JSON, roughly: they count, too
    bool shown[STICK_ANIMATION_FIELDS];
    // of the plan that was packed last
    Plan plan;
    int frames;
    int *kept;    // frames of the reel
    double *time; // of these
    // blocks
    int labels, positions, triangles, edges, times, total;
    Packed field[STICK_ANIMATION_FIELDS];
    int *motion; // of each obstacle
    StickRigidPart rigid;
} Animator;

// ---- what is known before frames are chosen

static StickStatus read_model(Animator *animator)
{
    char *path = stick_path_join(animator->ctx, animator->folder, "model.yaml");
    if (!path)
        return STICK_NO_MEMORY;
    StickStatus status = STICK_OK;
    StickHush before = stick_context_hush(animator->ctx, STICK_HUSH_WARNINGS); // the run has said them
    if (stick_file_is_regular(path))
        status = stick_model_read(animator->ctx, path, NULL, 0, &animator->model);
    else
        status = stick_fail(animator->ctx, STICK_IO, "'%s' is no file", path);
    stick_context_hush(animator->ctx, before);
    stick_free(animator->ctx, path);
    return status;
}

static StickStatus read_reel(Animator *animator)
{
    StickAnimationFramesSource source = {.folder = animator->folder,
                                         .model = animator->model,
                                         .full = animator->options->full,
                                         .hear = animator->hear};
    STICK_TRY(stick_animation_frames_create(animator->ctx, &source, &animator->reel));
    const StickAnimationFrames *reel = &animator->reel;
    for (int f = 0; f < STICK_ANIMATION_FIELDS && reel->count > 0; f++)
        animator->shown[f] = f == STICK_ANIMATION_DISPLACEMENT ||
                             stick_animation_frames_shows(reel, (StickAnimationFramesField)f);
    // where bodies are rigid, contacts have their forces themselves
    if (animator->model->nrigid > 0)
        animator->shown[STICK_ANIMATION_CONTACT_FORCE] = false;
    STICK_ALLOC(animator->ctx, animator->kept, reel->count);
    STICK_ALLOC(animator->ctx, animator->time, reel->count);
    STICK_ALLOC(animator->ctx, animator->motion, animator->model->nobstacles);
    return STICK_OK;
}

static void estimate_words(Animator *animator)
{
    enum { NODE = 20, BODY = 150, POINT = 40, OBSTACLE = 600, JOINT = 200 };
    const StickModel *model = animator->model;
    for (int i = 0; i < animator->reel.nsoft; i++)
        animator->words += stick_animation_frames_watches(&animator->reel, i) ? NODE : 0;
    animator->words += BODY * (size_t)model->nbodies + JOINT * (size_t)model->njoints;
    for (int k = 0; k < model->nobstacles; k++)
        animator->words += OBSTACLE + POINT * (size_t)model->obstacle[k].npoints;
}

// Nodes by their numbers within the body: bodies alike are alike then, which costs next to nothing. each: nodes of a
// triangle or edge.
static StickStatus pack_within(Animator *animator, const unsigned *node, int count, int each, int *number)
{
    const StickScene *scene = &animator->reel.scene;
    unsigned *within;
    STICK_ALLOC(animator->ctx, within, (size_t)count * (size_t)each);
    for (int b = 0; b < scene->nbodies; b++) {
        const StickSceneBody *body = &scene->body[b];
        int first = each == 3 ? body->first_triangle : body->first_edge;
        int own = each == 3 ? body->triangles : body->edges;
        for (int k = first * each; k < (first + own) * each; k++)
            within[k] = node[k] - (unsigned)body->first_node;
    }
    StickStatus status =
        stick_blobs_add(animator->blocks, STICK_BLOB_UINT32, within, (size_t)count * (size_t)each, number);
    stick_free(animator->ctx, within);
    return status;
}

static StickStatus pack_scene(Animator *animator)
{
    const StickScene *scene = &animator->reel.scene;
    const StickSkin *skin = &scene->skin;
    StickBlobs *blocks = animator->blocks;
    STICK_TRY(
        stick_blobs_add(blocks, STICK_BLOB_UINT32, scene->label, (size_t)skin->nnodes, &animator->labels));
    STICK_TRY(stick_blobs_add(blocks, STICK_BLOB_FLOAT32, scene->x, (size_t)skin->nnodes * (size_t)scene->dim,
                              &animator->positions));
    STICK_TRY(pack_within(animator, skin->triangle, skin->ntriangles, 3, &animator->triangles));
    return pack_within(animator, skin->edge, skin->nedges, 2, &animator->edges);
}

// ---- frames of a plan

static void choose_frames(Animator *animator, Plan plan)
{
    const StickAnimationFrames *reel = &animator->reel;
    animator->plan = plan;
    animator->frames = 0;
    for (int k = 0; k < reel->count; k++)
        if (k % plan.stride == 0 || k == reel->count - 1) {
            animator->kept[animator->frames] = k;
            animator->time[animator->frames++] = reel->frame[k].time;
        }
}

// Range of the numbers of a field.
static StickAnimationFramesSpan range_of(const Animator *animator, StickAnimationFramesField field)
{
    const StickAnimationFrames *reel = &animator->reel;
    StickAnimationFramesSpan range = {NAN, NAN};
    for (int k = 0; k < animator->frames; k++) {
        const float *value = stick_animation_frames_values(reel, field, animator->kept[k]);
        for (size_t i = 0; i < reel->width[field]; i++)
            if (isfinite(value[i])) {
                range.least = fmin(range.least, (double)value[i]);
                range.most = fmax(range.most, (double)value[i]);
            }
    }
    return range;
}

// The status is a name, not a quantity: it stays as it is.
static StickBlobsScale scale_of(const Animator *animator, StickAnimationFramesField field,
                                StickAnimationFramesSpan range)
{
    if (field == STICK_ANIMATION_STATUS)
        return (StickBlobsScale){STICK_BLOB_INT8, 1, 0};
    return stick_blobs_scale(field == STICK_ANIMATION_DISPLACEMENT ? STICK_BLOB_INT16 : animator->plan.type,
                             range.least, range.most);
}

// Numbers of all frames of the plan; row has room for one frame.
static void quantise(const Animator *animator, StickAnimationFramesField field, const StickBlobsScale *scale,
                     double *row, void *numbers)
{
    size_t width = animator->reel.width[field];
    for (int k = 0; k < animator->frames; k++) {
        const float *value = stick_animation_frames_values(&animator->reel, field, animator->kept[k]);
        for (size_t i = 0; i < width; i++)
            row[i] = (double)value[i];
        stick_blobs_apply(scale, row, width, numbers, width * (size_t)k);
    }
}

static StickStatus pack_quantised(Animator *animator, StickAnimationFramesField field, Packed *packed)
{
    size_t width = animator->reel.width[field], count = width * (size_t)animator->frames;
    StickAnimationFramesSpan range = range_of(animator, field);
    StickBlobsScale scale = scale_of(animator, field, range);
    double *row = stick_alloc(animator->ctx, width, sizeof *row);
    void *numbers = stick_alloc(animator->ctx, count, scale.type == STICK_BLOB_INT8 ? 1 : 2);
    StickStatus status = row && numbers ? STICK_OK : STICK_NO_MEMORY;
    if (status == STICK_OK) {
        quantise(animator, field, &scale, row, numbers);
        status = stick_blobs_add_frames(animator->blocks, &scale, numbers, count, width, &packed->data);
    }
    // one value alone is exact, and so is a status
    bool steps = range.least < range.most && field != STICK_ANIMATION_STATUS;
    packed->resolution = steps ? 0.5 * scale.scale : 0;
    stick_free(animator->ctx, row);
    stick_free(animator->ctx, numbers);
    return status;
}

static StickStatus pack_whole(Animator *animator, StickAnimationFramesField field, Packed *packed)
{
    size_t width = animator->reel.width[field], count = width * (size_t)animator->frames;
    float *numbers;
    STICK_ALLOC(animator->ctx, numbers, count);
    for (int k = 0; k < animator->frames; k++)
        memcpy(numbers + width * (size_t)k,
               stick_animation_frames_values(&animator->reel, field, animator->kept[k]),
               width * sizeof *numbers);
    StickStatus status = stick_blobs_add(animator->blocks, STICK_BLOB_FLOAT32, numbers, count, &packed->data);
    packed->resolution = 0;
    stick_free(animator->ctx, numbers);
    return status;
}

// Extremes of each frame, and of all of them.
static StickStatus pack_spans(Animator *animator, StickAnimationFramesField field, Packed *packed)
{
    int frames = animator->frames;
    double *least;
    STICK_ALLOC(animator->ctx, least, 2 * (size_t)frames);
    double *most = least + frames;
    packed->span = (StickAnimationFramesSpan){NAN, NAN};
    for (int k = 0; k < frames; k++) {
        const StickAnimationFramesSpan *span = &animator->reel.frame[animator->kept[k]].span[field];
        least[k] = span->least;
        most[k] = span->most;
        packed->span.least = fmin(packed->span.least, span->least); // of NaN and a number the number
        packed->span.most = fmax(packed->span.most, span->most);
    }
    if (!(packed->span.least <= packed->span.most))
        packed->span = (StickAnimationFramesSpan){0, 0};
    StickBlobs *blocks = animator->blocks;
    StickStatus status = stick_blobs_add(blocks, STICK_BLOB_FLOAT64, least, (size_t)frames, &packed->least);
    if (status == STICK_OK)
        status = stick_blobs_add(blocks, STICK_BLOB_FLOAT64, most, (size_t)frames, &packed->most);
    stick_free(animator->ctx, least);
    return status;
}

static StickStatus pack_field(Animator *animator, StickAnimationFramesField field)
{
    Packed *packed = &animator->field[field];
    bool whole = animator->plan.type == STICK_BLOB_FLOAT32 && field != STICK_ANIMATION_STATUS;
    STICK_TRY(whole ? pack_whole(animator, field, packed) : pack_quantised(animator, field, packed));
    return pack_spans(animator, field, packed);
}

// Of many rigid bodies nobody reads the sums: their contacts have all.
static bool has_totals(const Animator *animator)
{
    enum { MOST = 8 };
    const StickModel *model = animator->model;
    return animator->shown[STICK_ANIMATION_CONTACT_FORCE] || (model->nrigid > 0 && model->nbodies <= MOST);
}

static StickStatus pack_total_force(Animator *animator)
{
    const StickScene *scene = &animator->reel.scene;
    size_t each = (size_t)(scene->nbodies * scene->dim), count = each * (size_t)animator->frames;
    double *total;
    if (!has_totals(animator))
        return STICK_OK;
    STICK_ALLOC(animator->ctx, total, count);
    for (int k = 0; k < animator->frames; k++)
        memcpy(total + each * (size_t)k, animator->reel.frame[animator->kept[k]].total, each * sizeof *total);
    StickStatus status =
        stick_blobs_add(animator->blocks, STICK_BLOB_FLOAT64, total, count, &animator->total);
    stick_free(animator->ctx, total);
    return status;
}

static StickStatus pack_rigid(Animator *animator)
{
    StickRigidPlan plan = {.kept = animator->kept,
                           .frames = animator->frames,
                           .full = animator->plan.type == STICK_BLOB_FLOAT32,
                           .coarse = animator->plan.type == STICK_BLOB_INT8};
    if (animator->model->nrigid == 0)
        return STICK_OK;
    return stick_rigid_part_pack(&animator->reel, &plan, animator->blocks, &animator->rigid);
}

static StickStatus pack_frames(Animator *animator, Plan plan)
{
    choose_frames(animator, plan);
    STICK_TRY(stick_blobs_add(animator->blocks, STICK_BLOB_FLOAT64, animator->time, (size_t)animator->frames,
                              &animator->times));
    for (int f = 0; f < STICK_ANIMATION_FIELDS; f++)
        if (animator->shown[f])
            STICK_TRY(pack_field(animator, (StickAnimationFramesField)f));
    STICK_TRY(pack_total_force(animator));
    STICK_TRY(pack_rigid(animator));
    for (int k = 0; k < animator->model->nobstacles; k++)
        STICK_TRY(stick_obstacles_motion(animator->ctx, animator->model, k, animator->reel.scene.dim,
                                         animator->time, animator->frames, animator->blocks,
                                         &animator->motion[k]));
    return STICK_OK;
}

// ---- as much as there is room for

static size_t used(const Animator *animator)
{
    return animator->blocks->bytes - animator->before + animator->words;
}

static bool fits(const Animator *animator)
{
    return animator->options->full || used(animator) <= animator->options->budget;
}

// Packs the plan in place of the blocks behind the scene's.
static StickStatus try_plan(Animator *animator, Plan plan, bool *good)
{
    stick_blobs_cut(animator->blocks, animator->edges + 1);
    STICK_TRY(pack_frames(animator, plan));
    *good = fits(animator);
    return STICK_OK;
}

// The stride at which frames as large as those of the last try would just fit.
static int guess_stride(const Animator *animator, size_t scene)
{
    double room = (double)animator->options->budget - (double)scene;
    double each = (double)(used(animator) - scene) / animator->frames;
    double frames = floor(room / each);
    int most = animator->reel.count - 1;
    return frames < 3 ? most : (int)fmin(most, ceil(most / (frames - 1)));
}

// The smallest stride that fits, found by a few tries between one that does not and one that does.
static StickStatus thin_out(Animator *animator, size_t scene, bool *good)
{
    enum { TRIES = 5 };
    StickBlobsType type = animator->plan.type;
    int bad = animator->plan.stride, last = animator->reel.count - 1, found = last + 1;
    for (int k = 0; k < TRIES && bad + 1 < found; k++) {
        int stride = guess_stride(animator, scene);
        if (stride >= found && found <= last)
            break;
        stride = stride > bad ? stride : bad + 1;
        STICK_TRY(try_plan(animator, (Plan){type, stride}, good));
        if (*good)
            found = stride;
        else
            bad = stride;
    }
    int stride = found <= last ? found : last;
    bool packed = animator->plan.stride == stride;
    return packed ? STICK_OK : try_plan(animator, (Plan){type, stride}, good);
}

static StickStatus pack_best(Animator *animator, bool *good)
{
    size_t scene = used(animator);
    *good = fits(animator);
    if (!*good)
        return STICK_OK;
    if (animator->options->full)
        return try_plan(animator, (Plan){STICK_BLOB_FLOAT32, 1}, good);
    STICK_TRY(try_plan(animator, (Plan){STICK_BLOB_INT16, 1}, good));
    if (!*good)
        STICK_TRY(try_plan(animator, (Plan){STICK_BLOB_INT8, 1}, good));
    return *good || animator->reel.count < 3 ? STICK_OK : thin_out(animator, scene, good);
}

// ---- JSON

static void block_json(const Animator *animator, StickJson *json, const char *key, int block)
{
    stick_json_key(json, key);
    stick_blobs_json(json, animator->blocks, block);
}

static void field_json(const Animator *animator, StickAnimationFramesField field, StickJson *json)
{
    static const struct {
        const char *label;
        StickQuantity quantity;
    } about[STICK_ANIMATION_FIELDS] = {
        [STICK_ANIMATION_DISPLACEMENT] = {"displacement", STICK_LENGTH},
        [STICK_ANIMATION_VELOCITY] = {"velocity", STICK_VELOCITY},
        [STICK_ANIMATION_VON_MISES] = {"von Mises stress", STICK_PRESSURE},
        [STICK_ANIMATION_CONTACT_PRESSURE] = {"contact pressure", STICK_PRESSURE},
        [STICK_ANIMATION_STATUS] = {"contact status", STICK_NO_UNIT},
        [STICK_ANIMATION_GAP] = {"gap", STICK_LENGTH},
        [STICK_ANIMATION_CONTACT_FORCE] = {"contact force", STICK_FORCE},
    };
    const Packed *packed = &animator->field[field];
    char unit[STICK_UNIT_TEXT];
    stick_unit(&animator->model->units, about[field].quantity, unit);
    stick_json_object(json);
    stick_json_key(json, "name");
    stick_json_text(json, stick_animation_frames_name(field));
    stick_json_key(json, "label");
    stick_json_text(json, about[field].label);
    stick_json_key(json, "unit");
    stick_json_text(json, unit);
    stick_json_add_integer(json, "components",
                           stick_animation_frames_components(field, animator->reel.scene.dim));
    stick_json_add_number(json, "least", packed->span.least);
    stick_json_add_number(json, "most", packed->span.most);
    block_json(animator, json, "frameLeast", packed->least);
    block_json(animator, json, "frameMost", packed->most);
    stick_json_add_number(json, "resolution", packed->resolution);
    block_json(animator, json, "data", packed->data);
    stick_json_end_object(json);
}

static void fields_json(const Animator *animator, StickJson *json)
{
    stick_json_key(json, "fields");
    stick_json_list(json);
    for (int f = 0; f < STICK_ANIMATION_FIELDS; f++)
        if (animator->shown[f] && f != STICK_ANIMATION_CONTACT_FORCE)
            field_json(animator, (StickAnimationFramesField)f, json);
    stick_json_end_list(json);
}

static void forces_json(const Animator *animator, StickJson *json)
{
    bool there = animator->shown[STICK_ANIMATION_CONTACT_FORCE];
    stick_json_key(json, "forces");
    there ? field_json(animator, STICK_ANIMATION_CONTACT_FORCE, json) : stick_json_text(json, NULL);
    stick_json_key(json, "totalForce");
    has_totals(animator) ? stick_blobs_json(json, animator->blocks, animator->total)
                         : stick_json_text(json, NULL);
}

static void bodies_json(const Animator *animator, StickJson *json)
{
    int rigid = 0;
    stick_json_key(json, "bodies");
    stick_json_list(json);
    for (int b = 0; b < animator->model->nbodies; b++) {
        const StickSceneBody *body = &animator->reel.scene.body[b];
        stick_json_object(json);
        stick_json_key(json, "name");
        stick_json_text(json, animator->model->body[b].name);
        const StickBodySpec *spec = &animator->model->body[b];
        if (spec->material >= 0 && spec->material < animator->model->nmaterials)
            stick_json_add_text(json, "material", animator->model->material[spec->material].name);
        stick_json_add_integer(json, "firstNode", body->first_node);
        stick_json_add_integer(json, "nodes", body->nodes);
        stick_json_add_integer(json, "firstTriangle", body->first_triangle);
        stick_json_add_integer(json, "triangles", body->triangles);
        stick_json_add_integer(json, "firstEdge", body->first_edge);
        stick_json_add_integer(json, "edges", body->edges);
        if (animator->model->body[b].rigid)
            stick_json_add_integer(json, "rigid", rigid++);
        stick_json_end_object(json);
    }
    stick_json_end_list(json);
}

static void obstacles_json(const Animator *animator, StickJson *json)
{
    stick_json_key(json, "obstacles");
    stick_json_list(json);
    for (int k = 0; k < animator->model->nobstacles; k++)
        stick_obstacles_json(json, &animator->model->obstacle[k], animator->reel.scene.dim, animator->blocks,
                             animator->motion[k]);
    stick_json_end_list(json);
}

static void contact_nodes_json(const Animator *animator, StickJson *json)
{
    stick_json_key(json, "contactNodes");
    stick_json_list(json);
    for (int i = 0; i < animator->reel.nsoft; i++)
        if (stick_animation_frames_watches(&animator->reel, i))
            stick_json_integer(json, animator->reel.soft[i]);
    stick_json_end_list(json);
}

static void animation_json(const Animator *animator, StickJson *json)
{
    const StickAnimationFrames *reel = &animator->reel;
    stick_json_object(json);
    stick_json_add_integer(json, "dimension", reel->scene.dim);
    stick_json_add_integer(json, "frames", animator->frames);
    stick_json_add_integer(json, "allFrames", reel->all);
    block_json(animator, json, "times", animator->times);
    stick_json_add_integer(json, "nodes", reel->scene.skin.nnodes);
    block_json(animator, json, "labels", animator->labels);
    block_json(animator, json, "positions", animator->positions);
    block_json(animator, json, "triangles", animator->triangles);
    block_json(animator, json, "edges", animator->edges);
    bodies_json(animator, json);
    obstacles_json(animator, json);
    fields_json(animator, json);
    forces_json(animator, json);
    stick_rigid_part_json(reel, animator->blocks, &animator->rigid, json);
    stick_rigid_part_joints(animator->model, reel->scene.dim, json);
    contact_nodes_json(animator, json);
    stick_json_end_object(json);
}

// ---- all of it

static StickStatus animate(Animator *animator, StickAnimationLoss *loss, bool *there)
{
    STICK_TRY(read_model(animator));
    STICK_TRY(read_reel(animator));
    loss->all_frames = animator->reel.all;
    loss->unreadable = animator->reel.unreadable;
    loss->broken = animator->reel.broken;
    if (animator->reel.count == 0)
        return STICK_OK;
    estimate_words(animator);
    STICK_TRY(pack_scene(animator));
    STICK_TRY(pack_best(animator, there));
    loss->none = !*there;
    if (*there) {
        loss->frames = animator->frames;
        loss->coarse = animator->plan.type == STICK_BLOB_INT8;
    }
    return STICK_OK;
}

static void release(Animator *animator)
{
    stick_animation_frames_destroy(&animator->reel);
    stick_model_destroy(animator->model);
    stick_free(animator->ctx, animator->kept);
    stick_free(animator->ctx, animator->time);
    stick_free(animator->ctx, animator->motion);
    stick_context_destroy(animator->ctx);
}

static bool has_fields(StickContext *ctx, const char *folder, StickStatus *status)
{
    char *path = stick_path_join(ctx, folder, "fields.pvd");
    bool there = path && stick_file_exists(path);
    *status = path ? STICK_OK : STICK_NO_MEMORY;
    stick_free(ctx, path);
    return there;
}

static StickStatus add(StickContext *ctx, Animator *animator, StickJson *json, StickAnimationLoss *loss)
{
    int before = animator->blocks->count;
    StickAnimationLoss found = {0};
    bool there = false;
    StickStatus status = animate(animator, &found, &there);
    if (!there || status != STICK_OK)
        stick_blobs_cut(animator->blocks, before);
    if (status == STICK_NO_MEMORY)
        return status;
    if (status != STICK_OK) {
        there = false;
        found.broken = true;
        stick_diagnostic_filter_warn(animator->ctx, ctx, "there is no animation");
    }
    if (there)
        animation_json(animator, json);
    else
        stick_json_text(json, NULL);
    *loss = found;
    return STICK_OK;
}

StickStatus stick_animation_add(StickContext *ctx, const char *folder, const StickAnimationOptions *options,
                                StickBlobs *blocks, StickJson *json, StickAnimationLoss *loss)
{
    StickStatus status;
    if (!has_fields(ctx, folder, &status)) {
        STICK_TRY(status);
        stick_json_text(json, NULL);
        *loss = (StickAnimationLoss){0};
        return STICK_OK;
    }
    Animator animator = {.ctx = stick_diagnostic_filter_create(ctx),
                         .hear = ctx,
                         .folder = folder,
                         .options = options,
                         .blocks = blocks,
                         .before = blocks->bytes};
    if (!animator.ctx)
        return STICK_NO_MEMORY;
    animator.reel.ctx = animator.ctx;
    status = add(ctx, &animator, json, loss);
    release(&animator);
    return status;
}

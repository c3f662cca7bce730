// SPDX-License-Identifier: Apache-2.0
#include "output/collapse.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

enum { NOT_FOUNDED = 1 << 30 };

static const double RESTING = 0.01;        // of the thickness: a body that has moved less has been at rest
static const double FALLEN = 0.5;          // of the thickness: a body that dropped by more has fallen ...
static const double TIPPED = STICK_PI / 4; // ... and one that tilted by more

// ---- what is a structure

static bool has_gravity(const StickModel *model)
{
    return model->gravity[0] || model->gravity[1] || model->gravity[2];
}

bool stick_collapse_wanted(const StickSystem *system)
{
    const StickModel *model = system->model;
    bool solid = false, dynamic = false;
    for (int k = 0; k < system->nrigid; k++)
        solid |= !stick_solid_is_ball(system->rigid[k].solid);
    for (int k = 0; k < model->nsteps; k++)
        dynamic |= model->step[k].kind == STICK_STEP_DYNAMICS;
    for (int k = 0; k < model->njoints; k++) {
        StickJointKind kind = model->joint[k].kind;
        if (kind != STICK_JOINT_FIXED && kind != STICK_JOINT_SPRING && kind != STICK_JOINT_DISTANCE)
            return false;
    }
    return solid && dynamic && has_gravity(model);
}

void stick_collapse_book(StickBook *book, const StickSystem *system)
{
    static const struct {
        const char *name;
        StickQuantity quantity;
    } columns[] = {
        {"t", STICK_TIME},
        {"bodies", STICK_NO_UNIT},
        {"fallen", STICK_NO_UNIT},
        {"fallen_body", STICK_NO_UNIT},
        {"displacement", STICK_LENGTH},
        {"displacement_relative", STICK_NO_UNIT},
        {"displacement_body", STICK_NO_UNIT},
        {"tilt", STICK_NO_UNIT},
        {"tilt_body", STICK_NO_UNIT},
        {"speed", STICK_VELOCITY},
        {"speed_relative", STICK_NO_UNIT},
    };
    *book = (StickBook){.name = stick_book_name(STICK_COLLAPSE)};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        stick_book_add(book, system, columns[k].name, columns[k].quantity);
}

static double extent(const StickSolid *solid, const double normal[3])
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < solid->skin.nnodes; i++) {
        double along = 0;
        for (int k = 0; k < solid->dim; k++)
            along += solid->skin.x[i * solid->dim + k] * normal[k];
        low = fmin(low, along);
        high = fmax(high, along);
    }
    return high - low;
}

// Least extent of the body across flat sides of its shapes, in whatever frame these were given; of what is round
// alone, the thickness of its thickest shape.
static double thickness_of(const StickSolid *solid)
{
    double least = INFINITY, round = 0;
    for (int s = 0; s < solid->nshapes; s++) {
        const StickConvex *shape = &solid->shape[s];
        if (shape->kind != STICK_SHAPE_POLYTOPE)
            round =
                fmax(round, shape->kind == STICK_SHAPE_CYLINDER ? 2 * fmin(shape->radius, shape->half_length)
                                                                : 2 * shape->radius);
        for (int f = 0; f < shape->nfaces; f++)
            least = fmin(least, extent(solid, shape->face + (size_t)4 * (size_t)f));
        for (int i = 0; i < shape->nvertices && solid->dim == 2; i++) {
            const double *a = shape->vertex + (size_t)3 * (size_t)i,
                         *b = shape->vertex + 3 * ((i + 1) % shape->nvertices);
            double x = b[0] - a[0], y = b[1] - a[1], length = hypot(x, y);
            least = fmin(least, extent(solid, (double[3]){y / length, -x / length}));
        }
    }
    return isfinite(least) ? least : round;
}

StickStatus stick_collapse_init(StickContext *ctx, const StickSystem *system, StickCollapse *collapse)
{
    *collapse = (StickCollapse){.ctx = ctx, .system = system, .foundation = NOT_FOUNDED};
    stick_collapse_book(&collapse->book, system);
    collapse->wanted = stick_collapse_wanted(system);
    if (!collapse->wanted)
        return STICK_OK;
    STICK_ALLOC(ctx, collapse->member, system->nbodies);
    STICK_ALLOC(ctx, collapse->thickness, system->nbodies);
    for (int b = 0; b < system->nbodies; b++)
        if (system->body[b].rigid)
            collapse->thickness[b] = thickness_of(system->body[b].rigid->solid);
    return STICK_OK;
}

void stick_collapse_destroy(StickCollapse *collapse)
{
    if (!collapse->ctx)
        return;
    stick_free(collapse->ctx, collapse->member);
    stick_free(collapse->ctx, collapse->thickness);
    *collapse = (StickCollapse){0};
}

// ---- its foundation

// All translations of the body are prescribed: it is no part of the structure.
static bool is_held(const StickSimulation *run, int b)
{
    for (int k = 0; k < run->system->dim; k++)
        if (!run->prescribed[run->system->body[b].first + k])
            return false;
    return true;
}

// Displacement and velocity of the foundation at the present time.
static StickStatus foundation_at(StickCollapse *collapse, const StickSimulation *run, double displacement[3],
                                 double velocity[3])
{
    int dim = collapse->system->dim;
    for (int k = 0; k < 3; k++)
        displacement[k] = velocity[k] = 0;
    if (collapse->foundation == NOT_FOUNDED)
        return STICK_OK;
    if (collapse->foundation < 0)
        return stick_translation_at(&collapse->translation, run->state.now.t, 0, displacement, velocity);
    const StickBody *body = &collapse->system->body[collapse->foundation];
    for (int k = 0; k < dim; k++) {
        displacement[k] = run->state.now.q[body->first + k];
        velocity[k] = run->state.now.v[body->first + k];
    }
    return STICK_OK;
}

static void set_foundation(StickCollapse *collapse, int foundation)
{
    const StickModel *model = collapse->system->model;
    collapse->founded = true;
    collapse->foundation = foundation;
    if (foundation < 0)
        stick_translation_init(collapse->ctx, &collapse->translation, &model->obstacle[-1 - foundation],
                               collapse->system->dim, stick_pairs_panel(model));
}

// The obstacle or held body with the most contacts that carry a force; the first of equals.
static StickStatus find_foundation(StickCollapse *collapse, const StickSimulation *run)
{
    const StickSystem *system = collapse->system;
    int nobstacles = system->model->nobstacles, best = -1, *count;
    STICK_ALLOC(collapse->ctx, count, nobstacles + system->nbodies);
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        if (!(run->r[c * system->dim] > 0))
            continue;
        if (contact->obstacle >= 0)
            count[contact->obstacle]++;
        for (int side = 0; side < 2; side++)
            if (contact->body[side] >= 0 && is_held(run, contact->body[side]))
                count[nobstacles + contact->body[side]]++;
    }
    for (int k = 0; k < nobstacles + system->nbodies; k++)
        if (count[k] > 0 && (best < 0 || count[k] > count[best]))
            best = k;
    set_foundation(collapse, best < 0 ? NOT_FOUNDED : best < nobstacles ? -1 - best : best - nobstacles);
    stick_free(collapse->ctx, count);
    double velocity[3];
    if (collapse->foundation >= 0) // its displacement is that since the start
        return STICK_OK;
    if (collapse->foundation != NOT_FOUNDED)
        return stick_translation_at(&collapse->translation, 0, 0, collapse->start, velocity);
    return STICK_OK;
}

// ---- its bodies

static double length_of(const double *x, int dim)
{
    return dim == 2 ? hypot(x[0], x[1]) : sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// Bodies that carry a force where they were at the start.
static StickStatus find_members(StickCollapse *collapse, const StickSimulation *run)
{
    const StickSystem *system = collapse->system;
    bool found = false;
    for (int c = 0; c < run->contacts.ncontacts; c++) {
        const StickContact *contact = &run->contacts.contact[c];
        if (!(run->r[c * system->dim] > 0))
            continue;
        for (int side = 0; side < 2; side++) {
            int b = contact->body[side];
            if (b < 0 || !system->body[b].rigid || collapse->member[b] > 0 || is_held(run, b))
                continue;
            const double *q = run->state.now.q + system->body[b].first;
            if (length_of(q, system->dim) > RESTING * collapse->thickness[b])
                continue;
            collapse->member[b] = 1;
            found = true;
        }
    }
    return found && !collapse->founded ? find_foundation(collapse, run) : STICK_OK;
}

// The angle by which the direction of gravity, fixed in the body, has turned: sin(tilt/2) = |sin(angle/2)| sin(axis, g).
// A turn about the vertical is none.
static double tilt_of(const double *rotation, int dim, const double down[3])
{
    if (dim == 2)
        return 2 * asin(fabs(sin(rotation[0] / 2)));
    double angle = length_of(rotation, 3), along = 0;
    if (angle == 0)
        return 0;
    for (int k = 0; k < 3; k++)
        along += rotation[k] / angle * down[k];
    return 2 * asin(fmin(1, fabs(sin(angle / 2)) * sqrt(fmax(0, 1 - along * along))));
}

static StickStatus gravity_at(const StickSimulation *run, double down[3], double *g)
{
    const StickModel *model = run->system->model;
    StickVariables seen = {.t = run->state.now.t};
    for (int k = 0; k < 3; k++) {
        down[k] = 0;
        if (model->gravity[k])
            STICK_TRY(stick_expression_value(model->gravity[k], &seen, &down[k]));
    }
    *g = length_of(down, 3);
    for (int k = 0; k < 3 && *g > 0; k++)
        down[k] /= *g;
    return STICK_OK;
}

StickStatus stick_collapse_see(StickCollapse *collapse, const StickSimulation *run)
{
    const StickSystem *system = collapse->system;
    int dim = system->dim, tilted = -1, moved = -1, first = -1;
    double down[3], g, shift[3], velocity[3], members = 0, fallen = 0;
    double displacement = 0, displacement_relative = 0, tilt = 0, speed = 0, speed_relative = 0;
    STICK_TRY(gravity_at(run, down, &g));
    STICK_TRY(find_members(collapse, run));
    STICK_TRY(foundation_at(collapse, run, shift, velocity));
    for (int b = 0; b < system->nbodies; b++) {
        if (collapse->member[b] == 0)
            continue;
        const double *q = run->state.now.q + system->body[b].first;
        const double *v = run->state.now.v + system->body[b].first;
        double d[3] = {0}, w[3] = {0}, drop = 0, size = collapse->thickness[b];
        for (int k = 0; k < dim; k++) {
            d[k] = q[k] - (shift[k] - collapse->start[k]);
            w[k] = v[k] - velocity[k];
            drop += d[k] * down[k];
        }
        double turned = stick_solid_is_ball(system->body[b].rigid->solid) ? 0 : tilt_of(q + dim, dim, down);
        double far = length_of(d, dim);
        members++;
        bool down_now = drop > FALLEN * size || turned > TIPPED;
        fallen += down_now;
        first = down_now && first < 0 ? b : first;
        if (moved < 0 || far > displacement)
            moved = b, displacement = far;
        if (tilted < 0 || turned > tilt)
            tilted = b, tilt = turned;
        displacement_relative = fmax(displacement_relative, far / size);
        speed = fmax(speed, length_of(w, dim));
        if (g > 0)
            speed_relative = fmax(speed_relative, length_of(w, dim) / sqrt(g * size));
    }
    const double row[] = {run->state.now.t,      members, fallen, first,  displacement,
                          displacement_relative, moved,   tilt,   tilted, speed,
                          speed_relative};
    memcpy(collapse->book.row, row, sizeof row);
    return STICK_OK;
}

// ---- checkpoints

StickStatus stick_collapse_put(StickCheckpointWriter *writer, const StickCollapse *collapse)
{
    if (!collapse->wanted)
        return STICK_OK;
    const double head[] = {collapse->founded, collapse->foundation, collapse->start[0], collapse->start[1],
                           collapse->start[2]};
    STICK_TRY(stick_checkpoint_put_doubles(writer, "collapse/foundation", head, 5));
    return stick_checkpoint_put_doubles(writer, "collapse/bodies", collapse->member,
                                        (size_t)collapse->system->nbodies);
}

StickStatus stick_collapse_get(const StickCheckpoint *checkpoint, StickCollapse *collapse)
{
    double head[5];
    if (!collapse->wanted)
        return STICK_OK;
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "collapse/foundation", head, 5));
    STICK_TRY(stick_checkpoint_get_doubles(checkpoint, "collapse/bodies", collapse->member,
                                           (size_t)collapse->system->nbodies));
    if (head[0] == 0)
        return STICK_OK;
    // what comes from a file must not lead out of the arrays
    STICK_CHECK(collapse->ctx,
                head[1] == NOT_FOUNDED ||
                    (head[1] >= -collapse->system->model->nobstacles && head[1] < collapse->system->nbodies),
                STICK_BAD_INPUT, "the checkpoint has a foundation that the model does not have");
    set_foundation(collapse, (int)head[1]);
    memcpy(collapse->start, head + 2, sizeof collapse->start);
    return STICK_OK;
}

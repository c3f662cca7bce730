// SPDX-License-Identifier: Apache-2.0
#include "stability/sliding_state.h"

#include "base/memory.h"
#include "contact/laws.h"

#include <math.h>
#include <string.h>

static const double near_by = 1e-4; // of speed and pressure: over which the law is differentiated
static const double slow = 1e-4;    // of the fastest sliding: directions below are not sure

void stick_sliding_state_destroy(StickContext *ctx, StickSlidingState *state)
{
    stick_contact_set_destroy(ctx, &state->contacts);
    stick_free(ctx, state->motion);
    *state = (StickSlidingState){0};
}

// ---- what every contact does

// Friction opposes sliding, and gives its direction more accurately than a slow motion.
static void set_direction(const StickPathTouch *touch, StickContactMotion *motion)
{
    double friction = hypot(touch->r[1], touch->r[2]), speed = hypot(touch->u[1], touch->u[2]);
    for (int k = 0; k < 2; k++)
        motion->slip[k] = friction > 0 ? -touch->r[k + 1] / friction
                          : speed > 0  ? touch->u[k + 1] / speed
                                       : !k;
    motion->speed = speed;
}

static StickContactMotion motion_of(const StickPathTouch *touch)
{
    StickContactMotion motion = {.status = (StickContactStatus)touch->status, .mu = touch->mu};
    memcpy(motion.r, touch->r, sizeof motion.r);
    if (motion.status == STICK_SLIPPING)
        set_direction(touch, &motion);
    return motion;
}

static StickStatus refuse_missing(StickContext *ctx, const StickSlidingSource *source, int k, int found)
{
    const StickPathStatusRecord *status = &source->record->status[k];
    return stick_fail_at(
        ctx, STICK_NOT_SOLVED, source->record->of->mark,
        "t = %g: of %.0f contacts that carry a force %d are found again where the bodies are", status->t,
        status->count, found);
}

// Contacts that are not on the record are open.
static StickStatus set_motions(StickContext *ctx, const StickSlidingSource *source, int k, int *touch_of,
                               StickSlidingState *state)
{
    const StickContactMemory *memory = &source->run->state.memory;
    const StickPathTouch *touch = stick_path_record_touches(source->record, k);
    int count = (int)source->record->status[k].count, found = 0;
    for (int j = 0; j < count; j++)
        touch_of[(int)touch[j].slot] = j + 1;
    for (int c = 0; c < state->contacts.ncontacts; c++) {
        int which = touch_of[stick_memory_slot(memory, &state->contacts.contact[c])];
        if (which > 0)
            state->motion[c] = motion_of(&touch[which - 1]);
        found += which > 0;
    }
    return found == count ? STICK_OK : refuse_missing(ctx, source, k, found);
}

// ---- friction against sliding

static double fastest(const StickPathTouch *touch, int count)
{
    double speed = 0;
    for (int j = 0; j < count; j++)
        speed = fmax(speed, touch[j].status == STICK_SLIPPING ? hypot(touch[j].u[1], touch[j].u[2]) : 0);
    return speed;
}

static StickStatus refuse_driving(StickContext *ctx, const StickSlidingState *state, int c, double along)
{
    char name[STICK_SLIDING_NAME];
    stick_sliding_name(&state->sliding, c, name);
    return stick_fail(ctx, STICK_BAD_INPUT,
                      "%s: friction does not oppose its sliding but drives it, along it is %g: the state "
                      "contradicts Coulomb's law",
                      name, along);
}

// A contact that slips, has friction, and is fast enough for a reliable direction.
static StickStatus check_direction(StickContext *ctx, const StickPathTouch *touch, int c, double enough,
                                   StickSlidingState *state)
{
    double friction = hypot(touch->r[1], touch->r[2]), speed = hypot(touch->u[1], touch->u[2]);
    if (touch->status != STICK_SLIPPING || !(friction > 0) || !(speed > enough))
        return STICK_OK;
    double along = (touch->r[1] * touch->u[1] + touch->r[2] * touch->u[2]) / speed;
    if (along > 0)
        return refuse_driving(ctx, state, c, along);
    double angle = acos(fmin(1, -along / friction));
    if (angle > state->askew) {
        state->askew = angle;
        state->most_askew = c;
    }
    return STICK_OK;
}

static StickStatus check_directions(StickContext *ctx, const StickSlidingSource *source, int k,
                                    const int *touch_of, StickSlidingState *state)
{
    const StickPathTouch *touch = stick_path_record_touches(source->record, k);
    double enough = slow * fastest(touch, (int)source->record->status[k].count);
    for (int c = 0; c < state->contacts.ncontacts; c++) {
        int which = touch_of[stick_memory_slot(&source->run->state.memory, &state->contacts.contact[c])];
        if (which > 0)
            STICK_TRY(check_direction(ctx, &touch[which - 1], c, enough, state));
    }
    return STICK_OK;
}

// ---- d mu by the law

typedef struct Law {
    double *speed, *pressure, *above, *below; // ncontacts each
} Law;

// mu at these multiples of the speeds and pressures of the state.
static StickStatus law_at(const StickSlidingSource *source, int k, double faster, double harder,
                          const Law *law, const StickSlidingState *state, double *mu)
{
    for (int c = 0; c < state->contacts.ncontacts; c++) {
        double area = state->contacts.contact[c].area;
        law->speed[c] = faster * state->motion[c].speed;
        law->pressure[c] = area > 0 ? harder * state->motion[c].r[0] / area : 0;
    }
    StickSight sight = {.t = source->record->status[k].t, .speed = law->speed, .pressure = law->pressure};
    return stick_step_laws_friction(source->run, &state->contacts, &sight, mu);
}

// The change of mu by that of the logarithm of speed or of pressure.
static double change_of(const Law *law, int c)
{
    return (law->above[c] - law->below[c]) / (2 * near_by);
}

static StickStatus find_slopes(const StickSlidingSource *source, int k, const Law *law,
                               StickSlidingState *state)
{
    STICK_TRY(law_at(source, k, 1 + near_by, 1, law, state, law->above));
    STICK_TRY(law_at(source, k, 1 - near_by, 1, law, state, law->below));
    for (int c = 0; c < state->contacts.ncontacts; c++) {
        StickContactMotion *motion = &state->motion[c];
        if (motion->status == STICK_SLIPPING && motion->speed > 0)
            motion->slope = change_of(law, c) / motion->speed;
    }
    STICK_TRY(law_at(source, k, 1, 1 + near_by, law, state, law->above));
    STICK_TRY(law_at(source, k, 1, 1 - near_by, law, state, law->below));
    for (int c = 0; c < state->contacts.ncontacts; c++)
        if (state->motion[c].status == STICK_SLIPPING)
            state->motion[c].press = change_of(law, c);
    return STICK_OK;
}

static StickStatus set_slopes(StickContext *ctx, const StickSlidingSource *source, int k,
                              StickSlidingState *state)
{
    size_t n = (size_t)state->contacts.ncontacts;
    double *room;
    STICK_ALLOC(ctx, room, 4 * n + 1);
    Law law = {room, room + n, room + 2 * n, room + 3 * n};
    StickStatus status = find_slopes(source, k, &law, state);
    stick_free(ctx, room);
    return status;
}

// ---- all of it

static StickStatus fill(StickContext *ctx, const StickSlidingSource *source, int k, StickSlidingState *state)
{
    const StickPathStatusRecord *status = &source->record->status[k];
    StickDetection where = {.t = status->t,
                            .h = status->h,
                            .q = source->record->q + (size_t)k * (size_t)source->record->n,
                            .all = true};
    int *touch_of;
    STICK_TRY(stick_pairs_detect(source->run->pairs, &where, &state->contacts));
    STICK_ALLOC(ctx, state->motion, state->contacts.ncontacts);
    STICK_ALLOC(ctx, touch_of, source->run->state.memory.count);
    StickStatus found = set_motions(ctx, source, k, touch_of, state);
    if (found == STICK_OK)
        found = check_directions(ctx, source, k, touch_of, state);
    stick_free(ctx, touch_of);
    STICK_TRY(found);
    return source->no_slope ? STICK_OK : set_slopes(ctx, source, k, state);
}

StickStatus stick_sliding_state_create(StickContext *ctx, const StickSlidingSource *source, int k,
                                       StickSlidingState *state)
{
    StickSlidingState made = {.contacts.dim = source->record->dim};
    made.sliding = (StickSliding){
        .system = source->run->system,
        .M = source->whole->unit_mass ? NULL : &source->whole->M,
        .C = source->whole->damped ? &source->whole->C : NULL,
        .K = &source->whole->K,
        .prescribed = source->run->prescribed,
        .has_forces = true,
        .steady = source->record->status[k].steady > 0,
        .contacts = &made.contacts,
    };
    StickStatus status = fill(ctx, source, k, &made);
    if (status != STICK_OK) {
        stick_sliding_state_destroy(ctx, &made);
        return status;
    }
    *state = made;
    state->sliding.contacts = &state->contacts;
    state->sliding.motion = state->motion;
    return STICK_OK;
}

StickStatus stick_sliding_state_whole(StickContext *ctx, const StickSystem *system,
                                      const StickPathRecord *record, const StickStabilitySpec *wants, int k,
                                      StickGlobalMatrices *whole)
{
    StickGlobalMatrices made;
    StickGlobalMatricesState state = {.t = record->status[k].t,
                                      .q = record->q + (size_t)k * (size_t)record->n,
                                      .history = record->history + (size_t)k * (size_t)record->nhistory};
    STICK_TRY(stick_global_matrices_create(ctx, system, wants->mass, &made));
    StickStatus status = stick_global_matrices_tangent(ctx, system, &state, &made);
    if (status == STICK_OK)
        status = stick_global_matrices_add_damping(ctx, wants->alpha, wants->beta, &made);
    if (status == STICK_OK)
        *whole = made;
    else
        stick_global_matrices_destroy(ctx, &made);
    return status;
}

static const double unmoved = 1e-6; // of the size of all: bodies that have not moved have gaps, too

// Largest displacement of a body without its mean one: how far it was carried is no matter of its gaps.
static double deformation(const StickSystem *system, const double *q)
{
    double largest = 0;
    for (int b = 0; b < system->nbodies; b++)
        for (int k = 0; k < system->dim; k++) {
            const double *u = q + system->body[b].first + k;
            int n = system->body[b].ndofs;
            double mean = 0;
            for (int i = 0; i + k < n; i += system->dim)
                mean += u[i] * system->dim / n;
            for (int i = 0; i + k < n; i += system->dim)
                largest = fmax(largest, fabs(u[i] - mean));
        }
    return largest;
}

StickStabilityOptions stick_sliding_state_options(const StickSlidingSource *source,
                                                  const StickStabilitySpec *wants, int k)
{
    const StickPathRecord *record = source->record;
    const double *q = record->q + (size_t)k * (size_t)record->n;
    double length = fmax(deformation(source->run->system, q), unmoved * stick_simulation_size(source->run));
    StickStabilityOptions options = stick_stability_default();
    options.spectrum.lowest = wants->lowest;
    options.spectrum.highest = wants->highest;
    options.spectrum.count = wants->modes;
    // points have neither shape nor size
    options.length = length > 0 ? length : stick_simulation_largest(q, record->n);
    stick_frequency_unit(&source->run->system->model->units, options.unit);
    if (wants->mass == STICK_MASS_UNIT)
        options.unit[0] = '\0';
    return options;
}

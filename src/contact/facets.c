// SPDX-License-Identifier: Apache-2.0
#include "contact/facets.h"

#include "base/memory.h"
#include "contact/facet_meetings.h"
#include "contact/facet_weights.h"
#include "mesh/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- surfaces

static const StickMeshFlank *curve_of(const StickMesh *mesh, const char *group)
{
    for (int k = 0; k < mesh->nflanks; k++)
        if (strcmp(mesh->flank[k].group, group) == 0)
            return &mesh->flank[k];
    return NULL;
}

// A circle about the middle of a few points of the curve, with room for what is between them.
static StickStatus bound(StickSurfaceCurve *surface)
{
    enum { POINTS = 17 };
    const StickFlank *flank = &surface->curve->flank;
    StickFlankPoint at[POINTS];
    double way = 0;
    surface->middle[0] = surface->middle[1] = 0;
    for (int k = 0; k < POINTS; k++) {
        STICK_TRY(stick_flank_at(flank, flank->from + (flank->to - flank->from) * k / (POINTS - 1), &at[k]));
        for (int j = 0; j < 2; j++)
            surface->middle[j] += at[k].x[j] / POINTS;
    }
    for (int k = 0; k < POINTS; k++) {
        if (k > 0)
            way = fmax(way, hypot(at[k].x[0] - at[k - 1].x[0], at[k].x[1] - at[k - 1].x[1]));
        surface->radius =
            fmax(surface->radius, hypot(at[k].x[0] - surface->middle[0], at[k].x[1] - surface->middle[1]));
    }
    surface->radius += way;
    return STICK_OK;
}

// Points of a chain through placed nodes go back to where the mesh was.
static void unplace(const StickFrame *frame, StickFlank *flank)
{
    double c = cos(frame->home_angle), s = sin(frame->home_angle);
    for (int k = 0; k < flank->npoints; k++) {
        double *x = &flank->point[2 * k], a = x[0] - frame->home[0], b = x[1] - frame->home[1];
        x[0] = c * a + s * b;
        x[1] = c * b - s * a;
    }
}

static StickStatus make_straight(StickFacets *strips, const StickFrame *frame, const StickTarget *target,
                                 const StickMeshFlank **curve)
{
    const StickGroup *group;
    StickMeshFlank *made;
    STICK_TRY(stick_system_group(strips->system, target, &group));
    STICK_RESERVE(strips->ctx, strips->own, strips->own_capacity, (size_t)strips->nown + 1);
    STICK_ALLOC(strips->ctx, made, 1);
    strips->own[strips->nown++] = made;
    STICK_TRY(stick_mode_tracking_sides(strips->ctx, &strips->system->body[target->body].mesh, group,
                                        target->mark, made));
    unplace(frame, &made->flank);
    *curve = made;
    return STICK_OK;
}

static StickStatus add_surface(StickFacets *strips, const StickFrames *frames, const StickTarget *target,
                               int *index)
{
    const StickMeshFlank *curve = curve_of(&strips->system->body[target->body].mesh, target->group);
    for (int k = 0; k < strips->nsurfaces; k++)
        if (strips->surface[k].body == target->body &&
            strcmp(strips->surface[k].curve->group, target->group) == 0) {
            *index = k;
            return STICK_OK;
        }
    if (!curve)
        STICK_TRY(make_straight(strips, &frames->frame[target->body], target, &curve));
    STICK_RESERVE(strips->ctx, strips->surface, strips->surface_capacity, (size_t)strips->nsurfaces + 1);
    *index = strips->nsurfaces++;
    strips->surface[*index] = (StickSurfaceCurve){.body = target->body, .curve = curve};
    return bound(&strips->surface[*index]);
}

// ---- strips

StickStatus stick_facet_cut(StickContext *ctx, const StickMeshFlank *curve, double from, double to,
                            StickFacetSet *set, StickContactFacet *strip)
{
    StickFacetIntegrals sum;
    StickFlankPoint at;
    *strip = (StickContactFacet){.from = from, .to = to, .first = set->nweights};
    STICK_TRY(stick_facet_weigh(ctx, curve, from, to, set, &sum));
    strip->count = set->nweights - strip->first;
    strip->length = sum.length;
    strip->middle = sum.moment / sum.length;
    for (int k = 0; k < 2; k++) {
        STICK_TRY(stick_flank_at(&curve->flank, stick_facet_wrap(curve, k ? to : from), &at));
        memcpy(strip->end[k], at.x, sizeof at.x);
    }
    STICK_TRY(stick_flank_at(&curve->flank, stick_facet_wrap(curve, strip->middle), &at));
    memcpy(strip->x, at.x, sizeof at.x);
    memcpy(strip->normal, at.normal, sizeof at.normal);
    return STICK_OK;
}

static StickStatus add_strip(StickFacets *strips, const StickMeshFlank *curve, double from, double to)
{
    STICK_RESERVE(strips->ctx, strips->strip, strips->strip_capacity, (size_t)strips->nstrips + 1);
    return stick_facet_cut(strips->ctx, curve, from, to, &strips->fixed, &strips->strip[strips->nstrips++]);
}

// Strips have their middles at nodes: of strips between nodes pressures that go up and down from one to the next would
// push no node. Beyond the ends of the curve there are none; of a ring the first one lies across the seam.
static StickStatus cut(StickFacets *strips, const StickMeshFlank *curve, int sides,
                       StickFacetMeeting *meeting)
{
    double from = curve->flank.from, to = curve->flank.to, tiny = 1e-9 * (to - from);
    int ring = stick_facet_ring(curve);
    double end = ring ? ring - 0.5 * sides : curve->nnodes - 1;
    meeting->first = strips->nstrips;
    for (int k = 0; (k - 0.5) * sides < end; k++) {
        double a = stick_facet_parameter(curve, (k - 0.5) * sides),
               b = stick_facet_parameter(curve, fmin((k + 0.5) * sides, end));
        if (!ring)
            a = fmax(a, from), b = fmin(b, to);
        if (b - a > tiny)
            STICK_TRY(add_strip(strips, curve, a, b));
    }
    meeting->count = strips->nstrips - meeting->first;
    return STICK_OK;
}

static StickStatus add_meeting(StickFacets *strips, const StickFrames *frames, int mating,
                               const StickTarget target[2])
{
    StickFacetMeeting made = {.mating = mating};
    for (int k = 0; k < 2; k++)
        STICK_TRY(add_surface(strips, frames, &target[k], &made.surface[k]));
    int sides = strips->system->model->mating[mating].strip;
    const StickFacetMeeting *same = NULL;
    for (int k = 0; k < strips->nmeetings && !same; k++)
        if (strips->meeting[k].mating == mating && strips->meeting[k].surface[0] == made.surface[0])
            same = &strips->meeting[k];
    if (same)
        made.first = same->first, made.count = same->count;
    else
        STICK_TRY(cut(strips, strips->surface[made.surface[0]].curve, sides, &made));
    STICK_RESERVE(strips->ctx, strips->meeting, strips->meeting_capacity, (size_t)strips->nmeetings + 1);
    strips->meeting[strips->nmeetings++] = made;
    return STICK_OK;
}

// All drive flanks of the output with all of the input: those that are far apart are soon passed over.
static StickStatus add_gears(StickFacets *strips, const StickFrames *frames, int mating)
{
    const StickContactSpec *spec = &strips->system->model->mating[mating];
    const StickGearPair *pair = &frames->pair[spec->gears];
    const int *body = pair->spec->body;
    for (int j = 0; j < pair->tooth[1].teeth; j++)
        for (int k = 0; k < pair->tooth[0].teeth; k++) {
            char name[2][64];
            snprintf(name[0], sizeof name[0], "tooth-%d-%s", j, pair->left[1] ? "left" : "right");
            snprintf(name[1], sizeof name[1], "tooth-%d-%s", k, pair->left[0] ? "left" : "right");
            StickTarget target[2] = {{.mark = spec->mark, .body = body[1], .group = name[0]},
                                     {.mark = spec->mark, .body = body[0], .group = name[1]}};
            // a sector has some of the teeth
            if (curve_of(&strips->system->body[body[1]].mesh, name[0]) &&
                curve_of(&strips->system->body[body[0]].mesh, name[1]))
                STICK_TRY(add_meeting(strips, frames, mating, target));
        }
    return STICK_OK;
}

static StickStatus fill(StickFacets *strips, const StickFrames *frames)
{
    const StickModel *model = strips->system->model;
    for (int k = 0; k < model->nmatings; k++) {
        const StickTarget target[2] = {model->mating[k].slave, model->mating[k].master};
        STICK_TRY(model->mating[k].gears >= 0 ? add_gears(strips, frames, k)
                                              : add_meeting(strips, frames, k, target));
    }
    return STICK_OK;
}

StickStatus stick_facets_create(StickContext *ctx, const StickSystem *system, const StickFrames *frames,
                                StickFacets **strips)
{
    StickFacets *created;
    STICK_ALLOC(ctx, created, 1);
    created->ctx = ctx;
    created->system = system;
    StickStatus status = fill(created, frames);
    if (status != STICK_OK) {
        stick_facets_destroy(created);
        return status;
    }
    *strips = created;
    return STICK_OK;
}

void stick_facet_set_destroy(StickContext *ctx, StickFacetSet *set)
{
    stick_free(ctx, set->pair);
    stick_free(ctx, set->node);
    stick_free(ctx, set->weight);
    *set = (StickFacetSet){0};
}

void stick_facets_destroy(StickFacets *strips)
{
    if (!strips)
        return;
    StickContext *ctx = strips->ctx;
    for (int k = 0; k < strips->nown; k++) {
        stick_mode_tracking_destroy(ctx, strips->own[k]);
        stick_free(ctx, strips->own[k]);
    }
    stick_free(ctx, strips->own);
    stick_free(ctx, strips->surface);
    stick_free(ctx, strips->meeting);
    stick_free(ctx, strips->strip);
    stick_facet_set_destroy(ctx, &strips->fixed);
    stick_free(ctx, strips);
}

int stick_facets_surfaces(const StickFacets *strips)
{
    return strips->nsurfaces;
}

const StickSurfaceCurve *stick_facets_surface(const StickFacets *strips, int surface)
{
    return &strips->surface[surface];
}

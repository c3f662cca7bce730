// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "base/pi.h"
#include "contact/facet_meetings.h"
#include "contact/facet_weights.h"

#include <math.h>
#include <string.h>

// Of the speeds of both bodies: what slides more slowly rolls.
static const double no_sliding = 1e-4;

// Strips beside the end of the other surface are cut into so many: what presses there presses at its very end.
enum { CORNER_PARTS = 8 };

// Of a strip: what is left of it beyond the end of the other surface is not worth a pair of its own.
static const double least_part = 1e-3;

// One search: a strip of a surface and the frames of both bodies.
typedef struct Look {
    StickFacets *strips;
    const StickFacetMeeting *meeting;
    const StickSurfaceCurve *other;
    const StickFrame *frame[2];
    double t;
    // Parameters of the strips' surface where its normals meet the ends of the other one; NAN: nowhere.
    double foot[2];
} Look;

// What a strip sees along its normal.
typedef struct View {
    double place[2], normal[2]; // of the strip, in space
    double along[2];            // the normal in the frame of the other surface
    bool met;
    double distance, s;
    StickFlankPoint at;
} View;

static const StickMeshFlank *own_curve(const Look *look)
{
    return look->strips->surface[look->meeting->surface[0]].curve;
}

static double reach_of(const Look *look)
{
    return look->strips->system->model->mating[look->meeting->mating].max_distance + look->strips->beyond;
}

static void turn(const StickFrame *frame, const double vector[2], double turned[2])
{
    const double *c = frame->turned;
    turned[0] = c[0] * vector[0] - c[1] * vector[1];
    turned[1] = c[1] * vector[0] + c[0] * vector[1];
}

static void unturn(const StickFrame *frame, const double vector[2], double turned[2])
{
    const double *c = frame->turned;
    turned[0] = c[0] * vector[0] + c[1] * vector[1];
    turned[1] = c[0] * vector[1] - c[1] * vector[0];
}

// How fast a body moves, by the parts that may cancel each other where it rolls on another one at rest.
static double speed_of(const StickFrame *frame, const double place[2])
{
    double from[2] = {place[0] - frame->at[0], place[1] - frame->at[1]};
    return hypot(frame->velocity[0], frame->velocity[1]) + fabs(frame->spin) * hypot(from[0], from[1]);
}

// Speed of a particle of the mate's body along t against one of the strip's, both in space; 0: they roll.
static double slides_at(const Look *look, const double strip[2], const double mate[2], const double normal[2])
{
    double own[2], other[2];
    stick_frame_velocity(look->frame[0], strip, own);
    stick_frame_velocity(look->frame[1], mate, other);
    double speed = normal[0] * (other[1] - own[1]) - normal[1] * (other[0] - own[0]);
    double least = no_sliding * (speed_of(look->frame[0], strip) + speed_of(look->frame[1], mate));
    return fabs(speed) > least ? speed : 0;
}

// Which way it slides: linear between both ends, of which a part may go one way and a part the other. Particles on both
// surfaces, across the mean of their normals: what rolls does not slide there, whatever the gap and the radii are.
static void find_sense(const Look *look, const StickContactFacet *strip, const StickFlankPoint *mate,
                       StickFacetPair *pair)
{
    double x[2], facing[2], normal[2], speed[2];
    stick_frame_out(look->frame[1], mate->x, x);
    turn(look->frame[1], mate->normal, facing);
    double length = hypot(pair->normal[0] - facing[0], pair->normal[1] - facing[1]);
    for (int k = 0; k < 2; k++)
        normal[k] = (pair->normal[k] - facing[k]) / length;
    for (int k = 0; k < 2; k++) {
        double end[2];
        stick_frame_out(look->frame[0], strip->end[k], end);
        // as far along the mate as the end is along the strip
        double way = facing[0] * (end[1] - pair->x[1]) - facing[1] * (end[0] - pair->x[0]);
        double beside[2] = {x[0] - way * facing[1], x[1] + way * facing[0]};
        speed[k] = slides_at(look, end, beside, normal);
    }
    double sum = speed[0] + speed[1], both = fabs(speed[0]) + fabs(speed[1]);
    pair->speed = 0.5 * sum;
    pair->sense = both == 0 ? 0 : speed[0] * speed[1] >= 0 ? (sum > 0 ? 1 : -1) : sum / both;
}

static StickStatus find_friction(const Look *look, StickFacetPair *pair)
{
    const StickLawSpec *law = &look->strips->system->model->mating[pair->mating].law;
    StickVariables seen = {.t = look->t, .x = pair->x[0], .y = pair->x[1]};
    pair->mu = 0;
    return law->friction ? stick_expression_value(law->friction, &seen, &pair->mu) : STICK_OK;
}

// The mate's part of its surface is as long as the strip, as seen along the normal.
static StickStatus weigh_mate(const Look *look, const StickContactFacet *strip, const View *view,
                              StickFacetPair *pair, StickFacetSet *set)
{
    const double *tangent = view->at.tangent, *along = view->along;
    const StickMeshFlank *curve = look->other->curve;
    StickFacetSide *side = &pair->side[1];
    StickFacetIntegrals sum;
    double across = fabs(tangent[0] * along[1] - tangent[1] * along[0]);
    double half = 0.5 * strip->length / fmax(across, 0.1 * hypot(tangent[0], tangent[1]));
    double from = side->s - half, to = side->s + half;
    if (!stick_facet_ring(curve))
        from = fmax(from, curve->flank.from), to = fmin(to, curve->flank.to);
    side->first = set->nweights;
    STICK_TRY(stick_facet_weigh(look->strips->ctx, curve, from, to, set, &sum));
    side->count = set->nweights - side->first;
    return STICK_OK;
}

static StickStatus copy_weights(const Look *look, const StickContactFacet *strip, StickFacetSet *set)
{
    const StickFacetSet *fixed = &look->strips->fixed;
    for (int k = 0; k < strip->count; k++)
        STICK_TRY(stick_facet_add_weight(look->strips->ctx, set, fixed->node[strip->first + k],
                                         fixed->weight[strip->first + k]));
    return STICK_OK;
}

// Where and along which normals both sides are pushed.
static void find_lines(const Look *look, const StickFlankPoint *mate, StickFacetPair *pair)
{
    for (int side = 0; side < 2; side++) {
        memcpy(pair->side[side].x, pair->x, sizeof pair->x);
        memcpy(pair->side[side].normal, pair->normal, sizeof pair->normal);
    }
    if (look->strips->system->model->mating[pair->mating].gears < 0)
        return;
    stick_frame_out(look->frame[1], mate->x, pair->side[1].x);
    double back[2] = {-mate->normal[0], -mate->normal[1]};
    turn(look->frame[1], back, pair->side[1].normal);
}

// How far a frame has brought the particle at a place from where its ideal motion has it.
static double moved_by(const StickFrame *frame, const double place[2])
{
    const double *moved = frame->moved;
    double c = cos(moved[STICK_FRAME_ROTATION]), s = sin(moved[STICK_FRAME_ROTATION]);
    double x = place[0] - frame->at[0], y = place[1] - frame->at[1];
    return hypot(moved[STICK_FRAME_X] + x - (c * x + s * y), moved[STICK_FRAME_Y] + y - (c * y - s * x));
}

// How far along a normal surfaces may lie in each other, at places within a radius of one: by the reach and by how far
// frames that were moved, until forces balance, have brought both bodies there; a normal that they have turned meets a
// flat surface farther by 1 / cos of that.
static double depth_within(const Look *look, const double place[2], double radius)
{
    double way = reach_of(look), turned = 0;
    for (int k = 0; k < 2; k++) {
        double rotation = fabs(look->frame[k]->moved[STICK_FRAME_ROTATION]);
        way += moved_by(look->frame[k], place) + radius * rotation;
        turned += rotation;
    }
    return turned < 0.5 * STICK_PI ? way / cos(turned) : INFINITY;
}

static double depth_at(const Look *look, const double place[2])
{
    return depth_within(look, place, 0);
}

// The front of the other surface: what is met from behind, or deeper than bodies may lie in each other, is seen through
// the strip's own body.
static StickStatus look_out(const Look *look, const StickContactFacet *strip, View *view)
{
    const StickFlank *flank = &look->other->curve->flank;
    StickFlankMeet meet;
    double from[2];
    stick_frame_out(look->frame[0], strip->x, view->place);
    stick_frame_in(look->frame[1], view->place, from);
    turn(look->frame[0], strip->normal, view->normal);
    unturn(look->frame[1], view->normal, view->along);
    STICK_TRY(stick_flank_meet(flank, from, view->along, &meet));
    view->distance = meet.distance;
    view->s = meet.s;
    view->met = meet.met && meet.distance >= -depth_at(look, view->place);
    if (!view->met)
        return STICK_OK;
    STICK_TRY(stick_flank_at(flank, meet.s, &view->at));
    view->met = view->at.normal[0] * view->along[0] + view->at.normal[1] * view->along[1] < 0;
    return STICK_OK;
}

// The mate of a strip whose weights are the last of the set, which go if there is none.
static StickStatus find_mate(const Look *look, int number, const StickContactFacet *strip, StickFacetSet *set)
{
    const StickFacets *strips = look->strips;
    const StickSurfaceCurve *own = &strips->surface[look->meeting->surface[0]];
    StickFacetPair pair = {.mating = look->meeting->mating, .strip = number, .length = strip->length};
    View view;
    STICK_TRY(look_out(look, strip, &view));
    if (!view.met || view.distance > reach_of(look)) {
        set->nweights -= strip->count;
        return STICK_OK;
    }
    memcpy(pair.x, view.place, sizeof pair.x);
    memcpy(pair.normal, view.normal, sizeof pair.normal);
    for (int k = 0; k < 2; k++) {
        pair.side[k].surface = look->meeting->surface[k];
        pair.side[k].body = strips->surface[pair.side[k].surface].body;
        pair.side[k].s = k ? view.s : stick_facet_wrap(own->curve, strip->middle);
    }
    pair.side[0].first = set->nweights - strip->count;
    pair.side[0].count = strip->count;
    pair.gap = view.distance;
    find_lines(look, &view.at, &pair);
    find_sense(look, strip, &view.at, &pair);
    STICK_TRY(find_friction(look, &pair));
    STICK_TRY(weigh_mate(look, strip, &view, &pair, set));
    STICK_RESERVE(strips->ctx, set->pair, set->pair_capacity, (size_t)set->npairs + 1);
    set->pair[set->npairs++] = pair;
    return STICK_OK;
}

// A strip beyond the end of the other surface touches as far as that goes.
static StickStatus cut_strip(const Look *look, int number, const StickContactFacet *strip, double foot,
                             StickFacetSet *set)
{
    const StickMeshFlank *curve = own_curve(look);
    for (int k = 0; k < 2; k++) {
        double from = k ? foot : strip->from, way = (k ? strip->to : foot) - from;
        for (int j = 0; way > least_part * (strip->to - strip->from) && j < CORNER_PARTS; j++) {
            StickContactFacet part;
            STICK_TRY(stick_facet_cut(look->strips->ctx, curve, from + way * j / CORNER_PARTS,
                                      from + way * (j + 1) / CORNER_PARTS, set, &part));
            STICK_TRY(find_mate(look, number, &part, set));
        }
    }
    return STICK_OK;
}

// A foot by a parameter that is not below one, as far as there is such.
static double foot_beyond(const Look *look, int k, double from)
{
    const StickMeshFlank *curve = own_curve(look);
    double foot = look->foot[k], period = stick_facet_period(curve);
    return stick_facet_ring(curve) ? foot + period * ceil((from - foot) / period) : foot;
}

static StickStatus try_strip(const Look *look, int number, StickFacetSet *set)
{
    const StickFacets *strips = look->strips;
    const StickContactFacet *strip = &strips->strip[look->meeting->first + number];
    double place[2], from[2];
    stick_frame_out(look->frame[0], strip->x, place);
    stick_frame_in(look->frame[1], place, from);
    // a mate is within the circle around its surface, and from the strip no farther than find_mate allows
    if (hypot(from[0] - look->other->middle[0], from[1] - look->other->middle[1]) >
        look->other->radius + depth_at(look, place))
        return STICK_OK;
    for (int k = 0; k < 2; k++) {
        double foot = foot_beyond(look, k, strip->from);
        if (foot > strip->from && foot < strip->to)
            return cut_strip(look, number, strip, foot, set);
    }
    STICK_TRY(copy_weights(look, strip, set));
    return find_mate(look, number, strip, set);
}

// Where the ends of the other surface stand above that of the strips; a ring has none.
static StickStatus find_feet(Look *look)
{
    const StickFlank *own = &own_curve(look)->flank;
    const StickMeshFlank *other = look->other->curve;
    look->foot[0] = look->foot[1] = NAN;
    for (int k = 0; k < 2 && !stick_facet_ring(other); k++) {
        StickFlankPoint end;
        double place[2], x[2], s, distance;
        STICK_TRY(stick_flank_at(&other->flank, k ? other->flank.to : other->flank.from, &end));
        stick_frame_out(look->frame[1], end.x, place);
        stick_frame_in(look->frame[0], place, x);
        STICK_TRY(stick_flank_nearest(own, x, &s, &distance));
        if (distance <= depth_at(look, place) &&
            (stick_facet_ring(own_curve(look)) || (s > own->from && s < own->to)))
            look->foot[k] = s;
    }
    return STICK_OK;
}

// Whether circles around both surfaces are near enough for a mate of any strip.
static bool is_near(const Look *look)
{
    const StickFacets *strips = look->strips;
    const StickSurfaceCurve *own = &strips->surface[look->meeting->surface[0]];
    double a[2], b[2];
    stick_frame_out(look->frame[0], own->middle, a);
    stick_frame_out(look->frame[1], look->other->middle, b);
    return hypot(a[0] - b[0], a[1] - b[1]) <=
           own->radius + look->other->radius + depth_within(look, a, own->radius);
}

// Gap of a strip from the other surface; infinite: it sees none.
static StickStatus gap_of(const Look *look, const StickContactFacet *strip, double *gap)
{
    View view;
    STICK_TRY(look_out(look, strip, &view));
    *gap = view.met ? view.distance : INFINITY;
    return STICK_OK;
}

// Where a parabola through three points has its extreme; not finite: nowhere.
static double extreme(const double s[3], const double g[3])
{
    double a = s[1] - s[0], b = s[2] - s[1];
    double left = (g[1] - g[0]) / a, right = (g[2] - g[1]) / b, bend = (right - left) / (a + b);
    return s[1] - (left + bend * a) / (2 * bend);
}

// Where surfaces are nearest, in sides from the first node; NAN: at an end, which a ring has not.
static StickStatus find_nearest(const Look *look, double *sides)
{
    const StickContactFacet *strip = &look->strips->strip[look->meeting->first];
    const StickMeshFlank *curve = own_curve(look);
    int n = look->meeting->count, best = -1;
    double least = INFINITY, gap, s[3], g[3];
    *sides = NAN;
    for (int j = 0; j < n; j++) {
        STICK_TRY(gap_of(look, &strip[j], &gap));
        if (gap < least)
            least = gap, best = j;
    }
    bool inside = best > 0 && best < n - 1, around = best >= 0 && n > 2 && stick_facet_ring(curve);
    for (int k = 0; k < 3 && (inside || around); k++) {
        int at = best - 1 + k, turns = at < 0 ? -1 : at >= n;
        STICK_TRY(gap_of(look, &strip[at - turns * n], &g[k]));
        s[k] = strip[at - turns * n].middle + turns * stick_facet_period(curve);
    }
    double least_at = inside || around ? extreme(s, g) : NAN;
    if (isfinite(least_at) && least_at >= s[0] && least_at <= s[2])
        *sides = stick_facet_sides(curve, stick_facet_wrap(curve, least_at));
    return STICK_OK;
}

// Where the end of the other surface presses alone, a strip begins: a part of one, as the mesh happens to leave it there,
// would have all of the force.
static double beside_foot(const Look *look, int sides)
{
    const StickMeshFlank *curve = own_curve(look);
    for (int k = 0; k < 2; k++)
        if (!isnan(look->foot[k]))
            return stick_facet_sides(curve, look->foot[k]) + 0.5 * sides;
    return NAN;
}

// A strip between two parameters.
static StickStatus try_between(const Look *look, int number, double from, double to, StickFacetSet *set)
{
    const StickMeshFlank *curve = own_curve(look);
    double tiny = 1e-9 * stick_facet_period(curve), foot = NAN;
    StickContactFacet strip;
    for (int j = 0; j < 2; j++) {
        double beyond = foot_beyond(look, j, from - tiny);
        if (beyond > from - tiny && beyond < to + tiny)
            foot = beyond;
    }
    STICK_TRY(stick_facet_cut(look->strips->ctx, curve, from, to, set, &strip));
    if (isnan(foot))
        return find_mate(look, number, &strip, set);
    set->nweights -= strip.count;
    return cut_strip(look, number, &strip, foot, set);
}

// Strips with one of their middles where surfaces are nearest: from position to position they move with the contact, and
// what comes of them is smooth. Of one side they would come to lie between nodes. A ring begins and ends behind the body.
static StickStatus try_aligned(const Look *look, int sides, double nearest, StickFacetSet *set)
{
    const StickMeshFlank *curve = own_curve(look);
    double from = curve->flank.from, to = curve->flank.to, tiny = 1e-9 * (to - from);
    double whole = floor(nearest / sides), shift = nearest / sides - whole;
    int ring = stick_facet_ring(curve), first = ring ? (int)whole - ring / (2 * sides) : -1;
    double end = ring ? (first + shift - 0.5) * sides + ring : curve->nnodes - 1;
    for (int k = first; (k + shift - 0.5) * sides < end; k++) {
        double a = stick_facet_parameter(curve, (k + shift - 0.5) * sides),
               b = stick_facet_parameter(curve, fmin((k + shift + 0.5) * sides, end));
        if (!ring)
            a = fmax(a, from), b = fmin(b, to);
        if (b - a > tiny)
            STICK_TRY(try_between(look, k, a, b, set));
    }
    return STICK_OK;
}

StickStatus stick_facets_find_beyond(StickFacets *strips, const StickFrames *frames, double t, double beyond,
                                     StickFacetSet *set)
{
    strips->beyond = beyond;
    StickStatus status = stick_facets_find(strips, frames, t, set);
    strips->beyond = 0;
    return status;
}

StickStatus stick_facets_find(StickFacets *strips, const StickFrames *frames, double t, StickFacetSet *set)
{
    set->npairs = set->nweights = 0;
    for (int k = 0; k < strips->nmeetings; k++) {
        const StickFacetMeeting *meeting = &strips->meeting[k];
        const StickSurfaceCurve *other = &strips->surface[meeting->surface[1]];
        int body = strips->surface[meeting->surface[0]].body;
        Look look = {strips, meeting,   other, {&frames->frame[body], &frames->frame[other->body]},
                     t,      {NAN, NAN}};
        if (!is_near(&look))
            continue;
        STICK_TRY(find_feet(&look));
        int sides = strips->system->model->mating[meeting->mating].strip;
        double nearest = NAN;
        if (sides > 1)
            STICK_TRY(find_nearest(&look, &nearest));
        if (sides > 1 && isnan(nearest))
            nearest = beside_foot(&look, sides);
        if (!isnan(nearest)) {
            STICK_TRY(try_aligned(&look, sides, nearest, set));
            continue;
        }
        for (int j = 0; j < meeting->count; j++)
            STICK_TRY(try_strip(&look, j, set));
    }
    return STICK_OK;
}

void stick_facet_force(const StickFacetPair *pair, int side, double g[2])
{
    const double *n = pair->side[side].normal;
    double rub = pair->mu * pair->sense;
    g[0] = n[0] + rub * n[1];
    g[1] = n[1] - rub * n[0];
}

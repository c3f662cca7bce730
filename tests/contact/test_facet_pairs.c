// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies that forces have moved far from their ideal places: surfaces that lie deep in each other by this are
// found, however small they are.
#include "check.h"
#include "contact/facets.h"

#include <math.h>

// The top of a small block, and the bottom of another one, 10 to the right of the origin of its frame.
static const char blocks[] =
    "stickslip: 1\n"
    "materials: {steel: {young: 1, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  lower: {mesh: {rectangle: {size: [0.5, 0.5], cells: [10, 2]}}, material: steel}\n"
    "  upper: {mesh: {patches: [{cells: [5, 2], map: [10 + 0.5*xi, 0.5*eta]}]}, material: steel}\n"
    "frames:\n"
    "  lower: {at: [0, -0.5], free: [x, y, rotation]}\n"
    "  upper: {at: [%s, %s], angle: %s, free: [x, y, rotation]}\n"
    "supports: [{on: lower.bottom, displacement: [0, 0]}, {on: upper.top, displacement: [0, 0]}]\n"
    "contacts: [{between: [lower.top, upper.bottom], max-distance: 0.1, strip: 1}]\n"
    "steps: [{trajectory: {to: 1, positions: 2}}]\n";

// Where the frame of the upper block is: numbers and as text.
typedef struct Place {
    const char *x, *y, *angle;
} Place;

typedef struct Found {
    int pairs;
    double length;              // of all of them
    double first_gap, gap_by_x; // a line through the gaps of the first and the last one
    double off;                 // of all others, at most
} Found;

static Found sum_up(const StickFacetSet *set)
{
    Found found = {.pairs = set->npairs};
    const StickFacetPair *pair = set->pair;
    if (set->npairs < 2)
        return found;
    const StickFacetPair *last = &pair[set->npairs - 1];
    found.gap_by_x = (last->gap - pair->gap) / (last->x[0] - pair->x[0]);
    found.first_gap = pair->gap - found.gap_by_x * pair->x[0];
    for (int k = 0; k < set->npairs; k++) {
        found.length += pair[k].length;
        found.off = fmax(found.off, fabs(found.first_gap + found.gap_by_x * pair[k].x[0] - pair[k].gap));
    }
    return found;
}

// moved: x, y and rotation of the lower block, then of the upper one.
static Found find(StickContext *ctx, Place place, const double moved[6])
{
    char text[2048];
    StickModel *model;
    StickSystem *system;
    StickFrames frames;
    StickFacets *strips;
    StickFacetSet set = {0};
    int length = snprintf(text, sizeof text, blocks, place.x, place.y, place.angle);
    StickModelSource source = {.name = "model.yaml", .folder = ".", .bytes = text, .count = (size_t)length};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &model));
    assert_ok(ctx, stick_system_create(ctx, model, &system));
    assert_ok(ctx, stick_frames_create(ctx, system, &model->step[0], &frames));
    assert_ok(ctx, stick_facets_create(ctx, system, &frames, &strips));
    assert_int_equal(frames.nmotions, 6);
    assert_ok(ctx, stick_frames_place(&frames, 0, 1e-4));
    stick_frames_move(&frames, moved);
    assert_ok(ctx, stick_facets_find(strips, &frames, 0, &set));
    Found found = sum_up(&set);
    stick_facet_set_destroy(ctx, &set);
    stick_facets_destroy(strips);
    stick_frames_destroy(ctx, &frames);
    stick_system_destroy(system);
    stick_model_destroy(model);
    return found;
}

static const Place above = {"-10", "0", "0"};

static void shifts_bring_small_surfaces_deep(void **state)
{
    static const double shifts[][6] = {{[4] = -3}, {[1] = 3}, {[1] = 1.5, [4] = -1.5}, {[3] = 0.2, [4] = -3}};
    for (int k = 0; k < 4; k++) {
        Found found = find(*state, above, shifts[k]);
        assert_near(found.first_gap, -3, 1e-12);
        assert_near(found.gap_by_x, 0, 1e-12);
        assert_near(found.length, 0.5 - shifts[k][3], 1e-3);
    }
}

// The line of the bottom turns about the origin of its frame: gap = (x + 10) tan(angle).
static void turns_bring_small_surfaces_deep(void **state)
{
    Found found = find(*state, above, (const double[6]){[5] = -0.2});
    assert_near(found.gap_by_x, -tan(0.2), 1e-9);
    assert_near(found.first_gap, -10 * tan(0.2), 1e-9);
    assert_below(found.off, 1e-9);
    assert_near(found.length, -10 + 10.5 * cos(0.2),
                1e-3); // from the block's left end to the upper one's right
}

// Normals turn as well, and meet what they meet farther away than bodies have moved.
static void large_turns_count_wholly(void **state)
{
    Found found = find(*state, (Place){"-9.4", "0", "0"}, (const double[6]){[5] = -0.4});
    assert_near(found.gap_by_x, -tan(0.4), 1e-9);
    assert_near(found.first_gap, -9.4 * tan(0.4), 1e-9);
    assert_near(found.length, -9.4 + 10.5 * cos(0.4), 1e-3);
}

// Shifts of both blocks and a turn at once.
static void all_motions_count(void **state)
{
    Found found = find(*state, above, (const double[6]){[1] = 1, [3] = 0.1, [4] = -1, [5] = -0.1});
    assert_true(found.pairs > 2);
    assert_near(found.first_gap, -2 - 9.9 * tan(0.1), 1e-9);
    assert_near(found.gap_by_x, -tan(0.1), 1e-9);
}

// At the same places by the ideal motion itself they are too far from each other.
static void ideal_motions_do_not(void **state)
{
    const double still[6] = {0};
    assert_int_equal(find(*state, (Place){"-10", "-3", "0"}, still).pairs, 0);
    assert_int_equal(find(*state, (Place){"-10", "0", "-0.2"}, still).pairs, 0);
    assert_true(find(*state, (Place){"-10", "-0.05", "0"}, still).pairs > 0);
}

// What has moved apart is as far away as it is.
static void what_moved_away_is_not_found(void **state)
{
    assert_int_equal(find(*state, above, (const double[6]){[4] = 3}).pairs, 0);
    assert_int_equal(find(*state, above, (const double[6]){[1] = -0.11}).pairs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(shifts_bring_small_surfaces_deep),
        test_with_context(turns_bring_small_surfaces_deep),
        test_with_context(large_turns_count_wholly),
        test_with_context(all_motions_count),
        test_with_context(ideal_motions_do_not),
        test_with_context(what_moved_away_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

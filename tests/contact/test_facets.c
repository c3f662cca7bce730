// SPDX-License-Identifier: Apache-2.0
// Strips of surfaces and their mates, where all of them is known: straight sides, a disk on a plate, involutes.
#include "contact/facets.h"
#include "stepping/slider.h"

#include "base/pi.h"

// Strips of a scene's own frames at t.
typedef struct Search {
    Scene scene;
    StickFrames frames;
    StickFacets *strips;
    StickFacetSet set;
} Search;

static void look_at(Search *search, double t)
{
    StickContext *ctx = search->scene.ctx;
    assert_ok(ctx, stick_frames_place(&search->frames, t, 1e-4));
    assert_ok(ctx, stick_facets_find(search->strips, &search->frames, t, &search->set));
}

static void start(Search *search)
{
    StickContext *ctx = search->scene.ctx;
    const Scene *scene = &search->scene;
    search->set = (StickFacetSet){0};
    assert_ok(ctx, stick_frames_create(ctx, scene->system, &scene->model->step[0], &search->frames));
    assert_ok(ctx, stick_facets_create(ctx, scene->system, &search->frames, &search->strips));
}

static void start_slider(Search *search, StickContext *ctx, const Slider *of)
{
    slider_open(&search->scene, ctx, of);
    start(search);
}

static void finish(Search *search)
{
    StickContext *ctx = search->scene.ctx;
    stick_facet_set_destroy(ctx, &search->set);
    stick_facets_destroy(search->strips);
    stick_frames_destroy(ctx, &search->frames);
    scene_close(&search->scene);
}

static double total_length(const StickFacetSet *set)
{
    double sum = 0;
    for (int i = 0; i < set->npairs; i++)
        sum += set->pair[i].length;
    return sum;
}

// Sum of the weights of a side, and their mean place in space.
static double weigh(const Search *search, const StickFacetSide *side, double mean[2])
{
    const StickFrame *frame = &search->frames.frame[side->body];
    double sum = 0, x[2] = {0, 0};
    for (int k = side->first; k < side->first + side->count; k++) {
        // both bodies of the slider stand unmoved in the system
        const double *node = &search->scene.system->body[side->body].mesh.x[2 * search->set.node[k]];
        sum += search->set.weight[k];
        for (int j = 0; j < 2; j++)
            x[j] += search->set.weight[k] * node[j];
    }
    stick_frame_out(frame, x, mean);
    return sum;
}

// ---- straight sides

// Sides of 1/4: strips of that length around nodes, and halves at both ends.
static void strips_lie_around_nodes(void **state)
{
    Search search;
    start_slider(&search, *state, &(Slider){.at = "[0.1, 0.05]"});
    look_at(&search, 0);
    assert_int_equal(stick_facets_surfaces(search.strips), 2);
    assert_int_equal(search.set.npairs, 9);
    assert_near(total_length(&search.set), slider_width, 1e-12);
    for (int i = 0; i < 9; i++) {
        const StickFacetPair *pair = &search.set.pair[i];
        bool end = i == 0 || i == 8;
        double middle = 0.1 + (i == 0 ? -0.9375 : i == 8 ? 0.9375 : 0.25 * i - 1);
        assert_int_equal(pair->strip, i);
        assert_near(pair->length, end ? 0.125 : 0.25, 1e-12);
        assert_near(pair->x[0], middle, 1e-12);
        assert_near(pair->x[1], 0.05, 1e-12);
        assert_near(pair->gap, 0.05, 1e-12);
        assert_near(pair->normal[0], 0, 1e-12);
        assert_near(pair->normal[1], -1, 1e-12);
        assert_int_equal(pair->side[0].body, SLIDER_BLOCK);
        assert_int_equal(pair->side[1].body, SLIDER_PLATE);
    }
    finish(&search);
}

// Averages of hat functions: 3/4 and twice 1/8 in the middle, 3/4 and 1/4 at an end.
static void nodes_share_by_their_hat_functions(void **state)
{
    Search search;
    start_slider(&search, *state, &(Slider){.at = "[0.1, 0]"});
    look_at(&search, 0);
    for (int i = 0; i < search.set.npairs; i++) {
        const StickFacetPair *pair = &search.set.pair[i];
        bool end = i == 0 || i == 8;
        double most = 0, mean[2];
        for (int k = 0; k < pair->side[0].count; k++)
            most = fmax(most, search.set.weight[pair->side[0].first + k]);
        assert_int_equal(pair->side[0].count, end ? 2 : 3);
        assert_near(most, 0.75, 1e-12);
        // a force of the nodes acts where that of the pair does, on both bodies
        for (int side = 0; side < 2; side++) {
            assert_near(weigh(&search, &pair->side[side], mean), 1, 1e-12);
            assert_near(mean[0], pair->x[0], 1e-12);
            assert_near(mean[1], 0, 1e-12);
        }
    }
    finish(&search);
}

// The plate moves to the right: t = n turned by +90 degrees, of a normal downwards to the right too.
static void sliding_is_that_of_the_ideal_motion(void **state)
{
    static const struct {
        const char *slide;
        double speed, sense;
    } cases[] = {{"[3*t, 0]", 3, 1}, {"[-2*t, 0]", -2, -1}, {"[0.1, 0]", 0, 0}};
    for (int k = 0; k < 3; k++) {
        Search search;
        start_slider(&search, *state, &(Slider){.slide = cases[k].slide, .friction = "0.1 + t + 0.01*x"});
        look_at(&search, 0.25);
        assert_int_equal(search.set.npairs, 9);
        for (int i = 0; i < search.set.npairs; i++) {
            const StickFacetPair *pair = &search.set.pair[i];
            double g[2];
            assert_near(pair->speed, cases[k].speed, 1e-9);
            assert_near(pair->sense, cases[k].sense, 0);
            assert_near(pair->mu, 0.35 + 0.01 * pair->x[0], 1e-12);
            // the force on the plate is against its way
            stick_facet_force(pair, 1, g);
            assert_near(g[0], -pair->mu * cases[k].sense, 1e-12);
            assert_near(g[1], -1, 1e-12);
        }
        finish(&search);
    }
}

// Its speed is 2 t - 1: to and fro, and none in between.
static void sliding_may_turn_around(void **state)
{
    Search search;
    start_slider(&search, *state, &(Slider){.slide = "[t^2 - t, 0]"});
    for (int k = -1; k <= 1; k++) {
        look_at(&search, 0.5 + 0.5 * k);
        assert_int_equal(search.set.npairs, 9);
        for (int i = 0; i < search.set.npairs; i++)
            assert_near(search.set.pair[i].sense, k, 0);
    }
    finish(&search);
}

static void what_is_too_far_away_is_no_pair(void **state)
{
    Search search;
    start_slider(&search, *state, &(Slider){.at = "[0, t]"});
    look_at(&search, 0.099);
    assert_int_equal(search.set.npairs, 9);
    look_at(&search, 0.101);
    assert_int_equal(search.set.npairs, 0);
    assert_ok(*state, stick_facets_find_beyond(search.strips, &search.frames, 0.101, 0.002, &search.set));
    assert_int_equal(search.set.npairs, 9);
    assert_near(search.set.pair[4].gap, 0.101, 1e-12);
    // that was once
    look_at(&search, 0.101);
    assert_int_equal(search.set.npairs, 0);
    // overlap counts as distance does
    look_at(&search, -0.099);
    assert_int_equal(search.set.npairs, 9);
    assert_near(search.set.pair[4].gap, -0.099, 1e-12);
    look_at(&search, -0.101);
    assert_int_equal(search.set.npairs, 0);
    finish(&search);
}

// Beyond the end of the plate at x = 3 the block touches nothing: strips end there, wherever that is between nodes.
static void surfaces_touch_as_far_as_both_go(void **state)
{
    static const char *const strips[] = {"strip: 1", "strip: 2", "strip: 3"};
    for (int k = 0; k < 3; k++) {
        Search search;
        start_slider(&search, *state,
                     &(Slider){.at = "[2.3 + t, 0]", .slide = "[0, 0]", .contact = strips[k]});
        for (double t = 0; t < 1; t += 0.13) {
            look_at(&search, t);
            double ends = 0;
            for (int i = 0; i < search.set.npairs; i++) {
                const StickFacetPair *pair = &search.set.pair[i];
                ends = fmax(ends, pair->x[0] + 0.5 * pair->length);
                assert_true(pair->x[0] - 0.5 * pair->length > 1.3 + t - 1e-9);
            }
            assert_near(ends, 3, 1e-3 * 0.75);
            assert_near(total_length(&search.set), 3 - (1.3 + t), 1e-3 * 0.75);
        }
        finish(&search);
    }
}

// ---- round sides

// A part of a disk of radius 10 above a flat block; strips on the flat one.
static const char disk[] =
    "materials: {steel: {young: 200e3, poisson: 0.3, density: 1}}\n"
    "bodies:\n"
    "  disk: {mesh: {patches: [{cells: [40, 2], sides: {bottom: round},\n"
    "    map: [(10 - eta)*sin(xi - 0.5), -(10 - eta)*cos(xi - 0.5)]}]}, material: steel,\n"
    "    flanks: {round: {x: 10*sin(s), y: -10*cos(s), from: -0.5, to: 0.5}}}\n"
    "  flat: {mesh: {rectangle: {size: [4, 1], cells: [20, 2], origin: [-2, -1]}}, material: steel}\n"
    "frames: {disk: {at: [t, 10.01], free: [y], force: [0, -1]}, flat: {}}\n"
    "supports: [{on: disk.top, displacement: [0, 0]}, {on: flat.bottom, displacement: [0, 0]}]\n"
    "contacts: [{between: [flat.top, disk.round], friction: 0.5, max-distance: 0.2, strip: 2}]\n"
    "steps: [{trajectory: {to: 1, positions: 3}}]\n";

static void gaps_are_those_of_the_true_curve(void **state)
{
    Search search;
    scene_open(&search.scene, *state, disk);
    start(&search);
    for (double t = 0; t < 1; t += 0.17) {
        double nearest = INFINITY;
        look_at(&search, t);
        assert_true(search.set.npairs > 4);
        for (int i = 0; i < search.set.npairs; i++) {
            const StickFacetPair *pair = &search.set.pair[i];
            double x = pair->x[0] - t;
            assert_near(pair->gap, 10.01 - sqrt(100 - x * x), 1e-9);
            assert_near(pair->side[1].s, asin(x / 10), 1e-9);
            assert_near(pair->sense, -1,
                        0); // it slides to the right, the tangent of the flat one points to the left
            nearest = fmin(nearest, fabs(x));
        }
        // a strip of two sides has its middle where surfaces are nearest, wherever nodes are
        assert_below(nearest, 1e-4);
    }
    finish(&search);
}

// ---- gears

static void start_gears(Search *search, StickContext *ctx)
{
    scene_open(
        &search->scene, ctx,
        "materials: {steel: {young: 2e5, poisson: 0.3, density: 1}}\n"
        "gears: {pair: {teeth: [20, 30], module: 1, pressure-angle: deg(20), face-width: 1,\n"
        "               material: steel, bore: 6, mesh: {flank-nodes: 33, teeth: 3, fine-teeth: 1}}}\n"
        "supports: [{on: pair.1.bore, displacement: [0, 0]}, {on: pair.2.bore, displacement: [0, 0]}]\n"
        "contacts: [{between: pair, friction: 0.1, max-distance: 0.05}]\n"
        "steps: [{trajectory: {cycle: tooth, positions: 4, torque: {pair.2: 300}}}]\n");
    start(search);
}

// Each gear is pushed along a tangent of its own base circle.
static void forces_of_gears_touch_base_circles(void **state)
{
    static const double base[2] = {10 * 0.93969262078590838, 15 * 0.93969262078590838};
    static const double centre[2] = {0, 25};
    Search search;
    start_gears(&search, *state);
    for (double t = 0; t < 1; t += 0.3) {
        double least = INFINITY;
        look_at(&search, t);
        for (int i = 0; i < search.set.npairs; i++)
            for (int side = 0; side < 2; side++) {
                const StickFacetSide *of = &search.set.pair[i].side[side];
                double a = of->x[0] - centre[of->body], b = of->x[1];
                assert_near(fabs(a * of->normal[1] - b * of->normal[0]), base[of->body], 1e-9);
                least = fmin(least, search.set.pair[i].gap);
            }
        // ideal flanks touch at every position and lie in each other nowhere
        assert_true(least > -1e-9 && least < 1e-4);
    }
    finish(&search);
}

// Teeth 0 touch at s from the pitch point, and slide there by s times the sum of both spins: before it the input's flank goes
// along the tangent, which points from the output's tip to its root, and against it afterwards.
static void gears_slide_but_at_the_pitch_point(void **state)
{
    double spins = 2 * STICK_PI * (1.0 / 20 + 1.0 / 30);
    Search search;
    start_gears(&search, *state);
    for (int k = -3; k <= 3; k++) {
        const StickFacetPair *nearest = NULL;
        double t = 0.5 + 0.05 * k, s = 0.05 * k * STICK_PI * cos(20 * STICK_PI / 180);
        look_at(&search, t);
        for (int i = 0; i < search.set.npairs; i++)
            if (!nearest || search.set.pair[i].gap < nearest->gap)
                nearest = &search.set.pair[i];
        assert_non_null(nearest);
        assert_near(nearest->speed, -s * spins, 1e-3 * spins);
        assert_near(nearest->sense, (k < 0) - (k > 0), 0);
    }
    finish(&search);
}

// ----

static StickStatus make_and_find(StickContext *ctx, void *data)
{
    Search *search = data;
    StickFacets *strips;
    StickFacetSet set = {0};
    STICK_TRY(stick_facets_create(ctx, search->scene.system, &search->frames, &strips));
    StickStatus status = stick_facets_find(strips, &search->frames, 0, &set);
    stick_facet_set_destroy(ctx, &set);
    stick_facets_destroy(strips);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    Search search;
    start_slider(&search, *state, &(Slider){.at = "[2.3, 0]", .contact = "strip: 2"});
    look_at(&search, 0);
    assert_survives_failing_memory(make_and_find, &search);
    finish(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(strips_lie_around_nodes),
        test_with_context(nodes_share_by_their_hat_functions),
        test_with_context(sliding_is_that_of_the_ideal_motion),
        test_with_context(sliding_may_turn_around),
        test_with_context(what_is_too_far_away_is_no_pair),
        test_with_context(surfaces_touch_as_far_as_both_go),
        test_with_context(gaps_are_those_of_the_true_curve),
        test_with_context(gears_slide_but_at_the_pitch_point),
        test_with_context(forces_of_gears_touch_base_circles),
        test_with_context(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

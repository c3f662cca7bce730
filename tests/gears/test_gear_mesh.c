// SPDX-License-Identifier: Apache-2.0
#include "../mesh/meshes.h"
#include "pairs.h"

#include "gears/gear_mesh.h"

static StickStatus make(StickContext *ctx, const StickGearPairSpec *pair, int g, StickMesh *mesh)
{
    StickMeshSpec spec = {.kind = STICK_MESH_GEAR, .gears = pair, .gear = g};
    return stick_gear_mesh(ctx, &spec, mesh);
}

static double worst_sine(const StickMesh *mesh)
{
    double worst = 1;
    for (int e = 0; e < mesh->nelements; e++) {
        double x[STICK_MOST_ELEMENT_NODES][3] = {{0}};
        int where;
        for (int k = mesh->start[e]; k < mesh->start[e + 1]; k++)
            memcpy(x[k - mesh->start[e]], place_of(mesh, mesh->node[k]), 2 * sizeof(double));
        worst = fmin(worst, stick_mesh_worst_angle((const double(*)[3])x, mesh->shape[e], &where));
    }
    return worst;
}

static double radius_of(const StickMesh *mesh, int node)
{
    const double *x = place_of(mesh, node);
    return hypot(x[0], x[1]);
}

static const StickMeshFlank *flank_of(const StickMesh *mesh, const char *name)
{
    for (int k = 0; k < mesh->nflanks; k++)
        if (strcmp(mesh->flank[k].group, name) == 0)
            return &mesh->flank[k];
    fail_msg("there is no flank '%s'", name);
    return NULL;
}

static double longest_edge(const StickMesh *mesh, const char *name)
{
    const StickGroup *group = need_group(mesh, name);
    double most = 0;
    for (int k = 0; k < group->nfacets; k++) {
        int node[STICK_MOST_FACET_NODES];
        stick_mesh_facet_nodes(mesh, group->facet[k], node);
        const double *a = place_of(mesh, node[0]), *b = place_of(mesh, node[1]);
        most = fmax(most, hypot(b[0] - a[0], b[1] - a[1]));
    }
    return most;
}

static void meshes_of_many_gears_are_sound(void **state)
{
    StickContext *ctx = *state;
    static const struct {
        int teeth;
        double shift, tip_radius, rim; // rim: in modules below (of a ring beyond) the root circle
        bool internal;
        double worst; // at least, sine
    } gears[] = {
        {12, 0, 0.38, 3, false, 0.5},    {12, 0.5, 0.3, 3, false, 0.5},
        {8, 0, 0.38, 2, false, 0.45}, // undercut
        {17, -0.2, 0.38, 4, false, 0.5}, {25, 0.5, 0.2, 6, false, 0.3},
        {30, 0, 0, 6, false, 0.3},       {40, -0.5, 0.38, 1, false, 0.3},
        {100, 0, 0.38, 35, false, 0.4},  {100, 0, 0.38, 0.8, false, 0.25},
        {40, 0.5, 0.3, 3, true, 0.3},    {60, 0, 0.2, 3, true, 0.3},
        {60, 0, 0, 1.5, true, 0.15},
    };
    for (size_t k = 0; k < sizeof gears / sizeof *gears; k++) {
        bool internal = gears[k].internal;
        int z = gears[k].teeth;
        StickGearPairSpec pair = internal ? ring_pair(20, z, 2) : standard_pair(z, 20, 2);
        StickGearSpec *gear = &pair.gear[internal];
        StickMesh mesh;
        gear->shift = gears[k].shift;
        gear->tip_radius = gears[k].tip_radius;
        gear->rim = 2 * (0.5 * z + gear->shift + (internal ? 1 : -1) * (1.25 + gears[k].rim));
        gear->flank_cells = 24;
        pair.gear[!internal].shift = internal ? gears[k].shift : 0;
        pair.centre_distance = stick_gears_tight_distance(&pair);
        assert_ok(ctx, make(ctx, &pair, internal, &mesh));
        assert_ok(ctx, stick_mesh_check(ctx, &mesh, (StickMark){"gear", 1, 1}));
        if (worst_sine(&mesh) < gears[k].worst)
            fail_msg("gear %zu of %d teeth has an angle of sine %g", k, z, worst_sine(&mesh));
        stick_mesh_destroy(ctx, &mesh);
    }
}

// The area enclosed by a gear's outline, integrated over many rings from the angle that the teeth fill on each circle;
// for a ring gear the area that its teeth leave.
static double enclosed_by_rings(const StickTooth *tooth)
{
    enum { RINGS = 4000 };
    double root = tooth->root, tip = tooth->tip, sum = STICK_PI * root * root;
    for (int k = 0; k < RINGS; k++) {
        double r = root + (tip - root) * (k + 0.5) / RINGS;
        sum += tooth->teeth * 2 * stick_tooth_half_angle(tooth, r) * r * (tip - root) / RINGS;
    }
    return sum;
}

static double enclosed_by(const StickMesh *mesh)
{
    static const char *const names[] = {"flanks", "fillets", "tips"};
    double sum = 0;
    for (int n = 0; n < 3; n++) {
        const StickGroup *group = need_group(mesh, names[n]);
        for (int k = 0; k < group->nfacets; k++)
            sum += swept(mesh, group->facet[k]);
    }
    return fabs(sum);
}

static void outlines_are_those_of_the_gears(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pairs[3] = {stub_pair(), standard_pair(12, 30, 1), ring_pair(20, 50, 1)};
    pairs[1].gear[0].rim = 2;
    for (int k = 0; k < 3; k++) {
        int g = k == 2;
        StickTooth tooth;
        StickMesh mesh;
        assert_ok(ctx, stick_tooth_make(ctx, &pairs[k], g, &tooth));
        pairs[k].gear[g].flank_cells = 24;
        pairs[k].gear[g].fillet = 0.04 * pairs[k].module;
        assert_ok(ctx, make(ctx, &pairs[k], g, &mesh));
        assert_true(mesh_volume(&mesh) > 0);
        assert_near(enclosed_by(&mesh) / enclosed_by_rings(&tooth), 1, 5e-5);
        stick_mesh_destroy(ctx, &mesh);
    }
}

static void flanks_lie_on_their_curves(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pairs[2] = {stub_pair(), ring_pair(20, 50, 1)};
    for (int g = 0; g < 2; g++) {
        StickMesh mesh;
        pairs[g].gear[g].flank_cells = 30;
        assert_ok(ctx, make(ctx, &pairs[g], g, &mesh));
        assert_int_equal(mesh.nflanks, 2 * pairs[g].gear[g].teeth);
        for (int k = 0; k < mesh.nflanks; k++) {
            const StickMeshFlank *flank = &mesh.flank[k];
            assert_int_equal(need_group(&mesh, flank->group)->nnodes, flank->nnodes);
            assert_true(flank->nnodes >= 31);
            assert_near(flank->s[0], flank->flank.from, 0);
            assert_near(flank->s[flank->nnodes - 1], flank->flank.to, 0);
            for (int i = 0; i < flank->nnodes; i++) {
                StickFlankPoint point;
                const double *x = place_of(&mesh, flank->node[i]);
                assert_ok(ctx, stick_flank_at(&flank->flank, flank->s[i], &point));
                assert_near(x[0], point.x[0], 1e-11 * pairs[g].centre_distance);
                assert_near(x[1], point.x[1], 1e-11 * pairs[g].centre_distance);
                assert_true(i == 0 || flank->s[i] > flank->s[i - 1]);
            }
        }
        stick_mesh_destroy(ctx, &mesh);
    }
}

// Normals of a flank point away from the middle of its tooth.
static void left_and_right_are_seen_from_the_centre(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pairs[2] = {stub_pair(), ring_pair(20, 50, 1)};
    for (int g = 0; g < 2; g++) {
        StickMesh mesh;
        int z = pairs[g].gear[g].teeth;
        pairs[g].gear[g].flank_cells = 6;
        assert_ok(ctx, make(ctx, &pairs[g], g, &mesh));
        for (int k = 0; k < 2 * z; k++) {
            char name[32];
            int sign = k % 2 ? -1 : 1;
            double middle = 2 * STICK_PI * (k / 2) / z;
            snprintf(name, sizeof name, "tooth-%d-%s", k / 2, k % 2 ? "right" : "left");
            const StickMeshFlank *flank = flank_of(&mesh, name);
            const double *x = place_of(&mesh, flank->node[flank->nnodes / 2]);
            double ahead = x[1] * cos(middle) - x[0] * sin(middle);
            StickFlankPoint point;
            assert_true(sign * ahead > 0 && fabs(ahead) < hypot(x[0], x[1]) * STICK_PI / z);
            assert_ok(ctx, stick_flank_at(&flank->flank, flank->s[flank->nnodes / 2], &point));
            assert_true(sign * (point.normal[1] * cos(middle) - point.normal[0] * sin(middle)) > 0);
        }
        stick_mesh_destroy(ctx, &mesh);
    }
}

static void every_free_side_has_one_name(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pair = stub_pair();
    pair.gear[0].flank_cells = 12;
    for (int teeth = 0; teeth < 6; teeth += 5) {
        StickMesh mesh;
        pair.gear[0].mesh_teeth = teeth;
        assert_ok(ctx, make(ctx, &pair, 0, &mesh));
        int sides = teeth ? need_group(&mesh, "sides")->nfacets : 0;
        assert_true((teeth > 0) == (stick_mesh_group(&mesh, "sides") != NULL));
        assert_int_equal(need_group(&mesh, "bore")->nfacets + need_group(&mesh, "flanks")->nfacets +
                             need_group(&mesh, "fillets")->nfacets + need_group(&mesh, "tips")->nfacets +
                             sides,
                         need_group(&mesh, "boundary")->nfacets);
        const StickGroup *bore = need_group(&mesh, "bore"), *tips = need_group(&mesh, "tips");
        for (int k = 0; k < bore->nnodes; k++)
            assert_near(radius_of(&mesh, bore->node[k]), 0.5, 1e-14);
        for (int k = 0; k < tips->nnodes; k++)
            assert_near(radius_of(&mesh, tips->node[k]), 1.075, 1e-14);
        stick_mesh_destroy(ctx, &mesh);
    }
}

static void sectors_lie_about_the_first_tooth(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pair = stub_pair();
    StickMesh whole, sector;
    pair.gear[0].flank_cells = 12;
    assert_ok(ctx, make(ctx, &pair, 0, &whole));
    pair.gear[0].mesh_teeth = 5;
    assert_ok(ctx, make(ctx, &pair, 0, &sector));
    assert_near(mesh_volume(&sector), mesh_volume(&whole) / 4, 1e-12);
    assert_int_equal(sector.nflanks, 10);
    flank_of(&sector, "tooth-18-left");
    flank_of(&sector, "tooth-2-right");
    const StickGroup *sides = need_group(&sector, "sides");
    for (int k = 0; k < sides->nnodes; k++) {
        const double *x = place_of(&sector, sides->node[k]);
        assert_near(fabs(atan2(x[1], x[0])), 5 * STICK_PI / 20, 1e-14);
    }
    stick_mesh_destroy(ctx, &whole);
    stick_mesh_destroy(ctx, &sector);
}

static void edges_are_as_short_as_wanted(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pair = stub_pair();
    StickTooth tooth;
    StickMesh mesh;
    pair.gear[0].flank_cells = 50;
    pair.gear[0].fillet = 0.004;
    pair.gear[0].fine_teeth = 3;
    assert_ok(ctx, stick_tooth_make(ctx, &pair, 0, &tooth));
    assert_ok(ctx, make(ctx, &pair, 0, &mesh));
    double length = (tooth.s_tip * tooth.s_tip - tooth.s_form * tooth.s_form) / (2 * tooth.base);
    assert_true(longest_edge(&mesh, "tooth-0-left") <= length / 50);
    assert_true(longest_edge(&mesh, "tooth-1-right") <= length / 50);
    assert_true(longest_edge(&mesh, "tooth-2-left") > length / 20);
    // fillets of fine teeth
    const StickGroup *fillets = need_group(&mesh, "fillets");
    for (int k = 0; k < fillets->nfacets; k++) {
        int node[STICK_MOST_FACET_NODES];
        stick_mesh_facet_nodes(&mesh, fillets->facet[k], node);
        const double *a = place_of(&mesh, node[0]), *b = place_of(&mesh, node[1]);
        if (fabs(atan2(a[1], a[0])) < STICK_PI / 20 && fabs(atan2(b[1], b[0])) < STICK_PI / 20)
            assert_true(hypot(b[0] - a[0], b[1] - a[1]) <= 0.004);
    }
    // at the tip's corner flanks have cells of a quarter of that
    const StickMeshFlank *flank = flank_of(&mesh, "tooth-0-left");
    const double *a = place_of(&mesh, flank->node[flank->nnodes - 1]),
                 *b = place_of(&mesh, flank->node[flank->nnodes - 2]);
    assert_true(hypot(b[0] - a[0], b[1] - a[1]) <= length / 200);
    stick_mesh_destroy(ctx, &mesh);
}

// Four times more nodes on flanks need no more than four times more in all, and few where few teeth are fine.
static void nodes_are_few(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pair = stub_pair();
    int nodes[2][2];
    for (int cells = 0; cells < 2; cells++)
        for (int fine = 0; fine < 2; fine++) {
            StickMesh mesh;
            pair.gear[0].flank_cells = cells ? 240 : 60;
            pair.gear[0].fine_teeth = fine ? 3 : 0;
            assert_ok(ctx, make(ctx, &pair, 0, &mesh));
            nodes[cells][fine] = mesh.nnodes;
            stick_mesh_destroy(ctx, &mesh);
        }
    assert_true(nodes[0][0] < 65000 && nodes[0][1] < 15000);
    assert_true(nodes[1][0] <= 4 * nodes[0][0] && nodes[1][1] <= 4 * nodes[0][1]);
}

static void straight_flanks_pass_through_their_nodes(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pair = stub_pair();
    StickMesh mesh;
    pair.gear[0].flank_cells = 12;
    pair.gear[0].mesh_teeth = 1;
    pair.flanks = STICK_FLANKS_STRAIGHT;
    assert_ok(ctx, make(ctx, &pair, 0, &mesh));
    const StickMeshFlank *flank = flank_of(&mesh, "tooth-0-right");
    assert_int_equal(flank->flank.kind, STICK_FLANK_CHAIN);
    for (int i = 0; i + 1 < flank->nnodes; i++) {
        StickFlankPoint point;
        const double *a = place_of(&mesh, flank->node[i]), *b = place_of(&mesh, flank->node[i + 1]);
        assert_ok(ctx, stick_flank_at(&flank->flank, 0.5 * (flank->s[i] + flank->s[i + 1]), &point));
        assert_near(point.x[0], 0.5 * (a[0] + b[0]), 1e-12);
        assert_near(point.x[1], 0.5 * (a[1] + b[1]), 1e-12);
        assert_true(point.normal[1] < 0);
    }
    stick_mesh_destroy(ctx, &mesh);
}

// Reliefs change the curve of a flank, not its nodes.
static void reliefs_are_in_the_curve(void **state)
{
    StickContext *ctx = *state;
    StickGearPairSpec pair = stub_pair();
    StickMesh mesh;
    pair.gear[0].flank_cells = 12;
    pair.gear[0].mesh_teeth = 1;
    pair.gear[0].tip = (StickReliefSpec){.amount = 1e-3, .length = 0.5, .power = 1};
    assert_ok(ctx, make(ctx, &pair, 0, &mesh));
    const StickMeshFlank *flank = flank_of(&mesh, "tooth-0-left");
    int last = flank->nnodes - 1;
    const double *x = place_of(&mesh, flank->node[last]);
    StickFlankPoint point;
    assert_ok(ctx, stick_flank_at(&flank->flank, flank->s[last], &point));
    assert_near(hypot(x[0] - point.x[0], x[1] - point.x[1]), 1e-3, 1e-12);
    assert_near(hypot(x[0], x[1]), 1.075, 1e-14);
    stick_mesh_destroy(ctx, &mesh);
}

static void numbers_that_make_no_mesh_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickMesh mesh;
    StickGearPairSpec pair = stub_pair();
    assert_int_equal(make(ctx, &pair, 1, &mesh), STICK_BAD_INPUT);
    assert_said(ctx, "gear 'pair.2': a mesh of 0 cells along a flank");
    assert_string_equal(stick_diagnostic(ctx, 0)->file, "gears.yaml");
    pair.gear[0].flank_cells = 8;
    pair.gear[0].mesh_teeth = 21;
    assert_int_equal(make(ctx, &pair, 0, &mesh), STICK_BAD_INPUT);
    assert_said(ctx, "a mesh of 21 teeth, but the gear has 20");
    pair.gear[0].mesh_teeth = 0;
    pair.gear[0].rim = 0;
    assert_int_equal(make(ctx, &pair, 0, &mesh), STICK_BAD_INPUT);
    assert_said(ctx, "its bore has the radius 0");
}

static StickStatus make_once(StickContext *ctx, void *data)
{
    StickMesh mesh;
    STICK_TRY(make(ctx, data, 0, &mesh));
    stick_mesh_destroy(ctx, &mesh);
    return STICK_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    StickGearPairSpec pair = stub_pair();
    pair.gear[0].flank_cells = 6;
    pair.gear[0].mesh_teeth = 2;
    pair.flanks = STICK_FLANKS_STRAIGHT;
    assert_survives_failing_memory(make_once, &pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(meshes_of_many_gears_are_sound),
        test_with_context(outlines_are_those_of_the_gears),
        test_with_context(flanks_lie_on_their_curves),
        test_with_context(left_and_right_are_seen_from_the_centre),
        test_with_context(every_free_side_has_one_name),
        test_with_context(sectors_lie_about_the_first_tooth),
        test_with_context(edges_are_as_short_as_wanted),
        test_with_context(nodes_are_few),
        test_with_context(straight_flanks_pass_through_their_nodes),
        test_with_context(reliefs_are_in_the_curve),
        test_with_context(numbers_that_make_no_mesh_are_refused),
        test_with_context(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("gears.gear_mesh", tests, NULL, NULL);
}

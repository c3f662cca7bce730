// SPDX-License-Identifier: Apache-2.0
#include "gears/pairs.h"
#include "gears/tell.h"

#include "check.h"

// Checks all warnings and notes about a pair.
static void assert_told_of(StickGearPairSpec *spec, StickStepSpec *step, int warnings, const char *text)
{
    StickContext *ctx = stick_context_create(NULL);
    StickModel model = {.ngears = 1, .gears = spec, .nsteps = step ? 1 : 0, .step = step};
    int count = 0;
    bool found = false;
    assert_ok(ctx, stick_gears_tell(ctx, &model));
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        count += said->severity == STICK_WARNING;
        found = found || strstr(said->text, text);
        if (said->severity == STICK_WARNING)
            assert_int_equal(said->line, 7);
    }
    for (size_t k = 0; k < stick_diagnostic_count(ctx) && (!found || count != warnings); k++)
        print_error("%s\n", stick_diagnostic(ctx, k)->text);
    assert_true(found);
    assert_int_equal(count, warnings);
    stick_context_destroy(ctx);
}

static void assert_told(StickGearPairSpec *spec, int warnings, const char *text)
{
    assert_told_of(spec, NULL, warnings, text);
}

static void good_gears_have_a_note(void **state)
{
    (void)state;
    StickGearPairSpec spec = stub_pair();
    assert_told(&spec, 0, "gears 'pair': contact ratio 1.220092, line of action from -0.180094 to 0.180094");
    assert_told(&spec, 0, "backlash 0");
}

static void warnings_say_what_to_do(void **state)
{
    (void)state;
    StickGearPairSpec spec = standard_pair(10, 40, 1);
    assert_told(&spec, 1, "gear 'pair.1' is undercut: its flanks begin at radius 4.7256");
    assert_told(&spec, 1, "a 'shift' of at least 0.41");
    spec = standard_pair(20, 60, 1);
    spec.gear[1].addendum = 1.22;
    assert_told(&spec, 1, "the tips of gear 'pair.2' run into the fillets of gear 'pair.1', by ");
    spec.gear[1].addendum = 1.4;
    assert_told(&spec, 1, "run into the root circle of gear 'pair.1', by 0.15");
    spec = standard_pair(20, 20, 1);
    spec.gear[0].addendum = spec.gear[1].addendum = 0.5;
    assert_told(&spec, 1,
                "below 1 there are positions in which no exact flanks are in contact and tip corners carry "
                "the load; use a larger 'addendum'");
    spec = standard_pair(20, 30, 3);
    spec.centre_distance = 78;
    assert_told(&spec, 1, "use a larger 'addendum', or a 'centre-distance' nearer to 75");
    spec = ring_pair(60, 64, 1);
    spec.gear[1].addendum = 0.8;
    assert_told(&spec, 1, "the tips of gear 'pair.1' run into the tips of gear 'pair.2'");
    spec = stub_pair();
    spec.gear[1].tip = (StickReliefSpec){1e-3, 2, 1};
    spec.gear[1].root = (StickReliefSpec){1e-3, 2, 1};
    assert_told(&spec, 1,
                "reliefs of gear 'pair.2' have together the length 4, but its active flank has 3.6");
    spec = stub_pair();
    spec.gear[0].tip = (StickReliefSpec){0.02, 1, 1};
    assert_told(&spec, 1, "'tip-relief' of gear 'pair.1' removes 0.02, which is 0.2 modules");
    spec.gear[0].tip.amount = 0.01;
    assert_told(&spec, 0, "backlash 0");
}

// A cycle of a tooth needs tooth 0 and one on each side. Going on to 3.5, teeth 1 ... -3 of the input touch, -1 ... 3 of
// the output.
static void teeth_that_touch_are_in_the_mesh_and_fine(void **state)
{
    (void)state;
    StickGearPairSpec spec = stub_pair();
    StickStepSpec step = {.kind = STICK_STEP_TRAJECTORY,
                          .name = "roll",
                          .mark = {"gears.yaml", 7, 3},
                          .step = 0.02,
                          .trajectory = {.by_tooth = true, .from = 0, .to = 1, .positions = 50}};
    spec.gear[0].mesh_teeth = spec.gear[1].mesh_teeth = 3;
    spec.gear[0].fine_teeth = spec.gear[1].fine_teeth = 3;
    assert_told_of(&spec, &step, 0, "backlash 0");
    spec.gear[1].mesh_teeth = 1;
    assert_told_of(&spec, &step, 1,
                   "teeth of gear 'pair.2' that should be in contact are outside its sector of 1 teeth, so "
                   "loads and transmission error are wrong there:");
    assert_told_of(&spec, &step, 1,
                   "teeth, so loads and transmission error are wrong there: 3 or more for 'teeth' of its "
                   "'mesh' have them all");
    step.trajectory = (StickTrajectorySpec){.from = 0, .to = 3.5, .positions = 8};
    spec.gear[0].mesh_teeth = spec.gear[1].mesh_teeth = 0;
    assert_told_of(&spec, &step, 2,
                   "of gear 'pair.1' coarse teeth touch as well: 6 or more for 'fine-teeth'");
    assert_told_of(&spec, &step, 2,
                   "of gear 'pair.2' coarse teeth touch as well: 7 or more for 'fine-teeth'");
    step.trajectory.to = 100; // all teeth, several times
    spec.gear[0].fine_teeth = spec.gear[1].fine_teeth = 20;
    assert_told_of(&spec, &step, 0, "backlash 0");
    spec.gear[0].fine_teeth = 19;
    assert_told_of(&spec, &step, 1, "20 or more for 'fine-teeth'");
}

static void a_pair_that_cannot_be_made_is_refused(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    StickGearPairSpec specs[2] = {stub_pair(), stub_pair()};
    StickModel model = {.ngears = 2, .gears = specs};
    specs[0].gear[0].addendum = 3;
    specs[1].centre_distance = 1.9;
    assert_int_equal(stick_gears_tell(ctx, &model), STICK_BAD_INPUT);
    assert_int_equal(stick_diagnostic_count(ctx), 2); // both are reported
    stick_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_gears_have_a_note),
        cmocka_unit_test(warnings_say_what_to_do),
        cmocka_unit_test(teeth_that_touch_are_in_the_mesh_and_fine),
        cmocka_unit_test(a_pair_that_cannot_be_made_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

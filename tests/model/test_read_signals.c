// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"
#include "model/read_model.h"

#include <math.h>

static const char block[] =
    "stickslip: 1\n"
    "units: {time: %s}\n"
    "materials: {soft: {young: 1, density: 1}}\n"
    "bodies: {block: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, material: soft}}\n"
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
    "contacts: [{between: [block.bottom, plate], friction: 0.2}]\n"
    "steps: %s\n"
    "output: {history: [{name: force, of: block.bottom, what: contact_force.x}], %s}\n";

static const char steps[] =
    "[{name: press, quasistatic: {end: 1}}, {name: free, dynamics: {step: 0.1, end: 4}}, "
    "{name: last, dynamics: {step: 0.1, end: 5}}]";

static StickStatus read_with(StickContext *ctx, const char *unit, const char *all_steps, const char *output,
                             StickModel **model)
{
    static char text[4096];
    snprintf(text, sizeof text, block, unit, all_steps, output);
    return read_model(ctx, text, model);
}

static void signals_become_histories_of_their_step(void **state)
{
    StickModel *model;
    assert_ok(*state,
              read_with(*state, "s", steps,
                        "spectrum: [{name: tip, of: block.bottom, what: velocity.y, step: free, from: 2}], "
                        "phase: [{name: round, of: block.top, each: true}], "
                        "sound: {of: block.bottom, what: contact_force.normal, file: squeal.wav, seconds: 3}",
                        &model));
    const StickOutputSpec *output = &model->output;
    assert_int_equal(output->nhistories, 4);
    assert_string_equal(output->history[0].name, "force");
    assert_int_equal(output->history[0].only_step, 0);
    assert_string_equal(output->history[1].name, "tip");
    assert_int_equal(output->history[1].only_step, 2);
    assert_string_equal(output->history[2].name, "squeal");
    assert_int_equal(output->history[2].only_step, 3); // the last dynamic one
    assert_true(output->history[3].portrait && output->history[3].each);
    assert_int_equal(output->history[3].only_step, 3);
    assert_true(output->spectrum[0].from == 2 && isinf(output->spectrum[0].to));
    const StickSoundSpec *sound = &output->sound[0].sound;
    assert_true(sound->rate == 44100 && sound->seconds == 3 && sound->level == 0.9 && sound->slow == 1);
    assert_true(sound->per_unit == 1 && sound->format == STICK_WAV_PCM16);
    assert_false(stick_step_is_told(model, 0));
    assert_true(stick_step_is_told(model, 1) && stick_step_is_told(model, 2));
    stick_model_destroy(model);
}

static void several_sounds_are_a_list(void **state)
{
    StickModel *model;
    assert_ok(
        *state,
        read_with(*state, "ms", steps,
                  "sound: [{of: block, what: velocity.x}, {of: plate, what: contact_force.y, file: b.wav, "
                  "format: float, gain: 0.1}]",
                  &model));
    assert_int_equal(model->output.nsounds, 2);
    assert_string_equal(model->output.sound[0].sound.file, "sound.wav");
    assert_true(model->output.sound[0].sound.per_unit == 1e-3);
    assert_true(model->output.sound[1].sound.format == STICK_WAV_FLOAT &&
                model->output.sound[1].sound.gain == 0.1);
    stick_model_destroy(model);
}

static void what_makes_no_sense_is_said_at_its_place(void **state)
{
    static const struct {
        const char *unit, *steps, *output, *says;
    } cases[] = {
        {"s", steps, "spectrum: [{name: a, of: block, what: velocity.x, step: fre}]", "did you mean 'free'?"},
        {"s", steps, "spectrum: [{name: a, of: block, what: velocity.x, step: press}]",
         "unknown dynamic step 'press'"},
        {"s", "[{name: press, quasistatic: {end: 1}}]", "phase: [{name: a, of: block}]",
         "signals, sounds and phase portraits require a dynamic step, but the model has none"},
        {"s", steps, "spectrum: [{name: force, of: block, what: velocity.x}]",
         "two histories have the name 'force'"},
        {"s", steps, "spectrum: [{name: free, of: block, what: velocity.x}]",
         "a step is also named 'free': use another name"},
        {"s", steps, "spectrum: [{name: a, of: block, what: velosity.x}]", "did you mean 'velocity'?"},
        {"s", steps, "spectrum: [{name: a, of: block, what: velocity.x, from: 3, to: 2}]",
         "'from' is 3, but must be before 'to', 2"},
        {"s", steps, "spectrum: [{name: a, of: block, what: velocity.x, window: han}]",
         "did you mean 'hann'?"},
        {"s", steps, "sound: {of: block, what: velocity.x, file: ../a.wav}", "must be a name of letters"},
        {"s", steps, "sound: {of: block, what: velocity.x, file: a.mp3}",
         "but must be a name of letters, digits, _, + and - followed by .wav, as squeal.wav"},
        {"s", steps, "sound: {of: block, what: velocity.x, rate: 100}", "'rate'"},
        {"s", steps, "sound: {of: block, what: velocity.x, gain: 1, level: 1}", "give only one of them"},
        {"s", steps, "sound: {of: block, what: velocity.x, level: 2}", "'level'"},
        {"s", steps, "sound: {what: velocity.x}", "a sound needs the key 'of'"},
        {"s", steps, "sound: []", "'sound' has 0 members"},
        {"day", steps, "sound: {of: block, what: velocity.x}",
         "a sound requires a known unit of time, but it is 'day': use s, ms, us, ns or min"},
        {"s", steps, "phase: [{name: a, of: block, at: [0, 0], each: true}]", "give only one of them"},
        {"s", steps, "spectrum: [{name: a, of: plate, at: [0, 0], what: contact_force.x}]",
         "'at' selects a node of a deformable body: remove it here"},
        {"s", steps, "spectrum: [{name: a, of: block, at: [0, 0, 1], what: velocity.x}]",
         "'at' has 3 components, but the bodies have dimension 2"},
        {"s", steps, "phase: [{name: a, of: plate}]",
         "a phase portrait requires a body or a group of a body"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickModel *model;
        bool said = false;
        size_t before = stick_diagnostic_count(*state);
        assert_int_equal(read_with(*state, cases[k].unit, cases[k].steps, cases[k].output, &model),
                         STICK_BAD_INPUT);
        for (size_t j = before; j < stick_diagnostic_count(*state); j++) {
            const StickDiagnostic *diagnostic = stick_diagnostic(*state, j);
            said |= strstr(diagnostic->text, cases[k].says) && diagnostic->line == 8;
        }
        if (!said)
            fail_msg("'%s' was not said of line 8 but: %s", cases[k].says, stick_last_error(*state));
    }
}

static StickStatus read_all(StickContext *ctx, void *data)
{
    (void)data;
    StickModel *model;
    STICK_TRY(
        read_with(ctx, "s", steps,
                  "sound: {of: block, what: velocity.x}, phase: [{name: a, of: block}], spectrum: [{name: b, "
                  "of: block, what: velocity.x}]",
                  &model));
    stick_model_destroy(model);
    return STICK_OK;
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(signals_become_histories_of_their_step),
        test_with_context(several_sounds_are_a_list),
        test_with_context(what_makes_no_sense_is_said_at_its_place),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Signals made to be heard: length, loudness, loops without clicks; and the bytes of a WAV file.
#include "output/scratch.h"

#include "output/sound.h"
#include "output/wav.h"

enum { N = 4000 };
static const double h = 1e-5; // 100000 values per second

static double values[N];

static StickSoundSpec spec_of(double seconds)
{
    return (StickSoundSpec){
        .file = "x.wav", .rate = 44100, .seconds = seconds, .slow = 1, .level = 0.9, .per_unit = 1};
}

static StickSound sound_of(StickContext *ctx, const StickSoundSpec *spec, double frequency)
{
    for (int k = 0; k < N; k++)
        values[k] = 5 + 2 * sin(2 * M_PI * frequency * h * k);
    StickSignal signal = {N, 0, h, values};
    StickSoundTask task = {
        .signal = &signal, .first = 500, .period = 1 / frequency, .mean = 5, .saturated = true, .spec = spec};
    StickSound sound;
    assert_true(stick_sound_is_possible(&task));
    assert_ok(ctx, stick_sound_make(ctx, &task, &sound));
    return sound;
}

static double largest(const double *y, size_t from, size_t to)
{
    double most = 0;
    for (size_t k = from; k < to; k++)
        most = fmax(most, fabs(y[k]));
    return most;
}

static void it_is_as_long_and_as_loud_as_it_should_be(void **state)
{
    StickContext *ctx = *state;
    StickSoundSpec spec = spec_of(0);
    StickSound sound = sound_of(ctx, &spec, 1234.5);
    assert_near(sound.seconds, N * h, 2.0 / 44100);
    assert_near(largest(sound.sample, 0, sound.count), 0.9, 1e-12);
    assert_near(sound.full_scale, 2 / 0.9, 1e-3);
    assert_int_equal(sound.repeats, 0);
    assert_true(isnan(sound.loop_from));
    assert_below(fabs(sound.sample[0]), 1e-3); // faded in and out
    assert_below(fabs(sound.sample[sound.count - 1]), 1e-3);
    stick_sound_destroy(ctx, &sound);
}

static void it_is_slowed(void **state)
{
    StickContext *ctx = *state;
    StickSoundSpec spec = spec_of(0);
    spec.slow = 4;
    StickSound sound = sound_of(ctx, &spec, 1000);
    assert_near(sound.seconds, 4 * N * h, 2.0 / 44100);
    int crossings = 0;
    for (size_t k = 1; k < sound.count; k++)
        crossings += sound.sample[k - 1] < 0 && sound.sample[k] >= 0;
    assert_near(crossings / sound.seconds, 250, 10);
    stick_sound_destroy(ctx, &sound);
}

// A sine that is repeated stays the sine: no sample is far from where it should be, in spite of a period of no whole
// number of values.
static void a_loop_has_no_clicks(void **state)
{
    StickContext *ctx = *state;
    StickSoundSpec spec = spec_of(0.5);
    double f = 1234.5;
    StickSound sound = sound_of(ctx, &spec, f);
    assert_near(sound.seconds, 0.5, 2.0 / 44100);
    assert_true(sound.repeats > 5);
    assert_near(sound.loop_from, N * h, 1e-9);
    // a sine has y[k-1] + y[k+1] = 2 cos(w) y[k]
    double w = 2 * cos(2 * M_PI * f / 44100), worst = 0;
    for (size_t k = 400; k + 400 < sound.count; k++)
        worst = fmax(worst, fabs(sound.sample[k - 1] + sound.sample[k + 1] - w * sound.sample[k]));
    assert_below(worst, 0.01);
    assert_near(largest(sound.sample, sound.count / 2, sound.count - 400), 0.9, 0.02);
    stick_sound_destroy(ctx, &sound);
}

static void motion_without_period_is_repeated_as_a_whole(void **state)
{
    StickContext *ctx = *state;
    StickSoundSpec spec = spec_of(0.2);
    StickSignal signal = {N, 0, h, values};
    StickSoundTask task = {
        .signal = &signal, .first = 1000, .period = NAN, .mean = 5, .saturated = true, .spec = &spec};
    StickSound sound;
    assert_ok(ctx, stick_sound_make(ctx, &task, &sound));
    assert_near(sound.seconds, 0.2, 2.0 / 44100);
    assert_true(sound.repeats > 0);
    stick_sound_destroy(ctx, &sound);
    task.saturated = false; // what still grows is not repeated
    assert_ok(ctx, stick_sound_make(ctx, &task, &sound));
    assert_near(sound.seconds, N * h, 2.0 / 44100);
    stick_sound_destroy(ctx, &sound);
}

static void gain_is_kept_unless_it_would_clip(void **state)
{
    StickContext *ctx = *state;
    StickSoundSpec spec = spec_of(0);
    spec.gain = 0.1;
    StickSound sound = sound_of(ctx, &spec, 1000);
    assert_near(sound.full_scale, 10, 1e-12);
    assert_near(largest(sound.sample, 0, sound.count), 0.2, 1e-3);
    assert_false(sound.reduced);
    stick_sound_destroy(ctx, &sound);
    spec.gain = 3;
    sound = sound_of(ctx, &spec, 1000);
    assert_true(sound.reduced);
    assert_near(largest(sound.sample, 0, sound.count), 1, 1e-12);
    stick_sound_destroy(ctx, &sound);
}

static void hours_are_refused(void **state)
{
    StickContext *ctx = *state;
    StickSoundSpec spec = spec_of(0);
    StickSignal signal = {N, 0, h, values};
    StickSoundTask task = {.signal = &signal, .period = NAN, .spec = &spec};
    StickSound sound;
    spec.slow = 1e6;
    assert_false(stick_sound_is_possible(&task));
    assert_int_equal(stick_sound_make(ctx, &task, &sound), STICK_BAD_INPUT);
}

// ---- WAV

static unsigned long number_at(const char *bytes, int at, int width)
{
    unsigned long value = 0;
    for (int k = width - 1; k >= 0; k--)
        value = value << 8 | (unsigned char)bytes[at + k];
    return value;
}

static void whole_numbers_read_back(void **state)
{
    Scratch *scratch = *state;
    const double sample[] = {0, 1, -1, 0.5, -0.25};
    const int expected[] = {0, 32767, -32767, 16384, -8192};
    char *bytes;
    size_t count;
    const char *path = scratch_path(scratch, "a.wav");
    assert_ok(scratch->ctx, stick_wav_write(scratch->ctx, path, sample, 5, 22050, STICK_WAV_PCM16));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    assert_int_equal(count, 44 + 10);
    assert_memory_equal(bytes, "RIFF", 4);
    assert_int_equal(number_at(bytes, 4, 4), count - 8);
    assert_memory_equal(bytes + 8, "WAVEfmt ", 8);
    assert_int_equal(number_at(bytes, 16, 4), 16);
    assert_int_equal(number_at(bytes, 20, 2), 1); // PCM
    assert_int_equal(number_at(bytes, 22, 2), 1); // channels
    assert_int_equal(number_at(bytes, 24, 4), 22050);
    assert_int_equal(number_at(bytes, 28, 4), 44100); // bytes per second
    assert_int_equal(number_at(bytes, 32, 2), 2);
    assert_int_equal(number_at(bytes, 34, 2), 16);
    assert_memory_equal(bytes + 36, "data", 4);
    assert_int_equal(number_at(bytes, 40, 4), 10);
    for (int k = 0; k < 5; k++)
        assert_int_equal((int16_t)number_at(bytes, 44 + 2 * k, 2), expected[k]);
    stick_free(scratch->ctx, bytes);
}

static void floating_point_reads_back(void **state)
{
    Scratch *scratch = *state;
    const double sample[] = {0.125, -0.75};
    char *bytes;
    size_t count;
    float value;
    const char *path = scratch_path(scratch, "a.wav");
    assert_ok(scratch->ctx, stick_wav_write(scratch->ctx, path, sample, 2, 44100, STICK_WAV_FLOAT));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, path, &bytes, &count));
    assert_int_equal(count, 58 + 8);
    assert_int_equal(number_at(bytes, 4, 4), count - 8);
    assert_int_equal(number_at(bytes, 20, 2), 3); // floating point
    assert_memory_equal(bytes + 38, "fact", 4);
    assert_int_equal(number_at(bytes, 46, 4), 2);
    assert_memory_equal(bytes + 50, "data", 4);
    for (int k = 0; k < 2; k++) {
        memcpy(&value, bytes + 58 + 4 * k, 4);
        assert_near(value, sample[k], 0);
    }
    stick_free(scratch->ctx, bytes);
}

static void nothing_is_clipped(void **state)
{
    Scratch *scratch = *state;
    const double loud[] = {0.5, 1.001}, broken[] = {NAN};
    const char *path = scratch_path(scratch, "a.wav");
    assert_int_equal(stick_wav_write(scratch->ctx, path, loud, 2, 44100, STICK_WAV_PCM16), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "beyond the full scale");
    assert_int_equal(stick_wav_write(scratch->ctx, path, broken, 1, 44100, STICK_WAV_PCM16), STICK_BAD_INPUT);
    assert_false(stick_file_exists(path));
}

static StickStatus run_sound(StickContext *ctx, void *data)
{
    StickSoundSpec spec = spec_of(0.01);
    StickSignal signal = {400, 0, h, data};
    StickSoundTask task = {
        .signal = &signal, .first = 100, .period = 50 * h, .saturated = true, .spec = &spec};
    StickSound sound;
    STICK_TRY(stick_sound_make(ctx, &task, &sound));
    stick_sound_destroy(ctx, &sound);
    return STICK_OK;
}

static void no_memory_is_survived(void **state)
{
    (void)state;
    assert_survives_failing_memory(run_sound, values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(it_is_as_long_and_as_loud_as_it_should_be),
        test_with_context(it_is_slowed),
        test_with_context(a_loop_has_no_clicks),
        test_with_context(motion_without_period_is_repeated_as_a_whole),
        test_with_context(gain_is_kept_unless_it_would_clip),
        test_with_context(hours_are_refused),
        test_with_scratch(whole_numbers_read_back),
        test_with_scratch(floating_point_reads_back),
        test_with_scratch(nothing_is_clipped),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

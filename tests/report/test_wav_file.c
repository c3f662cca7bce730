// SPDX-License-Identifier: Apache-2.0
#include "report/wav.h"

#include "report/wav_file.h"

static void samples_are_those_of_the_file(void **state)
{
    Scratch *scratch = *state;
    static const int16_t samples[] = {0, 1, -1, 32767, -32768, 1000};
    static const int16_t expected[] = {0, 1, -1, 32767, -32767, 1000};
    StickWavFile sound;
    for (int note = 0; note < 2; note++) {
        Wav wav = {1, 1, 44100, 16, samples, sizeof samples, note == 1};
        write_wav(scratch, "a.wav", &wav);
        assert_ok(scratch->ctx, stick_wav_file_read(scratch->ctx, scratch_path(scratch, "a.wav"), &sound));
        assert_int_equal(sound.rate, 44100);
        assert_int_equal(sound.count, 6);
        assert_memory_equal(sound.sample, expected, sizeof expected);
        stick_wav_file_destroy(scratch->ctx, &sound);
    }
}

static void floating_samples_become_whole_ones(void **state)
{
    Scratch *scratch = *state;
    static const float samples[] = {0, 0.5f, -1, 2, NAN};
    static const int16_t expected[] = {0, 16384, -32767, 32767, 0};
    StickWavFile sound;
    Wav wav = {3, 1, 8000, 32, samples, sizeof samples, false};
    write_wav(scratch, "a.wav", &wav);
    assert_ok(scratch->ctx, stick_wav_file_read(scratch->ctx, scratch_path(scratch, "a.wav"), &sound));
    assert_int_equal(sound.count, 5);
    assert_memory_equal(sound.sample, expected, sizeof expected);
    stick_wav_file_destroy(scratch->ctx, &sound);
}

// A run that was killed while it wrote.
static void a_cut_file_has_what_is_there(void **state)
{
    Scratch *scratch = *state;
    static const int16_t samples[] = {1, 2, 3, 4};
    char *bytes;
    size_t count;
    StickWavFile sound;
    Wav wav = {1, 1, 44100, 16, samples, sizeof samples, false};
    write_wav(scratch, "a.wav", &wav);
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, scratch_path(scratch, "a.wav"), &bytes, &count));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, "b.wav"), bytes, count - 3));
    stick_free(scratch->ctx, bytes);
    assert_ok(scratch->ctx, stick_wav_file_read(scratch->ctx, scratch_path(scratch, "b.wav"), &sound));
    assert_int_equal(sound.count, 2);
    stick_wav_file_destroy(scratch->ctx, &sound);
}

static void refuses(Scratch *scratch, const Wav *wav, const char *words)
{
    StickWavFile sound = {.rate = 7};
    write_wav(scratch, "a.wav", wav);
    assert_int_equal(stick_wav_file_read(scratch->ctx, scratch_path(scratch, "a.wav"), &sound),
                     STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, words);
    assert_int_equal(sound.rate, 7);
}

static void what_cannot_be_played_is_refused(void **state)
{
    Scratch *scratch = *state;
    static const int16_t samples[] = {1, 2};
    StickWavFile sound;
    refuses(scratch, &(Wav){1, 2, 44100, 16, samples, 4, false}, "2 channels");
    refuses(scratch, &(Wav){1, 1, 44100, 8, samples, 4, false}, "8 bits");
    refuses(scratch, &(Wav){1, 1, 0, 16, samples, 4, false}, "at 0 per second");
    const char *path = scratch_path(scratch, "a.wav");
    static const char *const wrong[] = {"", "RIFF", "RIFF1234WAVE", "RIFF1234WAVEfmt \xff\xff\xff\xff"};
    for (int k = 0; k < 4; k++) {
        assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, wrong[k], strlen(wrong[k])));
        assert_int_equal(stick_wav_file_read(scratch->ctx, path, &sound), STICK_BAD_INPUT);
        assert_error_says(scratch->ctx, "no WAV file");
    }
}

static StickStatus read_with(StickContext *ctx, void *data)
{
    StickWavFile sound;
    STICK_TRY(stick_wav_file_read(ctx, data, &sound));
    stick_wav_file_destroy(ctx, &sound);
    return STICK_OK;
}

static void survives_failing_memory(void **state)
{
    Scratch *scratch = *state;
    static const int16_t samples[] = {1, 2};
    Wav wav = {1, 1, 44100, 16, samples, sizeof samples, false};
    write_wav(scratch, "a.wav", &wav);
    assert_survives_failing_memory(read_with, (void *)scratch_path(scratch, "a.wav"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_are_those_of_the_file, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(floating_samples_become_whole_ones, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(a_cut_file_has_what_is_there, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(what_cannot_be_played_is_refused, make_scratch, drop_scratch),
        cmocka_unit_test_setup_teardown(survives_failing_memory, make_scratch, drop_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

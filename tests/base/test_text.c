// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/json.h"
#include "base/text.h"

#include <math.h>

static void csv_fields_are_quoted_where_needed(void **state)
{
    StickText text;
    stick_text_init(&text, *state);
    stick_text_add_csv(&text, "plain name");
    stick_text_add_csv(&text, "a,b");
    stick_text_add_csv(&text, "say \"so\"\r\n");
    assert_string_equal(text.bytes, "plain name\"a,b\"\"say \"\"so\"\"\r\n\"");
    stick_text_destroy(&text);
}

static void nearest_word_is_found(void **state)
{
    (void)state;
    static const char *const words[] = {"theta", "theta-euler", "modified-theta", "newmark"};
    assert_string_equal(stick_nearest_word("thtea", words, 4), "theta");
    assert_string_equal(stick_nearest_word("newmarc", words, 4), "newmark");
    assert_null(stick_nearest_word("zzzzzz", words, 4));
}

static void numbers_read_back_to_the_same_bits(void **state)
{
    (void)state;
    double numbers[] = {0.1, 1.0 / 3, 5.13588, 1e-300, -2.226e-6, 123456789012345680.0};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        char text[STICK_NUMBER_TEXT];
        double back;
        stick_number_text(numbers[k], text);
        assert_true(stick_parse_number(text, &back));
        assert_true(back == numbers[k]);
    }
}

static void not_a_number_has_no_sign(void **state)
{
    (void)state;
    char text[STICK_NUMBER_TEXT];
    stick_number_text(copysign(NAN, -1), text);
    assert_string_equal(text, "nan");
    stick_number_text(NAN, text);
    assert_string_equal(text, "nan");
}

static void only_finite_decimal_numbers_are_numbers(void **state)
{
    (void)state;
    double number = 0;
    assert_true(stick_parse_number("1e-3", &number));
    assert_true(number == 1e-3);
    assert_true(stick_parse_number(".5", &number));
    static const char *const wrong[] = {"", "nan", "inf", "0x10", "1e999", "1 2", "one", "-", "1e-3x"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(stick_parse_number(wrong[k], &number));
}

static void json_is_well_formed(void **state)
{
    StickText text;
    StickJson json;
    stick_text_init(&text, *state);
    stick_json_init(&json, &text);
    stick_json_object(&json);
    stick_json_key(&json, "a\"b");
    stick_json_list(&json);
    stick_json_number(&json, 0.5);
    stick_json_number(&json, NAN);
    stick_json_end_list(&json);
    stick_json_key(&json, "e");
    stick_json_object(&json);
    stick_json_end_object(&json);
    stick_json_end_object(&json);
    assert_string_equal(text.bytes, "{\n  \"a\\\"b\": [\n    0.5,\n    null\n  ],\n  \"e\": {}\n}\n");
    stick_text_destroy(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(csv_fields_are_quoted_where_needed),     cmocka_unit_test(nearest_word_is_found),
        cmocka_unit_test(numbers_read_back_to_the_same_bits),      cmocka_unit_test(not_a_number_has_no_sign),
        cmocka_unit_test(only_finite_decimal_numbers_are_numbers), test_with_context(json_is_well_formed),
    };
    return cmocka_run_group_tests_name("base.text", tests, NULL, NULL);
}

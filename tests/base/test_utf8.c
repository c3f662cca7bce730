// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/json.h"
#include "base/utf8.h"

static void only_whole_characters_count(void **state)
{
    (void)state;
    assert_int_equal(stick_utf8_length("a", 1), 1);
    assert_int_equal(stick_utf8_length("\xC3\xA4", 2), 2);
    assert_int_equal(stick_utf8_length("\xE2\x82\xAC", 3), 3);
    assert_int_equal(stick_utf8_length("\xF0\x9F\x98\x80", 4), 4);
    assert_int_equal(stick_utf8_length("\xE2\x82\xAC", 2), 0);     // cut short
    assert_int_equal(stick_utf8_length("\xC0\xAF", 2), 0);         // overlong '/'
    assert_int_equal(stick_utf8_length("\xE0\x80\xAF", 3), 0);     // the same with three
    assert_int_equal(stick_utf8_length("\xED\xA0\x80", 3), 0);     // a surrogate
    assert_int_equal(stick_utf8_length("\xF4\x90\x80\x80", 4), 0); // above U+10FFFF
    assert_int_equal(stick_utf8_length("\x80", 1), 0);
    assert_int_equal(stick_utf8_length("", 0), 0);
}

static void a_cut_leaves_whole_characters(void **state)
{
    (void)state;
    const char *text = "a\xC3\xA4\xE2\x82\xAC";
    assert_int_equal(stick_utf8_prefix(text, 6, 10), 6);
    assert_int_equal(stick_utf8_prefix(text, 6, 5), 3);
    assert_int_equal(stick_utf8_prefix(text, 6, 4), 3);
    assert_int_equal(stick_utf8_prefix(text, 6, 3), 3);
    assert_int_equal(stick_utf8_prefix(text, 6, 2), 1);
    assert_int_equal(stick_utf8_prefix(text, 6, 0), 0);
    assert_int_equal(stick_utf8_prefix("\x80\x80\x80\x80\x80\x80", 6, 5), 5);
}

static void what_is_no_text_is_replaced(void **state)
{
    StickText text;
    stick_text_init(&text, *state);
    stick_utf8_add_clean(&text, "a\xFF\xC3\xA4\x1B\0\n\xE2\x82", 9);
    assert_ok(*state, stick_text_status(&text));
    assert_string_equal(text.bytes,
                        "a\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD\n\xEF\xBF\xBD\xEF\xBF\xBD");
    stick_text_destroy(&text);
}

static void json_of_a_page_can_not_begin_markup(void **state)
{
    StickText text;
    StickJson json;
    stick_text_init(&text, *state);
    stick_json_init_html(&json, &text);
    stick_json_object(&json);
    stick_json_key(&json, "</script>");
    stick_json_text(&json, "<!-- & \"q\" \\ \xE2\x80\xA8\xE2\x80\xA9 \xC3\xA4 \xFF \n");
    stick_json_key(&json, "raw");
    stick_json_raw(&json, "[1,2]", 5);
    stick_json_key(&json, "list");
    stick_json_list(&json);
    stick_json_integer(&json, 1);
    stick_json_bool(&json, true);
    stick_json_end_list(&json);
    stick_json_end_object(&json);
    assert_ok(*state, stick_text_status(&text));
    assert_string_equal(
        text.bytes, "{\"\\u003c/script\\u003e\":\"\\u003c!-- \\u0026 \\\"q\\\" \\\\ \\u2028\\u2029 \xC3\xA4 "
                    "\\ufffd \\u000a\",\"raw\":[1,2],\"list\":[1,true]}");
    stick_text_destroy(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_whole_characters_count),
        cmocka_unit_test(a_cut_leaves_whole_characters),
        test_with_context(what_is_no_text_is_replaced),
        test_with_context(json_of_a_page_can_not_begin_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "output/xml.h"

static void words_are_escaped_and_come_back(void **state)
{
    static const char words[] = "a<b> & \"c\" 'd'\t\n\r &amp; \xC2\xB5 \xF0\x9F\x8E\xB5";
    StickText text;
    stick_text_init(&text, *state);
    stick_xml_add(&text, words);
    assert_null(strpbrk(text.bytes, "<>\"'\t\n\r"));
    stick_xml_unescape(text.bytes);
    assert_string_equal(text.bytes, words);
    stick_text_destroy(&text);
}

// control characters, a lone continuation, a cut-off character, an overlong '/', a surrogate, a code beyond
// Unicode
static void bytes_that_are_no_text_are_replaced(void **state)
{
    static const char *const wrong[] = {
        "\x01", "\x7F", "\x80", "\xE2\x82", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        StickText text;
        assert_int_equal(stick_xml_character(wrong[k]), 0);
        stick_text_init(&text, *state);
        stick_xml_add(&text, wrong[k]);
        assert_int_equal(text.length, 3 * strlen(wrong[k]));
        assert_memory_equal(text.bytes, "\xEF\xBF\xBD", 3);
        stick_text_destroy(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(words_are_escaped_and_come_back),
        test_with_context(bytes_that_are_no_text_are_replaced),
    };
    return cmocka_run_group_tests_name("output.xml", tests, NULL, NULL);
}

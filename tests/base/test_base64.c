// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/base64.h"

static void assert_pair(StickContext *ctx, const void *bytes, size_t count, const char *digits)
{
    StickText text;
    unsigned char back[64];
    size_t size;
    stick_text_init(&text, ctx);
    stick_text_add(&text, "%s", "");
    stick_base64_add(&text, bytes, count);
    assert_string_equal(text.bytes, digits);
    assert_true(stick_base64_size(text.bytes, text.length, &size));
    assert_int_equal(size, count);
    assert_true(stick_base64_decode(text.bytes, text.length, back));
    assert_memory_equal(back, bytes, count);
    stick_text_destroy(&text);
}

// [RFC 4648, section 10]
static void the_published_pairs(void **state)
{
    assert_pair(*state, "", 0, "");
    assert_pair(*state, "f", 1, "Zg==");
    assert_pair(*state, "fo", 2, "Zm8=");
    assert_pair(*state, "foo", 3, "Zm9v");
    assert_pair(*state, "foob", 4, "Zm9vYg==");
    assert_pair(*state, "fooba", 5, "Zm9vYmE=");
    assert_pair(*state, "foobar", 6, "Zm9vYmFy");
    assert_pair(*state, "\xFB\xFF\xFE\x00", 4, "+//+AA==");
}

static void all_bytes_come_back(void **state)
{
    enum { COUNT = 5000 };
    StickText text;
    static unsigned char bytes[COUNT], back[COUNT];
    for (int k = 0; k < COUNT; k++)
        bytes[k] = (unsigned char)(k * 37 >> 3);
    stick_text_init(&text, *state);
    stick_base64_add(&text, bytes, COUNT);
    assert_int_equal(text.length, (COUNT + 2) / 3 * 4);
    assert_true(stick_base64_decode(text.bytes, text.length, back));
    assert_memory_equal(back, bytes, COUNT);
    stick_text_destroy(&text);
}

static void what_is_no_base64_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Zg=a", "Z===", "====", "=AAA", "Zm9v====", "Zg==Zg==", "Z m9", "Zm\n9", "Zm9\x80"};
    unsigned char back[16];
    size_t size;
    assert_false(stick_base64_size("Zm9", 3, &size));
    assert_false(stick_base64_size("Z", 1, &size));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(stick_base64_decode(bad[k], strlen(bad[k]), back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(the_published_pairs),
        test_with_context(all_bytes_come_back),
        test_with_context(what_is_no_base64_is_refused),
    };
    return cmocka_run_group_tests_name("base.base64", tests, NULL, NULL);
}

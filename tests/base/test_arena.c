// SPDX-License-Identifier: Apache-2.0
// Memory by pieces: zeroed, aligned, apart from each other whatever their size, and the same again after a release.
#include "base/arena.h"
#include "check.h"

#include <stdint.h>
#include <string.h>

// From a few bytes to more than a block has.
static const size_t sizes[] = {1, 100, 16000, 3, 40000, 64, 2000000, 700000, 700000, 5};
enum { PIECES = sizeof sizes / sizeof *sizes };

// Each piece is zero when it is taken, and full of its number from then on.
static void take_all(StickArena *arena, char *piece[PIECES])
{
    for (int k = 0; k < PIECES; k++) {
        piece[k] = stick_arena_take(arena, sizes[k], 1);
        assert_non_null(piece[k]);
        assert_true((uintptr_t)piece[k] % 64 == 0);
        for (size_t i = 0; i < sizes[k]; i++)
            assert_true(piece[k][i] == 0);
        memset(piece[k], k + 1, sizes[k]);
    }
    for (int k = 0; k < PIECES; k++)
        for (size_t i = 0; i < sizes[k]; i++)
            assert_true(piece[k][i] == k + 1);
}

static void pieces_are_apart_and_come_again(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    StickArena arena;
    char *first[PIECES], *again[PIECES];
    stick_arena_init(&arena, ctx);
    StickArenaMark start = stick_arena_mark(&arena);
    take_all(&arena, first);
    stick_arena_release(&arena, start);
    take_all(&arena, again);
    for (int k = 0; k < PIECES; k++)
        assert_ptr_equal(first[k], again[k]);
    stick_arena_destroy(&arena);
    stick_context_destroy(ctx);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    StickArena arena;
    stick_arena_init(&arena, ctx);
    assert_null(stick_arena_take(&arena, SIZE_MAX / 2, 8));
    assert_non_null(strstr(stick_last_error(ctx), "no memory for"));
    stick_arena_destroy(&arena);
    stick_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_apart_and_come_again),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

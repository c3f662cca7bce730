// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "contact/polygon.h"

static StickPolygon square(double x, double y, double side)
{
    return (StickPolygon){4, {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}};
}

static StickPolygon reversed(const StickPolygon *polygon)
{
    StickPolygon other = {.count = polygon->count};
    for (int k = 0; k < polygon->count; k++)
        memcpy(other.x[k], polygon->x[polygon->count - 1 - k], sizeof other.x[k]);
    return other;
}

static void known_overlaps(void **state)
{
    (void)state;
    StickPolygon a = square(0, 0, 1), b = square(0.5, 0.25, 1), far = square(3, 0, 1),
                 inner = square(0.25, 0.25, 0.5);
    StickPolygon common = stick_polygon_clip(&b, &a);
    assert_near(stick_polygon_area(&common), 0.375, 1e-15);
    common = stick_polygon_clip(&a, &a);
    assert_near(stick_polygon_area(&common), 1, 1e-15);
    common = stick_polygon_clip(&far, &a);
    assert_int_equal(common.count, 0);
    common = stick_polygon_clip(&inner, &a);
    assert_near(stick_polygon_area(&common), 0.25, 1e-15);
    // A window within a larger polygon, given the other way round.
    StickPolygon turned = reversed(&a);
    common = stick_polygon_clip(&turned, &inner);
    assert_near(stick_polygon_area(&common), 0.25, 1e-15);
    // Sharing just a side is no overlap.
    StickPolygon beside = square(1, 0, 1);
    common = stick_polygon_clip(&beside, &a);
    assert_near(stick_polygon_area(&common), 0, 1e-15);
}

// Cells that fill the plane cut a triangle into parts whose areas and first moments add up to the whole.
static void parts_add_up_to_the_whole(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(11);
    for (int trial = 0; trial < 200; trial++) {
        StickPolygon triangle = {.count = 3};
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 2; c++)
                triangle.x[k][c] = stick_random_uniform(&random, 0, 1);
        double area = 0, middle[2];
        for (int cell = 0; cell < 25; cell++) {
            StickPolygon window = square(0.2 * (cell % 5), 0.2 * (double)(cell / 5), 0.2);
            StickPolygon part = stick_polygon_clip(&triangle, &window);
            area += stick_polygon_area(&part);
            if (part.count > 0) {
                stick_polygon_middle(&part, middle);
                for (int c = 0; c < 2; c++)
                    assert_true(middle[c] >= window.x[0][c] - 1e-12 && middle[c] <= window.x[2][c] + 1e-12);
            }
        }
        assert_near(area, fabs(stick_polygon_area(&triangle)), 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_overlaps),
        cmocka_unit_test(parts_add_up_to_the_whole),
    };
    return cmocka_run_group_tests_name("contact.polygon", tests, NULL, NULL);
}

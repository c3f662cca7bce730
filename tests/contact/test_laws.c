// SPDX-License-Identifier: Apache-2.0
// Sections of friction as directions of space have them, whatever tangents a contact has.
#include "contact/laws.h"

#include "base/random.h"
#include "base/vec.h"
#include "check.h"
#include "contact/contact_set.h"
#include "solve/section.h"

enum { TRIALS = 50 };

// A rule with a section, and a contact of it with a random normal.
typedef struct Touch {
    StickModel model;
    StickRuleSpec rule;
    StickSystem system;
    StickContact contact;
} Touch;

static void make_touch(Touch *touch, StickContext *ctx, StickRandom *random, int dim)
{
    *touch = (Touch){.model = {.ctx = ctx, .nrules = 1}, .contact = {.pair = -1}};
    touch->model.rule = &touch->rule;
    touch->system = (StickSystem){.ctx = ctx, .model = &touch->model, .dim = dim};
    double normal[3] = {0};
    for (int k = 0; k < dim; k++) {
        normal[k] = stick_random_uniform(random, -1, 1);
        touch->rule.law.axis[k] = stick_random_uniform(random, -1, 1);
    }
    stick_vec_normalise(normal);
    stick_vec_normalise(touch->rule.law.axis);
    stick_contact_frame(dim, normal, touch->contact.frame);
}

// The axis in the plane of the contact, and n x axis.
static void axes_of(const Touch *touch, double along[3], double across[3])
{
    const double *n = touch->contact.frame[0], *axis = touch->rule.law.axis;
    stick_vec_axpy(axis, -stick_vec_dot(axis, n), n, along);
    stick_vec_normalise(along);
    stick_vec_cross(n, along, across);
}

static void local_direction(const Touch *touch, const double x[3], double t[2])
{
    t[0] = stick_vec_dot(x, touch->contact.frame[1]);
    t[1] = stick_vec_dot(x, touch->contact.frame[2]);
}

static void ellipses_follow_their_axis(void **state)
{
    StickRandom random = stick_random_seed(3);
    for (int k = 0; k < TRIALS; k++) {
        Touch touch;
        StickSection section;
        double along[3], across[3], t[2], vertex[2];
        make_touch(&touch, *state, &random, 3);
        touch.rule.law.section = STICK_LAW_ELLIPSE;
        touch.rule.law.ellipse[0] = 0.2;
        touch.rule.law.ellipse[1] = 0.5;
        assert_true(stick_laws_section(&touch.system, &touch.contact, 3, &section, vertex));
        axes_of(&touch, along, across);
        local_direction(&touch, along, t);
        assert_near(stick_section_gauge(&section, t), 1 / (3 * 0.2), 1e-12);
        local_direction(&touch, across, t);
        assert_near(stick_section_gauge(&section, t), 1 / (3 * 0.5), 1e-12);
    }
}

static void polygons_have_their_corners_along_and_across_the_axis(void **state)
{
    double corner[] = {-0.1, -0.3, 0.6, -0.3, -0.2, 0.4};
    StickRandom random = stick_random_seed(4);
    for (int k = 0; k < TRIALS; k++) {
        Touch touch;
        StickSection section;
        double along[3], across[3], t[2], vertex[6];
        make_touch(&touch, *state, &random, 3);
        touch.rule.law.section = STICK_LAW_POLYGON;
        touch.rule.law.ncorners = 3;
        touch.rule.law.corner = corner;
        assert_int_equal(stick_laws_corners(&touch.model), 3);
        assert_true(stick_laws_section(&touch.system, &touch.contact, 2, &section, vertex));
        assert_ok(*state, stick_section_check(*state, &section, 3, 0));
        axes_of(&touch, along, across);
        for (int i = 0; i < 3; i++) {
            double x[3];
            for (int j = 0; j < 3; j++)
                x[j] = 2 * (corner[2 * i] * along[j] + corner[2 * i + 1] * across[j]);
            local_direction(&touch, x, t);
            assert_near(section.vertex[2 * i], t[0], 1e-12);
            assert_near(section.vertex[2 * i + 1], t[1], 1e-12);
        }
    }
}

// The first coefficient is that of sliding along the axis: the force is against it.
static void intervals_are_told_apart_by_the_axis(void **state)
{
    StickRandom random = stick_random_seed(5);
    for (int k = 0; k < TRIALS; k++) {
        Touch touch;
        StickSection section;
        double vertex[2];
        make_touch(&touch, *state, &random, 2);
        touch.rule.law.section = STICK_LAW_INTERVAL;
        touch.rule.law.interval[0] = 0.1;
        touch.rule.law.interval[1] = 0.6;
        assert_true(stick_laws_section(&touch.system, &touch.contact, 1, &section, vertex));
        double way = copysign(1, stick_vec_dot(touch.rule.law.axis, touch.contact.frame[1])), back = -way;
        assert_near(stick_section_gauge(&section, &back), 1 / 0.1, 1e-12);
        assert_near(stick_section_gauge(&section, &way), 1 / 0.6, 1e-12);
    }
}

// Neither along the normal nor without friction is there a direction.
static void what_has_no_direction_is_still_a_law(void **state)
{
    StickRandom random = stick_random_seed(6);
    Touch touch;
    StickSection section;
    double vertex[2];
    make_touch(&touch, *state, &random, 3);
    touch.rule.law.section = STICK_LAW_ELLIPSE;
    touch.rule.law.ellipse[0] = touch.rule.law.ellipse[1] = 0.3;
    assert_false(stick_laws_section(&touch.system, &touch.contact, 0, &section, vertex));
    memcpy(touch.rule.law.axis, touch.contact.frame[0], sizeof touch.rule.law.axis);
    assert_true(stick_laws_section(&touch.system, &touch.contact, 1, &section, vertex));
    assert_ok(*state, stick_section_check(*state, &section, 3, 0));
    touch.rule.law.section = STICK_LAW_DISK;
    assert_false(stick_laws_section(&touch.system, &touch.contact, 1, &section, vertex));
    assert_false(stick_laws_have_sections(&touch.model));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(ellipses_follow_their_axis),
        test_with_context(polygons_have_their_corners_along_and_across_the_axis),
        test_with_context(intervals_are_told_apart_by_the_axis),
        test_with_context(what_has_no_direction_is_still_a_law),
    };
    return cmocka_run_group_tests_name("contact.laws", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include "base/random.h"
#include "base/vec.h"
#include "contact/contact_set.h"

#include <math.h>

static void frames_are_orthonormal_and_right_handed(void **state)
{
    (void)state;
    StickRandom random = stick_random_seed(5);
    for (int trial = 0; trial < 300; trial++) {
        int dim = 1 + trial % 3;
        double n[3] = {0}, frame[3][3], cross[3];
        for (int k = 0; k < dim; k++)
            n[k] = stick_random_uniform(&random, -1, 1);
        stick_vec_normalise(n);
        stick_contact_frame(dim, n, frame);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(stick_vec_dot(frame[i], frame[j]), i == j, 1e-15);
        stick_vec_cross(frame[0], frame[1], cross);
        assert_near(stick_vec_dot(cross, frame[2]), 1, 1e-15);
        assert_near(stick_vec_dot(frame[0], n), 1, 1e-15);
    }
}

static void in_the_plane_the_tangent_is_the_normal_turned_clockwise(void **state)
{
    (void)state;
    double frame[3][3];
    stick_contact_frame(2, (double[]){0, 1, 0}, frame);
    assert_true(frame[1][0] == 1 && frame[1][1] == 0);
    // On a horizontal plane in space t1 is x.
    stick_contact_frame(3, (double[]){0, 0, 1}, frame);
    assert_true(frame[1][0] == 1 && frame[2][1] == 1);
}

enum { DOFS = 12 };

static StickStatus two_contacts(StickContext *ctx, StickContactSet *set)
{
    const int dof[2][2] = {{0, 6}, {3, 9}};
    const double weight[2][2] = {{1, -1}, {0.25, -0.75}};
    const double normal[2][3] = {{0, 0.6, 0.8}, {1, 0, 0}};
    set->dim = 3;
    for (int c = 0; c < 2; c++) {
        StickContact contact = {.pair = c, .feature = 10 + c, .gap = c};
        stick_contact_frame(3, normal[c], contact.frame);
        stick_contact_drive(&contact, (double[]){1, 2, 3});
        STICK_TRY(stick_contact_set_add(ctx, set, &contact, &(StickStencil){2, dof[c], weight[c]}));
    }
    return STICK_OK;
}

// r . (H' v) = (H r) . v, whole and in parts.
static void velocity_and_scatter_are_adjoint(void **state)
{
    StickContext *ctx = *state;
    StickContactSet set = {0};
    double v[DOFS], u[6], r[6], sum[3] = {0};
    assert_ok(ctx, two_contacts(ctx, &set));
    for (int d = 0; d < DOFS; d++)
        v[d] = sin(1.0 + d);
    for (int k = 0; k < 6; k++)
        r[k] = cos(2.0 + k);
    stick_contact_velocity(&set, v, u);
    for (int part = STICK_WHOLE; part <= STICK_TANGENTIAL; part++) {
        double p[DOFS] = {0};
        stick_contact_scatter(&set, r, (StickContactPart)part, p);
        for (int d = 0; d < DOFS; d++)
            sum[part] += p[d] * v[d];
    }
    double normal = r[0] * u[0] + r[3] * u[3];
    double tangential = r[1] * u[1] + r[2] * u[2] + r[4] * u[4] + r[5] * u[5];
    assert_near(sum[STICK_NORMAL], normal, 1e-15);
    assert_near(sum[STICK_TANGENTIAL], tangential, 1e-15);
    assert_near(sum[STICK_WHOLE], normal + tangential, 1e-15);
    stick_contact_set_destroy(ctx, &set);
}

static void relative_velocity_is_weighted_and_in_the_frame(void **state)
{
    StickContext *ctx = *state;
    StickContactSet set = {0};
    double v[DOFS] = {[0] = 2, [1] = 5, [2] = 10, [7] = 5, [3] = 8, [9] = 4}, u[6];
    assert_ok(ctx, two_contacts(ctx, &set));
    stick_contact_velocity(&set, v, u);
    // (2, 0, 10) along (0, 0.6, 0.8) and x; then 0.25 * 8 - 0.75 * 4 along x.
    assert_near(u[0], 8, 1e-15);
    assert_near(u[1], 2, 1e-15);
    assert_near(u[3], -1, 1e-15);
    // The obstacle runs towards the slave with (1, 2, 3): the gap closes.
    assert_near(set.contact[0].u_drive[0], -(0.6 * 2 + 0.8 * 3), 1e-15);
    assert_near(set.contact[1].u_drive[0], -1, 1e-15);
    stick_contact_set_destroy(ctx, &set);
}

static StickStatus fill(StickContext *ctx, void *data)
{
    StickContactSet set = {0};
    (void)data;
    StickStatus status = two_contacts(ctx, &set);
    stick_contact_set_destroy(ctx, &set);
    return status;
}

static void add_leaning(StickContext *ctx, StickContactSet *set, int feature, int layer, double angle)
{
    const int dof = 0;
    const double weight = 1;
    StickContact contact = {.feature = feature, .layer = layer, .gap = angle};
    stick_contact_frame(2, (double[]){sin(angle), cos(angle), 0}, contact.frame);
    assert_ok(ctx, stick_contact_set_add(ctx, set, &contact, &(StickStencil){1, &dof, &weight}));
}

// A node between two walls sees the floor and one of them, now the left and now the right one: the floor stays what it was.
static void contacts_keep_their_layers(void **state)
{
    static const struct {
        double before[2], now[2]; // how contacts lean, by layers; 9: there is none
        bool exchanged;
    } cases[] = {{{0, 0.3}, {-0.3, 0}, true},  {{0, 0.3}, {0, -0.3}, false}, {{0.3, 0}, {0, 9}, true},
                 {{0.01, 9}, {-0.3, 0}, true}, {{0, 9}, {9, 0}, false},      {{1.5, 0}, {1.4, 0.1}, false},
                 {{0.6, 0}, {0, -0.6}, true}};
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        StickContactSet before = {.dim = 2}, now = {.dim = 2};
        add_leaning(ctx, &before, 3, 0, 0);
        add_leaning(ctx, &now, 4, 0, 0);      // another node
        add_leaning(ctx, &before, 5, 0, 0.1); // one that has turned
        add_leaning(ctx, &now, 5, 0, 0);
        for (int layer = 0; layer < 2; layer++) {
            if (cases[k].before[layer] < 9)
                add_leaning(ctx, &before, 7, layer, cases[k].before[layer]);
            if (cases[k].now[layer] < 9)
                add_leaning(ctx, &now, 7, layer, cases[k].now[layer]);
        }
        int count = now.ncontacts;
        stick_contact_set_keep_layers(&now, &before);
        assert_int_equal(now.ncontacts, count);
        for (int c = 2; c < count; c++) {
            const StickContact *contact = &now.contact[c];
            int from = cases[k].exchanged ? 1 - contact->layer : contact->layer;
            assert_near(contact->gap, cases[k].now[from], 0);
            assert_true(c == 2 || now.contact[c - 1].layer < contact->layer);
        }
        // columns stay those of their contact, whether it takes the frame of before or not
        assert_ok(ctx, stick_contact_set_turn(ctx, &now, &before));
        for (int c = 0; c < count; c++)
            for (int e = 0; e < 4; e++)
                assert_near(now.H[now.contact[c].first * 2 + e], now.contact[c].frame[e % 2][e / 2], 0);
        stick_contact_set_return_layers(&now, &now);
        for (int c = 2; c < count; c++)
            assert_near(now.contact[c].gap, cases[k].now[now.contact[c].layer], 0);
        stick_contact_set_destroy(ctx, &before);
        stick_contact_set_destroy(ctx, &now);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_failing_memory(fill, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_orthonormal_and_right_handed),
        cmocka_unit_test(in_the_plane_the_tangent_is_the_normal_turned_clockwise),
        test_with_context(velocity_and_scatter_are_adjoint),
        test_with_context(relative_velocity_is_weighted_and_in_the_frame),
        test_with_context(contacts_keep_their_layers),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("contact.contact_set", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "stability/block.h"

#include "base/random.h"

static const double PI = 3.14159265358979323846;
static const char TOP_HELD[] = "supports: [{on: block.top, displacement: [0, 0]}]\n";
static const char ENDING[] = "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n";

// A block of 8 x 4 cells, turned by an angle about its corner with the plate under it.
static void open_turned(Block *block, StickContext *ctx, double angle)
{
    char text[2048];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {rubber: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
             "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4], pattern: crossed}},\n"
             "                 material: rubber, plane: stress, rotation: %.17g}}\n"
             "obstacles: {plate: {plane: {point: [0, 0], normal: [%.17g, %.17g]}}}\n%s"
             "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n%s",
             angle, -sin(angle), cos(angle), TOP_HELD, ENDING);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    const double direction[3] = {cos(angle), sin(angle), 0};
    block_status(block, direction, 1.1, 5, 2);
}

static StickStability judge(const Block *block)
{
    StickStability s;
    StickStabilityOptions options = stick_stability_default();
    assert_ok(block->ctx, stick_stability_create(block->ctx, &block->sliding, &options, &s));
    return s;
}

static void turned_block_has_the_same_numbers(void **state)
{
    static Block straight, turned;
    open_turned(&straight, *state, 0);
    open_turned(&turned, *state, PI / 6);
    StickStability a = judge(&straight), b = judge(&turned);
    assert_int_equal(a.spectrum.count, b.spectrum.count);
    assert_true(a.spectrum.complete);
    assert_int_equal(a.flutter, b.flutter);
    assert_true(a.flutter >= 0);
    assert_near(b.smallest, a.smallest, 1e-9 * fabs(a.smallest));
    assert_near(b.minimum.value, a.minimum.value, 1e-9 * fabs(a.minimum.value));
    for (int k = 0; k < a.spectrum.count; k++) {
        double size = cabs(a.spectrum.mode[k].Lambda);
        assert_near(creal(b.spectrum.mode[k].Lambda), creal(a.spectrum.mode[k].Lambda), 1e-9 * size);
        assert_near(fabs(cimag(b.spectrum.mode[k].Lambda)), fabs(cimag(a.spectrum.mode[k].Lambda)),
                    1e-8 * size);
    }
    stick_stability_destroy(*state, &a);
    stick_stability_destroy(*state, &b);
    block_close(&straight);
    block_close(&turned);
}

// ---- what Z and Y stand for, for any antagonist

// Weighted sum of the components of a contact's columns of H, times a column of A, for all columns.
static double largest_product(const StickContactSet *set, int c, const double factor[3], const StickSparse *A)
{
    const StickContact *contact = &set->contact[c];
    double most = 0;
    for (int j = 0; j < A->cols; j++) {
        double sum = 0;
        for (int e = contact->first; e < contact->first + contact->count; e++) {
            int place = stick_sparse_find(A, set->dof[e], j);
            for (int k = 0; k < set->dim && place >= 0; k++)
                sum += factor[k] * set->H[e * set->dim + k] * A->value[place];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

// Motions keep contact, and no contact force has a row: H_N' Z = 0, Y' H (n - mu slip) = 0, and all of H where stuck.
static void assert_eliminated(const Block *block, const StickReduced *reduced)
{
    for (int c = 0; c < block->contacts.ncontacts; c++) {
        const StickContactMotion *motion = &block->motion[c];
        const double normal[3] = {1, 0, 0};
        const double force[3] = {1, -motion->mu * motion->slip[0], -motion->mu * motion->slip[1]};
        if (motion->status == STICK_APART)
            continue;
        assert_below(largest_product(&block->contacts, c, normal, &reduced->Z), 1e-14);
        assert_below(largest_product(&block->contacts, c, force, &reduced->Y), 1e-14);
        for (int k = 1; k < block->contacts.dim; k++) {
            const double tangent[3] = {0, k == 1, k == 2};
            bool stuck = motion->status == STICK_STICKING;
            double slides = largest_product(&block->contacts, c, tangent, &reduced->Z);
            assert_true(stuck ? slides < 1e-14 : slides > 0.1);
            assert_true(!stuck || largest_product(&block->contacts, c, tangent, &reduced->Y) < 1e-14);
        }
    }
}

// Two blocks of different meshes, the lower one `stiffness` times as stiff and as dense, its bottom held.
static void open_pair(Block *block, StickContext *ctx, double stiffness)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "stickslip: 1\n"
        "materials: {rubber: {young: 5, poisson: 0.3, density: 1.2e-9},\n"
        "            hard: {young: %.17g, poisson: 0.3, density: 1.2e-9}}\n"
        "bodies:\n"
        "  block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4], pattern: crossed}}, material: rubber}\n"
        "  bed: {mesh: {rectangle: {size: [100, 10], cells: [7, 2]}}, material: hard, position: [-10, -10]}\n"
        "supports: [{on: block.top, displacement: [0, 0]}, {on: bed.bottom, displacement: [0, 0]}]\n"
        "contacts: [{between: [block.bottom, bed.top], method: nodes, friction: 1.1}]\n%s",
        5 * stiffness, ENDING);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    assert_int_equal(block->contacts.ncontacts, 9);
    block_status(block, ALONG_X, 1.1, 4, 2);
}

// The same block on a rigid plate.
static void open_alone(Block *block, StickContext *ctx)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "stickslip: 1\n"
        "materials: {rubber: {young: 5, poisson: 0.3, density: 1.2e-9}}\n"
        "bodies:\n"
        "  block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4], pattern: crossed}}, material: rubber}\n"
        "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n%s"
        "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n%s",
        TOP_HELD, ENDING);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    block_status(block, ALONG_X, 1.1, 4, 2);
}

static void contact_with_a_body_that_deforms_is_eliminated(void **state)
{
    static Block block;
    StickReduced reduced;
    open_pair(&block, *state, 1);
    assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
    assert_int_equal(reduced.slipping, 4);
    assert_int_equal(reduced.stuck, 3);
    // 86 nodes, less 9 + 8 held, 7 closed with 4 tangents of their own
    assert_int_equal(reduced.n, block.whole.K.rows - 2 * (9 + 8) - 2 * 7 + 4);
    assert_eliminated(&block, &reduced);
    double *active = calloc((size_t)reduced.n, sizeof *active), u[2 * 9];
    double *a = malloc((size_t)block.whole.K.rows * sizeof *a);
    for (int i = 0; i < reduced.n; i++)
        active[i] = 1 + i % 3;
    stick_reduced_expand(&reduced, active, a);
    stick_contact_velocity(&block.contacts, a, u);
    for (int c = 0; c < 9; c++)
        assert_true(block.motion[c].status == STICK_APART || fabs(u[2 * c]) < 1e-12);
    free(active), free(a);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

// A bed that hardens is a rigid plate, with an error that falls as its compliance.
static void hard_bed_tends_to_a_rigid_plate(void **state)
{
    static Block block;
    enum { RIGID = 4 };
    double Lambda[5], growth[5], K_S[5];
    for (int k = 0; k <= RIGID; k++) {
        if (k == RIGID)
            open_alone(&block, *state);
        else
            open_pair(&block, *state, pow(10, k + 3));
        StickStability s = judge(&block);
        assert_true(s.flutter >= 0);
        Lambda[k] = creal(s.spectrum.mode[s.flutter].Lambda);
        growth[k] = s.spectrum.mode[s.flutter].growth;
        K_S[k] = s.smallest;
        stick_stability_destroy(*state, &s);
        block_close(&block);
    }
    // the hardest one is too near for differences
    for (int k = 0; k < 2; k++) {
        assert_near((Lambda[k] - Lambda[RIGID]) / (Lambda[k + 1] - Lambda[RIGID]), 10, 0.5);
        assert_near((growth[k] - growth[RIGID]) / (growth[k + 1] - growth[RIGID]), 10, 0.5);
        assert_near((K_S[k] - K_S[RIGID]) / (K_S[k + 1] - K_S[RIGID]), 10, 0.5);
    }
    assert_below(fabs(Lambda[3] / Lambda[RIGID] - 1), 1e-5);
}

// ---- space

static void open_box(Block *block, StickContext *ctx, const char *held)
{
    char text[2048];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {rubber: {young: 5, poisson: 0.3, density: 1.2e-9}}\n"
             "bodies: {block: {mesh: {box: {size: [80, 7, 40], cells: [8, 1, 4]}}, material: rubber}}\n"
             "obstacles: {plate: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
             "supports: [{on: block.top, displacement: [0, 0, 0]}%s]\n"
             "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n%s",
             held, ENDING);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    assert_int_equal(block->contacts.ncontacts, 18);
    block_status(block, ALONG_X, 0.9, 5, 2);
}

static void open_slice(Block *block, StickContext *ctx)
{
    char text[2048];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {rubber: {young: 5, poisson: 0.3, density: 1.2e-9}}\n"
             "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4]}}, material: rubber,\n"
             "                 plane: strain, thickness: 7}}\n"
             "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n%s"
             "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n%s",
             TOP_HELD, ENDING);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    block_status(block, ALONG_X, 0.9, 5, 2);
}

static double distance_to(const StickSpectrum *spectrum, double complex Lambda)
{
    double least = INFINITY;
    for (int k = 0; k < spectrum->count; k++)
        least = fmin(least, cabs(spectrum->mode[k].Lambda - Lambda));
    return least;
}

// One element thick and held across, a block in space has all modes of its slice in plane strain.
static void slice_of_a_block_in_space(void **state)
{
    static Block box, slice;
    StickReduced a, b;
    StickSpectrum in_space, in_plane;
    StickSpectrumOptions options = stick_spectrum_default();
    open_box(&box, *state, ", {on: block.all, displacement: [free, 0, free]}");
    open_slice(&slice, *state);
    assert_ok(*state, stick_reduced_create(*state, &box.sliding, &a));
    assert_ok(*state, stick_reduced_create(*state, &slice.sliding, &b));
    assert_int_equal(a.n, 2 * b.n);
    assert_ok(*state, stick_spectrum_create(*state, &a, &options, &in_space));
    assert_ok(*state, stick_spectrum_create(*state, &b, &options, &in_plane));
    assert_non_null(stick_spectrum_first(&in_plane, STICK_MODE_FLUTTER));
    for (int k = 0; k < in_plane.count; k++)
        assert_below(distance_to(&in_space, in_plane.mode[k].Lambda), 1e-9 * cabs(in_plane.mode[k].Lambda));
    stick_spectrum_destroy(*state, &in_space);
    stick_spectrum_destroy(*state, &in_plane);
    stick_reduced_destroy(*state, &a);
    stick_reduced_destroy(*state, &b);
    block_close(&box);
    block_close(&slice);
}

// Slides obliquely, with forces and a law of friction mu(v) = 0.9 + slope (v - speed).
static void slide_obliquely(Block *block)
{
    block->sliding.has_forces = true;
    for (int c = 0; c < block->contacts.ncontacts; c++) {
        StickContactMotion *motion = &block->motion[c];
        motion->slip[0] = 0.6;
        motion->slip[1] = -0.8;
        motion->speed = 3;
        motion->slope = 0.02;
        motion->r[0] = motion->status == STICK_APART ? 0 : 2 + c;
        for (int k = 0; k < 2 && motion->status == STICK_SLIPPING; k++)
            motion->r[1 + k] = -motion->mu * motion->r[0] * motion->slip[k];
    }
}

// Friction forces of a contact when its degrees of freedom move by v in addition to the sliding, with constant r_N.
static void add_friction(const Block *block, int c, const double *v, double *p)
{
    const StickContactSet *set = &block->contacts;
    const StickContactMotion *motion = &block->motion[c];
    const StickContact *contact = &set->contact[c];
    double u[2] = {motion->speed * motion->slip[0], motion->speed * motion->slip[1]};
    for (int e = contact->first; e < contact->first + contact->count; e++)
        for (int k = 0; k < 2; k++)
            u[k] += set->H[3 * e + 1 + k] * v[set->dof[e]];
    double speed = hypot(u[0], u[1]), mu = motion->mu + motion->slope * (speed - motion->speed);
    for (int e = contact->first; e < contact->first + contact->count; e++)
        for (int k = 0; k < 2; k++)
            p[set->dof[e]] -= set->H[3 * e + 1 + k] * mu * motion->r[0] * u[k] / speed;
}

// C* of friction is the derivative of the friction law, gathered as the rows are.
static void friction_that_turns_damps_across(void **state)
{
    static Block box;
    StickReduced reduced;
    const double step = 1e-5;
    StickRandom random = stick_random_seed(7);
    open_box(&box, *state, "");
    slide_obliquely(&box);
    assert_ok(*state, stick_sliding_check(*state, &box.sliding, 1e-6));
    assert_ok(*state, stick_reduced_create(*state, &box.sliding, &reduced));
    assert_true(reduced.damped);
    assert_eliminated(&box, &reduced);
    size_t n = (size_t)reduced.n, ndofs = (size_t)box.whole.K.rows;
    double *x = calloc(n, sizeof *x), *v = calloc(ndofs, sizeof *v), *p = calloc(ndofs, sizeof *p);
    double *expected = calloc(n, sizeof *expected), *found = calloc(n, sizeof *found);
    for (size_t i = 0; i < n; i++)
        x[i] = stick_random_uniform(&random, -1, 1);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < ndofs; i++)
            v[i] = p[i] = 0;
        stick_sparse_multiply(&reduced.Z, side * step, x, v);
        for (int c = 0; c < box.contacts.ncontacts; c++)
            if (box.motion[c].status == STICK_SLIPPING)
                add_friction(&box, c, v, p);
        stick_sparse_multiply_transposed(&reduced.Y, -side / (2 * step), p, expected);
    }
    stick_sparse_multiply(&reduced.C, 1, x, found);
    for (size_t i = 0; i < n; i++)
        assert_near(found[i], expected[i], 1e-8);
    free(x), free(v), free(p), free(expected), free(found);
    stick_reduced_destroy(*state, &reduced);
    block_close(&box);
}

static void friction_in_space_needs_force_and_speed(void **state)
{
    static Block box;
    StickReduced reduced;
    open_box(&box, *state, "");
    slide_obliquely(&box);
    box.sliding.has_forces = false;
    assert_int_equal(stick_reduced_create(*state, &box.sliding, &reduced), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "turns its friction as it slides"));
    assert_non_null(strstr(stick_last_error(*state), "of body 'block'"));
    box.sliding.has_forces = true;
    for (int c = 0; c < box.contacts.ncontacts; c++)
        box.motion[c].speed = 0;
    assert_int_equal(stick_reduced_create(*state, &box.sliding, &reduced), STICK_BAD_INPUT);
    assert_non_null(strstr(stick_last_error(*state), "on the cone at rest"));
    block_close(&box);
}

static StickStatus reduce_pair(StickContext *ctx, void *data)
{
    static Block block;
    StickReduced reduced = {0};
    (void)data;
    StickStatus status = block_try(&block, ctx, STICK_MASS_CONSISTENT,
                                   "stickslip: 1\n"
                                   "materials: {rubber: {young: 5, density: 2, rayleigh: {mass: 1}}}\n"
                                   "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, "
                                   "material: rubber, mass: lumped}}\n"
                                   "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                                   "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n"
                                   "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n");
    if (status == STICK_OK) {
        block_status(&block, ALONG_X, 0.5, 1, 0);
        status = stick_reduced_create(ctx, &block.sliding, &reduced);
    }
    stick_reduced_destroy(ctx, &reduced);
    block_close(&block);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    assert_survives_failing_memory(reduce_pair, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(turned_block_has_the_same_numbers),
        test_with_context(contact_with_a_body_that_deforms_is_eliminated),
        test_with_context(hard_bed_tends_to_a_rigid_plate),
        test_with_context(slice_of_a_block_in_space),
        test_with_context(friction_that_turns_damps_across),
        test_with_context(friction_in_space_needs_force_and_speed),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("matrices", tests, NULL, NULL);
}

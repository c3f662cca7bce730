// SPDX-License-Identifier: Apache-2.0
// The block of polyurethane on its plate [RBV02 section 4.3, table 3], statuses prescribed: plane stress, 431 nodes,
// consistent mass, mu = 1.1.
#include "stability/block.h"

static const double PI = 3.14159265358979323846;

typedef struct Line {
    int stick, slip, open;
    double K_S, Lambda;
    int mode;
    double frequency, growth;
} Line;

static const Line lines[] = {
    {20, 1, 0, 0.0756, 8.187e6, 57, 2835.8, 31.15}, {19, 1, 1, 0.0708, 7.915e6, 11, 1274.0, 13.74},
    {18, 1, 2, 0.0679, 7.688e6, 10, 1169.4, 57.49}, {17, 2, 2, -0.1302, 7.434e6, 3, 780.7, 242.15},
    {16, 2, 3, -0.1061, 7.096e6, 3, 686.2, 348.30}, {14, 4, 3, -0.5019, 6.262e6, 3, 660.6, 396.14},
    {12, 6, 3, -0.6762, 5.474e6, 3, 651.5, 399.55}, {10, 8, 3, -0.7596, 4.825e6, 3, 647.8, 414.84},
    {7, 11, 3, -0.8207, 4.045e6, 3, 645.1, 440.71}, {4, 14, 3, -0.8510, 3.337e6, 3, 644.0, 446.19},
    {3, 15, 3, -0.8579, 3.080e6, 3, 643.9, 445.87}, {2, 16, 3, -0.8641, 2.778e6, 3, 643.9, 445.49},
    {2, 15, 4, -0.8585, 2.679e6, 5, 741.7, 413.14}, {1, 16, 4, -0.8682, 2.304e6, 5, 721.8, 473.29},
    {0, 17, 4, -0.9744, 1.233e6, 5, 696.5, 634.74},
};
enum { NLINES = sizeof lines / sizeof *lines };

// The first line is the corner x = 0 that slips towards -x, before it opens.
static void set_line(Block *block, const Line *line)
{
    block_status(block, ALONG_X, 1.1, line->slip, line->open);
    for (int c = 0; c < block->contacts.ncontacts && line->open == 0; c++)
        block->motion[c].slip[0] *= -1;
}

static void assert_line(const Line *line, const StickStability *s)
{
    assert_int_equal(s->reduced.stuck, line->stick);
    assert_int_equal(s->reduced.slipping, line->slip);
    assert_int_equal(s->reduced.open, line->open);
    assert_near(s->smallest, line->K_S, 5e-4);
    assert_int_equal(s->cholesky, line->K_S > 0);
    assert_near(s->smallest_real, line->Lambda, 1e-3 * line->Lambda);
    assert_true(s->flutter >= 0);
    const StickMode *first = &s->spectrum.mode[s->flutter];
    assert_int_equal(first->number, line->mode);
    assert_near(first->frequency, line->frequency, 1e-3 * line->frequency);
    assert_near(first->growth, line->growth, 1e-3 * line->growth);
    assert_int_equal(s->mass, STICK_POSITIVE_DEFINITE);
    assert_int_equal(s->divergence, -1);
    assert_int_equal(s->verdict, STICK_VERDICT_FLUTTER);
}

static StickStability judge(const Block *block, double highest)
{
    StickStability s;
    StickStabilityOptions options = stick_stability_default();
    options.spectrum.highest = highest;
    options.spectrum.proof = STICK_ARNOLDI_TRUST;
    assert_ok(block->ctx, stick_stability_create(block->ctx, &block->sliding, &options, &s));
    return s;
}

static void table_of_statuses(void **state)
{
    static Block block;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    assert_int_equal(block.contacts.ncontacts, 21);
    assert_int_equal(block.whole.K.rows, 862);
    for (int k = 0; k < NLINES; k++) {
        set_line(&block, &lines[k]);
        StickStability s = judge(&block, fmax(1000, 1.05 * lines[k].frequency));
        assert_line(&lines[k], &s);
        // The paper: compatibility (121) was always satisfied.
        assert_int_equal(s.smallest_violations, 0);
        assert_true(s.minimum.proved);
        stick_stability_destroy(*state, &s);
    }
    block_close(&block);
}

// A status that the table leaves out: K_S* is definite again, while mode 3 still flutters.
static void flutter_without_the_necessary_condition_for_divergence(void **state)
{
    static Block block;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    block_status(&block, ALONG_X, 1.1, 1, 3);
    StickStability s = judge(&block, 1000);
    assert_int_equal(s.reduced.stuck, 17);
    assert_near(s.smallest, 0.0641, 5e-4);
    assert_true(s.cholesky);
    assert_int_equal(s.spectrum.mode[s.flutter].number, 3);
    assert_non_null(strstr(s.text, "divergence cannot occur (Proposition 4)"));
    stick_stability_destroy(*state, &s);
    block_close(&block);
}

static void stuck_block_has_its_natural_frequencies(void **state)
{
    static Block block;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    block_status(&block, ALONG_X, 1.1, 0, 0);
    StickStability s = judge(&block, 1600);
    assert_near(s.spectrum.mode[0].frequency, 454.30, 0.005);
    assert_near(s.spectrum.mode[17].frequency, 1526.06, 0.005);
    assert_int_equal(s.verdict, STICK_VERDICT_NO_GROWTH);
    stick_stability_destroy(*state, &s);
    block_close(&block);
}

static void lumped_mass_moves_high_modes(void **state)
{
    static Block block;
    block_open(&block, *state, STICK_MASS_LUMPED, POLYURETHANE);
    set_line(&block, &lines[NLINES - 1]);
    StickStability s = judge(&block, 1000);
    assert_near(s.smallest_real, 1.229e6, 1e-3 * 1.229e6);
    assert_int_equal(s.spectrum.mode[s.flutter].number, 5);
    assert_near(s.spectrum.mode[s.flutter].frequency, 690.9, 0.69);
    stick_stability_destroy(*state, &s);
    const int line[2] = {0, 2}, mode[2] = {25, 66};
    for (int k = 0; k < 2; k++) {
        set_line(&block, &lines[line[k]]);
        s = judge(&block, k ? 3200 : 2200);
        assert_int_equal(s.spectrum.mode[s.flutter].number, mode[k]);
        stick_stability_destroy(*state, &s);
    }
    block_close(&block);
}

// M* = 1: the sign of the smallest real eigenvalue is that of K* alone, and so is K_S*.
static void unit_mass_has_the_same_signs(void **state)
{
    static Block block;
    block_open(&block, *state, STICK_MASS_UNIT, POLYURETHANE);
    set_line(&block, &lines[NLINES - 1]);
    StickStability s = judge(&block, 0.2);
    assert_near(s.smallest, -0.9744, 5e-4);
    assert_true(s.smallest_real > 0 && s.smallest_real < 1);
    assert_int_equal(s.mass, STICK_POSITIVE_DEFINITE);
    stick_stability_destroy(*state, &s);
    block_close(&block);
}

// The complete dense spectrum of steady sliding, and the proof of completeness of the sparse one.
static void sparse_modes_are_the_dense_ones(void **state)
{
    static Block block;
    StickStabilityOptions options = stick_stability_default();
    StickStability dense, sparse;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    set_line(&block, &lines[NLINES - 1]);
    assert_ok(*state, stick_stability_create(*state, &block.sliding, &options, &dense));
    options.spectrum.highest = 2000;
    assert_ok(*state, stick_stability_create(*state, &block.sliding, &options, &sparse));
    assert_line(&lines[NLINES - 1], &dense);
    assert_true(dense.spectrum.complete);
    assert_int_equal(dense.spectrum.count, dense.reduced.n);
    assert_true(sparse.spectrum.count > 25);
    for (int k = 0; k < sparse.spectrum.count; k++) {
        const StickMode *a = &dense.spectrum.mode[k], *b = &sparse.spectrum.mode[k];
        if (cabs(b->Lambda) > 0.9 * pow(2 * PI * 2000, 2))
            break;
        assert_near(creal(a->Lambda), creal(b->Lambda), 1e-8 * cabs(a->Lambda));
        assert_near(fabs(cimag(a->Lambda)), fabs(cimag(b->Lambda)), 1e-8 * cabs(a->Lambda));
        assert_int_equal(a->kind, b->kind);
        assert_below(a->residual, 1e-9);
        assert_below(b->residual, 1e-9);
    }
    stick_stability_destroy(*state, &dense);
    stick_stability_destroy(*state, &sparse);
    block_close(&block);
}

// ---- steady sliding with its forces

// Displacements of the block that slides while its top is pressed down by 0.5 mm: K* a* = -Y' K q_top.
static void press(const Block *block, const StickReduced *reduced, double *q)
{
    StickContext *ctx = block->ctx;
    StickLu *lu;
    size_t n = (size_t)reduced->n, ndofs = (size_t)block->whole.K.rows;
    double *Kq = calloc(ndofs, sizeof *Kq), *right = calloc(n, sizeof *right),
           *active = calloc(n, sizeof *active);
    memset(q, 0, ndofs * sizeof *q);
    for (size_t d = 1; d < ndofs; d += 2)
        q[d] = block->prescribed[d] ? -0.5 : 0;
    stick_sparse_multiply(&block->whole.K, -1, q, Kq);
    stick_sparse_multiply_transposed(&reduced->Y, 1, Kq, right);
    assert_ok(ctx, stick_lu_create(ctx, &reduced->K, "K*", &lu));
    assert_ok(ctx, stick_lu_factor(lu, reduced->K.value));
    assert_ok(ctx, stick_lu_solve(lu, right, active));
    stick_sparse_multiply(&reduced->Z, 1, active, q);
    stick_lu_destroy(lu);
    free(Kq), free(right), free(active);
}

// Forces of the plate on the block: r = K q at the nodes of the bottom.
static void take_forces(Block *block, const double *q, double sum[2])
{
    double *Kq = calloc((size_t)block->whole.K.rows, sizeof *Kq);
    stick_sparse_multiply(&block->whole.K, 1, q, Kq);
    sum[0] = sum[1] = 0;
    for (int c = 0; c < block->contacts.ncontacts; c++) {
        const StickContact *contact = &block->contacts.contact[c];
        const double *force = Kq + block->contacts.dof[contact->first];
        StickContactMotion *motion = &block->motion[c];
        for (int k = 0; k < 2; k++)
            motion->r[k] = contact->frame[k][0] * force[0] + contact->frame[k][1] * force[1];
        motion->speed = 0.103;
        sum[0] += motion->r[0];
        sum[1] += motion->r[1];
    }
    free(Kq);
}

// K* carries the published forces of steady sliding; with them the state is one of Coulomb's, regular and unstable.
static void steady_sliding_is_unstable(void **state)
{
    static Block block;
    StickReduced reduced;
    StickStability s;
    StickStabilityOptions options = stick_stability_default();
    double sum[2], *q;
    options.spectrum.highest = 1000;
    options.spectrum.proof = STICK_ARNOLDI_TRUST;
    options.length = 80;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    set_line(&block, &lines[NLINES - 1]);
    q = calloc((size_t)block.whole.K.rows, sizeof *q);
    assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
    press(&block, &reduced, q);
    take_forces(&block, q, sum);
    assert_near(sum[0], 8.30168, 1e-5);
    assert_near(sum[1], -9.13184, 1e-5);
    for (int c = 0; c < block.contacts.ncontacts; c++)
        block.contacts.contact[c].gap = q[block.contacts.dof[block.contacts.contact[c].first] + 1];
    block.sliding.has_forces = block.sliding.steady = true;
    assert_ok(*state, stick_stability_create(*state, &block.sliding, &options, &s));
    assert_int_equal(s.verdict, STICK_VERDICT_FLUTTER);
    assert_non_null(strstr(s.text, "The state is unstable (Proposition 3)."));
    stick_stability_destroy(*state, &s);
    stick_reduced_destroy(*state, &reduced);
    free(q);
    block_close(&block);
}

// ---- other friction: results of the sweep of examples/block-friction.yaml, with prescribed statuses

// Where the contact next to open ones loses its force: it opens.
static void friction_opens_one_contact_after_the_other(void **state)
{
    static const double opens[] = {0.3300735, 0.5123177, 0.7170273, 0.9391754, 1.1588745};
    static Block block;
    StickReduced reduced;
    double *q;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    q = calloc((size_t)block.whole.K.rows, sizeof *q);
    for (int open = 0; open < 5; open++)
        for (int side = -1; side <= 1; side += 2) {
            double sum[2], mu = opens[open] + side * 2e-6;
            block_status(&block, ALONG_X, mu, 21 - open, open);
            assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
            press(&block, &reduced, q);
            take_forces(&block, q, sum);
            for (int c = 0; c < block.contacts.ncontacts; c++)
                if (block_rank(&block, c, ALONG_X) == open)
                    assert_int_equal(block.motion[c].r[0] > 0, side < 0);
            stick_reduced_destroy(*state, &reduced);
        }
    free(q);
    block_close(&block);
}

// One more pair beyond each value, which grows as the square root of the distance. The second one by all modes, dense.
static void friction_makes_modes_meet(void **state)
{
    static const struct {
        int open;
        double mu, frequency;
    } meet[] = {{0, 0.0757930408, 966.0391},
                {0, 0.2145617107, 707.5857},
                {2, 0.6849160508, 726.2756},
                {3, 0.7425642610, 642.6439}};
    static Block block;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    for (int k = 0; k < 4; k++) {
        int fluttering[2], near = 0;
        for (int side = 0; side < 2; side++) {
            block_status(&block, ALONG_X, meet[k].mu + (side ? 1e-8 : -1e-8), 21 - meet[k].open,
                         meet[k].open);
            StickStability s = judge(&block, k == 1 ? 0 : 1000);
            fluttering[side] = 0;
            for (int j = 0; j < s.spectrum.count; j++) {
                const StickMode *mode = &s.spectrum.mode[j];
                bool pair = cimag(mode->Lambda) > 0 && mode->frequency < 1000;
                fluttering[side] += pair;
                near += side && pair && fabs(mode->frequency - meet[k].frequency) < 1e-2 && mode->growth < 1;
            }
            stick_stability_destroy(*state, &s);
        }
        assert_int_equal(fluttering[1], fluttering[0] + 1);
        assert_int_equal(near, 1);
    }
    block_close(&block);
}

// ---- damping

// Rayleigh pair with damping ratio -Re lambda / |Im lambda| of xi at 454.30 Hz and xi/2 at 1526.06 Hz, the first and
// the 18th mode of the stuck block: alpha / 2 omega + beta omega / 2 = xi / sqrt(1 + xi^2)
static void rayleigh(double xi, double *alpha, double *beta)
{
    double a = 2 * PI * 454.30, b = 2 * PI * 1526.06;
    double first = xi / sqrt(1 + xi * xi), second = xi / 2 / sqrt(1 + xi * xi / 4);
    *beta = 2 * (second * b - first * a) / (b * b - a * a);
    *alpha = 2 * first * a - *beta * a * a;
}

static double largest_growth(const StickSpectrum *spectrum, double xi)
{
    double alpha, beta, growth = -INFINITY;
    rayleigh(xi, &alpha, &beta);
    for (int k = 0; k < spectrum->count; k++)
        growth = fmax(growth, creal(stick_spectrum_root(spectrum->mode[k].Lambda, alpha, beta)));
    return growth;
}

// Damping ratio at which the last mode stops to grow.
static double critical(const StickSpectrum *spectrum)
{
    double low = 0, high = 1;
    for (int k = 0; k < 50; k++) {
        double middle = (low + high) / 2;
        *(largest_growth(spectrum, middle) > 0 ? &low : &high) = middle;
    }
    return high;
}

static void damping_that_stops_flutter(void **state)
{
    static Block block;
    double most = 0;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    for (int k = 3; k < NLINES; k++) {
        set_line(&block, &lines[k]);
        StickStability s = judge(&block, 1500);
        double xi = critical(&s.spectrum);
        if (lines[k].mode == 3)
            most = fmax(most, xi);
        else if (lines[k].stick == 1)
            assert_near(xi, 0.15265, 2e-5);
        else if (lines[k].stick == 0)
            assert_near(xi, 0.20944, 2e-5);
        stick_stability_destroy(*state, &s);
    }
    assert_near(most, 0.14863, 2e-5);
    block_close(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(table_of_statuses),
        test_with_context(flutter_without_the_necessary_condition_for_divergence),
        test_with_context(stuck_block_has_its_natural_frequencies),
        test_with_context(lumped_mass_moves_high_modes),
        test_with_context(unit_mass_has_the_same_signs),
        test_with_context(sparse_modes_are_the_dense_ones),
        test_with_context(steady_sliding_is_unstable),
        test_with_context(friction_opens_one_contact_after_the_other),
        test_with_context(friction_makes_modes_meet),
        test_with_context(damping_that_stops_flutter),
    };
    return cmocka_run_group_tests_name("polyurethane", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "brief.h"
#include "stability/block.h"

// A small block whose material damps, fully sliding but for two stuck and two open nodes.
static void open_damped(Block *block, StickContext *ctx, const char *damping)
{
    char text[2048];
    snprintf(text, sizeof text,
             "stickslip: 1\n"
             "materials: {rubber: {young: 5, poisson: 0.48, density: 1.2e-9, %s}}\n"
             "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [8, 4]}}, material: rubber,\n"
             "                 plane: stress}}\n"
             "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
             "supports: [{on: block.top, displacement: [0, 0]}]\n"
             "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
             "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n",
             damping);
    block_open(block, ctx, STICK_MASS_MODEL, text);
    block_status(block, ALONG_X, 1.1, 5, 2);
}

static double residual_of(const StickReduced *r, double complex lambda, const double complex *x)
{
    const StickSparse *const A[3] = {&r->K, &r->C, &r->M};
    double complex power[3] = {1, lambda, lambda * lambda};
    double complex *sum = calloc((size_t)r->n, sizeof *sum);
    double *size = calloc((size_t)r->n, sizeof *size), rest = 0, total = 0;
    for (int p = 0; p < 3; p++)
        for (int j = 0; j < A[p]->cols; j++)
            for (int k = A[p]->start[j]; k < A[p]->start[j + 1]; k++) {
                sum[A[p]->row[k]] += power[p] * A[p]->value[k] * x[j];
                size[A[p]->row[k]] += cabs(power[p] * A[p]->value[k] * x[j]);
            }
    for (int i = 0; i < r->n; i++) {
        rest = hypot(rest, cabs(sum[i]));
        total = hypot(total, size[i]);
    }
    free(sum);
    free(size);
    return rest / total;
}

static void roots_of_a_damped_mode(void **state)
{
    (void)state;
    assert_near(cabs(stick_spectrum_root(4, 0, 0) - 2 * I), 0, 1e-15);
    assert_near(cabs(stick_spectrum_root(-4, 0, 0) - 2), 0, 1e-15);
    assert_near(cabs(stick_spectrum_root(25, 6, 0) - (-3 + 4 * I)), 0, 1e-14);
    assert_near(cabs(stick_spectrum_root(25, 1, 0.2) - (-3 + 4 * I)), 0, 1e-14);
    // Overdamped: the slow root, without cancellation.
    assert_near(creal(stick_spectrum_root(1, 1e9, 0)), -1e-9, 1e-24);
    assert_true(stick_spectrum_root(0, 3, 0) == 0);
    assert_true(stick_spectrum_root(0, 0, 0) == 0);
    double complex Lambda = 3 + I, lambda = stick_spectrum_root(Lambda, 0.1, 0.2);
    assert_near(cabs(lambda * lambda + lambda * (0.1 + 0.2 * Lambda) + Lambda), 0, 1e-14);
}

// C = alpha M + beta K is seen, and lambda^2 + lambda (alpha + beta Lambda) + Lambda = 0 solves the quadratic problem.
static void rayleigh_damping_is_modal(void **state)
{
    static Block block;
    StickReduced reduced;
    StickSpectrum damped, plain;
    StickSpectrumOptions options = stick_spectrum_default();
    open_damped(&block, *state, "rayleigh: {mass: 500, stiffness: 2e-5}");
    assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &damped));
    options.undamped = true;
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &plain));
    assert_int_equal(damped.damping, STICK_DAMPING_PROPORTIONAL);
    assert_int_equal(plain.damping, STICK_DAMPING_NONE);
    assert_near(damped.alpha, 500, 1e-8);
    assert_near(damped.beta, 2e-5, 1e-15);
    assert_int_equal(damped.count, plain.count);
    for (int k = 0; k < damped.count; k++) {
        double complex lambda = damped.mode[k].lambda, Lambda = plain.mode[k].Lambda;
        double complex rest = lambda * lambda + lambda * (500 + 2e-5 * Lambda) + Lambda;
        assert_below(cabs(rest), 1e-9 * cabs(Lambda));
        assert_below(residual_of(&reduced, lambda, damped.vector + (size_t)k * (size_t)damped.n), 1e-9);
        assert_true(damped.mode[k].growth < plain.mode[k].growth);
        assert_int_equal(damped.mode[k].number, k + 1);
    }
    stick_spectrum_destroy(*state, &damped);
    stick_spectrum_destroy(*state, &plain);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

// A Kelvin-Voigt material is not proportional: the quadratic problem, dense and sparse.
static void viscous_material_takes_the_quadratic_problem(void **state)
{
    static Block block;
    StickReduced reduced;
    StickSpectrum dense, sparse;
    StickSpectrumOptions options = stick_spectrum_default();
    open_damped(&block, *state, "viscosity: {shear: 1e-5, bulk: 1e-6}");
    assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &dense));
    options.highest = 1000;
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &sparse));
    assert_int_equal(dense.damping, STICK_DAMPING_GENERAL);
    assert_true(dense.complete && !sparse.complete);
    assert_true(sparse.count >= 5 && sparse.count < dense.count);
    for (int k = 0; k < sparse.count; k++) {
        const StickMode *a = &dense.mode[k], *b = &sparse.mode[k];
        assert_below(cabs(a->lambda - b->lambda), 1e-8 * cabs(a->lambda));
        assert_below(residual_of(&reduced, b->lambda, sparse.vector + (size_t)k * (size_t)sparse.n), 1e-9);
        assert_true(cimag(b->lambda) >= 0);
        assert_int_equal(a->kind, b->kind);
    }
    assert_non_null(stick_spectrum_first(&dense, STICK_MODE_FLUTTER));
    stick_spectrum_destroy(*state, &dense);
    stick_spectrum_destroy(*state, &sparse);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

// ---- parts of a spectrum

typedef struct Parts {
    StickReduced reduced;
    StickSpectrumOptions options;
    StickSpectrum all, some;
} Parts;

static void find_all(StickContext *ctx, Parts *parts, const Block *block)
{
    parts->options = stick_spectrum_default();
    assert_ok(ctx, stick_reduced_create(ctx, &block->sliding, &parts->reduced));
    assert_ok(ctx, stick_spectrum_create(ctx, &parts->reduced, &parts->options, &parts->all));
    parts->some = (StickSpectrum){0};
}

static void find_part(StickContext *ctx, Parts *parts, int count, double lowest, double highest)
{
    stick_spectrum_destroy(ctx, &parts->some);
    parts->options.most = 100;
    parts->options.count = count;
    parts->options.lowest = lowest;
    parts->options.highest = highest;
    assert_ok(ctx, stick_spectrum_create(ctx, &parts->reduced, &parts->options, &parts->some));
    assert_true(parts->all.complete && !parts->some.complete);
    assert_true(parts->some.lowest == lowest);
}

static void drop_parts(StickContext *ctx, Parts *parts)
{
    stick_spectrum_destroy(ctx, &parts->all);
    stick_spectrum_destroy(ctx, &parts->some);
    stick_reduced_destroy(ctx, &parts->reduced);
}

// Modes of the whole spectrum from number `first` on are those of the part.
static void assert_same_modes(const Parts *parts, int first, int count, double room)
{
    assert_in_range(parts->some.count, count, parts->all.count);
    for (int k = 0; k < count; k++) {
        const StickMode *a = &parts->all.mode[first + k], *b = &parts->some.mode[k];
        assert_below(cabs(a->lambda - b->lambda), 1e-8 * cabs(a->lambda) + room);
        assert_int_equal(b->number, k + 1);
        assert_int_equal(a->kind, b->kind);
    }
}

// Number of modes below a frequency.
static int count_below(const StickSpectrum *spectrum, double frequency)
{
    int count = 0;
    while (count < spectrum->count && spectrum->mode[count].frequency < frequency)
        count++;
    return count;
}

// The polyurethane block that slides steadily: its mode 5 flutters. A window has all with a real Lambda between its
// ends, and what flutters among them.
static void parts_are_those_of_the_whole_spectrum(void **state)
{
    static const int counts[] = {1, 6, 20};
    static Block block;
    Parts parts;
    block_open(&block, *state, STICK_MASS_CONSISTENT, POLYURETHANE);
    block_status(&block, ALONG_X, 1.1, 17, 4);
    find_all(*state, &parts, &block);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        find_part(*state, &parts, counts[k], 0, 0);
        assert_same_modes(&parts, 0, counts[k], 0);
        assert_true(parts.some.highest >= parts.some.mode[counts[k] - 1].frequency);
    }
    // just below a mode: it is not listed unless it grows
    for (int k = 10; k < 20; k++) {
        find_part(*state, &parts, 0, 0, 0.9999 * parts.all.mode[k].frequency);
        for (int i = 0; i < parts.some.count; i++)
            assert_true(parts.some.mode[i].frequency <= parts.options.highest ||
                        parts.some.mode[i].kind == STICK_MODE_FLUTTER);
    }
    find_part(*state, &parts, 0, 500, 1500);
    int first = count_below(&parts.all, 500), inside = count_below(&parts.all, 1500) - first;
    assert_true(first > 0 && inside > 10);
    assert_int_equal(parts.some.count, inside);
    assert_same_modes(&parts, first, inside, 0);
    assert_non_null(stick_spectrum_first(&parts.some, STICK_MODE_FLUTTER));
    drop_parts(*state, &parts);
    block_close(&block);
}

// A block on nothing: of its lowest modes three are neutral.
static void neutral_modes_are_among_the_lowest(void **state)
{
    static Block block;
    Parts parts;
    block_open(&block, *state, STICK_MASS_CONSISTENT,
               "stickslip: 1\n"
               "materials: {rubber: {young: 5, poisson: 0.3, density: 2e-9}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [3, 2], cells: [12, 8]}}, material: rubber}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "contacts: [{between: [block.bottom, plate], friction: 0.9}]\n"
               "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n");
    block_status(&block, ALONG_X, 0.9, 0, 13);
    find_all(*state, &parts, &block);
    find_part(*state, &parts, 10, 0, 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(parts.some.mode[k].kind, STICK_MODE_NEUTRAL);
    assert_same_modes(&parts, 0, 10, 1e-4 * cabs(parts.all.mode[3].lambda));
    drop_parts(*state, &parts);
    block_close(&block);
}

static void parts_of_the_quadratic_problem(void **state)
{
    static Block block;
    Parts parts;
    open_damped(&block, *state, "viscosity: {shear: 1e-5, bulk: 1e-6}");
    find_all(*state, &parts, &block);
    find_part(*state, &parts, 7, 0, 0);
    assert_int_equal(parts.some.damping, STICK_DAMPING_GENERAL);
    assert_same_modes(&parts, 0, 7, 0);
    find_part(*state, &parts, 0, 700, 1300);
    int first = count_below(&parts.all, 700);
    assert_true(first > 0 && parts.some.count > 2);
    assert_same_modes(&parts, first, parts.some.count, 0);
    drop_parts(*state, &parts);
    block_close(&block);
}

static void large_spectra_are_asked_for_by_frequency(void **state)
{
    static Block block;
    StickReduced reduced;
    StickSpectrum spectrum;
    StickSpectrumOptions options = stick_spectrum_default();
    options.most = 20;
    open_damped(&block, *state, "rayleigh: {mass: 500}");
    assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
    assert_int_equal(stick_spectrum_create(*state, &reduced, &options, &spectrum), STICK_BAD_INPUT);
    assert_non_null(
        strstr(stick_last_error(*state), "request the lowest modes, or the modes up to a frequency"));
    options.count = 11; // more than half of the order limit of dense matrices
    assert_int_equal(stick_spectrum_create(*state, &reduced, &options, &spectrum), STICK_BAD_INPUT);
    options.highest = 10;
    options.lowest = 10;
    assert_int_equal(stick_spectrum_create(*state, &reduced, &options, &spectrum), STICK_USAGE);
    options.highest = -1;
    assert_int_equal(stick_spectrum_create(*state, &reduced, &options, &spectrum), STICK_USAGE);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

// ---- rounding

static void fill_sparse(StickContext *ctx, int n, const double *dense, StickSparse *A)
{
    StickTriplets triplets = {.rows = n, .cols = n};
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            assert_ok(ctx, stick_triplets_add(ctx, &triplets, i, j, dense[j * n + i]));
    assert_ok(ctx, stick_sparse_from_triplets(ctx, &triplets, A));
    stick_triplets_destroy(ctx, &triplets);
}

static void make_reduced(StickContext *ctx, int n, const double *M, const double *C, const double *K,
                         StickReduced *reduced)
{
    *reduced = (StickReduced){.n = n, .damped = C != NULL};
    fill_sparse(ctx, n, K, &reduced->K);
    fill_sparse(ctx, n, M, &reduced->M);
    if (C)
        fill_sparse(ctx, n, C, &reduced->C);
}

static void drop_reduced(StickContext *ctx, StickReduced *reduced)
{
    stick_sparse_destroy(ctx, &reduced->K);
    stick_sparse_destroy(ctx, &reduced->M);
    stick_sparse_destroy(ctx, &reduced->C);
}

enum { SLENDER = 18 };

static void add_entry(double *A, int i, int j, double value)
{
    A[j * SLENDER + i] += value;
}

// A spring between two, or from one to the ground (j < 0).
static void add_spring(double *A, int i, int j, double value)
{
    add_entry(A, i, i, value);
    if (j >= 0) {
        add_entry(A, j, j, value);
        add_entry(A, i, j, -value);
        add_entry(A, j, i, -value);
    }
}

// A damped slender body has overdamped roots far beyond its lowest modes: one mode of frequency 1 that grows,
// together with stiffnesses up to 1e10 with beta K as damping. Rigid-body motions of free bodies are neutral, motions
// driven by negative damping are not.
static void low_modes_of_a_damped_body_are_not_neutral(void **state)
{
    double M[SLENDER * SLENDER] = {0}, C[SLENDER * SLENDER] = {0}, K[SLENDER * SLENDER] = {0};
    for (int i = 0; i < SLENDER; i++)
        add_entry(M, i, i, 1);
    for (int i = 6; i < SLENDER; i++) {
        add_spring(K, i, -1, pow(10, i - 7));
        add_spring(C, i, -1, 1e-2 * pow(10, i - 7));
    }
    add_spring(K, 0, 1, 1e6); // held by nothing
    add_spring(C, 0, 1, 1e4);
    add_spring(K, 2, 3, 1e6); // driven: lambda = 0 and 0.5
    add_spring(C, 2, 3, 1e4);
    add_spring(C, 2, -1, -0.5);
    add_spring(C, 3, -1, -0.5);
    add_spring(K, 4, -1, 1); // lambda = 0.01 +- i sqrt(1 - 0.01^2)
    add_spring(C, 4, -1, -0.02);
    add_spring(K, 5, -1, 4); // overdamped: -0.0004 and -1e4
    add_spring(C, 5, -1, 1e4 + 4e-4);
    StickReduced reduced;
    StickSpectrum found;
    StickSpectrumOptions options = stick_spectrum_default();
    make_reduced(*state, SLENDER, M, C, K, &reduced);
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &found));
    assert_int_equal(found.damping, STICK_DAMPING_GENERAL);
    int count[4] = {0};
    for (int k = 0; k < found.count; k++)
        count[found.mode[k].kind]++;
    // two of the first body, or one that stands for both, and one of the second
    assert_in_range(count[STICK_MODE_NEUTRAL], 2, 3);
    assert_int_equal(count[STICK_MODE_FLUTTER], 1);
    assert_int_equal(count[STICK_MODE_DIVERGES], 1);
    assert_near(stick_spectrum_first(&found, STICK_MODE_FLUTTER)->growth, 0.01, 1e-6);
    assert_near(stick_spectrum_first(&found, STICK_MODE_DIVERGES)->growth, 0.5, 1e-6);
    stick_spectrum_destroy(*state, &found);
    drop_reduced(*state, &reduced);
}

// Friction that falls with speed drives a steel strip whose material damps: all modes and those of a window agree.
static void a_damped_strip_flutters_in_all_its_modes_and_in_a_window(void **state)
{
    static Block block;
    StickReduced reduced;
    StickSpectrum dense, window;
    StickSpectrumOptions options = stick_spectrum_default();
    block_open(&block, *state, STICK_MASS_CONSISTENT,
               "stickslip: 1\n"
               "materials: {steel: {young: 2e11, poisson: 0.3, density: 7800, rayleigh: {stiffness: 1e-5}}}\n"
               "bodies: {strip: {mesh: {rectangle: {size: [0.001, 0.1], cells: [1, 60]}}, plane: stress,\n"
               "                 material: steel}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: strip.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [strip.bottom, plate], friction: 0.1}]\n"
               "steps: [{dynamics: {scheme: theta, theta: 0.5, step: 1, end: 1}}]\n");
    block_status(&block, ALONG_X, 0.1, 2, 0);
    for (int c = 0; c < block.contacts.ncontacts; c++) {
        block.motion[c].r[0] = 200;
        block.motion[c].slope = -0.2;
    }
    block.sliding.has_forces = true;
    assert_ok(*state, stick_reduced_create(*state, &block.sliding, &reduced));
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &dense));
    options.highest = 5000;
    assert_ok(*state, stick_spectrum_create(*state, &reduced, &options, &window));
    assert_int_equal(dense.damping, STICK_DAMPING_GENERAL);
    assert_true(window.count >= 2);
    assert_int_equal(dense.mode[0].kind, STICK_MODE_FLUTTER);
    for (int k = 0; k < window.count; k++) {
        assert_int_equal(dense.mode[k].kind, window.mode[k].kind);
        assert_below(cabs(dense.mode[k].lambda - window.mode[k].lambda), 1e-4 * cabs(window.mode[k].lambda));
    }
    stick_spectrum_destroy(*state, &dense);
    stick_spectrum_destroy(*state, &window);
    stick_reduced_destroy(*state, &reduced);
    block_close(&block);
}

enum { SEVERAL = 12 };

// K = S D S^-1 with S = 1 + a b', of which S^-1 is known: D = diag(2x2 block, then 10, 20, ... times `stiff`).
static void make_mixed(StickContext *ctx, const double block[4], double stiff, StickReduced *reduced)
{
    double M[SEVERAL * SEVERAL] = {0}, K[SEVERAL * SEVERAL] = {0}, D[SEVERAL][SEVERAL] = {{0}};
    double a[SEVERAL], b[SEVERAL], ab = 0;
    for (int i = 0; i < SEVERAL; i++) {
        a[i] = sin(1 + i);
        b[i] = cos(2 + 3 * i);
        ab += a[i] * b[i];
        M[i * (SEVERAL + 1)] = 1;
        for (int j = 0; j < SEVERAL; j++)
            D[i][j] = i < 2 && j < 2 ? block[2 * i + j] : i == j ? 10 * (i - 1) * stiff : 0;
    }
    for (int i = 0; i < SEVERAL; i++)
        for (int j = 0; j < SEVERAL; j++)
            for (int p = 0; p < SEVERAL; p++)
                for (int q = 0; q < SEVERAL; q++)
                    K[j * SEVERAL + i] +=
                        ((i == p) + a[i] * b[p]) * D[p][q] * ((q == j) - a[q] * b[j] / (1 + ab));
    make_reduced(ctx, SEVERAL, M, NULL, K, reduced);
}

static int count_flutter(StickContext *ctx, const double block[4], double stiff, double highest)
{
    StickReduced reduced;
    StickSpectrum found;
    StickSpectrumOptions options = stick_spectrum_default();
    options.highest = highest;
    make_mixed(ctx, block, stiff, &reduced);
    assert_ok(ctx, stick_spectrum_create(ctx, &reduced, &options, &found));
    int count = 0;
    for (int k = 0; k < found.count; k++)
        count += found.mode[k].kind == STICK_MODE_FLUTTER;
    if (count == 0)
        for (int k = 0; k < found.count; k++)
            assert_true(cimag(found.mode[k].Lambda) == 0 && found.mode[k].growth == 0);
    stick_spectrum_destroy(ctx, &found);
    drop_reduced(ctx, &reduced);
    return count;
}

// A double eigenvalue comes out as a pair that rounding makes complex; two that meet make one at their parameter.
static void double_eigenvalues_do_not_flutter(void **state)
{
    for (int pass = 0; pass < 2; pass++) {
        double highest = pass * 2 / (2 * acos(-1));
        for (double stiff = 1; stiff < (pass ? 1e4 : 1e11); stiff *= test_size(10, 1000))
            assert_int_equal(count_flutter(*state, (const double[4]){1, 0, 0, 1}, stiff, highest), 0);
        const double e = 1e-2, before = e * (1 - 1e-8), behind = e * (1 + 1e-8);
        assert_int_equal(count_flutter(*state, (const double[4]){1 + e, before, -before, 1 - e}, 1, highest),
                         0);
        assert_int_equal(count_flutter(*state, (const double[4]){1 + e, behind, -behind, 1 - e}, 1, highest),
                         2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_of_a_damped_mode),
        test_with_context(rayleigh_damping_is_modal),
        test_with_context(viscous_material_takes_the_quadratic_problem),
        test_with_context(parts_are_those_of_the_whole_spectrum),
        test_with_context(neutral_modes_are_among_the_lowest),
        test_with_context(parts_of_the_quadratic_problem),
        test_with_context(large_spectra_are_asked_for_by_frequency),
        test_with_context(low_modes_of_a_damped_body_are_not_neutral),
        test_with_context(a_damped_strip_flutters_in_all_its_modes_and_in_a_window),
        test_with_context(double_eigenvalues_do_not_flutter),
    };
    return cmocka_run_group_tests_name("spectrum", tests, NULL, NULL);
}

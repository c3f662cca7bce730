// SPDX-License-Identifier: Apache-2.0
// The block of polyurethane on a plate that is dragged [RBV02 sections 1.4 and 4.3], as a row of quasistatic problems
// on its condensed compliance. With mu = 1.1 plain Gauss-Seidel diverges on many of them; the statuses are known.
#include "stepping/scene.h"

#include "solve/conjugate_gradient.h"

enum { CONTACTS = 21, ROWS = 2 * CONTACTS };

// Status of a row of the table: sticking, slipping, open nodes, and a place of the plate where it holds.
typedef struct Status {
    double U_T;
    int stick, slip, open;
} Status;

static const Status statuses[] = {
    {-0.87, 20, 1, 0}, {-1.05, 19, 1, 1}, {-1.20, 18, 1, 2}, {-1.35, 17, 2, 2},
    {-1.45, 16, 2, 3}, {-1.65, 14, 4, 3}, {-1.75, 12, 6, 3}, {-1.78, 10, 8, 3},
    {-1.82, 7, 11, 3}, {-2.00, 4, 14, 3}, {-2.20, 3, 15, 3}, {-2.45, 2, 16, 3},
    {-2.71, 2, 16, 3}, {-2.75, 2, 15, 4}, {-3.40, 1, 16, 4}, {-6.20, 0, 17, 4},
};
enum { NSTATUSES = sizeof statuses / sizeof *statuses };

static const double press = -0.5;

// N, mm, t: one step of this length makes the mass of no account, so that A = h^2 K to round-off.
static const double h = 1e4;

static void open_block(Scene *scene, StickContext *ctx)
{
    scene_open(scene, ctx,
               "materials: {polyurethane: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"
               "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [20, 10], pattern: crossed}},\n"
               "                 material: polyurethane, plane: stress}}\n"
               "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: block.top, displacement: [0, 0]}]\n"
               "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"
               "steps: [{dynamics: {scheme: theta-euler, theta: 1, step: %g, end: %g}}]\n",
               h, h);
    scene_step(scene);
    assert_int_equal(scene->run->contacts.ncontacts, CONTACTS);
}

typedef struct Path {
    StickBlocks W; // compliance: displacement per force
    double value[CONTACTS * CONTACTS * 4];
    double mu[CONTACTS];
    double u_free[ROWS];
    double slid[CONTACTS]; // tangential displacement on the plate at the end of the last increment
    double r[ROWS], u[ROWS];
    double along; // direction of the first tangent
} Path;

static void begin_path(Path *path, const Scene *scene)
{
    const StickBlocks *W = scene->run->W;
    size_t entries = sizeof path->value / sizeof *path->value;
    *path = (Path){.W = *W, .along = scene->run->contacts.contact[0].frame[1][0]};
    assert_int_equal(W->start[CONTACTS], CONTACTS * CONTACTS);
    for (size_t e = 0; e < entries; e++)
        path->value[e] = W->value[e] * h * h;
    path->W.value = path->value;
    for (int c = 0; c < CONTACTS; c++)
        path->mu[c] = 1.1;
}

static StickFrictionProblem increment(Path *path, double U_T)
{
    for (int c = 0; c < CONTACTS; c++) {
        path->u_free[2 * c] = press;
        path->u_free[2 * c + 1] = path->along * -U_T - path->slid[c];
    }
    return (StickFrictionProblem){
        .dim = 2, .ncontacts = CONTACTS, .W = &path->W, .u_free = path->u_free, .mu = path->mu};
}

static void end_increment(Path *path)
{
    for (int c = 0; c < CONTACTS; c++)
        path->slid[c] += path->u[2 * c + 1];
}

static Status status_of(const Path *path, double U_T)
{
    Status found = {.U_T = U_T};
    for (int c = 0; c < CONTACTS; c++) {
        if (!(path->r[2 * c] > 0))
            found.open++;
        else if (fabs(path->r[2 * c + 1]) >= 1.1 * path->r[2 * c] * (1 - 1e-6))
            found.slip++;
        else
            found.stick++;
    }
    return found;
}

static void assert_forces(const Path *path, double normal, double tangential)
{
    double N = 0, T = 0;
    for (int c = 0; c < CONTACTS; c++) {
        N += path->r[2 * c];
        T += path->along * path->r[2 * c + 1];
    }
    assert_near(N, normal, 1e-5 * normal);
    assert_near(T, tangential, 1e-5 * normal);
}

static void assert_certified(StickContext *ctx, const Path *path, const StickFrictionProblem *problem)
{
    StickCertificate certificate;
    assert_ok(ctx, stick_certify(ctx, problem, path->r, 0, 1e-8, &certificate));
    assert_true(certificate.certified);
}

// How a path is followed, and the forces at the places of the table that it finds.
typedef struct Way {
    StickContext *ctx;
    const char *name;
    StickSolver *solver; // NULL: the friction that is regularised by
    StickSolverOptions options;
    double most;   // of an increment
    bool is_exact; // and statuses are those of the table
    double r[NSTATUSES][ROWS];
} Way;

static void solve_increment(Way *way, Path *path, double U_T)
{
    StickFrictionProblem problem = increment(path, U_T);
    StickSolveInfo info;
    if (way->solver)
        assert_ok(way->ctx, stick_solver_solve(way->solver, &problem, path->r, path->u, &info));
    else
        assert_ok(way->ctx,
                  stick_regularized_solve(way->ctx, &problem, &way->options, path->r, path->u, &info));
    if (info.end != STICK_SOLVE_CONVERGED)
        print_error("%s: U_T = %g: %s after %d, %s\n", way->name, U_T, stick_solve_end_name(info.end),
                    info.iterations, info.detail);
    assert_int_equal(info.end, STICK_SOLVE_CONVERGED);
    if (way->is_exact)
        assert_certified(way->ctx, path, &problem);
    end_increment(path);
}

static void assert_status(const Way *way, const Status *known, Status found)
{
    bool same = found.stick == known->stick && found.slip == known->slip && found.open == known->open;
    if (!same)
        print_error("%s: U_T = %g: %d/%d/%d, not %d/%d/%d\n", way->name, known->U_T, found.stick, found.slip,
                    found.open, known->stick, known->slip, known->open);
    assert_true(same);
}

// Increments of at most this size that end at the places of the table.
static void follow_path(Way *way, const Scene *scene)
{
    static Path path;
    double U_T = 0;
    begin_path(&path, scene);
    solve_increment(way, &path, 0);
    if (way->is_exact)
        assert_forces(&path, 5.70835, 0);
    for (int k = 0; k < NSTATUSES; k++) {
        double from = U_T, length = statuses[k].U_T - from;
        int count = (int)ceil(fabs(length) / way->most);
        for (int i = 1; i <= count; i++) {
            U_T = i == count ? statuses[k].U_T : from + length * i / count;
            solve_increment(way, &path, U_T);
        }
        if (way->is_exact)
            assert_status(way, &statuses[k], status_of(&path, U_T));
        memcpy(way->r[k], path.r, sizeof path.r);
    }
    if (way->is_exact)
        assert_forces(&path, 8.30168, -9.13184);
}

static void follow_by(Way *way, StickContext *ctx, const char *name, const Scene *scene)
{
    *way = (Way){.ctx = ctx, .name = name, .most = 0.01, .is_exact = true};
    way->options = stick_solver_options_default();
    way->options.tolerance = 1e-10;
    assert_ok(ctx, stick_solver_create(ctx, name, &way->options, &way->solver));
    follow_path(way, scene);
    stick_solver_destroy(way->solver);
}

// Of all forces at all places; the forces of a place add up to between 6 and 9 N/mm.
static double farthest(const Way *a, const Way *b)
{
    double most = 0;
    for (int k = 0; k < NSTATUSES; k++)
        for (int i = 0; i < ROWS; i++)
            most = fmax(most, fabs(a->r[k][i] - b->r[k][i]));
    return most;
}

static Way exact, other;

// The methods of [RBV02 1.3] and those compared with them give the same path.
static void statuses_and_forces_along_the_path(void **state)
{
    static const char *const solvers[] = {
        "ssor", "aitken", "augmented-lagrangian", "conjugate-gradient", "anderson", "newton", "auto"};
    Scene scene;
    open_block(&scene, *state);
    follow_by(&exact, *state, "lemke", &scene);
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        follow_by(&other, *state, solvers[k], &scene);
        assert_below(farthest(&other, &exact), 1e-6);
    }
    scene_close(&scene);
}

// Friction that is smoothed below a sliding speed e creeps where it should stick; the path goes to the exact one
// with e, order 1.
static void smoothed_friction_in_the_limit(void **state)
{
    Scene scene;
    double error[3];
    open_block(&scene, *state);
    follow_by(&exact, *state, "lemke", &scene);
    for (int k = 0; k < 3; k++) {
        other = (Way){.ctx = *state, .name = "regularised", .most = 0.1};
        other.options = stick_solver_options_default();
        other.options.tolerance = 1e-11;
        other.options.regularization = 1e-4 * pow(10, -k);
        follow_path(&other, &scene);
        error[k] = farthest(&other, &exact);
        if (k > 0)
            assert_near(log10(error[k - 1] / error[k]), 1, 0.01);
    }
    assert_below(error[2], 5e-5);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(statuses_and_forces_along_the_path),
        test_with_context(smoothed_friction_in_the_limit),
    };
    return cmocka_run_group_tests_name("polyurethane", tests, NULL, NULL);
}

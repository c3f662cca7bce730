// SPDX-License-Identifier: Apache-2.0
// Quasistatic steps: equilibrium along a path with friction, by increments and from event to event.
#include "stepping/event_driven.h"
#include "stepping/scene.h"

static void run_to_the_end(const Scene *scene)
{
    while (!stick_simulation_is_done(scene->run))
        scene_step(scene);
}

static void count(const StickSimulation *run, int number[3])
{
    number[0] = number[1] = number[2] = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        number[stick_simulation_status(run, c)]++;
}

static double sum(const StickSimulation *run, int k)
{
    double total = 0;
    for (int c = 0; c < run->contacts.ncontacts; c++)
        total += run->r[c * run->system->dim + k] * (k == 0 ? 1 : run->contacts.contact[c].frame[1][0]);
    return total;
}

// ---- the plate of the GRECO group (code_aster SSNV128)

static void open_plate(Scene *scene, StickContext *ctx, int rows, int increments)
{
    scene_open(scene, ctx,
               "materials: {steel: {young: 1.3e11, poisson: 0.2, density: 7800}}\n"
               "bodies: {plate: {mesh: {rectangle: {size: [0.04, 0.04], cells: [32, %d]}}, plane: strain, "
               "material: steel}}\n"
               "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: plate.right, displacement: [0, free]}, {on: plate.bottom-right, "
               "displacement: [0, 0]}]\n"
               "loads: [{on: plate.top, pressure: 5e7*t}, {on: plate.left, pressure: 15e7*t}]\n"
               "contacts: [{between: [plate.bottom, ground], friction: 1}]\n"
               "steps: [{quasistatic: {end: 1, increments: %d}}]\n",
               rows, increments);
}

// Displacements on the lower side at x = 0, 1.25, 5, 7.5, 11.25 mm from an independent code on the same meshes.
static void greco_plate(void **state)
{
    static const struct {
        int rows, stick, slip;
        double u[5];
    } meshes[] = {
        {10, 7, 22, {2.84594e-5, 2.70792e-5, 2.27403e-5, 1.97271e-5, 1.53642e-5}},
        {32, 8, 21, {2.85944e-5, 2.72168e-5, 2.28500e-5, 1.97963e-5, 1.54056e-5}},
    };
    static const int node[] = {0, 1, 4, 6, 9}, increments[] = {1, 5};
    for (int m = 0; m < 2; m++) {
        double first[5] = {0};
        for (int i = 0; i < 2; i++) {
            Scene scene;
            int number[3];
            open_plate(&scene, *state, meshes[m].rows, increments[i]);
            run_to_the_end(&scene);
            count(scene.run, number);
            assert_int_equal(number[STICK_STICKING], meshes[m].stick);
            assert_int_equal(number[STICK_SLIPPING], meshes[m].slip);
            for (int k = 0; k < 5; k++) {
                double u = scene.run->state.now.q[2 * node[k]];
                assert_near(u, meshes[m].u[k], 1e-5 * meshes[m].u[0]);
                if (i == 0)
                    first[k] = u;
                else
                    assert_near(u, first[k], 1e-8 * fabs(u));
            }
            if (m == 0) {
                assert_near(sum(scene.run, 0), 1.94755e6, 1e1);
                assert_near(sum(scene.run, 1), -1.41269e6, 1e1);
            }
            assert_true(scene.run->ledger.worst_closure < 1e-12);
            assert_true(scene.run->ledger.worst_equilibrium < 1e-11);
            scene_close(&scene);
        }
    }
}

// ---- the block of polyurethane [RBV02 sections 1.4 and 4.3]

#define BLOCK                                                                                               \
    "materials: {polyurethane: {young: 5, poisson: 0.48, density: 1.2e-9}}\n"                               \
    "bodies: {block: {mesh: {rectangle: {size: [80, 40], cells: [20, 10], pattern: crossed}},\n"            \
    "                 material: polyurethane, plane: stress}}\n"                                            \
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"-max(t - 1, 0)\", 0]}}\n" \
    "supports: [{on: block.top, displacement: [0, \"-0.5*min(t, 1)\"]}]\n"                                  \
    "contacts: [{between: [block.bottom, plate], friction: 1.1}]\n"

static void open_block(Scene *scene, StickContext *ctx, const char *solver, int increments,
                       const char *follow)
{
    scene_open(scene, ctx,
               BLOCK "steps: [{quasistatic: {end: 7.5, increments: %d, follow: %s}, solver: %s}]\n",
               increments, follow, solver);
}

// Rows of RBV02 table 3: place of the plate, numbers of nodes that stick, slip and are apart, and where that begins.
static const struct Row {
    double U_T;
    int stick, slip, apart;
    double begins;
} rows[] = {
    {-0.87, 20, 1, 0, -0.86080}, {-1.05, 19, 1, 1, -1.03589}, {-1.20, 18, 1, 2, -1.19514},
    {-1.35, 17, 2, 2, -1.31878}, {-1.45, 16, 2, 3, -1.43867}, {-1.65, 14, 4, 3, -1.62158},
    {-1.75, 12, 6, 3, -1.72412}, {-1.78, 10, 8, 3, -1.77286}, {-1.82, 7, 11, 3, -1.80966},
    {-2.00, 4, 14, 3, -1.96282}, {-2.20, 3, 15, 3, -2.12123}, {-2.45, 2, 16, 3, -2.41312},
    {-2.71, 2, 16, 3, -2.41312}, {-2.75, 2, 15, 4, -2.72277}, {-3.40, 1, 16, 4, -3.34685},
    {-6.20, 0, 17, 4, -6.16902},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_row(const struct Row *row, const int number[3])
{
    return number[STICK_STICKING] == row->stick && number[STICK_SLIPPING] == row->slip &&
           number[STICK_APART] == row->apart;
}

// Increments of 0.01 mm end at all places of the table.
static int rows_by(StickContext *ctx, const char *solver, StickStatus *status)
{
    Scene scene;
    int found = 0, next = 0, number[3];
    open_block(&scene, ctx, solver, 750, "increments");
    while (!stick_simulation_is_done(scene.run) && (*status = stick_simulation_step(scene.run)) == STICK_OK) {
        double U_T = 1 - scene.run->state.now.t;
        if (fabs(U_T) < 1e-9)
            assert_near(sum(scene.run, 0), 5.70835, 1e-5);
        if (next == ROWS || fabs(U_T - rows[next].U_T) > 1e-9)
            continue;
        count(scene.run, number);
        found += is_row(&rows[next++], number);
    }
    if (*status == STICK_OK) {
        assert_near(sum(scene.run, 0), 8.30168, 1e-5);
        assert_near(sum(scene.run, 1), -9.13184, 1e-5);
        assert_true(scene.run->record.cuts == 0);
        assert_true(scene.run->ledger.worst_closure < 1e-12);
    }
    scene_close(&scene);
    return found;
}

static void polyurethane_by_increments(void **state)
{
    static const char *const solvers[] = {
        "auto", "lemke", "ssor", "augmented-lagrangian", "aitken", "conjugate-gradient"};
    StickStatus status;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        assert_int_equal(rows_by(*state, solvers[k], &status), ROWS);
        assert_int_equal(status, STICK_OK);
    }
    // sweeps that cycle beyond U_T = -2.41 are no answer: the run ends there and says so
    assert_int_equal(rows_by(*state, "gauss-seidel", &status), 11);
    assert_int_equal(status, STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "not even an increment of"));
}

// Every status of the table begins where it should, and each event is a certified state.
static void polyurethane_from_event_to_event(void **state)
{
    Scene scene;
    int number[3], found = 0, states = 0;
    bool seen[ROWS] = {false}, omitted = false;
    open_block(&scene, *state, "auto", 15, "events");
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        states++;
        count(scene.run, number);
        double U_T = 1 - scene.run->state.now.t;
        for (int k = 0; k < ROWS; k++) {
            if (seen[k] || !is_row(&rows[k], number))
                continue;
            assert_near(U_T, rows[k].begins, 1e-5);
            seen[k] = true;
            found++;
        }
        omitted |= is_row(&(struct Row){0, 17, 1, 3, 0}, number);
    }
    assert_int_equal(found, ROWS);
    assert_true(omitted);
    assert_int_equal(states, 15 + 25);
    assert_true(scene.run->record.events == 21 + 25); // all nodes close at the start
    assert_true(scene.run->record.worst_scale_free < 1e-12);
    assert_near(sum(scene.run, 0), 8.30168, 1e-5);
    assert_near(sum(scene.run, 1), -9.13184, 1e-5);
    // exact along the path: what is done by prescribed motions is stored or dissipated by friction
    assert_true(fabs(scene.run->ledger.algorithmic) < 1e-11);
    assert_true(scene.run->ledger.worst_closure < 1e-12);
    scene_close(&scene);
}

// A slice of the path that is walked again after a checkpoint has the same bits.
static void a_walk_goes_on_from_its_middle(void **state)
{
    Scene whole, again;
    open_block(&whole, *state, "auto", 15, "events");
    open_block(&again, *state, "auto", 15, "events");
    for (int k = 0; k < 20; k++)
        scene_step(&whole);
    size_t n = (size_t)whole.run->state.n * sizeof(double), slots = (size_t)whole.run->state.memory.count;
    assert_true(whole.run->advance.taken > 1);
    memcpy(again.run->state.now.q, whole.run->state.now.q, n);
    memcpy(again.run->state.now.contact_N, whole.run->state.now.contact_N, n);
    memcpy(again.run->state.now.contact_T, whole.run->state.now.contact_T, n);
    memcpy(again.run->state.memory.r, whole.run->state.memory.r, 2 * slots * sizeof(double));
    memcpy(again.run->state.memory.known, whole.run->state.memory.known, slots * sizeof(double));
    memcpy(stick_event_driven_start_q(again.run->walk), stick_event_driven_start_q(whole.run->walk), n);
    memcpy(stick_event_driven_start_r(again.run->walk), stick_event_driven_start_r(whole.run->walk),
           2 * slots * sizeof(double));
    memcpy(stick_event_driven_statuses(again.run->walk), stick_event_driven_statuses(whole.run->walk),
           slots * sizeof(double));
    again.run->advance = whole.run->advance;
    again.run->state.now.t = whole.run->state.now.t;
    assert_ok(*state, stick_simulation_refresh(again.run));
    for (int k = 0; k < 5; k++) {
        scene_step(&whole);
        scene_step(&again);
        assert_true(again.run->state.now.t == whole.run->state.now.t);
        assert_memory_equal(again.run->state.now.q, whole.run->state.now.q, n);
    }
    scene_close(&whole);
    scene_close(&again);
}

static void events_need_what_they_need(void **state)
{
    static const struct {
        const char *friction, *obstacle, *support, *says;
    } models[] = {
        {"\"0.1 + 0.1*v\"", "plane: {point: [0, 0], normal: [0, 1]}", "[0, -0.01*t]",
         "friction is not constant"},
        {"0.1", "circle: {centre: [0.5, -1], radius: 1}", "[0, -0.01*t]", "other things than planes"},
        {"0.1", "plane: {point: [0, 0], normal: [0, 1]}", "[0, -0.01*t^2]", "do not vary linearly"},
        {"0.1", "plane: {point: [0, 0], normal: [0, 1]}", "[0, -0.01 - 0.01*t]",
         "not where they are prescribed"},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        Scene scene;
        char text[2048];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                 "bodies: {block: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}}\n"
                 "obstacles: {ground: {%s}}\n"
                 "supports: [{on: block.top, displacement: %s}]\n"
                 "contacts: [{between: [block.bottom, ground], friction: %s}]\n"
                 "steps: [{quasistatic: {end: 1, increments: 2, follow: events}}]\n",
                 models[k].obstacle, models[k].support, models[k].friction);
        StickStatus status = scene_try(&scene, *state, text);
        if (status == STICK_OK)
            status = stick_simulation_step(scene.run);
        assert_int_equal(status, STICK_BAD_INPUT);
        if (!strstr(stick_last_error(*state), models[k].says))
            print_error("%s\n", stick_last_error(*state));
        assert_non_null(strstr(stick_last_error(*state), models[k].says));
        scene_close(&scene);
    }
}

// A kink of the load within an increment is found by halving.
static void events_around_a_kink(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {soft: {young: 1e6, poisson: 0, density: 1000}}\n"
               "bodies: {bar: {mesh: {bar: {length: 1, elements: 4, origin: [0.001]}}, material: soft}}\n"
               "obstacles: {wall: {plane: {point: [0], normal: [1]}}}\n"
               "supports: [{on: bar.end, displacement: [\"-0.002*min(t, 0.7)\"]}]\n"
               "contacts: [{between: [bar.start, wall]}]\n"
               "steps: [{quasistatic: {end: 1, increments: 1, follow: events}}]\n");
    bool closed_in_time = false;
    while (!stick_simulation_is_done(scene.run)) {
        const StickPathEvent *event;
        scene_step(&scene);
        for (int k = 0; k < stick_event_driven_events(scene.run->walk, &event); k++) {
            assert_near(event[k].t, 0.5, 1e-12);
            closed_in_time = true;
        }
    }
    assert_true(closed_in_time);
    assert_near(sum(scene.run, 0), 400, 1e-8); // E u/L with 0.4 mm
    scene_close(&scene);
}

// A pulse of the load between the quarters of an increment is not walked past: 0.5 of friction is left of it.
static void events_see_a_pulse(void **state)
{
    Scene scene;
    scene_open(&scene, *state,
               "materials: {spring: {young: 4/3, density: 3e-4}}\n"
               "bodies: {mass: {mesh: {rectangle: {size: [100, 100], cells: [1, 1], pattern: triangles}}, "
               "plane: stress, material: spring, mass: lumped}}\n"
               "obstacles: {belt: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
               "supports: [{on: mass.top, displacement: [0, 0]}, {on: mass.right, displacement: [0, 0]}]\n"
               "loads: [{on: mass.bottom-left, force: [\"40*max(0, 0.05 - abs(t - 0.375))\", -t]}]\n"
               "contacts: [{between: [mass.bottom-left, belt], friction: 0.5}]\n"
               "steps: [{quasistatic: {end: 1, increments: 1, follow: events}}]\n");
    double most = 0;
    while (!stick_simulation_is_done(scene.run)) {
        scene_step(&scene);
        most = fmax(most, scene.run->state.now.q[scene_dof(&scene, 0, "bottom-left", 0)]);
    }
    assert_near(most, 2 - 0.5 * 0.375, 1e-9); // k = 1
    scene_close(&scene);
}

// ---- closed forms

// A bar pressed on a wall through a gap: F = E A (d - gap)/L, whatever the increments.
static void bar_closes_a_gap(void **state)
{
    for (int increments = 1; increments <= 4; increments++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0, density: 1000}}\n"
                   "bodies: {bar: {mesh: {bar: {length: 1, elements: 3, origin: [0.001]}}, material: soft}}\n"
                   "obstacles: {wall: {plane: {point: [0], normal: [1]}, velocity: [0.001]}}\n"
                   "supports: [{on: bar.end, velocity: [\"-0.004*t\"]}]\n"
                   "contacts: [{between: [bar.start, wall]}]\n"
                   "steps: [{quasistatic: {end: 1, increments: %d}}]\n",
                   increments);
        run_to_the_end(&scene);
        // the wall has come by 1 mm, the end by 2 mm
        assert_near(sum(scene.run, 0), 2000, 1e-7);
        assert_near(scene.run->state.now.v[3], increments == 1 ? -0.002 : -0.004 + 0.002 / increments, 1e-12);
        assert_true(scene.run->ledger.worst_closure < 1e-10);
        scene_close(&scene);
    }
}

// Friction taken so far when a time is reached.
static double friction_until(const Scene *scene, double t)
{
    while (scene->run->state.now.t < t - 1e-12)
        scene_step(scene);
    return scene->run->ledger.friction;
}

// Only the crown of a round body touches, and normal and tangential forces do not couple there by symmetry: a spring of
// stiffness k with a slider of limit mu N (Jenkins). In a cycle of amplitude A the loop takes 4 mu N (A - mu N/k).
static void hysteresis_loop(void **state)
{
    static const struct {
        const char *follow;
        int increments;
        double tolerance;
    } ways[] = {{"events", 8, 1e-10}, {"increments", 800, 1e-4}};
    for (int w = 0; w < 2; w++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {crown: {mesh: {rounded-plate: {size: [1, 1], radius: 0.6, cells: [2, 2]}}, "
                   "material: soft}}\n"
                   "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"0.03*(t < "
                   "1 and 0\n"
                   "  or t < 2 and t - 1 or t < 4 and 3 - t or t < 6 and t - 5 or 7 - t)\", 0]}}\n"
                   "supports: [{on: crown.top, displacement: [0, \"-0.01*min(t, 1)\"]}]\n"
                   "contacts: [{between: [crown.round, ground], friction: 0.5}]\n"
                   "steps: [{quasistatic: {end: 8, increments: %d, follow: %s}}]\n",
                   ways[w].increments, ways[w].follow);
        friction_until(&scene, 1);
        int crown = -1;
        for (int c = 0; c < scene.run->contacts.ncontacts; c++)
            if (scene.run->r[2 * c] > 0)
                crown = c;
        const StickBlocks *W = scene.run->W;
        int block = W->start[crown];
        while (W->col[block] != crown)
            block++;
        double N = scene.run->r[2 * crown], k = 1 / W->value[4 * block + 3], limit = 0.5 * N;
        assert_near(W->value[4 * block + 1], 0, 1e-12 / k);
        assert_true(limit / k < 0.03);
        double before = friction_until(&scene, 4), taken = friction_until(&scene, 8) - before;
        double expected = 4 * limit * (0.03 - limit / k);
        assert_near(taken, expected, ways[w].tolerance * expected);
        assert_near(scene.run->r[2 * crown], N, 1e-9 * N);
        assert_near(fabs(sum(scene.run, 1)), limit, 1e-9 * N);
        if (w == 0)
            assert_true(scene.run->record.events == 1 + 1 + 2 * 3); // closes, slips; sticks and slips in turn
        scene_close(&scene);
    }
}

// A slender strut that leans on a rough plane is jammed: when its top is lifted the foot comes to the limit of friction, from
// where it cannot slide slowly (mu above cot of its angle). The path ends there by a jump.
static void strut_jumps(void **state)
{
    Scene scene;
    StickStatus status = STICK_OK;
    scene_open(&scene, *state,
               "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
               "bodies: {strut: {mesh: {rectangle: {size: [0.1, 1], cells: [2, 20]}}, material: soft, "
               "rotation: pi/6}}\n"
               "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]},\n"
               "                     displacement: [\"-0.002*min(max(t - 1, 0), 1)\", 0]}}\n"
               "supports: [{on: strut.top, displacement: [0, \"-0.001*min(t, 1) + 0.01*max(t - 2, 0)\"]}]\n"
               "contacts: [{between: [strut.bottom-left, ground], friction: 4}]\n"
               "steps: [{quasistatic: {end: 3, increments: 6, follow: events}}]\n");
    while (status == STICK_OK && !stick_simulation_is_done(scene.run))
        status = stick_simulation_step(scene.run);
    assert_int_equal(status, STICK_NOT_SOLVED);
    assert_non_null(strstr(stick_last_error(*state), "ends by a jump at node 1 of body 'strut'"));
    // the last state is the one at the jump: on the cone
    assert_near(scene.run->state.now.t, 2.195276, 1e-6);
    double N = sum(scene.run, 0), T = sum(scene.run, 1);
    assert_true(N > 0);
    assert_near(fabs(T), 4 * N, 1e-9 * N);
    scene_close(&scene);
}

// ---- curved and deformable antagonists

// A block is pressed on a circle: the gaps at the end of each increment are those of the turned frames.
static void block_on_a_circle(void **state)
{
    double force[2];
    for (int k = 0; k < 2; k++) {
        Scene scene;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {block: {mesh: {rectangle: {size: [1, 0.5], cells: [20, 10], origin: [-0.52, "
                   "0]}}, material: soft}}\n"
                   "obstacles: {drum: {circle: {centre: [0, -1], radius: 1}, displacement: [0.01*t, 0]}}\n"
                   "supports: [{on: block.top, displacement: [0, -0.02*t]}]\n"
                   "contacts: [{between: [block.bottom, drum], friction: 0.3}]\n"
                   "steps: [{quasistatic: {end: 1, increments: %d}}]\n",
                   k == 0 ? 8 : 16);
        run_to_the_end(&scene);
        force[k] = sum(scene.run, 0);
        assert_true(scene.run->record.passes > 0);
        int touching = 0;
        for (int c = 0; c < scene.run->contacts.ncontacts; c++) {
            const StickContact *contact = &scene.run->contacts.contact[c];
            const double *X = &scene.system->body[0].mesh.x[2 * contact->feature];
            const double *q = &scene.run->state.now.q[2 * contact->feature];
            double distance = hypot(X[0] + q[0] - 0.01, X[1] + q[1] + 1) - 1;
            touching += scene.run->r[2 * c] > 0;
            if (scene.run->r[2 * c] > 0)
                assert_near(distance, 0, 1e-9);
            else
                assert_true(distance > -1e-9);
        }
        assert_true(touching > 4);
        assert_true(scene.run->ledger.worst_closure < 1e-11);
        scene_close(&scene);
    }
    assert_near(force[0], force[1], 0.01 * force[1]);
}

// In space the cone is round: pushed along x or along y a cube does the same.
static void cube_is_pushed(void **state)
{
    double force[2], slipping[2];
    for (int axis = 0; axis < 2; axis++) {
        Scene scene;
        int number[3];
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {cube: {mesh: {box: {size: [1, 1, 1], cells: [4, 4, 2]}}, material: soft}}\n"
                   "obstacles: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                   "supports: [{on: cube.top, displacement: [%s, %s, \"-0.01*min(t, 1)\"]}]\n"
                   "contacts: [{between: [cube.bottom, ground], friction: 0.4}]\n"
                   "steps: [{quasistatic: {end: 2, increments: 6}}]\n",
                   axis == 0 ? "\"0.006*max(t - 1, 0)\"" : "0", axis == 1 ? "\"0.006*max(t - 1, 0)\"" : "0");
        run_to_the_end(&scene);
        count(scene.run, number);
        slipping[axis] = number[STICK_SLIPPING];
        force[axis] = 0;
        for (int c = 0; c < scene.run->contacts.ncontacts; c++)
            for (int k = 1; k < 3; k++)
                force[axis] += scene.run->r[3 * c + k] * scene.run->contacts.contact[c].frame[k][axis];
        assert_true(scene.run->ledger.worst_closure < 1e-11);
        scene_close(&scene);
    }
    assert_true(slipping[0] > 0 && slipping[0] == slipping[1]);
    assert_near(force[0], force[1], 1e-7 * fabs(force[1]));
    assert_true(force[0] < 0);
}

// ---- a sequence of steps, and what is refused

// What was pressed by increments stays in equilibrium in time.
static void dynamics_goes_on_from_equilibrium(void **state)
{
    static const char *const schemes[] = {"theta", "theta-euler", "modified-theta", "newmark"};
    for (size_t k = 0; k < 4; k++) {
        Scene scene;
        StickSimulation *second;
        scene_open(&scene, *state,
                   "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                   "bodies: {block: {mesh: {rectangle: {size: [1, 0.5], cells: [4, 2]}}, material: soft}}\n"
                   "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                   "supports: [{on: block.top, displacement: [\"0.002*min(t, 1)\", \"-0.01*min(t, 1)\"]}]\n"
                   "gravity: [0, -9.81]\n"
                   "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"
                   "steps: [{quasistatic: {end: 1, increments: 4}},\n"
                   "        {dynamics: {scheme: %s, step: 0.01, end: 1.5}}]\n",
                   schemes[k]);
        run_to_the_end(&scene);
        assert_ok(*state, stick_simulation_create(*state, scene.system, &scene.model->step[1], &second));
        assert_ok(*state, stick_simulation_start(second, scene.run));
        double force = scene_force(&scene), energy = second->ledger.elastic;
        assert_true(second->ledger.kinetic == 0);
        for (int n = 0; n < 20; n++)
            assert_ok(*state, stick_simulation_step(second));
        assert_true(stick_simulation_largest(second->state.now.v, second->state.n) < 1e-9);
        Scene after = scene;
        after.run = second;
        assert_near(scene_force(&after), force, 1e-8 * force);
        assert_near(second->ledger.elastic, energy, 1e-9 * energy);
        assert_true(second->ledger.worst_closure < 1e-11);
        stick_simulation_destroy(second);
        scene_close(&scene);
    }
}

// The supports go on with the speed that is prescribed, and their work pays for it.
static void supports_set_bodies_off(void **state)
{
    Scene scene;
    StickSimulation *second;
    scene_open(
        &scene, *state,
        "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
        "bodies: {block: {mesh: {rectangle: {size: [1, 0.5], cells: [4, 2]}}, material: soft}}\n"
        "supports: [{on: block.top, displacement: [0.1*t, 0]}]\n"
        "steps: [{quasistatic: {end: 1, increments: 4}}, {dynamics: {theta: 0.5, step: 0.01, end: 1.5}}]\n");
    run_to_the_end(&scene);
    assert_ok(*state, stick_simulation_create(*state, scene.system, &scene.model->step[1], &second));
    assert_ok(*state, stick_simulation_start(second, scene.run));
    assert_true(second->ledger.kinetic > 0);
    while (!stick_simulation_is_done(second))
        assert_ok(*state, stick_simulation_step(second));
    const StickLedger *ledger = &second->ledger;
    assert_near(ledger->kinetic + ledger->elastic - ledger->initial,
                ledger->supports + ledger->external - ledger->algorithmic, 1e-10 * ledger->scale);
    assert_true(ledger->worst_closure < 1e-11);
    stick_simulation_destroy(second);
    scene_close(&scene);
}

static const char loose_model[] =
    "stickslip: 1\n"
    "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
    "bodies:\n"
    "  held: {mesh: {rectangle: {size: [1, 1], cells: [2, 2], origin: [0, -1]}}, material: soft}\n"
    "  loose: {mesh: {rectangle: {size: [1, 1], cells: [2, 2]}}, material: soft}\n"
    "supports: [{on: held.bottom, displacement: [0, 0]}, {on: loose.%s, displacement: [%s]}]\n"
    "contacts: [{between: [loose.bottom, held.top], friction: 0.3}]\n"
    "steps: [{quasistatic: {end: 1}}]\n";

// A body that could move or turn as a whole is named; a support against each of it is enough.
static void loose_bodies_are_named(void **state)
{
    static const struct {
        const char *group, *held;
        bool is_loose;
    } bodies[] = {
        {"top", "free, 0", true}, {"left", "free, 0", true}, {"top-left", "0, 0", true},
        {"top", "0, free", true}, {"left", "0, free", true}, {"top", "0, 0", false},
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        Scene scene;
        char text[1024];
        snprintf(text, sizeof text, loose_model, bodies[k].group, bodies[k].held);
        StickStatus status = scene_try(&scene, *state, text);
        assert_int_equal(status, bodies[k].is_loose ? STICK_BAD_INPUT : STICK_OK);
        if (bodies[k].is_loose)
            assert_non_null(strstr(stick_last_error(*state), "body 'loose' is not held by its supports"));
        scene_close(&scene);
    }
}

// A solver that is given too few pivots for a whole increment gets smaller ones.
static void increments_are_cut(void **state)
{
    Scene scene, exact;
    StickSimulation *drag;
    int number[3];
    open_block(&exact, *state, "auto", 15, "events");
    while (exact.run->state.now.t < 2.5 - 1e-9)
        scene_step(&exact);
    scene_open(&scene, *state,
               BLOCK
               "steps: [{quasistatic: {end: 1, increments: 1}},\n"
               "        {quasistatic: {end: 7, increments: 2}, solver: {name: lemke, iterations: 10}}]\n");
    run_to_the_end(&scene);
    assert_ok(*state, stick_simulation_create(*state, scene.system, &scene.model->step[1], &drag));
    assert_ok(*state, stick_simulation_start(drag, scene.run));
    while (drag->state.now.t < 2.5 - 1e-9)
        assert_ok(*state, stick_simulation_step(drag));
    assert_true(drag->record.cuts > 0);
    assert_near(drag->state.now.t, 2.5, 1e-12);
    count(drag, number);
    assert_true(is_row(&(struct Row){0, 16, 2, 3, 0}, number)); // between -1.439 and -1.542
    assert_near(sum(drag, 0), sum(exact.run, 0), 1e-2);
    assert_true(drag->ledger.worst_closure < 1e-11);
    print_message("%g cuts, %ld parts\n", drag->record.cuts, drag->state.step);
    stick_simulation_destroy(drag);
    scene_close(&scene);
    scene_close(&exact);
}

static StickStatus build_and_step(StickContext *ctx, void *text)
{
    Scene scene;
    STICK_TRY(scene_try(&scene, ctx, text));
    StickStatus status = stick_simulation_step(scene.run);
    scene_close(&scene);
    return status;
}

static void every_allocation_fails_once(void **state)
{
    static const char *const ways[] = {"{end: 1, increments: 1}", "{end: 1, increments: 1, follow: events}"};
    static const char *const loads[] = {"[{on: block.right, traction: [0, -1000*t]}]",
                                        "[{on: block.right, traction: [0, -1000*t]}]",
                                        "[{on: block.right, hold: [~, -100*t]}]"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "stickslip: 1\n"
                 "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
                 "bodies: {block: {mesh: {rectangle: {size: [1, 0.5], cells: [2, 1]}}, material: soft}}\n"
                 "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                 "supports: [{on: block.left, displacement: [0, 0]}]\n"
                 "loads: %s\n"
                 "contacts: [{between: [block.bottom, ground], friction: 0.3}]\n"
                 "steps: [{quasistatic: %s, solver: lemke}]\n",
                 loads[k], ways[k == 1]);
        assert_survives_failing_memory(build_and_step, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(greco_plate),
        test_with_context(polyurethane_by_increments),
        test_with_context(polyurethane_from_event_to_event),
        test_with_context(a_walk_goes_on_from_its_middle),
        test_with_context(events_need_what_they_need),
        test_with_context(events_around_a_kink),
        test_with_context(events_see_a_pulse),
        test_with_context(bar_closes_a_gap),
        test_with_context(hysteresis_loop),
        test_with_context(strut_jumps),
        test_with_context(block_on_a_circle),
        test_with_context(cube_is_pushed),
        test_with_context(dynamics_goes_on_from_equilibrium),
        test_with_context(supports_set_bodies_off),
        test_with_context(loose_bodies_are_named),
        test_with_context(increments_are_cut),
        test_with_context(every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("quasistatic", tests, NULL, NULL);
}

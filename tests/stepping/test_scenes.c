// SPDX-License-Identifier: Apache-2.0
// Small random scenes of rigid bodies whose outcome is known in closed form: rest, sliding, rolling, held, pushed, thrown, tipping.
// Each is drawn in a frame of its own (tangent, lateral, normal) and then given in other units, rotated, mirrored, with
// bodies in another order, another tolerance, solver and number of threads: none of these may change the outcome.
// No certified outcome may be wrong, at most 1 % may end without a certificate, and none in any other way.
//
// STICKSLIP_TEST_SCENES=N: number of scenes; STICKSLIP_TEST_SEED=K: the first one, STICKSLIP_TEST_SHOW=1: prints the
// model of every scene that is not right.
#include "check.h"
#include "stepping/simulation.h"

enum { MOST_BODIES = 10, TEXT = 65536, LINKS = 40, ROWS = 8, ROW = 9 };

// A scene of its own, far away from the one whose outcome is known.
typedef enum Distant { NOTHING, HITS, TOWER, IDLE, CHAIN, DISTANT_SCENES } Distant;

typedef struct World {
    uint64_t random;
    int dim;
    double length, mass, time; // units of the canonical frame in those of the model
    double R[3][3], turn[3];   // rotation of the canonical frame, as a matrix and as axis times angle
    bool is_mirrored;
    int nbodies;
    char body[MOST_BODIES][2048];
    char rest[4096]; // of the model
    char order[MOST_BODIES];
    double tolerance;
    const char *solver;
    int threads;
    Distant distant;
    double h; // time step, without units
    // after the run
    StickContext *ctx;
    StickModel *model;
    StickSystem *system;
    StickSimulation *run;
    StickStatus status;
    char why[512];
    char text[TEXT];
} World;

// Solvers other than the default one may return another motion where the laws admit several, if the run reports it: where
// pressure may be shifted along faces that only friction holds, and not often.
typedef enum Outcome { RIGHT, WRONG, REPORTED, NOT_CERTIFIED, OUTCOMES } Outcome;

// ---- random numbers: splitmix64

static uint64_t draw_bits(World *world)
{
    uint64_t z = (world->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double draw(World *world, double from, double to)
{
    return from + (to - from) * (double)(draw_bits(world) >> 11) * 0x1p-53;
}

static double draw_log(World *world, double from, double to)
{
    return exp(draw(world, log(from), log(to)));
}

static int draw_int(World *world, int count)
{
    return (int)(draw_bits(world) % (uint64_t)count);
}

// ---- the canonical frame in the model

// Rotation by Rodrigues' formula about a random axis; in the plane about the one across it.
static void draw_rotation(World *world)
{
    double axis[3] = {0, 0, 1}, angle = draw_int(world, 3) ? draw(world, -3.1, 3.1) : 0, norm = 0;
    for (int k = 0; k < 3 && world->dim == 3; k++)
        axis[k] = draw(world, -1, 1);
    for (int k = 0; k < 3; k++)
        norm += axis[k] * axis[k];
    for (int k = 0; k < 3; k++) {
        axis[k] /= sqrt(norm);
        world->turn[k] = axis[k] * angle;
    }
    double c = cos(angle), s = sin(angle);
    double cross[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            world->R[i][j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j] + s * cross[i][j];
}

static World *world_create(StickContext *ctx, uint64_t seed)
{
    static const char *const solvers[] = {"newton", "anderson", "interior-point", "admm",
                                          "augmented-lagrangian"};
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->ctx = ctx;
    world->random = seed * 0x2545f4914f6cdd1du;
    world->dim = 2 + draw_int(world, 2);
    world->length = draw_int(world, 2) ? draw_log(world, 1e-3, 1e3) : 1;
    world->mass = draw_int(world, 2) ? draw_log(world, 1e-3, 1e3) : 1;
    world->time = draw_int(world, 2) ? draw_log(world, 1e-3, 1e3) : 1;
    world->is_mirrored = draw_int(world, 2);
    draw_rotation(world);
    world->tolerance = draw_int(world, 2) ? 1e-8 : draw_log(world, 1e-10, 1e-6);
    world->solver = draw_int(world, 5) ? "auto" : solvers[draw_int(world, 5)];
    world->threads = 1 + draw_int(world, 2);
    for (int k = 0; k < MOST_BODIES; k++)
        world->order[k] = (char)k;
    return world;
}

// Vector (tangent, lateral, normal) of the canonical frame in the model, without units.
static void to_model(const World *world, const double v[3], double x[3])
{
    double t = world->is_mirrored ? -v[0] : v[0];
    double plane[3] = {t, v[2], 0}, space[3] = {t, v[1], v[2]};
    const double *from = world->dim == 2 ? plane : space;
    for (int i = 0; i < 3; i++)
        x[i] = world->R[i][0] * from[0] + world->R[i][1] * from[1] + world->R[i][2] * from[2];
}

static void from_model(const World *world, const double x[3], double v[3])
{
    double back[3];
    for (int j = 0; j < 3; j++)
        back[j] =
            world->R[0][j] * x[0] + world->R[1][j] * x[1] + (world->dim == 3 ? world->R[2][j] * x[2] : 0);
    v[0] = world->is_mirrored ? -back[0] : back[0];
    v[1] = world->dim == 3 ? back[1] : 0;
    v[2] = world->dim == 3 ? back[2] : back[1];
}

// The vector as a list of the model file, in a buffer that is used again after eight calls.
static const char *list(const World *world, double t, double l, double n, double unit)
{
    static char buffer[8][128];
    static int next;
    char *text = buffer[next = (next + 1) % 8];
    double x[3];
    to_model(world, (double[3]){t, l, n}, x);
    if (world->dim == 2)
        snprintf(text, 128, "[%.17g, %.17g]", x[0] * unit, x[1] * unit);
    else
        snprintf(text, 128, "[%.17g, %.17g, %.17g]", x[0] * unit, x[1] * unit, x[2] * unit);
    return text;
}

static double speed_unit(const World *world)
{
    return world->length / world->time;
}

static double force_unit(const World *world)
{
    return world->mass * world->length / (world->time * world->time);
}

static void add(World *world, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(World *world, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(world->rest);
    va_start(arguments, format);
    vsnprintf(world->rest + used, sizeof world->rest - used, format, arguments);
    va_end(arguments);
}

typedef struct Box {
    double size[3];     // along tangent, lateral, normal
    double position[3]; // of its centre
    double velocity[3];
    double mass;
    double radius; // of a disk or sphere instead of a box
} Box;

static int add_body(World *world, const Box *box)
{
    const double L = world->length, *p = box->position, *v = box->velocity, *s = box->size;
    char shape[1024], turn[128];
    int kind = box->radius > 0 ? 0 : draw_int(world, 3);
    double a = 0.5 * s[0] * L, b = 0.5 * s[1] * L, c = 0.5 * s[2] * L;
    if (box->radius > 0)
        snprintf(shape, sizeof shape, "%s: %.17g", world->dim == 2 ? "disk" : "sphere", box->radius * L);
    else if (world->dim == 2 && kind == 0)
        snprintf(shape, sizeof shape, "box: [%.17g, %.17g]", 2 * a, 2 * c);
    else if (world->dim == 2 && kind == 1)
        snprintf(shape, sizeof shape,
                 "polygon: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]]", -a, -c, a, -c,
                 a, c, -a, c);
    else if (world->dim == 2)
        snprintf(shape, sizeof shape,
                 "compound: [{box: [%.17g, %.17g], position: [%.17g, 0]}, {box: [%.17g, %.17g], position: "
                 "[%.17g, 0]}]",
                 a, 2 * c, -0.5 * a, a, 2 * c, 0.5 * a);
    else if (kind == 0)
        snprintf(shape, sizeof shape, "box: [%.17g, %.17g, %.17g]", 2 * a, 2 * b, 2 * c);
    else if (kind == 1)
        snprintf(
            shape, sizeof shape,
            "hull: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, "
            "%.17g], "
            "[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]",
            -a, -b, -c, a, -b, -c, -a, b, -c, a, b, -c, -a, -b, c, a, -b, c, -a, b, c, a, b, c);
    else
        snprintf(shape, sizeof shape,
                 "compound: [{box: [%.17g, %.17g, %.17g], position: [%.17g, 0, 0]}, {box: [%.17g, %.17g, "
                 "%.17g], position: "
                 "[%.17g, 0, 0]}]",
                 a, 2 * b, 2 * c, -0.5 * a, a, 2 * b, 2 * c, 0.5 * a);
    if (world->dim == 2)
        snprintf(turn, sizeof turn, "%.17g", world->turn[2]);
    else
        snprintf(turn, sizeof turn, "[%.17g, %.17g, %.17g]", world->turn[0], world->turn[1], world->turn[2]);
    int at = world->nbodies++;
    snprintf(world->body[at], sizeof world->body[at],
             "  b%d: {rigid: {%s, mass: %.17g}, position: %s, rotation: %s, velocity: %s}\n", at, shape,
             box->mass * world->mass, list(world, p[0], p[1], p[2], L), turn,
             list(world, v[0], v[1], v[2], speed_unit(world)));
    return at;
}

// The plane whose normal is +normal through a point of the normal axis.
static void add_plane(World *world, const char *name, double height, double sign)
{
    add(world, "  %s: {plane: {point: %s, normal: %s}}\n", name, list(world, 0, 0, height, world->length),
        list(world, 0, 0, sign, 1));
}

static void add_gravity(World *world, double t, double n)
{
    add(world, "gravity: %s\n", list(world, t, 0, n, world->length / (world->time * world->time)));
}

static void add_force(World *world, int body, double t, double n)
{
    add(world, "  - {on: b%d, force: %s}\n", body, list(world, t, 0, n, force_unit(world)));
}

static void add_steps(World *world, double h, double end)
{
    // an end that is a whole number of steps
    double step = h * world->time;
    world->h = h;
    add(world,
        "steps: [{dynamics: {scheme: moreau, step: %.17g, end: %.17g}, solver: {name: %s, tolerance: "
        "%.17g}}]\n",
        step, step * round(end / h), world->solver, world->tolerance);
}

// ---- a distant scene

typedef struct Text {
    size_t used, room;
    char *bytes;
} Text;

static void print(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->bytes + text->used, text->room - text->used, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < text->room - text->used);
    text->used += (size_t)length;
}

// Body number k of the distant scene: a box, or a ball, that moves along the normal or the tangent.
static void print_distant(const World *world, Text *text, int k, const double size[2], bool is_ball,
                          const double place[2], const double speed[2], double mass)
{
    enum { AWAY = 300 };
    const double L = world->length;
    char turn[128], shape[128];
    if (world->dim == 2)
        snprintf(turn, sizeof turn, "%.17g", world->turn[2]);
    else
        snprintf(turn, sizeof turn, "[%.17g, %.17g, %.17g]", world->turn[0], world->turn[1], world->turn[2]);
    if (is_ball)
        snprintf(shape, sizeof shape, "%s: %.17g", world->dim == 2 ? "disk" : "sphere", 0.5 * size[0] * L);
    else if (world->dim == 2)
        snprintf(shape, sizeof shape, "box: [%.17g, %.17g]", size[0] * L, size[1] * L);
    else
        snprintf(shape, sizeof shape, "box: [%.17g, %.17g, %.17g]", size[0] * L, size[0] * L, size[1] * L);
    print(text, "  far%d: {rigid: {%s, mass: %.17g}, position: %s, rotation: %s, velocity: %s}\n", k, shape,
          mass * world->mass, list(world, AWAY + place[0], 0, AWAY + place[1], L), turn,
          list(world, speed[0], 0, speed[1], speed_unit(world)));
}

static void print_distant_bodies(const World *world, Text *text)
{
    const double none[2] = {0, 0}, slab[2] = {3, 1}, large[2] = {60, 60}, block[2] = {1, 0.5},
                 ball[2] = {0.2, 0.2}, link[2] = {0.1, 0.1};
    switch (world->distant) {
    case HITS: // in each of some steps a ball hits others one after the other, more of them than are followed hit by hit
        for (int k = 0; k < ROWS * ROW; k++) {
            int row = k / ROW, at = k % ROW;
            print_distant(world, text, k, ball, true,
                          (double[2]){at == 0 ? 2e4 - 1e3 * (row + 0.5) : 2e4 + 0.3 * at, 2. * row},
                          (double[2]){at == 0 ? 1e3 / world->h : 0, 0}, 1);
        }
        break;
    case TOWER: // falls on a heavy slab
        print_distant(world, text, 0, slab, false, none, none, 1e3);
        for (int k = 1; k <= 8; k++)
            print_distant(world, text, k, block, false, (double[2]){0, 0.3 + 0.5 * k},
                          (double[2]){0, -0.02 / world->h}, 1);
        break;
    case IDLE:
        print_distant(world, text, 0, large, false, none, none, 1e6);
        break;
    case CHAIN:
        for (int k = 0; k < LINKS; k++)
            print_distant(world, text, k, link, false, (double[2]){0.15 * k, 0}, none, 1);
        break;
    default:
        break;
    }
}

static void print_distant_joints(const World *world, Text *text)
{
    for (int k = 1; k < LINKS && world->distant == CHAIN; k++)
        print(text, "  - {name: link%d, %s: {between: [far%d, far%d], at: %s}}\n", k,
              world->dim == 2 ? "pin" : "ball", k - 1, k,
              list(world, 300 + 0.15 * (k - 0.5), 0, 300, world->length));
}

// ---- a run

static StickStatus run_all(World *world)
{
    StickModelSource source = {
        .name = "scene.yaml", .folder = ".", .bytes = world->text, .count = strlen(world->text)};
    STICK_TRY(stick_model_read_text(world->ctx, &source, &world->model));
    world->model->step[0].threads = world->threads;
    STICK_TRY(stick_system_create(world->ctx, world->model, &world->system));
    STICK_TRY(stick_simulation_create(world->ctx, world->system, &world->model->step[0], &world->run));
    STICK_TRY(stick_simulation_start(world->run, NULL));
    while (!stick_simulation_is_done(world->run))
        STICK_TRY(stick_simulation_step(world->run));
    return STICK_OK;
}

static bool run_world(World *world)
{
    Text text = {0, TEXT, world->text};
    print(&text, "stickslip: 1\nbodies:\n");
    for (int k = world->nbodies - 1; k > 0; k--) {
        int other = draw_int(world, k + 1);
        char kept = world->order[k];
        world->order[k] = world->order[other], world->order[other] = kept;
    }
    for (int k = 0; k < world->nbodies; k++)
        print(&text, "%s", world->body[(int)world->order[k]]);
    print_distant_bodies(world, &text);
    const char *joints = strstr(world->rest, "joints:\n"), *behind = joints ? joints + 8 : world->rest;
    print(&text, "%.*s", (int)(behind - world->rest), world->rest);
    if (!joints && world->distant == CHAIN)
        print(&text, "joints:\n");
    print_distant_joints(world, &text);
    print(&text, "%s", behind);
    world->status = run_all(world);
    if (world->status != STICK_OK)
        snprintf(world->why, sizeof world->why, "%s", stick_last_error(world->ctx));
    return world->status == STICK_OK;
}

static const StickBody *body_of(const World *world, int b)
{
    char name[16];
    snprintf(name, sizeof name, "b%d", b);
    for (int k = 0; k < world->system->nbodies; k++)
        if (!strcmp(world->system->body[k].name, name))
            return &world->system->body[k];
    fail_msg("no body %s", name);
    return NULL;
}

// Displacement and velocity in the canonical frame and its units.
static void displacement(const World *world, int b, double x[3])
{
    from_model(world, world->run->state.now.q + body_of(world, b)->first, x);
    for (int k = 0; k < 3; k++)
        x[k] /= world->length;
}

static void velocity(const World *world, int b, double v[3])
{
    from_model(world, world->run->state.now.v + body_of(world, b)->first, v);
    for (int k = 0; k < 3; k++)
        v[k] /= speed_unit(world);
}

// Angle since the start.
static double angle(const World *world, int b)
{
    const double *q = world->run->state.now.q + body_of(world, b)->first;
    return world->dim == 2 ? fabs(q[2]) : sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5]);
}

static bool expect(World *world, const char *what, double found, double wanted, double tolerance)
{
    if (fabs(found - wanted) <= tolerance)
        return true;
    if (!world->why[0])
        snprintf(world->why, sizeof world->why, "%s is %.9g instead of %.9g, off by %.2e (limit %.1e)", what,
                 found, wanted, fabs(found - wanted), tolerance);
    return false;
}

// What an error of the tolerance in each step comes to in the position, for accelerations of size a.
static double position_error(const World *world, double a, double t)
{
    return 20 * world->tolerance * a * t * t;
}

// ---- scenes

static const double g = 9.81;

// Stacks on a slope that friction holds: nothing moves.
static Outcome scene_rest(World *world)
{
    int n = 1 + draw_int(world, 6);
    bool is_light = draw_int(world, 2); // on top
    double mu = draw(world, 0.1, 1), slope = mu * draw(world, 0, 0.99), ratio = draw_log(world, 1, 1e6);
    double h = draw_log(world, 1e-3, 2e-2), end = 60 * h, at = 0;
    double height = fmin(0.5, 0.45 / (slope * n + 1e-9)), least = draw(world, 0.2, 1) * height;
    double c = 1 / sqrt(1 + slope * slope), allowed = 1e-7 * least + position_error(world, g, end);
    for (int k = 0; k < n; k++) {
        double size = k == 0 ? least : draw(world, least, height);
        double mass = k == 0       ? (is_light ? ratio : 1)
                      : k == n - 1 ? (is_light ? 1 : ratio)
                                   : draw_log(world, 1, ratio);
        add_body(world, &(Box){.size = {1, 1, size}, .position = {0, 0, at + 0.5 * size}, .mass = mass});
        at += size;
    }
    add(world, "obstacles:\n");
    add_plane(world, "floor", 0, 1);
    add_gravity(world, g * c * slope, -g * c);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    bool right = true;
    for (int k = 0; k < n; k++) {
        double x[3];
        displacement(world, k, x);
        right = expect(world, "tangential displacement", x[0], 0, allowed) &&
                expect(world, "lateral displacement", x[1], 0, allowed) &&
                expect(world, "normal displacement", x[2], 0, allowed) &&
                expect(world, "angle", angle(world, k), 0, allowed) && right;
    }
    return right ? RIGHT : WRONG;
}

// A flat box on a slope that is too steep: g (sin - mu cos).
static Outcome scene_slide(World *world)
{
    double mu = draw(world, 0.01, 0.8), slope = mu * draw(world, 1.01, 3), c = 1 / sqrt(1 + slope * slope);
    double h = draw_log(world, 1e-3, 2e-2), end = 50 * h, a = g * c * (slope - mu), x[3];
    int b = add_body(
        world, &(Box){.size = {1, 0.7, 0.2}, .position = {0, 0, 0.1}, .mass = draw_log(world, 1e-3, 1e3)});
    add(world, "obstacles:\n");
    add_plane(world, "floor", 0, 1);
    add_gravity(world, g * c * slope, -g * c);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    displacement(world, b, x);
    double allowed = 1e-7 + position_error(world, g, end);
    bool right = expect(world, "path", x[0], 0.5 * a * end * end, allowed) &&
                 expect(world, "normal displacement", x[2], 0, allowed) &&
                 expect(world, "angle", angle(world, b), 0, allowed);
    return right ? RIGHT : WRONG;
}

// Disks and spheres roll where friction suffices, and slip otherwise: J = k m r^2.
static Outcome scene_roll(World *world)
{
    double k = world->dim == 2 ? 0.5 : 0.4, slope = draw(world, 0.02, 2), critical = slope * k / (1 + k);
    double mu = critical * (draw_int(world, 2) ? draw(world, 1.01, 5) : draw(world, 0.1, 0.99));
    double c = 1 / sqrt(1 + slope * slope), h = draw_log(world, 1e-3, 1e-2), end = 50 * h,
           r = draw(world, 0.2, 1), x[3];
    double a = mu > critical ? g * c * slope / (1 + k) : g * c * (slope - mu),
           spin = mu > critical ? a / r : mu * g * c / (k * r);
    int b = add_body(world, &(Box){.radius = r, .position = {0, 0, r}, .mass = draw_log(world, 1e-3, 1e3)});
    add(world, "obstacles:\n");
    add_plane(world, "floor", 0, 1);
    add_gravity(world, g * c * slope, -g * c);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    displacement(world, b, x);
    double allowed = 1e-7 + position_error(world, g, end), turned = 0.5 * spin * end * end;
    bool right = expect(world, "path", x[0], 0.5 * a * end * end, allowed) &&
                 expect(world, "normal displacement", x[2], 0, allowed) &&
                 (turned > 3 || expect(world, "angle", angle(world, b), turned, allowed / r));
    return right ? RIGHT : WRONG;
}

// A box pressed on a wall by a force: friction holds its weight, or it slips down.
static Outcome scene_held(World *world)
{
    double mu = draw(world, 0.1, 1), m = draw_log(world, 1e-3, 1e3),
           hold = draw_int(world, 2) ? draw(world, 1.01, 10) : draw(world, 0.1, 0.99);
    double h = draw_log(world, 1e-3, 1e-2), end = 50 * h, x[3], a = hold > 1 ? 0 : g * (1 - hold),
           high = 0.5 * fmin(1, 1 / mu);
    int b = add_body(world, &(Box){.size = {1, 0.8, high}, .position = {0, 0, 0.5 * high}, .mass = m});
    add(world, "obstacles:\n");
    add_plane(world, "wall", 0, 1);
    add_gravity(world, g, 0);
    add(world, "loads:\n");
    add_force(world, b, 0, -hold * m * g / mu);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    displacement(world, b, x);
    double allowed = 1e-7 + position_error(world, g * (1 + hold / mu), end);
    bool right = expect(world, "path", x[0], 0.5 * a * end * end, allowed) &&
                 expect(world, "normal displacement", x[2], 0, allowed) &&
                 expect(world, "angle", angle(world, b), 0, allowed);
    return right ? RIGHT : WRONG;
}

// A box between two plates on sliders that forces press together: 2 mu F holds it, or it slips out.
static Outcome scene_gripped(World *world)
{
    double mu = draw(world, 0.1, 1), m = draw_log(world, 1e-2, 1e2),
           hold = draw_int(world, 2) ? draw(world, 1.01, 10) : draw(world, 0.1, 0.99);
    double h = draw_log(world, 1e-3, 1e-2), end = 40 * h, force = 0.5 * hold * m * g / mu,
           a = hold > 1 ? 0 : g * (1 - hold), x[3];
    int box = add_body(world, &(Box){.size = {0.5, 0.6, 0.8}, .mass = m});
    for (int side = -1; side <= 1; side += 2)
        add_body(world, &(Box){.size = {2, 0.4, 0.1},
                               .position = {0, 0, side * 0.45},
                               .mass = m * draw_log(world, 0.1, 10)});
    add_gravity(world, g, 0);
    add(world, "joints:\n");
    for (int b = 1; b <= 2; b++)
        add(world, "  - {name: s%d, slider: {between: [b%d], axis: %s}}\n", b, b, list(world, 0, 0, 1, 1));
    add(world, "loads:\n");
    add_force(world, 1, 0, force);
    add_force(world, 2, 0, -force);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    displacement(world, box, x);
    double allowed = 1e-6 + position_error(world, g * (1 + hold / mu), end);
    bool right = expect(world, "path", x[0], 0.5 * a * end * end, allowed) &&
                 expect(world, "normal displacement", x[2], 0, allowed) &&
                 expect(world, "lateral displacement", x[1], 0, allowed) &&
                 expect(world, "angle", angle(world, box), 0, allowed);
    return right ? RIGHT : WRONG;
}

// A box under a load of any size on it, drawn by less or more than friction: rests or a = (T - mu N)/m.
static Outcome scene_pushed(World *world)
{
    double mu = draw(world, 0.1, 1), m = draw_log(world, 1e-3, 1e3), load = draw_log(world, 1e-6, 1e6),
           N = m * g * (1 + load);
    double pull = draw_int(world, 2) ? draw(world, 0, 0.99) : draw(world, 1.01, 3), x[3];
    double h = draw_log(world, 1e-3, 1e-2) / sqrt(1 + load), end = 50 * h,
           a = pull > 1 ? (pull - 1) * mu * N / m : 0;
    int b = add_body(world, &(Box){.size = {1, 1, 0.2}, .position = {0, 0, 0.1}, .mass = m});
    add(world, "obstacles:\n");
    add_plane(world, "floor", 0, 1);
    add_gravity(world, 0, -g);
    add(world, "loads:\n");
    add_force(world, b, pull * mu * N, -m * g * load);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    displacement(world, b, x);
    double allowed = 1e-7 + position_error(world, N / m, end);
    bool right = expect(world, "path", x[0], 0.5 * a * end * end, allowed) &&
                 expect(world, "normal displacement", x[2], 0, allowed) &&
                 expect(world, "angle", angle(world, b), 0, allowed);
    return right ? RIGHT : WRONG;
}

// Central collision of two bodies with restitution: momentum and e (v_1 - v_2) = v_2' - v_1'.
static Outcome scene_collide(World *world)
{
    bool is_round = draw_int(world, 2);
    double e = draw(world, 0, 1), m[2], u[2] = {draw(world, 0.5, 2), draw(world, -2, 0.2)}, found[2][3];
    double h = draw_log(world, 1e-3, 1e-2), gap = draw(world, 2, 8) * h * (u[0] - u[1]), end = 20 * h;
    for (int k = 0; k < 2; k++) {
        m[k] = draw_log(world, 1e-3, 1e3);
        double place = k == 0 ? -0.5 - 0.5 * gap : 0.5 + 0.5 * gap;
        add_body(world, &(Box){.size = {1, 1, 1},
                               .radius = is_round ? 0.5 : 0,
                               .position = {0, 0, place},
                               .velocity = {0, 0, u[k]},
                               .mass = m[k]});
    }
    add(world, "contacts: [{between: all, friction: %.17g, restitution: %.17g}]\n", draw(world, 0, 1), e);
    add_steps(world, h, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    double mean = (m[0] * u[0] + m[1] * u[1]) / (m[0] + m[1]), approach = u[0] - u[1];
    double wanted[2] = {mean - e * approach * m[1] / (m[0] + m[1]),
                        mean + e * approach * m[0] / (m[0] + m[1])};
    bool right = true;
    for (int k = 0; k < 2; k++) {
        velocity(world, k, found[k]);
        right =
            expect(world, k ? "velocity of the second" : "velocity of the first", found[k][2], wanted[k],
                   1e-7 + 20 * world->tolerance * approach) &&
            expect(world, "tangential velocity", found[k][0], 0, 1e-7 + 20 * world->tolerance * approach) &&
            right;
    }
    return right ? RIGHT : WRONG;
}

// A ball thrown at a wall at an angle, without gravity: J = k m r^2, sticking or sliding during the impact.
static Outcome scene_thrown(World *world)
{
    double k = world->dim == 2 ? 0.5 : 0.4, e = draw(world, 0.05, 1), mu = draw(world, 0, 1), v[3],
           fall = draw(world, 0.5, 3);
    double along = draw(world, -4, 4), r = draw(world, 0.1, 1), h = draw_log(world, 1e-3, 1e-2),
           gap = draw(world, 2, 8) * h * fall;
    int b = add_body(world, &(Box){.radius = r,
                                   .position = {0, 0, r + gap},
                                   .velocity = {along, 0, -fall},
                                   .mass = draw_log(world, 1e-3, 1e3)});
    double to_stick = k / (1 + k) * fabs(along), most = mu * (1 + e) * fall, kick = fmin(to_stick, most);
    add(world, "obstacles:\n");
    add_plane(world, "wall", 0, 1);
    add(world, "contacts: [{between: all, friction: %.17g, restitution: %.17g}]\n", mu, e);
    add_steps(world, h, 20 * h);
    if (!run_world(world))
        return NOT_CERTIFIED;
    velocity(world, b, v);
    // the lever arm of friction is that of the penetration in the middle of the step
    double allowed = 1e-7 + 20 * world->tolerance * fmax(fall, fabs(along)), arm = fabs(along) * fall * h / r;
    bool right = expect(world, "normal velocity", v[2], e * fall, allowed) &&
                 expect(world, "tangential velocity", v[0], along - copysign(kick, along), allowed + arm);
    return right ? RIGHT : WRONG;
}

// A slender box on a slope steeper than its diagonal tips over its lower edge.
static Outcome scene_tip(World *world)
{
    double wide = draw(world, 0.1, 0.5), slope = wide * draw(world, 1.2, 3), mu = slope * draw(world, 1.5, 3);
    double c = 1 / sqrt(1 + slope * slope), J = (1 + wide * wide) / 3, phi = 0, rate = 0;
    double end = sqrt(2 * 0.02 * J / (g * c * 0.5 * (slope - wide)));
    // the centre is at (t, n) from the edge; J phi'' = g (sin a n + cos a t), by the midpoint rule
    for (int k = 0; k < 10000; k++) {
        double middle = phi + 0.5 * rate * end / 10000, t = 0.5 * (sin(middle) - wide * cos(middle));
        double normal = 0.5 * (wide * sin(middle) + cos(middle));
        rate += end / 10000 * g * c * (slope * normal + t) / J;
        phi = middle + 0.5 * rate * end / 10000;
    }
    int b = add_body(
        world, &(Box){.size = {wide, wide, 1}, .position = {0, 0, 0.5}, .mass = draw_log(world, 1e-3, 1e3)});
    add(world, "obstacles:\n");
    add_plane(world, "floor", 0, 1);
    add_gravity(world, g * c * slope, -g * c);
    add(world, "contacts: [{between: all, friction: %.17g}]\n", mu);
    add_steps(world, end / 100, end);
    if (!run_world(world))
        return NOT_CERTIFIED;
    // error of first order in 100 steps
    return expect(world, "angle", angle(world, b), phi, 0.02 * phi) ? RIGHT : WRONG;
}

// A body thrown at a thin wall, at up to 1e4 times its size in a step: it stays on its side and bounces by e.
static Outcome scene_fast(World *world)
{
    double r = draw(world, 0.1, 1), h = draw_log(world, 1e-3, 1e-1),
           speed = r / h * draw_log(world, 0.1, 1e4);
    double e = draw_int(world, 2) ? 0 : draw(world, 0, 1), away = r * draw_log(world, 0.01, 100), v[3], x[3];
    double thick = r * draw_log(world, 0.01, 1);
    int b = add_body(world, &(Box){.radius = draw_int(world, 2) ? r : 0,
                                   .size = {2 * r, 2 * r, 2 * r},
                                   .position = {0, 0, r + away},
                                   .velocity = {0, 0, -speed},
                                   .mass = 1});
    if (draw_int(world, 3)) {
        int wall = add_body(
            world, &(Box){.size = {20 * r, 20 * r, thick}, .position = {0, 0, -0.5 * thick}, .mass = 1e3});
        add(world, "supports: [{on: b%d, displacement: %s, %s}]\n", wall,
            world->dim == 2 ? "[0, 0]" : "[0, 0, 0]",
            world->dim == 2 ? "rotation: 0" : "angular-velocity: [0, 0, 0]");
    } else {
        add(world, "obstacles:\n");
        add_plane(world, "wall", 0, 1);
    }
    add(world, "contacts: [{between: all, friction: %.17g, restitution: %.17g}]\n", draw(world, 0, 1), e);
    add_steps(world, h, h * (10 + ceil(away / (speed * h))));
    if (!run_world(world))
        return NOT_CERTIFIED;
    velocity(world, b, v);
    displacement(world, b, x);
    // without a load penetration of a slow impact remains, and is reported
    double left = fmax(0, world->run->record.penetration) / world->length;
    bool right = expect(world, "normal velocity", v[2], e * speed, (1e-7 + 20 * world->tolerance) * speed) &&
                 expect(world, "penetration that is not reported", fmin(0, x[2] + away + left), 0, 1e-6 * r);
    return right ? RIGHT : WRONG;
}

typedef struct Family {
    const char *name;
    Outcome (*scene)(World *world);
    bool has_motions; // several that satisfy the laws
} Family;

static const Family families[] = {
    {"rest", scene_rest, false},       {"slide", scene_slide, false},    {"roll", scene_roll, false},
    {"held", scene_held, false},       {"gripped", scene_gripped, true}, {"pushed", scene_pushed, false},
    {"collide", scene_collide, false}, {"thrown", scene_thrown, false},  {"tip", scene_tip, false},
    {"fast", scene_fast, false},
};
enum { FAMILIES = sizeof families / sizeof *families };

static long number_of(const char *name, long otherwise)
{
    const char *value = getenv(name);
    return value ? strtol(value, NULL, 10) : otherwise;
}

static const char *const distant_names[DISTANT_SCENES] = {"", "a row of hits", "a falling tower",
                                                          "a large body", "a chain"};

// One scene, with what is told of it.
static Outcome outcome_of(long seed, Distant distant, bool is_shown, int *family, bool *is_auto)
{
    StickContext *ctx = stick_context_create(NULL);
    World *world = world_create(ctx, (uint64_t)seed);
    world->distant = distant;
    *family = draw_int(world, FAMILIES);
    *is_auto = strcmp(world->solver, "auto") == 0;
    Outcome outcome = families[*family].scene(world);
    if (outcome == NOT_CERTIFIED && world->status != STICK_NOT_SOLVED)
        outcome = WRONG;
    if (outcome == WRONG && world->status == STICK_OK && families[*family].has_motions && !*is_auto &&
        times_warned(ctx, "different motions satisfy the contact laws"))
        outcome = REPORTED;
    if (outcome == WRONG || outcome == NOT_CERTIFIED)
        print_message("seed %ld, %s%s%s in %dD by %s at %.0e: %s: %s\n", seed, families[*family].name,
                      distant ? " beside " : "", distant_names[distant], world->dim, world->solver,
                      world->tolerance, outcome == WRONG ? "WRONG" : "not certified", world->why);
    if (outcome != RIGHT && is_shown)
        fputs(world->text, stderr);
    stick_simulation_destroy(world->run);
    stick_system_destroy(world->system);
    stick_model_destroy(world->model);
    stick_diagnostics_clear(ctx);
    stick_context_destroy(ctx);
    free(world);
    return outcome;
}

static void scenes_have_their_outcome(void **state)
{
    (void)state;
    long count = number_of("STICKSLIP_TEST_SCENES", 300), first = number_of("STICKSLIP_TEST_SEED", 1);
    bool is_shown = number_of("STICKSLIP_TEST_SHOW", 0);
    long found[FAMILIES][OUTCOMES] = {{0}}, wrong = 0, without = 0;
    for (long k = first; k < first + count; k++) {
        int family;
        bool is_auto;
        Outcome outcome = outcome_of(k, NOTHING, is_shown, &family, &is_auto);
        found[family][outcome]++;
        wrong += outcome == WRONG;
        without += outcome == NOT_CERTIFIED;
    }
    for (int f = 0; f < FAMILIES; f++)
        print_message("%-8s %5ld right %3ld wrong %3ld reported %3ld without a certificate\n",
                      families[f].name, found[f][RIGHT], found[f][WRONG], found[f][REPORTED],
                      found[f][NOT_CERTIFIED]);
    for (int f = 0; f < FAMILIES; f++) // of those of all solvers
        assert_true(found[f][REPORTED] * 20 <= found[f][REPORTED] + found[f][RIGHT] + 20);
    assert_int_equal(wrong, 0);
    assert_true(without * 100 <= count);
}

// Whatever happens far away: what is right alone is right beside it. Solvers other than the default one solve all contacts together,
// and may find no answer.
static void distant_scenes_change_nothing(void **state)
{
    (void)state;
    long count = number_of("STICKSLIP_TEST_SCENES", 300) / 3, first = number_of("STICKSLIP_TEST_SEED", 1);
    bool is_shown = number_of("STICKSLIP_TEST_SHOW", 0);
    long tried[DISTANT_SCENES] = {0}, changed[DISTANT_SCENES] = {0}, all = 0;
    for (long k = first; k < first + count; k++) {
        int family;
        bool is_auto;
        Distant distant = (Distant)(1 + k % (DISTANT_SCENES - 1));
        if (outcome_of(k, NOTHING, false, &family, &is_auto) != RIGHT)
            continue;
        Outcome outcome = outcome_of(k, distant, is_shown, &family, &is_auto);
        tried[distant]++;
        changed[distant] += outcome == WRONG || (is_auto && outcome != RIGHT);
    }
    for (int k = 1; k < DISTANT_SCENES; k++) {
        print_message("%-20s %5ld of %ld changed\n", distant_names[k], changed[k], tried[k]);
        all += changed[k];
    }
    assert_int_equal(all, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_have_their_outcome),
        cmocka_unit_test(distant_scenes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

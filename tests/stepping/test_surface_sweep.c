// SPDX-License-Identifier: Apache-2.0
// Random scenes of deformable bodies that are fast or small beside what they meet. A block flies at an object that is thin,
// small or both, at up to 1e4 of its lengths per step: it is stopped, or flies past without being touched, as its path says.
//
// STICKSLIP_TEST_SCENES=N: number of scenes; STICKSLIP_TEST_SEED=K: the first one; STICKSLIP_TEST_SHOW=1: prints the model
// of every scene that is not right.
#include "base/vec.h"
#include "stepping/scene.h"

#include <math.h>
#include <stdlib.h>

// ---- random numbers: splitmix64

static uint64_t draw_bits(uint64_t *random)
{
    uint64_t z = (*random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double draw(uint64_t *random, double from, double to)
{
    return from + (to - from) * (double)(draw_bits(random) >> 11) * 0x1p-53;
}

static double draw_log(uint64_t *random, double from, double to)
{
    return exp(draw(random, log(from), log(to)));
}

static int draw_int(uint64_t *random, int count)
{
    return (int)(draw_bits(random) % (uint64_t)count);
}

// ---- one scene

typedef enum Kind { PLANE, WALL, ROUND, WIRE, NEEDLE, RIGID_WALL, RIGID_BALL, PLATE, KINDS } Kind;
static const char *const kind_name[] = {"plane", "wall", "round", "wire", "needle", "slab", "ball", "plate"};

static const char *const schemes[] = {"moreau", "theta", "theta-euler", "modified-theta", "newmark"};

// A block with edges of length L and cells of side s, whose front is at x = 0, flies along x at an object at a distance.
typedef struct Flight {
    Kind kind;
    int dim, cells;
    double way;      // per step, in L
    double distance; // of the object, in L
    double size;     // of the object, in s
    double aside;    // its middle, in L
    bool passes;
    const char *scheme, *method, *pattern;
} Flight;

static const double L = 0.02, speed = 30;

enum { TEXT = 4096 };

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *text, const char *format, ...)
{
    size_t at = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + at, TEXT - at, format, arguments);
    va_end(arguments);
}

// Objects that are bodies are held but for the ball.
static void write_object(const Flight *f, char *bodies, char *rest)
{
    double s = L / f->cells, x = f->distance * L, y = f->aside * L, size = f->size * s, broad = 3 * L;
    const char *z = f->dim == 3 ? ", 0" : "";
    switch (f->kind) {
    case PLANE:
        add(rest, "obstacles: {o: {plane: {point: [%.17g, 0%s], normal: [-1, 0%s]}}}\n", x, z, z);
        break;
    case WALL: // in the plane
        add(rest,
            "obstacles: {o: {polyline: {points: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, "
            "%.17g], [%.17g, %.17g]]}}}\n",
            x, y - broad / 2, x, y + broad / 2, x + size, y + broad / 2, x + size, y - broad / 2, x,
            y - broad / 2);
        break;
    case ROUND:
        add(rest, "obstacles: {o: {%s: {centre: [%.17g, %.17g%s], radius: %.17g}}}\n",
            f->dim == 3 ? "sphere" : "circle", x + size, y, z, size);
        break;
    case WIRE: // in space
        add(rest,
            "obstacles: {o: {cylinder: {point: [%.17g, %.17g, 0], axis: [0, 0.1, 1], radius: %.17g}}}\n",
            x + size, y, size);
        break;
    case NEEDLE: // in the plane
        add(rest, "obstacles: {o: {polyline: {points: [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]]}}}\n",
            x + 2 * L, y - size / 2, x, y, x + 2 * L, y + size / 2);
        break;
    case RIGID_WALL:
        add(bodies, "  o: {rigid: {box: [%.17g, %.17g%s], mass: 1}, position: [%.17g, %.17g%s]}\n", size,
            broad, f->dim == 3 ? ", 0.06" : "", x + size / 2, y, z);
        add(rest, "supports: [{on: o, velocity: [0, 0%s], angular-velocity: %s}]\n", z,
            f->dim == 3 ? "[0, 0, 0]" : "0");
        break;
    case RIGID_BALL:
        add(bodies, "  o: {rigid: {%s: %.17g, mass: 100}, position: [%.17g, %.17g%s]}\n",
            f->dim == 3 ? "sphere" : "disk", size, x + size, y, z);
        break;
    case PLATE:
    case KINDS:
        if (f->dim == 2)
            add(bodies,
                "  o: {mesh: {rectangle: {size: [%.17g, %.17g], cells: [1, 7], origin: [%.17g, %.17g]}}, "
                "material: p, plane: strain}\n",
                size, broad, x, y - broad / 2);
        else
            add(bodies,
                "  o: {mesh: {box: {size: [%.17g, %.17g, %.17g], cells: [1, 5, 4], origin: [%.17g, %.17g, "
                "%.17g]}}, material: p}\n",
                size, broad, broad, x, y - broad / 2, -broad / 2 + 0.1 * L);
        add(rest, "supports: [{on: o.bottom, velocity: [0, 0%s]}, {on: o.top, velocity: [0, 0%s]}]\n", z, z);
        break;
    }
}

static void write_flight(const Flight *f, char *text)
{
    char bodies[TEXT] = "", rest[TEXT] = "";
    write_object(f, bodies, rest);
    double h = f->way * L / speed;
    int steps = (int)ceil(f->distance / f->way) + 4 + (int)(0.5 / f->way);
    bool is_body = f->kind >= RIGID_WALL;
    *text = 0;
    add(text,
        "materials: {m: {young: 1e9, poisson: 0.3, density: 1000}, p: {young: 2e11, poisson: 0.3, density: "
        "8000}}\nbodies:\n");
    if (f->dim == 2)
        add(text,
            "  b: {mesh: {rectangle: {size: [0.02, 0.02], cells: [%d, %d], origin: [-0.02, -0.01], pattern: "
            "%s}}, plane: strain, material: m, velocity: [30, 0]}\n",
            f->cells, f->cells, f->pattern);
    else
        add(text,
            "  b: {mesh: {box: {size: [0.02, 0.02, 0.02], cells: [%d, %d, %d], origin: [-0.02, -0.01, "
            "-0.01], pattern: %s}}, material: m, velocity: [30, 0, 0]}\n",
            f->cells, f->cells, f->cells, f->pattern);
    add(text, "%s%scontacts: [{between: [b.boundary, %s], friction: 0.1, method: %s}]\n", bodies, rest,
        f->kind == PLATE ? "o.boundary"
        : is_body        ? "o"
                         : "o",
        f->method);
    add(text, "steps: [{dynamics: {scheme: %s, step: %.17g, end: %.17g}}]\n", f->scheme, h, steps * h);
}

static Flight draw_flight(uint64_t *random)
{
    Flight f = {.dim = 2 + draw_int(random, 3) / 2, .kind = (Kind)draw_int(random, KINDS)};
    if (f.dim == 3 && (f.kind == WALL || f.kind == NEEDLE))
        f.kind = WIRE;
    if (f.dim == 2 && f.kind == WIRE)
        f.kind = WALL;
    bool rigid = f.kind == RIGID_WALL || f.kind == RIGID_BALL;
    f.cells = f.dim == 2 ? 2 + draw_int(random, 4) : 1 + (f.kind == PLATE) + draw_int(random, 3);
    f.way = draw_int(random, 4) ? draw_log(random, 0.003, 10) : draw_log(random, 10, 1e4);
    f.distance = f.way < 0.05 ? f.way * draw(random, 0.1, 5) : draw(random, 0.02, fmax(1, 2.5 * f.way));
    f.size = draw_log(random, f.kind == PLATE ? 0.2 : 0.05, 5);
    f.passes = f.kind != PLANE && draw_int(random, 3) == 0;
    f.aside = draw(random, -0.2, 0.2);
    double half = f.kind == ROUND || f.kind == WIRE || f.kind == RIGID_BALL ? f.size / f.cells
                  : f.kind == NEEDLE                                        ? 0.5 * f.size / f.cells
                                                                            : 1.5;
    if (f.kind == WIRE)
        half += 0.1;
    // what strikes beside the middle turns the block, which goes on far
    if (f.way > 2 && f.kind != WALL && f.kind != RIGID_WALL && f.kind != PLATE)
        f.aside = 0;
    if (f.passes)
        f.aside = (draw_int(random, 2) ? 1 : -1) * (0.5 + half + draw_log(random, 0.02, 1));
    f.scheme = rigid ? "moreau" : schemes[draw_int(random, 5)];
    f.method = !rigid && draw_int(random, 2) ? "integrated" : "nodes";
    f.pattern = draw_int(random, 2) ? (f.dim == 2 ? "quads" : "hexes") : (f.dim == 2 ? "crossed" : "tets");
    return f;
}

// ---- its outcome

// Where the scheme judges it: the modified theta-method carries it on.
static double centre_of(const Scene *scene)
{
    const StickSimulation *run = scene->run;
    return scene_mean(scene, 0, 0, run->state.now.q) +
           run->scheme.ahead * run->h * scene_mean(scene, 0, 0, run->state.now.v) - L / 2;
}

typedef struct Outcome {
    bool is_touched;
    double farthest, slowest; // place and velocity of its middle
    double gain;              // of energy beyond all work, as a part of the largest energy
    double open_steps;        // in which a balance does not close
    bool passed;              // the run reports that bodies still pass through each other
} Outcome;

// Objects that are small beside the sides of the block dent it, and turn it if they strike beside its middle: what is left of
// its motion leads on.
static bool is_broad(const Flight *f)
{
    return f->kind == PLANE || f->kind == WALL || f->kind == RIGID_WALL || f->kind == PLATE;
}

// What is stopped is pushed back, and its middle does not come to the front of a broad object. A ball and a plate give way.
static const char *judge(const Flight *f, const Outcome *o)
{
    bool gives_way = f->kind == PLATE || f->kind == RIGID_BALL;
    // friction may give energy to the theta-method, and impact to Newmark's
    bool is_passive = strcmp(f->scheme, "moreau") == 0 || strcmp(f->scheme, "theta-euler") == 0;
    if (is_passive && o->gain > 1e-8)
        return "gains energy";
    // of very long steps round-off in stiff bodies is seen
    if (f->way <= 1 && o->open_steps > 0)
        return "balances do not close";
    if (o->passed)
        return "passed";
    if (f->passes)
        return o->is_touched ? "stopped by what it passes" : NULL;
    if (!o->is_touched)
        return "not touched";
    if (is_broad(f) && f->way <= 2 && o->farthest > f->distance * L)
        return "its middle went through";
    bool is_led_on = gives_way || (!is_broad(f) && f->way > 100);
    return !is_led_on && o->slowest > 0.6 * speed ? "not stopped" : NULL;
}

static const char *fly(StickContext *ctx, const Flight *f, const char *text, double *v)
{
    Scene scene;
    static char whole[2 * TEXT];
    snprintf(whole, sizeof whole, "stickslip: 1\n%s", text);
    if (scene_try(&scene, ctx, whole) != STICK_OK)
        return "no scene";
    Outcome o = {.farthest = -INFINITY, .slowest = INFINITY};
    const char *why = NULL;
    while (!why && !stick_simulation_is_done(scene.run)) {
        if (stick_simulation_step(scene.run) != STICK_OK)
            why = "error";
        *v = scene_mean(&scene, 0, 0, scene.run->state.now.v);
        o.is_touched |= scene_force(&scene) > 0 || fabs(*v - speed) > 1e-9 * speed;
        o.farthest = fmax(o.farthest, centre_of(&scene));
        o.slowest = fmin(o.slowest, *v);
    }
    o.open_steps = scene.run->ledger.open_steps;
    o.gain = scene.run->ledger.worst_gain;
    o.passed = scene.run->record.passed > 0;
    if (!why)
        why = judge(f, &o);
    scene_close(&scene);
    return why;
}

static long number_of(const char *name, long otherwise)
{
    const char *value = getenv(name);
    return value ? strtol(value, NULL, 10) : otherwise;
}

static void fast_and_small_things_have_their_outcome(void **state)
{
    (void)state;
    long count = number_of("STICKSLIP_TEST_SCENES", 150), first = number_of("STICKSLIP_TEST_SEED", 1);
    bool is_shown = number_of("STICKSLIP_TEST_SHOW", 0);
    long wrong[KINDS] = {0}, all[KINDS] = {0}, refused[KINDS] = {0}, sum = 0, without = 0;
    for (long k = first; k < first + count; k++) {
        uint64_t random = (uint64_t)k;
        draw_bits(&random);
        Flight f = draw_flight(&random);
        char text[TEXT];
        double v = 0;
        StickContext *ctx = stick_context_create(NULL);
        write_flight(&f, text);
        const char *why = fly(ctx, &f, text, &v);
        bool is_error = why && strcmp(why, "error") == 0;
        all[f.kind]++;
        refused[f.kind] += is_error;
        wrong[f.kind] += why && !is_error;
        without += is_error;
        sum += why && !is_error;
        if (why)
            print_message("seed %ld, %s in %dD, %g lengths per step, distance %g, size %g, %s, %s, %s: %s (v "
                          "= %g) %s\n",
                          k, kind_name[f.kind], f.dim, f.way, f.distance, f.size, f.scheme, f.method,
                          f.passes ? "passes" : "hits", why, v, stick_last_error(ctx));
        if (why && is_shown)
            fputs(text, stderr);
        stick_diagnostics_clear(ctx);
        stick_context_destroy(ctx);
    }
    for (int k = 0; k < KINDS; k++)
        print_message("%-7s %4ld right %3ld wrong %3ld refused\n", kind_name[k],
                      all[k] - wrong[k] - refused[k], wrong[k], refused[k]);
    assert_int_equal(sum, 0);
    assert_true(100 * without <= count);
}

// ---- increments

// A block is led by its back over a way that is many times what it meets is thick, in one increment: it is held back by
// what is on its way, and not by what is beside it.
static void increments_do_not_lead_through_what_is_thin(void **state)
{
    static const Kind kinds[] = {WALL, ROUND, NEEDLE, ROUND, WIRE, PLATE, PLATE};
    for (int k = 0; k < 42; k++) {
        bool passes = k % 2;
        Flight f = {.kind = kinds[k / 2 % 7],
                    .dim = k / 2 % 7 < 3 || k / 2 % 7 == 5 ? 2 : 3,
                    .cells = 3,
                    .distance = 0.05 + 0.1 * (k / 14),
                    .size = k / 2 % 7 >= 5 ? 0.2 : 0.1 + 0.2 * (k / 14),
                    .way = 1,
                    .aside = passes ? 2.6 : 0.04,
                    .scheme = "moreau",
                    .pattern = k / 2 % 7 < 3 || k / 2 % 7 == 5 ? "quads" : "hexes",
                    .method = k % 4 < 2 ? "nodes" : "integrated"};
        char text[2 * TEXT];
        const char *z = f.dim == 3 ? ", 0" : "", *dynamic;
        write_flight(&f, text);
        dynamic = strstr(text, "steps:");
        text[dynamic - text] = 0;
        char *supports = strstr(text, "supports: [");
        char lead[128];
        double way = (f.distance + 0.06) * L;
        snprintf(lead, sizeof lead, "{on: b.left, displacement: [\"%.17g*t\", 0%s]}", way, z);
        Scene scene;
        if (supports) {
            supports += strlen("supports: [");
            char *rest = strdup(supports);
            snprintf(supports, sizeof text - (size_t)(supports - text), "%s, %s", lead, rest);
            free(rest);
        } else {
            add(text, "supports: [%s]\n", lead);
        }
        char *flying = strstr(text, ", velocity: [30, 0");
        memset(flying, ' ', strcspn(flying + 1, "]") + 2); // it starts at rest
        scene_open(&scene, *state, "%ssteps: [{quasistatic: {end: 1, increments: 1}}]\n", text);
        while (!stick_simulation_is_done(scene.run))
            scene_step(&scene);
        double force = scene_force(&scene);
        if (passes ? force != 0 : !(force > 0))
            fail_msg("force %g, %s: %s", force, kind_name[f.kind], text);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_and_small_things_have_their_outcome),
                                       test_with_context(increments_do_not_lead_through_what_is_thin)};
    return cmocka_run_group_tests_name("stepping.surface_sweep", tests, NULL, NULL);
}

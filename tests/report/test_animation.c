// SPDX-License-Identifier: Apache-2.0
// Result folders of small runs, as the page gets to see them.
#include "output/scratch.h"
#include "report/unpack.h"

#include "model/yaml.h"
#include "output/vtu_read.h"
#include "report/animation.h"

#include <stickslip/study.h>
#include <sys/stat.h>

typedef struct Show {
    StickContext *ctx;
    StickBlobs pack;
    StickText text;
    StickArena arena;
    StickYaml *animation; // NULL for null
    StickAnimationLoss loss;
} Show;

static const StickAnimationOptions roomy = {.budget = 1000000};

static void run_model(Scratch *scratch, const char *model)
{
    char path[512], folder[512];
    snprintf(path, sizeof path, "%s/model.yaml", scratch->folder);
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, model, strlen(model)));
    setenv("PATH", "/nowhere", 1); // no gnuplot: pictures have tests of their own
    StickStudyOptions options = {.model = path, .folder = folder, .force = true};
    assert_ok(scratch->ctx, stick_study_run(scratch->ctx, &options));
}

static const char *out_path(Scratch *scratch, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "out/%s", name);
    return scratch_path(scratch, path);
}

static void open_show(Scratch *scratch, StickAnimationOptions options, Show *show)
{
    StickJson json;
    *show = (Show){.ctx = scratch->ctx};
    stick_blobs_init(&show->pack, show->ctx);
    stick_text_init(&show->text, show->ctx);
    stick_arena_init(&show->arena, show->ctx);
    stick_json_init(&json, &show->text);
    stick_json_object(&json);
    stick_json_key(&json, "animation");
    assert_ok(show->ctx, stick_animation_add(show->ctx, scratch_path(scratch, "out"), &options, &show->pack,
                                             &json, &show->loss));
    stick_json_end_object(&json);
    StickYamlSource source = {"json", show->text.bytes, show->text.length};
    StickYaml *root;
    assert_ok(show->ctx, stick_yaml_parse(&show->arena, &source, &root));
    show->animation = stick_yaml_find(root, "animation");
    assert_non_null(show->animation);
    if (stick_yaml_is_null(show->animation))
        show->animation = NULL;
}

static void close_show(Show *show)
{
    stick_arena_destroy(&show->arena);
    stick_text_destroy(&show->text);
    stick_blobs_destroy(&show->pack);
}

// ---- looking into the JSON

static double number(const StickYaml *map, const char *key)
{
    double value = NAN;
    assert_true(stick_parse_number(member(map, key)->text, &value));
    return value;
}

// Of the list, the member with this name, or NULL.
static const StickYaml *named(const StickYaml *list, const char *name)
{
    for (const StickYaml *item = list->first; item; item = item->next)
        if (strcmp(member(item, "name")->text, name) == 0)
            return item;
    return NULL;
}

static const StickYaml *item_at(const StickYaml *list, int at)
{
    const StickYaml *item = list->first;
    while (item && at-- > 0)
        item = item->next;
    assert_non_null(item);
    return item;
}

static const StickBlobsBlock *block_of(const Show *show, const StickYaml *map, const char *key)
{
    const StickYaml *data = member(map, key);
    int at = (int)number(data, "block");
    assert_in_range(at, 0, show->pack.count - 1);
    const StickBlobsBlock *block = &show->pack.block[at];
    assert_int_equal(number(data, "count"), block->count);
    return block;
}

static void *numbers_of(const Show *show, const char *key)
{
    return unpack_numbers(block_of(show, show->animation, key));
}

static const StickYaml *field_of(const Show *show, const char *name)
{
    return named(member(show->animation, "fields"), name);
}

static double *values_of(const Show *show, const char *name)
{
    const StickYaml *field = field_of(show, name);
    assert_non_null(field);
    return unpack_values(block_of(show, field, "data"));
}

static double scale_of(const Show *show, const char *name)
{
    return block_of(show, field_of(show, name), "data")->scale;
}

static bool is_contact_node(const Show *show, int node)
{
    for (const StickYaml *item = member(show->animation, "contactNodes")->first; item; item = item->next)
        if (atoi(item->text) == node)
            return true;
    return false;
}

static int warnings_saying(StickContext *ctx, const char *words)
{
    int count = 0;
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        count += said->severity == STICK_WARNING && strstr(said->text, words) != NULL;
    }
    return count;
}

// ---- one dimension

// Two bars, of which the second one flies with speed 1 and touches nothing.
#define BARS                                                                                       \
    "stickslip: 1\n"                                                                               \
    "units: {length: mm}\n"                                                                        \
    "materials: {a: {law: elastic, young: 1, poisson: 0, density: 1}}\n"                           \
    "bodies:\n"                                                                                    \
    "  rest: {mesh: {bar: {length: 1, elements: 1}}, material: a}\n"                               \
    "  second: {mesh: {bar: {length: 1, elements: 2, origin: [5]}}, material: a, velocity: [1]}\n" \
    "obstacles: {wall: {plane: {point: [20], normal: [-1]}}}\n"                                    \
    "contacts: [{between: [second.end, wall], friction: 0, reach: 1}]\n"                           \
    "steps: [{name: fly, dynamics: {scheme: theta-euler, step: 0.1, end: 1}}]\n"                   \
    "output: {fields: {every: 1}}\n"

static void bars_that_fly(void **state)
{
    Show show;
    run_model(*state, BARS);
    open_show(*state, roomy, &show);
    assert_int_equal(number(show.animation, "dimension"), 1);
    assert_int_equal(number(show.animation, "frames"), 11);
    assert_int_equal(number(show.animation, "allFrames"), 11);
    assert_int_equal(number(show.animation, "nodes"), 5);
    assert_int_equal(show.loss.frames, 11);
    assert_int_equal(show.loss.all_frames, 11);
    assert_false(show.loss.coarse || show.loss.none);
    double *t = numbers_of(&show, "times"), *u = values_of(&show, "displacement");
    float *x = numbers_of(&show, "positions");
    uint32_t *edge = numbers_of(&show, "edges"), *label = numbers_of(&show, "labels");
    const float x_expected[] = {0, 1, 5, 5.5f, 6};
    assert_memory_equal(x, x_expected, sizeof x_expected);
    assert_int_equal(block_of(&show, show.animation, "edges")->count, 6);
    assert_memory_equal(edge, ((uint32_t[]){0, 1, 0, 1, 1, 2}), 24);
    assert_memory_equal(label, ((uint32_t[]){0, 1, 0, 1, 2}), 20);
    assert_int_equal(block_of(&show, show.animation, "triangles")->count, 0);
    for (int f = 0; f < 11; f++)
        for (int i = 0; i < 5; i++) {
            assert_near(t[f], 0.1 * f, 1e-12);
            assert_near(u[5 * f + i], i < 2 ? 0 : t[f], 0.51 * scale_of(&show, "displacement") + 1e-7);
        }
    free(t), free(u), free(x), free(edge), free(label);
    close_show(&show);
}

static void bodies_and_fields_of_bars(void **state)
{
    Show show;
    run_model(*state, BARS);
    open_show(*state, roomy, &show);
    const StickYaml *bodies = member(show.animation, "bodies"), *body = item_at(bodies, 1);
    assert_int_equal(bodies->count, 2);
    assert_string_equal(member(item_at(bodies, 0), "name")->text, "rest");
    assert_string_equal(member(body, "name")->text, "second");
    assert_int_equal(number(body, "firstNode"), 2);
    assert_int_equal(number(body, "nodes"), 3);
    assert_int_equal(number(body, "triangles"), 0);
    assert_int_equal(number(body, "firstEdge"), 1);
    assert_int_equal(number(body, "edges"), 2);
    // what is zero everywhere is not there, but for the displacement, which is the first
    assert_string_equal(member(item_at(member(show.animation, "fields"), 0), "name")->text, "displacement");
    assert_string_equal(member(field_of(&show, "displacement"), "unit")->text, "mm");
    assert_string_equal(member(field_of(&show, "velocity"), "unit")->text, "mm/s");
    assert_near(number(field_of(&show, "velocity"), "most"), 1, 1e-7);
    assert_null(field_of(&show, "contact_pressure"));
    assert_null(field_of(&show, "status"));
    assert_true(stick_yaml_is_null(member(show.animation, "forces")));
    const StickYaml *wall = named(member(show.animation, "obstacles"), "wall");
    assert_string_equal(member(wall, "kind")->text, "plane");
    assert_int_equal(member(wall, "point")->count, 1);
    assert_string_equal(member(wall, "point")->first->text, "20");
    assert_string_equal(member(wall, "normal")->first->text, "-1");
    assert_null(stick_yaml_find(wall, "motion"));
    close_show(&show);
}

// ---- the plane

// A block of quadratic elements and a slab below it between moving obstacles.
#define BLOCKS                                                                                           \
    "stickslip: 1\n"                                                                                     \
    "materials: {a: {law: elastic, young: 100, poisson: 0.3, density: 1}}\n"                             \
    "bodies:\n"                                                                                          \
    "  block: {mesh: {rectangle: {size: [1, 1], cells: [2, 2], origin: [0, 0.5]}}, element: quadratic, " \
    "plane: strain, material: a, velocity: [1, -1]}\n"                                                   \
    "  slab: {mesh: {rectangle: {size: [3, 0.5], cells: [3, 1], origin: [-1, 0]}}, plane: strain, "      \
    "material: a}\n"                                                                                     \
    "obstacles:\n"                                                                                       \
    "  floor: {plane: {point: [0, 0], normal: [0, 1]}, velocity: [2*cos(t), 0]}\n"                       \
    "  lid: {polyline: {points: [[4, 9], [-4, 9]]}, displacement: [0, t*t]}\n"                           \
    "  ball: {circle: {centre: [1, 50], radius: 2}}\n"                                                   \
    "contacts:\n"                                                                                        \
    "  - {between: [block.bottom, slab.top], friction: 0.2, method: nodes}\n"                            \
    "  - {between: [slab.bottom, floor], friction: 0.2}\n"                                               \
    "steps: [{name: fall, dynamics: {scheme: theta-euler, theta: 0.55, step: 0.01, end: 0.2}}]\n"        \
    "output: {fields: {every: 2}, history: [{name: force, of: block.bottom, what: contact_force.y}]}\n"

static void blocks_in_the_plane(void **state)
{
    Show show;
    run_model(*state, BLOCKS);
    open_show(*state, roomy, &show);
    assert_int_equal(number(show.animation, "dimension"), 2);
    assert_int_equal(number(show.animation, "frames"), 11);
    assert_int_equal(number(show.animation, "nodes"), 21 + 8);
    const StickYaml *slab = item_at(member(show.animation, "bodies"), 1);
    assert_int_equal(number(slab, "firstTriangle"), 24);
    assert_int_equal(number(slab, "triangles"), 6);
    assert_int_equal(number(slab, "firstEdge"), 24);
    assert_int_equal(number(slab, "edges"), 10);
    uint32_t *triangle = numbers_of(&show, "triangles");
    for (int k = 0; k < 90; k++)
        assert_true(triangle[k] < (k < 72 ? 21u : 8u)); // counted within the body
    free(triangle);
    close_show(&show);
}

// Forces of the frames add up to the history of the run.
static void forces_are_those_of_the_run(void **state)
{
    Scratch *scratch = *state;
    Show show;
    char *table, *line;
    size_t count;
    run_model(scratch, BLOCKS);
    open_show(scratch, roomy, &show);
    const StickYaml *forces = member(show.animation, "forces");
    const StickBlobsBlock *block = block_of(&show, forces, "data");
    double *force = unpack_values(block), *pressure = values_of(&show, "contact_pressure"), largest = 0;
    assert_string_equal(member(forces, "unit")->text, "N");
    assert_string_equal(member(field_of(&show, "contact_pressure"), "unit")->text, "N/m^2");
    assert_string_equal(member(field_of(&show, "von_mises"), "label")->text, "von Mises stress");
    assert_ok(show.ctx, stick_file_read(show.ctx, out_path(scratch, "history/force.csv"), &table, &count));
    line = strchr(table, '\n') + 1;
    for (int f = 0; f < 11; f++) {
        double expected = strtod(strchr(line, ',') + 1, NULL), sum = 0, most = 0;
        for (int i = 0; i < 21; i++) {
            sum += force[(f * 29 + i) * 2 + 1];
            most = fmax(most, pressure[f * 29 + i]);
        }
        assert_near(sum, expected, 21 * 0.5 * block->scale + 1e-6);
        assert_true((most > 0) == (expected > 0));
        largest = fmax(largest, expected);
        for (int k = 0; k < 2 && *line; k++)
            line = strchr(line, '\n') + 1;
    }
    assert_true(largest > 0.1);
    stick_free(show.ctx, table);
    free(force), free(pressure);
    close_show(&show);
}

static void states_of_contact_nodes(void **state)
{
    Show show;
    run_model(*state, BLOCKS);
    open_show(*state, roomy, &show);
    const StickBlobsBlock *block = block_of(&show, field_of(&show, "status"), "data");
    double *status = unpack_values(block), *gap = values_of(&show, "gap");
    assert_int_equal(block->type, STICK_BLOB_INT8);
    assert_true(block->scale == 1 && block->offset == 0);
    int seen[3] = {0};
    for (int i = 0; i < 29; i++) {
        bool watched = false;
        for (int f = 0; f < 11; f++) {
            int now = (int)status[f * 29 + i];
            assert_in_range(now, 0, 2);
            seen[now]++;
            watched = watched || now != 0 || isfinite(gap[f * 29 + i]);
        }
        assert_int_equal(watched, is_contact_node(&show, i));
    }
    assert_true(seen[0] > 0 && seen[1] + seen[2] > 0);
    assert_true(is_contact_node(&show, 0));   // a corner of the block's bottom
    assert_false(is_contact_node(&show, 28)); // a corner of the slab's top, which is second in its pair
    free(status), free(gap);
    close_show(&show);
}

static void obstacles_move_as_prescribed(void **state)
{
    Show show;
    run_model(*state, BLOCKS);
    open_show(*state, roomy, &show);
    const StickYaml *obstacles = member(show.animation, "obstacles");
    const StickYaml *lid = named(obstacles, "lid"), *ball = named(obstacles, "ball");
    double *t = numbers_of(&show, "times");
    double *floor_motion = unpack_numbers(block_of(&show, named(obstacles, "floor"), "motion"));
    double *lid_motion = unpack_numbers(block_of(&show, lid, "motion"));
    for (int f = 0; f < 11; f++) {
        assert_near(floor_motion[2 * f], 2 * sin(t[f]), 1e-12);
        assert_near(floor_motion[2 * f + 1], 0, 0);
        assert_near(lid_motion[2 * f], 0, 0);
        assert_near(lid_motion[2 * f + 1], t[f] * t[f], 1e-15);
    }
    assert_int_equal(member(lid, "points")->count, 4);
    assert_string_equal(item_at(member(lid, "points"), 2)->text, "-4");
    assert_string_equal(member(ball, "kind")->text, "circle");
    assert_int_equal(number(ball, "radius"), 2);
    assert_string_equal(member(ball, "inside")->text, "false");
    assert_null(stick_yaml_find(ball, "motion"));
    free(t), free(floor_motion), free(lid_motion);
    close_show(&show);
}

// ---- rigid bodies

// A rigid block slides on a deformable slab; another one far above turns as it falls.
#define RIGID                                                                                           \
    "stickslip: 1\n"                                                                                    \
    "materials: {a: {young: 1e5, poisson: 0.3, density: 100}}\n"                                        \
    "bodies:\n"                                                                                         \
    "  block: {rigid: {box: [1, 1]}, material: a, position: [0, 1], velocity: [1, 0]}\n"                \
    "  slab: {mesh: {rectangle: {size: [5, 0.5], cells: [5, 1], origin: [-2, 0]}}, plane: strain, "     \
    "material: a}\n"                                                                                    \
    "  wheel: {rigid: {disk: 0.5}, material: a, position: [7, 9], angular-velocity: 10}\n"              \
    "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"                                    \
    "gravity: [0, -10]\n"                                                                               \
    "contacts:\n"                                                                                       \
    "  - {between: [block, slab.top], friction: 0.2}\n"                                                 \
    "  - {between: [slab.bottom, floor], friction: 0.2}\n"                                              \
    "joints: [{name: string, spring: {between: [wheel], from: [7, 9.5], to: [7, 20], stiffness: 0}}]\n" \
    "steps: [{name: slide, dynamics: {scheme: moreau, step: 0.002, end: 0.1}}]\n"                       \
    "output: {fields: {every: 5}, history: [{name: x, of: block, what: position.x}, "                   \
    "{name: y, of: wheel, what: position.y}]}\n"

// Column 1 of a history at each fifth row.
static void read_history(Scratch *scratch, const char *name, double *values, int count)
{
    char *table;
    size_t size;
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, out_path(scratch, name), &table, &size));
    const char *line = strchr(table, '\n') + 1;
    for (int f = 0; f < count; f++) {
        values[f] = strtod(strchr(line, ',') + 1, NULL);
        for (int k = 0; k < 5 && *line; k++)
            line = strchr(line, '\n') + 1;
    }
    stick_free(scratch->ctx, table);
}

static void rigid_bodies_are_where_they_are(void **state)
{
    Show show;
    double x[11], y[11];
    run_model(*state, RIGID);
    open_show(*state, roomy, &show);
    read_history(*state, "history/x.csv", x, 11);
    read_history(*state, "history/y.csv", y, 11);
    const StickYaml *rigid = member(show.animation, "rigid"), *bodies = member(show.animation, "bodies");
    assert_int_equal(number(item_at(bodies, 0), "rigid"), 0);
    assert_null(stick_yaml_find(item_at(bodies, 1), "rigid"));
    assert_int_equal(number(item_at(bodies, 2), "rigid"), 1);
    double *centre = unpack_numbers(block_of(&show, rigid, "centres")),
           *d = unpack_values(block_of(&show, rigid, "displacement")),
           *turn = unpack_values(block_of(&show, rigid, "rotation")),
           *rate = unpack_values(block_of(&show, rigid, "angularVelocity"));
    double off = number(rigid, "displacementResolution") * 1.001;
    assert_true(off > 0 && off < 1e-4);
    for (int f = 0; f < 11; f++) {
        assert_near(centre[0] + d[4 * f], x[f], off);
        assert_near(centre[3] + d[4 * f + 3], y[f], off);
        assert_near(turn[2 * f + 1], 10 * 0.01 * f, number(rigid, "rotationResolution") * 1.001);
        assert_near(rate[2 * f + 1], 10, number(rigid, "angularVelocityResolution") * 1.001);
    }
    free(centre), free(d), free(turn), free(rate);
    const StickYaml *joint = item_at(member(show.animation, "joints"), 0);
    assert_string_equal(member(joint, "kind")->text, "spring");
    assert_int_equal(number(joint, "first"), 2);
    assert_string_equal(member(joint, "second")->text, "-1");
    close_show(&show);
}

// Fields have numbers for the nodes of the slab alone; extremes are of all.
static void nodes_of_rigid_bodies_have_no_fields(void **state)
{
    Show show;
    run_model(*state, RIGID);
    open_show(*state, roomy, &show);
    const StickYaml *bodies = member(show.animation, "bodies"), *velocity = field_of(&show, "velocity");
    int nodes = (int)number(item_at(bodies, 1), "nodes");
    assert_int_equal(nodes, 12);
    assert_int_equal(block_of(&show, velocity, "data")->count, 11 * nodes * 2);
    double rim = hypot(0.5 * 10, 0.1 * 10); // of the wheel in the end, or a little more
    assert_true(number(velocity, "most") >= rim && number(velocity, "most") <= 0.5 * 10 + 0.1 * 10);
    float *x = numbers_of(&show, "positions");
    for (int i = 0; i < 2 * (int)number(item_at(bodies, 0), "nodes"); i++)
        assert_true(fabsf(x[i]) == 0.5f); // from the mass centre
    free(x);
    assert_true(stick_yaml_is_null(member(show.animation, "forces")));
    for (int i = 0; i < 4; i++)
        assert_false(is_contact_node(&show, i));
    close_show(&show);
}

static void contacts_are_those_of_the_run(void **state)
{
    Show show;
    run_model(*state, RIGID);
    open_show(*state, roomy, &show);
    const StickYaml *contacts = member(show.animation, "contacts");
    uint32_t *counts = unpack_numbers(block_of(&show, contacts, "counts")),
             *first = unpack_numbers(block_of(&show, contacts, "first")),
             *second = unpack_numbers(block_of(&show, contacts, "second"));
    float *force = unpack_numbers(block_of(&show, contacts, "forces"));
    double *total = numbers_of(&show, "totalForce");
    assert_string_equal(member(contacts, "unit")->text, "N");
    assert_int_equal(counts[0], 0);
    int c = 0, some = 0;
    for (int f = 0; f < 11; f++) {
        double on[3] = {0};
        for (uint32_t k = 0; k < counts[f]; k++, c++) {
            assert_in_range(first[c], 0, 2);
            assert_in_range(second[c], 0, 3); // the floor is the fourth
            on[first[c]] += (double)force[2 * c + 1];
            if (second[c] < 3)
                on[second[c]] -= (double)force[2 * c + 1];
            some++;
        }
        for (int b = 0; b < 3; b++)
            assert_near(on[b], total[(f * 3 + b) * 2 + 1], 1e-3 * fabs(on[b]) + 1);
    }
    assert_true(some > 20);
    free(counts), free(force), free(first), free(second), free(total);
    close_show(&show);
}

// A pose in each frame instead of all nodes: 100 balls of more than 100 nodes in 6 frames.
static void bodies_alike_take_little_room(void **state)
{
    static const char model[] =
        "stickslip: 1\n"
        "materials: {a: {density: 1}}\n"
        "bodies:\n"
        "  ball: {rigid: {sphere: 0.4}, material: a, repeat: {i: [0, 9], j: [0, 9]},\n"
        "         position: [\"i + 0.01*sin(7*j)\", j, 0.5], velocity: [1, 2, 3], angular-velocity: [0, 9, "
        "1]}\n"
        "steps: [{name: fly, dynamics: {scheme: moreau, step: 0.01, end: 0.05}}]\n"
        "output: {fields: {every: 1}}\n";
    Show show;
    run_model(*state, model);
    open_show(*state, roomy, &show);
    assert_int_equal(number(show.animation, "frames"), 6);
    int nodes = (int)number(show.animation, "nodes"), bodies = member(show.animation, "bodies")->count;
    assert_int_equal(bodies, 100);
    assert_true(nodes > 100 * bodies);
    assert_true(show.pack.bytes < 50000); // 16 bits of displacement and velocity at all nodes were 800 kB
    close_show(&show);
}

// Without the files of bodies and contacts nothing is known.
static void frames_of_rigid_bodies_that_cannot_be_read_are_left_out(void **state)
{
    Show show;
    Scratch *scratch = *state;
    run_model(scratch, RIGID);
    assert_int_equal(remove(out_path(scratch, "fields/contacts-000003.vtu")), 0);
    assert_int_equal(remove(out_path(scratch, "fields/bodies-000005.vtu")), 0);
    open_show(scratch, roomy, &show);
    assert_int_equal(number(show.animation, "frames"), 9);
    assert_int_equal(show.loss.unreadable, 2);
    assert_int_equal(warnings_saying(show.ctx, "left out"), 2);
    close_show(&show);
    assert_int_equal(remove(out_path(scratch, "bodies.pvd")), 0);
    open_show(scratch, roomy, &show);
    assert_null(show.animation);
    assert_true(show.loss.broken);
    close_show(&show);
}

// ---- space

#define BOX                                                                                                  \
    "stickslip: 1\n"                                                                                         \
    "materials: {a: {law: elastic, young: 100, poisson: 0.3, density: 1}}\n"                                 \
    "bodies: {box: {mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}, material: a, velocity: [0, 0, -1]}}\n" \
    "obstacles: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"                                   \
    "contacts: [{between: [box.bottom, floor], friction: 0.2}]\n"                                            \
    "steps: [{name: fall, dynamics: {scheme: theta-euler, step: 0.01, end: 0.1}}]\n"                         \
    "output: {fields: {every: 1}}\n"

static void the_skin_of_a_box(void **state)
{
    Show show;
    run_model(*state, BOX);
    open_show(*state, roomy, &show);
    assert_int_equal(number(show.animation, "dimension"), 3);
    assert_int_equal(number(show.animation, "nodes"), 26);
    assert_int_equal(block_of(&show, show.animation, "positions")->count, 78);
    assert_int_equal(block_of(&show, show.animation, "triangles")->count, 144);
    assert_int_equal(block_of(&show, show.animation, "edges")->count, 96);
    assert_int_equal(member(show.animation, "contactNodes")->count, 9);
    // node 13 of 27 is inside: labels leave it out, and values are those of their nodes
    uint32_t *label = numbers_of(&show, "labels");
    float *x = numbers_of(&show, "positions");
    double *status = values_of(&show, "status"), *t = numbers_of(&show, "times");
    for (int i = 0; i < 26; i++) {
        assert_int_equal(label[i], i < 13 ? i : i + 1);
        assert_near((double)x[3 * i], 0.5 * (label[i] % 3), 1e-7);
        assert_near((double)x[3 * i + 2], 0.5 * (label[i] / 9), 1e-7);
        for (int f = 0; f < 11; f++)
            assert_true(status[26 * f + i] == 0 || x[3 * i + 2] == 0);
        assert_true(status[26 + i] != 0 || x[3 * i + 2] > 0);
    }
    free(label), free(x), free(status), free(t);
    close_show(&show);
}

// ---- room

static void as_much_as_there_is_room_for(void **state)
{
    Scratch *scratch = *state;
    Show show;
    run_model(scratch, BOX);
    open_show(scratch, roomy, &show);
    size_t all = show.pack.bytes;
    close_show(&show);
    int before = 11;
    bool thinned = false, none = false, coarse = false;
    for (size_t budget = 2 * all; budget > 100; budget = budget * 9 / 10) {
        open_show(scratch, (StickAnimationOptions){.budget = budget}, &show);
        assert_true(show.pack.bytes <= budget);
        assert_true(show.loss.frames <= before);
        assert_int_equal(show.loss.all_frames, 11);
        assert_int_equal(show.loss.none, show.animation == NULL);
        before = show.loss.frames;
        none = none || show.loss.none;
        coarse = coarse || (show.loss.coarse && show.loss.frames == 11);
        if (show.animation) {
            // the first and the last frame are always there, and all frames between are equally far apart
            double *t = numbers_of(&show, "times"), *u = values_of(&show, "displacement");
            int frames = (int)number(show.animation, "frames");
            assert_int_equal(frames, show.loss.frames);
            assert_int_equal(number(show.animation, "allFrames"), 11);
            assert_near(t[0], 0, 0);
            assert_near(t[frames - 1], 0.1, 1e-12);
            for (int f = 1; f + 1 < frames; f++)
                assert_near(t[f], f * t[1], 1e-12);
            assert_int_equal(block_of(&show, field_of(&show, "displacement"), "data")->type,
                             STICK_BLOB_INT16);
            assert_int_equal(block_of(&show, field_of(&show, "velocity"), "data")->type,
                             show.loss.coarse ? STICK_BLOB_INT8 : STICK_BLOB_INT16);
            thinned = thinned || frames < 11;
            free(t), free(u);
        } else {
            assert_int_equal(show.pack.count, 0);
        }
        close_show(&show);
    }
    assert_true(coarse && thinned && none);
    open_show(scratch, (StickAnimationOptions){.full = true, .budget = 1}, &show);
    assert_int_equal(show.loss.frames, 11);
    assert_false(show.loss.coarse);
    assert_true(show.pack.bytes > all);
    close_show(&show);
}

// ---- numbers as exact as the results are

// What the run wrote, by hand: values of a field in a frame of all points, three components in the file for a vector.
static double *results_of(Scratch *scratch, int frame, const char *field)
{
    char name[64];
    StickVtuFile *file;
    double *values;
    snprintf(name, sizeof name, "fields/frame-%06d.vtu", frame);
    assert_ok(scratch->ctx, stick_vtu_open(scratch->ctx, out_path(scratch, name), &file));
    assert_ok(scratch->ctx, stick_vtu_values(file, STICK_VTU_POINT_DATA, field, &values));
    stick_vtu_close(file);
    return values;
}

static double *exact_of(const Show *show, const StickYaml *map, const char *key)
{
    const StickBlobsBlock *block = block_of(show, map, key);
    assert_int_equal(block->type, STICK_BLOB_FLOAT64);
    return unpack_numbers(block);
}

// Extremes of every frame and total forces are those of the files, in however few bits the fields are.
static void assert_exact_sums(Scratch *scratch, const Show *show)
{
    const StickYaml *forces = member(show->animation, "forces"), *speed = field_of(show, "velocity");
    double *least = exact_of(show, speed, "frameLeast"), *most = exact_of(show, speed, "frameMost");
    double *strongest = exact_of(show, forces, "frameMost");
    double *total = exact_of(show, show->animation, "totalForce"), largest = 0;
    assert_int_equal(block_of(show, show->animation, "totalForce")->count, 11 * 2 * 2);
    for (int f = 0; f < 11; f++) {
        double *force = results_of(scratch, f, "contact_force"), *v = results_of(scratch, f, "velocity");
        double sum[4] = {0}, low = INFINITY, high = 0, strong = 0;
        for (int i = 0; i < 29; i++) {
            for (int k = 0; k < 2; k++)
                sum[(i < 21 ? 0 : 2) + k] += force[3 * i + k];
            low = fmin(low, hypot(v[3 * i], v[3 * i + 1]));
            high = fmax(high, hypot(v[3 * i], v[3 * i + 1]));
            strong = fmax(strong, hypot(force[3 * i], force[3 * i + 1]));
        }
        for (int k = 0; k < 4; k++)
            assert_near(total[4 * f + k], sum[k], 1e-13 * fmax(1, strong));
        assert_near(least[f], low, 1e-14);
        assert_near(most[f], high, 1e-14);
        assert_near(strongest[f], strong, 1e-14 * fmax(1, strong));
        largest = fmax(largest, strong);
        stick_free(scratch->ctx, force);
        stick_free(scratch->ctx, v);
    }
    assert_near(number(forces, "most"), largest, 1e-13 * largest);
    assert_true(largest > 0);
    free(least), free(most), free(strongest), free(total);
}

static void sums_and_extremes_are_exact(void **state)
{
    Show show;
    run_model(*state, BLOCKS);
    for (int budget = 4000; budget < 2000000; budget *= 2) {
        open_show(*state, (StickAnimationOptions){.budget = (size_t)budget}, &show);
        if (show.loss.frames == 11)
            assert_exact_sums(*state, &show);
        if (show.animation) { // half a step is what a number may be off
            const StickYaml *speed = field_of(&show, "velocity");
            assert_near(number(speed, "resolution"), 0.5 * block_of(&show, speed, "data")->scale, 1e-15);
            assert_true(number(field_of(&show, "status"), "resolution") == 0);
        }
        close_show(&show);
    }
    open_show(*state, (StickAnimationOptions){.full = true}, &show);
    assert_exact_sums(*state, &show);
    close_show(&show);
}

static void a_full_page_has_the_numbers_themselves(void **state)
{
    Scratch *scratch = *state;
    Show show;
    run_model(scratch, BLOCKS);
    open_show(scratch, (StickAnimationOptions){.full = true}, &show);
    const StickYaml *forces = member(show.animation, "forces");
    const StickBlobsBlock *block = block_of(&show, forces, "data");
    assert_int_equal(block->type, STICK_BLOB_FLOAT32);
    assert_false(block->quantised);
    assert_int_equal(block->width, 0);
    assert_int_equal(block_of(&show, field_of(&show, "displacement"), "data")->type, STICK_BLOB_FLOAT32);
    assert_int_equal(block_of(&show, field_of(&show, "gap"), "data")->type, STICK_BLOB_FLOAT32);
    assert_true(number(forces, "resolution") == 0);
    float *packed = unpack_numbers(block);
    for (int f = 0; f < 11; f++) {
        double *force = results_of(scratch, f, "contact_force");
        for (int i = 0; i < 29; i++)
            for (int k = 0; k < 2; k++)
                assert_true(packed[(29 * f + i) * 2 + k] == (float)force[3 * i + k]);
        stick_free(scratch->ctx, force);
    }
    free(packed);
    close_show(&show);
}

static void without_forces_there_is_no_total(void **state)
{
    Show show;
    run_model(*state, BARS);
    open_show(*state, roomy, &show);
    assert_true(stick_yaml_is_null(member(show.animation, "totalForce")));
    close_show(&show);
}

// Blocks that were there before stay, and the numbers of new ones follow.
static void blocks_before_stay(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    StickBlobs pack;
    StickText text;
    StickJson json;
    StickAnimationLoss loss;
    int number_of;
    run_model(scratch, BARS);
    for (int again = 0; again < 2; again++) {
        stick_blobs_init(&pack, ctx);
        stick_text_init(&text, ctx);
        stick_json_init(&json, &text);
        for (int k = 0; k < 3; k++)
            assert_ok(ctx, stick_blobs_add(&pack, STICK_BLOB_UINT8, "abc", 3, &number_of));
        StickAnimationOptions options = {.budget = again ? 10 : 100000};
        assert_ok(ctx, stick_animation_add(ctx, scratch_path(scratch, "out"), &options, &pack, &json, &loss));
        assert_true(again ? pack.count == 3 : pack.count > 3);
        assert_non_null(strstr(text.bytes, again ? "null" : "\"block\": 3"));
        stick_blobs_destroy(&pack);
        stick_text_destroy(&text);
    }
}

static void same_results_same_bytes(void **state)
{
    Show first, second;
    run_model(*state, BLOCKS);
    open_show(*state, (StickAnimationOptions){.budget = 4000}, &first);
    open_show(*state, (StickAnimationOptions){.budget = 4000}, &second);
    assert_string_equal(first.text.bytes, second.text.bytes);
    assert_int_equal(first.pack.count, second.pack.count);
    for (int k = 0; k < first.pack.count; k++)
        assert_string_equal(first.pack.block[k].base64, second.pack.block[k].base64);
    close_show(&first);
    close_show(&second);
}

// ---- what is missing or damaged

static void spoil(Scratch *scratch, const char *name, const char *bytes, size_t count)
{
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, out_path(scratch, name), bytes, count));
}

static void frames_that_cannot_be_read_are_left_out(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Show show;
    char *bytes;
    size_t count;
    run_model(scratch, BARS);
    size_t errors = stick_error_count(ctx);
    assert_int_equal(remove(out_path(scratch, "fields/frame-000003.vtu")), 0);
    assert_ok(ctx, stick_file_read(ctx, out_path(scratch, "fields/frame-000000.vtu"), &bytes, &count));
    spoil(scratch, "fields/frame-000000.vtu", bytes, count / 2);
    spoil(scratch, "fields/frame-000010.vtu", bytes, 0);
    stick_free(ctx, bytes);
    open_show(scratch, roomy, &show);
    assert_int_equal(show.loss.frames, 8);
    assert_int_equal(show.loss.all_frames, 11);
    assert_int_equal(show.loss.unreadable, 3);
    assert_int_equal(warnings_saying(ctx, "a frame is left out"), 3);
    assert_int_equal(stick_error_count(ctx), errors);
    double *t = numbers_of(&show, "times");
    assert_near(t[0], 0.1, 1e-12);
    assert_near(t[2], 0.4, 1e-12);
    assert_near(t[7], 0.9, 1e-12);
    free(t);
    close_show(&show);
}

// The series with another one in place of a text.
static void change_series(Scratch *scratch, const char *from, const char *to)
{
    char *bytes, *at;
    size_t count;
    StickText text;
    stick_text_init(&text, scratch->ctx);
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, out_path(scratch, "fields.pvd"), &bytes, &count));
    assert_non_null(at = strstr(bytes, from));
    stick_text_add_bytes(&text, bytes, (size_t)(at - bytes));
    stick_text_add(&text, "%s%s", to, at + strlen(from));
    spoil(scratch, "fields.pvd", text.bytes, text.length);
    stick_text_destroy(&text);
    stick_free(scratch->ctx, bytes);
}

static void frames_that_go_back_in_time_are_left_out(void **state)
{
    Scratch *scratch = *state;
    Show show;
    run_model(scratch, BARS);
    change_series(scratch, "\"0.5\"", "\"0.05\"");
    open_show(scratch, roomy, &show);
    assert_int_equal(show.loss.frames, 10);
    assert_int_equal(show.loss.unreadable, 1);
    assert_int_equal(warnings_saying(scratch->ctx, "goes back in time with 'fields/frame-000005.vtu'"), 1);
    double *t = numbers_of(&show, "times");
    for (int f = 1; f < 10; f++)
        assert_true(t[f] > t[f - 1]);
    free(t);
    close_show(&show);
}

// Files elsewhere, pipes and devices are not read: some of them never end.
static void frames_are_files_of_the_folder(void **state)
{
    Scratch *scratch = *state;
    Show show;
    char elsewhere[600];
    run_model(scratch, BARS);
    snprintf(elsewhere, sizeof elsewhere, "%s", out_path(scratch, "fields/frame-000001.vtu"));
    change_series(scratch, "fields/frame-000001.vtu", elsewhere);
    change_series(scratch, "fields/frame-000002.vtu", "../out/fields/frame-000002.vtu");
    change_series(scratch, "fields/frame-000003.vtu", "fields/../fields/frame-000003.vtu");
    assert_int_equal(remove(out_path(scratch, "fields/frame-000004.vtu")), 0);
    assert_int_equal(mkfifo(out_path(scratch, "fields/frame-000004.vtu"), 0600), 0);
    assert_int_equal(remove(out_path(scratch, "fields/frame-000005.vtu")), 0);
    assert_int_equal(symlink("/dev/zero", out_path(scratch, "fields/frame-000005.vtu")), 0);
    alarm(30); // a read that hangs ends the test
    open_show(scratch, roomy, &show);
    assert_int_equal(show.loss.unreadable, 5);
    assert_int_equal(show.loss.frames, 6);
    assert_int_equal(warnings_saying(scratch->ctx, "which is not in its folder"), 3);
    assert_int_equal(warnings_saying(scratch->ctx, "it is no regular file"), 2);
    close_show(&show);
    // nor is such a series, or such a model
    assert_int_equal(remove(out_path(scratch, "fields.pvd")), 0);
    assert_int_equal(mkfifo(out_path(scratch, "fields.pvd"), 0600), 0);
    open_show(scratch, roomy, &show);
    assert_null(show.animation);
    assert_true(show.loss.broken);
    close_show(&show);
    assert_int_equal(remove(out_path(scratch, "model.yaml")), 0);
    assert_int_equal(mkfifo(out_path(scratch, "model.yaml"), 0600), 0);
    open_show(scratch, roomy, &show);
    assert_true(show.loss.broken);
    close_show(&show);
    alarm(0);
}

// Another mesh has no place among these frames.
static void frames_of_another_mesh_are_left_out(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Show show;
    char *bytes;
    size_t count;
    run_model(scratch, BOX);
    assert_ok(ctx, stick_file_read(ctx, out_path(scratch, "fields/frame-000001.vtu"), &bytes, &count));
    run_model(scratch, BARS);
    spoil(scratch, "fields/frame-000004.vtu", bytes, count);
    stick_free(ctx, bytes);
    open_show(scratch, roomy, &show);
    assert_int_equal(show.loss.frames, 10);
    assert_int_equal(warnings_saying(ctx, "it has 27 points, but others have 5"), 1);
    close_show(&show);
}

static void assert_nothing_to_show(Scratch *scratch, const char *warning)
{
    Show show;
    stick_diagnostics_clear(scratch->ctx);
    open_show(scratch, roomy, &show);
    assert_null(show.animation);
    assert_int_equal(show.pack.count, 0);
    assert_false(show.loss.none);
    assert_int_equal(stick_error_count(scratch->ctx), 0);
    if (warning)
        assert_true(warnings_saying(scratch->ctx, warning) > 0);
    else
        assert_int_equal(stick_diagnostic_count(scratch->ctx), 0);
    close_show(&show);
}

static void folders_without_fields(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    assert_nothing_to_show(scratch, NULL); // no folder at all
    run_model(scratch, BARS);
    spoil(scratch, "model.yaml", "stickslip: 1\nbodies: 7\n", 23);
    assert_nothing_to_show(scratch, "there is no animation");
    run_model(scratch, BARS);
    assert_ok(ctx, stick_folder_remove(ctx, out_path(scratch, "fields")));
    assert_nothing_to_show(scratch, "a frame is left out");
    spoil(scratch, "fields.pvd", "<?xml", 5);
    assert_nothing_to_show(scratch, "there is no animation");
    assert_int_equal(remove(out_path(scratch, "fields.pvd")), 0);
    assert_nothing_to_show(scratch, NULL);
}

// Files of earlier versions lack fields: the others are there.
static void fields_that_files_do_not_have(void **state)
{
    Scratch *scratch = *state;
    StickContext *ctx = scratch->ctx;
    Show show;
    run_model(scratch, BOX);
    for (int f = 0; f <= 10; f++) {
        char name[64], *bytes;
        size_t count;
        snprintf(name, sizeof name, "fields/frame-%06d.vtu", f);
        assert_ok(ctx, stick_file_read(ctx, out_path(scratch, name), &bytes, &count));
        memcpy(strstr(bytes, "\"contact_pressure\""), "\"something_other_\"", 18);
        spoil(scratch, name, bytes, count);
        stick_free(ctx, bytes);
    }
    open_show(scratch, roomy, &show);
    assert_int_equal(show.loss.frames, 11);
    assert_null(field_of(&show, "contact_pressure"));
    assert_non_null(field_of(&show, "status"));
    close_show(&show);
}

typedef struct Task {
    char folder[512];
    StickAnimationOptions options;
} Task;

static StickStatus add_animation(StickContext *ctx, void *data)
{
    const Task *task = data;
    StickBlobs pack;
    StickText text;
    StickJson json;
    StickAnimationLoss loss;
    stick_blobs_init(&pack, ctx);
    stick_text_init(&text, ctx);
    stick_json_init(&json, &text);
    StickStatus status = stick_animation_add(ctx, task->folder, &task->options, &pack, &json, &loss);
    if (status != STICK_OK)
        assert_int_equal(pack.count, 0);
    if (status == STICK_OK)
        status = stick_text_status(&text);
    stick_blobs_destroy(&pack);
    stick_text_destroy(&text);
    return status;
}

// A box that falls on the ground, in three frames.
static void every_allocation_of_rigid_bodies_may_fail(void **state)
{
    static const char model[] = "stickslip: 1\n"
                                "materials: {a: {density: 1}}\n"
                                "bodies: {box: {rigid: {box: [1, 1]}, material: a, position: [0, 0.5]}}\n"
                                "obstacles: {ground: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
                                "gravity: [0, -10]\n"
                                "contacts: [{between: all, friction: 0.5}]\n"
                                "steps: [{name: rest, dynamics: {scheme: moreau, step: 0.01, end: 0.02}}]\n"
                                "output: {fields: {every: 1}}\n";
    Task task = {.options = roomy};
    run_model(*state, model);
    snprintf(task.folder, sizeof task.folder, "%s", scratch_path(*state, "out"));
    assert_survives_failing_memory(add_animation, &task);
}

static void every_allocation_may_fail(void **state)
{
    Task task = {.options = {.full = true}};
    run_model(*state, BARS);
    snprintf(task.folder, sizeof task.folder, "%s", scratch_path(*state, "out"));
    assert_survives_failing_memory(add_animation, &task);
    // with so little room that several tries are needed
    int frames = 11;
    for (task.options = (StickAnimationOptions){.budget = 3000}; frames > 9; task.options.budget -= 10) {
        Show show;
        open_show(*state, task.options, &show);
        frames = show.loss.frames;
        close_show(&show);
    }
    assert_in_range(frames, 3, 9);
    task.options.budget += 10;
    assert_survives_failing_memory(add_animation, &task);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(bars_that_fly),
        test_with_scratch(bodies_and_fields_of_bars),
        test_with_scratch(blocks_in_the_plane),
        test_with_scratch(forces_are_those_of_the_run),
        test_with_scratch(states_of_contact_nodes),
        test_with_scratch(rigid_bodies_are_where_they_are),
        test_with_scratch(nodes_of_rigid_bodies_have_no_fields),
        test_with_scratch(contacts_are_those_of_the_run),
        test_with_scratch(bodies_alike_take_little_room),
        test_with_scratch(frames_of_rigid_bodies_that_cannot_be_read_are_left_out),
        test_with_scratch(obstacles_move_as_prescribed),
        test_with_scratch(the_skin_of_a_box),
        test_with_scratch(as_much_as_there_is_room_for),
        test_with_scratch(sums_and_extremes_are_exact),
        test_with_scratch(a_full_page_has_the_numbers_themselves),
        test_with_scratch(without_forces_there_is_no_total),
        test_with_scratch(blocks_before_stay),
        test_with_scratch(same_results_same_bytes),
        test_with_scratch(frames_that_cannot_be_read_are_left_out),
        test_with_scratch(frames_that_go_back_in_time_are_left_out),
        test_with_scratch(frames_are_files_of_the_folder),
        test_with_scratch(frames_of_another_mesh_are_left_out),
        test_with_scratch(folders_without_fields),
        test_with_scratch(fields_that_files_do_not_have),
        test_with_scratch(every_allocation_of_rigid_bodies_may_fail),
        test_with_scratch(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("report.animation", tests, NULL, NULL);
}

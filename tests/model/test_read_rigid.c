// SPDX-License-Identifier: Apache-2.0
// Rigid bodies, their repetition, and their errors.
#include "model/rigid_models.h"

#include "base/clock.h"

static void a_pillar_is_read_block_by_block(void **state)
{
    StickModel *model = NULL;
    assert_ok(*state, read_rigid(*state, pillar, &model));
    assert_int_equal(model->nbodies, 18);
    assert_int_equal(model->nrigid, 18);
    assert_int_equal(model->dim, 2);
    const StickBodySpec *block = &model->body[1 * 9 + 4];
    assert_string_equal(block->name, "block[1,4]");
    assert_int_equal(block->repeat.index[0], 1);
    assert_int_equal(block->repeat.index[1], 4);
    assert_near(block->position[0], 0.675, 1e-15);
    assert_near(block->position[1], 1.8, 1e-15);
    // one shape for all
    assert_ptr_equal(block->rigid, model->body[0].rigid);
    assert_int_equal(block->rigid->nparts, 1);
    assert_int_equal(block->rigid->part[0].kind, STICK_PART_BOX);
    assert_near(block->rigid->part[0].size[1], 0.4, 0);
    const StickHistorySpec *gap = &model->output.history[0];
    assert_int_equal(gap->of.body, 0);
    assert_int_equal(gap->to.body, 9);
    // the dissipation of the contacts is that of the step
    double delta = 0;
    assert_int_equal(model->ncontacts, 0);
    assert_int_equal(model->nrules, 1);
    assert_int_equal(model->step[0].scheme, STICK_SCHEME_MOREAU);
    assert_ok(*state, stick_expression_value(model->step[0].dissipation, NULL, &delta));
    assert_near(delta, 1, 0);
    stick_model_destroy(model);
}

static void a_ground_that_starts_with_a_jump_is_told(void **state)
{
    static const struct {
        const char *motion;
        size_t warnings;
    } ground[] = {{"sin(5*t)", 1}, {"1 - cos(5*t)", 0}, {"0.5", 0}, {"t^2*sin(3*t)", 0}};
    for (size_t k = 0; k < sizeof ground / sizeof *ground; k++) {
        StickModel *model = NULL;
        char text[1000];
        snprintf(text, sizeof text,
                 STONES "bodies: {ball: {rigid: {disk: 1}, material: stone}}\n"
                        "obstacles: {ground: {plane: {point: [0, -1], normal: [0, 1]}, displacement: "
                        "[\"%s\", 0]}}\ncontacts: [{between: all}]\n" QUAKE,
                 ground[k].motion);
        stick_diagnostics_clear(*state);
        assert_ok(*state, read_rigid(*state, text, &model));
        assert_int_equal(stick_diagnostic_count(*state), ground[k].warnings);
        stick_model_destroy(model);
    }
}

// Bodies with prescribed motion, too: bodies on them receive the impact. A body that already has this velocity has no
// jump.
static void a_body_that_is_led_with_a_jump_is_told(void **state)
{
    static const struct {
        const char *motion, *velocity;
        size_t warnings;
    } table[] = {{"displacement: [\"sin(5*t)\", free]", "0", 1},
                 {"velocity: [\"cos(5*t)\", free]", "0", 1},
                 {"velocity: [\"cos(5*t)\", free]", "1", 0},
                 {"displacement: [\"1 - cos(5*t)\", 0]", "0", 0},
                 {"velocity: [2, 0]", "0", 0},
                 {"rotation: \"sin(t)\"", "0", 1},
                 {"rotation: \"1 - cos(t)\"", "0", 0},
                 {"angular-velocity: \"1 + t\"", "0", 1},
                 {"angular-velocity: 1", "0", 0}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        StickModel *model = NULL;
        char text[1000];
        snprintf(text, sizeof text,
                 STONES "bodies: {table: {rigid: {box: [2, 1]}, material: stone, velocity: [%s, 0]}}\n"
                        "supports: [{on: table, %s}]\n" QUAKE,
                 table[k].velocity, table[k].motion);
        stick_diagnostics_clear(*state);
        assert_ok(*state, read_rigid(*state, text, &model));
        assert_int_equal(stick_diagnostic_count(*state), table[k].warnings);
        stick_model_destroy(model);
    }
}

static void what_touches_nothing_is_told(void **state)
{
    static const struct {
        const char *text;
        const char *says; // NULL: nothing
    } model_of[] = {
        {"bodies: {ball: {rigid: {disk: 1}, material: stone}}\n"
         "obstacles: {floor: {plane: {point: [0, -1], normal: [0, 1]}}}\n",
         "obstacle 'floor' has no effect, because the model has no contacts: add a rule such as '{between: "
         "all, friction: 0.3}' for all rigid bodies and obstacles"},
        {"bodies: {ball: {rigid: {disk: 1}, material: stone}}\n"
         "obstacles: {floor: {plane: {point: [0, -1], normal: [0, 1]}}}\n"
         "joints: [{pin: {between: [ball, floor], at: [0, 0]}}]\n",
         NULL},
        {"bodies: {ball: {rigid: {disk: 1}, material: stone}, pad: {mesh: {rectangle: {size: [1, 1], cells: "
         "[1, 1]}}, material: rubber}}\ncontacts: [{between: all}]\n",
         "the deformable body 'pad' has no contacts, because rules such as 'all' are for rigid bodies: name "
         "its surface, as ["},
        {"bodies: {ball: {rigid: {disk: 1}, material: stone}, pad: {mesh: {rectangle: {size: [1, 1], cells: "
         "[1, 1]}}, material: rubber}}\ncontacts: [{between: all}, {between: [pad.top, ball]}]\n",
         NULL},
    };
    for (size_t k = 0; k < sizeof model_of / sizeof *model_of; k++) {
        StickModel *model = NULL;
        char text[1000];
        snprintf(text, sizeof text, STONES "%s" QUAKE, model_of[k].text);
        stick_diagnostics_clear(*state);
        assert_ok(*state, read_rigid(*state, text, &model));
        assert_int_equal(stick_diagnostic_count(*state), model_of[k].says ? 1 : 0);
        if (model_of[k].says)
            assert_non_null(strstr(stick_diagnostic(*state, 0)->text, model_of[k].says));
        stick_model_destroy(model);
    }
}

static void shapes_are_read(void **state)
{
    StickModel *model = NULL;
    assert_ok(
        *state,
        read_rigid(*state,
                   STONES
                   "bodies:\n"
                   "  ball: {rigid: {sphere: 0.5}, material: stone}\n"
                   "  pill: {rigid: {capsule: {radius: 0.1, length: 0.4}}, material: wood, rotation: [0, "
                   "deg(90), 0]}\n"
                   "  roll: {rigid: {cylinder: {radius: 0.1, length: 0.4}}, material: wood, rotation: "
                   "{axis: [0, 0, 2], angle: 0.3}}\n"
                   "  tet: {rigid: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, material: wood}\n"
                   "  part: {rigid: {hull: {file: part.msh}, mass: 2, inertia: [1, 1, 1.5]}}\n"
                   "  hammer: {rigid: {compound: [{box: [1, 2, 3]}, {sphere: 1, position: [0, 0, 2], "
                   "rotation: [1, 0, 0]}]}, material: stone, velocity: [1, 2, 3], angular-velocity: [0, 0, "
                   "4]}\n" QUAKE,
                   &model));
    const StickBodySpec *body = model->body;
    assert_int_equal(model->nbodies, 6);
    assert_near(body[0].rigid->part[0].radius, 0.5, 0);
    assert_int_equal(body[1].rigid->part[0].kind, STICK_PART_CAPSULE);
    assert_near(body[1].turn[1], 1.5707963267948966, 1e-15);
    assert_near(body[2].turn[2], 0.3, 1e-15);
    assert_int_equal(body[3].rigid->part[0].npoints, 4);
    assert_near(body[3].rigid->part[0].points[3 * 3 + 2], 1, 0);
    assert_string_equal(body[4].rigid->part[0].file, "folder/part.msh");
    assert_int_equal(body[4].material, -1);
    assert_near(body[4].rigid->mass, 2, 0);
    assert_near(body[4].rigid->inertia[2], 1.5, 0);
    const StickRigidSpec *hammer = body[5].rigid;
    assert_int_equal(hammer->nparts, 2);
    assert_int_equal(hammer->part[1].kind, STICK_PART_SPHERE);
    assert_near(hammer->part[1].position[2], 2, 0);
    assert_near(hammer->part[1].rotation[0], 1, 0);
    assert_near(body[5].start_velocity[2], 3, 0);
    assert_near(body[5].angular_velocity[2], 4, 0);
    stick_model_destroy(model);
}

// All numbers of a repeated body may depend on its indices; consecutive equal shapes are shared.
static void repeated_shapes_may_differ(void **state)
{
    StickModel *model = NULL;
    assert_ok(*state,
              read_rigid(
                  *state,
                  STONES
                  "parameters: {k: 2}\n"
                  "bodies:\n"
                  "  disk: {rigid: {disk: \"j < 3 and 0.1 or 0.1*k\"}, material: stone, repeat: {j: [1, 4]}, "
                  "position: [j, 0], velocity: [0, \"-j\"], rotation: deg(10)*j}\n" QUAKE,
                  &model));
    const StickBodySpec *disk = model->body;
    assert_int_equal(model->nbodies, 4);
    assert_string_equal(disk[3].name, "disk[4]");
    assert_near(disk[1].rigid->part[0].radius, 0.1, 1e-15);
    assert_near(disk[2].rigid->part[0].radius, 0.2, 1e-15);
    assert_ptr_equal(disk[0].rigid, disk[1].rigid);
    assert_ptr_equal(disk[2].rigid, disk[3].rigid);
    assert_near(disk[3].start_velocity[1], -4, 0);
    assert_near(disk[3].turn[2], 40 * 3.14159265358979323846 / 180, 1e-15);
    stick_model_destroy(model);
}

static void many_bodies_are_read_soon_in_little_memory(void **state)
{
    StickModel *model = NULL;
    double start = stick_clock_cpu();
    assert_ok(*state,
              read_rigid(*state,
                         STONES
                         "bodies: {ball: {rigid: {sphere: 0.5}, material: stone, repeat: {i: [1, 50], j: "
                         "[1, 40], k: [1, 50]}, position: [i, j, \"k + 0.01*sin(i)\"]}}\n" QUAKE,
                         &model));
    assert_int_equal(model->nbodies, 100000);
    assert_string_equal(model->body[99999].name, "ball[50,40,50]");
    assert_near(model->body[99999].position[2], 50 + 0.01 * sin(50), 1e-12);
    assert_below((double)stick_memory_now(*state), 80e6);
    assert_below(stick_clock_cpu() - start, 20);
    stick_model_destroy(model);
}

static void supports_and_loads_act_on_rigid_bodies(void **state)
{
    StickModel *model = NULL;
    assert_ok(*state,
              read_rigid(*state,
                         STONES
                         "bodies: {block: {rigid: {box: [1, 1]}, material: stone, repeat: {i: [0, 1], j: [0, "
                         "2]}, position: [2*i, 2*j]}}\n"
                         "supports: [{on: \"block[*,0]\", displacement: [\"sin(t)\", free], rotation: 0}]\n"
                         "loads: [{on: \"block[1, 2]\", force: [1, \"t\"], at: [0.5, 0], follows: true},"
                         " {on: block, torque: \"2*t\"}]\n" QUAKE,
                         &model));
    const StickSupportSpec *support = model->support;
    int first = stick_target_next(model, &support->on, -1),
        second = stick_target_next(model, &support->on, first);
    assert_int_equal(first, 0);
    assert_int_equal(second, 3);
    assert_int_equal(stick_target_next(model, &support->on, second), -1);
    assert_non_null(support->displacement[0]);
    assert_null(support->displacement[1]);
    assert_non_null(support->rotation);
    const StickLoadSpec *load = model->load;
    assert_int_equal(load[0].on.body, 5);
    assert_true(load[0].has_point && load[0].follows);
    assert_near(load[0].point[0], 0.5, 0);
    assert_int_equal(load[1].kind, STICK_LOAD_TORQUE);
    assert_non_null(load[1].value[2]);
    int count = 0;
    for (int b = -1; (b = stick_target_next(model, &load[1].on, b)) >= 0;)
        count++;
    assert_int_equal(count, 6);
    stick_model_destroy(model);
}

static void joints_are_read(void **state)
{
    StickModel *model = NULL;
    assert_ok(
        *state,
        read_rigid(*state,
                   STONES
                   "bodies:\n"
                   "  link: {rigid: {box: [1, 0.1]}, material: stone, repeat: {i: [0, 4]}, position: [\"i "
                   "+ 0.5\", 0]}\n"
                   "  slide: {rigid: {box: [1, 1]}, material: stone, position: [9, 0]}\n"
                   "joints:\n"
                   "  - {name: chain, pin: {between: [\"link[i]\", \"link[i+1]\"], at: [\"i + 1\", 0]}, "
                   "repeat: {i: [0, 3]}}\n"
                   "  - {pin: {between: [\"link[0]\"], at: [0, 0]}}\n"
                   "  - {slider: {between: [slide], axis: [3, 4]}}\n"
                   "  - {motor: {between: [\"link[0]\"], angle: \"2*t\"}}\n"
                   "  - {gear: {between: [\"link[0]\", \"link[1]\"], ratio: -2}}\n"
                   "  - {spring: {between: [\"link[4]\", slide], from: [5, 0], to: [8.5, 0], stiffness: "
                   "10, damping: 1}}\n"
                   "  - {distance: {between: [\"link[4]\", slide], from: [5, 0], to: [8.5, 0], length: "
                   "3.5}}\n" QUAKE,
                   &model));
    const StickJointSpec *joint = model->joint;
    assert_int_equal(model->njoints, 10);
    assert_string_equal(joint[2].name, "chain[2]");
    assert_int_equal(joint[2].body, 2);
    assert_int_equal(joint[2].other_body, 3);
    assert_near(joint[2].point[0], 3, 0);
    assert_string_equal(joint[4].name, "joint5");
    assert_int_equal(joint[4].other_body, -1);
    assert_int_equal(joint[4].other_obstacle, -1);
    assert_near(joint[5].axis[1], 0.8, 1e-15);
    assert_false(joint[5].has_point);
    assert_true(joint[6].motion && !joint[6].slides);
    assert_near(joint[7].ratio, -2, 0);
    assert_near(joint[8].length, -1, 0);
    assert_near(joint[9].length, 3.5, 0);
    stick_model_destroy(model);
}

// ---- mistakes

#define BLOCK                                                                                           \
    "  block: {rigid: {box: [1, 1]}, material: stone, repeat: {i: [0, 1], j: [0, 2]}, position: [2*i, " \
    "2*j]}\n"
#define HINGE "joints: [{name: hinge, pin: {between: [\"block[0,0]\"], at: [0, 0]}}]\n"
#define PLANE "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"

// Line and column in the text after the two lines of materials.
typedef struct Mistake {
    const char *text;
    int line, column;
    const char *says;
} Mistake;

static void assert_named(StickContext *ctx, const Mistake *mistake, size_t count)
{
    int bad = 0;
    for (size_t k = 0; k < count; k++) {
        StickModel *model = NULL;
        char text[2000];
        snprintf(text, sizeof text, STONES "%s", mistake[k].text);
        stick_diagnostics_clear(ctx);
        assert_int_equal(read_rigid(ctx, text, &model), STICK_BAD_INPUT);
        const StickDiagnostic *said = stick_diagnostic(ctx, 0);
        bool good = said->line == mistake[k].line && said->column == mistake[k].column &&
                    strstr(said->text, mistake[k].says);
        if (!good || stick_diagnostic_count(ctx) > 2) {
            print_error("%s says %d:%d: %s\n", mistake[k].text, said->line, said->column, said->text);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

static void mistakes_of_shapes(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies: {b: {rigid: {box: [1]}, material: stone}}\n" QUAKE, 3, 27,
         "'box' has 1 components, but needs 3"},
        {"bodies: {b: {rigid: {box: [1, 0]}, material: stone}}\n" QUAKE, 3, 31,
         "'box' is 0, but must be > 0"},
        {"bodies: {b: {rigid: {bax: [1, 1]}, material: stone}}\n" QUAKE, 3, 22, "did you mean 'box'?"},
        {"bodies: {b: {rigid: {disk: 1, sphere: 1}, material: stone}}\n" QUAKE, 3, 21, "exactly one of"},
        {"bodies: {b: {rigid: {polygon: [[0, 0], [1, 0]]}, material: stone}}\n" QUAKE, 3, 31,
         "'polygon' has 2 points, but needs at least 3"},
        {"bodies: {b: {rigid: {polygon: [[0, 0], [1, 0], [1, 1, 1]]}, material: stone}}\n" QUAKE, 3, 48,
         "'polygon' has 3 components, but needs 2"},
        {"bodies: {b: {rigid: {hull: {fil: a.msh}}, material: stone}}\n" QUAKE, 3, 29,
         "did you mean 'file'?"},
        {"bodies: {b: {rigid: {compound: []}, material: stone}}\n" QUAKE, 3, 21, "'compound' has no parts"},
        {"bodies: {b: {rigid: {compound: [{disk: 1}, {sphere: 1}]}, material: stone}}\n" QUAKE, 3, 44,
         "this part has dimension 3, but the first one has dimension 2"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

static void mistakes_of_bodies(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies: {b: {rigid: {disk: 1}}}\n" QUAKE, 3, 13, "needs the key 'material', or a mass in 'rigid'"},
        {"bodies: {b: {rigid: {disk: 1, mass: 0}}}\n" QUAKE, 3, 37, "'mass' is 0, but must be > 0"},
        {"bodies: {b: {rigid: {disk: 1, inertia: 2}, material: stone}}\n" QUAKE, 3, 31,
         "'inertia' also requires 'mass'"},
        {"bodies: {b: {rigid: {sphere: 1, mass: 1, inertia: [1, 1, 3]}}}\n" QUAKE, 3, 51,
         "larger than the sum"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, rotation: [1, 0, 0]}}\n" QUAKE, 3, 59,
         "'rotation' is a list, but must be an angle in the plane"},
        {"bodies: {b: {rigid: {sphere: 1}, material: stone, rotation: 1}}\n" QUAKE, 3, 61,
         "a list of 3 numbers or {axis: ..., angle: ...} in space"},
        {"bodies: {b: {rigid: {sphere: 1}, material: stone, rotation: {axis: [0, 0, 0], angle: 1}}}\n" QUAKE,
         3, 68, "it must be a direction"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, plane: strain}}\n" QUAKE, 3, 49,
         "'plane' is for deformable"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, velocity: [1]}}\n" QUAKE, 3, 59,
         "'velocity' has 1 component, but the bodies have dimension 2"},
        {"bodies: {c: {mesh: {bar: {length: 1, elements: 1}}, material: rubber}, b: {rigid: {disk: 1}, "
         "material: "
         "stone}}\n" QUAKE,
         3, 76, "this shape has dimension 2, but another body has dimension 1"},
        {"bodies: {b: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: stone}}\n" QUAKE, 2, 13,
         "material 'stone' needs the key 'young': body 'b' is deformable"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

static void mistakes_of_repeats(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies: {b: {rigid: {disk: 1}, material: stone, repeat: {l: [0, 1]}}}\n" QUAKE, 3, 58,
         "unknown index 'l'"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, repeat: {i: [0]}}}\n" QUAKE, 3, 61,
         "the index 'i' has 1 bounds, but needs two: [first, last]"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, repeat: {i: [2, 1]}}}\n" QUAKE, 3, 61,
         "the index 'i' runs from 2 to 1, an empty range: swap the bounds"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, repeat: {i: [0, 1000], j: [0, 1000]}}}\n" QUAKE, 3,
         10, "more than 1000000 members"},
        {"parameters: {i: 1}\nbodies: {b: {rigid: {disk: 1}, material: stone, repeat: {i: [0, 1]}}}\n" QUAKE,
         4, 58, "the index 'i' is also a parameter"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone, repeat: {i: [0, 99]}, position: [i, j]}}\n" QUAKE,
         3, 85, "unknown name 'j'"},
        {"bodies: {b: {rigid: {disk: \"1 - i\"}, material: stone, repeat: {i: [0, 99]}}}\n" QUAKE, 3, 28,
         "'disk' is 0, but must be > 0"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

static void mistakes_of_supports_and_loads(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies:\n" BLOCK "supports: [{on: \"block[0,3]\", displacement: [0, 0]}]\n" QUAKE, 5, 17,
         "index 2 is 3, but must be a whole number from 0 to 2"},
        {"bodies:\n" BLOCK "supports: [{on: \"block[0]\", displacement: [0, 0]}]\n" QUAKE, 5, 17,
         "'block[0]' has 1 indices, but 'block' has 2"},
        {"bodies:\n" BLOCK "supports: [{on: \"blok[0,1]\", displacement: [0, 0]}]\n" QUAKE, 5, 17,
         "unknown body 'blok'; did you mean 'block'?"},
        {"bodies:\n" BLOCK "supports: [{on: \"block[0,1\", displacement: [0, 0]}]\n" QUAKE, 5, 17,
         "has a [ without ]"},
        {"bodies:\n" BLOCK "supports: [{on: block.left, displacement: [0, 0]}]\n" QUAKE, 5, 17,
         "body 'block[0,0]' is rigid: name the body"},
        {"bodies:\n" BLOCK "supports: [{on: block, rotation: 0, angular-velocity: 1}]\n" QUAKE, 5, 37,
         "give only one of them"},
        {"bodies:\n" BLOCK "loads: [{on: block, pressure: 1}]\n" QUAKE, 5, 9, "'force' or 'torque' only"},
        {"bodies:\n" BLOCK "loads: [{on: block, torque: 1, at: [0, 0]}]\n" QUAKE, 5, 32,
         "'at' requires 'force': the effect of a torque does not depend on its position"},
        {"bodies:\n" BLOCK "loads: [{on: block, torque: [1, 0, 0]}]\n" QUAKE, 5, 29,
         "one number in the plane"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

static void mistakes_of_steps_and_results(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies:\n" BLOCK "steps: [{dynamics: {scheme: theta, step: 1, end: 2}}]\n", 5, 29,
         "the scheme 'theta' is for deformable bodies: rigid ones need 'moreau'"},
        {"bodies:\n" BLOCK "steps: [{quasistatic: {end: 2}}]\n", 5, 9,
         "rigid bodies move in dynamic steps only"},
        {"bodies:\n" BLOCK QUAKE "output: {history: [{name: a, of: block, what: position.x}]}\n", 6, 34,
         "'block' stands for several bodies: name one of them, as block[0,0]"},
        {"bodies:\n" BLOCK QUAKE
         "output: {history: [{name: a, of: \"block[0,0]\", what: contact_pressure}]}\n",
         6, 54, "contacts of rigid bodies are points, without pressure: use 'contact_force.normal'"},
        {"bodies: {b: {rigid: {disk: 1}, material: stone}}\n"
         "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, record: {file: a.csv, along: [0, "
         "0]}}}\n" QUAKE,
         4, 90, "'along' is 0: it must be a direction"},
        {"bodies:\n" BLOCK QUAKE "output: {history: [{name: a, of: \"block[0,0]\", what: distance}]}\n", 6,
         34, "'distance' is of two bodies"},
        {"bodies:\n" BLOCK QUAKE
         "output: {history: [{name: a, of: \"block[0,0]\", what: angular_velocity.x}]}\n",
         6, 54, "'angular_velocity' accepts no component here"},
        {"bodies:\n" BLOCK QUAKE
         "output: {history: [{name: a, of: [\"block[0,0]\", \"block[0,0]\"], what: distance}]}\n",
         6, 34, "to itself"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

static void mistakes_of_joints(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies:\n" BLOCK "joints: [{pin: {between: [block], at: [0, 0]}}]\n" QUAKE, 5, 27,
         "several bodies"},
        {"bodies:\n" BLOCK "joints: [{pin: {between: [\"block[0,0]\", \"block[0,0]\"], at: [0, 0]}}]\n" QUAKE,
         5, 26, "to itself"},
        {"bodies:\n" BLOCK "joints: [{pin: {between: [\"block[0,0]\"], at: [0, 0], axis: [0, 1]}}]\n" QUAKE,
         5, 54, "'axis' is for three dimensions"},
        {"bodies:\n" BLOCK "joints: [{slider: {between: [\"block[0,0]\"], axis: [0, 0]}}]\n" QUAKE, 5, 51,
         "it must be a direction"},
        {"bodies:\n" BLOCK
         "joints: [{spring: {between: [\"block[0,0]\"], from: [0, 0], to: [0, 0], damping: 1}}]\n" QUAKE,
         5, 19, "'from' and 'to' coincide"},
        {"bodies:\n" BLOCK
         "joints: [{spring: {between: [\"block[0,0]\"], from: [0, 0], to: [0, 1]}}]\n" QUAKE,
         5, 19, "a spring needs 'stiffness' or 'damping'"},
        {"bodies:\n" BLOCK "joints: [{gear: {between: [\"block[0,0]\", \"block[0,1]\"], ratio: 0}}]\n" QUAKE,
         5, 64, "'ratio' is 0, but must be nonzero"},
        {"bodies:\n" BLOCK "joints: [{motor: {between: [\"block[0,0]\"], velocity: 1}}]\n" QUAKE, 5, 18,
         "'motor' needs the key 'axis'"},
        {"bodies:\n" BLOCK PLANE "joints: [{fixed: {between: [floor, \"block[0,0]\"]}}]\n" QUAKE, 6, 29,
         "the first of a joint must be a body"},
        {"bodies:\n" BLOCK
         "joints: [{name: a, fixed: {between: [\"block[0,0]\"]}}, {name: a, fixed: {between: "
         "[\"block[0,1]\"]}}]\n" QUAKE,
         5, 55, "two joints have the name 'a'"},
        {"bodies:\n" BLOCK HINGE QUAKE "output: {history: [{name: a, of: hinge, what: velocity.x}]}\n", 7, 47,
         "'hinge' is a joint, which has force, moment, tension and power: use one of these"},
        {"bodies:\n" BLOCK HINGE QUAKE "output: {history: [{name: a, of: \"block[0,0]\", what: force.x}]}\n",
         7, 34, "'force' is a quantity of joints: name a joint"},
        {"bodies:\n" BLOCK HINGE QUAKE "output: {history: [{name: a, of: hinge, what: tension}]}\n", 7, 47,
         "'tension' is for distance joints and springs only: use 'force'"},
        {"bodies:\n" BLOCK HINGE QUAKE "output: {history: [{name: a, of: hinge, what: moment.x}]}\n", 7, 47,
         "'moment' accepts no component here"},
        {"bodies:\n" BLOCK HINGE QUAKE "output: {history: [{name: a, of: hinge, what: force.z}]}\n", 7, 47,
         "'force' accepts .x or .y here"},
        // a body without a valid shape does not define the axes of space: only its own error is reported
        {"bodies:\n  block: {rigid: {box: [wide, 1]}, material: stone}\n" QUAKE
         "output: {history: [{name: a, of: block, what: position.x}, {name: b, of: block, what: "
         "angular_velocity}]}\n",
         4, 25, "unknown name 'wide'"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

static void mistakes_of_names_and_contacts(void **state)
{
    static const Mistake mistakes[] = {
        {"bodies:\n" BLOCK "contacts: [{between: all, reach: 0.1}]\n" QUAKE, 5, 27,
         "'reach' is for named surfaces"},
        {"bodies:\n" BLOCK "obstacles: {block: {plane: {point: [0, 0], normal: [0, 1]}}}\n" QUAKE, 5, 13,
         "a body is also named 'block': rename one of them"},
        {"bodies:\n" BLOCK "joints: [{name: block, fixed: {between: [\"block[0,0]\"]}}]\n" QUAKE, 5, 10,
         "a body is also named 'block': give the joint another name"},
        {"bodies:\n" BLOCK PLANE "joints: [{name: floor, fixed: {between: [\"block[0,0]\"]}}]\n" QUAKE, 6, 10,
         "an obstacle is also named 'floor': give the joint another name"},
        {"bodies:\n" BLOCK HINGE QUAKE "output: {history: [{name: a, of: hnge, what: force.x}]}\n", 7, 34,
         "unknown body, obstacle or joint 'hnge'; did you mean 'hinge'?"},
        {"bodies: {all: {rigid: {disk: 1}, material: stone}}\n" QUAKE, 3, 10,
         "a body cannot be called 'all'"},
        {"bodies: {a: {rigid: {disk: 1}, material: stone}}\ncontacts: [{between: [a, a]}]\n" QUAKE, 4, 22,
         "'a' is a single rigid body and cannot touch itself: name another body, or a material"},
        {"bodies: {a: {rigid: {disk: 1}, material: stone}}\ncontacts: [{between: all, restitution: 0.5}]\n"
         "steps: [{dynamics: {scheme: moreau, step: 1, end: 2, dissipation: 0.5}}]\n",
         4, 12, "'restitution' requires a 'dissipation' of 1, but step '"},
    };
    assert_named(*state, mistakes, sizeof mistakes / sizeof *mistakes);
}

// An error in the only rigid body causes no error about the contacts.
static void one_mistake_is_told_once(void **state)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(*state);
    assert_int_equal(read_rigid(*state,
                                STONES "bodies: {a: {rigid: {disk: -1}, material: stone}}\ncontacts: "
                                       "[{between: all}, {between: [a, all]}]\n" QUAKE,
                                &model),
                     STICK_BAD_INPUT);
    assert_int_equal(stick_diagnostic_count(*state), 1);
    stick_diagnostics_clear(*state);
    assert_int_equal(read_rigid(*state,
                                STONES "bodies: {a: {rigid: {dsk: 1}, material: stone}}\ncontacts: "
                                       "[{between: all}]\n" QUAKE,
                                &model),
                     STICK_BAD_INPUT);
    assert_null(strstr(stick_last_error(*state), "the model has none"));
}

static StickStatus read_and_forget(StickContext *ctx, void *user)
{
    StickModel *model = NULL;
    STICK_TRY(read_rigid(ctx, user, &model));
    stick_model_destroy(model);
    return STICK_OK;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    assert_survives_failing_memory(read_and_forget, (void *)pillar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(a_pillar_is_read_block_by_block),
        test_with_context(a_ground_that_starts_with_a_jump_is_told),
        test_with_context(a_body_that_is_led_with_a_jump_is_told),
        test_with_context(what_touches_nothing_is_told),
        test_with_context(shapes_are_read),
        test_with_context(repeated_shapes_may_differ),
        test_with_context(many_bodies_are_read_soon_in_little_memory),
        test_with_context(supports_and_loads_act_on_rigid_bodies),
        test_with_context(joints_are_read),
        test_with_context(mistakes_of_shapes),
        test_with_context(mistakes_of_bodies),
        test_with_context(mistakes_of_repeats),
        test_with_context(mistakes_of_supports_and_loads),
        test_with_context(mistakes_of_steps_and_results),
        test_with_context(mistakes_of_joints),
        test_with_context(mistakes_of_names_and_contacts),
        test_with_context(one_mistake_is_told_once),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests_name("model.read_rigid", tests, NULL, NULL);
}

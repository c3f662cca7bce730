// SPDX-License-Identifier: Apache-2.0
// Models of rigid bodies that cannot be meant: refused by name, with their place and a code, and nothing left behind.
#include "cli/program.h"

enum { SLOWEST = 5 };

typedef struct Mistake {
    const char *bodies, *rest; // lines 3 on; obstacles, gravity and a step come behind
    int code;
    const char *said;
} Mistake;

#define HEAD "stickslip: 1\nmaterials: {stone: {density: 2500}, rubber: {young: 1e6, density: 1000}}\n"
#define FLOOR "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\n"
#define SHAKEN(what) "obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}, " what "}}\n"
#define TOUCH "contacts: [{between: all, friction: 0.3}]\n"
#define STEP "steps: [{dynamics: {step: 1e-3, end: 0.01}}]\n"
#define ONE "bodies: {a: {rigid: {box: [1, 1]}, material: stone, position: [0, 0.5]}}\n"
#define TWO                                                                                              \
    "bodies:\n  a: {rigid: {box: [1, 1]}, material: stone, position: [0, 0.5]}\n  b: {rigid: {box: [1, " \
    "1]}, "                                                                                              \
    "material: stone, position: [0.2, 1.4]}\n"
#define APART                                                                                            \
    "bodies:\n  a: {rigid: {box: [1, 1]}, material: stone, position: [0, 0.5]}\n  b: {rigid: {box: [1, " \
    "1]}, "                                                                                              \
    "material: stone, position: [0.2, 1.5]}\n"
#define SOLID(shape) "bodies: {a: {rigid: {" shape "}, material: stone}}\n"

static const Mistake mistakes[] = {
    // what overlaps
    {TWO, FLOOR TOUCH STEP, 4,
     "model.yaml:4:3: error: body 'a' is inside of body 'b' by 0.1 at the start: move them apart, or give "
     "the "
     "contact 'overclosure: adjust'"},
    {"bodies: {a: {rigid: {disk: 0.5}, material: stone, position: [0, 0.2]}}\n", FLOOR TOUCH STEP, 4,
     "model.yaml:3:10: error: body 'a' is inside of obstacle 'floor' by 0.3 at the start"},
    {TWO,
     "supports: [{on: a, velocity: [0, 0], rotation: 0}, {on: b, velocity: [0, 0], rotation: 0}]\n" TOUCH
     "steps: [{dynamics: {step: 1e-3, end: 0.01, overlap: seperate}}]\n",
     4, "did you mean 'separate'?"},
    // shapes
    {SOLID("polygon: [[0, 0], [2, 0], [2, 2], [1, 0.5], [0, 2]]"), STEP, 4,
     "model.yaml:3:21: error: body 'a' is not convex: corner 4, (1, 0.5)"},
    {SOLID("polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]"), STEP, 4, "the outline crosses itself"},
    {SOLID("polygon: [[0, 0], [1, 1], [2, 2]]"), STEP, 4, "they lie on a line"},
    {SOLID("polygon: [[0, 0], [0, 0], [0, 0]]"), STEP, 4, "model.yaml:3:"},
    {SOLID("hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]"), STEP, 4, "lie in a plane"},
    {SOLID("hull: {file: none.msh}"), STEP, 7, "model.yaml:3:21: error: there is no mesh file"},
    {SOLID("hull: {file: quake.csv}"), STEP, 4, "model.yaml:3:21: error: the mesh file"},
    {SOLID("disk: 1e-200"), STEP, 4, "out of range"},
    {"bodies: {a: {rigid: {disk: 1, mass: 0}}}\n", STEP, 4, "'mass' is 0, but must be > 0"},
    // repetitions and names
    {"bodies: {a: {rigid: {disk: 1}, material: stone, repeat: {i: [1, 1e9]}}}\n", STEP, 4,
     "more than 1000000 members"},
    {"bodies: {a: {rigid: {disk: 1}, material: stone, repeat: {i: [0, 1]}, position: [3*i, 0]}}\n",
     "loads: [{on: \"a[3]\", force: [1, 0]}]\n" STEP, 4, "must be a whole number from 0 to 1"},
    // joints
    {ONE,
     "joints: [{pin: {between: [a], at: [0, 0]}}, {motor: {between: [a], angle: t}}, {name: twice, motor: "
     "{between: [a], angle: 2*t}}]\n" STEP,
     4, "joint 'twice' contradicts other joints or supports"},
    {ONE,
     "supports: [{on: a, displacement: [0, 0], rotation: 0}]\njoints: [{pin: {between: [a], at: [0, 0]}}, "
     "{motor: {between: [a], angle: t}}]\n" STEP,
     4, "joint 'joint2' contradicts other joints or supports"},
    {TWO,
     TOUCH
     "joints: [{pin: {between: [b], at: [0, 1.4]}}]\nsteps: [{dynamics: {step: 1e-3, end: 0.01, overlap: "
     "separate}}]\n",
     4, "place those of joints without overlap"},
    {APART, "joints: [{distance: {between: [a, b], from: [0, 0], to: [0, 2], length: 5}}]\n" STEP, 4,
     "it keeps the distance 5, but at the start its points are 2 apart"},
    {ONE, "joints: [{pin: {between: [a], at: [0, 0]}}, {motor: {between: [a], angle: 1 + t}}]\n" STEP, 4,
     "its motion must begin with 0"},
    {"bodies: {a: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, material: rubber}, b: {rigid: {disk: "
     "1}, "
     "material: stone, position: [3, 0]}}\n",
     "joints: [{pin: {between: [b, a], at: [0, 0]}}]\n" STEP, 4,
     "'a' is deformable: joints are between rigid"},
    // records
    {ONE, SHAKEN("record: {file: none.csv, along: [1, 0]}") TOUCH STEP, 4, "there is no such file"},
    {ONE, SHAKEN("record: {file: gap.csv, along: [1, 0]}") TOUCH STEP, 4,
     "has a gap: no sample between the times 0.1 and 0.4, where 0.1 is a step"},
    {ONE, SHAKEN("record: {file: hole.csv, along: [1, 0]}") TOUCH STEP, 4,
     "hole.csv:3:1: error: '' is not a number: the record has a gap here"},
    {ONE, SHAKEN("record: {file: quake.csv, along: [1, 0], baseline: linaer}") TOUCH STEP, 4,
     "did you mean 'linear'?"},
    {ONE, SHAKEN("record: {file: quake.csv, along: [1, 0], column: nz}") TOUCH STEP, 4, "has no column 'nz'"},
    // laws and steps
    {ONE, FLOOR "contacts: [{between: all, friction: -0.3}]\n" STEP, 4, "'friction' is -0.3"},
    {ONE, FLOOR "contacts: [{between: [stone, stne]}]\n" STEP, 4, "did you mean 'stone'?"},
    {ONE, "steps: [{quasistatic: {end: 1}}]\n", 4, "rigid bodies move in dynamic steps only"},
    {ONE, "steps: [{dynamics: {scheme: theta-euler, step: 1e-3, end: 1}}]\n", 4, "rigid ones need 'moreau'"},
};

static void write_records(const char *folder)
{
    write_text(folder, "quake.csv", "t,ns\n0,0\n0.1,1\n0.2,-1\n0.3,0\n");
    write_text(folder, "gap.csv", "t,ns\n0,0\n0.1,1\n0.4,-1\n0.5,0\n");
    write_text(folder, "hole.csv", "t,ns\n0,0\n0.1,\n0.2,-1\n0.3,0\n");
    write_text(folder, "jump.csv", "t,ns\n0,1\n0.1,1\n0.2,-1\n0.3,0\n");
}

static void write_rigid(const char *folder, const char *bodies, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, HEAD "%s%s", bodies, rest);
    write_text(folder, "model.yaml", text);
}

static void test_mistakes(void **state)
{
    static const char *const lines[] = {"run model.yaml -o out --quiet", "check model.yaml"};
    Scratch *scratch = *state;
    int bad = 0;
    write_records(scratch->folder);
    for (size_t k = 0; k < 2 * sizeof mistakes / sizeof *mistakes; k++) {
        const Mistake *mistake = &mistakes[k / 2];
        write_rigid(scratch->folder, mistake->bodies, mistake->rest);
        Outcome outcome = run_line(scratch->folder, lines[k % 2]);
        bool good = outcome.code == mistake->code && strstr(outcome.err, mistake->said) &&
                    outcome.seconds < SLOWEST && !exists(scratch->folder, "out");
        if (!good)
            print_error("%s%s'%s' ends with %d: %s\n", mistake->bodies, mistake->rest, lines[k % 2],
                        outcome.code, outcome.err);
        bad += !good;
        forget(&outcome);
    }
    assert_int_equal(bad, 0);
}

// What may be meant is told and run.
static void test_warnings(void **state)
{
    static const struct {
        const char *bodies, *rest, *said;
    } doubtful[] = {
        {ONE, SHAKEN("displacement: [\"sin(5*t)\", 0]") TOUCH STEP,
         "starts with a jump of its velocity along x"},
        {ONE, SHAKEN("record: {file: jump.csv, what: velocity, along: [1, 0]}") TOUCH STEP,
         "starts with a jump of the velocity, by 1, which causes an impact on bodies in contact: start the "
         "record from rest"},
        {ONE, SHAKEN("record: {file: quake.csv, start: 50, baseline: linear, along: [1, 0]}") TOUCH STEP,
         "the record of obstacle 'floor' goes from t = 50 to 50.3, but the model runs from 0 to 0.01"},
        {ONE, SHAKEN("record: {file: quake.csv, scale: 0, along: [1, 0]}") TOUCH STEP,
         "the record of obstacle 'floor' has no motion: its samples, times 'scale', are 0"},
        {ONE, "supports: [{on: a, velocity: [\"cos(t)\", free]}]\n" STEP,
         "starts with a jump of its velocity"},
        {ONE, FLOOR STEP,
         "obstacle 'floor' has no effect, because the model has no contacts: add a rule such as '{between: "
         "all, friction: 0.3}' for all rigid bodies and obstacles"},
        {TWO, FLOOR TOUCH "steps: [{dynamics: {step: 1e-3, end: 0.01, overlap: separate}}]\n",
         "bodies are pushed apart at the start; 'a' was inside of 'b' by 0.1"},
    };
    Scratch *scratch = *state;
    write_records(scratch->folder);
    for (size_t k = 0; k < sizeof doubtful / sizeof *doubtful; k++) {
        write_rigid(scratch->folder, doubtful[k].bodies, doubtful[k].rest);
        expect(scratch->folder, "check model.yaml", 0, doubtful[k].said);
        expect(scratch->folder, "run model.yaml -o out --force --quiet", 0, doubtful[k].said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_mistakes),
        test_with_scratch(test_warnings),
    };
    return cmocka_run_group_tests_name("cli.malformed_rigid", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// All errors of a model file are reported in one pass, each with its place.
#include "check.h"
#include "model/two_bars.h"

#include "base/clock.h"

// The text with one part replaced by another.
static char *edited(const char *text, const char *part, const char *by)
{
    const char *at = strstr(text, part);
    if (!at)
        fail_msg("'%s' is not in the model", part);
    char *result = malloc(strlen(text) + strlen(by) + 1);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    return result;
}

static void complain_about(const char *what, const StickContext *ctx)
{
    print_error("'%s' gives\n", what);
    for (size_t k = 0; k < stick_diagnostic_count(ctx); k++) {
        const StickDiagnostic *said = stick_diagnostic(ctx, k);
        print_error("  %d:%d: %s\n", said->line, said->column, said->text);
    }
    fail();
}

// Reads a model with one mistake: one error, at its place.
static void assert_refused(StickContext *ctx, const char *what, const char *text, int line, int column,
                           const char *says)
{
    StickModel *model = NULL;
    stick_diagnostics_clear(ctx);
    StickStatus status = read_model(ctx, text, &model);
    if (status != STICK_BAD_INPUT || model || stick_diagnostic_count(ctx) != 1)
        complain_about(what, ctx);
    const StickDiagnostic *said = stick_diagnostic(ctx, 0);
    if (said->line != line || said->column != column || !strstr(said->text, says) ||
        !stick_text_equal(said->file, "m.yaml"))
        complain_about(what, ctx);
}

static void mistakes_are_named_with_their_place(void **state)
{
    // the model of two bars with a part replaced
    static const struct {
        const char *part, *by;
        int line, column;
        const char *says;
    } mistakes[] = {
        {"stickslip: 1\n", "\n", 2, 1, "a model needs the key 'stickslip'"},
        {"stickslip: 1\n", "stickslip: 2\n", 1, 12, "'stickslip' is 2, but must be equal to 1"},
        {"title: Impact of two elastic bars", "title: [a]", 2, 8, "'title' needs one value, not a list"},
        {"title:", "titel:", 2, 1, "unknown key 'titel' in a model; did you mean 'title'?"},
        {"density: 7895.7", "density:7895.7", 5, 58,
         "unknown key 'density:7895.7' in a material; put a blank after its colon"},
        {"title:", "qwertyuiop:", 2, 1, "unknown key 'qwertyuiop' in a model; known: stickslip, title"},
        {"title:", "stickslip:", 2, 1, "the key 'stickslip' is repeated; it is also at line 1"},
        {"title: Impact", "title: &a Impact", 2, 8, "anchors such as '&a' are not allowed"},
        {"title: Impact of two elastic bars", "title: *a", 2, 8, "aliases such as '*a' are not allowed"},
        {"parameters: {v0: 5.13588,", "parameters: {v0: 5.13588, t: 1,", 3, 27,
         "a parameter cannot be named 't', which has a meaning in expressions: rename it"},
        {"parameters: {v0: 5.13588,", "parameters: {v0: 5.13588, sin: 1,", 3, 27,
         "a parameter cannot be named 'sin', which has a meaning in expressions: rename it"},
        {"parameters: {v0: 5.13588,", "parameters: {v0: 5.13588, a-b: 1,", 3, 27,
         "the name 'a-b' of a parameter"},
        {"parameters: {v0: 5.13588,", "parameters: {v0: 5.13588, a: ,", 3, 30, "parameter 'a' needs a value"},
        {"v0: 5.13588", "v0: 2*pii", 3, 18, "unknown name 'pii'; did you mean 'pi'?"},
        {"v0: 5.13588", "v0: 2*length", 3, 18, "unknown name 'length'"},
        {"v0: 5.13588", "v0: [1]", 3, 18, "'v0' needs one value, not a list"},
        {"v0: 5.13588", "v0: 1 > 0", 3, 18, "parameter 'v0' is true or false"},
        {"density: 7895.7", "density: -1", 5, 67, "'density' is -1, but must be > 0"},
        {"density: 7895.7", "density: 0", 5, 67, "'density' is 0, but must be > 0"},
        {"density: 7895.7", "density: .nan", 5, 67, "'density' is .nan, not a finite number"},
        {"density: 7895.7", "density: 0/0", 5, 67, "not a finite number"},
        {"density: 7895.7", "density: 1e999", 5, 67, "not a finite number"},
        {"density: 7895.7", "density: true", 5, 67, "the value is true, not a number"},
        {"density: 7895.7", "density: [1]", 5, 67, "'density' needs one value, not a list"},
        {"density: 7895.7", "density: ~", 5, 67, "'density' needs a value, not nothing"},
        {"density: 7895.7", "density: heavy", 5, 67, "unknown name 'heavy'"},
        {"density: 7895.7", "density: t", 5, 67, "'t' is not available in this expression"},
        {"density: 7895.7", "density: scheme", 5, 67, "the value is the text 'modified-theta', not a number"},
        {", density: 7895.7", "", 5, 10, "a material needs the key 'density'"},
        {"density: 7895.7", "density: 1, densty: 1", 5, 70,
         "unknown key 'densty' in a material; did you mean 'density'?"},
        {"poisson: 0.0", "poisson: 0.5", 5, 53, "'poisson' is 0.5, but must be > -1 and < 0.5"},
        {"poisson: 0.0", "poisson: -1", 5, 53, "'poisson' is -1"},
        {"law: elastic", "law: elastoplastic", 5, 16, "unknown law 'elastoplastic'"},
        {"density: 7895.7", "density: 1, viscosity: {shear: -1}", 5, 89, "'shear' is -1, but must be >= 0"},
        {"materials:\n", "materials:\n  st.eel: {young: 1, density: 1}\n", 5, 3,
         "the name 'st.eel' must be made of"},
        {"elements: 20", "elements: 0", 7, 50, "'elements' is 0, but must be >= 1"},
        {"elements: 20", "elements: 2.5", 7, 50, "'elements' is 2.5, but must be a whole number"},
        {"length: length, elements", "length: lenght, elements", 7, 32,
         "unknown name 'lenght'; did you mean 'length'?"},
        {"length: length, elements", "elements", 7, 23, "a bar needs the key 'length'"},
        {"{bar: {length: length, elements: 20}}", "{bra: {length: 1}}", 7, 18,
         "unknown key 'bra' in a mesh; did you mean 'bar'?"},
        {"bar: {length: length, elements: 20}", "", 7, 17,
         "a mesh needs exactly one of 'bar', 'rectangle', 'box'"},
        {"{bar: {length: length, elements: 20}}", "{bar: {length: 1, elements: 1}, file: a.msh}", 7, 17,
         "but has more"},
        {"{bar: {length: length, elements: 20}}", "bar", 7, 17, "a mesh must be a mapping, but is a text"},
        {"material: steel", "material: steal", 7, 66, "unknown material 'steal'; did you mean 'steel'?"},
        {"material: steel", "material: steel, thickness: 0", 7, 84, "'thickness' is 0, but must be > 0"},
        {"material: steel", "material: steel, element: cubic", 7, 82, "unknown element 'cubic'"},
        {"material: steel", "material: steel, plane: strian", 7, 80,
         "unknown plane 'strian'; did you mean 'strain'?"},
        {"material: steel", "material: steel, position: [0, 0]", 7, 83,
         "'position' has 2 components, but the bodies have dimension 1"},
        {"material: steel", "material: steel, rotation: 1", 7, 3,
         "body 'left' has a 'rotation', which is for two dimensions only, but the model has"},
        {"material: steel", "material: steel, angular-velocity: 1", 7, 3,
         "'angular-velocity' of body 'left' must be left out"},
        {"material: steel", "material: steel, angular-velocity: [1, 2]", 7, 91, "needs one number or 3"},
        {"velocity: [v0]", "velocity: [v0, 0]", 7, 83,
         "'velocity' has 2 components, but the bodies have dimension 1"},
        {"velocity: [v0]", "velocity: []", 7, 83, "'velocity' has 0 components"},
        {"velocity: [v0]", "velocity: [1, 2, 3, 4]", 7, 83,
         "'velocity' has 4 components, but needs 1, 2 or 3"},
        {"velocity: [v0]", "velocity: v0", 7, 83, "'velocity' needs a list, not a text"},
        {"velocity: [v0]", "velocity: [v0*t]", 7, 84, "'t' is not available in this expression"},
        {"velocity: [v0]", "velocity: [free]", 7, 84, "unknown name 'free'"},
        {"velocity: [v0]", "velocity: ['(function() while true do end end)()']", 7, 84, "it runs too long"},
        {"velocity: [v0]", "velocity: ['(\"x\"):rep(1e9)']", 7, 84, "attempt to index a string value"},
        {"velocity: [v0]", "velocity: ['os.exit(1)']", 7, 84, "unknown name 'os'"},
        {"origin: [length]", "origin: [1, 2]", 8, 62, "'origin' has 2 components, but needs 1"},
        {"left.end, right", "lfet.end, right", 10, 16, "unknown body 'lfet'; did you mean 'left'?"},
        {"left.end, right", "left., right", 10, 16, "names no group"},
        {"left.end, right", "left, right", 10, 16, "'left' is a body: name one of its groups"},
        {"right.start]", "wall]", 10, 26, "unknown body, obstacle or material 'wall'"},
        {"right.start]", "right]", 10, 26, "'right' is a body: name one of its groups"},
        {"right.start]", "left.end]", 10, 26, "'left.end' cannot touch itself"},
        {"right.start]", "right.start, left.start]", 10, 15, "'between' has 3 members"},
        {"friction: 0", "friction: -0.1", 10, 50, "'friction' is -0.1, but must be >= 0"},
        {"friction: 0", "friction: 0, method: node", 10, 61, "unknown method 'node'; did you mean 'nodes'?"},
        {"friction: 0", "friction: 0, reach: 0", 10, 60, "'reach' is 0, but must be > 0"},
        {"scheme: scheme,", "scheme: newmarc,", 12, 39, "unknown scheme 'newmarc'; did you mean 'newmark'?"},
        {"scheme: scheme,", "scheme: v0,", 12, 39, "unknown scheme 'v0'"},
        {"theta: 0.55", "theta: 2", 12, 54, "'theta' is 2, but must be > 0 and <= 1"},
        {"theta: 0.55", "theta: 0", 12, 54, "'theta' is 0"},
        {"step: 0.2226e-5", "step: 0", 12, 66, "'step' is 0, but must be > 0"},
        {"step: 0.2226e-5", "step: 1", 12, 66, "'step' is 1, but must be at most the end 0.0002"},
        {"step: 0.2226e-5", "step: 1e-300", 12, 66, "too many"},
        {"end: 0.2e-3", "end: -1", 12, 82, "'end' is -1"},
        {"solver: lemke}", "solver: lemke}\n  - {dynamics: {step: 1e-5, end: 0.2e-3}}", 13, 34,
         "'end' is 0.0002, but must be later than the end of the previous step, 0.00020034"},
        {"solver: lemke}", "solver: lemke}\n  - {dynamics: {step: 1e-5, end: 0.2001e-3}}", 13, 34,
         "but must be later than the end of the previous step, 0.00020034"},
        {", end: 0.2e-3", "", 12, 30, "dynamics needs the key 'end'"},
        {"name: impact", "name: a/b", 12, 12, "the name 'a/b' must be made of"},
        {"dynamics:", "quasistatik:", 12, 20, "unknown key 'quasistatik' in a step"},
        {"dynamics: {scheme: scheme, theta: 0.55, step: 0.2226e-5, end: 0.2e-3}",
         "quasistatic: {end: 1, theta: 0.5}", 12, 42, "unknown key 'theta' in quasistatic"},
        {"dynamics: {scheme: scheme, theta: 0.55, step: 0.2226e-5, end: 0.2e-3}", "quasistatic: {}", 12, 33,
         "quasistatic needs the key 'end'"},
        {"dynamics: {scheme: scheme, theta: 0.55, step: 0.2226e-5, end: 0.2e-3}",
         "quasistatic: {end: 1, increments: 0}", 12, 54, "'increments' is 0, but must be >= 1"},
        {"dynamics: {scheme: scheme, theta: 0.55, step: 0.2226e-5, end: 0.2e-3}",
         "quasistatic: {end: 1, follow: event}", 12, 50, "unknown follow 'event'; did you mean 'events'?"},
        {"solver: lemke}", "solver: lemke}\n  - {quasistatic: {end: 1}}", 13, 5,
         "a quasistatic step cannot follow the dynamic step 'impact'"},
        {"solver: lemke", "solver: lemkee", 12, 99, "unknown solver 'lemkee'; did you mean 'lemke'?"},
        {"solver: lemke", "solver: {facets: 6}", 12, 108, "'facets' is 6, but must be a multiple of 4"},
        {"solver: lemke", "solver: {facets: 2}", 12, 108, "'facets' is 2, but must be >= 4"},
        {"solver: lemke", "solver: {tolerance: 0}", 12, 111, "'tolerance' is 0"},
        {"solver: lemke", "solver: [lemke]", 12, 99, "a solver must be a mapping, but is a list"},
        {"vary: {scheme:", "vary: {shceme:", 13, 16, "unknown parameter 'shceme'; did you mean 'scheme'?"},
        {"vary: {scheme: [theta, ", "vary: {scheme: [theta, theta, ", 13, 8,
         "two cases have the name 'theta'"},
        {"vary: {scheme: [theta, ", "vary: {v0: [], scheme: [theta, ", 13, 20, "'v0' has no values"},
        {"{vary: {scheme: [theta, theta-euler, modified-theta, newmark]}}", "{a: {vo: 1}}", 13, 13,
         "unknown parameter 'vo'"},
        {"{vary: {scheme: [theta, theta-euler, modified-theta, newmark]}}", "{a: {v0: [1]}}", 13, 17,
         "needs one value, not a list"},
        {"cases: {vary:", "cases: {a: {v0: 1}, vary:", 13, 8,
         "'cases' has both 'vary' and named cases: give only one of them"},
        {"that: max(contact_force)", "that: max(contact_force", 15, 12, "must be a name or reduce(name)"},
        {"that: max(contact_force)", "that: mx(contact_force)", 15, 12,
         "unknown reduction 'mx'; did you mean"},
        {"within-percent: 4", "within: 1, within-percent: 4", 15, 5,
         "exactly one of 'within' and 'within-percent'"},
        {", within-percent: 4", "", 15, 5, "exactly one of 'within' and 'within-percent'"},
        {"at-most: 1e-9", "at-most: 1e-9, at-least: 0", 16, 5,
         "exactly one of 'is', 'at-most', 'at-least', but has more"},
        {"at-most: 1e-9", "at-most: 1e-9, within: 1", 16, 43, "'within' requires 'is'"},
        {"at-most: 1e-9", "at-most: 1e-9, from: 1", 16, 49,
         "is a number of the summary: a time window does not apply"},
        {"when: scheme == 'theta'", "when: scheme", 16, 49, "but must be true or false"},
        {"every: 5", "every: -1", 18, 19, "'every' is -1"},
        {"  fields: {every: 5}", "  profiles: [{name: p, of: left.end, at: [2, 1]}]", 18, 42,
         "times must ascend, but 1 follows 2"},
        {"  fields: {every: 5}", "  profiles: [{name: p, of: left.end, at: []}]", 18, 42,
         "'at' has no times"},
        {"  fields: {every: 5}", "  profiles: [{name: p, of: left.end, at: 1}]", 18, 42,
         "'at' needs a list, not a text"},
        {"  fields: {every: 5}",
         "  profiles: [{name: p, of: left.end, at: [1]}, {name: p, of: left.end, at: [1]}]", 18, 48,
         "two profiles have the name 'p'"},
        {"  fields: {every: 5}", "  marks: [{t: 1}]", 18, 11, "a mark needs the key 'text'"},
        {"name: contact_force,", "name: contact_velocity,", 21, 7,
         "two histories have the name 'contact_velocity'"},
        {"what: velocity.x", "what: velocty.x", 20, 52,
         "unknown quantity 'velocty'; did you mean 'velocity'?"},
        {"what: velocity.x", "what: contact_presure", 20, 52,
         "unknown quantity 'contact_presure'; did you mean 'contact_pressure'?"},
        {"what: velocity.x", "what: contact_pressure.x", 20, 52, "'contact_pressure' has no components"},
        {"what: velocity.x", "what: reaction.tangential", 20, 52,
         "'reaction' has the components x, y and z only"},
        {"what: velocity.x", "what: velocity.w", 20, 52, "unknown component 'w'"},
        {"what: velocity.x", "what: gap.x", 20, 52, "'gap' has no components"},
        {"what: velocity.x", "what: velocity.normal", 20, 52,
         "'velocity' has the components x, y and z only"},
        {"what: velocity.x", "what: velocity.x, each: yes", 20, 70,
         "'each' is yes, but must be true or false"},
        {"of: left.end, what: velocity.x", "of: midle, what: gap", 20, 36,
         "unknown body or obstacle 'midle'"},
        {"t < 9.925257e-5 and", "x < 9.925257e-5 and", 21, 73, "'x' is not available in this expression"},
        {"contacts:", "supports: []\nsupports: []\ncontacts:", 10, 1,
         "the key 'supports' is repeated; it is also at line"},
        {"contacts:", "supports: {a: 1}\ncontacts:", 9, 11, "'supports' needs a list, not a mapping"},
        {"contacts:", "supports: [{on: left.start}]\ncontacts:", 9, 12, "prescribes nothing"},
        {"contacts:", "supports: [{on: left.start, displacement: [~]}]\ncontacts:", 9, 12,
         "prescribes nothing"},
        {"contacts:", "supports: [{on: left.start, displacement: [0], velocity: [0]}]\ncontacts:", 9, 58,
         "component 1 has both a displacement and a velocity: give only one of them"},
        {"contacts:", "loads: [{on: left.start}]\ncontacts:", 9, 9,
         "exactly one of 'pressure', 'traction', 'force', 'torque', 'hold', but has none"},
        {"contacts:", "loads: [{on: left.start, force: [1], pressure: 1}]\ncontacts:", 9, 9, "but has more"},
        {"contacts:", "gravity: [0, -9.81]\ncontacts:", 9, 10,
         "'gravity' has 2 components, but the bodies have dimension 1"},
        {"contacts:", "obstacles: {w: {plane: {point: [0], normal: [0]}}}\ncontacts:", 9, 45,
         "'normal' has the length 0"},
        {"contacts:", "obstacles: {left: {plane: {point: [0], normal: [1]}}}\ncontacts:", 9, 13,
         "a body is also named 'left'"},
        {"contacts:", "obstacles: {w: {circle: {centre: [0, 0], radius: 1}}}\ncontacts:", 9, 34,
         "'centre' has 2 components, but the bodies have dimension 1"},
        {"contacts:", "obstacles: {w: {plane: {point: [0], normal: [1]}, velocity: [x]}}\ncontacts:", 9, 62,
         "'x' is not available in this expression"},
        {"contacts:", "obstacles: {w: {polyline: {points: [[0, 0]]}}}\ncontacts:", 9, 36,
         "at least 2 points"},
        {"contacts:", "obstacles: [1]\ncontacts:", 9, 12, "'obstacles' needs a mapping, not a list"},
        {"  - {between", "  - {betwixt: 1, between", 10, 6,
         "unknown key 'betwixt' in a contact; did you mean 'between'?"},
        {"  - {between: [left.end, right.start], friction: 0}", "  - left", 10, 5,
         "a contact must be a mapping, but is a text"},
    };
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        char *text = edited(two_bars, mistakes[k].part, mistakes[k].by);
        assert_refused(ctx, mistakes[k].by, text, mistakes[k].line, mistakes[k].column, mistakes[k].says);
        free(text);
    }
}

static void texts_that_are_no_models_are_refused(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *says;
    } texts[] = {
        {"", 1, 1, "the file is empty"},
        {"\n# only words\n", 1, 1, "the file is empty"},
        {"- stickslip: 1\n", 1, 1, "must be a mapping, but is a list"},
        {"stickslip: 1\nbodies:\n\tleft: 1\n", 3, 1, "a tab"},
        {"stickslip: 1\ntitle: \xc3\x28\n", 2, 9, "not UTF-8 text:"},
        {"stickslip: 1\n---\nstickslip: 1\n", 2, 1, "a second YAML document: a file must have only one"},
        {"a: &a [*a]\n", 1, 4, "anchors such as '&a'"},
        {"stickslip: {{}: 1}\n", 1, 13, "a key must be a word"},
    };
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_refused(ctx, texts[k].text, texts[k].text, texts[k].line, texts[k].column, texts[k].says);
}

static void deep_texts_are_refused_at_once(void **state)
{
    enum { DEEP = 100000 };
    static char flow[DEEP + 4] = "k: ", block[2 * DEEP + 4] = "k:\n";
    memset(flow + 3, '[', DEEP);
    for (int k = 0; k < DEEP; k++)
        memcpy(block + 3 + 2 * k, "- ", 2);
    double start = stick_clock_cpu();
    assert_refused(*state, "flow", flow, 1, 67, "nested deeper than 64 levels");
    assert_refused(*state, "block", block, 2, 127, "nested deeper than 64 levels");
    assert_below(stick_clock_cpu() - start, 1);
}

static const char wrong[] =
    "stickslip: 1\n"
    "titel: x\n"
    "parameters: {a: 1 +, b: 2*a}\n"
    "materials: {steel: {young: -1, poisson: 0.5, densty: 1}}\n"
    "bodies:\n"
    "  left: {mesh: {bar: {length: 1, elements: 0}}, material: steal, velocity: [b]}\n"
    "  right: {mesh: {rectangle: {size: [1, 1], cells: [1]}}, material: steel}\n"
    "contacts: [{between: [left.end, rihgt.start], friction: -1}]\n"
    "steps: [{dynamics: {scheme: thta, step: 1, end: 2}}]\n"
    "output: {history: [{name: a b, of: left.end, what: gap}]}\n";

static void all_errors_of_a_file_are_said_at_once(void **state)
{
    static const struct {
        int line;
        const char *says;
    } expected[] = {
        {2, "unknown key 'titel' in a model"},
        {3, "in '1 +'"},
        {4, "'young' is -1"},
        {4, "'poisson' is 0.5"},
        {4, "unknown key 'densty' in a material"},
        {6, "'elements' is 0"},
        {6, "unknown material 'steal'"},
        {7, "'cells' has 1 components"},
        {8, "unknown body 'rihgt'; did you mean 'right'?"},
        {8, "'friction' is -1"},
        {9, "unknown scheme 'thta'; did you mean 'theta'?"},
        {10, "the name 'a b'"},
    };
    StickContext *ctx = *state;
    StickModel *model = NULL;
    assert_int_equal(read_model(ctx, wrong, &model), STICK_BAD_INPUT);
    assert_null(model);
    size_t count = sizeof expected / sizeof *expected;
    for (size_t k = 0; k < count; k++) {
        bool found = false;
        for (size_t j = 0; j < stick_diagnostic_count(ctx); j++) {
            const StickDiagnostic *said = stick_diagnostic(ctx, j);
            found = found || (said->line == expected[k].line && strstr(said->text, expected[k].says));
        }
        if (!found)
            complain_about(expected[k].says, ctx);
    }
    if (stick_error_count(ctx) != count)
        complain_about("more than expected", ctx);
}

// A repeated key does not hide what else is wrong.
static void repeated_keys_are_read_on(void **state)
{
    StickContext *ctx = *state;
    StickModel *model = NULL;
    char *text = edited(two_bars, "title:", "stickslip: 1\ntitel:");
    assert_int_equal(read_model(ctx, text, &model), STICK_BAD_INPUT);
    assert_int_equal(stick_error_count(ctx), 2);
    free(text);
}

// Keys without effect and unstable settings are accepted with a warning at their place; not if the scheme is a
// parameter.
static void doubtful_keys_are_told(void **state)
{
    static const struct {
        const char *by;
        int column; // 0: no message
        const char *says;
    } keys[] = {
        {"scheme: scheme, theta: 0.55, beta: 0.3", 0, ""},
        {"scheme: newmark, beta: 0.3, gamma: 0.6", 0, ""},
        {"scheme: theta, theta: 0.5", 0, ""},
        {"scheme: newmark, theta: 0.55", 48, "'theta' has no effect with the scheme 'newmark'"},
        {"theta: 0.55, gamma: 0.5", 44, "'gamma' has no effect with the scheme 'theta'"},
        {"scheme: theta-euler, beta: 0.3", 52, "'beta' has no effect with the scheme 'theta-euler'"},
        {"scheme: theta, theta: 0.4", 53, "'theta' is 0.4: below 0.5 the scheme is unstable"},
    };
    StickContext *ctx = *state;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        StickModel *model = NULL;
        char *text = edited(two_bars, "scheme: scheme, theta: 0.55", keys[k].by);
        stick_diagnostics_clear(ctx);
        assert_ok(ctx, read_model(ctx, text, &model));
        if (stick_diagnostic_count(ctx) != (keys[k].column != 0))
            complain_about(keys[k].by, ctx);
        const StickDiagnostic *said = keys[k].column ? stick_diagnostic(ctx, 0) : NULL;
        if (said && (said->severity != STICK_WARNING || said->line != 12 || said->column != keys[k].column ||
                     !strstr(said->text, keys[k].says)))
            complain_about(keys[k].by, ctx);
        stick_model_destroy(model);
        free(text);
    }
}

// A section with 100000 members; a # in the member stands for its number.
static void write_long(StickText *text, const char *head, const char *member, const char *tail)
{
    const char *number = strchr(member, '#');
    stick_text_add(text, "%s", head);
    for (int k = 0; k < 100000; k++) {
        if (number)
            stick_text_add(text, "%.*s%d%s", (int)(number - member), member, k, number + 1);
        else
            stick_text_add(text, "%s", member);
    }
    stick_text_add(text, "%s", tail);
}

// Reading gives up when nothing is right, and never takes long.
static void hostile_lengths_end_soon(void **state)
{
    static const char *const parts[][3] = {
        {"contacts:\n", "- {between: 1}\n", ""},
        {"steps:\n", "- {name: same}\n", ""},
        {"parameters:\n", "  p#: 1 +\n", ""},
        {"bodies:\n", "  b#: 1\n", ""},
        {"obstacles: {w: {polyline: {points: [", "#, ", "]}}}\n"},
        {"cases: {vary: {v0: [", "#, ", "]}}\n"},
        {"", "key#: 1\n", ""},
    };
    StickContext *ctx = *state;
    double start = stick_clock_cpu();
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        StickModel *model = NULL;
        StickText text;
        stick_text_init(&text, ctx);
        write_long(&text, parts[k][0], parts[k][1], parts[k][2]);
        stick_diagnostics_clear(ctx);
        assert_int_equal(read_model(ctx, text.bytes, &model), STICK_BAD_INPUT);
        assert_below((double)stick_diagnostic_count(ctx), 130);
        stick_text_destroy(&text);
    }
    assert_below(stick_clock_cpu() - start, 20);
}

static void nothing_is_left_behind(void **state)
{
    (void)state;
    StickContext *ctx = stick_context_create(NULL);
    StickModel *model = NULL;
    assert_int_equal(read_model(ctx, wrong, &model), STICK_BAD_INPUT);
    stick_diagnostics_clear(ctx);
    size_t diagnostics = stick_memory_now(ctx);
    assert_int_equal(read_model(ctx, wrong, &model), STICK_BAD_INPUT);
    stick_diagnostics_clear(ctx);
    assert_int_equal(stick_memory_now(ctx), diagnostics);
    stick_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_context(mistakes_are_named_with_their_place),
        test_with_context(texts_that_are_no_models_are_refused),
        test_with_context(deep_texts_are_refused_at_once),
        test_with_context(all_errors_of_a_file_are_said_at_once),
        test_with_context(repeated_keys_are_read_on),
        test_with_context(doubtful_keys_are_told),
        test_with_context(hostile_lengths_end_soon),
        cmocka_unit_test(nothing_is_left_behind),
    };
    return cmocka_run_group_tests_name("model.read_errors", tests, NULL, NULL);
}

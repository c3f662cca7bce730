// SPDX-License-Identifier: Apache-2.0
// Pages of runs as a user makes them: good, bad, stopped and killed ones.
#include "cli/models.h"

#include "report/page.h"

// What the page says at its top.
static void assert_page(Scratch *scratch, const char *name, const char *headline)
{
    char words[128];
    char *page = read_text(scratch->folder, name);
    snprintf(words, sizeof words, "<p class=\"headline\">%s</p>", headline);
    assert_says(page, words);
    free(page);
}

// The same where the rest of the headline is a number.
static void assert_headline(Scratch *scratch, const char *name, const char *begin)
{
    char words[128];
    char *page = read_text(scratch->folder, name);
    snprintf(words, sizeof words, "<p class=\"headline\">%s", begin);
    assert_says(page, words);
    free(page);
}

static void run_model(Scratch *scratch, const char *line, int code)
{
    Outcome outcome = run_line(scratch->folder, line);
    assert_code(outcome, code);
    forget(&outcome);
}

// What a browser checks before it runs the program, and what the program reads.
static const char look_at_page[] =
    "import base64, hashlib, json, re, sys, zlib\n"
    "page = open(sys.argv[1], encoding='utf-8', newline='').read()\n"
    "of = lambda text: 'sha256-' + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()\n"
    "style = re.search('<style>(.*?)</style>', page, re.S).group(1)\n"
    "script = re.search('<script>(.*)</script>\\n</body>', page, re.S).group(1)\n"
    "assert \"script-src '%s';\" % of(script) in page\n"
    "assert \"style-src '%s';\" % of(style) in page\n"
    "report = json.loads(re.search('id=\"report\">(.*?)</script>', page, re.S).group(1))\n"
    "blocks = re.findall('id=\"block-(\\\\d+)\">([^<]*)</script>', page)\n"
    "assert [int(number) for number, _ in blocks] == list(range(len(blocks)))\n"
    "size = {'int8': 1, 'uint8': 1, 'int16': 2, 'uint32': 4, 'float32': 4, 'float64': 8}\n"
    "used = set()\n"
    "def walk(node):\n"
    "    for member in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:\n"
    "        walk(member)\n"
    "    if isinstance(node, dict) and 'block' in node:\n"
    "        used.add(node['block'])\n"
    "        bytes = zlib.decompress(base64.b64decode(blocks[node['block']][1]))\n"
    "        assert len(bytes) == node['count'] * size[node['type']]\n"
    "walk(report)\n"
    "assert used == set(range(len(blocks)))\n"
    "run = report['runs'][0]\n"
    "assert report['format'] == 1 and report['title'] == 'Two blocks' and run['summary']['state'] == "
    "'finished'\n"
    "assert run['animation']['frames'] > 5 and run['model'].startswith('stickslip: 1')\n"
    "names = [table['name'] for table in run['tables']]\n"
    "assert names == ['force', 'energy', 'momentum', 'contact'], names\n";

static void test_run_makes_its_page(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out --report");
    assert_code(outcome, 0);
    assert_says(outcome.out, "out/report.html: ");
    assert_says(outcome.out, "B, opens in any browser\n");
    forget(&outcome);
    assert_headline(scratch, "out/report.html", "Peak contact force ");
    if (has_python("zlib")) {
        char command[1200];
        write_text(scratch->folder, "look.py", look_at_page);
        snprintf(command, sizeof command, "python3 '%s/look.py' '%s/out/report.html'", scratch->folder,
                 scratch->folder);
        assert_true(runs(command));
    }
    // again, elsewhere, and to the same bytes
    char *first = read_text(scratch->folder, "out/report.html");
    run_model(scratch, "report out", 0);
    run_model(scratch, "report out/ -o page.html", 0);
    char *second = read_text(scratch->folder, "out/report.html"),
         *third = read_text(scratch->folder, "page.html");
    assert_string_equal(first, second);
    assert_string_equal(first, third);
    free(first);
    free(second);
    free(third);
    // what is there stays, but for the page inside of a result folder
    expect(scratch->folder, "report out -o page.html", 2, "'page.html' is there already; --force");
    run_model(scratch, "report out -o page.html --force --full", 0);
    run_model(scratch, "run model.yaml -o out --force --quiet", 0); // a page is ours to remove
    assert_false(exists(scratch->folder, "out/report.html"));
}

static void test_quiet_is_quiet(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    Outcome outcome = run_line(scratch->folder, "run model.yaml -o out --report --quiet");
    assert_code(outcome, 0);
    assert_string_equal(outcome.out, "");
    forget(&outcome);
    assert_true(exists(scratch->folder, "out/report.html"));
    run_model(scratch, "resume out --report", 0); // finished: only its page is made again
}

static void test_bad_endings_are_told(void **state)
{
    Scratch *scratch = *state;
    write_model(scratch->folder, "check.yaml", "at-most: 1e-10}", "at-most: -1}");
    run_model(scratch, "run check.yaml --report --quiet", 3);
    assert_page(scratch, "check.out/report.html", "A check failed");
    write_model(scratch->folder, "stuck.yaml", "end: steps*h}",
                "end: steps*h}, solver: {name: gauss-seidel, iterations: 1}");
    run_model(scratch, "run stuck.yaml --report --quiet", 6);
    assert_page(scratch, "stuck.out/report.html", "Failed");
    write_model(scratch->folder, "cases.yaml", "checks:\n  - {that: momentum.error, at-most: 1e-10}",
                "cases:\n  good: {mu: 0.1}\n  wrong: {mu: 0.3}\nchecks:\n  - {that: momentum.error, at-most: "
                "0.2-mu}");
    run_model(scratch, "run cases.yaml --report --quiet", 3);
    assert_page(scratch, "cases.out/report.html", "A check failed");
    char *page = read_text(scratch->folder, "cases.out/report.html");
    assert_says(page, "<p class=\"detail\">2 runs: 1 with a failed check, 1 with certified contact solves.");
    free(page);
}

static int rows_of(Scratch *scratch, const char *table)
{
    int rows = 0;
    char *text = read_text(scratch->folder, table);
    for (const char *c = text; c && *c; c++)
        rows += *c == '\n';
    free(text);
    return rows;
}

static pid_t start_long_run(Scratch *scratch, const char *folder)
{
    char line[128], table[128];
    snprintf(line, sizeof line, "run model.yaml -o %s -D steps=20000 --report --quiet", folder);
    snprintf(table, sizeof table, "%s/history/force.csv", folder);
    write_text(scratch->folder, "model.yaml", blocks_model);
    pid_t child = start_line(scratch->folder, line);
    double end = clock_now() + 20;
    while (rows_of(scratch, table) < 20 && clock_now() < end)
        wait_seconds(0.005);
    return child;
}

static void test_stopped_and_killed_runs_are_told(void **state)
{
    Scratch *scratch = *state;
    pid_t child = start_long_run(scratch, "stopped");
    kill(child, SIGINT);
    assert_int_equal(wait_for(child, 30), STICK_INTERRUPTED);
    assert_page(scratch, "stopped/report.html", "Interrupted");
    child = start_long_run(scratch, "killed");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    run_model(scratch, "report killed", 0);
    assert_page(scratch, "killed/report.html", "Not finished");
}

// A page tells of the run that was asked for, never of another one.
static void test_runs_that_do_not_start_leave_pages_alone(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model(scratch, "run model.yaml -o out --quiet", 0);
    expect(scratch->folder, "run model.yaml -o out --report", 2, "is there already");
    assert_false(exists(scratch->folder, "out/report.html"));
    write_model(scratch->folder, "bad.yaml", "density: 7800", "density: -1");
    Outcome outcome = run_line(scratch->folder, "run bad.yaml -o out --force --report");
    assert_true(outcome.code == 4 || outcome.code == 5);
    forget(&outcome);
    assert_false(exists(scratch->folder, "out/report.html"));
    expect(scratch->folder, "resume nowhere --report", 2, "cannot be resumed");
}

// Frames that are damaged were not left out to keep the page small, and --full does not bring them back.
static void test_damaged_frames_are_told(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model(scratch, "run model.yaml -o out --quiet", 0);
    write_text(scratch->folder, "out/fields/frame-000002.vtu", "<?xml");
    Outcome outcome = run_line(scratch->folder, "report out");
    assert_code(outcome, 0);
    assert_says(outcome.out, "left out because it can't be read: 1 of ");
    assert_null(strstr(outcome.out, "keep it small"));
    forget(&outcome);
    char *page = read_text(scratch->folder, "out/report.html");
    assert_says(page, "frames of the animation, which can't be read\"");
    free(page);
}

// Results are never replaced by a page of them.
static void test_results_are_not_replaced(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    run_model(scratch, "run model.yaml -o out --quiet", 0);
    char *before = read_text(scratch->folder, "out/summary.json");
    expect(scratch->folder, "report out -o out/summary.json --force", 2, "ends with .html");
    expect(scratch->folder, "report out -o out/page --force", 2, "ends with .html");
    expect(scratch->folder, "report out -o out/history/force.csv --force", 2, "is no page of stickslip");
    expect(scratch->folder, "report out -o model.yaml --force", 2, "is no page of stickslip");
    char *after = read_text(scratch->folder, "out/summary.json");
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_false(exists(scratch->folder, "out/page"));
    run_model(scratch, "report out -o out/page.html", 0);
    run_model(scratch, "report out -o out/page.html --force", 0);
}

static void test_wrong_commands_are_refused(void **state)
{
    Scratch *scratch = *state;
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "empty")));
    write_text(scratch->folder, "file", "");
    expect(scratch->folder, "report", 2, "takes a result folder");
    expect(scratch->folder, "report empty", 4, "'empty' is no result folder of stickslip");
    expect(scratch->folder, "report nowhere", 4, "there is no result folder 'nowhere'");
    expect(scratch->folder, "report file", 4, "'file' is a file, not a result folder");
    expect(scratch->folder, "report empty empty", 2, "-o FILE.html");
    expect(scratch->folder, "report empty -o empty", 2, "'empty' is a folder");
    expect(scratch->folder, "report empty --report", 2, "takes no '--report'");
    expect(scratch->folder, "run model.yaml --full", 2, "takes no '--full'");
    assert_false(exists(scratch->folder, "empty/report.html"));
    Outcome outcome = run_line(scratch->folder, "--help");
    assert_says(outcome.out, "stickslip report DIR...");
    assert_says(outcome.out, "--report");
    forget(&outcome);
}

static void test_without_the_page_runs_do_not_start(void **state)
{
    Scratch *scratch = *state;
    write_text(scratch->folder, "model.yaml", blocks_model);
    expect(scratch->folder, "run model.yaml -o out --report", 1, "built without the report page");
    assert_false(exists(scratch->folder, "out"));
    run_model(scratch, "run model.yaml -o out --quiet", 0);
    expect(scratch->folder, "report out", 1, "install Node.js and npm");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(test_run_makes_its_page),
        test_with_scratch(test_quiet_is_quiet),
        test_with_scratch(test_bad_endings_are_told),
        test_with_scratch(test_stopped_and_killed_runs_are_told),
        test_with_scratch(test_runs_that_do_not_start_leave_pages_alone),
        test_with_scratch(test_damaged_frames_are_told),
        test_with_scratch(test_results_are_not_replaced),
        test_with_scratch(test_wrong_commands_are_refused),
    };
    const struct CMUnitTest without[] = {
        test_with_scratch(test_without_the_page_runs_do_not_start),
    };
    if (stick_page_is_there())
        return cmocka_run_group_tests(tests, NULL, NULL);
    print_message("the page was not built in: its tests are skipped\n");
    return cmocka_run_group_tests(without, NULL, NULL);
}

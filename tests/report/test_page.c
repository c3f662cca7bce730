// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "base/utf8.h"
#include "report/bundle.h"
#include "report/page.h"

// ---- result folders by hand

static void put(Scratch *scratch, const char *folder, const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s", scratch->folder, folder, name);
    char *parent = stick_path_folder(scratch->ctx, path);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, parent));
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, path, text, strlen(text)));
    stick_free(scratch->ctx, parent);
}

#define FINISHED                                                                                         \
    "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true, \"tolerance\": " \
    "1e-8}, "                                                                                            \
    "\"checks\": [], \"messages\": []}"

static const char model_text[] =
    "stickslip: 1\n"
    "title: %s\n"
    "parameters: {E: 1e9}\n"
    "materials: {steel: {young: E, poisson: 0.3, density: 7800}}\n"
    "bodies:\n"
    "  bar: {mesh: {bar: {length: 1, elements: 2}}, thickness: 1e-4, material: steel}\n"
    "steps: [{name: go, dynamics: {step: 1e-5, end: 1e-4}}]\n"
    "%s"
    "output: {history: [{name: zeta, of: bar, what: velocity.x}, {name: alpha, of: bar, "
    "what: displacement.x}]}\n";

static void put_model(Scratch *scratch, const char *folder, const char *title, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, model_text, title, more);
    put(scratch, folder, "model.yaml", text);
}

static void put_run(Scratch *scratch, const char *folder, const char *title)
{
    put_model(scratch, folder, title, "");
    put(scratch, folder, "summary.json", FINISHED);
    put(scratch, folder, "run.log", "");
    put(scratch, folder, "history/alpha.csv", "t [s],alpha [m]\n0,0\n1e-5,2\n");
    put(scratch, folder, "history/zeta.csv", "t [s],zeta [m/s]\n0,0\n1e-5,2\n");
    put(scratch, folder, "history/energy.csv", "t [s],kinetic [N m]\n0,0\n1e-5,2\n");
}

// ---- pages

typedef struct Written {
    StickPageInfo info;
    char *bytes; // NULL: there is no page
    size_t count;
} Written;

static StickStatus try_page(Scratch *scratch, const char *const *names, int count, bool full,
                            Written *written)
{
    char paths[4][600];
    const char *folder[4];
    for (int k = 0; k < count; k++) {
        snprintf(paths[k], sizeof paths[k], "%s/%s", scratch->folder, names[k]);
        folder[k] = paths[k];
    }
    StickPageOptions options = {
        .folder = folder, .nfolders = count, .path = scratch_path(scratch, "page.html"), .full = full};
    *written = (Written){0};
    StickStatus status = stick_page_write(scratch->ctx, &options, &written->info);
    if (stick_file_exists(options.path))
        assert_ok(scratch->ctx,
                  stick_file_read(scratch->ctx, options.path, &written->bytes, &written->count));
    return status;
}

static Written page_of(Scratch *scratch, const char *folder)
{
    Written written;
    assert_ok(scratch->ctx, try_page(scratch, &folder, 1, false, &written));
    assert_non_null(written.bytes);
    assert_int_equal(written.info.bytes, written.count);
    return written;
}

static void drop(Scratch *scratch, Written *written)
{
    stick_free(scratch->ctx, written->bytes);
    *written = (Written){0};
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

static void assert_has(const Written *written, const char *words)
{
    if (!strstr(written->bytes, words))
        fail_msg("'%s' is not in the page", words);
}

static void assert_is_utf8(const Written *written)
{
    for (size_t k = 0; k < written->count;) {
        size_t length = stick_utf8_length(written->bytes + k, written->count - k);
        assert_true(length > 0);
        k += length;
    }
}

// ---- tests

static void the_verdict_is_plain_html(void **state)
{
    Scratch *scratch = *state;
    put_run(scratch, "out", "A bar");
    Written page = page_of(scratch, "out");
    assert_int_equal(stick_diagnostic_count(scratch->ctx), 0);
    assert_has(&page, "<title>A bar</title>");
    assert_has(&page,
               "<header id=\"verdict\" data-level=\"good\">\n<h1>A bar</h1>\n<p class=\"headline\">Contact "
               "solves certified</p>\n"
               "<p class=\"detail\">All contact solves certified. The model has no checks.</p>\n</header>");
    assert_has(&page, "<main id=\"panels\"></main>");
    assert_has(&page, "\"kind\":\"run\"");
    assert_has(&page, "\"runs\":[{\"name\":\"\",\"verdict\":{\"level\":\"good\",\"word\":\"Contact solves "
                      "certified\",\"headline\":\"Contact solves certified\"");
    assert_has(&page, "\"animation\":null,\"leftOut\":\"\"}]}</script>");
    // histories as the model has them, then the books
    const char *zeta = strstr(page.bytes, "{\"name\":\"zeta\",\"kind\""),
               *alpha = strstr(page.bytes, "{\"name\":\"alpha\",\"kind\"");
    assert_true(zeta && alpha && zeta < alpha && alpha < strstr(page.bytes, "\"kind\":\"energy\""));
    assert_int_equal(count_of(page.bytes, "<script type=\"text/plain\" id=\"block-"), 3);
    assert_int_equal(page.info.runs, 1);
    assert_string_equal(page.info.left_out, "");
    assert_null(strstr(page.bytes, scratch->folder));
    drop(scratch, &page);
}

// Hashes of the policy stand there, and the texts that they are of, to the byte.
static void program_and_style_are_as_built(void **state)
{
    Scratch *scratch = *state;
    StickBundle bundle = stick_bundle();
    put_run(scratch, "out", "A bar");
    Written page = page_of(scratch, "out");
    char policy[400];
    snprintf(policy, sizeof policy,
             "content=\"default-src 'none'; script-src '%s'; style-src '%s'; img-src data: blob:;",
             bundle.script_hash, bundle.style_hash);
    assert_has(&page, policy);
    const char *style = strstr(page.bytes, "<style>") + 7;
    assert_memory_equal(style, bundle.style, bundle.style_length);
    assert_memory_equal(style + bundle.style_length, "</style>", 8);
    const char *end = page.bytes + page.count - strlen("</script>\n</body>\n</html>\n");
    assert_string_equal(end, "</script>\n</body>\n</html>\n");
    assert_memory_equal(end - bundle.script_length, bundle.script, bundle.script_length);
    assert_memory_equal(end - bundle.script_length - 8, "<script>", 8);
    drop(scratch, &page);
}

static void the_same_results_give_the_same_bytes(void **state)
{
    Scratch *scratch = *state;
    put_run(scratch, "out", "A bar");
    Written first = page_of(scratch, "out"), second = page_of(scratch, "out");
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.bytes, second.bytes, first.count);
    drop(scratch, &first);
    drop(scratch, &second);
}

#define ATTACK "</script><script>alert(1)</script><!--\"'&"

// Whatever stands in the folder stays a text.
static void hostile_texts_stay_texts(void **state)
{
    Scratch *scratch = *state;
    static const char *const folders[] = {"<script>alert(2)<!--", "b&\"'\xFF"};
    for (int k = 0; k < 2; k++) {
        put_model(scratch, folders[k], k ? "b" : "\"<\\/script><script>alert(1)<\\/script>\"", "");
        put(scratch, folders[k], "summary.json",
            "{\"title\": \"t\", \"state\": \"failed\", \"messages\": [{\"severity\": \"error\", \"text\": "
            "\"</script><script>alert(1)</script><!-- \xE2\x80\xA8 \xFF\", \"file\": "
            "\"<script>alert(1).msh\"}], "
            "\"</script><script>alert(1)\": 1}");
        put(scratch, folders[k], "run.log", ATTACK "\xE2\x80\xA9\xC3\x28\x01");
        put(scratch, folders[k], "history/zeta.csv", "t,</script><script>alert(1) [<!--]\n0,1\n");
    }
    Written page;
    assert_ok(scratch->ctx, try_page(scratch, folders, 2, false, &page));
    StickBundle bundle = stick_bundle();
    int own = 2 + 2; // two blocks, the data and the program
    assert_int_equal(count_of(page.bytes, "<script") - count_of(bundle.script, "<script"), own);
    assert_int_equal(count_of(page.bytes, "</script"), own);
    assert_int_equal(count_of(page.bytes, "<!--"), 0);
    assert_null(strstr(page.bytes, "<script>alert"));
    const char *json = strstr(page.bytes, "id=\"report\">");
    assert_null(strstr(json, "\xE2\x80\xA8"));
    assert_null(strstr(json, "\xE2\x80\xA9"));
    assert_is_utf8(&page);
    assert_has(&page, "<h1>Comparison of 2 results</h1>");
    assert_has(&page, "\"name\":\"\\u003cscript\\u003ealert(2)\\u003c!--\"");
    assert_has(&page, "<li>&lt;script&gt;alert(2)&lt;!--: Failed. &lt;/script&gt;&lt;script&gt;");
    assert_has(&page, "<li>b&amp;&quot;&#39;\xEF\xBF\xBD: Failed.");
    drop(scratch, &page);
    page = page_of(scratch, folders[0]);
    assert_has(&page, "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>");
    assert_null(strstr(page.bytes, "<script>alert"));
    drop(scratch, &page);
}

static void cases_come_in_the_order_of_the_model(void **state)
{
    Scratch *scratch = *state;
    put_model(scratch, "out", "Cases", "cases: {zz: {E: 1}, mm: {E: 2}, aa: {E: 3}}\n");
    put(scratch, "out", "summary.json", "{\"state\": \"interrupted\", \"exit_code\": 130, \"cases\": {}}");
    put_run(scratch, "out/cases/zz", "Cases");
    put_run(scratch, "out/cases/mm", "Cases");
    put(scratch, "out/cases/mm", "summary.json", "{\"state\": \"interrupted\"}");
    Written page = page_of(scratch, "out");
    const char *zz = strstr(page.bytes, "{\"name\":\"zz\",\"verdict\""),
               *mm = strstr(page.bytes, "{\"name\":\"mm\",\"verdict\"");
    const char *aa = strstr(
        page.bytes,
        "{\"name\":\"aa\",\"verdict\":{\"level\":\"bad\",\"word\":\"No results\",\"headline\":\"No "
        "results\",\"detail\":"
        "\"This case was not "
        "run.\"},\"summary\":null,\"model\":\"\",\"log\":\"\",\"steps\":[],\"tables\":[],\"stability\":[],"
        "\"signals\":{\"all\":[],\"portraits\":[],\"contacts\":[]},\"cycles\":[],\"parameters\":{},"
        "\"animation\":null,\"leftOut\":\"\"}");
    assert_true(zz && mm && aa && zz < mm && mm < aa);
    assert_has(&page, "\"kind\":\"study\"");
    assert_has(&page, "<p class=\"headline\">Interrupted</p>\n<p class=\"detail\">3 runs: 1 without results, "
                      "1 interrupted, "
                      "1 with certified contact solves.</p>");
    assert_int_equal(page.info.runs, 3);
    drop(scratch, &page);
}

#define THREE_CASES "cases: {zz: {E: 1}, mm: {E: 2}, aa: {E: 3}}\n"

static void assert_headline(Scratch *scratch, const char *folder, const char *level, const char *headline,
                            const char *detail)
{
    char words[1024];
    Written page = page_of(scratch, folder);
    snprintf(words, sizeof words, "<header id=\"verdict\" data-level=\"%s\">", level);
    assert_has(&page, words);
    snprintf(words, sizeof words, "<p class=\"headline\">%s</p>\n<p class=\"detail\">%s</p>", headline,
             detail);
    assert_has(&page, words);
    drop(scratch, &page);
}

// Cases that are there do not make a study good that is not.
static void a_study_has_its_own_say(void **state)
{
    Scratch *scratch = *state;
    put_model(scratch, "out", "Cases", THREE_CASES);
    put_run(scratch, "out/cases/zz", "Cases");
    put(scratch, "out", "summary.json", "{\"state\": \"interrupted\", \"exit_code\": 130, \"cases\": {}}");
    assert_headline(
        scratch, "out", "warning", "Interrupted",
        "3 runs: 2 without results, 1 with certified contact solves. The study was stopped: &#39;stickslip "
        "resume&#39; goes on with it.");
    put_run(scratch, "out/cases/mm", "Cases");
    put_run(scratch, "out/cases/aa", "Cases");
    put(scratch, "out", "summary.json", "{\"state\": \"failed\", \"exit_code\": 7, \"cases\": {}}");
    assert_headline(scratch, "out", "bad", "Failed",
                    "3 runs: all contact solves certified. The summary of the study says &#39;failed&#39;, "
                    "its exit code is 7.");
    put(scratch, "out", "summary.json", "{\"state\": \"finished\", \"exit_code\": 0, \"cases\": {}}");
    assert_headline(scratch, "out", "good", "Contact solves certified",
                    "3 runs: all contact solves certified.");
    assert_int_equal(remove(scratch_path(scratch, "out/summary.json")), 0); // killed before its end
    assert_headline(scratch, "out", "warning", "Not finished",
                    "3 runs: all contact solves certified. The study is still running, or was killed; then "
                    "&#39;stickslip "
                    "resume&#39; goes on.");
}

// Without a model the summary of the study knows of cases that have no folder; it leads nowhere else.
static void a_study_names_its_cases(void **state)
{
    Scratch *scratch = *state;
    put(scratch, "out", "model.yaml", "stickslip: 1\nbodies: [[[\n");
    put(scratch, "out", "summary.json",
        "{\"state\": \"interrupted\", \"exit_code\": 130, \"cases\": {\"zz\": {\"state\": \"finished\"}, "
        "\"mm\": {\"state\": \"not run\"}, \"../../other\": {}, \"..\": {}}}");
    put_run(scratch, "other", "Other");
    put_run(scratch, "out/cases/zz", "Cases");
    put_run(scratch, "out/cases/bb", "Cases");
    assert_headline(
        scratch, "out", "warning", "Interrupted",
        "3 runs: 1 without results, 2 with certified contact solves. The study was stopped: &#39;stickslip "
        "resume&#39; goes on with it.");
    Written page = page_of(scratch, "out");
    const char *zz = strstr(page.bytes, "{\"name\":\"zz\",\"verdict\""),
               *mm = strstr(page.bytes, "{\"name\":\"mm\",\"verdict\""),
               *bb = strstr(page.bytes, "{\"name\":\"bb\",\"verdict\"");
    assert_true(zz && mm && bb && zz < mm && mm < bb);
    drop(scratch, &page);
}

// A comparison knows better than its runs what to say of them.
static void the_caller_may_speak(void **state)
{
    Scratch *scratch = *state;
    Written page = {0};
    char folder[600];
    put_run(scratch, "out", "A bar");
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    StickPageOptions options = {.folder = (const char *const[]){folder},
                                .nfolders = 1,
                                .path = scratch_path(scratch, "page.html"),
                                .level = "bad",
                                .headline = "Different <b>",
                                .detail = "force & more"};
    assert_ok(scratch->ctx, stick_page_write(scratch->ctx, &options, &page.info));
    assert_ok(scratch->ctx, stick_file_read(scratch->ctx, options.path, &page.bytes, &page.count));
    assert_has(&page,
               "<header id=\"verdict\" data-level=\"bad\">\n<h1>A bar</h1>\n<p class=\"headline\">Different "
               "&lt;b&gt;</p>\n<p class=\"detail\">force &amp; more</p>");
    assert_has(&page, "\"kind\":\"run\",\"verdict\":{\"level\":\"bad\",\"word\":\"Different "
                      "\\u003cb\\u003e\",\"headline\":\"Different "
                      "\\u003cb\\u003e\",\"detail\":\"force \\u0026 more\"}");
    assert_has(&page, "\"name\":\"\",\"verdict\":{\"level\":\"good\",\"word\":\"Contact solves "
                      "certified\",\"headline\":\"Contact solves certified\"");
    drop(scratch, &page);
}

static void a_page_replaces_pages_only(void **state)
{
    Scratch *scratch = *state;
    static const char *const others[] = {"", "{\"state\": \"finished\"}",
                                         "<!doctype html>\n<html lang=\"en\">\n<head>\n<title>mine</title>"};
    const char *folder = "out";
    Written page;
    put_run(scratch, "out", "A bar");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        put(scratch, ".", "page.html", others[k]);
        assert_int_equal(try_page(scratch, &folder, 1, false, &page), STICK_USAGE);
        assert_error_says(scratch->ctx, "is no page of stickslip: it is not replaced");
        assert_string_equal(page.bytes, others[k]);
        drop(scratch, &page);
    }
    assert_int_equal(remove(scratch_path(scratch, "page.html")), 0);
    page = page_of(scratch, "out");
    drop(scratch, &page);
    page = page_of(scratch, "out"); // its own
    drop(scratch, &page);
}

// What can't be read was not left out to make the page small.
static void unreadable_results_are_told_apart(void **state)
{
    Scratch *scratch = *state;
    put_run(scratch, "out", "A bar");
    put(scratch, "out", "history/zeta.csv", "t,x\n0,what\n");
    put(scratch, "out", "fields.pvd", "<?xml");
    assert_int_equal(remove(scratch_path(scratch, "out/run.log")), 0);
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "out/run.log")));
    Written page = page_of(scratch, "out");
    assert_string_equal(page.info.left_out, "");
    assert_string_equal(page.info.unreadable, "run.log; 1 table; the animation");
    assert_has(&page, "\"leftOut\":\"run.log; 1 table; the animation, which can't be read\"");
    drop(scratch, &page);
}

static void runs_of_a_comparison_have_names_of_their_own(void **state)
{
    Scratch *scratch = *state;
    static const char *const folders[] = {"a/out", "b/out/", "c"};
    Written page;
    put_run(scratch, "a/out", "Same");
    put_run(scratch, "b/out", "Same");
    put_model(scratch, "c", "Same", "cases: {one: {E: 1}, two: {E: 2}}\n");
    put_run(scratch, "c/cases/one", "Same");
    put_run(scratch, "c/cases/two", "Same");
    assert_ok(scratch->ctx, try_page(scratch, folders, 3, false, &page));
    assert_has(&page, "\"kind\":\"comparison\"");
    assert_has(&page, "<h1>Same</h1>");
    static const char *const names[] = {"out", "out (2)", "c/one", "c/two"};
    const char *last = page.bytes;
    for (int k = 0; k < 4; k++) {
        char words[64];
        snprintf(words, sizeof words, "{\"name\":\"%s\",\"verdict\"", names[k]);
        const char *found = strstr(page.bytes, words);
        assert_true(found && found > last);
        last = found;
    }
    drop(scratch, &page);
}

// A page is made of whatever is there.
static void damaged_results_still_make_a_page(void **state)
{
    Scratch *scratch = *state;
    put(scratch, "bare", "history/x.csv", "t,x\n0,1\n");
    Written page = page_of(scratch, "bare");
    assert_has(&page, "<h1>bare</h1>\n<p class=\"headline\">No results</p>");
    assert_has(&page, "{\"name\":\"x\",\"kind\":\"history\"");
    drop(scratch, &page);
    put(scratch, "bad", "model.yaml", "stickslip: 1\nbodies: [[[\n");
    put(scratch, "bad", "summary.json", "{\"state\": ");
    put(scratch, "bad", "cases/k/summary.json", "{\"title\": \"T\", \"state\": \"running\"}");
    page = page_of(scratch, "bad");
    assert_has(&page, "{\"name\":\"k\",\"verdict\":{\"level\":\"warning\",\"word\":\"Not "
                      "finished\",\"headline\":\"Not finished\"");
    assert_has(&page, "\"kind\":\"study\"");
    drop(scratch, &page);
    put_run(scratch, "untitled", "untitled");
    page = page_of(scratch, "untitled/.");
    assert_has(&page, "<h1>untitled</h1>");
    drop(scratch, &page);
    assert_int_equal(stick_error_count(scratch->ctx), 0);
}

static void other_folders_are_refused(void **state)
{
    Scratch *scratch = *state;
    Written page;
    const char *folder = "nowhere";
    assert_int_equal(try_page(scratch, &folder, 1, false, &page), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "there is no result folder");
    put(scratch, "mine", "model.yaml", "stickslip: 1\n"); // a folder of the user
    folder = "mine";
    assert_int_equal(try_page(scratch, &folder, 1, false, &page), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "is no result folder of stickslip");
    folder = "mine/model.yaml";
    assert_int_equal(try_page(scratch, &folder, 1, false, &page), STICK_BAD_INPUT);
    assert_error_says(scratch->ctx, "is a file");
    assert_null(page.bytes);
    put_run(scratch, "good", "x");
    folder = "good";
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "page.html")));
    char path[600];
    snprintf(path, sizeof path, "%s/good", scratch->folder);
    folder = path;
    StickPageOptions options = {.folder = &folder, .nfolders = 1, .path = "/nowhere/page.html"};
    assert_int_equal(stick_page_write(scratch->ctx, &options, &page.info), STICK_IO);
}

static void long_results_are_cut_and_it_is_said(void **state)
{
    Scratch *scratch = *state;
    enum { ROWS = 60000 };
    StickText text;
    stick_text_init(&text, scratch->ctx);
    put_run(scratch, "out", "Long");
    stick_text_add(&text, "t [s],zeta [m/s]\n");
    for (int k = 0; k < ROWS; k++)
        stick_text_add(&text, "%d,%d\n", k, k == 4567 ? 1000 : k % 10);
    put(scratch, "out", "history/zeta.csv", text.bytes);
    stick_text_clear(&text);
    for (int k = 0; k < 20000; k++)
        stick_text_add(&text, "line %d\n", k);
    put(scratch, "out", "run.log", text.bytes);
    stick_text_destroy(&text);
    Written small = page_of(scratch, "out"), whole;
    const char *folder = "out";
    assert_non_null(strstr(small.info.left_out, "run.log is cut; "));
    assert_non_null(strstr(small.info.left_out, " of 60000 rows of 1 table (extremes are kept)"));
    assert_has(&small, "of 208890 bytes of run.log");
    assert_has(&small, "\"rows\":60000,\"kept\":");
    assert_has(&small, "\"leftOut\":\"run.log is cut; ");
    assert_ok(scratch->ctx, try_page(scratch, &folder, 1, true, &whole));
    assert_string_equal(whole.info.left_out, "");
    assert_has(&whole, "\"rows\":60000,\"kept\":60000,");
    assert_has(&whole, "line 19999");
    assert_true(whole.count > small.count);
    drop(scratch, &small);
    drop(scratch, &whole);
}

static StickStatus write_only(StickContext *ctx, void *data)
{
    Scratch *scratch = data;
    char folder[600], path[600];
    snprintf(folder, sizeof folder, "%s/out", scratch->folder);
    snprintf(path, sizeof path, "%s/memory.html", scratch->folder);
    const char *folders[] = {folder};
    StickPageInfo info;
    StickPageOptions options = {.folder = folders, .nfolders = 1, .path = path};
    StickStatus status = stick_page_write(ctx, &options, &info);
    assert_true(status == STICK_OK || !stick_file_exists(path));
    return status;
}

static void memory_may_end_anywhere(void **state)
{
    Scratch *scratch = *state;
    put_model(scratch, "out", "Cases", "cases: {a: {E: 1}, b: {E: 2}}\n");
    put_run(scratch, "out/cases/a", "Cases");
    assert_survives_failing_memory(write_only, scratch);
}

static void without_node_it_says_what_to_do(void **state)
{
    Scratch *scratch = *state;
    Written page;
    const char *folder = "out";
    put_run(scratch, "out", "A bar");
    assert_int_equal(try_page(scratch, &folder, 1, false, &page), STICK_INTERNAL);
    assert_error_says(scratch->ctx, "built without the report page: install Node.js and npm");
    assert_null(page.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(the_verdict_is_plain_html),
        test_with_scratch(program_and_style_are_as_built),
        test_with_scratch(the_same_results_give_the_same_bytes),
        test_with_scratch(hostile_texts_stay_texts),
        test_with_scratch(cases_come_in_the_order_of_the_model),
        test_with_scratch(a_study_has_its_own_say),
        test_with_scratch(a_study_names_its_cases),
        test_with_scratch(the_caller_may_speak),
        test_with_scratch(a_page_replaces_pages_only),
        test_with_scratch(unreadable_results_are_told_apart),
        test_with_scratch(runs_of_a_comparison_have_names_of_their_own),
        test_with_scratch(damaged_results_still_make_a_page),
        test_with_scratch(other_folders_are_refused),
        test_with_scratch(long_results_are_cut_and_it_is_said),
        test_with_scratch(memory_may_end_anywhere),
    };
    const struct CMUnitTest without[] = {
        test_with_scratch(without_node_it_says_what_to_do),
    };
    if (stick_page_is_there())
        return cmocka_run_group_tests(tests, NULL, NULL);
    print_message("the page was not built in: its tests are skipped\n");
    return cmocka_run_group_tests(without, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "output/scratch.h"

#include "report/verdict.h"

static void write_summary(Scratch *scratch, const char *text)
{
    assert_ok(scratch->ctx,
              stick_file_write(scratch->ctx, scratch_path(scratch, "summary.json"), text, strlen(text)));
}

static StickPageVerdict judge(Scratch *scratch, const char *summary)
{
    StickSummaryTree tree;
    StickPageVerdict verdict;
    write_summary(scratch, summary);
    assert_ok(scratch->ctx, stick_summary_tree_read(scratch->ctx, scratch->folder, &tree));
    stick_verdict_judge(tree.root, &verdict);
    stick_summary_tree_destroy(&tree);
    return verdict;
}

static void assert_verdict(Scratch *scratch, const char *summary, const char *level, const char *headline,
                           const char *words)
{
    StickPageVerdict verdict = judge(scratch, summary);
    assert_string_equal(stick_verdict_headline(&verdict), headline);
    assert_string_equal(stick_verdict_level(verdict.ending), level);
    if (!strstr(verdict.detail, words))
        fail_msg("'%s' is not in '%s'", words, verdict.detail);
}

#define GOOD_CHECK "{\"that\": \"max(force)\", \"value\": 1, \"must_be\": \"at most 2\", \"passed\": true}"
#define BAD_CHECK \
    "{\"that\": \"min(force)\", \"value\": null, \"must_be\": \"at least 2\", \"passed\": false}"

static void every_state_has_its_verdict(void **state)
{
    Scratch *s = *state;
    assert_verdict(s,
                   "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true, "
                   "\"tolerance\": 1e-8}, "
                   "\"numbers\": {\"contact.solves\": 12}, \"checks\": [" GOOD_CHECK "]}",
                   "good", "Contact solves certified",
                   "All 12 contact solves certified to 1e-8. 1 of 1 checks passed.");
    // solves above the tolerance that were accepted are said, and certified is what was reached
    assert_verdict(
        s,
        "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true, "
        "\"tolerance\": 1e-8, \"accepted\": 3, \"worst_error\": 2.4e-8}, "
        "\"numbers\": {\"contact.solves\": 12}}",
        "good", "Contact solves certified",
        "All 12 contact solves certified to 2.4e-8. 3 of them exceeded the tolerance 1e-8 and were "
        "accepted.");
    // the result stands at the top
    assert_verdict(
        s,
        "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true}, "
        "\"headline\": {\"about\": \"collapse\", \"text\": \"No collapse\"}, \"outcomes\": [{\"name\": "
        "\"wall falls\", \"holds\": false}, {\"name\": \"odd\", \"holds\": null}]}",
        "good", "No collapse", "Outcomes: wall falls: no; odd: undefined.");
    assert_verdict(
        s,
        "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true}, \"checks\": []}",
        "good", "Contact solves certified", "All contact solves certified. The model has no checks.");
    assert_verdict(
        s,
        "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true}, \"numbers\": "
        "{\"contact.solves\": 0}}",
        "good", "Contact solves certified", "No contact.");
    assert_verdict(s,
                   "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true}, "
                   "\"checks\": [" GOOD_CHECK ", " BAD_CHECK "]}",
                   "bad", "A check failed", "1 of 2 checks failed, the first is min(force).");
    assert_verdict(s,
                   "{\"state\": \"finished\", \"exit_code\": 0, \"certificate\": {\"certified\": true}, "
                   "\"checks\": [{\"that\": \"min(force)\", \"name\": \"never pulls\", \"passed\": false}]}",
                   "bad", "A check failed", "1 of 1 checks failed, the first is never pulls.");
    assert_verdict(
        s,
        "{\"state\": \"finished\", \"certificate\": {\"certified\": false, \"tolerance\": 1e-8}, \"checks\": "
        "[" BAD_CHECK
        "], \"numbers\": {\"certificate.error\": 2e-3, \"certificate.error_scale_free\": 1e-9}}",
        "bad", "Not certified", "largest error 2.0e-03, tolerance 1e-8");
    assert_verdict(s,
                   "{\"state\": \"finished\", \"certificate\": {\"certified\": false, \"tolerance\": 1e-8, "
                   "\"worst_error\": 3e-2}, \"checks\": [], \"numbers\": {\"certificate.error\": 2e-3, "
                   "\"certificate.error_scale_free\": 1e-9}}",
                   "bad", "Not certified", "largest error 3.0e-02, tolerance 1e-8");
    assert_verdict(s, "{\"state\": \"finished\"}", "bad", "Not certified", "not certified");
    assert_verdict(
        s,
        "{\"state\": \"failed\", \"messages\": [{\"severity\": \"warning\", \"text\": \"w\"}, {\"severity\": "
        "\"error\", \"text\": \"singular\"}, {\"severity\": \"error\", \"text\": \"later\"}]}",
        "bad", "Failed", "singular");
    assert_verdict(s, "{\"state\": \"failed\"}", "bad", "Failed", "run.log");
    assert_verdict(s,
                   "{\"state\": \"interrupted\", \"units\": {\"time\": \"ms\"}, \"step\": {\"time\": 0.25, "
                   "\"steps\": 5, "
                   "\"steps_planned\": 20}}",
                   "warning", "Interrupted",
                   "Stopped at t = 0.25 ms, step 5 of 20. The state is saved: 'stickslip resume'");
    assert_verdict(s, "{\"state\": \"running\"}", "warning", "Not finished", "still running, or was killed");
    assert_verdict(s, "{\"state\": \"dancing\"}", "bad", "No results", "'dancing'");
    assert_verdict(s, "{\"title\": \"x\"}", "bad", "No results", "no summary");
}

// It reached its end and was judged: what is missing is the certificate, not the end.
static void a_run_without_certificate_did_not_fail(void **state)
{
    const char *summary = "{\"state\": \"failed\", \"exit_code\": 6, \"step\": {\"steps\": 9, "
                          "\"steps_planned\": %d}, \"certificate\": "
                          "{\"certified\": false, \"tolerance\": 1e-8}, \"checks\": [" GOOD_CHECK
                          "], \"messages\": [{\"severity\": "
                          "\"error\", \"text\": \"not solved\"}]}";
    char text[1024];
    snprintf(text, sizeof text, summary, 9);
    assert_verdict(*state, text, "bad", "Not certified", "A contact solve is not certified.");
    snprintf(text, sizeof text, summary, 10);
    assert_verdict(*state, text, "bad", "Failed", "not solved");
}

// Nothing is certified that the program did not end well for.
static void an_exit_code_is_no_less_than_a_state(void **state)
{
    assert_verdict(*state,
                   "{\"state\": \"finished\", \"exit_code\": 7, \"certificate\": {\"certified\": true}, "
                   "\"checks\": [" GOOD_CHECK "]}",
                   "bad", "Failed", "says that it is finished, but its exit code is 7.");
    assert_verdict(*state, "{\"state\": \"finished\", \"certificate\": {\"certified\": true}}", "bad",
                   "Failed", "it has no exit code");
}

// A model without checks is not judged by them, but by the errors of its certificate.
static void nor_did_one_without_checks(void **state)
{
    const char *summary = "{\"state\": \"failed\", \"exit_code\": 6, \"step\": {\"steps\": 9, "
                          "\"steps_planned\": 9}, \"certificate\": {\"certified\": false, \"tolerance\": "
                          "1e-8}, \"numbers\": {\"certificate.error\": %s, \"certificate.error_scale_free\": "
                          "1e-10, \"certificate.consistency\": %s}, \"checks\": [], \"messages\": "
                          "[{\"severity\": \"error\", \"text\": \"the second step cannot begin\"}]}";
    char text[1024];
    snprintf(text, sizeof text, summary, "2e-3", "0");
    assert_verdict(*state, text, "bad", "Not certified", "largest error 2.0e-03, tolerance 1e-8");
    snprintf(text, sizeof text, summary, "null", "0"); // it was not finite
    assert_verdict(*state, text, "bad", "Not certified", "not certified");
    snprintf(text, sizeof text, summary, "0", "1e-3");
    assert_verdict(*state, text, "bad", "Not certified", "not certified");
    snprintf(text, sizeof text, summary, "1e-9", "0");
    assert_verdict(*state, text, "bad", "Failed", "the second step cannot begin");
}

// Words inside of texts are no keys.
static void texts_do_not_fool_it(void **state)
{
    assert_verdict(*state,
                   "{\"title\": \"\\\"state\\\": \\\"finished\\\"\", \"state\": \"failed\", \"messages\": "
                   "[{\"severity\": \"error\", \"text\": \"\\\"certified\\\": true\"}]}",
                   "bad", "Failed", "\"certified\": true");
    assert_verdict(*state, "{\"state\": \"finished\", \"certificate\": {\"certified\": \"true\"}}", "bad",
                   "Not certified", "");
}

static void damaged_summaries_are_no_results(void **state)
{
    Scratch *scratch = *state;
    static const char *const damaged[] = {"",
                                          "{\"state\": \"fini",
                                          "[1, 2]",
                                          "\"finished\"",
                                          "{\"state\": [1]}",
                                          "{\"state\": null}",
                                          "\xFF\xFE",
                                          "{{{{{{{{{{{{{{{{{{{{{{{{{{"};
    for (size_t k = 0; k < sizeof damaged / sizeof *damaged; k++)
        assert_verdict(scratch, damaged[k], "bad", "No results", "");
    assert_int_equal(stick_error_count(scratch->ctx), 0);
    assert_true(stick_diagnostic_count(scratch->ctx) > 0); // but the user hears of it
}

static void a_long_error_is_cut_after_a_character(void **state)
{
    char summary[2400] = "{\"state\": \"failed\", \"messages\": [{\"severity\": \"error\", \"text\": \"";
    for (int k = 0; k < 500; k++)
        strcat(summary, "\xC3\xA4");
    strcat(summary, "\"}]}");
    StickPageVerdict verdict = judge(*state, summary);
    size_t length = strlen(verdict.detail);
    assert_true(length > 500);
    assert_string_equal(verdict.detail + length - 5, "\xC3\xA4\xE2\x80\xA6");
}

enum { MOST_RUNS = 8 };

static StickPageVerdict gather_groups(const StickVerdictGroup *group, int ngroups, const StickEnding *ending)
{
    StickPageVerdict verdict[MOST_RUNS] = {0}, all;
    int count = 0;
    for (int g = 0; g < ngroups; g++)
        count += group[g].runs;
    for (int k = 0; k < count; k++)
        verdict[k] = (StickPageVerdict){.ending = ending[k], .detail = "own"};
    stick_verdict_gather(group, ngroups, verdict, &all);
    return all;
}

static StickPageVerdict gather(int count, const StickEnding *ending)
{
    return gather_groups(&(StickVerdictGroup){.runs = count}, 1, ending);
}

static const StickEnding C = STICK_ENDING_CERTIFIED, F = STICK_ENDING_FAILED, I = STICK_ENDING_INTERRUPTED,
                         N = STICK_ENDING_NO_RESULTS;

static void the_worst_run_speaks_for_all(void **state)
{
    (void)state;
    StickPageVerdict all = gather(1, (StickEnding[]){C});
    assert_string_equal(all.detail, "own");
    all = gather(3, (StickEnding[]){C, C, C});
    assert_string_equal(stick_verdict_headline(&all), "Contact solves certified");
    assert_string_equal(all.detail, "3 runs: all contact solves certified.");
    all = gather(3, (StickEnding[]){C, F, N});
    assert_string_equal(stick_verdict_headline(&all), "Failed");
    assert_string_equal(all.detail, "3 runs: 1 failed, 1 without results, 1 with certified contact solves.");
    all = gather(3, (StickEnding[]){C, STICK_ENDING_CHECK_FAILED, STICK_ENDING_NOT_CERTIFIED});
    assert_string_equal(stick_verdict_headline(&all), "Not certified");
    all = gather(2, (StickEnding[]){C, N});
    assert_string_equal(stick_verdict_headline(&all), "No results");
}

static StickVerdictGroup study_of(Scratch *scratch, const char *summary, int runs)
{
    StickVerdictGroup group = {.runs = runs, .is_study = true};
    StickSummaryTree tree;
    write_summary(scratch, summary ? summary : "");
    assert_ok(scratch->ctx, stick_summary_tree_read(scratch->ctx, scratch->folder, &tree));
    stick_verdict_judge_study(tree.root, summary != NULL, &group.study);
    stick_summary_tree_destroy(&tree);
    return group;
}

static void assert_study(Scratch *scratch, const char *summary, int runs, const StickEnding *ending,
                         const char *headline, const char *detail)
{
    StickVerdictGroup group = study_of(scratch, summary, runs);
    StickPageVerdict all = gather_groups(&group, 1, ending);
    assert_string_equal(stick_verdict_headline(&all), headline);
    assert_string_equal(all.detail, detail);
}

static void a_study_is_no_better_than_it_says(void **state)
{
    StickEnding good[] = {C, C, C};
    assert_study(*state, "{\"state\": \"finished\", \"exit_code\": 0}", 3, good, "Contact solves certified",
                 "3 runs: all contact solves certified.");
    assert_study(
        *state, "{\"state\": \"interrupted\", \"exit_code\": 130}", 3, good, "Interrupted",
        "3 runs: all contact solves certified. The study was stopped: 'stickslip resume' goes on with it.");
    assert_study(
        *state, "{\"state\": \"failed\", \"exit_code\": 7}", 3, good, "Failed",
        "3 runs: all contact solves certified. The summary of the study says 'failed', its exit code is 7.");
    assert_study(*state, "{\"state\": \"finished\", \"exit_code\": 3}", 3, good, "A check failed",
                 "3 runs: all contact solves certified. The summary of the study says 'finished', its exit "
                 "code is 3.");
    assert_study(*state, "{\"state\": \"finished\"}", 3, good, "Failed",
                 "3 runs: all contact solves certified. The summary of the study says 'finished', it has no "
                 "exit code.");
    assert_study(*state, "{\"state\": ", 3, good, "No results",
                 "3 runs: all contact solves certified. There is no summary of the study that can be read.");
    assert_study(*state, NULL, 3, good, "Not finished",
                 "3 runs: all contact solves certified. The study is still running, or was killed; then "
                 "'stickslip resume' goes on.");
    assert_study(*state, "{\"state\": \"interrupted\", \"exit_code\": 130}", 1, good, "Interrupted",
                 "own The study was stopped: 'stickslip resume' goes on with it.");
    // what a case tells is not said again, and one that is worse is
    assert_study(*state, "{\"state\": \"finished\", \"exit_code\": 3}", 2,
                 (StickEnding[]){C, STICK_ENDING_CHECK_FAILED}, "A check failed",
                 "2 runs: 1 with a failed check, 1 with certified contact solves.");
    assert_study(*state, "{\"state\": \"failed\", \"exit_code\": 6}", 2, (StickEnding[]){C, F}, "Failed",
                 "2 runs: 1 failed, 1 with certified contact solves.");
}

// Cases that wait for the rest of their study are no worse than it, but those of no other one.
static void cases_may_wait(void **state)
{
    const char *interrupted = "{\"state\": \"interrupted\", \"exit_code\": 130}";
    assert_study(*state, interrupted, 4, (StickEnding[]){C, I, N, N}, "Interrupted",
                 "4 runs: 2 without results, 1 interrupted, 1 with certified contact solves.");
    assert_study(*state, interrupted, 3, (StickEnding[]){C, N, N}, "Interrupted",
                 "3 runs: 2 without results, 1 with certified contact solves. The study was stopped: "
                 "'stickslip resume' goes on with it.");
    assert_study(*state, "{\"state\": \"finished\", \"exit_code\": 0}", 2, (StickEnding[]){C, N},
                 "No results", "2 runs: 1 without results, 1 with certified contact solves.");
    StickVerdictGroup group[] = {study_of(*state, interrupted, 2), {.runs = 1}};
    StickPageVerdict all = gather_groups(group, 2, (StickEnding[]){I, N, C});
    assert_string_equal(stick_verdict_headline(&all), "Interrupted");
    all = gather_groups(group, 2, (StickEnding[]){I, C, N});
    assert_string_equal(stick_verdict_headline(&all), "No results");
}

// ---- the summary as JSON

static char *json_of(Scratch *scratch, const char *summary, int messages, int *left_out)
{
    StickSummaryTree tree;
    StickText text;
    StickJson json;
    write_summary(scratch, summary);
    stick_text_init(&text, scratch->ctx);
    stick_json_init_html(&json, &text);
    assert_ok(scratch->ctx, stick_summary_tree_read(scratch->ctx, scratch->folder, &tree));
    *left_out = stick_summary_json(&json, tree.root, messages);
    stick_summary_tree_destroy(&tree);
    assert_ok(scratch->ctx, stick_text_status(&text));
    return text.bytes;
}

static void the_summary_stays_what_it_is(void **state)
{
    Scratch *scratch = *state;
    int left_out;
    char *json =
        json_of(scratch,
                "{\"a\": 1e-08, \"b\": -0.5E+3, \"c\": \"1\", \"d\": null, \"e\": true, \"f\": [], \"g\": "
                "{}, \"h\": \"<b>\", \"i\": \"null\", \"messages\": [1, 2, 3]}",
                2, &left_out);
    assert_string_equal(
        json, "{\"a\":1e-08,\"b\":-0.5E+3,\"c\":\"1\",\"d\":null,\"e\":true,\"f\":[],\"g\":{},\"h\":"
              "\"\\u003cb\\u003e\",\"i\":\"null\",\"messages\":[1,2]}");
    assert_int_equal(left_out, 1);
    stick_free(scratch->ctx, json);
}

// What YAML takes and JSON does not becomes a text: the page stays readable whatever stands in the folder.
static void a_summary_that_is_only_yaml_becomes_json(void **state)
{
    Scratch *scratch = *state;
    int left_out;
    char *json = json_of(
        scratch, "a: 01\nb: .5\nc: +1\nd: 1.\ne: 1e\nf: -x\ng: nan\nh: 0x1F\ni: ~\nj: .inf\n", 0, &left_out);
    assert_string_equal(
        json, "{\"a\":\"01\",\"b\":\".5\",\"c\":\"+1\",\"d\":\"1.\",\"e\":\"1e\",\"f\":\"-x\",\"g\":"
              "\"nan\",\"h\":\"0x1F\",\"i\":null,\"j\":\".inf\"}");
    stick_free(scratch->ctx, json);
}

static StickStatus read_only(StickContext *ctx, void *folder)
{
    StickSummaryTree tree;
    STICK_TRY(stick_summary_tree_read(ctx, folder, &tree));
    stick_summary_tree_destroy(&tree);
    return STICK_OK;
}

static void memory_may_end_anywhere(void **state)
{
    Scratch *scratch = *state;
    write_summary(scratch, "{\"state\": \"finished\", \"checks\": [" GOOD_CHECK "]}");
    assert_survives_failing_memory(read_only, scratch->folder);
    write_summary(scratch, "{\"state\": \"finished\", ");
    assert_survives_failing_memory(read_only, scratch->folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_scratch(every_state_has_its_verdict),
        test_with_scratch(a_run_without_certificate_did_not_fail),
        test_with_scratch(texts_do_not_fool_it),
        test_with_scratch(damaged_summaries_are_no_results),
        test_with_scratch(a_long_error_is_cut_after_a_character),
        cmocka_unit_test(the_worst_run_speaks_for_all),
        test_with_scratch(an_exit_code_is_no_less_than_a_state),
        test_with_scratch(nor_did_one_without_checks),
        test_with_scratch(a_study_is_no_better_than_it_says),
        test_with_scratch(cases_may_wait),
        test_with_scratch(the_summary_stays_what_it_is),
        test_with_scratch(a_summary_that_is_only_yaml_becomes_json),
        test_with_scratch(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "report/verdict.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENDINGS = STICK_ENDING_FAILED + 1 };

static const struct EndingText {
    const char *level;
    const char *word;
    const char *counted; // after "2 "
    const char *all;     // of all runs, NULL: "all", and as they are counted
} texts[ENDINGS] = {
    [STICK_ENDING_CERTIFIED] = {"good", "Contact solves certified", "with certified contact solves",
                                "all contact solves certified"},
    [STICK_ENDING_NOT_FINISHED] = {"warning", "Not finished", "not finished", NULL},
    [STICK_ENDING_INTERRUPTED] = {"warning", "Interrupted", "interrupted", NULL},
    [STICK_ENDING_NO_RESULTS] = {"bad", "No results", "without results", NULL},
    [STICK_ENDING_CHECK_FAILED] = {"bad", "A check failed", "with a failed check", NULL},
    [STICK_ENDING_NOT_CERTIFIED] = {"bad", "Not certified", "with a contact solve that is not certified",
                                    NULL},
    [STICK_ENDING_FAILED] = {"bad", "Failed", "failed", NULL},
};

const char *stick_verdict_level(StickEnding ending)
{
    return texts[ending].level;
}

const char *stick_verdict_word(StickEnding ending)
{
    return texts[ending].word;
}

const char *stick_verdict_headline(const StickPageVerdict *verdict)
{
    bool told = verdict->ending == STICK_ENDING_CERTIFIED && verdict->result[0];
    return told ? verdict->result : texts[verdict->ending].word;
}

// ---- one run

typedef struct Checks {
    int count, failed;
    const char *first_failed;
} Checks;

static Checks count_checks(const StickYaml *summary)
{
    Checks checks = {0};
    const StickYaml *list = stick_summary_find(summary, "checks");
    for (const StickYaml *check = list ? list->first : NULL; check; check = check->next) {
        checks.count++;
        if (stick_summary_true(check, "passed"))
            continue;
        if (checks.failed++ > 0)
            continue;
        // a check without a name has its statement, whose first part is `that`, as its name
        const char *that = stick_summary_text(check, "that"), *name = stick_summary_text(check, "name");
        bool named = that && name && strncmp(name, that, strlen(that)) != 0;
        checks.first_failed = named ? name : that;
    }
    return checks;
}

static const char *first_error(const StickYaml *summary)
{
    const StickYaml *list = stick_summary_find(summary, "messages");
    for (const StickYaml *said = list ? list->first : NULL; said; said = said->next) {
        const char *severity = stick_summary_text(said, "severity");
        if (severity && strcmp(severity, "error") == 0)
            return stick_summary_text(said, "text");
    }
    return NULL;
}

static void add(StickPageVerdict *verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(StickPageVerdict *verdict, const char *format, ...)
{
    size_t length = strlen(verdict->detail);
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(verdict->detail + length, sizeof verdict->detail - length, format, arguments);
    va_end(arguments);
    // a text that is cut ends with a whole character
    if (wanted > 0 && length + (size_t)wanted >= sizeof verdict->detail) {
        size_t most = sizeof verdict->detail - 4;
        size_t kept = stick_utf8_prefix(verdict->detail, strlen(verdict->detail), most);
        memcpy(verdict->detail + kept, "\xE2\x80\xA6", 4);
    }
}

// How far it came: "at t = 0.2 s, step 20 of 100".
static void add_progress(const StickYaml *summary, StickPageVerdict *verdict)
{
    const StickYaml *step = stick_summary_find(summary, "step");
    const char *unit = stick_summary_text(stick_summary_find(summary, "units"), "time");
    double t = stick_summary_number(step, "time"), done = stick_summary_number(step, "steps");
    double planned = stick_summary_number(step, "steps_planned");
    if (isfinite(t))
        add(verdict, " at t = %.6g%s%s", t, unit ? " " : "", unit ? unit : "");
    if (isfinite(done) && isfinite(planned))
        add(verdict, ", step %.0f of %.0f", done, planned);
}

static void add_check_count(const Checks *checks, StickPageVerdict *verdict)
{
    if (checks->count == 0)
        add(verdict, " The model has no checks.");
    else
        add(verdict, " %d of %d checks passed.", checks->count - checks->failed, checks->count);
}

const char *stick_verdict_tolerance(double tolerance, char text[32])
{
    snprintf(text, 32, "%.3g", tolerance);
    char *exponent = strchr(text, 'e');
    if (exponent && exponent[2] == '0')
        memmove(exponent + 2, exponent + 3, strlen(exponent + 3) + 1);
    return text;
}

// The one measure of certificates; summaries of older versions have its parts alone.
double stick_verdict_worst_error(const StickYaml *summary)
{
    const StickYaml *numbers = stick_summary_find(summary, "numbers");
    double worst = stick_summary_number(stick_summary_find(summary, "certificate"), "worst_error");
    double error = stick_summary_number(numbers, "certificate.error");
    double scale_free = stick_summary_number(numbers, "certificate.error_scale_free");
    if (isfinite(worst))
        return worst;
    return isfinite(error) && isfinite(scale_free) ? fmax(error, scale_free) : NAN;
}

double stick_verdict_certified_to(const StickYaml *summary)
{
    const StickYaml *certificate = stick_summary_find(summary, "certificate");
    double tolerance = stick_summary_number(certificate, "tolerance");
    double accepted = stick_summary_number(certificate, "accepted");
    double worst = stick_summary_number(certificate, "worst_error");
    return accepted > 0 && worst > tolerance ? worst : tolerance;
}

// "wall falls: no."
static void add_outcomes(const StickYaml *summary, StickPageVerdict *verdict)
{
    const StickYaml *list = stick_summary_find(summary, "outcomes");
    const char *separator = " Outcomes: ";
    for (const StickYaml *one = list ? list->first : NULL; one; one = one->next) {
        const char *name = stick_summary_text(one, "name"), *holds = stick_summary_text(one, "holds");
        if (!name)
            continue;
        add(verdict, "%s%s: %s", separator, name,
            !holds                        ? "undefined"
            : strcmp(holds, "true") == 0  ? "yes"
            : strcmp(holds, "false") == 0 ? "no"
                                          : "undefined");
        separator = "; ";
    }
    if (strcmp(separator, "; ") == 0)
        add(verdict, ".");
}

static void judge_certified(const StickYaml *summary, const Checks *checks, StickPageVerdict *verdict)
{
    const StickYaml *numbers = stick_summary_find(summary, "numbers");
    double solves = stick_summary_number(numbers, "contact.solves");
    double tolerance = stick_summary_number(stick_summary_find(summary, "certificate"), "tolerance");
    char text[32];
    verdict->ending = STICK_ENDING_CERTIFIED;
    if (solves == 0)
        add(verdict, "No contact.");
    else if (solves == 1 && isfinite(tolerance))
        add(verdict, "The contact solve is certified to %s.", stick_verdict_tolerance(tolerance, text));
    else if (isfinite(solves) && isfinite(tolerance))
        add(verdict, "All %.0f contact solves certified to %s.", solves,
            stick_verdict_tolerance(stick_verdict_certified_to(summary), text));
    else
        add(verdict, "All contact solves certified.");
    double accepted = stick_summary_number(stick_summary_find(summary, "certificate"), "accepted");
    if (accepted > 0)
        add(verdict, " %.0f of them exceeded the tolerance %s and %s accepted.", accepted,
            stick_verdict_tolerance(tolerance, text), accepted == 1 ? "was" : "were");
    add_check_count(checks, verdict);
    add_outcomes(summary, verdict);
}

static void judge_not_certified(const StickYaml *summary, StickPageVerdict *verdict)
{
    double worst = stick_verdict_worst_error(summary);
    double tolerance = stick_summary_number(stick_summary_find(summary, "certificate"), "tolerance");
    char text[32];
    verdict->ending = STICK_ENDING_NOT_CERTIFIED;
    add(verdict, "A contact solve is not certified");
    if (isfinite(worst) && isfinite(tolerance))
        add(verdict, ": largest error %.1e, tolerance %s", worst, stick_verdict_tolerance(tolerance, text));
    add(verdict, ".");
}

// What the program returned; -1 where the summary does not say it.
static int exit_code_of(const StickYaml *summary)
{
    double code = stick_summary_number(summary, "exit_code");
    return code >= 0 && code <= 255 ? (int)code : -1;
}

static void add_exit_code(const StickYaml *summary, StickPageVerdict *verdict)
{
    int code = exit_code_of(summary);
    if (code < 0)
        add(verdict, "it has no exit code.");
    else
        add(verdict, "its exit code is %d.", code);
}

// What the run was made for.
static void keep_result(const StickYaml *summary, StickPageVerdict *verdict)
{
    const char *text = stick_summary_text(stick_summary_find(summary, "headline"), "text");
    size_t length = text ? strlen(text) : 0;
    size_t kept = length < sizeof verdict->result
                      ? length
                      : stick_utf8_prefix(text, length, sizeof verdict->result - 1);
    memcpy(verdict->result, text ? text : "", kept);
    verdict->result[kept] = '\0';
}

// Where the result is not at the top.
static void add_result(StickPageVerdict *verdict)
{
    if (verdict->result[0])
        add(verdict, " Result: %s.", verdict->result);
}

static void judge_finished(const StickYaml *summary, StickPageVerdict *verdict)
{
    Checks checks = count_checks(summary);
    if (!stick_summary_true(stick_summary_find(summary, "certificate"), "certified")) {
        judge_not_certified(summary, verdict);
    } else if (checks.failed > 0) {
        verdict->ending = STICK_ENDING_CHECK_FAILED;
        add(verdict, "%d of %d checks failed", checks.failed, checks.count);
        add(verdict, checks.first_failed ? ", the first is %s." : "%s.",
            checks.first_failed ? checks.first_failed : "");
        add_result(verdict);
    } else if (exit_code_of(summary) != STICK_OK) {
        verdict->ending = STICK_ENDING_FAILED;
        add(verdict, "The summary says that it is finished, but ");
        add_exit_code(summary, verdict);
    } else {
        judge_certified(summary, &checks, verdict);
    }
}

// Whether an error of the certificate is beyond its tolerance; one that is no number is.
static bool is_beyond_tolerance(const StickYaml *summary)
{
    static const char *const errors[] = {"certificate.error", "certificate.error_scale_free",
                                         "certificate.consistency"};
    const StickYaml *numbers = stick_summary_find(summary, "numbers");
    double tolerance = stick_summary_number(stick_summary_find(summary, "certificate"), "tolerance");
    for (size_t k = 0; numbers && k < sizeof errors / sizeof *errors; k++)
        if (!(stick_summary_number(numbers, errors[k]) <= tolerance))
            return true;
    return false;
}

// A run that reached its end, but with a solve that is not certified, counts as failed in its summary. One that could
// not begin the next of its steps has reached an end, too, but was not judged and is certified so far.
static bool only_uncertified(const StickYaml *summary)
{
    const StickYaml *step = stick_summary_find(summary, "step");
    const StickYaml *certificate = stick_summary_find(summary, "certificate");
    double done = stick_summary_number(step, "steps"), planned = stick_summary_number(step, "steps_planned");
    const StickYaml *checks = stick_summary_find(summary, "checks");
    bool judged = checks && checks->count > 0;
    return (judged || is_beyond_tolerance(summary)) && exit_code_of(summary) == STICK_NOT_SOLVED &&
           done == planned && certificate && !stick_summary_true(certificate, "certified");
}

static void judge_failed(const StickYaml *summary, StickPageVerdict *verdict)
{
    const char *error = first_error(summary);
    if (only_uncertified(summary)) {
        judge_not_certified(summary, verdict);
        return;
    }
    verdict->ending = STICK_ENDING_FAILED;
    if (error)
        add(verdict, "%s", error);
    else
        add(verdict, "The run ended by an error that its summary does not tell; see run.log.");
}

void stick_verdict_judge(const StickYaml *summary, StickPageVerdict *verdict)
{
    const char *state = stick_summary_text(summary, "state");
    *verdict = (StickPageVerdict){.ending = STICK_ENDING_NO_RESULTS};
    keep_result(summary, verdict);
    if (!state) {
        add(verdict, "There is no summary that can be read.");
    } else if (strcmp(state, "finished") == 0) {
        judge_finished(summary, verdict);
    } else if (strcmp(state, "failed") == 0) {
        judge_failed(summary, verdict);
    } else if (strcmp(state, "interrupted") == 0) {
        verdict->ending = STICK_ENDING_INTERRUPTED;
        add(verdict, "Stopped");
        add_progress(summary, verdict);
        add(verdict, ". The state is saved: 'stickslip resume' goes on from here.");
    } else if (strcmp(state, "running") == 0) {
        verdict->ending = STICK_ENDING_NOT_FINISHED;
        add(verdict, "It is still running, or was killed; then 'stickslip resume' goes on.");
    } else {
        add(verdict, "The summary says '%.100s', which is no state of a run.", state);
    }
}

// ---- a study

static StickEnding ending_of_study(const StickYaml *summary)
{
    switch (exit_code_of(summary)) {
    case STICK_CHECK_FAILED:
        return STICK_ENDING_CHECK_FAILED;
    case STICK_NOT_SOLVED:
        return STICK_ENDING_NOT_CERTIFIED;
    default:
        return STICK_ENDING_FAILED;
    }
}

void stick_verdict_judge_study(const StickYaml *summary, bool there, StickPageVerdict *verdict)
{
    const char *state = stick_summary_text(summary, "state");
    *verdict = (StickPageVerdict){.ending = STICK_ENDING_NO_RESULTS};
    keep_result(summary, verdict);
    if (!there || (state && strcmp(state, "running") == 0)) {
        verdict->ending = STICK_ENDING_NOT_FINISHED;
        add(verdict, "The study is still running, or was killed; then 'stickslip resume' goes on.");
    } else if (!state) {
        add(verdict, "There is no summary of the study that can be read.");
    } else if (strcmp(state, "interrupted") == 0) {
        verdict->ending = STICK_ENDING_INTERRUPTED;
        add(verdict, "The study was stopped: 'stickslip resume' goes on with it.");
    } else if (strcmp(state, "finished") == 0 && exit_code_of(summary) == STICK_OK) {
        verdict->ending = STICK_ENDING_CERTIFIED;
    } else {
        verdict->ending = ending_of_study(summary);
        add(verdict, "The summary of the study says '%.100s', ", state);
        add_exit_code(summary, verdict);
    }
}

// ---- several runs

static StickEnding worse(StickEnding a, StickEnding b)
{
    return a > b ? a : b;
}

// Cases of a study that goes on have no results yet, but are no worse than it.
static bool goes_on(const StickVerdictGroup *group)
{
    return group->is_study && (group->study.ending == STICK_ENDING_INTERRUPTED ||
                               group->study.ending == STICK_ENDING_NOT_FINISHED);
}

static StickEnding worst_of(const StickVerdictGroup *group, const StickPageVerdict *verdict)
{
    StickEnding worst = STICK_ENDING_CERTIFIED;
    for (int k = 0; k < group->runs; k++)
        if (verdict[k].ending != STICK_ENDING_NO_RESULTS || !goes_on(group))
            worst = worse(worst, verdict[k].ending);
    return worst;
}

static void count_runs(const StickPageVerdict *verdict, int count, StickPageVerdict *all)
{
    int number[ENDINGS] = {0};
    for (int k = 0; k < count; k++)
        number[verdict[k].ending]++;
    add(all, "%d run%s", count, count == 1 ? "" : "s");
    const char *separator = ": ";
    for (int k = ENDINGS - 1; k >= 0; k--) {
        if (number[k] == 0)
            continue;
        if (number[k] == count && count > 1)
            add(all, "%s%s%s", separator, texts[k].all ? "" : "all ",
                texts[k].all ? texts[k].all : texts[k].counted);
        else
            add(all, "%s%d %s", separator, number[k], texts[k].counted);
        separator = ", ";
    }
    add(all, ".");
}

void stick_verdict_gather(const StickVerdictGroup *group, int ngroups, const StickPageVerdict *verdict,
                          StickPageVerdict *all)
{
    int count = 0;
    for (int g = 0; g < ngroups; g++)
        count += group[g].runs;
    *all = (StickPageVerdict){.ending = count > 0 ? STICK_ENDING_CERTIFIED : STICK_ENDING_NO_RESULTS};
    if (count == 1)
        *all = verdict[0];
    else
        count_runs(verdict, count, all);
    for (int g = 0; g < ngroups; g++) {
        StickEnding worst = worst_of(&group[g], verdict);
        // what the runs do not tell
        if (group[g].is_study && group[g].study.ending > worst) {
            worst = group[g].study.ending;
            add(all, " %s", group[g].study.detail);
        }
        all->ending = count == 1 ? worst : worse(all->ending, worst);
        verdict += group[g].runs;
    }
    // several folders are compared: each of them has a result of its own
    if (ngroups == 1 && group[0].is_study)
        memcpy(all->result, group[0].study.result, sizeof all->result);
    else if (ngroups > 1)
        all->result[0] = '\0';
    if (count > 1 && all->ending == STICK_ENDING_CHECK_FAILED)
        add_result(all);
}

void stick_verdict_words_json(StickJson *json, const char *level, const char *word, const char *headline,
                              const char *detail)
{
    stick_json_object(json);
    stick_json_key(json, "level");
    stick_json_text(json, level);
    stick_json_key(json, "word");
    stick_json_text(json, word);
    stick_json_key(json, "headline");
    stick_json_text(json, headline);
    stick_json_key(json, "detail");
    stick_json_text(json, detail);
    stick_json_end_object(json);
}

void stick_verdict_json(StickJson *json, const StickPageVerdict *verdict)
{
    stick_verdict_words_json(json, stick_verdict_level(verdict->ending), stick_verdict_word(verdict->ending),
                             stick_verdict_headline(verdict), verdict->detail);
}

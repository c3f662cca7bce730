// SPDX-License-Identifier: Apache-2.0
#include "study/study_facts.h"

#include "base/check.h"
#include "base/memory.h"
#include "report/summary_tree.h"

#include <stdio.h>
#include <string.h>

// ---- reading

// The number of an outcome by its name; a new one is added.
static StickStatus find_outcome(StickStudyFacts *facts, const char *name, int *found)
{
    for (int k = 0; k < facts->noutcomes; k++) {
        *found = k;
        if (strcmp(facts->outcome[k], name) == 0)
            return STICK_OK;
    }
    size_t capacity = facts->capacity;
    STICK_RESERVE(facts->ctx, facts->outcome, facts->capacity, facts->noutcomes + 1);
    STICK_RESERVE(facts->ctx, facts->in_case, capacity, facts->noutcomes + 1);
    char *copy = stick_copy_text(facts->ctx, name);
    unsigned char *states = stick_alloc(facts->ctx, (size_t)facts->ncases + 1, 1);
    if (!copy || !states) {
        stick_free(facts->ctx, copy);
        stick_free(facts->ctx, states);
        return STICK_NO_MEMORY;
    }
    facts->outcome[facts->noutcomes] = copy;
    facts->in_case[facts->noutcomes] = states;
    *found = facts->noutcomes++;
    return STICK_OK;
}

static StickStatus read_outcomes(StickStudyFacts *facts, int number, const StickYaml *summary)
{
    const StickYaml *list = stick_summary_find(summary, "outcomes");
    for (const StickYaml *one = list ? list->first : NULL; one; one = one->next) {
        const char *name = stick_summary_text(one, "name"), *holds = stick_summary_text(one, "holds");
        int found = 0;
        if (!name)
            continue;
        STICK_TRY(find_outcome(facts, name, &found));
        facts->in_case[found][number] = !holds                        ? STICK_OUTCOME_UNKNOWN
                                        : strcmp(holds, "true") == 0  ? STICK_OUTCOME_TRUE
                                        : strcmp(holds, "false") == 0 ? STICK_OUTCOME_FALSE
                                                                      : STICK_OUTCOME_UNKNOWN;
    }
    return STICK_OK;
}

static StickStatus read_case(StickStudyFacts *facts, const char *folder, const char *name, int number)
{
    char path[4096];
    StickSummaryTree tree;
    snprintf(path, sizeof path, "%.3000s/cases/%.1000s", folder, name);
    STICK_TRY(stick_summary_tree_read(facts->ctx, path, &tree));
    facts->headline[number].name = name;
    stick_headline_read(tree.root, &facts->headline[number].headline);
    StickStatus status = read_outcomes(facts, number, tree.root);
    stick_summary_tree_destroy(&tree);
    return status;
}

StickStatus stick_study_facts_read(StickContext *ctx, const char *folder, const StickModel *model,
                                   StickStudyFacts *facts)
{
    *facts = (StickStudyFacts){.ctx = ctx, .ncases = model->ncases};
    STICK_ALLOC(ctx, facts->headline, model->ncases);
    StickStatus status = STICK_OK;
    for (int k = 0; k < model->ncases && status == STICK_OK; k++)
        status = read_case(facts, folder, model->cases[k].name, k);
    if (status != STICK_OK)
        stick_study_facts_destroy(facts);
    return status;
}

void stick_study_facts_destroy(StickStudyFacts *facts)
{
    for (int k = 0; k < facts->noutcomes; k++) {
        stick_free(facts->ctx, facts->outcome[k]);
        stick_free(facts->ctx, facts->in_case[k]);
    }
    stick_free(facts->ctx, facts->outcome);
    stick_free(facts->ctx, facts->in_case);
    stick_free(facts->ctx, facts->headline);
    *facts = (StickStudyFacts){0};
}

// ---- counting

int stick_study_facts_count(const StickStudyFacts *facts, int outcome, StickOutcome state)
{
    int count = 0;
    for (int k = 0; k < facts->ncases; k++)
        count += facts->in_case[outcome][k] == state;
    return count;
}

static int known(const StickStudyFacts *facts, int outcome)
{
    return facts->ncases - stick_study_facts_count(facts, outcome, STICK_OUTCOME_ABSENT);
}

// "wall falls in 3 of 12 cases; arch stands in 2 of 12 cases (undefined in 1)"
static void count_outcomes(const StickStudyFacts *facts, StickHeadline *headline)
{
    headline->text[0] = '\0';
    for (int k = 0; k < facts->noutcomes; k++) {
        int holds = stick_study_facts_count(facts, k, STICK_OUTCOME_TRUE), of = known(facts, k);
        int undefined = stick_study_facts_count(facts, k, STICK_OUTCOME_UNKNOWN);
        stick_headline_print(headline, "%s%s in %d of %d case%s", k ? "; " : "", facts->outcome[k], holds, of,
                             of == 1 ? "" : "s");
        if (undefined > 0)
            stick_headline_print(headline, " (undefined in %d)", undefined);
    }
}

void stick_study_facts_headline(const StickStudyFacts *facts, StickHeadline *headline)
{
    stick_headline_gather(facts->headline, facts->ncases, headline);
    if (facts->noutcomes == 0)
        return;
    headline->about = "outcomes";
    count_outcomes(facts, headline);
}

// ---- the summary of the study

static void add_state(StickJson *json, StickOutcome state)
{
    if (state == STICK_OUTCOME_UNKNOWN)
        stick_json_text(json, NULL);
    else
        stick_json_bool(json, state == STICK_OUTCOME_TRUE);
}

void stick_study_facts_add(const StickStudyFacts *facts, StickJson *json)
{
    StickHeadline headline;
    stick_study_facts_headline(facts, &headline);
    stick_headline_add(json, &headline);
    stick_json_key(json, "outcomes");
    stick_json_list(json);
    for (int k = 0; k < facts->noutcomes; k++) {
        stick_json_object(json);
        stick_json_add_text(json, "name", facts->outcome[k]);
        stick_json_add_number(json, "holds", stick_study_facts_count(facts, k, STICK_OUTCOME_TRUE));
        stick_json_add_number(json, "undefined", stick_study_facts_count(facts, k, STICK_OUTCOME_UNKNOWN));
        stick_json_add_number(json, "cases", known(facts, k));
        stick_json_end_object(json);
    }
    stick_json_end_list(json);
}

void stick_study_facts_add_case(const StickStudyFacts *facts, int k, StickJson *json)
{
    stick_headline_add(json, &facts->headline[k].headline);
    stick_json_key(json, "outcomes");
    stick_json_object(json);
    for (int j = 0; j < facts->noutcomes; j++) {
        if (facts->in_case[j][k] == STICK_OUTCOME_ABSENT)
            continue;
        stick_json_key(json, facts->outcome[j]);
        add_state(json, facts->in_case[j][k]);
    }
    stick_json_end_object(json);
}

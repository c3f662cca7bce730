// SPDX-License-Identifier: Apache-2.0
// What the cases of a study have found, from their summaries: headlines, and outcomes counted over all cases.
#ifndef STUDY_STUDY_FACTS_H
#define STUDY_STUDY_FACTS_H

#include "study/headline.h"

// Of an outcome in a case.
typedef enum StickOutcome {
    STICK_OUTCOME_ABSENT,  // the case has not ended, or the outcome is not for it
    STICK_OUTCOME_UNKNOWN, // its value is not a number
    STICK_OUTCOME_FALSE,
    STICK_OUTCOME_TRUE,
} StickOutcome;

typedef struct StickStudyFacts {
    StickContext *ctx;
    int ncases;
    StickNamedHeadline *headline; // ncases
    int noutcomes;
    size_t capacity;
    char **outcome;          // noutcomes: names, in the order in which cases have them first
    unsigned char **in_case; // noutcomes x ncases: StickOutcome
} StickStudyFacts;

StickStatus stick_study_facts_read(StickContext *ctx, const char *folder, const StickModel *model,
                                   StickStudyFacts *facts);
void stick_study_facts_destroy(StickStudyFacts *facts);

// How many cases have an outcome in a state.
int stick_study_facts_count(const StickStudyFacts *facts, int outcome, StickOutcome state);

// The headline of the study: its outcomes where the model has some, else what is most important in its cases.
void stick_study_facts_headline(const StickStudyFacts *facts, StickHeadline *headline);

// The keys "headline" and "outcomes" of the summary of the study, and "outcomes" and "headline" of one of its cases there.
void stick_study_facts_add(const StickStudyFacts *facts, StickJson *json);
void stick_study_facts_add_case(const StickStudyFacts *facts, int k, StickJson *json);

#endif

// SPDX-License-Identifier: Apache-2.0
// The result that a run was made for, in one sentence (docs/reference/results.md, "Headline"): the worst growth rate, collapse or
// not, the transmission error, the peak contact force.
#ifndef STUDY_HEADLINE_H
#define STUDY_HEADLINE_H

#include "base/json.h"
#include "model/yaml.h"
#include "stepping/simulation.h"

enum { STICK_HEADLINE_TEXT = 512 };

typedef struct StickHeadline {
    const char *about; // "stability", "gears", "collapse", ...; NULL: there is nothing to say
    double value;      // by which the cases of a study are compared: the larger, the more important
    bool alarm;        // unstable, or collapsed: counted over the cases of a study
    char text[STICK_HEADLINE_TEXT];
} StickHeadline;

// Adds to the text; what is too long for it is cut after a whole character.
void stick_headline_print(StickHeadline *headline, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// From the tables of a run that has ended. Tables that cannot be read leave it empty.
// ended: otherwise only what steps before the end have judged counts: stability.
StickStatus stick_headline_find(StickContext *ctx, const char *folder, const StickSimulation *run, bool ended,
                                StickHeadline *headline);

// The key "headline" of a summary; none if there is nothing to say.
void stick_headline_add(StickJson *json, const StickHeadline *headline);

// From the summary of a run, which may be NULL.
void stick_headline_read(const StickYaml *summary, StickHeadline *headline);

// Of all cases of a study by theirs: how many are alarming, and the most important one. Cases without a result have an
// empty one.
typedef struct StickNamedHeadline {
    const char *name;
    StickHeadline headline;
} StickNamedHeadline;
void stick_headline_gather(const StickNamedHeadline *one, int count, StickHeadline *all);

#endif

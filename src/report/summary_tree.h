// SPDX-License-Identifier: Apache-2.0
// summary.json of a result folder, read back: as a tree to ask, and as JSON for a page.
#ifndef REPORT_SUMMARY_TREE_H
#define REPORT_SUMMARY_TREE_H

#include "base/json.h"
#include "model/yaml.h"

typedef struct StickSummaryTree {
    StickContext *quiet; // what its reader says is heard as a warning only
    StickArena arena;
    const StickYaml *root; // NULL: there is no summary that can be read
} StickSummaryTree;

// A summary that is missing is no error; one that makes no sense is said as a warning.
StickStatus stick_summary_tree_read(StickContext *ctx, const char *folder, StickSummaryTree *tree);
void stick_summary_tree_destroy(StickSummaryTree *tree);

// Members of a mapping, which may be NULL: a text or NULL, a number or NaN, whether it is true.
const StickYaml *stick_summary_find(const StickYaml *map, const char *key);
const char *stick_summary_text(const StickYaml *map, const char *key);
double stick_summary_number(const StickYaml *map, const char *key);
bool stick_summary_true(const StickYaml *map, const char *key);

// The tree as JSON, or null; of the messages only the first so many (0: all). Returns how many were left out.
int stick_summary_json(StickJson *json, const StickYaml *root, int most_messages);

#endif

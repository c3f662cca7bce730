// SPDX-License-Identifier: Apache-2.0
// A bar that flies onto a wall, up to a run that is ready to start.
#ifndef TESTS_STUDY_BLOCKS_H
#define TESTS_STUDY_BLOCKS_H

#include "output/scratch.h"

#include "stepping/simulation.h"

// A block on a plate, up to its steps.
#define BLOCK_ON_PLATE                                                                      \
    "stickslip: 1\n"                                                                        \
    "materials: {soft: {young: 1, density: 1}}\n"                                           \
    "bodies: {block: {mesh: {rectangle: {size: [2, 1], cells: [2, 1]}}, material: soft}}\n" \
    "obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}}}\n"                        \
    "supports: [{on: block.top, displacement: [0, 0]}]\n"                                   \
    "contacts: [{between: [block.bottom, plate], friction: 0.5}]\n"

typedef struct Study {
    StickModel *model;
    StickSystem *system;
    StickSimulation *run;
} Study;

#define BAR_MODEL                                                                              \
    "stickslip: 1\n"                                                                           \
    "materials: {steel: {law: elastic, young: 1, poisson: 0, density: 1}}\n"                   \
    "bodies: {bar: {mesh: {bar: {length: 1, elements: 2}}, material: steel, velocity: [1]}}\n" \
    "obstacles: {wall: {plane: {point: [2], normal: [-1]}}}\n"                                 \
    "contacts: [{between: [bar.end, wall], friction: 0}]\n"                                    \
    "steps: [{name: fly, dynamics: {scheme: theta-euler, theta: 0.55, step: 0.1, end: 1}}]\n"  \
    "output: {history: [{name: speed, of: bar.end, what: velocity.x, exact: \"1\"},\n"         \
    "                   {name: places, of: bar, what: displacement.x, each: true}]}\n"

static inline void make_study(StickContext *ctx, const char *text, Study *study)
{
    StickModelSource source = {.name = "bar.yaml", .folder = ".", .bytes = text, .count = strlen(text)};
    assert_ok(ctx, stick_model_read_text(ctx, &source, &study->model));
    assert_ok(ctx, stick_system_create(ctx, study->model, &study->system));
    assert_ok(ctx, stick_simulation_create(ctx, study->system, &study->model->step[study->model->nsteps - 1],
                                           &study->run));
}

static inline void drop_study(Study *study)
{
    stick_simulation_destroy(study->run);
    stick_system_destroy(study->system);
    stick_model_destroy(study->model);
}

// Writes a table into the folder's history/.
static inline void write_table(Scratch *scratch, const char *name, const char *text)
{
    char path[64];
    assert_ok(scratch->ctx, stick_folder_create(scratch->ctx, scratch_path(scratch, "history")));
    snprintf(path, sizeof path, "history/%s.csv", name);
    assert_ok(scratch->ctx, stick_file_write(scratch->ctx, scratch_path(scratch, path), text, strlen(text)));
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Models of rigid bodies, and how they are read from memory.
#ifndef TESTS_MODEL_RIGID_MODELS_H
#define TESTS_MODEL_RIGID_MODELS_H

#include "check.h"

#include "model/model.h"

#define STONES                                                                                               \
    "stickslip: 1\nmaterials: {stone: {density: 2500}, wood: {density: 500}, rubber: {young: 1e6, density: " \
    "1000}}\n"
#define QUAKE "steps: [{name: quake, dynamics: {scheme: moreau, step: 1e-3, end: 4}}]\n"

static const char pillar[] = STONES
    "bodies:\n"
    "  block: {rigid: {box: [0.45, 0.40]}, material: stone, repeat: {i: [0, 1], j: [0, 8]}, position: "
    "[\"0.225 + "
    "0.45*i\", \"0.2 + 0.4*j\"]}\n"
    "obstacles:\n"
    "  ground: {plane: {point: [0, 0], normal: [0, 1]}, displacement: [\"0.075*sin(2*pi*t/0.4)\", 0]}\n"
    "gravity: [0, -9.81]\n"
    "contacts: [{between: all, friction: 0.3, dissipation: 1}]\n" QUAKE
    "output: {history: [{name: gap, of: [\"block[0,0]\", \"block[1,0]\"], what: distance}]}\n";

static inline StickStatus read_rigid(StickContext *ctx, const char *text, StickModel **model)
{
    StickModelSource source = {.name = "m.yaml", .folder = "folder", .bytes = text, .count = strlen(text)};
    return stick_model_read_text(ctx, &source, model);
}

#endif

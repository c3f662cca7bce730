// SPDX-License-Identifier: Apache-2.0
// Models that the tests of the model file share.
#ifndef TESTS_MODEL_TWO_BARS_H
#define TESTS_MODEL_TWO_BARS_H

#include "model/model.h"

#include <string.h>

static const char two_bars[] =
    "stickslip: 1\n"
    "title: Impact of two elastic bars\n"
    "parameters: {v0: 5.13588, length: 0.254, scheme: modified-theta}\n"
    "materials:\n"
    "  steel: {law: elastic, young: 0.20684e12, poisson: 0.0, density: 7895.7}\n"
    "bodies:\n"
    "  left:  {mesh: {bar: {length: length, elements: 20}}, material: steel, velocity: [v0]}\n"
    "  right: {mesh: {bar: {length: length, elements: 20, origin: [length]}}, material: steel, velocity: "
    "[-v0]}\n"
    "contacts:\n"
    "  - {between: [left.end, right.start], friction: 0}\n"
    "steps:\n"
    "  - {name: impact, dynamics: {scheme: scheme, theta: 0.55, step: 0.2226e-5, end: 0.2e-3}, solver: "
    "lemke}\n"
    "cases: {vary: {scheme: [theta, theta-euler, modified-theta, newmark]}}\n"
    "checks:\n"
    "  - {that: max(contact_force), is: \"scheme == 'newmark' and 1 or 2.075523e8\", within-percent: 4}\n"
    "  - {that: energy.closure, at-most: 1e-9, when: scheme == 'theta'}\n"
    "output:\n"
    "  fields: {every: 5}\n"
    "  history:\n"
    "    - {name: contact_velocity, of: left.end, what: velocity.x}\n"
    "    - {name: contact_force, of: left.end, what: contact_force.x, exact: \"t < 9.925257e-5 and "
    "2.075523e8 or 0\"}\n";

static inline StickStatus read_model(StickContext *ctx, const char *text, StickModel **model)
{
    return stick_model_read_text(
        ctx, &(StickModelSource){.name = "m.yaml", .folder = "folder", .bytes = text, .count = strlen(text)},
        model);
}

static inline StickStatus read_model_with(StickContext *ctx, const char *text, const char *name,
                                          const char *value, StickModel **model)
{
    StickOverride override = {name, value};
    return stick_model_read_text(ctx,
                                 &(StickModelSource){.name = "m.yaml",
                                                     .folder = "folder",
                                                     .bytes = text,
                                                     .count = strlen(text),
                                                     .overrides = &override,
                                                     .noverrides = 1},
                                 model);
}

#endif

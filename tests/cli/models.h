// SPDX-License-Identifier: Apache-2.0
// A small model that has everything: two blocks, a support, contact with friction, a check and a history.
#ifndef TESTS_CLI_MODELS_H
#define TESTS_CLI_MODELS_H

#include "cli/program.h"

static const char blocks_model[] =
    "stickslip: 1\n"
    "title: Two blocks\n"
    "parameters: {h: 1e-5, mu: 0.2, E: 1e9, steps: 60, scheme: theta-euler}\n"
    "materials:\n"
    "  steel: {law: elastic, young: E, poisson: 0.3, density: 7800}\n"
    "bodies:\n"
    "  low: {mesh: {rectangle: {size: [0.1, 0.02], cells: [5, 1]}}, plane: strain, material: steel}\n"
    "  high: {mesh: {rectangle: {size: [0.04, 0.02], cells: [2, 1], origin: [0.03, 0.0201]}}, plane: strain, "
    "material: steel, velocity: [5, -10]}\n"
    "supports:\n"
    "  - {on: low.bottom, displacement: [0, 0]}\n"
    "contacts:\n"
    "  - {between: [high.bottom, low.top], friction: mu}\n"
    "steps:\n"
    "  - {name: hit, dynamics: {scheme: scheme, theta: 0.55, step: h, end: steps*h}}\n"
    "checks:\n"
    "  - {that: momentum.error, at-most: 1e-10}\n"
    "output:\n"
    "  fields: {every: 7}\n"
    "  history:\n"
    "    - {name: force, of: high.bottom, what: contact_force.normal}\n";

// The model with the first occurrence of some words replaced; words that are not there are a bug of the test.
static inline void write_model(const char *folder, const char *name, const char *words, const char *instead)
{
    const char *found = strstr(blocks_model, words);
    assert_non_null(found);
    size_t size = sizeof blocks_model + strlen(instead);
    char *text = calloc(size, 1);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(found - blocks_model), blocks_model, instead,
             found + strlen(words));
    write_text(folder, name, text);
    free(text);
}

#endif

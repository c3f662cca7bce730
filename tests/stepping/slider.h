// SPDX-License-Identifier: Apache-2.0
// A block that is pressed onto a plate, which moves below it: straight sides, of which all is known.
#ifndef STEPPING_SLIDER_H
#define STEPPING_SLIDER_H

#include "stepping/scene.h"

#include "stepping/trajectory.h"

// The block is 2 x 1 with sides of 1/4 at its bottom, whose middle is the origin of its mesh; the plate is 6 x 1 with sides
// of 1/3, below its own. Both are 0.5 thick. at and slide: of their frames.
typedef struct Slider {
    const char *at;       // NULL: [0, 0]
    const char *angle;    // of both; NULL: 0
    const char *slide;    // NULL: [t, 0]
    const char *contact;  // more keys of it; NULL: strip: 1
    const char *friction; // NULL: 0.25
} Slider;

enum { SLIDER_BLOCK, SLIDER_PLATE };

static const double slider_force = 10, slider_mu = 0.25, slider_thickness = 0.5, slider_width = 2;

static inline void slider_text(const Slider *of, char *text, size_t size)
{
    int length = snprintf(
        text, size,
        "stickslip: 1\n"
        "units: {length: mm, force: N, time: s, mass: t}\n"
        "materials: {soft: {young: 1000, poisson: 0.3, density: 1}}\n"
        "bodies:\n"
        "  block: {mesh: {rectangle: {size: [2, 1], cells: [8, 2], origin: [-1, 0]}}, material: soft,\n"
        "          thickness: 0.5}\n"
        "  plate: {mesh: {rectangle: {size: [6, 1], cells: [18, 2], origin: [-3, -1]}}, material: soft,\n"
        "          thickness: 0.5}\n"
        "frames:\n"
        "  block: {at: %s, angle: %s, free: [y], force: [0, -10]}\n"
        "  plate: {at: %s, angle: %s}\n"
        "supports: [{on: block.top, displacement: [0, 0]}, {on: plate.bottom, displacement: [0, 0]}]\n"
        "contacts: [{between: [block.bottom, plate.top], friction: %s, max-distance: 0.1, %s}]\n"
        "steps: [{name: slide, trajectory: {to: 1, positions: 3}}]\n",
        of->at ? of->at : "[0, 0]", of->angle ? of->angle : "0", of->slide ? of->slide : "[t, 0]",
        of->angle ? of->angle : "0", of->friction ? of->friction : "0.25",
        of->contact ? of->contact : "strip: 1");
    assert_true(length > 0 && (size_t)length < size);
}

static inline void slider_open(Scene *scene, StickContext *ctx, const Slider *of)
{
    char text[4096];
    slider_text(of, text, sizeof text);
    assert_ok(ctx, scene_try(scene, ctx, text));
}

#endif

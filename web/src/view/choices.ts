// SPDX-License-Identifier: Apache-2.0
// What the surface can be coloured by: fields, their lengths and components, and the range of their values.

import type { Animation, Field } from "../report";
import type { Scale } from "./colours";
import type { FieldFrames } from "./frames";

export interface Choice {
  /** null: bodies in plain colours. */
  field: Field | null;
  /** Of a vector; -1 is its length. */
  component: number;
  label: string;
}

export interface Range {
  low: number;
  high: number;
}

const axes = ["x", "y", "z"];

/** All that can be chosen, in the order of the fields. */
export function choicesOf(animation: Animation): Choice[] {
  const choices: Choice[] = [{ field: null, component: -1, label: "none" }];
  for (const field of animation.fields) {
    const label = field.label || field.name;
    if (field.components === 1 || field.name === "status") {
      // In one dimension a vector has a sign, but no length of its own.
      choices.push({ field, component: 0, label });
      continue;
    }
    choices.push({ field, component: -1, label });
    for (let k = 0; k < field.components; k++) choices.push({ field, component: k, label: `${label} ${axes[k]}` });
  }
  return choices;
}

/** What is shown first: stresses tell most, then how fast it moves; rigid bodies are told apart. */
export function firstChoice(choices: Choice[], rigid = false): number {
  if (rigid) return 0;
  for (const name of ["von_mises", "velocity", "displacement"]) {
    const found = choices.findIndex((choice) => choice.field?.name === name);
    if (found >= 0) return found;
  }
  return 0;
}

/** Least and largest of all numbers that are there; null if there is none. */
export function rangeOf(values: ArrayLike<number>, range: Range | null = null): Range | null {
  let low = range?.low ?? Infinity;
  let high = range?.high ?? -Infinity;
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? { low, high } : null;
}

/** The range of a choice over all frames. */
export function rangeOfAll(field: FieldFrames, component: number, frames: number, room: Float32Array): Range | null {
  let range: Range | null = null;
  for (let frame = 0; frame < frames; frame++) {
    field.readComponent(frame, component, room);
    range = rangeOf(room, range);
  }
  return range;
}

/** Values of both signs need a map with a middle. */
export function scaleOf(choice: Choice, all: Range | null): Scale {
  if (!choice.field) return "bodies";
  if (choice.field.name === "status") return "status";
  if (!all) return "sequential";
  return all.low < 0 && -all.low > 0.02 * all.high ? "diverging" : "sequential";
}

/** A range for the map: symmetric for one with a middle, from zero where values begin near it, never empty. */
export function niceRange(range: Range | null, scale: Scale): Range {
  if (!range) return { low: 0, high: 1 };
  if (scale === "diverging") {
    const most = Math.max(-range.low, range.high) || 1;
    return { low: -most, high: most };
  }
  const { low, high } = range;
  if (high - low <= 1e-6 * Math.abs(high)) {
    if (high === 0) return { low: 0, high: 1 };
    return high > 0 ? { low: 0, high } : { low, high: 0 };
  }
  return { low: high > 0 && low < 0.25 * high ? 0 : low, high };
}

/** Fields of contact nodes are dots in the plane: between a rim and the inside there is nothing to blend. */
export function asDots(choice: Choice, dimension: number): boolean {
  const name = choice.field?.name ?? "";
  return name === "status" || (dimension < 3 && (name === "gap" || name === "contact_pressure"));
}

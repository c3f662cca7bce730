// SPDX-License-Identifier: Apache-2.0
// Phase portraits: which columns of a table belong together, and the curve of a stretch of time in pieces that are coloured by it.

import type { Table } from "./report";
import { type Rgb, cssColour, parseColour } from "./view/colours";
import type { Colours } from "./theme";

/** Displacement and velocity in one direction, by the numbers of their columns. */
export interface Motion {
  direction: string;
  displacement: number;
  velocity: number;
}

export interface Portrait {
  /** Of the node, from 1; empty for the mean of a group. */
  node: string;
  motions: Motion[];
}

/** "displacement.x.12" and "velocity.x.12" are the motion of node 12 along x. */
export function portraitsOf({ columns }: Pick<Table, "columns">): Portrait[] {
  const found = new Map<string, Portrait>();
  columns.forEach(({ name }, displacement) => {
    const match = /^displacement\.([xyz])(?:\.(.+))?$/.exec(name);
    if (!match) return;
    const [, direction = "", node = ""] = match;
    const velocity = columns.findIndex((column) => column.name === `velocity${name.slice("displacement".length)}`);
    if (velocity < 0) return;
    let portrait = found.get(node);
    if (!portrait) found.set(node, (portrait = { node, motions: [] }));
    portrait.motions.push({ direction, displacement, velocity });
  });
  return [...found.values()];
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [0, 1, 2].map((k) => Math.round(a[k]! + (b[k]! - a[k]!) * share)) as Rgb;

/** From the colour of the begin to that of the end, over a tone that is as strong: both are seen on light and dark pages. */
export function colourOfTime(share: number): (colours: Colours) => string {
  return (colours) => cssColour(mix(parseColour(colours.stick), parseColour(colours.flutter), Math.min(1, Math.max(0, share))));
}

export interface Piece {
  points: [number, number][];
  /** Its time between begin and end of the stretch, from 0 to 1. */
  share: number;
}

/** The curve within a stretch of time in so many pieces at most; each begins where the last one ends. */
export function piecesOf(
  times: ArrayLike<number>, x: ArrayLike<number>, y: ArrayLike<number>, [from, to]: [number, number], most: number,
): Piece[] {
  const rows: number[] = [];
  for (let row = 0; row < times.length; row++) if (times[row]! >= from && times[row]! <= to) rows.push(row);
  if (rows.length < 2) return [];
  const count = Math.min(most, rows.length - 1);
  return Array.from({ length: count }, (_, k) => {
    const [first, last] = [Math.floor((k * (rows.length - 1)) / count), Math.floor(((k + 1) * (rows.length - 1)) / count)];
    return { points: rows.slice(first, last + 1).map((row): [number, number] => [x[row]!, y[row]!]), share: count > 1 ? k / (count - 1) : 1 };
  });
}

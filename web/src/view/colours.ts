// SPDX-License-Identifier: Apache-2.0
// Colour maps: tables of 256 colours, made from a few control points of our own.

import type { Colours } from "../theme";

export type Rgb = [number, number, number];

/** 256 colours, four bytes each (the last is 255). */
export type ColourTable = Uint8Array;

export type Scale = "sequential" | "diverging" | "status" | "bodies";

const entries = 256;

// Lightness rises steadily and blue turns to yellow: told apart by any colour vision and in grey.
const sequentialPoints: Rgb[] = [
  [13, 28, 74],
  [38, 58, 112],
  [78, 90, 117],
  [112, 121, 119],
  [152, 152, 112],
  [197, 187, 92],
  [243, 228, 66],
];

// Blue for negative, orange for positive, pale between them; the ends are equally dark.
const divergingPoints: Rgb[] = [
  [8, 64, 129],
  [52, 127, 190],
  [151, 192, 224],
  [240, 240, 236],
  [246, 190, 133],
  [222, 126, 38],
  [140, 66, 4],
];

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

function write(table: ColourTable, entry: number, colour: Rgb): void {
  for (let k = 0; k < 3; k++) table[4 * entry + k] = Math.round(colour[k]);
  table[4 * entry + 3] = 255;
}

function smoothTable(points: Rgb[]): ColourTable {
  const table = new Uint8Array(4 * entries);
  for (let i = 0; i < entries; i++) {
    const place = (i / (entries - 1)) * (points.length - 1);
    const k = Math.min(points.length - 2, Math.floor(place));
    write(table, i, mix(points[k], points[k + 1], place - k));
  }
  return table;
}

/** One colour for each whole number: entry k is the colour of k, the last one goes on to the end. */
function steppedTable(colours: Rgb[]): ColourTable {
  const table = new Uint8Array(4 * entries);
  for (let i = 0; i < entries; i++) write(table, i, colours[Math.min(i, colours.length - 1)]);
  return table;
}

/** Bodies beyond this number begin with the first colour again: it divides by the number of colours of curves. */
export const bodyColours = 252;

/** Bodies without a field: the colours of curves, washed out so that edges and arrows stand out. */
export function bodyColour(body: number, colours: Colours): Rgb {
  const curve = parseColour(colours.curves[body % colours.curves.length] ?? colours.faint);
  return mix(parseColour(colours.background), curve, 0.4);
}

/** The colour of a surface that has no value. */
export function neutralColour(colours: Colours): Rgb {
  return mix(parseColour(colours.background), parseColour(colours.text), 0.22);
}

export function colourTable(scale: Scale, colours: Colours, bodies: number): ColourTable {
  if (scale === "sequential") return smoothTable(sequentialPoints);
  if (scale === "diverging") return smoothTable(divergingPoints);
  if (scale === "status") return steppedTable([colours.apart, colours.stick, colours.slip].map(parseColour));
  return steppedTable(Array.from({ length: Math.min(bodyColours, Math.max(1, bodies)) }, (_, k) => bodyColour(k, colours)));
}

/** Where a value stands in a table, from 0 to 1; `missing` for what is no number. */
export const missing = -1000;

export function coordinate(value: number, low: number, high: number): number {
  if (Number.isNaN(value)) return missing;
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** The coordinate of entry k of a stepped table. */
export const steppedCoordinate = (entry: number): number => (entry + 0.5) / entries;

/** The entry of a table at a coordinate. */
export const entryOf = (place: number): number => Math.min(entries - 1, Math.floor(place * entries));

/** #rgb, #rrggbb or rgb(r, g, b). */
export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((c) => c + c) : [hex.slice(0, 2), hex.slice(2, 4), hex.slice(4)];
    return digits.map((two) => parseInt(two, 16)) as Rgb;
  }
  const numbers = /^rgba?\(([^)]*)\)$/i.exec(text.trim())?.[1]?.split(/[\s,/]+/).map(Number);
  return numbers && numbers.length >= 3 ? (numbers.slice(0, 3) as Rgb) : [128, 128, 128];
}

export const cssColour = (colour: Rgb): string => `rgb(${colour.map((c) => Math.round(c)).join(", ")})`;

export function tableColour(table: ColourTable, entry: number): Rgb {
  return [table[4 * entry], table[4 * entry + 1], table[4 * entry + 2]];
}

/** Relative luminance, 0 black to 1 white. */
export function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

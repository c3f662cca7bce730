// SPDX-License-Identifier: Apache-2.0
// What can be said of the stability of a state (docs/reference/results.md, column verdict): words, colours and patterns.

import type uPlot from "uplot";
import { element } from "./dom";
import type { Colours } from "./theme";

/** By their numbers in the table. */
export const verdictWords = [
  "undecided", "no growth", "divergence possible", "flutter", "divergence", "divergence and flutter",
];

export const noGrowth = 1;

export interface Region {
  from: number;
  to: number;
  verdict: number;
}

type Lines = "rising" | "falling" | "level" | "crossed" | "dots";

interface Look {
  colour: (colours: Colours) => string;
  lines: Lines;
}

// Told apart by their patterns where colours are not.
const looks: Record<number, Look> = {
  0: { colour: (c) => c.undecided, lines: "level" },
  2: { colour: (c) => c.possible, lines: "dots" },
  3: { colour: (c) => c.flutter, lines: "rising" },
  4: { colour: (c) => c.divergence, lines: "falling" },
  5: { colour: (c) => c.divergence, lines: "crossed" },
};

export const verdictWord = (verdict: number): string => verdictWords[verdict] ?? "unknown";

/** Neighbours of the same verdict are one region; states in which nothing grows are none. */
export function regionsOf(states: { begin: number; end: number; verdict: number }[]): Region[] {
  const regions: Region[] = [];
  for (const { begin, end, verdict } of states) {
    const last = regions[regions.length - 1];
    if (last && last.verdict === verdict && last.to === begin) last.to = end;
    else regions.push({ from: begin, to: end, verdict });
  }
  return regions.filter(({ verdict }) => verdict !== noGrowth && looks[verdict]);
}

function trace(pen: CanvasRenderingContext2D, lines: Lines, size: number): void {
  for (const shift of [-size, 0, size]) {
    if (lines === "rising" || lines === "crossed") pen.moveTo(shift, size), pen.lineTo(shift + size, 0);
    if (lines === "falling" || lines === "crossed") pen.moveTo(shift, 0), pen.lineTo(shift + size, size);
  }
  if (lines === "level") pen.moveTo(0, size / 2), pen.lineTo(size, size / 2);
  if (lines === "dots") pen.rect(size / 2 - size / 10, size / 2 - size / 10, size / 5, size / 5);
}

function patternOf(pen: CanvasRenderingContext2D, { colour, lines }: Look, colours: Colours, ratio: number): CanvasPattern | string {
  const size = Math.max(6, Math.round(9 * ratio));
  const tile = element("canvas", { width: size, height: size });
  const brush = tile.getContext("2d");
  if (!brush) return colour(colours);
  brush.fillStyle = brush.strokeStyle = colour(colours);
  brush.globalAlpha = 0.16;
  brush.fillRect(0, 0, size, size);
  brush.globalAlpha = 0.75;
  brush.lineWidth = ratio;
  trace(brush, lines, size);
  brush.stroke();
  return pen.createPattern(tile, "repeat") ?? colour(colours);
}

/** Behind the curves of a plot; a region shorter than two pixels can still be seen. */
export function paintRegions(chart: uPlot, regions: Region[], colours: Colours): void {
  const { ctx: pen, bbox } = chart;
  const ratio = bbox.width > 0 ? chart.ctx.canvas.width / chart.width : 1;
  for (const { from, to, verdict } of regions) {
    const look = looks[verdict];
    if (!look) continue;
    const left = Math.max(bbox.left, chart.valToPos(from, "x", true));
    const right = Math.min(bbox.left + bbox.width, Math.max(chart.valToPos(to, "x", true), left + 2 * ratio));
    if (!(right > left)) continue;
    pen.fillStyle = patternOf(pen, look, colours, ratio);
    pen.fillRect(left, bbox.top, right - left, bbox.height);
  }
}

/** A sample of a verdict; of "no growth" an empty one. */
export function verdictSwatch(verdict: number, colours: Colours): HTMLCanvasElement {
  const canvas = element("canvas", { width: 36, height: 28, class: "legend-swatch", "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  const look = looks[verdict];
  if (!pen || !look) return canvas;
  pen.fillStyle = patternOf(pen, look, colours, 2);
  pen.fillRect(0, 0, 36, 28);
  return canvas;
}

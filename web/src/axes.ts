// SPDX-License-Identifier: Apache-2.0
// Axes of plots: names with units, and a power of ten in the name instead of at every number.

import type uPlot from "uplot";
import type { Theme } from "./theme";

const superscripts: Record<string, string> = {
  "-": "\u207b", "0": "\u2070", "1": "\u00b9", "2": "\u00b2", "3": "\u00b3", "4": "\u2074",
  "5": "\u2075", "6": "\u2076", "7": "\u2077", "8": "\u2078", "9": "\u2079",
};

/** The power of ten (0, or a multiple of three) that numbers up to this size are written in. */
export function axisPower(low: number, high: number): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(size > 0) || !Number.isFinite(size) || (size >= 0.05 && size < 1e4)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3);
}

export function tenTo(power: number): string {
  return `10${[...String(power)].map((digit) => superscripts[digit] ?? digit).join("")}`;
}

/** "force [10³ N]"; a name that is too long for an axis stands above the plot in full. */
export function axisName(full: string, unit: string, power: number): string {
  const name = full.length > 30 ? `${full.slice(0, 29)}\u2026` : full;
  if (power === 0) return unit ? `${name} [${unit}]` : name;
  return unit ? `${name} [${tenTo(power)} ${unit}]` : `${name} [${tenTo(power)}]`;
}

/** Ticks in units of the power, with as many decimals as their distance needs. */
export function axisNumbers(ticks: number[], distance: number, power: number): string[] {
  const unit = 10 ** power;
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(distance / unit) + 1e-9)));
  const need = [0, 1, 2].find((more) => isWhole((distance / unit) * 10 ** (decimals + more))) ?? 0;
  return ticks.map((tick) => {
    const text = (tick / unit).toFixed(decimals + need);
    return Number(text) === 0 ? "0" : text;
  });
}

const isWhole = (x: number): boolean => Math.abs(x - Math.round(x)) < 1e-6 * Math.max(1, Math.abs(x));
const font = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

function powerOf(chart: uPlot, scale: string): number {
  const { min, max } = chart.scales[scale]!;
  return axisPower(min ?? 0, max ?? 0);
}

function common(theme: Theme): uPlot.Axis {
  return {
    stroke: () => theme.colours.faint,
    font,
    labelFont: font,
    labelGap: 0,
    labelSize: 18,
    grid: { stroke: () => theme.colours.grid, width: 1 },
    ticks: { stroke: () => theme.colours.grid, width: 1, size: 5 },
  };
}

export function timeAxis(unit: string, theme: Theme): uPlot.Axis {
  return {
    ...common(theme),
    scale: "x",
    size: 30,
    space: 60,
    label: (chart) => axisName("t", unit, powerOf(chart, "x")),
    values: (chart, ticks, _, __, distance) => axisNumbers(ticks, distance, powerOf(chart, "x")),
  };
}

/** Powers of ten at a logarithmic axis; ticks between them have no number. */
export function powersOf(ticks: (number | null)[]): string[] {
  return ticks.map((tick) => {
    const power = tick === null ? NaN : Math.log10(tick);
    return Math.abs(power - Math.round(power)) < 1e-6 ? tenTo(Math.round(power)) : "";
  });
}

/** Room for the longest of the numbers. */
function widthOf(texts: string[] | null): number {
  const longest = Math.max(1, ...(texts ?? []).map((text) => (text ?? "").length));
  return 16 + 7 * longest;
}

const wholeDistances = Array.from({ length: 8 }, (_, k) => [1, 2, 5].map((first) => first * 10 ** k)).flat();

export function valueAxis(
  name: string,
  unit: string,
  kind: { logarithmic: boolean; whole: boolean },
  theme: Theme,
): uPlot.Axis {
  const axis: uPlot.Axis = { ...common(theme), scale: "y", size: (_, texts) => widthOf(texts), space: 36 };
  if (kind.whole) axis.incrs = wholeDistances;
  if (kind.logarithmic)
    return {
      ...axis,
      label: axisName(name, unit, 0),
      space: 24,
      values: (_, ticks) => powersOf(ticks),
    };
  return {
    ...axis,
    label: (chart) => axisName(name, unit, powerOf(chart, "y")),
    values: (chart, ticks, _, __, distance) => axisNumbers(ticks, distance, powerOf(chart, "y")),
  };
}

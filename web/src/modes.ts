// SPDX-License-Identifier: Apache-2.0
// Modes of a state and branches of a sweep: which are shown, and which of them first.

import { type Blocks, columnsOf } from "./data";
import { formatNumber, formatQuantity } from "./format";
import type { Mode } from "./paths";
import type { Stability, Table } from "./report";

/** So many of the lowest modes are shown at first. */
export const lowest = 20;

export const grows = (mode: Mode): boolean => mode.kind >= 2;

/** A complex pair takes two numbers and is known by the first. */
export function withoutPairs(modes: Mode[]): Mode[] {
  const isSecond = (mode: Mode, before: Mode | undefined): boolean =>
    before !== undefined && mode.imaginary !== 0 && mode.imaginary === -before.imaginary && mode.real === before.real;
  return modes.filter((mode, k) => !isSecond(mode, modes[k - 1]));
}

/** What matters most first: a shape that can be seen, then growth, then low modes. */
export function orderModes(modes: Mode[], chosen: Mode | null, hasShape: (mode: Mode) => boolean): Mode[] {
  const rank = (mode: Mode): number => (mode === chosen ? 3 : hasShape(mode) ? 2 : grows(mode) ? 1 : 0);
  return [...modes].sort((a, b) => rank(b) - rank(a) || (grows(a) ? b.growth - a.growth : 0) || a.number - b.number);
}

/** The highest frequency that is shown: of the lowest modes and of those that must be seen. */
export function frequencyShown(modes: Mode[], must: Mode[], all: boolean): number {
  const sorted = modes.map((mode) => mode.frequency).sort((a, b) => a - b);
  const high = all ? sorted[sorted.length - 1] : sorted[Math.min(sorted.length, lowest) - 1];
  return Math.max(high ?? 0, ...must.map((mode) => mode.frequency)) || 1;
}

export interface Branch {
  number: number;
  frequency: [number, number][];
  growth: [number, number][];
}

/** Rows of a sweep by their branch, along the parameter, which is the first column. */
export async function branchesOf(blocks: Blocks, sweep: Table): Promise<Branch[]> {
  const columns = await columnsOf(blocks, sweep);
  const at = (name: string): Float64Array | undefined => columns[sweep.columns.findIndex((column) => column.name === name)];
  const [value, branch, frequency, growth] = [columns[0]!, at("branch"), at("frequency"), at("growth")];
  const found = new Map<number, Branch>();
  for (let row = 0; row < sweep.kept; row++) {
    const number = branch?.[row] ?? 1;
    let one = found.get(number);
    if (!one) found.set(number, (one = { number, frequency: [], growth: [] }));
    one.frequency.push([value[row]!, frequency?.[row] ?? NaN]);
    one.growth.push([value[row]!, growth?.[row] ?? NaN]);
  }
  const along = (points: [number, number][]): void => void points.sort((a, b) => a[0] - b[0]);
  for (const one of found.values()) along(one.frequency), along(one.growth);
  return [...found.values()].sort((a, b) => a.number - b.number);
}

/** What happens at a value of the parameter (coalescence.csv). */
export interface SweepEvent {
  value: number;
  frequency: number;
  kind: number;
  change: number;
  /** Branches that it happens to; 0: none. */
  branch: number;
  partner: number;
  /** 1 where growth begins with it, -1 where it ends. */
  growthChange: number;
}

/** Where it is known that growth passes zero it does so on the lines, too: values of the sweep may be far apart. */
export function withEvents(branches: Branch[], events: SweepEvent[]): Branch[] {
  const passes = events.filter(({ kind, growthChange }) => kind === 2 || (kind === 1 && growthChange !== 0));
  const joined = (
    points: [number, number][],
    more: [number, number][],
  ): [number, number][] => [...points, ...more].sort((a, b) => a[0] - b[0]);
  return branches.map(({ number, frequency, growth }) => {
    const own = passes.filter(({ branch, partner }) => branch === number || partner === number);
    return {
      number,
      frequency: joined(frequency, own.map((event) => [event.value, event.frequency])),
      growth: joined(growth, own.map((event) => [event.value, 0])),
    };
  });
}

const happenings: [string, string][] = [
  ["growth from the start", "growth from the start"],
  ["modes meet", "modes part"],
  ["growth begins", "growth ends"],
  ["divergence begins", "divergence ends"],
  ["contacts change", "contacts change"],
  ["growth begins", "growth ends"],
  ["a growing mode comes into view", "a growing mode goes out of view"],
];

/** Whether modes meet, or growth begins or ends: contacts that change say less. */
export const isTurn = ({ kind }: Pick<SweepEvent, "kind">): boolean => kind !== 4;

/** "modes meet at 0.67347" */
export function sweepWords({ kind, change }: Pick<SweepEvent, "kind" | "change">, value: string): string {
  const [begins, ends] = happenings[kind] ?? ["change", "change"];
  return `${change < 0 ? ends : begins} at ${value}`;
}

/** Pieces of a branch in which it grows: from where growth leaves zero to where it comes back to it. */
export function growingPieces({ growth, frequency }: Branch, least: number): { growth: [number, number][]; frequency: [number, number][] }[] {
  const pieces: { growth: [number, number][]; frequency: [number, number][] }[] = [];
  let open = false;
  growth.forEach((point, k) => {
    const grows = point[1] > least;
    if (!grows && !open) return;
    if (!open) pieces.push({ growth: k > 0 ? [growth[k - 1]!] : [], frequency: k > 0 ? [frequency[k - 1]!] : [] });
    const piece = pieces[pieces.length - 1]!;
    piece.growth.push(point);
    piece.frequency.push(frequency[k]!);
    open = grows;
  });
  return pieces;
}

/** Growth that is no rounding. */
export const leastGrowth = (branches: Branch[]): number =>
  1e-9 * branches.reduce((most, { growth, frequency }) => [...growth, ...frequency].reduce((high, [, y]) => (Math.abs(y) > high ? Math.abs(y) : high), most), 0);

/** A stretch of the parameter in which a mode grows; NaN where it has no begin or no end among the values. */
export interface Instability {
  from: number;
  to: number;
  frequency: number;
  growth: number;
  diverges: boolean;
}

/** One for each pair of branches that become one mode with its pair, strongest growth first. */
export function instabilitiesOf(branches: Branch[], events: SweepEvent[]): Instability[] {
  const least = leastGrowth(branches);
  const found = branches.flatMap((branch) => growingPieces(branch, least).map((piece): Instability => {
    const [first, last] = [piece.growth[0]!, piece.growth[piece.growth.length - 1]!];
    const begins = first[1] <= least;
    const event = events.find(({ value, branch: one, partner }) => value === first[0] && (one === branch.number || partner === branch.number));
    return {
      from: begins ? first[0] : NaN, to: last[1] <= least ? last[0] : NaN,
      frequency: event?.frequency ?? piece.frequency[begins ? 1 : 0]?.[1] ?? NaN,
      growth: piece.growth.reduce((most, [, y]) => Math.max(most, y), 0),
      diverges: piece.frequency.every(([, f], k) => f === 0 || (k === 0 && begins)),
    };
  }));
  const same = (a: Instability, b: Instability): boolean => Object.is(a.from, b.from) && Object.is(a.to, b.to) && Math.abs(a.frequency - b.frequency) <= 1e-6 * a.frequency;
  return found.filter((one, k) => found.findIndex((other) => same(one, other)) === k).sort((a, b) => b.growth - a.growth || a.frequency - b.frequency);
}

/** "Flutters from mu = 0.3373 at 1283 Hz" */
export function instabilityWords({ from, to, frequency, growth, diverges }: Instability, name: string, units: { frequency: string; growth: string }): string {
  const number = (value: number): string => formatNumber(value, 4);
  const begin = Number.isNaN(from) ? "at all values" : `from ${name} = ${number(from)}`;
  const end = Number.isNaN(to) ? "" : Number.isNaN(from) ? ` up to ${name} = ${number(to)}` : ` to ${number(to)}`;
  const where = Number.isNaN(from) && !Number.isNaN(to) ? end.trim() : `${begin}${end}`;
  const at = diverges ? "" : ` at ${formatQuantity(frequency, units.frequency, 4)}`;
  return `${diverges ? "Diverges" : "Flutters"} ${where}${at}; growth up to ${formatQuantity(growth, units.growth)}.`;
}

/** The name of the parameter: that of the first column, or what lines of the verdicts ("mu = 0.6: ...") call it. */
export function parameterOf({ sweep, verdicts }: Pick<Stability, "sweep" | "verdicts">): string {
  const name = sweep?.columns[0]?.name ?? "";
  if (name !== "value") return name;
  return /^([^=\s]+) = \S+: /.exec(verdicts)?.[1] ?? name;
}

/** exp(growth t) from the first amplitude that is there. */
export function predictedAmplitude(times: Float64Array, amplitude: Float64Array, growth: number): Float64Array {
  const first = amplitude.findIndex((value) => value > 0);
  return times.map((t, k) => (first < 0 || k < first ? NaN : amplitude[first]! * Math.exp(growth * (t - times[first]!))));
}

// SPDX-License-Identifier: Apache-2.0
// Motion in time: what a run has of it, peaks of spectra and what they belong to, windows of time.

import { formatQuantity } from "./format";
import type { PanelContext } from "./panel";
import { loadPath, rowsOf } from "./paths";
import type { Run, SignalFacts, Signals, Stability, Step, Table } from "./report";

export const isThere = <T>(one: T | null | undefined): one is T => one !== null && one !== undefined;

/** Tables that could be read and have rows. */
export const readable = (tables: (Table | null)[] | undefined): Table[] => (tables ?? []).filter(isThere).filter(({ kept }) => kept > 0);

const none: Signals = { all: [], portraits: [], contacts: [] };
export const signalsOf = (run: Run): Signals => run.signals ?? none;
export const factsOf = (run: Run, signal: string): SignalFacts => run.summary?.signals?.[signal] ?? {};

/** A signal over time; none where it is the mode of a disturbance, which its stability step has. */
export const historyOf = (run: Run, signal: string): Table | null =>
  run.tables.find(({ kind, name, kept }) => kind === "history" && name === signal && kept > 0) ?? null;

/** A number of the summary, `<name>.<key>`; NaN if there is none. */
export const numberOf = (run: Run, name: string, key: string): number => run.summary?.numbers?.[`${name}.${key}`] ?? NaN;

/** The stretch of time in which a signal is what it has become. */
export function windowOf(run: Run, signal: string): [number, number] | null {
  const [from, to] = [numberOf(run, signal, "saturated_from"), numberOf(run, signal, "saturated_to")];
  return to > from ? [from, to] : null;
}

const motions: Record<string, string> = {
  "at rest": "At rest",
  decays: "It decays",
  grows: "It grows still: the run ends before it is saturated",
  periodic: "A limit cycle: periodic",
  modulated: "Modulated or irregular: it does not return to itself",
  short: "Too short to tell what it becomes",
};

/** What a signal is, in a sentence. */
export function motionWords(run: Run, signal: string, units: { frequency: string; value: string }): string {
  const { motion = "" } = factsOf(run, signal);
  const time = run.summary?.units?.time ?? "";
  const parts = [motions[motion] ?? ""];
  const add = (key: string, words: string, unit: string): void => {
    const value = numberOf(run, signal, key);
    if (Number.isFinite(value)) parts.push(`${words} ${formatQuantity(value, unit, 5)}`);
  };
  add("dominant_frequency", "dominant frequency", units.frequency);
  add("period", "period", time);
  add("dominant_amplitude", "amplitude at that frequency", units.value);
  add("amplitude", "half of peak to peak", units.value);
  add("rms", "r.m.s.", units.value);
  const said = parts.filter(Boolean).join(", ");
  return said ? `${said.charAt(0).toUpperCase()}${said.slice(1)}.` : "";
}

/** Of so many stretches of an axis those points that are least and largest: what a picture can show of them. */
export function envelope(points: [number, number][], [low, high]: [number, number], stretches: number): [number, number][] {
  const inside = points.filter(([x, y]) => x >= low && x <= high && Number.isFinite(y));
  if (inside.length <= 2 * stretches || !(high > low)) return inside;
  const kept: [number, number][] = [];
  for (let k = 0, at = 0; k < stretches; k++) {
    const end = low + ((high - low) * (k + 1)) / stretches;
    let [least, most] = [at, at];
    const begin = at;
    for (; at < inside.length && (inside[at]![0] <= end || k === stretches - 1); at++) {
      if (inside[at]![1] < inside[least]![1]) least = at;
      if (inside[at]![1] > inside[most]![1]) most = at;
    }
    if (at === begin) continue;
    kept.push(inside[Math.min(least, most)]!);
    if (least !== most) kept.push(inside[Math.max(least, most)]!);
  }
  return kept;
}

/** Decibels below the largest, not below the floor. */
export function decibels(points: [number, number][], largest: number, floor = -100): [number, number][] {
  return points.map(([x, y]) => [x, y > 0 && largest > 0 ? Math.max(floor, 20 * Math.log10(y / largest)) : floor]);
}

export interface Peak {
  frequency: number;
  amplitude: number;
}

/** A summary may be damaged: what is no number is none. */
export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Peaks that the summary names, highest first. */
export function namedPeaks({ peaks }: SignalFacts): Peak[] {
  if (!Array.isArray(peaks)) return [];
  return peaks.flatMap((one) => (isNumber(one?.frequency) && isNumber(one?.amplitude) ? [{ frequency: one.frequency, amplitude: one.amplitude }] : []));
}

/** Peaks that the summary names, or those that the table has: its highest lines that rise above both neighbours. */
export function peaksOf(facts: SignalFacts, points: [number, number][], most = 10): Peak[] {
  const named = namedPeaks(facts);
  if (named.length > 0) return named.slice(0, most);
  const found = points.flatMap(([frequency, amplitude], k): Peak[] => {
    const rises = k > 0 && k + 1 < points.length && amplitude > points[k - 1]![1] && amplitude >= points[k + 1]![1];
    return rises ? [{ frequency, amplitude }] : [];
  });
  const largest = found.reduce((high, { amplitude }) => Math.max(high, amplitude), 0);
  return found.filter(({ amplitude }) => amplitude > 1e-3 * largest).sort((a, b) => b.amplitude - a.amplitude).slice(0, most);
}

/** A frequency that stability predicts. */
export interface Predicted {
  mode: number;
  frequency: number;
  growth: number;
  /** The mode that was disturbed, or one that grows. */
  grows: boolean;
}

/** Which multiple of the first peak a frequency is, within 1 %; 0: none. */
export function multipleOf(frequency: number, first: number): number {
  const times = Math.round(frequency / first);
  return first > 0 && times > 1 && Math.abs(frequency - times * first) < 0.01 * first * Math.sqrt(times) ? times : 0;
}

/** The predicted frequency nearest to a peak, if it is within 5 %, or 10 % of one that grows: flutter that is saturated is slower or faster than in the small. */
export function nearest(frequency: number, predicted: Predicted[]): Predicted | null {
  const away = (one: Predicted): number => Math.abs(one.frequency - frequency) * (one.grows ? 0.5 : 1);
  const best = predicted.reduce<Predicted | null>((a, b) => (a && away(a) <= away(b) ? a : b), null);
  return best && Math.abs(best.frequency - frequency) <= (best.grows ? 0.1 : 0.05) * best.frequency ? best : null;
}

/** What a peak belongs to, for people. */
export function peakWords(peak: Peak, peaks: Peak[], predicted: Predicted[], units: { frequency: string; value: string }): string {
  const words = `${formatQuantity(peak.frequency, units.frequency, 5)}, amplitude ${formatQuantity(peak.amplitude, units.value)}`;
  const times = multipleOf(peak.frequency, peaks[0]?.frequency ?? 0);
  if (times > 1) return `${words}: ${times} times the highest peak`;
  const mode = nearest(peak.frequency, predicted);
  if (!mode) return words;
  const off = (100 * (peak.frequency - mode.frequency)) / mode.frequency;
  const side = Math.abs(off) < 0.05 ? "as predicted for" : `${formatQuantity(Math.abs(off), "%", 2)} ${off < 0 ? "below" : "above"}`;
  return `${words}: ${side} mode ${mode.mode} (${formatQuantity(mode.frequency, units.frequency, 5)})`;
}

/** The stability step that has a spectrum of the state from which a step starts: its own, or another of the same path (a map has none). */
function judgedBefore({ steps = [], stability = [] }: Run, step: string): Stability | null {
  const named = (name: string): Step | undefined => steps.find((one) => one.name === name);
  const of = named(step)?.of ?? "";
  const path = named(of)?.of;
  const own = stability.find((one) => one.step === of && one.spectrum);
  return own ?? stability.find((one) => one.spectrum && path && named(one.step)?.of === path) ?? null;
}

/** Modes of the state that a step in time starts from: the disturbed one, then those of its spectrum. */
export async function predictedFor(context: PanelContext, step: string): Promise<Predicted[]> {
  const all = context.run.stability ?? [];
  const own = all.find((one) => one.step === step);
  const names = { mode: "mode", growth: "growth", frequency: "frequency" };
  const disturbed = own?.predicted ? await rowsOf(context.blocks, own.predicted, names) : [];
  const judged = judgedBefore(context.run, step);
  const last = judged ? [...(await loadPath(context.blocks, judged)).modes.values()].pop() ?? [] : [];
  const found = disturbed.map((one): Predicted => ({ ...one, grows: true }));
  for (const { number: mode, frequency, growth, kind } of last)
    if (kind > 0 && kind < 3 && !found.some((one) => Math.abs(one.frequency - frequency) < 1e-6 * frequency))
      found.push({ mode, frequency, growth, grows: kind === 2 });
  return found.filter(({ frequency }) => frequency > 0);
}

// SPDX-License-Identifier: Apache-2.0
// Mesh cycles of gears: curves over the roll angle, harmonics, and numbers of a study over what its cases vary.

import { type Blocks, columnsOf } from "./data";
import { formatNumber, formatQuantity } from "./format";
import type { Report, Run, Table } from "./report";
import { isNumber, numberOf } from "./signals";
import { variedOf, type Varied } from "./varied";

const degrees = 180 / Math.PI;

export const cyclesOf = (run: Run, kind: "cycle" | "mechanism"): Table[] =>
  (run.cycles ?? []).filter((table): table is Table => table !== null && table.kind === kind && table.kept > 0);

/** Whether there are energies. Positions along a trajectory are equilibria of their own: a run of nothing else has zeros alone. */
export const keepsBooks = ({ steps }: Run): boolean => steps.length === 0 || steps.some(({ kind }) => kind !== "trajectory");

/** Unit of time; where a pair of gears rolls and nothing else, t counts tooth cycles. */
export function timeUnitOf(run: Run): string {
  const counted = cyclesOf(run, "cycle").length > 0 && cyclesOf(run, "mechanism").length === 0 && !keepsBooks(run);
  return counted ? "cycles" : (run.summary?.units?.time ?? "");
}

/** A curve of a cycle: one number for each position. */
export interface CycleCurve {
  label: string;
  unit: string;
  values: Float64Array;
}

/** The mesh cycle of a pair of gears, of the last step that it went through. */
export interface Cycle {
  name: string;
  times: Float64Array;
  /** Of the input from the pitch point on, degrees. */
  roll: Float64Array;
  column(name: string): CycleCurve | null;
  /** Shares of the load by pairs of teeth. */
  shares: CycleCurve[];
}

export async function loadCycle(blocks: Blocks, table: Table): Promise<Cycle> {
  const columns = await columnsOf(blocks, table);
  const place = (name: string): number => table.columns.findIndex((column) => column.name === name);
  const steps = columns[place("step")] ?? new Float64Array(table.kept);
  const last = steps[steps.length - 1];
  const first = Math.max(0, steps.findIndex((step) => step === last));
  const take = (k: number): CycleCurve => ({ label: table.columns[k]!.name, unit: table.columns[k]!.unit, values: columns[k]!.subarray(first) });
  const pairs = table.columns.flatMap(({ name }, k) => (name.startsWith("share.") ? [k] : []));
  return {
    name: table.name,
    times: columns[0]!.subarray(first),
    roll: (columns[place("roll_angle")] ?? new Float64Array(table.kept)).subarray(first).map((angle) => angle * degrees),
    column: (name) => (place(name) < 0 ? null : take(place(name))),
    shares: pairs.map(take).map((curve) => ({ ...curve, label: `pair ${curve.label.slice("share.".length)}` })),
  };
}

/** Amplitudes of the transmission error at multiples of the mesh frequency, from 1 on; none where positions are no whole cycles. */
export function harmonicsOf(run: Run, pair: string): number[] {
  const { harmonics } = run.summary?.gears?.[pair] ?? {};
  if (!Array.isArray(harmonics)) return [];
  const there = harmonics.findIndex((one) => !isNumber(one));
  return (there < 0 ? harmonics : harmonics.slice(0, there)) as number[];
}

/** The cycle in a sentence or two. */
export function cycleWords(run: Run, pair: string, unit: string, stress = ""): string {
  const of = (key: string): number => numberOf(run, pair, key);
  const parts: string[] = [];
  const add = (key: string, words: (text: string) => string, unit = "", digits = 4): void => {
    if (Number.isFinite(of(key))) parts.push(words(formatQuantity(of(key), unit, digits)));
  };
  const { teeth } = run.summary?.gears?.[pair] ?? {};
  if (Array.isArray(teeth) && teeth.every(isNumber)) parts.push(`${teeth.join(" to ")} teeth`);
  add("transmission_error_mean", (text) => `transmission error ${text} on the mean`, unit);
  add("transmission_error_peak_to_peak", (text) => `${text} from peak to peak`, unit);
  add("contact_ratio", (text) => `contact ratio ${text}`);
  if (of("contact_ratio_loaded") === 0) parts.push("no load");
  else {
    add("contact_ratio_loaded", (text) => `under load ${text}`);
    add("efficiency", (text) => `efficiency ${text}`, "", 5);
    add("hertz", (text) => `largest pressure by Hertz ${text}`, stress);
    add("root_stress_1", (text) => `largest tension at the roots of the input ${text}`, stress);
    add("root_stress_2", (text) => `of the output ${text}`, stress);
    add("stiffness_mean", (text) => `mean stiffness by face width ${text}`, stress);
  }
  const said = parts.join(", ");
  return said ? `${said.charAt(0).toUpperCase()}${said.slice(1)}.` : "";
}

/** Numbers of a pair that a map can show, with what they are called. */
export const mapped: [key: string, name: string][] = [
  ["transmission_error_peak_to_peak", "error from peak to peak"],
  ["transmission_error_1", "error at the mesh frequency"],
  ["transmission_error_mean", "mean error"],
  ["efficiency", "efficiency"],
  ["contact_ratio_loaded", "contact ratio under load"],
  ["pressure", "largest pressure"],
  ["root_stress_1", "root tension, input"],
  ["root_stress_2", "root tension, output"],
  ["largest_share_change", "largest change of a share"],
  ["stiffness_mean", "mean stiffness"],
];

export interface MapCell {
  /** Number of the run in the report. */
  run: number;
  x: number;
  y: number;
  value: number;
}

export interface GearMap {
  x: Varied;
  /** null: one parameter alone is varied, and y is 0. */
  y: Varied | null;
  cells: MapCell[];
  /** Other parameters that are varied, as the run that is looked at has them. */
  held: string;
}

/** A number over the two parameters that take most values; others are those of the run that is looked at. */
export function mapOf(report: Report, seen: Run, pair: string, key: string): GearMap | null {
  const known = report.runs.map((run, k) => ({ run, k })).filter(({ run }) => Number.isFinite(numberOf(run, pair, key)));
  const varied = variedOf(known.map(({ run }) => run));
  const [x, y = null] = varied;
  if (!x) return null;
  const rest = varied.slice(2);
  const like = known.filter(({ run }) => rest.every(({ name }) => run.parameters?.[name] === seen.parameters?.[name]));
  const cells = like.map(({ run, k }) => ({ run: k, x: run.parameters?.[x.name] ?? NaN, y: y ? (run.parameters?.[y.name] ?? NaN) : 0, value: numberOf(run, pair, key) }));
  const held = rest.map(({ name }) => `${name} = ${formatNumber(seen.parameters?.[name])}`).join(", ");
  return { x, y, cells, held };
}

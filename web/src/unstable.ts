// SPDX-License-Identifier: Apache-2.0
// Modes that grow: the strongest first, with their damping ratios.

import type { Blocks } from "./data";
import { type Mode, rowsOf } from "./paths";
import type { Stability } from "./report";

/** -2 Re / |Im| of the eigenvalue: negative where the mode grows. NaN of a mode that does not oscillate. */
export const dampingRatio = ({ growth, frequency }: Pick<Mode, "growth" | "frequency">): number =>
  frequency > 0 ? -growth / (Math.PI * frequency) : NaN;

export interface Unstable extends Mode {
  /** 0: there are no branches. */
  branch: number;
}

/** What grows, strongest first. */
export const byGrowth = <M extends Mode>(modes: M[]): M[] => modes.filter(({ kind }) => kind >= 2).sort((a, b) => b.growth - a.growth || a.number - b.number);

export interface SweepValue {
  /** Number of the value, from 1: that of its shapes. */
  number: number;
  value: number;
  modes: Unstable[];
}

/** Unstable modes at the values of a sweep; those between, where modes were followed, have no shapes. */
export async function unstableValues({ blocks }: { blocks: Blocks }, { statuses, sweep }: Pick<Stability, "statuses" | "sweep">): Promise<SweepValue[]> {
  if (!statuses || !sweep) return [];
  const value = statuses.columns[0]!.name;
  const given = await rowsOf(blocks, statuses, { value });
  const numbers = statuses.numbers ? await blocks.load(statuses.numbers) : null;
  const names = {
    value: sweep.columns[0]!.name, branch: "branch", number: "mode", real: "Lambda.real", imaginary: "Lambda.imaginary",
    growth: "growth", frequency: "frequency", kind: "kind",
  };
  const rows = await rowsOf(blocks, sweep, names);
  const isSecond = (mode: Mode, other: Mode): boolean =>
    other.number < mode.number && mode.imaginary !== 0 && other.imaginary === -mode.imaginary && other.real === mode.real;
  return given.map((row, k) => {
    const own = rows.filter((mode) => mode.value === row.value);
    const modes = byGrowth(own.filter((mode) => !own.some((other) => isSecond(mode, other))));
    return { number: (numbers?.[k] ?? k) + 1, value: row.value, modes };
  }).filter(({ modes }) => modes.length > 0);
}

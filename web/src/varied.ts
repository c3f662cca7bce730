// SPDX-License-Identifier: Apache-2.0
// What cases of a study vary.

import { formatNumber } from "./format";
import type { Run } from "./report";
import { isNumber } from "./signals";

/** A parameter that cases of a study set to different values, ascending. */
export interface Varied {
  name: string;
  values: number[];
}

/** Parameters in which runs differ, those with most values first. */
export function variedOf(runs: Run[]): Varied[] {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.parameters ?? {})))];
  const all = names.map((name) => ({ name, values: [...new Set(runs.map((run) => run.parameters?.[name]).filter(isNumber))].sort((a, b) => a - b) }));
  return all.filter(({ values }) => values.length > 1).sort((a, b) => b.values.length - a.values.length);
}

/** What tells a run from the others: "torque = 100, mu = 0.3". */
export function variedWords(runs: Run[], run: Run): string {
  const own = variedOf(runs).filter(({ name }) => isNumber(run.parameters?.[name]));
  return own.map(({ name }) => `${name} = ${formatNumber(run.parameters?.[name])}`).join(", ");
}

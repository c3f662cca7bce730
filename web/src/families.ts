// SPDX-License-Identifier: Apache-2.0
// States of steady sliding, one for each value of a parameter, each at a time of its own.

import { type Blocks, indexAt } from "./data";
import { rowsOf } from "./paths";
import type { Stability } from "./report";

export interface Family {
  times: Float64Array;
  values: Float64Array;
  /** Of the mode that grows most. */
  growth: Float64Array;
  frequency: Float64Array;
}

/** null where a step judges a path, or all values at the same time. */
export async function familyOf(blocks: Blocks, { statuses }: Pick<Stability, "statuses">): Promise<Family | null> {
  if (!statuses || statuses.kept < 2 || statuses.columns[0]!.name === "t") return null;
  const value = statuses.columns[0]!.name;
  const rows = await rowsOf(blocks, statuses, { value, time: "end", growth: "growth", frequency: "growth_frequency" });
  const column = (key: "value" | "time" | "growth" | "frequency"): Float64Array => Float64Array.from(rows, (row) => row[key]);
  const times = column("time");
  const one = times.every((time, k) => k === 0 || time > times[k - 1]!);
  return one ? { times, values: column("value"), growth: column("growth"), frequency: column("frequency") } : null;
}

/** The number of the state of a moment, from 0; -1 before the first and behind the last. Times of frames may be rounded. */
export function stateAt({ times }: Family, time: number): number {
  const [first, last] = [times[0]!, times[times.length - 1]!];
  const slack = 1e-9 * (last - first);
  return time < first - slack || time > last + slack ? -1 : indexAt(times, time + slack);
}

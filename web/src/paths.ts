// SPDX-License-Identifier: Apache-2.0
// Paths that stability steps have judged, unpacked, and the status of them that is looked at.

import type { Clock } from "./clock";
import { type Blocks, columnsOf, indexAt } from "./data";
import type { PanelContext } from "./panel";
import type { Stability, Table } from "./report";

/** One status of a path, as the table has it; NaN where there is none. */
export interface Status {
  /** From 1. */
  number: number;
  begin: number;
  end: number;
  sticking: number;
  slipping: number;
  apart: number;
  force: number;
  forceEnd: number;
  stiffness: number;
  leastReal: number;
  flutterMode: number;
  flutterFrequency: number;
  flutterGrowth: number;
  growth: number;
  growthFrequency: number;
  verdict: number;
}

export interface Mode {
  number: number;
  real: number;
  imaginary: number;
  growth: number;
  frequency: number;
  /** 0 neutral, 1 oscillates, 2 flutters, 3 diverges. */
  kind: number;
}

export interface Path {
  stability: Stability;
  statuses: Status[];
  begins: Float64Array;
  /** Of each status by its number. */
  modes: Map<number, Mode[]>;
  words: Map<number, string>;
}

const statusColumns: Record<Exclude<keyof Status, "number">, string> = {
  begin: "t",
  end: "end",
  sticking: "sticking",
  slipping: "slipping",
  apart: "apart",
  force: "tangential_force",
  forceEnd: "tangential_force_end",
  stiffness: "stiffness",
  leastReal: "least_real",
  flutterMode: "first_flutter_mode",
  flutterFrequency: "first_flutter_frequency",
  flutterGrowth: "first_flutter_growth",
  growth: "growth",
  growthFrequency: "growth_frequency",
  verdict: "verdict",
};

const modeColumns: Record<keyof Mode | "status", string> = {
  status: "status",
  number: "mode",
  real: "Lambda.real",
  imaginary: "Lambda.imaginary",
  growth: "growth",
  frequency: "frequency",
  kind: "kind",
};

/** Rows of a table as objects, by names of columns. */
export async function rowsOf<Key extends string>(
  blocks: Blocks,
  table: Table,
  names: Record<Key, string>,
): Promise<Record<Key, number>[]> {
  const columns = await columnsOf(blocks, table);
  const places = Object.entries<string>(names).map(([key, name]) => [key, table.columns.findIndex((c) => c.name === name)] as const);
  return Array.from({ length: table.kept }, (_, row) => {
    const entries = places.map(([key, at]) => [key, at < 0 ? NaN : columns[at]![row]!]);
    return Object.fromEntries(entries) as Record<Key, number>;
  });
}

/** The unit of a column, by its name. */
export const unitOf = (table: Table | null, name: string): string =>
  table?.columns.find((column) => column.name === name)?.unit ?? "";

// "status 3, t = 1.2 to 1.4: flutter. Contacts: ..."
export function wordsOf(verdicts: string): Map<number, string> {
  const words = new Map<number, string>();
  for (const line of verdicts.split("\n")) {
    const found = /^status (\d+), t = \S+ to \S+: (.+)$/.exec(line);
    if (found) words.set(Number(found[1]), found[2]!);
  }
  return words;
}

async function numbersOf(blocks: Blocks, table: Table): Promise<ArrayLike<number> | null> {
  return table.numbers ? blocks.load(table.numbers) : null;
}

export async function loadPath(blocks: Blocks, stability: Stability): Promise<Path> {
  const { statuses, spectrum } = stability;
  const rows = statuses ? await rowsOf(blocks, statuses, statusColumns) : [];
  const numbers = statuses ? await numbersOf(blocks, statuses) : null;
  const modes = new Map<number, Mode[]>();
  for (const { status, ...mode } of spectrum ? await rowsOf(blocks, spectrum, modeColumns) : []) {
    const list = modes.get(status);
    if (list) list.push(mode);
    else modes.set(status, [mode]);
  }
  const all = rows.map((row, k) => ({ ...row, number: (numbers?.[k] ?? k) + 1 }));
  return {
    stability, statuses: all, begins: Float64Array.from(all, (status) => status.begin), modes, words: wordsOf(stability.verdicts),
  };
}

/** Steps that have judged a path. Of one that varies a parameter the rows belong to values, not to times. */
export const judged = (context: PanelContext): Stability[] =>
  (context.run.stability ?? []).filter(({ statuses }) => statuses && statuses.kept > 0 && statuses.columns[0]!.name === "t");

/** The path and the status that all panels show. A status is that of the moment, until another one of the same moment is chosen. */
export class Chosen {
  path: Path;
  /** Index in the statuses of the path. */
  index: number;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly paths: Path[],
    private readonly clock: Clock,
  ) {
    this.path = paths.reduce((a, b) => (b.statuses.length > a.statuses.length ? b : a));
    this.index = this.at(clock.time);
    clock.follow((time) => this.set(this.path, this.at(time)));
  }

  get status(): Status {
    return this.path.statuses[this.index]!;
  }

  /** Calls back when another one is shown; the function that comes back ends it. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  choosePath(path: Path): void {
    this.path = path;
    this.index = -1;
    this.set(path, this.at(this.clock.time));
  }

  /** Leads all panels to where it begins. */
  choose(index: number): void {
    const { statuses } = this.path;
    const next = Math.min(statuses.length - 1, Math.max(0, index));
    this.clock.set(statuses[next]!.begin);
    this.set(this.path, next);
  }

  private set(path: Path, index: number): void {
    if (path === this.path && index === this.index) return;
    this.index = index;
    for (const listener of this.listeners) listener();
  }

  // Times of frames may be rounded.
  private at(time: number): number {
    const { begins } = this.path;
    return indexAt(begins, time + 1e-9 * (this.clock.last - this.clock.first));
  }
}

const kept = new WeakMap<Clock, Promise<Chosen>>();

/** The same one for all panels that show a run. */
export function chosenOf(context: PanelContext): Promise<Chosen> {
  const { clock, blocks } = context;
  let chosen = kept.get(clock);
  if (!chosen) {
    chosen = Promise.all(judged(context).map((stability) => loadPath(blocks, stability))).then((paths) => new Chosen(paths, clock));
    kept.set(clock, chosen);
  }
  return chosen;
}

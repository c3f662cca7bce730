// SPDX-License-Identifier: Apache-2.0
// The ledger of energy: what there is and what was dissipated stands against what was put in.

import { columnsOf } from "../data";
import { element } from "../dom";
import { formatNumber } from "../format";
import { keepsBooks } from "../gears";
import type { Panel, PanelContext } from "../panel";
import { type Curve, curveColour, Plot } from "../plots";
import type { Table } from "../report";
import { isZero, type Part, stack } from "../stack";

const terms: [column: string, label: string][] = [
  ["kinetic", "kinetic"],
  ["elastic", "elastic"],
  ["viscous", "dissipated by damping"],
  ["friction", "dissipated by friction"],
  ["impact", "dissipated by impact"],
  ["algorithmic", "dissipated by the scheme"],
  ["material", "dissipated by the material"],
];
const works = ["external", "supports", "obstacles", "joints"];

/** What contact of rigid bodies takes, both as works over the motion of steps and from loose velocities to last ones [JM91 (6.4)]. */
const losses: [column: string, label: string, dash?: number[]][] = [
  ["impact", "by impact"],
  ["friction", "by friction"],
  ["structural", "structural, JM91 (6.4)", [6, 4]],
  ["frictional", "frictional, JM91 (6.4)", [6, 4]],
  ["viscous", "by damping"],
  ["algorithmic", "by the scheme"],
];

/** Sum over columns, row by row. */
function sum(length: number, columns: Float64Array[]): Float64Array {
  const out = new Float64Array(length);
  for (const column of columns) column.forEach((v, i) => (out[i]! += v));
  return out;
}

function largest(values: Float64Array): number {
  return values.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0);
}

interface Ledger {
  /** A column by its name; zeros where it is not there. */
  column: (name: string) => Float64Array;
  /** Some bodies are rigid. */
  rigid: boolean;
  unit: string;
  times: Float64Array;
  parts: Part[];
  /** Initial energy and all works. */
  input: Float64Array;
  /** All terms. */
  output: Float64Array;
  works: string[];
  closure: number;
}

async function ledgerOf(context: PanelContext, table: Table): Promise<Ledger> {
  const columns = await columnsOf(context.blocks, table);
  const column = (name: string): Float64Array =>
    columns[table.columns.findIndex((c) => c.name === name)] ?? new Float64Array(table.kept);
  const all = terms.map(([name, label]) => ({ label, values: column(name) }));
  const done = works.filter((name) => !isZero(column(name)));
  const initial = new Float64Array(table.kept).fill(column("total")[0] ?? 0);
  return {
    column,
    rigid: table.columns.some(({ name }) => name === "structural"),
    unit: table.columns[1]?.unit ?? "",
    times: columns[0]!,
    parts: all,
    input: sum(table.kept, [initial, ...works.map(column)]),
    output: sum(table.kept, all.map((part) => part.values)),
    works: done,
    closure: context.run.summary?.numbers?.["energy.closure"] ?? largest(column("closure")),
  };
}

function curvesOf(ledger: Ledger): Curve[] {
  const { unit, times } = ledger;
  const areas = stack(ledger.parts).map((layer): Curve => ({
    label: layer.label, unit, times, values: layer.top, told: layer.values,
    colour: curveColour(layer.colour), fillTo: layer.on, width: 1,
  }));
  const label = ledger.works.length > 0 ? `initial + work of ${ledger.works.join(", ")}` : "initial";
  return [
    ...areas,
    { label: "sum of all", unit, times, values: ledger.output, colour: (c) => c.reference, width: 4.5 },
    { label, unit, times, values: ledger.input, colour: (c) => c.text, dash: [5, 5], width: 1.5 },
  ];
}

/** Each term by itself, since the start; those that are zero are left out. */
function apart({ column, unit, times }: Ledger, terms: [string, string, number[]?][], colours: Record<string, number>): Curve[] {
  return terms
    .filter(([name]) => !isZero(column(name)))
    .map(([name, label, dash], k): Curve => ({
      label, unit, times, values: column(name), colour: curveColour(colours[name] ?? k), ...(dash ? { dash } : {}),
    }));
}

/** Dissipation by impacts and friction, and works, of runs with rigid bodies, since the start. */
function ofRigid(ledger: Ledger): { name: string; curves: Curve[] }[] {
  if (!ledger.rigid) return [];
  const colours = { viscous: 2, friction: 3, frictional: 3, impact: 4, structural: 4, algorithmic: 5 }; // as in the stack
  const dissipated = apart(ledger, losses, colours);
  const done = apart(ledger, works.map((name) => [name, name === "external" ? "of loads and gravity" : `of ${name}`]), {});
  return [
    { name: "dissipated", curves: dissipated },
    { name: "work", curves: done },
  ].filter(({ curves }) => curves.length > 0);
}

const tableOf = (context: PanelContext): Table | undefined =>
  context.run.tables.find((table) => table.kind === "energy" && table.kept > 0);

export const energy: Panel = {
  id: "energy",
  title: "Energy",
  applies: (context) => tableOf(context) !== undefined && keepsBooks(context.run),

  async mount(host, context) {
    const ledger = await ledgerOf(context, tableOf(context)!);
    const grid = element("div", { class: "plots" });
    host.append(grid);
    const options = { name: "energy", unit: ledger.unit, curves: curvesOf(ledger), fromZero: true };
    const drawn = [options, ...ofRigid(ledger).map((own) => ({ ...options, ...own }))].map((own) => new Plot(grid, own, context));
    const negative = options.curves.some((curve) => curve.label.endsWith(", negative"));
    const parts = negative ? " Negative parts stand below zero; the sum counts them." : "";
    const meet = `What there is and what was dissipated adds up to the initial energy and all works: in no step do they \
miss each other by more than ${formatNumber(ledger.closure, 2)} of the largest energy (closure).`;
    host.append(element("p", { class: "hint" }, meet + parts));
    return { destroy: () => drawn.forEach((plot) => plot.destroy()) };
  },
};

// SPDX-License-Identifier: Apache-2.0
// The histories of the model, with their reference curves and those of the other runs.

import { columnsOf } from "../data";
import { checkbox, element } from "../dom";
import { words } from "../format";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { type Curve, curveColour, curveDash, Plot } from "../plots";
import type { Run, Table } from "../report";
import { runName } from "../runs";
import { signalsOf } from "../signals";

const colourCount = 7;
/** From so many on the curves of one table are thin and their legend is folded. */
const many = 7;
/** Curves of more runs than this are drawn only when asked for: it takes a while, and few can be told apart. */
export const mostRunsAtOnce = 12;

/** Signals have a panel of their own. */
const isSignal = (run: Run, name: string): boolean => signalsOf(run).all.some((signal) => signal.name === name);
const historiesOf = (run: Run): Table[] => run.tables.filter(({ kind, name, kept }) => kind === "history" && kept > 0 && !isSignal(run, name));
const valueColumns = (table: Table): number[] =>
  table.columns.map((_, c) => c).filter((c) => c > 0 && c !== table.exact);

/** The same history of another run, if it can stand on the same axes. */
export function sameHistory(run: Run, table: Table): Table | null {
  const unitOf = (t: Table): string | undefined => t.columns[1]?.unit;
  return historiesOf(run).find((other) => other.name === table.name && unitOf(other) === unitOf(table)) ?? null;
}

async function curvesOf(context: PanelContext, table: Table): Promise<Curve[]> {
  const columns = await columnsOf(context.blocks, table);
  const chosen = valueColumns(table);
  const single = chosen.length === 1;
  const at = context.report.runs.indexOf(context.run);
  return chosen.map((c, k) => ({
    label: single && context.report.runs.length > 1 ? runName(context.run, at) : labelOf(table, c),
    unit: table.columns[c]!.unit,
    times: columns[0]!,
    values: columns[c]!,
    colour: curveColour(single ? at : k),
    ...dashOf(single ? at : k),
    width: chosen.length >= many ? 1 : 2.25,
  }));
}

const dashOf = (k: number): { dash?: number[] } => {
  const dash = curveDash(k, colourCount);
  return dash ? { dash } : {};
};

// "force.12" of the history "force" is node 12.
function labelOf(table: Table, column: number): string {
  const { name } = table.columns[column]!;
  return name.startsWith(`${table.name}.`) ? `node ${name.slice(table.name.length + 1)}` : words(name);
}

async function reference(context: PanelContext, table: Table): Promise<Curve[]> {
  const column = table.columns[table.exact];
  if (!column) return [];
  const columns = await columnsOf(context.blocks, table);
  const [times, values] = [columns[0]!, columns[table.exact]!];
  return [{ label: "exact", unit: column.unit, times, values, colour: (c) => c.reference, dash: [6, 4], width: 1.5 }];
}

/** Thinner, and under the curve of the run that is looked at. */
async function curvesOfOthers(context: PanelContext, table: Table): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const [k, run] of context.report.runs.entries()) {
    const other = run === context.run ? null : sameHistory(run, table);
    if (!other || valueColumns(other).length !== 1) continue;
    const columns = await columnsOf(context.blocks, other);
    const [c] = valueColumns(other);
    const values = columns[c!]!;
    curves.push({
      label: runName(run, k), unit: other.columns[c!]!.unit, times: columns[0]!, values,
      colour: curveColour(k), ...dashOf(k), width: 1.25,
    });
  }
  return curves;
}

async function plotOf(host: HTMLElement, context: PanelContext, table: Table, all: boolean): Promise<Plot> {
  const own = await curvesOf(context, table);
  const others = all && own.length === 1 ? await curvesOfOthers(context, table) : [];
  const curves = [...others, ...own, ...(await reference(context, table))];
  const unit = table.columns[1]?.unit ?? "";
  return new Plot(host, { name: words(table.name), unit, curves, folded: curves.length > 8 }, context);
}

export const histories: Panel = {
  id: "histories",
  title: "Histories",
  applies: ({ run }) => historiesOf(run).length > 0,

  async mount(host, context): Promise<MountedPanel> {
    const { report, run } = context;
    const grid = element("div", { class: "plots" });
    let plots: Plot[] = [];
    let turn = 0;
    const draw = async (all: boolean): Promise<void> => {
      const mine = ++turn;
      plots.forEach((plot) => plot.destroy());
      plots = [];
      for (const table of historiesOf(run)) {
        const place = element("div");
        grid.append(place);
        const plot = await plotOf(place, context, table, all);
        if (mine === turn) plots.push(plot);
        else plot.destroy();
      }
      for (const place of [...grid.children]) if (!place.hasChildNodes()) place.remove();
    };
    const several = report.runs.length > 1;
    const together = several && report.runs.length <= mostRunsAtOnce;
    if (several) host.append(element("div", { class: "bar" }, checkbox("All runs", together, (all) => void draw(all))));
    host.append(grid);
    host.append(
      element("p", { class: "hint" }, "A click moves the time, a drag zooms, a double click shows all again."),
    );
    await draw(together);
    return { destroy: () => (turn++, plots.forEach((plot) => plot.destroy())) };
  },
};

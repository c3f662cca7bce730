// SPDX-License-Identifier: Apache-2.0
// A mechanism along its trajectory: motions of frames that are free, what holds the others, what contacts do.

import { columnsOf } from "../data";
import { element } from "../dom";
import { cyclesOf } from "../gears";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { type Curve, Plot, curveColour, curveDash } from "../plots";
import type { Table } from "../report";

const colourCount = 7;

/** What a column is of: the last words of its name stand for the kind, and one plot has all of a kind. */
const kinds: [ending: RegExp, title: string][] = [
  [/\.load$/, "Normal force"],
  [/\.friction$/, "Friction"],
  [/\.pressure$/, "Largest pressure"],
  [/\.strips$/, "Strips in contact"],
  [/\.moment$/, "Holding moment"],
  [/\.force\.[xy]$/, "Holding force"],
  [/\.rotation$/, "Free rotation"],
  [/\.[xy]$/, "Free shift"],
];

function curvesOf(table: Table, columns: Float64Array[], taken: Set<number>, ending: RegExp): Curve[] {
  const found = table.columns.flatMap(({ name }, k) => (k > 0 && !taken.has(k) && ending.test(name) ? [k] : []));
  found.forEach((k) => taken.add(k));
  return found.filter((k) => columns[k]!.some((value) => value !== 0)).map((k, c) => {
    const dash = curveDash(c, colourCount);
    const curve = { label: table.columns[k]!.name, unit: table.columns[k]!.unit, times: columns[0]!, values: columns[k]!, colour: curveColour(c) };
    return dash ? { ...curve, dash } : curve;
  });
}

async function mountTable(host: HTMLElement, context: PanelContext, table: Table): Promise<MountedPanel[]> {
  const columns = await columnsOf(context.blocks, table);
  const grid = element("div", { class: "plots" });
  host.append(grid);
  const taken = new Set<number>();
  return kinds.flatMap(([ending, name]) => {
    const curves = curvesOf(table, columns, taken, ending);
    return curves.length === 0 ? [] : [new Plot(grid, { name, unit: curves[0]!.unit, curves, whole: name.startsWith("Strips"), folded: curves.length > 8 }, context)];
  });
}

export const mechanism: Panel = {
  id: "mechanism",
  title: "Along the trajectory",
  applies: ({ run }) => cyclesOf(run, "mechanism").length > 0,

  async mount(host, context) {
    host.append(element("p", { class: "hint" }, "Contacts in the order of the model. Holding forces and moments keep frames in their ideal motion, about the origins of their meshes; what is free moves beyond it."));
    const parts = (await Promise.all(cyclesOf(context.run, "mechanism").map((table) => mountTable(host, context, table)))).flat();
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

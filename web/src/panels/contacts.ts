// SPDX-License-Identifier: Apache-2.0
// How much of the time each contact node sticks, slips and is apart: a bar for each, along the surface.

import { ShareBars } from "../bars";
import { columnsOf } from "../data";
import { element, table as tableOf } from "../dom";
import { formatNumber, formatQuantity, withUnit } from "../format";
import { timeUnitOf } from "../gears";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import type { Table } from "../report";
import { type ContactNode, contactWords, sharesOf } from "../shares";
import { readable, signalsOf } from "../signals";
import { statusWords } from "../view/legend";

function legend(): HTMLElement {
  const sample = (kind: string, text: string): HTMLElement =>
    element("span", { class: "legend-mark" }, element("span", { class: "share-mark", "data-kind": kind, "aria-hidden": "true" }), text);
  return element("div", { class: "legend-marks" }, sample("stick", statusWords[1] ?? "sticks"), sample("slip", statusWords[2] ?? "slips"), sample("apart", "is apart"));
}

function numbers(nodes: ContactNode[], table: Table): HTMLElement {
  const unit = (name: string): string => table.columns.find((column) => column.name === name)?.unit ?? "";
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const headings = [
    "node", "sticks", "slips", "apart", "impacts", withUnit("normal force", unit("normal_force")), withUnit("r.m.s.", unit("normal_force_rms")),
    withUnit("largest", unit("normal_force_most")), withUnit("sliding speed", unit("sliding_speed")),
  ];
  const rows = nodes.map((node) => [
    node.label, percent(node.stick), percent(node.slip), percent(node.apart), formatNumber(node.impacts),
    formatNumber(node.force), formatNumber(node.forceRms), formatNumber(node.forceMost), formatNumber(node.speed),
  ]);
  return element("details", {}, element("summary", {}, `${nodes.length} contact nodes in numbers`), tableOf(headings, rows, { class: "share-table" }));
}

/** "Between t = 0.03 and 0.04 s, 14 nodes: in the mean ..." */
function wordsOf({ run }: PanelContext, step: string, nodes: ContactNode[]): string {
  const { from, to } = run.summary?.statistics?.[step] ?? {};
  const unit = timeUnitOf(run);
  const when = typeof from === "number" && typeof to === "number" ? ` between t = ${formatNumber(from, 5)} and ${formatQuantity(to, unit, 5)}` : "";
  return `${step}${when}: ${contactWords(nodes)}`;
}

async function mountTable(host: HTMLElement, context: PanelContext, table: Table): Promise<MountedPanel> {
  const names = context.run.animation?.bodies.map(({ name }) => name) ?? [];
  const nodes = sharesOf(table, await columnsOf(context.blocks, table), names);
  host.append(element("p", { class: "signal-words" }, wordsOf(context, table.name, nodes)));
  const bars = new ShareBars(host, context.theme, nodes, table.name);
  host.append(numbers(nodes, table));
  return bars;
}

export const contacts: Panel = {
  id: "contacts",
  title: "Time in stick, slip and apart",
  applies: ({ run }) => readable(signalsOf(run).contacts).length > 0,

  async mount(host, context) {
    const parts: MountedPanel[] = [];
    host.append(legend());
    for (const table of readable(signalsOf(context.run).contacts)) parts.push(await mountTable(host, context, table));
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

// SPDX-License-Identifier: Apache-2.0
// How a disturbance grew where a dynamic step has followed one, beside what was predicted.

import { columnsOf } from "./data";
import { element } from "./dom";
import { formatQuantity } from "./format";
import { predictedAmplitude } from "./modes";
import type { MountedPanel, PanelContext } from "./panel";
import { rowsOf, unitOf } from "./paths";
import { type Curve, Plot, curveColour } from "./plots";
import type { Stability } from "./report";

/** One plot at the end of the host. */
export async function growthPlots(host: HTMLElement, context: PanelContext, step: Stability): Promise<MountedPanel[]> {
  const table = step.growth!;
  const columns = await columnsOf(context.blocks, table);
  const amplitude = columns[table.columns.findIndex((column) => column.name === "amplitude")];
  if (!amplitude) return [];
  const [times, unit] = [columns[0]!, unitOf(table, "amplitude")];
  const [mode] = step.predicted ? await rowsOf(
    context.blocks,
    step.predicted,
    { mode: "mode", growth: "growth", frequency: "frequency" },
  ) : [];
  const curves: Curve[] = [{ label: mode ? `mode ${mode.mode}` : "mode", unit, times, values: amplitude, colour: curveColour(0), width: 2 }];
  const largest = amplitude.reduce((most, value) => (value > most ? value : most), 0);
  // No further than the motion itself: what grows on would make all else a line at the bottom.
  const values = mode ? predictedAmplitude(times, amplitude, mode.growth).map((value) => (value > 100 * largest ? NaN : value)) : null;
  if (values) curves.push({ label: "predicted", unit, times, values, colour: (c) => c.reference, dash: [6, 4], width: 1.75 });
  const grid = element("div", { class: "plots" });
  host.append(grid);
  const plot = new Plot(grid, { name: `${step.step}: amplitude`, unit, curves, floor: largest > 0 ? 1e-12 * largest : 1e-12 }, context);
  if (mode) {
    const growth = formatQuantity(mode.growth, unitOf(step.predicted, "growth"), 5);
    const frequency = formatQuantity(mode.frequency, unitOf(step.predicted, "frequency"), 5);
    plot.element.append(element("p", { class: "hint" }, `Predicted for mode ${mode.mode}: growth ${growth}, frequency ${frequency}.`));
  }
  return [plot];
}

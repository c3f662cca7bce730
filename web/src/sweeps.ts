// SPDX-License-Identifier: Apache-2.0
// Frequency and growth over a parameter that a stability step varies: a line for each branch, and where modes meet.

import { Chart, type ChartLine, type ChartPlace } from "./chart";
import { element } from "./dom";
import { formatNumber } from "./format";
import { Legend } from "./legend";
import { type Branch, type SweepEvent, branchesOf, isTurn, parameterOf, sweepWords, withEvents } from "./modes";
import type { MountedPanel, PanelContext } from "./panel";
import { rowsOf, unitOf } from "./paths";
import { curveColour, curveDash } from "./plots";
import type { Stability } from "./report";

const colourCount = 7;
type What = "frequency" | "growth";

interface Sweep {
  step: Stability;
  branches: Branch[];
  events: SweepEvent[];
}

const wordsOf = (event: SweepEvent): string => sweepWords(event, formatNumber(event.value, 5));

class SweepChart implements MountedPanel {
  private readonly chart: Chart;
  private readonly legend: Legend;
  private readonly unfollow: () => void;
  private readonly hidden = new Set<number>();

  constructor(
    host: HTMLElement,
    { theme }: PanelContext,
    private readonly sweep: Sweep,
    private readonly what: What,
  ) {
    const { step, branches } = sweep;
    const name = parameterOf(step);
    const unit = step.sweep!.columns[0]!.unit;
    this.chart = new Chart(
      host,
      `${step.step}: ${what} over ${name}`,
      { name, unit },
      { name: what, unit: unitOf(step.sweep, what) },
      theme,
    );
    const entries = branches.map(({ number }, k) => ({
      label: `branch ${number}`, colour: curveColour(k), dashed: curveDash(k, colourCount) !== undefined, filled: false,
    }));
    this.legend = new Legend(entries, branches.length > 8, (k, on) => this.turn(k, on));
    this.chart.element.append(this.legend.element);
    const paint = (): void => this.legend.paint(theme.colours);
    paint();
    this.unfollow = theme.follow(paint);
    this.show();
  }

  destroy(): void {
    this.unfollow();
    this.chart.destroy();
  }

  private turn(branch: number, on: boolean): void {
    if (on) this.hidden.delete(branch);
    else this.hidden.add(branch);
    this.show();
  }

  private show(): void {
    const { branches, events } = this.sweep;
    const lines = branches.flatMap((branch, k): ChartLine[] => {
      const dash = curveDash(k, colourCount);
      const line = { points: branch[this.what], colour: curveColour(k) };
      return this.hidden.has(k) ? [] : [dash ? { ...line, dash } : line];
    });
    const values = branches.flatMap((branch) => branch[this.what].map(([x]) => x));
    const low = values.reduce((a, b) => Math.min(a, b), Infinity);
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const places = events.map((event, k): ChartPlace => {
      const place = { x: event.value, text: String(k + 1), name: wordsOf(event), faint: !isTurn(event) };
      return this.what === "frequency" ? { ...place, y: event.frequency } : place;
    });
    this.chart.show({ marks: [], lines, places, ...(high > low ? { x: [low, high] } : {}) });
  }
}

async function eventsOf(context: PanelContext, { coalescence }: Stability): Promise<SweepEvent[]> {
  if (!coalescence || coalescence.kept === 0) return [];
  const value = coalescence.columns[0]!.name;
  const names = {
    value, frequency: "frequency", kind: "kind", change: "change", branch: "branch", partner: "partner", growthChange: "growth_change",
  };
  return rowsOf(context.blocks, coalescence, names);
}

/** Two charts at the end of the host, and below them in words what happens where. */
export async function sweepCharts(host: HTMLElement, context: PanelContext, step: Stability): Promise<MountedPanel[]> {
  const events = await eventsOf(context, step);
  const sweep = { step, branches: withEvents(await branchesOf(context.blocks, step.sweep!), events), events };
  const grid = element("div", { class: "plots" });
  host.append(grid);
  if (events.length > 0) host.append(element("ol", { class: "sweep-events" }, ...events.map((event) => element("li", {}, wordsOf(event)))));
  return (["frequency", "growth"] as const).map((what) => new SweepChart(grid, context, sweep, what));
}

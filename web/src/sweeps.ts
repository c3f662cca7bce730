// SPDX-License-Identifier: Apache-2.0
// Frequency and growth over a parameter that a stability step varies: a line for each branch, and where modes meet.

import { Chart, type ChartLine, type ChartPlace } from "./chart";
import { indexAt } from "./data";
import { element } from "./dom";
import { formatNumber } from "./format";
import { Legend } from "./legend";
import {
  type Branch, type SweepEvent, branchesOf, growingPieces, instabilitiesOf, instabilityWords, isTurn, leastGrowth, parameterOf, sweepWords, withEvents,
} from "./modes";
import type { MountedPanel, PanelContext } from "./panel";
import { rowsOf, unitOf } from "./paths";
import { curveColour, curveDash } from "./plots";
import type { Stability } from "./report";
import type { Colours } from "./theme";

const colourCount = 7;
type What = "frequency" | "growth";
const unstable = (colours: Colours): string => `${colours.flutter}59`;
/** So many unstable stretches are told at once. */
const mostTold = 6;

interface Sweep {
  step: Stability;
  branches: Branch[];
  events: SweepEvent[];
  /** null where all values are judged at the same time. */
  family: Family | null;
}

const wordsOf = (event: SweepEvent): string => sweepWords(event, formatNumber(event.value, 5));

/** A state of steady sliding, one for each value, at a time of its own. */
interface Family {
  times: Float64Array;
  values: Float64Array;
  /** Of the mode that grows most. */
  growth: Float64Array;
  frequency: Float64Array;
}

class SweepChart implements MountedPanel {
  private readonly chart: Chart;
  private readonly legend: Legend;
  private readonly ends: (() => void)[] = [];
  private readonly hidden = new Set<number>();

  constructor(
    host: HTMLElement,
    { theme, clock }: PanelContext,
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
    this.ends.push(theme.follow(paint));
    this.show();
    const { family } = sweep;
    if (!family) return;
    const follow = (): void => this.chart.point(pointOf(family, clock.time, what));
    this.ends.push(clock.follow(follow));
    follow();
  }

  destroy(): void {
    this.ends.forEach((end) => end());
    this.chart.destroy();
  }

  private turn(branch: number, on: boolean): void {
    if (on) this.hidden.delete(branch);
    else this.hidden.add(branch);
    this.show();
  }

  private show(): void {
    const { branches, events } = this.sweep;
    const least = leastGrowth(branches);
    const lines = branches.flatMap((branch, k): ChartLine[] => {
      const dash = curveDash(k, colourCount);
      const line = { points: branch[this.what], colour: curveColour(k) };
      // What grows is wide and in the colour of flutter, under the line of its branch.
      const growing = growingPieces(branch, least).map((piece) => ({ points: piece[this.what], colour: unstable, width: 7 }));
      return this.hidden.has(k) ? [] : [...growing, dash ? { ...line, dash } : line];
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

/** The state of the moment on a chart; none before the first and behind the last. */
function pointOf({ times, values, growth, frequency }: Family, time: number, what: What): [number, number] | null {
  const slack = 1e-9 * (times[times.length - 1]! - times[0]!);
  if (time < times[0]! - slack || time > times[times.length - 1]! + slack) return null;
  const at = indexAt(times, time + slack);
  return [values[at]!, (what === "growth" ? growth : frequency)[at]!];
}

async function familyOf({ blocks }: PanelContext, { statuses }: Stability): Promise<Family | null> {
  if (!statuses || statuses.kept < 2 || statuses.columns[0]!.name === "t") return null;
  const value = statuses.columns[0]!.name;
  const rows = await rowsOf(blocks, statuses, { value, t: "t", end: "end", growth: "growth", frequency: "growth_frequency" });
  const column = (key: "value" | "growth" | "frequency" | "end"): Float64Array => Float64Array.from(rows, (row) => row[key]);
  const times = column("end");
  const grow = times.every((time, k) => k === 0 || time > times[k - 1]!);
  return grow ? { times, values: column("value"), growth: column("growth"), frequency: column("frequency") } : null;
}

async function eventsOf(context: PanelContext, { coalescence }: Stability): Promise<SweepEvent[]> {
  if (!coalescence || coalescence.kept === 0) return [];
  const value = coalescence.columns[0]!.name;
  const names = {
    value, frequency: "frequency", kind: "kind", change: "change", branch: "branch", partner: "partner", growthChange: "growth_change",
  };
  return rowsOf(context.blocks, coalescence, names);
}

/** Where it flutters, a line for each pair, or that nothing grows. */
function verdictOf({ step, branches, events }: Sweep): HTMLElement {
  const name = parameterOf(step);
  const units = { frequency: unitOf(step.sweep, "frequency"), growth: unitOf(step.sweep, "growth") };
  const found = instabilitiesOf(branches, events).map((one) => instabilityWords(one, name, units));
  const more = found.length > mostTold ? [`${found.length - mostTold} more at higher frequencies.`] : [];
  const lines = found.length > 0 ? [...found.slice(0, mostTold), ...more] : [`Nothing grows at any value of ${name}.`];
  const words = `${step.step}: ${lines[0]}`;
  return element("div", { class: "sweep-verdict", "data-unstable": String(found.length > 0) }, element("p", {}, words), ...lines.slice(1).map((line) => element("p", {}, line)));
}

/** Two charts at the end of the host, and below them in words what happens where. */
export async function sweepCharts(host: HTMLElement, context: PanelContext, step: Stability): Promise<MountedPanel[]> {
  const events = await eventsOf(context, step);
  const sweep = { step, branches: withEvents(await branchesOf(context.blocks, step.sweep!), events), events, family: await familyOf(context, step) };
  const grid = element("div", { class: "plots" });
  host.append(verdictOf(sweep), grid);
  if (events.length > 0) host.append(element("ol", { class: "sweep-events" }, ...events.map((event) => element("li", {}, wordsOf(event)))));
  if (sweep.family) host.append(element("p", { class: "hint" }, "The dot is the state of the moment: its mode that grows most."));
  return (["frequency", "growth"] as const).map((what) => new SweepChart(grid, context, sweep, what));
}

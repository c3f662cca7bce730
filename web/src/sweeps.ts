// SPDX-License-Identifier: Apache-2.0
// Frequency and growth over a parameter that a stability step varies: a line for each branch, and where modes meet.

import { Chart, type ChartLine, type ChartMark, type ChartPlace } from "./chart";
import { element } from "./dom";
import { type Family, familyOf, stateAt } from "./families";
import { formatNumber, formatQuantity } from "./format";
import { Legend } from "./legend";
import {
  type Branch, type SweepEvent, branchesOf, growingPieces, instabilitiesOf, instabilityWords, isTurn, leastGrowth, parameterOf, sweepWords, withEvents,
} from "./modes";
import type { MountedPanel, PanelContext } from "./panel";
import { rowsOf, unitOf } from "./paths";
import { curveColour, curveDash } from "./plots";
import type { Stability } from "./report";
import type { Colours } from "./theme";
import { unstableValues } from "./unstable";
import { SweepModes } from "./unstable_view";

const colourCount = 7;
type What = "frequency" | "growth";
const unstable = (colours: Colours): string => `${colours.flutter}59`;
/** So many unstable stretches are told at once. */
const mostTold = 6;
/** More states than this have no marks. */
const mostStates = 80;

interface Sweep {
  step: Stability;
  branches: Branch[];
  events: SweepEvent[];
  /** null where all values are judged at the same time. */
  family: Family | null;
}

const wordsOf = (event: SweepEvent): string => sweepWords(event, formatNumber(event.value, 5));

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
      (state) => sweep.family && clock.set(sweep.family.times[state]!),
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
    const follow = (): void => {
      const state = stateAt(family, clock.time);
      this.chart.point(state < 0 ? null : [family.values[state]!, family[what][state]!]);
    };
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

  /** Each state of a family leads the clock to its time. */
  private states(): ChartMark[] {
    const { family, step } = this.sweep;
    if (!family || family.times.length > mostStates) return [];
    const [name, unit, frequencies] = [parameterOf(step), unitOf(step.sweep, "growth"), unitOf(step.sweep, "frequency")];
    return Array.from(family.values, (value, k) => {
      const growing = family.growth[k]! > 0;
      const told = growing ? `growth ${formatQuantity(family.growth[k], unit)} at ${formatQuantity(family.frequency[k], frequencies, 4)}` : "nothing grows";
      return {
        x: value, y: growing ? family.growth[k]! : 0, shape: growing ? "diamond" : "circle", size: 4, filled: growing,
        colour: (c) => (growing ? c.flutter : c.stick), text: "", name: `${name} = ${formatNumber(value)}: ${told}; shows this state`,
      };
    });
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
    this.chart.show({ marks: this.what === "growth" ? this.states() : [], lines, places, ...(high > low ? { x: [low, high] } : {}) });
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

/** Where it flutters, a line for each pair, or that nothing grows. */
function verdictOf({ step, branches, events }: Sweep): HTMLElement {
  const name = parameterOf(step);
  const units = { frequency: unitOf(step.sweep, "frequency"), growth: unitOf(step.sweep, "growth") };
  const found = instabilitiesOf(branches, events).map((one) => instabilityWords(one, name, units));
  const more = found.length > mostTold ? [`${found.length - mostTold} more with less growth.`] : [];
  const lines = found.length > 0 ? [...found.slice(0, mostTold), ...more] : [`Nothing grows at any value of ${name}.`];
  const words = `${step.step}: ${lines[0]}`;
  return element("div", { class: "sweep-verdict", "data-unstable": String(found.length > 0) }, element("p", {}, words), ...lines.slice(1).map((line) => element("p", {}, line)));
}

/** Two charts at the end of the host, and below them in words what happens where. */
export async function sweepCharts(host: HTMLElement, context: PanelContext, step: Stability): Promise<MountedPanel[]> {
  const events = await eventsOf(context, step);
  const sweep = { step, branches: withEvents(await branchesOf(context.blocks, step.sweep!), events), events, family: await familyOf(context.blocks, step) };
  const grid = element("div", { class: "plots" });
  host.append(verdictOf(sweep), grid);
  if (events.length > 0) host.append(element("ol", { class: "sweep-events" }, ...events.map((event) => element("li", {}, wordsOf(event)))));
  if (sweep.family) host.append(element("p", { class: "hint" }, "Marks are the computed states, by the mode that grows most. Click a mark to show its state in all panels; the dot is the current state."));
  const charts: MountedPanel[] = (["frequency", "growth"] as const).map((what) => new SweepChart(grid, context, sweep, what));
  const unstable = await unstableValues(context, step);
  return unstable.length > 0 ? [...charts, new SweepModes(host, context, step, unstable)] : charts;
}

// SPDX-License-Identifier: Apache-2.0
// The mesh cycle of gears: transmission error, shares of the load, input torque, stiffness, pressure and tension over the roll
// angle, harmonics of the transmission error; other cases behind those of the run.

import { Chart, type ChartLine, type ChartMark } from "../chart";
import { indexAt } from "../data";
import { checkbox, element } from "../dom";
import { formatNumber, formatQuantity, words } from "../format";
import { type Cycle, type CycleCurve, cycleWords, cyclesOf, harmonicsOf, loadCycle } from "../gears";
import { rangeWithAir } from "../labels";
import { Legend } from "../legend";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { curveColour, curveDash } from "../plots";
import type { Run } from "../report";
import { runName } from "../runs";
import type { Colours } from "../theme";

const colourCount = 7;
/** So many other cases are drawn behind a run. */
const mostOthers = 12;

/** What stands in one chart: columns of the table, the first of which leads the dot. */
interface Drawn {
  title: string;
  columns: [column: string, label: string][];
}

const charts: Drawn[] = [
  { title: "Transmission error", columns: [["transmission_error", "transmission error"]] },
  { title: "Input torque", columns: [["input_torque", "input"]] },
  { title: "Stiffness by face width", columns: [["stiffness", "stiffness"]] },
  { title: "Largest pressure", columns: [["pressure", "computed"], ["hertz", "by Hertz"]] },
  { title: "Largest tension at the roots", columns: [["root_stress_1", "input"], ["root_stress_2", "output"]] },
];

interface Other {
  name: string;
  cycle: Cycle;
  harmonics: number[];
}

const faint = (colours: Colours): string => colours.reference;
const pointsOf = ({ roll }: Cycle, values: ArrayLike<number>): [number, number][] => Array.from(roll, (x, k) => [x, values[k] ?? NaN]);

/** Curves of a cycle over the roll angle; a position that is pressed is shown by all panels. */
class CycleChart implements MountedPanel {
  private readonly chart: Chart;
  private readonly ends: (() => void)[] = [];
  private readonly hidden = new Set<number>();
  private others: Other[] = [];

  constructor(
    host: HTMLElement,
    { theme, clock }: PanelContext,
    private readonly cycle: Cycle,
    private readonly title: string,
    private readonly curves: CycleCurve[],
    /** The column in which other cases are drawn; "": none. */
    private readonly compared: string,
  ) {
    const unit = curves[0]!.unit;
    this.chart = new Chart(host, title, { name: "roll angle of the input", unit: "\u00b0" }, { name: title.toLowerCase(), unit }, theme, (mark) => clock.set(cycle.times[mark]!));
    if (curves.length > 1) this.addLegend(theme);
    const follow = (): void => this.follow(clock.time);
    this.ends.push(clock.follow(follow));
    this.show();
    follow();
  }

  destroy(): void {
    this.ends.forEach((end) => end());
    this.chart.destroy();
  }

  compare(others: Other[]): void {
    this.others = this.compared ? others : [];
    this.show();
  }

  private addLegend(theme: PanelContext["theme"]): void {
    const entries = this.curves.map(({ label }, k) => ({ label, colour: curveColour(k), dashed: curveDash(k, colourCount) !== undefined, filled: false }));
    const legend = new Legend(entries, this.curves.length > 8, (k, on) => {
      if (on) this.hidden.delete(k);
      else this.hidden.add(k);
      this.show();
    });
    this.chart.element.append(legend.element);
    const paint = (): void => legend.paint(theme.colours);
    paint();
    this.ends.push(theme.follow(paint));
  }

  private follow(time: number): void {
    const k = indexAt(this.cycle.times, time + 1e-9);
    // Of shares the one that is largest.
    const y = Math.max(...this.curves.filter((_, c) => !this.hidden.has(c)).map(({ values }) => values[k] ?? NaN));
    this.chart.point([this.cycle.roll[k]!, this.curves.length > 2 ? y : (this.curves[0]!.values[k] ?? NaN)]);
  }

  private marks(): ChartMark[] {
    const [curve] = this.curves;
    return Array.from(this.cycle.roll, (x, k) => ({
      x, y: curve!.values[k]!, shape: "circle", size: 1.8, filled: true, colour: curveColour(0), text: "",
      name: `roll angle ${formatNumber(x)}\u00b0: ${curve!.label} ${formatQuantity(curve!.values[k], curve!.unit)}; shows this position`,
    }));
  }

  private show(): void {
    const behind = this.others.flatMap(({ cycle }): ChartLine[] => {
      const other = cycle.column(this.compared);
      return other ? [{ points: pointsOf(cycle, other.values), colour: faint, width: 1, dash: [4, 3] }] : [];
    });
    const own = this.curves.flatMap((curve, k): ChartLine[] => {
      const dash = curveDash(k, colourCount);
      const line = { points: pointsOf(this.cycle, curve.values), colour: curveColour(k), width: 2 };
      return this.hidden.has(k) ? [] : [dash ? { ...line, dash } : line];
    });
    const values = [...behind, ...own].flatMap(({ points }) => points.map(([, y]) => y));
    const x: [number, number] = rangeWithAir(Array.from(this.cycle.roll));
    this.chart.show({ marks: this.curves.length > 2 || this.hidden.has(0) ? [] : this.marks(), lines: [...behind, ...own], places: [], x, y: rangeWithAir(values) }, this.title);
  }
}

/** Harmonics as bars, those of other cases beside them. */
class HarmonicBars implements MountedPanel {
  private readonly chart: Chart;

  constructor(
    host: HTMLElement,
    { theme }: PanelContext,
    private readonly own: number[],
    private readonly unit: string,
  ) {
    this.chart = new Chart(host, "Harmonics of the transmission error", { name: "multiple of the mesh frequency", unit: "" }, { name: "amplitude", unit }, theme);
    this.compare([]);
  }

  destroy(): void {
    this.chart.destroy();
  }

  compare(others: Other[]): void {
    const bar = (x: number, y: number, colour: (c: Colours) => string, width: number): ChartLine => ({ points: [[x, 0], [x, y]], colour, width });
    const beside = others.flatMap(({ harmonics }, c) => harmonics.map((y, k) => bar(k + 1 + 0.2 + (0.5 * c) / Math.max(1, others.length), y, faint, 3)));
    const marks = this.own.map((y, k): ChartMark => ({
      x: k + 1, y, shape: "square", size: 2.5, filled: true, colour: curveColour(0), text: k < 3 ? formatNumber(y, 3) : "",
      name: `${k + 1} times the mesh frequency: ${formatQuantity(y, this.unit)}`,
    }));
    this.chart.show({ marks, lines: [...beside, ...this.own.map((y, k) => bar(k + 1, y, curveColour(0), 10))], places: [], x: [0.4, this.own.length + 0.9] });
  }
}

async function othersOf(context: PanelContext, pair: string): Promise<Other[]> {
  const { report, run, blocks } = context;
  const others: Other[] = [];
  for (const [k, other] of report.runs.entries()) {
    const table = other === run ? undefined : cyclesOf(other, "cycle").find(({ name }) => name === pair);
    if (table && others.length < mostOthers) others.push({ name: runName(other, k), cycle: await loadCycle(blocks, table), harmonics: harmonicsOf(other, pair) });
  }
  return others;
}

const named = (cycle: Cycle, columns: [string, string][]): CycleCurve[] =>
  columns.flatMap(([name, label]) => {
    const curve = cycle.column(name);
    return curve && curve.values.some(Number.isFinite) ? [{ ...curve, label }] : [];
  });

function chartsOf(host: HTMLElement, context: PanelContext, cycle: Cycle): (CycleChart | HarmonicBars)[] {
  const made: (CycleChart | HarmonicBars)[] = [];
  for (const { title, columns } of charts) {
    const curves = named(cycle, columns);
    if (curves.length > 0) made.push(new CycleChart(host, context, cycle, title, curves, columns[0]![0]));
    // What carries the load stands beside what follows from it.
    if (title === "Transmission error" && cycle.shares.length > 0)
      made.push(new CycleChart(host, context, cycle, "Share of the load", cycle.shares, ""));
  }
  const harmonics = harmonicsOf(context.run, cycle.name);
  if (harmonics.length > 0) made.push(new HarmonicBars(host, context, harmonics, cycle.column("transmission_error")?.unit ?? ""));
  return made;
}

/** Whether nothing is seen of a cycle beside another one. */
function dwarfs(other: Cycle, own: Cycle): boolean {
  const largest = (cycle: Cycle): number => (cycle.column("transmission_error")?.values ?? new Float64Array()).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest(other) > 4 * largest(own);
}

async function mountCycle(host: HTMLElement, context: PanelContext, cycle: Cycle): Promise<MountedPanel[]> {
  const grid = element("div", { class: "plots" });
  const unit = cycle.column("transmission_error")?.unit ?? "";
  const others = await othersOf(context, cycle.name);
  host.append(element("h3", {}, words(cycle.name)), element("p", { class: "signal-words" }, cycleWords(context.run, cycle.name, unit, cycle.column("pressure")?.unit)), grid);
  const made = chartsOf(grid, context, cycle);
  const compare = (on: boolean): void => made.forEach((chart) => chart.compare(on ? others : []));
  if (others.length > 0) {
    const on = others.length <= 4 && others.every((other) => !dwarfs(other.cycle, cycle));
    host.append(element("div", { class: "bar" }, checkbox(`Other cases (${others.map(({ name }) => name).join(", ")}), dashed`, on, compare)));
    compare(on);
  }
  return made;
}

const shown = (run: Run) => cyclesOf(run, "cycle");

export const gears: Panel = {
  id: "gears",
  title: "Mesh cycle",
  applies: ({ run }) => shown(run).length > 0,

  async mount(host, context) {
    const parts: MountedPanel[] = [];
    for (const table of shown(context.run)) parts.push(...(await mountCycle(host, context, await loadCycle(context.blocks, table))));
    host.append(element("p", { class: "hint" }, "The roll angle is counted from where a pair of teeth touches at the pitch point: pair 0. A position that is pressed is shown by all panels."));
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

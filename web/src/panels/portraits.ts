// SPDX-License-Identifier: Apache-2.0
// Velocity over displacement: a closed curve is a limit cycle, a spiral a growing disturbance, a straight piece at a constant
// velocity a contact that sticks.

import { Chart } from "../chart";
import { columnsOf, indexAt } from "../data";
import { button, choice, element } from "../dom";
import { formatTime, words } from "../format";
import { timeUnitOf } from "../gears";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { type Motion, type Portrait, colourOfTime, piecesOf, portraitsOf } from "../portrait";
import type { Table } from "../report";
import { readable, signalsOf } from "../signals";

const pieces = 60;

interface Source {
  table: Table;
  columns: Float64Array[];
  portraits: Portrait[];
}

/** The window of the statistics of its step, or the last quarter. */
function firstWindow({ run }: PanelContext, { table, columns }: Source): [number, number] {
  const times = columns[0]!;
  const [first, last] = [times[0]!, times[times.length - 1]!];
  const step = run.summary?.portraits?.[table.name]?.step ?? "";
  const { from, to } = run.summary?.statistics?.[step] ?? {};
  const within = typeof from === "number" && typeof to === "number" && from < to && to > first && from < last;
  return within ? [Math.max(first, from), Math.min(last, to)] : [last - 0.25 * (last - first), last];
}

class PortraitView implements MountedPanel {
  private readonly bar = element("div", { class: "bar" });
  private readonly nodes = element("span");
  private readonly grid = element("div", { class: "plots" });
  private readonly sliders = [0, 1].map((k) => element("input", { type: "range", step: "any", "aria-label": k ? "Window to" : "Window from" }));
  private readonly told = element("output", { class: "portrait-window" });
  private readonly key = element("span", { class: "portrait-key", "aria-hidden": "true" });
  private readonly unfollow: (() => void)[] = [];
  private charts: { chart: Chart; motion: Motion }[] = [];
  private source: Source;
  private window: [number, number] = [0, 1];

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
    sources: Source[],
  ) {
    this.source = sources[0]!;
    if (sources.length > 1)
      this.bar.append(choice("Portrait of", sources.map(({ table }) => words(table.name)), 0, (k) => this.choose(sources[k]!)));
    this.bar.append(this.nodes);
    this.sliders.forEach((slider, k) => slider.addEventListener("input", () => this.slide(k)));
    const window = element(
      "div",
      { class: "portrait-time", role: "group", "aria-label": "Window of time" },
      element("label", {}, "From", this.sliders[0]!), element("label", {}, "to", this.sliders[1]!), this.told, this.key,
      button("What it becomes", () => this.setWindow(firstWindow(context, this.source))),
      button("All", () => this.setWindow(this.span)),
    );
    host.append(this.bar, window, this.grid);
    this.unfollow.push(context.clock.follow(() => this.follow()), context.theme.follow(() => this.paintKey()));
    this.paintKey();
    this.choose(this.source);
  }

  destroy(): void {
    this.unfollow.forEach((end) => end());
    this.charts.forEach(({ chart }) => chart.destroy());
  }

  private get times(): Float64Array {
    return this.source.columns[0]!;
  }

  private get span(): [number, number] {
    return [this.times[0]!, this.times[this.times.length - 1]!];
  }

  private choose(source: Source): void {
    this.source = source;
    const { portraits } = source;
    this.nodes.replaceChildren(
      ...(portraits.length > 1 ? [choice("Node", portraits.map(({ node }) => node), 0, (k) => this.chooseNode(portraits[k]!))] : []),
    );
    for (const slider of this.sliders) [slider.min, slider.max] = this.span.map(String) as [string, string];
    this.window = firstWindow(this.context, source);
    this.chooseNode(portraits[0]!);
  }

  private chooseNode(portrait: Portrait): void {
    const { table } = this.source;
    this.charts.forEach(({ chart }) => chart.destroy());
    const unit = (column: number): string => table.columns[column]!.unit;
    const of = portrait.node ? ` of node ${portrait.node}` : "";
    this.charts = portrait.motions.map((motion) => {
      const { direction, displacement, velocity } = motion;
      const axis = (name: string, column: number): { name: string; unit: string } => ({ name: `${name} ${direction}`, unit: unit(column) });
      const chart = new Chart(
        this.grid, `${words(table.name)}${of}: along ${direction}`,
        axis("displacement", displacement), axis("velocity", velocity), this.context.theme,
      );
      return { chart, motion };
    });
    this.setWindow(this.window);
  }

  // One end pushes the other.
  private slide(moved: number): void {
    let [from, to] = this.sliders.map((slider) => Number(slider.value)) as [number, number];
    const least = 0.002 * (this.span[1] - this.span[0]);
    if (moved === 0) to = Math.max(to, from + least);
    else from = Math.min(from, to - least);
    this.setWindow([from, to]);
  }

  private setWindow([from, to]: [number, number]): void {
    const [first, last] = this.span;
    this.window = [Math.max(first, Math.min(from, last)), Math.min(last, Math.max(to, first))];
    const text = this.window.map((time) => formatTime(time, last - first));
    this.sliders.forEach((slider, k) => {
      slider.value = String(this.window[k]);
      slider.setAttribute("aria-valuetext", `t = ${text[k]}`);
    });
    this.told.textContent = `t = ${text[0]} to ${text[1]} ${timeUnitOf(this.context.run)}`.trimEnd();
    this.draw();
  }

  private draw(): void {
    const { columns } = this.source;
    for (const { chart, motion } of this.charts) {
      const found = piecesOf(this.times, columns[motion.displacement]!, columns[motion.velocity]!, this.window, pieces);
      const lines = found.map(({ points, share }) => ({ points, colour: colourOfTime(share), width: 1.25 }));
      const range = rangeOf(found.flatMap(({ points }) => points.map(([x]) => x)));
      chart.show({ marks: [], lines, places: [], ...(range ? { x: range } : {}) });
    }
    this.follow();
  }

  /** The dot is where the motion is at the time of the clock. */
  private follow(): void {
    const { time } = this.context.clock;
    const { columns } = this.source;
    const [from, to] = this.window;
    const at = indexAt(this.times, time);
    const shown = time >= from && time <= to;
    for (const { chart, motion } of this.charts)
      chart.point(shown ? [columns[motion.displacement]![at]!, columns[motion.velocity]![at]!] : null);
  }

  private paintKey(): void {
    const { colours } = this.context.theme;
    const [early, late] = [0, 1].map((share) => colourOfTime(share)(colours));
    this.key.style.background = `linear-gradient(to right, ${early}, ${late})`;
  }
}

/** With some air, and without zero where it is far away: a limit cycle may be small beside what it is displaced by. */
function rangeOf(values: number[]): [number, number] | null {
  const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const air = 0.06 * (high - low);
  return high > low ? [low - air, high + air] : null;
}

export const portraits: Panel = {
  id: "portraits",
  title: "Phase portraits",
  applies: ({ run }) => readable(signalsOf(run).portraits).some((table) => portraitsOf(table).length > 0),

  async mount(host, context) {
    const sources: Source[] = [];
    for (const table of readable(signalsOf(context.run).portraits)) {
      const found = portraitsOf(table);
      if (found.length > 0) sources.push({ table, columns: await columnsOf(context.blocks, table), portraits: found });
    }
    const view = new PortraitView(host, context, sources);
    const cut = sources.filter(({ table }) => table.kept < table.rows).map(({ table }) => `${words(table.name)} has its last ${table.kept} of ${table.rows} rows`);
    const told = "Coloured by time, from the begin of the window to its end; the dot is the moment of the clock.";
    host.append(element("p", { class: "hint" }, [told, ...cut.map((text) => `On this page ${text}.`)].join(" ")));
    return view;
  },
};

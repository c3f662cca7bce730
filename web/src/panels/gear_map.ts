// SPDX-License-Identifier: Apache-2.0
// What the cases of a study of gears come to: a number over the parameters that they vary, as the peak-to-peak transmission
// error over torque and tip relief.

import { Chart } from "../chart";
import { choice, element } from "../dom";
import { formatNumber, formatQuantity, words } from "../format";
import { cyclesOf, mapOf, mapped } from "../gears";
import { Heat } from "../heat";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { curveColour } from "../plots";
import { pressRun, runName } from "../runs";
import { numberOf } from "../signals";

/** Pairs of gears that any run has. */
const pairsOf = ({ report }: PanelContext): string[] => [...new Set(report.runs.flatMap((run) => cyclesOf(run, "cycle").map(({ name }) => name)))];

function unitOf({ report }: PanelContext, pair: string, key: string): string {
  const column = key.startsWith("transmission_error") ? "transmission_error" : key.startsWith("stiffness") ? "stiffness" : key;
  const tables = report.runs.flatMap((run) => cyclesOf(run, "cycle").filter(({ name }) => name === pair));
  return tables[0]?.columns.find(({ name }) => name === column)?.unit ?? "";
}

class StudyMap implements MountedPanel {
  private readonly place = element("div", { class: "gear-map" });
  private drawn: MountedPanel | null = null;

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
    private readonly pair: string,
  ) {
    const keys = mapped.filter(([key]) => mapOf(context.report, context.run, pair, key));
    const controls = element("div", { class: "bar" }, choice("Show", keys.map(([, name]) => name), 0, (k) => this.draw(keys[k]!)));
    host.append(controls, this.place);
    if (keys[0]) this.draw(keys[0]);
  }

  destroy(): void {
    this.drawn?.destroy();
  }

  private draw([key, name]: [string, string]): void {
    const { report, run, theme } = this.context;
    const map = mapOf(report, run, this.pair, key)!;
    const unit = unitOf(this.context, this.pair, key);
    this.drawn?.destroy();
    this.drawn = map.y ? new Heat(this.place, theme, map, { name, unit, seen: report.runs.indexOf(run) }, pressRun) : this.line(name, unit, key);
  }

  /** One parameter alone. */
  private line(name: string, unit: string, key: string): MountedPanel {
    const { report, run, theme } = this.context;
    const { x, cells } = mapOf(report, run, this.pair, key)!;
    const sorted = [...cells].sort((a, b) => a.x - b.x);
    const chart = new Chart(this.place, name, { name: words(x.name), unit: "" }, { name, unit }, theme, (mark) => pressRun(sorted[mark]!.run));
    const marks = sorted.map(({ x: at, value, run: k }) => ({
      x: at, y: value, shape: "circle" as const, size: 4, filled: report.runs[k] === run, colour: curveColour(0), text: formatNumber(value, 3),
      name: `${runName(report.runs[k]!, k)}: ${formatQuantity(value, unit)}; shows this case`, chosen: report.runs[k] === run,
    }));
    chart.show({ marks, lines: [{ points: sorted.map(({ x: at, value }) => [at, value]), colour: curveColour(0) }], places: [] });
    return chart;
  }
}

export const gearMap: Panel = {
  id: "gear-map",
  title: "Map of the study",
  applies: (context) => pairsOf(context).some((pair) => mapped.some(([key]) => mapOf(context.report, context.run, pair, key) && Number.isFinite(numberOf(context.run, pair, key)))),

  async mount(host, context) {
    const pairs = pairsOf(context);
    const parts = pairs.map((pair) => {
      if (pairs.length > 1) host.append(element("h3", {}, words(pair)));
      return new StudyMap(host, context, pair);
    });
    host.append(element("p", { class: "hint" }, "A case that is pressed is shown by all panels; the one that is shown is marked."));
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

// SPDX-License-Identifier: Apache-2.0
// Unstable modes in a table, the strongest first, each with its damping ratio; a row that is pressed shows its shape.

import { choice, element } from "./dom";
import { formatNumber, withUnit } from "./format";
import { parameterOf } from "./modes";
import type { MountedPanel, PanelContext } from "./panel";
import { unitOf } from "./paths";
import type { ModeShape, Stability, Table } from "./report";
import { type SweepValue, type Unstable, dampingRatio } from "./unstable";
import { ShapeView } from "./view/shape_view";

const kinds = ["neutral", "oscillates", "flutters", "diverges"];

/** A table whose rows are pressed. */
export class UnstableTable {
  readonly element = element("div", { class: "table unstable-modes" });
  private rows: HTMLTableRowElement[] = [];

  constructor(private readonly press: (mode: Unstable) => void) {}

  show(modes: Unstable[], chosen: Unstable | null, spectrum: Table | null, hasShape: (mode: Unstable) => boolean): void {
    const branched = modes.some(({ branch }) => branch > 0);
    const headings = [
      ...(branched ? ["branch"] : []), "mode", withUnit("frequency", unitOf(spectrum, "frequency")),
      withUnit("growth", unitOf(spectrum, "growth")), "damping ratio", "", "shape",
    ];
    this.rows = modes.map((mode) => {
      const cells = [
        ...(branched ? [String(mode.branch)] : []), String(mode.number), formatNumber(mode.frequency, 5), formatNumber(mode.growth),
        formatNumber(dampingRatio(mode), 3), kinds[mode.kind] ?? "", hasShape(mode) ? "\u2713" : "\u2013",
      ];
      const row = element("tr", { tabindex: 0, "aria-selected": String(mode === chosen) }, ...cells.map((text, k) => element("td", { "data-label": headings[k] ?? "" }, text)));
      const act = (): void => this.press(mode);
      row.addEventListener("click", act);
      row.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        act();
      });
      return row;
    });
    const head = element("tr", {}, ...headings.map((text) => element("th", { scope: "col" }, text)));
    this.element.hidden = modes.length === 0;
    this.element.replaceChildren(element("table", { role: "grid", "aria-label": "Unstable modes, strongest first", "data-keys": "own" }, element("thead", {}, head), element("tbody", {}, ...this.rows)));
  }
}

/** The unstable modes of a sweep, value by value, with their shapes. */
export class SweepModes implements MountedPanel {
  private readonly heading = element("h3", {});
  private readonly table = new UnstableTable((mode) => void this.press(mode));
  private readonly shape: ShapeView;
  private mode: Unstable | null = null;
  private at: number;

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
    private readonly step: Stability,
    private readonly values: SweepValue[],
  ) {
    const name = parameterOf(step);
    const strongest = (k: number): number => values[k]!.modes[0]!.growth;
    this.at = values.reduce((best, _, k) => (strongest(k) > strongest(best) ? k : best), 0);
    const texts = values.map(({ value, modes }) => `${name} = ${formatNumber(value)} (${modes.length})`);
    const left = element("div", {}, this.heading, choice("Value", texts, this.at, (k) => this.choose(k)), this.table.element);
    const grid = element("div", { class: "plots sweep-modes" }, left);
    host.append(grid);
    this.shape = new ShapeView(grid, context);
    this.choose(this.at);
  }

  destroy(): void {
    this.shape.destroy();
  }

  private choose(k: number): void {
    this.at = k;
    this.mode = this.values[k]!.modes[0]!;
    void this.show();
  }

  private async press(mode: Unstable): Promise<void> {
    this.mode = mode;
    await this.show();
    if (this.shapeOf(mode)) this.shape.play();
  }

  private shapeOf(mode: Unstable): ModeShape | null {
    const { animation } = this.context.run;
    const { number } = this.values[this.at]!;
    return this.step.shapes.find((s) => s.status === number && s.mode === mode.number && s.nodes === animation?.nodes) ?? null;
  }

  private show(): Promise<void> {
    const { value, modes } = this.values[this.at]!;
    const where = `${parameterOf(this.step)} = ${formatNumber(value)}`;
    this.heading.textContent = `Unstable modes at ${where}, strongest first`;
    this.table.show(modes, this.mode, this.step.sweep, (mode) => this.shapeOf(mode) !== null);
    const shape = this.shapeOf(this.mode!);
    const words = shape ? "One oscillation about the state; the thin line is the shape at rest." : "The shape of this mode is not on this page.";
    return this.shape.show(shape, `Mode ${this.mode!.number} at ${where}`, words);
  }
}

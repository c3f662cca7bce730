// SPDX-License-Identifier: Apache-2.0
// What small disturbances of a status do: its spectrum, the shapes of modes, growth and frequency along the path or a
// sweep, and how they grew where a run has followed one.

import { Chart, type ChartMark } from "../chart";
import { checkbox, element } from "../dom";
import { formatNumber, formatQuantity } from "../format";
import { growthPlots } from "../growth";
import { frequencyShown, grows, lowest, orderModes, withoutPairs } from "../modes";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { type Chosen, type Mode, type Path, chosenOf, judged, unitOf } from "../paths";
import { type Curve, Plot, curveColour } from "../plots";
import type { ModeShape, Stability } from "../report";
import { sweepCharts } from "../sweeps";
import { byGrowth, dampingRatio } from "../unstable";
import { UnstableTable } from "../unstable_view";
import { ShapeView } from "../view/shape_view";

const kinds = ["neutral", "oscillates", "flutters", "diverges"];

class StabilityView implements MountedPanel {
  private readonly grid = element("div", { class: "plots" });
  private readonly spectrum: Chart;
  private readonly modeWords = element("p", { class: "hint" });
  private readonly more = element("div", { class: "bar" });
  private readonly unstable = new UnstableTable(({ number }) => void this.choose(this.modes.find((mode) => mode.number === number) ?? null));
  private readonly shape: ShapeView;
  private readonly along = element("div", { class: "plots" });
  private readonly ends: (() => void)[] = [];
  private plots: { destroy(): void }[] = [];
  private mode: Mode | null = null;
  private all = false;
  private order: Mode[] = [];
  private drawn: Path | null = null;

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
    private readonly chosen: Chosen,
  ) {
    host.append(this.grid, this.unstable.element, this.along);
    const table = chosen.path.stability.spectrum;
    this.spectrum = new Chart(
      this.grid, "Spectrum",
      { name: "frequency", unit: unitOf(table, "frequency") }, { name: "growth", unit: unitOf(table, "growth") },
      context.theme, (mark) => void this.press(mark),
    );
    this.spectrum.element.append(this.key(), this.more, this.modeWords);
    this.shape = new ShapeView(this.grid, context);
    this.ends.push(chosen.follow(() => this.follow()));
    this.follow();
  }

  destroy(): void {
    for (const end of this.ends) end();
    this.plots.forEach((plot) => plot.destroy());
    this.spectrum.destroy();
    this.shape.destroy();
  }

  private key(): HTMLElement {
    const item = (sign: string, text: string): HTMLElement => element(
      "span",
      { class: "legend-mark" },
      element("span", { class: "mode-mark", "data-kind": sign, "aria-hidden": "true" }),
      text,
    );
    return element(
      "div",
      { class: "legend-marks" },
      item("flutters", "flutters"),
      item("diverges", "diverges"),
      item("oscillates", "oscillates"),
      item("shape", "shape is stored"),
    );
  }

  private get modes(): Mode[] {
    const { path, status } = this.chosen;
    return withoutPairs(path.modes.get(status.number) ?? []);
  }

  private shapeOf(mode: Mode | null): ModeShape | null {
    const { path, status } = this.chosen;
    const { animation } = this.context.run;
    if (!mode || !animation) return null;
    return path.stability.shapes.find((s) => s.status === status.number && s.mode === mode.number && s.nodes === animation.nodes) ?? null;
  }

  private follow(): void {
    const { path } = this.chosen;
    const { modes } = this;
    // The strongest that can be seen, the strongest, or the lowest.
    const growing = byGrowth(modes);
    this.mode = growing.find((mode) => this.shapeOf(mode)) ?? growing[0] ?? modes[0] ?? null;
    if (this.drawn !== path) this.drawAlong(path);
    this.offerAll();
    this.show();
  }

  private offerAll(): void {
    const { modes } = this;
    const hidden = modes.length > lowest;
    this.more.replaceChildren(...(hidden ? [checkbox(`All ${modes.length} modes of this page`, this.all, (on) => this.showAll(on))] : []));
  }

  private showAll(on: boolean): void {
    this.all = on;
    this.show();
  }

  private async press(mark: number): Promise<void> {
    await this.choose(this.order[mark] ?? null);
  }

  private async choose(mode: Mode | null): Promise<void> {
    this.mode = mode;
    await this.show();
    if (this.shapeOf(this.mode)) this.shape.play();
  }

  private show(): Promise<void> {
    const { mode, modes } = this;
    const { number } = this.chosen.status;
    this.order = orderModes(modes, mode, (one) => this.shapeOf(one) !== null);
    const high = frequencyShown(modes, mode ? [mode] : [], this.all);
    const content = { marks: this.order.map((one) => this.mark(one)), lines: [], places: [], x: [-0.03 * high, 1.06 * high] as [number, number] };
    this.spectrum.show(content, modes.length ? `Spectrum of status ${number}` : `Spectrum of status ${number}: no modes are stored`);
    this.modeWords.textContent = mode ? this.describe(mode) : "";
    const unstable = byGrowth(modes).map((one) => ({ ...one, branch: 0 }));
    this.unstable.show(unstable, unstable.find((one) => one.number === mode?.number) ?? null, this.chosen.path.stability.spectrum, (one) => this.shapeOf(one) !== null);
    return this.shape.show(this.shapeOf(mode), mode ? `Mode ${mode.number} of status ${number}` : "Mode shape", this.shapeWords(mode));
  }

  private unit(name: string): string {
    return unitOf(this.chosen.path.stability.spectrum, name);
  }

  private describe(mode: Mode): string {
    const kind = kinds[mode.kind] ?? "";
    const frequency = formatQuantity(mode.frequency, this.unit("frequency"), 5);
    const growth = formatQuantity(mode.growth, this.unit("growth"));
    const sign = mode.imaginary < 0 ? "\u2212" : "+";
    const value = mode.imaginary ? `(${formatNumber(mode.real)} ${sign} ${formatNumber(Math.abs(mode.imaginary))} i)` : formatNumber(mode.real);
    const Lambda = Number.isFinite(mode.real) ? `, \u039b = ${value} ${this.unit("Lambda.real")}` : "";
    const ratio = dampingRatio(mode);
    const damping = Number.isFinite(ratio) && ratio !== 0 ? `, damping ratio ${formatNumber(ratio, 3)}` : "";
    return `Mode ${mode.number} ${kind}: frequency ${frequency}, growth ${growth}${damping}${Lambda}`.trimEnd();
  }

  private shapeWords(mode: Mode | null): string {
    const { path } = this.chosen;
    const { shapes, allShapes } = path.stability;
    if (!mode) return "";
    if (this.shapeOf(mode)) return `One oscillation about the state; the thin line is the shape at rest. Displacements of the state are as they are.`;
    if (allShapes === 0) return "No shapes of modes were written in this step.";
    if (shapes.length === 0) return "Shapes are in the result folder; there was no room for them here.";
    if (!this.context.run.animation) return "Without a moving picture of the run shapes can't be shown.";
    return grows(mode) ? "The shape of this mode is not on this page." : "Only modes that grow have shapes.";
  }

  private mark(mode: Mode): ChartMark {
    const growing = grows(mode);
    return {
      x: mode.frequency, y: mode.growth,
      shape: mode.kind === 3 ? "triangle" : mode.kind === 2 ? "diamond" : mode.kind === 0 ? "square" : "circle",
      size: growing ? 6.5 : 3.5, filled: growing,
      colour: mode.kind === 3 ? (c) => c.divergence : mode.kind === 2 ? (c) => c.flutter : (c) => c.stick,
      text: String(mode.number), name: this.describe(mode), chosen: mode === this.mode, ringed: this.shapeOf(mode) !== null,
    };
  }

  private drawAlong(path: Path): void {
    this.drawn = path;
    this.plots.forEach((plot) => plot.destroy());
    this.plots = [];
    if (path.statuses.length > 1) this.drawPath(path);
  }

  /** Of the first mode that flutters and of the one that grows most. */
  private drawPath({ statuses, stability }: Path): void {
    const times = Float64Array.from(statuses.flatMap((s) => [s.begin, s.end]));
    const of = (value: (s: (typeof statuses)[0]) => number): Float64Array => Float64Array.from(statuses.flatMap((s) => [value(s), value(s)]));
    const pair = (unit: string, first: Float64Array, most: Float64Array): Curve[] => [
      { label: "mode that grows most", unit, times, values: most, colour: curveColour(0), dash: [7, 4], width: 2 },
      { label: "first mode that flutters", unit, times, values: first, colour: (c) => c.flutter, width: 2.5 },
    ];
    const [growth, frequency] = [unitOf(stability.statuses, "growth"), unitOf(stability.statuses, "growth_frequency")];
    const plot = (name: string, unit: string, first: Float64Array, most: Float64Array): Plot =>
      new Plot(this.along, { name, unit, curves: pair(unit, first, most), fromZero: true }, this.context);
    this.plots.push(
      plot("growth", growth, of((s) => s.flutterGrowth), of((s) => s.growth)),
      plot("frequency", frequency, of((s) => s.flutterFrequency), of((s) => s.growthFrequency)),
    );
  }
}

const hasModes = ({ spectrum }: Stability): boolean => (spectrum?.kept ?? 0) > 0;
const hasSweep = ({ sweep }: Stability): boolean => (sweep?.kept ?? 0) > 0;
const hasGrowth = ({ growth }: Stability): boolean => (growth?.kept ?? 0) > 0;

export const stability: Panel = {
  id: "stability",
  title: "Stability",
  applies: (context) => judged(context).some(hasModes) || (context.run.stability ?? []).some((step) => hasSweep(step) || hasGrowth(step)),

  async mount(host, context) {
    const parts: MountedPanel[] = [];
    // A map first, then the modes of single states, then what becomes of them.
    for (const step of context.run.stability.filter(hasSweep)) parts.push(...(await sweepCharts(host, context, step)));
    if (judged(context).some(hasModes)) parts.push(new StabilityView(host, context, await chosenOf(context)));
    for (const step of context.run.stability.filter(hasGrowth)) parts.push(...(await growthPlots(host, context, step)));
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

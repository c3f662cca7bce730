// SPDX-License-Identifier: Apache-2.0
// Which contact nodes stick, slip or are apart at which time: a row for each node, a column for each frame.

import { axisName, axisNumbers, axisPower } from "../axes";
import { indexAt } from "../data";
import { element } from "../dom";
import { formatKnown, formatTime } from "../format";
import { timeUnitOf } from "../gears";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import type { Field } from "../report";
import { cells, stripes } from "../view/cells";
import { type Rgb, cssColour, parseColour } from "../view/colours";
import { type FieldFrames, Frames } from "../view/frames";
import { statusWords } from "../view/legend";
import { ticksOf } from "../view/number";
import { columnEdges, orderRows } from "../view/rows";

const left = 64;
const right = 14;
const top = 8;
const bottom = 44;
const font = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const fieldOf = (fields: Field[], name: string): Field | undefined => fields.find((field) => field.name === name);

class StatusMap implements MountedPanel {
  private readonly canvas = element("canvas", { class: "status-map", role: "img", tabindex: 0 });
  private readonly box = element("div", { class: "status-box" }, this.canvas);
  private readonly text = element("p", { class: "status-text" });
  private readonly marks = element("div", { class: "legend-marks" });
  private readonly resizing = new ResizeObserver(() => this.resize());
  private readonly ending = new AbortController();
  private readonly ends: (() => void)[] = [];
  private readonly rows: number[];
  private readonly edges: number[];
  /** The map without the cursor. */
  private readonly still = document.createElement("canvas");
  private width = 0;
  private height = 0;
  private ratio = 1;
  private printing = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly context: PanelContext,
    private readonly frames: Frames,
    private readonly status: FieldFrames,
    private readonly pressure: FieldFrames | null,
  ) {
    this.rows = orderRows(frames.animation, frames.positions, frames.labels);
    this.edges = columnEdges(frames.times, context.clock.last);
    host.append(this.marks, this.box, this.text);
    const { signal } = this.ending;
    this.canvas.addEventListener("pointermove", (event) => this.hover(event), { signal });
    this.canvas.addEventListener("pointerleave", () => this.describeNow(), { signal });
    this.canvas.addEventListener("click", (event) => this.context.clock.set(this.frames.times[this.columnAt(this.timeAt(event))]!), { signal });
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
    this.ends.push(context.clock.follow(() => this.follow()));
    this.ends.push(context.theme.follow(() => this.repaint()));
    this.resizing.observe(this.box);
    this.repaint();
    this.describeNow();
  }

  destroy(): void {
    for (const end of this.ends) end();
    this.ending.abort();
    this.resizing.disconnect();
  }

  private get colours(): Rgb[] {
    const { apart, stick, slip } = this.context.theme.colours;
    return [apart, stick, slip].map(parseColour);
  }

  private get span(): [number, number] {
    return [this.edges[0], this.edges[this.edges.length - 1]];
  }

  private x(time: number): number {
    const [first, last] = this.span;
    return left + ((this.width - left - right) * (time - first)) / (last - first || 1);
  }

  private timeAt(event: MouseEvent): number {
    const [first, last] = this.span;
    const share = (event.clientX - this.canvas.getBoundingClientRect().left - left) / (this.width - left - right);
    return first + share * (last - first);
  }

  /** The frame whose column a time lies in. */
  private columnAt(time: number): number {
    return Math.min(this.frames.times.length - 1, Math.max(0, indexAt(this.edges, time)));
  }

  private resize(): void {
    const width = this.box.clientWidth;
    if (width === 0 || width === this.width) return;
    this.width = width;
    this.height = top + bottom + Math.min(320, Math.max(84, 9 * this.rows.length));
    this.canvas.style.height = `${this.height}px`;
    this.sharpen();
  }

  private print(on: boolean): void {
    this.printing = on;
    this.resize();
    if (this.width > 0) this.sharpen();
  }

  /** Paper has more dots than a screen. */
  private sharpen(): void {
    this.ratio = Math.min(2, devicePixelRatio) * (this.printing ? 2 : 1);
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(this.width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    this.repaint();
  }

  private repaint(): void {
    this.marks.replaceChildren(...statusWords.map((word, k) => element("span", { class: "legend-mark" }, this.swatch(k), word)));
    if (this.width > 0) this.drawMap();
    this.follow();
  }

  private swatch(status: number): HTMLCanvasElement {
    const canvas = element("canvas", { width: 36, height: 28, class: "legend-swatch", "aria-hidden": "true" });
    const pen = canvas.getContext("2d");
    if (!pen) return canvas;
    pen.fillStyle = cssColour(this.colours[status]);
    pen.fillRect(0, 0, 36, 28);
    if (status === 2) pen.fillStyle = stripes(pen, "#1b1f24", 2);
    if (status === 2) pen.fillRect(0, 0, 36, 28);
    return canvas;
  }

  private drawMap(): void {
    const pen = this.still.getContext("2d");
    if (!pen) return;
    const { background } = this.context.theme.colours;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.fillStyle = background;
    pen.fillRect(0, 0, this.width, this.height);
    this.drawCells(pen, this.picture((status) => [...this.colours[status], 255]));
    this.drawStripes(pen);
    this.drawAxes(pen);
  }

  private picture(paint: (status: number) => number[]): HTMLCanvasElement {
    const { rows, status } = this;
    return cells(this.frames.animation.frames, rows.length, paint, (frame, row) => status.value(frame, rows[row], 0));
  }

  /** A picture of frames by rows, each column as wide as its frame lasts. */
  private drawCells(pen: CanvasRenderingContext2D, picture: HTMLCanvasElement): void {
    pen.imageSmoothingEnabled = false;
    const below = this.height - bottom;
    const pixel = (x: number): number => Math.round(x * this.ratio) / this.ratio;
    for (let k = 0; k < picture.width; k++) {
      const from = pixel(this.x(this.edges[k]));
      const to = pixel(this.x(this.edges[k + 1]));
      if (to > from) pen.drawImage(picture, k, 0, 1, picture.height, from, top, to - from, below - top);
    }
  }

  /** Slipping is striped too, for those who do not tell it from sticking by its colour. */
  private drawStripes(pen: CanvasRenderingContext2D): void {
    const layer = document.createElement("canvas");
    layer.width = this.still.width;
    layer.height = this.still.height;
    const brush = layer.getContext("2d");
    if (!brush) return;
    brush.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.drawCells(brush, this.picture((status) => [0, 0, 0, status === 2 ? 255 : 0]));
    brush.globalCompositeOperation = "source-in";
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.fillStyle = stripes(brush, "#1b1f24", this.ratio);
    brush.fillRect(0, 0, layer.width, layer.height);
    pen.drawImage(layer, 0, 0, this.width, this.height);
  }

  private drawAxes(pen: CanvasRenderingContext2D): void {
    const { faint, text } = this.context.theme.colours;
    const below = this.height - bottom;
    const [first, last] = this.span;
    pen.font = font;
    pen.strokeStyle = faint;
    pen.fillStyle = text;
    pen.lineWidth = 1;
    pen.strokeRect(left - 0.5, top - 0.5, this.width - left - right + 1, below - top + 1);
    const power = axisPower(first, last);
    const ticks = ticksOf(first, last, Math.max(2, Math.floor(this.width / 110)));
    const numbers = axisNumbers(ticks, ticks.length > 1 ? ticks[1] - ticks[0] : 1, power);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    ticks.forEach((tick, k) => {
      pen.fillRect(this.x(tick) - 0.5, below, 1, 5);
      pen.fillText(numbers[k], this.x(tick), below + 8);
    });
    const unit = timeUnitOf(this.context.run);
    pen.fillText(axisName("time", unit, power), (left + this.width - right) / 2, below + 26);
    this.drawRowNames(pen);
  }

  /** Numbers of some nodes; where another body begins, a line. */
  private drawRowNames(pen: CanvasRenderingContext2D): void {
    const { rows, frames } = this;
    const high = (this.height - top - bottom) / rows.length;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const every = Math.max(1, Math.ceil(16 / high));
    for (let r = 0; r < rows.length; r += every)
      pen.fillText(String(frames.labels[rows[r]]), left - 6, top + (r + 0.5) * high);
    for (let r = 1; r < rows.length; r++)
      if (this.bodyOf(rows[r]) !== this.bodyOf(rows[r - 1]))
        pen.fillRect(left, top + r * high - 0.5, this.width - left - right, 1);
    pen.save();
    pen.translate(12, top + (this.height - top - bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText("contact node", 0, 0);
    pen.restore();
  }

  private bodyOf(node: number): string {
    return this.frames.animation.bodies.find((b) => node >= b.firstNode && node < b.firstNode + b.nodes)?.name ?? "";
  }

  /** The map as it is, and the cursor on it. */
  private follow(): void {
    const pen = this.canvas.getContext("2d");
    if (!pen || this.width === 0) return;
    const { time } = this.context.clock;
    const { background, text } = this.context.theme.colours;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.still, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.fillStyle = background;
    pen.fillRect(this.x(time) - 2, top, 4, this.height - top - bottom);
    pen.fillStyle = text;
    pen.fillRect(this.x(time) - 1, top, 2, this.height - top - bottom + 4);
    this.host.dataset.time = String(time);
    this.describeNow();
  }

  private describeNow(): void {
    const frame = this.frames.at(this.context.clock.time);
    const counts = [0, 0, 0];
    for (const node of this.rows) counts[this.status.value(frame, node, 0)]++;
    const parts = ["apart", "sticking", "slipping"].map((word, k) => `${counts[k]} ${word}`);
    const text = `${this.timeText(frame)}, contact nodes: ${parts.join(", ")}`;
    this.canvas.setAttribute("aria-label", `Status of contact nodes over time. ${text}`);
    this.text.textContent = text;
  }

  private timeText(frame: number): string {
    const { times } = this.frames;
    const unit = timeUnitOf(this.context.run);
    return `t = ${formatTime(times[frame], times[times.length - 1] - times[0])} ${unit}`.trim();
  }

  private pressureText(pressure: FieldFrames, frame: number, node: number): string {
    return formatKnown([pressure.value(frame, node, 0)], pressure.resolution, pressure.field.unit);
  }

  private hover(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top - top) / (this.height - top - bottom)) * this.rows.length);
    const time = this.timeAt(event);
    const [first, last] = this.span;
    if (row < 0 || row >= this.rows.length || time < first || time > last) return this.describeNow();
    const node = this.rows[row];
    const frame = this.columnAt(time);
    const parts = [statusWords[this.status.value(frame, node, 0)] ?? "unknown"];
    if (this.pressure) parts.push(`pressure ${this.pressureText(this.pressure, frame, node)}`);
    this.text.textContent = `${this.bodyOf(node)}.${this.frames.labels[node]}, ${this.timeText(frame)}: ${parts.join(", ")}`;
  }
}

export const status: Panel = {
  id: "status",
  title: "Contact status",
  applies({ run: { animation } }) {
    return !!animation && animation.frames > 1 && animation.contactNodes.length > 0 && !!fieldOf(animation.fields, "status");
  },
  async mount(host, context) {
    const frames = await Frames.load(context.run.animation!, context.blocks);
    const { fields } = frames.animation;
    const pressure = fieldOf(fields, "contact_pressure");
    return new StatusMap(
      host,
      context,
      frames,
      await frames.field(fieldOf(fields, "status")!),
      pressure ? await frames.field(pressure) : null,
    );
  },
};

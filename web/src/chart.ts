// SPDX-License-Identifier: Apache-2.0
// Marks and lines over anything but time, drawn as elements: marks can be reached by hand, by keys and by ear.

import { axisName, axisNumbers, axisPower } from "./axes";
import { element } from "./dom";
import { withUnit } from "./format";
import { type Box, inRows, rangeWithAir, withRoom } from "./labels";
import { followPrint } from "./paper";
import { shape } from "./svg";
import type { Colours, Theme } from "./theme";
import { ticksOf } from "./view/number";

export interface ChartAxis {
  name: string;
  unit: string;
}

export type MarkShape = "circle" | "diamond" | "triangle" | "square";

export interface ChartMark {
  x: number;
  y: number;
  shape: MarkShape;
  size: number;
  filled: boolean;
  colour: (colours: Colours) => string;
  /** Beside the mark, where there is room; those that matter most come first in `marks`. */
  text: string;
  /** For those who can't see it. */
  name: string;
  /** A ring around it. */
  ringed?: boolean;
  chosen?: boolean;
}

export interface ChartLine {
  points: [number, number][];
  colour: (colours: Colours) => string;
  dash?: number[];
  width?: number;
}

/** A place on the axis below that is marked by a line. */
export interface ChartPlace {
  x: number;
  /** A dot on the line, where there is one to show. */
  y?: number;
  /** A short one, above the line. */
  text: string;
  /** For those who point at it or can't see it. */
  name: string;
  /** Less than others. */
  faint: boolean;
}

export interface ChartContent {
  marks: ChartMark[];
  lines: ChartLine[];
  places: ChartPlace[];
  /** The range of the axis below; that of the content where it is not given. */
  x?: [number, number];
  /** Likewise of the other one; zero belongs to it where it is not given. */
  y?: [number, number];
}

const nothing: ChartContent = { marks: [], lines: [], places: [] };
const edge = { left: 64, right: 16, top: 24, bottom: 44 };

function outline({ shape: kind, size }: ChartMark, x: number, y: number): SVGElement {
  const r = size;
  if (kind === "circle") return shape("circle", { cx: x, cy: y, r });
  if (kind === "square") return shape("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  const corners = kind === "diamond" ? [[-r, 0], [0, -r], [r, 0], [0, r]] : [[-r, 0.8 * r], [0, -r], [r, 0.8 * r]];
  return shape("polygon", { points: corners.map(([dx, dy]) => `${x + dx!},${y + dy!}`).join(" ") });
}

export class Chart {
  readonly element: HTMLElement;
  private readonly picture = shape("svg", { class: "chart-picture", role: "group" }) as SVGSVGElement;
  private readonly box = element("div", { class: "chart" });
  private readonly caption: HTMLElement;
  private readonly ends: (() => void)[] = [];
  private content = nothing;
  private width = 0;
  private height = 0;
  private xs: [number, number] = [0, 1];
  private ys: [number, number] = [0, 1];
  /** Where texts of places stand. */
  private readonly taken: Box[] = [];
  /** A place that moves, over all others. */
  private at: [number, number] | null = null;

  /** Puts a chart at the end of the host, which is on the page; `choose` hears of a mark that is pressed. */
  constructor(
    host: HTMLElement,
    private readonly title: string,
    private readonly xAxis: ChartAxis,
    private readonly yAxis: ChartAxis,
    private readonly theme: Theme,
    private readonly choose: (mark: number) => void = () => {},
  ) {
    this.caption = element("figcaption", {}, title);
    this.box.append(this.picture);
    this.element = element("figure", {}, this.caption, this.box);
    host.append(this.element);
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.box);
    this.ends.push(() => observer.disconnect(), theme.follow(() => this.draw()), followPrint(() => this.resize()));
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("click", (event) => this.press(event.target));
    this.resize();
  }

  show(content: ChartContent, title = this.title): void {
    this.content = content;
    this.caption.textContent = title;
    this.picture.setAttribute(
      "aria-label",
      `${title}: ${withUnit(this.yAxis.name, this.yAxis.unit)} over ${withUnit(this.xAxis.name, this.xAxis.unit)}`,
    );
    this.draw();
  }

  /** Moves the dot, without drawing the rest anew; null: there is none. */
  point(at: [number, number] | null): void {
    this.at = at;
    this.placeDot();
  }

  destroy(): void {
    for (const end of this.ends) end();
    this.element.remove();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (width === 0 || (width === this.width && height === this.height)) return;
    this.width = width;
    this.height = height;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.draw();
  }

  private x(value: number): number {
    const [low, high] = this.xs;
    return edge.left + ((this.width - edge.left - edge.right) * (value - low)) / (high - low);
  }

  private y(value: number): number {
    const [low, high] = this.ys;
    return this.height - edge.bottom - ((this.height - edge.top - edge.bottom) * (value - low)) / (high - low);
  }

  private isInside(x: number): boolean {
    const slack = 1e-9 * (this.xs[1] - this.xs[0]);
    return x >= this.xs[0] - slack && x <= this.xs[1] + slack;
  }

  private draw(): void {
    if (this.width === 0) return;
    const { marks, lines, x, y } = this.content;
    const points = lines.flatMap((line) => line.points);
    this.xs = x ?? rangeWithAir([...marks.map((mark) => mark.x), ...points.map(([px]) => px)]);
    const shown = [...marks.map((mark) => [mark.x, mark.y] as const), ...points].filter(([px]) => this.isInside(px));
    this.ys = y ?? rangeWithAir([...shown.map(([, py]) => py), 0]);
    const had = this.picture.contains(document.activeElement);
    this.picture.replaceChildren(...this.axes(), ...lines.map((line) => this.line(line)), ...this.placeMarks(), ...this.marks());
    this.placeDot();
    if (had) this.stop()?.focus();
  }

  private placeDot(): void {
    this.picture.querySelector(".chart-dot")?.remove();
    if (!this.at || this.width === 0 || !this.isInside(this.at[0])) return;
    const { text, background } = this.theme.colours;
    const [cx, cy] = [this.x(this.at[0]), this.y(this.at[1])];
    if (Number.isFinite(cx + cy)) this.picture.append(shape("circle", { class: "chart-dot", cx, cy, r: 5.5, fill: text, stroke: background, "stroke-width": 2 }));
  }

  private axes(): SVGElement[] {
    const { colours } = this.theme;
    const [left, right, top, below] = [edge.left, this.width - edge.right, edge.top, this.height - edge.bottom];
    const text = (x: number, y: number, anchor: string, words: string): SVGElement =>
      shape("text", { x, y, "text-anchor": anchor, fill: colours.faint }, words);
    const rule = (x1: number, y1: number, x2: number, y2: number): SVGElement =>
      shape("line", { x1, y1, x2, y2, stroke: colours.grid });
    const parts: SVGElement[] = [];
    const [xPower, yPower] = [axisPower(...this.xs), axisPower(...this.ys)];
    const ticks = (range: [number, number], power: number, count: number): [number, string][] => {
      const places = ticksOf(range[0], range[1], count);
      const numbers = axisNumbers(places, places.length > 1 ? places[1]! - places[0]! : 1, power);
      return places.map((place, k) => [place, numbers[k]!]);
    };
    for (const [at, words] of ticks(this.xs, xPower, Math.max(2, Math.floor(this.width / 90))))
      parts.push(rule(this.x(at), top, this.x(at), below + 5), text(Math.min(this.x(at), this.width - 3.6 * words.length), below + 18, "middle", words));
    for (const [at, words] of ticks(this.ys, yPower, Math.max(2, Math.floor(this.height / 50))))
      parts.push(rule(left - 5, this.y(at), right, this.y(at)), text(left - 8, this.y(at) + 4, "end", words));
    parts.push(text((left + right) / 2, this.height - 6, "middle", axisName(this.xAxis.name, this.xAxis.unit, xPower)));
    const name = text(0, 0, "middle", axisName(this.yAxis.name, this.yAxis.unit, yPower));
    name.setAttribute("transform", `translate(13 ${(top + below) / 2}) rotate(-90)`);
    const zero = shape("line", { x1: left, x2: right, y1: this.y(0), y2: this.y(0), stroke: colours.faint });
    return [...parts, name, ...(this.ys[0] <= 0 && this.ys[1] >= 0 ? [zero] : [])];
  }

  /** Texts stand in two rows, those that have room; lines begin below them. */
  private placeMarks(): SVGElement[] {
    const within = { left: 0, top: edge.top - 15, right: this.width, bottom: edge.top + 12 };
    const places = this.content.places.filter(({ x }) => this.isInside(x));
    const rooms = inRows(places.map(({ x, text }) => ({ x: this.x(x), half: 4.1 * text.length + 1 })), within, 13);
    this.taken.splice(0, this.taken.length, ...rooms.filter((room) => room !== null));
    return places.flatMap((place, k) => this.place(place, rooms[k]!, rooms.some((room) => room !== null && room.top > within.top)));
  }

  private place({ x, y, text, name, faint }: ChartPlace, room: Box | null, two: boolean): SVGElement[] {
    const { colours } = this.theme;
    const [at, colour] = [this.x(x), faint ? colours.faint : colours.text];
    const ends = { x1: at, x2: at, y1: room ? room.bottom : two ? edge.top + 12 : edge.top, y2: this.height - edge.bottom };
    const made = shape("g", { class: "chart-place" }, shape("title", {}, name));
    made.append(shape("line", { ...ends, stroke: colour, "stroke-dasharray": faint ? "1 4" : "4 3" }));
    const dot = { cx: at, r: 4.5, fill: colours.background, stroke: colour, "stroke-width": 2 };
    if (y !== undefined && Number.isFinite(y)) made.append(shape("circle", { ...dot, cy: this.y(y) }));
    if (room) made.append(shape("text", { x: at, y: room.top + 11, "text-anchor": "middle", fill: colour, "font-weight": faint ? 400 : 600 }, text));
    return [made];
  }

  private line({ points, colour, dash, width = 2 }: ChartLine): SVGElement {
    const inside = points.filter(([px, py]) => this.isInside(px) && Number.isFinite(py));
    const path = inside.map(([px, py]) => `${this.x(px).toFixed(2)},${this.y(py).toFixed(2)}`);
    const attributes = { points: path.join(" "), fill: "none", stroke: colour(this.theme.colours), "stroke-width": width, class: "chart-line" };
    return shape("polyline", dash ? { ...attributes, "stroke-dasharray": dash.join(" ") } : attributes);
  }

  /** Those that matter most are drawn last, over the others. */
  private marks(): SVGElement[] {
    const { marks } = this.content;
    const within = { left: edge.left, top: 2, right: this.width - 2, bottom: this.height - edge.bottom + 2 };
    const labels = withRoom(marks.map((mark) => this.labelBox(mark)), within, this.taken);
    const first = Math.max(0, marks.findIndex((mark) => mark.chosen));
    const made = marks.flatMap((mark, k) => (this.isInside(mark.x) ? [this.mark(mark, k, labels[k]!, k === first)] : []));
    return made.reverse();
  }

  // A ring takes some room of its own.
  private labelY({ y, size, ringed, chosen }: ChartMark): number {
    return this.y(y) - size - (chosen ? 9 : ringed ? 7 : 5);
  }

  private labelBox(mark: ChartMark): Box {
    const [middle, below, wide] = [this.x(mark.x), this.labelY(mark) + 2, 3.6 * mark.text.length + 2];
    return { left: middle - wide, right: middle + wide, top: below - 12, bottom: below };
  }

  private mark(mark: ChartMark, k: number, labelled: boolean, stop: boolean): SVGElement {
    const { colours } = this.theme;
    const [x, y, colour] = [this.x(mark.x), this.y(mark.y), mark.colour(colours)];
    const body = outline(mark, x, y);
    body.setAttribute("stroke", colour);
    body.setAttribute("fill", mark.filled ? colour : colours.background);
    const made = shape("g", {
      class: "chart-mark", role: "button", tabindex: stop ? 0 : -1, "data-mark": k,
      "aria-label": mark.name, "aria-pressed": String(mark.chosen === true),
    });
    // A finger needs more than a few pixels.
    made.append(shape("circle", { cx: x, cy: y, r: Math.max(11, mark.size + 4), class: "chart-touch", fill: "transparent" }));
    if (mark.chosen) made.append(shape("circle", { cx: x, cy: y, r: mark.size + 5, fill: "none", stroke: colours.text, "stroke-width": 2 }));
    else if (mark.ringed) made.append(shape("circle", { cx: x, cy: y, r: mark.size + 3.5, fill: "none", stroke: colour, "stroke-dasharray": "2 2" }));
    made.append(body);
    const weight = mark.filled ? 600 : 400;
    const label = { x, y: this.labelY(mark), "text-anchor": "middle", fill: colours.text, "font-weight": weight };
    if (labelled) made.append(shape("text", label, mark.text));
    made.append(shape("title", {}, mark.name));
    return made;
  }

  private stop(): SVGElement | null {
    return this.picture.querySelector<SVGElement>('.chart-mark[tabindex="0"]');
  }

  private press(target: EventTarget | null): void {
    const mark = target instanceof Element ? target.closest<SVGElement>("[data-mark]") : null;
    if (mark) this.choose(Number(mark.dataset.mark));
  }

  /** Arrows lead from mark to mark along the axis; the keys are not those of the clock then. */
  private key(event: KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target.closest<SVGElement>("[data-mark]") : null;
    if (!target || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.press(target);
    else if (way !== undefined) this.step(Number(target.dataset.mark), way);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private step(from: number, way: number): void {
    const { marks } = this.content;
    const order = marks.map((_, k) => k).filter((k) => this.isInside(marks[k]!.x));
    order.sort((a, b) => marks[a]!.x - marks[b]!.x || marks[a]!.y - marks[b]!.y || a - b);
    const next = order[order.indexOf(from) + way];
    if (next === undefined) return;
    this.picture.querySelectorAll(".chart-mark").forEach((mark) => mark.setAttribute("tabindex", "-1"));
    const mark = this.picture.querySelector<SVGElement>(`[data-mark="${next}"]`);
    mark?.setAttribute("tabindex", "0");
    mark?.focus();
  }
}

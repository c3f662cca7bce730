// SPDX-License-Identifier: Apache-2.0
// A number over two parameters: a cell for each case, by colour and in digits.

import { element } from "./dom";
import { formatNumber, formatQuantity, withUnit, words } from "./format";
import type { GearMap, MapCell } from "./gears";
import type { MountedPanel } from "./panel";
import { followPrint } from "./paper";
import { shape } from "./svg";
import type { Theme } from "./theme";
import { type ColourTable, type Rgb, colourTable, cssColour, luminance, tableColour } from "./view/colours";

const edge = { left: 78, right: 8, top: 8, bottom: 44 };

/** Black or white, whichever is read on that colour. */
const inkOn = (colour: Rgb): string => (luminance(colour) > 0.18 ? "#000000" : "#ffffff");

export class Heat implements MountedPanel {
  private readonly picture = shape("svg", { class: "chart-picture", role: "group" }) as SVGSVGElement;
  private readonly box = element("div", { class: "chart" });
  private readonly table: ColourTable;
  private readonly ends: (() => void)[] = [];
  readonly element: HTMLElement;

  constructor(
    host: HTMLElement,
    private readonly theme: Theme,
    private readonly map: GearMap,
    private readonly what: { name: string; unit: string; seen: number },
    private readonly choose: (run: number) => void,
  ) {
    this.table = colourTable("sequential", theme.colours, 0);
    const title = `${withUnit(what.name, what.unit)}${map.held ? `, ${map.held}` : ""}`;
    this.picture.setAttribute("aria-label", `${title}, over ${map.x.name} and ${map.y?.name ?? ""}`);
    this.box.append(this.picture);
    this.element = element("figure", {}, element("figcaption", {}, title), this.box);
    host.append(this.element);
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(this.box);
    this.ends.push(() => observer.disconnect(), theme.follow(() => this.draw()), followPrint(() => this.draw()));
    this.picture.addEventListener("click", (event) => this.press(event.target));
    this.picture.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), this.press(event.target)));
    this.draw();
  }

  destroy(): void {
    for (const end of this.ends) end();
    this.element.remove();
  }

  private press(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest<SVGElement>("[data-run]") : null;
    if (cell) this.choose(Number(cell.dataset.run));
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (width === 0) return;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.replaceChildren(...this.axes(width, height), ...this.map.cells.map((cell) => this.cell(cell, width, height)));
  }

  private sizeOf(width: number, height: number): { wide: number; tall: number } {
    return { wide: (width - edge.left - edge.right) / this.map.x.values.length, tall: (height - edge.top - edge.bottom) / this.map.y!.values.length };
  }

  private axes(width: number, height: number): SVGElement[] {
    const { x, y } = this.map;
    const { faint } = this.theme.colours;
    const { wide, tall } = this.sizeOf(width, height);
    const text = (px: number, py: number, anchor: string, said: string): SVGElement => shape("text", { x: px, y: py, "text-anchor": anchor, fill: faint }, said);
    const below = height - edge.bottom;
    const name = text(0, 0, "middle", words(y!.name));
    name.setAttribute("transform", `translate(13 ${(edge.top + below) / 2}) rotate(-90)`);
    return [
      ...x.values.map((value, k) => text(edge.left + (k + 0.5) * wide, below + 18, "middle", formatNumber(value, 3))),
      ...y!.values.map((value, k) => text(edge.left - 8, below - (k + 0.5) * tall + 4, "end", formatNumber(value, 3))),
      text((edge.left + width - edge.right) / 2, height - 6, "middle", words(x.name)),
      name,
    ];
  }

  private colourOf(value: number): Rgb {
    const all = this.map.cells.map((cell) => cell.value);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return tableColour(this.table, Math.round(255 * (high > low ? (value - low) / (high - low) : 0.5)));
  }

  private cell({ run, x, y, value }: MapCell, width: number, height: number): SVGElement {
    const { wide, tall } = this.sizeOf(width, height);
    const left = edge.left + this.map.x.values.indexOf(x) * wide;
    const top = height - edge.bottom - (this.map.y!.values.indexOf(y) + 1) * tall;
    const rgb = this.colourOf(value);
    const said = `${words(this.map.x.name)} ${formatNumber(x)}, ${words(this.map.y!.name)} ${formatNumber(y)}: ${formatQuantity(value, this.what.unit)}`;
    const seen = run === this.what.seen;
    const made = shape("g", { class: "heat-cell", role: "button", tabindex: 0, "data-run": run, "aria-label": `${said}; shows this case`, "aria-pressed": String(seen) }, shape("title", {}, said));
    made.append(shape("rect", { x: left + 1, y: top + 1, width: Math.max(1, wide - 2), height: Math.max(1, tall - 2), fill: cssColour(rgb) }));
    if (seen) made.append(shape("rect", { x: left + 3, y: top + 3, width: Math.max(1, wide - 6), height: Math.max(1, tall - 6), fill: "none", stroke: inkOn(rgb), "stroke-width": 2, "stroke-dasharray": "4 3" }));
    const digits = formatNumber(value, 3);
    if (8 * digits.length < wide && tall > 16) made.append(shape("text", { x: left + wide / 2, y: top + tall / 2 + 4, "text-anchor": "middle", fill: inkOn(rgb) }, digits));
    return made;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Curves over time that follow the clock: one look, one cursor and one zoom for all of them.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { timeAxis, valueAxis } from "./axes";
import { indexAt } from "./data";
import { element } from "./dom";
import { formatNumber, formatQuantity, withUnit } from "./format";
import { timeUnitOf } from "./gears";
import { aligned, unionOf } from "./join";
import { rangeOfSame } from "./labels";
import { type Entry, Legend } from "./legend";
import type { PanelContext } from "./panel";
import { followPrint, isPrinting } from "./paper";
import { type Region, paintRegions } from "./verdicts";
import type { Colours } from "./theme";

export interface Curve {
  label: string;
  unit: string;
  times: Float64Array;
  values: Float64Array;
  /** Which colour of the theme. */
  colour: (colours: Colours) => string;
  dash?: number[];
  width?: number;
  /** What the legend says instead of the values that are drawn (of stacked curves their own). */
  told?: Float64Array;
  /** Filled down to the curve of this index, or to zero (-1). */
  fillTo?: number;
}

export interface PlotOptions {
  /** Heading of the plot, and name of its axis of values. */
  name: string;
  unit: string;
  curves: Curve[];
  /** Powers of ten, not below this value. */
  floor?: number;
  /** The legend is folded: for many curves. */
  folded?: boolean;
  /** Zero belongs to the axis. */
  fromZero?: boolean;
  /** Numbers that are counted: no ticks between them. */
  whole?: boolean;
  /** Times that are marked behind the curves by what was found there. */
  regions?: Region[];
  /** Times of events: short lines at the bottom. */
  events?: ArrayLike<number>;
  /** Begin and end of a stretch that is marked: dashed lines over the whole height. */
  ends?: ArrayLike<number>;
}

/** The colour of a curve by its number. */
export const curveColour = (k: number) => (colours: Colours) => colours.curves[k % colours.curves.length]!;

/** Curves beyond the number of colours are told apart by dashes. */
export function curveDash(k: number, colours: number): number[] | undefined {
  const round = Math.floor(k / colours) % 3;
  return round === 0 ? undefined : round === 1 ? [8, 4] : [2, 3];
}

const gapped = (values: Float64Array, floor?: number): (number | null)[] =>
  Array.from(values, (v) => (Number.isNaN(v) ? null : floor === undefined ? v : Math.max(floor, Math.abs(v))));

/** Curves of different times on one axis; where a curve has no value of its own it is not cut. */
export function joined(curves: Curve[], floor?: number): uPlot.AlignedData {
  const times = unionOf(curves.map((curve) => curve.times));
  return [Array.from(times), ...curves.map((curve) => aligned(curve.times, gapped(curve.values, floor), times))];
}

/** The range of an axis with some air; of equal values as well. */
function valueRange(low: number | null, high: number | null, fromZero: boolean): uPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1];
  if (fromZero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  const same = rangeOfSame(low, high);
  if (same) return same;
  const air = 0.06 * (high - low);
  return [fromZero && low === 0 ? 0 : low - air, high + air];
}

function decades(low: number | null, high: number | null, floor: number): uPlot.Range.MinMax {
  const bottom = 10 ** Math.floor(Math.log10(Math.max(floor, low ?? floor)));
  const top = 10 ** Math.ceil(Math.log10(Math.max(floor, high ?? floor)));
  return [bottom, top > bottom ? top : bottom * 10];
}

/** Half a page wide when scaled down, with numbers that can still be read. */
const sizeOnPaper = { width: 500, height: 300 };

export class Plot {
  readonly element: HTMLElement;
  private readonly box: HTMLElement;
  private readonly line = element("div", { class: "time-line" });
  private readonly legend: Legend;
  private readonly chart: uPlot;
  private readonly ends: (() => void)[] = [];
  private pressedAt = NaN;
  private timeBefore = NaN;

  /** Puts a plot at the end of the host, which is on the page. */
  constructor(
    host: HTMLElement,
    private readonly options: PlotOptions,
    private readonly context: PanelContext,
  ) {
    const title = withUnit(options.name, options.unit);
    const timeUnit = timeUnitOf(context.run);
    this.box = element("div", {
      class: "plot", tabindex: 0, role: "img", "aria-label": `${title} over ${withUnit("t", timeUnit)}`,
    });
    this.legend = new Legend(this.entries(), options.folded ?? false, (k, shown) =>
      this.chart.setSeries(k + 1, { show: shown }),
    );
    this.element = element("figure", {}, element("figcaption", {}, title), this.box, this.legend.element);
    host.append(this.element);
    this.chart = new uPlot(this.chartOptions(timeUnit), joined(options.curves, options.floor), this.box);
    this.chart.over.append(this.line);
    this.chart.over.addEventListener("click", (event) => this.click(event));
    // A double click resets the zoom; its first click has moved the time, which was not meant.
    this.chart.over.addEventListener("dblclick", () => context.clock.set(this.timeBefore));
    this.followAll();
    this.showTime();
  }

  destroy(): void {
    for (const end of this.ends) end();
    this.chart.destroy();
    this.element.remove();
  }

  private followAll(): void {
    const { clock, theme } = this.context;
    this.ends.push(clock.follow(() => this.showTime()));
    this.ends.push(
      theme.follow(() => {
        this.legend.paint(theme.colours);
        this.chart.redraw(false);
      }),
    );
    this.legend.paint(theme.colours);
    // The box has a height of its own, so that the chart in it never changes what is observed.
    const resize = (): void => this.chart.setSize(this.size());
    const observer = new ResizeObserver(() => isPrinting() || resize());
    observer.observe(this.box);
    this.ends.push(() => observer.disconnect(), followPrint(resize));
  }

  private entries(): Entry[] {
    return this.options.curves.map(({ label, colour, dash, fillTo }) => ({
      label, colour, dashed: dash !== undefined, filled: fillTo !== undefined,
    }));
  }

  private size(): { width: number; height: number } {
    if (isPrinting()) return sizeOnPaper;
    return { width: Math.max(120, this.box.clientWidth), height: Math.max(100, this.box.clientHeight) };
  }

  private chartOptions(timeUnit: string): uPlot.Options {
    const { theme } = this.context;
    const { name, unit, curves, floor, fromZero = false, whole = false } = this.options;
    return {
      ...this.size(),
      legend: { show: false },
      scales: { x: { time: false }, y: this.valueScale(floor, fromZero) },
      axes: [timeAxis(timeUnit, theme), valueAxis(name, unit, { logarithmic: floor !== undefined, whole }, theme)],
      series: [{}, ...curves.map((curve) => this.series(curve))],
      bands: curves.flatMap(({ fillTo = -1 }, k) => (fillTo >= 0 ? [this.band(k, fillTo)] : [])),
      cursor: {
        sync: { key: "time", scales: ["x", null] },
        drag: { x: true, y: false, dist: 5 },
        y: false,
        points: { show: curves.length <= 8, size: 7 },
        bind: { mousedown: (_, __, handler) => (event) => this.press(event, handler) },
      },
      hooks: {
        drawClear: [(chart) => paintRegions(chart, this.options.regions ?? [], theme.colours)],
        draw: [(chart) => (this.drawEvents(chart), this.drawEnds(chart))],
        setCursor: [() => this.showValues()],
        setScale: [() => this.placeLine()],
        setSize: [() => this.placeLine()],
      },
    };
  }

  private drawEvents(chart: uPlot): void {
    const { left, top, width, height } = chart.bbox;
    chart.ctx.fillStyle = this.context.theme.colours.text;
    for (const time of Array.from(this.options.events ?? [])) {
      const x = Math.round(chart.valToPos(time, "x", true));
      const size = 7 * uPlot.pxRatio;
      if (x >= left && x <= left + width) chart.ctx.fillRect(x, top + height - size, uPlot.pxRatio, size);
    }
  }

  private drawEnds(chart: uPlot): void {
    const { ctx: pen, bbox } = chart;
    pen.save();
    pen.strokeStyle = this.context.theme.colours.text;
    pen.lineWidth = uPlot.pxRatio;
    pen.setLineDash([5 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
    for (const time of Array.from(this.options.ends ?? [])) {
      const x = Math.round(chart.valToPos(time, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      pen.beginPath();
      pen.moveTo(x, bbox.top);
      pen.lineTo(x, bbox.top + bbox.height);
      pen.stroke();
    }
    pen.restore();
  }

  private valueScale(floor: number | undefined, fromZero: boolean): uPlot.Scale {
    if (floor === undefined) return { range: (_, low, high) => valueRange(low, high, fromZero) };
    return { distr: 3, log: 10, range: (_, low, high) => decades(low, high, floor) };
  }

  private series(curve: Curve): uPlot.Series {
    const { theme } = this.context;
    const fill = (): string => `${curve.colour(theme.colours)}99`;
    return {
      label: curve.label,
      stroke: () => curve.colour(theme.colours),
      width: curve.width ?? 1.75,
      points: { show: curve.times.length < 2 },
      ...(curve.dash ? { dash: curve.dash } : {}),
      ...(curve.fillTo === -1 ? { fill, fillTo: 0 } : {}),
    };
  }

  private band(k: number, to: number): uPlot.Band {
    const curve = this.options.curves[k]!;
    const fill = (): string => `${curve.colour(this.context.theme.colours)}99`;
    // Stacked curves never cross: a sum tells which of the two is above.
    const sum = (values: Float64Array): number => values.reduce((a, b) => a + (b || 0), 0);
    const above = sum(curve.values) >= sum(this.options.curves[to]!.values);
    return { series: [k + 1, to + 1], fill, dir: above ? -1 : 1 };
  }

  /** Drags the time line where the mouse is near to it; elsewhere a drag is a zoom. */
  private press(event: MouseEvent, zoom: (event: MouseEvent) => void): null {
    this.pressedAt = event.clientX;
    if (event.detail === 1) this.timeBefore = this.context.clock.time;
    const near = Math.abs(event.offsetX - this.chart.valToPos(this.context.clock.time, "x")) < 6;
    if (!near || event.button !== 0) {
      zoom(event);
      return null;
    }
    this.pressedAt = NaN;
    const move = (later: MouseEvent): void => this.moveTo(later.clientX);
    const end = (): void => document.removeEventListener("mousemove", move);
    document.addEventListener("mousemove", move);
    document.addEventListener("mouseup", end, { once: true });
    return null;
  }

  private click(event: MouseEvent): void {
    if (Math.abs(event.clientX - this.pressedAt) < 4) this.moveTo(event.clientX);
  }

  private moveTo(clientX: number): void {
    const left = clientX - this.chart.over.getBoundingClientRect().left;
    this.context.clock.set(this.chart.posToVal(left, "x"));
  }

  private showTime(): void {
    this.box.dataset.time = String(this.context.clock.time);
    this.placeLine();
    this.showValues();
  }

  private placeLine(): void {
    const left = this.chart.valToPos(this.context.clock.time, "x");
    const inside = left >= -0.5 && left <= this.chart.bbox.width / uPlot.pxRatio + 0.5;
    this.line.hidden = !inside;
    if (inside) this.line.style.transform = `translateX(${left}px)`;
  }

  /** Under the mouse where it is there, else at the time of the clock. */
  private showValues(): void {
    const left = this.chart.cursor.left ?? -1;
    const time = left >= 0 ? this.chart.posToVal(left, "x") : this.context.clock.time;
    this.legend.tell((k) => {
      const { times, values, told, unit } = this.options.curves[k]!;
      if (times.length === 0 || time < times[0]!) return "";
      const value = formatQuantity((told ?? values)[indexAt(times, time)], unit);
      const end = times[times.length - 1]!;
      return time > end * (1 + 1e-12) ? `${value} at its end, t = ${formatNumber(end, 5)}` : value;
    });
  }
}

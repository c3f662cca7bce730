// SPDX-License-Identifier: Apache-2.0
// Signals of a motion in time: each over time, with the stretch in which it is what it has become, and its spectrum with the
// frequencies that stability predicts.

import { Chart, type ChartMark, type ChartPlace } from "../chart";
import { columnsOf } from "../data";
import { checkbox, choice, element } from "../dom";
import { formatFrequency, formatNumber, formatQuantity, words } from "../format";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { Plot, curveColour } from "../plots";
import type { Run, Signal, Table } from "../report";
import {
  type Peak, type Predicted, decibels, envelope, factsOf, historyOf, motionWords, peakWords, peaksOf, predictedFor, signalsOf, windowOf,
} from "../signals";

const stretches = 1000;
/** So many peaks are marked; those that can be told from the noise are fewer most often. */
const mostPeaks = 8;
const mostFaint = 12;

interface SpectrumSource {
  title: string;
  points: [number, number][];
  peaks: Peak[];
  predicted: Predicted[];
  units: { frequency: string; value: string };
}

class Spectrum implements MountedPanel {
  private readonly place = element("div");
  private readonly told = element("p", { class: "hint", "aria-live": "polite" });
  private chart: Chart | null = null;
  private logarithmic = true;
  private range: number;
  private chosen = 0;
  private readonly ranges: [string, number][];
  private readonly peaks: Peak[];

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
    private readonly source: SpectrumSource,
  ) {
    const { points, peaks, predicted } = source;
    const highest = points[points.length - 1]?.[0] ?? 1;
    const main = peaks[0]?.frequency ?? highest;
    const growing = predicted.filter(({ grows }) => grows).map(({ frequency }) => frequency);
    const near = Math.max(3.4 * main, ...growing.map((frequency) => 1.1 * frequency));
    this.peaks = peaks.slice(0, mostPeaks);
    this.ranges = [["around the highest peak", Math.min(highest, near)], ["ten times as far", Math.min(highest, 10 * near)], ["all frequencies", highest]];
    this.range = this.ranges[0]![1];
    const controls = element(
      "div",
      { class: "bar" },
      choice("Show", this.ranges.map(([text]) => text), 0, (k) => this.change(() => (this.range = this.ranges[k]![1]))),
      checkbox("Decibels", true, (on) => this.change(() => (this.logarithmic = on))),
    );
    host.append(this.place, controls, this.told);
    this.draw();
  }

  destroy(): void {
    this.chart?.destroy();
  }

  private change(act: () => void): void {
    act();
    this.draw();
  }

  private draw(): void {
    const { logarithmic } = this;
    const { title, units } = this.source;
    const yAxis = logarithmic ? { name: "amplitude under the highest", unit: "dB" } : { name: "amplitude", unit: units.value };
    this.chart?.destroy();
    this.chart = new Chart(
      this.place, title, { name: "frequency", unit: units.frequency }, yAxis, this.context.theme,
      (mark) => this.change(() => (this.chosen = mark)),
    );
    this.show();
  }

  private show(): void {
    const { range, peaks } = this;
    const largest = Math.max(peaks[0]?.amplitude ?? 0, this.source.points.reduce((most, [, y]) => (y > most ? y : most), 0));
    const shownAs = (points: [number, number][]): [number, number][] => (this.logarithmic ? decibels(points, largest) : points);
    const line = { points: envelope(shownAs(this.source.points), [0, range], stretches), colour: curveColour(0), width: 1.5 };
    const marks = peaks.map((peak, k): ChartMark => {
      const [[x, y]] = shownAs([[peak.frequency, peak.amplitude]]) as [[number, number]];
      return {
        x, y, shape: "circle", size: 4, filled: k === this.chosen, colour: (c) => c.text, text: formatFrequency(peak.frequency),
        name: `Peak ${k + 1}: ${this.wordsOf(peak)}`, chosen: k === this.chosen,
      };
    });
    const lowest = line.points.reduce((low, [, y]) => Math.min(low, y), 0);
    // Room above for names.
    const y: [number, number] = this.logarithmic ? [lowest - 4, 18] : [-0.02 * largest, 1.2 * largest || 1];
    this.chart!.show({ marks, lines: [line], places: this.places(), x: [0, range], y });
    const peak = peaks[this.chosen];
    this.told.textContent = peak ? `Peak ${this.chosen + 1} of ${peaks.length}: ${this.wordsOf(peak)}.` : "";
  }

  private wordsOf(peak: Peak): string {
    return peakWords(peak, this.peaks, this.source.predicted, this.source.units);
  }

  // Of modes that do not grow the lowest: a mesh has as many as it likes.
  private places(): ChartPlace[] {
    const faint = this.source.predicted.filter(({ grows }) => !grows).slice(0, mostFaint);
    return [...this.source.predicted.filter(({ grows }) => grows), ...faint].map(({ mode, frequency, growth, grows }) => ({
      x: frequency, text: grows ? `mode ${mode}` : String(mode), faint: !grows,
      name: `mode ${mode} is predicted at ${formatQuantity(frequency, this.source.units.frequency, 5)}, growth ${formatNumber(growth)}`,
    }));
  }
}

/** The signal over time; the stretch of the spectrum is marked by lines at its ends. */
async function timePlot(host: HTMLElement, context: PanelContext, signal: Signal): Promise<Plot[]> {
  const table = historyOf(context.run, signal.name);
  if (!table) return [];
  const columns = await columnsOf(context.blocks, table);
  const curves = table.columns.slice(1).map(({ name, unit }, k) => ({
    label: words(name), unit, times: columns[0]!, values: columns[k + 1]!, colour: curveColour(k), width: 1.25,
  }));
  const name = words(signal.name);
  return [new Plot(host, { name, unit: table.columns[1]?.unit ?? "", curves, ends: windowOf(context.run, signal.name) ?? [] }, context)];
}

async function spectrumOf(host: HTMLElement, context: PanelContext, signal: Signal, table: Table): Promise<Spectrum> {
  const columns = await columnsOf(context.blocks, table);
  const points = Array.from(columns[0]!, (x, k): [number, number] => [x, columns[1]?.[k] ?? NaN]);
  const facts = factsOf(context.run, signal.name);
  const predicted = await predictedFor(context, facts.step ?? signal.name);
  const units = { frequency: table.columns[0]!.unit, value: table.columns[1]?.unit ?? "" };
  return new Spectrum(host, context, { title: `Spectrum of ${words(signal.name)}`, points, peaks: peaksOf(facts, points), predicted, units });
}

async function mountSignal(host: HTMLElement, context: PanelContext, signal: Signal): Promise<MountedPanel[]> {
  const { run } = context;
  const { spectrum } = signal;
  const grid = element("div", { class: "plots" });
  const step = factsOf(run, signal.name).step;
  const units = { frequency: spectrum?.columns[0]?.unit ?? "", value: spectrum?.columns[1]?.unit ?? "" };
  const heading = element("h3", {}, step === signal.name ? `Mode that ${words(step)} starts with` : `${words(signal.name)}${step ? ` (${step})` : ""}`);
  host.append(heading, element("p", { class: "signal-words" }, motionWords(run, signal.name, units)), grid);
  const [left, right] = [element("div"), element("div")];
  const parts: MountedPanel[] = [];
  if (historyOf(run, signal.name)) grid.append(left);
  parts.push(...(await timePlot(left, context, signal)));
  if (!spectrum || spectrum.kept === 0) return parts;
  grid.append(right);
  return [...parts, await spectrumOf(right, context, signal, spectrum)];
}

const shown = (run: Run): Signal[] => signalsOf(run).all.filter(({ name, spectrum }) => historyOf(run, name) || (spectrum?.kept ?? 0) > 0);

export const signals: Panel = {
  id: "signals",
  title: "Motion in time",
  applies: ({ run }) => shown(run).length > 0,

  async mount(host, context) {
    const parts: MountedPanel[] = [];
    for (const signal of shown(context.run)) parts.push(...(await mountSignal(host, context, signal)));
    host.append(element("p", { class: "hint" }, "Dashed lines are frequencies that stability predicts for the state from which the step starts, dotted ones modes that do not grow there. A peak that is pressed is told below."));
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

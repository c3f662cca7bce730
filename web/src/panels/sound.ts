// SPDX-License-Identifier: Apache-2.0
// What a motion sounds like: a player, the wave with a cursor that moves as it plays, and the spectrum beside it.

import { Chart } from "../chart";
import { type Blocks, columnsOf } from "../data";
import { button, checkbox, choice, element } from "../dom";
import { formatBytes, formatFrequency, formatNumber, formatQuantity, words } from "../format";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { followPrint } from "../paper";
import { curveColour } from "../plots";
import type { Signal, SignalFacts, Sound, Table } from "../report";
import { decibels, envelope, factsOf, isNumber, namedPeaks, signalsOf } from "../signals";
import { wavOf, waveform } from "../wav";

const speeds: [string, number][] = [["\u00bc\u00d7", 0.25], ["\u00bd\u00d7", 0.5], ["1\u00d7", 1], ["2\u00d7", 2]];

async function samplesOf(blocks: Blocks, sound: Sound): Promise<Int16Array> {
  const numbers = await blocks.load(sound.data);
  if (!(numbers instanceof Int16Array)) throw new Error(`${sound.file} has no samples of 16 bits`);
  return numbers;
}

const seconds = (time: number): string => `${time.toFixed(2)} s`;

/** The wave; a click, a drag or the arrow keys lead to another place of the sound. */
class Wave {
  readonly canvas = element("canvas", { class: "wave", role: "slider", tabindex: 0, "aria-label": "Place in the sound", "aria-valuemin": 0 });
  private readonly ends: (() => void)[] = [];
  private readonly ending = new AbortController();
  private at = 0;

  constructor(
    private readonly samples: Int16Array,
    private readonly length: number,
    private readonly context: PanelContext,
    private readonly seek: (time: number) => void,
  ) {
    const { signal } = this.ending;
    this.canvas.setAttribute("aria-valuemax", length.toFixed(2));
    this.canvas.addEventListener("pointerdown", (event) => this.press(event), { signal });
    this.canvas.addEventListener("pointermove", (event) => event.buttons & 1 && this.press(event), { signal });
    this.canvas.addEventListener("keydown", (event) => this.key(event), { signal });
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(this.canvas);
    this.ends.push(() => observer.disconnect(), context.theme.follow(() => this.draw()), followPrint(() => this.draw()));
    this.show(0);
  }

  destroy(): void {
    this.ending.abort();
    for (const end of this.ends) end();
  }

  show(time: number): void {
    this.at = time;
    this.canvas.setAttribute("aria-valuenow", time.toFixed(2));
    this.canvas.setAttribute("aria-valuetext", `${seconds(time)} of ${seconds(this.length)}`);
    this.draw();
  }

  private press(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    this.seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.length);
  }

  private key(event: KeyboardEvent): void {
    const step = this.length / 50;
    const to = { ArrowRight: this.at + step, ArrowUp: this.at + step, ArrowLeft: this.at - step, ArrowDown: this.at - step, Home: 0, End: this.length }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.seek(Math.min(this.length, Math.max(0, to)));
  }

  private draw(): void {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    const pen = canvas.getContext("2d");
    if (!pen || width === 0) return;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const { colours } = this.context.theme;
    pen.clearRect(0, 0, width, height);
    const cursor = Math.round((this.at / this.length) * width);
    waveform(this.samples, width).forEach(([low, high], x) => {
      // What was heard already is stronger.
      pen.fillStyle = x <= cursor ? colours.flutter : colours.stick;
      const [top, bottom] = [(0.5 - 0.47 * high) * height, (0.5 - 0.47 * low) * height];
      pen.fillRect(x, top, 1, Math.max(1, bottom - top));
    });
    pen.fillStyle = colours.text;
    pen.fillRect(Math.min(width - 2 * ratio, cursor), 0, 2 * ratio, height);
  }
}

function spectrum(host: HTMLElement, context: PanelContext, table: Table, columns: Float64Array[], facts: SignalFacts): Chart {
  const chart = new Chart(
    host, "Spectrum of the signal",
    { name: "frequency", unit: table.columns[0]!.unit }, { name: "amplitude under the highest", unit: "dB" }, context.theme,
  );
  const points = Array.from(columns[0]!, (x, k): [number, number] => [x, columns[1]?.[k] ?? NaN]);
  const largest = points.reduce((most, [, y]) => (y > most ? y : most), 0);
  const peaks = namedPeaks(facts).slice(0, 3).map(({ frequency }) => frequency);
  const high = Math.min(points[points.length - 1]?.[0] ?? 1, 3.4 * (peaks[0] ?? Infinity));
  const places = peaks.map((x, k) => ({ x, text: formatFrequency(x), name: `peak ${k + 1} at ${formatQuantity(x, table.columns[0]!.unit, 5)}`, faint: k > 0 }));
  chart.show({ marks: [], lines: [{ points: envelope(decibels(points, largest), [0, high], 600), colour: curveColour(0), width: 1.5 }], places, x: [0, high] });
  return chart;
}

/** How the sound was made of the signal, where the summary tells. */
function madeOf({ sound: given }: SignalFacts, sound: Sound): string {
  const parts = [`${seconds(sound.samples / sound.rate)} at ${sound.rate} samples a second`];
  if (isNumber(given?.slowed) && given.slowed !== 1) parts.push(`slowed ${formatNumber(given.slowed)} times, so that all of it can be heard`);
  if (isNumber(given?.repeats) && given.repeats > 0) {
    const from = isNumber(given.loop_from) ? ` from ${seconds(given.loop_from)} on` : "";
    parts.push(`its last stretch is repeated ${given.repeats} times${from}`);
  }
  const cut = sound.kept < sound.samples ? ` On this page are the first ${seconds(sound.kept / sound.rate)} of it.` : "";
  return `${parts.join("; ")}.${cut} ${sound.file} in the result folder is the same sound.`;
}

interface SoundSource {
  signal: Signal;
  sound: Sound;
  samples: Int16Array;
  /** Of its spectrum; none without. */
  columns: Float64Array[];
}

class SoundView implements MountedPanel {
  private readonly audio: HTMLAudioElement;
  private readonly wave: Wave;
  private readonly address: string;
  private readonly parts: MountedPanel[] = [];
  private request = 0;

  constructor(host: HTMLElement, context: PanelContext, { signal, sound, samples, columns }: SoundSource) {
    const facts = factsOf(context.run, signal.name);
    const file = wavOf(samples, sound.rate);
    this.address = URL.createObjectURL(new Blob([file], { type: "audio/wav" }));
    this.audio = element("audio", { controls: true, preload: "auto", src: this.address, "aria-label": `Sound of ${words(signal.name)}` });
    this.wave = new Wave(samples, samples.length / sound.rate, context, (time) => this.seek(time));
    const controls = element(
      "div",
      { class: "bar sound-controls" },
      choice("Speed", speeds.map(([text]) => text), 2, (k) => this.setSpeed(speeds[k]![1])),
      checkbox("Repeat", false, (on) => (this.audio.loop = on)),
      button(`Download (${formatBytes(file.length)})`, () => element("a", { href: this.address, download: sound.file }).click()),
    );
    const left = element("figure", {}, element("figcaption", {}, words(signal.name)), this.audio, this.wave.canvas, controls);
    const grid = element("div", { class: "plots" }, left);
    host.append(grid);
    if (signal.spectrum && columns.length > 1) this.parts.push(spectrum(grid, context, signal.spectrum, columns, facts));
    host.append(element("p", { class: "sound-words" }, madeOf(facts, sound)));
    for (const event of ["play", "seeked", "timeupdate", "pause", "ended"]) this.audio.addEventListener(event, () => this.follow());
  }

  destroy(): void {
    cancelAnimationFrame(this.request);
    this.audio.pause();
    this.wave.destroy();
    this.parts.forEach((part) => part.destroy());
    URL.revokeObjectURL(this.address);
  }

  private seek(time: number): void {
    this.audio.currentTime = time;
    this.wave.show(time);
  }

  // Slower is lower, as with a tape: the frequencies of the picture divided by the speed.
  private setSpeed(speed: number): void {
    this.audio.preservesPitch = false;
    this.audio.playbackRate = speed;
  }

  private follow(): void {
    cancelAnimationFrame(this.request);
    this.wave.show(this.audio.currentTime);
    if (!this.audio.paused) this.request = requestAnimationFrame(() => this.follow());
  }
}

export const sound: Panel = {
  id: "sound",
  title: "Sound",
  applies: ({ run }) => signalsOf(run).all.some((signal) => (signal.sound?.kept ?? 0) > 0),

  async mount(host, context) {
    const parts: MountedPanel[] = [];
    for (const signal of signalsOf(context.run).all) {
      if (!signal.sound || signal.sound.kept === 0) continue;
      const samples = await samplesOf(context.blocks, signal.sound);
      const columns = signal.spectrum && signal.spectrum.kept > 0 ? await columnsOf(context.blocks, signal.spectrum) : [];
      parts.push(new SoundView(host, context, { signal, sound: signal.sound, samples, columns }));
    }
    return { destroy: () => parts.forEach((part) => part.destroy()) };
  },
};

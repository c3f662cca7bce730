// SPDX-License-Identifier: Apache-2.0
// What the colours mean: a bar with ticks and unit, or one mark with a word for each status.

import { axisName, axisNumbers, axisPower } from "../axes";
import { element } from "../dom";
import { traceDot } from "./canvas";
import { type ColourTable, colourTable, cssColour, tableColour } from "./colours";
import { ticksOf } from "./number";
import type { Scene } from "./scene";

export const statusWords = ["apart", "sticks", "slips"];

export class Legend {
  readonly element = element("div", { class: "player-legend" });
  private shown = "";

  /** Follows the scene; nothing is made anew while it means the same. */
  update(scene: Scene): void {
    const { scale, range, choice, coloured } = scene;
    const key = [scale, range.low, range.high, choice.label, coloured].join(" ");
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = scale === "bodies";
    if (scale === "bodies") this.element.replaceChildren();
    else if (scale === "status") this.element.replaceChildren(...statusMarks(scene));
    else this.element.replaceChildren(...bar(scene));
  }
}

function bar(scene: Scene): HTMLElement[] {
  const { low, high } = scene.range;
  const power = axisPower(low, high);
  const title = element("div", { class: "legend-title" }, axisName(scene.choice.label, scene.choice.field?.unit ?? "", power));
  const labels = element("div", { class: "legend-ticks" });
  for (const [value, text] of legendTicks(low, high, power)) {
    const label = element("span", {}, text);
    label.style.left = `${(100 * (value - low)) / (high - low)}%`;
    labels.append(label);
  }
  return [title, gradient(scene), labels];
}

/** Both ends as they are, and round numbers between them where there is room. */
export function legendTicks(low: number, high: number, power: number): [number, string][] {
  const round = ticksOf(low, high, 4);
  const step = round.length > 1 ? round[1] - round[0] : high - low;
  const numbers = axisNumbers(round, step, power);
  const inner = round.map((tick, k): [number, string] => [tick, numbers[k]]);
  const apart = 0.13 * (high - low);
  const end = (value: number): [number, string] => [value, String(Number((value / 10 ** power).toPrecision(3)))];
  return [end(low), ...inner.filter(([tick]) => tick - low > apart && high - tick > apart), end(high)];
}

function gradient(scene: Scene): HTMLCanvasElement {
  const canvas = element("canvas", { width: 256, height: 1, class: "legend-bar", "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  pen?.putImageData(new ImageData(new Uint8ClampedArray(scene.table), 256, 1), 0, 0);
  return canvas;
}

function statusMarks(scene: Scene): HTMLElement[] {
  const title = element("div", { class: "legend-title" }, scene.choice.label);
  return [title, element("div", { class: "legend-marks" }, ...marksOf(scene, scene.table))];
}

const marksOf = (scene: Scene, table: ColourTable): HTMLElement[] =>
  statusWords.map((word, k) => element("span", { class: "legend-mark" }, dot(scene, table, k), word));

/** What the marks of contacts mean, in the colours of now, and how many there are of each. */
export function updateMarks(host: HTMLElement, scene: Scene, counts: number[]): void {
  if (host.dataset.coloured !== String(scene.coloured)) {
    host.dataset.coloured = String(scene.coloured);
    const marks = marksOf(scene, colourTable("status", scene.colours, 0));
    for (const mark of marks) mark.append(element("output", {}));
    host.replaceChildren("Contacts: ", ...marks);
  }
  host.querySelectorAll("output").forEach((number, k) => (number.textContent = String(counts[k])));
}

function dot(scene: Scene, table: ColourTable, status: number): HTMLCanvasElement {
  const canvas = element("canvas", { width: 32, height: 32, class: "legend-dot", "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  pen.scale(2, 2);
  pen.fillStyle = cssColour(tableColour(table, status));
  pen.strokeStyle = cssColour(scene.palette.line);
  pen.beginPath();
  traceDot(pen, 8, 8, status);
  pen.fill();
  pen.stroke();
  return canvas;
}

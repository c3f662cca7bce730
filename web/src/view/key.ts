// SPDX-License-Identifier: Apache-2.0
// The strip under the picture: directions, a length, and a force, each to scale.

import { element } from "../dom";
import { formatQuantity } from "../format";
import type { Theme } from "../theme";
import type { Camera } from "./camera";
import { cssColour } from "./colours";
import { roundBelow } from "./number";
import type { Scene } from "./scene";

const height = 56;
const longest = 90;

export class Key {
  readonly canvas = element("canvas", { class: "player-key", role: "img" });
  private shown = "";

  draw(scene: Scene, camera: Camera, theme: Theme, unit: string, ratio: number): void {
    const shown = [camera.version, ratio, scene.showForces, scene.magnification, theme.dark].join(" ");
    if (shown === this.shown) return;
    this.shown = shown;
    this.canvas.width = Math.round(camera.width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    pen.font = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
    pen.strokeStyle = pen.fillStyle = theme.colours.text;
    pen.lineWidth = 1.5;
    const labels = [lengthBar(pen, 84, camera, unit)];
    directions(pen, scene, camera);
    if (scene.showForces && scene.largestForce > 0) labels.push(forceArrow(pen, 84 + longest + 50, scene, camera));
    this.canvas.setAttribute("aria-label", labels.join("; "));
  }
}

/** The axes as they lie in the picture. */
function directions(pen: CanvasRenderingContext2D, scene: Scene, camera: Camera): void {
  const names = ["x", "y", "z"].slice(0, scene.dimension);
  const origin = scene.dimension === 3 ? [38, 32] : [20, 44];
  const length = scene.dimension === 3 ? 20 : 24;
  names.forEach((name, k) => {
    const [dx, dy] = [length * camera.right[k], -length * camera.up[k]];
    const way = Math.hypot(dx, dy);
    if (way < 2) return;
    const tip = [origin[0] + dx, origin[1] + dy];
    arrow(pen, origin[0], origin[1], tip[0], tip[1]);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(name, tip[0] + (9 * dx) / way, tip[1] + (8 * dy) / way);
  });
}

function lengthBar(pen: CanvasRenderingContext2D, left: number, camera: Camera, unit: string): string {
  const length = roundBelow(longest * camera.pixel);
  const pixels = length / camera.pixel;
  const text = formatQuantity(length, unit);
  pen.beginPath();
  pen.moveTo(left, 34);
  pen.lineTo(left, 42);
  pen.moveTo(left, 38);
  pen.lineTo(left + pixels, 38);
  pen.moveTo(left + pixels, 34);
  pen.lineTo(left + pixels, 42);
  pen.stroke();
  label(pen, text, left);
  return `the bar is ${text} long`;
}

function forceArrow(pen: CanvasRenderingContext2D, left: number, scene: Scene, camera: Camera): string {
  const perUnit = scene.forcePixels(camera);
  const force = roundBelow(longest / perUnit);
  const text = formatQuantity(force, scene.forceUnit);
  const ink = pen.fillStyle;
  pen.strokeStyle = pen.fillStyle = cssColour(scene.palette.arrow);
  arrow(pen, left, 38, left + force * perUnit, 38);
  pen.fillStyle = pen.strokeStyle = ink;
  label(pen, `force ${text}`, left);
  return `the arrow is a contact force of ${text}`;
}

function label(pen: CanvasRenderingContext2D, text: string, left: number): void {
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.fillText(text, left, 26);
}

function arrow(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(8, 0.6 * length);
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1 - head * ux, y1 - head * uy);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x1 - head * ux - 0.45 * head * uy, y1 - head * uy + 0.45 * head * ux);
  pen.lineTo(x1 - head * ux + 0.45 * head * uy, y1 - head * uy - 0.45 * head * ux);
  pen.fill();
}

// SPDX-License-Identifier: Apache-2.0
// Small pictures that the status map is put together from.

import { element } from "../dom";

/** One pixel for each frame and row, painted by its status. */
export function cells(
  frames: number,
  rows: number,
  paint: (status: number) => number[],
  statusOf: (frame: number, row: number) => number,
): HTMLCanvasElement {
  const canvas = element("canvas", { width: frames, height: rows });
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  const image = pen.createImageData(frames, rows);
  const paints = [0, 1, 2].map(paint);
  for (let row = 0; row < rows; row++)
    for (let frame = 0; frame < frames; frame++)
      image.data.set(paints[statusOf(frame, row)] ?? [0, 0, 0, 0], 4 * (row * frames + frame));
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** Thin slanted lines, some CSS pixels apart. */
export function stripes(pen: CanvasRenderingContext2D, colour: string, ratio: number): CanvasPattern | string {
  const size = Math.max(4, Math.round(6 * ratio));
  const tile = element("canvas", { width: size, height: size });
  const brush = tile.getContext("2d");
  if (!brush) return colour;
  brush.strokeStyle = colour;
  brush.lineWidth = ratio;
  brush.globalAlpha = 0.75;
  for (const shift of [-size, 0, size]) {
    brush.moveTo(shift, size);
    brush.lineTo(shift + size, 0);
  }
  brush.stroke();
  return pen.createPattern(tile, "repeat") ?? colour;
}

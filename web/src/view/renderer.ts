// SPDX-License-Identifier: Apache-2.0
// The two ways to draw a scene behind one interface.

import type { Camera } from "./camera";
import { CanvasRenderer } from "./canvas";
import type { Scene } from "./scene";
import { WebglRenderer } from "./webgl";

export interface Renderer {
  readonly kind: "webgl" | "canvas";
  readonly canvas: HTMLCanvasElement;
  /** Size in CSS pixels, and device pixels of each. */
  resize(width: number, height: number, ratio: number): void;
  draw(scene: Scene, camera: Camera): void;
  dispose(): void;
}

/** By WebGL where the browser has it and the address does not end with #canvas. */
export function createRenderer(dimension: number, withoutWebgl = location.hash === "#canvas"): Renderer {
  if (withoutWebgl) return new CanvasRenderer(document.createElement("canvas"));
  // Asked for here, since three would write an error to the console where there is none.
  const canvas = document.createElement("canvas");
  const antialias = devicePixelRatio < 2;
  const context = canvas.getContext("webgl2", { alpha: false, antialias, preserveDrawingBuffer: true });
  if (!context) return new CanvasRenderer(document.createElement("canvas"));
  return new WebglRenderer(canvas, context, dimension);
}

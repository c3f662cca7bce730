// SPDX-License-Identifier: Apache-2.0
// The picture: a renderer that fills its frame, the camera, and drawing only when something has changed.

import { element } from "../dom";
import { Camera, type Vector } from "./camera";
import { Gestures } from "./gestures";
import { type Renderer, createRenderer } from "./renderer";
import type { Scene } from "./scene";

export interface StageListener {
  /** Before a picture is drawn: the moment to bring the scene up to date. */
  prepare(): void;
  /** After it; how long both took in milliseconds. */
  drawn(milliseconds: number): void;
  over(place: [number, number] | null): void;
}

export class Stage {
  readonly element = element("div", { class: "player-stage" });
  readonly camera: Camera;
  renderer: Renderer;
  following: boolean;
  ratio = 1;
  private readonly resizing = new ResizeObserver(() => this.resize());
  private readonly paper = matchMedia("print");
  private readonly ending = new AbortController();
  private gestures: Gestures | null = null;
  private printing = matchMedia("print").matches;
  private copy: HTMLCanvasElement | null = null;
  private request = 0;
  /** Of the bodies, when the camera was last moved with them. */
  private middle: Vector = [0, 0, 0];
  private spread = 1;
  private width = 0;
  private height = 0;

  constructor(
    private readonly scene: Scene,
    private readonly listener: StageListener,
  ) {
    this.camera = new Camera(scene.dimension);
    this.renderer = createRenderer(scene.dimension);
    this.following = scene.travels;
    const { signal } = this.ending;
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
    this.paper.addEventListener("change", () => this.print(this.paper.matches), { signal });
    this.attach();
  }

  /** Draws the first picture, and from then on follows its size: the element must be on the page. */
  start(): void {
    this.resize();
    this.resizing.observe(this.element);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.canvas;
  }

  /** Draws with the next picture of the browser. */
  ask(): void {
    this.request ||= requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
    if (this.width === 0) return;
    const start = performance.now();
    this.listener.prepare();
    if (this.following) this.goAfter();
    this.renderer.draw(this.scene, this.camera);
    this.listener.drawn(performance.now() - start);
  }

  reset(): void {
    this.fit();
    this.ask();
  }

  /** Keeps the bodies in the middle, or stands still and shows their whole way. */
  setFollowing(on: boolean): void {
    this.following = on;
    this.reset();
  }

  destroy(): void {
    cancelAnimationFrame(this.request);
    this.ending.abort();
    this.resizing.disconnect();
    this.gestures?.dispose();
    this.renderer.dispose();
  }

  private fit(): void {
    this.camera.fit(this.following ? this.scene.closeBounds() : this.scene.bounds());
    this.middle = this.scene.centre();
    this.spread = this.scene.spread();
  }

  /** Moves the eye as the bodies have moved since the last picture, and away from those that spread. */
  private goAfter(): void {
    const centre = this.scene.centre();
    if (this.middle.some((x, k) => x !== centre[k])) this.camera.shift(centre.map((x, k) => x - this.middle[k]));
    this.middle = centre;
    const spread = this.scene.spread();
    if (spread !== this.spread) this.camera.zoom(this.spread / spread);
    this.spread = spread;
  }

  /** As high as what is shown asks for, within reason. */
  private wantedHeight(width: number): number {
    const { low, high } = this.following ? this.scene.closeBounds() : this.scene.bounds();
    const along = (axis: number[]): number => axis.reduce((sum, a, k) => sum + Math.abs(a) * (high[k] - low[k]), 0);
    const aspect = along(this.camera.up) / (along(this.camera.right) || 1);
    const most = Math.min(620, Math.max(320, 0.62 * innerHeight));
    const least = this.scene.dimension === 1 ? 150 : Math.min(240, 0.55 * width);
    return Math.round(Math.min(most, Math.max(least, 1.1 * aspect * width)));
  }

  private resize(): void {
    const width = Math.floor(this.element.clientWidth);
    if (width === 0) return;
    const first = this.width === 0;
    if (width !== this.width) this.element.style.height = `${this.wantedHeight(width)}px`;
    const height = this.element.clientHeight;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.camera.resize(width, height);
    if (first) this.fit();
    this.sharpen();
  }

  /** Device pixels of a CSS pixel: paper has more dots than a screen. */
  private sharpen(): void {
    this.ratio = Math.min(2, devicePixelRatio) * (this.printing ? 2 : 1);
    this.renderer.resize(this.width, this.height, this.ratio);
    // At once: a canvas that has changed its size is empty until it is drawn.
    this.draw();
  }

  private print(on: boolean): void {
    this.printing = on;
    this.resize();
    if (this.width > 0) this.sharpen();
    this.copy?.remove();
    this.copy = on ? this.copied() : null;
    if (this.copy) this.element.append(this.copy);
  }

  /** The picture on a plain canvas: browsers may print one of WebGL black. */
  private copied(): HTMLCanvasElement {
    const { width, height } = this.canvas;
    const copy = element("canvas", { class: "print-copy", width, height, "aria-hidden": "true" });
    if (width > 0 && height > 0) copy.getContext("2d")?.drawImage(this.canvas, 0, 0);
    return copy;
  }

  private attach(): void {
    const { canvas } = this;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.addEventListener("webglcontextlost", () => this.doWithoutWebgl(), { signal: this.ending.signal });
    this.element.replaceChildren(canvas);
    this.gestures?.dispose();
    this.gestures = new Gestures(canvas, this.camera, {
      moved: () => this.ask(),
      over: (place) => this.listener.over(place),
      reset: () => this.reset(),
    });
  }

  /** The graphics processor can be taken away at any time. */
  private doWithoutWebgl(): void {
    this.renderer = createRenderer(this.scene.dimension, true);
    this.attach();
    this.sharpen();
  }
}

// SPDX-License-Identifier: Apache-2.0
// A picture in which a mode oscillates: play and pause, and how far it swings.

import { button, element } from "../dom";
import { formatNumber } from "../format";
import type { PanelContext } from "../panel";
import { followPrint } from "../paper";
import type { ModeShape } from "../report";
import { Frames } from "./frames";
import { Legend } from "./legend";
import { Oscillation, Reach, loadShape, phases } from "./oscillation";
import { Scene } from "./scene";
import { Stage } from "./stage";

/** Seconds of one oscillation on the page. */
const period = 2;
const firstAmplitude = 0.06;

interface Picture {
  oscillation: Oscillation;
  scene: Scene;
  stage: Stage;
}

export class ShapeView {
  readonly element: HTMLElement;
  private readonly caption = element("figcaption", {}, "Mode shape");
  private readonly words = element("p", { class: "hint" });
  private readonly room = element("div", { class: "shape-picture" });
  private readonly legend = new Legend();
  private readonly toggle = button("", () => (this.playing ? this.pause() : this.play()), { class: "shape-play" });
  private readonly slider = element(
    "input",
    { type: "range", min: 0.5, max: 20, step: 0.5, value: 100 * firstAmplitude, "aria-label": "Amplitude in per cent of the size" },
  );
  private readonly percent = element("output", {});
  private readonly controls: HTMLElement;
  private readonly ends: (() => void)[] = [];
  private picture: Picture | null = null;
  private shape: ModeShape | null = null;
  private turn = 0;
  private request = 0;
  private last = 0;
  private phase = 0;

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
  ) {
    const amplitude = element("label", { class: "magnification" }, "Amplitude ", this.slider, this.percent);
    const reset = button("Reset view", () => this.picture?.stage.reset());
    this.controls = element(
      "div",
      { class: "player-controls shape-controls" },
      element("div", { class: "row" }, this.toggle, amplitude, reset),
    );
    this.element = element("figure", { class: "shape" }, this.caption, this.room, this.legend.element, this.controls, this.words);
    host.append(this.element);
    this.slider.addEventListener("input", () => this.swing());
    this.ends.push(context.theme.follow(() => this.repaint()), followPrint(() => this.pause()));
    this.showState();
    this.hide("");
  }

  get playing(): boolean {
    return this.request !== 0;
  }

  destroy(): void {
    this.turn++;
    cancelAnimationFrame(this.request);
    for (const end of this.ends) end();
    this.picture?.stage.destroy();
  }

  /** Shows a shape, or says why there is none. */
  async show(shape: ModeShape | null, title: string, words: string): Promise<void> {
    this.caption.textContent = title;
    if (!shape) return this.hide(words);
    this.words.textContent = words;
    if (shape === this.shape) return;
    const turn = ++this.turn;
    this.shape = shape;
    const loaded = await loadShape(this.context.blocks, shape);
    if (turn !== this.turn) return;
    this.room.hidden = this.controls.hidden = this.legend.element.hidden = false;
    if (!this.picture) await this.build(new Oscillation(shape.nodes, this.context.run.animation!.dimension, loaded), turn);
    const { picture } = this;
    if (turn !== this.turn || !picture) return;
    picture.oscillation.shape = loaded;
    this.swing();
    picture.scene.measure();
    picture.stage.reset();
    this.element.dataset.shape = `${shape.status}:${shape.mode}`;
  }

  play(): void {
    if (this.playing || !this.picture || !this.shape) return;
    this.last = performance.now();
    this.request = requestAnimationFrame((now) => this.advance(now));
    this.showState();
  }

  pause(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.showState();
  }

  private hide(words: string): void {
    this.turn++;
    this.pause();
    this.shape = null;
    delete this.element.dataset.shape;
    this.words.textContent = words;
    this.room.hidden = this.controls.hidden = this.legend.element.hidden = true;
  }

  private async build(oscillation: Oscillation, turn: number): Promise<void> {
    const { context } = this;
    const frames = await Frames.load(context.run.animation!, context.blocks);
    const reach = new Reach(oscillation);
    const scene = await Scene.load(frames.moved([oscillation, reach], phases, frames.at(context.clock.time)), context.theme);
    await scene.setChoice({ field: reach.field, component: 0, label: reach.field.label });
    if (turn !== this.turn || this.picture) return;
    scene.showRest = true;
    const stage = new Stage(scene, { prepare: () => {}, drawn: () => this.drawn(), over: () => {} });
    this.picture = { oscillation, scene, stage };
    this.swing();
    scene.measure();
    this.room.append(stage.element);
    stage.start();
  }

  private swing(): void {
    const { picture } = this;
    const percent = Number(this.slider.value);
    this.percent.textContent = `${formatNumber(percent)} % of the size`;
    if (!picture) return;
    picture.oscillation.amplitude = (percent / 100) * picture.scene.mesh.size;
    picture.scene.setFrame(picture.scene.frame);
    picture.stage.ask();
  }

  private advance(now: number): void {
    this.phase = (this.phase + (now - this.last) / 1000 / period) % 1;
    this.last = now;
    const { picture } = this;
    const frame = Math.floor(this.phase * phases);
    if (picture && frame !== picture.scene.frame) {
      picture.scene.setFrame(frame);
      picture.stage.draw();
    }
    this.request = requestAnimationFrame((later) => this.advance(later));
  }

  private drawn(): void {
    const { picture } = this;
    if (!picture) return;
    this.legend.update(picture.scene);
    this.element.dataset.phase = String(picture.scene.frame);
    picture.stage.canvas.setAttribute("aria-label", `${this.caption.textContent}, phase ${picture.scene.frame} of ${phases}`);
  }

  private repaint(): void {
    this.picture?.scene.recolour();
    this.picture?.stage.draw();
  }

  private showState(): void {
    this.toggle.textContent = this.playing ? "Pause" : "Play";
    this.toggle.setAttribute("aria-label", this.playing ? "Pause the mode" : "Play the mode");
    this.element.setAttribute("data-playing", String(this.playing));
  }
}

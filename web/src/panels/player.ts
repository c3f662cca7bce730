// SPDX-License-Identifier: Apache-2.0
// The moving picture. It shows frames that were computed and nothing between them.

import { element, table } from "../dom";
import { formatQuantity, formatTime } from "../format";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import type { Animation } from "../report";
import { type Choice, choicesOf, firstChoice } from "../view/choices";
import { Controls } from "../view/controls";
import { extremesOf } from "../view/extremes";
import { Frames } from "../view/frames";
import { Key } from "../view/key";
import { Legend } from "../view/legend";
import { describe, nodeAt } from "../view/probe";
import { Scene } from "../view/scene";
import { Stage } from "../view/stage";

const hint = "Drag, pinch or use the wheel to move the picture; point at a node to read it.";

class Player implements MountedPanel {
  private readonly stage: Stage;
  private readonly controls: Controls;
  private readonly legend = new Legend();
  private readonly key = new Key();
  private readonly frameText = element("p", { class: "player-frame" });
  private readonly spoken = element("p", { class: "player-spoken", "aria-live": "polite" });
  private readonly probeText = element("p", { class: "player-probe" }, hint);
  private readonly note = element("p", { class: "player-note" });
  private readonly details = element("details", { class: "player-numbers" }, element("summary", {}, "This frame in numbers"));
  private readonly ring = element("div", { class: "player-ring", hidden: true });
  private readonly ends: (() => void)[] = [];
  private readonly durations: number[] = [];
  private pointed: [number, number] | null = null;
  private speaking = 0;
  private tabled = -1;

  constructor(
    private readonly host: HTMLElement,
    private readonly context: PanelContext,
    private readonly scene: Scene,
    choices: Choice[],
    chosen: number,
  ) {
    this.stage = new Stage(scene, {
      prepare: () => this.prepare(),
      drawn: (milliseconds) => this.drawn(milliseconds),
      over: (place) => this.point(place),
    });
    this.controls = new Controls(scene, this.stage, choices, chosen, (choice) => void this.choose(choice));
    this.controls.recolour();
    this.details.addEventListener("toggle", () => void this.showNumbers());
    const picture = element("div", { class: "player-picture" }, this.stage.element, this.ring);
    const under = element("div", { class: "player-under" }, this.legend.element, this.key.canvas);
    host.append(this.frameText, picture, under, this.probeText, this.note, this.controls.element, this.details, this.spoken);
    this.ends.push(context.clock.follow((time) => this.follow(time)));
    this.ends.push(context.theme.follow(() => this.repaint()));
    this.stage.start();
  }

  destroy(): void {
    for (const end of this.ends) end();
    clearTimeout(this.speaking);
    this.stage.destroy();
  }

  private get animation(): Animation {
    return this.scene.frames.animation;
  }

  private async choose(choice: Choice): Promise<void> {
    await this.scene.setChoice(choice);
    this.controls.recolour();
    this.stage.ask();
  }

  // At once and not with the next picture: a page that is being printed waits for none.
  private repaint(): void {
    this.scene.recolour();
    this.controls.recolour();
    this.stage.draw();
  }

  /** Many moments belong to the same frame: it is drawn once. */
  private follow(time: number): void {
    if (this.scene.frames.at(time) !== this.scene.frame) this.stage.ask();
  }

  private prepare(): void {
    const frame = this.scene.frames.at(this.context.clock.time);
    if (frame !== this.scene.frame) this.scene.setFrame(frame);
  }

  private drawn(milliseconds: number): void {
    const { host, scene, stage } = this;
    const unit = this.context.run.summary?.units?.length ?? this.animation.fields[0].unit;
    this.legend.update(scene);
    this.key.draw(scene, stage.camera, this.context.theme, unit, stage.ratio);
    this.durations.push(milliseconds);
    if (this.durations.length > 60) this.durations.shift();
    const sorted = [...this.durations].sort((a, b) => a - b);
    host.dataset.frameTime = sorted[sorted.length >> 1].toFixed(2);
    host.dataset.renderer = stage.renderer.kind;
    const note = stage.renderer.kind === "canvas" ? "drawn without WebGL" : "";
    if (this.note.textContent !== note) this.note.textContent = note;
    this.probe();
    this.tell();
  }

  /** Says which frame is shown, in all the ways that one can be told. */
  private tell(): void {
    const { frame } = this.scene;
    const { times } = this.scene.frames;
    const { frames, allFrames, bodies } = this.animation;
    const unit = this.context.run.summary?.units?.time ?? "";
    const time = formatTime(times[frame], times[times.length - 1] - times[0]);
    const kept = allFrames > frames ? ` (${frames} of ${allFrames} frames are in this page)` : "";
    const text = `frame ${frame + 1} of ${frames}, t = ${time} ${unit}`.trim();
    this.host.dataset.frame = String(frame + 1);
    this.frameText.textContent = text + kept;
    const names = bodies.map((body) => body.name).join(", ");
    this.stage.canvas.setAttribute("aria-label", `Deformed shape of ${names}, ${text}, ${this.colourText()}`);
    // Read aloud, and put into numbers, once it stands still.
    clearTimeout(this.speaking);
    this.speaking = window.setTimeout(() => this.settle(text), 400);
  }

  private colourText(): string {
    const { choice, range } = this.scene;
    if (!choice.field) return "in plain colours";
    if (choice.field.name === "status") return `coloured by ${choice.label}`;
    const [low, high] = [range.low, range.high].map((value) => formatQuantity(value, choice.field?.unit ?? ""));
    return `coloured by ${choice.label} from ${low} to ${high}`;
  }

  private settle(text: string): void {
    if (this.spoken.textContent !== text) this.spoken.textContent = text;
    void this.showNumbers();
  }

  private async showNumbers(): Promise<void> {
    const { frame } = this.scene;
    if (!this.details.open || this.tabled === frame) return;
    this.tabled = frame;
    const rows = await extremesOf(this.scene);
    if (this.tabled !== frame) return;
    this.details.replaceChildren(this.details.firstElementChild!, table(["what", "value", "where"], rows));
  }

  private point(place: [number, number] | null): void {
    this.pointed = place;
    this.probe();
  }

  /** The node under the pointer; it may be another one when the frame has changed. */
  private probe(): void {
    const node = this.pointed ? nodeAt(this.scene, this.stage.camera, this.pointed) : -1;
    this.ring.hidden = node < 0;
    const text = node < 0 ? hint : describe(this.scene, node);
    if (this.probeText.textContent !== text) this.probeText.textContent = text;
    if (node < 0) return;
    const at: [number, number, number] = [0, 0, 0];
    this.scene.anchor(node, at);
    const [x, y] = this.stage.camera.project(at);
    this.ring.style.transform = `translate(${x}px, ${y}px)`;
  }
}

export const player: Panel = {
  id: "player",
  title: "Motion",
  applies: ({ run }) => (run.animation?.frames ?? 0) > 0 && (run.animation?.nodes ?? 0) > 0,
  async mount(host, context) {
    const animation = context.run.animation!;
    const scene = await Scene.load(await Frames.load(animation, context.blocks), context.theme);
    const choices = choicesOf(animation);
    const chosen = firstChoice(choices);
    await scene.setChoice(choices[chosen]);
    return new Player(host, context, scene, choices, chosen);
  },
};

// SPDX-License-Identifier: Apache-2.0
// The moving picture. It shows frames that were computed and nothing between them.

import { element, table } from "../dom";
import { formatNumber, formatQuantity, formatTime } from "../format";
import { timeUnitOf } from "../gears";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import type { Animation } from "../report";
import { bodyAt, contactAt, describeBody, describeContact } from "../view/body_probe";
import { type Choice, choicesOf, firstChoice } from "../view/choices";
import { Controls } from "../view/controls";
import { bodiesTable, contactsTable, extremesOf } from "../view/extremes";
import { Frames } from "../view/frames";
import { Key } from "../view/key";
import { Legend, updateMarks } from "../view/legend";
import { describe, nodeAt } from "../view/probe";
import { Scene } from "../view/scene";
import { Stage } from "../view/stage";

const hintFor = (what: string): string => `Drag, pinch or use the wheel to move the picture; point at ${what} to read it.`;
/** Bodies that are named one by one. */
const named = 12;

class Player implements MountedPanel {
  private readonly stage: Stage;
  private readonly controls: Controls;
  private readonly legend = new Legend();
  private readonly key = new Key();
  private readonly frameText = element("p", { class: "player-frame" });
  private readonly spoken = element("p", { class: "player-spoken", "aria-live": "polite" });
  private readonly probeText = element("p", { class: "player-probe" });
  private readonly hint: string;
  private readonly note = element("p", { class: "player-note" });
  /** What marks of contacts mean, and how many there are. */
  private readonly marks = element("div", { class: "legend-marks player-contacts" });
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
    this.hint = hintFor(scene.allRigid ? "a body or a contact" : scene.touching ? "a node, a body or a contact" : "a node");
    this.probeText.textContent = this.hint;
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
    if (scene.touching) under.prepend(this.marks);
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
    const unit = timeUnitOf(this.context.run);
    const time = formatTime(times[frame], times[times.length - 1] - times[0]);
    const { magnification } = this.scene;
    const scaled = magnification === 1 ? "" : `, displacements \u00d7 ${formatNumber(magnification, 2)}`;
    const kept = allFrames > frames ? ` (${frames} of ${allFrames} frames are in this page)` : "";
    const text = `frame ${frame + 1} of ${frames}, t = ${time} ${unit}`.trim();
    this.host.dataset.frame = String(frame + 1);
    this.frameText.textContent = text + scaled + kept;
    const names = bodies.length > named ? `${bodies.length} bodies` : bodies.map((body) => body.name).join(", ");
    const contacts = this.tellContacts();
    this.stage.canvas.setAttribute("aria-label", `${this.scene.allRigid ? "Motion" : "Deformed shape"} of ${names}, ${text}, ${this.colourText()}${contacts}`);
    // Read aloud, and put into numbers, once it stands still.
    clearTimeout(this.speaking);
    this.speaking = window.setTimeout(() => this.settle(text), 400);
  }

  /** How many contacts are shown, by status; also for tests. */
  private tellContacts(): string {
    const { touching } = this.scene;
    if (!touching) return "";
    const counts = touching.contacts.counts(this.scene.frame);
    this.host.dataset.contacts = counts.join(" ");
    updateMarks(this.marks, this.scene, counts);
    return `, contacts: ${counts.map((count, k) => `${count} ${["apart", "sticking", "slipping"][k]}`).join(", ")}`;
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
    const tables = [bodiesTable(this.scene), contactsTable(this.scene)].filter((made) => made !== null);
    this.details.replaceChildren(this.details.firstElementChild!, table(["what", "value", "where"], rows), ...tables);
  }

  private point(place: [number, number] | null): void {
    this.pointed = place;
    this.probe();
  }

  /** What is under the pointer; it may be something else when the frame has changed. */
  private probe(): void {
    const { at, text } = this.found();
    this.ring.hidden = at === null;
    if (this.probeText.textContent !== text) this.probeText.textContent = text;
    if (!at) return;
    const [x, y] = this.stage.camera.project(at);
    this.ring.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** A contact before a rigid body before a node; where it is, for the ring. */
  private found(): { at: ArrayLike<number> | null; text: string } {
    const { scene, stage, pointed } = this;
    const nothing = { at: null, text: this.hint };
    if (!pointed) return nothing;
    const contact = contactAt(scene, stage.camera, pointed);
    if (contact) return { at: contact.place, text: describeContact(scene, contact) };
    const body = scene.touching ? bodyAt(scene, stage.camera, pointed) : -1;
    if (body >= 0) return { at: scene.frames.poses!.centre(scene.frame, this.animation.bodies[body].rigid!), text: describeBody(scene, body) };
    const node = scene.allRigid ? -1 : nodeAt(scene, stage.camera, pointed);
    if (node < 0) return nothing;
    const at: [number, number, number] = [0, 0, 0];
    scene.anchor(node, at);
    return { at, text: describe(scene, node) };
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
    const chosen = firstChoice(choices, scene.allRigid);
    await scene.setChoice(choices[chosen]);
    // Deformations that are too small to be seen are drawn larger; the controls say by how much.
    if (!animation.rigid) scene.setMagnification(scene.automaticMagnification());
    return new Player(host, context, scene, choices, chosen);
  },
};

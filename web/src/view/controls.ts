// SPDX-License-Identifier: Apache-2.0
// The controls under the picture.

import { button, checkbox, choice, element } from "../dom";
import { formatNumber } from "../format";
import type { Choice } from "./choices";
import { bodyColour, cssColour } from "./colours";
import type { Scene } from "./scene";
import type { Stage } from "./stage";
import type { Touching } from "./touching";

/** Looks in space, in degrees: azimuth and elevation of the eye. */
const views: [string, string, number, number][] = [
  ["Corner", "View from a corner", -60, 25],
  ["+x", "View from +x", 0, 0],
  ["\u2212y", "View from \u2212y", -90, 0],
  ["+z", "View from +z", -90, 90],
];

export class Controls {
  readonly element: HTMLElement;
  private readonly slider = element("input", {
    type: "range", min: -1, max: 3, step: 0.01, "aria-label": "Displacements drawn larger, times",
  });
  private readonly times = element("output", {});
  private readonly swatches: { swatch: HTMLElement; body: number }[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly stage: Stage,
    choices: Choice[],
    chosen: number,
    private readonly choose: (choice: Choice) => void,
  ) {
    this.slider.addEventListener("input", () => this.magnify(10 ** Number(this.slider.value), false));
    const parts = [this.colours(choices, chosen), this.switches(), this.view()];
    // Rigid bodies would not keep their shape.
    if (!scene.allRigid) parts.splice(2, 0, this.magnification());
    if (scene.frames.animation.bodies.length > 1) parts.push(this.bodies());
    this.element = element("div", { class: "player-controls" }, ...parts);
    this.showMagnification();
  }

  /** Bodies are named beside their colour where nothing else colours them. */
  recolour(): void {
    const { palette, scale } = this.scene;
    this.swatches.forEach(({ swatch, body }) => {
      swatch.style.backgroundColor = cssColour(bodyColour(body, this.scene.colours));
      swatch.style.borderColor = cssColour(palette.line);
      swatch.hidden = scale !== "bodies";
    });
  }

  private colours(choices: Choice[], chosen: number): HTMLElement {
    const field = choice("Colour", choices.map((c) => c.label), chosen, (k) => this.choose(choices[k]));
    // Frames that are not on the page may have had larger values.
    const { frames, allFrames } = this.scene.frames.animation;
    const all = allFrames > frames ? "frames of this page" : "all frames";
    const range = choice("Range", [all, "this frame"], 0, (k) => {
      this.scene.setRangeOfFrame(k === 1);
      this.stage.ask();
    });
    return element("div", { class: "row" }, field, range);
  }

  private switches(): HTMLElement {
    const turn = (label: string, key: "showEdges" | "showRest" | "showForces" | "showJoints"): HTMLElement =>
      checkbox(label, this.scene[key], (on) => {
        this.scene[key] = on;
        this.stage.ask();
      });
    const mesh = turn("Mesh", "showEdges");
    mesh.title = "Edges of elements; they fade where elements are only a few pixels large";
    const row = element("div", { class: "row" }, ...(this.scene.allRigid ? [] : [mesh]), turn("Shape at rest", "showRest"));
    if (this.scene.touching) row.append(...this.contactSwitches(this.scene.touching));
    if (this.scene.forces || this.scene.touching) row.append(turn("Contact forces", "showForces"));
    if (this.scene.frames.animation.joints.length) row.append(turn("Joints", "showJoints"));
    row.append(checkbox("Follow bodies", this.stage.following, (on) => this.stage.setFollowing(on)));
    return row;
  }

  private contactSwitches(touching: Touching): HTMLElement[] {
    const turn = (label: string, title: string, on: boolean, change: (on: boolean) => void): HTMLElement => {
      const box = checkbox(label, on, (now) => {
        change(now);
        this.stage.ask();
      });
      box.title = title;
      return box;
    };
    const boxes = [
      turn("Contacts", "Points of contact: a ring where apart, a square where sticking, a diamond where slipping", touching.showPoints, (on) => (touching.showPoints = on)),
      turn("Force chains", "From mass centre to mass centre through the contact, the wider the larger the force", touching.showChains, (on) => (touching.showChains = on)),
    ];
    if (this.scene.dimension === 3)
      boxes.push(turn("See through", "Bodies let one see what is behind them", false, (on) => (this.scene.opacity = on ? 0.25 : 1)));
    return boxes;
  }

  private magnification(): HTMLElement {
    const label = element("label", { class: "magnification" }, "Displacements ", this.slider, this.times);
    const auto = button("Auto", () => this.magnify(this.scene.automaticMagnification(), true), {
      title: "Makes the largest displacement 5 % of the size where it is smaller",
    });
    const real = button("True", () => this.magnify(1, true), { title: "Displacements as they are" });
    return element("div", { class: "row" }, label, auto, real);
  }

  private magnify(times: number, fit: boolean): void {
    this.scene.setMagnification(Math.abs(times - 1) < 0.02 ? 1 : times);
    this.showMagnification();
    if (fit) this.stage.reset();
    else this.stage.ask();
  }

  private showMagnification(): void {
    const { magnification } = this.scene;
    this.slider.value = String(Math.log10(magnification));
    const text = magnification === 1 ? "\u00d7 1 (true)" : `\u00d7 ${formatNumber(magnification, 2)}`;
    this.times.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }

  private view(): HTMLElement {
    const zoom = (factor: number) => (): void => {
      this.stage.camera.zoom(factor);
      this.stage.ask();
    };
    const row = element(
      "div",
      { class: "row", role: "group", "aria-label": "View" },
      button("\u2212", zoom(0.8), { "aria-label": "Zoom out", title: "Zoom out (\u2212)" }),
      button("+", zoom(1.25), { "aria-label": "Zoom in", title: "Zoom in (+)" }),
      button("Reset view", () => this.stage.reset(), { title: "Show all (0)" }),
    );
    if (this.scene.dimension === 3)
      for (const [text, name, azimuth, elevation] of views)
        row.append(
          button(text, () => {
            this.stage.camera.look(azimuth, elevation);
            this.stage.reset();
          }, { "aria-label": name, title: name }),
        );
    return row;
  }

  private bodies(): HTMLElement {
    const list = element("fieldset", { class: "row bodies" }, element("legend", {}, "Bodies"));
    for (const { name, members } of groupsOf(this.scene.frames.animation.bodies)) {
      const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
      // Those of a group have many colours.
      if (members.length === 1) this.swatches.push({ swatch, body: members[0] });
      const box = checkbox(members.length === 1 ? name : `${name} (${members.length})`, true, (on) => {
        for (const body of members) this.scene.setShown(body, on);
        this.stage.ask();
      });
      if (members.length === 1) box.insertBefore(swatch, box.lastChild);
      list.append(box);
    }
    return list;
  }
}

type Named = { name: string; material?: string; rigid?: number };

/** More groups than this are no help. */
const mostGroups = 12;
const withoutIndices = (name: string): string => name.replace(/\[[^\]]*\]$/, "");
/** From the finest to the coarsest: by name without indices, by name without numbers at its end, by material, by kind. */
const groupings: ((body: Named) => string)[] = [
  ({ name }) => withoutIndices(name),
  ({ name }) => withoutIndices(name).replace(/[-_. \d]*\d$/, "") || name,
  ({ material }) => material ?? "",
  ({ rigid }) => (rigid === undefined ? "deformable bodies" : "rigid bodies"),
];

function grouped(bodies: Named[], key: (body: Named) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  bodies.forEach((body, k) => {
    const members = groups.get(key(body));
    if (members) members.push(k);
    else groups.set(key(body), [k]);
  });
  return groups;
}

/** Bodies one by one; where there are many, by the finest grouping that has few groups. */
export function groupsOf(bodies: Named[]): { name: string; members: number[] }[] {
  if (bodies.length <= mostGroups) return bodies.map(({ name }, k) => ({ name, members: [k] }));
  const all = groupings.map((key) => grouped(bodies, key));
  const groups = all.find(({ size }, k) => size <= mostGroups && (k !== 2 || bodies.every(({ material }) => material))) ?? all[all.length - 1];
  return [...groups].map(([name, members]) => ({ name: members.length === 1 ? bodies[members[0]].name : name, members }));
}

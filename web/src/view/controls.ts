// SPDX-License-Identifier: Apache-2.0
// The controls under the picture.

import { button, checkbox, choice, element } from "../dom";
import { formatNumber } from "../format";
import type { Choice } from "./choices";
import { bodyColour, cssColour } from "./colours";
import type { Scene } from "./scene";
import type { Stage } from "./stage";

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
  private readonly swatches: HTMLElement[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly stage: Stage,
    choices: Choice[],
    chosen: number,
    private readonly choose: (choice: Choice) => void,
  ) {
    this.slider.addEventListener("input", () => this.magnify(10 ** Number(this.slider.value), false));
    const parts = [this.colours(choices, chosen), this.switches(), this.magnification(), this.view()];
    if (scene.frames.animation.bodies.length > 1) parts.push(this.bodies());
    this.element = element("div", { class: "player-controls" }, ...parts);
    this.showMagnification();
  }

  /** Bodies are named beside their colour where nothing else colours them. */
  recolour(): void {
    const { palette, scale } = this.scene;
    this.swatches.forEach((swatch, k) => {
      swatch.style.backgroundColor = cssColour(bodyColour(k, this.scene.colours));
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
    const turn = (label: string, key: "showEdges" | "showRest" | "showForces"): HTMLElement =>
      checkbox(label, this.scene[key], (on) => {
        this.scene[key] = on;
        this.stage.ask();
      });
    const mesh = turn("Mesh", "showEdges");
    mesh.title = "Edges of elements; they fade where elements are only a few pixels large";
    const row = element("div", { class: "row" }, mesh, turn("Shape at rest", "showRest"));
    if (this.scene.forces) row.append(turn("Contact forces", "showForces"));
    row.append(checkbox("Follow bodies", this.stage.following, (on) => this.stage.setFollowing(on)));
    return row;
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
    this.scene.frames.animation.bodies.forEach((body, k) => {
      const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
      this.swatches.push(swatch);
      const box = checkbox(body.name, true, (on) => {
        this.scene.setShown(k, on);
        this.stage.ask();
      });
      box.insertBefore(swatch, box.lastChild);
      list.append(box);
    });
    return list;
  }
}

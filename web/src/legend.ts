// SPDX-License-Identifier: Apache-2.0
// Names of curves with their values at a time; a press hides a curve and brings it back.

import { element } from "./dom";
import type { Colours } from "./theme";

export interface Entry {
  label: string;
  colour: (colours: Colours) => string;
  dashed: boolean;
  filled: boolean;
}

export class Legend {
  readonly element: HTMLElement;
  private readonly values: HTMLElement[] = [];
  private readonly swatches: HTMLElement[] = [];
  private valueOf = (_: number): string => "";

  constructor(
    private readonly entries: Entry[],
    folded: boolean,
    private readonly toggle: (index: number, shown: boolean) => void,
  ) {
    const list = element("ul", { class: "legend" }, ...entries.map((entry, k) => this.item(entry, k)));
    this.element = folded
      ? element("details", { class: "legend-box" }, element("summary", {}, `${entries.length} curves`), list)
      : list;
    this.element.addEventListener("toggle", () => this.tell(this.valueOf));
  }

  /** Gives the samples their colours, which CSS of a page with a strict policy may not. */
  paint(colours: Colours): void {
    this.entries.forEach((entry, k) => (this.swatches[k]!.style.color = entry.colour(colours)));
  }

  tell(valueOf: (index: number) => string): void {
    this.valueOf = valueOf;
    if (this.element instanceof HTMLDetailsElement && !this.element.open) return;
    this.values.forEach((value, k) => (value.textContent = valueOf(k)));
  }

  private item(entry: Entry, k: number): HTMLElement {
    const kind = entry.filled ? "filled" : entry.dashed ? "dashed" : "solid";
    const swatch = element("span", { class: "swatch", "data-kind": kind });
    const value = element("span", { class: "value" });
    const label = element("span", {}, entry.label);
    const made = element("button", { type: "button", "aria-pressed": "true" }, swatch, label, value);
    made.addEventListener("click", () => {
      const shown = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(shown));
      this.toggle(k, shown);
    });
    this.swatches.push(swatch);
    this.values.push(value);
    return element("li", {}, made);
  }
}

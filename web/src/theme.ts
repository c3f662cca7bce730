// SPDX-License-Identifier: Apache-2.0
// Colours for what is drawn on canvases; the style sheet has the same names as custom properties.

import { followPrint, isPrinting } from "./paper";

export interface Colours {
  background: string;
  text: string;
  faint: string;
  grid: string;
  /** Curves, told apart by people with any colour vision. */
  curves: string[];
  reference: string;
  stick: string;
  slip: string;
  apart: string;
  /** What disturbances of a state do. */
  flutter: string;
  divergence: string;
  possible: string;
  undecided: string;
}

export interface Theme {
  readonly dark: boolean;
  readonly colours: Colours;
  /** Calls back when it changes between dark and light (also for print); the function that comes back ends it. */
  follow(listener: () => void): () => void;
}

/** The theme of the page, which its reader can turn over. */
export interface PageTheme extends Theme {
  toggle(): void;
}

// Curves take the colours of Okabe and Ito, those first that stand out from the background.
const light: Colours = {
  background: "#ffffff",
  text: "#1b1f24",
  faint: "#59636e",
  grid: "#e3e6ea",
  curves: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#1b1f24"],
  reference: "#6b7480",
  stick: "#0072b2",
  slip: "#e69f00",
  apart: "#e3e6ea",
  flutter: "#d55e00",
  divergence: "#882255",
  possible: "#117733",
  undecided: "#59636e",
};

const dark: Colours = {
  background: "#161b22",
  text: "#e6edf3",
  faint: "#9aa7b4",
  grid: "#2b333d",
  curves: ["#56b4e9", "#e69f00", "#2bc79a", "#cc79a7", "#f0e442", "#ff8a3d", "#e6edf3"],
  reference: "#9aa7b4",
  stick: "#56b4e9",
  slip: "#e69f00",
  apart: "#2b333d",
  flutter: "#ff8a3d",
  divergence: "#e58fc0",
  possible: "#2bc79a",
  undecided: "#9aa7b4",
};

/** Follows the system until it is turned over; paper is always light. */
export function createTheme(): PageTheme {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const listeners = new Set<() => void>();
  let chosen: boolean | null = null;
  let shown = false;

  const wanted = (): boolean => !isPrinting() && (chosen ?? system.matches);
  const update = (): void => {
    const was = shown;
    shown = wanted();
    document.documentElement.dataset.theme = shown ? "dark" : "light";
    if (was !== shown) for (const listener of listeners) listener();
  };

  system.addEventListener("change", update);
  followPrint(update);
  update();
  return {
    get dark() {
      return shown;
    },
    get colours() {
      return shown ? dark : light;
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toggle() {
      chosen = !shown;
      update();
    },
  };
}

// SPDX-License-Identifier: Apache-2.0
// Chooses the run that is looked at: buttons for a few, a list for many.

import { choice, element } from "./dom";
import type { Run, Verdict } from "./report";

const marks: Record<Verdict["level"], string> = { good: "\u2713", warning: "!", bad: "\u2717" };
const mostButtons = 8;

/** The sign of a verdict, with its word for those who can't see it. */
export function mark(verdict: Verdict): HTMLElement {
  const { level, word } = verdict;
  const attributes = { class: "mark", "data-level": level, title: word, role: "img", "aria-label": word };
  return element("span", attributes, marks[level]);
}

export const runName = (run: Run, index: number): string => run.name || `run ${index + 1}`;

function buttons(runs: Run[], choose: (index: number) => void): HTMLElement {
  const group = element("div", { class: "runs", role: "group", "aria-label": "Runs" });
  const show = (chosen: number): void =>
    [...group.children].forEach((child, k) => child.setAttribute("aria-pressed", String(k === chosen)));
  runs.forEach((run, k) => {
    const made = element("button", { type: "button" }, mark(run.verdict), ` ${runName(run, k)}`);
    made.addEventListener("click", () => {
      show(k);
      choose(k);
    });
    group.append(made);
  });
  show(0);
  return group;
}

/** Buttons or a list of runs; nothing for a single one. */
export function runSelector(runs: Run[], choose: (index: number) => void): HTMLElement | null {
  if (runs.length < 2) return null;
  if (runs.length <= mostButtons) return buttons(runs, choose);
  const names = runs.map((run, k) => `${marks[run.verdict.level]} ${runName(run, k)}`);
  return element("div", { class: "runs" }, choice("Run", names, 0, choose));
}

/** Chooses a run from elsewhere on the page, as by hand. */
export function pressRun(index: number): void {
  const runs = document.querySelector(".runs");
  const select = runs?.querySelector("select");
  if (!select) return runs?.querySelectorAll("button")[index]?.click();
  select.value = String(index);
  select.dispatchEvent(new Event("change"));
}

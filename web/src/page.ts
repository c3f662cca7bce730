// SPDX-License-Identifier: Apache-2.0
// The frame: tools under the verdict, the transport, and the panels of the run that is looked at.

import { Clock } from "./clock";
import { type Blocks, columnsOf } from "./data";
import { button, element } from "./dom";
import { timeUnitOf } from "./gears";
import type { MountedPanel, Panel, PanelContext } from "./panel";
import type { Report, Run } from "./report";
import { mark, runName, runSelector } from "./runs";
import type { PageTheme } from "./theme";
import { Transport } from "./transport";
import { variedWords } from "./varied";

/** All times that a run knows of: those of its frames, or of its longest table. */
export async function timesOf(run: Run, blocks: Blocks): Promise<{ steps: number[]; first: number; last: number }> {
  let steps: number[] = [];
  let first = Infinity;
  let last = -Infinity;
  const widen = (times: ArrayLike<number>): void => {
    if (times.length === 0) return;
    first = Math.min(first, times[0]!);
    last = Math.max(last, times[times.length - 1]!);
  };
  // What can't be read is told by the panel that shows it.
  const orNone = (times: Promise<ArrayLike<number> | undefined>): Promise<ArrayLike<number>> =>
    times.then((found) => found ?? [], () => []);
  for (const table of run.tables) {
    const times = await orNone(columnsOf(blocks, table).then((columns) => columns[0]));
    widen(times);
    if (times.length > steps.length) steps = Array.from(times);
  }
  const frames = run.animation ? await orNone(blocks.values(run.animation.times)) : [];
  widen(frames);
  if (frames.length > 0) steps = Array.from(frames);
  return first <= last ? { steps, first, last } : { steps, first: 0, last: 0 };
}

const BESIDE = ["panel-player", "panel-histories", "panel-energy"];

// A panel that can't tell has something to say: why.
function applies(panel: Panel, context: PanelContext): boolean {
  try {
    return panel.applies(context);
  } catch (error) {
    console.error(error);
    return true;
  }
}

export class Page {
  private readonly transport = new Transport();
  private readonly status = element("p", { class: "run-verdict", "aria-live": "polite" });
  private mounted: MountedPanel[] = [];
  private unfollow = (): void => {};
  private clock: Clock | null = null;
  /** Counts runs shown, so that a slow one does not come after a later one. */
  private turn = 0;

  constructor(
    private readonly report: Report,
    private readonly blocks: Blocks,
    private readonly theme: PageTheme,
    private readonly panels: Panel[],
    private readonly main: HTMLElement,
    header: HTMLElement,
  ) {
    header.append(...this.tools());
    this.main.before(this.transport.element);
  }

  /** Shows a run, at the time that was shown before where it has one. */
  async show(index: number): Promise<void> {
    const run = this.report.runs[index];
    if (!run) return;
    const turn = ++this.turn;
    delete document.documentElement.dataset.ready;
    const times = await timesOf(run, this.blocks);
    if (turn !== this.turn) return;
    const clock = this.startClock(times, run);
    this.showRunVerdict(run, index);
    this.clear();
    const context = { report: this.report, run, clock, blocks: this.blocks, theme: this.theme };
    await this.mountAll(context, turn);
    if (turn === this.turn) document.documentElement.dataset.ready = "true";
  }

  private tools(): HTMLElement[] {
    const toggle = button("", () => this.theme.toggle(), { class: "theme" });
    const name = (): void => {
      toggle.textContent = this.theme.dark ? "Light" : "Dark";
      toggle.setAttribute("aria-label", this.theme.dark ? "Light colours" : "Dark colours");
    };
    name();
    this.theme.follow(name);
    const selector = runSelector(this.report.runs, (index) => void this.show(index));
    const version = element("span", { class: "version" }, `stickslip ${this.report.stickslip}`);
    const pageTools = element("div", { class: "page-tools" }, version, toggle);
    return selector ? [selector, this.status, pageTools] : [pageTools];
  }

  private startClock(times: { steps: number[]; first: number; last: number }, run: Run): Clock {
    const before = this.clock;
    const clock = new Clock(times.first, times.last);
    // A page opens at the last state: that is the result. Another run is shown at the same time, or at its end.
    clock.set(before && before.time < before.last ? before.time : times.last);
    this.unfollow();
    const tell = (time: number): void => void (document.documentElement.dataset.time = String(time));
    this.unfollow = clock.follow(tell);
    tell(clock.time);
    this.transport.attach(clock, times.steps, timeUnitOf(run));
    this.clock = clock;
    return clock;
  }

  private showRunVerdict(run: Run, index: number): void {
    this.status.replaceChildren();
    if (this.report.runs.length < 2) return;
    const { headline, detail } = run.verdict;
    const name = element("strong", {}, runName(run, index));
    const varied = variedWords(this.report.runs, run);
    this.status.append(mark(run.verdict), " ", name, varied ? ` (${varied})` : "", `: ${headline}. ${detail}`);
  }

  private clear(): void {
    // Keeps the place where the reader is while the panels are made anew.
    this.main.style.minHeight = `${this.main.offsetHeight}px`;
    for (const panel of this.mounted) panel.destroy();
    this.mounted = [];
    this.main.replaceChildren();
  }

  private async mountAll(context: PanelContext, turn: number): Promise<void> {
    const note = (text: string): void => this.main.append(element("p", { class: "left-out" }, text));
    if (context.run.leftOut) note(`Left out: ${context.run.leftOut}`);
    const shown = this.panels.filter((panel) => applies(panel, context));
    if (shown.length === 0) note("There is nothing more to show of this run.");
    const sections = shown.map((panel) => this.section(panel));
    this.main.append(...this.placed(sections));
    await Promise.all(shown.map((panel, k) => this.mount(panel, sections[k]!, context, turn)));
    if (turn === this.turn) this.main.style.minHeight = "";
  }

  // The moving picture and the curves that move with it stand side by side, in a part of their own: the picture stays in
  // view until that part ends.
  private placed(sections: HTMLElement[]): HTMLElement[] {
    const beside = sections.filter((section) => BESIDE.includes(section.id));
    if (beside.length < 2 || beside[0]!.id !== BESIDE[0]) return sections;
    const [before, rest] = [sections.slice(0, sections.indexOf(beside[0]!)), sections.filter((section) => !beside.includes(section))];
    return [...before, element("div", { class: "beside" }, ...beside), ...rest.slice(before.length)];
  }

  private section(panel: Panel): HTMLElement {
    const heading = element("h2", { id: `heading-${panel.id}` }, panel.title);
    return element("section", { id: `panel-${panel.id}`, class: "panel", "aria-labelledby": heading.id }, heading);
  }

  // A panel that fails says so in its own place and leaves the others alone.
  private async mount(panel: Panel, host: HTMLElement, context: PanelContext, turn: number): Promise<void> {
    try {
      const mounted = await panel.mount(host, context);
      if (turn === this.turn) this.mounted.push(mounted);
      else mounted.destroy();
    } catch (error) {
      console.error(error);
      const reason = error instanceof Error ? error.message : String(error);
      host.append(element("p", { class: "failed", role: "alert" }, `This part can't be shown: ${reason}`));
    }
  }
}

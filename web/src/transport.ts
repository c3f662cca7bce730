// SPDX-License-Identifier: Apache-2.0
// Plays, steps and scrubs: the bar that drives the clock of all panels.

import type { Clock } from "./clock";
import { indexAt } from "./data";
import { button, checkbox, choice, element } from "./dom";
import { formatTime } from "./format";

const speeds: [string, number][] = [
  ["\u00bc\u00d7", 0.25],
  ["\u00bd\u00d7", 0.5],
  ["1\u00d7", 1],
  ["2\u00d7", 2],
  ["4\u00d7", 4],
];

/** Seconds in which the whole run is shown at speed 1. */
const duration = 8;

/** Where a step from this time leads: the next or the previous of these times, which grow. */
export function stepFrom(times: ArrayLike<number>, time: number, direction: 1 | -1): number {
  if (times.length === 0) return time;
  const at = indexAt(times, time);
  const before = times[at]!;
  const between = time > before;
  // Back from between two frames leads to the frame that is shown.
  const next = direction > 0 ? (time < before ? at : at + 1) : between ? at : at - 1;
  return times[Math.min(times.length - 1, Math.max(0, next))]!;
}

/** Whether a key belongs to the element that has the focus. */
function keyIsTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("textarea, select, audio, [role=slider]")) return true;
  if (target instanceof HTMLInputElement) {
    if (target.classList.contains("scrub")) return false;
    return target.type !== "checkbox" && target.type !== "radio" ? true : key === " " || target.type === "radio";
  }
  if (key === " ") return target.closest("button, summary, a") !== null;
  return target.closest("[data-keys=own]") !== null;
}

export class Transport {
  readonly element: HTMLElement;
  private clock: Clock | null = null;
  private times: ArrayLike<number> = [];
  private unit = "";
  private unfollow = (): void => {};
  private speed = 1;
  private loop = false;
  private request = 0;
  private last = 0;
  private readonly playButton = button("", () => this.toggle(), { class: "play" });
  private readonly scrub = element("input", { type: "range", class: "scrub", step: "any", "aria-label": "Time" });
  private readonly text = element("output", { class: "time" });

  constructor() {
    this.element = element(
      "div",
      { class: "transport", role: "group", "aria-label": "Time" },
      button("|\u25c4", () => this.jump(0), { "aria-label": "To the start", title: "To the start (Home)" }),
      button("\u25c4", () => this.step(-1), { "aria-label": "One frame back", title: "One frame back (\u2190)" }),
      this.playButton,
      button("\u25ba", () => this.step(1), { "aria-label": "One frame on", title: "One frame on (\u2192)" }),
      button("\u25ba|", () => this.jump(1), { "aria-label": "To the end", title: "To the end (End)" }),
      this.scrub,
      this.text,
      this.settings(),
    );
    this.scrub.addEventListener("input", () => this.clock?.set(Number(this.scrub.value)));
    document.addEventListener("keydown", (event) => this.key(event));
    this.showState();
  }

  /** Drives another clock; steps lead along these times. */
  attach(clock: Clock, times: ArrayLike<number>, unit: string): void {
    this.pause();
    this.unfollow();
    Object.assign(this, { clock, times, unit });
    this.element.hidden = !(clock.last > clock.first);
    this.scrub.min = String(clock.first);
    this.scrub.max = String(clock.last);
    this.unfollow = clock.follow(() => this.showTime());
    this.showTime();
  }

  get playing(): boolean {
    return this.request !== 0;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    const clock = this.clock;
    if (!clock || this.playing) return;
    if (clock.time >= clock.last) clock.set(clock.first);
    this.last = performance.now();
    this.request = requestAnimationFrame((now) => this.advance(now));
    this.showState();
  }

  pause(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.showState();
  }

  private settings(): HTMLElement {
    const at = speeds.findIndex(([, speed]) => speed === 1);
    const labels = speeds.map(([label]) => label);
    return element(
      "span",
      { class: "settings" },
      choice("Speed", labels, at, (k) => (this.speed = speeds[k]![1])),
      checkbox("Loop", false, (on) => (this.loop = on)),
    );
  }

  private step(direction: 1 | -1): void {
    this.pause();
    if (this.clock) this.clock.set(stepFrom(this.times, this.clock.time, direction));
  }

  private jump(end: 0 | 1): void {
    this.pause();
    if (this.clock) this.clock.set(end ? this.clock.last : this.clock.first);
  }

  // A page that was hidden goes on where it was, not where it would be.
  private advance(now: number): void {
    const clock = this.clock;
    if (!clock) return;
    const passed = Math.min(1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const next = clock.time + ((clock.last - clock.first) * passed * this.speed) / duration;
    this.request = requestAnimationFrame((later) => this.advance(later));
    if (next < clock.last) clock.set(next);
    else if (this.loop) clock.set(clock.first);
    else {
      clock.set(clock.last);
      this.pause();
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.clock || this.element.hidden) return;
    const acts: Record<string, () => void> = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.jump(0),
      End: () => this.jump(1),
    };
    const act = acts[event.key];
    if (!act || keyIsTaken(event.target, event.key)) return;
    event.preventDefault();
    act();
  }

  private showState(): void {
    this.playButton.textContent = this.playing ? "Pause" : "Play";
    this.playButton.title = this.playing ? "Pause (space)" : "Play (space)";
    // Read aloud only where it stands still, or it would never stop talking.
    this.text.setAttribute("aria-live", this.playing ? "off" : "polite");
  }

  private showTime(): void {
    const clock = this.clock;
    if (!clock) return;
    const text = `t = ${formatTime(clock.time, clock.last - clock.first)} ${this.unit}`;
    this.text.textContent = text;
    this.scrub.value = String(clock.time);
    this.scrub.setAttribute("aria-valuetext", text);
  }
}

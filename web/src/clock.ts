// SPDX-License-Identifier: Apache-2.0
// The moment that all panels show.

export type ClockListener = (time: number) => void;

export class Clock {
  private listeners = new Set<ClockListener>();
  private now: number;

  constructor(
    readonly first: number,
    readonly last: number,
  ) {
    this.now = first;
  }

  get time(): number {
    return this.now;
  }

  /** Moves to a time, kept within the run. */
  set(time: number): void {
    const next = Math.min(this.last, Math.max(this.first, time));
    if (next === this.now || Number.isNaN(next)) return;
    this.now = next;
    for (const listener of this.listeners) listener(next);
  }

  /** Calls back at every move; the function that comes back ends it. */
  follow(listener: ClockListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

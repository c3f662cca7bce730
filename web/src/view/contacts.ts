// SPDX-License-Identifier: Apache-2.0
// Contacts of each frame: where they are, what they carry, and between whom.

import type { Blocks, Numbers } from "../data";
import type { Animation, Contacts } from "../report";

export interface Contact {
  /** Three numbers each; the force is that on the first body. */
  place: number[];
  force: number[];
  normal: number;
  tangential: number;
  status: number;
  /** Numbers of the bodies; obstacles come behind them. */
  first: number;
  second: number;
}

export class ContactFrames {
  private readonly starts: number[] = [0];
  /** Largest force of each frame. */
  private readonly most: number[] = [];

  private constructor(
    readonly animation: Animation,
    readonly unit: string,
    counts: ArrayLike<number>,
    private readonly places: ArrayLike<number>,
    private readonly forces: ArrayLike<number>,
    private readonly tangential: ArrayLike<number>,
    private readonly status: Numbers,
    private readonly firsts: Numbers,
    private readonly seconds: Numbers,
  ) {
    for (let f = 0; f < counts.length; f++) {
      this.starts.push(this.starts[f] + counts[f]);
      let most = 0;
      for (let c = 0; c < counts[f]; c++) most = Math.max(most, this.size(f, c));
      this.most.push(most);
    }
  }

  static async load(animation: Animation, contacts: Contacts, blocks: Blocks): Promise<ContactFrames> {
    const { counts, places, forces, tangential, status, first, second } = contacts;
    const [n, x, f, t] = await Promise.all([counts, places, forces, tangential].map((block) => blocks.values(block)));
    const [s, a, b] = await Promise.all([status, first, second].map((block) => blocks.load(block)));
    return new ContactFrames(animation, contacts.unit, n, x, f, t, s, a, b);
  }

  count(frame: number): number {
    return this.starts[frame + 1] - this.starts[frame];
  }

  /** How many are apart, stick and slip. */
  counts(frame: number): number[] {
    const counts = [0, 0, 0];
    for (let c = this.starts[frame]; c < this.starts[frame + 1]; c++) counts[this.status[c]]++;
    return counts;
  }

  /** Length of the force of a contact. */
  size(frame: number, contact: number): number {
    const { dimension } = this.animation;
    const at = (this.starts[frame] + contact) * dimension;
    return Math.hypot(this.forces[at], this.forces[at + 1], dimension === 3 ? this.forces[at + 2] : 0);
  }

  contact(frame: number, contact: number): Contact {
    const { dimension } = this.animation;
    const c = this.starts[frame] + contact;
    const vector = (of: ArrayLike<number>): number[] => [0, 1, 2].map((k) => (k < dimension ? of[c * dimension + k] : 0));
    const tangential = this.tangential[c];
    const force = vector(this.forces);
    const size = Math.hypot(...force);
    return {
      place: vector(this.places),
      force,
      normal: Math.sqrt(Math.max(0, size * size - tangential * tangential)),
      tangential,
      status: this.status[c],
      first: this.firsts[c],
      second: this.seconds[c],
    };
  }

  all(frame: number): Contact[] {
    return Array.from({ length: this.count(frame) }, (_, c) => this.contact(frame, c));
  }

  /** The largest force of a frame. */
  largest(frame: number): number {
    return this.most[frame];
  }

  /** A usual force: impacts are so much larger than weights that by them one would see nothing else. */
  usual(): number {
    const some = this.most.filter((force) => force > 0).sort((a, b) => a - b);
    return some[some.length >> 1] ?? 0;
  }

  /** What people call a body or an obstacle. */
  name(number: number): string {
    const { bodies, obstacles } = this.animation;
    return (number < bodies.length ? bodies[number] : obstacles[number - bodies.length])?.name ?? "";
  }
}

// SPDX-License-Identifier: Apache-2.0
// Jobs beside each other: a page that is tested mostly waits for its browser.

export class Pool {
  #free;
  #waiting = [];

  /** So many jobs at a time. */
  constructor(most) {
    this.#free = most;
  }

  /** Starts a job when those before it leave room; the promise of what it gives. */
  async add(job) {
    if (this.#free > 0) this.#free--;
    else await new Promise((start) => this.#waiting.push(start));
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

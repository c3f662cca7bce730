// SPDX-License-Identifier: Apache-2.0
// Tests one after the other, as TAP lines; a failed one does not stop those behind it.

export class Runner {
  #passed = 0;
  #failed = 0;
  #only;

  /** With a text, only tests whose names contain it are run. */
  constructor(only = "") {
    this.#only = only;
  }

  async test(name, body) {
    if (name.includes(this.#only)) await this.always(name, body);
  }

  /** What other tests need, whatever their names are. */
  async always(name, body) {
    const start = Date.now();
    const number = this.#passed + this.#failed + 1;
    try {
      await body();
      this.#passed++;
      console.log(`ok ${number} - ${name} # ${Date.now() - start} ms`);
    } catch (error) {
      this.#failed++;
      console.log(`not ok ${number} - ${name} # ${Date.now() - start} ms`);
      console.log(String(error?.message ?? error).replace(/^/gm, "  # "));
      const place = /browser\/[\w.]+\.mjs:\d+/.exec(error?.stack ?? "");
      if (place) console.log(`  # at ${place[0]}`);
    }
  }

  say(text) {
    console.log(`# ${text}`);
  }

  /** The last line; true if nothing failed. */
  finish() {
    console.log(`1..${this.#passed + this.#failed}`);
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed === 0;
  }
}

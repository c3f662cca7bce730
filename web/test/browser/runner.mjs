// SPDX-License-Identifier: Apache-2.0
// Tests as TAP lines, numbered as they end; a failed one does not stop others.

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

  /** What other tests need, whatever their names are; what it gives, or null if it fails. */
  async always(name, body) {
    const start = Date.now();
    const line = () => `${this.#passed + this.#failed} - ${name} # ${Date.now() - start} ms`;
    try {
      const result = await body();
      this.#passed++;
      console.log(`ok ${line()}`);
      return result;
    } catch (error) {
      this.#failed++;
      console.log(`not ok ${line()}`);
      console.log(String(error?.message ?? error).replace(/^/gm, "  # "));
      const place = /browser\/[\w.]+\.mjs:\d+/.exec(error?.stack ?? "");
      if (place) console.log(`  # at ${place[0]}`);
      return null;
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

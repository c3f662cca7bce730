// SPDX-License-Identifier: Apache-2.0
// Result folders and their pages, made by the program itself.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export class Results {
  #running = new Set();

  /** made: a folder in which examples may have been run already. */
  constructor(program, examples, made = "") {
    this.program = program;
    this.examples = examples;
    this.made = made;
    this.folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "stickslip-web-"));
  }

  /** Ends what still runs, and leaves nothing behind. */
  async remove() {
    for (const run of this.#running) run.child.kill("SIGKILL");
    await Promise.all(this.#running);
    rmSync(this.folder, { recursive: true, force: true });
  }

  names() {
    return readdirSync(this.examples).filter((f) => f.endsWith(".yaml")).map((f) => basename(f, ".yaml")).sort();
  }

  /** Starts the program; {code, output, seconds} at its end. */
  call(...args) {
    const start = process.hrtime.bigint();
    const child = spawn(this.program, args, { cwd: this.folder });
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    const end = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, output, seconds: Number(process.hrtime.bigint() - start) / 1e9 }));
    });
    const run = Object.assign(end, { child });
    this.#running.add(run);
    run.then(() => this.#running.delete(run), () => this.#running.delete(run));
    return run;
  }

  async must(...args) {
    const done = await this.call(...args);
    if (done.code !== 0) throw new Error(`${args.join(" ")}: exit code ${done.code}\n${done.output}`);
    return done;
  }

  /** The page of a result folder, and how it was asked for. */
  async page(out, ...options) {
    await this.must("report", out, ...options);
    return join(this.folder, out, "report.html");
  }

  /** Runs an example, unless it was run by this program already, and writes its page: {name, out, file}. */
  async example(name) {
    const out = `${name}.out`;
    const model = join(this.examples, `${name}.yaml`);
    if (this.#isMade(out, model)) symlinkSync(join(this.made, out), join(this.folder, out));
    else await this.must("run", model, "-o", out, "--quiet", "--force");
    return { name, out, file: await this.page(out, "--force") };
  }

  // By the program and the model that are there now, to the end.
  #isMade(out, model) {
    const summary = join(this.made, out, "summary.json");
    if (!this.made || !existsSync(summary)) return false;
    const time = (path) => statSync(path).mtimeMs;
    return time(summary) > time(this.program) && time(summary) > time(model) && JSON.parse(readFileSync(summary, "utf8")).exit_code === 0;
  }

  write(name, text) {
    writeFileSync(join(this.folder, name), text);
    return name;
  }

  summary(...path) {
    return JSON.parse(readFileSync(join(this.folder, ...path, "summary.json"), "utf8"));
  }

  size(file) {
    return statSync(file).size;
  }

  /** Starts a run and stops it by a signal when some frames are there. */
  async stopped(model, out, signal) {
    const run = this.call("run", model, "-o", out, "--quiet", "--force", "--checkpoint", "5");
    const fields = join(this.folder, out, "fields");
    const enough = () => existsSync(fields) && readdirSync(fields).filter((f) => f.endsWith(".vtu")).length > 3;
    for (let i = 0; i < 400 && !enough(); i++) await new Promise((resolve) => setTimeout(resolve, 25));
    run.child.kill(signal);
    return run;
  }
}

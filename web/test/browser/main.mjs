// SPDX-License-Identifier: Apache-2.0
// The report page in a real browser. node main.mjs PROGRAM [PART-OF-A-NAME]: only tests with such names. The folder
// STICKSLIP_EXAMPLE_RESULTS may have results of the examples, which are run otherwise.

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium, launch } from "./browser.mjs";
import { testEndings } from "./endings.mjs";
import { testExample } from "./examples.mjs";
import { testCam, testGearPair, testTipRelief } from "./gears.mjs";
import { testHostile } from "./hostile.mjs";
import { testLarge, testNoWebgl, testSolid } from "./large.mjs";
import { large, solid } from "./models.mjs";
import { Pool } from "./pool.mjs";
import { Results } from "./results.mjs";
import { Runner } from "./runner.mjs";
import { testSeveral } from "./several.mjs";
import { testSite } from "./site.mjs";
import { testSliding, testSqueal } from "./squeal.mjs";
import { useTests } from "./use.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

/** Pages that are tested beside each other. */
const beside = 3;

async function testAll(t, browser, results) {
  const pool = new Pool(beside);
  // it takes a while: other tests run beside it
  const large20k = results.call("run", results.write("large.yaml", large), "-o", "large.out", "--quiet");
  const make = (name) => pool.add(() => t.always(`${name}: runs and has a page`, () => results.example(name)));
  const made = new Map(results.names().map((name) => [name, make(name)]));
  const withExample = (name, test) => pool.add(async () => {
    const example = await made.get(name);
    if (example) await test(example);
  });
  const all = [
    pool.add(() => testEndings(t, browser, results)),
    ...[...made.keys()].map((name) => withExample(name, (example) => testExample(t, browser, results, example))),
    ...useTests.map(({ name, test }) => withExample(name, (example) => test(t, browser, example))),
    withExample("oblique-plate", (example) => testNoWebgl(t, example)),
    withExample("block-flutter", (example) => testSqueal(t, browser, results, example)),
    pool.add(() => testSliding(t, browser, results)),
    withExample("gear-pair", (example) => testGearPair(t, browser, example)),
    withExample("tip-relief", (example) => testTipRelief(t, browser, example)),
    withExample("cam-follower", (example) => testCam(t, browser, example)),
    pool.add(() => testSolid(t, browser, results, solid)),
    pool.add(() => testHostile(t, browser, results)),
    pool.add(() => testSeveral(t, browser, results, made)),
    pool.add(() => Promise.all(made.values()).then(() => testSite(t, browser, results, root))),
    pool.add(() => testLarge(t, browser, results, large20k)),
  ];
  for (const { status, reason } of await Promise.allSettled(all)) if (status === "rejected") throw reason;
}

async function main([program, only]) {
  const t = new Runner(only);
  const results = new Results(resolve(program), join(root, "examples"), process.env.STICKSLIP_EXAMPLE_RESULTS);
  const browser = await launch();
  try {
    await testAll(t, browser, results);
  } finally {
    await browser.close();
    await results.remove();
  }
  return t.finish();
}

if (!process.argv[2]) {
  console.log("skipped: name the program to test, node main.mjs PROGRAM");
} else if (!findChromium()) {
  console.log("skipped: there is no Chromium here");
  process.exitCode = 77;
} else {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
}

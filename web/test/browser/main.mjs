// SPDX-License-Identifier: Apache-2.0
// The report page in a real browser. node main.mjs PROGRAM [PART-OF-A-NAME]: only tests with such names.

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium, launch } from "./browser.mjs";
import { testEndings } from "./endings.mjs";
import { testExample } from "./examples.mjs";
import { testHostile } from "./hostile.mjs";
import { testLarge, testNoWebgl, testSolid } from "./large.mjs";
import { large, solid } from "./models.mjs";
import { Results } from "./results.mjs";
import { Runner } from "./runner.mjs";
import { testSite } from "./site.mjs";
import { testUse } from "./use.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

async function testAll(t, browser, results) {
  const examples = [];
  for (const name of results.names()) await t.always(`${name}: runs and has a page`, async () => examples.push(await results.example(name)));
  // it takes a while: other tests run beside it
  const large20k = results.call("run", results.write("large.yaml", large), "-o", "large.out", "--quiet");
  const named = (name) => examples.find((example) => example.name === name);
  await testSite(t, browser, results, root);
  for (const example of examples) await testExample(t, browser, results, example);
  await testUse(t, browser, results, named);
  await testNoWebgl(t, named("oblique-plate"));
  await testSolid(t, browser, results, solid);
  await testEndings(t, browser, results);
  await testHostile(t, browser, results);
  await testLarge(t, browser, results, large20k);
}

async function main([program, only]) {
  const t = new Runner(only);
  const results = new Results(resolve(program), join(root, "examples"));
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

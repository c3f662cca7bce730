// SPDX-License-Identifier: Apache-2.0
// Texts of a model that would like to be programs stay texts.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { overflow } from "./layout.mjs";
import { block } from "./models.mjs";
import { soundOf } from "../squeal.mjs";

const evil = (n) => `</script><script>window.hacked=${n}</script><img src=x onerror="window.hacked=${n}">`;
const title = `${evil(1)}<!--<script>\u2028]]>&lt;`;

export async function testHostile(t, browser, results) {
  await t.test("hostile title, units, case values and names of files", async () => {
    const file = await hostileStudy(results);
    await staysText(browser, file, "#verdict h1", title.trim());
  });
  await t.test("hostile summary, log, model and tables of a folder that was tampered with", async () => {
    const file = await tampered(results);
    await staysText(browser, file, "#panel-messages", evil(7));
  });
}

async function hostileStudy(results) {
  const quoted = (text) => JSON.stringify(`'${text}'`);
  const model = block({
    title,
    units: `units: {length: ${JSON.stringify(`m${evil(2)}`)}, mass: "<b>kg</b>", time: "s&<i>", force: "N\\"'>"}`,
    cases: `cases: {vary: {label: [${quoted("<img src=x onerror=window.hacked=3>")}, ${quoted("</script><script>window.hacked=4</script>")}]}}`,
    end: 2e-4,
  });
  const name = results.write("<img src=x onerror=window.hacked=5>.yaml", model);
  const out = "<svg onload=window.hacked=6>.out";
  await results.must("run", name, "-o", out, "--quiet");
  return results.page(out);
}

// The folder of a run, with texts that no model could have brought.
async function tampered(results) {
  const model = results.write("plain.yaml", block({ title: "Plain", end: 2e-4 }));
  await results.must("run", model, "-o", "tampered.out", "--quiet");
  const folder = join(results.folder, "tampered.out");
  const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  summary.title = title;
  summary.messages = ["note", "warning", "error"].map((severity) => ({ severity, text: evil(7), file: evil(8), line: 1 }));
  summary.checks = [{ that: evil(9), value: 1, must_be: evil(10), passed: true }];
  summary.step.solver = evil(11);
  summary.certificate.cone = evil(12);
  summary.signals = { x: { step: evil(23), motion: evil(24), unit: evil(25), peaks: [{ frequency: evil(37) }, evil(38)], sound: { file: "x.wav", slowed: evil(26) } }, [evil(27)]: {} };
  summary.portraits = { y: { step: evil(28) } };
  summary.statistics = { z: { from: evil(29), to: [] } };
  writeFileSync(join(folder, "summary.json"), JSON.stringify(summary));
  for (const name of ["run.log", "model.yaml"]) appendFileSync(join(folder, name), `\n# ${evil(13)}\n`);
  const history = join(folder, "history");
  renameSync(join(history, "force.csv"), join(history, "<img src=x onerror=window.hacked=14>.csv"));
  const energy = readFileSync(join(history, "energy.csv"), "utf8");
  writeFileSync(join(history, "energy.csv"), energy.replace("kinetic [N m]", `kinetic<img src=x onerror=window.hacked=15> [N m${evil(16)}]`));
  listen(folder);
  for (const n of [17, 18]) judge(folder, `<img src=x onerror=window.hacked=${n}>`);
  return results.page("tampered.out");
}

// Signals whose columns and units are no texts of ours.
function listen(folder) {
  const put = (name, content) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  put("history/x.csv", `t [s],x${evil(30)} [${evil(31)}]\n0,1\n1e-4,2\n`);
  put("motion/x/spectrum.csv", `f [${evil(32)}],a [${evil(33)}]\n0,1\n1,2\n2,1\n`);
  put("history/y.csv", `t [s],displacement.x.${evil(34).replaceAll('"', "")} [${evil(35)}],velocity.x.${evil(34).replaceAll('"', "")} [m/s]\n0,1,2\n1e-4,2,3\n2e-4,1,1\n`);
  put("motion/z/contacts.csv", `t [s],node,stick [${evil(36)}],slip,apart\n0,1,nan,7,-1\n`);
  put("x.wav", soundOf({ rate: 8000, count: 800, at: (k) => 20000 * Math.sin(k) }));
}

// A stability step that no model could have named so.
function judge(folder, step) {
  mkdirSync(join(folder, "stability", step), { recursive: true });
  writeFileSync(join(folder, "history", `${step}.csv`), `t [s],end [s],sticking,verdict,growth [${evil(19)}]\n0,1e-4,1,3,2\n1e-4,2e-4,0,1,0\n`);
  writeFileSync(join(folder, "stability", step, "verdicts.txt"), `status 1, t = 0 to 1: ${evil(20)}\n`);
  writeFileSync(join(folder, "stability", step, "spectrum.csv"), `t [s],status,mode,growth [${evil(21)}],frequency,kind\n0,1,1,2,3,2\n`);
  writeFileSync(join(folder, "stability", step, "sweep.csv"), `${evil(22).replaceAll('"', "")},branch,growth,frequency\n0,1,2,3\n1,1,3,4\n`);
}

async function staysText(browser, file, place, text) {
  const view = await open(browser, file, { width: 390, height: 844 });
  const { page } = view;
  await on.settle(page);
  for (const details of await page.locator("details > summary").all()) await details.click();
  await page.waitForTimeout(100);
  const found = await page.evaluate(() => ({
    hacked: window.hacked,
    images: [...document.querySelectorAll("img, svg[onload], b, i")].map((e) => e.outerHTML.slice(0, 60)),
    programs: [...document.scripts].filter((s) => !s.type).length,
  }));
  assert.equal(found.hacked, undefined, `a text was run: ${found.hacked}`);
  assert.deepEqual(found.images, [], "a text became an element");
  assert.equal(found.programs, 1, "a text became a program");
  assert.ok((await page.textContent(place)).includes(text), "a text is not shown as it is");
  assert.equal(await page.locator(".failed").count(), 0, "a panel failed");
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await troubles(view), []);
  await view.close();
}


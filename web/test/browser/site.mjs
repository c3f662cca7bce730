// SPDX-License-Identifier: Apache-2.0
// What the site is made of: the gallery fits the examples, the documentation makes pages whose links lead somewhere.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Documents } from "../../site/documents.mjs";
import { readGallery } from "../../site/gallery.mjs";
import { brokenLinks } from "../../site/links.mjs";
import { indexPage } from "../../site/template.mjs";
import { faint, overflow } from "./layout.mjs";

export async function testSite(t, browser, results, root) {
  await t.test("the gallery has every example and nothing else", () => galleryFits(results, root));
  await t.test("the documentation as pages", () => documentation(browser, results, root));
}

// A name or a moment that is not there would be found by ./run site only.
function galleryFits(results, root) {
  const entries = readGallery(readFileSync(join(root, "docs/gallery.md"), "utf8"));
  assert.deepEqual(entries.map((entry) => entry.name).sort(), results.names());
  for (const { name, pictures } of entries) {
    const folder = [`${name}.out`, ...(pictures.case ? ["cases", pictures.case] : [])];
    assert.ok(readdirSync(join(results.folder, ...folder, "history")).includes(`${pictures.plot}.csv`), `${name}: no history ${pictures.plot}`);
    assert.ok(!existsSync(join(results.folder, ...folder, "stability", pictures.plot)), `${name}: ${pictures.plot} is the table of a step, not a history`);
    assert.ok(pictures.time <= results.summary(...folder).step.time, `${name}: ${pictures.time} is after the end`);
  }
}

async function documentation(browser, results, root) {
  const out = join(results.folder, "site");
  const documents = new Documents(root, out);
  documents.writeAll();
  copyFileSync(join(root, "web/site/style.css"), join(out, "style.css"));
  documents.write("index.html", indexPage({ title: "", introduction: "", examples: [], documents: [] }));
  assert.deepEqual(brokenLinks(out), []);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, offline: true });
  const page = await context.newPage();
  for (const path of documents.paths) {
    await page.goto(pathToFileURL(join(out, documents.place(path))).href);
    assert.deepEqual(await overflow(page), [], path);
    assert.deepEqual(await faint(page), [], path);
  }
  await context.close();
}

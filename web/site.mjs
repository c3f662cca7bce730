// SPDX-License-Identifier: Apache-2.0
// The gallery as a site of plain files: every example run and reported by the program, with pictures of its page, and the
// documentation. node site.mjs PROGRAM OUT

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Results } from "./test/browser/results.mjs";
import { findChromium, launch } from "./test/browser/browser.mjs";
import { Documents } from "./site/documents.mjs";
import { readGallery } from "./site/gallery.mjs";
import { brokenLinks } from "./site/links.mjs";
import { takePictures } from "./site/pictures.mjs";
import { indexPage, textPage } from "./site/template.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

function modelTitle(text) {
  return /^title: (.*)$/m.exec(text)?.[1].replace(/^(["'])(.*)\1$/, "$2") ?? "";
}

// A sentence of a document for the first page.
function inlineOf(documents, path, text) {
  return documents.render(path, "index.html", text).html.replace(/^<p>|<\/p>\s*$/g, "");
}

// What a run says of itself, for the card of its example.
function factsOf(results, example, from) {
  const summary = results.summary(example.out);
  const cases = Object.keys(summary.cases ?? {});
  const runs = cases.length ? cases.map((name) => results.summary(example.out, "cases", name)) : [summary];
  const one = runs[0];
  const seconds = runs.reduce((sum, run) => sum + run.seconds.all, 0);
  const size = results.size(example.file) / 1e6;
  return [
    ["From", from],
    ["Size", `${one.system.nodes} nodes, ${one.step.steps} steps`],
    ["Cases", cases.length ? cases.length : "one run"],
    ["Run time", `${seconds.toFixed(1)} s`],
    ["Report", `${size.toFixed(1)} MB`],
  ];
}

async function makeExample(results, browser, documents, entry, out) {
  const example = await results.example(entry.name);
  const model = readFileSync(join(root, "examples", `${entry.name}.yaml`), "utf8");
  const folder = join(out, entry.name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(example.file, join(folder, "report.html"));
  documents.write(`${entry.name}/model.html`, textPage({ title: `${entry.name}.yaml`, text: model, place: `${entry.name}/model.html`, comments: true }));
  const inline = (text) => inlineOf(documents, "docs/gallery.md", text);
  return {
    name: entry.name,
    title: modelTitle(model),
    shows: inline(entry.shows),
    lookAt: inline(entry["look at"]),
    facts: factsOf(results, example, inline(entry.from)),
    pictures: await takePictures(browser, join(folder, "report.html"), entry, out),
    report: `${entry.name}/report.html`,
    model: `${entry.name}/model.html`,
  };
}

// The first words of the README, and the description of each document in the tables of docs/README.md.
function introductionOf(documents) {
  const [head] = documents.read("README.md").split(/^## /m);
  return documents.render("README.md", "index.html", head.replace(/^!\[[\s\S]*?\n\n\*[\s\S]*?\*\n/m, "")).html;
}

function aboutDocuments(documents) {
  const index = documents.read("docs/README.md");
  const rows = [...index.matchAll(/^\| \[[^\]]*\]\(([^)#]+)\) \| (.*) \|$/gm)];
  const about = new Map(rows.map(([, link, text]) => [posix.join("docs", link), text]));
  return documents.paths.map((path) => ({
    title: documents.title(path),
    place: documents.place(path),
    about: inlineOf(documents, "docs/README.md", about.get(path) ?? ""),
  }));
}

async function makeSite(program, out) {
  const results = new Results(program, join(root, "examples"));
  const documents = new Documents(root, out);
  const browser = await launch();
  try {
    const examples = [];
    for (const entry of readGallery(documents.read("docs/gallery.md"))) {
      console.log(`== ${entry.name}`);
      examples.push(await makeExample(results, browser, documents, entry, out));
    }
    documents.writeAll();
    const page = { title: "stickslip", introduction: introductionOf(documents), examples, documents: aboutDocuments(documents) };
    documents.write("index.html", indexPage(page));
    // index.html may link to more files
    documents.writeAll();
  } finally {
    await browser.close();
    await results.remove();
  }
}

const [program, out] = process.argv.slice(2);
if (!program || !out) {
  console.error("node site.mjs PROGRAM OUT");
  process.exit(2);
}
if (!findChromium()) {
  console.error("the pictures of the site need Chromium");
  process.exit(1);
}
if (existsSync(out) && readdirSync(out).length && !existsSync(join(out, "style.css"))) {
  console.error(`${out} is there and is no site: it is not replaced`);
  process.exit(2);
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// first: it marks the folder as one that may be replaced
copyFileSync(join(root, "web/site/style.css"), join(out, "style.css"));
await makeSite(resolve(program), resolve(out));
const broken = brokenLinks(resolve(out));
for (const link of broken) console.error(`leads nowhere: ${link}`);
process.exitCode = broken.length ? 1 : 0;

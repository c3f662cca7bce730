// SPDX-License-Identifier: Apache-2.0
// Bundles the page: node build.mjs OUT writes OUT/report.js, OUT/report.css and OUT/bundle.json with their hashes.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

// The licences of what is bundled ask that their texts go with it.
function licences() {
  const texts = ["uplot", "three"].map((name) => {
    const text = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name}\n${text.replaceAll("\u00a9", "(c)").replaceAll("*/", "* /").trim()}`;
  });
  return `/*\n${texts.join("\n\n")}\n*/`;
}

async function bundle() {
  const result = await build({
    absWorkingDir: here,
    entryPoints: { report: "src/main.ts" },
    outdir: "out",
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    footer: { js: licences() },
    logLevel: "warning",
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
  return { script: text(".js"), style: text(".css") };
}

// What would end or confuse the element that it stands in.
function checkFitsIntoHtml(name, text) {
  for (const bad of ["</script", "</style", "<!--"])
    if (text.toLowerCase().includes(bad)) throw new Error(`${name} contains "${bad}" and can't stand in a page`);
}

const hashOf = (text) => `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;

export async function buildTo(out) {
  const { script, style } = await bundle();
  checkFitsIntoHtml("report.js", script);
  checkFitsIntoHtml("report.css", style);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "report.js"), script);
  writeFileSync(join(out, "report.css"), style);
  writeFileSync(join(out, "bundle.json"), JSON.stringify({ script: hashOf(script), style: hashOf(style) }) + "\n");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 3) {
    console.error("usage: node build.mjs OUT");
    process.exit(2);
  }
  await buildTo(process.argv[2]);
}

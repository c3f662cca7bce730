// SPDX-License-Identifier: Apache-2.0
// Loads a TypeScript module of the page into node.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const src = join(dirname(fileURLToPath(import.meta.url)), "../src");

export async function load(module) {
  const folder = mkdtempSync(join(tmpdir(), "stickslip-"));
  const outfile = join(folder, "module.mjs");
  try {
    await build({
      entryPoints: [join(src, module)], outfile, bundle: true, format: "esm", target: "es2022",
      platform: "neutral", mainFields: ["module", "main"], loader: { ".css": "empty" }, logLevel: "error",
    });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

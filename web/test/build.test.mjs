// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { buildTo } from "../build.mjs";
import { Packer } from "./pack.mjs";
import { pageOf, sample } from "./sample.mjs";

const folder = mkdtempSync(join(tmpdir(), "stickslip-"));
test.after(() => rmSync(folder, { recursive: true }));
await buildTo(folder);
const read = (name) => readFileSync(join(folder, name), "utf8");
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

test("the hashes are those of the bytes", () => {
  const hashes = JSON.parse(read("bundle.json"));
  assert.deepEqual(hashes, { script: hash(read("report.js")), style: hash(read("report.css")) });
});

test("the same sources give the same bytes", async () => {
  const before = read("bundle.json");
  await buildTo(folder);
  assert.equal(read("bundle.json"), before);
});

test("the bundle asks for nothing from anywhere", () => {
  assert.doesNotMatch(read("report.css"), /url\(|@import/);
  assert.doesNotMatch(read("report.js"), /\beval\(|new Function\(|new XMLHttpRequest|sendBeacon|importScripts/);
});

test("a hostile text can't leave its place in a page", () => {
  const packer = new Packer();
  const page = pageOf(sample(packer, "hostile"), packer, folder);
  assert.doesNotMatch(page, /<script>window/);
  assert.doesNotMatch(page, /<img/);
  const program = page.split("</script>").length - 1;
  assert.equal(program, packer.texts.length + 2);
});

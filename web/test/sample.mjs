// SPDX-License-Identifier: Apache-2.0
// Sample pages without the C program, to look at and to test with.
// node test/sample.mjs WHAT OUT.html [BUNDLE]: WHAT is bars, plate, box, large, hostile, bare, or a result folder.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bars, box, plate } from "./animations.mjs";
import { Packer } from "./pack.mjs";
import { heap, wheels } from "./rigid_animations.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const textOf = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
const kinds = ["energy", "momentum", "contact", "events"];

function columnOf(heading) {
  const match = /^(.*) \[(.*)\]$/.exec(heading);
  return match ? { name: match[1], unit: match[2] } : { name: heading, unit: "" };
}

export function table(packer, name, headings, rows) {
  const columns = headings.map(columnOf);
  return {
    name,
    kind: kinds.includes(name) ? name : "history",
    columns,
    rows: rows.length,
    kept: rows.length,
    data: packer.add("float64", columns.flatMap((_, c) => rows.map((row) => row[c]))),
    exact: columns.findIndex((column) => column.name === "exact"),
  };
}

function tableFromFile(packer, path) {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  return table(packer, basename(path, ".csv"), head.split(","), lines.map((line) => line.split(",").map(Number)));
}

// The histories in the order of the summary, those of each node after them, the three books last.
function tablesOf(packer, folder, summary) {
  const all = existsSync(join(folder, "history")) ? readdirSync(join(folder, "history")).map((f) => basename(f, ".csv")).sort() : [];
  const named = Object.keys(summary?.histories ?? {}).filter((name) => all.includes(name));
  const others = all.filter((name) => !named.includes(name) && !kinds.includes(name));
  return [...named, ...others, ...kinds.filter((name) => all.includes(name))].map((name) =>
    tableFromFile(packer, join(folder, "history", `${name}.csv`)),
  );
}

function verdictOf(summary) {
  const bad = (headline, detail) => ({ level: "bad", word: headline, headline, detail });
  if (!summary) return bad("No results", "There is no summary that can be read.");
  if (summary.state === "failed") return bad("Failed", summary.messages?.find((m) => m.severity === "error")?.text ?? "");
  if (summary.state === "interrupted") return { level: "warning", headline: "Interrupted", detail: "stickslip resume goes on." };
  if (summary.state === "running") return { level: "warning", headline: "Not finished", detail: "It still runs, or was killed." };
  if (!summary.certificate?.certified) return bad("Not certified", "A contact solve is not certified.");
  if (summary.checks?.some((check) => !check.passed)) return bad("A check failed", "A check of the model does not hold.");
  return { level: "good", word: "Contact solves certified", headline: summary.headline?.text ?? "Contact solves certified", detail: `All contact solves certified to ${summary.certificate.tolerance}; all checks passed.` };
}

function runFromFolder(packer, folder, name) {
  const summary = existsSync(join(folder, "summary.json")) ? JSON.parse(textOf(join(folder, "summary.json"))) : null;
  const end = Number(summary?.step?.time) || 1;
  const make = { 1: bars, 2: plate, 3: box }[summary?.system?.dimension];
  return {
    name,
    verdict: verdictOf(summary),
    summary,
    model: textOf(join(folder, "model.yaml")),
    log: textOf(join(folder, "run.log")),
    tables: tablesOf(packer, folder, summary),
    stability: [],
    animation: make ? make(packer, { end }) : null,
    leftOut: make ? "The moving picture is made up: this is a sample page." : "",
  };
}

/** A report of a result folder: its tables and texts, with a made-up animation of the right dimension. */
export function reportOfFolder(packer, folder) {
  const cases = join(folder, "cases");
  const names = existsSync(cases) ? readdirSync(cases).sort() : [];
  const runs = names.length
    ? names.map((name) => runFromFolder(packer, join(cases, name), name))
    : [runFromFolder(packer, folder, "")];
  const worst = runs.find((run) => run.verdict.level === "bad") ?? runs.find((run) => run.verdict.level === "warning") ?? runs[0];
  const title = runs[0].summary?.title ?? basename(folder);
  const detail = names.length ? `${runs.length} runs. ${worst.verdict.detail}` : worst.verdict.detail;
  return { format: 1, stickslip: "0.1.0", title, kind: names.length ? "study" : "run", verdict: { ...worst.verdict, detail }, runs };
}

/** A small made-up run with everything: histories, books, checks, messages. */
export function syntheticRun(packer, name, make, options = {}) {
  const end = options.end ?? 0.01;
  const rows = (count, row) => Array.from({ length: count }, (_, k) => row((k * end) / (count - 1)));
  const summary = {
    stickslip: "0.1.0", title: "A made-up run", units: { length: "m", mass: "kg", time: "s", force: "N" },
    state: "finished", exit_code: 0,
    system: { dimension: 2, bodies: 1, nodes: 275, elements: 240, degrees_of_freedom: 550, prescribed: 0, factor_bytes: 98400, memory_bytes: 5836870 },
    step: { name: "slide", scheme: "theta", theta: 0.55, time_step: end / 300, steps: 300, steps_planned: 300, time: end, solver: "auto" },
    certificate: { certified: true, tolerance: 1e-8, cone: "exact" },
    numbers: { "energy.initial": 10, "energy.final": 7, "energy.ratio": 0.7, "energy.closure": 1.3e-14, "certificate.error": 1.2e-16, "contact.solves": 225, "contact.iterations": 900 },
    seconds: { all: 0.15, matrix: 0.01, free: 0.02, detect: 0.01, condense: 0.03, solve: 0.05, verify: 0.01, apply: 0.01, ledger: 0.005 },
    checks: [
      { that: "mean(force)", value: 99.2, must_be: "within 5 of 100", passed: true },
      { that: "energy.closure", value: null, must_be: "at most 1e-10", passed: false },
    ],
    messages: [
      { severity: "note", text: "a note without a place" },
      { severity: "warning", text: "a warning at a place", file: "model.yaml", line: 12 },
    ],
  };
  const wave = (t) => Math.sin((12 * t) / end);
  return {
    name, verdict: { level: "good", word: "Contact solves certified", headline: "Contact solves certified", detail: "All 225 contact solves are certified." }, summary,
    model: "stickslip: 1\ntitle: A made-up run\n", log: "note: a note without a place\n",
    tables: [
      table(packer, "force", ["t [s]", "force [N]", "exact [N]"], rows(301, (t) => [t, 100 * wave(t) + 5 * Math.sin(1e4 * wave(t)), 100 * wave(t)])),
      table(packer, "energy", "t [s],kinetic [N m],elastic [N m],total [N m],external [N m],supports [N m],obstacles [N m],viscous [N m],friction [N m],impact [N m],algorithmic [N m],closure".split(","),
        rows(301, (t) => {
          const [elastic, friction, work] = [1 - Math.cos((20 * t) / end), (4 * t) / end, (2 * t) / end];
          const algorithmic = -0.5 * Math.sin((3 * t) / end);
          const kinetic = 10 + work - elastic - friction - algorithmic;
          return [t, kinetic, elastic, kinetic + elastic, work, 0, 0, 0, friction, 0, algorithmic, 1e-15];
        })),
      table(packer, "contact", "t [s],candidates,sticking,slipping,iterations,error,error_scale_free,exact_error_scale_free,facets,normal_force [N],least_gap [m]".split(","),
        rows(301, (t) => [t, 25, Math.round(8 + 8 * wave(t)), 5, 4, 1e-16 * (1 + wave(t)), 1e-15, 1e-15, 0, 100, t < end / 4 ? NaN : 0])),
    ],
    stability: [],
    animation: make ? make(packer, { end, ...options }) : null,
    leftOut: "",
  };
}

export function syntheticReport(packer, runs, title = "A made-up run") {
  const kind = runs.length > 1 ? "study" : "run";
  return { format: 1, stickslip: "0.1.0", title, kind, verdict: runs[0].verdict, runs };
}

const hostile = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1"> & 'quoted' <!--`;

const samples = {
  bars: (p) => syntheticReport(p, [syntheticRun(p, "", bars)]),
  plate: (p) => syntheticReport(p, [syntheticRun(p, "", plate)]),
  box: (p) => syntheticReport(p, [syntheticRun(p, "", box)]),
  wheels: (p) => syntheticReport(p, [syntheticRun(p, "", wheels)]),
  heap: (p) => syntheticReport(p, [syntheticRun(p, "", heap)]),
  several: (p) => syntheticReport(p, [syntheticRun(p, "bars", bars), syntheticRun(p, "plate", plate), syntheticRun(p, "box", box)]),
  large: (p) => syntheticReport(p, [syntheticRun(p, "", plate, { nx: 200, ny: 100, frames: 100 })], "Many nodes"),
  bare: (p) => {
    const verdict = { level: "bad", headline: "No results", detail: "There is no summary that can be read." };
    return syntheticReport(p, [{ name: "", verdict, summary: null, model: "", log: "", tables: [], stability: [], animation: null, leftOut: "" }], "Nothing");
  },
  hostile: (p) => {
    const run = syntheticRun(p, hostile, plate);
    Object.assign(run, { model: hostile, log: hostile, leftOut: hostile });
    run.summary.messages[1].file = run.summary.messages[0].text = run.summary.checks[0].that = hostile;
    run.tables[0].name = run.tables[0].columns[1].name = run.animation.bodies[0].name = run.animation.obstacles[0].name = hostile;
    return syntheticReport(p, [run, syntheticRun(p, "other", bars)], hostile);
  },
};

/** One of the samples by name, or a report of a result folder. */
export function sample(packer, what) {
  return Object.hasOwn(samples, what) ? samples[what](packer) : reportOfFolder(packer, what);
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text) => text.replace(/[&<>"']/g, (c) => escapes[c]);
const jsonForHtml = (value) =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The page as docs/reference/report.md says, with the bundle of a folder that build.mjs made. */
export function pageOf(report, packer, bundle) {
  const hashes = JSON.parse(textOf(join(bundle, "bundle.json")));
  const policy = `default-src 'none'; script-src '${hashes.script}'; style-src '${hashes.style}'; img-src data: blob:; media-src data: blob:; base-uri 'none'; form-action 'none'`;
  const blocks = packer.texts.map((text, k) => `<script type="text/plain" id="block-${k}">${text}</script>\n`).join("");
  const { level, headline, detail } = report.verdict;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(report.title)}</title>
<style>${textOf(join(bundle, "report.css"))}</style>
</head>
<body>
<header id="verdict" data-level="${level}">
<h1>${escaped(report.title)}</h1>
<p class="headline">${escaped(headline)}</p>
<p class="detail">${escaped(detail)}</p>
</header>
<noscript><p>Curves and pictures need JavaScript; the verdict above does not.</p></noscript>
<main id="panels"></main>
<script type="application/json" id="report">${jsonForHtml(report)}</script>
${blocks}<script>${textOf(join(bundle, "report.js"))}</script>
</body>
</html>
`;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [what, out, bundle = join(here, "../dist")] = process.argv.slice(2);
  if (!out) {
    console.error(`usage: node test/sample.mjs ${Object.keys(samples).join("|")}|FOLDER OUT.html [BUNDLE]`);
    process.exit(2);
  }
  const packer = new Packer();
  const report = sample(packer, what);
  writeFileSync(out, pageOf(report, packer, bundle));
}

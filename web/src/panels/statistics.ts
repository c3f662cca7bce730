// SPDX-License-Identifier: Apache-2.0
// How the run was solved: certificate, work of the solver, time by phase, sizes and key numbers.

import { columnsOf } from "../data";
import { definitions, element, table } from "../dom";
import { formatBytes, formatNumber, formatQuantity, formatSeconds, words } from "../format";
import { numberName, phaseName, sizeName, stepName } from "../names";
import type { Panel, PanelContext } from "../panel";
import { type Curve, curveColour, Plot } from "../plots";
import type { Summary, Table } from "../report";

/** Errors below it are rounding; a logarithmic axis has no zero. */
const floor = 1e-16;

function certificate(summary: Summary): HTMLElement {
  const { certificate: given, numbers = {} } = summary;
  const facts: [string, string][] = [];
  if (given) {
    facts.push(["Contact solves certified", given.certified ? "\u2713 all" : "\u2717 not all"]);
    facts.push(["Tolerance", formatNumber(given.tolerance)], ["Friction cone", given.cone]);
  }
  if (given?.accepted) facts.push(["Accepted above the tolerance", `${formatNumber(given.accepted)} contact solves, up to ${formatNumber(given.worst_error, 2)}`]);
  const add = (name: string, key: string): void => {
    if (numbers[key] !== undefined) facts.push([name, formatNumber(numbers[key], 3)]);
  };
  if (given?.worst_error !== undefined) facts.push(["Largest error", formatNumber(given.worst_error, 3)]);
  add("\u2026 relative to all contacts", "certificate.error");
  add("\u2026 free of scale", "certificate.error_scale_free");
  add("\u2026 of a contact in its own scale", "certificate.contact_error");
  add("Contact solves", "contact.solves");
  add("Iterations", "contact.iterations");
  add("Most contacts in a step", "contact.most_candidates");
  return definitions(facts);
}

/** Phases as bars with their numbers as text, the longest first. */
function phases(seconds: Record<string, number>): HTMLElement {
  const all = Object.entries(seconds).filter(([key]) => key !== "all");
  const sum = all.reduce((total, [, value]) => total + value, 0);
  const longest = Math.max(...all.map(([, value]) => value), Number.MIN_VALUE);
  all.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const rows = all.map(([key, value]) => {
    const bar = element("span", { class: "bar-fill" });
    bar.style.width = `${(100 * value) / longest}%`;
    const share = sum > 0 ? `${((100 * value) / sum).toFixed(0)} %` : "";
    const room = element("span", { class: "bar-room", "aria-hidden": "true" }, bar);
    return [phaseName(key), formatSeconds(value), share, room];
  });
  return table(["Phase", "Time", "Share", ""], rows, { class: "phases" });
}

function systemTable(summary: Summary): HTMLElement {
  const rows: string[][] = [];
  for (const [key, value] of Object.entries(summary.system ?? {}))
    rows.push([sizeName(key), key.endsWith("_bytes") ? formatBytes(value) : formatNumber(value)]);
  const unit = summary.units?.time ?? "";
  for (const [key, value] of Object.entries(summary.step ?? {})) {
    const own = key.startsWith("time") ? unit : "";
    rows.push([stepName(key), typeof value === "string" ? words(value) : formatQuantity(value, own, 6)]);
  }
  if (summary.exit_code !== undefined) rows.push(["Exit code", String(summary.exit_code)]);
  return table(["Size of the system and of the run", ""], rows, { class: "numbers" });
}

/** Numbers of what the run is not about are zero or none: these are folded away. */
function numbersTable(numbers: Record<string, number | null>): HTMLElement {
  const tableOf = (entries: [string, number | null][]): HTMLElement => {
    const rows = entries.map(([key, value]) => [element("span", { title: key }, numberName(key)), formatNumber(value)]);
    return table(["Key number", "Value"], rows, { class: "numbers" });
  };
  const all = Object.entries(numbers);
  const folded = all.filter(([, value]) => !value);
  const box = element("div", {}, tableOf(all.filter(([, value]) => value)));
  if (folded.length) box.append(element("details", {}, element("summary", {}, `${folded.length} more are zero or none`), tableOf(folded)));
  return box;
}

/** Curves of some columns of a table, those without any value or with zeros only left out. */
async function curvesOf(context: PanelContext, of: Table | undefined, wanted: [string, string][]): Promise<Curve[]> {
  if (!of) return [];
  const columns = await columnsOf(context.blocks, of);
  return wanted.flatMap(([name, label]): Curve[] => {
    const values = columns[of.columns.findIndex((column) => column.name === name)];
    if (!values || values.every((v) => v === 0 || Number.isNaN(v))) return [];
    return [{ label, unit: "", times: columns[0]!, values, colour: (colours) => colours.text }];
  });
}

/** Contacts have the colours of the status map. */
const statusColours: Record<string, Curve["colour"]> = {
  candidates: (colours) => colours.reference,
  sticking: (colours) => colours.stick,
  slipping: (colours) => colours.slip,
};

const coloured = (curves: Curve[]): Curve[] =>
  curves.map((curve, k) => ({ ...curve, colour: statusColours[curve.label] ?? curveColour(k), width: 1.5 }));

const sameValues = (a: Curve, b: Curve): boolean => a.values.every((v, i) => Object.is(v, b.values[i]));

async function plots(host: HTMLElement, context: PanelContext): Promise<Plot[]> {
  const of = (kind: Table["kind"]): Table | undefined =>
    context.run.tables.find((candidate) => candidate.kind === kind && candidate.kept > 0);
  const curves = (kind: Table["kind"], ...columns: [string, string][]): Promise<Curve[]> =>
    curvesOf(context, of(kind), columns);
  const states: [string, string][] = ["candidates", "sticking", "slipping"].map((name) => [name, name]);
  const contacts = await curves("contact", ...states);
  const iterations = await curves("contact", ["iterations", "iterations"]);
  const errors = await curves(
    "contact",
    ["error", "error"],
    ["error_scale_free", "free of scale"],
    ["exact_error_scale_free", "against the exact cone"],
  );
  // With the exact cone the last two are the same.
  if (errors.length === 3 && sameValues(errors[1]!, errors[2]!)) errors.pop();
  const balance = [
    ...(await curves("energy", ["closure", "energy ledger"])),
    ...(await curves("momentum", ["error", "momentum"], ["equilibrium", "equations of motion"])),
  ];
  const wanted: [string, Curve[], number?][] = [
    ["contacts", contacts],
    ["iterations per step", iterations],
    ["error of the contact solve", errors, floor],
    ["error of the balances", balance, floor],
  ];
  return wanted
    .filter(([, found]) => found.length > 0)
    .map(([name, found, bottom]) => {
      const axis = bottom ? { floor: bottom } : { whole: true, fromZero: true };
      return new Plot(host, { name, unit: "", curves: coloured(found), ...axis }, context);
    });
}

export const statistics: Panel = {
  id: "statistics",
  title: "Solver statistics",
  applies: ({ run }) => run.summary !== null || run.tables.some((candidate) => candidate.kind === "contact"),

  async mount(host, context) {
    const summary = context.run.summary ?? {};
    if (summary.certificate || summary.numbers) host.append(certificate(summary));
    const grid = element("div", { class: "plots" });
    host.append(grid);
    const drawn = await plots(grid, context);
    const tables = element("div", { class: "tables" });
    if (summary.seconds) {
      const { all } = summary.seconds;
      const clock = all === undefined ? "" : `; ${formatSeconds(all)} by the clock`;
      const title = element("h3", {}, `Processor time by phase${clock}`);
      tables.append(element("div", {}, title, phases(summary.seconds)));
    }
    tables.append(element("div", {}, systemTable(summary)));
    if (summary.numbers) tables.append(numbersTable(summary.numbers));
    host.append(tables);
    return { destroy: () => drawn.forEach((plot) => plot.destroy()) };
  },
};

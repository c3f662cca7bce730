// SPDX-License-Identifier: Apache-2.0
// The path of a quasistatic step: its force, what contacts do along it, where disturbances grow, and all statuses in a table.

import { columnsOf } from "../data";
import { choice, element } from "../dom";
import { formatNumber, formatTime, withUnit } from "../format";
import { timeUnitOf } from "../gears";
import type { MountedPanel, Panel, PanelContext } from "../panel";
import { type Chosen, type Path, type Status, chosenOf, judged, rowsOf, unitOf } from "../paths";
import { type Curve, Plot } from "../plots";
import type { Table } from "../report";
import { stack } from "../stack";
import { noGrowth, regionsOf, verdictSwatch, verdictWord } from "../verdicts";
import { statusWords } from "../view/legend";

const eventsOf = ({ run }: PanelContext): Table | undefined => run.tables.find(({ kind, kept }) => kind === "events" && kept > 0);

// Each status from its begin to its end.
const doubled = (statuses: Status[], begin: (s: Status) => number, end = begin): Float64Array =>
  Float64Array.from(statuses.flatMap((status) => [begin(status), end(status)]));

function countCurves(times: Float64Array, sticking: Float64Array, slipping: Float64Array, apart: Float64Array): Curve[] {
  const colours: Curve["colour"][] = [(c) => c.stick, (c) => c.slip, (c) => c.faint];
  const parts = [sticking, slipping, apart].map((values, k) => ({ label: ["sticking", "slipping", "apart"][k]!, values }));
  return stack(parts).map((layer) => ({
    label: layer.label, unit: "", times, values: layer.top, told: layer.values, colour: colours[layer.colour]!, fillTo: layer.on, width: 1,
  }));
}

/** Statuses between events, where no stability step has made a table of them. */
async function countsOfEvents(context: PanelContext, table: Table): Promise<Curve[]> {
  const end = context.clock.last;
  const rows = await rowsOf(context.blocks, table, { t: "t", sticking: "sticking", slipping: "slipping", apart: "apart" });
  // Of events at one time the last tells what there is after them.
  const states = rows.filter((row, k) => row.t !== rows[k + 1]?.t);
  const column = (key: "sticking" | "slipping" | "apart"): Float64Array => Float64Array.from(states.flatMap((row) => [row[key], row[key]]));
  const times = Float64Array.from(states.flatMap((row, k) => [row.t, states[k + 1]?.t ?? Math.max(row.t, end)]));
  return countCurves(times, column("sticking"), column("slipping"), column("apart"));
}

class PathView implements MountedPanel {
  private readonly grid = element("div", { class: "plots" });
  private readonly marks = element("div", { class: "legend-marks" });
  private readonly words = element("p", { class: "path-words" });
  private readonly place = element("div", { class: "table path-table" });
  private readonly ends: (() => void)[] = [];
  private plots: Plot[] = [];
  private rows: HTMLTableRowElement[] = [];
  private drawn: Path | null = null;

  constructor(
    host: HTMLElement,
    private readonly context: PanelContext,
    private readonly chosen: Chosen,
    private readonly events: Float64Array,
    private readonly changes: string[],
  ) {
    const { paths } = chosen;
    if (paths.length > 1) host.append(element("div", { class: "bar" }, this.steps(paths)));
    host.append(this.marks, this.grid, this.words, this.place);
    host.append(element("p", { class: "hint" }, "A click in a plot or on a row leads there; with the keys \u2191 and \u2193 from row to row."));
    this.ends.push(chosen.follow(() => this.follow()), context.theme.follow(() => this.paint()));
    this.follow();
  }

  destroy(): void {
    for (const end of this.ends) end();
    for (const plot of this.plots) plot.destroy();
  }

  private steps(paths: Path[]): HTMLElement {
    const names = paths.map(({ stability, statuses }) => `${stability.step} (${statuses.length})`);
    return choice("Stability step", names, paths.indexOf(this.chosen.path), (k) => this.chosen.choosePath(paths[k]!));
  }

  private get unit(): string {
    return timeUnitOf(this.context.run);
  }

  private time(t: number): string {
    const { clock } = this.context;
    return formatTime(t, clock.last - clock.first);
  }

  private follow(): void {
    const { path } = this.chosen;
    if (this.drawn !== path) this.draw(path);
    this.rows.forEach((row, k) => {
      const on = k === this.chosen.index;
      row.setAttribute("aria-selected", String(on));
      row.tabIndex = on ? 0 : -1;
    });
    this.reveal();
    this.tell();
  }

  private draw(path: Path): void {
    this.drawn = path;
    for (const plot of this.plots) plot.destroy();
    const { statuses, stability } = path;
    const regions = regionsOf(statuses);
    const times = doubled(statuses, (s) => s.begin, (s) => s.end);
    const of = (key: "sticking" | "slipping" | "apart"): Float64Array => doubled(statuses, (s) => s[key]);
    const unit = unitOf(stability.statuses, "tangential_force");
    const values = doubled(statuses, (s) => s.force, (s) => s.forceEnd);
    const force: Curve = { label: "tangential force", unit, times, values, colour: (c) => c.text, width: 2.25 };
    const counts = countCurves(times, of("sticking"), of("slipping"), of("apart"));
    const { events } = this;
    this.plots = [
      new Plot(this.grid, { name: "tangential force", unit, curves: [force], regions, events }, this.context),
      new Plot(this.grid, { name: "contacts", unit: "", curves: counts, whole: true, fromZero: true, events }, this.context),
    ];
    this.fillTable(path);
    this.paint();
  }

  /** Marks of verdicts, in the colours of the theme. */
  private paint(): void {
    const { colours } = this.context.theme;
    const there = [...new Set(this.chosen.path.statuses.map((status) => status.verdict))].sort();
    const sample = (verdict: number): HTMLElement => element(
      "span",
      { class: "legend-mark" },
      verdictSwatch(verdict, colours),
      verdictWord(verdict),
    );
    const event = element(
      "span",
      { class: "legend-mark" },
      element("span", { class: "event-mark", "aria-hidden": "true" }),
      "change of a contact's status",
    );
    this.marks.replaceChildren(...there.map(sample), ...(this.events.length ? [event] : []));
    this.rows.forEach((row, k) => {
      const { verdict } = this.chosen.path.statuses[k]!;
      row.lastElementChild!.replaceChildren(...(verdict === noGrowth ? [] : [verdictSwatch(verdict, colours), " "]), verdictWord(verdict));
    });
  }

  private fillTable({ statuses, stability }: Path): void {
    const unit = (name: string): string => unitOf(stability.statuses, name);
    const headings = [
      "status", withUnit("begin", unit("t")), "sticking", "slipping", "apart",
      withUnit("K_S*", unit("stiffness")), withUnit("least real \u039b", unit("least_real")),
      "first flutter mode", withUnit("frequency", unit("first_flutter_frequency")),
      withUnit("growth", unit("first_flutter_growth")), "verdict",
    ];
    this.rows = statuses.map((status, k) => this.row(status, k));
    const head = element("tr", {}, ...headings.map((text) => element("th", { scope: "col" }, text)));
    const made = element(
      "table",
      { role: "grid", "aria-label": `Statuses of the path, judged by ${stability.step}`, "data-keys": "own" },
      element("thead", {}, head),
      element("tbody", {}, ...this.rows),
    );
    made.addEventListener("keydown", (event) => this.key(event));
    this.place.replaceChildren(made);
  }

  private row(s: Status, k: number): HTMLTableRowElement {
    const flutters = s.flutterMode > 0;
    const cells = [
      String(s.number), this.time(s.begin), String(s.sticking), String(s.slipping), String(s.apart),
      formatNumber(s.stiffness), formatNumber(s.leastReal),
      flutters ? String(s.flutterMode) : "\u2013", formatNumber(s.flutterFrequency, 5), formatNumber(s.flutterGrowth), "",
    ];
    const row = element("tr", { "data-verdict": s.verdict }, ...cells.map((text) => element("td", {}, text)));
    row.addEventListener("click", () => this.chosen.choose(k));
    return row;
  }

  private key(event: KeyboardEvent): void {
    const { index, path } = this.chosen;
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: path.statuses.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.chosen.choose(to);
    this.rows[this.chosen.index]?.focus({ preventScroll: true });
  }

  /** Within its own box only: the page stays where it is. */
  private reveal(): void {
    const row = this.rows[this.chosen.index];
    if (!row) return;
    const { place } = this;
    const head = place.querySelector("thead")?.clientHeight ?? 0;
    const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
    if (top < place.scrollTop + head) place.scrollTop = top - head;
    else if (bottom > place.scrollTop + place.clientHeight) place.scrollTop = bottom - place.clientHeight;
  }

  private tell(): void {
    const { path, status } = this.chosen;
    const { clock } = this.context;
    const slack = 1e-9 * (clock.last - clock.first);
    const own = this.changes.filter((_, k) => Math.abs(this.events[k]! - status.begin) <= slack);
    const began = own.length > 0 ? ` It begins as ${own.join(", ")}.` : "";
    const said = path.words.get(status.number);
    const times = `t = ${this.time(status.begin)} to ${this.time(status.end)} ${this.unit}`.trimEnd();
    const place = `Status ${status.number} of ${path.stability.statuses!.rows}, ${times}`;
    this.words.textContent = `${place}: ${said ?? `${verdictWord(status.verdict)}.`}${began}`;
  }
}

/** "block.12 slips", for each event. */
async function changesOf(context: PanelContext, table: Table): Promise<string[]> {
  const rows = await rowsOf(context.blocks, table, { body: "body", node: "node", from: "from", to: "to" });
  const nameOf = (body: number): string => context.run.animation?.bodies[body]?.name ?? `body ${body}`;
  return rows.map(({ body, node, from, to }) => {
    const what = to === 0 ? "opens" : (statusWords[to] ?? "changes");
    return `${nameOf(body)}.${node} ${what}${from === 0 ? ", which was apart" : ""}`;
  });
}

export const path: Panel = {
  id: "path",
  title: "Path",
  applies: (context) => judged(context).length > 0 || eventsOf(context) !== undefined,

  async mount(host, context) {
    const table = eventsOf(context);
    const times = table ? (await columnsOf(context.blocks, table))[0]! : new Float64Array(0);
    const changes = table ? await changesOf(context, table) : [];
    if (judged(context).length > 0) return new PathView(host, context, await chosenOf(context), times, changes);
    const grid = element("div", { class: "plots" });
    host.append(grid);
    const curves = await countsOfEvents(context, table!);
    const plot = new Plot(grid, { name: "contacts", unit: "", curves, whole: true, fromZero: true, events: times }, context);
    host.append(element("p", { class: "hint" }, `Short lines mark the ${table!.rows} changes of a contact's status. After the last one the status stays.`));
    return plot;
  },
};

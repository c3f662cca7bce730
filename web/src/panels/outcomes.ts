// SPDX-License-Identifier: Apache-2.0
// Outcomes of the model: of the run that is looked at, and counted over all cases of a study.

import { button, element, table } from "../dom";
import { formatNumber } from "../format";
import type { Panel } from "../panel";
import type { Outcome, Run } from "../report";
import { pressRun, runName } from "../runs";

export const outcomesOf = (run: Run): Outcome[] => run.summary?.outcomes ?? [];

export const holdsWord = (holds: boolean | null | undefined): string => (holds === true ? "yes" : holds === false ? "no" : holds === null ? "undefined" : "\u2013");

export interface Count {
  name: string;
  holds: number;
  undefined: number;
  of: number;
}

/** Over all runs that have the outcome, in the order in which they have it first. */
export function countOutcomes(runs: Run[]): Count[] {
  const counts = new Map<string, Count>();
  for (const run of runs)
    for (const { name, holds } of outcomesOf(run)) {
      const count = counts.get(name) ?? { name, holds: 0, undefined: 0, of: 0 };
      counts.set(name, { name, holds: count.holds + (holds === true ? 1 : 0), undefined: count.undefined + (holds === null ? 1 : 0), of: count.of + 1 });
    }
  return [...counts.values()];
}

/** "wall falls in 3 of 12 cases" */
export const countWords = ({ name, holds, undefined: none, of }: Count): string =>
  `${name} in ${holds} of ${of} case${of === 1 ? "" : "s"}${none > 0 ? ` (undefined in ${none})` : ""}`;

const cell = (holds: boolean | null | undefined): HTMLElement => element("span", { class: "outcome", "data-holds": String(holds ?? "none") }, holdsWord(holds));

/** Cases as rows, outcomes as columns. */
function studyTable(runs: Run[], counts: Count[]): HTMLElement {
  const rows = runs.map((run, k) => {
    const own = outcomesOf(run);
    const name = button(runName(run, k), () => pressRun(k), { class: "link", title: "Show this case" });
    return [name, ...counts.map((count) => cell(own.find((outcome) => outcome.name === count.name)?.holds))];
  });
  return table(["Case", ...counts.map(({ name }) => name)], rows, { class: "outcomes" });
}

export const outcomes: Panel = {
  id: "outcomes",
  title: "Outcomes",
  applies: ({ report }) => report.runs.some((run) => outcomesOf(run).length > 0),

  async mount(host, { report, run }) {
    const several = report.runs.length > 1;
    const counts = countOutcomes(report.runs);
    if (several) {
      host.append(element("ul", { class: "outcome-counts" }, ...counts.map((count) => element("li", {}, countWords(count)))));
      host.append(element("div", { class: "outcomes-cases" }, studyTable(report.runs, counts)));
    }
    const own = outcomesOf(run).map((outcome) => [outcome.name, element("code", {}, outcome.that), formatNumber(outcome.value, 6), outcome.condition, cell(outcome.holds)]);
    if (several && own.length > 0) host.append(element("h3", {}, `Values of ${runName(run, report.runs.indexOf(run))}`));
    if (own.length > 0) host.append(table(["Outcome", "Statement", "Value", "Condition", "Holds"], own, { class: "outcomes" }));
    return { destroy: () => {} };
  },
};

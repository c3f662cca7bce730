// SPDX-License-Identifier: Apache-2.0
// The checks that the model asks for.

import { element, table } from "../dom";
import { formatNumber } from "../format";
import type { Panel } from "../panel";
import type { Check } from "../report";

function verdict(check: Check): HTMLElement {
  const [level, text] = check.passed ? ["good", "\u2713 passed"] : ["bad", "\u2717 failed"];
  return element("span", { class: "level", "data-level": level }, text);
}

export const checks: Panel = {
  id: "checks",
  title: "Checks",
  applies: ({ run }) => (run.summary?.checks?.length ?? 0) > 0,

  async mount(host, { run }) {
    const all = run.summary?.checks ?? [];
    const failed = all.filter((check) => !check.passed).length;
    const text = failed === 0 ? `All ${all.length} checks passed.` : `${failed} of ${all.length} checks failed.`;
    const rows = all.map((check) => [
      check.name && !check.name.startsWith(check.that) ? element("span", {}, check.name, " ", element("code", {}, check.that)) : element("code", {}, check.that), formatNumber(check.value, 6), check.must_be, verdict(check),
    ]);
    host.append(element("p", {}, all.length === 1 && failed === 0 ? "The one check passed." : text));
    host.append(table(["What", "Value", "Must be", "Result"], rows, { class: "checks" }));
    return { destroy: () => {} };
  },
};

// SPDX-License-Identifier: Apache-2.0
// What the top of a page must say, from the summary alone (docs/report.md).

const worst = ["No results", "Failed", "Not certified", "A check failed", "Not finished", "Interrupted", "Certified"];
const levels = { "Not finished": "warning", Interrupted: "warning", Certified: "good" };

export function headlineOf(summary) {
  if (!summary) return "No results";
  if (summary.state === "failed") return "Failed";
  if (summary.state === "interrupted") return "Interrupted";
  if (summary.state !== "finished") return "Not finished";
  if (!summary.certificate?.certified) return "Not certified";
  return summary.checks.every((check) => check.passed) ? "Certified" : "A check failed";
}

/** Of several runs the worst. */
export function verdictOf(summaries) {
  const headlines = summaries.map(headlineOf);
  const headline = worst.find((candidate) => headlines.includes(candidate));
  return { headline, level: levels[headline] ?? "bad" };
}

/** What the page says. */
export function shownVerdict(page) {
  return page.evaluate(() => {
    const top = document.querySelector("#verdict");
    const text = (selector) => top.querySelector(selector)?.textContent.trim() ?? "";
    return { level: top.dataset.level, headline: text(".headline"), detail: text(".detail"), title: text("h1") };
  });
}

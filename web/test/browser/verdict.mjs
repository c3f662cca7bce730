// SPDX-License-Identifier: Apache-2.0
// What the top of a page must say, from the summary alone (docs/reference/report.md).

const certified = "Contact solves certified";
const worst = ["No results", "Failed", "Not certified", "A check failed", "Not finished", "Interrupted", certified];
const levels = { "Not finished": "warning", Interrupted: "warning", [certified]: "good" };

function wordOf(summary) {
  if (!summary) return "No results";
  if (summary.state === "failed") return "Failed";
  if (summary.state === "interrupted") return "Interrupted";
  if (summary.state !== "finished") return "Not finished";
  if (!summary.certificate?.certified) return "Not certified";
  return summary.checks.every((check) => check.passed) ? certified : "A check failed";
}

/** Of several runs the worst; where all ended well, the result that the summary of the run or study has. */
export function verdictOf(summaries, top = summaries[0]) {
  const words = summaries.map(wordOf);
  const word = worst.find((candidate) => words.includes(candidate));
  return { headline: word === certified ? (top?.headline?.text ?? word) : word, level: levels[word] ?? "bad" };
}

/** What the page says. */
export function shownVerdict(page) {
  return page.evaluate(() => {
    const top = document.querySelector("#verdict");
    const text = (selector) => top.querySelector(selector)?.textContent.trim() ?? "";
    return { level: top.dataset.level, headline: text(".headline"), detail: text(".detail"), title: text("h1") };
  });
}

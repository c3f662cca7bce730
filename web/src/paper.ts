// SPDX-License-Identifier: Apache-2.0
// Tells when the page goes to paper and when it comes back.

const paper = matchMedia("print");
const listeners = new Set<() => void>();
let printing = paper.matches;

function change(on: boolean): void {
  if (on === printing) return;
  printing = on;
  for (const listener of listeners) listener();
}

// Some browsers send the events, some the query, some both.
paper.addEventListener("change", () => change(paper.matches));
addEventListener("beforeprint", () => change(true));
addEventListener("afterprint", () => change(false));

export const isPrinting = (): boolean => printing;

/** Calls back before and after print; the function that comes back ends it. */
export function followPrint(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

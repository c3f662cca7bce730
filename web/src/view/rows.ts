// SPDX-License-Identifier: Apache-2.0
// Order of the rows of the status map, and the times at which its columns begin.

import type { Animation } from "../report";

/** Contact nodes body by body; in the plane along x, then y; else by their number. */
export function orderRows(animation: Animation, positions: ArrayLike<number>, labels: ArrayLike<number>): number[] {
  const { dimension, bodies, contactNodes } = animation;
  const bodyOf = (node: number): number => bodies.findIndex((b) => node >= b.firstNode && node < b.firstNode + b.nodes);
  const place = (node: number, k: number): number => positions[dimension * node + k];
  const rows = contactNodes.map((node) => ({ node, body: bodyOf(node) }));
  rows.sort((a, b) => {
    if (a.body !== b.body) return a.body - b.body;
    if (dimension === 2)
      return place(a.node, 0) - place(b.node, 0) || place(a.node, 1) - place(b.node, 1) || a.node - b.node;
    return labels[a.node] - labels[b.node] || a.node - b.node;
  });
  return rows.map((row) => row.node);
}

/** The column of a frame reaches to the middle between it and its neighbours; the first one begins and the last one ends with the run. */
export function columnEdges(times: ArrayLike<number>, end: number): number[] {
  const all = Array.from(times);
  const last = all[all.length - 1];
  const middles = all.slice(1).map((time, k) => (time + all[k]) / 2);
  return [all[0], ...middles, end > last ? end : all.length > 1 ? last : last + 1];
}

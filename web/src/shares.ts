// SPDX-License-Identifier: Apache-2.0
// Contact nodes with the parts of the time that they stick, slip and are apart.

import type { Table } from "./report";

export interface ContactNode {
  /** "lip.12", or the number alone where bodies have no names here. */
  label: string;
  node: number;
  x: number;
  stick: number;
  slip: number;
  apart: number;
  impacts: number;
  force: number;
  forceRms: number;
  forceMost: number;
  speed: number;
}

/** Nodes along x; those of a pair stay together. */
export function sharesOf(table: Table, columns: ArrayLike<number>[], bodies: string[]): ContactNode[] {
  const at = (name: string, row: number): number => columns[table.columns.findIndex((column) => column.name === name)]?.[row] ?? NaN;
  const nodes = Array.from({ length: table.kept }, (_, row) => {
    const [node, body] = [at("node", row), bodies[at("body", row)]];
    return {
      label: body ? `${body}.${node}` : String(node), node, pair: at("pair", row) || 0, x: at("x", row),
      stick: at("stick", row), slip: at("slip", row), apart: at("apart", row), impacts: at("impacts", row), force: at("normal_force", row),
      forceRms: at("normal_force_rms", row), forceMost: at("normal_force_most", row), speed: at("sliding_speed", row),
    };
  });
  return nodes.sort((a, b) => a.pair - b.pair || (a.x - b.x || 0) || a.node - b.node);
}

export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** What the nodes do in the mean, in a sentence. */
export function contactWords(nodes: ContactNode[]): string {
  const mean = (key: "stick" | "slip" | "apart"): number => nodes.reduce((sum, node) => sum + node[key], 0) / nodes.length;
  const lifting = nodes.filter(({ apart }) => apart > 0).length;
  const impacts = nodes.reduce((sum, node) => sum + (node.impacts || 0), 0);
  const lifts = lifting === 0 ? "none ever lifts off" : `${lifting} of them lift off, with ${impacts} impacts in all`;
  const many = nodes.length === 1 ? "one contact node" : `${nodes.length} contact nodes`;
  return `${many}, in the mean ${percent(mean("stick"))} of the time in stick, ${percent(mean("slip"))} in slip, ${percent(mean("apart"))} apart; ${lifts}.`;
}

// SPDX-License-Identifier: Apache-2.0
// Contact nodes with the parts of the time that they stick, slip and are apart, as stacked bars.

import { element } from "./dom";
import type { MountedPanel } from "./panel";
import { followPrint } from "./paper";
import type { Table } from "./report";
import { shape } from "./svg";
import type { Theme } from "./theme";

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

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** What the nodes do in the mean, in a sentence. */
export function contactWords(nodes: ContactNode[]): string {
  const mean = (key: "stick" | "slip" | "apart"): number => nodes.reduce((sum, node) => sum + node[key], 0) / nodes.length;
  const lifting = nodes.filter(({ apart }) => apart > 0).length;
  const impacts = nodes.reduce((sum, node) => sum + (node.impacts || 0), 0);
  const lifts = lifting === 0 ? "none ever lifts off" : `${lifting} of them lift off, with ${impacts} impacts in all`;
  const many = nodes.length === 1 ? "one contact node" : `${nodes.length} contact nodes`;
  return `${many}, in the mean ${percent(mean("stick"))} of the time in stick, ${percent(mean("slip"))} in slip, ${percent(mean("apart"))} apart; ${lifts}.`;
}

const edge = { left: 50, right: 8, top: 8, bottom: 40 };

class ShareBars implements MountedPanel {
  private readonly picture = shape("svg", { class: "share-picture", role: "img" }) as SVGSVGElement;
  private readonly box = element("div", { class: "chart" });
  private readonly ends: (() => void)[] = [];

  constructor(
    host: HTMLElement,
    private readonly theme: Theme,
    private readonly nodes: ContactNode[],
    name: string,
  ) {
    this.picture.setAttribute("aria-label", `${name}: ${contactWords(nodes)} All numbers stand in the table below.`);
    this.box.append(this.picture);
    host.append(this.box);
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(this.box);
    this.ends.push(() => observer.disconnect(), theme.follow(() => this.draw()), followPrint(() => this.draw()));
    this.draw();
  }

  destroy(): void {
    for (const end of this.ends) end();
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (width === 0) return;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.replaceChildren(...this.axes(width, height), ...this.nodes.map((node, k) => this.bar(node, k, width, height)));
  }

  private axes(width: number, height: number): SVGElement[] {
    const { faint, grid } = this.theme.colours;
    const text = (x: number, y: number, anchor: string, words: string): SVGElement => shape("text", { x, y, "text-anchor": anchor, fill: faint }, words);
    const [below, high] = [height - edge.bottom, height - edge.bottom - edge.top];
    const parts = [0, 25, 50, 75, 100].flatMap((share) => {
      const y = below - (high * share) / 100;
      return [shape("line", { x1: edge.left - 4, x2: width - edge.right, y1: y, y2: y, stroke: grid }), text(edge.left - 8, y + 4, "end", `${share} %`)];
    });
    return [...parts, text((edge.left + width - edge.right) / 2, height - 4, "middle", "contact node, along x")];
  }

  private bar(node: ContactNode, k: number, width: number, height: number): SVGElement {
    const { colours } = this.theme;
    const wide = (width - edge.left - edge.right) / this.nodes.length;
    const [left, high, below] = [edge.left + k * wide, height - edge.bottom - edge.top, height - edge.bottom];
    const air = Math.min(3, 0.12 * wide);
    const title = `${node.label}: sticks ${percent(node.stick)}, slips ${percent(node.slip)}, is apart ${percent(node.apart)} of the time`;
    const made = shape("g", {}, shape("title", {}, title));
    let base = below;
    for (const [share, fill] of [[node.stick, colours.stick], [node.slip, colours.slip], [node.apart, colours.apart]] as const) {
      const tall = high * Math.min(1, Math.max(0, share || 0));
      base -= tall;
      made.append(shape("rect", { x: left + air, y: base, width: Math.max(0.5, wide - 2 * air), height: tall, fill, stroke: colours.faint, "stroke-width": wide > 8 ? 0.75 : 0 }));
    }
    // As many numbers as have room.
    const every = Math.max(1, Math.ceil((8 * Math.max(...this.nodes.map((one) => String(one.node).length)) + 8) / wide));
    if (k % every === 0) made.append(shape("text", { x: left + wide / 2, y: below + 15, "text-anchor": "middle", fill: colours.faint }, String(node.node)));
    return made;
  }
}

export const shareBars = (host: HTMLElement, theme: Theme, nodes: ContactNode[], name: string): MountedPanel => new ShareBars(host, theme, nodes, name);

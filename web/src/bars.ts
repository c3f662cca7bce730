// SPDX-License-Identifier: Apache-2.0
// Stacked bars: how much of the time each contact node sticks, slips and is apart.

import { element } from "./dom";
import type { MountedPanel } from "./panel";
import { followPrint } from "./paper";
import { type ContactNode, contactWords, percent } from "./shares";
import { shape } from "./svg";
import type { Theme } from "./theme";

const edge = { left: 50, right: 8, top: 8, bottom: 40 };

export class ShareBars implements MountedPanel {
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

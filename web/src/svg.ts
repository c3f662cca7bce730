// SPDX-License-Identifier: Apache-2.0
// Elements of pictures, as dom.ts makes those of the page.

const names = "http://www.w3.org/2000/svg";

export function shape(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(names, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

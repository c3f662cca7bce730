// SPDX-License-Identifier: Apache-2.0
// Elements without markup: texts go in by textContent only, so that no text of a model can become an element.

export type Attributes = Record<string, string | number | boolean>;

/** An element with attributes (true: present without a value, false: absent) and children; strings become texts. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(name, value === true ? "" : String(value));
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** A check box inside of its label. */
export function checkbox(label: string, on: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = element("input", { type: "checkbox", checked: on });
  box.addEventListener("change", () => change(box.checked));
  return element("label", { class: "check" }, box, label);
}

/** A choice of texts inside of its label; values are the indices. */
export function choice(
  label: string,
  options: string[],
  chosen: number,
  change: (index: number) => void,
): HTMLLabelElement {
  const select = element("select");
  options.forEach((text, k) => select.append(element("option", { value: k, selected: k === chosen }, text)));
  select.addEventListener("change", () => change(Number(select.value)));
  return element("label", { class: "choice" }, element("span", {}, label), select);
}

/** A table in a box that scrolls by itself where it is too wide. */
export function table(headings: string[], rows: (Node | string)[][], attributes: Attributes = {}): HTMLElement {
  const head = element("tr", {}, ...headings.map((text) => element("th", { scope: "col" }, text)));
  const cellOf = (cell: Node | string, k: number): HTMLElement =>
    element("td", { "data-label": headings[k] ?? "" }, cell);
  const body = rows.map((row) => element("tr", {}, ...row.map(cellOf)));
  const made = element("table", attributes, element("thead", {}, head), element("tbody", {}, ...body));
  return element("div", { class: "table" }, made);
}

/** Pairs of a name and a value. */
export function definitions(pairs: [string, string][]): HTMLElement {
  const items = pairs.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return element("dl", { class: "facts" }, ...items);
}

// SPDX-License-Identifier: Apache-2.0
// What a page must keep to in any size and colour: nothing wider than the window, nothing over something else, names for all
// controls, texts that can be read. Each function gives a list of what is wrong, for people.

/** Elements that make the page wider than the window. */
export function overflow(page) {
  return page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const kept = (e) => e.parentElement && (getComputedStyle(e.parentElement).overflowX !== "visible" || kept(e.parentElement));
    const sticksOut = (e) => e.getBoundingClientRect().right > root.clientWidth + 0.5 && !kept(e);
    const wide = [...document.body.querySelectorAll("*")].filter(sticksOut);
    const names = wide.slice(0, 8).map((e) => `${e.tagName.toLowerCase()}#${e.id}.${e.className} in #${e.closest("[id]")?.id}`);
    return [`${root.scrollWidth} wide in a window of ${root.clientWidth}: ${names.join(", ")}`];
  });
}

/** Pairs of texts or controls that stand on top of each other. */
export function overlaps(page) {
  return page.evaluate(() => {
    // what is scrolled or cut away by an element around it does not count
    function clipped(box, element) {
      let { left, top, right, bottom } = box;
      for (let e = element; e && e !== document.body; e = e.parentElement) {
        const style = getComputedStyle(e);
        if (style.overflowX === "visible" && style.overflowY === "visible" && style.clipPath === "none") continue;
        const around = e.getBoundingClientRect();
        [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
        [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
      }
      return { left, top, right, bottom };
    }
    const floats = (element) => {
      for (let e = element; e; e = e.parentElement) if (["sticky", "fixed"].includes(getComputedStyle(e).position)) return e;
      return null;
    };
    const items = [];
    const add = (element, box, name) => {
      const b = clipped(box, element);
      if (b.right - b.left > 2 && b.bottom - b.top > 2) items.push({ element, name, floating: floats(element), ...b });
    };
    for (const e of document.body.querySelectorAll("*")) {
      if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest("svg")) continue;
      if (e.matches("button, input, select, textarea, summary")) add(e, e.getBoundingClientRect(), e.outerHTML.slice(0, 80));
      for (const node of e.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || !node.data.trim() || e.matches("option, script, style")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) add(e, box, `'${node.data.trim().slice(0, 40)}'`);
      }
    }
    const wrong = [];
    for (let i = 0; i < items.length; i++) {
      for (let k = i + 1; k < items.length; k++) {
        const [a, b] = [items[i], items[k]];
        if (a.floating !== b.floating || a.element.contains(b.element) || b.element.contains(a.element)) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 2 && height > 2.5) wrong.push(`${a.name} and ${b.name}`);
      }
    }
    return wrong.slice(0, 10);
  });
}

/** Panels that lie over one another at any place of the page: one that stays in sight while others are scrolled. */
export function coveredPanels(page) {
  return page.evaluate(() => {
    const panels = [...document.querySelectorAll("section.panel")];
    const wrong = new Set();
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 3) {
      scrollTo(0, y);
      const boxes = panels.map((e) => e.getBoundingClientRect());
      boxes.forEach((a, i) =>
        boxes.slice(0, i).forEach((b, k) => {
          const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
          if (width > 1 && height > 1) wrong.add(`${panels[k].id} and ${panels[i].id}`);
        }),
      );
    }
    scrollTo(0, 0);
    return [...wrong];
  });
}

const roles = "button checkbox combobox image img link listbox radio searchbox slider spinbutton switch tab textbox".split(" ");

/** Controls and pictures that have no name for those who can't see them, by the browser's own tree. */
export async function unnamed(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const bad = nodes.filter((n) => !n.ignored && roles.includes(n.role?.value) && !n.name?.value?.trim());
  return bad.map((n) => `${n.role.value} without a name`);
}

/** Texts whose contrast to what is behind them is below 4.5 (3 for large ones). */
export function faint(page) {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const behind = (element) => {
      const layers = [];
      for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const wrong = [];
    for (const e of document.body.querySelectorAll("*")) {
      const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
      if (!own || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest(":disabled, svg")) continue;
      const box = e.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const style = getComputedStyle(e);
      const back = behind(e);
      let ink = rgba(style.color);
      for (let p = e; p; p = p.parentElement) ink = [ink[0], ink[1], ink[2], ink[3] * Number(getComputedStyle(p).opacity)];
      const [a, b] = [light(over(ink, back)), light(back)];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
      if (contrast < (large ? 3 : 4.5) - 0.01) wrong.push(`${contrast.toFixed(2)}: '${e.textContent.trim().slice(0, 40)}' (${e.tagName}.${e.className})`);
    }
    return [...new Set(wrong)].slice(0, 10);
  });
}

/** Walks through the page by Tab: controls that are never reached, and those whose focus can't be seen. */
export async function keyboardTrouble(page) {
  const wanted = await page.evaluate(() => {
    const all = document.body.querySelectorAll("button, input, select, textarea, a[href], summary, [tabindex='0']");
    const visible = [...all].filter((e) => !e.disabled && e.checkVisibility({ visibilityProperty: true }) && e.tabIndex >= 0);
    // one button of a radio group stands for all of them
    const groups = new Set();
    const kept = visible.filter((e) => e.type !== "radio" || (!groups.has(e.name) && groups.add(e.name)));
    kept.forEach((e, i) => (e.dataset.stop = e.type === "radio" ? e.name : String(i)));
    document.activeElement?.blur();
    return kept.map((e) => [e.dataset.stop, e.outerHTML.slice(0, 90)]);
  });
  const reached = new Set();
  const unseen = [];
  for (let i = 0; i < wanted.length + 20 && reached.size < wanted.length; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const style = getComputedStyle(e);
      const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
      return { stop: e.type === "radio" ? e.name : e.dataset.stop, seen, name: e.outerHTML.slice(0, 90) };
    });
    if (!at) continue;
    reached.add(at.stop);
    if (!at.seen) unseen.push(`focus can't be seen: ${at.name}`);
  }
  const missed = wanted.filter(([stop]) => !reached.has(stop)).map(([, name]) => `not reached by Tab: ${name}`);
  return [...missed, ...unseen].slice(0, 10);
}

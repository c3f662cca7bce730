// SPDX-License-Identifier: Apache-2.0
// Texts that are drawn on canvases (axes of plots) can't be found in the page: they are noted as they are drawn.

/** Runs in the page before its own program. Keeps, per canvas, each text and the box in which it stands. */
export function recordDrawnTexts() {
  const prototype = CanvasRenderingContext2D.prototype;
  const { fillText, drawImage } = prototype;
  // what covers most of a canvas begins it anew; sizes are in pixels of the page or of the screen
  for (const name of ["clearRect", "fillRect"]) {
    const original = prototype[name];
    prototype[name] = function (x, y, width, height) {
      const scale = this.getTransform().a || 1;
      if (x <= 0 && y <= 0 && scale * width >= 0.99 * this.canvas.width && scale * height >= 0.99 * this.canvas.height) this.canvas.drawnTexts = [];
      return original.call(this, x, y, width, height);
    };
  }
  // a picture that was prepared elsewhere brings its texts
  prototype.drawImage = function (image, ...rest) {
    if (image.drawnTexts?.length && image.width === this.canvas.width) this.canvas.drawnTexts = [...image.drawnTexts];
    return drawImage.call(this, image, ...rest);
  };
  // a canvas whose size is set is empty
  for (const side of ["width", "height"]) {
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side);
    const empty = function (value) {
      this.drawnTexts = [];
      set.call(this, value);
    };
    Object.defineProperty(HTMLCanvasElement.prototype, side, { get, set: empty, configurable: true });
  }
  prototype.fillText = function (text, x, y, ...rest) {
    if (String(text).trim()) (this.canvas.drawnTexts ??= []).push({ text: String(text), ...boxOf(this, String(text), x, y) });
    return fillText.call(this, text, x, y, ...rest);
  };
  // the box in pixels of the canvas, also of a text that is turned
  function boxOf(context, text, x, y) {
    const size = context.measureText(text);
    const corners = [
      [x - size.actualBoundingBoxLeft, y - size.actualBoundingBoxAscent],
      [x + size.actualBoundingBoxRight, y + size.actualBoundingBoxDescent],
    ].map(([px, py]) => context.getTransform().transformPoint(new DOMPoint(px, py)));
    const [xs, ys] = [corners.map((p) => p.x), corners.map((p) => p.y)];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }
}

/** Of every visible canvas in which texts are drawn: its texts, pairs that overlap, and texts that are cut at its edge. */
export function drawnTexts(page) {
  return page.evaluate(() => {
    const overlaps = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const found = [];
    for (const canvas of document.querySelectorAll("canvas")) {
      const texts = canvas.drawnTexts ?? [];
      if (!texts.length || !canvas.checkVisibility()) continue;
      const pairs = texts.flatMap((a, i) =>
        texts.slice(i + 1).filter((b) => overlaps(a, b)).map((b) => `'${a.text}' and '${b.text}'`),
      );
      const cut = texts.filter((a) => a.left < -1 || a.top < -1 || a.right > canvas.width + 1 || a.bottom > canvas.height + 1);
      found.push({ axes: Boolean(canvas.closest(".uplot, #panel-status")), texts: texts.map((a) => a.text), pairs, cut: cut.map((a) => a.text) });
    }
    return found;
  });
}

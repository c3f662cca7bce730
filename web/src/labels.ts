// SPDX-License-Identifier: Apache-2.0
// Room on a chart: ranges of axes, and texts that do not stand on each other.

/** Values that differ by no more of their size are the same but for rounding. */
const rounding = 1e-12;

/** The range around values that are all the same but for rounding, which would else be all that is seen of them. */
export function rangeOfSame(low: number, high: number): [number, number] | undefined {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > rounding * size) return undefined;
  return size === 0 ? [-1, 1] : [low - size / 2, high + size / 2];
}

/** Least and largest with some air; zero belongs to it where it is near. */
export function rangeWithAir(values: number[]): [number, number] {
  const there = values.filter(Number.isFinite);
  if (there.length === 0) return [0, 1];
  let low = there.reduce((a, b) => Math.min(a, b));
  let high = there.reduce((a, b) => Math.max(a, b));
  if (low > 0 && low < 0.3 * high) low = 0;
  const same = rangeOfSame(low, high);
  if (same) return same;
  const air = 0.08 * (high - low);
  return [low === 0 ? -0.4 * air : low - air, high + air];
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const meets = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Which of these boxes can be drawn so that none stands on one before it or on those that are there, and all stay within. */
export function withRoom(boxes: Box[], within: Box, there: Box[] = []): boolean[] {
  const taken = [...there];
  return boxes.map((box) => {
    const inside = box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom;
    const free = inside && !taken.some((other) => meets(box, other));
    if (free) taken.push(box);
    return free;
  });
}

/** Places of texts in two rows over vertical lines: each text in the first row in which nothing stands, no other line that ends at a
    text crosses it, and a gap stays to its neighbours; null where there is no such room. */
export function inRows(texts: { x: number; half: number }[], within: Box, height: number, gap = 3): (Box | null)[] {
  const taken: Box[] = [];
  const lines: Box[] = [];
  return texts.map(({ x, half }) => {
    for (const row of [0, 1]) {
      const top = within.top + row * (height + 1);
      const box = { left: x - half, right: x + half, top, bottom: top + height };
      // The line of a text in the upper row goes through the lower one.
      const line = { left: x - 1, right: x + 1, top: box.bottom, bottom: within.top + 2 * height + 1 };
      const wide = { ...box, left: box.left - gap, right: box.right + gap };
      const crossed = row === 0 ? taken.some((other) => meets(line, other)) : lines.some((other) => meets(box, other));
      if (crossed || !withRoom([box], within)[0] || taken.some((other) => meets(wide, other))) continue;
      taken.push(box);
      if (row === 0) lines.push(line);
      return box;
    }
    return null;
  });
}

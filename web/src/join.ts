// SPDX-License-Identifier: Apache-2.0
// Times of several tables on one axis. A jump is two rows of the same time, and stays one.

const same = (a: Float64Array, b: Float64Array): boolean =>
  a === b || (a.length === b.length && a.every((t, i) => t === b[i]));

/** All times of both, which grow; one that a list has twice is there twice. */
function union(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length + b.length);
  let [i, k, count] = [0, 0, 0];
  while (i < a.length || k < b.length) {
    const [s, t] = [a[i] ?? Infinity, b[k] ?? Infinity];
    if (s <= t) i++;
    if (t <= s) k++;
    out[count++] = Math.min(s, t);
  }
  return out.slice(0, count);
}

/** All times of all lists; most often they are equal. Halves of the lists, so that many of them cost little more. */
export function unionOf(lists: Float64Array[]): Float64Array {
  const different = lists.filter((list, k) => k === 0 || !same(list, lists[k - 1]!));
  if (different.length < 2) return different[0] ?? new Float64Array(0);
  const half = different.length >> 1;
  const [a, b] = [unionOf(different.slice(0, half)), unionOf(different.slice(half))];
  return same(a, b) ? a : union(a, b);
}

/** Values at all times: undefined, which is no gap, at those that are not the curve's own. */
export function aligned<T>(own: Float64Array, values: T[], all: Float64Array): (T | undefined)[] {
  if (own.length === all.length) return values;
  const out = new Array<T | undefined>(all.length).fill(undefined);
  let k = 0;
  for (let i = 0; i < all.length && k < own.length; i++) if (all[i] === own[k]) out[i] = values[k++];
  return out;
}

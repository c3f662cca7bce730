// SPDX-License-Identifier: Apache-2.0
// Round numbers for scales and ticks.

/** The largest of 1, 2, 5 times a power of ten that is not above a positive number. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  const digit = [5, 2].find((d) => d * power <= value * (1 + 1e-9)) ?? 1;
  return digit * power;
}

/** Round places within [low, high], some `count` of them. */
export function ticksOf(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  let step = roundBelow((high - low) / count);
  while ((high - low) / step > count + 1) step = roundBelow(2.5 * step);
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k === 0 ? 0 : k * step);
  return ticks;
}

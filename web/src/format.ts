// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.

const none = "\u2013";

// 1.50e-9 as 1.5e-9, 2.00 as 2.
function withoutTrailingZeros(text: string): string {
  const [mantissa = "", power] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return power === undefined ? short : `${short}e${power.replace("+", "")}`;
}

/** A number with some digits; very small and very large ones with a power of ten. */
export function formatNumber(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return none;
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "-\u221e";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e6 ? value.toPrecision(digits) : value.toExponential(digits - 1);
  return withoutTrailingZeros(text);
}

/** With its unit, which may be empty. */
export function formatQuantity(value: number | null | undefined, unit: string, digits = 4): string {
  const text = formatNumber(value, digits);
  return unit && text !== none ? `${text} ${unit}` : text;
}

function roundedTo(value: number, power: number): number {
  return power > 0 ? Math.round(value / 10 ** power) * 10 ** power : Number(value.toFixed(Math.min(100, -power)));
}

/** Numbers that are known to within a resolution (0: as they are), with no more digits than that: (1230, 0) \u00b1 20 N. */
export function formatKnown(values: ArrayLike<number>, resolution: number, unit: string): string {
  const all = Array.from(values);
  if (all.every(Number.isNaN)) return none;
  const known = resolution > 0;
  const power = known ? Math.floor(Math.log10(resolution)) : 0;
  const largest = all.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0);
  // Four digits are shown at most: where all of them are sure, nothing more has to be said.
  const sure = !known || (largest > 0 && Math.floor(Math.log10(largest)) - power >= 4);
  const texts = all.map((v) => formatNumber(known ? Number(roundedTo(v, power).toPrecision(4)) : v));
  const text = texts.length === 1 ? texts[0]! : `(${texts.join(", ")})`;
  // A bound is rounded up.
  const error = Math.ceil(resolution / 10 ** power - 1e-9);
  return [text, sure ? "" : `\u00b1 ${formatNumber(Number(`${error}e${power}`))}`, unit].filter(Boolean).join(" ");
}

/** A frequency beside its mark: four digits, all of them where there are more. */
export const formatFrequency = (value: number): string => (Math.abs(value) >= 1e4 && Math.abs(value) < 1e7 ? value.toFixed(0) : formatNumber(value));

/** A time of a run that lasts this long: always as many digits, so that it does not jump while it runs. */
export function formatTime(time: number, span: number): string {
  if (!(span > 0)) return formatNumber(time);
  const size = Math.floor(Math.log10(span));
  if (size >= -3 && size < 5) return time.toFixed(Math.max(0, 4 - size));
  const power = 3 * Math.floor(size / 3);
  return `${(time / 10 ** power).toFixed(4 - (size - power))}e${power}`;
}

/** 5836870 as 5.84 MB. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let k = 0;
  for (; bytes >= 1000 && k < units.length - 1; k++) bytes /= 1000;
  return `${k === 0 ? bytes : bytes.toPrecision(3)} ${units[k]}`;
}

/** Seconds of work, as 1.35 s, 12.3 ms or 4 min 20 s. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds >= 1 || seconds === 0) return `${withoutTrailingZeros(seconds.toPrecision(3))} s`;
  if (seconds >= 1e-3) return `${withoutTrailingZeros((1e3 * seconds).toPrecision(3))} ms`;
  return `${withoutTrailingZeros((1e6 * seconds).toPrecision(3))} \u00b5s`;
}

/** "name [unit]", or the name alone for pure numbers; underscores are spaces for people. */
export function withUnit(name: string, unit: string): string {
  return unit ? `${name} [${unit}]` : name;
}

/** A name of the model as words. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

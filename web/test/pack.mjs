// SPDX-License-Identifier: Apache-2.0
// Packs numbers as src/report/ does (docs/reference/report.md), for pages that tests make.

import { deflateSync } from "node:zlib";

const arrays = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
};

function shuffled(numbers) {
  const size = numbers.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < numbers.length; i++)
    for (let k = 0; k < size; k++) out[k * numbers.length + i] = bytes[i * size + k];
  return out;
}

// From the last frame on, so that each difference still finds the frame before it; typed arrays wrap around.
function toDifferences(numbers, width) {
  for (let i = numbers.length - 1; i >= width; i--) numbers[i] -= numbers[i - width];
}

export class Packer {
  texts = [];

  /** Packs numbers as they are; what comes back is the Block of the JSON. */
  add(type, values, more = {}) {
    const numbers = arrays[type].from(values);
    if (more.width) toDifferences(numbers, more.width);
    this.texts.push(deflateSync(shuffled(numbers)).toString("base64"));
    return { block: this.texts.length - 1, type, count: numbers.length, ...more };
  }

  /** Quantises over the range of the values; NaN becomes the least number. */
  quantise(type, values, width) {
    const most = type === "int8" ? 127 : 32767;
    let low = Infinity;
    let high = -Infinity;
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    if (!(low <= high)) low = high = 0;
    const offset = (low + high) / 2;
    const scale = (high - low) / (2 * most) || 1;
    const numbers = Array.from(values, (v) => (Number.isNaN(v) ? -most - 1 : Math.round((v - offset) / scale)));
    return this.add(type, numbers, width ? { scale, offset, width } : { scale, offset });
  }
}

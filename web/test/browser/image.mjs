// SPDX-License-Identifier: Apache-2.0
// Pictures as people see them: screenshots, read back into pixels.

import { inflateSync } from "node:zlib";

/** A PNG of 8 bits per channel without interlacing, as browsers write it: {width, height, channels, pixels}. */
export function readPng(bytes) {
  let at = 8;
  let header = null;
  const parts = [];
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = body;
    if (type === "IDAT") parts.push(body);
    at += 12 + length;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = { 0: 1, 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || !channels || header[12] !== 0) throw new Error("a PNG of a kind that is not read here");
  return { width, height, channels, pixels: unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels) };
}

// Undoes the five filters of the PNG format, line by line.
function unfilter(data, stride, height, step) {
  const out = new Uint8Array(stride * height);
  for (let line = 0; line < height; line++) {
    const filter = data[line * (stride + 1)];
    const from = line * (stride + 1) + 1;
    const to = line * stride;
    for (let i = 0; i < stride; i++) {
      const left = i >= step ? out[to + i - step] : 0;
      const up = line > 0 ? out[to + i - stride] : 0;
      const corner = line > 0 && i >= step ? out[to + i - stride - step] : 0;
      out[to + i] = data[from + i] + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** How many colours there are, similar ones taken together, and which share of the area is not the background. */
export function drawn(image) {
  const count = new Map();
  const total = image.width * image.height;
  for (let i = 0; i < total; i++) {
    const key = colourAt(image, i);
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  const background = Math.max(...count.values());
  // a colour that hardly occurs is an edge that was smoothed
  const colours = [...count.values()].filter((n) => n >= Math.max(2, total * 2e-5)).length;
  return { colours, share: 1 - background / total };
}

/** The share of pixels in which two pictures of the same size differ. */
export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let i = 0; i < a.width * a.height; i++) if (colourAt(a, i) !== colourAt(b, i)) different++;
  return different / (a.width * a.height);
}

// Four bits per channel.
function colourAt(image, i) {
  const k = i * image.channels;
  const p = image.pixels;
  return ((p[k] >> 4) << 8) | ((p[k + 1] >> 4) << 4) | (p[k + 2] >> 4);
}

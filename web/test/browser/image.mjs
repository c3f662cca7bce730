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

// Undoes the filters of the PNG format, line by line; each line says which of the five it has.
function unfilter(data, stride, height, step) {
  const out = new Uint8Array(stride * height);
  let above = new Uint8Array(stride);
  for (let line = 0; line < height; line++) {
    const from = line * (stride + 1);
    const now = out.subarray(line * stride, (line + 1) * stride);
    now.set(data.subarray(from + 1, from + 1 + stride));
    undo[data[from]](now, above, step);
    above = now;
  }
  return out;
}

const undo = [
  () => {},
  (now, above, step) => {
    for (let i = step; i < now.length; i++) now[i] += now[i - step];
  },
  (now, above) => {
    for (let i = 0; i < now.length; i++) now[i] += above[i];
  },
  (now, above, step) => {
    for (let i = 0; i < now.length; i++) now[i] += ((i >= step ? now[i - step] : 0) + above[i]) >> 1;
  },
  (now, above, step) => {
    for (let i = 0; i < step; i++) now[i] += above[i];
    for (let i = step; i < now.length; i++) now[i] += nearest(now[i - step], above[i], above[i - step]);
  },
];

// The one of three neighbours that is nearest to left + up - corner.
function nearest(left, up, corner) {
  const a = Math.abs(up - corner);
  const b = Math.abs(left - corner);
  const c = Math.abs(left + up - 2 * corner);
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

// SPDX-License-Identifier: Apache-2.0
// Unpacks the blocks of a page (docs/reference/report.md).

import type { Block, BlockType, Table } from "./report";

export type Numbers = Int8Array | Uint8Array | Int16Array | Uint32Array | Float32Array | Float64Array;

export interface Blocks {
  /** The stored numbers, differences undone, unpacked once and kept. */
  load(block: Block): Promise<Numbers>;
  /** Their values: offset + scale * number, NaN where there is none. */
  values(block: Block): Promise<Float64Array | Float32Array>;
}

const sizes: Record<BlockType, number> = { int8: 1, uint8: 1, int16: 2, uint32: 4, float32: 4, float64: 8 };

function view(type: BlockType, buffer: ArrayBuffer): Numbers {
  switch (type) {
    case "int8":
      return new Int8Array(buffer);
    case "uint8":
      return new Uint8Array(buffer);
    case "int16":
      return new Int16Array(buffer);
    case "uint32":
      return new Uint32Array(buffer);
    case "float32":
      return new Float32Array(buffer);
    case "float64":
      return new Float64Array(buffer);
  }
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The lowest bytes of all numbers come first, then the next ones.
function unshuffle(bytes: Uint8Array, size: number, count: number): ArrayBuffer {
  const out = new Uint8Array(count * size);
  for (let k = 0; k < size; k++)
    for (let i = 0, from = k * count; i < count; i++) out[i * size + k] = bytes[from + i]!;
  return out.buffer;
}

// Typed arrays wrap around, as the differences did.
function undoDifferences(numbers: Numbers, width: number): void {
  for (let i = width; i < numbers.length; i++) numbers[i]! += numbers[i - width]!;
}

/** Numbers of a block from its base64 text. */
export async function unpack(block: Block, text: string): Promise<Numbers> {
  const size = sizes[block.type];
  // What browsers say of damaged data has nothing to do with it.
  const bytes = await inflate(bytesOfBase64(text)).catch(() => {
    throw new Error(`block ${block.block} is damaged`);
  });
  if (bytes.length !== size * block.count)
    throw new Error(`block ${block.block} has ${bytes.length} bytes instead of ${size * block.count}`);
  const numbers = view(block.type, unshuffle(bytes, size, block.count));
  if (block.width) undoDifferences(numbers, block.width);
  return numbers;
}

/** Values of unpacked numbers; the least number of a signed type stands for none. */
export function valuesOf(block: Block, numbers: Numbers): Float64Array | Float32Array {
  if (numbers instanceof Float64Array || numbers instanceof Float32Array) return numbers;
  const { scale = 1, offset = 0 } = block;
  const none = block.type === "int8" ? -128 : block.type === "int16" ? -32768 : NaN;
  const out = new Float64Array(numbers.length);
  for (let i = 0; i < out.length; i++) out[i] = numbers[i] === none ? NaN : offset + scale * numbers[i]!;
  return out;
}

/** Blocks by a function that finds the text of one; each is unpacked once. */
export function createBlocks(textOf: (number: number) => string): Blocks {
  const kept = new Map<number, Promise<Numbers>>();
  const load = (block: Block): Promise<Numbers> => {
    let numbers = kept.get(block.block);
    if (!numbers) kept.set(block.block, (numbers = unpack(block, textOf(block.block))));
    return numbers;
  };
  return { load, values: async (block) => valuesOf(block, await load(block)) };
}

/** The blocks that stand in the page. */
export function pageBlocks(): Blocks {
  return createBlocks((number) => {
    const script = document.getElementById(`block-${number}`);
    if (!script) throw new Error(`the page has no block ${number}`);
    return script.textContent ?? "";
  });
}

const columnsOfNumbers = new WeakMap<object, Float64Array[]>();

/** The columns of a table, the first is t; the same arrays whenever they are asked for. */
export async function columnsOf(blocks: Blocks, table: Table): Promise<Float64Array[]> {
  const stored = await blocks.load(table.data);
  let columns = columnsOfNumbers.get(stored);
  if (!columns) {
    const values = valuesOf(table.data, stored);
    const all = values instanceof Float64Array ? values : Float64Array.from(values);
    columns = table.columns.map((_, c) => all.subarray(c * table.kept, (c + 1) * table.kept));
    columnsOfNumbers.set(stored, columns);
  }
  return columns;
}

/** The last index with times[index] <= time, or 0; times grow. */
export function indexAt(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";

const { createBlocks, columnsOf, indexAt, unpack } = await load("data.ts");
const blocksOf = (packer) => createBlocks((number) => packer.texts[number]);

const numbers = {
  int8: [-128, -1, 0, 1, 127],
  uint8: [0, 1, 128, 255],
  int16: [-32768, -1, 0, 300, 32767],
  uint32: [0, 1, 65536, 4294967295],
  float32: [0, -0.5, 3.4028234663852886e38, NaN],
  float64: [0, 1e-300, -Math.PI, Infinity, NaN],
};

for (const [type, values] of Object.entries(numbers))
  test(`${type} comes back as it was packed`, async () => {
    const packer = new Packer();
    const block = packer.add(type, values);
    assert.deepEqual(Array.from(await blocksOf(packer).load(block)), values);
  });

test("differences of frames are undone, around the ends of the type as well", async () => {
  const packer = new Packer();
  const values = [32767, -32767, 5, -32767, 32767, 6, 0, 0, -1];
  const block = packer.add("int16", values, { width: 3 });
  assert.deepEqual(Array.from(await blocksOf(packer).load(block)), values);
});

for (const [type, steps] of [["int16", 65534], ["int8", 254]])
  test(`a quantised ${type} is within half a step, and none stays none`, async () => {
    const packer = new Packer();
    const values = Array.from({ length: 300 }, (_, i) => (i % 7 === 3 ? NaN : 5 + Math.sin(i)));
    const back = await blocksOf(packer).values(packer.quantise(type, values, 30));
    values.forEach((v, i) => {
      if (Number.isNaN(v)) assert.ok(Number.isNaN(back[i]));
      else assert.ok(Math.abs(back[i] - v) <= 1.0001 / steps, `${back[i]} for ${v}`);
    });
  });

test("a status has values without a scale of its own", async () => {
  const packer = new Packer();
  const block = packer.add("int8", [0, 1, 2, 2], { scale: 1, offset: 0, width: 2 });
  assert.deepEqual(Array.from(await blocksOf(packer).values(block)), [0, 1, 2, 2]);
});

test("a block is unpacked once", async () => {
  const packer = new Packer();
  const block = packer.add("float64", [1, 2]);
  let asked = 0;
  const blocks = createBlocks((number) => (asked++, packer.texts[number]));
  assert.equal(await blocks.load(block), await blocks.load(block));
  assert.equal(asked, 1);
});

test("a block of another size than it says is refused", async () => {
  const packer = new Packer();
  const block = packer.add("float64", [1, 2]);
  await assert.rejects(unpack({ ...block, count: 3 }, packer.texts[0]), /block 0 has 16 bytes instead of 24/);
});

test("a damaged block is refused by its number", async () => {
  await assert.rejects(unpack({ block: 7, type: "float64", count: 2 }, "AAAA"), /block 7 is damaged/);
  await assert.rejects(unpack({ block: 7, type: "float64", count: 2 }, "<no base64>"));
});

test("columns of a table stand one after the other", async () => {
  const packer = new Packer();
  const table = { columns: [{ name: "t" }, { name: "f" }], kept: 2, data: packer.add("float64", [0, 1, 10, 20]) };
  const columns = await columnsOf(blocksOf(packer), table);
  assert.deepEqual(columns.map((column) => Array.from(column)), [[0, 1], [10, 20]]);
});

test("columns are the same arrays whenever they are asked for", async () => {
  const packer = new Packer();
  const table = { columns: [{ name: "t" }, { name: "f" }], kept: 2, data: packer.add("float64", [0, 1, 10, 20]) };
  const blocks = blocksOf(packer);
  const [first, again] = [await columnsOf(blocks, table), await columnsOf(blocks, table)];
  assert.ok(first[0] === again[0] && first[1] === again[1]);
});

test("the frame of a time is the last one that is not later", () => {
  const times = [0, 1, 2, 2, 5];
  assert.deepEqual([-1, 0, 0.5, 1, 2, 4.9, 5, 9].map((t) => indexAt(times, t)), [0, 0, 0, 1, 3, 3, 4, 4]);
  assert.equal(indexAt([], 1), 0);
});

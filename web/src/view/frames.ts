// SPDX-License-Identifier: Apache-2.0
// The moving picture, unpacked: which frame belongs to a time, and what a field is in a frame.

import { type Blocks, type Numbers, indexAt } from "../data";
import type { Animation, Block, Field } from "../report";
import type { Range } from "./choices";
import { ContactFrames } from "./contacts";
import { type Carried, Poses } from "./poses";

/** One field over all frames. Its numbers stay as small as they are stored; a frame is spread out when asked for. */
export class FieldFrames {
  private readonly scale: number;
  private readonly offset: number;
  /** How far a stored number may be from the result; 0 where it is the result. */
  readonly resolution: number;
  /** The stored number that stands for none. */
  private readonly none: number;
  private room: Float32Array | null = null;

  constructor(
    readonly field: Field,
    private readonly numbers: Numbers,
    readonly nodes: number,
    /** Of each frame, of the results themselves. */
    private readonly least: ArrayLike<number> | null,
    private readonly most: ArrayLike<number> | null,
    /** What rigid bodies have at their nodes; null if all bodies are deformable. */
    private readonly carried: Carried | null = null,
  ) {
    this.scale = field.data.scale ?? 1;
    this.offset = field.data.offset ?? 0;
    this.resolution = field.resolution ?? (field.data.scale === undefined ? 0 : 0.5 * this.scale);
    this.none = noneOf(field.data);
  }

  get components(): number {
    return this.field.components;
  }

  /** Least and largest value (of a vector, length) of a frame, exactly; null if there is none, or it is not told. */
  extremes(frame: number): Range | null {
    const [low, high] = [this.least?.[frame] ?? NaN, this.most?.[frame] ?? NaN];
    return low <= high ? { low, high } : null;
  }

  value(frame: number, node: number, component: number): number {
    const { carried, components } = this;
    if (!carried) return this.valueOf(this.numbers[(frame * this.nodes + node) * components + component]);
    const at = carried.soft[node];
    if (at < 0) return carried.value(frame, node, component);
    return this.valueOf(this.numbers[(frame * carried.softNodes + at) * components + component]);
  }

  /** All components of all nodes in a frame. */
  read(frame: number, out: Float32Array): void {
    if (this.carried) return this.readCarried(this.carried, frame, out);
    const count = this.nodes * this.components;
    const start = frame * count;
    for (let i = 0; i < count; i++) out[i] = this.valueOf(this.numbers[start + i]);
  }

  private readCarried(carried: Carried, frame: number, out: Float32Array): void {
    const { components, nodes } = this;
    carried.read(frame, out);
    const start = frame * carried.softNodes * components;
    for (let node = 0; carried.softNodes > 0 && node < nodes; node++) {
      const at = carried.soft[node];
      for (let k = 0; at >= 0 && k < components; k++)
        out[node * components + k] = this.valueOf(this.numbers[start + at * components + k]);
    }
  }

  // Within its error a value that may be zero is zero: most forces are, and would be told as tiny ones.
  private valueOf(number: number): number {
    if (number === this.none) return NaN;
    const value = this.offset + this.scale * number;
    return Math.abs(value) <= 1.0001 * this.resolution ? 0 : value;
  }

  /** One component of all nodes, or the length of the vector (component -1). */
  readComponent(frame: number, component: number, out: Float32Array): void {
    const { components, nodes } = this;
    if (this.carried) return this.readLengths(frame, component, out);
    for (let node = 0; node < nodes; node++) {
      if (component >= 0 || components === 1) {
        out[node] = this.value(frame, node, Math.max(0, component));
        continue;
      }
      let square = 0;
      for (let k = 0; k < components; k++) square += this.value(frame, node, k) ** 2;
      out[node] = Math.sqrt(square);
    }
  }

  private readLengths(frame: number, component: number, out: Float32Array): void {
    const { components, nodes } = this;
    this.room ??= new Float32Array(nodes * components);
    this.read(frame, this.room);
    for (let node = 0; node < nodes; node++) {
      let square = 0;
      for (let k = 0; k < components; k++) square += this.room[node * components + k] ** 2;
      out[node] = component >= 0 || components === 1 ? this.room[node * components + Math.max(0, component)] : Math.sqrt(square);
    }
  }
}

function wholeOf(within: ArrayLike<number>, each: number, bodies: Animation["bodies"]): Uint32Array {
  const whole = Uint32Array.from(within);
  for (const body of bodies) {
    const [first, count] = each === 3 ? [body.firstTriangle, body.triangles] : [body.firstEdge, body.edges];
    for (let k = each * first; k < each * (first + count); k++) whole[k] += body.firstNode;
  }
  return whole;
}

function noneOf(block: Block): number {
  if (block.type === "int8") return -128;
  if (block.type === "int16") return -32768;
  return NaN;
}

/** What stands still, and the fields, which are unpacked when first asked for. */
export class Frames {
  private readonly fields = new Map<Field, Promise<FieldFrames>>();

  private constructor(
    readonly animation: Animation,
    private readonly blocks: Blocks,
    readonly times: ArrayLike<number>,
    readonly labels: ArrayLike<number>,
    readonly positions: ArrayLike<number>,
    readonly triangles: Uint32Array,
    readonly edges: Uint32Array,
    /** Of each obstacle, its displacement in all frames; null if it does not move. */
    readonly motions: (ArrayLike<number> | null)[],
    readonly poses: Poses | null = null,
    readonly contacts: ContactFrames | null = null,
  ) {}

  static async load(animation: Animation, blocks: Blocks): Promise<Frames> {
    const { bodies } = animation;
    const stored = await blocks.values(animation.positions);
    const poses = animation.rigid ? await Poses.load(animation, animation.rigid, stored, blocks) : null;
    return new Frames(
      animation,
      blocks,
      await blocks.values(animation.times),
      await blocks.load(animation.labels),
      poses?.rest ?? stored,
      wholeOf(await blocks.load(animation.triangles), 3, bodies),
      wholeOf(await blocks.load(animation.edges), 2, bodies),
      await Promise.all(animation.obstacles.map((o) => (o.motion ? blocks.values(o.motion) : null))),
      poses,
      animation.contacts ? await ContactFrames.load(animation, animation.contacts, blocks) : null,
    );
  }

  /** The same bodies in another motion of so many frames; obstacles stay where they are in one frame of this one. */
  moved(fields: FieldFrames[], count: number, frame: number): Frames {
    const { animation } = this;
    const times = Float64Array.from({ length: count }, (_, k) => k / count);
    const all = fields.map(({ field }) => field);
    const still = this.motions.map((motion, k) => {
      const shift = this.shift(k, frame);
      return motion && Float64Array.from({ length: count * shift.length }, (_, i) => shift[i % shift.length]);
    });
    const made = new Frames(
      { ...animation, frames: count, allFrames: count, fields: all, forces: null, totalForce: null, rigid: null, contacts: null, joints: [], contactNodes: [] },
      this.blocks, times, this.labels, this.positions, this.triangles, this.edges, still,
    );
    fields.forEach((field) => made.fields.set(field.field, Promise.resolve(field)));
    return made;
  }

  field(field: Field): Promise<FieldFrames> {
    let found = this.fields.get(field);
    if (!found) {
      found = this.unpack(field);
      this.fields.set(field, found);
    }
    return found;
  }

  /** What contact exerts on each body in a frame, from the results themselves; null if it is not told. */
  async totalForces(frame: number): Promise<number[][] | null> {
    const { bodies, dimension, totalForce } = this.animation;
    if (!totalForce) return null;
    const all = await this.blocks.values(totalForce);
    const start = (k: number): number => (frame * bodies.length + k) * dimension;
    return bodies.map((_, k) => Array.from(all.subarray(start(k), start(k + 1))));
  }

  private async unpack(field: Field): Promise<FieldFrames> {
    const { blocks } = this;
    const [least, most] = await Promise.all(
      [field.frameLeast, field.frameMost].map((block) => (block ? blocks.values(block) : null)),
    );
    const carried = this.poses?.carried(field.name) ?? null;
    return new FieldFrames(field, await blocks.load(field.data), this.animation.nodes, least, most, carried);
  }

  /** The last frame that is not after this time, but for rounding. */
  at(time: number): number {
    const { times } = this;
    const slack = 1e-9 * (times[times.length - 1] - times[0]);
    return indexAt(times, time + slack);
  }

  /** Displacement of an obstacle in a frame. */
  shift(obstacle: number, frame: number): number[] {
    const { dimension } = this.animation;
    const motion = this.motions[obstacle];
    return Array.from({ length: dimension }, (_, k) => motion?.[frame * dimension + k] ?? 0);
  }
}

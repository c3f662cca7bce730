// SPDX-License-Identifier: Apache-2.0
// The motion of a mode about a state, as frames: displacement + amplitude * Re(A exp(i phase)).

import { type Blocks, valuesOf } from "../data";
import type { Field, ModeShape } from "../report";
import { FieldFrames } from "./frames";

/** Frames of one oscillation. */
export const phases = 48;

export interface Shape {
  real: Float32Array;
  imaginary: Float32Array;
  displacement: Float32Array;
}

export async function loadShape(blocks: Blocks, shape: ModeShape): Promise<Shape> {
  const motion = Float32Array.from(valuesOf(shape.motion, await blocks.load(shape.motion)));
  const displacement = Float32Array.from(valuesOf(shape.displacement, await blocks.load(shape.displacement)));
  const half = motion.length / 2;
  return { real: motion.subarray(0, half), imaginary: motion.subarray(half), displacement };
}

const none = { block: -1, type: "float32", count: 0 } as const;

const fieldOf = (name: string, label: string, unit: string, components: number): Field => ({
  name, label, unit, components, least: 0, most: 1, frameLeast: none, frameMost: none, resolution: 0, data: none,
});

/** Where the nodes are. */
export class Oscillation extends FieldFrames {
  /** Of the largest length of the mode. */
  amplitude = 0;

  constructor(
    nodes: number,
    dimension: number,
    public shape: Shape,
  ) {
    super(fieldOf("displacement", "displacement", "", dimension), new Float32Array(0), nodes, null, null);
  }

  override value(frame: number, node: number, component: number): number {
    return this.at(frame, node * this.components + component);
  }

  override read(frame: number, out: Float32Array): void {
    for (let i = 0; i < out.length; i++) out[i] = this.at(frame, i);
  }

  private at(frame: number, i: number): number {
    const phase = (2 * Math.PI * frame) / phases;
    const { real, imaginary, displacement } = this.shape;
    return displacement[i] + this.amplitude * (real[i] * Math.cos(phase) - imaginary[i] * Math.sin(phase));
  }
}

/** How far each node goes: the longer half axis of its ellipse. */
export function reachOf({ real, imaginary }: Shape, dimension: number, node: number): number {
  let [squares, re, im] = [0, 0, 0];
  for (let i = node * dimension; i < (node + 1) * dimension; i++) {
    squares += real[i] ** 2 + imaginary[i] ** 2;
    re += real[i] ** 2 - imaginary[i] ** 2;
    im += 2 * real[i] * imaginary[i];
  }
  return Math.sqrt((squares + Math.hypot(re, im)) / 2);
}

/** The same in all frames. */
export class Reach extends FieldFrames {
  constructor(private readonly oscillation: Oscillation) {
    super(fieldOf("reach", "motion, largest = 1", "", 1), new Float32Array(0), oscillation.nodes, null, null);
  }

  override value(_: number, node: number): number {
    return reachOf(this.oscillation.shape, this.oscillation.components, node);
  }
}

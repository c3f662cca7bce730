// SPDX-License-Identifier: Apache-2.0
// Where rigid bodies are in each frame, and what follows from it for their nodes.

import type { Blocks } from "../data";
import type { Animation, Body, Rigid } from "../report";

/** What nodes of rigid bodies have of a field: their motion, or nothing. */
export interface Carried {
  /** Of each node its number among those of deformable bodies; -1 if its body is rigid. */
  soft: Int32Array;
  softNodes: number;
  value(frame: number, node: number, component: number): number;
  /** All nodes of rigid bodies; others are left as they are. */
  read(frame: number, out: Float32Array): void;
}

type Values = Float64Array | Float32Array;

export class Poses {
  /** All nodes at rest, dimension numbers each; of rigid ones `arms` counts from the mass centre. */
  readonly rest: Float64Array;
  readonly soft: Int32Array;
  readonly softNodes: number;
  readonly count: number;
  private readonly bodies: Body[];
  private readonly reaches: number[];
  private readonly turns: { frame: number; rows: Float64Array };

  private constructor(
    readonly animation: Animation,
    readonly rigid: Rigid,
    private readonly arms: Values,
    private readonly centres: Values,
    private readonly displacements: Values,
    private readonly rotations: Values,
    private readonly velocities: Values,
    private readonly rates: Values,
  ) {
    const { dimension, nodes, bodies } = animation;
    this.bodies = bodies.filter((body) => body.rigid !== undefined);
    this.count = this.bodies.length;
    this.turns = { frame: -1, rows: new Float64Array(9 * this.count) };
    this.rest = Float64Array.from(arms);
    this.soft = Int32Array.from({ length: nodes }, () => 0);
    this.bodies.forEach((body, r) => {
      this.soft.fill(-1, body.firstNode, body.firstNode + body.nodes);
      for (let i = body.firstNode * dimension; i < (body.firstNode + body.nodes) * dimension; i++)
        this.rest[i] += centres[r * dimension + (i % dimension)];
    });
    this.reaches = this.bodies.map(({ firstNode, nodes: own }) => {
      let most = 0;
      for (let i = firstNode * dimension; i < (firstNode + own) * dimension; i += dimension)
        most = Math.max(most, Math.hypot(arms[i], arms[i + 1], dimension === 3 ? arms[i + 2] : 0));
      return most;
    });
    let next = 0;
    for (let n = 0; n < nodes; n++) if (this.soft[n] === 0) this.soft[n] = next++;
    this.softNodes = next;
  }

  static async load(animation: Animation, rigid: Rigid, arms: Values, blocks: Blocks): Promise<Poses> {
    const motions = [rigid.displacement, rigid.rotation, rigid.velocity, rigid.angularVelocity];
    const [d, r, v, w] = await Promise.all(motions.map((block) => blocks.values(block)));
    return new Poses(animation, rigid, arms, await blocks.values(rigid.centres), d, r, v, w);
  }

  /** Mass centre of a rigid body in a frame, three numbers. */
  centre(frame: number, body: number, out: number[] = [0, 0, 0]): number[] {
    const { dimension } = this.animation;
    out[2] = 0;
    for (let k = 0; k < dimension; k++)
      out[k] = this.centres[body * dimension + k] + this.displacements[(frame * this.count + body) * dimension + k];
    return out;
  }

  /** How far the farthest node of a rigid body is from its mass centre. */
  reach(body: number): number {
    return this.reaches[body];
  }

  velocity(frame: number, body: number): number[] {
    return this.numbersOf(this.velocities, frame, body, this.animation.dimension);
  }

  /** In the plane one number. */
  rotation(frame: number, body: number): number[] {
    return this.numbersOf(this.rotations, frame, body, this.animation.dimension === 2 ? 1 : 3);
  }

  angularVelocity(frame: number, body: number): number[] {
    return this.numbersOf(this.rates, frame, body, this.animation.dimension === 2 ? 1 : 3);
  }

  /** The rotations of a frame: nine numbers of each body, by rows. */
  matrices(frame: number): Float64Array {
    const { turns, rotations, count } = this;
    if (turns.frame === frame) return turns.rows;
    for (let b = 0; b < count; b++)
      if (this.animation.dimension === 2) matrixOf(0, 0, rotations[frame * count + b], turns.rows, 9 * b);
      else {
        const at = 3 * (frame * count + b);
        matrixOf(rotations[at], rotations[at + 1], rotations[at + 2], turns.rows, 9 * b);
      }
    turns.frame = frame;
    return turns.rows;
  }

  /** Where a place of a body at the start has gone to, three numbers. */
  follow(frame: number, body: number, place: ArrayLike<number>): number[] {
    const { dimension } = this.animation;
    const R = this.matrices(frame);
    const arm = [0, 1, 2].map((k) => (k < dimension ? place[k] - this.centres[body * dimension + k] : 0));
    return this.centre(frame, body).map((c, k) => c + R[9 * body + 3 * k] * arm[0] + R[9 * body + 3 * k + 1] * arm[1] + R[9 * body + 3 * k + 2] * arm[2]);
  }

  /** A field at the nodes of rigid bodies: displacement and velocity follow from the motion, others are not known. */
  carried(field: string): Carried {
    const { soft, softNodes } = this;
    const { dimension } = this.animation;
    const room = new Float32Array(3);
    const moves = field === "displacement" || field === "velocity";
    const components = moves ? dimension : 1;
    const velocity = field === "velocity";
    const read = (frame: number, out: Float32Array): void => {
      if (!moves) {
        for (let n = 0; n < soft.length; n++) if (soft[n] < 0) out[n] = NaN;
        return;
      }
      this.bodies.forEach((body, b) => {
        for (let n = body.firstNode; n < body.firstNode + body.nodes; n++) this.motionOf(frame, b, n, velocity, out, n * components);
      });
    };
    const value = (frame: number, node: number, component: number): number => {
      if (!moves) return NaN;
      this.motionOf(frame, this.bodyOf(node), node, velocity, room, 0);
      return room[component];
    };
    return { soft, softNodes, read, value };
  }

  private bodyOf(node: number): number {
    return this.bodies.findIndex((body) => node >= body.firstNode && node < body.firstNode + body.nodes);
  }

  private numbersOf(values: Values, frame: number, body: number, components: number): number[] {
    const at = (frame * this.count + body) * components;
    return Array.from(values.subarray(at, at + components));
  }

  /** Displacement d + (R - 1) a, or velocity v + w x R a, of a node with the arm a. */
  private motionOf(frame: number, b: number, node: number, velocity: boolean, out: Float32Array, at: number): void {
    const { arms, count } = this;
    const { dimension } = this.animation;
    const R = this.matrices(frame);
    const i = node * dimension;
    const [ax, ay, az] = [arms[i], arms[i + 1], dimension === 3 ? arms[i + 2] : 0];
    const x = R[9 * b] * ax + R[9 * b + 1] * ay + R[9 * b + 2] * az;
    const y = R[9 * b + 3] * ax + R[9 * b + 4] * ay + R[9 * b + 5] * az;
    const z = R[9 * b + 6] * ax + R[9 * b + 7] * ay + R[9 * b + 8] * az;
    const linear = velocity ? this.velocities : this.displacements;
    const from = (frame * count + b) * dimension;
    if (!velocity) {
      out[at] = linear[from] + x - ax;
      out[at + 1] = linear[from + 1] + y - ay;
      if (dimension === 3) out[at + 2] = linear[from + 2] + z - az;
      return;
    }
    const w = dimension === 3 ? 3 * (frame * count + b) : frame * count + b - 2;
    const [wx, wy, wz] = dimension === 3 ? [this.rates[w], this.rates[w + 1], this.rates[w + 2]] : [0, 0, this.rates[w + 2]];
    out[at] = linear[from] + wy * z - wz * y;
    out[at + 1] = linear[from + 1] + wz * x - wx * z;
    if (dimension === 3) out[at + 2] = linear[from + 2] + wx * y - wy * x;
  }
}

/** The rotation about the axis of a vector by its length, by rows. */
export function matrixOf(x: number, y: number, z: number, out: Float64Array, at = 0): void {
  const angle = Math.hypot(x, y, z);
  const s = angle > 1e-12 ? Math.sin(angle) / angle : 1;
  const c = angle > 1e-8 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5;
  out[at] = 1 - c * (y * y + z * z);
  out[at + 1] = c * x * y - s * z;
  out[at + 2] = c * x * z + s * y;
  out[at + 3] = c * x * y + s * z;
  out[at + 4] = 1 - c * (x * x + z * z);
  out[at + 5] = c * y * z - s * x;
  out[at + 6] = c * x * z - s * y;
  out[at + 7] = c * y * z + s * x;
  out[at + 8] = 1 - c * (x * x + y * y);
}

// SPDX-License-Identifier: Apache-2.0
// Joints as marks of lines, of the same size however near one looks.

import type { Joint } from "../report";
import type { Camera } from "./camera";
import type { Frames } from "./frames";
import { matrixOf } from "./poses";

type Pen = (right: number, up: number) => number[];

const add = (a: ArrayLike<number>, b: ArrayLike<number>, share = 1): number[] => [0, 1, 2].map((k) => (a[k] ?? 0) + share * (b[k] ?? 0));
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => [0, 1, 2].reduce((sum, k) => sum + (a[k] ?? 0) * (b[k] ?? 0), 0);

/** Where a place of a body, an obstacle or space at the start is in a frame. */
function follow(frames: Frames, frame: number, body: number, place: number[]): number[] {
  const { bodies } = frames.animation;
  const rigid = bodies[body]?.rigid;
  if (rigid !== undefined) return frames.poses!.follow(frame, rigid, place);
  return body < bodies.length ? add(place, []) : add(place, frames.shift(body - bodies.length, frame));
}

function centreOf(frames: Frames, frame: number, body: number): number[] | null {
  const rigid = frames.animation.bodies[body]?.rigid;
  return rigid === undefined ? null : frames.poses!.centre(frame, rigid);
}

/** The direction of a joint, which turns with its second body. */
function axisOf(frames: Frames, frame: number, joint: Joint): number[] {
  const rigid = frames.animation.bodies[joint.second]?.rigid;
  const axis = add(joint.axis, []);
  if (rigid === undefined) return axis;
  const R = new Float64Array(9);
  const turn = frames.poses!.rotation(frame, rigid);
  if (turn.length === 1) matrixOf(0, 0, turn[0], R);
  else matrixOf(turn[0], turn[1], turn[2], R);
  return [0, 1, 2].map((k) => R[3 * k] * axis[0] + R[3 * k + 1] * axis[1] + R[3 * k + 2] * axis[2]);
}

function polygon(lines: number[], pen: Pen, radius: number, corners: number, from = 0, to = corners): void {
  const at = (k: number): number[] => {
    const angle = (2 * Math.PI * (k + 0.5)) / corners;
    return pen(radius * Math.cos(angle), radius * Math.sin(angle));
  };
  for (let k = from; k < to; k++) lines.push(...at(k), ...at(k + 1));
}

/** Between two places, to and fro across the way but at its ends. */
function zigzag(lines: number[], a: number[], b: number[], camera: Camera): void {
  const way = add(b, a, -1);
  const [x, y] = [dot(way, camera.right), dot(way, camera.up)];
  const length = Math.hypot(x, y) || 1;
  const across = add(add([0, 0, 0], camera.right, -y / length), camera.up, x / length);
  const turns = 12;
  let last = a;
  for (let k = 1; k <= turns; k++) {
    const off = k < 2 || k > turns - 2 ? 0 : (k % 2 ? 6 : -6) * camera.pixel;
    const next = add(add(a, way, k / turns), across, off);
    lines.push(...last, ...next);
    last = next;
  }
}

/** A rail along the axis, with a stop on either side of the place. */
function rail(lines: number[], place: number[], axis: number[], camera: Camera): void {
  const [x, y] = [dot(axis, camera.right), dot(axis, camera.up)];
  const length = Math.hypot(x, y);
  if (length < 0.05) return;
  const at = (along: number, off: number): number[] =>
    add(add(place, camera.right, (camera.pixel * (along * x - off * y)) / length), camera.up, (camera.pixel * (along * y + off * x)) / length);
  for (const off of [-4, 4]) lines.push(...at(-16, off), ...at(16, off));
}

function draw(lines: number[], frames: Frames, frame: number, joint: Joint, camera: Camera): void {
  const first = centreOf(frames, frame, joint.first);
  if (!first) return;
  const second = centreOf(frames, frame, joint.second);
  const place = joint.point.length ? follow(frames, frame, joint.first, joint.point) : first;
  const pen = (at: number[]): Pen => (right, up) => add(add(at, camera.right, right * camera.pixel), camera.up, up * camera.pixel);
  const middle = second ? add(first, second).map((x) => x / 2) : first;
  const { kind } = joint;
  if (kind === "pin" || kind === "ball") polygon(lines, pen(place), 5, 16);
  else if (kind === "fixed") polygon(lines, pen(middle), 6, 4);
  else if (kind === "slider") rail(lines, place, axisOf(frames, frame, joint), camera);
  else if (kind === "gear") for (const at of second ? [first, second] : [first]) polygon(lines, pen(at), 8, 8);
  else if (kind === "motor") {
    const at = pen(first);
    polygon(lines, at, 9, 16, 0, 12);
    lines.push(...at(-4, -12), ...at(1.5, -9), ...at(1.5, -9), ...at(-4, -5.5));
  } else {
    const other = follow(frames, frame, joint.second, joint.other);
    if (kind === "spring") zigzag(lines, place, other, camera);
    else lines.push(...place, ...other);
    for (const at of [place, other]) polygon(lines, pen(at), 3, 8);
  }
}

/** Lines by pairs of points, three numbers each. */
export function jointLines(frames: Frames, frame: number, shown: boolean[], camera: Camera): number[] {
  const lines: number[] = [];
  for (const joint of frames.animation.joints) if (shown[joint.first]) draw(lines, frames, frame, joint, camera);
  return lines;
}

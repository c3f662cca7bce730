// SPDX-License-Identifier: Apache-2.0
// Where one looks from: a parallel projection, so that lengths can be compared; in space it turns about z.

export type Vector = [number, number, number];

export interface Box {
  low: Vector;
  high: Vector;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class Camera {
  /** The point in the middle of the picture. */
  target: Vector = [0, 0, 0];
  /** Length of a CSS pixel in the model. */
  pixel = 1;
  /** Of the picture, in CSS pixels. */
  width = 1;
  height = 1;
  right: Vector = [1, 0, 0];
  up: Vector = [0, 1, 0];
  /** Towards the eye. */
  back: Vector = [0, 0, 1];
  /** Grows with every change. */
  version = 0;
  private azimuth = 0;
  private elevation = 0;

  constructor(readonly dimension: number) {
    if (dimension === 3) this.look(-60, 25);
  }

  resize(width: number, height: number): void {
    // What filled the picture keeps on filling it.
    if (this.width > 1) this.pixel *= Math.max(this.width / width, this.height / height);
    this.width = width;
    this.height = height;
    this.version++;
  }

  /** From which side, in degrees: azimuth of the eye about z from x, and its elevation. */
  look(azimuth: number, elevation: number): void {
    this.azimuth = azimuth;
    this.elevation = Math.min(90, Math.max(-90, elevation));
    const a = (azimuth * Math.PI) / 180;
    const e = (this.elevation * Math.PI) / 180;
    this.back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    this.right = [-Math.sin(a), Math.cos(a), 0];
    this.up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    this.version++;
  }

  /** Turns with a drag of so many pixels. */
  orbit(dx: number, dy: number): void {
    if (this.dimension === 3) this.look(this.azimuth - 0.4 * dx, this.elevation + 0.4 * dy);
  }

  /** Moves the picture by so many pixels. */
  pan(dx: number, dy: number): void {
    for (let k = 0; k < 3; k++) this.target[k] += this.pixel * (dy * this.up[k] - dx * this.right[k]);
    this.version++;
  }

  /** Moves the eye by a vector of the model. */
  shift(way: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.target[k] += way[k];
    this.version++;
  }

  /** Makes everything larger by a factor; the point under (x, y) stays where it is. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.pan(this.width / 2 - x, this.height / 2 - y);
    this.pixel /= factor;
    this.pan(x - this.width / 2, y - this.height / 2);
  }

  /** Shows a box with a margin around it. */
  fit(box: Box): void {
    let [across, along] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const side = box.high[k] - box.low[k];
      this.target[k] = (box.low[k] + box.high[k]) / 2;
      across += side * Math.abs(this.right[k]);
      along += side * Math.abs(this.up[k]);
    }
    const margin = 1.16;
    this.pixel = margin * Math.max(across / this.width, along / this.height) || 1;
    this.version++;
  }

  /** Place on the picture in CSS pixels, and how near it is (more is nearer). */
  project(point: ArrayLike<number>, at = 0): Vector {
    const d: Vector = [point[at] - this.target[0], point[at + 1] - this.target[1], point[at + 2] - this.target[2]];
    const { pixel } = this;
    return [this.width / 2 + dot(d, this.right) / pixel, this.height / 2 - dot(d, this.up) / pixel, dot(d, this.back)];
  }

  /** How far the corners of the picture are from its middle, in the model. */
  get reach(): number {
    return (this.pixel * Math.hypot(this.width, this.height)) / 2;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Draws a scene without WebGL: bodies pixel by pixel, the rest by the pen of a canvas.

import type { Camera } from "./camera";
import { type Rgb, colourTable, cssColour, entryOf, tableColour } from "./colours";
import { Raster } from "./raster";
import type { Renderer } from "./renderer";
import type { Scene } from "./scene";
import { markSize } from "./touching";

export class CanvasRenderer implements Renderer {
  readonly kind = "canvas";
  private readonly pen: CanvasRenderingContext2D;
  private ratio = 1;
  private points = new Float32Array(0);
  private raster: Raster | null = null;
  private readonly layer = document.createElement("canvas");

  constructor(readonly canvas: HTMLCanvasElement) {
    const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    if (!pen) throw new Error("this browser can't draw on a canvas");
    this.pen = pen;
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  draw(scene: Scene, camera: Camera): void {
    const { pen } = this;
    const { palette } = scene;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.lineJoin = "round";
    pen.fillStyle = cssColour(palette.background);
    pen.fillRect(0, 0, camera.width, camera.height);
    this.points = deep(scene.positions, camera, this.ratio, this.points);
    if (scene.dimension < 3) this.lines(flat(scene.obstacleShapes(camera).lines, camera), palette.obstacle, 1);
    this.paintBodies(scene, camera);
    if (scene.showRest) this.restOutline(scene, camera);
    this.paintDots(scene);
    scene.placeArrows(camera);
    const { touching } = scene;
    if (touching) this.fillFaces(touching.chains.points, touching.chains.corners, camera, cssColour(palette.chain), 0.7);
    this.lines(flat(scene.jointLines(camera), camera), palette.line, 1);
    this.fillFaces(scene.halos.points, scene.halos.corners, camera, cssColour(palette.halo), 1);
    this.fillFaces(scene.arrows.points, scene.arrows.corners, camera, cssColour(palette.arrow), 1);
    this.paintMarks(scene, camera);
  }

  dispose(): void {
    this.canvas.width = this.canvas.height = 0;
  }

  private paintBodies(scene: Scene, camera: Camera): void {
    const { width, height } = this.canvas;
    if (this.raster?.width !== width || this.raster.height !== height) this.raster = new Raster(width, height);
    const { raster, points } = this;
    const { palette, table, surfaceHasValues } = scene;
    raster.clear();
    const paint = { table, neutral: palette.neutral, valued: surfaceHasValues, shaded: scene.dimension === 3 };
    // What one is to see through are outlines here.
    if (scene.opacity === 1) raster.triangles(scene.triangles, points, scene.coordinates, paint);
    const strength = scene.edgeStrength(camera);
    if (strength > 0) raster.edges(scene.edges, points, strength);
    raster.lines(scene.outline, points, palette.line, scene.opacity < 1 ? 0.25 : 0.85);
    if (scene.dimension === 3) this.paintObstacles(scene, camera, raster);
    this.layer.width = width;
    this.layer.height = height;
    this.layer.getContext("2d", { willReadFrequently: true })?.putImageData(raster.image, 0, 0);
    this.pen.drawImage(this.layer, 0, 0, width / this.ratio, height / this.ratio);
  }

  private paintObstacles(scene: Scene, camera: Camera, raster: Raster): void {
    const shape = scene.obstacleShapes(camera);
    const faces = deep(shape.faces, camera, this.ratio);
    const lines = deep(shape.lines, camera, this.ratio);
    raster.veil(faces, faces.length / 3, scene.palette.obstacle, 0.16);
    raster.lines(Array.from({ length: lines.length / 3 }, (_, k) => k), lines, scene.palette.obstacle, 0.4);
  }

  private lines(ends: number[], colour: Rgb, strength: number): void {
    const { pen } = this;
    pen.beginPath();
    for (let i = 0; i < ends.length; i += 4) {
      pen.moveTo(ends[i], ends[i + 1]);
      pen.lineTo(ends[i + 2], ends[i + 3]);
    }
    pen.globalAlpha = strength;
    pen.strokeStyle = cssColour(colour);
    pen.lineWidth = 1;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  private restOutline(scene: Scene, camera: Camera): void {
    const ends: number[] = [];
    for (const v of scene.outline) {
      const [x, y] = camera.project(scene.mesh.rest, 3 * v);
      ends.push(x, y);
    }
    this.lines(ends, scene.palette.rest, 0.7);
  }

  private fillFaces(points: ArrayLike<number>, corners: number, camera: Camera, colour: string, strength: number): void {
    const { pen } = this;
    pen.globalAlpha = strength;
    pen.fillStyle = colour;
    for (let k = 0; k + 2 < corners; k += 3) {
      pen.beginPath();
      for (let i = k; i < k + 3; i++) {
        const [x, y] = camera.project(points, 3 * i);
        if (i === k) pen.moveTo(x, y);
        else pen.lineTo(x, y);
      }
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  private paintMarks(scene: Scene, camera: Camera): void {
    const { pen } = this;
    const table = colourTable("status", scene.colours, 0);
    pen.strokeStyle = cssColour(scene.palette.line);
    pen.lineWidth = 1;
    scene.touching?.marks.forEach(({ points, count }, status) => {
      pen.fillStyle = cssColour(tableColour(table, status));
      for (let i = 0; i < count; i++) {
        const [x, y] = camera.project(points, 3 * i);
        pen.beginPath();
        traceDot(pen, x, y, status, 0.38 * markSize(camera));
        pen.fill();
        pen.stroke();
      }
    });
  }

  private paintDots(scene: Scene): void {
    const { pen, points } = this;
    pen.strokeStyle = cssColour(scene.palette.line);
    pen.lineWidth = 1;
    for (const v of scene.dots) {
      const place = scene.coordinates[v];
      if (place < 0) continue;
      const entry = entryOf(place);
      pen.fillStyle = cssColour(tableColour(scene.table, entry));
      pen.beginPath();
      traceDot(pen, points[3 * v] / this.ratio, points[3 * v + 1] / this.ratio, scene.scale === "status" ? entry : -1);
      pen.fill();
      pen.stroke();
    }
  }
}

/** Apart a small ring, sticking a square, slipping a diamond; any other field a round dot. */
export function traceDot(pen: CanvasRenderingContext2D, x: number, y: number, status: number, r = 3.4): void {
  if (status === 1) pen.rect(x - r, y - r, 2 * r, 2 * r);
  else if (status === 2) {
    pen.moveTo(x - 1.3 * r, y);
    pen.lineTo(x, y - 1.3 * r);
    pen.lineTo(x + 1.3 * r, y);
    pen.lineTo(x, y + 1.3 * r);
    pen.closePath();
  } else pen.arc(x, y, status === 0 ? 0.6 * r : r, 0, 2 * Math.PI);
}

/** Right and down, in CSS pixels. */
function flat(points: number[], camera: Camera): number[] {
  const out: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y] = camera.project(points, i);
    out.push(x, y);
  }
  return out;
}

/** Right, down and nearness, in device pixels; into memory that is there already if it fits. */
function deep(points: ArrayLike<number>, camera: Camera, ratio: number, room = new Float32Array(0)): Float32Array<ArrayBuffer> {
  const out = room.length === points.length ? room : new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, near] = camera.project(points, i);
    out[i] = x * ratio;
    out[i + 1] = y * ratio;
    out[i + 2] = (near / camera.pixel) * ratio;
  }
  return out;
}

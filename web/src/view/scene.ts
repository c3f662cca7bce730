// SPDX-License-Identifier: Apache-2.0
// What is to be seen now, whichever way it is drawn: places, colours, dots, arrows, obstacles.

import type { Colours, Theme } from "../theme";
import { ArrowList } from "./arrows";
import { boxAround, boxOfMotion, centreOf, farthest, widen } from "./bounds";
import type { Box, Camera, Vector } from "./camera";
import { type Choice, type Range, asDots, niceRange, rangeOf, rangeOfAll, scaleOf } from "./choices";
import { type ColourTable, type Scale, bodyColours, colourTable, coordinate, missing, steppedCoordinate } from "./colours";
import type { FieldFrames, Frames } from "./frames";
import { DrawMesh } from "./mesh";
import { type Shape, type Window, obstacleBox, obstacleShape, planeOf } from "./obstacles";
import { jointLines } from "./joints";
import { type Palette, paletteOf } from "./palette";
import { Touching } from "./touching";

export class Scene {
  readonly mesh: DrawMesh;
  frame = 0;
  /** Displacements are drawn this many times. */
  magnification = 1;
  showEdges = true;
  showRest = false;
  showForces = true;
  showJoints = true;
  /** Of surfaces; less than 1 to look into heaps. */
  opacity = 1;
  shown: boolean[];
  /** Contacts by themselves, where bodies are rigid. */
  readonly touching: Touching | null;
  /** Of smooth rigid bodies now; zero elsewhere. */
  readonly normals: Float32Array | null;

  /** Places of the vertices now, three numbers each, and where their values stand in the colour table. */
  readonly positions: Float32Array;
  readonly coordinates: Float32Array;
  triangles = new Uint32Array(0);
  edges = new Uint32Array(0);
  outline = new Uint32Array(0);
  /** Vertices that are marked by a dot in the colour of their value. */
  dots = new Uint32Array(0);
  table: ColourTable;
  palette: Palette;
  scale: Scale = "bodies";
  range: Range = { low: 0, high: 1 };
  surfaceHasValues = false;

  /** Grow when places, values, what is shown, or colours change: a renderer fetches only what is new. */
  moved = 0;
  valued = 0;
  selected = 0;
  coloured = 0;

  readonly arrows = new ArrowList();
  readonly halos = new ArrowList();
  /** Length of the largest contact force of all frames; with rigid bodies of a usual one. */
  readonly largestForce: number;

  /** Values of the chosen field at the nodes in this frame. */
  readonly values: Float32Array;
  choice: Choice = { field: null, component: -1, label: "none" };
  private readonly displacements: Float32Array;
  private readonly forceValues: Float32Array;
  private readonly allRanges = new Map<Choice, Range | null>();
  private box: { of: number; box: Box } | null = null;
  private obstacles: { key: string; shape: Shape } = { key: "", shape: { lines: [], faces: [] } };
  private field: FieldFrames | null = null;
  private rangeOfFrame = false;

  private constructor(
    readonly frames: Frames,
    readonly displacement: FieldFrames,
    readonly forces: FieldFrames | null,
    private readonly theme: Theme,
  ) {
    const { animation } = frames;
    this.mesh = new DrawMesh(frames);
    this.shown = animation.bodies.map(() => true);
    this.positions = this.mesh.rest.slice();
    this.coordinates = new Float32Array(this.mesh.vertices).fill(missing);
    this.values = new Float32Array(animation.nodes);
    this.displacements = new Float32Array(animation.nodes * displacement.components);
    this.forceValues = new Float32Array(animation.nodes * (forces?.components ?? 0));
    this.touching = frames.contacts && new Touching(frames, frames.contacts);
    this.showForces = !this.touching?.isCrowded;
    this.normals = this.mesh.normals && this.mesh.normals.slice();
    this.largestForce = this.touching?.usual ?? forces?.field.most ?? 0;
    this.table = colourTable("bodies", theme.colours, animation.bodies.length);
    this.palette = paletteOf(theme);
    this.select();
    this.setFrame(0);
  }

  static async load(frames: Frames, theme: Theme): Promise<Scene> {
    const { animation } = frames;
    const displacement = await frames.field(animation.fields[0]);
    const forces = animation.forces ? await frames.field(animation.forces) : null;
    return new Scene(frames, displacement, forces, theme);
  }

  get colours(): Colours {
    return this.theme.colours;
  }

  get dimension(): number {
    return this.frames.animation.dimension;
  }

  get allRigid(): boolean {
    return this.frames.animation.bodies.every((body) => body.rigid !== undefined);
  }

  get forceUnit(): string {
    return this.touching?.contacts.unit ?? this.forces?.field.unit ?? "";
  }

  setFrame(frame: number): void {
    this.frame = frame;
    this.displacement.read(frame, this.displacements);
    this.forces?.read(frame, this.forceValues);
    this.place();
    this.readValues();
  }

  setMagnification(times: number): void {
    this.magnification = times;
    this.place();
  }

  async setChoice(choice: Choice): Promise<void> {
    const field = choice.field ? await this.frames.field(choice.field) : null;
    this.choice = choice;
    this.field = field;
    this.scale = scaleOf(choice, this.allRange());
    this.recolour();
    this.select();
    this.readValues();
  }

  setRangeOfFrame(on: boolean): void {
    this.rangeOfFrame = on;
    this.readValues();
  }

  setShown(body: number, on: boolean): void {
    this.shown[body] = on;
    this.select();
  }

  /** Takes the colours of the theme as they are now. */
  recolour(): void {
    const { theme } = this;
    this.table = colourTable(this.scale, theme.colours, this.frames.animation.bodies.length);
    this.palette = paletteOf(theme);
    this.coloured++;
  }

  /** The range of the chosen field over all frames, found once. */
  allRange(): Range | null {
    if (!this.field) return null;
    let range = this.allRanges.get(this.choice);
    if (range === undefined) {
      const { least: low, most: high } = this.field.field;
      const room = new Float32Array(this.values.length);
      range = this.told(this.field) ? { low, high } : rangeOfAll(this.field, this.choice.component, this.frames.animation.frames, room);
      this.allRanges.set(this.choice, range);
    }
    return range;
  }

  /** How far values may be from the results; of a length all components may be off. */
  get resolution(): number {
    const { field, choice } = this;
    return field ? field.resolution * (choice.component < 0 ? Math.sqrt(field.components) : 1) : 0;
  }

  /** Displacement, or force, of a node in this frame. */
  displacementOf(node: number): Float32Array {
    const c = this.displacement.components;
    return this.displacements.subarray(c * node, c * (node + 1));
  }

  forceOf(node: number): Float32Array {
    const c = this.forces?.components ?? 0;
    return this.forceValues.subarray(c * node, c * (node + 1));
  }

  /** Edges fade where elements are so small that one would see nothing but edges; 0: not drawn. */
  edgeStrength(camera: Camera): number {
    const pixels = this.mesh.edgeLength / camera.pixel;
    return this.showEdges ? 0.25 * Math.min(1, Math.max(0, (pixels - 3) / 4)) : 0;
  }

  /** How many pixels long a force of one is drawn: the largest of all frames takes some sixth of the picture. */
  forcePixels(camera: Camera): number {
    const longest = Math.min(camera.width, Math.max(camera.height, 400)) / (this.touching ? 14 : 6);
    return this.largestForce > 0 ? longest / this.largestForce : 0;
  }

  /** Arrows, and other marks of contacts, of this frame as the camera sees them. */
  placeArrows(camera: Camera): void {
    this.arrows.clear();
    this.halos.clear();
    const longest = this.forcePixels(camera) * this.largestForce;
    this.touching?.place(this.frame, this.shown, camera, longest, this.showForces ? this.arrows : null, this.halos);
    if (!this.forces || !this.showForces || !(this.largestForce > 0)) return;
    const { components } = this.forces;
    const times = this.forcePixels(camera) * camera.pixel;
    const vector: Vector = [0, 0, 0];
    const from: Vector = [0, 0, 0];
    for (let n = 0; n < this.values.length; n++) {
      let any = false;
      for (let k = 0; k < components; k++) {
        vector[k] = times * this.forceValues[components * n + k];
        any ||= vector[k] !== 0;
      }
      if (!any || !this.shown[this.mesh.body[n]]) continue;
      this.anchor(n, from);
      this.halos.add(from, 0, vector, camera, 1.2);
      this.arrows.add(from, 0, vector, camera, 0);
    }
  }

  /** Where arrows and the hand find a node: in one dimension the middle of the ribbon. */
  anchor(node: number, out: Vector): void {
    const { positions } = this;
    for (let k = 0; k < 3; k++) out[k] = positions[3 * node + k];
    if (this.dimension === 1) out[1] = (positions[3 * node + 1] + positions[3 * (node + this.values.length) + 1]) / 2;
  }

  /** Marks of joints in this frame. */
  jointLines(camera: Camera): number[] {
    return this.showJoints ? jointLines(this.frames, this.frame, this.shown, camera) : [];
  }

  /** Obstacles where they are in this frame; the same object as before if nothing has changed. */
  obstacleShapes(camera: Camera): Shape {
    const { obstacles } = this.frames.animation;
    const shifts = obstacles.map((_, k) => this.shiftOf(k, this.frame));
    const key = [camera.version, this.magnification, ...shifts].join(" ");
    if (key === this.obstacles.key) return this.obstacles.shape;
    const shape: Shape = { lines: [], faces: [] };
    const window = this.window(camera);
    const planes = obstacles.map((obstacle, k) => planeOf(obstacle, shifts[k]));
    obstacles.forEach((obstacle, k) => {
      const own = obstacleShape(obstacle, this.dimension, shifts[k], window, planes.filter((_, j) => j !== k));
      for (const x of own.lines) shape.lines.push(x);
      for (const x of own.faces) shape.faces.push(x);
    });
    this.obstacles = { key, shape };
    return shape;
  }

  /** Takes the motion as it is now, which is another one. */
  measure(): void {
    this.box = null;
    this.allRanges.clear();
    this.setFrame(this.frame);
  }

  /** The box around all that moves, in all frames. */
  bounds(): Box {
    const { magnification, displacement, mesh } = this;
    if (this.box?.of === magnification) return this.box.box;
    const box = boxOfMotion(mesh, displacement, this.frames.animation.frames, magnification);
    this.frames.animation.obstacles.forEach((obstacle, k) =>
      widen(box, obstacleBox(obstacle, this.dimension, this.shiftOf(k, 0), mesh.size)),
    );
    this.box = { of: magnification, box };
    return box;
  }

  /** Middle of the bodies in this frame. */
  centre(): Vector {
    return centreOf(this.positions);
  }

  /** The box of this frame alone, with as much again around it; of bodies that have parted or burst, all of them. */
  closeBounds(): Box {
    return boxAround(this.centre(), this.spread(), this.dimension);
  }

  /** The size of the bodies at rest, or how far they reach from their middle in this frame if that is more. */
  spread(): number {
    return Math.max(this.mesh.size, farthest(this.positions, this.centre()));
  }

  /** Whether bodies travel so far that one would not see them in a view of the whole way. */
  get travels(): boolean {
    const { low, high } = this.bounds();
    return Math.max(...low.map((x, k) => high[k] - x)) > 6 * this.mesh.size;
  }

  /** Makes tiny displacements visible: the largest becomes 5 % of the size, rounded down. */
  automaticMagnification(): number {
    const most = this.displacement.field.most;
    return most > 0 ? Math.min(1000, Math.max(1, (0.05 * this.mesh.size) / most)) : 1;
  }

  // Displacements of obstacles are drawn as many times as those of bodies, so that what touches stays together.
  private shiftOf(obstacle: number, frame: number): number[] {
    return this.frames.shift(obstacle, frame).map((x) => this.magnification * x);
  }

  private window(camera: Camera): Window {
    const { low, high } = this.bounds();
    const middle: Vector = [0, 1, 2].map((k) => (low[k] + high[k]) / 2) as Vector;
    const size = Math.max(...[0, 1, 2].map((k) => high[k] - low[k]));
    return { centre: camera.target, reach: camera.reach, pixel: camera.pixel, middle, size };
  }

  private place(): void {
    const { rest, node, vertices } = this.mesh;
    const { positions, displacements, magnification } = this;
    const c = this.displacement.components;
    for (let v = 0; v < vertices; v++)
      for (let k = 0; k < c; k++) positions[3 * v + k] = rest[3 * v + k] + magnification * displacements[c * node[v] + k];
    this.turnNormals();
    this.moved++;
  }

  private turnNormals(): void {
    const { normals, mesh, frames } = this;
    if (!normals || !mesh.normals || !frames.poses) return;
    const R = frames.poses.matrices(this.frame);
    for (const { rigid, firstNode, nodes } of frames.animation.bodies) {
      if (rigid === undefined) continue;
      for (let i = 3 * firstNode; i < 3 * (firstNode + nodes); i += 3)
        for (let k = 0, r = 9 * rigid; k < 3; k++, r += 3)
          normals[i + k] = R[r] * mesh.normals[i] + R[r + 1] * mesh.normals[i + 1] + R[r + 2] * mesh.normals[i + 2];
    }
  }

  private readValues(): void {
    if (this.field) this.field.readComponent(this.frame, this.choice.component, this.values);
    if (this.field) this.range = niceRange(this.rangeOfFrame ? this.frameRange(this.field) : this.allRange(), this.scale);
    const { coordinates, values } = this;
    const { node, body, vertices } = this.mesh;
    const { low, high } = this.range;
    for (let v = 0; v < vertices; v++) {
      if (this.scale === "bodies") coordinates[v] = steppedCoordinate(body[v] % bodyColours);
      else if (this.scale === "status") coordinates[v] = steppedCoordinate(values[node[v]]);
      else coordinates[v] = coordinate(values[node[v]], low, high);
    }
    this.valued++;
  }

  // The page is told the extremes of a length or a single number, not those of a component of a vector.
  private told(field: FieldFrames): boolean {
    return this.choice.component < 0 || field.components === 1;
  }

  private frameRange(field: FieldFrames): Range | null {
    return (this.told(field) ? field.extremes(this.frame) : null) ?? rangeOf(this.values);
  }

  private select(): void {
    const { triangles, edges, outline } = this.mesh.select(this.shown);
    Object.assign(this, { triangles, edges, outline });
    const dotted = asDots(this.choice, this.dimension);
    const nodes = dotted ? this.frames.animation.contactNodes.filter((n) => this.shown[this.mesh.body[n]]) : [];
    const upper = this.dimension === 1 ? nodes.map((n) => n + this.values.length) : [];
    this.dots = Uint32Array.from([...nodes, ...upper]);
    this.surfaceHasValues = !dotted;
    this.selected++;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Draws a scene by WebGL. Places and values have one buffer each, shared by faces, lines and dots, and are sent only
// when they have changed.

import * as three from "three";
import type { Camera } from "./camera";
import { type Rgb, colourTable, steppedCoordinate } from "./colours";
import type { Renderer } from "./renderer";
import type { Scene } from "./scene";
import * as shaders from "./shaders";
import { markSize } from "./touching";

three.ColorManagement.enabled = false;

const fraction = (colour: Rgb): three.Vector3 => new three.Vector3(...colour).divideScalar(255);

function program(vertexShader: string, fragmentShader: string, uniforms: Record<string, unknown>): three.ShaderMaterial {
  const boxed = Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }]));
  return new three.ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: boxed,
    glslVersion: three.GLSL3,
    // All in one list, so that the order of drawing is the one that is set.
    transparent: true,
    side: three.DoubleSide,
  });
}

const plain = (): three.ShaderMaterial => program(shaders.plainVertex, shaders.plainFragment, { paint: new three.Vector4() });

/** Outlines of bodies that one sees through would hide what is behind them. */
const outlineStrength = (scene: Scene): number => (scene.opacity < 1 ? 0.25 : 0.85);

/** Points that are made anew now and then; their memory grows and is kept. */
class Growing {
  readonly geometry = new three.BufferGeometry();
  private attribute = new three.BufferAttribute(new Float32Array(0), 3);

  set(points: ArrayLike<number>, count: number): void {
    if (count > this.attribute.array.length) {
      this.geometry.dispose();
      this.attribute = new three.BufferAttribute(new Float32Array(2 * count), 3);
      this.attribute.setUsage(three.DynamicDrawUsage);
      this.geometry.setAttribute("position", this.attribute);
    }
    const { array } = this.attribute;
    for (let i = 0; i < count; i++) array[i] = points[i];
    this.attribute.clearUpdateRanges();
    this.attribute.addUpdateRange(0, count);
    this.attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, count / 3);
  }
}

export class WebglRenderer implements Renderer {
  readonly kind = "webgl";
  private readonly renderer: three.WebGLRenderer;
  private readonly stage = new three.Scene();
  private readonly eye = new three.OrthographicCamera();
  private ratio = 1;

  private readonly surface = new three.BufferGeometry();
  private readonly edges = new three.BufferGeometry();
  private readonly outline = new three.BufferGeometry();
  private readonly dots = new three.BufferGeometry();
  private readonly rest = new three.BufferGeometry();
  private readonly obstacleFaces = new Growing();
  private readonly obstacleLines = new Growing();
  private readonly halos = new Growing();
  private readonly arrows = new Growing();
  private readonly chains = new Growing();
  private readonly joints = new Growing();
  /** Contacts by status: apart, sticking, slipping. */
  private readonly marks = [new Growing(), new Growing(), new Growing()];
  private readonly table = new three.DataTexture(new Uint8Array(1024), 256, 1);
  private readonly statusTable = new three.DataTexture(new Uint8Array(1024), 256, 1);
  private readonly materials = {
    surface: program(shaders.surfaceVertex, shaders.surfaceFragment, { table: null, neutral: null, valued: true, shaded: false, opacity: 1 }),
    dots: program(shaders.dotVertex, shaders.dotFragment, { table: null, rim: null, status: false, size: 8, strength: 1 }),
    hidden: program(shaders.dotVertex, shaders.dotFragment, { table: null, rim: null, status: false, size: 8, strength: 0.3 }),
    edges: program(shaders.surfaceVertex, shaders.edgeFragment, { table: null, neutral: null, valued: true, strength: 0 }),
    outline: plain(), rest: plain(), faces: plain(), lines: plain(), halos: plain(), arrows: plain(), chains: plain(), joints: plain(),
  };
  private readonly markMaterials = [0, 1, 2].map((status) =>
    program(shaders.markVertex, shaders.dotFragment, {
      table: null, rim: null, status: true, size: 8, strength: 1, place: steppedCoordinate(status),
    }),
  );
  private readonly objects: Record<string, three.Object3D> = {};
  private positions: three.BufferAttribute | null = null;
  private places: three.BufferAttribute | null = null;
  private normals: three.BufferAttribute | null = null;
  private seen = { moved: -1, valued: -1, selected: -1, coloured: -1, obstacles: null as object | null };

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly context: WebGL2RenderingContext,
    dimension: number,
  ) {
    this.renderer = new three.WebGLRenderer({ canvas, context });
    this.renderer.outputColorSpace = three.LinearSRGBColorSpace;
    this.stage.matrixWorldAutoUpdate = false;
    this.eye.matrixAutoUpdate = false;
    this.setUp(dimension === 3);
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
  }

  draw(scene: Scene, camera: Camera): void {
    this.fetch(scene, camera);
    this.aim(scene, camera);
    const { objects, seen } = this;
    const strength = scene.edgeStrength(camera);
    this.materials.edges.uniforms.strength.value = strength;
    objects.edges.visible = strength > 0;
    objects.rest.visible = scene.showRest;
    objects.halos.visible = objects.arrows.visible = scene.showForces;
    objects.dots.visible = objects.hidden.visible = scene.dots.length > 0;
    const { surface } = this.materials;
    surface.uniforms.opacity.value = scene.opacity;
    surface.depthWrite = scene.dimension === 3 && scene.opacity === 1;
    this.materials.outline.uniforms.paint.value.w = outlineStrength(scene);
    this.renderer.render(this.stage, this.eye);
    Object.assign(seen, { moved: scene.moved, valued: scene.valued, selected: scene.selected, coloured: scene.coloured });
  }

  dispose(): void {
    const geometries = [this.surface, this.edges, this.outline, this.dots, this.rest];
    const all = [this.obstacleFaces, this.obstacleLines, this.halos, this.arrows, this.chains, this.joints, ...this.marks];
    for (const growing of all) geometries.push(growing.geometry);
    for (const geometry of geometries) geometry.dispose();
    for (const material of [...Object.values(this.materials), ...this.markMaterials]) material.dispose();
    this.table.dispose();
    this.statusTable.dispose();
    this.renderer.dispose();
    // A browser keeps only some contexts: this one is given back at once.
    this.context.getExtension("WEBGL_lose_context")?.loseContext();
  }

  private setUp(space: boolean): void {
    const { materials: m } = this;
    for (const material of Object.values(m)) material.depthTest = material.depthWrite = space;
    for (const material of [m.faces, m.lines, m.rest, m.edges, m.outline]) material.depthWrite = false;
    for (const material of [m.halos, m.arrows, m.hidden, m.chains, m.joints, ...this.markMaterials]) material.depthTest = material.depthWrite = false;
    Object.assign(m.surface, { polygonOffset: true, polygonOffsetFactor: 1.5, polygonOffsetUnits: 4 });
    m.surface.uniforms.shaded.value = space;
    for (const material of [m.surface, m.edges, m.dots, m.hidden]) material.uniforms.table.value = this.table;
    for (const material of this.markMaterials) material.uniforms.table.value = this.statusTable;
    const first = space ? 10 : 0;
    this.put("faces", new three.Mesh(this.obstacleFaces.geometry, m.faces), first);
    this.put("lines", new three.LineSegments(this.obstacleLines.geometry, m.lines), first + 1);
    this.put("surface", new three.Mesh(this.surface, m.surface), 2);
    this.put("edges", new three.LineSegments(this.edges, m.edges), 3);
    this.put("outline", new three.LineSegments(this.outline, m.outline), 4);
    this.put("rest", new three.LineSegments(this.rest, m.rest), 5);
    this.put("hidden", new three.Points(this.dots, m.hidden), 20);
    this.put("dots", new three.Points(this.dots, m.dots), 21);
    this.put("chains", new three.Mesh(this.chains.geometry, m.chains), 15);
    this.put("joints", new three.LineSegments(this.joints.geometry, m.joints), 16);
    this.marks.forEach((mark, k) => this.put(`marks${k}`, new three.Points(mark.geometry, this.markMaterials[k]), 24 + k));
    this.put("halos", new three.Mesh(this.halos.geometry, m.halos), 22);
    this.put("arrows", new three.Mesh(this.arrows.geometry, m.arrows), 23);
  }

  private put(name: string, object: three.Object3D, order: number): void {
    object.renderOrder = order;
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    this.objects[name] = object;
    this.stage.add(object);
  }

  /** Sends what has changed since the last picture. */
  private fetch(scene: Scene, camera: Camera): void {
    if (!this.positions) this.share(scene);
    if (this.seen.moved !== scene.moved) this.positions!.needsUpdate = this.normals!.needsUpdate = true;
    if (this.seen.valued !== scene.valued) this.places!.needsUpdate = true;
    if (this.seen.selected !== scene.selected) this.select(scene);
    if (this.seen.coloured !== scene.coloured) this.paint(scene);
    const shape = scene.obstacleShapes(camera);
    if (shape !== this.seen.obstacles) {
      this.obstacleFaces.set(shape.faces, shape.faces.length);
      this.obstacleLines.set(shape.lines, shape.lines.length);
      this.seen.obstacles = shape;
    }
    scene.placeArrows(camera);
    this.halos.set(scene.halos.points, 3 * scene.halos.corners);
    this.arrows.set(scene.arrows.points, 3 * scene.arrows.corners);
    const { touching } = scene;
    if (touching) {
      this.chains.set(touching.chains.points, 3 * touching.chains.corners);
      this.marks.forEach((mark, k) => mark.set(touching.marks[k].points, 3 * touching.marks[k].count));
    }
    const joints = scene.jointLines(camera);
    this.joints.set(joints, joints.length);
  }

  private share(scene: Scene): void {
    this.positions = new three.BufferAttribute(scene.positions, 3).setUsage(three.DynamicDrawUsage);
    this.places = new three.BufferAttribute(scene.coordinates, 1).setUsage(three.DynamicDrawUsage);
    this.normals = new three.BufferAttribute(scene.normals ?? new Float32Array(scene.positions.length), 3).setUsage(three.DynamicDrawUsage);
    this.surface.setAttribute("bent", this.normals);
    this.edges.setAttribute("bent", this.normals);
    for (const geometry of [this.surface, this.edges, this.outline, this.dots]) geometry.setAttribute("position", this.positions);
    for (const geometry of [this.surface, this.edges, this.dots]) geometry.setAttribute("place", this.places);
    this.rest.setAttribute("position", new three.BufferAttribute(scene.mesh.rest, 3));
  }

  private select(scene: Scene): void {
    const index = (geometry: three.BufferGeometry, vertices: Uint32Array): void => {
      geometry.dispose();
      geometry.setIndex(new three.BufferAttribute(vertices, 1));
    };
    index(this.surface, scene.triangles);
    index(this.edges, scene.edges);
    index(this.outline, scene.outline);
    index(this.rest, scene.outline);
    index(this.dots, scene.dots);
    const { surface, edges } = this.materials;
    surface.uniforms.valued.value = edges.uniforms.valued.value = scene.surfaceHasValues;
  }

  private paint(scene: Scene): void {
    const { materials: m } = this;
    const { palette } = scene;
    (this.table.image.data as Uint8Array).set(scene.table);
    const filter = scene.scale === "status" || scene.scale === "bodies" ? three.NearestFilter : three.LinearFilter;
    this.table.minFilter = this.table.magFilter = filter;
    this.table.needsUpdate = true;
    this.renderer.setClearColor(new three.Color(...fraction(palette.background).toArray()), 1);
    m.surface.uniforms.neutral.value = m.edges.uniforms.neutral.value = fraction(palette.neutral);
    const brush = (material: three.ShaderMaterial, colour: Rgb, strength: number): void =>
      material.uniforms.paint.value.set(...fraction(colour).toArray(), strength);
    brush(m.outline, palette.line, outlineStrength(scene));
    brush(m.rest, palette.rest, 0.7);
    brush(m.faces, palette.obstacle, 0.16);
    brush(m.lines, palette.obstacle, this.objects.lines.renderOrder < 10 ? 1 : 0.4);
    brush(m.halos, palette.halo, 1);
    brush(m.chains, palette.chain, 0.7);
    brush(m.joints, palette.line, 1);
    (this.statusTable.image.data as Uint8Array).set(colourTable("status", scene.colours, 0));
    this.statusTable.minFilter = this.statusTable.magFilter = three.NearestFilter;
    this.statusTable.needsUpdate = true;
    for (const material of this.markMaterials) material.uniforms.rim.value = fraction(palette.line);
    brush(m.arrows, palette.arrow, 1);
    for (const material of [m.dots, m.hidden]) {
      material.uniforms.rim.value = fraction(palette.line);
      material.uniforms.status.value = scene.scale === "status";
    }
  }

  private aim(scene: Scene, camera: Camera): void {
    const { eye } = this;
    const half = (pixels: number): number => (camera.pixel * pixels) / 2;
    const far = 8 * scene.mesh.size + 8 * camera.reach;
    Object.assign(eye, { left: -half(camera.width), right: half(camera.width), near: 0, far: 2 * far });
    Object.assign(eye, { bottom: -half(camera.height), top: half(camera.height) });
    const vector = (v: number[]): three.Vector3 => new three.Vector3(...v);
    const back = vector(camera.back);
    eye.matrix.makeBasis(vector(camera.right), vector(camera.up), back);
    eye.matrix.setPosition(vector(camera.target).addScaledVector(back, far));
    eye.matrixWorldNeedsUpdate = true;
    eye.updateProjectionMatrix();
    const size = 9 * this.ratio;
    for (const material of [this.materials.dots, this.materials.hidden]) material.uniforms.size.value = size;
    for (const material of this.markMaterials) material.uniforms.size.value = markSize(camera) * this.ratio;
  }
}

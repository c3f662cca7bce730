// SPDX-License-Identifier: Apache-2.0
// Contacts as they are drawn: points by their status, forces as arrows, and chains of force between mass centres.

import { ArrowList } from "./arrows";
import type { Camera } from "./camera";
import type { Contact, ContactFrames } from "./contacts";
import type { Frames } from "./frames";

/** Points that are made anew with every frame; their memory grows and is kept. */
export class PointList {
  points = new Float32Array(3 * 64);
  count = 0;

  clear(): void {
    this.count = 0;
  }

  add(place: ArrayLike<number>): void {
    if (3 * (this.count + 1) > this.points.length) {
      const larger = new Float32Array(2 * this.points.length);
      larger.set(this.points);
      this.points = larger;
    }
    for (let k = 0; k < 3; k++) this.points[3 * this.count + k] = place[k];
    this.count++;
  }
}

/** Half of the width of a chain that carries a usual force, and the widest, in pixels. */
const chainWidth = 2.5;
const widestChain = 9;
/** No arrow is longer than this many times a usual one: an impact would cover the picture. */
export const longestArrow = 2.5;

/** Size of a mark in pixels: there is less room in a small picture. */
export const markSize = (camera: Camera): number => (camera.width < 500 ? 6 : 9);

export class Touching {
  /** By status: apart, sticking, slipping. */
  readonly marks = [new PointList(), new PointList(), new PointList()];
  readonly chains = new ArrowList();
  /** A usual force, which lengths and widths are measured by. */
  readonly usual: number;
  showPoints: boolean;
  showChains = false;
  private listed: { frame: number; contacts: Contact[] } = { frame: -1, contacts: [] };

  constructor(
    private readonly frames: Frames,
    readonly contacts: ContactFrames,
  ) {
    this.usual = contacts.usual();
    this.showPoints = !this.isCrowded;
  }

  /** So many contacts that they would cover the bodies: they are shown when they are asked for. */
  get isCrowded(): boolean {
    const { frames, dimension } = this.frames.animation;
    const most = Array.from({ length: frames }, (_, k) => this.contacts.count(k)).reduce((a, b) => Math.max(a, b), 0);
    return most > (dimension === 3 ? 300 : 2000);
  }

  /** Contacts of a frame, of which both bodies are shown. */
  of(frame: number, shown: boolean[]): Contact[] {
    if (this.listed.frame !== frame) this.listed = { frame, contacts: this.contacts.all(frame) };
    const seen = (body: number): boolean => shown[body] ?? true;
    return this.listed.contacts.filter(({ first, second }) => seen(first) && seen(second));
  }

  /** Marks and chains of a frame as the camera sees them; arrows, of which a usual one is `longest` pixels long. */
  place(frame: number, shown: boolean[], camera: Camera, longest: number, arrows: ArrowList | null, halos: ArrowList): void {
    for (const list of this.marks) list.clear();
    this.chains.clear();
    for (const contact of this.of(frame, shown)) {
      if (this.showPoints) this.marks[contact.status]?.add(contact.place);
      if (this.showChains) this.addChain(frame, contact, camera);
      if (arrows) this.addArrows(contact, camera, longest, arrows, halos);
    }
  }

  // What one body does to the other, the other does to it; what an obstacle feels is not shown.
  private addArrows(contact: Contact, camera: Camera, longest: number, arrows: ArrowList, halos: ArrowList): void {
    const size = Math.hypot(...contact.force);
    if (!(size > 0)) return;
    const times = (Math.min(longestArrow, size / this.usual) * longest * camera.pixel) / size;
    for (const sign of contact.second < this.frames.animation.bodies.length ? [1, -1] : [1]) {
      const vector = contact.force.map((x) => sign * times * x);
      halos.add(contact.place, 0, vector, camera, 1.2);
      arrows.add(contact.place, 0, vector, camera, 0);
    }
  }

  private addChain(frame: number, contact: Contact, camera: Camera): void {
    const size = Math.hypot(...contact.force);
    if (!(size > 0)) return;
    const half = Math.max(0.4, Math.min(widestChain, (chainWidth * size) / this.usual)) * camera.pixel;
    for (const body of [contact.first, contact.second]) {
      const rigid = this.frames.animation.bodies[body]?.rigid;
      if (rigid !== undefined) this.chains.bar(this.frames.poses!.centre(frame, rigid), contact.place, half, camera);
    }
  }
}

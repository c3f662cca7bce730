// SPDX-License-Identifier: Apache-2.0
// The rigid body or the contact under the pointer, and what is known of it in this frame.

import { formatKnown, formatNumber, formatQuantity } from "../format";
import type { Camera, Vector } from "./camera";
import type { Contact } from "./contacts";
import type { Scene } from "./scene";

const reach = 9;
/** Contacts of a body that are told one by one. */
const told = 3;
const statusWords = ["apart", "sticking", "slipping"];

/** The nearest contact within reach of a place on the picture, or null. */
export function contactAt(scene: Scene, camera: Camera, place: [number, number]): Contact | null {
  const { touching } = scene;
  if (!touching?.showPoints) return null;
  let found: Contact | null = null;
  let best = reach;
  for (const contact of touching.of(scene.frame, scene.shown)) {
    const [x, y] = camera.project(contact.place);
    const away = Math.hypot(x - place[0], y - place[1]);
    if (away <= best) [found, best] = [contact, away];
  }
  return found;
}

/** How near a triangle is where it covers a place on the picture; -Infinity where it does not. */
function nearness(a: Vector, b: Vector, c: Vector, [px, py]: [number, number]): number {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const sb = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
  const sc = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
  return sb >= 0 && sc >= 0 && sb + sc <= 1 ? a[2] + sb * (b[2] - a[2]) + sc * (c[2] - a[2]) : -Infinity;
}

/** The number of the rigid body in front at a place on the picture, or -1. */
export function bodyAt(scene: Scene, camera: Camera, place: [number, number]): number {
  const { positions, shown } = scene;
  const { animation, triangles, poses } = scene.frames;
  let found = -1;
  let nearest = -Infinity;
  animation.bodies.forEach((body, k) => {
    if (body.rigid === undefined || !poses || !shown[k]) return;
    // Most bodies are elsewhere.
    const [x, y] = camera.project(poses.centre(scene.frame, body.rigid));
    if (Math.hypot(x - place[0], y - place[1]) > (1.001 * poses.reach(body.rigid)) / camera.pixel) return;
    const corner = (i: number): Vector => camera.project(positions, 3 * triangles[i]);
    for (let t = 3 * body.firstTriangle; t < 3 * (body.firstTriangle + body.triangles); t += 3) {
      const near = nearness(corner(t), corner(t + 1), corner(t + 2), place);
      if (near > nearest) [found, nearest] = [k, near];
    }
  });
  return found;
}

/** Three digits, but no power of ten for a thousand. */
const forceText = (force: number, unit: string): string => formatQuantity(Number(force.toPrecision(3)), unit, 6);

/** Parts of a force with three digits: more are not on the page. */
export function contactParts({ normal, tangential, status }: Contact, unit: string): string {
  const parts = [statusWords[status] ?? ""];
  if (status > 0) parts.push(`normal force ${forceText(normal, unit)}`, `friction ${forceText(tangential, unit)}`);
  return parts.join(", ");
}

export function describeContact(scene: Scene, contact: Contact): string {
  const { contacts } = scene.touching!;
  return `contact of ${contacts.name(contact.first)} and ${contacts.name(contact.second)}: ${contactParts(contact, contacts.unit)}`;
}

/** One line for people: where the body is, how it moves, what touches it. */
export function describeBody(scene: Scene, body: number): string {
  const { animation, poses } = scene.frames;
  const { name, rigid } = animation.bodies[body];
  const facts = motionOf(scene, rigid!);
  const contacts = scene.touching?.of(scene.frame, scene.shown).filter(({ first, second }) => first === body || second === body) ?? [];
  const size = ({ force }: Contact): number => Math.hypot(...force);
  const loaded = contacts.filter(({ status }) => status > 0).sort((a, b) => size(b) - size(a));
  const others = loaded.slice(0, told).map((contact) => {
    const other = contact.first === body ? contact.second : contact.first;
    return `${scene.touching!.contacts.name(other)} ${forceText(size(contact), scene.forceUnit)} ${statusWords[contact.status]}`;
  });
  const more = loaded.length > told ? `, \u2026 ${loaded.length - told} more` : "";
  const touches = others.length ? `; pressed by ${others.join(", ")}${more}` : "; free";
  return poses ? `${name}: ${facts.join(", ")}${touches}` : name;
}

/** Position, velocity and turning of a rigid body with no more digits than the page knows. */
export function motionOf(scene: Scene, rigid: number): string[] {
  const { poses, animation } = scene.frames;
  const { dimension } = animation;
  if (!poses) return [];
  const { rigid: known } = poses;
  const length = scene.displacement.field.unit;
  const velocityUnit = animation.fields.find((field) => field.name === "velocity")?.unit ?? "";
  const degrees = (radians: number): number => (180 * radians) / Math.PI;
  const angle = Math.hypot(...poses.rotation(scene.frame, rigid));
  const turned = dimension === 2 ? degrees(poses.rotation(scene.frame, rigid)[0]) : degrees(angle);
  return [
    `position ${formatKnown(poses.centre(scene.frame, rigid).slice(0, dimension), known.displacementResolution, length)}`,
    `velocity ${formatKnown(poses.velocity(scene.frame, rigid), known.velocityResolution, velocityUnit)}`,
    `turned by ${formatNumber(Math.abs(turned) < degrees(known.rotationResolution) ? 0 : turned, 3)}\u00b0`,
    `turning ${formatKnown(poses.angularVelocity(scene.frame, rigid), known.angularVelocityResolution, known.rateUnit)}`,
  ];
}

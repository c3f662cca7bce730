// SPDX-License-Identifier: Apache-2.0
// The picture in words and numbers: largest values of a frame and where they are, and contact forces on the bodies.
// Numbers at the nodes are rounded to keep the page small; largest values and sums are told to it as they were computed.

import { table } from "../dom";
import { formatKnown, formatNumber, formatQuantity } from "../format";
import type { Field } from "../report";
import { contactParts, motionOf } from "./body_probe";
import type { FieldFrames } from "./frames";
import type { Scene } from "./scene";

const axes = ["x", "y", "z"];
/** Rows of a table. */
const most = 20;

/** Rows: what, how much, where. */
export async function extremesOf(scene: Scene): Promise<string[][]> {
  const { animation } = scene.frames;
  const frame = scene.frame;
  const rows: string[][] = [];
  for (const field of animation.fields) {
    if (field.name === "status" || field.name === "gap") continue;
    const row = await largest(scene, field, frame);
    if (row) rows.push(row);
  }
  return [...rows, ...(await contactForces(scene, frame))];
}

async function largest(scene: Scene, field: Field, frame: number): Promise<string[] | null> {
  const stored = await scene.frames.field(field);
  const values = new Float32Array(scene.values.length);
  stored.readComponent(frame, -1, values);
  let at = -1;
  for (let n = 0; n < values.length; n++)
    if (!Number.isNaN(values[n]) && (at < 0 || Math.abs(values[n]) > Math.abs(values[at]))) at = n;
  if (at < 0) return null;
  const what = `largest ${field.label || field.name}`;
  const exact = stored.extremes(frame);
  if (!exact) return [what, formatKnown([values[at]], errorOf(stored), field.unit), placeOf(scene, stored, values, at)];
  const value = -exact.low > exact.high ? exact.low : exact.high;
  return [what, formatQuantity(value, field.unit), value === 0 ? "" : placeOf(scene, stored, values, at)];
}

/** Of a length all components may be off. */
const errorOf = (field: FieldFrames): number => Math.sqrt(field.components) * field.resolution;

// Nodes that differ by less than what the page knows may each be the one.
function placeOf(scene: Scene, field: FieldFrames, values: Float32Array, at: number): string {
  const { animation, labels } = scene.frames;
  const least = Math.abs(values[at]) - 2 * errorOf(field);
  if (field.resolution > 0 && least <= 0) return "";
  const alike = field.resolution > 0 ? values.reduce((n, v) => n + (Math.abs(v) >= least ? 1 : 0), 0) : 1;
  const body = animation.bodies[scene.mesh.body[at]]?.name ?? "";
  return `${body} node ${labels[at]}${alike > 1 ? `, one of ${alike} nearly alike` : ""}`;
}

/** What contact exerts on each body in all. */
export async function contactForces(scene: Scene, frame: number): Promise<string[][]> {
  const { animation } = scene.frames;
  if (!scene.forceUnit) return [];
  const totals = (await scene.frames.totalForces(frame)) ?? [];
  return totals.map((total, k) => {
    const parts = total.map((f, i) => `${axes[i]} ${formatNumber(f)}`).join(", ");
    const what = `total contact force on ${animation.bodies[k].name}`;
    return [what, formatQuantity(Math.hypot(...total), scene.forceUnit), parts];
  });
}

const onlyMost = (count: number): string => (count > most ? `, ${most} of ${count}` : "");

/** Rigid bodies of this frame: where they are and how they move. */
export function bodiesTable(scene: Scene): HTMLElement | null {
  const rigid = scene.frames.animation.bodies.filter((body) => body.rigid !== undefined);
  if (rigid.length === 0) return null;
  const rows = rigid.slice(0, most).map((body) => [
    body.name,
    ...motionOf(scene, body.rigid!).map((text) => text.replace(/^(position|velocity|turned by|turning) /, "")),
  ]);
  return table([`rigid body${onlyMost(rigid.length)}`, "position", "velocity", "turned by", "turning"], rows, { class: "bodies-now" });
}

/** Contacts of this frame, those that carry most first. */
export function contactsTable(scene: Scene): HTMLElement | null {
  if (!scene.touching) return null;
  const { contacts } = scene.touching;
  const all = contacts.all(scene.frame).sort((a, b) => b.normal - a.normal);
  if (all.length === 0) return null;
  const rows = all.slice(0, most).map((contact) => {
    const [status, normal = "", friction = ""] = contactParts(contact, contacts.unit).split(", ");
    return [`${contacts.name(contact.first)}, ${contacts.name(contact.second)}`, status, normal.replace("normal force ", ""), friction.replace("friction ", "")];
  });
  return table([`contact${onlyMost(all.length)}`, "status", "normal force", "friction"], rows, { class: "contacts-now" });
}

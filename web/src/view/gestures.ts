// SPDX-License-Identifier: Apache-2.0
// What hands do on the picture: drag, pinch, wheel, keys.

import type { Camera } from "./camera";

export interface GestureListener {
  /** The camera has moved. */
  moved(): void;
  /** The pointer is over a place of the picture, in CSS pixels; null when it has left. */
  over(place: [number, number] | null): void;
  /** The view of the start is wanted. */
  reset(): void;
}

export class Gestures {
  /** Pointers that are down. */
  private readonly down = new Map<number, [number, number]>();
  private readonly ending = new AbortController();

  constructor(
    private readonly area: HTMLElement,
    private readonly camera: Camera,
    private readonly listener: GestureListener,
  ) {
    const { signal } = this.ending;
    area.addEventListener("pointerdown", (event) => this.press(event), { signal });
    area.addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const end of ["pointerup", "pointercancel"] as const)
      area.addEventListener(end, (event) => this.down.delete(event.pointerId), { signal });
    area.addEventListener("pointerleave", () => this.listener.over(null), { signal });
    area.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    area.addEventListener("dblclick", () => this.listener.reset(), { signal });
    area.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    area.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  dispose(): void {
    this.ending.abort();
  }

  private place(event: MouseEvent): [number, number] {
    const box = this.area.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private press(event: PointerEvent): void {
    const place = this.place(event);
    this.down.set(event.pointerId, place);
    this.area.setPointerCapture(event.pointerId);
    this.listener.over(place);
  }

  private move(event: PointerEvent): void {
    const now = this.place(event);
    const before = this.down.get(event.pointerId);
    this.listener.over(now);
    if (!before) return;
    if (this.down.size >= 2) this.pinch(event.pointerId, before, now);
    else this.drag(event, now[0] - before[0], now[1] - before[1]);
    this.down.set(event.pointerId, now);
    this.listener.moved();
  }

  private drag(event: PointerEvent, dx: number, dy: number): void {
    const turns = this.camera.dimension === 3 && !event.shiftKey && (event.buttons & 6) === 0;
    if (turns) this.camera.orbit(dx, dy);
    else this.camera.pan(dx, dy);
  }

  /** Two fingers: their distance zooms, their middle pans. */
  private pinch(id: number, before: [number, number], now: [number, number]): void {
    const other = [...this.down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const apart = (p: [number, number]): number => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    this.camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.camera.zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1);
    this.camera.zoom(Math.exp(-0.002 * Math.max(-300, Math.min(300, pixels))), ...this.place(event));
    this.listener.moved();
  }

  // Arrows alone step through the frames: the view moves with shift, and turns with alt.
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey) return;
    const way: Record<string, [number, number]> = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = way[event.key];
    if (arrow && event.shiftKey) this.camera.pan(30 * arrow[0], 30 * arrow[1]);
    else if (arrow && event.altKey) this.camera.orbit(30 * arrow[0], 30 * arrow[1]);
    else if (event.key === "+" || event.key === "=") this.camera.zoom(1.25);
    else if (event.key === "-") this.camera.zoom(0.8);
    else if (event.key === "0") this.listener.reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.listener.moved();
  }
}

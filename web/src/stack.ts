// SPDX-License-Identifier: Apache-2.0
// Terms of a sum as areas that stand on each other.

export interface Part {
  label: string;
  values: Float64Array;
}

/** A term of the stack: from which height to which, and what it is itself. */
export interface Layer {
  label: string;
  colour: number;
  values: Float64Array;
  top: Float64Array;
  /** Index of the layer that it stands on, -1 for zero. */
  on: number;
}

/** Whether there is nothing to draw. */
export const isZero = (values: Float64Array): boolean => values.every((v) => v === 0 || Number.isNaN(v));

/** Positive parts are stacked upwards and negative parts downwards, so that both are seen as they are. */
export function stack(parts: Part[]): Layer[] {
  const layers: Layer[] = [];
  for (const sign of [1, -1]) {
    let on = -1;
    parts.forEach(({ label, values }, colour) => {
      const part = values.map((v) => (sign * v > 0 ? v : Number.isNaN(v) ? NaN : 0));
      if (isZero(part)) return;
      const below = on < 0 ? null : layers[on]!.top;
      const top = part.map((v, i) => v + (below ? below[i]! : 0));
      const name = sign < 0 ? `${label}, negative` : label;
      layers.push({ label: name, colour, values: part, top, on });
      on = layers.length - 1;
    });
  }
  return layers;
}

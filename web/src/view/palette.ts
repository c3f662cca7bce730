// SPDX-License-Identifier: Apache-2.0
// Colours of the theme for all that is drawn beside the values.

import type { Theme } from "../theme";
import { type Rgb, neutralColour, parseColour } from "./colours";

export interface Palette {
  background: Rgb;
  neutral: Rgb;
  line: Rgb;
  rest: Rgb;
  arrow: Rgb;
  halo: Rgb;
  chain: Rgb;
  obstacle: Rgb;
}

export function paletteOf(theme: Theme): Palette {
  const { colours } = theme;
  const background = parseColour(colours.background);
  const text = parseColour(colours.text);
  return {
    background,
    neutral: neutralColour(colours),
    line: text,
    rest: parseColour(colours.faint),
    arrow: theme.dark ? [255, 120, 150] : [176, 0, 60],
    halo: background,
    chain: theme.dark ? [255, 170, 90] : [150, 60, 0],
    obstacle: parseColour(colours.reference),
  };
}

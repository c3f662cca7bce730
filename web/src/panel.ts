// SPDX-License-Identifier: Apache-2.0
// One part of the page behind one interface: a file in panels/, a line in panels/index.ts, a test.

import type { Clock } from "./clock";
import type { Blocks } from "./data";
import type { Report, Run } from "./report";
import type { Theme } from "./theme";

export interface PanelContext {
  report: Report;
  /** The run that is looked at. */
  run: Run;
  clock: Clock;
  blocks: Blocks;
  theme: Theme;
}

/** What a panel has put on the page. */
export interface MountedPanel {
  /** Takes back listeners and memory; its element is removed by the caller. */
  destroy(): void;
}

export interface Panel {
  /** Its section is #panel-<id>. */
  id: string;
  title: string;
  /** Whether it has something to show of this run. */
  applies(context: PanelContext): boolean;
  /** Fills the section, which has its heading already and is on the page (so that it has a size). */
  mount(host: HTMLElement, context: PanelContext): Promise<MountedPanel>;
}

// SPDX-License-Identifier: Apache-2.0
// Starts the page: reads the report that stands in it and shows its first run.

import "./style/page.css";
import "./style/controls.css";
import "./style/panels.css";
import "./style/player.css";
import "./style/stability.css";
import "./style/signals.css";
import "./style/print.css";
import { pageBlocks } from "./data";
import { Page } from "./page";
import { panels } from "./panels/index";
import type { Report } from "./report";
import { createTheme } from "./theme";

function required(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

// Tables write N/m^2 in plain letters, people read N/m²; and frequencies in Hz.
function readable(this: unknown, key: string, value: unknown): unknown {
  if (key !== "unit" || typeof value !== "string") return value;
  const { name } = this as { name?: unknown };
  if (value === "1/s" && typeof name === "string" && name.endsWith("frequency")) return "Hz";
  return value.replaceAll("^2", "²").replaceAll("^3", "³");
}

const report = JSON.parse(required("report").textContent ?? "", readable) as Report;
const page = new Page(report, pageBlocks(), createTheme(), panels, required("panels"), required("verdict"));
void page.show(0);

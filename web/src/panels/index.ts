// SPDX-License-Identifier: Apache-2.0
// All panels, in the order of the page.

import type { Panel } from "../panel";
import { checks } from "./checks";
import { contacts } from "./contacts";
import { energy } from "./energy";
import { gearMap } from "./gear_map";
import { gears } from "./gears";
import { histories } from "./histories";
import { mechanism } from "./mechanism";
import { messages } from "./messages";
import { model } from "./model";
import { outcomes } from "./outcomes";
import { path } from "./path";
import { player } from "./player";
import { portraits } from "./portraits";
import { signals } from "./signals";
import { sound } from "./sound";
import { stability } from "./stability";
import { statistics } from "./statistics";
import { status } from "./status";
import { study } from "./study";

// A study is read from above: what was done, how it moves, where it becomes unstable, what comes of it, how that sounds.
export const panels: Panel[] = [
  outcomes, study, player, histories, energy, gears, gearMap, mechanism, path, stability, signals, portraits, contacts, sound, status, statistics, checks, messages, model,
];

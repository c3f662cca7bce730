// SPDX-License-Identifier: Apache-2.0
// All panels, in the order of the page.

import type { Panel } from "../panel";
import { checks } from "./checks";
import { energy } from "./energy";
import { histories } from "./histories";
import { messages } from "./messages";
import { model } from "./model";
import { path } from "./path";
import { player } from "./player";
import { stability } from "./stability";
import { statistics } from "./statistics";
import { status } from "./status";

export const panels: Panel[] = [player, histories, energy, path, stability, status, statistics, checks, messages, model];

// SPDX-License-Identifier: Apache-2.0
// A made-up squeal, as files of a result folder (docs/reference/results.md): a disturbance grows to a limit cycle, which is heard.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const squeal = { frequency: 690, rate: 44100, seconds: 1.5, amplitude: 0.4, nodes: 9 };

/** The motion: grows as exp, until it is as large as it gets; its second harmonic is that of stick and slip. */
function motionAt(t, begin, end) {
  const size = Math.min(1, Math.exp(14 * ((t - begin) / (end - begin)) - 8));
  const phase = 2 * Math.PI * squeal.frequency * (t - begin);
  return size * (Math.sin(phase) + 0.3 * Math.sin(2 * phase + 1));
}

/** A WAV file of one channel of 16 bits; `at` gives its samples. */
export function soundOf({ rate, count, at }) {
  const bytes = Buffer.alloc(44 + 2 * count);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(2 * count, 40);
  for (let k = 0; k < count; k++) bytes.writeInt16LE(Math.round(at(k)), 44 + 2 * k);
  return bytes;
}

function tone() {
  const count = Math.round(squeal.rate * squeal.seconds);
  const fade = (k) => Math.min(1, k / 2000, (count - k) / 2000) * Math.min(1, 0.2 + k / (0.6 * count));
  return soundOf({ rate: squeal.rate, count, at: (k) => 22000 * fade(k) * Math.sin((2 * Math.PI * squeal.frequency * k) / squeal.rate) });
}

const csv = (head, rows) => `${head}\n${rows.map((row) => row.join(",")).join("\n")}\n`;

function history(begin, end) {
  const rows = Array.from({ length: 1500 }, (_, k) => begin + ((end - begin) * k) / 1499);
  return csv("t [s],squeal [mm/s]", rows.map((t) => [t, squeal.amplitude * motionAt(t, begin, end)]));
}

/** Lines of a Hann window, over noise. */
function spectrum() {
  const line = (f, at) => 1 / (1 + ((f - at) / 12) ** 4);
  const rows = Array.from({ length: 2000 }, (_, k) => {
    const f = 8 * k;
    const noise = 2e-4 * (1 + 0.6 * Math.sin(k * k));
    return [f, squeal.amplitude * (line(f, squeal.frequency) + 0.3 * line(f, 2 * squeal.frequency) + 0.02 * line(f, 3 * squeal.frequency) + noise)];
  });
  return csv("frequency [1/s],amplitude [mm/s]", rows);
}

function portrait(begin, end) {
  const rate = 2 * Math.PI * squeal.frequency;
  const rows = Array.from({ length: 3000 }, (_, k) => {
    const t = begin + ((end - begin) * k) / 2999;
    const size = Math.min(1, Math.exp(14 * (k / 2999) - 8));
    const phase = rate * (t - begin);
    const [x, v] = [size * Math.cos(phase), -size * Math.sin(phase)];
    // it sticks where it would be faster than the plate
    return [t, 0.02 + 0.001 * x, 0.001 * rate * Math.max(-0.8, v), -0.5 + 0.0004 * (x + 0.4 * x * x), 0.0004 * rate * v * (1 + 0.8 * x)];
  });
  return csv("t [s],displacement.x [mm],velocity.x [mm/s],displacement.y [mm],velocity.y [mm/s]", rows);
}

function contacts(from) {
  const rows = Array.from({ length: squeal.nodes }, (_, k) => {
    const apart = Math.max(0, 0.08 * (k - 4));
    const stick = (1 - apart) * (0.15 + 0.05 * ((3 * k) % 5));
    return [from, 0, 0, k + 1, 10 * k, 0, 0, stick, 1 - apart - stick, apart, k > 4 ? 7 * (k - 4) : 0, 3 + k, 1, 9, 12];
  });
  return csv("t [s],pair,body,node,x [mm],y [mm],z [mm],stick,slip,apart,impacts,normal_force [N],normal_force_rms [N],normal_force_most [N],sliding_speed [mm/s]", rows);
}

/** Puts the files into a result folder whose step in time has this name, begin and end. */
export function addSqueal(folder, { step, begin, end }) {
  const put = (name, content) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const from = begin + 0.6 * (end - begin);
  put("squeal.wav", tone());
  put("history/squeal.csv", history(begin, end));
  put("motion/squeal/spectrum.csv", spectrum());
  put("history/lip.csv", portrait(begin, end));
  put(`motion/${step}/contacts.csv`, contacts(from));
  const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  const peaks = [[1, 1], [2, 0.3], [3, 0.02]].map(([times, share]) => ({ frequency: times * squeal.frequency, amplitude: share * squeal.amplitude }));
  Object.assign(summary.numbers, {
    "squeal.motion": 3, "squeal.saturated_from": from, "squeal.saturated_to": end, "squeal.dominant_frequency": squeal.frequency,
    "squeal.dominant_amplitude": squeal.amplitude, "squeal.period": 1 / squeal.frequency, "squeal.amplitude": squeal.amplitude, "squeal.rms": squeal.amplitude / Math.SQRT2,
  });
  summary.signals = {
    squeal: {
      step, table: "squeal", column: "squeal", unit: "mm/s", motion: "periodic", peaks,
      sound: { file: "squeal.wav", rate: squeal.rate, seconds: squeal.seconds, slowed: 1, repeats: 40, loop_from: 0.3, full_scale: 0.5, gain_reduced: false },
    },
  };
  summary.portraits = { lip: { step, table: "lip", each: false } };
  summary.statistics = { [step]: { file: `motion/${step}/contacts.csv`, from, to: end } };
  put("summary.json", JSON.stringify(summary));
  const model = readFileSync(join(folder, "model.yaml"), "utf8");
  put("model.yaml", model.replace(/^ *history:\n/m, (line) => `${line}    - {name: squeal, of: block.bottom, what: velocity.y}\n`));
}

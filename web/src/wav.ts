// SPDX-License-Identifier: Apache-2.0
// A sound as a file that browsers play, and as a picture.

/** A WAV file of one channel of 16 bits. */
export function wavOf(samples: Int16Array, rate: number): Uint8Array<ArrayBuffer> {
  const head = 44;
  const file = new Uint8Array(head + 2 * samples.length);
  const view = new DataView(file.buffer);
  const text = (at: number, letters: string): void => [...letters].forEach((letter, k) => (file[at + k] = letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, file.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, k) => view.setInt16(head + 2 * k, sample, true));
  return file;
}

/** Of each of so many columns of a picture the least and the largest sample, from -1 to 1. */
export function waveform(samples: Int16Array, columns: number): [number, number][] {
  return Array.from({ length: columns }, (_, k) => {
    const begin = Math.floor((k * samples.length) / columns);
    const end = Math.max(begin + 1, Math.floor(((k + 1) * samples.length) / columns));
    let [low, high] = [32767, -32768];
    for (let i = begin; i < Math.min(end, samples.length); i++) {
      low = Math.min(low, samples[i]!);
      high = Math.max(high, samples[i]!);
    }
    return low > high ? [0, 0] : [low / 32768, high / 32768];
  });
}

// SPDX-License-Identifier: Apache-2.0
// docs/gallery.md: a section per example, each with the same five points.

const points = ["model", "shows", "from", "look at", "pictures"];

/** [{name, model, shows, from, "look at", pictures: {case, time, field, plot}}]; says what is wrong by an error. */
export function readGallery(text) {
  return text.split(/^## /m).slice(1).map(readSection);
}

function readSection(section) {
  const name = section.slice(0, section.indexOf("\n")).trim();
  const entry = { name };
  for (const item of section.split(/^- /m).slice(1)) {
    const match = /^\*\*([a-z ]+):\*\*\s+([\s\S]*)$/.exec(item.trim());
    if (!match || !points.includes(match[1])) throw new Error(`docs/gallery.md, ${name}: '- ${item.trim()}' is none of ${points}`);
    entry[match[1]] = match[2].replace(/\s+/g, " ");
  }
  for (const point of points) if (!entry[point]) throw new Error(`docs/gallery.md, ${name}: there is no '${point}'`);
  if (entry.model !== `[${name}.yaml](../examples/${name}.yaml)`) throw new Error(`docs/gallery.md, ${name}: 'model' must link to its file`);
  entry.pictures = readPictures(name, entry.pictures);
  return entry;
}

// case `theta`, time `1e-4`, field `velocity`, plot `contact_velocity`
function readPictures(name, text) {
  const pictures = { case: "" };
  for (const [, key, value] of text.matchAll(/([a-z]+) `([^`]+)`/g)) pictures[key] = value;
  pictures.time = Number(pictures.time);
  if (!Number.isFinite(pictures.time) || !pictures.field || !pictures.plot)
    throw new Error(`docs/gallery.md, ${name}: pictures need a time, a field and a plot`);
  return pictures;
}

// SPDX-License-Identifier: Apache-2.0
// Every link, picture and style sheet of the site is in it, and so is every anchor.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

/** What does not lead anywhere, or out of the site. */
export function brokenLinks(folder) {
  const broken = [];
  const pages = htmlFiles(folder);
  const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]));
  for (const page of pages) {
    for (const [, , link] of plain(page).matchAll(/\s(href|src|srcset)="([^"]*)"/g)) {
      if (wrong(page, link.replace(/&amp;/g, "&").replace(/&#39;/g, "'"), anchors)) broken.push(`${relative(folder, page)}: ${link}`);
    }
  }
  return broken;
}

function wrong(page, link, anchors) {
  if (/^[a-z]+:|^\/\//i.test(link)) return true;
  const [path, anchor] = link.split("#");
  const target = path ? join(dirname(page), decodeURI(path)) : page;
  if (!existsSync(target) || !statSync(target).isFile()) return true;
  return Boolean(anchor) && anchors.has(target) && !anchors.get(target).has(decodeURI(anchor));
}

// Reports of examples are made by the program; they link to nothing.
function htmlFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return htmlFiles(path);
    return entry.name.endsWith(".html") && (entry.name !== "report.html" || basename(folder) === "reference") ? [path] : [];
  });
}

function plain(page) {
  return readFileSync(page, "utf8").replace(/<pre[\s\S]*?<\/pre>/g, "");
}

function anchorsOf(page) {
  return new Set([...plain(page).matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]));
}
